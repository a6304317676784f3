/* SPDX-License-Identifier: BSD-3-Clause */
/* star_allreduce.c - the allreductions and reduce-scatters that are put together from patterns: the
 * three families of STAR-MPI (Faraj, Yuan & Lowenthal, ICS 2006), Bine trees (bine.h) and the
 * circulant graph (Traeff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, 2024).
 *
 *   allgather_x   the messages of all go to all by allgather x; each rank combines them
 *   halving_x     Rab1-x of the paper: reduce-scatter by recursive halving, then allgather x
 *   alltoall_x_y  Rab2-(x,y): all-to-all x of blocks, which are combined; then allgather y
 *
 * The first and the third keep the order of ranks. Blocks are the message cut in P, at elements. In
 * allgather_x and halving_x, ring is the one of STAR-MPI, whose steps go to the rank k to the right
 * (direct_ring of allgather). */
#include "workloads/schedules/bine.h"
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/recipe.h"
#include "workloads/schedules/tree_phases.h"

/* clang-format off */
#define GATHERS(id, how, words, ...)                                                               \
    RECIPE_ROW("allgather_" #id, .group = "allgather first", .in_order = 1,             \
        RECIPE(BUF_TEMP, border_of_messages, NULL,                                                 \
               { .kind = RECIPE_GATHER, .pattern = how },                                          \
               { .kind = RECIPE_COMBINE, .pattern = how }),                                        \
        .help = "allgather of messages (" words "), which each rank combines in the order of "     \
                "ranks",                                                                           \
        __VA_ARGS__)

#define HALVES(id, how, between, words)                                                            \
    RECIPE_ROW("halving_" #id, .group = "halving first", .prepare = topology_prepare,   \
        .needs = POWER_OF_TWO_PROCS, .instead = "circulant",                                       \
        RECIPE(BUF_RECV, border_of_cut, NULL,                                                      \
               { .kind = RECIPE_REDUCE, .pattern = &pattern_doubling },                            \
               { .kind = RECIPE_GATHER, .pattern = how, .pace = between }),                        \
        .help = "reduce-scatter by recursive halving, then allgather (" words ")")

#define EXCHANGES(id, how, between, then, between_then, words)                                     \
    RECIPE_ROW("alltoall_" #id, .group = "alltoall first", .prepare = topology_prepare, \
        .in_order = 1,                                                                             \
        RECIPE(BUF_RECV, border_of_cut, NULL,                                                      \
               { .kind = RECIPE_EXCHANGE_SUM, .pattern = how, .pace = between },                   \
               { .kind = RECIPE_GATHER, .pattern = then, .pace = between_then }),                  \
        .help = "all-to-all of blocks, which are combined, then allgather (" words ")")

const struct algorithm allreduce_recipes[] = {
    /* all that all have, to all */
    GATHERS(bruck, &pattern_bruck, "Bruck's"),
    GATHERS(ring, &pattern_direct_ring, "to the rank k to the right"),
    GATHERS(2d_mesh, &pattern_mesh_2d, "ranks as a x b", .needs = TWO_FACTORS,
            .instead = "allgather_bruck"),
    GATHERS(3d_mesh, &pattern_mesh_3d, "ranks as a x b x c", .needs = THREE_FACTORS,
            .instead = "allgather_2d_mesh"),
    GATHERS(recursive_doubling, &pattern_doubling, "recursive doubling",
            .needs = POWER_OF_TWO_PROCS, .instead = "allgather_bruck"),
    /* recursive halving, then an allgather */
    HALVES(simple, &pattern_simple, PACE_FREE, "all at once"),
    HALVES(2d_mesh, &pattern_mesh_2d, PACE_FREE, "ranks as a x b"),
    HALVES(3d_mesh, &pattern_mesh_3d, PACE_FREE, "ranks as a x b x c"),
    HALVES(recursive_doubling, &pattern_doubling, PACE_FREE, "recursive doubling"),
    HALVES(bruck, &pattern_bruck_in_place, PACE_FREE, "Bruck's"),
    HALVES(ring, &pattern_direct_ring, PACE_FREE, "to the rank k to the right"),
    HALVES(ring_light_barrier, &pattern_direct_ring, PACE_LIGHT, "ring, light barriers"),
    HALVES(ring_mpi_barrier, &pattern_direct_ring, PACE_BARRIER, "ring, barriers"),
    HALVES(topology_ring, &pattern_topology_ring, PACE_FREE, "ring in the order of the tree"),
    /* an all-to-all of blocks, then an allgather */
    EXCHANGES(ring_topology_ring, &pattern_direct_ring, PACE_FREE, &pattern_topology_ring,
              PACE_FREE, "ring; in the order of the tree"),
    EXCHANGES(ring_light_barrier_topology_ring, &pattern_direct_ring, PACE_LIGHT,
              &pattern_topology_ring, PACE_FREE,
              "ring with light barriers; in the order of the tree"),
    EXCHANGES(ring_mpi_barrier_topology_ring, &pattern_direct_ring, PACE_BARRIER,
              &pattern_topology_ring, PACE_FREE, "ring with barriers; in the order of the tree"),
    EXCHANGES(ring_ring, &pattern_direct_ring, PACE_FREE, &pattern_direct_ring, PACE_FREE,
              "ring; ring"),
    EXCHANGES(ring_light_barrier_ring_light_barrier, &pattern_direct_ring, PACE_LIGHT,
              &pattern_direct_ring, PACE_LIGHT, "rings with light barriers"),
    EXCHANGES(ring_mpi_barrier_ring_mpi_barrier, &pattern_direct_ring, PACE_BARRIER,
              &pattern_direct_ring, PACE_BARRIER, "rings with barriers"),
    /* Bine butterflies and the circulant graph, backwards and forwards */
    RECIPE_ROW("circulant", .group = "blocks",
        RECIPE(BUF_TEMP, border_of_cut, NULL,
               { .kind = RECIPE_REDUCE, .pattern = &pattern_circulant },
               { .kind = RECIPE_GATHER, .pattern = &pattern_circulant }, { .kind = RECIPE_TURN }),
        .help = "reduce-scatter and allgather at distances of P halved and halved, rounded up"),
    RECIPE_ROW("bine", .group = "blocks",
        RECIPE(BUF_RECV, border_of_cut, members_two_to_n, { .kind = RECIPE_FOLD_SUM },
               { .kind = RECIPE_REDUCE, .pattern = &pattern_bine },
               { .kind = RECIPE_GATHER, .pattern = &pattern_bine }, { .kind = RECIPE_UNFOLD_ALL }),
        .help = "reduce-scatter, the farthest rank first, and allgather in a Bine butterfly"),
    RECIPE_ROW("bine_doubling", .group = "messages", .ranks_differ = 1,
        RECIPE(BUF_RECV, border_of_cut, members_two_to_n, { .kind = RECIPE_FOLD_SUM },
               { .kind = RECIPE_DOUBLE, .pattern = &pattern_bine }, { .kind = RECIPE_UNFOLD_ALL }),
        .help = "log2 P exchanges of what is combined so far in a Bine butterfly, the nearest "
                "first"),
    RECIPE_ROW("recursive_multiplying", .group = "messages", .default_fanout = 4,
        .min_fanout = 2,
        RECIPE(BUF_RECV, border_of_cut, members_of_multiplying, { .kind = RECIPE_FOLD_SUM },
               { .kind = RECIPE_DOUBLE, .pattern = &pattern_multiplying },
               { .kind = RECIPE_UNFOLD_ALL }),
        .help = "ceil(log_K P) exchanges of whole messages among K ranks (fan-out K, 4 by "
                "default)"),
    RECIPE_ROW("multiplying_blocks", .group = "blocks", .default_fanout = 4,
        .min_fanout = 2,
        RECIPE(BUF_RECV, border_of_cut, members_of_multiplying, { .kind = RECIPE_FOLD_SUM },
               { .kind = RECIPE_REDUCE, .pattern = &pattern_multiplying },
               { .kind = RECIPE_GATHER, .pattern = &pattern_multiplying },
               { .kind = RECIPE_UNFOLD_ALL }),
        .help = "reduce-scatter and allgather by recursive multiplying (fan-out K, 4 by default)"),
    { .name = NULL },
};

#define REDUCE_SCATTER_ROWS                                                                    \
    RECIPE_ROW("circulant", .group = "blocks",                                                 \
        RECIPE(BUF_TEMP, border_of_takers, NULL,                                                   \
               { .kind = RECIPE_REDUCE, .pattern = &pattern_circulant },                           \
               { .kind = RECIPE_UNFOLD_BLOCK, .pattern = &pattern_circulant }),                    \
        .help = "ceil(log2 P) steps at distances of P halved and halved, rounded up"),             \
    RECIPE_ROW("bine", .group = "blocks",                                                      \
        RECIPE(BUF_TEMP, border_of_takers, members_two_to_n, { .kind = RECIPE_FOLD_SUM },          \
               { .kind = RECIPE_REDUCE, .pattern = &pattern_bine },                                \
               { .kind = RECIPE_UNFOLD_BLOCK, .pattern = &pattern_bine }),                         \
        .help = "ceil(log2 P) steps in a Bine butterfly, the farthest rank first"),                \
    RECIPE_ROW("recursive_multiplying", .group = "blocks", .default_fanout = 4,                \
        .min_fanout = 2,                                                                           \
        RECIPE(BUF_TEMP, border_of_takers, members_of_multiplying, { .kind = RECIPE_FOLD_SUM },    \
               { .kind = RECIPE_REDUCE, .pattern = &pattern_multiplying },                         \
               { .kind = RECIPE_UNFOLD_BLOCK, .pattern = &pattern_multiplying }),                  \
        .help = "ceil(log_K P) exchanges among K ranks (fan-out K, 4 by default), the farthest "   \
                "first")

const struct algorithm reduce_scatter_recipes[] = {
    REDUCE_SCATTER_ROWS, { .name = NULL } };
const struct algorithm reduce_scatter_block_recipes[] = {
    REDUCE_SCATTER_ROWS, { .name = NULL } };

static const struct recipe_tree bine_down = { &tree_bine, bine_below },
                                bine_up = { &tree_bine_ascending, bine_below };

const struct algorithm bcast_recipes[] = {
    RECIPE_ROW("bine_scatter_allgather", .group = "blocks",
        RECIPE(BUF_DATA, border_of_cut, members_two_to_n,
               { .kind = RECIPE_DOWN, .tree = &bine_down },
               { .kind = RECIPE_GATHER, .pattern = &pattern_bine }, { .kind = RECIPE_UNFOLD_ALL }),
        .help = "scatter down a Bine tree, then allgather in a Bine butterfly"),
    { .name = NULL },
};

const struct algorithm reduce_recipes[] = {
    RECIPE_ROW("bine_reduce_scatter_gather", .group = "blocks",
        RECIPE(BUF_RECV, border_of_cut, members_two_to_n, { .kind = RECIPE_FOLD_SUM },
               { .kind = RECIPE_REDUCE, .pattern = &pattern_bine },
               { .kind = RECIPE_UP, .tree = &bine_up }),
        .help = "reduce-scatter in a Bine butterfly, then gather up a Bine tree"),
    { .name = NULL },
};
/* clang-format on */
