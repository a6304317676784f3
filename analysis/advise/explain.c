/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/advise/explain.h"

#include "analysis/judge/cell_query.h"
#include "analysis/measure/published_default.h"
#include "harness/rules/load_lines.h"

enum { MOST_AROUND = 4 };

static int advise(const char *dir, const struct explain_question *q, struct explanation *out,
                  struct err *err)
{
    const uint64_t procs = (uint64_t)q->procs;
    const struct advice_question a = { .collective = q->collective,
                                       .doubted = q->doubted,
                                       .mpi = q->mpi,
                                       .mapping = q->mapping,
                                       .procs = &procs,
                                       .bytes = &q->bytes,
                                       .n_procs = 1,
                                       .n_bytes = 1,
                                       .nodes = q->nodes,
                                       .first = q->first };
    if (advice_of_results(dir, &a, &out->advice, err) != 0)
        return -1;
    const struct advice *row = &out->advice.row[0];
    out->cell = row->cell;
    out->is_measured = row->evidence == EVIDENCE_MEASURED;
    out->shown = out->is_measured ? row->cell : row->nearest;
    return 0;
}

static int is_timed(const struct measured *m)
{
    return measured_usable(m) && m->time.value > 0;
}

static int compare_times(const void *left, const void *right)
{
    const struct explain_candidate *a = left, *b = right;
    const int ta = is_timed(&a->point), tb = is_timed(&b->point);
    if (ta != tb)
        return tb - ta;
    if (ta && a->point.time.value != b->point.time.value)
        return a->point.time.value < b->point.time.value ? -1 : 1;
    return candidate_compare(&a->point.point.candidate, &b->point.point.candidate);
}

static void list_candidates(const struct points *points, struct explanation *out)
{
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        if (!point_is_contender(p) || !cell_equal(&p->cell, &out->shown))
            continue;
        struct explain_candidate *c = array_add(&out->candidate, &out->n);
        *c = (struct explain_candidate){ .point = points->row[i],
                                         .loss = loss_unknown(),
                                         .stands_for_default = point_is_default(&out->facts, p) };
        out->timed += is_timed(&c->point);
    }
    if (out->n)
        qsort(out->candidate, out->n, sizeof *out->candidate, compare_times);
    for (size_t i = 0; i < out->timed; i++)
        if (out->candidate[i].stands_for_default && !out->by_default)
            out->by_default = &out->candidate[i];
}

/* What each loses against the fastest. */
static int compare(const char *dir, struct explanation *out, struct err *err)
{
    struct judge judge;
    int status = 0;
    if (!out->timed)
        return 0;
    if (judge_open(&judge, dir, &out->facts, NULL, err) < 0)
        return -1;
    for (size_t i = 0; i < out->timed && status == 0; i++)
        status = judge_loss(&judge, &out->candidate[i].point, &out->candidate[0].point,
                            &out->candidate[i].loss, err);
    judge_clear(&judge);
    return status;
}

struct around {
    struct cell cell;
    double doublings;
};

static int compare_around(const void *left, const void *right)
{
    const struct around *a = left, *b = right;
    return a->doublings != b->doublings ? (a->doublings < b->doublings ? -1 : 1)
                                        : cell_compare(&a->cell, &b->cell);
}

static void find_around(const struct points *points, struct explanation *out)
{
    struct around *all = NULL;
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct cell *c = &points->row[i].point.cell;
        if (points->row[i].point.experiment != EXP_TIME || !is_timed(&points->row[i]) ||
            c->root != out->cell.root || cell_compare_context(c, &out->cell) != 0 ||
            (n && cell_compare(&all[n - 1].cell, c) == 0))
            continue;
        *(struct around *)array_add(&all, &n) = (struct around){
            *c, hypot(hypot(model_choice_doublings((uint64_t)c->procs, (uint64_t)out->cell.procs),
                            model_choice_doublings((uint64_t)c->nodes, (uint64_t)out->cell.nodes)),
                      model_choice_doublings(c->bytes, out->cell.bytes))
        };
    }
    if (n)
        qsort(all, n, sizeof *all, compare_around);
    for (size_t i = 0; i < n && out->n_around < MOST_AROUND; i++)
        if (!out->n_around || cell_compare(&out->around[out->n_around - 1], &all[i].cell) != 0)
            *(struct cell *)array_add(&out->around, &out->n_around) = all[i].cell;
    free(all);
    if (out->n_around)
        out->shown = out->around[0];
}

/* 1 when a launch saw what the default ran in the very cell: that counts more than what its release
 * would decide, which a site's rules may change. */
static int take_seen(struct explanation *out)
{
    const struct measured *m = out->is_measured && out->by_default ? &out->by_default->point : NULL;
    if (!m || !*m->ran_algorithm || algorithm_is_default(m->ran_algorithm))
        return 0;
    snprintf(out->default_runs.algorithm, NAME_SIZE, "%.60s", m->ran_algorithm);
    out->default_runs.segment_bytes = m->ran_segment_bytes > 0 ? (uint64_t)m->ran_segment_bytes : 0;
    out->default_runs.fanout = m->ran_fanout > 0 ? (int)m->ran_fanout : 0;
    snprintf(out->default_known, sizeof out->default_known, "what was seen to run");
    return 1;
}

static void find_default(struct explanation *out)
{
    struct candidate own = { .algorithm = "" };
    struct decision d;
    const char *name = decision_library(out->facts.sim_default);
    if (out->facts.simulated) {
        if (decided_by(out->facts.sim_default, &out->cell, &d)) {
            snprintf(own.algorithm, NAME_SIZE, "portable:%.50s", d.algorithm);
            own.segment_bytes = d.segment_bytes;
            own.fanout = d.fanout;
            out->default_runs = own;
            snprintf(out->default_known, sizeof out->default_known, "the published decision of %s",
                     name ? name : out->facts.sim_default);
        }
        return;
    }
    snprintf(own.algorithm, NAME_SIZE, "%s:default", mpi_family(out->cell.mpi));
    if (take_seen(out))
        return;
    if (decided_candidate(&out->facts, &out->cell, &own, &out->default_runs))
        snprintf(out->default_known, sizeof out->default_known,
                 "the published decision of %.15s %.10s", out->cell.mpi,
                 facts_version(&out->facts, out->cell.mpi));
}

static double measured_of(const struct answer *a, size_t i)
{
    const struct measured *m = &a->candidates.row[i];
    return is_timed(m) ? m->time.value : NAN;
}

static void take_model(const struct answer *a, const struct model_said *said,
                       struct explanation *out)
{
    const struct candidate *take = &out->advice.row[0].take;
    struct explain_model *m = array_add(&out->model, &out->n_models);
    *m = (struct explain_model){ .model = said->model,
                                 .standing = answer_standing(a, said->model),
                                 .why = answer_why_none(a, said),
                                 .least_s = NAN,
                                 .taken_s = NAN,
                                 .least_measured_s = NAN,
                                 .taken_measured_s = NAN };
    for (size_t i = 0; i < a->candidates.n; i++) {
        const struct candidate *c = &a->candidates.row[i].point.candidate;
        const double s = prediction_usable(&said[i].prediction) ? said[i].prediction.seconds : NAN;
        if (candidate_equal(c, take)) {
            m->taken_s = s;
            m->taken_measured_s = measured_of(a, i);
        }
        if (isnan(s) || s >= m->least_s)
            continue;
        m->least = *c;
        m->least_s = s;
        m->least_measured_s = measured_of(a, i);
    }
}

static void ask_models(const char *dir, const struct explain_question *q, struct explanation *out)
{
    struct answer answer;
    struct err why = { .text = "" };
    const struct cell_query asked = { .collective = q->collective,
                                      .mpi = out->cell.mpi,
                                      .mapping = out->cell.mapping,
                                      .bytes = q->bytes,
                                      .procs = q->procs,
                                      .doubted = q->doubted,
                                      .root = out->cell.root,
                                      .nodes = out->cell.nodes };
    if (cell_query_answer(dir, &asked, &answer, &why) != 0) {
        snprintf(out->no_models, sizeof out->no_models, "%s", why.text);
        return;
    }
    for (size_t i = 0; i < answer.said.n; i += answer.candidates.n)
        take_model(&answer, &answer.said.row[i], out);
    answer_clear(&answer);
}

/* Asks the file that would be exported, loaded as its own head says. */
static int ask_file(const struct explanation *e, const struct tuning *t, struct rules_answer *out,
                    struct err *err)
{
    static const char *const no_remarks[] = { NULL };
    const struct cell *c = &e->cell;
    const int placed = !rules_load_excludes(e->reader, "han"); /* which comes before any rule */
    const int nodes = t->apart ? c->procs : c->nodes, ppn = t->apart ? 1 : c->ppn;
    const struct rules_call call = { c->collective,    c->procs, placed ? nodes : 0,
                                     placed ? ppn : 0, c->bytes, RULES_GLOBAL };
    struct rules_choices fine; /* as the file has them: with the ends of rules */
    struct rules_made made;
    struct rules file;
    rule_interval_refine(&t->reach, e->reader, &t->choices, &fine, NULL);
    char *text = rules_export(e->reader, &fine, no_remarks, &made, err);
    rules_choices_clear(&fine);
    rules_made_clear(&made);
    if (!text)
        return -1;
    rules_of_text(e->reader, text, strlen(text), &file);
    rules_ask(&file, &call, out);
    rules_close(&file);
    free(text);
    return 0;
}

static int make_rule(const char *dir, const struct explain_question *q, struct explanation *out,
                     struct err *err)
{
    const char *const only[] = { q->collective, NULL };
    const struct tuning_question wanted = { .reader = out->reader,
                                            .collectives = only,
                                            .mapping = out->cell.mapping,
                                            .mpi = q->reader && !q->reader->schedules
                                                       ? q->mpi
                                                       : out->cell.mpi,
                                            .margin_pct = q->margin_pct,
                                            .doubted = q->doubted,
                                            .tie_pct = NAN };
    struct tuning t;
    if (tuning_of_results(dir, &wanted, &t, err) < 0)
        return -1;
    const int status = ask_file(out, &t, &out->rule, err);
    snprintf(out->other_default, NAME_SIZE, "%s", t.other_release ? t.default_of : "");
    for (size_t i = 0; i < t.cells; i++)
        if (t.cell[i].procs == q->procs && t.cell[i].bytes == q->bytes) {
            out->has_verdict = 1;
            out->verdict = t.cell[i];
        }
    tuning_clear(&t);
    return status;
}

static void find_rule(const char *dir, const struct explain_question *q, struct explanation *out)
{
    struct err why = { .text = "" };
    out->reader = q->reader ? q->reader : tuning_reader(&out->facts, out->cell.mpi);
    if (!out->reader)
        snprintf(out->no_rule, sizeof out->no_rule,
                 "nobody here knows which files of rules '%s' %s reads (--library names a reader)",
                 out->cell.mpi, facts_version(&out->facts, out->cell.mpi));
    else if (!rules_reader_writes(out->reader))
        snprintf(out->no_rule, sizeof out->no_rule, "no rules can be written for %s",
                 out->reader->name);
    else if (make_rule(dir, q, out, &why) == 0)
        return;
    else
        snprintf(out->no_rule, sizeof out->no_rule, "%s", why.text);
    out->reader = NULL;
}

const char *explain_verdict_text(const struct tuning_cell *cell)
{
    static const char *const text[] = {
        [TUNING_CHOSEN] = "it gains more than the margin over the default, also at the lower end "
                          "of the gain's interval",
        [TUNING_BEST] = "the default stays: nothing of the library's own is faster, or not "
                        "significantly",
        [TUNING_MARGIN] = "the default stays: something is faster, but may be so by less than the "
                          "margin",
        [TUNING_UNKNOWN] = "the default stays: what it takes is not known",
        [TUNING_ORDERED] = "it keeps one order of combining",
    };
    if (cell->verdict == TUNING_CHOSEN && isnan(cell->low_pct))
        return "it gains more than the margin over the default";
    return cell->verdict == TUNING_UNKNOWN && isfinite(cell->gain_pct)
               ? "the default stays: how certain the gain over it is is not known, as of single "
                 "runs (`collsel rules write --no-interval` takes it as it is)"
               : text[cell->verdict];
}

static int make(const char *dir, const struct explain_question *q, struct explanation *out,
                struct err *err)
{
    struct points points;
    if (facts_read(dir, &out->facts, err) < 0 || advise(dir, q, out, err) < 0 ||
        points_read(dir, q->doubted, &points, err) < 0)
        return -1;
    if (!out->is_measured)
        find_around(&points, out);
    list_candidates(&points, out);
    points_clear(&points);
    find_default(out);
    if (compare(dir, out, err) < 0)
        return -1;
    ask_models(dir, q, out);
    find_rule(dir, q, out);
    return 0;
}

int explain_make(const char *dir, const struct explain_question *question, struct explanation *out,
                 struct err *err)
{
    *out = (struct explanation){ .n = 0 };
    if (make(dir, question, out, err) == 0)
        return 0;
    explain_clear(out);
    return -1;
}

void explain_clear(struct explanation *e)
{
    advice_clear(&e->advice);
    memory_free(e->around, e->candidate, e->model);
    *e = (struct explanation){ .n = 0 };
}
