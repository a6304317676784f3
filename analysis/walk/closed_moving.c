/* SPDX-License-Identifier: BSD-3-Clause */
/* closed_moving.c - formulas of the collectives in which blocks change hands. In the textbooks'
 * several transfers of a rank come one after the other; by stages they are gamma or r. */
#include "analysis/walk/closed_form.h"
#include "workloads/schedules/parts.h"

/* `transfers` of one block each, one after the other. */
static struct closed_line of_blocks(const struct schedule *s, double transfers)
{
    return (struct closed_line){ transfers, transfers * bytes_of(s), 0 };
}

static struct closed_line one_exchange(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return of_blocks(s, 1);
}

static struct closed_line each_in_turn(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return of_blocks(s, s->procs - 1);
}

/* Each of so many messages has as many blocks as still lack, or as were there before. */
static struct closed_line all_once(const struct schedule *s, double messages)
{
    return (struct closed_line){ messages, (s->procs - 1) * bytes_of(s), 0 };
}

static struct closed_line by_doubling(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return all_once(s, ceil_log(2, s->procs));
}

static struct closed_line by_neighbors(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    const int rounds = s->procs / 2;
    return all_once(s, rounds);
}

static struct closed_line by_pieces(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    const uint64_t pieces = (s->bytes + 32767) / 32768;
    return all_once(s, (s->procs - 1) * (double)pieces);
}

/* ---- all-to-all ---- */

/* So many sent and received at a time by each rank. */
static double both_ways(const struct gamma *gamma, int messages)
{
    const double out = gamma_value(gamma, messages + 1), in = gamma_receives(gamma, messages);
    return out > in ? out : in;
}

static struct closed_line at_once(const struct schedule *s, const struct gamma *gamma)
{
    return of_blocks(s, both_ways(gamma, s->procs - 1));
}

/* So many others in batches of at most K; of the first one `less`. */
static struct closed_line in_batches(const struct schedule *s, const struct gamma *gamma, int less)
{
    double transfers = 0;
    const int most = s->fanout && s->fanout < s->procs ? s->fanout : s->procs;
    for (int left = s->procs - 1, n = most - less; left > 0; left -= n, n = most)
        transfers += n > 0 ? both_ways(gamma, n < left ? n : left) : 0;
    return of_blocks(s, transfers);
}

static struct closed_line batches_of_others(const struct schedule *s, const struct gamma *gamma)
{
    return in_batches(s, gamma, 0);
}

static struct closed_line batches_with_itself(const struct schedule *s, const struct gamma *gamma)
{
    return in_batches(s, gamma, 1);
}

/* A block goes as often as its number has bits. */
static struct closed_line bits(const struct schedule *s, const struct gamma *gamma)
{
    double blocks = 0;
    (void)gamma;
    for (int i = 1; i < s->procs; i++)
        blocks += __builtin_popcount((unsigned)i);
    return (struct closed_line){ ceil_log(2, s->procs), blocks * bytes_of(s), 0 };
}

/* ---- scatter ---- */

/* Rank 0 alone, and then K at a time; nothing is sent to the root. */
static struct closed_line waiting_now_and_then(const struct schedule *s, const struct gamma *gamma)
{
    double transfers = s->root > 0;
    const int most = s->fanout;
    if (most <= 1 || most >= s->procs)
        return of_blocks(s, gamma_value(gamma, s->procs));
    for (int from = 1; from < s->procs; from += most) {
        const int to = s->procs - from < most ? s->procs : from + most;
        const int sends = to - from - (s->root >= from && s->root < to);
        transfers += sends ? gamma_value(gamma, sends + 1) : 0;
    }
    return of_blocks(s, transfers);
}

/* ---- barrier: no bytes ---- */

static struct closed_line linear_barrier(const struct schedule *s, const struct gamma *gamma)
{
    return (struct closed_line){ gamma_receives(gamma, s->procs - 1) + s->procs - 1, 0, 0 };
}

static struct closed_line twice_around(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return (struct closed_line){ 2.0 * s->procs, 0, 0 };
}

static struct closed_line fold_and_double(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    const int levels = ceil_log(2, s->procs);
    return (struct closed_line){ is_power_of_two(s->procs) ? levels : levels + 1, 0, 0 };
}

static struct closed_line disseminate(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return (struct closed_line){ ceil_log(2, s->procs), 0, 0 };
}

static struct closed_line up_and_down(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return (struct closed_line){ 2.0 * ceil_log(2, s->procs), 0, 0 };
}

/* ---- the table ---- */

#define IN_TURN   "(P - 1) (alpha + m beta)"
#define DOUBLING  "L alpha + (P - 1) m beta"
#define BITS      "L alpha + sum_{i<P} bits(i) m beta"
#define AT_ONCE   "max(gamma(P), r(P-1)) (alpha + m beta)"
#define BATCHES   "sum over batches of k max(gamma(k+1), r(k)) (alpha + m beta)"
#define HENSGEN   "Hensgen, Finkel & Manber 1988"
#define BY_STAGES "as eq. 2 and 8"

const struct closed_form closed_moving[] = {
    { STAGE, "alltoall", "linear", AT_ONCE, BY_STAGES, at_once },
    { STAGE, "alltoall", "linear_sync", BATCHES, BY_STAGES, batches_of_others },
    { STAGE, "alltoall", "mpich_scattered", BATCHES, BY_STAGES, batches_with_itself },
    { TEXTBOOK, "alltoall", "linear", IN_TURN, THAKUR, each_in_turn },
    { TEXTBOOK, "alltoall", "linear_sync", IN_TURN, THAKUR, each_in_turn },
    { TEXTBOOK, "alltoall", "mpich_scattered", IN_TURN, THAKUR, each_in_turn },
    { BOTH, "alltoall", "pairwise", IN_TURN, THAKUR, each_in_turn },
    { BOTH, "alltoall", "mpich_pairwise", IN_TURN, THAKUR, each_in_turn },
    { BOTH, "alltoall", "modified_bruck", BITS, "as " THAKUR, bits },
    { BOTH, "alltoall", "mpich_brucks", BITS, "as " THAKUR, bits },
    { BOTH, "alltoall", "two_proc", "alpha + m beta", "one exchange", one_exchange },

    { STAGE, "alltoallv", "basic_linear", AT_ONCE, BY_STAGES, at_once },
    { STAGE, "alltoallv", "mpich_scattered", BATCHES, BY_STAGES, batches_with_itself },
    { TEXTBOOK, "alltoallv", "basic_linear", IN_TURN, "as " THAKUR, each_in_turn },
    { TEXTBOOK, "alltoallv", "mpich_scattered", IN_TURN, "as " THAKUR, each_in_turn },
    { BOTH, "alltoallv", "pairwise", IN_TURN, "as " THAKUR, each_in_turn },

    { BOTH, "allgather", "ring", IN_TURN, THAKUR ", section 4.1", each_in_turn },
    { BOTH, "allgather", "direct_ring", IN_TURN, "as " THAKUR ", section 4.1", each_in_turn },
    { BOTH, "allgather", "circulant", DOUBLING, TRAEFF, by_doubling },
    { BOTH, "allgather", "neighbor", "P/2 alpha + (P - 1) m beta", CHEN, by_neighbors },
    { BOTH, "allgather", "recursive_doubling", DOUBLING, THAKUR ", section 4.1", by_doubling },
    { BOTH, "allgather", "bruck", DOUBLING, THAKUR ", section 4.1", by_doubling },
    { BOTH, "allgather", "mpich_ring", IN_TURN, THAKUR ", section 4.1", each_in_turn },
    { BOTH, "allgather", "mpich_recursive_doubling", DOUBLING, THAKUR ", section 4.1",
      by_doubling },
    { BOTH, "allgather", "mpich_brucks", DOUBLING, THAKUR ", section 4.1", by_doubling },
    { BOTH, "allgather", "two_proc", "alpha + m beta", "one exchange", one_exchange },

    { BOTH, "allgatherv", "ring", IN_TURN, "as " THAKUR, each_in_turn },
    { BOTH, "allgatherv", "neighbor", "P/2 alpha + (P - 1) m beta", "as " CHEN, by_neighbors },
    { BOTH, "allgatherv", "bruck", DOUBLING, "as " THAKUR, by_doubling },
    { BOTH, "allgatherv", "two_proc", "alpha + m beta", "one exchange", one_exchange },
    { BOTH, "allgatherv", "mpich_brucks", DOUBLING, "as " THAKUR, by_doubling },
    { BOTH, "allgatherv", "mpich_recursive_doubling", DOUBLING, "as " THAKUR, by_doubling },
    { BOTH, "allgatherv", "mpich_ring", "(P - 1) (ceil(m / 32 KiB) alpha + m beta)", "as " THAKUR,
      by_pieces },

    { BOTH, "gather", "binomial", DOUBLING, PJESIVAC, by_doubling },
    { BOTH, "gather", "mpich_binomial", DOUBLING, "as " PJESIVAC, by_doubling },

    { BOTH, "scatter", "basic_linear", IN_TURN, PJESIVAC, each_in_turn },
    { BOTH, "scatter", "binomial", DOUBLING, "as " PJESIVAC, by_doubling },
    { BOTH, "scatter", "mpich_binomial", DOUBLING, "as " PJESIVAC, by_doubling },
    { STAGE, "scatter", "linear_nb", "gamma(P) (alpha + m beta); K: sum over batches", "as eq. 2",
      waiting_now_and_then },
    { TEXTBOOK, "scatter", "linear_nb", IN_TURN, PJESIVAC, each_in_turn },

    { STAGE, "barrier", "linear", "(r(P-1) + P - 1) alpha", "as eq. 8", linear_barrier },
    { TEXTBOOK, "barrier", "linear", "2 (P - 1) alpha", PJESIVAC, linear_barrier },
    { BOTH, "barrier", "double_ring", "2 P alpha", PJESIVAC, twice_around },
    { BOTH, "barrier", "recursive_doubling", "L alpha; (L + 1) alpha but for 2^n ranks", PJESIVAC,
      fold_and_double },
    { BOTH, "barrier", "bruck", "L alpha", HENSGEN, disseminate },
    { BOTH, "barrier", "two_proc", "alpha", "one exchange", disseminate },
    { BOTH, "barrier", "tree", "2 L alpha", "as " PJESIVAC, up_and_down },
    { BOTH, "barrier", "mpich_dissemination", "L alpha", HENSGEN, disseminate },
    { 0, NULL, NULL, NULL, NULL, NULL },
};
