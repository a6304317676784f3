/* SPDX-License-Identifier: BSD-3-Clause */
/* How much has to be measured: what learners lose on cells kept from them, by how many timed points
 * they were taught. */
#include <math.h>
#include <string.h>

#include "reports/gnuplot.h"
#include "reports/section_common.h"
#include "reports/section.h"
#include "reports/style.h"

static int applies(const struct report_data *d)
{
    for (size_t i = 0; i < d->n_unseen; i++)
        if (d->unseen[i].learnings)
            return 1;
    return 0;
}

/* Who is drawn: colours after Okabe and Ito, told apart by markers, too. */
static const struct {
    const char *selector, *colour;
    int marker, dash;
} lines[] = {
    { "default", "#666666", 1, 2 },  { "best_single", "#999999", 2, 2 },
    { "nearest", "#e69f00", 4, 1 },  { "forest", "#009e73", 6, 1 },
    { "boosting", "#0072b2", 8, 1 }, { "svm", "#cc79a7", 10, 1 },
    { "knn", "#56b4e9", 12, 1 },     { "forest_class", "#5d8a3c", 7, 3 },
    { "safe", "#d55e00", 5, 1 },
};
enum { N_LINES = sizeof lines / sizeof *lines };

/* Of all cells together, where there are several collectives or mappings. */
static int is_drawn(const struct report_data *d, const struct heldout_trials *u,
                    const struct heldout_row *r)
{
    const int all = heldout_trials_row(u, NULL, "best") != NULL;
    return r->cells && isfinite(r->geomean_pct.value) &&
           heldout_trials_in(r, all           ? NULL
                                : d->contexts ? &d->context[0]
                                              : NULL);
}

/* Writes the points of all lines; seen[k]: line k has some. */
static void put_points(struct figure *f, const struct report_data *d,
                       const struct heldout_trials *u, int seen[N_LINES])
{
    for (size_t k = 0; k < N_LINES; k++)
        for (size_t i = 0; i < u->learnings; i++) {
            const struct heldout_row *r = &u->learning[i];
            if (!is_drawn(d, u, r) || strcmp(r->selector, lines[k].selector) != 0)
                continue;
            figure_row(f, "%s %zu %g %g %g", r->selector, r->trained, r->geomean_pct.value,
                       r->geomean_pct.low, r->geomean_pct.high);
            seen[k] = 1;
        }
}

static void put_figure(struct page *page, const struct heldout_trials *u, size_t number)
{
    static const char *const columns[] = { "selector", "timed_points", "geomean_pct",
                                           "low_pct",  "high_pct",     NULL };
    const struct report_data *d = page->data;
    int seen[N_LINES] = { 0 };
    size_t n = 0;
    struct figure f;
    figure_begin(&f, page, brief("learning%zu", number), 1040, 460, columns,
                 "what learners lose by what they were taught");
    put_points(&f, d, u, seen);
    gnuplot_print(
        f.gp,
        "is(s) = strcol(\"selector\") eq s ? 1 : NaN\nset title \"%s · %s\" textcolor rgb "
        "\"#333333\"\nset logscale x 2\nset xlabel \"timed points learnt from\"\nset "
        "ylabel \"loss, geometric mean (%%)\"\nset yrange [0:]\nset key outside right "
        "center reverse Left samplen 2.5\n",
        d->cluster, d->backend_title);
    for (size_t k = 0; k < N_LINES; k++)
        if (seen[k])
            gnuplot_print(f.gp,
                          "%sdata using (is(\"%s\")*column(\"timed_points\")):(column(\"geomean_"
                          "pct\")) smooth unique with linespoints lc rgb \"%s\" pt %d dt %d ps 0.9 "
                          "lw 1.8 title \"%s\"",
                          n++ ? ", \\\n     " : "plot ", lines[k].selector, lines[k].colour,
                          lines[k].marker, lines[k].dash, selector_label(lines[k].selector));
    fputc('\n', f.gp);
    figure_end(&f,
               "What learners lose where %s was held out, by how many timed points they learnt "
               "from: a sixteenth, an eighth, a quarter, half and all of the cells that were not "
               "held out, each part within the next.",
               u->rows ? u->row[0].holdout : u->name);
}

static void write_section(struct page *page)
{
    for (size_t i = 0; i < page->data->n_unseen; i++)
        if (page->data->unseen[i].learnings)
            put_figure(page, &page->data->unseen[i], i + 1);
}

const struct section section_learning = {
    .name = "learning",
    .title = "How much has to be measured",
    .subject = PAGE_SELECTORS,
    .applies = applies,
    .intro =
        "What is lost by how much was measured. Where a curve is flat, more measurements of the "
        "same kind gain nothing.\n",
    .write = write_section,
};
