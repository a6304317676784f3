/* SPDX-License-Identifier: BSD-3-Clause */
/* scan.c - scan and exclusive scan. Buffers: SEND, a rank's own contribution, which stays as it is;
 * RECV, the contributions of the ranks up to this one combined, or before this one (the first rank
 * then gets nothing); TEMP, scratch. Operands stay in the order of ranks.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_scan.c, coll_base_exscan.c),
 * and for mpich_* of MPICH 4.0.2 (src/mpi/coll/scan, exscan). openmpi_* is what that library does
 * where ours does less. A call of no elements returns before
 * any algorithm in both: no messages. By itself Open MPI takes `linear`, of its component basic:
 * tuned has scans only where somebody forces something. Not here: MPICH's smp, which is other
 * collectives on each node and among nodes. */
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/steps.h"

/* ---- linear: each rank waits for the one before, and sends the next what it has combined. Its own
 * is copied while it waits ---- */

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    return 1 + (uint64_t)(rank > 0) + (uint64_t)(rank + 1 < s->procs);
}

/* A rank that has one after it sends it what the scan's result is there. */
static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (k == 0) {
        round_copy(out, BUF_RECV, 0, BUF_SEND, 0, s->bytes);
    } else if (k == 1 && rank > 0) {
        round_recv(out, BUF_TEMP, 0, s->bytes, rank - 1);
        round_reduce(out, BUF_RECV, 0, BUF_TEMP, 0, s->bytes);
    } else {
        round_send(out, BUF_RECV, 0, s->bytes, rank + 1);
    }
}

static uint64_t linear_temp(const struct schedule *s, int rank)
{
    return rank > 0 ? s->bytes : 0;
}

static int is_between(const struct schedule *s, int rank)
{
    return rank > 0 && rank + 1 < s->procs;
}

static uint64_t ex_linear_rounds(const struct schedule *s, int rank)
{
    return 1 + is_between(s, rank);
}

/* What a rank got is its result; with its own it goes to the next. */
static void ex_linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (rank == 0) {
        round_send(out, BUF_SEND, 0, s->bytes, 1);
    } else if (k == 1) {
        round_send(out, BUF_TEMP, 0, s->bytes, rank + 1);
    } else {
        round_recv(out, BUF_RECV, 0, s->bytes, rank - 1);
        if (!is_between(s, rank))
            return;
        round_copy(out, BUF_TEMP, 0, BUF_SEND, 0, s->bytes);
        round_reduce(out, BUF_TEMP, 0, BUF_RECV, 0, s->bytes);
    }
}

static uint64_t ex_linear_temp(const struct schedule *s, int rank)
{
    return is_between(s, rank) ? s->bytes : 0;
}

/* ---- recursive doubling: at distance 1, 2, 4 … two ranks exchange what their groups have, which
 * makes the sum of both groups; what comes from a lower group goes into the result, too. Where what
 * comes from above stands behind the sum, that is combined into it, and the two halves of TEMP
 * change their parts. After the last exchange nobody asks for the sum: the libraries make it all
 * the same, our own leaves it out. ---- */

struct doubling {
    const struct schedule *s;
    int rank, is_exclusive;
    int has_own;      /* its group's sum is its own contribution, in SEND */
    int has_result;   /* there is something in RECV */
    uint64_t sum, in; /* in TEMP */
    struct steps steps;
};

/* What came from below goes into the result. */
static void add_to_result(struct doubling *d)
{
    const uint64_t m = d->s->bytes;
    if (!d->has_result && d->is_exclusive) {
        round_copy(d->steps.out, BUF_RECV, 0, BUF_TEMP, d->in, m);
        return;
    }
    if (!d->has_result)
        round_copy(d->steps.out, BUF_RECV, 0, BUF_SEND, 0, m);
    round_reduce(d->steps.out, BUF_RECV, 0, BUF_TEMP, d->in, m);
}

static void combine_from_below(struct doubling *d, int is_last)
{
    const uint64_t m = d->s->bytes;
    add_to_result(d);
    if (is_last)
        return;
    if (d->has_own)
        round_copy(d->steps.out, BUF_TEMP, d->sum, BUF_SEND, 0, m);
    round_reduce(d->steps.out, BUF_TEMP, d->sum, BUF_TEMP, d->in, m);
}

static void combine_from_above(struct doubling *d)
{
    if (d->has_own)
        round_reduce(d->steps.out, BUF_TEMP, d->in, BUF_SEND, 0, d->s->bytes);
    else
        round_reduce(d->steps.out, BUF_TEMP, d->in, BUF_TEMP, d->sum, d->s->bytes);
}

static void exchange(struct doubling *d, int peer, int is_last)
{
    const uint64_t m = d->s->bytes, in = d->in;
    if (steps_next(&d->steps, 0)) {
        round_recv(d->steps.out, BUF_TEMP, d->in, m, peer);
        round_send(d->steps.out, d->has_own ? BUF_SEND : BUF_TEMP, d->has_own ? 0 : d->sum, m,
                   peer);
        if (peer < d->rank)
            combine_from_below(d, is_last);
        else if (!is_last)
            combine_from_above(d);
    }
    d->has_own = 0;
    if (peer < d->rank) {
        d->has_result = 1;
    } else {
        d->in = d->sum;
        d->sum = in;
    }
}

/* 1 where the rank exchanges at a larger distance, too. */
static int has_further(const struct schedule *s, int rank, int distance)
{
    while ((distance *= 2) < s->procs)
        if ((rank ^ distance) < s->procs)
            return 1;
    return 0;
}

static uint64_t walk(const struct schedule *s, int is_ours, int rank, uint64_t wanted,
                     struct round *out)
{
    struct doubling d = { .s = s,
                          .rank = rank,
                          .is_exclusive = s->collective->source == FROM_BEFORE,
                          .has_own = 1,
                          .in = s->bytes,
                          .steps = { 0, wanted, out } };
    for (int distance = 1; distance < s->procs; distance *= 2)
        if ((rank ^ distance) < s->procs)
            exchange(&d, rank ^ distance, is_ours && !has_further(s, rank, distance));
    if (!d.is_exclusive && !d.has_result && steps_next(&d.steps, 0))
        round_copy(out, BUF_RECV, 0, BUF_SEND, 0, s->bytes); /* nobody is below */
    return d.steps.n;
}

static uint64_t doubling_walk(const struct schedule *s, int rank, uint64_t wanted,
                              struct round *out)
{
    return walk(s, 1, rank, wanted, out);
}

static uint64_t library_walk(const struct schedule *s, int rank, uint64_t wanted, struct round *out)
{
    return walk(s, 0, rank, wanted, out);
}

static uint64_t doubling_temp(const struct schedule *s, int rank)
{
    (void)rank;
    return 2 * s->bytes;
}

/* clang-format off */
const struct algorithm scan_rows[] = {
    { .name = "linear", .in_order = 1, .always = "openmpi41",
      .rounds = linear_rounds, .round = linear_round, .temp_bytes = linear_temp,
      .help = "from rank to rank, each combining its own" },
    { .name = "recursive_doubling", .in_order = 1, .walk = doubling_walk,
      .temp_bytes = doubling_temp,
      .help = "log2 P exchanges of what the groups of 1, 2, 4 ... ranks have" },
    { .name = "openmpi_recursive_doubling", .in_order = 1, .walk = library_walk,
      .temp_bytes = doubling_temp,
      .help = "Open MPI: as recursive_doubling, with the sum after the last exchange that nobody "
              "asks for" },
    { .name = "mpich_recursive_doubling", .in_order = 1, .walk = library_walk,
      .temp_bytes = doubling_temp,
      .help = "MPICH: as recursive_doubling, with the sum after the last exchange that nobody asks "
              "for" },
    { .name = NULL },
};

const struct algorithm exscan_rows[] = {
    { .name = "linear", .in_order = 1, .always = "openmpi41",
      .rounds = ex_linear_rounds, .round = ex_linear_round, .temp_bytes = ex_linear_temp,
      .help = "from rank to rank, each combining its own for the next" },
    { .name = "recursive_doubling", .in_order = 1, .walk = doubling_walk,
      .temp_bytes = doubling_temp,
      .help = "log2 P exchanges of what the groups of 1, 2, 4 ... ranks have" },
    { .name = "openmpi_recursive_doubling", .in_order = 1, .walk = library_walk,
      .temp_bytes = doubling_temp,
      .help = "Open MPI: as recursive_doubling, with the sum after the last exchange that nobody "
              "asks for" },
    { .name = "mpich_recursive_doubling", .in_order = 1, .always = "mpich40", .walk = library_walk,
      .temp_bytes = doubling_temp,
      .help = "MPICH: as recursive_doubling, with the sum after the last exchange that nobody asks "
              "for" },
    { .name = NULL },
};
/* clang-format on */
