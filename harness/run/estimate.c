/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/memory.h"
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

/* ---- history ---- */

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

/* ---- estimates ---- */

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
