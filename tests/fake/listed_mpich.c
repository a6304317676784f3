/* SPDX-License-Identifier: BSD-3-Clause */
/* A preloaded library that makes MPICH describe the algorithms of barriers otherwise, without the
 * ends of lines, as it does: meanings with dashes of their own, one behind a known name and one
 * behind another word, and an algorithm that nobody knows. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static const char described[] =
    "Variable to select barrier algorithm"
    "auto - Internal algorithm selection - as of old (can be overridden)"
    "nb            - Force nonblocking algorithm - which schedules"
    "smp           - Force smp - by node"
    "made_up       - Force made-up algorithm"
    "dissemination - Force dissemination algorithm";

int MPI_T_cvar_get_info(int index, char *name, int *name_len, int *verbosity, MPI_Datatype *type,
                        MPI_T_enum *words, char *text, int *text_len, int *bind, int *scope)
{
    const int room = text_len ? *text_len : 0;
    const int rc = PMPI_T_cvar_get_info(index, name, name_len, verbosity, type, words, text,
                                        text_len, bind, scope);
    if (rc == MPI_SUCCESS && name && text && room > (int)sizeof described &&
        strcmp(name, "MPIR_CVAR_BARRIER_INTRA_ALGORITHM") == 0)
        snprintf(text, (size_t)room, "%s", described);
    return rc;
}
