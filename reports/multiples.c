/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/multiples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/stats.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"
#include "reports/gnuplot.h"
#include "reports/style.h"

enum { LEAST_PROCS = 6 };

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

/* ---- what there is ---- */

static int drawable(const struct regression_row *r)
{
    return r->n >= LEAST_PROCS && r->median_error >= 0 && strcmp(r->method, "huber") == 0;
}

int multiples_apply(const struct report_data *data)
{
    for (size_t i = 0; i < data->regressions; i++)
        if (drawable(&data->regression[i]))
            return 1;
    return 0;
}

static int is_kind(const struct cell *cell, const struct kind *kind)
{
    return strcmp(cell->collective, kind->collective) == 0 && strcmp(cell->mpi, kind->mpi) == 0;
}

size_t multiples_kinds(const struct report_data *data, struct kind *kind)
{
    size_t n = 0;
    for (size_t i = 0; i < data->regressions; i++) {
        const struct cell *c = &data->regression[i].cell;
        size_t k = 0;
        while (k < n && !is_kind(c, &kind[k]))
            k++;
        if (k < n || n == MOST_KINDS || !drawable(&data->regression[i]))
            continue;
        memcpy(kind[n].collective, c->collective, NAME_SIZE);
        memcpy(kind[n++].mpi, c->mpi, NAME_SIZE);
    }
    return n;
}

/* The size of the kind that is nearest to this one, by ratio. */
static uint64_t nearest_size(const struct report_data *data, const struct kind *kind,
                             uint64_t wanted)
{
    uint64_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < data->regressions; i++) {
        const struct regression_row *r = &data->regression[i];
        const double ratio = fabs(log((double)r->cell.bytes / (double)wanted));
        if (r->cell.bytes && drawable(r) && is_kind(&r->cell, kind) && ratio < least) {
            least = ratio;
            best = r->cell.bytes;
        }
    }
    return best;
}

size_t multiples_sizes(const struct report_data *data, const struct kind *kind, uint64_t *bytes)
{
    static const uint64_t wanted[MOST_SIZES] = { 8, 16384, 1048576 };
    size_t n = 0;
    for (size_t i = 0; i < MOST_SIZES; i++) {
        const uint64_t found = nearest_size(data, kind, wanted[i]);
        if (found && (n == 0 || bytes[n - 1] < found))
            bytes[n++] = found;
    }
    return n;
}

static int has_mapping(const struct report_data *data, const struct kind *kind, uint64_t bytes,
                       const char *mapping)
{
    for (size_t i = 0; i < data->regressions; i++) {
        const struct cell *c = &data->regression[i].cell;
        if (is_kind(c, kind) && strcmp(c->mapping, mapping) == 0 && (!bytes || c->bytes == bytes) &&
            drawable(&data->regression[i]))
            return 1;
    }
    return 0;
}

void multiples_find(const struct report_data *data, const struct kind *kind, uint64_t bytes,
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
        if (!is_kind(&r->cell, kind) || (bytes && r->cell.bytes != bytes) || !drawable(r))
            continue;
        n = series_add(all, n, &r->candidate);
        m->procs_high = r->procs_high > m->procs_high ? r->procs_high : m->procs_high;
    }
    series_sort(all, n);
    m->columns = n < MOST_COLUMNS ? n : MOST_COLUMNS;
    memcpy(m->column, all, m->columns * sizeof *all);
}

int multiples_place(const struct multiples *m, const struct cell *cell,
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

const char *multiples_name(const struct report_data *data, const struct kind *kind,
                           const char *base, uint64_t bytes)
{
    struct kind all[MOST_KINDS];
    int libraries = 0;
    const size_t n = multiples_kinds(data, all);
    for (size_t i = 0; i < n; i++)
        libraries += strcmp(all[i].collective, kind->collective) == 0;
    return brief("%s-%s%s%s%s", base, kind->collective, libraries > 1 ? "-" : "",
                 libraries > 1 ? kind->mpi : "",
                 bytes ? brief("-%llu", (unsigned long long)bytes) : "");
}

/* ---- the scale ---- */

void multiples_extend(struct multiples *m, double value)
{
    if (!isfinite(value) || value <= 0)
        return;
    double *added = array_add(&m->value, &m->n);
    if (added)
        *added = value;
}

void multiples_reach(struct multiples *m, double value)
{
    if (!(value > 0) || !isfinite(value))
        return;
    m->said_least = m->said_most > 0 ? fmin(m->said_least, value) : value;
    m->said_most = fmax(m->said_most, value);
}

/* The scale ends above the largest value, or at four times the 98th percentile; towards what models
 * say it goes on, so that their lines are seen, by a factor of four at most. */
size_t multiples_cut(struct multiples *m)
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

/* ---- data ---- */

void multiples_row(struct multiples *m, struct figure *f, int panel)
{
    struct panel_rows *p = &m->panel[panel];
    if (!p->file)
        p->file = memory_stream(&p->text, &p->size);
    f->data.file = p->file;
    p->rows++;
}

void multiples_data(struct multiples *m, struct figure *f)
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

const char *multiples_source(const struct multiples *m, int panel)
{
    const struct panel_rows *p = &m->panel[panel];
    return p->rows ? brief("data every ::%zu::%zu", p->first, p->first + p->rows - 1) : "data";
}

/* ---- drawing ---- */

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* 1 when the panels have room for more tics and larger marks. */
static int is_large(const struct multiples *m)
{
    return m->columns <= 2;
}

double multiples_mark(const struct multiples *m, double size)
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

int multiples_width(const struct multiples *m)
{
    return LEFT + RIGHT + (int)m->columns * panel_width(m);
}

int multiples_height(const struct multiples *m)
{
    return top_height(m) + AXIS + legend_height(m) + (int)m->rows * panel_height(m);
}

void multiples_begin(FILE *gp, const struct report_data *data, const struct multiples *m,
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

void multiples_panel(FILE *gp, const struct report_data *data, const struct multiples *m,
                     const struct panel_place *at)
{
    const double w = multiples_width(m), h = multiples_height(m);
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

void multiples_legend(FILE *gp, const struct multiples *m)
{
    legend_begin(gp, (double)legend_height(m) / multiples_height(m));
}
