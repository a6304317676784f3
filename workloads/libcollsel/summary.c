/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/fs.h"
#include "harness/base/memory.h"
#include "workloads/libcollsel/mpi_name.h"
#include "workloads/libcollsel/profile.h"
#include "workloads/libcollsel/site.h"

enum { TAG = 29 };

static void fill(const struct library *lib, const struct row *row, struct sent_row *sent)
{
    const int sites = row->n_sites < ROW_SITES ? row->n_sites : ROW_SITES;
    *sent = (struct sent_row){ .key = row->key,
                               .is_world = row->key.members == lib->world_members,
                               .calls = row->calls,
                               .total_ns = row->total_ns,
                               .most_ns = row->most_ns,
                               .n_sites = row->n_sites,
                               .scheduled = row->scheduled,
                               .forced = row->forced,
                               .measured = row->measured,
                               .monitored = row->monitored,
                               .measured_ns = row->measured_ns,
                               .own_measured_ns = row->own_measured_ns,
                               .own_monitored_ns = row->own_monitored_ns,
                               .agreements = row->agreements,
                               .changes = row->changes,
                               .is_tuned = row->is_tuned,
                               .saved_s = row->saved_s,
                               .saved_half_s = row->saved_half_s,
                               .saved_known = row->saved_known,
                               .default_s = row->default_s,
                               .best_s = row->best_s,
                               .every = row->every,
                               .n_arrivals = row->n_arrivals };
    snprintf(sent->collective, sizeof sent->collective, "%s",
             call_args_name((enum call_args_which)row->key.which));
    memcpy(sent->ran, row->ran, sizeof sent->ran);
    memcpy(sent->decided, row->decided, sizeof sent->decided);
    memcpy(sent->chosen, row->chosen, sizeof sent->chosen);
    sent->n_tried = row->n_tried;
    for (int i = 0; i < row->n_tried; i++)
        sent->tried[i] = row->tried[i];
    memcpy(sent->declined, row->declined, sizeof sent->declined);
    for (int i = 0; i < sites; i++) {
        site_name(row->site[i].at, sent->site[i].name);
        sent->site[i].calls = row->site[i].calls;
        sent->site[i].total_ns = row->site[i].total_ns;
    }
    for (int i = 0; i < row->n_arrivals; i++)
        sent->arrival_s[i] = clock_line_other(&lib->clock.line, (double)row->arrival[i] * 1e-9);
}

static struct sent_row *fill_all(const struct library *lib)
{
    struct sent_row *sent = memory_zeros(lib->rows.n, sizeof *sent);
    for (size_t i = 0; i < lib->rows.n; i++)
        fill(lib, lib->rows.v[i], &sent[i]);
    return sent;
}

static void add_all(struct profile *p, const struct sent_row *sent, uint64_t n, uint64_t lost)
{
    for (uint64_t i = 0; i < n; i++)
        profile_add(p, &sent[i]);
    p->lost += lost;
}

/* One rank after the other, so that rank 0 holds the rows of one at a time. */
static void gather(struct profile *p, const struct library *lib, int rank)
{
    struct sent_row *sent = fill_all(lib);
    uint64_t head[2] = { lib->rows.n, lib->rows.lost };
    if (rank > 0) {
        PMPI_Send(head, 2, MPI_UINT64_T, 0, TAG, lib->own);
        PMPI_Send(sent, (int)(head[0] * sizeof *sent), MPI_BYTE, 0, TAG, lib->own);
    } else {
        add_all(p, sent, head[0], head[1]);
    }
    for (int r = 1; rank == 0 && r < p->procs; r++) {
        PMPI_Recv(head, 2, MPI_UINT64_T, r, TAG, lib->own, MPI_STATUS_IGNORE);
        sent = memory_resize(sent, head[0], sizeof *sent);
        PMPI_Recv(sent, (int)(head[0] * sizeof *sent), MPI_BYTE, r, TAG, lib->own,
                  MPI_STATUS_IGNORE);
        add_all(p, sent, head[0], head[1]);
    }
    free(sent);
}

/* A device or pipe, which no file may replace. */
static int write_stream(const struct profile *p, const char *path, struct err *err)
{
    FILE *out = fopen(path, "we");
    if (!out)
        return err_errno(err, "cannot open '%s'", path);
    profile_json(p, out);
    const int failed = ferror(out);
    return fclose(out) != 0 || failed ? err_errno(err, "cannot write '%s'", path) : 0;
}

static int write_whole(const struct profile *p, const char *path, struct err *err)
{
    struct whole_file f;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    profile_json(p, f.file);
    return fs_commit(&f, err);
}

static void write_report(const struct profile *p, const char *path)
{
    struct stat st;
    struct err err = { 0 };
    const int is_stream = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    if ((is_stream ? write_stream(p, path, &err) : write_whole(p, path, &err)) < 0)
        fprintf(stderr, "collsel: COLLSEL_REPORT: %s\n", err.text);
}

void summary_make(struct library *lib)
{
    struct profile p = { .mpi = MPI_NAME, .mode = libcollsel_mode_words[lib->settings.mode] };
    int rank;
    PMPI_Comm_rank(lib->own, &rank);
    PMPI_Comm_size(lib->own, &p.procs);
    gather(&p, lib, rank);
    if (rank == 0)
        profile_print(&p, stderr);
    if (rank == 0 && lib->settings.report)
        write_report(&p, lib->settings.report);
    profile_clear(&p);
}
