/* SPDX-License-Identifier: BSD-3-Clause */
/* number.h - strict conversion between text and numbers.
 *
 * Parsers take the whole string (no blanks, no sign where unsigned, no trailing junk), check range
 * with checked arithmetic, and return 0, or -1 with *err set and the result untouched. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/base/err.h"

/* Decimal integer. */
int parse_u64(const char *text, uint64_t *value, struct err *err);
int parse_i64(const char *text, int64_t *value, struct err *err);

/* Finite decimal number, C locale. */
int parse_f64(const char *text, double *value, struct err *err);

/* Bytes: digits, then nothing or one of K, M, G, T (powers of 1024), optionally followed by iB or
 * B. "8192", "8K", "8KiB". */
int parse_bytes(const char *text, uint64_t *bytes, struct err *err);

/* Seconds: a decimal number followed by ns, us, ms, s, min, h; a bare number is refused unless 0.
 */
int parse_seconds(const char *text, double *seconds, struct err *err);

/* Core-seconds, above 0: a decimal number followed by core-s, core-min or core-h. */
int parse_core_seconds(const char *text, double *core_s, struct err *err);

/* Bits per second: a decimal number followed by bps, kbps, Mbps, Gbps (powers of 1000). */
int parse_bits_per_s(const char *text, double *bits_per_s, struct err *err);

/* The word for one, or the one for any other number; plural: "s" unless there is one. */
const char *of_number(size_t n, const char *one, const char *many);
const char *plural(size_t n);
#define COUNTED(n) (n), plural(n) /* for "%zu cell%s" */

/* Writes e.g. "8 KiB", "4 MiB", "11585 B" (exact multiples only get a larger unit). Returns buf. */
const char *format_bytes(uint64_t bytes, char *buf, size_t size);

/* Writes a number rounded to three significant digits, one of four digits or more before the point
 * to an integer: "12.3", "1240". Returns buf. */
const char *format_plain(double number, char *buf, size_t size);

/* Writes 1 + pct / 100, how many times slower what takes pct % longer is: "1.004", "2.21", "12.3",
 * "<0.01". Returns buf. */
const char *format_times(double pct, char *buf, size_t size);

/* Writes core-seconds: "12.3 core-s", "1.5 core-h". Returns buf. */
const char *format_core_seconds(double core_s, char *buf, size_t size);

/* Writes seconds with three significant digits and a fitting unit: "12.3 us", "1.5 ms". Returns
 * buf. */
const char *format_seconds(double seconds, char *buf, size_t size);

/* 1 when from <= version < below (NULL: open), by the numbers between the dots; missing ones
 * are 0. Also 1 for a version that does not begin with a digit ("unknown"): it may be any. */
int version_within(const char *version, const char *from, const char *below);
