/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of the measuring program, shared by its builds for each MPI and by
 * the planted workload of the tests. Pure C; borrows argv. */
#pragma once

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
    int bind;          /* each rank binds itself, as its launcher was told nothing */
    double precision, confidence, budget_s;
    double core_budget_s;  /* core-seconds after which no new point starts; 0: no limit */
    const char *statistic; /* median, trimmed, mean */
    int min_reps, max_reps;
    int warmup;
    const char *sync;     /* barrier, window */
    const char *arrivals; /* directory of traces; NULL: there are none */
    const char *ranks;    /* file of every rank's times; NULL: none */
    int inner;            /* calls between two clock reads in gamma and barrier experiments */
    int sentinel_every;   /* points between two sentinel blocks; 0: never */
    int deterministic, no_check;
    int clean;      /* 1: no external setting may select algorithms or components */
    int own_memory; /* main checks it before MPI_Init */
    uint64_t seed;
    struct charges charges;                 /* of local work, in a simulation */
    const char *provenance[MAX_PROVENANCE]; /* KEY=VALUE */
    int n_provenance;
    int help; /* 1: help requested, nothing else was checked */
};

/* Fills *o from defaults and argv. Returns 0, or -1 with *err (a usage error) set. */
int measure_options_parse(struct measure_options *o, int argc, char **argv, struct err *err);

/* Prints the usage, one line per option with its default. */
void measure_options_help(FILE *out);

/* The requested seats of this many ranks of a launch, of
 * this mapping on this many nodes. Borrows the mapping. */
struct seating measure_options_seating(const struct measure_options *o, const char *mapping,
                                       int nodes, int ppn, int ranks);

/* Our schedule of a point. All ranks use the same seats, from the plan; the seats of a team on a
 * channel, a subset of a launch, are unknown. 0, or -1 with *err. */
int measure_options_schedule(const struct measure_options *o, const struct point *p,
                             struct schedule *s, struct err *err);

/* 1 when calls begin in windows of the global clock; not in a simulation: its barrier is exact. */
int measure_options_windows(const struct measure_options *o);

/* Core-seconds of a point for core_budget_s, in a launch of this many ranks: its time; in
 * a simulation the time of its least calls on the machine, within a point's budget. */
double measure_options_spent(const struct measure_options *o, const struct outcome *outcome,
                             int ranks);

/* 1 when the budget is spent and no new point starts; *outcome is then the outcome of the others.
 */
int measure_options_stops(const struct measure_options *o, double spent_core_s,
                          struct outcome *outcome);

/* The stopping rule that the options describe. */
struct stop_rule measure_options_stop_rule(const struct measure_options *o);
