/* SPDX-License-Identifier: BSD-3-Clause */
/* manifest.h - manifest.json: the origin of results. Unknown values are "unknown", never left out.
 *
 * The digest names what all measurements of a study share: the cluster's facts, how is measured,
 * backend, library versions and the options that libraries are started with
 * (run/provenance_lookup.h finds it). Samples of another digest are not mixed with these. The grid
 * does not count, so a study can grow without measuring anything again. */
#pragma once

#include "harness/study/plan.h"
#include "harness/study/environment_record.h"

enum { VERSION_SIZE = 64, MAX_LIBRARIES = 16 };

struct installed; /* harness/run/libraries/installed.h */

/* What made the results, and where. */
struct provenance {
    char digest[16]; /* 8 hex digits */
    char commit[64];
    char kernel[256], cpu[256], host[128];
    const char *compiler;
    struct {
        char name[MPI_WORD];     /* of the entry */
        char launcher[MPI_PATH]; /* program that starts jobs; "": none */
        char version[VERSION_SIZE];
        char says[256];              /* its own version line; "" */
        struct installed *installed; /* as it was found; owned */
    } mpi[MAX_LIBRARIES];            /* those of the plan, by name */
    size_t n_mpi;
    struct environment_record
        environment; /* owned: provenance_free (harness/run/provenance_lookup.h) */
};

/* A library's version as collected; "unknown". */
const char *provenance_version(const struct provenance *p, const char *mpi);

/* The compiler that made this program, and the commit of the source tree that it was built from, as
 * make wrote it into the build directory; "unknown" where there is none. */
extern const char *const manifest_compiler;
void manifest_commit(const char *build, char *buf, size_t size);

/* One run of the driver, for the list in the manifest. */
struct run_record {
    const char *command; /* the driver's command line */
    const char *example; /* command line of one launch, "" none yet */
    char started[32], ended[32];
    const char
        *status; /* running, done, failed, interrupted; of collsel measure submit: submitted */
};

/* One line of what this program is: its commit and compiler, and the format of its folders. build:
 * the directory of the measuring programs, which lies in the checkout. */
void manifest_describe(const char *build, char *buf, size_t size);

/* 0 when this program knows the format of DIR/manifest.json and the files with
 * it, or without a manifest; -1 with *err when a later collsel wrote it. */
int manifest_known(const char *dir, struct err *err);

/* Writes DIR/manifest.json; backend: its label. Earlier runs in it are kept, the last is replaced
 * when it started at the same time. 0, or -1 with *err, also when the one there is of a later
 * format. */
int manifest_write(const char *dir, const struct cluster *cluster, const struct study *study,
                   const char *backend, const char *why, const struct plan *plan,
                   const struct provenance *p, const struct run_record *run, struct err *err);

/* One file that was imported. */
struct manifest_source {
    const char *path, *format;
    uint64_t digest; /* fs_digest of its bytes */
    size_t bytes, lines, taken, repeated, set_aside;
};

/* What others measured (collsel import). */
struct manifest_import {
    const char *dataset, *format; /* format: its name, or "several" */
    const char *holdout;          /* as of a study (holdout_spec.h); NULL: none */
    const struct manifest_source *sources;
    size_t n_sources;
    struct {
        char name[64], version[VERSION_SIZE];
    } mpi[MAX_LIBRARIES];
    size_t n_mpis;
};

/* Writes DIR/manifest.json of an imported data set: backend "imported", no study. Earlier runs in
 * it are kept. 0, or -1 with *err. */
int manifest_write_imported(const char *dir, const struct cluster *cluster,
                            const struct manifest_import *import, const char *build,
                            const struct run_record *run, struct err *err);

/* Sets the end status and time of the last run in DIR/manifest.json: a submitted run ends long
 * after its driver. The time stays where the status is the same already. 0, or -1 with *err. */
int manifest_close(const char *dir, const char *status, struct err *err);

/* Sets the measured release of a library in DIR/manifest.json,
 * if unknown when the study was planned. 0, or -1 with *err. */
int manifest_say_version(const char *dir, const char *mpi, const char *version, struct err *err);

/* The backend in DIR/manifest.json; "" without a
 * manifest. 0, or -1 with *err: it cannot be read. */
int manifest_backend(const char *dir, char *buf, size_t size, struct err *err);

/* The cluster that DIR/manifest.json is of, without control characters; "" when it says none. 0, or
 * -1 with *err. */
int manifest_cluster(const char *dir, char *buf, size_t size, struct err *err);

/* Checks that DIR/manifest.json, if of an import, has this data set and
 * cluster. 0, or -1 with *err: it names others, or cannot be read. */
int manifest_check_dataset(const char *dir, const char *cluster, const char *dataset,
                           struct err *err);

/* Sets the keys of [measure] and [compare] from DIR/manifest.json, or to their defaults without a
 * manifest. Nothing else of the study is changed. 0, or -1 with *err: it cannot be read. */
int manifest_measure(const char *dir, struct study *study, struct err *err);

/* The digest in DIR/manifest.json. 0, or -1 with *err when there is none. */
int manifest_digest(const char *dir, char digest[16], struct err *err);
