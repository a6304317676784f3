/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/in_effect.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/study/store.h"

static int count_file(const char *path, const char *what, const char *value,
                      struct in_effect_count *count, struct err *err)
{
    static const char mark[] = "# in_effect: ";
    const size_t n = strlen(mark), of = strlen(what);
    char *line = NULL;
    size_t room = 0;
    FILE *f;
    const int there = fs_open(path, &f, err);
    if (there <= 0)
        return there;
    count->files++;
    while (getline(&line, &room, f) > 0 && *line == '#') {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, mark, n) != 0 || strncmp(line + n, what, of) != 0 || line[n + of] != '=')
            continue;
        const int same = strcmp(line + n + of + 1, value) == 0;
        count->same += (size_t)same;
        count->other += (size_t)!same;
    }
    const int status = ferror(f) ? err_errno(err, "cannot read '%s'", path) : 0;
    free(line);
    fclose(f);
    return status;
}

int in_effect_count(const char *dir, const char *mpi, const char *what, const char *value,
                    struct in_effect_count *count, struct err *err)
{
    char path[PATH_SIZE], file[PATH_SIZE], digest[16];
    struct launch launch;
    struct dirent *e;
    int attempt, status = 0;
    *count = (struct in_effect_count){ 0 };
    if (fs_path(path, sizeof path, err, "%s/samples", dir) < 0)
        return -1;
    DIR *samples = opendir(path);
    if (!samples)
        return errno == ENOENT ? 0 : err_errno(err, "%s", path);
    while (status == 0 && (e = readdir(samples)))
        if (store_parse_name(e->d_name, &launch, &attempt, digest) &&
            strcmp(launch.mpi, mpi) == 0 &&
            (status = fs_path(file, sizeof file, err, "%s/%s", path, e->d_name)) == 0)
            status = count_file(file, what, value, count, err);
    closedir(samples);
    return status;
}
