/* SPDX-License-Identifier: BSD-3-Clause */
/* asked_machine.h - for commands that answer from a model or from results:
 * the queried machine, and options that do not apply to a model. */
#ifndef HARNESS_CMD_ASKED_MACHINE_H
#define HARNESS_CMD_ASKED_MACHINE_H

#include "analysis/measure/study_facts.h"
#include "harness/cmd/options.h"

/* Checks --model and --dataset against the other options after parsing:
 * argp_error for --study and --backend with either, and for both together. With
 * a model --cluster means --for and is stored in *machine. model NULL: none. */
void asked_machine_check(struct argp_state *state, const struct options *options, const char *model,
                         const char **machine);

/* The facts of the machine from its cluster file. 0, or -1 with *err. */
int asked_machine(const struct options *options, const char *name, struct facts *facts,
                  struct err *err);

#endif
