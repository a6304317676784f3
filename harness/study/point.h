/* SPDX-License-Identifier: BSD-3-Clause */
/* point.h - one measurement, and the terms for its parts (DESIGN.md section 5).
 *
 * A cell is one decision to take; a candidate one possible answer; a point a cell with a candidate
 * and the experiment that times it. Plain values: copy freely, nothing owned. */
#pragma once

#include "harness/base/arrival.h"
#include "harness/base/seat.h"

enum { NAME_SIZE = 64, ID_SIZE = 17 };

/* What is timed between the two clock reads. */
enum experiment {
    EXP_TIME,     /* the collective alone; statistic max_rank */
    EXP_GATHER,   /* the collective, then a linear gather of gather_bytes from each rank
                     (collective_closing); the root's clock (Nuriyev section 4.2); statistic root */
    EXP_GAMMA,    /* N linear non-blocking broadcasts (or fan-ins: gather, reduce) of one segment
                     separated by barriers, per call; the root's clock (Nuriyev section 4.1);
                     statistic root */
    EXP_BARRIER,  /* N barriers, per call; the root's clock; statistic root */
    EXP_PINGPONG, /* half the round trip between the first and the last rank of the team; statistic
                     root */
    EXP_FANOUT, /* linear non-blocking broadcast from rank 0 to the others of the team; max_rank */
    EXP_FANIN,  /* the same the other way: linear reduction to rank 0; max_rank */
    EXP_COPY,   /* memcpy of `bytes` between places that are not in a cache; procs 1; root */
    N_EXPERIMENTS
};

/* Why the point is in the plan. */
enum purpose {
    FOR_STUDY,         /* a candidate of the study at a cell of its grid */
    FOR_DEFAULT,       /* the library's published choice, if the study lacks it */
    FOR_OTHER_DEFAULT, /* the choice of another default (a study's other_defaults) */
    FOR_FIT,           /* parameter experiments: gamma, barrier, gather, pingpong */
    FOR_HELD_BYTES,    /* held out: sizes x sqrt 2 */
    FOR_HELD_PROCS,    /* held out: process counts that no fit has seen */
    FOR_HELD_ROOT,     /* held out: other roots */
    N_PURPOSES
};

#define CELL_ROTATED "rotated"

enum { BUFFERS_SIZE = 8 };

struct cell {
    char collective[NAME_SIZE]; /* its name (workloads/schedules/collectives.h) */
    char mpi[NAME_SIZE]; /* "openmpi", "mpich", "smpi" (simulated), "walk" (walked), "null" (tests)
                          */
    char mapping[NAME_SIZE]; /* "core", "socket", "node" */
    int nodes, ppn;          /* ppn = most ranks on one node */
    int procs;               /* ranks of the communicator; <= nodes x ppn */
    int root;
    uint64_t bytes;

    /* its conditions; a cell with none is plain */
    char arrival[ARRIVAL_SIZE]; /* a pattern's name (harness/base/arrival.h); "": together */
    char buffers[BUFFERS_SIZE]; /* CELL_ROTATED; "": one and the same in all calls */
};

struct candidate {
    char algorithm[NAME_SIZE]; /* LIBRARY:NAME, e.g. "portable:binomial", "openmpi:default" */
    uint64_t segment_bytes;    /* 0: not segmented, or the library's own */
    int fanout;                /* 0: none, or the library's own */
};

struct point {
    char id[ID_SIZE]; /* 16 hex digits: digest of all that follows, so resume is keyed by content */
    enum experiment experiment;
    enum purpose purpose;
    struct cell cell;
    struct candidate candidate;
    uint64_t gather_bytes; /* EXP_GATHER only */

    /* EXP_PINGPONG, EXP_FANOUT, EXP_FANIN: the team is rank 0 of the launch and the first procs - 1
     * ranks that are on this channel with it (seat_channel); CHANNEL_NONE: the launch's first procs
     * ranks */
    enum channel channel;
};

/* From a word of experiment_words ("time", "gather", "gamma" ...); -1 with *err where it is none.
 */
int experiment_parse(const char *name, enum experiment *experiment, struct err *err);

/* 1 for points that selectors compare: times of candidates and of the default; not those of another
 * default, nor experiments for parameters. */
int point_is_contender(const struct point *point);

/* 1 when the experiment's time is the root's clock; 0: the slowest rank's. */
int experiment_on_root(enum experiment experiment);

/* Fills point->id from the other fields (the purpose does not count: the same measurement serves
 * any). */
void point_identify(struct point *point);

/* The placement of its ranks (harness/base/seat.h), from the cell
 * only: sockets and switches are not known. Borrows from the cell. */
struct seating cell_seating(const struct cell *cell);

/* Order by cell: collective, mpi, mapping, nodes, ppn, procs, root, bytes, arrival, buffers. As for
 * qsort. */
int cell_compare(const struct cell *a, const struct cell *b);

/* 1 when both are one cell. Faster than the order where many cells are looked through: most differ
 * in a number. */
static inline int cell_equal(const struct cell *a, const struct cell *b)
{
    return a->bytes == b->bytes && a->procs == b->procs && cell_compare(a, b) == 0;
}

/* 1 when ranks arrive together and buffers are reused: the conditions of
 * models and selectors. cell_plain returns the cell without its conditions. */
int cell_is_plain(const struct cell *cell);
struct cell cell_plain(const struct cell *cell);

/* 1 when every call uses other buffers, which are in no cache. */
int cell_is_rotated(const struct cell *cell);

/* Order by arrival and buffers alone. And both for people: "together", "the last rank 100 us late,
 * cold buffers". Returns buf. */
int cell_compare_conditions(const struct cell *a, const struct cell *b);
const char *cell_conditions_text(const struct cell *cell, char *buf, size_t size);

/* The first three of these alone: what a decision is made for apart from its size. */
int cell_compare_context(const struct cell *a, const struct cell *b);

/* Order by algorithm, segment, fan-out; as for qsort. And whether all are equal. */
int candidate_compare(const struct candidate *a, const struct candidate *b);
int candidate_equal(const struct candidate *a, const struct candidate *b);

enum { CANDIDATE_TEXT = NAME_SIZE + 64 }; /* enough for candidate_text */

/* For a terminal: "portable:chain 8 KiB fan-out 4", without what is 0. Returns buf. */
const char *candidate_text(const struct candidate *candidate, char *buf, size_t size);

/* Splits "LIBRARY:NAME"; returns the NAME part, or the whole when there is no colon. */
const char *algorithm_base_name(const char *algorithm);

/* 1 for LIBRARY:default, the library's own choice with nothing forced. */
int algorithm_is_default(const char *algorithm);

/* ---- in CSV files (harness/base/schema.h) ---- */

/* The texts of experiments, and of purposes: "study", "default", "other_default", "fit",
 * "held_bytes", "held_procs", "held_root"; ended by NULL. */
extern const char *const experiment_words[], *const purpose_words[];

/* Columns of struct ROW: what a fit or a table is of; a candidate; a cell; a point. MEMBER is the
 * struct candidate, cell or point in the row. */
#define PLATFORM_COLUMNS(row, member_mpi, member_mapping)                                          \
    COLUMN(row, NAME, "mpi", member_mpi, "", "the MPI library"),                                   \
        COLUMN(row, NAME, "mapping", member_mapping, "", "how ranks are laid on nodes")

#define CANDIDATE_COLUMNS(row, member)                                                             \
    COLUMN(row, NAME, "algorithm", member.algorithm, "",                                           \
           "`LIBRARY:NAME`, as `portable:binomial`, `openmpi:default`"),                           \
        COLUMN(row, COUNT, "segment_bytes", member.segment_bytes, "bytes",                         \
               "0: not segmented, or the library's own"),                                          \
        COLUMN(row, INT, "fanout", member.fanout, "", "0: none, or the library's own",             \
               .most = INT_MAX)

#define CELL_COLUMNS(row, member)                                                                  \
    COLUMN(row, NAME, "collective", member.collective, "",                                         \
           "the MPI collective; of gamma the one that its linear algorithm is of, whatever is "    \
           "studied"),                                                                             \
        COLUMN(                                                                                    \
            row, NAME, "mpi", member.mpi, "",                                                      \
            "`openmpi`, `mpich`, `smpi` (simulated), `walk` (walked), `null` (planted, tests)"),   \
        COLUMN(row, NAME, "mapping", member.mapping, "",                                           \
               "`core`, `socket`, `node`: consecutive ranks fill cores, alternate between "        \
               "sockets, alternate between nodes"),                                                \
        COLUMN(row, INT, "nodes", member.nodes, "", "nodes used", .least = 1, .most = INT_MAX),    \
        COLUMN(row, INT, "ppn", member.ppn, "", "the most ranks on one node", .least = 1,          \
               .most = INT_MAX),                                                                   \
        COLUMN(row, INT, "procs", member.procs, "", "ranks, at most nodes x ppn", .least = 1,      \
               .most = INT_MAX),                                                                   \
        COLUMN(row, INT, "root", member.root, "", "the root's rank", .most = INT_MAX),             \
        COLUMN(row, COUNT, "bytes", member.bytes, "bytes",                                         \
               "per process, as the MPI call sees it (allgather: one rank's block); pingpong: "    \
               "the message; barrier: 0; gamma: the segment; copy: of one `memcpy`")

/* For files with cells under conditions; last columns. */
#define CONDITION_COLUMNS(row, member)                                                             \
    COLUMN(row, NAME, "arrival", member.arrival, "",                                               \
           "when ranks call: `skew:S`, evenly one after the other, the last one S seconds after "  \
           "the first; `late:S`, the last one alone; `trace:DIGEST`, as in that file below "       \
           "`arrivals/`; times count from the last one's call on; empty: together",                \
           .optional = 1),                                                                         \
        COLUMN(row, NAME, "buffers", member.buffers, "",                                           \
               "`rotated`: every call has other buffers, which no cache holds; empty: all calls "  \
               "have the same",                                                                    \
               .optional = 1)

#define POINT_COLUMNS(row, member)                                                                 \
    COLUMN(row, NAME, "point", member.id, "",                                                      \
           "16 hex digits: FNV-1a of the content of the point (`point_identify`)"),                \
        COLUMN(row, WORD, "experiment", member.experiment, "",                                     \
               "what is between the two clock reads (`harness/study/point.h`)",                    \
               .words = experiment_words),                                                         \
        COLUMN(row, WORD, "purpose", member.purpose, "", "why the point is there",                 \
               .words = purpose_words),                                                            \
        CELL_COLUMNS(row, member.cell), CANDIDATE_COLUMNS(row, member.candidate),                  \
        COLUMN(row, COUNT, "gather_bytes", member.gather_bytes, "bytes",                           \
               "of a `gather` experiment: what each rank sends back; else 0"),                     \
        COLUMN(                                                                                    \
            row, WORD, "channel", member.channel, "",                                              \
            "`pingpong`, `fanout`, `fanin`: the team is rank 0 and the first `procs` - 1 ranks "   \
            "that are on this channel with it; empty: the first `procs` ranks",                    \
            .words = channel_words, .optional = 1)

/* A struct point as a row: the columns above alone, judged by point_check. */
extern const struct schema point_schema;

/* Checks a point from a file: the ranks fit on the nodes, the root is
 * one of them, the id is the digest of the rest. 0, or -1 with *err.
 * point_check_row: for rows that begin with their point, for schemas. */
int point_check(const struct point *point, struct err *err);
int point_check_row(void *row, struct err *err);
