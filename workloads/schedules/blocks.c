/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.c - sizes whose sums are known beforehand: a size is the difference of two neighbouring
 * values of a function whose first and last values are fixed (random), or what is taken from a
 * block is given to another of the same row and of the same column (the others). */
#include "workloads/schedules/blocks.h"

const char *const block_sizes_words[N_SIZES + 1] = {
    [SIZES_EQUAL] = "equal",
    [SIZES_RANDOM] = "random",
    [SIZES_ZEROS] = "zeros",
    [SIZES_ONE_LARGE] = "one_large",
};

enum { SMALL_SHARE = 8 }; /* of the size: what all but one have of SIZES_ONE_LARGE */

uint64_t blocks_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A number that nothing tells beforehand. */
static uint64_t draw(const struct blocks *b, int i, int j)
{
    return blocks_mix(blocks_mix(b->seed + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15)) +
                      (uint64_t)j);
}

/* ---- random: the border after i blocks is where equal ones have it, and up to `most` elements
 * further; the first and the last border stay. ---- */

static uint64_t further(const struct blocks *b, int i, int j, uint64_t most)
{
    return i == 0 || i == b->procs || j == 0 || j == b->procs ? 0 : draw(b, i, j) % (most + 1);
}

/* A square: of row i the border before column j; of column j that before row i. Half as far, since
 * a size is made of two borders of either kind. */
static uint64_t random_in_row(const struct blocks *b, int i, int j)
{
    const uint64_t most = b->count / 2;
    return (uint64_t)j * b->count + further(b, i + 1, j, most) - further(b, i, j, most);
}

static uint64_t random_in_column(const struct blocks *b, int i, int j)
{
    const uint64_t most = b->count / 2;
    return (uint64_t)i * b->count + further(b, i, j + 1, most) - further(b, i, j, most);
}

/* ---- zeros: in each pair of blocks, or each square of two by two, one has all ---- */

static int is_paired(const struct blocks *b, int i)
{
    return (i | 1) < b->procs;
}

/* The size of block i of a pair that is told apart by `odd`. */
static uint64_t either(const struct blocks *b, int i, int odd)
{
    return (i ^ odd) & 1 ? 2 * b->count : 0;
}

static uint64_t zeros_line_size(const struct blocks *b, int i)
{
    return is_paired(b, i) ? either(b, i, draw(b, i / 2, -1) & 1) : b->count;
}

static uint64_t zeros_size(const struct blocks *b, int i, int j)
{
    const int whole = is_paired(b, i) && is_paired(b, j);
    return whole ? either(b, i ^ j, draw(b, i / 2, j / 2) & 1) : b->count;
}

/* ---- one large ---- */

static uint64_t small(const struct blocks *b)
{
    return b->count / SMALL_SHARE;
}

/* The border after i blocks of which the large one is `at`. */
static uint64_t large_border(const struct blocks *b, int i, int at)
{
    const uint64_t more = (uint64_t)b->procs * (b->count - small(b));
    return (uint64_t)i * small(b) + (i > at ? more : 0);
}

static int large_of_row(const struct blocks *b, int i)
{
    return (int)((b->seed % (uint64_t)b->procs + (uint64_t)i) % (uint64_t)b->procs);
}

static int large_of_column(const struct blocks *b, int j)
{
    const uint64_t procs = (uint64_t)b->procs;
    return (int)((procs - b->seed % procs + (uint64_t)j) % procs);
}

/* ---- listed: the borders of the line; or of each row, and then of each column ---- */

size_t blocks_listed(enum blocks_by by, int procs)
{
    return (size_t)procs * (by == BLOCKS_OF_BOTH ? (size_t)procs : 1);
}

size_t blocks_borders(enum blocks_by by, int procs)
{
    const size_t line = (size_t)procs + 1;
    return by == BLOCKS_OF_BOTH ? 2 * (size_t)procs * line : line;
}

/* The borders of procs sizes that stand `apart`; returns the last. */
static uint64_t list_line(int procs, const uint64_t *sizes, size_t apart, uint64_t *borders)
{
    borders[0] = 0;
    for (int i = 0; i < procs; i++)
        borders[i + 1] = borders[i] + sizes[(size_t)i * apart];
    return borders[procs];
}

uint64_t blocks_list(enum blocks_by by, int procs, const uint64_t *sizes, uint64_t *borders)
{
    const size_t n = (size_t)procs;
    uint64_t most = 0;
    if (by != BLOCKS_OF_BOTH)
        return list_line(procs, sizes, 1, borders);
    for (size_t i = 0; i < n; i++) {
        const uint64_t row = list_line(procs, sizes + i * n, 1, borders + i * (n + 1));
        const uint64_t column = list_line(procs, sizes + i, n, borders + (n + i) * (n + 1));
        most = row > most ? row : most;
        most = column > most ? column : most;
    }
    return most;
}

/* ---- borders, in elements ---- */

/* Of the one row of blocks that all ranks see alike. */
static uint64_t line_border(const struct blocks *b, int i)
{
    switch (b->sizes) {
    case SIZES_RANDOM:
        /* One row: border i. */
        return (uint64_t)i * b->count + further(b, i, -1, b->count);
    case SIZES_ZEROS:
        return i % 2 ? (uint64_t)(i - 1) * b->count + zeros_line_size(b, i - 1)
                     : (uint64_t)i * b->count;
    case SIZES_ONE_LARGE:
        return large_border(b, i, large_of_row(b, 0));
    case SIZES_LISTED:
        return b->borders[i];
    default:
        return (uint64_t)i * b->count;
    }
}

static uint64_t row_border(const struct blocks *b, int i, int j)
{
    switch (b->sizes) {
    case SIZES_RANDOM:
        return random_in_row(b, i, j);
    case SIZES_ZEROS:
        return j % 2 ? (uint64_t)(j - 1) * b->count + zeros_size(b, i, j - 1)
                     : (uint64_t)j * b->count;
    case SIZES_ONE_LARGE:
        return large_border(b, j, large_of_row(b, i));
    case SIZES_LISTED:
        return b->borders[(size_t)i * ((size_t)b->procs + 1) + (size_t)j];
    default:
        return (uint64_t)j * b->count;
    }
}

static uint64_t column_border(const struct blocks *b, int i, int j)
{
    switch (b->sizes) {
    case SIZES_RANDOM:
        return random_in_column(b, i, j);
    case SIZES_ZEROS:
        return i % 2 ? (uint64_t)(i - 1) * b->count + zeros_size(b, i - 1, j)
                     : (uint64_t)i * b->count;
    case SIZES_ONE_LARGE:
        return large_border(b, i, large_of_column(b, j));
    case SIZES_LISTED:
        return b->borders[((size_t)b->procs + (size_t)j) * ((size_t)b->procs + 1) + (size_t)i];
    default:
        return (uint64_t)i * b->count;
    }
}

/* ---- the interface ---- */

uint64_t blocks_given_at(const struct blocks *b, int from, int to)
{
    switch (b->by) {
    case BLOCKS_OF_TAKER:
        return line_border(b, to) * b->element_bytes;
    case BLOCKS_OF_BOTH:
        return row_border(b, from, to) * b->element_bytes;
    default:
        return 0;
    }
}

uint64_t blocks_got_at(const struct blocks *b, int from, int to)
{
    switch (b->by) {
    case BLOCKS_OF_GIVER:
        return line_border(b, from) * b->element_bytes;
    case BLOCKS_OF_BOTH:
        return column_border(b, from, to) * b->element_bytes;
    default:
        return 0;
    }
}

uint64_t blocks_bytes(const struct blocks *b, int from, int to)
{
    if (b->sizes != SIZES_EQUAL && b->by == BLOCKS_OF_GIVER)
        return blocks_got_at(b, from + 1, to) - blocks_got_at(b, from, to);
    if (b->sizes != SIZES_EQUAL && b->by != BLOCKS_OF_NONE)
        return blocks_given_at(b, from, to + 1) - blocks_given_at(b, from, to);
    return b->count * b->element_bytes;
}
