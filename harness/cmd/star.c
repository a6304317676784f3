/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel star: the micro-benchmark of the STAR-MPI paper, walked or on a real cluster. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/adapt/star_bench.h"
#include "harness/base/array.h"
#include "harness/base/json_print.h"
#include "harness/base/memory.h"
#include "harness/base/number.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/options.h"
#include "harness/cmd/star_real.h"
#include "harness/run/backends/backend.h"
#include "harness/run/libraries/built.h"
#include "harness/study/topology.h"

enum { MOST_BYTES = 16, MOST_CALLS = 1000000 };

struct input {
    struct options options; /* first, for the common parser */
    const char *collective; /* NULL: all of the study */
    uint64_t bytes[MOST_BYTES];
    size_t n_bytes; /* 0: those of the study */
    int procs;      /* 0: those of the study */
    int scheme;     /* enum star_scheme; N_STAR_SCHEMES: both */
    int repository; /* enum repository_kind */
    int calls, limit_s;
    double compute, late_s;
    int json; /* the rows as JSON */
    const char *mpi;
    char **launcher; /* ends with NULL; NULL: walked */
};

/* ---- parsing ---- */

static double take_number(struct argp_state *state, const char *option, const char *arg,
                          int (*parse)(const char *, double *, struct err *))
{
    struct err err = { 0 };
    double value = 0;
    if (parse(arg, &value, &err) < 0)
        argp_error(state, "--%s: %s", option, err.text);
    if (value < 0)
        argp_error(state, "--%s: '%s' is below 0", option, arg);
    return value;
}

/* ---- what is printed ---- */

static void print_head(void)
{
    printf("%-10s %8s %4s %-8s %5s %9s %-28s %9s %9s %9s %8s  %s\n", "collective", "bytes", "P",
           "scheme", "calls", "ms", "chosen", "ms/call", "then", "default", "pays at",
           "fastest where all come together");
}

static void print_row(const struct star_row *r)
{
    char bytes[32], fixed[160] = "-";
    const double pays = star_pays_after(r);
    if (*r->static_algorithm)
        snprintf(fixed, sizeof fixed, "%s: %.4g", r->static_algorithm, r->static_s * 1e3);
    printf("%-10s %8s %4d %-8s %5d %9.4g %-28s %9.4g %9.4g %9.4g", r->collective,
           format_bytes(r->bytes, bytes, sizeof bytes), r->procs, star_scheme_words[r->scheme],
           r->measured, r->measure_s * 1e3, r->algorithm, r->measure_call_s * 1e3,
           r->monitor_call_s * 1e3, r->default_s * 1e3);
    if (isfinite(pays))
        printf(" %8.0f", ceil(pays));
    else
        printf(" %8s", "never");
    printf("  %s\n", fixed);
    fflush(stdout);
}

/* ---- the work ---- */

struct work {
    const struct input *in;
    const struct cluster *cluster;
    const struct study *study;
    char dir[PATH_SIZE], build[PATH_SIZE];
    char programs[PATH_SIZE]; /* of the MPI, in it */
    struct star_row *row;     /* of the file */
    size_t n;
    struct star_row *made; /* now, for JSON */
    size_t n_made;
};

static int walk_row(const struct work *w, struct star_row *row, struct err *err)
{
    const char *mapping = w->study->mappings.v[0];
    struct star_bench bench = { .cluster = w->cluster,
                                .rule = w->study->sim_default,
                                .calls = w->in->calls };
    int nodes, ppn;
    if (plan_place(w->cluster, w->study, mapping, row->procs, &nodes, &ppn, err) < 0)
        return -1;
    bench.seating = topology_seating(w->cluster, mapping, nodes, ppn, row->procs);
    return star_bench_walk(&bench, row, err);
}

static struct star_real real_of(const struct work *w)
{
    return (struct star_real){ .launcher = w->in->launcher,
                               .build = w->build,
                               .programs = w->programs,
                               .mpi = mpi_family(w->in->mpi),
                               .dir = w->dir,
                               .cluster = w->cluster,
                               .calls = w->in->calls,
                               .compute = w->in->compute,
                               .limit_s = w->in->limit_s };
}

static int run_row(const struct work *w, struct star_row *row, struct err *err)
{
    const struct star_real real = real_of(w);
    return star_real_default(&real, row, err) < 0 ? -1 : star_real_tuned(&real, row, err);
}

/* What is known is written as soon as it is. */
static int do_row(struct work *w, struct star_row *row, struct err *err)
{
    const int status = w->in->launcher ? run_row(w, row, err) : walk_row(w, row, err);
    if (status < 0)
        return -1;
    star_row_finish(row);
    star_rows_put(&w->row, &w->n, row);
    *array_add(&w->made, &w->n_made) = *row;
    if (!w->in->json)
        print_row(row);
    return star_rows_write(w->dir, w->row, w->n, err);
}

static int do_cell(struct work *w, const char *collective, int procs, uint64_t bytes,
                   struct err *err)
{
    for (int scheme = 0; scheme < N_STAR_SCHEMES; scheme++) {
        struct star_row row = { .procs = procs,
                                .bytes = bytes,
                                .repository = (enum repository_kind)w->in->repository,
                                .scheme = (enum star_scheme)scheme,
                                .late_s = w->in->late_s };
        snprintf(row.collective, sizeof row.collective, "%s", collective);
        if (w->in->scheme != N_STAR_SCHEMES && w->in->scheme != scheme)
            continue;
        if (do_row(w, &row, err) < 0)
            return -1;
    }
    return 0;
}

static int do_collective(struct work *w, const char *collective, struct err *err)
{
    const struct input *in = w->in;
    const uint64_t *bytes = in->n_bytes ? in->bytes : w->study->bytes.v;
    const size_t n_bytes = in->n_bytes ? in->n_bytes : w->study->bytes.n,
                 n_procs = in->procs ? 1 : w->study->procs.n;
    for (size_t p = 0; p < n_procs; p++)
        for (size_t b = 0; b < n_bytes; b++)
            if (do_cell(w, collective, in->procs ? in->procs : w->study->procs.v[p], bytes[b],
                        err) < 0)
                return -1;
    return 0;
}

static int do_all(struct work *w, struct err *err)
{
    const struct study *study = w->study;
    size_t done = 0;
    if (!w->in->json)
        print_head();
    for (size_t i = 0; i < study->collectives.n; i++) {
        const char *collective = study->collectives.v[i];
        if (w->in->collective && strcmp(w->in->collective, collective) != 0)
            continue;
        done++;
        if (do_collective(w, collective, err) < 0)
            return -1;
    }
    return done ? 0
                : err_usage(err, "--collective: '%s' is none of the study's", w->in->collective);
}

/* The directory of the results, as ranks that start elsewhere find it. */
static int open_dir(struct work *w, struct err *err)
{
    char dir[PATH_SIZE];
    if (options_dir(&w->in->options, w->cluster, w->study, dir, sizeof dir, err) < 0 ||
        options_build(&w->in->options, w->build, sizeof w->build, err) < 0 ||
        fs_mkdirs(dir, err) < 0)
        return -1;
    if (!realpath(dir, w->dir))
        return err_errno(err, "'%s'", dir);
    installed_dir(&w->cluster->mpis, w->in->mpi, w->build, w->programs, sizeof w->programs);
    if (w->in->launcher)
        built_update(w->cluster, w->in->mpi, w->build, w->in->options.quiet ? NULL : stderr);
    const struct star_real real = real_of(w);
    if (real.launcher && star_real_prepare(&real, err) < 0)
        return -1;
    w->row = schema_read_any(&star_schema, w->dir, &w->n, err);
    return w->row ? 0 : -1;
}

static int run(const void *input, const struct cluster *cluster, const struct study *study,
               struct err *err)
{
    struct work w = { .in = input, .cluster = cluster, .study = study };
    if (!w.in->launcher && (cluster_holds(cluster->name, cluster->nodes,
                                          cluster_node_cores(cluster), w.in->procs, 0, err) < 0 ||
                            backend_sim.check(cluster, err) < 0))
        return -1;
    int status = open_dir(&w, err);
    if (status == 0)
        status = do_all(&w, err);
    if (status == 0 && w.in->json)
        status = json_print(json_rows(&star_schema, w.made, w.n_made), err);
    if (status == 0 && !w.in->options.quiet)
        fprintf(stderr, "wrote %s/star.csv\n", w.dir);
    memory_free(w.row, w.made);
    return status < 0 ? -1 : EXIT_DONE;
}

static void take_compute(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    in->compute = take_number(state, "compute", arg, parse_f64);
}

static void take_late(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    in->late_s = take_number(state, "late", arg, parse_seconds);
}

static void take_bytes(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    struct options_list bytes = { in->bytes, MOST_BYTES, in->n_bytes };
    options_take_list(state, "bytes", arg, parse_bytes, SCHEDULE_MOST_PROCS, &bytes);
    in->n_bytes = bytes.n;
}

static void check_mpi(const char *arg, struct argp_state *state)
{
    if (!mpi_is_read(arg))
        argp_error(state, "--mpi: '%s' is unknown (want openmpi, mpich or openmpi-...)", arg);
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    (void)state;
    if (!in->options.study_given)
        in->options.study = "star";
    if (!in->launcher)
        in->options.backend = "walk";
}

static const char *const schemes[] = { "basic", "enhanced", "both", NULL };

static const struct option_row rows[] = {
    { "collective", 0, "NAME", "One of the study's (default: all of them)",
      OPTION_COLLECTIVE_TO(collective) },
    { "bytes", 0, "A,B", "Sizes, as 2K,128K (default: the study's)", .take = take_bytes },
    { "procs", 'p', "P", "Ranks (default: the study's)", OPTION_RANGE(procs, 2, 65536) },
    { "scheme", 0, "NAME",
      "basic: candidates one after the other; enhanced: in groups; both (default)",
      OPTION_TO(scheme), .words = schemes },
    { "repository", 0, "NAME", "What is tried: paper (default), native or full (collsel run)",
      OPTION_TO(repository), .words = repository_words },
    { "calls", 0, "N", "Calls after Measure_Select (default: 60)",
      OPTION_RANGE(calls, 1, MOST_CALLS) },
    { "compute", 0, "F",
      "Between two calls F times the default's time of one (default: 5, the paper's); walked it "
      "changes nothing",
      .take = take_compute },
    { "late", 0, "TIME", "The last rank comes later to every call, as 5ms", .take = take_late },
    { "mpi", 0, "NAME",
      "openmpi (default), mpich, or an entry of the cluster file: what the launcher starts",
      OPTION_TO(mpi), .check = check_mpi },
    { "limit", 0, "S", "Seconds after which a launch is ended (default: 3600)",
      OPTION_RANGE(limit_s, 1, 864000) },
    { "json", 0, NULL, "Print the rows as JSON, when all are there", OPTION_TO(json) },
    { 0 },
};

static struct input asked = { .scheme = N_STAR_SCHEMES,
                              .repository = REPOSITORY_PAPER,
                              .calls = 60,
                              .compute = 5,
                              .limit_s = 3600,
                              .mpi = "openmpi" };

const struct command cmd_star = {
    .name = "star",
    .help = "STAR-MPI's micro-benchmark: what tuning costs and gains",
    .words = "\n-- LAUNCHER...",
    .doc = "The micro-benchmark of the STAR-MPI paper: a loop of computation and one "
           "collective, tuned while it runs; how many calls that takes, how long calls take in "
           "both stages, and what the library's own choice takes. Without a launcher it is "
           "walked on the platform of the cluster file; with one (mpirun -n 16) the program "
           "`micro` runs under libcollsel. Cells are those of the study (default: star). Rows "
           "of star.csv are replaced one by one, so a long run may be made in parts.",
    .rows = rows,
    .shared = &options_of_study,
    .input = &asked,
    .all_words = INPUT_AT(launcher),
    .check = check,
    .run_study = run,
};
