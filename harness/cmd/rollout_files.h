/* SPDX-License-Identifier: BSD-3-Clause */
/* rollout_files.h - files of rules of ours, rolled out in a form (harness/rules/rollout.h). */
#ifndef HARNESS_CMD_ROLLOUT_FILES_H
#define HARNESS_CMD_ROLLOUT_FILES_H

#include "harness/rules/rollout.h"

/* Prints the form for rules that were just made, and will lie at path; beside: the text of what
 * goes beside it, or NULL. 0, or -1 with *err. */
int rollout_of_text(const struct rollout_form *form, const struct rules_reader *reader,
                    const char *path, const char *text, const char *beside, struct err *err);

/* Writes to output (NULL: prints) the form for files that are there, each for the reader that its
 * head names, and will lie in the directory install (NULL: where they are). 0, or -1 with *err:
 * there is no such file, or none that goes beside it, it has no head of ours, or its reader would
 * not load it. */
int rollout_of_files(const struct rollout_form *form, const char *const *path, size_t n,
                     const char *install, const char *output, struct err *err);

#endif
