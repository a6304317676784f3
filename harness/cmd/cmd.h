/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd.h - what a command is. A command function parses, calls the library, reports; nothing else.
 */
#ifndef HARNESS_CMD_CMD_H
#define HARNESS_CMD_CMD_H

#include "harness/base/err.h"

struct command {
    const char *name;
    const char *help; /* one line */

    /* argv[0] is the verb. Returns the exit status; prints errors itself, once, on stderr. */
    int (*run)(int argc, char **argv);
};

/* One row each, defined in cmd_<verb>.c. */
extern const struct command cmd_plan, cmd_sweep, cmd_status, cmd_fit, cmd_select, cmd_report,
    cmd_doctor, cmd_schedule, cmd_predict, cmd_submit, cmd_collect, cmd_pack, cmd_task, cmd_testbed,
    cmd_import, cmd_audit, cmd_crosscheck, cmd_train, cmd_recommend, cmd_rules, cmd_export,
    cmd_verify, cmd_run, cmd_new_cluster, cmd_explain, cmd_papers, cmd_stale, cmd_guidelines,
    cmd_star, cmd_compare;

#endif
