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

#define USE(type, at, scale, colour)                                                               \
    "<use xlink:href='#gpPt" type "' transform='translate(" at ") scale(" scale                    \
    ")' color='" colour "'/>"
#define BOX(colour, corners) "<polygon fill = '" colour "' points = '" corners " '/>"

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
      GOT("<g class=\"l\"><text>a b</text></g></svg>") },
    { "but not a width of its own",
      HEAD "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"0.60\">"
           "<path/></g></svg>",
      GOT("<g class=\"l\" stroke-width=\"0.6\"><path/></g></svg>") },
    { "hrefs, colours and places in fewer characters",
      HEAD "<use xlink:href='#gpPt6' transform='translate(101.38,99.96) scale(1.22)' "
           "color='rgb(  0, 114, 178)'/><polygon fill = 'rgb(1,2,3)' points = '5.25,10.00 '/>"
           "<path d='M101.38,-12.34 L9.50,4  '/></svg>",
      GOT("<use href='#f7-p6' transform='translate(101.4,100) scale(1.22)' "
          "color='#0072b2'/><polygon fill='#010203' points='5.25,10'/>"
          "<path d='m101.4-12.3l-91.9 16.3'/></svg>") },
    { "lines go on in steps, which do not drift, and what is no line stays",
      HEAD "<path stroke='red'  d='M1.04,2.00 L1.08,2.00 L1.12,3.00\tL1.16,3.00  M5,6 L7,6.50  '/>"
           "<path d='M1,2 L3,4 z'/><path d='M0,-1.33 h2'/><path d=''/></svg>",
      GOT("<path stroke='red' d='m1 2h0.1v1h0.1m3.8 3l2 0.5'/>"
          "<path d='M1,2 L3,4 z'/><path d='M0,-1.33 h2'/><path d=''/></svg>") },
    { "discs that are alike are dots of one path, other marks one group",
      HEAD USE("6", "10.00,20.00", "0.5", "red") "\n\t" USE("6", "12.50,20.00", "0.5", "red")
          USE("6", "1,2", "0.5", "blue") USE("4", "10.00,20.00", "0.5", "rgb(  1,  2,  3)")
              USE("4", "11.00,19.00", "0.5", "rgb(  1,  2,  3)") "<path/></svg>",
      GOT("<path class=\"o\" stroke='red' stroke-width='1' d='m10 20h0m2.5 0h0'/>"
          "<use href='#f7-p6' transform='translate(1,2) scale(0.5)' color='blue'/>"
          "<g color='#010203' transform='scale(0.5)'><use href='#f7-p4' x='20' y='40'/>"
          "<use href='#f7-p4' x='22' y='38'/></g><path/></svg>") },
    { "boxes of one colour are one path, those side by side one box",
      HEAD BOX("rgb(1,2,3)", "10.00,20.00 12.00,20.00 12.00,15.00 10.00,15.00")
          BOX("rgb(1,2,3)", "11.99,20.00 14.00,20.00 14.00,15.00 11.99,15.00")
              BOX("rgb(1,2,3)", "16.00,20.00 17.00,20.00 17.00,15.00 16.00,15.00")
                  BOX("red", "16.00,20.00 17.00,20.00 18.00,15.00 16.00,15.00") "</svg>",
      GOT("<path fill='#010203' d='m10 20h4v-5h-4zm6 0h1v-5h-1z'/>"
          "<polygon fill='red' points='16,20 17,20 18,15 16,15'/></svg>") },
    { "a text of nothing goes",
      HEAD "<g stroke='red'><path/>\t<g fill=\"x\">\n\t\t<text></text>\n\t</g>\n</g></svg>",
      GOT("<g stroke='red'><path/>\t</g></svg>") },
    { "a text is one element, in a class that says its anchor",
      HEAD "<g transform=\"translate(12.34,99.96)\" stroke=\"none\" fill=\"rgb(51,51,51)\" "
           "font-family=\"sans-serif\" font-size=\"13.00\"  text-anchor=\"middle\">\n\t<text>64"
           "</text>\n\t</g></svg>",
      GOT("<text class=\"m\" x=\"12.3\" y=\"100\" fill=\"#333333\">64</text></svg>") },
    { "one that is turned, or larger, stays",
      HEAD "<g transform=\"translate(1,2) rotate(270)\" stroke=\"none\" fill=\"black\" "
           "font-family=\"sans-serif\" font-size=\"13.00\"  text-anchor=\"end\"><text>a</text></g>"
           "<g transform=\"translate(1,2)\" stroke=\"none\" fill=\"black\" "
           "font-family=\"sans-serif\" font-size=\"16.00\"  text-anchor=\"end\"><text>b</text></g>"
           "</svg>",
      GOT("<g transform=\"translate(1,2) rotate(270)\" stroke=\"none\" fill=\"black\" "
          "font-size=\"13\"  text-anchor=\"end\"><text>a</text></g>"
          "<g transform=\"translate(1,2)\" stroke=\"none\" fill=\"black\" "
          "font-size=\"16\"  text-anchor=\"end\"><text>b</text></g></svg>") },
    { "tics of no length go, and definitions that nothing uses",
      HEAD "<defs><circle id='gpPt1'/></defs><path stroke='rgb( 1,2,3)'  d='M945.30,172.00  '/>"
           "<path stroke='red'  d='M1.00,2.00 L3.00,2.00  '/></svg>",
      GOT("<path stroke='red' d='m1 2h2'/></svg>") },
    { "used ones stay",
      HEAD "<defs><circle id='gpPt6'/></defs>" USE("6", "1,2", "0.5", "blue") "</svg>",
      GOT("<defs><circle id='f7-p6'/></defs>"
          "<use href='#f7-p6' transform='translate(1,2) scale(0.5)' color='blue'/></svg>") },
    { "a drawing that was cut short is taken as it is",
      HEAD "<use xlink:href='#gpPt6' transform='translate(1",
      GOT("<use href='#f7-p6' transform='"
          "translate(1") },
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
