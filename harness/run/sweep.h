/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep.h - measures the missing points of a study: plan, launch, watch, resume.
 *
 * All files are below one directory: plan.csv, launches/, samples/, events.jsonl, manifest.json
 * (docs/formats.md), and .lock, which one driver at a time holds. Finished points are never
 * measured again, so the driver may be killed at any time and run again. Its parts are in sweep/:
 * tasks (remaining work), loop, job and command, end (results of a job's points), orphan. */
#pragma once

#include "harness/run/sweep_request.h"

/* Runs. 0 when every point is finished or given up, -1 with *err otherwise (interrupted, disk full,
 * another driver, no program). */
int sweep_run(const struct sweep_request *request, struct sweep_result *result, struct err *err);

/* 0, or -1 with *err: launches were stopped because the first ones all
 * failed alike, or points failed. dir: the study's, with events.jsonl. */
int sweep_judge(const struct sweep_result *result, const char *dir, struct err *err);
