/* SPDX-License-Identifier: BSD-3-Clause */
/* level_blocks-t.c - combinations that move blocks, proved for pairs of algorithms, mappings and
 * roots, of two levels and of three; and what they decline, with the reason. */
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "tests/workloads/levels.h"

/* ---- blocks ---- */

/* Ranks, nodes, ranks on a node: groups of one size, of two levels and of three. */
static const int even[][3] = { { 8, 2, 4 }, { 12, 3, 4 }, { 6, 3, 2 } };
static const int even_sockets[][3] = { { 24, 4, 6 }, { 12, 2, 6 } };

static void prove_moving(const char *collective, const char *name, const int shape[3],
                         struct tally *tally)
{
    for (size_t m = 0; m < 3; m++) {
        const struct seating seats = seats_of(mappings[m], shape[0], shape[1], shape[2]);
        const int rooted = collective_of(collective)->rooted;
        for (int root = 0; root < (rooted ? shape[0] : 1); root += 1 + shape[0] / 4)
            prove_one(collective, name, &seats, root, 0, tally);
    }
}

/* Every algorithm of the collective across, and every one of a collective within. */
static void prove_blocks(const char *collective, const char *within)
{
    struct tally tally = { 0, 0, 0 };
    const struct algorithm *outer[MOST_ALGORITHMS], *inner[MOST_ALGORITHMS];
    list_algorithms(collective, outer);
    list_algorithms(within, inner);
    for (size_t i = 0; inner[i]; i++)
        for (size_t k = 0; outer[k]; k++) {
            char name[128];
            snprintf(name, sizeof name, "two_level.%s.%s", inner[i]->name, outer[k]->name);
            if (inner[i]->levels || outer[k]->levels || strlen(name) > MOST_NAME ||
                (!getenv("COLLSEL_LONG") && i && k && (i + k) % 7))
                continue;
            for (size_t j = 0; j < sizeof even / sizeof *even; j++)
                prove_moving(collective, name, even[j], &tally);
        }
    is_int(0, tally.wrong, "%s within by %s: proved %d times, declined %d times", collective,
           within, tally.proved, tally.declined);
    ok(tally.proved > 5 * tally.declined, "... few are declined");
}

static void prove_three_moving(const char *collective, const char *name)
{
    struct tally tally = { 0, 0, 0 };
    for (size_t j = 0; j < 2; j++)
        prove_moving(collective, name, even_sockets[j], &tally);
    ok(tally.wrong == 0 && tally.declined == 0 && tally.proved > 0, "%s %s: proved %d times",
       collective, name, tally.proved);
}

static void prove_all_moving(void)
{
    prove_blocks("allgather", "gather");
    prove_blocks("allgather", "bcast");
    prove_blocks("gather", "gather");
    prove_blocks("scatter", "scatter");
    prove_blocks("reduce_scatter", "reduce");
    prove_blocks("reduce_scatter", "scatter");
    prove_three_moving("allgather", "three_level.binomial.chain-k2.bruck");
    prove_three_moving("allgather", "two_level.socket.basic_linear.ring");
    prove_three_moving("gather", "three_level.basic_linear.binomial.knomial");
    prove_three_moving("scatter", "three_level.binomial.bine.binomial");
    prove_three_moving("reduce_scatter", "three_level.linear.binomial.ring");
    prove_three_moving("reduce_scatter", "three_level.socket.node.chain.rabenseifner.butterfly");
}

/* ---- what is declined ---- */

static void declines(const char *name, const struct schedule_arguments *a, const char *why)
{
    struct schedule s;
    struct err err = { 0 };
    is_int(-1, schedule_make(&s, algorithm_find("reduce_scatter", name), a, &err), "declined");
    ok(strstr(err.text, why) != NULL, "... %s", err.text);
}

static void check_declined(void)
{
    static const char name[] = "two_level.binomial.ring";
    struct schedule_arguments a = { .procs = 8, .bytes = 8, .levels = algorithm_levels(name) };
    declines(name, &a, "on which node");
    a.seats = seats_of("core", 8, 3, 3);
    declines(name, &a, "groups of one size");
    a.seats = seats_of("core", 8, 8, 1);
    declines(name, &a, "more than one member");
    a.seats = seats_of("core", 8, 2, 4);
    a.sizes = SIZES_RANDOM;
    declines(name, &a, "blocks of one size");
}

int main(void)
{
    prove_all_moving();
    check_declined();
    return tap_done();
}
