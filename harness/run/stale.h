/* SPDX-License-Identifier: BSD-3-Clause */
/* stale.h - what is another now than when a study was measured, or a file of rules made of it:
 * libraries, kernel, processor, link, cluster file, study file, environment. Nothing is written.
 *
 * By DIR/manifest.json, and by what would stand in it if something were measured now. A change
 * matters where samples of before are not samples of now: where it is part of the digest
 * (harness/study/manifest.h), or of the machine that the samples were taken on. */
#ifndef HARNESS_RUN_STALE_H
#define HARNESS_RUN_STALE_H

#include "harness/run/backends/backend.h"
#include "harness/study/study.h"

struct stale_change {
    const char *part; /* "library", "kernel", "processor", "fabric", "cluster file", "study file",
                         "environment", "digest", "results" */
    char *what;       /* "openmpi", "[network] link_rate"; owned, as the next two */
    char *was, *is;   /* "": nothing */
    int matters;
    const char *why; /* what follows from it; "" */
};

struct stale {
    struct stale_change *row; /* owned */
    size_t n, matters;
    char measured[32]; /* when: the end of the last run, UTC; "": not said */
    char digest[16];
    int elsewhere; /* 1: launches are started where this cannot look: kernel, processor and link of
                      those nodes are not compared */
};

/* Borrowed. */
struct stale_request {
    const struct cluster *cluster;
    const struct study *study;
    const struct backend *backend;
    const char *dir, *build;
};

/* Compares a study's results with now. 0, or -1 with *err and nothing to clear: nothing was
 * measured, or the manifest cannot be read. */
int stale_of_study(const struct stale_request *request, struct stale *out, struct err *err);

/* What the head of a file of rules says of its making (harness/cmd/tuned_file.h). */
struct stale_head {
    char from[PATH_SIZE], digest[16], version[64]; /* version: of the library; "": not said */
};

/* Reads it. 0, or -1 with *err: the file cannot be read, or says nothing of it. */
int stale_head_read(const char *path, struct stale_head *head, struct err *err);

/* Adds to what is compared that the results are others than those that the file was made of. */
void stale_add_head(const struct stale_head *head, struct stale *stale);

/* Whose results DIR holds, by its manifest: paths of the cluster's and the study's file. 1; 0: a
 * data set, which has no study; -1 with *err. */
int stale_files(const char *dir, char cluster[PATH_SIZE], char study[PATH_SIZE], struct err *err);

/* Of a data set: that it was imported anew is all that can be told. */
int stale_of_dataset(const char *dir, struct stale *out, struct err *err);

/* Frees what it holds. */
void stale_clear(struct stale *stale);

#endif
