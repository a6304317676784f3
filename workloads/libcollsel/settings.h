/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.h - settings from environment variables COLLSEL_... Pure. */
#pragma once

#include "workloads/libcollsel/repository.h"

enum libcollsel_mode {
    LIBCOLLSEL_TRACE, /* records what is called; changes nothing */
    LIBCOLLSEL_OFF,   /* does nothing */
    LIBCOLLSEL_TABLE, /* runs the choices of a table */
    LIBCOLLSEL_STAR,  /* tries candidates, and takes the fastest */
    LIBCOLLSEL_MODEL, /* runs the choices of a trained model per communicator */
    N_LIBCOLLSEL_MODES
};

/* "trace", "off", "table", "star", "model"; ends with NULL. */
extern const char *const libcollsel_mode_words[];

struct libcollsel_settings {
    enum libcollsel_mode mode;
    const char *report;   /* path of the JSON; NULL: the summary is printed alone. Borrowed */
    const char *timeline; /* path of the calls one by one; NULL: not wanted. Borrowed */
    const char *table;    /* path; NULL: not set. For star: the candidates. Borrowed */

    /* of model, and of star: paths, borrowed (trained_model.h) */
    const char *model;   /* NULL: not set; excludes a table */
    const char *program; /* program that evaluates it, and reads rules files; with a model */
    const char *machine; /* cluster file of the machine; NULL: not set */

    /* of star */
    enum repository_kind repository;
    enum star_judge judge; /* default: the paper's with the paper's repository, else ours */
    int groups;            /* candidates in groups */
    int cost;              /* of the judge sure: the share that trials may cost, in millionths */
    const char *learnt;    /* path of what runs before have learnt, and this one will; borrowed */
    int sites;             /* 1: call sites distinguish kinds of calls */
    int sizes;             /* sizes to tune per collective, operation and communicator */
};

/* Reads a share in percent, "2%", 0.1 to 50. 0, or -1: it is none. */
int libcollsel_cost(const char *text, uint64_t *millionths);

/* Reads the variables out of an environment ("NAME=VALUE", ends with NULL). -1 with *err naming the
 * variable: it has no such value, is not read in the mode, or is none that the library knows. */
int libcollsel_settings_read(struct libcollsel_settings *settings, char *const *environment,
                             struct err *err);
