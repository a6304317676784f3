/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/applications/application_cost.h"

#include "harness/base/json_print.h"

static const struct schema_column columns[] = {
    COLUMN(application_row, NAME, "mpi", mpi, "", "library of the cells"),
    COLUMN(application_row, NAME, "mapping", mapping, "", "of the cells"),
    COLUMN(application_row, NAME, "selector", selector, "", "what chooses"),
    COLUMN(application_row, TEXT, "no_test", no_test, "",
           "why its loss is no test of it: `in sample`, as it was fitted to the times of these "
           "cells; `the simulator's own arithmetic`; empty: it is one",
           .optional = 1),
    COLUMN(application_row, COUNT, "kinds", kinds, "", "kinds of calls that have a cell"),
    COLUMN(application_row, COUNT, "kinds_of", kinds_of, "", "kinds that the profile has"),
    COLUMN(application_row, REAL, "calls", calls, "", "of the former, of a rank"),
    COLUMN(application_row, REAL, "time_pct", time_pct, "%",
           "of the application's own time in collectives that these calls took"),
    COLUMN(application_row, REAL, "seconds", seconds, "s", "of these calls, by its choices"),
    COLUMN(application_row, REAL, "best_s", best_s, "s", "by the fastest of each cell"),
    COLUMN(application_row, REAL, "loss_pct", loss_pct, "%", "100 (`seconds` / `best_s` − 1)"),
};

SCHEMA(application_schema, application_row, columns, "application.csv",
       "What each selector's choices would cost an application (`collsel select --profile`): one "
       "row per selector, library and mapping.",
       .backend = 1);

struct application_profile {
    char path[PATH_SIZE], mpi[NAME_SIZE];
    struct application_kind *v;
    size_t n;
    double time_s; /* of all, those that are no kind of ours with them */
    size_t all;
};

/* Of blocks that may differ the library keeps the sum, of which a cell has the mean. */
static uint64_t bytes_of_rank(const struct collective *c, double bytes, double procs)
{
    const int is_sum = c->uneven && (c->combines || !c->personal);
    return (uint64_t)(is_sum ? bytes / procs : bytes);
}

/* A text that would be cut could be taken for another one. */
static int check_text(const json_t *row, size_t at, const char *key, size_t size, struct err *err)
{
    return strlen(json_text_at(row, key)) < size
               ? 0
               : err_set(err, "rows/%zu/%s: '%.40s...' is longer than %zu bytes", at, key,
                         json_text_at(row, key), size - 1);
}

/* What is no number is not taken for 0. */
static int check_row(const json_t *row, size_t at, struct err *err)
{
    static const struct {
        const char *key;
        double least, most;
        int is_whole, may_miss;
    } wanted[] = { { "procs", 1, 1 << 28, 1, 0 }, { "bytes", 0, 0x1p50, 1, 0 },
                   { "nodes", 0, 1 << 24, 1, 1 }, { "ppn", 0, 1 << 24, 1, 1 },
                   { "calls", 0, 0x1p53, 0, 0 },  { "time_s", 0, INFINITY, 0, 0 } };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const json_t *number = json_object_get(row, wanted[i].key);
        const double value = json_number_value(number);
        if (wanted[i].may_miss && !number)
            continue;
        if (!json_is_number(number) || value < wanted[i].least || value > wanted[i].most ||
            (wanted[i].is_whole && value != floor(value)))
            return err_set(err, "rows/%zu/%s: no %snumber from %g to %g", at, wanted[i].key,
                           wanted[i].is_whole ? "whole " : "", wanted[i].least, wanted[i].most);
    }
    return check_text(row, at, "algorithm", APPLICATION_SAYING, err) < 0
               ? -1
               : check_text(row, at, "default_is", APPLICATION_SAYING, err);
}

/* A row is of a rank of its communicator; of all ranks of the application so many are in it. */
static void take_row(const json_t *row, double all_procs, struct application_profile *kinds)
{
    const struct collective *c = collective_find(json_text_at(row, "collective"));
    const double procs = json_number_at(row, "procs"),
                 share = all_procs > procs ? procs / all_procs : 1;
    kinds->all++;
    kinds->time_s += share * json_number_at(row, "time_s");
    if (!c || procs < 2 || json_is_false(json_object_get(row, "bytes_of_all_ranks")) ||
        strcmp(json_text_at(row, "root"), "other") == 0)
        return;
    struct application_kind *kind = array_add(&kinds->v, &kinds->n);
    kind->collective = c;
    kind->procs = (int)procs;
    kind->nodes = (int)json_number_at(row, "nodes");
    kind->ppn = (int)json_number_at(row, "ppn");
    kind->bytes = bytes_of_rank(c, json_number_at(row, "bytes"), procs);
    kind->calls = share * json_number_at(row, "calls");
    kind->time_s = share * json_number_at(row, "time_s");
    kind->wait_s = fmin(fmax(share * json_number_at(row, "wait_s"), 0), kind->time_s);
    snprintf(kind->algorithm, sizeof kind->algorithm, "%s", json_text_at(row, "algorithm"));
    snprintf(kind->default_is, sizeof kind->default_is, "%s", json_text_at(row, "default_is"));
    text_disarm(kind->algorithm);
    text_disarm(kind->default_is);
}

static int take_rows(const json_t *profile, struct application_profile *kinds, struct err *err)
{
    const json_t *rows = json_object_get(profile, "rows");
    size_t i;
    const json_t *row;
    if (!json_is_array(rows))
        return err_set(err, "rows: no list of kinds of calls");
    json_array_foreach(rows, i, row)
    {
        if (check_row(row, i, err) < 0)
            return -1;
        take_row(row, json_number_at(profile, "procs"), kinds);
    }
    return 0;
}

struct application_profile *application_profile_read(const char *path, struct err *err)
{
    json_t *profile;
    struct application_profile *kinds = NULL;
    if (json_file_read(path, &profile, err) < 0)
        return NULL;
    if (!profile) {
        err_set(err, "%s: no such file", path);
    } else if (strcmp(json_text_at(profile, "format"), "collsel profile 1") != 0) {
        err_set(err,
                "%s:1: no profile that collsel run --report wrote (want format collsel profile 1)",
                path);
    } else {
        kinds = memory_zeros(1, sizeof *kinds);
        snprintf(kinds->path, sizeof kinds->path, "%s", path);
        snprintf(kinds->mpi, sizeof kinds->mpi, "%s", json_text_at(profile, "mpi"));
        if (take_rows(profile, kinds, err) < 0) {
            json_file_fail(path, err);
            application_profile_free(kinds);
            kinds = NULL;
        }
    }
    json_decref(profile);
    return kinds;
}

void application_profile_free(struct application_profile *profile)
{
    if (profile)
        free(profile->v);
    free(profile);
}

const struct application_kind *application_kinds(const struct application_profile *profile,
                                                 size_t *n)
{
    *n = profile->n;
    return profile->v;
}

const char *application_mpi(const struct application_profile *profile)
{
    return profile->mpi;
}

double application_time(const struct application_profile *profile)
{
    return profile->time_s;
}

static int is_first(const struct selection *row, size_t i)
{
    return !any_below(k, i,
                      strcmp(row[k].name, row[i].name) == 0 &&
                          strcmp(row[k].cell.mpi, row[i].cell.mpi) == 0 &&
                          strcmp(row[k].cell.mapping, row[i].cell.mapping) == 0);
}

/* How far the size of a cell is from that of a kind of call, in powers of two; infinite: more than
 * one, or something else differs. */
static double apart(const struct cell *c, const struct application_kind *kind)
{
    const uint64_t a = c->bytes, b = kind->bytes;
    const double far = a == b ? 0 : a && b ? fabs(log2((double)a / (double)b)) : INFINITY;
    return far <= 1 && c->procs == kind->procs && c->root == 0 && !*c->arrival && !*c->buffers &&
                   strcmp(c->collective, kind->collective->name) == 0
               ? far
               : INFINITY;
}

/* Adds the time of a kind to the rows of its nearest cells. 1, or 0: it has none. */
static int add_time(const struct application_kind *kind, const struct plan *plan, double *time_s)
{
    double least = INFINITY;
    for (size_t i = 0; i < plan->n; i++)
        least = fmin(least, apart(&plan->points[i].cell, kind));
    for (size_t i = 0; i < plan->n && isfinite(least); i++)
        if (apart(&plan->points[i].cell, kind) == least)
            time_s[i] += kind->time_s;
    return isfinite(least);
}

size_t application_weigh(const struct application_profile *profile, const struct plan *plan,
                         struct prior *prior)
{
    double *time_s = memory_zeros(plan->n + 1, sizeof *time_s), most = 0;
    size_t n = 0;
    for (size_t i = 0; i < profile->n; i++)
        n += (size_t)add_time(&profile->v[i], plan, time_s);
    for (size_t i = 0; i < plan->n; i++)
        most = fmax(most, time_s[i]);
    for (size_t i = 0; i < plan->n && most > 0; i++) {
        const struct prior_row *row = prior_find(prior, plan->points[i].id);
        if (row)
            prior->row[row - prior->row].weight = fmax(time_s[i] / most, 1e-3);
    }
    free(time_s);
    return n;
}

/* The selector's row for a kind of call; NULL: none. */
static const struct selection *find_cell(const struct selection *row, size_t n,
                                         const struct selection *like,
                                         const struct application_kind *kind)
{
    const struct selection *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        const struct cell *c = &row[i].cell;
        const double far = apart(c, kind);
        if (row[i].status == SELECT_OK && far < least && strcmp(row[i].name, like->name) == 0 &&
            strcmp(c->mpi, like->cell.mpi) == 0 && strcmp(c->mapping, like->cell.mapping) == 0) {
            best = &row[i];
            least = far;
        }
    }
    return best;
}

static const char *no_test(const struct degradations *d, const char *selector)
{
    size_t i = 0;
    while (d && i < d->n &&
           (d->row[i].purpose != FOR_STUDY || strcmp(d->row[i].name, selector) != 0))
        i++;
    return d && i < d->n ? standing_text(d->row[i].standing) : "";
}

static void add_row(const struct selection *row, size_t n, const struct selection *like,
                    const struct application_profile *kinds, const char *no_test,
                    struct application *out)
{
    struct application_row sum = { .kinds_of = kinds->all };
    memcpy(sum.mpi, like->cell.mpi, sizeof sum.mpi);
    memcpy(sum.mapping, like->cell.mapping, sizeof sum.mapping);
    memcpy(sum.selector, like->name, sizeof sum.selector);
    snprintf(sum.no_test, sizeof sum.no_test, "%s", no_test);
    for (size_t i = 0; i < kinds->n; i++) {
        const struct application_kind *kind = &kinds->v[i];
        const struct selection *cell = find_cell(row, n, like, kind);
        if (!cell)
            continue;
        sum.kinds++;
        sum.calls += kind->calls;
        sum.time_pct += kind->time_s > 0 ? 100 * kind->time_s / kinds->time_s : 0;
        sum.seconds += kind->calls * cell->chosen_s;
        sum.best_s += kind->calls * cell->best_s;
    }
    sum.loss_pct = longer_pct(sum.seconds, sum.best_s);
    if (sum.kinds)
        *array_add(&out->row, &out->n) = sum;
}

int application_make(const struct application_profile *profile, const char *dir,
                     const struct degradations *d, struct application *out, struct err *err)
{
    size_t n = 0;
    *out = (struct application){ .n = 0 };
    struct selection *row = schema_read(&selection_schema, dir, &n, err);
    for (int apart = 0; row && apart < 2; apart++) /* what is no test comes last */
        for (size_t i = 0; i < n; i++) {
            const char *why = no_test(d, row[i].name);
            if ((*why != '\0') == apart && is_first(row, i))
                add_row(row, n, &row[i], profile, why, out);
        }
    if (!row)
        return -1;
    free(row);
    return out->n
               ? 0
               : err_set(
                     err,
                     "%s: none of its %zu kinds of calls has a cell in %s/selection.csv (the same "
                     "collective and ranks, at most twice or half the size)",
                     profile->path, profile->all, dir);
}

CLEARS(application_clear, application, it->row)
