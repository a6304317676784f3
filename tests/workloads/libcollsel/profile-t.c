/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary of a run: what two of its sentences say of one thing is one number. */
#include "tests/tap.h"
#include "workloads/libcollsel/profile.h"

/* Each of four ranks is 0.5 s in allreduce, of its half of the ranks; trying took 0.1 s of it, or
 * what was tried was faster than the choice. */
static char *summary(double spent_s)
{
    struct profile p = { .mpi = "openmpi", .mode = "star", .cost = 0.02, .procs = 4, .run_s = 1 };
    char *text = NULL;
    size_t len;
    for (int rank = 0; rank < 4; rank++) {
        struct sent_row row = { .key = { .procs = 2, .members = (uint64_t)(rank / 2 + 1) },
                                .collective = "allreduce",
                                .chosen = "portable:ring",
                                .calls = 1000,
                                .measured = 10,
                                .total_ns = 500000000,
                                .measured_ns = 1000000,
                                .spent_s = spent_s,
                                .is_tuned = 1 };
        profile_add(&p, &row);
    }
    FILE *out = open_memstream(&text, &len);
    profile_print(&p, out);
    fclose(out);
    profile_clear(&p);
    return text;
}

/* Two ranks come at the same time; one of their 1,000 calls ran by a schedule. */
static void test_least(void)
{
    struct profile p = { .mpi = "openmpi", .mode = "table", .procs = 2 };
    char *text = NULL;
    size_t len;
    for (int rank = 0; rank < 2; rank++) {
        const struct sent_row row = { .key = { .procs = 2 },
                                      .collective = "barrier",
                                      .ran = "portable:tree",
                                      .calls = 1000,
                                      .scheduled = 1,
                                      .n_arrivals = 1,
                                      .arrival_s = { 0.5 } };
        profile_add(&p, &row);
    }
    FILE *out = open_memstream(&text, &len);
    profile_print(&p, out);
    profile_json(&p, out);
    fclose(out);
    ok(strstr(text, "portable:tree, under 1 %") != NULL, "one call of many is no 0 %%: %s", text);
    ok(strstr(text, "\"wait_s\": 0, ") != NULL, "no waiting is known, and 0");
    profile_clear(&p);
    free(text);
}

/* Star on a program that is too short for it says so, also where no kind of call came often. */
static void test_short(void)
{
    struct profile p = {
        .mpi = "openmpi", .mode = "star", .cost = 0.02, .start_s = 0.01, .procs = 2
    };
    char *text = NULL;
    size_t len;
    for (int rank = 0; rank < 2; rank++) {
        const struct sent_row row = { .key = { .procs = 2 },
                                      .collective = "barrier",
                                      .ran = "default",
                                      .calls = 5,
                                      .total_ns = 100000000 };
        profile_add(&p, &row);
    }
    FILE *out = open_memstream(&text, &len);
    profile_print(&p, out);
    fclose(out);
    ok(strstr(text, "nothing was tried: a kind of call must come more than 100 times, and 2 % of "
                    "the time in collectives (0.100000 s) must pay for the library's start "
                    "(0.010000 s) and a trial\n") != NULL,
       "too short a program: %s", text);
    profile_clear(&p);
    free(text);
}

/* Three rows of a grid, each on a node of its own, and two columns: the calls of each kind are one
 * line, with the time of a rank. */
static void test_alike(void)
{
    struct profile p = { .mpi = "openmpi", .mode = "trace", .procs = 6, .run_s = 1 };
    char *json = NULL, *text = NULL;
    size_t len;
    for (int rank = 0; rank < 12; rank++) {
        const int column = rank / 6, of = rank % 6;
        struct sent_row row = { .key = { .procs = column ? 3 : 2,
                                         .members = (uint64_t)(column ? 10 + of % 2 : 1 + of / 2) },
                                .nodes = column ? 3 : 1,
                                .ppn = column ? 1 : 2,
                                .collective = "allreduce",
                                .ran = "default",
                                .calls = 10,
                                .total_ns = 100000000 * (column ? 1 : 1 + of / 2),
                                .every = 1,
                                .n_arrivals = 1,
                                .arrival_s = { 0.001 * of } };
        profile_add(&p, &row);
    }
    FILE *out = open_memstream(&json, &len);
    profile_json(&p, out);
    fclose(out);
    profile_merge(&p);
    out = open_memstream(&text, &len);
    profile_print(&p, out);
    fclose(out);
    is_int(2, (long long)p.n, "of five communicators there are two kinds");
    ok(strstr(json, "\"procs\": 3, \"nodes\": 3, \"ppn\": 1, ") != NULL &&
           strstr(json, "\"time_s\": 0.3,") != NULL,
       "a report has each of them: %s", json);
    ok(strstr(text, "3_alike      2   1x2") != NULL &&
           strstr(text, "        10     0.200000    20000.0     1000.0  default") != NULL,
       "rows of ranks on a node: %s", text);
    ok(strstr(text, "2_alike      3   3x1") != NULL, "columns of a rank on each");
    ok(strstr(text, "a rank spent 0.300 s (30.0 %) in these calls: allreduce 0.300 s, about 0.025 "
                    "s of it waiting") != NULL,
       "the time of a rank is that of both kinds together");
    profile_clear(&p);
    memory_free(json, text);
}

int main(void)
{
    char *text = summary(0.1), *faster = summary(-0.1);
    ok(strstr(text, "a rank spent 0.500 s (50.0 %) in these calls") != NULL, "half of the run: %s",
       text);
    ok(strstr(text, "trying cost 0.100000 s, 20.00 % of the time in collectives (0.500000 s)") !=
           NULL,
       "of halves of the ranks, too, a rank's time is told, and no sum over halves: %s", text);
    ok(!strstr(faster, "cost -"), "what was tried and is faster costs nothing: %s", faster);
    ok(strstr(faster, "trying cost nothing (its calls took 0.100000 s less than the choice)") !=
           NULL,
       "which is said");
    memory_free(text, faster);
    test_least();
    test_alike();
    test_short();
    return tap_done();
}
