/* SPDX-License-Identifier: BSD-3-Clause */
/* map.h - --map and --set: the column or constant of each role. */
#pragma once

#include "harness/import/import.h"

/* "bytes=size,max_s=max:us,procs=P,mapping=core": columns by role, times with their unit, sizes
 * with a unit other than bytes. Values that cannot be column names are constants: core, socket,
 * node and the like; a number for processes, nodes, ranks per node, root, segment or fan-out;
 * an algorithm with a colon. Cuts text in place and borrows it. 0, or -1 with *err. */
int map_parse(char *text, struct import_options *options, struct err *err);

/* "algorithm=chain,procs=8": constants. Likewise. */
int map_set(char *text, struct import_options *options, struct err *err);

/* "timestamp=2025_04_07*": rows of tables that count. One COLUMN=VALUE; likewise. */
int map_where(char *text, struct import_options *options, struct err *err);
