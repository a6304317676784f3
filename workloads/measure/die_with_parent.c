/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/die_with_parent.h"

#include <signal.h>
#include "harness/base/base.h"
#include <sys/prctl.h>
#include <unistd.h>

/* Who started us: a signal handler has no other place to look. */
static volatile pid_t parent;

/* The kernel also sends the signal when but the thread that started us ends: then our parent is the
 * same as before. */
static void on_death(int signal_number)
{
    (void)signal_number;
    if (getppid() != parent)
        _exit(1);
}

void die_with_parent_follow(void)
{
    struct sigaction action;
    const int told_by = SIGRTMIN + 9; /* one that neither libraries nor launchers use */
    memset(&action, 0, sizeof action);
    action.sa_handler = on_death;
    action.sa_flags = SA_RESTART;
    parent = getppid();
    if (sigaction(told_by, &action, NULL) == 0)
        prctl(PR_SET_PDEATHSIG, told_by);
}
