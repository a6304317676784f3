/* SPDX-License-Identifier: BSD-3-Clause */
/* The traffic of MPICH's algorithms, message for message, against their schedules.
 *
 * PMPI cannot see them, but every message of the UCX netmod is one call of ucp_tag_send_nbx, which
 * interpose_mpich.h counts by destination. For P = 2 … 5, 8 and 9 (for all up to the size of the
 * launch with COLLSEL_LONG) each algorithm is forced on the first P ranks; after one call every
 * rank must have sent to every other exactly the messages and bytes of its schedule: of bytes and
 * of longer elements, in order of ranks where it keeps that, of blocks that differ where the call
 * names them, and of none; with several fan-outs and segment sizes where it takes them. What the
 * library has not is left out. What needs 2^k elements is refused by the library one below that.
 * Arguments name the collectives; without any, all. TAP. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/traffic.h"
#include "tests/tap.h"
#include "workloads/proof/interpose_mpich.h"
#include "workloads/proof/mpich_vars.h"
#include "workloads/proof/native.h"
#include "workloads/schedules/mpich_parameters.h"
#include "workloads/measure/team.h"

enum { PREFIX = sizeof "mpich_" - 1 };

/* In elements. Around the borders at which MPICH changes what it sends: pieces of 32 KiB, blocks
 * that pass through inner nodes. */
static const uint64_t counts[] = { 0, 1, 7, 13, 1024, 1025, 4097, 20000, 40000 };

/* One way to call a collective. */
struct way {
    size_t type;            /* of traffic_types */
    int ordered;            /* with an operation that does not commute */
    enum block_sizes sizes; /* of blocks that may differ */
};

static const struct way ways[] = {
    { 0, 0, SIZES_EQUAL }, { 1, 0, SIZES_EQUAL },     { 0, 0, SIZES_RANDOM }, { 1, 0, SIZES_ZEROS },
    { 1, 1, SIZES_EQUAL }, { 0, 0, SIZES_ONE_LARGE }, { 1, 1, SIZES_RANDOM }, { 0, 1, SIZES_ZEROS },
};

/* Whether a way is another one than those before, for an algorithm. Of two ranks with zeros one may
 * have nothing but its own. */
static int is_for(const struct way *way, const struct algorithm *alg, int procs)
{
    const struct collective *c = algorithm_collective(alg);
    return (way->sizes == SIZES_EQUAL || c->uneven) && (way->sizes != SIZES_ZEROS || procs > 2) &&
           (!way->ordered || (c->combines && alg->in_order)) &&
           (way->type == 0 || c->combines || way->sizes != SIZES_EQUAL);
}

/* Of algorithms that take some: the library's own, and others. */
static const struct candidate tunings[] = {
    { .fanout = 0 },
    { .fanout = 3, .segment_bytes = 1024 },
    { .fanout = 5, .segment_bytes = 96 },
    { .fanout = 9, .segment_bytes = 4096 },
};

/* Of those of an algorithm. */
static size_t tunings_of(const struct algorithm *alg)
{
    return mpich_parameters(algorithm_collective(alg)->name, alg->name + PREFIX)
               ? sizeof tunings / sizeof *tunings
               : 1;
}

static int is_long(void)
{
    return getenv("COLLSEL_LONG") != NULL;
}

/* Of an algorithm called in one way; returns how many. All of the first way, of the others every
 * second one; all of a long check. */
static size_t counts_of(const struct algorithm *alg, const struct way *way, int procs,
                        uint64_t chosen[MOST_COUNTS])
{
    const size_t all =
        collective_moves(algorithm_collective(alg)->name) ? sizeof counts / sizeof *counts : 1;
    size_t n = 0;
    for (size_t i = 0; i < all; i += way == ways || is_long() ? 1 : 2)
        chosen[n++] = counts[i];
    if (collective_moves(algorithm_collective(alg)->name) && (alg->substitute || is_long()))
        n = traffic_add_borders(chosen, n, procs);
    return n;
}

/* Bytes of a message of a derived type cannot be seen; its number can. */
static int compare(const struct sent *want, int rank, int procs, uint64_t *messages,
                   struct err *err)
{
    for (int r = 0; r < procs; r++) {
        uint64_t seen, bytes;
        interpose_sent(r, &seen, &bytes);
        *messages += seen;
        if (seen != want->messages[r] || (bytes != UINT64_MAX && bytes != want->bytes[r]))
            return err_set(err, "%d -> %d: sent %llu of %llu bytes, scheduled %llu of %llu", rank,
                           r, (unsigned long long)seen, (unsigned long long)bytes,
                           (unsigned long long)want->messages[r],
                           (unsigned long long)want->bytes[r]);
    }
    return 0;
}

/* One call, counted. */
static int call_counted(const struct schedule *s, struct call_args *args)
{
    args->bytes = s->bytes;
    args->root = s->root;
    args->blocks = &s->blocks;
    call_counts_init(args, s->collective);
    interpose_watch();
    const int rc = call_native(s->collective)(args);
    interpose_stop();
    call_counts_clear(args);
    return rc;
}

static int call_compared(const struct schedule *s, const struct team *team, struct call_args *args,
                         uint64_t *messages, struct err *err)
{
    struct sent want;
    const int rc = call_counted(s, args);
    if (rc != MPI_SUCCESS)
        return err_set(err, "MPI error %d", rc);
    traffic_scheduled(s, team->rank, 1, &want);
    return compare(&want, team->rank, team->procs, messages, err);
}

/* MPICH refuses a reduction by halves of fewer than 2^k elements, with COLLECTIVE_FALLBACK = error;
 * what else it refuses, or ends the program for, is not asked of it. */
static int is_refused(const struct schedule *s)
{
    return s->bytes > 0 && strncmp(s->asked->name, "mpich_reduce_scatter_", PREFIX + 15) == 0;
}

/* A size and root: the schedule is that of the algorithm itself, or the library refuses it. */
static int call_size(const struct algorithm *alg, const struct schedule_arguments *a,
                     const struct team *team, struct call_args *args, uint64_t *messages,
                     struct err *err)
{
    struct schedule s;
    int status = 0;
    if (schedule_make(&s, alg, a, err) < 0)
        return 0;
    if (s.alg == alg)
        status = call_compared(&s, team, args, messages, err);
    else if (is_refused(&s) && call_counted(&s, args) == MPI_SUCCESS)
        status = err_set(err, "not refused");
    return status == 0 ? 0
                       : err_prefix(err, "%llu elements, root %d",
                                    (unsigned long long)schedule_count(&s), s.root);
}

static int call_sizes(const struct algorithm *alg, const struct way *way,
                      const struct candidate *tuning, const struct team *team,
                      struct call_args *args, uint64_t *messages, struct err *err)
{
    const int roots = algorithm_collective(alg)->rooted ? 2 : 1;
    uint64_t all[MOST_COUNTS];
    const size_t n = counts_of(alg, way, team->procs, all);
    int status = 0;
    for (size_t b = 0; b < n; b++)
        for (int i = 0; i < roots && status == 0; i++) {
            const struct schedule_arguments a = { .procs = team->procs,
                                                  .root = i * (team->procs / 2),
                                                  .bytes = all[b] * args->type->bytes,
                                                  .segment_bytes = tuning->segment_bytes,
                                                  .fanout = tuning->fanout,
                                                  .element_bytes = args->type->bytes,
                                                  .ordered = way->ordered,
                                                  .sizes = way->sizes,
                                                  .seed = 5 };
            status = call_size(alg, &a, team, args, messages, err);
        }
    return status;
}

static int call_all(const struct algorithm *alg, const struct way *way,
                    const struct candidate *tuning, const struct team *team,
                    const struct execute_buffers *buffers, uint64_t *messages, struct err *err)
{
    struct point point = { .cell = { .procs = team->procs }, .candidate = *tuning };
    struct call_type type = traffic_types[way->type];
    struct call_args args = {
        .buffers = *buffers, .rank = team->rank, .procs = team->procs, .seed = 1, .type = &type
    };
    snprintf(point.cell.collective, NAME_SIZE, "%s", algorithm_collective(alg)->name);
    snprintf(point.candidate.algorithm, NAME_SIZE, "mpich:%.50s", alg->name + PREFIX);
    if (way->ordered)
        MPI_Op_create(traffic_combine, 0, &type.op);
    int status = native_library.force(&point, team->control, &args.comm, err);
    if (team_agree(team, status, err) == 0)
        status = call_sizes(alg, way, tuning, team, &args, messages, err);
    native_library.release(&args.comm);
    if (way->ordered)
        MPI_Op_free(&type.op);
    return team_agree(team, status, err);
}

/* Among so many ranks some size runs it in this way. */
static int is_run(const struct algorithm *alg, const struct way *way, int procs)
{
    const uint64_t element = traffic_types[way->type].bytes;
    uint64_t all[MOST_COUNTS];
    const size_t n = counts_of(alg, way, procs, all);
    for (size_t b = 0; b < n; b++) {
        struct schedule s;
        const struct schedule_arguments a = { .procs = procs,
                                              .bytes = all[b] * element,
                                              .element_bytes = element,
                                              .ordered = way->ordered,
                                              .sizes = way->sizes,
                                              .seed = 5 };
        if (schedule_make(&s, alg, &a, NULL) == 0 && s.alg == alg)
            return 1;
    }
    return 0;
}

static void claim(const struct algorithm *alg, const struct way *way,
                  const struct candidate *tuning, const struct team *team,
                  const struct execute_buffers *buffers)
{
    struct err err = { 0 };
    uint64_t mine = 0, all = 0;
    const int status = call_all(alg, way, tuning, team, buffers, &mine, &err);
    MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, team->control);
    if (team->rank == 0 &&
        !ok(status == 0 && all > 0,
            "P = %d, %s %s (%d, %llu), elements of %llu%s, %s: the %llu messages scheduled",
            team->procs, algorithm_collective(alg)->name, alg->name + PREFIX, tuning->fanout,
            (unsigned long long)tuning->segment_bytes,
            (unsigned long long)traffic_types[way->type].bytes, way->ordered ? ", in order" : "",
            block_sizes_words[way->sizes], (unsigned long long)all))
        diag("%s", err.text);
}

static int is_asked(const struct algorithm *alg, char **names)
{
    for (char **name = names; *name; name++)
        if (strcmp(*name, algorithm_collective(alg)->name) == 0)
            return 1;
    return !*names;
}

/* Whether the library runs it with this radix: an allgather by recursive exchange ends the program
 * above 8 where P is none of its powers (only_small_radix of
 * harness/study/libraries/mpich_natives.c). */
static int is_survived(const struct algorithm *alg, const struct candidate *tuning, int procs)
{
    return tuning->fanout <= 8 || procs <= tuning->fanout ||
           strncmp(alg->name + PREFIX, "recexch_", strlen("recexch_")) != 0;
}

/* In all ways that are for it, with all parameters. */
static void run_algorithm(const struct algorithm *alg, const struct team *team,
                          const struct execute_buffers *buffers)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (size_t t = 0; t < tunings_of(alg); t++)
            if (is_for(&ways[i], alg, team->procs) && is_run(alg, &ways[i], team->procs) &&
                is_survived(alg, &tunings[t], team->procs))
                claim(alg, &ways[i], &tunings[t], team, buffers);
}

/* Of MPICH's schedules, those of algorithms that this release has. */
static int is_had(const struct algorithm *alg)
{
    int value;
    return strncmp(alg->name, "mpich_", PREFIX) == 0 &&
           mpich_var_value(algorithm_collective(alg)->name, alg->name + PREFIX, &value, NULL) == 0;
}

static void run_team(const struct team *team, const struct execute_buffers *buffers, char **names)
{
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        if (is_had(a) && is_asked(a, names))
            run_algorithm(a, team, buffers);
}

static int is_tried(int procs)
{
    return is_long() || procs < 6 || procs == 8 || procs == 9;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    struct err err = { 0 };
    struct execute_buffers buffers = { 0 };
    native_library.set_environment();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (native_library.open(MPI_COMM_WORLD, &err) < 0 || ranks > MOST_RANKS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (!interpose_learn(MPI_COMM_WORLD)) {
        if (rank == 0)
            tap_skip_all("messages do not all go through UCX here");
        MPI_Finalize();
        return 0;
    }
    for (int b = BUF_DATA; b <= BUF_RECV; b++)
        buffers.at[b] = calloc((size_t)ranks, MOST_BYTES);
    for (int procs = 2; procs <= ranks; procs++) {
        struct team team;
        if (!is_tried(procs))
            continue;
        if (team_init(&team, MPI_COMM_WORLD, procs, &err) < 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (team.rank >= 0)
            run_team(&team, &buffers, argv + 1);
        team_clear(&team);
    }
    for (int b = BUF_DATA; b <= BUF_RECV; b++)
        free(buffers.at[b]);
    MPI_Finalize();
    return rank == 0 ? tap_done() : 0;
}
