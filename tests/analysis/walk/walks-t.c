/* SPDX-License-Identifier: BSD-3-Clause */
/* walks-t.c - the walkers that follow messages against closed forms, derived by hand from what
 * their headers say: two algorithms of each collective at least, for every number of ranks up to 64
 * for which the form holds.
 *
 * P ranks, each on a node of its own, all nodes on one switch; the root is rank 0. m bytes are one
 * message: the whole of it, a block where blocks change hands, or a segment. The letters:
 *   event (seat_walk.h)    L, s, r: latency, send and receive of m bytes; s and r are at most L.
 *   channel (channel.h)    g(k): T_NBFT to k children, at least a ping-pong
 *   links (link_walk.h)    t(m): a message on idle links; f(m): a copy
 *   queue (queue.h)        t(m), of which b = m slope occupies links; no copies, and no send waits
 * What ports and memories take is nothing here: those are tested in seat_walk-t. All curves but f
 * have kinks, so that no size can stand for another; f is a line. */
#include <math.h>
#include <string.h>

#include "analysis/walk/channel.h"
#include "analysis/walk/queue.h"
#include "tests/analysis/ring.h"
#include "tests/tap.h"

enum { MOST = 64, SEGMENTS = 4 };

/* The same terms in another order. */
static const double ROUNDING = 1e-12;

/* ---- what things cost ---- */

enum { N_POINTS = 4 };

static double sizes[N_POINTS] = { 0, 500, 3000, 200000 };
static double latency_s[] = { 10, 14, 60, 2000 };
static double short_s[] = { 0.5, 2, 9, 100 }, long_s[] = { 2, 6, 20, 600 };
static double message_s[] = { 1, 2, 9, 300 }, copied_s[] = { 0.1, 0.35, 1.6, 100.1 };

#define CURVE(seconds)                                                                             \
    {                                                                                              \
        N_POINTS, sizes, seconds                                                                   \
    }

static const struct curve message = CURVE(message_s), copy = CURVE(copied_s), no_copy = { 0 };

/* Of messages between nodes: sends outlast receives, and the other way round. */
static const struct seat_channel_costs between[] = {
    { .latency = CURVE(latency_s), .send = CURVE(long_s), .receive = CURVE(short_s) },
    { .latency = CURVE(latency_s), .send = CURVE(short_s), .receive = CURVE(long_s) },
};

/* A ping-pong, and a fan-out: so much for the first and for each. */
static const double PINGPONG_S = 3, PINGPONG_BYTE_S = 2e-3;
static const double FIRST_S = 1, FIRST_BYTE_S = 1e-3, EACH_S = 0.5, EACH_BYTE_S = 2e-4;

static double t(double m)
{
    return curve_value(&message, m);
}

static double f(double m)
{
    return curve_value(&copy, m);
}

static double g(int k, double m)
{
    return fmax(PINGPONG_S + PINGPONG_BYTE_S * m,
                FIRST_S + FIRST_BYTE_S * m + k * (EACH_S + EACH_BYTE_S * m));
}

/* n messages on one link, where they came together, and where their bytes follow each other. */
static double one_by_one(int n, double m)
{
    return t(m) + (n - 1) * m * links_slope(&message);
}

/* ---- what the forms are made of ---- */

/* A time by each walker; NAN: no form is claimed. */
struct wanted {
    double eager, waiting;         /* event: sends that do not wait for receivers, and that do */
    double channel;                /* channel */
    double network, alone, copies; /* links: t(C m), t(m) and f, summed up */
    double queue;
};

/* L, s and r of m bytes. */
struct prices {
    double latency, send, receive;
};

static struct prices prices_of(const struct seat_channel_costs *c, double m)
{
    return (struct prices){ curve_value(&c->latency, m), curve_value(&c->send, m),
                            curve_value(&c->receive, m) };
}

/* The one after the other. */
static struct wanted plus(struct wanted a, struct wanted b)
{
    return (struct wanted){ a.eager + b.eager,     a.waiting + b.waiting, a.channel + b.channel,
                            a.network + b.network, a.alone + b.alone,     a.copies + b.copies,
                            a.queue + b.queue };
}

/* n messages, each of which is waited for before the next is sent: from rank to rank, or exchanged
 * by all ranks in step. A rank has never two to send or to take at one time, so each takes what it
 * does alone; it is a stage, and a step, with one message on each link. */
static struct wanted in_turn(const struct seat_channel_costs *c, double n, double m)
{
    const double event = n * prices_of(c, m).latency, links = n * t(m);
    return (struct wanted){ event, event, n * g(1, m), links, links, 0, links };
}

/* A rank sends n messages in one round: the last begins n - 1 sends after the first. They are the
 * children of one stage, and share the sender's link. */
static struct wanted fan_out(const struct seat_channel_costs *c, int n, double m)
{
    const struct prices p = prices_of(c, m);
    const double event = (n - 1) * p.send + p.latency, shared = one_by_one(n, m);
    return (struct wanted){ event, event, g(n, m), t(n * m), t(m), 0, shared };
}

/* The same in a round for each: a stage, and a step, for each. Who does not wait begins the next
 * round as soon as the processor is free, which queue does not distinguish from one round;
 * who waits is held up for a latency by each. */
static struct wanted fan_out_by_rounds(const struct seat_channel_costs *c, int n, double m)
{
    struct wanted w = in_turn(c, n, m);
    w.eager = fan_out(c, n, m).eager;
    w.queue = one_by_one(n, m);
    return w;
}

/* n ranks send to one, which asks for them in one round: all arrive at L and are taken r apart.
 * Each sender has one child, all in one stage; the receiver's link carries all in one step. */
static struct wanted fan_in(const struct seat_channel_costs *c, int n, double m)
{
    const struct prices p = prices_of(c, m);
    const double event = p.latency + (n - 1) * p.receive, shared = one_by_one(n, m);
    return (struct wanted){ event, event, g(1, m), t(n * m), t(m), 0, shared };
}

/* The same, asked for in a round for each: those that wait set out one after the other. */
static struct wanted fan_in_by_rounds(const struct seat_channel_costs *c, int n, double m)
{
    struct wanted w = fan_in(c, n, m);
    w.waiting = n * prices_of(c, m).latency;
    return w;
}

/* Steps in which what a rank reaches doubles until it is all P. */
static int levels_of(int procs)
{
    int levels = 0;
    while (1 << levels < procs)
        levels++;
    return levels;
}

/* ---- the forms: of P ranks and messages of m bytes ---- */

static struct wanted to_each_in_turn(const struct seat_channel_costs *c, int procs, double m)
{
    return in_turn(c, procs - 1, m);
}

static struct wanted once_for_each_level(const struct seat_channel_costs *c, int procs, double m)
{
    return in_turn(c, levels_of(procs), m);
}

static struct wanted from_root(const struct seat_channel_costs *c, int procs, double m)
{
    return fan_out(c, procs - 1, m);
}

static struct wanted from_root_by_rounds(const struct seat_channel_costs *c, int procs, double m)
{
    return fan_out_by_rounds(c, procs - 1, m);
}

static struct wanted to_root_by_rounds(const struct seat_channel_costs *c, int procs, double m)
{
    return fan_in_by_rounds(c, procs - 1, m);
}

/* The root has all before it sends any, and the others wait for nothing else. */
static struct wanted to_root_and_back(const struct seat_channel_costs *c, int procs, double m)
{
    return plus(fan_in_by_rounds(c, procs - 1, m), fan_out(c, procs - 1, m));
}

static struct wanted all_in_and_out_by_rounds(const struct seat_channel_costs *c, int procs,
                                              double m)
{
    return plus(fan_in(c, procs - 1, m), fan_out_by_rounds(c, procs - 1, m));
}

/* Segments down a chain. The first takes P - 1 latencies. A relay sends one and takes the next in
 * one round, so that the others follow it max(s, r) apart; or, where a send waits, L apart: every
 * round then lasts one. On links their bytes follow each other. */
static struct wanted segments(const struct seat_channel_costs *c, int procs, double m)
{
    const struct prices p = prices_of(c, m);
    struct wanted w = in_turn(c, procs + SEGMENTS - 2, m);
    w.eager = (procs - 1) * p.latency + (SEGMENTS - 1) * fmax(p.send, p.receive);
    w.queue = (procs - 1) * t(m) + (SEGMENTS - 1) * m * links_slope(&message);
    return w;
}

/* The i-th message of rank q goes to the rank i places before it: each rank gets one every s, and
 * takes one every r. All are in one stage and one step, P - 1 on each link. */
static struct wanted around_at_once(const struct seat_channel_costs *c, int procs, double m)
{
    const struct prices p = prices_of(c, m);
    struct wanted w = fan_out(c, procs - 1, m);
    w.eager = w.waiting = p.latency + (procs - 2) * fmax(p.send, p.receive);
    return w;
}

/* In the order of ranks: the last rank is the (P - 1)-th of all others, gets all P - 1 messages
 * (P - 2) s + L after the start, and takes them r apart. Ranks before it are sent to earlier. */
static struct wanted by_rank_at_once(const struct seat_channel_costs *c, int procs, double m)
{
    const struct prices p = prices_of(c, m);
    struct wanted w = fan_out(c, procs - 1, m);
    w.eager = w.waiting = p.latency + (procs - 2) * (p.send + p.receive);
    return w;
}

/* Exchanges of 1, 2, 4 ... blocks, the last of as many as still lack. Halving has them the other
 * way round. */
static struct wanted doubled(const struct seat_channel_costs *c, int procs, double m)
{
    struct wanted w = { 0 };
    for (int n = 1; n < procs; n *= 2)
        w = plus(w, in_turn(c, 1, (n < procs - n ? n : procs - n) * m));
    return w;
}

/* Then rank q copies its first P - q blocks, and after them the other q: two copies of P blocks in
 * all, which take every rank but the first equally long, as f is a line. Rank 1's are written. */
static struct wanted doubled_and_turned(const struct seat_channel_costs *c, int procs, double m)
{
    struct wanted w = doubled(c, procs, m);
    w.copies = f((procs - 1) * m) + f(m);
    return w;
}

/* Pairs exchange one block, then neighbours two, P/2 - 1 times. */
static struct wanted neighbours(const struct seat_channel_costs *c, int procs, double m)
{
    return plus(in_turn(c, 1, m), in_turn(c, procs / 2 - 1, 2 * m));
}

/* Down a binomial tree, the halves of what a rank has, largest first. The time of P ranks is the
 * first message's and then that of P/2: the root's next message began s (or, waiting, L) after
 * it, so that its half is not later. In a queue the root's next messages follow the first one's
 * bytes, and are there before its receiver's. The root copies its block in step 1, and who receives
 * several blocks its own, in all steps but the last; of two ranks only the root does. */
static struct wanted halves_down(const struct seat_channel_costs *c, int procs, double m)
{
    struct wanted w = doubled(c, procs, m);
    const int levels = levels_of(procs);
    w.copies = (levels > 1 ? levels - 1 : 1) * f(m);
    return w;
}

/* Twice P - 1 steps, each of a block. */
static struct wanted twice_around(const struct seat_channel_costs *c, int procs, double m)
{
    return in_turn(c, 2 * (procs - 1), m);
}

/* The message is back at rank 0 after P hops. */
static struct wanted twice_back(const struct seat_channel_costs *c, int procs, double m)
{
    return in_turn(c, 2 * procs, m);
}

static struct wanted up_and_down(const struct seat_channel_costs *c, int procs, double m)
{
    return in_turn(c, 2 * levels_of(procs), m);
}

/* Each rank but the first and the last copies its own when it has got the others'. */
static struct wanted for_the_next(const struct seat_channel_costs *c, int procs, double m)
{
    struct wanted w = in_turn(c, procs - 1, m);
    w.copies = (procs - 2) * f(m);
    return w;
}

/* In step k ranks whose lowest bit is k get their first message from below and begin the result
 * with a copy; in the first step they begin the sum, too, if anybody asks for one. */
static struct wanted scanned(const struct seat_channel_costs *c, int procs, double m)
{
    const int levels = levels_of(procs);
    struct wanted w = in_turn(c, levels, m);
    w.copies = (levels + (levels > 1)) * f(m);
    return w;
}

/* ---- the rows ---- */

enum ranks { ANY, EVEN, POWERS };
enum size { NOTHING, ONE, FOR_EACH_RANK, OF_SEGMENTS }; /* the call's message: so many of m bytes */

static const struct row {
    const char *collective, *name;
    enum ranks ranks;
    enum size size;
    int copied; /* blocks of m that a rank copies besides, all at the same time */
    struct wanted (*form)(const struct seat_channel_costs *c, int procs, double m);
    const char *event; /* the formula, sends that do not wait */
} rows[] = {
    { "bcast", "basic_linear", ANY, ONE, 0, from_root, "(P-2) s + L" },
    { "bcast", "pipeline", ANY, OF_SEGMENTS, 0, segments, "(P-1) L + (n-1) max(s, r)" },
    { "gather", "basic_linear", ANY, ONE, 1, to_root_by_rounds, "L + (P-2) r" },
    { "gather", "binomial", POWERS, ONE, 1, doubled, "sum of L(2^k m)" },
    { "scatter", "basic_linear", ANY, ONE, 1, from_root_by_rounds, "(P-2) s + L" },
    { "scatter", "linear_nb", ANY, ONE, 1, from_root, "(P-2) s + L" },
    { "scatter", "binomial", POWERS, ONE, 0, halves_down, "sum of L(2^k m)" },
    { "allgather", "ring", ANY, ONE, 1, to_each_in_turn, "(P-1) L" },
    { "allgather", "neighbor", EVEN, ONE, 1, neighbours, "L(m) + (P/2-1) L(2m)" },
    { "allgather", "recursive_doubling", POWERS, ONE, 1, doubled, "sum of L(2^k m)" },
    { "allgatherv", "ring", ANY, ONE, 1, to_each_in_turn, "(P-1) L" },
    { "allgatherv", "neighbor", EVEN, ONE, 1, neighbours, "L(m) + (P/2-1) L(2m)" },
    { "allgatherv", "bruck", ANY, ONE, 1, doubled_and_turned, "sum of L(min(2^k, P-2^k) m)" },
    { "alltoall", "linear", ANY, ONE, 1, around_at_once, "L + (P-2) max(s, r)" },
    { "alltoall", "pairwise", ANY, ONE, 1, to_each_in_turn, "(P-1) L" },
    { "alltoall", "mpich_pairwise", ANY, ONE, 1, to_each_in_turn, "(P-1) L" },
    { "alltoallv", "basic_linear", ANY, ONE, 1, by_rank_at_once, "L + (P-2) (s + r)" },
    { "alltoallv", "pairwise", ANY, ONE, 1, to_each_in_turn, "(P-1) L" },
    { "reduce", "linear", ANY, ONE, 0, to_root_by_rounds, "L + (P-2) r" },
    { "reduce", "pipeline", ANY, OF_SEGMENTS, 0, segments, "(P-1) L + (n-1) max(s, r)" },
    { "reduce", "binomial", POWERS, ONE, 0, once_for_each_level, "log2(P) L" },
    { "allreduce", "basic_linear", ANY, ONE, 0, to_root_and_back, "2 L + (P-2) (r + s)" },
    { "allreduce", "recursive_doubling", POWERS, ONE, 1, once_for_each_level, "log2(P) L" },
    { "allreduce", "ring", ANY, FOR_EACH_RANK, 0, twice_around, "2 (P-1) L" },
    { "reduce_scatter", "linear", ANY, ONE, 1, around_at_once, "L + (P-2) max(s, r)" },
    { "reduce_scatter", "ring", ANY, ONE, 0, to_each_in_turn, "(P-1) L" },
    { "reduce_scatter", "mpich_pairwise", ANY, ONE, 1, to_each_in_turn, "(P-1) L" },
    { "reduce_scatter", "recursive_halving", POWERS, ONE, 1, doubled, "sum of L(2^k m)" },
    { "reduce_scatter_block", "linear", ANY, ONE, 1, around_at_once, "L + (P-2) max(s, r)" },
    { "reduce_scatter_block", "mpich_pairwise", ANY, ONE, 1, to_each_in_turn, "(P-1) L" },
    { "reduce_scatter_block", "recursive_halving", POWERS, ONE, 1, doubled, "sum of L(2^k m)" },
    { "barrier", "linear", ANY, NOTHING, 0, all_in_and_out_by_rounds, "2 L + (P-2) (r + s)" },
    { "barrier", "double_ring", ANY, NOTHING, 0, twice_back, "2 P L" },
    { "barrier", "recursive_doubling", POWERS, NOTHING, 0, once_for_each_level, "log2(P) L" },
    { "barrier", "bruck", ANY, NOTHING, 0, once_for_each_level, "ceil(log2 P) L" },
    { "barrier", "tree", POWERS, NOTHING, 0, up_and_down, "2 log2(P) L" },
    { "scan", "linear", ANY, ONE, 1, to_each_in_turn, "(P-1) L" },
    { "scan", "recursive_doubling", POWERS, ONE, 0, scanned, "log2(P) L" },
    { "exscan", "linear", ANY, ONE, 0, for_the_next, "(P-1) L" },
    { "exscan", "recursive_doubling", POWERS, ONE, 0, scanned, "log2(P) L" },
};

/* Two kinds of algorithms have no row: those that fold the ranks beyond 2^n into others, and trees
 * with unequal subtrees. Some of their ranks run ahead of others. A message of such a rank may
 * arrive just before the one that its receiver waits for, which is then taken r later. Where that
 * happens differs from one number of ranks to the next. */

static int holds_among(enum ranks ranks, int procs)
{
    return ranks == ANY || (ranks == EVEN && procs % 2 == 0) ||
           (ranks == POWERS && (procs & (procs - 1)) == 0);
}

/* ---- the walks ---- */

struct tally {
    const struct row *row;
    int procs;
    double m;
    int compared, wrong;
};

static void compare(struct tally *tally, const char *walker, double wanted, double seen,
                    double tolerance)
{
    if (isnan(wanted))
        return;
    tally->compared++;
    if (!(fabs(seen - wanted) <= tolerance * wanted) && tally->wrong++ < 5)
        diag("%s, P = %d, m = %g: wanted %.12g, seen %.12g", walker, tally->procs, tally->m, wanted,
             seen);
}

/* Of one rank on each node. */
static struct places nodes_of(int procs)
{
    const struct seating seating = { "core", procs, 1, procs, 1, 1, 0, { .group = { 0 } } };
    struct places places;
    places_init(&places, &seating, 0, 0);
    return places;
}

static double event(const struct schedule *s, const struct seat_channel_costs *c, double rendezvous)
{
    struct seat_costs costs = { .of[CHANNEL_NODE] = *c };
    struct places places = nodes_of(s->procs);
    double end[MOST], last = 0;
    struct err err = { 0 };
    costs.of[CHANNEL_NODE].rendezvous_bytes = rendezvous;
    const int status = seat_walk_run(s, &places, &costs, NULL, end, &err);
    places_clear(&places);
    if (status < 0)
        diag("%s", err.text);
    for (int i = 0; i < s->procs && status == 0; i++)
        last = fmax(last, end[i]);
    return status < 0 ? NAN : last;
}

/* The line in P - 1 at a size; between two of them it is linear. */
static struct channel_fanout fanout_of(uint64_t bytes)
{
    return (struct channel_fanout){
        .experiment = EXP_FANOUT,
        .channel = CHANNEL_NODE,
        .bytes = bytes,
        .most_procs = MOST,
        .slowest = { .intercept = FIRST_S + FIRST_BYTE_S * (double)bytes,
                     .slope = EACH_S + EACH_BYTE_S * (double)bytes },
    };
}

static double channel(const struct schedule *s)
{
    struct channel_fanout fanouts[] = { fanout_of(0), fanout_of(1 << 20) };
    const struct channel_lines lines = {
        .hockney[CHANNEL_NODE].line = { .intercept = PINGPONG_S, .slope = PINGPONG_BYTE_S },
        .fanout = fanouts,
        .n_fanouts = 2,
    };
    struct places places = nodes_of(s->procs);
    struct channel_time time;
    struct err err = { 0 };
    if (channel_stage_walk(s, &places, &lines, EXP_FANOUT, &time, &err) < 0) {
        diag("%s", err.text);
        time.slowest = NAN;
    }
    places_clear(&places);
    return time.slowest;
}

static void compare_links(struct tally *tally, const struct schedule *s, const struct wanted *w)
{
    const struct links_costs with = { &message, &copy, 0, 0, NULL, UINT64_MAX, NULL },
                             without = { &message, &no_copy, 0, 0, NULL, UINT64_MAX, NULL };
    struct topology top;
    struct links_net *net = ring_of(TOPOLOGY_STAR, s->procs, &top);
    struct links_result r;
    double time;
    struct err err = { 0 };
    if (links_walk(net, s, &with, NULL, &r, &err) < 0)
        r = (struct links_result){ .network_s = NAN, .alone_s = NAN, .copy_s = NAN };
    compare(tally, "links, collisions", w->network, r.network_s, ROUNDING);
    compare(tally, "links, none", w->alone, r.alone_s, ROUNDING);
    compare(tally, "links, copies", w->copies + tally->row->copied * f(tally->m), r.copy_s,
            ROUNDING);
    queue_walk(net, s, &without, &time, &err);
    compare(tally, "queue", w->queue, time, ROUNDING);
    links_net_free(net);
}

static void compare_all(struct tally *tally, const struct schedule *s)
{
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        const struct wanted w = tally->row->form(&between[i], s->procs, tally->m);
        compare(tally, "event, eager", w.eager, event(s, &between[i], INFINITY), ROUNDING);
        compare(tally, "event, sends wait", w.waiting, event(s, &between[i], 0), ROUNDING);
        if (i > 0)
            continue; /* the others have no such costs */
        compare(tally, "channel", w.channel, channel(s), ROUNDING);
        compare_links(tally, s, &w);
    }
}

/* The row's schedule of messages of m bytes is itself, not what stands in for it. */
static int make(const struct row *row, int procs, uint64_t m, struct schedule *s)
{
    const uint64_t times[] = {
        [NOTHING] = 0, [ONE] = 1, [FOR_EACH_RANK] = (uint64_t)procs, [OF_SEGMENTS] = SEGMENTS
    };
    struct err err = { 0 };
    const struct algorithm *a = algorithm_find(row->collective, row->name);
    if (a &&
        schedule_init(s, a, procs, 0, times[row->size] * m, row->size == OF_SEGMENTS ? m : 0, 0,
                      &err) == 0 &&
        s->alg == a)
        return 1;
    diag("%s %s among %d: no such schedule %s", row->collective, row->name, procs, err.text);
    return 0;
}

static void check_row(const struct row *row)
{
    static const uint64_t bytes[] = { 700, 5000 };
    static const char *const words[] = { [ANY] = "all", [EVEN] = "even", [POWERS] = "2^n" };
    struct tally tally = { .row = row };
    for (tally.procs = 2; tally.procs <= MOST; tally.procs++)
        for (size_t i = 0; holds_among(row->ranks, tally.procs) && i < 2; i++) {
            struct schedule s;
            tally.m = row->size == NOTHING ? 0 : (double)bytes[i];
            if (make(row, tally.procs, bytes[i], &s))
                compare_all(&tally, &s);
            else
                tally.wrong++;
        }
    ok(tally.wrong == 0 && tally.compared > 0,
       "%s %s among %s P from 2 to %d: event %s; the other walks that have a form, too (%d times)",
       row->collective, row->name, words[row->ranks], MOST, row->event, tally.compared);
}

/* Every collective has two rows, or more. */
static void check_collectives(void)
{
    int lacking = 0, n = 0;
    for (const struct algorithm *a = algorithm_next(NULL), *before = NULL; a;
         before = a, a = algorithm_next(a)) {
        int held = 0;
        if (before &&
            strcmp(algorithm_collective(before)->name, algorithm_collective(a)->name) == 0)
            continue;
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            held += strcmp(rows[i].collective, algorithm_collective(a)->name) == 0;
        if (held < 2)
            diag("%s has %d", algorithm_collective(a)->name, held);
        lacking += held < 2;
        n++;
    }
    is_int(0, lacking, "each of %d collectives with schedules has two closed forms or more", n);
}

int main(void)
{
    check_collectives();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
    return tap_done();
}
