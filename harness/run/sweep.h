/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep.h - measures what a study lacks: plan, launch, watch, resume.
 *
 * Everything stands below one directory: plan.csv, launches/, samples/, events.jsonl, manifest.json
 * (docs/formats.md), and .lock, which one driver at a time holds. A point that is finished is never
 * measured again; kill the driver at any moment and run it again. Its parts stand in sweep/: tasks
 * (what is left), loop, job and command, end (what became of a job's points), orphan. */
#ifndef HARNESS_RUN_SWEEP_H
#define HARNESS_RUN_SWEEP_H

#include "harness/run/sweep/sweep_request.h"

/* Runs. 0 when every point is finished or given up, -1 with *err otherwise (interrupted, disk full,
 * another driver, no program). */
int sweep_run(const struct sweep_request *request, struct sweep_result *result, struct err *err);

/* 0, or -1 with *err: launches were stopped, as the first of them all ended alike, or points
 * failed. dir: the study's, which holds events.jsonl. */
int sweep_judge(const struct sweep_result *result, const char *dir, struct err *err);

#endif
