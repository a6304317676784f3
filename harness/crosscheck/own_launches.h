/* SPDX-License-Identifier: BSD-3-Clause */
/* own_launches.h - our own launches of a check: every cell and algorithm in one, once a round.
 * Their samples lie in the check's directory as a study's do. */
#pragma once

#include "harness/crosscheck/crosscheck.h"
#include "harness/study/plan.h"

enum { CROSS_SETTINGS = 4096 };

struct own_launches {
    const struct cross_request *req;
    struct plan plan;     /* one launch */
    struct launch launch; /* of the first round */
    int crowded;
    int own_memory; /* 1: its launches make a directory of their own for shared memory */
    char base[LAUNCH_SIZE + 16]; /* "<launch>.a<attempt>": of the attempt that was begun */
    char digest[9];
    char settings[CROSS_SETTINGS]; /* settings that must be equal to continue a check */
};

/* Lays out the points. version: of the library. 0, or -1 with *err; plan_free(&o->plan) is due. */
int own_launches_init(struct own_launches *ours, const struct cross_request *request,
                      const char *version, struct err *err);

/* 1 when the library has this algorithm for the collective, and runs it here. */
int own_launches_has(const struct own_launches *ours, const char *collective,
                     const char *algorithm);

/* 1 when the round has been measured, 0, or -1 with *err: what is there cannot be read. */
int own_launches_done(const struct own_launches *ours, int round, struct err *err);

/* Begins an attempt: writes the launch's points; path gets where its output goes. 0, or -1 with
 * *err. */
int own_launches_begin(struct own_launches *ours, int round, char *path, struct err *err);

/* The words behind our measuring program, of the attempt that was begun. 0, or -1 with *err. */
int own_launches_words(const struct own_launches *ours, struct argv *args, struct err *err);

/* Adds the numbers of all rounds, both statistics of each cell. 0, or -1 with *err. */
int own_launches_read(const struct own_launches *ours, struct cross_values *values,
                      struct err *err);
