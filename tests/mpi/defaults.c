/* SPDX-License-Identifier: BSD-3-Clause */
/* defaults.c - does the library choose what its decision function here says (decision.h)? Each
 * collective is called unforced at both sides of every border of the decision, among the numbers of
 * ranks that are given as arguments; what ran is told by the library's functions or messages. TAP.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "workloads/measure/call.h"
#include "workloads/proof/native.h"
#include "workloads/schedules/decision.h"
#include "workloads/schedules/schedule.h"
#include "workloads/measure/team.h"

enum { MOST_BYTES = 1 << 18, MOST_SIZES = 64 };

static const char *rule(void)
{
#if defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 6
    return "openmpi60";
#endif
    return strcmp(native_library.library, "openmpi") == 0 ? "openmpi41" : "mpich40";
}

static int same(const struct collective *c, int procs, uint64_t a, uint64_t b)
{
    struct decision x, y;
    decide(rule(), c->name, procs, a, NULL, &x);
    decide(rule(), c->name, procs, b, NULL, &y);
    return strcmp(x.algorithm, y.algorithm) == 0 && x.fanout == y.fanout;
}

/* The first size behind from, up to to, that is decided otherwise; to has to be. */
static uint64_t border(const struct collective *c, int procs, uint64_t from, uint64_t to)
{
    while (to - from > 1) {
        const uint64_t half = from + (to - from) / 2;
        if (same(c, procs, from, half))
            from = half;
        else
            to = half;
    }
    return to;
}

/* One byte, and both sides of each border. */
static int borders(const struct collective *c, int procs, uint64_t sizes[MOST_SIZES])
{
    int n = 0;
    sizes[n++] = c->source == FROM_NOBODY ? 0 : 1;
    for (uint64_t at = 1; at < MOST_BYTES && sizes[0]; at *= 2)
        if (!same(c, procs, at, 2 * at) && n + 2 <= MOST_SIZES) {
            const uint64_t b = border(c, procs, at, 2 * at);
            sizes[n++] = b - 1;
            sizes[n++] = b;
        }
    if (sizes[0])
        sizes[n++] = MOST_BYTES;
    return n;
}

/* What is asked of judge() once the call has been made. */
static void name_decided(struct point *p, const struct decision *d)
{
    const char *name = d->named ? d->named : d->algorithm;
    const size_t skip = strlen(native_library.equivalent);
    if (strncmp(name, native_library.equivalent, skip) == 0)
        name += skip;
    snprintf(p->candidate.algorithm, NAME_SIZE, "%.12s:%.50s", native_library.library, name);
    p->candidate.segment_bytes = d->segment_bytes;
    p->candidate.fanout = d->fanout;
}

static int check(const struct collective *c, const struct team *team, uint64_t bytes,
                 const struct execute_buffers *buffers, struct err *err)
{
    struct point p = { .cell = { .procs = team->procs, .bytes = bytes } };
    struct call_args args = {
        .buffers = *buffers, .bytes = bytes, .rank = team->rank, .procs = team->procs
    };
    struct decision d;
    struct evidence e;
    decide(rule(), c->name, team->procs, bytes, NULL, &d);
    snprintf(p.cell.collective, NAME_SIZE, "%s", c->name);
    snprintf(p.candidate.algorithm, NAME_SIZE, "%.12s:default", native_library.library);
    int status = native_library.force(&p, team->control, &args.comm, err);
    call_counts_init(&args, c);
    native_library.watch();
    if (status == 0 && call_native(c)(&args) != MPI_SUCCESS)
        status = err_set(err, "the call failed");
    name_decided(&p, &d);
    native_library.judge(&p, team->control, args.comm, &e);
    if (status == 0 && strcmp(e.status, "ok") != 0 && !strstr(e.reason, " runs as "))
        status = err_set(err, "%llu bytes: decided %s: %s", (unsigned long long)bytes, d.algorithm,
                         e.reason);
    call_counts_clear(&args);
    native_library.release(&args.comm);
    return team_agree(team, status, err);
}

/* The decision is that of a communicator that knows no nodes: on others MPICH's barrier goes node
 * by node. */
static int goes_by_node(const struct collective *c)
{
    return c->source == FROM_NOBODY && strcmp(native_library.library, "mpich") == 0;
}

static void check_collective(const struct collective *c, const struct team *team,
                             const struct execute_buffers *buffers)
{
    struct err err = { 0 };
    uint64_t sizes[MOST_SIZES];
    if (!call_native(c) || !decision_known(rule(), c->name) || goes_by_node(c))
        return;
    const int n = borders(c, team->procs, sizes);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        struct err one = { 0 };
        if (check(c, team, sizes[i], buffers, &one) < 0 && wrong++ == 0)
            err = one;
    }
    if (team->rank == 0 &&
        !ok(wrong == 0, "P = %d, %s: %d sizes run what is decided", team->procs, c->name, n))
        diag("%d wrong, the first: %s", wrong, err.text);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    struct err err = { 0 };
    struct execute_buffers buffers = { .pretends = 0 };
    native_library.set_environment();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (native_library.open(MPI_COMM_WORLD, &err) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int b = 0; b < BUF_TEMP; b++)
        if (!(buffers.at[b] = calloc((size_t)ranks, MOST_BYTES)))
            MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 1; i < argc; i++) {
        struct team team;
        if (team_init(&team, MPI_COMM_WORLD, (int)strtol(argv[i], NULL, 10), &err) < 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        for (const struct collective *c = collectives; c->name && team.rank >= 0; c++)
            check_collective(c, &team, &buffers);
        team_clear(&team);
    }
    for (int b = 0; b < BUF_TEMP; b++)
        free(buffers.at[b]);
    MPI_Barrier(MPI_COMM_WORLD);
    const int status = rank == 0 ? tap_done() : 0;
    MPI_Finalize();
    return status;
}
