/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/links_data.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/models/links/links_fit.h"

/* The models that route messages over links. */
static void find_models(struct links_scope *scope)
{
    scope->paper = links_paper;
    for (const struct model *const *m = links_models; *m && scope->models < MOST_LINKS_MODELS; m++)
        scope->model[scope->models++] = *m;
}

/* A row of the section's models in the context, of the study's grid. */
static int is_row(const struct predicted *p, const struct links_scope *scope)
{
    return p->model == scope->paper && cell_in(&p->point.cell, scope->context) &&
           p->point.purpose == FOR_STUDY && isfinite(p->prediction.seconds);
}

/* The largest cell, and whether portable algorithms are there. */
static const struct predicted *find_largest(const struct report_data *d,
                                            const struct links_scope *scope, int *portable)
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

static int in_scope(const struct links_scope *scope, const struct cell *cell)
{
    return cell_in(cell, scope->context) && cell->procs == scope->procs &&
           cell->root == scope->root && strcmp(cell->collective, scope->collective) == 0;
}

/* Few of very many predictions: all that follows looks among them alone. */
static void find_rows(const struct report_data *d, struct links_scope *scope)
{
    scope->row = memory_zeros(d->predictions + 1, sizeof *scope->row);
    for (size_t i = 0; i < d->predictions; i++)
        if (d->prediction[i].point.cell.procs == scope->procs &&
            in_scope(scope, &d->prediction[i].point.cell))
            scope->row[scope->rows++] = &d->prediction[i];
}

/* Drops the models that predict nothing here: on a star or tree no flows are walked. */
static void drop_silent(struct links_scope *scope)
{
    size_t kept = 0;
    for (size_t m = 0; m < scope->models; m++) {
        size_t i = 0;
        while (i < scope->rows && !(scope->row[i]->model == scope->model[m] &&
                                    isfinite(scope->row[i]->prediction.seconds)))
            i++;
        if (i < scope->rows)
            scope->model[kept++] = scope->model[m];
    }
    scope->models = kept;
}

int links_scope_find(const struct report_data *d, const struct context *context,
                     struct links_scope *scope)
{
    int portable;
    *scope = (struct links_scope){ .context = context, .low = UINT64_MAX };
    find_models(scope);
    const struct predicted *largest = find_largest(d, scope, &portable);
    for (size_t i = 0; i < d->links_places; i++)
        if (strcmp(d->links_place[i].mpi, context->mpi) == 0 &&
            strcmp(d->links_place[i].mapping, context->mapping) == 0)
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
        links_scope_clear(scope);
    return scope->n > 0;
}

void links_scope_clear(struct links_scope *scope)
{
    free(scope->row);
    scope->row = NULL;
    scope->rows = 0;
}

static int is_of(const struct links_scope *scope, const struct cell *cell,
                 const struct candidate *candidate, size_t series, uint64_t bytes)
{
    const struct series *s = &scope->series[series];
    return in_scope(scope, cell) && cell->bytes == bytes &&
           strcmp(candidate->algorithm, s->algorithm) == 0 &&
           candidate->segment_bytes == s->segment_bytes;
}

static const struct predicted *find(const struct links_scope *scope, const char *model,
                                    size_t series, uint64_t bytes)
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

double links_predicted(const struct links_scope *scope, const char *model, size_t series,
                       uint64_t bytes)
{
    const struct predicted *p = find(scope, model, series, bytes);
    return p ? p->prediction.seconds : NAN;
}

double links_measured(const struct links_scope *scope, size_t series, uint64_t bytes)
{
    const struct predicted *p = find(scope, scope->paper->name, series, bytes);
    return p ? p->measured_s : NAN;
}

const struct links_row *links_point_at(const struct report_data *d, const struct links_scope *scope,
                                       size_t series, uint64_t bytes)
{
    for (size_t i = 0; i < d->links_rows; i++)
        if (is_of(scope, &d->links_row[i].point.cell, &d->links_row[i].point.candidate, series,
                  bytes))
            return &d->links_row[i];
    return NULL;
}

size_t links_sizes(const struct links_scope *scope, uint64_t *bytes)
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
    qsort(bytes, n, sizeof *bytes, array_by_u64);
    return n;
}
