/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h - a place of the application that calls, by a name and by a number that are the same in
 * every rank of one program, wherever it lies in memory. */
#ifndef WORKLOADS_LIBCOLLSEL_SITE_H
#define WORKLOADS_LIBCOLLSEL_SITE_H

#include <stdint.h>

enum { SITE_NAME = 64 };

/* "setup+0x1d (lmp)": into the function where its name is known; else "lmp+0x82d1", into the file:
 * the end of the call, as `addr2line -e lmp` takes it. "?": nobody knows. */
void site_name(const void *site, char text[SITE_NAME]);

/* Made of the file's name and the distance into it. */
uint64_t site_number(const void *site);

#endif
