/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/allocation.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/number.h"

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
