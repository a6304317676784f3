/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/recommend_profile.h"

#include "harness/base/json_print.h"
#include "harness/base/schema.h"
#include "harness/study/mpi.h"
#include "workloads/libcollsel/choice_table.h"
#include "reports/section_common.h"

enum { HEAVIEST = 16 };

/* A kind of calls, its answer, and what that saves; NaN: not known. */
struct saving {
    struct application_kind kind;
    struct candidate take; /* algorithm "": there is no answer */
    double time_pct, saved_s, low_s, high_s;
    char collective[NAME_SIZE], mpi[NAME_SIZE], evidence_word[NAME_SIZE], reason[ADVICE_REASON];
};

static const struct schema_column columns[] = {
    COLUMN(saving, NAME, "collective", collective, "", ""),
    COLUMN(saving, INT, "procs", kind.procs, "", ""),
    COLUMN(saving, INT, "nodes", kind.nodes, "", ""),
    COLUMN(saving, INT, "ppn", kind.ppn, "", ""),
    COLUMN(saving, COUNT, "bytes", kind.bytes, "", ""),
    COLUMN(saving, REAL, "calls", kind.calls, "", ""),
    COLUMN(saving, REAL, "time_s", kind.time_s, "", ""),
    COLUMN(saving, REAL, "wait_s", kind.wait_s, "", ""),
    COLUMN(saving, REAL, "time_pct", time_pct, "", ""),
    COLUMN(saving, NAME, "mpi", mpi, "", ""),
    COLUMN(saving, NAME, "algorithm", take.algorithm, "", ""),
    COLUMN(saving, COUNT, "segment_bytes", take.segment_bytes, "", ""),
    COLUMN(saving, INT, "fanout", take.fanout, "", ""),
    COLUMN(saving, REAL, "saved_s", saved_s, "", ""),
    COLUMN(saving, REAL, "saved_low_s", low_s, "", ""),
    COLUMN(saving, REAL, "saved_high_s", high_s, "", ""),
    COLUMN(saving, NAME, "evidence", evidence_word, "", ""),
    COLUMN(saving, TEXT, "reason", reason, "", ""),
};

static const struct schema saving_schema = { .path = "", SCHEMA_COLUMNS(saving, columns) };

/* ---- which kinds, and what they save ---- */

static int heaviest_first(const void *a, const void *b)
{
    const double x = ((const struct saving *)a)->kind.time_s,
                 y = ((const struct saving *)b)->kind.time_s;
    return (x < y) - (x > y);
}

/* Kinds of communicators that are alike have one answer, whatever the operation. */
static struct saving *add_kinds(const struct application_profile *profile, size_t *n)
{
    size_t n_kinds;
    const struct application_kind *kind = application_kinds(profile, &n_kinds);
    struct saving *v = memory_zeros(n_kinds + 1, sizeof *v);
    *n = 0;
    for (size_t i = 0; i < n_kinds; i++) {
        const struct application_kind *k = &kind[i];
        const size_t at = first_below(
            j, *n,
            v[j].kind.collective == k->collective && v[j].kind.procs == k->procs &&
                v[j].kind.nodes == k->nodes && v[j].kind.ppn == k->ppn &&
                v[j].kind.bytes == k->bytes && strcmp(v[j].kind.algorithm, k->algorithm) == 0);
        if (at < *n) {
            v[at].kind.calls += k->calls;
            v[at].kind.time_s += k->time_s;
            v[at].kind.wait_s += k->wait_s;
        } else {
            v[(*n)++].kind = *k;
        }
    }
    qsort(v, *n, sizeof *v, heaviest_first);
    return v;
}

/* t - t / (1 + g), s. What the default of another library loses is no time of the application's. */
static double saved(const struct saving *s, const char *mpi, double longer_pct)
{
    const double t = s->kind.time_s - s->kind.wait_s;
    if (*mpi && mpi_is_read(s->mpi) && !mpi_is(s->mpi, mpi))
        return NAN;
    return t - t / (1 + longer_pct / 100);
}

static void take_answer(const struct advice *a, const char *mpi, struct saving *s)
{
    const int stays = algorithm_is_default(a->take.algorithm);
    s->take = a->take;
    snprintf(s->mpi, NAME_SIZE, "%s", a->cell.mpi);
    s->saved_s = stays ? 0 : saved(s, mpi, a->longer_pct);
    s->low_s = stays ? 0 : saved(s, mpi, a->longer_low_pct);
    s->high_s = stays ? 0 : saved(s, mpi, a->longer_high_pct);
    snprintf(s->evidence_word, NAME_SIZE, "%s", advice_evidence_words[a->evidence]);
    snprintf(s->reason, sizeof s->reason, "%s%.280s",
             a->elsewhere ? "learnt on other machines: " : "", a->reason);
}

/* What cannot be asked has no answer, and the reason. */
static void answer(const struct recommend_profile *q, const char *mpi, struct saving *s)
{
    struct advice_table table;
    struct err why = { 0 };
    s->saved_s = s->low_s = s->high_s = NAN;
    snprintf(s->collective, NAME_SIZE, "%s", s->kind.collective->name);
    if (!algorithm_is_default(s->kind.algorithm)) {
        snprintf(s->reason, sizeof s->reason, "it ran %s, not the library's own call",
                 *s->kind.algorithm ? s->kind.algorithm : "what the profile does not say");
        return;
    }
    if (q->answers(q->of, &s->kind, mpi, &table, &why) != 0) {
        snprintf(s->reason, sizeof s->reason, "%.*s", ADVICE_REASON - 1, why.text);
        return;
    }
    if (table.n == 1)
        take_answer(&table.row[0], mpi, s);
    advice_clear(&table);
}

/* ---- printing ---- */

static int is_gain(const struct saving *s)
{
    return *s->take.algorithm && s->saved_s > 0;
}

static void print_interval(double low_s, double high_s)
{
    if (isnan(low_s) || isnan(high_s))
        fputs(" (no interval is known)", stdout);
    else
        printf(" (%.3g to %.3g s)", low_s, high_s);
}

static void print_sentence(const struct saving *s)
{
    char bytes[32], text[CANDIDATE_TEXT];
    printf("%s P = %d", s->collective, s->kind.procs);
    if (s->kind.nodes)
        printf(" on %d node%s", s->kind.nodes, plural(s->kind.nodes));
    printf(", %s: %.6g calls, %.3g s (%.1f %%)", format_bytes(s->kind.bytes, bytes, sizeof bytes),
           s->kind.calls, s->kind.time_s, s->time_pct);
    if (s->kind.wait_s > 0)
        printf(", %.3g s of it waiting for late ranks", s->kind.wait_s);
    if (!*s->take.algorithm) {
        printf(": no answer: %s\n", s->reason);
        return;
    }
    printf(": %s", candidate_text(&s->take, text, sizeof text));
    if (isnan(s->saved_s)) {
        fputs("; what it saves is not known", stdout);
    } else if (is_gain(s)) {
        printf(" saves %.3g s", s->saved_s);
        print_interval(s->low_s, s->high_s);
    }
    printf("\n    %s, %s: %s\n", s->mpi, s->evidence_word, s->reason);
}

static void print_sum(const struct saving *v, size_t n, double time_s)
{
    double saved_s = 0, low_s = 0, high_s = 0;
    size_t gains = 0;
    for (size_t i = 0; i < n; i++)
        if (is_gain(&v[i])) {
            gains++;
            saved_s += v[i].saved_s;
            low_s += v[i].low_s;
            high_s += v[i].high_s;
        }
    if (!gains) {
        printf("nothing is known to save time in the %.3g s of collectives\n", time_s);
        return;
    }
    printf("together: %.3g s", saved_s);
    print_interval(low_s, high_s);
    printf(
        " of %.3g s in collectives\nto try it: this command with --table >app.csv, then: collsel "
        "run --compare 5 --table app.csv -- COMMAND\n",
        time_s);
}

/* Each answer that gains, for exactly these calls; 0 nodes: wherever the ranks are. */
static void print_table(const struct saving *v, size_t n)
{
    puts(CHOICE_TABLE_PLACED);
    for (size_t i = 0; i < n; i++)
        if (is_gain(&v[i]))
            printf("%s,%d,%d,%" PRIu64 ",%" PRIu64 ",%s,%" PRIu64 ",%d,%d,%d\n", v[i].collective,
                   v[i].kind.procs, v[i].kind.procs, v[i].kind.bytes, v[i].kind.bytes,
                   v[i].take.algorithm, v[i].take.segment_bytes, v[i].take.fanout, v[i].kind.nodes,
                   v[i].kind.ppn);
    puts("# end");
}

static int print_rows(const struct recommend_profile *q, const struct saving *v, size_t n,
                      double time_s, struct err *err)
{
    struct csvw w = { .file = stdout };
    if (q->table)
        print_table(v, n);
    else if (q->form == ADVICE_JSON)
        return json_print(json_rows(&saving_schema, v, n), err);
    else if (q->form == ADVICE_CSV)
        schema_header(&w, &saving_schema);
    for (size_t i = 0; i < n && !q->table; i++)
        if (q->form == ADVICE_CSV)
            schema_row(&w, &saving_schema, &v[i]);
        else
            print_sentence(&v[i]);
    if (q->form == ADVICE_SENTENCES && !q->table)
        print_sum(v, n, time_s);
    return 0;
}

int recommend_profile(const struct recommend_profile *q, struct err *err)
{
    struct application_profile *profile = application_profile_read(q->path, err);
    size_t n, kept = 0;
    if (!profile)
        return -1;
    const double time_s = application_time(profile);
    struct saving *v = add_kinds(profile, &n);
    while (kept < n && kept < HEAVIEST && v[kept].kind.time_s >= time_s / 100) {
        v[kept].time_pct = time_s > 0 ? 100 * v[kept].kind.time_s / time_s : 0;
        kept++;
    }
    int status =
        kept ? 0
        : n  ? err_set(err, "%s: no kind of its calls takes 1 %% of its time in collectives",
                       q->path)
             : err_set(err,
                       "%s: no kind of its calls can be looked up (want collectives "
                        "among two ranks or more, of one size on all, with root 0)",
                       q->path);
    for (size_t i = 0; i < kept; i++)
        answer(q, application_mpi(profile), &v[i]);
    if (status == 0 && !any_below(i, kept, *v[i].take.algorithm))
        status = err_set(err, "%s: %s", q->path, v[0].reason);
    if (status == 0)
        status = print_rows(q, v, kept, time_s, err);
    application_profile_free(profile);
    free(v);
    return status;
}
