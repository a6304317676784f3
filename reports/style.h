/* SPDX-License-Identifier: BSD-3-Clause */
/* style.h - colours and names: one colour, marker, label and two-letter code per
 * algorithm in every figure; sizes and times as people write them.
 *
 * An algorithm without an entry gets its name as label and a colour from its name, so a new one
 * needs no line here. Colours are distinguishable with any common colour vision (after Okabe & Ito
 * 2008 and Tol's schemes) and never used alone: a marker, a code or a label goes with each. */
#pragma once

#include "analysis/models/model.h"

struct algorithm_style {
    char label[64];  /* for people */
    char code[16];   /* two letters, for narrow cells; of a combination two for each level */
    char colour[12]; /* "#rrggbb" */
    int marker;      /* gnuplot's point type */
    int place;       /* in every legend */
};

/* By "LIBRARY:NAME" or "NAME", known or not. */
struct algorithm_style style_of(const char *algorithm);

/* The order of every legend, as qsort wants it. */
int style_compare(const char *a, const char *b);

/* A short text for people, printed. This and all texts below stand in one of 64 places, which are
 * used in turn: a text holds until as many others were asked for. Of one thread. */
const char *brief(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* How gnuplot draws it with points: "lc rgb ... pt ... lw ...". */
const char *algorithm_look(const char *algorithm);

/* "split binary", "split binary (openmpi)" when with_library and it is not portable. */
const char *algorithm_label(const char *algorithm, int with_library);

/* As algorithm_label, with the candidate's segment and fan-out where it has them: "K-chain, 128
 * KiB, fan-out 4". */
const char *candidate_label(const struct candidate *candidate, int with_library);

/* As candidate_label, with a root that is not rank 0: "binomial, root 5". */
const char *rooted_label(const struct cell *cell, const struct candidate *candidate,
                         int with_library);

/* Label, text and colour of a model on the page; defaults: its name, its help and grey. */
const char *model_label(const struct model *model);
const char *model_prose(const struct model *model);
const char *model_colour(const struct model *model);

/* How gnuplot draws it with lines and points: "lc rgb ... dt ... pt ... lw ...". */
const char *model_look(const struct model *model);

/* For people: "stage" -> "stage model", "default" -> "library default"; "rank_deficient" -> "rank
 * deficient", of a fit. A name without a label is its own. */
const char *selector_label(const char *selector);
const char *purpose_label(const char *purpose);
const char *fit_label(const char *status);

/* "8 KiB", "11.3 KiB", "4 MiB"; "12.3 µs"; "45 core-seconds", "12.3 core-hours"; "7297 %", "3.2 %";
 * minus is "−". */
const char *show_bytes(uint64_t bytes);
const char *show_time(double seconds);
const char *show_core_time(double core_s);
const char *show_pct(double pct);

/* Prints gnuplot's function at_bytes. */
void style_gnuplot(FILE *gp);

/* Prints gnuplot's range and tick list ("8 KiB" 8192, ...) of a logarithmic axis of sizes from low
 * to high, in bytes, one tick per factor. Empty messages are drawn left of one byte:
 * columns of bytes are plotted as at_bytes(column("bytes")). */
void axis_bytes(FILE *gp, uint64_t low, uint64_t high, int factor);

/* The lesser of `least` and a value if a logarithmic axis can
 * show it: an empty message may take no time in a simulation. */
double least_positive(double least, double value);

/* A factor of axis_bytes that leaves labels room where several panels stand side by side. */
int panel_factor(uint64_t low, uint64_t high);

/* The tick list of a logarithmic axis of times from low to high, in seconds, with or without its
 * labels. */
void ticks_time(FILE *gp, double low, double high, int labelled);

/* The list alone, in parentheses, for any axis. */
void ticks_list(FILE *gp, double low, double high, int labelled);
