/* SPDX-License-Identifier: BSD-3-Clause */
/* decision-t.c - Open MPI 3.1's decisions at their borders. Borders in P are computed here from the
 * source's constants (v3.1.6, coll_tuned_decision_fixed.c): broadcast P < a m + b, reduction
 * P > a m + b. */
#include "tests/tap.h"
#include "workloads/schedules/decision.h"
#include "workloads/schedules/decision_mvapich.h"
#include "workloads/schedules/schedule.h"

struct row {
    int procs;
    uint64_t bytes, count;
    const char *algorithm;
    uint64_t segment_bytes;
};

static const struct row bcast[] = {
    { 2, 0, 0, "binomial", 0 },
    { 90, 2047, 2047, "binomial", 0 },
    { 90, 2048, 2048, "split_binary_tree", 1024 },
    { 90, 1 << 20, 1, "binomial", 0 }, /* one element, however large */
    { 90, 1 << 20, 2, "pipeline", 8192 },
    { 2, 370727, 370727, "split_binary_tree", 1024 },
    { 2, 370728, 370728, "pipeline", 131072 }, /* 1.6134e-6 m + 2.1102 = 2.7083 */
    { 3, 370728, 370728, "split_binary_tree", 8192 },
    { 12, 370728, 370728, "split_binary_tree", 8192 },
    { 13, 370728, 370728, "pipeline", 8192 }, /* 3.2118e-6 m + 8.7936 = 9.984 */
    /* m = 4 MiB: 128 KiB up to 8.877, 64 KiB up to 11.110, 16 KiB up to 22.265 */
    { 8, 4 << 20, 4 << 20, "pipeline", 131072 },
    { 9, 4 << 20, 4 << 20, "split_binary_tree", 8192 },
    { 12, 4 << 20, 4 << 20, "split_binary_tree", 8192 },
    { 13, 4 << 20, 4 << 20, "pipeline", 16384 },
    { 22, 4 << 20, 4 << 20, "pipeline", 16384 },
    { 23, 4 << 20, 4 << 20, "pipeline", 8192 },
    /* m = 16 MiB: 29.178, 40.906, 62.678 */
    { 29, 16 << 20, 16 << 20, "pipeline", 131072 },
    { 30, 16 << 20, 16 << 20, "pipeline", 65536 },
    { 40, 16 << 20, 16 << 20, "pipeline", 65536 },
    { 41, 16 << 20, 16 << 20, "pipeline", 16384 },
    { 62, 16 << 20, 16 << 20, "pipeline", 16384 },
    { 63, 16 << 20, 16 << 20, "pipeline", 8192 },
};

/* Fifty thousand bytes in all blocks together: the border between short and long. */
static const struct {
    int procs;
    uint64_t bytes;
    const char *algorithm;
} allgathers[] = {
    { 2, 8, "recursive_doubling" },
    { 2, 1 << 20, "recursive_doubling" },
    { 16, 3124, "recursive_doubling" },
    { 16, 3125, "neighbor" },
    { 24, 2083, "bruck" }, /* 49,992 */
    { 24, 2084, "neighbor" },
    { 25, 1999, "bruck" },
    { 25, 2000, "ring" },
    { 512, 97, "recursive_doubling" },
    { 3, UINT64_MAX, "ring" },
};

/* Open MPI 4.1 at borders of ranks and bytes: those just below, and those at the border. */
static const struct {
    const char *collective;
    int procs;
    uint64_t bytes;
    const char *algorithm;
    int fanout;
} later[] = {
    { "bcast", 3, 31, "pipeline", 0 },
    { "bcast", 3, 32, "binary_tree", 0 },
    { "bcast", 3, 131072, "chain", 1 },
    { "bcast", 4, 31, "binary_tree", 0 },
    { "bcast", 7, 1 << 20, "chain", 1 },
    { "bcast", 8, 32767, "binomial", 0 },
    { "bcast", 15, 32768, "basic_linear", 0 },
    { "bcast", 31, (1 << 20) - 1, "binomial", 0 },
    { "bcast", 31, 1 << 20, "scatter_allgather", 0 },
    { "bcast", 63, 2047, "binomial", 0 },
    { "bcast", 63, 2048, "knomial", 4 },
    { "bcast", 127, 1, "knomial", 4 },
    { "bcast", 128, 1, "binomial", 0 },
    { "bcast", 255, 16384, "basic_linear", 0 },
    { "bcast", 255, 32768, "binary_tree", 0 },
    { "bcast", 256, 16384, "split_binary_tree", 0 },
    { "bcast", 4096, 262143, "knomial", 4 },
    { "bcast", 4096, 262144, "scatter_allgather", 0 },
    { "reduce", 3, 7, "rabenseifner", 0 },
    { "reduce", 3, 524288, "chain", 1 },
    { "reduce", 7, 65535, "chain", 1 },
    { "reduce", 7, 65536, "binomial", 0 },
    { "reduce", 15, 8191, "binary", 0 },
    { "reduce", 31, 4096, "binomial", 0 },
    { "reduce", 254, 1, "binomial", 0 },
    { "reduce", 511, 8192, "in-order_binary", 0 },
    { "reduce", 511, 16384, "binomial", 0 },
};

static void check_later(void)
{
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        struct decision d;
        ok(decide("openmpi41", later[i].collective, later[i].procs, later[i].bytes, NULL, &d),
           "4.1 decides on %s", later[i].collective);
        is_str(later[i].algorithm, d.algorithm, "4.1: %s, %d ranks, %llu bytes",
               later[i].collective, later[i].procs, (unsigned long long)later[i].bytes);
        is_int(later[i].fanout, d.fanout, "... fan-out");
    }
    struct decision d;
    int unknown = 0;
    for (int procs = 2; procs <= 8192; procs *= 2)
        for (uint64_t bytes = 1; bytes <= 1 << 23; bytes *= 2)
            unknown += !decide("openmpi41", "bcast", procs, bytes, NULL, &d) ||
                       !algorithm_find("bcast", d.algorithm);
    is_int(0, unknown, "every broadcast that it takes has a schedule");
}

static void check_allgather(void)
{
    struct decision d;
    for (size_t i = 0; i < sizeof allgathers / sizeof *allgathers; i++) {
        decide("openmpi31", "allgather", allgathers[i].procs, allgathers[i].bytes, NULL, &d);
        is_str(allgathers[i].algorithm, d.algorithm, "allgather: P = %d, %llu bytes",
               allgathers[i].procs, (unsigned long long)allgathers[i].bytes);
        ok(algorithm_find("allgather", d.algorithm) != NULL, "… is an algorithm of the table");
    }
    ok(decide("openmpi31", "allgather", 25, 2000, NULL, &d) && strcmp(d.algorithm, "ring") == 0,
       "the function is found by the collective's name");
    ok(!decide("openmpi31", "gather", 25, 2000, NULL, &d), "… where there is one");
}

static const struct row reduce[] = {
    { 2, 0, 0, "linear", 0 },
    { 7, 511, 511, "linear", 0 },
    { 8, 511, 511, "binomial", 0 },
    { 7, 512, 512, "binomial", 0 },
    { 7, 20479, 20479, "binomial", 0 },
    { 90, 2047, 2047, "binomial", 0 },
    { 90, 1 << 20, 1, "binomial", 0 }, /* one element, however large */
    /* m = 8 KiB: 0.6016 * 8 + 1.3496 = 6.162; 20 KiB: 13.38; 128 KiB: 78.35 */
    { 8, 8192, 8192, "binomial", 1024 },
    { 14, 20480, 20480, "binomial", 1024 },
    { 13, 20480, 20480, "pipeline", 1024 }, /* 0.0410 * 20 + 9.7128 = 10.53 */
    { 11, 20480, 20480, "pipeline", 1024 },
    { 10, 20480, 20480, "binary", 32768 }, /* 0.0422 * 20 + 1.1614 = 2.005 */
    { 3, 20480, 20480, "binary", 32768 },
    { 2, 20480, 20480, "pipeline", 32768 }, /* 0.0033 * 20 + 1.6761 = 1.742 */
    { 79, 131072, 131072, "binomial", 1024 },
    { 78, 131072, 131072, "pipeline", 1024 },
    /* m = 1 MiB: 51.697, 44.374, 5.055 */
    { 52, 1 << 20, 1 << 20, "pipeline", 1024 },
    { 51, 1 << 20, 1 << 20, "binary", 32768 },
    { 45, 1 << 20, 1 << 20, "binary", 32768 },
    { 44, 1 << 20, 1 << 20, "pipeline", 32768 },
    { 6, 1 << 20, 1 << 20, "pipeline", 32768 },
    { 5, 1 << 20, 1 << 20, "pipeline", 65536 },
    /* m = 16 MiB: 0.0422 * 16384 + 1.1614 = 692.6; 0.0033 * 16384 + 1.6761 = 55.74 */
    { 56, 16 << 20, 16 << 20, "pipeline", 32768 },
    { 55, 16 << 20, 16 << 20, "pipeline", 65536 },
};

static void check(const char *collective, const struct row *table, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct decision d, same;
        const struct decision_call call = { table[i].procs, table[i].bytes, table[i].count, NULL };
        decide_elements("openmpi31", collective, &call, &d);
        is_str(table[i].algorithm, d.algorithm, "%s, P = %d, %llu bytes, %llu elements", collective,
               table[i].procs, (unsigned long long)table[i].bytes,
               (unsigned long long)table[i].count);
        is_int((long long)table[i].segment_bytes, (long long)d.segment_bytes, "… its segment");
        ok(algorithm_find(collective, d.algorithm) != NULL, "… is an algorithm of the table");
        if (table[i].count == table[i].bytes)
            ok(decide("openmpi31", collective, table[i].procs, table[i].bytes, NULL, &same) &&
                   strcmp(same.algorithm, d.algorithm) == 0,
               "… and found by the rule's name");
    }
}

/* ---- MVAPICH2, as SMPI has it: tests/cli/selector.t compares it with what SMPI sends ---- */

static const struct {
    const char *collective;
    int nodes, each;
    uint64_t bytes;
    const char *algorithm; /* NULL: nothing is decided */
    int fanout;
} placed[] = {
    { "alltoall", 2, 1, 1 << 20, "mpich_pairwise", 0 },
    { "alltoall", 3, 1, 256 << 10, "mpich_scattered", 4 },
    { "alltoall", 3, 1, (256 << 10) + 1, NULL, 0 },
    { "alltoall", 4, 1, (256 << 10) + 1, "mpich_pairwise", 0 },
    { "alltoall", 4, 2, 8, "recursive_doubling", 0 },
    { "alltoall", 3, 2, 8, "recursive_doubling_any", 0 },
    { "alltoall", 8, 2, 65, "modified_bruck", 0 },
    { "alltoall", 64, 16, 1025, "mpich_scattered", 4 },
    { "allgather", 1, 2, 512 << 10, "recursive_doubling", 0 },
    { "allgather", 2, 1, 1, "direct_ring", 0 },
    { "allgather", 3, 4, 128 << 10, "recursive_doubling_any", 0 },
    { "allgather", 3, 4, (128 << 10) + 1, "direct_ring", 0 },
    { "allgather", 4, 2, (32 << 10) + 1, "two_level.basic_linear.recursive_doubling", 0 },
    { "allgather", 3, 2, (32 << 10) + 1, "two_level.basic_linear.direct_ring", 0 },
    { "allgather", 9, 2, 1, "two_level.basic_linear.bruck", 0 },
    { "allgather", 2, 16, 1024, NULL, 0 },
    { "allgather", 2, 16, 1025, "direct_ring", 0 },
    { "bcast", 4, 4, 8, "mvapich2_two_level", 0 },
    { "bcast", 1, 9, 12287, "mpich_binomial", 0 },
    { "bcast", 1, 9, 12288, "scatter_allgather_ring", 0 },
    { "bcast", 1, 10, 12288, "scatter_allgather", 0 },
    { "bcast", 8, 16, (512 << 10) + 1, "scatter_allgather_ring", 0 },
    { "reduce", 1, 16, 2048, "linear", 0 },
    { "reduce", 1, 16, 2049, "knomial", 4 },
    { "reduce", 16, 1, 2049, "knomial", 4 },
    { "reduce", 4, 4, 2049, "mvapich2_two_level", 0 },
    { "reduce", 4, 4, (256 << 10) + 1, "mpich_binomial", 0 },
    { "reduce", 4, 4, (1 << 20) + 1, "mpich_reduce_scatter_gather", 0 },
    { "allreduce", 1, 4, 1024, "mvapich2_two_level", 0 },
    { "allreduce", 4, 1, 1024, "recursive_doubling", 0 },
    { "allreduce", 4, 4, 1025, "mpich_reduce_scatter_allgather", 0 },
    { "barrier", 4, 4, 0, "recursive_doubling", 0 },
};

/* Borders that no call of tests/cli/selector.t meets: elements, of which there may be fewer than
 * ranks, and what shared memory holds, which is more than 1,024 ranks are needed for. */
static void check_large(void)
{
    const struct seating sixteen = { .mapping = "core", .nodes = 4, .ppn = 4, .procs = 16 },
                         many = { .mapping = "core", .nodes = 600, .ppn = 2, .procs = 1200 };
    struct decision_call call = { 16, 2 << 20, 15, &sixteen };
    struct decision d;
    struct decision_levels levels = { .up = NULL };
    decide_elements("mvapich2", "reduce", &call, &d);
    is_str("mpich_binomial", d.algorithm, "fewer elements than 2^n ranks are not scattered");
    call.count = 16;
    decide_elements("mvapich2", "reduce", &call, &d);
    is_str("mpich_reduce_scatter_gather", d.algorithm, "as many are");
    call = (struct decision_call){ 1200, (256 << 10) - 1, (256 << 10) - 1, &many };
    decision_mvapich2_levels("reduce", &call, &levels);
    is_str("linear", levels.up, "what a node's shared memory holds");
    call.bytes = call.count = 256 << 10;
    decision_mvapich2_levels("reduce", &call, &levels);
    is_str("knomial", levels.up, "and one byte more");
}

static void check_placed(void)
{
    struct decision d;
    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++) {
        const int procs = placed[i].nodes * placed[i].each;
        const struct seating seats = {
            .mapping = "core", .nodes = placed[i].nodes, .ppn = placed[i].each, .procs = procs
        };
        const int known =
            decide("mvapich2", placed[i].collective, procs, placed[i].bytes, &seats, &d);
        is_str(placed[i].algorithm ? placed[i].algorithm : "nothing",
               known ? d.algorithm : "nothing", "%s, %d nodes of %d, %llu bytes",
               placed[i].collective, placed[i].nodes, placed[i].each,
               (unsigned long long)placed[i].bytes);
        is_int(placed[i].fanout, d.fanout, "… fan-out");
        ok(known ? !d.why : d.why != NULL, "… or the reason: %s", d.why ? d.why : "none");
    }
    check_large();
    struct seating uneven = { .mapping = "core", .nodes = 3, .ppn = 4, .procs = 11 };
    ok(!decide("mvapich2", "bcast", 11, 8, &uneven, &d),
       "of nodes with different numbers of ranks");
    has_str("different numbers", d.why, "nothing is decided");
    ok(!decide("mvapich2", "bcast", 8, 8, NULL, &d), "nor where ranks may be anywhere");
    has_str("not known", d.why, "which is said");
    ok(decide("mvapich2", "alltoall", 8, 8, NULL, &d), "but what does not hang on it is");
    ok(decision_known("mvapich2", "bcast") && !decision_known("mvapich2", "scan"),
       "it knows some collectives");
    uneven = (struct seating){ .mapping = "node", .nodes = 4, .ppn = 2, .procs = 8 };
    decide("mvapich2", "allgather", 8, 64 << 10, &uneven, &d);
    is_str("direct_ring", d.algorithm,
           "ranks of a node that are not consecutive gather in one ring");
}

int main(void)
{
    check_placed();
    check_allgather();
    check_later();
    struct decision d;
    check("bcast", bcast, sizeof bcast / sizeof *bcast);
    check("reduce", reduce, sizeof reduce / sizeof *reduce);
    ok(!decide("none", "bcast", 8, 8, NULL, &d), "no rule decides nothing");
    return tap_done();
}
