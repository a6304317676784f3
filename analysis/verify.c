/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/points.h"
#include "analysis/measure/result_file.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"
#include "harness/base/overlaunches.h"
#include "harness/study/counted.h"
#include "harness/study/libraries/natives.h"

const char *const verify_words[] = { "kept", "unsure", "loses", "other", "missing", NULL };

/* ---- which cells ---- */

static const struct candidate *take_of(const struct rules_choices *choices, const struct cell *cell)
{
    for (size_t i = 0; i < choices->n; i++) {
        const struct rules_grid *g = &choices->grid[i];
        for (size_t k = 0; k < g->n_procs * g->n_bytes; k++)
            if (strcmp(g->collective, cell->collective) == 0 &&
                g->procs[k / g->n_bytes] == (uint64_t)cell->procs &&
                g->bytes[k % g->n_bytes] == cell->bytes)
                return &g->take[k];
    }
    return NULL;
}

static struct rules_answer ask(const struct rules *file, const struct cell *cell)
{
    const struct rules_call call = { cell->collective, cell->procs, cell->nodes, cell->ppn,
                                     cell->bytes };
    struct rules_answer answer;
    rules_ask(file, &call, &answer);
    return answer;
}

int verify_wants(const struct rules *file, const struct tuning *tuning, const struct cell *cell,
                 struct candidate *take)
{
    const struct candidate *t = take_of(&tuning->choices, cell);
    if (!t || !*t->algorithm || algorithm_is_default(t->algorithm))
        return 0;
    const struct rules_answer answer = ask(file, cell);
    const struct native *native = native_in_rules(file->reader->library, file->reader->version,
                                                  cell->collective, t->algorithm);
    *take = *t;
    return native && answer.outcome == RULES_RUNS && strcmp(answer.algorithm, native->name) == 0;
}

void verify_digest(const struct tuning *tuning, char digest[16])
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = memory_stream(&text, &len);
    fprintf(out, "%s\n", tuning->mapping);
    for (size_t i = 0; i < tuning->choices.n; i++) {
        const struct rules_grid *g = &tuning->choices.grid[i];
        for (size_t k = 0; k < g->n_procs * g->n_bytes; k++)
            fprintf(out, "%s %" PRIu64 " %" PRIu64 " %s %" PRIu64 " %d\n", g->collective,
                    g->procs[k / g->n_bytes], g->bytes[k % g->n_bytes], g->take[k].algorithm,
                    g->take[k].segment_bytes, g->take[k].fanout);
    }
    fclose(out);
    const uint64_t h = fs_digest(text, len);
    snprintf(digest, 16, "%08x", (unsigned)(h ^ h >> 32));
    free(text);
}

/* ---- a launch ---- */

/* A launch's medians: of the slowest rank, and of the mean over ranks. */
struct times {
    struct interval slowest, mean;
};

static struct interval middle(double *x, size_t n, double confidence)
{
    double *scratch = memory_zeros(2 * n + 1, sizeof *scratch);
    const double effective = robust_effective(STATISTIC_MEDIAN, x, n, scratch);
    const struct interval i = robust_interval(STATISTIC_MEDIAN, x, n, effective, confidence);
    free(scratch);
    return i;
}

/* 1; 0: the launch has no time of it; -1 with *err. */
static int read_times(const struct store *store, const char *point, int round, double confidence,
                      struct times *out, struct err *err)
{
    const struct outcome *o = store_find(store, point, round);
    struct sample *row;
    const long n = o && outcome_usable(o) ? counted_rows(store, o, 0, &row, NULL, err) : 0;
    if (n <= 0)
        return (int)n;
    double *slowest = memory_zeros((size_t)n, sizeof *slowest),
           *mean = memory_zeros((size_t)n, sizeof *mean);
    for (long i = 0; i < n; i++) {
        slowest[i] = row[i].max_s;
        mean[i] = row[i].mean_s;
    }
    out->slowest = middle(slowest, (size_t)n, confidence);
    out->mean = middle(mean, (size_t)n, confidence);
    free(slowest);
    free(mean);
    free(row);
    return 1;
}

/* By how much longer the first takes than the second, percent. */
static double longer(double a, double b)
{
    return 100 * (a / b - 1);
}

/* ---- a cell ---- */

/* Launches of both directories. */
struct twins {
    const struct store *without, *with;
    const struct facts *facts;
    const struct rules *file;
    double margin_pct;
};

/* The name, and where what ran says a limit of requests, that of the rule. */
static int is_meant(const char *ran, const char *meant, long requests)
{
    const char *limit = algorithm_levels(ran);
    const size_t length = limit ? (size_t)(limit - ran) - 1 : strlen(ran);
    return strlen(meant) == length && memcmp(ran, meant, length) == 0 &&
           (!limit || algorithm_limit(limit) == requests);
}

static void prove(const struct twins *p, const char *point, int round, struct verify_row *r)
{
    const struct outcome *o = store_find(p->with, point, round);
    const struct rules_answer answer = ask(p->file, &r->cell);
    const char *meant = *answer.runs ? answer.runs : answer.algorithm;
    const char *ran = o ? o->ran_algorithm : "";
    if (!*ran || algorithm_is_default(ran))
        return;
    snprintf(r->ran, sizeof r->ran, "%s", ran);
    if (is_meant(algorithm_base_name(ran), meant, answer.requests))
        r->proved++;
    else
        r->other++;
}

static struct verify_gain over_rounds(const double *gain, size_t n, const struct facts *facts)
{
    double x[MOST_REPEATS];
    struct over_launches over;
    memcpy(x, gain, n * sizeof *x);
    over_launches(x, n, STATISTIC_MEDIAN, facts->confidence, &over);
    memcpy(x, gain, n * sizeof *x);
    return (struct verify_gain){ robust_median(x, n), over.low, over.high };
}

static enum verify_verdict judge(const struct verify_row *r)
{
    if (r->rounds < 2)
        return VERIFY_MISSING;
    if (r->other)
        return VERIFY_OTHER;
    if (2 * r->lost > r->rounds)
        return VERIFY_LOSES;
    return r->sure >= 2 && 2 * r->sure > r->rounds && !r->lost ? VERIFY_KEPT : VERIFY_UNSURE;
}

static int weigh(const struct twins *p, const char *point, struct verify_row *r, struct err *err)
{
    double slowest[MOST_REPEATS], mean[MOST_REPEATS];
    size_t n = 0;
    for (int round = 1; round <= MOST_REPEATS; round++) {
        struct times a, b;
        const int first = read_times(p->without, point, round, p->facts->confidence, &a, err);
        const int second =
            first > 0 ? read_times(p->with, point, round, p->facts->confidence, &b, err) : 0;
        if (first < 0 || second < 0)
            return -1;
        if (!second)
            continue;
        slowest[n] = longer(a.slowest.centre, b.slowest.centre);
        mean[n++] = longer(a.mean.centre, b.mean.centre);
        r->sure += longer(a.slowest.low, b.slowest.high) > p->margin_pct;
        r->lost += longer(a.slowest.high, b.slowest.low) < 0;
        prove(p, point, round, r);
    }
    r->rounds = (int)n;
    r->slowest = over_rounds(slowest, n, p->facts);
    r->mean = over_rounds(mean, n, p->facts);
    r->verdict = judge(r);
    return 0;
}

static void sum_up(struct verify *v)
{
    double sum = 0;
    for (size_t i = 0; i < v->n; i++)
        sum += v->row[i].verdict == VERIFY_KEPT ? log1p(v->row[i].slowest.pct / 100) : 0;
    v->kept_pct =
        v->verdicts[VERIFY_KEPT] ? 100 * expm1(sum / (double)v->verdicts[VERIFY_KEPT]) : NAN;
}

static int weigh_all(const struct twins *p, const struct points *points,
                     const struct tuning *tuning, struct verify *out, struct err *err)
{
    struct candidate take;
    for (size_t i = 0; i < points->n; i++) {
        const struct point *point = &points->row[i].point;
        if (point->experiment != EXP_TIME || !algorithm_is_default(point->candidate.algorithm) ||
            !verify_wants(p->file, tuning, &point->cell, &take))
            continue;
        struct verify_row *r = array_add(&out->row, &out->n);
        r->cell = point->cell;
        r->take = take;
        if (weigh(p, point->id, r, err) < 0)
            return -1;
        out->verdicts[r->verdict]++;
    }
    sum_up(out);
    return 0;
}

int verify_make(const char *without, const char *with, const struct rules *file,
                const struct tuning *tuning, double margin_pct, struct verify *out, struct err *err)
{
    struct facts facts, facts_with;
    struct points points = { .n = 0 }, same = { .n = 0 };
    struct store a = { .n_files = 0 }, b = { .n_files = 0 };
    *out = (struct verify){ .n = 0 };
    if (facts_read(without, &facts, err) < 0 || facts_read(with, &facts_with, err) < 0 ||
        points_build(without, &facts, &a, &points, err) < 0)
        return -1;
    int status = points_build(with, &facts_with, &b, &same, err);
    if (status == 0) {
        const struct twins p = { &a, &b, &facts, file, margin_pct };
        status = weigh_all(&p, &points, tuning, out, err);
        store_free(&b);
    }
    store_free(&a);
    points_clear(&points);
    points_clear(&same);
    if (status < 0)
        verify_clear(out);
    return status;
}

/* ---- what becomes of it ---- */

/* 1 when the cell was verified, and its rule stays. */
static int is_kept(const struct verify *v, const struct rules_grid *g, size_t k)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->row[i].verdict == VERIFY_KEPT &&
            strcmp(v->row[i].cell.collective, g->collective) == 0 &&
            (uint64_t)v->row[i].cell.procs == g->procs[k / g->n_bytes] &&
            v->row[i].cell.bytes == g->bytes[k % g->n_bytes])
            return 1;
    return 0;
}

void verify_drop(const struct verify *verify, struct rules_choices *choices)
{
    static const struct candidate own;
    for (size_t i = 0; i < choices->n; i++)
        for (size_t k = 0; k < choices->grid[i].n_procs * choices->grid[i].n_bytes; k++)
            if (!is_kept(verify, &choices->grid[i], k))
                choices->grid[i].take[k] = own;
}

/* clang-format off */
static const struct schema_column columns[] = {
    CELL_COLUMNS(verify_row, cell),
    CANDIDATE_COLUMNS(verify_row, take),
    COLUMN(verify_row, INT, "rounds", rounds, "", "launches without and with the file that both have a time"),
    COLUMN(verify_row, INT, "sure", sure, "", "of these those in which the lower end of the gain is above the margin"),
    COLUMN(verify_row, INT, "lost", lost, "", "of these those in which the file makes it slower, at the upper end of the gain"),
    COLUMN(verify_row, REAL, "gain_pct", slowest.pct, "%", "by how much longer the default takes without the file, by the slowest rank's time of a call: the median over rounds of ratios of medians"),
    COLUMN(verify_row, REAL, "low_pct", slowest.low_pct, "%", "its 95 % interval over rounds; empty with one"),
    COLUMN(verify_row, REAL, "high_pct", slowest.high_pct, "%", "its other end"),
    COLUMN(verify_row, REAL, "mean_gain_pct", mean.pct, "%", "the same by the mean over ranks of a call"),
    COLUMN(verify_row, REAL, "mean_low_pct", mean.low_pct, "%", "its 95 % interval over rounds"),
    COLUMN(verify_row, REAL, "mean_high_pct", mean.high_pct, "%", "its other end"),
    COLUMN(verify_row, INT, "proved", proved, "", "launches with the file in which that was proved to run which the rule says"),
    COLUMN(verify_row, INT, "other", other, "", "launches with the file in which something else ran"),
    COLUMN(verify_row, NAME, "ran", ran, "", "what ran with the file; empty: not known"),
    COLUMN(verify_row, WORD, "verdict", verdict, "", "`kept`; or dropped: `unsure` (the gain is not above the margin in two launches and in most, or in one it is a loss), `loses`, `other` (something else ran), `missing` (fewer than two rounds)", .words = verify_words),
};
/* clang-format on */

const struct schema verify_schema = {
    .path = "verify.csv",
    .meaning = "Of `collsel verify`, below the study's `verify/LIBRARY/`: one row per cell for "
               "which the file had a rule.",
    SCHEMA_COLUMNS(verify_row, columns),
    .backend = 1,
};

int verify_write(const char *dir, const char *backend, const struct verify *verify, struct err *err)
{
    return result_write_as(dir, &verify_schema, backend, verify->row, verify->n, err);
}

void verify_clear(struct verify *verify)
{
    free(verify->row);
    *verify = (struct verify){ .n = 0 };
}
