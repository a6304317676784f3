/* SPDX-License-Identifier: BSD-3-Clause */
/* wrappers.c - the functions that stand before those of MPI: the only ones of the library that
 * others can see. Each has both of its names: Open MPI's Fortran layers call PMPI_Bcast. */
#include <dlfcn.h>

#include "workloads/libcollsel/call_dispatch.h"
#include "workloads/libcollsel/life.h"

#define SEEN __attribute__((visibility("default")))

/* Where the application called. */
#define SITE __builtin_return_address(0)

/* The function that would have been called without this library. */
static void *find_next(void **next, const char *name)
{
    void *found = __atomic_load_n(next, __ATOMIC_RELAXED);
    if (!found) {
        found = dlsym(RTLD_NEXT, name);
        __atomic_store_n(next, found, __ATOMIC_RELAXED);
    }
    return found;
}

/* A function with this name; the text `real` calls the next one. */
#define FUNCTION(name, next_name, params, ...)                                                     \
    SEEN int name params;                                                                          \
    SEEN int name params                                                                           \
    {                                                                                              \
        static void *next;                                                                         \
        int(*const real) params = (int(*) params)find_next(&next, next_name);                      \
        __VA_ARGS__                                                                                \
    }

/* Both of them. is_p: 1 in the one with P. */
#define BOTH(name, params, ...)                                                                    \
    FUNCTION(MPI_##name, "PMPI_" #name, params, enum { is_p = 0 }; __VA_ARGS__)                    \
    FUNCTION(PMPI_##name, "PMPI_" #name, params, enum { is_p = 1 }; __VA_ARGS__)

#define IS_OURS (is_p && counted_caller(SITE) == CALLER_MPI)

/* clang-format off */
BOTH(Init, (int *argc, char ***argv), {
    const int rc = real(argc, argv);
    if (rc == MPI_SUCCESS && !IS_OURS)
        life_begin();
    return rc;
})

BOTH(Init_thread, (int *argc, char ***argv, int required, int *provided), {
    const int rc = real(argc, argv, required, provided);
    if (rc == MPI_SUCCESS && !IS_OURS)
        life_begin();
    return rc;
})

BOTH(Finalize, (void), {
    if (!IS_OURS)
        life_end();
    return real();
})

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)
#define HAS_PERSISTENT 1
BOTH(Session_init, (MPI_Info info, MPI_Errhandler handler, MPI_Session *session), {
    const int rc = real(info, handler, session);
    if (rc == MPI_SUCCESS && !IS_OURS)
        counted_sessions(1);
    return rc;
})

BOTH(Session_finalize, (MPI_Session *session), {
    if (!IS_OURS && counted_sessions(0) > 0)
        life_session_ends();
    return real(session);
})
#endif

/* Between its function of Fortran and that of MPI that the Fortran layer calls; NULL: elsewhere. */
static __thread const void *fortran_site __attribute__((tls_model("initial-exec")));

/* Arguments are pointers there, in each binding. T: `void *`, or nothing where they are passed. */
#define POINTERS_2(T)  T a, T b
#define POINTERS_6(T)  POINTERS_2(T), T c, T d, T e, T f
#define POINTERS_7(T)  POINTERS_6(T), T g
#define POINTERS_8(T)  POINTERS_7(T), T h
#define POINTERS_9(T)  POINTERS_8(T), T i
#define POINTERS_10(T) POINTERS_9(T), T j

#define FORTRAN_AS(name, POINTERS)                                                                 \
    SEEN void name(POINTERS(void *));                                                              \
    SEEN void name(POINTERS(void *))                                                               \
    {                                                                                              \
        static void *next;                                                                         \
        void (*const real)(POINTERS(void *)) =                                                     \
            (void (*)(POINTERS(void *)))find_next(&next, #name);                                   \
        fortran_site = SITE;                                                                       \
        real(POINTERS());                                                                          \
        fortran_site = NULL;                                                                       \
    }
/* Of mpif.h and `use mpi`; of `use mpi_f08`, as Open MPI and as MPICH name them. */
#define FORTRAN(KIND, Name, name, SHAPE)                                                           \
    FORTRAN_AS(mpi_##name##_, POINTERS_##SHAPE)                                                    \
    FORTRAN_AS(mpi_##name##_f08_, POINTERS_##SHAPE)                                                \
    FORTRAN_AS(mpi_##name##_f08ts_, POINTERS_##SHAPE)
#define POINTERS_BARRIER        POINTERS_2
#define POINTERS_BCAST          POINTERS_6
#define POINTERS_COMBINE        POINTERS_7
#define POINTERS_REDUCE_SCATTER POINTERS_7
#define POINTERS_REDUCE         POINTERS_8
#define POINTERS_TO_ALL         POINTERS_8
#define POINTERS_TO_ALL_V       POINTERS_9
#define POINTERS_ROOTED         POINTERS_9
#define POINTERS_GATHER_V       POINTERS_10
#define POINTERS_SCATTER_V      POINTERS_10
#define POINTERS_EXCHANGE_V     POINTERS_10
MPI_CALLS_REPLACED(FORTRAN)

/* The call as it was made: by a schedule, or as the library makes it. */
#define LOOK_AT(KIND, FORM, names, after, ...)                                                     \
    {                                                                                              \
        const enum caller who = is_p ? counted_caller(SITE) : CALLER_FORTRAN;                      \
        if (who != CALLER_FORTRAN) {                                                               \
            const int64_t began_ns = who == CALLER_MPI ? 0 : counted_begin();                      \
            const int rc = real names;                                                             \
            counted_end(WHY_PMPI, FORM, COUNTED_##KIND, began_ns, NULL);                           \
            return rc;                                                                             \
        }                                                                                          \
        struct call_dispatch turn;                                                                 \
        const struct call_args asked = {                                                           \
            .which = CALL_ARGS_##KIND, .comm = comm,                                               \
            .site = fortran_site ? fortran_site : SITE, __VA_ARGS__                                \
        };                                                                                         \
        const int ran = call_dispatch_begin(&turn, &asked);                                        \
        const int rc = call_dispatch_end(&turn, ran ? turn.rc : real names);                       \
        after;                                                                                     \
        return rc;                                                                                 \
    }
#define SAME(x)         (x)
#define SAME_AT_ROOT(x) (x)
#define REPLACED(KIND, Name, name, SHAPE)                                                          \
    BOTH(Name, (PARAMS_##SHAPE(int, int)),                                                         \
         LOOK_AT(KIND, FORM_PLAIN, (NAMES_##SHAPE), , MEMBERS_##SHAPE(SAME, SAME, SAME)))
MPI_CALLS_REPLACED(REPLACED)

/* Of a call that failed nothing is under way. */
#define COUNT(KIND, FORM, REQUEST, names)                                                          \
    {                                                                                              \
        const int64_t began_ns = IS_OURS ? 0 : counted_begin();                                    \
        const int rc = real names;                                                                 \
        counted_end(WHY_FORM, FORM, COUNTED_##KIND, began_ns,                                      \
                    rc == MPI_SUCCESS ? REQUEST : NULL);                                           \
        return rc;                                                                                 \
    }
#define PLAIN(KIND, Name, name, SHAPE)                                                             \
    BOTH(Name, (PARAMS_##SHAPE(int, int)), COUNT(KIND, FORM_PLAIN, NULL, (NAMES_##SHAPE)))
#define NONBLOCKING(KIND, Name, name, SHAPE)                                                       \
    BOTH(I##name, (PARAMS_##SHAPE(int, int), MPI_Request *request),                                \
         COUNT(KIND, FORM_I, request, (NAMES_##SHAPE, request)))
MPI_CALLS_COUNTED(PLAIN)
MPI_CALLS(NONBLOCKING)

#define PERSISTENT_AS(P, KIND, Name, SHAPE)                                                        \
    FUNCTION(P##Name##_init, "P" START_OF_INIT #Name "_init",                                      \
             (PARAMS_##SHAPE(int, int), MPI_Info info, MPI_Request *request),                      \
             enum { is_p = sizeof #P > sizeof START_OF_INIT };                                     \
             COUNT(KIND, FORM_INIT, request, (NAMES_##SHAPE, info, request)))
#ifdef HAS_PERSISTENT
#define START_OF_INIT "MPI_"
#define PERSISTENT(KIND, Name, name, SHAPE)                                                        \
    PERSISTENT_AS(MPI_, KIND, Name, SHAPE) PERSISTENT_AS(PMPI_, KIND, Name, SHAPE)
#else
#define START_OF_INIT "MPIX_" /* of Open MPI 4.1 */
#define PERSISTENT(KIND, Name, name, SHAPE)                                                        \
    PERSISTENT_AS(MPIX_, KIND, Name, SHAPE) PERSISTENT_AS(PMPIX_, KIND, Name, SHAPE)
#endif
MPI_CALLS(PERSISTENT)

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 6)
/* Counts that do not fit are INT_MAX. */
static int narrow(MPI_Count count)
{
    return count > INT_MAX ? INT_MAX : count < 0 ? -1 : (int)count;
}

static int is_root(int root, MPI_Comm comm)
{
    int rank = -1;
    return comm != MPI_COMM_NULL && PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root;
}

/* One for each rank, kept in *narrowed, to be freed; NULL: this rank has none. */
static int *narrow_all(const MPI_Count *counts, MPI_Comm comm, int *narrowed[2])
{
    int procs = 0, is_inter = 0;
    if (!counts || comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &is_inter) || is_inter)
        return NULL;
    PMPI_Comm_size(comm, &procs);
    int *v = memory_zeros((size_t)procs, sizeof *v);
    for (int i = 0; i < procs; i++)
        v[i] = narrow(counts[i]);
    narrowed[narrowed[0] != NULL] = v;
    return v;
}

#define ALL_COUNTS(x)         narrow_all(x, comm, narrowed)
#define ALL_COUNTS_AT_ROOT(x) narrow_all(is_root(root, comm) ? (x) : NULL, comm, narrowed)
#define NO_PLACES(x)  NULL
#define LOOKED_AT_C(KIND, Name, name, SHAPE)                                                       \
    BOTH(Name##_c, (PARAMS_##SHAPE(MPI_Count, MPI_Aint)), {                                        \
        int *narrowed[2] = { NULL, NULL };                                                         \
        LOOK_AT(KIND, FORM_PLAIN_C, (NAMES_##SHAPE), memory_free(narrowed[0], narrowed[1]),        \
                .is_large = 1, MEMBERS_##SHAPE(narrow, ALL_COUNTS, NO_PLACES))                     \
    })
#define COUNTED_C(KIND, Name, name, SHAPE)                                                         \
    BOTH(Name##_c, (PARAMS_##SHAPE(MPI_Count, MPI_Aint)),                                          \
         COUNT(KIND, FORM_PLAIN_C, NULL, (NAMES_##SHAPE)))
#define LARGE(KIND, Name, name, SHAPE)                                                             \
    BOTH(I##name##_c, (PARAMS_##SHAPE(MPI_Count, MPI_Aint), MPI_Request *request),                 \
         COUNT(KIND, FORM_I_C, request, (NAMES_##SHAPE, request)))                                 \
    BOTH(Name##_init_c,                                                                            \
         (PARAMS_##SHAPE(MPI_Count, MPI_Aint), MPI_Info info, MPI_Request *request),               \
         COUNT(KIND, FORM_INIT_C, request, (NAMES_##SHAPE, info, request)))
MPI_CALLS_SIZED(LOOKED_AT_C)
MPI_CALLS_COUNTED(COUNTED_C)
MPI_CALLS_SIZED(LARGE)
MPI_CALLS_COUNTED(LARGE)
#endif

#define WAITED(n, requests, call, after)                                                           \
    {                                                                                              \
        struct waited w;                                                                           \
        (void)is_p;                                                                                \
        waited_begin(&w, n, requests);                                                             \
        const int rc = call;                                                                       \
        const int ok = rc == MPI_SUCCESS;                                                          \
        after;                                                                                     \
        return rc;                                                                                 \
    }

/* Of a call that failed some may have ended. */
#define END(n, requests, ended, places)                                                            \
    (ok ? waited_end(&w, ended, places) : waited_failed(&w, n, requests))
BOTH(Wait, (MPI_Request *request, MPI_Status *status),
     WAITED(1, request, real(request, status), END(1, request, 1, NULL)))
BOTH(Test, (MPI_Request *request, int *flag, MPI_Status *status),
     WAITED(1, request, real(request, flag, status), END(1, request, *flag != 0, NULL)))
BOTH(Waitall, (int n, MPI_Request requests[], MPI_Status statuses[]),
     WAITED(n, requests, real(n, requests, statuses), END(n, requests, n, NULL)))
BOTH(Testall, (int n, MPI_Request requests[], int *flag, MPI_Status statuses[]),
     WAITED(n, requests, real(n, requests, flag, statuses),
            END(n, requests, *flag ? n : 0, NULL)))
BOTH(Waitany, (int n, MPI_Request requests[], int *place, MPI_Status *status),
     WAITED(n, requests, real(n, requests, place, status),
            END(n, requests, *place != MPI_UNDEFINED, place)))
BOTH(Testany, (int n, MPI_Request requests[], int *place, int *flag, MPI_Status *status),
     WAITED(n, requests, real(n, requests, place, flag, status),
            END(n, requests, *flag && *place != MPI_UNDEFINED, place)))
BOTH(Waitsome, (int n, MPI_Request requests[], int *ended, int places[], MPI_Status statuses[]),
     WAITED(n, requests, real(n, requests, ended, places, statuses),
            END(n, requests, *ended != MPI_UNDEFINED ? *ended : 0, places)))
BOTH(Testsome, (int n, MPI_Request requests[], int *ended, int places[], MPI_Status statuses[]),
     WAITED(n, requests, real(n, requests, ended, places, statuses),
            END(n, requests, *ended != MPI_UNDEFINED ? *ended : 0, places)))
BOTH(Start, (MPI_Request *request),
     WAITED(1, request, real(request), waited_started(&w, ok)))
BOTH(Startall, (int n, MPI_Request requests[]),
     WAITED(n, requests, real(n, requests), waited_started(&w, ok ? n : 0)))
BOTH(Request_free, (MPI_Request *request),
     WAITED(1, request, real(request), waited_freed(&w, ok)))
