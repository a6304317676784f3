/* SPDX-License-Identifier: BSD-3-Clause */
/* testbed.h - an emulated cluster on one Linux machine: a network namespace and UTS name per node,
 * bridges as switches, links shaped by tc tbf, and a real Slurm (munged, slurmctld, one slurmd per
 * node). It records everything it creates in /run/collsel/<cluster>/ before creating
 * it, so that `down` removes all of it after any crash, and nothing else. Needs root.
 *
 * Several may be up at a time, each with its own subnet and ports; timings then disturb each other.
 */
#pragma once

#include <jansson.h>

#include "harness/study/cluster.h"

/* Builds and starts; says what it does on chatter (NULL: nothing). On an error all is undone. */
int testbed_up(const struct cluster *cluster, FILE *chatter, struct err *err);

/* Starts again the daemons of a testbed that have ended (a slurmd that was killed, slurmctld), with
 * their state. *n: how many, when not NULL. */
int testbed_start(const char *name, FILE *chatter, size_t *n, struct err *err);

/* Removes everything that `up` made; fine when there is nothing. name: the cluster's. */
int testbed_down(const char *name, FILE *chatter, struct err *err);

/* Prints what is up: nodes with address, slurmd and what Slurm says, switches, links with their
 * rates, daemons. 0, or -1 with *err when it is not up or something of it is missing. */
int testbed_status(const char *name, FILE *out, struct err *err);

/* The same as an object, to be freed: testbed, whole, missing, daemons, nodes; with *err set where
 * testbed_status would fail. */
json_t *testbed_status_json(const char *name, struct err *err);

/* Prints a line for each testbed there is, up or half made. */
void testbed_list(FILE *out);
json_t *testbed_list_json(void);

/* Path of slurm.conf of the testbed of this name, which is up; else -1 with *err that says how to
 * start it. Runs nothing. */
int testbed_conf(const char *name, char *path, size_t size, struct err *err);
