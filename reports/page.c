/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page.h"

#include <unistd.h>

#include "harness/base/install_paths.h"
#include "harness/base/subprocess.h"
#include "reports/gnuplot.h"
#include "reports/style.h"

/* A note that a page has, and the table below which it stands. */
struct page_note {
    enum page_subject subject;
    char *text, *table;
};

void page_fail(struct page *page, const struct err *err)
{
    if (!page->failed)
        page->err = *err;
    page->failed = 1;
}

int page_begin(struct page *page, const struct report_data *data, const char *dir,
               const char *assets, struct err *err)
{
    char path[PATH_SIZE];
    *page = (struct page){ .data = data,
                           .dir = dir,
                           .assets = assets,
                           .lacks_gnuplot = !run_find("gnuplot", NULL, 0),
                           .lacks_pandoc = !run_find("pandoc", NULL, 0) };
    if (fs_path(path, sizeof path, err, "%s/figures", dir) < 0 || fs_mkdirs(path, err) < 0 ||
        fs_path(path, sizeof path, err, "%s/tables", dir) < 0 || fs_mkdirs(path, err) < 0)
        return -1;
    page->md = memory_stream(&page->text, &page->text_size);
    page->glossary =
        install_path_find("docs/glossary.md", path, sizeof path) ? fs_read(path, NULL, NULL) : NULL;
    return 0;
}

void page_abandon(struct page *page)
{
    if (page->md)
        fclose(page->md);
    for (size_t i = 0; i < page->slots; i++)
        memory_free(page->slot[i].html, page->slot[i].caption, page->slot[i].origin,
                    page->slot[i].marks);
    for (size_t i = 0; i < page->settings; i++)
        free(page->setting[i]);
    for (size_t i = 0; i < page->notes; i++)
        memory_free(page->noted[i].text, page->noted[i].table);
    memory_free(page->noted, page->setting, page->part, page->slot, page->text, page->glossary);
    *page = (struct page){ 0 };
}

void page_part(struct page *page, enum page_subject subject, const char *name, const char *title)
{
    *(struct page_part *)array_add(&page->part, &page->parts) =
        (struct page_part){ subject, name, title };
    fprintf(page->md, "\n\n## %s {#%s}\n\n", title, name);
}

/* Takes html and caption. */
static struct slot *add_slot(struct page *page, const char *kind, const char *name, char *html,
                             char *caption)
{
    struct slot *s = array_add(&page->slot, &page->slots);
    snprintf(s->key, sizeof s->key, "slot-%s-%s", kind, name);
    s->html = html;
    s->caption = caption;
    fprintf(page->md, "\n\n`@%s@`\n\n", s->key);
    return s;
}

struct table *page_table_new(const struct page *page, const char *name, const char *caption, ...)
{
    va_list args;
    va_start(args, caption);
    char *text = memory_print(caption, args);
    va_end(args);
    struct table *t = table_new(name, text, page->data->backend, page->data->backend_label);
    table_explain(t, page->glossary);
    free(text);
    return t;
}

static int write_table(const struct page *page, const struct table *t, const char *ending,
                       int (*write)(const struct table *, FILE *, struct err *), struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/tables/%s.%s", page->dir, table_name(t), ending) < 0)
        return -1;
    FILE *f = fopen(path, "we");
    if (!f)
        return err_errno(err, "%s", path);
    int status = write(t, f, err);
    if (fclose(f) != 0 && status == 0)
        status = err_errno(err, "%s", path);
    return status;
}

static void table_links(FILE *out, const char *name)
{
    fprintf(out,
            "<p class=\"files\"><a href=\"tables/%s.md\">Markdown</a> <a "
            "href=\"tables/%s.tex\">LaTeX</a> <a href=\"tables/%s.csv\">CSV</a></p>\n",
            name, name, name);
}

/* A page has each note once. */
static void share_notes(struct page *page, struct table *t)
{
    const enum page_subject on = page->parts ? page->part[page->parts - 1].subject : PAGE_INDEX;
    for (size_t i = 0; i < table_notes(t); i++) {
        const char *text = table_note_text(t, i);
        size_t k = 0;
        while (k < page->notes &&
               (page->noted[k].subject != on || strcmp(page->noted[k].text, text) != 0))
            k++;
        if (k < page->notes)
            table_note_at(t, i, page->noted[k].table);
        else
            *(struct page_note *)array_add(&page->noted, &page->notes) =
                (struct page_note){ on, memory_text(text), memory_text(table_name(t)) };
    }
}

enum { OPEN_CONTEXTS = 6 }; /* of more the first two have their tables open */

void page_table_into(struct page *page, struct table *t, FILE *out)
{
    struct err err = { 0 };
    share_notes(page, t);
    table_fold_behind(t, page->data->contexts > OPEN_CONTEXTS ? 1 : OPEN_CONTEXTS);
    if (write_table(page, t, "md", table_write_markdown, &err) < 0 ||
        write_table(page, t, "tex", table_write_latex, &err) < 0 ||
        write_table(page, t, "csv", table_write_csv, &err) < 0 ||
        table_write_html(t, out, &err) < 0)
        page_fail(page, &err);
    else
        table_links(out, table_name(t));
    table_free(t);
}

void page_html(struct page *page, const char *name, char *html)
{
    add_slot(page, "html", name, html, NULL);
}

void page_table(struct page *page, struct table *t)
{
    char *html = NULL, name[SLOT_KEY - 16];
    size_t size = 0;
    FILE *out = memory_stream(&html, &size);
    snprintf(name, sizeof name, "%s", table_name(t));
    page_table_into(page, t, out);
    fclose(out);
    if (page->failed)
        free(html);
    else
        add_slot(page, "table", name, html, NULL);
}

void page_table_some(struct page *page, struct table *t)
{
    if (table_rows(t))
        page_table(page, t);
    else
        table_free(t);
}

static FILE *open_figure(const struct page *page, const char *name, const char *ending,
                         struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/figures/%s.%s", page->dir, name, ending) < 0)
        return NULL;
    FILE *f = fopen(path, "we");
    if (!f)
        err_errno(err, "%s", path);
    return f;
}

/* Before plotting: the same in every script, so that each runs by hand. The loop resets all that
 * the pass before it has set. */
static void write_preamble(FILE *gp, const char *name, int width, int height)
{
    gnuplot_print(
        gp,
        "reset session\n"
        "data = \"%s.csv\"\n"
        "do for [format in \"svg pdf\"] {\n"
        "reset\n"
        "set encoding utf8\n"
        "if (format eq \"svg\") {\n"
        "    set terminal svg size %d,%d dynamic noenhanced font \"sans-serif,13\" background "
        "rgb \"white\"\n"
        "} else {\n"
        "    set terminal pdfcairo size %.2fin,%.2fin noenhanced font \"Sans,9\"\n"
        "}\n"
        "set output \"%s.\".format\n"
        "set datafile separator \",\"\n"
        "set datafile columnheaders\n"
        "set datafile missing NaN\n",
        name, width, height, width / 110.0, height / 110.0, name);
    style_gnuplot(gp);
    fputs("set border 3 lc rgb \"#555555\"\n"
          "set grid lc rgb \"#dddddd\" lw 0.6 lt 1\n"
          "set tics nomirror out scale 0.6 textcolor rgb \"#333333\"\n"
          "set key noenhanced textcolor rgb \"#222222\"\n"
          "\n",
          gp);
}

void figure_begin(struct figure *f, struct page *page, const char *name, int width, int height,
                  const char *const *columns, const char *title)
{
    struct err err = { 0 };
    *f = (struct figure){ .page = page };
    snprintf(f->name, sizeof f->name, "%s", name);
    f->gp = open_figure(page, name, "gp", &err);
    f->data_file = open_figure(page, name, "csv", &err);
    if (!f->gp || !f->data_file) {
        page_fail(page, &err);
        if (!f->gp)
            f->gp = fopen("/dev/null", "we");
        if (!f->data_file)
            f->data_file = fopen("/dev/null", "we");
    }
    f->data.file = f->data_file;
    for (; *columns; columns++)
        csvw_text(&f->data, *columns);
    csvw_text(&f->data, "backend");
    csvw_end(&f->data);
    gnuplot_print(f->gp, "# %s - %s\n# %s, %s\n# Draws %s.svg and %s.pdf: gnuplot %s.gp\n", name,
                  title, page->data->cluster, page->data->backend_label, name, name, name);
    write_preamble(f->gp, name, width, height);
}

void figure_row(struct figure *f, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    for (const char *p = strchr(fmt, '%'); p; p = strchr(p + 1, '%'))
        if (p[1] == 's')
            csvw_text(&f->data, va_arg(args, const char *));
        else if (p[1] == 'd')
            csvw_i64(&f->data, va_arg(args, int));
        else if (p[1] == 'g')
            csvw_f64(&f->data, va_arg(args, double));
        else
            csvw_u64(&f->data, p[1] == 'z' ? va_arg(args, size_t) : va_arg(args, uintmax_t));
    va_end(args);
    csvw_text(&f->data, f->page->data->backend);
    csvw_end(&f->data);
    f->rows++;
}

void legend_begin(FILE *gp, double height)
{
    gnuplot_print(
        gp,
        "set lmargin at screen 0.02\nset rmargin at screen 0.98\nset tmargin at screen %.3f\n"
        "set bmargin at screen 0.01\nunset border\nunset tics\nunset title\nunset xlabel\n"
        "unset ylabel\nunset grid\nunset logscale\nset key center center horizontal reverse "
        "Left samplen 2 maxrows 1 width -2\nset xrange [0:1]\nset yrange [0:1]\nplot ",
        height);
}

void legend_end(FILE *gp)
{
    fputs("\nunset multiplot\n", gp);
}

/* Nothing to draw: leaves no files, and says so unless others measured, of whom no more is to come.
 */
static void drop_figure(const struct figure *f)
{
    static const char *const ending[] = { "gp", "csv" };
    char path[PATH_SIZE];
    for (size_t i = 0; i < 2; i++)
        if (fs_path(path, sizeof path, NULL, "%s/figures/%s.%s", f->page->dir, f->name,
                    ending[i]) == 0)
            unlink(path);
    if (!f->page->data->imported)
        fprintf(f->page->md, "\n\n*No figure `%s`: nothing of it has been measured.*\n\n", f->name);
}

void figure_end(struct figure *f, const char *caption, ...)
{
    struct err err;
    char *text = NULL;
    va_list args;
    va_start(args, caption);
    text = memory_print(caption, args);
    va_end(args);
    gnuplot_print(f->gp, "unset output\n}\n");
    int bad = ferror(f->gp) || ferror(f->data_file);
    bad |= fclose(f->gp) != 0;
    bad |= fclose(f->data_file) != 0;
    if (bad) {
        err_errno(&err, "figure '%s'", f->name);
        page_fail(f->page, &err);
        memory_free(text, f->marks);
        return;
    }
    if (f->rows) {
        struct slot *s = add_slot(f->page, "figure", f->name, NULL, text);
        s->origin = memory_text(f->page->data->backend_title);
        s->aside = f->aside;
        s->marks = f->marks;
    } else {
        drop_figure(f);
        memory_free(text, f->marks);
    }
}
