/* SPDX-License-Identifier: BSD-3-Clause */
/* What knowing costs: core-hours of measuring all, of measuring a part, of learning from
 * other clusters and of asking what was learnt (PML-MPI, Figs. 1 and 7), beside what the paper has
 * printed. */
#include "reports/gnuplot.h"
#include "reports/pooled_splits.h"
#include "reports/section_common.h"

enum { MOST_WHO = 16, MOST_NODES = 32 };

static const double hour_s = 3600;

static int applies(const struct report_data *d)
{
    return joint_any(d);
}

/* What the section is made of: the split that tells most, and who learnt there. */
struct material {
    struct page *page;
    const struct overhead_row *row;
    size_t n;
    const char *who[MOST_WHO]; /* learners */
    size_t n_who;
    struct reference reference;
};

static const struct overhead_row *find(const struct material *m, enum overhead_way way,
                                       const char *who, const char *cluster, const char *collective,
                                       int nodes)
{
    return overhead_find(m->row, m->n, way, who, cluster, collective, nodes);
}

static double core_s(const struct overhead_row *r)
{
    return r ? r->core_s : NAN;
}

/* What was learnt to decide on a cluster: from the others, or, where all are decided by what was
 * learnt once, that. */
static double learnt_s(const struct material *m, const char *who, const char *cluster,
                       const char *collective)
{
    const struct overhead_row *own = find(m, OVERHEAD_LEARN, who, cluster, collective, 0);
    return core_s(own ? own : find(m, OVERHEAD_LEARN, who, "all", collective, 0));
}

/* Core-hours: CSV holds core-seconds. */
static void put_hours(struct table *t, double seconds)
{
    if (isnan(seconds))
        table_number(t, NAN, 0);
    else
        table_value(t, seconds, "%.3g", seconds / hour_s);
}

static void put_seconds(struct table *t, double seconds)
{
    table_scientific(t, seconds, 2);
}

static void who_columns(const struct material *m, struct table *t)
{
    for (size_t k = 0; k < m->n_who; k++)
        table_columns(t, ">learn_%s_core_s|%s|learning from the others (core-seconds)", m->who[k],
                      selector_label(m->who[k]));
    for (size_t k = 0; k < m->n_who; k++)
        table_columns(t, ">ask_%s_core_s|%s|asking about all cells (core-seconds)", m->who[k],
                      selector_label(m->who[k]));
}

static void put_cluster(const struct material *m, struct table *t, const struct overhead_row *all,
                        const char *collective)
{
    const struct overhead_row *part = find(m, OVERHEAD_PART, "", all->cluster, "all", 0);
    const struct overhead_row *one = find(m, OVERHEAD_MEASURE, "", all->cluster, collective, 0);
    const struct reference_pml_row *samples =
        reference_pml_find(&m->reference, "samples", all->cluster, NULL, NULL, NULL);
    table_cells(t, "%s | %.0f | %.0f [%d] | %zu", all->cluster, one ? (double)one->cells : NAN,
                samples ? samples->value : NAN, MARK_REFERENCE, all->points);
    put_hours(t, all->once_s);
    put_hours(t, all->core_s);
    table_number(t, part ? (double)part->points : NAN, 0);
    put_hours(t, core_s(part));
    for (size_t k = 0; k < m->n_who; k++)
        put_seconds(t, learnt_s(m, m->who[k], all->cluster, "all"));
    for (size_t k = 0; k < m->n_who; k++)
        put_seconds(t, core_s(find(m, OVERHEAD_ASK, m->who[k], all->cluster, "all", 0)));
}

/* collective: whose cells are counted beside Table I, which has as many of each. */
static void put_clusters(const struct material *m, const char *collective)
{
    const struct report_data *d = m->page->data;
    struct table *t =
        page_table_new(m->page, "overhead", "What knowing costs, all collectives of the study");
    table_columns(t, "<cluster|cluster ; >cells|here|cells of one collective ; "
                     ">paper_samples|PML-MPI, Table I|cells of one collective ; >points|points");
    table_columns(
        t, ">once_core_s|one call each|measuring all of them (core-hours) ; >measure_core_s|as a "
           "study does|measuring all of them (core-hours) ; >part_points|points|measuring a part ; "
           ">part_core_s|core-hours|measuring a part");
    who_columns(m, t);
    for (size_t i = 0; i < m->n; i++)
        if (m->row[i].way == OVERHEAD_MEASURE && strcmp(m->row[i].collective, "all") == 0)
            put_cluster(m, t, &m->row[i], collective);
    table_note(t,
               "%s A part: an adaptive plan (`collsel select --part`). Learning and "
               "asking: processor time of one core of this machine; reading what was learnt from "
               "a file is not in it. A dash: not known, or nobody did it.",
               d->simulated ? "As a study does: ranks × launches × calls, those that a study "
                              "wants at least, warm-up included, or its budget of a point where "
                              "that is less, each call as long as it was walked or simulated."
                            : "As a study does: ranks × wall time of what was measured, warm-ups "
                              "and repetitions included.");
    page_table(m->page, t);
}

/* Which cluster and collective the figure is of: those of the paper's, else the dearest. */
static const struct overhead_row *find_shown(const struct material *m)
{
    const struct reference_pml_row *theirs =
        reference_pml_find(&m->reference, "times", NULL, NULL, NULL, NULL);
    const struct overhead_row *shown =
        theirs ? find(m, OVERHEAD_MEASURE, "", theirs->cluster, theirs->collective, 0) : NULL;
    for (size_t i = 0; i < m->n && !(theirs && shown); i++) {
        const struct overhead_row *r = &m->row[i];
        if (r->way == OVERHEAD_MEASURE && r->nodes == 0 && strcmp(r->collective, "all") != 0 &&
            (!shown || r->once_s > shown->once_s))
            shown = r;
    }
    return shown;
}

/* Who is drawn: the paper's kind of learner where it learnt here, else the first; NULL: nobody. */
static const char *find_who(const struct material *m)
{
    for (size_t k = 0; k < m->n_who; k++)
        if (strcmp(m->who[k], "forest_class") == 0)
            return m->who[k];
    return m->n_who ? m->who[0] : NULL;
}

/* Up to so many nodes. */
struct upto {
    int nodes;
    size_t cells;
    double once_s, core_s;
};

static size_t add_up(const struct material *m, const struct overhead_row *shown, struct upto *upto)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n && n < MOST_NODES; i++) { /* rows are by number of nodes */
        const struct overhead_row *r = &m->row[i];
        if (r->way != OVERHEAD_MEASURE || r->nodes == 0 ||
            strcmp(r->cluster, shown->cluster) != 0 ||
            strcmp(r->collective, shown->collective) != 0)
            continue;
        upto[n] = n ? upto[n - 1] : (struct upto){ .cells = 0 };
        upto[n].nodes = r->nodes;
        upto[n].cells += r->cells;
        upto[n].once_s += r->once_s;
        upto[n++].core_s += r->core_s;
    }
    return n;
}

static void put_nodes_row(struct table *t, const struct upto *u, double learnt, double asked)
{
    table_cells(t, "%s | %d | %zu", "here", u->nodes, u->cells);
    put_hours(t, u->once_s);
    put_hours(t, u->core_s);
    put_hours(t, learnt);
    put_hours(t, asked);
    table_scientific(t, u->core_s / asked, 2);
}

/* What the paper prints of it. */
static void put_theirs(const struct material *m, struct table *t)
{
    static const char *const quantities[] = { "times", "minutes", "seconds" };
    for (size_t k = 0; k < sizeof quantities / sizeof *quantities; k++) {
        const struct reference_pml_row *r =
            reference_pml_find(&m->reference, quantities[k], NULL, NULL, NULL, NULL);
        if (!r)
            continue;
        table_cell(t, r->item, "PML-MPI, %s%s%s", r->item,
                   strcmp(r->quantity, "minutes") == 0 ? ": " : "",
                   strcmp(r->quantity, "minutes") == 0 ? r->selector : "");
        table_mark(t, MARK_REFERENCE);
        table_number(t, r->nodes ? r->nodes : NAN, 0);
        for (int empty = 0; empty < 3; empty++)
            table_number(t, NAN, 0);
        if (strcmp(r->quantity, "minutes") == 0)
            table_cell(t, NULL, "%.3g min of all ranks", r->value);
        else
            table_number(t, NAN, 0);
        table_mark(t, MARK_REFERENCE);
        if (strcmp(r->quantity, "seconds") == 0)
            table_cell(t, NULL, "below %.1g", r->value / hour_s);
        else
            table_number(t, NAN, 0);
        table_mark(t, MARK_REFERENCE);
        table_cells(t, "%.2e [%d]", strcmp(r->quantity, "times") == 0 ? r->value : NAN,
                    MARK_REFERENCE);
    }
}

static void put_nodes(const struct material *m, const struct overhead_row *shown, const char *who,
                      const struct upto *upto, size_t n)
{
    const double learnt = who ? learnt_s(m, who, shown->cluster, shown->collective) : NAN,
                 asked =
                     who ? core_s(find(m, OVERHEAD_ASK, who, shown->cluster, shown->collective, 0))
                         : NAN;
    struct table *t =
        page_table_new(m->page, "overhead-nodes", "%s of %s: core-hours by number of nodes",
                       shown->collective, shown->cluster);
    table_columns(
        t, "<of|of ; >nodes|nodes, up to ; >cells|cells ; >once_core_s|one call each|measuring ; "
           ">measure_core_s|as a study does|measuring ; >learn_core_s|learning ; "
           ">ask_core_s|asking about all cells ; >times|measuring over asking");
    for (size_t i = 0; i < n; i++)
        put_nodes_row(t, &upto[i], learnt, asked);
    put_theirs(m, t);
    table_note(t, "Learning and asking: %s, of all cells of the cluster, whatever their nodes.",
               who ? selector_label(who) : "nobody");
    table_note(t, "PML-MPI: as printed, measured on the real cluster with the OSU benchmarks; it "
                  "enters no number of ours.");
    page_table(m->page, t);
}

static void put_figure(const struct material *m, const struct overhead_row *shown, const char *who,
                       const struct upto *upto, size_t n)
{
    static const char *const columns[] = { "nodes",        "measure_core_h", "once_core_h",
                                           "learn_core_h", "ask_core_h",     NULL };
    const struct report_data *d = m->page->data;
    const double learnt = who ? learnt_s(m, who, shown->cluster, shown->collective) : NAN,
                 asked =
                     who ? core_s(find(m, OVERHEAD_ASK, who, shown->cluster, shown->collective, 0))
                         : NAN;
    struct figure f;
    figure_begin(&f, m->page, "overhead", 1040, 420, columns, "core-hours by number of nodes");
    for (size_t i = 0; i < n; i++) {
        figure_row(&f, "%d %g %g %g %g", upto[i].nodes, upto[i].core_s / hour_s,
                   upto[i].once_s / hour_s, learnt / hour_s, asked / hour_s);
    }
    gnuplot_print(f.gp,
                  "set title \"%s, %s · %s\" textcolor rgb \"#333333\"\nset logscale x 2\nset "
                  "logscale y 10\nset format y \"10^{%%L}\"\nset xlabel \"nodes, up to\"\nset "
                  "ylabel \"core-hours\"\nset key outside right center reverse Left samplen 2.5\n",
                  shown->cluster, shown->collective, d->backend_title);
    gnuplot_print(
        f.gp,
        "plot data using (column(\"nodes\")):(column(\"measure_core_h\")) with linespoints lc rgb "
        "\"#0072b2\" pt 5 lw 1.8 title \"measuring all\", \\\n     data using "
        "(column(\"nodes\")):(column(\"once_core_h\")) with linespoints lc rgb \"#56b4e9\" pt 7 dt "
        "2 "
        "lw 1.8 title \"one call each\", \\\n     data using "
        "(column(\"nodes\")):(column(\"learn_core_h\")) with linespoints lc rgb \"#e69f00\" pt 9 "
        "lw "
        "1.8 title \"learning from others\", \\\n     data using "
        "(column(\"nodes\")):(column(\"ask_core_h\")) with linespoints lc rgb \"#009e73\" pt 11 lw "
        "1.8 title \"asking\"\n");
    figure_end(&f,
               "Core-hours to know what to choose in %s on %s: measuring every candidate in "
               "every cell up to so many nodes, and learning from the other clusters and "
               "asking about all cells.",
               shown->collective, shown->cluster);
}

static void write_all(const struct material *m)
{
    struct upto upto[MOST_NODES];
    const struct overhead_row *shown = find_shown(m);
    fputs("What it takes until one knows which algorithm to take: measuring every candidate in "
          "every cell, measuring a part of them, or learning from other clusters and asking.\n\n",
          m->page->md);
    put_clusters(m, shown ? shown->collective : "all");
    if (!shown)
        return;
    const char *who = find_who(m);
    const size_t n = add_up(m, shown, upto);
    put_nodes(m, shown, who, upto, n);
    if (n > 1)
        put_figure(m, shown, who, upto, n);
}

/* Of several splits the one in which each cluster had its turn, else the first that tells of
 * costs. */
static const struct joint *choose_split(const struct joint *j, size_t n)
{
    const struct joint *chosen = NULL;
    for (size_t i = 0; i < n; i++)
        if (j[i].costs && (!chosen || strcmp(j[i].cost[0].holdout, "cluster=each") == 0))
            chosen = &j[i];
    return chosen;
}

static void find_learners(struct material *m)
{
    for (size_t i = 0; i < m->n; i++) {
        const size_t k = first_below(j, m->n_who, strcmp(m->who[j], m->row[i].selector) == 0);
        if (m->row[i].way == OVERHEAD_LEARN && k == m->n_who && k < MOST_WHO)
            m->who[m->n_who++] = m->row[i].selector;
    }
}

static void write_section(struct page *page)
{
    struct material m = { .page = page };
    struct joint *joint;
    struct err err = { 0 };
    size_t n;
    m.reference = page_reference(page, &reference_pml_schema);
    if (joint_read(page->data, &joint, &n, &err) < 0)
        page_fail(page, &err);
    const struct joint *split = choose_split(joint, n);
    if (split) {
        m.row = split->cost;
        m.n = split->costs;
        find_learners(&m);
        write_all(&m);
    }
    joint_free(joint, n);
    free(m.reference.row);
}

const struct section section_overhead = {
    .name = "overhead",
    .title = "What knowing costs",
    .subject = PAGE_SELECTORS,
    .applies = applies,
    .write = write_section,
};
