/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/array.h"

/* A device may have no end (/dev/zero): more is taken of none. */
enum { TRIES = 100, DEVICE_MOST = 64 << 20 };

int fs_path(char *buf, size_t size, struct err *err, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(buf, size, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= size)
        return err_set(err, "path '%.60s...' is too long", buf);
    return 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)ftw;
    return type == FTW_DP ? rmdir(path) : unlink(path);
}

int fs_remove_tree(const char *path, struct err *err)
{
    if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT)
        return 0;
    return err_errno(err, "%s", path);
}

static int make_directory(const char *path, struct err *err)
{
    struct stat st;
    if (mkdir(path, 0777) == 0)
        return 0;
    if (errno == EEXIST) {
        if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
            return 0;
        errno = ENOTDIR;
    }
    return err_errno(err, "cannot make directory '%s'", path);
}

int fs_mkdirs(const char *path, struct err *err)
{
    char part[PATH_SIZE];
    if (fs_path(part, sizeof part, err, "%s", path) < 0)
        return -1;
    for (char *p = part; *p; p++) {
        if (*p != '/' || p == part)
            continue;
        *p = '\0';
        if (make_directory(part, err) < 0)
            return -1;
        *p = '/';
    }
    return make_directory(part, err);
}

static int make_parent(const char *path, struct err *err)
{
    char dir[PATH_SIZE];
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return 0;
    if (fs_path(dir, sizeof dir, err, "%.*s", (int)(slash - path), path) < 0)
        return -1;
    return fs_mkdirs(dir, err);
}

/* A new file beside the path that nobody else writes or has put there: one of ours that died leaves
 * its own behind, and no link is followed. */
static int open_new(struct whole_file *f)
{
    int fd = -1;
    for (int try = 0; fd < 0 && try < TRIES; try++) {
        snprintf(f->tmp, sizeof f->tmp, "%s.%ld-%d.tmp", f->path, (long)getpid(), try);
        fd = open(f->tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    return fd;
}

int fs_replaceable(const char *path, struct err *err)
{
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
        return err_set(err, "cannot write '%s': it is no regular file, and would be replaced",
                       path);
    return 0;
}

int fs_begin(struct whole_file *f, const char *path, struct err *err)
{
    f->file = NULL;
    if (fs_replaceable(path, err) < 0)
        return -1;
    if (fs_path(f->path, sizeof f->path, err, "%s", path) < 0 || make_parent(path, err) < 0)
        return -1;
    const int fd = open_new(f);
    if (fd >= 0 && !(f->file = fdopen(fd, "w")))
        close(fd);
    return f->file ? 0 : err_errno(err, "cannot write '%s'", f->path);
}

int fs_commit(struct whole_file *f, struct err *err)
{
    int bad = ferror(f->file) || fflush(f->file) != 0 || fsync(fileno(f->file)) != 0;
    int saved = errno;
    if (fclose(f->file) != 0 && !bad) {
        bad = 1;
        saved = errno;
    }
    f->file = NULL;
    if (!bad && rename(f->tmp, f->path) != 0) {
        bad = 1;
        saved = errno;
    }
    if (!bad)
        return 0;
    unlink(f->tmp);
    errno = saved;
    return err_errno(err, "cannot write '%s'", f->path);
}

void fs_abandon(struct whole_file *f)
{
    if (!f->file)
        return;
    fclose(f->file);
    f->file = NULL;
    unlink(f->tmp);
}

int fs_write(const char *path, const char *text, struct err *err)
{
    struct whole_file f;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    fputs(text, f.file);
    return fs_commit(&f, err);
}

/* A pipe of the file system, by whatever links; those that a shell hands over are /dev/fd/N. */
static int is_pipe(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISFIFO(st.st_mode) && strncmp(path, "/dev/", 5) != 0 &&
           strncmp(path, "/proc/", 6) != 0;
}

int fs_open(const char *path, FILE **file, struct err *err)
{
    *file = NULL;
    if (is_pipe(path))
        return err_set(err, "'%s' is a pipe, for whose other end this would wait (want a file)",
                       path);
    *file = fopen(path, "re");
    if (*file)
        return 1;
    return errno == ENOENT ? 0 : err_errno(err, "cannot open '%s'", path);
}

int fs_open_existing(const char *path, FILE **file, struct err *err)
{
    return by_keys(fs_open(path, file, err), err_errno(err, "cannot open '%s'", path));
}

char *fs_read(const char *path, size_t *len, struct err *err)
{
    return fs_read_within(path, SIZE_MAX, len, err);
}

char *fs_read_within(const char *path, size_t most, size_t *len, struct err *err)
{
    FILE *file;
    if (fs_open_existing(path, &file, err) < 0)
        return NULL;
    struct stat about;
    size_t used = 0, room = 0;
    char *text = NULL;
    const int is_known = fstat(fileno(file), &about) == 0;
    if (is_known && S_ISCHR(about.st_mode) && most > DEVICE_MOST)
        most = DEVICE_MOST;
    if (is_known && S_ISREG(about.st_mode) && (size_t)about.st_size > most) {
        fclose(file);
        err_set(err, "'%s' is larger than %zu MiB", path, most >> 20);
        return NULL;
    }
    do {
        array_room(&text, &room, used + 4096);
        used += fread(text + used, 1, room - 1 - used, file);
    } while (used == room - 1 && used <= most);
    if (ferror(file) || used > most) {
        if (ferror(file))
            err_errno(err, "cannot read '%s'", path);
        else
            err_set(err, "'%s' is larger than %zu MiB", path, most >> 20);
        free(text);
        text = NULL;
    } else {
        text[used] = '\0';
        if (len)
            *len = used;
    }
    fclose(file);
    return text;
}

int fs_exists(const char *path)
{
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

int fs_same(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

int fs_readable(const char *path, struct err *err)
{
    char byte;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : err_errno(err, "cannot open '%s'", path);
    const int fine = read(fd, &byte, 1) >= 0 || err_errno(err, "cannot read '%s'", path) == 0;
    close(fd);
    return fine ? 1 : -1;
}

uint64_t fs_digest(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < len; i++)
        h = (h ^ p[i]) * UINT64_C(1099511628211);
    return h;
}
