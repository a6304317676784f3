/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_walk.c - the stages of all ranks on their way (ranks.h), and from stages to a profile. */
#include "analysis/walk/stage_walk.h"

#include "analysis/walk/ranks.h"

struct loads {
    struct stage_load *v;
    size_t n;
};

/* The stages of one phase. */
struct stages {
    struct loads *v; /* v[stage - 1] */
    size_t n;
};

/* Of as many sends and receives, the load that has more of everything decides. Neither gamma need
 * grow: each count is kept. */
static void loads_add(struct loads *loads, struct stage_load load)
{
    for (size_t i = 0; i < loads->n; i++) {
        struct stage_load *have = &loads->v[i];
        if (have->sends != load.sends || have->receives != load.receives)
            continue;
        if (have->bytes >= load.bytes && have->reduced >= load.reduced)
            return;
        if (have->bytes <= load.bytes && have->reduced <= load.reduced) {
            *have = load;
            return;
        }
    }
    *array_add(&loads->v, &loads->n) = load;
}

static struct loads *stages_at(struct stages *stages, uint64_t stage)
{
    if (stage > stages->n)
        array_more(&stages->v, &stages->n, stage - stages->n);
    return &stages->v[stage - 1];
}

static void stages_clear(struct stages *stages)
{
    for (uint64_t i = 0; i < stages->n; i++)
        free(stages->v[i].v);
    free(stages->v);
}

struct rank_stage {
    uint64_t send_stage, recv_stage; /* of the latest sends and receives, in this phase */
    uint64_t recv_bytes;             /* largest message received in recv_stage */
    uint32_t recv_count;             /* messages received in recv_stage */
    uint64_t reduced;                /* bytes combined of them */
    uint64_t reduces;                /* bytes that the current round combines at its end */
    int phase;
};

struct walk {
    const struct schedule *s;
    struct rank_stage *ranks;
    struct stages *phases;
    size_t n_phases;
    struct err *err;
};

static void add_load(struct walk *w, int phase, uint64_t stage, struct stage_load load)
{
    loads_add(stages_at(&w->phases[phase], stage), load);
}

/* The receives that a rank has gathered in one stage are complete: they load it. */
static void flush_receives(struct walk *w, struct rank_stage *r)
{
    if (r->recv_count == 0)
        return;
    struct stage_load load = { .receives = r->recv_count,
                               .bytes = r->recv_bytes,
                               .reduced = r->reduced };
    r->recv_count = 0;
    r->reduced = 0;
    r->recv_bytes = 0;
    add_load(w, r->phase, r->recv_stage, load);
}

static int receive(void *state, const struct walk_message *m)
{
    struct walk *w = state;
    struct rank_stage *r = &w->ranks[m->dst];
    if (m->stage.phase != r->phase)
        return err_set(w->err,
                       "%s: rank %d receives in phase %d what rank %d sent in phase %d (want the "
                       "same phase)",
                       schedule_called(w->s).text, m->dst, r->phase, m->src, m->stage.phase);
    if (m->stage.number > r->recv_stage) {
        flush_receives(w, r);
        r->recv_stage = m->stage.number;
    }
    r->recv_count++;
    if (m->bytes > r->recv_bytes)
        r->recv_bytes = m->bytes;
    return 0;
}

static int enter_phase(struct walk *w, int rank, int phase)
{
    struct rank_stage *r = &w->ranks[rank];
    if (phase < r->phase)
        return err_set(w->err, "%s: rank %d goes back from phase %d to phase %d",
                       schedule_called(w->s).text, rank, r->phase, phase);
    flush_receives(w, r);
    const size_t want = (size_t)phase + 1;
    if (want > w->n_phases)
        array_more(&w->phases, &w->n_phases, want - w->n_phases);
    r->phase = phase;
    r->send_stage = r->recv_stage = 0;
    return 0;
}

/* The round's sends are all in one stage. */
static int begin(void *state, int rank, const struct round *round)
{
    struct walk *w = state;
    struct rank_stage *r = &w->ranks[rank];
    struct stage_load load = { 0 };
    if (round->phase != r->phase && enter_phase(w, rank, round->phase) < 0)
        return -1;
    r->reduces = 0;
    for (size_t i = 0; i < round->n; i++) {
        if (round->ops[i].kind == OP_REDUCE)
            r->reduces += round->ops[i].bytes;
        if (round->ops[i].kind != OP_SEND)
            continue;
        load.sends++;
        if (round->ops[i].bytes > load.bytes)
            load.bytes = round->ops[i].bytes;
    }
    if (load.sends == 0)
        return 0;
    r->send_stage = 1 + (r->send_stage > r->recv_stage ? r->send_stage : r->recv_stage);
    add_load(w, r->phase, r->send_stage, load);
    return 0;
}

static int send(void *state, struct walk_message *m)
{
    const struct walk *w = state;
    m->stage.number = w->ranks[m->src].send_stage;
    m->stage.phase = w->ranks[m->src].phase;
    return 0;
}

static int end(void *state, int rank)
{
    const struct walk *w = state;
    struct rank_stage *r = &w->ranks[rank];
    if (r->recv_count > 0)
        r->reduced += r->reduces;
    return 0;
}

static int walk_begin(struct walk *w)
{
    for (int r = 0; r < w->s->procs; r++)
        if (schedule_rounds(w->s, r) > STAGE_MOST_ROUNDS)
            return err_set(w->err, "%s: rank %d has %llu rounds (want at most %d: longer segments)",
                           schedule_called(w->s).text, r,
                           (unsigned long long)schedule_rounds(w->s, r), STAGE_MOST_ROUNDS);
    w->ranks = memory_zeros((size_t)w->s->procs, sizeof *w->ranks);
    array_add(&w->phases, &w->n_phases);
    return 0;
}

static int by_counts(const void *a, const void *b)
{
    const struct stage_load *x = a, *y = b;
    return by_keys(ascending(x->sends, y->sends), ascending(x->receives, y->receives));
}

static int same_loads(const struct stage_profile *p, const struct loads *loads)
{
    if (p->n_runs == 0 || p->runs[p->n_runs - 1].count != loads->n)
        return 0;
    const struct stage_load *last = p->loads + p->runs[p->n_runs - 1].first;
    return !any_below(
        i, loads->n,
        last[i].sends != loads->v[i].sends || last[i].receives != loads->v[i].receives ||
            last[i].bytes != loads->v[i].bytes || last[i].reduced != loads->v[i].reduced);
}

static void profile_append(struct stage_profile *p, struct loads *loads)
{
    if (loads->n == 0)
        return; /* a receive was moved past this stage */
    qsort(loads->v, loads->n, sizeof *loads->v, by_counts);
    p->stages++;
    if (same_loads(p, loads)) {
        p->runs[p->n_runs - 1].stages++;
        return;
    }
    *array_add(&p->runs, &p->n_runs) = (struct stage_run){ 1, p->n_loads, loads->n };
    struct stage_load *v = array_more(&p->loads, &p->n_loads, loads->n);
    memcpy(v, loads->v, loads->n * sizeof *v);
}

static void make_profile(struct walk *w, struct stage_profile *profile)
{
    for (size_t i = 0; i < w->n_phases; i++)
        for (uint64_t stage = 0; stage < w->phases[i].n; stage++)
            profile_append(profile, &w->phases[i].v[stage]);
}

static int walk_all(struct walk *w, struct stage_profile *profile)
{
    const struct walk_model model = { w, begin, send, receive, end };
    if (walk_begin(w) < 0 || ranks_walk(w->s, &model, &profile->operations, w->err) < 0)
        return -1;
    for (int i = 0; i < w->s->procs; i++)
        flush_receives(w, &w->ranks[i]);
    make_profile(w, profile);
    return 0;
}

int stage_walk(const struct schedule *s, struct stage_profile *profile, struct err *err)
{
    struct walk w = { .s = s, .err = err };
    *profile = (struct stage_profile){ 0 };
    int status = walk_all(&w, profile);
    for (size_t i = 0; i < w.n_phases; i++)
        stages_clear(&w.phases[i]);
    memory_free(w.phases, w.ranks);
    if (status < 0)
        stage_profile_clear(profile);
    return status;
}

/* How many point-to-point transfers a load counts as. */
static double load_factor(const struct stage_load *load, const struct gamma *gamma)
{
    double out = load->sends ? gamma_value(gamma, (int)load->sends + 1) : 0;
    double in = gamma_receives(gamma, (int)load->receives);
    return out > in ? out : in;
}

/* Of two loads that cost the same: is the first at least as heavy in each, and heavier in some? */
static int exceeds(const struct stage_load *load, double f, const struct stage_load *best,
                   double best_f)
{
    double b = f * (double)load->bytes, best_b = best_f * (double)best->bytes;
    return f >= best_f && b >= best_b &&
           (f > best_f || b > best_b || load->reduced > best->reduced);
}

/* The load of a run that costs most; *linear is cleared unless it does so for all alpha, beta. */
static const struct stage_load *dominant(const struct stage_profile *p, const struct stage_run *run,
                                         const struct gamma *gamma, double alpha, double beta,
                                         double *factor, int *linear)
{
    const struct stage_load *best = NULL;
    double worst = -1, most_a = 0, most_b = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct stage_load *load = &p->loads[run->first + i];
        double f = load_factor(load, gamma), b = f * (double)load->bytes;
        double cost = f * alpha + b * beta;
        most_a = f > most_a ? f : most_a;
        most_b = b > most_b ? b : most_b;
        if (cost > worst || (cost == worst && exceeds(load, f, best, *factor))) {
            worst = cost;
            best = load;
            *factor = f;
        }
    }
    if (*factor < most_a || *factor * (double)best->bytes < most_b)
        *linear = 0;
    return best;
}

int stage_coefficients(const struct stage_profile *profile, const struct gamma *gamma, double alpha,
                       double beta, double *a, double *b)
{
    int linear = 1;
    *a = *b = 0;
    for (size_t i = 0; i < profile->n_runs; i++) {
        double factor = 0, stages = (double)profile->runs[i].stages;
        const struct stage_load *load =
            dominant(profile, &profile->runs[i], gamma, alpha, beta, &factor, &linear);
        *a += stages * factor;
        *b += stages * factor * (double)load->bytes;
    }
    return linear;
}

double stage_time(const struct stage_profile *profile, const struct gamma *gamma, double alpha,
                  double beta)
{
    double a, b;
    stage_coefficients(profile, gamma, alpha, beta, &a, &b);
    return a * alpha + b * beta;
}

double stage_reduced(const struct stage_profile *profile, const struct gamma *gamma, double alpha,
                     double beta)
{
    double bytes = 0;
    for (size_t i = 0; i < profile->n_runs; i++) {
        double factor = 0;
        int linear = 1;
        const struct stage_load *load =
            dominant(profile, &profile->runs[i], gamma, alpha, beta, &factor, &linear);
        bytes += (double)profile->runs[i].stages * (double)load->reduced;
    }
    return bytes;
}

CLEARS(stage_profile_clear, stage_profile, it->runs, it->loads)
