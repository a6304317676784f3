/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/verify/compare.h"

#include "analysis/measure/published_default.h"
#include "analysis/measure/welch.h"

const char *const compare_words[N_COMPARE_VERDICTS + 1] = { "same", "slower", "faster", "unsure",
                                                            "untested" };

const struct compare_rule compare_usual = { 10, 0.01 };

/* A time of a default, by its cell without the entry. */
struct entry {
    struct cell cell;
    const struct measured *m;
};

static int by_cell(const void *a, const void *b)
{
    return cell_compare(&((const struct entry *)a)->cell, &((const struct entry *)b)->cell);
}

static int is_default(const struct measured *m, const struct compare_side *side)
{
    return m->point.experiment == EXP_TIME && strcmp(m->point.cell.mpi, side->mpi) == 0 &&
           point_is_default(side->facts, &m->point) && point_is_contender(&m->point);
}

/* The defaults of a side with a time that counts, by cell; to be freed. */
static struct entry *defaults_of(const struct compare_side *side, size_t *n, size_t *doubted)
{
    struct entry *all = memory_zeros(side->points->n + 1, sizeof *all);
    *n = 0;
    for (size_t i = 0; i < side->points->n; i++) {
        const struct measured *m = &side->points->row[i];
        if (!is_default(m, side))
            continue;
        *doubted += (size_t)measured_doubted(m);
        if (!measured_usable(m))
            continue;
        all[*n] = (struct entry){ m->point.cell, m };
        all[(*n)++].cell.mpi[0] = '\0';
    }
    qsort(all, *n, sizeof *all, by_cell);
    return all;
}

/* What ran, as a call told; else as the library's rules say, where they are known. */
static struct candidate ran(const struct measured *m, const struct facts *facts)
{
    struct candidate c = { .fanout = (int)(m->ran_fanout > 0 ? m->ran_fanout : 0),
                           .segment_bytes =
                               (uint64_t)(m->ran_segment_bytes > 0 ? m->ran_segment_bytes : 0) };
    snprintf(c.algorithm, sizeof c.algorithm, "%s", m->ran_algorithm);
    if (!*c.algorithm)
        decided_candidate(facts, &m->point.cell, &m->point.candidate, &c);
    return c;
}

static double p_value(const struct measured *a, const struct measured *b,
                      const struct compare_side *before, const struct compare_side *after)
{
    struct welch was = WELCH_NOTHING, is = WELCH_NOTHING;
    welch_add(&was, a, before->facts->statistic);
    welch_add(&is, b, after->facts->statistic);
    const double longer = welch_longer(&is, &was), shorter = welch_longer(&was, &is);
    return isnan(longer) ? NAN : fmin(1, 2 * fmin(longer, shorter));
}

const char compare_of_crowded[] =
    "there a change also tells how the library waits, for instance whether it gives up the core";

static void add_row(struct compare *c, const struct measured *a, const struct measured *b,
                    const struct compare_side *before, const struct compare_side *after)
{
    struct compare_row *row = array_add(&c->row, &c->n);
    const int exact = before->facts->deterministic && after->facts->deterministic;
    *row = (struct compare_row){ .cell = a->point.cell,
                                 .before_s = a->time.value,
                                 .after_s = b->time.value,
                                 .change_pct = longer_pct(b->time.value, a->time.value),
                                 .exact = exact,
                                 .p = exact ? NAN : p_value(a, b, before, after),
                                 .p_corrected = NAN,
                                 .ran_before = ran(a, before->facts),
                                 .ran_after = ran(b, after->facts) };
    snprintf(row->after, sizeof row->after, "%s", after->mpi);
    c->exact += (size_t)exact;
    c->crowded +=
        facts_crowded(before->facts, &a->point.cell) || facts_crowded(after->facts, &b->point.cell);
}

void compare_add(struct compare *c, const struct compare_side *before,
                 const struct compare_side *after)
{
    size_t n, m, i = 0, k = 0;
    struct entry *was = defaults_of(before, &n, &c->doubted),
                 *is = defaults_of(after, &m, &c->doubted);
    while (i < n && k < m) {
        const int order = by_cell(&was[i], &is[k]);
        if (order == 0 && strcmp(was[i].m->statistic, is[k].m->statistic) == 0)
            add_row(c, was[i].m, is[k].m, before, after);
        else
            c->apart += order == 0;
        c->only_before += order < 0;
        c->only_after += order > 0;
        i += order <= 0;
        k += order >= 0;
    }
    c->only_before += n - i;
    c->only_after += m - k;
    memory_free(was, is);
}

static int by_p(const void *left, const void *right)
{
    const struct compare_row *const *a = left, *const *b = right;
    return ((*a)->p > (*b)->p) - ((*a)->p < (*b)->p);
}

/* Benjamini and Hochberg (1995): the k-th smallest of n is multiplied by n / k, and none is above a
 * later one. */
static void correct(struct compare *c)
{
    double most = 1;
    struct compare_row **row = memory_zeros(c->n + 1, sizeof *row);
    c->tests = 0;
    for (size_t i = 0; i < c->n; i++)
        if (!isnan(c->row[i].p))
            row[c->tests++] = &c->row[i];
    qsort(row, c->tests, sizeof *row, by_p);
    for (size_t k = c->tests; k > 0; k--) {
        most = fmin(most, row[k - 1]->p * (double)c->tests / (double)k);
        row[k - 1]->p_corrected = most;
    }
    free(row);
}

static enum compare_verdict judge(const struct compare_row *row, const struct compare_rule *rule)
{
    const double ratio = row->after_s / row->before_s, least = 1 + rule->threshold_pct / 100;
    if (!(ratio > least) && !(ratio < 1 / least))
        return COMPARE_SAME;
    if (isnan(row->p) && !row->exact)
        return COMPARE_UNTESTED;
    if (!row->exact && !(row->p_corrected < rule->rate))
        return COMPARE_UNSURE;
    return ratio > 1 ? COMPARE_SLOWER : COMPARE_FASTER;
}

/* The gravest loss first, the largest gain last. */
static int by_change(const void *left, const void *right)
{
    const struct compare_row *a = left, *b = right;
    if (a->change_pct != b->change_pct)
        return a->change_pct < b->change_pct ? 1 : -1;
    return cell_compare(&a->cell, &b->cell);
}

int compare_is_first(const struct compare *c, size_t i)
{
    return !any_below(k, i, strcmp(c->row[k].cell.collective, c->row[i].cell.collective) == 0);
}

void compare_judge(struct compare *c, const struct compare_rule *rule)
{
    memset(c->verdicts, 0, sizeof c->verdicts);
    correct(c);
    for (size_t i = 0; i < c->n; i++)
        c->verdicts[c->row[i].verdict = judge(&c->row[i], rule)]++;
    if (c->n)
        qsort(c->row, c->n, sizeof *c->row, by_change);
}

double compare_least_gain(const struct compare_rule *rule)
{
    return -longer_pct(1, 1 + rule->threshold_pct / 100);
}

struct compare_sum compare_sum_up(const struct compare *c, const char *collective)
{
    struct compare_sum s = { .cells = 0 };
    double logs = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct compare_row *r = &c->row[i];
        if (strcmp(r->cell.collective, collective) != 0)
            continue;
        s.cells++;
        s.n[r->verdict]++;
        logs += log(r->after_s / r->before_s);
        if (!s.worst && r->verdict == COMPARE_SLOWER)
            s.worst = r;
    }
    s.change_pct = mean_longer_pct(logs, s.cells);
    return s;
}

void compare_releases(const struct facts *facts,
                      void (*take)(size_t before, size_t after, void *to), void *to)
{
    for (size_t i = 0; i < facts->n_mpis; i++)
        for (size_t k = i + 1; k < facts->n_mpis; k++)
            if (mpi_is_read(facts->mpi[i]) && mpi_is(facts->mpi[i], mpi_family(facts->mpi[k]))) {
                take(i, k, to);
                break;
            }
}

CLEARS(compare_clear, compare, it->row)
