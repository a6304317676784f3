/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/libraries/natives.h"

#include <string.h>

#include "harness/base/number.h"

const struct native *natives_of(const char *library)
{
    static const struct {
        const char *library;
        const struct native *natives;
    } tables[] = { { "openmpi", natives_openmpi }, { "mpich", natives_mpich } };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].library, library) == 0)
            return tables[i].natives;
    return NULL;
}

const struct native *native_find(const char *library, const char *collective, const char *name)
{
    for (const struct native *a = natives_of(library); a && a->name; a++)
        if (strcmp(a->collective, collective) == 0 && strcmp(a->name, name) == 0)
            return a;
    return NULL;
}

const char *native_by_id(const char *library, const char *version, const char *collective, int id)
{
    for (const struct native *a = natives_of(library); a && a->name; a++) {
        if (!a->id || strcmp(a->collective, collective) != 0)
            continue;
        if (id == 0)
            return "default";
        if (a->id == id && version_within(version, a->from, a->below))
            return a->name;
    }
    return NULL;
}
