/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.c - messages that start together, and when each arrives, in simulated seconds.
 * Usage, under smpirun: flows FROM TO BYTES [FROM TO BYTES ...] [then FROM TO BYTES ...] ...; what
 * follows a "then" starts when all before have arrived. Prints "FROM TO BYTES SECONDS ROUND". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/proof/native.h"
#include "workloads/clocks/sync.h"

enum { MOST = 4096 };

struct flow {
    int from, to, bytes, round;
};

struct requests {
    MPI_Request v[MOST];
    int of[MOST]; /* the flow of each */
    int n;
};

static int read_flows(int argc, char **argv, struct flow *flow)
{
    int n = 0, round = 0;
    for (int i = 1; i < argc && n < MOST;) {
        if (strcmp(argv[i], "then") == 0) {
            round++;
            i++;
        } else if (i + 2 < argc) {
            flow[n++] =
                (struct flow){ (int)strtol(argv[i], NULL, 10), (int)strtol(argv[i + 1], NULL, 10),
                               (int)strtol(argv[i + 2], NULL, 10), round };
            i += 3;
        } else {
            break;
        }
    }
    return n;
}

/* Posts what this rank receives (or sends) in a round. */
static void post(const struct flow *flow, int n, int round, int rank, int sends, char *buf,
                 struct requests *r)
{
    r->n = 0;
    for (int i = 0; i < n; i++) {
        const struct flow *f = &flow[i];
        if (f->round != round || (sends ? f->from : f->to) != rank)
            continue;
        r->of[r->n] = i;
        if (sends)
            MPI_Isend(buf, f->bytes, MPI_BYTE, f->to, i, MPI_COMM_WORLD, &r->v[r->n++]);
        else
            MPI_Irecv(buf, f->bytes, MPI_BYTE, f->from, i, MPI_COMM_WORLD, &r->v[r->n++]);
    }
}

static void run_round(const struct flow *flow, int n, int round, int rank, char *buf,
                      struct sync *sync, struct requests *receives, struct requests *sends)
{
    post(flow, n, round, rank, 0, buf, receives);
    sync_wait(sync);
    const double begun = MPI_Wtime();
    post(flow, n, round, rank, 1, buf, sends);
    for (int i = 0; i < receives->n; i++) {
        int k;
        MPI_Waitany(receives->n, receives->v, &k, MPI_STATUS_IGNORE);
        const struct flow *f = &flow[receives->of[k]];
        printf("%d %d %d %.9f %d\n", f->from, f->to, f->bytes, MPI_Wtime() - begun, round);
    }
    MPI_Waitall(sends->n, sends->v, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    struct flow *flow = calloc(MOST, sizeof *flow);
    struct requests *requests = calloc(2, sizeof *requests);
    int rank, largest = 1;
    struct sync sync;
    native_library.set_environment();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int n = read_flows(argc, argv, flow);
    for (int i = 0; i < n; i++)
        largest = flow[i].bytes > largest ? flow[i].bytes : largest;
    char *buf = malloc((size_t)largest);
    sync_init(&sync, MPI_COMM_WORLD);
    for (int round = 0; n > 0 && round <= flow[n - 1].round; round++)
        run_round(flow, n, round, rank, buf, &sync, &requests[0], &requests[1]);
    sync_clear(&sync);
    free(buf);
    free(flow);
    free(requests);
    MPI_Finalize();
    return 0;
}
