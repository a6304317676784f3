/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/picture.h"

#include "reports/brief.h"
#include "reports/table.h"

void picture_begin(FILE *out, const char *what, double high)
{
    fprintf(out,
            "<figure class=\"picture\"><figcaption>%s</figcaption>\n<svg viewBox=\"0 0 %d %.0f\" "
            "role=\"img\" aria-label=\"%s\">\n",
            what, PICTURE_WIDE, high, what);
}

void picture_text(FILE *out, const char *class, double x, double y, const char *text)
{
    fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    escape_html(out, text);
    fputs("</text>\n", out);
}

static double at_factor(double factor, double most, double left)
{
    return left + (PICTURE_RIGHT - left) * log(factor < 1 ? 1 : factor) / log(most);
}

void picture_axis(FILE *out, double most, double left, double bottom)
{
    static const double tick[] = { 1, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 1000, 10000 };
    double last = -100;
    for (size_t i = 0; i < sizeof tick / sizeof *tick && tick[i] <= most * 1.001; i++) {
        const double x = at_factor(tick[i], most, left);
        if (x < last + 46)
            continue;
        last = x;
        fprintf(out,
                "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"6\" y2=\"%.1f\"/><text "
                "class=\"m\" x=\"%.1f\" y=\"%.1f\">%g×</text>\n",
                x, x, bottom, x, bottom + 14, tick[i]);
    }
}

void picture_dot(FILE *out, const struct picture_dot *dot, double most, double left, double y)
{
    fprintf(out,
            "<line class=\"thin\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><line "
            "class=\"thick\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><circle "
            "cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/><text x=\"%d\" y=\"%.1f\">%s×</text>\n",
            left, at_factor(dot->worst, most, left), y, y, at_factor(dot->low, most, left),
            at_factor(dot->high, most, left), y, y, at_factor(dot->mean, most, left), y,
            PICTURE_RIGHT + 6, y + 4, brief_factor(dot->mean));
}
