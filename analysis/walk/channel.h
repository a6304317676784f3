/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.h - the stage walker of the channel model as published (Nuriyev,
 * Rico-Gallego & Lastovetsky 2022; Tallone 2024): a schedule runs in global stages; a rank that
 * sends in a stage makes a non-blocking linear broadcast (NBFT) to its children of that stage; the
 * stage costs the largest of these,
 *     T = sum over stages of max over senders of T_NBFT(children + 1, m).
 * Stages are counted as in walk/stage_walk.h, through all phases.
 *
 * As printed, T_NBFT is not less than a ping-pong (of the slowest channel among the children); a
 * straight line in P can be, for few ranks.
 *
 * MIXED CHANNELS. With children on several channels, a transfer on a slower channel
 * counts as Q(m) transfers on a faster one, the base: T_NBFT of the base among 1 +
 * sum of Q ranks. The base is the channel with the quickest ping-pong at this size
 * among the children's channels, nearer or not. If the base was not measured with
 * that many ranks, the next quicker channel that was is the base, and faster
 * transfers count as one. If there is none, the quickest channel other than the
 * cache (which has few cores) is extrapolated, and the result is marked. */
#pragma once

#include "analysis/measure/regress.h"
#include "harness/study/point.h"
#include "analysis/walk/seat_walk.h"

/* y = intercept + slope x. */
struct channel_line {
    double intercept, slope, intercept_stderr, slope_stderr, r2;
    double robust_intercept, robust_slope;
    size_t n;
    enum fit_status status; /* of least squares; not ok: nothing is computed from it */
    enum fit_status sign;   /* the same, with the check of signs for an ok fit (fit_sign) */
};

/* T(m) of a channel. */
struct channel_hockney {
    struct channel_line line;           /* alpha, beta */
    double median_error, worst_error;   /* relative, of the least squares at its own ping-pongs */
    double robust_median, robust_worst; /* the same of the robust fit */
    int most_procs;                     /* measured in a fan-out; 0: none */
};

/* T(P - 1) of a channel and size. */
struct channel_fanout {
    enum experiment experiment;
    enum channel channel;
    uint64_t bytes;
    int most_procs;
    struct channel_line slowest, mean;
};

/* All lines fitted for a library. */
struct channel_lines {
    struct channel_hockney hockney[N_CHANNELS];
    struct channel_fanout *fanout; /* by experiment, channel, bytes; owned */
    size_t n_fanouts;
};

/* The fitted ping-pong in seconds: least squares, or Huber where that is not positive (large
 * messages decide an absolute fit, and its alpha may be negative). NaN where there is none. */
double channel_pingpong(const struct channel_lines *p, enum channel channel, double bytes);

/* The fitted fan-out (or fan-in) among procs ranks (a number that need not be whole), in seconds of
 * the slowest rank or of the mean over ranks; a and b are linear between measured sizes. NaN where
 * there is none. */
double channel_fanout_time(const struct channel_lines *p, enum experiment experiment,
                           enum channel channel, double procs, double bytes, int of_mean);

/* The most ranks up to which that fan-out (fan-in) was measured, at both of the sizes around this
 * one; 0: never. */
int channel_fanout_procs(const struct channel_lines *p, enum experiment experiment,
                         enum channel channel, double bytes);

/* Q: the slower of two channels over the faster, at least 1; *slow gets which is slower (may be
 * NULL). NaN where a channel was not measured. */
double channel_ratio(const struct channel_lines *p, enum channel a, enum channel b, double bytes,
                     enum channel *slow);

struct channel_time {
    double slowest, mean; /* seconds by the fan-outs of the slowest rank, and of the mean over
                             ranks; NaN: a channel was not measured */
    int extrapolated;     /* 1: more ranks than measured on some channel */
};

/* T_NBFT to so many children per channel. fan: EXP_FANOUT, or EXP_FANIN the other way. */
struct channel_time channel_nbft(const struct channel_lines *p, enum experiment fan,
                                 const int children[N_CHANNELS], uint64_t bytes);

/* Walks all ranks. For a reduction walk the broadcast down the same tree with EXP_FANIN. Returns 0,
 * or -1 with *err set (a schedule that never ends). */
int channel_stage_walk(const struct schedule *s, const struct places *places,
                       const struct channel_lines *p, enum experiment fan,
                       struct channel_time *time, struct err *err);
