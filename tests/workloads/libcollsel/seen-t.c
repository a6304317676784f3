/* SPDX-License-Identifier: BSD-3-Clause */
/* seen-t.c - what a rank keeps of its calls does not grow with them; what is put together of
 * several ranks counts the calls of all, and the time between first and last arrival. */
#include "workloads/libcollsel/seen.h"

#include <string.h>

#include "tests/tap.h"
#include "workloads/libcollsel/profile.h"
#include "workloads/libcollsel/repository.h"
#include "workloads/schedules/collectives.h"

static struct row_key key_of(uint64_t bytes)
{
    struct row_key key = row_key_of(0, "sum");
    key.procs = 2;
    key.bytes = bytes;
    return key;
}

static void test_bound(void)
{
    struct seen rows = { .n = 0 };
    struct row_key key = key_of(0);
    struct row *first = seen_find(&rows, &key);
    for (uint64_t i = 1; i < SEEN_MOST; i++) {
        key = key_of(i);
        seen_find(&rows, &key);
    }
    key = key_of(SEEN_MOST);
    ok(seen_find(&rows, &key) == NULL, "of one kind more than there is room for there is no row");
    key = key_of(0);
    ok(seen_find(&rows, &key) == first, "those that are there are found");
    seen_clear(&rows);
}

static void test_calls(void)
{
    enum { CALLS = 1000 };
    static const char places[ROW_SITES + 2];
    struct seen rows = { .n = 0 };
    const struct row_key key = key_of(8);
    struct row *row = seen_find(&rows, &key);
    for (int i = 0; i < CALLS; i++)
        row_record(row, &places[i % 3], 1000 * i, 1000 * i + (i == 500 ? 70 : 5));
    is_int(CALLS, (long long)row->calls, "all calls are counted");
    is_int(5 * (CALLS - 1) + 70, row->total_ns, "and their times");
    is_int(70, row->most_ns, "and the longest");
    is_int(3, row->n_sites, "called from three places");
    is_int(334, (long long)row->site[0].calls, "from the first of them every third time");
    is_int(333 * 5 + 5, row->site[0].total_ns, "which took so long");
    is_int(332 * 5 + 70, row->site[2].total_ns, "and from the third the longest");
    is_int(16, (long long)row->every, "of a thousand calls every 16th arrival is kept");
    is_int(63, row->n_arrivals, "63 of them");
    int wrong = 0;
    for (int i = 0; i < row->n_arrivals; i++)
        wrong += row->arrival[i] != 16000 * i;
    is_int(0, wrong, "each that of its call");
    for (int i = 0; i < ROW_SITES + 2; i++)
        row_record(row, &places[i], 0, 0);
    is_int(ROW_SITES + 1, row->n_sites, "places beyond those that are kept are no more");
    is_int(1, (long long)row->site[ROW_SITES - 1].calls, "nor are their calls");
    seen_clear(&rows);
}

static struct sent_row sent(int64_t ns, double late_s)
{
    struct sent_row row = {
        .key = key_of(8), .is_world = 1, .calls = 4, .total_ns = ns, .most_ns = ns, .every = 2
    };
    row.n_arrivals = 2;
    row.arrival_s[0] = 1 + late_s;
    row.arrival_s[1] = 2 + 3 * late_s;
    return row;
}

static void test_profile(void)
{
    struct profile p = { .mpi = "x", .mode = "trace", .procs = 2 };
    const struct sent_row early = sent(1000, 0), late = sent(3000, 0.5);
    double mean_s, most_s;
    profile_add(&p, &early);
    is_int(0, profile_skew(p.v[0], &mean_s, &most_s), "arrivals of one rank of two say nothing");
    profile_add(&p, &late);
    is_int(1, (long long)p.n, "rows of two ranks are one");
    is_int(8, (long long)p.v[0]->first.calls, "their calls add up");
    is_int(2, profile_skew(p.v[0], &mean_s, &most_s), "two calls have both arrivals");
    ok(mean_s == 1 && most_s == 1.5, "a second apart in the mean, one and a half at most");
    profile_clear(&p);
}

/* Two ranks call four times, each time a second late by turns of 0.5 and 1.5 s. */
static void test_waiting(void)
{
    struct profile p = { .mpi = "x", .mode = "trace", .procs = 2, .run_s = 100 };
    struct sent_row early = sent(INT64_C(6000000000), 0), late = sent(INT64_C(4000000000), 0.5);
    char text[1 << 12] = "";
    snprintf(early.collective, sizeof early.collective, "allreduce");
    late.total_ns = INT64_C(4000000000);
    profile_add(&p, &early);
    ok(profile_waiting(p.v[0]) < 0, "waiting is not known of one rank of two");
    profile_add(&p, &late);
    ok(profile_waiting(p.v[0]) == 2, "four calls wait half a second in the mean of both ranks");
    FILE *out = fmemopen(text, sizeof text, "w");
    profile_print(&p, out);
    fclose(out);
    ok(NULL !=
           strstr(text,
                  "a rank spent 5.000 s (5.0 %) in these calls: allreduce 5.000 s, about 2.000 s "
                  "of it waiting for late ranks\n"),
       "the share of the run, and of waiting: %s", text);
    ok(NULL != strstr(text, "without the waiting at most 3.000 s (3.0 % of the run) are left to "
                            "save; collsel ask --profile REPORT says by what"),
       "... and what is left");
    p.v[0]->first.total_ns = INT64_C(2000000000);
    ok(profile_waiting(p.v[0]) == 1, "nobody waits longer than the calls took");
    snprintf(p.v[0]->first.collective, sizeof early.collective, "bcast");
    ok(profile_waiting(p.v[0]) < 0, "in a broadcast a rank need not wait for all");
    profile_clear(&p);
}

/* Every candidate that star may try has a place in its row, under its whole name. */
static void test_tried(void)
{
    size_t kept = 0, all = 0, names = 0;
    for (const struct collective *c = collectives; c->name; c++)
        for (int procs = 2; procs <= 16; procs++)
            for (uint64_t bytes = 1; bytes <= 1 << 20; bytes *= 1024) {
                const struct schedule_arguments a = { .procs = procs,
                                                      .bytes = bytes * (uint64_t)procs,
                                                      .element_bytes = 1 };
                struct seen rows = { .n = 0 };
                const struct row_key key = key_of(8);
                struct row *row = seen_find(&rows, &key);
                struct repository r;
                repository_make(&r, REPOSITORY_FULL, "openmpi", c, &a);
                for (int i = 0; i < r.n; i++) {
                    struct row_tried tried = { .seconds = i + 1 };
                    snprintf(tried.name, sizeof tried.name, "%s", r.v[i].name);
                    names += strcmp(tried.name, r.v[i].name) != 0;
                    row_try(row, &tried);
                }
                all += (size_t)r.n;
                kept += (size_t)row->n_tried;
                repository_clear(&r);
                seen_clear(&rows);
            }
    ok(all > 1000 && names == 0, "%zu candidates keep their names", all);
    is_int((long long)all, (long long)kept, "and their places");
}

int main(void)
{
    test_bound();
    test_tried();
    test_calls();
    test_profile();
    test_waiting();
    return tap_done();
}
