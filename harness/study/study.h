/* SPDX-License-Identifier: BSD-3-Clause */
/* study.h - measurements and comparisons of a study: clusters/studies/<name>.ini (reference:
 * docs/study-file.md). Intent, for any cluster; "[on NAME]" sections differ for one. */
#pragma once

#include "harness/base/arrival.h"
#include "harness/study/cluster.h"
#include "harness/study/libraries/natives.h"

enum { MOST_REPEATS = 100 }; /* launches of a point */

/* A pattern of arrival of a study. */
struct study_arrival {
    char name[ARRIVAL_SIZE]; /* as in a cell */
    char path[1024];         /* of a trace, its file; else "" */
    int ranks;               /* of a trace; else INT_MAX */
};

struct study {
    char name[KEY_WORD];
    char title[KEY_TEXT_MAX];
    struct name_list collectives;
    struct name_list mpi; /* on real machines; simulation has its own */
    struct name_list mappings;
    uint64_t seed;

    /* grid */
    struct name_list procs_asked;  /* numbers, "cores", "cores*2" */
    struct int_list procs;         /* resolved for the cluster */
    uint64_t bytes_from, bytes_to; /* log steps ... */
    int bytes_count;
    struct size_list bytes_listed; /* ... or a list */
    struct size_list bytes;        /* resolved */
    struct int_list roots;
    struct int_list shape_nodes, shape_ppn;      /* all pairs form the grid, instead of procs ... */
    int shape_procs;                             /* ... except those with more ranks; 0: all */
    char ranks_per[KEY_WORD];                    /* core, socket, node: what one rank occupies */
    int nodes;                                   /* resolved: that may be used */
    char spread[KEY_WORD];                       /* even, packed: over the nodes */
    int oversubscribe;                           /* ranks that may share what one rank occupies */
    struct name_list arrivals_asked;             /* together, skew:TIME, late:TIME, trace:FILE */
    struct study_arrival arrivals[KEY_LIST_MAX]; /* resolved; the first is together */
    size_t n_arrivals;
    struct name_list buffers; /* reused first, then maybe rotated */

    /* candidates */
    struct name_list portable, openmpi, mpich; /* algorithm names */
    struct size_list segment_bytes;
    struct pair_list fanouts;        /* of algorithms that take one */
    int reproducible;                /* only algorithms with one order for all sizes */
    int with_default;                /* the library's unforced choice is measured */
    char sim_default[KEY_WORD];      /* decision function in simulation */
    struct name_list other_defaults; /* further defaults whose choices are timed */

    /* fit */
    int experiments; /* 1: experiments for parameters of models are made */
    struct name_list fit_procs_asked;
    struct int_list fit_procs;
    struct int_list gamma_procs;     /* empty: 2..8, then powers of two, and the largest */
    struct size_list gather_bytes;   /* m_g, one per message size in turn */
    struct size_list pingpong_bytes; /* empty: the grid's */
    struct name_list channels_asked; /* names of channels */
    struct size_list channel_bytes;  /* resolved */
    struct int_list fanout_procs;    /* empty: 2..8, then powers of two, and the most there are */
    struct size_list copy_bytes;     /* empty: what the schedules copy */

    /* held out */
    struct int_list held_procs;
    double held_bytes_factor; /* 0: none */
    struct int_list held_roots;

    /* measure */
    double precision, confidence;
    int min_reps, max_reps, warmup, inner, sentinel_every, repeats;
    int repeats_max;                  /* repeats and this: 0 is auto (rounds.h) */
    double budget;                    /* s per point, of its first launches together */
    char plan[KEY_WORD];              /* full, adaptive: which points are measured */
    char core_budget[KEY_TEXT_MAX];   /* of an adaptive plan: core-seconds in all; "": no limit */
    double round_gap;                 /* s at least between the starts of two rounds */
    char sync[KEY_WORD];              /* barrier, window */
    int keep_ranks;                   /* every rank's times are kept */
    char statistic[KEY_WORD];         /* median, trimmed, mean: of the samples of a launch */
    char check[KEY_WORD];             /* auto, yes, no */
    char environment[KEY_WORD];       /* clean, site */
    double point_limit, launch_limit; /* s */
    uint64_t launch_messages;         /* a launch with more is cut in chunks */

    /* compare */
    double tie_pct;
    char holdout[KEY_TEXT_MAX]; /* a list of them (holdout_spec.h) */

    const struct native_strangers *strangers; /* what the libraries list, and their
                                                 releases; NULL: not looked at */

    int unwritten; /* 1: it has no file of its own: DIR/any.ini for one collective */
    char path[1024];
    struct settings settings;
};

extern const struct key_table study_keys;

/* 1 when a list of candidates stands for all candidates. */
int study_wants_all(const struct name_list *candidates);

/* Reads a study by name (DIR/<name>.ini) or path, with the overlay of the cluster, and
 * resolves values that depend on the cluster. A collective's name without such a file gives
 * DIR/any.ini for that collective. Returns 0, or -1 with *err and nothing to free. */
int study_load(const char *dir, const char *name, const struct cluster *cluster,
               struct study *study, struct err *err);

/* Sets the options of a command line that replace the keys plan and core_budget (NULL:
 * as in the file). 0, or -1 with *err: an invalid budget, or the plan is full. */
int study_ask(struct study *study, const char *plan, const char *core_budget, struct err *err);

/* Puts "FILE:LINE: KEY: " before the message held, which becomes one of wrong usage: the line of
 * the file, or 1 where it does not say the key. Returns -1. */
int study_in_key(const struct study *study, const char *key, struct err *err);

void study_free(struct study *study);
