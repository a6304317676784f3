/* SPDX-License-Identifier: BSD-3-Clause */
/* tuning.h - content of a rules file: the choices of analysis/advise/advice.h in the cells
 * of a study or data set, or of a model, for a library's own algorithms.
 *
 * The default stays in every cell whose gain is not known to exceed a margin. The lower end of
 * the gain's interval is compared with the margin, so noise makes no rules. Among neighbouring
 * sizes, and then neighbouring processes, one choice is kept while it is within a tolerance of
 * the fastest and its own gain exceeds the margin (smooth.h). Held-out cells are not used. A
 * collective that cannot be decided gets no rules and is reported with the reason; the other
 * collectives still get theirs. The tolerance avoids choices that alternate by noise. */
#pragma once

#include "analysis/advise/advice.h"
#include "analysis/advise/rule_interval.h"

struct tuning_question {
    const struct rules_reader *reader;
    const char *const *collectives; /* NULL-terminated; NULL: all that there are rules for */
    const char *mapping;            /* NULL: the first that there is */
    /* the MPI entry whose times are used: of the reader's library and a release that reads its
     * files; for schedules any entry. NULL: the only such entry; for schedules the first */
    const char *mpi;
    const uint64_t *procs, *bytes; /* ascending; of results NULL: those that were measured */
    size_t n_procs, n_bytes;
    int likely; /* so many candidates beside each choice (advice.h); 0: none */
    double margin_pct;
    double tie_pct;              /* the tolerance; NaN: the study's, 0: none */
    int reproducible;            /* 1: reductions use one order for all sizes
                                    (one_order.h), also where the default is faster */
    int doubted;                 /* 1: doubted times count (points.h) */
    int unsure;                  /* 1: a gain without a known interval is compared by its value */
    const struct facts *machine; /* that the rules are for; NULL: the one that was measured */
    const struct model_first *first; /* as of an advice_question */
};

/* Reason of a cell's choice. */
enum tuning_verdict {
    TUNING_CHOSEN,  /* something else gains more than the margin */
    TUNING_BEST,    /* the default: nothing is faster, or not significantly */
    TUNING_MARGIN,  /* the default: something is faster, but may be so by less than the margin */
    TUNING_UNKNOWN, /* the default: what it takes, or how certain a gain is, is not known */
    TUNING_ORDERED  /* a choice of one order, at any cost in time */
};

struct tuning_cell {
    char collective[NAME_SIZE];
    int procs;
    uint64_t bytes;
    enum tuning_verdict verdict;
    int expected;          /* 1: not measured; predicted from other cells */
    struct candidate take; /* what is set; else the fastest */
    double longer_pct;     /* extra time over the fastest, accepted to match a neighbour */
    double gain_pct, low_pct, high_pct; /* by how much longer the default takes; NaN: not known */
    double holds_pct;                   /* of such intervals (advice.h, longer_holds_pct) */
};

/* What the library loses, in cells without a rule, because
 * the file disables a component that serves its default. */
struct tuning_left {
    size_t cells, known;       /* cells it serves; those where the time of tuned is known, too */
    double mean_pct, most_pct; /* extra time of tuned: mean of ratios, and largest */
    struct cell most;          /* where */
};

/* A collective without rules: its measurements do not decide. */
struct tuning_undecided {
    char collective[NAME_SIZE];
    char why[ADVICE_REASON];
};

/* All decisions and their reasons. */
struct tuning {
    struct rules_choices choices;
    struct rule_interval reach; /* data on the intervals between cells; of a model walked */
    struct tuning_cell *cell;   /* owned; by collective, processes, bytes */
    size_t cells;
    size_t chosen;   /* cells with another choice than the default */
    size_t expected; /* of these: unmeasured cells, predicted from others */
    size_t best;     /* the default: nothing is faster, or not significantly */
    size_t margin;   /* the default: something is faster, but may be so by less than the margin */
    size_t unknown;  /* the default: what it takes, or how certain a gain is, is not known */
    size_t ordered;  /* one order, whatever it takes */
    double ordered_pct, ordered_most_pct; /* by how much longer that takes than what would be set
                                             without, in the mean of ratios and at most */
    size_t disordered; /* numbers of processes without one possible order: default */
    size_t kept;       /* of those chosen: kept equal to a neighbour within the tolerance */
    double tie_pct;    /* the tolerance */
    char default_of[NAME_SIZE]; /* whose default it is: "Open MPI 3.1"; "": unknown */
    int other_release;          /* 1: that release does not read the rules */
    char cluster[NAME_SIZE], mpi[NAME_SIZE], mapping[NAME_SIZE];
    char version[NAME_SIZE];            /* of the library that was measured; "": unknown */
    int apart;                          /* 1: the library treated each rank as alone on its node */
    int more;                           /* 1: times of further sets are included */
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

void tuning_clear(struct tuning *tuning);

/* Reader of the rules of the measured release. For a simulation: reader of the release that its
 * default comes from, else of another release of that library. NULL: no
 * reader for the files of that library, or the release is not known. */
const struct rules_reader *tuning_reader(const struct facts *facts, const char *mpi);
