/* SPDX-License-Identifier: BSD-3-Clause */
/* trust.h - how far the numbers of a page carry, at one glance: the badge beside its title.
 *
 * Three levels. Firm: measured on the machine itself, all that was planned, nine points in ten as
 * precise as the study asks, drift at one in ten at most. A guide only: walked, planted, or
 * simulated with costs that are a preset's, a guess's or a default's; or timed, with fewer than
 * half of the points as precise as asked, or with drift at more than half; imported, with an
 * interval of more than a tenth, or none, at more than half. With care: all between, and at best
 * what was emulated, imported, or simulated with costs that all have a source. */
#ifndef REPORTS_TRUST_H
#define REPORTS_TRUST_H

#include <stdio.h>

#include "reports/data.h"

enum trust_level { TRUST_GUIDE, TRUST_CARE, TRUST_FIRM };

struct trust {
    enum trust_level level;
    size_t planned, missing; /* points that can be measured, and those not yet */
    size_t timed;            /* points with a time */
    size_t precise;          /* of them, those whose interval over launches is as asked; of what was
                                imported, where nobody asked, within a tenth */
    size_t once;             /* of one launch: without an interval */
    size_t watched, drifted; /* with a sentinel in their launches; it moved */
    size_t costs, guessed;   /* of a simulated machine; presets, assumed or defaults */
    int noisy, drifting;     /* 1: that alone makes it a guide only */
};

/* Judges a study by its points and its manifest. */
void trust_judge(const struct report_data *data, struct trust *trust);

/* "firm", "with care", "a guide only". */
const char *trust_word(enum trust_level level);

/* What the badge says in one line of plain text, for files and terminals: "walked, a guide only; no
 * interval: computed, and 11 of 14 costs are assumed, presets or defaults". Reads manifest.json and
 * points.csv of dir alone. To be freed; NULL with *err. */
char *trust_of_results(const char *dir, struct err *err);

/* The same of what was read for a page. To be freed. */
char *trust_text(const struct report_data *data) __attribute__((returns_nonnull));

/* Writes the badge, as HTML; below it, where noise or drift rules, what that means for all that
 * follows. */
void trust_badge(FILE *out, const struct report_data *data);

#endif
