/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/setting.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"

const struct rules_reader *setting_reader(const struct facts *facts, const char *mpi)
{
    if (!facts->simulated)
        return rules_reader_of(mpi, facts_version(facts, mpi));
    for (const struct rules_reader *const *r = rules_readers; *r; r++)
        if ((*r)->sim && strcmp((*r)->sim, facts->sim_default) == 0)
            return *r;
    return strncmp(facts->sim_default, "openmpi", strlen("openmpi")) == 0
               ? rules_reader_find("openmpi-4.1")
               : NULL;
}

size_t setting_number(struct page *page, const struct rules_reader *reader, const struct cell *cell,
                      const struct candidate *choice)
{
    char *text = reader ? rules_setting(reader, cell, choice) : NULL;
    if (!text)
        return 0;
    for (size_t i = 0; i < page->settings; i++)
        if (strcmp(page->setting[i], text) == 0) {
            free(text);
            return i + 1;
        }
    *(char **)array_add(&page->setting, &page->settings) = text;
    return page->settings;
}
