/* SPDX-License-Identifier: BSD-3-Clause */
/* closed-t.c - the closed forms at arguments small enough to count on paper, and gamma. */
#include "analysis/walk/closed.h"
#include "tests/tap.h"
#include "workloads/schedules/sequence.h"

#include <math.h>

static const double EXACT = 1e-13;

static int procs[] = { 3, 5, 9 };
static double values[] = { 1.5, 2.5, 4.0 };
static const struct gamma gamma_table = { 3, procs, values, 0.1, 0.25, NULL };

static void check_gamma(void)
{
    const struct gamma line = { .intercept = 0.5, .slope = 0.2 };
    struct gamma owned = { .n = 1, .procs = malloc(sizeof(int)), .value = malloc(sizeof(double)) };

    is_near(1, gamma_value(&gamma_table, 1), EXACT, "gamma(1) = 1");
    is_near(1, gamma_value(&gamma_table, 2), EXACT, "gamma(2) = 1");
    is_near(1.5, gamma_value(&gamma_table, 3), EXACT, "a measured value");
    is_near(2.0, gamma_value(&gamma_table, 4), EXACT, "halfway between two");
    is_near(2.875, gamma_value(&gamma_table, 6), EXACT, "a quarter between two");
    is_near(4.0 + 0.25 * 3, gamma_value(&gamma_table, 12), EXACT,
            "above: the line's slope from the last value");
    is_near(1, gamma_value(&line, 2), EXACT, "without values, gamma(2) = 1");
    is_near(1.1, gamma_value(&line, 3), EXACT, "… the line");
    is_near(1, gamma_value(&(struct gamma){ .intercept = 0.1, .slope = 0.1 }, 5), EXACT,
            "… never below 1");
    const struct gamma both = { .intercept = 9, .receives = &gamma_table };
    is_near(7, gamma_receives(NULL, 7), 0, "receives without a gamma: one after the other");
    is_near(7, gamma_receives(&gamma_table, 7), 0, "… with one of sends alone, too");
    is_near(3.625, gamma_receives(&both, 7), EXACT, "seven measured ones: the fan-in's gamma(8)");
    is_near(1, gamma_receives(&both, 1), EXACT, "one is one");
    is_near(0, gamma_receives(&both, 0), EXACT, "none is none");
    const struct gamma noisy = { .n = 1, .procs = procs, .value = (double[]){ 0.1 } };
    is_near(1, gamma_receives(&(struct gamma){ .receives = &noisy }, 2), EXACT,
            "two are not quicker than one, whatever a noisy fan-in says");
    gamma_clear(&owned);
    ok(owned.n == 0 && !owned.procs, "cleared");
}

/* alpha = 1, beta = 1e-3: the digits show messages and bytes. */
static const struct {
    const char *collective, *name;
    int procs;
    uint64_t bytes, segment;
    int fanout;
    double derived, traditional;
} table[] = {
    /* gamma(8) = 3.625 */
    { "bcast", "basic_linear", 8, 80, 0, 0, 3.625 * 1.08, 7 * 1.08 },
    { "bcast", "pipeline", 8, 80, 20, 0, 10 * 1.02, 10 * 1.02 },
    { "bcast", "chain", 8, 80, 20, 3, (4 * 2.0 + 2) * 1.02, (4 * 3 + 2) * 1.02 },
    { "bcast", "chain", 3, 80, 20, 9, (4 * 1.5) * 1.02, (4 * 2) * 1.02 },
    { "bcast", "binary_tree", 7, 80, 20, 0, (2 + 4 - 1) * 1.5 * 1.02, 2 * (3 + 4 - 2) * 1.02 },
    { "bcast", "split_binary_tree", 7, 80, 20, 0, (2 + 2 - 1) * 1.5 * 1.02 + 1.04,
      2 * (3 + 2 - 2) * 1.02 + 1.04 },
    { "bcast", "binomial", 8, 80, 20, 0, (4 * 2.0 + 1.5 + 1) * 1.02, 4 * 3 * 1.02 },
    { "bcast", "knomial", 9, 80, 20, 3, (4 * 2.5 + 1.5) * 1.02, 4 * 2 * 2 * 1.02 },
    { "bcast", "scatter_allgather", 8, 80, 0, 0, 6 + 0.14, 6 + 0.14 },
    { "bcast", "scatter_allgather_ring", 8, 80, 0, 0, 10 + 0.14, 10 + 0.14 },
    { "bcast", "mpich_binomial", 9, 80, 0, 0, 4 * 1.08, 4 * 1.08 },
    { "gather", "basic_linear", 8, 80, 0, 0, 7 * 1.08, 7 * 1.08 },
    { "gather", "linear_sync", 8, 80, 0, 0, NAN, 7 * 3.08 },
    { "gather", "binomial", 8, 80, 0, 0, 3 + 7 * 0.08, 3 + 7 * 0.08 },
    { "scatter", "basic_linear", 8, 80, 0, 0, 7 * 1.08, 7 * 1.08 },
    { "scatter", "binomial", 7, 80, 0, 0, 3 + 6 * 0.08, 3 + 6 * 0.08 },
    { "scatter", "linear_nb", 8, 80, 0, 0, 3.625 * 1.08, 7 * 1.08 },
    /* The root is rank 0: 1 to 3, 4 to 6, 7. */
    { "scatter", "linear_nb", 8, 80, 0, 3, (2 * 2.0 + 1) * 1.08, 7 * 1.08 },
    { "alltoall", "linear", 8, 80, 0, 0, 7 * 1.08, 7 * 1.08 },
    { "alltoall", "linear_sync", 8, 80, 0, 3, 7 * 1.08, 7 * 1.08 },
    { "alltoall", "pairwise", 8, 80, 0, 0, 7 * 1.08, 7 * 1.08 },
    /* Half of the blocks in each of three steps; of six ranks 3, 2 and 2 blocks. */
    { "alltoall", "modified_bruck", 8, 80, 0, 0, 3 + 12 * 0.08, 3 + 12 * 0.08 },
    { "alltoall", "mpich_brucks", 6, 80, 0, 0, 3 + 7 * 0.08, 3 + 7 * 0.08 },
    { "alltoallv", "pairwise", 8, 80, 0, 0, 7 * 1.08, 7 * 1.08 },
    { "alltoallv", "basic_linear", 8, 80, 0, 0, 7 * 1.08, 7 * 1.08 },
    { "allgatherv", "bruck", 9, 80, 0, 0, 4 + 8 * 0.08, 4 + 8 * 0.08 },
    { "allgatherv", "neighbor", 8, 80, 0, 0, 4 + 7 * 0.08, 4 + 7 * 0.08 },
    { "allgatherv", "mpich_ring", 8, 80000, 0, 0, 7 * (3 + 80), 7 * (3 + 80) },
    { "barrier", "linear", 8, 0, 0, 0, 14, 14 },
    { "barrier", "double_ring", 8, 0, 0, 0, 16, 16 },
    { "barrier", "recursive_doubling", 8, 0, 0, 0, 3, 3 },
    { "barrier", "recursive_doubling", 9, 0, 0, 0, 5, 5 },
    { "barrier", "bruck", 9, 0, 0, 0, 4, 4 },
    { "barrier", "tree", 8, 0, 0, 0, 6, 6 },
    { "barrier", "bruck", 1, 0, 0, 0, 0, 0 },
    { "gather", "called_linear", 8, 80, 0, 0, 3.625 + 7 * 1.08, 7 * 2.08 },
    { "reduce", "linear", 8, 80, 0, 0, 7 * 1.08, 7 * 1.08 },
    { "reduce", "pipeline", 8, 80, 20, 0, 10 * 1.02, 10 * 1.02 },
    { "reduce", "chain", 8, 80, 20, 3, (4 * 3 + 2) * 1.02, (4 * 3 + 2) * 1.02 },
    { "reduce", "binary", 7, 80, 20, 0, 2 * (2 + 4 - 1) * 1.02, 2 * (3 + 4 - 2) * 1.02 },
    { "reduce", "binomial", 8, 80, 20, 0, (3 + 3 * 3 + 1) * 1.02, 4 * 3 * 1.02 },
    { "reduce", "binomial", 8, 80, 0, 0, 3 * 1.08, 3 * 1.08 },
    /* Root 0 is not the last rank. */
    { "reduce", "in-order_binary", 7, 80, 20, 0, 10 * 1.02 + 1.08, 10 * 1.02 + 1.08 },
    { "reduce", "rabenseifner", 8, 80, 0, 0, 6 + 0.14, 6 + 0.14 },
    { "reduce", "rabenseifner", 9, 80, 0, 0, 8 + 0.14 + 0.08, 8 + 0.14 + 0.08 },
    { "reduce", "mpich_binomial", 9, 80, 0, 0, 4 * 1.08, 4 * 1.08 },
    { "reduce", "mpich_reduce_scatter_gather", 9, 80, 0, 0, 7 + 0.14 + 0.08, 7 + 0.14 + 0.08 },
    /* Fewer bytes than ranks: linear; binomial. */
    { "reduce", "rabenseifner", 8, 7, 0, 0, 7 * 1.007, 7 * 1.007 },
    { "reduce", "mpich_reduce_scatter_gather", 8, 7, 0, 0, 3 * 1.007, 3 * 1.007 },
    { "bcast", "chain", 1, 80, 20, 0, 0, 0 },
    { "bcast", "binomial", 8, 0, 20, 0, 0, 0 },
    /* What runs instead: a pipeline, linear. */
    { "bcast", "split_binary_tree", 7, 80, 60, 0, 7 * 1.04, 7 * 1.04 },
    { "bcast", "scatter_allgather", 8, 7, 0, 0, 3.625 * 1.007, 7 * 1.007 },
    { "allreduce", "basic_linear", 8, 80, 0, 0, (7 + 3.625) * 1.08, 14 * 1.08 },
    { "allreduce", "recursive_doubling", 8, 80, 0, 0, 3 * 1.08, 3 * 1.08 },
    { "allreduce", "recursive_doubling", 9, 80, 0, 0, 5 * 1.08, 5 * 1.08 },
    { "allreduce", "ring", 8, 80, 0, 0, 14.14, 14.14 },
    { "allreduce", "mpich_reduce_scatter_allgather", 9, 80, 0, 0, 8 + 0.3, 8 + 0.3 },
    { "reduce_scatter", "linear", 8, 80, 0, 0, 7 * 1.08, 7 * 1.08 },
    { "reduce_scatter", "recursive_halving", 8, 80, 0, 0, 3 + 0.56, 3 + 0.56 },
    /* three ranks as two: three blocks to be folded, two to be halved, one given back */
    { "reduce_scatter_block", "recursive_halving", 3, 80, 0, 0, 3 + 0.48, 3 + 0.48 },
    { "reduce_scatter_block", "mpich_pairwise", 8, 80, 0, 0, 7 * 1.08, 7 * 1.08 },
    { "scan", "linear", 8, 80, 0, 0, 7 * 1.08, 7 * 1.08 },
    { "scan", "recursive_doubling", 8, 80, 0, 0, 3 * 1.08, 3 * 1.08 },
    { "exscan", "linear", 8, 80, 0, 0, 7 * 1.08, 7 * 1.08 },
};

static void check_forms(void)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct schedule s;
        struct err err = { 0 };
        schedule_init(&s, algorithm_find(table[i].collective, table[i].name), table[i].procs, 0,
                      table[i].bytes, table[i].segment, table[i].fanout, &err);
        is_near(table[i].derived, closed_time(CLOSED_STAGE, &s, &gamma_table, 1, 1e-3), EXACT,
                "%s %s, P = %d, derived", table[i].collective, table[i].name, table[i].procs);
        is_near(table[i].traditional, closed_time(CLOSED_TEXTBOOK, &s, NULL, 1, 1e-3), EXACT,
                "%s %s, P = %d, traditional", table[i].collective, table[i].name, table[i].procs);
    }
}

/* Bytes combined: of the message of 80 bytes. */
static void check_combined(void)
{
    static const struct {
        const char *name;
        int procs;
        double bytes;
    } rows[] = { { "linear", 8, 7 * 80 },      { "binomial", 8, 3 * 80 },
                 { "rabenseifner", 8, 70 },    { "rabenseifner", 9, 70 + 40 },
                 { "mpich_binomial", 9, 320 }, { "mpich_reduce_scatter_gather", 9, 70 + 80 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct schedule s;
        struct err err = { 0 };
        schedule_init(&s, algorithm_find("reduce", rows[i].name), rows[i].procs, 0, 80, 0, 0, &err);
        is_near(rows[i].bytes, closed_combined(CLOSED_TEXTBOOK, &s, NULL), EXACT,
                "reduce %s, P = %d: bytes combined", rows[i].name, rows[i].procs);
    }
}

/* Several receives of a stage as r(k) = 1, 1.25, 1.5, … 2.5 for k = 1, 2, 3, … 7; what is combined
 * is still one message after the other. */
static void check_receives(void)
{
    static const struct gamma fan_in = { .intercept = 0.5, .slope = 0.25 };
    const struct gamma gamma = { 3, procs, values, 0.1, 0.25, &fan_in };
    static const struct {
        const char *collective, *name;
        int procs;
        uint64_t segment;
        int fanout;
        double derived, combined;
    } rows[] = {
        { "gather", "basic_linear", 8, 0, 0, 2.5 * 1.08, 0 },
        { "gather", "called_linear", 8, 0, 0, 3.625 + 2.5 * 1.08, 0 },
        { "reduce", "linear", 8, 0, 0, 2.5 * 1.08, 7 * 80 },
        { "reduce", "pipeline", 8, 20, 0, 10 * 1.02, 10 * 20 },
        { "reduce", "chain", 8, 20, 3, (4 * 1.5 + 2) * 1.02, (4 * 3 + 2) * 20 },
        { "reduce", "binary", 7, 20, 0, 5 * 1.25 * 1.02, 10 * 20 },
        /* The root takes 1, 2, then three times 3 segments and the last one. */
        { "reduce", "binomial", 8, 20, 0, (1 + 1.25 + 3 * 1.5 + 1) * 1.02, (1 + 2 + 9 + 1) * 20 },
        { "reduce", "binomial", 8, 0, 0, 3 * 1.08, 3 * 80 },
        { "reduce", "in-order_binary", 7, 20, 0, 5 * 1.25 * 1.02 + 1.08, 10 * 20 },
        { "reduce", "rabenseifner", 8, 0, 0, 6 + 0.14, 70 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct schedule s;
        struct err err = { 0 };
        schedule_init(&s, algorithm_find(rows[i].collective, rows[i].name), rows[i].procs, 0, 80,
                      rows[i].segment, rows[i].fanout, &err);
        is_near(rows[i].derived, closed_time(CLOSED_STAGE, &s, &gamma, 1, 1e-3), EXACT,
                "%s %s, P = %d, receives measured", rows[i].collective, rows[i].name,
                rows[i].procs);
        is_near(rows[i].combined, closed_combined(CLOSED_STAGE, &s, &gamma), EXACT,
                "… bytes combined");
    }
}

/* The libraries' algorithms of the collectives whose formulas were published together with them. */
static int is_published(const struct algorithm *a)
{
    if (a->group) /* ours, or of a repository */
        return 0;
    if (a->prepare == sequence_prepare) /* as others are chosen */
        return 0;
    static const char *const all[] = { "bcast",    "allgather", "reduce",     "gather", "scatter",
                                       "alltoall", "alltoallv", "allgatherv", "barrier" };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(algorithm_collective(a)->name, all[i]) == 0)
            return 1;
    return 0;
}

static void check_tables(void)
{
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a)) {
        struct schedule s;
        struct err err = { 0 };
        if (!is_published(a))
            continue;
        schedule_init(&s, a, 16, 0, 1600, 100, 0, &err);
        ok(closed_find(CLOSED_TEXTBOOK, &s) != NULL, "%s %s has a textbook formula",
           algorithm_collective(a)->name, a->name);
        if (strcmp(algorithm_collective(a)->name, "bcast") == 0 ||
            strcmp(algorithm_collective(a)->name, "reduce") == 0)
            ok(closed_find(CLOSED_STAGE, &s) != NULL, "… and a derived one");
    }
    int wrong = 0;
    for (const struct closed_form *const *at = closed_tables(); *at; at++)
        for (const struct closed_form *form = *at; form->line; form++)
            wrong += !algorithm_find(form->collective, form->algorithm);
    is_int(0, wrong, "every form is of an algorithm of the table");
}

int main(void)
{
    check_gamma();
    check_forms();
    check_combined();
    check_receives();
    check_tables();
    return tap_done();
}
