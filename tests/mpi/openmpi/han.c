/* SPDX-License-Identifier: BSD-3-Clause */
/* han.c - what Open MPI's component `han` does with its files of rules: DIR/0, DIR/1 ... are loaded
 * one after the other, and the collectives that it serves are called on communicators of several
 * shapes with some sizes. Prints, of each call,
 *
 *     file collective procs nodes ppn bytes component
 *
 * to DIR/seen: which component ran it on this very communicator, the last one that was entered
 * there; or `failed`; a call is made twice, and the second one counts. File -1 stands for none at
 * all, -2 for that which lay at DIR/now when the launch began.
 *
 * The other components' functions are seen by putting ours into their modules' tables: of `tuned`
 * and `basic`, which own other collectives of the communicator, and are found by these. What han
 * calls on communicators of its own, below this one, is not counted.
 *
 * Arguments: DIR, the number of files; then a letter per rank, its node ("aaabbb"), as the launch
 * has laid them; and sizes. */
#include <malloc.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/openmpi/reload.h"
#include "workloads/measure/call.h"
#include "workloads/proof/native.h"
#include "workloads/proof/coll_component.h"

enum { MOST_RANKS = 8, MOST_SIZES = 8, MOST_MODULES = 4, TABLE_WORDS = 64 };

/* ---- who is entered ---- */

#define SERVED(F)                                                                                  \
    F(allgather)                                                                                   \
    F(allreduce)                                                                                   \
    F(barrier)                                                                                     \
    F(bcast)                                                                                       \
    F(gather)                                                                                      \
    F(reduce)                                                                                      \
    F(scatter)

#define PUT_INDEX(collective) AT_##collective,
#define PUT_NAME(collective)  #collective,
enum { SERVED(PUT_INDEX) N_SERVED };
static const char *const served[] = { SERVED(PUT_NAME) };

static struct {
    MPI_Comm comm; /* that is watched, and of which collective: it may call others */
    int collective;
    const char *component;
    struct {
        const char *component;
        void *module, *real[N_SERVED];
    } module[MOST_MODULES];
    int n;
} watch;

static void *enter(int collective, MPI_Comm comm, const void *module)
{
    for (int i = 0; i < watch.n; i++)
        if (watch.module[i].module == module) {
            if (comm == watch.comm && collective == watch.collective)
                watch.component = watch.module[i].component;
            return watch.module[i].real[collective];
        }
    abort(); /* ours stand in these modules alone */
}

#define WATCH(collective, params, args)                                                            \
    static int watch_##collective params                                                           \
    {                                                                                              \
        int(*real) params;                                                                         \
        void *at = enter(AT_##collective, comm, m);                                                \
        memcpy(&real, &at, sizeof real);                                                           \
        return real args;                                                                          \
    }

WATCH(allgather,
      (const void *in, int n, MPI_Datatype t, void *out, int rn, MPI_Datatype rt, MPI_Comm comm,
       void *m),
      (in, n, t, out, rn, rt, comm, m))
WATCH(allreduce,
      (const void *in, void *out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm comm, void *m),
      (in, out, n, t, op, comm, m))
WATCH(barrier, (MPI_Comm comm, void *m), (comm, m))
WATCH(bcast, (void *data, int n, MPI_Datatype t, int root, MPI_Comm comm, void *m),
      (data, n, t, root, comm, m))
WATCH(gather,
      (const void *in, int n, MPI_Datatype t, void *out, int rn, MPI_Datatype rt, int root,
       MPI_Comm comm, void *m),
      (in, n, t, out, rn, rt, root, comm, m))
WATCH(reduce,
      (const void *in, void *out, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm comm,
       void *m),
      (in, out, n, t, op, root, comm, m))
WATCH(scatter,
      (const void *in, int n, MPI_Datatype t, void *out, int rn, MPI_Datatype rt, int root,
       MPI_Comm comm, void *m),
      (in, n, t, out, rn, rt, root, comm, m))

#define PUT_WATCH(collective) (void (*)(void)) watch_##collective,
static void (*const watchers[])(void) = { SERVED(PUT_WATCH) };

/* adapt owns nothing; its functions are exported, and ours come first. */
static void *real_adapt(int collective, const char *symbol, MPI_Comm comm)
{
    struct reload_file f = { .name = "mca_coll_adapt" };
    dl_iterate_phdr(is_file, &f);
    /* of its own file, in 4.1; from 5.0 on it is part of the library */
    void *object = *f.path ? dlopen(f.path, RTLD_NOW | RTLD_NOLOAD) : RTLD_NEXT;
    void *at = object || !*f.path ? dlsym(object, symbol) : NULL;
    if (comm == watch.comm && collective == watch.collective)
        watch.component = "adapt";
    return at ? at : (abort(), NULL);
}

#define WATCH_ADAPT(collective, function, params, args)                                            \
    int function params;                                                                           \
    int function params                                                                            \
    {                                                                                              \
        int(*real) params;                                                                         \
        void *at = real_adapt(AT_##collective, #function, comm);                                   \
        memcpy(&real, &at, sizeof real);                                                           \
        return real args;                                                                          \
    }

WATCH_ADAPT(bcast, ompi_coll_adapt_bcast,
            (void *data, int n, MPI_Datatype t, int root, MPI_Comm comm, void *m),
            (data, n, t, root, comm, m))
WATCH_ADAPT(reduce, ompi_coll_adapt_reduce,
            (const void *in, void *out, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm comm,
             void *m),
            (in, out, n, t, op, root, comm, m))

/* What han keeps of those who served before it, and calls where it steps aside, are copies. */
static void watch_copies(MPI_Comm comm)
{
    struct coll_component han;
    if (!coll_component_find(comm, "bcast", &han))
        return;
    void **word = han.module;
    for (size_t i = 0; i < malloc_usable_size(word) / sizeof *word; i++)
        for (int m = 0; m < watch.n; m++)
            for (int k = 0; k < N_SERVED; k++)
                if (word[i] == watch.module[m].real[k]) {
                    memcpy(&word[i], &watchers[k], sizeof *word);
                    m = watch.n - 1;
                    break;
                }
}

/* Where the functions of a module stand: their order is that of the communicator's table, so that
 * one that is known tells where the others are. */
static void **table_of(const struct coll_component *of)
{
    void **word = of->module;
    for (int i = of->at; i < TABLE_WORDS; i++)
        if (word[i] == of->function)
            return &word[i - of->at];
    return NULL;
}

/* Ours take the place of a component's functions, by a collective that it owns. */
static void put_watch(MPI_Comm comm, const char *component, const char *owns)
{
    struct coll_component of, place;
    char name[32];
    void **table = NULL;
    if (strcmp(coll_component_of(comm, owns, name, sizeof name), component) == 0 &&
        coll_component_find(comm, owns, &of))
        table = table_of(&of);
    if (!table || watch.n == MOST_MODULES) {
        fprintf(stderr, "no module of %s: %s owns %s\n", component, name, owns);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return;
    }
    watch.module[watch.n].component = component;
    watch.module[watch.n].module = of.module;
    for (int i = 0; i < N_SERVED; i++) {
        coll_component_find(comm, served[i], &place);
        watch.module[watch.n].real[i] = table[place.at];
        memcpy(&table[place.at], &watchers[i], sizeof *table);
    }
    watch.n++;
}

/* ---- calls ---- */

struct run {
    FILE *out; /* NULL: not rank 0 */
    const char *node;
    int rank, file;
    uint64_t size[MOST_SIZES];
    int sizes;
    char *data[3];
};

static void call_one(const struct run *run, int collective, MPI_Comm comm, const int shape[3],
                     uint64_t bytes)
{
    const struct collective *c = collective_find(served[collective]);
    struct call_args call = {
        .buffers.at = { [BUF_DATA] = run->data[0],
                        [BUF_SEND] = run->data[1],
                        [BUF_RECV] = run->data[2] },
        .bytes = bytes,
        .procs = shape[0],
        .comm = comm,
    };
    char owner[32];
    MPI_Comm_rank(comm, &call.rank);
    call_counts_init(&call, c);
    int failed = 0;
    watch.collective = collective;
    for (int i = 0; i < 2; i++) { /* in the first one han makes communicators, by other calls */
        struct err err = { 0 };
        call_fill(c, &call);
        watch.component = coll_component_of(comm, c->name, owner, sizeof owner);
        failed |= call_native(c)(&call) != MPI_SUCCESS || call_check(c, &call, &err) < 0;
    }
    if (run->out)
        fprintf(run->out, "%d %s %d %d %d %llu %s\n", run->file, c->name, shape[0], shape[1],
                shape[2], (unsigned long long)bytes, failed ? "failed" : watch.component);
    call_counts_clear(&call);
}

/* All calls on a new communicator of some ranks: what a call does to it lasts as long as it. */
static void call_among(const struct run *run, const int *ranks, int n)
{
    int shape[3] = { n, 0, 0 }, on[26] = { 0 }, here = 0;
    for (int i = 0; i < n; i++) {
        int *many = &on[run->node[ranks[i]] - 'a'];
        shape[1] += !(*many)++;
        shape[2] = *many > shape[2] ? *many : shape[2];
        here |= ranks[i] == run->rank;
    }
    if (!here)
        return;
    MPI_Comm comm = reload_comm(ranks, n);
    watch.n = 0;
    watch.comm = comm;
    put_watch(comm, "tuned", "reduce_scatter");
    put_watch(comm, "basic", "scan");
    watch_copies(comm);
    for (int i = 0; i < N_SERVED; i++) {
        const int moves = collective_moves(served[i]);
        for (int k = 0; k < (moves ? run->sizes : 1); k++)
            call_one(run, i, comm, shape, moves ? run->size[k] : 0);
    }
    MPI_Comm_free(&comm);
}

/* Several ranks on each of two nodes, twice; one on each; unequally many; all on one. Ranks 0 to 2
 * are on the first, 3 to 5 on the second. */
static void call_all(const struct run *run)
{
    call_among(run, (const int[]){ 0, 1, 2, 3, 4, 5 }, 6);
    call_among(run, (const int[]){ 0, 1, 3, 4 }, 4);
    call_among(run, (const int[]){ 0, 3 }, 2);
    call_among(run, (const int[]){ 0, 1, 3 }, 3);
    call_among(run, (const int[]){ 0, 1 }, 2);
}

int main(int argc, char **argv)
{
    struct run run = { .file = -2 };
    char path[PATH_SIZE];
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const struct component *han = reload_find("han");
    if (argc < 5 || size != 6 || !han) {
        fprintf(stderr, "want DIR FILES NODES SIZE..., six ranks, and a component han that looks "
                        "as it does in 4.1\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    run.node = argv[3];
    uint64_t most = 0;
    for (int i = 4; i < argc && run.sizes < MOST_SIZES; i++) {
        run.size[run.sizes] = strtoull(argv[i], NULL, 10);
        most = run.size[run.sizes] > most ? run.size[run.sizes] : most;
        run.sizes++;
    }
    snprintf(path, sizeof path, "%s/seen", argv[1]);
    run.out = run.rank == 0 ? fopen(path, "we") : NULL;
    for (int i = 0; i < 3; i++)
        run.data[i] = calloc(MOST_RANKS + 1, most + GUARD_BYTES);
    const long files = strtol(argv[2], NULL, 10);
    for (; run.file < files; run.file++) {
        if (run.file > -2)
            reload_file(han, argv[1], run.rank, run.file);
        call_all(&run);
    }
    if (run.out)
        fclose(run.out);
    for (int i = 0; i < 3; i++)
        free(run.data[i]);
    MPI_Finalize();
    return 0;
}
