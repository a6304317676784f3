/* SPDX-License-Identifier: BSD-3-Clause */
#define WITH_CALL
#include "tests/fake/hidden.h"
