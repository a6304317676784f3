/* SPDX-License-Identifier: BSD-3-Clause */
/* fs.h - files written atomically, and helpers for paths.
 *
 * Functions return 0, or -1 with *err naming the path and the reason. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "harness/base/err.h"

enum { PATH_SIZE = 4096 };

/* A file that appears under its name only when complete: written to
 * "<path>.<process>-N.tmp", a unique name, then synced and renamed by fs_commit,
 * or removed by fs_abandon. Temporary files of a killed process do no harm. */
struct whole_file {
    FILE *file;
    char path[PATH_SIZE], tmp[PATH_SIZE + 32];
};

/* Creates the temporary file (and its directory). */
int fs_begin(struct whole_file *f, const char *path, struct err *err);

/* Flushes, syncs and renames; on failure (full disk) the temporary file is removed. */
int fs_commit(struct whole_file *f, struct err *err);

/* Removes the temporary file; fine after a failed fs_begin. */
void fs_abandon(struct whole_file *f);

/* Writes a whole text file atomically. */
int fs_write(const char *path, const char *text, struct err *err);

/* 0 where a file may be renamed to the path; -1 with *err where a device, pipe or socket stands
 * there, which that would remove. */
int fs_replaceable(const char *path, struct err *err);

/* mkdir -p. */
int fs_mkdirs(const char *path, struct err *err);

/* rm -rf: removes a file, or a directory with what is in it; what is not there is fine. */
int fs_remove_tree(const char *path, struct err *err);

/* Formats a path; one that does not fit is an error. */
int fs_path(char *buf, size_t size, struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The whole content, NUL-terminated, to be freed; NULL with *err set, also of a device that gives
 * more than 64 MiB. *len may be NULL. */
char *fs_read(const char *path, size_t *len, struct err *err);

/* The same of a file of so many bytes at most: a larger one is an error. */
char *fs_read_within(const char *path, size_t most, size_t *len, struct err *err);

/* Opens a file for reading. 1 and *file, to be closed; 0: no file of that path; -1 with *err: it
 * cannot be opened, or is a named pipe, where opening would block. */
int fs_open(const char *path, FILE **file, struct err *err);

/* The same for a file that must exist: 1, or -1 with *err. */
int fs_open_existing(const char *path, FILE **file, struct err *err);

/* 1 unless the path does not exist. Also 1 if that is unknown (no
 * permission, a broken disk): opening it then gives the reason. */
int fs_exists(const char *path);

/* 1 when both paths exist and are the same file. */
int fs_same(const char *a, const char *b);

/* 1 when the file can be opened and read, 0 when there is none of that path, -1 with *err when
 * that is unknown or it cannot be read: no permission, a broken disk, a directory. */
int fs_readable(const char *path, struct err *err);

/* FNV-1a, 64 bits, of a block: identities of points and digests of small files (not security). */
uint64_t fs_digest(const void *data, size_t len);
