/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/estimate.h"

#include <dirent.h>

#include "harness/base/json_print.h"
#include "harness/study/journal.h"
#include "harness/study/manifest.h"
#include "harness/study/plan/same.h"

/* Nominal costs, for a first guess only; the progress line replaces them by what is seen. Start and
 * point are as one study's launches took on a machine of two cores. */
static const double real_message_s = 5e-6; /* start of a message, ranks on cores of their own */
static const double real_byte_s = 2e-10;   /* a copy through memory */
static const double real_point_s = 10e-3;  /* proof, probe and agreement on a point */
static const double launch_s = 0.5;        /* start of a launch */
enum { SHORT_CALLS = 100 }; /* made in any case, before the timed ones and of these */

static double real_call(const struct point *p, const struct cluster *c, const struct study *s,
                        double ranks_per_core)
{
    return bound_messages(p, c, s->inner) * real_message_s * ranks_per_core +
           (double)p->cell.bytes * p->cell.procs * real_byte_s;
}

/* Of a point that is timed with another one. */
static double real_probe(const struct point *p, const struct cluster *c, const struct study *s,
                         double ranks_per_core)
{
    return real_point_s * ranks_per_core + real_call(p, c, s, ranks_per_core);
}

/* workloads/measure/warming.h and stopping.h say how often calls are made. */
static double real_point(const struct point *p, const struct cluster *c, const struct study *s,
                         double ranks_per_core)
{
    const double call = real_call(p, c, s, ranks_per_core);
    const double share = bound_share(s);
    double warm = s->warmup ? fmax(s->warmup * call, fmin(SHORT_CALLS * call, share / 40)) : 0;
    double timed = fmax(2 * s->min_reps * call, fmin(SHORT_CALLS * call, share / 100));
    return real_point_s * ranks_per_core + fmin(warm + timed + call, share);
}

double estimate_launch_bound(const struct plan *plan, const struct launch *launch,
                             const struct cluster *cluster, const struct study *study)
{
    double t = launch_s;
    for (size_t i = launch->first; i < launch->first + launch->n; i++)
        t += bound_point(&plan->points[i], cluster, study);
    return t;
}

/* A simulated point by what is the same where it is measured. */
struct twin {
    char id[ID_SIZE];
    double call_s; /* mean of its samples */
};

/* The id of a point without its library: neither "smpi" nor "openmpi:chain" but "chain". */
static void twin_id(const struct point *point, char id[ID_SIZE])
{
    struct point p = *point;
    memmove(p.candidate.algorithm, algorithm_base_name(point->candidate.algorithm),
            strlen(algorithm_base_name(point->candidate.algorithm)) + 1);
    memset(p.cell.mpi, 0, sizeof p.cell.mpi);
    point_identify(&p);
    memcpy(id, p.id, ID_SIZE);
}

static int by_id(const void *left, const void *right)
{
    return strcmp(((const struct twin *)left)->id, ((const struct twin *)right)->id);
}

/* Mean of the samples that count, by the clock that the experiment uses; 0 where there is none. -1
 * with *err: they cannot be read. */
static double mean_call(const struct store *store, const struct point *point, struct err *err)
{
    size_t repeats, n, counted = 0;
    double sum = 0;
    const struct outcome *o = store_all(store, point->id, &repeats);
    struct sample *v = o ? store_samples(store, o, &n, err) : NULL;
    if (o && !v)
        return -1;
    for (size_t i = 0; v && i < n; i++)
        if (v[i].valid && !v[i].warmup) {
            sum += point->experiment == EXP_TIME ? v[i].max_s : v[i].root_s;
            counted++;
        }
    free(v);
    return counted ? sum / (double)counted : 0;
}

/* Takes the simulated points of a plan that have a time. */
static int take_twins(struct history *h, const struct plan *plan, struct err *err)
{
    h->twins = memory_zeros(plan->n + 1, sizeof *h->twins);
    for (size_t i = 0; i < plan->n; i++) {
        struct twin *t = &h->twins[h->n_twins];
        if ((t->call_s = mean_call(&h->simulated, &plan->points[i], err)) < 0)
            return -1;
        if (t->call_s == 0)
            continue;
        twin_id(&plan->points[i], t->id);
        h->n_twins++;
    }
    qsort(h->twins, h->n_twins, sizeof *h->twins, by_id);
    return 0;
}

static int open_simulated(const char *dir, struct history *h, struct err *err)
{
    char sim[PATH_SIZE], path[PATH_SIZE];
    struct plan plan;
    if (fs_path(sim, sizeof sim, err, "%s-sim", dir) < 0 ||
        fs_path(path, sizeof path, err, "%s/plan.csv", sim) < 0)
        return -1;
    if (!fs_exists(path))
        return 0;
    if (plan_read(path, &plan, err) < 0)
        return -1;
    int status = store_open(sim, NULL, &h->simulated, err);
    if (status == 0)
        status = take_twins(h, &plan, err);
    plan_free(&plan);
    return status;
}

int history_open(const char *dir, struct history *history, struct err *err)
{
    *history = (struct history){ 0 };
    if (store_open(dir, NULL, &history->own, err) == 0 && open_simulated(dir, history, err) == 0)
        return 0;
    history_free(history);
    return -1;
}

void history_free(struct history *history)
{
    store_free(&history->own);
    store_free(&history->simulated);
    free(history->twins);
    *history = (struct history){ 0 };
}

/* The longest that the point took in any repeat; 0: it was not measured. */
static double measured_point(const struct history *h, const struct point *point)
{
    size_t n = 0;
    double most = 0;
    const struct outcome *o = store_all(&h->own, point->id, &n);
    for (size_t i = 0; o && i < n; i++)
        most = fmax(most, o[i].elapsed_s);
    return most;
}

double estimate_launch(const struct plan *plan, const struct launch *launch,
                       const struct cluster *cluster, const struct study *study,
                       double ranks_per_core, const struct simulation_speed *pace,
                       const struct history *history)
{
    double t = launch_s;
    if (pace)
        return pace->start_s + launch->messages * pace->message_s;
    const struct point *points = &plan->points[launch->first];
    size_t *same = same_find(cluster, points, launch->n, NULL);
    for (size_t i = 0; i < launch->n; i++) {
        const double before_s = measured_point(history, &points[i]);
        t += before_s > 0   ? before_s
             : same[i] == i ? real_point(&points[i], cluster, study, ranks_per_core)
                            : real_probe(&points[i], cluster, study, ranks_per_core);
    }
    free(same);
    return t;
}

/* What a simulated call takes; 0: it was not simulated. The time of a ping-pong is half of one. */
static double simulated_call(const struct history *h, const struct point *point,
                             const struct study *study)
{
    struct twin key = { 0 };
    twin_id(point, key.id);
    const struct twin *t =
        h->n_twins ? bsearch(&key, h->twins, h->n_twins, sizeof *h->twins, by_id) : NULL;
    return !t ? 0
           : point->experiment == EXP_PINGPONG
               ? 2 * t->call_s
               : t->call_s * bound_calls_inside(point->experiment, study);
}

/* What a point takes by what a call takes. */
typedef double seconds_function(double call_s, const struct study *study);

static void add_point(struct estimate *estimate, const struct point *point,
                      const struct cluster *cluster, const struct study *study,
                      const struct history *history, seconds_function *seconds)
{
    double t = measured_point(history, point), call_s;
    if (t > 0) {
        estimate->measured++;
    } else if ((call_s = simulated_call(history, point, study)) > 0) {
        t = seconds(call_s, study);
        estimate->simulated++;
    } else if (bound_known(cluster)) {
        t = seconds(bound_call(point, cluster, study), study);
        estimate->bounded++;
    } else {
        estimate->unknown++;
    }
    estimate->seconds += t;
}

void estimate_add(struct estimate *estimate, const struct point *point,
                  const struct cluster *cluster, const struct study *study,
                  const struct history *history)
{
    add_point(estimate, point, cluster, study, history, bound_point_of_call);
}

/* The probe, the warm-up, and calls until the budget is used up, within their least and greatest
 * number. */
static double expected_seconds(double call_s, const struct study *s)
{
    return (1 + s->warmup) * call_s +
           fmin(fmax(bound_share(s), s->min_reps * call_s), s->max_reps * call_s);
}

/* What is timed with another point is called once, to see what it runs. */
static double probe_seconds(double call_s, const struct study *s)
{
    (void)s;
    return call_s;
}

void estimate_expect_launch(struct estimate *estimate, const struct plan *plan,
                            const struct launch *launch, const struct cluster *cluster,
                            const struct study *study, const struct history *history)
{
    const struct point *points = &plan->points[launch->first];
    size_t *same = same_find(cluster, points, launch->n, NULL);
    estimate->seconds += launch_s;
    for (size_t i = 0; i < launch->n; i++)
        add_point(estimate, &points[i], cluster, study, history,
                  same[i] == i ? expected_seconds : probe_seconds);
    free(same);
}

double estimate_limit(const struct estimate *estimate, double fallback_s, double most_s)
{
    double limit = BOUND_SAFETY * estimate->seconds + BOUND_START_S;
    if (estimate->unknown)
        limit = fmax(limit, fallback_s);
    limit = ldexp(fmax(limit, ESTIMATE_LEAST_S), estimate->doubled);
    limit = 60 * ceil(limit / 60 - 1e-9);
    return most_s > 0 ? fmin(limit, 60 * fmax(1, floor(most_s / 60))) : limit;
}

const char *format_duration(double seconds, char *buf, size_t size)
{
    long s = lround(seconds);
    if (s < 60)
        snprintf(buf, size, "%ld s", s);
    else if (s < 3600)
        snprintf(buf, size, "%ld min %02ld s", s / 60, s % 60);
    else
        snprintf(buf, size, "%ld h %02ld min", s / 3600, s % 3600 / 60);
    return buf;
}

/* Where nothing was run before. */
static struct simulation_speed guess(const char *backend)
{
    return strcmp(backend, "walk") == 0 ? (struct simulation_speed){ 0.02, 1e-6, 0 }
                                        : (struct simulation_speed){ 0.5, 50e-6, 0 };
}

/* What the journals say, as it adds up. */
struct sum {
    const char *backend;
    const struct cluster *cluster;
    const struct plan *plan;
    double start_s;
    int inner;
    double seconds, messages;
    size_t launches;
};

static int on_event(const struct event *e, void *user)
{
    struct sum *sum = user;
    const struct launch *l =
        strcmp(e->event, "done") == 0 ? plan_launch(sum->plan, e->launch) : NULL;
    if (!l || e->points != (long)l->n) /* the rest was done in another attempt */
        return 0;
    size_t *same = same_find(sum->cluster, &sum->plan->points[l->first], l->n, NULL);
    for (size_t i = 0; i < l->n; i++)
        if (same[i] == i)
            sum->messages +=
                bound_messages(&sum->plan->points[l->first + i], sum->cluster, sum->inner);
    free(same);
    sum->seconds += fmax(0, e->elapsed_s - sum->start_s);
    sum->launches++;
    return 0;
}

/* 1 when all files that tell of a study are there, 0 when one is not, -1 with *err when one cannot
 * be read. */
static int is_told(const char *dir, struct err *err)
{
    static const char *const files[] = { "manifest.json", "plan.csv", "events.jsonl" };
    char path[PATH_SIZE];
    int all = 1;
    for (size_t i = 0; i < sizeof files / sizeof *files && all > 0; i++)
        all = fs_path(path, sizeof path, err, "%s/%s", dir, files[i]) < 0 ? -1
                                                                          : fs_readable(path, err);
    return all;
}

/* Nothing of a study whose text is wrong: it may be another than the one that is planned. */
static int add_study(const char *dir, struct sum *sum, struct err *err)
{
    char path[PATH_SIZE], backend[64];
    struct plan plan;
    const int told = is_told(dir, err);
    if (told <= 0)
        return told;
    manifest_backend(dir, backend, sizeof backend, NULL);
    if (strcmp(backend, sum->backend) != 0 ||
        fs_path(path, sizeof path, NULL, "%s/plan.csv", dir) < 0 ||
        plan_read(path, &plan, NULL) < 0)
        return 0;
    sum->plan = &plan;
    journal_read(dir, on_event, sum, NULL);
    sum->plan = NULL;
    plan_free(&plan);
    return 0;
}

int simulation_speed_find(const char *dir, const char *backend, const struct cluster *cluster,
                          const struct study *study, struct simulation_speed *pace, struct err *err)
{
    char beside[PATH_SIZE], path[PATH_SIZE];
    *pace = guess(backend);
    struct sum sum = {
        .backend = backend, .cluster = cluster, .inner = study->inner, .start_s = pace->start_s
    };
    struct dirent **found;
    const char *slash = strrchr(dir, '/');
    if (fs_path(beside, sizeof beside, err, "%.*s", slash ? (int)(slash - dir) : 1,
                slash ? dir : ".") < 0)
        return -1;
    const int n = scandir(beside, &found, NULL, alphasort);
    if (n < 0 && errno != ENOENT)
        return err_errno(err, "cannot read '%s'", beside);
    int status = 0;
    for (int i = 0; i < n; i++) {
        if (status == 0 && found[i]->d_name[0] != '.' &&
            fs_path(path, sizeof path, NULL, "%s/%s", beside, found[i]->d_name) == 0)
            status = add_study(path, &sum, err);
        free(found[i]);
    }
    if (n >= 0)
        free(found);
    if (status == 0 && sum.messages > 0 && sum.seconds > 0)
        *pace =
            (struct simulation_speed){ pace->start_s, sum.seconds / sum.messages, sum.launches };
    return status;
}

static void describe(const struct adaptive *a, int round, const struct adaptive_outlook *o,
                     char buf[ADAPTIVE_FORECAST_SIZE])
{
    char cost[32], low[32], high[32], full[32], budget[32];
    size_t used = (size_t)snprintf(
        buf, ADAPTIVE_FORECAST_SIZE,
        "adaptive plan: round %d has %zu of %zu point%s; expected to cost %s (%s to %s), where all "
        "points cost %s, and to choose with a mean loss of %.2g %% over cells (%.2g to %.2g)\n",
        round, o->first, COUNTED(o->points), format_core_seconds(o->core_s, cost, sizeof cost),
        format_core_seconds(o->core_low, low, sizeof low),
        format_core_seconds(o->core_high, high, sizeof high),
        format_core_seconds(o->full_core_s, full, sizeof full), o->loss_pct, o->loss_low,
        o->loss_high);
    if (a->exact)
        used +=
            (size_t)snprintf(buf + used, ADAPTIVE_FORECAST_SIZE - used,
                             "costs are those of measuring, %d launches of %d calls a point: to "
                             "compute the points takes none of it\n",
                             a->rule.repeats, a->rule.calls);
    if (isfinite(a->rule.core_budget_s))
        used += (size_t)snprintf(buf + used, ADAPTIVE_FORECAST_SIZE - used,
                                 "budget: %s, which leaves %.0f %% of the cells without any "
                                 "measurement\n",
                                 format_core_seconds(a->rule.core_budget_s, budget, sizeof budget),
                                 o->left_pct);
    snprintf(buf + used, ADAPTIVE_FORECAST_SIZE - used,
             "estimated by measuring in thought %d times what the cluster file predicts, with the "
             "prediction's error %s: %.0f %% per doubling from the nearest measured point\n",
             o->draws, o->learnt ? "as the points measured so far tell it" : "assumed",
             100 * expm1(o->error));
}

void adaptive_forecast_text(struct rounds *rounds, uint64_t seed, char buf[ADAPTIVE_FORECAST_SIZE])
{
    struct adaptive_outlook outlook;
    adaptive_rehearse(&rounds->adaptive, rounds->decided, seed, &outlook);
    describe(&rounds->adaptive, rounds->decided, &outlook, buf);
}

json_t *adaptive_forecast_json(struct rounds *rounds, uint64_t seed)
{
    struct adaptive_outlook o;
    adaptive_rehearse(&rounds->adaptive, rounds->decided, seed, &o);
    return json_pack(
        "{s:i, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:i}",
        "round", rounds->decided, "points", (json_int_t)o.points, "points_of_round",
        (json_int_t)o.first, "spent_core_s", json_number(adaptive_spent(&rounds->adaptive)),
        "budget_core_s", json_number(rounds->adaptive.rule.core_budget_s), "all_points_core_s",
        json_number(o.full_core_s), "expected_core_s", json_number(o.core_s), "least_core_s",
        json_number(o.core_low), "largest_core_s", json_number(o.core_high), "expected_loss_pct",
        json_number(o.loss_pct), "least_loss_pct", json_number(o.loss_low), "largest_loss_pct",
        json_number(o.loss_high), "cells_without_points_pct", json_number(o.left_pct),
        "error_per_doubling", json_number(o.error), "error_is_learnt", o.learnt,
        "costs_as_if_measured", rounds->adaptive.exact, "draws", o.draws);
}
