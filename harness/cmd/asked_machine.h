/* SPDX-License-Identifier: BSD-3-Clause */
/* asked_machine.h - for commands that answer from a model or from results: the queried machine,
 * options that do not apply to a model, and the model that ships, where nothing was measured. */
#pragma once

#include "analysis/advise/advice.h"
#include "harness/cmd/options.h"

/* Checks --model and --dataset against the other options after parsing:
 * argp_error for --study and --backend with either, and for both together. With
 * a model --cluster means --for and is stored in *machine. model NULL: none. */
void asked_machine_check(struct argp_state *state, const struct options *options, const char *model,
                         const char **machine);

/* Finds the model of real machines that ships (ci/first): beside the cluster files, or installed
 * with the program. 0: it is not there. */
int asked_first_model(const char *clusters, char *path, size_t size);

/* The file of `collsel train`, which a command reads once. NULL with *err. It lives as long as the
 * program. */
const struct model_file *asked_model(const char *path, struct err *err);

/* The first model, read, and the cluster file of the machine that was measured in a directory of
 * results or that a model was learnt on (the other is NULL): asked where measured cells keep the
 * default. *first: NULL where none ships; lives as long as the program. -1 with *err: something of
 * this is there and cannot be read. */
int asked_first(const struct options *options, const char *dir, const char *model,
                const struct model_first **first, struct err *err);

/* How answers name a model: one that came with the program by its file's name, others by their
 * paths. */
const char *asked_model_label(const char *path);

/* 1 when nothing was measured or imported in the directory of results, and no data set is named: a
 * plan alone is no measurement. */
int asked_nothing_measured(const struct options *options, const char *dir);

/* Finds, of the models that ship, the first that can answer the question. 1; 0: none; -1 with *err:
 * one of them cannot be read. */
int asked_shipped_model(const char *clusters, const struct advice_question *question, char *path,
                        size_t size, struct err *err);

/* The facts of the machine from its cluster file. 0, or -1 with *err. */
int asked_machine(const struct options *options, const char *name, struct facts *facts,
                  struct err *err);

/* The same of the machine whose times a directory of results has. */
int asked_measured(const struct options *options, const char *dir, struct facts *facts,
                   struct err *err);

enum asked_word { ASKED_CLUSTER, ASKED_COLLECTIVE, ASKED_PROCS, ASKED_BYTES, ASKED_MAPPING };

/* What a word of "[CLUSTER] COLLECTIVE P BYTES [MAPPING]" is, in whatever order they come: of two
 * numbers that with a unit is the bytes, else the second. seen: the words so far, a bit for each. A
 * second one of a kind is an error of usage. */
enum asked_word asked_word(const char *arg, int *seen, struct argp_state *state);
