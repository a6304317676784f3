/* SPDX-License-Identifier: BSD-3-Clause */
/* textbook: the textbook formula of walk/closed.h with the alpha and beta of ping-pong. */
#include "analysis/models/hockney/hockney.h"
#include "analysis/models/model.h"
#include "analysis/models/parameters.h"
#include "analysis/walk/closed.h"

static enum predict_status predict(const struct question *q, double *seconds)
{
    const struct hockneys *fits = parameters_of(q->p, &hockney_set);
    const struct hockney *fit =
        fits ? hockney_pingpong(fits, q->cell->mpi, q->cell->mapping) : NULL;
    if (!closed_find(CLOSED_TEXTBOOK, q->s))
        return PREDICT_NO_FORMULA;
    if (!hockney_usable(fit))
        return PREDICT_NO_FIT;
    *seconds = closed_time(CLOSED_TEXTBOOK, q->s, NULL, fit->alpha, fit->beta);
    if (q->p->facts)
        *seconds += q->p->facts->combine_s_per_byte * closed_combined(CLOSED_TEXTBOOK, q->s, NULL);
    return fit->status == FIT_POOR ? PREDICT_POOR_FIT : PREDICT_OK;
}

static double core_s(const struct points *points, const struct spending *of)
{
    return spent_on(points, of, EXP_PINGPONG);
}

const struct model model_textbook = {
    .name = "textbook",
    .help = "textbook formula; alpha and beta from ping-pong",
    .label = "textbook model",
    .prose = "textbook formulas with α and β of point-to-point messages",
    .colour = "#E69F00",
    .dash = 3,
    .marker = 5,
    .predict = predict,
    .core_s = core_s,
};

const struct model *const hockney_pingpong_model = &model_textbook;
