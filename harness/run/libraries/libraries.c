/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of MPI libraries as things that can be started (library.h). */
#include "harness/run/libraries/library.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/base/run.h"
#include "harness/run/libraries/launchers.h"

const struct library *const libraries[] = {
    &library_openmpi, &library_mpich, &library_smpi, &library_walk, &library_null, NULL,
};

const struct library *library_find(const char *name)
{
    for (const struct library *const *l = libraries; *l; l++)
        if (strcmp((*l)->name, name) == 0)
            return *l;
    return NULL;
}

const struct launcher *library_launcher(const struct library *library, const char *version,
                                        int queued, const struct cluster *cluster, struct err *err)
{
    return launcher_find(library->name, version, queued ? cluster->launcher : "local", cluster,
                         err);
}

int library_program(const struct library *library, const char *build, char *path, size_t size)
{
    return fs_path(path, size, NULL, "%s/%s", build, library->program) == 0 &&
           access(path, X_OK) == 0;
}

int library_splits(const char *path)
{
    return path[strcspn(path, " \t\n:")] != '\0';
}

int library_ready(const struct library *library, const char *build, char *why)
{
    char path[PATH_SIZE];
    if (library->launcher && library_splits(build)) {
        snprintf(why, REASON_SIZE,
                 "'%.70s': LD_PRELOAD and launchers split it at the blank or colon (want: --build "
                 "another path)",
                 build);
        return 0;
    }
    if (library->launcher && !run_find(library->launcher, NULL, 0)) {
        snprintf(why, REASON_SIZE, "'%.40s' is not installed (want: make setup)",
                 library->launcher);
        return 0;
    }
    if (!library_program(library, build, path, sizeof path)) {
        snprintf(why, REASON_SIZE, "the measuring program '%.80s' is not there (want: make)", path);
        return 0;
    }
    why[0] = '\0';
    return 1;
}

/* The first word of text that looks like 4.1.4 or 3.32. */
static int find_version(const char *text, char *buf, size_t size)
{
    for (const char *p = text; *p; p++) {
        size_t n = strspn(p, "0123456789.");
        int at_start = p == text || !isalnum((unsigned char)p[-1]);
        if (n >= 3 && at_start && isdigit((unsigned char)*p) && memchr(p, '.', n)) {
            while (n && p[n - 1] == '.')
                n--;
            snprintf(buf, size, "%.*s", (int)n, p);
            return 1;
        }
        p += n ? n - 1 : 0;
    }
    return 0;
}

void library_version(const struct library *library, char *buf, size_t size)
{
    char out[4096];
    snprintf(buf, size, "unknown");
    if (library->version_args && run_capture(library->version_args, out, sizeof out) == 0)
        find_version(out, buf, size);
}
