/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/report.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "reports/brief.h"
#include "reports/section_common.h"
#include "reports/trust.h"

/* Removes what reports that were killed left in the directory: ".report-PID" of no process. */
static void remove_stale(const char *dir)
{
    static const char prefix[] = ".report-";
    char path[PATH_SIZE];
    const struct dirent *e;
    uint64_t pid;
    DIR *d = opendir(dir);
    while (d && (e = readdir(d)))
        if (strncmp(e->d_name, prefix, sizeof prefix - 1) == 0 &&
            parse_u64(e->d_name + sizeof prefix - 1, &pid, NULL) == 0 && pid > 0 &&
            pid <= INT32_MAX && kill((pid_t)pid, 0) < 0 && errno == ESRCH &&
            fs_path(path, sizeof path, NULL, "%s/%s", dir, e->d_name) == 0)
            fs_remove_tree(path, NULL);
    if (d)
        closedir(d);
}

/* Swaps the finished directory in, in one step where the file system can; the one before it goes
 * only then. */
static int move_into_place(const char *fresh, const char *place, const char *old, struct err *err)
{
    fs_remove_tree(old, NULL);
    if (renameat2(AT_FDCWD, fresh, AT_FDCWD, place, RENAME_EXCHANGE) == 0) {
        fs_remove_tree(fresh, NULL); /* the one before */
        return 0;
    }
    if (errno != ENOENT && errno != EINVAL && errno != ENOSYS)
        return err_errno(err, "%s", place);
    if (rename(place, old) < 0 && errno != ENOENT)
        return err_errno(err, "%s", place);
    if (rename(fresh, place) < 0) {
        err_errno(err, "%s", place);
        if (rename(old, place) < 0)
            err_prefix(err, "the report before is in '%s'", old);
        return -1;
    }
    fs_remove_tree(old, NULL);
    return 0;
}

/* 1 when it is to be said why a section that does not apply is not there. */
static int is_missed(const struct report_data *d, const struct section *s)
{
    const char *experiments = manifest_text(d, "study/settings/fit/experiments/value");
    return s->absent && !d->imported && !(s->of_experiments && strcmp(experiments, "no") == 0);
}

static void say_absent(struct page *page, const struct section *s)
{
    char path[PATH_SIZE];
    if (s->file && fs_path(path, sizeof path, NULL, "%s/%s", page->data->dir, s->file) == 0 &&
        fs_exists(path))
        fprintf(page->md, "Nothing to show: `%s` is there, but has no values for this section.\n",
                s->file);
    else
        fprintf(page->md, "%s\n", s->absent);
}

int section_applies(const struct report_data *d, const struct section *s)
{
    const size_t *rows = s->rows ? (const void *)((const char *)d + s->rows) : NULL;
    return (!rows || *rows > 0) && (!s->applies || s->applies(d));
}

static void write_one(struct page *page, const struct section *s)
{
    fputs(s->intro ? s->intro : "", page->md);
    if (s->write)
        s->write(page);
    for (size_t i = 0; s->each && i < page->data->contexts; i++) {
        section_common_heading(page, &page->data->context[i], s->heading);
        s->each(page, &page->data->context[i]);
    }
}

static void write_sections(struct page *page, enum page_subject subject)
{
    for (const struct section *const *s = sections; *s; s++) {
        const int is_there = section_applies(page->data, *s);
        if ((*s)->subject != subject || (!is_there && !is_missed(page->data, *s)))
            continue;
        page_part(page, subject, (*s)->name, (*s)->title);
        (is_there ? write_one : say_absent)(page, *s);
    }
}

static int write_page(const struct report_data *data, const char *dir, const char *assets,
                      struct report_result *result, struct err *err)
{
    struct page page;
    if (page_begin(&page, data, dir, assets, err) < 0)
        return -1;
    for (enum page_subject subject = 0; subject < PAGE_SUBJECTS; subject++)
        write_sections(&page, subject);
    result->lacks_gnuplot = page.lacks_gnuplot;
    result->lacks_pandoc = page.lacks_pandoc;
    return page_finish(&page, err);
}

int report_write(const struct report_request *request, struct report_result *result,
                 struct err *err)
{
    char fresh[PATH_SIZE], place[PATH_SIZE], old[PATH_SIZE];
    struct report_data data;
    if (report_data_read(request->dir, request->doubted, &data, err) < 0)
        return -1;
    *result = (struct report_result){ .points = data.results };
    if (request->tell)
        fputs("drawing the figures and writing the page\n", request->tell);
    int status = 0;
    if (fs_path(fresh, sizeof fresh, err, "%s/.report-%ld", request->dir, (long)getpid()) < 0 ||
        fs_path(old, sizeof old, err, "%s/.report-old", request->dir) < 0 ||
        fs_path(place, sizeof place, err, "%s/report", request->dir) < 0)
        status = -1;
    if (status == 0) {
        fs_remove_tree(fresh, NULL);
        remove_stale(request->dir);
        status = write_page(&data, fresh, request->assets, result, err);
    }
    if (status == 0)
        status = move_into_place(fresh, place, old, err);
    if (status < 0) {
        err_replace(err, fresh, place);
        fs_remove_tree(fresh, NULL);
    }
    char *trust = trust_text(&data);
    snprintf(result->trust, sizeof result->trust, "%s", trust);
    free(trust);
    snprintf(result->index, sizeof result->index, "%.1180s/report/index.html", request->dir);
    if (status == 0 && request->brief)
        (request->json ? brief_json : brief_text)(request->brief, &data, result->index);
    report_data_clear(&data);
    return status;
}
