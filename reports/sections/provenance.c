/* SPDX-License-Identifier: BSD-3-Clause */
/* Where everything comes from: tool, compiler, libraries, machine, seed, digests, runs. */
#include "reports/section_common.h"

/* What others measured has no seed, study file or host of ours: left out where it is not told. */
static void put(struct table *t, const struct report_data *d, const char *what, const char *value)
{
    if (d->imported && strcmp(value, "unknown") == 0)
        return;
    table_cells(t, "%s | %s", what, value);
}

static void put_libraries(struct table *t, const struct report_data *d)
{
    const char *name;
    json_t *mpi;
    json_object_foreach(json_object_get(d->manifest, "mpi"), name, mpi)
    {
        const char *version = json_string_value(json_object_get(mpi, "version"));
        table_cells(t, "%s | %s", mpi_label(name), version ? version : "unknown");
    }
}

static void put_facts(struct page *page)
{
    const struct report_data *d = page->data;
    char seed[32];
    struct table *t = page_table_new(page, "provenance", "Provenance");
    table_columns(t, "<what| ; <value|");
    put(t, d, "tool (commit)", manifest_text(d, "tool/commit"));
    put(t, d, "compiler", manifest_text(d, "tool/compiler"));
    put_libraries(t, d);
    put(t, d, "backend", d->backend);
    put(t, d, "why this backend", manifest_text(d, "backend/why"));
    put(t, d, "host", manifest_text(d, "machine/host"));
    put(t, d, "CPU of the host", manifest_text(d, "machine/cpu"));
    put(t, d, "kernel", manifest_text(d, "machine/kernel"));
    json_t *s = json_object_get(d->manifest, "seed");
    snprintf(seed, sizeof seed, "%lld", (long long)json_integer_value(s));
    put(t, d, "seed", s ? seed : "unknown");
    put(t, d, "cluster file (FNV-1a)", manifest_text(d, "cluster/digest"));
    put(t, d, "study file (FNV-1a)", manifest_text(d, "study/digest"));
    put(t, d, "manifest digest", manifest_text(d, "digest"));
    page_table(page, t);
}

static void put_run(struct table *t, json_t *run)
{
    static const char *const keys[] = { "started", "ended", "status", "command", "launch_command" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *text = json_string_value(json_object_get(run, keys[i]));
        table_text(t, text ? text : "unknown");
    }
}

static void put_runs(struct page *page)
{
    json_t *runs = json_object_get(page->data->manifest, "runs"), *run;
    size_t i;
    if (!json_array_size(runs))
        return;
    struct table *t = page_table_new(page, "runs", "Runs that made the times");
    table_columns(t, "<started|started (UTC) ; <ended|ended ; <status|status ; <command|command ; "
                     "<launch_command|one of its launches");
    json_array_foreach(runs, i, run)
    {
        put_run(t, run);
    }
    page_table(page, t);
}

static void write_section(struct page *page)
{
    put_facts(page);
    put_runs(page);
    fputs(
        "\nBeside this page: `figures/` holds every figure as SVG and PDF with its gnuplot script "
        "and data (`gnuplot NAME.gp` there draws it again), `tables/` every table as Markdown, "
        "LaTeX and CSV. One directory up lie the files that all of this was computed from.\n",
        page->md);
}

const struct section section_provenance = {
    .name = "provenance",
    .title = "Provenance",
    .subject = PAGE_MACHINE,
    .write = write_section,
};
