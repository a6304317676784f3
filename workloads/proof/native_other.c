/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_other
/* native_other.c - an MPI that nobody here has read: a vendor's, a fork. How its algorithms are
 * forced is not known, so its default is all that it is asked for. */
#include "workloads/proof/native.h"

static void set_environment(void)
{
}

static int open_other(MPI_Comm world, struct err *err)
{
    (void)world;
    (void)err;
    return 0;
}

static int force(const struct point *point, MPI_Comm parent, MPI_Comm *comm, struct err *err)
{
    if (!algorithm_is_default(point->candidate.algorithm))
        return err_set(err, "'%s' cannot be forced: this MPI's own algorithms are not known here",
                       point->candidate.algorithm);
    if (MPI_Comm_dup(parent, comm) != MPI_SUCCESS)
        return err_set(err, "MPI_Comm_dup failed");
    return 0;
}

static void watch(void)
{
}

static void judge(const struct point *point, MPI_Comm team, MPI_Comm comm,
                  struct evidence *evidence)
{
    (void)point;
    (void)team;
    (void)comm;
    *evidence = (struct evidence){ .status = "ok", .verified = "unforced" };
}

static void release(MPI_Comm *comm)
{
    MPI_Comm_free(comm);
}

const struct native native_library = {
    .library = "",
    .equivalent = "",
    .set_environment = set_environment,
    .open = open_other,
    .force = force,
    .watch = watch,
    .judge = judge,
    .release = release,
};
#endif
