/* SPDX-License-Identifier: BSD-3-Clause */
/* Why textbook models do not do: binary against binomial tree as the textbook model, the
 * measurement and a model of the schedules see them (the paper's Fig. 1, with a third panel). */
#include "reports/gnuplot.h"
#include "reports/section_common.h"

enum { PAPER_PROCS = 90 };

static int applies(const struct report_data *d)
{
    return any_below(i, d->predictions,
                     strcmp(d->prediction[i].model->name, "textbook") == 0 &&
                         d->prediction[i].prediction.seconds > 0);
}

static const char *const trees[] = { "binary_tree", "binomial" };

static int is_tree(const char *algorithm, size_t k)
{
    return strcmp(algorithm_base_name(algorithm), trees[k]) == 0;
}

/* The rows of the figure: the time of one of the trees by one of the panels. Our own schedules are
 * shown where native algorithms of the same name are measured too. */
static int wanted(const struct predicted *p, const struct context *context, int procs, int root)
{
    return cell_in(&p->point.cell, context) && p->point.cell.procs == procs &&
           p->point.cell.root == root && is_portable(p->point.candidate.algorithm) &&
           (p->point.purpose == FOR_STUDY || p->point.purpose == FOR_HELD_BYTES) &&
           (is_tree(p->point.candidate.algorithm, 0) || is_tree(p->point.candidate.algorithm, 1));
}

static const char textbook[] = "textbook";
enum { N_PANELS = 3, N_TREES = 2 };

/* Of the data of a figure: its panels, sizes, times, and the curves that there are. */
struct extent {
    const char *panel[N_PANELS]; /* the textbook model, "measured", a model of the schedules */
    uint64_t low, high;
    double least_s, most_s;
    int curve[N_PANELS][N_TREES];
};

static void put_value(struct figure *f, const char *panel, const struct predicted *p, double s,
                      struct extent *e)
{
    if (!(s > 0) || !isfinite(s))
        return;
    figure_row(f, "%s %s %ju %g", panel, algorithm_base_name(p->point.candidate.algorithm),
               p->point.cell.bytes, s);
    e->low = p->point.cell.bytes < e->low ? p->point.cell.bytes : e->low;
    e->high = p->point.cell.bytes > e->high ? p->point.cell.bytes : e->high;
    e->least_s = least_positive(e->least_s, s);
    e->most_s = fmax(e->most_s, s);
    for (size_t i = 0; i < N_PANELS; i++)
        if (strcmp(e->panel[i], panel) == 0)
            e->curve[i][is_tree(p->point.candidate.algorithm, 1)] = 1;
}

/* The model of the third panel: the one whose choices are shown, or the next where that is this. */
static const struct model *model_beside(const struct report_data *d, const struct context *context)
{
    const struct model *first = main_model(d, context);
    return first && strcmp(first->name, textbook) == 0 ? next_model(d, context, &first, 1) : first;
}

/* Returns whether there is anything to draw. */
static int put_values(struct figure *f, const struct context *context, int procs, int root,
                      struct extent *e)
{
    const struct report_data *d = f->page->data;
    uint64_t segment = UINT64_MAX; /* the smallest, where the study has several */
    const struct model *m = model_beside(d, context);
    *e = (struct extent){ .panel = { textbook, "measured", m ? m->name : "" },
                          .low = UINT64_MAX,
                          .least_s = INFINITY };
    for (size_t i = 0; i < d->predictions; i++)
        if (wanted(&d->prediction[i], context, procs, root) &&
            d->prediction[i].point.candidate.segment_bytes < segment)
            segment = d->prediction[i].point.candidate.segment_bytes;
    for (size_t i = 0; i < d->predictions; i++) {
        const struct predicted *p = &d->prediction[i];
        if (!wanted(p, context, procs, root) || p->point.candidate.segment_bytes != segment)
            continue;
        if (strcmp(p->model->name, textbook) == 0) {
            put_value(f, textbook, p, p->prediction.seconds, e);
            put_value(f, e->panel[1], p, p->measured_s, e);
        } else if (strcmp(p->model->name, e->panel[2]) == 0) {
            put_value(f, e->panel[2], p, p->prediction.seconds, e);
        }
    }
    return e->high > 0;
}

static void put_panels(FILE *gp, const struct report_data *d, const struct extent *e)
{
    const double low = e->least_s / 1.4, high = e->most_s * 1.4;
    char title[N_PANELS][96] = { "(a) textbook model" };
    snprintf(title[1], sizeof title[1], "(b) %s", times_word(d));
    snprintf(title[2], sizeof title[2], "(c) %s", selector_label(e->panel[2]));
    for (size_t p = 0; p < N_PANELS; p++) {
        double left = 0.095 + 0.305 * (double)p;
        gnuplot_print(
            gp,
            "set lmargin at screen %.3f\nset rmargin at screen %.3f\nset title \"%s\" offset "
            "0,-0.5\n",
            left, left + 0.265, title[p]);
        ticks_time(gp, low, high, p == 0);
        if (p == 1)
            fputs("unset ylabel\n", gp);
        const char *comma = "plot ";
        for (size_t k = 0; k < N_TREES; k++) {
            if (!e->curve[p][k])
                continue;
            gnuplot_print(gp,
                          "%sdata using "
                          "(pick(\"%s\",\"%s\")*at_bytes(column(\"bytes\"))):(column(\"time_s\")) "
                          "smooth unique with linespoints %s ps 0.8 notitle",
                          comma, e->panel[p], trees[k], algorithm_look(trees[k]));
            comma = ", \\\n     ";
        }
        fputs(*comma == 'p' ? "plot NaN notitle # nothing here\n" : "\n", gp);
    }
    legend_begin(gp, 0.1);
    for (size_t k = 0; k < 2; k++)
        gnuplot_print(gp, "%sNaN with linespoints %s ps 0.8 title \"%s tree\"", k ? ", " : "",
                      algorithm_look(trees[k]), style_of(trees[k]).label);
    legend_end(gp);
}

static void put_figure(struct page *page, const struct context *context, int procs, int root)
{
    static const char *const columns[] = { "panel", "algorithm", "bytes", "time_s", NULL };
    struct figure f;
    struct extent e;
    const struct report_data *d = page->data;
    scoped_figure(&f, page, context, "fig1", 1040, 430, columns,
                  "binary and binomial tree: models and times");
    if (!put_values(&f, context, procs, root, &e))
        e = (struct extent){ .panel = { textbook, "measured", "" },
                             .low = 1,
                             .high = 1024,
                             .least_s = 1e-6,
                             .most_s = 1 };
    gnuplot_print(f.gp,
                  "pick(p,a) = (strcol(\"panel\") eq p && strcol(\"algorithm\") eq a) ? 1 : NaN\n"
                  "set multiplot title \"%s · P = %d\" textcolor rgb \"#333333\"\n"
                  "set tmargin at screen 0.83\nset bmargin at screen 0.26\nset logscale y\n"
                  "set xlabel \"message size\"\nset ylabel \"time\"\nset yrange [%.9g:%.9g]\n",
                  section_common_title(d, context), procs, e.least_s / 1.4, e.most_s * 1.4);
    axis_bytes(f.gp, e.low, e.high, panel_factor(e.low, e.high));
    put_panels(f.gp, d, &e);
    figure_end(&f,
               "As Fig. 1 of the paper, P = %d: the time of the binary and of the binomial tree by "
               "textbook formulas (with α and β of point-to-point messages), as %s%s%s.",
               procs, times_word(d), *e.panel[2] ? ", and by the " : "",
               *e.panel[2] ? selector_label(e.panel[2]) : "");
}

static void write_context(struct page *page, const struct context *context)
{
    struct grid g;
    grid_find(page->data, context, "study", &g);
    if (g.n_procs)
        put_figure(page, context, g.procs[nearest(g.procs, g.n_procs, PAPER_PROCS)], g.root);
}

const struct section section_textbook = {
    .name = "textbook",
    .title = "Textbook formulas against the times",
    .subject = PAGE_MODELS,
    .applies = applies,
    .absent = "No predictions yet: `predictions.csv` is not there (`collsel fit` writes it).",
    .file = "predictions.csv",
    .of_experiments = 1,
    .intro =
        "Textbook formulas know neither how an implementation sends its segments nor that several "
        "children can be served at once. They may put two algorithms in the wrong order, and then "
        "choose the slower one.\n",
    .heading = "",
    .each = write_context,
};
