/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/sweep/tasks.h"

#include "harness/run/lock.h"
#include "harness/study/plan/same.h"
#include "harness/study/valid_samples.h"

double tasks_point_weight(const struct sweep *s, size_t i)
{
    const double overhead = 2000; /* in simulated messages: a point's start and end */
    const double probe = 0.05;    /* of a point: what is not timed is called once all the same */
    if (!s->req->backend->deterministic)
        return s->same[i] ? probe : 1;
    return s->same[i] ? overhead
                      : overhead + bound_messages(&s->plan.points[i], s->req->cluster,
                                                  s->req->study->inner);
}

void tasks_finish(struct sweep *s, const struct outcome *o)
{
    struct sweep_result *r = s->result;
    r->finished++;
    if (outcome_usable(o))
        return;
    if (r->unusable++ == 0)
        outcome_describe(o, r->reason);
}

double tasks_allowed(const struct sweep *s, const struct task *t)
{
    return fmin(t->allowed_core_s, fmax(s->rule.plan.core_budget_s - s->spent_core_s, 0));
}

void tasks_spend(struct sweep *s, const struct store *store, size_t i, const struct outcome *o)
{
    const struct cell *c = &s->plan.points[i].cell;
    double seconds;
    if (!plan_is_exact(c->mpi))
        s->spent_core_s += o->core_s;
    else if (!*o->same_as &&
             valid_samples_time(store, o, 0, s->rule.statistic, &seconds, NULL) == 0 && seconds > 0)
        s->spent_core_s += adaptive_cost(&s->rule.plan, 1, c->procs, seconds);
}

/* By what is to do, of which some is timed together. */
static void weigh(struct sweep *s, struct task *t)
{
    const struct launch *l = t->launch;
    size_t *same = same_find(s->req->cluster, &s->plan.points[l->first], l->n, &t->todo[l->first]);
    t->weight = 0;
    for (size_t i = 0; i < l->n; i++) {
        s->same[l->first + i] = same[i] != i;
        if (t->todo[l->first + i])
            t->weight += tasks_point_weight(s, l->first + i);
    }
    free(same);
}

/* What the store says of each point of a launch that is wanted. */
static void fill_task(struct sweep *s, struct task *t, const struct store *store,
                      const struct rounds *rounds)
{
    const struct launch *l = t->launch;
    t->allowed_core_s = rounds_allowed(rounds, &s->plan, l);
    for (size_t i = l->first; i < l->first + l->n; i++) {
        const char *id = s->plan.points[i].id;
        const struct failure *f = store_failure(store, id, "", l->repeat);
        if (rounds_need(rounds, id, l->repeat) != ROUND_WANTED)
            continue;
        t->wanted++;
        s->result->points++;
        s->failures[i] = f ? f->count : 0;
        const struct outcome *o = store_find(store, id, l->repeat);
        if (o) {
            tasks_finish(s, o);
        } else if (s->failures[i] > s->req->retries) {
            s->result->failed++;
        } else {
            t->todo[i] = 1;
            t->left++;
        }
    }
    weigh(s, t);
}

/* Fills the tasks of the next round, of which those before it have ended, as far as they will. */
static int open_round(struct sweep *s, const struct store *store)
{
    struct rounds_rule rule = s->rule;
    struct rounds rounds;
    rule.retries = -1;
    rule.until = s->round + 1;
    if (rounds_make(&s->plan, s->req->dir, store, &rule, &rounds, s->err) < 0)
        return -1;
    s->round++;
    for (size_t i = 0; i < s->n_tasks; i++)
        if (s->tasks[i].launch->repeat == s->round && s->tasks[i].todo &&
            !same_failure_gave_up(s, s->tasks[i].launch->mpi))
            fill_task(s, &s->tasks[i], store, &rounds);
    s->spent_core_s = adaptive_spent(&rounds.adaptive);
    rounds_free(&rounds);
    return 0;
}

/* Opens rounds until there is something to do, or no more of them. */
static int open_rounds(struct sweep *s, const struct store *store)
{
    double weight;
    while (s->round < s->rounds_last && tasks_left(s, &weight) == 0)
        if (open_round(s, store) < 0)
            return -1;
    return 0;
}

int tasks_next_round(struct sweep *s)
{
    struct store store;
    double weight;
    if (s->round >= s->rounds_last)
        return 0;
    if (store_open(s->req->dir, s->provenance.digest, &store, s->err) < 0)
        return -1;
    const int status = open_rounds(s, &store);
    store_free(&store);
    const size_t left = tasks_left(s, &weight);
    if (status < 0 || !left)
        return status;
    if (s->rule.adaptive)
        progress_say(&s->progress, "round %d: %zu point%s may still change what is chosen",
                     s->round, COUNTED(left));
    else
        progress_say(&s->progress, "round %d of at most %d: %zu point%s %s not certain enough yet",
                     s->round, s->rule.most, COUNTED(left), of_number(left, "is", "are"));
    s->progress.points = s->points_done + s->progress.failed + left;
    s->progress.weight = weight;
    return 1;
}

static int by_weight(const void *left, const void *right)
{
    const struct task *a = left, *b = right;
    return ascending(b->weight, a->weight);
}

/* The tasks of the first rounds, and of as many more as are called for by now. In an allocation its
 * launch alone, whatever its round. */
static int fill_all(struct sweep *s, const struct store *store)
{
    const struct rounds first = { .rule = s->rule };
    const char *only = s->req->only;
    for (size_t i = 0; i < s->n_tasks; i++) {
        struct task *t = &s->tasks[i];
        t->launch = &s->plan.launches[i];
        if (only && strcmp(only, t->launch->name) != 0)
            continue;
        t->todo = memory_zeros(s->plan.n, 1);
        if (t->launch->repeat <= rounds_whole(&s->rule))
            fill_task(s, t, store, &first);
        if (t->launch->repeat > s->rounds_last)
            s->rounds_last = t->launch->repeat;
    }
    s->round = rounds_whole(&s->rule);
    if (!only)
        return open_rounds(s, store);
    const int further = s->rounds_last > rounds_whole(&s->rule);
    s->round = s->rounds_last - further;
    return further ? open_round(s, store) : 0;
}

static int look_ahead(struct sweep *s, const struct store *store)
{
    struct rounds rounds;
    if (rounds_make(&s->plan, s->req->dir, store, &s->rule, &rounds, s->err) < 0)
        return -1;
    adaptive_forecast_text(&rounds, s->req->study->seed, s->outlook);
    rounds_free(&rounds);
    return 0;
}

int tasks_make(struct sweep *s)
{
    struct store store;
    s->rule = rounds_rule_of(s->req->study, s->req->retries);
    s->rule.prior = s->req->only ? NULL : &s->prior;
    s->n_tasks = s->plan.n_launches;
    s->tasks = memory_zeros(s->n_tasks, sizeof *s->tasks);
    s->same = memory_zeros(s->plan.n, 1);
    s->failures = memory_zeros(s->plan.n, sizeof *s->failures);
    if (store_open(s->req->dir, s->provenance.digest, &store, s->err) < 0)
        return -1;
    if (store.n_other)
        progress_say(&s->progress,
                     "%zu earlier sample files were measured under other facts or settings "
                     "and are passed over",
                     store.n_other);
    int status = fill_all(s, &store);
    if (status == 0 && s->rule.adaptive && !s->req->only)
        status = look_ahead(s, &store);
    store_free(&store);
    if (s->req->backend->parallel) /* the largest first, so that cores end together */
        qsort(s->tasks, s->n_tasks, sizeof *s->tasks, by_weight);
    return status;
}

size_t tasks_left(const struct sweep *s, double *weight)
{
    size_t left = 0;
    *weight = 0;
    for (size_t i = 0; i < s->n_tasks; i++) {
        left += s->tasks[i].left;
        *weight += s->tasks[i].weight;
    }
    return left;
}

void tasks_strike(struct sweep *s, struct task *t, size_t i)
{
    t->todo[i] = 0;
    t->left--;
    s->weight_done += tasks_point_weight(s, i);
}

void tasks_free(struct sweep *s)
{
    for (size_t i = 0; s->tasks && i < s->n_tasks; i++)
        free(s->tasks[i].todo);
    memory_free(s->tasks, s->same, s->failures);
    memory_free(s->alike.reasons, s->alike.mpis);
}

enum { MOST_ALIKE = 3 };

/* Every run of digits counts as one. */
static int is_same(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        const int digits = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);
        for (; digits && isdigit((unsigned char)a[1]); a++)
            continue;
        for (; digits && isdigit((unsigned char)b[1]); b++)
            continue;
        if (!digits && *a != *b)
            return 0;
    }
    return *a == *b;
}

int same_failure_is_new(struct sweep *s, const char *reason)
{
    for (size_t i = 0; i < s->alike.n_reasons; i++)
        if (is_same(s->alike.reasons[i].text, reason)) {
            s->alike.reasons[i].again++;
            return 0;
        }
    struct alike_reason *r = array_add(&s->alike.reasons, &s->alike.n_reasons);
    snprintf(r->text, sizeof r->text, "%s", reason);
    return 1;
}

/* What is counted of an MPI; NULL: nothing yet. */
static struct alike_mpi *find(const struct sweep *s, const char *mpi)
{
    return find_below(s->alike.mpis, i, s->alike.n_mpis,
                      strcmp(s->alike.mpis[i].launch->mpi, mpi) == 0);
}

static struct alike_mpi *find_or_add(struct sweep *s, const struct launch *launch)
{
    struct alike_mpi *m = find(s, launch->mpi);
    if (!m) {
        m = array_add(&s->alike.mpis, &s->alike.n_mpis);
        m->launch = launch;
    }
    return m;
}

void same_failure_works(struct sweep *s, const struct launch *launch)
{
    find_or_add(s, launch)->differ = 1;
}

int same_failure_gives_up(struct sweep *s, const struct job_slot *slot, const char *reason)
{
    const struct task *t = slot->task;
    struct alike_mpi *m = find_or_add(s, t->launch);
    if (m->attempts++ == 0)
        snprintf(m->reason, sizeof m->reason, "%s", reason);
    m->differ |= slot->begun || !is_same(m->reason, reason);
    m->launches += t->fruitless == 1;
    m->hopeless |=
        !m->differ && (m->launches >= MOST_ALIKE || (m->attempts >= MOST_ALIKE && slot->refused));
    return m->hopeless;
}

int same_failure_gave_up(const struct sweep *s, const char *mpi)
{
    const struct alike_mpi *m = find(s, mpi);
    return m && m->hopeless;
}

void same_failure_tell(struct sweep *s)
{
    for (size_t i = 0; i < s->alike.n_reasons; i++)
        if (s->alike.reasons[i].again)
            progress_say(&s->progress, "%zu more attempts ended like that: %s",
                         s->alike.reasons[i].again, s->alike.reasons[i].text);
}

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
    progress_say(
        &s->progress,
        "%s: task %s, which Slurm has given up, still works on it: it gets a signal to end",
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
