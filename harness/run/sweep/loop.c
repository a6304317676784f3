/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/number.h"
#include "harness/run/sweep/loop.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "harness/run/sweep/job_end.h"
#include "harness/run/sweep/job.h"
#include "harness/run/sweep/duplicate_task.h"
#include "harness/run/sweep/tasks.h"

enum { TICK_MS = 200 };

/* Who watches what runs no more than so long after the last time was not stopped meanwhile. */
static const double unseen_s = 5;

int loop_catch_signals(struct sweep *s)
{
    struct sigaction hangup;
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGINT);
    sigaddset(&mask, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hangup) < 0 || hangup.sa_handler != SIG_IGN) /* else: nohup */
        sigaddset(&mask, SIGHUP);
    sigaddset(&mask, SIGUSR1); /* what sbatch --signal sends before the limit (slurm/jobs.h) */
    sigaddset(&mask, SIGCHLD);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    s->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    return s->signals >= 0 ? 0 : err_errno(s->err, "cannot catch signals");
}

static int is_ready(const struct task *t)
{
    return t->left && !t->running;
}

/* May a launch of a later round than all before it start yet? (study key round_gap) */
static int is_due(const struct sweep *s, const struct task *t)
{
    return !s->round_at_work || t->launch->repeat <= s->round_at_work ||
           now_s() >= s->round_opened_s + s->req->study->round_gap;
}

/* Is this task to be started before that one? In the order of the plan; as long as nothing was
 * measured, what has broken comes after the others of its round. */
static int is_before(const struct sweep *s, const struct task *a, const struct task *b)
{
    return !b || (s->result->measured == 0 && a->launch->repeat == b->launch->repeat &&
                  a->fruitless < b->fruitless);
}

static struct task *next_task(struct sweep *s)
{
    struct task *next = NULL;
    for (size_t i = 0; i < s->n_tasks; i++)
        if (is_ready(&s->tasks[i]) && is_due(s, &s->tasks[i]) && is_before(s, &s->tasks[i], next))
            next = &s->tasks[i];
    return next;
}

/* Is there something to start, if not yet? */
static int is_waiting(const struct sweep *s)
{
    for (size_t i = 0; i < s->n_tasks; i++)
        if (is_ready(&s->tasks[i]))
            return 1;
    return 0;
}

static int start_task(struct sweep *s, struct job_slot *slot, struct task *t)
{
    if (t->launch->repeat > s->round_at_work) {
        s->round_at_work = t->launch->repeat;
        s->round_opened_s = now_s();
    }
    return job_start(s, slot, t);
}

static int start_jobs(struct sweep *s)
{
    struct task *t;
    for (int i = 0; i < s->n_slots && !s->stop; i++)
        if (!s->slots[i].task && (t = next_task(s)) != NULL && start_task(s, &s->slots[i], t) < 0)
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
            job_read(&s->slots[i]);
}

/* Weight of the points that a running job reports as done. */
static double reported(const struct sweep *s, const struct job_slot *slot)
{
    const struct launch *l = slot->task->launch;
    double weight = 0;
    size_t done = 0;
    for (size_t i = l->first; i < l->first + l->n && done < slot->done; i++)
        if (slot->task->todo[i]) {
            weight += tasks_point_weight(s, i);
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

/* Somebody stopped us for a while (SIGSTOP, the terminal's Ctrl-Z, Slurm's suspend), and with us,
 * for all that we know, what runs: that time is not held against it. */
static void forgive_stop(struct sweep *s)
{
    const double now = now_s(), gap = s->watched_s > 0 ? now - s->watched_s : 0;
    s->watched_s = now;
    for (int i = 0; i < s->n_slots && gap > unseen_s; i++) {
        struct job_slot *slot = &s->slots[i];
        slot->progress_s = fmin(now, slot->progress_s + gap);
        slot->stopped_s += fmin(gap, now - slot->started_s);
    }
}

static int watch_jobs(struct sweep *s)
{
    int status = 0;
    char why[REASON_SIZE];
    wait_for_news(s);
    forgive_stop(s);
    if (duplicate_task_is_wanted(s, why))
        interrupt(s, why);
    for (int i = 0; i < s->n_slots; i++) {
        struct job_slot *slot = &s->slots[i];
        if (!slot->task)
            continue;
        if (!run_wait(&slot->child, 0)) {
            job_check_limits(s, slot);
            continue;
        }
        if (job_end(s, slot) < 0)
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

/* ---- rounds of an earlier run ---- */

/* The latest round that an earlier run has begun, and when. */
struct earlier_round {
    const char *digest;
    int repeat;
    time_t began;
};

/* A time of the journal; where it is none, now. */
static time_t time_of(const char *utc)
{
    struct tm tm = { 0 };
    const char *end = strptime(utc, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return end && !*end ? timegm(&tm) : time(NULL);
}

static int on_start(const struct event *e, void *user)
{
    struct earlier_round *round = user;
    struct launch launch;
    if (strcmp(e->event, "started") != 0 || strcmp(e->digest, round->digest) != 0 ||
        launch_parse(e->launch, &launch, NULL) < 0 || launch.repeat <= round->repeat)
        return 0;
    round->repeat = launch.repeat;
    round->began = time_of(e->t);
    return 0;
}

/* A sweep that goes on keeps the gap to the round that was begun before it. A task of Slurm, which
 * is one launch, has none to keep. */
static int recall_round(struct sweep *s)
{
    struct earlier_round round = { .digest = s->provenance.digest };
    if (s->req->study->round_gap <= 0 || s->req->job)
        return 0;
    if (journal_read(s->req->dir, on_start, &round, s->err) < 0)
        return -1;
    s->round_at_work = round.repeat;
    if (round.repeat)
        s->round_opened_s = now_s() - fmax(0, difftime(time(NULL), round.began));
    return 0;
}

int loop_run(struct sweep *s)
{
    if (recall_round(s) < 0)
        return -1;
    while (!s->stop || running(s)) {
        if (start_jobs(s) < 0) {
            kill_all(s);
            return -1;
        }
        if (!running(s) && (s->stop || !is_waiting(s))) {
            const int more = s->stop ? 0 : tasks_next_round(s);
            if (more < 0)
                return -1;
            if (!more)
                break;
            continue;
        }
        if (watch_jobs(s) < 0) {
            kill_all(s);
            return -1;
        }
    }
    if (*s->bad_node)
        return err_set(s->err, "node '%s' failed with %zu of %zu point%s finished", s->bad_node,
                       s->result->finished, COUNTED(s->result->points));
    if (s->result->interrupted)
        return err_set(s->err, "interrupted with %zu of %zu point%s finished; run again to go on",
                       s->result->finished, COUNTED(s->result->points));
    return 0;
}
