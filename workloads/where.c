/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/where.h"

#include <stdlib.h>
#include <string.h>

#include "workloads/placement.h"
#include "workloads/record.h"

struct place {
    char host[MPI_MAX_PROCESSOR_NAME];
    char cpus[256];
    struct socket_place socket;
};

static struct place my_place(void)
{
    struct place p = { .socket = { -1, 0 } };
    int len;
    MPI_Get_processor_name(p.host, &len);
#ifndef MPI_IS_smpi /* there, the process's CPUs say nothing about the simulated host */
    placement_cpus(p.cpus, sizeof p.cpus);
    p.socket = placement_socket();
#endif
    return p;
}

/* What rank 0 has gathered, by kind. */
struct gathered {
    struct place *places;
    const char **hosts, **cpus;
    struct socket_place *sockets;
};

static int judge(const struct measure_options *o, int ranks, const struct gathered *g,
                 struct err *wrong, struct err *err)
{
    for (int r = 0; r < ranks; r++) {
        g->hosts[r] = g->places[r].host;
        g->cpus[r] = g->places[r].cpus;
        g->sockets[r] = g->places[r].socket;
    }
    if (placement_check(o->mapping, o->nodes, o->ppn, ranks, g->hosts, wrong) == 0)
        placement_check_sockets(o->mapping, o->nodes, o->ppn, ranks, g->sockets, wrong);
    return record_placement(o->placement, ranks, g->hosts, g->cpus, err);
}

int where_check(const struct measure_options *o, MPI_Comm world, struct err *wrong, struct err *err)
{
    int rank, ranks, status = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    const size_t n = rank == 0 ? (size_t)ranks : 1;
    const struct place mine = my_place();
    const struct gathered g = { calloc(n, sizeof *g.places), calloc(n, sizeof *g.hosts),
                                calloc(n, sizeof *g.cpus), calloc(n, sizeof *g.sockets) };
    if (!g.places || !g.hosts || !g.cpus || !g.sockets)
        MPI_Abort(world, EXIT_FAILED);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, g.places, sizeof mine, MPI_BYTE, 0, world);
    if (rank == 0)
        status = judge(o, ranks, &g, wrong, err);
    MPI_Bcast(wrong, sizeof *wrong, MPI_BYTE, 0, world);
    free(g.places);
    free(g.hosts);
    free(g.cpus);
    free(g.sockets);
    return status;
}
