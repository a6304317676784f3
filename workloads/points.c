/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/points.h"

#include <stdlib.h>

#include "harness/base/array.h"

static int check_point(const struct csv *csv, const struct point *p, int ranks, struct err *err)
{
    if (p->cell.procs < 1 || p->cell.procs > ranks)
        return csv_fail(csv, err, "procs is %d (want 1 to %d, the ranks of the launch)",
                        p->cell.procs, ranks);
    if (p->cell.root < 0 || p->cell.root >= p->cell.procs)
        return csv_fail(csv, err, "root is %d (want 0 to %d)", p->cell.root, p->cell.procs - 1);
    return 0;
}

static int append(struct point **points, size_t *n, const struct point *p, struct err *err)
{
    struct point *next = array_add(points, n);
    if (!next)
        return err_set(err, "out of memory");
    *next = *p;
    return 0;
}

static int read_rows(struct csv *csv, int ranks, struct point **points, size_t *n, struct err *err)
{
    int got;
    while ((got = csv_next(csv, err)) == 1) {
        struct point p;
        if (point_read(csv, &p, err) < 0 || check_point(csv, &p, ranks, err) < 0 ||
            append(points, n, &p, err) < 0)
            return -1;
    }
    if (got == 0 && csv_truncated(csv))
        return err_set(err, "%s: the last line is cut short", csv_path(csv));
    return got;
}

static int read_file(const char *path, int ranks, struct point **points, size_t *n, struct err *err)
{
    struct csv *csv = csv_open(path, point_required, err);
    if (!csv)
        return -1;
    const int status = read_rows(csv, ranks, points, n, err);
    csv_close(csv);
    return status;
}

#ifdef MPI_IS_smpi

/* Simulated ranks live in one process: they share the one array. */
static int spread(struct point **points, long long n, int rank, MPI_Comm world)
{
    (void)n;
    (void)rank;
    MPI_Bcast(points, sizeof *points, MPI_BYTE, 0, world);
    return 0;
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

static int spread(struct point **points, long long n, int rank, MPI_Comm world)
{
    enum { CHUNK = 1024 };
    if (rank != 0 && !(*points = malloc((size_t)(n ? n : 1) * sizeof **points)))
        return -1;
    for (long long at = 0; at < n; at += CHUNK) {
        const long long count = n - at < CHUNK ? n - at : CHUNK;
        MPI_Bcast(*points + at, (int)(count * (long long)sizeof **points), MPI_BYTE, 0, world);
    }
    return 0;
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
    if (spread(points, count, rank, world) < 0)
        return err_set(err, "out of memory");
    return 0;
}
