/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/suggest_names.h"

#include <dirent.h>

#include "harness/study/libraries/natives.h"
#include "workloads/schedules/collectives.h"

void meant_collectives(struct suggest *m)
{
    for (const struct collective *c = collectives; c->name; c++)
        suggest_try(m, c->name);
}

void meant_measured_collectives(struct suggest *m)
{
    for (const struct collective *c = collectives; c->name; c++)
        if (c->rows[0])
            suggest_try(m, c->name);
}

void meant_algorithms(struct suggest *m, const char *collective)
{
    static const struct native *const natives[] = { natives_openmpi, natives_mpich };
    const struct collective *c = collective_find(collective);
    for (const struct algorithm *a = NULL; c && (a = collective_algorithm(c, a));)
        suggest_try(m, a->name);
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        for (const struct native *n = natives[i]; n->name; n++)
            if (strcmp(n->collective, collective) == 0)
                suggest_try(m, n->name);
}

void meant_files(struct suggest *m, const char *dir)
{
    struct dirent **found;
    const int n = scandir(dir, &found, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char name[SUGGEST_NAME];
        const size_t len = strlen(found[i]->d_name);
        if (len > 4 && strcmp(found[i]->d_name + len - 4, ".ini") == 0) {
            snprintf(name, sizeof name, "%.*s", (int)(len - 4), found[i]->d_name);
            suggest_try(m, name);
        }
        free(found[i]);
    }
    if (n >= 0)
        free(found);
}
