/* SPDX-License-Identifier: BSD-3-Clause */
/* portable-t.c - the algorithms that the libraries do not have: what they need and what runs
 * elsewhere, how far their messages go, and that those which know the nodes do not meet on their
 * links. That they are right is proved in prove-t.c; here for ranks whose seats are known. */
#include <stdlib.h>

#include "tests/tap.h"
#include "workloads/schedules/bine.h"
#include "workloads/schedules/prove.h"
#include "workloads/schedules/recipe.h"
#include "workloads/schedules/tree_phases.h"

/* ---- what is needed ---- */

static const struct {
    const char *collective, *name;
    int procs;
    const char *runs;
} needs[] = {
    { "alltoall", "2d_mesh", 1, "simple" },
    { "alltoall", "2d_mesh", 3, "simple" },
    { "alltoall", "2d_mesh", 4, "2d_mesh" },
    { "alltoall", "2d_mesh", 127, "simple" },
    { "alltoall", "3d_mesh", 7, "simple" },
    { "alltoall", "3d_mesh", 6, "2d_mesh" },
    { "alltoall", "3d_mesh", 8, "3d_mesh" },
    { "alltoall", "recursive_doubling", 8, "recursive_doubling" },
    { "alltoall", "recursive_doubling", 12, "3d_mesh" },
    { "alltoall", "recursive_doubling", 9, "2d_mesh" },
    { "alltoall", "recursive_doubling", 7, "simple" },
    { "alltoall", "pair_light_barrier", 16, "pair_light_barrier" },
    { "alltoall", "pair_light_barrier", 15, "ring_light_barrier" },
    { "alltoallv", "pair_mpi_barrier", 17, "ring_mpi_barrier" },
    { "allgather", "pair", 2, "pair" },
    { "allgather", "pair", 3, "direct_ring" },
    { "allgatherv", "3d_mesh", 12, "3d_mesh" },
    { "allreduce", "allgather_3d_mesh", 5, "allgather_bruck" },
    { "allreduce", "halving_simple", 64, "halving_simple" },
    { "allreduce", "halving_simple", 63, "circulant" },
};

static void check_needs(void)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        struct schedule s;
        struct err err = { 0 };
        schedule_init(&s, algorithm_find(needs[i].collective, needs[i].name), needs[i].procs, 0, 8,
                      0, 0, &err);
        is_str(needs[i].runs, s.alg->name, "%s %s among %d ranks", needs[i].collective,
               needs[i].name, needs[i].procs);
    }
    int wrong = 0;
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        wrong += (a->needs != ANY_PROCS) != (a->instead != NULL);
    is_int(0, wrong, "what needs a number of ranks names what runs among others");
    is_str("a x b ranks", procs_needed_words(TWO_FACTORS), "words of what is needed");
}

static void check_sides(void)
{
    static const int sides[][6] = { /* ranks; 2D; 3D */
                                    { 12, 4, 3, 3, 2, 2 },   { 16, 4, 4, 4, 2, 2 },
                                    { 27, 9, 3, 3, 3, 3 },   { 7, 7, 1, 7, 1, 1 },
                                    { 68, 17, 4, 17, 2, 2 }, { 64, 8, 8, 4, 4, 4 },
                                    { 6, 3, 2, 3, 2, 1 },    { 130, 13, 10, 13, 2, 5 }
    };
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const int n = sides[i][0];
        const struct mesh m = mesh_of(n);
        ok(m.flat[0] == sides[i][1] && m.flat[1] == sides[i][2], "%d ranks are %d x %d", n,
           m.flat[0], m.flat[1]);
        ok(m.deep[0] == sides[i][3] && m.deep[1] == sides[i][4] && m.deep[2] == sides[i][5],
           "… and %d x %d x %d", m.deep[0], m.deep[1], m.deep[2]);
    }
}

/* ---- Bine ---- */

/* |1 - (-2)^n| / 3: 1, 1, 3, 5, 11 ... */
static void check_bine(void)
{
    int far = 0, not_mutual = 0, wrong_parents = 0;
    for (int bits = 1; bits <= 7; bits++)
        for (int v = 0; v < 1 << bits; v++)
            for (int n = 1; n <= bits; n++) {
                const int procs = 1 << bits, to = bine_neighbour(bits, v, n);
                const int up = (to - v + procs) % procs,
                          distance = up < procs - up ? up : procs - up;
                const int said = ((1 << n) + (n % 2 ? 1 : -1)) / 3;
                far += distance != (said < procs - said ? said : procs - said);
                not_mutual += bine_neighbour(bits, to, n) != v;
            }
    is_int(0, far, "the n-th neighbour is |1 - (-2)^n| / 3 away");
    is_int(0, not_mutual, "… and the other way around");
    for (int procs = 1; procs <= 130; procs++)
        for (int v = 0, c; v < procs; v++)
            for (int i = 0; (c = tree_bine.child(procs, 0, v, i)) >= 0; i++)
                wrong_parents += tree_bine.parent(procs, 0, c) != v;
    is_int(0, wrong_parents, "a child of the Bine tree has its parent");
    /* As drawn for eight ranks: 0 to 3, then to 7 and 3 to 4, then the neighbours. */
    is_int(3, tree_bine.child(8, 0, 0, 0), "among eight ranks 0 sends to 3");
    is_int(7, tree_bine.child(8, 0, 0, 1), "… then to 7");
    is_int(1, tree_bine.child(8, 0, 0, 2), "… then to 1");
    is_int(4, tree_bine.child(8, 0, 3, 0), "… and 3 to 4");
    is_int(2, tree_bine.child(8, 0, 3, 1), "… then to 2");
}

/* ---- messages and bytes ---- */

static const struct {
    const char *collective, *name;
    int procs;
    uint64_t bytes;
    int fanout;
    long long messages, moved;
} counts[] = {
    { "alltoall", "simple", 9, 10, 0, 9 * 8, 9 * 8 * 10 },
    /* 12 = 4 x 3: a row of four sends its twelve blocks three times, then four blocks twice */
    { "alltoall", "2d_mesh", 12, 10, 0, 12 * (3 + 2), 12 * (3 * 120 + 2 * 40) },
    { "alltoall", "recursive_doubling", 8, 10, 0, 8 * 3, 8 * 7 * 80 },
    /* P - 1 messages and P - 2 that say so */
    { "alltoall", "ring_light_barrier", 9, 10, 0, 9 * (8 + 7), 9 * 8 * 10 },
    /* … and a barrier of four rounds between two of eight steps */
    { "alltoall", "ring_mpi_barrier", 9, 10, 0, 9 * (8 + 7 * 4), 9 * 8 * 10 },
    /* 9 = 3 x 3: three blocks to either of two, twice */
    { "alltoall", "bruck_k", 9, 10, 3, 9 * 4, 9 * 4 * 30 },
    { "allgather", "2d_mesh", 12, 10, 0, 12 * (3 + 2), 12 * 11 * 10 },
    { "allgather", "circulant", 23, 10, 0, 23 * 5, 23 * 22 * 10 },
    { "allgather", "bruck_k", 9, 10, 3, 9 * 4, 9 * 8 * 10 },
    { "allgather", "sparbit", 9, 10, 0, 9 * 8, 9 * 8 * 10 },
    { "reduce_scatter_block", "circulant", 23, 10, 0, 23 * 5, 23 * 22 * 10 },
    { "allreduce", "circulant", 10, 100, 0, 10 * 2 * 4, 10 * 2 * 90 },
    /* eight ranges of blocks go around the end, and take two messages, either way */
    { "allreduce", "bine", 16, 160, 0, 16 * 8 + 2 * 8, 16 * 2 * 150 },
    { "allreduce", "alltoall_ring_ring", 8, 80, 0, 8 * 14, 8 * 14 * 10 },
    { "gather", "knomial", 9, 10, 3, 8, 80 + 4 * 10 },
    { "reduce", "bine", 16, 10, 0, 15, 150 },
    /* twice three messages; each rank gets the blocks of all others */
    { "allgather", "recursive_multiplying", 16, 10, 4, 16 * 6, 16 * 15 * 10 },
    /* 16 members, two ranks folded: they give their block, and get all 18 */
    { "allgather", "recursive_multiplying", 18, 10, 4, 2 + 16 * 6 + 2,
      2 * 10 + 16 * 180 - 180 + 2 * 180 },
    /* 10 = 5 x 2 members, three folded */
    { "allreduce", "recursive_multiplying", 13, 100, 5, 3 + 10 * (4 + 1) + 3, 56 * 100 },
    { "allreduce", "multiplying_blocks", 16, 160, 4, 2 * 16 * 6, 2 * 16 * 150 },
    { "reduce_scatter_block", "recursive_multiplying", 16, 10, 4, 16 * 6, 16 * 150 },
    { "bcast", "circulant", 23, 10, 0, 22, 220 },
    { "reduce", "circulant", 23, 10, 0, 22, 220 },
};

static void check_counts(void)
{
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct schedule s;
        struct proof proof = { 0 };
        struct err err = { 0 };
        schedule_init(&s, algorithm_find(counts[i].collective, counts[i].name), counts[i].procs, 0,
                      counts[i].bytes, 0, counts[i].fanout, &err);
        is_int(0, prove(&s, &proof, &err), "%s %s among %d ranks%s", counts[i].collective,
               counts[i].name, counts[i].procs, err.text);
        is_int(counts[i].messages, (long long)proof.messages, "… messages");
        is_int(counts[i].moved, (long long)proof.bytes, "… bytes");
    }
}

/* ---- as few rounds as there can be ---- */

/* Rounds in which a rank sends or receives more than one message; *got: what it receives in all. */
static int count_busy_rounds(const struct schedule *s, int rank, int *got)
{
    struct round round = { 0 };
    int busy = 0;
    for (uint64_t k = 0; k < schedule_rounds(s, rank); k++) {
        int sends = 0, receives = 0;
        schedule_round(s, rank, k, &round);
        for (size_t i = 0; i < round.n; i++) {
            sends += round.ops[i].kind == OP_SEND;
            receives += round.ops[i].kind == OP_RECV;
        }
        busy += sends > 1 || receives > 1;
        *got += receives;
    }
    round_free(&round);
    return busy;
}

/* n segments among P ranks want n - 1 + ceil(log2 P) rounds of a message in and a message out. */
static void check_fewest_rounds(const char *collective)
{
    static const int ranks[] = { 2, 3, 5, 16, 23, 33, 64, 127, 1025, 65535 },
                     segments[] = { 1, 2, 7, 20 };
    int too_many = 0, busy = 0, lacking = 0;
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        for (size_t j = 0; j < sizeof segments / sizeof *segments; j++) {
            const int procs = ranks[i], n = segments[j], rank = procs * 2 / 3;
            struct schedule s;
            struct err err = { 0 };
            int got = 0;
            schedule_init(&s, algorithm_find(collective, "circulant"), procs, 0, 10 * (uint64_t)n,
                          10, 0, &err);
            too_many += schedule_rounds(&s, rank) != (uint64_t)(n - 1 + ceil_log2(procs));
            busy += count_busy_rounds(&s, rank, &got);
            lacking += strcmp(collective, "bcast") == 0 && got != n;
        }
    is_int(0, too_many, "%s circulant: n - 1 + ceil(log2 P) rounds", collective);
    is_int(0, busy, "… of one message in and one out");
    is_int(0, lacking, "… in which each segment comes in once");
}

/* ---- ranks whose seats are known ---- */

static struct seating seats_of(const char *mapping, int procs, int ppn)
{
    return (struct seating){ mapping, (procs + ppn - 1) / ppn, ppn, procs, 1, ppn,
                             0,       { .group = { 0 } } };
}

static int make(struct schedule *s, const char *collective, const char *name,
                const struct seating *seats)
{
    struct err err = { 0 };
    const struct schedule_arguments a = { .procs = seats->procs, .bytes = 3, .seats = *seats };
    const int made = schedule_make(s, algorithm_find(collective, name), &a, &err);
    if (made < 0 || prove(s, NULL, &err) < 0)
        diag("%s %s, P = %d, %d per node: %s", collective, name, seats->procs, seats->ppn,
             err.text);
    return made < 0 || prove(s, NULL, &err) < 0;
}

/* Messages that leave or enter a node in a phase beside another one. */
static int count_meetings(const struct schedule *s)
{
    int met = 0, *up = malloc(2 * (size_t)s->seats.nodes * sizeof(int)), *down;
    down = up + s->seats.nodes;
    for (uint64_t phase = 0; up && phase < topology_phases(s); phase++) {
        memset(up, 0, 2 * (size_t)s->seats.nodes * sizeof *up);
        for (int rank = 0; rank < s->procs; rank++) {
            const struct topology_phase f = topology_phase(s, rank, phase);
            const int from = seat_node(&s->seats, rank);
            const int to = f.dst < 0 ? from : seat_node(&s->seats, f.dst);
            if (from == to)
                continue;
            met += up[from]++ > 0;
            met += down[to]++ > 0;
        }
    }
    free(up);
    return met;
}

static uint64_t most_of_a_link(const struct seating *seats)
{
    uint64_t most = 0;
    for (int node = 0; node < seats->nodes; node++) {
        const uint64_t here = (uint64_t)seat_count(seats, node);
        const uint64_t all = here * ((uint64_t)seats->procs - here);
        most = all > most ? all : most;
    }
    return most;
}

static void check_topology(const char *mapping)
{
    int wrong = 0, met = 0, longer = 0;
    for (int procs = 2; procs <= 26; procs++)
        for (int ppn = 1; ppn <= 9 && ppn < procs; ppn++) {
            const struct seating seats = seats_of(mapping, procs, ppn);
            struct schedule s;
            wrong += make(&s, "alltoall", "topology_light_barrier", &seats);
            met += count_meetings(&s);
            longer += topology_phases(&s) != most_of_a_link(&seats);
        }
    is_int(0, wrong, "all-to-all in phases, ranks by %s: right", mapping);
    is_int(0, met, "… no two messages meet on a node's link");
    is_int(0, longer, "… as many phases as the busiest link has messages");
    const struct seating seats = seats_of(mapping, 14, 4);
    struct schedule s;
    wrong = make(&s, "alltoall", "topology_mpi_barrier", &seats) +
            make(&s, "allgather", "topology_ring", &seats) +
            make(&s, "allreduce", "alltoall_ring_topology_ring", &seats);
    is_int(0, wrong, "… with barriers, and the rings in the order of nodes, too");
}

/* In each step of the ring a node sends one message and gets one. */
static void check_ring(void)
{
    const struct seating seats = seats_of("node", 14, 4);
    struct schedule s;
    struct err err = { 0 };
    const struct schedule_arguments a = { .procs = 14, .bytes = 3, .seats = seats };
    int leave = 0;
    schedule_make(&s, algorithm_find("allgather", "topology_ring"), &a, &err);
    const struct team team = team_all(&s, 0, border_of_givers);
    for (int rank = 0; rank < 14; rank++) {
        const int to = pattern_topology_ring.peer(&team, rank, 0, 0, 1);
        leave += seat_node(&seats, rank) != seat_node(&seats, to);
    }
    is_int(seats.nodes, leave, "a ring in the order of nodes leaves each node once");
    const struct schedule_arguments others = { .procs = 13, .bytes = 3, .seats = seats };
    is_int(-1, schedule_make(&s, algorithm_find("allgather", "topology_ring"), &others, &err),
           "seats of another number of ranks are refused");
    is_str("topology_ring: 13 processes, and seats for 14", err.text, "… and says so");
}

int main(void)
{
    check_needs();
    check_sides();
    check_bine();
    check_counts();
    check_fewest_rounds("bcast");
    check_fewest_rounds("reduce");
    check_topology("core");
    check_topology("node");
    check_ring();
    return tap_done();
}
