/* SPDX-License-Identifier: BSD-3-Clause */
/* Real libraries: native algorithms beside the portable schedules of the same name, and what the
 * default ran, with the evidence. */
#include <math.h>
#include <string.h>

#include "reports/scope.h"
#include "reports/section.h"
#include "reports/style.h"

static int is_portable(const char *algorithm)
{
    return strncmp(algorithm, "portable:", 9) == 0;
}

static int is_default(const char *algorithm)
{
    return strcmp(algorithm_base_name(algorithm), "default") == 0;
}

/* A timed candidate of the study that belongs to the library. */
static int is_native(const struct result *r)
{
    return strcmp(r->experiment, "time") == 0 && !is_portable(r->candidate.algorithm) &&
           !is_default(r->candidate.algorithm);
}

static int applies(const struct report_data *d)
{
    for (size_t i = 0; i < d->results; i++)
        if (is_native(&d->result[i]))
            return 1;
    return 0;
}

/* The same algorithm's portable schedule at the same cell, or NULL. */
static const struct result *twin_of(const struct report_data *d, const struct result *r)
{
    int number = style_number(r->candidate.algorithm);
    const char *label = algorithm_styles[number - 1].label;
    for (size_t i = 0; i < d->results; i++) {
        const struct result *t = &d->result[i];
        if (strcmp(t->experiment, "time") == 0 && is_portable(t->candidate.algorithm) &&
            cell_compare(&t->cell, &r->cell) == 0 &&
            strcmp(style_of(t->candidate.algorithm)->label, label) == 0 && result_usable(t) &&
            (!r->candidate.segment_bytes ||
             t->candidate.segment_bytes == r->candidate.segment_bytes))
            return t;
    }
    return NULL;
}

static void put_native(struct table *t, const struct report_data *d, const struct result *r)
{
    char text[128], raw[40];
    const struct result *twin = twin_of(d, r);
    table_number(t, r->cell.procs, 0);
    table_text(t, oversubscribed(d, &r->cell) ? "yes" : "");
    snprintf(raw, sizeof raw, "%llu", (unsigned long long)r->cell.bytes);
    table_cell(t, raw, "%s", show_bytes(r->cell.bytes, text, sizeof text));
    table_cell(t, r->candidate.algorithm, "%s",
               algorithm_label(r->candidate.algorithm, 0, text, sizeof text));
    snprintf(raw, sizeof raw, "%.9g", r->mean_s);
    table_cell(t, result_usable(r) ? raw : "", "%s",
               show_time(result_usable(r) ? r->mean_s : NAN, text, sizeof text));
    snprintf(raw, sizeof raw, "%.9g", twin ? twin->mean_s : NAN);
    table_cell(t, twin ? raw : "", "%s", show_time(twin ? twin->mean_s : NAN, text, sizeof text));
    table_number(t, twin && result_usable(r) ? twin->mean_s / r->mean_s : NAN, 2);
    table_cell(t, NULL, "%s%s%s", r->verified,
               strcmp(r->status, "ok") == 0 ? ""
               : *r->verified               ? ", "
                                            : "",
               strcmp(r->status, "ok") == 0 ? "" : r->status);
    if (strcmp(r->status, "ok") != 0)
        table_mark(t, MARK_FAIR);
}

static void put_table(struct page *page, const struct context *context)
{
    char name[200], caption[200];
    const struct report_data *d = page->data;
    snprintf(caption, sizeof caption,
             "Native algorithms of %s beside portable schedules of the same name",
             mpi_label(context->mpi));
    struct table *t = page_table_new(
        page, scoped_name(d, context, "native-portable", name, sizeof name), caption);
    table_column(t, "procs", NULL, "P", ALIGN_RIGHT);
    table_column(t, "oversubscribed", NULL, "oversubscribed", ALIGN_LEFT);
    table_column(t, "bytes", NULL, "size", ALIGN_RIGHT);
    table_column(t, "algorithm", NULL, "algorithm", ALIGN_LEFT);
    table_column(t, "native_s", "mean time", "native", ALIGN_RIGHT);
    table_column(t, "portable_s", "mean time", "portable", ALIGN_RIGHT);
    table_column(t, "ratio", "mean time", "portable / native", ALIGN_RIGHT);
    table_column(t, "verified", NULL, "proved by", ALIGN_LEFT);
    for (size_t i = 0; i < d->results; i++)
        if (is_native(&d->result[i]) && cell_in(&d->result[i].cell, context) &&
            strcmp(d->result[i].purpose, "study") == 0)
            put_native(t, d, &d->result[i]);
    table_note(t, "Proved by: how it was made sure that the library ran what was asked for: its "
                  "own function was seen (interposed), or a canary value and reading back "
                  "(canary+readback).");
    if (d->cores)
        table_note(t,
                   "Oversubscribed: more ranks than the %d cores of this machine; such times "
                   "say more about the scheduler than about the algorithm.",
                   d->cores);
    page_table(page, t);
}

static void put_default(struct table *t, const struct report_data *d, const struct result *r)
{
    char text[128], raw[40];
    table_number(t, r->cell.procs, 0);
    table_text(t, oversubscribed(d, &r->cell) ? "yes" : "");
    snprintf(raw, sizeof raw, "%llu", (unsigned long long)r->cell.bytes);
    table_cell(t, raw, "%s", show_bytes(r->cell.bytes, text, sizeof text));
    snprintf(raw, sizeof raw, "%.9g", r->mean_s);
    table_cell(t, result_usable(r) ? raw : "", "%s", show_time(r->mean_s, text, sizeof text));
    table_cell(t, r->ran_algorithm, "%s",
               *r->ran_algorithm ? algorithm_label(r->ran_algorithm, 0, text, sizeof text)
                                 : "not known");
    if (r->ran_segment_bytes >= 0)
        table_cell(t, NULL, "%s", show_bytes((uint64_t)r->ran_segment_bytes, text, sizeof text));
    else
        table_cell(t, "", "–");
    table_text(t, r->verified);
}

static void put_defaults(struct page *page, const struct context *context)
{
    char name[200], caption[200];
    const struct report_data *d = page->data;
    snprintf(caption, sizeof caption, "What the default of %s ran, unforced",
             mpi_label(context->mpi));
    struct table *t =
        page_table_new(page, scoped_name(d, context, "default-ran", name, sizeof name), caption);
    table_column(t, "procs", NULL, "P", ALIGN_RIGHT);
    table_column(t, "oversubscribed", NULL, "oversubscribed", ALIGN_LEFT);
    table_column(t, "bytes", NULL, "size", ALIGN_RIGHT);
    table_column(t, "mean_s", NULL, "mean time", ALIGN_RIGHT);
    table_column(t, "ran_algorithm", NULL, "ran", ALIGN_LEFT);
    table_column(t, "ran_segment_bytes", NULL, "segment", ALIGN_RIGHT);
    table_column(t, "verified", NULL, "evidence", ALIGN_LEFT);
    for (size_t i = 0; i < d->results; i++) {
        const struct result *r = &d->result[i];
        if (is_default(r->candidate.algorithm) && cell_in(&r->cell, context) && r->cell.root == 0 &&
            strncmp(r->purpose, "held", 4) != 0)
            put_default(t, d, r);
    }
    page_table(page, t);
}

static void write_section(struct page *page)
{
    fputs("Every native algorithm was forced inside one launch and has a portable twin: our own "
          "schedule, run by our executor over point-to-point calls of the same library.\n",
          page->md);
    for (size_t i = 0; i < page->data->contexts; i++) {
        scope_heading(page, &page->data->context[i], "");
        put_table(page, &page->data->context[i]);
        put_defaults(page, &page->data->context[i]);
    }
}

const struct section section_libraries = {
    .name = "libraries",
    .title = "Native and portable side by side",
    .applies = applies,
    .write = write_section,
};
