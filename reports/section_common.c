/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/section_common.h"

/* Adds a number of processes and a size, each unless it is there or there is no room. */
static void grid_add(struct grid *g, int procs, uint64_t bytes)
{
    size_t p = 0, b = 0;
    while (p < g->n_procs && g->procs[p] < procs)
        p++;
    while (b < g->n_bytes && g->bytes[b] < bytes)
        b++;
    if (g->n_procs < MOST_PROCS && (p == g->n_procs || g->procs[p] != procs)) {
        memmove(g->procs + p + 1, g->procs + p, (g->n_procs++ - p) * sizeof *g->procs);
        g->procs[p] = procs;
    }
    if (g->n_bytes < MOST_BYTES && (b == g->n_bytes || g->bytes[b] != bytes)) {
        memmove(g->bytes + b + 1, g->bytes + b, (g->n_bytes++ - b) * sizeof *g->bytes);
        g->bytes[b] = bytes;
    }
}

void grid_find(const struct report_data *data, const struct context *context, const char *purpose,
               struct grid *grid)
{
    *grid = (struct grid){ .root = -1 };
    for (size_t i = 0; i < data->choices; i++) {
        const struct selection *c = &data->choice[i];
        if (!cell_in(&c->cell, context) ||
            (purpose && strcmp(purpose_words[c->purpose], purpose) != 0))
            continue;
        grid_add(grid, c->cell.procs, c->cell.bytes);
        if (grid->root < 0 || c->cell.root < grid->root)
            grid->root = c->cell.root;
    }
}

const struct selection *grid_cell(const struct report_data *data, const struct context *context,
                                  const struct grid *grid, int procs, uint64_t bytes,
                                  const char *selector)
{
    struct cell cell = { .procs = procs, .bytes = bytes, .root = grid->root };
    size_t n;
    memcpy(cell.collective, context->collective, sizeof cell.collective);
    memcpy(cell.mpi, context->mpi, sizeof cell.mpi);
    memcpy(cell.mapping, context->mapping, sizeof cell.mapping);
    const struct selection *c = choices_at(data, &cell, &n);
    return find_below(c, i, n, !selector || strcmp(c[i].name, selector) == 0);
}

void page_judge_open(const struct report_data *data, struct page_judge *judge)
{
    *judge = (struct page_judge){ .works = 0 };
    judge->works =
        data->has_facts && judge_open(&judge->judge, data->dir, &data->facts, NULL, NULL) == 0;
}

void page_judge_close(struct page_judge *judge)
{
    judge_clear(&judge->judge);
}

int page_judge_tied(const struct page_judge *judge, const struct measured *chosen,
                    const struct measured *best)
{
    struct loss_interval loss;
    return judge->works && judge_loss(&judge->judge, chosen, best, &loss, NULL) == 0 ? loss.tied
                                                                                     : STAT_NA;
}

size_t cells_unknown(const struct report_data *data, const struct context *context,
                     const char *selector, const char *purpose)
{
    size_t n = 0;
    for (size_t i = 0; i < data->choices; i++) {
        const struct selection *c = &data->choice[i];
        n += cell_in(&c->cell, context) && strcmp(c->name, selector) == 0 &&
             strcmp(purpose_words[c->purpose], purpose) == 0 && c->best_s > 0 &&
             c->status != SELECT_ALONE && !isfinite(c->degradation_pct);
    }
    return n;
}

/* What the selector loses in a cell of the study, in percent; NaN: not known. */
static double loss_at(const struct report_data *data, const struct cell *cell, const char *selector)
{
    size_t n;
    const struct selection *c = choices_at(data, cell, &n);
    for (size_t i = 0; i < n; i++)
        if (c[i].purpose == FOR_STUDY && strcmp(c[i].name, selector) == 0)
            return c[i].counted_pct;
    return NAN;
}

/* Cells of the study in which the selector chose what has a time. */
static size_t cells_known(const struct report_data *data, const struct context *context,
                          const char *selector)
{
    size_t n = 0;
    for (size_t i = 0; i < data->choices; i++) {
        const struct selection *c = &data->choice[i];
        n += c->purpose == FOR_STUDY && strcmp(c->name, selector) == 0 &&
             cell_in(&c->cell, context) && isfinite(c->degradation_pct);
    }
    return n;
}

/* 1 when a loses less than b over the cells in which both losses are known. */
static int loses_less(const struct report_data *data, const struct context *context, const char *a,
                      const char *b)
{
    double lead = 0;
    for (size_t i = 0; i < data->choices; i++) {
        const struct selection *c = &data->choice[i];
        if (c->purpose != FOR_STUDY || strcmp(c->name, a) != 0 || !cell_in(&c->cell, context))
            continue;
        const double loss = loss_at(data, &c->cell, a), other = loss_at(data, &c->cell, b);
        if (isfinite(loss) && isfinite(other))
            lead += log1p(loss / 100) - log1p(other / 100);
    }
    return lead < 0;
}

/* 1 when it is known what the model loses in at least half of the cells that have a best one. */
static int model_compared(const struct report_data *data, const struct context *context,
                          const struct model *model)
{
    const size_t known = cells_known(data, context, model->name);
    return !model->only_predicts && known > 0 && 2 * known >= cells_known(data, context, "best");
}

const struct model *next_model(const struct report_data *data, const struct context *context,
                               const struct model *const *taken, size_t n)
{
    const struct model *found = NULL;
    for (size_t i = 0; models[i]; i++) {
        const struct model *m = models[i];
        const size_t k = first_below(j, n, taken[j] == m);
        if (k < n || !model_compared(data, context, m))
            continue;
        const enum standing a = model_standing(m, data->backend);
        const enum standing b = found ? model_standing(found, data->backend) : a;
        if (!found || (a == STANDING_TEST && b != STANDING_TEST) ||
            ((a == STANDING_TEST) == (b == STANDING_TEST) &&
             loses_less(data, context, m->name, found->name)))
            found = m;
    }
    return found;
}

const struct model *main_model(const struct report_data *data, const struct context *context)
{
    return model_compared(data, context, models[0]) ? models[0]
                                                    : next_model(data, context, NULL, 0);
}

int context_number(const struct report_data *data, const struct context *context)
{
    for (size_t i = 0; i < data->contexts; i++)
        if (memcmp(&data->context[i], context, sizeof *context) == 0)
            return (int)i;
    return -1;
}

const char *scoped_name(const struct report_data *data, const struct context *context,
                        const char *base)
{
    const int several = data->collectives > 1;
    return data->contexts > 1 ? brief("%s-%s%s%s-%s", base, several ? context->collective : "",
                                      several ? "-" : "", context->mpi, context->mapping)
                              : base;
}

int shows_library(const struct report_data *data)
{
    int several = 0;
    for (size_t i = 1; i < data->contexts; i++)
        several |= strcmp(data->context[i].mpi, data->context[0].mpi) != 0;
    return !data->simulated && (data->any_foreign || several || !data->imported);
}

int is_portable(const char *algorithm)
{
    return strncmp(algorithm, "portable:", 9) == 0;
}

int is_own(const struct candidate *candidate, const struct context *context)
{
    const size_t len = strlen(context->mpi);
    return strncmp(candidate->algorithm, context->mpi, len) == 0 &&
           candidate->algorithm[len] == ':';
}

const char *origin_label(const struct report_data *data, const char *algorithm,
                         const struct context *context)
{
    const char *colon = strchr(algorithm, ':'), *label = algorithm_label(algorithm, 0);
    const size_t len = colon ? (size_t)(colon - algorithm) : 0;
    if (data->simulated || !colon)
        return label;
    if (len == strlen(context->mpi) && strncmp(algorithm, context->mpi, len) == 0)
        return brief("%s, native", label);
    return brief("%s, %.*s", label, (int)len, algorithm);
}

const char *backend_word(const char *backend)
{
    static const char *const words[][2] = { { "emulated", "emulated" },
                                            { "sim", "simulated" },
                                            { "walk", "walked" },
                                            { "null", "planted" } };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], backend) == 0)
            return words[i][1];
    return "measured";
}

const char *times_word(const struct report_data *data)
{
    return backend_word(data->emulated ? "emulated" : data->backend);
}

const char *mpi_label(const char *mpi)
{
    static const char *const names[][2] = { { "openmpi", "Open MPI" },
                                            { "mpich", "MPICH" },
                                            { "smpi", "SMPI" },
                                            { "walk", "walked" },
                                            { "null", "planted" } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], mpi) == 0)
            return names[i][1];
    return mpi;
}

/* 1 when a context has a library: 0 if its label only names the kind of times ("walked"). */
static int has_library(const struct report_data *data, const struct context *context)
{
    return strcmp(mpi_label(context->mpi), times_word(data)) != 0;
}

/* "COLLECTIVE · Open MPI · mapping by core", what there are several of, with this between. */
static const char *context_words(const struct report_data *data, const struct context *context,
                                 const char *between)
{
    const int several = data->collectives > 1, library = has_library(data, context);
    return brief("%s%s%s%smapping by %s", several ? context->collective : "",
                 several ? between : "", library ? mpi_label(context->mpi) : "",
                 library ? between : "", context->mapping);
}

void section_common_heading(struct page *page, const struct context *context, const char *prefix)
{
    const int several = page->data->collectives > 1;
    if (page->data->contexts > 1)
        fprintf(page->md, "\n\n### %s%s%s%s, mapping by %s {data-c=\"%d\"}\n\n", prefix,
                several ? context->collective : "", several ? ", " : "", mpi_label(context->mpi),
                context->mapping, context_number(page->data, context));
}

struct table *scoped_table(const struct page *page, const struct context *context, const char *base,
                           const char *caption, ...)
{
    const struct report_data *d = page->data;
    va_list args;
    va_start(args, caption);
    char *own = memory_print(caption, args);
    va_end(args);
    struct table *t = page_table_new(page, scoped_name(d, context, base), "%s on %s%s%s", own,
                                     d->cluster, d->contexts > 1 ? ", " : "",
                                     d->contexts > 1 ? context_words(d, context, ", ") : "");
    free(own);
    table_of_context(t, context_number(d, context));
    return t;
}

void scoped_figure(struct figure *f, struct page *page, const struct context *context,
                   const char *base, int width, int height, const char *const *columns,
                   const char *title)
{
    figure_begin(f, page, scoped_name(page->data, context, base), width, height, columns, title);
    f->marks = memory_text(brief(" data-c=\"%d\"", context_number(page->data, context)));
}

const char *section_common_title(const struct report_data *data, const struct context *context)
{
    char safe[400];
    const int whole = data->simulated && data->contexts == 1;
    snprintf(safe, sizeof safe, "%s · %s%s%s", data->cluster,
             whole ? "" : context_words(data, context, " · "), whole ? "" : " · ",
             data->backend_title);
    for (char *c = safe; *c; c++)
        if (strchr("\"`\\", *c)) /* would end or run in a gnuplot string */
            *c = '\'';
    return brief("%s", safe);
}

const char *collective_word(const char *collective)
{
    const struct collective *c = collective_find(collective);
    return c ? c->word : collective;
}

const char *context_call(const struct context *context)
{
    const struct collective *c = collective_find(context->collective);
    const int is_mpi = !mpi_is(context->mpi, "nccl") && !mpi_is(context->mpi, "rccl");
    return c && is_mpi ? c->call : context->collective;
}

const struct reference *scoped_reference(const struct reference *reference,
                                         const struct context *context)
{
    static const struct reference none = { .n = 0 };
    return strcmp(context->collective, collective_of_fan(FAN_SEND)->name) == 0 ? reference : &none;
}

struct reference page_reference(struct page *page, const struct schema *schema)
{
    struct err err;
    struct reference reference = { .n = 0 };
    reference.row = schema_read(schema, page->assets, &reference.n, &err);
    if (!reference.row)
        page_fail(page, &err);
    return reference;
}

size_t nearest(const int *procs, size_t n, int wanted)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (abs(procs[i] - wanted) <= abs(procs[best] - wanted))
            best = i;
    return best;
}

size_t series_add(struct series *series, size_t n, const struct candidate *candidate)
{
    for (size_t k = 0; k < n; k++)
        if (series[k].segment_bytes == candidate->segment_bytes &&
            strcmp(series[k].algorithm, candidate->algorithm) == 0)
            return n;
    if (n < MOST_SERIES)
        series[n++] = (struct series){ candidate->algorithm, candidate->segment_bytes };
    return n;
}

static int by_style(const void *a, const void *b)
{
    const struct series *x = a, *y = b;
    return by_keys(style_compare(x->algorithm, y->algorithm),
                   ascending(x->segment_bytes, y->segment_bytes));
}

void series_sort(struct series *series, size_t n)
{
    qsort(series, n, sizeof *series, by_style);
}

const char *series_label(const struct series *series, size_t n, size_t k, int with_library)
{
    int several = 0;
    for (size_t i = 0; i < n; i++)
        several += strcmp(series[i].algorithm, series[k].algorithm) == 0;
    const char *label = algorithm_label(series[k].algorithm, with_library);
    return several > 1 && series[k].segment_bytes
               ? brief("%s, %s", label, show_bytes(series[k].segment_bytes))
               : label;
}

int series_dash(const struct report_data *data, const struct series *series, size_t k)
{
    int before = 0;
    const int marker = style_of(series[k].algorithm).marker;
    int portable = is_portable(series[k].algorithm);
    for (size_t i = 0; i < k; i++)
        before += style_of(series[i].algorithm).marker == marker;
    return 1 + (2 * before + (portable && !data->simulated)) % 5;
}

const char *list_separator(size_t i, size_t n)
{
    return i == 0 ? "" : i + 1 == n ? " and " : ", ";
}

int section_common_is_time(const struct measured *row, const struct context *context)
{
    return result_usable(row) && row->point.experiment == EXP_TIME &&
           (row->point.purpose == FOR_STUDY || row->point.purpose == FOR_DEFAULT) &&
           cell_in(&row->point.cell, context);
}

static int by_cell(const void *left, const void *right)
{
    const struct measured *const *a = left, *const *b = right;
    return by_keys(cell_compare(&(*a)->point.cell, &(*b)->point.cell),
                   candidate_compare(&(*a)->point.candidate, &(*b)->point.candidate));
}

const struct measured **section_common_times(const struct report_data *data,
                                             const struct context *context, size_t *n)
{
    const struct measured **row = memory_zeros(data->results + 1, sizeof *row);
    *n = 0;
    for (size_t i = 0; i < data->results; i++)
        if (section_common_is_time(&data->result[i], context))
            row[(*n)++] = &data->result[i];
    qsort(row, *n, sizeof *row, by_cell);
    return row;
}

size_t section_common_cell_end(const struct measured *const *row, size_t n, size_t i)
{
    size_t end = i + 1;
    while (end < n && !cell_compare(&row[i]->point.cell, &row[end]->point.cell))
        end++;
    return end;
}

int choice_is_tied(const struct report_data *data, const struct cell *cell, const char *selector)
{
    for (size_t i = 0; i < data->choices; i++) {
        const struct selection *c = &data->choice[i];
        if (c->purpose == FOR_STUDY && strcmp(c->name, selector) == 0 && cell_equal(&c->cell, cell))
            return c->tied == 1;
    }
    return 0;
}

void note_marks(struct table *t)
{
    if (table_has(t, standing_mark(STANDING_SIMULATOR)))
        table_note(t, "%s", simulator_note);
    if (table_has(t, standing_mark(STANDING_IN_SAMPLE)))
        table_note(t,
                   "(in sample): fitted to, or chosen by, the times of these very cells. What it "
                   "loses there is no prediction; the held-out cells tell what it is worth.");
    if (table_has(t, " ‡"))
        table_note(t, "%s", chosen_note);
}

enum { LEAST_PROCS = 6 };

int regression_is_drawn(const struct regression_row *r)
{
    return r->fit.r.n >= LEAST_PROCS && r->fit.median_error >= 0 && strcmp(r->method, "huber") == 0;
}

int regressions_apply(const struct report_data *data)
{
    return any_below(i, data->regressions, regression_is_drawn(&data->regression[i]));
}

int is_kind(const struct cell *cell, const struct kind *kind)
{
    return strcmp(cell->collective, kind->collective) == 0 && strcmp(cell->mpi, kind->mpi) == 0;
}

size_t regression_kinds(const struct report_data *data, struct kind *kind)
{
    size_t n = 0;
    for (size_t i = 0; i < data->regressions; i++) {
        const struct cell *c = &data->regression[i].fit.cell;
        const size_t k = first_below(j, n, is_kind(c, &kind[j]));
        if (k < n || n == MOST_KINDS || !regression_is_drawn(&data->regression[i]))
            continue;
        memcpy(kind[n].collective, c->collective, NAME_SIZE);
        memcpy(kind[n++].mpi, c->mpi, NAME_SIZE);
    }
    return n;
}

static uint64_t nearest_size(const struct report_data *data, const struct kind *kind,
                             uint64_t wanted)
{
    uint64_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < data->regressions; i++) {
        const struct regression_row *r = &data->regression[i];
        const double ratio = fabs(log((double)r->fit.cell.bytes / (double)wanted));
        if (r->fit.cell.bytes && regression_is_drawn(r) && is_kind(&r->fit.cell, kind) &&
            ratio < least) {
            least = ratio;
            best = r->fit.cell.bytes;
        }
    }
    return best;
}

size_t regression_sizes(const struct report_data *data, const struct kind *kind, uint64_t *bytes)
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

const char *regression_name(const struct report_data *data, const struct kind *kind,
                            const char *base, uint64_t bytes)
{
    struct kind all[MOST_KINDS];
    int libraries = 0;
    const size_t n = regression_kinds(data, all);
    for (size_t i = 0; i < n; i++)
        libraries += strcmp(all[i].collective, kind->collective) == 0;
    return brief("%s-%s%s%s%s", base, kind->collective, libraries > 1 ? "-" : "",
                 libraries > 1 ? kind->mpi : "",
                 bytes ? brief("-%llu", (unsigned long long)bytes) : "");
}
