/* SPDX-License-Identifier: BSD-3-Clause */
/* recommend_others.h - finds other results of a cluster with times of a collective. */
#pragma once

#include "harness/base/base.h"

/* Prints a line for each directory next to dir that has times of the collective: its name, and the
 * option to use it; without a collective nothing. Skips unreadable directories. Returns how many
 * directories next to dir have points, of whatever collective. */
size_t recommend_tell_others(const char *dir, int doubted, const char *collective, FILE *out);
