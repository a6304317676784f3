/* SPDX-License-Identifier: BSD-3-Clause */
/* run_rules.h - of `collsel run --rules`: a table of libcollsel that says what a library's own file
 * of rules says (harness/rules/carried.h). */
#ifndef HARNESS_CMD_RUN_RULES_H
#define HARNESS_CMD_RUN_RULES_H

#include "harness/rules/rules.h"

/* Reads the file `rules` as the reader does, and writes the table to path. What a table cannot say
 * is left to the library, and told on standard error. Returns 0; or -1 with *err, and no table. */
int run_rules_table(const char *rules, const struct rules_reader *reader, const char *path,
                    struct err *err);

#endif
