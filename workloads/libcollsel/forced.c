/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/forced.h"

#include "workloads/libcollsel/force.h"
#include "workloads/libcollsel/site.h"
#include "workloads/proof/tool_vars.h"

static const char own[] = MPI_NAME ":";

struct forced {
    const struct choice *of; /* that it was made for, or like which it is */
    struct choice choice;
    enum call_args_which which;
    struct force force;
    uint64_t refused_bytes;  /* of the last call that the library refused; UINT64_MAX: none */
    char why[FORCED_REASON]; /* it cannot be forced; "": it can */
};

int forced_is_own(const struct choice *choice)
{
    return choice->alg && strncmp(choice->name, own, sizeof own - 1) == 0;
}

static int is_like(const struct forced *f, const struct call_args *asked,
                   const struct choice *choice)
{
    return f->which == asked->which &&
           (f->of == choice ||
            (f->choice.segment_bytes == choice->segment_bytes &&
             f->choice.fanout == choice->fanout && strcmp(f->choice.name, choice->name) == 0));
}

/* What some rank cannot force none forces. */
static void agree(struct forced *f, MPI_Comm work, int status, const struct err *err)
{
    int worst;
    PMPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MIN, work);
    if (worst < 0)
        snprintf(f->why, sizeof f->why, "%.120s",
                 status < 0 ? err->text : "another rank cannot force it");
}

static struct forced *make(const struct executor_cache_place *place, const struct call_args *asked,
                           const struct choice *choice)
{
    struct err err = { 0 };
    struct forced *f = memory_zeros(1, sizeof *f);
    f->of = choice;
    f->choice = *choice;
    f->which = asked->which;
    f->refused_bytes = UINT64_MAX;
    f->force.comm = MPI_COMM_NULL;
    const int status = force_make(&f->force, place->work, call_args_name(asked->which),
                                  choice->name + sizeof own - 1, &f->choice, &err);
    agree(f, place->work, status, &err);
    return f;
}

struct forced *forced_ready(struct forced_set *set, const struct executor_cache_place *place,
                            const struct call_args *asked, uint64_t bytes,
                            const struct choice *choice, struct err *err)
{
    int i = 0;
    while (i < set->n && !is_like(set->v[i], asked, choice))
        i++;
    if (i == FORCED_MOST) {
        err_set(err, "%s: no more than %d algorithms are forced on a communicator", choice->name,
                FORCED_MOST);
        return NULL;
    }
    if (i == set->n)
        set->v[set->n++] = make(place, asked, choice);
    struct forced *f = set->v[i];
    if (!*f->why && f->refused_bytes != bytes)
        return f;
    err_set(err, "%s: %s", choice->name, *f->why ? f->why : "the library refuses it");
    return NULL;
}

void forced_clear(struct forced_set *set)
{
    for (int i = 0; i < set->n; i++) {
        force_free(&set->v[i]->force);
        free(set->v[i]);
    }
    set->n = 0;
}

static int call_combining(const struct call_args *a, MPI_Comm comm)
{
    switch (a->which) {
    case CALL_ARGS_ALLREDUCE:
        return PMPI_Allreduce(a->send, a->recv, a->recv_count, a->recv_type, a->op, comm);
    case CALL_ARGS_EXSCAN:
        return PMPI_Exscan(a->send, a->recv, a->recv_count, a->recv_type, a->op, comm);
    case CALL_ARGS_REDUCE:
        return PMPI_Reduce(a->send, a->recv, a->recv_count, a->recv_type, a->op, a->root, comm);
    case CALL_ARGS_REDUCE_SCATTER:
        return PMPI_Reduce_scatter(a->send, a->recv, a->recv_counts, a->recv_type, a->op, comm);
    case CALL_ARGS_REDUCE_SCATTER_BLOCK:
        return PMPI_Reduce_scatter_block(a->send, a->recv, a->recv_count, a->recv_type, a->op,
                                         comm);
    default:
        return PMPI_Scan(a->send, a->recv, a->recv_count, a->recv_type, a->op, comm);
    }
}

/* As bytes: Open MPI cuts messages by each rank's own type, and types may differ. (Blocks of an
 * allgatherv, which it does not cut, go as they are.) */
static int call_moving(const struct call_args *a, const struct execute_buffers *b, int bytes,
                       MPI_Comm comm)
{
    const void *send = a->send == MPI_IN_PLACE ? MPI_IN_PLACE : b->at[BUF_SEND];
    void *recv = a->recv == MPI_IN_PLACE ? MPI_IN_PLACE : b->at[BUF_RECV];
    switch (a->which) {
    case CALL_ARGS_ALLGATHER:
        return PMPI_Allgather(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, comm);
    case CALL_ARGS_ALLGATHERV:
        return PMPI_Allgatherv(a->send, a->send_count, a->send_type, a->recv, a->recv_counts,
                               a->recv_places, a->recv_type, comm);
    case CALL_ARGS_ALLTOALL:
        return PMPI_Alltoall(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, comm);
    case CALL_ARGS_BCAST:
        return PMPI_Bcast(b->at[BUF_DATA], bytes, MPI_BYTE, a->root, comm);
    case CALL_ARGS_GATHER:
        return PMPI_Gather(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, a->root, comm);
    case CALL_ARGS_SCATTER:
        return PMPI_Scatter(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, a->root, comm);
    default:
        return PMPI_Barrier(comm);
    }
}

/* MPICH says so at the call, before anything is sent, by an error of no class of its own. */
int forced_call(struct forced *f, const struct call_args *a, const struct execute_buffers *buffers,
                uint64_t bytes, int *refused)
{
    int class = MPI_SUCCESS;
    force_begin(&f->force);
    const int rc = call_args_combines(a) ? call_combining(a, f->force.comm)
                                         : call_moving(a, buffers, (int)bytes, f->force.comm);
    force_end(&f->force);
    if (rc != MPI_SUCCESS)
        PMPI_Error_class(rc, &class);
    *refused = f->force.n > 0 && class == MPI_ERR_OTHER;
    f->refused_bytes = *refused ? bytes : UINT64_MAX;
    return rc;
}

/* The blocks of one buffer of the application. */
struct side {
    char *at;
    int blocks, count; /* elements of each block, where counts is NULL */
    const int *counts, *places;
    MPI_Datatype type;
    int size; /* bytes of an element; and from one to the next */
    MPI_Aint extent;
};

static uint64_t count_of(const struct side *s, int i)
{
    return (uint64_t)(s->counts ? s->counts[i] : s->count);
}

static char *block_at(const struct side *s, int i)
{
    const MPI_Aint first = s->places ? (MPI_Aint)s->places[i] : (MPI_Aint)i * s->count;
    return (char *)((uintptr_t)s->at + (uintptr_t)(first * s->extent));
}

static uint64_t bytes_of(const struct side *s)
{
    uint64_t n = 0;
    for (int i = 0; i < s->blocks; i++)
        n += count_of(s, i);
    return n * (uint64_t)s->size;
}

int staged_is_named(MPI_Datatype type)
{
    int integers, addresses, types, combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

/* A type of MPI's own without gaps. Others may have the same elements in another order. */
static int is_plain(const struct side *s)
{
    return s->size == s->extent && staged_is_named(s->type);
}

static int is_in_a_row(const struct side *s)
{
    int64_t at = 0;
    for (int i = 0; s->places && i < s->blocks; i++) {
        if (s->counts[i] && s->places[i] != at)
            return 0;
        at += s->counts[i];
    }
    return is_plain(s);
}

static struct side side_of(const void *at, int blocks, int count, MPI_Datatype type)
{
    struct side s = { .at = (char *)(uintptr_t)at, .blocks = blocks, .count = count, .type = type };
    MPI_Aint low;
    PMPI_Type_size(type, &s.size);
    PMPI_Type_get_extent(type, &low, &s.extent);
    return s;
}

static int gets_each(const struct call_args *a)
{
    return a->which == CALL_ARGS_ALLTOALL || a->which == CALL_ARGS_GATHER ||
           a->which == CALL_ARGS_ALLGATHER || a->which == CALL_ARGS_ALLGATHERV;
}

/* 0: there is no such buffer on this rank. */
static int send_side(const struct call_args *a, int rank, int procs, struct side *s)
{
    if (a->which == CALL_ARGS_BCAST || a->send == MPI_IN_PLACE ||
        (a->which == CALL_ARGS_SCATTER && rank != a->root))
        return 0;
    *s = side_of(a->send,
                 (a->which == CALL_ARGS_ALLTOALL || a->which == CALL_ARGS_SCATTER) ? procs : 1,
                 a->send_count, a->send_type);
    return 1;
}

static int recv_side(const struct call_args *a, int rank, int procs, struct side *s)
{
    if (a->recv == MPI_IN_PLACE || (a->which == CALL_ARGS_GATHER && rank != a->root))
        return 0;
    *s = side_of(a->recv, gets_each(a) ? procs : 1, a->recv_count, a->recv_type);
    s->counts = a->which == CALL_ARGS_ALLGATHERV ? a->recv_counts : NULL;
    s->places = s->counts ? a->recv_places : NULL;
    return 1;
}

/* The result holds something before the call. */
static int reads_recv(const struct call_args *a, int rank)
{
    return a->send == MPI_IN_PLACE || (a->which == CALL_ARGS_BCAST && rank == a->root);
}

static int pack(const struct side *s, char *to, MPI_Comm comm)
{
    const int bytes = (int)bytes_of(s);
    int at = 0, rc = MPI_SUCCESS;
    for (int i = 0; i < s->blocks && rc == MPI_SUCCESS; i++)
        rc = PMPI_Pack(block_at(s, i), (int)count_of(s, i), s->type, to, bytes, &at, comm);
    return rc;
}

static int unpack(const struct side *s, char *from, MPI_Comm comm)
{
    const int bytes = (int)bytes_of(s);
    int at = 0, rc = MPI_SUCCESS;
    for (int i = 0; i < s->blocks && rc == MPI_SUCCESS; i++)
        rc = PMPI_Unpack(from, bytes, &at, block_at(s, i), (int)count_of(s, i), s->type, comm);
    return rc;
}

uint64_t staged_element(const struct call_args *a)
{
    MPI_Aint low, extent, true_low, true_extent;
    int size;
    if (!call_args_combines(a))
        return 1;
    PMPI_Type_size(a->recv_type, &size);
    PMPI_Type_get_extent(a->recv_type, &low, &extent);
    PMPI_Type_get_true_extent(a->recv_type, &true_low, &true_extent);
    if (low != 0 || true_low != 0 || (size != extent && !staged_is_named(a->recv_type)))
        return 0;
    return (uint64_t)extent;
}

static void stage_reduction(struct staged *staged, const struct call_args *a, int rank)
{
    const int is_root = a->which != CALL_ARGS_REDUCE || rank == a->root;
    staged->buffers.in_place = a->send == MPI_IN_PLACE;
    staged->buffers.at[BUF_SEND] = staged->buffers.in_place ? NULL : (void *)(uintptr_t)a->send;
    staged->buffers.at[BUF_RECV] = is_root ? a->recv : NULL;
}

static int stage_send(struct staged *staged, struct stage *stage, const struct call_args *a,
                      int rank, int procs)
{
    struct side s;
    if (!send_side(a, rank, procs, &s))
        return MPI_SUCCESS;
    staged->buffers.at[BUF_SEND] = s.at;
    if (is_plain(&s))
        return MPI_SUCCESS;
    array_room(&stage->send, &stage->send_room, (size_t)bytes_of(&s) + 1);
    staged->buffers.at[BUF_SEND] = stage->send;
    return pack(&s, stage->send, a->comm);
}

static int stage_recv(struct staged *staged, struct stage *stage, const struct call_args *a,
                      int rank, int procs)
{
    const enum op_buffer buf = a->which == CALL_ARGS_BCAST ? BUF_DATA : BUF_RECV;
    struct side s;
    if (!recv_side(a, rank, procs, &s))
        return MPI_SUCCESS;
    staged->buffers.at[buf] = s.at;
    if (is_in_a_row(&s))
        return MPI_SUCCESS;
    array_room(&stage->recv, &stage->recv_room, (size_t)bytes_of(&s) + 1);
    staged->buffers.at[buf] = stage->recv;
    staged->unpacks = a->which != CALL_ARGS_BCAST || rank != a->root;
    return reads_recv(a, rank) ? pack(&s, stage->recv, a->comm) : MPI_SUCCESS;
}

int staged_begin(struct staged *staged, struct stage *stage, const struct call_args *a, int rank,
                 int procs)
{
    *staged = (struct staged){ .unpacks = 0 };
    if (a->which == CALL_ARGS_BARRIER)
        return MPI_SUCCESS;
    if (call_args_combines(a)) {
        stage_reduction(staged, a, rank);
        return MPI_SUCCESS;
    }
    staged->buffers.in_place = a->send == MPI_IN_PLACE || a->recv == MPI_IN_PLACE;
    const int rc = stage_send(staged, stage, a, rank, procs);
    return rc == MPI_SUCCESS ? stage_recv(staged, stage, a, rank, procs) : rc;
}

int staged_end(const struct staged *staged, const struct stage *stage, const struct call_args *a,
               int rank, int procs)
{
    struct side s;
    if (!staged->unpacks || !recv_side(a, rank, procs, &s))
        return MPI_SUCCESS;
    return unpack(&s, stage->recv, a->comm);
}

CLEARS(stage_clear, stage, it->send, it->recv)
