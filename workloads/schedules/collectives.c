/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/collectives.h"

/* The rows of algorithms in the files of schedules; each list ends with a row of no name.
 * COLLECTIVE_rows stand in the file of their collective. */
typedef const struct algorithm rows[];

extern rows bcast_rows, bcast_bine, allgather_rows, reduce_rows, gather_rows, scatter_rows,
    allreduce_rows, alltoall_rows, reduce_scatter_rows, reduce_scatter_block_rows, barrier_rows,
    scan_rows, exscan_rows, allgatherv_rows, alltoallv_rows;

/* mpich_trees.c, mpich_allreduce.c, recexch.c: MPICH's from 4.1 on */
extern rows bcast_mpich_trees, allreduce_mpich_tree, allreduce_mpich_ring,
    allreduce_mpich_multiplying, barrier_recexch, allreduce_recexch, allreduce_recexch_scatter,
    allgather_recexch;

/* star_alltoall.c, star_allgather.c, star_allreduce.c: of patterns (recipe.h) */
extern rows alltoall_recipes, alltoallv_recipes, allgather_recipes, allgatherv_recipes,
    allgather_mpich_k_brucks, allreduce_recipes, reduce_scatter_recipes,
    reduce_scatter_block_recipes, bcast_recipes, reduce_recipes;

/* bruck_k.c, doubling_any.c, tree_phases.c, rooted.c, circulant.c */
extern rows alltoall_bruck_k, alltoall_mpich_k_brucks, allgather_doubling_any,
    alltoall_doubling_any, alltoall_topology, alltoallv_topology, gather_trees, scatter_trees,
    bcast_circulant, reduce_circulant;

/* two_level.c, two_level_moving.c, two_level_mvapich.c: of a level each */
extern rows bcast_levels, reduce_levels, allreduce_levels, barrier_levels, allgather_levels,
    gather_levels, scatter_levels, reduce_scatter_levels, bcast_mvapich2, reduce_mvapich2,
    allreduce_mvapich2;

/* Open MPI's unit, of old the same, and MPICH's. */
#define UNITS(openmpi_, mpich_) .unit = { UNIT_##openmpi_, UNIT_##openmpi_, UNIT_##mpich_ }

/* clang-format off */
const struct collective collectives[] = {
    { .name = "bcast", .word = "broadcast", .call = "MPI_Bcast", .spelling = { "broadcast" },
      .ends = "every rank ends with its bytes", .rooted = 1, .data.amount = AMOUNT_ONE,
      .source = FROM_ROOT, .fan = FAN_SEND, .linear = "basic_linear", UNITS(MESSAGE, MESSAGE),
      .mpich_count = UNIT_MESSAGE,
      .rows = { bcast_rows, bcast_mpich_trees, bcast_bine, bcast_recipes, bcast_circulant,
                bcast_levels, bcast_mvapich2 } },
    { .name = "allgather", .word = "allgather", .call = "MPI_Allgather",
      .ends = "every rank ends with the block of every rank",
      .send.amount = AMOUNT_ONE, .recv.amount = AMOUNT_EACH, .source = FROM_EACH, .fan = FAN_NONE,
      .up = "gather", .down = "bcast", UNITS(TOTAL, TOTAL), .mpich_count = UNIT_MESSAGE,
      .rows = { allgather_rows, allgather_mpich_k_brucks, allgather_recexch, allgather_recipes,
                allgather_doubling_any, allgather_levels } },
    { .name = "reduce", .word = "reduction", .call = "MPI_Reduce",
      .ends = "the root ends with every rank's contribution once, in order where that matters",
      .rooted = 1, .combines = 1, .send.amount = AMOUNT_ONE, .recv = { AMOUNT_ONE, .root_only = 1 },
      .source = FROM_ALL, .fan = FAN_REDUCE, .linear = "linear", UNITS(MESSAGE, MESSAGE),
      .mpich_count = UNIT_MESSAGE,
      .rows = { reduce_rows, reduce_recipes, reduce_circulant, reduce_levels, reduce_mvapich2 } },
    { .name = "gather", .word = "gather", .call = "MPI_Gather",
      .ends = "the root ends with the block of every rank", .rooted = 1, .send.amount = AMOUNT_ONE,
      .recv = { AMOUNT_EACH, .root_only = 1 }, .source = FROM_EACH, .fan = FAN_RECEIVE,
      .linear = "basic_linear", .unit = { UNIT_TOTAL, UNIT_EACH, UNIT_NONE },
      .rows = { gather_rows, gather_trees, gather_levels } },

    { .name = "scatter", .word = "scatter", .call = "MPI_Scatter",
      .ends = "every rank ends with its block of the root's", .rooted = 1,
      .send = { AMOUNT_EACH, .root_only = 1 }, .recv.amount = AMOUNT_ONE, .source = FROM_ROOT,
      .personal = 1, .fan = FAN_NONE, .unit = { UNIT_TOTAL, UNIT_EACH, UNIT_NONE },
      .rows = { scatter_rows, scatter_trees, scatter_levels } },
    { .name = "allreduce", .word = "allreduce", .call = "MPI_Allreduce",
      .ends = "every rank ends with every contribution once, in order where that matters",
      .combines = 1, .send.amount = AMOUNT_ONE, .recv.amount = AMOUNT_ONE, .source = FROM_ALL,
      .fan = FAN_NONE, .up = "reduce", .down = "bcast", UNITS(MESSAGE, MESSAGE),
      .mpich_count = UNIT_MESSAGE,
      .rows = { allreduce_rows, allreduce_mpich_multiplying, allreduce_mpich_tree,
                allreduce_recexch, allreduce_mpich_ring, allreduce_recexch_scatter,
                allreduce_recipes, allreduce_levels, allreduce_mvapich2 } },
    { .name = "alltoall", .word = "all-to-all", .call = "MPI_Alltoall",
      .spelling = { "all_to_all_personalized_exchange" },
      .ends = "every rank ends with its block of every rank", .send.amount = AMOUNT_EACH,
      .recv.amount = AMOUNT_EACH, .source = FROM_EACH, .personal = 1, .fan = FAN_NONE,
      UNITS(TOTAL, MESSAGE), .rows = { alltoall_rows, alltoall_mpich_k_brucks, alltoall_recipes, alltoall_topology,
                alltoall_bruck_k, alltoall_doubling_any } },
    { .name = "reduce_scatter", .word = "reduce–scatter", .call = "MPI_Reduce_scatter",
      .ends = "every rank ends with every contribution to its block once, in order where that "
              "matters",
      .combines = 1, .send.amount = AMOUNT_EACH, .recv.amount = AMOUNT_ONE, .source = FROM_ALL,
      .personal = 1, .told_of_all = 1, .fan = FAN_NONE, .uneven = 1, .up = "reduce",
      .down = "scatter", UNITS(TOTAL, TOTAL), .mpich_count = UNIT_TOTAL,
      .rows = { reduce_scatter_rows, reduce_scatter_recipes, reduce_scatter_levels } },
    { .name = "reduce_scatter_block", .word = "reduce–scatter of blocks",
      .call = "MPI_Reduce_scatter_block",
      .ends = "every rank ends with every contribution to its block once, in order where that "
              "matters",
      .combines = 1, .send.amount = AMOUNT_EACH, .recv.amount = AMOUNT_ONE, .source = FROM_ALL,
      .personal = 1, .fan = FAN_NONE, .up = "reduce", .down = "scatter", UNITS(TOTAL, TOTAL),
      .mpich_count = UNIT_MESSAGE,
      .rows = { reduce_scatter_block_rows, reduce_scatter_block_recipes } },
    { .name = "barrier", .word = "barrier", .call = "MPI_Barrier",
      .ends = "no rank ends before every rank has begun", .fan = FAN_NONE,
      .rows = { barrier_rows, barrier_recexch, barrier_levels } },
    { .name = "scan", .word = "scan", .call = "MPI_Scan",
      .ends = "every rank ends with the contributions up to its own once, in order where that "
              "matters",
      .combines = 1, .send.amount = AMOUNT_ONE, .recv.amount = AMOUNT_ONE, .source = FROM_FIRST,
      .fan = FAN_NONE, .unit = { UNIT_EACH, UNIT_EACH, UNIT_NONE }, .rows = { scan_rows } },
    { .name = "exscan", .word = "exclusive scan", .call = "MPI_Exscan",
      .ends = "every rank ends with the contributions before its own once, in order where that "
              "matters",
      .combines = 1, .send.amount = AMOUNT_ONE, .recv.amount = AMOUNT_ONE, .source = FROM_BEFORE,
      .fan = FAN_NONE, .unit = { UNIT_EACH, UNIT_EACH, UNIT_NONE }, .rows = { exscan_rows } },
    { .name = "allgatherv", .word = "allgather of different sizes", .call = "MPI_Allgatherv",
      .ends = "every rank ends with the block of every rank", .send.amount = AMOUNT_ONE,
      .recv.amount = AMOUNT_EACH, .source = FROM_EACH, .fan = FAN_NONE, .uneven = 1,
      .up = "gatherv", .down = "bcast", .mpich_count = UNIT_TOTAL,
      /* Open MPI's since 4.1: all blocks together over the ranks */
      .unit = { UNIT_MESSAGE, UNIT_TOTAL, UNIT_TOTAL },
      .rows = { allgatherv_rows, allgatherv_recipes } },
    { .name = "alltoallv", .word = "all-to-all of different sizes", .call = "MPI_Alltoallv",
      .spelling = { "all_to_allv_personalized_exchange" },
      .ends = "every rank ends with its block of every rank", .send.amount = AMOUNT_EACH,
      .recv.amount = AMOUNT_EACH, .source = FROM_EACH, .personal = 1, .fan = FAN_NONE, .uneven = 1,
      .rows = { alltoallv_rows, alltoallv_recipes, alltoallv_topology } },

    /* imported only */
    { .name = "gatherv", .word = "gather of different sizes", .call = "MPI_Gatherv", .rooted = 1,
      .send.amount = AMOUNT_ONE, .recv = { AMOUNT_EACH, .root_only = 1 }, .source = FROM_EACH,
      .fan = FAN_NONE },
    { .name = "scatterv", .word = "scatter of different sizes", .call = "MPI_Scatterv", .rooted = 1,
      .send = { AMOUNT_EACH, .root_only = 1 }, .recv.amount = AMOUNT_ONE, .source = FROM_ROOT,
      .personal = 1, .fan = FAN_NONE },
    { .name = NULL },
};

const struct guideline collective_guidelines[] = {
    { "allreduce", { { "reduce", SCALE_SAME }, { "bcast", SCALE_SAME } } },
    { "bcast", { { "scatter", SCALE_OVER }, { "allgather", SCALE_OVER } } },
    { "allgather", { { "gather", SCALE_SAME }, { "bcast", SCALE_TIMES } } },
    { "allgather", { { "alltoall", SCALE_SAME } } },
    { "reduce_scatter", { { "reduce", SCALE_TIMES }, { "scatter", SCALE_SAME } } },
    { "reduce", { { "allreduce", SCALE_SAME } } },
    { "gather", { { "allgather", SCALE_SAME } } },
    { "scatter", { { "bcast", SCALE_TIMES } } },
    { "barrier", { { "allreduce", SCALE_FEW } } },
    { .collective = NULL },
};

const char *const openmpi_collectives[OPENMPI_COLLECTIVES] = {
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw", "barrier",
    "bcast", "exscan", "gather", "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block",
    "scan", "scatter", "scatterv", "neighbor_allgather", "neighbor_allgatherv",
    "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw",
};
/* clang-format on */

const struct collective *collective_find(const char *name)
{
    for (const struct collective *c = collectives; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

const struct collective *collective_of(const char *name)
{
    static const struct collective unknown;
    const struct collective *c = collective_find(name);
    return c ? c : &unknown;
}

const struct collective *collective_of_fan(enum collective_fan fan)
{
    const struct collective *c = collectives;
    while (c->fan != fan)
        c++;
    return c;
}

int collective_moves(const char *name)
{
    return collective_of(name)->source != FROM_NOBODY;
}

int collective_has_schedules(const char *name)
{
    return collective_of(name)->rows[0] != NULL;
}

const struct algorithm *collective_linear(enum collective_fan fan)
{
    const struct collective *c = collective_of_fan(fan);
    return algorithm_find(c->name, c->linear);
}

const char *collectives_measured(char buf[COLLECTIVES_TEXT])
{
    size_t at = 0;
    buf[0] = '\0';
    for (const struct collective *c = collectives; c->name; c++)
        if (c->rows[0] && at < COLLECTIVES_TEXT)
            at += (size_t)snprintf(buf + at, COLLECTIVES_TEXT - at, "%s%s", at ? "|" : "", c->name);
    return buf;
}

/* A scan's last rank is the last to end. */
static int ends_at_last(const char *name)
{
    const enum collective_source source = collective_of(name)->source;
    return source == FROM_FIRST || source == FROM_BEFORE;
}

int collective_closing_root(const char *name, int procs, int root)
{
    return ends_at_last(name) ? procs - 1 : root;
}

const struct algorithm *collective_closing(const char *name)
{
    return collective_of(name)->recv.root_only || ends_at_last(name)
               ? algorithm_find(collective_of_fan(FAN_RECEIVE)->name, "called_linear")
               : collective_linear(FAN_RECEIVE);
}

static int count_prime_factors(int n)
{
    int count = 0;
    for (int d = 2; d <= n / d; d++)
        for (; n % d == 0 && n > d; n /= d)
            count++;
    return count + (n > 1);
}

int procs_suffice(enum procs_needed needs, int procs)
{
    switch (needs) {
    case POWER_OF_TWO_PROCS:
        return (procs & (procs - 1)) == 0;
    case TWO_FACTORS:
        return count_prime_factors(procs) >= 2;
    case THREE_FACTORS:
        return count_prime_factors(procs) >= 3;
    default:
        return 1;
    }
}

const char *procs_needed_words(enum procs_needed needs)
{
    static const char *const words[N_PROCS_NEEDED] = { "", "2^n ranks", "a x b ranks",
                                                       "a x b x c ranks" };
    return words[needs];
}

const char *algorithm_levels(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot ? dot + 1 : NULL;
}

int algorithm_limit(const char *levels)
{
    uint64_t limit = 0;
    return parse_u64(levels, &limit, NULL) == 0 && *levels != '0' && limit <= MOST_LIMIT
               ? (int)limit
               : 0;
}

int algorithm_takes(const struct algorithm *row, const char *levels, struct err *err)
{
    struct combination combination;
    if (row->combine)
        return row->combine(row, levels, &combination, err);
    if (row->limits && algorithm_limit(levels))
        return 0;
    return row->limits
               ? err_usage(err, "'%s' requests at a time (want 1 to %d)", levels, MOST_LIMIT)
               : err_usage(err, "'%s': nothing is named behind %s", levels, row->name);
}

int algorithm_ranks_differ(const struct algorithm *row, const char *name)
{
    const char *levels = algorithm_levels(name);
    struct combination c = { 0 };
    if (!row || !row->combine || !levels || row->combine(row, levels, &c, NULL) < 0)
        return row && row->ranks_differ;
    for (int i = 0; i < c.n; i++)
        if (c.part[i].alg->ranks_differ)
            return 1;
    return 0;
}

const struct algorithm *algorithm_find(const char *collective, const char *name)
{
    const struct collective *c = collective_find(collective);
    const char *levels = algorithm_levels(name);
    const size_t length = levels ? (size_t)(levels - name) - 1 : strlen(name);
    for (const struct algorithm *a = NULL; c && (a = collective_algorithm(c, a));)
        if (strlen(a->name) == length && memcmp(a->name, name, length) == 0)
            return levels && algorithm_takes(a, levels, NULL) < 0 ? NULL : a;
    return NULL;
}

const char *algorithm_usual(const char *collective, const char *pattern, size_t i,
                            char buf[MOST_NAME + 1])
{
    const size_t length = strlen(pattern), row = strcspn(pattern, ".");
    char name[MOST_NAME + 1];
    if (length < 2 || length > MOST_NAME || strcmp(pattern + length - 2, ".*") != 0)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)row, pattern);
    const struct algorithm *a = algorithm_find(collective, name);
    for (size_t k = 0; a && a->usual && a->usual[k]; k++)
        if (k == i) {
            snprintf(buf, MOST_NAME + 1, "%.*s%s", (int)length - 1, pattern, a->usual[k]);
            return algorithm_find(collective, buf) ? buf : NULL;
        }
    return NULL;
}

/* The list of a collective that a row stands in. */
static int list_of(const struct collective *c, const struct algorithm *row)
{
    for (int i = 0; c->rows[i]; i++)
        for (const struct algorithm *a = c->rows[i]; a->name; a++)
            if (a == row)
                return i;
    return -1;
}

const struct algorithm *collective_algorithm(const struct collective *c,
                                             const struct algorithm *before)
{
    if (before && before[1].name)
        return before + 1;
    return c->rows[before ? list_of(c, before) + 1 : 0];
}

const struct collective *algorithm_collective(const struct algorithm *row)
{
    const struct collective *c = collectives;
    if (row->collective)
        return collective_find(row->collective);
    while (c->name && list_of(c, row) < 0)
        c++;
    return c->name ? c : NULL;
}

const struct algorithm *algorithm_next(const struct algorithm *alg)
{
    const struct collective *c = alg ? algorithm_collective(alg) : collectives;
    const struct algorithm *next = collective_algorithm(c, alg);
    while (!next && (++c)->name)
        next = c->rows[0];
    return next;
}

static const struct collective_buffer *buffer_of(const struct collective *c, enum op_buffer buf)
{
    static const struct collective_buffer none = { AMOUNT_NONE, 0 };
    switch (buf) {
    case BUF_DATA:
        return &c->data;
    case BUF_SEND:
        return &c->send;
    case BUF_RECV:
        return &c->recv;
    default:
        return &none;
    }
}

int collective_buffer_blocks(const struct collective *c, enum op_buffer buf, int procs, int is_root)
{
    const struct collective_buffer *b = buffer_of(c, buf);
    if (b->amount == AMOUNT_NONE || (b->root_only && !is_root))
        return 0;
    return b->amount == AMOUNT_ONE ? 1 : procs;
}

uint64_t collective_buffer_bytes(const struct collective *c, enum op_buffer buf, int procs,
                                 uint64_t bytes, int is_root)
{
    return (uint64_t)collective_buffer_blocks(c, buf, procs, is_root) * bytes;
}

struct collective_place collective_place(const struct blocks *blocks, enum op_buffer buf, int rank,
                                         int i)
{
    switch (buf) {
    case BUF_SEND:
        return (struct collective_place){ blocks_given_at(blocks, rank, i),
                                          blocks_bytes(blocks, rank, i) };
    case BUF_RECV:
        return (struct collective_place){ blocks_got_at(blocks, i, rank),
                                          blocks_bytes(blocks, i, rank) };
    default:
        return (struct collective_place){ 0, blocks_bytes(blocks, rank, i) };
    }
}

static enum blocks_by told_apart_by(const struct collective *c)
{
    const int gives_each = c->send.amount == AMOUNT_EACH, gets_each = c->recv.amount == AMOUNT_EACH;
    if (gives_each)
        return gets_each ? BLOCKS_OF_BOTH : BLOCKS_OF_TAKER;
    return gets_each ? BLOCKS_OF_GIVER : BLOCKS_OF_NONE;
}

struct blocks collective_blocks(const struct collective *c, int procs, uint64_t bytes,
                                uint64_t element_bytes)
{
    return (struct blocks){ .procs = procs,
                            .by = told_apart_by(c),
                            .count = bytes / element_bytes,
                            .element_bytes = element_bytes };
}

int collective_gives(const struct collective *c, int procs)
{
    return c->send.amount == AMOUNT_EACH ? procs : 1;
}

static const struct collective_block nothing = { 0, -1, 0 };

struct collective_block collective_before(const struct collective *c, int root, int rank,
                                          enum op_buffer buf, int block)
{
    const int gives = buf == BUF_SEND || (buf == BUF_DATA && (!c->rooted || rank == root));
    return gives ? (struct collective_block){ rank, rank, block } : nothing;
}

struct collective_block collective_after(const struct collective *c, int procs, int root, int rank,
                                         enum op_buffer buf, int block)
{
    const int position = c->personal ? rank : 0;
    if (buf == BUF_SEND)
        return collective_before(c, root, rank, buf, block);
    if (buf == BUF_TEMP)
        return nothing;
    switch (c->source) {
    case FROM_ROOT:
        return (struct collective_block){ root, root, position };
    case FROM_EACH:
        return (struct collective_block){ block, block, position };
    case FROM_ALL:
        return (struct collective_block){ 0, procs - 1, position };
    case FROM_FIRST:
        return (struct collective_block){ 0, rank, position };
    case FROM_BEFORE:
        return (struct collective_block){ 0, rank - 1, position };
    default:
        return nothing;
    }
}
