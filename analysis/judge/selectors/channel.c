/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.c - the least prediction of the channel model, and of the event walk over places. */
#include <string.h>

#include "analysis/judge/selectors/selector.h"

static int has_model(const struct predictions *predictions, const char *name)
{
    for (size_t i = 0; i < predictions->n; i++)
        if (strcmp(predictions->row[i].model->name, name) == 0)
            return 1;
    return 0;
}

static int has_channel(const struct predictions *predictions)
{
    return has_model(predictions, "channel");
}

static int has_channel_event(const struct predictions *predictions)
{
    return has_model(predictions, "channel_walk");
}

/* The ping-pongs, fan-outs and fan-ins over channels. */
static double core_s(const struct points *points, const struct spending *of)
{
    double sum = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.channel != CHANNEL_NONE && spent_for(of, m))
            sum += m->core_s;
    }
    return sum;
}

static int choose_channel(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "channel", choice);
}

static int choose_channel_event(const struct cell_view *view, struct choice *choice)
{
    return choose_by_model(view, "channel_walk", choice);
}

const struct selector selector_channel = {
    .name = "channel",
    .help = "the least prediction of the channel model as in the paper",
    .applies = has_channel,
    .core_s = core_s,
    .choose = choose_channel,
};

const struct selector selector_channel_event = {
    .name = "channel_walk",
    .help = "the least prediction of the event walk with places, memories and ports",
    .applies = has_channel_event,
    .core_s = core_s,
    .choose = choose_channel_event,
};
