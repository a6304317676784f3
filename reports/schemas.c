/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/schemas.h"

#include "analysis/audit/audit.h"
#include "analysis/verify/crosscheck_ratios.h"
#include "analysis/judge/conditions.h"
#include "analysis/judge/errors.h"
#include "analysis/verify/guidelines.h"
#include "analysis/heldout/pooled_learning.h"
#include "analysis/heldout/heldout.h"
#include "analysis/judge/selectors/external.h"
#include "analysis/judge/views.h"
#include "analysis/models/channel/channel_fit.h"
#include "analysis/models/hockney/hockney.h"
#include "analysis/models/links/links_fit.h"
#include "analysis/models/regression/regression.h"
#include "analysis/verify/verify.h"
#include "harness/study/imported_rows.h"
#include "reports/papers.h"
#include "reports/reference.h"

const struct schema *const formats[] = {
    &plan_schema,
    &skipped_schema,
    &prior_schema,
    &sample_schema,
    &rank_schema,
    &outcome_schema,
    &placement_schema,
    &imported_schema,
    &points_schema,
    &views_schema,
    &verify_schema,
    &verify_whole_schema,
    &guidelines_schema,
    &star_schema,
    &cost_schema,
    &compared_schema,
    &gamma_schema,
    &gamma_line_schema,
    &hockney_schema,
    &residual_schema,
    &channel_schema,
    &channel_time_schema,
    &channel_gamma_schema,
    &channel_ratio_schema,
    &links_place_schema,
    &links_schema,
    &regression_schema,
    &regression_term_schema,
    &regression_point_schema,
    &predictions_schema,
    &errors_schema,
    &selection_schema,
    &degradation_schema,
    &external_choices_schema,
    &external_predictions_schema,
    &application_schema,
    &apps_schema,
    &conditions_schema,
    &arrival_schema,
    &heldout_schema,
    &joined_schema,
    &overhead_schema,
    &learning_schema,
    &importance_schema,
    &cross_schema,
    &audit_schema,
    &reference_schema,
    &reference_star_schema,
    &reference_apps_schema,
    &reference_pml_schema,
    &papers_schema,
    NULL,
};
