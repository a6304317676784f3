/* SPDX-License-Identifier: BSD-3-Clause */
/* A drawing of gnuplot's within the page: its own ids, a label, and no title. */
#include "reports/svg.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

#define HEAD                                                                                       \
    "<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 10 10\">\n<title>Gnuplot</title>\n"            \
    "<desc>x</desc>"
#define GOT(rest)                                                                                  \
    "<svg role=\"img\" aria-label=\"a &amp; b\" style=\"max-width:10px\" \n viewBox=\"0 0 10 "     \
    "10\">" rest

static const struct {
    const char *what, *svg, *wanted;
} cases[] = {
    { "nothing but a head", HEAD "</svg>", GOT("</svg>") },
    { "no drawing", "hello", "" },
    { "a head that does not end", "<svg x", "" },
    { "a drawing that gnuplot did not make", "<svg></svg>", "" },
    { "ids are the figure's own, whatever quotes they stand in",
      HEAD "<g id=\"c\"><path id='a'/><use xlink:href='#a' fill='#123456'/></g></svg>",
      GOT("<g id=\"f7-c\"><path id='f7-a'/><use href='#f7-a' fill='#123456'/></g></svg>") },
    { "so are those that something is filled by",
      HEAD "<pattern id='p1'/><path fill='url(#p1)'/></svg>",
      GOT("<pattern id='f7-p1'/><path fill='url(#f7-p1)'/></svg>") },
    { "the page has the font",
      HEAD "<g font-family=\"sans-serif\" font-size=\"13.00\">\n\t<text>a b</text></g></svg>",
      GOT("<g font-size=\"13.00\"><text>a b</text></g></svg>") },
    { "titles go, which would show at the pointer",
      HEAD "<g id='x'><title>gnuplot_plot_1</title>\n<path/></g></svg>",
      GOT("<g id='f7-x'>\n<path/></g></svg>") },
    { "a title that does not end stays", HEAD "<title>a", GOT("<title>a") },
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
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    svg_image(f, cases[0].svg, "figures/x.svg", "a & b");
    fclose(f);
    is_str(
        "<img loading=\"lazy\" style=\"max-width:10px\" src=\"figures/x.svg\" alt=\"a &amp; b\">",
        text, "a large one is an image of its file, no wider than it was drawn");
    free(text);
    return tap_done();
}
