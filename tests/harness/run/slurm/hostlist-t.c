/* SPDX-License-Identifier: BSD-3-Clause */
/* Slurm's lists of hosts, and malformed ones. The good ones are as `scontrol show hostnames` of
 * Slurm 22.05.8 prints them, but those with something behind a bracket, which it refuses. */
#include <stdlib.h>
#include <string.h>

#include "harness/run/slurm/slurm.h"
#include "tests/tap.h"

enum { MOST = 2000 };

/* The names of a list with commas between them; the error's text when there are none. */
static const char *expand(const char *list, size_t most)
{
    static char text[MOST * 8];
    static char names[MOST][NODE_SIZE];
    struct err err = { 0 };
    size_t used = 0;
    long n = slurm_hosts(list, names, most, &err);
    text[0] = '\0';
    if (n < 0)
        snprintf(text, sizeof text, "%s", err.text);
    for (long i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? "," : "", names[i]);
    return text;
}

static void test_good(void)
{
    static const struct {
        const char *list, *names;
    } cases[] = {
        { "", "" },
        { "h3", "h3" },
        { "h1,h3", "h1,h3" },
        { "n[1-3,007-009],m5", "n1,n2,n3,n007,n008,n009,m5" },
        { "n[8-11]", "n8,n9,n10,n11" },
        { "n[08-11]", "n08,n09,n10,n11" },
        { "n[098-101]", "n098,n099,n100,n101" },
        { "r[1-2]n[1-2]", "r1n1,r1n2,r2n1,r2n2" },
        { "r[1-2]n[1,3]-ib,x", "r1n1-ib,r1n3-ib,r2n1-ib,r2n3-ib,x" },
        { "gros-[7].nancy,gros-9", "gros-7.nancy,gros-9" },
        { "n[3,1,1]", "n3,n1,n1" },
        { "[1-2]", "1,2" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_str(cases[i].names, expand(cases[i].list, MOST), "'%s' is '%s'", cases[i].list,
               cases[i].names);
}

static void test_bad(void)
{
    static const struct {
        const char *list, *why;
    } cases[] = {
        { ",", "an empty name" },
        { "h1,", "an empty name" },
        { "h1,,h2", "an empty name" },
        { "h[", "a bracket is not closed" },
        { "h[1-3", "a bracket is not closed" },
        { "h[1-3,h4", "a bracket is not closed" },
        { "h[]", "a number is missing" },
        { "h[1-]", "a number is missing" },
        { "h[-3]", "a number is missing" },
        { "h[1,]", "a number is missing" },
        { "h[a-b]", "a number is missing" },
        { "h[1-2-3]", "want numbers" },
        { "h[1 -2]", "want numbers" },
        { "h[3-1]", "a range runs backwards" },
        { "h[1234567890]", "a number is too long" },
        { "h]", "a character that no name has" },
        { "h1 h2", "a character that no name has" },
        { "(null)", "a character that no name has" },
        { "h[[1-2]]", "a number is missing" },
        { "a[1]b[1]c[1]d[1]e[1]f[1]g[1]h[1]i[1]", "too many brackets" },
        { "a23456789012345678901234567890123456789012345678901234567890123[1]",
          "a name is too long" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        has_str(cases[i].why, expand(cases[i].list, MOST), "'%s' is refused: %s", cases[i].list,
                cases[i].why);
}

static void test_bounds(void)
{
    char longest[NODE_SIZE + 1];
    memset(longest, 'a', sizeof longest);
    longest[NODE_SIZE - 1] = '\0';
    is_str(longest, expand(longest, 1), "a name of %d characters fits", NODE_SIZE - 1);
    longest[NODE_SIZE - 1] = 'a';
    longest[NODE_SIZE] = '\0';
    has_str("a name is too long", expand(longest, 1), "one more does not");
    is_str("h1,h2,h3", expand("h[1-3]", 3), "as many as there is room for");
    has_str("more hosts than the 2", expand("h[1-3]", 2), "one more is refused");
    has_str("more hosts than the 2000", expand("h[0-999999999]", MOST),
            "a range without end is refused before it is expanded");
    has_str("more hosts than the 0", expand("h1", 0), "no room at all");
}

int main(void)
{
    test_good();
    test_bad();
    test_bounds();
    return tap_done();
}
