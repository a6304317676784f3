/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/overview.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/stats.h"
#include "reports/scope.h"
#include "reports/style.h"

enum { MOST_CANDIDATES = 64, LOSS_PCT = 10, N_CLASSES = 4 };

/* As in errors.csv. */
static const struct {
    const char *key, *title;
    uint64_t most; /* bytes */
} classes[N_CLASSES] = {
    { "to_512", "to 512\u00a0B", 512 },
    { "1K-16K", "1 to 16\u00a0KiB", 16384 },
    { "32K-128K", "32 to 128\u00a0KiB", 131072 },
    { "from_256K", "from 256\u00a0KiB", UINT64_MAX },
};

static size_t class_of(uint64_t bytes)
{
    size_t k = 0;
    while (bytes > classes[k].most)
        k++;
    return k;
}

/* ---- what was measured ---- */

/* "Broadcast and reduce": each collective once, in the order of the contexts. */
static void say_collectives(FILE *md, const struct report_data *d)
{
    const char *name[16];
    size_t n = 0;
    for (size_t i = 0; i < d->contexts && n < sizeof name / sizeof *name; i++) {
        size_t k = 0;
        while (k < n && strcmp(name[k], d->context[i].collective) != 0)
            k++;
        if (k == n)
            name[n++] = d->context[i].collective;
    }
    for (size_t i = 0; i < n; i++)
        fprintf(md, "%s`%s`", list_separator(i, n), collective_call(name[i]));
}

static void say_libraries(FILE *md, const struct report_data *d)
{
    const char *name[16];
    char path[96];
    size_t n = 0;
    for (size_t i = 0; i < d->contexts && n < sizeof name / sizeof *name; i++) {
        size_t k = 0;
        while (k < n && strcmp(name[k], d->context[i].mpi) != 0)
            k++;
        if (k == n)
            name[n++] = d->context[i].mpi;
    }
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "mpi/%s/version", name[i]);
        const char *version = manifest_text(d, path);
        const int known = *version && strcmp(version, "unknown") != 0;
        fprintf(md, "%s%s%s%s", list_separator(i, n), mpi_label(name[i]), known ? " " : "",
                known ? version : "");
    }
}

static void say_range(struct page *page)
{
    const struct report_data *d = page->data;
    char low[32], high[32];
    int least = 0, most = 0;
    uint64_t small = UINT64_MAX, large = 0;
    for (size_t i = 0; i < d->contexts; i++) {
        struct grid g;
        grid_find(d, &d->context[i], "study", &g);
        if (!g.n_procs || !g.n_bytes)
            continue;
        least = !least || g.procs[0] < least ? g.procs[0] : least;
        most = g.procs[g.n_procs - 1] > most ? g.procs[g.n_procs - 1] : most;
        small = g.bytes[0] < small ? g.bytes[0] : small;
        large = g.bytes[g.n_bytes - 1] > large ? g.bytes[g.n_bytes - 1] : large;
    }
    if (!most)
        return;
    fputs(", ", page->md);
    if (least < most)
        fprintf(page->md, "%d to ", least);
    fprintf(page->md, "%d processes", most);
    if (small < large)
        fprintf(page->md, ", %s to %s", show_bytes(small, low, sizeof low),
                show_bytes(large, high, sizeof high));
}

/* ---- what the default loses, what to choose ---- */

/* Sum of log(T / best) of a candidate over the cells of a class of sizes. */
struct standing {
    struct candidate candidate;
    double sum[N_CLASSES];
    size_t n[N_CLASSES];
};

/* Of one context. */
struct overview {
    const struct context *context;
    struct standing standing[MOST_CANDIDATES];
    size_t standings;
    size_t cells[N_CLASSES]; /* that have a best */
    double *loss;            /* of the default, percent, ascending */
    size_t losses, bad;
    size_t unknown; /* cells in which it is not known what the default loses */
};

static int by_cell(const void *left, const void *right)
{
    const struct choice *const *a = left, *const *b = right;
    return cell_compare(&(*a)->cell, &(*b)->cell);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct standing *standing_of(struct overview *o, const struct candidate *c)
{
    for (size_t i = 0; i < o->standings; i++)
        if (candidate_equal(&o->standing[i].candidate, c))
            return &o->standing[i];
    if (o->standings == MOST_CANDIDATES)
        return NULL;
    o->standing[o->standings] = (struct standing){ .candidate = *c };
    return &o->standing[o->standings++];
}

/* The grid's cells with a best, ordered; what the default loses in them. best and loss have room
 * for all choices. */
static size_t find_cells(const struct report_data *d, struct overview *o,
                         const struct choice **best)
{
    size_t n = 0;
    for (size_t i = 0; i < d->choices; i++) {
        const struct choice *c = &d->choice[i];
        if (!cell_in(&c->cell, o->context) || strcmp(c->purpose, "study") != 0)
            continue;
        if (strcmp(c->selector, "best") == 0 && c->best_s > 0) {
            best[n++] = c;
            o->cells[class_of(c->cell.bytes)]++;
        } else if (strcmp(c->selector, "default") == 0 && isfinite(c->degradation_pct)) {
            o->loss[o->losses++] = c->degradation_pct;
            o->bad += c->degradation_pct > LOSS_PCT;
        }
    }
    qsort(best, n, sizeof(struct choice *), by_cell);
    qsort(o->loss, o->losses, sizeof *o->loss, ascending);
    return n;
}

static void rank(const struct report_data *d, struct overview *o, const struct choice **best)
{
    const size_t n = find_cells(d, o, best);
    for (size_t i = 0; i < d->results; i++) {
        const struct result *r = &d->result[i];
        if (!result_usable(r) || strcmp(r->experiment, "time") != 0 ||
            (strcmp(r->purpose, "study") != 0 && strcmp(r->purpose, "default") != 0) ||
            !cell_in(&r->cell, o->context))
            continue;
        const struct choice key = { .cell = r->cell }, *at = &key;
        const struct choice *const *found = bsearch(&at, best, n, sizeof(struct choice *), by_cell);
        struct standing *s = found ? standing_of(o, &r->candidate) : NULL;
        if (!s)
            continue;
        const size_t class = class_of(r->cell.bytes);
        s->sum[class] += log(r->mean_s / (*found)->best_s);
        s->n[class]++;
    }
}

/* ---- the table ---- */

/* The candidate that is slower than the best by the smallest factor, in the geometric mean over the
 * cells of a class; only those measured in all of them. */
static void put_advice(struct table *t, const struct overview *o, size_t class)
{
    const struct standing *best = NULL;
    char label[128], pct[32], bytes[32];
    for (size_t i = 0; i < o->standings; i++) {
        const struct standing *s = &o->standing[i];
        if (o->cells[class] && s->n[class] == o->cells[class] &&
            (!best || s->sum[class] < best->sum[class]))
            best = s;
    }
    if (!best) {
        table_cell(t, "", "–");
        return;
    }
    const double loss = 100 * (exp(best->sum[class] / (double)best->n[class]) - 1);
    const struct candidate *c = &best->candidate;
    if (strcmp(algorithm_base_name(c->algorithm), "default") == 0)
        snprintf(label, sizeof label, "the default");
    else
        algorithm_label(c->algorithm, 0, label, sizeof label);
    table_cell(t, c->algorithm, "%s%s%s (%s)", label, c->segment_bytes ? ", " : "",
               c->segment_bytes ? show_bytes(c->segment_bytes, bytes, sizeof bytes) : "",
               show_pct(loss, pct, sizeof pct));
}

static void put_pct(struct table *t, double value)
{
    char text[32], raw[40];
    snprintf(raw, sizeof raw, "%.9g", value);
    table_cell(t, isfinite(value) ? raw : "", "%s", show_pct(value, text, sizeof text));
}

static double mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return n ? sum / (double)n : NAN;
}

static void put_row(struct table *t, const struct overview *o, int several)
{
    table_text(t, o->context->collective);
    if (several)
        table_text(t, mpi_label(o->context->mpi));
    table_text(t, o->context->mapping);
    char raw[24];
    snprintf(raw, sizeof raw, "%zu", o->losses);
    if (o->unknown)
        table_cell(t, raw, "%s of %zu", raw, o->losses + o->unknown);
    else
        table_cell(t, raw, "%s", raw);
    table_mark(t, o->unknown ? MARK_FAIR : MARK_NONE);
    put_pct(t, o->losses ? stats_quantile(o->loss, o->losses, 0.5) : NAN);
    put_pct(t, mean(o->loss, o->losses));
    put_pct(t, o->losses ? 100 * (double)o->bad / (double)o->losses : NAN);
    for (size_t k = 0; k < N_CLASSES; k++)
        put_advice(t, o, k);
}

static double median_loss(const struct overview *o)
{
    return stats_quantile(o->loss, o->losses, 0.5);
}

/* "reduce by node, 66 % in the median cell and 168 % on average" */
static void say_loss(FILE *md, const struct overview *o)
{
    char a[32], b[32];
    fprintf(md, "in %s by %s, %s in the median cell and %s on average", o->context->collective,
            o->context->mapping, show_pct(median_loss(o), a, sizeof a),
            show_pct(mean(o->loss, o->losses), b, sizeof b));
}

/* In how many cells it is not known what the default loses; first, as what follows is of the
 * others. */
static void say_unknown(FILE *md, const struct overview *o, size_t n)
{
    size_t unknown = 0, known = 0;
    for (size_t i = 0; i < n; i++) {
        unknown += o[i].unknown;
        known += o[i].losses;
    }
    if (unknown)
        fprintf(md,
                "\n**In %zu of %zu cells what the library’s default chooses was not measured**: "
                "what it loses there is not known. What follows of the default is of the other "
                "%zu alone.\n",
                unknown, unknown + known, known);
}

/* "The default loses most in reduce by node ..." */
static void say_result(FILE *md, const struct overview *o, size_t n)
{
    const struct overview *most = NULL, *least = NULL;
    for (size_t i = 0; i < n; i++) {
        if (!o[i].losses)
            continue;
        most = !most || median_loss(&o[i]) > median_loss(most) ? &o[i] : most;
        least = !least || median_loss(&o[i]) < median_loss(least) ? &o[i] : least;
    }
    if (!most)
        return;
    say_unknown(md, o, n);
    fprintf(md, "\n**What the library’s own choice loses:** %s", most == least ? "" : "most ");
    say_loss(md, most);
    if (least != most) {
        fputs("; least ", md);
        say_loss(md, least);
    }
    fputs(". **What to choose instead** is in the right-hand columns; [where](#winners) it wins, "
          "cell by cell, is below.\n",
          md);
}

static void put_table(struct page *page, const struct overview *o, size_t n)
{
    struct table *t = page_table_new(page, "overview",
                                     "What the library’s default loses, and what "
                                     "to choose");
    int several = 0;
    for (size_t i = 1; i < n; i++)
        several |= strcmp(o[i].context->mpi, o[0].context->mpi) != 0;
    table_column(t, "collective", NULL, "collective", ALIGN_LEFT);
    if (several)
        table_column(t, "mpi", NULL, "library", ALIGN_LEFT);
    table_column(t, "mapping", NULL, "mapping", ALIGN_LEFT);
    table_column(t, "cells", "the default", "cells", ALIGN_RIGHT);
    table_column(t, "median_pct", "the default", "median loss", ALIGN_RIGHT);
    table_column(t, "mean_pct", "the default", "mean", ALIGN_RIGHT);
    table_column(t, "bad_pct", "the default", "loses over 10\u00a0%", ALIGN_RIGHT);
    for (size_t k = 0; k < N_CLASSES; k++)
        table_column(t, classes[k].key, "one algorithm for all processes", classes[k].title,
                     ALIGN_LEFT);
    for (size_t i = 0; i < n; i++)
        put_row(t, &o[i], several);
    table_note(t, "Loss: by how much more time than the best algorithm of the cell (one number of "
                  "processes, one message size). Right-hand side: the algorithm that loses least "
                  "over all numbers of processes, and what it loses (geometric mean).");
    page_table(page, t);
}

void overview_put(struct page *page)
{
    const struct report_data *d = page->data;
    if (!d->contexts || (d->contexts < 2 && !d->imported))
        return;
    struct overview *o = calloc(d->contexts, sizeof *o);
    const struct choice **best = calloc(d->choices + 1, sizeof *best);
    double *loss = calloc(d->contexts * (d->choices + 1), sizeof *loss);
    fputs("\n**What was measured:** ", page->md);
    say_collectives(page->md, d);
    fputs(" of ", page->md);
    say_libraries(page->md, d);
    fprintf(page->md, " on %s", d->cluster);
    say_range(page);
    fprintf(page->md, "; %s.\n", d->backend_label);
    if (o && best && loss && d->choices) {
        for (size_t i = 0; i < d->contexts; i++) {
            o[i].context = &d->context[i];
            o[i].loss = loss + i * (d->choices + 1);
            rank(d, &o[i], best);
            o[i].unknown = cells_unknown(d, o[i].context, "default", "study");
        }
        say_result(page->md, o, d->contexts);
        put_table(page, o, d->contexts);
    }
    free(o);
    free(best);
    free(loss);
}
