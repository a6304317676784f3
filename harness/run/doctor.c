/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/doctor.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include "harness/run/backends/backend.h"
#include "harness/run/progress.h"
#include "harness/study/simulation_costs.h"
#include "harness/base/subprocess.h"
#include "harness/run/libraries/launchers.h"

enum { TOO_FEW_MIB = 1024 };

struct tool {
    const char *name, *use;
};

static const struct tool tools[] = {
    { "smpirun", "simulation (libsimgrid-dev)" },
    { "gnuplot", "figures of pages (gnuplot-nox)" },
    { "pandoc", "the text of pages; without it, it is plain (pandoc)" },
    { "sinfo", "Slurm (slurm-client); optional" },
};

/* Libraries that the build looked for (ci/libraries). */
#ifdef HAVE_HWLOC
#define BUILT_HWLOC 1
#else
#define BUILT_HWLOC 0
#endif
#ifdef HAVE_XGBOOST
#define BUILT_XGBOOST 1
#else
#define BUILT_XGBOOST 0
#endif
#ifdef HAVE_SVM
#define BUILT_SVM 1
#else
#define BUILT_SVM 0
#endif

static const struct built {
    const char *name;
    int there;
    const char *use, *lost;
} built[] = {
    { "hwloc", BUILT_HWLOC, "this machine's cores and caches",
      "cores and caches are read from /sys (libhwloc-dev, then make again)" },
    { "XGBoost", BUILT_XGBOOST, "learners boosting and hybrid",
      "nothing learns by boosting or hybrid (libxgboost-dev, then make again)" },
    { "libsvm", BUILT_SVM, "learner svm", "nothing learns by svm (libsvm-dev, then make again)" },
};

void doctor_line(const struct doctor_out *out, const char *mark, const char *what,
                 const char *detail)
{
    if (out->rows)
        json_array_append_new(
            out->rows, json_pack("{s:s, s:s, s:s}", "state", mark, "what", what, "detail", detail));
    else
        fprintf(out->stream, "%-8s %-18s %s\n", mark, what, detail);
}

/* Smallest step of the monotonic clock seen in a short loop, in seconds. */
static double clock_step_s(void)
{
    double least = 1;
    for (int i = 0; i < 1000; i++) {
        double a = now_s(), b;
        do
            b = now_s();
        while (b <= a);
        least = b - a < least ? b - a : least;
    }
    return least;
}

static void print_tools(const struct doctor_out *out)
{
    char path[512];
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        int there = run_find(tools[i].name, path, sizeof path);
        doctor_line(out, there ? "ok" : "missing", tools[i].name, there ? path : tools[i].use);
    }
}

struct doctor_entries doctor_entries(const struct cluster *cluster)
{
    static const char *const usual[] = { "openmpi", "mpich" };
    struct doctor_entries all = { 0 };
    for (size_t u = 0; u < 2; u++) {
        const size_t before = all.n;
        for (size_t i = 0; cluster && i < cluster->mpis.n && all.n + 2 < KEY_LIST_MAX; i++)
            if (mpi_is(cluster->mpis.v[i].name, usual[u]))
                all.v[all.n++] = cluster->mpis.v[i].name;
        if (all.n == before)
            all.v[all.n++] = usual[u];
    }
    for (size_t i = 0; cluster && i < cluster->mpis.n && all.n < KEY_LIST_MAX; i++)
        if (!mpi_is_read(cluster->mpis.v[i].name))
            all.v[all.n++] = cluster->mpis.v[i].name;
    return all;
}

/* One entry: what it says of itself, its launcher, and whether it is built. */
static int print_entry(const struct doctor_out *out, const struct cluster *cluster,
                       const char *entry, const char *build)
{
    char text[2 * PATH_SIZE], why[REASON_SIZE];
    struct installed found;
    library_look(cluster, entry, build, &found);
    const int ready = library_ready(cluster, entry, build, why);
    snprintf(text, sizeof text, "version %s, %.500s", found.version, found.mpirun);
    if (*found.says)
        snprintf(text, sizeof text, "version %s, %.500s (%.60s)", found.version, found.mpirun,
                 found.says);
    doctor_line(out, ready ? "ok" : "missing", entry, ready ? text : *found.why ? found.why : why);
    installed_free(&found);
    return ready;
}

static int print_libraries(const struct doctor_out *out, const struct cluster *cluster,
                           const char *build)
{
    char path[PATH_SIZE], version[64], text[2 * PATH_SIZE], why[REASON_SIZE];
    const struct doctor_entries all = doctor_entries(cluster);
    int any = 0;
    for (size_t i = 0; i < all.n; i++)
        any |= print_entry(out, cluster, all.v[i], build);
    for (const struct library *const *l = libraries; *l; l++) {
        if ((*l)->has_entries ||
            (!library_program(NULL, (*l)->name, build, path, sizeof path) && (*l)->for_tests))
            continue;
        library_version(NULL, (*l)->name, build, version, sizeof version);
        snprintf(text, sizeof text, "version %s, %s", (*l)->version_args ? version : "of this tool",
                 path);
        const int ready = library_ready(NULL, (*l)->name, build, why);
        doctor_line(out, ready ? "ok" : "missing", (*l)->name, ready ? text : why);
    }
    return any;
}

static void print_machine(const struct doctor_out *out, const char *results)
{
    char text[256], step[32];
    struct statvfs v;
    snprintf(text, sizeof text, "%ld online", sysconf(_SC_NPROCESSORS_ONLN));
    doctor_line(out, "ok", "cores", text);
    snprintf(text, sizeof text, "smallest step %s",
             format_seconds(clock_step_s(), step, sizeof step));
    doctor_line(out, "ok", "clock", text);
    const char *dir = access(results, F_OK) == 0 ? results : ".";
    if (statvfs(dir, &v) == 0) {
        unsigned long long mib = (unsigned long long)v.f_bavail * v.f_frsize >> 20;
        snprintf(text, sizeof text, "%llu MiB free in '%.100s'", mib, dir);
        doctor_line(out, mib < TOO_FEW_MIB ? "low" : "ok", "disk", text);
    }
}

/* Each backend with what it can run here; returns whether simulation or this machine can. */
static int print_backends(const struct doctor_out *out, const struct cluster *cluster,
                          const char *build)
{
    char text[1024], why[REASON_SIZE];
    const struct doctor_entries all = doctor_entries(cluster);
    const int sim = library_ready(NULL, "smpi", build, why);
    int any = 0;
    size_t used = (size_t)snprintf(text, sizeof text, "%s:", backend_local.help);
    for (size_t i = 0; i < all.n; i++)
        if (library_ready(cluster, all.v[i], build, why) && used + MPI_WORD + 1 < sizeof text) {
            used += (size_t)snprintf(text + used, sizeof text - used, " %s", all.v[i]);
            any = 1;
        }
    if (!any)
        snprintf(text + used, sizeof text - used, " no MPI library is ready");
    doctor_line(out, sim ? "ok" : "missing", "backend sim", backend_sim.help);
    doctor_line(out, library_ready(NULL, "walk", build, why) ? "ok" : "missing", "backend walk",
                backend_walk.help);
    doctor_line(out, any ? "ok" : "missing", "backend local", text);
    doctor_line(out, run_find("sbatch", NULL, 0) ? "ok" : "missing", "backend slurm",
                backend_slurm.help);
    return sim || any;
}

static void print_launcher(const struct doctor_out *out, const char *entry, const char *build,
                           const struct cluster *cluster)
{
    char version[64], what[128], text[1200];
    struct err err = { 0 };
    library_version(cluster, entry, build, version, sizeof version);
    const struct launcher *l =
        library_launcher(library_of(cluster, entry), version, 1, cluster, &err);
    snprintf(what, sizeof what, "%s %s", entry, version);
    if (l)
        snprintf(text, sizeof text, "on %s: %s (%s: %s)", cluster->name, l->what,
                 launcher_state_name(launcher_state_on(l, cluster)), l->note);
    else
        snprintf(text, sizeof text, "%s", err.text);
    doctor_line(out, l ? "ok" : "missing", what, text);
}

/* A cluster that is measured, not simulated, needs no costs of a simulation. */
static void print_simulation(const struct doctor_out *out, const struct cluster *cluster)
{
    char what[128], text[KEY_TEXT_MAX], why[WHY_SIZE];
    struct err err = { 0 };
    const int fine = backend_sim.check(cluster, &err) == 0;
    if (!fine && !cluster->emulated && backend_choose("auto", cluster, why, NULL) != &backend_sim)
        return;
    snprintf(what, sizeof what, "simulated %s", cluster->name);
    doctor_line(out, fine ? "ok" : "not set", what, fine ? "its costs are stated" : err.text);
    if (fine && *costs_defaulted(cluster, text, sizeof text))
        doctor_line(out, "default", what, text);
}

void doctor_cluster(const struct doctor_out *out, const struct cluster *cluster, const char *build)
{
    const struct doctor_entries all = doctor_entries(cluster);
    print_simulation(out, cluster);
    for (size_t i = 0; i < all.n && *cluster->partition; i++) {
        struct installed found;
        library_look(cluster, all.v[i], build, &found);
        if (!*found.why)
            print_launcher(out, all.v[i], build, cluster);
        installed_free(&found);
    }
}

int doctor_print(const struct doctor_out *out, const struct cluster *cluster, const char *build,
                 const char *results)
{
    print_tools(out);
    for (size_t i = 0; i < sizeof built / sizeof built[0]; i++)
        doctor_line(out, built[i].there ? "ok" : "missing", built[i].name,
                    built[i].there ? built[i].use : built[i].lost);
    print_libraries(out, cluster, build);
    print_machine(out, results);
    int possible = print_backends(out, cluster, build);
    if (!possible)
        doctor_line(out, "missing", "backends",
                    "nothing can be measured here (want: make setup all)");
    return possible;
}
