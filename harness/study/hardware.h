/* SPDX-License-Identifier: BSD-3-Clause */
/* hardware.h - numbers of sockets, cores, threads, caches and memories of a machine:
 * by hwloc if built with it, else from /sys and /proc of Linux. Owns nothing. */
#pragma once

#include "harness/base/base.h"

/* Counts of the whole machine; 0: not seen. */
struct hardware {
    int sockets, cores, threads;
    int caches;         /* of the third level */
    double cache_bytes; /* of one of them */
    int memories;       /* NUMA domains that have processors */
    char cpu[128];      /* the model's name; "": not known */
    const char *source; /* "hwloc", or "/sys" */
};

/* This machine. 0, or -1 with *err. */
int hardware_read(struct hardware *out, struct err *err);

/* As the files below root/sys and root/proc have it ("": this machine). 0, or -1 with *err where
 * they tell of no processor. */
int hardware_from_sys(const char *root, struct hardware *out, struct err *err);
