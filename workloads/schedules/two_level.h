/* SPDX-License-Identifier: BSD-3-Clause */
/* two_level.h - algorithms made of others, one for each level of the machine: within nodes, say,
 * and between the leaders of nodes. They need the seats of the ranks.
 *
 * NAMES. two_level.INNER.OUTER: the ranks of a node, then one leader of each. The groups are others
 * where a level stands first: two_level.socket.INNER.OUTER (cache, socket, node, switch).
 * three_level.INNER.MIDDLE.OUTER: ranks of a socket, sockets of a node, nodes;
 * three_level.node.switch.INNER.MIDDLE.OUTER: ranks of a node, nodes of a switch, switches. An
 * algorithm's fan-out and segment follow its name: two_level.chain-k2-s8K.binomial.
 *
 * WHAT RUNS. Broadcast: from the top down; reduction: up. Allreduce: up by the reductions of the
 * inner names, across by the allreduce of the outer one, down by the broadcasts of the inner names
 * ("linear" and "basic_linear" are one); where an inner name is none of a reduction, by the
 * allreduce of that name, and down by a binomial tree. Barrier: up and down by the inner ones. The
 * root leads its groups. Allgather: gathers up, an allgather across, broadcasts of all blocks down.
 * Reduce-scatter: reductions up, across, scatters down. Where an inner name is of one of the two
 * alone, a binomial tree is the other. Gather, scatter: up to the root, down from it. These four
 * want groups of one size, and blocks; two_level_moving.c says how.
 *
 * SEGMENTS of the call go through the levels one after the other: while a level works on one the
 * next level works on the one before. Going down comes after going up and across. Segments of an
 * algorithm's own (-s) cut each of these once more. */
#pragma once

#include "workloads/schedules/collectives.h"

/* Whether a level has nothing to do: all ranks are in one of its groups, or each has a group of its
 * own, so that the other levels alone run. Then -1, and *why says which; else, and of what combines
 * nothing, or what it finds by itself (mvapich2_two_level), 0. */
int two_level_idle(const struct schedule *s, struct err *why);
