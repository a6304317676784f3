/* SPDX-License-Identifier: BSD-3-Clause */
/* decision.c - facts from Open MPI's ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, functions
 * ompi_coll_tuned_<collective>_intra_dec_fixed: of v3.1.6, which are those of v3.1.0 to v3.1.6, and
 * of v4.1. The constants of 3.1 are the library's fit to Myrinet MX results (broadcast: sizes up to
 * 36 MB, up to 64 nodes). */
#include "workloads/schedules/decision.h"

#include <string.h>

enum { SMALL_BYTES = 2048, INTERMEDIATE_BYTES = 370728, FEW_PROCS = 13, KIB = 1024 };
enum { ALLGATHER_SMALL_BYTES = 50000 }; /* of all blocks */

/* A pipeline of this segment size is chosen when procs < slope * bytes + intercept. */
struct border {
    double slope, intercept; /* slope in 1/byte */
    uint64_t segment_bytes;
};

static const struct border border_128k = { 1.6134e-6, 2.1102, 128 * KIB };
static const struct border border_64k = { 2.3679e-6, 1.1787, 64 * KIB };
static const struct border border_16k = { 3.2118e-6, 8.7936, 16 * KIB };

static int is_below(int procs, uint64_t bytes, const struct border *b)
{
    return procs < b->slope * (double)bytes + b->intercept;
}

static struct decision pipeline(uint64_t segment_bytes)
{
    return (struct decision){ "pipeline", segment_bytes, 0 };
}

static struct decision split_binary(uint64_t segment_bytes)
{
    return (struct decision){ "split_binary_tree", segment_bytes, 0 };
}

static struct decision bcast31(int procs, uint64_t bytes, uint64_t count)
{
    if (bytes < SMALL_BYTES || count <= 1)
        return (struct decision){ "binomial", 0, 0 };
    if (bytes < INTERMEDIATE_BYTES)
        return split_binary(1 * KIB);
    if (is_below(procs, bytes, &border_128k))
        return pipeline(border_128k.segment_bytes);
    if (procs < FEW_PROCS)
        return split_binary(8 * KIB);
    if (is_below(procs, bytes, &border_64k))
        return pipeline(border_64k.segment_bytes);
    if (is_below(procs, bytes, &border_16k))
        return pipeline(border_16k.segment_bytes);
    return pipeline(8 * KIB);
}

static struct decision allgather31(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    const int is_power = (procs & (procs - 1)) == 0;
    if (procs == 2)
        return (struct decision){ "recursive_doubling", 0, 0 };
    if (bytes < ALLGATHER_SMALL_BYTES && bytes * (uint64_t)procs < ALLGATHER_SMALL_BYTES)
        return (struct decision){ is_power ? "recursive_doubling" : "bruck", 0, 0 };
    return (struct decision){ procs % 2 ? "ring" : "neighbor", 0, 0 };
}

/* ---- reduce, of an operation that commutes ---- */

enum { LINEAR_BYTES = 512, FEW_BYTES = 20480, FEW = 8 };

/* procs > slope * bytes + intercept, with the slope per KiB as the library writes it. */
static int is_above(int procs, uint64_t bytes, double slope_per_kib, double intercept)
{
    return procs > slope_per_kib / KIB * (double)bytes + intercept;
}

static struct decision reduce31(int procs, uint64_t bytes, uint64_t count)
{
    if (procs < FEW && bytes < LINEAR_BYTES)
        return (struct decision){ "linear", 0, 0 };
    if ((procs < FEW && bytes < FEW_BYTES) || bytes < SMALL_BYTES || count <= 1)
        return (struct decision){ "binomial", 0, 0 };
    if (is_above(procs, bytes, 0.6016, 1.3496))
        return (struct decision){ "binomial", 1 * KIB, 0 };
    if (is_above(procs, bytes, 0.0410, 9.7128))
        return pipeline(1 * KIB);
    if (is_above(procs, bytes, 0.0422, 1.1614))
        return (struct decision){ "binary", 32 * KIB, 0 };
    return pipeline(is_above(procs, bytes, 0.0033, 1.6761) ? 32 * KIB : 64 * KIB);
}

/* ---- Open MPI 4.1: one table per collective, by ranks and then by bytes; none cuts the message.
 * No fan-out is passed, which makes a chain one chain; the k-nomial tree has its default radix of
 * four. ---- */

/* The first row of a table with procs below `procs` and bytes below `bytes`; 0: any. */
struct rule {
    int procs;
    uint64_t bytes;
    const char *algorithm;
    int fanout;
};

static const char LINEAR[] = "basic_linear", CHAIN[] = "chain", PIPELINE[] = "pipeline",
                  SPLIT[] = "split_binary_tree", BINARY[] = "binary_tree", BINOMIAL[] = "binomial",
                  KNOMIAL[] = "knomial", SCATTER[] = "scatter_allgather", RING[] = "ring",
                  DOUBLING[] = "recursive_doubling", HALVING[] = "recursive_halving",
                  BUTTERFLY[] = "butterfly", RABENSEIFNER[] = "rabenseifner",
                  NONOVERLAPPING[] = "nonoverlapping";

/* clang-format off */
static const struct rule bcast41_rules[] = {
    { 4, 32, PIPELINE, 0 }, { 4, 256, BINARY, 0 }, { 4, 512, PIPELINE, 0 }, { 4, 1 * KIB, KNOMIAL, 4 },
    { 4, 32 * KIB, LINEAR, 0 }, { 4, 128 * KIB, BINARY, 0 }, { 4, 256 * KIB, CHAIN, 1 },
    { 4, 512 * KIB, LINEAR, 0 }, { 4, 1024 * KIB, BINOMIAL, 0 }, { 4, 0, BINARY, 0 },
    { 8, 64, BINARY, 0 }, { 8, 128, BINOMIAL, 0 }, { 8, 2 * KIB, BINARY, 0 },
    { 8, 8 * KIB, BINOMIAL, 0 }, { 8, 1024 * KIB, LINEAR, 0 }, { 8, 0, CHAIN, 1 },
    { 16, 8, KNOMIAL, 4 }, { 16, 64, BINARY, 0 }, { 16, 4 * KIB, KNOMIAL, 4 },
    { 16, 16 * KIB, BINARY, 0 }, { 16, 32 * KIB, BINOMIAL, 0 }, { 16, 0, LINEAR, 0 },
    { 32, 4 * KIB, KNOMIAL, 4 }, { 32, 1024 * KIB, BINOMIAL, 0 }, { 32, 0, SCATTER, 0 },
    { 64, 2 * KIB, BINOMIAL, 0 }, { 64, 0, KNOMIAL, 4 },
    { 128, 0, KNOMIAL, 4 },
    { 256, 2, BINOMIAL, 0 }, { 256, 16 * KIB, BINARY, 0 }, { 256, 32 * KIB, LINEAR, 0 },
    { 256, 64 * KIB, BINARY, 0 }, { 256, 0, KNOMIAL, 4 },
    { 1024, 16 * KIB, KNOMIAL, 4 }, { 1024, 32 * KIB, SPLIT, 0 }, { 1024, 0, KNOMIAL, 4 },
    { 2048, 512 * KIB, KNOMIAL, 4 }, { 2048, 0, SCATTER, 0 },
    { 4096, 256 * KIB, KNOMIAL, 4 }, { 4096, 0, SCATTER, 0 },
    { 0, 8 * KIB, KNOMIAL, 4 }, { 0, 16 * KIB, BINARY, 0 }, { 0, 256 * KIB, KNOMIAL, 4 },
    { 0, 0, SCATTER, 0 },
};

/* Operations that commute. */
static const struct rule reduce41_rules[] = {
    { 4, 8, RABENSEIFNER, 0 }, { 4, 16, "binary", 0 }, { 4, 32, PIPELINE, 0 },
    { 4, 256 * KIB, "linear", 0 }, { 4, 512 * KIB, PIPELINE, 0 }, { 4, 1024 * KIB, CHAIN, 1 },
    { 4, 0, PIPELINE, 0 },
    { 8, 4 * KIB, "binary", 0 }, { 8, 64 * KIB, CHAIN, 1 }, { 8, 256 * KIB, BINOMIAL, 0 },
    { 8, 512 * KIB, "linear", 0 }, { 8, 1024 * KIB, BINOMIAL, 0 }, { 8, 0, "linear", 0 },
    { 16, 8 * KIB, "binary", 0 }, { 16, 0, BINOMIAL, 0 },
    { 32, 4 * KIB, "binary", 0 }, { 32, 0, BINOMIAL, 0 },
    { 256, 0, BINOMIAL, 0 },
    { 512, 8 * KIB, BINOMIAL, 0 }, { 512, 16 * KIB, "in-order_binary", 0 }, { 512, 0, BINOMIAL, 0 },
    { 2048, 0, BINOMIAL, 0 },
    { 4096, 512, BINOMIAL, 0 }, { 4096, 1 * KIB, "in-order_binary", 0 },
    { 4096, 8 * KIB, BINOMIAL, 0 }, { 4096, 16 * KIB, "in-order_binary", 0 },
    { 4096, 0, BINOMIAL, 0 },
    { 0, 16, BINOMIAL, 0 }, { 0, 32, "in-order_binary", 0 }, { 0, 1 * KIB, BINOMIAL, 0 },
    { 0, 2 * KIB, "in-order_binary", 0 }, { 0, 8 * KIB, BINOMIAL, 0 },
    { 0, 16 * KIB, "in-order_binary", 0 }, { 0, 0, BINOMIAL, 0 },
};

/* Operations that do not commute. */
static const struct rule reduce41_ordered_rules[] = {
    { 4, 8, "in-order_binary", 0 }, { 4, 0, "linear", 0 },
    { 8, 0, "linear", 0 },
    { 16, 1 * KIB, "in-order_binary", 0 }, { 16, 8 * KIB, "linear", 0 },
    { 16, 16 * KIB, "in-order_binary", 0 }, { 16, 256 * KIB, "linear", 0 },
    { 16, 0, "in-order_binary", 0 },
    { 128, 0, "in-order_binary", 0 },
    { 256, 512, "in-order_binary", 0 }, { 256, 1 * KIB, "linear", 0 },
    { 256, 0, "in-order_binary", 0 },
    { 0, 0, "in-order_binary", 0 },
};

static const struct rule allreduce41_rules[] = {
    { 4, 8, RING, 0 }, { 4, 4 * KIB, DOUBLING, 0 }, { 4, 8 * KIB, RING, 0 },
    { 4, 16 * KIB, DOUBLING, 0 }, { 4, 64 * KIB, RING, 0 }, { 4, 256 * KIB, "segmented_ring", 0 },
    { 4, 0, RABENSEIFNER, 0 },
    { 8, 16, RING, 0 }, { 8, 8 * KIB, DOUBLING, 0 }, { 8, 0, RABENSEIFNER, 0 },
    { 16, 8 * KIB, DOUBLING, 0 }, { 16, 0, RABENSEIFNER, 0 },
    { 32, 64, "segmented_ring", 0 }, { 32, 4 * KIB, DOUBLING, 0 }, { 32, 0, RABENSEIFNER, 0 },
    { 64, 128, "segmented_ring", 0 }, { 64, 0, RABENSEIFNER, 0 },
    { 128, 256 * KIB, DOUBLING, 0 }, { 128, 0, RABENSEIFNER, 0 },
    { 256, 128 * KIB, NONOVERLAPPING, 0 }, { 256, 256 * KIB, DOUBLING, 0 },
    { 256, 0, RABENSEIFNER, 0 },
    { 512, 4 * KIB, NONOVERLAPPING, 0 }, { 512, 0, RABENSEIFNER, 0 },
    { 2048, 2 * KIB, NONOVERLAPPING, 0 }, { 2048, 16 * KIB, DOUBLING, 0 },
    { 2048, 0, RABENSEIFNER, 0 },
    { 4096, 2 * KIB, NONOVERLAPPING, 0 }, { 4096, 4 * KIB, "segmented_ring", 0 },
    { 4096, 16 * KIB, DOUBLING, 0 }, { 4096, 0, RABENSEIFNER, 0 },
    { 0, 2 * KIB, NONOVERLAPPING, 0 }, { 0, 16 * KIB, "segmented_ring", 0 },
    { 0, 32 * KIB, DOUBLING, 0 }, { 0, 0, RABENSEIFNER, 0 },
};

static const struct rule allreduce41_ordered_rules[] = {
    { 4, 128 * KIB, DOUBLING, 0 }, { 4, 0, LINEAR, 0 },
    { 8, 0, DOUBLING, 0 },
    { 16, 1024 * KIB, DOUBLING, 0 }, { 16, 0, NONOVERLAPPING, 0 },
    { 128, 0, DOUBLING, 0 },
    { 256, 128 * KIB, NONOVERLAPPING, 0 }, { 256, 512 * KIB, DOUBLING, 0 },
    { 256, 0, NONOVERLAPPING, 0 },
    { 512, 4 * KIB, NONOVERLAPPING, 0 }, { 512, 512 * KIB, DOUBLING, 0 },
    { 512, 0, NONOVERLAPPING, 0 },
    { 0, 2 * KIB, NONOVERLAPPING, 0 }, { 0, 0, DOUBLING, 0 },
};

/* By the bytes of all blocks; operations that commute. */
static const struct rule reduce_scatter41_rules[] = {
    { 4, 64 * KIB, RING, 0 }, { 4, 128 * KIB, BUTTERFLY, 0 }, { 4, 0, RING, 0 },
    { 8, 8, "non-overlapping", 0 }, { 8, 256 * KIB, HALVING, 0 }, { 8, 0, RING, 0 },
    { 32, 256 * KIB, HALVING, 0 }, { 32, 0, RING, 0 },
    { 64, 64, "non-overlapping", 0 }, { 64, 2 * KIB, HALVING, 0 }, { 64, 512 * KIB, BUTTERFLY, 0 },
    { 64, 0, RING, 0 },
    { 128, 256, "non-overlapping", 0 }, { 128, 512, HALVING, 0 }, { 128, 2 * KIB, BUTTERFLY, 0 },
    { 128, 4 * KIB, HALVING, 0 }, { 128, 0, BUTTERFLY, 0 },
    { 256, 256, "non-overlapping", 0 }, { 256, 512, HALVING, 0 }, { 256, 0, BUTTERFLY, 0 },
    { 512, 256, "non-overlapping", 0 }, { 512, 1 * KIB, HALVING, 0 }, { 512, 0, BUTTERFLY, 0 },
    { 1024, 512, "non-overlapping", 0 }, { 1024, 2 * KIB, HALVING, 0 },
    { 1024, 8 * KIB, BUTTERFLY, 0 }, { 1024, 16 * KIB, HALVING, 0 }, { 1024, 0, BUTTERFLY, 0 },
    { 2048, 512, "non-overlapping", 0 }, { 2048, 4 * KIB, HALVING, 0 },
    { 2048, 16 * KIB, BUTTERFLY, 0 }, { 2048, 32 * KIB, HALVING, 0 }, { 2048, 0, BUTTERFLY, 0 },
    { 4096, 512, "non-overlapping", 0 }, { 4096, 4 * KIB, HALVING, 0 }, { 4096, 0, BUTTERFLY, 0 },
    { 0, 1 * KIB, "non-overlapping", 0 }, { 0, 8 * KIB, HALVING, 0 }, { 0, 0, BUTTERFLY, 0 },
};

/* By the bytes of one block; operations that commute. */
static const struct rule reduce_scatter_block41_rules[] = {
    { 4, 4, DOUBLING, 0 }, { 4, 8, BUTTERFLY, 0 }, { 4, 16, HALVING, 0 }, { 4, 128, BUTTERFLY, 0 },
    { 4, 256, HALVING, 0 }, { 4, 4 * KIB, BUTTERFLY, 0 }, { 4, 8 * KIB, HALVING, 0 },
    { 4, 128 * KIB, BUTTERFLY, 0 }, { 4, 0, LINEAR, 0 },
    { 8, 8, HALVING, 0 }, { 8, 32, DOUBLING, 0 }, { 8, 256, BUTTERFLY, 0 },
    { 8, 8 * KIB, HALVING, 0 }, { 8, 16 * KIB, BUTTERFLY, 0 }, { 8, 1024 * KIB, HALVING, 0 },
    { 8, 0, LINEAR, 0 },
    { 16, 4, LINEAR, 0 }, { 16, 32, HALVING, 0 }, { 16, 128, BUTTERFLY, 0 },
    { 16, 512 * KIB, HALVING, 0 }, { 16, 4096 * KIB, LINEAR, 0 }, { 16, 0, BUTTERFLY, 0 },
    { 32, 32, LINEAR, 0 }, { 32, 512 * KIB, HALVING, 0 }, { 32, 2048 * KIB, LINEAR, 0 },
    { 32, 4096 * KIB, HALVING, 0 }, { 32, 0, BUTTERFLY, 0 },
    { 0, 4, HALVING, 0 }, { 0, 16, LINEAR, 0 }, { 0, 64 * KIB, BUTTERFLY, 0 },
    { 0, 256 * KIB, LINEAR, 0 }, { 0, 0, BUTTERFLY, 0 },
};

static const struct rule reduce_scatter41_ordered_rules[] = { { 0, 0, "non-overlapping", 0 } };
static const struct rule reduce_scatter_block41_ordered_rules[] = { { 0, 0, LINEAR, 0 } };

/* By the bytes of one block. */
static const struct rule scatter41_rules[] = {
    { 4, 2, "linear_nb", 0 }, { 4, 128 * KIB, LINEAR, 0 }, { 4, 256 * KIB, "linear_nb", 0 },
    { 4, 0, LINEAR, 0 },
    { 8, 2 * KIB, BINOMIAL, 0 }, { 8, 4 * KIB, LINEAR, 0 }, { 8, 8 * KIB, BINOMIAL, 0 },
    { 8, 32 * KIB, LINEAR, 0 }, { 8, 1024 * KIB, "linear_nb", 0 }, { 8, 0, LINEAR, 0 },
    { 16, 16 * KIB, BINOMIAL, 0 }, { 16, 1024 * KIB, "linear_nb", 0 }, { 16, 0, LINEAR, 0 },
    { 32, 16 * KIB, BINOMIAL, 0 }, { 32, 32 * KIB, LINEAR, 0 }, { 32, 0, "linear_nb", 0 },
    { 64, 512, BINOMIAL, 0 }, { 64, 8 * KIB, "linear_nb", 0 }, { 64, 16 * KIB, BINOMIAL, 0 },
    { 64, 0, "linear_nb", 0 },
    { 0, 512, BINOMIAL, 0 }, { 0, 0, "linear_nb", 0 },
};
/* clang-format on */

/* The last row of a table takes all. */
static struct decision first_rule(const struct rule *rule, int procs, uint64_t bytes)
{
    while ((rule->procs && procs >= rule->procs) || (rule->bytes && bytes >= rule->bytes))
        rule++;
    return (struct decision){ rule->algorithm, 0, rule->fanout };
}

/* ---- by name ---- */

/* Either a function, or tables: of operations that do not commute a second one where they have
 * it. */
static const struct known {
    const char *rule, *collective;
    struct decision (*decide)(int procs, uint64_t bytes, uint64_t count);
    const struct rule *rules, *ordered;
    int of_all; /* the tables go by the bytes of all blocks */
} decisions[] = {
    { "openmpi31", "bcast", .decide = bcast31 },
    { "openmpi31", "allgather", .decide = allgather31 },
    { "openmpi31", "reduce", .decide = reduce31 },
    { "openmpi41", "bcast", .rules = bcast41_rules },
    { "openmpi41", "reduce", .rules = reduce41_rules, .ordered = reduce41_ordered_rules },
    { "openmpi41", "scatter", .rules = scatter41_rules },
    { "openmpi41", "allreduce", .rules = allreduce41_rules, .ordered = allreduce41_ordered_rules },
    { "openmpi41", "reduce_scatter", .rules = reduce_scatter41_rules,
      .ordered = reduce_scatter41_ordered_rules, .of_all = 1 },
    { "openmpi41", "reduce_scatter_block", .rules = reduce_scatter_block41_rules,
      .ordered = reduce_scatter_block41_ordered_rules },
    { "openmpi41", "alltoall", .decide = decision_alltoall41 },
    { "openmpi41", "alltoallv", .decide = decision_alltoallv41 },
    { "openmpi41", "allgather", .decide = decision_allgather41 },
    { "openmpi41", "allgatherv", .decide = decision_allgatherv41 },
    { "openmpi41", "gather", .decide = decision_gather41 },
    { "openmpi41", "barrier", .decide = decision_barrier41 },
    { "openmpi41", "scan", .decide = decision_scan41 },
    { "openmpi41", "exscan", .decide = decision_scan41 },
    { "mpich40", "bcast", .decide = decision_mpich_bcast },
    { "mpich40", "reduce", .decide = decision_mpich_reduce },
    { "mpich40", "allreduce", .decide = decision_mpich_allreduce },
    { "mpich40", "allgather", .decide = decision_mpich_allgather },
    { "mpich40", "allgatherv", .decide = decision_mpich_allgather },
    { "mpich40", "alltoall", .decide = decision_mpich_alltoall },
    { "mpich40", "alltoallv", .decide = decision_mpich_alltoallv },
    { "mpich40", "reduce_scatter", .decide = decision_mpich_reduce_scatter },
    { "mpich40", "reduce_scatter_block", .decide = decision_mpich_reduce_scatter },
    { "mpich40", "gather", .decide = decision_mpich_tree },
    { "mpich40", "scatter", .decide = decision_mpich_tree },
    { "mpich40", "barrier", .decide = decision_mpich_barrier },
    /* its scan goes node by node ("smp"), of which there is no schedule */
    { "mpich40", "exscan", .decide = decision_mpich_exscan },
};

static const struct known *find(const char *rule, const char *collective)
{
    for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++)
        if (strcmp(decisions[i].rule, rule) == 0 &&
            strcmp(decisions[i].collective, collective) == 0)
            return &decisions[i];
    return NULL;
}

static struct decision by_table(const struct known *known, const struct rule *rules, int procs,
                                uint64_t bytes)
{
    return first_rule(rules, procs, known->of_all ? bytes * (uint64_t)procs : bytes);
}

int decide_elements(const char *rule, const char *collective, int procs, uint64_t bytes,
                    uint64_t count, struct decision *decision)
{
    const struct known *known = find(rule, collective);
    if (!known)
        return 0;
    *decision = known->rules ? by_table(known, known->rules, procs, bytes)
                             : known->decide(procs, bytes, count);
    return 1;
}

int decide_ordered(const char *rule, const char *collective, int procs, uint64_t bytes,
                   struct decision *decision)
{
    const struct known *known = find(rule, collective);
    if (!known || !known->ordered)
        return 0;
    *decision = by_table(known, known->ordered, procs, bytes);
    return 1;
}

int decide(const char *rule, const char *collective, int procs, uint64_t bytes,
           struct decision *decision)
{
    return decide_elements(rule, collective, procs, bytes, bytes, decision);
}

const char *decision_library(const char *rule)
{
    static const char *const names[][2] = { { "openmpi31", "Open MPI 3.1" },
                                            { "openmpi41", "Open MPI 4.1" },
                                            { "mpich40", "MPICH 4.0" } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], rule) == 0)
            return names[i][1];
    return NULL;
}

int decision_known(const char *rule, const char *collective)
{
    struct decision any;
    return decide(rule, collective, 2, 1, &any);
}
