/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/model_choice.h"

#include "analysis/learn/walked_trust.h"
#include "analysis/measure/equivalent.h"

int model_choice_is_sound(const char *collective, const struct candidate *c)
{
    return algorithm_is_default(c->algorithm) ||
           !algorithm_ranks_differ(equivalent_find(collective, c->algorithm),
                                   algorithm_base_name(c->algorithm));
}

/* A kind is open where it runs as what it is: the library would replace others. */
static int is_open(const struct model_choice_question *q, const struct candidate *kind)
{
    const struct candidate runs = problem_runs(q->machine, q->cell, kind);
    return candidate_equal(&runs, kind) && problem_can_run(q->machine, q->cell, kind) &&
           model_choice_is_sound(q->cell->collective, kind) &&
           (!q->may || q->may(q->of, q->cell, kind));
}

/* What a learner says of a kind: skill_score, or the walk of the machine. */
static double score_of(const struct learnt *by, size_t at, const struct model_choice_question *q,
                       const struct candidate *kind, const float *x)
{
    return by->learner->walks ? walked_on(q->machine, q->cell, kind)
                              : skill_score(by, &by->skill[at], kind, x, NULL);
}

const struct candidate *model_choice_least(size_t at, const struct model_choice_question *q,
                                           const struct learnt *by, const struct candidate *others,
                                           size_t n)
{
    const struct skill *s = &by->skill[at];
    const struct candidate *best = NULL;
    double least = INFINITY;
    float x[N_FEATURES];
    problem_features(q->cell, q->machine, x);
    for (size_t i = 0; i < s->n_kinds; i++) {
        if (!is_open(q, &s->kind[i]) || any_below(k, n, candidate_equal(&s->kind[i], &others[k])))
            continue;
        const double score = score_of(by, at, q, &s->kind[i], x);
        if (score < least) {
            least = score;
            best = &s->kind[i];
        }
    }
    return best;
}

double model_choice_doublings(uint64_t a, uint64_t b)
{
    return log2((a ? (double)a : 0.5) / (b ? (double)b : 0.5));
}

double model_choice_distance(const struct cell *a, const struct cell *b)
{
    return hypot(hypot(model_choice_doublings((uint64_t)a->procs, (uint64_t)b->procs),
                       model_choice_doublings((uint64_t)a->nodes, (uint64_t)b->nodes)),
                 model_choice_doublings(a->bytes, b->bytes));
}

static double ranks_beyond(const struct safe_leads *place, const struct cell *cell)
{
    const uint64_t procs = (uint64_t)cell->procs;
    return fmax(fmax(model_choice_doublings(procs, (uint64_t)place->most_procs),
                     model_choice_doublings((uint64_t)place->least_procs, procs)),
                model_choice_doublings((uint64_t)cell->nodes, (uint64_t)place->most_nodes));
}

double model_choice_beyond(const struct subject *of, const struct cell *cell)
{
    struct safe_leads place;
    safe_leads_place(of, &place);
    const double bytes = fmax(model_choice_doublings(cell->bytes, place.most_bytes),
                              model_choice_doublings(place.least_bytes, cell->bytes));
    return fmax(0, fmax(ranks_beyond(&place, cell), bytes));
}

int model_choice_elsewhere(const struct model_file *f, const struct facts *machine)
{
    for (size_t i = 0; i < f->n_sources; i++)
        if (strcmp(f->source[i].cluster, machine->cluster) == 0)
            return 0;
    return f->n_sources || strcmp(f->machine.cluster, machine->cluster) != 0;
}

/* How far off what a learner says of a cell is. Of machines that were not learnt from those tell
 * that were left out in turn. Of cells between measured ones those that were kept from it; of more
 * processes, with sizes that were measured, the data's own past, as long as the default runs what
 * it ran and the network was seen; of what lies beyond otherwise nobody. A pre-trained file has its
 * interval everywhere; how often it holds beyond what was learnt of nobody knows. */
static struct learner_interval error_of(const struct model_file *f, size_t at,
                                        const struct model_choice_question *q,
                                        const struct skill *s)
{
    const struct subject *of = &f->evidence.subject[at];
    const struct cell *cell = q->cell;
    const struct candidate default_runs = problem_default_runs(q->machine, cell);
    const struct learner_interval unknown = { NAN, NAN, NAN, 0 };
    struct learner_interval elsewhere = s->elsewhere;
    struct safe_leads place;
    safe_leads_place(of, &place);
    const int other_size = cell->bytes < place.least_bytes || cell->bytes > place.most_bytes,
              fewer = cell->procs<place.least_procs, more = cell->procs> place.most_procs;
    if (f->pretrained && model_choice_beyond(of, cell) > 0) {
        elsewhere.holds = NAN;
        elsewhere.tries = 0;
    }
    if (f->pretrained)
        return elsewhere;
    if (other_size || fewer || neighbour_gains_cross_network(of, cell))
        return unknown;
    if (model_choice_elsewhere(f, q->machine))
        return more ? unknown : elsewhere;
    if (!more)
        return s->between;
    const int d = learner_doublings(cell->procs, place.most_procs);
    return d <= LEARNER_DOUBLINGS && neighbour_gains_same_default(of, cell, &default_runs)
               ? s->beyond[d - 1]
               : unknown;
}

static double pct(double log_ratio)
{
    return 100 * expm1(log_ratio);
}

struct model_choice_gain model_choice_gain(const struct model_file *f, size_t at,
                                           const struct model_choice_question *q,
                                           const struct learnt *by, const struct candidate *kind,
                                           const struct candidate *by_default)
{
    struct model_choice_gain g = { NAN, NAN, NAN, NAN, 0 };
    float x[N_FEATURES];
    if (!by || !by_default)
        return g;
    const struct skill *s = &by->skill[at];
    const struct learner_interval error = error_of(f, at, q, s);
    problem_features(q->cell, q->machine, x);
    const double said = score_of(by, at, q, by_default, x) - score_of(by, at, q, kind, x);
    g.pct = pct(said);
    g.low_pct = pct(said + error.low);
    g.high_pct = pct(said + error.high);
    if (isnan(g.low_pct))
        return g;
    g.holds_pct = 100 * error.holds;
    g.tries = error.tries;
    return g;
}

/* Of those who learnt times the one whose choices lost least where they were tried, those who were
 * not tried (loss NaN) behind all others; NULL: nobody did. */
static const struct learnt *find_speaker(const struct model_file *f, size_t at)
{
    const struct learnt *best = NULL;
    for (size_t i = 0; i < f->n_members; i++) {
        const struct learnt *m = &f->member[i];
        if (!learner_has_voice(m->learner))
            continue;
        const double loss = m->skill[at].loss, least = best ? best->skill[at].loss : NAN;
        if (!best || loss < least || (isnan(least) && !isnan(loss)))
            best = m;
    }
    return best;
}

/* Takes a kind, if a gain is expected of it. */
static void take(const struct model_file *f, size_t at, const struct model_choice_question *q,
                 const struct candidate *kind, enum model_choice_why why, struct model_choice *out)
{
    const struct model_choice_gain gain =
        model_choice_gain(f, at, q, out->speaker, kind, out->by_default);
    if (!(gain.pct > 0))
        return;
    out->take = kind;
    out->gain = gain;
    out->why = why;
}

/* So many doublings beyond what was learnt of, a pre-trained file may override the default, and on
 * fewer nodes any: cells that were learnt lie so far from each other. */
static const double most_beyond = 1;

/* By the measured cells. */
static void decide_safely(const struct model_file *f, size_t at,
                          const struct model_choice_question *q, struct model_choice *out)
{
    const struct subject *s = &f->evidence.subject[at];
    const struct candidate default_runs = problem_default_runs(q->machine, q->cell);
    const struct safe_lead *lead = safe_leader(&f->safe, q->cell, &default_runs);
    const struct candidate *best = NULL;
    struct safe_leads place;
    out->counts = -INFINITY;
    safe_leads_place(s, &place);
    if (s->n && model_choice_doublings((uint64_t)place.least_nodes, (uint64_t)q->cell->nodes) >
                    most_beyond) {
        out->why = MODEL_CHOICE_FAR;
        return;
    }
    for (size_t i = 0; i < s->n_kinds; i++) {
        const struct candidate *kind = &s->kind[i];
        if (candidate_equal(kind, out->by_default) || !is_open(q, kind))
            continue;
        const double gain =
            safe_gain(&f->safe, q->cell, out->x, kind, out->by_default, &default_runs);
        if (gain > out->counts) {
            out->counts = gain;
            best = kind;
        }
    }
    out->lead = lead ? lead->learner : NULL;
    if (best)
        take(f, at, q, best, lead ? MODEL_CHOICE_LEAD : MODEL_CHOICE_BOUND, out);
}

/* A walk goes further, and its time is a line in bytes: MareNostrum 5, left out of ci/first, has 32
 * nodes where reductions of the others had 2, and what was answered there harmed nowhere. */
static const double most_beyond_walked = 4;

/* Nobody measured anything about the cell. */
static void decide_by_interval(const struct model_file *f, size_t at,
                               const struct model_choice_question *q, struct model_choice *out)
{
    const struct candidate *best =
        out->speaker ? model_choice_least(at, q, out->speaker, NULL, 0) : NULL;
    if (model_choice_beyond(&f->evidence.subject[at], q->cell) > most_beyond)
        out->why = MODEL_CHOICE_FAR;
    else if (best && !candidate_equal(best, out->by_default) &&
             model_choice_gain(f, at, q, out->speaker, best, out->by_default).low_pct > 0)
        take(f, at, q, best, MODEL_CHOICE_INTERVAL, out);
}

/* The doublings of ranks or nodes beyond what was learnt of the collective, or, where that is
 * nothing, of that collective from which they are the fewest. */
static double walked_beyond(const struct model_file *f, size_t at, const struct cell *cell)
{
    double least = INFINITY;
    for (size_t i = 0; i < f->evidence.n; i++) {
        struct safe_leads place;
        safe_leads_place(&f->evidence.subject[i], &place);
        if (f->evidence.subject[i].n && (i == at || !f->evidence.subject[at].n))
            least = fmin(least, ranks_beyond(&place, cell));
    }
    return least;
}

/* The walk of the machine overrides the default by what it promises. */
static void decide_by_walk(const struct model_file *f, size_t at,
                           const struct model_choice_question *q, struct model_choice *out)
{
    const struct walked_trust *trust = &out->speaker->skill[at].trust;
    const struct candidate *best = model_choice_least(at, q, out->speaker, NULL, 0);
    if (!best || candidate_equal(best, out->by_default))
        return;
    const struct model_choice_gain gain =
        model_choice_gain(f, at, q, out->speaker, best, out->by_default);
    out->counts = log1p(gain.pct / 100);
    if (out->counts > 0)
        out->walked = best;
    const int is_safe = out->counts > walked_least(trust, q->cell, out->by_default, best);
    if (is_safe && walked_beyond(f, at, q->cell) > most_beyond_walked)
        out->why = MODEL_CHOICE_FAR;
    else if (is_safe)
        take(f, at, q, best, MODEL_CHOICE_WALK, out);
    if (!out->take && out->counts > trust->bold)
        out->bold = best;
}

static void ask(const struct model_file *f, size_t at, const struct model_choice_question *q,
                struct model_choice *out)
{
    const struct subject *s = &f->evidence.subject[at];
    const size_t own = subject_default(s, q->cell, q->machine);
    *out = (struct model_choice){ .file = f,
                                  .at = at,
                                  .why = MODEL_CHOICE_STAYS,
                                  .by_default = own < s->n_kinds ? &s->kind[own] : NULL,
                                  .speaker = find_speaker(f, at),
                                  .gain.holds_pct = NAN };
    problem_features(q->cell, q->machine, out->x);
    if (f->walks) {
        out->published = problem_default_runs(q->machine, q->cell);
        out->by_default = *out->published.algorithm ? &out->published : NULL;
    }
    if (q->cell->procs == 1)
        out->why = MODEL_CHOICE_ONE_PROCESS;
    else if (!out->by_default)
        out->why =
            f->walks || any_below(i, s->n,
                                  subject_default(s, &s->example[i].cell, q->machine) < s->n_kinds)
                ? MODEL_CHOICE_NO_TIME
                : MODEL_CHOICE_NO_DEFAULT;
    else if (f->walks)
        decide_by_walk(f, at, q, out);
    else if (f->pretrained)
        decide_by_interval(f, at, q, out);
    else
        decide_safely(f, at, q, out);
}

const struct model_file *model_choice_first(const struct model_first *first,
                                            const struct facts *machine)
{
    return first && first->file->walks && !machine->simulated && walked_can(machine) &&
                   model_choice_elsewhere(first->file, machine)
               ? first->file
               : NULL;
}

/* Doublings between a measured cell and the asked one that count at least. */
static const double least_distance = 0.25;

/* How much longer than its walk a kind took in the measured cells, as a logarithm, each cell
 * weighing by the inverse square of its distance. NaN: it was measured nowhere. */
static double over_walk(const struct subject *s, const struct model_choice_question *q, size_t kind)
{
    double sum = 0, weights = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct cell *cell = &s->example[i].cell;
        const double took = example_log(&s->example[i], kind);
        if (isnan(took))
            continue;
        const int by_default = algorithm_is_default(s->kind[kind].algorithm);
        const struct candidate runs =
            by_default ? problem_default_runs(q->machine, cell) : s->kind[kind];
        const double over = took - walked_on(q->machine, cell, &runs),
                     far = fmax(model_choice_distance(cell, q->cell), least_distance);
        sum += isnan(over) ? 0 : over / (far * far);
        weights += isnan(over) ? 0 : 1 / (far * far);
    }
    return weights > 0 ? sum / weights : NAN;
}

/* over_walk of each kind; after them their median, for kinds that were measured nowhere. To be
 * freed. */
static double *over_walks(const struct subject *s, const struct model_choice_question *q)
{
    double *over = memory_zeros(2 * s->n_kinds + 1, sizeof *over), *known = over + s->n_kinds + 1;
    size_t n = 0;
    for (size_t i = 0; i < s->n_kinds; i++) {
        over[i] = over_walk(s, q, i);
        if (!isnan(over[i]))
            known[n++] = over[i];
    }
    over[s->n_kinds] = n ? robust_median(known, n) : 0;
    return over;
}

/* The walk of what a kind runs in the asked cell, corrected; at: the kind among the measured ones.
 */
static double corrected(const struct subject *s, const double *over,
                        const struct model_choice_question *q, size_t at,
                        const struct candidate *runs)
{
    const int known = at < s->n_kinds && !isnan(over[at]);
    return walked_on(q->machine, q->cell, runs) + over[known ? at : s->n_kinds];
}

/* Of a kind that was measured nowhere the default, which takes `stays`, must lose as much as
 * `trust` says; NULL: none is taken. */
static const struct candidate *least_corrected(const struct subject *s, const double *over,
                                               const struct model_choice_question *q,
                                               const struct subject *kinds, double stays,
                                               const struct walked_trust *trust,
                                               const struct candidate *default_runs, double *least)
{
    const struct candidate *best = NULL;
    *least = INFINITY;
    for (size_t i = 0; i < kinds->n_kinds; i++) {
        const struct candidate *kind = &kinds->kind[i];
        const size_t at = subject_kind(s, kind);
        const int seen = at < s->n_kinds && !isnan(over[at]);
        const double t = is_open(q, kind) ? corrected(s, over, q, at, kind) : NAN;
        if (t < *least &&
            (seen || (trust && stays - t > walked_least(trust, q->cell, default_runs, kind)))) {
            *least = t;
            best = kind;
        }
    }
    return best;
}

/* Decides by the first model: the least walk, corrected by the cells that were measured on this
 * machine. Where the default or all others cannot be walked the file's own choice stays. */
static void ask_first(const struct model_file *f, size_t at, const struct model_choice_question *q,
                      struct model_choice *out)
{
    const struct subject *kinds = model_file_subject(f->first, q->cell),
                         *s = &f->evidence.subject[at];
    const struct facts machine = model_choice_machine(f->first, q->machine);
    struct model_choice_question again = *q;
    struct model_choice given;
    if (!kinds)
        return;
    again.machine = &machine;
    again.may = q->may_first ? q->may_first : q->may;
    ask(f->first, (size_t)(kinds - f->first->evidence.subject), &again, &given);
    if (!given.by_default)
        return;
    double least, *over = over_walks(s, &again);
    const double stays =
        corrected(s, over, &again, subject_default(s, q->cell, &machine), &given.published);
    const struct walked_trust *trust =
        given.why == MODEL_CHOICE_FAR ? NULL : &given.speaker->skill[given.at].trust;
    given.take = least_corrected(s, over, &again, kinds, stays, trust, &given.published, &least);
    free(over);
    given.counts = stays - least;
    given.gain = (struct model_choice_gain){ pct(given.counts), NAN, NAN, NAN, 0 };
    given.why = MODEL_CHOICE_WALK;
    if (given.take && given.counts > 0) {
        *out = given;
        out->by_default = &out->published;
    } else if (!isnan(stays)) {
        out->file = f->first;
        out->take = NULL;
        out->why = MODEL_CHOICE_STAYS;
    }
}

void model_choice_ask(const struct model_file *f, size_t at, const struct model_choice_question *q,
                      struct model_choice *out)
{
    ask(f, at, q, out);
    if (f->first && out->why >= MODEL_CHOICE_STAYS)
        ask_first(f, at, q, out);
}

struct facts model_choice_machine(const struct model_file *f, const struct facts *machine)
{
    struct facts out = *machine;
    out.simulated = f->machine.simulated;
    memcpy(out.sim_default, f->machine.sim_default, sizeof out.sim_default);
    out.n_mpis = model_choice_elsewhere(f, machine) && !f->walks ? 0 : f->machine.n_mpis;
    memcpy(out.mpi, f->machine.mpi, sizeof out.mpi);
    memcpy(out.mpi_version, f->machine.mpi_version, sizeof out.mpi_version);
    return out;
}
