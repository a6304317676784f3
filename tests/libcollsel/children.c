/* SPDX-License-Identifier: BSD-3-Clause */
/* children.c - an application with a handler for the ends of its children. With FILE each rank has
 * a child of its own, which ends when FILE is there. With "old" it has one that ended before MPI
 * began, and that no handler collects. Prints, by rank 0, "told N, collected M": how
 * often the handlers of all ranks ran up to MPI_Finalize, and how many children they found. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t told, collected;

static void tell(int number)
{
    (void)number;
    told = told + 1;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        collected = collected + 1;
}

static pid_t start(const char *file)
{
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    for (int i = 0; i < 60000 && access(file, F_OK) != 0; i++)
        usleep(1000);
    _exit(0);
}

static void count(int number)
{
    (void)number;
    told = told + 1;
}

/* A child that has ended, of which the handler was told. */
static pid_t start_old(void)
{
    siginfo_t ended;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT);
    for (int i = 0; !told && i < 60000; i++)
        usleep(1000);
    told = 0;
    return pid;
}

int main(int argc, char **argv)
{
    struct sigaction action = { .sa_handler = tell, .sa_flags = SA_RESTART | SA_NOCLDSTOP };
    int rank, procs, all[2], mine[64], theirs[64] = { 0 };
    MPI_Comm half;
    const int old = argc > 1 && strcmp(argv[1], "old") == 0;
    if (old)
        action.sa_handler = count;
    sigaction(SIGCHLD, &action, NULL);
    const pid_t child = old ? start_old() : argc > 1 ? start(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    for (int i = 0; i < 64; i++)
        mine[i] = rank;
    MPI_Alltoall(mine, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Alltoall(mine, 1, MPI_INT, theirs, 1, MPI_INT, half);
    MPI_Comm_free(&half);
    if (old)
        collected = waitpid(child, NULL, 0) == child;
    for (int i = 0; child && !collected && i < 60000; i++)
        usleep(1000);
    const int own[] = { told, collected };
    MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("told %d, collected %d\n", all[0], all[1]);
    fflush(stdout); /* what is written after MPI_Finalize may be lost */
    MPI_Finalize();
    return 0;
}
