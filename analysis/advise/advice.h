/* SPDX-License-Identifier: BSD-3-Clause */
/* advice.h - which algorithm to take in cells that somebody asks about, from measurements (a study
 * or data set that was fitted) or from a file of `collsel train`.
 *
 * A cell that was measured is decided by its times: the fastest, or the library's default where
 * nothing is significantly faster. Any other cell is decided by `safe` (analysis/learn/safe.h): the
 * default, but where the measured cells about it and those who learnt times know something faster.
 * What the default would lose is then said by one of those who learnt times, the one whose choices
 * lost least where it was tried; the interval holds 95 % of the gains that it said there. A
 * pre-trained file has no measured cells: the default stays, but where the whole interval is a gain
 * and the cell lies within the processes and sizes that were learnt, or a doubling beyond. Nothing
 * is written. Owns its rows. */
#ifndef ANALYSIS_ADVISE_ADVICE_H
#define ANALYSIS_ADVISE_ADVICE_H

#include "analysis/judge/select.h"
#include "analysis/learn/model_file.h"

/* The question. Borrowed. */
struct advice_question {
    const char *collective;
    const char *mpi, *mapping; /* NULL: the first that there is */
    const uint64_t *procs, *bytes;
    size_t n_procs, n_bytes;
    int nodes, ppn; /* 0: as was measured, or as few nodes as hold the processes */
    int portable;   /* 1: schedules of ours may be taken, too; else what the library has alone */
    int likely;     /* so many candidates that what was learnt says are the fastest, beside the one
                       that is taken: at most ADVICE_LIKELY. Of models alone */
    int unsafe;     /* 1: what was learnt decides, also where `safe` stays with the default */
    const struct facts *machine; /* that is asked about; NULL: the one that was measured */
    /* the answer says nothing but what a file of rules for this library, of this release, can name,
     * whoever's schedule was timed; NULL: no matter */
    const char *numbered, *version;
    int components;  /* 1: the file names components of that library instead of algorithms */
    double near_pct; /* above 0: who takes at most so much longer than what is taken is told, too;
                        NaN: the study's tie_pct */
};

enum { ADVICE_REASON = 320, ADVICE_LIKELY = 3 };

/* Was the cell measured, does it lie among those that were, or beyond them? */
enum advice_evidence { EVIDENCE_MEASURED, EVIDENCE_INTERPOLATED, EVIDENCE_EXTRAPOLATED };

/* "measured", "interpolated", "extrapolated". */
extern const char *const advice_evidence_words[];

/* A candidate of a measured cell, and by how much longer than the one that is taken it takes. */
struct advice_near {
    struct candidate candidate;
    double longer_pct;
};

struct advice {
    struct cell cell;
    struct candidate take;
    struct candidate likely[ADVICE_LIKELY]; /* the fastest first */
    size_t n_likely;
    char selector[NAME_SIZE]; /* who decided: "measured", "safe", or a learner's name */
    /* by how much longer the library's default takes, percent, and the interval of it; 0 where it
     * is the default that is taken; NaN: not known. How often such an interval holds: 95, or,
     * beyond the largest P, how often it held at fewer, or, on a machine that was not learnt from,
     * on the worst that was left out (struct skill); NaN: not known. In how many tries that was
     * seen; 0: in none, as of times, whose statistics tell it */
    double longer_pct, longer_low_pct, longer_high_pct, longer_holds_pct;
    size_t longer_tries;
    int elsewhere; /* 1: nothing of the machine was learnt from */
    enum advice_evidence evidence;
    struct cell nearest; /* the nearest measured cell */
    double doublings;    /* how far that is: the root of the sum of the squares of the doublings of
                            processes, nodes and bytes */
    char reason[ADVICE_REASON];
    struct advice_near *near; /* owned; who was asked for with near_pct, nearest first, the one that
                                 is taken included; of INFINITY all, whatever stays */
    size_t n_near;            /* 0: the cell was not measured, or the default stays */
};

struct advice_table {
    struct advice *row; /* by processes, then bytes, in the order in which they were asked */
    size_t n;
    char cluster[NAME_SIZE]; /* where they were measured */
    int more;                /* 1: there are further sets */
    char backend[NAME_SIZE]; /* whose times they are, of results; "": a model answers */
    int simulated;           /* 1: no library ran */
    char machine[NAME_SIZE]; /* that is asked about */
    int machine_nodes;       /* it has; 0: not known */
    int machine_cores;       /* of one of its nodes; 0: not known */
    int deterministic;       /* 1: the times are certain: no gain has an interval */
    double tie_pct;          /* the study's; 0: none */
    char
        sim_default[NAME_SIZE]; /* of a simulation: the rule that stands for the default; else "" */
    char sources[NAME_SIZE + 64]; /* what a model file was learnt from; "": not said */
    char licence[LICENCE_SIZE];   /* of a model file; "": not said */
};

/* From the directory of a study or data set; from a file of `collsel train`. 0; 1 with *err and
 * nothing to clear: what was measured has no answer, as no cell has two candidates with a time; or
 * -1 with *err and nothing to clear. */
int advice_of_results(const char *dir, const struct advice_question *question,
                      struct advice_table *out, struct err *err);
int advice_of_model(const char *path, const struct advice_question *question,
                    struct advice_table *out, struct err *err);

/* The same of a model that was read; path: its name in errors. */
int advice_of_read_model(const struct model_file *model, const char *path,
                         const struct advice_question *question, struct advice_table *out,
                         struct err *err);

/* Frees what it holds. */
void advice_clear(struct advice_table *table);

#endif
