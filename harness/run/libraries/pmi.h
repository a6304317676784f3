/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi.h - the interface of srun by which ranks of an MPI job connect. `srun --mpi=list` lists
 * the available ones, which differ between sites and releases (pmix, pmix_v4, pmix_v5; none). */
#pragma once

#include "harness/base/base.h"

enum { PMI_NAME = 32, PMI_LIST = 160 };

/* Finds the name of a family ("pmix") in the list: the name itself, or its highest
 * version. known: the listed names, for people. 1; 0: the family is missing, name
 * is the family's; -1: the text is no list, name as before, known "". */
int pmi_choose(const char *listed, const char *family, char name[PMI_NAME], char known[PMI_LIST]);

/* The same of the srun that is here; without one nothing is known. */
int pmi_ask(const char *family, char name[PMI_NAME], char known[PMI_LIST]);
