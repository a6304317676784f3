/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.h - sizes and offsets of the blocks that ranks exchange.
 *
 * In most collectives all blocks are of the size of the message. In those whose call names a size
 * for each (allgatherv, alltoallv, reduce_scatter) they may differ: in one of the ways below, as a
 * pure function of a seed. Nothing is stored: a size and a place cost as much for the last block as
 * for the first.
 *
 * The sizes of each row of blocks in a buffer, from first to last rank, add up to procs x bytes,
 * whatever the way, so that all ways move as much as equal blocks do, and buffers are as large.
 * Sizes that are listed are the exception: there the procs x bytes are no fewer than any row has.
 */
#pragma once

#include "harness/base/base.h"

enum block_sizes {
    SIZES_EQUAL,     /* as benchmarks call them */
    SIZES_RANDOM,    /* between none and twice the size */
    SIZES_ZEROS,     /* of two neighbours one has nothing and the other twice the size */
    SIZES_ONE_LARGE, /* one has all but an eighth of the size, which each other has */
    N_SIZES,
    SIZES_LISTED = N_SIZES /* from a list (blocks_list), with any sum */
};

/* "equal", "random", "zeros", "one_large"; ends with NULL. */
extern const char *const block_sizes_words[];

/* Ranks that a block's size depends on. */
enum blocks_by {
    BLOCKS_OF_NONE,  /* each rank gives one block and gets one */
    BLOCKS_OF_GIVER, /* gives one, gets one of each: an allgather */
    BLOCKS_OF_TAKER, /* gives one to each, gets one: a scatter, a reduce-scatter */
    BLOCKS_OF_BOTH,  /* gives one to each, gets one of each: an all-to-all */
};

struct blocks {
    int procs;
    enum blocks_by by;
    enum block_sizes sizes;
    uint64_t count, element_bytes; /* elements of a block of equal ones; bytes of an element */
    uint64_t seed;
    const uint64_t *borders; /* of SIZES_LISTED, as blocks_list makes them; not owned */
};

/* How many sizes a list has: procs; of blocks that are told apart by both, procs x procs, those
 * that rank 0 gives first. And how many borders are made of them. */
size_t blocks_listed(enum blocks_by by, int procs);
size_t blocks_borders(enum blocks_by by, int procs);

/* SplitMix64 (Steele, Lea & Flood 2014): scatters the bits of a number. */
uint64_t blocks_mix(uint64_t z);

/* Makes borders, in elements, of a list of sizes in elements. Returns the elements of the largest
 * row of blocks that a buffer holds. */
uint64_t blocks_list(enum blocks_by by, int procs, const uint64_t *sizes, uint64_t *borders);

/* Bytes of the block that goes from a rank to a rank. */
uint64_t blocks_bytes(const struct blocks *b, int from, int to);

/* Where it stands, in bytes: among those that `from` gives, by the rank that gets it (to may be
 * procs: the end of the last); and among those that `to` gets, by the rank that gives it (from may
 * be procs). 0 where there is but one. */
uint64_t blocks_given_at(const struct blocks *b, int from, int to);
uint64_t blocks_got_at(const struct blocks *b, int from, int to);
