/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/model_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/memory.h"
#include "harness/rules/export.h"
#include "harness/study/libraries/natives.h"

/* ---- one collective ---- */

/* What is taken with so many bytes. */
struct answer {
    uint64_t bytes;
    struct candidate take; /* algorithm "": the library's own call */
    struct candidate likely[ADVICE_LIKELY];
};

struct answers {
    struct answer *v; /* owned; by bytes */
    size_t n;
    size_t unknown; /* of these: what is taken instead of the default gains nobody knows what */
    size_t unsure;  /* of these: what is taken gains, and that has no interval */
};

static int by_bytes(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int is_same(const struct answer *a, const struct answer *b)
{
    int same = candidate_equal(&a->take, &b->take);
    for (int i = 0; i < ADVICE_LIKELY; i++)
        same &= candidate_equal(&a->likely[i], &b->likely[i]);
    return same;
}

/* Nothing runs instead of the library's own call but what is known to gain. */
static void add_answer(const struct advice *a, struct answers *to)
{
    struct answer *one = array_add(&to->v, &to->n);
    const int other = !algorithm_is_default(a->take.algorithm);
    one->bytes = a->cell.bytes;
    if (other && a->longer_pct > 0)
        one->take = a->take;
    to->unknown += other && isnan(a->longer_pct);
    to->unsure += *one->take.algorithm && isnan(a->longer_low_pct);
    for (size_t i = 0; i < a->n_likely; i++)
        one->likely[i] = a->likely[i];
}

/* Asks about n more sizes. As advice_of_model. */
static int ask(const struct model_file *model, const char *path, struct advice_question *q,
               const uint64_t *bytes, size_t n, struct answers *to, struct err *err)
{
    struct advice_table table;
    q->bytes = bytes;
    q->n_bytes = n;
    const int status = advice_of_read_model(model, path, q, &table, err);
    if (status != 0)
        return status;
    for (size_t i = 0; i < table.n; i++)
        add_answer(&table.row[i], to);
    advice_clear(&table);
    qsort(to->v, to->n, sizeof *to->v, by_bytes);
    return 0;
}

enum { FIRST_SIZES = 62, LARGEST_LOG2 = 30 };

/* 1, 2, 3, 4, 6, 8, 12 ... bytes; of what moves none, 0. */
static size_t first_sizes(const char *collective, uint64_t bytes[FIRST_SIZES])
{
    size_t n = 0;
    if (strcmp(collective, "barrier") == 0) {
        bytes[n++] = 0;
        return n;
    }
    for (int k = 0; k <= LARGEST_LOG2; k++) {
        bytes[n++] = UINT64_C(1) << k;
        if (k > 0 && k < LARGEST_LOG2)
            bytes[n++] = UINT64_C(3) << (k - 1);
    }
    return n;
}

/* Sizes in the middle between neighbours whose answers differ. */
static size_t between(const struct answers *a, uint64_t *bytes)
{
    size_t n = 0;
    for (size_t i = 0; i + 1 < a->n; i++)
        if (a->v[i + 1].bytes - a->v[i].bytes > 1 && !is_same(&a->v[i], &a->v[i + 1]))
            bytes[n++] = a->v[i].bytes + (a->v[i + 1].bytes - a->v[i].bytes) / 2;
    return n;
}

static int ask_all(const struct model_file *model, const char *path, struct advice_question *q,
                   struct answers *to, struct err *err)
{
    uint64_t first[FIRST_SIZES];
    size_t n = first_sizes(q->collective, first);
    int status = ask(model, path, q, first, n, to, err);
    while (status == 0 && n > 0) {
        uint64_t *bytes = memory_zeros(to->n, sizeof *bytes);
        n = between(to, bytes);
        if (n)
            status = ask(model, path, q, bytes, n, to, err);
        free(bytes);
    }
    return status;
}

static void add_grid(const struct model_shape *shape, const char *collective,
                     const struct answers *a, struct rules_choices *to)
{
    struct rules_grid *g = array_add(&to->grid, &to->n);
    snprintf(g->collective, NAME_SIZE, "%s", collective);
    g->n_procs = 1;
    g->n_bytes = a->n;
    g->n_likely = (size_t)shape->likely;
    g->procs = memory_zeros(1, sizeof *g->procs);
    g->nodes = memory_zeros(1, sizeof *g->nodes);
    g->ppn = memory_zeros(1, sizeof *g->ppn);
    g->bytes = memory_zeros(a->n, sizeof *g->bytes);
    g->take = memory_zeros(a->n, sizeof *g->take);
    g->likely = memory_zeros(a->n * g->n_likely + 1, sizeof *g->likely);
    *g->procs = (uint64_t)shape->procs;
    *g->nodes = shape->nodes;
    *g->ppn = shape->ppn;
    for (size_t i = 0; i < a->n; i++) {
        g->bytes[i] = a->v[i].bytes;
        g->take[i] = a->v[i].take;
        for (size_t k = 0; k < g->n_likely; k++)
            g->likely[i * g->n_likely + k] = a->v[i].likely[k];
    }
}

/* ---- all that the model knows ---- */

/* Of all collectives. */
struct known {
    struct rules_choices choices;
    size_t cells, unknown, unsure; /* looked at; of these as of struct answers */
};

static const char *known_mpi(const struct model_file *model, const char *collective,
                             const char *mpi)
{
    for (size_t i = 0; mpi && i < model->evidence.n; i++) {
        const struct cell *c = &model->evidence.subject[i].context;
        if (strcmp(c->collective, collective) == 0 && strcmp(c->mpi, mpi) == 0)
            return mpi;
    }
    return NULL;
}

/* What has no answer is left to the library. */
static int add_collective(const struct model_file *model, const char *path,
                          const struct model_shape *shape, const char *collective, struct known *to,
                          struct err *err)
{
    const uint64_t procs = (uint64_t)shape->procs;
    struct advice_question q = { .collective = collective,
                                 .mpi = known_mpi(model, collective, shape->mpi),
                                 .mapping = shape->mapping,
                                 .procs = &procs,
                                 .n_procs = 1,
                                 .nodes = shape->nodes,
                                 .ppn = shape->ppn,
                                 .portable = 1,
                                 .likely = shape->likely,
                                 .machine = shape->machine };
    struct answers answers = { .n = 0 };
    struct err why = { 0 };
    const int status = ask_all(model, path, &q, &answers, &why);
    if (status == 0)
        add_grid(shape, collective, &answers, &to->choices);
    else if (status > 0 && !shape->quiet)
        fprintf(stderr, "no rows of %s: %s\n", collective, why.text);
    else if (status < 0)
        *err = why;
    to->cells += answers.n;
    to->unknown += answers.unknown;
    to->unsure += answers.unsure;
    free(answers.v);
    return status < 0 ? -1 : 0;
}

static int has_grid(const struct rules_choices *choices, const char *collective)
{
    for (size_t i = 0; i < choices->n; i++)
        if (strcmp(choices->grid[i].collective, collective) == 0)
            return 1;
    return 0;
}

static char *export_choices(const struct model_shape *shape, const struct known *known,
                            struct err *err)
{
    char what[128], unknown[160], unsure[160];
    const char *remarks[4] = { what };
    size_t n = 1;
    if (known->unknown)
        remarks[n++] = unknown;
    if (known->unsure)
        remarks[n++] = unsure;
    struct rules_made made = { .cells = 0 };
    snprintf(what, sizeof what,
             "what a model chooses among %d ranks on %d node%s, at most %d on one", shape->procs,
             shape->nodes, shape->nodes == 1 ? "" : "s", shape->ppn);
    snprintf(unknown, sizeof unknown,
             "in %zu of %zu cells the model does not know what is gained over the library's "
             "default: they are left to the library",
             known->unknown, known->cells);
    snprintf(unsure, sizeof unsure, "in %zu of %zu cells the gain of what is taken has no interval",
             known->unsure, known->cells);
    char *text =
        rules_export(rules_reader_find("libcollsel"), &known->choices, remarks, &made, err);
    if (text && known->unknown && !shape->quiet)
        fprintf(stderr, "%s\n", unknown);
    for (size_t i = 0; i < made.told.n && !shape->quiet; i++)
        fprintf(stderr, "left to the library: %s\n", made.told.v[i].text);
    rules_made_clear(&made);
    return text;
}

char *model_table(const char *path, const struct model_shape *shape, struct err *err)
{
    struct known known = { .cells = 0 };
    struct model_file model;
    char *text = NULL;
    int status = model_file_read(path, &model, err);
    if (status < 0)
        return NULL;
    for (size_t i = 0; i < model.evidence.n && status == 0; i++) {
        const char *collective = model.evidence.subject[i].context.collective;
        const struct collective *c = collective_find(collective);
        if (c && c->rows[0] && !has_grid(&known.choices, collective))
            status = add_collective(&model, path, shape, collective, &known, err);
    }
    if (status == 0)
        text = export_choices(shape, &known, err);
    rules_choices_clear(&known.choices);
    model_file_clear(&model);
    return text;
}
