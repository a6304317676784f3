/* SPDX-License-Identifier: BSD-3-Clause */
/* alpha and beta per algorithm: the paper's Table 2. */
#include "reports/section_common.h"

static int is_here(const struct hockney *r, const struct context *context)
{
    return fit_in(r->collective, r->mpi, r->mapping, context);
}

/* Of point-to-point messages, whatever the collective: the textbook formulas'. */
static int is_pingpong(const struct hockney *r)
{
    return !*r->collective;
}

static void put_columns(struct table *t, int with_paper)
{
    table_columns(t,
                  "<algorithm|algorithm ; >alpha_s|α (s)|this study ; >alpha_half_s|±|this study ; "
                  ">beta_s_per_byte|β (s/byte)|this study ; >beta_half_s_per_byte|±|this study");
    if (with_paper) {
        table_columns(t, ">paper_alpha_s|α (s)|the paper’s, 2021 ; >paper_beta_s_per_byte|β "
                         "(s/byte)|the paper’s, 2021");
    }
    table_columns(t, ">n|points|fit ; >r2|r²|fit ; >condition|condition|fit ; <status|status|fit ; "
                     ".procs| ; .alpha_low| ; .alpha_high| ; .beta_low| ; .beta_high|");
}

static void put_paper(struct table *t, const struct reference *ref, const char *cluster,
                      const char *base)
{
    const struct reference_row *a = reference_find(ref, 2, cluster, 0, 0, base, "alpha_s");
    const struct reference_row *b = reference_find(ref, 2, cluster, 0, 0, base, "beta_s_per_byte");
    table_cells(t, "%.2e [%d] | %.2e [%d]", a ? a->value : NAN, MARK_REFERENCE, b ? b->value : NAN,
                MARK_REFERENCE);
}

static void put_row(struct table *t, const struct report_data *d, const struct hockney *r,
                    const struct reference *ref, int with_paper)
{
    const char *base = algorithm_base_name(r->candidate.algorithm);
    table_cell(t, r->candidate.algorithm, "%s%s",
               algorithm_label(r->candidate.algorithm, shows_library(d)),
               is_pingpong(r) ? " ‡" : "");
    table_cells(t, "%.3e | %.2e | %.3e | %.2e", r->alpha, (r->alpha_high - r->alpha_low) / 2,
                r->beta, (r->beta_high - r->beta_low) / 2);
    if (with_paper)
        put_paper(t, ref, d->cluster, base);
    table_cells(t, "%zu | %.3f | %.3e | %s=%s [%d] | %d | %.9f | %.9f | %.9f | %.9f", r->n, r->r2,
                r->condition, fit_status_words[r->status], fit_label(fit_status_words[r->status]),
                r->status == FIT_OK ? MARK_NONE : MARK_FAIR, r->procs, r->alpha_low, r->alpha_high,
                r->beta_low, r->beta_high);
}

static void put_paper_notes(struct table *t, const struct report_data *d)
{
    table_note(t,
               "The paper’s: printed in Nuriyev & Lastovetsky (2021), Table 2, measured on the "
               "real %s with Open MPI 3.1; their K-Chain tree is our K-chain, their Chain tree "
               "our pipeline. The paper fits no k-nomial tree and no scatter–allgather.",
               d->cluster);
    table_note(t, "The printed figures are shown as printed, and nothing here is adjusted to them. "
                  "Two cautions: Tables 1 and 2 of the paper, put into its own formulas, do not "
                  "reproduce all selections of its Table 3; and an α of about 10⁻¹² s is no "
                  "latency: in every row β/α is about the segment size, so that α was not "
                  "identified apart from β.");
}

/* Of the experiments: the most that any fit used. */
static int fit_procs(const struct report_data *d, const struct context *context)
{
    int procs = 0;
    for (size_t i = 0; i < d->hockneys; i++)
        if (is_here(&d->hockney[i], context) && d->hockney[i].procs > procs)
            procs = d->hockney[i].procs;
    return procs;
}

/* The paper's order of algorithms, then that of every legend; the textbook formulas last. */
static int place_of(const struct hockney *r)
{
    static const char *const paper[] = { "basic_linear",      "chain",       "pipeline",
                                         "split_binary_tree", "binary_tree", "binomial" };
    const int n = sizeof paper / sizeof *paper;
    for (int i = 0; i < n; i++)
        if (strcmp(algorithm_base_name(r->candidate.algorithm), paper[i]) == 0)
            return i;
    return n + style_of(r->candidate.algorithm).place + (is_pingpong(r) ? 1000 : 0);
}

static int by_place(const void *a, const void *b)
{
    const struct hockney *x = *(const struct hockney *const *)a;
    const struct hockney *y = *(const struct hockney *const *)b;
    return by_keys(place_of(x) - place_of(y),
                   strcmp(x->candidate.algorithm, y->candidate.algorithm),
                   ascending(x->candidate.segment_bytes, y->candidate.segment_bytes));
}

static void put_rows(struct table *t, const struct report_data *d, const struct context *context,
                     const struct reference *ref, int with_paper)
{
    const struct hockney **rows = memory_zeros(d->hockneys + 1, sizeof *rows);
    size_t n = 0;
    for (size_t i = 0; i < d->hockneys; i++)
        if (is_here(&d->hockney[i], context))
            rows[n++] = &d->hockney[i];
    if (n)
        qsort(rows, n, sizeof *rows, by_place);
    for (size_t i = 0; i < n; i++)
        put_row(t, d, rows[i], ref, with_paper);
    free(rows);
}

/* Whether a fit has a reason that is told below the table; of two fits: the same one. */
static int has_reason(const struct hockney *r, const struct context *context)
{
    return is_here(r, context) && *r->reason && r->status != FIT_ALPHA_UNIDENTIFIED &&
           r->status != FIT_POOR;
}

static int same_reason(const struct hockney *a, const struct hockney *b,
                       const struct context *context)
{
    return has_reason(b, context) && strcmp(a->reason, b->reason) == 0;
}

/* Each reason once, with the algorithms that have it, each once whatever its segments. */
static void note_reasons(struct table *t, const struct report_data *d,
                         const struct context *context)
{
    for (size_t i = 0; i < d->hockneys; i++) {
        const struct hockney *first = &d->hockney[i];
        size_t told = 0, size;
        while (told < i && !same_reason(first, &d->hockney[told], context))
            told++;
        if (told < i || !has_reason(first, context))
            continue;
        char *names;
        FILE *out = memory_stream(&names, &size);
        for (size_t k = i; k < d->hockneys; k++) {
            const struct hockney *r = &d->hockney[k];
            size_t before = i;
            while (before < k &&
                   (!same_reason(first, &d->hockney[before], context) ||
                    strcmp(d->hockney[before].candidate.algorithm, r->candidate.algorithm) != 0))
                before++;
            if (before == k && same_reason(first, r, context))
                fprintf(out, "%s%s", k > i ? ", " : "",
                        algorithm_label(r->candidate.algorithm, shows_library(d)));
        }
        fclose(out);
        table_note(t, "%s: %s.", first->reason, names);
        free(names);
    }
}

static void put_table(struct page *page, const struct context *context, const struct reference *ref)
{
    const struct report_data *d = page->data;
    int with_paper = reference_find(ref, 2, d->cluster, 0, 0, NULL, "alpha_s") != NULL;
    struct table *t = scoped_table(page, context, "table2",
                                   "Table 2. Estimated values of α and β per %s algorithm",
                                   collective_word(context->collective));
    put_columns(t, with_paper);
    put_rows(t, d, context, ref, with_paper);
    table_note(t, "With %d processes. ‡: for the textbook model, from point-to-point messages.",
               fit_procs(d, context));
    table_note(t, "α unidentified: its interval spans 0, so that it is not significant. "
                  "±: half-width of the 95 %% confidence interval. Condition: errors of the times "
                  "can come back in α and β magnified by up to this factor.");
    table_note(t,
               "Poor fit: r² is below %g, that is, the residuals are spread by more than half of "
               "what α and β are to explain. Predictions by it say poor_fit.",
               fit_least_r2);
    if (with_paper)
        put_paper_notes(t, d);
    note_reasons(t, d, context);
    page_table(page, t);
}

static void write_context(struct page *page, const struct context *context)
{
    struct reference ref = page_reference(page, &reference_schema);
    put_table(page, context, scoped_reference(&ref, context));
    free(ref.row);
}

const struct section section_parameters = {
    .name = "parameters",
    .title = "α and β per algorithm",
    .subject = PAGE_MODELS,
    .rows = SECTION_ROWS(hockneys),
    .absent = "Not fitted yet: `fit/hockney.csv` is not there (`collsel fit` writes it).",
    .file = "fit/hockney.csv",
    .of_experiments = 1,
    .intro =
        "α is the time that a message takes whatever its size, β the time of each further byte. "
        "Each algorithm has its own: calls of different sizes, each followed by a linear gather, "
        "are timed on the root. (A reduction ends at the root, which then asks for the gather.) "
        "Each size gives one equation in α and β, whose coefficients count the stages of the "
        "algorithm’s own schedule. Huber’s regression, which gives outliers less weight, solves "
        "them.\n",
    .heading = "",
    .each = write_context,
};
