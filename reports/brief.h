/* SPDX-License-Identifier: BSD-3-Clause */
/* brief.h - a study in short: how much slower the library's default is than it could be, by
 * collective, library and mapping, how sure that is, and what to type. The first page shows it
 * (sections/answer.c), `collsel report --brief` prints it.
 *
 * A factor is T_default / T_best of a cell, where the launches tell the two apart, else 1: how many
 * times slower the default is, and how many times faster the cell becomes. */
#pragma once

#include "reports/data.h"

/* Of one context, in cells of the study. */
struct brief_row {
    const struct context *context;
    struct losses loss; /* owned */
    size_t
        cells; /* all that have a best time; with same, untold and unknown, gains add up to them */
    size_t gains;      /* the default is slower by more than SETTING_MARGIN_PCT */
    size_t certain;    /* of these: at the lower end of its interval, too, above 0 */
    size_t same;       /* it is as good, within that */
    size_t unsure;     /* it took longer, and the interval of its loss reaches 0 */
    size_t unknown;    /* it has no time */
    double mean, most; /* factors: geometric mean and greatest; NaN: none is known */
};

struct brief {
    struct brief_row *row; /* one per context, in their order; owned */
    size_t rows;
    const struct brief_row *worst, *least; /* by their mean; NULL: the default has no time */
    char verdict[640];                     /* a sentence or two, plain text */
    char *export, *ask;                    /* commands, owned; NULL: there is none */
};

/* Sums up what was read for a report, which must outlive it. */
void brief_find(const struct report_data *data, struct brief *brief);

/* The libraries and mappings that the study compares in, from number 0 on; NULL: no more. */
const char *brief_library(const struct report_data *data, size_t number);
const char *brief_mapping(const struct report_data *data, size_t number);

void brief_clear(struct brief *brief);

/* "1536 points with a time, walked, on gros, 2 to 124 processes, 8 KiB to 4 MiB": plain text. */
void brief_basis(FILE *out, const struct report_data *data);

/* "3 (commit), on 2026-01-01": by which version and when the times were made. */
void brief_maker(FILE *out, const struct report_data *data);

/* "/at/site.rules, for openmpi-4.1 (verified ...)": the files of rules that were made of
 * the study and are there; nothing where there are none. */
void brief_files(FILE *out, const struct report_data *data);

/* The rows in which the default has a time (all, where it has none), the one where most is to be
 * gained first, at most so many. Returns how many in *n; to be freed. */
const struct brief_row **brief_by_mean(const struct brief *brief, size_t most, size_t *n);

/* "1.6", "1.04", "12": a factor for people; "–" of none. A text of `brief` (style.h). */
const char *brief_factor(double factor);

/* Writes it as text of lines, or as one JSON object. page: the path of the first page. */
void brief_text(FILE *out, const struct report_data *data, const char *page);
void brief_json(FILE *out, const struct report_data *data, const char *page);
