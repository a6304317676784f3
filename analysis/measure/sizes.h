/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.h - classes of message sizes for tables of errors and advice. */
#pragma once

#include <stdint.h>

enum size_class {
    SIZE_TO_512,    /* <= 512 B */
    SIZE_TO_16K,    /* <= 16 KiB */
    SIZE_TO_128K,   /* <= 128 KiB */
    SIZE_FROM_256K, /* above */
    SIZE_ALL,       /* any; those before it are the classes proper */
    N_SIZE_CLASSES
};

/* As files have it: "to_512", "1K-16K", "32K-128K", "from_256K", "all". */
extern const char *const size_class_words[]; /* ended by NULL */

/* The class of a message of so many bytes; never SIZE_ALL. */
enum size_class size_class_of(uint64_t bytes);
