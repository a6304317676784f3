/* SPDX-License-Identifier: BSD-3-Clause */
/* star_alltoall.c - the all-to-alls of STAR-MPI (Faraj, Yuan & Lowenthal, STAR-MPI: Self Tuned
 * Adaptive Routines for MPI Collective Operations, ICS 2006) that neither library has.
 *
 * Elsewhere: its ring is Open MPI's pairwise (and MPICH's among other than 2^n ranks), its pair is
 * MPICH's pairwise among 2^n ranks, its Bruck is either library's; those that know the topology are
 * in tree_phases.c.
 *
 * Its authors say what a light barrier is in words only. Here a rank tells the one that will send
 * to it next that it has done with this step, by an empty message; the barrier between two steps is
 * a dissemination barrier, whatever the library's own is. */
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/recipe.h"

/* ---- through a mesh: an allgather of all that ranks give in each dimension; in the last one each
 * is sent only what it wants, but by recursive doubling, where all goes to all ---- */

struct crossed {
    int (*side)(const struct schedule *s, int k);
    int last_whole; /* all is sent in the last dimension, too */
};

static const struct crossed *crossed_by(const struct schedule *s)
{
    return s->alg->recipe;
}

static uint64_t row_bytes(const struct schedule *s)
{
    return (uint64_t)s->procs * s->bytes;
}

/* A rank in step k: its line, and what it has: the rows of `stride` ranks, from `first` on. */
struct crossing {
    const struct schedule *s;
    int rank, side, stride, first;
    int is_last;
};

static struct crossing crossing_of(const struct schedule *s, int rank, int k)
{
    const struct crossed *m = crossed_by(s);
    struct crossing c = { .s = s, .rank = rank, .side = m->side(s, k), .stride = 1 };
    for (int i = 0; i < k; i++)
        c.stride *= m->side(s, i);
    c.first = rank - rank % c.stride;
    c.is_last = c.stride * c.side == s->procs;
    return c;
}

/* Its last step. */
static struct crossing last_crossing(const struct schedule *s, int rank)
{
    struct crossing last = crossing_of(s, rank, 0);
    for (int k = 1; !last.is_last; k++)
        last = crossing_of(s, rank, k);
    return last;
}

/* Where TEMP keeps the row of a rank: counted from the first one that is kept in the end. */
static uint64_t kept_at(const struct crossing *last, int of)
{
    return (uint64_t)(of - (crossed_by(last->s)->last_whole ? 0 : last->first)) *
           row_bytes(last->s);
}

static uint64_t outbox_at(const struct crossing *last)
{
    return (uint64_t)last->stride * row_bytes(last->s);
}

/* What each rank on the line is sent in the last step, gathered from the rows. */
static void pack(const struct crossing *last, struct round *out)
{
    const struct schedule *s = last->s;
    const uint64_t m = s->bytes;
    uint64_t at = outbox_at(last);
    for (int i = 0, dst; (dst = mesh_peer(last->rank, last->side, last->stride, i, 1)) >= 0; i++)
        for (int row = 0; row < last->stride; row++, at += m)
            round_copy(out, BUF_TEMP, at, BUF_TEMP,
                       kept_at(last, last->first + row) + (uint64_t)dst * m, m);
}

/* From the rows that are kept, the blocks for this rank. */
static void unpack(const struct crossing *last, int first, int n, struct round *out)
{
    const uint64_t m = last->s->bytes;
    for (int src = first; src < first + n; src++)
        round_copy(out, BUF_RECV, (uint64_t)src * m, BUF_TEMP,
                   kept_at(last, src) + (uint64_t)last->rank * m, m);
}

static void gather_line(const struct crossing *c, const struct crossing *last, int k,
                        struct round *out)
{
    const struct schedule *s = c->s;
    const uint64_t bytes = (uint64_t)c->stride * row_bytes(s);
    for (int i = 0, src; (src = mesh_peer(c->rank, c->side, c->stride, i, -1)) >= 0; i++)
        round_recv(out, BUF_TEMP, kept_at(last, src - src % c->stride), bytes, src);
    for (int i = 0, dst; (dst = mesh_peer(c->rank, c->side, c->stride, i, 1)) >= 0; i++)
        round_send(out, k ? BUF_TEMP : BUF_SEND, k ? kept_at(last, c->first) : 0, bytes, dst);
    if (k == 0)
        round_copy(out, BUF_TEMP, kept_at(last, c->rank), BUF_SEND, 0, row_bytes(s));
}

static void send_packed(const struct crossing *c, struct round *out)
{
    const struct schedule *s = c->s;
    const uint64_t bytes = (uint64_t)c->stride * s->bytes;
    const uint64_t at = outbox_at(c);
    for (int i = 0, src; (src = mesh_peer(c->rank, c->side, c->stride, i, -1)) >= 0; i++)
        round_recv(out, BUF_RECV, (uint64_t)(src - src % c->stride) * s->bytes, bytes, src);
    for (int i = 0, dst; (dst = mesh_peer(c->rank, c->side, c->stride, i, 1)) >= 0; i++)
        round_send(out, BUF_TEMP, at + (uint64_t)i * bytes, bytes, dst);
    unpack(c, c->first, c->stride, out);
}

static uint64_t mesh_rounds(const struct schedule *s, int rank)
{
    uint64_t n = 0;
    (void)rank;
    while (crossed_by(s)->side(s, (int)n) > 1)
        n++;
    return n;
}

static void mesh_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const struct crossing c = crossing_of(s, rank, (int)k), last = last_crossing(s, rank);
    const int whole = crossed_by(s)->last_whole;
    if (c.is_last && !whole) {
        send_packed(&c, out);
        return;
    }
    gather_line(&c, &last, (int)k, out);
    if (c.is_last)
        unpack(&last, 0, s->procs, out);
    else if (c.stride * c.side == last.stride && !whole)
        pack(&last, out);
}

static uint64_t mesh_temp(const struct schedule *s, int rank)
{
    const struct crossing last = last_crossing(s, rank);
    return crossed_by(s)->last_whole ? (uint64_t)s->procs * row_bytes(s)
                                     : outbox_at(&last) + row_bytes(s);
}

enum { SMALL = 256 }; /* bytes up to which STAR-MPI tries those of few messages */

/* ---- a block of its own to and from each rank ---- */

#define EXCHANGE_ROW(text, ...)                                                                    \
    {                                                                                              \
        .name = text, .rounds = recipe_rounds, .round = recipe_round, __VA_ARGS__                  \
    }

#define EXCHANGE(how, between)                                                                     \
    .recipe = &(const struct recipe)                                                               \
    {                                                                                              \
        .vector = BUF_RECV, .border = border_of_messages, .parts = {                               \
            { .kind = RECIPE_EXCHANGE, .pattern = how, .pace = between },                          \
        }                                                                                          \
    }

/* Of equal blocks, and of different sizes. */
#define SIMPLE_ROW                                                                                 \
    EXCHANGE_ROW("simple", .help = "all messages at once, that to the next rank first",            \
                 .group = "nothing", EXCHANGE(&pattern_simple, PACE_FREE))

#define EXCHANGE_ROWS                                                                              \
    EXCHANGE_ROW("ring_light_barrier",                                                             \
                 .help = "P - 1 steps: to the rank k to the right, once it says that it is ready", \
                 .group = "light barrier", EXCHANGE(&pattern_direct_ring, PACE_LIGHT)),            \
        EXCHANGE_ROW("ring_mpi_barrier",                                                           \
                     .help = "P - 1 steps: to the rank k to the right, with a barrier after each", \
                     .group = "barrier", EXCHANGE(&pattern_direct_ring, PACE_BARRIER)),            \
        EXCHANGE_ROW("pair_light_barrier",                                                         \
                     .help = "P - 1 steps: with rank XOR k, once it says that it is ready",        \
                     .group = "light barrier", .needs = POWER_OF_TWO_PROCS,                        \
                     .instead = "ring_light_barrier", EXCHANGE(&pattern_pair, PACE_LIGHT)),        \
        EXCHANGE_ROW("pair_mpi_barrier",                                                           \
                     .help = "P - 1 steps: with rank XOR k, with a barrier after each",            \
                     .group = "barrier", .needs = POWER_OF_TWO_PROCS,                              \
                     .instead = "ring_mpi_barrier", EXCHANGE(&pattern_pair, PACE_BARRIER))

/* clang-format off */
const struct algorithm alltoall_recipes[] = {
    SIMPLE_ROW,
    { .name = "2d_mesh", .needs = TWO_FACTORS, .instead = "simple",
      .most_bytes = SMALL, .group = "messages",
      .recipe = &(const struct crossed){ mesh_2d_side, 0 }, .rounds = mesh_rounds,
      .round = mesh_round, .temp_bytes = mesh_temp,
      .help = "ranks as a x b: all that a row gives to all of it, then what each of a column "
              "wants" },
    { .name = "3d_mesh", .needs = THREE_FACTORS, .instead = "2d_mesh",
      .most_bytes = SMALL, .group = "messages",
      .recipe = &(const struct crossed){ mesh_3d_side, 0 }, .rounds = mesh_rounds,
      .round = mesh_round, .temp_bytes = mesh_temp,
      .help = "as 2d_mesh with ranks as a x b x c, a dimension after the other" },
    { .name = "recursive_doubling", .needs = POWER_OF_TWO_PROCS,
      .instead = "3d_mesh", .most_bytes = SMALL, .group = "messages",
      .recipe = &(const struct crossed){ doubling_side, 1 }, .rounds = mesh_rounds,
      .round = mesh_round, .temp_bytes = mesh_temp,
      .help = "log2 P steps: all that all give goes to all ranks, which take what they want" },
    EXCHANGE_ROWS,
    { .name = NULL },
};
/* clang-format on */

const struct algorithm alltoallv_recipes[] = { SIMPLE_ROW, EXCHANGE_ROWS, { .name = NULL } };
