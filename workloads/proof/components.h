/* SPDX-License-Identifier: BSD-3-Clause */
/* components.h - Open MPI's components and parameters as they are in effect in this process. */
#pragma once

#include "harness/base/base.h"
#include "workloads/measure/launch_facts.h"

/* -1 with *err: a parameter that selects algorithms or components differs from
 * its default and was not set by us or exported by the launcher (with its
 * file, if any), or a component was loaded from outside of the library. */
int components_check(const struct launch_facts *facts, struct err *err);

/* Lines "# in_effect: ...": parameters that are not at their default, with the file that they come
 * from, and the components that carry messages or collectives: those that are loaded, and those
 * inside of the library that it did not leave out or close. */
void components_print(FILE *out);
