/* SPDX-License-Identifier: BSD-3-Clause */
/* nap.h - what libraries that let ranks sleep share. */
#pragma once

#include <stdint.h>
#include <time.h>

/* In a row, since there was progress. */
static _Thread_local int naps;

static inline int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Short at first; from a few milliseconds on a millisecond. */
static inline void nap(void)
{
    const long most = 1000000, ns = naps < 16 ? 20000 : 20000L * (naps - 15);
    naps++;
    nanosleep(&(struct timespec){ .tv_nsec = ns < most ? ns : most }, NULL);
}
