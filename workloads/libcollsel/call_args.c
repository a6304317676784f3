/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/call_args.h"

const char *call_args_name(enum call_args_which which)
{
#define CALL_ARGS_NAME(KIND, Name, name, SHAPE) #name,
    static const char *const names[N_ASKED] = { MPI_CALLS_REPLACED(CALL_ARGS_NAME) };
    return names[which];
}

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
int call_args_block(const struct call_args *a, int is_root, int *count, MPI_Datatype *type)
{
    int is_sent = 0;
    switch (a->which) {
    case CALL_ARGS_ALLGATHERV:
    case CALL_ARGS_ALLTOALLV:
    case CALL_ARGS_BARRIER:
    case CALL_ARGS_GATHERV:
    case CALL_ARGS_REDUCE_SCATTER:
    case CALL_ARGS_SCATTERV:
        return 0;
    case CALL_ARGS_ALLGATHER:
    case CALL_ARGS_ALLTOALL:
    case CALL_ARGS_GATHER:
        is_sent = a->send != MPI_IN_PLACE;
        break;
    case CALL_ARGS_SCATTER:
        is_sent = is_root;
        break;
    default:
        break;
    }
    *count = is_sent ? a->send_count : a->recv_count;
    *type = is_sent ? a->send_type : a->recv_type;
    return 1;
}

static int bytes_own(const struct call_args *a, int is_root, int procs, uint64_t *bytes)
{
    switch (a->which) {
    case CALL_ARGS_GATHERV:
        return is_root ? bytes_of_all(a->recv_counts, procs, a->recv_type, bytes)
                       : bytes_of(a->send_count, a->send_type, bytes);
    case CALL_ARGS_SCATTERV:
        return is_root ? bytes_of_all(a->send_counts, procs, a->send_type, bytes)
                       : bytes_of(a->recv_count, a->recv_type, bytes);
    default:
        return a->send == MPI_IN_PLACE ? bytes_of_all(a->recv_counts, procs, a->recv_type, bytes)
                                       : bytes_of_all(a->send_counts, procs, a->send_type, bytes);
    }
}

static int bytes_shared(const struct call_args *a, int is_root, int procs, uint64_t *bytes)
{
    int count;
    MPI_Datatype type;
    *bytes = 0;
    if (call_args_block(a, is_root, &count, &type))
        return bytes_of(count, type, bytes);
    return a->which == CALL_ARGS_BARRIER ? 0
                                         : bytes_of_all(a->recv_counts, procs, a->recv_type, bytes);
}

int call_args_size(const struct call_args *a, int rank, int procs, struct call_args_size *size)
{
    const int is_rooted = call_args_is_rooted(a), is_root = is_rooted && rank == a->root;
    if ((is_rooted && (a->root < 0 || a->root >= procs)) ||
        (call_args_combines(a) && a->op == MPI_OP_NULL))
        return -1;
    size->own = a->which == CALL_ARGS_ALLTOALLV || a->which == CALL_ARGS_GATHERV ||
                a->which == CALL_ARGS_SCATTERV;
    if (!size->own)
        return bytes_shared(a, is_root, procs, &size->bytes);
    if (bytes_own(a, is_root, procs, &size->bytes) < 0)
        return -1;
    size->bytes = rounded(size->bytes);
    return 0;
}

/* The commonest alone, before all are laid out. */
static const char *common_op(const struct call_args *a)
{
    if (!call_args_combines(a))
        return "";
    return a->op == MPI_SUM ? "sum" : a->op == MPI_MAX ? "max" : a->op == MPI_MIN ? "min" : NULL;
}

static const char *find_op(const struct call_args *a)
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

const char *call_args_op(const struct call_args *a)
{
    const char *common = common_op(a);
    return common ? common : find_op(a);
}
