/* SPDX-License-Identifier: BSD-3-Clause */
#if defined MPI_IS_smpi || defined MPI_IS_other
/* native_default.c - libraries of which only the default can be run: SMPI chooses its collectives
 * by --cfg at launch; how another MPI, of which no row of native.h is known, forces its algorithms
 * is not known.
 *
 * Links of SMPI that the packets of several messages cross at a time (trunks of a tree, memory,
 * channels inside a node: harness/run/backends/sim_backend.c) carry many messages at a time, while
 * every other link carries one (libraries/smpi_launcher.c). */
#include "workloads/proof/native.h"

#ifdef MPI_IS_smpi
#include <simgrid/link.h>
#include <stdlib.h>
#include <string.h>

/* Link *simgrid::s4u::Link::set_concurrency_limit(int), of which SimGrid 3.32 has no C form; a
 * member function takes its object like a first argument. */
extern sg_link_t link_set_limit(sg_link_t link,
                                int most) __asm__("_ZN7simgrid3s4u4Link21set_concurrency_limitEi");

/* Known by the beginning of its name; of a seat's two, that which leads up. */
static int carries_many(const char *name)
{
    static const char *const many[] = {
        "trunk", "memory-", "bridge-", "cache-", "core-", "socket-"
    };
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        if (strncmp(name, many[i], strlen(many[i])) == 0)
            return 1;
    return strncmp(name, "seat-", 5) == 0 && strcmp(name + length - 3, "_UP") == 0;
}

/* Every rank does it, before any has sent a message. */
static void set_environment(void)
{
    const size_t n = sg_link_count();
    sg_link_t *link = sg_link_list();
    for (size_t i = 0; i < n; i++)
        if (carries_many(sg_link_get_name(link[i])))
            link_set_limit(link[i], -1);
    free(link);
}

static const char name[] = "smpi", why_not[] = " inside a launch (want smpi:default)";
#else
static void set_environment(void)
{
}

static const char name[] = "", why_not[] = ": this MPI's own algorithms are not known here";
#endif

static int open_default(MPI_Comm world, struct err *err)
{
    (void)world;
    (void)err;
    return 0;
}

static int force(const struct point *point, MPI_Comm parent, MPI_Comm *comm, struct err *err)
{
    if (!algorithm_is_default(point->candidate.algorithm))
        return err_set(err, "'%s' cannot be forced%s", point->candidate.algorithm, why_not);
    if (MPI_Comm_dup(parent, comm) != MPI_SUCCESS)
        return err_set(err, "MPI_Comm_dup failed");
    return 0;
}

static void watch(void)
{
}

static void judge(const struct point *point, MPI_Comm team, MPI_Comm comm,
                  struct evidence *evidence)
{
    (void)point, (void)comm;
    (void)team;
    *evidence = (struct evidence){ .status = "ok", .verified = "unforced" };
}

static void release(MPI_Comm *comm)
{
    MPI_Comm_free(comm);
}

const struct native native_library = {
    .library = name,
    .equivalent = "",
    .set_environment = set_environment,
    .open = open_default,
    .force = force,
    .watch = watch,
    .judge = judge,
    .release = release,
};
#endif
