/* SPDX-License-Identifier: BSD-3-Clause */
/* chain_of_sums.h - combines several messages and a rank's own sum in rank order, as in MPICH. */
#pragma once

#include "workloads/schedules/schedule.h"

/* Of n messages in TEMP, one behind the other from slot `first` on, the first `below` stand before
 * what is in RECV, the others behind it; RECV gets the sum of all. */
static inline void chain_of_sums(const struct schedule *s, int first, int n, int below,
                                 struct round *out)
{
    const uint64_t m = s->bytes, at = (uint64_t)first * m;
    for (int i = 0; i + 1 < below; i++)
        round_reduce(out, BUF_TEMP, at + (uint64_t)(i + 1) * m, BUF_TEMP, at + (uint64_t)i * m, m);
    if (below > 0)
        round_reduce(out, BUF_RECV, 0, BUF_TEMP, at + (uint64_t)(below - 1) * m, m);
    if (below == n)
        return;
    round_reduce(out, BUF_TEMP, at + (uint64_t)below * m, BUF_RECV, 0, m);
    for (int i = below; i + 1 < n; i++)
        round_reduce(out, BUF_TEMP, at + (uint64_t)(i + 1) * m, BUF_TEMP, at + (uint64_t)i * m, m);
    round_copy(out, BUF_RECV, 0, BUF_TEMP, at + (uint64_t)(n - 1) * m, m);
}
