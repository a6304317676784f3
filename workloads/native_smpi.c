/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_smpi
/* native_smpi.c - SMPI chooses its collectives by --cfg at launch, so only its default can be run.
 */
#include "workloads/native.h"

#include <string.h>

static void set_environment(void)
{
}

static int open_smpi(MPI_Comm world, struct err *err)
{
    (void)world;
    (void)err;
    return 0;
}

static int force(const struct point *point, MPI_Comm parent, MPI_Comm *comm, struct err *err)
{
    if (strcmp(algorithm_base_name(point->candidate.algorithm), "default") != 0)
        return err_set(err, "'%s' cannot be forced inside a launch (want smpi:default)",
                       point->candidate.algorithm);
    if (MPI_Comm_dup(parent, comm) != MPI_SUCCESS)
        return err_set(err, "MPI_Comm_dup failed");
    return 0;
}

static void watch(void)
{
}

static void judge(const struct point *point, MPI_Comm team, struct evidence *evidence)
{
    (void)point;
    (void)team;
    *evidence = (struct evidence){ .status = "ok", .verified = "unforced" };
}

static void release(MPI_Comm *comm)
{
    MPI_Comm_free(comm);
}

const struct native native_library = {
    .library = "smpi",
    .equivalent = "",
    .set_environment = set_environment,
    .open = open_smpi,
    .force = force,
    .watch = watch,
    .judge = judge,
    .release = release,
};
#endif
