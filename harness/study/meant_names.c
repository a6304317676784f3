/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/meant_names.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/study/libraries/natives.h"
#include "harness/study/point.h"
#include "workloads/schedules/collectives.h"

void meant_collectives(struct meant *m)
{
    for (const struct collective *c = collectives; c->name; c++)
        meant_try(m, c->name);
}

void meant_measured_collectives(struct meant *m)
{
    for (const struct collective *c = collectives; c->name; c++)
        if (c->algorithms)
            meant_try(m, c->name);
}

static void try_of(struct meant *m, const char *library, const char *name)
{
    char whole[2 * NAME_SIZE];
    snprintf(whole, sizeof whole, "%s%s", library, name);
    meant_try(m, whole);
}

void meant_schedules(struct meant *m, const char *collective)
{
    const char *own = algorithm_base_name(m->word);
    char library[MEANT_NAME]; /* with the colon; "": the word has none */
    snprintf(library, sizeof library, "%.*s", (int)(own - m->word), m->word);
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        if (strcmp(a->collective, collective) == 0)
            try_of(m, library, a->name);
}

void meant_algorithms(struct meant *m, const char *collective)
{
    static const char *const libraries[] = { "openmpi", "mpich" };
    char library[MEANT_NAME]; /* with the colon; "": the word has none */
    const char *own = algorithm_base_name(m->word);
    snprintf(library, sizeof library, "%.*s", (int)(own - m->word), m->word);
    if (!*library || strcmp(library, "portable:") == 0)
        meant_schedules(m, collective);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        const size_t len = strlen(libraries[i]);
        if (*library && (strncmp(library, libraries[i], len) != 0 || library[len] != ':'))
            continue;
        for (const struct native *n = natives_of(libraries[i]); n->name; n++)
            if (strcmp(n->collective, collective) == 0)
                try_of(m, library, n->name);
    }
}

void meant_files(struct meant *m, const char *dir)
{
    struct dirent **found;
    const int n = scandir(dir, &found, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char name[MEANT_NAME];
        const size_t len = strlen(found[i]->d_name);
        if (len > 4 && strcmp(found[i]->d_name + len - 4, ".ini") == 0) {
            snprintf(name, sizeof name, "%.*s", (int)(len - 4), found[i]->d_name);
            meant_try(m, name);
        }
        free(found[i]);
    }
    if (n >= 0)
        free(found);
}
