/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce.c - reduction whose result every rank gets. Buffers: SEND, a rank's own contribution,
 * which stays as it is; RECV, the result, on every rank; TEMP, scratch. Messages are cut between
 * elements.
 *
 * Messages are those of Open MPI 4.1.4 (ompi/mca/coll/base/coll_base_allreduce.c), and for mpich_*
 * of MPICH 4.0.2 (src/mpi/coll/allreduce). MPI_Allreduce of no elements returns before any
 * algorithm in both: no messages. One process copies its contribution. The libraries copy a rank's
 * contribution first and work on the copy; here it is combined where it is, where the order of the
 * operands allows that.
 *
 * Not here: MPICH's smp, which is other collectives on each node and among nodes. */
#include "workloads/schedules/halving.h"
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/sequence.h"

/* ---- linear: rank 0 takes the others one after the other, from the last one down, so that the
 * order of the operands is that of the ranks; then it sends all of them the result ---- */

static uint64_t linear_rounds(const struct schedule *s, int rank)
{
    return rank == 0 ? (uint64_t)s->procs + 1 : 2;
}

/* Rank 0 takes rank `src`. */
static void linear_take(const struct schedule *s, int src, struct round *out)
{
    const int is_first = src == s->procs - 1;
    if (src > 0)
        round_recv(out, is_first ? BUF_RECV : BUF_TEMP, 0, s->bytes, src);
    if (!is_first)
        round_reduce(out, BUF_RECV, 0, src > 0 ? BUF_TEMP : BUF_SEND, 0, s->bytes);
}

static void linear_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    out->phase = k + 1 == linear_rounds(s, rank);
    if (rank > 0 && out->phase == 0)
        round_send(out, BUF_SEND, 0, s->bytes, 0);
    else if (rank > 0)
        round_recv(out, BUF_RECV, 0, s->bytes, 0);
    else if (out->phase == 0)
        linear_take(s, s->procs - 1 - (int)k, out);
    else
        for (int dst = 1; dst < s->procs; dst++)
            round_send(out, BUF_RECV, 0, s->bytes, dst);
}

static uint64_t linear_temp(const struct schedule *s, int rank)
{
    return rank == 0 && s->procs > 2 ? s->bytes : 0;
}

/* ---- recursive doubling: the ranks beyond a power of two are folded into others; these exchange
 * all they have at distance 1, 2, 4 …; then those that left get the result. Groups are of
 * consecutive ranks, so that the order of ranks is kept: what comes from below stands before the
 * sum and is combined into it; above what comes the sum stands before it, is combined into that,
 * and the two buffers change their parts. ---- */

struct doubling {
    const struct schedule *s;
    struct fold fold;
    int rank, v;
    enum op_buffer sum, in;
    struct steps steps;
};

static void change_parts(struct doubling *d)
{
    const enum op_buffer in = d->in;
    d->in = d->sum;
    d->sum = in;
}

/* The exchanges after which the buffers change their parts, from `first` on. */
static int changes(const struct doubling *d, int first)
{
    int n = 0;
    for (int k = first; k < d->fold.levels; k++)
        n += !(d->v >> k & 1);
    return n;
}

/* What comes in from below the sum, which is the rank's own contribution until then. */
static void combine_own(struct doubling *d)
{
    const uint64_t m = d->s->bytes;
    round_copy(d->steps.out, d->sum, 0, BUF_SEND, 0, m);
    round_reduce(d->steps.out, d->sum, 0, d->in, 0, m);
}

/* The first exchange of a rank that was in no pair: it has but its own. */
static void exchange_own(struct doubling *d, int peer)
{
    const uint64_t m = d->s->bytes;
    if (!steps_next(&d->steps, 1))
        return;
    round_recv(d->steps.out, d->rank < peer ? d->sum : d->in, 0, m, peer);
    round_send(d->steps.out, BUF_SEND, 0, m, peer);
    if (d->rank < peer)
        round_reduce(d->steps.out, d->sum, 0, BUF_SEND, 0, m);
    else
        combine_own(d);
}

static void exchange(struct doubling *d, int peer)
{
    const uint64_t m = d->s->bytes;
    const int is_below = d->rank < peer;
    if (steps_next(&d->steps, 1)) {
        round_recv(d->steps.out, d->in, 0, m, peer);
        round_send(d->steps.out, d->sum, 0, m, peer);
        round_reduce(d->steps.out, is_below ? d->in : d->sum, 0, is_below ? d->sum : d->in, 0, m);
    }
    if (is_below)
        change_parts(d);
}

static void fold_in(struct doubling *d)
{
    if (!steps_next(&d->steps, 0))
        return;
    if (d->v < 0) {
        round_send(d->steps.out, BUF_SEND, 0, d->s->bytes, fold_twin(d->rank));
    } else {
        round_recv(d->steps.out, d->in, 0, d->s->bytes, fold_twin(d->rank));
        combine_own(d);
    }
}

/* Who left gets the result. */
static void fold_out(struct steps *steps, int phase, const struct schedule *s, int rank, int v)
{
    if (!steps_next(steps, phase))
        return;
    if (v < 0)
        round_recv(steps->out, BUF_RECV, 0, s->bytes, fold_twin(rank));
    else
        round_send(steps->out, BUF_RECV, 0, s->bytes, fold_twin(rank));
}

static uint64_t doubling_walk(const struct schedule *s, int rank, uint64_t wanted,
                              struct round *out)
{
    struct doubling d = { .s = s,
                          .fold = fold_of(s->procs, 1),
                          .rank = rank,
                          .sum = BUF_RECV,
                          .in = BUF_TEMP,
                          .steps = { 0, wanted, out } };
    const int paired = fold_is_paired(&d.fold, rank);
    d.v = fold_number(&d.fold, rank);
    if (changes(&d, !paired) % 2) /* so that the result is in RECV */
        change_parts(&d);
    if (paired)
        fold_in(&d);
    for (int k = 0; d.v >= 0 && k < d.fold.levels; k++) {
        const int peer = fold_rank(&d.fold, d.v ^ (1 << k));
        if (k == 0 && !paired)
            exchange_own(&d, peer);
        else
            exchange(&d, peer);
    }
    if (paired)
        fold_out(&d.steps, 2, s, rank, d.v);
    return d.steps.n;
}

static uint64_t doubling_temp(const struct schedule *s, int rank)
{
    const struct fold fold = fold_of(s->procs, 1);
    return fold_number(&fold, rank) >= 0 ? s->bytes : 0;
}

/* ---- ring: block b starts at rank b and goes to the right; each rank adds its own, the last of
 * them is to the left of where it started. From there the sums go around. Segmented, each block is
 * cut into slices, and one slice after the other of all blocks is summed up; the sums then go
 * around in whole blocks. ---- */

/* How many segments of all blocks there are, as the library rounds it. */
static uint64_t slices(const struct schedule *s)
{
    if (s->segment_bytes == 0)
        return 1;
    const uint64_t procs = (uint64_t)s->procs, elements_each = s->segment_bytes / s->element_bytes;
    const uint64_t all = procs * elements_each, rest = schedule_count(s) % all;
    return schedule_count(s) / all + (rest >= procs && rest > all / 2);
}

static struct part ring_block(const struct schedule *s, int block)
{
    return cut_even(s, (uint64_t)block, (uint64_t)block + 1, (uint64_t)s->procs);
}

static struct part ring_slice(const struct schedule *s, int block, uint64_t i, uint64_t n)
{
    const struct part whole_block = ring_block(s, block);
    const uint64_t count = whole_block.bytes / s->element_bytes, size = count / n,
                   longer = count % n;
    const uint64_t from = i * size + min_u64(i, longer);
    const uint64_t bytes = (size + (i < longer)) * s->element_bytes;
    return part_of(whole_block.offset + from * s->element_bytes, bytes, 0);
}

static void ring_combine(const struct schedule *s, int rank, int step, uint64_t slice, uint64_t n,
                         struct round *out)
{
    const struct part give = ring_slice(s, rank_before(s, rank, step), slice, n);
    const struct part take = ring_slice(s, rank_before(s, rank, step + 1), slice, n);
    round_recv(out, BUF_RECV, take.offset, take.bytes, rank_before(s, rank, 1));
    round_send(out, step ? BUF_RECV : BUF_SEND, give.offset, give.bytes, rank_after(s, rank, 1));
    round_reduce(out, BUF_RECV, take.offset, BUF_SEND, take.offset, take.bytes);
}

static void ring_pass_on(const struct schedule *s, int rank, int step, struct round *out)
{
    const struct part give = ring_block(s, rank_after(s, rank_before(s, rank, step), 1));
    const struct part take = ring_block(s, rank_before(s, rank, step));
    out->phase = 1;
    round_recv(out, BUF_RECV, take.offset, take.bytes, rank_before(s, rank, 1));
    round_send(out, BUF_RECV, give.offset, give.bytes, rank_after(s, rank, 1));
}

static uint64_t ring_rounds(const struct schedule *s, int rank)
{
    (void)rank;
    return (slices(s) + 1) * ((uint64_t)s->procs - 1);
}

static void ring_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const uint64_t n = slices(s), steps = (uint64_t)s->procs - 1, slice = k / steps;
    const int step = (int)(k % steps);
    if (slice < n)
        ring_combine(s, rank, step, slice, n, out);
    else
        ring_pass_on(s, rank, step, out);
}

static const char *ring_substitute(const struct schedule *s)
{
    return schedule_count(s) < (uint64_t)s->procs ? "recursive_doubling" : NULL;
}

/* No block would have a whole segment. A segment that is not smaller than the message counts as
 * all of it. */
static const char *segmented_ring_substitute(const struct schedule *s)
{
    const char *instead = ring_substitute(s);
    const uint64_t segment =
        s->segment_bytes && s->segment_bytes < s->bytes ? s->segment_bytes : s->bytes;
    if (instead)
        return instead;
    return s->bytes / (uint64_t)s->procs < segment ? "ring" : NULL;
}

/* ---- Rabenseifner: folding and halving (halving.h); then the parts of the result go back the same
 * way, at distance 2^k, … 4, 2, 1; then those that left get the result ---- */

static void gather_back(struct halving *h, int step)
{
    const int partner = h->v ^ (1 << step), peer = fold_rank(&h->fold, partner);
    if (!steps_next(&h->steps, 2))
        return;
    const struct part give = halving_window(h, h->v, step + 1);
    const struct part take = halving_window(h, partner, step + 1);
    round_recv(h->steps.out, BUF_RECV, take.offset, take.bytes, peer);
    round_send(h->steps.out, BUF_RECV, give.offset, give.bytes, peer);
}

static uint64_t halving_walk(const struct schedule *s, int rank, uint64_t wanted, struct round *out)
{
    struct halving h = halving_of(s, rank, BUF_RECV, 0, wanted, out);
    halving_fold(&h);
    halving_scatter(&h);
    for (int step = h.fold.levels - 1; h.v >= 0 && step >= 0; step--)
        gather_back(&h, step);
    if (fold_is_paired(&h.fold, rank))
        fold_out(&h.steps, 3, s, rank, h.v);
    return h.steps.n;
}

static const char *rabenseifner_substitute(const struct schedule *s)
{
    return halving_is_too_short(s) || s->ordered ? "basic_linear" : NULL;
}

/* MPICH has it for operations of MPI's alone. Forced, it refuses others (as it does few elements,
 * which are not planned then); unforced it doubles. */
static const char *mpich_scatter_substitute(const struct schedule *s)
{
    return halving_is_too_short(s) || s->users || s->ordered ? "mpich_recursive_doubling" : NULL;
}

/* clang-format off */
const struct algorithm allreduce_rows[] = {
    { .name = "basic_linear", .in_order = 1, .rounds = linear_rounds, .round = linear_round,
      .temp_bytes = linear_temp,
      .help = "rank 0 combines all contributions, one after the other, and sends all the result" },
    { .name = "nonoverlapping", .in_order = IN_ORDER_IF_ASKED,
      .recipe = &(const struct sequence){ { { WAY_UP, .buf = { BUF_DATA, BUF_SEND, BUF_RECV,
                BUF_TEMP } }, { WAY_DOWN, .buf = { BUF_RECV, [BUF_TEMP] = BUF_TEMP } } } },
      .prepare = sequence_prepare, .rounds = sequence_rounds, .round = sequence_round,
      .temp_bytes = sequence_temp_bytes,
      .help = "the reduction and the broadcast that the library chooses by itself" },
    { .name = "recursive_doubling", .in_order = 1, .walk = doubling_walk,
      .temp_bytes = doubling_temp,
      .help = "log2 P exchanges of the whole message; ranks beyond 2^n are folded in" },
    { .name = "ring", .substitute = ring_substitute, .rounds = ring_rounds, .round = ring_round,
      .help = "blocks are summed up around the ring, then go around; elements < P: "
              "recursive_doubling" },
    { .name = "segmented_ring", .segmented = 1, .substitute = segmented_ring_substitute,
      .rounds = ring_rounds, .round = ring_round,
      .help = "as ring, blocks summed up segment by segment; fewer than P segments: ring" },
    { .name = "rabenseifner", .substitute = rabenseifner_substitute, .recipe = &halving_openmpi,
      .walk = halving_walk, .temp_bytes = temp_of_message,
      .help = "reduce-scatter by halving, allgather by doubling; elements < 2^n: basic_linear" },
    { .name = "mpich_recursive_doubling", .in_order = 1, .sends_empty = 1, .walk = doubling_walk,
      .temp_bytes = doubling_temp,
      .help = "MPICH: as recursive_doubling" },
    { .name = "mpich_reduce_scatter_allgather", .substitute = mpich_scatter_substitute,
      .recipe = &halving_mpich_allreduce, .walk = halving_walk, .temp_bytes = temp_of_message,
      .help = "MPICH: as rabenseifner, in blocks of equal size; extra ranks are folded in whole" },
    { .name = NULL },
};
/* clang-format on */
