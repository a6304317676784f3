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
 * The launch names DIR/now as coll_tuned_dynamic_rules_filename, which is read anew for each file
 * (reload.h), so that one launch can read hundreds. Arguments: DIR, the number of files. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/mpi/openmpi/reload.h"
#include "workloads/measure/call.h"
#include "workloads/proof/interpose_openmpi.h"
#include "workloads/proof/native.h"

enum { MOST_BYTES = 4096, MOST_RANKS = 8 };
static const uint64_t sizes[] = { 1, 7, 64, 1000, MOST_BYTES };

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

/* All calls among the first procs ranks. */
static void call_among(const struct run *run, int procs)
{
    static const int ranks[MOST_RANKS] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    if (run->rank >= procs)
        return;
    MPI_Comm comm = reload_comm(ranks, procs);
    call_all(run, comm, procs);
    MPI_Comm_free(&comm);
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
    const struct component *tuned = reload_find("tuned");
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
            reload_file(tuned, argv[1], run.rank, run.file);
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
