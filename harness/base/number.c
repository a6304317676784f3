/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    const char *name;
    double factor;
};

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits at the start of text; *end is the first other character. */
static int leading_u64(const char *text, uint64_t *value, const char **end)
{
    uint64_t v = 0;
    const char *p = text;
    for (; is_digit(*p); p++)
        if (__builtin_mul_overflow(v, 10u, &v) ||
            __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
            return -1;
    *end = p;
    *value = v;
    return p == text ? -1 : 0;
}

int parse_u64(const char *text, uint64_t *value, struct err *err)
{
    uint64_t v;
    const char *end;
    if (leading_u64(text, &v, &end) < 0 || *end)
        return err_set(err, "'%s' is not a whole number (want digits, at most 2^64-1)", text);
    *value = v;
    return 0;
}

int parse_i64(const char *text, int64_t *value, struct err *err)
{
    uint64_t v;
    const char *end;
    int negative = text[0] == '-';
    uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    if (leading_u64(text + negative, &v, &end) < 0 || *end || v > limit)
        return err_set(err, "'%s' is not a whole number (want digits, within 64 bits)", text);
    *value = negative ? (int64_t)(0 - v) : (int64_t)v;
    return 0;
}

/* A number of at most 15 digits and a small power of ten at the start of text: where it ends; NULL
 * for any other. Digits and power are exact as doubles, so one multiplication or division rounds
 * once, as strtod does (Clinger 1990). */
static const char *parse_few_digits(const char *text, double *value)
{
    enum { MOST_DIGITS = 15, MOST_POWER = 22 };
    static const double tens[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    const char *p = text + (*text == '-' || *text == '+'), *point = NULL;
    int64_t digits = 0;
    int n = 0, power = 0;
    for (; is_digit(*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = p;
            continue;
        }
        digits = 10 * digits + (*p - '0');
        power -= point != NULL;
        if (++n > MOST_DIGITS)
            return NULL;
    }
    if (n && (*p == 'e' || *p == 'E')) {
        const char *e = p + 1 + (p[1] == '-' || p[1] == '+');
        if (!is_digit(*e))
            return NULL;
        int tenfold = 0;
        for (; is_digit(*e) && tenfold < 1000; e++)
            tenfold = 10 * tenfold + (*e - '0');
        power += p[1] == '-' ? -tenfold : tenfold;
        p = e;
    }
    if (!n || power < -MOST_POWER || power > MOST_POWER)
        return NULL;
    const double whole = (double)digits;
    const double v = power < 0 ? whole / tens[-power] : whole * tens[power];
    *value = *text == '-' ? -v : v;
    return p;
}

/* A finite decimal number at the start of text: strtod's syntax less hex, inf, nan and blanks. */
static int leading_f64(const char *text, double *value, const char **end)
{
    const char *after = parse_few_digits(text, value);
    if (after) {
        *end = after;
        return 0;
    }
    size_t span = strspn(text, "+-.0123456789eE");
    char digits[64];
    if (!span || span >= sizeof digits)
        return -1;
    memcpy(digits, text, span);
    digits[span] = '\0';
    char *stop;
    errno = 0;
    double v = strtod(digits, &stop);
    if (stop == digits || !isfinite(v))
        return -1;
    *end = text + (stop - digits);
    *value = v;
    return 0;
}

int parse_f64(const char *text, double *value, struct err *err)
{
    double v;
    const char *end;
    if (leading_f64(text, &v, &end) < 0 || *end)
        return err_set(err, "'%s' is not a finite number", text);
    *value = v;
    return 0;
}

int parse_bytes(const char *text, uint64_t *bytes, struct err *err)
{
    static const char units[] = "KMGT";
    uint64_t v;
    const char *end;
    if (leading_u64(text, &v, &end) < 0)
        return is_digit(*text)
                   ? err_set(err, "'%s' is too large (want less than 2^64 bytes)", text)
                   : err_set(err, "'%s' is not a size (want digits, then nothing, K, M, G or T)",
                             text);
    const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    if (unit) {
        uint64_t factor = UINT64_C(1) << (10 * (unit - units + 1));
        end++;
        if (__builtin_mul_overflow(v, factor, &v))
            return err_set(err, "'%s' is too large (want less than 2^64 bytes)", text);
        if (strcmp(end, "iB") == 0)
            end += 2;
    }
    if (strcmp(end, "B") == 0)
        end++;
    if (*end)
        return err_set(err, "'%s' is not a size (want digits, then nothing, K, M, G or T)", text);
    *bytes = v;
    return 0;
}

static int parse_unit(const char *text, const struct unit *units, const char *wanted, double *value,
                      struct err *err)
{
    double v;
    const char *end;
    if (leading_f64(text, &v, &end) < 0 || v < 0)
        return err_set(err, "'%s' is not %s", text, wanted);
    while (*end == ' ')
        end++;
    for (const struct unit *u = units; u->name; u++) {
        if (strcmp(end, u->name) == 0 && isfinite(v * u->factor)) {
            *value = v * u->factor;
            return 0;
        }
    }
    if (v == 0 && *end == '\0') {
        *value = 0;
        return 0;
    }
    return err_set(err, "'%s' is not %s", text, wanted);
}

static const struct unit time_units[] = { { "ns", 1e-9 }, { "us", 1e-6 }, { "ms", 1e-3 },
                                          { "s", 1 },     { "min", 60 },  { "h", 3600 },
                                          { NULL, 0 } };
static const struct unit core_units[] = {
    { "core-s", 1 }, { "core-min", 60 }, { "core-h", 3600 }, { NULL, 0 }
};

/* Two things are called a budget: who gives the one for the other is told so. */
int parse_seconds(const char *text, double *seconds, struct err *err)
{
    double unused;
    if (parse_unit(text, core_units, "", &unused, NULL) == 0 && unused > 0)
        return err_set(err,
                       "'%s' is core time, and this is a duration (want a number, then ns, us, ms, "
                       "s, min or h; core time is for --budget and the study's core_budget)",
                       text);
    return parse_unit(text, time_units, "a duration (want a number, then ns, us, ms, s, min or h)",
                      seconds, err);
}

int parse_core_seconds(const char *text, double *core_s, struct err *err)
{
    double value;
    if (parse_unit(text, time_units, "", &value, NULL) == 0 && value > 0)
        return err_set(err,
                       "'%s' is a duration, and this is core time (want a number above 0, then "
                       "core-s, core-min or core-h; how long a point is measured is the study's "
                       "budget)",
                       text);
    if (parse_unit(text, core_units,
                   "a budget of core time (want a number above 0, then core-s, core-min or core-h)",
                   &value, err) < 0)
        return -1;
    if (!(value > 0))
        return err_set(err, "'%s' buys nothing (want a budget above 0, as 30core-h)", text);
    *core_s = value;
    return 0;
}

int parse_bits_per_s(const char *text, double *bits_per_s, struct err *err)
{
    static const struct unit units[] = {
        { "bps", 1 }, { "kbps", 1e3 }, { "Mbps", 1e6 }, { "Gbps", 1e9 }, { NULL, 0 }
    };
    return parse_unit(text, units, "a rate (want a number, then bps, kbps, Mbps or Gbps)",
                      bits_per_s, err);
}

const char *of_number(size_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

const char *plural(size_t n)
{
    return of_number(n, "", "s");
}

const char *format_bytes(uint64_t bytes, char *buf, size_t size)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    size_t u = 0;
    while (u < 4 && bytes && bytes % 1024 == 0) {
        bytes /= 1024;
        u++;
    }
    snprintf(buf, size, "%llu %s", (unsigned long long)bytes, units[u]);
    return buf;
}

const char *format_core_seconds(double core_s, char *buf, size_t size)
{
    const int hours = core_s >= 3600, minutes = !hours && core_s >= 60;
    snprintf(buf, size, "%.3g core-%s",
             core_s / (hours     ? 3600
                       : minutes ? 60
                                 : 1),
             hours     ? "h"
             : minutes ? "min"
                       : "s");
    return buf;
}

const char *format_plain(double number, char *buf, size_t size)
{
    snprintf(buf, size, fabs(number) < 999.5 ? "%.3g" : "%.0f", number);
    return buf;
}

const char *format_times(double pct, char *buf, size_t size)
{
    const double times = 1 + pct / 100;
    snprintf(buf, size,
             times < 0.005                    ? "<0.01"
             : pct != 0 && fabs(pct) < 0.0501 ? (pct > 0 ? "<1.001" : ">0.999")
                                              : "%.*f",
             pct != 0 && fabs(pct) < 0.95 ? 3
             : times < 9.995              ? 2
                                          : times < 99.95,
             times);
    return buf;
}

const char *format_seconds(double seconds, char *buf, size_t size)
{
    static const struct unit units[] = {
        { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 }
    };
    double whole = fabs(seconds);
    size_t u = 0;
    while (u < 3 && whole > 0 && whole < 0.9995 * units[u].factor) /* 999.7 us is shown as 1 ms */
        u++;
    snprintf(buf, size, whole < 999.5 ? "%.3g %s" : "%.0f %s", seconds / units[u].factor,
             units[u].name);
    return buf;
}

/* "4.1" before "4.1.4" before "4.10": by numbers, missing ones are 0. */
static int compare_versions(const char *a, const char *b)
{
    while (*a || *b) {
        char *a_end, *b_end;
        const long x = strtol(a, &a_end, 10), y = strtol(b, &b_end, 10);
        if (x != y)
            return x < y ? -1 : 1;
        a = *a_end == '.' ? a_end + 1 : "";
        b = *b_end == '.' ? b_end + 1 : "";
    }
    return 0;
}

int version_within(const char *version, const char *from, const char *below)
{
    if (version[0] < '0' || version[0] > '9')
        return 1;
    return (!from || compare_versions(from, version) <= 0) &&
           (!below || compare_versions(version, below) < 0);
}
