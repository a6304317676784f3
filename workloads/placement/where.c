/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/placement/where.h"

#include "workloads/measure/record.h"

#ifdef MPI_IS_smpi
/* A simulated core is a host, nNODE.SOCKET.CORE; a node simulated whole nNODE. */
static void find_seat(const struct measure_options *o, struct place *place)
{
    char *dot = strchr(place->host, '.');
    if (!dot)
        return;
    *dot = '\0';
    if (o->ppn > o->sockets * o->cores)
        return;
    place->socket = (int)strtol(dot + 1, &dot, 10);
    place->core = (int)strtol(dot + 1, NULL, 10);
    place->n_cores = 1;
    place->sockets = o->sockets;
}
#else
/* Among the CPUs that the ranks of this node may use together: what the job was given. */
static void bind_me(const struct measure_options *o, MPI_Comm world, int rank, int ranks)
{
    const struct seating s = measure_options_seating(o, o->mapping, o->nodes, o->ppn, ranks);
    cpu_set_t mine, allowed, *of = memory_zeros((size_t)ranks, sizeof *of);
    CPU_ZERO(&mine);
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof mine, &mine);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, of, sizeof mine, MPI_BYTE, world);
    for (int r = 0; r < ranks; r++)
        if (seat_node(&s, r) == seat_node(&s, rank))
            CPU_OR(&allowed, &allowed, &of[r]);
    placement_bind(&s, rank, &allowed);
    free(of);
}
#endif

static void find_me(const struct measure_options *o, MPI_Comm world, int rank, int ranks,
                    struct place *place)
{
    char host[MPI_MAX_PROCESSOR_NAME];
    int len;
    *place = (struct place){ .socket = -1, .core = -1 };
    MPI_Get_processor_name(host, &len);
    snprintf(place->host, sizeof place->host, "%.*s", PLACE_HOST - 1, host);
#ifdef MPI_IS_smpi /* the process's CPUs say nothing about the simulated host */
    (void)world, (void)rank, (void)ranks;
    find_seat(o, place);
#else
    if (o->bind)
        bind_me(o, world, rank, ranks);
    placement_here(place);
#endif
}

static int judge(const struct measure_options *o, int ranks, const struct place *places,
                 struct err *wrong, struct err *err)
{
    const struct placement asked = {
        .seating = measure_options_seating(o, o->mapping, o->nodes, o->ppn, ranks),
        .hosts = o->hosts,
        .bound = o->bound,
    };
    placement_check(&asked, places, wrong);
    return record_placement(o->placement, &asked, places, wrong->text, err);
}

int where_check(const struct measure_options *o, MPI_Comm world, struct err *wrong, struct err *err)
{
    int rank, ranks, status = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    struct place mine, *places = memory_zeros(rank == 0 ? (size_t)ranks : 1, sizeof *places);
    find_me(o, world, rank, ranks, &mine);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, places, sizeof mine, MPI_BYTE, 0, world);
    if (rank == 0)
        status = judge(o, ranks, places, wrong, err);
    MPI_Bcast(wrong, sizeof *wrong, MPI_BYTE, 0, world);
    free(places);
    return status;
}
