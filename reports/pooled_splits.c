/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/pooled_splits.h"

#include <dirent.h>

/* The directory of a split that has the file; 0: it has it not. */
static int find_dir(const struct report_data *data, const char *name, char *dir)
{
    char path[PATH_SIZE];
    return fs_path(dir, PATH_SIZE, NULL, "%s/holdout/%s", data->dir, name) == 0 &&
           fs_path(path, sizeof path, NULL, "%s/%s", dir, joined_schema.path) == 0 &&
           fs_exists(path);
}

/* Names of the splits, by the alphabet; n or -1 with *err. */
static int list_splits(const struct report_data *data, struct dirent ***entry, struct err *err)
{
    char path[PATH_SIZE];
    *entry = NULL;
    if (fs_path(path, sizeof path, err, "%s/holdout", data->dir) < 0)
        return -1;
    const int n = scandir(path, entry, NULL, alphasort);
    if (n < 0 && errno != ENOENT)
        return err_errno(err, "cannot read '%s'", path);
    return n < 0 ? 0 : n;
}

static void free_splits(struct dirent **entry, int n)
{
    for (int i = 0; i < n; i++)
        free(entry[i]);
    free(entry);
}

int joint_any(const struct report_data *data)
{
    struct dirent **entry;
    char dir[PATH_SIZE];
    int any = 0;
    const int n = list_splits(data, &entry, NULL);
    for (int i = 0; i < n; i++)
        any |= text_is_name(entry[i]->d_name) && find_dir(data, entry[i]->d_name, dir);
    free_splits(entry, n);
    return any;
}

static int read_one(const char *name, const char *dir, struct joint *j, struct err *err)
{
    *j = (struct joint){ .rows = 0 };
    snprintf(j->name, sizeof j->name, "%.63s", name);
    j->row = schema_read(&joined_schema, dir, &j->rows, err);
    j->cost = j->row ? schema_read_any(&overhead_schema, dir, &j->costs, err) : NULL;
    return j->cost ? 0 : -1;
}

int joint_read(const struct report_data *data, struct joint **joint, size_t *n, struct err *err)
{
    struct dirent **entry;
    char dir[PATH_SIZE];
    *joint = NULL;
    *n = 0;
    const int splits = list_splits(data, &entry, err);
    int status = splits < 0 ? -1 : 0;
    for (int i = 0; i < splits && status == 0; i++)
        if (text_is_name(entry[i]->d_name) && find_dir(data, entry[i]->d_name, dir))
            status = read_one(entry[i]->d_name, dir, array_add(joint, n), err);
    free_splits(entry, splits);
    return status;
}

void joint_free(struct joint *joint, size_t n)
{
    for (size_t i = 0; i < n; i++)
        memory_free(joint[i].row, joint[i].cost);
    free(joint);
}
