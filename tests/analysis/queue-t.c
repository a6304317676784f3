/* SPDX-License-Identifier: BSD-3-Clause */
/* queue-t.c - the queue walker by hand, and the ranks in time that it shares with the flow walker:
 * closed forms, one step of random permutations against the links walk, and who waits for
 * whom. */
#include "analysis/walk/queue.h"
#include "harness/base/rng.h"
#include "tests/analysis/deadlock.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

static const double EXACT = 1e-9;

/* t(m) = 2 s + 1 ms/byte, of which the byte's occupies links; t_mem(m) = 0.1 ms/byte. */
static double bytes[] = { 0, 1e6 }, seconds[] = { 2, 1002 }, copied[] = { 0, 100 };
static const struct curve message = { 2, bytes, seconds }, copy = { 2, bytes, copied },
                          no_copy = { 0 };

enum { EAGER = 1 << 30 };

static double t(double m)
{
    return 2 + 1e-3 * m;
}

static struct links_net *net_of(enum topology_kind kind, int procs, const char *order,
                                struct topology *top)
{
    const struct network net = { .kind = kind,
                                 .nodes = procs,
                                 .dims = kind == TOPOLOGY_TORUS,
                                 .extent = { procs },
                                 .link_rate = 1e6 };
    const struct seating seating = { "core", procs, 1, procs, 1, 1, 0, 0 };
    return topology_init(top, &net, NULL) < 0 ? NULL : links_net_new(top, order, &seating, NULL);
}

/* Among procs ranks on a star or around a ring; rendezvous: from so many bytes on. */
static double walk(enum topology_kind kind, const char *collective, const char *name, int procs,
                   uint64_t m, uint64_t segment, uint64_t rendezvous)
{
    const struct links_costs costs = { &message, &no_copy, 0, 1, NULL, rendezvous, NULL };
    struct topology top;
    struct schedule s;
    double time = NAN;
    struct links_net *net = net_of(kind, procs, "in_order", &top);
    if (schedule_init(&s, algorithm_find(collective, name), procs, 0, m, segment, 1, NULL) < 0 ||
        queue_walk(net, &s, &costs, &time, NULL) < 0)
        time = NAN;
    links_net_free(net);
    return time;
}

/* ---- closed forms ---- */

/* What a closed form says of P ranks and m bytes. */
static double ring(int procs, double m)
{
    return (procs - 1) * t(m);
}

static double neighbor(int procs, double m)
{
    return procs == 2 ? t(m) : t(m) + (procs / 2 - 1) * t(2 * m);
}

/* From the root's one link: one block after the other. */
static double from_root(int procs, double m)
{
    return t(m) + (procs - 2) * 1e-3 * m;
}

/* The root takes one block after the other, and none leaves before it is wanted; only the first two
 * have buffers of their own, and are asked for together. */
static double wanted_one_by_one(int procs, double m)
{
    return procs == 2 ? t(m) : t(2 * m) + (procs - 3) * t(m);
}

static void check_closed(void)
{
    static const struct {
        enum topology_kind kind;
        const char *collective, *name;
        uint64_t rendezvous;
        int only_even;
        double (*form)(int procs, double m);
        const char *claim;
    } forms[] = {
        { TOPOLOGY_STAR, "allgather", "ring", 0, 0, ring, "ring: (P - 1) t(m)" },
        { TOPOLOGY_TORUS, "allgather", "ring", EAGER, 0, ring, "ring around a ring, eager too" },
        { TOPOLOGY_STAR, "allgather", "neighbor", 0, 1, neighbor,
          "neighbour exchange: t(m) + (P/2 - 1) t(2m)" },
        { TOPOLOGY_STAR, "bcast", "basic_linear", 0, 0, from_root,
          "linear broadcast: blocks leave the root one after the other" },
        { TOPOLOGY_STAR, "reduce", "linear", EAGER, 0, from_root,
          "eager linear reduction: the root's link takes one after the other" },
        { TOPOLOGY_STAR, "reduce", "linear", 0, 0, wanted_one_by_one,
          "linear reduction from the rendezvous on: the root asks for one after the other" },
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        int wrong = 0, compared = 0;
        for (int procs = 2; procs <= 33; procs += 1 + forms[i].only_even) {
            const double time = walk(forms[i].kind, forms[i].collective, forms[i].name, procs, 700,
                                     0, forms[i].rendezvous);
            const double wanted = forms[i].form(procs, 700);
            compared++;
            if (!(fabs(time / wanted - 1) < EXACT) && !wrong++)
                diag("P = %d: wanted %g, seen %g", procs, wanted, time);
        }
        ok(wrong == 0, "%s (%d times)", forms[i].claim, compared);
    }
}

/* Where all messages of a step are alike it is the links walk. */
static void check_alike(void)
{
    static const char *const names[] = { "ring", "bruck", "neighbor", "recursive_doubling" };
    const struct links_costs costs = { &message, &no_copy, 0, 1, NULL, 0, NULL };
    for (size_t a = 0; a < sizeof names / sizeof *names; a++) {
        int wrong = 0, compared = 0;
        for (int procs = 2; procs <= 33; procs++) {
            struct topology top;
            struct links_result steps = { .network_s = NAN };
            struct schedule s;
            struct links_net *net = net_of(TOPOLOGY_TORUS, procs, "in_order", &top);
            schedule_init(&s, algorithm_find("allgather", names[a]), procs, 0, 700, 0, 0, NULL);
            links_walk(net, &s, &costs, NULL, &steps, NULL);
            links_net_free(net);
            const double time = walk(TOPOLOGY_TORUS, "allgather", names[a], procs, 700, 0, 0);
            if (!(fabs(time / steps.network_s - 1) < EXACT) && !wrong++)
                diag("P = %d: queues %g, steps %g", procs, time, steps.network_s);
            compared++;
        }
        ok(wrong == 0, "%s around a ring: as the steps have it, %d times", names[a], compared);
    }
}

/* Two links lead to the root around a ring, and yet it takes one block after the other: without the
 * rendezvous half of the blocks would come from each side. */
static void check_wanted(void)
{
    const double wanted = walk(TOPOLOGY_TORUS, "reduce", "linear", 33, 700, 0, 0),
                 pushed = walk(TOPOLOGY_TORUS, "reduce", "linear", 33, 700, 0, EAGER);
    ok(wanted >= 31 * t(700) * (1 - EXACT) && wanted <= 31 * t(700) + 0.7 * (1 + EXACT),
       "linear reduction around a ring: the root asks for one after the other");
    is_near(t(16 * 700), pushed, EXACT, "eager, 16 blocks come from each side");
}

/* Segments of 100 bytes, eight of them: down the chain the first takes P - 1 messages. Eager ones
 * follow each other as fast as the links carry them, the others as fast as each is asked for: the
 * receive of the next is posted while this one comes. */
static void check_pipeline(void)
{
    is_near(4 * t(100) + 7 * 0.1, walk(TOPOLOGY_STAR, "bcast", "pipeline", 5, 800, 100, EAGER),
            EXACT, "eager pipeline: (P - 1) t(m) + (n - 1) m/rate");
    is_near((4 + 7) * t(100), walk(TOPOLOGY_STAR, "bcast", "pipeline", 5, 800, 100, 0), EXACT,
            "with rendezvous: (P + n - 2) t(m)");
    is_near((4 + 7) * t(100), walk(TOPOLOGY_STAR, "reduce", "pipeline", 5, 800, 100, 0), EXACT,
            "as a reduction, too: the next receive has another buffer");
}

static void check_copies(void)
{
    const struct links_costs costs = { &message, &copy, 0, 1, NULL, 0, NULL };
    struct topology top;
    struct schedule s;
    double time;
    struct links_net *net = net_of(TOPOLOGY_TORUS, 4, "in_order", &top);
    schedule_init(&s, algorithm_find("allgather", "ring"), 4, 0, 1000, 0, 0, NULL);
    queue_walk(net, &s, &costs, &time, NULL);
    is_near(3 * 3.0 + 0.1, time, EXACT, "three steps, and the copy of the own block");
    links_net_free(net);
}

/* ---- messages that meet ---- */

/* Around a ring of eight, 0 sends 1000 bytes to 3, 2 sends 2000 bytes to 3 and 6 sends 5000 to 7;
 * when 3 has the first, it sends 1000 bytes to 5. */
static uint64_t meeting_rounds(const struct schedule *s, int rank)
{
    (void)s;
    return rank == 3 ? 2 : rank != 1 && rank != 4;
}

static void meeting_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)s;
    if (rank == 0)
        round_send(out, BUF_SEND, 0, 1000, 3);
    else if (rank == 2)
        round_send(out, BUF_SEND, 0, 2000, 3);
    else if (rank == 6)
        round_send(out, BUF_SEND, 0, 5000, 7);
    else if (rank == 7)
        round_recv(out, BUF_RECV, 0, 5000, 6);
    else if (rank == 5)
        round_recv(out, BUF_RECV, 0, 1000, 3);
    else if (k == 0)
        round_recv(out, BUF_RECV, 0, 1000, 0);
    else {
        round_send(out, BUF_RECV, 0, 1000, 5);
        round_recv(out, BUF_RECV, 1000, 2000, 2);
    }
}

static const struct algorithm meeting = {
    .name = "meeting", .collective = "allgather", .rounds = meeting_rounds, .round = meeting_round
};

static void check_meeting(void)
{
    const struct links_costs costs = { &message, &no_copy, 0, 1, NULL, EAGER, NULL };
    struct links_result steps;
    struct topology top;
    struct schedule s;
    double time;
    struct links_net *net = net_of(TOPOLOGY_TORUS, 8, "in_order", &top);
    schedule_init(&s, &meeting, 8, 0, 1000, 0, 0, NULL);
    queue_walk(net, &s, &costs, &time, NULL);
    links_walk(net, &s, &costs, NULL, &steps, NULL);
    is_near(t(3000) + t(1000), time, EXACT,
            "two that leave together take t of both; a rank then goes on");
    is_near(t(5000) + t(1000), steps.network_s, EXACT, "… which in steps waits for the others");
    links_net_free(net);
}

/* ---- one step of random permutations ---- */

enum { NODES = 60 };

static int to_rank[NODES], from_rank[NODES];

static uint64_t one_round(const struct schedule *s, int rank)
{
    (void)s;
    (void)rank;
    return 1;
}

static void permute(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)k;
    round_recv(out, BUF_RECV, 0, s->bytes * (1 + (uint64_t)from_rank[rank] % 3), from_rank[rank]);
    round_send(out, BUF_SEND, 0, s->bytes * (1 + (uint64_t)rank % 3), to_rank[rank]);
}

static const struct algorithm permutation = {
    .name = "permutation", .collective = "allgather", .rounds = one_round, .round = permute
};

/* All leave together, so that each is through when its busiest link is: the time of the step that
 * the links walk has, whose loads links-t.c counts by brute force. */
static void check_permutations(void)
{
    const struct links_costs costs = { &message, &no_copy, 0, 1, NULL, 0, NULL };
    const struct network torus = {
        .kind = TOPOLOGY_TORUS, .dims = 3, .extent = { 3, 4, 5 }, .link_rate = 1e6
    };
    const struct seating seating = { "core", NODES, 1, NODES, 1, 1, 0, 0 };
    struct topology top;
    struct rng rng;
    int other = 0, colliding = 0;
    rng_init(&rng, 11);
    topology_init(&top, &torus, NULL);
    struct links_net *net = links_net_new(&top, "random:5", &seating, NULL);
    for (int k = 0; k < 200; k++) {
        struct links_result steps;
        struct schedule s;
        double time = NAN;
        for (int r = 0; r < NODES; r++)
            to_rank[r] = r;
        rng_shuffle(&rng, to_rank, NODES, sizeof *to_rank);
        for (int r = 0; r < NODES; r++)
            from_rank[to_rank[r]] = r;
        schedule_init(&s, &permutation, NODES, 0, 500, 0, 0, NULL);
        links_walk(net, &s, &costs, NULL, &steps, NULL);
        queue_walk(net, &s, &costs, &time, NULL);
        colliding += steps.collisions > 1;
        other += !(fabs(time / steps.network_s - 1) < EXACT);
    }
    links_net_free(net);
    is_int(0, other, "200 permutations of unequal messages: t of the busiest link (%d collide)",
           colliding);
}

/* ---- within a node, and what is refused ---- */

static void check_inside(void)
{
    static double slow_s[] = { 9, 9 };
    static struct curve inside[N_CHANNELS];
    const struct links_costs costs = { &message, &no_copy, 0, 1, NULL, 0, inside };
    const struct network star = { .kind = TOPOLOGY_STAR, .nodes = 2, .link_rate = 1e6 };
    const struct seating seating = { "core", 2, 2, 4, 1, 2, 0, 0 };
    struct topology top;
    struct schedule s;
    double time;
    inside[CHANNEL_CORE] = (struct curve){ 2, bytes, slow_s };
    topology_init(&top, &star, NULL);
    struct links_net *net = links_net_new(&top, "in_order", &seating, NULL);
    schedule_init(&s, algorithm_find("allgather", "recursive_doubling"), 4, 0, 600, 0, 0, NULL);
    queue_walk(net, &s, &costs, &time, NULL);
    is_near(9 + t(2 * 1200), time, EXACT,
            "within a node as its channel, then two ranks share their node's link");
    links_net_free(net);
}

static void check_refused(void)
{
    const struct links_costs costs = { &message, &no_copy, 0, 1, NULL, 0, NULL };
    struct topology top;
    struct schedule s;
    struct err err = { 0 };
    double time;
    struct links_net *net = net_of(TOPOLOGY_TORUS, 2, "in_order", &top);
    schedule_init(&s, &deadlock, 2, 0, 1, 0, 0, NULL);
    ok(queue_walk(net, &s, &costs, &time, &err) < 0, "what never ends is refused");
    has_str("never ends", err.text, "… and why");
    schedule_init(&s, algorithm_find("allgather", "ring"), 3, 0, 1, 0, 0, NULL);
    ok(queue_walk(net, &s, &costs, &time, &err) < 0, "another number of ranks, too");
    links_net_free(net);
    net = net_of(TOPOLOGY_TORUS, 1500, "in_order", &top);
    schedule_init(&s, algorithm_find("allgather", "ring"), 1500, 0, 1, 0, 0, NULL);
    ok(queue_walk(net, &s, &costs, &time, &err) == 0 && isnan(time), "too many messages: no time");
    links_net_free(net);
}

int main(void)
{
    check_closed();
    check_alike();
    check_wanted();
    check_pipeline();
    check_copies();
    check_meeting();
    check_permutations();
    check_inside();
    check_refused();
    return tap_done();
}
