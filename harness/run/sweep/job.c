/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/sweep/job.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "harness/run/slurm/failure_cause.h"
#include "harness/run/sweep/launch_command.h"

enum { LEAST_FREE_MIB = 64 };

/* How long a launcher may take to end when its last point is finished (or point_limit, where that
 * is less); what it still does then is no measurement. */
static const double end_grace_s = 20;

int job_check_disk(const char *dir, struct err *err)
{
    struct statvfs v;
    if (statvfs(dir, &v) < 0)
        return err_errno(err, "cannot look at '%s'", dir);
    unsigned long long mib = (unsigned long long)v.f_bavail * v.f_frsize >> 20;
    if (mib < LEAST_FREE_MIB)
        return err_set(err, "'%s' has %llu MiB left (want at least %d)", dir, mib, LEAST_FREE_MIB);
    return 0;
}

int job_tell(struct sweep *s, const struct task *t, const char *what, struct event *e)
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
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0666);
    return fd >= 0 ? fd : err_errno(s->err, "cannot write '%s'", path);
}

/* Keeps the study's traces of arrivals beside the samples, where the measuring program finds them
 * by their digest. */
static int keep_traces(const struct sweep *s, struct err *err)
{
    const struct study *study = s->req->study;
    char path[PATH_SIZE];
    for (size_t i = 0; i < study->n_arrivals; i++) {
        const struct study_arrival *a = &study->arrivals[i];
        if (!*a->path)
            continue;
        if (fs_path(path, sizeof path, err, "%s/arrivals", s->req->dir) < 0 ||
            fs_mkdirs(path, err) < 0 ||
            fs_path(path, sizeof path, err, "%s/arrivals/%s.csv", s->req->dir,
                    strchr(a->name, ':') + 1) < 0)
            return -1;
        char *text = fs_exists(path) ? NULL : fs_read(a->path, NULL, err);
        const int status = fs_exists(path) ? 0 : text ? fs_write(path, text, err) : -1;
        free(text);
        if (status < 0)
            return -1;
    }
    return 0;
}

static int start_files(struct sweep *s, struct task *t, const char *base)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, s->err, "%s/samples", s->req->dir) < 0 ||
        fs_mkdirs(path, s->err) < 0 ||
        (s->req->study->keep_ranks &&
         (fs_path(path, sizeof path, s->err, "%s/ranks", s->req->dir) < 0 ||
          fs_mkdirs(path, s->err) < 0)) ||
        fs_path(path, sizeof path, s->err, "%s/launches/%s.csv", s->req->dir, base) < 0 ||
        keep_traces(s, s->err) < 0)
        return -1;
    return plan_write_launch(&s->plan, t->launch, t->todo, path, s->err);
}

/* Starts a launch without the variables that it shall not have: a word without "=" takes a variable
 * out (subprocess.c: putenv). What its launcher leaves in TMPDIR when it is killed goes with that.
 */
static int start_cleaned(struct sweep *s, struct job_slot *slot, const struct argv *args,
                         const struct argv *env)
{
    const struct argv *removed = &s->provenance.environment.removed;
    struct argv all = { 0 };
    for (size_t i = 0; i < removed->n; i++)
        argv_add(&all, "%.*s", (int)strcspn(removed->v[i], "="), removed->v[i]);
    for (size_t i = 0; i < env->n; i++)
        argv_add(&all, "%s", env->v[i]);
    if (*s->scratch.path)
        argv_add(&all, "TMPDIR=%s", s->scratch.path);
    const int status = run_start(args, &all, slot->log, s->lock, &slot->child, s->err);
    argv_free(&all);
    return status;
}

int job_start(struct sweep *s, struct job_slot *slot, struct task *t)
{
    char base[LAUNCH_SIZE + 16];
    struct argv args = { 0 }, env = { 0 };
    const int attempt = store_attempts(s->req->dir, t->launch->name, s->err) + 1;
    if (attempt <= 0)
        return -1;
    snprintf(base, sizeof base, "%s.a%d", t->launch->name, attempt);
    *slot = (struct job_slot){
        .attempt = attempt, .started_s = now_s(), .progress_s = now_s(), .log = -1
    };
    int status = job_check_disk(s->req->dir, s->err);
    if (status == 0)
        status = start_files(s, t, base);
    if (status == 0)
        status = command_make(s, t, base, &args, &env);
    if (status == 0)
        status = (slot->log = open_log(s, base)) < 0 ? -1 : 0;
    if (status == 0)
        status = start_cleaned(s, slot, &args, &env);
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
    return job_tell(s, t, "started", &e);
}

static const char our_mark[] = "measure: ";

const char *job_own_words(const struct job_slot *slot)
{
    return slot->refused ? slot->last + sizeof our_mark - 1 : NULL;
}

/* Keeps a line as the reason of a failure: the latest that says something, but our own program's
 * word before the launcher's. */
static void keep_last(struct job_slot *slot)
{
    const size_t i = first_below(k, slot->line_len, isalnum((unsigned char)slot->line[k]));
    if (i == slot->line_len || slot->refused)
        return;
    snprintf(slot->last, sizeof slot->last, "%.159s", slot->line);
    slot->refused = strncmp(slot->last, our_mark, sizeof our_mark - 1) == 0;
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
        dprintf(slot->log, "%s\n", slot->line);
        keep_last(slot);
        if (!*slot->node)
            failure_cause_node(slot->line, slot->node);
    }
    slot->line_len = 0;
}

void job_read(struct job_slot *slot)
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

void job_close(struct job_slot *slot)
{
    if (slot->child.output >= 0)
        job_read(slot);
    if (slot->line_len)
        take_line(slot);
    if (slot->child.output >= 0)
        close(slot->child.output);
    close(slot->log);
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

void job_check_limits(struct sweep *s, struct job_slot *slot)
{
    double now = now_s();
    const struct study *st = s->req->study;
    if (*slot->killed || check_end(s, slot, now))
        return;
    slot->hung = 1;
    if (!s->req->backend->deterministic && now - slot->progress_s > st->point_limit)
        kill_job(slot, "hung: no sign of progress for %s", now - slot->progress_s);
    else if (now - slot->started_s - slot->stopped_s > st->launch_limit)
        kill_job(slot, "the launch had run for %s", now - slot->started_s - slot->stopped_s);
    else
        slot->hung = 0;
}
