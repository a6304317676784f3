/* SPDX-License-Identifier: BSD-3-Clause */
/* star_real.h - for collsel star: the micro-benchmark (workloads/micro/micro.c) on a real or
 * emulated cluster, with libcollsel before its MPI and without. */
#pragma once

#include "analysis/adapt/star_row.h"
#include "harness/study/cluster.h"

struct star_real {
    char *const *launcher; /* the words that start MPI, ends with NULL */
    const char *build;     /* directory of the programs */
    const char *programs;  /* those of the MPI entry */
    const char *mpi;       /* its family: openmpi, mpich */
    const char *dir;       /* for the library's report; rank 0 writes there */
    const struct cluster *cluster;
    int calls;      /* after Measure_Select; and of the default */
    double compute; /* between two calls: a multiple of the default's call */
    int limit_s;    /* of one launch */
};

/* Refuses settings that would be mistaken for the library's default
 * (harness/run/user_launch.h). On emulated nodes it sets, unless the launcher's words or
 * the environment do, what ranks that share a few cores need (docs/testbed.md): messages
 * only over the emulated network, and sleeping instead of polling. Without these, times
 * are meaningless. 0, or -1 with *err: a refused setting; or the words preload another
 * library than nap.so, or nap.so was not built. Call it once, before the others. */
int star_real_prepare(const struct star_real *real, struct err *err);

/* Without libcollsel: fills default_s, default_algorithm, compute_s and backend. 0, or -1 with
 * *err: it failed, took too long, or its results were wrong. */
int star_real_default(const struct star_real *real, struct star_row *row, struct err *err);

/* With it: fills the rest, except the static choice, which is not known here. */
int star_real_tuned(const struct star_real *real, struct star_row *row, struct err *err);
