/* SPDX-License-Identifier: BSD-3-Clause */
/* tuning.h - what a file of rules shall say: the choices of analysis/advise/advice.h in the cells
 * of a study or data set, or of a model, for a library's own algorithms.
 *
 * The default keeps every cell in which the gain over it is not known to be above a margin: the
 * lower end of the gain's interval counts, so that noise makes no rules. Among cells of
 * neighbouring sizes, and then of neighbouring processes, one choice is kept as long as it is as
 * good as the fastest within a tolerance, and gains more than the margin itself (smooth.h): noise
 * makes no stripes either. What is held out for judging makes no cell. A collective of which
 * nothing can be decided gets no rules, is told with the reason, and takes none from the others. */
#ifndef ANALYSIS_ADVISE_TUNING_H
#define ANALYSIS_ADVISE_TUNING_H

#include "analysis/advise/advice.h"
#include "analysis/advise/rule_interval.h"
#include "harness/rules/export.h"

struct tuning_question {
    const struct rules_reader *reader;
    const char *const *collectives; /* NULL-terminated; NULL: all that there are rules for */
    const char *mapping;            /* NULL: the first that there is */
    /* whose times count: an entry of the reader's library and of a release that reads its files, of
     * a reader of schedules any. NULL: the only such entry; of schedules the first */
    const char *mpi;
    const uint64_t *procs, *bytes; /* ascending; of results NULL: those that were measured */
    size_t n_procs, n_bytes;
    int likely; /* so many candidates beside each choice (advice.h); 0: none */
    double margin_pct;
    double tie_pct;   /* the tolerance; NaN: the study's, 0: none */
    int reproducible; /* 1: of what combines, one order for all sizes alone (one_order.h), also
                         where the default is faster */
    int unsure; /* 1: where nothing is known of how certain a gain is, the gain itself counts */
    const struct facts *machine; /* that the rules are for; NULL: the one that was measured */
};

/* Why a cell gets what it gets. */
enum tuning_verdict {
    TUNING_CHOSEN,  /* something else gains more than the margin */
    TUNING_BEST,    /* the default: nothing is faster, or not significantly */
    TUNING_MARGIN,  /* the default: something is faster, but may be so by less than the margin */
    TUNING_UNKNOWN, /* the default: what it takes, or how certain a gain is, is not known */
    TUNING_ORDERED  /* what keeps one order, whatever it takes */
};

struct tuning_cell {
    char collective[NAME_SIZE];
    int procs;
    uint64_t bytes;
    enum tuning_verdict verdict;
    int expected;          /* 1: results lack this cell, others tell of it */
    struct candidate take; /* what is set; else the fastest */
    double longer_pct; /* by how much longer that takes than the fastest, for a neighbour's sake */
    double gain_pct, low_pct, high_pct; /* by how much longer the default takes; NaN: not known */
};

/* What a file's library loses as the file leaves a component out that serves its default: of cells
 * without a rule. */
struct tuning_left {
    size_t cells, known;       /* where it serves; where what tuned takes instead is known, too */
    double mean_pct, most_pct; /* by how much longer that is, in the mean of ratios and at most */
    struct cell most;          /* where */
};

/* A collective that gets no rules: nothing in its measurements decides. */
struct tuning_undecided {
    char collective[NAME_SIZE];
    char why[ADVICE_REASON];
};

/* What was decided, and why. */
struct tuning {
    struct rules_choices choices;
    struct rule_interval
        reach;                /* what was seen of the intervals between cells; of a model nothing */
    struct tuning_cell *cell; /* owned; by collective, processes, bytes */
    size_t cells;
    size_t chosen;   /* something else than the default */
    size_t expected; /* of these: in cells that were not measured, by what was learnt of others */
    size_t best;     /* the default: nothing is faster, or not significantly */
    size_t margin;   /* the default: something is faster, but may be so by less than the margin */
    size_t unknown;  /* the default: what it takes, or how certain a gain is, is not known */
    size_t ordered;  /* one order, whatever it takes */
    double ordered_pct, ordered_most_pct; /* by how much longer that takes than what would be set
                                             without, in the mean of ratios and at most */
    size_t disordered; /* processes for which nothing keeps one order: the default */
    size_t kept;       /* of those chosen: the fastest within the tolerance, as its neighbour */
    double tie_pct;    /* the tolerance */
    char default_of[NAME_SIZE]; /* whose default it is: "Open MPI 3.1"; "": unknown */
    int other_release;          /* 1: that is no release that reads the rules */
    char cluster[NAME_SIZE], mpi[NAME_SIZE], mapping[NAME_SIZE];
    char version[NAME_SIZE]; /* of the library that was measured; "": unknown */
    int apart; /* 1: the library took each rank for one on a node of its own, wherever it was */
    int more;  /* 1: the times are of further sets, too */
    char machine[NAME_SIZE];            /* that the rules are for */
    char sources[NAME_SIZE + 64];       /* of a model: what it was learnt from, as in advice.h */
    char licence[LICENCE_SIZE];         /* of a model: of the times that it was learnt from */
    int simulated;                      /* 1: no library ran for these times */
    struct tuning_left left;            /* of a reader whose files leave `han` out */
    struct tuning_undecided *undecided; /* owned */
    size_t n_undecided;
};

/* From the directory of a study or data set; from a file of `collsel train`, where processes and
 * bytes must be given. 0, or -1 with *err and nothing to clear: a collective that was asked for by
 * name cannot be decided, or none can, among what else may go wrong. */
int tuning_of_results(const char *dir, const struct tuning_question *question, struct tuning *out,
                      struct err *err);
int tuning_of_model(const char *path, const struct tuning_question *question, struct tuning *out,
                    struct err *err);

/* Where the probes of an MPI lie: DIR/probe/MPI, a study like any other. 0, or -1 with *err. */
int tuning_probe_dir(const char *dir, const char *mpi, char path[PATH_SIZE], struct err *err);

/* Frees what it holds. */
void tuning_clear(struct tuning *tuning);

/* Who reads rules of the release whose times these are; of a simulation, of the release that its
 * default is of, or where nobody reads those, of another release of that library. NULL: nobody here
 * knows the files of that library, or the release is not known. */
const struct rules_reader *tuning_reader(const struct facts *facts, const char *mpi);

#endif
