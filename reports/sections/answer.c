/* SPDX-License-Identifier: BSD-3-Clause */
/* The first page: verdict, speed-ups, three pictures, what to type, what it rests on. */
#include "reports/brief.h"
#include "reports/picture.h"
#include "reports/section_common.h"

/* ---- the pictures ---- */

enum { HIGH = 230, MOST_PANELS = 6, MOST_LINES = 24, MOST_BARS = 10, MOST_KEYS = 10 };

static void end(FILE *out, const char *note, size_t shown, size_t all)
{
    fprintf(out, "<p class=\"note\">%s", note);
    if (shown < all)
        fprintf(out, " The %zu of %zu with the most to gain.", shown, all);
    fputs("</p></figure>\n", out);
}

static void key(FILE *out, const char *class, const char *colour, const char *label)
{
    fputs("<span class=\"key\">", out);
    if (class)
        fprintf(out, "<i class=\"%s\" style=\"%s%s\"></i>", class, colour ? "background:" : "",
                colour ? colour : "");
    escape_html(out, label);
    fputs("</span>\n", out);
}

/* Collective, library and mapping; the last two where there are several. */
static const char *joined(const struct report_data *d, const struct context *c, const char *library,
                          const char *between)
{
    const int libraries = brief_library(d, 1) != NULL, mappings = brief_mapping(d, 1) != NULL;
    return brief("%s%s%s%s%s", c->collective, libraries ? between : "", libraries ? library : "",
                 mappings ? between : "", mappings ? c->mapping : "");
}

static double longest_name(const struct report_data *d)
{
    double most = 0;
    const struct context *c = d->context;
    for (; c < d->context + d->contexts; c++)
        most = fmax(most, (double)strlen(joined(d, c, mpi_label(c->mpi), ", ")));
    return most;
}

/* "A" of the first library where names would be too long; else "". */
static const char *letter_of(const struct report_data *d, const char *mpi)
{
    int k = 0;
    while (strcmp(brief_library(d, (size_t)k), mpi) != 0)
        k++;
    return longest_name(d) > PICTURE_MOST_LETTERS && brief_library(d, 1) ? brief("%c", 'A' + k)
                                                                         : "";
}

/* "COLLECTIVE, MPICH, node", or "COLLECTIVE A node". */
static const char *name_of(const struct report_data *d, const struct context *c)
{
    const char *letter = letter_of(d, c->mpi);
    return *letter ? joined(d, c, letter, " ") : joined(d, c, mpi_label(c->mpi), ", ");
}

static void put_legend(FILE *out, const struct report_data *d)
{
    const char *mpi;
    for (size_t i = 0; (mpi = brief_library(d, i)); i++)
        if (*letter_of(d, mpi))
            key(out, NULL, NULL, brief("%s: %s", letter_of(d, mpi), mpi_label(mpi)));
}

/* ---- who wins where ---- */

struct keys {
    struct algorithm_style style[MOST_KEYS];
    size_t n;
};

static void add_key(struct keys *keys, const struct algorithm_style *style)
{
    const size_t k = first_below(i, keys->n, strcmp(keys->style[i].label, style->label) == 0);
    if (k == keys->n && k < MOST_KEYS)
        keys->style[keys->n++] = *style;
}

/* The style of the fastest of a cell; label "": there is none. */
static struct algorithm_style winner_at(const struct report_data *d, const struct context *context,
                                        const struct grid *g, size_t y, size_t x)
{
    const struct selection *c = grid_cell(d, context, g, g->procs[y], g->bytes[x], NULL);
    return c && *c->best.algorithm ? style_of(c->best.algorithm)
                                   : (struct algorithm_style){ .label = "" };
}

struct box {
    double x, y, wide, high;
};

/* Neighbours of one winner are one box, with its letters where they have room. */
static void put_line(FILE *out, const struct report_data *d, const struct context *context,
                     const struct grid *g, size_t line, const struct box *box, struct keys *keys)
{
    const double w = box->wide / (double)g->n_bytes;
    for (size_t x = 0, to; x < g->n_bytes; x = to) {
        const struct algorithm_style s = winner_at(d, context, g, line, x);
        for (to = x + 1; to < g->n_bytes; to++)
            if (strcmp(winner_at(d, context, g, line, to).label, s.label) != 0)
                break;
        if (!*s.label)
            continue;
        add_key(keys, &s);
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                box->x + w * (double)x, box->y, w * (double)(to - x) + 0.3, box->high + 0.3,
                s.colour);
        if (box->high < 9 || w * (double)(to - x) <= 18)
            continue;
        picture_text(out, "in", box->x + w * (double)(x + to) / 2, box->y + box->high / 2 + 3.5,
                     s.code);
    }
}

/* Leaves out the numbers of processes at which nothing has a time. */
static void drop_empty(const struct report_data *d, const struct context *context, struct grid *g)
{
    size_t kept = 0;
    for (size_t p = 0; p < g->n_procs; p++) {
        const size_t x = first_below(i, g->n_bytes, *winner_at(d, context, g, p, i).label);
        if (x < g->n_bytes)
            g->procs[kept++] = g->procs[p];
    }
    g->n_procs = kept;
}

static void put_panel(FILE *out, const struct report_data *d, const struct context *context,
                      const struct box *box, struct keys *keys)
{
    struct grid g;
    grid_find(d, context, "study", &g);
    drop_empty(d, context, &g);
    if (!g.n_procs || !g.n_bytes)
        return;
    const size_t lines = g.n_procs < MOST_LINES ? g.n_procs : MOST_LINES;
    const double high = (box->high - 30) / (double)lines, bottom = box->y + box->high - 1;
    const double left = PICTURE_DIGIT * (double)strlen(brief("%d", g.procs[g.n_procs - 1])) + 6;
    const struct box cells = { box->x + left, box->y + 16, box->wide - left - 4, high };
    picture_text(out, "", box->x, box->y + 11, name_of(d, context));
    for (size_t i = 0; i < lines; i++) {
        const size_t line = lines > 1 ? i * (g.n_procs - 1) / (lines - 1) : 0;
        const struct box at = { cells.x, cells.y + high * (double)(lines - 1 - i), cells.wide,
                                high };
        put_line(out, d, context, &g, line, &at, keys);
        if (i == 0 || i == lines - 1 || (high > 15 && lines < 9))
            picture_text(out, "e", cells.x - 4, at.y + high / 2 + 4, brief("%d", g.procs[line]));
    }
    const char *const least = brief("%s", show_bytes(g.bytes[0]));
    const char *const most = brief("%s", show_bytes(g.bytes[g.n_bytes - 1]));
    if (PICTURE_LETTER * (double)(strlen(least) + strlen(most) + 1) < cells.wide)
        picture_text(out, "", cells.x, bottom, least);
    picture_text(out, "e", box->x + box->wide - 4, bottom, most);
}

/* Who wins where: processes up, message size to the right, a panel for each context, of those where
 * most is to be gained. */
static void picture_winners(FILE *out, const struct report_data *d, const struct brief *b)
{
    size_t n;
    const struct brief_row **row = brief_by_mean(b, MOST_PANELS, &n);
    struct keys keys = { .n = 0 };
    const int three = n > 4 && PICTURE_LETTER * (longest_name(d) + 1) <= PICTURE_WIDE / 3.0;
    const size_t across = three ? 3 : n > 1 ? 2 : 1, down = n ? (n + across - 1) / across : 1;
    picture_begin(out, "The fastest algorithm", HIGH);
    for (size_t i = 0; i < n; i++) {
        const double wide = (double)PICTURE_WIDE / (double)across,
                     high = (double)HIGH / (double)down;
        const struct box box = { wide * (double)(i % across), high * (double)(i / across), wide,
                                 high - 4 };
        put_panel(out, d, row[i]->context, &box, &keys);
    }
    fputs("</svg>\n", out);
    for (size_t i = 0; i < keys.n; i++)
        key(out, "", keys.style[i].colour, brief("%s %s", keys.style[i].code, keys.style[i].label));
    end(out, "Processes upwards, message size to the right.", n, b->rows);
    free(row);
}

/* ---- bars by context ---- */

/* Where bars begin: behind the names. */
static double left_of(const struct report_data *d)
{
    return PICTURE_LETTER * fmin(fmax(longest_name(d), 18), PICTURE_MOST_LETTERS) + 10;
}

static double line_high(size_t n)
{
    return n > 7 ? 20 : 28;
}

/* The name of a row at its line. Returns the middle of the line. */
static double put_name(FILE *out, const struct report_data *d, const struct brief_row *row,
                       size_t i, size_t n)
{
    const double y = 8 + line_high(n) * ((double)i + 0.5);
    picture_text(out, "e", left_of(d) - 8, y + 4, name_of(d, row->context));
    return y;
}

/* How many times slower the default is, by context: mean, greatest, and between. */
static void picture_losses(FILE *out, const struct report_data *d, const struct brief *b)
{
    size_t n;
    const double left = left_of(d);
    const struct brief_row **row = brief_by_mean(b, MOST_BARS, &n);
    double most = 1.2;
    for (size_t i = 0; i < n; i++)
        most = row[i]->most > most ? row[i]->most : most;
    picture_begin(out, "What the default loses", 30 + line_high(n) * (double)n);
    picture_axis(out, most, left, 8 + line_high(n) * (double)n);
    for (size_t i = 0; i < n; i++) {
        const double y = put_name(out, d, row[i], i, n);
        if (!row[i]->loss.cells)
            continue;
        const struct picture_dot dot = { row[i]->mean,
                                         1 + losses_quantile(&row[i]->loss, 0.25) / 100,
                                         1 + losses_quantile(&row[i]->loss, 0.75) / 100,
                                         row[i]->most };
        picture_dot(out, &dot, most, left, y);
    }
    fputs("</svg>\n", out);
    put_legend(out, d);
    end(out,
        "How many times slower the default is than the best: dot and number: mean; thick: the "
        "middle half of the cells; thin: up to the worst.",
        n, b->rows);
    free(row);
}

/* How sure: the shares of the cells, by context. */
static void picture_sure(FILE *out, const struct report_data *d, const struct brief *b)
{
    static const char *const class[] = { "gain", "likely", "same", "unsure", "unknown" };
    static const char *const word[] = { "certainly slower than the best", "slower; no interval",
                                        "as good", "unsure", "no time" };
    size_t n;
    const double left = left_of(d);
    const struct brief_row **row = brief_by_mean(b, MOST_BARS, &n);
    picture_begin(out, "How sure", 12 + line_high(n) * (double)n);
    for (size_t i = 0; i < n; i++) {
        const double y = put_name(out, d, row[i], i, n), high = line_high(n) - 8;
        const size_t part[] = { row[i]->certain, row[i]->gains - row[i]->certain, row[i]->same,
                                row[i]->unsure, row[i]->unknown };
        double x = left;
        for (size_t k = 0; k < sizeof part / sizeof *part && row[i]->cells; k++) {
            const double wide = (PICTURE_RIGHT - left) * (double)part[k] / (double)row[i]->cells;
            if (part[k])
                fprintf(out,
                        "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                        class[k], x, y - high / 2, wide, high);
            const char *const text = brief("%zu", part[k]);
            if (wide > PICTURE_DIGIT * (double)strlen(text) + 4)
                picture_text(out, "m", x + wide / 2, y + 4, text);
            x += wide;
        }
        picture_text(out, "", PICTURE_RIGHT + 6, y + 4, brief("%zu", row[i]->cells));
    }
    fputs("</svg>\n", out);
    for (size_t k = 0; k < sizeof word / sizeof *word; k++)
        key(out, class[k], NULL, word[k]);
    end(out, "Cells by how the default does in them; at the right their number.", n, b->rows);
    free(row);
}

enum { MOST_ROWS = 6 };

/* ---- the table ---- */

/* The row of a collective and library with a mapping; NULL: there is none. */
static const struct brief_row *row_of(const struct brief *b, const struct context *c,
                                      const char *mapping)
{
    return find_below(b->row, i, b->rows,
                      strcmp(b->row[i].context->collective, c->collective) == 0 &&
                          strcmp(b->row[i].context->mpi, c->mpi) == 0 &&
                          strcmp(b->row[i].context->mapping, mapping) == 0);
}

static void put_factor(struct table *t, double factor, int is_mean)
{
    table_value(t, factor, "%s%s", brief_factor(factor), isfinite(factor) ? "×" : "");
    if (is_mean && factor > 1.03)
        table_mark(t, factor > 1.1 ? MARK_BAD : MARK_FAIR);
}

static void put_table(struct page *page, const struct brief *b, FILE *out)
{
    const struct report_data *d = page->data;
    const char *mapping;
    size_t by;
    const struct brief_row **row = brief_by_mean(b, b->rows, &by);
    struct table *t = page_table_new(page, "speedup", "Speed-up over the library’s default");
    table_columns(t, "<collective|collective%s", brief_library(d, 1) ? " ; <mpi|library" : "");
    for (size_t m = 0; (mapping = brief_mapping(d, m)); m++) /* each a column: none is hidden */
        table_columns(t, ">%s_mean|mean|ranks by %s ; >%s_most|up to|ranks by %s", mapping, mapping,
                      mapping, mapping);
    for (size_t i = 0; i < by; i++) {
        const struct context *c = row[i]->context;
        size_t k = 0;
        while (strcmp(row[k]->context->collective, c->collective) != 0 ||
               strcmp(row[k]->context->mpi, c->mpi) != 0)
            k++;
        if (k < i)
            continue;
        table_text(t, c->collective);
        if (brief_library(d, 1))
            table_cell(t, c->mpi, "%s%s%s", letter_of(d, c->mpi), *letter_of(d, c->mpi) ? ": " : "",
                       mpi_label(c->mpi));
        for (size_t m = 0; (mapping = brief_mapping(d, m)); m++) {
            const struct brief_row *at = row_of(b, c, mapping);
            put_factor(t, at ? at->mean : NAN, 1);
            put_factor(t, at ? at->most : NAN, 0);
        }
        if (table_rows(t) > MOST_ROWS)
            table_row_aside(t);
    }
    if (table_rows(t) > MOST_ROWS)
        table_note(t, "The %d of %zu with the most to gain; Choices has all.", MOST_ROWS,
                   table_rows(t));
    free(row);
    page_table_into(page, t, out);
}

/* ---- the page ---- */

static void put_command(FILE *out, const char *what, const char *command)
{
    if (!command)
        return;
    fprintf(out, "<p>%s<br><code>", what);
    escape_html(out, command);
    fputs("</code></p>\n", out);
}

/* Behind `before`, where there is anything. */
static void put_escaped(FILE *out, const struct report_data *d, const char *before,
                        void (*write)(FILE *, const struct report_data *))
{
    char *text = NULL;
    size_t size = 0;
    FILE *plain = memory_stream(&text, &size);
    write(plain, d);
    fclose(plain);
    if (*text)
        fputs(before, out);
    escape_html(out, text);
    free(text);
}

static void put_type(FILE *out, const struct report_data *d, const struct brief *b)
{
    fputs("<div class=\"type\">\n", out);
    put_command(out, "<strong>To write the file</strong> that the library loads:", b->export);
    if (b->export && b->rows > 1)
        fputs("<p class=\"note\">Other placements and libraries: <a href=\"#set\">What to set</a>."
              "</p>\n",
              out);
    put_escaped(out, d, "<p><strong>The file to load:</strong> ", brief_files);
    put_command(out, "<strong>To ask</strong> about one case:", b->ask);
    if (!b->export)
        fputs("<p>There is no rule to write.</p>\n", out);
    put_escaped(out, d, "<p><strong>It rests on</strong> ", brief_basis);
    put_escaped(out, d, ". Made by ", brief_maker);
    fputs(".</p></div>\n", out);
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    struct brief b;
    char *html = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&html, &size);
    brief_find(d, &b);
    fputs("<p class=\"verdict\">", out);
    escape_html(out, b.verdict);
    fputs("</p>\n<div class=\"facts\"><div>\n", out);
    put_table(page, &b, out);
    fputs("</div>\n", out);
    put_type(out, d, &b);
    fputs("</div>\n<div class=\"pictures\">\n", out);
    picture_winners(out, d, &b);
    picture_losses(out, d, &b);
    picture_sure(out, d, &b);
    fputs("</div>\n", out);
    fclose(out);
    brief_clear(&b);
    page_html(page, "answer", html);
}

const struct section section_answer = {
    .name = "answer",
    .title = "In short",
    .subject = PAGE_INDEX,
    .rows = SECTION_ROWS(choices),
    .absent = "No selection yet: `selection.csv` is not there (`collsel select` writes it).",
    .file = "selection.csv",
    .write = write_section,
};
