/* SPDX-License-Identifier: BSD-3-Clause */
/* ntube.c - atoms of a tube that swing: rings of atoms, each bound to its four neighbours by
 * springs. Every rank moves the atoms of a piece of the tube, and gets all others' by an allgatherv
 * in each step, as codes do that replicate their data.
 *
 * An atom is 160 bytes on the way: its place, speed and force, and the ten doubles that a
 * predictor of high order would carry. 25,600 atoms on 16 ranks are the 256,000 bytes a rank of the
 * STAR-MPI paper's Table 2, topology (a), on 32 the 128,000 of (b).
 *
 * Counts are irregular, and change: pieces are up to --uneven percent longer and shorter than the
 * mean, and every tenth step the borders move, so that the calls have the same sum of counts alone.
 *
 * Forces are added neighbour by neighbour: places are the same to the bit, whatever the algorithm
 * and however many ranks there are. Check: what was gathered of each atom has its number. */
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#include "workloads/apps/app.h"

enum { DOUBLES = 20, AROUND = 16 };

struct atom {
    double place[3], speed[3], force[3], number, carried[10];
};

struct tube {
    long atoms, steps, uneven;
    struct atom *all, *own;
    int *counts, *starts; /* in doubles */
    long first, mine;
};

static const double step_s = 0.02;

/* Border r of this epoch: even pieces, each moved by a part of a piece. */
static long border(const struct tube *t, long r, long epoch)
{
    const long procs = app_procs();
    const double piece = (double)t->atoms / (double)procs;
    const double moved = app_random((unsigned long)(1000003 * epoch + r)) - 0.5;
    if (r == 0 || r == procs)
        return r == 0 ? 0 : t->atoms;
    return (long)(piece * ((double)r + moved * (double)t->uneven / 100));
}

static void divide(struct tube *t, long epoch)
{
    for (int r = 0; r < app_procs(); r++) {
        t->starts[r] = (int)(DOUBLES * border(t, r, epoch));
        t->counts[r] = (int)(DOUBLES * border(t, r + 1, epoch)) - t->starts[r];
    }
    t->first = t->starts[app_rank()] / DOUBLES;
    t->mine = t->counts[app_rank()] / DOUBLES;
}

/* The spring from atom i to another, which rests at `rest`; no atom beyond the ends. */
static void pull(const struct tube *t, long i, long other, double rest, double force[3])
{
    double d[3], length = 0;
    if (other < 0 || other >= t->atoms)
        return;
    for (int k = 0; k < 3; k++) {
        d[k] = t->all[other].place[k] - t->all[i].place[k];
        length += d[k] * d[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; k++)
        force[k] += (length - rest) * d[k] / length;
}

static long around(long i, long by)
{
    return i - i % AROUND + (i % AROUND + by + AROUND) % AROUND;
}

static double chord(void)
{
    return 2 * sin(acos(-1.0) / AROUND);
}

static void move(const struct tube *t, long i, struct atom *a)
{
    *a = t->all[i];
    for (int k = 0; k < 3; k++)
        a->force[k] = 0;
    pull(t, i, around(i, 1), chord(), a->force);
    pull(t, i, around(i, -1), chord(), a->force);
    pull(t, i, i + AROUND, 0.5, a->force);
    pull(t, i, i - AROUND, 0.5, a->force);
    for (int k = 0; k < 3; k++) {
        a->speed[k] += a->force[k] * step_s;
        a->place[k] += a->speed[k] * step_s;
    }
    for (int k = 0; k < 10; k++)
        a->carried[k] = a->place[k % 3] * (k + 1);
}

static void step(struct tube *t, long n)
{
    if (n % 10 == 0)
        divide(t, n / 10);
    for (long i = 0; i < t->mine; i++)
        move(t, t->first + i, &t->own[i]);
    MPI_Allgatherv(t->own, t->counts[app_rank()], MPI_DOUBLE, t->all, t->counts, t->starts,
                   MPI_DOUBLE, MPI_COMM_WORLD);
}

/* The tube at rest, each atom a little beside its place; every rank makes all of it. */
static void fill(struct tube *t)
{
    t->atoms -= t->atoms % AROUND;
    t->all = app_memory((size_t)t->atoms, sizeof *t->all);
    t->own = app_memory((size_t)t->atoms, sizeof *t->own);
    t->counts = app_memory((size_t)app_procs(), sizeof *t->counts);
    t->starts = app_memory((size_t)app_procs(), sizeof *t->starts);
    for (long i = 0; i < t->atoms; i++) {
        const long ring = i / AROUND;
        const double angle = 2 * acos(-1.0) * (double)(i % AROUND) / AROUND;
        const double at[3] = { cos(angle), sin(angle), 0.5 * (double)ring };
        t->all[i].number = (double)i;
        for (unsigned k = 0; k < 3; k++)
            t->all[i].place[k] = at[k] + 0.01 * (app_random(3 * (unsigned long)i + k) - 0.5);
    }
}

static double kinetic(const struct tube *t)
{
    double sum = 0;
    for (long i = t->first; i < t->first + t->mine; i++)
        for (int k = 0; k < 3; k++)
            sum += t->all[i].speed[k] * t->all[i].speed[k] / 2;
    return sum;
}

static int is_mixed_up(const struct tube *t)
{
    for (long i = 0; i < t->atoms; i++)
        if (t->all[i].number != (double)i || t->all[i].carried[9] != t->all[i].place[0] * 10)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    struct tube t = { .atoms = 1600, .steps = 100, .uneven = 40 };
    const struct app_option options[] = {
        { "atoms", &t.atoms, AROUND, LONG_MAX, "how many; whole rings of 16" },
        { "steps", &t.steps, 1, LONG_MAX, "calls of allgatherv" },
        { "uneven", &t.uneven, 0, 100, "percent by which borders of pieces move" },
        { 0 },
    };
    int wrong;
    app_begin(argc, argv, options);
    fill(&t);
    app_steps_begin();
    for (long i = 0; i < t.steps; i++)
        step(&t, i);
    app_steps_end();
    app_result_sum("kinetic", kinetic(&t));
    app_result_digest("tube", t.all, (size_t)t.atoms * sizeof *t.all);
    wrong = is_mixed_up(&t);
    free(t.all);
    free(t.own);
    free(t.counts);
    free(t.starts);
    return app_end(wrong, "what was gathered is not where it belongs");
}
