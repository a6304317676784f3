/* SPDX-License-Identifier: BSD-3-Clause */
/* links_free, links_step, links_step_hops: the messages of a step over the links of their routes
 * (walk/link_walk.h); links_queue: in the order of time. Parameters: links_fit.h. */
#include <unistd.h>

#include "analysis/measure/result_file.h"
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

/* links_models.c - the files of links_fit.h. */

/* clang-format off */
static const struct schema_column place_list[] = {
    PLATFORM_COLUMNS(links_place, of.mpi, of.mapping),
    COLUMN(links_place, NAME, "topology", topology, "", "as in the cluster file"),
    COLUMN(links_place, NAME, "shape", shape, "", "extents, `2x3x4`; empty: it has none"),
    COLUMN(links_place, TEXT, "order", order, "", "of the nodes, as in the cluster file"),
    COLUMN(links_place, INT, "nodes", nodes, "", "nodes of the network"),
    COLUMN(links_place, REAL, "link_rate_bytes_per_s", link_rate, "bytes/s", "of a node's link"),
    COLUMN(links_place, INT, "ping_hops", of.hops, "", "links between the two nodes of the ping-pong"),
    COLUMN(links_place, REAL, "ping_latency_s", of.latency, "s", "of these links, by the cluster file"),
    COLUMN(links_place, REAL, "latency_scale", of.latency_scale, "", "factor of the cluster file's latencies"),
    COLUMN(links_place, COUNT, "scale_points", of.scale_points, "", "sizes of a farther ping-pong that the factor rests on; 0: it is 1"),
    COLUMN(links_place, COUNT, "sizes", of.message.n, "", "sizes of the ping-pong"),
    COLUMN(links_place, COUNT, "copy_sizes", of.copy.n, "", "sizes of the copies in memory"),
    COLUMN(links_place, COUNT, "cache_sizes", of.inside[CHANNEL_CACHE].n, "", "sizes of ping-pongs on this channel; 0: such messages count as between nodes"),
    COLUMN(links_place, COUNT, "core_sizes", of.inside[CHANNEL_CORE].n, "", "the same"),
    COLUMN(links_place, COUNT, "socket_sizes", of.inside[CHANNEL_SOCKET].n, "", "the same"),
};

static const struct schema_column point_list[] = {
    POINT_COLUMNS(links_row, point),
    COLUMN(links_row, COUNT, "steps", result.steps, "", "of the walk"),
    COLUMN(links_row, COUNT, "collisions", result.collisions, "", "C: the most messages on one link and direction in any step"),
    COLUMN(links_row, REAL, "link_bytes", result.link_bytes, "bytes", "the most on one link in any step, as if all had the rate of a node's"),
    COLUMN(links_row, INT, "hops", result.hops, "", "the most links of a route"),
    COLUMN(links_row, REAL, "network_s", result.network_s, "s", "sum over the steps of t(C M); empty, as all seconds of the row: too many rounds (`analysis/models/links/links_fit.h`)"),
    COLUMN(links_row, REAL, "alone_s", result.alone_s, "s", "sum over the steps of t(M)"),
    COLUMN(links_row, REAL, "latency_s", result.latency_s, "s", "sum of each longest route's latency beyond that of the ping-pong's; below 0 where it is shorter"),
    COLUMN(links_row, REAL, "copy_s", result.copy_s, "s", "sum of the copies in memory"),
    COLUMN(links_row, REAL, "queue_s", result.queue_s, "s", "the walk with links as queues (`analysis/walk/queue.h`); empty: too many messages"),
};
/* clang-format on */

SCHEMA(links_place_schema, links_place, place_list, "fit/links_platform.csv",
       "One row per library and mapping (`analysis/models/links/links_fit.h`), where ping-pongs "
       "between nodes were measured and the manifest says what the network is; else there is no "
       "such file.",
       .backend = 1);

SCHEMA(links_schema, links_row, point_list, "fit/links.csv",
       "One row per timed point with a schedule, walked over the network. The predictions are "
       "`network_s` + `copy_s` (`links_step`), `alone_s` + `copy_s` (`links_free`), `network_s` + "
       "`latency_s` + `copy_s` (`links_step_hops`) and `queue_s` (`links_queue`).",
       .backend = 1);

/* "2x3x4"; "" where there are no extents. */
static void put_shape(const struct topology *t, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (int j = 0; j < t->net.dims && used < size; j++)
        used += (size_t)snprintf(buf + used, size - used, "%s%d", j ? "x" : "", t->net.extent[j]);
}

static void write_platform(struct csvw *w, const void *user, size_t i)
{
    const struct links_fits *fits = user;
    const struct topology *t = &fits->facts.topology;
    struct links_place r = { .of = fits->platform[i],
                             .nodes = t->net.nodes,
                             .link_rate = t->net.link_rate };
    snprintf(r.topology, sizeof r.topology, "%s", topology_kind_name(t->net.kind));
    snprintf(r.order, sizeof r.order, "%s", *fits->facts.order ? fits->facts.order : "in_order");
    put_shape(t, r.shape, sizeof r.shape);
    schema_row(w, &links_place_schema, &r);
}

/* What an earlier fit has left. */
static int remove_all(const char *dir, struct err *err)
{
    static const char *const names[] = { "links_platform", "links" };
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (fs_path(path, sizeof path, err, "%s/fit/%s.csv", dir, names[i]) < 0)
            return -1;
        if (fs_exists(path) && unlink(path) < 0)
            return err_errno(err, "%s", path);
    }
    return 0;
}

int links_fits_write(const char *dir, const char *backend, const struct links_fits *c,
                     struct err *err)
{
    if (c->n_platforms == 0)
        return remove_all(dir, err);
    return result_write_each(dir, &links_place_schema, backend, c->n_platforms, write_platform, c,
                             err) < 0
               ? -1
               : result_write(dir, &links_schema, backend, c->row, c->n, err);
}
