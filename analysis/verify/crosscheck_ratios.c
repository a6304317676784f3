/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/verify/crosscheck_ratios.h"

#include "harness/base/launch_stats.h"

enum { MOST_ROUNDS = 1000 };

static const char *const crosscheck_statistic_words[] = { "mean_of_ranks", "median_of_max", NULL };

static const struct schema_column cross_columns[] = {
    COLUMN(cross_row, NAME, "tool", tool, "", "the other benchmark"),
    COLUMN(cross_row, WORD, "statistic", statistic, "",
           "`mean_of_ranks`: the mean over calls and ranks; `median_of_max`: the median over calls "
           "of the slowest rank",
           .words = crosscheck_statistic_words),
    COLUMN(cross_row, NAME, "collective", collective, "", "the MPI collective"),
    COLUMN(cross_row, NAME, "algorithm", algorithm, "", "the library's, forced; or its default"),
    COLUMN(cross_row, COUNT, "bytes", bytes, "bytes", "per process, as the MPI call sees it"),
    COLUMN(cross_row, INT, "rounds", rounds, "", "in which both have a number",
           .most = MOST_ROUNDS),
    COLUMN(cross_row, REAL, "ours_s", ours_s, "s", "median over rounds"),
    COLUMN(cross_row, REAL, "theirs_s", theirs_s, "s", "likewise"),
    COLUMN(cross_row, REAL, "ratio", ratio, "", "median over rounds of ours / theirs"),
    COLUMN(cross_row, REAL, "ci_low", ci_low, "",
           "its interval, by order statistics over rounds; empty below six rounds"),
    COLUMN(cross_row, REAL, "ci_high", ci_high, "", "likewise"),
};

SCHEMA(cross_schema, cross_row, cross_columns, "crosscheck.csv",
       "our times beside another benchmark's, a row per cell and algorithm");

/* ---- one number per round ---- */

/* What is compared: values of a tool or ours. */
struct series_key {
    int tool;
    enum cross_statistic statistic;
    const char *collective, *algorithm;
    uint64_t bytes;
};

static int is_of(const struct cross_value *v, const struct series_key *k)
{
    return v->tool == k->tool && v->statistic == k->statistic && v->bytes == k->bytes &&
           strcmp(v->collective, k->collective) == 0 && strcmp(v->algorithm, k->algorithm) == 0;
}

/* The number of each round from 1, NaN where there is none. */
static void by_round(const struct cross_values *values, const struct series_key *k,
                     double seconds[MOST_ROUNDS + 1])
{
    for (int r = 0; r <= MOST_ROUNDS; r++)
        seconds[r] = NAN;
    for (size_t i = 0; i < values->n; i++)
        if (is_of(&values->v[i], k) && values->v[i].round <= MOST_ROUNDS)
            seconds[values->v[i].round] = values->v[i].seconds;
}

/* Two series over the rounds that have both. */
struct paired {
    double a[MOST_ROUNDS], b[MOST_ROUNDS], ratio[MOST_ROUNDS];
    size_t n;
};

static void pair_up(const struct cross_values *values, const struct series_key *a,
                    const struct series_key *b, struct paired *p)
{
    double x[MOST_ROUNDS + 1], y[MOST_ROUNDS + 1];
    by_round(values, a, x);
    by_round(values, b, y);
    p->n = 0;
    for (int r = 1; r <= MOST_ROUNDS; r++)
        if (x[r] > 0 && y[r] > 0) {
            p->a[p->n] = x[r];
            p->b[p->n] = y[r];
            p->ratio[p->n++] = x[r] / y[r];
        }
}

static void ratio_interval(const struct paired *p, double confidence, struct over_launches *over)
{
    over_launches(p->ratio, p->n, STATISTIC_MEDIAN, confidence, over);
    if (over->method != OVER_ORDER)
        over->low = over->high = NAN;
}

static void ratio_of(struct paired *p, double confidence, struct cross_row *row)
{
    struct over_launches over;
    ratio_interval(p, confidence, &over);
    row->rounds = (int)p->n;
    row->ours_s = robust_median(p->a, p->n);
    row->theirs_s = robust_median(p->b, p->n);
    row->ratio = over.time;
    row->ci_low = over.low;
    row->ci_high = over.high;
}

/* ---- ratios ---- */

static int by_cell(const void *a, const void *b)
{
    const struct cross_row *x = a, *y = b;
    return by_keys(strcmp(x->tool, y->tool), strcmp(x->collective, y->collective),
                   strcmp(x->algorithm, y->algorithm), ascending(x->bytes, y->bytes));
}

static void add_row(const struct cross_values *values, const struct cross_value *v,
                    double confidence, struct paired *p, struct cross_table *t)
{
    struct cross_row row = { .statistic = v->statistic, .bytes = v->bytes };
    snprintf(row.tool, sizeof row.tool, "%s", cross_tools[v->tool].name);
    snprintf(row.collective, sizeof row.collective, "%s", v->collective);
    snprintf(row.algorithm, sizeof row.algorithm, "%s", v->algorithm);
    if (any_below(i, t->n, by_cell(&t->row[i], &row) == 0))
        return;
    const struct series_key theirs = { v->tool, v->statistic, v->collective, v->algorithm,
                                       v->bytes };
    struct series_key ours = theirs;
    ours.tool = -1;
    pair_up(values, &ours, &theirs, p);
    if (!p->n)
        return;
    ratio_of(p, confidence, &row);
    *array_add(&t->row, &t->n) = row;
}

/* ---- winners ---- */

/* Of the rows of one tool and cell, first to last, the one of least time by ours or theirs. */
static const struct cross_row *least(const struct cross_row *row, size_t n, int ours)
{
    const struct cross_row *best = NULL;
    for (size_t i = 0; i < n; i++)
        if (!best || (ours ? row[i].ours_s < best->ours_s : row[i].theirs_s < best->theirs_s))
            best = &row[i];
    return best;
}

/* 1 when a is not known to be slower than b, by the rounds of one program. */
static int not_slower(const struct cross_values *values, int tool, const struct cross_row *a,
                      const struct cross_row *b, double confidence, struct paired *p)
{
    const struct series_key ka = { tool, a->statistic, a->collective, a->algorithm, a->bytes };
    const struct series_key kb = { tool, b->statistic, b->collective, b->algorithm, b->bytes };
    struct over_launches over;
    pair_up(values, &ka, &kb, p);
    ratio_interval(p, confidence, &over);
    return !(over.low > 1);
}

static int tool_index(const char *name)
{
    for (int t = 0; t < CROSS_TOOLS; t++)
        if (strcmp(cross_tools[t].name, name) == 0)
            return t;
    return -1;
}

/* The forced algorithms of one tool and cell. */
static void add_winner(const struct cross_values *values, const struct cross_row *row, size_t n,
                       double confidence, struct paired *p, struct cross_table *t)
{
    struct cross_winner *w = array_add(&t->winner, &t->n_winners);
    const struct cross_row *ours = least(row, n, 1), *theirs = least(row, n, 0);
    *w = (struct cross_winner){ .bytes = row->bytes };
    snprintf(w->tool, sizeof w->tool, "%s", row->tool);
    snprintf(w->collective, sizeof w->collective, "%s", row->collective);
    snprintf(w->ours, sizeof w->ours, "%s", ours->algorithm);
    snprintf(w->theirs, sizeof w->theirs, "%s", theirs->algorithm);
    w->agree = ours == theirs ||
               not_slower(values, tool_index(row->tool), ours, theirs, confidence, p) ||
               not_slower(values, -1, theirs, ours, confidence, p);
}

static int same_cell(const struct cross_row *a, const struct cross_row *b)
{
    return a->bytes == b->bytes && strcmp(a->tool, b->tool) == 0 &&
           strcmp(a->collective, b->collective) == 0;
}

static void add_winners(const struct cross_values *values, double confidence, struct paired *p,
                        struct cross_table *t)
{
    struct cross_row *group = memory_zeros(t->n + 1, sizeof *group);
    for (size_t i = 0; i < t->n; i++) {
        size_t n = 0, first = i;
        for (size_t j = 0; j < t->n; j++)
            if (same_cell(&t->row[i], &t->row[j])) {
                first = j < first ? j : first;
                if (strcmp(t->row[j].algorithm, "default") != 0)
                    group[n++] = t->row[j];
            }
        if (first == i && n > 1)
            add_winner(values, group, n, confidence, p, t);
    }
    free(group);
}

void cross_judge(const struct cross_values *values, double confidence, struct cross_table *table)
{
    struct paired *p = memory_zeros(1, sizeof *p);
    *table = (struct cross_table){ 0 };
    for (size_t i = 0; i < values->n; i++)
        if (values->v[i].tool >= 0)
            add_row(values, &values->v[i], confidence, p, table);
    if (table->n)
        qsort(table->row, table->n, sizeof *table->row, by_cell);
    add_winners(values, confidence, p, table);
    free(p);
}

CLEARS(cross_table_clear, cross_table, it->row, it->winner)

int cross_write(const char *path, const struct cross_table *table, struct err *err)
{
    return schema_write(&cross_schema, path, table->row, table->n, err);
}

/* ---- for people ---- */

static const char *const statistic_texts[] = {
    [CROSS_MEAN_OF_RANKS] = "mean over calls and ranks",
    [CROSS_MEDIAN_OF_MAX] = "median over calls of the slowest rank",
};

static void print_row(FILE *out, const struct cross_row *r)
{
    char ours[32], theirs[32];
    fprintf(out, "%-10s %-20s %9llu %10s %10s %7.3f", r->collective, r->algorithm,
            (unsigned long long)r->bytes, format_seconds(r->ours_s, ours, sizeof ours),
            format_seconds(r->theirs_s, theirs, sizeof theirs), r->ratio);
    if (isnan(r->ci_low))
        fprintf(out, "  %-15s", "-");
    else
        fprintf(out, "  %.3f to %.3f", r->ci_low, r->ci_high);
    fprintf(out, "  %d\n", r->rounds);
}

/* Rows of one tool: how far the ratios are from 1 in all. */
static void print_summary(FILE *out, const struct cross_row *row, size_t n)
{
    double logs = 0, low = INFINITY, high = 0;
    size_t close = 0, holds = 0, known = 0;
    for (size_t i = 0; i < n; i++) {
        logs += log(row[i].ratio);
        low = fmin(low, row[i].ratio);
        high = fmax(high, row[i].ratio);
        close += fabs(row[i].ratio - 1) <= 0.03;
        known += !isnan(row[i].ci_low);
        holds += row[i].ci_low <= 1 && row[i].ci_high >= 1;
    }
    fprintf(out,
            "%s: ours / theirs is %.3f in geometric mean over %zu row%s, %.3f to %.3f; within 3 %% "
            "in %zu",
            row->tool, exp(logs / (double)n), COUNTED(n), low, high, close);
    if (known)
        fprintf(out, "; 1 lies in the interval in %zu of %zu", holds, known);
    fputs("\n\n", out);
}

static void print_winners(FILE *out, const struct cross_table *t)
{
    size_t agree = 0;
    for (size_t i = 0; i < t->n_winners; i++)
        agree += (size_t)t->winner[i].agree;
    if (!t->n_winners)
        return;
    fprintf(out, "The quickest forced algorithm is the same, or tied, in %zu of %zu cell%s.\n",
            agree, COUNTED(t->n_winners));
    for (size_t i = 0; i < t->n_winners; i++) {
        const struct cross_winner *w = &t->winner[i];
        if (!w->agree)
            fprintf(out, "  %s, %llu bytes: %s by us, %s by %s\n", w->collective,
                    (unsigned long long)w->bytes, w->ours, w->theirs, w->tool);
    }
}

void cross_print(FILE *out, const struct cross_table *t)
{
    for (size_t i = 0, end; i < t->n; i = end) {
        fprintf(out, "%s: %s\n%-10s %-20s %9s %10s %10s %7s  %-15s  %s\n", t->row[i].tool,
                statistic_texts[t->row[i].statistic], "collective", "algorithm", "bytes", "ours",
                "theirs", "ratio", "95 % interval", "rounds");
        for (end = i; end < t->n && strcmp(t->row[end].tool, t->row[i].tool) == 0; end++)
            print_row(out, &t->row[end]);
        print_summary(out, &t->row[i], end - i);
    }
    print_winners(out, t);
}
