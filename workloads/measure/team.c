/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/team.h"

enum { TAG = 13 };

/* -1 when MPI cannot. */
static int make_work(struct team *team)
{
    if (MPI_Comm_dup(team->control, &team->work) != MPI_SUCCESS)
        return -1;
    MPI_Comm_set_errhandler(team->work, MPI_ERRORS_RETURN);
    return 0;
}

#ifdef MPI_IS_smpi

static int rank_on_node(MPI_Comm comm)
{
    (void)comm;
    return 0;
}

#else

static int rank_on_node(MPI_Comm comm)
{
    MPI_Comm node;
    int rank, on_node = 0;
    MPI_Comm_rank(comm, &rank);
    if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node) ==
        MPI_SUCCESS) {
        MPI_Comm_rank(node, &on_node);
        MPI_Comm_free(&node);
    }
    return on_node;
}

#endif

int team_init_chosen(struct team *team, MPI_Comm world, int procs, int chosen, struct err *err)
{
    int rank;
    MPI_Comm_rank(world, &rank);
    *team = (struct team){
        .procs = procs, .rank = -1, .control = MPI_COMM_NULL, .work = MPI_COMM_NULL
    };
    if (MPI_Comm_split(world, chosen ? 0 : MPI_UNDEFINED, rank, &team->control) != MPI_SUCCESS)
        return err_set(err, "cannot make a communicator of %d ranks", procs);
    if (!chosen)
        return 0;
    MPI_Comm_rank(team->control, &team->rank);
    team->node_rank = rank_on_node(team->control);
    if (make_work(team) < 0)
        return err_set(err, "cannot make a communicator of %d ranks", procs);
    sync_init(&team->sync, team->control);
    return 0;
}

int team_init(struct team *team, MPI_Comm world, int procs, struct err *err)
{
    int rank;
    MPI_Comm_rank(world, &rank);
    return team_init_chosen(team, world, procs, rank < procs, err);
}

/* An error on control ends the program, as everywhere else. */
void team_renew(struct team *team)
{
    MPI_Comm_free(&team->work);
    make_work(team);
}

void team_clear(struct team *team)
{
    if (team->rank < 0)
        return;
    sync_clear(&team->sync);
    if (team->tree.n_leaders)
        clock_tree_clear(&team->tree);
    MPI_Comm_free(&team->work);
    MPI_Comm_free(&team->control);
}

enum { MOST_BYTES = 64 }; /* of values that are combined */

#ifdef MPI_IS_mpich

/* What is forced holds on every communicator: a forced MPI_Allreduce may refuse so few elements.
 * Up a binomial tree, and down again. */
void team_combine(MPI_Comm comm, void *values, int n, MPI_Datatype type, MPI_Op op)
{
    char its[MOST_BYTES];
    int rank, procs, bit;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &procs);
    for (bit = 1; bit < procs && !(rank & bit); bit *= 2)
        if (rank + bit < procs) {
            MPI_Recv(its, n, type, rank + bit, TAG, comm, MPI_STATUS_IGNORE);
            MPI_Reduce_local(its, values, n, type, op);
        }
    if (rank > 0) {
        MPI_Send(values, n, type, rank - bit, TAG, comm);
        MPI_Recv(values, n, type, rank - bit, TAG, comm, MPI_STATUS_IGNORE);
    }
    for (bit /= 2; bit > 0; bit /= 2)
        if (rank + bit < procs)
            MPI_Send(values, n, type, rank + bit, TAG, comm);
}

#else

void team_combine(MPI_Comm comm, void *values, int n, MPI_Datatype type, MPI_Op op)
{
    char mine[MOST_BYTES];
    int size;
    MPI_Type_size(type, &size);
    memcpy(mine, values, (size_t)(n * size));
    MPI_Allreduce(mine, values, n, type, op, comm);
}

#endif

/* Point to point: a forced MPI_Bcast must not carry the bad news about itself. */
int team_agree(const struct team *team, int status, struct err *err)
{
    struct err told = { 0 };
    int first = status < 0 ? team->rank : team->procs;
    team_combine(team->control, &first, 1, MPI_INT, MPI_MIN);
    if (first == team->procs)
        return 0;
    if (team->rank == first && first != 0)
        MPI_Send(err, sizeof *err, MPI_BYTE, 0, TAG, team->control);
    if (team->rank == 0 && first != 0) {
        MPI_Recv(&told, sizeof told, MPI_BYTE, first, TAG, team->control, MPI_STATUS_IGNORE);
        *err = told;
    }
    return -1;
}
