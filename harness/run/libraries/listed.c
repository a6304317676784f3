/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/libraries/listed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/fs.h"
#include "harness/base/memory.h"
#include "harness/base/run.h"
#include "workloads/schedules/collectives.h"

/* "bcast binomial" */
static void take_line(const char *library, const char *line, struct native_strangers *strangers)
{
    struct native_stranger s = { 0 };
    if (sscanf(line, "%31[a-z_] %63[A-Za-z0-9_-]", s.collective, s.name) != 2 ||
        !collective_has_schedules(s.collective) || native_find(library, s.collective, s.name) ||
        native_stranger(strangers, library, s.collective, s.name))
        return;
    snprintf(s.library, sizeof s.library, "%.15s", library);
    struct native_stranger *added = array_add(&strangers->v, &strangers->n);
    *added = s;
}

void listed_strangers(const struct library *library, const char *build,
                      struct native_strangers *strangers)
{
    enum { MOST_TEXT = 65536 };
    char path[PATH_SIZE];
    const char *const args[] = { path, "--list-natives", NULL };
    const int openmpi = strcmp(library->name, "openmpi") == 0;
    if (!natives_of(library->name) || !library_program(library, build, path, sizeof path))
        return;
    library_version(library, openmpi ? strangers->openmpi : strangers->mpich,
                    sizeof strangers->openmpi);
    char *text = memory_zeros(MOST_TEXT, 1), *rest = text, *line;
    if (run_capture(args, text, MOST_TEXT) == 0)
        while ((line = strsep(&rest, "\n")))
            take_line(library->name, line, strangers);
    free(text);
}
