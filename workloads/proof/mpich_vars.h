/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_vars.h - MPICH's control variables that choose algorithms: MPIR_CVAR_*_INTRA_ALGORITHM, an
 * enumeration of which MPI_T only shows numbers; the variable's
 * description gives their meaning. Changes take effect at once. */
#pragma once

#include "harness/base/base.h"

enum { MPICH_VAR = 128, MPICH_WORD = 64, MPICH_MOST_VALUES = 24 };

/* Behaviour of a collective that cannot run the forced algorithm; priority of the device. */
#define MPICH_FALLBACK "MPIR_CVAR_COLLECTIVE_FALLBACK"
#define MPICH_DEVICE   "MPIR_CVAR_DEVICE_COLLECTIVES"
enum {
    MPICH_FALLBACK_ERROR = 0,
    MPICH_DEVICE_ALL = 0,
    MPICH_DEVICE_NONE = 1,
    MPICH_DEVICE_PERCOLL
};

/* "MPIR_CVAR_BCAST_INTRA_ALGORITHM". */
void mpich_var_name(const char *collective, char buf[MPICH_VAR]);

/* "MPIR_CVAR_BCAST_DEVICE_COLLECTIVE": does the device come first in this collective? */
void mpich_var_device(const char *collective, char buf[MPICH_VAR]);

/* "MPIR_CVAR_BCAST_COMPOSITION": how the device splits the calls of this collective, a number. */
void mpich_var_composition(const char *collective, char buf[MPICH_VAR]);

/* The words of a collective's variable, in the order of their numbers; the first is "auto". */
struct mpich_values {
    int n;
    char name[MPICH_MOST_VALUES][MPICH_WORD];
};
int mpich_var_values(const char *collective, struct mpich_values *all, struct err *err);

/* The number of one of them. */
int mpich_var_value(const char *collective, const char *name, int *value, struct err *err);

/* 1 when a variable of this value leaves the choice to the library: the value is that of "auto" or,
 * of the device's variables, "mpir" (which leaves the call to the code above the device). The
 * order of the words is the description's: of MPIR_CVAR_BCAST_OFI_INTRA_ALGORITHM auto is the last
 * one. */
int mpich_var_is_own(const char *var, int value);
