/* SPDX-License-Identifier: BSD-3-Clause */
/* app.h - common part of the application proxies: options, results, the time of their steps.
 *
 * They are programs of MPI that know nothing of collsel (ci/apps builds them for each MPI and runs
 * them with and without libcollsel). On standard output rank 0 writes one line for each result,
 *
 *     result NAME VALUE
 *
 * where a value is a number, or the 16 digits of a digest, and "time_s SECONDS" for the steps
 * alone, without starting, filling and checking. Status 0 means that the check of the program's own
 * held, 1 that it did not, 2 that the command line was wrong. */
#pragma once

#include <stddef.h>

/* An option "--name NUMBER", from `least` to `most`. The last row of a table has no name. */
struct app_option {
    const char *name;
    long *value, least, most;
    const char *help;
};

/* Starts MPI and reads the options; where one is wrong, says so on rank 0 and ends with status 2.
 */
void app_begin(int argc, char **argv, const struct app_option *options);

/* This rank's number, from 0, and how many ranks there are: in MPI_COMM_WORLD. */
int app_rank(void);
int app_procs(void);

/* Zeroed memory, never NULL: where there is none, the application is aborted. */
void *app_memory(size_t count, size_t size);

/* A number in [0, 1) that depends on n alone. */
double app_random(unsigned long n);

/* Between these two, the time of the steps: the slowest rank's, printed. */
void app_steps_begin(void);
void app_steps_end(void);

/* The sum of all ranks' values. */
void app_result_sum(const char *name, double value);
/* Digest of all ranks' bytes, in rank order: equal in two runs only if every bit is equal. */
void app_result_digest(const char *name, const void *bytes, size_t n);

/* Ends MPI; the status of main: 1 where a rank's own check failed, which rank 0 then says. */
int app_end(int failed, const char *check);
