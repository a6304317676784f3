/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/prove.h"

#include "workloads/schedules/contributions.h"

/* Identity of a byte: 0 is "nothing known"; else 1 + content x length + position: content is the
 * rank that gave it, or of a reduction what contributions.h says; length is how many bytes a rank
 * gives, position which of these it is. */
typedef uint32_t identity;

enum { HOLDS_NOTHING = 0 };

static const double MAX_SETS = 0x1p30;               /* bytes of sets of ranks */
static const uint64_t MAX_BYTES = UINT64_C(1) << 26; /* a quarter of a GiB of identities */

/* ---- the machine ---- */

struct process {
    identity *held[N_BUFFERS];
    uint64_t size[N_BUFFERS];
    struct round round;     /* the current one */
    unsigned char *matched; /* per operation of it */
    size_t matched_cap;
    size_t open; /* sends and receives of it that are not matched yet */
    uint64_t k, rounds;
    uint64_t *heard; /* of a barrier: sets of ranks, see there */
};

struct machine {
    const struct schedule *s;
    const struct collective *collective;
    uint64_t length;                    /* bytes that a rank gives */
    size_t words;                       /* of a set of ranks; 0: this is no barrier */
    struct contributions contributions; /* of a reduction */
    struct process *procs;
    int *ready; /* ranks whose current round is complete */
    size_t n_ready;
    struct proof proof;
    struct err *err;
};

static const char *const buffer_names[N_BUFFERS] = { "data", "send", "recv", "temp" };
static const char *const kind_names[] = { "send", "receive", "copy", "reduction" };

/* "rank R, round K: <formatted>"; returns -1. */
static int refuse(struct machine *m, int rank, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static int refuse(struct machine *m, int rank, const char *fmt, ...)
{
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return err_set(m->err, "%s: rank %d, round %llu: %s", schedule_called(m->s).text, rank,
                   (unsigned long long)m->procs[rank].k, text);
}

/* Where a block stands among those that its giver gives. */
static uint64_t position_in(const struct machine *m, const struct collective_block *block)
{
    return schedule_given_at(m->s, block->first, block->position);
}

/* Of the first byte of a block; the others follow. What the root alone gives needs no rank. */
static identity identity_of(const struct machine *m, const struct collective_block *block)
{
    const uint64_t content = m->collective->source == FROM_ROOT ? 0 : (uint64_t)block->first;
    return (identity)(1 + content * m->length + position_in(m, block));
}

/* ---- checks of a round by itself ---- */

static int is_message(const struct op *op)
{
    return op->kind == OP_SEND || op->kind == OP_RECV;
}

static int fits(uint64_t size, uint64_t offset, uint64_t bytes)
{
    return offset <= size && bytes <= size - offset;
}

static int same_bytes(const struct op *a, const struct op *b)
{
    return round_overlaps(a->buf, a->offset, a->bytes, b->buf, b->offset, b->bytes);
}

static int check_op(struct machine *m, int rank, const struct op *op)
{
    const struct process *p = &m->procs[rank];
    const char *kind = kind_names[op->kind];

    if (is_message(op) && (op->peer < 0 || op->peer >= m->s->procs || op->peer == rank))
        return refuse(m, rank, "%s with rank %d, which is no other rank of %d", kind, op->peer,
                      m->s->procs);
    if (!fits(p->size[op->buf], op->offset, op->bytes))
        return refuse(m, rank, "%s of bytes %llu to %llu of %s, which has %llu", kind,
                      (unsigned long long)op->offset, (unsigned long long)(op->offset + op->bytes),
                      buffer_names[op->buf], (unsigned long long)p->size[op->buf]);
    if (is_message(op))
        return 0;
    if (!fits(p->size[op->src_buf], op->src_offset, op->bytes))
        return refuse(m, rank, "%s from bytes %llu to %llu of %s, which has %llu", kind,
                      (unsigned long long)op->src_offset,
                      (unsigned long long)(op->src_offset + op->bytes), buffer_names[op->src_buf],
                      (unsigned long long)p->size[op->src_buf]);
    if (op->kind == OP_COPY && op->offset != op->src_offset)
        return 0; /* it may round_overlaps itself */
    const uint64_t element = m->s->element_bytes;
    if (op->kind == OP_REDUCE &&
        (op->offset % element || op->src_offset % element || op->bytes % element))
        return refuse(m, rank, "%s of bytes %llu to %llu of %s cuts an element of %llu", kind,
                      (unsigned long long)op->offset, (unsigned long long)(op->offset + op->bytes),
                      buffer_names[op->buf], (unsigned long long)element);
    if (round_overlaps(op->buf, op->offset, op->bytes, op->src_buf, op->src_offset, op->bytes))
        return refuse(m, rank, "%s onto the bytes of %s that it reads", kind,
                      buffer_names[op->buf]);
    return 0;
}

/* A byte may not be sent and received in one round, nor received twice. (Local work comes when the
 * messages are complete.) */
static int check_overlaps(struct machine *m, int rank)
{
    const struct round *r = &m->procs[rank].round;
    for (size_t i = 0; i < r->n; i++) {
        const struct op *w = &r->ops[i];
        if (w->kind != OP_RECV)
            continue;
        for (size_t j = 0; j < r->n; j++) {
            const struct op *o = &r->ops[j];
            if (o->kind == OP_SEND && same_bytes(o, w))
                return refuse(m, rank, "sends bytes of %s to rank %d that a receive writes",
                              buffer_names[w->buf], o->peer);
            if (j < i && o->kind == OP_RECV && same_bytes(o, w))
                return refuse(m, rank, "receives the same bytes of %s from rank %d and rank %d",
                              buffer_names[w->buf], o->peer, w->peer);
        }
    }
    return 0;
}

/* ---- moving identities ---- */

/* Copies identities; every byte must be held by the one it comes from. */
static int move(struct machine *m, int from, enum op_buffer from_buf, uint64_t from_at, int to,
                enum op_buffer to_buf, uint64_t to_at, uint64_t bytes)
{
    const identity *src = m->procs[from].held[from_buf] + from_at;
    identity *dst = m->procs[to].held[to_buf] + to_at;
    for (uint64_t i = 0; i < bytes; i++)
        if (src[i] == HOLDS_NOTHING)
            return refuse(m, from, "%s byte %llu of %s, which it does not hold",
                          from == to ? "copies" : "sends", (unsigned long long)(from_at + i),
                          buffer_names[from_buf]);
    memmove(dst, src, bytes * sizeof *dst);
    return 0;
}

/* Which byte of the message an identity of a reduction is of, and what is in it. */
static uint64_t position_of(const struct machine *m, identity id)
{
    return (id - 1) % m->length;
}

static uint32_t content_of(const struct machine *m, identity id)
{
    return (uint32_t)((id - 1) / m->length);
}

static double sets_bytes(int procs, size_t n)
{
    return (double)n * (double)(((uint64_t)procs + 63) / 64) * sizeof(uint64_t);
}

/* *inout := in op *inout. */
static int combine(struct machine *m, int rank, identity in, identity *inout)
{
    uint64_t at = position_of(m, in);
    uint32_t sum;
    int twice;
    if (at != position_of(m, *inout))
        return refuse(m, rank, "combines byte %llu of the message with byte %llu of it",
                      (unsigned long long)at, (unsigned long long)position_of(m, *inout));
    if (contributions_combine(&m->contributions, content_of(m, in), content_of(m, *inout), &sum,
                              &twice) < 0)
        return refuse(m, rank, "counts the contribution of rank %d to byte %llu twice", twice,
                      (unsigned long long)at);
    uint64_t id = sum * m->length + at + 1;
    if (id > UINT32_MAX || sets_bytes(m->s->procs, m->contributions.n) > MAX_SETS)
        return err_usage(m->err, "%s: %d processes of %llu bytes are too much for a proof",
                         schedule_called(m->s).text, m->s->procs, (unsigned long long)m->s->bytes);
    *inout = (identity)id;
    return 0;
}

/* The next position of the same two contents: combined as the byte before it was. */
static int goes_on(const struct machine *m, const identity *in, identity before, identity inout)
{
    return in[-1] != HOLDS_NOTHING && before != HOLDS_NOTHING && in[0] == in[-1] + 1 &&
           inout == before + 1 && in[-1] % m->length != 0;
}

static int reduce(struct machine *m, int rank, const struct op *op)
{
    const identity *in = m->procs[rank].held[op->src_buf] + op->src_offset;
    identity *inout = m->procs[rank].held[op->buf] + op->offset, before = HOLDS_NOTHING;
    if (!m->collective->combines)
        return refuse(m, rank, "a reduction, and %s has none", m->s->collective->name);
    for (uint64_t i = 0; i < op->bytes; i++) {
        if (i > 0 && goes_on(m, in + i, before, inout[i])) {
            before = inout[i];
            inout[i] = inout[i - 1] + 1;
            continue;
        }
        before = inout[i];
        if (in[i] == HOLDS_NOTHING || inout[i] == HOLDS_NOTHING)
            return refuse(m, rank, "combines byte %llu of %s, which it does not hold",
                          (unsigned long long)((in[i] ? op->offset : op->src_offset) + i),
                          buffer_names[in[i] ? op->buf : op->src_buf]);
        if (combine(m, rank, in[i], &inout[i]) < 0)
            return -1;
    }
    return 0;
}

/* Local work of a round whose messages are complete, in the order given. */
static int work_locally(struct machine *m, int rank)
{
    const struct round *r = &m->procs[rank].round;
    for (size_t i = 0; i < r->n; i++) {
        const struct op *op = &r->ops[i];
        if (op->kind == OP_REDUCE && reduce(m, rank, op) < 0)
            return -1;
        if (op->kind == OP_COPY &&
            move(m, rank, op->src_buf, op->src_offset, rank, op->buf, op->offset, op->bytes) < 0)
            return -1;
    }
    return 0;
}

/* ---- a barrier: of whom a rank has heard, so that it cannot be here before these have begun. Two
 * sets: those of whom it had heard when its round began, which its messages tell, and those of whom
 * it will have when it ends. ---- */

static void hear(struct machine *m, int src, int dst)
{
    const uint64_t *told = m->procs[src].heard;
    uint64_t *after = m->procs[dst].heard + m->words;
    for (size_t i = 0; i < m->words; i++)
        after[i] |= told[i];
}

static void remember(struct machine *m, int rank)
{
    uint64_t *heard = m->procs[rank].heard;
    if (m->words)
        memcpy(heard, heard + m->words, m->words * sizeof *heard);
}

static void set_up_barrier(struct machine *m, int rank)
{
    struct process *p = &m->procs[rank];
    const uint64_t self = UINT64_C(1) << rank % 64;
    if (m->words == 0)
        return;
    p->heard = memory_zeros(2 * m->words, sizeof *p->heard);
    p->heard[rank / 64] = p->heard[m->words + (size_t)rank / 64] = self;
}

static int check_barrier(struct machine *m, int rank)
{
    for (int other = 0; m->words && other < m->s->procs; other++)
        if (!(m->procs[rank].heard[other / 64] >> other % 64 & 1))
            return refuse(m, rank, "ends without having heard of rank %d", other);
    return 0;
}

/* ---- matching ---- */

static void close_op(struct machine *m, int rank, size_t i)
{
    struct process *p = &m->procs[rank];
    p->matched[i] = 1;
    if (--p->open == 0)
        m->ready[m->n_ready++] = rank;
}

static int pass_message(struct machine *m, int src, size_t send, int dst, size_t recv)
{
    const struct op *from = &m->procs[src].round.ops[send];
    const struct op *to = &m->procs[dst].round.ops[recv];
    if (from->bytes != to->bytes)
        return refuse(m, dst, "receive of %llu bytes from rank %d, which sends %llu",
                      (unsigned long long)to->bytes, src, (unsigned long long)from->bytes);
    if (move(m, src, from->buf, from->offset, dst, to->buf, to->offset, to->bytes) < 0)
        return -1;
    hear(m, src, dst);
    m->proof.messages++;
    m->proof.bytes += from->bytes;
    close_op(m, src, send);
    close_op(m, dst, recv);
    return 0;
}

/* The first unmatched operation of a kind with a peer in the rank's current round, or its size. */
static size_t first_open(const struct process *p, enum op_kind kind, int peer)
{
    size_t i = 0;
    while (i < p->round.n &&
           (p->matched[i] || p->round.ops[i].kind != kind || p->round.ops[i].peer != peer))
        i++;
    return i;
}

/* Matches what it can of the round that a rank has just begun. */
static int match_round(struct machine *m, int rank)
{
    const struct process *p = &m->procs[rank];
    for (size_t i = 0; i < p->round.n; i++) {
        const struct op *op = &p->round.ops[i];
        if (!is_message(op) || p->matched[i])
            continue;
        const struct process *peer = &m->procs[op->peer];
        size_t j = first_open(peer, op->kind == OP_SEND ? OP_RECV : OP_SEND, rank);
        if (j == peer->round.n)
            continue;
        int status = op->kind == OP_SEND ? pass_message(m, rank, i, op->peer, j)
                                         : pass_message(m, op->peer, j, rank, i);
        if (status < 0)
            return -1;
    }
    return 0;
}

static int begin_round(struct machine *m, int rank)
{
    struct process *p = &m->procs[rank];
    schedule_round(m->s, rank, p->k, &p->round);
    array_room(&p->matched, &p->matched_cap, p->round.n);
    p->open = 0;
    for (size_t i = 0; i < p->round.n; i++) {
        if (check_op(m, rank, &p->round.ops[i]) < 0)
            return -1;
        p->matched[i] = 0;
        p->open += (size_t)is_message(&p->round.ops[i]);
    }
    m->proof.rounds++;
    if (check_overlaps(m, rank) < 0)
        return -1;
    if (p->open == 0)
        m->ready[m->n_ready++] = rank;
    return match_round(m, rank);
}

/* Ends rounds and begins the next ones until nothing moves. */
static int run(struct machine *m)
{
    for (int rank = 0; rank < m->s->procs; rank++)
        if (m->procs[rank].rounds > 0 && begin_round(m, rank) < 0)
            return -1;
    while (m->n_ready > 0) {
        int rank = m->ready[--m->n_ready];
        struct process *p = &m->procs[rank];
        if (work_locally(m, rank) < 0)
            return -1;
        remember(m, rank);
        p->round.n = 0;
        if (++p->k < p->rounds && begin_round(m, rank) < 0)
            return -1;
    }
    return 0;
}

/* ---- the end ---- */

static int has_ended(const struct process *p)
{
    return p->k == p->rounds;
}

static size_t first_unmatched(const struct process *p)
{
    size_t i = 0;
    while (!is_message(&p->round.ops[i]) || p->matched[i])
        i++;
    return i;
}

/* Follows who waits for whom until a rank comes twice: "0 waits to send to 1, …". */
static int refuse_deadlock(struct machine *m, int rank)
{
    char chain[192] = "";
    size_t len = 0;
    for (int hops = 0, at = rank; hops < 4 && len < sizeof chain; hops++) {
        const struct op *op = &m->procs[at].round.ops[first_unmatched(&m->procs[at])];
        len += (size_t)snprintf(chain + len, sizeof chain - len, "%s%d waits to %s %d",
                                hops ? ", " : "", at,
                                op->kind == OP_SEND ? "send to" : "receive from", op->peer);
        at = op->peer;
        if (at == rank)
            break;
    }
    return refuse(m, rank, "deadlock: %s", chain);
}

static int check_all_ended(struct machine *m)
{
    int stuck = -1;
    for (int rank = 0; rank < m->s->procs; rank++) {
        const struct process *p = &m->procs[rank];
        if (has_ended(p))
            continue;
        stuck = stuck < 0 ? rank : stuck;
        const struct op *op = &p->round.ops[first_unmatched(p)];
        if (has_ended(&m->procs[op->peer]))
            return refuse(m, rank,
                          op->kind == OP_SEND ? "send of %llu bytes to rank %d, which never "
                                                "receives it"
                                              : "receive of %llu bytes from rank %d, which never "
                                                "sends it",
                          (unsigned long long)op->bytes, op->peer);
    }
    return stuck < 0 ? 0 : refuse_deadlock(m, stuck);
}

/* What is combined: of every rank that it wants and of no other, once, at its place; in the order
 * of ranks where the algorithm claims it. */
static int check_combined(struct machine *m, int rank, enum op_buffer buf, uint64_t at,
                          const struct collective_block *want, uint64_t position)
{
    const identity held = m->procs[rank].held[buf][at];
    if (held == HOLDS_NOTHING)
        return refuse(m, rank, "ends without byte %llu of %s", (unsigned long long)at,
                      buffer_names[buf]);
    if (position_of(m, held) != position)
        return refuse(m, rank, "ends with another byte in place of byte %llu of %s",
                      (unsigned long long)at, buffer_names[buf]);
    const uint32_t content = content_of(m, held);
    const int missing = contributions_missing(&m->contributions, content, want->first, want->last);
    const int beyond = contributions_beyond(&m->contributions, content, want->last);
    if (missing >= 0)
        return refuse(m, rank, "ends without the contribution of rank %d to byte %llu", missing,
                      (unsigned long long)at);
    if (beyond >= 0)
        return refuse(m, rank, "ends with the contribution of rank %d to byte %llu, too", beyond,
                      (unsigned long long)at);
    const int in_order = m->s->alg->in_order;
    const int wants_order = in_order == IN_ORDER_IF_ASKED ? m->s->ordered : in_order;
    if (wants_order && !m->contributions.in_order[content])
        return refuse(m, rank, "byte %llu was not combined in the order of ranks",
                      (unsigned long long)at);
    return 0;
}

static int check_same(struct machine *m, int rank, enum op_buffer buf, uint64_t at, identity want)
{
    const identity held = m->procs[rank].held[buf][at];
    if (held == want)
        return 0;
    return refuse(m, rank,
                  held == HOLDS_NOTHING ? "ends without byte %llu of %s"
                                        : "ends with another byte in place of byte %llu of %s",
                  (unsigned long long)at, buffer_names[buf]);
}

static int check_block(struct machine *m, int rank, enum op_buffer buf, int i)
{
    const struct schedule *s = m->s;
    const struct collective_place place = collective_place(&s->blocks, buf, rank, i);
    const struct collective_block want =
        collective_after(m->collective, s->procs, s->root, rank, buf, i);
    const int combined = m->collective->combines && buf != BUF_SEND;
    if (want.first > want.last)
        return 0;
    for (uint64_t at = 0; at < place.bytes; at++) {
        const int status =
            combined
                ? check_combined(m, rank, buf, place.at + at, &want, position_in(m, &want) + at)
                : check_same(m, rank, buf, place.at + at, identity_of(m, &want) + (identity)at);
        if (status < 0)
            return -1;
    }
    return 0;
}

static int blocks_in(const struct machine *m, int rank, enum op_buffer buf)
{
    return collective_buffer_blocks(m->collective, buf, m->s->procs, rank == m->s->root);
}

/* All that the ranks give is as it was, before what they get. In a barrier they get word of all. */
static int check_promise(struct machine *m)
{
    static const enum op_buffer in_turn[] = { BUF_SEND, BUF_DATA, BUF_RECV };
    for (size_t i = 0; i < sizeof in_turn / sizeof *in_turn; i++)
        for (int rank = 0; rank < m->s->procs; rank++)
            for (int b = 0, n = blocks_in(m, rank, in_turn[i]); b < n; b++)
                if (check_block(m, rank, in_turn[i], b) < 0)
                    return -1;
    for (int rank = 0; rank < m->s->procs; rank++)
        if (check_barrier(m, rank) < 0)
            return -1;
    return 0;
}

/* ---- set-up ---- */

static void fill_buffer(struct machine *m, int rank, enum op_buffer buf)
{
    const struct schedule *s = m->s;
    struct process *p = &m->procs[rank];
    p->size[buf] = schedule_buffer_bytes(m->s, buf, rank);
    p->held[buf] = memory_zeros(p->size[buf] + 1, sizeof(identity));
    for (int i = 0, n = blocks_in(m, rank, buf); i < n; i++) {
        const struct collective_block has = collective_before(m->collective, s->root, rank, buf, i);
        const struct collective_place place = collective_place(&s->blocks, buf, rank, i);
        for (uint64_t at = 0; has.first <= has.last && at < place.bytes; at++)
            p->held[buf][place.at + at] = identity_of(m, &has) + (identity)at;
    }
}

/* Of reductions and barriers: who is in what, a set of ranks for each rank at least. */
static int check_sets(const struct schedule *s, struct err *err)
{
    const int has_sets = s->collective->combines || s->collective->source == FROM_NOBODY;
    if (!has_sets || sets_bytes(s->procs, (size_t)s->procs) <= MAX_SETS)
        return 0;
    return err_usage(err,
                     "%s: %d processes are too many for a proof (at most %.0f, by the memory for "
                     "which ranks are in what)",
                     schedule_called(s).text, s->procs, floor(sqrt(MAX_SETS * 8.0)));
}

int prove_check(const struct schedule *s, struct err *err)
{
    uint64_t all;
    int too_much = __builtin_mul_overflow((uint64_t)s->procs, s->bytes, &all) || all > MAX_BYTES;
    all = 0;
    for (int rank = 0; !too_much && rank < s->procs; rank++) {
        for (enum op_buffer buf = 0; buf < N_BUFFERS; buf++)
            all += schedule_buffer_bytes(s, buf, rank);
        too_much = all > MAX_BYTES;
    }
    if (too_much)
        return err_usage(err,
                         "%s: %d processes of %llu bytes are too much for a proof (at most %llu "
                         "bytes of buffers)",
                         schedule_called(s).text, s->procs, (unsigned long long)s->bytes,
                         (unsigned long long)MAX_BYTES);
    return check_sets(s, err);
}

static int set_up(struct machine *m)
{
    size_t n = (size_t)m->s->procs;
    if (prove_check(m->s, m->err) < 0)
        return -1;
    m->collective = m->s->collective;
    m->length = m->s->bytes; /* at most; where blocks differ, one may have all */
    if (collective_gives(m->collective, m->s->procs) > 1 || m->s->blocks.sizes != SIZES_EQUAL)
        m->length *= (uint64_t)m->s->procs;
    if (m->collective->combines)
        contributions_init(&m->contributions, m->s->procs);
    m->words = m->collective->source == FROM_NOBODY ? (n + 63) / 64 : 0;
    m->procs = memory_zeros(n, sizeof *m->procs);
    m->ready = memory_zeros(n, sizeof *m->ready);
    for (int rank = 0; rank < m->s->procs; rank++) {
        m->procs[rank].rounds = schedule_rounds(m->s, rank);
        set_up_barrier(m, rank);
        for (enum op_buffer buf = 0; buf < N_BUFFERS; buf++)
            fill_buffer(m, rank, buf);
    }
    return 0;
}

static void tear_down(struct machine *m)
{
    for (int rank = 0; m->procs && rank < m->s->procs; rank++) {
        struct process *p = &m->procs[rank];
        for (enum op_buffer buf = 0; buf < N_BUFFERS; buf++)
            free(p->held[buf]);
        round_free(&p->round);
        memory_free(p->matched, p->heard);
    }
    contributions_clear(&m->contributions);
    memory_free(m->procs, m->ready);
}

int prove(const struct schedule *s, struct proof *proof, struct err *err)
{
    struct machine m = { .s = s, .err = err };
    int status =
        set_up(&m) < 0 || run(&m) < 0 || check_all_ended(&m) < 0 || check_promise(&m) < 0 ? -1 : 0;
    if (proof)
        *proof = m.proof;
    tear_down(&m);
    return status;
}
