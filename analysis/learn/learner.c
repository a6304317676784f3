/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/learner.h"

#include <time.h>

/* What loses at most this much is right (as the tie_pct of a study that does not say). */
static const double tolerance = 0.0247; /* log 1.025 */

static const struct learner_interval unknown = { NAN, NAN, NAN, 0 };

/* ---- examples of one kind ---- */

static size_t width(const struct learner *learner)
{
    return N_FEATURES + (learner->hybrid ? MAX_MODELS : 0);
}

static void write_row(const struct learner *learner, const float *x, const float *said, float *row)
{
    memcpy(row, x, N_FEATURES * sizeof *row);
    if (learner->method->by_distance)
        row[FEATURE_BYTES_PER_PROC] = NAN; /* as good as not there */
    for (size_t k = 0; learner->hybrid && k < MAX_MODELS; k++)
        row[N_FEATURES + k] = said ? said[k] : NAN;
}

static double mean_log(const struct example *example)
{
    double sum = 0;
    for (size_t i = 0; i < example->n; i++)
        sum += example->offer[i].log_s;
    return sum / (double)example->n;
}

/* Room for the examples of any kind of a subject. */
struct room {
    struct examples e;
    float *x;
    double *y, *weight;
};

static void room_make(const struct learner *learner, const struct subject *s, struct room *r)
{
    size_t most = 1;
    for (size_t i = 0; i < s->n; i++)
        most += s->example[i].n;
    r->x = memory_zeros(most * width(learner), sizeof *r->x);
    r->y = memory_zeros(most, sizeof *r->y);
    r->weight = memory_zeros(most, sizeof *r->weight);
}

/* How a skill is learnt. */
struct way {
    const struct learner *learner;
    size_t setting;
    int ratio;
    int inner; /* 1: without the examples apart */
    int quick; /* 1: to compare with other ways */
    uint64_t seed;
};

static void add_example(const struct way *w, const struct example *example, const struct offer *o,
                        struct room *r)
{
    const size_t at = r->e.n++;
    write_row(w->learner, example->x, o->said, r->x + at * r->e.k);
    if (!w->learner->classifies) {
        r->y[at] = o->log_s - (w->ratio ? mean_log(example) : 0);
        r->weight[at] = 1;
        return;
    }
    const double least = example_least(example), loss = o->log_s - least;
    r->y[at] = loss <= tolerance;
    r->weight[at] = loss <= tolerance ? fmax(mean_log(example) - least, tolerance) : loss;
}

static void collect(const struct way *w, const struct subject *s, size_t kind, struct room *r)
{
    r->e = (struct examples){ .x = r->x,
                              .k = width(w->learner),
                              .y = r->y,
                              .weight = w->learner->classifies ? r->weight : NULL,
                              .binary = w->learner->classifies,
                              .always = FEATURE_MACHINE,
                              .quick = w->quick };
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->example[i].n && !(w->inner && s->example[i].apart); k++)
            if (s->example[i].offer[k].kind == kind)
                add_example(w, &s->example[i], &s->example[i].offer[k], r);
}

/* ---- one subject ---- */

static void skill_clear(struct skill *skill)
{
    for (size_t i = 0; skill->fit && i < skill->n_kinds; i++)
        fitted_clear(&skill->fit[i]);
    memory_free(skill->fit, skill->kind, skill->trial);
    *skill = (struct skill){ .n_kinds = 0 };
}

/* Shares, of trees alone: other methods do not split. */
static void finish_importance(const struct learner *learner, struct skill *skill)
{
    if (learner->method->predict == trees_predict)
        trees_normalise(skill->importance, width(learner));
    for (size_t k = 0; k < MOST_FEATURES && learner->method->predict != trees_predict; k++)
        skill->importance[k] = NAN;
}

/* Learns one way. A kind without an example has no fit (its method is NULL). */
static int skill_make(const struct way *w, const struct subject *s, struct skill *out,
                      struct err *err)
{
    struct room room = { .x = NULL };
    int status = 0;
    *out = (struct skill){ .context = s->context,
                           .n_kinds = s->n_kinds,
                           .setting = w->setting,
                           .ratio = w->ratio,
                           .loss = NAN,
                           .auc = NAN,
                           .between = unknown,
                           .elsewhere = unknown };
    out->kind = memory_zeros(s->n_kinds + 1, sizeof *out->kind);
    out->fit = memory_zeros(s->n_kinds + 1, sizeof *out->fit);
    memcpy(out->kind, s->kind, s->n_kinds * sizeof *out->kind);
    for (size_t i = 0; i < s->n; i++)
        out->examples += !(w->inner && s->example[i].apart);
    room_make(w->learner, s, &room);
    for (size_t k = 0; k < s->n_kinds && status == 0; k++) {
        collect(w, s, k, &room);
        if (room.e.n)
            status = fitted_make(w->learner->method, &room.e, w->setting, w->seed + k, &out->fit[k],
                                 err);
        if (room.e.n && status == 0 && !w->quick)
            trees_importance(&out->fit[k], &room.e, out->importance);
    }
    memory_free(room.x, room.y, room.weight);
    finish_importance(w->learner, out);
    if (status < 0)
        skill_clear(out);
    return status;
}

static double score_kind(const struct learner *learner, const struct skill *skill, size_t kind,
                         const float *x, const float *said)
{
    float row[MOST_FEATURES];
    if (kind >= skill->n_kinds || !skill->fit[kind].method)
        return NAN;
    write_row(learner, x, said, row);
    const double value = fitted_predict(&skill->fit[kind], row);
    return learner->classifies ? -value : value;
}

/* What the choice in an example loses, as the logarithm of chosen over best; nothing is chosen: of
 * the mean. */
static double example_loss(const struct learner *learner, const struct skill *skill,
                           const struct example *example)
{
    double least = INFINITY, chosen = mean_log(example);
    for (size_t i = 0; i < example->n; i++) {
        const struct offer *o = &example->offer[i];
        const double score = score_kind(learner, skill, o->kind, example->x, o->said);
        if (score < least) {
            least = score;
            chosen = o->log_s;
        }
    }
    return chosen - example_least(example);
}

/* ---- what was promised ---- */

/* The choice in an example. 0: the default was not measured, or not learnt. */
static int try_choice(const struct learner *learner, const struct skill *skill,
                      const struct example *example, struct learner_trial *out)
{
    double least = INFINITY, chosen_s = NAN, own = NAN, own_s = NAN;
    for (size_t i = 0; i < example->n; i++) {
        const struct offer *o = &example->offer[i];
        const double score = score_kind(learner, skill, o->kind, example->x, o->said);
        if (o->kind == example->by_default) {
            own = score;
            own_s = o->log_s;
        }
        if (score < least) {
            least = score;
            chosen_s = o->log_s;
        }
    }
    out->promised = own - least;
    out->gain = own_s - chosen_s;
    return !isnan(out->promised);
}

/* By how much the gain over the default that the choice in an example promises is off, as a
 * logarithm; NaN: the default was chosen, or not measured. */
static double promise_error(const struct learner *learner, const struct skill *skill,
                            const struct example *example)
{
    struct learner_trial t;
    return try_choice(learner, skill, example, &t) && t.promised > 0 ? t.gain - t.promised : NAN;
}

/* Adds the choices in all examples apart. */
static void try_choices(const struct learner *learner, const struct subject *s,
                        const struct skill *skill, int end, struct skill *told)
{
    struct learner_trial t;
    for (size_t i = 0; i < s->n; i++)
        if (s->example[i].apart && try_choice(learner, skill, &s->example[i], &t)) {
            t.example = i;
            t.end = end;
            *array_add(&told->trial, &told->n_trials) = t;
        }
}

static uint64_t place_of(const struct example *l, int by_bytes)
{
    return by_bytes ? l->cell.bytes : (uint64_t)l->cell.procs;
}

static size_t rank_of(const uint64_t *value, size_t n, uint64_t one)
{
    const uint64_t *found = n ? bsearch(&one, value, n, sizeof *value, array_by_u64) : NULL;
    return found ? (size_t)(found - value) : 0;
}

/* The examples apart in two halves, so that a setting that is chosen on one of them can be tried on
 * the other: every other P, or every other size where they have one P. 0 or 1; 2: not apart. */
static unsigned char *halve(const struct subject *s, int *halved_by_bytes)
{
    uint64_t *value = memory_zeros(s->n + 1, sizeof *value);
    unsigned char *half = memory_zeros(s->n + 1, 1);
    size_t n = 0;
    for (int by_bytes = 0; by_bytes < 2 && n < 2; by_bytes++) {
        *halved_by_bytes = by_bytes;
        n = 0;
        for (size_t i = 0; i < s->n; i++)
            if (s->example[i].apart)
                value[n++] = place_of(&s->example[i], by_bytes);
        n = array_set_u64(value, n);
        for (size_t i = 0; i < s->n; i++)
            half[i] =
                s->example[i].apart ? rank_of(value, n, place_of(&s->example[i], by_bytes)) % 2 : 2;
    }
    free(value);
    return half;
}

/* By how much the promise of a choice was off, and with which others it fails together: those of a
 * number of processes (where there is one: of a size), beyond a former end, on a machine. */
struct past_error {
    uint64_t of;
    double error;
};

/* Of the way that loses least on each half, how far its promises are off on the other. */
struct promises {
    unsigned char *half;         /* of each example */
    int by_bytes;                /* 1: the halves are of sizes */
    double least[2];             /* what that way loses on the half, summed up */
    struct past_error *error[2]; /* of its promises on the other one */
    size_t n[2];
};

static void promises_make(const struct subject *s, struct promises *p)
{
    *p = (struct promises){ .least = { INFINITY, INFINITY } };
    p->half = halve(s, &p->by_bytes);
    for (int h = 0; h < 2; h++)
        p->error[h] = memory_zeros(s->n + 1, sizeof *p->error[h]);
}

/* Looks at one more way. */
static void promises_try(struct promises *p, const struct learner *learner, const struct subject *s,
                         const struct skill *skill)
{
    double loss[2] = { 0, 0 };
    for (size_t i = 0; i < s->n; i++)
        if (p->half[i] < 2)
            loss[p->half[i]] += example_loss(learner, skill, &s->example[i]);
    for (int h = 0; h < 2; h++) {
        if (!(loss[h] < p->least[h]))
            continue;
        p->least[h] = loss[h];
        p->n[h] = 0;
        for (size_t i = 0; i < s->n; i++) {
            const double e = p->half[i] == !h ? promise_error(learner, skill, &s->example[i]) : NAN;
            if (!isnan(e))
                p->error[h][p->n[h]++] =
                    (struct past_error){ place_of(&s->example[i], p->by_bytes), e };
        }
    }
}

/* Fewer errors than this have no interval of 95 %; of fewer tries nobody knows how often it holds,
 * nor by fewer groups that were tried, each by the others. */
enum { LEAST_ERRORS = 39, LEAST_TRIES = 20, LEAST_GROUPS = 3 };

/* The interval of errors: with the k-th least and the k-th largest of n as its ends, k = 0.025 (n +
 * 1), a further one lies within in 95 % of cases. Of fewer than 39 nobody knows. Sorts. */
static struct learner_interval interval_of(double *error, size_t n)
{
    const size_t k = (n + 1) / (LEAST_ERRORS + 1);
    stats_sort(error, n);
    return k ? (struct learner_interval){ error[k - 1], error[n - k], NAN, 0 } : unknown;
}

/* What errors tell of the next ones, but for those from first up to end. */
static struct learner_interval interval_without(const struct past_error *e, size_t n, size_t first,
                                                size_t end)
{
    double *error = memory_zeros(n + 1, sizeof *error);
    size_t rest = 0;
    for (size_t i = 0; i < n; i++)
        if (i < first || i >= end)
            error[rest++] = e[i].error;
    const struct learner_interval out = interval_of(error, rest);
    free(error);
    return out;
}

/* The end of those that are of the same as the first. */
static size_t group_end(const struct past_error *e, size_t n, size_t first)
{
    size_t end = first;
    while (end < n && e[end].of == e[first].of)
        end++;
    return end;
}

/* Tries of intervals in a group, each by what other groups told. */
struct held {
    double tries, held;
};

static struct held count_within(const struct past_error *e, size_t first, size_t end,
                                const struct learner_interval *in)
{
    struct held h = { (double)(end - first), 0 };
    for (size_t i = first; i < end; i++)
        h.held += e[i].error >= in->low && e[i].error <= in->high;
    return h;
}

/* One-sided, 95 %: of a normal distribution; of Student's t, two-sided, as student_quantile has it.
 */
static const double normal_95 = 1.6449, two_sided = 0.9;

/* The lower end of a share that was seen (Wilson, J. Am. Stat. Assoc. 22, 1927). */
static double share_low(struct held h)
{
    const double p = h.held / h.tries, z = normal_95 * normal_95 / h.tries;
    return (p + z / 2 - sqrt(z * (p * (1 - p) + z / 4))) / (1 + z);
}

/* The share that is promised, and of how many tries: the lower end, one-sided 95 %, of what was
 * seen in groups that fail together. fresh: in one more group like these, so that it is also at
 * most the lower end of the worst one; else in the mean over them.
 *
 * Student's t takes shares for normal, and they are skewed: of simulated promises of one more group
 * (Beta and two-valued shares, 60 tries each) 88 to 95 in 100 held by three groups, 91 to 96 by
 * four, 93 to 98 by six. */
static void promise_share(const struct held *group, size_t n, int fresh,
                          struct learner_interval *out)
{
    struct held all = { 0, 0 };
    double least = 1, squares = 0;
    for (size_t i = 0; i < n; i++) {
        all.tries += group[i].tries;
        all.held += group[i].held;
        least = fmin(least, share_low(group[i]));
    }
    out->holds = NAN;
    out->tries = (size_t)all.tries;
    if (n < LEAST_GROUPS || out->tries < LEAST_TRIES)
        return;
    const double share = all.held / all.tries, mean = all.tries / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += pow((group[i].held - share * group[i].tries) / mean, 2);
    const double low = share - student_quantile(two_sided, (int)n - 1) *
                                   sqrt(squares / (double)(n - 1) * (fresh + 1 / (double)n));
    if (low > 0)
        out->holds = fmin(low, fresh ? least : share_low(all));
}

static int by_group(const void *a, const void *b)
{
    const struct past_error *x = a, *y = b;
    return ascending(x->of, y->of);
}

/* The interval of all errors; how often that of the others held in each group of `least` tries.
 * Sorts. */
static struct learner_interval judge_groups(struct past_error *e, size_t n, size_t least, int fresh)
{
    struct learner_interval all = interval_without(e, n, n, n);
    struct held *group = NULL;
    size_t groups = 0;
    if (n)
        qsort(e, n, sizeof *e, by_group);
    for (size_t first = 0, end; first < n; first = end) {
        end = group_end(e, n, first);
        const struct learner_interval others = interval_without(e, n, first, end);
        if (end - first >= least && !isnan(others.low))
            *(struct held *)array_add(&group, &groups) = count_within(e, first, end, &others);
    }
    promise_share(group, groups, fresh, &all);
    free(group);
    return all;
}

static void promises_judge(const struct promises *p, struct skill *told)
{
    const size_t n = p->n[0] + p->n[1];
    struct past_error *e = memory_zeros(n + 1, sizeof *e);
    memcpy(e, p->error[0], p->n[0] * sizeof *e);
    memcpy(e + p->n[0], p->error[1], p->n[1] * sizeof *e);
    told->between = judge_groups(e, n, 1, 0);
    free(e);
}

/* ---- AUC ---- */

struct scored {
    double score, y;
};

static int by_score(const void *a, const void *b)
{
    const struct scored *x = a, *y = b;
    return ascending(x->score, y->score);
}

double learn_auc(const double *score, const double *y, size_t n)
{
    struct scored *s = memory_zeros(n + 1, sizeof *s);
    double below = 0, area = 0, ones = 0; /* below: of class 0, seen before */
    for (size_t i = 0; i < n; i++)
        s[i] = (struct scored){ score[i], y[i] };
    qsort(s, n, sizeof *s, by_score);
    for (size_t first = 0, end; first < n; first = end) {
        double one = 0, zero = 0;
        for (end = first; end < n && s[end].score == s[first].score; end++) {
            one += s[end].y > 0.5;
            zero += s[end].y <= 0.5;
        }
        area += one * (below + zero / 2);
        below += zero;
        ones += one;
    }
    free(s);
    return ones > 0 && below > 0 ? area / (ones * below) : NAN;
}

/* Of one kind's classifier, on the examples apart. */
static double kind_auc(const struct learner *learner, const struct subject *s,
                       const struct skill *skill, size_t kind)
{
    double *score = memory_zeros(s->n + 1, sizeof *score), *y = memory_zeros(s->n + 1, sizeof *y);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; s->example[i].apart && k < s->example[i].n; k++) {
            const struct offer *o = &s->example[i].offer[k];
            const double value = score_kind(learner, skill, o->kind, s->example[i].x, o->said);
            if (o->kind != kind || isnan(value) || n == s->n)
                continue;
            score[n] = -value;
            y[n++] = o->log_s - example_least(&s->example[i]) <= tolerance;
        }
    const double auc = learn_auc(score, y, n);
    memory_free(score, y);
    return auc;
}

static void judge_skill(const struct learner *learner, const struct subject *s, struct skill *skill)
{
    double sum = 0, area = 0;
    size_t n = 0, areas = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->example[i].apart) {
            sum += example_loss(learner, skill, &s->example[i]);
            n++;
        }
    skill->loss = n ? sum / (double)n : NAN;
    for (size_t k = 0; learner->classifies && k < s->n_kinds; k++) {
        const double auc = kind_auc(learner, s, skill, k);
        areas += !isnan(auc);
        area += isnan(auc) ? 0 : auc;
    }
    skill->auc = areas ? area / (double)areas : NAN;
}

/* 1 when some examples are apart and some are not. */
static int is_divided(const struct subject *s)
{
    size_t apart = 0;
    for (size_t i = 0; i < s->n; i++)
        apart += s->example[i].apart != 0;
    return apart > 0 && apart < s->n;
}

/* Tries one way: *best and *told become it where it is better than those before. */
static int try_way(const struct subject *s, const struct way *w, double *least, struct way *best,
                   struct skill *told, struct promises *promises, struct err *err)
{
    const struct learner *learner = w->learner;
    struct skill skill;
    if (skill_make(w, s, &skill, err) < 0)
        return -1;
    judge_skill(learner, s, &skill);
    if (!learner->classifies)
        promises_try(promises, learner, s, &skill);
    const double worth = learner->classifies && !isnan(skill.auc) ? -skill.auc : skill.loss;
    if (worth < *least) {
        *least = worth;
        told->loss = skill.loss;
        told->auc = skill.auc;
        best->setting = w->setting;
        best->ratio = w->ratio;
        told->n_trials = 0;
        if (!learner->classifies)
            try_choices(learner, s, &skill, 0, told);
    }
    skill_clear(&skill);
    return 0;
}

/* Tries every way on the examples apart; *best is the one to take, its loss and AUC in *told, with
 * the interval of what such choices promise. */
static int choose_way(const struct subject *s, struct way *best, struct skill *told,
                      struct err *err)
{
    const struct learner *learner = best->learner;
    struct promises promises;
    double least = INFINITY;
    int status = 0;
    *told = (struct skill){ .loss = NAN, .auc = NAN, .between = unknown, .elsewhere = unknown };
    best->ratio = !learner->copies && !learner->classifies;
    if (learner->fixed || !is_divided(s))
        return 0;
    promises_make(s, &promises);
    for (size_t setting = 0; learner->method->settings[setting] && status == 0; setting++)
        for (int ratio = 1; ratio >= learner->classifies && status == 0; ratio--) {
            const struct way w = { learner, setting, ratio, 1, 1, best->seed };
            status = try_way(s, &w, &least, best, told, &promises, err);
        }
    promises_judge(&promises, told);
    memory_free(promises.half, promises.error[0], promises.error[1]);
    return status;
}

/* ---- the data's own past ---- */

/* A subject with those examples apart that are beyond an end, or, where that is 0, of a machine.
 * Borrows all but where its examples are: free(). */
static struct subject set_apart(const struct subject *s, int end, size_t machine)
{
    struct subject past = *s;
    past.example = memory_zeros(s->n + 1, sizeof *past.example);
    for (size_t i = 0; i < s->n; i++) {
        past.example[i] = s->example[i];
        past.example[i].apart =
            end ? s->example[i].cell.procs > end : s->example[i].machine == machine;
    }
    return past;
}

/* As if only the P up to `end` had been measured: what would have been chosen beyond. */
static int try_end(const struct way *way, const struct subject *s, int end, struct skill *told,
                   struct err *err)
{
    struct subject past = set_apart(s, end, 0);
    struct skill skill;
    const struct way w = { way->learner, way->setting, way->ratio, 1, 1, way->seed };
    const int status = skill_make(&w, &past, &skill, err);
    if (status == 0) {
        try_choices(w.learner, &past, &skill, end, told);
        skill_clear(&skill);
    }
    free(past.example);
    return status;
}

/* The same for all ends. Who has not seen a doubling knows nothing of the next. */
static int try_ends(const struct way *way, const struct subject *s, struct skill *told,
                    struct err *err)
{
    const int most = subject_end(s, INT_MAX);
    int least = most, status = 0;
    for (size_t i = 0; i < s->n; i++)
        least = s->example[i].cell.procs < least ? s->example[i].cell.procs : least;
    for (int end = subject_end(s, most / 2); end / 2 >= least && status == 0;
         end = subject_end(s, end / 2))
        status = try_end(way, s, end, told, err);
    return status;
}

int learner_doublings(int procs, int from)
{
    return (int)ceil(log2((double)procs / from) - 1e-9);
}

/* Of all choices so many doublings beyond an end that promised a gain, from the largest end down;
 * how many. */
static size_t past_errors(const struct subject *s, const struct skill *told, int doublings,
                          struct past_error *out)
{
    size_t n = 0;
    for (size_t i = 0; i < told->n_trials; i++) {
        const struct learner_trial *t = &told->trial[i];
        if (t->end && t->promised > 0 &&
            learner_doublings(s->example[t->example].cell.procs, t->end) == doublings)
            out[n++] = (struct past_error){ (uint64_t)t->end, t->gain - t->promised };
    }
    return n;
}

/* What errors beyond ends tell; a single end shows no spread. */
static struct learner_interval past_interval(const struct past_error *e, size_t n)
{
    return n && e[0].of != e[n - 1].of ? interval_without(e, n, n, n) : unknown;
}

/* The interval of errors beyond ends, where LEAST_TRIES errors at an end were asked by the ends
 * before it; how often such intervals held. */
static struct learner_interval judge_ends(const struct past_error *e, size_t n)
{
    struct held *group = NULL;
    size_t groups = 0;
    struct learner_interval told = unknown;
    for (size_t first = 0, end; first < n; first = end) {
        end = group_end(e, n, first);
        const struct learner_interval before = past_interval(e + end, n - end);
        if (!isnan(before.low))
            *(struct held *)array_add(&group, &groups) = count_within(e, first, end, &before);
    }
    promise_share(group, groups, 1, &told);
    const struct learner_interval in = told.tries < LEAST_TRIES ? unknown : past_interval(e, n);
    free(group);
    return (struct learner_interval){ in.low, in.high, told.holds, told.tries };
}

/* What is known of promises beyond the largest P. */
static void judge_past(const struct subject *s, struct skill *told)
{
    struct past_error *e = memory_zeros(told->n_trials + 1, sizeof *e);
    for (int d = 1; d <= LEARNER_DOUBLINGS; d++)
        told->beyond[d - 1] = judge_ends(e, past_errors(s, told, d, e));
    free(e);
}

/* ---- other machines ---- */

/* Adds how far off promises on a machine are, by what the others teach. */
static int try_machine(const struct way *way, const struct subject *s, size_t machine,
                       struct past_error *e, size_t *n, struct err *err)
{
    struct subject others = set_apart(s, 0, machine);
    struct skill skill;
    const struct way w = { way->learner, way->setting, way->ratio, 1, 1, way->seed };
    int status = 0;
    if (is_divided(&others) && (status = skill_make(&w, &others, &skill, err)) == 0) {
        for (size_t i = 0; i < s->n; i++) {
            const double error = others.example[i].apart
                                     ? promise_error(w.learner, &skill, &others.example[i])
                                     : NAN;
            if (!isnan(error))
                e[(*n)++] = (struct past_error){ machine, error };
        }
        skill_clear(&skill);
    }
    free(others.example);
    return status;
}

static int try_machines(const struct way *way, const struct subject *s, size_t machines,
                        struct skill *told, struct err *err)
{
    struct past_error *e = memory_zeros(s->n + 1, sizeof *e);
    size_t n = 0;
    int status = 0;
    for (size_t i = 0; i < machines && machines > 1 && status == 0; i++)
        status = try_machine(way, s, i, e, &n, err);
    told->elsewhere = judge_groups(e, n, LEAST_TRIES, 1);
    free(e);
    return status;
}

/* ---- all subjects ---- */

double learn_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int learner_has_voice(const struct learner *l)
{
    return !l->classifies && !l->copies && !l->hybrid;
}

/* 1 for those who say how far off they are where nothing was learnt of. */
static int is_tried(const struct learner *l)
{
    return learner_has_voice(l) && !l->fixed;
}

int learnt_make(const struct learner *learner, const struct problem *problem, uint64_t seed,
                struct learnt *out, struct err *err)
{
    *out = (struct learnt){ .learner = learner };
    for (size_t i = 0; i < problem->n; i++) {
        struct way way = { .learner = learner, .seed = seed };
        struct skill skill, told;
        const double began = learn_clock();
        int status = choose_way(&problem->subject[i], &way, &told, err);
        if (status == 0 && is_tried(learner) && problem->past)
            status = try_ends(&way, &problem->subject[i], &told, err);
        if (status == 0 && is_tried(learner))
            status = try_machines(&way, &problem->subject[i], problem->machines, &told, err);
        way.inner = 0;
        if (status == 0)
            status = skill_make(&way, &problem->subject[i], &skill, err);
        if (status < 0) {
            free(told.trial);
            learnt_clear(out);
            return err_prefix(err, "%s", learner->name);
        }
        skill.loss = told.loss;
        skill.auc = told.auc;
        skill.between = told.between;
        skill.elsewhere = told.elsewhere;
        judge_past(&problem->subject[i], &told);
        memcpy(skill.beyond, told.beyond, sizeof skill.beyond);
        skill.trial = told.trial;
        skill.n_trials = told.n_trials;
        skill.core_s = learn_clock() - began;
        *array_add(&out->skill, &out->n) = skill;
    }
    return 0;
}

const struct skill *learnt_skill(const struct learnt *learnt, const struct cell *cell)
{
    return find_below(learnt->skill, i, learnt->n,
                      cell_compare_context(&learnt->skill[i].context, cell) == 0);
}

double skill_score(const struct learnt *learnt, const struct skill *skill,
                   const struct candidate *runs, const float *x, const float *said)
{
    const size_t kind = first_below(i, skill->n_kinds, candidate_equal(&skill->kind[i], runs));
    return score_kind(learnt->learner, skill, kind, x, said);
}

void learnt_clear(struct learnt *learnt)
{
    for (size_t i = 0; i < learnt->n; i++)
        skill_clear(&learnt->skill[i]);
    free(learnt->skill);
    *learnt = (struct learnt){ .n = 0 };
}
