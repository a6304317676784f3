/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/channel_launch.h"

#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/study/plan.h"
#include "harness/study/topology.h"

/* Where a world would be placed; 0 ranks: nowhere. */
static struct seating seat_world(const struct cluster *c, const struct study *s,
                                 const char *mapping, int world)
{
    struct seating seating = { .mapping = mapping,
                               .procs = world,
                               .sockets = c->sockets,
                               .cores = c->cores,
                               .cache_cores = c->cache_cores };
    if (plan_place(c, s, mapping, world, &seating.nodes, &seating.ppn, NULL) < 0)
        seating.procs = 0;
    return seating;
}

static int holds(const struct cluster *c, const struct study *s, enum channel channel, int procs,
                 const char *mapping, int world, struct team_place *place)
{
    const struct seating seating = seat_world(c, s, mapping, world);
    if (seat_team(&seating, channel, procs, NULL) < procs)
        return 0;
    *place = (struct team_place){ mapping, world, seating.nodes, seating.ppn };
    return 1;
}

/* The i-th world that the study launches, 0 after the last. */
static int world_at(const struct study *s, size_t i)
{
    const struct int_list *lists[] = { &s->procs, &s->fit_procs, &s->held_procs };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        if (i < lists[k]->n)
            return lists[k]->v[i];
        i -= lists[k]->n;
    }
    return 0;
}

/* The smallest of the study's worlds under a mapping that holds the team. */
static int place_in_study(const struct cluster *c, const struct study *s, enum channel channel,
                          int procs, const char *mapping, struct team_place *place)
{
    struct team_place at;
    int world, least = 0;
    for (size_t i = 0; (world = world_at(s, i)) > 0; i++)
        if (world >= procs && (!least || world < least) &&
            holds(c, s, channel, procs, mapping, world, &at)) {
            least = world;
            *place = at;
        }
    return least > 0;
}

/* The first world that holds it, from the study's largest by twos up to the whole cluster. */
static int place_beyond(const struct cluster *c, const struct study *s, enum channel channel,
                        int procs, const char *mapping, struct team_place *place)
{
    const int most = plan_node_room(c, s) * s->nodes;
    int world, largest = procs;
    for (size_t i = 0; (world = world_at(s, i)) > 0; i++)
        largest = world > largest ? world : largest;
    for (world = largest; world < most; world *= 2)
        if (holds(c, s, channel, procs, mapping, world, place))
            return 1;
    return holds(c, s, channel, procs, mapping, most, place);
}

int plan_team_place(const struct cluster *c, const struct study *s, enum channel channel, int procs,
                    struct team_place *place, struct err *err)
{
    for (size_t i = 0; i < s->mappings.n; i++)
        if (place_in_study(c, s, channel, procs, s->mappings.v[i], place))
            return 0;
    for (size_t i = 0; i < s->mappings.n; i++)
        if (place_beyond(c, s, channel, procs, s->mappings.v[i], place))
            return 0;
    return err_set(err, "no placement on %s has %d processes on channel '%s'", c->name, procs,
                   channel_words[channel]);
}

int plan_team_most(const struct cluster *c, const struct study *s, enum channel channel)
{
    int world, most = 1;
    for (size_t k = 0; k < s->mappings.n; k++)
        for (size_t i = 0; (world = world_at(s, i)) > 0; i++) {
            const struct seating seating = seat_world(c, s, s->mappings.v[k], world);
            const int team = seat_team(&seating, channel, seating.procs, NULL);
            most = team > most ? team : most;
        }
    return most;
}

int plan_farthest(const struct cluster *c, int world, int nodes, int ppn)
{
    struct topology t;
    int farthest = 0;
    if (topology_of_cluster(&t, c, NULL) < 0 || ppn != 1 || nodes > t.net.nodes ||
        (t.net.kind != TOPOLOGY_TORUS && t.net.kind != TOPOLOGY_MESH))
        return 0;
    int *position = memory_zeros((size_t)t.net.nodes, sizeof *position);
    if (topology_order(&t, c->order, position, NULL) == 0) {
        int most = topology_route(&t, position[0], position[world > 1], NULL);
        for (int r = 2; r < world; r++) {
            const int hops = topology_route(&t, position[0], position[r], NULL);
            farthest = hops > most ? r : farthest;
            most = hops > most ? hops : most;
        }
    }
    free(position);
    return farthest;
}
