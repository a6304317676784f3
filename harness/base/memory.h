/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h - memory that is there. Where none is left the program says so and ends, here and
 * nowhere else: nobody who asks for some has to look at what came, or to pass on that none did. Of
 * an MPI job the launcher ends the other ranks when one of them ends so.
 *
 * All of it is the caller's, who frees it. */
#ifndef HARNESS_BASE_MEMORY_H
#define HARNESS_BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Room for n elements of so many bytes each, all zeros; of none at all some, too. */
void *memory_zeros(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/* The same block of another size; what it grows by is not set. */
void *memory_resize(void *old, size_t n, size_t size) __attribute__((returns_nonnull));

/* A copy of a text. */
char *memory_text(const char *text) __attribute__((malloc, returns_nonnull));

/* A text as printf, and as vprintf, prints it. */
char *memory_text_of(const char *fmt, ...)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));
char *memory_print(const char *fmt, va_list args)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 0)));

/* A stream into memory, as open_memstream; its text is there when it is closed. */
FILE *memory_stream(char **text, size_t *size) __attribute__((returns_nonnull));

/* Says that no memory is left and ends the program with EXIT_FAILED (err.h). */
void memory_ends(void) __attribute__((noreturn));

/* The same where more is asked for than the program can number; why: a line that says so. */
void memory_ends_as(const char *why) __attribute__((noreturn));

#endif
