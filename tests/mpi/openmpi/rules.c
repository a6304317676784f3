/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c - what Open MPI does with files of rules: DIR/0, DIR/1 ... are loaded one after the
 * other, and every collective is called among 2, 3 ... ranks with some sizes. Prints, of each call,
 *
 *     file collective procs bytes failed first segment fanout last
 *
 * to DIR/seen: whether it returned an error, which algorithm was entered first, and which last (one
 * may hand over to another), "-" for none. File -1 stands for none at all, -2 for that which lay at
 * DIR/now when the launch began.
 *
 * The launch names DIR/now as coll_tuned_dynamic_rules_filename. The library reads it when its
 * component is opened: that is called again, by the component's own table, for each file, so that
 * one launch can read hundreds. Arguments: DIR, the number of files. */
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "workloads/call.h"
#include "workloads/interpose_openmpi.h"
#include "workloads/native.h"

enum { MOST_BYTES = 4096, MOST_RANKS = 8 };
static const uint64_t sizes[] = { 1, 7, 64, 1000, MOST_BYTES };

/* The beginning of a component, as opal/mca/mca.h of 2.1.0 has it. */
struct component {
    int version[3];
    char project[16];
    int project_version[3];
    char type[32];
    int type_version[3];
    char name[64];
    int own_version[3];
    int (*open)(void);
};

static int is_tuned(struct dl_phdr_info *info, size_t size, void *path)
{
    (void)size;
    if (!strstr(info->dlpi_name, "mca_coll_tuned"))
        return 0;
    snprintf(path, PATH_SIZE, "%s", info->dlpi_name);
    return 1;
}

/* The component `tuned`, which must look as we think. */
static const struct component *find_tuned(void)
{
    Dl_info info;
    const struct component *c = NULL;
    char path[PATH_SIZE] = "";
    void *open = NULL;
    dl_iterate_phdr(is_tuned, path);
    void *object = *path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (object)
        c = dlsym(object, "mca_coll_tuned_component");
    if (c)
        memcpy(&open, &c->open, sizeof open);
    if (!c || strcmp(c->type, "coll") != 0 || strcmp(c->name, "tuned") != 0 ||
        !dladdr(open, &info) || !info.dli_fname || !strstr(info.dli_fname, "mca_coll_tuned"))
        return NULL;
    return c;
}

struct run {
    FILE *out; /* NULL: not rank 0 */
    int rank, file;
    char *data[3];
};

static void call_one(const struct run *run, const struct collective *c, MPI_Comm comm, int procs,
                     uint64_t bytes)
{
    struct call_args call = {
        .buffers.at = { [BUF_DATA] = run->data[0],
                        [BUF_SEND] = run->data[1],
                        [BUF_RECV] = run->data[2] },
        .bytes = bytes,
        .procs = procs,
        .rank = run->rank,
        .comm = comm,
    };
    call_counts_init(&call, c);
    interpose_watch();
    const int failed = call_native(c)(&call) != MPI_SUCCESS;
    const struct interposed *last = interpose_seen(c->name), *first = interpose_first(c->name);
    if (run->out)
        fprintf(run->out, "%d %s %d %llu %d %s %u %d %s\n", run->file, c->name, procs,
                (unsigned long long)bytes, failed, first ? first->name : "-",
                first ? first->segment_bytes : 0, first ? first->fanout : 0,
                last ? last->name : "-");
    call_counts_clear(&call);
}

static void call_all(const struct run *run, MPI_Comm comm, int procs)
{
    for (const struct collective *c = collectives; c->name; c++) {
        if (!call_native(c))
            continue;
        const int moves = collective_moves(c->name);
        for (size_t i = 0; i < (moves ? sizeof sizes / sizeof *sizes : 1); i++)
            call_one(run, c, comm, procs, moves ? sizes[i] : 0);
    }
}

/* Rank 0 puts the file where the library looks for it; -1: none. */
static void put(const char *dir, int file)
{
    char from[PATH_SIZE], now[PATH_SIZE];
    snprintf(from, sizeof from, "%s/%d", dir, file);
    snprintf(now, sizeof now, "%s/now", dir);
    unlink(now);
    if (file >= 0 && link(from, now) != 0)
        perror(now);
}

static void load(const struct component *tuned, const char *dir, struct run *run)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (run->rank == 0)
        put(dir, run->file);
    MPI_Barrier(MPI_COMM_WORLD);
    tuned->open();
}

/* All calls among the first procs ranks. */
static void call_among(const struct run *run, int procs)
{
    static const int ranks[MOST_RANKS] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    MPI_Group all, some;
    MPI_Comm comm;
    if (run->rank >= procs)
        return;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, procs, ranks, &some);
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 1, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    call_all(run, comm, procs);
    MPI_Comm_free(&comm);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
}

int main(int argc, char **argv)
{
    struct run run = { .file = -2 };
    struct err err = { 0 };
    char path[PATH_SIZE];
    int size;
    native_library.set_environment();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const struct component *tuned = find_tuned();
    if (argc < 3 || size > MOST_RANKS || !tuned || interpose_open(&err) < 0) {
        fprintf(stderr, "%s\n", !tuned ? "the component tuned looks otherwise here" : err.text);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    snprintf(path, sizeof path, "%s/seen", argv[1]);
    run.out = run.rank == 0 ? fopen(path, "we") : NULL;
    for (int i = 0; i < 3; i++)
        run.data[i] = calloc(MOST_RANKS + 1, MOST_BYTES);
    const long files = strtol(argv[2], NULL, 10);
    for (; run.file < files; run.file++) {
        if (run.file > -2)
            load(tuned, argv[1], &run);
        for (int procs = 2; procs <= size; procs++)
            call_among(&run, procs);
    }
    if (run.out)
        fclose(run.out);
    for (int i = 0; i < 3; i++)
        free(run.data[i]);
    MPI_Finalize();
    return 0;
}
