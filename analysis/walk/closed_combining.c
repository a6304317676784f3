/* SPDX-License-Identifier: BSD-3-Clause */
/* closed_combining.c - formulas of the collectives that combine and leave a result with every rank.
 * m: the message of an allreduce or a scan, one rank's block of a reduce-scatter. */
#include "analysis/walk/closed_form.h"
#include "workloads/schedules/parts.h"

/* So many exchanges of the whole message or block, each of which is combined. */
static struct closed_line combined(const struct schedule *s, double exchanges)
{
    return (struct closed_line){ exchanges, exchanges * bytes_of(s), exchanges * bytes_of(s) };
}

/* ---- allreduce ---- */

/* Each of two passes moves (P - 1)/P of the message through every rank; the first combines it. */
static struct closed_line there_and_back(const struct schedule *s, double messages)
{
    const double part = bytes_of(s) * (s->procs - 1) / s->procs;
    return (struct closed_line){ messages, 2 * part, part };
}

static struct closed_line halves_there_and_back(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return there_and_back(s, 2 * ceil_log(2, s->procs));
}

static struct closed_line twice_around(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return there_and_back(s, 2.0 * (s->procs - 1));
}

/* The others come in one after the other; all get the result at once. */
static struct closed_line to_one_and_back(const struct schedule *s, const struct gamma *gamma)
{
    const double transfers = gamma_receives(gamma, s->procs - 1) + gamma_value(gamma, s->procs);
    return (struct closed_line){ transfers, transfers * bytes_of(s), (s->procs - 1) * bytes_of(s) };
}

static struct closed_line old_to_one_and_back(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    struct closed_line line = combined(s, s->procs - 1);
    return (struct closed_line){ 2 * line.a, 2 * line.b, line.c };
}

/* Among Q = 2^H ranks; the others give all they have before and get the result afterwards. */
static struct closed_line doubling(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    const int levels = floor_log(2, s->procs), folds = !is_power_of_two(s->procs);
    struct closed_line line = combined(s, levels + folds);
    return (struct closed_line){ line.a + folds, line.b + folds * bytes_of(s), line.c };
}

struct closed_line closed_halving(const struct schedule *s, struct closed_line fold)
{
    const int levels = floor_log(2, s->procs), group = 1 << levels;
    const double part = bytes_of(s) * (group - 1) / group;
    struct closed_line line = { 2 * levels, 2 * part, part };
    if (group == s->procs)
        return line;
    return (struct closed_line){ line.a + fold.a, line.b + fold.b, line.c + fold.c };
}

/* They give all they have and get the result. */
static struct closed_line mpich_halving(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return closed_halving(s, (struct closed_line){ 2, 2 * bytes_of(s), bytes_of(s) });
}

/* Of a pair each combines a half of the message; one gets the other's, and gives the result. */
static struct closed_line rabenseifner(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return closed_halving(s, (struct closed_line){ 3, 2 * bytes_of(s), bytes_of(s) / 2 });
}

/* ---- reduce-scatter: every rank gets P - 1 blocks and combines them ---- */

static struct closed_line blocks(const struct schedule *s, double messages)
{
    const double bytes = (s->procs - 1) * bytes_of(s);
    return (struct closed_line){ messages, bytes, bytes };
}

static struct closed_line block_by_block(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return blocks(s, s->procs - 1);
}

static struct closed_line halves(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return blocks(s, ceil_log(2, s->procs));
}

/* Halving among Q = 2^H ranks of all P blocks; the others give all of theirs before and get their
 * block afterwards. The largest of 2^k neighbours' blocks are those of ranks that stand for two. */
static struct closed_line halves_after_folding(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    const int levels = floor_log(2, s->procs), group = 1 << levels, extra = s->procs - group;
    if (extra == 0)
        return blocks(s, levels);
    double given = s->procs; /* blocks */
    for (int half = group / 2; half > 0; half /= 2)
        given += half + (half < extra ? half : extra);
    return (struct closed_line){ levels + 2, (given + 1) * bytes_of(s), given * bytes_of(s) };
}

static struct closed_line all_at_once(const struct schedule *s, const struct gamma *gamma)
{
    const double out = gamma_value(gamma, s->procs), in = gamma_receives(gamma, s->procs - 1);
    const double transfers = out > in ? out : in;
    return (struct closed_line){ transfers, transfers * bytes_of(s), (s->procs - 1) * bytes_of(s) };
}

/* ---- scan ---- */

static struct closed_line from_rank_to_rank(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return combined(s, s->procs - 1);
}

/* The last one has nobody to combine for. */
static struct closed_line for_the_next(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    struct closed_line line = combined(s, s->procs - 1);
    line.c -= bytes_of(s);
    return line;
}

/* What comes from below is combined into the result and into the sum, but for so many of these. */
static struct closed_line result_and_sum(const struct schedule *s, int fewer)
{
    struct closed_line line = combined(s, ceil_log(2, s->procs));
    line.c = 2 * line.c - fewer * bytes_of(s);
    return line;
}

static struct closed_line scanned(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return result_and_sum(s, 0);
}

/* Ours makes no sum the last time; in an exclusive scan there is no result to combine the first
 * from below into. */
static struct closed_line scanned_but_one(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return result_and_sum(s, 1);
}

static struct closed_line scanned_but_two(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return result_and_sum(s, 2);
}

/* ---- the table ---- */

#define HALVES "L alpha + (P - 1) m (beta + delta)"
#define FOLDED                                                                                     \
    HALVES " for 2^n ranks; else (H + 2) alpha + ((N + 1) beta + N delta) m, "                     \
           "N = P + sum_{k<H} (2^k + min(2^k, P - 2^H))"
#define WHOLE                                                                                      \
    "L (alpha + m (beta + delta)); but for 2^n ranks (H + 2) (alpha + m beta) + (H + 1) m delta"
#define BACK        "2 L alpha + 2 (P-1)/P m beta + (P-1)/P m delta"
#define HALVED_BACK "2 H alpha + 2 (Q-1)/Q m beta + (Q-1)/Q m delta, Q = 2^H; "
#define AT_ONCE     "max(gamma(P), r(P-1)) (alpha + m beta) + (P - 1) m delta"
#define IN_TURN     "(P - 1) (alpha + m (beta + delta))"
#define SCANNED     "L (alpha + m (beta + 2 delta))"
#define BY_STAGE    "as eq. 2 and 8"

const struct closed_form closed_combining[] = {
    { STAGE, "allreduce", "basic_linear", "(r(P-1) + gamma(P)) (alpha + m beta) + (P - 1) m delta",
      BY_STAGE, to_one_and_back },
    { TEXTBOOK, "allreduce", "basic_linear", "2 (P - 1) (alpha + m beta) + (P - 1) m delta",
      "as " PJESIVAC, old_to_one_and_back },
    { BOTH, "allreduce", "recursive_doubling", WHOLE, THAKUR, doubling },
    { BOTH, "allreduce", "mpich_recursive_doubling", WHOLE, THAKUR, doubling },
    { BOTH, "allreduce", "ring", "2 (P - 1) alpha + 2 (P-1)/P m beta + (P-1)/P m delta", THAKUR,
      twice_around },
    { BOTH, "allreduce", "rabenseifner", HALVED_BACK "+ 3 alpha + 2 m beta + m/2 delta for P > Q",
      THAKUR, rabenseifner },
    { BOTH, "allreduce", "mpich_reduce_scatter_allgather",
      HALVED_BACK "+ 2 alpha + 2 m beta + m delta for P > Q", THAKUR, mpich_halving },
    { BOTH, "allreduce", "circulant", BACK, TRAEFF, halves_there_and_back },

    { STAGE, "reduce_scatter", "linear", AT_ONCE, BY_STAGE, all_at_once },
    { TEXTBOOK, "reduce_scatter", "linear", IN_TURN, "as " THAKUR, block_by_block },
    { BOTH, "reduce_scatter", "ring", IN_TURN, "as " THAKUR, block_by_block },
    { BOTH, "reduce_scatter", "mpich_pairwise", IN_TURN, THAKUR, block_by_block },
    { BOTH, "reduce_scatter", "recursive_halving", FOLDED, THAKUR, halves_after_folding },
    { BOTH, "reduce_scatter", "mpich_recursive_halving", FOLDED, THAKUR, halves_after_folding },
    { BOTH, "reduce_scatter", "circulant", HALVES, TRAEFF, halves },

    { STAGE, "reduce_scatter_block", "linear", AT_ONCE, BY_STAGE, all_at_once },
    { TEXTBOOK, "reduce_scatter_block", "linear", IN_TURN, "as " THAKUR, block_by_block },
    { BOTH, "reduce_scatter_block", "mpich_pairwise", IN_TURN, THAKUR, block_by_block },
    { BOTH, "reduce_scatter_block", "recursive_halving", FOLDED, THAKUR, halves_after_folding },
    { BOTH, "reduce_scatter_block", "mpich_recursive_halving", FOLDED, THAKUR,
      halves_after_folding },
    { BOTH, "reduce_scatter_block", "circulant", HALVES, TRAEFF, halves },

    { BOTH, "scan", "linear", IN_TURN, "by hand", from_rank_to_rank },
    { BOTH, "scan", "recursive_doubling", SCANNED " - m delta", "by hand", scanned_but_one },
    { BOTH, "scan", "openmpi_recursive_doubling", SCANNED, "by hand", scanned },
    { BOTH, "scan", "mpich_recursive_doubling", SCANNED, "by hand", scanned },
    { BOTH, "exscan", "linear", "(P - 1) (alpha + m beta) + (P - 2) m delta", "by hand",
      for_the_next },
    { BOTH, "exscan", "recursive_doubling", SCANNED " - 2 m delta", "by hand", scanned_but_two },
    { BOTH, "exscan", "openmpi_recursive_doubling", SCANNED " - m delta", "by hand",
      scanned_but_one },
    { BOTH, "exscan", "mpich_recursive_doubling", SCANNED " - m delta", "by hand",
      scanned_but_one },
    { 0, NULL, NULL, NULL, NULL, NULL },
};
