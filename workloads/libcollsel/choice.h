/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.h - an algorithm that may run, by its name in studies and results:
 * "portable:NAME" runs as our schedule, "openmpi:NAME" and "mpich:NAME" as that library's own code
 * (forced.h) or our schedule that sends the same messages, "default" (of any library) as the
 * library's own call. Pure. */
#pragma once

#include "workloads/schedules/schedule.h"

enum { CHOICE_NAME = 96 };

struct choice {
    const struct algorithm *alg; /* NULL: the library's own call */
    char name[CHOICE_NAME];      /* as it was given */
    uint64_t segment_bytes;      /* 0: one segment */
    int fanout;                  /* 0: the algorithm's default */
    int line;                    /* line of the table; 0: not from a table */
};

/* Finds the algorithm of a name. -1 with *err where a collective has no such algorithm. */
int choice_find(struct choice *choice, const char *collective, const char *name, struct err *err);

/* What the name combines (algorithm_levels), or NULL. */
const char *choice_levels(const struct choice *choice);
