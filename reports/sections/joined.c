/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets joined (collsel select --joined): who chooses how well where several clusters were learnt
 * from, in the layout of PML-MPI's Tables II and III and with its figures beside ours. */
#include "reports/pooled_splits.h"
#include "reports/section_common.h"

static int applies(const struct report_data *d)
{
    return joint_any(d);
}

static int is_all(const char *name)
{
    return strcmp(name, "all") == 0;
}

static void put_row(struct table *t, const struct joint *j, const struct joined_row *r,
                    const struct reference *reference)
{
    const struct joined_row *worst = joined_worst_cluster(j->row, j->rows, r);
    const struct reference_pml_row *theirs = reference_pml_find(
        reference, "accuracy_pct", "all", r->collective, r->holdout, r->selector);
    table_cells(
        t, "%s | %s=%s | %zu | %.1f | %.1f [%d] | %.1f | %.2f | %.2f | %.1f | %.1f | %s | %.2f",
        r->collective, r->selector, selector_label(r->selector), r->cells, r->accuracy_pct,
        theirs ? theirs->value : NAN, MARK_REFERENCE, r->near_pct, r->geomean_pct, r->mean_pct,
        r->p95_pct, r->worst_pct, worst == r ? "–" : worst->cluster,
        worst == r ? NAN : worst->mean_pct);
}

static void put_choosers(struct page *page, const struct joint *j, size_t number,
                         const struct reference *reference)
{
    struct table *t =
        page_table_new(page, brief("joined%zu", number), "Selectors on all clusters together");
    table_columns(
        t,
        "<collective|collective ; <selector|selector ; >cells|cells ; >accuracy_pct|here|the "
        "fastest was chosen (%%) ; >paper_accuracy_pct|PML-MPI|the fastest was chosen (%%) ; "
        ">tied_pct|or 2.5 %% at most lost (%%) ; >geomean_pct|geometric mean|loss (%%) ; "
        ">mean_pct|mean|loss (%%) ; >p95_pct|p95|loss (%%) ; >worst_pct|worst|loss (%%) ; "
        "<worst_cluster|which|the worst cluster ; >worst_cluster_pct|mean (%%)|the worst cluster");
    for (size_t i = 0; i < j->rows; i++)
        if (is_all(j->row[i].cluster))
            put_row(t, j, &j->row[i], reference);
    table_note(t, "PML-MPI: accuracy as printed in its Tables II and III, measured on real "
                  "clusters with MVAPICH2’s algorithms; it enters no number of ours.");
    page_table(page, t);
}

enum { MOST_CHOOSERS = 24 };

/* Who chooses, each once. */
static size_t find_choosers(const struct joint *j, const char **name)
{
    size_t n = 0;
    for (size_t i = 0; i < j->rows; i++) {
        const size_t k = first_below(at, n, strcmp(name[at], j->row[i].selector) == 0);
        if (k == n && n < MOST_CHOOSERS)
            name[n++] = j->row[i].selector;
    }
    return n;
}

static const struct joined_row *find(const struct joint *j, const char *selector,
                                     const char *cluster, const char *collective)
{
    return find_below(j->row, i, j->rows,
                      strcmp(j->row[i].selector, selector) == 0 &&
                          strcmp(j->row[i].cluster, cluster) == 0 &&
                          strcmp(j->row[i].collective, collective) == 0);
}

/* A cell that is worse than the default by over 1 % is marked red where `safe` chose it. */
static void put_loss(struct table *t, const struct joined_row *r, const struct joined_row *own)
{
    table_number(t, r ? r->mean_pct : NAN, 2);
    if (r && own && strcmp(r->selector, "safe") == 0 && r->geomean_pct > own->geomean_pct + 1)
        table_mark(t, MARK_BAD);
}

static void put_clusters(struct page *page, const struct joint *j, size_t number)
{
    const char *chooser[MOST_CHOOSERS];
    const size_t n = find_choosers(j, chooser);
    struct table *t = page_table_new(page, brief("joined%zu-clusters", number),
                                     "Mean loss in percent, by cluster");
    table_columns(t, "<cluster|cluster ; <collective|collective ; >cells|cells");
    for (size_t k = 0; k < n; k++)
        table_columns(t, ">%s|%s|selector", chooser[k], selector_label(chooser[k]));
    for (size_t i = 0; i < j->rows; i++) {
        const struct joined_row *r = &j->row[i];
        if (is_all(r->cluster) || strcmp(r->selector, chooser[0]) != 0)
            continue;
        table_cells(t, "%s | %s | %zu", r->cluster, r->collective, r->cells);
        for (size_t k = 0; k < n; k++)
            put_loss(t, find(j, chooser[k], r->cluster, r->collective),
                     find(j, "default", r->cluster, r->collective));
    }
    table_note(t, "Red: safe is behind the default by over 1 %% in the geometric mean.");
    table_fold(t);
    page_table(page, t);
}

static void write_section(struct page *page)
{
    struct reference reference = page_reference(page, &reference_pml_schema);
    struct joint *j;
    struct err err = { 0 };
    size_t n;
    if (joint_read(page->data, &j, &n, &err) < 0)
        page_fail(page, &err);
    for (size_t i = 0; i < n; i++) {
        if (!j[i].rows)
            continue;
        fputs("\n### Held out: ", page->md);
        escape_code(page->md, j[i].row[0].holdout);
        fputs("\n\n", page->md);
        put_choosers(page, &j[i], i + 1, &reference);
        put_clusters(page, &j[i], i + 1);
    }
    joint_free(j, n);
    free(reference.row);
}

const struct section section_joined = {
    .name = "joined",
    .title = "Learnt from several clusters",
    .subject = PAGE_SELECTORS,
    .applies = applies,
    .intro =
        "Several clusters were learnt from together, and each is judged in the cells that were "
        "kept from all learners: of each cluster’s random cells, of its largest numbers of "
        "nodes, or of a cluster of which nothing at all was learnt.\n",
    .write = write_section,
};
