/* SPDX-License-Identifier: BSD-3-Clause */
/* err: messages gather context, never overflow, and keep the status of where they began. */
#include <errno.h>
#include <string.h>

#include "harness/base/err.h"
#include "tests/tap.h"

static void test_context(void)
{
    struct err err = { 0 };
    is_int(-1, err_set(&err, "'%s' is not a size", "8Q"), "err_set returns -1");
    is_int(-1, err_prefix(&err, "%s:%d", "gros.ini", 14), "err_prefix returns -1");
    is_str("gros.ini:14: '8Q' is not a size", err.text,
           "the outer context stands before the inner");
    is_int(EXIT_FAILED, err.status, "err_set means that the work failed");
    err_usage(&err, "no such option");
    err_prefix(&err, "collsel");
    is_int(EXIT_USAGE, err.status, "a usage error stays one under a prefix");
    is_str("collsel: no such option", err.text, "a new error replaces the old one");
    struct err none = { 0 };
    err_prefix(&none, "somewhere");
    is_int(EXIT_FAILED, none.status, "a prefix alone is a failure");
}

static void test_replace(void)
{
    struct err err = { 0 };
    err_usage(&err, "cannot write 'a.7.tmp': a.7.tmp is no file");
    is_int(-1, err_replace(&err, "a.7.tmp", "a"), "err_replace returns -1");
    is_str("cannot write 'a': a is no file", err.text,
           "each temporary name gives way to the file's own");
    is_int(EXIT_USAGE, err.status, "and the status stays");
    err_replace(&err, "a", "aa");
    is_str("caannot write 'aa': aa is no file", err.text,
           "what is put there is not replaced again");
    err_replace(&err, "elsewhere", "b");
    is_str("caannot write 'aa': aa is no file", err.text, "what is not there is not replaced");
}

static void test_errno(void)
{
    struct err err = { 0 };
    errno = ENOENT;
    is_int(-1, err_errno(&err, "cannot open '%s'", "x"), "err_errno returns -1");
    is_str("cannot open 'x': No such file or directory", err.text, "err_errno adds the reason");
    is_int(ENOENT, errno, "err_errno keeps errno");
}

static void test_cut(void)
{
    char longest[2 * sizeof((struct err *)0)->text];
    size_t room = sizeof((struct err *)0)->text - 1;
    struct err err = { 0 };
    memset(longest, 'a', sizeof longest);

    longest[room] = '\0';
    err_set(&err, "%s", longest);
    is_str(longest, err.text, "a message of exactly %zu characters is kept whole", room);
    longest[room] = 'a';
    longest[room + 1] = '\0';
    err_set(&err, "%s", longest);
    is_int((long long)room, (long long)strlen(err.text), "one more is cut to the room there is");
    is_str("aaa...", err.text + room - 6, "and the cut shows");
    err_set(&err, "short");
    longest[room + 1] = 'a';
    longest[sizeof longest - 1] = '\0';
    err_prefix(&err, "%s", longest);
    is_str("...", err.text + room - 3, "a prefix that leaves no room is cut and shows it");
    err_set(&err, "%s", "inner");
    longest[room - 3] = '\0';
    err_prefix(&err, "%s", longest);
    is_int((long long)room, (long long)strlen(err.text),
           "a message that the prefix pushes out is cut");
    is_str("...", err.text + room - 3, "and shows it");
    errno = ENOENT;
    err_errno(&err, "%s", longest);
    is_str("...", err.text + room - 3, "a reason that does not fit shows it");
}

static void test_null(void)
{
    is_int(-1, err_set(NULL, "x"), "err_set without a place to write returns -1");
    is_int(-1, err_usage(NULL, "x"), "so does err_usage");
    is_int(-1, err_prefix(NULL, "x"), "so does err_prefix");
    is_int(-1, err_errno(NULL, "x"), "so does err_errno");
}

int main(void)
{
    test_context();
    test_replace();
    test_errno();
    test_cut();
    test_null();
    return tap_done();
}
