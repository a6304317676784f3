/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of backends, and which one a study gets where nobody says (backend.h). */
#include "harness/run/backends/backend.h"

#include "harness/base/subprocess.h"

const struct backend backend_local = { .name = "local",
                                       .help = "mpirun on this machine",
                                       .here = 1 };

/* Each launch is a task of a job array, and in its allocation `collsel task` starts and watches the
 * MPI job (harness/run/slurm/). */
const struct backend backend_slurm = {
    .name = "slurm",
    .help = "Slurm job arrays, on a real or an emulated cluster",
    .queued = 1,
};

static int walk_check(const struct cluster *cluster, struct err *err)
{
    return backend_sim.check(cluster, err);
}

/* analysis/walk/replay.h; it wants of a cluster file what a simulation wants. */
const struct backend backend_walk = {
    .name = "walk",
    .help = "the platform of a simulation, walked without the simulator",
    .deterministic = 1,
    .parallel = 1,
    .check = walk_check,
};

/* What was measured comes home as an archive, too (harness/run/sweep/pack.h, kit_results.h). */
const struct backend backend_kit = {
    .name = "kit",
    .help = "another machine, by an archive: collsel measure pack, then collsel measure collect "
            "ARCHIVE",
    .queued = 1,
};

/* It sends nothing, so launches may run side by side. */
const struct backend backend_null = {
    .name = "null",
    .help = "planted times of a workload without MPI (tests)",
    .parallel = 1,
};

const struct backend *const backends[] = {
    &backend_local, &backend_slurm, &backend_sim, &backend_walk, &backend_kit, &backend_null, NULL
};

const struct backend *backend_find(const char *name)
{
    return named_row(backends, name);
}

enum served { NOT_SERVED, SERVED, MUTE };

/* Does sinfo list the partition? Where Slurm is configured but does not answer it may: to simulate
 * then, among the results of the real cluster, would be worse than an error. */
static enum served slurm_serves(const char *partition)
{
    enum { KILLED_BY_ALARM = 128 + 14 };
    char out[4096];
    const char *const args[] = { "sinfo", "-h", "-a", "-o", "%R", "-p", partition, NULL };
    int status = *partition ? run_capture(args, out, sizeof out) : -1;
    if (status < 0)
        return NOT_SERVED;
    if (status == KILLED_BY_ALARM || strstr(out, "Unable to contact slurm controller") ||
        strstr(out, "slurm_load_partitions"))
        return MUTE;
    out[strcspn(out, "\r\n")] = '\0';
    return status == 0 && strcmp(out, partition) == 0 ? SERVED : NOT_SERVED;
}

const char *backend_label(const struct backend *backend, const struct cluster *cluster)
{
    return backend->queued && cluster->emulated ? "emulated" : backend->name;
}

int backend_starts(const struct backend *backend, struct err *err)
{
    return backend == &backend_kit
               ? err_usage(err, "backend kit is measured elsewhere (want: collsel "
                                "measure pack, and collsel measure collect ARCHIVE)")
               : 0;
}

int backend_crowded(const struct backend *backend, const struct cluster *cluster,
                    const struct launch *launch, int cores)
{
    const int node = cluster_node_cores(cluster);
    if (backend->queued && !cluster->emulated)
        return launch->ppn > node;
    if (backend->here && node < cores) /* hardware threads are no cores to be bound to */
        return launch->procs > node;
    return (backend->here || backend->queued) && launch->procs > cores;
}

static const struct backend *choose_auto(const struct cluster *cluster, char *why)
{
    if (cluster_is_here(cluster)) {
        snprintf(why, WHY_SIZE, "backend local: the cluster is this machine");
        return &backend_local;
    }
    if (cluster->emulated) {
        snprintf(why, WHY_SIZE, "backend slurm: '%.60s' is emulated on this machine (testbed)",
                 cluster->name);
        return &backend_slurm;
    }
    const enum served served = slurm_serves(cluster->partition);
    if (served != NOT_SERVED) {
        snprintf(why, WHY_SIZE, "backend slurm: Slurm %s partition '%s' here",
                 served == MUTE ? "does not answer, but may serve" : "serves", cluster->partition);
        return &backend_slurm;
    }
    if (*cluster->partition)
        snprintf(why, WHY_SIZE, "backend sim: no Slurm serves partition '%s' here",
                 cluster->partition);
    else
        snprintf(why, WHY_SIZE, "backend sim: '%.60s' names no Slurm partition, so it is simulated",
                 cluster->name);
    return &backend_sim;
}

const struct backend *backend_choose(const char *name, const struct cluster *cluster, char *why,
                                     struct err *err)
{
    if (strcmp(name, "auto") == 0)
        return choose_auto(cluster, why);
    const struct backend *b = backend_find(name);
    if (!b)
        err_usage(err, "'%s' is not a backend (want auto, local, slurm, sim, walk, kit or null)",
                  name);
    else
        snprintf(why, WHY_SIZE, "backend %s: as requested", name);
    return b;
}
