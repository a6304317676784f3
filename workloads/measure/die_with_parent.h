/* SPDX-License-Identifier: BSD-3-Clause */
/* die_with_parent.h - a rank ends with the process that started it.
 *
 * The driver of a launch kills its ranks when it ends (harness/base/subprocess.h). If driver and
 * keeper are killed together, no process is left for that, and a rank waiting for others would spin
 * forever. The launcher dies with the keeper; so a rank that loses its launcher ends itself. */
#pragma once

/* From now on this process ends, with status 1, as soon as its parent has died. To be called first
 * in main. */
void die_with_parent_follow(void);
