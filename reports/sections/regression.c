/* SPDX-License-Identifier: BSD-3-Clause */
/* The regression: its coefficients at a few sizes. */
#include "reports/section_common.h"

/* So many that an error shows two digits. */
static int decimals_of(double error)
{
    return error >= 10 ? 0 : error >= 1 ? 1 : error >= 0.1 ? 2 : error >= 0.01 ? 3 : 4;
}

/* "12.3 ± 0.4" µs; a dash where the term is not there. */
static void put_term(struct table *t, const struct report_data *d, const struct regression_row *row,
                     const char *term)
{
    for (size_t i = 0; i < d->regression_terms; i++) {
        const struct regression_term *e = &d->regression_term[i];
        if (strcmp(e->term, term) != 0 || strcmp(e->method, row->method) != 0 ||
            e->cell.bytes != row->fit.cell.bytes || e->cell.root != row->fit.cell.root ||
            strcmp(e->cell.mapping, row->fit.cell.mapping) != 0 ||
            strcmp(e->cell.collective, row->fit.cell.collective) != 0 ||
            strcmp(e->cell.mpi, row->fit.cell.mpi) != 0 ||
            strcmp(e->candidate.algorithm, row->fit.candidate.algorithm) != 0 ||
            e->candidate.segment_bytes != row->fit.candidate.segment_bytes ||
            e->candidate.fanout != row->fit.candidate.fanout)
            continue;
        const int decimals = decimals_of(1e6 * e->stderr_s);
        table_value(t, e->coefficient_s, "%.*f ± %.*f", decimals, 1e6 * e->coefficient_s, decimals,
                    1e6 * e->stderr_s);
        return;
    }
    table_cell(t, "", "–");
}

static const char *const terms[] = { "intercept", "x", "z1", "x:z1", "z2", "x:z2", "z3", "x:z3" };
enum { N_TERMS = sizeof terms / sizeof *terms };

static void put_row(struct table *t, const struct report_data *d, const struct regression_row *r)
{
    table_cells(t, "%s | %s=%s | %ju B | %s", r->fit.cell.mapping, r->fit.candidate.algorithm,
                rooted_label(&r->fit.cell, &r->fit.candidate, shows_library(d)), r->fit.cell.bytes,
                strcmp(r->x, "log2_procs") == 0 ? "log₂ P" : "P");
    for (size_t k = 0; k < N_TERMS; k++)
        put_term(t, d, r, terms[k]);
    table_cells(t, "%.4f | %.2f*1e6 | %.1f*100 | %.2e | %zu | %s=%s [%d]", r->fit.r.r2,
                r->fit.r.sigma, r->fit.median_error, r->fit.r.condition, r->fit.r.n,
                fit_status_words[r->fit.r.status], fit_status_words[r->fit.r.status],
                r->fit.r.status == FIT_OK ? MARK_NONE : MARK_FAIR);
}

static int is_shown(const struct regression_row *r, const struct kind *kind, const uint64_t *bytes,
                    size_t n)
{
    if (strcmp(r->method, "huber") != 0 || strcmp(r->fit.cell.collective, kind->collective) != 0 ||
        strcmp(r->fit.cell.mpi, kind->mpi) != 0)
        return 0;
    return any_below(k, n, bytes[k] == r->fit.cell.bytes);
}

static void put_coefficients(struct page *page, const struct kind *kind)
{
    const struct report_data *d = page->data;
    uint64_t bytes[MOST_SIZES];
    const size_t n = regression_sizes(d, kind, bytes);
    struct table *t = page_table_new(
        page, regression_name(d, kind, "regression", 0),
        "Coefficients of the regression (Huber) in µs ± standard error, %.63s by %.63s on %.63s",
        kind->collective, mpi_label(kind->mpi), d->cluster);
    table_columns(t, "<mapping|mapping ; <algorithm|algorithm ; >bytes|message ; <x|x");
    for (size_t k = 0; k < N_TERMS; k++)
        table_columns(t, ">%s|%s|coefficient (µs)", terms[k], terms[k]);
    table_columns(t, ">r2|R²|fit ; >sigma|σ (µs)|fit ; >median_error|median error (%%)|fit ; "
                     ">condition|condition|fit ; >n|points|fit ; <status|status|fit");
    for (size_t i = 0; i < d->regressions; i++)
        if (is_shown(&d->regression[i], kind, bytes, n))
            put_row(t, d, &d->regression[i]);
    table_note(
        t,
        "z1, z2, …: 1 where a second, third, … socket (mapping by core) or node (by "
        "socket) is in use; x:z1: its change of the slope. σ: robust scale of the "
        "residuals (µs). All sizes and estimators: fit/regression.csv, fit/regression_terms.csv.");
    table_fold(t);
    page_table(page, t);
}

static void write_section(struct page *page)
{
    struct kind kind[MOST_KINDS];
    const size_t kinds = regression_kinds(page->data, kind);
    for (size_t k = 0; k < kinds; k++)
        put_coefficients(page, &kind[k]);
}

const struct section section_regression = {
    .name = "regression",
    .title = "The regression",
    .subject = PAGE_MODELS,
    .applies = regressions_apply,
    .intro =
        "For each algorithm, mapping and message size the time is T = β₀ + β₁ x + Σ (β₂ᵢ zᵢ + "
        "β₃ᵢ x zᵢ). Here x is P, or log₂ P for trees, and zᵢ is 1 where a further socket "
        "(mapping by core) or node (by socket) is in use, else 0. The regression is Huber’s, "
        "which gives outliers less weight; plain least squares and an MM-estimator stand beside "
        "it in the tables of errors.\n",
    .write = write_section,
};
