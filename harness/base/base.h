/* SPDX-License-Identifier: BSD-3-Clause */
/* base.h - what nearly every file of ours uses: standard C, memory, arrays, numbers, texts, errors
 * and files. Beside it a file includes what else it needs: of POSIX, of libraries, of ours. */
#pragma once

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/fs.h"
#include "harness/base/memory.h"
#include "harness/base/number.h"
#include "harness/base/text.h"
