/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/text.h"

#include <string.h>

static int is_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

int text_is_plain(const char *text, const char *more)
{
    for (; *text; text++)
        if (!is_letter_or_digit(*text) && !strchr(more, *text))
            return 0;
    return 1;
}

int text_is_name(const char *text)
{
    const size_t len = strlen(text);
    return len > 0 && len < 64 && text_is_plain(text, "_-.") && !strchr(".-", *text);
}

char *text_disarm(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p; p++) {
        const int c1 = p[0] == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f;
        if (*p < ' ' || *p == 0x7f || c1)
            *p = '?';
        if (c1)
            p[1] = '?';
    }
    return text;
}
