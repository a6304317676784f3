/* SPDX-License-Identifier: BSD-3-Clause */
/* flow-t.c - the flow walker by hand: where all flows of a step are alike it is the links
 * walk; where they are not, shares in equal parts and by latency, and ranks that go on alone. */
#include "analysis/walk/flow.h"
#include "tests/analysis/deadlock.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

static const double EXACT = 1e-6; /* events within a billionth of the time are one */

/* t(m) = 2 s + 1 ms/byte; t_mem(m) = 0.1 ms/byte. */
static double bytes[] = { 0, 1e6 }, seconds[] = { 2, 1002 }, copied[] = { 0, 100 };
static double flowing[] = { 0, 1000 };
static const struct curve message = { 2, bytes, seconds }, copy = { 2, bytes, copied },
                          only_bytes = { 2, bytes, flowing }, no_copy = { 0 };

static struct links_net *ring_of(int procs, double link_latency, struct topology *top)
{
    const struct network net = { .kind = TOPOLOGY_TORUS,
                                 .dims = 1,
                                 .extent = { procs },
                                 .link_rate = 1e6,
                                 .link_latency = link_latency };
    const struct seating seating = {
        .mapping = "core", .nodes = procs, .ppn = 1, .procs = procs, .sockets = 1, .cores = 1
    };
    return topology_init(top, &net, NULL) < 0 ? NULL
                                              : links_net_new(top, "in_order", &seating, NULL);
}

/* ---- flows that are all alike ---- */

static void check_alike(void)
{
    static const char *const names[] = { "ring", "bruck", "neighbor", "recursive_doubling" };
    const struct links_costs costs = { &message, &no_copy, 0, 1, NULL, 0, NULL };
    for (size_t a = 0; a < sizeof names / sizeof *names; a++) {
        int wrong = 0, compared = 0;
        for (int procs = 2; procs <= 33; procs++) {
            struct topology top;
            struct links_net *net = ring_of(procs, 0, &top);
            struct links_result steps;
            struct schedule s;
            double time = NAN;
            schedule_init(&s, algorithm_find("allgather", names[a]), procs, 0, 700, 0, 0, NULL);
            if (flow_walk(net, &s, &costs, FLOW_EQUAL, &time, NULL) < 0 ||
                links_walk(net, &s, &costs, NULL, &steps, NULL) < 0 ||
                fabs(time / steps.network_s - 1) > EXACT) {
                if (!wrong++)
                    diag("P = %d: flows %g, steps %g", procs, time, steps.network_s);
            }
            compared++;
            links_net_free(net);
        }
        ok(wrong == 0, "%s around a ring: as the steps have it, %d times", names[a], compared);
    }
}

static void check_copies(void)
{
    const struct links_costs costs = { &message, &copy, 0, 1, NULL, 0, NULL };
    struct topology top;
    struct schedule s;
    double time;
    struct links_net *net = ring_of(4, 0, &top);
    schedule_init(&s, algorithm_find("allgather", "ring"), 4, 0, 1000, 0, 0, NULL);
    flow_walk(net, &s, &costs, FLOW_EQUAL, &time, NULL);
    is_near(3 * 3.0 + 0.1, time, EXACT, "three steps, and the copy of the own block");
    links_net_free(net);
}

/* ---- two flows on one link ----
 *
 * Around a ring of eight, 0 sends 1000 bytes to 3 and 2 sends 2000 bytes to 3; when 3 has the
 * first, it sends 1000 bytes to 5. */

static uint64_t two_rounds(const struct schedule *s, int rank)
{
    (void)s;
    return rank == 3 ? 2 : rank == 0 || rank == 2 || rank == 5;
}

static void two_flows(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)s;
    if (rank == 0)
        round_send(out, BUF_SEND, 0, 1000, 3);
    else if (rank == 2)
        round_send(out, BUF_SEND, 0, 2000, 3);
    else if (rank == 5)
        round_recv(out, BUF_RECV, 0, 1000, 3);
    else if (k == 0)
        round_recv(out, BUF_RECV, 0, 1000, 0);
    else {
        round_send(out, BUF_RECV, 0, 1000, 5);
        round_recv(out, BUF_RECV, 1000, 2000, 2);
    }
}

static const struct algorithm crossing = {
    .name = "crossing", .collective = "allgather", .rounds = two_rounds, .round = two_flows
};

static void check_sharing(void)
{
    const struct links_costs costs = { &only_bytes, &no_copy, 1, 0, NULL, 0, NULL };
    struct topology top;
    struct schedule s;
    double time;
    struct links_net *net = ring_of(8, 1, &top);
    schedule_init(&s, &crossing, 8, 0, 1000, 0, 0, NULL);
    flow_walk(net, &s, &costs, FLOW_EQUAL, &time, NULL);
    /* Halves: the first is there after 2 s, the second after 3 s, the onward one after 3 s. */
    is_near(3, time, EXACT, "in equal parts");
    flow_walk(net, &s, &costs, FLOW_BY_LATENCY, &time, NULL);
    /* Three links against one: a quarter and three quarters; the second is through after 8/3 s, the
     * first, of which 2/3 are, at 3 s, and the onward one takes a second. */
    is_near(4, time, EXACT, "by latency: the longer route gets less");
    links_net_free(net);
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

static void check_waiting(void)
{
    const struct links_costs waits = { &message, &no_copy, 0, 1, NULL, 1000, NULL },
                             goes_on = { &message, &no_copy, 0, 1, NULL, 1001, NULL };
    struct topology top;
    struct schedule s;
    double time;
    struct links_net *net = ring_of(3, 0, &top);
    schedule_init(&s, &one_by_one, 3, 0, 1000, 0, 0, NULL);
    flow_walk(net, &s, &waits, FLOW_EQUAL, &time, NULL);
    is_near(6, time, EXACT, "from the rendezvous on a send is waited for");
    flow_walk(net, &s, &goes_on, FLOW_EQUAL, &time, NULL);
    is_near(3, time, EXACT, "a shorter one is not");
    links_net_free(net);
}

/* The same of schedules: segments of a pair come one after the other, and a message leaves when it
 * is asked for. */
static void check_order(void)
{
    const struct links_costs asked = { &message, &no_copy, 0, 1, NULL, 0, NULL },
                             eager = { &message, &no_copy, 0, 1, NULL, 1 << 30, NULL };
    struct topology top;
    struct schedule s;
    double time;
    struct links_net *net = ring_of(5, 0, &top);
    schedule_init(&s, algorithm_find("bcast", "pipeline"), 5, 0, 800, 100, 1, NULL);
    flow_walk(net, &s, &eager, FLOW_EQUAL, &time, NULL);
    is_near(4 * 2.1 + 7 * 0.1, time, EXACT, "eager segments follow each other on a link");
    flow_walk(net, &s, &asked, FLOW_EQUAL, &time, NULL);
    is_near((4 + 7) * 2.1, time, EXACT, "others as each is asked for");
    schedule_init(&s, algorithm_find("reduce", "linear"), 5, 0, 1000, 0, 1, NULL);
    flow_walk(net, &s, &asked, FLOW_EQUAL, &time, NULL);
    /* 4 and 3 have buffers of their own, and share the links 3-4, 4-0 and 0-1. */
    is_near(4 + 2 * 3, time, EXACT, "a linear reduction's root takes one block after the other");
    links_net_free(net);
}

static void check_refused(void)
{
    const struct links_costs costs = { &message, &no_copy, 0, 1, NULL, 0, NULL };
    struct topology top;
    struct schedule s;
    struct err err = { 0 };
    double time;
    struct links_net *net = ring_of(2, 0, &top);
    schedule_init(&s, &deadlock, 2, 0, 1, 0, 0, NULL);
    ok(flow_walk(net, &s, &costs, FLOW_EQUAL, &time, &err) < 0, "what never ends is refused");
    has_str("never ends", err.text, "… and why");
    schedule_init(&s, algorithm_find("allgather", "ring"), 3, 0, 1, 0, 0, NULL);
    ok(flow_walk(net, &s, &costs, FLOW_EQUAL, &time, &err) < 0, "another number of ranks, too");
    links_net_free(net);
    net = ring_of(400, 0, &top);
    schedule_init(&s, algorithm_find("allgather", "ring"), 400, 0, 1, 0, 0, NULL);
    ok(flow_walk(net, &s, &costs, FLOW_EQUAL, &time, &err) == 0 && isnan(time),
       "too many messages: no time");
    links_net_free(net);
}

int main(void)
{
    check_alike();
    check_copies();
    check_sharing();
    check_waiting();
    check_order();
    check_refused();
    return tap_done();
}
