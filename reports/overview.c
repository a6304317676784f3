/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/overview.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/stats.h"
#include "harness/base/memory.h"
#include "reports/section_common.h"
#include "reports/style.h"

enum { MOST_CANDIDATES = 256, N_CLASSES = 4 };

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

/* A time of the study's grid, the default's among them. */
static int is_time(const struct measured *r, const struct context *context)
{
    return result_usable(r) && r->point.experiment == EXP_TIME &&
           (r->point.purpose == FOR_STUDY || r->point.purpose == FOR_DEFAULT) &&
           cell_in(&r->point.cell, context);
}

/* 1 when anything of the context has a time, be it doubted: what was skipped altogether was not
 * measured. */
static int has_time(const struct report_data *d, const struct context *context)
{
    size_t i = 0;
    while (i < d->results && !is_time(&d->result[i], context) &&
           !(measured_doubted(&d->result[i]) && cell_in(&d->result[i].point.cell, context)))
        i++;
    return i < d->results;
}

/* 1 when a time of the collective counts. */
static int any_counts(const struct report_data *d, const char *collective)
{
    for (size_t k = 0; k < d->contexts; k++)
        for (size_t i = 0; strcmp(d->context[k].collective, collective) == 0 && i < d->results; i++)
            if (is_time(&d->result[i], &d->context[k]))
                return 1;
    return 0;
}

/* "MPI_Bcast and MPI_Reduce": each once, in the order of the contexts. */
static void say_collectives(FILE *md, const struct report_data *d)
{
    const struct context *of[16];
    size_t n = 0;
    for (size_t i = 0; i < d->contexts && n < sizeof of / sizeof *of; i++) {
        size_t k = 0;
        while (k < n && strcmp(context_call(of[k]), context_call(&d->context[i])) != 0)
            k++;
        if (k == n && has_time(d, &d->context[i]))
            of[n++] = &d->context[i];
    }
    for (size_t i = 0; i < n; i++)
        fprintf(md, "%s`%s`%s", list_separator(i, n), context_call(of[i]),
                any_counts(d, of[i]->collective) ? "" : " (all times doubted)");
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
        if (k == n && has_time(d, &d->context[i]))
            name[n++] = d->context[i].mpi;
    }
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "mpi/%s/version", name[i]);
        const char *version = manifest_text(d, path);
        const int known = *version && strcmp(version, "unknown") != 0;
        fprintf(md, "%s%s%s", list_separator(i, n), mpi_label(name[i]), known ? " " : "");
        escape_markdown(md, known ? version : "");
    }
}

static void say_range(struct page *page)
{
    const struct report_data *d = page->data;
    int least = 0, most = 0;
    uint64_t small = UINT64_MAX, large = 0;
    for (size_t k = 0; k < d->contexts; k++)
        for (size_t i = 0; i < d->results; i++) {
            const struct cell *c = &d->result[i].point.cell;
            if (!is_time(&d->result[i], &d->context[k]))
                continue;
            least = !least || c->procs < least ? c->procs : least;
            most = c->procs > most ? c->procs : most;
            small = c->bytes < small ? c->bytes : small;
            large = c->bytes > large ? c->bytes : large;
        }
    if (!most)
        return;
    fputs(", ", page->md);
    if (least < most)
        fprintf(page->md, "%d to ", least);
    fprintf(page->md, "%d processes", most);
    if (small < large)
        fprintf(page->md, ", %s to %s", show_bytes(small), show_bytes(large));
}

/* ---- what the default loses, what to choose ---- */

/* Sum of log(T / best) of a candidate over the cells of a class of sizes. */
struct scored {
    struct candidate candidate;
    double sum[N_CLASSES];
    size_t n[N_CLASSES];
};

/* The time that others are compared with in a cell; NaN: there is none. */
struct best_time {
    const struct cell *cell;
    double s;
    const struct measured *at; /* which took that */
};

/* Of one context. */
struct overview {
    const struct context *context;
    int own; /* 1: compared with the best of the library's own algorithms; 0: with the best of all
              */
    struct best_time *best; /* of the cells, in their order; owned */
    size_t cells;
    struct scored standing[MOST_CANDIDATES];
    size_t standings;
    size_t in_class[N_CLASSES]; /* cells that have a best */
    struct losses loss;         /* of the default; owned */
    size_t told[N_CLASSES];     /* cells in which the default is told from the best, or could be */
    size_t unknown;             /* cells in which it is not known what the default loses */
};

static int by_cell(const void *left, const void *right)
{
    const struct best_time *a = left, *b = right;
    return cell_compare(a->cell, b->cell);
}

static struct best_time *best_at(const struct overview *o, const struct cell *cell)
{
    const struct best_time key = { .cell = cell };
    return o->cells ? bsearch(&key, o->best, o->cells, sizeof key, by_cell) : NULL;
}

static int is_default(const struct candidate *c)
{
    return strcmp(algorithm_base_name(c->algorithm), "default") == 0;
}

/* A time among those that are compared. */
static int is_compared(const struct measured *r, const struct overview *o)
{
    return is_time(r, o->context) && (!o->own || is_own(&r->point.candidate, o->context));
}

/* The cells that have a best, with its time. */
static void find_cells(const struct report_data *d, struct overview *o)
{
    for (size_t i = 0; i < d->choices; i++) {
        const struct selection *c = &d->choice[i];
        if (strcmp(c->name, "best") == 0 && c->purpose == FOR_STUDY && c->best_s > 0 &&
            cell_in(&c->cell, o->context))
            o->best[o->cells++] = (struct best_time){ &c->cell, o->own ? NAN : c->best_s, NULL };
    }
    qsort(o->best, o->cells, sizeof *o->best, by_cell);
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        struct best_time *best = is_compared(r, o) ? best_at(o, &r->point.cell) : NULL;
        if (!best || (best->at && best->at->time.value <= r->time.value))
            continue;
        best->at = r;
        if (o->own)
            best->s = r->time.value;
    }
    for (size_t i = 0; i < o->cells; i++)
        o->in_class[class_of(o->best[i].cell->bytes)] += o->best[i].s > 0;
}

/* What the default loses in the cells. Against the library's own best the loss is another one, but
 * what launches say of it is the same. */
static void find_losses(const struct report_data *d, struct overview *o)
{
    for (size_t i = 0; i < d->choices; i++) {
        const struct selection *c = &d->choice[i];
        if (strcmp(c->name, "default") != 0 || c->purpose != FOR_STUDY ||
            !cell_in(&c->cell, o->context))
            continue;
        const struct best_time *best = best_at(o, &c->cell);
        const size_t known = o->loss.cells;
        struct selection own = *c;
        if (o->own && best)
            own.degradation_pct = longer_pct(c->chosen_s, best->s);
        if (o->own && best && c->counted_pct > 0)
            own.counted_pct = own.degradation_pct;
        if (!o->own || (best && best->s > 0))
            losses_add(&o->loss, o->own ? &own : c);
        o->unknown += best && best->s > 0 && o->loss.cells == known;
        o->told[class_of(c->cell.bytes)] += c->status != SELECT_OK || c->counted_pct > 0;
    }
}

static struct scored *standing_of(struct overview *o, const struct candidate *c)
{
    for (size_t i = 0; i < o->standings; i++)
        if (candidate_equal(&o->standing[i].candidate, c))
            return &o->standing[i];
    if (o->standings == MOST_CANDIDATES)
        return NULL;
    o->standing[o->standings] = (struct scored){ .candidate = *c };
    return &o->standing[o->standings++];
}

static void rank(const struct report_data *d, struct overview *o)
{
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        const struct best_time *best = is_compared(r, o) ? best_at(o, &r->point.cell) : NULL;
        struct scored *s = best && best->s > 0 ? standing_of(o, &r->point.candidate) : NULL;
        if (!s)
            continue;
        const size_t class = class_of(r->point.cell.bytes);
        s->sum[class] += log(r->time.value / best->s);
        s->n[class]++;
    }
}

static void overview_fill(const struct report_data *d, struct overview *o)
{
    o->best = memory_zeros(d->choices + 1, sizeof *o->best);
    find_cells(d, o);
    find_losses(d, o);
    rank(d, o);
}

static void overview_clear(struct overview *o)
{
    free(o->best);
    losses_clear(&o->loss);
}

/* ---- the table ---- */

/* 1 when a loses less than b over a class of sizes; of equals that which more cells tell. */
static int is_better(const struct scored *a, const struct scored *b, size_t class)
{
    const double x = a->sum[class] / (double)a->n[class], y = b->sum[class] / (double)b->n[class];
    return x < y || (x == y && a->n[class] > b->n[class]);
}

/* What a candidate loses in a class of sizes, in the geometric mean; *n: of so many cells. A loss
 * counts as the default's does (loss_counted). */
static double counted_loss(const struct report_data *d, const struct overview *o,
                           const struct candidate *c, size_t class, size_t *n)
{
    struct page_judge judge;
    double logs = 0;
    *n = 0;
    page_judge_open(d, &judge);
    for (size_t i = 0; i < d->results; i++) {
        const struct measured *r = &d->result[i];
        const struct best_time *best = class_of(r->point.cell.bytes) == class &&
                                               candidate_equal(&r->point.candidate, c) &&
                                               is_compared(r, o)
                                           ? best_at(o, &r->point.cell)
                                           : NULL;
        if (!best || !best->at)
            continue;
        const double pct = loss_counted(longer_pct(r->time.value, best->s),
                                        page_judge_tied(&judge, r, best->at), &judge.facts);
        *n += !isnan(pct);
        logs += isnan(pct) ? 0 : log1p(pct / 100);
    }
    page_judge_close(&judge);
    return mean_longer_pct(logs, *n);
}

/* The candidate that is slower than the best by the smallest factor, in the geometric mean over the
 * cells of a class. Those measured in fewer than half of them say too little of it. */
static void put_advice(struct table *t, const struct report_data *d, const struct overview *o,
                       size_t class)
{
    const struct scored *best = NULL;
    char cells[64] = "";
    if (o->loss.cells + o->unknown && o->in_class[class] && !o->told[class]) {
        table_cell(t, "default", "the default: nothing is told to be faster");
        return;
    }
    for (size_t i = 0; i < o->standings; i++) {
        const struct scored *s = &o->standing[i];
        if (s->n[class] && 2 * s->n[class] >= o->in_class[class] &&
            (!best || is_better(s, best, class)))
            best = s;
    }
    if (!best) {
        table_cell(t, "", "–");
        return;
    }
    const struct candidate *c = &best->candidate;
    size_t known;
    const double loss = counted_loss(d, o, c, class, &known);
    const char *label = is_default(c) ? "the default" : origin_label(d, c->algorithm, o->context);
    if (known < o->in_class[class])
        snprintf(cells, sizeof cells, " in %zu of %zu cells", known, o->in_class[class]);
    table_cell(t, c->algorithm, "%s%s%s (%s%s)", label, c->segment_bytes ? ", " : "",
               c->segment_bytes ? show_bytes(c->segment_bytes) : "", show_pct(loss), cells);
}

static void put_row(struct table *t, const struct report_data *d, const struct overview *o,
                    int several, int both)
{
    table_text(t, o->context->collective);
    if (several)
        table_text(t, mpi_label(o->context->mpi));
    table_text(t, o->context->mapping);
    if (both)
        table_cell(t, o->own ? "own" : "all", "%s",
                   o->own ? "the library’s own" : "all, portable ones too");
    char raw[24];
    snprintf(raw, sizeof raw, "%zu", o->loss.cells);
    if (o->unknown)
        table_cell(t, raw, "%s of %zu", raw, o->loss.cells + o->unknown);
    else
        table_cell(t, raw, "%s", raw);
    table_mark(t, o->unknown ? MARK_FAIR : MARK_NONE);
    table_pct(t, losses_quantile(&o->loss, 0.5));
    table_pct(t, losses_mean(&o->loss));
    table_pct(t, losses_geomean(&o->loss));
    table_pct(t, o->loss.cells ? 100.0 * (double)o->loss.much / (double)o->loss.cells : NAN);
    for (size_t k = 0; k < N_CLASSES; k++)
        put_advice(t, d, o, k);
}

/* In how many cells it is not known what the default loses. It comes first, as what follows is of
 * the other cells. word: what times of the page are, "measured". */
static void say_unknown(FILE *md, const struct overview *o, size_t n, const char *word)
{
    size_t unknown = 0, known = 0;
    for (size_t i = 0; i < n; i++) {
        unknown += o[i].own ? 0 : o[i].unknown;
        known += o[i].own ? 0 : o[i].loss.cells;
    }
    if (unknown)
        fprintf(md,
                "\n**In %zu of %zu cells what the library’s default chooses was not %s**: "
                "what it loses there is not known. What follows about the default is from the "
                "other %zu alone.\n",
                unknown, unknown + known, word, known);
}

/* By the median, then by the geometric mean: medians of few cells are often equal. */
static int by_loss(const struct overview *a, const struct overview *b)
{
    const double x = losses_quantile(&a->loss, 0.5), y = losses_quantile(&b->loss, 0.5);
    if (x != y)
        return x < y ? -1 : 1;
    const double p = losses_geomean(&a->loss), q = losses_geomean(&b->loss);
    return (p > q) - (p < q);
}

/* The context that loses most (sign 1) or least (-1), the first of equals; NULL: none has a loss.
 */
static const struct overview *extreme(const struct overview *o, size_t n, int sign)
{
    const struct overview *at = NULL;
    for (size_t i = 0; i < n; i++)
        if (!o[i].own && o[i].loss.cells && (!at || sign * by_loss(&o[i], at) > 0))
            at = &o[i];
    return at;
}

/* "66 % in the median cell, 168 % on average (geometric mean 80 %)" */
static void say_numbers(FILE *md, const struct overview *o)
{
    if (o->loss.untold && !(o->loss.worst_pct > 0)) {
        fputs("nothing that the launches tell", md);
        return;
    }
    fprintf(md, "%s in the median cell, %s on average (geometric mean %s)",
            show_pct(losses_quantile(&o->loss, 0.5)), show_pct(losses_mean(&o->loss)),
            show_pct(losses_geomean(&o->loss)));
}

/* "reduce by node and bcast by core: 66 % in ..." of the contexts that lose as much as this one:
 * three of them, or two and how many others. */
static void say_loss(FILE *md, const struct overview *o, size_t n, const struct overview *at,
                     int several)
{
    size_t equal = 0, said = 0;
    for (size_t i = 0; i < n; i++)
        equal += !o[i].own && o[i].loss.cells && by_loss(&o[i], at) == 0;
    const size_t shown = equal > 3 ? 3 : equal;
    for (size_t i = 0; i < n && said < shown; i++) {
        if (o[i].own || !o[i].loss.cells || by_loss(&o[i], at) != 0)
            continue;
        fputs(list_separator(said++, shown), md);
        if (said == shown && shown < equal) {
            fprintf(md, "%zu others", equal - shown + 1);
            break;
        }
        fprintf(md, "%s by %s", o[i].context->collective, o[i].context->mapping);
        if (several)
            fprintf(md, " with %s", mpi_label(o[i].context->mpi));
    }
    fputs(": ", md);
    say_numbers(md, at);
}

/* "In most ... it loses" of the best of all, and of the library's own where they differ. */
static void say_result(FILE *md, const struct overview *o, size_t n, int several, const char *word)
{
    const struct overview *most = extreme(o, n, 1), *least = extreme(o, n, -1);
    if (!most)
        return;
    say_unknown(md, o, n, word);
    fputs("\n**What the library’s own choice loses**, compared with the best algorithm of each "
          "cell. ",
          md);
    if (by_loss(most, least) != 0)
        fputs("Most in ", md);
    else
        fputs("In ", md);
    say_loss(md, o, n, most, several);
    if (by_loss(most, least) != 0) {
        fputs(". Least in ", md);
        say_loss(md, o, n, least, several);
    }
    fputs(". **What to choose instead** is in the right-hand columns of the table. [Further "
          "below](#winners) is the best algorithm of every cell.\n",
          md);
}

static void put_table(struct page *page, const struct overview *o, size_t n, int several, int both)
{
    struct table *t = page_table_new(page, "overview",
                                     "What the library’s default loses, and what "
                                     "to choose");
    table_column(t, "collective", NULL, "collective", ALIGN_LEFT);
    if (several)
        table_column(t, "mpi", NULL, "library", ALIGN_LEFT);
    table_column(t, "mapping", NULL, "mapping", ALIGN_LEFT);
    if (both)
        table_column(t, "among", NULL, "best of", ALIGN_LEFT);
    table_column(t, "cells", "the default", "cells", ALIGN_RIGHT);
    table_column(t, "median_pct", "the default", "median loss", ALIGN_RIGHT);
    table_column(t, "mean_pct", "the default", "mean", ALIGN_RIGHT);
    table_column(t, "geometric_mean_pct", "the default", "geometric mean", ALIGN_RIGHT);
    table_column(t, "bad_pct", "the default", "loses over 10\u00a0%", ALIGN_RIGHT);
    for (size_t k = 0; k < N_CLASSES; k++)
        table_column(t, classes[k].key, "one algorithm for all processes", classes[k].title,
                     ALIGN_LEFT);
    for (size_t i = 0; i < n; i++)
        put_row(t, page->data, &o[i], several, both);
    table_note(t, "A cell is one number of processes with one message size. Loss: how much longer "
                  "than the best algorithm of the cell. Right-hand side: the one algorithm whose "
                  "times are nearest to the best over all numbers of processes, and its loss "
                  "(geometric mean), counted as the default’s. An algorithm whose loss is known "
                  "in some of the cells says in how many; with times in fewer than half of them "
                  "it is not considered.");
    size_t close = 0, losses = 0;
    for (size_t i = 0; i < n; i++) {
        close += o[i].own ? 0 : o[i].loss.untold;
        losses += o[i].own ? 0 : o[i].loss.cells;
    }
    if (close)
        table_note(t,
                   "In %zu of %zu cells the default takes longer than the best, but the launches "
                   "do not tell: there its loss counts as 0\u00a0%%, which is not to say that it "
                   "is.",
                   close, losses);
    if (both)
        table_note(t, "Native: an algorithm of the library, which its settings can force. "
                      "Portable: our own schedule, which runs over the library’s point-to-point "
                      "calls. “Best of” says which of them are compared.");
    page_table(page, t);
}

/* 1 when the context has times of the library's own algorithms and of others: then the best of each
 * is worth telling. */
static int has_both(const struct report_data *d, const struct context *context)
{
    int own = 0, other = 0;
    for (size_t i = 0; i < d->results && !(own && other); i++)
        if (is_time(&d->result[i], context) && !is_default(&d->result[i].point.candidate))
            *(is_own(&d->result[i].point.candidate, context) ? &own : &other) = 1;
    return own && other;
}

/* Two for each context at most; returns how many, and *both: whether any context has two. */
static size_t overviews(const struct report_data *d, struct overview *o, int *both)
{
    size_t n = 0;
    *both = 0;
    for (size_t i = 0; i < d->contexts; i++)
        for (int own = 0; own <= has_both(d, &d->context[i]); own++) {
            o[n] = (struct overview){ .context = &d->context[i], .own = own };
            *both |= own;
            overview_fill(d, &o[n++]);
        }
    return n;
}

void overview_put(struct page *page)
{
    const struct report_data *d = page->data;
    if (!d->contexts || (d->contexts < 2 && !d->imported))
        return;
    fprintf(page->md, "\n**What was %s:** ", times_word(d));
    say_collectives(page->md, d);
    if (has_library(d, &d->context[0])) {
        fputs(" of ", page->md);
        say_libraries(page->md, d);
    }
    fprintf(page->md, " on %s", d->cluster);
    say_range(page);
    fprintf(page->md, "; %s.\n", d->backend_label);
    int several = 0, both;
    for (size_t i = 1; i < d->contexts; i++)
        several |= strcmp(d->context[i].mpi, d->context[0].mpi) != 0;
    struct overview *o = d->choices ? memory_zeros(2 * d->contexts, sizeof *o) : NULL;
    if (!o)
        return;
    const size_t n = overviews(d, o, &both);
    say_result(page->md, o, n, several, times_word(d));
    put_table(page, o, n, several, both);
    for (size_t i = 0; i < n; i++)
        overview_clear(&o[i]);
    free(o);
}
