/* SPDX-License-Identifier: BSD-3-Clause */
/* load_lines.h - how to make the library of a reader load a file, for users: command lines, lines
 * of a parameter file, exports; and how to undo it. Files for all nodes of a site: rollout.h. */
#pragma once

#include "harness/base/argv.h"
#include "harness/rules/rules.h"

/* One word as a shell reads it, to be freed. */
char *rules_load_quoted(const char *word);

/* The value of a setting for a file at that path. Returns buf. */
const char *rules_load_value(const struct rules_load *setting, const char *path,
                             char buf[PATH_SIZE]);

/* The name of a setting as an environment variable. Returns buf. */
enum { RULES_LOAD_NAME = 96 };
const char *rules_load_variable(const struct rules_reader *reader, const struct rules_load *setting,
                                char buf[RULES_LOAD_NAME]);

/* Adds the lines that load a file at that path, paths quoted where a shell reads them, without
 * control characters. */
void rules_load_lines(const struct rules_reader *reader, const char *path, struct argv *lines);

/* Sets the environment variables of this process that load the file, except those that every launch
 * sets (harness/base/variable.h); path NULL: unsets them and restores those in usual. */
void rules_load_file(const struct rules_reader *reader, const char *path, const struct argv *usual);

/* Adds the ones that are set, as "NAME=VALUE", except a file's path. */
void rules_load_usual(const struct rules_reader *reader, struct argv *usual);

/* The line that undoes the load lines, to be freed. */
char *rules_load_back(const struct rules_reader *reader);

/* 1 when the lines disable that component of the library. */
int rules_load_excludes(const struct rules_reader *reader, const char *component);
