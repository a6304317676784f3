/* SPDX-License-Identifier: BSD-3-Clause */
/* An adaptive plan against planted times: what it measures, what it eliminates, what it costs and
 * loses. The truth of a candidate is a + b P + c m; its prior is that with an error of its own. */
#include "harness/study/adaptive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/rng.h"
#include "harness/base/robust.h"
#include "tests/planted_noise.h"
#include "tests/tap.h"

enum { CANDIDATES = 10, SIZES = 9, PROCS = 5, POINTS = CANDIDATES * SIZES * PROCS, ROUNDS = 16 };

static const int procs[PROCS] = { 4, 8, 16, 32, 64 };

/* A study of one context, in launches of one round each. */
struct world {
    struct plan plan;
    struct prior prior;
    double truth[POINTS]; /* s, by index in the first round */
    struct rng rng;
};

static const struct adaptive_rule rule = { .repeats = 6,
                                           .most = 12,
                                           .confidence = 0.95,
                                           .tie_pct = 2.5,
                                           .calls = 13,
                                           .point_s = 2,
                                           .core_budget_s = INFINITY };

static struct point make_point(const char *mpi, int candidate, int size, int p)
{
    struct point point = { .experiment = EXP_TIME, .purpose = FOR_STUDY };
    snprintf(point.cell.collective, NAME_SIZE, "bcast");
    snprintf(point.cell.mpi, NAME_SIZE, "%s", mpi);
    snprintf(point.cell.mapping, NAME_SIZE, "node");
    point.cell.nodes = point.cell.procs = procs[p];
    point.cell.ppn = 1;
    point.cell.bytes = UINT64_C(64) << 2 * size;
    snprintf(point.candidate.algorithm, NAME_SIZE, "%s:c%d", mpi, candidate);
    point_identify(&point);
    return point;
}

/* Latency grows with the candidate's number, cost of a byte falls: choices cross over sizes, and
 * over processes, as the even ones feel them less. */
static double planted(int candidate, const struct cell *c)
{
    const double a = 5e-6 * (1 + candidate), b = 2e-6 * (candidate % 2 ? 1 : 0.2 + 0.1 * candidate),
                 g = 2e-9 / (0.3 + candidate);
    return a + b * c->procs + g * (double)c->bytes;
}

/* error: standard deviation of the prior's logarithm, by candidate; a third of it by point. */
static void world_make(struct world *w, const char *mpi, double error, uint64_t seed)
{
    *w = (struct world){ .plan.points = memory_zeros(ROUNDS * POINTS, sizeof *w->plan.points),
                         .plan.launches = memory_zeros(ROUNDS, sizeof *w->plan.launches),
                         .prior.row = memory_zeros(POINTS, sizeof *w->prior.row) };
    rng_init(&w->rng, seed);
    for (int r = 1; r <= ROUNDS; r++) {
        struct launch *l = &w->plan.launches[w->plan.n_launches++];
        *l = (struct launch){ .repeat = r, .first = w->plan.n, .n = POINTS };
        for (int i = 0; i < POINTS; i++)
            w->plan.points[w->plan.n++] =
                make_point(mpi, i % CANDIDATES, i / CANDIDATES % SIZES, i / CANDIDATES / SIZES);
    }
    for (int k = 0; k < CANDIDATES; k++) {
        const double off = error * rng_normal(&w->rng);
        for (int i = k; i < POINTS; i += CANDIDATES) {
            w->truth[i] = planted(k, &w->plan.points[i].cell);
            struct prior_row *row = &w->prior.row[w->prior.n++];
            memcpy(row->point, w->plan.points[i].id, ID_SIZE);
            row->seconds = w->truth[i] * exp(off + error / 3 * rng_normal(&w->rng));
            row->is_default = k == CANDIDATES - 1;
        }
    }
    prior_sort(&w->prior);
}

static void world_clear(struct world *w)
{
    free(w->plan.points);
    free(w->plan.launches);
    prior_free(&w->prior);
}

static size_t truth_of(const struct world *w, const struct adaptive *a, size_t i)
{
    for (size_t k = 0; k < POINTS; k++)
        if (strcmp(w->plan.points[k].id, adaptive_point(a, i)->id) == 0)
            return k;
    return 0;
}

/* What a plan came to. */
struct outcome_of {
    size_t measured, launches, cells, wrong, without_default, unexplained;
    double core_s, full_core_s, dearest, loss_pct, worst_pct;
};

static const struct planted_noise still = { .name = "none" };

/* Measures a plan to its end. */
static void measure(struct world *w, struct adaptive *a, const struct planted_noise *noise,
                    uint64_t seed, struct outcome_of *o)
{
    char reason[REASON_SIZE];
    double *seen = memory_zeros(POINTS * ROUNDS, sizeof *seen);
    double *mid = memory_zeros(POINTS, sizeof *mid);
    int *n = memory_zeros(POINTS, sizeof *n);
    *o = (struct outcome_of){ .cells = POINTS / CANDIDATES };
    for (int r = 1; r <= ROUNDS; r++) {
        adaptive_round(a, r);
        for (size_t i = 0; i < a->n; i++) {
            const size_t k = truth_of(w, a, i);
            if (!adaptive_wants(a, i, r))
                continue;
            const double s = w->truth[k] * planted_noise_of(noise, adaptive_point(a, i), r, seed),
                         cost =
                             adaptive_cost(&a->rule, a->exact, adaptive_point(a, i)->cell.procs, s);
            adaptive_took(a, i, r, s, cost);
            seen[k * ROUNDS + (size_t)n[k]++] = s;
            o->launches++;
            o->core_s += cost;
            o->dearest = fmax(o->dearest, cost);
        }
    }
    adaptive_sum_up(a);
    for (size_t k = 0; k < POINTS; k++)
        mid[k] = n[k] ? robust_median(seen + k * ROUNDS, (size_t)n[k]) : INFINITY;
    for (size_t c = 0; c < o->cells; c++) {
        size_t best = c * CANDIDATES, taken = POINTS;
        for (size_t k = c * CANDIDATES; k < (c + 1) * CANDIDATES; k++) {
            best = w->truth[k] < w->truth[best] ? k : best;
            if (n[k] && (taken == POINTS || mid[k] < mid[taken]))
                taken = k;
            o->measured += n[k] > 0;
            o->full_core_s +=
                (a->exact ? 1 : rule.repeats) *
                adaptive_cost(&rule, a->exact, w->plan.points[k].cell.procs, w->truth[k]);
        }
        o->without_default += !n[(c + 1) * CANDIDATES - 1];
        taken = taken < POINTS ? taken : (c + 1) * CANDIDATES - 1; /* the default, unseen */
        const double lost = w->truth[taken] / w->truth[best] - 1;
        o->loss_pct += 100 * lost / (double)o->cells;
        o->worst_pct = fmax(o->worst_pct, 100 * lost);
        const size_t i = adaptive_find(a, w->plan.points[best].id);
        adaptive_reason(a, i, reason);
        o->wrong += *reason && lost > rule.tie_pct / 100;
    }
    for (size_t i = 0; i < a->n; i++)
        o->unexplained += !n[truth_of(w, a, i)] &&
                          strncmp(adaptive_reason(a, i, reason), "not measured: ", 14) != 0;
    free(seen);
    free(mid);
    free(n);
}

static void run_world(struct world *w, const struct adaptive_rule *by,
                      const struct planted_noise *noise, uint64_t seed, struct outcome_of *o)
{
    struct adaptive a;
    adaptive_make(&w->plan, &w->prior, by, &a);
    measure(w, &a, noise, seed, o);
    adaptive_free(&a);
}

/* ---- tests ---- */

static void exact(void)
{
    struct world w;
    struct outcome_of o;
    double core = 0, full = 0, loss = 0, worst = 0;
    size_t without = 0, unexplained = 0;
    const int worlds = getenv("COLLSEL_LONG") ? 20 : 8;
    for (int k = 0; k < worlds; k++) {
        world_make(&w, "walk", 0.3, 100 + (uint64_t)k);
        run_world(&w, &rule, &still, 0, &o);
        core += o.core_s;
        full += o.full_core_s;
        loss += o.loss_pct / worlds;
        worst = fmax(worst, o.loss_pct);
        without += o.without_default;
        unexplained += o.unexplained;
        world_clear(&w);
    }
    diag("exact times: %.1f %% of the core-seconds, %.3f %% lost in the mean, %.3f %% at worst",
         100 * core / full, loss, worst);
    ok(core < 0.25 * full, "of %d planted plans a quarter of the core-seconds is spent at most",
       worlds);
    ok(loss <= 1, "and at most 1 %% is lost in the mean over cells");
    is_int(0, (long long)without, "the default is measured in each cell");
    is_int(0, (long long)unexplained, "what is not measured has a reason");
}

/* Of six launches of everything the least median is chosen in each cell. Returns what is lost, %;
 * *wrong gains the cells that lose more than a tie. */
static double exhaustive_loss(const struct world *w, const struct planted_noise *noise,
                              uint64_t seed, size_t *wrong)
{
    double x[6], sum = 0;
    for (size_t c = 0; c < POINTS; c += CANDIDATES) {
        double least = INFINITY, lowest = INFINITY, taken = 0;
        for (size_t k = c; k < c + CANDIDATES; k++) {
            for (int r = 0; r < 6; r++)
                x[r] = w->truth[k] * planted_noise_of(noise, &w->plan.points[k], r + 1, seed);
            const double mid = robust_median(x, 6);
            taken = mid < lowest ? w->truth[k] : taken;
            lowest = fmin(lowest, mid);
            least = fmin(least, w->truth[k]);
        }
        sum += taken / least - 1;
        *wrong += taken / least - 1 > rule.tie_pct / 100;
    }
    return 100 * sum * CANDIDATES / POINTS;
}

static void noisy(const struct planted_noise *noise)
{
    struct world w;
    struct outcome_of o;
    double core = 0, full = 0, loss = 0, worst = 0, exhaustive = 0;
    size_t wrong = 0, full_wrong = 0, cells = 0, without = 0, unexplained = 0;
    const int worlds = getenv("COLLSEL_LONG") ? 20 : 8;
    for (int k = 0; k < worlds; k++) {
        const uint64_t seed = 500 + (uint64_t)k;
        world_make(&w, "openmpi", 0.3, seed);
        run_world(&w, &rule, noise, seed, &o);
        core += o.core_s;
        full += o.full_core_s;
        loss += o.loss_pct / worlds;
        exhaustive += exhaustive_loss(&w, noise, seed, &full_wrong) / worlds;
        worst = fmax(worst, o.worst_pct);
        wrong += o.wrong;
        cells += o.cells;
        without += o.without_default;
        unexplained += o.unexplained;
        world_clear(&w);
    }
    diag("%s: %.1f %% of the core-seconds, %.3f %% lost, %.1f %% at worst; by six launches of "
         "everything %.3f %%, more than a tie in %zu cells; in %zu of %zu the best was given up "
         "for one that loses more than a tie",
         noise->name, 100 * core / full, loss, worst, exhaustive, full_wrong, wrong, cells);
    if (noise->beyond)
        return;
    ok(loss <= exhaustive + 0.5, "%s: at most 0.5 %% more is lost than by measuring all",
       noise->name);
    ok(wrong <= full_wrong + cells / 100,
       "the best is eliminated wrongly in 1 %% of the cells more than that errs, at most");
    ok(core < 0.6 * full, "for six tenths of the core-seconds at most");
    is_int(0, (long long)(without + unexplained), "every default measured, every gap explained");
}

static void blind(void)
{
    struct world w;
    struct outcome_of o;
    world_make(&w, "walk", 0, 7);
    for (size_t i = 0; i < w.prior.n; i++)
        w.prior.row[i].seconds = NAN;
    run_world(&w, &rule, &still, 0, &o);
    ok(o.loss_pct <= 1, "without any prediction %.2f %% is lost", o.loss_pct);
    is_int(0, (long long)o.without_default, "and every default measured");
    world_clear(&w);
}

static void wrong_prior(void)
{
    struct world w;
    struct outcome_of o;
    world_make(&w, "walk", 0, 9);
    for (size_t i = 0; i < w.prior.n; i++) /* upside down */
        w.prior.row[i].seconds = 1e-8 / w.prior.row[i].seconds;
    run_world(&w, &rule, &still, 0, &o);
    ok(o.loss_pct <= 2, "of a model that is wrong throughout the error is learnt: %.2f %% lost",
       o.loss_pct);
    world_clear(&w);
}

static void budget(void)
{
    struct world w;
    struct outcome_of whole, part, none;
    struct adaptive_rule by = rule;
    world_make(&w, "walk", 0.3, 11);
    run_world(&w, &rule, &still, 0, &whole);
    double last = INFINITY;
    for (int k = 1; k <= 8; k *= 2) {
        by.core_budget_s = whole.core_s * k / 8;
        run_world(&w, &by, &still, 0, &part);
        ok(part.core_s <= by.core_budget_s + part.dearest,
           "%d eighths of what it takes: spent is no more than that and one point", k);
        ok(part.loss_pct <= last + 0.5, "and more money loses no more (%.2f %%)", part.loss_pct);
        is_int(0, (long long)part.unexplained, "what there is no room for has a reason");
        last = part.loss_pct;
    }
    by.core_budget_s = 1e-12;
    run_world(&w, &by, &still, 0, &none);
    is_int(0, (long long)none.measured, "no money, no point");
    world_clear(&w);
}

/* Points of round 1 between the coarse sizes or processes, and the dearest cell of them. */
static size_t between(const struct adaptive *a, double *dearest)
{
    size_t n = 0;
    *dearest = 0;
    for (size_t i = 0; i < a->n; i++) {
        const struct cell *c = &adaptive_point(a, i)->cell;
        double cell_s = 0;
        if (!adaptive_wants(a, i, 1) ||
            ((c->procs == 4 || c->procs == 64) &&
             (c->bytes == 64 || c->bytes == 64 << 8 || c->bytes == 64 << 16)))
            continue;
        n++;
        for (size_t k = 0; k < a->n; k++)
            cell_s += cell_compare(c, &adaptive_point(a, k)->cell) ? 0 : adaptive_price(a, k);
        *dearest = fmax(*dearest, cell_s);
    }
    return n;
}

static void cheap_cells(void)
{
    struct world w;
    struct adaptive a;
    struct adaptive_rule by = rule;
    double dearest;
    world_make(&w, "openmpi", 0, 23);
    adaptive_make(&w.plan, &w.prior, &by, &a);
    adaptive_round(&a, 1);
    is_int(0, (long long)between(&a, &dearest), "without a budget round 1 is coarse");
    adaptive_free(&a);
    by.core_budget_s = 20;
    adaptive_make(&w.plan, &w.prior, &by, &a);
    adaptive_round(&a, 1);
    const size_t n = between(&a, &dearest);
    ok(n > 0, "with one it considers cheap cells in between, too (%zu points)", n);
    ok(dearest <= 1.6 / ROUNDS * 20 / (POINTS / CANDIDATES) + 1e-9,
       "each fits an equal share of the round's part (%.2g core-seconds)", dearest);
    adaptive_free(&a);
    world_clear(&w);
}

/* The best candidate's launches are thrice as slow wherever it is launched first. */
static void one_bad_launch(void)
{
    struct world w;
    struct adaptive a;
    size_t lost = 0, met = 0;
    world_make(&w, "openmpi", 0.1, 23);
    adaptive_make(&w.plan, &w.prior, &rule, &a);
    int *n = memory_zeros(a.n, sizeof *n);
    for (int r = 1; r <= ROUNDS; r++) {
        adaptive_round(&a, r);
        for (size_t i = 0; i < a.n; i++) {
            const size_t k = truth_of(&w, &a, i);
            size_t best = k - k % CANDIDATES;
            for (size_t o = best; o < k - k % CANDIDATES + CANDIDATES; o++)
                best = w.truth[o] < w.truth[best] ? o : best;
            if (!adaptive_wants(&a, i, r))
                continue;
            const double noise = planted_noise_of(&planted_noises[1], adaptive_point(&a, i), r, 23);
            adaptive_took(&a, i, r, w.truth[k] * noise * (k == best && !n[i] ? 2 : 1), 1);
            n[i]++;
        }
    }
    for (size_t c = 0; c < POINTS; c += CANDIDATES) {
        size_t best = c;
        for (size_t k = c; k < c + CANDIDATES; k++)
            best = w.truth[k] < w.truth[best] ? k : best;
        const int launches = n[adaptive_find(&a, w.plan.points[best].id)];
        met += launches > 0;
        lost += launches == 1;
    }
    is_int(0, (long long)lost,
           "a first launch that takes twice as long ends none of %zu that are best", met);
    free(n);
    adaptive_free(&a);
    world_clear(&w);
}

/* What was decided of a round does not change when later ones are told. */
static void resumed(void)
{
    struct world w;
    struct adaptive a, b;
    size_t differ = 0;
    world_make(&w, "openmpi", 0.3, 13);
    adaptive_make(&w.plan, &w.prior, &rule, &a);
    adaptive_make(&w.plan, &w.prior, &rule, &b);
    for (int r = 1; r <= ROUNDS; r++) {
        adaptive_round(&a, r);
        for (size_t i = 0; i < a.n; i++)
            if (adaptive_wants(&a, i, r)) {
                const double s = w.truth[truth_of(&w, &a, i)] * exp(0.05 * rng_normal(&w.rng));
                adaptive_took(&a, i, r, s, s);
                adaptive_took(&b, i, r, s, s);
            }
    }
    for (int r = 1; r <= ROUNDS; r++) {
        adaptive_round(&b, r);
        for (size_t i = 0; i < a.n; i++)
            differ += adaptive_wants(&a, i, r) != adaptive_wants(&b, i, r);
    }
    is_int(0, (long long)differ, "who comes later is told the same of each round");
    adaptive_free(&a);
    adaptive_free(&b);
    world_clear(&w);
}

/* The best candidate of all cells and the default fail wherever they are tried. */
static void failing(void)
{
    struct world w;
    struct adaptive a;
    size_t again = 0, others = 0;
    world_make(&w, "openmpi", 0, 19);
    adaptive_make(&w.plan, &w.prior, &rule, &a);
    int *tries = memory_zeros(a.n, sizeof *tries);
    for (int r = 1; r <= ROUNDS; r++) {
        adaptive_round(&a, r);
        for (size_t i = 0; i < a.n; i++) {
            const size_t k = truth_of(&w, &a, i);
            const int fails = k % CANDIDATES == 0 || k % CANDIDATES == CANDIDATES - 1;
            if (!adaptive_wants(&a, i, r))
                continue;
            adaptive_took(&a, i, r, fails ? NAN : w.truth[k], 1);
            again += fails && ++tries[i] > 1;
            others += !fails;
        }
    }
    is_int(0, (long long)again, "what failed is not tried in every round");
    ok(others > 2 * POINTS / CANDIDATES, "and the others are measured all the same (%zu times)",
       others);
    free(tries);
    adaptive_free(&a);
    world_clear(&w);
}

/* Points cost what they were thought to: a round has its step of the money, and no more. */
static void steps(void)
{
    struct world w;
    struct adaptive a;
    struct adaptive_rule by = rule;
    double most = 0, all = 0;
    by.core_budget_s = 5;
    world_make(&w, "openmpi", 0, 23);
    adaptive_make(&w.plan, &w.prior, &by, &a);
    for (int r = 1; r <= ROUNDS; r++) {
        double wanted = 0;
        adaptive_round(&a, r);
        for (size_t i = 0; i < a.n; i++)
            wanted += adaptive_wants(&a, i, r) ? adaptive_price(&a, i) : 0;
        most = fmax(most, wanted - fmax(0, fmin(1.6 * r / ROUNDS, 1) * 5 - all));
        for (size_t i = 0; i < a.n; i++)
            if (adaptive_wants(&a, i, r)) {
                all += adaptive_price(&a, i);
                adaptive_took(&a, i, r, w.truth[truth_of(&w, &a, i)], adaptive_price(&a, i));
            }
    }
    ok(most < 1e-9, "no round is given more than the steps up to it (%g core-seconds)", most);
    ok(all > 4 && all <= 5 + 1e-9, "and in the end the money is spent: %.3g of 5", all);
    adaptive_sum_up(&a);
    is_near(5 - all, adaptive_left(&a, ROUNDS), 1e-9, "what is left is known");
    adaptive_free(&a);
    world_clear(&w);
}

static void rehearsed(void)
{
    struct world w;
    struct adaptive a;
    struct outcome_of o;
    struct adaptive_outlook before, again;
    world_make(&w, "walk", 0.3, 17);
    adaptive_make(&w.plan, &w.prior, &rule, &a);
    adaptive_rehearse(&a, 1, 1, &before);
    adaptive_rehearse(&a, 1, 1, &again);
    ok(memcmp(&before, &again, sizeof before) == 0, "the same seed, the same outlook");
    is_int(POINTS, (long long)before.points, "of all points");
    measure(&w, &a, &still, 0, &o);
    diag("expected %.3g core-s (%.3g to %.3g) and %.2f %% lost; it took %.3g and lost %.2f %%",
         before.core_s, before.core_low, before.core_high, before.loss_pct, o.core_s, o.loss_pct);
    ok(o.core_s > before.core_low / 3 && o.core_s < before.core_high * 3,
       "what it costs is about what was expected");
    ok(fabs(before.loss_pct - o.loss_pct) < 2, "and so is what it loses");
    adaptive_free(&a);
    world_clear(&w);

    world_make(&w, "openmpi", 0.3, 19);
    adaptive_make(&w.plan, &w.prior, &rule, &a);
    adaptive_rehearse(&a, 1, 1, &before);
    measure(&w, &a, &planted_noises[2], 19, &o);
    diag("launches 10 %% apart: expected %.3g core-s (%.3g to %.3g), %.2f %% lost; it took %.3g, "
         "%.2f %%",
         before.core_s, before.core_low, before.core_high, before.loss_pct, o.core_s, o.loss_pct);
    ok(o.core_s > before.core_low / 2 && o.core_s < before.core_high * 2,
       "where launches differ it costs about what was expected, too");
    adaptive_free(&a);
    world_clear(&w);
}

int main(void)
{
    exact();
    for (size_t i = 1; i < planted_noises_n; i++)
        noisy(&planted_noises[i]);
    one_bad_launch();
    blind();
    wrong_prior();
    budget();
    cheap_cells();
    steps();
    resumed();
    failing();
    rehearsed();
    return tap_done();
}
