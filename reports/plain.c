/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/plain.h"

#include "reports/table.h"

static void put_text(FILE *out, const char *text, size_t n)
{
    char *copy = memory_zeros(n + 1, 1);
    memcpy(copy, text, n);
    escape_html(out, copy);
    free(copy);
}

/* What is between the lines of nothing that enclose it. */
static const char *next_block(const char *at, size_t *n)
{
    at += strspn(at, "\n");
    const char *end = strstr(at, "\n\n");
    *n = end ? (size_t)(end - at) : strlen(at);
    return *n ? at : NULL;
}

/* "## Title {#id}": how many #, the title, the id; 0: no heading. */
static size_t heading(const char *at, size_t n, const char **title, size_t *len, const char **id,
                      size_t *id_len)
{
    const size_t level = strspn(at, "#");
    if (!level || level > 6 || level >= n || at[level] != ' ')
        return 0;
    *title = at + level + 1;
    *len = n - level - 1;
    const char *brace = memmem(*title, *len, " {#", 3);
    const char *end = brace ? memchr(brace, '}', (size_t)(at + n - brace)) : NULL;
    *id = end ? brace + 3 : NULL;
    *id_len = end ? (size_t)(end - brace - 3) : 0;
    if (end)
        *len = (size_t)(brace - *title);
    return level;
}

static void put_heading(FILE *out, size_t level, const char *title, size_t len, const char *id,
                        size_t id_len, int *open)
{
    if (level == 2) {
        fputs(*open ? "</section>\n<section" : "<section", out);
        *open = 1;
        if (id) {
            fputs(" id=\"", out);
            put_text(out, id, id_len);
            fputs("\"", out);
        }
        fputs(" class=\"level2\">\n", out);
    }
    fprintf(out, "<h%zu>", level);
    put_text(out, title, len);
    fprintf(out, "</h%zu>\n", level);
}

/* A mark is a paragraph of its own, between backquotes and @; lines of lists and code stay lines.
 */
static void put_block(FILE *out, const char *at, size_t n)
{
    const int mark = n > 4 && strncmp(at, "`@", 2) == 0 && strncmp(at + n - 2, "@`", 2) == 0;
    const int lines = memchr("-*|` ", *at, 5) && memchr(at, '\n', n);
    if (mark) {
        fputs("<p><code>", out);
        put_text(out, at + 1, n - 2);
        fputs("</code></p>\n", out);
        return;
    }
    fputs(lines ? "<pre>" : "<p>", out);
    put_text(out, at, n);
    fputs(lines ? "</pre>\n" : "</p>\n", out);
}

void plain_write(const char *markdown, FILE *out)
{
    const char *at = markdown, *title, *id;
    size_t n, len, id_len;
    int open = 0;
    for (; (at = next_block(at, &n)); at += n) {
        const size_t level = heading(at, n, &title, &len, &id, &id_len);
        if (level)
            put_heading(out, level, title, len, id, id_len, &open);
        else
            put_block(out, at, n);
    }
    if (open)
        fputs("</section>\n", out);
}
