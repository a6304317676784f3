/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/advise/advice.h"

#include "analysis/judge/cell_query.h"
#include "analysis/learn/walked_trust.h"
#include "analysis/measure/fitted_study.h"
#include "analysis/measure/published_default.h"

const char *const advice_evidence_words[] = { "measured", "interpolated", "extrapolated", NULL };

static int is_portable(const struct candidate *candidate)
{
    return strncmp(candidate->algorithm, "portable:", 9) == 0;
}

/* MPICH's files tell its device, too, what it has to do. */
static int is_of_device(const struct advice_question *q, const char *collective,
                        const struct candidate *c)
{
    return mpi_is(q->numbered, "mpich") && native_is_component(c->algorithm, collective);
}

/* What the asker can be told: all, or what rules of the library can say; and nothing that may leave
 * ranks with different results, as nobody says of what is summed. */
static int is_tellable(const struct advice_question *q, const char *collective,
                       const struct candidate *c)
{
    if (algorithm_is_default(c->algorithm))
        return 1;
    if (!model_choice_is_sound(collective, c))
        return 0;
    if (!q->numbered)
        return 1;
    return q->components
               ? native_is_component(c->algorithm, collective)
               : native_in_rules(q->numbered, q->version, collective, c->algorithm) != NULL ||
                     is_of_device(q, collective, c);
}

/* ---- the measured cells about a cell ---- */

/* Says which measured cell is nearest, and whether the cell lies among them. */
static void find_nearest(const struct subject *s, struct advice *out)
{
    int least_procs = INT_MAX, most_procs = 0;
    uint64_t least_bytes = UINT64_MAX, most_bytes = 0;
    out->doublings = INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        const struct cell *c = &s->example[i].cell;
        const double d = model_choice_distance(c, &out->cell);
        least_procs = c->procs < least_procs ? c->procs : least_procs;
        most_procs = c->procs > most_procs ? c->procs : most_procs;
        least_bytes = c->bytes < least_bytes ? c->bytes : least_bytes;
        most_bytes = c->bytes > most_bytes ? c->bytes : most_bytes;
        if (d < out->doublings) {
            out->doublings = d;
            out->nearest = *c;
        }
    }
    const struct cell *c = &out->cell;
    const int beyond = c->procs < least_procs || c->procs > most_procs || c->bytes < least_bytes ||
                       c->bytes > most_bytes;
    out->evidence = beyond                ? EVIDENCE_EXTRAPOLATED
                    : out->doublings == 0 ? EVIDENCE_MEASURED
                                          : EVIDENCE_INTERPOLATED;
}

/* ---- what was learnt ---- */

/* Who answers for cells that were not measured. Borrows all but the machine. */
struct adviser {
    const struct advice_question *question;
    const struct model_file *file;
    size_t at;            /* the subject of the question */
    struct facts machine; /* that is asked about (model_choice_machine) */
};

static int may_take(const void *of, const struct cell *cell, const struct candidate *kind)
{
    const struct adviser *a = of;
    return is_tellable(a->question, cell->collective, kind) &&
           (a->question->portable || a->machine.simulated || !is_portable(kind));
}

static struct model_choice_question about(const struct adviser *a, const struct cell *cell)
{
    return (struct model_choice_question){
        .cell = cell, .machine = &a->machine, .may = may_take, .of = a
    };
}

static const struct candidate *take_least(const struct adviser *a, const struct learnt *by,
                                          const struct cell *cell)
{
    const struct model_choice_question q = about(a, cell);
    return model_choice_least(a->at, &q, by, NULL, 0);
}

/* The likeliest, the default left out. */
static void list_likely(const struct adviser *a, const struct learnt *by, struct advice *out)
{
    const struct model_choice_question q = about(a, &out->cell);
    struct candidate seen[ADVICE_LIKELY + 1];
    for (size_t n = 0; n <= ADVICE_LIKELY && (int)out->n_likely < a->question->likely; n++) {
        const struct candidate *next = model_choice_least(a->at, &q, by, seen, n);
        if (!next)
            return;
        seen[n] = *next;
        if (!algorithm_is_default(next->algorithm))
            out->likely[out->n_likely++] = *next;
    }
}

static struct model_choice_gain gain_of(const struct adviser *a, const struct learnt *by,
                                        const struct cell *cell, const struct candidate *kind,
                                        const struct candidate *by_default)
{
    const struct model_choice_question q = about(a, cell);
    return model_choice_gain(a->file, a->at, &q, by, kind, by_default);
}

static const struct model_choice_gain nothing_gained = { 0, 0, 0, NAN, 0 };

static void set_gain(struct advice *out, struct model_choice_gain g)
{
    out->longer_pct = g.pct;
    out->longer_low_pct = g.low_pct;
    out->longer_high_pct = g.high_pct;
    out->longer_holds_pct = g.holds_pct;
    out->longer_tries = g.tries;
}

/* The default as an answer: what it runs, or, where a library runs, the library's own choice. */
static struct candidate default_of(const struct adviser *a, const struct cell *cell,
                                   const struct candidate *runs)
{
    struct candidate own = { .fanout = 0 };
    if (a->machine.simulated && *runs->algorithm)
        return *runs;
    snprintf(own.algorithm, NAME_SIZE, "%s:default", mpi_family(cell->mpi));
    return own;
}

/* The default stays; what the speaker would have taken, behind the reason, which is `why` where it
 * would have taken something else. */
static void stay(const struct adviser *a, const struct model_choice *given, const char *why,
                 struct advice *out)
{
    char text[CANDIDATE_TEXT], plain[32];
    const struct learnt *by = given->speaker;
    const struct candidate *other = by ? take_least(a, by, &out->cell) : NULL;
    out->take = a->file->walks ? default_of(a, &out->cell, given->by_default) : *given->by_default;
    set_gain(out, nothing_gained);
    if (given->file != a->file) {
        snprintf(out->reason, sizeof out->reason,
                 "the default: a walk of this machine, corrected by the measured cells, finds "
                 "nothing faster");
        return;
    }
    if (other && candidate_equal(other, given->by_default)) {
        snprintf(out->reason, sizeof out->reason, "the default: %s expects nothing faster",
                 by->learner->name);
        return;
    }
    snprintf(out->reason, sizeof out->reason, "the default: %s", why);
    if (!other)
        return;
    const struct model_choice_gain g = gain_of(a, by, &out->cell, other, given->by_default);
    const size_t n = strlen(out->reason);
    if (isnan(g.pct)) /* nobody learnt what the default takes there */
        return;
    candidate_text(other, text, sizeof text);
    if (g.pct < 0.05)
        snprintf(out->reason + n, sizeof out->reason - n, "; %s expects that it takes %s %s",
                 by->learner->name, g.pct > -0.05 ? "as long as" : "less time than", text);
    else
        snprintf(out->reason + n, sizeof out->reason - n,
                 "; %s expects that it is %s times slower than %s", by->learner->name,
                 format_times(g.pct, plain, sizeof plain), text);
}

/* Something else is taken. */
static void override(const struct adviser *a, const struct model_choice *given, struct advice *out)
{
    const double bound_pct = 100 * expm1(given->counts);
    out->take = *given->take;
    set_gain(out, given->gain);
    if (given->why == MODEL_CHOICE_LEAD)
        snprintf(
            out->reason, sizeof out->reason,
            "%s expects %.3g %% over the default, and taught without cells like this it gained "
            "in them, by which it was chosen, too; most learners of times agree",
            given->lead->name, bound_pct);
    else if (given->why == MODEL_CHOICE_BOUND)
        snprintf(
            out->reason, sizeof out->reason,
            "gained %.3g %% or more over the default in the cells with times about it, and most "
            "learners of times agree",
            bound_pct);
    else if (given->why == MODEL_CHOICE_WALK)
        snprintf(out->reason, sizeof out->reason,
                 given->file == a->file
                     ? "a walk of this machine finds it faster by enough: on measured machines "
                       "such a choice lost on none, on average"
                     : "a walk of this machine, corrected by the measured cells, finds it faster");
    else
        snprintf(out->reason, sizeof out->reason,
                 model_choice_beyond(&a->file->evidence.subject[a->at], &out->cell) > 0
                     ? "learnt on other machines, and carried on beyond the processes, nodes "
                       "or sizes that were learnt; how far off it is was seen on machines "
                       "left out, not beyond"
                     : "learnt on other machines; on those left out, at most one cell of "
                       "forty fell short of what was expected by so much");
}

/* The default stays, though it may be none of the kinds that have times. */
static void stay_unknown(const struct adviser *a, const char *why, struct advice *out)
{
    const struct candidate runs = problem_default_runs(&a->machine, &out->cell);
    out->take = default_of(a, &out->cell, &runs);
    set_gain(out, nothing_gained);
    snprintf(out->selector, sizeof out->selector, "safe");
    snprintf(out->reason, sizeof out->reason, "%s", why);
}

/* What the walk promises, where it gained in the mean over machines. */
static void decide_boldly_by_walk(const struct adviser *a, const struct model_choice *given,
                                  struct advice *out)
{
    out->take = given->bold ? *given->bold : default_of(a, &out->cell, given->by_default);
    set_gain(out, given->bold
                      ? gain_of(a, given->speaker, &out->cell, given->bold, given->by_default)
                      : nothing_gained);
    snprintf(
        out->reason, sizeof out->reason,
        given->bold
            ? "a walk of this machine finds it faster: on measured machines such a choice gained, "
              "on average"
            : "the default: the walk of this machine finds nothing that is faster by enough");
}

/* What was learnt decides alone. As advice_of_results. */
static int decide_boldly(const struct adviser *a, const struct model_choice *given,
                         struct advice *out, struct err *err)
{
    const struct learnt *first = &a->file->member[0],
                        *by = a->file->n_members > 1 && learner_has_voice(first->learner)
                                  ? given->speaker
                                  : first;
    const struct skill *skill = &by->skill[a->at];
    const struct candidate *take = take_least(a, by, &out->cell);
    if (!take) {
        err_set(err, "no algorithm is known for P = %d", out->cell.procs);
        return 1;
    }
    out->take = *take;
    snprintf(out->selector, sizeof out->selector, "%s", by->learner->name);
    if (given->by_default && candidate_equal(take, given->by_default))
        set_gain(out, nothing_gained);
    else
        set_gain(out, gain_of(a, by->learner->classifies ? given->speaker : by, &out->cell, take,
                              given->by_default));
    snprintf(out->reason, sizeof out->reason, "learnt from %zu cell%s: %.90s%s%s",
             COUNTED(skill->examples), by->learner->method->settings[skill->setting],
             skill->ratio ? ", ratios of times" : "",
             given->by_default ? ""
             : given->why == MODEL_CHOICE_NO_DEFAULT
                 ? "; the library's default was not measured"
                 : "; what the library's default runs there was not measured");
    return 0;
}

/* What the choice takes on this machine by the walk of a file that walks; of the default what it
 * runs is walked. */
static double estimate(const struct adviser *a, const struct advice *out)
{
    const struct candidate runs = algorithm_is_default(out->take.algorithm)
                                      ? problem_default_runs(&a->machine, &out->cell)
                                      : out->take;
    return a->file->walks && *runs.algorithm && out->cell.procs > 1
               ? exp(walked_on(&a->machine, &out->cell, &runs))
               : NAN;
}

static int advise(const struct adviser *a, struct advice *out, struct err *err)
{
    const struct subject *s = &a->file->evidence.subject[a->at];
    const struct model_choice_question q = about(a, &out->cell);
    struct model_choice given;
    model_choice_ask(a->file, a->at, &q, &given);
    set_gain(out, (struct model_choice_gain){ NAN, NAN, NAN, NAN, 0 });
    find_nearest(s, out);
    out->elsewhere = model_choice_elsewhere(a->file, &a->machine);
    list_likely(a, given.speaker && given.file == a->file ? given.speaker : &a->file->member[0],
                out);
    if (a->file->pretrained || out->evidence == EVIDENCE_MEASURED) /* elsewhere, or it is a learner
                                                                      that speaks of it */
        out->evidence =
            model_choice_beyond(s, &out->cell) > 0 ? EVIDENCE_EXTRAPOLATED : EVIDENCE_INTERPOLATED;
    if (given.why == MODEL_CHOICE_ONE_PROCESS) {
        stay_unknown(a, "the default: one process, nothing to choose", out);
        return 0;
    }
    if (a->file->walks && !walked_can(&a->machine)) {
        stay_unknown(a,
                     "the default: the cluster file does not state what messages cost, so nothing "
                     "is walked (collsel cluster new writes that from presets)",
                     out);
        set_gain(out, (struct model_choice_gain){ NAN, NAN, NAN, NAN, 0 });
        return 0;
    }
    if (!a->file->walks && (a->question->unsafe || given.why == MODEL_CHOICE_NO_DEFAULT))
        return decide_boldly(a, &given, out, err);
    snprintf(out->selector, sizeof out->selector, "%s",
             !a->file->pretrained || (a->file->walks && !a->question->unsafe) ? "safe"
             : given.speaker ? given.speaker->learner->name
                             : "default");
    if (given.why == MODEL_CHOICE_NO_TIME)
        stay_unknown(a,
                     "the default: what it runs there was not measured, so no gain over it is "
                     "known",
                     out);
    else if (given.take)
        override(a, &given, out);
    else if (a->file->walks && a->question->unsafe)
        decide_boldly_by_walk(a, &given, out);
    else
        stay(a, &given,
             given.why == MODEL_CHOICE_FAR
                 ? "nobody knows what gains so far beyond the processes, nodes and sizes that were "
                   "learnt"
                 : "no gain over it is known well enough",
             out);
    return 0;
}

/* ---- from results ---- */

/* All that the measurements of one collective, library and mapping tell. */
struct known {
    struct fitted_study of;
    struct points points; /* what the asker can take of these */
    struct judge judge;   /* open where a cell that was asked about was measured */
    struct selection_table measured;
    struct model_file file;
    int has_learnt;
};

static void known_clear(struct known *k)
{
    points_clear(&k->of.points);
    points_clear(&k->points);
    judge_clear(&k->judge);
    selection_clear(&k->measured);
    model_file_clear(&k->file);
}

/* ---- cells that were measured ---- */

/* The default is not told apart from the fastest: it stays. of: of what nothing is faster. */
static void stay_measured(const struct selection *own, const char *of, struct advice *out)
{
    char text[CANDIDATE_TEXT], plain[32];
    out->take = own->chosen;
    set_gain(out, nothing_gained);
    if (candidate_equal(&own->best, &own->chosen))
        snprintf(out->reason, sizeof out->reason, "by this cell's own times: nothing%s is faster",
                 of);
    else if (own->degradation_pct < 0.05)
        snprintf(out->reason, sizeof out->reason,
                 "by this cell's own times: nothing%s is significantly faster than the default, "
                 "which takes as long as %s",
                 of, candidate_text(&own->best, text, sizeof text));
    else
        snprintf(out->reason, sizeof out->reason,
                 "by this cell's own times: nothing%s is significantly faster than the default, "
                 "which is %s times slower than %s",
                 of, format_times(own->degradation_pct, plain, sizeof plain),
                 candidate_text(&own->best, text, sizeof text));
}

/* 1 when the cell has times to decide by. of: " of the library's own", where no other may be taken;
 * else "". */
static int advise_measured(const struct known *k, const char *of, struct advice *out)
{
    const struct selection *decides = selection_decides(&k->measured, &out->cell),
                           *own = selection_of(&k->measured, "default", &out->cell);
    if (!decides)
        return 0;
    snprintf(out->selector, sizeof out->selector, "measured");
    out->evidence = EVIDENCE_MEASURED;
    out->nearest = out->cell;
    out->doublings = 0;
    out->take = decides->chosen;
    set_gain(out, (struct model_choice_gain){ NAN, NAN, NAN, NAN, 0 });
    if (!own || own->status != SELECT_OK) {
        snprintf(out->reason, sizeof out->reason,
                 "by this cell's own times: the fastest%s; what the default takes is not known",
                 of);
        return 1;
    }
    if (decides == own) {
        stay_measured(own, of, out);
        return 1;
    }
    set_gain(out, (struct model_choice_gain){
                      own->degradation_pct, own->ci_low_pct, own->ci_high_pct,
                      isnan(own->ci_low_pct) ? NAN : 100 * k->of.facts.confidence, 0 });
    snprintf(out->reason, sizeof out->reason, "by this cell's own times: the fastest%s%s%s", of,
             own->tied == STAT_NA ? "; the default: " : "",
             own->tied == STAT_NA ? own->reason : "");
    return 1;
}

/* 1 for a measured point of a cell; numbers first: there are many points. */
static int is_of(const struct measured *m, const struct cell *cell)
{
    return m->point.cell.bytes == cell->bytes && m->point.cell.procs == cell->procs &&
           cell_compare(&m->point.cell, cell) == 0;
}

static int compare_near(const void *left, const void *right)
{
    const struct advice_near *a = left, *b = right;
    if (a->longer_pct != b->longer_pct)
        return a->longer_pct < b->longer_pct ? -1 : 1;
    return candidate_compare(&a->candidate, &b->candidate);
}

static const struct measured *time_of(const struct points *points, const struct cell *cell,
                                      const struct candidate *candidate)
{
    for (size_t i = 0; candidate && i < points->n; i++)
        if (is_of(&points->row[i], cell) &&
            candidate_equal(&points->row[i].point.candidate, candidate))
            return &points->row[i];
    return NULL;
}

/* Who is as fast as what is taken, within so many percent. 0, or -1 with *err. */
static int find_near(const struct known *k, double most_pct, struct advice *out, struct err *err)
{
    const struct points *points = &k->points;
    const int stays = !(out->longer_pct > 0) || algorithm_is_default(out->take.algorithm);
    if (!(most_pct > 0) || (stays && isfinite(most_pct)))
        return 0;
    const struct selection *own = selection_of(&k->measured, "default", &out->cell);
    const struct measured *taken = time_of(points, &out->cell, &out->take);
    const struct measured *by_default =
        time_of(points, &out->cell, own && own->status == SELECT_OK ? &own->chosen : NULL);
    int status = 0;
    for (size_t i = 0; i < points->n && taken && status == 0; i++) {
        const struct measured *m = &points->row[i];
        if (!is_of(m, &out->cell) || m->status != POINT_OK || !measured_usable(m) ||
            m->point.purpose == FOR_FIT || m->point.purpose == FOR_DEFAULT ||
            m->point.purpose == FOR_OTHER_DEFAULT ||
            algorithm_is_default(m->point.candidate.algorithm))
            continue;
        const double longer = longer_pct(m->time.value, taken->time.value);
        struct loss_interval loss = loss_unknown();
        if ((longer < 0 && !stays) || longer > most_pct)
            continue;
        status = by_default ? judge_loss(&k->judge, by_default, m, &loss, err) : 0;
        *(struct advice_near *)array_add(&out->near, &out->n_near) =
            (struct advice_near){ m->point.candidate, longer, loss.ci_low_pct, loss.ci_high_pct };
    }
    if (out->n_near)
        qsort(out->near, out->n_near, sizeof *out->near, compare_near);
    return status;
}

static struct cell_query asked_of(const struct advice_question *q)
{
    return (struct cell_query){ .collective = q->collective, .mpi = q->mpi, .mapping = q->mapping };
}

/* The row that is asked for (cell_query_find); -1, with *err. */
static int find_row(const struct advice_question *q, const struct cell_query_row *rows, size_t n,
                    const struct facts *facts, const char *what, size_t *at, struct err *err)
{
    const struct cell_query asked = asked_of(q);
    *at = cell_query_find(&asked, rows, n, facts);
    return *at < n ? 0 : cell_query_describe(&asked, what, rows, n, err);
}

/* Which cells are meant: of which collective, library and mapping. */
static int find_context(const char *dir, const struct advice_question *q,
                        const struct points *points, const struct facts *facts,
                        struct cell *context, struct err *err)
{
    char what[PATH_SIZE + 64];
    struct cell_query_row *rows = memory_zeros(points->n + 1, sizeof *rows);
    size_t n = 0, at;
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        if (p->experiment == EXP_TIME && measured_usable(&points->row[i]))
            rows[n++] = (struct cell_query_row){ p->cell.collective, p->cell.mpi, p->cell.mapping,
                                                 &p->candidate };
    }
    snprintf(what, sizeof what, "%s/points.csv: has no times", dir);
    const int status = find_row(q, rows, n, facts, what, &at, err);
    if (status < 0)
        points_add_doubted(points, q->collective, err);
    if (status == 0) {
        *context = (struct cell){ .root = 0 };
        snprintf(context->collective, NAME_SIZE, "%s", rows[at].collective);
        snprintf(context->mpi, NAME_SIZE, "%s", rows[at].mpi);
        snprintf(context->mapping, NAME_SIZE, "%s", rows[at].mapping);
    }
    free(rows);
    return status;
}

/* Leaves out what is of another context, and keeps apart what the asker can take. */
static void keep(const struct advice_question *q, const struct cell *context, struct known *k)
{
    size_t n = 0;
    k->points = (struct points){ .row = memory_zeros(k->of.points.n + 1, sizeof *k->points.row) };
    for (size_t i = 0; i < k->of.points.n; i++) {
        const struct measured *m = &k->of.points.row[i];
        if (m->point.experiment != EXP_TIME || cell_compare_context(&m->point.cell, context) != 0)
            continue;
        if ((q->portable || k->of.facts.simulated || !is_portable(&m->point.candidate)) &&
            is_tellable(q, context->collective, &m->point.candidate))
            k->points.row[k->points.n++] = *m;
        k->of.points.row[n++] = *m;
    }
    k->of.points.n = n;
}

/* What the times of the cells asked about say. */
static int look_up(const char *dir, const struct advice_table *t, struct known *k, struct err *err)
{
    struct points some = { .row = memory_zeros(k->points.n + 1, sizeof *some.row) };
    const struct predictions none = { .n = 0 };
    int status = 0;
    for (size_t i = 0; i < k->points.n; i++)
        if (any_below(r, t->n, cell_equal(&t->row[r].cell, &k->points.row[i].point.cell)))
            some.row[some.n++] = k->points.row[i];
    if (some.n)
        status = judge_open(&k->judge, dir, &k->of.facts, NULL, err);
    if (some.n && status == 0) {
        const struct selecting of = {
            .points = &some, .predictions = &none, .facts = &k->of.facts, .judge = &k->judge
        };
        status = selection_judged(&of, &k->measured, err);
    }
    free(some.row);
    return status;
}

/* 1 when a cell has two candidates with a time that the asker can take. */
static int has_choice(const struct known *k)
{
    static const struct holdout none = { .kind = HOLDOUT_PLANNED };
    struct training_cells training = { .n = 0 };
    struct problem problem;
    training_add(&training, &k->points, NULL, &k->of.facts);
    problem_make(&training, NULL, &none, &problem);
    const int has = problem.n > 0;
    problem_clear(&problem);
    training_clear(&training);
    return has;
}

/* Learns from all cells, as `collsel train` does. As advice_of_results. */
static int learn(struct known *k, struct err *err)
{
    const struct learner *who[MOST_MEMBERS + 1];
    struct training_cells training = { .n = 0 };
    if (!has_choice(k)) {
        err_set(err, "no cell has two candidates with a time");
        return 1;
    }
    training_add(&training, &k->of.points, NULL, &k->of.facts);
    model_file_voices("safe", who);
    const int status = model_file_teach(&training, who, 0, &k->file, err);
    training_clear(&training);
    k->has_learnt = status == 0;
    return status;
}

/* Answers by the first model alone. As advice_of_results. */
static int advise_first(const struct adviser *a, struct advice *out, struct err *err)
{
    const struct model_file *first = a->file->first;
    const struct subject *s = first ? model_file_subject(first, &out->cell) : NULL;
    struct adviser b = { a->question, first, 0, a->machine };
    if (!s)
        return 1;
    b.at = (size_t)(s - first->evidence.subject);
    b.machine = model_choice_machine(first, &a->machine);
    return advise(&b, out, err);
}

/* Answers for the cells that were not measured, or are asked of another machine. As
 * advice_of_results. */
static int advise_rest(const struct advice_question *q, struct known *k, struct advice_table *out,
                       struct err *err)
{
    struct adviser a = { .question = q, .file = &k->file };
    const char *of = q->portable || k->of.facts.simulated ? "" : " of the library's own";
    const double near_pct = isnan(q->near_pct) ? k->of.facts.tie_pct : q->near_pct;
    out->tie_pct = k->of.facts.tie_pct;
    for (size_t i = 0; i < out->n; i++) {
        struct advice *row = &out->row[i];
        if (!q->machine && advise_measured(k, of, row)) {
            if (find_near(k, near_pct, row, err) < 0)
                return -1;
            continue;
        }
        int status = k->has_learnt ? 0 : learn(k, err);
        if (status < 0)
            return status;
        a.machine = q->machine ? *q->machine : k->of.facts;
        k->file.first = model_choice_first(q->first, &a.machine);
        if (status > 0) {
            status = advise_first(&a, row, err);
        } else {
            a.machine = model_choice_machine(&k->file, &a.machine);
            status = advise(&a, row, err);
        }
        if (status != 0)
            return status;
    }
    return 0;
}

/* The cells of the question, in its order. */
typedef int place_cell(const void *from, const struct advice_question *q, struct cell *cell,
                       struct err *err);

static int list_cells(const struct advice_question *q, const struct cell *context,
                      place_cell *place, const void *from, struct advice_table *out,
                      struct err *err)
{
    for (size_t p = 0; p < q->n_procs; p++)
        for (size_t m = 0; m < q->n_bytes; m++) {
            struct advice *row = array_add(&out->row, &out->n);
            row->cell = *context;
            row->cell.procs = (int)q->procs[p];
            row->cell.bytes = q->bytes[m];
            if (row->cell.bytes && !collective_moves(row->cell.collective))
                return err_usage(err, "--bytes: want 0: %s has no data", row->cell.collective);
            row->estimate_s = NAN;
            if (place(from, q, &row->cell, err) < 0)
                return -1;
            if ((int64_t)row->cell.nodes * row->cell.ppn < row->cell.procs)
                return err_usage(err, "%d processes do not fit on %d nodes of %d", row->cell.procs,
                                 row->cell.nodes, row->cell.ppn);
        }
    return 0;
}

/* Is all that is asked about on the machine? points: measured there. */
static int check_room(const struct advice_question *q, const struct facts *machine,
                      const struct points *points, struct err *err)
{
    for (size_t p = 0; p < q->n_procs; p++) {
        const int procs = (int)q->procs[p];
        const int nodes = q->nodes ? (q->nodes < procs ? q->nodes : procs)
                          : q->ppn ? (procs - 1) / q->ppn + 1
                                   : 0;
        if (cell_query_holds(machine, points, procs, nodes, err) < 0)
            return -1;
    }
    return 0;
}

static void tell_machine(const struct facts *machine, struct advice_table *out)
{
    snprintf(out->machine, sizeof out->machine, "%s", machine->cluster);
    out->machine_nodes = machine->nodes;
    out->machine_cores = machine->sockets * machine->cores;
}

int advice_place(const void *from, const struct advice_question *q, struct cell *c, struct err *err)
{
    const struct facts *machine = q->machine ? q->machine : from;
    const int room = q->ppn ? q->ppn : machine->sockets * machine->cores;
    (void)err;
    c->nodes = q->nodes ? q->nodes : room > 0 ? (c->procs + room - 1) / room : 1;
    c->nodes = c->nodes < c->procs ? c->nodes : c->procs;
    c->ppn = q->ppn ? q->ppn : (c->procs + c->nodes - 1) / c->nodes;
    c->ppn = c->ppn < c->procs ? c->ppn : c->procs;
    return 0;
}

/* As the set's own cells of so many processes are placed, where nothing else is said. */
static int place_measured(const void *from, const struct advice_question *q, struct cell *c,
                          struct err *err)
{
    const struct known *k = from;
    struct cell_query asked = asked_of(q);
    if (q->machine || q->ppn)
        return advice_place(&k->of.facts, q, c, err);
    asked.procs = c->procs;
    asked.nodes = q->nodes < c->procs ? q->nodes : c->procs;
    return cell_query_place(&asked, &k->points, &k->of.facts, c, err);
}

static int answer_results(const char *dir, const struct advice_question *q, struct known *k,
                          struct advice_table *out, struct err *err)
{
    struct cell context;
    const struct points none = { .n = 0 };
    if (check_room(q, q->machine ? q->machine : &k->of.facts, q->machine ? &none : &k->of.points,
                   err) < 0 ||
        find_context(dir, q, &k->of.points, &k->of.facts, &context, err) < 0)
        return -1;
    keep(q, &context, k);
    snprintf(out->cluster, sizeof out->cluster, "%s", k->of.facts.cluster);
    snprintf(out->backend, sizeof out->backend, "%s", k->of.facts.backend);
    out->deterministic = k->of.facts.deterministic;
    out->simulated = k->of.facts.simulated;
    tell_machine(q->machine ? q->machine : &k->of.facts, out);
    if (list_cells(q, &context, place_measured, k, out, err) < 0 || look_up(dir, out, k, err) < 0)
        return -1;
    return advise_rest(q, k, out, err);
}

int advice_of_results(const char *dir, const struct advice_question *question,
                      struct advice_table *out, struct err *err)
{
    struct known k = { .has_learnt = 0 };
    *out = (struct advice_table){ .n = 0 };
    if (fitted_study_read(dir, NULL, question->doubted, &k.of, err) < 0)
        return -1;
    k.of.facts.costs = question->first ? question->first->costs : NULL;
    const int status = answer_results(dir, question, &k, out, err);
    known_clear(&k);
    if (status != 0)
        advice_clear(out);
    return status;
}

/* ---- from a model ---- */

/* "18 sets of times of up to 2048 processes, backend walk". */
static void tell_sources(const struct model_file *f, struct advice_table *out)
{
    char upto[48] = "";
    int same = 1, procs = 0;
    for (size_t i = 0; i < f->n_sources; i++) {
        same &= strcmp(f->source[i].backend, f->source[0].backend) == 0;
        procs = f->source[i].procs > procs ? f->source[i].procs : procs;
    }
    out->more = f->n_sources > 1;
    if (procs)
        snprintf(upto, sizeof upto, " of up to %d processes", procs);
    if (f->n_sources)
        snprintf(out->sources, sizeof out->sources, "%zu set%s of times%s, backend %s",
                 f->n_sources, plural(f->n_sources), upto,
                 same ? f->source[0].backend : "not the same of all");
}

/* A mapping that no table of results restricts. 0, or -1 with *err. */
static int check_mapping(const struct advice_question *q, struct err *err)
{
    const struct seating one = { .mapping = q->mapping, .nodes = 1, .ppn = 1, .procs = 1 };
    if (!q->mapping || seat_check(&one, NULL) == 0)
        return 0;
    return err_usage(err, "--mapping: '%s' is not a mapping (want core, socket or node)",
                     q->mapping);
}

/* The subject of a file that answers a question. 0, or -1 with *err. */
static int find_subject(const char *path, const struct advice_question *q,
                        const struct model_file *f, size_t *at, struct err *err)
{
    static const struct candidate any;
    char what[PATH_SIZE + 64];
    struct cell_query_row *rows = memory_zeros(f->evidence.n + 1, sizeof *rows);
    for (size_t i = 0; i < f->evidence.n; i++) {
        const struct cell *c = &f->evidence.subject[i].context;
        rows[i] = (struct cell_query_row){ c->collective, c->mpi, c->mapping, &any };
        if (f->walks && q->mapping)
            rows[i].mapping = q->mapping;
        if (f->walks && q->mpi && mpi_is(q->mpi, c->mpi))
            rows[i].mpi = q->mpi;
    }
    snprintf(what, sizeof what, "%s: nothing was learnt", path);
    const int status = find_row(q, rows, f->evidence.n, NULL, what, at, err);
    free(rows);
    return status;
}

int advice_model_knows(const struct model_file *model, const struct advice_question *question)
{
    size_t at;
    return !(model->walks && question->portable) &&
           find_subject("", question, model, &at, NULL) == 0;
}

int advice_of_nothing(const struct advice_question *q, const char *why, struct advice_table *out,
                      struct err *err)
{
    static const struct facts nowhere;
    const struct facts *machine = q->machine ? q->machine : &nowhere;
    const struct points none = { .n = 0 };
    struct cell context = { .root = 0 };
    *out = (struct advice_table){ .n = 0 };
    snprintf(context.collective, NAME_SIZE, "%s", q->collective);
    snprintf(context.mpi, NAME_SIZE, "%s", q->mpi ? q->mpi : "openmpi");
    snprintf(context.mapping, NAME_SIZE, "%s", q->mapping ? q->mapping : "core");
    if (check_mapping(q, err) < 0 || (q->machine && check_room(q, machine, &none, err) < 0) ||
        list_cells(q, &context, advice_place, machine, out, err) < 0) {
        advice_clear(out);
        return -1;
    }
    tell_machine(machine, out);
    for (size_t i = 0; i < out->n; i++) {
        struct advice *row = &out->row[i];
        snprintf(row->take.algorithm, NAME_SIZE, "%s:default", mpi_family(context.mpi));
        set_gain(row, nothing_gained);
        row->evidence = EVIDENCE_EXTRAPOLATED;
        row->doublings = NAN;
        snprintf(row->selector, sizeof row->selector, "default");
        snprintf(row->reason, sizeof row->reason, "the default: %s", why);
    }
    return 0;
}

static int answer_model(const char *path, const struct advice_question *q,
                        const struct model_file *f, struct advice_table *out, struct err *err)
{
    const struct points none = { .n = 0 };
    if (f->walks && !q->machine)
        return err_usage(err,
                         "%s walks a machine (want --for CLUSTER; `collsel cluster "
                         "new` writes its file)",
                         path);
    if ((f->walks && check_mapping(q, err) < 0) ||
        (q->machine && check_room(q, q->machine, &none, err) < 0))
        return -1;
    struct facts machine = q->machine ? *q->machine : f->machine;
    if (!machine.costs && q->first)
        machine.costs = q->first->costs;
    struct model_file file = *f; /* with its first model */
    file.first = f->walks ? NULL : model_choice_first(q->first, &machine);
    struct adviser a = { .question = q,
                         .file = &file,
                         .machine = model_choice_machine(f, &machine) };
    if (find_subject(path, q, f, &a.at, err) < 0)
        return -1;
    snprintf(out->cluster, sizeof out->cluster, "%s", f->machine.cluster);
    snprintf(out->licence, sizeof out->licence, "%s", f->licence);
    tell_sources(f, out);
    if (f->walks)
        model_file_machines(f, out->sources, sizeof out->sources);
    tell_machine(&a.machine, out);
    out->simulated = f->machine.simulated;
    struct cell context = f->evidence.subject[a.at].context;
    if (f->walks && q->mapping)
        snprintf(context.mapping, NAME_SIZE, "%s", q->mapping);
    snprintf(out->rule, NAME_SIZE, "%s", decided_rule(&a.machine, context.mpi));
    int status = list_cells(q, &context, advice_place, &f->machine, out, err);
    for (size_t i = 0; i < out->n && status == 0; i++)
        if ((status = advise(&a, &out->row[i], err)) == 0)
            out->row[i].estimate_s = estimate(&a, &out->row[i]);
    if (status != 0)
        err_prefix(err, "%s", path);
    return status;
}

int advice_of_read_model(const struct model_file *model, const char *path,
                         const struct advice_question *question, struct advice_table *out,
                         struct err *err)
{
    *out = (struct advice_table){ .n = 0 };
    const int status = answer_model(path, question, model, out, err);
    if (status != 0)
        advice_clear(out);
    return status;
}

int advice_of_model(const char *path, const struct advice_question *question,
                    struct advice_table *out, struct err *err)
{
    struct model_file f;
    *out = (struct advice_table){ .n = 0 };
    if (model_file_read(path, &f, err) < 0)
        return -1;
    const int status = advice_of_read_model(&f, path, question, out, err);
    model_file_clear(&f);
    return status;
}

void advice_clear(struct advice_table *table)
{
    for (size_t i = 0; i < table->n; i++)
        free(table->row[i].near);
    free(table->row);
    *table = (struct advice_table){ .n = 0 };
}
