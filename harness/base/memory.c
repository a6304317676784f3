/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "harness/base/err.h"

void memory_ends_as(const char *why)
{
    const struct iovec text[] = { { "collsel: ", 9 }, { (char *)why, strlen(why) }, { "\n", 1 } };
    if (writev(STDERR_FILENO, text, 3) < 0)
        _exit(EXIT_FAILED); /* nobody hears it */
    _exit(EXIT_FAILED);
}

void memory_ends(void)
{
    memory_ends_as("out of memory");
}

void *memory_zeros(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) /* a sanitizer's calloc ends in its own way */
        memory_ends();
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (!p)
        memory_ends();
    return p;
}

void *memory_resize(void *old, size_t n, size_t size)
{
    void *p = reallocarray(old, n ? n : 1, size ? size : 1);
    if (!p)
        memory_ends();
    return p;
}

char *memory_text(const char *text)
{
    char *p = strdup(text);
    if (!p)
        memory_ends();
    return p;
}

char memory_last[1];

void memory_free_each(void **first)
{
    for (; *first != memory_last; first++)
        free(*first);
}

char *memory_print(const char *fmt, va_list args)
{
    char *p = NULL;
    if (vasprintf(&p, fmt, args) < 0)
        memory_ends();
    return p;
}

char *memory_text_of(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *p = memory_print(fmt, args);
    va_end(args);
    return p;
}

FILE *memory_stream(char **text, size_t *size)
{
    FILE *f = open_memstream(text, size);
    if (!f)
        memory_ends();
    return f;
}
