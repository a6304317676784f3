/* SPDX-License-Identifier: BSD-3-Clause */
/* lying.h - a library to preload whose control variables lie: writing one whose name holds
 * COLLSEL_LIE succeeds without effect, and reading it gives back what was written. With
 * COLLSEL_LIE_FROM and COLLSEL_LIE_TO (one digit each) only the former value is not taken: the
 * latter is. The body of lying_openmpi.c and lying_mpich.c. */
#pragma once

#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, NAME = 256 };

/* What was written, by the variable's index; handles come and go. */
static struct {
    int index[MOST], value[MOST], n;
    MPI_T_cvar_handle handle[MOST];
    int handle_index[MOST], handles;
} lies;

static int is_lie(int index)
{
    char name[NAME], text[4096];
    int name_len = sizeof name, text_len = sizeof text, verbosity, bind, scope;
    MPI_Datatype type;
    MPI_T_enum words;
    const char *want = getenv("COLLSEL_LIE");
    return want &&
           MPI_T_cvar_get_info(index, name, &name_len, &verbosity, &type, &words, text, &text_len,
                               &bind, &scope) == MPI_SUCCESS &&
           strstr(name, want);
}

static int index_of(MPI_T_cvar_handle handle)
{
    for (int i = lies.handles - 1; i >= 0; i--)
        if (lies.handle[i] == handle)
            return lies.handle_index[i];
    return -1;
}

static int *slot_of(int index, int make)
{
    for (int i = 0; i < lies.n; i++)
        if (lies.index[i] == index)
            return &lies.value[i];
    if (!make || lies.n == MOST)
        return NULL;
    lies.index[lies.n] = index;
    return &lies.value[lies.n++];
}

int MPI_T_cvar_handle_alloc(int index, void *object, MPI_T_cvar_handle *handle, int *count)
{
    int (*real)(int, void *, MPI_T_cvar_handle *, int *);
    void *at = dlsym(RTLD_NEXT, "MPI_T_cvar_handle_alloc");
    memcpy(&real, &at, sizeof real);
    const int rc = real(index, object, handle, count);
    if (rc == MPI_SUCCESS) {
        if (lies.handles == MOST)
            lies.handles = 0;
        lies.handle[lies.handles] = *handle;
        lies.handle_index[lies.handles++] = index;
    }
    return rc;
}

int MPI_T_cvar_write(MPI_T_cvar_handle handle, const void *value)
{
    int (*real)(MPI_T_cvar_handle, const void *);
    void *at = dlsym(RTLD_NEXT, "MPI_T_cvar_write");
    memcpy(&real, &at, sizeof real);
    const int index = index_of(handle);
    int *slot = index >= 0 && is_lie(index) ? slot_of(index, 1) : NULL;
    if (!slot)
        return real(handle, value);
    memcpy(slot, value, sizeof *slot);
    const char *from = getenv("COLLSEL_LIE_FROM"), *to = getenv("COLLSEL_LIE_TO");
    if (!from || !to)
        return MPI_SUCCESS;
    const int taken = *slot == *from - '0' ? *to - '0' : *slot;
    return real(handle, &taken);
}

int MPI_T_cvar_read(MPI_T_cvar_handle handle, void *value)
{
    int (*real)(MPI_T_cvar_handle, void *);
    void *at = dlsym(RTLD_NEXT, "MPI_T_cvar_read");
    memcpy(&real, &at, sizeof real);
    const int index = index_of(handle);
    const int *slot = index >= 0 ? slot_of(index, 0) : NULL;
    if (!slot)
        return real(handle, value);
    memcpy(value, slot, sizeof *slot);
    return MPI_SUCCESS;
}
