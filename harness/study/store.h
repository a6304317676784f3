/* SPDX-License-Identifier: BSD-3-Clause */
/* store.h - the measurements of one study: reads samples/ and
 * events.jsonl (docs/formats.md) and finds the finished points. The
 * driver gets the remaining work from it; the analysis gets its samples.
 *
 * A point is finished when the count in its outcome row equals its sample rows. A last line cut
 * short by a crash is dropped, so such a point is not finished. Files whose digest differs were
 * measured under other facts or settings and are skipped. Any other malformed row is an error
 * with file and line. Owns everything; store_free.
 *
 * Opening the store reads every sample once and keeps none: the samples of a point
 * are read again from their position when needed. So memory grows with the points. */
#pragma once

#include "harness/study/plan.h"
#include "harness/study/records.h"

/* Rows of one id that follow each other in a file. */
struct sample_span {
    uint64_t id; /* SENTINEL_ID for sentinels */
    struct csv_place place;
    size_t rows;
};

/* One attempt's samples. */
struct sample_file {
    char path[1024];      /* the samples; siblings: .outcomes.csv, .placement.csv */
    struct launch launch; /* as its name says */
    int attempt;
    char digest[16];
    struct sample_span *spans; /* by id, each id's in the order taken */
    size_t n_spans;
    size_t n;      /* rows */
    int truncated; /* a last line was dropped */
};

#define SENTINEL_ID UINT64_MAX

/* A point that was in flight when its launch failed or hung; point "": a launch that finished none.
 */
struct failure {
    char point[ID_SIZE];
    char launch[LAUNCH_SIZE];
    int repeat;
    int timeout;  /* 1: hung, 0: failed */
    int count;    /* how often; not in a Slurm task that a node broke */
    char job[32]; /* the Slurm task that it last failed in, and how often there */
    int in_job;
    char reason[REASON_SIZE];
};

struct store {
    struct sample_file *files;
    size_t n_files;
    struct outcome *outcomes; /* finished points, by (point, repeat) */
    size_t n_outcomes;
    struct failure *failures;
    size_t n_failures;
    size_t n_other;                /* sample files with another digest */
    struct store_readers *readers; /* files that are open for reading samples */
};

/* Reads DIR/samples, file beside file, and DIR/events.jsonl. digest: 8 hex digits, or NULL for any.
 * No directory is an empty store. 0, or -1 with *err and nothing to free. */
int store_open(const char *dir, const char *digest, struct store *store, struct err *err);

/* The same for one attempt's file alone, without events. */
int store_open_attempt(const char *dir, const char *launch, int attempt, const char *digest,
                       struct store *store, struct err *err);

/* The finished outcome of a point in a repeat, or NULL. */
const struct outcome *store_find(const struct store *store, const char *point, int repeat);

/* 1 when the outcome has a time that stands for the point: its status is ok or substituted. */
int outcome_usable(const struct outcome *outcome);

/* "invalid: the reason", as far as it fits. */
void outcome_describe(const struct outcome *outcome, char buf[REASON_SIZE]);

/* The first outcome of a point of any repeat, and how many repeats have one. */
const struct outcome *store_all(const struct store *store, const char *point, size_t *n);

/* The samples of an outcome, warm-ups included, in order: *n of them, read from its file, to be
 * freed. NULL with *err. */
struct sample *store_samples(const struct store *store, const struct outcome *outcome, size_t *n,
                             struct err *err);

/* The same of the sentinel, of the file of this index. */
struct sample *store_sentinels(const struct store *store, size_t file, size_t *n, struct err *err);

/* A view of the store for one more thread that reads samples in parallel: it borrows
 * everything except its own open files. Give it back before the store is freed. */
void store_lend(const struct store *store, struct store *lent);
void store_give_back(struct store *lent);

/* The failure of a point in a repeat, or NULL; with point "" that of a launch. */
const struct failure *store_failure(const struct store *store, const char *point,
                                    const char *launch, int repeat);

/* The number of attempts of a launch (the largest in its files,
 * any digest); -1 with *err when the directory cannot be read. */
int store_attempts(const char *dir, const char *launch, struct err *err);

/* Splits "<launch>.a<attempt>-<digest>.csv". 1, or 0 when it is no such name. */
int store_parse_name(const char *name, struct launch *launch, int *attempt, char digest[16]);

void store_free(struct store *store);
