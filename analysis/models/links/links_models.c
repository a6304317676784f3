/* SPDX-License-Identifier: BSD-3-Clause */
/* links_free, links_step, links_step_hops: the messages of a step over the links of their routes
 * (walk/link_walk.h); links_queue: in the order of time. Parameters: links_fit.h. */
#include <math.h>

#include "analysis/models/links/links_fit.h"
#include "analysis/models/model.h"
#include "analysis/models/parameters.h"

static int has_links(const struct parameters *p)
{
    const struct links_fits *fits = parameters_of(p, &links_set);
    return fits && fits->n_platforms > 0;
}

/* What the ping-pong between nodes says nothing of: messages within nodes; where only some steps
 * have no others, and of more bytes than it had, its curve is carried on. */
static enum predict_status link_status(const struct links_result *r, double most_bytes,
                                       double measured_bytes)
{
    if (r->steps > 0 && r->local_steps == r->steps)
        return PREDICT_NO_FIT;
    return r->local_steps > 0 || most_bytes > measured_bytes ? PREDICT_EXTRAPOLATED : PREDICT_OK;
}

/* The models by what they make of the walk over links; a model that collides asks for t(C M). */
enum { LINKS_FREE, LINKS_STEP, LINKS_STEP_HOPS, LINKS_QUEUE };

static const struct {
    double (*sum)(const struct links_result *);
    enum { ALONE, COLLIDING, IN_TIME } kind; /* in time: NaN where messages are too many */
} sums[] = {
    [LINKS_FREE] = { links_alone_seconds, ALONE },
    [LINKS_STEP] = { links_seconds, COLLIDING },
    [LINKS_STEP_HOPS] = { links_step_hops_seconds, COLLIDING },
    [LINKS_QUEUE] = { links_queue_seconds, IN_TIME },
};

static enum predict_status predict(const struct question *q, double *seconds)
{
    const struct links_fits *fits = parameters_of(q->p, &links_set);
    struct links_result result;
    if (!has_links(q->p) || links_of(fits, q->cell, q->candidate, q->s, &result) < 0)
        return PREDICT_NO_FIT;
    *seconds = sums[q->model->variant].sum(&result);
    if (!isfinite(*seconds))
        return sums[q->model->variant].kind == IN_TIME || !result.steps ? PREDICT_TOO_MANY
                                                                        : PREDICT_NO_FIT;
    double most = (double)result.largest;
    if (sums[q->model->variant].kind == COLLIDING)
        most = fmax(most, result.link_bytes);
    return link_status(&result, most, links_measured_bytes(fits, q->cell));
}

static double core_s(const struct points *points, const struct spending *of)
{
    return spent_on(points, of, EXP_PINGPONG) + spent_on(points, of, EXP_COPY);
}

#define LINKS_MODEL .applies = has_links, .predict = predict, .core_s = core_s

/* clang-format off */
const struct model model_links_free = {
    LINKS_MODEL, .name = "links_free", .label = "links, no collisions",
    .prose = "as links_step, but each message has its links for itself", .colour = "#7F4F24",
    .dash = 3, .marker = 9, .variant = LINKS_FREE,
    .help = "the messages of a step as if none met on a link, t(M) from ping-pong, memory copies"
};

const struct model model_links_step = {
    LINKS_MODEL, .name = "links_step", .simulators = 1, .label = "links, step by step",
    .prose = "steps of the schedule, each as long as its messages on the busiest link take, and "
            "copies in memory (Sugiyama et al.)",
    .colour = "#117733", .dash = 1, .marker = 15, .variant = LINKS_STEP,
    .help = "messages of a step routed, t(C M) from ping-pong, memory copies (Sugiyama et al.)"
};

const struct model model_links_step_hops = {
    LINKS_MODEL, .name = "links_step_hops", .simulators = 1, .label = "links, steps and hops",
    .prose = "the same as links_step, with the latency of every link of a route",
    .colour = "#999933", .dash = 5, .marker = 13, .variant = LINKS_STEP_HOPS,
    .help = "links_step, and the latency of the longest route of each step"
};

const struct model model_links_queue = {
    LINKS_MODEL, .name = "links_queue", .simulators = 1, .label = "links as queues",
    .prose = "links that carry messages one after the other, each rank going on when it can (ours)",
    .colour = "#5D3FD3", .dash = 3, .marker = 11, .chosen_on = "sim:fx10", .variant = LINKS_QUEUE,
    .help = "links carry messages one after the other, each rank going on when it can (ours)"
};
/* clang-format on */

/* ---- their parameters ---- */

static int fit_set(const struct fit_from *from, const struct parameters *p, void *value,
                   struct err *err)
{
    (void)p;
    return links_fit(from->points, from->facts, value, err);
}

PARAMETER_SET_FILES(links_fits_write, links_fits_clear)

/* clang-format off */
const struct parameter_set links_set = {
    .name = "links", .size = sizeof(struct links_fits), .fit = fit_set, .write = write_set,
    .clear = clear_set
};
/* clang-format on */

const struct model *const links_models[] = { &model_links_free, &model_links_step,
                                             &model_links_step_hops, &model_links_queue, NULL };
const struct model *const links_paper = &model_links_step;
