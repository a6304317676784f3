/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/launch_points.h"

static int fits(const struct point *p, int ranks, struct err *err)
{
    return p->cell.procs <= ranks
               ? 0
               : err_set(err, "procs is %d (want 1 to %d, the ranks of the launch)", p->cell.procs,
                         ranks);
}

static int read_file(const char *path, int ranks, struct point **points, size_t *n, struct err *err)
{
    struct schema_reader in;
    struct point p;
    int got;
    if (schema_open(&in, &point_schema, path, err) < 0)
        return -1;
    while ((got = schema_next(&in, &p, err)) == 1) {
        *array_add(points, n) = p;
        if (fits(&p, ranks, err) < 0) {
            got = schema_fail(&in, err);
            break;
        }
    }
    schema_close(&in);
    return got;
}

#ifdef MPI_IS_smpi

/* Simulated ranks live in one process: they share the one array. */
static void spread(struct point **points, long long n, int rank, MPI_Comm world)
{
    (void)n;
    (void)rank;
    MPI_Bcast(points, sizeof *points, MPI_BYTE, 0, world);
}

void points_free(struct point *points, MPI_Comm world)
{
    int rank;
    MPI_Comm_rank(world, &rank);
    MPI_Barrier(world);
    if (rank == 0)
        free(points);
}

#else

static void spread(struct point **points, long long n, int rank, MPI_Comm world)
{
    enum { CHUNK = 1024 };
    if (rank != 0)
        *points = memory_zeros((size_t)n, sizeof **points);
    for (long long at = 0; at < n; at += CHUNK) {
        const long long count = n - at < CHUNK ? n - at : CHUNK;
        MPI_Bcast(*points + at, (int)(count * (long long)sizeof **points), MPI_BYTE, 0, world);
    }
}

void points_free(struct point *points, MPI_Comm world)
{
    (void)world;
    free(points);
}

#endif

int points_load(const char *path, MPI_Comm world, struct point **points, size_t *n, struct err *err)
{
    int rank, ranks;
    long long count = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    *points = NULL;
    *n = 0;
    if (rank == 0)
        count = read_file(path, ranks, points, n, err) < 0 ? -1 : (long long)*n;
    MPI_Bcast(&count, 1, MPI_LONG_LONG, 0, world);
    if (count < 0) {
        if (rank == 0)
            free(*points);
        *points = NULL;
        *n = 0;
        return -1;
    }
    *n = (size_t)count;
    spread(points, count, rank, world);
    return 0;
}
