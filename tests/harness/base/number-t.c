/* SPDX-License-Identifier: BSD-3-Clause */
/* number: every parser at its limits (zero, largest, one past, empty, sign, junk). */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/number.h"
#include "harness/base/rng.h"
#include "harness/base/text.h"
#include "tests/tap.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct whole_row {
    const char *text;
    int ret;
    uint64_t value;
};

static const struct whole_row u64_rows[] = {
    { "0", 0, 0 },
    { "007", 0, 7 },
    { "18446744073709551615", 0, UINT64_MAX },
    { "000018446744073709551615", 0, UINT64_MAX },
    { "18446744073709551616", -1, 0 }, /* 2^64 */
    { "99999999999999999999", -1, 0 },
    { "", -1, 0 },
    { "-1", -1, 0 },
    { "-0", -1, 0 },
    { "+1", -1, 0 },
    { " 1", -1, 0 },
    { "1 ", -1, 0 },
    { "1\n", -1, 0 },
    { "0x10", -1, 0 },
    { "1e3", -1, 0 },
    { "1.0", -1, 0 },
    { "8K", -1, 0 },
};

static const struct whole_row bytes_rows[] = {
    { "0", 0, 0 },
    { "0T", 0, 0 },
    { "1", 0, 1 },
    { "8192", 0, 8192 },
    { "8192B", 0, 8192 },
    { "8K", 0, 8192 },
    { "8KB", 0, 8192 },
    { "8KiB", 0, 8192 },
    { "4M", 0, UINT64_C(4) << 20 },
    { "4MiB", 0, UINT64_C(4) << 20 },
    { "1G", 0, UINT64_C(1) << 30 },
    { "1TiB", 0, UINT64_C(1) << 40 },
    { "18446744073709551615", 0, UINT64_MAX },
    { "18446744073709551616", -1, 0 },
    { "17179869183G", 0, UINT64_C(17179869183) << 30 },
    { "17179869184G", -1, 0 }, /* exactly 2^64 */
    { "16777215T", 0, UINT64_C(16777215) << 40 },
    { "16777216T", -1, 0 },
    { "", -1, 0 },
    { "K", -1, 0 },
    { "B", -1, 0 },
    { "8Q", -1, 0 },
    { "8k", 0, 8192 },
    { "8192B", 0, 8192 },
    { "8kk", -1, 0 },
    { "8Ki", -1, 0 },
    { "8iB", -1, 0 },
    { "8KiBs", -1, 0 },
    { "8BB", -1, 0 },
    { "8 K", -1, 0 },
    { "-8K", -1, 0 },
    { "+8K", -1, 0 },
    { "1.5K", -1, 0 },
    { "8P", -1, 0 },
};

static void test_whole(const char *name, int (*parse)(const char *, uint64_t *, struct err *),
                       const struct whole_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t value = 4242;
        struct err err = { 0 };
        int ret = parse(rows[i].text, &value, &err);
        uint64_t wanted = rows[i].ret == 0 ? rows[i].value : 4242;
        ok(ret == rows[i].ret && value == wanted, "%s '%s' %s", name, rows[i].text,
           rows[i].ret == 0 ? "is read" : "is refused and leaves the result alone");
        if (ret != rows[i].ret || value != wanted)
            diag("wanted %d, %llu; seen %d, %llu", rows[i].ret, (unsigned long long)wanted, ret,
                 (unsigned long long)value);
        char quoted[64]; /* without control characters */
        snprintf(quoted, sizeof quoted, "%s", rows[i].text);
        if (ret < 0)
            has_str(text_disarm(quoted), err.text, "and the message quotes '%s'", quoted);
    }
}

static void test_i64(void)
{
    static const struct {
        const char *text;
        int ret;
        int64_t value;
    } rows[] = {
        { "0", 0, 0 },
        { "-0", 0, 0 },
        { "-1", 0, -1 },
        { "9223372036854775807", 0, INT64_MAX },
        { "9223372036854775808", -1, 0 },
        { "-9223372036854775808", 0, INT64_MIN },
        { "-9223372036854775809", -1, 0 },
        { "18446744073709551616", -1, 0 },
        { "-18446744073709551616", -1, 0 },
        { "", -1, 0 },
        { "-", -1, 0 },
        { "--1", -1, 0 },
        { "+1", -1, 0 },
        { "-1x", -1, 0 },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t value = 4242;
        int ret = parse_i64(rows[i].text, &value, NULL);
        ok(ret == rows[i].ret && value == (ret == 0 ? rows[i].value : 4242), "i64 '%s' %s",
           rows[i].text, rows[i].ret == 0 ? "is read" : "is refused");
    }
}

struct real_row {
    const char *text;
    int ret;
    double value;
};

static const struct real_row f64_rows[] = {
    { "0", 0, 0 },
    { "-0.0", 0, 0 },
    { "1", 0, 1 },
    { "-1.5", 0, -1.5 },
    { "+1.5", 0, 1.5 },
    { ".5", 0, 0.5 },
    { "5.", 0, 5 },
    { "1e-9", 0, 1e-9 },
    { "1E+9", 0, 1e9 },
    { "1.7976931348623157e308", 0, 1.7976931348623157e308 },
    { "1.8e308", -1, 0 },
    { "-1.8e308", -1, 0 },
    { "4.9406564584124654e-324", 0, 4.9406564584124654e-324 },
    { "0.12345678901234567890123456789012345678901234567890123456789", 0, 0.12345678901234568 },
    { "", -1, 0 },
    { ".", -1, 0 },
    { "e5", -1, 0 },
    { "1e", -1, 0 },
    { "1e+", -1, 0 },
    { "-", -1, 0 },
    { "--1", -1, 0 },
    { "1-", -1, 0 },
    { " 1", -1, 0 },
    { "1 ", -1, 0 },
    { "nan", -1, 0 },
    { "inf", -1, 0 },
    { "-inf", -1, 0 },
    { "0x1p3", -1, 0 },
    { "1,5", -1, 0 },
    { "1.2.3", -1, 0 },
};

static const struct real_row seconds_rows[] = {
    { "0", 0, 0 },          { "0s", 0, 0 },       { "25us", 0, 25e-6 },    { "25 us", 0, 25e-6 },
    { "1.5ms", 0, 1.5e-3 }, { "1e3ns", 0, 1e-6 }, { "2min", 0, 120 },      { "1h", 0, 3600 },
    { "1e308s", 0, 1e308 }, { "1e308h", -1, 0 }, /* not finite after the unit */
    { "", -1, 0 },          { "5", -1, 0 },       { "-5us", -1, 0 },       { "-0", 0, 0 },
    { "5 ", -1, 0 },        { "us", -1, 0 },      { "5 min utes", -1, 0 }, { "5US", -1, 0 },
    { "5us ", -1, 0 },      { " 5us", -1, 0 },    { "5m", -1, 0 },
};

static const struct real_row rate_rows[] = {
    { "0", 0, 0 },          { "100Mbps", 0, 1e8 },  { "10 Gbps", 0, 1e10 }, { "2.5Gbps", 0, 2.5e9 },
    { "9600bps", 0, 9600 }, { "64kbps", 0, 64000 }, { "1e300Gbps", -1, 0 }, { "10", -1, 0 },
    { "10Gb", -1, 0 },      { "10GBps", -1, 0 },    { "10gbps", -1, 0 },    { "-10Gbps", -1, 0 },
    { "", -1, 0 },
};

static void test_real(const char *name, int (*parse)(const char *, double *, struct err *),
                      const struct real_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double value = 4242;
        struct err err = { 0 };
        int ret = parse(rows[i].text, &value, &err);
        double wanted = rows[i].ret == 0 ? rows[i].value : 4242;
        ok(ret == rows[i].ret, "%s '%s' %s", name, rows[i].text,
           rows[i].ret == 0 ? "is read" : "is refused");
        is_near(wanted, value, 4e-16, "  and gives the value, or leaves it alone");
    }
}

static void test_format(void)
{
    char buf[32];
    static const struct {
        uint64_t bytes;
        const char *text;
    } sizes[] = {
        { 0, "0 B" },
        { 1, "1 B" },
        { 1023, "1023 B" },
        { 1024, "1 KiB" },
        { 1025, "1025 B" },
        { 11585, "11585 B" },
        { 8192, "8 KiB" },
        { 4194304, "4 MiB" },
        { UINT64_C(3) << 40, "3 TiB" },
        { UINT64_C(1) << 50, "1024 TiB" },
        { UINT64_MAX, "18446744073709551615 B" },
    };
    for (size_t i = 0; i < COUNT(sizes); i++) {
        uint64_t back = 1;
        is_str(sizes[i].text, format_bytes(sizes[i].bytes, buf, sizeof buf), "%llu bytes are '%s'",
               (unsigned long long)sizes[i].bytes, sizes[i].text);
        char *blank = strchr(buf, ' ');
        memmove(blank, blank + 1, strlen(blank));
        ok(parse_bytes(buf, &back, NULL) == 0 && back == sizes[i].bytes, "  and '%s' reads back",
           buf);
    }
    static const struct {
        double seconds;
        const char *text;
    } times[] = {
        { 0, "0 s" },         { 1, "1 s" },          { 1.5e-3, "1.5 ms" }, { 12.34e-6, "12.3 us" },
        { 5e-9, "5 ns" },     { 5e-12, "0.005 ns" }, { 0.99996, "1 s" },   { 0.9994e-3, "999 us" },
        { 999.7e-6, "1 ms" }, { -2e-3, "-2 ms" },    { 3600, "3600 s" },   { 123456, "123456 s" },
        { NAN, "nan s" },     { 999.9e-9, "1 us" },
    };
    for (size_t i = 0; i < COUNT(times); i++)
        is_str(times[i].text, format_seconds(times[i].seconds, buf, sizeof buf), "%g s is '%s'",
               times[i].seconds, times[i].text);
}

/* Whatever way a number is read, it is the double that strtod says. */
/* What is not 1 is not said to be 1. */
static void test_times(void)
{
    const struct {
        double pct;
        const char *text;
    } rows[] = { { 0, "1.00" },      { 0.004, "<1.001" }, { -0.004, ">0.999" }, { 0.06, "1.001" },
                 { -0.06, "0.999" }, { 1, "1.01" },       { 850, "9.50" },      { 900, "10.0" } };
    char buf[32];
    for (size_t i = 0; i < COUNT(rows); i++)
        is_str(rows[i].text, format_times(rows[i].pct, buf, sizeof buf), "%g %% are '%s' times",
               rows[i].pct, rows[i].text);
}

static void test_as_strtod(void)
{
    static const char *const forms[] = { "%.9g", "%.17g", "%g", "%.3e", "%.6f", "%.15g", "+%.9g" };
    struct rng rng;
    int same = 0, n = 0;
    rng_init(&rng, 7);
    for (int i = 0; i < 20000; i++) {
        char text[400];
        double v = 0;
        const double x = ldexp(rng_unit(&rng) - (i % 3 == 0) / 2., (int)rng_below(&rng, 160) - 80);
        snprintf(text, sizeof text, forms[i % COUNT(forms)], i % COUNT(forms) == 6 ? fabs(x) : x);
        if (strlen(text) >= 64)
            continue;
        n++;
        same += parse_f64(text, &v, NULL) == 0 && v == strtod(text, NULL) &&
                signbit(v) == signbit(strtod(text, NULL));
    }
    is_int(n, same, "numbers are read as strtod reads them");
}

int main(void)
{
    test_as_strtod();
    test_times();
    test_whole("u64", parse_u64, u64_rows, COUNT(u64_rows));
    test_whole("bytes", parse_bytes, bytes_rows, COUNT(bytes_rows));
    test_i64();
    test_real("f64", parse_f64, f64_rows, COUNT(f64_rows));
    test_real("seconds", parse_seconds, seconds_rows, COUNT(seconds_rows));
    test_real("rate", parse_bits_per_s, rate_rows, COUNT(rate_rows));
    test_format();
    return tap_done();
}
