/* SPDX-License-Identifier: BSD-3-Clause */
/* seat_walk-t.c - the event walk over places on two nodes of two sockets of four cores (two per
 * cache), against times counted by hand. */
#include "analysis/walk/seat_walk_time.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

enum { BYTES = 1000 };

/* Latencies per channel, what one more send occupies, and what is shared, in seconds. */
static const double L[N_CHANNELS] = { 0, 10, 20, 40, 100 };
static const double SEND = 1, SHARE = 3, MEMORY = 5, PORT = 30;

/* Rounding only. */
static const double ROUNDING = 1e-12;

static struct seat_costs costs_new(double rendezvous_bytes)
{
    struct seat_costs costs = { .memory = { 0 } };
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        curve_add(&costs.of[c].latency, BYTES, L[c]);
        curve_add(&costs.of[c].send, BYTES, SEND);
        costs.of[c].rendezvous_bytes = rendezvous_bytes;
    }
    return costs;
}

static void set(struct curve *curve, double seconds)
{
    curve_add(curve, BYTES, seconds);
}

static struct seating seating_of(const char *mapping, int procs)
{
    const int by_node = strcmp(mapping, "node") == 0;
    return (struct seating){ .mapping = mapping,
                             .nodes = 2,
                             .ppn = by_node ? (procs + 1) / 2 : 8,
                             .procs = procs,
                             .sockets = 2,
                             .cores = 4,
                             .cache_cores = 2 };
}

/* When all is done; ends of the ranks in end[] (NULL: no matter). */
static double walk_from(const char *name, const char *mapping, int procs, int memory_cores,
                        const struct seat_costs *costs, const double *begin, double *end)
{
    double own[32], last = 0;
    struct schedule s;
    struct places places;
    struct err err = { 0 };
    const struct seating seating = seating_of(mapping, procs);
    end = end ? end : own;
    if (schedule_init(&s, algorithm_find("bcast", name), procs, 0, BYTES, 0, 0, &err) < 0)
        return NAN;
    places_init(&places, &seating, memory_cores, 0);
    const struct seat_walk_run_more more = { .begin = begin };
    const int status = seat_walk_run(&s, &places, costs, &more, end, &err);
    places_clear(&places);
    if (status < 0)
        diag("%s: %s", name, err.text);
    for (int i = 0; i < procs; i++)
        last = fmax(last, end[i]);
    return status < 0 ? NAN : last;
}

static double walk(const char *name, const char *mapping, int procs, const struct seat_costs *costs)
{
    return walk_from(name, mapping, procs, 0, costs, NULL, NULL);
}

/* ---- places ---- */

static void seats(void)
{
    struct places p;
    const struct seating core = seating_of("core", 16), node = seating_of("node", 16);
    places_init(&p, &core, 0, 0);
    is_int(CHANNEL_CACHE, places_channel(&p, 0, 1), "cores 0 and 1 share a cache");
    is_int(CHANNEL_CORE, places_channel(&p, 1, 2), "1 and 2 a socket");
    is_int(CHANNEL_SOCKET, places_channel(&p, 3, 4), "3 and 4 a node");
    is_int(CHANNEL_NODE, places_channel(&p, 7, 8), "7 and 8 nothing");
    is_int(4, p.memories, "a memory per socket");
    places_clear(&p);
    places_init(&p, &core, 2, 0);
    is_int(8, p.memories, "of two cores each: eight");
    is_int(3, p.rank[7].memory, "core 7 is at the last of its node");
    places_clear(&p);
    for (int a = 0; a < 2; a++) {
        const struct seating *s = a ? &node : &core;
        int wrong = 0;
        places_init(&p, s, 0, 0);
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++)
                wrong += i != j && places_channel(&p, i, j) != seat_channel(s, i, j);
        places_clear(&p);
        is_int(0, wrong, "mapping %s: every pair is on the channel that seat.h says", s->mapping);
    }
}

static void floating(void)
{
    struct places p;
    const struct seating node = seating_of("node", 16), socket = seating_of("socket", 16);
    int count[8] = { 0 };
    places_init(&p, &node, 2, 1);
    /* Ranks 0, 2, 4, 6 ... are 0, 1, 2, 3 ... of their node: an even number of ones is socket 0. */
    static const int socket_of[] = { 0, 1, 1, 0, 1, 0, 0, 1 };
    int wrong = 0;
    for (int i = 0; i < 16; i++)
        wrong += p.rank[i].socket != 2 * (i % 2) + socket_of[i / 2] || p.rank[i].cache != -1;
    is_int(0, wrong, "by node and floating: on either socket, in no order of powers of two");
    is_int(CHANNEL_SOCKET, places_channel(&p, 0, 2), "... so 0 and 1 of a node are apart");
    is_int(CHANNEL_CORE, places_channel(&p, 0, 6), "... 0 and 3 are not, but in no cache");
    is_int(CHANNEL_NODE, places_channel(&p, 0, 1), "... and on the node one is on");
    for (int i = 0; i < 16; i++)
        count[p.rank[i].memory]++;
    int uneven = 0;
    for (int i = 0; i < 8; i++)
        uneven += count[i] != 2;
    is_int(0, uneven, "sixteen ranks on eight memories: two each");
    places_clear(&p);
    places_init(&p, &socket, 2, 1);
    is_int(CHANNEL_CORE, places_channel(&p, 0, 2), "by socket: on its socket, in no cache");
    is_int(CHANNEL_SOCKET, places_channel(&p, 0, 1), "... and the next one on the other");
    places_clear(&p);
}

/* ---- one resource at a time ---- */

static void alone(void)
{
    struct seat_costs c = costs_new(INFINITY);
    is_near(L[1], walk("basic_linear", "core", 2, &c), ROUNDING, "one message: its latency");
    is_near(7 * SEND - SEND + L[3], walk("basic_linear", "core", 8, &c), ROUNDING,
            "linear: the last of seven sends begins after six");
    is_near(14 * SEND + L[4], walk("basic_linear", "core", 16, &c), ROUNDING,
            "... to the other node after fourteen");
    is_near(3 * L[1] + 2 * L[2] + L[3], walk("pipeline", "core", 7, &c), ROUNDING,
            "pipeline: each hop by its channel");
    is_near(15 * L[4], walk("pipeline", "node", 16, &c), ROUNDING,
            "... and through the network each time where ranks alternate nodes");
    seat_costs_clear(&c);
}

static void sender_shares(void)
{
    struct seat_costs c = costs_new(INFINITY);
    for (int k = CHANNEL_CACHE; k < N_CHANNELS; k++)
        set(&c.of[k].share, SHARE);
    is_near(2 * SHARE + L[2], walk("basic_linear", "core", 4, &c), ROUNDING,
            "a sender's data are read one message after the other");
    /* Inside (ranks 2, 4, 6) and between (1, 3, 5, 7) have each a turn of their own. A copy inside
     * keeps the memory as long as its share, so till 4, 7 and 10. */
    double end[8];
    walk_from("basic_linear", "node", 8, 0, &c, NULL, end);
    is_near(3 * SHARE + 1 + L[4], end[7], ROUNDING,
            "four messages out: the last after three shares, and one more that memory is busy");
    is_near(1 * SEND + SHARE * 2 + L[2], end[6], ROUNDING,
            "three inside: not after those that go out");
    seat_costs_clear(&c);
}

/* Binary tree of seven: 1 and 2 send to 3, 5 and 4, 6 at the same time. */
static void memory(void)
{
    struct seat_costs c = costs_new(INFINITY);
    set(&c.memory, MEMORY);
    double end[8];
    walk_from("binary_tree", "core", 3, 0, &c, NULL, end);
    is_near(L[1], end[1], ROUNDING, "one memory: the first message");
    is_near(MEMORY + L[2], end[2], ROUNDING, "... and the second after it");
    /* A memory of its own for each two cores: 0 -> 1 keeps the first busy, 0 -> 2 both, from 5. */
    walk_from("binary_tree", "core", 3, 2, &c, NULL, end);
    is_near(MEMORY + L[2], end[2], ROUNDING, "two memories: the sender's is busy still");
    /* On eight cores 3 -> 7 goes from socket 0 to 1, while 1 -> 5 keeps both: by hand 0 -> 1 at 0
     * (done 10), 0 -> 2 at 5 (25), 1 -> 3 at 10 (30), 1 -> 5 at 15 to socket 1 (55), 2 -> 4 at 25
     * to socket 1 (65), 2 -> 6 at 30 (70), 3 -> 7 at 35, since 2 -> 6 keeps both until then. */
    walk_from("binary_tree", "core", 8, 0, &c, NULL, end);
    const double by_hand[] = { 0, 10 + 2 * SEND, 25 + 2 * SEND, 30 + SEND, 65, 55, 70, 75 };
    for (int i = 1; i < 8; i++)
        is_near(by_hand[i], end[i], ROUNDING, "eight ranks, two memories: rank %d at %g", i,
                by_hand[i]);
    seat_costs_clear(&c);
}

static void ports(void)
{
    struct seat_costs c = costs_new(INFINITY);
    set(&c.port, PORT);
    double end[16];
    /* Ranks 8 ... 15 are on the other node. */
    walk_from("basic_linear", "core", 16, 0, &c, NULL, end);
    is_near(7 * SEND + 7 * PORT + L[4], end[15], ROUNDING,
            "eight messages through one port: the last after seven");
    is_near(6 * SEND + L[3], end[7], ROUNDING, "... which those inside do not wait for");
    /* Alternating nodes, a pipeline goes out and comes in by turns: both ways are free. */
    is_near(15 * L[4], walk("pipeline", "node", 16, &c), ROUNDING, "each way has its own queue");
    seat_costs_clear(&c);
}

static void relays(void)
{
    struct seat_costs c = costs_new(INFINITY);
    for (int k = CHANNEL_CACHE; k < N_CHANNELS; k++)
        set(&c.of[k].relay, 2 * L[k]);
    is_near(2 * L[1] + 2 * L[2] + L[1], walk("pipeline", "core", 4, &c), ROUNDING,
            "to ranks that pass on it takes relay, to the last one latency");
    is_near(6 * SEND + L[3], walk("basic_linear", "core", 8, &c), ROUNDING,
            "a linear broadcast has none of them");
    seat_costs_clear(&c);
}

/* From the size of rendezvous on the receiver has to be there. */
static void rendezvous(void)
{
    struct seat_costs eager = costs_new(INFINITY), waits = costs_new(BYTES);
    const double begin[] = { 0, 50 };
    double end[2];
    walk_from("basic_linear", "core", 2, 0, &eager, begin, end);
    is_near(50, end[1], ROUNDING, "eager: a late receiver finds its message");
    is_near(SEND, end[0], ROUNDING, "... and the sender is gone");
    walk_from("basic_linear", "core", 2, 0, &waits, begin, end);
    is_near(50 + L[1], end[1], ROUNDING, "rendezvous: it begins when the receiver is there");
    is_near(50 + L[1], end[0], ROUNDING, "... and the sender ends with it");
    seat_costs_clear(&eager);
    seat_costs_clear(&waits);
}

/* A gather: receives in the order of arrival. */
static void receives(void)
{
    struct seat_costs c = costs_new(INFINITY);
    struct places places;
    struct schedule s;
    struct err err = { 0 };
    double end[4];
    const struct seating seating = seating_of("core", 4);
    for (int k = CHANNEL_CACHE; k < N_CHANNELS; k++)
        set(&c.of[k].receive, 7);
    places_init(&places, &seating, 0, 0);
    schedule_init(&s, algorithm_find("gather", "basic_linear"), 4, 0, BYTES, 0, 0, &err);
    is_int(0, seat_walk_run(&s, &places, &c, NULL, end, &err), "gather");
    is_near(20 + 7, end[0], ROUNDING, "at 10 from the cache, at 20 from both others, 7 apart");
    /* A linear reduction asks for 3 first, then 2, then 1, which has been taken at 10. */
    schedule_init(&s, algorithm_find("reduce", "linear"), 4, 0, BYTES, 0, 0, &err);
    is_int(0, seat_walk_run(&s, &places, &c, NULL, end, &err), "reduction");
    is_near(20 + 7, end[0], ROUNDING, "... in the order in which they come, not are asked for");
    places_clear(&places);
    seat_costs_clear(&c);
}

/* Three nodes with a rank each: 1 and 2 send to 0 at the same time, from ports and memories of
 * their own to the same ones. */
static void receiver_is_busy(void)
{
    const struct seating seating = {
        .mapping = "node", .nodes = 3, .ppn = 1, .procs = 3, .sockets = 1, .cores = 1
    };
    for (int by_port = 0; by_port < 2; by_port++) {
        struct seat_costs c = costs_new(INFINITY);
        struct places places;
        struct schedule s;
        struct err err = { 0 };
        double end[3];
        set(by_port ? &c.port : &c.memory, by_port ? PORT : MEMORY);
        places_init(&places, &seating, 0, 0);
        schedule_init(&s, algorithm_find("gather", "basic_linear"), 3, 0, BYTES, 0, 0, &err);
        is_int(0, seat_walk_run(&s, &places, &c, NULL, end, &err), "gather from two nodes");
        is_near((by_port ? PORT : MEMORY / 2) + L[4], end[0], ROUNDING,
                "the second waits for the receiver's %s",
                by_port ? "port" : "memory, half as long");
        is_near(SEND, end[2], ROUNDING, "... its sender does not");
        places_clear(&places);
        seat_costs_clear(&c);
    }
}

/* 0 sends to 1 and 3 on the other node, and to 2 and 4 on its own. */
static void port_and_memory(void)
{
    struct seat_costs c = costs_new(INFINITY);
    double end[9];
    set(&c.memory, MEMORY);
    walk_from("basic_linear", "node", 3, 0, &c, NULL, end);
    is_near(MEMORY / 2 + L[1], end[2], ROUNDING, "a port keeps the memory half as long as a copy");
    walk_from("basic_linear", "core", 9, 0, &c, NULL, end);
    is_near(7 * MEMORY + L[4], end[8], ROUNDING, "... and waits for the seven copies before it");
    set(&c.port, PORT);
    walk_from("basic_linear", "node", 5, 0, &c, NULL, end);
    is_near(MEMORY / 2 + MEMORY + L[2], end[4], ROUNDING,
            "who waits for the port keeps nobody from the memory");
    is_near(PORT + L[4], end[3], ROUNDING, "... and has it when the port is free");
    seat_costs_clear(&c);
}

/* Sixteen ranks on two nodes; 0 sends to all, and so one message after the other through both
 * ports, however small. */
static void port_messages(void)
{
    struct seat_costs c = costs_new(INFINITY);
    double end[16];
    c.port_message = 10;
    walk_from("basic_linear", "core", 16, 0, &c, NULL, end);
    is_near(7 * SEND + 7 * 10 + L[4], end[15], ROUNDING, "eight messages, ten apart");
    /* Ranks that alternate nodes: 1 sends 0's message back to node 0 (to 2) 100 later, when node 0
     * would just be sending: out and in are one queue, here never busy. */
    is_near(15 * L[4], walk("pipeline", "node", 16, &c), ROUNDING, "a pipeline waits for none");
    c.port_message = 150;
    is_near(L[4] + 14 * 150 + 0 * L[4], walk("pipeline", "node", 16, &c), ROUNDING,
            "... unless each keeps both ports longer than it travels");
    seat_costs_clear(&c);
}

/* Who put the last message into a queue decides what the next one costs. */
static void queues(void)
{
    struct seat_costs c = costs_new(INFINITY), late = costs_new(BYTES);
    const double line[N_CHANNELS] = { 0, 0, 4, 8, 0 };
    /* Rank 1's queue; ranks 1, 2 and 5 are on the channels cache, core and socket from 0. */
    const struct {
        int writer;
        double more;
    } cases[] = { { -1, 0 }, { 0, 0 }, { 1, 0 }, { 2, 4 }, { 5, 8 } };
    const struct seating seating = seating_of("core", 8);
    struct places places;
    struct schedule s;
    struct err err = { 0 };
    places_init(&places, &seating, 0, 0);
    schedule_init(&s, algorithm_find("bcast", "pipeline"), 8, 0, BYTES, 0, 0, &err);
    for (int k = CHANNEL_CACHE; k < N_CHANNELS; k++)
        c.of[k].line = late.of[k].line = line[k];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int writer[8] = { -1, cases[i].writer, -1, -1, -1, -1, -1, -1 };
        double end[8];
        const struct seat_walk_run_more more = { .writer = writer };
        is_int(0, seat_walk_run(&s, &places, &c, &more, end, &err), "writer %d", cases[i].writer);
        is_near(L[1] + cases[i].more + SEND, end[1], ROUNDING, "... %g more", cases[i].more);
        is_int(6, writer[7], "... and afterwards its own sender is in each queue");
        is_int(0, writer[1], "... this one too");
    }
    int writer[8] = { -1, 5, -1, -1, -1, -1, -1, -1 };
    double end[8];
    const struct seat_walk_run_more more = { .writer = writer };
    is_int(0, seat_walk_run(&s, &places, &late, &more, end, &err), "rendezvous");
    is_near(L[1], end[0], ROUNDING, "... does not go through queues");
    places_clear(&places);
    seat_costs_clear(&c);
    seat_costs_clear(&late);
}

/* Forty ranks on nodes of their own send to the first, which is late and receives round by round:
 * eager messages wait for it, others set out when they are asked for. One receive takes 2. */
static void many_senders(void)
{
    enum { PROCS = 40 };
    const struct seating seating = {
        .mapping = "node", .nodes = PROCS, .ppn = 1, .procs = PROCS, .sockets = 1, .cores = 1
    };
    const double begin[PROCS] = { 500 };
    for (int waits = 0; waits < 2; waits++) {
        struct seat_costs c = costs_new(waits ? BYTES : INFINITY);
        struct places places;
        struct schedule s;
        struct err err = { 0 };
        double end[PROCS];
        set(&c.of[CHANNEL_NODE].receive, 2);
        places_init(&places, &seating, 0, 0);
        schedule_init(&s, algorithm_find("gather", "basic_linear"), PROCS, 0, BYTES, 0, 0, &err);
        is_int(0,
               seat_walk_run(&s, &places, &c, &(struct seat_walk_run_more){ .begin = begin }, end,
                             &err),
               "gather of forty: %s", err.text);
        is_near(500 + (waits ? 39 * L[4] : 38 * 2), end[0], ROUNDING,
                "%s: one receive after the other", waits ? "rendezvous" : "eager");
        is_near(waits ? 500 + 39 * L[4] : SEND, end[PROCS - 1], ROUNDING,
                "... and the last sender");
        places_clear(&places);
        seat_costs_clear(&c);
    }
}

/* One sender to receivers that come one after the other, the last first: each gets its own. */
static void late_receivers(void)
{
    enum { PROCS = 400 };
    const struct seating seating = {
        .mapping = "node", .nodes = PROCS, .ppn = 1, .procs = PROCS, .sockets = 1, .cores = 1
    };
    struct seat_costs c = costs_new(BYTES);
    struct places places;
    struct schedule s;
    struct err err = { 0 };
    double begin[PROCS] = { 0 }, end[PROCS];
    int wrong = 0;
    for (int i = 1; i < PROCS; i++)
        begin[i] = 10 * PROCS - 5 * i;
    places_init(&places, &seating, 0, 0);
    schedule_init(&s, algorithm_find("bcast", "basic_linear"), PROCS, 0, BYTES, 0, 0, &err);
    is_int(
        0,
        seat_walk_run(&s, &places, &c, &(struct seat_walk_run_more){ .begin = begin }, end, &err),
        "%d late receivers: %s", PROCS - 1, err.text);
    for (int i = 1; i < PROCS; i++)
        wrong += fabs(end[i] - begin[i] - L[4]) > ROUNDING * end[i];
    is_int(0, wrong, "each has its message a latency after it came");
    places_clear(&places);
    seat_costs_clear(&c);
}

/* What ranks that float receive is in no cache of theirs, whether they pass it on or not. */
static void floating_walk(void)
{
    struct seat_costs c = costs_new(INFINITY);
    for (int k = CHANNEL_CACHE; k < N_CHANNELS; k++)
        set(&c.of[k].relay, 2 * L[k]);
    for (int floats = 0; floats < 2; floats++) {
        struct places places;
        struct schedule s;
        struct err err = { 0 };
        double end[4];
        const struct seating seating = seating_of("node", 4);
        places_init(&places, &seating, 0, floats);
        schedule_init(&s, algorithm_find("bcast", "basic_linear"), 4, 0, BYTES, 0, 0, &err);
        is_int(0, seat_walk_run(&s, &places, &c, NULL, end, &err), "floating: %d", floats);
        is_near(floats ? 2 * L[4] : L[4], end[1], ROUNDING, "... a leaf on the other node");
        is_near(SEND + (floats ? 2 * L[3] : L[1]), end[2], ROUNDING,
                "... one on this node, near or anywhere");
        places_clear(&places);
    }
    seat_costs_clear(&c);
}

/* ---- as it is timed ---- */

/* Two ranks, by hand: the receiver is done at L, the sender at SEND; the receiver finds the
 * sender's word in the barrier and leaves at L + SEND, the sender waits for the receiver's until 2
 * L; then the receiver waits from L + SEND until 3 L. */
static void timed(void)
{
    struct seat_costs c = costs_new(INFINITY);
    struct places places;
    struct schedule s;
    struct err err = { 0 };
    struct seat_time t;
    const struct seating seating = seating_of("core", 2);
    places_init(&places, &seating, 0, 0);
    schedule_init(&s, algorithm_find("bcast", "basic_linear"), 2, 0, BYTES, 0, 0, &err);
    is_int(0, seat_time(&s, &places, &c, BARRIER_DISSEMINATION, &t, &err), "timed");
    is_near(3 * L[1] - (L[1] + SEND), t.slowest, ROUNDING, "the slowest rank's time: %g",
            t.slowest);
    is_near((t.slowest + SEND) / 2, t.mean, ROUNDING, "the mean over ranks: %g", t.mean);
    places_clear(&places);
    seat_costs_clear(&c);
}

static int meet(const struct places *places, const struct seat_costs *costs, const double *enter,
                double *leave)
{
    int writer[32];
    for (int i = 0; i < 32; i++)
        writer[i] = -1;
    return seat_barrier(BARRIER_DISSEMINATION, places, costs, enter, writer, leave);
}

/* All leave a dissemination barrier after ceil(log2 P) latencies when they come together. */
static void barrier(void)
{
    struct seat_costs c = costs_new(INFINITY);
    for (int procs = 2; procs <= 16; procs++) {
        double enter[16] = { 0 }, leave[16];
        struct places places;
        const struct seating seating = {
            .mapping = "node", .nodes = procs, .ppn = 1, .procs = procs, .sockets = 2, .cores = 4
        };
        int rounds = 0, wrong = 0;
        while (1 << rounds < procs)
            rounds++;
        places_init(&places, &seating, 0, 0);
        meet(&places, &c, enter, leave);
        for (int i = 0; i < procs; i++)
            wrong += fabs(leave[i] / (rounds * L[4]) - 1) > ROUNDING;
        enter[procs - 1] = 1000;
        meet(&places, &c, enter, leave);
        for (int i = 0; i < procs; i++)
            wrong += leave[i] < 1000;
        is_int(0, wrong, "barrier of %d: %d latencies; nobody leaves before all are there", procs,
               rounds);
        places_clear(&places);
    }
    seat_costs_clear(&c);
}

/* A rank that comes last has its own word to send before it leaves, and the others wait for that
 * word. */
static void late_to_barrier(void)
{
    struct seat_costs c = costs_new(INFINITY);
    struct places places;
    const struct seating seating = seating_of("core", 2);
    const double enter[] = { 0, 1000 };
    double leave[2];
    places_init(&places, &seating, 0, 0);
    is_int(0, meet(&places, &c, enter, leave), "a barrier of two, one late");
    is_near(1000 + SEND, leave[1], ROUNDING, "the late one sends, and leaves");
    is_near(1000 + L[1], leave[0], ROUNDING, "the other one when it has heard");
    places_clear(&places);
    seat_costs_clear(&c);
}

/* Two ranks on each of two nodes. First 1 sends to 2 and 3 to 0, which comes second at both ports,
 * so that they hear at L and PORT + L and the other two at the latency of a cache; then each sends
 * across: 1 and 3 when the ports are free (60, 90), 2 when it has heard and they are (120), then 0
 * (150). */
static void barrier_at_ports(void)
{
    const struct seating seating = { .mapping = "core",
                                     .nodes = 2,
                                     .ppn = 2,
                                     .procs = 4,
                                     .sockets = 2,
                                     .cores = 4,
                                     .cache_cores = 2 };
    const double enter[4] = { 0 }, wanted[] = { 120 + L[4], 90 + L[4], 150 + L[4], 60 + L[4] };
    struct seat_costs c = costs_new(INFINITY);
    struct places places;
    double leave[4];
    set(&c.port, PORT);
    places_init(&places, &seating, 0, 0);
    is_int(0, meet(&places, &c, enter, leave), "a barrier across ports");
    for (int i = 0; i < 4; i++)
        is_near(wanted[i], leave[i], ROUNDING, "rank %d leaves after the messages before its own",
                i);
    places_clear(&places);
    seat_costs_clear(&c);
}

/* A model never guesses: no latency, no time. */
static void unknown(void)
{
    struct seat_costs c = costs_new(INFINITY);
    curve_clear(&c.of[CHANNEL_SOCKET].latency);
    ok(isnan(walk("basic_linear", "core", 5, &c)), "a message on a channel that has no latency");
    is_near(2 * SEND + L[2], walk("basic_linear", "core", 4, &c), ROUNDING,
            "... which four ranks of one socket do not need");
    seat_costs_clear(&c);
}

/* Every algorithm of the table ends, for every P, whether sends wait or not. */
static void all_end(void)
{
    int walks = 0, failed = 0;
    for (int rdv = 0; rdv < 2; rdv++) {
        struct seat_costs c = costs_new(rdv ? 0 : INFINITY);
        for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
            for (int procs = 1; procs <= 16; procs++) {
                struct schedule s;
                struct places places;
                struct err err = { 0 };
                double end[16];
                const struct seating seating = seating_of("core", procs);
                if (schedule_init(&s, a, procs, procs / 2, 100, 16, 0, &err) < 0)
                    continue;
                places_init(&places, &seating, 0, 0);
                walks++;
                if (seat_walk_run(&s, &places, &c, NULL, end, &err) < 0) {
                    diag("%s P=%d: %s", a->name, procs, err.text);
                    failed++;
                }
                places_clear(&places);
            }
        seat_costs_clear(&c);
    }
    is_int(0, failed, "all of %d walks end", walks);
}

/* All at once among many ranks: refused, with what it would cost. */
static void too_many(void)
{
    enum { PROCS = 1500 };
    const struct seating seating = {
        .mapping = "core", .nodes = PROCS, .ppn = 1, .procs = PROCS, .sockets = 1, .cores = 1
    };
    struct seat_costs costs = costs_new(INFINITY);
    struct seat_time time;
    struct places places;
    struct schedule s;
    struct err err = { 0 };
    places_init(&places, &seating, 0, 0);
    schedule_init(&s, algorithm_find("alltoall", "linear"), PROCS, 0, BYTES, 0, 0, &err);
    is_int(-1, seat_time(&s, &places, &costs, BARRIER_DISSEMINATION, &time, &err),
           "2.2 million messages under way at once are not walked");
    is_str("linear among 1500 processes: more than 2000000 messages may be under way at once, the "
           "most that channel_walk keeps (230 MiB, half a minute); stage and links_step walk them "
           "in less",
           err.text, "... and it is said what the limit is, and what to use instead");
    is_int(1, time.too_many, "... to a program, too");
    schedule_init(&s, algorithm_find("alltoall", "pairwise"), PROCS, 0, BYTES, 0, 0, &err);
    is_int(0, seat_time(&s, &places, &costs, BARRIER_DISSEMINATION, &time, &err),
           "as many, a few at a time, are");
    places_clear(&places);
    seat_costs_clear(&costs);
}

int main(void)
{
    too_many();
    seats();
    floating();
    alone();
    sender_shares();
    memory();
    ports();
    relays();
    rendezvous();
    receives();
    receiver_is_busy();
    port_and_memory();
    port_messages();
    queues();
    many_senders();
    late_receivers();
    floating_walk();
    timed();
    barrier();
    late_to_barrier();
    barrier_at_ports();
    unknown();
    all_end();
    return tap_done();
}
