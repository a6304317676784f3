/* SPDX-License-Identifier: BSD-3-Clause */
/* star_bench-t.c - STAR-MPI's micro-benchmark: the state machine with times that are given, and
 * with walked ones; when a search has paid; the file. */
#include "analysis/adapt/star_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/study/topology.h"
#include "tests/tap.h"

/* ---- given times ---- */

enum { PROCS = 4 };

struct given {
    const int64_t *ns; /* of a candidate, on every rank */
    int calls, agreed;
};

static int give(void *state, int candidate, int64_t *ns, struct err *err)
{
    struct given *g = state;
    (void)err;
    g->calls++;
    *ns = PROCS * g->ns[candidate];
    return 0;
}

static int give_agreement(void *state, size_t numbers, int64_t *ns, struct err *err)
{
    struct given *g = state;
    (void)err;
    (void)numbers;
    g->agreed++;
    *ns = PROCS * 1000;
    return 0;
}

/* A repository of the paper's. */
static void make(struct repository *r, const char *collective, int procs, uint64_t bytes)
{
    const struct schedule_arguments a = { .procs = procs, .bytes = bytes, .element_bytes = 8 };
    repository_make(r, REPOSITORY_PAPER, NULL, collective_find(collective), &a);
}

static void test_given(void)
{
    struct repository r;
    int64_t ns[64];
    struct given g = { .ns = ns };
    const struct star_clock clock = { &g, give, give_agreement };
    struct star_row row = {
        .procs = PROCS, .repository = REPOSITORY_PAPER, .scheme = STAR_ENHANCED, .default_s = 3e-6
    };
    struct err err = { 0 };
    make(&r, "alltoall", 16, 2048);
    for (int i = 0; i < r.n; i++)
        ns[i] = 4000;
    ns[r.n - 1] = ns[r.n - 2] = 2000; /* the last group's */
    is_int(0, star_bench_drive(&r, &clock, 60, &row, &err), "the machine runs on given times");
    is_int(60, row.measured, "five groups and one more of the best: 60 calls of Measure_Select");
    is_int(row.measured, row.expected, "as reckoned");
    is_int(60, row.monitored, "and as many behind it as were asked for");
    is_int(120, g.calls, "all of which were made");
    is_int(4, row.agreements, "agreed on twice while measuring, after 20 and after 40 calls more");
    is_int(g.agreed, row.agreements, "each of them timed");
    is_near(40 * 4000e-9 / 60 + 20 * 2000e-9 / 60, row.o_ms_c_s, 1e-12, "O_MS^c: the mean call");
    is_near(2 * 1000e-9 / 60, row.o_ms_a_s, 1e-12, "O_MS^a: two agreements over 60 calls");
    is_near(2000e-9 + 2 * 1000e-9 / 60, row.monitor_call_s, 1e-12, "a call of Monitor_Adapt");
    const double lost = 60 * (row.measure_call_s - 3e-6), gain = 3e-6 - row.monitor_call_s;
    is_near(60 + lost / gain, star_pays_after(&row), 1e-9, "when that has paid");
    star_row_finish(&row);
    is_near(100 * (1 - row.monitor_call_s / 3e-6), row.saved_pct, 1e-9, "what a call gains then");
    row.default_s = 2e-6;
    ok(isinf(star_pays_after(&row)), "beside a default as fast as the best it never does");
    row.default_s = 5e-6;
    is_near(0, star_pays_after(&row), 0, "beside a slow one it loses nothing");
    repository_clear(&r);
}

/* ---- walked ---- */

static int walk(const struct cluster *cluster, int procs, struct star_row *row, struct err *err)
{
    const struct star_bench bench = { .cluster = cluster,
                                      .seating = topology_seating(cluster, "node", procs, 1, procs),
                                      .rule = "mpich40",
                                      .calls = 20 };
    return star_bench_walk(&bench, row, err);
}

/* Table 1 of the paper, on its topology (a). */
static void test_walked(const struct cluster *a)
{
    static const struct {
        const char *collective;
        uint64_t bytes;
        int basic, groups;
    } cells[] = { { "alltoall", 2048, 90, 5 },   { "alltoall", 131072, 90, 5 },
                  { "allgather", 2048, 120, 6 }, { "allgather", 131072, 120, 6 },
                  { "allreduce", 2048, 200, 3 }, { "allreduce", 131072, 200, 3 } };
    struct err err = { 0 };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        for (int scheme = 0; scheme < N_STAR_SCHEMES; scheme++) {
            struct star_row row = { .bytes = cells[i].bytes,
                                    .repository = REPOSITORY_PAPER,
                                    .scheme = (enum star_scheme)scheme };
            snprintf(row.collective, sizeof row.collective, "%s", cells[i].collective);
            if (!ok(walk(a, 16, &row, &err) == 0, "%s of %llu bytes, %s, is walked", row.collective,
                    (unsigned long long)row.bytes, star_scheme_words[scheme])) {
                diag("%s", err.text);
                continue;
            }
            is_int(row.expected, row.measured, "... in as many calls as its winner makes");
            if (scheme == STAR_BASIC)
                is_int(cells[i].basic, row.measured, "... which the paper prints");
            else
                is_int(cells[i].groups, row.groups, "... of so many groups");
            ok(row.default_s > 0 && row.static_s > 0 && row.monitor_call_s > 0 &&
                   row.measure_call_s > 0 && row.o_ma_s > 0,
               "... with all its times");
        }
}

/* The choice is the fastest in the loop; where one comes late, too. */
static void test_late(const struct cluster *a)
{
    struct err err = { 0 };
    struct star_row row = { .collective = "allgather",
                            .bytes = 16384,
                            .repository = REPOSITORY_PAPER,
                            .scheme = STAR_BASIC },
                    late = row, again = row;
    late.late_s = 5e-3;
    ok(walk(a, 16, &row, &err) == 0 && walk(a, 16, &late, &err) == 0 &&
           walk(a, 16, &again, &err) == 0,
       "a loop, one with a late rank, and the first once more");
    is_near(row.measure_s, again.measure_s, 0, "the same walk has the same times");
    is_str(row.algorithm, again.algorithm, "and the same choice");
    ok(late.default_s > row.default_s + 4e-3, "ranks wait for a late one");
    ok(late.monitor_call_s < late.static_s * 1.01 + late.o_ma_s,
       "what star chooses there is no slower than what is fastest where all come together");
}

/* ---- the file ---- */

static void test_file(void)
{
    char dir[] = "/tmp/star-t.XXXXXX", path[64];
    struct err err = { 0 };
    struct star_row one = { .collective = "alltoall",
                            .procs = 16,
                            .bytes = 2048,
                            .measured = 90,
                            .static_s = NAN,
                            .backend = "walk" },
                    other = one, *rows = NULL;
    size_t n = 0;
    other.late_s = 0.001;
    star_rows_put(&rows, &n, &one);
    star_rows_put(&rows, &n, &other);
    one.measured = 50;
    star_rows_put(&rows, &n, &one);
    is_int(2, (long long)n, "a cell has one row, and another with a late rank");
    if (!ok(mkdtemp(dir) && star_rows_write(dir, rows, n, &err) == 0, "rows are written"))
        diag("%s", err.text);
    free(rows);
    rows = schema_read_any(&star_schema, dir, &n, &err);
    ok(rows && n == 2 && rows[0].measured == 50 && isnan(rows[0].static_s) &&
           rows[1].measured == 90 && rows[1].late_s > 0,
       "and read again");
    free(rows);
    snprintf(path, sizeof path, "%s/star.csv", dir);
    unlink(path);
    rows = schema_read_any(&star_schema, dir, &n, &err);
    ok(rows && n == 0, "a file that is not there has none");
    free(rows);
    rmdir(dir);
}

int main(void)
{
    struct cluster a;
    struct err err = { 0 };
    test_given();
    test_file();
    if (ok(cluster_load("clusters", "star-a", &a, &err) == 0, "star-a %s", err.text)) {
        test_walked(&a);
        test_late(&a);
        cluster_free(&a);
    }
    return tap_done();
}
