/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/expected.h"

enum { MOST_ROUNDS = 2000 };

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

/* The last message that a rank receives before round `end`, and the round; 0: there is none. */
static int last_received(const struct schedule *s, int rank, uint64_t *end, struct op *op,
                         struct round *round, int *left)
{
    while (*end > 0 && --*left > 0) {
        schedule_round(s, rank, --*end, round);
        for (size_t i = round->n; i-- > 0;)
            if (round->ops[i].kind == OP_RECV) {
                *op = round->ops[i];
                return 1;
            }
    }
    return 0;
}

/* The round, before `end`, in which a rank sends to another one last. */
static uint64_t last_sent(const struct schedule *s, int rank, uint64_t end, int to,
                          struct round *round, int *left)
{
    while (end > 0 && --*left > 0) {
        schedule_round(s, rank, --end, round);
        for (size_t i = 0; i < round->n; i++)
            if (round->ops[i].kind == OP_SEND && round->ops[i].peer == to)
                return end;
    }
    return 0;
}

/* From the last message of a rank back to who sent it, and what that one had to receive before. */
static struct star_prior chain_to(const struct schedule *s, int rank, struct round *round)
{
    struct star_prior p = { 0, 0 };
    struct op op = { .bytes = 0 };
    int left = MOST_ROUNDS;
    uint64_t end = schedule_rounds(s, rank);
    while (last_received(s, rank, &end, &op, round, &left)) {
        const int to = rank;
        p.steps++;
        p.bytes += (double)op.bytes;
        rank = op.peer;
        end = last_sent(s, rank, schedule_rounds(s, rank), to, round, &left);
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
