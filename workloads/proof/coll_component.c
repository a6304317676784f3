/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_openmpi
#include "workloads/proof/coll_component.h"

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

#include "workloads/schedules/collectives.h"

enum { WORDS = 256 /* of a communicator that are looked through */ };

struct served {
    void *function, *module;
};

/* Reads our own memory where there is some. */
static int peek(const void *at, void *to, size_t bytes)
{
    const struct iovec here = { to, bytes }, there = { (void *)(uintptr_t)at, bytes };
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

enum { CLASS_NAME = 64 };

/* A text of another's; it may lie at the end of what can be read. */
static int peek_text(const void *at, char text[CLASS_NAME])
{
    for (size_t n = CLASS_NAME - 1; n >= 8; n /= 2)
        if (at && peek(at, text, n)) {
            text[n] = '\0';
            return 1;
        }
    return 0;
}

/* The component of a module, by the name of its class, with which a class begins:
 * "mca_coll_han_module_t", or "ompi_coll_libnbc_module_t". */
static int component_of(const void *module, char *buf, size_t size)
{
    static const char mark[] = "coll_", end[] = "_module_t";
    void *class = NULL, *name = NULL;
    char text[CLASS_NAME];
    if (!module || !peek(module, &class, sizeof class) || !class ||
        !peek(class, &name, sizeof name) || !peek_text(name, text))
        return 0;
    const char *at = strstr(text, mark), *stop = at ? strstr(at, end) : NULL;
    if (!stop || stop[sizeof end - 1])
        return 0;
    at += strlen(mark);
    snprintf(buf, size, "%.*s", (int)(stop - at), at);
    return 1;
}

static int is_table(const struct served *row)
{
    Dl_info info;
    char name[32];
    for (int i = 0; i < OPENMPI_BLOCKING; i++)
        if (!row[i].function || !dladdr(row[i].function, &info) ||
            !component_of(row[i].module, name, sizeof name))
            return 0;
    return 1;
}

/* 1 and *row where the word of a communicator at this place is a table. */
static int table_at(MPI_Comm comm, size_t at, struct served row[OPENMPI_BLOCKING])
{
    void *word;
    return peek((const char *)comm + at * sizeof word, &word, sizeof word) && word &&
           (uintptr_t)word % sizeof(void *) == 0 &&
           peek(word, row, OPENMPI_BLOCKING * sizeof *row) && is_table(row);
}

/* The place is the same in every communicator: what looks like a table behind the end of one, or is
 * the rest of one, is none in the others. */
static int find_table(MPI_Comm comm, struct served row[OPENMPI_BLOCKING])
{
    struct served other[OPENMPI_BLOCKING];
    return any_below(i, WORDS,
                     table_at(comm, i, row) && table_at(MPI_COMM_WORLD, i, other) &&
                         table_at(MPI_COMM_SELF, i, other));
}

int coll_component_find(MPI_Comm comm, const char *collective, struct coll_component *out)
{
    struct served row[OPENMPI_BLOCKING];
    int i = 0;
    while (i < OPENMPI_BLOCKING && strcmp(openmpi_collectives[i], collective) != 0)
        i++;
    if (i == OPENMPI_BLOCKING || !find_table(comm, row))
        return 0;
    *out = (struct coll_component){ i, row[i].function, row[i].module };
    return 1;
}

const char *coll_component_of(MPI_Comm comm, const char *collective, char *buf, size_t size)
{
    struct coll_component owner;
    buf[0] = '\0';
    if (coll_component_find(comm, collective, &owner))
        component_of(owner.module, buf, size);
    return buf;
}
#endif
