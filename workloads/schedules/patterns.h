/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns.h - the patterns (block_spread.h) that more than one collective is made of. */
#pragma once

#include "workloads/schedules/block_spread.h"

/* One step: a member sends its block to all others, to the next one first. */
extern const struct pattern pattern_simple;

/* procs - 1 steps: in step k a member sends its own block k + 1 places on. */
extern const struct pattern pattern_direct_ring;

/* procs - 1 steps: in step k it exchanges blocks with member v XOR (k + 1); 2^n members. */
extern const struct pattern pattern_pair;

/* procs - 1 steps: in step k it passes the block k places before it on to the next one. */
extern const struct pattern pattern_ring;

/* All ranks as a mesh of two or three dimensions (schedule.h), rows of consecutive ones: in each
 * dimension, the one of consecutive ranks first, all of a line send each other all they have. For
 * rows that need a number of ranks (struct algorithm, .needs). */
extern const struct pattern pattern_mesh_2d, pattern_mesh_3d;

/* A mesh of log2(procs) dimensions of two: recursive doubling; 2^n ranks. */
extern const struct pattern pattern_doubling;

/* The side of dimension k of a mesh, from 0; 1 behind the last one. */
int mesh_2d_side(const struct schedule *s, int k);
int mesh_3d_side(const struct schedule *s, int k);
int doubling_side(const struct schedule *s, int k);

/* Peer i of v on its line through a mesh (block_spread.h), where lines are of `side` members
 * `stride` apart. */
int mesh_peer(int v, int side, int stride, int i, int way);

/* Bruck's with any radix, the schedule's fan-out: in a step a member has n blocks, its own and
 * those of the next, and sends them to radix - 1 members, which then have radix x n. In place:
 * blocks are not turned, and what goes around the end takes two messages. */
extern const struct pattern pattern_bruck, pattern_bruck_in_place;

/* A mesh of any number of dimensions whose sides are the radix, the schedule's fan-out, the last
 * one maybe shorter: recursive multiplying (Ruefenacht, Bull & Booth, Generalisation of recursive
 * doubling for AllReduce, Parallel Computing 69, 2017). Radix 2: recursive doubling. */
extern const struct pattern pattern_multiplying;

/* The most members of such a mesh: radix^n, or twice, three times ... it below radix^(n + 1). They
 * are more than half of the ranks. */
int members_of_multiplying(const struct schedule *s);

/* As Bruck's, distances from the largest to 1 and blocks in place: it sends the blocks that are
 * multiples of twice the distance before it, each in a message of its own. */
extern const struct pattern pattern_sparbit;

/* The circulant graph of Traeff: as Bruck's of radix 2, but the numbers of blocks are procs halved
 * again and again, rounded up. */
extern const struct pattern pattern_circulant;
