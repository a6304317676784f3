/* SPDX-License-Identifier: BSD-3-Clause */
/* team.h - some ranks of the launch, as communicators: the first `procs`, or chosen ones.
 *
 * `work` carries the portable algorithms, `control` the program's own messages, so that
 * neither receives the other's messages and both stay free of forced algorithms. */
#pragma once

#include "workloads/clocks/global_clock.h"
#include "workloads/clocks/sync.h"

struct team {
    int procs, rank; /* rank: -1 when this rank is no member */
    int node_rank;   /* among the members on this node */
    MPI_Comm control, work;
    struct clock_tree tree; /* of its ranks' clocks, where calls begin in windows */
    struct sync sync;       /* its messages go over control */
};

/* Collective over world: the team of its first procs ranks. */
int team_init(struct team *team, MPI_Comm world, int procs, struct err *err);

/* The same for the procs ranks with chosen = 1, in order. Rank 0 of the world is one of them. */
int team_init_chosen(struct team *team, MPI_Comm world, int procs, int chosen, struct err *err);

/* Collective over the team. */
void team_clear(struct team *team);

/* Creates a new `work` after a failed call, since messages of that call may still be in
 * flight on the old one, where the next call would receive them. Collective over the team. */
void team_renew(struct team *team);

/* An in-place allreduce of at most 64 bytes, independent of forced algorithms. Collective
 * over comm. */
void team_combine(MPI_Comm comm, void *values, int n, MPI_Datatype type, MPI_Op op);

/* Combines the status of all members. Collective over the team. Returns 0 if all succeeded, else -1
 * on every member; rank 0's *err is then the text of the lowest failed member, with its rank. */
int team_agree(const struct team *team, int status, struct err *err);
