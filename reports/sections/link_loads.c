/* SPDX-License-Identifier: BSD-3-Clause */
/* What each algorithm puts on the links of the network, in all steps and in its worst: drawn on the
 * torus or mesh where that is small, sorted by load where it is large, and in numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/stats.h"
#include "harness/base/memory.h"
#include "harness/study/topology.h"
#include "reports/gnuplot.h"
#include "reports/links_data.h"
#include "reports/section.h"
#include "reports/style.h"

/* Of the picture: larger networks are only sorted. */
enum { MOST_DRAWN = 64, MOST_PANELS = 9, DRAWN_DIMS = 3 };

static int is_of(const struct link_load *l, const struct links_scope *s, size_t k)
{
    return cell_in(&l->point.cell, s->context) && l->point.cell.procs == s->procs &&
           strcmp(l->point.cell.collective, s->collective) == 0 &&
           strcmp(l->point.candidate.algorithm, s->series[k].algorithm) == 0 &&
           l->point.candidate.segment_bytes == s->series[k].segment_bytes;
}

/* ---- in numbers ---- */

struct loads {
    size_t links;
    double sum, most, worst;
    uint64_t bytes; /* of the cell */
};

static struct loads loads_of(const struct report_data *d, const struct links_scope *s, size_t k)
{
    struct loads r = { .links = 0 };
    for (size_t i = 0; i < d->links; i++) {
        const struct link_load *l = &d->link[i];
        if (!is_of(l, s, k))
            continue;
        r.links++;
        r.sum += l->bytes;
        r.most = fmax(r.most, l->bytes);
        r.worst = fmax(r.worst, l->worst_bytes);
        r.bytes = l->point.cell.bytes;
    }
    return r;
}

static void put_bytes(struct table *t, double bytes)
{
    char raw[40];
    snprintf(raw, sizeof raw, "%.9g", bytes);
    table_cell(t, raw, "%s", show_bytes((uint64_t)bytes));
}

static void put_table(struct page *page, const struct links_scope *s)
{
    const struct report_data *d = page->data;
    uint64_t bytes = 0;
    struct table *t = scoped_table(page, s->context, "link-loads", "Bytes on the links");
    table_columns(t, "<algorithm|algorithm", ">links|links used", ">mean_bytes|mean|all steps",
                  ">most_bytes|most|all steps", ">most_over_mean|most / mean|all steps",
                  ">worst_bytes|worst step, most", ".procs|", ".bytes|", NULL);
    for (size_t k = 0; k < s->n; k++) {
        const struct loads r = loads_of(d, s, k);
        if (!r.links)
            continue;
        bytes = r.bytes;
        table_cells(t, "%s=%s | %zu", s->series[k].algorithm, series_label(s->series, s->n, k, 0),
                    r.links);
        put_bytes(t, r.sum / (double)r.links);
        put_bytes(t, r.most);
        table_number(t, r.most / (r.sum / (double)r.links), 2);
        put_bytes(t, r.worst);
        table_cells(t, "%d | %.0f", s->procs, (double)bytes);
    }
    table_note(
        t,
        "P = %d, %s. Counted from the routes, not measured. Links that carry nothing are left out.",
        s->procs, show_bytes(bytes));
    page_table(page, t);
}

/* ---- sorted ---- */

/* The loads of one algorithm, the largest first; thinned where there are many. */
static void put_sorted(struct figure *f, const struct links_scope *s, size_t k)
{
    enum { MOST_ROWS_SHOWN = 400 };
    const struct report_data *d = f->page->data;
    double *load = memory_zeros(d->links + 1, sizeof *load);
    size_t n = 0;
    for (size_t i = 0; i < d->links; i++)
        if (is_of(&d->link[i], s, k))
            load[n++] = d->link[i].bytes;
    stats_sort(load, n);
    for (size_t i = 0; i < n; i++) {
        if (n > MOST_ROWS_SHOWN && i % (n / MOST_ROWS_SHOWN) && i + 1 < n)
            continue;
        figure_row(f, "%s %ju %zu %g", s->series[k].algorithm, s->series[k].segment_bytes, i + 1,
                   load[n - 1 - i]);
    }
    free(load);
}

/* 1 when some algorithm loads so many links that their order says something. */
static int is_worth_sorting(const struct report_data *d, const struct links_scope *s)
{
    enum { FEWEST_LINKS = 8 };
    for (size_t k = 0; k < s->n; k++) {
        size_t n = 0;
        for (size_t i = 0; i < d->links; i++)
            n += is_of(&d->link[i], s, k) != 0;
        if (n >= FEWEST_LINKS)
            return 1;
    }
    return 0;
}

static void put_sorted_figure(struct page *page, const struct links_scope *s)
{
    static const char *const columns[] = { "algorithm", "segment_bytes", "place", "bytes", NULL };
    struct figure f;
    const struct report_data *d = page->data;
    scoped_figure(&f, page, s->context, "link-sorted", 1040, 430, columns,
                  "links sorted by what they carry in all steps");
    for (size_t k = 0; k < s->n; k++)
        put_sorted(&f, s, k);
    gnuplot_print(
        f.gp,
        "is(a,s) = (strcol(\"algorithm\") eq a && column(\"segment_bytes\") == s) ? 1 : NaN\n"
        "set title \"%s · P = %d\" textcolor rgb \"#333333\"\nset logscale y\nset xlabel "
        "\"links, the busiest first\"\nset ylabel \"MiB on a link, all steps\"\nset key outside "
        "right center reverse Left samplen 2.5\n",
        section_common_title(d, s->context), s->procs);
    for (size_t k = 0; k < s->n; k++)
        gnuplot_print(f.gp,
                      "%sdata using "
                      "(is(\"%s\",%llu)*column(\"place\")):(at_bytes(column(\"bytes\"))/1048576.0) "
                      "with linespoints %s pn 8 ps 0.9 dt %d title \"%s\"",
                      k ? ", \\\n     " : "plot ", s->series[k].algorithm,
                      (unsigned long long)s->series[k].segment_bytes,
                      algorithm_look(s->series[k].algorithm), series_dash(d, s->series, k),
                      series_label(s->series, s->n, k, 0));
    fputc('\n', f.gp);
    figure_end(&f,
               "What every link of the network carries in all steps together, by algorithm, the "
               "busiest link first: a flat line spreads its bytes well.");
}

/* ---- drawn ---- */

/* Where a node is drawn: planes of the first two dimensions side by side. */
struct spot {
    double x, y;
};

static struct spot spot_of(const struct topology *t, int node)
{
    int at[TOPOLOGY_DIMS] = { 0 };
    topology_coordinates(t, node, at);
    return (struct spot){ at[0] + at[2] * (t->net.extent[0] + 1.0), at[1] };
}

/* The half of a link that is drawn at the node that it leaves; the third dimension is a diagonal.
 */
static struct spot half_of(const char *name)
{
    static const struct spot way[DRAWN_DIMS] = { { 0.44, 0 }, { 0, 0.44 }, { 0.3, 0.3 } };
    const size_t len = strlen(name);
    const int dim = len >= 2 ? name[len - 1] - 'x' : 0;
    const double sign = len >= 2 && name[len - 2] == '-' ? -1 : 1;
    if (dim < 0 || dim >= DRAWN_DIMS)
        return (struct spot){ 0, 0 };
    return (struct spot){ sign * way[dim].x, sign * way[dim].y };
}

static void put_arrow(struct figure *f, const struct topology *t, const struct link_load *l,
                      const char *what, double bytes, double most)
{
    const struct spot at = spot_of(t, l->from), half = half_of(l->name);
    if (!(bytes > 0))
        return;
    figure_row(f, "%s %s %ju %s %g %g %g %g %g %g", what, l->point.candidate.algorithm,
               l->point.candidate.segment_bytes, l->name, at.x, at.y, half.x, half.y, bytes,
               bytes / most);
}

static void put_nodes(struct figure *f, const struct topology *t)
{
    for (int node = 0; node < t->net.nodes; node++) {
        const struct spot at = spot_of(t, node);
        figure_row(f, "%s %s %d %s %g %g %d %d %d %d", "node", "", 0, "", at.x, at.y, 0, 0, 0, 0);
    }
}

static void put_panel(FILE *gp, const struct links_scope *s, const struct topology *t,
                      const struct loads *r, size_t k, int worst)
{
    const double high = 0.9 / (double)s->n, top = 0.955 - high * (double)k;
    const double width = (t->net.dims > 2 ? t->net.extent[2] : 1) * (t->net.extent[0] + 1.0);
    gnuplot_print(
        gp,
        "set lmargin at screen %.3f\nset rmargin at screen %.3f\nset tmargin at screen %.4f\n"
        "set bmargin at screen %.4f\nset title \"%s, %s: at most %s on a link\" offset 0,-0.9\n"
        "set xrange [-0.7:%.2f]\nset yrange [-0.6:%.2f]\n",
        worst ? 0.02 : 0.51, worst ? 0.49 : 0.98, top - 0.1 * high, top - high + 0.02 * high,
        series_label(s->series, s->n, k, 0), worst ? "worst step" : "all steps",
        show_bytes((uint64_t)(worst ? r->worst : r->most)), width - 1.3,
        (t->net.dims > 1 ? t->net.extent[1] : 1) - 0.4);
    gnuplot_print(
        gp,
        "plot data using (is(\"node\",\"\",0)*column(\"x\")):(column(\"y\")) with points pt 7 ps "
        "0.5 lc rgb \"#888888\" notitle, \\\n     data using "
        "(is(\"%s\",\"%s\",%llu)*column(\"x\")):(column(\"y\")):(column(\"dx\")):(column(\"dy\")):"
        "(column(\"share\")) with vectors head filled size screen 0.006,22 lc palette lw 2.2 "
        "notitle\n",
        worst ? "worst" : "all", s->series[k].algorithm,
        (unsigned long long)s->series[k].segment_bytes);
}

static void put_picture(struct page *page, const struct links_scope *all, const struct topology *t)
{
    static const char *const columns[] = { "what", "algorithm", "segment_bytes", "link",  "x", "y",
                                           "dx",   "dy",        "bytes",         "share", NULL };
    struct figure f;
    struct links_scope s = *all;
    const struct report_data *d = page->data;
    s.n = s.n < MOST_PANELS ? s.n : MOST_PANELS;
    const int rows = t->net.dims > 1 ? t->net.extent[1] : 1;
    scoped_figure(&f, page, s.context, "link-loads", 1040, 60 + (int)s.n * (60 + 34 * rows),
                  columns, "bytes on the links of the network");
    put_nodes(&f, t);
    gnuplot_print(f.gp,
                  "is(w,a,s) = (strcol(\"what\") eq w && strcol(\"algorithm\") eq a && "
                  "column(\"segment_bytes\") == s) ? 1 : NaN\n"
                  "set multiplot title \"%s · P = %d · %s %s\" textcolor rgb \"#333333\"\n"
                  "unset border\nunset tics\nunset grid\nset cbrange [0:1]\nunset colorbox\n"
                  "set palette defined (0 \"#cfe3f2\", 0.34 \"#56B4E9\", 0.67 \"#E69F00\", 1 "
                  "\"#B2182B\")\n",
                  section_common_title(d, s.context), s.procs, s.place->topology, s.place->shape);
    for (size_t k = 0; k < s.n; k++) {
        const struct loads r = loads_of(d, &s, k);
        for (size_t i = 0; i < d->links; i++)
            if (is_of(&d->link[i], &s, k)) {
                put_arrow(&f, t, &d->link[i], "worst", d->link[i].worst_bytes, r.worst);
                put_arrow(&f, t, &d->link[i], "all", d->link[i].bytes, r.most);
            }
        for (int worst = 1; worst >= 0; worst--)
            put_panel(f.gp, &s, t, &r, k, worst);
    }
    fputs("unset multiplot\n", f.gp);
    figure_end(&f, "Every arrow is a link in one direction, drawn as far as half its way from the "
                   "node that it leaves; planes of the third dimension stand side by side, its "
                   "links are the diagonals. Pale blue to red: share of the busiest link of the "
                   "panel. Links that carry nothing are not drawn.");
}

/* The network of the place, where it is one that can be drawn. */
static int drawn_topology(const struct links_place *p, struct topology *t)
{
    static const struct key key = { .name = "shape", .type = KEY_EXTENTS };
    struct int_list extent;
    struct network net = { .nodes = 0, .link_rate = 1 };
    if (p->nodes > MOST_DRAWN || topology_kind_parse(p->topology, &net.kind, NULL) < 0 ||
        (net.kind != TOPOLOGY_TORUS && net.kind != TOPOLOGY_MESH) ||
        key_parse(&key, p->shape, &extent, NULL) < 0 || extent.n > DRAWN_DIMS)
        return 0;
    net.dims = (int)extent.n;
    for (size_t j = 0; j < extent.n; j++)
        net.extent[j] = extent.v[j];
    return topology_init(t, &net, NULL) == 0;
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    struct links_scope s;
    struct topology t;
    for (size_t i = 0; i < d->contexts; i++) {
        if (!links_scope_find(d, &d->context[i], &s))
            continue;
        section_common_heading(page, &d->context[i], "");
        if (drawn_topology(s.place, &t))
            put_picture(page, &s, &t);
        if (is_worth_sorting(page->data, &s))
            put_sorted_figure(page, &s);
        put_table(page, &s);
        links_scope_clear(&s);
    }
}

const struct section section_link_loads = {
    .name = "link_loads",
    .title = "What the links carry",
    .subject = PAGE_MODELS,
    .rows = SECTION_ROWS(links),
    .intro =
        "How many bytes each link of the network carries when every message takes its route: for "
        "the largest message among the most processes, counted from the schedules, not "
        "measured.\n\n",
    .write = write_section,
};
