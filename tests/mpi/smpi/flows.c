/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.c - messages that start together, and when each arrives, in simulated seconds.
 * Usage, under smpirun: flows FROM TO BYTES [FROM TO BYTES ...]; prints "FROM TO BYTES SECONDS". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "workloads/native.h"
#include "workloads/sync.h"

enum { MOST = 256 };

struct flow {
    int from, to, bytes;
};

static int read_flows(int argc, char **argv, struct flow *flow)
{
    int n = 0;
    for (int i = 1; i + 2 < argc && n < MOST; i += 3, n++)
        flow[n] = (struct flow){ (int)strtol(argv[i], NULL, 10), (int)strtol(argv[i + 1], NULL, 10),
                                 (int)strtol(argv[i + 2], NULL, 10) };
    return n;
}

/* Posts what this rank receives (or sends); which[k] becomes the flow of request k. */
static int post(const struct flow *flow, int n, int rank, int sends, char *buf,
                MPI_Request *request, int *which)
{
    int posted = 0;
    for (int i = 0; i < n; i++) {
        if ((sends ? flow[i].from : flow[i].to) != rank)
            continue;
        which[posted] = i;
        if (sends)
            MPI_Isend(buf, flow[i].bytes, MPI_BYTE, flow[i].to, i, MPI_COMM_WORLD,
                      &request[posted++]);
        else
            MPI_Irecv(buf, flow[i].bytes, MPI_BYTE, flow[i].from, i, MPI_COMM_WORLD,
                      &request[posted++]);
    }
    return posted;
}

int main(int argc, char **argv)
{
    struct flow flow[MOST];
    MPI_Request receive[MOST], send[MOST];
    int of_receive[MOST], of_send[MOST], rank, largest = 1;
    struct sync sync;
    native_library.set_environment();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int n = read_flows(argc, argv, flow);
    for (int i = 0; i < n; i++)
        largest = flow[i].bytes > largest ? flow[i].bytes : largest;
    char *buf = malloc((size_t)largest);
    const int receives = post(flow, n, rank, 0, buf, receive, of_receive);
    sync_init(&sync, MPI_COMM_WORLD);
    sync_wait(&sync);
    const double begun = MPI_Wtime();
    const int sends = post(flow, n, rank, 1, buf, send, of_send);
    for (int i = 0; i < receives; i++) {
        int k;
        MPI_Waitany(receives, receive, &k, MPI_STATUS_IGNORE);
        const struct flow *f = &flow[of_receive[k]];
        printf("%d %d %d %.9f\n", f->from, f->to, f->bytes, MPI_Wtime() - begun);
    }
    MPI_Waitall(sends, send, MPI_STATUSES_IGNORE);
    sync_clear(&sync);
    free(buf);
    MPI_Finalize();
    return 0;
}
