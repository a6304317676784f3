/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/brief.h"

#include "harness/base/json_print.h"
#include "reports/copied_setting.h"
#include "reports/section_common.h"
#include "reports/trust.h"

/* ---- the numbers ---- */

static void add_choice(struct brief_row *row, const struct selection *c)
{
    const size_t known = row->loss.cells, untold = row->loss.untold;
    if (!(c->best_s > 0) || c->status == SELECT_ALONE)
        return;
    row->cells++;
    losses_add(&row->loss, c);
    if (row->loss.cells == known)
        row->unknown++;
    else if (row->loss.untold > untold)
        row->unsure++;
    else
        ++*(c->counted_pct > SETTING_MARGIN_PCT ? &row->gains : &row->same);
    row->certain +=
        row->loss.cells > known && c->counted_pct > SETTING_MARGIN_PCT && c->ci_low_pct > 0;
}

static void find_row(const struct report_data *d, const struct context *context,
                     struct brief_row *row)
{
    *row = (struct brief_row){ .context = context };
    for (size_t i = 0; i < d->choices; i++)
        if (strcmp(d->choice[i].name, "default") == 0 && d->choice[i].purpose == FOR_STUDY &&
            cell_in(&d->choice[i].cell, context))
            add_choice(row, &d->choice[i]);
    row->mean = 1 + losses_geomean(&row->loss) / 100;
    row->most = row->loss.cells ? 1 + row->loss.worst_pct / 100 : NAN;
}

const struct brief_row **brief_by_mean(const struct brief *b, size_t most, size_t *n)
{
    const struct brief_row **row = memory_zeros(b->rows + 1, sizeof *row);
    size_t known = 0;
    for (size_t i = 0; i < b->rows; i++) {
        size_t k = i;
        for (; k && (b->row[i].mean > row[k - 1]->mean ||
                     (isnan(row[k - 1]->mean) && !isnan(b->row[i].mean)));
             k--)
            row[k] = row[k - 1];
        row[k] = &b->row[i];
        known += b->row[i].cells > 0;
    }
    known = known ? known : b->rows;
    *n = known < most ? known : most;
    return row;
}

const char *brief_factor(double factor)
{
    return isfinite(factor) ? brief("%.*f", factor < 1.095 ? 2 : factor < 9.95, factor) : "–";
}

/* ---- the verdict ---- */

static int is_as_good(const struct brief_row *row)
{
    return row->mean < 1.005 && row->gains == 0;
}

/* More is to be gained; one cell in which the default is slower outweighs a mean of ties. */
static int is_worse(const struct brief_row *row, const struct brief_row *than)
{
    return !than || is_as_good(row) < is_as_good(than) ||
           (is_as_good(row) == is_as_good(than) && row->mean > than->mean);
}

/* The text at this place of a context, of those that differ in it. */
static const char *distinct(const struct report_data *d, size_t at, size_t number)
{
    for (size_t i = 0, k; i < d->contexts; i++) {
        const char *text = (const char *)&d->context[i] + at;
        for (k = 0; strcmp((const char *)&d->context[k] + at, text) != 0;)
            k++;
        if (k == i && number-- == 0)
            return text;
    }
    return NULL;
}

const char *brief_library(const struct report_data *d, size_t number)
{
    return distinct(d, offsetof(struct context, mpi), number);
}

const char *brief_mapping(const struct report_data *d, size_t number)
{
    return distinct(d, offsetof(struct context, mapping), number);
}

/* "broadcast of MPICH with ranks by core" */
static void say_subject(FILE *out, const struct report_data *d, const struct context *c)
{
    fprintf(out, "%s", collective_word(c->collective));
    if (brief_library(d, 1))
        fprintf(out, " of %s", mpi_label(c->mpi));
    if (brief_mapping(d, 1))
        fprintf(out, " with ranks by %s", c->mapping);
}

static void say_worst(FILE *out, const struct report_data *d, const struct brief_row *row)
{
    const struct selection *at = row->loss.worst;
    fputs("With the library's default, ", out);
    say_subject(out, d, row->context);
    fprintf(out, " is %s times slower than it could be, in the geometric mean over %zu cell%s",
            row->mean < 1.005 ? "less than 1.01" : brief_factor(row->mean), row->loss.cells,
            plural(row->loss.cells));
    if (at && row->gains)
        fprintf(out, ", and %s times at worst (%d processes, %s)", brief_factor(row->most),
                at->cell.procs, show_bytes(at->cell.bytes));
}

/* 1 when anything has a time: of a library, or (NULL) a default of any. */
static int has_time(const struct report_data *d, const char *mpi)
{
    int has = 0;
    for (size_t i = 0; i < d->results && !has; i++) {
        const struct point *p = &d->result[i].point;
        has = result_usable(&d->result[i]) &&
              (mpi ? strcmp(p->cell.mpi, mpi) == 0 : algorithm_is_default(p->candidate.algorithm));
    }
    return has;
}

static void say_verdict(FILE *out, const struct report_data *d, const struct brief *b)
{
    size_t unknown = 0, cells = 0;
    for (size_t i = 0; i < b->rows; i++) {
        unknown += b->row[i].unknown;
        cells += b->row[i].cells;
    }
    if (!b->worst) {
        fputs(has_time(d, NULL)
                  ? "Nothing has a time here that the library's default could be compared "
                    "with: what it loses is not known."
                  : "The library's default has no time here: what it loses is not known.",
              out);
        return;
    }
    if (is_as_good(b->worst))
        fprintf(
            out,
            "Nothing that was tried is certainly over %d %% faster than the library's default, in "
            "any of %zu cell%s",
            SETTING_MARGIN_PCT, cells - unknown, plural(cells - unknown));
    else
        say_worst(out, d, b->worst);
    if (b->least != b->worst && !is_as_good(b->worst)) {
        fputs("; it loses least in ", out);
        say_subject(out, d, b->least->context);
        if (is_as_good(b->least))
            fputs(": nothing", out);
        else
            fprintf(out, ": %s times", brief_factor(b->least->mean));
    }
    fputs(".", out);
    if (unknown)
        fprintf(out, " In %zu of %zu cell%s the default has no time.", unknown, COUNTED(cells));
}

/* ---- what to type ---- */

/* The command that writes the rules of a context's library and mapping; NULL: it would write none.
 */
static char *export_of(const struct report_data *d, const struct context *c)
{
    struct err err;
    struct tuning tuning;
    const struct rules_reader *reader;
    char *command = NULL;
    if (setting_tuning(d, c->mpi, c->mapping, &reader, &tuning, &err) < 0)
        return NULL;
    if (tuning.chosen)
        command = setting_export(d, reader, c->mpi, c->mapping);
    tuning_clear(&tuning);
    return command;
}

/* The file is of the library and mapping where most is to be gained, of those that have one. */
static void find_commands(const struct report_data *d, struct brief *b)
{
    const struct brief_row *worst = b->worst ? b->worst : b->row;
    size_t n;
    const struct brief_row **row = brief_by_mean(b, b->rows, &n);
    for (size_t i = 0; d->has_facts && i < n && !b->export; i++) {
        size_t k = 0;
        while (k < i &&
               (!row[k]->gains || strcmp(row[k]->context->mpi, row[i]->context->mpi) != 0 ||
                strcmp(row[k]->context->mapping, row[i]->context->mapping) != 0))
            k++;
        if (k == i && row[i]->gains) /* asked once, for all its collectives */
            b->export = export_of(d, row[i]->context);
    }
    free(row);
    if (worst->loss.worst) {
        const int named = brief_library(d, 1) && !d->simulated;
        char *which = setting_which(d);
        b->ask = memory_text_of("collsel ask %s --collective %s%s%s --mapping %s -p %d -m %llu",
                                which, worst->context->collective, named ? " --mpi " : "",
                                named ? worst->context->mpi : "", worst->context->mapping,
                                worst->loss.worst->cell.procs,
                                (unsigned long long)worst->loss.worst->cell.bytes);
        free(which);
    }
}

void brief_find(const struct report_data *d, struct brief *b)
{
    char *verdict = NULL;
    size_t size = 0;
    *b = (struct brief){ .rows = d->contexts };
    b->row = memory_zeros(d->contexts + 1, sizeof *b->row);
    for (size_t i = 0; i < b->rows; i++) {
        struct brief_row *row = &b->row[i];
        find_row(d, &d->context[i], row);
        if (row->loss.cells && is_worse(row, b->worst))
            b->worst = row;
        if (row->loss.cells && (!b->least || row->mean < b->least->mean))
            b->least = row;
    }
    FILE *out = memory_stream(&verdict, &size);
    say_verdict(out, d, b);
    fclose(out);
    snprintf(b->verdict, sizeof b->verdict, "%s", verdict);
    free(verdict);
    if (b->rows)
        find_commands(d, b);
}

void brief_clear(struct brief *b)
{
    for (size_t i = 0; i < b->rows; i++)
        losses_clear(&b->row[i].loss);
    memory_free(b->row, b->export, b->ask);
    *b = (struct brief){ .rows = 0 };
}

/* ---- what it rests on ---- */

static void say_range(FILE *out, const struct report_data *d)
{
    int least = INT32_MAX, most = 0;
    uint64_t small = UINT64_MAX, large = 0;
    for (size_t i = 0; i < d->results; i++) {
        const struct cell *c = &d->result[i].point.cell;
        if (!result_usable(&d->result[i]) || d->result[i].point.experiment != EXP_TIME)
            continue;
        least = c->procs < least ? c->procs : least;
        most = c->procs > most ? c->procs : most;
        small = c->bytes < small ? c->bytes : small;
        large = c->bytes > large ? c->bytes : large;
    }
    if (most)
        fprintf(out, least < most ? ", %d to %d processes" : ", %d processes", least, most);
    if (most)
        fprintf(out, small < large ? ", %s to %s" : ", %s", show_bytes(small), show_bytes(large));
}

void brief_basis(FILE *out, const struct report_data *d)
{
    size_t timed = 0;
    const char *mpi;
    for (size_t i = 0; i < d->results; i++)
        timed += result_usable(&d->result[i]);
    fprintf(out, "%zu point%s with a time, %s, on %s", COUNTED(timed), d->backend_label,
            d->cluster);
    for (size_t i = 0, n = 0; (mpi = brief_library(d, i)); i++)
        if (strcmp(mpi_label(mpi), times_word(d)) != 0 && has_time(d, mpi))
            fprintf(out, "%s%s %s", n++ ? ", " : "; ", mpi_label(mpi),
                    manifest_text(d, brief("mpi/%s/version", mpi)));
    say_range(out, d);
}

void brief_maker(FILE *out, const struct report_data *d)
{
    const size_t runs = json_array_size(json_object_get(d->manifest, "runs"));
    json_t *last = runs ? json_array_get(json_object_get(d->manifest, "runs"), runs - 1) : NULL;
    const char *when = json_string_value(json_object_get(last, "ended"));
    fprintf(out, "collsel %.12s", manifest_text(d, "tool/commit"));
    if (when)
        fprintf(out, ", %.10s", when);
}

void brief_files(FILE *out, const struct report_data *d)
{
    const char *library, *sep = "";
    json_t *one;
    json_object_foreach(d->rules, library, one)
    {
        const char *verified = json_text_at(one, "verified");
        fprintf(out, "%s%s, for %s (%s)", sep, json_text_at(one, "file"),
                json_text_at(one, "library"),
                *verified ? verified : "not verified: what it gains was not measured");
        sep = "; ";
    }
}

/* ---- as text and JSON ---- */

static void say_command(FILE *out, const char *what, const char *command)
{
    if (command)
        fprintf(out, "%s\n    %s\n", what, command);
}

static void say(FILE *out, const struct report_data *d, const char *what,
                void (*write)(FILE *, const struct report_data *))
{
    char *text = NULL;
    size_t size = 0;
    FILE *part = memory_stream(&text, &size);
    write(part, d);
    fclose(part);
    if (*text)
        fprintf(out, "%s: %s\n", what, trust_plain(text));
    free(text);
}

void brief_text(FILE *out, const struct report_data *d, const char *page)
{
    struct brief b;
    brief_find(d, &b);
    char *trust = trust_text(d);
    fprintf(out, "%s\n\n", trust_plain(b.verdict));
    fprintf(out, "%-20s %-10s %-8s %6s %6s %6s %7s %8s %8s %8s %8s\n", "speed-up", "library",
            "mapping", "mean", "most", "cells", "slower", "certain", "as good", "unsure",
            "unknown");
    for (size_t i = 0; i < b.rows; i++) {
        const struct brief_row *r = &b.row[i];
        fprintf(out, "%-20s %-10s %-8s %6s %6s %6zu %7zu %8zu %8zu %8zu %8zu\n",
                r->context->collective, mpi_label(r->context->mpi), r->context->mapping,
                brief_factor(r->mean), brief_factor(r->most), r->cells, r->gains, r->certain,
                r->same, r->unsure, r->unknown);
    }
    fputs("\n", out);
    say_command(out, "to write the file that the library loads:", b.export);
    say(out, d, "the file to load", brief_files);
    say_command(out, "to ask about one case:", b.ask);
    say(out, d, "it rests on", brief_basis);
    say(out, d, "made by", brief_maker);
    fprintf(out, "how sure: %s\nall of it: %s\n", trust, page);
    free(trust);
    brief_clear(&b);
}

static json_t *row_json(const struct brief_row *r)
{
    const struct selection *at = r->loss.worst;
    return json_pack(
        "{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "collective",
        r->context->collective, "mpi", r->context->mpi, "mapping", r->context->mapping, "cells",
        (json_int_t)r->cells, "slower", (json_int_t)r->gains, "certain", (json_int_t)r->certain,
        "same", (json_int_t)r->same, "unsure", (json_int_t)r->unsure, "unknown",
        (json_int_t)r->unknown, "mean_factor", json_number(r->mean), "most_factor",
        json_number(r->most), "most_procs", at ? json_integer(at->cell.procs) : json_null(),
        "most_bytes", at ? json_integer((json_int_t)at->cell.bytes) : json_null());
}

void brief_json(FILE *out, const struct report_data *d, const char *page)
{
    struct brief b;
    brief_find(d, &b);
    char *trust = trust_text(d);
    json_t *rows = json_array();
    for (size_t i = 0; i < b.rows; i++)
        json_array_append_new(rows, row_json(&b.row[i]));
    json_t *all = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:O, s:s*, s:s*, s:s}", "cluster",
                            d->cluster, "study", d->study, "backend", d->backend, "verdict",
                            trust_plain(b.verdict), "trust", trust, "rows", rows, "files", d->rules,
                            "export", b.export, "ask", b.ask, "page", page);
    json_dumpf(all, out, JSON_INDENT(1));
    fputs("\n", out);
    json_decref(all);
    free(trust);
    brief_clear(&b);
}
