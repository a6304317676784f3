/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/in_effect_lines.h"

#include <dirent.h>

#include "harness/study/store.h"

static int read_file(const char *path, const char *mpi, const struct in_effect_reader *r,
                     struct err *err)
{
    static const char mark[] = "# in_effect: ";
    char *line = NULL;
    size_t room = 0;
    FILE *f;
    const int there = fs_open(path, &f, err);
    if (there <= 0)
        return there;
    r->take(r->of, mpi, NULL);
    while (getline(&line, &room, f) > 0 && *line == '#') {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, mark, strlen(mark)) == 0)
            r->take(r->of, mpi, line + strlen(mark));
    }
    const int status = ferror(f) ? err_errno(err, "cannot read '%s'", path) : 0;
    free(line);
    fclose(f);
    return status;
}

int in_effect_read(const char *dir, const struct in_effect_reader *r, struct err *err)
{
    char path[PATH_SIZE], file[PATH_SIZE], digest[16];
    struct launch launch;
    struct dirent *e;
    int attempt, status = 0;
    if (fs_path(path, sizeof path, err, "%s/samples", dir) < 0)
        return -1;
    DIR *samples = opendir(path);
    if (!samples)
        return errno == ENOENT ? 0 : err_errno(err, "%s", path);
    while (status == 0 && (errno = 0, e = readdir(samples)))
        if (store_parse_name(e->d_name, &launch, &attempt, digest) &&
            (!r->mpi || strcmp(launch.mpi, r->mpi) == 0) &&
            (!r->digest || strcmp(digest, r->digest) == 0) &&
            (status = fs_path(file, sizeof file, err, "%s/%s", path, e->d_name)) == 0)
            status = read_file(file, launch.mpi, r, err);
    if (status == 0 && errno)
        status = err_errno(err, "%s", path);
    closedir(samples);
    return status;
}

struct counting {
    const char *what, *value;
    struct in_effect_count *count;
};

static void count_line(void *of, const char *mpi, const char *text)
{
    const struct counting *c = of;
    const size_t n = strlen(c->what);
    (void)mpi;
    c->count->files += !text;
    if (text && strncmp(text, c->what, n) == 0 && text[n] == '=')
        *(strcmp(text + n + 1, c->value) == 0 ? &c->count->same : &c->count->other) += 1;
}

int in_effect_count(const char *dir, const char *mpi, const char *what, const char *value,
                    struct in_effect_count *count, struct err *err)
{
    struct counting counting = { what, value, count };
    const struct in_effect_reader reader = { .mpi = mpi, .take = count_line, .of = &counting };
    *count = (struct in_effect_count){ 0 };
    return in_effect_read(dir, &reader, err);
}
