/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/shm.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "/dev/shm/";

/* Calls each() for every path below /dev/shm that a process maps. */
static void each_mapped(pid_t pid, void (*each)(const char *path, void *user), void *user)
{
    char name[64], *line = NULL;
    size_t cap = 0;
    snprintf(name, sizeof name, "/proc/%d/maps", (int)pid);
    FILE *f = fopen(name, "re");
    while (f && getline(&line, &cap, f) > 0) {
        char *path = strchr(line, '/');
        if (!path || strncmp(path, prefix, sizeof prefix - 1) != 0)
            continue;
        path[strcspn(path, "\n")] = '\0';
        each(path, user);
    }
    free(line);
    if (f)
        fclose(f);
}

/* ---- finding ---- */

struct search {
    struct shm_files *files;
    time_t since;
};

static int is_known(const struct shm_files *files, const struct stat *st)
{
    for (size_t i = 0; i < files->n; i++)
        if (files->file[i].dev == st->st_dev && files->file[i].ino == st->st_ino)
            return 1;
    return 0;
}

static void keep(const char *path, void *user)
{
    struct search *search = user;
    struct shm_files *files = search->files;
    struct stat st;
    if (files->n == SHM_MOST || strlen(path) >= SHM_PATH || lstat(path, &st) < 0 ||
        !S_ISREG(st.st_mode) || st.st_uid != getuid() || is_known(files, &st) ||
        st.st_mtime < search->since)
        return;
    snprintf(files->file[files->n].path, SHM_PATH, "%s", path);
    files->file[files->n].dev = st.st_dev;
    files->file[files->n++].ino = st.st_ino;
}

static void search_children(pid_t pid, struct search *search)
{
    char path[64];
    long child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *f = fopen(path, "re");
    while (f && fscanf(f, "%ld", &child) == 1) {
        each_mapped((pid_t)child, keep, search);
        search_children((pid_t)child, search);
    }
    if (f)
        fclose(f);
}

void shm_find(struct shm_files *files, pid_t ancestor, time_t since)
{
    struct search search = { files, since };
    files->n = 0;
    search_children(ancestor, &search);
}

/* ---- removing ---- */

struct use {
    const char *path;
    int used;
};

static void compare(const char *path, void *user)
{
    struct use *use = user;
    use->used |= strcmp(path, use->path) == 0;
}

static int is_used(const char *path)
{
    struct use use = { path, 0 };
    struct dirent *e;
    DIR *d = opendir("/proc");
    if (!d)
        return 1;
    while (!use.used && (e = readdir(d))) {
        const long pid = strtol(e->d_name, NULL, 10);
        if (pid > 0)
            each_mapped((pid_t)pid, compare, &use);
    }
    closedir(d);
    return use.used;
}

void shm_remove(const struct shm_files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        const char *path = files->file[i].path;
        struct stat st;
        if (lstat(path, &st) == 0 && st.st_dev == files->file[i].dev &&
            st.st_ino == files->file[i].ino && !is_used(path))
            unlink(path);
    }
}
