/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/views.h"

#include "harness/study/valid_samples.h"

/* The time of a point's launch in each repeat, in each view; NaN: there is none. */
struct launch_times {
    double at[N_VIEWS][MOST_REPEATS + 1];
};

/* NaN: not known of this call. */
static double of_call(const struct sample *s, enum view view)
{
    const double time[N_VIEWS] = { [VIEW_SLOWEST] = s->max_s,
                                   [VIEW_MEAN] = s->mean_s,
                                   [VIEW_ROOT] = s->root_s,
                                   [VIEW_SPAN] = s->span_s > 0 ? s->span_s : NAN,
                                   [VIEW_FASTEST] = s->min_s };
    return time[view];
}

static int take_launch(const struct store *store, const struct outcome *o, enum statistic statistic,
                       struct launch_times *times, struct err *err)
{
    struct sample *s;
    const long n = valid_sample_rows(store, o, 0, &s, NULL, err);
    if (n < 0)
        return -1;
    double *x = memory_zeros((size_t)n + 1, sizeof *x);
    for (int v = 0; v < N_VIEWS; v++) {
        size_t known = 0;
        for (long i = 0; i < n; i++)
            if (!isnan(of_call(&s[i], (enum view)v)))
                x[known++] = of_call(&s[i], (enum view)v);
        times->at[v][o->repeat] = known ? robust_centre(statistic, x, known) : NAN;
    }
    memory_free(x, s);
    return 0;
}

static int take_launches(const struct store *store, const struct point *point,
                         enum statistic statistic, struct launch_times *times, struct err *err)
{
    size_t n;
    const struct outcome *o = store_all(store, point->id, &n);
    for (int v = 0; v < N_VIEWS; v++)
        for (int r = 0; r <= MOST_REPEATS; r++)
            times->at[v][r] = NAN;
    for (size_t k = 0; k < n; k++)
        if (outcome_usable(&o[k]) && o[k].repeat <= MOST_REPEATS &&
            take_launch(store, &o[k], statistic, times, err) < 0)
            return -1;
    return 0;
}

static double over_all(const double at[MOST_REPEATS + 1], const struct facts *facts)
{
    double known[MOST_REPEATS + 1];
    struct over_launches over;
    size_t n = 0;
    for (int r = 0; r <= MOST_REPEATS; r++)
        if (!isnan(at[r]))
            known[n++] = at[r];
    over_launches(known, n, facts->statistic, facts->confidence, &over);
    return over.time;
}

/* What a default would pick besides is no candidate; what it was measured to take is. */
static int is_candidate(const struct view_row *r)
{
    return r->point.purpose != FOR_FIT && r->point.purpose != FOR_OTHER_DEFAULT &&
           (r->point.purpose != FOR_DEFAULT || algorithm_is_default(r->point.candidate.algorithm));
}

/* The candidate whose slowest rank is quickest; n: there is none. */
static size_t find_best(const struct view_row *row, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (is_candidate(&row[i]) &&
            (best == n || row[i].time_s[VIEW_SLOWEST] < row[best].time_s[VIEW_SLOWEST]))
            best = i;
    return best;
}

static void weigh(struct view_row *row, const struct launch_times *times, size_t n,
                  const struct facts *facts)
{
    const size_t best = find_best(row, n);
    for (size_t i = 0; i < n; i++) {
        struct loss_interval *loss = &row[i].loss;
        *loss = loss_unknown();
        if (!is_candidate(&row[i]))
            continue;
        loss->pct = longer_pct(row[i].time_s[VIEW_SLOWEST], row[best].time_s[VIEW_SLOWEST]);
        if (i == best || facts->deterministic)
            loss->tied = loss->pct <= facts->tie_pct;
        else
            loss_over_launches(times[i].at[VIEW_SLOWEST], times[best].at[VIEW_SLOWEST], facts,
                               loss);
    }
}

static int fill_cell(struct view_row *row, size_t n, const struct facts *facts,
                     const struct store *store, struct err *err)
{
    struct launch_times *times = memory_zeros(n, sizeof *times);
    int status = 0;
    for (size_t i = 0; status == 0 && i < n; i++) {
        status = take_launches(store, &row[i].point, facts->statistic, &times[i], err);
        for (int v = 0; status == 0 && v < N_VIEWS; v++)
            row[i].time_s[v] = over_all(times[i].at[v], facts);
    }
    if (status == 0)
        weigh(row, times, n, facts);
    free(times);
    return status;
}

static int by_cell(const void *left, const void *right)
{
    const struct point *a = &((const struct view_row *)left)->point;
    const struct point *b = &((const struct view_row *)right)->point;
    return by_keys(cell_compare(&a->cell, &b->cell),
                   candidate_compare(&a->candidate, &b->candidate));
}

static void take_points(const struct points *points, struct views *views)
{
    views->row = memory_zeros(points->n + 1, sizeof *views->row);
    for (size_t i = 0; i < points->n; i++)
        if (points->row[i].point.experiment == EXP_TIME && measured_usable(&points->row[i]))
            views->row[views->n++].point = points->row[i].point;
    qsort(views->row, views->n, sizeof *views->row, by_cell);
}

static int fill_cells(struct views *views, const struct facts *facts, const struct store *store,
                      struct err *err)
{
    int status = 0;
    for (size_t i = 0, n; status == 0 && i < views->n; i += n) {
        struct view_row *first = &views->row[i];
        n = 1;
        while (i + n < views->n && cell_compare(&first->point.cell, &first[n].point.cell) == 0)
            n++;
        status = fill_cell(first, n, facts, store, err);
    }
    return status;
}

int views_make(const struct store *store, const struct points *points, const struct facts *facts,
               struct views *views, struct err *err)
{
    *views = (struct views){ .n = 0 };
    if (!facts->keeps_ranks || facts->imported)
        return 0;
    take_points(points, views);
    const int status = fill_cells(views, facts, store, err);
    if (status < 0)
        views_clear(views);
    return status;
}

/* clang-format off */
static const struct schema_column columns[] = {
    POINT_COLUMNS(view_row, point),
    COLUMN(view_row, REAL, "slowest_s", time_s[VIEW_SLOWEST], "s", "the slowest rank's time: `time_s` of points.csv", COLUMN_SECONDS),
    COLUMN(view_row, REAL, "mean_s", time_s[VIEW_MEAN], "s", "the mean over the ranks, of each call", COLUMN_SECONDS),
    COLUMN(view_row, REAL, "root_s", time_s[VIEW_ROOT], "s", "the root's time; rank 0's of collectives that have none", COLUMN_SECONDS),
    COLUMN(view_row, REAL, "last_minus_first_s", time_s[VIEW_SPAN], "s", "from the first rank's begin to the last one's end; empty where no clock is everybody's: after a barrier on a real machine", COLUMN_SECONDS),
    COLUMN(view_row, REAL, "fastest_s", time_s[VIEW_FASTEST], "s", "the fastest rank's time", COLUMN_SECONDS),
    COLUMN(view_row, REAL, "loss_pct", loss.pct, "%", "100 (slowest_s - least) / least, where least is the least `slowest_s` among the cell's candidates and the library's default: what is lost where this one is taken; empty: it is none of these"),
    LOSS_COLUMNS(view_row, loss),
    CONDITION_COLUMNS(view_row, point.cell),
};
/* clang-format on */

SCHEMA(views_schema, view_row, columns, "views.csv",
       "One row per point with experiment `time` that has a time, where the study says `keep_ranks "
       "= yes`: whose time is the call's, seen in five ways; the statistic of the calls of a "
       "launch, then the median over launches (`analysis/judge/views.h`).",
       .check = point_check_row, .backend = 1);

CLEARS(views_clear, views, it->row)
