/* SPDX-License-Identifier: BSD-3-Clause */
/* smpi_matching.h - messages of a pair match in the order in which they are sent, as MPI says; but
 * under SMPI those of few bytes match apart from the others. And SMPI from SimGrid 4.0 on charges
 * no cost for a message of no bytes. */
#pragma once

/* Messages of fewer bytes than this match apart; 0: none do. */
int smpi_matching_bytes(void);

/* A message of no bytes is sent as one of so many, in every release of SimGrid; 0: as it is. */
int smpi_matching_empty_bytes(void);
