/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.h - what the page offers to copy of a cell: the command line that forces its algorithm in
 * the words of the library that was measured. */
#ifndef REPORTS_SETTING_H
#define REPORTS_SETTING_H

#include "analysis/measure/facts.h"
#include "harness/rules/rules.h"
#include "reports/page.h"

/* The reader of the release whose times these are; of a simulation the one that its default is of.
 * NULL: nobody here knows the files of that library, or the release is not known. */
const struct rules_reader *setting_reader(const struct facts *facts, const char *mpi);

/* The setting that forces a choice in a cell goes to the page, once. Returns its number, from 1;
 * 0: there is none (rules_setting), or no reader. */
size_t setting_number(struct page *page, const struct rules_reader *reader, const struct cell *cell,
                      const struct candidate *choice);

#endif
