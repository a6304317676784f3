/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_answer.c - what all models say of one cell, over all algorithms. */
#include <math.h>
#include <stdio.h>

#include "harness/base/json_print.h"
#include "harness/base/number.h"
#include "harness/cmd/predict.h"
#include "reports/section_common.h"

static void print_candidate(const struct candidate *c)
{
    char text[32];
    printf("%s", c->algorithm);
    if (c->segment_bytes)
        printf(", %s", format_bytes(c->segment_bytes, text, sizeof text));
    if (c->fanout)
        printf(", fan-out %d", c->fanout);
}

/* What a model says of each candidate; the times themselves are said by none. */
struct said {
    const struct answer *answer;
    const struct model_said *row; /* of the first candidate; NULL: the times themselves */
};

static double seconds_of(const struct said *said, size_t i)
{
    const struct measured *m = &said->answer->candidates.row[i];
    if (!said->row)
        return measured_usable(m) ? m->time.value : NAN;
    return prediction_usable(&said->row[i].prediction) ? said->row[i].prediction.seconds : NAN;
}

static enum standing standing_of(const struct said *said)
{
    return answer_standing(said->answer, said->row->model);
}

/* One line: the time of the algorithm that was asked for and its place among all; or, where none
 * was, the least. Returns 1 when there is a time. */
static int print_said(const char *name, const struct said *said)
{
    const struct points *all = &said->answer->candidates;
    size_t at = said->answer->asked, least = all->n, n = 0, before = 0;
    char text[32];
    for (size_t i = 0; i < all->n; i++) {
        const double t = seconds_of(said, i);
        n += isfinite(t);
        if (isfinite(t) && (least == all->n || t < seconds_of(said, least)))
            least = i;
        before += at < all->n && t < seconds_of(said, at);
    }
    if (at == all->n)
        at = least == all->n ? 0 : least;
    const char *status = said->row ? predict_status_name(said->row[at].prediction.status)
                                   : backend_word(all->backend);
    const double t = seconds_of(said, at);
    if (!isfinite(t)) {
        const int one = said->row && said->answer->asked < all->n;
        if (said->row && !one)
            status = predict_status_name(answer_why_none(said->answer, said->row));
        printf("%-18s %12s  %s%s\n", name, "-",
               one || !said->row ? "" : "nothing to choose from: ", said->row ? status : "no time");
        return 0;
    }
    printf("%-18s %12s  T = %.9g s  %s%s", name, format_seconds(t, text, sizeof text), t, status,
           said->row ? standing_mark(standing_of(said)) : "");
    if (said->answer->asked < all->n)
        printf("  %zu of %zu", before + 1, n);
    if (said->answer->asked == all->n || before) {
        printf(said->answer->asked < all->n ? "; least: " : "  least of %zu: ", n);
        print_candidate(&all->row[least].point.candidate);
        if (before)
            printf(" (%s)", format_seconds(seconds_of(said, least), text, sizeof text));
    }
    putchar('\n');
    return 1;
}

int predict_print(const struct answer *a, const char *dir)
{
    char bytes[32];
    const struct cell *c = &a->candidates.row[0].point.cell;
    printf("%s", c->collective);
    if (a->asked < a->candidates.n) {
        putchar(' ');
        print_candidate(&a->candidates.row[a->asked].point.candidate);
    }
    printf(": %d process%s on %d node%s, %s, %s, mapping %s, from %s; %zu algorithm%s\n", c->procs,
           c->procs == 1 ? "" : "es", c->nodes, c->nodes == 1 ? "" : "s",
           format_bytes(c->bytes, bytes, sizeof bytes), c->mpi, c->mapping, dir, a->candidates.n,
           a->candidates.n == 1 ? "" : "s");
    int n = print_said(backend_word(a->candidates.backend), &(struct said){ a, NULL });
    int any[STANDING_SIMULATOR + 1] = { 0 };
    for (int apart = 0; apart < 2; apart++) /* who is no test comes last */
        for (size_t i = 0; i < a->said.n; i += a->candidates.n) {
            const struct said said = { a, &a->said.row[i] };
            const enum standing standing = standing_of(&said);
            if ((standing != STANDING_TEST) == apart)
                any[standing] |= print_said(said.row->model->name, &said);
        }
    if (any[STANDING_IN_SAMPLE])
        puts("(in sample): fitted to the times of these very cells. No test: last.");
    if (any[STANDING_SIMULATOR])
        puts("(simulator): it reckons as was done to get these times. No test: last.");
    return n + any[STANDING_TEST] + any[STANDING_IN_SAMPLE] + any[STANDING_SIMULATOR];
}

/* What each model says of candidate i, by name; *any becomes 1 where one says a time. */
static json_t *models_json(const struct answer *a, size_t i, int *any)
{
    json_t *all = json_object();
    for (size_t k = 0; k < a->said.n; k += a->candidates.n) {
        const struct model_said *row = &a->said.row[k];
        const struct said said = { a, row };
        *any |= isfinite(seconds_of(&said, i));
        json_object_set_new(all, row->model->name,
                            json_pack("{s:o, s:s, s:s}", "seconds",
                                      json_number(seconds_of(&said, i)), "status",
                                      predict_status_name(row[i].prediction.status), "no_test",
                                      standing_text(standing_of(&said))));
    }
    return all;
}

int predict_print_json(const struct answer *a, const char *dir, struct err *err)
{
    const struct cell *c = &a->candidates.row[0].point.cell;
    const struct said times = { a, NULL };
    json_t *all = json_array();
    int n = 0;
    for (size_t i = 0; i < a->candidates.n; i++) {
        const struct candidate *k = &a->candidates.row[i].point.candidate;
        int any = isfinite(seconds_of(&times, i));
        json_t *said = models_json(a, i, &any);
        n += any;
        json_array_append_new(all,
                              json_pack("{s:s, s:I, s:i, s:b, s:o, s:o}", "algorithm", k->algorithm,
                                        "segment_bytes", (json_int_t)k->segment_bytes, "fanout",
                                        k->fanout, "asked", i == a->asked, "time_s",
                                        json_number(seconds_of(&times, i)), "models", said));
    }
    const int status = json_print(
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:I, s:o}", "from", dir, "times",
                  backend_word(a->candidates.backend), "collective", c->collective, "mpi", c->mpi,
                  "mapping", c->mapping, "nodes", c->nodes, "procs", c->procs, "root", c->root,
                  "bytes", (json_int_t)c->bytes, "candidates", all),
        err);
    return status < 0 ? -1 : n;
}
