/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/expected.h"

enum { MOST_ROUNDS = 400 };

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* What a rank sends or receives, whichever is more. */
static struct star_prior of_rank(const struct schedule *s, int rank, struct round *round)
{
    uint64_t n[2] = { 0, 0 }, bytes[2] = { 0, 0 };
    const uint64_t rounds = schedule_rounds(s, rank);
    for (uint64_t k = 0; k < rounds && k < MOST_ROUNDS; k++) {
        schedule_round(s, rank, k, round);
        for (size_t i = 0; i < round->n; i++)
            if (round->ops[i].kind == OP_SEND || round->ops[i].kind == OP_RECV) {
                n[round->ops[i].kind == OP_SEND]++;
                bytes[round->ops[i].kind == OP_SEND] += round->ops[i].bytes;
            }
    }
    const double more = rounds > MOST_ROUNDS ? (double)rounds / MOST_ROUNDS : 1;
    return (struct star_prior){ more * larger((double)n[0], (double)n[1]),
                                more * larger((double)bytes[0], (double)bytes[1]) };
}

/* The last message that a rank receives before round `end`, and the round; 0: there is none. *at:
 * its place in the round. */
static int last_received(const struct schedule *s, int rank, uint64_t *end, struct op *op,
                         size_t *at, struct round *round, int *left)
{
    while (*end > 0 && --*left > 0) {
        schedule_round(s, rank, --*end, round);
        for (size_t i = round->n; i-- > 0;)
            if (round->ops[i].kind == OP_RECV) {
                *op = round->ops[i];
                *at = i;
                return 1;
            }
    }
    return 0;
}

/* How many messages a rank receives from another one behind operation `at` of round k. */
static uint64_t received_later(const struct schedule *s, int rank, uint64_t k, size_t at, int from,
                               struct round *round, int *left)
{
    uint64_t n = 0;
    const uint64_t rounds = schedule_rounds(s, rank);
    for (size_t i = at + 1; k < rounds && --*left > 0; k++, i = 0)
        for (schedule_round(s, rank, k, round); i < round->n; i++)
            n += round->ops[i].kind == OP_RECV && round->ops[i].peer == from;
    return n;
}

/* The round in which a rank sends to another one for the last time but `later` times: two ranks
 * send and receive their messages in one order. Cut: the round that was reached. */
static uint64_t sent_in(const struct schedule *s, int rank, int to, uint64_t later,
                        struct round *round, int *left)
{
    uint64_t end = schedule_rounds(s, rank);
    while (end > 0 && --*left > 0) {
        schedule_round(s, rank, --end, round);
        for (size_t i = round->n; i-- > 0;)
            if (round->ops[i].kind == OP_SEND && round->ops[i].peer == to && later-- == 0)
                return end;
    }
    return end;
}

/* From the last message of a rank back to who sent it, and what that one had to receive before. */
static struct star_prior chain_to(const struct schedule *s, int rank, struct round *round)
{
    struct star_prior p = { 0, 0 };
    struct op op = { .bytes = 0 };
    int left = MOST_ROUNDS;
    size_t at = 0;
    uint64_t end = schedule_rounds(s, rank);
    while (last_received(s, rank, &end, &op, &at, round, &left)) {
        const uint64_t later = received_later(s, rank, end, at, op.peer, round, &left);
        const int to = rank;
        p.steps++;
        p.bytes += (double)op.bytes;
        rank = op.peer;
        if (left <= 0)
            break; /* end: the rounds before that message */
        end = sent_in(s, rank, to, later, round, &left);
    }
    p.steps += (double)end;
    p.bytes += (double)end * (double)op.bytes;
    return p;
}

struct star_prior expected_of(const struct schedule *s)
{
    const int ranks[] = { 0, s->procs / 2, s->procs - 1 };
    struct star_prior most = { 0, 0 };
    struct round round = { .n = 0 };
    for (int i = 0; i < 3; i++) {
        const struct star_prior chain = chain_to(s, ranks[i], &round),
                                own = of_rank(s, ranks[i], &round);
        most.steps = larger(most.steps, larger(chain.steps, own.steps));
        most.bytes = larger(most.bytes, larger(chain.bytes, own.bytes));
    }
    round_free(&round);
    return most;
}
