/* SPDX-License-Identifier: BSD-3-Clause */
/* load_lines.h - how the library of a reader is made to load a file, for people: command lines,
 * lines of a file of parameters, exports; and the way back. What a site puts on its nodes:
 * rollout.h. */
#ifndef HARNESS_RULES_LOAD_LINES_H
#define HARNESS_RULES_LOAD_LINES_H

#include "harness/base/argv.h"
#include "harness/base/fs.h"
#include "harness/rules/rules.h"

/* One word as a shell reads it, to be freed. */
char *rules_load_quoted(const char *word);

/* The value of a setting, of a file at that path, in buf, which is returned. */
const char *rules_load_value(const struct rules_load *setting, const char *path,
                             char buf[PATH_SIZE]);

/* The name of a setting as a variable of the environment, in buf, which is returned. */
enum { RULES_LOAD_NAME = 96 };
const char *rules_load_variable(const struct rules_reader *reader, const struct rules_load *setting,
                                char buf[RULES_LOAD_NAME]);

/* Adds the lines that load a file at that path, paths quoted where a shell reads them, without
 * control characters. */
void rules_load_lines(const struct rules_reader *reader, const char *path, struct argv *lines);

/* Sets the variables that load the file in the environment of this process, but for those that
 * every launch sets (harness/base/variable.h); path NULL: unsets them, but puts back what usual
 * has. */
void rules_load_file(const struct rules_reader *reader, const char *path, const struct argv *usual);

/* Adds those of them that are set, as "NAME=VALUE"; never a file's path. */
void rules_load_usual(const struct rules_reader *reader, struct argv *usual);

/* The path that the environment of this process names; NULL: none. */
const char *rules_load_path(const struct rules_reader *reader);

/* The line that undoes them, to be freed. */
char *rules_load_back(const struct rules_reader *reader);

/* 1 when the lines leave that component out of its library. */
int rules_load_excludes(const struct rules_reader *reader, const char *component);

#endif
