/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/rules/rule_units.h"

/* Where a library has none: UNIT_NONE. */
static const struct {
    const char *collective;
    enum rules_unit openmpi, mpich;
} units[] = {
    { "allgather", UNIT_TOTAL, UNIT_TOTAL },
    { "allgatherv", UNIT_MESSAGE, UNIT_TOTAL }, /* Open MPI's: all blocks together over the ranks */
    { "allreduce", UNIT_MESSAGE, UNIT_MESSAGE },
    { "alltoall", UNIT_TOTAL, UNIT_MESSAGE },
    { "bcast", UNIT_MESSAGE, UNIT_MESSAGE },
    { "exscan", UNIT_EACH, UNIT_NONE },
    { "gather", UNIT_TOTAL, UNIT_NONE },
    { "reduce", UNIT_MESSAGE, UNIT_MESSAGE },
    { "reduce_scatter", UNIT_TOTAL, UNIT_TOTAL },
    { "reduce_scatter_block", UNIT_TOTAL, UNIT_TOTAL },
    { "scan", UNIT_EACH, UNIT_NONE },
    { "scatter", UNIT_TOTAL, UNIT_NONE },
};

enum rules_unit rules_unit(const struct rules_reader *reader, const char *collective)
{
    const int is_mpich = strcmp(reader->library, "mpich") == 0;
    const size_t n = sizeof units / sizeof *units,
                 at = first_below(i, n, strcmp(units[i].collective, collective) == 0);
    if (!is_mpich && version_within(reader->version, NULL, "4.1")) {
        if (strcmp(collective, "allgatherv") == 0)
            return UNIT_TOTAL;
        if (strcmp(collective, "gather") == 0 || strcmp(collective, "scatter") == 0)
            return UNIT_EACH;
    }
    return at == n ? UNIT_NONE : is_mpich ? units[at].mpich : units[at].openmpi;
}

const char *rules_unit_words(enum rules_unit unit)
{
    static const char *const words[] = { "bytes of the message", "bytes x processes",
                                         "bytes of an element x processes", "nothing: always 0" };
    return words[unit];
}

uint64_t rules_size(enum rules_unit unit, int procs, uint64_t bytes, uint64_t element_bytes)
{
    if (unit == UNIT_NONE)
        return 0;
    if (unit == UNIT_EACH)
        return (uint64_t)procs * element_bytes;
    if (unit == UNIT_MESSAGE || !bytes)
        return bytes;
    return bytes > UINT64_MAX / (uint64_t)procs ? UINT64_MAX : bytes * (uint64_t)procs;
}
