/* SPDX-License-Identifier: BSD-3-Clause */
/* A preloaded library that makes Open MPI list one more algorithm of broadcasts, made_up, which is
 * the binomial tree by another name. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { BINOMIAL = 6 };

/* The enumeration of broadcasts, by what only it has. */
static int is_bcast(MPI_T_enum words, int n)
{
    char name[64];
    int value, len = sizeof name;
    return n > 7 && PMPI_T_enum_get_item(words, 7, &value, name, &len) == MPI_SUCCESS &&
           strcmp(name, "knomial") == 0;
}

int MPI_T_enum_get_info(MPI_T_enum words, int *n, char *name, int *len)
{
    const int rc = PMPI_T_enum_get_info(words, n, name, len);
    if (rc == MPI_SUCCESS && is_bcast(words, *n))
        ++*n;
    return rc;
}

int MPI_T_enum_get_item(MPI_T_enum words, int i, int *value, char *name, int *len)
{
    char any[64];
    int n, any_len = sizeof any;
    PMPI_T_enum_get_info(words, &n, any, &any_len);
    if (i < n)
        return PMPI_T_enum_get_item(words, i, value, name, len);
    *value = BINOMIAL;
    snprintf(name, (size_t)*len, "made_up");
    return MPI_SUCCESS;
}
