/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/source_text.h"

#include <strings.h>

/* UTF-16 to bytes, in place; what is not ASCII becomes '?'. big: the mark was FE FF. */
static size_t narrow(char *data, size_t len, int big)
{
    const unsigned char *u = (const unsigned char *)data;
    size_t n = 0;
    for (size_t i = 2; i + 1 < len; i += 2) {
        const unsigned high = u[i + !big], low = u[i + big];
        data[n++] = high || low > 0x7e ? '?' : (char)low;
    }
    if (len % 2)
        data[n++] = '?';
    return n;
}

static void decode(struct text *t)
{
    const unsigned char *u = (const unsigned char *)t->data;
    t->encoding = "";
    if (t->len >= 2 && ((u[0] == 0xff && u[1] == 0xfe) || (u[0] == 0xfe && u[1] == 0xff))) {
        t->encoding = "UTF-16";
        t->len = narrow(t->data, t->len, u[0] == 0xfe);
    } else if (t->len >= 3 && memcmp(u, "\xef\xbb\xbf", 3) == 0) {
        t->encoding = "UTF-8 with a mark";
        t->len -= 3;
        memmove(t->data, t->data + 3, t->len);
    }
    t->data[t->len] = '\0';
    t->end = memchr(t->data, '\n', t->len) ? '\n' : '\r';
}

/* Takes over len bytes (malloc'ed, with room for one more). */
static void text_take(struct text *text, char *data, size_t len)
{
    *text = (struct text){ .data = data, .len = len, .bytes = len, .encoding = "" };
    text->digest = fs_digest(data, len);
    decode(text);
}

int text_open(struct text *text, const char *path, struct err *err)
{
    size_t len;
    char *data = fs_read(path, &len, err);
    *text = (struct text){ .encoding = "" };
    if (!data)
        return -1;
    text_take(text, data, len);
    return 0;
}

/* Bytes of the UTF-8 character at s, 0: none begins there. */
static size_t character(const unsigned char *s, size_t left)
{
    const size_t n = *s < 0x80                 ? 1
                     : *s >= 0xf0 && *s < 0xf5 ? 4
                     : *s >= 0xe0 && *s < 0xf0 ? 3
                     : *s >= 0xc2 && *s < 0xe0 ? 2
                                               : 0;
    if (n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

static int is_unreadable(const char *text, size_t len)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t i = 0, n; i < len; i += n) {
        n = character(s + i, len - i);
        if (!n || (s[i] < 0x20 && s[i] != '\t') || s[i] == 0x7f)
            return 1;
    }
    return 0;
}

int text_next(struct text *text, struct line *line)
{
    if (text->at >= text->len)
        return 0;
    char *begin = text->data + text->at;
    char *end = memchr(begin, text->end, text->len - text->at);
    size_t len = end ? (size_t)(end - begin) : text->len - text->at;
    text->at += len + (end != NULL);
    while (len && text->end == '\n' && begin[len - 1] == '\r')
        len--;
    begin[len] = '\0';
    *line = (struct line){ .text = begin,
                           .len = len,
                           .number = ++text->lines,
                           .unended = !end,
                           .unreadable = is_unreadable(begin, len) };
    return 1;
}

const char *text_head(const struct text *text, char *buf, size_t size)
{
    const size_t n = text->len < size - 1 ? text->len : size - 1;
    memcpy(buf, text->data, n);
    buf[n] = '\0';
    return buf;
}

CLEARS(text_close, text, it->data)

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static char *skip_blanks(char *s, char separator)
{
    while (is_blank(*s) && *s != separator)
        s++;
    return s;
}

/* Cuts blanks off the end of the field that ends at end. */
static void cut_blanks(char *begin, char *end)
{
    while (end > begin && is_blank(end[-1]))
        end--;
    *end = '\0';
}

/* Takes the quotes off a field in place; the place behind the closing one, NULL: there is none. */
static char *unquote(char *s)
{
    char *to = s, *from = s + 1;
    for (; *from && (*from != '"' || from[1] == '"'); from++) {
        from += *from == '"';
        *to++ = *from;
    }
    if (!*from)
        return NULL;
    *to = '\0';
    return from + 1;
}

size_t split_separated(char *line, char separator, char **field, size_t most)
{
    size_t n = 0;
    for (char *s = line;;) {
        s = skip_blanks(s, separator);
        char *begin = s;
        int quoted = *s == '"';
        if (quoted && !(s = unquote(s)))
            return (size_t)-1;
        while (*s && *s != separator)
            s++;
        const int more = *s != '\0';
        if (!quoted)
            cut_blanks(begin, s);
        if (n < most)
            field[n] = begin;
        n++;
        if (!more)
            return n;
        *s++ = '\0';
    }
}

size_t split_blanks(char *line, char **field, size_t most)
{
    size_t n = 0;
    for (char *s = line;;) {
        while (is_blank(*s))
            *s++ = '\0';
        if (!*s)
            return n;
        if (n < most)
            field[n] = s;
        n++;
        while (*s && !is_blank(*s))
            s++;
    }
}

char find_separator(const char *line)
{
    static const char known[] = ",;\t";
    size_t count[3] = { 0 }, best = 0;
    for (; *line; line++)
        for (size_t k = 0; k < 3; k++)
            count[k] += *line == known[k];
    for (size_t k = 1; k < 3; k++)
        if (count[k] > count[best])
            best = k;
    return known[best];
}

int same_word(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}
