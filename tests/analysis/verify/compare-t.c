/* SPDX-License-Identifier: BSD-3-Clause */
/* Defaults before and after: planted studies in which nothing differs are hardly ever told to
 * differ, under twelve kinds of noise; planted regressions are found, and small ones are none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/verify/compare.h"
#include "harness/base/launch_stats.h"
#include "tests/planted_noise.h"
#include "tests/tap.h"

enum { CELLS = 60, LAUNCHES = 5, COMPARISONS = 240 };

/* A default's time in one cell, of so many launches, times a factor. */
static struct measured measure(int cell, const char *mpi, const struct planted_noise *noise,
                               int launches, uint64_t seed, double factor)
{
    double time[16];
    struct over_launches over;
    struct measured m = { .status = POINT_OK, .ran_segment_bytes = -1, .ran_fanout = -1 };
    struct cell *c = &m.point.cell;
    snprintf(c->collective, sizeof c->collective, cell % 2 ? "bcast" : "allreduce");
    snprintf(c->mpi, sizeof c->mpi, "%s", mpi);
    snprintf(c->mapping, sizeof c->mapping, "core");
    c->procs = c->ppn = 2 << cell / 2 % 5;
    c->nodes = 1;
    c->bytes = (uint64_t)1 << cell / 10 * 4;
    snprintf(m.point.candidate.algorithm, sizeof m.point.candidate.algorithm, "openmpi:default");
    snprintf(m.ran_algorithm, sizeof m.ran_algorithm, "openmpi:%s",
             strcmp(mpi, "openmpi-5") == 0 ? "chain" : "binomial");
    point_identify(&m.point);
    for (int k = 0; k < launches; k++)
        time[k] = 1e-5 * (1 + cell) * factor * planted_noise_of(noise, &m.point, k + 1, seed);
    over_launches(time, (size_t)launches, STATISTIC_MEDIAN, 0.95, &over);
    m.time = (struct summary){ .launches = (size_t)launches,
                               .n = (size_t)launches,
                               .value = over.time,
                               .ci_low = over.low,
                               .ci_high = over.high,
                               .between_rel = over.spread };
    return m;
}

struct planted {
    struct measured row[2 * CELLS];
    struct points points;
    struct facts facts;
};

/* Two entries of a study; in every tenth cell the later one takes `factor` times as long. */
static void plant(struct planted *p, const struct planted_noise *noise, int launches, uint64_t seed,
                  double factor)
{
    memset(p, 0, sizeof *p);
    for (int i = 0; i < CELLS; i++) {
        p->row[2 * i] = measure(i, "openmpi-4.1", noise, launches, seed, 1);
        p->row[2 * i + 1] =
            measure(i, "openmpi-5", noise, launches, seed, i % 10 == 3 ? factor : 1);
    }
    p->points = (struct points){ .row = p->row, .n = sizeof p->row / sizeof *p->row };
    p->facts = (struct facts){ .statistic = STATISTIC_MEDIAN, .confidence = 0.95, .n_mpis = 2 };
    snprintf(p->facts.mpi[0], NAME_SIZE, "openmpi-4.1");
    snprintf(p->facts.mpi[1], NAME_SIZE, "openmpi-5");
}

static void compare(struct planted *p, struct compare *c)
{
    static const struct compare_rule rule = { 10, 0.01 };
    const struct compare_side before = { &p->points, &p->facts, "openmpi-4.1" },
                              after = { &p->points, &p->facts, "openmpi-5" };
    *c = (struct compare){ .n = 0 };
    compare_add(c, &before, &after);
    compare_judge(c, &rule);
}

/* Ranks a node are 2, 4, 8, 16 or 32, of as many cells each. */
static void test_crowded(void)
{
    struct planted p;
    struct compare c;
    plant(&p, &planted_noises[0], LAUNCHES, 1, 1);
    compare(&p, &c);
    is_int(0, (long long)c.crowded, "of a machine whose cores are not known no cell is crowded");
    compare_clear(&c);
    p.facts.sockets = 2;
    p.facts.cores = 4;
    compare(&p, &c);
    is_int(CELLS * 2 / 5, (long long)c.crowded, "those of 16 and 32 ranks are, on eight cores");
    compare_clear(&c);
    p.facts.shared_cores = 2; /* emulated: two nodes of so many ranks' cores are the machine's */
    compare(&p, &c);
    is_int(CELLS * 4 / 5, (long long)c.crowded,
           "of emulated nodes those are that have more ranks than the machine has cores");
    compare_clear(&c);
}

/* Nothing differs, so each alarm is false. */
static void test_null(void)
{
    for (size_t k = 0; k < planted_noises_n; k++) {
        size_t alarms = 0, cells = 0, with = 0;
        for (int i = 0; i < COMPARISONS; i++) {
            struct planted p;
            struct compare c;
            plant(&p, &planted_noises[k], i % 3 ? LAUNCHES : 3, (uint64_t)i + 1, 1);
            compare(&p, &c);
            const size_t told = c.verdicts[COMPARE_SLOWER] + c.verdicts[COMPARE_FASTER];
            cells += c.n;
            alarms += told;
            with += told > 0;
            compare_clear(&c);
        }
        ok(cells == (size_t)COMPARISONS * CELLS && (double)alarms <= 0.01 * (double)cells,
           "noise %s, nothing differs: %zu false alarms in %zu cells, in %zu of %d comparisons",
           planted_noises[k].name, alarms, cells, with, COMPARISONS);
    }
}

/* Six of sixty cells are slower. */
static void test_found(void)
{
    static const struct {
        const char *noise;
        int launches;
        double factor;
        size_t least; /* found of ten times six */
    } rows[] = { { "normal3", 5, 1.3, 55 },
                 { "normal3", 3, 2, 20 },
                 { "normal10", 10, 1.6, 50 },
                 { "tenth2x", 10, 3, 40 },
                 { "none", 2, 1.11, 60 } };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct planted_noise *noise = planted_noises;
        size_t found = 0, other = 0;
        while (strcmp(noise->name, rows[k].noise) != 0)
            noise++;
        for (uint64_t seed = 1; seed <= 10; seed++) {
            struct planted p;
            struct compare c;
            plant(&p, noise, rows[k].launches, seed, rows[k].factor);
            compare(&p, &c);
            for (size_t i = 0; i < c.n; i++) {
                const int slower = c.row[i].verdict == COMPARE_SLOWER;
                if (slower && c.row[i].change_pct > 50 * (rows[k].factor - 1))
                    found++;
                else
                    other += slower || c.row[i].verdict == COMPARE_FASTER;
            }
            compare_clear(&c);
        }
        ok(found >= rows[k].least, "%s, %d launches, %g times slower: %zu of 60 are found",
           rows[k].noise, rows[k].launches, rows[k].factor, found);
        ok(other <= 1, "and %zu more are named", other);
    }
}

static void test_small(void)
{
    struct planted p;
    struct compare c;
    plant(&p, &planted_noises[0], 5, 1, 1.09);
    compare(&p, &c);
    is_int(CELLS, (long long)c.verdicts[COMPARE_SAME], "nine percent are below the threshold");
    compare_clear(&c);
    plant(&p, &planted_noises[0], 5, 1, 1 / 1.11);
    compare(&p, &c);
    is_int(6, (long long)c.verdicts[COMPARE_FASTER], "what was 11 %% slower is faster");
    is_int(0, (long long)c.verdicts[COMPARE_SLOWER], "and nothing is slower");
    compare_clear(&c);
    plant(&p, &planted_noises[0], 1, 1, 2);
    compare(&p, &c);
    is_int(6, (long long)c.verdicts[COMPARE_UNTESTED], "in one launch nothing is tested");
    is_int(0, (long long)c.tests, "as there is no test");
    compare_clear(&c);
    p.facts.deterministic = 1;
    compare(&p, &c);
    is_int(6, (long long)c.verdicts[COMPARE_SLOWER], "times that are certain want none");
    is_str("openmpi:binomial", c.row[0].ran_before.algorithm, "what ran before");
    is_str("openmpi:chain", c.row[0].ran_after.algorithm, "and after");
    ok(c.row[0].change_pct >= c.row[1].change_pct, "the gravest first");
    compare_clear(&c);
    p.points.n -= 2;
    p.row[0].status = POINT_FAILED;
    compare(&p, &c);
    is_int(CELLS - 2, (long long)c.n, "cells with both times are compared");
    is_int(1, (long long)c.only_after, "the others are counted");
    compare_clear(&c);
}

static void note_pair(size_t before, size_t after, void *to)
{
    char *text = to;
    snprintf(text + strlen(text), 64 - strlen(text), "%zu-%zu ", before, after);
}

static void test_releases(void)
{
    struct facts f = { .n_mpis = 5 };
    char pairs[64] = "";
    static const char *const names[] = { "openmpi-4.1", "mpich-4.0", "openmpi-5", "intel",
                                         "openmpi-6" };
    for (size_t i = 0; i < 5; i++)
        snprintf(f.mpi[i], NAME_SIZE, "%s", names[i]);
    compare_releases(&f, note_pair, pairs);
    is_str("0-2 2-4 ", pairs, "releases of one family, each with the next");
}

int main(void)
{
    test_null();
    test_found();
    test_small();
    test_releases();
    test_crowded();
    return tap_done();
}
