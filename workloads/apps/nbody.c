/* SPDX-License-Identifier: BSD-3-Clause */
/* nbody.c - bodies that attract each other: every rank moves its share, and tells all others of it
 * by an allgather in each step, or around a ring of ranks (--ring 1), where no rank ever has all.
 *
 * A body is 40 bytes on the way (its place, its mass, its number), so 8,000 bodies on 16 ranks are
 * the 20,000 bytes a rank of the STAR-MPI paper's Table 2, topology (a), 25,600 on 32 the 32,000 of
 * (b). A step is Euler's, symplectic; --thin K feels every K-th body alone, K times as heavy: fewer
 * calculations for the same messages.
 *
 * With the allgather the forces are added in the order of the bodies, whatever the algorithm and
 * however many ranks there are: places are the same to the bit. Check: momentum is kept. */
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/apps/app.h"

struct body {
    double place[3], mass, number;
};

struct swarm {
    long bodies, steps, thin, ring, mine; /* mine: bodies of each rank */
    struct body *own, *all;               /* all: of a ring, one rank's */
    double (*speed)[3], (*force)[3];
    double potential; /* of own bodies, twice */
};

static const double step_s = 1e-3, softening = 1e-2;

static void feel(struct swarm *s, const struct body *others, long n)
{
    for (long i = 0; i < s->mine; i++) {
        const struct body *a = &s->own[i];
        /* Those with which its number adds up to a multiple of thin: they feel it, too. */
        const long numbers = (long)a->number + (long)others->number;
        for (long j = (s->thin - numbers % s->thin) % s->thin; j < n; j += s->thin) {
            const struct body *b = &others[j];
            double d[3], square = softening, weight;
            if (a->number == b->number)
                continue;
            for (int k = 0; k < 3; k++) {
                d[k] = b->place[k] - a->place[k];
                square += d[k] * d[k];
            }
            weight = (double)s->thin * a->mass * b->mass / sqrt(square);
            s->potential -= weight;
            for (int k = 0; k < 3; k++)
                s->force[i][k] += weight / square * d[k];
        }
    }
}

static void pass_around(struct swarm *s)
{
    const int rank = app_rank(), procs = app_procs();
    const int bytes = (int)((size_t)s->mine * sizeof *s->all);
    memcpy(s->all, s->own, (size_t)bytes);
    for (int i = 0; i < procs; i++) {
        feel(s, s->all, s->mine);
        if (i + 1 < procs)
            MPI_Sendrecv_replace(s->all, bytes, MPI_BYTE, (rank + 1) % procs, 1,
                                 (rank + procs - 1) % procs, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void step(struct swarm *s)
{
    const int doubles = (int)((size_t)s->mine * sizeof(struct body) / sizeof(double));
    memset(s->force, 0, (size_t)s->mine * sizeof *s->force);
    s->potential = 0;
    if (s->ring) {
        pass_around(s);
    } else {
        MPI_Allgather(s->own, doubles, MPI_DOUBLE, s->all, doubles, MPI_DOUBLE, MPI_COMM_WORLD);
        feel(s, s->all, s->bodies);
    }
    for (long i = 0; i < s->mine; i++)
        for (int k = 0; k < 3; k++) {
            s->speed[i][k] += s->force[i][k] / s->own[i].mass * step_s;
            s->own[i].place[k] += s->speed[i][k] * step_s;
        }
}

static void fill(struct swarm *s)
{
    s->mine = s->bodies / app_procs();
    s->own = app_memory((size_t)s->mine, sizeof *s->own);
    s->all = app_memory((size_t)(s->ring ? s->mine : s->bodies), sizeof *s->all);
    s->speed = app_memory((size_t)s->mine, sizeof *s->speed);
    s->force = app_memory((size_t)s->mine, sizeof *s->force);
    for (long i = 0; i < s->mine; i++) {
        const unsigned long number = (unsigned long)(app_rank() * s->mine + i);
        s->own[i].number = (double)number;
        s->own[i].mass = (1 + app_random(4 * number)) / (double)s->bodies;
        for (unsigned k = 0; k < 3; k++)
            s->own[i].place[k] = app_random(4 * number + 1 + k);
    }
}

static double kinetic(const struct swarm *s)
{
    double sum = 0;
    for (long i = 0; i < s->mine; i++)
        for (int k = 0; k < 3; k++)
            sum += s->own[i].mass * s->speed[i][k] * s->speed[i][k] / 2;
    return sum;
}

/* All start at rest, so that the momentum in each direction stays 0. */
static int momentum_is_lost(const struct swarm *s)
{
    double mine[3] = { 0 }, sum[3], size = 0, all = 0;
    for (long i = 0; i < s->mine; i++)
        for (int k = 0; k < 3; k++) {
            mine[k] += s->own[i].mass * s->speed[i][k];
            size += s->own[i].mass * fabs(s->speed[i][k]);
        }
    MPI_Allreduce(mine, sum, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&size, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return !(fabs(sum[0]) + fabs(sum[1]) + fabs(sum[2]) <= 1e-9 * all);
}

int main(int argc, char **argv)
{
    struct swarm s = { .bodies = 960, .steps = 100, .thin = 1 };
    const struct app_option options[] = {
        { "bodies", &s.bodies, 1, LONG_MAX,
          "how many; those of the last ranks are dropped where ranks do not divide them" },
        { "steps", &s.steps, 1, LONG_MAX, "calls of allgather" },
        { "thin", &s.thin, 1, LONG_MAX, "feel every so many-th body" },
        { "ring", &s.ring, 0, 1, "1: around a ring, without allgather" },
        { 0 },
    };
    int lost;
    app_begin(argc, argv, options);
    s.bodies -= s.bodies % app_procs();
    fill(&s);
    app_steps_begin();
    for (long i = 0; i < s.steps; i++)
        step(&s);
    app_steps_end();
    app_result_sum("kinetic", kinetic(&s));
    app_result_sum("potential", s.potential / 2);
    if (!s.ring)
        app_result_digest("places", s.own, (size_t)s.mine * sizeof *s.own);
    lost = momentum_is_lost(&s);
    free(s.own);
    free(s.all);
    free(s.speed);
    free(s.force);
    return app_end(lost, "momentum is not kept");
}
