/* SPDX-License-Identifier: BSD-3-Clause */
/* natives.h - the MPI libraries' own algorithms: names, numbers, releases, and
 * their parameters. One table per library; a new algorithm is a line. The start of jobs
 * is in harness/run/libraries/mpi_library.h. */
#pragma once

#include "harness/base/base.h"

struct algorithm; /* workloads/schedules/collectives.h */
struct candidate; /* harness/study/point.h */

/* Where a component of a library is active: everywhere, on several nodes with
 * several ranks each, on one node, or where nodes have several ranks. */
enum native_reach { REACH_ALL, REACH_NODES, REACH_ONE_NODE, REACH_PARTS };

/* An algorithm by the library's own spelling; or a component that chooses by itself. */
struct native {
    const char *collective, *name;
    int id;        /* the library's number of it; 0: it has none */
    int segmented; /* takes a segment size */
    int fanout;    /* default fan-out; FANOUT_UNLIMITED: requests at a time, as many as the library
                      makes by itself; 0: takes none */
    int radix;     /* its fan-out is a radix; below two the call never ends */
    int limits;    /* takes a limit of requests, after its name ("chain.8") */
    int commuting; /* results are wrong, unchecked, where the operation does not commute */

    /* For native_refusal; NULL: it can always run. */
    const char *(*refusal)(int procs, uint64_t bytes, long fanout);

    const char *from, *below; /* releases: from <= r < below; NULL: open */

    const char *schedule; /* ours of the same messages; NULL: the one of the same name */

    int component;           /* 1: it is a component */
    enum native_reach reach; /* of it */
};

/* An algorithm that an installed library lists and our
 * table lacks: it has no schedule and no parameters. */
struct native_stranger {
    char mpi[64], collective[32], name[64]; /* mpi: the entry (harness/study/mpi.h) */
};

/* The release of an entry that is installed. */
struct native_release {
    char mpi[64], version[64];
};

struct native_strangers {
    struct native_stranger *v; /* owned */
    size_t n;
    struct native_release *releases; /* owned */
    size_t n_releases;
};

void native_strangers_free(struct native_strangers *strangers);

/* One of them, or NULL; strangers may be NULL: there are none. */
const struct native_stranger *native_stranger(const struct native_strangers *strangers,
                                              const char *mpi, const char *collective,
                                              const char *name);

/* The release of an entry that is installed; "" where that is not known, or strangers is NULL. */
const char *native_installed(const struct native_strangers *strangers, const char *mpi);

/* Why a component is inactive with these ranks and nodes, ppn on
 * the fullest node; NULL: it is active, or is no component. */
const char *native_out_of_reach(const struct native *native, int nodes, int ppn);

/* Why an algorithm cannot run with these processes, bytes and fan-out
 * or radix (0: the library's); NULL: it can, or native is NULL. */
const char *native_refusal(const struct native *native, int procs, uint64_t bytes, long fanout);

/* 1 when LIBRARY:NAME is a component of the library's. */
int native_is_component(const char *algorithm, const char *collective);

/* All of a library, the last one without a name; NULL: the library has none. */
const struct native *natives_of(const char *library);

/* By name, with a limit of requests where it takes one, whatever the release; NULL: the library has
 * none of this name, or is not known. */
const struct native *native_find(const char *library, const char *collective, const char *name);

/* The algorithm of a release for "LIBRARY:NAME", or with the messages
 * of "portable:NAME", if a rules file can name it; NULL: none. */
const struct native *native_in_rules(const char *library, const char *version,
                                     const char *collective, const char *algorithm);

/* The schedule with the messages of LIBRARY:NAME, or NULL: none is known. */
const struct algorithm *native_schedule(const char *collective, const char *algorithm);

/* The releases of a library that its algorithms' schedules were compared with, message by message:
 * of mpich "4.0.2", "4.2.1" and "5.0.2", the oldest first. NULL behind the last one, and of a
 * library that is not known. */
const char *natives_compared(const char *library, size_t i);

enum { NATIVES_COMPARED_TEXT = 64 };

/* All of them, for people: "4.0.2, 4.2.1, 5.0.2". Returns buf. */
const char *natives_compared_text(const char *library, char buf[NATIVES_COMPARED_TEXT]);

/* 1 when one of these releases has this algorithm. */
int native_compared(const char *library, const struct native *native);

/* The row of LIBRARY:NAME if none of these releases has it, so its schedule is from another
 * source; NULL: one has it, or there is no such row. *library: the library, for people. */
const struct native *native_not_compared(const char *collective, const char *algorithm,
                                         const char **library);

/* One of a library's own settings: a parameter of Open MPI's, a control variable of MPICH's. */
enum { NATIVE_SETTINGS = 4 };
struct native_setting {
    char name[96], value[64];
};

/* The settings that force an algorithm with a candidate's parameters in every call of its
 * collective: Open MPI's coll_tuned_<collective>_algorithm and the like, MPICH's
 * MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM. Returns their number: 0 for a component, which is no
 * algorithm. */
size_t native_settings(const struct native *native, const struct candidate *candidate,
                       struct native_setting out[NATIVE_SETTINGS]);

/* The name of an algorithm by the library's number: 0 is "default", its own choice. version: of
 * the library; where it is no number ("", "unknown"), the oldest release that has the number
 * counts. NULL: there is no such number, or the library does not number its algorithms. */
const char *native_by_id(const char *library, const char *version, const char *collective, int id);

/* For the tables: collective and name of an algorithm. */
#define OF(collective_, name_) .collective = (collective_), .name = (name_)

/* The tables; each ends with name NULL. */
extern const struct native natives_openmpi[], natives_mpich[];
