/* SPDX-License-Identifier: BSD-3-Clause */
/* shares.h - the rates of messages that share links: max-min fair by weight, recomputed for those
 * affected by a change. The part of flow_simulation.h for shared links. */
#ifndef ANALYSIS_WALK_SHARES_H
#define ANALYSIS_WALK_SHARES_H

#include "analysis/walk/engine.h"
#include "analysis/walk/platform.h"

/* The kind of its events: what engine_event has for the rank. */
enum { SHARES_DONE = -3 };

struct shares;

/* New shares, and their end. Platform and engine are borrowed and must outlive them. */
struct shares *shares_new(const struct platform *platform, struct engine *engine);
void shares_free(struct shares *shares);

/* A message begins on n shared links: so many bytes, at most at `most` bytes per second, weighed by
 * 1 / penalty. */
void shares_begin(struct shares *shares, int message, const int *link, int n, double bytes,
                  double most, double penalty, double now);

/* 1 when a message ends at this time, by its current rate. */
int shares_ends(const struct shares *shares, int message, double at);

/* Removes a message that has ended. */
void shares_end(struct shares *shares, int message);

/* Finds the rates of those that share with what began or ended since the last time, and puts
 * their ends in the engine's line (SHARES_DONE). */
void shares_settle(struct shares *shares, double now);

#endif
