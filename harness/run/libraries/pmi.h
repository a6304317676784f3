/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi.h - by which of srun's interfaces ranks of an MPI job find each other: `srun --mpi=list` says
 * which there are, and sites and releases differ (pmix, pmix_v4, pmix_v5; none of them). */
#ifndef HARNESS_RUN_LIBRARIES_PMI_H
#define HARNESS_RUN_LIBRARIES_PMI_H

#include <stddef.h>

enum { PMI_NAME = 32, PMI_LIST = 160 };

/* Of what was listed, the name for a family ("pmix"): that, or its highest version; known: what is
 * listed, for people. 1; 0: the family is not among them, name is the family's; -1: the text is no
 * list, so that nothing is known, name as before, known "". */
int pmi_choose(const char *listed, const char *family, char name[PMI_NAME], char known[PMI_LIST]);

/* The same of the srun that is here; without one nothing is known. */
int pmi_ask(const char *family, char name[PMI_NAME], char known[PMI_LIST]);

#endif
