/* SPDX-License-Identifier: BSD-3-Clause */
/* What it took to measure: core-hours by library and number of nodes, how much of them lay in
 * points. */
#include "reports/section_common.h"

enum { MOST_GROUPS = 64 };

struct group {
    const char *mpi, *mapping;
    int nodes;
    size_t launches, attempts, unknown; /* unknown: whose time is not known */
    int64_t points;
    double core_s, in_points_s, around_s, lost_s; /* core-seconds */
};

static double known(double s)
{
    return isfinite(s) ? s : 0;
}

/* Adds an attempt: what lies outside its points is the price of a launch where it ended well, and
 * lost where it did not. */
static void add_attempt(struct group *g, const struct attempt_cost *a)
{
    const double in = known(a->points_s) * a->cores;
    const double outside = fmax(known(a->core_s) - in, 0);
    g->attempts += a->attempt > 0;
    g->points += a->points > 0 ? a->points : 0;
    g->unknown += isnan(a->elapsed_s);
    g->core_s += known(a->core_s);
    g->in_points_s += in;
    *(strcmp(a->outcome, "done") == 0 ? &g->around_s : &g->lost_s) += outside;
}

static int by_place(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return by_keys(strcmp(x->mpi, y->mpi), strcmp(x->mapping, y->mapping), x->nodes - y->nodes);
}

/* Returns how many there are; *all is their sum. */
static size_t find_groups(const struct report_data *d, struct group *group, struct group *all)
{
    size_t n = 0;
    *all = (struct group){ .mpi = "" };
    for (size_t i = 0; i < d->costs; i++) {
        const struct attempt_cost *a = &d->cost[i];
        const size_t first =
            !any_below(k, i, strcmp(d->cost[k].launch.name, d->cost[i].launch.name) == 0);
        size_t k = 0;
        while (k < n &&
               (group[k].nodes != a->launch.nodes || strcmp(group[k].mpi, a->launch.mpi) != 0 ||
                strcmp(group[k].mapping, a->launch.mapping) != 0))
            k++;
        add_attempt(all, a);
        all->launches += first;
        if (k == MOST_GROUPS)
            continue;
        if (k == n)
            group[n++] = (struct group){ .mpi = a->launch.mpi,
                                         .mapping = a->launch.mapping,
                                         .nodes = a->launch.nodes };
        add_attempt(&group[k], a);
        group[k].launches += first;
    }
    qsort(group, n, sizeof *group, by_place);
    return n;
}

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

static void say_total(struct page *page, const struct group *all)
{
    const struct report_data *d = page->data;
    const char *time = show_core_time(all->core_s);
    if (d->simulated)
        fprintf(page->md,
                "%zu launch%s in %zu attempt%s took **%s** of the machine that computed them, one "
                "core each. Elsewhere on this page core-seconds mean something else: %s.\n",
                all->launches, of_number(all->launches, "", "es"), all->attempts,
                plural(all->attempts), time,
                strcmp(d->backend, "null") == 0 ? "planted time × ranks"
                : strcmp(d->backend, "walk") == 0
                    ? "walked time × ranks, what that machine would have taken for one sample of "
                      "each point"
                    : "simulated time × ranks, what the simulated machine would have taken for "
                      "one sample of each point");
    else
        fprintf(page->md,
                "%zu launch%s in %zu attempt%s held **%s**: %s of it measuring points, %s around "
                "them (start, sentinels, end), and %s in attempts that failed.%s What the evidence "
                "of each selector cost stands in the table of [selectors](#selectors).\n",
                all->launches, of_number(all->launches, "", "es"), all->attempts,
                plural(all->attempts), time, show_pct(share(all->in_points_s, all->core_s)),
                show_pct(share(all->around_s, all->core_s)),
                show_pct(share(all->lost_s, all->core_s)),
                d->emulated ? " The cores are the emulated nodes’, one machine’s in reality." : "");
    if (all->unknown)
        fprintf(page->md,
                "These are lower bounds: how long %zu attempt%s took is not known (running, or cut "
                "short); of these %s counted.\n",
                COUNTED(all->unknown), d->simulated ? "nothing is" : "only finished points are");
}

static void put_group(struct table *t, const struct group *g, int simulated)
{
    table_cells(t, "%s=%s | %s | %.0f | %zu | %zu | %.0f", g->mpi,
                *g->mpi ? mpi_label(g->mpi) : "all", *g->mpi ? g->mapping : "",
                *g->mpi ? g->nodes : NAN, g->launches, g->attempts, (double)g->points);
    table_value(t, g->core_s, "%.3g", g->core_s / 3600);
    table_scientific(t, g->points > 0 ? g->core_s / (double)g->points : NAN, 3);
    if (simulated)
        return;
    table_cells(t, "%.1f | %.1f | %.1f [%d] | %.3f | %.3f | %.3f", share(g->in_points_s, g->core_s),
                share(g->around_s, g->core_s), share(g->lost_s, g->core_s),
                share(g->lost_s, g->core_s) >= 10 ? MARK_FAIR : MARK_NONE, g->in_points_s,
                g->around_s, g->lost_s);
}

static void put_groups(struct page *page, const struct group *group, size_t n,
                       const struct group *all)
{
    const int simulated = page->data->simulated;
    struct table *t = page_table_new(page, "costs", "What the times took, by library and nodes");
    table_columns(
        t,
        "<mpi|library ; <mapping|mapping ; >nodes|nodes ; >launches|launches ; >attempts|attempts "
        "; >points|points ; >core_s|core-hours ; >core_s_per_point|core-s per point");
    if (!simulated) {
        table_columns(
            t, ">in_points_pct|in points|share (%%) ; >around_pct|around them|share (%%) ; "
               ">lost_pct|lost|share (%%) ; .in_points_core_s| ; .around_core_s| ; .lost_core_s|");
    }
    for (size_t i = 0; i < n; i++)
        put_group(t, &group[i], simulated);
    if (n > 1)
        put_group(t, all, simulated);
    table_note(t, simulated
                      ? "Wall time of the attempts, one core each (costs.csv)."
                      : "Wall time of the attempts × cores that they held: those that Slurm "
                        "allocated, else one per rank (costs.csv). Lost: outside the finished "
                        "points of attempts that did not end well.");
    page_table(page, t);
}

static void write_section(struct page *page)
{
    struct group group[MOST_GROUPS] = { { 0 } }, all;
    const size_t n = find_groups(page->data, group, &all);
    say_total(page, &all);
    put_groups(page, group, n, &all);
}

const struct section section_cost = {
    .name = "cost",
    .title = "Cost",
    .subject = PAGE_MACHINE,
    .rows = SECTION_ROWS(costs),
    .write = write_section,
};
