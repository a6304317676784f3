/* SPDX-License-Identifier: BSD-3-Clause */
/* meet.h - for the tests of walkers whose messages meet on links (queue.h): costs, nets and a
 * schedule, and the claims that hold for each of them. */
#pragma once

#include <math.h>

#include "tests/analysis/deadlock.h"
#include "tests/analysis/ring.h"
#include "tests/tap.h"

/* t(m) = 2 s + 1 ms/byte, of which the byte's occupies links; t_mem(m) = 0.1 ms/byte. */
static double bytes[] = { 0, 1e6 }, seconds[] = { 2, 1002 }, copied[] = { 0, 100 };
static const struct curve message = { 2, bytes, seconds }, copy = { 2, bytes, copied },
                          no_copy = { 0 };

enum { EAGER = 1 << 30 };

/* A walker with all that it is told besides. */
typedef int walker(struct links_net *net, const struct schedule *s, const struct links_costs *costs,
                   double *time, struct err *err);

/* Messages of rendezvous bytes and more are waited for; latencies and copies cost nothing. */
static struct links_costs costs_from(uint64_t rendezvous)
{
    return (struct links_costs){ &message, &no_copy, 0, 0, NULL, rendezvous, NULL };
}

/* The time of an algorithm on a star or a ring (ring_of); NaN where it is not walked. */
static double time_on(enum topology_kind kind, walker *walk, const struct algorithm *algorithm,
                      int procs, uint64_t m, uint64_t segment, const struct links_costs *costs)
{
    struct topology top;
    struct schedule s;
    double time = NAN;
    struct links_net *net = ring_of(kind, procs, &top);
    if (schedule_init(&s, algorithm, procs, 0, m, segment, 1, NULL) < 0 ||
        walk(net, &s, costs, &time, NULL) < 0)
        time = NAN;
    links_net_free(net);
    return time;
}

/* The same by the links walk, in steps. */
static int in_steps(struct links_net *net, const struct schedule *s,
                    const struct links_costs *costs, double *time, struct err *err)
{
    struct links_result steps = { .network_s = NAN };
    const int status = links_walk(net, s, costs, NULL, &steps, err);
    *time = steps.network_s;
    return status;
}

/* Around a ring of eight, 0 sends 1000 bytes to 3, 2 sends 2000 bytes to 3 and 6 sends m to 7; when
 * 3 has the first, it sends 1000 bytes to 5. */
static uint64_t meeting_rounds(const struct schedule *s, int rank)
{
    (void)s;
    return rank == 3 ? 2 : rank != 1 && rank != 4;
}

static void meeting_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (rank == 0)
        round_send(out, BUF_SEND, 0, 1000, 3);
    else if (rank == 2)
        round_send(out, BUF_SEND, 0, 2000, 3);
    else if (rank == 6)
        round_send(out, BUF_SEND, 0, s->bytes, 7);
    else if (rank == 7)
        round_recv(out, BUF_RECV, 0, s->bytes, 6);
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

/* Where all messages of a step are alike it is the links walk. */
static void check_alike(walker *walk, double exact)
{
    static const char *const names[] = { "ring", "bruck", "neighbor", "recursive_doubling" };
    const struct links_costs costs = costs_from(0);
    for (size_t a = 0; a < sizeof names / sizeof *names; a++) {
        const struct algorithm *algorithm = algorithm_find("allgather", names[a]);
        int wrong = 0, compared = 0;
        for (int procs = 2; procs <= 33; procs++) {
            const double time = time_on(TOPOLOGY_TORUS, walk, algorithm, procs, 700, 0, &costs),
                         steps =
                             time_on(TOPOLOGY_TORUS, in_steps, algorithm, procs, 700, 0, &costs);
            if (!(fabs(time / steps - 1) < exact) && !wrong++)
                diag("P = %d: seen %g, steps %g", procs, time, steps);
            compared++;
        }
        ok(wrong == 0, "%s around a ring: as the steps have it, %d times", names[a], compared);
    }
}

static void check_copies(walker *walk, double exact)
{
    const struct links_costs costs = { &message, &copy, 0, 0, NULL, 0, NULL };
    is_near(3 * 3.0 + 0.1,
            time_on(TOPOLOGY_TORUS, walk, algorithm_find("allgather", "ring"), 4, 1000, 0, &costs),
            exact, "three steps, and the copy of the own block");
}

/* too_many: ranks whose messages around a ring are more than are walked. */
static void check_refused(walker *walk, int too_many)
{
    const struct links_costs costs = costs_from(0);
    const struct algorithm *ring = algorithm_find("allgather", "ring");
    struct topology top;
    struct schedule s;
    struct err err = { 0 };
    double time;
    struct links_net *net = ring_of(TOPOLOGY_TORUS, 2, &top);
    schedule_init(&s, &deadlock, 2, 0, 1, 0, 0, NULL);
    ok(walk(net, &s, &costs, &time, &err) < 0, "what never ends is refused");
    has_str("never ends", err.text, "… and why");
    schedule_init(&s, ring, 3, 0, 1, 0, 0, NULL);
    ok(walk(net, &s, &costs, &time, &err) < 0, "another number of ranks, too");
    links_net_free(net);
    net = ring_of(TOPOLOGY_TORUS, too_many, &top);
    schedule_init(&s, ring, too_many, 0, 1, 0, 0, NULL);
    ok(walk(net, &s, &costs, &time, &err) == 0 && isnan(time), "too many messages: no time");
    links_net_free(net);
}
