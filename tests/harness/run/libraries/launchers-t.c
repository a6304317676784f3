/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of launchers: what is started here is word for word what it always was (the digest of
 * all local measurements rests on it), what is started in an allocation, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/run/backends/backend.h"
#include "harness/run/libraries/launchers.h"
#include "harness/run/libraries/mpi_library.h"
#include "harness/run/libraries/pmi.h"
#include "tests/tap.h"

static const char *const mappings[] = { "core", "socket", "node" };

struct vector {
    const char *library, *mapping;
    int crowded;
    const char *command;
};

#define TUNED " --mca coll_tuned_use_dynamic_rules 1 PROGRAM"
#define OPENMPI_CROWDED                                                                            \
    "mpirun.openmpi -np 2 --map-by slot:OVERSUBSCRIBE --bind-to none --mca mpi_yield_when_idle "   \
    "1" TUNED

/* As printed by the code before there was a table, but for components: none is left out. */
static const struct vector local[] = {
    { "openmpi", "core", 0, "mpirun.openmpi -np 2 --map-by core --bind-to core" TUNED },
    { "openmpi", "socket", 0, "mpirun.openmpi -np 2 --map-by socket --bind-to core" TUNED },
    { "openmpi", "node", 0, "mpirun.openmpi -np 2 --map-by node --bind-to core" TUNED },
    { "openmpi", "core", 1, OPENMPI_CROWDED },
    { "openmpi", "socket", 1, OPENMPI_CROWDED },
    { "openmpi", "node", 1, OPENMPI_CROWDED },
    { "mpich", "core", 0, "mpirun.mpich -np 2 -bind-to core -map-by core PROGRAM" },
    { "mpich", "socket", 0, "mpirun.mpich -np 2 -bind-to core -map-by socket PROGRAM" },
    /* it was "-map-by node", which hydra refuses: nothing was ever measured by that */
    { "mpich", "node", 0, "mpirun.mpich -np 2 -bind-to core -map-by core PROGRAM" },
    { "mpich", "core", 1, "mpirun.mpich -np 2 -bind-to none PROGRAM" },
    { "mpich", "socket", 1, "mpirun.mpich -np 2 -bind-to none PROGRAM" },
    { "mpich", "node", 1, "mpirun.mpich -np 2 -bind-to none PROGRAM" },
    { "null", "core", 0, "PROGRAM" },
    { "null", "node", 1, "PROGRAM" },
};

/* The words of a job, and of its environment. */
static char *command(const struct library *library, const struct launcher *launcher,
                     const struct cluster *cluster, const struct vector *v, int nodes,
                     char **variables)
{
    struct launch launch = { .nodes = nodes, .ppn = 2, .procs = 2 * nodes };
    struct job job = { .launch = &launch,
                       .cluster = cluster,
                       .program = "PROGRAM",
                       .build = "BUILD",
                       .launcher = launcher,
                       .crowded = v->crowded };
    struct argv args = { 0 }, env = { 0 };
    snprintf(launch.mapping, sizeof launch.mapping, "%s", v->mapping);
    library->command(&job, &args, &env);
    char *text = argv_text(&args);
    *variables = argv_text(&env);
    argv_free(&args);
    argv_free(&env);
    return text;
}

static void check_local(void)
{
    const struct cluster cluster = { .nodes = 1, .launcher = "auto", .path = "local.ini" };
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++) {
        const struct vector *v = &local[i];
        const struct library *l = library_find(v->library);
        char *env, *text = command(l, library_launcher(l, "unknown", 0, &cluster, NULL), &cluster,
                                   v, 1, &env);
        is_str(v->command, text, "%s, %s, %s: as it always was", v->library, v->mapping,
               v->crowded ? "crowded" : "with a core for each");
        if (strcmp(v->library, "mpich") == 0)
            is_str("", env, "nothing is set in its environment");
        else if (strcmp(v->library, "openmpi") == 0)
            is_str(geteuid() ? "" : "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                   env, "its environment too");
        free(text);
        free(env);
    }
}

struct expected {
    const char *library, *version, *asked;
    int emulated;
    const char *name; /* NULL: refused */
    const char *part; /* of what it is, or of the refusal */
};

static const struct expected choices[] = {
    { "openmpi", "4.1.4", "auto", 0, "mpirun", "mpirun" },
    { "openmpi", "4.1.4", "auto", 1, "mpirun", "mpirun" },
    { "openmpi", "4.1", "srun", 0, "srun", "--mpi=pmix" },
    { "openmpi", "4.1.4", "srun", 1, NULL, "does not work for openmpi 4.1.4 on an emulated" },
    { "openmpi", "5.0.3", "auto", 0, "mpirun", "mpirun" },
    { "openmpi", "5.0.7", "srun", 1, "srun", "--mpi=pmix" },
    { "openmpi", "3.1.6", "auto", 0, NULL, "no way is known to start openmpi 3.1.6" },
    { "openmpi", "unknown", "auto", 0, "mpirun", "mpirun" },
    { "mpich", "4.0.2", "auto", 0, "mpirun", "hydra" },
    { "mpich", "4.0.2", "auto", 1, "mpirun", "hydra" },
    { "mpich", "4.0.2", "srun", 1, "srun", "--mpi=pmi2" },
    { "mpich", "3.4.1", "auto", 0, NULL, "no way is known" },
    { "null", "unknown", "auto", 1, "local", "itself" },
};

static void check_choices(void)
{
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const struct expected *w = &choices[i];
        struct cluster cluster = { .emulated = w->emulated, .path = "some.ini" };
        struct err err = { 0 };
        snprintf(cluster.launcher, sizeof cluster.launcher, "%s", w->asked);
        const struct launcher *l =
            library_launcher(library_find(w->library), w->version, 1, &cluster, &err);
        is_str(w->name, l ? l->name : NULL, "%s %s, '%s', %s nodes", w->library, w->version,
               w->asked, w->emulated ? "emulated" : "real");
        has_str(w->part, l ? l->what : err.text, "by what, or why not");
        if (!l)
            has_str("some.ini: launcher: ", err.text, "names the cluster file and the key");
    }
}

struct slurm_vector {
    struct vector v;
    const char *version, *asked;
    int emulated;
    const char *interface;
    const char *env; /* a part of it */
};

static const struct slurm_vector slurm[] = {
    { { "openmpi", "socket", 0, "mpirun.openmpi -np 8 --map-by socket --bind-to core" TUNED },
      "4.1.4",
      "auto",
      0,
      "",
      "SLURM_TASKS_PER_NODE=2(x4)" },
    { { "openmpi", "node", 0,
        "mpirun.openmpi -np 8 --map-by node:OVERSUBSCRIBE --bind-to none --mca mpi_yield_when_idle "
        "1 --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include "
        "eth0" TUNED },
      "4.1.4",
      "auto",
      1,
      "eth0",
      "SLURM_TASKS_PER_NODE=2(x4)" },
    { { "mpich", "socket", 0,
        "srun --mpi=pmi2 --nodes=4 --ntasks=8 --ntasks-per-node=2 --kill-on-bad-exit=1 "
        "--ntasks-per-core=1 --distribution=block:cyclic --cpu-bind=cores PROGRAM" },
      "4.0.2",
      "srun",
      0,
      "ib0",
      "UCX_NET_DEVICES=ib0" },
    { { "mpich", "node", 0,
        "srun --mpi=pmi2 --nodes=4 --ntasks=8 --ntasks-per-node=2 --kill-on-bad-exit=1 "
        "--overcommit "
        "--distribution=cyclic:block --cpu-bind=none PROGRAM" },
      "4.0.2",
      "srun",
      1,
      "",
      "UCX_TLS=tcp,self" },
    { { "mpich", "node", 1, "mpirun.mpich -np 8 -ppn 1 -bind-to none -iface eth0 PROGRAM" },
      "4.0.2",
      "mpirun",
      1,
      "eth0",
      "SLURM_TASKS_PER_NODE=2(x4)" },
    { { "openmpi", "core", 0,
        "srun --mpi=pmix --nodes=4 --ntasks=8 --ntasks-per-node=2 --kill-on-bad-exit=1 "
        "--ntasks-per-core=1 --distribution=block:block --cpu-bind=cores env "
        "OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
        "PROGRAM" },
      "5.0.1",
      "srun",
      0,
      "eth0",
      "OMPI_MCA_btl_tcp_if_include=eth0" },
};

static void check_slurm(void)
{
    for (size_t i = 0; i < sizeof slurm / sizeof slurm[0]; i++) {
        const struct slurm_vector *w = &slurm[i];
        const struct library *l = library_find(w->v.library);
        struct cluster cluster = { .nodes = 4, .emulated = w->emulated, .path = "some.ini" };
        snprintf(cluster.launcher, sizeof cluster.launcher, "%s", w->asked);
        snprintf(cluster.interface, sizeof cluster.interface, "%s", w->interface);
        char *env, *text = command(l, library_launcher(l, w->version, 1, &cluster, NULL), &cluster,
                                   &w->v, 4, &env);
        is_str(w->v.command, text, "%s %s in an allocation", w->v.library, w->v.mapping);
        has_str(w->env, env, "its environment");
        free(text);
        free(env);
    }
}

/* srun can only fill nodes wholly, or deal ranks round robin. */
static void check_shapes(void)
{
    static const struct {
        const char *launcher, *mapping;
        int procs, wanted;
    } rows[] = {
        { "srun", "core", 8, 0 }, { "srun", "core", 7, -1 },  { "srun", "socket", 7, -1 },
        { "srun", "node", 7, 0 }, { "mpirun", "core", 7, 0 }, { "mpirun", "socket", 5, 0 }
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct cluster cluster = { .path = "some.ini" };
        struct launch l = { .nodes = 4, .ppn = 2, .procs = rows[i].procs };
        struct err err = { 0 };
        snprintf(l.mapping, sizeof l.mapping, "%s", rows[i].mapping);
        const struct launcher *by =
            launcher_find("mpich", "4.0.2", rows[i].launcher, &cluster, NULL);
        is_int(rows[i].wanted, launcher_takes_shape(by, &l, &cluster, &err), "%s, %s, %d on 4 x 2",
               rows[i].launcher, rows[i].mapping, rows[i].procs);
        if (rows[i].wanted)
            has_str("some.ini: launcher: 'srun' cannot give 7 ranks on 4 nodes 2 each", err.text,
                    "says why");
    }
}

/* Two cores of two threads each have room for two ranks that are bound, not for four. */
static void check_crowded(void)
{
    const struct cluster threads = { .nodes = 1, .sockets = 1, .cores = 2, .threads = 2 };
    const struct cluster large = { .nodes = 9, .sockets = 2, .cores = 8, .threads = 1 };
    const struct cluster emulated = { .nodes = 9, .sockets = 1, .cores = 1, .emulated = 1 };
    const struct launch two = { .nodes = 1, .ppn = 2, .procs = 2 };
    const struct launch three = { .nodes = 1, .ppn = 3, .procs = 3 };
    const struct launch nine = { .nodes = 9, .ppn = 1, .procs = 9 };
    is_int(0, backend_crowded(&backend_local, &threads, &two, 4), "a core for each of two");
    is_int(1, backend_crowded(&backend_local, &threads, &three, 4), "not for three");
    is_int(1, backend_crowded(&backend_local, &large, &three, 2),
           "nor here, as large as it may be");
    is_int(0, backend_crowded(&backend_slurm, &large, &nine, 2), "on nodes of its own there is");
    is_int(1, backend_crowded(&backend_slurm, &emulated, &nine, 2), "on emulated ones not");
    ok(launcher_binds(&large, 0) && !launcher_binds(&large, 1) && !launcher_binds(&emulated, 0),
       "bound where there is room, and never on emulated nodes");
}

static void check_list(const char *path, const char *family, int wanted, const char *name)
{
    char chosen[PMI_NAME], known[PMI_LIST];
    char *text = fs_read(path, NULL, NULL);
    if (!ok(text != NULL, "%s is read", path))
        return;
    is_int(wanted, pmi_choose(text, family, chosen, known), "%s has %s or not: %s", path, family,
           known);
    is_str(name, chosen, "by this name");
    free(text);
}

/* What srun of several releases lists, and what a launch is refused for. */
static void check_pmi(void)
{
    static const struct {
        const char *text, *family;
        int wanted;
        const char *name, *known;
    } rows[] = {
        { "MPI plugin types are...\n\tpmix_v3\n\tpmix_v10\n\tpmix_v4\n\tnone\n", "pmix", 1,
          "pmix_v10", "pmix_v3, pmix_v10, pmix_v4, none" },
        { "srun: MPI types are...\nsrun: pmix_v3\n", "pmix", 1, "pmix_v3", "pmix_v3" },
        { "MPI plugin types are...\n\tpmix2\n\tpmix_vx\n", "pmix", 0, "pmix", "pmix2, pmix_vx" },
        { "MPI plugin types are...\n", "pmix", 0, "pmix", "" },
        { "srun: fatal: Could not establish a configuration source\n", "pmix", -1, "pmix", "" },
        { "", "pmi2", -1, "pmi2", "" },
    };
    const struct cluster cluster = { .launcher = "srun", .path = "some.ini" };
    struct err err = { 0 };
    check_list("tests/fake/slurm/captured/srun-mpi-22.05.8.txt", "pmix", 1, "pmix");
    check_list("tests/fake/slurm/captured/24.11.5/srun-mpi.txt", "pmix", 1, "pmix");
    check_list("tests/fake/slurm/captured/26.05.5/srun-mpi.txt", "pmix", 0, "pmix");
    check_list("tests/fake/slurm/captured/26.05.5/srun-mpi.txt", "pmi2", 1, "pmi2");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[PMI_NAME], known[PMI_LIST];
        is_int(rows[i].wanted, pmi_choose(rows[i].text, rows[i].family, name, known), "row %zu", i);
        is_str(rows[i].name, name, "its name");
        is_str(rows[i].known, known, "what is listed");
    }
    setenv("MPI_TYPES", "none pmi2", 1);
    ok(!launcher_find("openmpi", "5.0.7", "srun", &cluster, &err), "an srun without pmix");
    is_str("some.ini: launcher: srun has no pmix here, by which openmpi 5.0.7 is started (srun "
           "--mpi=list: none, pmi2; want launcher = mpirun)",
           err.text, "is refused before anything is started, with what it has");
    ok(launcher_find("mpich", "4.0.2", "srun", &cluster, &err) != NULL, "but not MPICH, by pmi2");
    unsetenv("MPI_TYPES");
}

/* What every row must have, and rows of one library and launcher must not share a version. */
static void check_rows(void)
{
    for (const struct launcher *l = launchers; l->library; l++) {
        ok(library_find(l->library) != NULL, "%s %s: a library", l->library, l->name);
        ok(l->note && *l->note, "says what is known of it");
        for (int k = 0; l->start && k < N_MAPPINGS; k++)
            ok(l->bound[k] && l->crowded[k], "words for mapping %s", mappings[k]);
        ok(!l->preload == !(l->preloaded || l->preloaded_emulated), "what is preloaded has a name");
        for (const struct launcher *m = launchers; m < l; m++)
            if (strcmp(m->library, l->library) == 0 && strcmp(m->name, l->name) == 0)
                ok(m->below && launcher_takes(l, m->below) && !launcher_takes(m, m->below),
                   "its versions begin where those of the row before end");
    }
}

int main(void)
{
    char path[8192];
    snprintf(path, sizeof path, "tests/fake/slurm:%s", getenv("PATH"));
    setenv("PATH", path, 1); /* what a real srun has is that machine's */
    check_pmi();
    check_local();
    check_choices();
    check_slurm();
    check_shapes();
    check_crowded();
    check_rows();
    return tap_done();
}
