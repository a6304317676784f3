/* SPDX-License-Identifier: BSD-3-Clause */
/* planted_noise.h - kinds of noise between launches whose truth is known, by which adaptive plans
 * are tried. What is drawn rests on the seed, the point and the launch alone. */
#pragma once

#include <math.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/rng.h"
#include "harness/study/point.h"

struct planted_noise {
    const char *name;
    double sd;        /* of the logarithm, normal */
    int student;      /* of so many degrees of freedom instead; 0: normal */
    double slow, by;  /* share of launches that are so many times slower */
    double fast;      /* share that are so many times faster */
    double drift;     /* each round is so much slower than the one before it, logarithm */
    double together;  /* sd of what all points of a number of processes share in a round */
    double two_faced; /* share of launches in which an algorithm is slower by its own factor */
    int beyond;       /* 1: an adaptive plan is known not to bear it: told, not judged */
};

static const struct planted_noise planted_noises[] = {
    { .name = "none" },
    { .name = "normal3", .sd = 0.03 },
    { .name = "normal10", .sd = 0.1 },
    { .name = "tenth2x", .sd = 0.03, .slow = 0.1, .by = 2 },
    { .name = "bimodal", .sd = 0.03, .two_faced = 0.3 },
    /* kept from choosing constants, not from making the rule */
    { .name = "lognormal30", .sd = 0.3 },
    { .name = "fifth1.5x", .sd = 0.02, .slow = 0.2, .by = 1.5 },
    { .name = "rare5x", .sd = 0.05, .slow = 0.03, .by = 5 },
    { .name = "rarefast", .sd = 0.03, .fast = 0.03, .by = 2 },
    { .name = "student2", .sd = 0.05, .student = 2 },
    { .name = "drift", .sd = 0.03, .drift = 0.03 },
    { .name = "together", .sd = 0.03, .together = 0.2 },
    /* not looked at before the rule was finished */
    { .name = "cauchy", .sd = 0.01, .student = 1 },
    { .name = "third4x", .sd = 0.05, .slow = 0.33, .by = 4 },
    { .name = "warming", .sd = 0.05, .drift = -0.05, .beyond = 1 },
};
static const size_t planted_noises_n = sizeof planted_noises / sizeof *planted_noises;

static inline uint64_t planted_hash(const char *text, uint64_t with)
{
    return fs_digest(text, strlen(text)) ^ with * 0x9e3779b97f4a7c15u;
}

/* What a launch of a point takes, times the truth. */
static inline double planted_noise_of(const struct planted_noise *k, const struct point *p,
                                      int round, uint64_t seed)
{
    struct rng own, shared, algorithm;
    char text[64];
    rng_init(&own, planted_hash(p->id, seed * 64 + (uint64_t)round));
    snprintf(text, sizeof text, "procs %d", p->cell.procs);
    rng_init(&shared, planted_hash(text, seed * 64 + (uint64_t)round));
    rng_init(&algorithm, planted_hash(p->candidate.algorithm, seed));
    double e = k->sd * rng_normal(&own);
    if (k->student) {
        double squares = 0;
        for (int i = 0; i < k->student; i++) {
            const double z = rng_normal(&own);
            squares += z * z / k->student;
        }
        e /= sqrt(squares);
    }
    const double u = rng_unit(&own), v = rng_unit(&own), factor = 1.1 + rng_unit(&algorithm);
    e += u < k->slow ? log(k->by) : u < k->slow + k->fast ? -log(k->by) : 0;
    e += v < k->two_faced ? log(factor) : 0;
    e = fmin(fmax(e, -3), 3); /* no launch is more than 20 times off */
    e += k->drift * (round - 1) + k->together * rng_normal(&shared);
    return exp(e);
}
