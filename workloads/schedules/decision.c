/* SPDX-License-Identifier: BSD-3-Clause */
/* decision.c - facts from Open MPI v3.1.6, ompi/mca/coll/tuned/coll_tuned_decision_fixed.c,
 * ompi_coll_tuned_bcast_intra_dec_fixed, ..._allgather_... and ..._reduce_...: the same in
 * v3.1.0 … v3.1.6. The constants are the library's fit to Myrinet MX results (broadcast: sizes up
 * to 36 MB, up to 64 nodes). */
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

struct decision decide_bcast_openmpi31(int procs, uint64_t bytes, uint64_t count)
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

struct decision decide_allgather_openmpi31(int procs, uint64_t bytes)
{
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

struct decision decide_reduce_openmpi31(int procs, uint64_t bytes, uint64_t count)
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

/* ---- by name ---- */

static struct decision allgather_of_bytes(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    return decide_allgather_openmpi31(procs, bytes);
}

static const struct {
    const char *rule, *collective;
    struct decision (*decide)(int procs, uint64_t bytes, uint64_t count);
} decisions[] = {
    { "openmpi31", "bcast", decide_bcast_openmpi31 },
    { "openmpi31", "allgather", allgather_of_bytes },
    { "openmpi31", "reduce", decide_reduce_openmpi31 },
    { "openmpi41", "bcast", decide_bcast_openmpi41 },
    { "openmpi41", "reduce", decide_reduce_openmpi41 },
};

int decide(const char *rule, const char *collective, int procs, uint64_t bytes,
           struct decision *decision)
{
    for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++) {
        if (strcmp(decisions[i].rule, rule) != 0 ||
            strcmp(decisions[i].collective, collective) != 0)
            continue;
        *decision = decisions[i].decide(procs, bytes, bytes);
        return 1;
    }
    return 0;
}
