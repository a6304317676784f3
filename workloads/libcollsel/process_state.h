/* SPDX-License-Identifier: BSD-3-Clause */
/* process_state.h - what the preloaded library knows in one process: its settings, what it has
 * seen, and the communicators that were called on. */
#ifndef WORKLOADS_LIBCOLLSEL_PROCESS_STATE_H
#define WORKLOADS_LIBCOLLSEL_PROCESS_STATE_H

#include <mpi.h>

#include "workloads/clocks/global_clock.h"
#include "workloads/libcollsel/call_args.h"
#include "workloads/libcollsel/own_algorithm.h"
#include "workloads/libcollsel/forced.h"
#include "workloads/libcollsel/trained_model.h"
#include "workloads/libcollsel/comm_place.h"
#include "workloads/libcollsel/seen.h"
#include "workloads/libcollsel/settings.h"
#include "workloads/libcollsel/staged.h"
#include "workloads/libcollsel/star.h"
#include "workloads/libcollsel/choice_table.h"

enum {
    GROUP_CELLS = 2048, /* kinds of calls that are told apart on one communicator */
    GROUP_LIKE = 16,    /* calls by whose arguments the kind is known at once */
    CELL_EARLY = 10     /* calls of a kind before star tunes it; on MPI_COMM_WORLD none */
};

/* How the last call of a kind ran, so that the next one like it asks less: what a kind has in
 * common (bytes, and whether its operation commutes) and this tell its schedule. */
struct call_memo {
    const struct choice *choice; /* NULL: nothing is kept */
    MPI_Datatype type;           /* of a reduction: one of MPI's own, which nobody frees */
    int root, in_place;
    struct executor_cache *prepared;
    int is_forced;    /* it is the library's own code, where that does not refuse */
    uint64_t evicted; /* executor_cache_set's, when that was kept */
};

/* A kind of call on one communicator. */
struct cell_of_group {
    struct row_key key;       /* whatever the root */
    struct row *row[N_ROOTS]; /* by root; NULL: not called so yet */

    const struct choice *choice; /* of the table; NULL: none */
    struct call_memo memo;
    MPI_Datatype element_type; /* of the last reduction, one of MPI's own; element_bytes 0: none */
    uint64_t element_bytes;

    int early;    /* calls before star was asked, up to CELL_EARLY */
    int is_tuned; /* 1: star says what runs; -1: it does not; 0: not asked yet */
    struct star *star;
    struct repository repository;
};

/* A call by those of its arguments that tell its kind, where these are MPI's own for good: types
 * and operations of an application may be freed, and others have their names then. */
struct call_like {
    enum call_args_which which;
    int count; /* call_args_block */
    MPI_Datatype type;
    MPI_Op op;
    const void *site;           /* where kinds are told apart by it; else NULL */
    struct cell_of_group *cell; /* NULL: there is none */
};

/* A communicator of the application. It goes with it. */
struct group {
    MPI_Comm comm;
    int rank, procs;
    int is_inter;                 /* its calls pass through */
    uint64_t members;             /* a number made of their ranks in the world, in order */
    struct cell_of_group **cells; /* owned */
    size_t n_cells, room;
    struct cell_of_group *last, **slot; /* last: that of the last call; slot: all by their hash */
    size_t n_slots;                     /* 2^n, more than twice the cells */
    struct call_like like[GROUP_LIKE];  /* each in the place that its arguments say */
    struct executor_cache_place place;  /* procs 0: not wanted yet */
    struct executor_cache_set prepared;
    struct forced_set forced;
    int has_asked;                    /* 1: the model was asked, or could not be */
    const struct choice_table *model; /* what it chooses here; NULL: not known */
    struct choice_table *own_model;   /* the same where nobody else keeps it; owned */
    struct err model_err;             /* why it is not known */
    int is_broken;                    /* a schedule has failed: its calls pass through */
    struct group *before, *after;     /* in the list of all */
};

struct library {
    struct libcollsel_settings settings;
    struct choice_table *table; /* NULL: another mode */
    struct models models;       /* where a model is asked */
    struct seen rows;
    struct row spare; /* where there is no room for another one; of no use to anybody */
    struct stage stage;
    struct group *groups;   /* the first of all */
    struct group *last;     /* that was called on; NULL: none, or it is gone */
    int keyval;             /* under which communicators keep their group */
    uint64_t world_members; /* of MPI_COMM_WORLD */
    MPI_Comm own;           /* all ranks; of the library alone */
    struct global_clock clock;
    struct clock_tree clocks;
    struct decided decided;
    int can_force; /* the library's own algorithms */
};

/* The one of this process; NULL: calls pass through. */
struct library *library_get(void);

/* Collective over MPI_COMM_WORLD. */
struct library *library_new(const struct libcollsel_settings *settings);

/* From now on there is one; from then on none: communicators forget it, and calls pass through.
 * What it has seen is still there until it is freed, which is collective. */
void library_enter(struct library *lib);
void library_leave(struct library *lib);
void library_free(struct library *lib);

/* The group of a communicator; NULL where there is no such. Local. */
struct group *library_group(struct library *lib, MPI_Comm comm);

/* The row of a kind of call; where no room is left for it the spare one. */
struct row *library_row(struct library *lib, const struct row_key *key);

/* The cell of a call on it; NULL where no room is left for another one. */
struct cell_of_group *group_cell(struct group *group, const struct row_key *key);

#endif
