/* SPDX-License-Identifier: BSD-3-Clause */
/* audit.h - checks for errors in measurements, ours or imported: copied blocks, constant
 * ratios, labels without effect, times that decrease,
 * outliers, and mappings whose times do not fit the mapping.
 *
 * A check is one row of the table in audit.c. A finding states the evidence,
 * the place and the number of points; it is no proof. Owns its findings. */
#pragma once

#include "analysis/audit/series.h"

/* Runs all checks on a study's points. dir: its directory, for imported.csv; NULL: none. 0, or -1
 * with *err (imported.csv that cannot be read) and nothing to clear. */
int audit_run(const struct points *points, const struct facts *facts, const char *dir,
              struct audit *audit, struct err *err);

/* Rows are struct finding. */
extern const struct schema audit_schema;

/* Writes the findings as CSV (docs/formats.md) to an open file. */
void audit_print_csv(FILE *out, const struct audit *audit);
