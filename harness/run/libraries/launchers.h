/* SPDX-License-Identifier: BSD-3-Clause */
/* launchers.h - command lines of each launcher for each MPI library and version: one table.
 *
 * A row holds the words of a command line, blanks between them, in which {mpirun}, {procs},
 * {nodes}, {ppn}, {interface}, {program}, {preload} and {pmi} are replaced; what differs by mapping
 * stands three times, in the order core, socket, node. `collsel cluster check --launchers` prints
 * the table.
 *
 * Pure with two exceptions: a library is preloaded only if it was built, and
 * srun is queried for its name of the interface that a row needs (pmi.h). */
#pragma once

#include "harness/base/argv.h"
#include "harness/study/cluster.h"

struct job; /* mpi_library.h */
struct launch;

/* What is known of a row. */
enum launcher_state {
    LAUNCHER_SEEN,       /* works, tested */
    LAUNCHER_DOCUMENTED, /* from the library's documentation, not tested */
    LAUNCHER_BROKEN,     /* does not work, tested */
};

enum { N_MAPPINGS = 3 }; /* core, socket, node */

struct launcher {
    const char *library;
    const char *from, *below;                  /* versions: from <= v < below; NULL: open */
    const char *name;                          /* "local"; in a Slurm allocation "mpirun", "srun" */
    const char *what;                          /* for people: "srun --mpi=pmi2" */
    enum launcher_state state, emulated_state; /* on real nodes; on emulated ones */
    const char *note;                          /* evidence, or why it does not work */

    const char *start;               /* the first words; NULL: none */
    const char *pmi;                 /* what srun needs ("pmix"), {pmi} above; NULL: nothing */
    const char *bound[N_MAPPINGS];   /* each rank on a core of its own */
    const char *crowded[N_MAPPINGS]; /* more ranks than cores, or emulated nodes: not bound */
    const char *preload;             /* crowded: words that preload a library of ours */
    const char *preloaded;           /* its name in the entry's directory of the build */
    const char *preloaded_emulated;  /* the same where nodes are emulated; both NULL: none */
    const char *emulated;            /* nodes that share a kernel: no shared memory transport */
    const char *interface;           /* where the cluster names one */
    int whole_nodes;                 /* with core and socket, all nodes get equally many ranks */
    const char *settings;            /* of the library: what could override its algorithms */

    /* Assignments for the environment, in the same way. */
    const char *env, *env_root, *env_emulated, *env_interface;
};

/* All, grouped by library; within a library and a launcher by preference. Ends with library NULL.
 */
extern const struct launcher launchers[];

/* 1 when a row covers a version; every row covers "unknown". */
int launcher_takes(const struct launcher *launcher, const char *version);

/* The row for a library and version: name "local", "mpirun", "srun", or "auto": in an
 * allocation, the first that is not known to be broken on such a cluster. NULL with *err
 * and the reason: there is none, it is known to be broken, or srun lacks the interface. */
const struct launcher *launcher_find(const char *library, const char *version, const char *name,
                                     const struct cluster *cluster, struct err *err);

/* 0, or -1 with *err when a row cannot place the ranks as required: srun distributes
 * the remainder on partly filled nodes by its own rules, which no option changes. */
int launcher_takes_shape(const struct launcher *launcher, const struct launch *launch,
                         const struct cluster *cluster, struct err *err);

/* The command line up to and with the program, and the environment. */
void launcher_command(const struct launcher *launcher, const struct job *job, struct argv *args,
                      struct argv *env);

/* 1 when ranks are bound, each to a core of its own: where there are enough (crowded: 0), and nodes
 * do not share this machine's. */
int launcher_binds(const struct cluster *cluster, int crowded);

/* 1 when the words of the launcher's binding are not known: each rank then binds itself. */
int launcher_says_nothing(const struct launcher *launcher);

/* "seen to work", "as documented", "does not work". */
const char *launcher_state_name(enum launcher_state state);

/* Prints the table as Markdown: an overview, and the words of each row. */
void launchers_page(FILE *out);

/* The row's state on this cluster. */
enum launcher_state launcher_state_on(const struct launcher *launcher,
                                      const struct cluster *cluster);
