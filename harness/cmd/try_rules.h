/* SPDX-License-Identifier: BSD-3-Clause */
/* try_rules.h - a file of rules is loaded once in the library that is installed here: the measuring
 * program calls every collective with it, and looks at what comes out
 * (workloads/measure/try_calls.h). */
#ifndef HARNESS_CMD_TRY_RULES_H
#define HARNESS_CMD_TRY_RULES_H

#include <stdio.h>

#include "harness/base/err.h"
#include "harness/rules/rules.h"
#include "harness/study/cluster.h"
#include "harness/study/point.h"

/* In which library. Borrowed. */
struct try_rules {
    const struct rules_reader *reader;
    const struct cluster *cluster; /* that may name the entry; NULL: it is the library's own name */
    const char *entry;             /* of the reader's library: "openmpi", "openmpi-5" */
    const char *build;             /* directory of the measuring programs */
    FILE *chatter;                 /* who is told of a build for the entry; NULL: nobody */
};

/* 1 when the entry is installed here in a release of the reader's, with our measuring program
 * (which is built where the cluster names the entry), and its launcher starts it; else why
 * (REASON_SIZE) says what is. version (VERSION_SIZE): the release that is installed. */
int try_rules_here(const struct try_rules *in, char *version, char *why);

/* Starts a small job with the file at that path, and those beside it: a few seconds. 0; or -1 with
 * *err: what the library said, or which call went wrong. *apart: the library takes each rank for
 * one on a node of its own, though all are on this one. */
int try_rules(const struct try_rules *in, const char *path, int *apart, struct err *err);

#endif
