/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/svg.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/table.h"

/* What gnuplot writes, and what stands in its place: "@" is the figure's own prefix, so that ids of
 * several figures in one page differ. The others say what holds anyway, or nothing, or the same in
 * fewer characters. */
static const struct {
    const char *from, *to;
} words[] = {
    { " id='gpPt", " id='@p" },
    { " id='", " id='@" },
    { " id=\"", " id=\"@" },
    { "xlink:href='#gpPt", "href='#@p" },
    { "xlink:href='#", "href='#@" },
    { "url(#gp", "url(#@gp" },
    { " stroke-linecap=\"butt\"", "" },
    { " stroke-linejoin=\"miter\"", "" },
    { " font-family=\"sans-serif\"", "" }, /* page.css has the font */
    { "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\"",
      "<g class=\"l\"" },                                                             /* page.css */
    { "<g fill=\"none\" color=\"black\" stroke=\"currentColor\"", "<g class=\"l\"" }, /* page.css */
    { " fill = '", " fill='" },
    { " points = '", " points='" },
    { "  '/>", "'/>" },
    { " '/>", "'/>" },
    { " class=\"gridline\" ", "" },
    { "'  ", "' " },
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

/* What follows a word, and the blanks behind it; NULL: something else stands there. */
static const char *past(const char *p, const char *word)
{
    const size_t n = strlen(word);
    return p && strncmp(p, word, n) == 0 ? p + n + strspn(p + n, " \t\n") : NULL;
}

/* A place, in tenths of a pixel: they are enough. Sums of them do not drift. */
struct place {
    long x, y;
};

/* Reads "12.34,56.78"; returns what follows it and the blanks, or NULL. */
static const char *read_place(const char *p, struct place *at)
{
    char *end;
    if (!p || !*p || !strchr("-0123456789", *p))
        return NULL;
    at->x = lround(strtod(p, &end) * 10);
    p = past(end, ",");
    if (!p)
        return NULL;
    at->y = lround(strtod(p, &end) * 10);
    return end + strspn(end, " \t\n");
}

/* How long a path is that goes nowhere: a tic of no length. 0: none begins here. */
static size_t lone_move(const char *p)
{
    struct place at;
    const char *q = past(p, "<path stroke='");
    q = q ? past(past(q + strcspn(q, "'"), "'"), "d='M") : NULL;
    q = past(read_place(q, &at), "'/>");
    return q ? (size_t)(q - p) : 0;
}

/* How long definitions are of which the rest of the drawing uses none. 0: none begin here. */
static size_t unused_defs(const char *p)
{
    static const char defs_end[] = "</defs>";
    const char *end = past(p, "<defs>") ? strstr(p, defs_end) : NULL;
    return end && !strstr(end, "#gp") && !strstr(end, "url(#")
               ? (size_t)(end - p) + strlen(defs_end)
               : 0;
}

/* How long what is not seen is that begins here: a group with nothing in it, or with a text of
 * nothing, a path without a line, definitions that nothing uses, or a title, which browsers show at
 * the pointer. 0: none. */
static size_t unseen(const char *p)
{
    static const char title_end[] = "</title>";
    if (past(p, "<title>")) {
        const char *last = strstr(p, title_end);
        return last ? (size_t)(last - p) + strlen(title_end) : 0;
    }
    if (strncmp(p, "<g ", 3) != 0)
        return lone_move(p) + unused_defs(p);
    const char *q = p + strcspn(p, ">");
    q += *q == '>';
    q += strspn(q, " \t\n");
    const char *text = past(q, "<text></text>"), *last = past(text ? text : q, "</g>");
    return last ? (size_t)(last - p) : 0;
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

static void put_colour_of(FILE *out, const char *p)
{
    if (!put_colour(out, p))
        fprintf(out, "%.*s", (int)strcspn(p, "'"), p);
}

static void put_tenths(FILE *out, long tenths)
{
    fprintf(out, "%s%ld", tenths < 0 ? "-" : "", labs(tenths) / 10);
    if (tenths % 10)
        fprintf(out, ".%ld", labs(tenths) % 10);
}

/* A step of a path, "l2.5-3", "h2.5", "v-3", or "m..." without a line. */
static void put_step(FILE *out, char letter, long dx, long dy)
{
    if (letter == 'l' && (!dx || !dy))
        letter = dy ? 'v' : 'h';
    putc(letter, out);
    if (letter != 'v')
        put_tenths(out, dx);
    if (letter != 'v' && letter != 'h' && dy >= 0)
        putc(' ', out);
    if (letter != 'h')
        put_tenths(out, dy);
}

/* A path from where it was to where it goes on, from the first place in full. */
static void put_next(FILE *out, char letter, struct place *was, struct place to)
{
    put_step(out, letter, to.x - was->x, to.y - was->y);
    *was = to;
}

/* "d='M1.00,2.00 L3.00,4.00'", lines alone, in steps. How long it is; 0: none. */
static size_t put_path(FILE *out, const char *p)
{
    struct place at, was = { 0, 0 };
    const char *const begin = p, *q = past(p, "d='");
    for (; q && *q != '\''; q = read_place(q + 1, &at))
        if (*q != 'M' && *q != 'L')
            return 0;
    if (!q || q == begin + 3)
        return 0;
    fputs("d='", out);
    for (q = past(p, "d='"); *q != '\'';) {
        const char letter = *q == 'M' ? 'm' : 'l';
        q = read_place(q + 1, &at);
        put_next(out, letter, &was, at);
    }
    putc('\'', out);
    return (size_t)(q + 1 - begin);
}

/* A mark of gnuplot's, one of several alike. */
struct point_mark {
    struct place at;
    const char *type, *colour; /* "6' transform=...", "rgb(...)'/>" */
    double scale;
};

/* Reads "<use xlink:href='#gpPt6' transform='translate(106.78,143.41) scale(1.22)' color='...'/>";
 * returns what follows it, or NULL. */
static const char *read_mark(const char *p, struct point_mark *m)
{
    char *end;
    p = past(p, "<use xlink:href='#gpPt");
    m->type = p;
    p = p ? past(p + strspn(p, "0123456789"), "' transform='translate(") : NULL;
    p = past(past(read_place(p, &m->at), ")"), "scale(");
    if (!p)
        return NULL;
    m->scale = strtod(p, &end);
    p = m->colour = past(past(end, ")'"), "color='");
    return p ? past(p + strcspn(p, "'"), "'/>") : NULL;
}

static int same_until_quote(const char *a, const char *b)
{
    const size_t n = strcspn(a, "'") + 1;
    return strncmp(a, b, n) == 0;
}

static int alike(const struct point_mark *a, const struct point_mark *b)
{
    return same_until_quote(a->type, b->type) && same_until_quote(a->colour, b->colour) &&
           a->scale == b->scale && a->scale > 0;
}

/* The same discs one after the other are a path of dots (page.css has round ends); marks of another
 * kind stand in a group that has their scale and colour. How long they are; 0: no two. */
static size_t put_marks(FILE *out, const char *p, size_t number)
{
    struct point_mark first, m;
    struct place was = { 0, 0 };
    const char *last = read_mark(p, &first), *next = last ? read_mark(last, &m) : NULL;
    if (!next || !alike(&first, &m))
        return 0;
    const int discs = same_until_quote(first.type, "6'");
    fputs(discs ? "<path class=\"o\" stroke='" : "<g color='", out);
    put_colour_of(out, first.colour);
    fprintf(out, discs ? "' stroke-width='%.4g' d='" : "' transform='scale(%.4g)'>",
            discs ? 2 * first.scale : first.scale);
    m = first;
    for (next = last; next && alike(&first, &m); next = read_mark(last = next, &m))
        if (discs) {
            put_next(out, 'm', &was, m.at);
            fputs("h0", out);
        } else {
            fprintf(out, "<use href='#f%zu-p%.*s' x='%.6g' y='%.6g'/>", number,
                    (int)strcspn(first.type, "'"), first.type, round((double)m.at.x / m.scale) / 10,
                    round((double)m.at.y / m.scale) / 10);
        }
    fputs(discs ? "'/>" : "</g>", out);
    return (size_t)(last - p);
}

/* A text in a group of its own that says where it stands, in the page's usual size, as one text:
 * page.css knows the classes of its three anchors. out NULL: nothing is written. How long it is; 0:
 * none. */
static size_t put_label(FILE *out, const char *p)
{
    static const char usual[] = "\" font-family=\"sans-serif\" font-size=\"13.00\"";
    struct place at;
    const char *colour = read_place(past(p, "<g transform=\"translate("), &at);
    colour = past(colour, ")\" stroke=\"none\" fill=\"");
    const char *anchor = colour ? past(colour + strcspn(colour, "\""), usual) : NULL;
    anchor = past(anchor, "text-anchor=\"");
    const char *text = anchor ? past(anchor + strcspn(anchor, "\""), "\">") : NULL;
    if (!past(text, "<text>"))
        return 0;
    text += strlen("<text>");
    const size_t n = strcspn(text, "<");
    const char *end = past(past(text + n, "</text>"), "</g>");
    if (!end || !n)
        return 0;
    if (!out)
        return (size_t)(end - p);
    fprintf(out, "<text class=\"%c\" x=\"", *anchor);
    put_tenths(out, at.x);
    fputs("\" y=\"", out);
    put_tenths(out, at.y);
    fputs("\" fill=\"", out);
    if (!put_colour(out, colour))
        fprintf(out, "%.*s", (int)strcspn(colour, "\""), colour);
    fprintf(out, "\">%.*s</text>", (int)n, text);
    return (size_t)(end - p);
}

/* What is neither seen nor needed between the texts of a group. */
static size_t between_labels(const char *p)
{
    const size_t blank = strspn(p, " \t\n");
    return blank ? blank : unseen(p);
}

/* A group of such texts alone: they stand by themselves. How long it is; 0: there is something else
 * in it. */
static size_t put_labels(FILE *out, const char *p)
{
    static const char group[] = "<g fill=\"none\" color=\"black\" stroke=\"currentColor\"";
    const char *q = p + strcspn(p, ">"), *first = q + 1;
    if (strncmp(p, group, strlen(group)) != 0 || !*q)
        return 0;
    size_t n, texts = 0;
    for (q = first; (n = put_label(NULL, q)) || between_labels(q); q += n ? n : between_labels(q))
        texts += n > 0;
    if (!texts || strncmp(q, "</g>", 4) != 0)
        return 0;
    for (const char *at = first; at < q; at += n ? n : between_labels(at))
        n = put_label(out, at);
    return (size_t)(q + 4 - p);
}

/* A box of a heat map. */
struct box {
    struct place from, to; /* opposite corners */
    const char *colour;
};

/* Reads "<polygon fill = 'rgb(...)' points = 'x1,y1 x2,y1 x2,y2 x1,y2 '/>"; returns what follows
 * it, or NULL. */
static const char *read_box(const char *p, struct box *b)
{
    struct place second, last;
    p = b->colour = past(p, "<polygon fill = '");
    p = p ? past(p + strcspn(p, "'"), "' points = '") : NULL;
    p = read_place(read_place(read_place(read_place(p, &b->from), &second), &b->to), &last);
    if (!p)
        return NULL;
    return second.x == b->to.x && second.y == b->from.y && last.x == b->from.x && last.y == b->to.y
               ? past(p, "'/>")
               : NULL;
}

/* 1 when b goes on where a ends. */
static int adjoins(const struct box *a, const struct box *b)
{
    return a->from.y == b->from.y && a->to.y == b->to.y && labs(a->to.x - b->from.x) <= 1;
}

static void put_box(FILE *out, const struct box *b, struct place *was)
{
    const long wide = b->to.x - b->from.x, high = b->to.y - b->from.y;
    put_next(out, 'm', was, b->from);
    put_step(out, 'l', wide, 0);
    put_step(out, 'l', 0, high);
    put_step(out, 'l', -wide, 0);
    putc('z', out);
}

/* Boxes of one colour one after the other are one path, those side by side one box. How long they
 * are; 0: none. */
static size_t put_boxes(FILE *out, const char *p)
{
    struct box first = { 0 }, b, whole;
    struct place was = { 0, 0 };
    const char *last = read_box(p, &first), *next;
    if (!last)
        return 0;
    fputs("<path fill='", out);
    put_colour_of(out, first.colour);
    fputs("' d='", out);
    for (whole = first; (next = read_box(last, &b)) && same_until_quote(first.colour, b.colour);
         last = next) {
        if (adjoins(&whole, &b)) {
            whole.to = b.to;
        } else {
            put_box(out, &whole, &was);
            whole = b;
        }
    }
    put_box(out, &whole, &was);
    fputs("'/>", out);
    return (size_t)(last - p);
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
    int inside = 0; /* a tag, where numbers are not text */
    if (!body || !p[tag])
        return;
    fputs("<svg role=\"img\" aria-label=\"", out);
    escape_html(out, label);
    fputc('"', out);
    put_width(out, p);
    fprintf(out, "%.*s", (int)(tag + 1 - strlen("<svg")), p + strlen("<svg"));
    for (p = body + sizeof head_end - 1; *p;) {
        const size_t gone = unseen(p);
        size_t n = gone ? gone : put_marks(out, p, number);
        if (!n)
            n = put_label(out, p);
        if (!n)
            n = put_labels(out, p);
        if (!n)
            n = put_boxes(out, p);
        if (!n && inside && p[-1] == ' ')
            n = put_path(out, p);
        if (!n)
            n = put_word(out, p, number);
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
