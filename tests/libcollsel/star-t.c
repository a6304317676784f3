/* SPDX-License-Identifier: BSD-3-Clause */
/* star-t.c - STAR-MPI's algorithm, its repository, and tables: as many calls as the paper prints,
 * the same decisions on all ranks, what follows from times. */
#include "workloads/libcollsel/star.h"

#include <string.h>

#include "analysis/star/row.h"
#include "tests/tap.h"
#include "workloads/libcollsel/repository.h"
#include "workloads/libcollsel/table.h"

/* ---- one rank alone ---- */

/* A call of candidate c takes ns[c]. Returns the candidate. */
static int call(struct star *s, const int64_t *ns)
{
    int64_t *values;
    const int c = star_next(s);
    if (star_record(s, ns[c], &values) > 0)
        star_agreed(s, 1);
    return c;
}

static int calls_to_measure(struct star *s, const int64_t *ns)
{
    int n = 0;
    for (; star_stage(s) == STAR_MEASURE; n++)
        call(s, ns);
    return n;
}

static void make(struct repository *r, enum repository_kind kind, const char *collective, int procs,
                 uint64_t bytes)
{
    const struct schedule_arguments a = { .procs = procs, .bytes = bytes };
    repository_make(r, kind, "openmpi", collective_find(collective), &a);
}

/* Table 1 of the paper: 16 processes. */
static void test_table_1(void)
{
    static const struct {
        const char *collective;
        uint64_t bytes;
        int calls, groups;
    } cells[] = { { "alltoall", 2048, 90, 5 },   { "alltoall", 131072, 90, 5 },
                  { "allgather", 2048, 120, 6 }, { "allgather", 131072, 120, 6 },
                  { "allreduce", 2048, 200, 3 }, { "allreduce", 131072, 200, 3 } };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        struct repository r;
        struct star_options basic = star_usual;
        int64_t ns[64];
        int wrong = 0;
        basic.groups = 0;
        make(&r, REPOSITORY_PAPER, cells[i].collective, 16, cells[i].bytes);
        for (int c = 0; c < r.n; c++)
            ns[c] = 1000 + c;
        struct star *s = star_new(&basic, r.n, r.group);
        is_int(cells[i].calls, calls_to_measure(s, ns), "%s of %llu bytes: calls of Measure_Select",
               cells[i].collective, (unsigned long long)cells[i].bytes);
        star_free(s);
        struct star_row row = { .scheme = STAR_BASIC };
        star_row_expect(&row, &r, 0);
        is_int(cells[i].calls, row.expected, "... as reckoned");
        is_int(cells[i].groups, row.groups, "... groups");
        for (int best = 0; best < r.n; best++) { /* its whole group is faster than the others */
            for (int c = 0; c < r.n; c++)
                ns[c] = c == best ? 10 : r.group[c] == r.group[best] ? 20 : 1000;
            s = star_new(&star_usual, r.n, r.group);
            wrong += calls_to_measure(s, ns) != star_calls(&r, STAR_ENHANCED, best) ||
                     star_next(s) != best;
            star_free(s);
        }
        is_int(0, wrong,
               "... in groups: 10 x (groups + size of the winning one - 1), wherever the "
               "fastest is");
        repository_clear(&r);
    }
}

/* Small messages: all thirteen of the all-to-alls. */
static void test_repository(void)
{
    struct repository r;
    make(&r, REPOSITORY_PAPER, "alltoall", 16, 256);
    is_int(13, r.n, "13 all-to-alls of up to 256 bytes");
    repository_clear(&r);
    make(&r, REPOSITORY_PAPER, "allgatherv", 16, 4096);
    is_int(12, r.n, "12 allgathervs");
    repository_clear(&r);
    make(&r, REPOSITORY_PAPER, "alltoall", 5, 256);
    int pairs = 0;
    for (int i = 0; i < r.n; i++)
        pairs += strstr(r.v[i].name, "pair_") != NULL || strstr(r.v[i].name, "doubling") != NULL;
    is_int(0, pairs, "among five none that wants 2^n");
    repository_clear(&r);
    make(&r, REPOSITORY_FULL, "bcast", 8, 1024);
    ok(r.n > 10 && r.v[0].alg == NULL, "elsewhere the library's own call is the first of many");
    const int all = r.n;
    repository_clear(&r);
    make(&r, REPOSITORY_NATIVE, "bcast", 8, 1024);
    ok(r.n > 5 && r.n < all && r.v[0].alg == NULL, "and of fewer");
    int own = 0, others = 0;
    for (int i = 1; i < r.n; i++) {
        own += strncmp(r.v[i].name, "openmpi:", 8) == 0;
        others += strncmp(r.v[i].name, "portable:mpich_", 15) == 0;
    }
    ok(own > 0 && others > 0 && own + others == r.n - 1,
       "the library's by its own names, those of the other as schedules");
    repository_clear(&r);
}

/* ---- Monitor_Adapt ---- */

static void test_monitor(void)
{
    static const int group[3] = { 0, 1, 2 };
    int64_t ns[3] = { 300, 100, 200 };
    struct star *s = star_new(&star_usual, 3, group);
    calls_to_measure(s, ns);
    is_int(1, star_next(s), "the fastest runs");
    is_int(300, (long long)(star_seconds(s, 0) * 1e9 + 0.5), "what is known of one");
    is_int(100, (long long)(star_seconds(s, 1) * 1e9 + 0.5), "and of another");
    for (int i = 0; i < 20 + 40 + 80; i++)
        call(s, ns);
    is_int(1 + 3, star_agreements(s), "periods of 20, 40, 80 calls");
    for (int i = 0; i < 160 + 320 + 640 + 640 - 1; i++)
        call(s, ns);
    is_int(4 + 3, star_agreements(s), "then 160, 320, 640, and 640 again");
    call(s, ns);
    is_int(8, star_agreements(s), "which ends with its last call");
    ns[1] = 219;
    for (int i = 0; i < 640; i++)
        call(s, ns);
    is_int(1, star_next(s), "less than a tenth above the second best it stays");
    ns[1] = 500;
    for (int i = 0; i < 640; i++)
        call(s, ns);
    is_int(2, star_next(s), "more, and the second best takes over");
    is_int(1, star_changes(s), "one change");
    ok(star_seconds(s, 1) > 490e-9, "the other is known as it was then");
    for (int i = 0; i < 20; i++)
        call(s, ns);
    is_int(11, star_agreements(s), "its first period is 20 calls long");
    star_free(s);
}

/* Slow for a while, but not at its end: it stays, and is watched more closely. */
static void test_lapse(void)
{
    static const int group[2] = { 0, 1 };
    int64_t ns[2] = { 100, 200 };
    struct star *s = star_new(&star_usual, 2, group);
    calls_to_measure(s, ns);
    for (int i = 0; i < 20; i++)
        call(s, ns);
    for (int i = 0; i < 40; i++) {
        ns[0] = i < 30 ? 1000 : 100;
        call(s, ns);
    }
    is_int(0, star_next(s), "what was slow for a while stays");
    for (int i = 0; i < 20; i++)
        call(s, ns);
    is_int(4, star_agreements(s), "with a period of 20 again");
    star_free(s);
}

/* The one that takes over is of a group that was not measured: its others are, first. */
static void test_group_later(void)
{
    static const int group[4] = { 0, 1, 1, 2 };
    int64_t ns[4] = { 100, 200, 150, 900 };
    struct star *s = star_new(&star_usual, 4, group);
    is_int(30, calls_to_measure(s, ns), "three groups, the best of which has one member");
    ns[0] = 400;
    for (int i = 0; i < 20; i++)
        call(s, ns);
    is_int(STAR_MEASURE, star_stage(s), "the second best's group has another member");
    is_int(10, calls_to_measure(s, ns), "which is measured");
    is_int(2, star_next(s), "and is the best");
    star_free(s);
}

/* ---- ranks ---- */

/* Ranks whose times differ, some late by turns, take the same candidates in every call. */
static void test_ranks(void)
{
    enum { RANKS = 4, N = 5, CALLS = 3000 };
    static const int group[N] = { 0, 1, 1, 2, 2 };
    struct star *s[RANKS];
    int apart = 0;
    for (int r = 0; r < RANKS; r++)
        s[r] = star_new(&star_usual, N, group);
    for (int i = 0; i < CALLS; i++) {
        int64_t *values[RANKS], sum[2 * 10 * N] = { 0 };
        size_t n = 0;
        const int first = star_next(s[0]);
        for (int r = 0; r < RANKS; r++) {
            const int c = star_next(s[r]);
            apart += c != first;
            n = star_record(s[r], 1000 + 7 * c + (i * (r + 3)) % 997 * (i / 500 + 1), &values[r]);
        }
        for (int r = 0; r < RANKS; r++)
            for (size_t k = 0; k < n; k++)
                sum[k] += values[r][k];
        for (int r = 0; n && r < RANKS; r++) {
            memcpy(values[r], sum, n * sizeof *sum);
            star_agreed(s[r], RANKS);
        }
    }
    is_int(0, apart, "ranks agree in each of %d calls", CALLS);
    ok(star_changes(s[0]) > 0, "though they changed their minds %d times", star_changes(s[0]));
    for (int r = 0; r < RANKS; r++)
        star_free(s[r]);
}

/* ---- tables ---- */

static const char head[] =
    "# of somebody\n"
    "collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout\n";

static void test_table(void)
{
    char text[1024];
    struct err err = { 0 };
    snprintf(text, sizeof text, "%s%s", head,
             "bcast,2,8,0,1024,portable:binomial,0,\r\n"
             "bcast,2,,1025,,openmpi:chain,8192,4\n"
             "allgather,,,,,mpich:ring,,\n"
             "allreduce,,,,,openmpi:default,,\n");
    struct choice_table *t = choice_table_parse(text, "x.csv", &err);
    if (!ok(t != NULL, "a table is read"))
        diag("%s", err.text);
    is_str("binomial", choice_table_find(t, "bcast", 8, 1024)->alg->name,
           "the first row that fits");
    const struct choice *c = choice_table_find(t, "bcast", 99, 1025);
    is_str("chain", c->alg->name, "a range without an end");
    ok(c->segment_bytes == 8192 && c->fanout == 4, "with its parameters");
    ok(choice_table_find(t, "bcast", 9, 1024) == NULL, "no row that fits");
    ok(choice_table_find(t, "allreduce", 9, 1)->alg == NULL, "the library's own");
    choice_table_free(t);
}

static void test_bad_tables(void)
{
    static const struct {
        const char *rows, *wanted;
    } bad[] = {
        { "bcast,2,8,0,1024,portable:binomial,0\n", "x.csv:3: 7 fields (want 8)" },
        { "bcost,2,8,0,1024,portable:binomial,0,\n", "x.csv:3: 'bcost' is no collective" },
        { "gatherv,2,8,0,1024,default,0,\n", "x.csv:3: 'gatherv' is no collective that has" },
        { "bcast,2,8,0,1024,portable:binomiol,0,\n", "x.csv:3: 'portable:binomiol' is no" },
        { "bcast,2,8,0,1024,lam:binomial,0,\n", "x.csv:3: 'lam:binomial' is no algorithm" },
        { "bcast,9,8,0,1024,default,0,\n", "x.csv:3: a range that ends before it begins" },
        { "bcast,2,8,0,1k,default,0,\n", "x.csv:3: '1k'" },
        { "bcast,2,8,0,1,default,0,99999999999\n", "x.csv:3: fanout" },
    };
    char text[1024];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = { 0 };
        snprintf(text, sizeof text, "%s%s", head, bad[i].rows);
        struct choice_table *t = choice_table_parse(text, "x.csv", &err);
        if (!ok(!t && strncmp(err.text, bad[i].wanted, strlen(bad[i].wanted)) == 0, "refused: %s",
                bad[i].wanted))
            diag("seen: %s", err.text);
        choice_table_free(t);
    }
    struct err err = { 0 };
    ok(!choice_table_parse("", "x.csv", &err) && !choice_table_parse("bcast\n", "x.csv", &err),
       "a table wants its header");
}

int main(void)
{
    test_table_1();
    test_repository();
    test_monitor();
    test_lapse();
    test_group_later();
    test_ranks();
    test_table();
    test_bad_tables();
    return tap_done();
}
