/* SPDX-License-Identifier: BSD-3-Clause */
/* err.h - an error is a value that collects context from its callers.
 *
 * The lowest level sets the cause (err_set), each caller adds the place (err_prefix), the command
 * prints once. Nothing here allocates, prints or exits. A message that does not fit ends in "...".
 * Every function accepts err == NULL and then only returns its value.
 *
 * Wording: subject in 'quotes', what was found and what was expected, lower case, no full stop. */
#pragma once

#include <stdarg.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct err {
    int status; /* exit status that fits: EXIT_FAILED or EXIT_USAGE; 0 when no error is held */
    char text[512];
};

/* Replace the message; the work failed (status 1). Always returns -1. */
int err_set(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Replace the message; what the user gave is wrong (status 2). Always returns -1. */
int err_usage(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Put "<formatted>: " before the message already held; the status stays. Always returns -1. */
int err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts `to` wherever the message has `from`: the file's own name for a temporary one. Always
 * returns -1. */
int err_replace(struct err *err, const char *from, const char *to);

/* As err_set with strerror(errno) appended as ": <reason>"; errno is kept. Always returns -1. */
int err_errno(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
