/* SPDX-License-Identifier: BSD-3-Clause */
/* rollout_files.h - deploys our rules files in one of several forms (harness/rules/rollout.h). */
#ifndef HARNESS_CMD_ROLLOUT_FILES_H
#define HARNESS_CMD_ROLLOUT_FILES_H

#include "harness/rules/rollout.h"

/* Prints the form for new rules that will be stored at path; beside: the
 * text of the second file next to it, or NULL. 0, or -1 with *err. */
int rollout_of_text(const struct rollout_form *form, const struct rules_reader *reader,
                    const char *path, const char *text, const char *beside, struct err *err);

/* Writes to output (NULL: prints) the form for existing files, each for
 * the reader named in its head, to be stored in the directory install
 * (NULL: where they are). 0, or -1 with *err: a file or its second file
 * is missing, it has no head of ours, or its reader would not load it. */
int rollout_of_files(const struct rollout_form *form, const char *const *path, size_t n,
                     const char *install, const char *output, struct err *err);

#endif
