/* SPDX-License-Identifier: BSD-3-Clause */
/* stage.c - how the walk works.
 *
 * Every rank is a coroutine: it starts a round (its sends get their stage and go out), takes the
 * round's receives, and steps on, or waits for a message. A rank that sends lets the receivers that
 * it woke run first, so that few messages are ever under way; those that nobody waits for yet lie
 * in a hash table. A rank that waits gets its message handed over without touching the table, which
 * is the common case in trees. */
#include "analysis/walk/stage.h"

#include <stdlib.h>
#include <string.h>

/* ---- the loads of each stage ---- */

struct loads {
    struct stage_load *v;
    uint32_t n, cap;
};

/* The stages of one phase. */
struct stages {
    struct loads *v; /* v[stage - 1] */
    uint64_t n, cap;
};

static int loads_append(struct loads *loads, struct stage_load load)
{
    if (loads->n == loads->cap) {
        uint32_t cap = loads->cap ? 2 * loads->cap : 2;
        struct stage_load *v = realloc(loads->v, cap * sizeof *v);
        if (!v)
            return -1;
        loads->v = v;
        loads->cap = cap;
    }
    loads->v[loads->n++] = load;
    return 0;
}

/* Receives cost in proportion to their count, so a load below another one never decides. Sends cost
 * gamma, which need not grow: each count is kept. */
static int loads_add(struct loads *loads, struct stage_load load)
{
    for (uint32_t i = 0; i < loads->n; i++) {
        struct stage_load *have = &loads->v[i];
        if (have->sends != load.sends)
            continue;
        if (have->receives >= load.receives && have->bytes >= load.bytes)
            return 0;
        if (have->receives <= load.receives && have->bytes <= load.bytes) {
            *have = load;
            return 0;
        }
    }
    return loads_append(loads, load);
}

static struct loads *stages_at(struct stages *stages, uint64_t stage)
{
    if (stage > stages->cap) {
        uint64_t cap = stages->cap ? 2 * stages->cap : 64;
        while (cap < stage)
            cap *= 2;
        struct loads *v = realloc(stages->v, cap * sizeof *v);
        if (!v)
            return NULL;
        memset(v + stages->cap, 0, (cap - stages->cap) * sizeof *v);
        stages->v = v;
        stages->cap = cap;
    }
    if (stage > stages->n)
        stages->n = stage;
    return &stages->v[stage - 1];
}

static void stages_clear(struct stages *stages)
{
    for (uint64_t i = 0; i < stages->n; i++)
        free(stages->v[i].v);
    free(stages->v);
}

/* ---- messages that were sent before their receiver waits for them ---- */

struct message {
    uint64_t stage, bytes;
    size_t next; /* in its bucket or among the free ones; NONE at the end */
    int src, dst, phase;
};

static const size_t NONE = SIZE_MAX;

struct bucket {
    size_t first, last;
};

struct post {
    struct message *pool;
    size_t used, cap, vacant, count;
    struct bucket *buckets;
    size_t n_buckets; /* a power of two */
};

static struct bucket *post_bucket(const struct post *post, int src, int dst)
{
    uint64_t key = ((uint64_t)(uint32_t)src << 32 | (uint32_t)dst) * UINT64_C(0x9e3779b97f4a7c15);
    return &post->buckets[key >> 32 & (post->n_buckets - 1)];
}

static void bucket_append(struct post *post, size_t i)
{
    struct bucket *b = post_bucket(post, post->pool[i].src, post->pool[i].dst);
    post->pool[i].next = NONE;
    if (b->first == NONE)
        b->first = i;
    else
        post->pool[b->last].next = i;
    b->last = i;
}

/* Doubles the buckets; messages of a pair stay in order, because each old bucket is moved in order.
 */
static int post_grow(struct post *post)
{
    size_t old_n = post->n_buckets, n = old_n ? 2 * old_n : 64;
    struct bucket *old = post->buckets, *buckets = malloc(n * sizeof *buckets);
    if (!buckets)
        return -1;
    for (size_t i = 0; i < n; i++)
        buckets[i] = (struct bucket){ NONE, NONE };
    post->buckets = buckets;
    post->n_buckets = n;
    for (size_t b = 0; b < old_n; b++)
        for (size_t i = old[b].first, next; i != NONE; i = next) {
            next = post->pool[i].next;
            bucket_append(post, i);
        }
    free(old);
    return 0;
}

static size_t post_slot(struct post *post)
{
    if (post->vacant != NONE) {
        size_t i = post->vacant;
        post->vacant = post->pool[i].next;
        return i;
    }
    if (post->used == post->cap) {
        size_t cap = post->cap ? 2 * post->cap : 64;
        struct message *pool = realloc(post->pool, cap * sizeof *pool);
        if (!pool)
            return NONE;
        post->pool = pool;
        post->cap = cap;
    }
    return post->used++;
}

static int post_put(struct post *post, const struct message *message)
{
    if (post->count >= post->n_buckets && post_grow(post) < 0)
        return -1;
    size_t i = post_slot(post);
    if (i == NONE)
        return -1;
    post->pool[i] = *message;
    bucket_append(post, i);
    post->count++;
    return 0;
}

/* Takes the oldest message of a pair; 1 when there was one. */
static int post_take(struct post *post, int src, int dst, struct message *message)
{
    if (post->count == 0)
        return 0;
    struct bucket *b = post_bucket(post, src, dst);
    size_t before = NONE;
    for (size_t i = b->first; i != NONE; before = i, i = post->pool[i].next) {
        struct message *m = &post->pool[i];
        if (m->src != src || m->dst != dst)
            continue;
        *message = *m;
        if (before == NONE)
            b->first = m->next;
        else
            post->pool[before].next = m->next;
        if (b->last == i)
            b->last = before;
        m->next = post->vacant;
        post->vacant = i;
        post->count--;
        return 1;
    }
    return 0;
}

/* ---- the walk ---- */

enum { WAITS_FOR_NOBODY = -1 };

struct rank_state {
    uint64_t round, rounds;          /* the current round, of how many */
    uint64_t send_stage, recv_stage; /* of the latest sends and receives, in this phase */
    uint64_t recv_bytes;             /* largest message received in recv_stage */
    uint32_t recv_count;             /* messages received in recv_stage */
    uint32_t taken, wanted;          /* receives of the current round: done, and in all */
    int waits_for, phase;
    unsigned char begun, in_round, on_stack;
};

struct walk {
    const struct schedule *s;
    struct rank_state *ranks;
    struct post post;
    struct round round;
    struct stages *phases;
    int n_phases;
    int *stack;
    size_t height;
    uint64_t operations;
    struct err *err;
};

static int out_of_memory(const struct walk *w)
{
    return err_set(w->err, "out of memory while walking %s among %d processes", w->s->alg->name,
                   w->s->procs);
}

static int add_load(struct walk *w, int phase, uint64_t stage, struct stage_load load)
{
    struct loads *loads = stages_at(&w->phases[phase], stage);
    return loads && loads_add(loads, load) == 0 ? 0 : out_of_memory(w);
}

/* The receives that a rank has gathered in one stage are complete: they load it. */
static int flush_receives(struct walk *w, struct rank_state *r)
{
    if (r->recv_count == 0)
        return 0;
    struct stage_load load = { .receives = r->recv_count, .bytes = r->recv_bytes };
    r->recv_count = 0;
    r->recv_bytes = 0;
    return add_load(w, r->phase, r->recv_stage, load);
}

static int receive(struct walk *w, struct rank_state *r, const struct message *m)
{
    if (m->phase != r->phase)
        return err_set(w->err,
                       "%s: rank %d receives in phase %d what rank %d sent in phase %d (want the "
                       "same phase)",
                       w->s->alg->name, m->dst, r->phase, m->src, m->phase);
    if (m->stage > r->recv_stage) {
        if (flush_receives(w, r) < 0)
            return -1;
        r->recv_stage = m->stage;
    }
    r->recv_count++;
    if (m->bytes > r->recv_bytes)
        r->recv_bytes = m->bytes;
    r->taken++;
    return 0;
}

static void push(struct walk *w, int rank)
{
    if (w->ranks[rank].on_stack)
        return;
    w->ranks[rank].on_stack = 1;
    w->stack[w->height++] = rank;
}

static int deliver(struct walk *w, const struct message *m)
{
    struct rank_state *dst = &w->ranks[m->dst];
    if (dst->waits_for == m->src) {
        dst->waits_for = WAITS_FOR_NOBODY;
        push(w, m->dst);
        return receive(w, dst, m);
    }
    if (!dst->begun)
        push(w, m->dst);
    return post_put(&w->post, m) < 0 ? out_of_memory(w) : 0;
}

static int enter_phase(struct walk *w, int rank, int phase)
{
    struct rank_state *r = &w->ranks[rank];
    if (phase < r->phase)
        return err_set(w->err, "%s: rank %d goes back from phase %d to phase %d", w->s->alg->name,
                       rank, r->phase, phase);
    if (flush_receives(w, r) < 0)
        return -1;
    if (phase >= w->n_phases) {
        size_t n = (size_t)phase + 1;
        struct stages *phases = realloc(w->phases, n * sizeof *phases);
        if (!phases)
            return out_of_memory(w);
        memset(phases + w->n_phases, 0, (n - (size_t)w->n_phases) * sizeof *phases);
        w->phases = phases;
        w->n_phases = phase + 1;
    }
    r->phase = phase;
    r->send_stage = r->recv_stage = 0;
    return 0;
}

/* Sends of the round that was just made go out, all in one stage. */
static int send_all(struct walk *w, int rank)
{
    struct rank_state *r = &w->ranks[rank];
    struct stage_load load = { 0 };
    uint64_t latest = r->send_stage > r->recv_stage ? r->send_stage : r->recv_stage;
    struct message m = { .stage = latest + 1, .src = rank, .phase = r->phase };

    for (size_t i = 0; i < w->round.n; i++) {
        const struct op *op = &w->round.ops[i];
        if (op->kind != OP_SEND)
            continue;
        if (load.sends++ == 0)
            push(w, rank); /* below those that it wakes */
        if (op->bytes > load.bytes)
            load.bytes = op->bytes;
        m.dst = op->peer;
        m.bytes = op->bytes;
        if (deliver(w, &m) < 0)
            return -1;
    }
    if (load.sends == 0)
        return 0;
    r->send_stage = m.stage;
    return add_load(w, r->phase, m.stage, load);
}

static int begin_round(struct walk *w, int rank)
{
    struct rank_state *r = &w->ranks[rank];
    if (w->round.phase != r->phase && enter_phase(w, rank, w->round.phase) < 0)
        return -1;
    r->in_round = 1;
    r->taken = r->wanted = 0;
    for (size_t i = 0; i < w->round.n; i++)
        r->wanted += w->round.ops[i].kind == OP_RECV;
    w->operations += w->round.n;
    return send_all(w, rank);
}

/* Takes the receives of the round that are there; the rank waits for the first that is not. */
static int take_receives(struct walk *w, int rank)
{
    struct rank_state *r = &w->ranks[rank];
    uint32_t nth = 0;
    for (size_t i = 0; i < w->round.n && r->taken < r->wanted; i++) {
        struct message m;
        if (w->round.ops[i].kind != OP_RECV || nth++ < r->taken)
            continue;
        if (!post_take(&w->post, w->round.ops[i].peer, rank, &m)) {
            r->waits_for = w->round.ops[i].peer;
            return 0;
        }
        if (receive(w, r, &m) < 0)
            return -1;
    }
    return 0;
}

/* Runs a rank until it waits, ends, or has sent something (then it is on the stack, below its
 * receivers). */
static int run(struct walk *w, int rank)
{
    struct rank_state *r = &w->ranks[rank];
    r->begun = 1;
    while (r->waits_for == WAITS_FOR_NOBODY && r->round < r->rounds && !r->on_stack) {
        if (!r->in_round || r->taken < r->wanted) {
            if (schedule_round(w->s, rank, r->round, &w->round) < 0)
                return out_of_memory(w);
            if (!r->in_round && begin_round(w, rank) < 0)
                return -1;
            if (take_receives(w, rank) < 0)
                return -1;
        }
        if (r->waits_for == WAITS_FOR_NOBODY) {
            r->in_round = 0;
            r->round++;
        }
    }
    return 0;
}

static int run_stack(struct walk *w)
{
    while (w->height > 0) {
        int rank = w->stack[--w->height];
        w->ranks[rank].on_stack = 0;
        if (run(w, rank) < 0)
            return -1;
    }
    return 0;
}

/* Everything is quiet: either all ranks have ended and every message was received, or never. */
static int check_ended(struct walk *w)
{
    for (int i = 0; i < w->s->procs; i++) {
        struct rank_state *r = &w->ranks[i];
        if (r->waits_for != WAITS_FOR_NOBODY)
            return err_set(w->err,
                           "%s never ends: rank %d waits in round %llu for a message from rank %d",
                           w->s->alg->name, i, (unsigned long long)r->round, r->waits_for);
        if (flush_receives(w, r) < 0)
            return -1;
    }
    if (w->post.count > 0)
        return err_set(w->err, "%s: %zu messages are never received", w->s->alg->name,
                       w->post.count);
    return 0;
}

static int walk_begin(struct walk *w)
{
    size_t procs = (size_t)w->s->procs;
    w->post.vacant = NONE;
    w->ranks = calloc(procs, sizeof *w->ranks);
    w->stack = malloc(procs * sizeof *w->stack);
    w->phases = calloc(1, sizeof *w->phases);
    w->n_phases = 1;
    if (!w->ranks || !w->stack || !w->phases)
        return out_of_memory(w);
    for (int i = 0; i < w->s->procs; i++) {
        w->ranks[i].rounds = schedule_rounds(w->s, i);
        w->ranks[i].waits_for = WAITS_FOR_NOBODY;
    }
    return 0;
}

static void walk_end(struct walk *w)
{
    for (int i = 0; w->phases && i < w->n_phases; i++)
        stages_clear(&w->phases[i]);
    free(w->phases);
    free(w->ranks);
    free(w->stack);
    free(w->post.pool);
    free(w->post.buckets);
    round_free(&w->round);
}

/* ---- from stages to a profile ---- */

static int by_counts(const void *a, const void *b)
{
    const struct stage_load *x = a, *y = b;
    if (x->sends != y->sends)
        return x->sends < y->sends ? -1 : 1;
    return (x->receives > y->receives) - (x->receives < y->receives);
}

static int same_loads(const struct stage_profile *p, const struct loads *loads)
{
    if (p->n_runs == 0 || p->runs[p->n_runs - 1].count != loads->n)
        return 0;
    const struct stage_load *last = p->loads + p->runs[p->n_runs - 1].first;
    for (uint32_t i = 0; i < loads->n; i++)
        if (last[i].sends != loads->v[i].sends || last[i].receives != loads->v[i].receives ||
            last[i].bytes != loads->v[i].bytes)
            return 0;
    return 1;
}

static size_t grown(size_t cap, size_t need)
{
    cap = cap ? cap : 16;
    while (cap < need)
        cap *= 2;
    return cap;
}

struct capacity {
    size_t runs, loads;
};

static int profile_append(struct stage_profile *p, struct capacity *cap, struct loads *loads)
{
    if (loads->n == 0)
        return 0; /* a receive was moved past this stage */
    qsort(loads->v, loads->n, sizeof *loads->v, by_counts);
    p->stages++;
    if (same_loads(p, loads)) {
        p->runs[p->n_runs - 1].stages++;
        return 0;
    }
    if (p->n_runs == cap->runs) {
        cap->runs = grown(cap->runs, p->n_runs + 1);
        struct stage_run *runs = realloc(p->runs, cap->runs * sizeof *runs);
        if (!runs)
            return -1;
        p->runs = runs;
    }
    if (p->n_loads + loads->n > cap->loads) {
        cap->loads = grown(cap->loads, p->n_loads + loads->n);
        struct stage_load *v = realloc(p->loads, cap->loads * sizeof *v);
        if (!v)
            return -1;
        p->loads = v;
    }
    p->runs[p->n_runs++] = (struct stage_run){ 1, p->n_loads, loads->n };
    memcpy(p->loads + p->n_loads, loads->v, loads->n * sizeof *loads->v);
    p->n_loads += loads->n;
    return 0;
}

static int make_profile(struct walk *w, struct stage_profile *profile)
{
    struct capacity cap = { 0 };
    profile->operations = w->operations;
    for (int i = 0; i < w->n_phases; i++)
        for (uint64_t stage = 0; stage < w->phases[i].n; stage++)
            if (profile_append(profile, &cap, &w->phases[i].v[stage]) < 0)
                return out_of_memory(w);
    return 0;
}

static int walk_all(struct walk *w, struct stage_profile *profile)
{
    if (walk_begin(w) < 0)
        return -1;
    for (int i = 0; i < w->s->procs; i++)
        if (!w->ranks[i].begun && (run(w, i) < 0 || run_stack(w) < 0))
            return -1;
    return check_ended(w) < 0 ? -1 : make_profile(w, profile);
}

int stage_walk(const struct schedule *s, struct stage_profile *profile, struct err *err)
{
    struct walk w = { .s = s, .err = err };
    *profile = (struct stage_profile){ 0 };
    int status = walk_all(&w, profile);
    walk_end(&w);
    if (status < 0)
        stage_profile_clear(profile);
    return status;
}

/* ---- evaluation ---- */

/* How many point-to-point transfers a load counts as. */
static double load_factor(const struct stage_load *load, const struct gamma *gamma)
{
    double out = load->sends ? gamma_value(gamma, (int)load->sends + 1) : 0;
    double in = load->receives;
    return out > in ? out : in;
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
        if (cost > worst || (cost == worst && f >= *factor && b >= *factor * (double)best->bytes)) {
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

void stage_profile_clear(struct stage_profile *profile)
{
    free(profile->runs);
    free(profile->loads);
    *profile = (struct stage_profile){ 0 };
}
