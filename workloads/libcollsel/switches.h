/* SPDX-License-Identifier: BSD-3-Clause */
/* switches.h - which nodes of a launch share a switch, from each rank's batch variables. Pure. */
#pragma once

#include "harness/base/seat.h"

/* Of "SWITCH.SWITCH.NODE" (the highest first) a number for each switch, the lowest first; 0 behind
 * the last. */
void switches_above(const char *path, uint64_t above[SEAT_LEVELS]);

/* Fills seats->network by the switches above each rank (SEAT_LEVELS numbers by rank). Returns
 * its list of nodes, to be freed after the seats; NULL: not known, or not of all ranks. */
int *switches_seat(struct seating *seats, const uint64_t *above);
