/* SPDX-License-Identifier: BSD-3-Clause */
/* parameters.h - what was measured and fitted of a platform, as the models take it. */
#ifndef ANALYSIS_MODELS_PARAMETERS_H
#define ANALYSIS_MODELS_PARAMETERS_H

#include "analysis/measure/against.h"
#include "analysis/models/channel/channel_fit.h"
#include "analysis/models/gamma/gamma_fit.h"
#include "analysis/models/hockney/hockney.h"
#include "analysis/models/links/links_fit.h"
#include "analysis/models/loggp/loggp_fit.h"
#include "analysis/models/model.h"
#include "analysis/models/regression/regression.h"

struct carried;

/* Parameters of a platform. Borrowed. */
struct parameters {
    const struct facts *facts; /* where ranks sit: facts_seating */
    const struct gamma_models *gammas;
    const struct hockneys *fits;
    const struct loggp_fits *events;
    const struct against *against;         /* NULL: none */
    const struct channel_fits *channels;   /* NULL: none */
    const struct regressions *dummies;     /* NULL: none */
    const struct carried *carried;         /* NULL: none */
    const struct contentions *contentions; /* NULL: none */
};

#endif
