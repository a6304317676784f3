/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_fit.h - message costs by the placement of the two ranks: the parameters of the models
 * channel_stage (walk/channel.h) and channel_walk (walk/seat_walk.h), per MPI library, from the
 * experiments pingpong, fanout and fanin whose point names a channel (harness/base/seat.h), and
 * from nothing else: no times of collectives are used. After Nuriyev, Rico-Gallego & Lastovetsky
 * (2022) and Tallone (2024).
 *
 * HOCKNEY. Per channel T(m) = alpha + beta m over all ping-pongs: least squares in absolute times,
 * as in the paper, and also Huber's regression of relative errors. A
 * negative alpha is reported but harmless: where that line is not positive,
 * Huber's line is used. A channel with a negative beta has no ping-pong.
 *
 * FAN-OUT. Linear non-blocking broadcasts among P ranks on one channel, T(P) = a + b (P - 1), least
 * squares per channel and size; fan-in likewise. Of the slowest rank, as all times of this program,
 * and of the mean over ranks, as in the paper.
 *
 * GAMMA. gamma(P, m) = T_fanout(P) / T_pingpong, both fitted; valid up to the most ranks that were
 * measured on the channel. Q(m), the ratio of delays of two channels, is that of their fitted
 * ping-pongs, at least 1: where the farther channel is the quicker one (it happens with large
 * messages), the nearer one counts as slow.
 *
 * COSTS OF THE WALK. A fan-out among two ranks, timed as in walk/seat_walk.h, says of a message
 * two things: T, the slower rank, which is the receiver, and S = 2 mean - T, the sender. When a
 * call begins, the sender has left the barrier later than the receiver by the smaller of the
 * latency of a message of nothing and of what the receiver was busy longer than the sender; so
 *     latency(m) = T - latency(0) where T - latency(0) - S >= latency(0), else (T + S) / 2;
 * without a barrier (in simulation, where all begin at once) it is T. Without such a fan-out
 * the ping-pong gives it. From the smallest size at which S is at least three quarters of the
 * latency, sends count as rendezvous. The slope of the slowest rank's time in P (Huber) is
 * the cost of one more message: below that size the sender's processor, above it the memory read
 * from
 * (`share`), with the processor time of the smallest message. Below that size `share` scales with
 * the bytes, at the rate of the largest message. A memory is busy for `share` of channel core. A
 * port is busy for `share` of channel node; below the rendezvous size at least as long
 * as one more costs the receiver of a fan-in, which many send, or the sender of a fan-out if that
 * is less; and with each message (port_message) as long as one more of the smallest costs that
 * receiver (without fan-ins: 0). line of a channel is what the smallest message takes there longer
 * than in a cache; 0 in simulation.
 *
 * relay(m), to a rank that passes on (walk/seat_walk.h): from rendezvous on, inside a node, of
 * channel core at least, also in a cache, and at least what the ping-pong takes as long as its
 * blocking sends are still eager and, where they are no more (its slope falls to less than half),
 * would take by the line through the two sizes before: data that another rank has just written.
 *
 * MANY RANKS. A library may change its transport for many ranks (from 60 on UCX uses
 * dynamically connected queues instead of one connection per peer, since it charges 1 ns per
 * connection and 60 for the other way). The change shows in the fan-outs between nodes: they
 * are walked with costs from all of them; what is left, the logarithms of measured over walked
 * added up over the eager sizes, as a function of P, is fitted by two straight lines instead of
 * one, and where the best cut (eight process counts at least on either side, none of up to eight)
 * halves the squares that are left, the walk has other costs from there on (many_procs, many): what
 * one more message costs between nodes comes from the fan-outs and fan-ins of more than eight ranks
 * on either side of the cut, and beyond it each message takes so much longer, the same for all
 * sizes, that walks of the fan-outs of the smallest leave nothing in the median.
 *
 * Fan-in gives the latency of a reduction, its operation included, and what one more message costs
 * the receiver. S over the latency says less there, since the receiver reduces besides and an eager
 * sender copies for about as long. But a copy takes no more per byte when there are more, so sends
 * of a reduction are rendezvous from the size on where S is twice as much per byte as at the size
 * before, and half of the latency at least; where it never jumps, and from the smallest size on,
 * they are taken to be eager.
 *
 * Files: fit/channels.csv, fit/channel_times.csv, fit/channel_gamma.csv, fit/channel_ratio.csv.
 * Owns its rows. */
#pragma once

#include "analysis/models/channel/channel_platform.h"

struct parameter_set;

/* Fits all libraries of the study. Returns 0, or -1 with *err; what cannot be fitted has a
 * status. */
int channel_fit(const struct points *points, const struct facts *facts, struct channel_fits *fits,
                struct err *err);

/* Rows of channels.csv, channel_times.csv, channel_gamma.csv and channel_ratio.csv. Errors are
 * relative; rendezvous: NaN or infinite where none was seen. */
struct channel_row {
    char mpi[NAME_SIZE];
    enum channel channel;
    struct channel_hockney fit;
    double rendezvous_bytes, reduce_rendezvous_bytes;
};

struct channel_time_row {
    char mpi[NAME_SIZE];
    struct channel_sample sample;
};

struct channel_gamma_row {
    char mpi[NAME_SIZE];
    enum channel channel;
    int procs;
    uint64_t bytes;
    double gamma, gamma_slowest, measured_gamma;
};

struct channel_ratio_row {
    char mpi[NAME_SIZE];
    enum channel near, far, slower;
    uint64_t bytes;
    double ratio, measured_ratio;
};

extern const struct schema channel_schema, channel_time_schema, channel_gamma_schema,
    channel_ratio_schema;

/* Writes the files below DIR. */
int channel_fits_write(const char *dir, const char *backend, const struct channel_fits *fits,
                       struct err *err);

/* As a set (parameters.h): a struct channel_fits. */
extern const struct parameter_set channel_set;
