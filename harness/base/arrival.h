/* SPDX-License-Identifier: BSD-3-Clause */
/* arrival.h - arrival of ranks at a call: together, or with a pattern of delays.
 *
 * A pattern has a name, which is part of the cell that it is measured in (harness/study/point.h):
 * "" together, "skew:0.0001", "late:0.0001" (the largest delay, s), "trace:1a2b3c4d" (digest of a
 * file of delays, so that another file is another pattern). */
#pragma once

#include "harness/base/schema.h"

enum { ARRIVAL_SIZE = 32, TRACE_DIGEST_SIZE = 9 };

/* skew: delays grow evenly from 0 on rank 0 to the largest on the last rank; late: the last rank
 * alone. */
enum arrival_kind { ARRIVAL_TOGETHER, ARRIVAL_SKEW, ARRIVAL_LATE, ARRIVAL_TRACE };

struct arrival {
    enum arrival_kind kind;
    double most_s;                  /* skew, late: the largest delay */
    char digest[TRACE_DIGEST_SIZE]; /* trace */
};

/* Parses a pattern's name. 0, or -1 with *err. */
int arrival_parse(const char *name, struct arrival *arrival, struct err *err);

/* Converts a skew or late rank as written in a study, "skew:100us" or "late:0.1ms", to a
 * name. 0, or -1 with *err: neither, or an invalid delay (valid: above 0, up to an hour). */
int arrival_resolve(const char *word, char name[ARRIVAL_SIZE], struct err *err);

/* Delay of a rank in seconds, among procs ranks; for a trace: its own delays (NULL: 0). */
double arrival_delay(const struct arrival *arrival, const double *trace, int rank, int procs);

/* For people: "together", "evenly over 100 us", "the last rank 100 us late", "trace 1a2b3c4d".
 * Returns buf. */
const char *arrival_text(const char *name, char *buf, size_t size);

extern const struct schema arrival_schema; /* a file of delays */

struct arrival_trace {
    double *delay_s; /* of each rank */
    int ranks;
    char digest[TRACE_DIGEST_SIZE]; /* of the file's bytes */
};

/* Reads a file of delays: one row per rank, from 0 on. 0, or -1 with *err and nothing to clear. */
int arrival_trace_read(const char *path, struct arrival_trace *trace, struct err *err);
void arrival_trace_clear(struct arrival_trace *trace);
