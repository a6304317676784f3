/* SPDX-License-Identifier: BSD-3-Clause */
/* rollout.h - files that a site installs so that every job loads rules files: a module, lines
 * of Open MPI's file of parameters, exports, a task prolog of Slurm, and a job that tests them.
 *
 * All forms except parameters skip jobs with COLLSEL_TUNING=off in the environment, files
 * that are missing (MPICH would end a program at its start), and files whose settings a job
 * has made itself: what they have not set they never unset. Nothing here is run. */
#pragma once

#include "harness/rules/rules.h"

#define ROLLOUT_OPT_OUT "COLLSEL_TUNING"

/* A rules file at its final path, or its second file, with its ending. Borrowed. */
struct rollout_file {
    const struct rules_reader *reader;
    const char *path;
    const char *ending; /* reader->beside; NULL: it is the file itself */
    const char *text;   /* what is in it, for the test to compare */
    size_t len;
};

enum { ROLLOUT_FROM = 4, ROLLOUT_FILES = 2 * ROLLOUT_FROM };

struct rollout {
    struct rollout_file file[ROLLOUT_FILES];
    size_t n;
};

struct rollout_form {
    const char *name; /* "module" */
    const char *help; /* what it is, and where it goes */
    void (*write)(const struct rollout *r, FILE *out);
    int params; /* 1: only for libraries with a parameter file */
};

/* All, NULL-terminated; and one by its name, or NULL. */
extern const struct rollout_form *const rollout_forms[];
const struct rollout_form *rollout_form_find(const char *name);

/* The text of a form, to be freed. NULL with *err: two files of one reader's component, a table
 * that no library loads, a path that the form cannot say, or a library without such a form. */
char *rollout_make(const struct rollout_form *form, const struct rollout *r, struct err *err);

/* A setting that is to be said, of one of the files. */
struct rollout_setting {
    const struct rollout_file *file;
    const struct rules_load *load;
};

/* Passes the settings of a file to take, except a setting that
 * would disable the component of another of the files. */
void rollout_each(const struct rollout *r, const struct rollout_file *file,
                  void (*take)(const struct rollout_setting *s, FILE *out), FILE *out);

/* Writes a job that tests whether the files are installed and whether the library uses them. */
void rollout_write_test(const struct rollout *r, FILE *out);
