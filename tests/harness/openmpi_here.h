/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi_here.h - who reads files of rules as the Open MPI that is installed here. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "harness/base/number.h"
#include "harness/base/subprocess.h"
#include "harness/rules/rules.h"

/* component: "han", or NULL, tuned's. NULL: no Open MPI here, or one that nobody has read. */
static inline const struct rules_reader *openmpi_here(const char *component)
{
    char out[4096], version[32] = "";
    const char *at;
    if (run_capture((const char *const[]){ "mpirun.openmpi", "--version", NULL }, out,
                    sizeof out) == 0 &&
        (at = strchr(out, ')'))) /* "mpirun (Open MPI) 5.0.7", "(OpenRTE) 4.1.4" */
        snprintf(version, sizeof version, "%.*s", (int)strcspn(at + 2, " \n"), at + 2);
    for (const struct rules_reader *const *r = rules_readers; *version && *r; r++)
        if (strcmp((*r)->library, "openmpi") == 0 &&
            strcmp((*r)->component ? (*r)->component : "", component ? component : "") == 0 &&
            version_within(version, (*r)->from, (*r)->below))
            return *r;
    return NULL;
}
