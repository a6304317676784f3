/* SPDX-License-Identifier: BSD-3-Clause */
/* row_status.h - status of a row of an imported file (imported.csv, docs/formats.md). */
#ifndef HARNESS_STUDY_ROW_STATUS_H
#define HARNESS_STUDY_ROW_STATUS_H

enum row_status { ROW_OK, ROW_REPEATED, ROW_SET_ASIDE, N_ROW_STATUS };

/* "ok", "repeated", "set_aside", ended by NULL. */
extern const char *const row_status_words[];

#endif
