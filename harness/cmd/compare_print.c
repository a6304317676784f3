/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/compare_print.h"

#include "analysis/measure/fitted_study.h"

static void print_collective(const struct compare *c, const char *collective, FILE *out)
{
    const struct compare_sum s = compare_sum_up(c, collective);
    char bytes[32];
    fprintf(out, "%-16s %6zu %7zu %7zu %7zu %9zu  %+8.1f %%  ", collective, s.cells,
            s.n[COMPARE_SLOWER], s.n[COMPARE_FASTER], s.n[COMPARE_UNSURE], s.n[COMPARE_UNTESTED],
            s.change_pct);
    if (s.worst)
        fprintf(out, "%+.3g %% at P = %d, %s\n", s.worst->change_pct, s.worst->cell.procs,
                format_bytes(s.worst->cell.bytes, bytes, sizeof bytes));
    else
        fputs("-\n", out);
}

void compare_print_table(const struct compare *c, FILE *out)
{
    fprintf(out, "%-16s %6s %7s %7s %7s %9s  %10s  %s\n", "collective", "cells", "slower", "faster",
            "unsure", "untested", "geomean", "worst for sure");
    for (size_t i = 0; i < c->n; i++)
        if (compare_is_first(c, i))
            print_collective(c, c->row[i].cell.collective, out);
    if (c->doubted)
        fprintf(out, "left out %s %zu time%s that %s doubted (points.csv; --doubted takes them)\n",
                of_number(c->doubted, "is", "are"), c->doubted, plural(c->doubted),
                of_number(c->doubted, "is", "are"));
    if (c->crowded)
        fprintf(out, "more ranks than cores in %zu cell%s of %zu: %s\n", COUNTED(c->crowded), c->n,
                compare_of_crowded);
}

static const char *ran_text(const struct candidate *c, char *buf, size_t size)
{
    return *c->algorithm ? candidate_text(c, buf, size) : "not known what";
}

static void print_cell(const struct compare_row *r, FILE *out)
{
    char bytes[32], was[32], is[32], ran[CANDIDATE_TEXT], runs[CANDIDATE_TEXT];
    fprintf(out, "  %s, %s, P = %d on %d, %s: %s before (%s, %s), %s after (%s, %s), %+.3g %%",
            r->cell.collective, r->cell.mapping, r->cell.procs, r->cell.nodes,
            format_bytes(r->cell.bytes, bytes, sizeof bytes),
            format_seconds(r->before_s, was, sizeof was), r->cell.mpi,
            ran_text(&r->ran_before, ran, sizeof ran), format_seconds(r->after_s, is, sizeof is),
            r->after, ran_text(&r->ran_after, runs, sizeof runs), r->change_pct);
    if (r->p > 0)
        fprintf(out, " (p = %.2g, corrected %.2g)", r->p, r->p_corrected);
    fputc('\n', out);
}

void compare_print_cells(const struct compare *c, enum compare_verdict verdict, size_t most,
                         FILE *out)
{
    const size_t n = c->verdicts[verdict], shown = most && n > most ? most : n;
    size_t printed = 0;
    if (n)
        fprintf(out, "%s for sure, the %s first:\n", compare_words[verdict],
                verdict == COMPARE_SLOWER ? "gravest" : "largest gain");
    for (size_t i = 0; i < c->n && printed < shown; i++) {
        const struct compare_row *r = &c->row[verdict == COMPARE_FASTER ? c->n - 1 - i : i];
        if (r->verdict == verdict) {
            print_cell(r, out);
            printed++;
        }
    }
    if (shown < n)
        fprintf(out, "  and %zu more (-v)\n", n - shown);
}

struct releases {
    const struct points *points;
    const struct facts *facts;
    FILE *out;
};

static void print_pair(size_t before, size_t after, void *to)
{
    const struct releases *r = to;
    const struct facts *f = r->facts;
    struct compare c = { .n = 0 };
    const struct compare_side was = { r->points, f, f->mpi[before] },
                              is = { r->points, f, f->mpi[after] };
    compare_add(&c, &was, &is);
    compare_judge(&c, &compare_usual);
    if (c.n) {
        fprintf(r->out,
                "\nreleases side by side: the default of %s (%s) after that of %s (%s), slower by "
                "more than %g %% or faster by more than %.3g %% for sure:\n",
                is.mpi, f->mpi_version[after], was.mpi, f->mpi_version[before],
                compare_usual.threshold_pct, compare_least_gain(&compare_usual));
        compare_print_table(&c, r->out);
    }
    compare_clear(&c);
}

void compare_print_of(const char *dir, int doubted, FILE *out)
{
    struct fitted_study of;
    struct err err = { 0 };
    if (fitted_study_read(dir, NULL, doubted, &of, &err) < 0) {
        fprintf(out, "\nreleases side by side: left out: %s\n", err.text);
        return;
    }
    compare_print_releases(&of.points, &of.facts, out);
    points_clear(&of.points);
}

void compare_print_releases(const struct points *points, const struct facts *facts, FILE *out)
{
    struct releases r = { points, facts, out };
    compare_releases(facts, print_pair, &r);
}
