/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/table.h"

enum { KEY = 200 };

/* A path under way: coordinates in tenths of a pixel. */
struct pen {
    FILE *out;
    long x, y;             /* where it is */
    long start_x, start_y; /* of this part of the path */
    int begun;
};

struct writer {
    FILE *out;
    size_t number;
    char key[KEY]; /* attributes of the path that further shapes may join; "" none is open */
    struct pen pen;
    int text, defs; /* within such an element */
};

/* ---- paths ---- */

/* 123 -> "12.3", -5 -> "-.5"; a blank before what would run into the number before it. */
static void put_tenths(FILE *out, long v, int blank)
{
    const long a = labs(v);
    if (v < 0)
        fputc('-', out);
    else if (blank)
        fputc(' ', out);
    if (a >= 10 || a % 10 == 0)
        fprintf(out, "%ld", a / 10);
    if (a % 10)
        fprintf(out, ".%ld", a % 10);
}

static void pen_move(struct pen *pen, long x, long y)
{
    fputc(pen->begun ? 'm' : 'M', pen->out);
    put_tenths(pen->out, pen->begun ? x - pen->x : x, 0);
    put_tenths(pen->out, pen->begun ? y - pen->y : y, 1);
    pen->begun = 1;
    pen->x = pen->start_x = x;
    pen->y = pen->start_y = y;
}

static void pen_line(struct pen *pen, long x, long y)
{
    const long dx = x - pen->x, dy = y - pen->y;
    fputc(dy == 0 ? 'h' : dx == 0 ? 'v' : 'l', pen->out);
    if (dx || !dy)
        put_tenths(pen->out, dx, 0);
    if (dy)
        put_tenths(pen->out, dy, dx != 0);
    pen->x = x;
    pen->y = y;
}

static void pen_close(struct pen *pen)
{
    fputc('z', pen->out);
    pen->x = pen->start_x;
    pen->y = pen->start_y;
}

static long tenths(double pixels)
{
    return lround(pixels * 10);
}

/* Reads "X,Y" and blanks; 1 where it is there. */
static int take_point(const char **p, long *x, long *y)
{
    char *end;
    const double a = strtod(*p, &end);
    if (end == *p || *end != ',')
        return 0;
    const char *second = end + 1;
    const double b = strtod(second, &end);
    if (end == second || !(fabs(a) < 1e6) || !(fabs(b) < 1e6))
        return 0;
    *x = tenths(a);
    *y = tenths(b);
    *p = end + strspn(end, " \n");
    return 1;
}

/* Writes the path data between p and end, absolute moves and lines alone, shorter. 0: there is
 * something else in it, and what was written is nothing. */
static int shorten_path(FILE *out, const char *p, const char *end)
{
    struct pen pen = { .out = out };
    p += strspn(p, " \n");
    while (p < end) {
        const char command = *p++;
        long x, y;
        p += strspn(p, " \n");
        if (command == 'Z' && pen.begun) {
            pen_close(&pen);
            continue;
        }
        if ((command != 'M' && (command != 'L' || !pen.begun)) || !take_point(&p, &x, &y))
            return 0;
        if (command == 'M')
            pen_move(&pen, x, y);
        else
            pen_line(&pen, x, y);
    }
    return pen.begun;
}

/* ---- attributes ---- */

/* "rgb(  0, 114, 178)" -> "#0072b2"; returns what is behind, p where it is none. */
static const char *put_colour(FILE *out, const char *p)
{
    int r, g, b, n = 0;
    if (sscanf(p, "rgb( %d , %d , %d )%n", &r, &g, &b, &n) < 3 || !n)
        return p;
    fprintf(out, "#%02x%02x%02x", (unsigned)r & 255, (unsigned)g & 255, (unsigned)b & 255);
    return p + n;
}

/* Length of a mark that an id follows; 0: none is there. */
static size_t id_mark(const char *p)
{
    static const char *const marks[] = { " id='", " id=\"", "'#", "\"#", "url(#" };
    size_t len = 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(p, marks[i], strlen(marks[i])) == 0)
            len = strlen(marks[i]);
    const int colour = len == 2 && strspn(p + 2, "0123456789abcdefABCDEF") >= 6;
    return colour ? 0 : len;
}

/* Length of an attribute that says what holds anyway (page.css has the font); 0: it says more. */
static size_t needless(const char *p)
{
    static const char *const known[] = { " stroke-linecap=\"butt\"", " stroke-linejoin=\"miter\"",
                                         " font-family=\"sans-serif\"" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(p, known[i], strlen(known[i])) == 0)
            return strlen(known[i]);
    return 0;
}

/* Copies part of a tag: ids become the figure's own, colours short, needless words go. */
static void put_attributes(const struct writer *w, const char *p, const char *end)
{
    while (p < end) {
        const size_t mark = id_mark(p), skip = needless(p);
        const char *behind = put_colour(w->out, p);
        if (behind != p) {
            p = behind;
        } else if (mark) {
            fwrite(p, 1, mark, w->out);
            fprintf(w->out, "f%zu-", w->number);
            p += mark;
        } else if (skip) {
            p += skip;
        } else {
            fputc(*p++, w->out);
        }
    }
}

/* ---- shapes that join a path ---- */

static void run_end(struct writer *w)
{
    if (*w->key)
        fputs("'/>\n", w->out);
    *w->key = '\0';
}

/* Goes on with the path of these attributes, or begins one. */
static void run_join(struct writer *w, const char *key)
{
    if (strcmp(w->key, key) == 0)
        return;
    run_end(w);
    fputs("<path ", w->out);
    put_attributes(w, key, key + strlen(key));
    fputs(" d='", w->out);
    snprintf(w->key, sizeof w->key, "%s", key);
    w->pen = (struct pen){ .out = w->out };
}

/* gnuplot's symbols as it defines them (term/svg.trm), by number: corners around the point, in
 * units of its scale. */
static const struct symbol {
    int number, corners, filled;
    double corner[5][2];
} symbols[] = {
    { 3, 4, 0, { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } } },
    { 4, 4, 1, { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } } },
    { 7, 3, 0, { { 0, -1.33 }, { -1.33, 0.67 }, { 1.33, 0.67 } } },
    { 8, 3, 1, { { 0, -1.33 }, { -1.33, 0.67 }, { 1.33, 0.67 } } },
    { 9, 3, 0, { { 0, 1.33 }, { 1.33, -0.67 }, { -1.33, -0.67 } } },
    { 10, 3, 1, { { 0, 1.33 }, { 1.33, -0.67 }, { -1.33, -0.67 } } },
    { 11, 4, 0, { { 0, -1.414 }, { 1.414, 0 }, { 0, 1.414 }, { -1.414, 0 } } },
    { 12, 4, 1, { { 0, -1.414 }, { 1.414, 0 }, { 0, 1.414 }, { -1.414, 0 } } },
    { 13,
      5,
      0,
      { { 0, 1.33 }, { 1.265, 0.411 }, { 0.782, -1.067 }, { -0.782, -1.076 }, { -1.265, 0.411 } } },
    { 14,
      5,
      1,
      { { 0, 1.33 }, { 1.265, 0.411 }, { 0.782, -1.067 }, { -0.782, -1.076 }, { -1.265, 0.411 } } },
};

enum { CIRCLE = 5, DISC = 6 };

static void put_circle(struct writer *w, double x, double y, double radius)
{
    const long r = tenths(radius);
    pen_move(&w->pen, tenths(x) - r, tenths(y));
    for (int half = 0; half < 2; half++) {
        fputc('a', w->out);
        put_tenths(w->out, r, 0);
        put_tenths(w->out, r, 1);
        fputs(" 0 1 0", w->out);
        put_tenths(w->out, half ? -2 * r : 2 * r, 1);
        fputs(" 0", w->out);
    }
}

static void put_symbol(struct writer *w, const struct symbol *s, double x, double y, double scale)
{
    for (int i = 0; i < s->corners; i++) {
        const long cx = tenths(x + s->corner[i][0] * scale);
        const long cy = tenths(y + s->corner[i][1] * scale);
        if (i == 0)
            pen_move(&w->pen, cx, cy);
        else
            pen_line(&w->pen, cx, cy);
    }
    pen_close(&w->pen);
}

/* A point of a plot, "<use ... gpPt8 ...>": 1 when it was written. */
static int take_symbol(struct writer *w, const char *tag, const char *end)
{
    static const double line_width = 0.205; /* of a symbol's outline, in its scale */
    char colour[40], key[KEY];
    double x, y, scale;
    int number, n = 0;
    if (sscanf(tag,
               "<use xlink:href='#gpPt%d' transform='translate(%lf,%lf) scale(%lf)' "
               "color='%39[^']'/>%n",
               &number, &x, &y, &scale, colour, &n) < 5 ||
        tag + n != end + 1)
        return 0;
    if (number == DISC) { /* a line of no length with round ends */
        snprintf(key, sizeof key,
                 "fill='none' stroke='%s' stroke-width='%.2f' stroke-linecap='round'", colour,
                 2 * scale);
        run_join(w, key);
        pen_move(&w->pen, tenths(x), tenths(y));
        pen_line(&w->pen, tenths(x), tenths(y));
        return 1;
    }
    snprintf(key, sizeof key, "fill='none' stroke='%s' stroke-width='%.2f'", colour,
             line_width * scale);
    if (number == CIRCLE) {
        run_join(w, key);
        put_circle(w, x, y, scale);
        return 1;
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        const struct symbol *s = &symbols[i];
        if (s->number != number)
            continue;
        if (s->filled)
            snprintf(key, sizeof key, "fill='%s' stroke='none'", colour);
        run_join(w, key);
        put_symbol(w, s, x, y, scale);
        return 1;
    }
    return 0;
}

/* "<polygon fill = 'C' points = 'X,Y ... '/>": 1 when it was written. What one sees through does
 * not join what it may cover. */
static int take_polygon(struct writer *w, const char *tag, const char *end)
{
    static const char name[] = "<polygon ", points[] = "points = '";
    const char *data = strncmp(tag, name, sizeof name - 1) == 0 ? strstr(tag, points) : NULL;
    char key[KEY];
    long x, y;
    if (!data || data > end || (size_t)(data - tag) >= sizeof key)
        return 0;
    const char *p = data + sizeof points - 1, *check = p;
    while (take_point(&check, &x, &y))
        ;
    if (*check != '\'' || check + 2 != end)
        return 0;
    snprintf(key, sizeof key, "%.*s", (int)(data - tag - (long)sizeof name + 1),
             tag + sizeof name - 1);
    if (strstr(key, "opacity"))
        run_end(w);
    run_join(w, key);
    for (int first = 1; take_point(&p, &x, &y); first = 0)
        if (first)
            pen_move(&w->pen, x, y);
        else
            pen_line(&w->pen, x, y);
    pen_close(&w->pen);
    return 1;
}

/* ---- elements ---- */

/* Behind a group without content, of which gnuplot writes many; p where there is none. */
static const char *skip_empty(const char *p)
{
    static const char nothing[] = "<text></text>", space[] = " \t\r\n";
    const char *end = strncmp(p, "<g ", 3) == 0 ? strchr(p, '>') : NULL;
    if (!end)
        return p;
    end += 1 + strspn(end + 1, space);
    if (strncmp(end, nothing, strlen(nothing)) == 0) {
        end += strlen(nothing);
        end += strspn(end, space);
    }
    return strncmp(end, "</g>", 4) == 0 ? end + 4 : p;
}

/* Behind what shows nothing ("Gnuplot", which a browser would show at the pointer, empty groups); p
 * where that is nothing. */
static const char *skip_ballast(const char *p)
{
    static const char *const known[][2] = { { "<title>", "</title>" }, { "<desc>", "</desc>" } };
    for (size_t i = 0; i < 2; i++) {
        const char *end =
            strncmp(p, known[i][0], strlen(known[i][0])) == 0 ? strstr(p, known[i][1]) : NULL;
        if (end)
            return end + strlen(known[i][1]);
    }
    return skip_empty(p);
}

/* A path whose data can be written shorter: 1 when it was. */
static int take_path(const struct writer *w, const char *tag, const char *end)
{
    const char *data = strncmp(tag, "<path ", 6) == 0 ? strstr(tag, " d='") : NULL;
    char *text = NULL;
    size_t size = 0;
    if (!data || data > end || w->defs || strncmp(end - 2, "'/", 2) != 0)
        return 0;
    FILE *f = open_memstream(&text, &size);
    int done = f && shorten_path(f, data + 4, end - 2);
    if (f && fclose(f) != 0)
        done = 0;
    if (done) {
        put_attributes(w, tag, data);
        fprintf(w->out, " d='%s'/>", text);
    }
    free(text);
    return done;
}

/* What most groups say is a class of page.css. */
static int take_group(const struct writer *w, const char *tag, const char *end)
{
    static const char usual[] = "<g fill=\"none\" color=\"black\" stroke=\"currentColor\"";
    if (strncmp(tag, usual, sizeof usual - 1) != 0)
        return 0;
    fputs("<g class=\"l\"", w->out);
    put_attributes(w, tag + sizeof usual - 1, end + 1);
    return 1;
}

static void take_tag(struct writer *w, const char *tag, const char *end)
{
    if (!w->defs && !w->text && (take_symbol(w, tag, end) || take_polygon(w, tag, end)))
        return;
    run_end(w);
    if (strncmp(tag, "<text", 5) == 0)
        w->text = 1;
    else if (strncmp(tag, "</text", 6) == 0)
        w->text = 0;
    else if (strncmp(tag, "<defs", 5) == 0)
        w->defs = 1;
    else if (strncmp(tag, "</defs", 6) == 0)
        w->defs = 0;
    if (!take_path(w, tag, end) && !take_group(w, tag, end))
        put_attributes(w, tag, end + 1);
}

void svg_inline(FILE *out, const char *svg, size_t number, const char *label)
{
    struct writer w = { .out = out, .number = number };
    const char *p = strstr(svg, "<svg");
    if (!p)
        return;
    fputs("<svg role=\"img\" aria-label=\"", out);
    escape_html(out, label);
    fputc('"', out);
    p += strlen("<svg");
    const char *end = strchr(p, '>');
    put_attributes(&w, p, end ? end + 1 : p);
    for (p = end ? end + 1 : p; *p; p = end) {
        end = *p == '<' ? skip_ballast(p) : strchrnul(p, '<');
        if (*p == '<' && end == p) {
            end = strchrnul(p, '>');
            take_tag(&w, p, end);
            end += *end == '>';
        } else if (*p != '<' && (w.text || strspn(p, " \t\r\n") < (size_t)(end - p))) {
            fwrite(p, 1, (size_t)(end - p), out);
        }
    }
    run_end(&w);
}
