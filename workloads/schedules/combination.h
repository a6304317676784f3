/* SPDX-License-Identifier: BSD-3-Clause */
/* combination.h - what an algorithm that is made of others consists of (two_level.h). */
#pragma once

#include "workloads/schedules/levels.h"

struct algorithm;

enum { MOST_COMBINED = 3, MOST_PARTS = 2 * MOST_COMBINED - 1, MOST_NAME = 54 };

/* What goes through a part. */
enum combined_role {
    ROLE_MESSAGE, /* the call's message, or a segment of it */
    ROLE_GATHER,  /* blocks of groups, to their leader */
    ROLE_ACROSS,  /* blocks of groups, between the leaders at the top */
    ROLE_SCATTER, /* blocks of groups, from their leader */
    ROLE_ALL,     /* the blocks of all ranks */
};

/* One algorithm among one level's teams. */
struct combined_part {
    const struct algorithm *alg;
    int fanout; /* 0: its own */
    uint64_t segment_bytes;
    int team; /* between chain[team] and chain[team + 1] */
    int lane; /* 0: up or across, or down alone; 1: down, after these */
    enum combined_role role;
    int rises; /* what it reads is what the ranks give, or what the part before made */
};

struct combination {
    const char *text; /* as named, behind the row's name; NULL: none. Borrowed */
    int levels;
    enum level chain[MOST_COMBINED + 1];
    int n;
    struct combined_part part[MOST_PARTS];
};
