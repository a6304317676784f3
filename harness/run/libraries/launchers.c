/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/libraries/launchers.h"

#include <unistd.h>

#include "harness/run/libraries/mpi_library.h"
#include "harness/run/libraries/pmi.h"

/* No component is left out, so that the default is the library's. Dynamic rules without a file
 * leave it as it is: only what is forced on a point's communicator goes by them. */
#define OPENMPI_RULES "--mca coll_tuned_use_dynamic_rules 1"
#define OPENMPI_ROOT  "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
#define OPENMPI5_ROOT "PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 " OPENMPI_ROOT
/* slots are what the launch wants, whatever the allocation has */
#define SLURM_SLOTS "SLURM_TASKS_PER_NODE={ppn}(x{nodes})"

/* What srun is told, and how it places ranks: each on a core of its own, or more than cores. */
#define SRUN_BOUND(distribution)                                                                   \
    "--ntasks-per-core=1 --distribution=" distribution " --cpu-bind=cores"
#define SRUN_CROWDED(distribution) "--overcommit --distribution=" distribution " --cpu-bind=none"
#define SRUN                                                                                       \
    .whole_nodes = 1,                                                                              \
    .start = "srun --mpi={pmi} --nodes={nodes} --ntasks={procs} --ntasks-per-node={ppn} "          \
             "--kill-on-bad-exit=1",                                                               \
    .bound = { SRUN_BOUND("block:block"), SRUN_BOUND("block:cyclic"),                              \
               SRUN_BOUND("cyclic:block") },                                                       \
    .crowded = { SRUN_CROWDED("block:block"), SRUN_CROWDED("block:cyclic"),                        \
                 SRUN_CROWDED("cyclic:block") }

/* Open MPI's mpirun: what it calls a socket, and by what it crowds ranks mapped node by node. */
#define OPENMPI_CROWDED(by)                                                                        \
    "--map-by " by ":OVERSUBSCRIBE --bind-to none --mca mpi_yield_when_idle 1"
#define OPENMPI_MPIRUN(socket, by)                                                                 \
    .start = "{mpirun} -np {procs}", .settings = OPENMPI_RULES,                                    \
    .bound = { "--map-by core --bind-to core", "--map-by " socket " --bind-to core",               \
               "--map-by node --bind-to core" },                                                   \
    .crowded = { OPENMPI_CROWDED("slot"), OPENMPI_CROWDED("slot"), OPENMPI_CROWDED(by) }
#define OPENMPI_SRUN                                                                               \
    SRUN, .what = "srun --mpi=pmix", .pmi = "pmix",                                                \
          .settings = "env OMPI_MCA_coll_tuned_use_dynamic_rules=1",                               \
          .env_emulated = "OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self OMPI_MCA_mpi_yield_when_idle=1", \
          .env_interface = "OMPI_MCA_btl_tcp_if_include={interface}"

/* clang-format off */
const struct launcher launchers[] = {
    { .library = "openmpi", .below = "5", .name = "local", .what = "mpirun",
      .note = "4.1.4, one machine", OPENMPI_MPIRUN("socket", "slot"), .env_root = OPENMPI_ROOT },
    { .library = "openmpi", .from = "5", .name = "local", .what = "mpirun",
      .note = "5.0.7 and 6.0.0rc2, one machine; PRRTE says package where ORTE said socket",
      OPENMPI_MPIRUN("package --rank-by slot", "slot"), .env_root = OPENMPI5_ROOT },
    { .library = "openmpi", .from = "4.1", .below = "5", .name = "mpirun",
      .what = "mpirun, its daemons by srun", .state = LAUNCHER_DOCUMENTED,
      .note = "4.1.4, Slurm 22.05, emulated nodes; its own map of real ones",
      OPENMPI_MPIRUN("socket", "node"), .preload = "-x LD_PRELOAD={preload}",
      .preloaded_emulated = "nap.so", .emulated = "--mca pml ob1 --mca btl tcp,self",
      .interface = "--mca btl_tcp_if_include {interface} --mca oob_tcp_if_include {interface}",
      .env = SLURM_SLOTS, .env_root = OPENMPI_ROOT },
    { .library = "openmpi", .from = "5", .name = "mpirun", .what = "mpirun, its daemons by srun",
      .state = LAUNCHER_DOCUMENTED,
      .note = "5.0.7, Slurm 24.11, and 6.0.0rc2, Slurm 26.05: emulated nodes",
      OPENMPI_MPIRUN("package --rank-by slot", "node"),
      .emulated = "--mca pml ob1 --mca btl tcp,self",
      .interface = "--mca btl_tcp_if_include {interface} --prtemca oob_tcp_if_include {interface}",
      .env = SLURM_SLOTS, .env_root = OPENMPI5_ROOT },
    { .library = "openmpi", .from = "4.1", .below = "5", .name = "srun",
      .state = LAUNCHER_DOCUMENTED, .emulated_state = LAUNCHER_BROKEN,
      .note = "in network namespaces its steps fail to launch (Slurm 22.05, pmix_v4)",
      OPENMPI_SRUN },
    { .library = "openmpi", .from = "5", .name = "srun", .state = LAUNCHER_DOCUMENTED,
      .note = "5.0.7, Slurm 24.11, emulated nodes; srun's own bindings of real ones",
      OPENMPI_SRUN },
    {
        .library = "mpich",
        .name = "local",
        .what = "mpirun (hydra)",
        .note = "4.0.2, 4.2.1 and 5.0.2, one machine",
        .start = "{mpirun} -np {procs}",
        .bound = { "-bind-to core -map-by core", "-bind-to core -map-by socket",
                   "-bind-to core -map-by core" }, /* hydra knows no "-map-by node" */
        .crowded = { "-bind-to none", "-bind-to none", "-bind-to none" },
        .preload = "-genv LD_PRELOAD {preload}",
        .preloaded = "yield.so",
    },
    { .library = "mpich", .from = "4", .name = "mpirun",
      .what = "mpirun (hydra), its proxies by srun", .state = LAUNCHER_DOCUMENTED,
      .note = "4.0.2, 4.2.1 and 5.0.2, Slurm 22.05 to 26.05, emulated nodes; its own bindings of "
              "real ones",
      .start = "{mpirun} -np {procs}",
      .bound = { "-ppn {ppn} -bind-to core -map-by core",
                "-ppn {ppn} -bind-to core -map-by socket", "-ppn 1 -bind-to core -map-by core" },
      .crowded = { "-ppn {ppn} -bind-to none", "-ppn {ppn} -bind-to none", "-ppn 1 -bind-to none" },
      .preload = "-genv LD_PRELOAD {preload}", .preloaded = "yield.so",
      .preloaded_emulated = "nap.so", .interface = "-iface {interface}", .env = SLURM_SLOTS,
      .env_emulated = "UCX_TLS=tcp,self", .env_interface = "UCX_NET_DEVICES={interface}" },
    { .library = "mpich", .from = "4", .name = "srun", .what = "srun --mpi=pmi2",
      .state = LAUNCHER_DOCUMENTED,
      .note = "4.0.2, Slurm 22.05, emulated nodes; srun's own bindings of real ones", SRUN,
      .pmi = "pmi2", .preload = "env LD_PRELOAD={preload}", .preloaded = "yield.so",
      .preloaded_emulated = "nap.so", .env_emulated = "UCX_TLS=tcp,self",
      .env_interface = "UCX_NET_DEVICES={interface}" },
    { .library = "other", .name = "local", .what = "mpirun", .state = LAUNCHER_DOCUMENTED,
      .note = "any MPI: a number of ranks, and no more; each rank binds itself",
      .start = "{mpirun} -n {procs}", .bound = { "", "", "" }, .crowded = { "", "", "" } },
    { .library = "other", .name = "mpirun", .what = "mpirun", .state = LAUNCHER_DOCUMENTED,
      .note = "any MPI: a number of ranks, and no more; each rank binds itself",
      .start = "{mpirun} -n {procs}", .bound = { "", "", "" }, .crowded = { "", "", "" },
      .env = SLURM_SLOTS },
    { .library = "other", .name = "srun", .what = "srun --mpi=pmi2", .state = LAUNCHER_DOCUMENTED,
      .note = "any MPI built on PMI-2", SRUN, .pmi = "pmi2" },
    { .library = "smpi", .name = "local", .what = "smpirun",
      .note = "SimGrid 3.32, 4.0, 4.1; a host per rank in the host file, its other options: "
              "smpi_launcher.c" },
    { .library = "walk", .name = "local", .what = "the program itself",
      .note = "walked times, no ranks" },
    { .library = "null", .name = "local", .what = "the program itself",
      .note = "planted times, no ranks" },
    { .library = NULL },
};
/* clang-format on */

/* ---- finding a row ---- */

int launcher_takes(const struct launcher *launcher, const char *version)
{
    return version_within(version, launcher->from, launcher->below);
}

enum launcher_state launcher_state_on(const struct launcher *launcher,
                                      const struct cluster *cluster)
{
    return cluster->emulated ? launcher->emulated_state : launcher->state;
}

const char *launcher_state_name(enum launcher_state state)
{
    return state == LAUNCHER_SEEN         ? "seen to work"
           : state == LAUNCHER_DOCUMENTED ? "as documented"
                                          : "does not work";
}

/* Is a row one of those that this name means? What is not started by a launcher takes any. */
static int answers_to(const struct launcher *l, const char *name)
{
    if (!l->start)
        return 1;
    return strcmp(name, "auto") == 0 ? strcmp(l->name, "local") != 0 : strcmp(l->name, name) == 0;
}

const struct launcher *launcher_find(const char *library, const char *version, const char *name,
                                     const struct cluster *cluster, struct err *err)
{
    const struct launcher *broken = NULL, *missing = NULL;
    char pmi[PMI_NAME], known[PMI_LIST] = "";
    for (const struct launcher *l = launchers; l->library; l++) {
        if (strcmp(l->library, library) != 0 || !launcher_takes(l, version) || !answers_to(l, name))
            continue;
        if (launcher_state_on(l, cluster) == LAUNCHER_BROKEN)
            broken = l;
        else if (l->pmi && pmi_ask(l->pmi, pmi, known) == 0)
            missing = l;
        else
            return l;
    }
    if (missing)
        err_usage(err,
                  "%s: launcher: srun has no %s here, by which %s %s is started (srun --mpi=list: "
                  "%s; want launcher = mpirun)",
                  cluster->path, missing->pmi, library, version, known);
    else if (broken)
        err_usage(err, "%s: launcher: '%s' does not work for %s %s%s: %s", cluster->path, name,
                  library, version, cluster->emulated ? " on an emulated cluster" : "",
                  broken->note);
    else
        err_usage(err, "%s: launcher: no way is known to start %s %s with '%s'", cluster->path,
                  library, version, name);
    return NULL;
}

int launcher_takes_shape(const struct launcher *launcher, const struct launch *launch,
                         const struct cluster *cluster, struct err *err)
{
    if (!launcher->whole_nodes || strcmp(launch->mapping, "node") == 0 ||
        launch->procs == launch->nodes * launch->ppn)
        return 0;
    return err_usage(err,
                     "%s: launcher: '%s' cannot give %d ranks on %d nodes %d each, the last one "
                     "fewer (want mpirun, or processes that fill the nodes)",
                     cluster->path, launcher->name, launch->procs, launch->nodes, launch->ppn);
}

/* ---- the words ---- */

struct words {
    const struct job *job;
    const char *preload, *pmi, *mpirun;
};

static int starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Writes what a placeholder stands for; returns the text behind it. */
static const char *put_value(FILE *out, const char *p, const struct words *w)
{
    const struct launch *l = w->job->launch;
    if (starts(p, "{mpirun}"))
        fputs(w->mpirun, out);
    else if (starts(p, "{procs}"))
        fprintf(out, "%d", l->procs);
    else if (starts(p, "{nodes}"))
        fprintf(out, "%d", l->nodes);
    else if (starts(p, "{ppn}"))
        fprintf(out, "%d", l->ppn);
    else if (starts(p, "{interface}"))
        fputs(w->job->cluster->interface, out);
    else if (starts(p, "{preload}"))
        fputs(w->preload, out);
    else if (starts(p, "{pmi}"))
        fputs(w->pmi, out);
    return strchr(p, '}') + 1;
}

/* One word of a row, up to a blank. */
static void add_word(struct argv *list, const char *word, size_t n, const struct words *w)
{
    char *text = NULL;
    size_t len;
    FILE *out = memory_stream(&text, &len);
    for (const char *p = word; p < word + n;)
        if (*p == '{')
            p = put_value(out, p, w);
        else
            putc(*p++, out);
    fclose(out);
    argv_add(list, "%s", text);
    free(text);
}

static void add_words(struct argv *list, const char *words, const struct words *w)
{
    for (const char *p = words ? words : ""; *p;) {
        const size_t n = strcspn(p, " ");
        add_word(list, p, n, w);
        p += n + (p[n] == ' ');
    }
}

static int mapping_index(const char *mapping)
{
    return strcmp(mapping, "core") == 0 ? 0 : strcmp(mapping, "socket") == 0 ? 1 : 2;
}

int launcher_says_nothing(const struct launcher *launcher)
{
    return launcher->start && !*launcher->bound[0];
}

int launcher_binds(const struct cluster *cluster, int crowded)
{
    return !crowded && !cluster->emulated;
}

void launcher_command(const struct launcher *launcher, const struct job *job, struct argv *args,
                      struct argv *env)
{
    const struct cluster *c = job->cluster;
    const int crowded = !launcher_binds(c, job->crowded), k = mapping_index(job->launch->mapping);
    char preload[1024], pmi[PMI_NAME] = "", known[PMI_LIST], debian[64];
    const struct words w = { job, preload, pmi, job->mpi ? job->mpi->mpirun : debian };
    const char *preloaded = c->emulated ? launcher->preloaded_emulated : launcher->preloaded;
    snprintf(debian, sizeof debian, "mpirun.%s", launcher->library);
    if (launcher->pmi)
        pmi_ask(launcher->pmi, pmi, known);
    if (job->mpi)
        snprintf(preload, sizeof preload, "%.900s/%s", job->mpi->dir, preloaded ? preloaded : "");
    else
        snprintf(preload, sizeof preload, "%.900s/%s/%s", job->build, launcher->library,
                 preloaded ? preloaded : "");
    for (size_t i = 0; job->mpi && i < job->mpi->env.n; i++)
        argv_add(env, "%s", job->mpi->env.v[i]);
    add_words(args, launcher->start, &w);
    add_words(args, crowded ? launcher->crowded[k] : launcher->bound[k], &w);
    if (c->emulated)
        add_words(args, launcher->emulated, &w);
    if (*c->interface)
        add_words(args, launcher->interface, &w);
    add_words(args, launcher->settings, &w);
    if (crowded && preloaded && access(preload, R_OK) == 0)
        add_words(args, launcher->preload, &w);
    argv_add(args, "%s", job->program);
    add_words(env, launcher->env, &w);
    if (c->emulated)
        add_words(env, launcher->env_emulated, &w);
    if (*c->interface)
        add_words(env, launcher->env_interface, &w);
    if (geteuid() == 0)
        add_words(env, launcher->env_root, &w);
}

/* ---- the table of launchers for people, in Markdown ---- */

static void print_versions(FILE *out, const struct launcher *l)
{
    if (l->from && l->below)
        fprintf(out, "%s up to %s", l->from, l->below);
    else if (l->from)
        fprintf(out, "from %s on", l->from);
    else
        fprintf(out, "%s%s", l->below ? "below " : "any", l->below ? l->below : "");
}

static void print_row(FILE *out, const struct launcher *l)
{
    fprintf(out, "| %s | ", l->library);
    print_versions(out, l);
    fprintf(out, " | %s | %s | ", strcmp(l->name, "local") == 0 ? "here" : l->name, l->what);
    if (strcmp(l->name, "local") == 0)
        fprintf(out, "%s | ", launcher_state_name(l->state));
    else
        fprintf(out, "%s; emulated: %s | ", launcher_state_name(l->state),
                launcher_state_name(l->emulated_state));
    fprintf(out, "%s |\n", l->note);
}

static void print_words(FILE *out, const char *when, const char *words)
{
    if (words)
        fprintf(out, "| %s | `%s` |\n", when, words);
}

static void print_details(FILE *out, const struct launcher *l)
{
    static const char *const bound[] = { "mapping core", "mapping socket", "mapping node" };
    static const char *const crowded[] = { "core, not bound", "socket, not bound",
                                           "node, not bound" };
    fprintf(out, "\n### %s ", l->library);
    print_versions(out, l);
    fprintf(out, ", %s: %s\n\n| when | words |\n|---|---|\n",
            strcmp(l->name, "local") == 0 ? "here" : l->name, l->what);
    print_words(out, "environment", l->env);
    print_words(out, "environment, as root", l->env_root);
    print_words(out, "environment, emulated nodes", l->env_emulated);
    print_words(out, "environment, with an interface", l->env_interface);
    print_words(out, "always", l->start);
    print_words(out, "`{pmi}`", l->pmi);
    for (int k = 0; k < N_MAPPINGS; k++)
        print_words(out, bound[k], l->bound[k]);
    for (int k = 0; k < N_MAPPINGS; k++)
        print_words(out, crowded[k], l->crowded[k]);
    print_words(out, "emulated nodes", l->emulated);
    print_words(out, "with an interface", l->interface);
    print_words(out, "always", l->settings);
    print_words(out, "not bound, where it was built", l->preload);
    print_words(out, "`{preload}`", l->preloaded);
    print_words(out, "`{preload}` with emulated nodes", l->preloaded_emulated);
}

void launchers_page(FILE *out)
{
    fprintf(out, "| library | versions | launcher | what it is | known | on what, or why not |\n"
                 "|---|---|---|---|---|---|\n");
    for (const struct launcher *l = launchers; l->library; l++)
        print_row(out, l);
    for (const struct launcher *l = launchers; l->library; l++)
        if (l->start)
            print_details(out, l);
}
