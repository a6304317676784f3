/* SPDX-License-Identifier: BSD-3-Clause */
/* reload.h - makes a component of Open MPI read its file of rules anew, in a launch that goes on:
 * it is read when the component is opened, which is called again by the component's own table. The
 * file is DIR/now, a link to one of DIR/0, DIR/1 ... */
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"

/* The beginning of a component, as opal/mca/mca.h of 2.1.0 has it. */
struct component {
    int version[3];
    char project[16];
    int project_version[3];
    char type[32];
    int type_version[3];
    char name[64];
    int own_version[3];
    int (*open)(void);
};

struct reload_file {
    const char *name; /* "mca_coll_tuned" */
    char path[PATH_SIZE];
};

static inline int is_file(struct dl_phdr_info *info, size_t size, void *file)
{
    struct reload_file *f = file;
    (void)size;
    if (!strstr(info->dlpi_name, f->name))
        return 0;
    snprintf(f->path, sizeof f->path, "%s", info->dlpi_name);
    return 1;
}

/* A component of framework coll, "tuned", which must look as we think; or NULL. */
static inline const struct component *reload_find(const char *name)
{
    Dl_info info;
    char file[64], table[96];
    struct reload_file f = { .name = file };
    const struct component *c = NULL;
    void *open = NULL;
    snprintf(file, sizeof file, "mca_coll_%s", name);
    snprintf(table, sizeof table, "%s_component", file);
    dl_iterate_phdr(is_file, &f);
    /* of its own file, in 4.1; from 5.0 on it is part of the library */
    void *object = *f.path ? dlopen(f.path, RTLD_NOW | RTLD_NOLOAD) : RTLD_DEFAULT;
    if (object || !*f.path)
        c = dlsym(object, table);
    if (c)
        memcpy(&open, &c->open, sizeof open);
    if (!c || strcmp(c->type, "coll") != 0 || strcmp(c->name, name) != 0 || !dladdr(open, &info) ||
        !info.dli_fname || !strstr(info.dli_fname, *f.path ? file : "mpi.so"))
        return NULL;
    return c;
}

/* Rank 0 puts a file where the library looks for it (below 0: none), and all read it. Collective
 * over MPI_COMM_WORLD. */
static inline void reload_file(const struct component *c, const char *dir, int rank, int file)
{
    char from[PATH_SIZE], now[PATH_SIZE];
    snprintf(from, sizeof from, "%s/%d", dir, file);
    snprintf(now, sizeof now, "%s/now", dir);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        unlink(now);
        if (file >= 0 && link(from, now) != 0)
            perror(now);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    c->open();
}

/* A communicator of some ranks, ascending, of MPI_COMM_WORLD, whose errors are returned. Collective
 * over them. */
static inline MPI_Comm reload_comm(const int *ranks, int n)
{
    MPI_Group all, some;
    MPI_Comm comm;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, n, ranks, &some);
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 1, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    return comm;
}
