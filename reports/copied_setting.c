/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/copied_setting.h"

#include "harness/base/argv.h"
#include "harness/base/install_paths.h"
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

/* How a command names a file of the study: by its name where that is looked for (DIR of here, and
 * what came with the program), else by its path. */
static void add_file(struct argv *words, const struct report_data *d, const char *what,
                     const char *dir, const char *name)
{
    const char *path =
        json_string_value(json_object_get(json_object_get(d->manifest, what), "file"));
    char usual[PATH_SIZE], installed[PATH_SIZE];
    snprintf(usual, sizeof usual, "%s/%s.ini", dir, name);
    const int found =
        !path || !*path || strcmp(path, usual) == 0 ||
        (install_path_find(usual, installed, sizeof installed) && strcmp(path, installed) == 0);
    argv_add(words, "%s", found ? name : path);
}

char *setting_which(const struct report_data *d)
{
    struct argv all = { 0 };
    argv_add(&all, "--cluster");
    add_file(&all, d, "cluster", "clusters", d->cluster);
    argv_add(&all, d->imported ? "--dataset" : "--study");
    if (d->imported)
        argv_add(&all, "%s", d->study);
    else
        add_file(&all, d, "study", "clusters/studies", d->study);
    if (d->simulated) {
        argv_add(&all, "--backend");
        argv_add(&all, "%s", d->backend);
    }
    char results[PATH_SIZE], within[2 * NAME_SIZE + 2];
    snprintf(within, sizeof within, "/%s/%s", d->cluster, d->study);
    const char *at = NULL;
    for (const char *next = d->dir; (next = strstr(next, within)); next++)
        at = next;
    snprintf(results, sizeof results, "%.*s", at ? (int)(at - d->dir) : 0, d->dir);
    if (*results && strcmp(results, "results") != 0)
        argv_add(&all, "--results=%s", results);
    char *text = argv_text(&all);
    argv_free(&all);
    return text;
}

int setting_tuning(const struct report_data *d, const char *mpi, const char *mapping,
                   const struct rules_reader **reader, struct tuning *out, struct err *err)
{
    const struct tuning_question question = { .reader = *reader = tuning_reader(&d->facts, mpi),
                                              .mpi = d->facts.simulated ? NULL : mpi,
                                              .mapping = mapping,
                                              .margin_pct = SETTING_MARGIN_PCT,
                                              .doubted = d->doubted,
                                              .tie_pct = NAN };
    return *reader ? tuning_of_results(d->dir, &question, out, err)
                   : err_set(err, "no rules of '%s' are known", mpi);
}

char *setting_export(const struct report_data *d, const struct rules_reader *reader,
                     const char *mpi, const char *mapping)
{
    const int named = !d->simulated && !reader->schedules && strcmp(mpi, reader->library) != 0;
    char *which = setting_which(d);
    char *command = memory_text_of(
        "collsel rules write %s --mapping %s --library %s%s%s --output %s.rules", which, mapping,
        reader->name, named ? " --mpi " : "", named ? mpi : "", d->cluster);
    free(which);
    return command;
}
