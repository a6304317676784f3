/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/record.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/csv.h"
#include "harness/base/fs.h"

static const char *const sample_columns[] = { "point", "rep",       "max_s", "mean_s",
                                              "min_s", "root_s",    "at_s",  "warmup",
                                              "valid", "disturbed", NULL };

static const char *const outcome_columns[] = { "point",      "status",        "reason",
                                               "verified",   "ran_algorithm", "ran_segment_bytes",
                                               "ran_fanout", "n_rows",        "n",
                                               "converged",  "checked",       "elapsed_s",
                                               "core_s",     "ran_component", NULL };

static const char *const placement_columns[] = { "rank",        "host",      "cpus",
                                                 "socket",      "core",      "node",
                                                 "seat_socket", "seat_core", NULL };

/* Text that is collected in memory and then written at once. */
struct lines {
    struct csvw csv;
    char *text;
    size_t len;
};

static int lines_begin(struct lines *l, struct err *err)
{
    l->csv = (struct csvw){ .file = open_memstream(&l->text, &l->len) };
    return l->csv.file ? 0 : err_errno(err, "cannot collect rows");
}

static int write_all(int fd, const char *text, size_t len)
{
    while (len) {
        const ssize_t n = write(fd, text, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        text += n;
        len -= (size_t)n;
    }
    return 0;
}

/* Appends what was collected to the file and frees it. */
static int lines_end(struct lines *l, int fd, const char *path, struct err *err)
{
    int status = 0;
    if (fclose(l->csv.file) != 0)
        status = err_errno(err, "cannot collect rows");
    else if (write_all(fd, l->text, l->len) < 0)
        status = err_errno(err, "cannot append to '%s'", path);
    free(l->text);
    return status;
}

static int create(const char *path, int *fd, struct err *err)
{
    *fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    return *fd < 0 ? err_errno(err, "cannot create '%s'", path) : 0;
}

static int write_head(int fd, const char *path, const char *provenance, const char *const *columns,
                      struct err *err)
{
    struct lines l;
    if (lines_begin(&l, err) < 0)
        return -1;
    fputs(provenance, l.csv.file);
    csvw_header(&l.csv, columns);
    return lines_end(&l, fd, path, err);
}

int record_open(struct record *r, const char *samples_path, const char *outcomes_path,
                const char *provenance, int lazy, struct err *err)
{
    *r = (struct record){ -1, -1, lazy, samples_path, outcomes_path };
    if (create(samples_path, &r->samples, err) < 0 ||
        create(outcomes_path, &r->outcomes, err) < 0 ||
        write_head(r->samples, samples_path, provenance, sample_columns, err) < 0 ||
        write_head(r->outcomes, outcomes_path, "", outcome_columns, err) < 0) {
        record_close(r, NULL);
        return -1;
    }
    return 0;
}

int record_samples(struct record *r, const char *id, int first_rep, const struct sample *samples,
                   int n, struct err *err)
{
    struct lines l;
    if (lines_begin(&l, err) < 0)
        return -1;
    for (int i = 0; i < n; i++) {
        csvw_text(&l.csv, id);
        csvw_i64(&l.csv, first_rep + i);
        csvw_f64(&l.csv, samples[i].max_s);
        csvw_f64(&l.csv, samples[i].mean_s);
        csvw_f64(&l.csv, samples[i].min_s);
        csvw_f64(&l.csv, samples[i].root_s);
        csvw_f64(&l.csv, samples[i].at_s);
        csvw_i64(&l.csv, samples[i].warmup);
        csvw_i64(&l.csv, samples[i].valid);
        csvw_i64(&l.csv, samples[i].disturbed);
        csvw_end(&l.csv);
    }
    return lines_end(&l, r->samples, r->samples_path, err);
}

static void write_ran(struct csvw *w, const struct outcome *o)
{
    csvw_text(w, o->ran_algorithm);
    if (*o->ran_algorithm) {
        csvw_u64(w, o->ran_segment_bytes);
        csvw_i64(w, o->ran_fanout);
    } else {
        csvw_text(w, "");
        csvw_text(w, "");
    }
}

int record_outcome(struct record *r, const char *id, const struct outcome *o, struct err *err)
{
    struct lines l;
    if (!r->lazy && fsync(r->samples) != 0)
        return err_errno(err, "cannot sync '%s'", r->samples_path);
    if (lines_begin(&l, err) < 0)
        return -1;
    csvw_text(&l.csv, id);
    csvw_text(&l.csv, o->status);
    csvw_text(&l.csv, o->reason);
    csvw_text(&l.csv, o->verified);
    write_ran(&l.csv, o);
    csvw_i64(&l.csv, o->n_rows);
    csvw_i64(&l.csv, o->n);
    if (o->converged < 0)
        csvw_text(&l.csv, "");
    else
        csvw_i64(&l.csv, o->converged);
    csvw_i64(&l.csv, o->checked);
    csvw_f64(&l.csv, o->elapsed_s);
    csvw_f64(&l.csv, o->core_s);
    csvw_text(&l.csv, o->ran_component);
    csvw_end(&l.csv);
    if (lines_end(&l, r->outcomes, r->outcomes_path, err) < 0)
        return -1;
    if (!r->lazy && fsync(r->outcomes) != 0)
        return err_errno(err, "cannot sync '%s'", r->outcomes_path);
    return 0;
}

static int sync_and_close(int *fd, const char *path, struct err *err)
{
    if (*fd < 0)
        return 0;
    const int failed = fsync(*fd) != 0 && errno != EINVAL; /* EINVAL: a pipe or /dev/null */
    const int status = failed ? err_errno(err, "cannot sync '%s'", path) : 0;
    close(*fd);
    *fd = -1;
    return status;
}

int record_close(struct record *r, struct err *err)
{
    const int samples = sync_and_close(&r->samples, r->samples_path, err);
    const int outcomes = sync_and_close(&r->outcomes, r->outcomes_path, err);
    return samples < 0 || outcomes < 0 ? -1 : 0;
}

/* A number from 0 on, else missing. */
static void put_known(struct csvw *w, int value)
{
    if (value >= 0)
        csvw_i64(w, value);
    else
        csvw_text(w, "");
}

int record_placement(const char *path, const struct placement *asked, const struct place *places,
                     const char *wrong, struct err *err)
{
    struct whole_file f;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    static const char subject[] = "placement: ";
    const size_t skip = strncmp(wrong, subject, strlen(subject)) == 0 ? strlen(subject) : 0;
    struct csvw w = { .file = f.file };
    fprintf(f.file, "# judged: %s\n# %s%s\n", placement_judged(asked, places), subject,
            *wrong ? wrong + skip : "as asked");
    csvw_header(&w, placement_columns);
    for (int r = 0; r < asked->seating.procs; r++) {
        const struct seat seat = seat_of(&asked->seating, r);
        csvw_i64(&w, r);
        csvw_text(&w, places[r].host);
        csvw_text(&w, places[r].cpus);
        put_known(&w, places[r].socket);
        put_known(&w, places[r].core);
        csvw_i64(&w, seat.node);
        put_known(&w, seat.socket);
        put_known(&w, seat.core);
        csvw_end(&w);
    }
    return fs_commit(&f, err);
}
