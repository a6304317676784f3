/* SPDX-License-Identifier: BSD-3-Clause */
/* tuned_table.h - rules of Open MPI's component `tuned`, from any file format: blocks
 * of communicator sizes, of which the first that fits applies, with rows of message
 * sizes, of which the first that fits applies. The readers convert the library's
 * behaviour to such ranges; here they are evaluated and checked for errors. */
#pragma once

#include "workloads/schedules/collectives.h"
#include "harness/rules/rules.h"

/* Bounds are inclusive; most < least: it never fits. */
struct rules_row {
    int line;
    uint64_t least, most; /* sizes as the library counts them (rule_units.h) */
    uint64_t written;     /* the size written in the file */
    long id, fanout, segment_bytes;
    long requests; /* limit of concurrent requests, if the file has it; 0: the library's */
    int off;       /* 1: the reader leaves it out */
};

/* Where the ranks of a communicator are. */
enum rules_where { WHERE_ANY, WHERE_ONE_PER_NODE, WHERE_ONE_NODE, WHERE_SEVERAL_PER_NODE };

struct rules_block {
    int line;
    const char *collective; /* its name in Open MPI */
    int64_t least, most;    /* processes */
    int64_t written;        /* the number written in the file */
    enum rules_where where;
    int replaced; /* line of the collective that replaced it; 0: none */
    struct rules_row *row;
    size_t n;
};

struct rules_table {
    struct rules_block *block;
    size_t n;
    int shifted; /* 1: a classic file as 6.0 reads it */
};

/* Open MPI's number of a collective, and back: -1, and NULL, where there is none. Its own names
 * ("gatherv", "neighbor_allgather") count, too. */
int rules_collective_id(const char *name);
const char *rules_collective_name(long id);

/* States in out->why that a file has no rules for a collective,
 * and for which it has some: those with 1 in has, by number. */
void rules_tell_absent(const char *collective, const unsigned char has[OPENMPI_COLLECTIVES],
                       struct rules_answer *out);

/* Findings of a table that was loaded. */
void rules_table_lint(struct rules *r);

/* For the rows of the table of readers. */
void rules_table_ask(const struct rules *r, const struct rules_call *call,
                     struct rules_answer *out);
void rules_table_clear(struct rules *r);

/* Passes to take the numbers that may decide a call with this many processes: all
 * numbers in the blocks of its collective, and of collectives its algorithms call, that
 * apply to these processes. 1; 0: the reader has no tables, and nothing was passed. */
int rules_table_numbers(const struct rules *r, const char *collective, int procs,
                        void (*take)(void *to, uint64_t number), void *to);

/* Reads a classic file, as r->reader->classic tells. */
void rules_classic_read(struct rules *r, char *text, size_t len);

/* What rows of the table of readers share: all of Open MPI's; those of `tuned`; of these those of
 * releases without `han`, and with it, which from 5.0 on comes before the rules on several nodes.
 */
#define OPENMPI_READER(name_, version_, from_, below_)                                             \
    .name = (name_), .library = "openmpi", .version = (version_), .from = (from_),                 \
    .below = (below_), .environment = "OMPI_MCA_", .params = "openmpi-mca-params.conf"
#define TUNED_READER(name_, version_, from_, below_)                                               \
    OPENMPI_READER(name_, version_, from_, below_), .ask = rules_table_ask,                        \
                                                    .clear = rules_table_clear, .option = "--mca"
#define TUNED_ALONE_READER(name_, version_, from_, below_)                                         \
    TUNED_READER(name_, version_, from_, below_),                                                  \
        .load = rules_load_tuned,                                                                  \
        .rollback = "coll_tuned_use_dynamic_rules = 0   (or no such lines at all)",                \
        .forcing = "mpirun --mca coll_tuned_use_dynamic_rules 1"
#define TUNED_HAN_READER(name_, version_, from_, below_)                                           \
    TUNED_READER(name_, version_, from_, below_),                                                  \
        .load = rules_load_without_han,                                                            \
        .rollback = "no such lines at all (coll_tuned_use_dynamic_rules = 0 alone leaves han "     \
                    "off)",                                                                        \
        .forcing = "mpirun --mca coll ^han --mca coll_tuned_use_dynamic_rules 1"
extern const struct rules_load rules_load_tuned[], rules_load_without_han[];
