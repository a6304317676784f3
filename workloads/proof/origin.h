/* SPDX-License-Identifier: BSD-3-Clause */
/* origin.h - finds the file of a function: a preloaded library, or a tool's, can put its
 * own before the MPI library's. Not for the simulator, where all is one process. */
#pragma once

#include "harness/base/base.h"

/* The loaded file whose name begins with `beginning` ("libmpi.so"); "" in buf: none. */
void origin_file(const char *beginning, char *buf, size_t size);

/* Does this address lie in the loaded file whose name begins so? 1, or 0 with its own file in
 * where (of size bytes; "" when it lies in none). */
int origin_is(const void *address, const char *beginning, char *where, size_t size);

/* Checks that the function called by this name is in that file. 0, or -1 with *err naming both. */
int origin_check(const char *symbol, const char *beginning, struct err *err);
