/* SPDX-License-Identifier: BSD-3-Clause */
/* planted_star.h - planted workloads for star (workloads/libcollsel/star.h): a kind of call with
 * known times of its candidates, called so often. What a search costs, and what it gains, beside
 * the library's own call and the best fixed choice: all three meet the same noise, call by call.
 * The machine that chooses is libcollsel's own. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/rng.h"
#include "workloads/libcollsel/star.h"

enum planted_kind { FLAT, WINNER, CHANGES, NOISY, TAILS, LATE, N_PLANTED_KINDS };

static const char *const planted_kind_words[] = { "flat",  "winner", "changes",
                                                  "noisy", "tails",  "late" };

enum { PLANTED_MOST = 40 };

/* Times in ns. truth: of a candidate's call, in the first and the second half. */
struct planted_star {
    enum planted_kind kind;
    long calls;
    int n, group[PLANTED_MOST];
    double truth[2][PLANTED_MOST];
    struct star_prior prior[PLANTED_MOST];
    double agree, list,
        prepare;              /* what an agreement takes, listing candidates, a first call more */
    double noise, tail, late; /* of a call's logarithm; share of heavy tails; how long all
                                 wait for the last rank, in every other 700 calls */
    double start;             /* what the library takes before the first call */
    uint64_t seed;
};

struct planted_out {
    double star, own, best; /* time of all calls, with all that star does; by the own call; by the
                               best fixed choice */
    double most; /* of what star had cost beyond the own call, as a share of the own call's
                    time so far; from 100 calls on */
    long trials; /* from the call on at which candidates were known */
    int choice;
};

static double planted_between(struct rng *rng, double least, double most)
{
    return least + (most - least) * rng_unit(rng);
}

/* The fastest of the others takes 0.6 to 0.92 of the own call, but for flat; one in ten takes five
 * to sixty times as long. What is expected of them is wrong by 40 % (a standard deviation). */
static void planted_star_make(struct planted_star *p, enum planted_kind kind, long calls,
                              uint64_t seed)
{
    struct rng rng;
    rng_init(&rng, 1000003 * seed + 17 * (uint64_t)kind + 1);
    *p = (struct planted_star){ .kind = kind, .calls = calls, .seed = seed };
    const double own = exp(planted_between(&rng, log(20e3), log(5e6)));
    p->n = 5 + (int)planted_between(&rng, 0, PLANTED_MOST - 5);
    const double best = kind == FLAT ? 1 : planted_between(&rng, 0.6, 0.92);
    const int winner = 1 + (int)planted_between(&rng, 0, p->n - 1);
    for (int i = 0; i < p->n; i++) {
        const double more = rng_unit(&rng) < 0.1
                                ? planted_between(&rng, 5, 60)
                                : planted_between(&rng, best < 1 ? best + 0.03 : 1, 2.5);
        const double ratio = i == 0 ? 1 : i == winner ? best : more;
        p->group[i] = i;
        p->truth[0][i] = p->truth[1][i] = own * ratio;
        p->prior[i].steps = ratio * exp(0.4 * rng_normal(&rng));
    }
    if (kind == CHANGES) {
        const int other = 1 + winner % (p->n - 1);
        p->truth[1][winner] = own * planted_between(&rng, 1.1, 1.6);
        p->truth[1][other] = own * best;
    }
    p->agree = fmin(own, exp(planted_between(&rng, log(5e3), log(100e3))));
    p->list = p->agree * planted_between(&rng, 2, 30);
    p->prepare = exp(planted_between(&rng, log(5e3), log(200e3)));
    p->prior[0].steps =
        p->agree / own * p->prior[winner].steps; /* a step is what the bench says it is */
    p->noise = kind == NOISY ? 0.2 : 0.05;
    p->tail = kind == TAILS ? 0.05 : 0;
    p->late = kind == LATE ? own * planted_between(&rng, 0.2, 1) : 0;
}

/* How much longer all take in this call; and how long they wait for the last rank. */
static void planted_call(const struct planted_star *p, long call, struct rng *rng, double *slow,
                         double *factor, double *wait)
{
    const double u = 1 - rng_unit(rng), v = 1 - rng_unit(rng);
    *slow = 0.97 * *slow + 0.015 * rng_normal(rng);
    *factor = exp(p->noise * rng_normal(rng) - p->noise * p->noise / 2 + *slow) +
              (rng_unit(rng) < p->tail ? fmin(1000, pow(u, -1 / 1.5)) : 0);
    *wait = call / 700 % 2 ? p->late * (0.75 + 0.5 * v) : 0;
}

static void planted_star_run(const struct planted_star *p, const struct star_options *options,
                             struct planted_out *out)
{
    struct rng rng;
    double slow = 0, factor, wait, fixed[PLANTED_MOST] = { 0 };
    char prepared[PLANTED_MOST] = { 1 };
    int64_t *values;
    struct star *s = star_new(options, p->n, p->group);
    rng_init(&rng, 7919 * p->seed + (uint64_t)p->kind);
    *out = (struct planted_out){ .star = p->start };
    for (long i = 0; i < p->calls; i++) {
        const double *truth = p->truth[i >= p->calls / 2];
        double own = star_wants(s) ? p->list : 0;
        if (own > 0)
            star_begin(s, p->n, p->prior);
        const int c = star_next(s);
        planted_call(p, i, &rng, &slow, &factor, &wait);
        out->trials += star_stage(s) == STAR_MEASURE;
        const double ns = floor(truth[c] * factor + wait);
        own += prepared[c] ? 0 : p->prepare;
        prepared[c] = 1;
        star_own(s, (int64_t)own);
        out->star += ns + own;
        star_whole(s, (int64_t)p->start, (int64_t)(out->star - p->start));
        if (star_record(s, (int64_t)ns, &values) > 0) {
            star_agreed(s, 1);
            star_own(s, (int64_t)p->agree);
            out->star += p->agree;
        }
        for (int k = 0; k < p->n; k++)
            fixed[k] += truth[k] * factor + wait;
        if (i >= 100)
            out->most = fmax(out->most, (out->star - fixed[0]) / fixed[0]);
    }
    out->choice = star_choice(s);
    out->own = out->best = fixed[0];
    for (int k = 0; k < p->n; k++)
        out->best = fmin(out->best, fixed[k]);
    star_free(s);
}

/* Of many workloads: sums. kept, gain: of the gain of the best fixed choice, as shares of the own
 * call's time. */
struct planted_sums {
    int n;
    double ratio, squares, worst, most, kept, gain, trials;
};

static void planted_add(struct planted_sums *to, const struct planted_star *p,
                        const struct star_options *options)
{
    struct planted_out out;
    planted_star_run(p, options, &out);
    const double ratio = out.star / out.own;
    to->n++;
    to->ratio += ratio;
    to->squares += ratio * ratio;
    to->worst = fmax(to->worst, ratio);
    to->most = fmax(to->most, out.most);
    to->kept += 1 - ratio;
    to->gain += 1 - out.best / out.own;
    to->trials += (double)out.trials / (double)p->calls;
}

static double planted_mean(const struct planted_sums *s)
{
    return s->ratio / s->n;
}

/* Half of the 95 % interval of the mean. */
static double planted_half(const struct planted_sums *s)
{
    const double mean = planted_mean(s);
    return 1.96 * sqrt(fmax(0, s->squares / s->n - mean * mean) / (s->n - 1));
}
