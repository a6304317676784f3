/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.h - checks this machine: tools, MPI builds, cores, clock, disk, backends. */
#pragma once

#include <jansson.h>

#include "harness/study/cluster.h"

/* Output of findings: as lines to a stream or, if rows is set, as objects to that array. */
struct doctor_out {
    FILE *stream;
    json_t *rows;
};

/* One finding: its state, subject and details. */
void doctor_line(const struct doctor_out *out, const char *mark, const char *what,
                 const char *detail);

/* The MPI entries of a cluster (NULL: none is named): its own, and "openmpi" and "mpich" where it
 * names none of that library. The names are the cluster's. */
struct doctor_entries {
    size_t n;
    const char *v[KEY_LIST_MAX];
};
struct doctor_entries doctor_entries(const struct cluster *cluster);

/* Prints one line per finding. cluster: whose MPI entries are looked at; NULL: those of PATH.
 * build: directory of the measuring programs; results: where results shall go. Returns 1 when at
 * least one backend can run, 0 when something essential is missing. */
int doctor_print(const struct doctor_out *out, const struct cluster *cluster, const char *build,
                 const char *results);

/* Prints what works on a cluster: the launcher of each installed MPI library in
 * Slurm's allocations, if Slurm serves it (harness/run/libraries/launchers.h);
 * whether its file has all values for a simulation, and which values are defaults. */
void doctor_cluster(const struct doctor_out *out, const struct cluster *cluster, const char *build);
