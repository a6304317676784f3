/* SPDX-License-Identifier: BSD-3-Clause */
/* The price of many messages at a port, planted: times are the walker's own with the price times a
 * known factor, and noise; no time above the split may matter. */
#include "analysis/models/channel/channel_calibrate.h"

#include <math.h>

#include "analysis/models/channel/channel_models.h"
#include "tests/analysis/dir.h"
#include "tests/analysis/overprocs.h"
#include "tests/tap.h"

static const char *const names[] = { "openmpi:knomial", "openmpi:binomial" };
static const uint64_t sizes[] = { 8, 64, 512 };

/* Prices in seconds that hold for all sizes; a message at a port takes port_message. */
static struct channel_platform platform_new(double port_message)
{
    struct channel_platform p = { .mpi = "openmpi",
                                  .barrier = BARRIER_DISSEMINATION,
                                  .has_costs = 1 };
    for (int use = 0; use < N_CHANNEL_USES; use++) {
        for (int c = CHANNEL_CACHE; c < N_CHANNELS; c++) {
            struct place_channel *of = &p.costs[use].of[c];
            curve_add(&of->latency, 1, c == CHANNEL_NODE ? 2e-6 : 3e-7);
            curve_add(&of->send, 1, 1e-7);
            of->rendezvous_bytes = INFINITY;
        }
        p.costs[use].port_message = port_message;
    }
    return p;
}

static void platform_clear(struct channel_platform *p)
{
    for (int use = 0; use < N_CHANNEL_USES; use++)
        place_costs_clear(&p->costs[use]);
}

/* Within a twentieth of the time, the same each time. */
static double noise(size_t i)
{
    return 1 + 0.05 * sin(12.9898 * (double)(i + 1));
}

/* By node on two nodes, P from 2 to 64, the times being the walker's at this price; above half of
 * the largest P (and at all P of other mappings) they are `beyond` times that. */
static struct points planted(const struct facts *facts, double port_message, double beyond)
{
    struct points points = { .n = 0 };
    struct channel_platform platform = platform_new(port_message);
    struct channel_fits fits = { .platform = &platform, .n = 1 };
    const struct parameters p = { .facts = facts, .channels = &fits };
    for (size_t a = 0; a < sizeof names / sizeof *names; a++)
        for (size_t m = 0; m < sizeof sizes / sizeof *sizes; m++)
            for (int procs = 4; procs <= 64; procs += 4) {
                struct measured *x = over_add(&points, facts, names[a], "node", procs, sizes[m], 1);
                const struct prediction t =
                    model_predict(&model_channel_walk, &p, &x->point.cell, &x->point.candidate);
                x->time.mean = t.seconds * noise(points.n) * (procs > 32 ? beyond : 1);
            }
    platform_clear(&platform);
    return points;
}

static struct channel_calibration found(double planted_s, double beyond, const char *dir)
{
    const struct facts facts = shape(2, 1, 32);
    struct points points = planted(&facts, planted_s, beyond);
    struct channel_platform platform = platform_new(1e-7);
    struct channel_fits fits = { .platform = &platform, .n = 1 };
    const struct parameters p = { .facts = &facts, .channels = &fits };
    struct point_groups groups;
    struct channel_calibrations c;
    struct err err = { .text = "" };
    point_groups_make(&points, &groups, NULL);
    is_int(0, channel_calibrate(&groups, &p, &c, &err), "calibrated: %s", err.text);
    const struct channel_calibration first = c.row[0];
    is_near(first.factor * 1e-7, c.fits.platform[0].costs[FOR_MOVING].port_message, 1e-12,
            "the model's price is that of the channels times the factor");
    is_near(1e-7, platform.costs[FOR_MOVING].port_message, 1e-12, "which stays as it was");
    if (dir)
        is_int(0, channel_calibrations_write(dir, &c, &err), "written: %s", err.text);
    channel_calibrations_clear(&c);
    point_groups_clear(&groups);
    points_clear(&points);
    platform_clear(&platform);
    return first;
}

static int file_is(const char *dir, char *text, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/fit/channel_calibration.csv", dir);
    FILE *f = fopen(path, "r");
    const size_t n = f ? fread(text, 1, size - 1, f) : 0;
    text[n] = '\0';
    return f ? fclose(f) == 0 : 0;
}

int main(void)
{
    char dir[256], one[4096], other[4096];
    if (!dir_make(dir, sizeof dir))
        return tap_skip_all("no temporary directory");
    is_near(1, found(1e-7, 1, NULL).factor, 1e-12, "nothing was planted: nothing is found");
    is_near(4, found(4e-7, 1, NULL).factor, 1e-12, "a price of four times");
    is_near(0.5, found(0.5e-7, 1, NULL).factor, 0.21, "one of half, or next to it");

    const struct channel_calibration c = found(4e-7, 1, dir);
    ok(c.after < 0.06 && c.before > 2 * c.after, "the error goes from %g to the noise: %g",
       c.before, c.after);
    is_int(8, (long long)c.points, "of each algorithm the first size, four points each");
    ok(file_is(dir, one, sizeof one), "a file");
    found(4e-7, 1000, dir);
    ok(file_is(dir, other, sizeof other) && strcmp(one, other) == 0,
       "times above the split change no byte of it");
    dir_remove(dir);
    return tap_done();
}
