/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_smpi
/* native_smpi.c - SMPI chooses its collectives by --cfg at launch, so only its default can be run.
 *
 * Links that the packets of several messages cross at a time (trunks of a tree, memory, channels
 * inside a node: harness/run/backends/inside.h) carry many messages at a time, while every other
 * link carries one (libraries/smpi_launcher.c). */
#include "workloads/proof/native.h"

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
static void open_links(void)
{
    const size_t n = sg_link_count();
    sg_link_t *link = sg_link_list();
    for (size_t i = 0; i < n; i++)
        if (carries_many(sg_link_get_name(link[i])))
            link_set_limit(link[i], -1);
    free(link);
}

static int open_smpi(MPI_Comm world, struct err *err)
{
    (void)world;
    (void)err;
    return 0;
}

static int force(const struct point *point, MPI_Comm parent, MPI_Comm *comm, struct err *err)
{
    if (!algorithm_is_default(point->candidate.algorithm))
        return err_set(err, "'%s' cannot be forced inside a launch (want smpi:default)",
                       point->candidate.algorithm);
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
    .library = "smpi",
    .equivalent = "",
    .set_environment = open_links,
    .open = open_smpi,
    .force = force,
    .watch = watch,
    .judge = judge,
    .release = release,
};
#endif
