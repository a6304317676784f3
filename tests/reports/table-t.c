/* SPDX-License-Identifier: BSD-3-Clause */
/* One table in four formats: escaping, groups, numbers, marks, what is only data. */
#include "reports/table.h"

#include <math.h>

#include "tests/tap.h"

typedef int (*writer)(const struct table *, FILE *, struct err *);

static char *render(const struct table *t, writer write)
{
    char *text = NULL;
    size_t size = 0;
    struct err err;
    FILE *out = open_memstream(&text, &size);
    if (write(t, out, &err) < 0)
        fprintf(out, "error: %s", err.text);
    fclose(out);
    return text;
}

static void check(const struct table *t, writer write, const char *wanted, const char *format)
{
    char *seen = render(t, write);
    is_str(wanted, seen, "the table in %s", format);
    free(seen);
}

static struct table *example(void)
{
    struct table *t = table_new("t", "A & B_c", "sim", "simulated");
    table_columns(t, "<name|name ; >a_s|α (s)|ours ; >pct|loss|ours ; .low|");
    table_text(t, "<a|b> & \"c\", 5%_$#{}~^\\");
    table_scientific(t, -4.75e-13, 3);
    table_number(t, 1.25, 1);
    table_mark(t, MARK_BEST);
    table_number(t, 0.5, 9);
    table_text(t, "*x*\ny");
    table_scientific(t, NAN, 3);
    table_number(t, -0.01, 1);
    table_number(t, NAN, 1);
    table_note(t, "100 %% of <it>");
    return t;
}

static void test_formats(void)
{
    struct table *t = example();
    check(t, table_write_markdown,
          "| name | ours: α \\(s\\) | ours: loss |\n|:---|---:|---:|\n"
          "| \\<a\\|b\\> & \\\"c\\\", 5%\\_\\$\\#\\{\\}\\~\\^\\\\ | −4.75 × 10⁻¹³ | **1.2** |\n"
          "| \\*x\\* y | – | 0.0 |\n"
          "\nTable: A & B\\_c \\(simulated\\)\n\n100 % of \\<it\\>\n",
          "Markdown");
    check(t, table_write_latex,
          "% wants \\usepackage{array,booktabs,graphicx,textcomp} and UTF-8 input; what is wider "
          "than "
          "a line, or higher than a page, is made smaller\n"
          "\\providecommand{\\collselfit}[1]{\\sbox0{#1}%\n"
          "\\ifdim\\wd0>\\linewidth\\sbox0{\\resizebox{\\linewidth}{!}{\\usebox0}}\\fi\n"
          "\\ifdim\\dimexpr\\ht0+\\dp0>0.8\\textheight\\sbox0{\\resizebox*{!}{0.8\\textheight}"
          "{\\usebox0}}\\fi\n\\usebox0}\n\\begin{table}\n\\centering\n"
          "\\caption{A \\& B\\_c (simulated)}\n\\label{tab:t}\n\\collselfit{%\n"
          "\\begin{tabular}{lrr}\n\\toprule\n"
          "\\multicolumn{1}{c}{} & \\multicolumn{2}{c}{ours} \\\\\n\\cmidrule(lr){2-3}\n"
          "name & $\\alpha$ (s) & loss \\\\\n\\midrule\n"
          "\\textless{}a|b\\textgreater{} \\& \"c\", "
          "5\\%\\_\\$\\#\\{\\}\\textasciitilde{}\\textasciicircum{}\\textbackslash{} & $-$4.75 "
          "$\\times$ 10$^{-13}$ & \\textbf{1.2} \\\\\n"
          "*x* y & -- & 0.0 \\\\\n\\bottomrule\n\\end{tabular}}\n"
          "\\par\\footnotesize 100 \\% of \\textless{}it\\textgreater{}\n\\end{table}\n",
          "LaTeX");
    check(t, table_write_csv,
          "name,a_s,pct,low,backend\n\"<a|b> & \"\"c\"\", 5%_$#{}~^\\\",-4.75e-13,1.25,0.5,sim\n"
          "\"*x*\ny\",,-0.01,,sim\n",
          "CSV");
    char *html = render(t, table_write_html);
    has_str("&lt;a|b&gt; &amp; &quot;c&quot;, 5%_$#{}~^\\", html, "HTML is escaped");
    has_str("<th colspan=\"2\">ours</th>", html, "neighbours of a group share a header");
    has_str("<td class=best>1.2", html, "marks are classes");
    ok(!strstr(html, "low"), "what is only data is not shown");
    free(html);
    table_free(t);
}

static void test_numbers(void)
{
    static const struct {
        double value;
        int digits;
        const char *wanted;
    } rows[] = {
        { 0, 3, "0" },
        { 0.01, 3, "0.01" },
        { 9999, 4, "9999" },
        { 329.4, 2, "329" },
        { 999.6, 3, "1000" },
        { 10000, 3, "1.00 × 10⁴" },
        { 0.00999, 3, "9.99 × 10⁻³" },
        { -1e-100, 1, "−1 × 10⁻¹⁰⁰" },
        { 9.996e-7, 3, "1.00 × 10⁻⁶" },
        { INFINITY, 3, "–" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct table *t = table_new("t", "t", "b", NULL);
        table_columns(t, ">x|x");
        table_scientific(t, rows[i].value, rows[i].digits);
        char wanted[128];
        snprintf(wanted, sizeof wanted, "<td>%s\n", rows[i].wanted);
        char *html = render(t, table_write_html);
        has_str(wanted, html, "%g is shown as %s", rows[i].value, rows[i].wanted);
        free(html);
        table_free(t);
    }
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (; text && (text = strstr(text, what)); text += strlen(what))
        n++;
    return n;
}

/* 300 rows are shown, of more only the first hundred; more than 20 are folded; the CSV has all. */
static void test_long(void)
{
    static const int sizes[] = { 20, 21, 300, 301 };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int rows = sizes[k];
        struct table *t = table_new("long", "t", "b", NULL);
        table_columns(t, ">x|x");
        for (int i = 0; i < rows; i++)
            table_number(t, i, 0);
        char *html = render(t, table_write_html), *csv = render(t, table_write_csv);
        is_int(rows > 20, count(html, "<details>"), "%d rows: folded", rows);
        is_int(rows > 300 ? 100 : rows, count(html, "<td"), "rows of %d in the page", rows);
        is_int(rows > 300, count(html, "The first 100 of 301 rows"), "said where cut");
        is_int(rows + 1, count(csv, "\n"), "all in the CSV");
        free(html);
        free(csv);
        table_free(t);
    }
}

/* A row aside is in the files alone; a note that another table has is a link to that. */
static void test_aside(void)
{
    struct table *t = table_new("aside", "t", "b", NULL);
    table_columns(t, ">x|x");
    table_number(t, 1, 0);
    table_number(t, 2, 0);
    table_row_aside(t);
    table_note(t, "one");
    table_note(t, "two");
    table_note_at(t, 1, "first");
    table_explain(t, "# Words\n\n| word | meaning |\n|---|---|\n| y, x | less < \"more\" |\n");
    char *html = render(t, table_write_html), *csv = render(t, table_write_csv);
    is_int(1, count(html, "<td"), "rows in the page");
    is_int(3, count(csv, "\n"), "lines of the CSV");
    is_int(1, count(html, "one</p>") + count(html, "two</p>"), "notes in the page");
    is_int(1, count(html, "href=\"#table-first\""), "links to the other");
    is_int(1, count(html, "title=\"less &lt; &quot;more&quot;\">x</th>"), "a word explained");
    free(html);
    free(csv);
    table_free(t);
}

static void test_misuse(void)
{
    struct table *t = table_new("short", "t", "b", NULL);
    table_columns(t, ">x|x");
    table_columns(t, ">y|y");
    table_text(t, "1");
    check(t, table_write_csv, "error: table 'short': 1 cells do not fill rows of 2",
          "CSV, one cell short");
    table_free(t);
    table_free(NULL);
}

/* Pandoc takes two dashes for one long one, which no option begins with. */
static void test_markdown(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    escape_markdown(out, "a-b --doubted 1..2");
    fclose(out);
    is_str("a-b \\--doubted 1\\..2", text, "dashes and dots stay what they are");
    free(text);
}

int main(void)
{
    test_markdown();
    test_formats();
    test_numbers();
    test_long();
    test_aside();
    test_misuse();
    return tap_done();
}
