/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/slurm_command.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/argv.h"
#include "harness/base/memory.h"
#include "harness/base/subprocess.h"

/* What would choose among rows, or change their form. */
static const char *const unset[] = { "SQUEUE_STATES",   "SQUEUE_PARTITION", "SQUEUE_USERS",
                                     "SQUEUE_ACCOUNT",  "SQUEUE_NAMES",     "SQUEUE_QOS",
                                     "SQUEUE_LICENSES", "SINFO_PARTITION",  "SACCT_FORMAT" };

static void put_environment(const struct slurm *slurm, struct argv *all)
{
    argv_add(all, "env");
    for (size_t i = 0; i < sizeof unset / sizeof *unset; i++) {
        argv_add(all, "-u");
        argv_add(all, "%s", unset[i]);
    }
    argv_add(all, "LC_ALL=C");
    argv_add(all, "SLURM_BITSTR_LEN=0"); /* lists of array tasks are not cut short */
    if (*slurm->conf)
        argv_add(all, "SLURM_CONF=%s", slurm->conf);
}

static int judge(int status, const char *name, int seconds, const char *out, size_t most,
                 struct err *err)
{
    if (status < 0)
        return err_set(err, "'%s' could not be run (want: Slurm's commands on the PATH)", name);
    if (status == 128 + SIGALRM)
        return err_set(err, "'%s' had no answer within %d seconds (is slurmctld up?)", name,
                       seconds);
    if (strlen(out) + 1 >= most)
        return err_set(err, "'%s' answers with more than %zu KiB", name, most >> 10);
    return status;
}

int slurm_command(const struct slurm *slurm, const char *const *words, int seconds, size_t most,
                  char **out, struct err *err)
{
    struct argv all = { 0 };
    int status;
    put_environment(slurm, &all);
    for (size_t i = 0; words[i]; i++)
        argv_add(&all, "%s", words[i]);
    *out = memory_zeros(most, 1);
    status = run_capture_for((const char *const *)(uintptr_t)all.v, seconds, *out, most);
    status = judge(status, words[0], seconds, *out, most, err);
    argv_free(&all);
    if (status < 0) {
        free(*out);
        *out = NULL;
    }
    return status;
}
