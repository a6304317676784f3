/* SPDX-License-Identifier: BSD-3-Clause */
/* sections.c - the rows of section.h. Nothing else is in this file, so that a program can link
 * another table. */
#include "reports/section.h"

extern const struct section section_set, section_summary, section_winners, section_selection,
    section_gamma, section_parameters, section_loggp, section_textbook, section_algorithms,
    section_heldout, section_selectors, section_libraries, section_against, section_quality,
    section_placement, section_mishaps, section_cost, section_platform, section_provenance,
    section_mappings, section_regression, section_regression_carried, section_errors,
    section_channel, section_links, section_link_loads, section_imported, section_environment,
    section_conditions, section_views, section_beyond, section_bits, section_candidates,
    section_unseen, section_unseen_where, section_learning, section_importance, section_losses,
    section_distributions;

/* clang-format off */
const struct section *const sections[] = {
    &section_set,
    &section_summary,
    &section_losses,
    &section_imported,
    &section_winners,
    &section_selection,
    &section_distributions,
    &section_beyond,
    &section_bits,
    &section_selectors,
    &section_unseen,
    &section_unseen_where,
    &section_learning,
    &section_importance,
    &section_conditions,
    &section_views,
    &section_libraries,
    &section_against,
    &section_gamma,
    &section_parameters,
    &section_loggp,
    &section_textbook,
    &section_algorithms,
    &section_heldout,
    &section_channel,
    &section_links,
    &section_link_loads,
    &section_mappings,
    &section_regression,
    &section_regression_carried,
    &section_errors,
    &section_candidates,
    &section_quality,
    &section_placement,
    &section_environment,
    &section_mishaps,
    &section_cost,
    &section_platform,
    &section_provenance,
    NULL,
};
/* clang-format on */
