/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/errors.h"

#include "harness/base/parallel.h"

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(error_row, NAME, "collective", cell.collective, "", "the MPI collective"),
    PLATFORM_COLUMNS(error_row, cell.mpi, cell.mapping),
    COLUMN(error_row, INT, "root", cell.root, "", "the root's rank"),
    CANDIDATE_COLUMNS(error_row, candidate),
    COLUMN(error_row, CODED, "model", model, "", "that predicts", .code = &model_code),
    COLUMN(error_row, NAME, "statistic", statistic, "", "which time was measured: `max_rank` or `mean_rank` (all models but the regressions predict the slowest rank all the same)"),
    COLUMN(error_row, WORD, "split", split, "", "`in_sample`: all points; `alternate`: every second of the even and every second of the odd P that a group has (times may differ between the two: both kinds are fitted and judged); `extrapolated`: P above half of the largest. The regressions are fitted anew to all, to the other, to the lower P; the others have seen none of them", .words = split_words),
    COLUMN(error_row, WORD, "sizes", size, "", "class of message sizes, in bytes", .words = size_class_words),
    COLUMN(error_row, COUNT, "n", n, "", "points with a prediction, among them those of status `not_positive`, whose error is 100 %"),
    COLUMN(error_row, COUNT, "without", without, "", "points without one"),
    COLUMN(error_row, REAL, "median_pct", median_pct, "%", "of 100 \\|predicted / measured - 1\\|"),
    COLUMN(error_row, REAL, "p90_pct", p90_pct, "%", "ninth decile"),
    COLUMN(error_row, REAL, "worst_pct", worst_pct, "%", "the largest"),
    COLUMN(error_row, REAL, "over_pct", over_pct, "%", "share of the n whose prediction is above the measured time"),
    COLUMN(error_row, REAL, "median_doublings", median_doublings, "", "median of \\|log2 (predicted / measured)\\|, by which too little counts as much as too much; a time that is not positive counts as 1024 (older files have no such column)", .optional = 1),
};
/* clang-format on */

SCHEMA(
    errors_schema, error_row, columns, "errors.csv",
    "How far predicted times are from measured ones: one row per candidate, model, statistic, "
    "split and class of sizes, over the points of the study and of the default with status `ok`.",
    .backend = 1);

/* The work: all candidates are judged by all models. */
struct judging {
    const struct points *points;
    const struct point_groups *groups;
    const struct parameters *p; /* whose sets by split are those of the split at hand */
    enum rank_statistic statistic;
    enum split split;
    const struct prediction **told[MAX_MODELS]; /* by model and point; NULL: none */
    struct verdict *verdict;                    /* of this split and statistic */
    size_t n;
};

/* One candidate judged by one model. */
struct verdict {
    size_t model, first, end;      /* groups first to end - 1 are its sizes */
    double *error[N_SIZE_CLASSES]; /* percent; each has room for all of its points */
    double *doublings[N_SIZE_CLASSES];
    size_t n[N_SIZE_CLASSES], without[N_SIZE_CLASSES], over[N_SIZE_CLASSES];
    struct error_table table;
};

static struct prediction predict(const struct judging *j, size_t model, const struct measured *m)
{
    if (models[model]->fitted)
        return model_predict(models[model], j->p, &m->point.cell, &m->point.candidate);
    const struct prediction *told = j->told[model][m - j->points->row];
    return told ? *told : (struct prediction){ .seconds = NAN, .status = PREDICT_NO_FIT };
}

static void judge_point(const struct judging *j, struct verdict *v, const struct measured *m,
                        double seconds)
{
    const struct prediction p = predict(j, v->model, m);
    const enum size_class classes[] = { size_class_of(m->point.cell.bytes), SIZE_ALL };
    for (size_t i = 0; i < 2; i++) {
        const enum size_class c = classes[i];
        if (p.status == PREDICT_NOT_POSITIVE) { /* its time is not kept: 0 is the mildest reading */
            v->doublings[c][v->n[c]] = NO_TIME_DOUBLINGS;
            v->error[c][v->n[c]++] = 100;
            continue;
        }
        if (!prediction_usable(&p)) {
            v->without[c]++;
            continue;
        }
        v->doublings[c][v->n[c]] = fabs(log2(p.seconds / seconds));
        v->error[c][v->n[c]++] = fabs(longer_pct(p.seconds, seconds));
        v->over[c] += p.seconds > seconds;
    }
}

static void add_rows(const struct judging *j, struct verdict *v, const struct measured *first)
{
    for (int c = 0; c < N_SIZE_CLASSES; c++) {
        const size_t n = v->n[c];
        if (n + v->without[c] == 0)
            continue;
        struct error_row *r = array_add(&v->table.row, &v->table.n);
        *r = (struct error_row){ .model = models[v->model],
                                 .cell = first->point.cell,
                                 .candidate = first->point.candidate,
                                 .split = j->split,
                                 .size = (enum size_class)c,
                                 .n = n,
                                 .without = v->without[c] };
        snprintf(r->statistic, sizeof r->statistic, "%s", rank_statistic_name(first, j->statistic));
        r->median_doublings = stats_median(v->doublings[c], n);
        r->median_pct = stats_median(v->error[c], n); /* sorts */
        r->p90_pct = n ? stats_quantile(v->error[c], n, 0.9) : NAN;
        r->worst_pct = n ? v->error[c][n - 1] : NAN;
        r->over_pct = n ? 100.0 * (double)v->over[c] / (double)n : NAN;
    }
}

static void judge_nth(size_t i, void *user)
{
    const struct judging *j = user;
    struct verdict *v = &j->verdict[i];
    size_t points = 0;
    for (size_t g = v->first; g < v->end; g++)
        points += j->groups->group[g].n;
    unsigned char *judged = memory_zeros(points, 1);
    for (int c = 0; c < N_SIZE_CLASSES; c++) {
        v->error[c] = memory_zeros(points, sizeof *v->error[c]);
        v->doublings[c] = memory_zeros(points, sizeof *v->doublings[c]);
    }
    for (size_t g = v->first; g < v->end; g++) {
        const struct point_group *group = &j->groups->group[g];
        split_group(j->split, group, NULL, judged);
        for (size_t k = 0; k < group->n; k++) {
            const double seconds = measured_seconds(group->row[k], j->statistic);
            if (judged[k] && seconds > 0)
                judge_point(j, v, group->row[k], seconds);
        }
    }
    add_rows(j, v, j->groups->group[v->first].row[0]);
    for (int c = 0; c < N_SIZE_CLASSES; c++)
        memory_free(v->error[c], v->doublings[c]);
    free(judged);
}

/* 1 when two groups are of one candidate under one mapping, whatever the size. */
static int same_candidate(const struct point_group *a, const struct point_group *b)
{
    struct cell x = a->row[0]->point.cell, y = b->row[0]->point.cell;
    x.bytes = y.bytes = 0;
    return group_compare(&x, &a->row[0]->point.candidate, &y, &b->row[0]->point.candidate) == 0;
}

/* A fitted model is asked where it applies, another one has said all that it says. */
static int can_judge(const struct judging *j, size_t m)
{
    return models[m]->fitted ? !models[m]->applies || models[m]->applies(j->p) : j->told[m] != NULL;
}

static void judge_all(struct judging *j, struct error_table *table)
{
    const struct point_groups *g = j->groups;
    for (size_t first = 0, end; first < g->n; first = end) {
        end = first + 1;
        while (end < g->n && same_candidate(&g->group[first], &g->group[end]))
            end++;
        for (size_t m = 0; models[m]; m++)
            if (can_judge(j, m))
                *array_add(&j->verdict, &j->n) =
                    (struct verdict){ .model = m, .first = first, .end = end };
    }
    parallel_for(j->n, judge_nth, j);
    for (size_t i = 0; i < j->n; i++) {
        const struct error_table *of = &j->verdict[i].table;
        for (size_t k = 0; k < of->n; k++)
            *array_add(&table->row, &table->n) = of->row[k];
        free(of->row);
    }
    free(j->verdict);
    j->verdict = NULL;
    j->n = 0;
}

/* What each model said of each point: both lists are in the points' order. */
static void index_predictions(struct judging *j, const struct predictions *predictions)
{
    for (size_t m = 0, at = 0; m < MAX_MODELS && models[m]; m++) {
        if (at == predictions->n || predictions->row[at].model != models[m])
            continue; /* it does not apply */
        j->told[m] = memory_zeros(j->points->n + 1, sizeof *j->told[m]);
        for (size_t i = 0; i < j->points->n; i++)
            if (at < predictions->n && predictions->row[at].model == models[m] &&
                strcmp(predictions->row[at].of->point.id, j->points->row[i].point.id) == 0)
                j->told[m][i] = &predictions->row[at++].prediction;
    }
}

static int has_times(const struct point_groups *groups, enum rank_statistic statistic)
{
    for (size_t g = 0; g < groups->n; g++)
        for (size_t i = 0; i < groups->group[g].n; i++)
            if (measured_seconds(groups->group[g].row[i], statistic) > 0)
                return 1;
    return 0;
}

/* Fits the sets that go by split. */
static int fit_split(struct parameters *q, const struct fit_from *from, struct err *err)
{
    for (const struct parameter_set *const *s = parameter_sets; *s; s++)
        if ((*s)->by_split && parameters_fit(q, *s, from, err) < 0)
            return -1;
    return 0;
}

/* Judges with the parameters of this split and statistic in the place of those of all points. */
static int judge_split(struct judging *j, const struct parameters *p, struct error_table *table,
                       struct err *err)
{
    struct parameters q = parameters_without_split(p);
    const struct fit_from from = { .points = j->points,
                                   .facts = p->facts,
                                   .groups = j->groups,
                                   .statistic = j->statistic,
                                   .split = j->split };
    if (!has_times(j->groups, j->statistic))
        return 0;
    j->p = &q; /* cppcheck-suppress autoVariables; until the end of this function */
    const int status = fit_split(&q, &from, err);
    if (status == 0)
        judge_all(j, table);
    j->p = p;
    parameters_clear(&q);
    return status;
}

static size_t place_of(const struct model *model)
{
    size_t k = 0;
    while (models[k] != model)
        k++;
    return k;
}

static int by_row(const void *a, const void *b)
{
    const struct error_row *x = a, *y = b;
    return by_keys(group_compare(&x->cell, &x->candidate, &y->cell, &y->candidate),
                   (int)place_of(x->model) - (int)place_of(y->model),
                   strcmp(x->statistic, y->statistic), (int)x->split - (int)y->split,
                   (int)x->size - (int)y->size);
}

int errors_make(const struct points *points, const struct point_groups *groups,
                const struct predictions *predictions, const struct parameters *p,
                struct error_table *table, struct err *err)
{
    struct judging j = { .points = points, .groups = groups };
    *table = (struct error_table){ .n = 0 };
    int status = 0;
    index_predictions(&j, predictions);
    for (int s = 0; status == 0 && s < N_RANK_STATISTICS; s++)
        for (int k = 0; status == 0 && k < N_SPLITS; k++) {
            j.statistic = (enum rank_statistic)s;
            j.split = (enum split)k;
            status = judge_split(&j, p, table, err);
        }
    for (size_t m = 0; m < MAX_MODELS; m++)
        free(j.told[m]);
    for (size_t i = 0; i < table->n; i++)
        table->row[i].cell.bytes = 0;
    if (table->n)
        qsort(table->row, table->n, sizeof *table->row, by_row);
    if (status < 0)
        errors_clear(table);
    return status;
}

CLEARS(errors_clear, error_table, it->row)

const char *const size_class_words[N_SIZE_CLASSES + 1] = {
    [SIZE_TO_512] = "to_512",       [SIZE_TO_16K] = "1K-16K", [SIZE_TO_128K] = "32K-128K",
    [SIZE_FROM_256K] = "from_256K", [SIZE_ALL] = "all",
};

enum size_class size_class_of(uint64_t bytes)
{
    static const uint64_t most[] = { 512, 16384, 131072 };
    int c = 0;
    while (c < SIZE_FROM_256K && bytes > most[c])
        c++;
    return (enum size_class)c;
}
