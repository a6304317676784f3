/* SPDX-License-Identifier: BSD-3-Clause */
/* What others measured: the files that were imported, what became of their rows, and what looks
 * wrong in them (manifest.json, audit.csv). */
#include "analysis/audit/audit.h"
#include "reports/section_common.h"

static int applies(const struct report_data *d)
{
    return d->imported;
}

static void put_count(struct table *t, const json_t *source, const char *key)
{
    table_number(t, (double)json_integer_value(json_object_get(source, key)), 0);
}

static void put_text(struct table *t, const json_t *source, const char *key)
{
    const char *text = json_string_value(json_object_get(source, key));
    table_text(t, text ? text : "unknown");
}

/* The last part of a path: the page is read elsewhere. */
static void put_file(struct table *t, const json_t *source)
{
    const char *path = json_string_value(json_object_get(source, "file"));
    const char *slash = path ? strrchr(path, '/') : NULL;
    table_text(t, slash ? slash + 1 : path ? path : "unknown");
}

static void put_sources(struct page *page)
{
    const json_t *sources =
        json_object_get(json_object_get(page->data->manifest, "import"), "sources");
    struct table *t = page_table_new(page, "imported", "Imported files");
    table_columns(t, "<file|file ; <format|format ; >lines|lines ; >taken|taken ; "
                     ">repeated|repeated ; >set_aside|set aside ; .digest|digest");
    for (size_t i = 0; i < json_array_size(sources); i++) {
        const json_t *s = json_array_get(sources, i);
        put_file(t, s);
        put_text(t, s, "format");
        put_count(t, s, "lines");
        put_count(t, s, "taken");
        put_count(t, s, "repeated");
        put_count(t, s, "set_aside");
        put_text(t, s, "digest");
    }
    page_table(page, t);
}

static void put_finding(struct table *t, const struct finding *f)
{
    char points[32];
    snprintf(points, sizeof points, "%zu", f->points);
    table_cells(t, "%s | %s | %s | %s | %s", severity_words[f->severity], f->check->name,
                f->subject, points, f->evidence);
}

static void put_findings(struct page *page)
{
    char path[PATH_SIZE];
    struct err err = { 0 };
    size_t n;
    if (fs_path(path, sizeof path, &err, "%s/%s", page->data->dir, audit_schema.path) < 0 ||
        !fs_exists(path))
        return;
    struct finding *finding = schema_read(&audit_schema, page->data->dir, &n, &err);
    struct table *t = page_table_new(page, "audit", "What looks wrong in the measurements");
    table_columns(
        t,
        "<severity|how bad ; <check|what ; <subject|where ; >points|points ; <evidence|evidence");
    for (size_t i = 0; i < n; i++)
        put_finding(t, &finding[i]);
    free(finding);
    if (err.status)
        page_fail(page, &err);
    if (n)
        fprintf(
            page->md,
            "\n`collsel import audit` finds %zu thing%s; a finding is no proof; it says where to "
            "look.\n",
            n, plural(n));
    else
        fputs("\n`collsel import audit` finds nothing.\n", page->md);
    page_table_some(page, t);
}

/* In how many cells the default's loss has an interval, and why not elsewhere. */
static void say_intervals(struct page *page)
{
    const struct report_data *d = page->data;
    size_t with = 0, cells = 0;
    for (size_t i = 0; i < d->choices; i++) {
        const struct selection *c = &d->choice[i];
        if (strcmp(c->name, "default") != 0 || !isfinite(c->degradation_pct))
            continue;
        cells++;
        with += isfinite(c->ci_low_pct);
    }
    if (cells && with)
        fprintf(
            page->md,
            "\nUncertainty: in %zu of %zu cell%s the default and the best have at least three runs "
            "each, and their loss has an interval. The other cells have too few runs for one.\n",
            with, COUNTED(cells));
    else if (cells)
        fprintf(page->md,
                "\nUncertainty: in none of %zu cell%s do both the default and the best have three "
                "runs. No loss has an interval; algorithms within a few percent of each other are "
                "called tied.\n",
                cells, plural(cells));
}

static void write_section(struct page *page)
{
    say_intervals(page);
    put_sources(page);
    put_findings(page);
}

const struct section section_imported = {
    .name = "imported",
    .title = "What was imported",
    .subject = PAGE_QUALITY,
    .applies = applies,
    .intro =
        "All these times were measured by others. They are what the benchmark says of its "
        "iterations, most often their mean, and the median of several runs. The time of a point is "
        "that of the slowest rank where the files give it, else the mean over ranks. Which "
        "algorithm ran is taken from the files; nothing proves it.\n",
    .write = write_section,
};
