/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fake/hidden.h"
