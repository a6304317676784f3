/* SPDX-License-Identifier: BSD-3-Clause */
/* recommend_others.h - finds other results of a cluster with times of a collective. */
#ifndef HARNESS_CMD_RECOMMEND_OTHERS_H
#define HARNESS_CMD_RECOMMEND_OTHERS_H

#include <stdio.h>

/* Prints a line for each directory next to dir, which has no times of the
 * collective: its name, and the option to use it. Skips unreadable directories. */
void recommend_tell_others(const char *dir, const char *collective, FILE *out);

#endif
