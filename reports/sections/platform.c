/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine as the cluster file describes it; for a simulated one, the assumptions behind every
 * number of the report. */
#include "harness/base/json_print.h"
#include "reports/section_common.h"

static void put_settings(struct page *page, const char *file, const char *name, const char *caption)
{
    json_t *all = json_object_get(json_object_get(page->data->manifest, file), "settings");
    const char *section, *key;
    const char *before = "";
    json_t *settings, *setting;
    struct table *t = page_table_new(page, name, "%s", caption);
    table_columns(t, "<section|section ; <key|key ; <value|value ; <source|where it comes from");
    json_object_foreach(all, section, settings)
    {
        json_object_foreach(settings, key, setting)
        {
            const char *value = json_text_at(setting, "value"),
                       *source = json_text_at(setting, "source");
            int fallback = json_is_true(json_object_get(setting, "default"));
            if (!*value && fallback)
                continue;
            table_cell(t, section, "%s", strcmp(section, before) == 0 ? "" : section);
            before = section;
            table_cells(t, "%s | %s | %s=%s", key, value, source,
                        *source    ? source
                        : fallback ? "default"
                                   : "the file");
            if (strncmp(source, "assumed", 7) == 0)
                table_mark(t, MARK_FAIR);
        }
    }
    page_table(page, t);
}

static void write_section(struct page *page)
{
    const struct report_data *d = page->data;
    if (strcmp(d->backend, "sim") == 0)
        fputs("All times of this report are **simulated**: SimGrid SMPI ran the algorithms’ real "
              "message passing on a platform generated from the cluster file. What that file "
              "assumes stands below; values marked as assumed were neither read from a "
              "specification nor measured on the machine. Other assumptions would give other "
              "times and may give other winners.\n",
              page->md);
    else if (strcmp(d->backend, "walk") == 0)
        fputs("All times of this report are **walked**: nothing was run, measured or simulated. A "
              "walk took every message of the schedules over the platform that a simulation gets "
              "of the cluster file, by the simulator’s rules (docs/simulation.md); how far it is "
              "from that simulation stands under “Against other results” where there is one. "
              "Other assumptions in the file would give other times and may give other winners.\n",
              page->md);
    else if (d->emulated)
        fputs(
            "All times of this report are **emulated**: the real libraries ran under a real Slurm "
            "and talked real TCP, but every node is a network namespace of one machine and every "
            "link a pair of virtual interfaces with a token bucket. Where the links decide a "
            "time, it is that of such a network; all ranks share the processor cores of that "
            "one machine, so that processor costs and start-up are not those of the nodes "
            "described below.\n",
            page->md);
    else if (d->simulated)
        fputs("The times of this report are not measured on the machine that the cluster file "
              "describes.\n",
              page->md);
    if (json_is_object(json_object_get(json_object_get(d->manifest, "cluster"), "settings")))
        put_settings(page, "cluster", "platform", "The cluster file, resolved");
    else
        fputs("\nThe manifest does not hold the cluster’s settings.\n", page->md);
    if (json_is_object(json_object_get(json_object_get(d->manifest, "study"), "settings")))
        put_settings(page, "study", "study", "The study file, resolved");
}

const struct section section_platform = {
    .name = "platform",
    .title = "The machine and the study",
    .subject = PAGE_MACHINE,
    .write = write_section,
};
