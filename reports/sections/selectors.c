/* SPDX-License-Identifier: BSD-3-Clause */
/* All selectors side by side on the same points, per purpose. */
#include "reports/picture.h"
#include "reports/section_common.h"

static void put_worst(struct table *t, const struct degradation *r)
{
    table_pct(t, r->worst_pct);
    if (!r->cells || !(r->worst_pct > 0))
        table_cell(t, "", "–");
    else
        table_cell(t, NULL, "P = %lld, %s", (long long)r->worst_procs,
                   show_bytes((uint64_t)r->worst_bytes));
}

/* 1 when a selector decided a cell of the purpose. */
static int any_cell(const struct report_data *d, const struct context *context, const char *purpose)
{
    for (size_t i = 0; i < d->degradations; i++) {
        const struct degradation *r = &d->degradation[i];
        if (degradation_in(r, context) && strcmp(purpose_words[r->purpose], purpose) == 0 &&
            r->cells + r->one_launch > 0)
            return 1;
    }
    return 0;
}

/* What the row's losses are worth here. */
static enum standing standing_of(const struct report_data *d, const struct degradation *r)
{
    struct selector of = { .model = model_find(r->name) };
    of.in_sample = of.model && of.model->in_sample;
    for (size_t i = 0; selectors[i]; i++)
        of.in_sample |= strcmp(selectors[i]->name, r->name) == 0 && selectors[i]->in_sample;
    return selector_standing(&of, r->purpose, d->backend);
}

/* Cells of the row's comparison in which it is not known what the selector loses. */
static size_t unknown_in(const struct report_data *d, const struct degradation *r)
{
    struct context of;
    memcpy(of.collective, r->collective, NAME_SIZE);
    memcpy(of.mpi, r->mpi, NAME_SIZE);
    memcpy(of.mapping, r->mapping, NAME_SIZE);
    return r->one_launch + cells_unknown(d, &of, r->name, purpose_words[r->purpose]);
}

/* "16 of 48": in the others it is not known what the selector loses. */
static void put_cells(struct table *t, const struct degradation *r, size_t unknown)
{
    if (!unknown)
        table_number(t, (double)r->cells, 0);
    else
        table_value(t, (double)r->cells, "%zu of %zu", r->cells, r->cells + unknown);
    table_mark(t, unknown ? MARK_FAIR : MARK_NONE);
}

static void put_row(struct table *t, const struct report_data *d, const struct degradation *r,
                    int first, size_t unknown)
{
    const enum standing standing = standing_of(d, r);
    table_cell(t, purpose_words[r->purpose], "%s%s",
               first ? purpose_label(purpose_words[r->purpose]) : "",
               first && standing ? ", no test" : "");
    table_cell(t, r->name, "%s%s%s", selector_label(r->name), standing_mark(standing),
               chosen_mark(d, model_find(r->name)));
    put_cells(t, r, unknown);
    table_cells(t, "%g %% | %g %% | %g %% | %g %%", r->mean_pct, r->geomean_pct, r->median_pct,
                r->p95_pct);
    put_worst(t, r);
    table_cells(t, "%g %% | %.0f | %.3e", r->worst_unsubstituted_pct,
                r->cells > 0 ? 100 * (double)r->optimal_or_tied / (double)r->cells : NAN,
                r->core_s);
}

static void put_table(struct page *page, const struct context *context)
{
    const struct report_data *d = page->data;
    int partial = 0;
    struct table *t =
        scoped_table(page, context, "selectors",
                     "Selectors on the same cells: what each loses against the best algorithm");
    table_columns(
        t, "<purpose|cells of ; <selector|selector ; >cells|cells ; >mean_pct|mean|loss ; "
           ">geometric_mean_pct|geometric mean|loss ; >median_pct|median|loss ; >p95_pct|p95|loss "
           "; >worst_pct|worst|loss ; <worst_cell|there|loss ; >worst_unsubstituted_pct|as "
           "requested|loss ; >optimal_or_tied_pct|optimal or tied (%%) ; >core_s|core-seconds");
    static const char *const purposes[] = { "study", "held_bytes", "held_procs", "held_root" };
    for (size_t k = 0; k < sizeof purposes / sizeof *purposes; k++) {
        int first = 1;
        if (!any_cell(d, context, purposes[k]) && d->imported)
            continue;
        if (!any_cell(d, context, purposes[k])) {
            table_note(t, "%s: no cell of them has a time.", purpose_label(purposes[k]));
            continue;
        }
        for (int apart = 0; apart < 2; apart++, first = 1)
            for (size_t i = 0; i < d->degradations; i++) {
                const struct degradation *r = &d->degradation[i];
                if (!degradation_in(r, context) ||
                    strcmp(purpose_words[r->purpose], purposes[k]) != 0 ||
                    (standing_of(d, r) != STANDING_TEST) != apart || (d->imported && r->cells == 0))
                    continue;
                const size_t unknown = unknown_in(d, r);
                partial |= unknown > 0;
                put_row(t, d, r, first, unknown);
                first = 0;
            }
    }
    table_note(
        t,
        "Core-seconds: what it takes to time all that the selector needs before it can choose "
        "(wall time of these points × ranks of their launches)%s.",
        strcmp(d->backend, "sim") == 0    ? "; in simulated time, one sample of each point"
        : strcmp(d->backend, "walk") == 0 ? "; in walked time, one sample of each point"
                                          : "");
    table_note(t, "As requested: the worst loss, leaving out cells where the library ran another "
                  "algorithm than the requested one.");
    table_note(t,
               "%s: of the candidates that have a time in the most cells of the study, the one "
               "that loses least in the mean; one that has a time in fewer cells is not "
               "considered, however little it loses there.",
               selector_label(selector_best_single.name));
    table_note(t,
               "Random: the expected loss when every candidate that has a time is equally likely. "
               "What an adaptive plan left out as slow is not drawn.");
    if (partial)
        table_note(t, "Cells, for example “16 of 48”: in the other 32 the selector’s choice has no "
                      "time, or one launch alone says what it loses. Its numbers are of the 16 "
                      "alone, and cannot be compared with those of selectors that have all 48.");
    for (size_t i = 0; i < d->degradations; i++)
        if (degradation_in(&d->degradation[i], context) && d->degradation[i].poor_fits)
            table_note(t,
                       "Poor fit: in %zu of %zu cell%s of the %s the %s chose by α and β of fits "
                       "whose r² is below %g.",
                       d->degradation[i].poor_fits, COUNTED(d->degradation[i].cells),
                       purpose_label(purpose_words[d->degradation[i].purpose]),
                       selector_label(d->degradation[i].name), fit_least_r2);
    note_marks(t);
    page_table(page, t);
}

/* What the selector of a row loses in all cells of the study; 0: nothing by definition, not known
 * in all of them, or the row is not the selector's first one there. */
static int dot_of(const struct report_data *d, size_t at, struct picture_dot *dot)
{
    double cells = 0, logs = 0, low = INFINITY, high = 0, worst = 0;
    for (size_t i = 0; i < d->degradations; i++) {
        const struct degradation *r = &d->degradation[i];
        if (r->purpose != FOR_STUDY || strcmp(r->name, "best") == 0 ||
            strcmp(r->name, d->degradation[at].name) != 0)
            continue;
        if (i < at || unknown_in(d, r))
            return 0;
        if (!r->cells)
            continue;
        cells += (double)r->cells;
        logs += (double)r->cells * log1p(r->geomean_pct / 100);
        low = fmin(low, r->median_pct);
        high = fmax(high, r->p95_pct);
        worst = fmax(worst, r->worst_pct);
    }
    *dot =
        (struct picture_dot){ exp(logs / cells), 1 + low / 100, 1 + high / 100, 1 + worst / 100 };
    return cells > 0;
}

static const char *picture_name(const struct report_data *d, const struct degradation *r)
{
    return brief("%.28s%s", selector_label(r->name), standing_mark(standing_of(d, r)));
}

static void put_picture(struct page *page)
{
    enum { LINE = 18 };
    const struct report_data *d = page->data;
    struct picture_dot *dot = memory_zeros(d->degradations + 1, sizeof *dot);
    double most = 1.2, left = 0, y = 8;
    size_t size, n = 0;
    char *html;
    for (size_t i = 0; i < d->degradations; i++)
        if (dot_of(d, i, &dot[i])) {
            const double wide =
                PICTURE_LETTER * (double)strlen(picture_name(d, &d->degradation[i]));
            n++;
            most = fmax(most, dot[i].worst);
            left = fmax(left, wide + 8);
        } else {
            dot[i].mean = NAN;
        }
    if (!n) {
        free(dot);
        return;
    }
    FILE *out = memory_stream(&html, &size);
    picture_begin(out, "What each selector loses", 30 + LINE * (double)n);
    picture_axis(out, most, left, y + LINE * (double)n);
    for (size_t i = 0; i < d->degradations; i++) {
        if (isnan(dot[i].mean))
            continue;
        picture_text(out, "e", left - 8, y + 13, picture_name(d, &d->degradation[i]));
        picture_dot(out, &dot[i], most, left, y + 9);
        y += LINE;
    }
    fputs("</svg><p class=\"note\">Times slower than the best, in all cells of the study; only "
          "selectors whose loss is known in each of them. Dot and number: the geometric mean. "
          "Thick: from the least median to the greatest 95th percentile of a table below. "
          "Thin: to the worst cell.</p></figure>\n",
          out);
    free(dot);
    fclose(out);
    page_html(page, "selectors-picture", html);
}

static void write_section(struct page *page)
{
    fprintf(page->md,
            "Every selector chooses a candidate in the same cells. The %s time of its choice "
            "is compared with the best time of the cell; the loss is the difference in percent of "
            "the best. %s\n",
            times_word(page->data),
            page->data->imported ? "Selectors whose experiments are not in these files are left "
                                   "out."
                                 : "Held-out cells are those that no fit has seen.");
    put_picture(page);
}

const struct section section_selectors = {
    .name = "selectors",
    .title = "Selectors compared",
    .subject = PAGE_SELECTORS,
    .rows = SECTION_ROWS(degradations),
    .absent = "Not compared yet: `degradation.csv` is not there (`collsel select` writes it).",
    .file = "degradation.csv",
    .write = write_section,
    .heading = "",
    .each = put_table,
};
