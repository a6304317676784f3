/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - the measuring program: one MPI job that times every point of a launch. See --help and
 * native.h for what its environment must hold. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "harness/base/scratch_dir.h"
#include "workloads/proof/built_for.h"
#include "workloads/measure/launch.h"
#include "workloads/proof/native.h"
#include "workloads/measure/options.h"
#include "workloads/measure/die_with_parent.h"
#include "workloads/measure/try_calls.h"

/* Set by SIGTERM: a handler has no other place to put it. */
static volatile sig_atomic_t stop_requested;

#ifdef MPI_IS_smpi

/* The simulator is one process; it may simply be killed. */
static void catch_sigterm(void)
{
}

#else

static void request_stop(int signal_number)
{
    (void)signal_number;
    stop_requested = 1;
}

static void catch_sigterm(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = request_stop;
    action.sa_flags = SA_RESTART;
    sigaction(SIGTERM, &action, NULL);
}

#endif

/* The worst status of any rank is everybody's. */
static int agree(int status)
{
    int worst;
    MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

static int run(int argc, char **argv, struct err *err)
{
    struct measure_options o;
    if (measure_options_parse(&o, argc, argv, err) < 0)
        return err->status;
    if (o.help) {
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0)
            measure_options_help(stdout);
        return EXIT_DONE;
    }
    catch_sigterm();
    return launch_run(&o, MPI_COMM_WORLD, &stop_requested, err) < 0 ? EXIT_FAILED : EXIT_DONE;
}

/* Options are read after MPI_Init; this one must be known before. */
static int wants_own_memory(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--own-memory") == 0)
            return native_library.share_in != NULL;
    return 0;
}

/* Ranks of this node, as launchers tell them; 1 where they do not. */
static long ranks_here(void)
{
    static const char *const told[] = { "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS" };
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        const char *text = getenv(told[i]);
        const long n = text ? strtol(text, NULL, 10) : 0;
        if (n > 0)
            return n;
    }
    return 1;
}

/* Open MPI takes 4 MiB and a little for a rank; where they are not left it goes over TCP without a
 * word that lasts, a hundred times slower. MPICH fails in words that nobody understands. */
static void check_space(void)
{
    enum { OF_A_RANK = (4 << 20) + (64 << 10), FILES_OF_A_RANK = 2, OUR_FILES = 2 };
    struct statvfs v;
    const long ranks = ranks_here(), files = FILES_OF_A_RANK * ranks + OUR_FILES;
    const double want = (double)OF_A_RANK * (double)ranks, mib = 1 << 20;
    if (statvfs(SCRATCH_DIR_SHARED, &v) < 0)
        return;
    const double left = (double)v.f_bavail * (double)v.f_frsize;
    const int few = v.f_files > 0 && v.f_favail < (fsfilcnt_t)files;
    if (left >= want && !few)
        return;
    if (few)
        fprintf(stderr, "measure: '%s' has room for %llu files more (want at least %ld",
                SCRATCH_DIR_SHARED, (unsigned long long)v.f_favail, files);
    else
        fprintf(stderr, "measure: '%s' has %.1f MiB left (want at least %.1f", SCRATCH_DIR_SHARED,
                left / mib, want / mib);
    fprintf(stderr, " for shared memory: ranks would talk over something else)\n");
    exit(EXIT_FAILED);
}

/* The ranks of a node have one parent, and by its number one directory. */
static void take_own_memory(struct scratch_dir *own)
{
    check_space();
    scratch_dir_take(own, SCRATCH_DIR_SHARED, (long)getppid());
    if (*own->path)
        native_library.share_in(own->path);
}

/* What the library lists of itself: no job is needed, so none is started. */
static int list_natives(void)
{
    struct err err = { 0 };
    if (!native_library.list || native_library.list(stdout, &err) == 0)
        return EXIT_DONE;
    fprintf(stderr, "measure: %s\n", err.text);
    return EXIT_FAILED;
}

/* Calls that fail on one rank may keep the others waiting for ever. */
static int try(int *argc, char ***argv)
{
    struct err err = { 0 };
    MPI_Init(argc, argv);
    if (try_calls(MPI_COMM_WORLD, &err) < 0) {
        fprintf(stderr, "measure: %s\n", err.text);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
    }
    MPI_Finalize();
    return EXIT_DONE;
}

int main(int argc, char **argv)
{
    struct err err = { 0 };
    int rank;
    if (argc == 2 && strcmp(argv[1], "--list-natives") == 0)
        return list_natives();
    if (argc == 2 && strcmp(argv[1], "--library") == 0) {
        built_for_print(stdout);
        return EXIT_DONE;
    }
    if (built_for_check(&err) < 0) {
        fprintf(stderr, "measure: %s\n", err.text);
        return EXIT_FAILED;
    }
    if (argc == 2 && strcmp(argv[1], "--try") == 0)
        return try(&argc, &argv);
    struct scratch_dir own = { .lock = -1 };
    die_with_parent_follow();
    native_library.set_environment();
    if (wants_own_memory(argc, argv))
        take_own_memory(&own);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int status = run(argc, argv, &err);
    if (rank == 0 && *err.text)
        fprintf(stderr, "measure: %s\n", err.text);
    status = agree(status);
    MPI_Finalize();
    scratch_dir_drop(&own);
    return status;
}
