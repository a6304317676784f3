/* SPDX-License-Identifier: BSD-3-Clause */
/* crosscheck.h - runs other benchmarks on the same cells, interleaved with ours: OSU, Intel
 * MPI Benchmarks, ReproMPI. Installed ones are started like our own program, round after round
 * in shuffled order. Their output is kept in the directory of the check, and an interrupted
 * check continues where it stopped. analysis/verify/crosscheck_ratios.h compares. */
#pragma once

#include "harness/base/argv.h"
#include "harness/study/cluster.h"
#include "harness/study/point.h"

/* The statistic of a tool's number, which selects our number to compare. */
enum cross_statistic {
    CROSS_MEAN_OF_RANKS, /* mean over calls and ranks: OSU's Avg, Intel's t_avg */
    CROSS_MEDIAN_OF_MAX, /* median over calls of the slowest rank: ReproMPI's */
    N_CROSS_STATISTICS
};

/* The request of one launch of a tool. bytes ascend. */
struct cross_ask {
    const char *dir;        /* where the tool lies */
    const char *collective; /* its name */
    const uint64_t *bytes;
    size_t n_bytes;
    int procs, iterations, warmups;
    const char *scratch; /* path of a file that `words` may write for the tool */
};

struct cross_tool {
    const char *name;  /* of the option and of the format that reads its text: "osu" */
    const char *what;  /* for people */
    const char *holds; /* for --help: what lies in DIR */
    enum cross_statistic statistic;

    /* The path of its program for the collective. 0, or -1: it has none. */
    int (*program)(const struct cross_ask *ask, char *path, size_t size);

    /* Its arguments after the program. 0, or -1 with *err. */
    int (*words)(const struct cross_ask *ask, struct argv *args, struct err *err);
};

enum { CROSS_TOOLS = 3, CROSS_MOST = 64 };

extern const struct cross_tool cross_tools[CROSS_TOOLS];

/* Borrowed throughout. */
struct cross_request {
    struct cluster *cluster;
    const char *mpi;
    const char *build;                 /* directory of our measuring programs */
    const char *results;               /* directory of the check */
    const char *tool_dir[CROSS_TOOLS]; /* NULL: not wanted */
    const char *collective[CROSS_MOST];
    size_t n_collectives;
    const char *algorithm[CROSS_MOST]; /* "default", or names of the library's; per collective those
                                          that it has */
    size_t n_algorithms;
    uint64_t bytes[CROSS_MOST]; /* ascending */
    size_t n_bytes;
    int procs, rounds, iterations, warmups, limit_s;
    int seed;
    int quiet, dry_run;
    int fresh; /* 1: removes the results of an earlier check first */
};

/* One number of one round. seconds: NaN where there is none. */
struct cross_value {
    int tool; /* index of cross_tools; -1: ours */
    enum cross_statistic statistic;
    char collective[NAME_SIZE], algorithm[NAME_SIZE];
    uint64_t bytes;
    int round;
    double seconds;
};

struct cross_values {
    struct cross_value *v;
    size_t n;
    size_t failed; /* failed launches; reported on stderr */
};

/* Runs the missing launches and reads all numbers. 0, or -1 with *err and nothing to clear: wrong
 * settings, a tool that is not there, an interrupt. */
int cross_run(const struct cross_request *request, struct cross_values *values, struct err *err);

void cross_clear(struct cross_values *values);
