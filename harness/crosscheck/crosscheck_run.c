/* SPDX-License-Identifier: BSD-3-Clause */
/* crosscheck_run.c - the launches of a check, in shuffled order round by round, and the numbers in
 * them. */
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "harness/base/scratch_dir.h"
#include "harness/base/rng.h"
#include "harness/base/subprocess.h"
#include "harness/base/variable.h"
#include "harness/crosscheck/own_launches.h"
#include "harness/import/import.h"
#include "harness/run/environment.h"
#include "harness/run/libraries/launchers.h"
#include "harness/run/libraries/built.h"
#include "harness/run/lock.h"
#include "harness/run/progress.h"
#include "workloads/schedules/collectives.h"

enum { OURS = -1, LINE = 160 };

/* One launch. */
struct task {
    int round, tool; /* OURS, or of cross_tools */
    const char *collective, *algorithm;
};

struct check {
    const struct cross_request *req;
    const struct library *library;
    const struct launcher *launcher;
    struct installed mpi; /* as it was found */
    struct own_launches ours;
    struct scratch_dir scratch, shared; /* of all launches: TMPDIR, shared memory of the tools */
    struct task *tasks;
    size_t n, left; /* the first `left` are to be run */
    struct progress progress;
    size_t failed;
};

/* ---- what is to be run ---- */

/* The ask of a task; text: room for a path. */
static struct cross_ask ask_of(const struct check *c, const struct task *t, const char *scratch)
{
    const struct cross_request *r = c->req;
    return (struct cross_ask){ r->tool_dir[t->tool], t->collective, r->bytes, r->n_bytes, r->procs,
                               r->iterations,        r->warmups,    scratch };
}

static void add_task(struct check *c, int round, int tool, const char *collective,
                     const char *algorithm)
{
    struct task *t = array_add(&c->tasks, &c->n);
    *t = (struct task){ round, tool, collective, algorithm };
}

static void add_round(struct check *c, int round)
{
    const struct cross_request *r = c->req;
    add_task(c, round, OURS, "", "");
    for (int t = 0; t < CROSS_TOOLS; t++)
        for (size_t k = 0; r->tool_dir[t] && k < r->n_collectives; k++)
            for (size_t a = 0; a < r->n_algorithms; a++)
                if (own_launches_has(&c->ours, r->collective[k], r->algorithm[a]))
                    add_task(c, round, t, r->collective[k], r->algorithm[a]);
}

static void make_tasks(struct check *c)
{
    struct rng rng;
    rng_init(&rng, (uint64_t)c->req->seed);
    for (int round = 1; round <= c->req->rounds; round++) {
        const size_t first = c->n;
        add_round(c, round);
        rng_shuffle(&rng, c->tasks + first, c->n - first, sizeof *c->tasks);
    }
}

static int check_tools(const struct check *c, struct err *err)
{
    char path[PATH_SIZE];
    for (size_t i = 0; i < c->n; i++) {
        const struct task *t = &c->tasks[i];
        if (t->tool == OURS || t->round > 1)
            continue;
        const struct cross_ask ask = ask_of(c, t, "");
        if (cross_tools[t->tool].program(&ask, path, sizeof path) < 0)
            return err_usage(err, "--%s '%s' has no program for %s (want %s there)",
                             cross_tools[t->tool].name, ask.dir, t->collective,
                             cross_tools[t->tool].holds);
    }
    return 0;
}

static int text_path(const struct check *c, const struct task *t, char *path, struct err *err)
{
    return fs_path(path, PATH_SIZE, err, "%s/texts/r%d-%s-%s-%s.txt", c->req->results, t->round,
                   cross_tools[t->tool].name, t->collective, t->algorithm);
}

/* 1, 0, or -1 with *err. */
static int is_done(const struct check *c, const struct task *t, struct err *err)
{
    char path[PATH_SIZE];
    if (t->tool == OURS)
        return own_launches_done(&c->ours, t->round, err);
    return text_path(c, t, path, err) < 0 ? -1 : fs_exists(path);
}

/* Keeps the tasks that are not done, and in a dry run those of the first round alone; the others
 * stand behind them. -1 with *err. */
static int order_left(struct check *c, struct err *err)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct task t = c->tasks[i];
        const int done = is_done(c, &t, err);
        if (done < 0)
            return -1;
        if (done || (c->req->dry_run && t.round > 1))
            continue;
        memmove(c->tasks + c->left + 1, c->tasks + c->left, (i - c->left) * sizeof t);
        c->tasks[c->left++] = t;
    }
    return 0;
}

/* ---- command lines ---- */

/* What makes the library run this algorithm, for a program that knows nothing of it. */
static void force(const struct check *c, const struct task *t, struct argv *env)
{
    const struct native *native = native_find(c->req->mpi, t->collective, t->algorithm);
    struct native_setting set[NATIVE_SETTINGS];
    struct candidate plain = { .fanout = 0 };
    snprintf(plain.algorithm, sizeof plain.algorithm, "%s", t->algorithm);
    const size_t n = native ? native_settings(native, &plain, set) : 0;
    for (size_t i = 0; i < n; i++)
        argv_add(env, "%s%s=%s", native->id ? "OMPI_MCA_" : "", set[i].name, set[i].value);
}

/* The launches of all get no variable that selects algorithms or components; a word without "="
 * takes one out (harness/base/subprocess.h). */
static void clean(const struct check *c, struct argv *env, FILE *told)
{
    for (char **e = environ; *e; e++) {
        char name[NAME_SIZE * 2];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*e, "="), *e);
        const struct variable_rule *rule = variable_rule_of(name, c->req->mpi);
        if (!rule || rule->kind != VARIABLE_SELECTS)
            continue;
        argv_add(env, "%s", name);
        if (told)
            fprintf(told, "%s is kept from all launches: it %s\n", name, rule->why);
    }
}

/* What launches leave when they are killed goes with directories of ours. */
static void add_own_dirs(const struct check *c, const struct task *t, struct argv *env)
{
    const char *const *names = c->library->shares;
    if (*c->scratch.path)
        argv_add(env, "TMPDIR=%s", c->scratch.path);
    for (size_t i = 0; t->tool != OURS && *c->shared.path && names && names[i]; i++)
        argv_add(env, "%s=%s", names[i], c->shared.path);
}

static int command_of(const struct check *c, const struct task *t, struct argv *args,
                      struct argv *env, struct err *err)
{
    char program[PATH_SIZE], scratch[PATH_SIZE];
    struct launch launch = c->ours.launch;
    struct job job = { .launch = &launch,
                       .cluster = c->req->cluster,
                       .program = program,
                       .build = c->req->build,
                       .crowded = c->ours.crowded,
                       .launcher = c->launcher,
                       .mpi = &c->mpi };
    if (fs_path(scratch, sizeof scratch, err, "%s/sizes.txt", c->req->results) < 0)
        return -1;
    launch.repeat = t->round;
    clean(c, env, NULL);
    struct cross_ask ask = { 0 };
    if (t->tool != OURS)
        ask = ask_of(c, t, scratch);
    if (t->tool == OURS)
        library_program(c->req->cluster, c->req->mpi, c->req->build, program, sizeof program);
    else if (cross_tools[t->tool].program(&ask, program, sizeof program) < 0)
        return err_set(err, "'%s' has no program for %s", ask.dir, t->collective);
    c->library->command(&job, args, env);
    add_own_dirs(c, t, env);
    if (t->tool == OURS) {
        installed_say_exports(&c->mpi, args);
        return own_launches_words(&c->ours, args, err);
    }
    force(c, t, env);
    return cross_tools[t->tool].words(&ask, args, err);
}

/* ---- one launch ---- */

/* Keeps the first line that says something, but our own program's word before it: what a launcher
 * has to say comes after. */
static void take_errors(char said[LINE], const char *text, size_t n)
{
    for (size_t i = 0, begin = 0; i < n; i++) {
        if (text[i] != '\n')
            continue;
        const char *line = text + begin;
        const int ours = strncmp(line, "measure: ", 9) == 0;
        if (i > begin && isalnum((unsigned char)*line) && strncmp(line, "progress ", 9) != 0 &&
            (!*said || (ours && strncmp(said, "measure: ", 9) != 0)))
            snprintf(said, LINE, "%.*s", (int)(i - begin), line);
        begin = i + 1;
    }
}

/* Reads its complaints until it ends or its time is over. */
static void wait_for(struct child *child, int limit_s, char said[LINE])
{
    char buf[4096];
    const double end = now_s() + limit_s;
    while (!run_wait(child, 0)) {
        struct pollfd p = { .fd = child->output, .events = POLLIN };
        const int readable = poll(&p, child->output >= 0, 100) > 0;
        const ssize_t n = readable ? read(child->output, buf, sizeof buf) : -1;
        if (n > 0)
            take_errors(said, buf, (size_t)n);
        if (n == 0) { /* nothing more comes; it may still be at work */
            close(child->output);
            child->output = -1;
        }
        if (now_s() > end) {
            snprintf(said, LINE, "it ran for more than %d s and was killed", limit_s);
            run_kill(child);
            run_wait(child, 1);
            break;
        }
    }
    if (child->output >= 0)
        close(child->output);
}

/* Runs args with its output to path, which appears only when all went well. 0; 1: it failed, as
 * said tells; or -1 with *err. */
static int run_one(const struct check *c, const struct argv *args, const struct argv *env,
                   const char *path, char said[LINE], struct err *err)
{
    struct whole_file f;
    struct child child;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    if (run_start(args, env, fileno(f.file), -1, &child, err) < 0) {
        fs_abandon(&f);
        return -1;
    }
    wait_for(&child, c->req->limit_s, said);
    if (child.status == 0)
        return fs_commit(&f, err);
    fs_abandon(&f);
    return 1;
}

static int run_task(struct check *c, const struct task *t, struct err *err)
{
    struct argv args = { 0 }, env = { 0 };
    char path[PATH_SIZE], said[LINE] = "";
    int status = t->tool == OURS ? own_launches_begin(&c->ours, t->round, path, err)
                                 : text_path(c, t, path, err);
    if (status == 0)
        status = command_of(c, t, &args, &env, err);
    if (status == 0 && c->req->dry_run) {
        char *vars = argv_text(&env), *words = argv_text(&args);
        printf("%s%s%s\n", vars, env.n ? " " : "", words);
        memory_free(vars, words);
    } else if (status == 0) {
        status = run_one(c, &args, &env, path, said, err);
    }
    if (status == 1) {
        c->failed++;
        text_disarm(said);
        progress_say(&c->progress, "round %d: %s %s %s failed: %s", t->round,
                     t->tool == OURS ? "collsel" : cross_tools[t->tool].name, t->collective,
                     t->algorithm, *said ? said : "no reason given");
        status = 0;
    }
    argv_free(&args);
    argv_free(&env);
    return status;
}

static int run_all(struct check *c, struct err *err)
{
    struct argv removed = { 0 };
    if (order_left(c, err) < 0)
        return -1;
    clean(c, &removed, c->left && !c->req->quiet ? stderr : NULL);
    argv_free(&removed);
    progress_start(&c->progress, stderr, c->req->quiet || c->req->dry_run, (double)c->left,
                   c->left);
    int status = 0;
    for (size_t i = 0; i < c->left && status == 0; i++) {
        c->progress.failed = c->failed;
        progress_show(&c->progress, (double)i, i - c->failed, 1);
        status = run_task(c, &c->tasks[i], err);
    }
    progress_end(&c->progress);
    return status;
}

/* ---- the numbers ---- */

static void add_value(struct cross_values *values, const struct task *t,
                      const struct imported_row *row)
{
    const enum cross_statistic s = cross_tools[t->tool].statistic;
    struct cross_value *v = array_add(&values->v, &values->n);
    *v = (struct cross_value){ .tool = t->tool,
                               .statistic = s,
                               .bytes = row->point.cell.bytes,
                               .round = t->round,
                               .seconds = s == CROSS_MEAN_OF_RANKS ? row->mean_s : row->median_s };
    snprintf(v->collective, sizeof v->collective, "%s", t->collective);
    snprintf(v->algorithm, sizeof v->algorithm, "%s", t->algorithm);
}

/* The text of one launch, by the format that reads such texts from others, too. */
static int read_text(const struct check *c, const struct task *t, struct cross_values *values,
                     struct err *err)
{
    char path[PATH_SIZE], procs[16], *paths[] = { path };
    struct import job = { 0 };
    struct import_options o = { .format = import_format_find(cross_tools[t->tool].name) };
    if (text_path(c, t, path, err) < 0)
        return -1;
    if (!fs_exists(path))
        return 0;
    snprintf(procs, sizeof procs, "%d", c->req->procs);
    o.constants.text[ROLE_MPI] = c->req->mpi;
    o.constants.text[ROLE_MAPPING] = "core";
    o.constants.text[ROLE_PROCS] = procs;
    o.constants.text[ROLE_ALGORITHM] = "default"; /* the task knows which it was */
    o.oversubscribed = 1;
    int status = import_open(&job, &o, paths, 1, err);
    job.cluster = c->req->cluster;
    if (status == 0)
        status = import_read(&job, err);
    for (size_t i = 0; i < job.rows.n && status == 0; i++)
        if (job.rows.row[i].status == ROW_OK)
            add_value(values, t, &job.rows.row[i]);
    import_clear(&job);
    return status;
}

static int read_all(const struct check *c, struct cross_values *values, struct err *err)
{
    int status = own_launches_read(&c->ours, values, err);
    for (size_t i = 0; i < c->n && status == 0; i++)
        if (c->tasks[i].tool != OURS)
            status = read_text(c, &c->tasks[i], values, err);
    return status;
}

/* ---- directories of the launches ---- */

static int take_own_dirs(struct check *c, struct err *err)
{
    const struct study study = { .environment = "clean" };
    struct provenance p = { .n_mpi = 1 };
    snprintf(p.mpi[0].name, sizeof p.mpi[0].name, "%s", c->req->mpi);
    snprintf(p.mpi[0].launcher, sizeof p.mpi[0].launcher, "%.511s", c->mpi.mpirun);
    struct environment_record here;
    int status = environment_collect(&study, &backend_local, 0, &p, &here, err);
    c->ours.own_memory = status == 0 && !environment_shares(&here.lines);
    environment_record_free(&here);
    scratch_dir_clear_away(SCRATCH_DIR_SHARED);
    scratch_dir_take(&c->scratch, scratch_dir_temporary(), (long)getpid());
    if (c->ours.own_memory)
        scratch_dir_take(&c->shared, SCRATCH_DIR_SHARED, (long)getpid());
    return status;
}

/* ---- all of it ---- */

/* A directory of something else is not written to: a study's, a data set's. */
static int is_ours(const struct check *c, struct err *err)
{
    static const char *const others[] = { "manifest.json", "plan.csv", "imported.csv" };
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (fs_path(path, sizeof path, err, "%s/%s", c->req->results, others[i]) < 0)
            return -1;
        if (fs_exists(path))
            return err_usage(err, "'%s' holds something else, with its %s (give another --name)",
                             c->req->results, others[i]);
    }
    return 0;
}

/* Removes what an earlier check left; the lock stays. */
static int begin_fresh(const struct check *c, struct err *err)
{
    static const char *const parts[] = { "texts",     "launches",     "samples",
                                         "sizes.txt", "settings.txt", "crosscheck.csv" };
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (fs_path(path, sizeof path, err, "%s/%s", c->req->results, parts[i]) < 0 ||
            fs_remove_tree(path, err) < 0)
            return -1;
    return 0;
}

/* A check that goes on does so under the settings that it began with. */
static int same_settings(const struct check *c, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/settings.txt", c->req->results) < 0)
        return -1;
    if (!fs_exists(path))
        return fs_write(path, c->ours.settings, err);
    char *there = fs_read(path, NULL, err);
    if (!there)
        return -1;
    const int same = strcmp(there, c->ours.settings) == 0;
    free(there);
    return same ? 0
                : err_usage(err,
                            "'%s' was begun with other settings (see settings.txt there; want "
                            "another --name, or --fresh)",
                            c->req->results);
}

static int prepare(struct check *c, struct err *err)
{
    char why[REASON_SIZE];
    c->library = library_of(c->req->cluster, c->req->mpi);
    if (!c->library || !natives_of(c->req->mpi))
        return err_usage(err,
                         "--mpi '%s' is not a library (want openmpi, mpich, or an entry of theirs "
                         "in the cluster file)",
                         c->req->mpi);
    if (!c->req->dry_run)
        built_update(c->req->cluster, c->req->mpi, c->req->build, c->req->quiet ? NULL : stderr);
    if (!library_ready(c->req->cluster, c->req->mpi, c->req->build, why))
        return err_set(err, "%s", why);
    library_look(c->req->cluster, c->req->mpi, c->req->build, &c->mpi);
    c->launcher = library_launcher(c->library, c->mpi.version, 0, c->req->cluster, err);
    if (!c->launcher || own_launches_init(&c->ours, c->req, c->mpi.version, err) < 0)
        return -1;
    make_tasks(c);
    return check_tools(c, err);
}

static int run_locked(struct check *c, struct cross_values *values, struct err *err)
{
    int lock = -1, status = 0;
    if (!c->req->dry_run) {
        status = is_ours(c, err) < 0 ? -1 : fs_mkdirs(c->req->results, err);
        if (status == 0 && (lock = lock_take(c->req->results, err)) < 0)
            status = -1;
        if (status == 0 && c->req->fresh)
            status = begin_fresh(c, err);
        if (status == 0)
            status = same_settings(c, err);
        if (status == 0)
            status = take_own_dirs(c, err);
    }
    if (status == 0)
        status = run_all(c, err);
    if (status == 0 && !c->req->dry_run)
        status = read_all(c, values, err);
    values->failed = c->failed;
    if (lock >= 0)
        close(lock);
    return status;
}

int cross_run(const struct cross_request *request, struct cross_values *values, struct err *err)
{
    struct check c = { .req = request, .scratch.lock = -1, .shared.lock = -1 };
    *values = (struct cross_values){ 0 };
    int status = prepare(&c, err);
    if (status == 0)
        status = run_locked(&c, values, err);
    if (status < 0)
        cross_clear(values);
    plan_free(&c.ours.plan);
    scratch_dir_drop(&c.scratch);
    scratch_dir_drop(&c.shared);
    free(c.tasks);
    return status;
}

CLEARS(cross_clear, cross_values, it->v)
