/* SPDX-License-Identifier: BSD-3-Clause */
/* advice.h - which algorithm to use in the cells of a query, from measurements (a study or data set
 * that was fitted) or from a file of `collsel train`.
 *
 * A measured cell takes its fastest candidate, or the default where nothing is significantly
 * faster. Any other cell is decided by `safe` (analysis/learn/safe.h): the default, unless the
 * neighbouring measured cells and the learners predict a faster candidate. The loss of the default
 * is then predicted by the learner whose choices lost least on validation cells; the interval holds
 * 95 % of its gains there. A pre-trained file has no measured cells: the default stays, unless the
 * whole interval is a gain and the cell lies within the trained processes and sizes, or one
 * doubling beyond. Nothing is written. Owns its rows. */
#pragma once

#include "analysis/judge/select.h"

/* The question. Borrowed. */
struct advice_question {
    const char *collective;
    const char *mpi, *mapping; /* NULL: the first that there is */
    const uint64_t *procs, *bytes;
    size_t n_procs, n_bytes;
    int nodes, ppn; /* 0: as measured, or the fewest nodes that hold the processes */
    int portable;   /* 1: our schedules are candidates, too; 0: only the library's algorithms */
    int likely;     /* number of likely candidates listed beside the one
                       taken: at most ADVICE_LIKELY. For models only */
    int doubted;    /* 1: doubted times count (points.h) */
    int unsafe;     /* 1: the learner decides, also where `safe` keeps the default */
    const struct facts *machine;     /* machine of the query; NULL: the measured one */
    const struct model_first *first; /* where measured cells keep the default; NULL: none */
    /* only choices that a rules file for this library and release can
     * name, whichever library's schedule was timed; NULL: no limit */
    const char *numbered, *version;
    int components;  /* 1: the file names components of that library instead of algorithms */
    double near_pct; /* above 0: also list candidates at most this much
                        slower than the choice; NaN: the study's tie_pct */
};

enum { ADVICE_REASON = 320, ADVICE_LIKELY = 3 };

/* Whether the cell was measured, lies between measured cells, or beyond them. */
enum advice_evidence { EVIDENCE_MEASURED, EVIDENCE_INTERPOLATED, EVIDENCE_EXTRAPOLATED };

/* "measured", "interpolated", "extrapolated". */
extern const char *const advice_evidence_words[];

/* A candidate of a measured cell, its extra time over the choice, percent, and the interval of the
 * default's extra time over it; NaN: not known. */
struct advice_near {
    struct candidate candidate;
    double longer_pct, low_pct, high_pct;
};

struct advice {
    struct cell cell;
    struct candidate take;
    struct candidate likely[ADVICE_LIKELY]; /* the fastest first */
    size_t n_likely;
    char selector[NAME_SIZE]; /* deciding selector: "measured", "safe", or a learner's name */
    /* extra time of the library's default, percent, and its interval; 0 where the
     * default is taken; NaN: not known. holds: of a measured cell the confidence; else
     * the promised coverage of such intervals (struct learner_interval), percent; NaN: not
     * known. tries: number of cases behind that coverage; 0: none, as for measured times */
    double longer_pct, longer_low_pct, longer_high_pct, longer_holds_pct;
    size_t longer_tries;
    double estimate_s; /* of the choice, s, by the walk of a machine that nobody measured (or of
                          what the default runs there); NaN: not walked */
    int elsewhere;     /* 1: no training data are from this machine */
    enum advice_evidence evidence;
    struct cell nearest; /* the nearest measured cell */
    double doublings;    /* distance to it: root of the sum of the squared
                            doublings of processes, nodes and bytes */
    char reason[ADVICE_REASON];
    struct advice_near *near; /* owned; candidates within near_pct, nearest first,
                                 the choice included; INFINITY: all, in any case */
    size_t n_near;            /* 0: the cell was not measured, or the default stays */
};

struct advice_table {
    struct advice *row; /* by processes, then bytes, in the order in which they were asked */
    size_t n;
    char cluster[NAME_SIZE]; /* where they were measured */
    int more;                /* 1: there are further sets */
    char backend[NAME_SIZE]; /* backend of the measured times; "": from a model */
    int simulated;           /* 1: no library ran */
    char machine[NAME_SIZE]; /* that is asked about */
    int machine_nodes;       /* its number of nodes; 0: not known */
    int machine_cores;       /* cores per node; 0: not known */
    int deterministic;       /* 1: deterministic times: no gain has an interval */
    double tie_pct;          /* the study's; 0: none */
    char rule[NAME_SIZE]; /* of a model: the decision function of its default; "": not published */
    char sources[NAME_SIZE + 64]; /* training sets of a model file; "": not known */
    char licence[LICENCE_SIZE];   /* of a model file; "": not known */
};

/* Answers from the directory of a study or data set, or from a file of
 * `collsel train`. Returns 0; 1 with *err when no cell has two candidates
 * with a time; or -1 with *err. Nothing is to be cleared after 1 or -1. */
int advice_of_results(const char *dir, const struct advice_question *question,
                      struct advice_table *out, struct err *err);
int advice_of_model(const char *path, const struct advice_question *question,
                    struct advice_table *out, struct err *err);

/* The same for a model in memory; path: its name in error messages. */
int advice_of_read_model(const struct model_file *model, const char *path,
                         const struct advice_question *question, struct advice_table *out,
                         struct err *err);

/* 1 when a file can answer a question: of the collective, the library and the mapping. */
int advice_model_knows(const struct model_file *model, const struct advice_question *question);

/* Answers with the library's default in every cell, where nothing else is known: `why` is the
 * reason. The machine of the question, where there is one, has room for the cells. As
 * advice_of_results. */
int advice_of_nothing(const struct advice_question *question, const char *why,
                      struct advice_table *out, struct err *err);

/* Places a cell's processes on as few nodes of a machine (or of the question's, or on its nodes and
 * ppn) as hold them, as evenly as can be. 0. */
int advice_place(const void *machine, const struct advice_question *question, struct cell *cell,
                 struct err *err);

void advice_clear(struct advice_table *table);
