/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/mesh.h"

/* The largest divisor whose square is not above n. */
static int divisor_below_square_root(int n)
{
    int d = 1;
    while (d + 1 <= n / (d + 1))
        d++;
    while (n % d)
        d--;
    return d;
}

/* The largest divisor whose cube is not above n and that leaves a number that can be divided; 1
 * where there is none. */
static int divisor_below_cube_root(int n)
{
    int d = 1;
    while (d + 1 <= n / (d + 1) / (d + 1))
        d++;
    while (d > 1 && (n % d || divisor_below_square_root(n / d) == 1))
        d--;
    return d;
}

struct mesh mesh_of(int procs)
{
    const int rows = divisor_below_square_root(procs), planes = divisor_below_cube_root(procs);
    const int of_plane = procs / planes, deep_rows = divisor_below_square_root(of_plane);
    return (struct mesh){ { procs / rows, rows }, { of_plane / deep_rows, deep_rows, planes } };
}
