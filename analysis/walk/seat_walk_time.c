/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/walk/seat_walk_time.h"

/* A message of the barrier that leaves its node. */
struct crossing {
    double time; /* when it sets out */
    int from, to;
};

/* Of one byte. */
struct word {
    double latency[N_CHANNELS], send[N_CHANNELS];
    double port;
};

struct meeting {
    enum barrier kind;
    const struct places *places;
    const struct seat_costs *costs;
    struct word word;
    double *now, *leave; /* of each rank: before and after the round at hand */
    int *writer;
    double *port; /* of each node: when it is free again */
    struct crossing *crossing;
    size_t n_crossings;
    int unknown; /* a message is on a channel without a latency */
};

static double later(double a, double b)
{
    return a > b ? a : b;
}

static int by_time(const void *a, const void *b)
{
    const struct crossing *x = a, *y = b;
    return x->time < y->time ? -1 : x->time > y->time ? 1 : x->from - y->from;
}

/* The messages between nodes, in the order of time: a port takes those that go out and those that
 * come in one after the other. */
static void cross_nodes(struct meeting *m)
{
    qsort(m->crossing, m->n_crossings, sizeof *m->crossing, by_time);
    for (size_t i = 0; i < m->n_crossings; i++) {
        const struct crossing *c = &m->crossing[i];
        double *out = &m->port[m->places->rank[c->from].node];
        double *in = &m->port[m->places->rank[c->to].node];
        const double start = later(c->time, later(*out, *in));
        *out = *in = start + later(m->word.port, m->costs->port_message);
        m->leave[c->to] = later(m->leave[c->to], start + m->word.latency[CHANNEL_NODE]);
    }
}

static void hear(struct meeting *m, int rank, int from)
{
    const enum channel c = places_channel(m->places, from, rank);
    m->unknown = m->unknown || !m->costs->of[c].latency.n;
    if (c == CHANNEL_NODE) {
        m->crossing[m->n_crossings++] = (struct crossing){ m->now[from], from, rank };
        return;
    }
    m->leave[rank] =
        later(m->leave[rank], m->now[from] + m->word.latency[c] +
                                  seat_line(m->places, m->costs, m->writer[rank], from));
    m->writer[rank] = from;
}

static void meet_round(struct meeting *m, int round)
{
    const int procs = m->places->procs;
    m->n_crossings = 0;
    for (int i = 0; i < procs; i++) {
        const struct barrier_step step = barrier_step(m->kind, procs, i, round);
        m->leave[i] = later(m->leave[i], m->now[i]);
        if (step.to >= 0)
            m->leave[i] =
                later(m->leave[i], m->now[i] + m->word.send[places_channel(m->places, i, step.to)]);
        if (step.from >= 0)
            hear(m, i, step.from);
    }
    cross_nodes(m);
    memcpy(m->now, m->leave, (size_t)procs * sizeof *m->now);
}

static struct word word_of(const struct seat_costs *costs)
{
    struct word word = { .port = curve_value(&costs->port, 1) };
    for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
        word.latency[c] = curve_value(&costs->of[c].latency, 1);
        word.send[c] = curve_value(&costs->of[c].send, 1);
    }
    return word;
}

static void leave_together(const double *enter, double *leave, int procs)
{
    double last = enter[0];
    for (int i = 1; i < procs; i++)
        last = later(last, enter[i]);
    for (int i = 0; i < procs; i++)
        leave[i] = last;
}

int seat_barrier(enum barrier barrier, const struct places *places, const struct seat_costs *costs,
                 const double *enter, int *writer, double *leave)
{
    const size_t procs = (size_t)places->procs;
    struct meeting m = {
        .kind = barrier, .places = places, .costs = costs, .writer = writer, .leave = leave
    };
    if (barrier == BARRIER_NONE) {
        leave_together(enter, leave, places->procs);
        return 0;
    }
    m.now = memory_zeros(procs, sizeof *m.now);
    m.port = memory_zeros((size_t)places->nodes + 1, sizeof *m.port);
    m.crossing = memory_zeros(procs, sizeof *m.crossing);
    m.word = word_of(costs);
    memcpy(m.now, enter, procs * sizeof *m.now);
    memcpy(leave, enter, procs * sizeof *leave);
    const int rounds = barrier_rounds(barrier, places->procs);
    for (int round = 0; round < rounds; round++)
        meet_round(&m, round);
    memory_free(m.now, m.port, m.crossing);
    return m.unknown ? -1 : 0;
}

/* The three walks. */
static int walk_thrice(const struct schedule *s, const struct places *places,
                       const struct seat_costs *costs, enum barrier barrier, int *writer,
                       double *begin, double *end, struct seat_use *use, struct err *err)
{
    const struct seat_walk_run_more first = { .writer = writer, .use = use };
    const struct seat_walk_run_more again = { .writer = writer, .begin = begin };
    if (seat_walk_run(s, places, costs, &first, end, err) < 0)
        return -1;
    if (seat_barrier(barrier, places, costs, end, writer, begin) < 0)
        return err_set(err, "the barrier needs a channel on which nothing was measured");
    return seat_walk_run(s, places, costs, &again, end, err);
}

/* 1 when the widest rounds of all ranks have more receives than are walked. */
static int is_too_wide(const struct schedule *s)
{
    struct round round = { 0 };
    uint64_t at_once = 0;
    if ((uint64_t)s->procs * (uint64_t)s->procs <= PLACE_MOST_AT_ONCE)
        return 0;
    for (int rank = 0; rank < s->procs && at_once <= PLACE_MOST_AT_ONCE; rank++) {
        uint64_t widest = 0;
        for (uint64_t k = 0, rounds = schedule_rounds(s, rank); k < rounds; k++) {
            uint64_t receives = 0;
            schedule_round(s, rank, k, &round);
            for (size_t i = 0; i < round.n; i++)
                receives += round.ops[i].kind == OP_RECV;
            widest = receives > widest ? receives : widest;
        }
        at_once += widest;
    }
    round_free(&round);
    return at_once > PLACE_MOST_AT_ONCE;
}

int seat_time(const struct schedule *s, const struct places *places, const struct seat_costs *costs,
              enum barrier barrier, struct seat_time *time, struct err *err)
{
    const size_t procs = (size_t)s->procs;
    *time = (struct seat_time){ .too_many = is_too_wide(s) };
    if (time->too_many)
        return err_set(
            err,
            "%s among %d processes: more than %d messages may be under way at once, the most that "
            "channel_walk keeps (230 MiB, half a minute); stage and links_step walk them in less",
            schedule_called(s).text, s->procs, PLACE_MOST_AT_ONCE);
    double *end = memory_zeros(2 * procs, sizeof *end), *begin = end + procs, sum = 0;
    int *writer = memory_zeros(procs, sizeof *writer);
    for (size_t i = 0; i < procs; i++)
        writer[i] = -1;
    const int status = walk_thrice(s, places, costs, barrier, writer, begin, end, time->use, err);
    for (size_t i = 0; status == 0 && i < procs; i++) {
        sum += end[i] - begin[i];
        time->slowest = later(time->slowest, end[i] - begin[i]);
    }
    time->mean = sum / (double)procs;
    memory_free(end, writer);
    return status;
}

enum { NOBODY = -1 };

static const struct barrier_step idle = { NOBODY, NOBODY };

/* One of the methods. */
struct method {
    int (*rounds)(int procs);
    struct barrier_step (*step)(int procs, int rank, int round);
};

/* Rounds of doubling until n is reached. */
static int doublings(int n)
{
    int rounds = 0;
    while (1 << rounds < n)
        rounds++;
    return rounds;
}

static struct barrier_step disseminate(int procs, int rank, int round)
{
    const int distance = 1 << round;
    return (struct barrier_step){ (rank + distance) % procs, (rank - distance + procs) % procs };
}

/* ---- linear: each tells rank 0, then rank 0 each; one per round ---- */

static int linear_rounds(int procs)
{
    return 2 * (procs - 1);
}

static struct barrier_step linear_step(int procs, int rank, int round)
{
    const int out = round >= procs - 1, other = 1 + round % (procs - 1);
    if (rank == 0)
        return out ? (struct barrier_step){ other, NOBODY }
                   : (struct barrier_step){ NOBODY, other };
    if (rank != other)
        return idle;
    return out ? (struct barrier_step){ NOBODY, 0 } : (struct barrier_step){ 0, NOBODY };
}

static int whole_of(int procs)
{
    const int up = 1 << doublings(procs);
    return up > procs ? up / 2 : up;
}

/* One round before the doublings, and behind them the send and its acknowledgement. */
static int doubling_rounds(int procs)
{
    const int whole = whole_of(procs);
    return doublings(whole) + (whole < procs ? 3 : 0);
}

/* The steps between a rank beyond the power of two and its lower one. */
static struct barrier_step pair_step(int rank, int whole, int up)
{
    const int is_above = rank >= whole, other = is_above ? rank - whole : rank + whole;
    return is_above == up ? (struct barrier_step){ NOBODY, other }
                          : (struct barrier_step){ other, NOBODY };
}

static struct barrier_step doubling_step(int procs, int rank, int round)
{
    const int whole = whole_of(procs), extra = procs - whole, among = doublings(whole);
    const int k = round - (extra > 0);
    if (k >= 0 && k < among)
        return rank < whole ? (struct barrier_step){ rank ^ 1 << k, rank ^ 1 << k } : idle;
    if (rank >= extra && rank < whole)
        return idle;
    return pair_step(rank, whole, k == among);
}

static int tree_rounds(int procs)
{
    return 2 * doublings(procs);
}

static struct barrier_step tree_step(int procs, int rank, int round)
{
    const int depth = doublings(procs), down = round >= depth;
    const int jump = 1 << (down ? 2 * depth - 1 - round : round), partner = rank ^ jump;
    if ((partner & (jump - 1)) || partner >= procs)
        return idle;
    return (partner > rank) == down ? (struct barrier_step){ partner, NOBODY }
                                    : (struct barrier_step){ NOBODY, partner };
}

static const struct method dissemination = { doublings, disseminate };
static const struct method linear = { linear_rounds, linear_step };
static const struct method doubling = { doubling_rounds, doubling_step };
static const struct method tree = { tree_rounds, tree_step };

static const struct method *openmpi41(int procs)
{
    static const struct {
        int below;
        const struct method *method;
    } decided[] = { { 4, &doubling },        { 8, &linear },       { 64, &doubling },
                    { 256, &dissemination }, { 512, &tree },       { 1024, &dissemination },
                    { 4096, &tree },         { 0, &dissemination } };
    int i = 0;
    while (decided[i].below && procs >= decided[i].below)
        i++;
    return decided[i].method;
}

static const struct method *method_of(enum barrier barrier, int procs)
{
    return barrier == BARRIER_OPENMPI41 ? openmpi41(procs) : &dissemination;
}

int barrier_rounds(enum barrier barrier, int procs)
{
    return barrier == BARRIER_NONE || procs < 2 ? 0 : method_of(barrier, procs)->rounds(procs);
}

struct barrier_step barrier_step(enum barrier barrier, int procs, int rank, int round)
{
    return method_of(barrier, procs)->step(procs, rank, round);
}
