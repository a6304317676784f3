/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/untar.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/fs.h"

enum { BLOCK = 512, MOST_EXTRA = 65536 };

extern char **environ;

/* A header of tar (POSIX.1-1988, "ustar", and GNU's). */
struct header {
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100], magic[6],
        version[2], uname[32], gname[32], major[8], minor[8], prefix[155], pad[12];
};

struct reader {
    FILE *in;
    const char *archive;
    double most_file, most_all, all;
    long files;
    char next[UNTAR_NAME]; /* the name that an entry before says of the next; "" none */
    untar_place *place;
    void *user;
    struct err *err;
};

static int refuse(const struct reader *r, const char *name, const char *why)
{
    return err_set(r->err, "%s: refused: '%.100s' %s", r->archive, name, why);
}

static int read_block(struct reader *r, void *block)
{
    return fread(block, BLOCK, 1, r->in) == 1
               ? 0
               : err_set(r->err, "%s: the archive is cut short, or is no tar", r->archive);
}

/* Octal digits, blanks or NUL behind them; -1: no number, or one of GNU's for sizes beyond 8 GiB.
 */
static double octal(const char *text, size_t size)
{
    double value = 0;
    size_t i = 0;
    while (i < size && text[i] == ' ')
        i++;
    if (i == size || text[i] < '0' || text[i] > '7')
        return -1;
    for (; i < size && text[i] >= '0' && text[i] <= '7'; i++)
        value = value * 8 + (text[i] - '0');
    return value;
}

static int sum_is_right(const struct header *h)
{
    const unsigned char *at = (const unsigned char *)h;
    unsigned sum = 0;
    for (size_t i = 0; i < BLOCK; i++)
        sum += i >= offsetof(struct header, sum) && i < offsetof(struct header, type) ? ' ' : at[i];
    return octal(h->sum, sizeof h->sum) == (double)sum;
}

static int is_zero(const struct header *h)
{
    const char *at = (const char *)h;
    for (size_t i = 0; i < BLOCK; i++)
        if (at[i])
            return 0;
    return 1;
}

/* Reads what an entry holds: to a file, to a buffer, or, both NULL, to nowhere. */
static int read_body(struct reader *r, double size, FILE *out, char *text)
{
    char block[BLOCK];
    for (double left = size; left > 0; left -= BLOCK) {
        const size_t n = left < BLOCK ? (size_t)left : BLOCK;
        if (read_block(r, block) < 0)
            return -1;
        if (out && fwrite(block, 1, n, out) != n)
            return err_errno(r->err, "cannot write what '%s' holds", r->archive);
        if (text) {
            memcpy(text, block, n);
            text += n;
        }
    }
    return 0;
}

/* Names of the next entry that are too long for its header: GNU's 'L', or "path=" of POSIX's 'x'.
 */
static int read_extra(struct reader *r, const struct header *h, double size)
{
    static const char key[] = " path=";
    char *text = calloc(MOST_EXTRA + 1, 1);
    if (size > MOST_EXTRA || !text) {
        free(text);
        return refuse(r, "an entry's name", "is longer than any path");
    }
    int status = read_body(r, size, NULL, text);
    const char *path = h->type == 'L' ? text : strstr(text, key);
    if (status == 0 && path && h->type != 'g') {
        path += h->type == 'L' ? 0 : strlen(key);
        const size_t n = strcspn(path, "\n");
        if (n >= sizeof r->next)
            status = refuse(r, path, "is too long a name");
        else
            snprintf(r->next, sizeof r->next, "%.*s", (int)n, path);
    }
    free(text);
    return status;
}

static int goes_up(const char *name)
{
    for (const char *p = name; *p; p += strcspn(p, "/"), p += *p == '/')
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || !p[2]))
            return 1;
    return 0;
}

static void name_of(struct reader *r, const struct header *h, char *name)
{
    if (*r->next)
        snprintf(name, UNTAR_NAME, "%s", r->next);
    else if (strncmp(h->magic, "ustar", 5) == 0 && h->magic[5] == '\0' && *h->prefix)
        snprintf(name, UNTAR_NAME, "%.155s/%.100s", h->prefix, h->name);
    else
        snprintf(name, UNTAR_NAME, "%.100s", h->name);
    *r->next = '\0';
    while (strncmp(name, "./", 2) == 0)
        memmove(name, name + 2, strlen(name + 2) + 1);
}

static int take_file(struct reader *r, const char *name, double size)
{
    char path[PATH_SIZE] = "";
    if (size > r->most_file || (r->all += size) > r->most_all)
        return refuse(r, name, "is too large: more than was ever measured in one study");
    if (++r->files > UNTAR_MOST_FILES)
        return refuse(r, name, "is one file too many");
    if (r->place(name, path, r->user, r->err) < 0)
        return err_prefix(r->err, "%s: refused", r->archive);
    FILE *out = *path ? fopen(path, "wxe") : NULL;
    if (*path && !out)
        return errno == EEXIST ? refuse(r, name, "stands twice in it")
                               : err_errno(r->err, "cannot write '%s'", path);
    int status = read_body(r, size, out, NULL);
    if (out && fclose(out) != 0 && status == 0)
        status = err_errno(r->err, "cannot write '%s'", path);
    return status;
}

/* 1: there is more, 0: that was the end, -1. */
static int read_entry(struct reader *r)
{
    struct header h;
    char name[UNTAR_NAME];
    if (read_block(r, &h) < 0)
        return -1;
    if (is_zero(&h))
        return 0;
    const double size = octal(h.size, sizeof h.size);
    if (!sum_is_right(&h))
        return err_set(r->err, "%s: is no tar archive, or a broken one", r->archive);
    if (h.type == 'L' || h.type == 'x' || h.type == 'g')
        return read_extra(r, &h, size < 0 ? MOST_EXTRA + 1.0 : size) < 0 ? -1 : 1;
    name_of(r, &h, name);
    if (*name == '/' || goes_up(name))
        return refuse(r, name, "leads out of the directory");
    if (h.type == '5')
        return 1;
    if (h.type != '0' && h.type != '\0')
        return refuse(r, name, "is a link or a device (want files)");
    if (size < 0)
        return refuse(r, name, "is too large: more than was ever measured in one study");
    return take_file(r, name, size) < 0 ? -1 : 1;
}

static int is_gzip(const char *archive)
{
    unsigned char magic[2] = { 0 };
    FILE *in = fopen(archive, "re");
    const int whole = in && fread(magic, sizeof magic, 1, in) == 1;
    if (in)
        fclose(in);
    return whole && magic[0] == 0x1f && magic[1] == 0x8b;
}

/* gzip's output; it is told to end by the pipe's. */
static FILE *start_gzip(const char *archive, pid_t *pid, struct err *err)
{
    char *const args[] = { (char[]){ "gzip" }, (char[]){ "-dc" }, NULL };
    int ends[2], why = 0;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) < 0) {
        err_errno(err, "cannot read '%s'", archive);
        return NULL;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, archive, O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    why = posix_spawnp(pid, args[0], &actions, NULL, args, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (why == 0)
        return fdopen(ends[0], "r");
    close(ends[0]);
    err_set(err, "gzip: %s", strerror(why));
    return NULL;
}

int untar(const char *archive, double most_file, double most_all, untar_place *place, void *user,
          struct err *err)
{
    struct reader r = { .archive = archive,
                        .most_file = most_file,
                        .most_all = most_all,
                        .place = place,
                        .user = user,
                        .err = err };
    pid_t pid = 0;
    if (fs_readable(archive, err) < 0)
        return -1;
    r.in = is_gzip(archive) ? start_gzip(archive, &pid, err) : fopen(archive, "re");
    if (!r.in)
        return pid ? -1 : err_errno(err, "cannot read '%s'", archive);
    int more;
    while ((more = read_entry(&r)) > 0)
        ;
    fclose(r.in);
    while (pid && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return more;
}
