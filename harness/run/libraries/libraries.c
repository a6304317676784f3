/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of MPI libraries as things that can be started (mpi_library.h). */
#include "harness/run/libraries/mpi_library.h"

#include <unistd.h>

#include "harness/base/subprocess.h"
#include "harness/run/libraries/built.h"
#include "harness/run/libraries/launchers.h"

static void by_launcher(const struct job *job, struct argv *args, struct argv *env)
{
    launcher_command(job->launcher, job, args, env);
}

/* The measuring program walks schedules on the cluster file's platform (harness/walk.c). */
static void by_walk(const struct job *job, struct argv *args, struct argv *env)
{
    (void)env;
    argv_add(args, "%s", job->program);
    argv_add(args, "%s", job->cluster->path);
    argv_add(args, "%d", job->launch->procs);
}

static void by_itself(const struct job *job, struct argv *args, struct argv *env)
{
    (void)env;
    argv_add(args, "%s", job->program);
}

/* The component for messages within a node is vader up to 4, sm from 5 on. */
static const char *const openmpi_shares[] = { "OMPI_MCA_btl_vader_backing_directory",
                                              "OMPI_MCA_btl_sm_backing_directory", "UCX_POSIX_DIR",
                                              NULL };
static const char *const ucx_shares[] = { "UCX_POSIX_DIR", NULL };

static const struct library library_openmpi = {
    .name = "openmpi", .has_entries = 1, .shares = openmpi_shares, .command = by_launcher
};
static const struct library library_mpich = {
    .name = "mpich", .has_entries = 1, .shares = ucx_shares, .command = by_launcher
};

/* Started by its launcher with nothing but a number of ranks, it runs its default and portable
 * schedules. */
const struct library library_other = {
    .name = "other", .has_entries = 1, .shares = ucx_shares, .command = by_launcher
};
static const struct library library_walk = { .name = "walk", .command = by_walk };
static const struct library library_null = { .name = "null", .for_tests = 1, .command = by_itself };

const struct library *const libraries[] = {
    &library_openmpi, &library_mpich, &library_other, &library_smpi,
    &library_walk,    &library_null,  NULL,
};

const struct library *library_find(const char *entry)
{
    for (const struct library *const *l = libraries; *l; l++)
        if (mpi_is(entry, (*l)->name))
            return *l;
    return NULL;
}

const struct library *library_of(const struct cluster *cluster, const char *entry)
{
    const struct library *l = library_find(entry);
    return l ? l : cluster && mpi_entries_find(&cluster->mpis, entry) ? &library_other : NULL;
}

const struct launcher *library_launcher(const struct library *library, const char *version,
                                        int queued, const struct cluster *cluster, struct err *err)
{
    return launcher_find(library->name, version, queued ? cluster->launcher : "local", cluster,
                         err);
}

int library_program(const struct cluster *cluster, const char *entry, const char *build, char *path,
                    size_t size)
{
    char dir[PATH_SIZE];
    installed_dir(cluster ? &cluster->mpis : NULL, entry, build, dir, sizeof dir);
    return fs_path(path, size, NULL, "%s/measure", dir) == 0 && access(path, X_OK) == 0;
}

int library_splits(const char *path)
{
    return path[strcspn(path, " \t\n:")] != '\0';
}

void library_look(const struct cluster *cluster, const char *entry, const char *build,
                  struct installed *found)
{
    char out[4096];
    const struct library *l = library_of(cluster, entry);
    if (l && l->has_entries) {
        installed_look(cluster ? &cluster->mpis : NULL, entry, build, found);
        return;
    }
    *found = (struct installed){ .version = "unknown" };
    snprintf(found->entry, sizeof found->entry, "%.63s", entry);
    if (l && l->launcher)
        snprintf(found->mpirun, sizeof found->mpirun, "%s", l->launcher);
    if (!l)
        snprintf(found->why, sizeof found->why,
                 "name it in a section [mpi %.60s] of the cluster file: no such MPI is known",
                 entry);
    else if (l->launcher && !run_find(l->launcher, NULL, 0))
        snprintf(found->why, sizeof found->why, "'%.40s' is not installed (want: make setup)",
                 l->launcher);
    if (l && l->version_args && run_capture(l->version_args, out, sizeof out) == 0)
        installed_version(out, found->version, sizeof found->version);
}

int library_ready(const struct cluster *cluster, const char *entry, const char *build, char *why)
{
    char path[PATH_SIZE];
    const struct library *l = library_of(cluster, entry);
    struct installed found;
    library_look(cluster, entry, build, &found);
    why[0] = '\0';
    if (*found.mpirun && library_splits(build))
        snprintf(why, REASON_SIZE,
                 "'%.70s': LD_PRELOAD and launchers split it at the blank or colon (want: --build "
                 "another path)",
                 build);
    else if (*found.why)
        snprintf(why, REASON_SIZE, "%.*s", REASON_SIZE - 1, found.why);
    else if (l && l->has_entries)
        built_is_ready(&found, why);
    else if (!library_program(cluster, entry, build, path, sizeof path))
        snprintf(why, REASON_SIZE, "the measuring program '%.80s' is not there (want: make)", path);
    installed_free(&found);
    return !*why;
}

void library_version(const struct cluster *cluster, const char *entry, const char *build, char *buf,
                     size_t size)
{
    struct installed found;
    library_look(cluster, entry, build, &found);
    snprintf(buf, size, "%s", found.version);
    installed_free(&found);
}
