/* SPDX-License-Identifier: BSD-3-Clause */
/* What was compared: of each algorithm whose it is, what it wants, where it makes sense. */
#include "analysis/measure/equivalent.h"
#include "reports/section_common.h"

static int applies(const struct report_data *d)
{
    return d->n_offered > 0 && !d->imported;
}

/* The first of the offered ones with its algorithm in its context, and the context the first of its
 * collective: segments, mappings and processes do not matter here. */
static int is_first(const struct report_data *d, size_t i)
{
    return !any_below(
        k, i,
        strcmp(d->offered[k].candidate.algorithm, d->offered[i].candidate.algorithm) == 0 &&
            strcmp(d->offered[k].context.collective, d->offered[i].context.collective) == 0);
}

static void put_wants(struct table *t, const struct algorithm *a)
{
    if (a && a->needs != ANY_PROCS)
        table_cell(t, procs_needed_words(a->needs), "%s, else %s", procs_needed_words(a->needs),
                   a->instead);
    else
        table_cell(t, "", "%s", a ? "any ranks" : "–");
}

static void put_range(struct table *t, const struct algorithm *a)
{
    char raw[64] = "";
    if (!a || !(a->least_bytes || a->most_bytes)) {
        table_cell(t, "", "%s", a ? "any" : "–");
        return;
    }
    snprintf(raw, sizeof raw, "%llu-%llu", (unsigned long long)a->least_bytes,
             (unsigned long long)a->most_bytes);
    const char *least = show_bytes(a->least_bytes);
    const char *most = show_bytes(a->most_bytes);
    if (a->most_bytes)
        table_cell(t, raw, "%s to %s", least, most);
    else
        table_cell(t, raw, "from %s on", least);
}

static void put_row(struct table *t, const struct offered *o)
{
    const char *name = o->candidate.algorithm;
    const struct algorithm *a = equivalent_find(o->context.collective, name);
    table_cells(t, "%s | %s=%s | %s", o->context.collective, name, algorithm_label(name, 1),
                a ? a->name : "native, no schedule");
    put_wants(t, a);
    put_range(t, a);
    table_text(t, a && a->group ? a->group : "–");
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    size_t strangers = 0;
    struct table *t = page_table_new(page, "candidates", "What was compared");
    table_columns(t, "<collective|collective ; <algorithm|candidate ; <schedule|schedule ; "
                     "<wants|wants ; <sensible_bytes|makes sense ; <group|group");
    for (size_t i = 0; i < d->n_offered; i++) {
        const char *name = d->offered[i].candidate.algorithm;
        if (!is_first(d, i) || algorithm_is_default(name))
            continue;
        put_row(t, &d->offered[i]);
        strangers += !equivalent_find(d->offered[i].context.collective, name);
    }
    table_note(t, "Schedule: the one that sends the same messages. Group: what an algorithm saves; "
                  "those of a group win or lose together.");
    if (strangers)
        table_note(t, "Native, no schedule: the library runs it, and it is timed and compared; "
                      "what it sends is not known, so no model predicts it.");
    table_fold(t);
    page_table_some(page, t);
}

const struct section section_candidates = {
    .name = "candidates",
    .title = "What was compared",
    .subject = PAGE_CHOICES,
    .applies = applies,
    .write = write_section,
};
