/* SPDX-License-Identifier: BSD-3-Clause */
/* A drawing of gnuplot's within the page: its own ids, a label, and no title. */
#include "reports/svg.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

#define HEAD                                                                                       \
    "<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 10 10\">\n<title>Gnuplot</title>\n"            \
    "<desc>x</desc>"
#define GOT(rest) "<svg role=\"img\" aria-label=\"a &amp; b\" \n viewBox=\"0 0 10 10\">" rest

static const struct {
    const char *what, *svg, *wanted;
} cases[] = {
    { "nothing but a head", HEAD "</svg>", GOT("</svg>") },
    { "no drawing", "hello", "" },
    { "a head that does not end", "<svg x", "" },
    { "a drawing that gnuplot did not make", "<svg></svg>", "" },
    { "ids are the figure's own, whatever quotes they stand in",
      HEAD "<g id=\"c\"><path id='a'/><use xlink:href='#a' fill='#123456'/></g></svg>",
      GOT("<g id=\"f7-c\"><path id='f7-a'/><use xlink:href='#f7-a' fill='#123456'/></g></svg>") },
    { "what a group says anyway goes",
      HEAD "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\" "
           "stroke-linecap=\"butt\" stroke-linejoin=\"miter\">\n\t<text>a b</text></g></svg>",
      GOT("<g class=\"l\" stroke-width=\"1.00\"><text>a b</text></g></svg>") },
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        svg_inline(f, cases[i].svg, 7, "a & b");
        fclose(f);
        is_str(cases[i].wanted, text, "%s", cases[i].what);
        free(text);
    }
    return tap_done();
}
