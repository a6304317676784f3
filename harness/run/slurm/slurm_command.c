/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/slurm_command.h"

#include <signal.h>

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

static const char *env_text(const char *name)
{
    const char *text = getenv(name);
    return text ? text : "";
}

/* Cores of the allocation: "16(x3),8" of SLURM_JOB_CPUS_PER_NODE is 56. 0: not known. */
static int allocated_cores(const char *text)
{
    long sum = 0;
    while (*text) {
        char *end;
        long cores = strtol(text, &end, 10), times = 1;
        if (end == text || cores < 0 || cores > 1 << 20)
            return 0;
        if (strncmp(end, "(x", 2) == 0) {
            times = strtol(end + 2, &end, 10);
            if (*end++ != ')' || times < 1 || times > 1 << 20)
                return 0;
        }
        if (*end && *end != ',')
            return 0;
        sum += cores * times;
        text = *end ? end + 1 : end;
    }
    return sum < 1 << 30 ? (int)sum : 0;
}

int allocation_find(struct allocation *out, struct err *err)
{
    const char *array = env_text("SLURM_ARRAY_JOB_ID"), *task = env_text("SLURM_ARRAY_TASK_ID");
    int64_t restarts;
    *out = (struct allocation){ .nodes = env_text("SLURM_JOB_NODELIST"),
                                .cores = allocated_cores(env_text("SLURM_JOB_CPUS_PER_NODE")) };
    if (*array && *task)
        snprintf(out->job, JOB_SIZE, "%.15s_%.15s", array, task);
    else
        snprintf(out->job, JOB_SIZE, "%.31s", env_text("SLURM_JOB_ID"));
    if (parse_i64(env_text("SLURM_RESTART_COUNT"), &restarts, NULL) == 0 && restarts > 0)
        out->restarts = (int)(restarts % INT_MAX);
    return *out->job
               ? 0
               : err_set(err, "not in a Slurm allocation (want: collsel measure submit, or sbatch "
                              "with a file of jobs/)");
}
