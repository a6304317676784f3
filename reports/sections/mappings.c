/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency against the number of processes, for each algorithm and mapping, as measured and as the
 * models see it (the figures of Tallone 2024): small multiples, one figure per collective, library
 * and message size. */
#include "reports/gnuplot.h"
#include "reports/section_common.h"

/* ---- small multiples: a panel per mapping (down) and algorithm (across) ---- */

enum { MOST_ROWS = 3, MOST_COLUMNS = 12 };

/* Buffered data of one panel, so that its rows are contiguous in the
 * file: gnuplot skips the rows of other panels without parsing them. */
struct panel_rows {
    FILE *file; /* in memory; NULL: no row so far */
    char *text;
    size_t size, rows, first; /* first: its place among all rows, after panels_data */
};

struct multiples {
    struct kind kind;
    const char *row[MOST_ROWS]; /* mappings */
    size_t rows;
    struct series column[MOST_COLUMNS];
    size_t columns;
    int procs_low, procs_high;
    double *value; /* that the panels show, for the scale; freed by scale_cut */
    size_t n;
    double said_least, said_most; /* of predictions; 0: none */
    double least, most;           /* of the scale, after scale_cut */
    size_t named;                 /* entries of the legend, before the figure begins */
    struct panel_rows panel[MOST_ROWS * MOST_COLUMNS];
};

struct panel_place {
    size_t row, column;
    int number; /* row x columns + column */
};

/* Pixels of the page. Few panels are larger, so that every figure is as wide as the page's others:
 * its letters are then as large, and its title and legend have room. */
enum {
    PANEL_WIDTH = 190,
    PANEL_HEIGHT = 165,
    PANEL_GAP = 16,
    HALF_DIGIT = 4,
    PANELS_WIDTH = 920,
    PANELS_HEIGHT = 300,
    LEFT = 100,
    RIGHT = 20,
    TOP = 62,
    SEGMENT_LINE = 16,
    AXIS = 55,
    LEGEND_ROW = 15,
    LEGEND_COLUMNS = 4
};

static const char *const mappings[MOST_ROWS] = { "core", "socket", "node" };

static int has_mapping(const struct report_data *data, const struct kind *kind, uint64_t bytes,
                       const char *mapping)
{
    for (size_t i = 0; i < data->regressions; i++) {
        const struct cell *c = &data->regression[i].fit.cell;
        if (is_kind(c, kind) && strcmp(c->mapping, mapping) == 0 && (!bytes || c->bytes == bytes) &&
            regression_is_drawn(&data->regression[i]))
            return 1;
    }
    return 0;
}

/* The panels of a figure of a size. */
static void panels_find(const struct report_data *data, const struct kind *kind, uint64_t bytes,
                        struct multiples *m)
{
    struct series all[MOST_SERIES];
    *m = (struct multiples){ .kind = *kind, .procs_low = 1 };
    for (size_t i = 0; i < MOST_ROWS; i++)
        if (has_mapping(data, kind, bytes, mappings[i]))
            m->row[m->rows++] = mappings[i];
    size_t n = 0;
    for (size_t i = 0; i < data->regressions; i++) {
        const struct regression_row *r = &data->regression[i];
        if (!is_kind(&r->fit.cell, kind) || (bytes && r->fit.cell.bytes != bytes) ||
            !regression_is_drawn(r))
            continue;
        n = series_add(all, n, &r->fit.candidate);
        m->procs_high = r->fit.procs_high > m->procs_high ? r->fit.procs_high : m->procs_high;
    }
    series_sort(all, n);
    m->columns = n < MOST_COLUMNS ? n : MOST_COLUMNS;
    memcpy(m->column, all, m->columns * sizeof *all);
}

/* The panel of a point; 0 when it has none (another collective, library or algorithm). */
static int panel_of(const struct multiples *m, const struct cell *cell,
                    const struct candidate *candidate, struct panel_place *at)
{
    *at = (struct panel_place){ .row = 0 };
    if (!is_kind(cell, &m->kind))
        return 0;
    while (at->row < m->rows && strcmp(m->row[at->row], cell->mapping) != 0)
        at->row++;
    while (at->column < m->columns &&
           (m->column[at->column].segment_bytes != candidate->segment_bytes ||
            strcmp(m->column[at->column].algorithm, candidate->algorithm) != 0))
        at->column++;
    at->number = (int)(at->row * m->columns + at->column);
    return at->row < m->rows && at->column < m->columns;
}

/* Adds a value that the scale must cover. */
static void scale_extend(struct multiples *m, double value)
{
    if (!isfinite(value) || value <= 0)
        return;
    double *added = array_add(&m->value, &m->n);
    if (added)
        *added = value;
}

/* Adds one that it may cover. */
static void scale_reach(struct multiples *m, double value)
{
    if (!(value > 0) || !isfinite(value))
        return;
    m->said_least = m->said_most > 0 ? fmin(m->said_least, value) : value;
    m->said_most = fmax(m->said_most, value);
}

/* Fixes the scale. Returns the number of values to cover that lie above it. It ends above the
 * largest value, or at four times the 98th percentile; towards what models say it goes on, so that
 * their lines are seen, by a factor of four at most. */
static size_t scale_cut(struct multiples *m)
{
    size_t over = 0;
    m->least = 1e-6;
    m->most = 1;
    if (m->n) {
        stats_median(m->value, m->n); /* sorts */
        m->least = m->value[0] / 1.3;
        m->most = fmin(m->value[m->n - 1] * 1.3, 4 * stats_quantile(m->value, m->n, 0.98));
    }
    if (m->n && m->said_most > 0) {
        m->least = fmin(m->least, fmax(m->said_least / 1.3, m->least / 4));
        m->most = fmax(m->most, fmin(m->said_most * 1.3, m->most * 4));
    }
    while (over < m->n && m->value[m->n - 1 - over] > m->most)
        over++;
    free(m->value);
    m->value = NULL;
    return over;
}

/* The next row of the figure's data belongs to this panel: to be called before its first column. */
static void panel_row(struct multiples *m, struct figure *f, int panel)
{
    struct panel_rows *p = &m->panel[panel];
    if (!p->file)
        p->file = memory_stream(&p->text, &p->size);
    f->data.file = p->file;
    p->rows++;
}

/* Writes the held back rows, panel by panel. */
static void panels_data(struct multiples *m, struct figure *f)
{
    size_t first = 0;
    f->data.file = f->data_file;
    for (size_t i = 0; i < MOST_ROWS * MOST_COLUMNS; i++) {
        struct panel_rows *p = &m->panel[i];
        p->first = first;
        first += p->rows;
        if (!p->file)
            continue;
        fclose(p->file);
        fwrite(p->text, 1, p->size, f->data_file);
        free(p->text);
        p->file = NULL;
        p->text = NULL;
    }
}

/* "data every ::120::179", what a plot reads for a panel. */
static const char *panel_source(const struct multiples *m, int panel)
{
    const struct panel_rows *p = &m->panel[panel];
    return p->rows ? brief("data every ::%zu::%zu", p->first, p->first + p->rows - 1) : "data";
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* 1 when the panels have room for more tics and larger marks. */
static int is_large(const struct multiples *m)
{
    return m->columns <= 2;
}

/* The size of a mark (gnuplot's ps) that has this one among many panels. */
static double mark_size(const struct multiples *m, double size)
{
    return is_large(m) ? 2 * size : size;
}

static int panel_width(const struct multiples *m)
{
    return larger(PANEL_WIDTH, PANELS_WIDTH / larger(1, (int)m->columns));
}

static int panel_height(const struct multiples *m)
{
    return larger(PANEL_HEIGHT, PANELS_HEIGHT / larger(1, (int)m->rows));
}

/* Above the panels; their titles have a second line where any of them has a segment. */
static int top_height(const struct multiples *m)
{
    for (size_t i = 0; i < m->columns; i++)
        if (m->column[i].segment_bytes)
            return TOP + SEGMENT_LINE;
    return TOP;
}

static int legend_height(const struct multiples *m)
{
    const int rows = ((int)m->named + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
    return LEGEND_ROW * larger(2, rows);
}

/* The whole figure, in pixels of the page. */
static int whole_width(const struct multiples *m)
{
    return LEFT + RIGHT + (int)m->columns * panel_width(m);
}

static int whole_height(const struct multiples *m)
{
    return top_height(m) + AXIS + legend_height(m) + (int)m->rows * panel_height(m);
}

/* Begins the multiplot with its title and the scale, from least to most. */
static void panels_begin(FILE *gp, const struct report_data *data, const struct multiples *m,
                         const struct kind *kind, uint64_t bytes)
{
    const char *library = mpi_label(kind->mpi);
    const int named = strcmp(library, times_word(data)) != 0; /* else the title ends with it */
    gnuplot_print(gp, "set multiplot title \"%s · %s%s%s%s%s · %s\" textcolor rgb \"#333333\"\n",
                  kind->collective, bytes ? show_bytes(bytes) : "", bytes ? " · " : "",
                  named ? library : "", named ? " · " : "", data->cluster, data->backend_title);
    gnuplot_print(gp, "set xrange [0:%d]\nset yrange [%.9g:%.9g]\nset logscale y\n",
                  m->procs_high + 2, m->least, m->most);
}

/* Process counts: no label so near the end that it meets the 0 of the next panel. */
static void put_procs(FILE *gp, const struct multiples *m, int labelled)
{
    const int narrow = m->procs_high > 100 ? 64 : m->procs_high > 20 ? 16 : 4;
    const int step = is_large(m) ? narrow / 4 : narrow;
    const int end = m->procs_high + 2, wide = panel_width(m) - PANEL_GAP;
    fputs("set xtics (", gp);
    for (int p = 0; p <= m->procs_high; p += step) {
        char number[16];
        const int digits = snprintf(number, sizeof number, "%d", p);
        const int to_next = wide - wide * p / end + PANEL_GAP;
        gnuplot_print(gp, "%s\"%s\" %d", p ? ", " : "",
                      labelled && to_next >= HALF_DIGIT * (digits + 1) + 2 ? number : "", p);
    }
    fputs(")\n", gp);
}

/* The algorithm, and below it the segment where it has one. */
static void put_title(FILE *gp, const struct report_data *data, const struct series *s)
{
    const char *label = algorithm_label(s->algorithm, shows_library(data));
    if (s->segment_bytes)
        gnuplot_print(gp, "set title \"%s\\n%s segments\" offset 0,-0.6\n", label,
                      show_bytes(s->segment_bytes));
    else
        gnuplot_print(gp, "set title \"%s\" offset 0,-0.6\n", label);
}

/* Margins, title, labels and tics of a panel, before its "plot". */
static void panel_begin(FILE *gp, const struct report_data *data, const struct multiples *m,
                        const struct panel_place *at)
{
    const double w = whole_width(m), h = whole_height(m);
    const int wide = panel_width(m), high = panel_height(m);
    const double left = LEFT + (double)at->column * wide;
    const double top = top_height(m) + (double)at->row * high;
    gnuplot_print(gp,
                  "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset tmargin at screen "
                  "%.4f\nset bmargin at screen %.4f\n",
                  left / w, (left + wide - PANEL_GAP) / w, 1 - top / h, 1 - (top + high - 22) / h);
    if (at->row == 0)
        put_title(gp, data, &m->column[at->column]);
    else
        fputs("unset title\n", gp);
    if (at->column == 0)
        gnuplot_print(gp, "set ylabel \"time, by %s\" offset 1,0\n", m->row[at->row]);
    else
        fputs("unset ylabel\n", gp);
    const int last = at->row + 1 == m->rows;
    put_procs(gp, m, last);
    fputs(last ? "set xlabel \"processes\" offset 0,0.5\n" : "unset xlabel\n", gp);
    ticks_time(gp, m->least, m->most, at->column == 0); /* labels in the first column alone */
}

/* The models that are drawn in every panel, from below: all that choose. The one that is fitted to
 * the very times comes with its interval. */
struct lines {
    const struct model *model[MAX_MODELS];
    int drawn[MAX_MODELS];
    double low_s[MAX_MODELS], high_s[MAX_MODELS]; /* what a line says; 0: nothing */
    size_t n;
    const char *fitted; /* NULL: none */
};

/* Lines without marks: each of those drawn has a dash of its own. */
static int dash_of(const struct lines *lines, size_t k)
{
    int dash = 1;
    for (size_t i = 0; i < k; i++)
        dash += lines->drawn[i] != 0;
    return dash;
}

static void find_lines(struct lines *lines)
{
    *lines = (struct lines){ .n = 0 };
    for (const struct model *const *m = models; *m; m++) {
        if ((*m)->only_predicts)
            continue;
        lines->fitted = !lines->fitted && (*m)->fitted ? (*m)->name : lines->fitted;
        lines->model[lines->n++] = *m;
    }
}

static void put_value(struct figure *f, struct multiples *m, const struct panel_place *at,
                      const char *series, const struct cell *cell,
                      const struct candidate *candidate, const double *time_s)
{
    panel_row(m, f, at->number);
    figure_row(f, "%d %s %s %s %ju %d %g %g %g", at->number, series, cell->mapping,
               candidate->algorithm, candidate->segment_bytes, cell->procs, time_s[0], time_s[1],
               time_s[2]);
}

/* The number of the fitted model's line; lines->n: none. */
static size_t fitted_line(const struct lines *lines)
{
    const size_t k = first_below(i, lines->n, lines->model[i]->name == lines->fitted);
    return k;
}

static void line_says(struct lines *lines, size_t k, double time_s)
{
    if (k == lines->n || !(time_s > 0) || !isfinite(time_s))
        return;
    lines->low_s[k] = lines->high_s[k] > 0 ? fmin(lines->low_s[k], time_s) : time_s;
    lines->high_s[k] = fmax(lines->high_s[k], time_s);
}

/* 1 when a line is drawn, but none of it lies within the scale. */
static int is_off(const struct multiples *m, const struct lines *lines, size_t k)
{
    return lines->drawn[k] && (lines->low_s[k] > m->most || lines->high_s[k] < m->least);
}

/* Measured times, and the fitted model with its interval. */
static void put_measured(struct figure *f, struct multiples *m, struct lines *lines, uint64_t bytes)
{
    const struct report_data *d = f->page->data;
    struct panel_place at;
    for (size_t i = 0; i < d->regression_points; i++) {
        const struct regression_point *p = &d->regression_point[i];
        if (p->cell.bytes != bytes || !panel_of(m, &p->cell, &p->candidate, &at))
            continue;
        const double measured[] = { p->measured_s, NAN, NAN };
        const double fitted[] = { p->huber_s, p->huber_low_s, p->huber_high_s };
        put_value(f, m, &at, "measured", &p->cell, &p->candidate, measured);
        if (lines->fitted) {
            put_value(f, m, &at, lines->fitted, &p->cell, &p->candidate, fitted);
            line_says(lines, fitted_line(lines), p->huber_s);
        }
        scale_extend(m, p->measured_s);
    }
}

/* The line that a prediction belongs to, and its panel; lines->n: none. */
static size_t line_of(const struct multiples *m, const struct lines *lines, uint64_t bytes,
                      const struct predicted *p, struct panel_place *at)
{
    size_t k = 0;
    if (p->point.cell.bytes != bytes || !(p->prediction.seconds > 0) ||
        !panel_of(m, &p->point.cell, &p->point.candidate, at))
        return lines->n;
    while (k < lines->n && lines->model[k] != p->model)
        k++;
    return k;
}

/* Which lines there are, for the legend. */
static void mark_drawn(const struct report_data *d, struct multiples *m, struct lines *lines,
                       uint64_t bytes)
{
    struct panel_place at;
    for (size_t i = 0; i < d->predictions; i++) {
        const size_t k = line_of(m, lines, bytes, &d->prediction[i], &at);
        if (k < lines->n)
            lines->drawn[k] = 1;
    }
    m->named = 1;
    for (size_t k = 0; k < lines->n; k++)
        m->named += lines->drawn[k] == 1;
}

/* The other models' lines. */
static void put_predicted(struct figure *f, struct multiples *m, struct lines *lines,
                          uint64_t bytes)
{
    const struct report_data *d = f->page->data;
    struct panel_place at;
    for (size_t i = 0; i < d->predictions; i++) {
        const struct predicted *p = &d->prediction[i];
        const double time_s[] = { p->prediction.seconds, NAN, NAN };
        const size_t k = line_of(m, lines, bytes, p, &at);
        if (k == lines->n || lines->fitted == lines->model[k]->name)
            continue;
        put_value(f, m, &at, p->model->name, &p->point.cell, &p->point.candidate, time_s);
        scale_reach(m, p->prediction.seconds);
        line_says(lines, k, p->prediction.seconds);
    }
}

static void draw_panel(FILE *gp, const struct multiples *m, const struct panel_place *at,
                       const struct lines *lines)
{
    const char *data = panel_source(m, at->number);
    const char *comma = "plot ";
    for (size_t k = 0; k < lines->n; k++) {
        const struct model *line = lines->model[k];
        if (!lines->drawn[k])
            continue;
        if (line->name == lines->fitted) {
            gnuplot_print(
                gp,
                "%s%s using (is(%d,\"%s\")*column(\"procs\")):(column(\"low_s\")):("
                "column(\"high_s\")) with filledcurves fs solid 0.18 noborder lc rgb \"%s\" "
                "notitle",
                comma, data, at->number, line->name, model_colour(line));
            comma = ", \\\n     ";
        }
        gnuplot_print(gp,
                      "%s%s using (is(%d,\"%s\")*column(\"procs\")):(column(\"time_s\")) "
                      "smooth unique with lines lc rgb \"%s\" dt %d lw 1.5 notitle",
                      comma, data, at->number, line->name, model_colour(line), dash_of(lines, k));
        comma = ", \\\n     ";
    }
    gnuplot_print(gp,
                  "%s%s using (is(%d,\"measured\")*column(\"procs\")):(below(column("
                  "\"time_s\"))) with points pt 7 ps %.2f lc rgb \"#222222\" notitle"
                  ", \\\n     %s using (is(%d,\"measured\")*column(\"procs\")):(above(column("
                  "\"time_s\"))) with points pt 9 ps 0.5 lc rgb \"#CC0000\" notitle\n",
                  comma, data, at->number, mark_size(m, 0.22), data, at->number);
}

/* Without the lines that lie off the scale, of which the caption tells. */
static void draw_legend(FILE *gp, const struct report_data *d, const struct multiples *m,
                        const struct lines *lines)
{
    /* legend_begin (page.h) on the strip below the panels. */
    legend_begin(gp, (double)legend_height(m) / whole_height(m));
    gnuplot_print(gp, "NaN with points pt 7 ps 0.5 lc rgb \"#222222\" title \"%s\"", times_word(d));
    for (size_t k = 0; k < lines->n; k++) {
        const struct model *line = lines->model[k];
        if (lines->drawn[k] && !is_off(m, lines, k))
            gnuplot_print(gp, ", NaN with lines lc rgb \"%s\" dt %d lw 1.5 title \"%s%s\"",
                          model_colour(line), dash_of(lines, k), model_label(line),
                          no_test_mark(d, line));
    }
    legend_end(gp);
}

/* " Off the scale: textbook model (15 ms)." or nothing. */
static void say_off(const struct report_data *d, const struct multiples *m,
                    const struct lines *lines, char *text, size_t size)
{
    const char *low;
    const char *high;
    size_t used = 0;
    *text = '\0';
    for (size_t k = 0; k < lines->n && used < size; k++) {
        if (!is_off(m, lines, k))
            continue;
        low = show_time(lines->low_s[k]);
        high = show_time(lines->high_s[k]);
        const int one = strcmp(low, high) == 0;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s (%s%s%s)",
                                 used ? ", " : " Off the scale: ", model_label(lines->model[k]),
                                 no_test_mark(d, lines->model[k]), low, one ? "" : " to ",
                                 one ? "" : high);
    }
    if (used && used < size)
        snprintf(text + used, size - used, ".");
}

/* What the band is, and how far it holds for times that the regression was not fitted to. */
static void say_band(const struct report_data *d, const struct multiples *m, uint64_t bytes,
                     char *text, size_t size)
{
    struct panel_place at;
    double covered = 0, confidence = NAN;
    size_t n = 0;
    for (size_t i = 0; i < d->regressions; i++) {
        const struct regression_row *r = &d->regression[i];
        if (r->fit.cell.bytes != bytes || strcmp(r->method, "huber") != 0 ||
            !isfinite(r->fit.covered) || !panel_of(m, &r->fit.cell, &r->fit.candidate, &at))
            continue;
        covered += r->fit.covered;
        confidence = r->confidence;
        n++;
    }
    if (n)
        snprintf(text, size,
                 "Band: where the regression expects %g %% of single times. Fitted to every "
                 "other P, it holds %.0f %% of the rest.",
                 100 * confidence, 100 * covered / (double)n);
    else
        snprintf(text, size, "Band: where the regression expects single times.");
}

static void put_figure(struct page *page, const struct kind *kind, uint64_t bytes)
{
    static const char *const columns[] = { "panel",         "series", "mapping", "algorithm",
                                           "segment_bytes", "procs",  "time_s",  "low_s",
                                           "high_s",        NULL };
    struct figure f;
    struct multiples m;
    char band[240], off[200], cut[80] = "";
    const char *word = times_word(page->data);
    struct lines lines;
    find_lines(&lines);
    panels_find(page->data, kind, bytes, &m);
    mark_drawn(page->data, &m, &lines, bytes);
    const char *name = regression_name(page->data, kind, "latency", bytes);
    figure_begin(&f, page, name, whole_width(&m), whole_height(&m), columns,
                 "latency against the number of processes");
    put_measured(&f, &m, &lines, bytes);
    put_predicted(&f, &m, &lines, bytes);
    panels_data(&m, &f);
    const size_t over = scale_cut(&m);
    fputs("is(p,s) = (column(\"panel\") == p && strcol(\"series\") eq s) ? 1 : NaN\n", f.gp);
    gnuplot_print(f.gp,
                  "top = %.9g\nbelow(t) = t <= top ? t : NaN\nabove(t) = t > top ? top : NaN\n",
                  m.most);
    panels_begin(f.gp, page->data, &m, kind, bytes);
    for (size_t r = 0; r < m.rows; r++)
        for (size_t c = 0; c < m.columns; c++) {
            const struct panel_place at = { r, c, (int)(r * m.columns + c) };
            panel_begin(f.gp, page->data, &m, &at);
            draw_panel(f.gp, &m, &at, &lines);
        }
    draw_legend(f.gp, page->data, &m, &lines);
    if (over)
        snprintf(cut, sizeof cut, " Triangles at the top: %zu %s times beyond the scale.", over,
                 word);
    say_band(page->data, &m, bytes, band, sizeof band);
    say_off(page->data, &m, &lines, off, sizeof off);
    f.aside = page->data->contexts > MANY_CONTEXTS;
    figure_end(&f, "%s, %s: time against P, by mapping (down) and algorithm (across). %s%s%s",
               kind->collective, show_bytes(bytes), band, off, cut);
}

static void write_section(struct page *page)
{
    struct kind kind[MOST_KINDS];
    uint64_t bytes[MOST_SIZES];
    const size_t kinds = regression_kinds(page->data, kind);
    fprintf(page->md,
            "How time grows with the number of processes, drawn as in Tallone (2024). Points are "
            "%s times. Lines are models: a regression was fitted to these very times, the "
            "others to none or few of them (their sections say which); (simulator): no test, the "
            "simulator's own arithmetic.\n",
            times_word(page->data));
    for (size_t k = 0; k < kinds; k++) {
        const size_t sizes = regression_sizes(page->data, &kind[k], bytes);
        for (size_t i = 0; i < sizes; i++)
            put_figure(page, &kind[k], bytes[i]);
    }
}

const struct section section_mappings = {
    .name = "mappings",
    .title = "Latency by processes and mapping",
    .subject = PAGE_MODELS,
    .applies = regressions_apply,
    .write = write_section,
};
