/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/rules/rule_units.h"

enum rules_unit rules_unit(const struct rules_reader *reader, const char *collective)
{
    const struct collective *c = collective_of(collective);
    if (strcmp(reader->library, "mpich") == 0)
        return c->unit.mpich;
    return version_within(reader->version, NULL, "4.1") ? c->unit.openmpi40 : c->unit.openmpi;
}

const char *rules_unit_words(enum rules_unit unit)
{
    static const char *const words[] = { "nothing: always 0", "bytes of the message",
                                         "bytes x processes", "bytes of an element x processes" };
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
