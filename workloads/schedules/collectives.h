/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives.h - the collectives of MPI: one row holds all facts on each.
 *
 * Plans, proofs, data checks, fits, imports and pages read the row; nobody compares names. A
 * collective with schedules is added by its row here and its file of schedules; the measuring
 * program wants its call, too (workloads/measure/call.c), and a library's own algorithms of it are
 * lines in harness/study/libraries/. Without schedules it can be imported, but not measured.
 *
 * A buffer is a row of blocks of the message's size. What a rank gives is in SEND, or at the root
 * in DATA; what it gets is in RECV or DATA. */
#pragma once

#include "workloads/schedules/blocks.h"
#include "workloads/schedules/combination.h"
#include "workloads/schedules/round.h"

struct schedule;

enum procs_needed { ANY_PROCS, POWER_OF_TWO_PROCS, TWO_FACTORS, THREE_FACTORS, N_PROCS_NEEDED };

/* Whether so many ranks are as needed: 2^n of them; a product of two, or three, numbers above 1. */
int procs_suffice(enum procs_needed needs, int procs);

/* "2^n ranks", "a x b ranks" ...; "" for any. */
const char *procs_needed_words(enum procs_needed needs);

/* A fan-out that limits concurrent requests: no limit by default. */
enum { FANOUT_UNLIMITED = -1 };

/* Of a reduction: the order of ranks is kept where the operation does not commute, else not. */
enum { IN_ORDER_IF_ASKED = 2 };

/* One row of the table of algorithms. Names are Open MPI's own spelling; the algorithms of
 * MPICH 4.0.2 that order their messages differently are "mpich_" and MPICH's spelling, and where
 * ours does less than Open MPI's the library's own is "openmpi_" and its spelling. */
struct algorithm {
    const char *name;       /* "binomial" */
    const char *collective; /* its name, of a row that stands in no list (struct collective) */
    const char *help;       /* one line: the method and its source */
    int segmented;          /* takes a segment size */
    int default_fanout;     /* 0: takes no fan-out; else the library's default */
    int min_fanout;         /* smallest fan-out that makes sense; 0: any */
    int limits;             /* 1: also takes a limit of concurrent requests,
                               after its own name and a dot ("chain.8") */
    int in_order;     /* a reduction whose operands stay in the order of ranks: it need not commute.
                         Or IN_ORDER_IF_ASKED */
    int ranks_differ; /* each rank combines in an order of its own: where bits hang on the order (a
                         sum of floating-point numbers) ranks may end with different last bits */

    /* The numbers of ranks among which it runs, and the algorithm of the same collective that runs
     * instead among others. */
    enum procs_needed needs;
    const char *instead;

    uint64_t least_bytes, most_bytes; /* messages for which it makes sense; 0: no limit */
    const char *group;                /* what it optimises, in a word: algorithms
                                         of a group perform alike. NULL: not set */
    const char *always; /* the rule (decision.h) that always takes it, for all ranks and
                           bytes: the library has no table for the collective. NULL: none */
    int levels; /* of a combination of as many algorithms (two_level.h), named behind its own; else
                   0 */
    /* Reads what follows the row's name, and a dot, in a combination's: 0, or -1 where it names no
     * such algorithms, with *err saying which part is wrong. NULL: the row combines none. */
    int (*combine)(const struct algorithm *row, const char *text, struct combination *c,
                   struct err *err);
    const char *const *usual; /* what one tries first of a combination, as named behind its row and
                                 a dot; ends with NULL. NULL: none */
    const void *recipe;       /* for functions that many rows share */

    /* The algorithm of the same collective that runs instead for these arguments (a silent
     * substitution of the library, e.g. split binary tree of one segment is a pipeline), or NULL
     * when this one does. */
    const char *(*substitute)(const struct schedule *s);

    /* The algorithm that sends the same messages, all of them at the same times, by other code of
     * the library ("linear" of a linear one whose limit of requests is none), or NULL. Nothing runs
     * in its place, but one measurement is enough for both. */
    const char *(*in_effect)(const struct schedule *s);

    /* Why it cannot run for these arguments ("wants two processes"), or NULL if it can; NULL
     * pointer: it always can. Evaluated for the substitute, not for the algorithm it replaces. */
    const char *(*unfit)(const struct schedule *s);

    /* Finds, once for all rounds, what the schedule keeps of its own (struct schedule, .choice).
     * NULL: nothing. */
    void (*prepare)(struct schedule *s);

    /* Calls that move no bytes have messages, too, if empty ones; else they have none, and the
     * functions below are not asked. */
    int sends_empty;

    /* These are asked among several ranks: one alone copies what it gives (schedule_rounds). */

    /* Number of rounds of a rank; 0 when it does nothing. */
    uint64_t (*rounds)(const struct schedule *s, int rank);

    /* Appends the operations of round k < rounds(rank) of a rank. */
    void (*round)(const struct schedule *s, int rank, uint64_t k, struct round *out);

    /* In place of both: goes through a rank's rounds, appends the operations of round `wanted` and,
     * where out is NULL, returns how many there are (steps.h). */
    uint64_t (*walk)(const struct schedule *s, int rank, uint64_t wanted, struct round *out);

    /* Bytes of TEMP that a rank needs; NULL: none. */
    uint64_t (*temp_bytes)(const struct schedule *s, int rank);
};

/* The default fan-out of an algorithm; 0: it takes none, or has no limit. */
static inline int algorithm_fanout(const struct algorithm *alg)
{
    return alg->default_fanout == FANOUT_UNLIMITED ? 0 : alg->default_fanout;
}

/* The blocks of a buffer: none, one, or one for each rank; and of the root alone, or of all. */
enum collective_amount { AMOUNT_NONE, AMOUNT_ONE, AMOUNT_EACH };

struct collective_buffer {
    enum collective_amount amount;
    int root_only;
};

/* Origin of the blocks of a result. */
enum collective_source {
    FROM_NOBODY,
    FROM_ROOT,
    FROM_EACH,   /* block r is from rank r */
    FROM_ALL,    /* of all ranks, combined */
    FROM_FIRST,  /* of the ranks up to this one, combined */
    FROM_BEFORE, /* of the ranks before this one, combined; the first rank gets nothing */
};

/* What a linear algorithm measures: one rank that sends to many, receives from many, or receives
 * from many and combines. */
enum collective_fan { FAN_SEND, FAN_RECEIVE, FAN_REDUCE, N_FANS, FAN_NONE = N_FANS };

/* The number that a library compares with the sizes of its rules. */
enum rules_unit {
    UNIT_NONE,    /* always 0 */
    UNIT_MESSAGE, /* the bytes that the call names */
    UNIT_TOTAL,   /* these times the processes */
    UNIT_EACH     /* the bytes of one element times the processes, however many elements */
};

enum { MOST_SPELLINGS = 2, MOST_LISTS = 9 };

struct collective {
    const char *name;                     /* in files and on the command line */
    const char *word;                     /* for people: "broadcast" */
    const char *call;                     /* "MPI_Bcast" */
    const char *spelling[MOST_SPELLINGS]; /* others' names, in lower case, joined by _ */
    const char *ends;                     /* what a proof has shown: "every rank ends with ..." */

    int rooted, combines; /* it has a root; it is a reduction */
    struct collective_buffer data, send, recv;
    enum collective_source source;
    int personal; /* 1: a sender has a block for each rank; rank r gets the r-th */
    int uneven;   /* its call names the size of each block: they may differ */

    int told_of_all; /* 1: OSU and IMB print the total size of all ranks' blocks */

    enum collective_fan fan; /* of its linear algorithm */
    const char *linear;      /* its name; NULL where fan is FAN_NONE */

    /* The two that do the same by way of one rank: to it, and from it. NULL: there are none. */
    const char *up, *down;

    /* Of Open MPI's rules, of those before 4.1, and of MPICH's. MPICH counts elements of gather and
     * scatter, and of alltoallv the bytes that the rank itself sends: rules cannot use these. */
    struct {
        enum rules_unit openmpi, openmpi40, mpich;
    } unit;
    enum rules_unit mpich_count; /* what MPICH counts elements of: of the message, or in total */

    /* Rows of algorithms, each list ends with one of no name. None: it has no schedules. */
    const struct algorithm *rows[MOST_LISTS + 1];
};

/* All, those with schedules first; the last one has no name. */
extern const struct collective collectives[];

/* By name, or NULL. collective_of: one without any traits where the name is not known. */
const struct collective *collective_find(const char *name);
const struct collective *collective_of(const char *name);

/* The one whose linear algorithm is this fan: a broadcast, a gather, a reduction. */
const struct collective *collective_of_fan(enum collective_fan fan);

/* The one that a row of algorithms belongs to; NULL: none. */
const struct collective *algorithm_collective(const struct algorithm *row);

/* Open MPI's numbers of collectives (COLLTYPE): the first of them do not name neighbours. */
enum { OPENMPI_COLLECTIVES = 22, OPENMPI_BLOCKING = 17 };
extern const char *const openmpi_collectives[OPENMPI_COLLECTIVES];

/* A guideline: a collective takes no longer than others that do its work one after the other. Sizes
 * are those of a cell, a block of one rank where each has its own; of the right side the same,
 * times or over the processes, or (SCALE_FEW) any of few bytes. */
enum guideline_scale { SCALE_SAME, SCALE_TIMES, SCALE_OVER, SCALE_FEW };
enum { GUIDELINE_SIDES = 2 };
struct guideline {
    const char *collective; /* NULL: no more */
    struct guideline_part {
        const char *collective; /* NULL: no more */
        enum guideline_scale scale;
    } part[GUIDELINE_SIDES];
};
extern const struct guideline collective_guidelines[];

/* Its linear algorithm. */
const struct algorithm *collective_linear(enum collective_fan fan);

/* By name: 1 when it has data, which a barrier has not; when it can be measured. */
int collective_moves(const char *name);
int collective_has_schedules(const char *name);

/* What defaults and examples name: the first; three, from a root, to a root, and among all. */
#define COLLECTIVE_EXAMPLE  "bcast"
#define COLLECTIVE_EXAMPLES COLLECTIVE_EXAMPLE ",reduce,allgather"

enum { COLLECTIVES_TEXT = 256 };

/* The names of those that have schedules, joined by |. Returns buf. */
const char *collectives_measured(char buf[COLLECTIVES_TEXT]);

/* What follows the first dot of an algorithm's name; NULL: nothing does. */
const char *algorithm_levels(const char *name);

/* The limit of requests that is named there, 1 to MOST_LIMIT; 0: none is. */
enum { MOST_LIMIT = 1024 };
int algorithm_limit(const char *levels);

/* Whether a row takes what is named behind it and a dot: 0, or -1 with *err saying what is wrong.
 */
int algorithm_takes(const struct algorithm *row, const char *levels, struct err *err);

/* Whether an algorithm by its name (algorithm_find), or one that it combines, leaves ranks with
 * different last bits (.ranks_differ). row: what was found; NULL: nothing is known to differ. */
int algorithm_ranks_differ(const struct algorithm *row, const char *name);

/* What "two_level.*" stands for, or "two_level.socket.*": name i of the few combinations that one
 * tries first (.usual of the row), in buf. NULL behind the last one, and where the pattern is none
 * of the collective. */
const char *algorithm_usual(const char *collective, const char *pattern, size_t i,
                            char buf[MOST_NAME + 1]);

/* Finds an algorithm by collective and name; NULL when there is none. Of a combination the name of
 * its row may be followed by those that it combines (two_level.h), of one that limits requests by
 * their number: these are checked, and given to schedule_make as algorithm_levels of the name. */
const struct algorithm *algorithm_find(const char *collective, const char *name);

/* The algorithms of a collective: the one after `before`; after NULL the first; NULL: no more. */
const struct algorithm *collective_algorithm(const struct collective *c,
                                             const struct algorithm *before);

/* The one after it in the table of all, by collective; of NULL the first; NULL after the last. */
const struct algorithm *algorithm_next(const struct algorithm *alg);

/* The gather that closes an experiment for alpha and beta, and its root, where the clock is read.
 * After a collective that starts at the root, such as a broadcast, or in which all ranks do the
 * same, it follows by itself. One that ends at the root, such as a reduction, leaves the other
 * ranks early, and their blocks would be under way while it still runs: there the root calls for
 * them, so that the two times add up. A scan, whose last rank waits for all others, ends at the
 * last rank, which calls in the same way. root: of the collective. */
int collective_closing_root(const char *name, int procs, int root);
const struct algorithm *collective_closing(const char *name);

/* Bytes of a buffer that the collective reads or writes on a rank; bytes: of one message. */
uint64_t collective_buffer_bytes(const struct collective *c, enum op_buffer buf, int procs,
                                 uint64_t bytes, int is_root);

/* Its blocks of so many bytes (of elements of so many) where all are equal. */
struct blocks collective_blocks(const struct collective *c, int procs, uint64_t bytes,
                                uint64_t element_bytes);

/* Block i of a rank's buffer: where it stands, and its size, in bytes. */
struct collective_place {
    uint64_t at, bytes;
};
struct collective_place collective_place(const struct blocks *blocks, enum op_buffer buf, int rank,
                                         int i);

/* How many blocks a buffer has on a rank. */
int collective_buffer_blocks(const struct collective *c, enum op_buffer buf, int procs,
                             int is_root);

/* What a block holds: block `position` of what rank `first` gives, or these of the ranks from
 * first to last combined. first > last: nothing that is known. */
struct collective_block {
    int first, last, position;
};

/* Of a block of a rank's buffer, when the call begins and when it ends. */
struct collective_block collective_before(const struct collective *c, int root, int rank,
                                          enum op_buffer buf, int block);
struct collective_block collective_after(const struct collective *c, int procs, int root, int rank,
                                         enum op_buffer buf, int block);

/* How many blocks a rank that gives something has. */
int collective_gives(const struct collective *c, int procs);
