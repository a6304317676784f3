/* SPDX-License-Identifier: BSD-3-Clause */
/* decision-t.c - Open MPI 3.1's broadcast decision at its borders. Borders in P are computed here
 * from the source's constants (v3.1.6, coll_tuned_decision_fixed.c, lines 230-238): P < a m + b. */
#include "tests/tap.h"
#include "workloads/schedules/decision.h"
#include "workloads/schedules/schedule.h"

static const struct {
    int procs;
    uint64_t bytes, count;
    const char *algorithm;
    uint64_t segment_bytes;
} table[] = {
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

static void check_allgather(void)
{
    struct decision d;
    for (size_t i = 0; i < sizeof allgathers / sizeof *allgathers; i++) {
        d = decide_allgather_openmpi31(allgathers[i].procs, allgathers[i].bytes);
        is_str(allgathers[i].algorithm, d.algorithm, "allgather: P = %d, %llu bytes",
               allgathers[i].procs, (unsigned long long)allgathers[i].bytes);
        ok(algorithm_find("allgather", d.algorithm) != NULL, "… is an algorithm of the table");
    }
    ok(decide_openmpi31("allgather", 25, 2000, &d) && strcmp(d.algorithm, "ring") == 0,
       "the function is found by the collective's name");
    ok(!decide_openmpi31("gather", 25, 2000, &d), "… where there is one");
}

int main(void)
{
    check_allgather();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct decision d = decide_bcast_openmpi31(table[i].procs, table[i].bytes, table[i].count);
        is_str(table[i].algorithm, d.algorithm, "P = %d, %llu bytes, %llu elements", table[i].procs,
               (unsigned long long)table[i].bytes, (unsigned long long)table[i].count);
        is_int((long long)table[i].segment_bytes, (long long)d.segment_bytes, "… its segment");
        ok(algorithm_find("bcast", d.algorithm) != NULL, "… is an algorithm of the table");
    }
    return tap_done();
}
