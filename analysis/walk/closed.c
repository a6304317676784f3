/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/walk/closed.h"

/* ---- the letters of the formulas ---- */

static double segments_of(const struct schedule *s)
{
    return (double)s->segments;
}

static int fanout_of(const struct schedule *s)
{
    int most = s->procs - 1 < 32 ? s->procs - 1 : 32;
    return s->fanout < most ? s->fanout : most;
}

/* `transfers` messages of one segment each, one after the other. */
static struct closed_line of_segments(const struct schedule *s, double transfers)
{
    return (struct closed_line){ transfers, transfers * bytes_of(s) / segments_of(s), 0 };
}

/* ---- by stages ---- */

static struct closed_line linear(const struct schedule *s, const struct gamma *gamma)
{
    return of_segments(s, gamma_value(gamma, s->procs));
}

static struct closed_line pipeline(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return of_segments(s, s->procs + segments_of(s) - 2);
}

static struct closed_line chain(const struct schedule *s, const struct gamma *gamma)
{
    int k = fanout_of(s), length = (s->procs - 1 + k - 1) / k;
    return of_segments(s, segments_of(s) * gamma_value(gamma, k + 1) + length - 1);
}

static struct closed_line binary(const struct schedule *s, const struct gamma *gamma)
{
    int height = floor_log(2, s->procs);
    return of_segments(s, (height + segments_of(s) - 1) * gamma_value(gamma, 3));
}

static struct closed_line add_exchange(const struct schedule *s, struct closed_line line)
{
    return (struct closed_line){ line.a + 1, line.b + bytes_of(s) / 2, 0 };
}

static struct closed_line split_binary(const struct schedule *s, const struct gamma *gamma)
{
    int height = floor_log(2, s->procs);
    double half = ceil(segments_of(s) / 2);
    return add_exchange(s, of_segments(s, (height + half - 1) * gamma_value(gamma, 3)));
}

/* The root sends n segments to (k - 1) levels children; the last one goes down the deepest path.
 * The stage sum is exactly this for k = 2 iff P is a power of two, else iff P > (k - 1) k^(levels -
 * 1). */
static struct closed_line down_levels(const struct schedule *s, const struct gamma *gamma, int k)
{
    int levels = ceil_log(k, s->procs);
    double transfers = segments_of(s) * gamma_value(gamma, (k - 1) * levels + 1);
    for (int i = 1; i < levels; i++)
        transfers += gamma_value(gamma, (k - 1) * (levels - i) + 1);
    return of_segments(s, transfers);
}

static struct closed_line binomial(const struct schedule *s, const struct gamma *gamma)
{
    return down_levels(s, gamma, 2);
}

static struct closed_line knomial(const struct schedule *s, const struct gamma *gamma)
{
    return down_levels(s, gamma, s->fanout);
}

static struct closed_line one_by_one(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return of_segments(s, ceil_log(2, s->procs));
}

/* Scatter and allgather each move (P - 1)/P of the message through every rank. */
static struct closed_line twice_through(const struct schedule *s, double messages)
{
    return (struct closed_line){ messages, 2 * bytes_of(s) * (s->procs - 1) / s->procs, 0 };
}

static struct closed_line doubling(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return twice_through(s, 2 * ceil_log(2, s->procs));
}

static struct closed_line ring(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return twice_through(s, ceil_log(2, s->procs) + s->procs - 1);
}

static struct closed_line gather(const struct schedule *s, const struct gamma *gamma)
{
    return of_segments(s, gamma_receives(gamma, s->procs - 1));
}

/* Per rank: the request, the first segment, the rest. */
static struct closed_line gather_sync(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return (struct closed_line){ 3.0 * (s->procs - 1), (s->procs - 1) * bytes_of(s), 0 };
}

/* ---- textbook: the children one after the other, gamma(k + 1) = k ---- */

static struct closed_line old_linear(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return of_segments(s, s->procs - 1);
}

static struct closed_line old_chain(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    int k = fanout_of(s), length = (s->procs - 1 + k - 1) / k;
    return of_segments(s, segments_of(s) * k + length - 1);
}

static struct closed_line old_binary(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return of_segments(s, 2 * (ceil_log(2, s->procs + 1) + segments_of(s) - 2));
}

static struct closed_line old_split_binary(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    double half = ceil(segments_of(s) / 2);
    return add_exchange(s, of_segments(s, 2 * (ceil_log(2, s->procs + 1) + half - 2)));
}

static struct closed_line old_binomial(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return of_segments(s, segments_of(s) * ceil_log(2, s->procs));
}

static struct closed_line old_knomial(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return of_segments(s, segments_of(s) * (s->fanout - 1) * ceil_log(s->fanout, s->procs));
}

/* ---- reductions: every byte that comes in is combined. Several receives of a stage count as r
 * (gamma_receives), but what they bring is combined one after the other ---- */

static struct closed_line combining(struct closed_line line)
{
    line.c = line.b;
    return line;
}

/* `messages` of one segment come in, and count as so many transfers. */
static struct closed_line taking(const struct schedule *s, double transfers, double messages)
{
    struct closed_line line = of_segments(s, transfers);
    line.c = messages * bytes_of(s) / segments_of(s);
    return line;
}

static struct closed_line reduce_linear(const struct schedule *s, const struct gamma *gamma)
{
    return taking(s, gamma_receives(gamma, s->procs - 1), s->procs - 1);
}

static struct closed_line reduce_pipeline(const struct schedule *s, const struct gamma *gamma)
{
    return combining(pipeline(s, gamma));
}

/* The root takes n segments of each of K chains, after the longest has sent its first. */
static struct closed_line reduce_chain(const struct schedule *s, const struct gamma *gamma)
{
    int k = fanout_of(s), length = (s->procs - 1 + k - 1) / k;
    double n = segments_of(s);
    return taking(s, n * gamma_receives(gamma, k) + length - 1, n * k + length - 1);
}

static struct closed_line reduce_binary(const struct schedule *s, const struct gamma *gamma)
{
    double stages = floor_log(2, s->procs) + segments_of(s) - 1;
    return taking(s, stages * gamma_receives(gamma, 2), stages * 2);
}

/* One segment comes in level by level. Of several, the root has L messages to take in every stage
 * from the one in which its largest subtree begins to deliver, a rank of height j the like from
 * stage j on. */
static struct closed_line reduce_binomial(const struct schedule *s, const struct gamma *gamma)
{
    const int levels = ceil_log(2, s->procs);
    const double n = segments_of(s);
    if (s->segments == 1)
        return taking(s, levels, levels);
    double transfers = (n - 1) * gamma_receives(gamma, levels) + 1;
    double messages = (n - 1) * levels + 1;
    for (int i = 1; i < levels; i++) {
        transfers += gamma_receives(gamma, i);
        messages += i;
    }
    return taking(s, transfers, messages);
}

static struct closed_line reduce_one_by_one(const struct schedule *s, const struct gamma *gamma)
{
    return combining(one_by_one(s, gamma));
}

/* The last rank has the result and sends it on to another root. */
static struct closed_line add_hand_over(const struct schedule *s, struct closed_line line)
{
    int hands_over = s->root != s->procs - 1;
    return (struct closed_line){ line.a + hands_over, line.b + hands_over * bytes_of(s), line.c };
}

static struct closed_line reduce_in_order(const struct schedule *s, const struct gamma *gamma)
{
    return add_hand_over(s, reduce_binary(s, gamma));
}

static struct closed_line rabenseifner(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return closed_halving(s, (struct closed_line){ 2, bytes_of(s), bytes_of(s) / 2 });
}

static struct closed_line mpich_scatter_gather(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return closed_halving(s, (struct closed_line){ 1, bytes_of(s), bytes_of(s) });
}

static struct closed_line old_reduce_binary(const struct schedule *s, const struct gamma *gamma)
{
    return combining(old_binary(s, gamma));
}

static struct closed_line old_reduce_binomial(const struct schedule *s, const struct gamma *gamma)
{
    return combining(old_binomial(s, gamma));
}

static struct closed_line old_reduce_in_order(const struct schedule *s, const struct gamma *gamma)
{
    return add_hand_over(s, old_reduce_binary(s, gamma));
}

/* The root's call of all ranks, then their blocks. */
static struct closed_line gather_called(const struct schedule *s, const struct gamma *gamma)
{
    const double blocks = gamma_receives(gamma, s->procs - 1);
    return (struct closed_line){ gamma_value(gamma, s->procs) + blocks, blocks * bytes_of(s), 0 };
}

static struct closed_line old_gather_called(const struct schedule *s, const struct gamma *gamma)
{
    (void)gamma;
    return (struct closed_line){ 2.0 * (s->procs - 1), (s->procs - 1) * bytes_of(s), 0 };
}

/* ---- the tables ---- */

#define NURIYEV "Nuriyev & Lastovetsky 2021"

static const struct closed_form forms[] = {
    { STAGE, "bcast", "basic_linear", "gamma(P) (alpha + m beta)", NURIYEV ", eq. 2", linear },
    { STAGE, "bcast", "pipeline", "(P + n - 2) (alpha + m/n beta)", NURIYEV ", eq. 5 for a chain",
      pipeline },
    { STAGE, "bcast", "chain", "(n gamma(K+1) + ceil((P-1)/K) - 1) (alpha + m/n beta)",
      NURIYEV ", eq. 5 for K chains", chain },
    { STAGE, "bcast", "binary_tree", "(H + n - 1) gamma(3) (alpha + m/n beta)",
      NURIYEV ", eq. 5 for a binary tree", binary },
    { STAGE, "bcast", "split_binary_tree",
      "(H + ceil(n/2) - 1) gamma(3) (alpha + m/n beta) + alpha + m/2 beta",
      NURIYEV ", eq. 5 for a split binary tree", split_binary },
    { STAGE, "bcast", "binomial",
      "(n gamma(L+1) + sum_{i=1}^{L-1} gamma(L-i+1)) (alpha + m/n beta)", NURIYEV ", eq. 6",
      binomial },
    { STAGE, "bcast", "knomial",
      "(n gamma((K-1)Q+1) + sum_{i=1}^{Q-1} gamma((K-1)(Q-i)+1)) (alpha + m/n beta), "
      "Q = ceil(log_K P)",
      "as " NURIYEV ", eq. 6", knomial },
    { BOTH, "bcast", "scatter_allgather", "2 L alpha + 2 (P-1)/P m beta", THAKUR ", section 4.2",
      doubling },
    { BOTH, "bcast", "scatter_allgather_ring", "(L + P - 1) alpha + 2 (P-1)/P m beta",
      THAKUR ", section 4.2", ring },
    { BOTH, "bcast", "mpich_binomial", "L (alpha + m beta)", THAKUR ", section 4.2", one_by_one },
    { BOTH, "bcast", "mpich_scatter_recursive_doubling_allgather", "2 L alpha + 2 (P-1)/P m beta",
      THAKUR ", section 4.2", doubling },
    { BOTH, "bcast", "mpich_scatter_ring_allgather", "(L + P - 1) alpha + 2 (P-1)/P m beta",
      THAKUR ", section 4.2", ring },
    { TEXTBOOK, "bcast", "basic_linear", "(P - 1) (alpha + m beta)", PJESIVAC, old_linear },
    { TEXTBOOK, "bcast", "pipeline", "(P + n - 2) (alpha + m/n beta)", PJESIVAC, pipeline },
    { TEXTBOOK, "bcast", "chain", "(n K + ceil((P-1)/K) - 1) (alpha + m/n beta)", "as " PJESIVAC,
      old_chain },
    { TEXTBOOK, "bcast", "binary_tree", "2 (ceil(log2(P+1)) + n - 2) (alpha + m/n beta)", PJESIVAC,
      old_binary },
    { TEXTBOOK, "bcast", "split_binary_tree",
      "2 (ceil(log2(P+1)) + ceil(n/2) - 2) (alpha + m/n beta) + alpha + m/2 beta", PJESIVAC,
      old_split_binary },
    { TEXTBOOK, "bcast", "binomial", "n L (alpha + m/n beta)", PJESIVAC, old_binomial },
    { TEXTBOOK, "bcast", "knomial", "n (K-1) ceil(log_K P) (alpha + m/n beta)", "as " PJESIVAC,
      old_knomial },
    { STAGE, "gather", "basic_linear", "r(P-1) (alpha + m beta)", NURIYEV ", eq. 8", gather },
    { STAGE, "gather", "called_linear", "gamma(P) alpha + r(P-1) (alpha + m beta)",
      "as " NURIYEV ", eq. 2 and 8", gather_called },
    { TEXTBOOK, "gather", "basic_linear", "(P - 1) (alpha + m beta)", PJESIVAC, gather },
    { TEXTBOOK, "gather", "linear_sync", "(P - 1) (3 alpha + m beta)", "as " PJESIVAC,
      gather_sync },
    { TEXTBOOK, "gather", "called_linear", "(P - 1) (2 alpha + m beta)", "as " PJESIVAC,
      old_gather_called },
    { STAGE, "reduce", "linear", "r(P-1) (alpha + m beta) + (P-1) m delta", "as " NURIYEV ", eq. 8",
      reduce_linear },
    { STAGE, "reduce", "chain",
      "(n r(K) + ceil((P-1)/K) - 1) (alpha + m/n beta) + (n K + ceil((P-1)/K) - 1) m/n delta",
      "as " NURIYEV ", eq. 5", reduce_chain },
    { STAGE, "reduce", "pipeline", "(P + n - 2) (alpha + m/n (beta + delta))",
      "as " NURIYEV ", eq. 5", reduce_pipeline },
    { STAGE, "reduce", "binary", "(H + n - 1) (r(2) (alpha + m/n beta) + 2 m/n delta)",
      "as " NURIYEV ", eq. 5", reduce_binary },
    { STAGE, "reduce", "binomial",
      "(sum_{i=1}^{L-1} r(i) + (n-1) r(L) + 1) (alpha + m/n beta) + (L (L-1)/2 + (n-1) L + 1) m/n "
      "delta; n = 1: L (alpha + m (beta + delta))",
      "as " NURIYEV ", eq. 6", reduce_binomial },
    { STAGE, "reduce", "in-order_binary",
      "(H + n - 1) (r(2) (alpha + m/n beta) + 2 m/n delta) + alpha + m beta to a root that is not "
      "the last",
      "as binary", reduce_in_order },
    { BOTH, "reduce", "rabenseifner",
      "2 H alpha + 2 (Q-1)/Q m beta + (Q-1)/Q m delta, Q = 2^H; "
      "+ 2 alpha + m beta + m/2 delta for P > Q",
      THAKUR ", section 4.5", rabenseifner },
    { BOTH, "reduce", "mpich_binomial", "L (alpha + m (beta + delta))", THAKUR ", section 4.5",
      reduce_one_by_one },
    { BOTH, "reduce", "mpich_reduce_scatter_gather",
      "2 H alpha + 2 (Q-1)/Q m beta + (Q-1)/Q m delta, Q = 2^H; "
      "+ alpha + m beta + m delta for P > Q",
      THAKUR ", section 4.5", mpich_scatter_gather },
    { TEXTBOOK, "reduce", "linear", "(P - 1) (alpha + m (beta + delta))", PJESIVAC, reduce_linear },
    { TEXTBOOK, "reduce", "chain", "(n K + ceil((P-1)/K) - 1) (alpha + m/n (beta + delta))",
      PJESIVAC, reduce_chain },
    { TEXTBOOK, "reduce", "pipeline", "(P + n - 2) (alpha + m/n (beta + delta))", PJESIVAC,
      reduce_pipeline },
    { TEXTBOOK, "reduce", "binary", "2 (ceil(log2(P+1)) + n - 2) (alpha + m/n (beta + delta))",
      PJESIVAC, old_reduce_binary },
    { TEXTBOOK, "reduce", "binomial", "n L (alpha + m/n (beta + delta))", PJESIVAC,
      old_reduce_binomial },
    { TEXTBOOK, "reduce", "in-order_binary",
      "2 (ceil(log2(P+1)) + n - 2) (alpha + m/n (beta + delta)) + alpha + m beta to a root that is "
      "not the last",
      "as " PJESIVAC, old_reduce_in_order },
    { 0, NULL, NULL, NULL, NULL, NULL },
};

const struct closed_form *const *closed_tables(void)
{
    static const struct closed_form *const tables[] = { forms, closed_moving, closed_combining,
                                                        NULL };
    return tables;
}

static int is_of(const struct closed_form *form, enum closed_kind kind, const struct schedule *s)
{
    return form->kinds & 1 << kind && strcmp(form->collective, s->collective->name) == 0 &&
           strcmp(form->algorithm, s->alg->name) == 0;
}

const struct closed_form *closed_find(enum closed_kind kind, const struct schedule *s)
{
    for (const struct closed_form *const *table = closed_tables(); *table; table++)
        for (const struct closed_form *form = *table; form->line; form++)
            if (is_of(form, kind, s))
                return form;
    return NULL;
}

/* A barrier has no bytes; anything else of none sends nothing. */
static int sends_nothing(const struct schedule *s)
{
    return s->procs == 1 || (s->bytes == 0 && s->collective->source != FROM_NOBODY);
}

double closed_time(enum closed_kind kind, const struct schedule *s, const struct gamma *gamma,
                   double alpha, double beta)
{
    const struct closed_form *form = closed_find(kind, s);
    if (!form)
        return NAN;
    if (sends_nothing(s))
        return 0;
    struct closed_line line = form->line(s, gamma);
    return line.a * alpha + line.b * beta;
}

double closed_combined(enum closed_kind kind, const struct schedule *s, const struct gamma *gamma)
{
    const struct closed_form *form = closed_find(kind, s);
    return form && !sends_nothing(s) ? form->line(s, gamma).c : 0;
}
