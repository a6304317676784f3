/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/estimate.h"
#include "harness/journal.h"
#include "harness/lock.h"
#include "harness/progress.h"
#include "harness/provenance.h"
#include "harness/run.h"
#include "harness/slurm/blame.h"
#include "harness/slurm/slurm.h"

enum { TICK_MS = 200, LINE_SIZE = 1024, LEAST_FREE_MIB = 64, MAX_JOBS = 64, POINTS_IN_VAIN = 5 };

/* How long a launcher may take to end when its last point is finished (or point_limit, where that
 * is less); what it still does then is no measurement. */
static const double end_grace_s = 20;

/* How long a task waits for an earlier start of its own that Slurm has given up to let go of the
 * launch. That one looks at the lock's file twice a second; NFS shows it within a minute, and Slurm
 * may take ten seconds to say which node failed. */
static const double orphan_patience_s = 180, orphan_look_s = 0.5;

/* A launch of the plan with what is left of it. */
struct task {
    const struct launch *launch;
    char *todo;    /* by index into plan->points; only those of the launch are used */
    size_t left;   /* points to do */
    int fruitless; /* attempts in a row that finished no point */
    int running;
    double weight; /* of the points to do, at the start of this run */
};

/* One MPI job at work. */
struct job_slot {
    struct task *task; /* NULL: free */
    struct child child;
    int attempt, log;
    double started_s, progress_s; /* monotonic: start, last sign of life */
    size_t done, total;           /* points, as it reports */
    char line[LINE_SIZE];         /* of its standard error, being read */
    size_t line_len;
    char last[REASON_SIZE];   /* its last line that is not progress */
    char killed[REASON_SIZE]; /* why we killed it; "" we did not */
    char node[NODE_SIZE];     /* that the launcher names as broken; "" none */
    int hung, interrupted;
    int log_cut;
    int begun; /* it had opened its samples: the launcher worked */
};

struct sweep {
    const struct sweep_request *req;
    struct sweep_result *result;
    struct plan plan;
    struct provenance provenance;
    struct journal journal;
    struct progress progress;
    struct run_record record;
    char example[4096]; /* first command line, for the manifest */
    struct task *tasks;
    size_t n_tasks;
    struct job_slot slots[MAX_JOBS];
    int n_slots, cores;
    int lock, signals;
    int *failures; /* by point: how often it was in flight when its job broke */
    double weight_done;
    size_t points_done;
    int out_of_time;          /* Slurm's warning: the limit of the task is near */
    char bad_node[NODE_SIZE]; /* the allocation is broken: this node failed; "" none */
    int stop;                 /* start nothing more: interrupted or a fatal error */
    double looked_s;          /* when we last looked whether our launch is wanted elsewhere */
    struct err *err;
};

/* ---- before ---- */

static int check_disk(struct sweep *s)
{
    struct statvfs v;
    if (statvfs(s->req->dir, &v) < 0)
        return err_errno(s->err, "cannot look at '%s'", s->req->dir);
    unsigned long long mib = (unsigned long long)v.f_bavail * v.f_frsize >> 20;
    if (mib < LEAST_FREE_MIB)
        return err_set(s->err, "'%s' has %llu MiB left (want at least %d)", s->req->dir, mib,
                       LEAST_FREE_MIB);
    return 0;
}

static double point_weight(const struct sweep *s, size_t i)
{
    const double overhead = 2000; /* in simulated messages: a point's start and end */
    if (!s->req->backend->deterministic)
        return 1;
    return overhead + point_messages(&s->plan.points[i], s->req->study->inner);
}

/* What the store says of each point of a launch. */
static void fill_task(struct sweep *s, struct task *t, const struct store *store)
{
    const struct launch *l = t->launch;
    for (size_t i = l->first; i < l->first + l->n; i++) {
        const char *id = s->plan.points[i].id;
        const struct failure *f = store_failure(store, id, "", l->repeat);
        s->result->points++;
        s->failures[i] = f ? f->count : 0;
        if (store_find(store, id, l->repeat)) {
            s->result->finished++;
        } else if (s->failures[i] > s->req->retries) {
            s->result->failed++;
        } else {
            t->todo[i] = 1;
            t->left++;
            t->weight += point_weight(s, i);
        }
    }
}

static int by_weight(const void *left, const void *right)
{
    const struct task *a = left, *b = right;
    return (a->weight < b->weight) - (a->weight > b->weight);
}

static int make_tasks(struct sweep *s)
{
    struct store store;
    s->n_tasks = s->plan.n_launches;
    s->tasks = calloc(s->n_tasks, sizeof *s->tasks);
    s->failures = calloc(s->plan.n, sizeof *s->failures);
    if (!s->tasks || !s->failures)
        return err_set(s->err, "out of memory");
    if (store_open(s->req->dir, s->provenance.digest, &store, s->err) < 0)
        return -1;
    if (store.n_other)
        progress_say(&s->progress,
                     "%zu earlier sample files were measured under other facts or settings "
                     "and are passed over",
                     store.n_other);
    int status = 0;
    for (size_t i = 0; status == 0 && i < s->n_tasks; i++) {
        s->tasks[i].launch = &s->plan.launches[i];
        if (s->req->only && strcmp(s->req->only, s->plan.launches[i].name) != 0)
            continue;
        s->tasks[i].todo = calloc(s->plan.n, 1);
        if (s->tasks[i].todo)
            fill_task(s, &s->tasks[i], &store);
        else
            status = err_set(s->err, "out of memory");
    }
    store_free(&store);
    if (s->req->backend->parallel) /* the largest first, so that cores end together */
        qsort(s->tasks, s->n_tasks, sizeof *s->tasks, by_weight);
    return status;
}

static size_t points_left(const struct sweep *s, double *weight)
{
    size_t left = 0;
    *weight = 0;
    for (size_t i = 0; i < s->n_tasks; i++) {
        left += s->tasks[i].left;
        *weight += s->tasks[i].weight;
    }
    return left;
}

/* ---- starting a job ---- */

/* The nodes of the allocation in Slurm's order, where their names can be read. */
static void add_hosts(const struct sweep *s, struct argv *args)
{
    enum { MOST_NODES = 16384 };
    if (!s->req->job_nodes || !*s->req->job_nodes)
        return;
    char(*names)[NODE_SIZE] = calloc(MOST_NODES, sizeof *names), *text = NULL;
    size_t len;
    FILE *out = names ? open_memstream(&text, &len) : NULL;
    const long n = out ? slurm_hosts(s->req->job_nodes, names, MOST_NODES, NULL) : -1;
    for (long i = 0; i < n; i++)
        fprintf(out, "%s%s", i ? "," : "", names[i]);
    if (out)
        fclose(out);
    if (n > 0)
        argv_add(args, "--hosts=%s", text);
    free(text);
    free(names);
}

/* What the measuring program judges the placement by. */
static void add_seats(const struct sweep *s, const struct launch *l, struct argv *args)
{
    const struct cluster *c = s->req->cluster;
    argv_add(args, "--sockets=%d", c->sockets);
    argv_add(args, "--cores=%d", c->cores);
    if (c->cache_cores)
        argv_add(args, "--cache-cores=%d", c->cache_cores);
    if (launcher_binds(c, backend_crowded(s->req->backend, c, l, s->cores)) &&
        !s->req->backend->deterministic)
        argv_add(args, "--bound");
    add_hosts(s, args);
}

/* What local work costs, in a simulation. */
static void add_charge(struct argv *args, const char *option, const struct cost_list *costs)
{
    char text[4096];
    size_t used = 0;
    for (size_t i = 0; i < costs->n && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%llu:%.9g:%.9g", i ? "," : "",
                                 (unsigned long long)costs->v[i].from_bytes, costs->v[i].seconds,
                                 costs->v[i].seconds_per_byte);
    if (used)
        argv_add(args, "--%s=%s", option, text);
}

static void add_measure_args(const struct sweep *s, const struct launch *l, const char *base,
                             struct argv *args)
{
    const struct study *st = s->req->study;
    const struct provenance *p = &s->provenance;
    int check =
        strcmp(st->check, "auto") == 0 ? !s->req->backend->deterministic : st->check[0] == 'y';
    argv_add(args, "--points");
    argv_add(args, "%s/launches/%s.csv", s->req->dir, base);
    argv_add(args, "--samples");
    argv_add(args, "%s/samples/%s-%s.csv", s->req->dir, base, p->digest);
    argv_add(args, "--outcomes");
    argv_add(args, "%s/samples/%s-%s.outcomes.csv", s->req->dir, base, p->digest);
    argv_add(args, "--placement");
    argv_add(args, "%s/samples/%s-%s.placement.csv", s->req->dir, base, p->digest);
    argv_add(args, "--digest=%s", p->digest);
    argv_add(args, "--mapping=%s", l->mapping);
    argv_add(args, "--nodes=%d", l->nodes);
    argv_add(args, "--ppn=%d", l->ppn);
    add_seats(s, l, args);
    argv_add(args, "--precision=%g", st->precision);
    argv_add(args, "--confidence=%g", st->confidence);
    argv_add(args, "--min-reps=%d", st->min_reps);
    argv_add(args, "--max-reps=%d", st->max_reps);
    argv_add(args, "--budget=%g", st->budget);
    argv_add(args, "--warmup=%d", st->warmup);
    argv_add(args, "--inner=%d", st->inner);
    argv_add(args, "--sentinel-every=%d", st->sentinel_every);
    argv_add(args, "--seed=%llu", (unsigned long long)st->seed);
    if (s->req->backend->deterministic) {
        argv_add(args, "--deterministic");
        add_charge(args, "copy-cost", &s->req->cluster->copy_cost);
        add_charge(args, "reduce-cost", &s->req->cluster->reduce_cost);
    }
    if (!check)
        argv_add(args, "--no-check");
}

static void add_fact(struct argv *args, const char *key, const char *value)
{
    argv_add(args, "--provenance");
    argv_add(args, "%s=%s", key, *value ? value : "unknown");
}

static void add_provenance(const struct sweep *s, const struct launch *l, const char *command,
                           struct argv *args)
{
    const struct provenance *p = &s->provenance;
    int crowded = backend_crowded(s->req->backend, s->req->cluster, l, s->cores);
    char utc[32];
    add_fact(args, "commit", p->commit);
    add_fact(args, "cluster", s->req->cluster->name);
    add_fact(args, "study", s->req->study->name);
    add_fact(args, "backend", backend_label(s->req->backend, s->req->cluster));
    add_fact(args, "launch", l->name);
    add_fact(args, "mpi", l->mpi);
    add_fact(args, "mpi_version", provenance_version(p, l->mpi));
    add_fact(args, "compiler", p->compiler);
    add_fact(args, "host", p->host);
    add_fact(args, "kernel", p->kernel);
    add_fact(args, "cpu", p->cpu);
    add_fact(args, "started", utc_now(utc, sizeof utc));
    add_fact(args, "oversubscribed", crowded ? "yes" : "no");
    add_fact(args, "launcher", command);
}

/* For a launcher that is a shell script and splits words again: what it could change becomes '_'.
 */
static void join_words(struct argv *args, size_t first)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:,=+@%";
    for (size_t i = first; i < args->n; i++)
        for (char *p = args->v[i]; *(p += strspn(p, plain));)
            *p = '_';
}

/* The whole command line of a job. */
static int make_command(struct sweep *s, const struct launch *l, const char *base,
                        struct argv *args, struct argv *env)
{
    char program[PATH_SIZE], platform[PATH_SIZE], hostfile[PATH_SIZE];
    const struct library *library = library_find(l->mpi);
    struct job job = { .launch = l,
                       .cluster = s->req->cluster,
                       .program = program,
                       .build = s->req->build,
                       .crowded = backend_crowded(s->req->backend, s->req->cluster, l, s->cores) };
    if (!library)
        return err_set(s->err, "launch '%s': '%s' is not an MPI library", l->name, l->mpi);
    job.launcher = library_launcher(library, provenance_version(&s->provenance, l->mpi),
                                    s->req->backend->queued, s->req->cluster, s->err);
    if (!job.launcher)
        return -1;
    library_program(library, s->req->build, program, sizeof program);
    if (s->req->backend->describe &&
        s->req->backend->describe(s->req->dir, &job, platform, hostfile, PATH_SIZE, s->err) < 0)
        return -1;
    if (library->command(&job, args, env) < 0)
        return err_set(s->err, "out of memory");
    char *words = argv_text(args), *vars = argv_text(env);
    char command[2 * LINE_SIZE];
    snprintf(command, sizeof command, "%s%s%s", vars ? vars : "", env->n ? " " : "",
             words ? words : "");
    free(words);
    free(vars);
    add_measure_args(s, l, base, args);
    if (!*s->example) {
        char *text = argv_text(args);
        snprintf(s->example, sizeof s->example, "%s", text ? text : "unknown");
        free(text);
    }
    size_t facts = args->n;
    add_provenance(s, l, command, args);
    if (library->splits_words)
        join_words(args, facts);
    return args->bad ? err_set(s->err, "out of memory") : 0;
}

/* Writes what happened to a launch; the event's other fields are the caller's. */
static int tell(struct sweep *s, const struct task *t, const char *what, struct event *e)
{
    snprintf(e->launch, sizeof e->launch, "%s", t->launch->name);
    snprintf(e->event, sizeof e->event, "%s", what);
    snprintf(e->digest, sizeof e->digest, "%s", s->provenance.digest);
    snprintf(e->job, sizeof e->job, "%s", s->req->job ? s->req->job : "");
    if (strcmp(what, "started") == 0)
        snprintf(e->nodes, sizeof e->nodes, "%s", s->req->job_nodes ? s->req->job_nodes : "");
    else
        e->cores = s->req->job_cores;
    return journal_write(&s->journal, e, s->err);
}

static int open_log(struct sweep *s, const char *base)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, s->err, "%s/launches/%s.log", s->req->dir, base) < 0)
        return -1;
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    return fd >= 0 ? fd : err_errno(s->err, "cannot write '%s'", path);
}

static int start_files(struct sweep *s, struct task *t, const char *base)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, s->err, "%s/samples", s->req->dir) < 0 ||
        fs_mkdirs(path, s->err) < 0 ||
        fs_path(path, sizeof path, s->err, "%s/launches/%s.csv", s->req->dir, base) < 0)
        return -1;
    return plan_write_launch(&s->plan, t->launch, t->todo, path, s->err);
}

static int start_job(struct sweep *s, struct job_slot *slot, struct task *t)
{
    char base[LAUNCH_SIZE + 16];
    struct argv args = { 0 }, env = { 0 };
    int attempt = store_attempts(s->req->dir, t->launch->name) + 1;
    snprintf(base, sizeof base, "%s.a%d", t->launch->name, attempt);
    *slot = (struct job_slot){
        .attempt = attempt, .started_s = now_s(), .progress_s = now_s(), .log = -1
    };
    int status = check_disk(s);
    if (status == 0)
        status = start_files(s, t, base);
    if (status == 0)
        status = make_command(s, t->launch, base, &args, &env);
    if (status == 0)
        status = (slot->log = open_log(s, base)) < 0 ? -1 : 0;
    if (status == 0)
        status = run_start(&args, &env, slot->log, &slot->child, s->err);
    argv_free(&args);
    argv_free(&env);
    if (status < 0) {
        if (slot->log >= 0)
            close(slot->log);
        return -1;
    }
    slot->task = t;
    t->running = 1;
    struct event e = { .attempt = attempt, .points = (long)t->left, .pid = (long)slot->child.pid };
    return tell(s, t, "started", &e);
}

/* ---- watching ---- */

/* Keeps a line as the reason of a failure: the latest that says something, but our own program's
 * word before the launcher's. */
static void keep_last(struct job_slot *slot)
{
    size_t i = 0;
    while (i < slot->line_len && !isalnum((unsigned char)slot->line[i]))
        i++;
    if (i < slot->line_len && strncmp(slot->last, "measure:", 8) != 0)
        snprintf(slot->last, sizeof slot->last, "%.159s", slot->line);
}

/* One line of a job's standard error. */
static void take_line(struct job_slot *slot)
{
    unsigned long done, total;
    char junk;
    slot->line[slot->line_len] = '\0';
    if (sscanf(slot->line, "progress %lu %lu%c", &done, &total, &junk) == 2 && done <= total) {
        slot->done = done;
        slot->total = total;
        slot->progress_s = now_s();
    } else if (slot->line_len) {
        /* the log is for people; that a full disk cuts it short is seen elsewhere */
        if (write(slot->log, slot->line, slot->line_len) > 0)
            slot->log_cut |= write(slot->log, "\n", 1) != 1;
        keep_last(slot);
        if (!*slot->node)
            blame_node(slot->line, slot->node);
    }
    slot->line_len = 0;
}

static void read_output(struct job_slot *slot)
{
    char buf[4096];
    ssize_t n;
    while ((n = read(slot->child.output, buf, sizeof buf)) > 0)
        for (ssize_t i = 0; i < n; i++) {
            if (buf[i] == '\n')
                take_line(slot);
            else if (slot->line_len + 1 < sizeof slot->line)
                slot->line[slot->line_len++] = buf[i];
        }
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        close(slot->child.output);
        slot->child.output = -1;
    }
}

static void kill_job(struct job_slot *slot, const char *fmt, double seconds)
{
    if (*slot->killed)
        return;
    char text[32];
    format_duration(seconds, text, sizeof text);
    snprintf(slot->killed, sizeof slot->killed, fmt, text);
    run_kill(&slot->child);
}

/* A launcher that does not end (a rank that never leaves MPI_Finalize) has measured all the same.
 * Gives 1 when all of its points are finished. */
static int check_end(struct sweep *s, struct job_slot *slot, double now)
{
    const double grace_s = fmin(end_grace_s, s->req->study->point_limit);
    if (!slot->total || slot->done < slot->total || s->req->backend->deterministic)
        return 0;
    if (now - slot->progress_s > grace_s)
        kill_job(slot, "the launcher had not ended %s after the last point: killed",
                 now - slot->progress_s);
    return 1;
}

static void check_limits(struct sweep *s, struct job_slot *slot)
{
    double now = now_s();
    const struct study *st = s->req->study;
    if (*slot->killed || check_end(s, slot, now))
        return;
    slot->hung = 1;
    if (now - slot->progress_s > st->point_limit)
        kill_job(slot, "hung: no point was finished for %s", now - slot->progress_s);
    else if (now - slot->started_s > st->launch_limit)
        kill_job(slot, "the launch had run for %s", now - slot->started_s);
    else
        slot->hung = 0;
}

/* ---- after a job ---- */

/* Takes the points that are finished off the list. Returns how many they are, or -1. */
static int collect(struct sweep *s, struct job_slot *slot)
{
    struct store store;
    struct task *t = slot->task;
    int finished = 0;
    if (store_open_attempt(s->req->dir, t->launch->name, slot->attempt, s->provenance.digest,
                           &store, s->err) < 0)
        return -1;
    for (size_t i = t->launch->first; i < t->launch->first + t->launch->n; i++) {
        if (!t->todo[i] || !store_find(&store, s->plan.points[i].id, t->launch->repeat))
            continue;
        t->todo[i] = 0;
        t->left--;
        s->weight_done += point_weight(s, i);
        finished++;
    }
    slot->begun = store.n_files > 0 && (store.files[0].n > 0 || !store.files[0].truncated);
    store_free(&store);
    s->points_done += (size_t)finished;
    s->result->finished += (size_t)finished;
    s->result->measured += (size_t)finished;
    return finished;
}

static void give_up(struct sweep *s, struct task *t, size_t i)
{
    t->todo[i] = 0;
    t->left--;
    s->weight_done += point_weight(s, i);
    s->result->failed++;
}

/* Why a job did not finish its points. */
static void describe_end(const struct job_slot *slot, char *reason, size_t size)
{
    int status = slot->child.status;
    if (*slot->killed)
        snprintf(reason, size, "%s", slot->killed);
    else if (status == 0)
        snprintf(reason, size, "the job ended without an outcome for the point");
    else if (status > 128)
        snprintf(reason, size, "killed by signal %d (%s)%s%.80s", status - 128,
                 strsignal(status - 128), *slot->last ? ": " : "", slot->last);
    else
        snprintf(reason, size, "exit status %d%s%.120s", status, *slot->last ? ": " : "",
                 slot->last);
}

/* A job broke: blames the point in flight, or the launch where no point was finished. */
static int blame(struct sweep *s, struct job_slot *slot, int finished, double elapsed_s)
{
    struct task *t = slot->task;
    const char *what = slot->hung ? "timeout" : "failed";
    size_t i = t->launch->first;
    struct event e = { .attempt = slot->attempt,
                       .points = finished,
                       .elapsed_s = elapsed_s,
                       .pid = (long)slot->child.pid };
    describe_end(slot, e.reason, sizeof e.reason);
    while (!t->todo[i])
        i++;
    if (slot->begun)
        memcpy(e.point, s->plan.points[i].id, sizeof e.point);
    progress_say(&s->progress, "%s: attempt %d: %s: %s", t->launch->name, slot->attempt, what,
                 e.reason);
    if (tell(s, t, what, &e) < 0)
        return -1;
    t->fruitless = finished ? 0 : t->fruitless + 1;
    if (slot->begun && ++s->failures[i] > s->req->retries)
        give_up(s, t, i);
    if (t->fruitless >
        s->req->retries * (slot->begun ? POINTS_IN_VAIN : 1)) /* it never gets anywhere */
        for (i = t->launch->first; i < t->launch->first + t->launch->n; i++)
            if (t->todo[i])
                give_up(s, t, i);
    return 0;
}

/* Names the node of the allocation that Slurm has given up, where the launcher named none. */
static void find_bad_node(const struct sweep *s, struct job_slot *slot)
{
    struct slurm slurm = { 0 };
    struct slurm_node *nodes;
    size_t n;
    if (*slot->node)
        return;
    memcpy(slurm.partition, s->req->cluster->partition, sizeof slurm.partition);
    if (slurm_nodes(&slurm, &nodes, &n, NULL) < 0)
        return;
    for (size_t i = 0; i < n && !*slot->node; i++) {
        char name[NODE_SIZE];
        memcpy(name, nodes[i].name, sizeof name);
        if (!nodes[i].usable && blame_match(s->req->job_nodes, name))
            memcpy(slot->node, nodes[i].name, sizeof slot->node);
    }
    free(nodes);
}

struct loss {
    const char *launch, *node;
    int attempt, told;
};

static int on_loss(const struct event *e, void *user)
{
    struct loss *loss = user;
    loss->told |= strcmp(e->event, "node_failed") == 0 && strcmp(e->launch, loss->launch) == 0 &&
                  e->attempt == loss->attempt && strcmp(e->node, loss->node) == 0;
    return loss->told;
}

/* A node broke under the job: no point's fault, and nothing more can be done in this allocation.
 * Where who watches Slurm was faster to say of the attempt that the node failed, it was
 * interrupted, which is told already for a job that we interrupted. */
static int lose_node(struct sweep *s, struct job_slot *slot, int finished, double elapsed_s)
{
    struct event e = { .attempt = slot->attempt, .points = finished, .elapsed_s = elapsed_s };
    struct loss loss = { slot->task->launch->name, slot->node, slot->attempt, 0 };
    char end[REASON_SIZE];
    describe_end(slot, end, sizeof end);
    snprintf(e.reason, sizeof e.reason, "node '%.40s' is lost: %.90s", slot->node, end);
    memcpy(s->bad_node, slot->node, sizeof s->bad_node);
    s->stop = 1;
    if (journal_read(s->req->dir, on_loss, &loss, s->err) < 0)
        return -1;
    if (loss.told)
        return slot->interrupted ? 0 : tell(s, slot->task, "interrupted", &e);
    memcpy(e.node, slot->node, sizeof e.node);
    return tell(s, slot->task, "node_failed", &e);
}

/* The end of a job that did not finish its points, in the journal. */
static int tell_end(struct sweep *s, struct job_slot *slot, int finished, double elapsed_s)
{
    struct event e = { .attempt = slot->attempt, .points = finished, .elapsed_s = elapsed_s };
    if (!slot->interrupted && s->req->job_nodes) {
        find_bad_node(s, slot);
        if (*slot->node && blame_match(s->req->job_nodes, slot->node))
            return lose_node(s, slot, finished, elapsed_s);
    }
    if (!slot->interrupted)
        return blame(s, slot, finished, elapsed_s);
    memcpy(e.reason, slot->killed, sizeof e.reason);
    if (tell(s, slot->task, s->out_of_time ? "timeout" : "interrupted", &e) < 0)
        return -1;
    if (s->out_of_time || !s->req->job_nodes)
        return 0;
    find_bad_node(s, slot); /* last: Slurm may not answer, and we may be killed soon */
    return *slot->node ? lose_node(s, slot, finished, 0) : 0;
}

static int tell_done(struct sweep *s, const struct job_slot *slot, int finished, double elapsed_s)
{
    struct event e = { .attempt = slot->attempt,
                       .points = finished,
                       .elapsed_s = elapsed_s,
                       .pid = (long)slot->child.pid };
    if (!slot->interrupted)
        memcpy(e.reason, slot->killed, sizeof e.reason);
    return tell(s, slot->task, "done", &e);
}

static int end_job(struct sweep *s, struct job_slot *slot)
{
    struct task *t = slot->task;
    double elapsed_s = now_s() - slot->started_s;
    if (slot->line_len)
        take_line(slot);
    if (slot->child.output >= 0)
        close(slot->child.output);
    close(slot->log);
    t->running = 0;
    int finished = collect(s, slot), status;
    if (finished < 0)
        status = -1;
    else if (t->left == 0)
        status = tell_done(s, slot, finished, elapsed_s);
    else
        status = tell_end(s, slot, finished, elapsed_s);
    slot->task = NULL;
    return status;
}

/* ---- the loop ---- */

static struct task *next_task(struct sweep *s)
{
    for (size_t i = 0; i < s->n_tasks; i++)
        if (s->tasks[i].left && !s->tasks[i].running)
            return &s->tasks[i];
    return NULL;
}

static int start_jobs(struct sweep *s)
{
    struct task *t;
    for (int i = 0; i < s->n_slots && !s->stop; i++)
        if (!s->slots[i].task && (t = next_task(s)) != NULL && start_job(s, &s->slots[i], t) < 0)
            return -1;
    return 0;
}

static int running(const struct sweep *s)
{
    int n = 0;
    for (int i = 0; i < s->n_slots; i++)
        n += s->slots[i].task != NULL;
    return n;
}

/* Ends all jobs, for a reason that is none of theirs; the first one counts. */
static void interrupt(struct sweep *s, const char *why)
{
    if (s->result->interrupted)
        return;
    s->stop = s->result->interrupted = 1;
    for (int i = 0; i < s->n_slots; i++)
        if (s->slots[i].task) {
            s->slots[i].interrupted = 1;
            snprintf(s->slots[i].killed, REASON_SIZE, "%s", why);
            run_kill(&s->slots[i].child);
        }
}

static void take_signal(struct sweep *s)
{
    struct signalfd_siginfo info;
    char why[REASON_SIZE] = "the time limit of the task was near";
    if (read(s->signals, &info, sizeof info) != (ssize_t)sizeof info || info.ssi_signo == SIGCHLD)
        return;
    if (info.ssi_signo != SIGUSR1)
        snprintf(why, sizeof why, "signal %d (%s)", (int)info.ssi_signo,
                 strsignal((int)info.ssi_signo));
    else if (!s->result->interrupted)
        s->out_of_time = 1;
    interrupt(s, why);
}

/* Slurm may have given this task up and started its launch anew, elsewhere: the slurmd of our node
 * died and we did not. The newer task says so in the file of the lock. */
static void look_for_heir(struct sweep *s)
{
    const double now = now_s();
    char job[LOCK_JOB], why[REASON_SIZE];
    if (!s->req->only || s->stop || now - s->looked_s < orphan_look_s)
        return;
    s->looked_s = now;
    if (!lock_is_wanted(s->lock, job))
        return;
    snprintf(why, sizeof why, "Slurm has given this start of the task up; %s goes on", job);
    interrupt(s, why);
}

/* Waits for output, a signal or the next tick. */
static void wait_for_news(struct sweep *s)
{
    struct pollfd fds[MAX_JOBS + 1] = { { .fd = s->signals, .events = POLLIN } };
    for (int i = 0; i < s->n_slots; i++)
        fds[i + 1] = (struct pollfd){ .fd = s->slots[i].task ? s->slots[i].child.output : -1,
                                      .events = POLLIN };
    if (poll(fds, (nfds_t)s->n_slots + 1, TICK_MS) <= 0)
        return;
    if (fds[0].revents)
        take_signal(s);
    for (int i = 0; i < s->n_slots; i++)
        if (fds[i + 1].revents)
            read_output(&s->slots[i]);
}

/* Weight of the points that a running job reports as done. */
static double reported(const struct sweep *s, const struct job_slot *slot)
{
    const struct launch *l = slot->task->launch;
    double weight = 0;
    size_t done = 0;
    for (size_t i = l->first; i < l->first + l->n && done < slot->done; i++)
        if (slot->task->todo[i]) {
            weight += point_weight(s, i);
            done++;
        }
    return weight;
}

static void show(struct sweep *s)
{
    double weight = s->weight_done;
    size_t points = s->points_done;
    for (int i = 0; i < s->n_slots; i++)
        if (s->slots[i].task) {
            weight += reported(s, &s->slots[i]);
            points += s->slots[i].done;
        }
    progress_show(&s->progress, weight, points, running(s));
}

static int watch_jobs(struct sweep *s)
{
    int status = 0;
    wait_for_news(s);
    look_for_heir(s);
    for (int i = 0; i < s->n_slots; i++) {
        struct job_slot *slot = &s->slots[i];
        if (!slot->task)
            continue;
        if (!run_wait(&slot->child, 0)) {
            check_limits(s, slot);
            continue;
        }
        if (slot->child.output >= 0)
            read_output(slot);
        if (end_job(s, slot) < 0)
            status = -1;
    }
    show(s);
    return status;
}

/* Ends all jobs at once, after an error. */
static void kill_all(struct sweep *s)
{
    for (int i = 0; i < s->n_slots; i++)
        if (s->slots[i].task) {
            run_kill(&s->slots[i].child);
            run_wait(&s->slots[i].child, 1);
        }
}

static int work(struct sweep *s)
{
    while (!s->stop || running(s)) {
        if (start_jobs(s) < 0) {
            kill_all(s);
            return -1;
        }
        if (!running(s))
            break;
        if (watch_jobs(s) < 0) {
            kill_all(s);
            return -1;
        }
    }
    if (*s->bad_node)
        return err_set(s->err, "node '%s' failed with %zu of %zu points finished", s->bad_node,
                       s->result->finished, s->result->points);
    if (s->result->interrupted)
        return err_set(s->err, "interrupted with %zu of %zu points finished; run again to go on",
                       s->result->finished, s->result->points);
    return 0;
}

static int catch_signals(struct sweep *s)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGINT);
    sigaddset(&mask, SIGTERM);
    sigaddset(&mask, SIGHUP);
    sigaddset(&mask, SIGUSR1); /* what sbatch --signal sends before the limit (slurm/jobs.h) */
    sigaddset(&mask, SIGCHLD);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    s->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    return s->signals >= 0 ? 0 : err_errno(s->err, "cannot catch signals");
}

static int write_manifest(struct sweep *s, const char *status)
{
    if (s->req->only)
        return 0;
    s->record.status = status;
    s->record.example = s->example;
    if (strcmp(status, "running") != 0)
        utc_now(s->record.ended, sizeof s->record.ended);
    return manifest_write(s->req->dir, s->req->cluster, s->req->study, s->req->backend, s->req->why,
                          &s->plan, &s->provenance, &s->record, s->err);
}

/* 1 when the holder of our launch's lock is a task, or an earlier start of this one, that Slurm has
 * given up: its slurmd died and it did not. */
static int is_orphaned(const struct sweep *s, const struct lock_owner *holder)
{
    const struct sweep_request *r = s->req;
    struct slurm slurm = { 0 };
    struct slurm_task *task;
    const char *const jobs[] = { holder->job };
    if (strcmp(holder->job, r->job) == 0)
        return holder->restarts < r->job_restarts;
    memcpy(slurm.partition, r->cluster->partition, sizeof slurm.partition);
    if (slurm_tasks(&slurm, jobs, 1, &task, NULL) < 0)
        return 0;
    const int gone = task->state != SLURM_RUNNING;
    free(task);
    return gone;
}

/* The lock of our launch. One that an orphaned task holds is asked for, and waited for: what that
 * one has finished counts, and the rest is for us. */
static int take_launch(struct sweep *s)
{
    const struct sweep_request *r = s->req;
    struct lock_owner me = { .restarts = r->job_restarts }, holder;
    const double end = now_s() + orphan_patience_s;
    snprintf(me.job, sizeof me.job, "%s", r->job);
    s->lock = lock_take_launch(r->dir, r->only, &me, s->err);
    if (s->lock >= 0 || lock_launch_owner(r->dir, r->only, &holder) < 0 ||
        !is_orphaned(s, &holder) || lock_ask_launch(r->dir, r->only, &me) < 0)
        return s->lock < 0 ? -1 : 0;
    progress_say(&s->progress,
                 "%s: task %s, which Slurm has given up, is still at work on it: told "
                 "to end",
                 r->only, holder.job);
    while (s->lock < 0 && now_s() < end)
        s->lock = lock_take_launch(r->dir, r->only, &me, s->err);
    return s->lock < 0 ? -1 : 0;
}

static int prepare(struct sweep *s)
{
    const struct sweep_request *r = s->req;
    if (fs_mkdirs(r->dir, s->err) < 0)
        return -1;
    if (r->only ? take_launch(s) < 0 : (s->lock = lock_take(r->dir, s->err)) < 0)
        return -1;
    if (check_disk(s) < 0 || make_tasks(s) < 0)
        return -1;
    if (!r->only && plan_write(&s->plan, r->dir, s->err) < 0)
        return -1;
    if (r->backend->prepare && r->backend->prepare(r->cluster, &s->plan, r->dir, s->err) < 0)
        return -1;
    return journal_open(&s->journal, r->dir, s->err);
}

static void dry_run(const struct sweep *s)
{
    for (size_t i = 0; i < s->n_tasks; i++)
        if (s->tasks[i].left)
            printf("%s: %zu of %zu points to do\n", s->tasks[i].launch->name, s->tasks[i].left,
                   s->tasks[i].launch->n);
}

static int run_prepared(struct sweep *s)
{
    double weight;
    size_t left = points_left(s, &weight);
    int cores = s->req->jobs ? s->req->jobs : s->cores;
    s->n_slots = s->req->backend->parallel ? (cores < MAX_JOBS ? cores : MAX_JOBS) : 1;
    progress_say(&s->progress, "%zu points planned, %zu finished, %zu to do", s->result->points,
                 s->result->finished, left);
    progress_start(&s->progress, stderr, s->req->quiet, weight, left);
    if (write_manifest(s, "running") < 0 || catch_signals(s) < 0)
        return -1;
    int status = work(s);
    progress_end(&s->progress);
    struct err first = *s->err;
    if (write_manifest(s, status == 0              ? "done"
                          : s->result->interrupted ? "interrupted"
                                                   : "failed") < 0 &&
        status == 0)
        return -1;
    *s->err = status < 0 ? first : *s->err;
    return status;
}

static void sweep_clear(struct sweep *s)
{
    for (size_t i = 0; s->tasks && i < s->n_tasks; i++)
        free(s->tasks[i].todo);
    free(s->tasks);
    free(s->failures);
    plan_free(&s->plan);
    journal_close(&s->journal);
    if (s->signals >= 0)
        close(s->signals);
    if (s->lock >= 0)
        close(s->lock);
    free(s);
}

/* A library's launcher in the allocations of a plan, which must be known to work and to place all
 * of its launches as asked. */
static int check_launcher(const struct library *library, const struct cluster *cluster,
                          const struct plan *plan, struct err *err)
{
    const struct launcher *launcher = NULL;
    char version[64];
    for (size_t i = 0; i < plan->n_launches; i++) {
        if (strcmp(plan->launches[i].mpi, library->name) != 0)
            continue;
        if (!launcher) {
            library_version(library, version, sizeof version);
            launcher = library_launcher(library, version, 1, cluster, err);
        }
        if (!launcher || launcher_takes_shape(launcher, &plan->launches[i], cluster, err) < 0)
            return -1;
    }
    return 0;
}

static int check_launchers(const struct cluster *cluster, const struct backend *backend,
                           const struct plan *plan, struct err *err)
{
    for (const struct library *const *l = libraries; backend->queued && *l; l++)
        if (check_launcher(*l, cluster, plan, err) < 0)
            return -1;
    return 0;
}

int sweep_plan(const struct cluster *cluster, const struct study *study,
               const struct backend *backend, const char *build, FILE *chatter, struct plan *plan,
               struct err *err)
{
    char why[REASON_SIZE] = "";
    if (plan_build(cluster, study, backend->name, plan, err) < 0)
        return -1;
    for (const struct library *const *l = libraries; *l; l++) {
        size_t before = plan->n_launches;
        char reason[REASON_SIZE];
        if (library_ready(*l, build, reason))
            continue;
        if (plan_leave_out(plan, (*l)->name, reason, err) < 0) {
            plan_free(plan);
            return -1;
        }
        if (plan->n_launches == before)
            continue;
        memcpy(why, reason, sizeof why);
        if (chatter && plan->n_launches)
            fprintf(chatter, "without %s: %s\n", (*l)->name, reason);
    }
    if (!plan->n_launches)
        err_set(err, "%s", why);
    else if (check_launchers(cluster, backend, plan, err) == 0)
        return 0;
    plan_free(plan);
    return -1;
}

/* Is what was submitted what would be measured now? */
static int check_only(const struct sweep *s)
{
    const struct sweep_request *r = s->req;
    if (r->only && !plan_launch(&s->plan, r->only))
        return err_set(s->err, "'%s' is not a launch of study '%s' on %s", r->only, r->study->name,
                       r->cluster->name);
    if (r->digest && strcmp(r->digest, s->provenance.digest) != 0)
        return err_set(s->err,
                       "submitted as digest %s, but here it is %s: cluster or study file, library "
                       "versions or their options differ (want: collsel submit again)",
                       r->digest, s->provenance.digest);
    return 0;
}

int sweep_run(const struct sweep_request *request, struct sweep_result *result, struct err *err)
{
    struct err own = { 0 };
    struct sweep *s = calloc(1, sizeof *s);
    *result = (struct sweep_result){ 0 };
    if (!s)
        return err_set(err, "out of memory");
    s->req = request;
    s->result = result;
    s->err = err ? err : &own;
    s->lock = s->signals = s->journal.fd = -1;
    s->cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    s->record.command = request->command;
    utc_now(s->record.started, sizeof s->record.started);
    progress_start(&s->progress, stderr, request->quiet, 0, 0);
    double started = now_s();
    int status = sweep_plan(request->cluster, request->study, request->backend, request->build,
                            request->quiet ? NULL : stderr, &s->plan, s->err);
    if (status == 0)
        provenance_collect(request->cluster, request->study, request->backend, &s->plan,
                           request->build, &s->provenance);
    if (status == 0)
        status = check_only(s);
    if (status == 0)
        status = request->dry_run ? make_tasks(s) : prepare(s);
    if (status == 0 && request->dry_run)
        dry_run(s);
    else if (status == 0)
        status = run_prepared(s);
    result->skipped = s->plan.n_skipped;
    result->elapsed_s = now_s() - started;
    sweep_clear(s);
    return status;
}
