/* SPDX-License-Identifier: BSD-3-Clause */
/* simulated: the time of the same messages in a simulation of the cluster, where the study is
 * compared with one (compare_studies.h). */
#include "analysis/models/simulated/simulated.h"

#include "analysis/models/parameters.h"

static int has_simulation(const struct parameters *p)
{
    return p->against && strcmp(p->against->points.backend, "sim") == 0;
}

static enum predict_status predict(const struct question *q, double *seconds)
{
    const struct point point = { .experiment = EXP_TIME,
                                 .cell = *q->cell,
                                 .candidate = *q->candidate };
    const struct measured *twin =
        has_simulation(q->p) ? compare_studies_find(q->p->against, &point) : NULL;
    if (!twin || !measured_usable(twin))
        return PREDICT_NO_FIT;
    *seconds = twin->time.value;
    return PREDICT_OK;
}

const struct model model_simulated = {
    .name = "simulated",
    .simulators = 1,
    .help = "the same messages in a simulation of the cluster",
    .label = "simulation",
    .prose =
        "the times of the same messages in a simulation of the cluster as its file describes it",
    .colour = "#666666",
    .dash = 4,
    .marker = 3,
    .takes_native = 1,
    .applies = has_simulation,
    .predict = predict,
};

const struct model *const twin_model = &model_simulated;
