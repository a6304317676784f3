/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/sweep/job_end.h"

#include <stdlib.h>
#include <string.h>

#include "harness/run/slurm/failure_cause.h"
#include "harness/run/sweep/same_failure.h"
#include "harness/run/sweep/job.h"
#include "harness/run/sweep/tasks.h"
#include "harness/study/store.h"

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

int job_end(struct sweep *s, struct job_slot *slot)
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
