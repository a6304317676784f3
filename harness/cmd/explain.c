/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel ask why: one cell, from the rule down to the samples. */
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/advise/explain.h"
#include "analysis/measure/equivalent.h"
#include "harness/base/json_print.h"
#include "harness/cmd/advice_print.h"
#include "harness/cmd/asked_machine.h"
#include "harness/run/progress.h"
#include "reports/section_common.h"
#include "workloads/schedules/draw.h"

enum { SECONDS = 32, MOST_CANDIDATES = 20 };

static const char *seconds(double s, char buf[SECONDS])
{
    if (isnan(s))
        snprintf(buf, SECONDS, "-");
    else
        format_seconds(s, buf, SECONDS);
    return buf;
}

/* " (1.01 to 1.03)", in times; nothing where there is no interval. Returns buf. */
static const char *interval(const struct loss_interval *loss, char buf[64])
{
    char low[32], high[32];
    buf[0] = '\0';
    if (isfinite(loss->ci_low_pct) && isfinite(loss->ci_high_pct))
        snprintf(buf, 64, " (%.20s to %.20s)", format_times(loss->ci_low_pct, low, sizeof low),
                 format_times(loss->ci_high_pct, high, sizeof high));
    return buf;
}

static const char *tied_word(const struct explanation *e, const struct loss_interval *loss)
{
    return loss->tied == 1                                      ? "tied"
           : loss->tied != 0                                    ? "unknown"
           : isnan(loss->ci_low_pct) && !e->facts.deterministic ? "slower, untested"
                                                                : "slower";
}

static void print_cell(const struct cell *c)
{
    char bytes[32];
    printf("%s, P = %d on %d node%s, %s, %s, mapping %s", c->collective, c->procs, c->nodes,
           plural((size_t)c->nodes), format_bytes(c->bytes, bytes, sizeof bytes), c->mpi,
           c->mapping);
}

/* What the study's times are: only those of a machine are called measured. */
static const char *word_of(const struct explanation *e)
{
    return backend_word(e->facts.backend);
}

/* Who says what to take: the cell's own times, or a selector. */
static const char *taken_by(const struct explanation *e)
{
    const struct advice *a = &e->advice.row[0];
    return a->evidence == EVIDENCE_MEASURED ? word_of(e) : a->selector;
}

static void print_take(const struct explanation *e)
{
    const struct advice *a = &e->advice.row[0];
    char text[CANDIDATE_TEXT];
    printf("What to take: %s\n  %s: %s\n", candidate_text(&a->take, text, sizeof text), taken_by(e),
           a->reason);
}

static void print_parameters(const struct rules_answer *r)
{
    char bytes[32];
    if (r->segment_bytes > 0)
        printf(", segments of %s", format_bytes((uint64_t)r->segment_bytes, bytes, sizeof bytes));
    if (r->fanout > 0)
        printf(", fan-out %ld", r->fanout);
}

static void print_rule(const struct explanation *e, double margin_pct)
{
    const struct rules_answer *r = &e->rule;
    char plain[32];
    if (!e->reader) {
        printf("\nThe rule: none can be said: %s\n", e->no_rule);
        return;
    }
    printf("\nThe rule, as `collsel rules write --library %s` writes it (margin %s %%%s%s):\n  ",
           e->reader->name, format_plain(margin_pct, plain, sizeof plain),
           *e->other_default ? "; the default is that of " : "", e->other_default);
    if (r->outcome == RULES_OWN)
        printf("none: %s decides by itself%s%s", e->reader->library,
               *r->algorithm ? ", and takes " : "", r->algorithm);
    else if (r->id)
        printf("algorithm %ld (%s)", r->id, r->algorithm);
    else
        printf("%s", r->algorithm);
    print_parameters(r);
    if (*r->runs)
        printf("; %s runs instead, silently", r->runs);
    if (r->outcome > RULES_RUNS)
        printf("; the call %s", rules_outcome_words[r->outcome]);
    printf("\n  %s\n", r->why);
    if (r->line)
        puts("  (lines are counted without the remarks that export puts at the head of the file)");
    if (*e->other_default && r->outcome != RULES_OWN)
        printf("  (the default that was beaten is that of %s, not of the release named above)\n",
               e->other_default);
    if (!e->has_verdict) {
        puts("  the cell is none of the file's grid: it gets what its neighbour below gets");
        return;
    }
    printf("  %s", explain_verdict_text(&e->verdict));
    if (isfinite(e->verdict.gain_pct) && e->verdict.verdict != TUNING_BEST) {
        const struct loss_interval gain = { .ci_low_pct = e->verdict.low_pct,
                                            .ci_high_pct = e->verdict.high_pct };
        char text[64];
        printf("; %s speed-up: %s%s", e->verdict.expected ? "expected" : word_of(e),
               format_times(e->verdict.gain_pct, plain, sizeof plain), interval(&gain, text));
    }
    puts("");
    if (e->verdict.verdict == TUNING_CHOSEN && r->outcome == RULES_OWN)
        puts("  but the default stays: a rule for this cell would be one for others, too (`collsel "
             "rules write` says which)");
    if (e->verdict.longer_pct > 0)
        printf("  (%s times slower than the fastest, as in a neighbouring cell)\n",
               format_times(e->verdict.longer_pct, plain, sizeof plain));
}

static void print_default(const struct explanation *e)
{
    char text[CANDIDATE_TEXT], time[SECONDS], ends[64];
    puts("\nThe library's default:");
    if (*e->default_runs.algorithm)
        printf("  does %s, by %s\n", candidate_text(&e->default_runs, text, sizeof text),
               e->default_known);
    else
        puts("  nobody here knows what that of the release that was measured does");
    if (!e->by_default) {
        puts("  it has no time");
        return;
    }
    const struct explain_candidate *d = e->by_default;
    printf("  takes %s", seconds(d->point.time.value, time));
    if (d == &e->candidate[0])
        printf(", the least of all");
    else
        printf(", %s times slower%s than the fastest: %s",
               format_times(d->loss.pct, text, sizeof text), interval(&d->loss, ends),
               tied_word(e, &d->loss));
    puts(e->is_measured ? "" : " (in the nearest cell)");
}

static void print_candidate(const struct explanation *e, const struct explain_candidate *c)
{
    char text[CANDIDATE_TEXT], time[SECONDS], low[SECONDS], high[SECONDS], ends[2 * SECONDS + 8],
        loss[96] = "-", more[64];
    const struct measured *m = &c->point;
    candidate_text(&m->point.candidate, text, sizeof text);
    if (measured_doubted(m)) {
        printf("  %-40s %10s  doubted, does not count: %s", text, seconds(m->time.value, time),
               doubt_title(m->doubt));
        if (m->bound_s > 0)
            printf(" (at least %s)", seconds(m->bound_s, low));
        puts("");
        return;
    }
    if (isnan(c->loss.pct)) {
        printf("  %-40s %10s  %s%s%s\n", text, "-", point_status_words[m->status],
               *m->reason ? ": " : "", m->reason);
        return;
    }
    snprintf(ends, sizeof ends, "-");
    if (isfinite(m->time.ci_low) && isfinite(m->time.ci_high))
        snprintf(ends, sizeof ends, "%s to %s", seconds(m->time.ci_low, low),
                 seconds(m->time.ci_high, high));
    if (c->loss.pct > 0)
        snprintf(loss, sizeof loss, "%.20s%s", format_times(c->loss.pct, low, sizeof low),
                 interval(&c->loss, more));
    printf("  %-40s %10s  %-24s %8zu %6zu  %-24s %s%s\n", text, seconds(m->time.value, time), ends,
           m->time.launches, m->time.n, loss, c->loss.pct > 0 ? tied_word(e, &c->loss) : "fastest",
           c->stands_for_default ? ", the default" : "");
    if (m->status == POINT_SUBSTITUTED)
        printf("      %s ran instead%s%s\n",
               *m->ran_algorithm ? m->ran_algorithm : "something else", *m->reason ? ": " : "",
               m->reason);
}

static void print_runner_up(const struct explanation *e)
{
    char text[CANDIDATE_TEXT], ends[64], times[SECONDS];
    size_t tied = 0;
    for (size_t i = 1; i < e->timed; i++)
        tied += e->candidate[i].loss.tied == 1;
    if (e->timed > 1)
        printf("  Runner-up: %s, %s times slower%s; %zu of %zu are tied with the fastest\n",
               candidate_text(&e->candidate[1].point.point.candidate, text, sizeof text),
               format_times(e->candidate[1].loss.pct, times, sizeof times),
               interval(&e->candidate[1].loss, ends), tied, e->timed - 1);
}

static void print_around(const struct explanation *e)
{
    char bytes[32];
    printf("\nThis very cell was not %s. Nearest cells with times:", word_of(e));
    for (size_t i = 0; i < e->n_around; i++)
        printf("%s P = %d on %d, %s", i ? ";" : "", e->around[i].procs, e->around[i].nodes,
               format_bytes(e->around[i].bytes, bytes, sizeof bytes));
    puts("");
}

static void print_evidence(const struct explanation *e)
{
    if (!e->is_measured)
        print_around(e);
    printf("\nEvidence, ");
    print_cell(&e->shown);
    printf(": %zu of %zu candidate%s %s a time%s\n", e->timed, COUNTED(e->n),
           of_number(e->n, "has", "have"),
           e->facts.deterministic ? "; times are certain: ties are those within the study's tie_pct"
                                  : "");
    printf("  %-40s %10s  %-24s %8s %6s  %-24s\n", "candidate", "time", "interval", "launches",
           "calls", "times slower");
    const size_t shown = e->n > MOST_CANDIDATES + 2 ? MOST_CANDIDATES : e->n;
    for (size_t i = 0; i < shown; i++)
        print_candidate(e, &e->candidate[i]);
    if (e->by_default && (size_t)(e->by_default - e->candidate) >= shown)
        print_candidate(e, e->by_default);
    if (shown < e->n)
        printf("  ... %zu more (--json lists all)\n", e->n - shown);
    print_runner_up(e);
}

static void print_model(const struct explain_model *m)
{
    char text[CANDIDATE_TEXT], name[64], a[SECONDS], b[SECONDS], c[SECONDS], d[SECONDS];
    snprintf(name, sizeof name, "%s%s", m->model->name, standing_mark(m->standing));
    if (isnan(m->least_s))
        snprintf(text, sizeof text, "nothing to choose from: %s", predict_status_words[m->why]);
    else
        candidate_text(&m->least, text, sizeof text);
    printf("  %-28s %-40s %10s %10s %30s %10s\n", name, text, seconds(m->least_s, a),
           seconds(m->least_measured_s, b), seconds(m->taken_s, c),
           seconds(m->taken_measured_s, d));
}

/* Who is no test comes last. */
static void print_models(const struct explanation *e)
{
    if (!e->n_models) {
        printf("\nModels: none%s%s\n", *e->no_models ? ": " : "", e->no_models);
        return;
    }
    printf("\n%-30s %-40s %10s %10s   of what is taken: %10s %10s\n", "Models", "would take",
           "predicted", word_of(e), "predicted", word_of(e));
    for (int apart = 0; apart < 2; apart++)
        for (size_t i = 0; i < e->n_models; i++)
            if ((e->model[i].standing != STANDING_TEST) == apart)
                print_model(&e->model[i]);
}

/* The picture of a candidate's schedule, to be freed; NULL with *err: there is none. */
static char *picture_of(const struct explanation *e, const struct candidate *c, int columns,
                        struct err *err)
{
    struct schedule s;
    char *text = NULL;
    size_t size;
    if (!*c->algorithm || algorithm_is_default(c->algorithm))
        return err_set(err, "nobody here knows what the default does"), NULL;
    if (equivalent_schedule(&e->facts, &e->cell, c, &s, err) < 0)
        return NULL;
    FILE *out = memory_stream(&text, &size);
    const int status = draw_text(&s, columns, out, err);
    fclose(out);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}

/* What is drawn: what is taken, and the default where it does something else. */
static struct candidate drawn(const struct explanation *e, int i)
{
    const struct candidate *take = &e->advice.row[0].take;
    const struct candidate none = { .algorithm = "" };
    const int takes_default = algorithm_is_default(take->algorithm);
    if (i == 0)
        return takes_default ? e->default_runs : *take;
    return takes_default || !*e->default_runs.algorithm ||
                   equivalent_same(&e->cell, take, &e->default_runs)
               ? none
               : e->default_runs;
}

static void print_pictures(const struct explanation *e, int columns)
{
    static const char *const what[] = { "What is taken", "The default" };
    for (int i = 0; i < 2; i++) {
        struct err why = { .text = "" };
        const struct candidate c = drawn(e, i);
        if (i && !*c.algorithm)
            return;
        char *text = picture_of(e, &c, columns, &why);
        if (text)
            printf("\n%s: %s", what[i], text);
        else
            printf("\n%s: no picture: %s\n", what[i], why.text);
        free(text);
    }
}

/* To stdout. dir: the source of the results; columns: largest width of a picture; margin_pct: of
 * the rule. */
static void explain_print(const struct explanation *e, const char *dir, int columns,
                          double margin_pct)
{
    print_cell(&e->cell);
    printf("; from %s (%s, %s)\n", dir, e->facts.cluster, e->facts.backend);
    if (e->facts.simulated)
        printf("(%s)\n", advice_stands_for);
    print_take(e);
    print_rule(e, margin_pct);
    print_default(e);
    print_evidence(e);
    print_models(e);
    print_pictures(e, columns);
}

static json_t *json_of_cell(const struct cell *c)
{
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:I}", "collective", c->collective, "mpi",
                     c->mpi, "mapping", c->mapping, "nodes", c->nodes, "ppn", c->ppn, "procs",
                     c->procs, "root", c->root, "bytes", (json_int_t)c->bytes);
}

static json_t *json_of_choice(const struct candidate *c)
{
    if (!*c->algorithm)
        return json_null();
    return json_pack("{s:s, s:I, s:i}", "algorithm", c->algorithm, "segment_bytes",
                     (json_int_t)c->segment_bytes, "fanout", c->fanout);
}

static json_t *json_of_candidate(const struct explain_candidate *c)
{
    const struct measured *m = &c->point;
    const int timed = !isnan(c->loss.pct);
    return json_pack(
        "{s:o, s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o}",
        "candidate", json_of_choice(&m->point.candidate), "status", point_status_words[m->status],
        "reason", json_word(m->reason), "time_s", timed ? json_number(m->time.value) : json_null(),
        "ci_low_s", json_number(m->time.ci_low), "ci_high_s", json_number(m->time.ci_high),
        "launches", (json_int_t)m->time.launches, "calls", (json_int_t)m->time.n, "longer_pct",
        json_number(c->loss.pct), "longer_low_pct", json_number(c->loss.ci_low_pct),
        "longer_high_pct", json_number(c->loss.ci_high_pct), "tied",
        c->loss.tied == STAT_NA ? json_null() : json_boolean(c->loss.tied), "is_default",
        c->stands_for_default, "ran_algorithm", json_word(m->ran_algorithm), "doubt",
        json_word(doubt_words[m->doubt]), "bound_s",
        m->bound_s > 0 ? json_number(m->bound_s) : json_null());
}

static json_t *json_of_model(const struct explain_model *m)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "model", m->model->name, "no_test",
                     standing_text(m->standing), "why_none",
                     isnan(m->least_s) ? json_string(predict_status_words[m->why]) : json_null(),
                     "would_take", json_of_choice(&m->least), "predicted_s",
                     json_number(m->least_s), "time_s", json_number(m->least_measured_s),
                     "of_taken_predicted_s", json_number(m->taken_s), "of_taken_time_s",
                     json_number(m->taken_measured_s));
}

static json_t *json_of_rule(const struct explanation *e, double margin_pct)
{
    const struct rules_answer *r = &e->rule;
    if (!e->reader)
        return json_pack("{s:n, s:s}", "library", "why", e->no_rule);
    return json_pack("{s:s, s:f, s:s, s:i, s:I, s:o, s:I, s:I, s:o, s:s, s:o, s:o}", "library",
                     e->reader->name, "margin_pct", margin_pct, "outcome",
                     rules_outcome_words[r->outcome], "line_without_remarks", r->line, "id",
                     (json_int_t)r->id, "algorithm", json_word(r->algorithm), "segment_bytes",
                     (json_int_t)r->segment_bytes, "fanout", (json_int_t)r->fanout, "runs_instead",
                     json_word(r->runs), "why", r->why, "verdict",
                     e->has_verdict ? json_string(explain_verdict_text(&e->verdict)) : json_null(),
                     "gain_pct", e->has_verdict ? json_number(e->verdict.gain_pct) : json_null());
}

static json_t *json_of_picture(const struct explanation *e, int i, int columns)
{
    const struct candidate c = drawn(e, i);
    char *text = picture_of(e, &c, columns, NULL);
    json_t *o = text ? json_string(text) : json_null();
    free(text);
    return o;
}

/* The same as JSON. 0, or -1 with *err. */
static int explain_print_json(const struct explanation *e, const char *dir, int columns,
                              double margin_pct, struct err *err)
{
    const struct advice *a = &e->advice.row[0];
    json_t *around = json_array(), *candidates = json_array(), *all = json_array();
    for (size_t i = 0; i < e->n_around; i++)
        json_array_append_new(around, json_of_cell(&e->around[i]));
    for (size_t i = 0; i < e->n; i++)
        json_array_append_new(candidates, json_of_candidate(&e->candidate[i]));
    for (size_t i = 0; i < e->n_models; i++)
        json_array_append_new(all, json_of_model(&e->model[i]));
    return json_print(
        json_pack(
            "{s:s, s:s, s:s, s:s, s:o, s:b, s:o, s:o, s:{s:o, s:s, s:s}, s:o, s:{s:o, s:o, s:o}, "
            "s:o, s:o, s:{s:o, s:o}}",
            "from", dir, "cluster", e->facts.cluster, "backend", e->facts.backend, "times",
            word_of(e), "cell", json_of_cell(&e->cell), "has_times", e->is_measured, "shown",
            json_of_cell(&e->shown), "around", around, "take", "candidate",
            json_of_choice(&a->take), "by", taken_by(e), "reason", a->reason, "rule",
            json_of_rule(e, margin_pct), "default", "runs", json_of_choice(&e->default_runs),
            "known_by", json_word(e->default_known), "longer_pct",
            e->by_default ? json_number(e->by_default->loss.pct) : json_null(), "candidates",
            candidates, "models", all, "pictures", "take", json_of_picture(e, 0, columns),
            "default", json_of_picture(e, 1, columns)),
        err);
}

enum { PLAIN_COLUMNS = 120, MOST_ASKED = 1 << 28 };

struct input {
    struct options options; /* first, for the common parser */
    struct explain_question question;
    int has_bytes, json;
    int words; /* so far (asked_word) */
};

static int columns_of(int fd)
{
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col
                                                                          : PLAIN_COLUMNS;
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    struct explain_question own = in->question, *q = &own;
    struct explanation e;
    char dir[PATH_SIZE];
    int status = 0;
    own.doubted = in->options.doubted;
    if (options_results(&in->options, dir, sizeof dir, err) < 0 ||
        options_fitted(&in->options, dir, err) < 0)
        return -1;
    progress_at_work(!in->options.quiet);
    status = asked_first(&in->options, dir, NULL, &q->first, err) < 0 ||
                     explain_make(dir, q, &e, err) < 0
                 ? -1
                 : 0;
    progress_at_work(0);
    if (status < 0)
        return -1;
    const int columns = columns_of(STDOUT_FILENO);
    if (in->json)
        status = explain_print_json(&e, dir, columns, q->margin_pct, err);
    else
        explain_print(&e, dir, columns, q->margin_pct);
    explain_clear(&e);
    return status;
}

static void take_bytes(struct input *in, const char *arg, struct argp_state *state)
{
    struct err err = { 0 };
    in->has_bytes = 1;
    if (parse_bytes(arg, &in->question.bytes, &err) < 0)
        argp_error(state, "--bytes: %s", err.text);
}

/* Options stand before words, wherever they were written: where both say one thing, they agree. */
static void check_word(struct argp_state *state, const char *option, int differs, const char *arg)
{
    if (differs)
        argp_error(state, "%s says something else than the word '%s' (want one of them)", option,
                   arg);
}

/* [CLUSTER] COLLECTIVE P BYTES [MAPPING] */
static void take_word(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    const struct input given = *in;
    const struct explain_question *had = &given.question;
    switch (asked_word(arg, &in->words, state)) {
    case ASKED_CLUSTER:
        check_word(state, "--cluster",
                   given.options.cluster_given && strcmp(given.options.cluster, arg) != 0, arg);
        in->options.cluster = arg;
        in->options.cluster_given = 1;
        break;
    case ASKED_COLLECTIVE:
        check_word(state, "--collective", had->collective && strcmp(had->collective, arg) != 0,
                   arg);
        in->question.collective = options_take_collective(state, arg);
        break;
    case ASKED_PROCS:
        in->question.procs = options_take_int(state, "procs", arg, 1, MOST_ASKED);
        check_word(state, "--procs", had->procs && had->procs != in->question.procs, arg);
        break;
    case ASKED_BYTES:
        take_bytes(in, arg, state);
        check_word(state, "--bytes", given.has_bytes && had->bytes != in->question.bytes, arg);
        break;
    case ASKED_MAPPING:
        check_word(state, "--mapping", had->mapping && strcmp(had->mapping, arg) != 0, arg);
        in->question.mapping = arg;
        break;
    }
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (!in->question.collective || !in->question.procs || !in->has_bytes)
        argp_error(state,
                   "want COLLECTIVE P BYTES, as collsel ask why mine " COLLECTIVE_EXAMPLE " 64 8K");
    if (!in->options.study_given)
        in->options.study = in->question.collective;
}

static const struct option_row rows[] = {
    { "collective", 0, "NAME", "The MPI collective", OPTION_COLLECTIVE_TO(question.collective) },
    { "procs", 'p', "P", "Processes", OPTION_RANGE(question.procs, 1, MOST_ASKED) },
    { "bytes", 'm', "BYTES", "Message size, e.g. 64K",
      OPTION_NUMBER_TO(question.bytes, parse_bytes), .given = INPUT_AT(has_bytes) },
    { "mapping", 0, "NAME", "Mapping (default: the first that there is)",
      OPTION_TO(question.mapping) },
    { "nodes", 0, "N", "Nodes (default: as so many processes were placed)",
      OPTION_RANGE(question.nodes, 1, 1 << 24) },
    { "mpi", 0, "NAME", "Library (default: the first that there is)", OPTION_TO(question.mpi) },
    { "library", 0, "NAME",
      "Whose rule to show, as of `collsel rules write` (default: of the library and the release "
      "that were measured)",
      OPTION_TO(question.reader) },
    { "margin", 0, "PCT", "Of the rule, as of `collsel rules write` (default: 3)",
      OPTION_TO(question.margin_pct) },
    { "json", 0, NULL, "The same as JSON, with all candidates", OPTION_TO(json) },
    { 0 },
};

const struct command cmd_explain = {
    .name = "explain",
    .help = "one choice: its rule, its evidence, the default",
    .words = "[[CLUSTER] COLLECTIVE P BYTES [MAPPING]]",
    .doc = "Explains the choice in one cell of a study or data set: what to take; the rule in a "
           "file and why; what the library's default does and costs; all times (interval, "
           "launches, calls, ties); what each model says; a picture of the schedule where it "
           "fits. Where the cell was not measured it shows the nearest ones, and says so. The "
           "study is that of the collective's name unless --study names another. Run `collsel "
           "fit` before.",
    .rows = rows,
    .shared = &options_of_results,
    .input = &(struct input){ .question = { .margin_pct = 3 } },
    .take_word = take_word,
    .check = check,
    .run = run,
};
