/* SPDX-License-Identifier: BSD-3-Clause */
/* Every piece of work is done once, however many there are. */
#include "harness/base/parallel.h"

#include "tests/tap.h"

enum { MOST = 10000 };

static int done[MOST + 1];

static void count(size_t i, void *user)
{
    const int *step = user;
    done[i] += *step;
}

int main(void)
{
    static const size_t numbers[] = { 0, 1, 15, 16, 17, 1000, MOST };
    int step = 3;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        size_t right = 0;
        for (size_t i = 0; i <= MOST; i++)
            done[i] = 0;
        parallel_for(numbers[k], count, &step);
        for (size_t i = 0; i <= MOST; i++)
            right += done[i] == (i < numbers[k] ? step : 0);
        is_int(MOST + 1, (long long)right, "%zu pieces, each once, and no other", numbers[k]);
    }
    return tap_done();
}
