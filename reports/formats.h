/* SPDX-License-Identifier: BSD-3-Clause */
/* formats.h - every file that has a schema (harness/base/schema.h), for those who go through all of
 * them: docs/formats.md, the tests and the fuzzer. */
#ifndef REPORTS_FORMATS_H
#define REPORTS_FORMATS_H

#include "harness/base/schema.h"

extern const struct schema *const formats[]; /* ended by NULL */

#endif
