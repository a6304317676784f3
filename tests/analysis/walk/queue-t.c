/* SPDX-License-Identifier: BSD-3-Clause */
/* queue-t.c - the queue walker by hand: closed forms, one step of random permutations against the
 * links walk, and who waits for whom. */
#include "analysis/walk/queue.h"
#include "harness/base/rng.h"
#include "tests/analysis/meet.h"
#include "tests/tap.h"

static const double EXACT = 1e-9;

static double t(double m)
{
    return 2 + 1e-3 * m;
}

static int queued(struct links_net *net, const struct schedule *s, const struct links_costs *costs,
                  double *time, struct err *err)
{
    return queue_walk(net, s, costs, time, err);
}

/* Among procs ranks on a star or around a ring; rendezvous: from so many bytes on. */
static double walk(enum topology_kind kind, const char *collective, const char *name, int procs,
                   uint64_t m, uint64_t segment, uint64_t rendezvous)
{
    const struct links_costs costs = costs_from(rendezvous);
    return time_on(kind, queued, algorithm_find(collective, name), procs, m, segment, &costs);
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

/* ---- messages that meet ---- */

static void check_meeting(void)
{
    const struct links_costs costs = costs_from(EAGER);
    is_near(t(3000) + t(1000), time_on(TOPOLOGY_TORUS, queued, &meeting, 8, 5000, 0, &costs), EXACT,
            "two that leave together take t of both; a rank then goes on");
    is_near(t(5000) + t(1000), time_on(TOPOLOGY_TORUS, in_steps, &meeting, 8, 5000, 0, &costs),
            EXACT, "… which in steps waits for the others");
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
 * the links walk has, whose loads link_walk-t.c counts by brute force. */
static void check_permutations(void)
{
    const struct links_costs costs = costs_from(0);
    const struct network torus = {
        .kind = TOPOLOGY_TORUS, .dims = 3, .extent = { 3, 4, 5 }, .link_rate = 1e6
    };
    const struct seating seating = { "core", NODES, 1, NODES, 1, 1, 0, { .group = { 0 } } };
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
        /* of one size it would be the same schedule to the net, which remembers */
        schedule_init(&s, &permutation, NODES, 0, 500 + (uint64_t)k, 0, 0, NULL);
        links_walk(net, &s, &costs, NULL, &steps, NULL);
        queue_walk(net, &s, &costs, &time, NULL);
        colliding += steps.collisions > 1;
        other += !(fabs(time / steps.network_s - 1) < EXACT);
    }
    links_net_free(net);
    is_int(0, other, "200 permutations of unequal messages: t of the busiest link (%d collide)",
           colliding);
}

/* ---- within a node ---- */

static void check_inside(void)
{
    static double slow_s[] = { 9, 9 };
    static struct curve inside[N_CHANNELS];
    const struct links_costs costs = { &message, &no_copy, 0, 1, NULL, 0, inside };
    const struct network star = { .kind = TOPOLOGY_STAR, .nodes = 2, .link_rate = 1e6 };
    const struct seating seating = { "core", 2, 2, 4, 1, 2, 0, { .group = { 0 } } };
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

int main(void)
{
    check_closed();
    check_alike(queued, EXACT);
    check_wanted();
    check_pipeline();
    check_copies(queued, EXACT);
    check_meeting();
    check_permutations();
    check_inside();
    check_refused(queued, 1500);
    return tap_done();
}
