/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.h - what the environment tells the library: the variables COLLSEL_... Pure. */
#ifndef WORKLOADS_LIBCOLLSEL_SETTINGS_H
#define WORKLOADS_LIBCOLLSEL_SETTINGS_H

#include "harness/base/err.h"

enum libcollsel_mode {
    LIBCOLLSEL_TRACE, /* records what is called; changes nothing */
    LIBCOLLSEL_OFF,   /* does nothing */
    N_LIBCOLLSEL_MODES
};

/* "trace", "off"; ends with NULL. */
extern const char *const libcollsel_mode_words[];

struct libcollsel_settings {
    enum libcollsel_mode mode;
    const char *report; /* path of the JSON; NULL: the summary is printed alone. Borrowed */
};

/* Reads the variables out of an environment ("NAME=VALUE", ends with NULL). -1 with *err naming the
 * variable: it has no such value, or begins with COLLSEL_ and is none that the library knows. */
int libcollsel_settings_read(struct libcollsel_settings *settings, char *const *environment,
                             struct err *err);

#endif
