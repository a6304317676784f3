/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/svg.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "reports/table.h"

/* What gnuplot writes, and what stands in its place: "@" is the figure's own prefix, so that ids of
 * several figures in one page differ. The others say what holds anyway, or nothing, or the same in
 * fewer characters. */
static const struct {
    const char *from, *to;
} words[] = {
    { " id='", " id='@" },
    { " id=\"", " id=\"@" },
    { "xlink:href='#", "href='#@" },
    { " stroke-linecap=\"butt\"", "" },
    { " stroke-linejoin=\"miter\"", "" },
    { " font-family=\"sans-serif\"", "" }, /* page.css has the font */
    { "<g fill=\"none\" color=\"black\" stroke=\"currentColor\"", "<g class=\"l\"" }, /* page.css */
    { " fill = '", " fill='" },
    { " points = '", " points='" },
    { "  '/>", "'/>" },
    { " '/>", "'/>" },
    { "\n\t", "" },
};

/* Writes a word; how long it is where it stood. 0: none begins here. */
static size_t put_word(FILE *out, const char *p, size_t number)
{
    size_t k = 0;
    while (k < sizeof words / sizeof *words &&
           strncmp(p, words[k].from, strlen(words[k].from)) != 0)
        k++;
    if (k == sizeof words / sizeof *words)
        return 0;
    for (const char *to = words[k].to; *to; to++)
        if (*to == '@')
            fprintf(out, "f%zu-", number);
        else
            fputc(*to, out);
    return strlen(words[k].from);
}

/* How long what is not seen is that begins here: a group with nothing in it, or a title, which
 * browsers show at the pointer. 0: none. */
static size_t unseen(const char *p)
{
    static const char title[] = "<title>", title_end[] = "</title>", end[] = "</g>";
    if (strncmp(p, title, strlen(title)) == 0) {
        const char *last = strstr(p, title_end);
        return last ? (size_t)(last - p) + strlen(title_end) : 0;
    }
    if (strncmp(p, "<g ", 3) != 0)
        return 0;
    const char *q = p + strcspn(p, ">");
    q += *q == '>';
    q += strspn(q, " \t\n");
    if (strncmp(q, end, strlen(end)) != 0)
        return 0;
    q += strlen(end);
    return (size_t)(q + strspn(q, "\n") - p);
}

/* "rgb(  0, 114, 178)" in fewer characters. How long it is; 0: none. */
static size_t put_colour(FILE *out, const char *p)
{
    unsigned long part[3];
    char *q = (char *)(uintptr_t)(p + 4);
    if (strncmp(p, "rgb(", 4) != 0)
        return 0;
    for (size_t i = 0; i < 3; i++, q++) {
        part[i] = strtoul(q, &q, 10);
        if (part[i] > 255 || *q != (i < 2 ? ',' : ')'))
            return 0;
    }
    fprintf(out, "#%02lx%02lx%02lx", part[0], part[1], part[2]);
    return (size_t)(q - p);
}

/* A number with two decimals: a tenth of a pixel is enough for a place, and what is below ten (a
 * width, a scale) keeps both; zeros at the end say nothing. How long it is; 0: none. */
static size_t put_number(FILE *out, const char *p)
{
    char text[48];
    const size_t whole = strspn(p, "0123456789");
    if (!whole || whole > 20 || p[whole] != '.' || strspn(p + whole + 1, "0123456789") != 2)
        return 0;
    size_t n = (size_t)snprintf(text, sizeof text, "%.*f", whole > 1 ? 1 : 2, strtod(p, NULL));
    while (text[n - 1] == '0')
        n--;
    n -= text[n - 1] == '.';
    fwrite(text, 1, n, out);
    return whole + 3;
}

/* 1 when a number may begin here: not within a name or another number. */
static int is_apart(const char *before)
{
    return !isalnum((unsigned char)*before) && !strchr("#._", *before);
}

void svg_inline(FILE *out, const char *svg, size_t number, const char *label)
{
    static const char head_end[] = "</desc>";
    const char *p = strstr(svg, "<svg"), *body = p ? strstr(p, head_end) : NULL;
    const size_t tag = p ? strcspn(p, ">") : 0;
    int inside = 0; /* a tag, where numbers are not text */
    if (!body || !p[tag])
        return;
    fputs("<svg role=\"img\" aria-label=\"", out);
    escape_html(out, label);
    fprintf(out, "\"%.*s", (int)(tag + 1 - strlen("<svg")), p + strlen("<svg"));
    for (p = body + sizeof head_end - 1; *p;) {
        const size_t gone = unseen(p);
        size_t n = gone ? gone : put_word(out, p, number);
        if (!n && inside)
            n = put_colour(out, p);
        if (!n && inside && (is_apart(p - 1) || strchr("ML", p[-1])))
            n = put_number(out, p);
        if (!gone)
            for (size_t i = 0; i < (n ? n : 1); i++)
                inside = p[i] == '<' ? 1 : p[i] == '>' ? 0 : inside;
        if (!n)
            fputc(*p, out);
        p += n ? n : 1;
    }
}
