/* SPDX-License-Identifier: BSD-3-Clause */
/* star-t.c - STAR-MPI's algorithm, its repository, and tables: as many calls as the paper prints,
 * the same decisions on all ranks, what follows from times. */
#include "workloads/libcollsel/star.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/adapt/star_row.h"
#include "tests/planted_star.h"
#include "tests/tap.h"
#include "workloads/libcollsel/repository.h"
#include "workloads/libcollsel/choice_table.h"

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
        struct star_row row = { .repository = REPOSITORY_PAPER, .scheme = STAR_BASIC };
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
    is_int(300, (long long)(star_seconds(s, 0, NULL) * 1e9 + 0.5), "what is known of one");
    is_int(100, (long long)(star_seconds(s, 1, NULL) * 1e9 + 0.5), "and of another");
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
    ok(star_seconds(s, 1, NULL) > 490e-9, "the other is known as it was then");
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

/* ---- the judge that is sure ---- */

static const struct star_options sure = { .judge = STAR_SURE, .cost = 0.02 };

/* The library's own call, one that is as fast, a better one, one that takes fifty times as long. */
enum { OWN, ALIKE, BETTER, TERRIBLE, N_GIVEN };
static const struct star_prior given[N_GIVEN] = { { 2, 0 }, { 10, 0 }, { 12, 0 }, { 20, 0 } };

/* Ten agreements take as long as a call. What each candidate ran is counted. */
static void call_sure(struct star *s, const int64_t *ns, int *ran, int64_t agree)
{
    int64_t *values;
    if (star_wants(s))
        star_begin(s, N_GIVEN, given);
    const int c = star_next(s);
    ran[c]++;
    star_own(s, 0);
    if (star_record(s, ns[c], &values) > 0) {
        star_agreed(s, 1);
        star_own(s, agree);
    }
}

static void test_sure(void)
{
    int64_t ns[N_GIVEN] = { 1000, 1000, 800, 50000 };
    int ran[N_GIVEN] = { 0 }, agreements = 0;
    struct star *s = star_new(&sure, 0, NULL);
    for (int i = 0; i < 99; i++)
        call_sure(s, ns, ran, 100);
    is_int(0, star_agreements(s), "in the first calls nothing is agreed on");
    for (int i = 0; i < 4901; i++)
        call_sure(s, ns, ran, 100);
    is_int(BETTER, star_choice(s), "what is surely faster runs in the end");
    is_int(1, star_changes(s), "one change");
    ok(ran[BETTER] > 4000, "from early on (%d of 5000 calls)", ran[BETTER]);
    ok(ran[TERRIBLE] >= 1 && ran[TERRIBLE] <= 2, "what is terrible runs twice at most (%d)",
       ran[TERRIBLE]);
    int calls;
    is_int(800, llround(star_seconds(s, BETTER, NULL) * 1e9), "what the choice takes");
    is_int(1000, llround(star_seconds(s, OWN, &calls) * 1e9), "and the own call");
    ok(calls < ran[OWN], "which was checked in turns");
    agreements = star_agreements(s);
    for (int i = 0; i < 50000; i++)
        call_sure(s, ns, ran, 100);
    ok(star_agreements(s) - agreements < 170, "agreements become rare (%d in 50,000 calls)",
       star_agreements(s) - agreements);
    ns[BETTER] = 1500;
    for (int i = 0; i < 20000; i++)
        call_sure(s, ns, ran, 100);
    ok(star_choice(s) != BETTER, "when it becomes slower than the own call it gives way");
    ns[ALIKE] = 500;
    for (int i = 0; i < 60000; i++)
        call_sure(s, ns, ran, 100);
    is_int(ALIKE, star_choice(s), "what becomes faster is found, though nothing else has changed");
    star_free(s);
}

/* Calls that an agreement takes longer than, and calls that are few. */
static void test_not_worth_it(void)
{
    const int64_t ns[N_GIVEN] = { 1000, 1000, 800, 50000 };
    int ran[N_GIVEN] = { 0 };
    struct star *s = star_new(&sure, 0, NULL);
    for (int i = 0; i < 20000; i++)
        call_sure(s, ns, ran, 200000);
    is_int(20000, ran[OWN], "where an agreement takes as long as 200 calls nothing is tried");
    ok(star_agreements(s) <= 3, "and ranks hardly agree (%d times)", star_agreements(s));
    star_free(s);
}

/* What one run has learnt the next one begins with, and tries less than in one call of a hundred.
 */
static void test_learnt(void)
{
    const int64_t ns[N_GIVEN] = { 1000, 1000, 800, 50000 };
    struct star_learnt learnt[N_GIVEN];
    int ran[N_GIVEN] = { 0 }, begun = 0, trials = 0;
    struct star *s = star_new(&sure, 0, NULL);
    for (int i = 0; i < 5000; i++)
        call_sure(s, ns, ran, 100);
    for (int c = 0; c < N_GIVEN; c++) {
        star_tell(s, c, &learnt[c]);
        ok(sure_is_sound(&learnt[c]), "what is told of %d is sound", c);
    }
    star_free(s);
    s = star_new(&sure, 0, NULL);
    for (int i = 0; i < 3000; i++) {
        if (star_wants(s)) {
            star_begin(s, N_GIVEN, given);
            for (int c = 0; c < N_GIVEN; c++)
                star_learn(s, c, &learnt[c]);
            begun = i;
        }
        trials += star_stage(s) == STAR_MEASURE;
        call_sure(s, ns, ran, 100);
        if (begun == i && i)
            is_int(BETTER, star_choice(s), "the next run begins with the choice, at call %d", i);
    }
    is_int(BETTER, star_choice(s), "and stays with it");
    ok(begun && trials <= 30, "trials are one call in a hundred at most (%d of 3000)", trials);
    star_free(s);
}

/* ---- planted workloads, the truth known: seeds that chose nothing ---- */

enum { SEED = 5000, SEEDS = 40 };

static void test_planted(void)
{
    static const long calls[] = { 50, 200, 1000, 10000 };
    double kept = 0, gain = 0, theirs_kept = 0;
    for (int kind = 0; kind < N_PLANTED_KINDS; kind++)
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            struct planted_sums ours = { 0 }, theirs = { 0 };
            for (uint64_t seed = SEED; seed < SEED + SEEDS; seed++) {
                struct planted_star p;
                planted_star_make(&p, (enum planted_kind)kind, calls[i], seed);
                planted_add(&ours, &p, &sure);
                planted_add(&theirs, &p, &star_usual);
            }
            const double upper = planted_mean(&ours) + planted_half(&ours);
            ok(upper <= 1.03,
               "%s, %ld calls: %.4f of the own call's time, at most %.4f (the paper's: %.3f)",
               planted_kind_words[kind], calls[i], planted_mean(&ours), upper,
               planted_mean(&theirs));
            ok(ours.most <= 0.1, "... and never %.3f behind it at any moment", ours.most);
            if (calls[i] < 10000)
                continue;
            kept += ours.kept, gain += ours.gain, theirs_kept += theirs.kept;
            if (kind != FLAT)
                ok(ours.kept > 0.7 * ours.gain, "... and %.2f of the gain is kept",
                   ours.kept / ours.gain);
        }
    ok(kept >= 0.8 * gain, "of 10,000 calls %.3f of the gain is kept (the paper's: %.3f)",
       kept / gain, theirs_kept / gain);
}

/* ---- ranks ---- */

/* Ranks whose times differ, some late by turns, take the same candidates in every call. */
static void test_ranks(const struct star_options *options)
{
    enum { RANKS = 4, N = 5, CALLS = 3000 };
    static const int group[N] = { 0, 1, 1, 2, 2 };
    static const struct star_prior prior[N] = { { 2, 0 }, { 4, 0 }, { 5, 0 }, { 6, 0 }, { 7, 0 } };
    struct star *s[RANKS];
    int apart = 0;
    for (int r = 0; r < RANKS; r++)
        s[r] = star_new(options, N, group);
    for (int i = 0; i < CALLS; i++) {
        int64_t *values[RANKS], sum[2 * 10 * N] = { 0 } /* room for a round of a duel */;
        size_t n = 0;
        const int wants = star_wants(s[0]);
        for (int r = 0; r < RANKS; r++) {
            apart += star_wants(s[r]) != wants;
            if (wants)
                star_begin(s[r], N, prior);
        }
        const int first = star_next(s[0]);
        for (int r = 0; r < RANKS; r++) {
            const int c = star_next(s[r]);
            star_own(s[r], 10 + r);
            apart += c != first;
            n = star_record(s[r], 1000 - 70 * c + (i * (r + 3)) % 97 * (i / 1500 + 1), &values[r]);
        }
        for (int r = 0; r < RANKS; r++)
            for (size_t k = 0; k < n; k++)
                sum[k] += values[r][k];
        for (int r = 0; n && r < RANKS; r++) {
            memcpy(values[r], sum, n * sizeof *sum);
            star_agreed(s[r], RANKS);
            star_own(s[r], 30 + 5 * r);
        }
    }
    is_int(0, apart, "ranks agree in each of %d calls", CALLS);
    ok(star_agreements(s[0]) > 5, "which they agreed on %d times, and changed their minds %d times",
       star_agreements(s[0]), star_changes(s[0]));
    for (int r = 0; r < RANKS; r++)
        star_free(s[r]);
}

/* The library's start is paid first: what is spent with it stays within the bound, or is the start
 * and agreements alone. */
static void test_start(void)
{
    int early = 0, late = 0, tried = 0;
    double beyond = 0, over = 0;
    for (uint64_t seed = 500; seed < 560; seed++) {
        struct planted_star p;
        struct planted_out out;
        planted_star_make(&p, FLAT, 1000, seed);
        p.start = 10e6;
        planted_star_run(&p, &sure, &out);
        const int is_paid = sure.cost * out.own > p.start;
        early += !is_paid && out.trials > 0;
        beyond = is_paid ? beyond : fmax(beyond, (out.star - p.start - out.own) / out.own);
        late += is_paid;
        tried += is_paid && out.trials > 0;
        over += is_paid ? (out.star - out.own) / out.own : 0;
    }
    is_int(0, early, "nothing is tried before the library's start is paid");
    ok(beyond < 0.01, "agreements cost less than 1 %% then (%.4f)", beyond);
    ok(late >= 10 && 2 * tried > late, "behind that there are trials (%d of %d)", tried, late);
    ok(over / late < 0.025, "with the start they cost %.4f in the mean", over / late);
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
    struct choice_table *t = choice_table_parse(text, strlen(text), "x.csv", &err);
    if (!ok(t != NULL, "a table is read"))
        diag("%s", err.text);
    is_str("binomial",
           choice_table_find(t, "bcast", &(struct comm_shape){ .procs = 8 }, 1024)->alg->name,
           "the first row that fits");
    const struct choice *c =
        choice_table_find(t, "bcast", &(struct comm_shape){ .procs = 99 }, 1025);
    is_str("chain", c->alg->name, "a range without an end");
    ok(c->segment_bytes == 8192 && c->fanout == 4, "with its parameters");
    ok(choice_table_find(t, "bcast", &(struct comm_shape){ .procs = 9 }, 1024) == NULL,
       "no row that fits");
    ok(choice_table_find(t, "allreduce", &(struct comm_shape){ .procs = 9 }, 1)->alg == NULL,
       "the library's own");
    choice_table_free(t);
}

/* Communicators with as many ranks are not alike. */
static void test_placed_table(void)
{
    struct err err = { 0 };
    static const char text[] = "collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,"
                               "segment_bytes,fanout,nodes,ppn\n"
                               "bcast,,,,,portable:binomial,,,1,\n"
                               "bcast,,,,,portable:chain,,,4,1\n"
                               "bcast,,,,,portable:basic_linear,,,,\n";
    static const struct {
        struct comm_shape shape;
        const char *wanted;
    } cases[] = { { { 4, 1, 4 }, "binomial" },
                  { { 4, 4, 1 }, "chain" },
                  { { 8, 4, 2 }, "basic_linear" },
                  { { 4, 0, 0 }, "basic_linear" } };
    struct choice_table *t = choice_table_parse(text, strlen(text), "x.csv", &err);
    if (!ok(t != NULL, "a table that goes by nodes is read"))
        diag("%s", err.text);
    for (size_t i = 0; t && i < sizeof cases / sizeof *cases; i++)
        is_str(cases[i].wanted, choice_table_find(t, "bcast", &cases[i].shape, 8)->alg->name,
               "%d ranks on %d nodes, at most %d on one", cases[i].shape.procs,
               cases[i].shape.nodes, cases[i].shape.ppn);
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
        struct choice_table *t = choice_table_parse(text, strlen(text), "x.csv", &err);
        if (!ok(!t && strncmp(err.text, bad[i].wanted, strlen(bad[i].wanted)) == 0, "refused: %s",
                bad[i].wanted))
            diag("seen: %s", err.text);
        choice_table_free(t);
    }
    struct err err = { 0 };
    ok(!choice_table_parse("", 0, "x.csv", &err) &&
           !choice_table_parse("bcast\n", 6, "x.csv", &err),
       "a table wants its header");
    const int n =
        snprintf(text, sizeof text, "%sbcast,,,,,default,,\n%c\nbcast,,,,,none,,\n", head, 0);
    ok(!choice_table_parse(text, (size_t)n, "x.csv", &err),
       "what stands behind a NUL is not left out");
    is_str("x.csv:4: a NUL character (want text)", err.text, "... as is said");
}

/* ---- what a run saved, against the plain program's time ---- */

enum { KINDS = 5, PROGRAMS = 600, MOST_CALLS = 12000 };

/* A program: calls of planted times, on a machine with slow stretches. */
struct program {
    double base_ns[KINDS];
    double slow[MOST_CALLS]; /* of each call: how much longer all take just then */
    int calls;
};

static double noisy(struct rng *rng)
{
    const double u = rng_unit(rng);
    return 0.95 - 0.05 * log(1 - u) + (rng_unit(rng) < 0.01 ? 2 : 0);
}

static void plant_program(struct program *p, struct rng *rng, int alike)
{
    p->calls = 2000 + (int)(10000 * rng_unit(rng));
    for (int c = 0; c < KINDS; c++)
        p->base_ns[c] = 20000 * (c == 0 || alike ? 1 : 0.6 + 0.8 * rng_unit(rng));
    for (int i = 0; i < p->calls;) {
        const double slow = rng_unit(rng) < 0.5 ? 1 : 1 + 3 * rng_unit(rng);
        const int until = i + 20 + (int)(1200 * rng_unit(rng));
        for (; i < p->calls && i < until; i++)
            p->slow[i] = slow;
    }
}

struct run_out {
    double tuned_s, plain_s;
    struct star_saving saving;
    enum star_word word;
};

/* The program under star, and, of the same stretches, plain. */
static struct run_out run_program(const struct program *p, struct rng *rng)
{
    static const struct star_prior prior[KINDS] = {
        { 2, 0 }, { 4, 0 }, { 4, 0 }, { 4, 0 }, { 4, 0 }
    };
    struct run_out out = { .tuned_s = 0 };
    int64_t *values;
    struct star *s = star_new(&sure, 0, NULL);
    for (int i = 0; i < p->calls; i++) {
        if (star_wants(s))
            star_begin(s, KINDS, prior);
        const double ns = floor(p->base_ns[star_next(s)] * p->slow[i] * noisy(rng));
        out.tuned_s += ns * 1e-9;
        out.plain_s += p->base_ns[0] * p->slow[i] * noisy(rng) * 1e-9;
        if (star_record(s, (int64_t)ns, &values) > 0) {
            star_agreed(s, 1);
            star_own(s, 2000);
            out.tuned_s += 2000e-9;
        }
    }
    out.word = star_saving(s, &out.saving);
    star_free(s);
    return out;
}

static void test_saved(void)
{
    struct rng rng;
    struct program *p = calloc(1, sizeof *p);
    int known = 0, held = 0, wrong = 0, gained = 0, narrow = 0;
    rng_init(&rng, 20261128);
    for (int k = 0; k < PROGRAMS; k++) {
        plant_program(p, &rng, k % 3 == 0);
        const struct run_out r = run_program(p, &rng);
        const double saved_s = r.plain_s - r.tuned_s;
        known += r.saving.is_known;
        held += r.saving.is_known && fabs(saved_s - r.saving.saved_s) <= r.saving.half_s;
        narrow += r.saving.is_known && r.saving.half_s < 0.1 * r.plain_s;
        gained += r.word == STAR_GAINED;
        wrong += (r.word == STAR_GAINED && saved_s <= 0) || (r.word == STAR_LOST && saved_s >= 0);
    }
    diag("known %d, held %d, narrow %d, gained %d, wrong %d", known, held, narrow, gained, wrong);
    ok(known > PROGRAMS * 4 / 5, "what a run saved is known of most programs");
    ok(held >= known * 97 / 100, "the plain program's time lies in nearly all intervals");
    ok(narrow > known / 2, "most of which are narrower than a fifth of it");
    ok(gained > PROGRAMS / 4, "gains are told");
    ok(wrong <= PROGRAMS / 200, "and no word is wrong");
    free(p);
}

int main(void)
{
    test_table_1();
    test_repository();
    test_monitor();
    test_lapse();
    test_group_later();
    test_sure();
    test_not_worth_it();
    test_learnt();
    test_planted();
    test_start();
    test_ranks(&star_usual);
    test_ranks(&sure);
    test_table();
    test_placed_table();
    test_bad_tables();
    test_saved();
    return tap_done();
}
