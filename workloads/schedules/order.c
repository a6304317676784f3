/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/order.h"

enum { MOST_PROCS = 32, EVEN_PROCS = 24, ODD_PROCS = 31 };

/* The digest of a tree of two, whichever is on the left; that of a leaf is made of its rank. */
static uint64_t joined(uint64_t a, uint64_t b)
{
    return blocks_mix(blocks_mix(a + 1) + blocks_mix(b + 1));
}

/* What is under way between two ranks, in order. */
struct line {
    uint64_t *value;
    size_t n, taken, room;
};

struct world {
    const struct schedule *s;
    uint64_t *mem[MOST_PROCS][N_BUFFERS]; /* a tree for each element */
    struct line line[MOST_PROCS][MOST_PROCS];
    uint64_t round[MOST_PROCS];
    int sent[MOST_PROCS]; /* of the round at hand */
};

static void open_world(struct world *w, const struct schedule *s)
{
    *w = (struct world){ .s = s };
    for (int r = 0; r < s->procs; r++)
        for (enum op_buffer b = 0; b < N_BUFFERS; b++) {
            const uint64_t n = schedule_buffer_bytes(s, b, r);
            w->mem[r][b] = memory_zeros(n, sizeof(uint64_t));
            for (uint64_t i = 0; i < n && b == BUF_SEND; i++)
                w->mem[r][b][i] = blocks_mix((uint64_t)r + 1);
        }
}

static void close_world(struct world *w)
{
    for (int r = 0; r < w->s->procs; r++) {
        for (enum op_buffer b = 0; b < N_BUFFERS; b++)
            free(w->mem[r][b]);
        for (int to = 0; to < w->s->procs; to++)
            free(w->line[r][to].value);
    }
}

static void send(struct line *line, const uint64_t *value, size_t n)
{
    if (line->n + n > line->room) {
        line->room = 2 * (line->n + n);
        line->value = memory_resize(line->value, line->room, sizeof *value);
    }
    if (n)
        memcpy(line->value + line->n, value, n * sizeof *value);
    line->n += n;
}

static void send_all(struct world *w, int rank, const struct round *round)
{
    for (size_t i = 0; i < round->n; i++) {
        const struct op *op = &round->ops[i];
        if (op->kind == OP_SEND)
            send(&w->line[rank][op->peer], w->mem[rank][op->buf] + op->offset, op->bytes);
    }
}

/* All that the round waits for is there. */
static int has_come(const struct world *w, int rank, const struct round *round)
{
    uint64_t wanted[MOST_PROCS] = { 0 };
    for (size_t i = 0; i < round->n; i++)
        if (round->ops[i].kind == OP_RECV)
            wanted[round->ops[i].peer] += round->ops[i].bytes;
    for (int r = 0; r < w->s->procs; r++)
        if (w->line[r][rank].n - w->line[r][rank].taken < wanted[r])
            return 0;
    return 1;
}

static void finish_round(struct world *w, int rank, const struct round *round)
{
    for (size_t i = 0; i < round->n; i++) {
        const struct op *op = &round->ops[i];
        struct line *line = &w->line[op->kind == OP_RECV ? op->peer : 0][rank];
        if (op->kind != OP_RECV || !op->bytes)
            continue;
        memcpy(w->mem[rank][op->buf] + op->offset, line->value + line->taken,
               op->bytes * sizeof(uint64_t));
        line->taken += op->bytes;
    }
    for (size_t i = 0; i < round->n; i++) {
        const struct op *op = &round->ops[i];
        if ((op->kind != OP_COPY && op->kind != OP_REDUCE) || !op->bytes)
            continue;
        uint64_t *to = w->mem[rank][op->buf] + op->offset;
        const uint64_t *from = w->mem[rank][op->src_buf] + op->src_offset;
        if (op->kind == OP_COPY)
            memmove(to, from, op->bytes * sizeof *to);
        for (uint64_t k = 0; k < op->bytes && op->kind == OP_REDUCE; k++)
            to[k] = joined(from[k], to[k]);
    }
}

/* 1 when the rank got further. */
static int step(struct world *w, int rank, struct round *round)
{
    if (w->round[rank] >= schedule_rounds(w->s, rank))
        return 0;
    schedule_round(w->s, rank, w->round[rank], round);
    const int first = !w->sent[rank];
    if (first)
        send_all(w, rank, round);
    w->sent[rank] = 1;
    if (!has_come(w, rank, round))
        return first;
    finish_round(w, rank, round);
    w->round[rank]++;
    w->sent[rank] = 0;
    return 1;
}

/* 1 where all ranks get the same result, and two of them combine an element in different trees. */
static int ranks_differ(const struct world *w)
{
    const struct collective *c = w->s->collective;
    const uint64_t n = schedule_buffer_bytes(w->s, BUF_RECV, 0);
    if (c->source != FROM_ALL || c->personal || c->recv.root_only || !n)
        return 0;
    for (int r = 1; r < w->s->procs; r++)
        if (memcmp(w->mem[r][BUF_RECV], w->mem[0][BUF_RECV], n * sizeof(uint64_t)) != 0)
            return 1;
    return 0;
}

/* Runs it; tree[]: of each rank's result that of its first element, 0 where a rank has none. */
static enum order_kept trees_of(const struct schedule *s, uint64_t tree[MOST_PROCS])
{
    struct world *w = memory_zeros(1, sizeof *w);
    struct round round = { 0 };
    int one = 1, more = 1;
    open_world(w, s);
    while (more) {
        more = 0;
        for (int r = 0; r < s->procs; r++)
            while (step(w, r, &round))
                more = 1;
    }
    for (int r = 0; r < s->procs; r++) {
        const uint64_t n = schedule_buffer_bytes(s, BUF_RECV, r);
        tree[r] = n ? w->mem[r][BUF_RECV][0] : 0;
        for (uint64_t i = 1; i < n; i++)
            one &= w->mem[r][BUF_RECV][i] == tree[r];
    }
    const int differ = ranks_differ(w);
    round_free(&round);
    close_world(w);
    free(w);
    return differ ? ORDER_RANKS : one ? ORDER_ONE : ORDER_CHANGES;
}

static int ranks_like(int procs)
{
    if (procs <= MOST_PROCS)
        return procs;
    return procs & (procs - 1) ? procs % 2 ? ODD_PROCS : EVEN_PROCS : MOST_PROCS;
}

enum order_kept order_find(const struct algorithm *alg, int procs, int fanout, uint64_t *tree)
{
    const int p = ranks_like(procs);
    const uint64_t counts[] = { (uint64_t)p + 1, 1, (uint64_t)p - 1, (uint64_t)p,
                                (uint64_t)(2 * p + 3) };
    uint64_t first[MOST_PROCS] = { 0 }, other[MOST_PROCS] = { 0 }, digest = 0;
    enum order_kept kept = ORDER_ONE;
    if (tree)
        *tree = 0;
    if (!alg || alg->levels)
        return ORDER_UNKNOWN;
    if (!algorithm_collective(alg)->combines || procs < 2)
        return ORDER_ONE;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (uint64_t segment = 0; segment <= (alg->segmented ? 3 : 0); segment += 3) {
            struct schedule s;
            const int is_first = i == 0 && segment == 0;
            if (schedule_init(&s, alg, p, 0, counts[i], segment, fanout, NULL) < 0)
                return ORDER_UNKNOWN;
            if (s.choice[0].collective)
                return ORDER_CALLS;
            const enum order_kept here = trees_of(&s, is_first ? first : other);
            if (here == ORDER_RANKS)
                return ORDER_RANKS;
            if (here == ORDER_CHANGES ||
                (!is_first && memcmp(first, other, (size_t)p * sizeof *first) != 0))
                kept = ORDER_CHANGES;
        }
    if (kept != ORDER_ONE)
        return kept;
    for (int r = 0; r < p; r++)
        digest = blocks_mix(digest + first[r] + 1);
    if (tree)
        *tree = digest;
    return ORDER_ONE;
}
