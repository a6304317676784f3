/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/record.h"

#include <fcntl.h>
#include <unistd.h>

/* Text that is collected in memory and then written at once. */
struct lines {
    struct csvw csv;
    char *text;
    size_t len;
};

static void lines_begin(struct lines *l)
{
    l->csv = (struct csvw){ .file = memory_stream(&l->text, &l->len) };
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

static int write_head(int fd, const char *path, const char *provenance, const struct schema *schema,
                      struct err *err)
{
    struct lines l;
    lines_begin(&l);
    fputs(provenance, l.csv.file);
    schema_header(&l.csv, schema);
    return lines_end(&l, fd, path, err);
}

int record_open(struct record *r, const char *samples_path, const char *outcomes_path,
                const char *provenance, int lazy, struct err *err)
{
    *r = (struct record){ .samples = -1,
                          .outcomes = -1,
                          .ranks = -1,
                          .lazy = lazy,
                          .samples_path = samples_path,
                          .outcomes_path = outcomes_path };
    if (create(samples_path, &r->samples, err) < 0 ||
        create(outcomes_path, &r->outcomes, err) < 0 ||
        write_head(r->samples, samples_path, provenance, &sample_schema, err) < 0 ||
        write_head(r->outcomes, outcomes_path, "", &outcome_schema, err) < 0) {
        record_close(r, NULL);
        return -1;
    }
    return 0;
}

int record_open_ranks(struct record *r, const char *path, struct err *err)
{
    r->ranks_path = path;
    return create(path, &r->ranks, err) < 0 ? -1
                                            : write_head(r->ranks, path, "", &rank_schema, err);
}

int record_rank(struct record *r, const char *id, int first_rep, int rank, const double *begin_s,
                const double *took_s, int n, struct err *err)
{
    struct lines l;
    struct rank_row row = { .rank = rank };
    snprintf(row.point, sizeof row.point, "%s", id);
    lines_begin(&l);
    for (int i = 0; i < n; i++) {
        row.rep = (uint64_t)(first_rep + i);
        row.begin_s = begin_s[i];
        row.took_s = took_s[i];
        schema_row(&l.csv, &rank_schema, &row);
    }
    return lines_end(&l, r->ranks, r->ranks_path, err);
}

int record_samples(struct record *r, const char *id, int first_rep, const struct sample *samples,
                   int n, struct err *err)
{
    struct lines l;
    struct sample_row row;
    snprintf(row.point, sizeof row.point, "%s", id);
    lines_begin(&l);
    for (int i = 0; i < n; i++) {
        row.sample = samples[i];
        row.sample.rep = (uint64_t)(first_rep + i);
        schema_row(&l.csv, &sample_schema, &row);
    }
    return lines_end(&l, r->samples, r->samples_path, err);
}

int record_outcome(struct record *r, const char *id, const struct outcome *o, struct err *err)
{
    struct lines l;
    struct outcome row = *o;
    if (!r->lazy && fsync(r->samples) != 0)
        return err_errno(err, "cannot sync '%s'", r->samples_path);
    lines_begin(&l);
    snprintf(row.point, sizeof row.point, "%s", id);
    schema_row(&l.csv, &outcome_schema, &row);
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
    const int ranks = sync_and_close(&r->ranks, r->ranks_path, err);
    return samples < 0 || outcomes < 0 || ranks < 0 ? -1 : 0;
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
    schema_header(&w, &placement_schema);
    for (int r = 0; r < asked->seating.procs; r++) {
        const struct seat seat = seat_of(&asked->seating, r);
        struct placement_row row = { .rank = r,
                                     .socket = places[r].socket,
                                     .core = places[r].core,
                                     .node = seat.node,
                                     .seat_socket = seat.socket,
                                     .seat_core = seat.core };
        memcpy(row.host, places[r].host, sizeof row.host);
        memcpy(row.cpus, places[r].cpus, sizeof row.cpus);
        schema_row(&w, &placement_schema, &row);
    }
    return fs_commit(&f, err);
}
