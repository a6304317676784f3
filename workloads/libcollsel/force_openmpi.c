/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_openmpi
/* force_openmpi.c - by the component `tuned`, on a communicator of its own. Dynamic rules, without
 * which nothing is forced, are on only while that is made, so that the application's own
 * communicators keep the library's decisions. */

#include "harness/base/base.h"
#include "workloads/libcollsel/force.h"
#include "workloads/proof/coll_component.h"
#include "workloads/proof/tool_vars.h"
#include "workloads/proof/tuned_vars.h"

static const char dynamic[] = "coll_tuned_use_dynamic_rules";

static MPI_Comm dup_for_tuned(MPI_Comm work)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Info info;
    PMPI_Info_create(&info);
    PMPI_Info_set(info, "ompi_comm_coll_preference", "tuned");
    PMPI_Comm_dup_with_info(work, info, &comm);
    PMPI_Info_free(&info);
    return comm;
}

static int check_owner(MPI_Comm comm, const char *collective, struct err *err)
{
    char owner[32];
    if (comm == MPI_COMM_NULL)
        return err_set(err, "MPI_Comm_dup failed");
    coll_component_of(comm, collective, owner, sizeof owner);
    return strcmp(owner, "tuned") == 0 ? 0
                                       : err_set(err, "component %s serves %s here, not tuned",
                                                 *owner ? owner : "(unknown)", collective);
}

/* What is read at every call would have to be written for every call. */
static int check_fanout(const char *collective, const char *name, const struct choice *choice,
                        struct err *err)
{
    const enum tuned_parameter which = tuned_fanout(collective, name);
    if (choice->fanout && which >= TUNED_REQUESTS && which < N_TUNED_PARAMETERS)
        return err_set(err, "its fan-out cannot be forced for single calls");
    return algorithm_levels(name)
               ? err_set(err, "its limit of requests cannot be forced for single calls")
               : 0;
}

/* The communicator is made even after a failure, as other ranks wait for it. */
int force_make(struct force *force, MPI_Comm work, const char *collective, const char *name,
               const struct choice *choice, struct err *err)
{
    struct tuned_usual usual;
    int was = 0;
    tuned_learn(collective, &usual);
    int status = check_fanout(collective, name, choice, err);
    if (status == 0)
        status = tool_var_read(dynamic, &was, err);
    if (status == 0 && !was)
        status = tuned_write(dynamic, 1, err);
    if (status == 0)
        status = tuned_force(collective, name, choice->segment_bytes, choice->fanout, err);
    force->comm = dup_for_tuned(work);
    force->owned = force->comm != MPI_COMM_NULL;
    for (int i = 0; i < N_TUNED_PARAMETERS; i++)
        tuned_put_back(collective, (enum tuned_parameter)i, &usual, NULL);
    if (!was)
        tuned_write(dynamic, 0, NULL);
    return status == 0 ? check_owner(force->comm, collective, err) : -1;
}

void force_begin(struct force *force)
{
    (void)force;
}

void force_end(struct force *force)
{
    (void)force;
}

void force_free(struct force *force)
{
    if (force->owned)
        PMPI_Comm_free(&force->comm);
}
#endif
