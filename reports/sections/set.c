/* SPDX-License-Identifier: BSD-3-Clause */
/* What to set: by processes and message size what gains over the library's default, in the
 * library's own names and numbers, as `collsel export` writes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/stats.h"
#include "analysis/tuning.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"
#include "harness/study/libraries/natives.h"
#include "reports/scope.h"
#include "reports/section.h"
#include "reports/setting.h"
#include "reports/style.h"

enum { MOST_COLUMNS = 10, MARGIN_PCT = 3 };

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

/* "What to set: Open MPI 4.1's algorithms for bcast, ranks by core, on mine". what: its
 * first words; collective NULL: of all. Returns buf. */
static const char *caption_of(const struct shown *v, const char *what, const char *collective,
                              char *buf, size_t size)
{
    const struct report_data *d = v->page->data;
    char library[64];
    snprintf(buf, size, "%s: %s's algorithms%s%s, ranks by %.63s, on %s", what,
             setting_library(v->reader, library, sizeof library), collective ? " for " : "",
             collective ? collective : "", v->tuning->mapping, d->cluster);
    return buf;
}

/* A table of one collective. */
static struct table *table_of(const struct shown *v, const char *base, const char *what)
{
    char name[200], caption[400];
    struct table *t =
        page_table_new(v->page, scoped_name(v->page->data, v->context, base, name, sizeof name),
                       caption_of(v, what, v->context->collective, caption, sizeof caption));
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
static const char *label_of(const struct shown *v, const struct candidate *take, char *buf,
                            size_t size)
{
    const struct native *n = native_of(v, take);
    struct candidate own = *take;
    const char *limit = n && n->limits ? algorithm_levels(take->algorithm) : NULL;
    if (n)
        snprintf(own.algorithm, NAME_SIZE, "%.10s:%.44s%s%.5s", v->reader->library, n->name,
                 limit ? "." : "", limit ? limit : "");
    return candidate_label(&own, 0, buf, size);
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
    for (size_t p = 0; p < v->grid->n_procs; p++)
        if (!same_choice(cell_at(v, p, a), cell_at(v, p, b)))
            return 0;
    return 1;
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
    char title[80], key[64], low[32], high[32];
    table_column(t, "procs", NULL, "P", ALIGN_RIGHT);
    for (size_t i = 0; i < n; i++) {
        const uint64_t first = v->grid->bytes[columns[i].first],
                       last = v->grid->bytes[columns[i].last];
        show_bytes(first, low, sizeof low);
        show_bytes(last, high, sizeof high);
        snprintf(title, sizeof title, "%s%s%s", low, first == last ? "" : " to ",
                 first == last ? "" : high);
        snprintf(key, sizeof key, "from_%llu", (unsigned long long)first);
        table_column(t, key, "message size", title, ALIGN_LEFT);
    }
}

/* "ring 4, 64 KiB: +12 to +45 %, ≥ +9 %" over the sizes of a column; "default" where that stays.
 * Returns 1 where the algorithm has a number in the library. */
static int put_cell(struct table *t, const struct shown *v, size_t p, const struct column *c)
{
    const struct tuning_cell *cell = cell_at(v, p, c->first);
    double least = INFINITY, most = -INFINITY, sure = INFINITY;
    char label[160], gain[64], low[40] = "";
    for (size_t b = c->first; b <= c->last; b++) {
        least = fmin(least, cell_at(v, p, b)->gain_pct);
        most = fmax(most, cell_at(v, p, b)->gain_pct);
        sure = fmin(sure, cell_at(v, p, b)->low_pct);
    }
    if (cell->verdict != TUNING_CHOSEN) {
        static const char *const words[] = { "", "default", "default\u00a0~", "default\u00a0?" };
        table_text(t, words[cell->verdict]);
        return 0;
    }
    snprintf(gain, sizeof gain, most - least < 1 ? "+%.0f\u00a0%%" : "+%.0f to +%.0f\u00a0%%",
             least, most);
    const struct native *n = native_of(v, &cell->take);
    char number[24] = "";
    if (n && n->id)
        snprintf(number, sizeof number, " (%d)", n->id);
    if (isfinite(sure))
        snprintf(low, sizeof low, ", ≥\u00a0+%.0f\u00a0%%", sure);
    table_cell(t, cell->take.algorithm, "%s%s: %s%s", label_of(v, &cell->take, label, sizeof label),
               number, gain, low);
    table_mark(t, MARK_BEST);
    put_setting(t, v, cell);
    return *number != '\0';
}

static void put_matrix(const struct shown *v)
{
    struct column *columns;
    const size_t n = find_columns(v, &columns);
    struct table *t = table_of(v, "set", "What to set");
    char library[64];
    int numbered = 0;
    add_columns(t, v, columns, n);
    for (size_t p = 0; p < v->grid->n_procs; p++) {
        table_number(t, (double)v->grid->procs[p], 0);
        for (size_t i = 0; i < n; i++)
            numbered |= put_cell(t, v, p, &columns[i]);
    }
    table_note(t,
               "P: processes. Behind a name stands the segment, %s%s%sthen how much longer the "
               "default takes (≥: the lower "
               "end of the 95 %% interval, where there is one). default: "
               "nothing is faster for certain; ~: something is, but maybe by less than %d %%; ?: a "
               "gain is not known.",
               numbered ? "in brackets its number in " : "",
               numbered ? setting_library(v->reader, library, sizeof library) : "",
               numbered ? ", " : "", MARGIN_PCT);
    if (n > MOST_COLUMNS && v->context != v->page->data->context)
        table_fold(t);
    page_table(v->page, t);
    free(columns);
}

/* ---- every cell ---- */

static void put_cells(const struct shown *v)
{
    static const char *const words[] = { "set", "default", "default: within the margin",
                                         "default: not known" };
    struct table *t = table_of(v, "set-cells", "What to set, cell by cell");
    char label[160];
    table_column(t, "procs", NULL, "P", ALIGN_RIGHT);
    table_column(t, "bytes", NULL, "message size", ALIGN_RIGHT);
    table_column(t, "verdict", NULL, "", ALIGN_LEFT);
    table_column(t, "algorithm", "the fastest of the library's own", "algorithm", ALIGN_LEFT);
    table_column(t, "id", "the fastest of the library's own", "number", ALIGN_RIGHT);
    table_column(t, "gain_pct", "the default takes longer by", "", ALIGN_RIGHT);
    table_column(t, "low_pct", "the default takes longer by", "from", ALIGN_RIGHT);
    table_column(t, "high_pct", "the default takes longer by", "to", ALIGN_RIGHT);
    table_column(t, "behind_pct", NULL, "behind the fastest", ALIGN_RIGHT);
    for (size_t i = 0; i < v->grid->n_procs * v->grid->n_bytes; i++) {
        const struct tuning_cell *c = &v->cell[i];
        table_number(t, c->procs, 0);
        table_bytes(t, c->bytes);
        table_text(t, c->expected && c->verdict == TUNING_CHOSEN ? "set: expected"
                                                                 : words[c->verdict]);
        const struct native *n = native_of(v, &c->take);
        table_cell(t, c->take.algorithm, "%s", label_of(v, &c->take, label, sizeof label));
        put_setting(t, v, c);
        table_number(t, n && n->id ? n->id : NAN, 0);
        const int stays = c->verdict == TUNING_BEST; /* nothing is set: nothing gains */
        table_pct(t, stays ? NAN : c->gain_pct);
        table_pct(t, stays ? NAN : c->low_pct);
        table_pct(t, stays ? NAN : c->high_pct);
        table_pct(t, stays ? NAN : c->longer_pct);
    }
    table_note(t,
               "Where the default stays nothing gains for certain; how far it is behind the "
               "fastest stands "
               "under What the default loses. From and to: ends of the 95 %% interval; none in a "
               "simulation, whose times are "
               "certain, and where there was one launch or run. Behind the fastest: what is as "
               "fast within %.3g %% is set where a neighbouring cell has it, so that noise makes "
               "no stripes.",
               v->tuning->tie_pct);
    table_fold(t);
    page_table(v->page, t);
}

/* Whose default the gains are over, where that is not a release that reads the rules. */
static void say_release(struct page *page, const struct rules_reader *reader,
                        const struct tuning *t)
{
    if (!t->other_release)
        return;
    fputs("The default that is beaten here is that of ", page->md);
    escape_markdown(page->md, t->default_of);
    fprintf(page->md,
            ", and the rules are for %s, whose default may decide otherwise: where it "
            "does, the gain is another.\n\n",
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
        "\nIn %zu of %zu cells something of the library's own gains more than %d\u00a0%% over its "
        "default%s. ",
        t->chosen, t->cells, MARGIN_PCT, is_certain ? "" : ", at the lower end of its interval");
    if (t->expected)
        fprintf(page->md,
                "In %zu of these that is expected, by the times of other cells; their own do not "
                "tell it. ",
                t->expected);
    fprintf(page->md,
            "The default stays in %zu, where nothing of the library's is faster or can be told "
            "from it",
            t->best);
    if (t->margin)
        fprintf(page->md, "; in %zu, where the gain may be less", t->margin);
    if (t->unknown)
        fprintf(page->md, "; in %zu, where a gain, or how certain it is, is not known", t->unknown);
    fputs(". Rules see processes and bytes, not where the ranks are; what no rule can say is left "
          "out of the file, and told there.\n\n",
          page->md);
}

static void say_file(struct page *page, const struct rules_reader *reader, const struct tuning *t)
{
    const struct report_data *d = page->data;
    char command[700];
    const int named = !d->simulated && !reader->schedules && strcmp(t->mpi, reader->library) != 0;
    if (!t->chosen) {
        fputs("There is nothing to set.\n", page->md);
        return;
    }
    snprintf(
        command, sizeof command,
        "collsel export --cluster %s --%s %s%s --mapping %s --library %s%s%s --output %s.rules",
        d->cluster, d->imported ? "dataset" : "study", d->study,
        d->simulated ? strcmp(d->backend, "walk") == 0 ? " --backend walk" : " --backend sim" : "",
        t->mapping, reader->name, named ? " --mpi " : "", named ? t->mpi : "", d->cluster);
    fputs("**To write the file:** ", page->md);
    escape_code(page->md, command);
    fprintf(page->md, "%s. Its head says how the library loads it, and how to roll back.\n\n",
            t->choices.n > 1 ? " (of all collectives)" : "");
}

/* ---- all collectives on one screen ---- */

/* How many of a collective's cells are to be set, and what that gains; returns how many. */
static size_t put_collective(struct table *t, const struct rules_grid *grid,
                             const struct tuning_cell *cell, size_t cells)
{
    double *gain = memory_zeros(cells, sizeof *gain);
    size_t n = 0;
    for (size_t i = 0; i < cells; i++)
        if (cell[i].verdict == TUNING_CHOSEN)
            gain[n++] = cell[i].gain_pct;
    stats_sort(gain, n);
    table_text(t, grid->collective);
    table_number(t, (double)n, 0);
    table_number(t, (double)cells, 0);
    table_pct(t, stats_quantile(gain, n, 0.5));
    table_pct(t, n ? gain[n - 1] : NAN);
    free(gain);
    return n;
}

/* A line for each collective, where there are several: their tables fill many screens. */
static void put_all(struct shown *v)
{
    char name[4 * NAME_SIZE], caption[8 * NAME_SIZE];
    const struct tuning_cell *cell = v->tuning->cell;
    snprintf(name, sizeof name, "set-all-%.40s-%.20s", v->tuning->mpi, v->tuning->mapping);
    struct table *t =
        page_table_new(v->page, name, caption_of(v, "What to set", NULL, caption, sizeof caption));
    table_column(t, "collective", NULL, "collective", ALIGN_LEFT);
    table_column(t, "set", "cells", "to set", ALIGN_RIGHT);
    table_column(t, "cells", "cells", "of", ALIGN_RIGHT);
    table_column(t, "median_pct", "the default takes longer", "median", ALIGN_RIGHT);
    table_column(t, "most_pct", "the default takes longer", "most", ALIGN_RIGHT);
    for (size_t i = 0; i < v->tuning->choices.n; i++) {
        const struct rules_grid *grid = &v->tuning->choices.grid[i];
        const size_t cells = grid->n_procs * grid->n_bytes;
        if (put_collective(t, grid, cell, cells))
            table_mark(t, MARK_BEST);
        cell += cells;
    }
    table_note(t, "Median and most: over the cells that are to be set. What to set in each stands "
                  "in the tables that follow.");
    page_table(v->page, t);
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
    fprintf(page->md,
            "\nNo rules: which release of %s was measured is not known, and what algorithms are "
            "called, and how a file names them, is of releases (`collsel export --library` names "
            "one).\n",
            mpi_label(mpi));
}

/* All collectives of a library and a mapping. */
static void put_library(struct page *page, const struct facts *facts, const struct context *context)
{
    struct tuning t;
    const struct tuning_question question = { .reader = tuning_reader(facts, context->mpi),
                                              .mpi = facts->simulated ? NULL : context->mpi,
                                              .mapping = context->mapping,
                                              .margin_pct = MARGIN_PCT,
                                              .tie_pct = NAN };
    struct err err = { 0 };
    struct shown v = { .page = page, .reader = question.reader, .tuning = &t };
    if (!question.reader) {
        if (is_unknown(facts, context->mpi))
            say_unknown(page, context->mpi);
        return;
    }
    if (tuning_of_results(page->data->dir, &question, &t, &err) < 0) {
        fputs("\nNo rules: ", page->md);
        escape_markdown(page->md, err.text);
        fputs(".\n", page->md);
        return;
    }
    if (t.choices.n > 1) {
        put_all(&v);
        say_file(page, v.reader, &t);
    }
    put_contexts(&v);
    say_undecided(page, &t);
    say_cells(page, &t);
    say_release(page, question.reader, &t);
    tuning_clear(&t);
}

static int applies(const struct report_data *d)
{
    struct facts facts;
    if (facts_read(d->dir, &facts, NULL) < 0)
        return 0;
    for (size_t i = 0; i < d->contexts; i++)
        if (tuning_reader(&facts, d->context[i].mpi) || is_unknown(&facts, d->context[i].mpi))
            return 1;
    return 0;
}

/* 1 when an earlier context has the same library and mapping. */
static int is_done(const struct report_data *d, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(d->context[k].mpi, d->context[i].mpi) == 0 &&
            strcmp(d->context[k].mapping, d->context[i].mapping) == 0)
            return 1;
    return 0;
}

static void write_section(struct page *page)
{
    struct facts facts;
    if (facts_read(page->data->dir, &facts, &page->err) < 0) {
        page->failed = 1;
        return;
    }
    for (size_t i = 0; i < page->data->contexts; i++)
        if (!is_done(page->data, i))
            put_library(page, &facts, &page->data->context[i]);
}

const struct section section_set = {
    .name = "set",
    .title = "What to set",
    .applies = applies,
    .write = write_section,
};
