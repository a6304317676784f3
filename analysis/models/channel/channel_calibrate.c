/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/channel/channel_calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/models/channel/channel_models.h"
#include "analysis/measure/result_file.h"

enum { EVERY_SIZE = 5, PER_GROUP = 4 };

/* Half octaves, those next to none first. */
static const int steps[] = { 1, -1, 2, -2, 3, 4, 5, 6 };

/* A point that is further off says no more than one that is as far; a factor must do better than
 * those before it by this much. */
static const double MOST_OFF = 1, BETTER = 0.99;

/* Points to calibrate by. */
struct training {
    const struct measured **row;
    size_t n;
};

/* ---- which points ---- */

static int same_candidate(const struct point_group *a, const struct point_group *b)
{
    struct cell x = a->row[0]->point.cell, y = b->row[0]->point.cell;
    x.bytes = y.bytes = 0;
    return group_compare(&x, &a->row[0]->point.candidate, &y, &b->row[0]->point.candidate) == 0;
}

/* Of those below the split that use several nodes at most PER_GROUP, the largest first. */
static void take_from(struct training *s, const struct point_group *group, unsigned char *below)
{
    size_t n = 0, seen = 0;
    split_group(SPLIT_EXTRAPOLATED, group, below, NULL);
    for (size_t i = 0; i < group->n; i++) {
        below[i] = (unsigned char)(below[i] && group->row[i]->point.cell.nodes > 1 &&
                                   strcmp(group->row[i]->statistic, "max_rank") == 0);
        n += below[i];
    }
    if (n == 0)
        return;
    const size_t step = (n + PER_GROUP - 1) / PER_GROUP;
    for (size_t i = group->n; i-- > 0;)
        if (below[i] && seen++ % step == 0)
            s->row[s->n++] = group->row[i];
}

static int training_make(const struct point_groups *groups, struct training *s)
{
    size_t rows = 0, place = 0;
    for (size_t g = 0; g < groups->n; g++)
        rows += groups->group[g].n;
    unsigned char *below = malloc(rows + 1);
    *s = (struct training){ .row = malloc((rows + 1) * sizeof *s->row) };
    for (size_t g = 0; below && s->row && g < groups->n; g++) {
        place = g > 0 && same_candidate(&groups->group[g - 1], &groups->group[g]) ? place + 1 : 0;
        if (place % EVERY_SIZE == 0)
            take_from(s, &groups->group[g], below);
    }
    const int status = below && s->row ? 0 : -1;
    free(below);
    return status;
}

/* ---- how well a factor does ---- */

static void set_factor(struct channel_platform *to, const struct channel_platform *from, double f)
{
    for (int use = 0; use < N_CHANNEL_USES; use++) {
        to->costs[use].port_message = f * from->costs[use].port_message;
        to->many[use].port_message = f * from->many[use].port_message;
    }
}

/* NaN: no point of this library has a prediction. */
static double error_of(const struct training *s, const struct parameters *p, const char *mpi,
                       size_t *points)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct point *point = &s->row[i]->point;
        if (strcmp(point->cell.mpi, mpi) != 0)
            continue;
        const struct prediction said =
            model_predict(&model_channel_walk, p, &point->cell, &point->candidate);
        if (!prediction_usable(&said))
            continue;
        sum += fmin(fabs(log(said.seconds / s->row[i]->time.mean)), MOST_OFF);
        n++;
    }
    *points = n;
    return n ? sum / (double)n : NAN;
}

static struct channel_calibration calibrate(const struct training *s, const struct parameters *p,
                                            const struct channel_platform *from,
                                            struct channel_platform *to)
{
    struct channel_calibration c = { .factor = 1 };
    c.before = c.after = error_of(s, p, from->mpi, &c.points);
    if (!(from->costs[FOR_MOVING].port_message > 0))
        c.points = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && c.points; i++) {
        const double factor = pow(2, steps[i] / 2.0);
        size_t points;
        set_factor(to, from, factor);
        const double error = error_of(s, p, from->mpi, &points);
        if (error < BETTER * c.after) {
            c.after = error;
            c.factor = factor;
        }
    }
    set_factor(to, from, c.factor);
    return c;
}

int channel_calibrate(const struct point_groups *groups, const struct parameters *p,
                      struct channel_calibrations *c, struct err *err)
{
    const size_t n = p->channels ? p->channels->n : 0;
    struct parameters q = *p;
    struct training training = { .n = 0 };
    *c = (struct channel_calibrations){ .fits.n = n };
    c->fits.platform = malloc((n + 1) * sizeof *c->fits.platform);
    c->row = calloc(n + 1, sizeof *c->row);
    if (!c->fits.platform || !c->row || training_make(groups, &training) < 0) {
        free(training.row);
        channel_calibrations_clear(c);
        return err_set(err, "out of memory");
    }
    q.channels = &c->fits;
    if (n)
        memcpy(c->fits.platform, p->channels->platform, n * sizeof *c->fits.platform);
    for (size_t i = 0; i < n; i++) {
        c->row[i] = calibrate(&training, &q, &p->channels->platform[i], &c->fits.platform[i]);
        c->points += c->row[i].points;
    }
    free(training.row);
    return 0;
}

void channel_calibrations_clear(struct channel_calibrations *c)
{
    free(c->fits.platform);
    free(c->row);
    *c = (struct channel_calibrations){ .points = 0 };
}

/* ---- file ---- */

int channel_calibrations_write(const char *dir, const struct channel_calibrations *c,
                               struct err *err)
{
    static const char *const columns[] = { "mpi",         "cost",   "factor", "error_before",
                                           "error_after", "points", NULL };
    struct whole_file f;
    struct csvw w;
    if (result_begin(dir, "fit/channel_calibration.csv", columns, &f, &w, err) < 0)
        return -1;
    for (size_t i = 0; i < c->fits.n; i++) {
        if (!c->row[i].points)
            continue;
        csvw_text(&w, c->fits.platform[i].mpi);
        csvw_text(&w, "port_message");
        csvw_f64(&w, c->row[i].factor);
        csvw_f64(&w, c->row[i].before);
        csvw_f64(&w, c->row[i].after);
        csvw_u64(&w, c->row[i].points);
        csvw_end(&w);
    }
    return fs_commit(&f, err);
}

/* ---- model ---- */

static int has_calibration(const struct parameters *p)
{
    return p->calibrated != NULL;
}

static enum predict_status predict(const struct parameters *p, const struct cell *cell,
                                   const struct candidate *candidate, const struct schedule *s,
                                   double *seconds)
{
    struct parameters q = *p;
    q.channels = p->calibrated;
    return q.channels ? model_channel_walk.predict(&q, cell, candidate, s, seconds)
                      : PREDICT_NO_FIT;
}

const struct model model_channel_calibrated = {
    .name = "channel_calibrated",
    .help = "channel_event with the price of many messages at a port from small collectives",
    .without_schedule = 1,
    .walks_alone = 1,
    .applies = has_calibration,
    .predict = predict,
};
