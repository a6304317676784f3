/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/execute/execute.h"

enum { TAG = 7, TAG_APART = 8, PATIENCE = 1000 }; /* PATIENCE: looks at a receive that shall end */

/* One message. */
struct transfer {
    void *buf;
    int bytes, peer;
    enum op_buffer of;
};

/* One COPY or REDUCE. */
struct local {
    void *dst;
    const void *src;
    size_t bytes;
    int reduces;
    enum op_buffer of, from;
};

/* How a round runs: one blocking call where that is all there is to do. */
enum shape { SEND_ONE, RECV_ONE, LOCAL_ONLY, GENERAL };

/* A round laid out: slices of the transfer and local arrays. */
struct step {
    enum shape shape;
    int n_recv, n_send;
    int posted; /* of the receives, so many were posted by the step before */
    int early;  /* so many of the next step's receives are posted by this one */
    int n_local;
    uint32_t recv, send, local; /* first of each */
};

struct array {
    void *at;
    size_t n, size;
};

struct executor {
    MPI_Comm comm;
    const struct execute_reduce *reduce;
    MPI_Status *ignored; /* MPI_STATUSES_IGNORE; as a constant, gcc takes it for an array of none */
    char *base[N_BUFFERS];
    uint64_t limit[N_BUFFERS];
    void *temp;
    void *aside;      /* of a call in place: what it gives, or a scatter's root gets */
    struct local own; /* … which is copied there first; 0 bytes: nothing */
    struct array steps, recvs, sends, locals;
    const struct charges *charges; /* NULL: local work costs what it costs */
    int apart;                     /* messages of fewer bytes match apart: simulated_cost.h */
    char filler;                   /* what a message of no bytes sends where it may not be empty */
    int pretends;                  /* as the buffers */
    int failed;                    /* a send may still be under way and read the scratch */
    MPI_Request *requests[2];      /* of even and of odd steps: receives, then sends */
};

static void xor_bytes(void *inout, const void *in, size_t bytes)
{
    unsigned char *a = inout;
    const unsigned char *b = in;
    size_t i = 0;
    for (; bytes - i >= 8; i += 8) {
        uint64_t x, y;
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        x ^= y;
        memcpy(a + i, &x, 8);
    }
    for (; i < bytes; i++)
        a[i] = (unsigned char)(a[i] ^ b[i]);
}

const struct execute_reduce execute_xor_bytes = { .apply = xor_bytes };

/* ---- compiling ---- */

static void *add(struct array *a)
{
    return array_append(&a->at, &a->n, 1, a->size);
}

static int check_range(const struct executor *ex, enum op_buffer buf, uint64_t offset,
                       uint64_t bytes, struct err *err)
{
    uint64_t end;
    if (__builtin_add_overflow(offset, bytes, &end) || end > ex->limit[buf])
        return err_set(err, "schedule touches bytes %llu to %llu of a buffer of %llu",
                       (unsigned long long)offset, (unsigned long long)(offset + bytes),
                       (unsigned long long)ex->limit[buf]);
    if (bytes && !ex->base[buf])
        return err_set(err, "schedule touches a buffer that was not given");
    return 0;
}

static void *address(const struct executor *ex, enum op_buffer buf, uint64_t offset)
{
    return ex->base[buf] ? ex->base[buf] + (ex->pretends ? 0 : offset) : NULL;
}

static int add_transfer(struct executor *ex, struct array *list, const struct op *op,
                        struct err *err)
{
    if (op->bytes > INT_MAX)
        return err_set(err, "message of %llu bytes (want at most %d)",
                       (unsigned long long)op->bytes, INT_MAX);
    *(struct transfer *)add(list) =
        op->bytes == 0 && smpi_matching_empty_bytes()
            ? (struct transfer){ &ex->filler, smpi_matching_empty_bytes(), op->peer, BUF_TEMP }
            : (struct transfer){ address(ex, op->buf, op->offset), (int)op->bytes, op->peer,
                                 op->buf };
    return 0;
}

static int add_local(struct executor *ex, const struct op *op, struct err *err)
{
    if (op->kind == OP_REDUCE && !ex->reduce)
        return err_set(err, "schedule reduces and no operation was given");
    if (check_range(ex, op->src_buf, op->src_offset, op->bytes, err) < 0)
        return -1;
    *(struct local *)add(&ex->locals) = (struct local){ address(ex, op->buf, op->offset),
                                                        address(ex, op->src_buf, op->src_offset),
                                                        op->bytes,
                                                        op->kind == OP_REDUCE,
                                                        op->buf,
                                                        op->src_buf };
    return 0;
}

static int add_op(struct executor *ex, const struct op *op, struct err *err)
{
    if (check_range(ex, op->buf, op->offset, op->bytes, err) < 0)
        return -1;
    switch (op->kind) {
    case OP_RECV:
        return add_transfer(ex, &ex->recvs, op, err);
    case OP_SEND:
        return add_transfer(ex, &ex->sends, op, err);
    default:
        return add_local(ex, op, err);
    }
}

static enum shape shape_of(const struct step *s)
{
    if (s->early || s->posted || s->n_recv + s->n_send > 1)
        return GENERAL;
    if (s->n_send)
        return SEND_ONE;
    return s->n_recv ? RECV_ONE : LOCAL_ONLY;
}

static int add_step(struct executor *ex, const struct round *now, int posted, int early,
                    struct err *err)
{
    struct step *s = add(&ex->steps);
    *s = (struct step){ .posted = posted,
                        .early = early,
                        .recv = (uint32_t)ex->recvs.n,
                        .send = (uint32_t)ex->sends.n,
                        .local = (uint32_t)ex->locals.n };
    for (size_t i = 0; i < now->n; i++)
        if (add_op(ex, &now->ops[i], err) < 0)
            return -1;
    s->n_recv = (int)(ex->recvs.n - s->recv);
    s->n_send = (int)(ex->sends.n - s->send);
    s->n_local = (int)(ex->locals.n - s->local);
    s->shape = shape_of(s);
    return 0;
}

/* MPI_IN_PLACE: what the schedule reads from SEND is copied from RECV first, since the schedule may
 * write RECV before it has read all of it. */
static int set_aside(struct executor *ex, const struct schedule *s, int rank, struct err *err)
{
    const int scatters = s->collective->source == FROM_ROOT;
    const enum op_buffer buf = scatters ? BUF_RECV : BUF_SEND;
    const int one_of_many =
        s->collective->recv.amount == AMOUNT_EACH && s->collective->send.amount == AMOUNT_ONE;
    ex->base[buf] = ex->aside = calloc(1, ex->limit[buf] + 1);
    if (!ex->aside)
        return err_set(err, "out of memory for %llu bytes", (unsigned long long)ex->limit[buf]);
    if (!scatters)
        ex->own =
            (struct local){ ex->aside,
                            ex->base[BUF_RECV] + (one_of_many ? schedule_got_at(s, rank, rank) : 0),
                            ex->limit[BUF_SEND],
                            0,
                            BUF_SEND,
                            BUF_RECV };
    return 0;
}

/* Fetches the next round that has operations; leaves it empty at the end. */
static void next_round(const struct schedule *s, int rank, uint64_t *k, uint64_t rounds,
                       struct round *out)
{
    out->n = 0;
    while (*k < rounds && out->n == 0)
        schedule_round(s, rank, (*k)++, out);
}

static int add_rounds(struct executor *ex, const struct schedule *s, int rank, struct round pair[2],
                      struct err *err)
{
    const uint64_t rounds = schedule_rounds(s, rank);
    uint64_t k = 0;
    int posted = 0;
    next_round(s, rank, &k, rounds, &pair[0]);
    for (int now = 0; pair[now].n; now = !now) {
        next_round(s, rank, &k, rounds, &pair[!now]);
        const int early = (int)round_early(&pair[now], &pair[!now]);
        if (add_step(ex, &pair[now], posted, early, err) < 0)
            return -1;
        posted = early;
    }
    return 0;
}

static void make_requests(struct executor *ex)
{
    size_t most = 1;
    const struct step *steps = ex->steps.at;
    for (size_t i = 0; i < ex->steps.n; i++) {
        const size_t n = (size_t)steps[i].n_recv + (size_t)steps[i].n_send;
        most = n > most ? n : most;
    }
    for (int i = 0; i < 2; i++)
        ex->requests[i] = memory_zeros(most, sizeof(MPI_Request));
    for (size_t i = 0; i < most; i++)
        ex->requests[0][i] = ex->requests[1][i] = MPI_REQUEST_NULL;
}

static int compile(struct executor *ex, const struct schedule *s,
                   const struct execute_buffers *buffers, struct err *err)
{
    int rank, procs;
    MPI_Comm_rank(ex->comm, &rank);
    MPI_Comm_size(ex->comm, &procs);
    if (procs != s->procs)
        return err_set(err, "schedule is for %d ranks, the communicator has %d", s->procs, procs);
    for (int b = 0; b < N_BUFFERS; b++) {
        ex->base[b] = buffers->at[b];
        ex->limit[b] = b == BUF_TEMP ? 0 : schedule_buffer_bytes(s, (enum op_buffer)b, rank);
    }
    ex->limit[BUF_TEMP] = schedule_temp_bytes(s, rank);
    if (!ex->base[BUF_TEMP] && ex->limit[BUF_TEMP]) {
        ex->base[BUF_TEMP] = ex->temp = calloc(1, ex->limit[BUF_TEMP]);
        if (!ex->temp)
            return err_set(err, "out of memory for %llu bytes of scratch",
                           (unsigned long long)ex->limit[BUF_TEMP]);
    }
    if (buffers->in_place && set_aside(ex, s, rank, err) < 0)
        return -1;
    struct round pair[2] = { { 0 }, { 0 } };
    const int status = add_rounds(ex, s, rank, pair, err);
    round_free(&pair[0]);
    round_free(&pair[1]);
    make_requests(ex);
    return status;
}

struct executor *executor_new(const struct schedule *s, MPI_Comm comm,
                              const struct execute_buffers *buffers,
                              const struct execute_reduce *reduce, struct err *err)
{
    struct executor *ex = memory_zeros(1, sizeof *ex);
    ex->comm = comm;
    ex->reduce = reduce;
    ex->ignored = MPI_STATUSES_IGNORE;
    ex->apart = smpi_matching_bytes();
    ex->pretends = buffers->pretends;
    ex->steps.size = sizeof(struct step);
    ex->recvs.size = ex->sends.size = sizeof(struct transfer);
    ex->locals.size = sizeof(struct local);
    if (compile(ex, s, buffers, err) < 0) {
        err_prefix(err, "%s:%s", s->collective->name, schedule_called(s).text);
        executor_free(ex);
        return NULL;
    }
    return ex;
}

void executor_charge(struct executor *ex, const struct charges *charges)
{
    ex->charges = charges;
}

void executor_free(struct executor *ex)
{
    if (!ex)
        return;
    memory_free(ex->steps.at, ex->recvs.at, ex->sends.at, ex->locals.at, ex->requests[0],
                ex->requests[1]);
    if (!ex->failed)
        memory_free(ex->temp, ex->aside);
    free(ex);
}

/* ---- moving ---- */

static void *moved(const void *at, const char *from, size_t bytes, char *to)
{
    const uintptr_t a = (uintptr_t)at, first = (uintptr_t)from;
    return a >= first && a - first < bytes ? to + (a - first) : (char *)at;
}

static void move_all(struct array *transfers, const char *from, size_t bytes, char *to)
{
    struct transfer *t = transfers->at;
    for (size_t i = 0; i < transfers->n; i++)
        t[i].buf = moved(t[i].buf, from, bytes, to);
}

void executor_move(struct executor *ex, const char *from, size_t bytes, char *to)
{
    struct local *l = ex->locals.at;
    move_all(&ex->recvs, from, bytes, to);
    move_all(&ex->sends, from, bytes, to);
    for (size_t i = 0; i < ex->locals.n; i++) {
        l[i].dst = moved(l[i].dst, from, bytes, to);
        l[i].src = moved(l[i].src, from, bytes, to);
    }
    ex->own.dst = moved(ex->own.dst, from, bytes, to);
    ex->own.src = moved(ex->own.src, from, bytes, to);
}

/* Where a buffer stood, and how much further it stands now. */
struct shifts {
    uintptr_t by[N_BUFFERS];
};

static void *shifted(const void *at, const struct shifts *s, enum op_buffer of)
{
    return (void *)((uintptr_t)at + s->by[of]);
}

static void shift_all(struct array *transfers, const struct shifts *s)
{
    struct transfer *t = transfers->at;
    for (size_t i = 0; i < transfers->n; i++)
        t[i].buf = shifted(t[i].buf, s, t[i].of);
}

void executor_place(struct executor *ex, void *const at[N_BUFFERS])
{
    struct shifts s = { { 0 } };
    struct local *l = ex->locals.at;
    int moves = 0;
    for (int b = 0; b < BUF_TEMP; b++)
        if (ex->base[b] != at[b] && (!ex->aside || ex->base[b] != ex->aside)) {
            s.by[b] = (uintptr_t)at[b] - (uintptr_t)ex->base[b];
            ex->base[b] = at[b];
            moves = 1;
        }
    if (!moves)
        return;
    shift_all(&ex->recvs, &s);
    shift_all(&ex->sends, &s);
    for (size_t i = 0; i < ex->locals.n; i++) {
        l[i].dst = shifted(l[i].dst, &s, l[i].of);
        l[i].src = shifted(l[i].src, &s, l[i].from);
    }
    ex->own.dst = shifted(ex->own.dst, &s, ex->own.of);
    ex->own.src = shifted(ex->own.src, &s, ex->own.from);
}

/* ---- running ---- */

/* Where messages of fewer bytes match apart they have a tag of their own, lest a large one's
 * receive takes a small one. */
static inline int tag_of(const struct executor *ex, const struct transfer *t)
{
    return t->bytes < ex->apart ? TAG_APART : TAG;
}

static int post(const struct executor *ex, const struct transfer *t, int n, MPI_Request *req)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < n && rc == MPI_SUCCESS; i++)
        rc = MPI_Irecv(t[i].buf, t[i].bytes, MPI_BYTE, t[i].peer, tag_of(ex, &t[i]), ex->comm,
                       &req[i]);
    return rc;
}

static int start(const struct executor *ex, const struct transfer *t, int n, MPI_Request *req)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < n && rc == MPI_SUCCESS; i++)
        rc = MPI_Isend(t[i].buf, t[i].bytes, MPI_BYTE, t[i].peer, tag_of(ex, &t[i]), ex->comm,
                       &req[i]);
    return rc;
}

/* Receives are posted before sends start; the next step's receives while we would wait anyway. */
static int run_general(const struct executor *ex, const struct step *s, MPI_Request *req,
                       MPI_Request *next)
{
    const struct transfer *recvs = (const struct transfer *)ex->recvs.at + s->recv;
    const struct transfer *sends = (const struct transfer *)ex->sends.at + s->send;
    int rc = post(ex, recvs + s->posted, s->n_recv - s->posted, req + s->posted);
    if (rc == MPI_SUCCESS)
        rc = start(ex, sends, s->n_send, req + s->n_recv);
    if (rc == MPI_SUCCESS)
        rc = post(ex, recvs + s->n_recv, s->early, next);
    if (rc != MPI_SUCCESS)
        return rc;
    if (s->n_recv + s->n_send == 1)
        return MPI_Wait(req, MPI_STATUS_IGNORE);
    return MPI_Waitall(s->n_recv + s->n_send, req, ex->ignored);
}

/* A receive that has its message already cannot be taken back and ends when all has come. Who sends
 * it may be gone: it is not waited for without end. */
static void take_back(MPI_Request *recv)
{
    int ended = 0;
    if (*recv == MPI_REQUEST_NULL)
        return;
    MPI_Cancel(recv);
    for (int i = 0; i < PATIENCE && !ended; i++)
        MPI_Test(recv, &ended, MPI_STATUS_IGNORE);
    if (!ended)
        MPI_Request_free(recv);
}

/* After an error: takes back the receives that wait, or are posted for the next step, so that none
 * takes a later message or writes into a buffer. What was sent cannot be taken back. */
static void give_up(struct executor *ex, const struct step *s, MPI_Request *req, MPI_Request *next)
{
    for (int i = 0; i < s->n_recv; i++)
        take_back(&req[i]);
    for (int i = 0; i < s->early; i++)
        take_back(&next[i]);
    for (int i = s->n_recv; i < s->n_recv + s->n_send; i++)
        if (req[i] != MPI_REQUEST_NULL)
            MPI_Request_free(&req[i]);
    ex->failed = 1;
}

static void combine(const struct execute_reduce *r, const struct local *l)
{
    if (r->apply)
        r->apply(l->dst, l->src, l->bytes);
    else
        MPI_Reduce_local(l->src, l->dst, (int)(l->bytes / r->element_bytes), r->type, r->op);
}

static void run_local(const struct executor *ex, const struct local *l)
{
    if (ex->charges)
        simulated_cost_wait(simulated_cost_seconds(
            l->reduces ? &ex->charges->reduce : &ex->charges->copy, l->bytes));
    if (ex->pretends)
        return;
    if (l->reduces)
        combine(ex->reduce, l);
    else if (l->bytes)
        memmove(l->dst, l->src, l->bytes);
}

static void run_locals(const struct executor *ex, const struct step *s)
{
    const struct local *l = (const struct local *)ex->locals.at + s->local;
    for (int i = 0; i < s->n_local; i++)
        run_local(ex, &l[i]);
}

static int run_step(const struct executor *ex, const struct step *s, MPI_Request *req,
                    MPI_Request *next)
{
    const struct transfer *t;
    switch (s->shape) {
    case SEND_ONE:
        t = (const struct transfer *)ex->sends.at + s->send;
        return MPI_Send(t->buf, t->bytes, MPI_BYTE, t->peer, tag_of(ex, t), ex->comm);
    case RECV_ONE:
        t = (const struct transfer *)ex->recvs.at + s->recv;
        return MPI_Recv(t->buf, t->bytes, MPI_BYTE, t->peer, tag_of(ex, t), ex->comm,
                        MPI_STATUS_IGNORE);
    case LOCAL_ONLY:
        return MPI_SUCCESS;
    default:
        return run_general(ex, s, req, next);
    }
}

int executor_run(struct executor *ex)
{
    const struct step *s = ex->steps.at;
    const struct step *const end = s + ex->steps.n;
    MPI_Request *req = ex->requests[0], *next = ex->requests[1];
    if (ex->own.bytes)
        run_local(ex, &ex->own);
    for (; s < end; s++) {
        const int rc = run_step(ex, s, req, next);
        if (rc != MPI_SUCCESS) {
            give_up(ex, s, req, next);
            return rc;
        }
        if (s->n_local)
            run_locals(ex, s);
        MPI_Request *const swap = req;
        req = next;
        next = swap;
    }
    return MPI_SUCCESS;
}
