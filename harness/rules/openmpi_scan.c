/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/rules/openmpi_scan.h"

void scan_begin(struct scan *s, char *text, size_t len, struct rules_findings *found)
{
    *s = (struct scan){ .text = text, .len = len, .found = found, .line = 1 };
    s->in = fmemopen(text, len ? len : 1, "rb");
    if (!s->in)
        memory_ends();
}

/* The line on which a place of the text is; places come in order. */
static int line_at(struct scan *s, size_t at)
{
    for (; s->seen < at && s->seen < s->len; s->seen++)
        s->lines += s->text[s->seen] == '\n';
    return s->lines + 1;
}

/* Something was read up to here. */
static void stand(struct scan *s)
{
    s->behind = (size_t)ftell(s->in);
    s->line = line_at(s, s->behind);
}

/* Nothing more is there; 0. */
static int end(struct scan *s)
{
    s->line = line_at(s, s->len);
    return 0;
}

static void skip_comment(struct scan *s)
{
    int c;
    do
        c = fgetc(s->in);
    while (c != EOF && c != '\n');
}

/* A character that is part of no number and no comment. */
static void note_strange(struct scan *s, int c, size_t at)
{
    const int line = line_at(s, at);
    if (line == s->strange)
        return;
    s->strange = line;
    rules_find(s->found, RULES_WARNING, "ignored", line,
               "'%c' is no number and no comment: the reader steps over it, one character at a "
               "time, and takes any number behind it for one of the rules",
               c >= ' ' && c < 127 ? c : '?');
}

/* Steps over what is no number. */
static void step(struct scan *s)
{
    const long at = ftell(s->in);
    const int c = fgetc(s->in);
    if (c == '#')
        skip_comment(s);
    else if (c != EOF)
        note_strange(s, c, (size_t)at);
}

/* A number as it stands in the text: scanf reads 010 as 8. */
static void note_base(struct scan *s, long value)
{
    size_t at = s->behind;
    char word[32];
    while (at > 0 && strchr("0123456789abcdefABCDEFxX+-", s->text[at - 1]))
        at--;
    at += s->text[at] == '+' || s->text[at] == '-';
    snprintf(word, sizeof word, "%.*s", (int)(s->behind - at), s->text + at);
    if (s->text[at] != '0' || strtol(word, NULL, 10) == (value < 0 ? -value : value))
        return;
    rules_find(s->found, RULES_WARNING, "octal", s->line, "'%s' is read as %ld", word, value);
}

int scan_number(struct scan *s, long *value)
{
    int got;
    while ((got = fscanf(s->in, "%li", value)) == 0)
        step(s);
    if (got == EOF)
        return end(s);
    stand(s);
    note_base(s, *value);
    return 1;
}

int scan_size(struct scan *s, uint64_t *value)
{
    int got;
    while ((got = fscanf(s->in, "%" SCNu64, value)) == 0)
        step(s);
    if (got == EOF)
        return end(s);
    stand(s);
    return 1;
}

int scan_word(struct scan *s, char word[SCAN_WORD])
{
    while (fscanf(s->in, "%32s", word) == 1) {
        if (*word == '#') {
            skip_comment(s);
            continue;
        }
        stand(s);
        return 1;
    }
    return end(s);
}

int scan_character(struct scan *s, int wanted)
{
    int c;
    while ((c = fgetc(s->in)) != EOF) {
        if (c == '#')
            skip_comment(s);
        else if (c == wanted)
            return 1;
        else if (c != '\n' && !isblank(c)) {
            ungetc(c, s->in);
            return 0;
        }
    }
    return -1;
}
