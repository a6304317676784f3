/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/bare_cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/number.h"
#include "harness/base/text.h"

enum { MOST = 1000000 };

/* The numbers of "13x2x21"; how many, 0: it is no such text. */
static int read_numbers(const char *text, int number[3])
{
    char copy[64], *rest, *word;
    int n = 0;
    uint64_t v;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return 0;
    for (rest = copy; (word = strsep(&rest, "x")) != NULL; number[n++] = (int)v)
        if (n == 3 || parse_u64(word, &v, NULL) < 0 || v < 1 || v > MOST)
            return 0;
    return n == 1 ? 0 : n;
}

/* By the reader of cluster files, so that what follows from these facts does here, too. */
static int load(const char *name, const int number[3], int n, struct cluster *c, struct err *err)
{
    char path[64];
    const int fd = memfd_create("collsel", MFD_CLOEXEC);
    if (fd < 0)
        return err_errno(err, "--machine");
    int status = dprintf(fd, "[cluster]\nname = %s\nnodes = %d\nsockets = %d\ncores = %d\n", name,
                         number[0], n == 3 ? number[1] : 1, number[n - 1]) < 0
                     ? err_errno(err, "--machine")
                     : 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (status == 0)
        status = cluster_load("", path, c, err);
    close(fd);
    return status;
}

int import_machine(const char *name, const char *text, struct cluster *cluster, struct err *err)
{
    int number[3];
    const int n = read_numbers(text, number);
    if (!n)
        return err_usage(err,
                         "--machine: '%.40s' says no machine (want NODESxCORES or "
                         "NODESxSOCKETSxCORES, as 13x2x21)",
                         text);
    if (!text_is_name(name))
        return err_usage(err, "--cluster: '%.60s' is not a name (%s)", name, TEXT_WANT_NAME);
    if (load(name, number, n, cluster, err) < 0)
        return -1;
    snprintf(cluster->path, sizeof cluster->path, "--machine %s", text);
    return 0;
}
