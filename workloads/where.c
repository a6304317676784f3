/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/where.h"

#include <stdlib.h>
#include <string.h>

#include "workloads/placement.h"
#include "workloads/record.h"

struct place {
    char host[MPI_MAX_PROCESSOR_NAME];
    char cpus[256];
};

static struct place my_place(void)
{
    struct place p = { { 0 }, { 0 } };
    int len;
    MPI_Get_processor_name(p.host, &len);
#ifndef MPI_IS_smpi /* there, the process's CPUs say nothing about the simulated host */
    placement_cpus(p.cpus, sizeof p.cpus);
#endif
    return p;
}

static int judge(const struct measure_options *o, int ranks, const struct place *places,
                 const char **hosts, const char **cpus, struct err *wrong, struct err *err)
{
    for (int r = 0; r < ranks; r++) {
        hosts[r] = places[r].host;
        cpus[r] = places[r].cpus;
    }
    placement_check(o->mapping, o->nodes, o->ppn, ranks, hosts, wrong);
    return record_placement(o->placement, ranks, hosts, cpus, err);
}

int where_check(const struct measure_options *o, MPI_Comm world, struct err *wrong, struct err *err)
{
    int rank, ranks, status = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    const size_t n = rank == 0 ? (size_t)ranks : 1;
    const struct place mine = my_place();
    struct place *places = calloc(n, sizeof *places);
    const char **names = calloc(2 * n, sizeof *names);
    if (!places || !names)
        MPI_Abort(world, EXIT_FAILED);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, places, sizeof mine, MPI_BYTE, 0, world);
    if (rank == 0)
        status = judge(o, ranks, places, names, names + n, wrong, err);
    MPI_Bcast(wrong, sizeof *wrong, MPI_BYTE, 0, world);
    free(places);
    free(names);
    return status;
}
