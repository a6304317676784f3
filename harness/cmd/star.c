/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel star: the micro-benchmark of the STAR-MPI paper, walked or on a real cluster. */
#include <signal.h>

#include "analysis/adapt/star_bench.h"
#include "harness/base/json_print.h"
#include "harness/base/subprocess.h"
#include "harness/cmd/options.h"
#include "harness/run/application_command.h"
#include "harness/run/backends/backend.h"
#include "harness/run/libraries/built.h"
#include "harness/study/topology.h"
#include "workloads/libcollsel/settings.h"

/* ---- on a real or emulated cluster ---- */

struct star_real {
    char *const *launcher; /* the words that start MPI, ends with NULL */
    const char *build;     /* directory of the programs */
    const char *programs;  /* those of the MPI entry */
    const char *mpi;       /* its family: openmpi, mpich */
    const char *dir;       /* for the library's report; rank 0 writes there */
    const struct cluster *cluster;
    int calls;      /* after Measure_Select; and of the default */
    double compute; /* between two calls: a multiple of the default's call */
    int limit_s;    /* of one launch */
};

enum { OUTPUT_SIZE = 1 << 16 };

/* ---- emulated nodes ---- */

/* The launcher reads them; its own words, and what is set already, come first. NULL: the interface
 * of the emulated network. */
static const struct {
    const char *mpi, *name, *value;
} emulated[] = {
    { "openmpi", "OMPI_MCA_pml", "ob1" },
    { "openmpi", "OMPI_MCA_btl", "tcp,self" },
    { "openmpi", "OMPI_MCA_btl_tcp_if_include", NULL },
    { "openmpi", "OMPI_MCA_oob_tcp_if_include", NULL },
    { "openmpi", "OMPI_MCA_mpi_yield_when_idle", "1" }, /* without which nap.so does nothing */
    { "mpich", "UCX_TLS", "tcp,self" },
    { "mpich", "UCX_NET_DEVICES", NULL },
};

static const char preload[] = "LD_PRELOAD=", nap[] = "nap.so";

/* The word of the launcher that preloads something; NULL: there is none. */
static const char *preloading_word(const struct star_real *real)
{
    char *const *word = real->launcher;
    while (*word && !strstr(*word, preload))
        word++;
    return *word;
}

static int prepare_emulated(const struct star_real *real, struct err *err)
{
    char path[PATH_SIZE];
    const char *word = preloading_word(real);
    if (word && !strstr(word, nap))
        return err_set(err, "'%s': ranks on emulated nodes want %s/%s there, too", word,
                       real->programs, nap);
    if (fs_path(path, sizeof path, err, "%s/%s", real->programs, nap) < 0)
        return -1;
    if (!word && !fs_exists(path))
        return err_set(err, "'%s' was not built, without which ranks on emulated nodes spin", path);
    for (size_t i = 0; i < sizeof emulated / sizeof *emulated; i++) {
        const char *value = emulated[i].value ? emulated[i].value : real->cluster->interface;
        if (strcmp(emulated[i].mpi, real->mpi) == 0 && *value)
            setenv(emulated[i].name, value, 0);
    }
    return 0;
}

/* Refuses settings that would be mistaken for the library's default
 * (harness/run/application_command.h). On emulated nodes it sets, unless the launcher's words or
 * the environment do, what ranks that share a few cores need (docs/testbed.md): messages
 * only over the emulated network, and sleeping instead of polling. Without these, times
 * are meaningless. 0, or -1 with *err: a refused setting; or the words preload another
 * library than nap.so, or nap.so was not built. Call it once, before the others. */
static int star_real_prepare(const struct star_real *real, struct err *err)
{
    const struct user_launch words = { .mpi = real->mpi,
                                       .word = real->launcher,
                                       .here = cluster_is_here(real->cluster) };
    struct argv lines = { 0 };
    if (real->cluster->emulated && prepare_emulated(real, err) < 0)
        return -1;
    const int status = user_launch_check(&words, &lines, err);
    argv_free(&lines);
    return status;
}

static void add_nap(const struct star_real *real, struct argv *out)
{
    if (!real->cluster->emulated || preloading_word(real))
        return;
    argv_add(out, "env");
    argv_add(out, "%s%s/%s", preload, real->programs, nap);
}

/* ---- a launch ---- */

static void add_micro(const struct star_real *real, const struct star_row *row, int calls,
                      struct argv *out)
{
    for (char *const *word = real->launcher; *word; word++)
        argv_add(out, "%s", *word);
    add_nap(real, out);
    argv_add(out, "%s/micro", real->programs);
    argv_add(out, "%s", collective_find(row->collective)->call);
    argv_add(out, "%llu", (unsigned long long)row->bytes);
    argv_add(out, "%d", calls);
    argv_add(out, "%.9f", row->compute_s);
    argv_add(out, "%.9f", row->late_s);
}

/* The last line of a text, for an error. */
static const char *last_line(char *text)
{
    size_t n = strlen(text);
    while (n && text[n - 1] == '\n')
        text[--n] = '\0';
    const char *newline = strrchr(text, '\n');
    return newline ? newline + 1 : text;
}

/* The seconds of a call that the program printed. */
static int read_seconds(const struct star_row *row, const char *text, double *seconds,
                        struct err *err)
{
    const char *call = collective_find(row->collective)->call;
    char wrong[16] = "";
    int bytes, calls;
    double turn_s;
    for (const char *at = text; (at = strstr(at, call)) != NULL; at += strlen(call))
        if (sscanf(at + strlen(call), "%d %d %lf %lf%15[ a-z]", &bytes, &calls, seconds, &turn_s,
                   wrong) >= 4)
            return *wrong ? err_set(err, "%s of %d bytes: wrong results", call, bytes) : 0;
    return err_set(err, "micro has not printed its times");
}

static int launch(const struct star_real *real, const struct argv *command,
                  const struct star_row *row, double *seconds, struct err *err)
{
    char *text = memory_zeros(OUTPUT_SIZE, 1);
    const int status =
        run_capture_for((const char *const *)command->v, real->limit_s, text, OUTPUT_SIZE);
    const int failed = status == 128 + SIGALRM
                           ? err_set(err, "still running after %d s: ended", real->limit_s)
                       : status ? err_set(err, "status %d: %.200s", status, last_line(text))
                                : read_seconds(row, text, seconds, err);
    free(text);
    return failed < 0 ? err_prefix(err, "%s of %llu bytes", row->collective,
                                   (unsigned long long)row->bytes)
                      : 0;
}

/* Without libcollsel: fills default_s, default_algorithm, compute_s and backend. 0, or -1 with
 * *err: it failed, took too long, or its results were wrong. */
static int star_real_default(const struct star_real *real, struct star_row *row, struct err *err)
{
    struct argv command = { 0 };
    row->compute_s = 0;
    add_micro(real, row, real->calls, &command);
    int status = launch(real, &command, row, &row->default_s, err);
    argv_free(&command);
    row->compute_s = real->compute * row->default_s;
    snprintf(row->default_algorithm, sizeof row->default_algorithm, "%s:default", real->mpi);
    snprintf(row->backend, sizeof row->backend, "%s",
             real->cluster->emulated ? "emulated" : "real");
    return status;
}

/* ---- the library's report ---- */

/* The row of our calls; NULL: there is none among as many ranks. others: the ranks of one that is
 * ours but for them; 0: none is. */
static const json_t *find_row(const json_t *report, const struct star_row *row, int calls,
                              int *others)
{
    size_t i;
    *others = 0;
    const json_t *one;
    json_array_foreach(json_object_get(report, "rows"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "collective"));
        if (!name || strcmp(name, row->collective) != 0 ||
            json_number_at(one, "bytes") != (double)row->bytes ||
            json_number_at(one, "calls") != calls)
            continue;
        if (json_number_at(one, "procs") == row->procs)
            return one;
        *others = (int)json_number_at(one, "procs");
    }
    return NULL;
}

static int candidate_named(const struct repository *r, const char *name)
{
    int i = r->n - 1;
    while (i >= 0 && strcmp(r->v[i].name, name) != 0)
        i--;
    return i;
}

/* The time of a call is from entering to leaving it; what comes behind is in the overheads. */
static void take_row(const json_t *one, const struct repository *repository, struct star_row *row)
{
    const char *ran = json_string_value(json_object_get(one, "algorithm"));
    row->measured = (int)lround(json_number_at(one, "measured"));
    row->monitored = (int)lround(json_number_at(one, "monitored"));
    row->agreements = (int)json_number_at(one, "agreements");
    row->changes = (int)json_number_at(one, "changes");
    row->o_ms_a_s = json_number_at(one, "o_ms_a_s");
    row->o_ms_c_s = json_number_at(one, "o_ms_c_s");
    row->o_ma_s = json_number_at(one, "o_ma_s");
    row->measure_call_s = row->o_ms_c_s + row->o_ms_a_s;
    row->measure_s = row->measure_call_s * row->measured;
    row->monitor_call_s =
        (json_number_at(one, "time_s") - row->o_ms_c_s * row->measured) / row->monitored +
        row->o_ma_s;
    snprintf(row->algorithm, sizeof row->algorithm, "%s", ran ? ran : "");
    *row->static_algorithm = '\0';
    row->static_s = NAN;
    star_row_expect(row, repository, candidate_named(repository, row->algorithm));
}

static int read_report(const char *path, int calls, const struct repository *repository,
                       struct star_row *row, struct err *err)
{
    json_error_t why;
    json_t *report = json_load_file(path, 0, &why);
    if (!report)
        return err_set(err, "%s:%d: %s", path, why.line, why.text);
    int others, status = 0;
    const json_t *one = find_row(report, row, calls, &others);
    if (!one && others)
        status = err_set(err,
                         "%s of %llu bytes ran among %d ranks, not %d (want: a launcher that "
                         "starts as many as --procs says, or the study)",
                         row->collective, (unsigned long long)row->bytes, others, row->procs);
    else if (!one || !(json_number_at(one, "measured") > 0))
        status = err_set(err, "%s: nothing was tuned in %d calls of %llu bytes", row->collective,
                         calls, (unsigned long long)row->bytes);
    if (status == 0)
        take_row(one, repository, row);
    json_decref(report);
    return status;
}

/* ---- with libcollsel ---- */

static void add_variables(const struct star_row *row, const char *report, struct argv *variables)
{
    argv_add(variables, "COLLSEL_MODE=%s", libcollsel_mode_words[LIBCOLLSEL_STAR]);
    argv_add(variables, "COLLSEL_REPOSITORY=%s", repository_words[row->repository]);
    argv_add(variables, "COLLSEL_JUDGE=%s", star_judge_words[STAR_FASTEST]);
    argv_add(variables, "COLLSEL_GROUPS=%d", row->scheme == STAR_ENHANCED);
    argv_add(variables, "COLLSEL_REPORT=%s", report);
}

static int run_tuned(const struct star_real *real, int calls, const char *report,
                     const struct star_row *row, struct err *err)
{
    double seconds;
    struct argv plain = { 0 }, variables = { 0 }, command = { 0 };
    add_micro(real, row, calls, &plain);
    add_variables(row, report, &variables);
    int status = application_command(plain.v, NULL, real->build, &variables, &command, err);
    if (status == 0)
        status = launch(real, &command, row, &seconds, err);
    argv_free(&plain);
    argv_free(&variables);
    argv_free(&command);
    return status;
}

/* With it: fills the rest, except the static choice, which is not known here. */
static int star_real_tuned(const struct star_real *real, struct star_row *row, struct err *err)
{
    struct repository repository;
    char report[PATH_SIZE];
    const struct collective *collective = collective_find(row->collective);
    const struct schedule_arguments like = { .procs = row->procs,
                                             .bytes = row->bytes,
                                             .element_bytes = star_element_bytes(collective) };
    if (fs_path(report, sizeof report, err, "%s/star-report.json", real->dir) < 0)
        return -1;
    repository_make(&repository, row->repository, real->mpi, collective, &like);
    const int calls = star_most_calls(&repository, row) + real->calls;
    int status = run_tuned(real, calls, report, row, err);
    if (status == 0)
        status = read_report(report, calls, &repository, row, err);
    repository_clear(&repository);
    fs_remove_tree(report, NULL);
    return status;
}

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
        printf("%-10s %8s %4s %-8s %5s %9s %-28s %9s %9s %9s %8s  %s\n", "collective", "bytes", "P",
               "scheme", "calls", "ms", "chosen", "ms/call", "then", "default", "pays at",
               "fastest where all come together");
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
