/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/groups.h"

const char *const split_words[N_SPLITS + 1] = {
    [SPLIT_IN_SAMPLE] = "in_sample",
    [SPLIT_ALTERNATE] = "alternate",
    [SPLIT_EXTRAPOLATED] = "extrapolated",
};

const char *rank_statistic_name(const struct measured *m, enum rank_statistic statistic)
{
    return statistic == OVER_MEAN || strcmp(m->statistic, "mean_rank") == 0 ? "mean_rank"
                                                                            : "max_rank";
}

double measured_seconds(const struct measured *m, enum rank_statistic statistic)
{
    if (statistic == OVER_OWN)
        return m->time.value;
    return strcmp(m->statistic, "mean_rank") == 0 ? NAN : m->mean_rank_s;
}

int group_compare(const struct cell *a, const struct candidate *x, const struct cell *b,
                  const struct candidate *y)
{
    return by_keys(cell_compare_context(a, b), ascending(a->root, b->root), candidate_compare(x, y),
                   ascending(a->bytes, b->bytes));
}

static int same_group(const struct measured *a, const struct measured *b)
{
    return group_compare(&a->point.cell, &a->point.candidate, &b->point.cell,
                         &b->point.candidate) == 0;
}

static int by_group(const void *a, const void *b)
{
    const struct measured *x = *(const struct measured *const *)a;
    const struct measured *y = *(const struct measured *const *)b;
    return by_keys(
        group_compare(&x->point.cell, &x->point.candidate, &y->point.cell, &y->point.candidate),
        cell_compare(&x->point.cell, &y->point.cell)); /* nodes, ppn and procs are left */
}

static int by_procs(const void *a, const void *b)
{
    const struct measured *x = *(const struct measured *const *)a;
    const struct measured *y = *(const struct measured *const *)b;
    return by_keys(ascending(x->point.cell.procs, y->point.cell.procs), by_group(a, b));
}

static int belongs(const struct measured *m)
{
    return m->point.experiment == EXP_TIME &&
           (m->point.purpose == FOR_STUDY || m->point.purpose == FOR_DEFAULT) &&
           m->status == POINT_OK && measured_usable(m);
}

static size_t count_groups(const struct measured *const *row, size_t n)
{
    size_t groups = 0;
    for (size_t i = 0; i < n; i++)
        groups += i == 0 || !same_group(row[i - 1], row[i]);
    return groups;
}

void point_groups_make(const struct points *points, struct point_groups *groups)
{
    size_t n = 0;
    *groups = (struct point_groups){ .row = memory_zeros(points->n + 1, sizeof *groups->row) };
    for (size_t i = 0; i < points->n; i++)
        if (belongs(&points->row[i]))
            groups->row[n++] = &points->row[i];
    if (n)
        qsort(groups->row, n, sizeof *groups->row, by_group);
    groups->group = memory_zeros(count_groups(groups->row, n) + 1, sizeof *groups->group);
    for (size_t i = 0, from = 0; i < n; i++)
        if (i + 1 == n || !same_group(groups->row[i], groups->row[i + 1])) {
            qsort(groups->row + from, i + 1 - from, sizeof *groups->row, by_procs);
            groups->group[groups->n++] = (struct point_group){ groups->row + from, i + 1 - from };
            from = i + 1;
        }
}

CLEARS(point_groups_clear, point_groups, it->row, it->group)

/* place: of the row's P among the even, or among the odd, P of the group. */
static int is_fitted(enum split split, size_t place, int procs, int most)
{
    switch (split) {
    case SPLIT_ALTERNATE:
        return place % 2 == 0;
    case SPLIT_EXTRAPOLATED:
        return procs <= most / 2;
    default:
        return 1;
    }
}

void split_group(enum split split, const struct point_group *group, unsigned char *fitted,
                 unsigned char *judged)
{
    size_t seen[2] = { 0, 0 }; /* even and odd P so far */
    for (size_t i = 0; i < group->n; i++) {
        const int procs = group->row[i]->point.cell.procs;
        size_t *of_kind = &seen[procs % 2];
        *of_kind += i == 0 || procs != group->row[i - 1]->point.cell.procs;
        int fits =
            is_fitted(split, *of_kind - 1, procs, group->row[group->n - 1]->point.cell.procs);
        if (fitted)
            fitted[i] = (unsigned char)fits;
        if (judged)
            judged[i] = (unsigned char)(split == SPLIT_IN_SAMPLE || !fits);
    }
}
