/* SPDX-License-Identifier: BSD-3-Clause */
/* contention.c - the least prediction of the contention walk: with collisions on links, without
 * them, with the latency of hops, and with messages in the order of time. */
#include <string.h>

#include "analysis/judge/selectors/selector.h"

static int has_model(const struct predictions *predictions, const char *model)
{
    for (size_t i = 0; i < predictions->n; i++)
        if (strcmp(predictions->row[i].model->name, model) == 0)
            return 1;
    return 0;
}

static int applies(const struct predictions *predictions)
{
    return has_model(predictions, "links_step");
}

static double core_s(const struct points *points, const struct spending *of)
{
    return spent_on(points, of, EXP_PINGPONG) + spent_on(points, of, EXP_COPY);
}

static int with_collisions(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "links_step", choice);
}

static int without_collisions(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "links_free", choice);
}

static int with_hops(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "links_step_hops", choice);
}

static int with_queues(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "links_queue", choice);
}

static int by_flows(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "links_flow", choice);
}

static int has_flows(const struct predictions *predictions)
{
    return has_model(predictions, "links_flow");
}

const struct selector selector_contention = {
    .name = "links_step",
    .help = "the least prediction with the collisions of messages on links",
    .applies = applies,
    .core_s = core_s,
    .choose = with_collisions,
};

const struct selector selector_no_collisions = {
    .name = "links_free",
    .help = "the same as if no messages met on a link",
    .applies = applies,
    .core_s = core_s,
    .choose = without_collisions,
};

const struct selector selector_contention_hops = {
    .name = "links_step_hops",
    .help = "the least prediction with collisions and the latency of long routes",
    .applies = applies,
    .core_s = core_s,
    .choose = with_hops,
};

const struct selector selector_contention_queue = {
    .name = "links_queue",
    .help = "the least prediction with links that carry messages one after the other",
    .applies = applies,
    .core_s = core_s,
    .choose = with_queues,
};

const struct selector selector_contention_flow = {
    .name = "links_flow",
    .help = "the least prediction with messages as flows that share links",
    .applies = has_flows,
    .core_s = core_s,
    .choose = by_flows,
};
