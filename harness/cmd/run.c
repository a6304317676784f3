/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel run: an application with libcollsel before its MPI. */
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/subprocess.h"
#include "harness/cmd/asked_machine.h"
#include "harness/cmd/run_compare.h"
#include "harness/rules/rule_choices.h"
#include "harness/run/application_command.h"
#include "harness/run/child_wait.h"
#include "workloads/libcollsel/settings.h"

/* For `collsel run --rules`: converts a library's own rules file to an equivalent table of
 * libcollsel (harness/rules/rule_choices.h). */

/* Reasons repeat for many cells: so many are printed, the others counted. */
enum { MOST_TOLD = 8 };

static void tell(const char *rules, const struct rules_findings *told)
{
    for (size_t i = 0; i < told->n && i < MOST_TOLD; i++)
        fprintf(stderr, "collsel: %s: left to the library: %s\n", rules, told->v[i].text);
    if (told->n > MOST_TOLD)
        fprintf(stderr, "collsel: %s: and %zu more\n", rules, told->n - MOST_TOLD);
}

/* What a table of ours begins with. */
static const char made_by[] = "made by collsel run --rules";

/* 0 if nothing is at path, or a table written by run_rules_write;
 * -1 with *err: another file, which would be overwritten. */
static int run_rules_check(const char *path, struct err *err)
{
    size_t length;
    if (!fs_exists(path))
        return 0;
    char *text = fs_read_within(path, CHOICE_TABLE_MOST_BYTES, &length, NULL);
    const int ours =
        text && strncmp(text, "# ", 2) == 0 && strncmp(text + 2, made_by, sizeof made_by - 1) == 0;
    free(text);
    return ours ? 0
                : err_set(err,
                          "'%s' is there, and collsel run --rules has not made it (want --table "
                          "FILE: where the table goes)",
                          path);
}

/* Writes it to path. Rules that the table cannot express are left to the
 * library and reported on standard error. 0, or -1 with *err, and no table. */
static int run_rules_write(const char *rules, const struct rules_conversion *carried,
                           const char *path, struct err *err)
{
    if (carried->limited)
        fprintf(stderr, "collsel: %s: limits of requests at a time are left out\n", rules);
    if (fs_write(path, carried->text, err) < 0)
        return -1;
    tell(rules, &carried->made.told);
    return 0;
}

struct input {
    const char *mode, *report, *timeline, *mpi, *table, *repository, *judge, *cost, *learnt, *model,
        *machine, *rules;
    const struct rules_reader *reader; /* of `rules` */
    int unnamed;                       /* 1: of `rules`, and --table does not say where it goes */
    int compare;                       /* turns with and without the mode; 0: run it once */
    int json, is_kept;                 /* print the report; 1: --report says where it stays */
    struct options options;            /* where the library was built */
    char **command;                    /* ends with NULL */
};

static const char clusters_dir[] = "clusters"; /* the cluster files, as of all commands */

static int is_mode(const struct input *in, enum libcollsel_mode mode)
{
    return in->mode && strcmp(in->mode, libcollsel_mode_words[mode]) == 0;
}

/* Refuses options that do not go together. Without --mode, --model means model, and --table and
 * --rules mean table. */
static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (!in->command)
        argp_error(state, "want a command that starts an MPI application, behind --");
    if (!in->mode && (in->model || in->table || in->rules))
        in->mode = libcollsel_mode_words[in->model ? LIBCOLLSEL_MODEL : LIBCOLLSEL_TABLE];
    if (in->model && !is_mode(in, LIBCOLLSEL_MODEL) && !is_mode(in, LIBCOLLSEL_STAR))
        argp_error(state, "--model wants --mode model or star");
    if (in->rules && !is_mode(in, LIBCOLLSEL_TABLE) && !is_mode(in, LIBCOLLSEL_STAR))
        argp_error(state, "--rules wants --mode table or star");
    if (!in->rules != !in->reader)
        argp_error(state, "--rules and --library are wanted together");
    if (in->rules && in->model)
        argp_error(state, "--rules and --model exclude each other");
    if (in->table && !in->model && !is_mode(in, LIBCOLLSEL_TABLE) && !is_mode(in, LIBCOLLSEL_STAR))
        argp_error(state, "--table wants --mode table or star");
    if (!in->table && !in->rules && is_mode(in, LIBCOLLSEL_TABLE))
        argp_error(state, "--mode table wants --table or --rules");
    if (in->table && in->model)
        argp_error(state, "--table and --model exclude each other (collsel ask --table "
                          "prints what a model chooses as a table)");
    if (in->machine && !in->model && !is_mode(in, LIBCOLLSEL_MODEL))
        argp_error(state, "--for wants --model, or --mode model");
    if (in->compare && is_mode(in, LIBCOLLSEL_OFF))
        argp_error(state, "--compare wants another mode than off, which is what it compares with");
    if (in->compare && (in->report || in->timeline))
        argp_error(state, "--compare and --%s exclude each other: each run would replace it",
                   in->report ? "report" : "timeline");
    if (in->timeline && in->report && strcmp(in->timeline, in->report) == 0)
        argp_error(state, "--timeline and --report are one file: want two");
    if (in->timeline && is_mode(in, LIBCOLLSEL_OFF))
        argp_error(state, "--timeline: no call is recorded in --mode off");
    if (in->json && is_mode(in, LIBCOLLSEL_OFF))
        argp_error(state, "--json: there is no summary in --mode off");
    if ((in->repository || in->judge || in->cost || in->learnt) && !is_mode(in, LIBCOLLSEL_STAR))
        argp_error(state, "--%s wants --mode star",
                   in->repository ? "repository"
                   : in->judge    ? "judge"
                   : in->cost     ? "cost"
                                  : "learnt");
    const int is_paper = in->repository && strcmp(in->repository, "paper") == 0;
    if ((in->cost || in->learnt) &&
        (in->judge ? strcmp(in->judge, star_judge_words[STAR_SURE]) != 0 : is_paper))
        argp_error(state,
                   "--%s wants --judge sure: the paper's rule has no bound and keeps nothing",
                   in->cost ? "cost" : "learnt");
    if (in->judge && is_paper && strcmp(in->judge, star_judge_words[STAR_SURE]) == 0)
        argp_error(state, "--judge sure wants --repository full or native: paper lacks the "
                          "library's own call");
}

/* Ranks may start elsewhere. NULL: nothing is said. */
static int add_path(const char *name, const char *path, struct argv *variables, struct err *err)
{
    char here[PATH_SIZE];
    if (!path)
        return 0;
    if (*path != '/' && !getcwd(here, sizeof here))
        return err_errno(err, "%s", path);
    argv_add(variables, "%s=%s%s%s", name, *path == '/' ? "" : here, *path == '/' ? "" : "/", path);
    return 0;
}

/* The program that the library asks, with which model, and about which machine. */
static int add_model(const struct input *in, struct argv *variables, struct err *err)
{
    char own[PATH_SIZE];
    struct cluster cluster;
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length < 0)
        return err_errno(err, "/proc/self/exe");
    own[length] = '\0';
    if (add_path("COLLSEL_PROGRAM", own, variables, err) < 0 ||
        add_path("COLLSEL_MODEL", in->model, variables, err) < 0)
        return -1;
    if (!in->machine)
        return 0;
    if (cluster_load(clusters_dir, in->machine, &cluster, err) < 0)
        return -1;
    const int status = add_path("COLLSEL_FOR", cluster.path, variables, err);
    cluster_free(&cluster);
    return status;
}

static int add_variables(const struct input *in, struct argv *variables, struct err *err)
{
    argv_add(variables, "COLLSEL_MODE=%s",
             in->mode ? in->mode : libcollsel_mode_words[LIBCOLLSEL_TRACE]);
    if (in->repository)
        argv_add(variables, "COLLSEL_REPOSITORY=%s", in->repository);
    if (in->judge)
        argv_add(variables, "COLLSEL_JUDGE=%s", in->judge);
    if (in->cost)
        argv_add(variables, "COLLSEL_COST=%s", in->cost);
    if (add_path("COLLSEL_LEARNT", in->learnt, variables, err) < 0)
        return -1;
    if (add_path("COLLSEL_TABLE", in->table, variables, err) < 0 ||
        add_model(in, variables, err) < 0)
        return -1;
    return add_path("COLLSEL_TIMELINE", in->timeline, variables, err) < 0
               ? -1
               : add_path("COLLSEL_REPORT", in->report, variables, err);
}

/* Which model answers, and about which machine: of mode model without one the model that ships; one
 * that walks needs a machine, and takes the cluster that is meant (cluster_default). */
static int choose_model(struct input *in, struct err *err)
{
    static char shipped[PATH_SIZE], machine[PATH_SIZE];
    struct model_file file;
    const int ships = !in->model && is_mode(in, LIBCOLLSEL_MODEL);
    if (ships && !asked_first_model(clusters_dir, shipped, sizeof shipped))
        return err_set(err, "--mode model: no model ships with this program (want --model FILE: "
                            "collsel train)");
    if (ships)
        in->model = shipped;
    if (!in->model)
        return 0;
    if (model_file_read(in->model, &file, err) < 0)
        return -1;
    const int walks = file.walks;
    model_file_clear(&file);
    if (walks && !in->machine) {
        if (cluster_default(clusters_dir, machine, sizeof machine, err) < 0)
            return err_prefix(err, "--for");
        in->machine = machine;
    }
    if (ships)
        fprintf(stderr,
                "collsel run: without --model the model that ships (%s) answers for cluster %s; no "
                "gain has an interval, and what was measured does not count (want --model FILE: "
                "collsel train)\n",
                asked_model_label(in->model), in->machine);
    return 0;
}

/* What is read of a pipe would be gone when the library reads it: whether it opens is all. */
static int check_pipe(const char *path, struct err *err)
{
    FILE *pipe;
    if (fs_open(path, &pipe, err) <= 0)
        return -1;
    fclose(pipe);
    return 0;
}

/* As the library will read it, when MPI begins. */
static int check_table(const char *path, struct err *err)
{
    size_t length;
    struct stat st;
    if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode))
        return check_pipe(path, err);
    char *text = fs_read_within(path, CHOICE_TABLE_MOST_BYTES, &length, err);
    struct choice_table *table = text ? choice_table_parse(text, length, path, err) : NULL;
    const int status = table ? 0 : -1;
    choice_table_free(table);
    free(text);
    return status;
}

/* What is read of a file of rules: the table to write. Of a table, whether it can be read. */
static int read_files(const struct input *in, struct rules_conversion *carried, struct err *err)
{
    if (in->table && !in->rules)
        return check_table(in->table, err);
    if (!in->rules)
        return 0;
    if (fs_same(in->rules, in->table))
        return err_usage(err, "--table: %s is what the table is made of (want another file)",
                         in->table);
    if (in->unnamed && run_rules_check(in->table, err) < 0)
        return -1;
    if (rules_convert(in->rules, in->reader, made_by, carried, err) < 0)
        return -1;
    fprintf(stderr,
            "collsel: %s: read for 2 to %d ranks; larger communicators are left to the library\n",
            in->rules, CHOICE_TABLE_RULES_PROCS);
    return 0;
}

static int check_program(const char *word, struct err *err)
{
    char path[PATH_SIZE];
    const int found =
        strchr(word, '/') ? access(word, X_OK) == 0 : run_find(word, path, sizeof path);
    return found ? 0 : err_set(err, "cannot run '%s': there is no such program", word);
}

/* Cuts the last name off; "." or "/" where there is no other. */
static void cut_name(char path[PATH_SIZE])
{
    char *slash = strrchr(path, '/');
    if (!slash)
        snprintf(path, PATH_SIZE, ".");
    else
        slash[slash == path] = '\0';
}

/* Into a directory nothing is written, and it would pass for a report that is there. Where a file
 * cannot be written either, that is no news for the end of a long run: the directories of which it
 * is that are there already have to take one. */
static int check_output(const char *option, const char *path, struct err *err)
{
    struct stat st;
    char dir[PATH_SIZE];
    if (!path)
        return 0;
    if (!*path)
        return err_usage(err, "--%s: want a file", option);
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return err_set(err, "--%s: '%s' is a directory (want a file)", option, path);
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return 0;
    if (fs_path(dir, sizeof dir, err, "%s", path) < 0)
        return err_prefix(err, "--%s", option);
    do
        cut_name(dir);
    while (stat(dir, &st) < 0 && errno == ENOENT && strcmp(dir, ".") != 0 && strcmp(dir, "/") != 0);
    if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode))
        return err_set(err, "--%s: '%s': '%s' is no directory", option, path, dir);
    return access(dir, W_OK | X_OK) == 0
               ? 0
               : err_errno(err, "--%s: '%s' cannot be written: '%s'", option, path, dir);
}

/* Its directories, which are there when the application ends. */
static int make_dir(const char *option, const char *path, struct err *err)
{
    char dir[PATH_SIZE];
    if (!path)
        return 0;
    if (fs_path(dir, sizeof dir, err, "%s", path) < 0)
        return -1;
    cut_name(dir);
    return fs_mkdirs(dir, err) < 0 ? err_prefix(err, "--%s", option) : 0;
}

/* All that can be wrong is looked for before anything is written. */
static int make_command(const struct input *in, struct argv *command, struct err *err)
{
    char build[PATH_SIZE];
    struct argv variables = { 0 };
    struct rules_conversion carried = { .text = NULL };
    int status = read_files(in, &carried, err);
    if (status == 0)
        status = add_variables(in, &variables, err);
    if (status == 0)
        status = options_build(&in->options, build, sizeof build, err);
    if (status == 0)
        status = application_command(in->command, in->mpi, build, &variables, command, err);
    if (status == 0)
        status = check_program(in->command[0], err);
    if (status == 0)
        status = check_output("report", in->report, err);
    if (status == 0)
        status = check_output("learnt", in->learnt, err);
    if (status == 0)
        status = check_output("timeline", in->timeline, err);
    if (status == 0 && in->timeline && fs_replaceable(in->timeline, err) < 0)
        status = err_prefix(err, "--timeline");
    if (status == 0)
        status = make_dir("timeline", in->timeline, err);
    if (status == 0)
        status = make_dir("report", is_mode(in, LIBCOLLSEL_OFF) ? NULL : in->report, err);
    if (status == 0)
        status = make_dir("learnt", in->learnt, err);
    if (status == 0 && carried.text)
        status = run_rules_write(in->rules, &carried, in->table, err);
    rules_conversion_clear(&carried);
    argv_free(&variables);
    return status;
}

/* What stands at the report's path; nodes of other kinds than files are written to as they are. */
struct report_seen {
    int is_file, is_other;
    struct stat st;
};

static struct report_seen look_at_report(const char *path)
{
    struct report_seen r = { .is_file = 0 };
    const int there = stat(path, &r.st) == 0;
    r.is_file = there && S_ISREG(r.st.st_mode);
    r.is_other = there && !r.is_file;
    return r;
}

/* 1 when the application has written it; whoever writes puts a new file in its place. */
static int is_written(const struct report_seen *before, const char *path)
{
    const struct report_seen now = look_at_report(path);
    return now.is_other || before->is_other ||
           (now.is_file && (!before->is_file || now.st.st_ino != before->st.st_ino ||
                            now.st.st_mtim.tv_sec != before->st.st_mtim.tv_sec ||
                            now.st.st_mtim.tv_nsec != before->st.st_mtim.tv_nsec));
}

/* Prints the report behind all that the application has written; without --report it goes then. */
static void print_report(const struct input *in)
{
    char *text = fs_read(in->report, NULL, NULL);
    fputs(text ? text : "", stdout);
    fflush(stdout);
    free(text);
    if (!in->is_kept)
        unlink(in->report);
}

/* A report or timeline that was asked for and is not there is a failure, but the application's own
 * counts more. */
static int attend_files(const struct input *in, char *const *command, struct err *err)
{
    const char *const path[] = { in->report, in->timeline };
    struct report_seen before[2] = { { 0 }, { 0 } };
    int written[2];
    for (int i = 0; i < 2; i++)
        if (path[i])
            before[i] = look_at_report(path[i]);
    const int status = child_wait(command, err);
    if (status < 0)
        return -1;
    for (int i = 0; i < 2; i++)
        written[i] = path[i] && is_written(&before[i], path[i]);
    for (int i = 0; i < 2; i++)
        if (status == 0 && path[i] && !written[i])
            return err_set(err, "'%s': the application ended well and left no %s there", path[i],
                           i ? "timeline" : "report");
    if (in->json && written[0])
        print_report(in);
    child_wait_end(status);
}

/* Runs the command by turns with the mode and without the library. */
static int compare(const struct input *in, char *const *command, struct err *err)
{
    const struct input off = { .mode = libcollsel_mode_words[LIBCOLLSEL_OFF],
                               .mpi = in->mpi,
                               .options = in->options,
                               .command = in->command };
    struct argv plain = { 0 };
    int status = make_command(&off, &plain, err);
    const struct run_compare c = { .command = command,
                                   .plain = plain.v,
                                   .mode = in->mode ? in->mode
                                                    : libcollsel_mode_words[LIBCOLLSEL_TRACE],
                                   .learnt = in->learnt,
                                   .turns = in->compare,
                                   .json = in->json };
    if (status == 0)
        status = run_compare(&c, err);
    argv_free(&plain);
    return status;
}

static int run(const void *input, struct err *err)
{
    struct input in = *(const struct input *)input;
    struct argv command = { 0 };
    char here[64]; /* where rank 0 finds it on any node, as a file of --report */
    snprintf(here, sizeof here, ".collsel-run-%ld.json", (long)getpid());
    in.is_kept = in.report != NULL;
    if (in.compare && run_compare_check(err) < 0)
        return -1;
    if (in.json && !in.report && !in.compare)
        in.report = here;
    in.unnamed = in.rules && !in.table;
    if (in.unnamed)
        in.table = "collsel-rules.csv";
    int status = choose_model(&in, err) < 0 ? -1 : make_command(&in, &command, err);
    if (status == 0 && in.compare) {
        status = compare(&in, command.v, err);
        argv_free(&command);
        return status;
    }
    if (status == 0 && (in.report || in.timeline) && !is_mode(&in, LIBCOLLSEL_OFF)) {
        attend_files(&in, command.v, err);
    } else if (status == 0) {
        execvp(command.v[0], command.v);
        err_errno(err, "cannot run '%s'", command.v[0]);
    }
    argv_free(&command);
    return -1;
}

static void check_mpi(const char *arg, struct argp_state *state)
{
    if (!mpi_is_read(arg) || !text_is_name(arg))
        argp_error(state, "--mpi: '%s' is unknown (want openmpi, mpich or openmpi-...)", arg);
}

static void check_cost(const char *arg, struct argp_state *state)
{
    uint64_t millionths;
    if (libcollsel_cost(arg, &millionths) < 0)
        argp_error(state, "--cost: '%s' is no share of time (want 0.1%% to 50%%, as 2%%)", arg);
}

static const struct option_row rows[] = {
    { "mode", 0, "MODE",
      "trace, the default: record what is called, with sizes, times and arrivals, and change "
      "nothing; table: run what --table says; star: try algorithms, and take the fastest; off: do "
      "nothing; model: run what --model says",
      OPTION_TO(mode), .words = libcollsel_mode_words },
    { "table", 0, "FILE",
      "Which algorithm to run for how many ranks and bytes; mode table. With --mode star: what to "
      "try. With --rules: where its table goes (collsel-rules.csv)",
      OPTION_TO(table) },
    { "model", 0, "FILE",
      "What `collsel train` wrote: each communicator runs what it chooses for its ranks and nodes; "
      "mode model (default: the model that ships). With --mode star: its three likeliest are tried",
      OPTION_TO(model) },
    { "for", 0, "CLUSTER",
      "The cluster of the answers (clusters/CLUSTER.ini, or a path) instead of the one that the "
      "model was learnt on (default of a model that walks: the only file of clusters/, or this "
      "machine)",
      OPTION_TO(machine) },
    { "rules", 0, "FILE",
      "A file of rules of an MPI library, which --library names: what it says is made a table "
      "before the command starts, and run, under either MPI; mode table. With --mode star: what to "
      "try",
      OPTION_TO(rules) },
    { "library", 0, "NAME",
      "Whose reader --rules is for: openmpi-4.0, openmpi-4.1, openmpi-5.0.0, openmpi-5, openmpi-6, "
      "mpich-4.0, mpich-4.1, mpich-4.2, mpich-4.3 or mpich-5.0",
      OPTION_TO(reader) },
    { "repository", 0, "NAME",
      "What star tries: full, the default: the library's own call and all schedules; native: that "
      "and libraries' own algorithms; paper: those of STAR-MPI",
      OPTION_TO(repository), .words = repository_words },
    { "judge", 0, "NAME",
      "By what star chooses: sure: the library's own call runs until another one is surely faster "
      "in calls by turns, within --cost; fastest: each one's fastest call, the paper's rule "
      "(default: fastest with --repository paper, else sure)",
      OPTION_TO(judge), .words = star_judge_words },
    { "cost", 0, "SHARE",
      "At most this share of the time in each kind of call is spent on trying, beyond a quarter of "
      "what was gained: 0.1% to 50% (default: 2%)",
      OPTION_TO(cost), .check = check_cost },
    { "learnt", 0, "FILE",
      "Begin where the last run of this program with this FILE ended; it is made if it is missing, "
      "and written when the application ends (with --compare all turns begin with the same file)",
      OPTION_TO(learnt) },
    { "report", 0, "FILE", "Write the summary to FILE, too, as JSON", OPTION_TO(report) },
    { "timeline", 0, "FILE",
      "Write each call of each rank to FILE with its times, as trace events for "
      "https://ui.perfetto.dev: the first 2^20 of all ranks together",
      OPTION_TO(timeline) },
    { "json", 0, NULL,
      "Print the summary as JSON on standard output, too, behind the application's",
      OPTION_TO(json) },
    { "compare", 0, "N",
      "Run the command N times with the mode and N times with --mode off, by turns, and print the "
      "ratio of the times with its 95 % interval (--json: as JSON)",
      OPTION_RANGE(compare, 2, RUN_COMPARE_MOST) },
    { "mpi", 0, "NAME",
      "openmpi, mpich, or an MPI of a cluster file that was built (openmpi-5): what the "
      "application is linked with, where a script starts it (default: look at the first word of "
      "the command that is linked with one)",
      OPTION_TO(mpi), .check = check_mpi },
    { "build", 0, "DIR", "Where the library was built (default: beside this program)",
      OPTION_TO(options.build) },
    { 0 },
};

const struct command cmd_run = {
    .name = "run",
    .help = "an MPI application with libcollsel before its MPI",
    .words = "COMMAND...",
    .doc = "Runs a command that starts an MPI application (mpirun, srun, or the application "
           "alone) with libcollsel preloaded into its ranks. When it ends rank 0 prints a "
           "summary on standard error. The exit status is the command's.",
    .rows = rows,
    .input = &(struct input){},
    .all_words = INPUT_AT(command),
    .words_end_options = 1,
    .check = check,
    .run = run,
};
