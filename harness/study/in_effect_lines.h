/* SPDX-License-Identifier: BSD-3-Clause */
/* in_effect_lines.h - what launches say of their library in the heads of their samples: lines
 * "# in_effect: WHAT=VALUE" (workloads/proof/in_effect.h). */
#ifndef HARNESS_STUDY_IN_EFFECT_LINES_H
#define HARNESS_STUDY_IN_EFFECT_LINES_H

#include <stddef.h>

#include "harness/base/err.h"

/* Which samples files, and who takes their lines: of each file first a NULL, then "WHAT=VALUE". */
struct in_effect_reader {
    const char *mpi, *digest; /* of this MPI entry, of this manifest alone; NULL: of any */
    void (*take)(void *of, const char *mpi, const char *text);
    void *of;
};

/* Reads DIR/samples; no directory has none. 0, or -1 with *err. */
int in_effect_read(const char *dir, const struct in_effect_reader *reader, struct err *err);

/* Samples files: all; those that say it; those that say another value. */
struct in_effect_count {
    size_t files, same, other;
};

/* Counts the files of DIR/samples that are of an MPI entry, by whether they say that WHAT is value.
 * No directory has none. 0, or -1 with *err. */
int in_effect_count(const char *dir, const char *mpi, const char *what, const char *value,
                    struct in_effect_count *count, struct err *err);

/* What MPICH's launches say: whether rank 0 sees another rank on its node ("some", "none"), and of
 * which file of rules the library was told. */
#define IN_EFFECT_BESIDE "other ranks that rank 0 sees on its node"
#define IN_EFFECT_RULES  "file of rules"

#endif
