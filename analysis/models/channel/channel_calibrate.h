/* SPDX-License-Identifier: BSD-3-Clause */
/* channel_calibrate.h - the model `channel_calibrated`: channel_event with one price that no
 * experiment on channels shows, taken from collectives.
 *
 * What a message costs at a port (port_message, walk/place.h) comes from fan-ins and fan-outs,
 * which have one receiver or one sender. So it is multiplied by a factor, one per library, on a
 * grid of half octaves from 1/2 to 8: the one with the least mean of
 * min(|ln(predicted / measured)|, 1), where that is less by a hundredth than what factors nearer to
 * 1 reach.
 *
 * The points are collectives, timed by the slowest rank, that use more than one node at P up to
 * half of the largest of their group (SPLIT_EXTRAPOLATED, groups.h), whatever is judged later: no
 * time above that enters. They are thinned: every fifth size of a candidate, and of each at most
 * four points spread evenly over P. Where there are none, or no price, there is no such model.
 * File: fit/channel_calibration.csv. */
#ifndef ANALYSIS_MODELS_CHANNEL_CHANNEL_CALIBRATE_H
#define ANALYSIS_MODELS_CHANNEL_CHANNEL_CALIBRATE_H

#include "analysis/models/parameters.h"

/* Of one library. */
struct channel_calibration {
    double factor;        /* 1 where there are no points */
    double before, after; /* mean error with 1 and with the factor, in logarithms; NaN: no points */
    size_t points;
};

struct channel_calibrations {
    struct channel_fits fits; /* costs with the factor; all else is borrowed from those given */
    struct channel_calibration *row; /* of each platform */
    size_t points;                   /* of all; 0: nothing was calibrated */
};

/* Calibrates p->channels, which must outlive it. Returns 0, or -1 with *err when out of memory. */
int channel_calibrate(const struct point_groups *groups, const struct parameters *p,
                      struct channel_calibrations *c, struct err *err);

/* Writes DIR/fit/channel_calibration.csv. */
int channel_calibrations_write(const char *dir, const struct channel_calibrations *c,
                               struct err *err);

/* Frees what it holds. */
void channel_calibrations_clear(struct channel_calibrations *c);

extern const struct model model_channel_calibrated;

#endif
