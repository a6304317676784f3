/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/advice_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/csv.h"
#include "harness/base/json_print.h"
#include "harness/base/number.h"
#include "reports/section_common.h"

/* ---- sentences ---- */

/* How often intervals like this one hold, or why nobody knows. */
static void print_share(const struct advice *a)
{
    const char *where = a->elsewhere                           ? "on machines left out"
                        : a->evidence == EVIDENCE_EXTRAPOLATED ? "at fewer processes"
                                                               : "in cells kept out";
    if (!isnan(a->longer_holds_pct) && a->longer_tries)
        printf("; by %zu tries %s at least %.0f %% of such intervals hold", a->longer_tries, where,
               floor(a->longer_holds_pct));
    else if (a->longer_tries)
        printf("; how often it holds is not known: %zu tries %s are too few or differ too much",
               a->longer_tries, where);
    else if (isnan(a->longer_holds_pct))
        printf("; how often it holds is not known: it was not tried");
}

static void print_gain(const struct advice *a)
{
    char plain[32];
    if (!isnan(a->estimate_s))
        printf("; estimated time, walked and not measured: %s",
               format_seconds(a->estimate_s, plain, sizeof plain));
    if (isnan(a->longer_pct))
        return;
    if (algorithm_is_default(a->take.algorithm) || a->longer_pct == 0)
        return;
    printf("; the default %s %s %% longer",
           a->evidence == EVIDENCE_MEASURED ? "takes" : "is expected to take",
           format_plain(a->longer_pct, plain, sizeof plain));
    if (!isfinite(a->longer_low_pct) || !isfinite(a->longer_high_pct)) {
        printf(a->evidence == EVIDENCE_MEASURED ? "" : " (no interval is known)");
        return;
    }
    printf(" (%s to ", format_plain(a->longer_low_pct, plain, sizeof plain));
    printf("%s %%", format_plain(a->longer_high_pct, plain, sizeof plain));
    print_share(a);
    printf(")");
}

static void print_nearest(const struct advice *a)
{
    char bytes[32], doublings[16];
    if (a->evidence == EVIDENCE_MEASURED || !a->nearest.procs)
        return;
    snprintf(doublings, sizeof doublings, "%.2g", a->doublings);
    printf("; %s", a->evidence == EVIDENCE_EXTRAPOLATED
                       ? "extrapolated: beyond the processes, nodes or sizes that were seen"
                       : "interpolated");
    printf("; nearest cell that was learnt from: P = %d on %d node%s, %s, %s doubling%s away",
           a->nearest.procs, a->nearest.nodes, plural((size_t)a->nearest.nodes),
           format_bytes(a->nearest.bytes, bytes, sizeof bytes), doublings,
           strcmp(doublings, "1") == 0 ? "" : "s");
}

/* What is said of more nodes than there are is said of another machine than this one. */
static void print_room(const struct advice_table *t, const struct advice *a)
{
    if (t->machine_nodes > 0 && a->cell.nodes > t->machine_nodes)
        printf("; %s has %d node%s: so many processes have no room there", t->machine,
               t->machine_nodes, plural((size_t)t->machine_nodes));
    if (t->machine_cores > 0 && a->cell.ppn > t->machine_cores)
        printf("; %s has %d core%s a node, fewer than the %d processes", t->machine,
               t->machine_cores, plural((size_t)t->machine_cores), a->cell.ppn);
}

/* What its own times say of a cell, by the word for times of that backend; else the word. */
static const char *own_word(const struct advice_table *t, const struct advice *a, const char *word)
{
    return a->evidence == EVIDENCE_MEASURED && strcmp(word, "measured") == 0
               ? backend_word(t->backend)
               : word;
}

static void print_sentence(const struct advice_table *t, const struct advice *a, int brief)
{
    char text[CANDIDATE_TEXT], bytes[32];
    const struct cell *c = &a->cell;
    printf("%s %s %s P = %d on %d node%s, %s: %s", c->collective, c->mpi, c->mapping, c->procs,
           c->nodes, plural((size_t)c->nodes), format_bytes(c->bytes, bytes, sizeof bytes),
           candidate_text(&a->take, text, sizeof text));
    print_gain(a);
    if (!brief) {
        const int is_said = strcmp(a->selector, "default") == 0; /* by the reason */
        printf("\n    %s%s%s", is_said ? "" : own_word(t, a, a->selector), is_said ? "" : ": ",
               a->reason);
        print_nearest(a);
        print_room(t, a);
    }
    puts("");
}

const char advice_stands_for[] =
    "portable:NAME is collsel's schedule of the library's algorithm NAME, where it has one; no "
    "library ran for these times";

/* 1 where a schedule stands for what no library ran. */
static int takes_portable(const struct advice_table *t)
{
    int takes = 0;
    for (size_t i = 0; t->simulated && i < t->n; i++)
        takes |= strncmp(t->row[i].take.algorithm, "portable:", strlen("portable:")) == 0;
    return takes;
}

/* ---- CSV and JSON: the same names ---- */

static const char *const columns[] = { "collective",
                                       "mpi",
                                       "mapping",
                                       "nodes",
                                       "ppn",
                                       "procs",
                                       "bytes",
                                       "algorithm",
                                       "segment_bytes",
                                       "fanout",
                                       "default_longer_pct",
                                       "extrapolated",
                                       "default_longer_low_pct",
                                       "default_longer_high_pct",
                                       "default_longer_holds_pct",
                                       "default_longer_tries",
                                       "selector",
                                       "evidence",
                                       "nearest_procs",
                                       "nearest_nodes",
                                       "nearest_bytes",
                                       "doublings",
                                       "reason",
                                       "estimate_s",
                                       NULL };

/* A number that is known where `known` is. */
static void print_known(struct csvw *w, uint64_t n, uint64_t known)
{
    if (known)
        csvw_u64(w, n);
    else
        csvw_text(w, "");
}

static json_t *json_known(uint64_t n, uint64_t known)
{
    return known ? json_integer((json_int_t)n) : json_null();
}

static void print_row(struct csvw *w, const struct advice_table *t, const struct advice *a)
{
    const uint64_t near = (uint64_t)a->nearest.procs; /* 0: there is none */
    const struct cell *c = &a->cell;
    csvw_text(w, c->collective);
    csvw_text(w, c->mpi);
    csvw_text(w, c->mapping);
    csvw_u64(w, (uint64_t)c->nodes);
    csvw_u64(w, (uint64_t)c->ppn);
    csvw_u64(w, (uint64_t)c->procs);
    csvw_u64(w, c->bytes);
    csvw_text(w, a->take.algorithm);
    csvw_u64(w, a->take.segment_bytes);
    csvw_u64(w, (uint64_t)a->take.fanout);
    csvw_f64(w, a->longer_pct);
    csvw_u64(w, a->evidence == EVIDENCE_EXTRAPOLATED);
    csvw_f64(w, a->longer_low_pct);
    csvw_f64(w, a->longer_high_pct);
    csvw_f64(w, a->longer_holds_pct);
    print_known(w, a->longer_tries, a->longer_tries);
    csvw_text(w, own_word(t, a, a->selector));
    csvw_text(w, own_word(t, a, advice_evidence_words[a->evidence]));
    print_known(w, near, near);
    print_known(w, (uint64_t)a->nearest.nodes, near);
    print_known(w, a->nearest.bytes, near);
    csvw_f64(w, a->doublings);
    csvw_text(w, a->reason);
    csvw_f64(w, a->estimate_s);
    csvw_end(w);
}

static json_t *row_of(const struct advice_table *t, const struct advice *a)
{
    const struct cell *c = &a->cell;
    const uint64_t near = (uint64_t)a->nearest.procs;
    return json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:i, s:I, s:s, s:I, s:i, s:o, s:b, s:o, s:o, s:o, s:o, s:s, "
        "s:s, s:o, s:o, s:o, s:o, s:s, s:o}",
        columns[0], c->collective, columns[1], c->mpi, columns[2], c->mapping, columns[3], c->nodes,
        columns[4], c->ppn, columns[5], c->procs, columns[6], (json_int_t)c->bytes, columns[7],
        a->take.algorithm, columns[8], (json_int_t)a->take.segment_bytes, columns[9],
        a->take.fanout, columns[10], json_number(a->longer_pct), columns[11],
        a->evidence == EVIDENCE_EXTRAPOLATED, columns[12], json_number(a->longer_low_pct),
        columns[13], json_number(a->longer_high_pct), columns[14], json_number(a->longer_holds_pct),
        columns[15], json_known(a->longer_tries, a->longer_tries), columns[16],
        own_word(t, a, a->selector), columns[17],
        own_word(t, a, advice_evidence_words[a->evidence]), columns[18], json_known(near, near),
        columns[19], json_known((uint64_t)a->nearest.nodes, near), columns[20],
        json_known(a->nearest.bytes, near), columns[21], json_number(a->doublings), columns[22],
        a->reason, columns[23], json_number(a->estimate_s));
}

static int print_json(const struct advice_table *table, struct err *err)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < table->n; i++)
        json_array_append_new(rows, row_of(table, &table->row[i]));
    return json_print(rows, err);
}

int advice_print(const struct advice_table *table, enum advice_form form, int brief,
                 struct err *err)
{
    if (form == ADVICE_JSON)
        return print_json(table, err);
    struct csvw w = { .file = stdout };
    if (form == ADVICE_CSV)
        csvw_header(&w, columns);
    for (size_t i = 0; i < table->n; i++)
        if (form == ADVICE_CSV)
            print_row(&w, table, &table->row[i]);
        else
            print_sentence(table, &table->row[i], brief);
    if (form == ADVICE_SENTENCES && takes_portable(table))
        puts(advice_stands_for);
    return 0;
}
