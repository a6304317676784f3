/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/forced.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "workloads/libcollsel/force.h"
#include "workloads/libcollsel/mpi_name.h"
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

/* ---- making ---- */

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

/* ---- calling ---- */

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
