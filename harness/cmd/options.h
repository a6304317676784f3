/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the options that most commands share: what is studied where. The input of such a
 * command begins with a struct options. */
#pragma once

#include "harness/base/argv.h"
#include "harness/base/suggest.h"
#include "harness/cmd/cmd.h"
#include "harness/rules/rules.h"
#include "harness/study/study.h"
#include "workloads/schedules/collectives.h"

struct options {
    const char *cluster, *study, *backend; /* names as given; cluster NULL: none, see `none` */
    const char *clusters;                  /* directory of cluster files */
    const char *results;                   /* directory of results */
    const char *build;                     /* directory of the measuring programs; NULL: ours */
    const char *dataset;                   /* instead of a study: name or directory; NULL: none */
    char *command;                  /* our command line, as the shell takes it, for manifests */
    const char *plan, *core_budget; /* override the study's; NULL: the study's */
    int cluster_given, study_given, backend_given;
    int quiet;
    char chosen[PATH_SIZE]; /* the default cluster, when none is given */
    struct err none;        /* why there is none */
    int unsure;             /* 1: gains without an interval count */
    int doubted;            /* 1: doubted times count (points.h) */
};

/* The defaults: the study of COLLECTIVE_EXAMPLE, backend auto, clusters, results. */
void options_init(struct options *options);

/* None, for a command whose input begins with a struct options all the same; the options of where
 * results lie; with them those of what is studied; with these --dataset, for the commands that read
 * results. */
extern const struct option_set options_none, options_of_place, options_of_study, options_of_results;

/* Those of what is studied, with --plan and --budget: of who plans what is measured, and of a
 * report, which measures what it lacks. */
extern const struct option_set options_of_plan, options_of_report;

/* An option's number; argp_error when it is none, or below least or above most. */
int options_take_int(struct argp_state *state, const char *name, const char *arg, int least,
                     int most);

/* Parses comma-separated numbers, "2,4,8", each by `take` and at most `most`;
 * argp_error for a wrong number or too many numbers. Repeated lists are appended. */
struct options_list {
    uint64_t *v;
    size_t room, n;
};
void options_take_list(struct argp_state *state, const char *name, char *arg,
                       int (*take)(const char *, uint64_t *, struct err *), uint64_t most,
                       struct options_list *list);

/* The collective, and the reader of files of rules, of this name; argp_error, with the name that
 * may be meant, when there is none. writes: only readers for which files can be written. */
const char *options_take_collective(struct argp_state *state, const char *arg);
const struct rules_reader *options_take_reader(struct argp_state *state, const char *arg,
                                               int writes);

/* Takes the cluster that is meant where none was given (cluster_default); what of it is wrong stays
 * for who wants one. command_run does that. */
void options_choose(struct options *options);

/* Loads the cluster that is given, or chosen. 0, or -1 with *err. */
int options_cluster(const struct options *options, struct cluster *cluster, struct err *err);

/* Loads the cluster and the study that the options name. 0, or -1 with *err and nothing to free. */
int options_load(const struct options *options, struct cluster *cluster, struct study *study,
                 struct err *err);

/* Writes RESULTS/<cluster>/<study> to buf, with the suffix "-sim"
 * when a simulation of a cluster with Slurm is selected by name, so
 * that both results are kept, and "-walk" for the backend walk. */
int options_dir(const struct options *options, const struct cluster *cluster,
                const struct study *study, char *buf, size_t size, struct err *err);

/* The directory whose results a command reads: of the data set where one is named, else of the
 * study. A data set of that name is looked for under all clusters unless one is given. */
int options_results(const struct options *options, char *buf, size_t size, struct err *err);

/* Adds all data sets and studies with results to the names that may be meant. */
void options_meant_datasets(struct suggest *m, const char *results);

/* The same options for a further data set named on the
 * command line: a directory may be of any cluster. */
struct options options_beside(const struct options *options, const char *dataset);

/* Checks that the directory was measured and fitted. 0, or -1 with *err, naming the command for
 * it. */
int options_fitted(const struct options *options, const char *dir, struct err *err);

/* Of a row: doubted times, and gains without an interval, count. */
void options_take_unsure(void *input, char *arg, struct argp_state *state);

/* The directory of the measuring programs: as given, else where this program lies. */
int options_build(const struct options *options, char *buf, size_t size, struct err *err);

/* The directory of page.css and reference/: as given, else beside the measuring programs, else
 * beside this program, else `reports` here. given NULL: none. 0, or -1 with *err: not there. */
int options_assets(const struct options *options, const char *given, char *buf, size_t size,
                   struct err *err);

/* Runs with the cluster and the study that the options at the head of the input name. Returns what
 * `run` does, or -1 with *err. */
int options_run_study(const void *input,
                      int (*run)(const void *input, const struct cluster *cluster,
                                 const struct study *study, struct err *err),
                      struct err *err);

/* "collsel VERB --cluster NAME ...": the next command to run, by its name, with the options that
 * this one had and the next one needs; quoted for a shell. backend: to name instead of ours, NULL:
 * ours. Returns buf. */
enum { NEXT_SIZE = 2048 };
const char *options_next(const struct options *options, const char *command, const char *backend,
                         char buf[NEXT_SIZE]);

/* Appends those options; plans: --plan and --budget, too. */
void options_argv(const struct options *options, const char *backend, int plans, struct argv *all);

/* A command to show, from its words (NULL-terminated), quoted for a shell. Returns buf. */
const char *options_words(const char *const *words, char buf[NEXT_SIZE]);

/* Warns on stderr when a segment size or fan-out is given to an
 * algorithm that does not use it: it is ignored, as in the library. */
void options_say_ignored(const struct algorithm *alg, int segment_given, int fanout_given);

/* Warns when LIBRARY:NAME of a collective exists only in a
 * release whose messages were not compared with its schedule. */
void options_say_not_compared(const char *collective, const char *algorithm);

/* Prints "collsel <verb>: <error>" and returns the exit status that fits. */
int options_fail(const char *verb, const struct err *err);
