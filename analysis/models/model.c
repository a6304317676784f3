/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/model.h"

#include "analysis/measure/equivalent.h"
#include "analysis/measure/published_default.h"
#include "analysis/models/parameters.h"

const char *const predict_status_words[N_PREDICT_STATUS + 1] = {
    [PREDICT_OK] = "ok",
    [PREDICT_NO_SCHEDULE] = "no_schedule",
    [PREDICT_NO_GAMMA] = "no_gamma",
    [PREDICT_NO_FIT] = "no_fit",
    [PREDICT_NO_FORMULA] = "no_formula",
    [PREDICT_NOT_POSITIVE] = "not_positive",
    [PREDICT_TOO_MANY] = "too_many",
    [PREDICT_EXTRAPOLATED] = "extrapolated",
    [PREDICT_POOR_FIT] = "poor_fit",
};

int prediction_usable(const struct prediction *prediction)
{
    return prediction->status == PREDICT_OK || prediction->status == PREDICT_EXTRAPOLATED ||
           prediction->status == PREDICT_POOR_FIT;
}

struct candidate model_runs(const struct candidate *asked, const struct schedule *s)
{
    struct candidate c = *asked;
    if (!s)
        return c;
    equivalent_name(asked->algorithm, s, c.algorithm, sizeof c.algorithm);
    if (s->alg == s->asked)
        return c;
    c.segment_bytes = s->alg->segmented ? asked->segment_bytes : 0;
    c.fanout = algorithm_fanout(s->alg);
    return c;
}

const struct model *model_find(const char *name)
{
    return named_row(models, name);
}

size_t model_index(const struct model *model)
{
    size_t k = 0;
    while (models[k] && models[k] != model)
        k++;
    return k;
}

enum standing model_standing(const struct model *model, const char *backend)
{
    if (model && model->simulators && backend_simulates(backend))
        return STANDING_SIMULATOR;
    return model && model->in_sample ? STANDING_IN_SAMPLE : STANDING_TEST;
}

const char *standing_text(enum standing standing)
{
    static const char *const texts[] = { "", "in sample", "the simulator's own arithmetic" };
    return texts[standing];
}

const char *standing_mark(enum standing standing)
{
    static const char *const marks[] = { "", " (in sample)", " (simulator)" };
    return marks[standing];
}

int model_chosen_on(const struct model *model, const char *backend, const char *what)
{
    const size_t n = strlen(backend);
    for (const char *word = model->chosen_on; word && *word; word += strspn(word, " ")) {
        const size_t len = strcspn(word, " ");
        const char *name = word + n + 1;
        if (len > n + 1 && strncmp(word, backend, n) == 0 && word[n] == ':' &&
            strncmp(what, name, len - n - 1) == 0 &&
            (what[len - n - 1] == '\0' || what[len - n - 1] == '-'))
            return 1;
        word += len;
    }
    return 0;
}

void model_walks_clear(struct model_walks *walks)
{
    stage_profile_clear(&walks->stages);
    kept_clear(&walks->kept);
    *walks = (struct model_walks){ .any = 0 };
}

/* Another schedule than before: nothing was walked of it. */
static void turn_to(struct model_walks *walks, const struct facts *facts, const struct cell *cell,
                    const struct candidate *candidate, const struct schedule *s)
{
    if (walks->any && schedule_same(&walks->s, s))
        return;
    stage_profile_clear(&walks->stages);
    walks->staged = walks->made = 0;
    walks->cell = *cell;
    walks->candidate = *candidate;
    walks->any = equivalent_schedule(facts, &walks->cell, &walks->candidate, &walks->s, NULL) == 0;
}

int model_too_many(const struct schedule *s, uint64_t most)
{
    uint64_t rounds = 0;
    for (int rank = 0; rank < s->procs && rounds <= most; rank++)
        rounds += schedule_rounds(s, rank);
    return rounds > most;
}

const struct schedule *model_schedule(const struct question *q)
{
    if (!q->walks)
        return q->s;
    if (!q->walks->made)
        schedule_keep(&q->walks->s, &q->walks->kept);
    q->walks->made = 1;
    return &q->walks->s;
}

struct prediction model_predict_next(const struct model *model, const struct parameters *p,
                                     const struct cell *cell, const struct candidate *candidate,
                                     struct model_walks *walks)
{
    struct prediction out = { .seconds = NAN, .status = PREDICT_NO_SCHEDULE };
    struct candidate runs = *candidate;
    struct schedule s;
    if (!model->without_schedule && p->facts) /* a library's default sends what it decides */
        decided_candidate(p->facts, cell, candidate, &runs);
    const int known = equivalent_schedule(p->facts, cell, &runs, &s, NULL) == 0;
    if (!known && !model->without_schedule)
        return out;
    if (known)
        equivalent_name(runs.algorithm, &s, out.algorithm, sizeof out.algorithm);
    if (known && walks)
        turn_to(walks, p->facts, cell, &runs, &s);
    double seconds = NAN;
    const struct question q = { model, p, cell, &runs, known ? &s : NULL, known ? walks : NULL };
    out.status = model->predict(&q, &seconds);
    if (prediction_usable(&out) && !(seconds > 0))
        out.status = PREDICT_NOT_POSITIVE;
    if (prediction_usable(&out))
        out.seconds = seconds;
    return out;
}

struct prediction model_predict(const struct model *model, const struct parameters *p,
                                const struct cell *cell, const struct candidate *candidate)
{
    return model_predict_next(model, p, cell, candidate, NULL);
}

static const char *code_text(const void *member)
{
    const struct model *model;
    memcpy(&model, member, sizeof model);
    return model->name;
}

static int code_parse(const char *text, void *member)
{
    const struct model *model = model_find(text);
    memcpy(member, &model, sizeof model);
    return model ? 0 : -1;
}

const struct schema_code model_code = { code_text, code_parse, "stage" };
