/* SPDX-License-Identifier: BSD-3-Clause */
/* plain-t.c - prose as HTML without pandoc. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "reports/plain.h"
#include "tests/tap.h"

static const struct {
    const char *markdown, *body, *what;
} rows[] = {
    { "", "", "nothing" },
    { "one\ntwo\n\n\nthree\n", "<p>one\ntwo</p>\n<p>three\n</p>\n", "paragraphs" },
    { "## A *b* {#a-b}\n\ntext",
      "<section id=\"a-b\" class=\"level2\">\n<h2>A *b*</h2>\n<p>text</p>\n</section>\n",
      "a heading with its name" },
    { "## A {#a}\n\n### B\n\n## C {#c}",
      "<section id=\"a\" class=\"level2\">\n<h2>A</h2>\n<h3>B</h3>\n</section>\n<section id=\"c\" "
      "class=\"level2\">\n<h2>C</h2>\n</section>\n",
      "sections one after the other" },
    { "#no heading", "<p>#no heading</p>\n", "a # in the text" },
    { "`@slot-table-x@`", "<p><code>@slot-table-x@</code></p>\n", "a mark" },
    { "- a\n- b", "<pre>- a\n- b</pre>\n", "a list stays in lines" },
    { "<script>\"x\" & <!--slot-style-->",
      "<p>&lt;script&gt;&quot;x&quot; &amp; &lt;!--slot-style--&gt;</p>\n",
      "no text becomes HTML" },
    { "## <b> {#\"><i>}",
      "<section id=\"&quot;&gt;&lt;i&gt;\" class=\"level2\">\n<h2>&lt;b&gt;</h2>\n</section>\n",
      "nor does a heading" },
};

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *html = NULL;
        size_t size = 0;
        FILE *out = memory_stream(&html, &size);
        plain_write(rows[i].markdown, out);
        fclose(out);
        is_str(rows[i].body, html, "%s", rows[i].what);
        free(html);
    }
    return tap_done();
}
