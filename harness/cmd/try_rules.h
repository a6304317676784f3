/* SPDX-License-Identifier: BSD-3-Clause */
/* try_rules.h - a file of rules is loaded once in the library that is installed here: the measuring
 * program calls every collective with it, and looks at what comes out (workloads/try_calls.h). */
#ifndef HARNESS_CMD_TRY_RULES_H
#define HARNESS_CMD_TRY_RULES_H

#include "harness/base/err.h"
#include "harness/rules/rules.h"
#include "harness/study/point.h"

/* 1 when a library of the reader's releases is installed here, with our measuring program, and its
 * launcher starts it; else why (REASON_SIZE) says what is. version (VERSION_SIZE): the release that
 * is installed. */
int try_rules_here(const struct rules_reader *reader, const char *build, char *version, char *why);

/* Starts a small job with the file at that path, and those beside it: a few seconds. 0; or -1 with
 * *err: what the library said, or which call went wrong. *apart: the library takes each rank for
 * one on a node of its own, though all are on this one. */
int try_rules(const struct rules_reader *reader, const char *path, const char *build, int *apart,
              struct err *err);

#endif
