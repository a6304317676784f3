/* SPDX-License-Identifier: BSD-3-Clause */
/* environment_record.h - the environment of launches: variables, parameter files, launchers,
 * cores. A list of lines "WHAT=VALUE"; the manifest keeps it, the digest holds it, two lists can be
 * compared. It is collected by harness/run/environment.h. */
#pragma once

#include <jansson.h>

#include "harness/base/argv.h"

struct environment_record {
    int site;            /* 1: `environment = site`: everything stays; 0: clean */
    struct argv lines;   /* what identifies a launch, sorted; in both modes */
    struct argv removed; /* "NAME=VALUE" removed since they select algorithms */
    struct argv given;   /* lines of where a launch is started; here: the same as lines */
    char *differ;        /* difference to the environment the study was measured
                            in, whose lines are used then; NULL: none */
    char *refused;       /* why measuring is refused; NULL: it is allowed */
};

/* Frees what it holds, and leaves it empty. */
void environment_record_free(struct environment_record *s);

/* Appends "NAME=VALUE", with special characters replaced: lines go to files and pages. */
void environment_record_add(struct argv *lines, const char *name, const char *value);

/* "clean" or "site". */
const char *environment_record_mode(const struct environment_record *s);

/* How one list differs from another, for a message: "UCX_TLS was 'tcp' and is not there now; ...";
 * to be freed, NULL where they are the same. */
char *environment_record_differ(const struct argv *was, const struct argv *is);

/* The object of the manifest. */
json_t *environment_record_json(const struct environment_record *s);

/* The earlier environment in a manifest; texts are "" if missing. */
struct environment_record_before {
    char mode[32], backend[32], digest[32];
    struct argv lines, libraries; /* libraries: names, sorted */
};

/* Reads DIR/manifest.json: 1 when it has an environment, 0 when not or without
 * a file, -1 with *err when it cannot be read. Free it in any case. */
int environment_record_before(const char *dir, struct environment_record_before *before,
                              struct err *err);
void environment_record_before_free(struct environment_record_before *before);
