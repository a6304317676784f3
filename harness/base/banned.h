/* SPDX-License-Identifier: BSD-3-Clause */
/* banned.h - turns functions that lose length, status or thread safety into compile errors.
 * Forced into every translation unit of ours by the Makefile (-include); the system headers that
 * declare the names are read first, so that only our uses are poisoned. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi atol atof rand srand system          \
    localtime gmtime gets
