/* SPDX-License-Identifier: BSD-3-Clause */
/* bare.c - the calls of a launch and nothing else: no clock, no synchronisation, no gathering, no
 * files. What a simulated study costs beyond this is what the program around it costs (make bench).
 * Usage, under smpirun: bare POINTS INNER */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/number.h"
#include "workloads/measure/launch_points.h"
#include "workloads/measure/ready_call.h"

static struct team *team_of(struct team *teams, size_t *n, MPI_Comm world, int procs,
                            struct err *err)
{
    for (size_t i = 0; i < *n; i++)
        if (teams[i].procs == procs)
            return &teams[i];
    return team_init(&teams[*n], world, procs, err) < 0 ? NULL : &teams[(*n)++];
}

static int call_all(const struct point *points, size_t n, const struct measure_options *o,
                    const struct arena *arena, struct err *err)
{
    struct team *teams = calloc(n + 1, sizeof *teams);
    size_t n_teams = 0;
    int status = teams ? 0 : err_set(err, "out of memory");
    for (size_t i = 0; i < n && status == 0; i++) {
        struct ready_call trial;
        const struct team *team =
            team_of(teams, &n_teams, MPI_COMM_WORLD, points[i].cell.procs, err);
        if (!team)
            status = -1;
        if (!team || team->rank < 0)
            continue;
        if (ready_call_init(&trial, &points[i], team, arena, o, err) < 0 ||
            ready_call_run(&trial) != MPI_SUCCESS)
            status = -1;
        ready_call_clear(&trial);
    }
    for (size_t i = 0; i < n_teams; i++)
        team_clear(&teams[i]);
    free(teams);
    return status;
}

int main(int argc, char **argv)
{
    struct measure_options o = { .no_check = 1, .deterministic = 1 };
    struct err err = { 0 };
    struct arena arena = { 0 };
    struct point *points = NULL;
    uint64_t inner = 0;
    size_t n = 0;
    int rank, status = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 3 && parse_u64(argv[2], &inner, &err) == 0 && inner > 0) {
        o.inner = (int)inner;
        if (points_load(argv[1], MPI_COMM_WORLD, &points, &n, &err) == 0 &&
            arena_init(&arena, points, n, rank, &o, 1, &err) == 0)
            status = call_all(points, n, &o, &arena, &err);
    }
    if (status < 0)
        fprintf(stderr, "bare: %s\n", *err.text ? err.text : "usage: bare POINTS INNER");
    arena_clear(&arena);
    if (points)
        points_free(points, MPI_COMM_WORLD);
    MPI_Finalize();
    return status < 0;
}
