/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/life.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/base/memory.h"
#include "workloads/libcollsel/process_state.h"
#include "workloads/libcollsel/summary.h"

/* ---- beginning ---- */

/* A launcher may drop what it has not read of a pipe when a rank gives up: up to a second for it to
 * read. */
static void let_read(int fd)
{
    const struct timespec nap = { .tv_nsec = 10000000 };
    int left = 0;
    for (int i = 0; i < 100 && ioctl(fd, FIONREAD, &left) == 0 && left > 0; i++)
        nanosleep(&nap, NULL);
}

static void end_program(const char *text)
{
    fprintf(stderr, "collsel: %s\n", text);
    fflush(stderr);
    let_read(fileno(stderr));
    PMPI_Abort(MPI_COMM_WORLD, EXIT_USAGE);
}

/* What has to be alike on all ranks: else some would wait for others for ever. */
static void check_alike(const struct libcollsel_settings *s)
{
    enum { N = 8 };
    const int said[N] = { (int)s->mode, (int)s->repository, (int)s->judge,    s->groups,
                          s->sites,     s->sizes,           s->table != NULL, s->model != NULL };
    int mine[2 * N], most[2 * N];
    for (int i = 0; i < N; i++) {
        mine[i] = said[i];
        mine[N + i] = -said[i];
    }
    PMPI_Allreduce(mine, most, 2 * N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        if (most[i] != -most[N + i])
            end_program("ranks were started with different variables COLLSEL_...");
}

/* 1 when some rank has it. */
static int some_rank(int mine)
{
    int any;
    PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any;
}

static void read_settings(struct libcollsel_settings *settings)
{
    struct err err = { 0 };
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int wrong = libcollsel_settings_read(settings, environ, &err) < 0;
    if (wrong && rank == 0)
        end_program(err.text);
    if (some_rank(wrong) && wrong) /* rank 0 alone says it where it has it, too */
        end_program(err.text);
}

/* No table comes near it; a device has no end. */
/* Rank 0 reads it, so that all have the same. */
static struct choice_table *read_table(const struct libcollsel_settings *s, int rank)
{
    struct err err = { 0 };
    size_t length = 0;
    char *text =
        rank == 0 ? fs_read_within(s->table, CHOICE_TABLE_MOST_BYTES, &length, &err) : NULL;
    uint64_t bytes = length;
    if (rank == 0 && !text) {
        err_prefix(&err, "COLLSEL_TABLE");
        end_program(err.text);
    }
    PMPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (rank > 0)
        text = memory_zeros((size_t)bytes + 1, 1);
    PMPI_Bcast(text, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    struct choice_table *table = choice_table_parse(text, (size_t)bytes, s->table, &err);
    free(text);
    if (!table && rank == 0) {
        err_prefix(&err, "COLLSEL_TABLE");
        end_program(err.text);
    }
    PMPI_Barrier(MPI_COMM_WORLD); /* where rank 0 ends the program nobody goes on */
    return table;
}

/* What cannot be asked now cannot later. */
static void ask_model(struct library *lib, int rank)
{
    struct err err = { 0 };
    if (models_begin(&lib->models, &lib->settings, lib->own, &err) < 0 && rank == 0) {
        err_prefix(&err, "COLLSEL_MODEL");
        end_program(err.text);
    }
    PMPI_Barrier(MPI_COMM_WORLD); /* as in read_table */
}

void life_begin(void)
{
    struct libcollsel_settings settings;
    int rank, level = MPI_THREAD_SINGLE;
    read_settings(&settings);
    check_alike(&settings);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (settings.mode == LIBCOLLSEL_OFF)
        return;
    PMPI_Query_thread(&level); /* MPI_Init may give it, too, where a variable asks for it */
    if (some_rank(level == MPI_THREAD_MULTIPLE)) {
        if (rank == 0)
            fputs("collsel: the application has MPI_THREAD_MULTIPLE: its calls pass through\n",
                  stderr);
        return;
    }
    struct library *lib = library_new(&settings);
    if (settings.table)
        lib->table = read_table(&settings, rank);
    if (settings.model)
        ask_model(lib, rank);
    clock_tree_init(&lib->clocks, &lib->clock, lib->own);
    global_clock_learn(&lib->clock, &lib->clocks);
    library_enter(lib);
}

/* ---- the end ---- */

/* What is called here is no call of the application. */
void life_end(void)
{
    struct library *lib = library_get();
    if (!lib)
        return;
    library_leave(lib);
    global_clock_mend(&lib->clock, &lib->clocks);
    summary_make(lib);
    clock_tree_clear(&lib->clocks);
    library_free(lib);
}
