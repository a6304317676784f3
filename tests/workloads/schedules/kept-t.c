/* SPDX-License-Identifier: BSD-3-Clause */
/* kept-t.c - rounds that are kept are those that the schedule makes; schedules that are called the
 * same have the same rounds. */
#include <string.h>

#include "tests/tap.h"
#include "workloads/schedules/schedule.h"

static int same_rounds(const struct schedule *a, const struct schedule *b)
{
    struct round x = { 0 }, y = { 0 };
    int same = 1;
    for (int r = 0; r < a->procs && same; r++) {
        const uint64_t rounds = schedule_rounds(a, r);
        same = rounds == schedule_rounds(b, r);
        for (uint64_t k = 0; k < rounds && same; k++) {
            schedule_round(a, r, k, &x);
            schedule_round(b, r, k, &y);
            same = x.phase == y.phase && x.n == y.n;
            for (size_t i = 0; i < x.n && same; i++)
                same = x.ops[i].kind == y.ops[i].kind && x.ops[i].peer == y.ops[i].peer &&
                       x.ops[i].bytes == y.ops[i].bytes && x.ops[i].offset == y.ops[i].offset &&
                       x.ops[i].buf == y.ops[i].buf && x.ops[i].src_buf == y.ops[i].src_buf &&
                       x.ops[i].src_offset == y.ops[i].src_offset;
        }
    }
    round_free(&x);
    round_free(&y);
    return same;
}

static int make(struct schedule *s, const struct algorithm *a, int procs, const char *mapping,
                int ppn)
{
    struct schedule_arguments arguments = { .procs = procs, .bytes = 30000, .segment_bytes = 4096 };
    arguments.seats = (struct seating){ mapping, (procs + ppn - 1) / ppn, ppn, procs, 2, 4,
                                        0,       { .group = { 0 } } };
    return schedule_make(s, a, &arguments, NULL) == 0;
}

static void check_all(void)
{
    static const int procs[] = { 1, 2, 5, 8, 13 };
    struct kept kept = { 0 }; /* filled again and again */
    int kept_wrong = 0, same_wrong = 0, schedules = 0;
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        for (size_t i = 0; i < sizeof procs / sizeof *procs; i++) {
            struct schedule s, whole, other;
            if (!make(&s, a, procs[i], "core", 1) || !make(&other, a, procs[i], "node", 1))
                continue;
            whole = s;
            schedule_keep(&whole, &kept);
            schedules++;
            kept_wrong += whole.kept != &kept || !same_rounds(&s, &whole);
            same_wrong += !schedule_same(&s, &other) || !same_rounds(&s, &other);
        }
    kept_clear(&kept);
    ok(schedules > 100 && kept_wrong == 0, "what is kept of %d schedules is what they make",
       schedules);
    ok(same_wrong == 0, "with a rank on each node a schedule is the same by any mapping");
}

static void check_too_many(void)
{
    struct schedule s;
    struct kept kept = { 0 };
    schedule_init(&s, algorithm_find("alltoall", "linear"), 300, 0, 8, 0, 0, NULL);
    schedule_keep(&s, &kept);
    ok(s.kept && kept.n_ops <= KEPT_MOST && kept.sends == 300 * 299, "180,000 operations are kept");
    schedule_init(&s, algorithm_find("alltoall", "linear"), 600, 0, 8, 0, 0, NULL);
    schedule_keep(&s, &kept);
    ok(!s.kept && schedule_rounds(&s, 0) > 0, "720,000 are not");
    schedule_init(&s, algorithm_find("bcast", "pipeline"), 3, 0, UINT64_C(1) << 40, 8, 0, NULL);
    schedule_keep(&s, &kept);
    ok(!s.kept, "nor are 137,000,000,000 rounds, and that is seen at once");
    kept_clear(&kept);
}

static void check_same(void)
{
    struct schedule s, other;
    const struct algorithm *binomial = algorithm_find("bcast", "binomial");
    make(&s, binomial, 13, "core", 1);
    other = s;
    ok(schedule_same(&s, &other), "a schedule is the same as its copy");
    other.bytes = 30001;
    ok(!schedule_same(&s, &other), "… not with another size");
    other = s;
    other.root = 1;
    ok(!schedule_same(&s, &other), "… nor with another root");
    make(&other, algorithm_find("bcast", "chain"), 13, "core", 1);
    ok(!schedule_same(&s, &other), "… nor another algorithm");
    make(&s, binomial, 13, "core", 4);
    make(&other, binomial, 13, "socket", 4);
    ok(!schedule_same(&s, &other), "… nor with ranks in other places");
}

int main(void)
{
    check_all();
    check_too_many();
    check_same();
    return tap_done();
}
