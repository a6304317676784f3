/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.h - the stage walker of the channel model, as its authors print it (Nuriyev,
 * Rico-Gallego & Lastovetsky 2022; Tallone 2024): a schedule runs in global stages; a rank that
 * sends in a stage makes a non-blocking linear broadcast (NBFT) to its children of that stage; the
 * stage costs the largest of these,
 *     T = sum over stages of max over senders of T_NBFT(children + 1, m).
 * Stages are counted as in walk/stage.h, through all phases.
 *
 * As printed, T_NBFT is not less than a ping-pong (of the slowest channel among the children); a
 * straight line in P can be, for few ranks.
 *
 * MIXED CHANNELS. Where the children are on several channels, a transfer on a slower one counts as
 * Q(m) transfers on a faster one, the base: T_NBFT of the base among 1 + sum of Q ranks. The base
 * is the channel with the quickest ping-pong at this size among those that the children are on, so
 * that it does not matter which is nearer; where that would be more ranks than the base was
 * measured with, the next quicker one that was measured with so many, faster transfers then
 * counting as one. Where none was, the quickest but for the cache, whose ranks are as few as its
 * cores, is extrapolated, and the result says so. */
#ifndef ANALYSIS_WALK_CHANNEL_H
#define ANALYSIS_WALK_CHANNEL_H

#include "analysis/models/channel/channel_fit.h"

struct channel_time {
    double slowest, mean; /* seconds by the fan-outs of the slowest rank, and of the mean over
                             ranks; NaN: a channel was not measured */
    int extrapolated;     /* 1: beyond the ranks that were measured somewhere */
};

/* T_NBFT to so many children per channel. fan: EXP_FANOUT, or EXP_FANIN the other way. */
struct channel_time channel_nbft(const struct channel_platform *p, enum experiment fan,
                                 const int children[N_CHANNELS], uint64_t bytes);

/* Walks all ranks. For a reduction walk the broadcast down the same tree with EXP_FANIN. Returns 0,
 * or -1 with *err set (out of memory, or a schedule that never ends). */
int channel_stage_walk(const struct schedule *s, const struct places *places,
                 const struct channel_platform *p, enum experiment fan, struct channel_time *time,
                 struct err *err);

#endif
