/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/proof/built_for.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* The release of mpi.h; "": it has none that is known here. */
static void compiled(char *buf, size_t size)
{
#if defined(OMPI_MAJOR_VERSION)
    snprintf(buf, size, "%d.%d.%d", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
#elif defined(MPI_IS_mpich) && defined(MPICH_VERSION)
    snprintf(buf, size, "%s", MPICH_VERSION);
#else
    buf[0] = '\0';
    (void)size;
#endif
}

static void library(char text[MPI_MAX_LIBRARY_VERSION_STRING + 1])
{
    int length = 0;
    text[0] = '\0';
    MPI_Get_library_version(text, &length);
    text[strcspn(text, "\r\n")] = '\0';
    for (char *p = text; *p; p++)
        *p = *p == '\t' ? ' ' : *p;
}

#ifdef MPI_IS_smpi /* nothing may be asked before the simulation begins */
void built_for_print(FILE *out)
{
    fputs("compiled: \nlibrary: \nfile: \n", out);
}
#else
void built_for_print(FILE *out)
{
    char is[MPI_MAX_LIBRARY_VERSION_STRING + 1], was[64], *file = NULL;
    Dl_info info;
    void *const init = dlsym(RTLD_DEFAULT, "MPI_Init");
    library(is);
    compiled(was, sizeof was);
    if (init && dladdr(init, &info))
        file = realpath(info.dli_fname, NULL);
    fprintf(out, "compiled: %s\nlibrary: %s\nfile: %s\n", was, is, file ? file : "");
    free(file);
}
#endif

int built_for_check(struct err *err)
{
    char is[MPI_MAX_LIBRARY_VERSION_STRING + 1], was[64];
    compiled(was, sizeof was);
    if (!*was)
        return 0;
    library(is);
    const char *at = *was ? strstr(is, was) : NULL;
    const char after = at ? at[strlen(was)] : '\0';
    if (!*is || (at && (after < '0' || after > '9')))
        return 0;
    return err_set(err, "build again: this program is of %s, the library that runs is '%.60s'", was,
                   is);
}
