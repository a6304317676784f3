/* SPDX-License-Identifier: BSD-3-Clause */
/* seen.h - one rank's records of the application's collectives, a row for each kind of call.
 * No more than SEEN_MOST are kept, however many calls and communicators there are. Pure. */
#pragma once

#include "harness/base/base.h"

enum {
    SEEN_MOST = 2048,
    ROW_SITES = 4,
    ROW_ARRIVALS = 64,
    ROW_OP = 16,
    ROW_NAME = 96,
    ROW_REASON = 160,
    ROW_TRIED = 64, /* no repository has more (repository.h) */
    ROW_DECIDED = 112
};

/* A candidate measured by star: the statistic of its calls (star.h), mean over ranks. */
struct row_tried {
    char name[ROW_NAME]; /* "default", "portable:ring" */
    uint64_t segment_bytes;
    int fanout, calls;
    double seconds;
};

enum row_root { ROOT_NONE, ROOT_ZERO, ROOT_OTHER, N_ROOTS };

/* The common properties of a row's calls. All bytes are compared: start from row_key_of. */
struct row_key {
    uint64_t members; /* of the communicator (process_state.h): a number made of their ranks in the
                         world */
    uint64_t bytes;
    uint64_t site; /* site_number, if call sites are distinguished; else 0 */
    int32_t which; /* enum asked_which */
    int32_t procs;
    int32_t root; /* enum row_root */
    int32_t own;  /* 1: the bytes are this rank's alone */
    char op[ROW_OP];
};

/* A call site of the application. */
struct row_site {
    const void *at;
    uint64_t calls;
    int64_t total_ns; /* in them */
};

/* Segment and fan-out with which an algorithm ran; 0: none, or the library's own. */
struct row_shape {
    uint64_t segment_bytes;
    int fanout;
};

/* What a row tells, as it is kept and as it is sent to rank 0. */
#define ROW_FACTS                                                                                  \
    struct row_key key;                                                                            \
    int nodes, ppn; /* of its communicator: nodes, the most ranks on one; 0: not known */          \
    uint64_t calls;                                                                                \
    int64_t total_ns, most_ns; /* in the calls: all of them; the longest */                        \
    int n_sites;               /* ROW_SITES + 1: more than are kept */                             \
                                                                                                   \
    char ran[ROW_NAME];        /* algorithm of the last call: "default"; the library's own,        \
                                  forced ("openmpi:chain"); a schedule ("portable:ring") */        \
    struct row_shape shape;    /* of that algorithm */                                             \
    char decided[ROW_DECIDED]; /* algorithm of the library's own call: "openmpi:binomial",         \
                                  "component self", "device" (own_algorithm.h); "": not known */   \
    uint64_t rank_bytes;       /* of a rank, in the call that set it; */                           \
    uint64_t element_bytes;    /* and of its data type, the largest; 0: not known */               \
    uint64_t least_bytes;      /* the same of the smallest data type */                            \
    uint64_t scheduled;        /* calls that a schedule ran */                                     \
    uint64_t forced;           /* calls with a forced algorithm of the library */                  \
    char declined[ROW_REASON]; /* why the last choice did not run; "": it ran */                   \
                                                                                                   \
    /* of star: calls that tried candidates, and calls that monitored the                          \
     * choice; time of the former, and the library's own work in both */                           \
    uint64_t measured, monitored;                                                                  \
    int64_t measured_ns, own_measured_ns, own_monitored_ns;                                        \
    int agreements, changes;                                                                       \
    int is_tuned; /* 1: star tunes it */                                                           \
    struct row_shape chosen_shape;                                                                 \
    char chosen[ROW_NAME]; /* what star has chosen; "": it is still trying */                      \
    double saved_s,                                                                                \
        saved_half_s; /* of all calls of its kind (star_saving); of this row's calls */            \
    double spent_s;   /* the cost of trying alone */                                               \
    int saved_known;                                                                               \
    double default_s, best_s; /* time of a call by the default, and by the choice; 0: not known */ \
    int n_tried;                                                                                   \
                                                                                                   \
    uint64_t every; /* calls 0, every, 2 every, ... have an arrival */                             \
    int n_arrivals;

struct row_facts {
    ROW_FACTS
};

struct row {
    union {
        struct row_facts facts;
        struct {
            ROW_FACTS
        };
    };
    uint32_t number;                 /* its place in struct seen */
    struct row_site site[ROW_SITES]; /* the first few */
    int is_decided;                  /* 1: decided is set */
    struct row_tried *tried;         /* all of them, the fastest first; owned; NULL: none */
    int64_t arrival[ROW_ARRIVALS];   /* when the call began, by this rank's clock, in ns */
};

/* One call. Times of this rank's clock, ns. */
struct event {
    uint32_t row, thread; /* its number; of the thread that called */
    int64_t began_ns, lasted_ns;
};

struct seen {
    struct row *v[SEEN_MOST]; /* in the order of their first calls */
    size_t n;
    uint64_t lost;       /* calls without room for a row */
    struct event *event; /* the first most_events calls; owned */
    size_t n_events, most_events;
    uint64_t lost_events; /* calls behind these */
    uint32_t threads;     /* that have called */
};

/* A key, with zeros where nothing is. */
struct row_key row_key_of(int which, const char *op);

/* The row of a key, new where there is none; NULL where no room is left. Owned by rows. */
struct row *seen_find(struct seen *rows, const struct row_key *key);

/* One call: from where, when it began and ended. */
void row_record(struct row *row, const void *site, int64_t began_ns, int64_t ended_ns);

/* Keeps the call as an event, where events are wanted and there is room. */
void seen_add_event(struct seen *rows, const struct row *row, int64_t began_ns, int64_t ended_ns);

/* Adds a measured candidate to at most ROW_TRIED, the fastest first. */
void row_try(struct row *row, const struct row_tried *tried);

void seen_clear(struct seen *rows);
