/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/papers_needs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/memory.h"

static int wrong(const char *text, struct err *err)
{
    return err_set(
        err,
        "needs: '%s' (want rows>=N, against>=N, measured, COLUMN>=N or COLUMN=VALUE,...; at most "
        "%d of a kind, of %d values)",
        text, NEEDS_TERMS, NEEDS_VALUES);
}

/* COLUMN>=N; sign: where the > stands. */
static int read_least(struct papers_needs *needs, char *term, char *sign, const char *text,
                      struct err *err)
{
    char *end;
    const double least = strtod(sign + 2, &end);
    *sign = '\0';
    if (end == sign + 2 || *end || !isfinite(least))
        return wrong(text, err);
    if (strcmp(term, "rows") == 0) {
        needs->rows = least;
    } else if (strcmp(term, "against") == 0) {
        needs->against = least;
    } else {
        if (needs->n_each == NEEDS_TERMS)
            return wrong(text, err);
        snprintf(needs->each[needs->n_each].column, NEEDS_WORD, "%s", term);
        needs->each[needs->n_each++].least = least;
    }
    return 0;
}

/* COLUMN=VALUE,...; sign: where the = stands. */
static int read_values(struct papers_needs *needs, char *term, char *sign, const char *text,
                       struct err *err)
{
    char *rest = sign + 1;
    if (needs->n_of == NEEDS_TERMS)
        return wrong(text, err);
    *sign = '\0';
    snprintf(needs->of[needs->n_of].column, NEEDS_WORD, "%s", term);
    for (char *value; (value = strsep(&rest, ",")) != NULL;) {
        if (!*value || needs->of[needs->n_of].n == NEEDS_VALUES)
            return wrong(text, err);
        needs->of[needs->n_of].value[needs->of[needs->n_of].n++] = value;
    }
    needs->n_of++;
    return 0;
}

int papers_needs_read(const char *text, struct papers_needs *needs, struct err *err)
{
    *needs = (struct papers_needs){ 0 };
    snprintf(needs->text, sizeof needs->text, "%s", text);
    char *rest = needs->text;
    for (char *term; (term = strsep(&rest, ";")) != NULL;) {
        char *sign = term + strcspn(term, "=>");
        int status;
        if (strcmp(term, "measured") == 0) {
            needs->measured = 1;
            continue;
        }
        if (!*sign || sign == term)
            return wrong(text, err);
        status = *sign == '>' && sign[1] == '=' ? read_least(needs, term, sign, text, err)
                 : *sign == '='                 ? read_values(needs, term, sign, text, err)
                                                : wrong(text, err);
        if (status < 0)
            return -1;
    }
    return 0;
}

int papers_needs_row(const struct papers_needs *needs, const struct csv *csv, char *lacks,
                     size_t size, struct err *err)
{
    for (size_t i = 0; i < needs->n_each; i++) {
        const int column = csv_column(csv, needs->each[i].column);
        double has;
        if (column < 0)
            return err_set(err, "%s: no column '%s', which reference/papers.csv asks for",
                           csv_path(csv), needs->each[i].column);
        if (csv_f64(csv, column, &has, err) < 0)
            return -1;
        if (!*lacks && !(has >= needs->each[i].least))
            snprintf(lacks, size, "%s is %s in line %zu of it (the claim is about %g)",
                     needs->each[i].column, csv_text(csv, column), csv_line(csv),
                     needs->each[i].least);
    }
    return 0;
}

/* ---- the cells of points.csv ---- */

static size_t combinations(const struct papers_needs *needs)
{
    size_t n = needs->n_of > 0;
    for (size_t i = 0; i < needs->n_of; i++)
        n *= needs->of[i].n;
    return n;
}

/* Which combination the current row is of; that behind the last one: of none. */
static size_t combination_of(const struct papers_needs *needs, const struct csv *csv,
                             const int *column)
{
    size_t at = 0;
    for (size_t i = 0; i < needs->n_of; i++) {
        size_t k = 0;
        while (k < needs->of[i].n && strcmp(needs->of[i].value[k], csv_text(csv, column[i])) != 0)
            k++;
        if (k == needs->of[i].n)
            return combinations(needs);
        at = at * needs->of[i].n + k;
    }
    return at;
}

static int find_points(const struct papers_needs *needs, struct csv *csv, char *has,
                       struct err *err)
{
    int column[NEEDS_TERMS], got;
    const int time = csv_column(csv, "time_s"), status = csv_column(csv, "status");
    for (size_t i = 0; i < needs->n_of; i++)
        if ((column[i] = csv_column(csv, needs->of[i].column)) < 0)
            return err_set(err, "%s: no column '%s', which reference/papers.csv asks for",
                           csv_path(csv), needs->of[i].column);
    while ((got = csv_next(csv, err)) > 0)
        if (*csv_text(csv, time) && strcmp(csv_text(csv, status), "ok") == 0)
            has[combination_of(needs, csv, column)] = 1;
    return csv_end(csv, got, err);
}

/* "procs=80;bytes=8192" of a combination. */
static void name_combination(const struct papers_needs *needs, size_t at, char *buf, size_t size)
{
    size_t rest = combinations(needs), n = 0;
    *buf = '\0';
    for (size_t i = 0; i < needs->n_of && n < size; i++) {
        rest /= needs->of[i].n;
        n += (size_t)snprintf(buf + n, size - n, "%s%s=%s", i ? ";" : "", needs->of[i].column,
                              needs->of[i].value[at / rest]);
        at %= rest;
    }
}

int papers_needs_points(const struct papers_needs *needs, const char *dir, char *lacks, size_t size,
                        struct err *err)
{
    static const char *const columns[] = { "time_s", "status", NULL };
    const size_t all = combinations(needs);
    char path[PATH_SIZE], first[200] = "";
    size_t without = 0;
    if (!all || *lacks)
        return 0;
    if (fs_path(path, sizeof path, err, "%s/points.csv", dir) < 0)
        return -1;
    char *has = memory_zeros(all + 1, 1);
    struct csv *csv = fs_exists(path) ? csv_open(path, columns, err) : NULL;
    const int status = csv ? find_points(needs, csv, has, err) : fs_exists(path) ? -1 : 0;
    csv_close(csv);
    for (size_t i = all; i-- > 0 && status == 0;)
        if (!has[i]) {
            without++;
            name_combination(needs, i, first, sizeof first);
        }
    free(has);
    if (without)
        snprintf(lacks, size,
                 "%zu of the %zu points that the claim is about have no time in points.csv, as %s",
                 without, all, first);
    return status;
}
