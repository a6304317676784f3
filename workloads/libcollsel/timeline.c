/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/timeline.h"

#include "workloads/libcollsel/profile.h"

enum { TAG = 30 };

/* What the events of a kind of calls have in common, as a rank sends it. */
struct sent_kind {
    char collective[32], ran[ROW_NAME];
    uint64_t bytes;
    int procs, is_world;
};

/* One rank's calls. Owned. */
struct calls {
    struct sent_kind *kind;
    struct event *event; /* times of a clock that all ranks share */
    uint64_t n_kinds, n, lost;
};

static struct calls own_calls(const struct library *lib)
{
    struct calls c = { .n_kinds = lib->rows.n,
                       .n = lib->rows.n_events,
                       .lost = lib->rows.lost_events + lib->rows.lost };
    c.kind = memory_zeros(c.n_kinds + 1, sizeof *c.kind);
    c.event = memory_zeros(c.n + 1, sizeof *c.event);
    for (size_t i = 0; i < c.n_kinds; i++) {
        const struct row *row = lib->rows.v[i];
        struct sent_kind *k = &c.kind[i];
        snprintf(k->collective, sizeof k->collective, "%s",
                 call_args_name((enum call_args_which)row->key.which));
        memcpy(k->ran, row->ran, sizeof k->ran);
        k->bytes = row->key.bytes;
        k->procs = row->key.procs;
        k->is_world = row->key.members == lib->world_members;
    }
    for (size_t i = 0; i < c.n; i++) {
        const struct event *e = &lib->rows.event[i];
        const double began_s = clock_line_other(&lib->clock.line, (double)e->began_ns * 1e-9);
        c.event[i] = (struct event){ e->row, e->thread, (int64_t)(began_s * 1e9), e->lasted_ns };
    }
    return c;
}

static void clear(struct calls *c)
{
    memory_free(c->kind, c->event);
}

static void send_calls(const struct calls *c, MPI_Comm comm)
{
    const uint64_t head[3] = { c->n_kinds, c->n, c->lost };
    PMPI_Send(head, 3, MPI_UINT64_T, 0, TAG, comm);
    PMPI_Send(c->kind, (int)(c->n_kinds * sizeof *c->kind), MPI_BYTE, 0, TAG, comm);
    PMPI_Send(c->event, (int)(c->n * sizeof *c->event), MPI_BYTE, 0, TAG, comm);
}

static struct calls receive_calls(int rank, MPI_Comm comm)
{
    uint64_t head[3];
    PMPI_Recv(head, 3, MPI_UINT64_T, rank, TAG, comm, MPI_STATUS_IGNORE);
    struct calls c = { .n_kinds = head[0], .n = head[1], .lost = head[2] };
    c.kind = memory_zeros(c.n_kinds + 1, sizeof *c.kind);
    c.event = memory_zeros(c.n + 1, sizeof *c.event);
    PMPI_Recv(c.kind, (int)(c.n_kinds * sizeof *c.kind), MPI_BYTE, rank, TAG, comm,
              MPI_STATUS_IGNORE);
    PMPI_Recv(c.event, (int)(c.n * sizeof *c.event), MPI_BYTE, rank, TAG, comm, MPI_STATUS_IGNORE);
    return c;
}

static void print_calls(const struct calls *c, int rank, int64_t base_ns, FILE *out)
{
    fprintf(out,
            "%s{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": %d, \"args\": {\"name\": "
            "\"rank %d\"}}",
            rank ? ",\n" : "", rank, rank);
    for (uint64_t i = 0; i < c->n; i++) {
        const struct event *e = &c->event[i];
        const struct sent_kind *k = &c->kind[e->row];
        fprintf(out,
                ",\n{\"name\": \"%s\", \"ph\": \"X\", \"pid\": %d, \"tid\": %" PRIu32
                ", \"ts\": %.3f, "
                "\"dur\": %.3f, \"args\": {\"bytes\": %" PRIu64 ", \"procs\": %d, \"comm\": "
                "\"%s\", \"ran\": ",
                k->collective, rank, e->thread, (double)(e->began_ns - base_ns) * 1e-3,
                (double)e->lasted_ns * 1e-3, k->bytes, k->procs, k->is_world ? "world" : "other");
        profile_put_text(k->ran, out);
        fputs("}}", out);
    }
}

/* Rank 0: its own calls, then those of one rank after the other. */
static void print_all(const struct library *lib, struct calls *own, FILE *out)
{
    int procs;
    uint64_t lost = own->lost;
    const double base_s = clock_line_other(&lib->clock.line, (double)lib->began_ns * 1e-9);
    const int64_t base_ns = (int64_t)(base_s * 1e9);
    PMPI_Comm_size(lib->own, &procs);
    fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n", out);
    print_calls(own, 0, base_ns, out);
    for (int r = 1; r < procs; r++) {
        struct calls c = receive_calls(r, lib->own);
        print_calls(&c, r, base_ns, out);
        lost += c.lost;
        clear(&c);
    }
    fprintf(out, "\n], \"otherData\": {\"missing_calls\": %" PRIu64 "}}\n", lost);
    if (lost)
        fprintf(stderr,
                "collsel: COLLSEL_TIMELINE: %" PRIu64 " calls of all ranks are missing: there is "
                "room for the first %d of each rank\n",
                lost, (int)lib->rows.most_events);
}

void timeline_write(const struct library *lib)
{
    struct err err = { 0 };
    struct whole_file f = { 0 };
    struct calls own = own_calls(lib);
    int rank, goes = 1;
    PMPI_Comm_rank(lib->own, &rank);
    if (rank == 0)
        goes = fs_begin(&f, lib->settings.timeline, &err) == 0;
    PMPI_Bcast(&goes, 1, MPI_INT, 0, lib->own);
    if (goes && rank > 0)
        send_calls(&own, lib->own);
    if (goes && rank == 0) {
        print_all(lib, &own, f.file);
        goes = fs_commit(&f, &err) == 0;
    }
    if (!goes && rank == 0)
        fprintf(stderr, "collsel: COLLSEL_TIMELINE: %s\n", err.text);
    clear(&own);
}
