/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/call_args.h"

#include <string.h>

const char *asked_name(enum asked_which which)
{
    static const char *const names[N_ASKED] = {
        [ASKED_ALLGATHER] = "allgather",
        [ASKED_ALLGATHERV] = "allgatherv",
        [ASKED_ALLREDUCE] = "allreduce",
        [ASKED_ALLTOALL] = "alltoall",
        [ASKED_ALLTOALLV] = "alltoallv",
        [ASKED_BARRIER] = "barrier",
        [ASKED_BCAST] = "bcast",
        [ASKED_EXSCAN] = "exscan",
        [ASKED_GATHER] = "gather",
        [ASKED_GATHERV] = "gatherv",
        [ASKED_REDUCE] = "reduce",
        [ASKED_REDUCE_SCATTER] = "reduce_scatter",
        [ASKED_REDUCE_SCATTER_BLOCK] = "reduce_scatter_block",
        [ASKED_SCAN] = "scan",
        [ASKED_SCATTER] = "scatter",
        [ASKED_SCATTERV] = "scatterv",
    };
    return names[which];
}

/* ---- sizes ---- */

/* Bytes of so many elements; -1: there are no such. */
static int bytes_of(int count, MPI_Datatype type, uint64_t *bytes)
{
    int size = 0;
    if (count < 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS ||
        size < 0)
        return -1;
    *bytes = (uint64_t)count * (uint64_t)size;
    return 0;
}

static int bytes_of_all(const int *counts, int n, MPI_Datatype type, uint64_t *bytes)
{
    uint64_t one;
    *bytes = 0;
    if (!counts)
        return -1;
    for (int i = 0; i < n; i++) {
        if (bytes_of(counts[i], type, &one) < 0)
            return -1;
        *bytes += one;
    }
    return 0;
}

/* What one rank alone knows: rows of a report are then fewer. */
static uint64_t rounded(uint64_t bytes)
{
    uint64_t power = 1;
    while (power < bytes && power < UINT64_C(1) << 62)
        power *= 2;
    return bytes ? power : 0;
}

/* What is received says as much as what is sent where that is in place, or not there. */
int asked_block(const struct asked *a, int is_root, int *count, MPI_Datatype *type)
{
    int is_sent = 0;
    switch (a->which) {
    case ASKED_ALLGATHERV:
    case ASKED_ALLTOALLV:
    case ASKED_BARRIER:
    case ASKED_GATHERV:
    case ASKED_REDUCE_SCATTER:
    case ASKED_SCATTERV:
        return 0;
    case ASKED_ALLGATHER:
    case ASKED_ALLTOALL:
    case ASKED_GATHER:
        is_sent = a->send != MPI_IN_PLACE;
        break;
    case ASKED_SCATTER:
        is_sent = is_root;
        break;
    default:
        break;
    }
    *count = is_sent ? a->send_count : a->recv_count;
    *type = is_sent ? a->send_type : a->recv_type;
    return 1;
}

static int bytes_own(const struct asked *a, int is_root, int procs, uint64_t *bytes)
{
    switch (a->which) {
    case ASKED_GATHERV:
        return is_root ? bytes_of_all(a->recv_counts, procs, a->recv_type, bytes)
                       : bytes_of(a->send_count, a->send_type, bytes);
    case ASKED_SCATTERV:
        return is_root ? bytes_of_all(a->send_counts, procs, a->send_type, bytes)
                       : bytes_of(a->recv_count, a->recv_type, bytes);
    default:
        return a->send == MPI_IN_PLACE ? bytes_of_all(a->recv_counts, procs, a->recv_type, bytes)
                                       : bytes_of_all(a->send_counts, procs, a->send_type, bytes);
    }
}

static int bytes_shared(const struct asked *a, int is_root, int procs, uint64_t *bytes)
{
    int count;
    MPI_Datatype type;
    *bytes = 0;
    if (asked_block(a, is_root, &count, &type))
        return bytes_of(count, type, bytes);
    return a->which == ASKED_BARRIER ? 0 : bytes_of_all(a->recv_counts, procs, a->recv_type, bytes);
}

int asked_size(const struct asked *a, int rank, int procs, struct asked_size *size)
{
    const int is_rooted = asked_is_rooted(a), is_root = is_rooted && rank == a->root;
    if ((is_rooted && (a->root < 0 || a->root >= procs)) ||
        (asked_combines(a) && a->op == MPI_OP_NULL))
        return -1;
    size->own =
        a->which == ASKED_ALLTOALLV || a->which == ASKED_GATHERV || a->which == ASKED_SCATTERV;
    if (!size->own)
        return bytes_shared(a, is_root, procs, &size->bytes);
    if (bytes_own(a, is_root, procs, &size->bytes) < 0)
        return -1;
    size->bytes = rounded(size->bytes);
    return 0;
}

/* ---- operations ---- */

/* The commonest alone, before all are laid out. */
static const char *common_op(const struct asked *a)
{
    if (!asked_combines(a))
        return "";
    return a->op == MPI_SUM ? "sum" : a->op == MPI_MAX ? "max" : a->op == MPI_MIN ? "min" : NULL;
}

static const char *find_op(const struct asked *a)
{
    const struct {
        MPI_Op op;
        const char *name;
    } known[] = {
        { MPI_PROD, "prod" }, { MPI_LAND, "land" },     { MPI_LOR, "lor" },
        { MPI_LXOR, "lxor" }, { MPI_BAND, "band" },     { MPI_BOR, "bor" },
        { MPI_BXOR, "bxor" }, { MPI_MAXLOC, "maxloc" }, { MPI_MINLOC, "minloc" },
    };
    int commutes = 1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (a->op == known[i].op)
            return known[i].name;
    PMPI_Op_commutative(a->op, &commutes);
    return commutes ? "user" : "user_ordered";
}

const char *asked_op(const struct asked *a)
{
    const char *common = common_op(a);
    return common ? common : find_op(a);
}
