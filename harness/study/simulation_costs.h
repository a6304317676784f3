/* SPDX-License-Identifier: BSD-3-Clause */
/* simulation_costs.h - what a cluster file must state before it is simulated, and what it leaves to
 * defaults.
 *
 * A cost that nobody gave would be nothing, and what costs nothing wins: a simulation asks for each
 * by its key. Nothing is a cost, too, when the file says so. */
#ifndef HARNESS_STUDY_SIMULATION_COSTS_H
#define HARNESS_STUDY_SIMULATION_COSTS_H

#include "harness/study/cluster.h"

/* 0 when the file states all that bears on simulated time and has no default that fits any machine:
 * link and costs of messages, copies and combining; loopback, where it is used. Else -1 and *err
 * (status 2) names the keys that are missing, for the first a value with its source. */
int costs_stated(const struct cluster *cluster, struct err *err);

/* "latency_factors = 0:1, ...": what bears on simulated time and is left to the documented default.
 * Returns buf, empty where nothing is. */
const char *costs_defaulted(const struct cluster *cluster, char *buf, size_t size);

/* The keys that bear on simulated time, one after the other from 0: those that must be stated, then
 * those with a default. NULL behind the last. */
const char *costs_key(size_t i);

#endif
