/* SPDX-License-Identifier: BSD-3-Clause */
/* The chain of messages that star expects of a schedule, where it can be counted by hand: among 8
 * ranks, 64 KiB each. */
#include "tests/tap.h"
#include "workloads/libcollsel/expected.h"
#include "workloads/schedules/collectives.h"

static struct star_prior expect(const char *collective, const char *name)
{
    const struct schedule_arguments a = { .procs = 8, .bytes = 65536, .element_bytes = 8 };
    struct schedule s;
    struct err err = { 0 };
    const struct algorithm *alg = algorithm_find(collective, name);
    if (!ok(alg && schedule_make(&s, alg, &a, &err) == 0, "%s %s", collective, name))
        return (struct star_prior){ 0, 0 };
    return expected_of(&s);
}

int main(void)
{
    static const struct {
        const char *collective, *name;
        double steps, bytes;
    } rows[] = {
        { "bcast", "binomial", 3, 3 * 65536 },
        { "allgather", "ring", 7, 7 * 65536 },
        { "allreduce", "ring", 14, 14 * 8192 },
        { "allreduce", "rabenseifner", 6, 2 * (32768 + 16384 + 8192) },
        { "allreduce", "recursive_doubling", 3, 3 * 65536 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct star_prior p = expect(rows[i].collective, rows[i].name);
        is_near(rows[i].steps, p.steps, 1e-9, "messages one after the other");
        is_near(rows[i].bytes, p.bytes, 1e-9, "and their bytes");
    }
    return tap_done();
}
