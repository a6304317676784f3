/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - the rows of models.h. Nothing else is in this file, so that a program can link another
 * table. */
#include "analysis/models/model.h"

extern const struct model model_channel_stage, model_channel_walk, model_links_flow,
    model_links_free, model_links_queue, model_links_step, model_links_step_hops, model_loggp,
    model_regression, model_regression_carried, model_regression_ls, model_regression_mm,
    model_simulated, model_stage, model_textbook;

const struct model *const models[] = {
    &model_stage,
    &model_loggp,
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
    &model_regression_carried,
    &model_links_queue,
    &model_links_flow,
    NULL,
};
