/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/svg.h"

#include <string.h>

#include "reports/table.h"

/* What gnuplot writes, and what stands in its place: "@" is the figure's own prefix, so that ids of
 * several figures in one page differ. The others say what holds anyway, or nothing. */
static const struct {
    const char *from, *to;
} words[] = {
    { " id='", " id='@" },
    { " id=\"", " id=\"@" },
    { "xlink:href='#", "xlink:href='#@" },
    { " stroke-linecap=\"butt\"", "" },
    { " stroke-linejoin=\"miter\"", "" },
    { " font-family=\"sans-serif\"", "" }, /* page.css has the font */
    { "<g fill=\"none\" color=\"black\" stroke=\"currentColor\"", "<g class=\"l\"" }, /* page.css */
    { "\n\t", "" },
};

static void put_word(FILE *out, const char *word, size_t number)
{
    for (; *word; word++)
        if (*word == '@')
            fprintf(out, "f%zu-", number);
        else
            fputc(*word, out);
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
    fprintf(out, "\"%.*s", (int)(tag + 1 - strlen("<svg")), p + strlen("<svg"));
    for (p = body + sizeof head_end - 1; *p;) {
        size_t k = 0;
        while (k < sizeof words / sizeof *words &&
               strncmp(p, words[k].from, strlen(words[k].from)) != 0)
            k++;
        if (k == sizeof words / sizeof *words) {
            fputc(*p++, out);
            continue;
        }
        put_word(out, words[k].to, number);
        p += strlen(words[k].from);
    }
}
