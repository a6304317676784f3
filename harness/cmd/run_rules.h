/* SPDX-License-Identifier: BSD-3-Clause */
/* run_rules.h - for `collsel run --rules`: converts a library's own rules file
 * to an equivalent table of libcollsel (harness/rules/rule_choices.h). */
#ifndef HARNESS_CMD_RUN_RULES_H
#define HARNESS_CMD_RUN_RULES_H

#include "harness/rules/export.h"

/* Such a table, before it is written. Start from { NULL }. */
struct rules_carried {
    char *text; /* NULL: none */
    struct rules_made made;
    int limited; /* 1: limits of concurrent requests are dropped */
};

/* Reads the file `rules` as the reader does; nothing is written. 0, or -1 with *err. */
int run_rules_read(const char *rules, const struct rules_reader *reader, struct rules_carried *out,
                   struct err *err);

/* 0 if nothing is at path, or a table written by run_rules_write;
 * -1 with *err: another file, which would be overwritten. */
int run_rules_check(const char *path, struct err *err);

/* Writes it to path. Rules that the table cannot express are left to the
 * library and reported on standard error. 0, or -1 with *err, and no table. */
int run_rules_write(const char *rules, const struct rules_carried *carried, const char *path,
                    struct err *err);

/* Frees what it holds. */
void run_rules_clear(struct rules_carried *carried);

#endif
