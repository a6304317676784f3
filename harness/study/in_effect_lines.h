/* SPDX-License-Identifier: BSD-3-Clause */
/* in_effect_lines.h - library settings reported in the heads of samples files: lines
 * "# in_effect: WHAT=VALUE" (workloads/proof/in_effect.h). */
#pragma once

#include "harness/base/base.h"

/* Selects samples files, and a callback for their lines: per file first NULL, then "WHAT=VALUE". */
struct in_effect_reader {
    const char *mpi, *digest; /* of this MPI entry, of this manifest alone; NULL: of any */
    void (*take)(void *of, const char *mpi, const char *text);
    void *of;
};

/* Reads DIR/samples; no directory has none. 0, or -1 with *err. */
int in_effect_read(const char *dir, const struct in_effect_reader *reader, struct err *err);

/* Samples files: all; with this value; with another value. */
struct in_effect_count {
    size_t files, same, other;
};

/* Counts the files of DIR/samples of an MPI entry, by whether their WHAT is value.
 * No directory has none. 0, or -1 with *err. */
int in_effect_count(const char *dir, const char *mpi, const char *what, const char *value,
                    struct in_effect_count *count, struct err *err);

/* Lines of MPICH's launches: whether rank 0 sees another rank on its
 * node ("some", "none"), and the rules file given to the library. */
#define IN_EFFECT_BESIDE "other ranks that rank 0 sees on its node"
#define IN_EFFECT_RULES  "file of rules"
