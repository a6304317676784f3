/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/star.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"

enum { FIRST_DELTA = 2, WHOLE = 0, LAST = 1 };

/* A candidate all of whose first calls took more than so many times the best one's is given up. */
static const double FAR = 1.25;

/* Of the pairs of turns of a duel the challenger may lose as many, and is still surely faster: were
 * the two alike this would happen in 12 of the 252 orders of twice five turns, and in 4.5 % of
 * those of twice ten (Mann & Whitney 1947). */
static const int may_lose[STAR_ROUNDS] = { 4, 27 };

const char *const star_judge_words[] = { "sure", "fastest", NULL };

const struct star_options star_usual = { .judge = STAR_FASTEST,
                                         .own = -1,
                                         .iterations = 10,
                                         .most_delta = 64,
                                         .groups = 1,
                                         .epsilon = 0.1 };

/* What is measured now. */
enum round { ALL_CALLS, FIRST_CALLS, OTHER_CALLS, DUEL };

struct candidate {
    int group;
    double seconds; /* what counts; below 0: not measured */
    int calls;      /* of which that was made */
    int64_t *kept;  /* of each of its calls, but for those of duels: the sum over ranks, ns */
    int n_kept;
    int has_lost; /* a duel of this search */
};

/* What is known of the saved time, on this rank, ns. */
struct gain {
    double all_calls;
    double search_calls, search_ns; /* all calls that tried candidates */
    double own_ns, own_ns2, own_n;  /* of the own call's turns in these: a mean call; how many */
    double run_ns, run_n;           /* the own call's turn that is running: their sum, its calls */
    double choice_ns;               /* all calls of the choice */
    double o, c, oo, oc, cc, pairs; /* pairs of turns, own and choice: sums of mean calls */
    double before_ns, before_var;   /* of choices that gave way: saved, and its variance */
    int unknown;                    /* 1: of such a one too few pairs are known */
};

struct star {
    struct star_options options;
    int n;
    struct candidate *candidate;
    int64_t *all_kept;

    enum star_stage stage;
    enum round round;
    int *order, n_order, calls; /* what is measured in turn, and in how many calls each */
    int at, call;               /* in Measure_Select: of order; of its calls */
    int64_t *ns;                /* of each of these: `calls` times */

    int64_t turn[2][STAR_ROUNDS * STAR_TURNS]; /* of the challenger, and the own call: sums, ns */
    int n_turns, n_lost;                       /* of either so far; duels of this search */

    int best, delta;
    long monitored;   /* calls of this period */
    int64_t total[2]; /* of the period; of its last calls */
    int agreements, changes;

    int since, pair_call; /* calls of the choice since the last pair of turns; of this pair */
    int64_t pair_ns[2];   /* of it so far, without each turn's first call */
    struct gain gain;
};

static int is_sure(const struct star *s)
{
    return s->options.judge == STAR_SURE;
}

/* ---- Measure_Select ---- */

static void measure_none(struct star *s, enum round round)
{
    s->stage = STAR_MEASURE;
    s->round = round;
    s->calls = round == FIRST_CALLS   ? STAR_FIRST
               : round == OTHER_CALLS ? s->options.iterations - STAR_FIRST
               : round == DUEL        ? STAR_TURN_CALLS
                                      : s->options.iterations;
    s->n_order = s->at = s->call = 0;
}

static void measure_new(struct star *s)
{
    measure_none(s, is_sure(s) ? FIRST_CALLS : ALL_CALLS);
}

static int is_first_of_group(const struct star *s, int candidate)
{
    for (int i = 0; i < candidate; i++)
        if (s->candidate[i].group == s->candidate[candidate].group)
            return 0;
    return 1;
}

/* The others of a group. Returns how many there are. */
static int measure_group(struct star *s, int group)
{
    measure_new(s);
    for (int i = 0; i < s->n; i++)
        if (s->candidate[i].group == group && s->candidate[i].seconds < 0)
            s->order[s->n_order++] = i;
    return s->n_order;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

struct star *star_new(const struct star_options *options, int n, const int *group)
{
    struct star *s = memory_zeros(1, sizeof *s);
    const int iterations = options->iterations;
    s->options = *options;
    s->n = n;
    s->candidate = memory_zeros((size_t)n, sizeof *s->candidate);
    s->all_kept = memory_zeros((size_t)(n * iterations), sizeof *s->all_kept);
    s->order = memory_zeros((size_t)larger(n, 2 * STAR_TURNS), sizeof *s->order);
    s->ns = memory_zeros((size_t)larger(n * iterations, STAR_ROUND), sizeof *s->ns);
    s->delta = FIRST_DELTA;
    s->best = -1;
    for (int i = 0; i < n; i++)
        s->candidate[i] = (struct candidate){ .group = group[i],
                                              .seconds = -1,
                                              .kept = &s->all_kept[i * iterations] };
    measure_new(s);
    for (int i = 0; i < n; i++)
        if (!options->groups || is_first_of_group(s, i))
            s->order[s->n_order++] = i;
    return s;
}

void star_free(struct star *s)
{
    if (!s)
        return;
    memory_free(s->candidate, s->all_kept, s->order, s->ns, s);
}

/* The best that was measured, and has not lost just now, but for one; -1: there is none. */
static int best_but(const struct star *s, int other)
{
    int best = -1;
    for (int i = 0; i < s->n; i++)
        if (i != other && s->candidate[i].seconds >= 0 && !s->candidate[i].has_lost &&
            (best < 0 || s->candidate[i].seconds < s->candidate[best].seconds))
            best = i;
    return best;
}

static void monitor(struct star *s, int delta)
{
    s->stage = STAR_MONITOR;
    s->delta = delta;
    s->monitored = 0;
    s->total[WHOLE] = s->total[LAST] = 0;
}

/* Student's t at 99.5 %, by Hill's expansion about the normal's 2.576 (1 % for n >= 4). */
static double quantile(double freedom)
{
    const double z = 2.5758293, z3 = z * z * z, z5 = z3 * z * z;
    return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom) +
           (3 * z5 * z * z + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom * freedom * freedom);
}

/* What the default had taken for the calls of this choice, less what they took: the ratio of the
 * pairs' sums times all of these calls, and the variance of that (Cochran, 1977, 6.3). 0, or -1: of
 * too few pairs. */
static int choice_saved(const struct gain *g, double *ns, double *half2)
{
    const double k = g->pairs, r = g->c > 0 ? g->o / g->c : 1;
    *ns = *half2 = 0;
    if (g->choice_ns <= 0)
        return 0;
    if (k < STAR_PAIRS || g->c <= 0)
        return -1;
    const double squares = g->oo - 2 * r * g->oc + r * r * g->cc;
    const double t = quantile(k - 1) * g->choice_ns * k / g->c;
    *ns = (r - 1) * g->choice_ns;
    *half2 = t * t * (squares > 0 ? squares : 0) / (k - 1) / k;
    return 0;
}

/* Another one runs from here on. */
static void gave_way(struct star *s)
{
    struct gain *g = &s->gain;
    double ns, half2;
    if (s->best != s->options.own && choice_saved(g, &ns, &half2) < 0)
        g->unknown = 1;
    else if (s->best != s->options.own)
        g->before_ns += ns, g->before_var += half2;
    g->choice_ns = g->o = g->c = g->oo = g->oc = g->cc = g->pairs = 0;
}

static void take(struct star *s, int candidate)
{
    if (s->best >= 0 && s->best != candidate)
        gave_way(s);
    s->since = s->pair_call = 0;
    for (int i = 0; i < s->n; i++)
        s->candidate[i].has_lost = 0;
    s->n_lost = 0;
    s->changes += s->best >= 0 && s->best != candidate;
    s->best = candidate;
    monitor(s, FIRST_DELTA);
}

/* By turns: one, the other, the other, one, ... so that neither comes earlier in the mean. */
static void begin_round(struct star *s, int challenger)
{
    measure_none(s, DUEL);
    for (int i = 0; i < 2 * STAR_TURNS; i++)
        s->order[s->n_order++] = i % 4 == 0 || i % 4 == 3 ? challenger : s->options.own;
}

static void begin_duel(struct star *s, int challenger)
{
    s->n_turns = 0;
    begin_round(s, challenger);
}

/* The best takes over, once all of its group are known, and it was seen to be faster than the
 * library's own call where it has to be. */
static void take_best(struct star *s)
{
    const int best = best_but(s, -1);
    if (measure_group(s, s->candidate[best].group) > 0)
        return;
    if (is_sure(s) && s->options.own >= 0 && best != s->options.own)
        begin_duel(s, best);
    else
        take(s, best);
}

static int by_time(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* What counts of the calls that are kept: their median, or the fastest. */
static void judge(const struct star *s, struct candidate *c, int procs)
{
    const int n = c->n_kept;
    qsort(c->kept, (size_t)n, sizeof *c->kept, by_time);
    const double ns = is_sure(s) ? ((double)c->kept[(n - 1) / 2] + (double)c->kept[n / 2]) / 2
                                 : (double)c->kept[0];
    c->seconds = ns * 1e-9 / procs;
    c->calls = n;
}

/* All that has been measured in this round. */
static void keep_round(struct star *s, int procs)
{
    for (int i = 0; i < s->n_order; i++) {
        struct candidate *c = &s->candidate[s->order[i]];
        for (int j = 0; j < s->calls; j++)
            c->kept[c->n_kept++] = s->ns[i * s->calls + j];
        judge(s, c, procs);
    }
}

/* Those of the round that were not far slower than the best of all. (Calls are sorted.) */
static void measure_others(struct star *s, int procs)
{
    const double limit_s = FAR * s->candidate[best_but(s, -1)].seconds;
    const int n = s->n_order;
    measure_none(s, OTHER_CALLS);
    for (int i = 0; i < n; i++)
        if ((double)s->candidate[s->order[i]].kept[0] * 1e-9 / procs <= limit_s)
            s->order[s->n_order++] = s->order[i];
    if (!s->n_order)
        take_best(s);
}

/* ---- a duel ---- */

enum { CHALLENGER, OWN };

/* Of each turn the calls but the first, added up. */
static void add_turns(struct star *s)
{
    int n[2] = { s->n_turns, s->n_turns };
    for (int i = 0; i < s->n_order; i++) {
        const int who = s->order[i] == s->options.own ? OWN : CHALLENGER;
        int64_t *turn = &s->turn[who][n[who]++];
        *turn = 0;
        for (int j = 1; j < STAR_TURN_CALLS; j++)
            *turn += s->ns[i * STAR_TURN_CALLS + j];
    }
    s->n_turns += STAR_TURNS;
}

static int pairs_lost(const struct star *s)
{
    int lost = 0;
    for (int i = 0; i < s->n_turns; i++)
        for (int j = 0; j < s->n_turns; j++)
            lost += s->turn[CHALLENGER][i] >= s->turn[OWN][j];
    return lost;
}

static void know_by_turns(struct star *s, int candidate, int64_t *turn, int procs)
{
    struct candidate *c = &s->candidate[candidate];
    const int n = s->n_turns;
    qsort(turn, (size_t)n, sizeof *turn, by_time);
    c->seconds = ((double)turn[(n - 1) / 2] + (double)turn[n / 2]) / 2 * 1e-9 / procs /
                 (STAR_TURN_CALLS - 1);
    c->calls = n * (STAR_TURN_CALLS - 1);
}

/* The own call stays, or the next best has a duel, too. */
static void challenger_lost(struct star *s, int challenger)
{
    s->candidate[challenger].has_lost = 1;
    if (++s->n_lost < STAR_CHALLENGERS)
        take_best(s);
    else
        take(s, s->options.own);
}

/* Neither surely faster nor slower than it in most pairs: once more. */
static void agreed_on_duel(struct star *s, int procs)
{
    const int challenger = s->order[0], own = s->options.own;
    add_turns(s);
    const int lost = pairs_lost(s), pairs = s->n_turns * s->n_turns,
              is_last = s->n_turns == STAR_ROUNDS * STAR_TURNS;
    const int wins = lost <= may_lose[s->n_turns / STAR_TURNS - 1];
    if (!wins && !is_last && 2 * lost < pairs) {
        begin_round(s, challenger);
        return;
    }
    know_by_turns(s, challenger, s->turn[CHALLENGER], procs);
    know_by_turns(s, own, s->turn[OWN], procs);
    if (wins)
        take(s, challenger);
    else
        challenger_lost(s, challenger);
}

static void agreed_on_measured(struct star *s, int procs)
{
    if (s->round == DUEL) {
        agreed_on_duel(s, procs);
        return;
    }
    keep_round(s, procs);
    if (s->round == FIRST_CALLS)
        measure_others(s, procs);
    else
        take_best(s);
}

/* ---- Monitor_Adapt ---- */

/* Up to which time what runs is kept; below 0: there is nothing else. */
static double limit_of(const struct star *s)
{
    const int second = best_but(s, s->best);
    if (second < 0)
        return -1;
    const double its_s = s->candidate[s->best].seconds, second_s = s->candidate[second].seconds;
    return (1 + s->options.epsilon) * (its_s > second_s ? its_s : second_s);
}

static void agreed_on_monitored(struct star *s, int procs)
{
    const double whole_s = (double)s->total[WHOLE] * 1e-9 / procs / (double)s->monitored;
    const double last_s = (double)s->total[LAST] * 1e-9 / procs / s->options.iterations;
    const double limit_s = limit_of(s);
    if (limit_s < 0 || whole_s < limit_s) {
        const int twice = s->delta * 2;
        monitor(s, twice < s->options.most_delta ? twice : s->options.most_delta);
    } else if (last_s >= limit_s) {
        s->candidate[s->best].seconds = whole_s;
        s->candidate[s->best].calls = (int)s->monitored;
        take_best(s);
    } else {
        monitor(s, FIRST_DELTA);
    }
}

/* ---- a call ---- */

/* Once it has settled on another call than the library's own, that one is called again now and
 * then, in turn with the choice: what the choice saves is known by these pairs of turns alone. */
static int is_compared(const struct star *s)
{
    return s->stage == STAR_MONITOR && is_sure(s) && s->options.own >= 0 &&
           s->best != s->options.own && s->since >= STAR_PAIR_EVERY;
}

/* Which of the two is called now: the first turn is each one's by turns. */
static int pair_is_own(const struct star *s)
{
    return (s->pair_call < STAR_PAIR_CALLS) == ((long)s->gain.pairs % 2 == 0);
}

int star_next(const struct star *s)
{
    if (is_compared(s))
        return pair_is_own(s) ? s->options.own : s->best;
    return s->stage == STAR_MEASURE ? s->order[s->at] : s->best;
}

int star_choice(const struct star *s)
{
    return s->stage == STAR_MONITOR ? s->best : -1;
}

/* The calls of one turn of the own call, while candidates are tried, are one value of it. */
static void end_own_turn(struct gain *g)
{
    const double mean = g->run_n > 1 ? g->run_ns / g->run_n : 0;
    if (g->run_n > 1) {
        g->own_ns += mean;
        g->own_ns2 += mean * mean;
        g->own_n++;
    }
    g->run_ns = g->run_n = 0;
}

static void gain_searching(struct star *s, double ns)
{
    struct gain *g = &s->gain;
    g->search_calls++;
    g->search_ns += ns;
    if (s->order[s->at] != s->options.own) {
        end_own_turn(g);
        return;
    }
    g->run_ns += ns;
    if (++g->run_n == STAR_FIRST)
        end_own_turn(g);
}

/* A call of a pair of turns. */
static void record_pair(struct star *s, int64_t ns)
{
    struct gain *g = &s->gain;
    const int own = pair_is_own(s), call = s->pair_call % STAR_PAIR_CALLS;
    s->pair_ns[own] = call == 1 ? ns : call > 1 ? s->pair_ns[own] + ns : 0;
    g->choice_ns += own ? 0 : (double)ns;
    if (++s->pair_call < 2 * STAR_PAIR_CALLS)
        return;
    const double o = (double)s->pair_ns[1], c = (double)s->pair_ns[0];
    g->o += o, g->c += c, g->oo += o * o, g->oc += o * c, g->cc += c * c;
    g->pairs++;
    s->since = s->pair_call = 0;
}

enum star_word star_saving(const struct star *s, struct star_saving *out)
{
    struct gain g = s->gain;
    double ns = 0, half2 = 0;
    end_own_turn(&g);
    *out = (struct star_saving){ .pairs = (int)g.pairs };
    if (s->options.own < 0 || g.unknown || g.own_n < 3 ||
        (s->best >= 0 && s->best != s->options.own && choice_saved(&g, &ns, &half2) < 0))
        return STAR_NOT_SETTLED;
    /* one slow stretch may hold many of its turns: as uncertain as one turn is, not their mean */
    const double mean = g.own_ns / g.own_n,
                 var = fmax(0, g.own_ns2 / g.own_n - mean * mean) * g.own_n / (g.own_n - 1);
    const double t = quantile(g.own_n + STAR_PAIRS) * g.search_calls;
    out->saved_s = (ns + g.before_ns + mean * g.search_calls - g.search_ns) * 1e-9;
    /* and the plain program's calls are others: a call's own scatter, that of two sums of calls */
    const double scatter2 = 2 * STAR_FIRST * var * g.all_calls * pow(quantile(STAR_ROUND), 2);
    out->half_s = sqrt(half2 + g.before_var + t * t * var + scatter2) * 1e-9;
    out->is_known = 1;
    return s->stage == STAR_MEASURE         ? STAR_NOT_SETTLED
           : out->saved_s - out->half_s > 0 ? STAR_GAINED
           : out->saved_s + out->half_s < 0 ? STAR_LOST
                                            : STAR_NOT_SETTLED;
}

enum star_stage star_stage(const struct star *s)
{
    return s->stage;
}

static size_t record_measured(struct star *s, int64_t ns, int64_t **values)
{
    s->ns[s->at * s->calls + s->call++] = ns;
    if (s->call == s->calls) {
        s->call = 0;
        s->at++;
    }
    *values = s->ns;
    return s->at == s->n_order ? (size_t)s->n_order * (size_t)s->calls : 0;
}

static size_t record_monitored(struct star *s, int64_t ns, int64_t **values)
{
    const long period = (long)s->delta * s->options.iterations;
    s->total[WHOLE] += ns;
    if (period - s->monitored <= s->options.iterations)
        s->total[LAST] += ns;
    s->monitored++;
    *values = s->total;
    return s->monitored == period ? 2 : 0;
}

size_t star_record(struct star *s, int64_t ns, int64_t **values)
{
    s->gain.all_calls++;
    if (is_compared(s)) {
        record_pair(s, ns);
        return 0;
    }
    if (s->stage == STAR_MEASURE) {
        gain_searching(s, (double)ns);
        return record_measured(s, ns, values);
    }
    s->gain.choice_ns += (double)ns;
    s->since++;
    return record_monitored(s, ns, values);
}

void star_agreed(struct star *s, int procs)
{
    s->agreements++;
    if (s->stage == STAR_MEASURE)
        agreed_on_measured(s, procs);
    else
        agreed_on_monitored(s, procs);
}

double star_seconds(const struct star *s, int candidate, int *calls)
{
    if (calls)
        *calls = s->candidate[candidate].calls;
    return s->candidate[candidate].seconds;
}

int star_agreements(const struct star *s)
{
    return s->agreements;
}

int star_changes(const struct star *s)
{
    return s->changes;
}
