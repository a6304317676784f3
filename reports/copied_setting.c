/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/copied_setting.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "reports/section_common.h"

const char *setting_library(const struct rules_reader *reader, char *buf, size_t size)
{
    const char *release = strchr(reader->name, '-');
    snprintf(buf, size, "%s%s%.*s", mpi_label(reader->library), release ? " " : "",
             release ? (int)strcspn(release + 1, "-") : 0, release ? release + 1 : "");
    return buf;
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

const char *setting_backend(const struct report_data *d)
{
    return d->simulated ? brief(" --backend %s", d->backend) : "";
}

void setting_export(char *command, size_t size, const struct report_data *d,
                    const struct rules_reader *reader, const char *mpi, const char *mapping)
{
    const int named = !d->simulated && !reader->schedules && strcmp(mpi, reader->library) != 0;
    snprintf(command, size,
             "collsel rules write --cluster %s --%s %s%s --mapping %s --library %s%s%s --output "
             "%s.rules",
             d->cluster, d->imported ? "dataset" : "study", d->study, setting_backend(d), mapping,
             reader->name, named ? " --mpi " : "", named ? mpi : "", d->cluster);
}
