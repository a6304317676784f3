/* SPDX-License-Identifier: BSD-3-Clause */
/* library.h - what the preloaded library knows in one process: its settings, what it has seen, and
 * the communicators that were called on. */
#ifndef WORKLOADS_LIBCOLLSEL_LIBRARY_H
#define WORKLOADS_LIBCOLLSEL_LIBRARY_H

#include <mpi.h>

#include "workloads/global_clock.h"
#include "workloads/libcollsel/asked.h"
#include "workloads/libcollsel/seen.h"
#include "workloads/libcollsel/settings.h"

enum { GROUP_CELLS = 256 }; /* kinds of calls that are told apart on one communicator */

/* A kind of call on one communicator. */
struct cell_of_group {
    struct row_key key;
    struct row *row; /* of all communicators with these members; NULL: there was no room */
};

/* A communicator of the application. It goes with it. */
struct group {
    MPI_Comm comm;
    int rank, procs;
    int is_inter;     /* its calls pass through */
    uint64_t members; /* a number made of their ranks in the world, in order */
    struct cell_of_group *cells;
    size_t n_cells, room;
    struct group *before, *after; /* in the list of all */
};

struct library {
    struct libcollsel_settings settings;
    struct seen rows;
    struct group *groups;   /* the first of all */
    struct group *last;     /* that was called on; NULL: none, or it is gone */
    int keyval;             /* under which communicators keep their group */
    uint64_t world_members; /* of MPI_COMM_WORLD */
    MPI_Comm own;           /* all ranks; of the library alone */
    struct global_clock clock;
    struct clock_tree clocks;
};

/* The one of this process; NULL: calls pass through. */
struct library *library_get(void);

/* Collective over MPI_COMM_WORLD. */
struct library *library_new(const struct libcollsel_settings *settings);

/* From now on there is one; from then on none: communicators forget it, and calls pass through. What it has seen is
 * still there until it is freed, which is collective. */
void library_enter(struct library *lib);
void library_leave(struct library *lib);
void library_free(struct library *lib);

/* The group of a communicator; NULL where there is no such. Local. */
struct group *library_group(struct library *lib, MPI_Comm comm);

/* The cell of a call on it; NULL where no room is left for another one. The pointer is good until
 * the next call of this. */
struct cell_of_group *group_cell(struct library *lib, struct group *group,
                                 const struct row_key *key);

#endif
