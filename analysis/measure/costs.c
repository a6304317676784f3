/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/costs.h"

#include "workloads/schedules/collectives.h"

/* 1 where one process of this machine stands for all ranks, on a clock of its own. */
static int pretends(const struct facts *facts)
{
    return facts->simulated;
}

/* The last attempt of the event's launch that it may speak of: by number; without one, the open one
 * of its job. NULL: none. */
static struct attempt_cost *attempt_of(struct costs *costs, const struct event *e)
{
    for (size_t i = costs->n; i-- > 0;) {
        struct attempt_cost *a = &costs->row[i];
        if (strcmp(a->launch.name, e->launch) != 0)
            continue;
        if (e->attempt > 0 ? a->attempt == e->attempt
                           : strcmp(a->job, e->job) == 0 && strcmp(a->outcome, "no_end") == 0)
            return a;
    }
    return NULL;
}

static struct attempt_cost *add_attempt(struct costs *costs, const struct event *e,
                                        const struct launch *launch)
{
    struct attempt_cost *row = array_add(&costs->row, &costs->n);
    *row = (struct attempt_cost){
        .attempt = e->attempt, .elapsed_s = NAN, .core_s = NAN, .points_s = NAN
    };
    row->launch = *launch;
    snprintf(row->job, sizeof row->job, "%s", e->job);
    snprintf(row->outcome, sizeof row->outcome, "no_end");
    return row;
}

static void take_cores(struct attempt_cost *a, const struct facts *facts, const struct event *e)
{
    if (e->cores > 0)
        a->cores = e->cores;
    else if (!a->cores)
        a->cores = pretends(facts) ? 1 : a->launch.procs;
}

static void end_attempt(struct attempt_cost *a, const struct event *e)
{
    snprintf(a->outcome, sizeof a->outcome, "%s", e->event);
    snprintf(a->reason, sizeof a->reason, "%s", e->reason);
    a->elapsed_s = e->elapsed_s > 0 || !*a->started ? e->elapsed_s : NAN;
    a->points = e->points > 0 ? (size_t)e->points : 0;
    if (!*a->job)
        snprintf(a->job, sizeof a->job, "%s", e->job);
}

/* What is said later of an end that is known adds no time, but where none was told (Slurm put the
 * task back into the queue, and the attempt tells later how long it had been at work); and it may
 * say why an attempt was interrupted, or that a node was to blame for its failure. */
static void explain(struct attempt_cost *a, const struct event *e)
{
    const int interrupted = strcmp(a->outcome, "interrupted") == 0;
    const int broken = strcmp(a->outcome, "failed") == 0 && strcmp(e->event, "node_failed") == 0;
    if (isnan(a->elapsed_s) && e->elapsed_s > 0)
        a->elapsed_s = e->elapsed_s;
    if ((!interrupted && !broken) || strcmp(e->event, "done") == 0)
        return;
    snprintf(a->outcome, sizeof a->outcome, "%s", e->event);
    snprintf(a->reason, sizeof a->reason, "%s", e->reason);
}

static int is_end(const char *event)
{
    static const char *const ends[] = { "done",      "failed",      "timeout", "interrupted",
                                        "cancelled", "node_failed", "lost" };
    return any_below(i, sizeof ends / sizeof *ends, strcmp(ends[i], event) == 0);
}

/* Folds events in their order into rows, one at a time. */
static void costs_take(struct costs *costs, const struct facts *facts, const struct event *e)
{
    const int start = strcmp(e->event, "started") == 0;
    if (*e->digest && *facts->digest && strcmp(e->digest, facts->digest) != 0)
        return;
    struct launch launch;
    if ((!start && !is_end(e->event)) || launch_parse(e->launch, &launch, NULL) < 0)
        return;
    struct attempt_cost *a = attempt_of(costs, e);
    if (a && !start && strcmp(a->outcome, "no_end") != 0) {
        explain(a, e);
        return;
    }
    if (!a)
        a = add_attempt(costs, e, &launch);
    take_cores(a, facts, e);
    if (start)
        snprintf(a->started, sizeof a->started, "%s", e->t);
    else
        end_attempt(a, e);
}

/* The finished points of a file. */
struct finished {
    size_t points;
    double seconds;
};

/* Adds what the store knows of the attempts' points, and sums up. */
static void costs_finish(struct costs *costs, const struct facts *facts, const struct store *store)
{
    struct finished *of = memory_zeros(store->n_files + 1, sizeof *of);
    for (size_t k = 0; k < store->n_outcomes; k++) {
        of[store->outcomes[k].file].points++;
        of[store->outcomes[k].file].seconds += store->outcomes[k].elapsed_s;
    }
    for (size_t i = 0; i < costs->n; i++) {
        struct attempt_cost *a = &costs->row[i];
        struct finished sum = { 0 };
        for (size_t k = 0; k < store->n_files; k++) {
            const struct sample_file *f = &store->files[k];
            if (f->attempt != a->attempt || strcmp(f->launch.name, a->launch.name) != 0)
                continue;
            sum.points += of[k].points;
            sum.seconds += of[k].seconds;
        }
        if (strcmp(a->outcome, "no_end") == 0)
            a->points = sum.points;
        if (!pretends(facts))
            a->points_s = sum.seconds;
        a->core_s = (isnan(a->elapsed_s) ? a->points_s : a->elapsed_s) * a->cores;
    }
    free(of);
}

/* What is being built while events are read. */
struct builder {
    struct costs *costs;
    const struct facts *facts;
};

static int take(const struct event *event, void *user)
{
    const struct builder *b = user;
    costs_take(b->costs, b->facts, event);
    return 0;
}

int costs_build(const char *dir, const struct facts *facts, const struct store *store,
                struct costs *costs, struct err *err)
{
    struct builder b = { .costs = costs, .facts = facts };
    *costs = (struct costs){ .n = 0 };
    if (journal_read(dir, take, &b, err) < 0) {
        costs_clear(costs);
        return -1;
    }
    costs_finish(costs, facts, store);
    return 0;
}

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(attempt_cost, NAME, "launch", launch.name, "", "as in plan.csv"),
    COLUMN(attempt_cost, INT, "attempt", attempt, "", "from 1; empty: ended in the queue, before it began", COLUMN_NONE(0)),
    PLATFORM_COLUMNS(attempt_cost, launch.mpi, launch.mapping),
    COLUMN(attempt_cost, INT, "nodes", launch.nodes, "", "of the launch"),
    COLUMN(attempt_cost, INT, "ppn", launch.ppn, "", "the most ranks on one node"),
    COLUMN(attempt_cost, INT, "procs", launch.procs, "", "ranks of the launch"),
    COLUMN(attempt_cost, NAME, "job", job, "", "Slurm's job; empty: none"),
    COLUMN(attempt_cost, NAME, "outcome", outcome, "", "its last event; `no_end`: it runs, or was cut short"),
    COLUMN(attempt_cost, NAME, "started", started, "", "UTC"),
    COLUMN(attempt_cost, REAL, "elapsed_s", elapsed_s, "s", "wall time"),
    COLUMN(attempt_cost, INT, "cores", cores, "", "held meanwhile"),
    COLUMN(attempt_cost, REAL, "core_s", core_s, "s", "elapsed_s x cores; where that is not known, what its points took"),
    COLUMN(attempt_cost, COUNT, "points", points, "", "finished"),
    COLUMN(attempt_cost, REAL, "points_s", points_s, "s", "of elapsed_s, in finished points; empty: their clock is not the attempt's"),
    COLUMN(attempt_cost, TEXT, "reason", reason, "", "why it ended as it did"),
};
/* clang-format on */

SCHEMA(cost_schema, attempt_cost, columns, "costs.csv",
       "One row per attempt of a launch, whatever came of it (`analysis/measure/costs.h`).",
       .backend = 1);

CLEARS(costs_clear, costs, it->row)

int measured_for(const struct spending *of, const struct measured *m)
{
    const struct point *p = &m->point;
    const int is_timed = p->experiment == EXP_TIME || p->experiment == EXP_GATHER;
    return strcmp(p->cell.mpi, of->mpi) == 0 &&
           (p->channel != CHANNEL_NONE || strcmp(p->cell.mapping, of->mapping) == 0) &&
           (!is_timed || strcmp(p->cell.collective, of->collective) == 0);
}

double spent_on(const struct points *points, const struct spending *of, enum experiment experiment)
{
    double sum = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment == experiment && m->point.channel == CHANNEL_NONE &&
            measured_for(of, m))
            sum += m->core_s;
    }
    return sum;
}

double spent_on_grid(const struct points *points, const struct spending *of)
{
    double sum = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment == EXP_TIME && m->point.purpose == FOR_STUDY && measured_for(of, m))
            sum += m->core_s;
    }
    return sum;
}

double spent_on_channels(const struct points *points, const struct spending *of)
{
    const struct collective *c = collective_find(of->collective);
    const int reduces = !c || c->fan != FAN_SEND;
    double sum = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.channel != CHANNEL_NONE && measured_for(of, m) &&
            (m->point.experiment != EXP_FANIN || reduces))
            sum += m->core_s;
    }
    return sum;
}
