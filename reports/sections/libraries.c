/* SPDX-License-Identifier: BSD-3-Clause */
/* Real libraries: native algorithms beside the portable schedules of the same messages, and
 * what the default ran, with the evidence. */
#include "analysis/measure/equivalent.h"
#include "reports/section_common.h"

/* A timed candidate of the study that belongs to the library. */
static int is_native(const struct measured *r)
{
    return r->point.experiment == EXP_TIME && !is_portable(r->point.candidate.algorithm) &&
           !algorithm_is_default(r->point.candidate.algorithm);
}

/* Others' files neither have portable schedules nor say what the default ran. */
static int applies(const struct report_data *d)
{
    if (d->imported && !d->any_portable)
        return 0;
    return any_below(i, d->results, is_native(&d->result[i]));
}

/* The portable schedule that sends the same messages at the same cell, or NULL; of several, that of
 * the same name. */
static const struct measured *twin_of(const struct report_data *d, const struct measured *r)
{
    const struct algorithm_style style = style_of(r->point.candidate.algorithm);
    const struct measured *twin = NULL;
    for (size_t i = 0; d->any_portable && i < d->results; i++) {
        const struct measured *t = &d->result[i];
        if (t->point.experiment != EXP_TIME || !is_portable(t->point.candidate.algorithm) ||
            !result_usable(t) || !cell_equal(&t->point.cell, &r->point.cell) ||
            !equivalent_same(&r->point.cell, &t->point.candidate, &r->point.candidate))
            continue;
        if (strcmp(style_of(t->point.candidate.algorithm).label, style.label) == 0)
            return t;
        twin = twin ? twin : t;
    }
    return twin;
}

static int any_crowded(const struct report_data *d, const struct measured *const *row, size_t n)
{
    return any_below(i, n, oversubscribed(d, &row[i]->point.cell));
}

static void put_native(struct table *t, const struct report_data *d, const struct measured *r)
{
    const struct measured *twin = twin_of(d, r);
    table_cells(t, "%d | %s | %ju B | %s=%s", r->point.cell.procs,
                oversubscribed(d, &r->point.cell) ? "yes" : "", r->point.cell.bytes,
                r->point.candidate.algorithm, algorithm_label(r->point.candidate.algorithm, 0));
    table_cells(t, "%g s | %g s | %.2f", result_usable(r) ? r->time.value : NAN,
                twin ? twin->time.value : NAN,
                twin && result_usable(r) ? twin->time.value / r->time.value : NAN);
    table_cell(t, NULL, "%s%s%s", r->verified,
               r->status == POINT_OK ? ""
               : *r->verified        ? ", "
                                     : "",
               r->status == POINT_OK ? "" : point_status_words[r->status]);
    if (r->status != POINT_OK)
        table_mark(t, MARK_FAIR);
}

/* By processes, size and algorithm. */
static int by_cell(const void *a, const void *b)
{
    const struct measured *const *x = a, *const *y = b;
    return by_keys(cell_compare(&(*x)->point.cell, &(*y)->point.cell),
                   strcmp((*x)->point.candidate.algorithm, (*y)->point.candidate.algorithm));
}

/* The rows of a context that are wanted, in order; *n of them; to be freed. */
static const struct measured **collect(struct page *page, const struct context *context,
                                       int (*wanted)(const struct measured *), size_t *n)
{
    const struct report_data *d = page->data;
    const struct measured **row = memory_zeros(d->results + 1, sizeof(void *));
    *n = 0;
    for (size_t i = 0; i < d->results; i++)
        if (cell_in(&d->result[i].point.cell, context) && wanted(&d->result[i]))
            row[(*n)++] = &d->result[i];
    if (row)
        qsort(row, *n, sizeof(void *), by_cell);
    return row;
}

static int is_native_study(const struct measured *r)
{
    return is_native(r) && r->point.purpose == FOR_STUDY;
}

static int is_default_study(const struct measured *r)
{
    return algorithm_is_default(r->point.candidate.algorithm) && r->point.purpose < FOR_HELD_BYTES;
}

static void put_table(struct page *page, const struct context *context,
                      const struct measured *const *row, size_t n)
{
    const struct report_data *d = page->data;
    struct table *t =
        page_table_new(page, scoped_name(d, context, "native-portable"),
                       "Native algorithms of %s beside portable schedules of the same messages",
                       mpi_label(context->mpi));
    table_columns(t, ">procs|P ; <oversubscribed|oversubscribed ; >bytes|size ; "
                     "<algorithm|algorithm ; >native_s|native|time ; >portable_s|portable|time ; "
                     ">ratio|portable / native|time ; <verified|proved by");
    for (size_t i = 0; i < n; i++)
        put_native(t, d, row[i]);
    table_note(
        t,
        "Proved by: the evidence that the requested algorithm ran (docs/formats.md, `verified`).");
    if (any_crowded(d, row, n))
        table_note(t,
                   "Oversubscribed: more ranks than the %d cores of %s; such times tell more of "
                   "the operating system’s scheduler than of the algorithm.",
                   facts_cores(&d->facts),
                   d->emulated                        ? "the machine that the nodes share"
                   : strcmp(d->backend, "local") == 0 ? "this machine"
                                                      : "a node");
    page_table(page, t);
}

static void put_default(struct table *t, const struct report_data *d, const struct measured *r)
{
    table_cells(t, "%d | %d | %s | %ju B", r->point.cell.procs, r->point.cell.root,
                oversubscribed(d, &r->point.cell) ? "yes" : "", r->point.cell.bytes);
    table_value(t, result_usable(r) ? r->time.value : NAN, "%s", show_time(r->time.value));
    table_cell(t, r->ran_algorithm, "%s",
               *r->ran_algorithm ? algorithm_label(r->ran_algorithm, 0) : "not known");
    if (r->ran_segment_bytes >= 0)
        table_value(t, (double)r->ran_segment_bytes, "%s",
                    r->ran_segment_bytes ? show_bytes((uint64_t)r->ran_segment_bytes) : "none");
    else
        table_cell(t, "", "–");
    table_text(t, r->verified);
}

static void put_defaults(struct page *page, const struct context *context,
                         const struct measured *const *row, size_t n)
{
    const struct report_data *d = page->data;
    struct table *t =
        page_table_new(page, scoped_name(d, context, "default-ran"),
                       "What the default of %s ran, unforced", mpi_label(context->mpi));
    table_columns(
        t, ">procs|P ; >root|root ; <oversubscribed|oversubscribed ; >bytes|size ; >time_s|time ; "
           "<ran_algorithm|ran ; >ran_segment_bytes|segment ; <verified|evidence");
    for (size_t i = 0; i < n; i++)
        put_default(t, d, row[i]);
    page_table(page, t);
}

static void write_context(struct page *page, const struct context *context)
{
    size_t n;
    const struct measured **row = collect(page, context, is_native_study, &n);
    if (row)
        put_table(page, context, row, n);
    free(row);
    row = collect(page, context, is_default_study, &n);
    if (row)
        put_defaults(page, context, row, n);
    free(row);
}

const struct section section_libraries = {
    .name = "libraries",
    .title = "Native and portable side by side",
    .subject = PAGE_SELECTORS,
    .applies = applies,
    .intro = "Native algorithms are the library’s own, each forced by its settings. Beside each "
             "stands its portable twin, where the study has one: our own schedule, which sends the "
             "same messages over point-to-point calls of the same library.\n",
    .heading = "",
    .each = write_context,
};
