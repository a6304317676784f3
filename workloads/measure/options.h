/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of the measuring program, shared by its builds for each MPI and by
 * the planted workload of the tests. Pure C; borrows argv. */
#ifndef WORKLOADS_MEASURE_OPTIONS_H
#define WORKLOADS_MEASURE_OPTIONS_H

#include <stdint.h>
#include <stdio.h>

#include "harness/base/err.h"
#include "harness/base/seat.h"
#include "harness/study/records.h"
#include "workloads/simulated/simulated_cost.h"
#include "workloads/schedules/schedule.h"
#include "workloads/measure/stopping.h"

enum { MAX_PROVENANCE = 256 };

struct measure_options {
    const char *points, *samples, *outcomes, *placement, *digest, *mapping;
    int nodes, ppn;
    int sockets, cores; /* of a node, of a socket; 0: not known */
    int cache_cores;    /* of a socket that share a cache; 0: all */
    struct seat_network switches;
    const char *hosts; /* of the nodes, in order, commas between; NULL: not known */
    int bound;         /* each rank was to be bound to a core of its own */
    double precision, confidence, budget_s;
    double core_budget_s;  /* core-seconds, after which no further point is begun; 0: no matter */
    const char *statistic; /* median, trimmed, mean */
    int min_reps, max_reps;
    int warmup;
    const char *sync;     /* barrier, window */
    const char *arrivals; /* directory of traces; NULL: there are none */
    const char *ranks;    /* file of every rank's times; NULL: none */
    int inner;            /* calls between two clock reads in gamma and barrier experiments */
    int sentinel_every;   /* points between two sentinel blocks; 0: never */
    int deterministic, no_check;
    int clean;      /* nothing may select algorithms or components from outside */
    int own_memory; /* main looks for it before MPI_Init */
    uint64_t seed;
    struct charges charges;                 /* of local work, in a simulation */
    const char *provenance[MAX_PROVENANCE]; /* KEY=VALUE */
    int n_provenance;
    int help; /* asked for: nothing else was checked */
};

/* Fills *o from defaults and argv. Returns 0, or -1 with *err (a usage error) set. */
int measure_options_parse(struct measure_options *o, int argc, char **argv, struct err *err);

/* Prints the usage, one line per option with its default. */
void measure_options_help(FILE *out);

/* The seats that were asked for so many ranks of a launch, of this mapping on so many nodes.
 * Borrows the mapping. */
struct seating measure_options_seating(const struct measure_options *o, const char *mapping,
                                       int nodes, int ppn, int ranks);

/* The schedule of our own that a point names. All ranks have the same seats, those that the plan
 * gave them; of a team on a channel, which are some of a launch, none are known. 0, or -1 with
 * *err.
 */
int measure_options_schedule(const struct measure_options *o, const struct point *p,
                             struct schedule *s, struct err *err);

/* Do calls begin in windows of the global clock? Not in a simulation, whose barrier is exact. */
int measure_options_windows(const struct measure_options *o);

/* Core-seconds of a launch of so many ranks that a point counts for core_budget_s: what it took; in
 * a simulation what its least calls would take on the machine, within a point's budget. */
double measure_options_spent(const struct measure_options *o, const struct outcome *outcome,
                             int ranks);

/* 1 when so much was spent that no further point is begun; *outcome is then what such a one gets.
 */
int measure_options_stops(const struct measure_options *o, double spent_core_s,
                          struct outcome *outcome);

/* The stopping rule that the options describe. */
struct stop_rule measure_options_stop_rule(const struct measure_options *o);

#endif
