/* SPDX-License-Identifier: BSD-3-Clause */
/* trust.h - the reliability of a page's numbers at a glance: the badge next to its title.
 *
 * Three levels. Firm: measured on the machine itself, all planned points, nine of ten points
 * as precise as the study requires, drift in at most one of ten. A guide only: walked or
 * planted; or simulated with costs from a preset, a guess or a default; or measured, with
 * fewer than half of the points precise enough or drift in more than half; or imported, with
 * no interval, or one above a tenth, for more than half. With care: everything between; at
 * best so are emulated and imported times, and simulations with a source for every cost. */
#pragma once

#include "reports/data.h"

enum trust_level { TRUST_GUIDE, TRUST_CARE, TRUST_FIRM };

struct trust {
    enum trust_level level;
    size_t planned, missing; /* points that can be measured, and those not yet */
    size_t timed;            /* points with a time */
    size_t precise;          /* of them: precise enough over launches;
                                for imported ones within a tenth */
    size_t once;             /* of one launch: without an interval */
    size_t watched, drifted; /* points with a sentinel in their launches; those with drift */
    size_t costs, guessed;   /* of a simulated machine; presets, assumed or defaults */
    int noisy, drifting;     /* 1: sufficient alone for "a guide only" */
};

/* Judges a study by its points and its manifest. */
void trust_judge(const struct report_data *data, struct trust *trust);

/* "firm", "with care", "a guide only". */
const char *trust_word(enum trust_level level);

/* The text of the badge in one line, for files and terminals: "walked, a guide only;
 * an estimate without interval; 11 of its 14 costs are typical values, ...". Reads
 * only manifest.json and points.csv of dir. To be freed; NULL with *err. */
char *trust_of_results(const char *dir, int doubted, struct err *err);

/* Makes a text fit for a terminal, in place: spaces for those that no line breaks at, and no
 * control characters. Returns it. */
char *trust_plain(char *text);

/* The same of what was read for a page. To be freed. */
char *trust_text(const struct report_data *data) __attribute__((returns_nonnull));

/* Writes the badge as HTML; below it, if noise or drift
 * decides, the consequence for the whole page. */
void trust_badge(FILE *out, const struct report_data *data);
