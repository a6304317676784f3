/* SPDX-License-Identifier: BSD-3-Clause */
/* dir.h - a directory for a test that writes files, gone afterwards. */
#pragma once

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

/* Makes one below TMPDIR; NULL when that cannot be. */
static char *dir_make(char *buf, size_t size)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(buf, size, "%s/collsel-test-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(buf);
}

static int dir_remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st;
    (void)type;
    (void)where;
    return remove(path);
}

static void dir_remove(const char *dir)
{
    nftw(dir, dir_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
