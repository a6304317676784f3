/* SPDX-License-Identifier: BSD-3-Clause */
/* arrival-t.c - patterns of arrival by their names, and files of delays that somebody handed over.
 */
#include "harness/base/arrival.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tap.h"

static double delay(const char *name, int rank, int procs)
{
    struct arrival a;
    struct err err = { .text = "" };
    return arrival_parse(name, &a, &err) < 0 ? -1 : arrival_delay(&a, NULL, rank, procs);
}

static void patterns(void)
{
    is_near(0, delay("", 3, 4), 0, "together: no delay");
    is_near(1, delay("skew:1", 3, 4), 0, "skew: the whole on the last rank");
    is_near(1.0 / 3, delay("skew:1", 1, 4), 1e-12, "and evenly between");
    is_near(0, delay("late:1", 2, 4), 0, "late: the others in time");
    is_near(1, delay("late:1", 3, 4), 0, "the last one late");
    is_near(0, delay("skew:1", 0, 1), 0, "one rank alone is never late");
    static const char *const wrong[] = { "never",          "skew:",   "skew:-1",  "late:nan",
                                         "late:0",         "skew:1s", "late:1e9", "trace:12",
                                         "trace:ABCDEFGH", "together" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        is_near(-1, delay(wrong[i], 0, 2), 0, "'%s' is refused", wrong[i]);
}

static void words(void)
{
    char a[ARRIVAL_SIZE] = "", b[ARRIVAL_SIZE] = "", text[64];
    struct err err = { .text = "" };
    is_int(0, arrival_resolve("skew:100us", a, &err), "a study's word: %s", err.text);
    is_int(0, arrival_resolve("skew:0.1ms", b, &err), "and another");
    is_str(a, b, "equal delays are one pattern");
    is_str("evenly over 100 us", arrival_text(a, text, sizeof text), "for people");
    is_int(-1, arrival_resolve("skew:100", a, &err), "a delay without a unit is refused");
    is_int(-1, arrival_resolve("early:1s", a, &err), "an unknown pattern, too");
}

/* Reads a file of this text; its ranks, or -1 with *err. */
static int read_text(const char *path, const char *text, struct arrival_trace *trace,
                     struct err *err)
{
    *err = (struct err){ .text = "" };
    if (fs_write(path, text, err) < 0 || arrival_trace_read(path, trace, err) < 0)
        return -1;
    return trace->ranks;
}

static void traces(const char *path)
{
    static const char *const wrong[][2] = {
        { "rank,delay_s\n0,0\n2,0\n", ":3: rank: 2 (want 1, the next one)" },
        { "rank,delay_s\n0,-1e-6\n", ":2: delay_s: -1e-06 s (want 0" },
        { "rank,delay_s\n0,1e6\n", ":2: delay_s: 1e+06 s (want 0 to 3600)" },
        { "rank,delay_s\n0,nan\n", ":2: " },
        { "rank,delay_s\n0,\n", ":2: " },
        { "rank,delay_s\n", "has no rank" },
        { "rank\n0\n", "delay_s" },
        { "rank,delay_s\n0,0\n1,0.5", ":3: " },
        { "", "" },
    };
    struct arrival_trace a, b;
    struct err err;
    is_int(2, read_text(path, "rank,delay_s\n0,0\n1,2.5e-5\n", &a, &err), "two ranks: %s",
           err.text);
    is_near(2.5e-5, a.delay_s[1], 1e-12, "with their delays");
    is_int(2, read_text(path, "rank,delay_s\n0,0\n1,2.6e-5\n", &b, &err), "two other ones");
    ok(strcmp(a.digest, b.digest) != 0, "have another digest");
    arrival_trace_clear(&a);
    arrival_trace_clear(&b);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        is_int(-1, read_text(path, wrong[i][0], &a, &err), "wrong file %zu is refused", i);
        has_str(wrong[i][1], err.text, "with what is wrong");
    }
    unlink(path);
    is_int(-1, arrival_trace_read(path, &a, &err), "a file that is not there, too");
}

int main(void)
{
    char dir[] = "/tmp/arrival-XXXXXX", path[64];
    if (!mkdtemp(dir))
        return 1;
    snprintf(path, sizeof path, "%s/delays.csv", dir);
    patterns();
    words();
    traces(path);
    rmdir(dir);
    return tap_done();
}
