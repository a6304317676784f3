/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/decided.h"

#ifdef MPI_IS_openmpi
#include <stdio.h>
#include <string.h>

#include "workloads/owner.h"
#include "workloads/schedules/decision.h"
#include "workloads/tool_vars.h"

/* Rules that were switched on decide before the function does. */
static int has_rules(void)
{
    struct err err = { 0 };
    int on = 1;
    if (tool_vars_open(&err) < 0)
        return 1;
    if (tool_var_read("coll_tuned_use_dynamic_rules", &on, &err) < 0)
        on = 1;
    MPI_T_finalize();
    return on;
}

const char *decided_rule(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS)
        return NULL;
    return strncmp(version, "Open MPI v4.1.", 14) == 0 && !has_rules() ? "openmpi41" : NULL;
}

void decided_name(const char *rule, MPI_Comm comm, const char *collective, uint64_t bytes,
                  int ordered, char name[DECIDED_NAME])
{
    char owner[32];
    struct decision d;
    int procs;
    *name = '\0';
    owner_of(comm, collective, owner, sizeof owner);
    if (!*owner)
        return;
    PMPI_Comm_size(comm, &procs);
    snprintf(name, DECIDED_NAME, "component %s", owner);
    if (!rule || strcmp(owner, "tuned") != 0)
        return;
    if ((ordered && decide_ordered(rule, collective, procs, bytes, &d)) ||
        (!ordered && decide(rule, collective, procs, bytes, NULL, &d)))
        snprintf(name, DECIDED_NAME, "openmpi:%s", d.algorithm);
}
#else
/* MPICH's function is known, but its device decides before. */
const char *decided_rule(void)
{
    return NULL;
}

void decided_name(const char *rule, MPI_Comm comm, const char *collective, uint64_t bytes,
                  int ordered, char name[DECIDED_NAME])
{
    (void)rule, (void)comm, (void)collective, (void)bytes, (void)ordered;
    *name = '\0';
}
#endif
