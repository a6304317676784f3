/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/recommend_others.h"

#include <dirent.h>

#include "analysis/measure/points.h"
#include "harness/cmd/options.h"

static int has_times(const char *dir, int doubted, const char *collective)
{
    struct points points;
    struct err unread = { 0 };
    int has = 0;
    if (points_read(dir, doubted, &points, &unread) < 0)
        return 0;
    for (size_t i = 0; i < points.n && !has; i++)
        has = points.row[i].point.experiment == EXP_TIME && measured_usable(&points.row[i]) &&
              strcmp(points.row[i].point.cell.collective, collective) == 0;
    points_clear(&points);
    return has;
}

/* A path has a slash: that is how --dataset knows it. */
static void tell(const char *path, const char *collective, FILE *out)
{
    char words[NEXT_SIZE], slashed[PATH_SIZE];
    if (fs_path(slashed, sizeof slashed, NULL, "%s%s", strchr(path, '/') ? "" : "./", path) < 0)
        return;
    const char *const option[] = { "--dataset", slashed, NULL };
    fprintf(out, "collsel ask: times of %s are in '%s': to ask these: %s\n", collective, path,
            options_words(option, words));
}

size_t recommend_tell_others(const char *dir, int doubted, const char *collective, FILE *out)
{
    char above[PATH_SIZE], path[PATH_SIZE], file[PATH_SIZE];
    struct dirent **found;
    size_t others = 0;
    const char *slash = strrchr(dir, '/');
    if (!slash || fs_path(above, sizeof above, NULL, "%.*s", (int)(slash - dir), dir) < 0)
        return 0;
    const int n = scandir(above, &found, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (*found[i]->d_name != '.' &&
            fs_path(path, sizeof path, NULL, "%s/%s", above, found[i]->d_name) == 0 &&
            fs_path(file, sizeof file, NULL, "%s/points.csv", path) == 0 && fs_exists(file)) {
            others++;
            if (collective && has_times(path, doubted, collective))
                tell(path, collective, out);
        }
        free(found[i]);
    }
    if (n >= 0)
        free(found);
    return others;
}
