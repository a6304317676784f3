/* SPDX-License-Identifier: BSD-3-Clause */
/* flow-t.c - the flow walker by hand: where all flows of a step are alike it is the links
 * walk; where they are not, shares in equal parts and by latency, and ranks that go on alone. */
#include "analysis/walk/flow.h"
#include "tests/analysis/meet.h"
#include "tests/tap.h"

static const double EXACT = 1e-6; /* events within a billionth of the time are one */

static int equally(struct links_net *net, const struct schedule *s, const struct links_costs *costs,
                   double *time, struct err *err)
{
    return flow_walk(net, s, costs, FLOW_EQUAL, time, err);
}

static int by_latency(struct links_net *net, const struct schedule *s,
                      const struct links_costs *costs, double *time, struct err *err)
{
    return flow_walk(net, s, costs, FLOW_BY_LATENCY, time, err);
}

/* ---- two flows on one link ---- */

static void check_sharing(void)
{
    static double flowing[] = { 0, 1000 };
    static const struct curve only_bytes = { 2, bytes, flowing };
    const struct links_costs costs = { &only_bytes, &no_copy, 1, 0, NULL, 0, NULL };
    /* Halves: the first is there after 2 s, the second after 3 s, the onward one after 3 s. */
    is_near(3, time_on(TOPOLOGY_TORUS, equally, &meeting, 8, 1000, 0, &costs), EXACT,
            "in equal parts");
    /* Three links against one: a quarter and three quarters; the second is through after 8/3 s, the
     * first, of which 2/3 are, at 3 s, and the onward one takes a second. */
    is_near(4, time_on(TOPOLOGY_TORUS, by_latency, &meeting, 8, 1000, 0, &costs), EXACT,
            "by latency: the longer route gets less");
}

/* ---- who waits ---- */

static uint64_t chain_rounds(const struct schedule *s, int rank)
{
    (void)s;
    return rank == 0 ? 2 : 1;
}

/* 0 sends to 1, then to 2: the other way around the ring. */
static void chain_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)s;
    if (rank == 0)
        round_send(out, BUF_SEND, 0, 1000, (int)k + 1);
    else
        round_recv(out, BUF_RECV, 0, 1000, 0);
}

static const struct algorithm one_by_one = {
    .name = "one_by_one", .collective = "allgather", .rounds = chain_rounds, .round = chain_round
};

/* Around a ring; a send of rendezvous bytes and more is waited for. */
static double time_of(const struct algorithm *algorithm, int procs, uint64_t m, uint64_t segment,
                      uint64_t rendezvous)
{
    const struct links_costs costs = costs_from(rendezvous);
    return time_on(TOPOLOGY_TORUS, equally, algorithm, procs, m, segment, &costs);
}

/* In schedules segments of a pair come one after the other, and a message leaves when it is asked
 * for. */
static void check_waiting(void)
{
    const struct algorithm *pipeline = algorithm_find("bcast", "pipeline");
    is_near(6, time_of(&one_by_one, 3, 1000, 0, 1000), EXACT,
            "from the rendezvous on a send is waited for");
    is_near(3, time_of(&one_by_one, 3, 1000, 0, 1001), EXACT, "a shorter one is not");
    is_near(4 * 2.1 + 7 * 0.1, time_of(pipeline, 5, 800, 100, EAGER), EXACT,
            "eager segments follow each other on a link");
    is_near((4 + 7) * 2.1, time_of(pipeline, 5, 800, 100, 0), EXACT, "others as each is asked for");
    /* 4 and 3 have buffers of their own, and share the links 3-4, 4-0 and 0-1. */
    is_near(4 + 2 * 3, time_of(algorithm_find("reduce", "linear"), 5, 1000, 0, 0), EXACT,
            "a linear reduction's root takes one block after the other");
}

int main(void)
{
    check_alike(equally, EXACT);
    check_copies(equally, EXACT);
    check_sharing();
    check_waiting();
    check_refused(equally, 400);
    return tap_done();
}
