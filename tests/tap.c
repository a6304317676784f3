/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/tap.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

static struct {
    int run, failed;
} tap;

/* Prints it, and adds it to the file that TAP_FAILS names. */
static void tell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void tell(const char *fmt, ...)
{
    va_list args;
    const char *path = getenv("TAP_FAILS");
    FILE *file = path ? fopen(path, "a") : NULL;
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    if (!file)
        return;
    fprintf(file, "%s: ", program_invocation_short_name);
    va_start(args, fmt);
    vfprintf(file, fmt, args);
    va_end(args);
    fclose(file);
}

static int claim(int holds, const char *fmt, va_list args)
{
    char what[1024];
    vsnprintf(what, sizeof(what), fmt, args);
    if (holds)
        printf("ok %d - %s\n", ++tap.run, what);
    else
        tell("not ok %d - %s\n", ++tap.run, what);
    fflush(stdout);
    tap.failed += !holds;
    return holds;
}

#define CLAIM(holds)                                                                               \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, fmt);                                                                       \
        held = claim(holds, fmt, args);                                                            \
        va_end(args);                                                                              \
    } while (0)

int ok(int holds, const char *fmt, ...)
{
    int held;
    CLAIM(holds);
    return held;
}

int is_int(long long wanted, long long seen, const char *fmt, ...)
{
    int held;
    CLAIM(wanted == seen);
    if (!held)
        tell("# wanted: %lld\n#   seen: %lld\n", wanted, seen);
    return held;
}

int is_str(const char *wanted, const char *seen, const char *fmt, ...)
{
    int held;
    CLAIM(wanted == seen || (wanted && seen && strcmp(wanted, seen) == 0));
    if (!held)
        tell("# wanted: '%s'\n#   seen: '%s'\n", wanted ? wanted : "(null)",
             seen ? seen : "(null)");
    return held;
}

int has_str(const char *wanted, const char *seen, const char *fmt, ...)
{
    int held;
    CLAIM(seen && strstr(seen, wanted) != NULL);
    if (!held)
        tell("# wanted part: '%s'\n#         seen: '%s'\n", wanted, seen ? seen : "(null)");
    return held;
}

int is_near(double wanted, double seen, double tolerance, const char *fmt, ...)
{
    int held;
    double room = wanted != 0 ? tolerance * fabs(wanted) : tolerance;
    CLAIM((isnan(wanted) && isnan(seen)) || wanted == seen || fabs(wanted - seen) <= room);
    if (!held)
        tell("# wanted: %.17g within %g\n#   seen: %.17g\n", wanted, room, seen);
    return held;
}

/* Adds the reason to the file that TAP_SKIPS names; without one, nothing. */
static void note_skip(const char *reason)
{
    const char *path = getenv("TAP_SKIPS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s\n", reason);
    fclose(file);
}

void skip(const char *reason, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    printf("ok %d - ", ++tap.run);
    vprintf(fmt, args);
    va_end(args);
    printf(" # SKIP %s\n", reason);
    note_skip(reason);
}

void diag(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fputs("# ", stdout);
    vprintf(fmt, args);
    va_end(args);
    putchar('\n');
}

int tap_done(void)
{
    printf("1..%d\n", tap.run);
    if (tap.failed)
        diag("%d of %d claims failed", tap.failed, tap.run);
    return tap.failed != 0 || tap.run == 0;
}

int tap_skip_all(const char *reason)
{
    printf("1..0 # SKIP %s\n", reason);
    note_skip(reason);
    return 0;
}
