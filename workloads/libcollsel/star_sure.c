/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/star_sure.h"

enum {
    TURNS = 12,       /* of a block, at most */
    TURN = 4,         /* calls of a turn that count */
    LOOKS = 3,        /* single calls before turns */
    LEAST_TURNS = 3,  /* before a candidate may become the choice */
    LEAST_BLOCK = 32, /* calls of a block, but for its turns */
    MOST_BLOCK = 1024,
    FIRST_CHECKS = 2, /* turns of the own call in each of the first blocks of a choice */
    CHECK_FROM = 128, /* calls from one such turn to the next, later: doubled up to */
    CHECK_TO = 2048,
    ONE_IN = 100 /* calls of trials among those of a kind that was learnt */
};

static const double CAP = 2.5, /* times the mean: more of a call is not compared */
    FIRST_LOOK = 1.5,          /* times what is expected: the most that it is thought to take */
    FIRST_TURN = 1.25,         /* the same of the fastest look */
    PRIOR_MOST = 8,            /* expected times the own call's: never tried */
    GAIN_LEAST = 0.01,         /* a candidate that saves less is none */
    GIVE_UP = 2, TAKE = 3,     /* standard errors */
    OF_GAIN = 0.25, OF_BLOCK = 0.25, /* of what was gained, for trials; of what a block earns, for
                                        its agreement */
    SHIFT = 0.2;                     /* by so much calls become slower or faster: another phase */

/* A candidate is given up when its fastest look of so many took more than so many times. */
static const double far_after[LOOKS + 1] = { INFINITY, INFINITY, 1.5, 1.25 };

/* What is thought of the scatter of a turn's ratio before any is known: a variance, and the number
 * of turns that this counts for. */
static const double VARIANCE = 0.01, VARIANCE_TURNS = 4;

/* Ratios of turns. */
struct ratios {
    double n, mean, squares; /* squares: of the differences from the mean, added up */
};

enum state { UNSEEN, LOOKED_AT, IN_TURNS, GIVEN_UP };

struct candidate {
    enum state state;
    double prior;    /* expected, or last known: times the own call's time */
    double ever;     /* the last ratio that was known; 0: none */
    int is_prepared; /* it has run */
    int looks;
    double least;        /* of its looks: times the choice's time */
    struct ratios turns; /* of its time to the choice's */
    int calls;
};

struct turn {
    int candidate, is_look;
};

enum phase { FILL, LEAD, MINE }; /* calls of the choice; those before a turn; the turn */

/* What ranks add up. CHOICE, TRIED, CHECKED: the whole time of calls of the choice, of trials, and
 * of turns of the own call beside another choice; LED: of calls of the choice before such turns;
 * LEVEL: of the first calls of a block, each up to the cap; OWN, AGREED: the library's work; the
 * last agreement; START, ALL: the library's start; all collectives so far. Behind them two for each
 * turn: the choice's calls, and its own. */
enum { CHOICE, TRIED, CHECKED, LED, LEVEL, OWN, AGREED, START, ALL, N_SUMS };

/* Blocks with turns of the own call: sums of both sides, of their squares and of their product. */
struct pairs {
    double n, o, c, oo, oc, cc;
};

struct sure {
    double cost;
    int n; /* candidates; 0: not listed yet */
    int is_learnt;
    struct candidate *candidate;
    int choice, changes, agreements;

    /* the block */
    struct turn turn[TURNS];
    int n_turns, at; /* at: -1: before the first */
    enum phase phase;
    long left, fill; /* calls of the phase that are left; of FILL in all */
    double quiet; /* calls of a block in which no candidate is tried: doubled from block to block */
    int in_phase; /* calls of it that were made */
    int64_t sum[N_SUMS + 2 * TURNS];
    int64_t mean_ns;  /* of a call of the choice, on this rank; 0: not known */
    int is_agreement; /* the next own work is an agreement */

    /* what all ranks know: sums over them, ns */
    double calls, tried_calls, time, spent;
    double start_share;         /* the library's start to the time of all collectives */
    double spent_squares;       /* of what each block cost */
    double level_squares;       /* of the mean call of each block, times its calls */
    double scatter, scatter_n;  /* on this rank: of calls about their mean, as shares, squared */
    double level, level_before; /* of a call of the choice; before the last change of phase */
    int shifted;                /* blocks in a row that were far from that */
    double agree, prepare; /* what an agreement takes; and the first call of a candidate more */
    double variance, variance_turns; /* of all turns */
    double choice_ns, choice_calls;  /* of the choice since it is that */
    double local_ns;                 /* the same of this rank, since the last agreement */
    struct pairs pairs;              /* of this choice, from which what it saved is told */
    struct ratios checks;            /* of the choice's time to the own call's */
    double check_every, since_check;
    double before_ns;                  /* gained by choices, and in phases, before */
    double whole_ns;                   /* of the choice since it is that, in all phases */
    double saved_before, half2_before; /* as told, of choices that gave way */
    int unknown;                       /* of such a one too few checks are known */
    double since_search, search_calls; /* since all were tried anew; trials of that */
    double search_after;               /* so many calls, at least, for another phase */
    int procs;
};

/* ---- ratios ---- */

static void add(struct ratios *r, double ratio)
{
    const double before = ratio - r->mean;
    r->n++;
    r->mean += before / r->n;
    r->squares += before * (ratio - r->mean);
}

/* Of one turn: of all candidates, or of its own where that is larger and known. */
static double variance_of(const struct sure *s, const struct ratios *r)
{
    const double all = (VARIANCE * VARIANCE_TURNS + s->variance) /
                       (VARIANCE_TURNS + s->variance_turns),
                 own = r->n >= 4 ? r->squares / (r->n - 1) : 0;
    return own > all ? own : all;
}

static double error_of(const struct sure *s, const struct ratios *r)
{
    return r->n > 0 ? sqrt(variance_of(s, r) / r->n) : 1;
}

static void add_pair(struct pairs *p, double o, double c)
{
    if (o <= 0)
        return;
    p->n++;
    p->o += o, p->c += c, p->oo += o * o, p->oc += o * c, p->cc += c * c;
}

/* ---- the account ---- */

static int is_own(const struct sure *s)
{
    return s->choice == 0;
}

/* The choice's time to the own call's, as far as it is surely known. */
static double choice_ratio(const struct sure *s)
{
    const double mean = s->checks.mean, upper = mean + error_of(s, &s->checks);
    return is_own(s) || s->checks.n < LEAST_TURNS || (mean < 1 && upper > 1) ? 1
           : mean > 1                                                        ? mean
                                                                             : upper;
}

static double gained(const struct sure *s)
{
    return s->before_ns + s->choice_ns * (1 / choice_ratio(s) - 1);
}

/* What may still be spent on trials. */
static double allowance(const struct sure *s)
{
    const double gain = gained(s);
    return (s->cost - s->start_share) * s->time + (gain > 0 ? OF_GAIN * gain : gain) - s->spent;
}

/* What a call beyond the choice's own is expected to cost at most: of an unknown candidate's first
 * look, of another look, of a turn. */
static double worst_of(const struct sure *s, const struct candidate *c)
{
    const double prior = c->prior / choice_ratio(s);
    if (c->state == IN_TURNS)
        return (TURN + 1) * s->level *
               fmax(0, (c->turns.n > 0 ? c->turns.mean + error_of(s, &c->turns)
                                       : FIRST_TURN * c->least) -
                           1);
    if (c->looks)
        return fmax(0, FIRST_LOOK * c->least - 1) * s->level;
    return fmax(0.5, FIRST_LOOK * prior - 1) * s->level + (c->is_prepared ? 0 : s->prepare);
}

/* ---- the next block ---- */

static void add_turn(struct sure *s, int candidate)
{
    const int is_look = candidate && s->candidate[candidate].state != IN_TURNS;
    s->turn[s->n_turns++] = (struct turn){ candidate, is_look };
}

static double expected(const struct sure *s, int candidate)
{
    const struct candidate *c = &s->candidate[candidate];
    return c->state == IN_TURNS ? c->turns.mean : c->looks ? c->least : c->prior / choice_ratio(s);
}

static int is_open(const struct sure *s, int candidate)
{
    const struct candidate *c = &s->candidate[candidate];
    return candidate != s->choice && candidate > 0 && c->state != GIVEN_UP &&
           c->prior <= PRIOR_MOST;
}

static int any_open(const struct sure *s)
{
    int i = 1;
    while (i < s->n && !is_open(s, i))
        i++;
    return i < s->n;
}

/* Those that are open, the best by what is expected first. */
static int list_open(const struct sure *s, int *order)
{
    int n = 0;
    for (int i = 1; i < s->n; i++) {
        int at = n;
        if (!is_open(s, i))
            continue;
        for (; at > 0 && expected(s, order[at - 1]) > expected(s, i); at--)
            order[at] = order[at - 1];
        order[at] = i;
        n++;
    }
    return n;
}

static int calls_of(const struct turn *t)
{
    return t->is_look ? 1 : TURN + 1;
}

static double trial_calls(const struct sure *s)
{
    double n = 0;
    for (int i = 0; i < s->n_turns; i++)
        n += calls_of(&s->turn[i]);
    return n;
}

/* Of what was learnt one call in so many is a trial. */
static int is_full(const struct sure *s)
{
    return s->n_turns == TURNS ||
           (s->is_learnt && ONE_IN * (s->tried_calls + trial_calls(s) + TURN + 1) > s->calls);
}

static void plan_checks(struct sure *s)
{
    const double room = allowance(s), each = (TURN + 1) * (1 / choice_ratio(s) - 1) * s->level;
    const int is_new = s->checks.n < 2 * FIRST_CHECKS || s->shifted,
              wanted = is_new ? FIRST_CHECKS : s->since_check >= s->check_every;
    for (int i = 0; !is_own(s) && i < wanted && !is_full(s) && (i == 0 || each * (i + 1) <= room);
         i++)
        add_turn(s, 0);
    if (!s->n_turns || is_new)
        return;
    s->since_check = 0;
    s->check_every = fmin(CHECK_TO, 2 * s->check_every);
}

/* What it costs to list candidates, or to prepare the first: as many agreements. */
enum { LISTING = 20, PREPARING = 10 };

/* Turns of candidates, the best first, again and again, as long as all that they may cost fits into
 * what is left. Returns by how much the first that does not fit exceeds it; 0: all do. */
static double plan_turns(struct sure *s)
{
    int *order = memory_zeros((size_t)s->n + 1, sizeof *order);
    const int n = list_open(s, order);
    double left = allowance(s), lacks = 0;
    for (int pass = 0, more = n; more && pass < TURNS; pass++) {
        more = 0;
        for (int i = 0; i < n && !is_full(s); i++) {
            const struct candidate *c = &s->candidate[order[i]];
            const double worst = worst_of(s, c);
            if (pass > 0 && (c->state != IN_TURNS || (c->turns.n == 0 && pass == LEAST_TURNS)))
                continue;
            if (worst > left) {
                lacks = lacks > 0 ? fmin(lacks, worst - left) : worst - left;
                continue;
            }
            left -= worst;
            add_turn(s, order[i]);
            more = 1;
        }
    }
    free(order);
    return lacks;
}

/* A block earns four times what its agreement costs. A choice that were suddenly half as slow again
 * as the own call would then cost no more in it than is left. */
static void plan(struct sure *s)
{
    const double earns = s->cost * s->level,
                 least = fmax(LEAST_BLOCK, s->agree / (OF_BLOCK * earns));
    double lacks;
    s->n_turns = 0;
    plan_checks(s);
    const int checks = s->n_turns;
    lacks = !s->n               ? LISTING * s->agree - allowance(s)
            : allowance(s) <= 0 ? -allowance(s) + s->level
                                : plan_turns(s);
    s->quiet = s->n_turns > checks || s->agreements < 2
                   ? 0
                   : fmin(MOST_BLOCK, fmax(LEAST_BLOCK, 2 * s->quiet));
    double calls = lacks > 0 ? fmin(s->quiet, lacks / earns) : s->quiet;
    if (!is_own(s))
        calls = fmin(calls, 2 * allowance(s) / s->level);
    s->fill = s->left = (long)fmax(fmax(calls, LEAST_BLOCK), least - 2 * trial_calls(s));
    s->phase = FILL;
    s->at = -1;
    s->in_phase = 0;
    memset(s->sum, 0, sizeof s->sum);
}

/* ---- what follows from a block ---- */

static void know_variance(struct sure *s)
{
    s->variance = s->checks.n > 1 ? s->checks.squares : 0;
    s->variance_turns = s->checks.n > 1 ? s->checks.n - 1 : 0;
    for (int i = 1; i < s->n; i++) {
        const struct ratios *r = &s->candidate[i].turns;
        s->variance += r->n > 1 ? r->squares : 0;
        s->variance_turns += r->n > 1 ? r->n - 1 : 0;
    }
}

/* Student's t at 99.5 %, by Hill's expansion about the normal's 2.576 (1 % for n >= 4). */
static double quantile(double freedom)
{
    const double z = 2.5758293, z3 = z * z * z, z5 = z3 * z * z;
    return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom) +
           (3 * z5 * z * z + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom * freedom * freedom);
}

/* What the choice has saved in calls of so many ns, and the square of half the interval: the ratio
 * of the pairs' sums times these calls, and the variance of that (Cochran, 1977, 6.3). 0, or -1: of
 * too few pairs. */
static int choice_saved(const struct sure *s, double choice_ns, double *ns, double *half2)
{
    const struct pairs *p = &s->pairs;
    const double k = p->n, r = p->c > 0 ? p->o / p->c : 1;
    *ns = *half2 = 0;
    if (is_own(s) || choice_ns <= 0)
        return 0;
    if (k < STAR_PAIRS)
        return -1;
    const double squares = fmax(0, p->oo - 2 * r * p->oc + r * r * p->cc),
                 t = quantile(k - 1) * choice_ns * k / p->c;
    *ns = (r - 1) * choice_ns;
    *half2 = t * t * squares / (k - 1) / k;
    return 0;
}

/* Another choice, or the same in another phase: what is known of it by checks begins anew. */
static void begin_choice(struct sure *s, int candidate)
{
    double ns, half2;
    if (candidate != s->choice) {
        s->unknown |= choice_saved(s, s->whole_ns, &ns, &half2) < 0;
        s->saved_before += ns, s->half2_before += half2;
        s->pairs = (struct pairs){ .n = 0 };
        s->whole_ns = 0;
        s->changes++;
    }
    s->before_ns += s->choice_ns * (1 / choice_ratio(s) - 1);
    s->choice = candidate;
    s->choice_ns = s->choice_calls = 0;
    s->checks = (struct ratios){ .n = 0 };
    s->check_every = CHECK_FROM;
    s->since_check = 0;
}

/* All that are not far slower by what is known are tried once more. */
static void search_again(struct sure *s)
{
    s->since_search = s->search_calls = 0;
    for (int i = 1; i < s->n; i++) {
        struct candidate *c = &s->candidate[i];
        c->prior = c->ever > 0 ? c->ever : c->prior;
        if (i == s->choice)
            continue;
        c->state = UNSEEN;
        c->looks = 0;
        c->turns = (struct ratios){ .n = 0 };
    }
}

/* Calls take another time than before: the choice is checked anew, and all are tried once more;
 * each time after twice as many calls as the last time, at least. */
static void begin_other_phase(struct sure *s)
{
    begin_choice(s, s->choice);
    if (s->since_search < s->search_after)
        return;
    s->search_after = fmax(CHECK_TO, 2 * s->search_after);
    search_again(s);
}

/* A candidate's ratios are to the choice: from now on to the new one. */
static void take(struct sure *s, int candidate)
{
    const struct ratios to = s->candidate[candidate].turns;
    for (int i = 1; i < s->n; i++) {
        struct ratios *r = &s->candidate[i].turns;
        if (i == candidate || r->n == 0)
            continue;
        r->mean /= to.mean;
        r->squares /= to.mean * to.mean;
        r->squares *= to.n / (r->n + to.n);
        r->n *= to.n / (r->n + to.n);
    }
    if (s->choice > 0)
        s->candidate[s->choice].state = GIVEN_UP;
    begin_choice(s, candidate);
    s->level *= to.mean;
    s->level_before = 0;
}

static void judge_look(struct sure *s, struct candidate *c, double ratio)
{
    c->least = c->looks++ ? fmin(c->least, ratio) : ratio;
    c->ever = c->least * choice_ratio(s);
    c->is_prepared = 1;
    c->state = c->least > far_after[c->looks]               ? GIVEN_UP
               : c->looks == LOOKS || c->least <= 1 + SHIFT ? IN_TURNS
                                                            : LOOKED_AT;
}

static void judge_turns(struct sure *s, struct candidate *c)
{
    c->ever = c->turns.mean * choice_ratio(s);
    if (c->turns.mean - GIVE_UP * error_of(s, &c->turns) > 1 - GAIN_LEAST)
        c->state = GIVEN_UP;
}

/* What is surely faster, and the fastest of all; 0: nothing is. */
static int surely_faster(const struct sure *s)
{
    int best = 0;
    for (int i = 1; i < s->n; i++) {
        const struct candidate *c = &s->candidate[i];
        if (c->state == IN_TURNS && i != s->choice && c->turns.n >= LEAST_TURNS &&
            c->turns.mean + TAKE * error_of(s, &c->turns) < 1 - GAIN_LEAST &&
            (!best || c->turns.mean < s->candidate[best].turns.mean))
            best = i;
    }
    return best;
}

static void take_turn(struct sure *s, int i)
{
    const struct turn *t = &s->turn[i];
    struct candidate *c = &s->candidate[t->candidate];
    const double lead = (double)s->sum[N_SUMS + 2 * i], mine = (double)s->sum[N_SUMS + 2 * i + 1];
    c->calls += t->is_look ? 1 : TURN;
    if (t->is_look)
        judge_look(s, c, mine / s->level);
    else if (lead > 0 && mine > 0)
        add(t->candidate ? &c->turns : &s->checks, t->candidate ? mine / lead : lead / mine);
}

/* Far from what calls took, for two blocks: another phase. */
static int has_shifted(struct sure *s)
{
    if (s->level_before <= 0)
        s->level_before = s->level;
    const double ratio = s->level / s->level_before;
    s->shifted = ratio > 1 + SHIFT || ratio * (1 + SHIFT) < 1 ? s->shifted + 1 : 0;
    if (s->shifted < 2)
        return 0;
    s->shifted = 0;
    s->level_before = s->level;
    return 1;
}

/* What the library did itself was paid, and so were trials beyond the choice's time. */
static void settle(struct sure *s)
{
    const double turns = trial_calls(s), led = s->n_turns ? turns : 0,
                 calls = (double)s->fill + led;
    const double tried = (double)(s->sum[TRIED] + s->sum[CHECKED]), own = (double)s->sum[OWN],
                 agreed = (double)s->sum[AGREED], choice = (double)s->sum[CHOICE];
    const double excess = tried - turns * choice / calls;
    int news = 0;
    for (int i = 0; i < s->n_turns; i++)
        news += s->turn[i].candidate && !s->candidate[s->turn[i].candidate].is_prepared;
    if (news)
        s->prepare = fmax(own / news, s->prepare / 2);
    s->agree = fmax(agreed, s->agree / 2);
    s->level = (double)s->sum[LEVEL] / (double)s->fill;
    s->time += tried + choice;
    s->start_share = s->sum[ALL] > 0 ? (double)s->sum[START] / (double)s->sum[ALL] : 0;
    s->spent += excess + own + agreed;
    s->calls += calls + turns;
    s->tried_calls += turns;
    s->choice_ns += choice * (calls + turns) / calls;
    s->whole_ns += choice * (calls + turns) / calls;
    s->level_squares += (calls + turns) * s->level * s->level;
    s->spent_squares += (excess + own + agreed) * (excess + own + agreed);
    add_pair(&s->pairs, (double)s->sum[CHECKED], (double)s->sum[LED]);
    s->choice_calls += calls;
    s->local_ns = 0;
    s->since_check += calls;
    s->since_search += calls;
    s->search_calls += turns;
}

static void begin_block(struct sure *s)
{
    const double sure = allowance(s) < 0 ? 0 : GIVE_UP;
    if (s->choice && s->checks.n >= FIRST_CHECKS &&
        s->checks.mean - sure * error_of(s, &s->checks) > 1) {
        s->candidate[s->choice].ever = s->checks.n > 0 ? s->checks.mean : 1;
        s->candidate[s->choice].state = GIVEN_UP;
        begin_choice(s, 0);
        s->level_before = 0;
        search_again(s);
    }
    plan(s);
}

void sure_agreed(struct sure *s, int procs)
{
    s->agreements++;
    s->procs = procs;
    s->is_agreement = 1;
    settle(s);
    for (int i = 0; i < s->n_turns; i++)
        take_turn(s, i);
    know_variance(s);
    for (int i = 1; i < s->n; i++)
        if (s->candidate[i].state == IN_TURNS && i != s->choice && s->candidate[i].turns.n > 0)
            judge_turns(s, &s->candidate[i]);
    const int best = surely_faster(s);
    if (best)
        take(s, best);
    else if (has_shifted(s))
        begin_other_phase(s);
    else if (s->n && s->since_search > ONE_IN * s->search_calls && s->search_calls > 0 &&
             !any_open(s))
        search_again(s);
    begin_block(s);
}

/* ---- calls ---- */

struct sure *sure_new(double cost)
{
    struct sure *s = memory_zeros(1, sizeof *s);
    s->cost = cost;
    s->fill = s->left = (long)(2 / cost);
    s->at = -1;
    return s;
}

void sure_free(struct sure *s)
{
    if (s)
        memory_free(s->candidate, s);
}

int sure_wants(const struct sure *s)
{
    return !s->n && s->agreements > 1 && allowance(s) >= LISTING * s->agree;
}

/* What a step and a byte take, so that the cheapest candidate takes what the own call does: a step
 * as in an agreement. */
void sure_begin(struct sure *s, int n, const struct star_prior *prior)
{
    const double step = prior[0].steps > 0 ? s->agree / prior[0].steps : 0;
    double byte = 0, least = INFINITY;
    s->n = n;
    s->candidate = memory_zeros((size_t)n, sizeof *s->candidate);
    s->prepare = PREPARING * s->agree;
    for (int i = 1; i < n; i++)
        if (prior[i].bytes > 0)
            byte = fmax(byte, (s->level - prior[i].steps * step) / prior[i].bytes);
    for (int i = 1; i < n; i++) {
        s->candidate[i].prior = prior[i].steps * step + prior[i].bytes * byte;
        least = fmin(least, s->candidate[i].prior);
    }
    for (int i = 1; i < n; i++)
        s->candidate[i].prior = least > 0 ? s->candidate[i].prior / least : 1;
    plan(s);
}

int sure_is_trial(const struct sure *s)
{
    return s->phase == MINE;
}

int sure_next(const struct sure *s)
{
    return s->phase == MINE ? s->turn[s->at].candidate : s->choice;
}

static void record(struct sure *s, int64_t ns)
{
    const int64_t most = (int64_t)((double)s->mean_ns * CAP),
                  capped = most && ns > most ? most : ns;
    int64_t *of_turn = &s->sum[N_SUMS + 2 * (s->at < 0 ? 0 : s->at)];
    const int counts = s->phase == MINE && s->turn[s->at].is_look ? 1 : s->in_phase > 0;
    s->sum[s->phase != MINE ? CHOICE : s->turn[s->at].candidate ? TRIED : CHECKED] += ns;
    s->sum[LED] += s->phase == LEAD && !s->turn[s->at].candidate ? ns : 0;
    if (s->phase == FILL && s->mean_ns) {
        const double off = (double)ns / (double)s->mean_ns - 1;
        s->scatter += off * off;
        s->scatter_n++;
    }
    if (s->phase == FILL)
        s->sum[LEVEL] += capped;
    else if (counts)
        of_turn[s->phase == MINE] += capped;
    s->local_ns += s->phase != MINE && s->choice ? (double)ns : 0;
    s->in_phase++;
}

/* The phase that follows, of this turn or the next; 0: the block has ended. */
static int begin_phase(struct sure *s)
{
    s->in_phase = 0;
    if (s->phase != LEAD && ++s->at == s->n_turns)
        return 0;
    s->phase = s->phase == LEAD ? MINE : LEAD;
    s->left = calls_of(&s->turn[s->at]);
    return 1;
}

size_t sure_record(struct sure *s, int64_t ns, int64_t **values)
{
    record(s, ns);
    *values = s->sum;
    if (--s->left > 0 || begin_phase(s))
        return 0;
    s->mean_ns = s->sum[LEVEL] / s->fill;
    s->local_ns = 0;
    return (size_t)(N_SUMS + 2 * s->n_turns);
}

void sure_whole(struct sure *s, int64_t start_ns, int64_t all_ns)
{
    s->sum[START] = start_ns;
    s->sum[ALL] = all_ns;
}

void sure_own(struct sure *s, int64_t ns)
{
    s->sum[s->is_agreement ? AGREED : OWN] += ns;
    s->is_agreement = 0;
}

/* ---- what is known ---- */

double sure_seconds(const struct sure *s, int candidate, int *calls)
{
    const struct candidate *c = s->n ? &s->candidate[candidate] : NULL;
    if (calls)
        *calls = !c || candidate == s->choice ? (int)fmin(s->choice_calls, 1e9) : c->calls;
    if (!s->agreements)
        return -1;
    const double ratio = !is_own(s) && s->checks.n > 0 ? s->checks.mean : 1,
                 own = s->level / ratio * 1e-9 / s->procs;
    return candidate == s->choice ? s->level * 1e-9 / s->procs
           : !candidate           ? own
           : c->ever > 0          ? c->ever * own
                                  : -1;
}

int sure_choice(const struct sure *s)
{
    return s->choice;
}

enum star_word sure_saving(const struct sure *s, struct star_saving *out)
{
    double ns, half2;
    *out = (struct star_saving){ .pairs = (int)s->checks.n };
    if (s->agreements)
        out->spent_s = s->spent * 1e-9 / s->procs;
    if (!s->agreements || s->unknown ||
        choice_saved(s, s->whole_ns + s->local_ns * s->procs, &ns, &half2) < 0)
        return STAR_NOT_SETTLED;
    /* the plain program's calls are others: a call's own scatter, that of two sums of calls */
    const double scatter = s->scatter_n > 0 ? 2 * s->level_squares * s->scatter / s->scatter_n : 0;
    const double t = quantile(1000);
    out->saved_s = (ns + s->saved_before - s->spent) * 1e-9 / s->procs;
    out->half_s =
        sqrt(half2 + s->half2_before + t * t * (s->spent_squares + scatter)) * 1e-9 / s->procs;
    out->is_known = 1;
    return out->saved_s > out->half_s    ? STAR_GAINED
           : out->saved_s < -out->half_s ? STAR_LOST
                                         : STAR_NOT_SETTLED;
}

int sure_changes(const struct sure *s)
{
    return s->changes;
}

/* ---- from one run to the next ---- */

void sure_tell(const struct sure *s, int candidate, struct star_learnt *l)
{
    const struct candidate *c = &s->candidate[candidate];
    const struct ratios *r = candidate && candidate == s->choice ? &s->checks : &c->turns;
    *l = (struct star_learnt){ .is_choice = candidate == s->choice,
                               .state = c->state,
                               .looks = c->looks,
                               .ever = c->ever,
                               .least = c->least,
                               .n = r->n,
                               .mean = r->mean,
                               .squares = r->squares };
}

int sure_is_sound(const struct star_learnt *l)
{
    return l->state >= UNSEEN && l->state <= GIVEN_UP && l->looks >= 0 && l->looks <= LOOKS &&
           (l->is_choice == 0 || l->is_choice == 1) && (!(l->n > 0) || l->mean > 0) &&
           (!l->looks || l->least > 0);
}

void sure_learn(struct sure *s, int candidate, const struct star_learnt *l)
{
    struct candidate *c = &s->candidate[candidate];
    struct ratios r = { l->n, l->mean, l->squares };
    s->is_learnt = 1;
    c->state = (enum state)l->state;
    c->looks = l->looks;
    c->ever = l->ever;
    c->prior = l->ever > 0 ? l->ever : c->prior;
    c->least = l->least;
    c->turns = r;
    if (candidate && l->is_choice) {
        begin_choice(s, candidate);
        c->turns = (struct ratios){ .n = 0 };
        if (r.n > STAR_PAIRS)
            r = (struct ratios){ STAR_PAIRS, r.mean, r.squares / r.n * STAR_PAIRS };
        s->checks = r;
        s->level *= r.n > 0 ? r.mean : 1;
        s->level_before = 0;
        s->changes = 0;
    }
}
