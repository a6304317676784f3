/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel tune: the other commands one after the other, from nothing to files of rules that were
 * seen to gain. What is measured already stays. */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/verify/verify.h"
#include "harness/cmd/asked_machine.h"
#include "harness/cmd/verbs.h"
#include "harness/cmd/verify_trial.h"
#include "harness/run/lock.h"
#include "harness/run/progress.h"
#include "harness/study/simulation_costs.h"

enum { MOST_LIBRARIES = 16, MOST_GUESSED = 1 << 28 /* ranks: those that `ask` takes */ };

struct input {
    struct options options; /* first, for the common parser */
    const char *mpi, *view, *profile;
    const char *library[MOST_LIBRARIES];
    size_t n_libraries;
    int json; /* the first page as JSON is all that goes to standard output */
};

/* One study, and the libraries that get a file of it; none: each that was measured. */
struct tune {
    const struct input *in;
    struct options options;
    const char *library[MOST_LIBRARIES];
    size_t n;
    int out;      /* --json: standard output, where else all goes to standard error; else -1 */
    int computed; /* a simulation or a walk is asked for: it has one library's default */
    char name[2 * NAME_SIZE], dir[PATH_SIZE], mpis[MOST_LIBRARIES * NAME_SIZE];
};

/* What a step that has ended leaves to do: 0 to go on, else the status to end with. A step that was
 * killed could not say so. */
static int status_of(const struct command *step, int ended)
{
    char verb[VERB_TEXT];
    if (WIFSIGNALED(ended))
        fprintf(stderr,
                "collsel tune: run the same command again, it resumes: the step '%s' was killed by "
                "signal %d (%s)\n",
                verb_of(step->name, verb), WTERMSIG(ended), strsignal(WTERMSIG(ended)));
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : EXIT_FAILED;
}

/* Runs a command with the options of this one, up to NULL those given, in a process of its own: it
 * may leave what it likes in memory. planned: with --plan and --budget. */
__attribute__((sentinel)) static int step(const struct tune *t, const struct command *command,
                                          int planned, ...)
{
    struct argv line = { 0 };
    const int tables = command == &cmd_fit || command == &cmd_select; /* which the page has */
    va_list more;
    int ended = 1 << 8;
    argv_add(&line, "collsel");
    argv_add(&line, "%s", command->name);
    if (t->options.quiet ? command != &cmd_export : tables)
        argv_add(&line, "-q");
    options_argv(&t->options, NULL, planned, &line);
    va_start(more, planned);
    for (const char *word; (word = va_arg(more, const char *));)
        if (*word)
            argv_add(&line, "%s", word);
    va_end(more);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid < 0)
        fprintf(stderr, "collsel tune: cannot start a step: %s\n", strerror(errno));
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (command == &cmd_export)
            dup2(STDOUT_FILENO, STDERR_FILENO); /* what it leaves out belongs to what it says */
        if (tables && !freopen("/dev/null", "w", stdout))
            exit(EXIT_FAILED);
        exit(command_run(command, -1, (int)line.n, line.v));
    }
    struct sigaction ignored = { .sa_handler = SIG_IGN }, usual;
    sigaction(SIGINT, &ignored, &usual); /* the step is interrupted, and ends as it should */
    progress_at_work(!t->options.quiet && tables);
    while (pid > 0 && waitpid(pid, &ended, 0) < 0)
        continue;
    progress_at_work(0);
    sigaction(SIGINT, &usual, NULL);
    argv_free(&line);
    return status_of(command, ended);
}

static int file_of(const struct tune *t, const char *library, char *path, struct err *err)
{
    return fs_path(path, PATH_SIZE, err, "%s/%s-%s.rules", t->options.results, t->name, library);
}

/* What gains, in a file of that name; mpi "": the only one of the library. */
static int verify(const struct tune *t, const char *library, const char *mpi, const char *name,
                  struct err *err)
{
    char path[PATH_SIZE];
    if (file_of(t, name, path, err) < 0)
        return -1;
    printf("%s:\n", name);
    return step(t, &cmd_verify, 0, "--library", library, *mpi ? "--mpi" : "", mpi, "--unsure",
                "--rounds", "2", "--view", t->in->view, "--output", path, NULL);
}

/* Each library of which a file can be read here, and that was measured. */
static int verify_measured(const struct tune *t, const struct points *points, struct err *err)
{
    int status = 0;
    for (size_t i = 0; i < points->n && status == 0; i++) {
        const char *mpi = points->row[i].point.cell.mpi;
        char family[NAME_SIZE];
        size_t before = 0;
        while (strcmp(points->row[before].point.cell.mpi, mpi) != 0)
            before++;
        snprintf(family, sizeof family, "%.*s", (int)strcspn(mpi, "-"), mpi);
        if (before < i)
            continue;
        if (rules_library_known(family))
            status = verify(t, family, mpi, mpi, err);
        else
            printf("%s: nobody here has read what files of rules it loads: it was measured, and is "
                   "on the page\n",
                   mpi);
    }
    return status;
}

static int export_unverified(const struct tune *t, const char *library, struct err *err)
{
    char path[PATH_SIZE];
    struct stat before = { 0 }, after = { 0 };
    if (file_of(t, library, path, err) < 0)
        return -1;
    stat(path, &before);
    const int status = step(t, &cmd_export, 0, "--library", library, "--output", path, NULL);
    stat(path, &after);
    if (status == 0 &&
        (after.st_ino != before.st_ino || after.st_mtim.tv_nsec != before.st_mtim.tv_nsec ||
         after.st_mtim.tv_sec != before.st_mtim.tv_sec))
        puts("not verified: what it gains was not measured (collsel rules verify runs on this "
             "machine and through Slurm)");
    return status;
}

static int make_files(const struct tune *t, struct err *err)
{
    static const char *const real[] = { "local", "slurm", "emulated" };
    struct points points;
    int verifies = 0, status = 0;
    if (points_read_all(t->dir, 0, &points, err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof real / sizeof *real; i++)
        verifies |= strcmp(points.backend, real[i]) == 0;
    if (verifies && !t->n)
        status = verify_measured(t, &points, err);
    points_clear(&points);
    for (size_t i = 0; i < t->n && status == 0; i++)
        status = verifies
                     ? verify(t, t->library[i], t->in->mpi ? t->in->mpi : "", t->library[i], err)
                     : export_unverified(t, t->library[i], err);
    return !verifies && !t->n ? export_unverified(t, "openmpi-4.1", err) : status;
}

/* The page once more, with the files. */
static int report(const struct tune *t)
{
    const char *json = t->in->json ? "--json" : "";
    fflush(stdout);
    if (t->in->json)
        dup2(t->out, STDOUT_FILENO);
    const int status = t->computed && !t->in->profile
                           ? step(t, &cmd_report, 1, json, NULL)
                           : step(t, &cmd_report, 0, "-q", "--as-is", json, NULL);
    if (t->in->json)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    return status;
}

/* The MPIs whose files are wanted; "": all of the study, as schedules of ours are measured by any,
 * and a simulation has none. */
static void choose_mpis(struct tune *t)
{
    size_t n = 0;
    if (t->in->mpi && !t->computed)
        snprintf(t->mpis, sizeof t->mpis, "%s", t->in->mpi);
    for (size_t i = 0; i < t->n && !t->in->mpi && !t->computed; i++) {
        n += (size_t)snprintf(t->mpis + n, sizeof t->mpis - n, "%s%.*s", n ? "," : "",
                              (int)strcspn(t->library[i], "-"), t->library[i]);
        if (strncmp(t->library[i], "libcollsel", 10) == 0)
            i = t->n, t->mpis[0] = '\0';
    }
}

/* Measures, probes what lies between the choices, and makes the page; of what is computed, which
 * takes no longer than the page, that is left for the files to be on it. */
static int measure(const struct tune *t)
{
    const char *const mpi = *t->mpis ? "--mpi" : "";
    const int in_steps = *t->mpis || t->computed || t->in->profile;
    int status = step(t, &cmd_sweep, 1, mpi, t->mpis, t->in->profile ? "--profile" : "",
                      t->in->profile ? t->in->profile : "", NULL);
    if (status == 0)
        status = in_steps ? step(t, &cmd_fit, 0, NULL) : step(t, &cmd_report, 1, NULL);
    if (status == 0)
        status =
            step(t, &cmd_sweep, 0, "--probe", t->computed ? "" : "--unsure", mpi, t->mpis, NULL);
    if (status == 0 && in_steps)
        status = step(t, &cmd_select, 0, NULL);
    return status == 0 && in_steps && !t->computed ? step(t, &cmd_report, 0, "--as-is", NULL)
                                                   : status;
}

/* What the model that ships says of the whole machine, where nothing was measured and it can be
 * walked: a first guess, which no file holds. */
static int guess(const struct tune *t, const struct cluster *cluster, const struct study *study,
                 struct err *err)
{
    const struct advice_question any = { .collective = study->collectives.v[0] };
    char procs[32], path[PATH_SIZE];
    const int64_t node = (int64_t)cluster->sockets * cluster->cores, all = cluster->nodes * node;
    int status = 0;
    if (t->options.quiet || all < 2 || all > MOST_GUESSED ||
        (t->n && !mpi_is(t->library[0], "openmpi")) || costs_stated(cluster, NULL) < 0 ||
        !asked_nothing_measured(&t->options, t->dir))
        return 0;
    if (asked_shipped_model(t->options.clusters, &any, path, sizeof path, err) < 0)
        return -1;
    if (node > 1 && cluster->nodes > 1)
        snprintf(procs, sizeof procs, "%lld,%lld", (long long)node, (long long)all);
    else
        snprintf(procs, sizeof procs, "%lld", (long long)all);
    puts("first guess, before anything is measured; it sets nothing:");
    for (size_t i = 0; i < study->collectives.n && status == 0; i++)
        status =
            step(t, &cmd_recommend, 0, "-q", "--collective", study->collectives.v[i], "-p", procs,
                 "-m", strcmp(study->collectives.v[i], "barrier") == 0 ? "0" : "8,64K,4M", NULL);
    return status;
}

static void say(const struct tune *t)
{
    const struct options *o = &t->options;
    printf("tune: cluster %s, study %s, backend %s, libraries", o->cluster, o->study, o->backend);
    for (size_t i = 0; i < t->n; i++)
        printf(" %s", t->library[i]);
    printf("%s, view %s, %s %s\n", t->n ? "" : " (each that was measured)", t->in->view,
           o->core_budget ? "budget"
           : o->plan      ? "plan"
                          : "every point",
           o->core_budget ? o->core_budget
           : o->plan      ? o->plan
                          : "(no --plan, no --budget)");
}

/* Nothing is measured for a library whose file could not be made: the name is that of a reader, of
 * a library or of an MPI of the study. */
static int check_name(const char *name, const struct study *study, struct err *err)
{
    const struct rules_reader *r = rules_reader_find(name);
    const size_t family = strcspn(name, "-");
    if (r ? rules_reader_writes(r) : rules_library_known(name))
        return 0;
    for (size_t i = 0; i < study->mpi.n; i++)
        if (strcmp(study->mpi.v[i], name) == 0)
            return 0;
    r = name[family] ? rules_reader_of(mpi_family(name), name + family + 1) : NULL;
    return err_usage(err,
                     "--library: '%s' is no library that rules can be written for, and no MPI of "
                     "study '%s' (want openmpi, mpich, or a release such as %s)",
                     name, study->name, r ? r->name : "openmpi-5");
}

/* Nor where each MPI of it that the study would measure is of another release. */
static int check_libraries(const struct tune *t, const struct cluster *cluster,
                           const struct study *study, struct err *err)
{
    char build[PATH_SIZE], why[WHY_SIZE];
    const struct backend *backend = backend_choose(t->options.backend, cluster, why, err);
    int status = backend ? options_build(&t->options, build, sizeof build, err) : -1;
    for (size_t l = 0; l < t->n && status == 0; l++) {
        const struct rules_reader *r = rules_reader_find(t->library[l]);
        status = check_name(t->library[l], study, err);
        for (size_t i = 0, right = 0; r && i < study->mpi.n && !backend->deterministic; i++) {
            const char *mpi = study->mpi.v[i];
            if (right || !mpi_is_listed(t->in->mpi ? t->in->mpi : r->library, mpi))
                continue;
            status = verify_check_release(cluster, mpi, build, r, err);
            right = status == 0;
        }
    }
    return status;
}

/* One study, from its times to its files. */
static int tune_study(struct tune *t, struct err *err)
{
    char path[PATH_SIZE];
    struct cluster cluster;
    struct study study;
    if (options_load(&t->options, &cluster, &study, err) < 0)
        return -1;
    snprintf(t->name, sizeof t->name, "%s-%s", cluster.name, study.name);
    int status = check_libraries(t, &cluster, &study, err);
    if (status == 0)
        status = options_dir(&t->options, &cluster, &study, t->dir, sizeof t->dir, err);
    if (status == 0)
        status = fs_path(path, sizeof path, err, "%s/.%s.tune", t->options.results, t->name);
    if (status == 0)
        status = fs_mkdirs(t->options.results, err);
    const int lock = status < 0 ? -1 : lock_take_file(path, t->name, err);
    if (lock >= 0) {
        choose_mpis(t);
        say(t);
        status = guess(t, &cluster, &study, err);
    }
    study_free(&study);
    cluster_free(&cluster);
    if (lock < 0)
        return -1;
    if (status == 0)
        status = measure(t);
    if (status == 0)
        status = make_files(t, err);
    if (status == 0)
        status = report(t);
    close(lock);
    return status;
}

/* The installed release of MPICH, as a reader is called; else the last. */
static const char *mpich_here(const struct options *o)
{
    char build[PATH_SIZE], version[NAME_SIZE] = "";
    if (options_build(o, build, sizeof build, NULL) == 0)
        library_version(NULL, "mpich", build, version, sizeof version);
    const struct rules_reader *reader = rules_reader_of("mpich", version);
    return reader ? reader->name : "mpich-5.0";
}

/* A simulation has one library's default: that of study tune is Open MPI's, of tune-mpich MPICH's.
 */
static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    struct tune ours = { .in = in, .options = in->options, .out = -1 }, theirs;
    struct tune *t = &ours;
    int status = 0;
    if (in->json && ((ours.out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) < 0 ||
                     dup2(STDERR_FILENO, STDOUT_FILENO) < 0))
        return err_errno(err, "standard output");
    if (!in->options.study_given)
        ours.options.study = "tune";
    ours.computed =
        strcmp(in->options.backend, "walk") == 0 || strcmp(in->options.backend, "sim") == 0;
    theirs = ours;
    theirs.options.study = "tune-mpich";
    const int apart = ours.computed && strcmp(ours.options.study, "tune") == 0;
    for (size_t i = 0; i < in->n_libraries; i++) {
        t = apart && strncmp(in->library[i], "mpich", 5) == 0 ? &theirs : &ours;
        t->library[t->n++] = in->library[i];
    }
    if (apart && !in->n_libraries) {
        theirs.library[theirs.n++] = mpich_here(&in->options);
        ours.library[ours.n++] = "openmpi-4.1";
    }
    if (theirs.n)
        status = tune_study(&theirs, err);
    return status == 0 && (ours.n || !theirs.n) ? tune_study(&ours, err) : status;
}

static void take_library(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    char *name;
    while ((name = strsep(&arg, ",")))
        if (in->n_libraries == MOST_LIBRARIES)
            argp_error(state, "more than %d libraries", MOST_LIBRARIES);
        else
            in->library[in->n_libraries++] = name;
}

static const struct option_row rows[] = {
    { "library", 0, "NAME,...",
      "Whose files of rules: openmpi-4.1, mpich-5.0, ... as of `collsel rules write` (default: "
      "each MPI of the study; of a simulation or a walk openmpi-4.1, and of study tune the MPICH "
      "that is installed)",
      .take = take_library },
    { "mpi", 0, "NAME", "Which MPI of that library is measured: a section [mpi NAME]",
      OPTION_TO(mpi) },
    { "view", 0, "VIEW", "Whose time of a call a rule must gain by, as of `collsel rules verify`",
      OPTION_TO(view), .words = verify_view_words, .refused = "no view" },
    { "profile", 0, "FILE",
      "Spend the --budget where the calls of this application take their time: a profile of "
      "`collsel run --report`",
      OPTION_TO(profile) },
    { "json", 0, NULL,
      "Print the first page and the files as JSON (`collsel report --json`), an object for each "
      "study; all else goes to standard error",
      OPTION_TO(json) },
    { 0 },
};

const struct command cmd_tune = {
    .name = "tune",
    .help = "measure, choose, verify: a file of rules that gains, for each MPI",
    .words = "[LIBRARY...]",
    .doc =
        "Makes files of rules, and measures what they gain: measures the study tune, also between "
        "its cells, makes the page, verifies, and writes RESULTS/CLUSTER-STUDY-NAME.rules for "
        "each MPI of the study, or each LIBRARY. Files of a simulation or a walk are not "
        "verified, and say so. --study names another study.",
    .rows = rows,
    .shared = &options_of_plan,
    .input = &(struct input){ .view = "both" },
    .take_word = take_library,
    .run = run,
};
