/* SPDX-License-Identifier: BSD-3-Clause */
/* copy_sizes.h - sizes of the memory-copy experiments of a study. Pure. */
#pragma once

#include "harness/study/study.h"

/* The study's list; for auto, doublings from the smallest to the largest block that the
 * schedules of the collective copy in memory at the grid's sizes and its largest process count,
 * including the largest block (above 256 ranks only some ranks are checked); empty if they copy
 * nothing. Returns 0, or -1 with *err (an algorithm that cannot run at these sizes). */
int plan_copy_sizes(const struct study *study, const char *collective, struct size_list *sizes,
                    struct err *err);
