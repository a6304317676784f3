/* SPDX-License-Identifier: BSD-3-Clause */
/* data.h - the input of a report: the files of one study (docs/formats.md), read once.
 *
 * points.csv and manifest.json must exist; any other file may be missing, and then has no rows.
 * A malformed file is an error with file and line. Owns its rows; numbers that a file leaves
 * empty are NaN, integers -1. Times in seconds, sizes in bytes. */
#pragma once

#include "analysis/judge/conditions.h"
#include "analysis/judge/degrade.h"
#include "analysis/judge/errors.h"
#include "analysis/heldout/heldout.h"
#include "analysis/judge/importance.h"
#include "analysis/judge/views.h"
#include "analysis/models/channel/channel_fit.h"
#include "analysis/models/hockney/hockney.h"
#include "analysis/models/links/links_fit.h"
#include "analysis/models/regression/regression.h"

enum { REASON_TEXT = 256 };

/* events.jsonl: a failure of a launch. */
struct mishap {
    struct event of;
    char became[96]; /* "finished by attempt 2" */
    int mended;      /* 1: its unfinished points were finished later */
};

/* events.jsonl: a node that is not used any more. */
struct excluded {
    struct event of;
    size_t mishaps; /* that name it */
};

/* samples/ *.placement.csv, *.outcomes.csv: where the ranks of an attempt sat, and what was found
 * invalid there. */
struct placed {
    struct launch launch;
    int attempt;
    size_t ranks, n_hosts;
    char (*host)[HOST_SIZE];    /* in order of first rank */
    int least, most;            /* ranks per host */
    int fewest_cpus, most_cpus; /* that a rank may run on; 0: not known */
    int shared;                 /* 1: two ranks of a host may run on one CPU */
    char judged[96];            /* method of the check; "": not known */
    char verdict[REASON_TEXT];  /* "as asked", or the error; "": not known */
    size_t invalid;             /* points */
    char reason[REASON_TEXT];   /* of the first of them */
};

/* A collective, a library and a mapping that the study compares candidates in. */
struct context {
    char collective[NAME_SIZE], mpi[NAME_SIZE], mapping[NAME_SIZE];
};

/* A candidate that a context compares. */
struct offered {
    struct context context;
    struct candidate candidate;
};

/* DIR/holdout/NAME/: a trial of `collsel select --holdout`,
 * the losses of selectors on held-out cells. */
struct heldout_trials {
    char name[NAME_SIZE];
    struct heldout_row *row;
    size_t rows;
    struct importance_row *importance;
    size_t importances;
};

struct report_data {
    struct facts facts; /* of the study; has_facts 0: its manifest does not say them */
    int has_facts;
    char dir[1024];
    char cluster[NAME_SIZE], study[NAME_SIZE], backend[NAME_SIZE];
    char backend_label[96]; /* "simulated by SimGrid SMPI", "measured", ... */
    char backend_title[96]; /* its part before a colon: short enough for a title in a
                               figure, and for captions below a header with all of it */
    char title[512];        /* of the cluster */
    int doubted;            /* 1: doubted times count (points.h) */
    int simulated;          /* no MPI library ran: simulated or planted */
    int emulated;           /* real libraries, on an emulated cluster */
    int here;               /* its cluster is this machine (cluster_is_here) */
    int imported;           /* measured by others: `study` is the data set's name */
    json_t *manifest;
    json_t *rules; /* of rules.json: the files of rules that are there, by library */
    struct measured *result;
    size_t results;
    struct gamma_row *gamma;
    size_t gammas;
    struct gamma_line *line;
    size_t lines;
    struct hockney *hockney;
    size_t hockneys;
    struct channel_row *channel;
    size_t channels;
    struct channel_time_row *channel_time;
    size_t channel_times;
    struct channel_gamma_row *channel_gamma;
    size_t channel_gammas;
    struct channel_ratio_row *channel_ratio;
    size_t channel_ratios;
    struct links_place *links_place;
    size_t links_places;
    struct links_row *links_row;
    size_t links_rows;
    struct regression_row *regression;
    size_t regressions;
    struct regression_term *regression_term;
    size_t regression_terms;
    struct regression_point *regression_point;
    size_t regression_points;
    struct error_row *model_error;
    size_t model_errors;
    struct predicted *prediction;
    size_t predictions;
    struct selection *choice;
    size_t choices;
    struct degradation *degradation;
    size_t degradations;
    struct heldout_trials *unseen; /* trials on cells that were held out */
    size_t n_unseen;
    struct condition_loss *condition;
    size_t conditions;
    struct view_row *view;
    size_t views;
    struct attempt_cost *cost;
    size_t costs;
    struct compared *compared;
    size_t n_compared;
    struct mishap *mishap;
    size_t mishaps, events;
    struct excluded *excluded;
    size_t n_excluded;
    struct placed *placed;
    size_t n_placed;
    struct context *context;
    size_t contexts;
    size_t collectives;      /* among them */
    struct offered *offered; /* the study's candidates, each once per context */
    size_t n_offered;
    int any_portable; /* any time of a portable algorithm */
    int any_foreign;  /* any of an algorithm that is not the library's own */
    int any_ran;      /* any point with known algorithm */
};

/* Reads DIR. 0, or -1 with *err and nothing to free. */
int report_data_read(const char *dir, int doubted, struct report_data *data, struct err *err);

void report_data_clear(struct report_data *data);

/* The description of a backend's results: "simulated by SimGrid SMPI", "backend x" for an
 * unknown one. *simulated (NULL: not wanted) becomes 1 if no MPI library ran. Returns buf. */
const char *backend_words(const char *backend, char *buf, size_t size, int *simulated);

/* Reads DIR/manifest.json: cluster, study, backend and what follows from them. 0, or -1 with *err.
 */
int manifest_read(struct report_data *data, struct err *err);

/* Reads DIR/events.jsonl into mishaps and excluded nodes, with the final state of each launch. The
 * results must have been read. 0, or -1 with *err. */
int history_read(struct report_data *data, struct err *err);

/* Reads what DIR/samples tells of placement, files of the manifest's digest. 0, or -1 with *err. */
int placement_read(struct report_data *data, struct err *err);

/* Reads the trials below DIR/holdout, by name. 0, or -1 with *err. */
int heldout_trials_read(struct report_data *data, struct err *err);

/* Frees them. */
void heldout_trials_clear(struct report_data *data);

/* 1 when a row is of these points, of the context or (NULL) of all together. */
int heldout_trials_in(const struct heldout_row *row, const struct context *context);

/* The row of a selector for the study's own points in a context, or (NULL) for all together; NULL
 * where there is none, or no cell. */
const struct heldout_row *heldout_trials_row(const struct heldout_trials *unseen,
                                             const struct context *context, const char *selector);

/* Kinds of selectors for comparisons: selectors by a model's predictions, learners
 * (analysis/learn/learner.h), and all others (default, best, safe, ...). */
enum heldout_trials_kind { UNSEEN_MODEL, UNSEEN_LEARNER, UNSEEN_OTHER };

/* The row of a kind with the least loss, among those with the most decided cells; NULL: none. */
const struct heldout_row *heldout_trials_least(const struct heldout_trials *unseen,
                                               const struct context *context,
                                               enum heldout_trials_kind kind);

/* A text of the manifest by its path of keys ("tool/commit"), or "unknown". */
const char *manifest_text(const struct report_data *data, const char *path);

/* Sorts the choices for choices_at. */
void choices_sort(struct report_data *data);

/* The choices at the cells of this collective, library, mapping, processes, bytes and root, however
 * the ranks are spread over nodes; *n of them. */
const struct selection *choices_at(const struct report_data *data, const struct cell *cell,
                                   size_t *n);

/* Suffix for the label of a model that these times do not test (standing_mark); else "". */
const char *no_test_mark(const struct report_data *data, const struct model *model);

/* Explains the suffix " (simulator)". */
extern const char simulator_note[];

/* Suffix for the label of a model whose rules were chosen on these data: " ‡"; else "". */
const char *chosen_mark(const struct report_data *data, const struct model *model);

/* Explains that mark, for a note below a table. */
extern const char chosen_note[];

/* 1 when the point has a usable time. */
int result_usable(const struct measured *r);

/* Points that can be measured here, and how many of them have not been yet. */
void count_points(const struct report_data *data, size_t *planned, size_t *missing);

/* Number of times that are unusable only because they are doubted. */
size_t count_doubted(const struct report_data *data);

/* The algorithm that really ran for this candidate at this
 * cell ("" or its own name if nothing else is known). */
const char *ran_at(const struct report_data *data, const struct cell *cell,
                   const struct candidate *candidate);

/* 1 when the study has this algorithm with several segment sizes in the context. */
int several_segments(const struct report_data *data, const struct context *context,
                     const char *algorithm);

/* 1 when more ranks than cores shared the machine there (real single machines). */
int oversubscribed(const struct report_data *data, const struct cell *cell);

/* 1 when the cell is of this collective, library and mapping. */
int cell_in(const struct cell *cell, const struct context *context);

/* The same of a fit; an empty collective is any. */
int fit_in(const char *collective, const char *mpi, const char *mapping,
           const struct context *context);

/* The same of a row of degradation.csv. */
int degradation_in(const struct degradation *row, const struct context *context);
