/* SPDX-License-Identifier: BSD-3-Clause */
/* whereabouts.c - each rank prints "<rank> <host> <right|wrong>" after so many broadcasts of so
 * many bytes from rank 0: whether a launcher starts ranks that find each other, and where they are.
 * Arguments: broadcasts, bytes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "workloads/proof/native.h"

int main(int argc, char **argv)
{
    int rank, wrong = 0, len;
    char host[MPI_MAX_PROCESSOR_NAME];
    native_library.set_environment(); /* we are linked with what watches the library's functions */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_processor_name(host, &len);
    const long times = argc > 2 ? strtol(argv[1], NULL, 10) : 1;
    const long bytes = argc > 2 ? strtol(argv[2], NULL, 10) : 1;
    unsigned char *data = malloc((size_t)bytes);
    if (!data)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (long k = 0; k < times; k++) {
        for (long i = 0; i < bytes; i++)
            data[i] = (unsigned char)(rank == 0 ? (k + i * 7) & 255 : 0);
        MPI_Bcast(data, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        for (long i = 0; i < bytes; i++)
            wrong |= data[i] != (unsigned char)((k + i * 7) & 255);
    }
    printf("%d %s %s\n", rank, host, wrong ? "wrong" : "right");
    free(data);
    fflush(stdout); /* what is written after MPI_Finalize may be lost */
    MPI_Finalize();
    return 0;
}
