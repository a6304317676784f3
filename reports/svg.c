/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/svg.h"

#include "reports/table.h"

/* What gnuplot writes, and what stands in its place: "@" is the figure's own prefix, so that ids of
 * several figures in one page differ. */
static const struct {
    const char *from, *to;
} words[] = {
    { " id='", " id='@" },
    { " id=\"", " id=\"@" },
    { "xlink:href='#", "href='#@" },
    { "url(#", "url(#@" },
    { " font-family=\"sans-serif\"", "" }, /* page.css has the font */
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

/* How long a title is, which browsers show at the pointer. 0: none begins here. */
static size_t title(const char *p)
{
    static const char begin[] = "<title>", end[] = "</title>";
    const char *last = strncmp(p, begin, strlen(begin)) == 0 ? strstr(p, end) : NULL;
    return last ? (size_t)(last - p) + strlen(end) : 0;
}

/* No wider than it was drawn: texts in it are then as large as those about it. */
static void put_width(FILE *out, const char *tag)
{
    static const char box[] = "viewBox=\"0 0 ";
    const char *at = strstr(tag, box), *end = strchr(tag, '>');
    if (at && end && at < end)
        fprintf(out, " style=\"max-width:%ldpx\"", strtol(at + strlen(box), NULL, 10));
}

void svg_inline(FILE *out, const char *svg, size_t number, const char *label)
{
    static const char head_end[] = "</desc>";
    const char *p = strstr(svg, "<svg"), *body = p ? strstr(p, head_end) : NULL;
    const size_t tag = p ? strcspn(p, ">") : 0;
    if (!body || !p[tag])
        return;
    fputs("<svg role=\"img\" aria-label=\"", out);
    escape_html(out, label);
    fputc('"', out);
    put_width(out, p);
    fprintf(out, "%.*s", (int)(tag + 1 - strlen("<svg")), p + strlen("<svg"));
    for (p = body + strlen(head_end); *p;) {
        const size_t gone = title(p), n = gone ? gone : put_word(out, p, number);
        if (!n)
            fputc(*p, out);
        p += n ? n : 1;
    }
}

void svg_image(FILE *out, const char *svg, const char *file, const char *label)
{
    const char *tag = strstr(svg, "<svg");
    fputs("<img loading=\"lazy\"", out);
    if (tag)
        put_width(out, tag);
    fprintf(out, " src=\"%s\" alt=\"", file);
    escape_html(out, label);
    fputs("\">", out);
}
