/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/rules/rule_units.h"

struct unit {
    const char *collective; /* NULL: the end */
    enum rules_unit unit;
};

static enum rules_unit find_unit(const struct unit *units, const char *collective)
{
    for (; units->collective; units++)
        if (strcmp(units->collective, collective) == 0)
            return units->unit;
    return UNIT_NONE;
}

static enum rules_unit unit_of_mpich(const char *collective)
{
    static const struct unit units[] = {
        { "allgather", UNIT_TOTAL },
        { "allgatherv", UNIT_TOTAL },
        { "allreduce", UNIT_MESSAGE },
        { "alltoall", UNIT_MESSAGE },
        { "bcast", UNIT_MESSAGE },
        { "reduce", UNIT_MESSAGE },
        { "reduce_scatter", UNIT_TOTAL },
        { "reduce_scatter_block", UNIT_TOTAL },
        { NULL, UNIT_NONE },
    };
    return find_unit(units, collective);
}

static enum rules_unit unit_of_openmpi(const char *version, const char *collective)
{
    static const struct unit units[] = {
        { "allgather", UNIT_TOTAL },
        { "allgatherv", UNIT_MESSAGE }, /* of all ranks' blocks together, over the ranks */
        { "allreduce", UNIT_MESSAGE },
        { "alltoall", UNIT_TOTAL },
        { "alltoallv", UNIT_NONE },
        { "barrier", UNIT_NONE },
        { "bcast", UNIT_MESSAGE },
        { "exscan", UNIT_EACH },
        { "gather", UNIT_TOTAL },
        { "reduce", UNIT_MESSAGE },
        { "reduce_scatter", UNIT_TOTAL },
        { "reduce_scatter_block", UNIT_TOTAL },
        { "scan", UNIT_EACH },
        { "scatter", UNIT_TOTAL },
        { NULL, UNIT_NONE },
    };
    const int in40 = version_within(version, NULL, "4.1");
    if (in40 && strcmp(collective, "allgatherv") == 0)
        return UNIT_TOTAL;
    if (in40 && (strcmp(collective, "gather") == 0 || strcmp(collective, "scatter") == 0))
        return UNIT_EACH;
    return find_unit(units, collective);
}

enum rules_unit rules_unit(const struct rules_reader *reader, const char *collective)
{
    return strcmp(reader->library, "mpich") == 0 ? unit_of_mpich(collective)
                                                 : unit_of_openmpi(reader->version, collective);
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
