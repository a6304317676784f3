/* SPDX-License-Identifier: BSD-3-Clause */
/* testbed_state.h - the state of a testbed on disk, below /run/collsel/<name>/:
 *
 *   net    its network (net_write), written first; from here on its number is taken
 *   made   what it makes outside this directory, one a line, written before it is made
 *   ready  empty; there when `up` has succeeded
 *
 * and the files of its Slurm. The directory is also the lock (flock) for building or removing
 * the testbed; child processes inherit it, so it is released only when they have ended.
 */
#pragma once

#include "harness/run/testbed/net.h"

/* Below it each testbed has a directory. */
#define TESTBED_ROOT "/run/collsel"

struct state {
    char dir[128]; /* /run/collsel/<name> */
    int lock;      /* -1: not held */
    struct net net;
    int has_net; /* 0: an `up` was cut short before it wrote it */
};

/* Chooses a free number for the net, makes the directory, locks it, writes `net` and `made`. An
 * error when the testbed exists already, whole or not. */
int state_claim(const struct net *net, struct state *state, struct err *err);

/* Opens what is there. lock: take the lock; an error when somebody else holds it for long. Returns
 * 1, 0 when there is no such testbed, or -1 with *err. */
int state_open(const char *name, int lock, struct state *state, struct err *err);

/* Marks the testbed as up, 0 or -1 with *err; 1 when it is marked. */
int state_ready(const struct state *state, struct err *err);
int state_is_ready(const struct state *state);

/* Calls f for each line of `made` ("link", "cs0n1"), in that order. A missing file has none; a line
 * that was cut short is passed over. */
void state_made(const struct state *state, void (*f)(const char *kind, const char *name, void *arg),
                void *arg);

/* Removes the directory with all that is in it, and /run/collsel when it is empty then. */
int state_remove(const struct state *state, struct err *err);

/* Lets the lock go. */
void state_close(struct state *state);

/* DIR/<formatted> into a buffer of PATH_SIZE. Returns buf. */
const char *state_path(const struct state *state, char *buf, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
