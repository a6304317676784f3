/* SPDX-License-Identifier: BSD-3-Clause */
/* sections.c - the rows of section.h. Nothing else is in this file, so that a program can link
 * another table. */
#include "reports/section.h"

extern const struct section section_set, section_winners, section_selection, section_gamma,
    section_parameters, section_textbook, section_algorithms, section_heldout, section_selectors,
    section_libraries, section_against, section_quality, section_placement, section_mishaps,
    section_cost, section_platform, section_provenance, section_mappings, section_regression,
    section_errors, section_channel, section_links, section_imported, section_environment,
    section_conditions, section_views, section_beyond, section_bits, section_unseen,
    section_importance, section_losses, section_star, section_application, section_apps,
    section_joined, section_overhead, section_releases, section_doubts, section_answer;

/* clang-format off */
const struct section *const sections[] = {
    &section_set,
    &section_losses,
    &section_imported,
    &section_doubts,
    &section_winners,
    &section_selection,
    &section_beyond,
    &section_bits,
    &section_star,
    &section_apps,
    &section_application,
    &section_selectors,
    &section_unseen,
    &section_joined,
    &section_overhead,
    &section_importance,
    &section_conditions,
    &section_views,
    &section_releases,
    &section_libraries,
    &section_against,
    &section_gamma,
    &section_parameters,
    &section_textbook,
    &section_algorithms,
    &section_heldout,
    &section_channel,
    &section_links,
    &section_mappings,
    &section_regression,
    &section_errors,
    &section_quality,
    &section_placement,
    &section_environment,
    &section_mishaps,
    &section_cost,
    &section_platform,
    &section_provenance,
    &section_answer,
    NULL,
};
/* clang-format on */
