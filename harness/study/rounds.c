/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/rounds.h"

#include "harness/base/launch_stats.h"
#include "harness/study/valid_samples.h"
#include "harness/study/manifest.h"

static const double most_shares = 4;

static struct rounds_rule resolved(int repeats, int most)
{
    struct rounds_rule rule = { .repeats = repeats ? repeats : REPEATS_LEAST };
    rule.most = most ? most : repeats ? repeats : REPEATS_MOST;
    rule.most = rule.most > rule.repeats ? rule.most : rule.repeats;
    return rule;
}

struct rounds_rule rounds_rule_of(const struct study *study, int retries)
{
    struct rounds_rule rule = resolved(study->repeats, study->repeats_max);
    const int statistic = statistic_find(study->statistic);
    rule.precision = study->precision;
    rule.confidence = study->confidence;
    rule.tie_pct = study->tie_pct;
    rule.statistic = statistic < 0 ? STATISTIC_MEDIAN : (enum statistic)statistic;
    rule.retries = retries;
    rule.adaptive = strcmp(study->plan, "adaptive") == 0;
    rule.plan = (struct adaptive_rule){ .repeats = rule.repeats,
                                        .most = rule.most,
                                        .confidence = rule.confidence,
                                        .tie_pct = rule.tie_pct,
                                        .calls = study->warmup + study->min_reps,
                                        .point_s = study->budget,
                                        .core_budget_s = INFINITY };
    if (*study->core_budget)
        parse_core_seconds(study->core_budget, &rule.plan.core_budget_s, NULL);
    return rule;
}

int rounds_whole(const struct rounds_rule *rule)
{
    return rule->adaptive ? 0 : rule->repeats;
}

int rounds_planned(const struct rounds_rule *rule, int simulated, int exact)
{
    const int more = rule->most + ADAPTIVE_MORE_ROUNDS;
    if (!rule->adaptive)
        return simulated ? 1 : rule->most;
    return exact ? ADAPTIVE_EXACT_ROUNDS : more < MOST_REPEATS ? more : MOST_REPEATS;
}

int rounds_rule_read(const char *dir, int retries, struct rounds_rule *rule, struct err *err)
{
    struct study *study = memory_zeros(1, sizeof *study);
    const int status = manifest_measure(dir, study, err);
    if (status == 0)
        *rule = rounds_rule_of(study, retries);
    free(study);
    return status;
}

double rounds_budget(const struct rounds_rule *rule, double budget_s, const struct plan *plan,
                     const struct launch *launch, size_t wanted)
{
    int first = 1;
    for (size_t i = 0; i < plan->n_launches; i++)
        first = plan->launches[i].repeat > first ? plan->launches[i].repeat : first;
    first = first < rule->repeats ? first : rule->repeats;
    return budget_s / first * rounds_shares(rule, launch, wanted);
}

double rounds_shares(const struct rounds_rule *rule, const struct launch *launch, size_t wanted)
{
    if (rule->adaptive || launch->repeat <= rule->repeats || !wanted)
        return 1;
    return fmin(most_shares, (double)launch->n / (double)wanted);
}

/* A point with the times of its launches. */
struct round_point {
    char id[ID_SIZE];
    const struct point *at; /* of the plan; valid while deciding */
    int last;               /* round that it is wanted in */
    int open;               /* the next is not decided */
    double *time;           /* by repeat, from 1; NaN: none. While deciding */
    char *ended;            /* by repeat: finished or given up. While deciding */
};

static int by_id(const void *left, const void *right)
{
    return strcmp(((const struct round_point *)left)->id, ((const struct round_point *)right)->id);
}

/* One for each point that the plan has in a further round. */
static void take_points(const struct plan *plan, struct rounds *r)
{
    r->point = memory_zeros(plan->n + 1, sizeof *r->point);
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        if (l->repeat != r->rule.repeats + 1)
            continue;
        for (size_t i = l->first; i < l->first + l->n; i++) {
            struct round_point *p = &r->point[r->n++];
            memcpy(p->id, plan->points[i].id, sizeof p->id);
            p->at = &plan->points[i];
            p->last = r->rule.repeats;
        }
    }
    qsort(r->point, r->n, sizeof *r->point, by_id);
}

static int has_ended(const struct store *store, const char *id, int repeat, int retries)
{
    if (retries < 0)
        return 1;
    const struct failure *f = store_failure(store, id, "", repeat);
    return f && f->count > retries;
}

/* The times of a point's launches, from the store. */
static int take_times(const struct rounds *r, const struct store *store, struct round_point *p,
                      struct err *err)
{
    const int root = experiment_on_root(p->at->experiment);
    for (int k = 1; k <= r->rule.most; k++) {
        const struct outcome *o = store_find(store, p->id, k);
        p->time[k] = NAN;
        p->ended[k] = (char)(o || has_ended(store, p->id, k, r->rule.retries));
        if (o && valid_samples_time(store, o, root, r->rule.statistic, &p->time[k], err) < 0)
            return -1;
    }
    return 0;
}

/* What the launches before a round say of a point. */
static void look(const struct rounds *r, const struct round_point *p, int round,
                 struct over_launches *over)
{
    double time[MOST_REPEATS];
    size_t n = 0;
    for (int k = 1; k < round; k++)
        if (p->time[k] > 0)
            time[n++] = p->time[k];
    over_launches(time, n, r->rule.statistic, r->rule.confidence, over);
}

static int by_cell(const void *left, const void *right)
{
    const struct point *a = (*(struct round_point *const *)left)->at;
    const struct point *b = (*(struct round_point *const *)right)->at;
    if (point_is_contender(a) != point_is_contender(b))
        return point_is_contender(a) - point_is_contender(b);
    return by_keys(point_is_contender(a) ? cell_compare(&a->cell, &b->cell) : 0,
                   strcmp(a->id, b->id));
}

/* 1 when all rounds before this one that the point was wanted in have ended. */
static int is_ready(const struct round_point *p, int round)
{
    for (int k = 1; k < round && k <= p->last; k++)
        if (!p->ended[k])
            return 0;
    return 1;
}

/* Decides a round for the points of one cell, or for one that is compared with none. */
static void decide(const struct rounds *r, struct round_point *const *group, size_t n, int round)
{
    double least = INFINITY, reach = INFINITY; /* the best's time, and how far up it may be */
    struct over_launches over;
    int ready = 1;
    for (size_t i = 0; i < n; i++) {
        ready &= is_ready(group[i], round);
        look(r, group[i], round, &over);
        if (over.time < least) {
            least = over.time;
            reach = isnan(over.high) ? INFINITY : over.high * (1 + r->rule.tie_pct / 100);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (group[i]->last != round - 1 || group[i]->open)
            continue;
        look(r, group[i], round, &over);
        group[i]->open = !ready;
        if (ready && over.n && !(over.rel_ci <= r->rule.precision) && !(over.low > reach))
            group[i]->last = round;
    }
}

static void decide_all(const struct rounds *r, struct round_point **sorted)
{
    for (int round = r->rule.repeats + 1; round <= r->rule.most; round++)
        for (size_t i = 0, end; i < r->n; i = end) {
            end = i + 1;
            while (end < r->n && point_is_contender(sorted[i]->at) &&
                   point_is_contender(sorted[end]->at) &&
                   cell_compare(&sorted[i]->at->cell, &sorted[end]->at->cell) == 0)
                end++;
            decide(r, sorted + i, end - i, round);
        }
}

/* What was measured of the plan's points. */
static int take_measured(struct rounds *r, const struct store *store, struct err *err)
{
    struct adaptive *a = &r->adaptive;
    for (size_t i = 0; i < a->n; i++)
        for (int k = 1; k <= a->rounds; k++) {
            const struct outcome *o = store_find(store, adaptive_point(a, i)->id, k);
            double seconds = NAN;
            if (o ? strcmp(o->status, "skipped") == 0 /* the budget was spent */
                  : !store_failure(store, adaptive_point(a, i)->id, "", k))
                continue;
            if (o && valid_samples_time(store, o, 0, r->rule.statistic, &seconds, err) < 0)
                return -1;
            adaptive_took(a, i, k, seconds, !o || *o->same_as ? 0 : o->core_s);
        }
    return 0;
}

/* 1 when all points that a round wants have ended. */
static int has_round_ended(const struct rounds *r, const struct store *store, int round)
{
    const struct adaptive *a = &r->adaptive;
    for (size_t i = 0; i < a->n; i++) {
        const char *id = adaptive_point(a, i)->id;
        if (adaptive_wants(a, i, round) && !store_find(store, id, round) &&
            !has_ended(store, id, round, r->rule.retries))
            return 0;
    }
    return 1;
}

/* A file that was cut, or is of another plan, would have other points measured. */
static int check_prior(const struct adaptive *a, const struct prior *prior, const char *dir,
                       struct err *err)
{
    for (size_t i = 0; i < a->n; i++)
        if (!prior_find(prior, adaptive_point(a, i)->id))
            return err_set(err,
                           "%s/prior.csv has no row for point %s of plan.csv: cut short, or of "
                           "another plan (`collsel measure plan` writes it anew)",
                           dir, adaptive_point(a, i)->id);
    return 0;
}

static int make_adaptive(const struct plan *plan, const char *dir, const struct store *store,
                         const struct rounds_rule *rule, struct rounds *rounds, struct err *err)
{
    struct prior prior = { .n = 0 };
    if (!rule->prior && prior_read(dir, &prior, err) < 0)
        return -1;
    *rounds = (struct rounds){ .rule = *rule };
    adaptive_make(plan, rule->prior ? rule->prior : &prior, &rule->plan, &rounds->adaptive);
    int status = rule->prior ? 0 : check_prior(&rounds->adaptive, &prior, dir, err);
    prior_free(&prior);
    status = status < 0 ? -1 : take_measured(rounds, store, err);
    if (status < 0) {
        rounds_free(rounds);
        return -1;
    }
    int ended = 1;
    const int last = rule->until ? rule->until : rounds->adaptive.rounds;
    while (ended && rounds->decided < last) {
        adaptive_round(&rounds->adaptive, ++rounds->decided);
        ended = has_round_ended(rounds, store, rounds->decided);
    }
    rounds->open = !ended;
    return 0;
}

static enum round_need adaptive_need(const struct rounds *rounds, const char *point, int repeat)
{
    const size_t i = adaptive_find(&rounds->adaptive, point);
    if (i == rounds->adaptive.n)
        return ROUND_ENOUGH;
    if (repeat > rounds->decided)
        return ROUND_LATER;
    return adaptive_wants(&rounds->adaptive, i, repeat) ? ROUND_WANTED : ROUND_ENOUGH;
}

const char *rounds_reason(const struct rounds *rounds, const char *point, char buf[REASON_SIZE])
{
    const size_t i = adaptive_find(&rounds->adaptive, point);
    if (i < rounds->adaptive.n)
        return adaptive_reason(&rounds->adaptive, i, buf);
    snprintf(
        buf, REASON_SIZE,
        "not measured: an adaptive plan makes no experiments for parameters of models, and does "
        "not time other libraries' defaults");
    return buf;
}

double rounds_allowed(const struct rounds *rounds, const struct plan *plan,
                      const struct launch *launch)
{
    const struct adaptive *a = &rounds->adaptive;
    double all = 0, own = 0;
    if (isinf(a->rule.core_budget_s) || !rounds->rule.adaptive)
        return INFINITY;
    for (size_t i = 0; i < a->n; i++)
        all += adaptive_wants(a, i, launch->repeat) ? adaptive_price(a, i) : 0;
    for (size_t i = launch->first; i < launch->first + launch->n; i++) {
        const size_t k = adaptive_find(a, plan->points[i].id);
        own += k < a->n && adaptive_wants(a, k, launch->repeat) ? adaptive_price(a, k) : 0;
    }
    return all > 0 ? fmax(adaptive_left(a, launch->repeat), 0) * own / all : 0;
}

/* ---- */

int rounds_make(const struct plan *plan, const char *dir, const struct store *store,
                const struct rounds_rule *rule, struct rounds *rounds, struct err *err)
{
    if (rule->adaptive)
        return make_adaptive(plan, dir, store, rule, rounds, err);
    *rounds = (struct rounds){ .rule = *rule };
    take_points(plan, rounds);
    const size_t each = (size_t)rule->most + 1;
    double *time = memory_zeros((rounds->n + 1) * each, sizeof *time);
    char *ended = memory_zeros(rounds->n + 1, each);
    struct round_point **sorted = memory_zeros(rounds->n + 1, sizeof *sorted);
    int status = 0;
    for (size_t i = 0; status == 0 && i < rounds->n; i++) {
        struct round_point *p = sorted[i] = &rounds->point[i];
        p->time = time + i * each;
        p->ended = ended + i * each;
        status = take_times(rounds, store, p, err);
    }
    if (status == 0 && rounds->n) {
        qsort(sorted, rounds->n, sizeof *sorted, by_cell);
        decide_all(rounds, sorted);
    }
    memory_free(time, ended, sorted);
    if (status == 0)
        return 0;
    rounds_free(rounds);
    return -1;
}

enum round_need rounds_need(const struct rounds *rounds, const char *point, int repeat)
{
    struct round_point key = { .last = 0 };
    if (rounds->rule.adaptive)
        return adaptive_need(rounds, point, repeat);
    if (repeat <= rounds->rule.repeats)
        return ROUND_WANTED;
    snprintf(key.id, sizeof key.id, "%s", point);
    const struct round_point *p =
        rounds->n ? bsearch(&key, rounds->point, rounds->n, sizeof key, by_id) : NULL;
    if (!p || (repeat > p->last && !p->open))
        return ROUND_ENOUGH;
    return repeat <= p->last ? ROUND_WANTED : ROUND_LATER;
}

size_t rounds_wanted(const struct rounds *rounds, const struct plan *plan,
                     const struct launch *launch, size_t *later)
{
    size_t wanted = 0, open = 0;
    for (size_t i = launch->first; i < launch->first + launch->n; i++) {
        const enum round_need need = rounds_need(rounds, plan->points[i].id, launch->repeat);
        wanted += need == ROUND_WANTED;
        open += need == ROUND_LATER;
    }
    if (later)
        *later = open;
    return wanted;
}

void rounds_free(struct rounds *rounds)
{
    free(rounds->point);
    adaptive_free(&rounds->adaptive);
    *rounds = (struct rounds){ .n = 0 };
}
