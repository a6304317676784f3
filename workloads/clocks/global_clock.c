/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/clocks/global_clock.h"

#include <unistd.h>

enum { TAG = 23, ASKED = 20, VISITS = 10, NAP_NS = 20 * 1000 * 1000 };

static const double mend_every_s = 1;

static double clock_of_launch(void)
{
    return clock_span_s((tick)0, clock_now());
}

/* Local time (of clock->now) in seconds. */
static double global_clock_local(const struct global_clock *clock)
{
    return clock->now ? clock->now(clock->clock) : clock_of_launch();
}

double global_clock_now(const struct global_clock *clock)
{
    return clock_line_other(&clock->line, global_clock_local(clock));
}

/* A number for the clock that this process reads. */
static int name_of_clock(void)
{
    char text[512] = "", *end = text;
    FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (boot && fgets(text, 256, boot))
        end += strlen(text);
    if (boot)
        fclose(boot);
    const ssize_t n = readlink("/proc/self/ns/time", end, 200);
    if (end == text && gethostname(text, 256) == 0)
        end += strlen(text);
    end += n > 0 ? n : 0;
    return (int)(fs_digest(text, (size_t)(end - text)) & 0x7fffffff);
}

void clock_tree_init(struct clock_tree *tree, const struct global_clock *clock, MPI_Comm comm)
{
    int rank, in_group;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_split(comm, clock->is_alone ? rank : name_of_clock(), rank, &tree->group);
    MPI_Comm_rank(tree->group, &in_group);
    MPI_Comm_split(comm, in_group == 0 ? 0 : MPI_UNDEFINED, rank, &tree->leaders);
    if (in_group == 0)
        MPI_Comm_size(tree->leaders, &tree->n_leaders);
    MPI_Bcast(&tree->n_leaders, 1, MPI_INT, 0, tree->group);
}

void clock_tree_clear(struct clock_tree *tree)
{
    MPI_Comm_free(&tree->group);
    if (tree->leaders != MPI_COMM_NULL)
        MPI_Comm_free(&tree->leaders);
}

/* The largest of all ranks' values, on rank 0. By messages: a reduction may be forced to an
 * algorithm that cannot run here. */
static void keep_largest(MPI_Comm comm, double *value, int n)
{
    double other[2];
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank > 0)
        MPI_Send(value, n, MPI_DOUBLE, 0, TAG, comm);
    for (int r = 1; rank == 0 && r < ranks; r++) {
        MPI_Recv(other, n, MPI_DOUBLE, r, TAG, comm, MPI_STATUS_IGNORE);
        for (int i = 0; i < n; i++)
            value[i] = fmax(value[i], other[i]);
    }
}

static void answer(const struct global_clock *clock, int asker, MPI_Comm comm)
{
    for (int i = 0; i < ASKED; i++) {
        MPI_Recv(NULL, 0, MPI_BYTE, asker, TAG, comm, MPI_STATUS_IGNORE);
        const double now_s = global_clock_now(clock);
        MPI_Send(&now_s, 1, MPI_DOUBLE, asker, TAG, comm);
    }
}

/* The quickest of some ping-pongs. */
static struct clock_visit ask(const struct global_clock *clock, int who, MPI_Comm comm)
{
    struct clock_visit best = { .rtt_s = INFINITY };
    for (int i = 0; i < ASKED; i++) {
        double other_s;
        const double sent_s = global_clock_local(clock);
        MPI_Send(NULL, 0, MPI_BYTE, who, TAG, comm);
        MPI_Recv(&other_s, 1, MPI_DOUBLE, who, TAG, comm, MPI_STATUS_IGNORE);
        const struct clock_visit v = clock_visit_of(sent_s, other_s, global_clock_local(clock));
        if (v.rtt_s < best.rtt_s)
            best = v;
    }
    return best;
}

/* One visit of every leader but the first to one that has been visited already. */
static void visit(struct global_clock *clock, const struct clock_tree *tree)
{
    int rank;
    if (tree->n_leaders < 2 || tree->leaders == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(tree->leaders, &rank);
    for (int known = 1; known < tree->n_leaders; known *= 2) {
        if (rank < known && rank + known < tree->n_leaders)
            answer(clock, rank + known, tree->leaders);
        if (rank < known || rank >= 2 * known)
            continue;
        const struct clock_visit v = ask(clock, rank - known, tree->leaders);
        clock_line_add(&clock->line, &v);
    }
}

/* What the leader knows, and since when: its clock is the group's. */
static void tell_group(struct global_clock *clock, const struct clock_tree *tree)
{
    struct {
        struct clock_line line;
        double visited_s;
    } told = { clock->line, clock->visited_s };
    MPI_Bcast(&told, sizeof told, MPI_BYTE, 0, tree->group);
    clock->line = told.line;
    clock->visited_s = told.visited_s;
}

void global_clock_visit(struct global_clock *clock, const struct clock_tree *tree)
{
    visit(clock, tree);
    visit(clock, tree); /* of fewer than three visits no line is made */
    clock->visited_s = global_clock_local(clock);
    tell_group(clock, tree);
}

void global_clock_learn(struct global_clock *clock, const struct clock_tree *tree)
{
    const struct timespec nap = { 0, NAP_NS };
    for (int i = 0; i < VISITS && tree->n_leaders > 1; i++) {
        visit(clock, tree);
        nanosleep(&nap, NULL);
    }
    clock->visited_s = global_clock_local(clock);
    tell_group(clock, tree);
}

/* A rank that took no part for a while knows less than the others: the oldest visit counts. */
static int is_due(const struct global_clock *clock, const struct clock_tree *tree)
{
    double age_s = global_clock_local(clock) - clock->visited_s;
    if (tree->n_leaders < 2)
        return 0;
    keep_largest(tree->group, &age_s, 1);
    if (tree->leaders != MPI_COMM_NULL) {
        keep_largest(tree->leaders, &age_s, 1);
        MPI_Bcast(&age_s, 1, MPI_DOUBLE, 0, tree->leaders);
    }
    MPI_Bcast(&age_s, 1, MPI_DOUBLE, 0, tree->group);
    return age_s >= mend_every_s;
}

/* Ranks that were in other teams before may have learnt other lines of one and the same clock: the
 * group goes by its leader's in any case. */
int global_clock_mend(struct global_clock *clock, const struct clock_tree *tree)
{
    const int due = is_due(clock, tree);
    if (due) {
        visit(clock, tree);
        clock->visited_s = global_clock_local(clock);
    }
    tell_group(clock, tree);
    return due;
}

double global_clock_error(const struct global_clock *clock, MPI_Comm comm, double *within)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    double mine[2] = { 0, 0 };
    for (int r = 1; r < ranks; r++) {
        if (rank == 0)
            answer(clock, r, comm);
        if (rank != r)
            continue;
        const struct clock_visit v = ask(clock, 0, comm);
        mine[0] = fabs(clock_line_other(&clock->line, v.local_s) - v.local_s - v.offset_s);
        mine[1] = v.rtt_s / 2;
    }
    keep_largest(comm, mine, 2);
    *within = mine[1];
    return mine[0];
}
