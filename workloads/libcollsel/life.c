/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/life.h"

#include <stdio.h>
#include <unistd.h>

#include "workloads/libcollsel/library.h"
#include "workloads/libcollsel/summary.h"

/* ---- beginning ---- */

static void end_program(const char *text)
{
    fprintf(stderr, "collsel: %s\n", text);
    fflush(stderr);
    PMPI_Abort(MPI_COMM_WORLD, EXIT_USAGE);
}

/* What has to be alike on all ranks: else some would wait for others for ever. */
static void check_alike(const struct libcollsel_settings *s)
{
    int64_t mine[2] = { (int64_t)s->mode, -(int64_t)s->mode }, most[2];
    PMPI_Allreduce(mine, most, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (most[0] != -most[1])
        end_program("ranks were started with different COLLSEL_MODE");
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

void life_begin(int provided)
{
    struct libcollsel_settings settings;
    int rank;
    read_settings(&settings);
    check_alike(&settings);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (settings.mode == LIBCOLLSEL_OFF)
        return;
    if (some_rank(provided == MPI_THREAD_MULTIPLE)) {
        if (rank == 0)
            fputs("collsel: the application has MPI_THREAD_MULTIPLE: its calls pass through\n",
                  stderr);
        return;
    }
    struct library *lib = library_new(&settings);
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
