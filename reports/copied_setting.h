/* SPDX-License-Identifier: BSD-3-Clause */
/* copied_setting.h - the setting of a cell that the page offers to copy:
 * the command line that forces its algorithm in the measured library. */
#pragma once

#include "analysis/advise/tuning.h"
#include "reports/page.h"

enum { SETTING_MARGIN_PCT = 3 }; /* what gains less over the default is not set */

/* Library and release of a reader in words, "Open MPI 4.1". Returns buf. */
const char *setting_library(const struct rules_reader *reader, char *buf, size_t size);

/* Adds the setting that forces a choice in a cell to the page, once. Returns
 * its number, from 1; 0: there is none (rules_setting), or no reader. */
size_t setting_number(struct page *page, const struct rules_reader *reader, const struct cell *cell,
                      const struct candidate *choice);

/* "--cluster NAME --study NAME --backend walk": the options of a command that reads these results,
 * as the shell takes them; files that are not where their names are looked for by their paths. To
 * be freed. */
char *setting_which(const struct report_data *data);

/* What there is to set of a library as measured as `mpi`, for ranks of a mapping: by *reader, the
 * reader of its release. 0, to be cleared; -1 with *err: none is known (*reader NULL), or nothing
 * can be decided. */
int setting_tuning(const struct report_data *data, const char *mpi, const char *mapping,
                   const struct rules_reader **reader, struct tuning *out, struct err *err);

/* The command that writes the file of rules of a library, as measured as `mpi`, for ranks of a
 * mapping. To be freed. */
char *setting_export(const struct report_data *data, const struct rules_reader *reader,
                     const char *mpi, const char *mapping);
