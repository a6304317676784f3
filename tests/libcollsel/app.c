/* SPDX-License-Identifier: BSD-3-Clause */
/* app.c - an application of MPI that knows nothing of collsel. What it prints is the same with and
 * without libcollsel before its MPI. app WHAT [NUMBER]: */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 4096 };

static int rank, procs;

static void say(const char *what, const int *values, int n)
{
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long long)values[i] * (i + 1);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %lld\n", what, sum);
}

static void fill(int *values, int n)
{
    for (int i = 0; i < n; i++)
        values[i] = 1000 * rank + i;
}

/* A map x -> m x + c after another: it does not commute. */
static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const unsigned *a = in;
    unsigned *b = inout;
    (void)type;
    for (int i = 0; i < 2 * *n; i += 2) {
        b[i + 1] = a[i] * b[i + 1] + a[i + 1];
        b[i] = a[i] * b[i];
    }
}

/* Every call that the library stands before, of n integers a block. */
static void call_all(int n, int root)
{
    static int give[MOST], get[MOST];
    int counts[64], places[64], others[64], other_places[64];
    for (int i = 0, at = 0; i < procs; at += counts[i++]) {
        counts[i] = n + i % 2;
        places[i] = at;
        others[i] = n;
        other_places[i] = (procs - 1 - i) * n;
    }
    fill(give, MOST);
    memcpy(get, give, sizeof get);
    MPI_Bcast(get, n, MPI_INT, root, MPI_COMM_WORLD);
    say("bcast", get, n);
    memset(get, 0, sizeof get);
    MPI_Gather(give, n, MPI_INT, get, n, MPI_INT, root, MPI_COMM_WORLD);
    say("gather", get, n * procs);
    MPI_Gatherv(give, counts[rank], MPI_INT, get, counts, places, MPI_INT, root, MPI_COMM_WORLD);
    say("gatherv", get, n * procs);
    MPI_Scatter(give, n, MPI_INT, get, n, MPI_INT, root, MPI_COMM_WORLD);
    say("scatter", get, n);
    MPI_Scatterv(give, counts, places, MPI_INT, get, counts[rank], MPI_INT, root, MPI_COMM_WORLD);
    say("scatterv", get, n);
    MPI_Allgather(give, n, MPI_INT, get, n, MPI_INT, MPI_COMM_WORLD);
    say("allgather", get, n * procs);
    MPI_Allgatherv(give, counts[rank], MPI_INT, get, counts, places, MPI_INT, MPI_COMM_WORLD);
    say("allgatherv", get, n * procs);
    MPI_Allgatherv(give, n, MPI_INT, get, others, other_places, MPI_INT, MPI_COMM_WORLD);
    say("allgatherv, others first", get, n * procs);
    MPI_Alltoall(give, n, MPI_INT, get, n, MPI_INT, MPI_COMM_WORLD);
    say("alltoall", get, n * procs);
    MPI_Alltoallv(give, others, other_places, MPI_INT, get, others, other_places, MPI_INT,
                  MPI_COMM_WORLD);
    say("alltoallv", get, n * procs);
    MPI_Reduce(give, get, n, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
    say("reduce", get, n);
    MPI_Allreduce(give, get, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("allreduce", get, n);
    MPI_Reduce_scatter(give, get, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("reduce_scatter", get, n);
    MPI_Reduce_scatter_block(give, get, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("reduce_scatter_block", get, n);
    MPI_Scan(give, get, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("scan", get, n);
    memset(get, 0, sizeof get);
    MPI_Exscan(give, get, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("exscan", get, rank ? n : 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* In place, types with gaps, operations of one's own. */
static void call_odd(int n, int root)
{
    static int give[MOST], get[MOST];
    MPI_Datatype every_other, pair;
    MPI_Op op;
    MPI_Type_vector(n, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose, 0, &op);
    fill(give, MOST);
    fill(get, MOST);
    MPI_Bcast(get, 1, every_other, root, MPI_COMM_WORLD);
    say("bcast of every other one", get, 2 * n);
    /* types may differ where their elements are the same */
    fill(get, MOST);
    if (rank == root)
        MPI_Bcast(get, 1, every_other, root, MPI_COMM_WORLD);
    else
        MPI_Bcast(get, n, MPI_INT, root, MPI_COMM_WORLD);
    say("bcast to another type", get, 2 * n);
    fill(get, MOST);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, get, n, MPI_INT, MPI_COMM_WORLD);
    say("allgather in place", get, n * procs);
    fill(get, MOST);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, get, n, MPI_INT, MPI_COMM_WORLD);
    say("alltoall in place", get, n * procs);
    fill(get, MOST);
    MPI_Gather(rank == root ? MPI_IN_PLACE : give, n, MPI_INT, get, n, MPI_INT, root,
               MPI_COMM_WORLD);
    say("gather in place", get, n * procs);
    fill(get, MOST);
    MPI_Scatter(give, n, MPI_INT, rank == root ? MPI_IN_PLACE : get, n, MPI_INT, root,
                MPI_COMM_WORLD);
    say("scatter in place", get, n);
    fill(get, MOST);
    MPI_Allreduce(MPI_IN_PLACE, get, n, pair, op, MPI_COMM_WORLD);
    say("allreduce in order, in place", get, 2 * n);
    fill(get, MOST);
    MPI_Reduce(rank == root ? MPI_IN_PLACE : give, get, n, pair, op, root, MPI_COMM_WORLD);
    say("reduce in order, in place", get, rank == root ? 2 * n : 0);
    MPI_Scan(give, get, n, pair, op, MPI_COMM_WORLD);
    say("scan in order", get, 2 * n);
    MPI_Bcast(get, 0, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Allreduce(give, get, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&every_other);
    MPI_Type_free(&pair);
}

/* Communicators of other kinds, and calls that the library has nothing to do with. */
static void call_elsewhere(void)
{
    MPI_Comm half, inter, ring;
    MPI_Request request;
    int values[64], sum = rank, left_right[2] = { -1, -1 }, leader = procs > 1 ? 1 : 0;
    const int all = procs, round = 1;
    fill(values, 64);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, half);
    say("sum of a half", &sum, 1);
    if (procs > 1) {
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD,
                             rank % 2 ? (procs - 1) / 2 * 2 : (procs / 2 - 1) * 2 + leader, 3,
                             &inter);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
        say("sum of the other half", &sum, 1);
        MPI_Barrier(inter);
        MPI_Comm_free(&inter);
    }
    MPI_Comm_free(&half);
    MPI_Ibcast(values, 64, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("bcast that does not block", values, 64);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &all, &round, 0, &ring);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, left_right, 1, MPI_INT, ring);
    say("neighbours", left_right, 2);
    MPI_Comm_free(&ring);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    say("alone", &sum, 1);
}

/* A wrong root, where errors come back; and no communicator. */
static void call_wrongly(void)
{
    int value = 0, class, rc;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    rc = MPI_Bcast(&value, 1, MPI_INT, procs, MPI_COMM_WORLD);
    MPI_Error_class(rc, &class);
    if (rank == 0)
        printf("a root that is none: %s\n", class == MPI_ERR_ROOT ? "MPI_ERR_ROOT" : "?");
    rc = MPI_Bcast(&value, -1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Error_class(rc, &class);
    if (rank == 0)
        printf("a count below 0: %s\n", class == MPI_ERR_COUNT ? "MPI_ERR_COUNT" : "?");
    rc = MPI_Allreduce(&value, &value, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
    MPI_Error_class(rc, &class);
    if (rank == 0)
        printf("no operation: %s\n", class == MPI_ERR_OP ? "MPI_ERR_OP" : "?");
}

/* While the others wait for the first one. */
static void give_up(int status)
{
    if (rank == 0)
        MPI_Abort(MPI_COMM_WORLD, status);
    MPI_Barrier(MPI_COMM_WORLD);
}

static long resident_kb(void)
{
    long pages = 0, all;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &all, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Communicators come and go: those of the second half need no memory of their own. */
static void make_many(int n)
{
    long before = 0;
    for (int i = 0; i < n; i++) {
        MPI_Comm comm;
        int value = 1;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, comm);
        MPI_Bcast(&value, 1, MPI_INT, i % procs, comm);
        MPI_Comm_free(&comm);
        if (i == n / 2)
            before = resident_kb();
    }
    if (rank == 0)
        printf("%d communicators, %s\n", n,
               resident_kb() - before < 4096 ? "no more memory" : "MORE MEMORY");
}

/* Rank 1 comes 20 ms later than the others. */
static void come_late(int n)
{
    for (int i = 0; i < n; i++) {
        if (rank == 1)
            usleep(20000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* So many calls of a few kinds, with right results, by ranks that come at different times. The root
 * of the broadcasts alternates, between two places in the program. late_us: how much later the last
 * rank is each time; the calls of the others last at least that long. */
static void call_often(int n, unsigned late_us)
{
    static int give[MOST], get[MOST];
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        int value = rank == i % 2 % procs ? i : -1;
        if ((i * 7 + rank * 3) % 5 == 0)
            usleep(300);
        if (late_us && rank == procs - 1)
            usleep(late_us);
        if (i % 2)
            MPI_Bcast(&value, 1, MPI_INT, 1 % procs, MPI_COMM_WORLD);
        else
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        wrong += value != i;
        value = rank + i;
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong += value != procs * (procs - 1) / 2 + procs * i;
        for (int r = 0; r < procs; r++)
            give[r * 50] = 100 * rank + r + i;
        MPI_Alltoall(give, 50, MPI_INT, get, 50, MPI_INT, MPI_COMM_WORLD);
        for (int r = 0; r < procs; r++)
            wrong += get[r * 50] != 100 * r + rank + i;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d times, %d wrong\n", n, wrong);
}

/* Allreduces of ranks 0 and 1, then of 1 and 2, and so on: ranks that have been in different
 * communicators before. */
static void call_pairs(int n)
{
    int wrong = 0;
    for (int k = 0; k < 4; k++) {
        MPI_Comm pair;
        const int is_in = rank == k % 2 || rank == k % 2 + 1;
        MPI_Comm_split(MPI_COMM_WORLD, is_in ? 0 : MPI_UNDEFINED, rank, &pair);
        for (int i = 0; is_in && i < n; i++) {
            int value[512] = { rank };
            MPI_Allreduce(MPI_IN_PLACE, value, 512, MPI_INT, MPI_SUM, pair);
            wrong += value[0] != 2 * (k % 2) + 1;
        }
        if (is_in)
            MPI_Comm_free(&pair);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d times, %d wrong\n", n, wrong);
}

/* The same call from two places, twice as often from the second one. */
static void call_places(int n)
{
    for (int i = 0; i < n; i++) {
        int value = rank;
        if (i % 3)
            MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* Calls of many sizes. */
static void call_sizes(int n)
{
    static char values[MOST];
    for (int i = 0; i < n; i++)
        MPI_Bcast(values, i, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Two broadcasts and two gathers to all of 4, 16, 64 ... bytes. */
static void call_cells(int most)
{
    static char give[MOST], get[16 * MOST];
    for (int i = 0; i < 2; i++)
        for (int n = 4; n <= most; n *= 4) {
            MPI_Bcast(give, n, MPI_BYTE, 0, MPI_COMM_WORLD);
            MPI_Allgather(give, n, MPI_BYTE, get, n, MPI_BYTE, MPI_COMM_WORLD);
        }
}

/* How often an operation is called for how many elements at most tells what algorithm runs. */
static int op_calls, op_most;

static void add_and_tell(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const int *a = in;
    int *b = inout;
    (void)type;
    for (int i = 0; i < *n; i++)
        b[i] += a[i];
    op_calls++;
    op_most = *n > op_most ? *n : op_most;
}

static void tell_op(int n)
{
    static int give[MOST], get[MOST];
    MPI_Op op;
    MPI_Op_create(add_and_tell, 1, &op);
    fill(give, MOST);
    MPI_Allreduce(give, get, n, MPI_INT, op, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d calls of the operation, %d elements at most\n", op_calls, op_most);
    say("allreduce", get, n);
    MPI_Op_free(&op);
}

/* Threads that make the same kinds of calls at a time, each on a communicator of its own. */
enum { THREADS = 4 };

struct thread {
    MPI_Comm comm;
    int calls, wrong;
};

static void *call_from_thread(void *data)
{
    struct thread *t = data;
    for (int i = 0; i < t->calls; i++) {
        int sum = rank + i, value = rank == i % procs ? i : -1;
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, t->comm);
        MPI_Bcast(&value, 1, MPI_INT, i % procs, t->comm);
        t->wrong += value != i || sum != procs * (procs - 1) / 2 + procs * i;
    }
    return NULL;
}

static void call_from_threads(int n)
{
    struct thread t[THREADS];
    pthread_t id[THREADS];
    int wrong = 0;
    for (int i = 0; i < THREADS; i++) {
        t[i] = (struct thread){ .calls = n };
        MPI_Comm_dup(MPI_COMM_WORLD, &t[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&id[i], NULL, call_from_thread, &t[i]) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(id[i], NULL);
        MPI_Comm_free(&t[i].comm);
        wrong += t[i].wrong;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d threads, %d wrong\n", THREADS, wrong);
}

/* Sums of whole numbers and of floating-point ones, of as many bytes. */
static void add_both(int n)
{
    for (int i = 0; i < n; i++) {
        int whole = rank + i;
        float part = 1.0F / (float)(rank + i + 3);
        MPI_Allreduce(MPI_IN_PLACE, &whole, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &part, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%d %a\n", whole, (double)part);
    }
}

/* Many calls; the last rank is killed before the end. */
static void be_killed(int times)
{
    int mine = 1, all;
    for (int i = 0; i < times; i++)
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == procs - 1)
        raise(SIGKILL);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "all";
    const int number = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
    int provided = MPI_THREAD_SINGLE;
    if (strcmp(what, "multiple") == 0 || strcmp(what, "threads") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    if (strcmp(what, "all") == 0 || strcmp(what, "multiple") == 0)
        for (int i = 0; i < 3; i++) {
            call_all(1 + 30 * i, i % procs);
            call_odd(1 + 30 * i, (procs - 1) * (i % 2));
            call_elsewhere();
        }
    else if (strcmp(what, "wrong") == 0)
        call_wrongly();
    else if (strcmp(what, "abort") == 0)
        give_up(number);
    else if (strcmp(what, "killed") == 0)
        be_killed(number);
    else if (strcmp(what, "many") == 0)
        make_many(number);
    else if (strcmp(what, "late") == 0)
        come_late(number);
    else if (strcmp(what, "often") == 0)
        call_often(number, 0);
    else if (strcmp(what, "waiting") == 0)
        call_often(number, 400);
    else if (strcmp(what, "pairs") == 0)
        call_pairs(number);
    else if (strcmp(what, "places") == 0)
        call_places(number);
    else if (strcmp(what, "sizes") == 0)
        call_sizes(number);
    else if (strcmp(what, "cells") == 0)
        call_cells(number);
    else if (strcmp(what, "sums") == 0)
        add_both(number);
    else if (strcmp(what, "op") == 0)
        tell_op(number);
    else if (strcmp(what, "threads") == 0 && provided < MPI_THREAD_MULTIPLE)
        puts("no threads");
    else if (strcmp(what, "threads") == 0)
        call_from_threads(number);
    fflush(stdout); /* what is written after MPI_Finalize may be lost */
    MPI_Finalize();
    return strcmp(what, "status") == 0 && rank == 0 ? number : 0;
}
