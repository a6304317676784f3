/* SPDX-License-Identifier: BSD-3-Clause */
/* two_level_mvapich.c - what MVAPICH2 runs by node, as SMPI has it: which algorithms these are it
 * chooses by ranks, nodes and bytes (decision_mvapich.c), so that their names are not in this
 * one's. An allreduce goes up and down a node even where there is no other. */
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/decision_mvapich.h"
#include "workloads/schedules/two_level_parts.h"

/* Team 0: within nodes, 1: among their first ranks. Those of lane 1 come after the others. */
static void add(struct combination *c, const char *collective, const char *name, int team, int lane)
{
    const struct algorithm *alg = algorithm_find(collective, name);
    c->part[c->n++] = (struct combined_part){
        .alg = alg, .team = team, .lane = lane, .rises = collective_find(collective)->combines
    };
}

static void prepare(struct schedule *s)
{
    const struct decision_call call = {
        .procs = s->procs, .bytes = s->bytes, .count = schedule_count(s), .seats = &s->seats
    };
    struct combination *c = &s->combination;
    struct decision_levels levels;
    *c = (struct combination){ .levels = 2, .chain = { LEVEL_RANK, LEVEL_NODE, LEVEL_ALL } };
    if (!decision_mvapich2_levels(s->collective->name, &call, &levels))
        return;
    if (levels.up)
        add(c, collective_of_fan(FAN_REDUCE)->name, levels.up, 0, 0);
    add(c, s->collective->name, levels.across, 1, 0);
    if (levels.down)
        add(c, collective_of_fan(FAN_SEND)->name, levels.down, 0, levels.up != NULL);
}

static const char *unfit(const struct schedule *s)
{
    const char *why = two_level_unfit(s);
    return why || s->combination.n ? why : "wants as many ranks on each node";
}

/* clang-format off */
#define ROW                                                                                        \
    { { .name = "mvapich2_two_level", .group = "levels", .levels = 2, .prepare = prepare,          \
        .unfit = unfit, .rounds = two_level_rounds, .round = two_level_round,                      \
        .temp_bytes = two_level_temp,                                                              \
        .help = "MVAPICH2's by node, of algorithms that it chooses by ranks, nodes and bytes" },   \
      { .name = NULL } }
/* clang-format on */

const struct algorithm bcast_mvapich2[] = ROW;
const struct algorithm reduce_mvapich2[] = ROW;
const struct algorithm allreduce_mvapich2[] = ROW;
