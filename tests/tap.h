/* SPDX-License-Identifier: BSD-3-Clause */
/* tap.h - Test Anything Protocol for C tests, run by `prove`. Wanted comes before seen, everywhere.
 *
 * Each claim prints "ok N - <message>" or "not ok N - <message>" with wanted and seen as comments,
 * and returns 1 or 0. A test's main ends with `return tap_done();`. State is in one static struct,
 * the only one of the project's: a test program is one sequence of claims. */
#pragma once

/* A claim that holds or not. */
int ok(int holds, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Equal integers, equal strings (NULL allowed), numbers within a relative tolerance of wanted
 * (absolute where wanted is 0; NaN equals NaN). */
int is_int(long long wanted, long long seen, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int is_str(const char *wanted, const char *seen, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int is_near(double wanted, double seen, double tolerance, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* seen holds wanted as a part. */
int has_str(const char *wanted, const char *seen, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A claim that cannot be tested here, with the reason. */
void skip(const char *reason, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A remark. */
void diag(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints the plan; the exit status for main: 0 when all held. */
int tap_done(void);

/* Prints "1..0 # SKIP reason" and returns 0, for a main that cannot run here at all. */
int tap_skip_all(const char *reason);
