/* SPDX-License-Identifier: BSD-3-Clause */
/* simulation_costs.h - keys that a cluster file must have for a simulation, and keys with defaults.
 *
 * A missing cost would count as zero, and free operations would win: a simulation requires each
 * key. A cost may be zero if the file states it. */
#pragma once

#include "harness/study/cluster.h"

/* 0 when the file has all keys that affect simulated time without a universal default:
 * link and costs of messages, copies and combining; loopback, if used. Else -1 and *err
 * (status 2) lists the missing keys, with a value and its source for the first. */
int costs_stated(const struct cluster *cluster, struct err *err);

/* "latency_factors = 0:1, ...": keys that affect simulated time and have the documented default.
 * Returns buf, empty where nothing is. */
const char *costs_defaulted(const struct cluster *cluster, char *buf, size_t size);

/* The keys that bear on simulated time, one after the other from 0: those that must be stated, then
 * those with a default. NULL behind the last. */
const char *costs_key(size_t i);
