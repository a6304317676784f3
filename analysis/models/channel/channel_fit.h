/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_fit.h - what messages cost by where their two ranks sit: the parameters of the models
 * `channel` (walk/channel.h) and `channel_event` (walk/place.h), per MPI library, from the
 * experiments pingpong, fanout and fanin whose point names a channel (harness/base/seat.h), and
 * from nothing else: no time of a collective enters. After Nuriyev, Rico-Gallego & Lastovetsky
 * (2022) and Tallone (2024).
 *
 * HOCKNEY. Per channel T(m) = alpha + beta m over all ping-pongs: least squares in absolute times,
 * as in the paper, and beside it Huber's regression of relative errors. A negative alpha is told
 * and does no harm: where that line is not positive, Huber's is taken. A channel whose beta is
 * negative has no ping-pong.
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
 * COSTS OF THE EVENT WALK. A fan-out among two ranks, timed as in walk/place.h, says of a message
 * two things: T, the slower rank, which is the receiver, and S = 2 mean - T, the sender. When a
 * call begins, the sender has left the barrier later than the receiver by the smaller of the
 * latency of a message of nothing and of what the receiver was busy longer than the sender; so
 *     latency(m) = T - latency(0) where T - latency(0) - S >= latency(0), else (T + S) / 2;
 * without a barrier (in simulation, where all begin at once) it is T. Where there is no such
 * fan-out it is the ping-pong's. From the size on from which S is at least three quarters of the
 * latency, sends are taken to be rendezvous. The slope of the slowest rank's time in P (Huber) is
 * what one more message costs: below that size the sender's processor, from there on what it reads
 * from
 * (`share`), and the processor as little as for the smallest message. Sharing below that size is by
 * the bytes, at the rate of the largest message. A memory is busy as long as channel core shares. A
 * port is busy as long as channel node does; below the size from which sends wait at least as long
 * as one more costs the receiver of a fan-in, which many send, or the sender of a fan-out if that
 * is less; and with each message (port_message) as long as one more of the smallest costs that
 * receiver (without fan-ins: 0). line of a channel is what the smallest message takes there longer
 * than in a cache; 0 in simulation.
 *
 * relay(m), to a rank that passes on (walk/place.h): from rendezvous on, inside a node, of channel
 * core at least, also in a cache, and at least what the ping-pong takes as long as its blocking
 * sends are still eager and, where they are no more (its slope falls to less than half), would take
 * by the line through the two sizes before: data that another rank has just written.
 *
 * MANY RANKS. A library may go over to another transport when there are many ranks (UCX takes
 * dynamically connected queues in place of a connection to each from 60 on, since it charges each
 * connection 1 ns and the other way 60). Such a change shows in the fan-outs between nodes: they
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
 * Files: fit/channels.csv, fit/channel_times.csv, fit/channel_fanout.csv, fit/channel_gamma.csv,
 * fit/channel_ratio.csv, fit/channel_costs.csv. Owns its rows. */
#ifndef ANALYSIS_MODELS_CHANNEL_CHANNEL_FIT_H
#define ANALYSIS_MODELS_CHANNEL_CHANNEL_FIT_H

#include "analysis/measure/points.h"
#include "analysis/measure/regress.h"
#include "analysis/walk/place_time.h"

/* A measured time: one experiment, channel, number of ranks and size. A ping-pong counts with its
 * median, over samples or, in what others measured, over receivers; a fan-out and a fan-in with
 * their means. Of several points that are alike (other mappings) the median. */
struct channel_sample {
    enum experiment experiment; /* EXP_PINGPONG, EXP_FANOUT, EXP_FANIN */
    enum channel channel;
    int procs;
    uint64_t bytes;
    double slowest, mean; /* seconds; mean over ranks: NaN where not known */
    size_t points;
};

/* y = intercept + slope x. */
struct channel_line {
    double intercept, slope, intercept_stderr, slope_stderr, r2;
    double robust_intercept, robust_slope;
    size_t n;
    enum fit_status status; /* of least squares; not ok: nothing is computed from it */
    enum fit_status sign;   /* the same, and what the signs say of an ok one (fit_sign) */
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

enum channel_use { FOR_MOVING, FOR_REDUCING, N_CHANNEL_USES }; /* in the order of channels.csv */

struct channel_platform {
    char mpi[NAME_SIZE];
    struct channel_sample *sample; /* by experiment, channel, bytes, procs */
    size_t n_samples;
    struct channel_hockney hockney[N_CHANNELS];
    struct channel_fanout *fanout; /* by experiment, channel, bytes */
    size_t n_fanouts;
    enum barrier barrier; /* before each timed call */
    struct place_costs costs[N_CHANNEL_USES];
    int has_costs;                           /* any channel has a latency */
    int many_procs;                          /* from so many ranks on `many` holds; 0: never */
    struct place_costs many[N_CHANNEL_USES]; /* owned */
};

struct channel_fits {
    struct channel_platform *platform;
    size_t n;
};

/* Fits all libraries of the study. Returns 0, or -1 when out of memory; what cannot be fitted has a
 * status. */
int channel_fit(const struct points *points, const struct facts *facts, struct channel_fits *fits,
                struct err *err);

/* The platform of a library, or NULL where nothing of it was measured on a channel. */
const struct channel_platform *channel_platform_find(const struct channel_fits *fits,
                                                     const char *mpi);

/* The costs of a walk among so many ranks. */
const struct place_costs *channel_costs_of(const struct channel_platform *p, enum channel_use use,
                                           int procs);

/* Huber's slope of the slowest rank's time in P over the samples of one experiment, channel and
 * size with from <= P < to. NaN where there are too few. */
double channel_slope(const struct channel_platform *p, enum experiment experiment,
                     enum channel channel, uint64_t bytes, int from, int to);

/* The sample, or NULL. */
const struct channel_sample *channel_sample_find(const struct channel_platform *p,
                                                 enum experiment experiment, enum channel channel,
                                                 int procs, uint64_t bytes);

/* The fitted ping-pong in seconds: least squares, or Huber where that is not positive (large
 * messages decide an absolute fit, and its alpha may be negative). NaN where there is none. */
double channel_pingpong(const struct channel_platform *p, enum channel channel, double bytes);

/* The fitted fan-out (or fan-in) among procs ranks (a number that need not be whole), in seconds of
 * the slowest rank or of the mean over ranks; a and b are linear between measured sizes. NaN where
 * there is none. */
double channel_fanout_time(const struct channel_platform *p, enum experiment experiment,
                           enum channel channel, double procs, double bytes, int of_mean);

/* The most ranks up to which that fan-out (fan-in) was measured, at both of the sizes around this
 * one; 0: never. */
int channel_fanout_procs(const struct channel_platform *p, enum experiment experiment,
                         enum channel channel, double bytes);

/* Q: the slower of two channels over the faster, at least 1; *slow gets which is slower (may be
 * NULL). NaN where a channel was not measured. */
double channel_ratio(const struct channel_platform *p, enum channel a, enum channel b, double bytes,
                     enum channel *slow);

/* Rows of channels.csv, channel_times.csv, channel_gamma.csv and channel_ratio.csv. Errors are
 * relative; rendezvous: NaN or infinite where none was seen. */
struct channel_row {
    char mpi[NAME_SIZE];
    enum channel channel;
    double alpha, beta, alpha_stderr, beta_stderr, r2, median_error, worst_error;
    double robust_alpha, robust_beta, robust_median, robust_worst;
    double rendezvous_bytes, reduce_rendezvous_bytes;
    int most_procs;
    size_t n;
    enum fit_status status;
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

extern const struct schema channel_schema, channel_time_schema, channel_fanout_schema,
    channel_gamma_schema, channel_ratio_schema, channel_cost_schema;

/* Writes the files below DIR. */
int channel_fits_write(const char *dir, const struct channel_fits *fits, struct err *err);

/* Frees what it holds. */
void channel_fits_clear(struct channel_fits *fits);

#endif
