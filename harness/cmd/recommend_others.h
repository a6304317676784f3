/* SPDX-License-Identifier: BSD-3-Clause */
/* recommend_others.h - where else a cluster has times of a collective. */
#ifndef HARNESS_CMD_RECOMMEND_OTHERS_H
#define HARNESS_CMD_RECOMMEND_OTHERS_H

#include <stdio.h>

/* A line for each directory beside dir, the results of a study that has none, with times of the
 * collective: its name, and the option that asks it. What cannot be read has none. */
void recommend_tell_others(const char *dir, const char *collective, FILE *out);

#endif
