/* SPDX-License-Identifier: BSD-3-Clause */
/* Models that route messages over links: predicted over measured by message size (as Sugiyama,
 * Morie & Nanri, Fig. 4 and 5), ring and Bruck (Fig. 6 and 7) with the size at which they cross,
 * and the ratios as a table. */
#include "reports/gnuplot.h"
#include "reports/section_common.h"

/* ---- the cells that are shown, and the predictions there ---- */

/* A context with a platform: the most processes of the study's grid, at its root, and the
 * algorithms that are predicted there, portable ones where there are any. */
enum { MOST_LINKS_MODELS = 8 };

struct scope {
    const struct context *context;
    const struct links_place *place;
    char collective[NAME_SIZE];
    int procs, root;
    uint64_t low, high; /* sizes */
    struct series series[MOST_SERIES];
    size_t n;
    const struct model *paper;                    /* the one that the paper has */
    const struct model *model[MOST_LINKS_MODELS]; /* those that predict here, by their table */
    size_t models;
    const struct predicted **row; /* of the scope, of all models; owned */
    size_t rows;
};

/* A row of the section's models in the context, of the study's grid. */
static int is_row(const struct predicted *p, const struct scope *scope)
{
    return p->model == scope->paper && cell_in(&p->point.cell, scope->context) &&
           p->point.purpose == FOR_STUDY && isfinite(p->prediction.seconds);
}

/* The largest cell, and whether portable algorithms are there. */
static const struct predicted *find_largest(const struct report_data *d, const struct scope *scope,
                                            int *portable)
{
    const struct predicted *best = NULL;
    *portable = 0;
    for (size_t i = 0; i < d->predictions; i++) {
        const struct predicted *p = &d->prediction[i];
        if (!is_row(p, scope))
            continue;
        if (!best || p->point.cell.procs > best->point.cell.procs ||
            (p->point.cell.procs == best->point.cell.procs &&
             p->point.cell.root < best->point.cell.root))
            best = p;
        *portable |= is_portable(p->point.candidate.algorithm);
    }
    return best;
}

static int in_scope(const struct scope *scope, const struct cell *cell)
{
    return cell_in(cell, scope->context) && cell->procs == scope->procs &&
           cell->root == scope->root && strcmp(cell->collective, scope->collective) == 0;
}

/* Few of very many predictions: all that follows looks among them alone. */
static void find_rows(const struct report_data *d, struct scope *scope)
{
    scope->row = memory_zeros(d->predictions + 1, sizeof *scope->row);
    for (size_t i = 0; i < d->predictions; i++)
        if (d->prediction[i].point.cell.procs == scope->procs &&
            in_scope(scope, &d->prediction[i].point.cell))
            scope->row[scope->rows++] = &d->prediction[i];
}

/* Drops the models that predict nothing here: on a star or tree no flows are walked. */
static void drop_silent(struct scope *scope)
{
    size_t kept = 0;
    for (size_t m = 0; m < scope->models; m++) {
        const size_t i = first_below(k, scope->rows,
                                     (scope->row[k]->model == scope->model[m] &&
                                      isfinite(scope->row[k]->prediction.seconds)));
        if (i < scope->rows)
            scope->model[kept++] = scope->model[m];
    }
    scope->models = kept;
}

static void scope_clear(struct scope *scope)
{
    free(scope->row);
    scope->row = NULL;
    scope->rows = 0;
}

/* 1 when the context has a platform and predictions; to be cleared then (0: nothing to clear). */
static int scope_find(const struct report_data *d, const struct context *context,
                      struct scope *scope)
{
    int portable;
    *scope = (struct scope){ .context = context, .low = UINT64_MAX };
    /* The models that route messages over links. */
    scope->paper = links_paper;
    for (const struct model *const *m = links_models; *m && scope->models < MOST_LINKS_MODELS; m++)
        scope->model[scope->models++] = *m;
    const struct predicted *largest = find_largest(d, scope, &portable);
    for (size_t i = 0; i < d->links_places; i++)
        if (strcmp(d->links_place[i].of.mpi, context->mpi) == 0 &&
            strcmp(d->links_place[i].of.mapping, context->mapping) == 0)
            scope->place = &d->links_place[i];
    if (!largest || !scope->place)
        return 0;
    memcpy(scope->collective, largest->point.cell.collective, NAME_SIZE);
    scope->procs = largest->point.cell.procs;
    scope->root = largest->point.cell.root;
    find_rows(d, scope);
    drop_silent(scope);
    for (size_t i = 0; i < scope->rows; i++) {
        const struct predicted *p = scope->row[i];
        if (!is_row(p, scope) || !in_scope(scope, &p->point.cell) ||
            (portable && !is_portable(p->point.candidate.algorithm)))
            continue;
        scope->n = series_add(scope->series, scope->n, &p->point.candidate);
        scope->low = p->point.cell.bytes < scope->low ? p->point.cell.bytes : scope->low;
        scope->high = p->point.cell.bytes > scope->high ? p->point.cell.bytes : scope->high;
    }
    series_sort(scope->series, scope->n);
    if (!scope->n)
        scope_clear(scope);
    return scope->n > 0;
}

static int is_of(const struct scope *scope, const struct cell *cell,
                 const struct candidate *candidate, size_t series, uint64_t bytes)
{
    const struct series *s = &scope->series[series];
    return in_scope(scope, cell) && cell->bytes == bytes &&
           strcmp(candidate->algorithm, s->algorithm) == 0 &&
           candidate->segment_bytes == s->segment_bytes;
}

static const struct predicted *find(const struct scope *scope, const char *model, size_t series,
                                    uint64_t bytes)
{
    for (size_t i = 0; i < scope->rows; i++) {
        const struct predicted *p = scope->row[i];
        if (p->point.cell.bytes == bytes && strcmp(p->model->name, model) == 0 &&
            p->point.purpose == FOR_STUDY &&
            is_of(scope, &p->point.cell, &p->point.candidate, series, bytes))
            return p;
    }
    return NULL;
}

/* The time that a model predicts for one of the scope's series, or that was measured; NaN. */
static double predicted_s(const struct scope *scope, const char *model, size_t series,
                          uint64_t bytes)
{
    const struct predicted *p = find(scope, model, series, bytes);
    return p ? p->prediction.seconds : NAN;
}

static double measured_s(const struct scope *scope, size_t series, uint64_t bytes)
{
    const struct predicted *p = find(scope, scope->paper->name, series, bytes);
    return p ? p->measured_s : NAN;
}

/* Sizes of the scope, ascending; returns how many (at most MOST_BYTES). */
static size_t sizes_of(const struct scope *scope, uint64_t *bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < scope->rows; i++) {
        const struct predicted *p = scope->row[i];
        size_t k = 0;
        if (!is_row(p, scope) || !in_scope(scope, &p->point.cell))
            continue;
        while (k < n && bytes[k] != p->point.cell.bytes)
            k++;
        if (k == n && n < MOST_BYTES)
            bytes[n++] = p->point.cell.bytes;
    }
    if (n)
        qsort(bytes, n, sizeof *bytes, array_by_u64);
    return n;
}

/* ---- the aim ---- */

/* The aim: from this size on, predicted / measured lies between these. */
static const uint64_t aim_bytes = 16384;
enum { FAR_RANGE = 8 };

static const double aim_low = 0.8, aim_high = 1.25;

/* Who is no test has no colour of hit or miss. */
static int is_test(const struct report_data *d, const struct model *model)
{
    return model_standing(model, d->backend) == STANDING_TEST;
}

static int simulators(const struct report_data *d, const struct scope *s)
{
    const size_t m = first_below(i, s->models, !(is_test(d, s->model[i])));
    return m < s->models;
}

/* ---- ratios: a panel per algorithm ---- */

enum { ACROSS = 4, MOST_PANELS = 16 };

/* Of the data: the range of ratios, and which models there are. */
struct ratio_range {
    double low, high;
    int seen[MOST_LINKS_MODELS];
};

static void put_ratios_data(struct figure *f, const struct scope *s, struct ratio_range *range)
{
    uint64_t bytes[MOST_BYTES];
    const size_t n = sizes_of(s, bytes);
    *range = (struct ratio_range){ 0.7, 1.4, { 0 } };
    for (size_t k = 0; k < s->n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t m = 0; m < s->models; m++) {
                const double ratio =
                    predicted_s(s, s->model[m]->name, k, bytes[i]) / measured_s(s, k, bytes[i]);
                if (!isfinite(ratio))
                    continue;
                figure_row(f, "%s %s %ju %ju %g", s->model[m]->name, s->series[k].algorithm,
                           s->series[k].segment_bytes, bytes[i], ratio);
                range->low = fmin(range->low, fmax(ratio, 0.02) / 1.1);
                range->high = fmax(range->high, fmin(ratio, 8) * 1.1);
                range->seen[m] = 1;
            }
}

/* Lines at all of them; numbers in the first column, where there is room for them. */
static void put_ratio_ticks(FILE *gp, int numbered, int near)
{
    static const struct {
        const char *number, *at;
        int aim;
    } ticks[] = { { "1/32", "0.03125", 0 }, { "1/16", "0.0625", 0 }, { "1/8", "0.125", 0 },
                  { "0.25", "0.25", 0 },    { "0.5", "0.5", 0 },     { "0.8", "0.8", 1 },
                  { "1", "1", 0 },          { "1.25", "1.25", 1 },   { "2", "2", 0 },
                  { "4", "4", 0 } };
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++)
        gnuplot_print(gp, "%s\"%s\" %s", i ? ", " : "set ytics (",
                      numbered && (near || !ticks[i].aim) ? ticks[i].number : "", ticks[i].at);
    fputs(")\n", gp);
}

/* near: the aim's numbers have room. word: what the times are. */
static void put_ratio_panel(FILE *gp, const struct scope *s, size_t k, size_t rows, int height,
                            int near, const char *word)
{
    const size_t across = s->n < ACROSS ? s->n : ACROSS, row = k / ACROSS, column = k % ACROSS;
    const double wide = 0.9 / (double)across, left = 0.08 + wide * (double)column;
    const double legend = 45.0 / height, head = 1 - 55.0 / height;
    const double high = (head - legend) / (double)rows, top = head - high * (double)row;
    gnuplot_print(
        gp,
        "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset tmargin at screen %.4f\n"
        "set bmargin at screen %.4f\nset title \"%s\" offset 0,-0.6\n",
        left, left + wide - 0.02, top, top - high + 70.0 / height,
        series_label(s->series, s->n, k, 0));
    if (column)
        fputs("unset ylabel\n", gp);
    else
        gnuplot_print(gp, "set ylabel \"predicted / %s\"\n", word);
    put_ratio_ticks(gp, column == 0, near);
    fputs(k + ACROSS < s->n ? "unset xlabel\n" : "set xlabel \"message size\"\n", gp);
    for (size_t m = 0; m < s->models; m++)
        gnuplot_print(
            gp,
            "%sdata using (is(\"%s\",\"%s\",%llu)*at_bytes(column(\"bytes\"))):(column(\"ratio\")) "
            "smooth unique with linespoints %s ps 0.6 notitle",
            m ? ", \\\n     " : "plot 1 with lines lc rgb \"#888888\" lw 1 notitle, \\\n     ",
            s->model[m]->name, s->series[k].algorithm,
            (unsigned long long)s->series[k].segment_bytes, model_look(s->model[m]));
    fputc('\n', gp);
}

static void put_model_legend(FILE *gp, const struct report_data *d, const struct scope *s,
                             double height, const struct ratio_range *range)
{
    const char *comma = "";
    legend_begin(gp, height);
    for (size_t m = 0; m < s->models; m++) {
        if (m > 0 && !range->seen[m])
            continue;
        gnuplot_print(gp, "%sNaN with linespoints %s title \"%s%s\"", comma,
                      model_look(s->model[m]), model_label(s->model[m]),
                      no_test_mark(d, s->model[m]));
        comma = ", ";
    }
    legend_end(gp);
}

static void put_ratios(struct page *page, const struct scope *scope)
{
    static const char *const columns[] = { "model", "algorithm", "segment_bytes",
                                           "bytes", "ratio",     NULL };
    struct figure f;
    struct ratio_range range;
    struct scope s = *scope;
    const struct report_data *d = page->data;
    s.n = s.n < MOST_PANELS ? s.n : MOST_PANELS;
    const size_t rows = (s.n + ACROSS - 1) / ACROSS;
    const int height = 110 + 250 * (int)rows;
    scoped_figure(&f, page, s.context, "links-ratio", 1040, height, columns,
                  "predicted over actual times, with and without collisions");
    put_ratios_data(&f, &s, &range);
    const int near = range.high / range.low < FAR_RANGE; /* there is room for the aim's numbers */
    gnuplot_print(f.gp,
                  "is(m,a,s) = (strcol(\"model\") eq m && strcol(\"algorithm\") eq a && "
                  "column(\"segment_bytes\") == s) ? 1 : NaN\n"
                  "set multiplot title \"%s · P = %d\" textcolor rgb \"#333333\"\n"
                  "set logscale y 2\nset yrange [%.4g:%.4g]\n",
                  section_common_title(d, s.context), s.procs, range.low, range.high);
    axis_bytes(f.gp, s.low, s.high, s.high / (s.low ? s.low : 1) > 65536 ? 64 : 16);
    for (size_t k = 0; k < s.n; k++)
        put_ratio_panel(f.gp, &s, k, rows, height, near, times_word(d));
    put_model_legend(f.gp, d, &s, 40.0 / height, &range);
    figure_end(&f,
               "As Fig. 4 and 5 of Sugiyama, Morie & Nanri, P = %d: the model’s time divided by "
               "that of the experiment. The aim is 0.8 to 1.25 from 16 KiB on.%s%s",
               s.procs, simulators(d, &s) ? " " : "", simulators(d, &s) ? simulator_note : "");
}

/* ---- ring and Bruck ---- */

/* The scope's series of this name; the scope's count where there is none. */
static size_t series_of(const struct scope *s, const char *base)
{
    const size_t k =
        first_below(i, s->n, strcmp(algorithm_base_name(s->series[i].algorithm), base) == 0);
    return k;
}

static const char *const rivals[] = { "ring", "bruck" };

static double time_of(const struct scope *s, const char *model, size_t k, uint64_t bytes)
{
    return model ? predicted_s(s, model, k, bytes) : measured_s(s, k, bytes);
}

/* Where ring overtakes Bruck. */
struct crossing {
    double bytes; /* NaN: nowhere */
    int at_most;  /* ring is the faster one from the smallest size on: it may lie below */
};

/* The least size from which on ring is faster than Bruck, between the sizes that have both by the
 * logarithms of sizes and times. */
static struct crossing crossing(const struct scope *s, const char *model)
{
    uint64_t bytes[MOST_BYTES];
    const size_t n = sizes_of(s, bytes), ring = series_of(s, "ring"), bruck = series_of(s, "bruck");
    struct crossing at = { NAN, 0 };
    double before = NAN, last = NAN;
    for (size_t i = 0; i < n; i++) {
        const double now =
            log(time_of(s, model, ring, bytes[i]) / time_of(s, model, bruck, bytes[i]));
        const double size = (double)bytes[i];
        if (!isfinite(now))
            continue;
        if (now >= 0)
            at = (struct crossing){ NAN, 0 };
        else if (before >= 0)
            at.bytes = last * pow(size / last, before / (before - now));
        else if (isnan(before))
            at = (struct crossing){ size, 1 };
        before = now;
        last = size;
    }
    return at;
}

static void put_crossing_row(struct table *t, const struct report_data *d, const struct scope *s,
                             const struct model *of)
{
    const char *model = of ? of->name : NULL;
    const struct crossing at = crossing(s, model), real = crossing(s, NULL);
    const double doublings =
        model && !at.at_most && !real.at_most ? log2(at.bytes / real.bytes) : NAN;
    table_cell(t, model ? model : "measured", "%s%s", of ? model_label(of) : times_word(d),
               of ? no_test_mark(d, of) : "");
    if (isfinite(at.bytes))
        table_value(t, at.bytes, "%s%s", at.at_most ? "≤ " : "",
                    show_bytes((uint64_t)(at.bytes + 0.5)));
    else
        table_cell(t, "", "none");
    table_number(t, doublings, 2);
    if (isfinite(doublings) && is_test(d, of))
        table_mark(t, fabs(doublings) <= 1 ? MARK_BEST : MARK_BAD);
    table_cells(t, "%d | %d", at.at_most, s->procs);
}

static void put_crossing(struct page *page, const struct scope *s)
{
    const struct report_data *d = page->data;
    struct table *t = scoped_table(page, s->context, "links-crossing",
                                   "Size of a block from which on ring is faster than Bruck");
    table_columns(t,
                  "<source|by ; >bytes|from ; >doublings|doublings from the %s one ; .at_most| ; "
                  ".procs|",
                  times_word(d));
    put_crossing_row(t, d, s, NULL);
    for (size_t m = 0; m < s->models; m++)
        put_crossing_row(t, d, s, s->model[m]);
    table_note(t,
               "P = %d. Between two sizes of the study the crossing is interpolated by logarithms. "
               "The aim is to miss it by one doubling at most. ≤: ring is faster at every size.",
               s->procs);
    note_marks(t);
    page_table(page, t);
}

static void put_rival_panel(FILE *gp, const struct report_data *d, const struct scope *s,
                            size_t panel)
{
    const double left = 0.095 + 0.475 * (double)panel;
    gnuplot_print(
        gp, "set lmargin at screen %.3f\nset rmargin at screen %.3f\nset title \"%s%s\"\n", left,
        left + 0.405, model_label(s->model[panel]), no_test_mark(d, s->model[panel]));
    if (panel)
        fputs("unset ylabel\n", gp);
    for (size_t k = 0; k < 2; k++) {
        const struct series *r = &s->series[series_of(s, rivals[k])];
        const struct algorithm_style style = style_of(r->algorithm);
        gnuplot_print(
            gp,
            "%sdata using "
            "(is(\"measured\",\"%s\")*at_bytes(column(\"bytes\"))):(column(\"time_s\")) "
            "smooth unique with linespoints %s ps 0.8 title \"%s, %s\", \\\n     data using "
            "(is(\"%s\",\"%s\")*at_bytes(column(\"bytes\"))):(column(\"time_s\")) smooth unique "
            "with lines lc rgb \"%s\" lw 1.8 dt %d title \"%s, predicted\"",
            k ? ", \\\n     " : "plot ", r->algorithm, algorithm_look(r->algorithm), style.label,
            times_word(d), s->model[panel]->name, r->algorithm, style.colour, k ? 4 : 2,
            style.label);
    }
    fputc('\n', gp);
}

static void put_rival_row(struct figure *f, const char *source, const char *algorithm,
                          uint64_t bytes, double s, double *least, double *most)
{
    if (!(s > 0))
        return;
    figure_row(f, "%s %s %ju %g", source, algorithm, bytes, s);
    *least = least_positive(*least, s);
    *most = fmax(*most, s);
}

static void put_rivals(struct page *page, const struct scope *s)
{
    static const char *const columns[] = { "source", "algorithm", "bytes", "time_s", NULL };
    struct figure f;
    uint64_t bytes[MOST_BYTES];
    double least = INFINITY, most = 0;
    const struct report_data *d = page->data;
    const size_t n = sizes_of(s, bytes);
    scoped_figure(&f, page, s->context, "links-rivals", 1040, 470, columns,
                  "ring and Bruck, timed and predicted");
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < n; i++) {
            const size_t at = series_of(s, rivals[k]);
            const char *a = s->series[at].algorithm;
            put_rival_row(&f, "measured", a, bytes[i], measured_s(s, at, bytes[i]), &least, &most);
            for (size_t m = 0; m < s->models && m < 2; m++)
                put_rival_row(&f, s->model[m]->name, a, bytes[i],
                              predicted_s(s, s->model[m]->name, at, bytes[i]), &least, &most);
        }
    gnuplot_print(
        f.gp,
        "is(s,a) = (strcol(\"source\") eq s && strcol(\"algorithm\") eq a) ? 1 : NaN\n"
        "set multiplot title \"%s · P = %d\" textcolor rgb \"#333333\"\n"
        "set tmargin at screen 0.84\nset bmargin at screen 0.14\nset logscale y\nset xlabel "
        "\"size of a block\"\nset ylabel \"time\"\nset key top left reverse Left samplen 2.5\n"
        "set yrange [%.9g:%.9g]\n",
        section_common_title(d, s->context), s->procs, isfinite(least) ? least / 1.4 : 1e-6,
        most > 0 ? most * 1.4 : 1);
    axis_bytes(f.gp, s->low, s->high, s->high / (s->low ? s->low : 1) > 65536 ? 16 : 8);
    if (most > 0)
        ticks_time(f.gp, least / 1.4, most * 1.4, 1);
    for (size_t panel = 0; panel < 2; panel++)
        put_rival_panel(f.gp, d, s, panel);
    fputs("unset multiplot\n", f.gp);
    figure_end(&f,
               "As Fig. 6 and 7 of Sugiyama, Morie & Nanri, P = %d: ring and Bruck; solid: the "
               "experiment, dashed: the model, left without collisions, right with them.",
               s->procs);
}

/* ---- ratios in numbers ---- */

struct ratios {
    double least, median, most;
    size_t n, within;
};

/* Of one series and model, from the aim's size on. */
static void find_ratios(const struct scope *s, const char *model, size_t k, struct ratios *r)
{
    uint64_t bytes[MOST_BYTES];
    double v[MOST_BYTES];
    const size_t n = sizes_of(s, bytes);
    *r = (struct ratios){ .least = INFINITY };
    for (size_t i = 0; i < n; i++) {
        const double ratio = predicted_s(s, model, k, bytes[i]) / measured_s(s, k, bytes[i]);
        if (bytes[i] < aim_bytes || !isfinite(ratio))
            continue;
        v[r->n++] = ratio;
        r->least = fmin(r->least, ratio);
        r->most = fmax(r->most, ratio);
        r->within += ratio >= aim_low && ratio <= aim_high;
    }
    r->median = stats_median(v, r->n);
}

/* The most collisions and links of any size. */
static const struct links_row *most_of(const struct report_data *d, const struct scope *s, size_t k)
{
    /* The walk of this point, or NULL. */
    return find_below(
        d->links_row, i, d->links_rows,
        is_of(s, &d->links_row[i].point.cell, &d->links_row[i].point.candidate, k, s->high));
}

static void put_ratio_row(struct table *t, const struct report_data *d, const struct scope *s,
                          size_t k, size_t m)
{
    struct ratios r;
    const struct links_row *p = most_of(d, s, k);
    find_ratios(s, s->model[m]->name, k, &r);
    if (!r.n)
        return;
    table_cell(t, s->series[k].algorithm, "%s", series_label(s->series, s->n, k, 0));
    table_cell(t, s->model[m]->name, "%s%s", model_label(s->model[m]),
               no_test_mark(d, s->model[m]));
    table_cells(t, "%.0f | %.0f | %.0f | %.3f | %.3f | %.3f", p ? (double)p->result.steps : NAN,
                p ? (double)p->result.collisions : NAN, p ? p->result.hops : NAN, r.least, r.median,
                r.most);
    table_cell(t, NULL, "%zu of %zu", r.within, r.n);
    if (s->model[m] != links_models[0] && is_test(d, s->model[m]))
        table_mark(t, r.within == r.n ? MARK_BEST : MARK_BAD);
    table_number(t, s->procs, 0);
}

static void put_ratio_table(struct page *page, const struct scope *s)
{
    const struct report_data *d = page->data;
    struct table *t = scoped_table(page, s->context, "links-ratios",
                                   "Predicted / %s from 16 KiB upwards", times_word(d));
    table_columns(t, "<algorithm|algorithm ; <model|model ; >steps|steps ; >collisions|C ; "
                     ">hops|hops ; >min|least|ratio ; >median|median|ratio ; >max|most|ratio ; "
                     ">within|within 0.8 … 1.25 ; .procs|");
    for (size_t k = 0; k < s->n; k++)
        for (size_t m = 0; m < s->models; m++)
            put_ratio_row(t, d, s, k, m);
    table_note(t,
               "P = %d. C: the largest number of messages on one link in any step, at the largest "
               "size. Hops: the number of links of the longest route.",
               s->procs);
    note_marks(t);
    page_table(page, t);
}

/* ---- the section ---- */

static void say_place(struct page *page, const struct scope *s)
{
    const struct links_place *p = s->place;
    char used[48] = "";
    int most = 0;
    for (size_t i = 0; i < page->data->links_rows; i++) {
        const struct cell *c = &page->data->links_row[i].point.cell;
        if (cell_in(c, s->context))
            most = c->nodes > most ? c->nodes : most;
    }
    if (most && most < p->nodes)
        snprintf(used, sizeof used, " of which the collectives used %d", most);
    fprintf(page->md, "Network: %s%s%s, %d nodes%s, order of nodes ", p->topology,
            *p->shape ? " " : "", p->shape, p->nodes, used);
    escape_code(page->md, manifest_text(page->data, "cluster/settings/network/order/value"));
    fprintf(page->md,
            ". The ping-pong crosses %d link%s; the "
            "latency of a link is %s (%.3g × the cluster file’s). %s\n\n",
            p->of.hops, plural((size_t)p->of.hops),
            p->of.scale_points > 0 ? "that of ping-pongs at two distances" : "the cluster file’s",
            p->of.latency_scale,
            p->of.copy.n > 0 ? "Copies in memory cost what the copy experiment took."
                             : "There are no times of copies in memory: they cost nothing.");
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    struct scope s;
    for (size_t i = 0; i < d->contexts; i++) {
        if (!scope_find(d, &d->context[i], &s))
            continue;
        section_common_heading(page, &d->context[i], "");
        say_place(page, &s);
        put_ratios(page, &s);
        put_ratio_table(page, &s);
        if (s.models > 1 && series_of(&s, "ring") < s.n && series_of(&s, "bruck") < s.n) {
            put_rivals(page, &s);
            put_crossing(page, &s);
        }
        scope_clear(&s);
    }
}

const struct section section_links = {
    .name = "links",
    .title = "Collisions on links",
    .subject = PAGE_MODELS,
    .rows = SECTION_ROWS(links_places),
    .intro =
        "Messages that share a link slow each other down. After Sugiyama, Morie & Nanri, all "
        "ranks begin each step together, every message takes its route, and C is the largest "
        "number of messages on one link: the step takes as long as one message of C times the "
        "size. *No collisions* is the same with C = 1. *Hops* adds the latency of the longest "
        "route of a step, as the paper proposes for later work. *As queues* is ours: a "
        "rank begins its next step as soon as its own messages have arrived, and the messages on "
        "a link follow one another.\n\n",
    .write = write_section,
};
