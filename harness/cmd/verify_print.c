/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/verify_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_print.h"
#include "harness/base/number.h"
#include "harness/cmd/tuned_file.h"

struct verify_proof verify_proof_of(const struct verify *v)
{
    struct verify_proof p = { 0, 0 };
    for (size_t i = 0; i < v->n; i++) {
        p.proved += v->row[i].proved;
        p.other += v->row[i].other;
    }
    return p;
}

static void print_gain(const struct verify_gain *g)
{
    char gain[64];
    snprintf(gain, sizeof gain, "%+.1f", g->pct);
    if (!isnan(g->low_pct))
        snprintf(gain + strlen(gain), sizeof gain - strlen(gain), " [%+.1f, %+.1f]", g->low_pct,
                 g->high_pct);
    printf(" %-24s", gain);
}

void verify_print_rows(const struct verify *v)
{
    char size[32], take[CANDIDATE_TEXT];
    const struct verify_proof p = verify_proof_of(v);
    if (v->n)
        printf("%-12s %5s %9s %-32s %-24s %-24s %-9s %-8s %s\n", "collective", "P", "bytes",
               "algorithm", "gain %", "by mean of ranks", "sure in", "proved", "verdict");
    for (size_t i = 0; i < v->n; i++) {
        const struct verify_row *r = &v->row[i];
        printf("%-12s %5d %9s %-32s", r->cell.collective, r->cell.procs,
               format_bytes(r->cell.bytes, size, sizeof size),
               candidate_text(&r->take, take, sizeof take));
        print_gain(&r->slowest);
        print_gain(&r->mean);
        printf(" %d of %-4d %d of %-3d %s\n", r->sure, r->rounds, r->proved, r->rounds,
               verify_words[r->verdict]);
    }
    printf("loaded: in %d launches of a cell that ran which the file says, in %d something else; "
           "in the others nobody knows\n",
           p.proved, p.other);
}

void verify_print_verdicts(const struct verify *v)
{
    const size_t *n = v->verdicts;
    printf("%zu of %zu rules stay; dropped: %zu unsure, %zu slower, %zu run as something else, "
           "%zu without times\n",
           n[VERIFY_KEPT], v->n, n[VERIFY_UNSURE], n[VERIFY_LOSES], n[VERIFY_OTHER],
           n[VERIFY_MISSING]);
    if (n[VERIFY_KEPT])
        printf("where they stay the default takes %.3g %% longer in the mean\n", v->kept_pct);
}

void verify_print_use(const struct verify_trial *t, const char *output)
{
    const struct rules_reader *reader = t->question.reader;
    char path[PATH_SIZE];
    tuned_file_path(output, path);
    puts("to load it:");
    for (const char *const *line = reader->loading; *line; line++) {
        char *text = tuned_file_loading(*line, path);
        printf("  %s\n", text);
        free(text);
    }
    printf("to roll back:\n  %s\n", reader->rollback);
}

static json_t *loading_of(const struct rules_reader *reader, const char *output)
{
    char path[PATH_SIZE];
    json_t *lines = json_array();
    tuned_file_path(output, path);
    for (const char *const *line = reader->loading; output && *line; line++) {
        char *text = tuned_file_loading(*line, path);
        json_array_append_new(lines, json_string(text));
        free(text);
    }
    return lines;
}

int verify_print_json(const struct verify_trial *t, const struct verify *v, const char *output,
                      struct err *err)
{
    const struct verify_proof p = verify_proof_of(v);
    json_t *verdicts = json_object();
    for (int i = 0; i < N_VERIFY_VERDICTS; i++)
        json_object_set_new(verdicts, verify_words[i], json_integer((json_int_t)v->verdicts[i]));
    const char *const written = v->verdicts[VERIFY_KEPT] ? output : NULL;
    return json_print(
        json_pack(
            "{s:s, s:s, s:s, s:i, s:f, s:o, s:{s:i, s:i}, s:o, s:o, s:o, s:o, s:s}", "library",
            t->question.reader->name, "from", t->from, "tried", t->rules, "rounds", t->rounds,
            "margin_pct", t->question.margin_pct, "output", json_word(output ? output : ""),
            "launches", "proved", p.proved, "other", p.other, "verdicts", verdicts, "kept_gain_pct",
            json_number(v->kept_pct), "cells", json_rows(&verify_schema, v->row, v->n), "to_load",
            loading_of(t->question.reader, written), "to_roll_back", t->question.reader->rollback),
        err);
}
