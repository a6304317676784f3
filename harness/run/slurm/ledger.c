/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/ledger.h"

#include <time.h>

#include "harness/study/journal.h"
#include "harness/study/rounds.h"
#include "harness/study/manifest.h"
#include "harness/study/plan/plan_build.h"

/* A node that broke an attempt. */
struct strike {
    size_t task;
    int attempt;
    char node[NODE_SIZE];
    int void_; /* the task was cancelled or out of time: its daemons were killed, no node failed */
};

/* Reading events.jsonl. */
struct fold {
    struct ledger *ledger;
    struct strike *strikes;
    size_t n_strikes;
};

static double parse_utc(const char *text)
{
    struct tm tm = { 0 };
    return strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm) ? (double)timegm(&tm) : 0;
}

static int is(const struct event *e, const char *name)
{
    return strcmp(e->event, name) == 0;
}

/* ---- the tables that events are folded into ---- */

static struct ledger_task *add_task(struct fold *f, size_t launch, const char *job)
{
    struct ledger *l = f->ledger;
    struct ledger_task *t = array_add(&l->tasks, &l->n_tasks);
    *t = (struct ledger_task){ .launch = launch,
                               .said = { .state = SLURM_GONE, .exit = -1 },
                               .begun_before = l->n_attempts };
    snprintf(t->job, sizeof t->job, "%s", job);
    return t;
}

static struct ledger_task *find_task(struct fold *f, size_t launch, const char *job)
{
    const struct ledger *l = f->ledger;
    for (size_t i = l->n_tasks; i-- > 0;)
        if (l->tasks[i].launch == launch && strcmp(l->tasks[i].job, job) == 0)
            return &l->tasks[i];
    return add_task(f, launch, job);
}

/* A controller that lost its state gives the numbers of jobs again: what bore this one before is
 * gone, whatever Slurm says of the number now. One that began before submit could write down that
 * it was submitted is the same. */
static struct ledger_task *submitted_task(struct fold *f, size_t launch, const char *job,
                                          const char *mark)
{
    const struct ledger *l = f->ledger;
    for (size_t i = 0; i < l->n_tasks; i++)
        if (strcmp(l->tasks[i].job, job) == 0 &&
            (l->tasks[i].launch != launch || l->tasks[i].submitted))
            l->tasks[i].closed = 1;
    struct ledger_task *t = find_task(f, launch, job);
    if (t->submitted)
        t = add_task(f, launch, job);
    t->submitted = 1;
    snprintf(t->mark, sizeof t->mark, "%s", mark);
    return t;
}

static struct ledger_attempt *find_attempt(const struct ledger *l, size_t task, int attempt)
{
    for (size_t i = l->n_attempts; i-- > 0;)
        if (l->attempts[i].task == task && l->attempts[i].attempt == attempt)
            return &l->attempts[i];
    return NULL;
}

static void add_attempt(struct fold *f, size_t task, const struct event *e)
{
    struct ledger *l = f->ledger;
    struct ledger_attempt *a = array_add(&l->attempts, &l->n_attempts);
    *a = (struct ledger_attempt){ .task = task,
                                  .attempt = e->attempt,
                                  .started_s = parse_utc(e->t) };
    memcpy(a->nodes, e->nodes, sizeof a->nodes);
}

static void add_strike(struct fold *f, size_t task, const struct event *e)
{
    for (size_t i = 0; i < f->n_strikes; i++)
        if (f->strikes[i].task == task && f->strikes[i].attempt == e->attempt &&
            strcmp(f->strikes[i].node, e->node) == 0)
            return;
    struct strike *s = array_add(&f->strikes, &f->n_strikes);
    *s = (struct strike){ .task = task, .attempt = e->attempt };
    snprintf(s->node, sizeof s->node, "%s", e->node);
}

/* The launcher blamed a node when Slurm killed its daemons. */
static void take_back_strikes(struct fold *f, size_t task, int attempt)
{
    for (size_t i = 0; i < f->n_strikes; i++)
        if (f->strikes[i].task == task && f->strikes[i].attempt == attempt)
            f->strikes[i].void_ = 1;
}

/* One per rank; in a simulation one for all. */
static int usual_cores(const struct ledger *l, const struct ledger_launch *at)
{
    return plan_stand_in(l->backend) ? 1 : at->launch->procs;
}

/* ---- one event ---- */

static void fold_start(struct fold *f, size_t task, const struct event *e)
{
    struct ledger_task *t = &f->ledger->tasks[task];
    struct ledger_launch *at = &f->ledger->launches[t->launch];
    add_attempt(f, task, e);
    t->closed = 0;
    t->attempts++;
    at->attempts++;
    memcpy(at->nodes, e->nodes, sizeof at->nodes);
}

/* What an end tells of its attempt's time where no other one told it before: two may tell of one,
 * who watches Slurm and the attempt itself. As in costs.csv, the first counts. */
static double untold(struct ledger_attempt *a, double elapsed_s)
{
    if (!a)
        return elapsed_s;
    if (a->elapsed_s > 0)
        return 0;
    a->elapsed_s = elapsed_s;
    return elapsed_s;
}

static void fold_end(struct fold *f, size_t task, const struct event *e)
{
    struct ledger_task *t = &f->ledger->tasks[task];
    struct ledger_launch *at = &f->ledger->launches[t->launch];
    struct ledger_attempt *a = find_attempt(f->ledger, task, e->attempt);
    const int limit = is(e, "timeout") && !*e->point;
    const int cores = e->cores > 0 ? e->cores : usual_cores(f->ledger, at);
    t->closed = is(e, "done") || is(e, "cancelled") || is(e, "lost") || (limit && *t->job);
    t->begun_by_end = f->ledger->n_attempts;
    const double more_s = untold(a, e->elapsed_s);
    t->elapsed_s += more_s;
    at->elapsed_s += more_s;
    if (t->counted)
        at->core_s += more_s * cores;
    if (is(e, "cancelled") || limit)
        take_back_strikes(f, task, e->attempt);
    if (is(e, "node_failed") && *e->node)
        add_strike(f, task, e);
    if (!is(e, "done"))
        memcpy(at->reason, e->reason, sizeof at->reason);
    if (!a)
        return;
    a->blamed |= is(e, "node_failed");
    if (!*a->end) {
        memcpy(a->end, e->event, sizeof a->end);
        a->ended_s = parse_utc(e->t);
    }
}

static int on_event(const struct event *e, void *user)
{
    struct fold *f = user;
    struct ledger *l = f->ledger;
    const struct launch *launch = plan_launch(&l->plan, e->launch);
    if (!launch || is(e, "excluded"))
        return 0;
    const int mine = !*l->digest || !*e->digest || strcmp(l->digest, e->digest) == 0;
    struct ledger_launch *at = &l->launches[launch - l->plan.launches];
    const size_t index = (size_t)(at - l->launches);
    struct ledger_task *t = is(e, "submitted") ? submitted_task(f, index, e->job, e->mark)
                                               : find_task(f, index, e->job);
    const int late =
        is(e, "submitted") && *t->last; /* it began before submit could write that down */
    t->counted |= mine;
    if (!late)
        memcpy(t->last, e->event, sizeof t->last);
    if (is(e, "submitted"))
        at->submissions += mine;
    else if (is(e, "started"))
        fold_start(f, (size_t)(t - l->tasks), e);
    else
        fold_end(f, (size_t)(t - l->tasks), e);
    if (*e->job && (is(e, "submitted") || is(e, "started")))
        snprintf(at->job, sizeof at->job, "%s", e->job);
    if (!late)
        memcpy(at->last, e->event, sizeof at->last);
    return 0;
}

/* ---- asking Slurm ---- */

/* One that has an end of its own, after which only Slurm knows whether more can follow. */
static int has_end(const struct ledger_task *t)
{
    return strcmp(t->last, "submitted") != 0 && strcmp(t->last, "started") != 0;
}

/* Jobs that may not be closed, from the events alone. */
static const char **jobs_to_ask(const struct ledger *l, size_t *n)
{
    const char **jobs = memory_zeros(l->n_tasks + 1, sizeof *jobs);
    *n = 0;
    for (size_t i = 0; i < l->n_tasks; i++)
        if (*l->tasks[i].job && !l->tasks[i].closed)
            jobs[(*n)++] = l->tasks[i].job;
    return jobs;
}

static int ask(const struct slurm *slurm, const struct ledger *l, struct slurm_task **said,
               size_t *n, struct err *err)
{
    const char **jobs = jobs_to_ask(l, n);
    *said = NULL;
    const int status = *n ? slurm_tasks(slurm, jobs, *n, said, err) : 0;
    free(jobs);
    return status;
}

/* What Slurm says of a number. It is not of this task where the job that bears it is another one's:
 * a controller that has lost its state gives numbers again. */
static void note_answer(struct ledger_task *t, const struct slurm_task *said)
{
    t->asked = 1;
    t->foreign = *t->mark && said->shown && strcmp(t->mark, said->mark) != 0;
    t->said = *said;
    if (t->foreign)
        t->said = (struct slurm_task){ .state = SLURM_GONE, .exit = -1 };
}

static void note_answers(struct ledger *l, const struct slurm_task *said, size_t n)
{
    for (size_t i = 0; i < l->n_tasks; i++)
        for (size_t k = 0; k < n; k++)
            if (strcmp(l->tasks[i].job, said[k].job) == 0)
                note_answer(&l->tasks[i], &said[k]);
}

static int at_work(enum slurm_state state)
{
    return state == SLURM_PENDING || state == SLURM_RUNNING;
}

static int task_in_flight(const struct ledger_task *t)
{
    if (!*t->job || t->closed)
        return 0;
    return t->asked ? at_work(t->said.state) : !has_end(t);
}

/* ---- sums ---- */

static void count_finished(struct ledger_launch *at, const struct outcome *o)
{
    at->finished++;
    if (outcome_usable(o))
        return;
    if (at->unusable++ == 0)
        outcome_describe(o, at->unusable_reason);
}

static void count_points(struct ledger *l, const struct store *store, const struct rounds *rounds,
                         struct ledger_launch *at)
{
    const struct launch *launch = at->launch;
    at->wanted = rounds_wanted(rounds, &l->plan, launch, &at->later);
    for (size_t i = launch->first; i < launch->first + launch->n; i++) {
        const char *id = l->plan.points[i].id;
        if (rounds_need(rounds, id, launch->repeat) != ROUND_WANTED)
            continue;
        const struct outcome *o = store_find(store, id, launch->repeat);
        if (o) {
            count_finished(at, o);
            continue;
        }
        const struct failure *f = store_failure(store, id, "", launch->repeat);
        at->broken += f != NULL;
        if (f && f->count > l->retries)
            at->failed++;
        else
            at->left++;
    }
}

/* The attempt that wrote a file of samples, or NULL. */
static struct ledger_attempt *attempt_of(const struct ledger *l, const struct sample_file *file)
{
    const struct launch *launch = plan_launch(&l->plan, file->launch.name);
    for (size_t i = 0; launch && i < l->n_attempts; i++) {
        struct ledger_attempt *a = &l->attempts[i];
        if (a->attempt == file->attempt && l->launches[l->tasks[a->task].launch].launch == launch)
            return a;
    }
    return NULL;
}

/* Points by the attempt that finished them, and what these took. */
static void credit_attempts(struct ledger *l, const struct store *store)
{
    const int own_clock = plan_stand_in(l->backend) != NULL;
    size_t *points = memory_zeros(store->n_files + 1, sizeof *points);
    double *seconds = memory_zeros(store->n_files + 1, sizeof *seconds);
    for (size_t i = 0; i < store->n_outcomes; i++) {
        points[store->outcomes[i].file]++;
        seconds[store->outcomes[i].file] += own_clock ? 0 : store->outcomes[i].elapsed_s;
    }
    for (size_t i = 0; i < store->n_files; i++) {
        struct ledger_attempt *a = points[i] ? attempt_of(l, &store->files[i]) : NULL;
        if (!a)
            continue;
        a->finished += (int)points[i];
        a->points_s += seconds[i];
        l->tasks[a->task].finished += (int)points[i];
    }
    memory_free(points, seconds);
}

/* An attempt that was killed with its driver, or its node, has no end that tells its time; what it
 * finished counts all the same, as in costs.csv. */
static void add_unended(struct ledger *l)
{
    for (size_t i = 0; i < l->n_attempts; i++) {
        const struct ledger_attempt *a = &l->attempts[i];
        struct ledger_launch *at = &l->launches[l->tasks[a->task].launch];
        if ((*a->end && a->elapsed_s > 0) || !l->tasks[a->task].counted)
            continue;
        at->elapsed_s += a->points_s;
        at->core_s += a->points_s * usual_cores(l, at);
        at->unended++;
    }
}

/* 1 when Slurm lost a task before it began, and others of the study began since it was submitted:
 * then the queue was lost, and the launch is not to blame. Where nothing begins at all, it may be
 * that Slurm forgets at once what cannot start. */
static int lost_in_queue(const struct ledger *l, const struct ledger_task *t)
{
    const int lost = strcmp(t->last, "lost") == 0;
    const int silent = strcmp(t->last, "submitted") == 0 && t->asked && t->said.state == SLURM_GONE;
    return t->attempts == 0 && (lost || silent) &&
           (lost ? t->begun_by_end : l->n_attempts) > t->begun_before;
}

/* Submissions since the last one that brought a point. */
static int count_fruitless(const struct ledger *l, size_t launch)
{
    int n = 0;
    for (size_t i = l->n_tasks; i-- > 0;) {
        const struct ledger_task *t = &l->tasks[i];
        if (t->launch != launch || !*t->job || !t->counted || task_in_flight(t) ||
            strcmp(t->last, "cancelled") == 0 || lost_in_queue(l, t))
            continue;
        if (t->finished)
            break;
        n++;
    }
    return n;
}

/* The last task of a launch, but one that is in flight before one that is not. */
static void note_task(struct ledger *l, struct ledger_launch *at)
{
    const struct ledger_task *last = NULL;
    at->task = (struct slurm_task){ .state = SLURM_GONE, .exit = -1 };
    for (size_t i = 0; i < l->n_tasks; i++) {
        const struct ledger_task *t = &l->tasks[i];
        if (&l->launches[t->launch] != at || !*t->job)
            continue;
        if (!last || task_in_flight(t) || (!task_in_flight(last) && strcmp(t->job, at->job) == 0))
            last = t;
    }
    if (!last)
        return;
    memcpy(at->job, last->job, sizeof at->job);
    at->task = last->said;
    at->foreign = last->foreign;
    at->asked = last->asked;
    at->closed = last->closed || (last->asked && !at_work(last->said.state) && has_end(last));
}

void ledger_add_running(const struct ledger *l, struct ledger_launch *at)
{
    const int cores = at->task.cores > 0 ? at->task.cores : usual_cores(l, at);
    size_t i = l->n_attempts;
    while (i > 0 && &l->launches[l->tasks[l->attempts[i - 1].task].launch] != at)
        i--;
    const struct ledger_attempt *a = i > 0 ? &l->attempts[i - 1] : NULL;
    if (!a || *a->end || !l->tasks[a->task].counted)
        return;
    const double so_far = fmax(0, (double)time(NULL) - a->started_s - a->points_s);
    at->elapsed_s += so_far;
    at->core_s += so_far * cores;
    at->unended--;
}

static int by_name(const void *left, const void *right)
{
    const struct ledger_node *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static void count_nodes(struct fold *f)
{
    struct ledger *l = f->ledger;
    for (size_t i = 0; i < f->n_strikes; i++) {
        size_t k = 0;
        if (f->strikes[i].void_)
            continue;
        while (k < l->n_nodes && strcmp(l->nodes[k].name, f->strikes[i].node) != 0)
            k++;
        struct ledger_node *node =
            k < l->n_nodes ? &l->nodes[k] : array_add(&l->nodes, &l->n_nodes);
        memcpy(node->name, f->strikes[i].node, NODE_SIZE);
        node->strikes++;
    }
    if (l->n_nodes)
        qsort(l->nodes, l->n_nodes, sizeof *l->nodes, by_name);
}

static void sum_up(struct ledger *l, const struct store *store, const struct rounds *rounds)
{
    credit_attempts(l, store);
    add_unended(l);
    for (size_t i = 0; i < l->plan.n_launches; i++) {
        struct ledger_launch *at = &l->launches[i];
        count_points(l, store, rounds, at);
        note_task(l, at);
        at->fruitless = count_fruitless(l, i);
        if (at->fruitless > l->retries && !ledger_in_flight(at)) {
            at->failed += at->left;
            at->left = 0;
        }
        if (ledger_in_flight(at) && (!at->asked || at->task.state == SLURM_RUNNING))
            ledger_add_running(l, at);
        l->points += at->wanted;
        l->finished += at->finished;
        if (at->unusable && !l->unusable)
            memcpy(l->unusable_reason, at->unusable_reason, sizeof l->unusable_reason);
        l->unusable += at->unusable;
        l->failed += at->failed;
        l->core_s += at->core_s;
    }
}

/* ---- reading ---- */

static int read_plan(const char *dir, struct ledger *l, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/plan.csv", dir) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(err, "'%s' does not exist (want: collsel measure first)", path);
    if (plan_read(path, &l->plan, err) < 0)
        return -1;
    if (manifest_backend(dir, l->backend, sizeof l->backend, err) < 0)
        return -1;
    if (manifest_digest(dir, l->digest, NULL) < 0)
        l->digest[0] = '\0';
    l->launches = memory_zeros(l->plan.n_launches + 1, sizeof *l->launches);
    for (size_t i = 0; i < l->plan.n_launches; i++)
        l->launches[i].launch = &l->plan.launches[i];
    return 0;
}

/* The files, and what Slurm has said before. */
static int read_files(const char *dir, const struct slurm_task *said, size_t n_said,
                      struct ledger *l, struct err *err)
{
    struct store store;
    struct fold f = { .ledger = l };
    if (read_plan(dir, l, err) < 0)
        return -1;
    int status = journal_read(dir, on_event, &f, err);
    if (status == 0)
        count_nodes(&f);
    free(f.strikes);
    if (status < 0)
        return -1;
    note_answers(l, said, n_said);
    if (store_open(dir, *l->digest ? l->digest : NULL, &store, err) < 0)
        return -1;
    struct rounds_rule rule;
    struct rounds rounds;
    status = rounds_rule_read(dir, l->retries, &rule, err);
    if (status == 0)
        status = rounds_make(&l->plan, dir, &store, &rule, &rounds, err);
    if (status == 0) {
        sum_up(l, &store, &rounds);
        rounds_free(&rounds);
    }
    store_free(&store);
    return status;
}

/* The tasks that Slurm is to be asked about, and its answers. */
static int ask_slurm(const char *dir, const struct slurm *slurm, struct slurm_task **said,
                     size_t *n, struct err *err)
{
    struct ledger first = { 0 };
    struct fold f = { .ledger = &first };
    int status = read_plan(dir, &first, err);
    if (status == 0)
        status = journal_read(dir, on_event, &f, err);
    if (status == 0)
        status = ask(slurm, &first, said, n, err);
    free(f.strikes);
    ledger_free(&first);
    return status;
}

int ledger_open(const char *dir, const struct slurm *slurm, int retries, struct ledger *ledger,
                struct err *err)
{
    struct slurm_task *said = NULL;
    size_t n = 0;
    *ledger = (struct ledger){ .retries = retries };
    int status = slurm ? ask_slurm(dir, slurm, &said, &n, err) : 0;
    if (status == 0)
        status = read_files(dir, said, n, ledger, err);
    free(said);
    if (status < 0)
        ledger_free(ledger);
    return status;
}

int ledger_in_flight(const struct ledger_launch *at)
{
    if (!*at->job || at->closed)
        return 0;
    if (at->asked)
        return at_work(at->task.state);
    return strcmp(at->last, "submitted") == 0 || strcmp(at->last, "started") == 0;
}

void ledger_excluded(const struct ledger *ledger, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < ledger->n_nodes; i++) {
        const struct ledger_node *node = &ledger->nodes[i];
        if (node->strikes >= NODE_STRIKES && used + strlen(node->name) + 2 < size)
            used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? "," : "", node->name);
    }
}

void ledger_free(struct ledger *ledger)
{
    plan_free(&ledger->plan);
    memory_free(ledger->launches, ledger->nodes, ledger->tasks, ledger->attempts);
    *ledger = (struct ledger){ 0 };
}
