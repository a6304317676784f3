/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h - a call site of the application, with a name and a number
 * that are equal in all ranks of one program, wherever it is loaded. */
#pragma once

#include <stdint.h>

enum { SITE_NAME = 64 };

/* The name: "setup+0x1d (lmp)", the distance into the function, where its name is known; else
 * "lmp+0x82d1", the distance into the file, as `addr2line -e lmp` takes it; "?" where no file is
 * known. It is the address to which the call returns. */
void site_name(const void *site, char text[SITE_NAME]);

/* The number: a digest of the file's name and the distance into it. */
uint64_t site_number(const void *site);
