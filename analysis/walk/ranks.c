/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c - messages that nobody waits for yet lie in the post (post.h). A rank that waits gets its
 * message handed over without it, which is the common case in trees.
 *
 * A rank in a round of many receives (an all-to-all) waits for all of them together: it is not run
 * again for each, which would make its round as often as it has receives. Its own sends wait, too,
 * until nothing else can go on: by then the others are in such rounds themselves and take each
 * message at once, so that of procs x procs messages none has to be kept. */
#include "analysis/walk/ranks.h"

/* ---- the walk ---- */

enum { WAITS_FOR_NOBODY = -1, WAITS_FOR_MANY = -2 };

/* Many receives: more than these, and for each at most so many ranks of whom is noted whether they
 * are waited for (a bit each). */
enum { FEW_RECEIVES = 8, RANKS_PER_RECEIVE = 256 };

static const uint64_t NO_STEP = UINT64_MAX;

struct rank_state {
    uint64_t round, rounds; /* the current round, of how many */
    uint32_t taken, wanted; /* receives of the current round: done, and in all */
    int waits_for;
    unsigned char begun, in_round, on_stack, unsent;
    int peer[FEW_RECEIVES]; /* whom the current round receives from, where they are few */
    uint64_t *awaited;      /* the set of ranks waited for in a round of many receives, or NULL */
};

struct walk {
    const struct schedule *s;
    const struct walk_model *model;
    const struct walk_steps *steps; /* NULL: none */
    struct rank_state *ranks;
    struct post post;
    struct round round;
    int *stack;
    size_t height;
    int *unsent; /* a ring: ranks whose sends wait until all is quiet, the first to be served first
                  */
    size_t first_unsent, n_unsent;
    uint64_t *parked; /* the step that a rank waits for, or NO_STEP; NULL: no steps */
    uint64_t now;     /* the step under way */
    uint64_t operations;
    struct kept_walk *notes; /* where what is done is noted; NULL: nowhere */
    size_t sending;          /* of the ops that are kept: the message that goes out */
    struct err *err;
};

/* ---- notes ---- */

static void note_rank(struct walk *w, enum kept_what what, int rank)
{
    if (w->notes)
        kept_note(w->notes, (struct kept_step){ .what = what,
                                                .rank = rank,
                                                .at = (uint32_t)kept_place_of(
                                                    w->s->kept, rank, w->ranks[rank].round) });
}

static void note_message(struct walk *w, enum kept_what what, int src, int place)
{
    if (w->notes)
        kept_note(w->notes,
                  (struct kept_step){
                      .what = what, .rank = src, .at = (uint32_t)w->sending, .place = place });
}

static void note_step(struct walk *w)
{
    if (w->notes)
        kept_note(w->notes, (struct kept_step){ .what = KEPT_STEP,
                                                .rank = (int)(w->now >> 32),
                                                .at = (uint32_t)w->now });
}

/* The message that goes out is received at once. */
static int pass(struct walk *w, const struct walk_message *m)
{
    note_message(w, KEPT_PASS, m->src, 0);
    return w->model->receive(w->model->state, m);
}

/* One that waited is received, and forgotten. */
static int receive_kept(struct walk *w, int message)
{
    note_message(w, KEPT_RECEIVE, 0, message);
    if (w->model->receive(w->model->state, post_message(&w->post, message)) < 0)
        return -1;
    post_drop(&w->post, message);
    return 0;
}

static void keep(struct walk *w, const struct walk_message *m)
{
    const int message = post_new(&w->post, m);
    note_message(w, KEPT_SEND, m->src, message);
    post_keep(&w->post, message);
}

static int end_round(struct walk *w, int rank)
{
    note_rank(w, KEPT_END, rank);
    if (w->model->end(w->model->state, rank) < 0)
        return -1;
    w->ranks[rank].in_round = 0;
    w->ranks[rank].round++;
    return 0;
}

/* ---- ranks ---- */

static void push(struct walk *w, int rank)
{
    if (w->ranks[rank].on_stack)
        return;
    w->ranks[rank].on_stack = 1;
    w->stack[w->height++] = rank;
}

/* ---- rounds of many receives ---- */

static uint64_t bit_of(int rank)
{
    return UINT64_C(1) << rank % 64;
}

static void stop_waiting(struct rank_state *r)
{
    free(r->awaited);
    r->awaited = NULL;
    r->waits_for = WAITS_FOR_NOBODY;
}

/* The message is one of many that its receiver waits for. */
static void take_one_of_many(struct walk *w, const struct walk_message *m)
{
    struct rank_state *dst = &w->ranks[m->dst];
    dst->awaited[m->src / 64] &= ~bit_of(m->src);
    if (++dst->taken == dst->wanted) {
        stop_waiting(dst);
        push(w, m->dst);
    }
}

/* Notes whom the round that was just made waits for. Not where it takes two messages of one rank:
 * these come one after the other. */
static void await_many(struct walk *w, int rank)
{
    struct rank_state *r = &w->ranks[rank];
    if (r->wanted <= FEW_RECEIVES || w->s->procs / RANKS_PER_RECEIVE > (int)r->wanted)
        return;
    r->awaited = memory_zeros((size_t)w->s->procs / 64 + 1, sizeof *r->awaited);
    r->waits_for = WAITS_FOR_MANY;
    for (size_t i = 0; i < w->round.n; i++) {
        if (w->round.ops[i].kind != OP_RECV)
            continue;
        uint64_t *set = &r->awaited[w->round.ops[i].peer / 64];
        const uint64_t bit = bit_of(w->round.ops[i].peer);
        if (*set & bit) {
            stop_waiting(r);
            return;
        }
        *set |= bit;
    }
}

/* Takes those of the many that are there already. */
static int take_what_is_there(struct walk *w, int rank)
{
    for (size_t i = 0; i < w->round.n && w->ranks[rank].awaited; i++) {
        if (w->round.ops[i].kind != OP_RECV)
            continue;
        const int message = post_take(&w->post, w->round.ops[i].peer, rank);
        if (!message)
            continue;
        take_one_of_many(w, post_message(&w->post, message));
        if (receive_kept(w, message) < 0)
            return -1;
    }
    return 0;
}

static void put_off(struct walk *w, int rank)
{
    const size_t procs = (size_t)w->s->procs;
    w->ranks[rank].unsent = 1;
    w->unsent[(w->first_unsent + w->n_unsent++) % procs] = rank;
}

/* ---- messages ---- */

static int deliver(struct walk *w, const struct walk_message *m)
{
    struct rank_state *dst = &w->ranks[m->dst];
    if (dst->waits_for == m->src) {
        dst->waits_for = WAITS_FOR_NOBODY;
        push(w, m->dst);
        dst->taken++;
        return pass(w, m);
    }
    if (dst->awaited && dst->awaited[m->src / 64] & bit_of(m->src)) {
        take_one_of_many(w, m);
        return pass(w, m);
    }
    if (!dst->begun)
        push(w, m->dst);
    keep(w, m);
    return 0;
}

/* The sends of the round that was just made go out. */
static int send_all(struct walk *w, int rank)
{
    struct walk_message m = { .src = rank };
    for (size_t i = 0; i < w->round.n; i++) {
        const struct op *op = &w->round.ops[i];
        if (op->kind != OP_SEND)
            continue;
        push(w, rank); /* below those that it wakes */
        m.dst = op->peer;
        m.bytes = op->bytes;
        w->sending = w->notes ? (size_t)(op - w->s->kept->ops) : 0;
        if (w->model->send(w->model->state, &m) < 0)
            return -1;
        if (deliver(w, &m) < 0)
            return -1;
    }
    return 0;
}

static int begin_round(struct walk *w, int rank)
{
    struct rank_state *r = &w->ranks[rank];
    r->in_round = 1;
    r->taken = r->wanted = 0;
    for (size_t i = 0; i < w->round.n; i++) {
        if (w->round.ops[i].kind != OP_RECV)
            continue;
        if (r->wanted < FEW_RECEIVES)
            r->peer[r->wanted] = w->round.ops[i].peer;
        r->wanted++;
    }
    w->operations += w->round.n;
    note_rank(w, KEPT_BEGIN, rank);
    if (w->model->begin(w->model->state, rank, &w->round) < 0)
        return -1;
    await_many(w, rank);
    if (!r->awaited)
        return send_all(w, rank);
    put_off(w, rank);
    return take_what_is_there(w, rank);
}

/* Takes the next receive of the round, or waits for it. */
static int take_receive(struct walk *w, int rank, int peer)
{
    struct rank_state *r = &w->ranks[rank];
    const int message = post_take(&w->post, peer, rank);
    if (!message) {
        r->waits_for = peer;
        return 0;
    }
    r->taken++;
    return receive_kept(w, message);
}

/* Takes the receives of the round that are there; the rank waits for the first that is not. Of many
 * the round was just made. */
static int take_receives(struct walk *w, int rank)
{
    struct rank_state *r = &w->ranks[rank];
    uint32_t nth = 0;
    int status = 0;
    while (r->wanted <= FEW_RECEIVES && r->taken < r->wanted && status == 0 &&
           r->waits_for == WAITS_FOR_NOBODY)
        status = take_receive(w, rank, r->peer[r->taken]);
    for (size_t i = 0; r->taken < r->wanted && status == 0 && r->waits_for == WAITS_FOR_NOBODY; i++)
        if (w->round.ops[i].kind == OP_RECV && nth++ >= r->taken)
            status = take_receive(w, rank, w->round.ops[i].peer);
    return status;
}

/* Where the walk goes in steps, a round whose sends are of a later one waits for it. */
static int must_wait(struct walk *w, int rank)
{
    size_t i = 0;
    if (!w->parked)
        return 0;
    while (i < w->round.n && w->round.ops[i].kind != OP_SEND)
        i++;
    if (i == w->round.n)
        return 0;
    const uint64_t step = w->steps->step(w->model->state, rank, &w->round);
    if (step <= w->now)
        return 0;
    w->parked[rank] = step;
    return 1;
}

/* Runs a rank until it waits, ends, or has sent something (then it is on the stack, below its
 * receivers). */
static int run(struct walk *w, int rank)
{
    struct rank_state *r = &w->ranks[rank];
    r->begun = 1;
    while (r->waits_for == WAITS_FOR_NOBODY && r->round < r->rounds && !r->on_stack && !r->unsent) {
        if (!r->in_round || r->taken < r->wanted) {
            if (!r->in_round || r->wanted > FEW_RECEIVES)
                schedule_round(w->s, rank, r->round, &w->round);
            if (!r->in_round && must_wait(w, rank))
                return 0;
            if (!r->in_round && begin_round(w, rank) < 0)
                return -1;
            if (r->waits_for == WAITS_FOR_NOBODY && take_receives(w, rank) < 0)
                return -1;
        }
        if (r->waits_for == WAITS_FOR_NOBODY && !r->unsent && end_round(w, rank) < 0)
            return -1;
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

/* The sends of a rank that put them off go out. */
static int send_late(struct walk *w, int rank)
{
    w->ranks[rank].unsent = 0;
    schedule_round(w->s, rank, w->ranks[rank].round, &w->round);
    push(w, rank);
    return send_all(w, rank);
}

/* All is quiet: the sends that were put off go out, one rank's after the other's. */
static int send_put_off(struct walk *w)
{
    while (w->n_unsent > 0) {
        const int rank = w->unsent[w->first_unsent];
        w->first_unsent = (w->first_unsent + 1) % (size_t)w->s->procs;
        w->n_unsent--;
        if (send_late(w, rank) < 0 || run_stack(w) < 0)
            return -1;
    }
    return 0;
}

static int waits_for(const struct rank_state *r)
{
    int i = 0;
    if (r->waits_for != WAITS_FOR_MANY)
        return r->waits_for;
    while (!r->awaited[i])
        i++;
    return 64 * i + __builtin_ctzll(r->awaited[i]);
}

/* Everything is quiet: either all ranks have ended and every message was received, or never. */
static int check_ended(const struct walk *w)
{
    for (int i = 0; i < w->s->procs; i++) {
        const struct rank_state *r = &w->ranks[i];
        if (r->waits_for != WAITS_FOR_NOBODY)
            return err_set(
                w->err, "%s never ends: rank %d waits in round %llu for a message from rank %d",
                schedule_called(w->s).text, i, (unsigned long long)r->round, waits_for(r));
    }
    if (w->post.kept > 0)
        return err_set(w->err, "%s: %zu messages are never received", schedule_called(w->s).text,
                       w->post.kept);
    return 0;
}

static void walk_begin(struct walk *w)
{
    size_t procs = (size_t)w->s->procs;
    w->ranks = memory_zeros(procs, sizeof *w->ranks);
    w->stack = memory_zeros(procs, sizeof *w->stack);
    w->unsent = memory_zeros(procs, sizeof *w->unsent);
    if (w->steps)
        w->parked = memory_zeros(procs, sizeof *w->parked);
    for (int i = 0; w->parked && i < w->s->procs; i++)
        w->parked[i] = NO_STEP;
    for (int i = 0; i < w->s->procs; i++) {
        w->ranks[i].rounds = schedule_rounds(w->s, i);
        w->ranks[i].waits_for = WAITS_FOR_NOBODY;
    }
}

/* The first of the steps that ranks wait for. */
static uint64_t next_step(const struct walk *w)
{
    uint64_t next = NO_STEP;
    for (int i = 0; i < w->s->procs; i++)
        next = w->parked[i] < next ? w->parked[i] : next;
    return next;
}

static int end_step(struct walk *w)
{
    note_step(w);
    return w->steps->end_step(w->model->state, w->now);
}

/* Step by step, until no rank waits for one. */
static int step_on(struct walk *w)
{
    for (uint64_t next; (next = next_step(w)) != NO_STEP;) {
        if (end_step(w) < 0)
            return -1;
        w->now = next;
        for (int i = 0; i < w->s->procs; i++) {
            if (w->parked[i] != next)
                continue;
            w->parked[i] = NO_STEP;
            if (run(w, i) < 0 || run_stack(w) < 0)
                return -1;
        }
        if (send_put_off(w) < 0)
            return -1;
    }
    return end_step(w);
}

static int walk_all(struct walk *w)
{
    walk_begin(w);
    for (int i = 0; i < w->s->procs; i++)
        if (!w->ranks[i].begun && (run(w, i) < 0 || run_stack(w) < 0))
            return -1;
    if (send_put_off(w) < 0 || (w->parked && step_on(w) < 0))
        return -1;
    return check_ended(w);
}

/* ---- a walk that was walked before ---- */

/* A message goes out. */
static int send_again(const struct kept *kept, const struct walk_model *model,
                      const struct kept_step *step, struct walk_message *m)
{
    const struct op *op = &kept->ops[step->at];
    *m = (struct walk_message){ .src = step->rank, .dst = op->peer, .bytes = op->bytes };
    return model->send(model->state, m);
}

static int step_again(const struct kept *kept, const struct walk_model *model,
                      const struct walk_steps *steps, const struct kept_step *step,
                      struct walk_message *waiting)
{
    struct round round = { 0 };
    struct walk_message m;
    switch (step->what) {
    case KEPT_BEGIN:
        kept_nth_round(kept, step->at, &round);
        return model->begin(model->state, step->rank, &round);
    case KEPT_END:
        return model->end(model->state, step->rank);
    case KEPT_PASS:
        return send_again(kept, model, step, &m) < 0 ? -1 : model->receive(model->state, &m);
    case KEPT_SEND:
        return send_again(kept, model, step, &waiting[step->place]);
    case KEPT_RECEIVE:
        return model->receive(model->state, &waiting[step->place]);
    case KEPT_STEP:
        return steps->end_step(model->state, (uint64_t)step->rank << 32 | step->at);
    }
    return -1;
}

/* As the notes say, which is quicker by far. */
static int walk_again(const struct kept *kept, const struct kept_walk *notes,
                      const struct walk_model *model, const struct walk_steps *steps,
                      uint64_t *operations)
{
    struct walk_message *waiting = memory_zeros((size_t)notes->places + 1, sizeof *waiting);
    int status = 0;
    for (size_t i = 0; i < notes->n && status == 0; i++)
        status = step_again(kept, model, steps, &notes->step[i], waiting);
    *operations = kept->n_ops;
    free(waiting);
    return status < 0 ? -1 : 0;
}

int ranks_walk_steps(const struct schedule *s, const struct walk_model *model,
                     const struct walk_steps *steps, uint64_t *operations, struct err *err)
{
    struct kept_walk *notes = !s->kept ? NULL : steps ? &s->kept->in_steps : &s->kept->any;
    struct walk w = { .s = s, .model = model, .steps = steps, .notes = notes, .err = err };
    if (notes && notes->walked)
        return walk_again(s->kept, notes, model, steps, operations);
    if (notes)
        notes->n = notes->places = 0;
    int status = walk_all(&w); /* so few receives (KEPT_MOST) go out at once, whatever the model */
    if (w.notes)
        w.notes->walked = status == 0;
    *operations = w.operations;
    for (int i = 0; i < s->procs; i++)
        free(w.ranks[i].awaited);
    memory_free(w.ranks, w.stack, w.unsent, w.parked);
    post_clear(&w.post);
    round_free(&w.round);
    return status;
}

int ranks_walk(const struct schedule *s, const struct walk_model *model, uint64_t *operations,
               struct err *err)
{
    return ranks_walk_steps(s, model, NULL, operations, err);
}
