/* SPDX-License-Identifier: BSD-3-Clause */
/* id_set: what was added is known, nothing else, also 0 and numbers that fall on one slot. */
#include "harness/base/id_set.h"

#include "tests/tap.h"

int main(void)
{
    enum { N = 20000 };
    struct id_set set = { 0 };
    int first = 0, again = 0;
    for (uint64_t i = 0; i < N; i++)
        first += id_set_add(&set, i % 2 ? i : i << 40) == 1;
    for (uint64_t i = 0; i < N; i++)
        again += id_set_add(&set, i % 2 ? i : i << 40) == 0;
    is_int(N, first, "numbers are new once");
    is_int(N, again, "and known from then on");
    is_int(1, id_set_add(&set, 4), "another is new");
    is_int(0, id_set_add(&set, 0), "0 is a number");
    id_set_clear(&set);
    is_int(1, id_set_add(&set, 0), "a cleared set is empty");
    id_set_clear(&set);
    return tap_done();
}
