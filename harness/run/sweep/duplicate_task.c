/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/sweep/duplicate_task.h"

#include <stdlib.h>
#include <string.h>

#include "harness/run/lock.h"

/* How long a task waits for an earlier start of its own that Slurm has given up to let go of the
 * launch. That one looks at the lock's file twice a second; NFS shows it within a minute, and Slurm
 * may take ten seconds to say which node failed. */
static const double duplicate_task_patience_s = 180, duplicate_task_look_s = 0.5;

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

int duplicate_task_take_launch(struct sweep *s)
{
    const struct sweep_request *r = s->req;
    struct lock_owner me = { .restarts = r->job_restarts }, holder;
    const double end = now_s() + duplicate_task_patience_s;
    snprintf(me.job, sizeof me.job, "%s", r->job);
    s->lock = lock_take_launch(r->dir, r->only, &me, s->err);
    if (s->lock >= 0)
        return 0;
    if (lock_launch_owner(r->dir, r->only, &holder, s->err) <= 0 || !is_orphaned(s, &holder) ||
        lock_ask_launch(r->dir, r->only, &me, s->err) < 0)
        return -1;
    progress_say(&s->progress,
                 "%s: task %s, which Slurm has given up, is still at work on it: told to end",
                 r->only, holder.job);
    while (s->lock < 0 && now_s() < end)
        s->lock = lock_take_launch(r->dir, r->only, &me, s->err);
    return s->lock < 0 ? -1 : 0;
}

/* Slurm may have given this task up and started its launch anew, elsewhere: the slurmd of our node
 * died and we did not. The newer task says so in the file of the lock. */
int duplicate_task_is_wanted(struct sweep *s, char reason[REASON_SIZE])
{
    const double now = now_s();
    char job[LOCK_JOB];
    if (!s->req->only || s->stop || now - s->looked_s < duplicate_task_look_s)
        return 0;
    s->looked_s = now;
    if (!lock_is_wanted(s->lock, job))
        return 0;
    snprintf(reason, REASON_SIZE, "Slurm has given this start of the task up; %s goes on", job);
    return 1;
}
