/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm.h - Slurm through its commands: sbatch, squeue, sacct, scontrol, sinfo.
 *
 * Works with versions 20.11 to 24.x: uses only their common options and parses output by named
 * fields. Without accounting (sacct reports that), tasks that squeue no longer lists are
 * queried by scontrol, which remembers them for MinJobAge (five minutes by default), and are
 * "gone" after that. A command that takes longer than its limit (slurm_command.h) is an error.
 *
 * open.c: open, limits, submit, cancel. query.c: tasks, nodes. */
#pragma once

#include "harness/study/cluster.h"

enum { JOB_SIZE = 32, NODE_SIZE = 64, SLURM_REASON = 160, MARK_SIZE = 24 };

/* The Slurm that serves a cluster. */
struct slurm {
    char conf[1024];          /* SLURM_CONF of our own emulated cluster; "": the system's */
    char partition[KEY_WORD]; /* of the cluster file */
    char version[KEY_WORD];   /* "22.05.8" */
    int max_array;            /* MaxArraySize: task numbers are below it */
    int nodes;                /* of the partition */
    int node_cpus;            /* the least of any of its nodes */
    double most_time;         /* s; the partition's MaxTime; 0: unlimited */
    int accounting;           /* sacct answers */
    int assumed;              /* 1: no Slurm was queried (slurm_assume) */
};

/* Finds the Slurm of a cluster and asks for its limits. An emulated cluster's is that of its
 * testbed (testbed_conf). Errors that say what to do: no partition in the cluster file, no sbatch
 * on the PATH, testbed not up, slurmctld does not answer, unknown partition (the known ones are
 * listed), fewer nodes or cores than the cluster file says. */
int slurm_open(const struct cluster *cluster, struct slurm *slurm, struct err *err);

/* For commands that only read or write scripts without a
 * Slurm: the cluster file's values and Slurm's defaults. */
void slurm_assume(const struct cluster *cluster, struct slurm *slurm);

/* Runs sbatch on a script and returns the number of the job (of the array). mark:
 * an argument that the script ignores (slurm_make_mark), or NULL. dependency: as
 * for --dependency, or NULL. *err has Slurm's message when it refuses. */
int slurm_submit(const struct slurm *slurm, const char *script, const char *mark,
                 const char *dependency, char job[JOB_SIZE], struct err *err);

/* A random argument that distinguishes our job from another job with the same
 * number: Slurm shows the arguments of a job's command, whatever its name. */
void slurm_make_mark(char mark[MARK_SIZE]);

enum slurm_state {
    SLURM_PENDING,
    SLURM_RUNNING, /* configuring, completing and suspended as well */
    SLURM_COMPLETED,
    SLURM_FAILED,
    SLURM_TIMEOUT,
    SLURM_CANCELLED,
    SLURM_NODE_FAIL,
    SLURM_PREEMPTED,
    SLURM_OUT_OF_MEMORY,
    SLURM_GONE /* Slurm does not know it (any more) */
};

/* One task of an array, as Slurm sees it. */
struct slurm_task {
    char job[JOB_SIZE]; /* "12_3" */
    enum slurm_state state;
    char reason[SLURM_REASON]; /* why it is pending, or why it ended */
    char nodes[256];           /* as Slurm writes them, "" none */
    double elapsed_s;
    int cores;            /* allocated; 0: not known */
    int exit;             /* exit status, 128 + signal; -1: not known */
    int restarts;         /* how often it was put back into the queue */
    int held;             /* 1: pending until it is released */
    int shown;            /* 1: Slurm shows the job's command, and so its mark */
    char mark[MARK_SIZE]; /* "" none */
};

/* The requested tasks, in that order; those unknown to Slurm are SLURM_GONE. Owned by the
 * caller: free(*tasks). */
int slurm_tasks(const struct slurm *slurm, const char *const *jobs, size_t n,
                struct slurm_task **tasks, struct err *err);

/* "pending", "running", ... */
const char *slurm_state_name(enum slurm_state state);

/* A node as Slurm sees it. */
struct slurm_node {
    char name[NODE_SIZE];
    char state[KEY_WORD]; /* "idle", "down*", ... */
    int usable;           /* 0: down, drained, failing or not responding */
    char reason[SLURM_REASON];
};

/* The nodes of the partition. Owned by the caller: free(*nodes). */
int slurm_nodes(const struct slurm *slurm, struct slurm_node **nodes, size_t *n, struct err *err);

/* "n[1-3,7]" to its names, at most most of them; by our own parser, no command is run. Returns how
 * many, or -1 with *err. */
long slurm_hosts(const char *list, char (*names)[NODE_SIZE], size_t most, struct err *err);
