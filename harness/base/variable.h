/* SPDX-License-Identifier: BSD-3-Clause */
/* variable.h - environment variables that change what an MPI library or the simulator does, and
 * parameters of Open MPI's files, which have the same names without "OMPI_MCA_". One table of
 * patterns; the harness cleans the environment of a launch by it, the measuring program checks by
 * it what has come through. Pure: reads no environment. */
#pragma once

#include "harness/base/base.h"

enum variable_kind {
    VARIABLE_HARMLESS, /* does not change times of calls: start of jobs, output */
    VARIABLE_TUNES,    /* transports, buffers, paths: kept, and part of what identifies a launch */
    VARIABLE_SELECTS,  /* algorithms, components, functions: would be mistaken for the default */
};

struct variable_rule {
    const char *pattern; /* of fnmatch(3) */
    enum variable_kind kind;
    const char *of;  /* affected libraries, separated by blanks: "openmpi mpich" */
    const char *why; /* what it does, as the end of a sentence: "it ..." */
    int ours;        /* every launch sets it itself, so that another value has no effect */
    int of_place;    /* differs from node to node without harm: paths, modules */
    int elsewhere;   /* may start ranks on other machines: removed from local measurements */
};

/* The rule of a variable for a library ("openmpi"), NULL if it has no effect there. MPICH
 * reads each MPIR_CVAR_X also as MPIR_PARAM_X and MPICH_X: these have that one's rule. */
const struct variable_rule *variable_rule_of(const char *name, const char *library);

/* 1: with this value the variable is harmless. It disables components hcoll or
 * ucc, which counts as tuning, or makes Hydra start its ranks on this machine. */
int variable_value_passes(const char *name, const char *value);

/* The rule of a parameter of Open MPI, without prefix, as in its files. */
const struct variable_rule *variable_rule_of_parameter(const char *name);

/* What variable_each calls for each variable; to: as it was given there. */
typedef void variable_visit(const char *name, const char *value, void *to);

/* Visits the environment in order; skips names of 256 bytes and more. */
void variable_each(variable_visit *visit, void *to);
