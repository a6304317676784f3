/* SPDX-License-Identifier: BSD-3-Clause */
/* try_rules.h - loads a rules file once in the installed
 * library: the measuring program calls every collective with it
 * and checks the results (workloads/measure/try_calls.h). */
#ifndef HARNESS_CMD_TRY_RULES_H
#define HARNESS_CMD_TRY_RULES_H

#include <stdio.h>

#include "harness/base/err.h"
#include "harness/rules/rules.h"
#include "harness/study/cluster.h"
#include "harness/study/point.h"

/* The library to test with. Borrowed. */
struct try_rules {
    const struct rules_reader *reader;
    const struct cluster *cluster; /* cluster with the entry; NULL: the library's own name */
    const char *entry;             /* of the reader's library: "openmpi", "openmpi-5" */
    const char *build;             /* directory of the measuring programs */
    FILE *chatter;                 /* stream for messages on builds; NULL: none */
};

/* 1 when the entry is installed here in a release of the reader's, with our measuring
 * program (built if the cluster names the entry), and its launcher starts it; else
 * why (REASON_SIZE) gets the cause. version (VERSION_SIZE): the installed release. */
int try_rules_here(const struct try_rules *in, char *version, char *why);

/* Starts a small job with the file at that path and its second file: a few seconds.
 * 0; or -1 with *err: the library's message, or the failed call. *apart 1: the
 * library treats each rank as alone on its node, though all are on this one. */
int try_rules(const struct try_rules *in, const char *path, int *apart, struct err *err);

#endif
