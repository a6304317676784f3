/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/model.h"

#include <string.h>

#include "analysis/measure/equivalent.h"
#include "analysis/measure/study_facts.h"

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

const char *predict_status_name(enum predict_status status)
{
    return predict_status_words[status];
}

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
    for (const struct model *const *m = models; *m; m++)
        if (strcmp((*m)->name, name) == 0)
            return *m;
    return NULL;
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
