/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_line.h - another clock as a linear function of the local clock.
 *
 * Two clocks differ by an offset that changes slowly. A ping-pong gives the offset to within
 * half of its round trip. Of several, the one with the shortest round trip is kept, since
 * delays lengthen it. Visits over time give a line: offset and drift. Pure arithmetic, no MPI.
 * After Hunold and Carpen-Amarie (2018), "Hierarchical clock synchronization in MPI". */
#pragma once

enum { CLOCK_VISITS = 32 }; /* the last ones are kept */

/* Result of a visit: at local time local_s the other clock showed local_s + offset_s. */
struct clock_visit {
    double local_s, offset_s, rtt_s;
};

struct clock_line {
    struct clock_visit visits[CLOCK_VISITS]; /* a ring */
    int n, next;
    double at_s, offset_s, drift; /* other = local + offset + drift (local - at) */
    double residual_s;            /* largest distance of a visit from the line */
};

/* The visit of one ping-pong: sent_s, received_s by the local clock; other_s by the other one. */
struct clock_visit clock_visit_of(double sent_s, double other_s, double received_s);

/* Adds a visit, in place of the oldest where there are many, and fits the line anew: least squares,
 * each visit by the inverse of its round trip; below three visits or a tenth of a second no drift.
 */
void clock_line_add(struct clock_line *line, const struct clock_visit *visit);

/* The other clock's time at a local time, and back. Without visits both are the same. */
double clock_line_other(const struct clock_line *line, double local_s);
double clock_line_local(const struct clock_line *line, double other_s);
