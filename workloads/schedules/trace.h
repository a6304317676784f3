/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - every message of a schedule with its stage, and the traffic between pairs: for
 * pictures, tables and tests of small cases. It keeps what the stage walker (analysis/walk)
 * forgets.
 *
 * Stages are those of the stage model: a rank's sends of a round are one stage after the later of
 * its previous sends and of what it has received in earlier rounds, counted from 1, through all
 * phases. */
#pragma once

#include "workloads/schedules/schedule.h"

struct trace_message {
    int src, dst, phase;
    uint64_t stage; /* from 1 */
    uint64_t bytes;
    size_t nth; /* how many messages the trace had before this one */
};

struct trace {
    struct trace_message *v; /* by source, then in the order in which it sends them */
    size_t n;
    int phases;
    uint64_t *last_stage; /* per phase: its last stage */
};

/* Follows all messages. Returns 0, or -1 with *err set: more than a million messages, or a schedule
 * that never ends. */
int trace(const struct schedule *s, struct trace *t, struct err *err);

void trace_clear(struct trace *t);

/* The messages from a rank to another. */
struct traffic {
    int src, dst;
    uint64_t messages, bytes;
};

/* Calls row for every pair of ranks with a message, by source and destination. Memory O(procs); no
 * limit on messages. */
void traffic_each(const struct schedule *s, void (*row)(const struct traffic *pair, void *arg),
                  void *arg);
