/* SPDX-License-Identifier: BSD-3-Clause */
/* What the launches were started in and what the libraries went by (docs/environment.md): lines of
 * the manifest, and of the heads of the samples. */
#include "harness/study/in_effect_lines.h"
#include "reports/section_common.h"

/* A line that launches of a library told. */
struct told {
    char mpi[64], *text; /* "WHAT=VALUE"; owned */
    size_t attempts;
};

struct told_list {
    struct told *v;
    size_t n, files;
};

static int applies(const struct report_data *d)
{
    return !d->imported && json_is_object(json_object_get(d->manifest, "environment"));
}

static void take_line(void *of, const char *mpi, const char *text)
{
    struct told_list *list = of;
    list->files += !text;
    for (size_t i = 0; text && i < list->n; i++)
        if (strcmp(list->v[i].mpi, mpi) == 0 && strcmp(list->v[i].text, text) == 0) {
            list->v[i].attempts++;
            return;
        }
    struct told *added = text ? array_add(&list->v, &list->n) : NULL;
    if (!added)
        return;
    snprintf(added->mpi, sizeof added->mpi, "%s", mpi);
    added->text = memory_text(text);
    added->attempts = 1;
    if (!added->text)
        list->n--;
}

static int by_text(const void *left, const void *right)
{
    const struct told *a = left, *b = right;
    return by_keys(strcmp(a->mpi, b->mpi), strcmp(a->text, b->text));
}

/* Of the samples of the study's digest. */
static int read_heads(const struct report_data *d, struct told_list *list, struct err *err)
{
    const struct in_effect_reader reader = { .digest = manifest_text(d, "digest"),
                                             .take = take_line,
                                             .of = list };
    const int status = in_effect_read(d->dir, &reader, err);
    if (list->n)
        qsort(list->v, list->n, sizeof *list->v, by_text);
    return status;
}

/* "WHAT=VALUE" in two cells. */
static void put_line(struct table *t, const char *text)
{
    char what[256];
    const size_t n = strcspn(text, "=");
    snprintf(what, sizeof what, "%.*s", (int)n, text);
    table_cells(t, "%s | %s", what, text[n] ? text + n + 1 : "");
}

static void put_list(struct table *t, const struct report_data *d, const char *list,
                     const char *what_became)
{
    json_t *line;
    size_t i;
    json_array_foreach(json_object_get(json_object_get(d->manifest, "environment"), list), i, line)
    {
        if (!json_is_string(line))
            continue;
        put_line(t, json_string_value(line));
        table_text(t, what_became);
    }
}

static void put_given(struct page *page)
{
    struct table *t =
        page_table_new(page, "environment", "What the launches were started in, and what not");
    table_columns(t, "<what| ; <value|value ; <became|");
    put_list(t, page->data, "lines", "in effect; part of the digest");
    put_list(t, page->data, "removed", "kept from the launches");
    page_table(page, t);
}

static void put_told(struct page *page, const struct told_list *list)
{
    struct table *t = page_table_new(page, "in-effect", "Settings that the libraries reported");
    table_columns(t, "<mpi|library ; <what| ; <value|value ; >attempts|launches");
    for (size_t i = 0; i < list->n; i++) {
        table_cell(t, list->v[i].mpi, "%s", mpi_label(list->v[i].mpi));
        put_line(t, list->v[i].text);
        table_number(t, (double)list->v[i].attempts, 0);
    }
    table_note(
        t,
        "Of %zu launch%s, attempts counted each; settings at the library's default are left out.",
        list->files, of_number(list->files, "", "es"));
    page_table(page, t);
}

/* 1 when a line "WHAT=VALUE" leaves components out: the list of `coll` without some, hcoll switched
 * off, MPICH's device not asked. */
static int leaves_out(const char *text)
{
    static const char *const off[] = { "coll_hcoll_enable=0", "DEVICE_COLLECTIVES=none" };
    const size_t n = strcspn(text, "=");
    if (n >= 4 && strncmp(text + n - 4, "coll", 4) == 0 && text[n] && text[n + 1] == '^')
        return 1;
    return any_below(i, sizeof off / sizeof *off,
                     strlen(text) >= strlen(off[i]) &&
                         strcmp(text + strlen(text) - strlen(off[i]), off[i]) == 0);
}

static void say_left_out(struct page *page, const char *text, size_t *said)
{
    if (!leaves_out(text))
        return;
    fputs((*said)++ ? ", "
                    : " Components are left out, and what is called the library's default "
                      "is the default without them: ",
          page->md);
    escape_code(page->md, text);
}

/* Returns how many settings leave components out. */
static size_t say_all_left_out(struct page *page, const struct told_list *list)
{
    size_t said = 0, i;
    json_t *line;
    json_array_foreach(
        json_object_get(json_object_get(page->data->manifest, "environment"), "lines"), i,
        line) if (json_is_string(line)) say_left_out(page, json_string_value(line), &said);
    for (i = 0; i < list->n; i++)
        say_left_out(page, list->v[i].text, &said);
    fputs(said ? ".\n" : "", page->md);
    return said;
}

static void write_section(struct page *page)
{
    struct told_list list = { 0 };
    const int site = strcmp(manifest_text(page->data, "environment/mode"), "site") == 0;
    if (read_heads(page->data, &list, &page->err) < 0)
        page->failed = 1;
    fputs(site ? "Environment **site**: settings of the site that select algorithms or components "
                 "are in these numbers; what is called the library's default is the site's."
               : "Environment **clean**: what selects algorithms or components is kept from the "
                 "launches.",
          page->md);
    if (!say_all_left_out(page, &list))
        fputs(site || page->data->simulated ? "\n" : " So the library's default is its own.\n",
              page->md);
    put_given(page);
    if (list.n)
        put_told(page, &list);
    for (size_t i = 0; i < list.n; i++)
        free(list.v[i].text);
    free(list.v);
}

const struct section section_environment = {
    .name = "environment",
    .title = "Environment",
    .subject = PAGE_MACHINE,
    .applies = applies,
    .write = write_section,
};
