/* SPDX-License-Identifier: BSD-3-Clause */
/* affinity.c - a library to preload that makes this machine look as if it had sixteen CPUs: binding
 * to any of them succeeds without effect, and asking gives what was bound to. For a slurmd whose
 * node has more cores than we have. */
#include <sched.h>
#include <string.h>

enum { CPUS = 16 };

static cpu_set_t bound;
static int is_bound;

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    (void)pid;
    memset(&bound, 0, sizeof bound);
    memcpy(&bound, set, size < sizeof bound ? size : sizeof bound);
    is_bound = 1;
    return 0;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    (void)pid;
    if (!is_bound)
        for (int i = 0; i < CPUS; i++)
            CPU_SET(i, &bound);
    memset(set, 0, size);
    memcpy(set, &bound, size < sizeof bound ? size : sizeof bound);
    return 0;
}
