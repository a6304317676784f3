/* SPDX-License-Identifier: BSD-3-Clause */
/* record.h - writes a launch's results: samples, outcomes, placement (docs/formats.md). Pure C.
 *
 * Samples and outcomes are append-only: each call is one write(2) of whole lines, so that a crash
 * leaves at most one cut line. An outcome is written only after its samples are on the disk. Files
 * that exist already are refused: raw data is never overwritten. Owns its two descriptors.
 * Functions return 0, or -1 with *err naming the file. */
#pragma once

#include "harness/study/records.h"
#include "workloads/placement/placement.h"

struct record {
    int samples, outcomes; /* descriptors */
    int ranks;             /* of the file of ranks; -1: there is none */
    int lazy;              /* sync at the end only (deterministic simulation) */
    const char *samples_path, *outcomes_path, *ranks_path;
};

/* Creates both files with their headers; provenance ("# key: value" lines, may be "") opens the
 * samples file. The paths are borrowed. */
int record_open(struct record *r, const char *samples_path, const char *outcomes_path,
                const char *provenance, int lazy, struct err *err);

/* Creates the file of every rank's times, too. */
int record_open_ranks(struct record *r, const char *path, struct err *err);

/* Appends a rank's n calls of a point: seconds from when the ranks were together to where the rank
 * began, and how long it then took. */
int record_rank(struct record *r, const char *id, int first_rep, int rank, const double *begin_s,
                const double *took_s, int n, struct err *err);

/* Appends n rows of a point (or of "sentinel"), numbered from first_rep. */
int record_samples(struct record *r, const char *id, int first_rep, const struct sample *samples,
                   int n, struct err *err);

/* Makes the samples durable, then appends and syncs the outcome. */
int record_outcome(struct record *r, const char *id, const struct outcome *outcome,
                   struct err *err);

/* Syncs and closes; fine twice. */
int record_close(struct record *r, struct err *err);

/* Writes the placement file whole: what was judged by, what came of it (wrong: "", or why it is not
 * as asked), and a row per rank. */
int record_placement(const char *path, const struct placement *asked, const struct place *places,
                     const char *wrong, struct err *err);
