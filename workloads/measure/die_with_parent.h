/* SPDX-License-Identifier: BSD-3-Clause */
/* die_with_parent.h - a rank does not outlive who started it.
 *
 * Who runs a launch kills its ranks when it ends (harness/base/subprocess.h). Where that one and
 * its keeper are killed at once nobody is left to do so, and a rank that waits for others would
 * spin for good. The launcher dies with the keeper; so a rank that loses its launcher ends itself.
 */
#ifndef WORKLOADS_MEASURE_DIE_WITH_PARENT_H
#define WORKLOADS_MEASURE_DIE_WITH_PARENT_H

/* From now on this process ends, with status 1, as soon as its parent has died. To be called first
 * in main. */
void die_with_parent_follow(void);

#endif
