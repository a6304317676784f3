/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines, fields divided by tabs:
 *
 * - C, collective, library, mapping, the library's name in tables: the next context;
 * - A, label, number of its setting (0: none): the next candidate of the context, from 0;
 * - processes, bytes and three times: a cell, its fastest, the one behind it, and the default;
 * - X: the context has more cells, for which there was no room;
 * - S, setting: the next one of the page, from 1. They come last.
 *
 * A time is candidate:microseconds[:half of its interval in percent:launches:calls]; "-": none. */
#include "reports/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advise/tuning.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"
#include "reports/section_common.h"
#include "reports/copied_setting.h"
#include "reports/style.h"
#include "reports/table.h"

/* So many bytes of them in a page: it says of others that they are in selection.csv. */
enum { MOST_TEXT = 32 * 1024 };

struct told {
    FILE *out;
    struct page *page;
    const struct report_data *data;
    const struct rules_reader *reader; /* of the context; NULL: none */
    const struct measured **row;       /* that have a time, cell after cell, the fastest first */
    size_t rows;
    struct candidate *candidate; /* of the context, each once */
    size_t candidates;
};

static int by_time(const void *left, const void *right)
{
    const struct measured *const *a = left, *const *b = right;
    const int c = cell_compare(&(*a)->point.cell, &(*b)->point.cell);
    return c ? c : ((*a)->time.value > (*b)->time.value) - ((*a)->time.value < (*b)->time.value);
}

static void find_rows(struct told *t)
{
    t->row = memory_zeros(t->data->results + 1, sizeof *t->row);
    for (size_t i = 0; i < t->data->results; i++)
        if (result_usable(&t->data->result[i]) && t->data->result[i].point.experiment == EXP_TIME)
            t->row[t->rows++] = &t->data->result[i];
    qsort(t->row, t->rows, sizeof *t->row, by_time);
}

/* The first row of a cell; t->rows: there is none. */
static size_t first_row(const struct told *t, const struct cell *cell)
{
    size_t low = 0, high = t->rows;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (cell_compare(&t->row[middle]->point.cell, cell) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->rows && cell_compare(&t->row[low]->point.cell, cell) == 0 ? low : t->rows;
}

/* The number of a candidate, which is told the first time. */
static size_t number_of(struct told *t, const struct cell *cell, const struct candidate *c)
{
    for (size_t i = 0; i < t->candidates; i++)
        if (candidate_equal(&t->candidate[i], c))
            return i;
    *(struct candidate *)array_add(&t->candidate, &t->candidates) = *c;
    fputs("A\t", t->out);
    escape_html(t->out, candidate_label(c, shows_library(t->data)));
    fprintf(t->out, "\t%zu\n", setting_number(t->page, t->reader, cell, c));
    return t->candidates - 1;
}

static void put_time(const struct told *t, size_t number, const struct measured *m)
{
    if (!m) {
        fputs("\t-", t->out);
        return;
    }
    fprintf(t->out, "\t%zu:%.4g", number, 1e6 * m->time.value);
    if (isfinite(m->time.rel_ci))
        fprintf(t->out, ":%.2g:%zu:%zu", 100 * m->time.rel_ci, m->time.launches, m->time.n);
    else if (!t->data->simulated)
        fprintf(t->out, "::%zu:%zu", m->time.launches, m->time.n);
}

/* The cell of a row of selection.csv, and of the default's row there (NULL: none). */
static void put_cell(struct told *t, const struct selection *best, const struct selection *usual)
{
    const struct measured *told[3] = { 0 };
    size_t number[3] = { 0 }, i = first_row(t, &best->cell);
    for (; i < t->rows && cell_compare(&t->row[i]->point.cell, &best->cell) == 0; i++) {
        const struct measured *m = t->row[i];
        const int by_default = usual && candidate_equal(&m->point.candidate, &usual->chosen);
        const int other =
            !told[0] || !candidate_equal(&m->point.candidate, &told[0]->point.candidate);
        if (!told[1] && other &&
            strcmp(algorithm_base_name(m->point.candidate.algorithm), "default") != 0)
            told[told[0] != NULL] = m;
        if (!told[2] && by_default)
            told[2] = m;
    }
    if (!told[0])
        return;
    for (size_t k = 0; k < 3; k++)
        if (told[k])
            number[k] = number_of(t, &best->cell, &told[k]->point.candidate);
    fprintf(t->out, "%d\t%llu", best->cell.procs, (unsigned long long)best->cell.bytes);
    for (size_t k = 0; k < 3; k++)
        put_time(t, number[k], told[k]);
    fputc('\n', t->out);
}

static int same_place(const struct cell *a, const struct cell *b)
{
    return a->procs == b->procs && a->bytes == b->bytes;
}

/* The first cell of each place in the grid: the choices stand in that order. */
static void put_context(struct told *t, const struct context *context)
{
    const struct report_data *d = t->data;
    const struct selection *before = NULL;
    fputs("C", t->out);
    const char *const name[] = { context->collective, mpi_label(context->mpi), context->mapping,
                                 context->mpi };
    for (size_t i = 0; i < 4; i++) {
        fputc('\t', t->out);
        escape_html(t->out, name[i]);
    }
    fputc('\n', t->out);
    t->candidates = 0;
    for (size_t i = 0; i < d->choices; i++) {
        const struct selection *c = &d->choice[i], *usual = NULL;
        size_t n;
        if (!cell_in(&c->cell, context) || strcmp(c->name, "best") != 0 ||
            (before && same_place(&before->cell, &c->cell)))
            continue;
        if (ftell(t->out) >= MOST_TEXT) {
            fputs("X\n", t->out);
            return;
        }
        before = c;
        const struct selection *all = choices_at(d, &c->cell, &n);
        for (size_t k = 0; k < n && !usual; k++)
            if (strcmp(all[k].name, "default") == 0 && cell_compare(&all[k].cell, &c->cell) == 0)
                usual = &all[k];
        put_cell(t, c, usual);
    }
}

void cells_put(FILE *out, struct page *page)
{
    char *text = NULL;
    size_t size = 0;
    struct facts facts;
    const struct report_data *d = page->data;
    const int known = facts_read(d->dir, &facts, NULL) == 0;
    struct told t = { .out = memory_stream(&text, &size), .page = page, .data = d };
    find_rows(&t);
    for (size_t i = 0; i < d->contexts; i++) {
        t.reader = known ? tuning_reader(&facts, d->context[i].mpi) : NULL;
        put_context(&t, &d->context[i]);
    }
    for (size_t i = 0; i < page->settings; i++) {
        fputs("S\t", t.out);
        escape_html(t.out, page->setting[i]);
        fputc('\n', t.out);
    }
    fclose(t.out);
    fprintf(out, "<pre id=\"cells\" hidden>\n%s</pre>\n", text);
    memory_free(t.row, t.candidate, text);
}
