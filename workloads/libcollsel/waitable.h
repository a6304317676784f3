/* SPDX-License-Identifier: BSD-3-Clause */
/* waitable.h - children of the application that have ended or stopped and were not collected. */
#ifndef WORKLOADS_LIBCOLLSEL_WAITABLE_H
#define WORKLOADS_LIBCOLLSEL_WAITABLE_H

#include <stddef.h>
#include <sys/types.h>

/* A child that waits to be collected. `code`: its state (CLD_EXITED, CLD_STOPPED, ...). */
struct waitable_child {
    pid_t pid;
    int code;
};

struct waitable {
    struct waitable_child *v;
    size_t n;
};

/* Collects nothing. The children are looked for in /proc; without it one is known at most. `stops`
 * 1: those that stopped or went on count, too. To be given to waitable_free. */
struct waitable waitable_now(int stops);

/* 1 when `now` has a child that `before` lacks. */
int waitable_more(const struct waitable *before, const struct waitable *now);

/* Frees what it holds. */
void waitable_free(struct waitable *w);

#endif
