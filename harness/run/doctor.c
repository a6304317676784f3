/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/doctor.h"

#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "harness/run/backends/backend.h"
#include "harness/base/number.h"
#include "harness/run/progress.h"
#include "harness/study/costs.h"
#include "harness/study/libraries/natives.h"
#include "harness/base/run.h"
#include "harness/run/libraries/launchers.h"

enum { TOO_FEW_MIB = 1024 };

struct tool {
    const char *name, *use;
};

static const struct tool tools[] = {
    { "smpirun", "simulation (libsimgrid-dev)" },
    { "mpirun.openmpi", "Open MPI here (openmpi-bin)" },
    { "mpirun.mpich", "MPICH here (mpich)" },
    { "gnuplot", "figures of pages (gnuplot-nox)" },
    { "pandoc", "the text of pages; without it, it is plain (pandoc)" },
    { "git", "the tool's commit in manifests (git)" },
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

static void line(const struct doctor_out *out, const char *mark, const char *what,
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
        line(out, there ? "ok" : "missing", tools[i].name, there ? path : tools[i].use);
    }
}

static void print_built(const struct doctor_out *out)
{
    for (size_t i = 0; i < sizeof built / sizeof built[0]; i++)
        line(out, built[i].there ? "ok" : "missing", built[i].name,
             built[i].there ? built[i].use : built[i].lost);
}

static void print_libraries(const struct doctor_out *out, const char *build)
{
    char path[4096], version[64], text[5000], why[REASON_SIZE];
    for (const struct library *const *l = libraries; *l; l++) {
        if (!library_program(*l, build, path, sizeof path) && (*l)->for_tests)
            continue;
        library_version(*l, version, sizeof version);
        snprintf(text, sizeof text, "version %s, %s", (*l)->version_args ? version : "of this tool",
                 path);
        const int ready = library_ready(*l, build, why);
        line(out, ready ? "ok" : "missing", (*l)->name, ready ? text : why);
    }
}

static void print_machine(const struct doctor_out *out, const char *results)
{
    char text[256], step[32];
    struct statvfs v;
    snprintf(text, sizeof text, "%ld online", sysconf(_SC_NPROCESSORS_ONLN));
    line(out, "ok", "cores", text);
    snprintf(text, sizeof text, "smallest step %s",
             format_seconds(clock_step_s(), step, sizeof step));
    line(out, "ok", "clock", text);
    const char *dir = access(results, F_OK) == 0 ? results : ".";
    if (statvfs(dir, &v) == 0) {
        unsigned long long mib = (unsigned long long)v.f_bavail * v.f_frsize >> 20;
        snprintf(text, sizeof text, "%llu MiB free in '%.100s'", mib, dir);
        line(out, mib < TOO_FEW_MIB ? "low" : "ok", "disk", text);
    }
}

/* Each backend with what it can run here; returns whether simulation or this machine can. */
static int print_backends(const struct doctor_out *out, const char *build)
{
    char text[128], why[REASON_SIZE];
    int sim = library_ready(&library_smpi, build, why);
    int openmpi = library_ready(&library_openmpi, build, why),
        mpich = library_ready(&library_mpich, build, why);
    line(out, sim ? "ok" : "missing", "backend sim", backend_sim.help);
    line(out, library_ready(&library_walk, build, why) ? "ok" : "missing", "backend walk",
         backend_walk.help);
    snprintf(text, sizeof text, "%s:%s%s", backend_local.help, openmpi ? " openmpi" : "",
             mpich     ? " mpich"
             : openmpi ? ""
                       : " no MPI library is ready");
    line(out, openmpi || mpich ? "ok" : "missing", "backend local", text);
    line(out, run_find("sbatch", NULL, 0) ? "ok" : "missing", "backend slurm", backend_slurm.help);
    return sim || openmpi || mpich;
}

static void print_launcher(const struct doctor_out *out, const struct library *library,
                           const struct cluster *cluster)
{
    char version[64], what[128], text[1200];
    struct err err = { 0 };
    library_version(library, version, sizeof version);
    const struct launcher *l = library_launcher(library, version, 1, cluster, &err);
    snprintf(what, sizeof what, "%s %s", library->name, version);
    if (l)
        snprintf(text, sizeof text, "on %s: %s (%s: %s)", cluster->name, l->what,
                 launcher_state_name(launcher_state_on(l, cluster)), l->note);
    else
        snprintf(text, sizeof text, "%s", err.text);
    line(out, l ? "ok" : "missing", what, text);
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
    line(out, fine ? "ok" : "not set", what, fine ? "its costs are stated" : err.text);
    if (fine && *costs_defaulted(cluster, text, sizeof text))
        line(out, "default", what, text);
}

void doctor_cluster(const struct doctor_out *out, const struct cluster *cluster)
{
    print_simulation(out, cluster);
    for (const struct library *const *l = libraries; *l && *cluster->partition; l++)
        if (natives_of((*l)->name) && run_find((*l)->launcher, NULL, 0))
            print_launcher(out, *l, cluster);
}

int doctor_print(const struct doctor_out *out, const char *build, const char *results)
{
    print_tools(out);
    print_built(out);
    print_libraries(out, build);
    print_machine(out, results);
    int possible = print_backends(out, build);
    if (!possible)
        line(out, "missing", "backends", "nothing can be measured here (want: make setup all)");
    return possible;
}
