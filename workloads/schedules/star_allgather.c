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

#define ALLGATHER_ROW(of, text, ...)                                                               \
    {                                                                                              \
        .name = text, .collective = #of, .rounds = recipe_rounds, .round = recipe_round,           \
        .temp_bytes = recipe_temp, __VA_ARGS__                                                     \
    }

#define GATHERED(...)                                                                              \
    .recipe = &(const struct recipe)                                                               \
    {                                                                                              \
        .border = border_of_givers, __VA_ARGS__                                                    \
    }

#define SPREAD(how, between)                                                                       \
    GATHERED(.vector = BUF_RECV,                                                                   \
             .parts = { { .kind = RECIPE_GATHER, .pattern = how, .pace = between } })

/* One recipe for all rows of Bruck's: these are one generator (analysis/measure/equivalent.h). */
static const struct recipe spread_bruck = {
    .border = border_of_givers,
    .vector = BUF_TEMP,
    .parts = { { .kind = RECIPE_GATHER, .pattern = &pattern_bruck }, { .kind = RECIPE_TURN } }
};

#define ALLGATHER_ROWS(of)                                                                         \
    ALLGATHER_ROW(of, "simple", .help = "all messages at once, that to the next rank first",       \
                  .group = "nothing", SPREAD(&pattern_simple, PACE_FREE)),                         \
        ALLGATHER_ROW(                                                                             \
            of, "2d_mesh",                                                                         \
            .help = "ranks as a x b: blocks to all of the row, then rows to all of the column",    \
            .group = "messages", .needs = TWO_FACTORS, .instead = "simple",                        \
            SPREAD(&pattern_mesh_2d, PACE_FREE)),                                                  \
        ALLGATHER_ROW(of, "3d_mesh",                                                               \
                      .help = "as 2d_mesh with ranks as a x b x c, a dimension after the other",   \
                      .group = "messages", .needs = THREE_FACTORS, .instead = "2d_mesh",           \
                      SPREAD(&pattern_mesh_3d, PACE_FREE)),                                        \
        ALLGATHER_ROW(of, "direct_ring",                                                           \
                      .help = "P - 1 steps: a rank's own block to the rank k to the right",        \
                      .group = "steps", SPREAD(&pattern_direct_ring, PACE_FREE)),                  \
        ALLGATHER_ROW(of, "ring_light_barrier",                                                    \
                      .help = "as direct_ring, to ranks that say that they are ready",             \
                      .group = "light barrier", SPREAD(&pattern_direct_ring, PACE_LIGHT)),         \
        ALLGATHER_ROW(of, "ring_mpi_barrier",                                                      \
                      .help = "as direct_ring, with a barrier after each step",                    \
                      .group = "barrier", SPREAD(&pattern_direct_ring, PACE_BARRIER)),             \
        ALLGATHER_ROW(of, "pair", .help = "P - 1 steps: exchanges of own blocks with rank XOR k",  \
                      .group = "steps", .needs = POWER_OF_TWO_PROCS, .instead = "direct_ring",     \
                      SPREAD(&pattern_pair, PACE_FREE)),                                           \
        ALLGATHER_ROW(of, "pair_light_barrier",                                                    \
                      .help = "as pair, with ranks that say that they are ready",                  \
                      .group = "light barrier", .needs = POWER_OF_TWO_PROCS,                       \
                      .instead = "ring_light_barrier", SPREAD(&pattern_pair, PACE_LIGHT)),         \
        ALLGATHER_ROW(of, "pair_mpi_barrier", .help = "as pair, with a barrier after each step",   \
                      .group = "barrier", .needs = POWER_OF_TWO_PROCS,                             \
                      .instead = "ring_mpi_barrier", SPREAD(&pattern_pair, PACE_BARRIER)),         \
        ALLGATHER_ROW(of, "topology_ring",                                                         \
                      .help = "ring in depth-first order of switches and nodes: each link once",   \
                      .group = "links", .prepare = topology_prepare,                               \
                      SPREAD(&pattern_topology_ring, PACE_FREE)),                                  \
        ALLGATHER_ROW(of, "sparbit",                                                               \
                      .help =                                                                      \
                          "ceil(log2 P) steps, the farthest rank first; a message for each block", \
                      .group = "messages", SPREAD(&pattern_sparbit, PACE_FREE)),                   \
        ALLGATHER_ROW(                                                                             \
            of, "circulant",                                                                       \
            .help = "ceil(log2 P) steps at distances of P halved and halved, rounded up",          \
            .group = "messages",                                                                   \
            GATHERED(.vector = BUF_TEMP,                                                           \
                     .parts = { { .kind = RECIPE_GATHER, .pattern = &pattern_circulant },          \
                                { .kind = RECIPE_TURN } })),                                       \
        ALLGATHER_ROW(                                                                             \
            of, "bruck_k",                                                                         \
            .help = "as Bruck's with K - 1 messages a step (fan-out K is the radix, 4 by "         \
                    "default)",                                                                    \
            .group = "messages", .default_fanout = 4, .min_fanout = 2, .recipe = &spread_bruck),   \
        ALLGATHER_ROW(                                                                             \
            of, "recursive_multiplying",                                                           \
            .help = "ceil(log_K P) exchanges among K ranks (fan-out K, 4 by default), the "        \
                    "nearest first",                                                               \
            .group = "messages", .default_fanout = 4, .min_fanout = 2,                             \
            GATHERED(.vector = BUF_RECV, .members = members_of_multiplying,                        \
                     .parts = { { .kind = RECIPE_FOLD_BLOCK },                                     \
                                { .kind = RECIPE_GATHER, .pattern = &pattern_multiplying },        \
                                { .kind = RECIPE_UNFOLD_ALL } })),                                 \
        ALLGATHER_ROW(of, "bine",                                                                  \
                      .help = "ceil(log2 P) steps in a Bine butterfly, the nearest rank first",    \
                      .group = "messages",                                                         \
                      GATHERED(.vector = BUF_RECV, .members = members_two_to_n,                    \
                               .parts = { { .kind = RECIPE_FOLD_BLOCK },                           \
                                          { .kind = RECIPE_GATHER, .pattern = &pattern_bine },     \
                                          { .kind = RECIPE_UNFOLD_ALL } }))

const struct algorithm allgather_recipes[] = { ALLGATHER_ROWS(allgather), { .name = NULL } };
const struct algorithm allgatherv_recipes[] = { ALLGATHER_ROWS(allgatherv), { .name = NULL } };

const struct algorithm allgather_mpich_k_brucks[] = {
    ALLGATHER_ROW(allgather, "mpich_k_brucks",
                  .help = "MPICH: as bruck_k (fan-out K is the radix, 2 by default)",
                  .group = "messages", .default_fanout = MPICH_RADIX, .min_fanout = 2,
                  .recipe = &spread_bruck),
    { .name = NULL },
};
