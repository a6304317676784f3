/* SPDX-License-Identifier: BSD-3-Clause */
/* star_allgather.c - the allgathers, of equal blocks and of different sizes, that neither library
 * has: those of STAR-MPI (Faraj, Yuan & Lowenthal, ICS 2006), which are as its all-to-alls
 * (star_alltoall.c) with the same block for all; Sparbit (Loch & Koslovski, Sparbit: a new
 * logarithmic-cost and data locality-aware MPI Allgather algorithm, 2021); the circulant graph
 * (Traeff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, 2024, backwards);
 * Bruck's with any radix (Bruck, Ho, Kipnis, Upfal & Weathersby 1997); Bine trees (bine.h).
 *
 * Elsewhere: recursive doubling, Bruck, neighbor exchange and the ring of neighbours, of which
 * topology_ring is the one in the order of the tree, are the libraries' own. */
#include "workloads/schedules/bine.h"
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/recipe.h"
#include "workloads/schedules/tree_phases.h"

/* clang-format off */
#define SPREAD(how, between)                                                                       \
    RECIPE(BUF_RECV, border_of_givers, NULL,                                                       \
           { .kind = RECIPE_GATHER, .pattern = how, .pace = between })

/* One recipe for all rows of Bruck's: these are one generator (analysis/measure/equivalent.h). */
static const struct recipe spread_bruck = {
    BUF_TEMP, border_of_givers, NULL,
    { { .kind = RECIPE_GATHER, .pattern = &pattern_bruck }, { .kind = RECIPE_TURN } }
};

#define ALLGATHER_ROWS                                                                         \
    RECIPE_ROW("simple", .group = "nothing", SPREAD(&pattern_simple, PACE_FREE),               \
        .help = "all messages at once, that to the next rank first"),                              \
    RECIPE_ROW("2d_mesh", .group = "messages", .needs = TWO_FACTORS, .instead = "simple",      \
        SPREAD(&pattern_mesh_2d, PACE_FREE),                                                       \
        .help = "ranks as a x b: blocks to all of the row, then rows to all of the column"),       \
    RECIPE_ROW("3d_mesh", .group = "messages", .needs = THREE_FACTORS, .instead = "2d_mesh",   \
        SPREAD(&pattern_mesh_3d, PACE_FREE),                                                       \
        .help = "as 2d_mesh with ranks as a x b x c, a dimension after the other"),                \
    RECIPE_ROW("direct_ring", .group = "steps", SPREAD(&pattern_direct_ring, PACE_FREE),       \
        .help = "P - 1 steps: a rank's own block to the rank k to the right"),                     \
    RECIPE_ROW("ring_light_barrier", .group = "light barrier",                                 \
        SPREAD(&pattern_direct_ring, PACE_LIGHT),                                                  \
        .help = "as direct_ring, to ranks that say that they are ready"),                          \
    RECIPE_ROW("ring_mpi_barrier", .group = "barrier",                                         \
        SPREAD(&pattern_direct_ring, PACE_BARRIER),                                                \
        .help = "as direct_ring, with a barrier after each step"),                                 \
    RECIPE_ROW("pair", .group = "steps", .needs = POWER_OF_TWO_PROCS,                          \
        .instead = "direct_ring", SPREAD(&pattern_pair, PACE_FREE),                                \
        .help = "P - 1 steps: exchanges of own blocks with rank XOR k"),                           \
    RECIPE_ROW("pair_light_barrier", .group = "light barrier", .needs = POWER_OF_TWO_PROCS,    \
        .instead = "ring_light_barrier", SPREAD(&pattern_pair, PACE_LIGHT),                        \
        .help = "as pair, with ranks that say that they are ready"),                               \
    RECIPE_ROW("pair_mpi_barrier", .group = "barrier", .needs = POWER_OF_TWO_PROCS,            \
        .instead = "ring_mpi_barrier", SPREAD(&pattern_pair, PACE_BARRIER),                        \
        .help = "as pair, with a barrier after each step"),                                        \
    RECIPE_ROW("topology_ring", .group = "links", .prepare = topology_prepare,                 \
        SPREAD(&pattern_topology_ring, PACE_FREE),                                                 \
        .help = "ring in depth-first order of switches and nodes: each link once"),                \
    RECIPE_ROW("sparbit", .group = "messages", SPREAD(&pattern_sparbit, PACE_FREE),            \
        .help = "ceil(log2 P) steps, the farthest rank first; a message for each block"),          \
    RECIPE_ROW("circulant", .group = "messages",                                               \
        RECIPE(BUF_TEMP, border_of_givers, NULL,                                                   \
               { .kind = RECIPE_GATHER, .pattern = &pattern_circulant }, { .kind = RECIPE_TURN }), \
        .help = "ceil(log2 P) steps at distances of P halved and halved, rounded up"),             \
    RECIPE_ROW("bruck_k", .group = "messages", .default_fanout = 4, .min_fanout = 2,           \
        .recipe = &spread_bruck,                                                                   \
        .help = "as Bruck's with K - 1 messages a step (fan-out K is the radix, 4 by default)"),   \
    RECIPE_ROW("recursive_multiplying", .group = "messages", .default_fanout = 4,              \
        .min_fanout = 2,                                                                           \
        RECIPE(BUF_RECV, border_of_givers, members_of_multiplying, { .kind = RECIPE_FOLD_BLOCK },  \
               { .kind = RECIPE_GATHER, .pattern = &pattern_multiplying },                         \
        { .kind = RECIPE_UNFOLD_ALL }),                                                            \
        .help = "ceil(log_K P) exchanges among K ranks (fan-out K, 4 by default), the nearest "    \
                "first"),                                                                          \
    RECIPE_ROW("bine", .group = "messages",                                                    \
        RECIPE(BUF_RECV, border_of_givers, members_two_to_n, { .kind = RECIPE_FOLD_BLOCK },        \
               { .kind = RECIPE_GATHER, .pattern = &pattern_bine },                                \
               { .kind = RECIPE_UNFOLD_ALL }),                                                     \
        .help = "ceil(log2 P) steps in a Bine butterfly, the nearest rank first")

const struct algorithm allgather_recipes[] = { ALLGATHER_ROWS, { .name = NULL } };
const struct algorithm allgatherv_recipes[] = { ALLGATHER_ROWS, { .name = NULL } };

const struct algorithm allgather_mpich_k_brucks[] = {
    RECIPE_ROW("mpich_k_brucks", .group = "messages", .default_fanout = MPICH_RADIX,
               .min_fanout = 2, .recipe = &spread_bruck,
               .help = "MPICH: as bruck_k (fan-out K is the radix, 2 by default)"),
    { .name = NULL },
};
/* clang-format on */
