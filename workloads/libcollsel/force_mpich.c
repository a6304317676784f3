/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_mpich
/* force_mpich.c - by variables that hold for single calls: the algorithm, that the device does not
 * decide before, and that what cannot run is an error instead of something else. */
#include <stdio.h>

#include "workloads/libcollsel/force.h"
#include "workloads/mpich_vars.h"

static int add(struct force *force, const char *name, int value, struct err *err)
{
    int index, count;
    MPI_T_cvar_handle *variable = &force->variable[force->n];
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, NULL, variable, &count) != MPI_SUCCESS)
        return err_set(err, "no control variable '%s'", name);
    force->value[force->n++] = value;
    return 0;
}

int force_make(struct force *force, MPI_Comm work, const char *collective, const char *name,
               const struct choice *choice, struct err *err)
{
    char var[MPICH_VAR];
    int value;
    force->comm = work;
    mpich_var_name(collective, var);
    if (choice->segment_bytes || choice->fanout)
        return err_set(err, "it takes no segments and no fan-out");
    if (mpich_var_value(collective, name, &value, err) < 0 || add(force, var, value, err) < 0 ||
        add(force, MPICH_DEVICE, MPICH_DEVICE_NONE, err) < 0)
        return -1;
    return add(force, MPICH_FALLBACK, MPICH_FALLBACK_ERROR, err);
}

void force_begin(struct force *force)
{
    for (int i = 0; i < force->n; i++) {
        MPI_T_cvar_read(force->variable[i], &force->before[i]);
        MPI_T_cvar_write(force->variable[i], &force->value[i]);
    }
}

void force_end(struct force *force)
{
    for (int i = 0; i < force->n; i++)
        MPI_T_cvar_write(force->variable[i], &force->before[i]);
}

void force_free(struct force *force)
{
    for (int i = 0; i < force->n; i++)
        MPI_T_cvar_handle_free(&force->variable[i]);
}
#endif
