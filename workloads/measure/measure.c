/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - the measuring program: one MPI job that times every point of a launch. See --help and
 * native.h for what its environment must hold. */
#include <dlfcn.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "harness/base/scratch_dir.h"
#include "workloads/measure/call.h"
#include "workloads/measure/die_with_parent.h"
#include "workloads/measure/launch.h"
#include "workloads/proof/native.h"

/* Tests whether a program runs in this environment: calls every collective with all possible
 * numbers of ranks, with small and large messages, and checks the results. Nothing is timed, forced
 * or set: the environment decides (a rules file). */

/* One call among the ranks of a communicator. */
static int try_call(const struct collective *c, uint64_t bytes, MPI_Comm comm, struct err *err)
{
    struct call_args args = { .bytes = bytes, .comm = comm, .seed = 1 };
    MPI_Comm_size(comm, &args.procs);
    MPI_Comm_rank(comm, &args.rank);
    for (enum op_buffer b = BUF_DATA; b < BUF_TEMP; b++)
        args.buffers.at[b] = memory_zeros(bytes * (uint64_t)args.procs + GUARD_BYTES, 1);
    call_counts_init(&args, c);
    call_fill(c, &args);
    const int rc = call_native(c)(&args);
    const int status =
        rc != MPI_SUCCESS ? err_set(err, "the call returned an error") : call_check(c, &args, err);
    call_counts_clear(&args);
    for (enum op_buffer b = BUF_DATA; b < BUF_TEMP; b++)
        free(args.buffers.at[b]);
    return status;
}

/* Of all sizes; *n counts. The lowest rank that failed says why. */
static int try_sizes(const struct collective *c, MPI_Comm comm, int *n, struct err *err)
{
    static const uint64_t sizes[] = { 1, 1000, 40000 };
    int status = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && status == 0; i++) {
        char bytes[32];
        int procs;
        status = try_call(c, sizes[i], comm, err);
        MPI_Comm_size(comm, &procs);
        if (status < 0)
            err_prefix(err, "%s P = %d, %s", c->name, procs,
                       format_bytes(sizes[i], bytes, sizeof bytes));
        (*n)++;
    }
    return status;
}

/* All collectives among the first ranks of world. */
static int try_procs(MPI_Comm world, int procs, int *n, struct err *err)
{
    MPI_Comm comm;
    int rank, status = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_split(world, rank < procs ? 0 : MPI_UNDEFINED, rank, &comm);
    if (comm == MPI_COMM_NULL)
        return 0;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (const struct collective *c = collectives; c->name && status == 0; c++)
        if (call_native(c))
            status = try_sizes(c, comm, n, err);
    MPI_Comm_free(&comm);
    return status;
}

/* 1 when the library takes each rank for one on a node of its own, on rank 0's node at least. */
static int is_apart(MPI_Comm world)
{
    MPI_Comm node;
    int ranks = 0;
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    return ranks == 1;
}

/* Collective over world. 0; or -1 with *err, on rank 0, naming the first call that failed on some
 * rank. Rank 0 prints how many there were: "tried 96 calls", and behind it, where the library does
 * not know that ranks share a node, ", each rank on another node". */
static int try_calls(MPI_Comm world, struct err *err)
{
    int ranks, rank, n = 0, status = 0;
    const int apart = is_apart(world);
    MPI_Comm_size(world, &ranks);
    MPI_Comm_rank(world, &rank);
    for (int procs = 2; procs <= ranks && status == 0; procs++)
        status = try_procs(world, procs, &n, err);
    if (status == 0 && rank == 0)
        printf("tried %d calls%s\n", n, apart ? ", each rank on another node" : "");
    return status;
}

/* The MPI that a program was compiled for, and the one it runs with. A module or an upgrade may
 * replace the library of a compiled program; then constants of mpi.h, and our tables of its
 * algorithms, may not apply to it. */

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
static void built_for_print(FILE *out)
{
    fputs("compiled: \nlibrary: \nfile: \n", out);
}
#else
static void built_for_print(FILE *out)
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

/* -1 with *err where the library is of another release than mpi.h was; a library whose release is
 * not known here passes. May be called before MPI_Init. */
static int built_for_check(struct err *err)
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
        _exit(EXIT_FAILED); /* MPICH's returns, until its launcher ends the rank */
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
