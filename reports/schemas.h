/* SPDX-License-Identifier: BSD-3-Clause */
/* schemas.h - every file that has a schema (harness/base/schema.h), for those who go through all of
 * them: docs/formats.md, the tests and the fuzzer. */
#pragma once

#include "harness/base/schema.h"

extern const struct schema *const formats[]; /* ended by NULL */
