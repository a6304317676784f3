/* SPDX-License-Identifier: BSD-3-Clause */
/* What to set: by processes and message size what gains over the library's default, in the
 * library's own names and numbers, as `collsel rules write` writes it. */
#include "reports/section_common.h"
#include "reports/brief.h"
#include "reports/copied_setting.h"

enum { MOST_COLUMNS = 10, MOST_PLAIN = 8 };

/* Sizes in which nothing changes from the one before are one column. */
struct column {
    size_t first, last; /* of the grid's bytes */
};

struct shown {
    struct page *page;
    const struct rules_reader *reader;
    const struct tuning *tuning;
    const struct tuning_cell *cell; /* of the collective: by processes, then bytes */
    const struct rules_grid *grid;
    const struct context *context;
};

static const struct tuning_cell *cell_at(const struct shown *v, size_t p, size_t b)
{
    return &v->cell[p * v->grid->n_bytes + b];
}

/* A table of one collective: "What to set: Open MPI 4.1's algorithms for COLLECTIVE, ranks by core,
 * on mine". what: its first words. */
static struct table *table_of(const struct shown *v, const char *base, const char *what)
{
    char library[64];
    struct table *t =
        page_table_new(v->page, scoped_name(v->page->data, v->context, base),
                       "%s: %s's algorithms for %s, ranks by %.63s, on %s", what,
                       setting_library(v->reader, library, sizeof library), v->context->collective,
                       v->tuning->mapping, v->page->data->cluster);
    table_of_context(t, context_number(v->page->data, v->context));
    return t;
}

/* The library's algorithm that a cell takes; NULL: its own decision. */
static const struct native *native_of(const struct shown *v, const struct candidate *take)
{
    return native_in_rules(v->reader->library, v->reader->version, v->context->collective,
                           take->algorithm);
}

/* By the library's own name, whoever's schedule was timed. */
static const char *label_of(const struct shown *v, const struct candidate *take)
{
    const struct native *n = native_of(v, take);
    struct candidate own = *take;
    const char *limit = n && n->limits ? algorithm_levels(take->algorithm) : NULL;
    if (n)
        snprintf(own.algorithm, NAME_SIZE, "%.10s:%.44s%s%.5s", v->reader->library, n->name,
                 limit ? "." : "", limit ? limit : "");
    return candidate_label(&own, 0);
}

/* What forces a cell's choice by hand, where the default does not stay. */
static void put_setting(struct table *t, const struct shown *v, const struct tuning_cell *cell)
{
    struct cell where = { .procs = cell->procs, .bytes = cell->bytes };
    snprintf(where.collective, sizeof where.collective, "%s", v->context->collective);
    if (cell->verdict == TUNING_CHOSEN)
        table_setting(t, setting_number(v->page, v->reader, &where, &cell->take));
}

/* ---- the table of processes and sizes ---- */

static int same_choice(const struct tuning_cell *a, const struct tuning_cell *b)
{
    return a->verdict == b->verdict &&
           (a->verdict != TUNING_CHOSEN || candidate_compare(&a->take, &b->take) == 0);
}

static int same_column(const struct shown *v, size_t a, size_t b)
{
    return !any_below(p, v->grid->n_procs, !same_choice(cell_at(v, p, a), cell_at(v, p, b)));
}

static size_t find_columns(const struct shown *v, struct column **columns)
{
    size_t n = 0;
    *columns = NULL;
    for (size_t b = 0; b < v->grid->n_bytes; b++)
        if (b && same_column(v, b - 1, b))
            (*columns)[n - 1].last = b;
        else
            *(struct column *)array_add(columns, &n) = (struct column){ b, b };
    return n;
}

static void add_columns(struct table *t, const struct shown *v, const struct column *columns,
                        size_t n)
{
    table_columns(t, ">procs|P");
    for (size_t i = 0; i < n; i++) {
        const uint64_t first = v->grid->bytes[columns[i].first],
                       last = v->grid->bytes[columns[i].last];
        table_columns(t, "<from_%llu|%s%s%s|message size", (unsigned long long)first,
                      show_bytes(first), first == last ? "" : " to ",
                      first == last ? "" : show_bytes(last));
    }
}

/* "ring 4, 64 KiB: 1.1 to 1.4×, ≥ 1.09×" over the sizes of a column; a sign where the default
 * stays. Returns 1 where the algorithm has a number in the library. */
static int put_cell(struct table *t, const struct shown *v, size_t p, const struct column *c)
{
    const struct tuning_cell *cell = cell_at(v, p, c->first);
    double least = INFINITY, most = -INFINITY, sure = INFINITY;
    char gain[64], low[40] = "";
    for (size_t b = c->first; b <= c->last; b++) {
        least = fmin(least, cell_at(v, p, b)->gain_pct);
        most = fmax(most, cell_at(v, p, b)->gain_pct);
        sure = fmin(sure, cell_at(v, p, b)->low_pct);
    }
    if (cell->verdict != TUNING_CHOSEN) {
        static const char *const words[][2] = {
            { "", "" }, { "default", "–" }, { "default\u00a0~", "~" }, { "default\u00a0?", "?" }
        };
        table_cell(t, words[cell->verdict][0], "%s", words[cell->verdict][1]);
        return 0;
    }
    snprintf(gain, sizeof gain, "%s×", brief_factor(1 + least / 100));
    if (most - least >= 1)
        snprintf(gain, sizeof gain, "%s to %s×", brief_factor(1 + least / 100),
                 brief_factor(1 + most / 100));
    const struct native *n = native_of(v, &cell->take);
    char number[24] = "";
    if (n && n->id)
        snprintf(number, sizeof number, "\u00a0(%d)", n->id);
    if (isfinite(sure))
        snprintf(low, sizeof low, ", ≥\u00a0%s×", brief_factor(1 + sure / 100));
    table_cell(t, cell->take.algorithm, "%s%s: %s%s", label_of(v, &cell->take), number, gain, low);
    table_mark(t, MARK_BEST);
    put_setting(t, v, cell);
    return *number != '\0';
}

/* 1 when the default stays for all sizes. */
static int is_plain_row(const struct shown *v, size_t p)
{
    const size_t b = first_below(i, v->grid->n_bytes, cell_at(v, p, i)->verdict == TUNING_CHOSEN);
    return b == v->grid->n_bytes;
}

/* The least confidence of the intervals that are shown: where other cells tell the gain it may be
 * below that of measured ones, or not known. */
static const char *confidence(const struct shown *v, char text[16])
{
    double least = 95;
    for (size_t i = 0; i < v->grid->n_procs * v->grid->n_bytes; i++)
        if (isfinite(v->cell[i].low_pct) && !algorithm_is_default(v->cell[i].take.algorithm))
            least = least < v->cell[i].holds_pct ? least : v->cell[i].holds_pct; /* NaN stays */
    snprintf(text, 16, isnan(least) ? "unknown" : "%.0f %%", floor(least));
    return text;
}

static void put_matrix(const struct shown *v)
{
    struct column *columns;
    const size_t n = find_columns(v, &columns);
    struct table *t = table_of(v, "set", "What to set");
    char library[64], sure[16];
    int numbered = 0;
    size_t aside = 0;
    add_columns(t, v, columns, n);
    for (size_t p = 0; p < v->grid->n_procs; p++) {
        table_number(t, (double)v->grid->procs[p], 0);
        for (size_t i = 0; i < n; i++)
            numbered |= put_cell(t, v, p, &columns[i]);
        if (is_plain_row(v, p) && v->grid->n_procs > MOST_PLAIN) {
            table_row_aside(t);
            aside++;
        }
    }
    table_note(t,
               "P: processes. Algorithm, segment size%s%s%s: speed-up over the default (≥: at "
               "least, with %s confidence). The default stays at –, where nothing is faster; "
               "at ~, where the gain may be below %d %%; and at ?, where it is not known.",
               numbered ? " (its number in " : "",
               numbered ? setting_library(v->reader, library, sizeof library) : "",
               numbered ? ")" : "", confidence(v, sure), SETTING_MARGIN_PCT);
    if (aside)
        table_note(t,
                   "The default stays for all sizes in the %zu row%s that %s left out here; the "
                   "files below have them.",
                   COUNTED(aside), of_number(aside, "is", "are"));
    if (n > MOST_COLUMNS && v->context != v->page->data->context)
        table_fold(t);
    page_table(v->page, t);
    free(columns);
}

/* ---- every cell ---- */

/* By how much longer the default takes, as a speed-up; the CSV holds percent. */
static void put_speedup(struct table *t, double longer_pct)
{
    if (isfinite(longer_pct))
        table_value(t, longer_pct, "%s×", brief_factor(1 + longer_pct / 100));
    else
        table_pct(t, longer_pct);
}

static void put_cells(const struct shown *v)
{
    static const char *const words[] = { "set", "default", "default: within the margin",
                                         "default: not known" };
    char sure[16];
    struct table *t = table_of(v, "set-cells", "What to set, cell by cell");
    table_columns(
        t, ">procs|P ; >bytes|message size ; <verdict| ; <algorithm|algorithm|the fastest of the "
           "library's own ; >id|number|the fastest of the library's own ; >gain_pct||speed-up ; "
           ">low_pct|from|speed-up ; >high_pct|to|speed-up ; >behind_pct|behind the fastest");
    for (size_t i = 0; i < v->grid->n_procs * v->grid->n_bytes; i++) {
        const struct tuning_cell *c = &v->cell[i];
        table_cells(t, "%d | %ju B | %s", c->procs, c->bytes,
                    c->expected && c->verdict == TUNING_CHOSEN ? "set: expected"
                                                               : words[c->verdict]);
        const struct native *n = native_of(v, &c->take);
        table_cell(t, c->take.algorithm, "%s", label_of(v, &c->take));
        put_setting(t, v, c);
        table_number(t, n && n->id ? n->id : NAN, 0);
        /* nothing is set: nothing gains */
        const int stays = c->verdict == TUNING_BEST || algorithm_is_default(c->take.algorithm);
        put_speedup(t, stays ? NAN : c->gain_pct);
        put_speedup(t, stays ? NAN : c->low_pct);
        put_speedup(t, stays ? NAN : c->high_pct);
        table_pct(t, stays || c->expected ? NAN : c->longer_pct);
    }
    table_note(t,
               "Where the default stays nothing gains for certain; how far it is behind the "
               "fastest stands under What the default loses. From and to: ends of an interval "
               "with %s confidence; none in a simulation, whose times are certain, and where there "
               "was one "
               "launch or run. Behind the fastest: what is as fast within %.3g %% is set where a "
               "neighbouring cell has it, so that noise makes no stripes.",
               confidence(v, sure), v->tuning->tie_pct);
    table_fold(t);
    page_table(v->page, t);
}

/* Whose default the gains are over, where that is not a release that reads the rules. */
static void say_release(struct page *page, const struct rules_reader *reader,
                        const struct tuning *t)
{
    if (!t->other_release)
        return;
    fputs("Careful: these gains are over the default of ", page->md);
    escape_markdown(page->md, t->default_of);
    fprintf(page->md,
            ", and the rules are for %s: over its default they may be smaller, or none.\n\n",
            reader->name);
}

/* Whose measurements decide nothing. */
static void say_undecided(struct page *page, const struct tuning *t)
{
    for (size_t i = 0; i < t->n_undecided; i++) {
        fprintf(page->md, "\nNo rules of %s: ", t->undecided[i].collective);
        escape_markdown(page->md, t->undecided[i].why);
        fputs(".\n", page->md);
    }
}

static void say_cells(struct page *page, const struct tuning *t)
{
    const struct report_data *d = page->data;
    const int is_certain = d->simulated && strcmp(d->backend, "null") != 0; /* has no intervals */
    fprintf(
        page->md,
        "\nIn %zu of %zu cell%s something of the library's own gains more than %d\u00a0%% over its "
        "default%s. ",
        t->chosen, COUNTED(t->cells), SETTING_MARGIN_PCT,
        is_certain ? "" : ", at the lower end of its interval");
    if (t->expected)
        fprintf(page->md,
                "In %zu of these that is expected, by the times of other cells; their own do not "
                "tell it. ",
                t->expected);
    fprintf(page->md, "The default stays in %zu, where nothing of the library's is surely faster",
            t->best);
    if (t->margin)
        fprintf(page->md, "; in %zu, where the gain may be less", t->margin);
    if (t->unknown)
        fprintf(page->md, "; in %zu, where a gain, or how certain it is, is not known", t->unknown);
    fputs(". The file cannot tell placements apart; its head lists what it cannot express.\n\n",
          page->md);
}

static void say_file(struct page *page, const struct rules_reader *reader, const struct tuning *t)
{
    const struct report_data *d = page->data;
    if (!t->chosen) {
        fputs("There is nothing to set.\n", page->md);
        return;
    }
    char *command = setting_export(d, reader, t->mpi, t->mapping);
    fputs("**To write the file:** ", page->md);
    escape_code(page->md, command);
    fprintf(page->md, "%s. Its head says how the library loads it, and how to roll back.\n\n",
            t->choices.n > 1 ? " (of all collectives)" : "");
    free(command);
}

/* ---- all collectives on one screen ---- */

/* A library's rules for ranks of one mapping; without, where they cannot be told. */
struct part {
    const struct context *context; /* the first with these two */
    const struct rules_reader *reader;
    struct tuning tuning;
    int told;
    struct err err;
};

/* What is gained in the cells that are to be set, or, not certain, in those where the default stays
 * though something is faster by more than the margin; ascending. Returns how many. */
static size_t gains_of(const struct tuning_cell *cell, size_t cells, int certain, double *gain)
{
    size_t n = 0;
    for (size_t i = 0; i < cells; i++)
        if (certain ? cell[i].verdict == TUNING_CHOSEN
                    : (cell[i].verdict == TUNING_MARGIN || cell[i].verdict == TUNING_UNKNOWN) &&
                          cell[i].gain_pct > SETTING_MARGIN_PCT)
            gain[n++] = cell[i].gain_pct;
    stats_sort(gain, n);
    return n;
}

/* How many of a collective's cells are to be set, and what that gains. */
static void put_collective(struct table *t, const struct part *p, const struct rules_grid *grid,
                           const struct tuning_cell *cell, int libraries, int mappings)
{
    const size_t cells = grid->n_procs * grid->n_bytes;
    double *gain = memory_zeros(cells, sizeof *gain);
    char library[64];
    size_t n = gains_of(cell, cells, 1, gain);
    table_text(t, grid->collective);
    if (libraries)
        table_cell(t, p->context->mpi, "%s", setting_library(p->reader, library, sizeof library));
    if (mappings)
        table_text(t, p->context->mapping);
    table_cells(t, "%zu | %zu", n, cells);
    put_speedup(t, stats_quantile(gain, n, 0.5));
    put_speedup(t, n ? gain[n - 1] : NAN);
    table_mark(t, n ? MARK_BEST : MARK_NONE);
    n = gains_of(cell, cells, 0, gain);
    table_cells(t, "%zu", n);
    put_speedup(t, stats_quantile(gain, n, 0.5));
    table_mark(t, n ? MARK_FAIR : MARK_NONE);
    free(gain);
}

/* The rows of a part, by their collectives. */
static void put_part(struct table *t, const struct part *p, int libraries, int mappings)
{
    const struct tuning_cell *cell = p->tuning.cell;
    for (size_t i = 0; i < p->tuning.choices.n; i++) {
        const struct rules_grid *grid = &p->tuning.choices.grid[i];
        put_collective(t, p, grid, cell, libraries, mappings);
        cell += grid->n_procs * grid->n_bytes;
    }
}

/* A line for each collective, library and mapping, where there are several: their tables fill many
 * screens, and what is harmless by core may be the loss of a site that goes by node. */
static void put_all(struct page *page, const struct part *part, size_t parts)
{
    char library[64];
    int libraries = 0, mappings = 0;
    size_t rows = 0;
    const struct part *first = NULL;
    for (size_t i = 0; i < parts; i++) {
        if (!part[i].told)
            continue;
        first = first ? first : &part[i];
        rows += part[i].tuning.choices.n;
        libraries |= strcmp(part[i].context->mpi, first->context->mpi) != 0;
        mappings |= strcmp(part[i].context->mapping, first->context->mapping) != 0;
    }
    if (rows < 2)
        return;
    setting_library(first->reader, library, sizeof library);
    struct table *t = page_table_new(page, "set-all", "What to set: %s%s%s%.63s, on %s",
                                     libraries ? "the libraries" : library,
                                     libraries ? "’ algorithms" : "'s algorithms",
                                     mappings ? ", by how ranks are mapped" : ", ranks by ",
                                     mappings ? "" : first->context->mapping, page->data->cluster);
    table_columns(t, "<collective|collective%s%s", libraries ? " ; <mpi|library" : "",
                  mappings ? " ; <mapping|mapping" : "");
    table_columns(t, ">set|to set|cells ; >cells|of|cells ; >median_pct|median|speed-up ; "
                     ">most_pct|most|speed-up ; >unsure|cells|faster, unsure ; "
                     ">unsure_median_pct|median|faster, unsure");
    for (size_t i = 0; i < parts; i++)
        if (part[i].told)
            put_part(t, &part[i], libraries, mappings);
    table_note(t,
               "Speed-up: over the cells that are to be set; the tables that follow have each. Not "
               "for certain: the default stays there, though something seems faster by more than "
               "%d %%, as the gain may be less or its interval is not known.%s",
               SETTING_MARGIN_PCT,
               mappings ? " A file of rules is for one mapping: take that by which your jobs run."
                        : "");
    page_table(page, t);
}

/* ---- the section ---- */

static void put_contexts(struct shown *v)
{
    const struct tuning_cell *cell = v->tuning->cell;
    for (size_t i = 0; i < v->tuning->choices.n; i++) {
        v->grid = &v->tuning->choices.grid[i];
        v->cell = cell;
        cell += v->grid->n_procs * v->grid->n_bytes;
        for (size_t k = 0; k < v->page->data->contexts; k++) {
            v->context = &v->page->data->context[k];
            if (strcmp(v->context->collective, v->grid->collective) != 0 ||
                strcmp(v->context->mapping, v->tuning->mapping) != 0 ||
                strcmp(v->context->mpi, v->tuning->mpi) != 0)
                continue;
            put_matrix(v);
            if (v->tuning->choices.n == 1)
                say_file(v->page, v->reader, v->tuning);
            put_cells(v);
        }
    }
}

/* 1 when rules are known of the library, but not the release that was measured. */
static int is_unknown(const struct facts *facts, const char *mpi)
{
    return !facts->simulated && !tuning_reader(facts, mpi) && rules_library_known(mpi_family(mpi));
}

static void say_unknown(struct page *page, const char *mpi)
{
    fprintf(
        page->md,
        "\nNo rules: which release of %s was measured is not known, and what algorithms are "
        "called, and how a file names them, is of releases (`collsel rules write --library` names "
        "one).\n",
        mpi_label(mpi));
}

/* Finds the rules of a library and a mapping. */
static void find_part(struct page *page, const struct context *context, struct part *p)
{
    *p = (struct part){ .context = context };
    p->told = setting_tuning(page->data, context->mpi, context->mapping, &p->reader, &p->tuning,
                             &p->err) == 0;
}

/* All collectives of it. */
static void put_library(struct page *page, struct part *p)
{
    struct shown v = { .page = page, .reader = p->reader, .tuning = &p->tuning };
    if (!p->reader) {
        if (is_unknown(&page->data->facts, p->context->mpi))
            say_unknown(page, p->context->mpi);
        return;
    }
    if (!p->told) {
        fputs("\nNo rules: ", page->md);
        escape_markdown(page->md, p->err.text);
        fputs(".\n", page->md);
        return;
    }
    if (p->tuning.choices.n > 1)
        say_file(page, v.reader, &p->tuning);
    put_contexts(&v);
    say_undecided(page, &p->tuning);
    say_cells(page, &p->tuning);
    say_release(page, p->reader, &p->tuning);
    tuning_clear(&p->tuning);
}

static int applies(const struct report_data *d)
{
    return d->has_facts && any_below(i, d->contexts,
                                     tuning_reader(&d->facts, d->context[i].mpi) ||
                                         is_unknown(&d->facts, d->context[i].mpi));
}

/* 1 when an earlier context has the same library and mapping. */
static int is_done(const struct report_data *d, size_t i)
{
    return any_below(k, i,
                     strcmp(d->context[k].mpi, d->context[i].mpi) == 0 &&
                         strcmp(d->context[k].mapping, d->context[i].mapping) == 0);
}

static void write_section(struct page *page)
{
    struct part *part = memory_zeros(page->data->contexts + 1, sizeof *part);
    size_t parts = 0;
    for (size_t i = 0; i < page->data->contexts; i++)
        if (!is_done(page->data, i))
            find_part(page, &page->data->context[i], &part[parts++]);
    put_all(page, part, parts);
    for (size_t i = 0; i < parts; i++)
        put_library(page, &part[i]);
    free(part);
}

const struct section section_set = {
    .name = "set",
    .title = "What to set",
    .subject = PAGE_CHOICES,
    .applies = applies,
    .write = write_section,
};
