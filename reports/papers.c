/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/papers.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analysis/measure/study_facts.h"
#include "harness/base/json_print.h"
#include "reports/table.h"

/* ---- what a claim needs ---- */

enum { NEEDS_TERMS = 8, NEEDS_VALUES = 64, NEEDS_TEXT = 512, NEEDS_WORD = 64 };

struct papers_needs {
    double rows, against; /* least number of counting rows; the same for the other number */
    int measured;         /* 1: the times are no simulation's */
    struct {
        char column[NEEDS_WORD];
        double least; /* in each row that counts */
    } each[NEEDS_TERMS];
    struct {
        char column[NEEDS_WORD];
        const char *value[NEEDS_VALUES]; /* in text */
        size_t n;
    } of[NEEDS_TERMS]; /* every combination of their values has a time in points.csv */
    size_t n_each, n_of;
    char text[NEEDS_TEXT];
};

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

/* Reads "TERM;...", a term being `rows>=N`, `against>=N`, `COLUMN>=N`, `measured` or
 * `COLUMN=VALUE,...`. 0, or -1 with *err. */
static int papers_needs_read(const char *text, struct papers_needs *needs, struct err *err)
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

/* Writes to lacks which value of the current row of an open file is too small, if
 * lacks is still empty. 0, or -1 with *err: a column is missing or no number. */
static int papers_needs_row(const struct papers_needs *needs, const struct csv *csv, char *lacks,
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

/* Writes to lacks the cells without a time in DIR/points.csv, if lacks
 * is still empty. 0, or -1 with *err: the file cannot be read. */
static int papers_needs_points(const struct papers_needs *needs, const char *dir, char *lacks,
                               size_t size, struct err *err)
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
                 "%zu of the %zu point%s that the claim is about %s no time in points.csv, as %s",
                 without, COUNTED(all), of_number(without, "has", "have"), first);
    return status;
}

static const char *const reduce_words[] = {
    "mean", "median", "least", "most", "spread", "off", NULL
};
static const char *const rule_words[] = { "none",     "open",  "setting", "near", "at_most",
                                          "at_least", "below", "above",   NULL };

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(paper_claim, NAME, "paper", paper, "", "which paper"),
    COLUMN(paper_claim, TEXT, "item", item, "", "its table or figure"),
    COLUMN(paper_claim, TEXT, "claim", claim, "", "what it says, in a sentence"),
    COLUMN(paper_claim, TEXT, "theirs", theirs, "", "the number as printed"),
    COLUMN(paper_claim, TEXT, "study", study, "", "CLUSTER/STUDY below the results"),
    COLUMN(paper_claim, TEXT, "command", command, "", "that makes it"),
    COLUMN(paper_claim, TEXT, "file", file, "", "in which file of the study ours is looked up"),
    COLUMN(paper_claim, TEXT, "where", where, "", "which rows count: `COLUMN=VALUE;...`"),
    COLUMN(paper_claim, TEXT, "column", column, "", "whose number"),
    COLUMN(paper_claim, WORD, "reduce", reduce, "", "how the rows become one number; `spread`: largest over least; `off`: the mean of how far from 0", .words = reduce_words),
    COLUMN(paper_claim, TEXT, "against", against, "", "rows of the other number, which `limit` is times of; empty: none"),
    COLUMN(paper_claim, TEXT, "needs", needs, "", "without which nothing is judged, `TERM;...`: `rows>=N` and `against>=N`, so many rows count; `COLUMN>=N`, each of them has that much; `measured`, the times are no simulation's (for what one has by construction, or has not at all); all `COLUMN=VALUE,...` together name cells by every combination of their values, and each has a time in points.csv"),
    COLUMN(paper_claim, WORD, "rule", rule, "", "`near`: off by the share `limit` at most; `none`: does not apply, `open`: nothing here makes it yet; `below`, `above`: and not equal; `setting`: ours cannot differ, as it was set after theirs or holds by construction, and is shown without a verdict; the note says why", .words = rule_words),
    COLUMN(paper_claim, REAL, "limit", limit, "", "of the rule"),
    COLUMN(paper_claim, TEXT, "unit", unit, "", "of the number"),
    COLUMN(paper_claim, TEXT, "note", note, "", "why ours differs, or does not apply"),
};
/* clang-format on */

static int is_looked_up(const struct paper_claim *c)
{
    return c->rule != RULE_NONE && c->rule != RULE_OPEN;
}

static int is_judged(const struct paper_claim *c)
{
    return is_looked_up(c) && c->rule != RULE_SETTING;
}

/* A row that cannot be judged, for want of what its rule needs. */
static int check(void *row, struct err *err)
{
    const struct paper_claim *c = row;
    if (!is_judged(c) && !*c->note)
        return err_set(err, "note: empty, where the rule is %s", rule_words[c->rule]);
    if (!is_looked_up(c))
        return 0;
    if (!*c->study || !*c->command || !*c->file || !*c->column)
        return err_set(err, "study, command, file or column: empty, where the rule is %s",
                       rule_words[c->rule]);
    if (!is_judged(c))
        return 0;
    if (!*c->needs)
        return err_set(err,
                       "needs: empty, where the rule is %s (want what the claim is about, as "
                       "rows>=1)",
                       rule_words[c->rule]);
    struct papers_needs needs;
    if (papers_needs_read(c->needs, &needs, err) < 0)
        return -1;
    if (isnan(c->limit))
        return err_set(err, "limit: empty, where the rule is %s", rule_words[c->rule]);
    if (c->rule == RULE_NEAR && !(strtod(c->theirs, NULL) != 0))
        return err_set(err, "theirs: '%s', where the rule is near (want a number)", c->theirs);
    return 0;
}

const struct schema papers_schema = {
    .path = "reference/papers.csv",
    .meaning = "What papers claim, one row per claim, and where ours is looked up.",
    .check = check,
    SCHEMA_COLUMNS(paper_claim, columns),
};

int papers_read(const char *assets, struct papers *papers, struct err *err)
{
    *papers = (struct papers){ 0 };
    papers->claim = schema_read(&papers_schema, assets, &papers->n, err);
    return papers->claim ? 0 : -1;
}

CLEARS(papers_clear, papers, it->claim, it->verdict)

/* ---- one number of a file ---- */

enum { MOST_TERMS = 12 };

struct term {
    int column;
    char value[NAME_SIZE];
};

/* COLUMN=VALUE;... of a file that is open. How many, or -1 with *err. */
static int parse_where(const struct csv *csv, const char *where, struct term *terms,
                       struct err *err)
{
    char text[PAPER_TEXT], *rest = text;
    int n = 0;
    snprintf(text, sizeof text, "%s", where);
    for (char *word; (word = strsep(&rest, ";")) != NULL;) {
        char *value = strchr(word, '=');
        if (!*word)
            continue;
        if (!value || n == MOST_TERMS)
            return err_set(err, "'%s' (want COLUMN=VALUE;..., %d at most)", where, MOST_TERMS);
        *value++ = '\0';
        terms[n].column = csv_column(csv, word);
        if (terms[n].column < 0)
            return err_set(err, "%s: no column '%s', which reference/papers.csv asks for",
                           csv_path(csv), word);
        snprintf(terms[n++].value, sizeof terms->value, "%s", value);
    }
    return n;
}

static int fits(const struct csv *csv, const struct term *terms, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(csv_text(csv, terms[i].column), terms[i].value) != 0)
            return 0;
    return 1;
}

/* Sorts value; NaN of none. */
static double reduce(enum paper_reduce how, double *value, size_t n)
{
    if (n == 0)
        return NAN;
    gsl_sort(value, 1, n);
    switch (how) {
    case REDUCE_MEAN:
        return gsl_stats_mean(value, 1, n);
    case REDUCE_MEDIAN:
        return gsl_stats_median_from_sorted_data(value, 1, n);
    case REDUCE_LEAST:
        return value[0];
    case REDUCE_MOST:
        return value[n - 1];
    case REDUCE_SPREAD:
        return value[0] > 0 ? value[n - 1] / value[0] : NAN;
    case REDUCE_OFF:
        return gsl_stats_absdev_m(value, 1, n, 0);
    }
    return NAN;
}

/* Where a number comes from, row by row: all rows of a claim say the same. A name, since it goes to
 * a terminal. */
static int take_backend(const struct csv *csv, int column, struct paper_verdict *v, struct err *err)
{
    char from[sizeof v->backend] = "";
    if (column >= 0 && csv_name(csv, column, from, sizeof from, err) < 0)
        return -1;
    if (*v->backend && strcmp(v->backend, from) != 0)
        return csv_fail(csv, err, "backend: '%s', where other rows of the claim are of '%s'", from,
                        v->backend);
    memcpy(v->backend, from, sizeof from);
    return 0;
}

/* What a claim is judged by, while it is judged. */
struct judged {
    const struct paper_claim *claim;
    struct paper_verdict *v;
    struct papers_needs needs;
    char lacks[PAPER_TEXT / 2]; /* of what the claim is about; "": nothing */
};

/* The numbers of the rows that count, one after the other in *value; rows without one in
 * without of the verdict. */
static int collect(struct csv *csv, struct judged *j, const char *where, double **value, size_t *n,
                   struct err *err)
{
    const struct paper_claim *c = j->claim;
    struct term terms[MOST_TERMS];
    const int column = csv_column(csv, c->column), from = csv_column(csv, "backend"),
              n_terms = parse_where(csv, where, terms, err);
    struct paper_verdict *v = j->v;
    int got;
    if (n_terms < 0)
        return -1;
    if (column < 0) {
        snprintf(j->lacks, sizeof j->lacks,
                 "it has no column '%.60s', as older programs wrote it (%.120s)", c->column,
                 c->command);
        return 0;
    }
    while ((got = csv_next(csv, err)) > 0) {
        double x;
        if (!fits(csv, terms, n_terms))
            continue;
        if (csv_f64(csv, column, &x, err) < 0 || take_backend(csv, from, v, err) < 0 ||
            papers_needs_row(&j->needs, csv, j->lacks, sizeof j->lacks, err) < 0)
            return -1;
        if (isnan(x))
            v->without++;
        else
            *array_add(value, n) = x;
    }
    return csv_end(csv, got, err);
}

/* One number of the file PATH, from as many rows as the claim is about: NaN where no row counts. */
static int look_up(const char *path, struct judged *j, const char *where, double rows,
                   double *number, struct err *err)
{
    double *value = NULL;
    size_t n = 0;
    struct csv *csv = csv_open(path, NULL, err);
    if (!csv)
        return -1;
    const size_t before = j->v->without;
    const int status = collect(csv, j, where, &value, &n, err);
    const size_t count = n + j->v->without - before;
    if (status == 0)
        *number = reduce(j->claim->reduce, value, n);
    if (status == 0 && count && !*j->lacks && (double)count < rows)
        snprintf(j->lacks, sizeof j->lacks, "%zu of the %g rows that the claim is about: %.120s",
                 count, rows, where);
    free(value);
    csv_close(csv);
    return status;
}

/* ---- judging ---- */

/* Where results lie. */
struct place {
    const char *dir;    /* CLUSTER/STUDY are below */
    const char *beside; /* of results that ship: to which directory their inputs' paths are
                           relative; NULL: made here */
};

/* The study's directory that has the file: as named, else the walked one. 1, 0: neither; -1. */
static int find_dir(const struct paper_claim *c, const struct place *at, struct paper_verdict *v,
                    char *path, struct err *err)
{
    static const char *const endings[] = { "", "-sim", "-walk" };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (fs_path(v->dir, sizeof v->dir, err, "%s%s", c->study, endings[i]) < 0 ||
            fs_path(path, PATH_SIZE, err, "%s/%s/%s", at->dir, v->dir, c->file) < 0)
            return -1;
        if (fs_exists(path))
            return 1;
    }
    *v->dir = '\0';
    return 0;
}

static int holds(const struct paper_claim *c, const struct paper_verdict *v)
{
    const double limit = *c->against ? c->limit * v->other : c->limit;
    switch (c->rule) {
    case RULE_NEAR:
        return fabs(v->ours / strtod(c->theirs, NULL) - 1) <= c->limit;
    case RULE_AT_MOST:
        return v->ours <= limit;
    case RULE_AT_LEAST:
        return v->ours >= limit;
    case RULE_BELOW:
        return v->ours < limit;
    case RULE_ABOVE:
        return v->ours > limit;
    case RULE_NONE:
    case RULE_OPEN:
    case RULE_SETTING:
        break;
    }
    return 0;
}

/* 1: an input of what ships is another one now, or cannot be read. One that is not here cannot be
 * compared. */
static int inputs_differ(const struct place *at, const json_t *shipped)
{
    const char *name;
    json_t *digest;
    int differ = (int)json_number_at(shipped, "answers") != PAPERS_ANSWERS;
    json_object_foreach(json_object_get(shipped, "inputs"), name, digest)
    {
        char path[PATH_SIZE], now[20] = "";
        size_t len;
        if (fs_path(path, sizeof path, NULL, "%s/%s", at->beside, name) < 0 || !fs_exists(path))
            continue;
        char *text = fs_read(path, &len, NULL);
        if (text)
            snprintf(now, sizeof now, "%016jx", (uintmax_t)fs_digest(text, len));
        differ |= !json_is_string(digest) || strcmp(now, json_string_value(digest)) != 0;
        free(text);
    }
    return differ;
}

/* The commit of the program that timed the study, where that was, and whether it is stale. */
static int find_origin(const struct place *at, const char *commit, struct paper_verdict *v,
                       struct err *err)
{
    char path[PATH_SIZE];
    json_t *o;
    const char *made = NULL;
    if (fs_path(path, sizeof path, err, "%s/%s/manifest.json", at->dir, v->dir) < 0 ||
        json_file_read(path, &o, err) < 0)
        return -1;
    const json_t *shipped = json_object_get(o, "shipped");
    if (o && json_unpack(o, "{s:{s:s}}", "tool", "commit", &made) == 0)
        snprintf(v->commit, sizeof v->commit, "%.60s", made);
    v->stale = *v->commit && strcmp(v->commit, commit) != 0;
    if (at->beside) {
        snprintf(v->shipped, sizeof v->shipped, "%.10s, commit %.8s, %.24s, %.80s",
                 json_text_at(shipped, "made"), v->commit, json_text_at(shipped, "took"),
                 json_text_at(shipped, "machine"));
        v->stale = inputs_differ(at, shipped);
    }
    json_decref(o);
    return 0;
}

/* Why there is no verdict; "": there is one. */
static void find_reason(const struct judged *j)
{
    struct paper_verdict *v = j->v;
    const struct paper_claim *c = j->claim;
    *v->reason = '\0';
    if (isnan(v->ours) || (*c->against && isnan(v->other)))
        snprintf(v->reason, sizeof v->reason, "no number in %.200s/%.60s: %.200s", v->dir, c->file,
                 isnan(v->ours) ? c->where : c->against);
    else if (v->without)
        snprintf(v->reason, sizeof v->reason,
                 "%zu of the rows that it wants %s no number in %.200s/%.60s", v->without,
                 of_number(v->without, "has", "have"), v->dir, c->file);
    else if (j->needs.measured && backend_simulates(v->backend))
        snprintf(v->reason, sizeof v->reason,
                 "%.140s/%.60s: times that were measured (these are of the backend %s%s%.200s)",
                 v->dir, c->file, v->backend, *c->note ? ": " : "", c->note);
    if (*j->lacks)
        snprintf(v->reason, sizeof v->reason, "%.200s/%.60s: %.240s", v->dir, c->file, j->lacks);
}

/* Both numbers of a claim whose file is there, and what it lacks. */
static int find_numbers(struct judged *j, const char *path, const char *results, struct err *err)
{
    const struct paper_claim *c = j->claim;
    struct paper_verdict *v = j->v;
    char dir[PATH_SIZE];
    if (look_up(path, j, c->where, j->needs.rows, &v->ours, err) < 0 ||
        (*c->against && look_up(path, j, c->against, j->needs.against, &v->other, err) < 0) ||
        fs_path(dir, sizeof dir, err, "%s/%s", results, v->dir) < 0)
        return -1;
    return papers_needs_points(&j->needs, dir, j->lacks, sizeof j->lacks, err);
}

/* By what lies in one place. */
static int judge_at(const struct place *at, const struct paper_claim *c, const char *commit,
                    struct paper_verdict *v, struct err *err)
{
    char path[PATH_SIZE];
    struct judged j = { .claim = c, .v = v };
    const int found = find_dir(c, at, v, path, err);
    if (found < 0 || (found && find_origin(at, commit, v, err) < 0))
        return -1;
    if (!found && is_judged(c))
        snprintf(v->reason, sizeof v->reason, "%s", c->command);
    if (!found)
        return 0;
    if ((is_judged(c) && papers_needs_read(c->needs, &j.needs, err) < 0) ||
        find_numbers(&j, path, at->dir, err) < 0)
        return -1;
    if (!is_judged(c))
        return 0;
    v->stale = v->stale && strcmp(v->backend, "imported") != 0; /* others timed these */
    find_reason(&j);
    if (*v->reason)
        return 0;
    v->status = holds(c, v) ? PAPER_REPRODUCED : PAPER_DIFFERS;
    if (v->status == PAPER_DIFFERS)
        snprintf(v->reason, sizeof v->reason, "%s", *c->note ? c->note : "why is not known");
    return 0;
}

/* A claim before anything is looked up. */
static struct paper_verdict without_number(const struct paper_claim *c)
{
    struct paper_verdict v = { .status = c->rule == RULE_NONE      ? PAPER_NOT_APPLICABLE
                                         : c->rule == RULE_SETTING ? PAPER_SETTING
                                                                   : PAPER_NOT_MADE,
                               .ours = NAN,
                               .other = NAN };
    snprintf(v.reason, sizeof v.reason, "%s", c->note);
    return v;
}

/* By what was made here; what that leaves open, by what ships. */
static int judge(const struct paper_claim *c, const struct place place[2], const char *commit,
                 struct paper_verdict *v, struct err *err)
{
    *v = without_number(c);
    for (int i = 0; i < 2 && is_looked_up(c); i++) {
        struct paper_verdict now = without_number(c);
        if (judge_at(&place[i], c, commit, &now, err) < 0)
            return -1;
        if (i == 0 || (*now.dir && (!*v->dir || now.status <= PAPER_DIFFERS)))
            *v = now;
        if (*v->dir && v->status != PAPER_NOT_MADE)
            break;
    }
    return 0;
}

int papers_judge(struct papers *papers, const char *results, const char *assets, const char *commit,
                 struct err *err)
{
    char ships[PATH_SIZE], beside[PATH_SIZE];
    const struct place place[] = { { .dir = results }, { .dir = ships, .beside = beside } };
    if (fs_path(ships, sizeof ships, err, "%s/reference/shipped", assets) < 0 ||
        fs_path(beside, sizeof beside, err, "%s/..", assets) < 0)
        return -1;
    free(papers->verdict);
    papers->verdict = memory_zeros(papers->n, sizeof *papers->verdict);
    for (size_t i = 0; i < papers->n; i++)
        if (judge(&papers->claim[i], place, commit, &papers->verdict[i], err) < 0)
            return -1;
    return 0;
}

const char *paper_status_text(enum paper_status status)
{
    static const char *const texts[] = { "reproduced", "differs", "not made", "not applicable",
                                         "setting" };
    return texts[status];
}

/* ---- writing ---- */

static const enum mark marks[] = { MARK_BEST, MARK_BAD, MARK_NONE, MARK_NONE, MARK_NONE };

static void put_number(struct table *t, const struct paper_claim *c, double value)
{
    if (isnan(value)) {
        table_number(t, value, 0);
        return;
    }
    table_value(t, value, "%.3g%s%s", value, *c->unit ? " " : "", c->unit);
}

/* When a claim counts as reproduced, in words. */
static void put_condition(struct table *t, const struct paper_claim *c)
{
    static const char *const words[] = { [RULE_AT_MOST] = "at most",
                                         [RULE_AT_LEAST] = "at least",
                                         [RULE_BELOW] = "below",
                                         [RULE_ABOVE] = "above" };
    if (!is_judged(c))
        table_text(t, "");
    else if (c->rule == RULE_NEAR)
        table_cell(t, rule_words[c->rule], "within %.3g %% of theirs", 100 * c->limit);
    else if (*c->against)
        table_cell(t, rule_words[c->rule], "%s %.3g times what is beside", words[c->rule],
                   c->limit);
    else
        table_cell(t, rule_words[c->rule], "%s %.3g%s%s", words[c->rule], c->limit,
                   *c->unit ? " " : "", c->unit);
}

static void put_row(struct table *t, const struct paper_claim *c, const struct paper_verdict *v)
{
    table_text(t, c->item);
    table_text(t, c->claim);
    table_text(t, c->theirs);
    table_mark(t, MARK_REFERENCE);
    put_number(t, c, v->ours);
    put_number(t, c, v->other);
    put_condition(t, c);
    table_cell(t, v->backend, "%s%s%s%s%s", v->backend, *v->shipped ? ", shipped (" : "",
               v->shipped, *v->shipped ? ")" : "", v->stale ? " †" : "");
    table_text(t, paper_status_text(v->status));
    table_mark(t, marks[v->status]);
    table_cell(t, v->reason, "%s%s%s%s", v->reason, *v->reason && *v->shipped ? "; " : "",
               *v->shipped ? "anew: " : "", *v->shipped ? c->command : "");
    table_text(t, c->paper);
    table_text(t, v->dir);
    table_number(t, is_judged(c) ? c->limit : NAN, 3);
    table_text(t, v->commit);
    table_text(t, v->stale ? "1" : *v->commit ? "0" : "");
    table_text(t, v->shipped);
}

/* Of one paper, or of all where it is NULL. To be freed. */
static struct table *make_table(const struct papers *papers, const char *paper)
{
    struct table *t = table_new("papers", paper ? paper : "all papers", NULL, NULL);
    table_columns(t,
                  "<item|table, figure ; <claim|what the paper says ; >theirs|theirs ; >ours|ours "
                  "; >other|beside ; <rule|reproduced if ours is ; <from|ours is from ; "
                  "<verdict|verdict ; <why|why, or the command that makes it ; .paper|paper ; "
                  ".directory|directory ; .limit|limit ; .commit|commit ; .stale|stale ; "
                  ".shipped|shipped");
    for (size_t i = 0; i < papers->n; i++)
        if (!paper || strcmp(papers->claim[i].paper, paper) == 0)
            put_row(t, &papers->claim[i], &papers->verdict[i]);
    return t;
}

size_t papers_count(const struct papers *papers, enum paper_status status)
{
    size_t n = 0;
    for (size_t i = 0; i < papers->n; i++)
        n += papers->verdict[i].status == status;
    return n;
}

size_t papers_stale(const struct papers *papers)
{
    size_t n = 0;
    for (size_t i = 0; i < papers->n; i++)
        n += papers->verdict[i].stale && papers->verdict[i].status <= PAPER_DIFFERS;
    return n;
}

size_t papers_shipped(const struct papers *papers)
{
    size_t n = 0;
    for (size_t i = 0; i < papers->n; i++)
        n += *papers->verdict[i].shipped && papers->verdict[i].status <= PAPER_DIFFERS;
    return n;
}

const char *papers_counted(const struct papers *papers, char *buf, size_t size)
{
    snprintf(
        buf, size,
        "%zu claim%s: %zu reproduced, %zu differ%s, %zu not made here, %zu not applicable, %zu "
        "setting%s",
        COUNTED(papers->n), papers_count(papers, PAPER_REPRODUCED),
        papers_count(papers, PAPER_DIFFERS),
        of_number(papers_count(papers, PAPER_DIFFERS), "s", ""),
        papers_count(papers, PAPER_NOT_MADE), papers_count(papers, PAPER_NOT_APPLICABLE),
        COUNTED(papers_count(papers, PAPER_SETTING)));
    return buf;
}

static int put_head(const struct papers *papers, const char *assets, FILE *out, struct err *err)
{
    char path[PATH_SIZE], counted[160];
    if (fs_path(path, sizeof path, err, "%s/page.css", assets) < 0)
        return -1;
    char *css = fs_read(path, NULL, err);
    if (!css)
        return -1;
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src 'unsafe-inline'\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<title>Five papers · collsel</title>\n<style>\n%s</style>\n</head>\n<body>\n"
            "<header><h1>Five papers: theirs and ours</h1></header>\n<main style=\"padding: 0 "
            "1.5rem\">\n",
            css);
    free(css);
    fprintf(out,
            "<p>%s. “theirs” is what the paper prints; it enters no number of ours. “beside” is "
            "the other of two numbers that the claim compares. <code>sim</code> (SMPI) and "
            "<code>walk</code> are no measurements. Ours is held to the paper’s own limit "
            "where it states one; else to a limit of ours, and “reproduced” means that it points "
            "the same way, not that the number is the same. Nothing is judged by a part of the "
            "cells that a claim is about. A setting was made after the paper, or holds by "
            "construction, so that it cannot differ.</p>\n",
            papers_counted(papers, counted, sizeof counted));
    if (papers_shipped(papers))
        fprintf(
            out,
            "<p>shipped: the results of %zu of the verdicts take long and come with the program. "
            "In brackets: day, commit, duration and machine. The last column has the "
            "command that makes them anew; what is made here counts first.</p>\n",
            papers_shipped(papers));
    if (papers_stale(papers))
        fprintf(out,
                "<p>† %zu of the verdicts are stale. Their times are another commit’s than the one "
                "that judges them (column <code>commit</code> of papers.csv); of shipped results, "
                "an input or what a walk answers has changed since.</p>\n",
                papers_stale(papers));
    return 0;
}

/* A table for each paper, in the order of the claims. */
static int put_tables(const struct papers *papers, FILE *out, struct err *err)
{
    int status = 0;
    for (size_t i = 0; i < papers->n && status == 0; i++) {
        if (i && strcmp(papers->claim[i].paper, papers->claim[i - 1].paper) == 0)
            continue;
        struct table *t = make_table(papers, papers->claim[i].paper);
        status = table_write_html(t, out, err);
        table_free(t);
    }
    fputs("</main>\n</body>\n</html>\n", out);
    return status;
}

static int write_page(const struct papers *papers, const char *assets, const char *dir,
                      struct err *err)
{
    struct whole_file f;
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/index.html", dir) < 0 || fs_begin(&f, path, err) < 0)
        return -1;
    if (put_head(papers, assets, f.file, err) < 0 || put_tables(papers, f.file, err) < 0) {
        fs_abandon(&f);
        return -1;
    }
    return fs_commit(&f, err);
}

int papers_write(const struct papers *papers, const char *assets, const char *dir, struct err *err)
{
    struct whole_file f;
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/papers.csv", dir) < 0 || fs_begin(&f, path, err) < 0)
        return -1;
    struct table *t = make_table(papers, NULL);
    const int status = table_write_csv(t, f.file, err);
    table_free(t);
    if (status < 0) {
        fs_abandon(&f);
        return -1;
    }
    return fs_commit(&f, err) < 0 ? -1 : write_page(papers, assets, dir, err);
}
