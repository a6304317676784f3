/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/libraries/listed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/fs.h"
#include "harness/base/memory.h"
#include "harness/base/subprocess.h"
#include "workloads/schedules/collectives.h"

/* "bcast binomial" */
static void take_line(const char *entry, const char *line, struct native_strangers *strangers)
{
    struct native_stranger s = { 0 };
    if (sscanf(line, "%31[a-z_] %63[A-Za-z0-9_-]", s.collective, s.name) != 2 ||
        !collective_has_schedules(s.collective) || native_find(entry, s.collective, s.name) ||
        native_stranger(strangers, entry, s.collective, s.name))
        return;
    snprintf(s.mpi, sizeof s.mpi, "%.63s", entry);
    struct native_stranger *added = array_add(&strangers->v, &strangers->n);
    *added = s;
}

void listed_strangers(const struct cluster *cluster, const char *entry, const char *build,
                      struct native_strangers *strangers)
{
    enum { MOST_TEXT = 65536 };
    char path[PATH_SIZE];
    if (!natives_of(entry) || !library_program(cluster, entry, build, path, sizeof path))
        return;
    struct installed found;
    struct argv args = { 0 };
    library_look(cluster, entry, build, &found);
    struct native_release *release = array_add(&strangers->releases, &strangers->n_releases);
    snprintf(release->mpi, sizeof release->mpi, "%.63s", entry);
    snprintf(release->version, sizeof release->version, "%s", found.version);
    argv_add(&args, "env");
    for (size_t i = 0; i < found.env.n; i++)
        argv_add(&args, "%s", found.env.v[i]);
    argv_add(&args, "%s", path);
    argv_add(&args, "--list-natives");
    char *text = memory_zeros(MOST_TEXT, 1), *rest = text, *line;
    if (run_capture((const char *const *)args.v, text, MOST_TEXT) == 0)
        while ((line = strsep(&rest, "\n")))
            take_line(entry, line, strangers);
    free(text);
    argv_free(&args);
    installed_free(&found);
}
