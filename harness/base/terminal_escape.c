/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/terminal_escape.h"

struct terminal_escape {
    FILE *to;
    unsigned char before; /* the last byte that came: of UTF-8 two may be one control character */
};

static int is_control(unsigned char before, unsigned char c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ||
           (before == 0xc2 && c >= 0x80 && c <= 0x9f);
}

static ssize_t hand_on(void *cookie, const char *text, size_t n)
{
    struct terminal_escape *d = cookie;
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];
        const int control = is_control(d->before, c);
        d->before = c;
        if (putc(control ? '?' : c, d->to) == EOF)
            return 0;
    }
    fflush(d->to);
    return (ssize_t)n;
}

/* argp ends the program while the stream is open, so nothing of it is allocated here. */
static struct terminal_escape only;

FILE *terminal_escape_stream(FILE *to)
{
    const cookie_io_functions_t does = { .write = hand_on };
    only = (struct terminal_escape){ .to = to };
    FILE *out = fopencookie(&only, "w", does);
    if (out)
        setvbuf(out, NULL, _IOLBF, 0);
    return out;
}
