/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/runnable.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/libraries/library.h"
#include "harness/run/libraries/launchers.h"
#include "harness/run/libraries/listed.h"
#include "harness/study/plan/build.h"

/* A library's launcher in the allocations of a plan, which must be known to work and to place all
 * of its launches as asked. */
static int check_launcher(const struct library *library, const struct cluster *cluster,
                          const struct plan *plan, struct err *err)
{
    const struct launcher *launcher = NULL;
    char version[64];
    for (size_t i = 0; i < plan->n_launches; i++) {
        if (strcmp(plan->launches[i].mpi, library->name) != 0)
            continue;
        if (!launcher) {
            library_version(library, version, sizeof version);
            launcher = library_launcher(library, version, 1, cluster, err);
        }
        if (!launcher || launcher_takes_shape(launcher, &plan->launches[i], cluster, err) < 0)
            return -1;
    }
    return 0;
}

static int check_launchers(const struct cluster *cluster, const struct backend *backend,
                           const struct plan *plan, struct err *err)
{
    for (const struct library *const *l = libraries; backend->queued && *l; l++)
        if (check_launcher(*l, cluster, plan, err) < 0)
            return -1;
    return 0;
}

/* plan_build, with what the libraries of the study list beyond our tables. */
static int build_plan(const struct cluster *cluster, const struct study *study,
                      const struct backend *backend, const char *build, FILE *chatter,
                      struct plan *plan, struct err *err)
{
    struct native_strangers strangers = { 0 };
    struct study with = *study;
    for (size_t i = 0; !backend->deterministic && i < study->mpi.n; i++)
        listed_strangers(library_find(study->mpi.v[i]), build, &strangers);
    for (size_t i = 0; chatter && i < strangers.n; i++)
        fprintf(chatter, "%s lists '%s' of its %s, which is not known here: native, no schedule\n",
                strangers.v[i].library, strangers.v[i].name, strangers.v[i].collective);
    with.strangers = &strangers;
    const int status = plan_build(cluster, &with, backend->name, plan, err);
    free(strangers.v);
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
    for (const struct library *const *l = libraries; *l; l++) {
        size_t before = plan->n_launches;
        char reason[REASON_SIZE];
        if (library_ready(*l, build, reason))
            continue;
        plan_leave_out(plan, (*l)->name, reason);
        if (plan->n_launches == before)
            continue;
        memcpy(why, reason, sizeof why);
        if (chatter && plan->n_launches)
            fprintf(chatter, "without %s: %s\n", (*l)->name, reason);
    }
    if (!plan->n_launches)
        err_set(err, "%s", why);
    else if (check_launchers(cluster, backend, plan, err) == 0)
        return 0;
    plan_free(plan);
    return -1;
}

/* ---- is it worth it ---- */

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
    size_t i = 0;
    while (i < plan->n && !is_of_study(study, &plan->points[i]))
        i++;
    if (i == plan->n && plan->n && study->portable.n == 0 && !backend->here && !backend->queued)
        return err_usage(err,
                         "%s: backend %s runs no algorithm of a library's, and the study has no "
                         "other on '%s' (want portable ones, or a backend with an MPI library)",
                         study->path, backend->name, cluster->name);
    if (i == plan->n)
        return err_usage(
            err,
            "%s: no cell of the grid fits '%s'%s%s (want some that do, as in a section [on "
            "%s]%s)",
            study->path, cluster->name, plan->n_skipped ? ": " : "",
            plan->n_skipped ? plan->skipped[0].reason : "", cluster->name,
            dry ? "" : "; plan --dry-run shows the rest");
    return backend->here ? check_here(plan, cluster, study, err) : 0;
}
