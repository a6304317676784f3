/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_mpich
/* force_mpich.c - by variables that hold for single calls: the algorithm and its parameters, that
 * the device does not decide before, and that what cannot run is an error instead of something
 * else. */

#include "harness/base/base.h"
#include "workloads/libcollsel/force.h"
#include "workloads/proof/mpich_vars.h"
#include "workloads/schedules/mpich_parameters.h"

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

static int add_parameters(struct force *force, const struct mpich_parameters *p,
                          const struct choice *choice, struct err *err)
{
    if ((choice->segment_bytes && !(p && p->segment)) || (choice->fanout && !p))
        return err_set(err, "it takes no %s", choice->fanout ? "fan-out" : "segments");
    if (choice->segment_bytes > INT_MAX)
        return err_set(err, "a segment of MPICH's has at most %d bytes", INT_MAX);
    if (choice->fanout && add(force, p->fanout, choice->fanout, err) < 0)
        return -1;
    return p && p->segment ? add(force, p->segment, (int)choice->segment_bytes, err) : 0;
}

int force_make(struct force *force, MPI_Comm work, const char *collective, const char *name,
               const struct choice *choice, struct err *err)
{
    char var[MPICH_VAR];
    int value;
    force->comm = work;
    mpich_var_name(collective, var);
    if (add_parameters(force, mpich_parameters(collective, name), choice, err) < 0)
        return -1;
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
