/* SPDX-License-Identifier: BSD-3-Clause */
/* testbed_build.h - creates, starts and removes the network and the Slurm of a testbed claimed by
 * state_claim. Every function can be interrupted at any time; network_remove and
 * process_kill_all clean up. */
#pragma once

#include "harness/run/testbed/testbed_state.h"

/* Checks for root, the needed programs and the right to create namespaces. */
int build_check_machine(struct err *err);

/* Namespaces, switches, shaped links. */
int network_make(const struct state *state, struct err *err);

/* Removes what is noted in `made`: interfaces, namespaces, mounts. What is not there is fine. */
int network_remove(const struct state *state, struct err *err);

/* Key, configuration, hosts, directories. */
int slurm_configure(const struct state *state, struct err *err);

/* Starts those of munged, slurmctld and the slurmds that do not run; *n: how many. */
int slurm_start(const struct state *state, size_t *n, struct err *err);

/* Waits until Slurm says that all nodes are usable: 0, or -1 with *err after too long a time, when
 * a daemon has ended, or on a signal (SIGINT, SIGTERM, SIGHUP pending, see build_interrupted). */
int slurm_wait(const struct state *state, struct err *err);

/* Slurm's state of the nodes: lines "name state" ("idle"); "" when it does not answer. */
int slurm_ask(const struct state *state, char *out, size_t size);

/* -1 with *err when a signal that asks us to stop is pending. */
int build_interrupted(struct err *err);
