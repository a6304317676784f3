/* SPDX-License-Identifier: BSD-3-Clause */
/* apart.h - messages of a pair match in the order in which they are sent, as MPI says; but under
 * SMPI those of few bytes match apart from the others. */
#ifndef WORKLOADS_APART_H
#define WORKLOADS_APART_H

/* Messages of fewer bytes than this match apart; 0: none do. */
int apart_bytes(void);

#endif
