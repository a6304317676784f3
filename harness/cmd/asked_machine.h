/* SPDX-License-Identifier: BSD-3-Clause */
/* asked_machine.h - for commands that answer from a model or from results: which machine is asked
 * about, and which options a model has no use for. */
#ifndef HARNESS_CMD_ASKED_MACHINE_H
#define HARNESS_CMD_ASKED_MACHINE_H

#include "analysis/measure/study_facts.h"
#include "harness/cmd/options.h"

/* What --model and --dataset do to the other options, when all are parsed: argp_error for --study
 * and --backend beside either, and for both together. With a model --cluster means --for, and goes
 * to *machine. model NULL: none. */
void asked_machine_check(struct argp_state *state, const struct options *options, const char *model,
                         const char **machine);

/* What the cluster's file says of the machine. 0, or -1 with *err. */
int asked_machine(const struct options *options, const char *name, struct facts *facts,
                  struct err *err);

#endif
