/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_IS_smpi
#include "workloads/proof/origin.h"

#include <dlfcn.h>
#include <link.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int begins(const char *path, const char *beginning)
{
    return strncmp(base_name(path), beginning, strlen(beginning)) == 0;
}

/* An object with its bounds. */
struct search {
    const char *beginning; /* of its name; NULL: any */
    uintptr_t address;     /* that it holds; 0: any */
    const char *found;
};

static int holds(const struct dl_phdr_info *info, uintptr_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const uintptr_t from = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && address >= from && address < from + p->p_memsz)
            return 1;
    }
    return 0;
}

static int look(struct dl_phdr_info *info, size_t size, void *user)
{
    struct search *s = user;
    (void)size;
    if ((s->beginning && !begins(info->dlpi_name, s->beginning)) ||
        (s->address && !holds(info, s->address)))
        return 0;
    s->found = info->dlpi_name;
    return 1;
}

void origin_file(const char *beginning, char *buf, size_t size)
{
    struct search s = { .beginning = beginning };
    dl_iterate_phdr(look, &s);
    snprintf(buf, size, "%s", s.found ? s.found : "");
}

int origin_is(const void *address, const char *beginning, char *where, size_t size)
{
    struct search at = { .address = (uintptr_t)address }, wanted = { .beginning = beginning };
    if (address)
        dl_iterate_phdr(look, &at);
    dl_iterate_phdr(look, &wanted);
    snprintf(where, size, "%s", at.found ? *at.found ? at.found : "the program itself" : "");
    return at.found && wanted.found && strcmp(at.found, wanted.found) == 0;
}

int origin_check(const char *symbol, const char *beginning, struct err *err)
{
    char where[256];
    if (origin_is(dlsym(RTLD_DEFAULT, symbol), beginning, where, sizeof where))
        return 0;
    return err_set(err, "%s is that of '%s', not of %s*", symbol, where, beginning);
}
#endif
