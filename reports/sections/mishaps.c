/* SPDX-License-Identifier: BSD-3-Clause */
/* What went wrong: launches that did not end well, what became of each, and the nodes that are not
 * used any more. */
#include "reports/section_common.h"

/* What happened, in words; a time limit is the point's where one was in flight, or that for the
 * first of them, else the task's. */
static const char *kind_of(const struct mishap *m)
{
    if (strcmp(m->of.event, "timeout") == 0)
        return *m->of.point || strncmp(m->of.reason, "hung", 4) == 0 ? "hung" : "out of time";
    return strcmp(m->of.event, "node_failed") == 0 ? "node failed" : m->of.event;
}

struct mishap_kind {
    const char *name;
    size_t n, mended;
};

static size_t find_kinds(const struct report_data *d, struct mishap_kind *kind, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < d->mishaps; i++) {
        const char *name = kind_of(&d->mishap[i]);
        const size_t k = first_below(j, n, strcmp(kind[j].name, name) == 0);
        if (k == most)
            continue;
        if (k == n)
            kind[n++] = (struct mishap_kind){ .name = name };
        kind[k].n++;
        kind[k].mended += d->mishap[i].mended == 1;
    }
    return n;
}

static void put_kinds(struct page *page)
{
    struct mishap_kind kind[12];
    size_t n = find_kinds(page->data, kind, 12);
    struct table *t = page_table_new(page, "mishap-kinds", "Mishaps by kind");
    table_columns(t, "<kind|what ; >mishaps|how often ; >mended|made good later");
    for (size_t k = 0; k < n; k++) {
        table_cells(t, "%s | %zu | %zu [%d]", kind[k].name, kind[k].n, kind[k].mended,
                    kind[k].mended < kind[k].n ? MARK_FAIR : MARK_NONE);
    }
    table_note(t, "Hung: a point exceeded its time limit, or no point was ever finished. Out of "
                  "time: the Slurm task reached its time limit. Lost: Slurm no longer knows the "
                  "task, and the task left no word of its end. Made good later: a later attempt "
                  "measured the points that were left.");
    page_table(page, t);
}

static void put_mishap(struct table *t, const struct mishap *m, int queued)
{
    table_cells(t, "%s | %s | %.0f", m->of.t, m->of.launch,
                m->of.attempt > 0 ? m->of.attempt : NAN);
    if (queued) {
        table_cells(t, "%s | %s", m->of.job, m->of.node);
    }
    table_cells(t, "%s=%s | %s | %s [%d]", m->of.event, kind_of(m), m->of.reason, m->became,
                m->mended ? MARK_NONE : MARK_FAIR);
}

static void put_mishaps(struct page *page)
{
    const struct report_data *d = page->data;
    const int queued = any_below(i, d->mishaps, *d->mishap[i].of.job || *d->mishap[i].of.node);
    struct table *t = page_table_new(page, "mishaps", "Launches that did not end well");
    table_columns(t, "<t|when (UTC) ; <launch|launch ; >attempt|attempt");
    if (queued) {
        table_columns(t, "<job|job ; <node|node");
    }
    table_columns(t, "<event|what ; <reason|reason ; <became|what became of it");
    for (size_t i = 0; i < d->mishaps; i++)
        put_mishap(t, &d->mishap[i], queued);
    table_note(t,
               "Points that such a launch had finished are kept. The others were measured again.");
    page_table(page, t);
}

static void put_excluded(struct page *page)
{
    const struct report_data *d = page->data;
    struct table *t = page_table_new(page, "excluded-nodes", "Nodes that are not used any more");
    table_columns(t, "<node|node ; <t|since (UTC) ; >mishaps|mishaps there ; <reason|reason");
    for (size_t i = 0; i < d->n_excluded; i++) {
        table_cells(t, "%s | %s | %zu | %s", d->excluded[i].of.node, d->excluded[i].of.t,
                    d->excluded[i].mishaps, d->excluded[i].of.reason);
    }
    page_table(page, t);
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    if (d->mishaps) {
        put_kinds(page);
        put_mishaps(page);
    } else {
        fputs("No launch failed, hung, ran out of time, or was cancelled, lost or interrupted.\n",
              page->md);
    }
    if (d->n_excluded)
        put_excluded(page);
}

const struct section section_mishaps = {
    .name = "mishaps",
    .title = "Mishaps",
    .subject = PAGE_QUALITY,
    .rows = SECTION_ROWS(events),
    .write = write_section,
};
