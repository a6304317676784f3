/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/sweep/loop.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "harness/run/slurm/failure_cause.h"
#include "harness/run/sweep/job.h"
#include "harness/run/sweep/tasks.h"

/* Handles the end of a job: its finished points, and the cause
 * for the others: a point, the launch, or a node of the allocation. */

enum { POINTS_IN_VAIN = 5 }; /* in flight when the job broke, after which its launch is given up */

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
        const struct outcome *o = store_find(&store, s->plan.points[i].id, t->launch->repeat);
        if (!t->todo[i] || !o)
            continue;
        tasks_strike(s, t, i);
        tasks_finish(s, o);
        tasks_spend(s, &store, i, o);
        finished++;
    }
    slot->begun = store.n_files > 0 && (store.files[0].n > 0 || !store.files[0].truncated);
    store_free(&store);
    if (finished)
        same_failure_works(s, t->launch);
    s->points_done += (size_t)finished;
    s->result->measured += (size_t)finished;
    return finished;
}

static void give_up(struct sweep *s, struct task *t, size_t i)
{
    tasks_strike(s, t, i);
    s->result->failed++;
    s->progress.failed++;
}

static void give_up_all(struct sweep *s, struct task *t)
{
    for (size_t i = t->launch->first; i < t->launch->first + t->launch->n; i++)
        if (t->todo[i])
            give_up(s, t, i);
}

/* Every launch of an MPI ends alike: those that are left are not started in this run. */
static void give_up_mpi(struct sweep *s, const struct task *broken, const char *reason)
{
    size_t launches = 0;
    if (s->req->only) /* one launch of a job array: its tries count over jobs */
        return;
    for (size_t i = 0; i < s->n_tasks; i++) {
        struct task *t = &s->tasks[i];
        if (!t->left || t->running || strcmp(t->launch->mpi, broken->launch->mpi) != 0)
            continue;
        give_up_all(s, t);
        launches++;
    }
    if (launches)
        progress_say(&s->progress,
                     "%s: its first launches all ended alike; %zu more are not started",
                     broken->launch->mpi, launches);
    if (!*s->result->stopped)
        snprintf(s->result->stopped, sizeof s->result->stopped, "%.30s all ended so: %.110s",
                 broken->launch->mpi, reason);
}

/* Why a job did not finish its points. What our measuring program says itself says all. */
static void describe_end(const struct job_slot *slot, char *reason, size_t size)
{
    const int status = slot->child.status, with = run_signal(status);
    if (*slot->killed)
        snprintf(reason, size, "%s", slot->killed);
    else if (slot->child.keeper_signal)
        snprintf(reason, size,
                 "our process that watches the launcher (collsel-keeper) was killed by signal %d "
                 "(%s), and the launch was ended",
                 slot->child.keeper_signal, strsignal(slot->child.keeper_signal));
    else if (slot->refused && status && !with)
        snprintf(reason, size, "%s", job_own_words(slot));
    else if (status == 0)
        snprintf(reason, size, "the job ended without an outcome for the point");
    else if (with)
        snprintf(reason, size, "killed by signal %d (%s)%s%.80s", with, strsignal(with),
                 *slot->last ? ": " : "", slot->last);
    else
        snprintf(reason, size, "exit status %d%s%.120s", status, *slot->last ? ": " : "",
                 slot->last);
}

/* Says why a job broke, once for all that break so. */
static void say_end(struct sweep *s, const struct job_slot *slot, const char *what,
                    const char *reason)
{
    if (same_failure_is_new(s, reason))
        progress_say(&s->progress, "%s: %s (%s, attempt %d; %s)", what, reason,
                     slot->task->launch->name, slot->attempt,
                     slot->task->left ? "what is left is tried again" : "the rest is given up");
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
    if (job_tell(s, t, what, &e) < 0)
        return -1;
    t->fruitless = finished ? 0 : t->fruitless + 1;
    if (slot->begun && ++s->failures[i] > s->req->retries)
        give_up(s, t, i);
    if (t->fruitless >
        s->req->retries * (slot->begun ? POINTS_IN_VAIN : 1)) /* it never gets anywhere */
        give_up_all(s, t);
    say_end(s, slot, what, e.reason);
    if (same_failure_gives_up(s, slot, e.reason))
        give_up_mpi(s, t, e.reason);
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
        if (!nodes[i].usable && failure_cause_match(s->req->job_nodes, name))
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
        return slot->interrupted ? 0 : job_tell(s, slot->task, "interrupted", &e);
    memcpy(e.node, slot->node, sizeof e.node);
    return job_tell(s, slot->task, "node_failed", &e);
}

/* The end of a job that did not finish its points, in the journal. */
static int tell_end(struct sweep *s, struct job_slot *slot, int finished, double elapsed_s)
{
    struct event e = { .attempt = slot->attempt, .points = finished, .elapsed_s = elapsed_s };
    if (!slot->interrupted && s->req->job_nodes) {
        find_bad_node(s, slot);
        if (*slot->node && failure_cause_match(s->req->job_nodes, slot->node))
            return lose_node(s, slot, finished, elapsed_s);
    }
    if (!slot->interrupted)
        return blame(s, slot, finished, elapsed_s);
    memcpy(e.reason, slot->killed, sizeof e.reason);
    if (job_tell(s, slot->task, s->out_of_time ? "timeout" : "interrupted", &e) < 0)
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
    return job_tell(s, slot->task, "done", &e);
}

/* Accounts for a job that has ended, in the task, the result and the journal, and frees its slot.
 * 0, or -1 with *s->err. */
static int job_end(struct sweep *s, struct job_slot *slot)
{
    struct task *t = slot->task;
    double elapsed_s = now_s() - slot->started_s;
    job_close(slot);
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
        if (!running(s) && (s->stop || !any_below(i, s->n_tasks, is_ready(&s->tasks[i])))) {
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
