/* SPDX-License-Identifier: BSD-3-Clause */
/* native.h - forces an MPI library's own algorithm and proves which algorithm ran. One row per
 * library; the build for a library holds just its own (native_openmpi.c, native_mpich.c,
 * native_default.c).
 *
 * WHAT A LAUNCH MUST SET, in the environment of every rank. The program sets it itself before
 * MPI_Init where it is unset, which suffices for what is read in MPI_Init; launchers should give it
 * all the same.
 *
 * Open MPI:
 * - OMPI_MCA_coll_tuned_use_dynamic_rules=1: else forced algorithms are ignored. Without a file and
 *   with nothing forced `tuned` decides as without it (4.0 to 6.0). No component is left out: what
 *   is forced has a communicator on which `tuned` comes first;
 * - OMPI_MCA_mpi_yield_when_idle=1, by the launcher, when ranks outnumber cores.
 *
 * MPICH:
 * - nothing: what a forced algorithm wants is written for its point, MPIR_CVAR_COLLECTIVE_FALLBACK
 *   (error: else it falls back silently) and MPIR_CVAR_DEVICE_COLLECTIVES (none: else ch4 may
 *   override), and the library's own values come back after it;
 * - LD_PRELOAD=build/mpich/yield.so, by the launcher, when ranks outnumber cores, as MPICH 4.0.2
 * spins; the samples file says that it was in use. Messages are counted where all go through UCX
 *   (interpose_mpich.h).
 *
 * SMPI, options of smpirun:
 * - --cfg=smpi/simulate-computation:no and --cfg=smpi/wtime:0: else our own work costs simulated
 * time;
 * - --cfg=smpi/coll-selector: what its default is. */
#pragma once

#include <mpi.h>

#include "harness/study/point.h"
#include "workloads/measure/launch_facts.h"
#include "workloads/proof/proof.h"

/* What is known about the algorithm that a call ran. */
struct evidence {
    const char *status;   /* "ok", "substituted", "invalid" */
    const char *verified; /* docs/formats.md */
    char reason[256];
    char ran_algorithm[NAME_SIZE]; /* "" where not known */
    uint64_t ran_segment_bytes;
    int ran_fanout;
    char ran_component[16]; /* component of the library that entered it; "": not known */
    int may_vary;           /* 1: that component may choose differently per call */
};

struct native {
    const char *library;    /* prefix of its algorithms: "openmpi" */
    const char *equivalent; /* prefix of the names of their equivalent schedules: "mpich_" */

    /* Sets environment variables that MPI_Init needs and the user has not set. */
    void (*set_environment)(void);

    /* Before MPI_Init: puts the library's shared memory files into this
     * directory, unless the site has set one. NULL: it has none. */
    void (*share_in)(const char *dir);

    /* Collective over the whole launch, before anything is forced; -1 with *err (the same on every
     * rank) when forcing is impossible. */
    int (*open)(MPI_Comm world, struct err *err);

    /* Collective over parent: makes *comm, on which the point's algorithm is in force. -1 with *err
     * (on any rank): unknown algorithm, a refused or ineffective write. */
    int (*force)(const struct point *point, MPI_Comm parent, MPI_Comm *comm, struct err *err);

    /* Before one call of the collective, local; and after it, collective over team (the first ranks
     * of the launch): what ran. comm: what force() has made. */
    void (*watch)(void);
    void (*judge)(const struct point *point, MPI_Comm team, MPI_Comm comm,
                  struct evidence *evidence);

    /* Checks that the point's algorithm is still in force on comm, after judge(). Local. */
    int (*holds)(const struct point *point, MPI_Comm comm, const struct evidence *seen,
                 struct err *err);

    /* Prints what the library lists of itself, a line "collective name" for each, without any job;
     * NULL: it lists nothing. -1 with *err. */
    int (*list)(FILE *out, struct err *err);

    /* For in_effect.h; each may be NULL. Local: -1 with *err when something selects algorithms or
     * components that we did not set; collective: records the transports; local: prints. */
    int (*clean)(const struct launch_facts *facts, struct err *err);
    void (*look)(MPI_Comm world);
    void (*tell)(FILE *out);

    /* What is counted of every call; NULL: nothing is. */
    const struct proof_source *(*counts)(void);

    /* Collective: lifts the force and frees *comm. */
    void (*release)(MPI_Comm *comm);
};

/* The row of the library that this program is built for; its name is "" for an unknown library. */
extern const struct native native_library;

/* 1 when an algorithm ("openmpi:binomial") is one of that library, and no schedule. */
int native_owns(const char *algorithm);
