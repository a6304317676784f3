/* SPDX-License-Identifier: BSD-3-Clause */
/* deadlock.h - a schedule of two ranks that never ends: each waits for the other, and none sends.
 */
#pragma once

#include "workloads/schedules/schedule.h"

static uint64_t deadlock_rounds(const struct schedule *s, int rank)
{
    (void)s;
    (void)rank;
    return 1;
}

static void deadlock_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)s;
    (void)k;
    round_recv(out, BUF_RECV, 0, 1, 1 - rank);
}

static const struct algorithm deadlock = { .name = "deadlock",
                                           .collective = "allgather",
                                           .rounds = deadlock_rounds,
                                           .round = deadlock_round };
