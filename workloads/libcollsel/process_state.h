/* SPDX-License-Identifier: BSD-3-Clause */
/* process_state.h - state of the preloaded library in one process: its settings, its records of
 * calls, and the communicators used. */
#pragma once

#include <pthread.h>

#include "workloads/clocks/global_clock.h"
#include "workloads/libcollsel/own_algorithm.h"
#include "workloads/libcollsel/forced.h"
#include "workloads/libcollsel/trained_model.h"
#include "workloads/libcollsel/comm_place.h"
#include "workloads/libcollsel/star_memory.h"
#include "workloads/libcollsel/seen.h"

enum {
    GROUP_CELLS = 2048, /* distinct kinds of calls on one communicator */
    GROUP_LIKE = 16,    /* cache entries from arguments to the kind of a call */
    CELL_EARLY = 10     /* calls of a kind before star tunes it; on MPI_COMM_WORLD none */
};

/* How the last call of a kind ran, to speed up the next similar call: with the properties
 * of the kind (bytes, and whether its operation commutes) it determines the schedule. */
struct call_memo {
    const struct choice *choice; /* NULL: nothing is kept */
    MPI_Datatype type;           /* of a reduction: a predefined type, never freed */
    int root, in_place;
    struct executor_cache *prepared;
    int is_forced;    /* 1: the library's own code, unless it refuses */
    uint64_t evicted; /* executor_cache_set's value when this was stored */
};

/* A kind of call on one communicator. */
struct cell_of_group {
    struct row_key key;       /* whatever the root */
    struct row *row[N_ROOTS]; /* by root; NULL: not called so yet */

    const struct choice *choice; /* of the table; NULL: none */
    struct call_memo memo;
    MPI_Datatype element_type; /* of the last reduction, one of MPI's own; element_bytes 0: none */
    uint64_t element_bytes;

    int early;    /* calls before star is considered, up to CELL_EARLY */
    int is_tuned; /* 1: star chooses; -1: it does not; 0: undecided */
    struct star *star;
    struct repository repository;
};

/* The arguments of a call that determine its kind, if predefined by MPI: types
 * and operations of the application may be freed and their handles reused. */
struct call_like {
    enum call_args_which which;
    int count; /* call_args_block */
    MPI_Datatype type;
    MPI_Op op;
    const void *site;           /* if kinds are distinguished by it; else NULL */
    struct cell_of_group *cell; /* NULL: there is none */
};

/* State of a communicator of the application, freed with it. */
struct group {
    MPI_Comm comm;
    int rank, procs;
    int is_inter;                 /* its calls pass through */
    uint64_t members;             /* a hash of their ranks in the world, in order */
    struct comm_shape shape;      /* where they are */
    struct cell_of_group **cells; /* owned */
    size_t n_cells, room;
    struct cell_of_group *last, **slot; /* last: that of the last call; slot: all by their hash */
    size_t n_slots;                     /* 2^n, more than twice the cells */
    struct call_like like[GROUP_LIKE];  /* indexed by a hash of the arguments */
    struct executor_cache_place place;  /* procs 0: not wanted yet */
    struct executor_cache_set prepared;
    struct forced_set forced;
    struct stage stage;
    int has_asked;                    /* 1: the model was queried, or could not be */
    const struct choice_table *model; /* its choices here; NULL: not known */
    struct choice_table *own_model;   /* the same if not stored elsewhere; owned */
    struct err model_err;             /* why it is not known */
    int is_broken;                    /* a schedule has failed: its calls pass through */
    struct group *before, *after;     /* in the list of all */
};

struct library {
    struct libcollsel_settings settings;
    struct choice_table *table; /* NULL: another mode */
    struct models models;       /* where a model is asked */
    struct seen rows;
    struct row spare;       /* dummy, used when there is no room for another row */
    struct group *groups;   /* the first of all */
    struct group *last;     /* group of the last call; NULL: none, or freed, or threads */
    int keyval;             /* under which communicators keep their group */
    uint64_t world_members; /* of MPI_COMM_WORLD */
    MPI_Comm own;           /* all ranks; of the library alone */
    uint64_t *node;         /* by rank in it: a number of its node */
    int64_t began_ns;       /* of clock_now, in MPI_Init */
    int64_t start_ns;       /* what the library then took on this rank */
    int64_t in_calls_ns;    /* in all collectives so far */
    struct global_clock clock;
    struct clock_tree clocks;
    struct decided decided;
    int can_force; /* the library's own algorithms */
    int threads;   /* 1: several may call at a time, each on another communicator */
    pthread_mutex_t mutex;
    struct star_memory learnt; /* of star: by an earlier run, and by communicators that went */
    int renames_learnt;        /* 1: the file of it is of another program, and is kept as .old */
};

/* Where threads may call at a time, one of them holds rows and the list of groups. A communicator
 * is one thread's at a time, by MPI's rules. Nobody waits for another rank, or calls what may wait
 * for another thread, while it has them. */
static inline void library_lock(struct library *lib)
{
    if (lib->threads)
        pthread_mutex_lock(&lib->mutex);
}

static inline void library_unlock(struct library *lib)
{
    if (lib->threads)
        pthread_mutex_unlock(&lib->mutex);
}

/* The one of this process; NULL: calls pass through. */
struct library *library_get(void);

/* Collective over MPI_COMM_WORLD. threads: several may call at a time. */
struct library *library_new(const struct libcollsel_settings *settings, int threads);

/* enter makes it the process's library. leave removes it: communicators forget their state,
 * and calls pass through. Its records exist until it is freed, which is collective. */
void library_enter(struct library *lib);
void library_leave(struct library *lib);
void library_free(struct library *lib);

/* The group of a communicator; NULL where there is no such. Local. */
struct group *library_group(struct library *lib, MPI_Comm comm);

/* What a candidate of a cell is called among what was learnt; star_learnt stays 0. */
void process_state_kind(const struct group *group, const struct cell_of_group *cell, int candidate,
                        struct star_memory_row *row);

/* The row of a kind of call; where no room is left for it the spare one. */
struct row *library_row(struct library *lib, const struct row_key *key);

/* The cell of a call on it; NULL where no room is left for another one. */
struct cell_of_group *group_cell(struct group *group, const struct row_key *key);
