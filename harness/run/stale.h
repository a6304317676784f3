/* SPDX-License-Identifier: BSD-3-Clause */
/* stale.h - changes since a study was measured, or a rules file was made from it:
 * libraries, kernel, processor, link, cluster file, study file, environment. Nothing is written.
 *
 * Compares DIR/manifest.json with a manifest of now. A change matters if
 * old samples cannot be mixed with new ones: if it is part of the digest
 * (harness/study/manifest.h), or of the machine that took the samples. */
#pragma once

#include "harness/run/sweep_request.h"

struct stale_change {
    const char *part; /* "library", "kernel", "processor", "fabric", "cluster file", "study file",
                         "environment", "digest", "results" */
    char *what;       /* "openmpi", "[network] link_rate"; owned, as the next two */
    char *was, *is;   /* "": nothing */
    int matters;
    const char *why; /* its consequence; "" */
};

struct stale {
    struct stale_change *row; /* owned */
    size_t n, matters;
    char measured[32]; /* end of the last run, UTC; "": not known */
    char digest[16];
    int elsewhere; /* 1: launches start on other nodes, whose
                      kernel, processor and link are not compared */
};

/* Compares a study's results with now. 0, or -1 with *err and nothing to clear: nothing was
 * measured, or the manifest cannot be read. */
int stale_of_study(const struct sweep_request *request, struct stale *out, struct err *err);

/* Origin of a rules file, from its head (harness/cmd/tuned_file.h). */
struct stale_head {
    char from[PATH_SIZE], digest[16], version[64]; /* version: of the library; "": not said */
};

/* Reads it. 0, or -1 with *err: the file cannot be read, or has no origin. */
int stale_head_read(const char *path, struct stale_head *head, struct err *err);

/* Adds a change if the results differ from those that the file was made from. */
void stale_add_head(const struct stale_head *head, struct stale *stale);

/* The owner of DIR's results by its manifest: paths of the cluster file and
 * the study file. 1; 0: a data set, which has no study; -1 with *err. */
int stale_files(const char *dir, char cluster[PATH_SIZE], char study[PATH_SIZE], struct err *err);

/* For a data set: only a new import can be detected. */
int stale_of_dataset(const char *dir, struct stale *out, struct err *err);

void stale_clear(struct stale *stale);
