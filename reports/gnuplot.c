/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/gnuplot.h"

enum { SPEC_SIZE = 32 };

/* Where in a script the format stands. */
struct place {
    int quoted, comment;
};

/* A conversion: "%-12.3f" has spec "%-12.3", conv 'f'. */
struct spec {
    char text[SPEC_SIZE];
    char conv;
    int longs, is_size, precision; /* precision -1: none */
};

/* A text between double quotes, at most n bytes of it: quotes and backslashes are escaped,
 * backquotes and '@' (commands, macros) written as numbers, control characters dropped. */
static void gnuplot_text(FILE *gp, const char *text, size_t n)
{
    for (const char *p = text; *p && (size_t)(p - text) < n; p++) {
        const unsigned char c = (unsigned char)*p;
        if (c < ' ' || c == 0x7f)
            continue;
        if (c == '"' || c == '\\')
            fprintf(gp, "\\%c", c);
        else if (c == '`' || c == '@')
            fprintf(gp, "\\%03o", c);
        else
            putc(c, gp);
    }
}

/* A comment ends with its line; a backslash there would take in the next one. */
static void put_comment(FILE *gp, const char *text, size_t n)
{
    for (const char *p = text; *p && (size_t)(p - text) < n; p++)
        if ((unsigned char)*p >= ' ' && *p != 0x7f && *p != '\\')
            putc(*p, gp);
}

static void put_string(FILE *gp, const struct place *place, const struct spec *spec,
                       const char *text)
{
    const size_t n = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision;
    if (place->comment)
        put_comment(gp, text, n);
    else if (place->quoted)
        gnuplot_text(gp, text, n);
    else
        fwrite(text, 1, strnlen(text, n), gp);
}

/* The conversion at p, behind its '%'; returns what follows it. */
static const char *read_spec(const char *p, struct spec *spec, va_list *args)
{
    size_t n = 0;
    *spec = (struct spec){ .precision = -1 };
    spec->text[n++] = '%';
    for (; strchr("-+ #0123456789.*", *p) && n < SPEC_SIZE - 4; p++) {
        if (*p == '.')
            spec->precision = p[1] == '*' ? va_arg(*args, int) : (int)strtol(p + 1, NULL, 10);
        spec->text[n++] = *p;
    }
    for (; *p == 'l' || *p == 'z'; p++) {
        spec->longs += *p == 'l';
        spec->is_size |= *p == 'z';
    }
    spec->conv = *p;
    snprintf(spec->text + n, SPEC_SIZE - n, "%s%c", strchr("du", *p) ? "j" : "", *p);
    return p + 1;
}

static intmax_t take_signed(const struct spec *spec, va_list *args)
{
    return spec->longs > 1    ? va_arg(*args, long long)
           : spec->longs == 1 ? va_arg(*args, long)
           : spec->is_size    ? (intmax_t)va_arg(*args, size_t)
                              : va_arg(*args, int);
}

static uintmax_t take_unsigned(const struct spec *spec, va_list *args)
{
    return spec->longs > 1    ? va_arg(*args, unsigned long long)
           : spec->longs == 1 ? va_arg(*args, unsigned long)
           : spec->is_size    ? va_arg(*args, size_t)
                              : va_arg(*args, unsigned);
}

static void put_value(FILE *gp, const struct place *place, const struct spec *spec, va_list *args)
{
    switch (spec->conv) {
    case '%':
        putc('%', gp);
        break;
    case 's':
        put_string(gp, place, spec, va_arg(*args, const char *));
        break;
    case 'c':
        putc(va_arg(*args, int), gp);
        break;
    case 'd':
        fprintf(gp, spec->text, take_signed(spec, args));
        break;
    case 'u':
        fprintf(gp, spec->text, take_unsigned(spec, args));
        break;
    default:
        fprintf(gp, spec->text, va_arg(*args, double));
    }
}

static void look(struct place *place, char c, char before)
{
    if (c == '\n')
        *place = (struct place){ 0 };
    else if (c == '"' && before != '\\' && !place->comment)
        place->quoted = !place->quoted;
    else if (c == '#' && !place->quoted)
        place->comment = 1;
}

void gnuplot_print(FILE *gp, const char *fmt, ...)
{
    struct place place = { 0 };
    va_list args;
    va_start(args, fmt);
    for (const char *p = fmt; *p;) {
        struct spec spec;
        if (*p != '%') {
            look(&place, *p, p > fmt ? p[-1] : '\n');
            putc(*p++, gp);
            continue;
        }
        p = read_spec(p + 1, &spec, &args);
        put_value(gp, &place, &spec, &args);
    }
    va_end(args);
}
