/* SPDX-License-Identifier: BSD-3-Clause */
/* levels-t.c - ranks in groups by where they sit, and algorithms made of others, one for each
 * level: proved for pairs of all algorithms, shapes, roots and segments; what they send between
 * nodes; and what is declined, with the reason. */
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "tests/workloads/levels.h"
#include "workloads/schedules/trace.h"
#include "workloads/schedules/two_level.h"

/* ---- groups ---- */

/* Of each level: as many groups as seats differ; the groups of a level above have consecutive ones
 * of the level below; a group's first rank is in it. By the seats of all ranks. */
static int wrong_groups(const struct seating *s)
{
    int wrong = 0;
    for (int l = LEVEL_CACHE; l < N_LEVELS; l++) {
        const enum level level = (enum level)l, below = (enum level)(l - 1);
        for (int a = 0; a < s->procs; a++)
            for (int b = 0; b < s->procs; b++) {
                const struct seat x = seat_of(s, a), y = seat_of(s, b);
                const int same[] = {
                    [LEVEL_CACHE] = x.core / s->cache_cores == y.core / s->cache_cores,
                    [LEVEL_SOCKET] = x.socket == y.socket,
                    [LEVEL_NODE] = x.node == y.node,
                    [LEVEL_SWITCH] = x.node / seat_switch_nodes(s) == y.node / seat_switch_nodes(s),
                    [LEVEL_ALL] = 1
                };
                int together = 1;
                for (int up = l; up < N_LEVELS; up++)
                    together &= same[up];
                wrong += (level_group(s, level, a) == level_group(s, level, b)) != together;
                wrong += level_group(s, below, a) < level_group(s, below, b) &&
                         level_group(s, level, a) > level_group(s, level, b);
            }
        for (int g = 0; g < level_count(s, level); g++)
            wrong += level_group(s, level, level_first(s, level, g)) != g;
        for (int r = 0; r < s->procs; r++)
            wrong += level_group(s, level, r) >= level_count(s, level);
    }
    for (int r = 0; r < s->procs; r++)
        wrong += level_first(s, LEVEL_RANK, level_group(s, LEVEL_RANK, r)) != r;
    return wrong;
}

static void check_groups(void)
{
    for (size_t m = 0; m < 3; m++) {
        int wrong = 0;
        for (int ppn = 1; ppn <= 6; ppn++)
            for (int procs = 1; procs <= 31; procs++) {
                const struct seating s = seats_of(mappings[m], procs, (procs + ppn - 1) / ppn, ppn);
                wrong += wrong_groups(&s);
            }
        is_int(0, wrong, "mapping %s: groups are those of the seats, without gaps", mappings[m]);
    }
}

/* ---- proofs ---- */

/* Ranks, nodes, ranks on a node: as many on each; the last with fewer; one node; one rank a node;
 * one rank. */
static const int shapes[][3] = { { 8, 2, 4 }, { 11, 3, 4 }, { 5, 1, 5 }, { 6, 6, 1 }, { 1, 1, 1 } };

static void prove_shapes(const char *collective, const char *name, struct tally *tally)
{
    const int rooted = collective_of(collective)->rooted;
    const int segmented = algorithm_find(collective, name)->segmented;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t m = 0; m < 3; m++) {
            const int procs = shapes[i][0];
            const struct seating seats = seats_of(mappings[m], procs, shapes[i][1], shapes[i][2]);
            for (int root = 0; root < (rooted ? procs : 1); root += 1 + procs / 4)
                for (uint64_t segment = 0; segment <= (segmented ? 10U : 0); segment += 10)
                    prove_one(collective, name, &seats, root, segment, tally);
        }
}

/* Every pair of algorithms that a collective has; in a short check every third, and the first one
 * with all. */
static void prove_collective(const char *collective)
{
    struct tally tally = { 0, 0, 0 };
    int pairs = 0;
    const struct algorithm *all[MOST_ALGORITHMS];
    list_algorithms(collective, all);
    for (size_t i = 0; all[i]; i++)
        for (size_t k = 0; all[k]; k++) {
            char name[128];
            if (all[i]->levels || all[k]->levels ||
                (!getenv("COLLSEL_LONG") && i && k && (i + k) % 7))
                continue;
            snprintf(name, sizeof name, "two_level.%s.%s", all[i]->name, all[k]->name);
            if (strlen(name) > MOST_NAME)
                continue;
            pairs++;
            prove_shapes(collective, name, &tally);
        }
    is_int(0, tally.wrong, "%s: %d pairs of algorithms, proved %d times, declined %d times",
           collective, pairs, tally.proved, tally.declined);
    ok(tally.proved > 5 * tally.declined, "… few are declined");
}

static const char *const longer[][2] = {
    { "bcast", "three_level.binomial.chain-k2.binomial" },
    { "bcast", "three_level.cache.node.binomial.chain.pipeline-s4" },
    { "bcast", "three_level.node.switch.basic_linear.binomial.bine" },
    { "bcast", "two_level.socket.knomial-k3.scatter_allgather" },
    { "reduce", "three_level.binomial.linear.chain" },
    { "reduce", "three_level.socket.switch.pipeline.binary.binomial-s2" },
    { "reduce", "two_level.cache.knomial-k2.rabenseifner" },
    { "allreduce", "three_level.binomial.linear.ring" },
    { "allreduce", "three_level.cache.socket.ring.binomial.circulant" },
    { "allreduce", "two_level.switch.chain.rabenseifner" },
    { "barrier", "three_level.linear.tree.bruck" },
    { "barrier", "three_level.cache.switch.tree.bruck.recursive_doubling" },
};

static void prove_longer(void)
{
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        struct tally tally = { 0, 0, 0 };
        const struct seating wide = seats_of("socket", 31, 6, 6), odd = seats_of("node", 29, 7, 5);
        prove_shapes(longer[i][0], longer[i][1], &tally);
        for (int root = 0; root < 29; root += 7) {
            prove_one(longer[i][0], longer[i][1], &wide, root, 6, &tally);
            prove_one(longer[i][0], longer[i][1], &odd, root, 6, &tally);
        }
        ok(tally.wrong == 0 && tally.declined == 0, "%s %s: proved %d times", longer[i][0],
           longer[i][1], tally.proved);
    }
}

/* ---- what is sent between nodes ---- */

struct crossing {
    const struct seating *seats;
    uint64_t bytes;
};

static void add_pair(const struct traffic *pair, void *arg)
{
    struct crossing *c = arg;
    if (seat_node(c->seats, pair->src) != seat_node(c->seats, pair->dst))
        c->bytes += pair->bytes;
}

static uint64_t between_nodes(const char *collective, const char *name, const struct seating *seats,
                              int root)
{
    struct schedule s;
    struct err err = { 0 };
    struct crossing c = { seats, 0 };
    const struct schedule_arguments a = { .procs = seats->procs,
                                          .root = root,
                                          .bytes = 1000,
                                          .seats = *seats,
                                          .levels = algorithm_levels(name) };
    if (schedule_make(&s, algorithm_find(collective, name), &a, &err) == 0)
        traffic_each(&s, add_pair, &c);
    return c.bytes;
}

static void check_crossings(void)
{
    const struct seating turns = seats_of("node", 22, 6, 4);
    is_int(5000, (long long)between_nodes("bcast", "two_level.binomial.binomial", &turns, 8),
           "a broadcast enters each other node once");
    is_int(5000, (long long)between_nodes("reduce", "two_level.chain.binary", &turns, 8),
           "a reduction leaves each once");
    is_int(10000, (long long)between_nodes("allreduce", "two_level.binomial.ring", &turns, 0),
           "a ring allreduce of 6 nodes sends 2 x 5 messages' worth");
    const struct seating full = seats_of("node", 24, 6, 4);
    is_int(5 * 24000, (long long)between_nodes("allgather", "two_level.binomial.ring", &full, 0),
           "an allgather brings each other node every block once");
    is_int(20000, (long long)between_nodes("gather", "two_level.binomial.basic_linear", &full, 8),
           "a gather takes each block of other nodes once");
    is_int(5 * 24000,
           (long long)between_nodes("reduce_scatter", "two_level.binomial.ring", &full, 0),
           "a ring reduce-scatter of 6 nodes sends 5 vectors");
    ok(between_nodes("bcast", "binomial", &turns, 8) > 10000, "where a binomial tree enters more");
}

/* ---- levels at work beside each other ---- */

/* Rounds of the leader of the second of two nodes: segments come in while the one before goes on.
 */
static void check_pipelining(void)
{
    struct schedule s;
    struct err err = { 0 };
    const struct seating seats = seats_of("core", 4, 2, 2);
    const struct schedule_arguments a = { .procs = 4,
                                          .bytes = 80,
                                          .segment_bytes = 8,
                                          .seats = seats,
                                          .levels = "basic_linear.basic_linear" };
    is_int(0, schedule_make(&s, algorithm_find("bcast", "two_level"), &a, &err), "ten segments");
    is_int(11, (long long)schedule_rounds(&s, 2), "take ten rounds and one");
    struct round round = { 0 };
    schedule_round(&s, 2, 4, &round);
    ok(round.n == 2 && round.ops[0].kind != round.ops[1].kind,
       "in the fifth of which one is received and another sent");
    round_free(&round);
    char name[MOST_NAME + 1];
    is_str("two_level.basic_linear.basic_linear", schedule_name(&s, name, sizeof name),
           "its name says what it combines");
}

/* ---- what is declined ---- */

static void check_declined(void)
{
    static const char *const wrong[] = {
        "two_level.binomial",
        "two_level.binomial.",
        "two_level.binomial.binomial.binomial",
        "two_level.binomial.nope",
        "two_level.node.socket.binomial.binomial",
        "three_level.node.socket.chain.chain.chain",
        "three_level.node.chain.chain.chain",
        "two_level.binomial.binomial.",
        "two_level.chain-k.binomial",
        "two_level.chain-k0.binomial",
        "two_level.chain-k2-k4.binomial",
        "two_level.binomial-k4.binomial",
        "two_level.binomial.basic_linear-s8K",
        "two_level.two_level.binomial",
        "binomial.binomial",
    };
    struct schedule s;
    struct err err = { 0 };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(!algorithm_find("bcast", wrong[i]), "'%s' is no algorithm", wrong[i]);
    struct schedule_arguments a = { .procs = 8, .bytes = 8, .levels = "binomial.binomial" };
    const struct algorithm *two = algorithm_find("bcast", "two_level.binomial.binomial");
    is_int(-1, schedule_make(&s, two, &a, &err), "seats that are not known");
    ok(strstr(err.text, "on which node") != NULL, "… are wanted");
    a.seats = (struct seating){ .mapping = "core", .nodes = 2, .ppn = 4, .procs = 8 };
    is_int(0, schedule_make(&s, two, &a, &err), "nodes are enough for two levels");
    a.levels = "socket.binomial.binomial";
    is_int(-1, schedule_make(&s, two, &a, &err), "sockets that are not known");
    ok(strstr(err.text, "on which socket") != NULL, "… are wanted");
    a.levels = NULL;
    is_int(-1, schedule_make(&s, two, &a, &err), "nothing to combine");
    ok(strstr(err.text, "want 2 algorithms of bcast") != NULL, "… is said");
}

/* ---- names ---- */

/* Each of what a pattern stands for is an algorithm; levels go before it. */
static void check_usual(void)
{
    static const char *const having[] = { "bcast",     "reduce", "allreduce", "barrier",
                                          "allgather", "gather", "scatter",   "reduce_scatter" };
    char name[MOST_NAME + 1], of_socket[MOST_NAME + 1];
    for (size_t c = 0; c < sizeof having / sizeof *having; c++)
        for (int row = 2; row <= 3; row++) {
            const char *pattern = row == 2 ? "two_level.*" : "three_level.*";
            const struct algorithm *a =
                algorithm_find(having[c], row == 2 ? "two_level" : "three_level");
            size_t listed = 0, found = 0;
            while (a->usual[listed])
                listed++;
            while (algorithm_usual(having[c], pattern, found, name))
                found++;
            is_int((long long)listed, (long long)found, "%s %s: all that is listed is there",
                   having[c], pattern);
        }
    ok(algorithm_usual("bcast", "two_level.socket.*", 0, of_socket) != NULL &&
           strcmp(of_socket, "two_level.socket.binomial.binomial") == 0,
       "a pattern may name its level");
    ok(!algorithm_usual("bcast", "two_level.nope.*", 0, name), "... one that there is");
    ok(!algorithm_usual("bcast", "binomial.*", 0, name), "what combines nothing has no pattern");
    ok(!algorithm_usual("scan", "two_level.*", 0, name), "nor has a collective without them");
}

/* What a level without work is called; NULL: every level has some. */
static const char *idle_of(const char *name, int procs, int nodes, int ppn, struct err *why)
{
    struct schedule s;
    const struct seating seats = seats_of("core", procs, nodes, ppn);
    const struct schedule_arguments a = {
        .procs = procs, .bytes = 24, .seats = seats, .levels = algorithm_levels(name)
    };
    *why = (struct err){ 0 };
    if (schedule_make(&s, algorithm_find("bcast", name), &a, why) == 0)
        two_level_idle(&s, why);
    return why->text;
}

static void check_idle(void)
{
    static const char two[] = "two_level.binomial.binomial";
    struct err why;
    is_str("", idle_of(two, 8, 2, 4, &why), "two nodes of four: both levels have work");
    ok(strstr(idle_of(two, 4, 1, 4, &why), "all ranks are on one node") != NULL, "one node: said");
    ok(strstr(idle_of("two_level.switch.binomial.chain", 8, 2, 4, &why),
              "all ranks are on one switch") != NULL,
       "one switch: said");
    ok(strstr(idle_of(two, 4, 4, 1, &why), "no node has more than one rank") != NULL,
       "one rank a node: said");
    ok(strstr(idle_of("three_level.chain.chain.chain", 4, 2, 2, &why),
              "no node has more than one socket") != NULL,
       "one socket of each node: said");
    is_str("", idle_of("binomial", 4, 1, 4, &why), "what combines nothing has no levels");
}

/* A message names all that is combined. */
static void check_messages(void)
{
    struct schedule s;
    struct err err = { 0 };
    struct schedule_arguments a = { .procs = 8,
                                    .bytes = 8,
                                    .ordered = 1,
                                    .seats = seats_of("core", 8, 2, 4),
                                    .levels = "linear.binary" };
    const struct algorithm *two = algorithm_find("reduce", "two_level");
    is_int(-1, schedule_make(&s, two, &a, &err), "an operation that does not commute");
    ok(strstr(err.text, "two_level.linear.binary: the operation") != NULL, "%s", err.text);
    a.ordered = 0;
    a.bytes = UINT64_C(1) << 40;
    is_int(0, schedule_make(&s, two, &a, &err), "a large message");
    is_int(-1, prove(&s, NULL, &err), "... is not proved");
    ok(strstr(err.text, "two_level.linear.binary: 8 processes") != NULL, "%s", err.text);
}

/* MVAPICH2's, at both sides of where what it takes within nodes and among them changes. */
static void prove_chosen(void)
{
    static const char *const of[] = { "bcast", "reduce", "allreduce" };
    static const int where[][2] = { { 3, 5 }, { 2, 9 }, { 2, 10 }, { 1, 9 }, { 9, 1 }, { 1, 1 } };
    static const uint64_t bytes[] = { 0, 1, 2048, 2049, 12287, 12288, 16384, 16385, 65537 };
    int proved = 0;
    for (size_t c = 0; c < 3; c++)
        for (size_t i = 0; i < sizeof where / sizeof *where; i++)
            for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) {
                const int procs = where[i][0] * where[i][1];
                const struct schedule_arguments a = { .procs = procs,
                                                      .root = 0,
                                                      .bytes = bytes[k],
                                                      .seats = seats_of(mappings[k % 3], procs,
                                                                        where[i][0], where[i][1]) };
                struct schedule s;
                struct err err = { 0 };
                const struct algorithm *alg = algorithm_find(of[c], "mvapich2_two_level");
                if (schedule_make(&s, alg, &a, &err) == 0 && prove(&s, NULL, &err) == 0)
                    proved++;
                else
                    diag("%s, %d nodes of %d, %d bytes: %s", of[c], where[i][0], where[i][1],
                         (int)bytes[k], err.text);
            }
    is_int(3 * 6 * 9, proved, "what MVAPICH2 combines by node is proved");
    struct tally tally = { 0, 0, 0 };
    for (size_t c = 0; c < 3; c++)
        prove_shapes(of[c], "mvapich2_two_level", &tally);
    is_int(0, tally.wrong, "with any root, proved %d times", tally.proved);
    ok(tally.declined > 0, "where nodes have different numbers of ranks it is declined, %d times",
       tally.declined);
}

int main(void)
{
    prove_chosen();
    check_usual();
    check_idle();
    check_messages();
    check_groups();
    prove_collective("bcast");
    prove_collective("reduce");
    prove_collective("allreduce");
    prove_collective("barrier");
    prove_longer();
    check_crossings();
    check_pipelining();
    check_declined();
    return tap_done();
}
