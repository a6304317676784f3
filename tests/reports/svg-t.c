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
      GOT("<g id=\"f7-c\"><path id='f7-a'/><use href='#f7-a' fill='#123456'/></g></svg>") },
    { "what a group says anyway goes",
      HEAD "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\" "
           "stroke-linecap=\"butt\" stroke-linejoin=\"miter\">\n\t<text>a b</text></g></svg>",
      GOT("<g class=\"l\" stroke-width=\"1\"><text>a b</text></g></svg>") },
    { "hrefs, colours and places in fewer characters",
      HEAD "<use xlink:href='#gpPt6' transform='translate(101.38,99.96) scale(1.22)' "
           "color='rgb(  0, 114, 178)'/><polygon fill = 'rgb(1,2,3)' points = '5.25,10.00 '/>"
           "<path d='M101.38,-12.34 L9.50,4  '/></svg>",
      GOT("<use href='#f7-gpPt6' transform='translate(101.4,100) scale(1.22)' "
          "color='#0072b2'/><polygon fill='#010203' points='5.25,10'/>"
          "<path d='M101.4,-12.3 L9.5,4'/></svg>") },
    { "numbers of another kind, texts and what is no colour stay",
      HEAD "<g d='1.234 a12.34 12 rgb(1,2) rgb(1,2,300)'><text>12.34 rgb(1,2,3)</text></g></svg>",
      GOT("<g d='1.234 a12.34 12 rgb(1,2) rgb(1,2,300)'><text>12.34 rgb(1,2,3)</text></g></svg>") },
    { "a group with nothing in it goes, and titles, which would show at the pointer",
      HEAD "<g id='x'><title>gnuplot_plot_1</title>\n<g stroke='red'>\n</g>\n<path/></g></svg>",
      GOT("<g id='f7-x'>\n<path/></g></svg>") },
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
