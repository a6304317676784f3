/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/json_print.h"

const char *utc_now(char *buf, size_t size)
{
    struct tm tm;
    time_t now = time(NULL);
    gmtime_r(&now, &tm);
    strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return buf;
}

/* Ends a last line that was cut short: by our death, or that of a task on another node just now. */
static int end_last_line(int fd)
{
    char last;
    off_t size = lseek(fd, 0, SEEK_END);
    if (size <= 0 || pread(fd, &last, 1, size - 1) != 1 || last == '\n')
        return 0;
    return write(fd, "\n", 1) == 1 ? 0 : -1;
}

int journal_open(struct journal *journal, const char *dir, struct err *err)
{
    if (fs_path(journal->path, sizeof journal->path, err, "%s/events.jsonl", dir) < 0)
        return -1;
    journal->fd = open(journal->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    return journal->fd >= 0 ? 0 : err_errno(err, "cannot write '%s'", journal->path);
}

void journal_close(struct journal *journal)
{
    if (journal->fd >= 0)
        close(journal->fd);
    journal->fd = -1;
}

static json_t *to_json(const struct event *e)
{
    json_t *o = json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:I, s:f, s:I}", "t", e->t, "launch",
                          e->launch, "attempt", e->attempt, "event", e->event, "reason", e->reason,
                          "digest", e->digest, "points", (json_int_t)e->points, "elapsed_s",
                          e->elapsed_s, "pid", (json_int_t)e->pid);
    if (o && *e->point)
        json_object_set_new(o, "point", json_string(e->point));
    if (o && *e->job)
        json_object_set_new(o, "job", json_string(e->job));
    if (o && *e->mark)
        json_object_set_new(o, "mark", json_string(e->mark));
    if (o && *e->node)
        json_object_set_new(o, "node", json_string(e->node));
    if (o && *e->nodes)
        json_object_set_new(o, "nodes", json_string(e->nodes));
    if (o && e->cores)
        json_object_set_new(o, "cores", json_integer(e->cores));
    return o;
}

/* Several nodes append to one file: over NFS only the lock makes O_APPEND an append. Where a file
 * system has no locks, O_APPEND alone must do. -1 with errno. */
static int append(int fd, const char *text, size_t len)
{
    int locked = flock(fd, LOCK_EX) == 0;
    ssize_t n = end_last_line(fd) == 0 ? write(fd, text, len) : -1;
    int status = n == (ssize_t)len && fdatasync(fd) == 0 ? 0 : -1;
    int why = n >= 0 && n != (ssize_t)len ? ENOSPC : errno;
    if (locked)
        flock(fd, LOCK_UN);
    errno = why;
    return status;
}

int journal_write(struct journal *journal, struct event *event, struct err *err)
{
    utc_now(event->t, sizeof event->t);
    /* Bytes that are not UTF-8 (from a program's output) become '?', jansson refuses them. */
    for (char *p = event->reason; *p; p++)
        if ((unsigned char)*p < ' ' || (unsigned char)*p > '~')
            *p = '?';
    json_t *o = to_json(event);
    char *text = o ? json_dumps(o, JSON_COMPACT) : NULL;
    json_decref(o);
    if (!text)
        return err_set(err, "%s: a text of the event is not UTF-8", journal->path);
    size_t len = strlen(text);
    text[len] = '\n'; /* in place of the NUL: one write, one line */
    int status = append(journal->fd, text, len + 1);
    free(text);
    return status == 0 ? 0 : err_errno(err, "cannot write '%s'", journal->path);
}

static void copy_text(const json_t *o, const char *key, char *buf, size_t size)
{
    snprintf(buf, size, "%s", json_text_at(o, key));
    text_disarm(buf);
}

/* Names go into scripts and pages, and others may have written them. */
static int check_names(const struct event *e, struct err *err)
{
    const struct {
        const char *what, *text;
    } names[] = { { "t", e->t },         { "launch", e->launch }, { "event", e->event },
                  { "point", e->point }, { "digest", e->digest }, { "job", e->job },
                  { "mark", e->mark },   { "node", e->node },     { "nodes", e->nodes } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!text_is_plain(names[i].text, TEXT_OF_LISTS))
            return err_set(err,
                           "%s: '%.60s' is not a name (want letters, digits, _ - . : + [ ] , %%)",
                           names[i].what, names[i].text);
    return 0;
}

/* Numbers that no launch can have are somebody's edit or a broken file. */
static int check_numbers(const json_t *o, struct err *err)
{
    static const struct {
        const char *what;
        double most;
    } numbers[] = { { "elapsed_s", 1e9 },
                    { "attempt", 1e6 },
                    { "points", 1e9 },
                    { "cores", 1e8 },
                    { "pid", INT32_MAX } };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const double x = json_number_value(json_object_get(o, numbers[i].what));
        if (!(x >= 0 && x <= numbers[i].most))
            return err_set(err, "%s: %g is out of range (want 0 to %g)", numbers[i].what, x,
                           numbers[i].most);
    }
    return 0;
}

static void from_json(const json_t *o, struct event *e)
{
    *e = (struct event){ 0 };
    copy_text(o, "t", e->t, sizeof e->t);
    copy_text(o, "launch", e->launch, sizeof e->launch);
    copy_text(o, "event", e->event, sizeof e->event);
    copy_text(o, "reason", e->reason, sizeof e->reason);
    copy_text(o, "point", e->point, sizeof e->point);
    copy_text(o, "digest", e->digest, sizeof e->digest);
    copy_text(o, "job", e->job, sizeof e->job);
    copy_text(o, "mark", e->mark, sizeof e->mark);
    copy_text(o, "node", e->node, sizeof e->node);
    copy_text(o, "nodes", e->nodes, sizeof e->nodes);
    e->cores = (int)json_integer_value(json_object_get(o, "cores"));
    e->attempt = (int)json_integer_value(json_object_get(o, "attempt"));
    e->points = (long)json_integer_value(json_object_get(o, "points"));
    e->pid = (long)json_integer_value(json_object_get(o, "pid"));
    e->elapsed_s = json_number_value(json_object_get(o, "elapsed_s"));
}

int journal_read(const char *dir, int (*each)(const struct event *event, void *user), void *user,
                 struct err *err)
{
    char path[PATH_SIZE];
    char *line = NULL;
    size_t cap = 0;
    size_t line_no = 0;
    int stop = 0, status = 0;
    if (fs_path(path, sizeof path, err, "%s/events.jsonl", dir) < 0)
        return -1;
    FILE *f;
    const int there = fs_open(path, &f, err);
    if (there <= 0)
        return there;
    while (!stop && getline(&line, &cap, f) > 0) {
        line_no++;
        json_t *o = json_loads(line, 0, NULL);
        struct event e;
        if (json_is_object(o)) {
            from_json(o, &e);
            status = check_numbers(o, err) < 0 || check_names(&e, err) < 0 ? -1 : 0;
            stop = status < 0 || each(&e, user);
        }
        json_decref(o);
        if (status < 0)
            err_prefix(err, "%s:%zu", path, line_no);
    }
    if (status == 0 && ferror(f))
        status = err_errno(err, "cannot read '%s'", path);
    free(line);
    fclose(f);
    return status;
}
