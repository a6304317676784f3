/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/runnable.h"

#include <unistd.h>

#include "harness/base/subprocess.h"
#include "harness/run/libraries/launchers.h"
#include "harness/study/plan/plan_build.h"
#include "workloads/schedules/collectives.h"

/* "COLLECTIVE ALGORITHM" */
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

/* Adds to *strangers (zeroed by the caller, native_strangers_free) the algorithms that an
 * entry's library lists and our table lacks, and its release. A library that is missing, lists
 * nothing or cannot be queried adds nothing. build: directory of the measuring programs. */
static void listed_strangers(const struct cluster *cluster, const char *entry, const char *build,
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

enum { MOST_ENTRIES = 64 };

/* The MPI entries of a plan, each once. */
static size_t entries_of(const struct plan *plan, char names[MOST_ENTRIES][MPI_WORD])
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_launches; i++) {
        const size_t k = first_below(j, n, strcmp(names[j], plan->launches[i].mpi) == 0);
        if (k == n && n < MOST_ENTRIES)
            snprintf(names[n++], MPI_WORD, "%s", plan->launches[i].mpi);
    }
    return n;
}

/* An entry's launcher in the allocations of a plan, which must be known to work and to place all
 * of its launches as asked. */
static int check_launcher(const char *entry, const char *build, const struct cluster *cluster,
                          const struct plan *plan, struct err *err)
{
    char version[64];
    library_version(cluster, entry, build, version, sizeof version);
    const struct launcher *launcher =
        library_launcher(library_of(cluster, entry), version, 1, cluster, err);
    for (size_t i = 0; i < plan->n_launches; i++)
        if (strcmp(plan->launches[i].mpi, entry) == 0 &&
            (!launcher || launcher_takes_shape(launcher, &plan->launches[i], cluster, err) < 0))
            return -1;
    return 0;
}

static int check_launchers(const struct cluster *cluster, const struct backend *backend,
                           const char *build, const struct plan *plan, struct err *err)
{
    char names[MOST_ENTRIES][MPI_WORD];
    const size_t n = backend->queued ? entries_of(plan, names) : 0;
    for (size_t i = 0; i < n; i++)
        if (check_launcher(names[i], build, cluster, plan, err) < 0)
            return -1;
    return 0;
}

/* What a library lists beyond our tables is wanted beside algorithms of it alone, and to ask takes
 * a start of it. */
static int names_natives(const struct study *study, const char *entry)
{
    return (mpi_is(entry, "openmpi") && study->openmpi.n) ||
           (mpi_is(entry, "mpich") && study->mpich.n);
}

/* plan_build, with what the libraries of the study list beyond our tables. */
static int build_plan(const struct cluster *cluster, const struct study *study,
                      const struct backend *backend, const char *build, FILE *chatter,
                      struct plan *plan, struct err *err)
{
    struct native_strangers strangers = { 0 };
    struct study with = *study;
    for (size_t i = 0; !backend->deterministic && i < study->mpi.n; i++)
        if (names_natives(study, study->mpi.v[i]))
            listed_strangers(cluster, study->mpi.v[i], build, &strangers);
    for (size_t i = 0; chatter && !backend->deterministic && i < study->mpi.n; i++)
        if (library_of(cluster, study->mpi.v[i]) == &library_other)
            fprintf(chatter,
                    "%s is measured by its default and portable schedules: nobody here has read "
                    "its library\n",
                    study->mpi.v[i]);
    for (size_t i = 0; chatter && i < strangers.n; i++)
        fprintf(chatter, "%s lists '%s' of its %s, which is not known here: native, no schedule\n",
                strangers.v[i].mpi, strangers.v[i].name, strangers.v[i].collective);
    with.strangers = &strangers;
    const int status = plan_build(cluster, &with, backend->name, plan, err);
    if (status == 0) {
        plan->releases = strangers.releases;
        plan->n_releases = strangers.n_releases;
        strangers.releases = NULL;
    }
    native_strangers_free(&strangers);
    return status;
}

int runnable_plan(const struct cluster *cluster, const struct study *study,
                  const struct backend *backend, const char *build, FILE *chatter,
                  struct plan *plan, struct err *err)
{
    char why[REASON_SIZE] = "";
    if (backend->check && backend->check(cluster, err) < 0)
        return -1;
    if (build_plan(cluster, study, backend, build, chatter, plan, err) < 0)
        return -1;
    char names[MOST_ENTRIES][MPI_WORD];
    const size_t n = entries_of(plan, names);
    for (size_t i = 0; i < n; i++) {
        char reason[REASON_SIZE];
        if (library_ready(cluster, names[i], build, reason))
            continue;
        plan_leave_out(plan, names[i], reason);
        memcpy(why, reason, sizeof why);
        if (chatter && plan->n_launches)
            fprintf(chatter, "without %s: %s\n", names[i], reason);
    }
    if (!plan->n_launches)
        err_set(err, "%s", why);
    else if (check_launchers(cluster, backend, build, plan, err) == 0)
        return 0;
    plan_free(plan);
    return -1;
}

static int check_here(const struct plan *plan, const struct cluster *cluster,
                      const struct study *study, struct err *err)
{
    const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t i = 0; i < plan->n_launches; i++) {
        const struct launch *l = &plan->launches[i];
        if (l->nodes > 1)
            return err_usage(err,
                             "%s: launch '%s' has %d nodes, and backend local has this machine "
                             "alone (want --cluster local, or --backend sim)",
                             cluster->path, l->name, l->nodes);
        if (l->procs > cores && study->oversubscribe == 1)
            return err_usage(err,
                             "%s: launch '%s' has %d ranks, and this machine has %d cores (want "
                             "--cluster local, --backend sim, or oversubscribe in the study)",
                             cluster->path, l->name, l->procs, cores);
    }
    return 0;
}

/* What a study wants; one that names no algorithms wants the default alone. */
static int is_of_study(const struct study *study, const struct point *point)
{
    const size_t named = study->portable.n + study->openmpi.n + study->mpich.n;
    return point->purpose == FOR_STUDY || (!named && point->purpose == FOR_DEFAULT);
}

int runnable_check(const struct plan *plan, const struct cluster *cluster,
                   const struct study *study, const struct backend *backend, int dry,
                   struct err *err)
{
    const size_t i = first_below(k, plan->n, is_of_study(study, &plan->points[k]));
    if (i == plan->n && plan->n && study->portable.n == 0 && !backend->here && !backend->queued)
        return err_usage(err,
                         "%s: add --backend local or slurm, or key 'portable': backend %s runs no "
                         "algorithm of a library's, and the study has no other on '%s'",
                         study->path, backend->name, cluster->name);
    if (i == plan->n)
        return err_usage(
            err,
            "%s: no cell of the grid fits '%s'%s%s (want some that do, as in a section [on %s]%s)",
            study->path, cluster->name, plan->n_skipped ? ": " : "",
            plan->n_skipped ? plan->skipped[0].reason : "", cluster->name,
            dry ? "" : "; measure --dry-run shows the rest");
    return backend->here ? check_here(plan, cluster, study, err) : 0;
}
