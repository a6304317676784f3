/* SPDX-License-Identifier: BSD-3-Clause */
/* A drawing within the page: what is made shorter, and what stays as it is. Positions are read back
 * from what was written. */
#include "reports/svg.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

#define HEAD                                                                                       \
    "<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 10 "                                           \
    "10\">\n<title>Gnuplot</title>\n<desc>x</desc>\n"
#define GOT(rest) "<svg role=\"img\" aria-label=\"a &amp; b\" \n viewBox=\"0 0 10 10\">" rest

static const struct {
    const char *what, *svg, *wanted;
} cases[] = {
    { "nothing but a head", HEAD "</svg>", GOT("</svg>") },
    { "no drawing", "hello", "" },
    { "ids are the figure's own, colours short",
      HEAD "<g id='a' fill='rgb(  0, 114, 178)'><use xlink:href='#a' x='#123456'/></g></svg>",
      GOT("<g id='f7-a' fill='#0072b2'><use xlink:href='#f7-a' x='#123456'/></g></svg>") },
    { "empty groups go",
      HEAD "<g a=\"b\">\n</g>\n<g a=\"b\"> <text></text> </g><g x='y'><g z='1'></g></g></svg>",
      GOT("<g x='y'></g></svg>") },
    { "what a group says anyway goes",
      HEAD "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\" "
           "stroke-linecap=\"butt\" stroke-linejoin=\"miter\">\n<text>a</text></g></svg>",
      GOT("<g class=\"l\" stroke-width=\"1.00\"><text>a</text></g></svg>") },
    { "blanks within a text stay", HEAD "<text><tspan>a</tspan> <tspan>b</tspan></text>\n </svg>",
      GOT("<text><tspan>a</tspan> <tspan>b</tspan></text></svg>") },
    { "lines become relative, in tenths",
      HEAD "<path stroke='rgb(1,2,3)'  d='M1.00,2.00 L3.04,2.01 L3.04,0.50 L-1.00,1.00 M5.00,5.00 "
           "L4.50,5.00 Z '/></svg>",
      GOT("<path stroke='#010203'  d='M1 2h2v-1.5l-4 .5m6 4h-.5z'/></svg>") },
    { "other paths stay as they are", HEAD "<path d='M-1,0 h2 M0,-1 v2'/></svg>",
      GOT("<path d='M-1,0 h2 M0,-1 v2'/></svg>") },
    { "a line that does not begin", HEAD "<path d='L1,1 L2,2'/></svg>",
      GOT("<path d='L1,1 L2,2'/></svg>") },
    { "equally filled cells are one path",
      HEAD "<polygon fill = 'rgb(0,0,255)' points = '1.00,3.00 2.00,3.00 2.00,1.00 1.00,1.00 '/>\n"
           "<polygon fill = 'rgb(0,0,255)' points = '3.00,3.00 4.00,3.00 4.00,1.00 3.00,1.00 '/>\n"
           "<polygon fill = 'rgb(255,0,0)' points = '5.00,3.00 6.00,3.00 6.00,1.00 '/></svg>",
      GOT("<path fill = '#0000ff'  d='M1 3h1v-2h-1zm2 0h1v-2h-1z'/>\n"
          "<path fill = '#ff0000'  d='M5 3h1v-2z'/>\n</svg>") },
    { "what one sees through stays alone",
      HEAD "<polygon fill = 'x' fill-opacity = '0.1' points = '1,1 2,1 2,2 '/>\n"
           "<polygon fill = 'x' fill-opacity = '0.1' points = '1,1 2,1 2,2 '/></svg>",
      GOT("<path fill = 'x' fill-opacity = '0.1'  d='M1 1h1v1z'/>\n"
          "<path fill = 'x' fill-opacity = '0.1'  d='M1 1h1v1z'/>\n</svg>") },
    { "equal symbols are one path",
      HEAD "<use xlink:href='#gpPt4' transform='translate(5.00,5.00) scale(2.00)' color='red'/>\n"
           "<use xlink:href='#gpPt4' transform='translate(9.00,4.50) scale(2.00)' color='red'/>\n"
           "<g x='y'><text>a</text></g></svg>",
      GOT("<path fill='red' stroke='none' d='M3 3h4v4h-4zm4-.5h4v4h-4z'/>\n"
          "<g x='y'><text>a</text></g></svg>") },
    { "discs are points of a round pen",
      HEAD
      "<use xlink:href='#gpPt6' transform='translate(5.00,5.00) scale(1.50)' color='red'/>\n"
      "<use xlink:href='#gpPt6' transform='translate(5.50,5.00) scale(1.50)' color='red'/></svg>",
      GOT("<path fill='none' stroke='red' stroke-width='3.00' stroke-linecap='round' "
          "d='M5 5h0m.5 0h0'/>\n</svg>") },
    { "circles are two arcs",
      HEAD
      "<use xlink:href='#gpPt5' transform='translate(5.00,5.00) scale(2.00)' color='red'/></svg>",
      GOT("<path fill='none' stroke='red' stroke-width='0.41' d='M3 5a2 2 0 1 0 4 0a2 2 0 1 0-4 "
          "0'/>\n"
          "</svg>") },
    { "a symbol that is not known stays",
      HEAD
      "<use xlink:href='#gpPt2' transform='translate(5.00,5.00) scale(2.00)' color='red'/></svg>",
      GOT("<use xlink:href='#f7-gpPt2' transform='translate(5.00,5.00) scale(2.00)' "
          "color='red'/></svg>") },
    { "definitions stay", HEAD "<defs><polygon fill = 'x' points = '1,1 2,1 2,2 '/></defs></svg>",
      GOT("<defs><polygon fill = 'x' points = '1,1 2,1 2,2 '/></defs></svg>") },
    { "a tag that does not end", HEAD "<g x='1'", GOT("<g x='1'") },
    { "a head that does not end", "<svg x", "<svg role=\"img\" aria-label=\"a &amp; b\" x" },
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
