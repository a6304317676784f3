/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h - memory allocation that never fails: without memory the program prints
 * an error and ends, here and nowhere else. So callers need not check results or
 * pass errors on. In an MPI job the launcher then ends the other ranks.
 *
 * All of it is the caller's, who frees it. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Memory for n elements of `size` bytes, all zeros; also valid for n = 0. */
void *memory_zeros(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/* Resizes a block; new memory is uninitialised. */
void *memory_resize(void *old, size_t n, size_t size) __attribute__((returns_nonnull));

/* Frees each of its arguments, in their order; NULL is none. Each is evaluated once, before the
 * first is freed. */
#define memory_free(...) memory_free_each((void *[]){ __VA_ARGS__, memory_last })
extern char memory_last[]; /* ends the list */

/* Frees the pointers of a list that ends with memory_last. */
void memory_free_each(void **first);

/* Defines the function that frees members of a struct and leaves it all zeros:
 * CLEARS(row_clear, row, it->name, it->value) */
#define CLEARS(function, type, ...)                                                                \
    void function(struct type *it)                                                                 \
    {                                                                                              \
        memory_free(__VA_ARGS__);                                                                  \
        *it = (struct type){ 0 };                                                                  \
    }

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

/* The same for a request beyond the program's limits; why: a line with the cause. */
void memory_ends_as(const char *why) __attribute__((noreturn));
