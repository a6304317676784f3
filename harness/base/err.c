/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"

/* Marks a message that was cut at the end of the buffer. */
static void mark_cut(struct err *err, size_t wanted)
{
    if (wanted >= sizeof err->text)
        memcpy(err->text + sizeof err->text - 4, "...", 4);
}

/* err NULL: nobody asks why. */
static void put(struct err *err, int status, const char *fmt, va_list args)
{
    if (!err)
        return;
    int n = vsnprintf(err->text, sizeof err->text, fmt, args);
    mark_cut(err, n < 0 ? 0 : (size_t)n);
    text_disarm(err->text); /* it quotes what stood in files and goes to a terminal */
    err->status = status;
}

int err_set(struct err *err, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put(err, EXIT_FAILED, fmt, args);
    va_end(args);
    return -1;
}

int err_usage(struct err *err, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put(err, EXIT_USAGE, fmt, args);
    va_end(args);
    return -1;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
    if (err) {
        struct err whole = { .status = err->status ? err->status : EXIT_FAILED };
        va_list args;
        va_start(args, fmt);
        put(&whole, whole.status, fmt, args);
        va_end(args);
        size_t used = strlen(whole.text);
        int n = snprintf(whole.text + used, sizeof whole.text - used, ": %s", err->text);
        mark_cut(&whole, used + (n < 0 ? 0 : (size_t)n));
        *err = whole;
    }
    return -1;
}

int err_replace(struct err *err, const char *from, const char *to)
{
    const char *at;
    for (size_t done = 0; err && (at = strstr(err->text + done, from));) {
        const struct err old = *err;
        const size_t before = (size_t)(at - err->text);
        err_set(err, "%.*s%s%s", (int)before, old.text, to, old.text + before + strlen(from));
        err->status = old.status;
        done = before + strlen(to) < strlen(err->text) ? before + strlen(to) : strlen(err->text);
    }
    return -1;
}

int err_errno(struct err *err, const char *fmt, ...)
{
    int saved = errno;
    if (err) {
        va_list args;
        va_start(args, fmt);
        put(err, EXIT_FAILED, fmt, args);
        va_end(args);
        size_t used = strlen(err->text);
        int n = snprintf(err->text + used, sizeof err->text - used, ": %s", strerror(saved));
        mark_cut(err, used + (n < 0 ? 0 : (size_t)n));
    }
    errno = saved;
    return -1;
}
