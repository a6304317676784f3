/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.h - groups of ranks by placement: on one cache, socket, node or switch. Pure; uses
 * the seats of a schedule (harness/base/seat.h) and stores nothing.
 *
 * The groups of a level are numbered without gaps, in an order in which each group of a level above
 * has consecutive groups of the level below: the ranks of a node by socket, then core. A rank is a
 * group of the lowest level, all ranks are one of the highest. */
#pragma once

#include "harness/base/seat.h"

enum level { LEVEL_RANK, LEVEL_CACHE, LEVEL_SOCKET, LEVEL_NODE, LEVEL_SWITCH, LEVEL_ALL, N_LEVELS };

/* "cache", "socket", "node", "switch"; NULL for the others. */
const char *level_name(enum level level);

/* Whether the seats determine the groups of a level. */
int level_known(const struct seating *s, enum level level);

/* Groups of a level; the one that a rank is in; the first rank of one, its leader unless told. */
int level_count(const struct seating *s, enum level level);
int level_group(const struct seating *s, enum level level, int rank);
int level_first(const struct seating *s, enum level level, int group);

/* The groups of level `below` that are in one group of level `above`, each with its leader: the
 * root where that is in it, else its first rank. */
struct level_team {
    const struct seating *seats;
    enum level below;
    int first, n; /* its groups: first … first + n - 1 */
    int root;     /* of the call; -1: it has none */
    int top;      /* member that leads the group above */
};

/* The team that a rank would be in, as the leader of its group. */
struct level_team level_team(const struct seating *s, enum level below, enum level above, int root,
                             int rank);

/* The number of a rank in its team, -1 where it leads no group; and back. */
int level_member(const struct level_team *t, int rank);
int level_rank(const struct level_team *t, int member);
