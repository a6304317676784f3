/* SPDX-License-Identifier: BSD-3-Clause */
/* model_list.c - the rows of model.h and parameters.h. Nothing else is in this file, so that a
 * program can link other tables. */
#include "analysis/models/model.h"
#include "analysis/models/parameters.h"

extern const struct model model_channel_stage, model_channel_walk, model_links_free,
    model_links_queue, model_links_step, model_links_step_hops, model_regression,
    model_regression_ls, model_regression_mm, model_simulated, model_stage, model_textbook;

const struct model *const models[] = {
    &model_stage,
    &model_simulated,
    &model_textbook,
    &model_regression,
    &model_regression_ls,
    &model_regression_mm,
    &model_channel_stage,
    &model_channel_walk,
    &model_links_free,
    &model_links_step,
    &model_links_step_hops,
    &model_links_queue,
    NULL,
};

extern const struct parameter_set channel_set, gamma_set, hockney_set, links_set, regression_set;

const struct parameter_set *const parameter_sets[] = {
    &gamma_set, &hockney_set, &channel_set, &links_set, &regression_set, NULL,
};
