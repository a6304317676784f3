/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/rollout_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/cmd/tuned_file.h"

static int put(const struct rollout_form *form, const struct rollout *r, const char *output,
               struct err *err)
{
    char *text = rollout_make(form, r, err);
    int status = text ? 0 : -1;
    if (text && output)
        status = fs_write(output, text, err);
    else if (text && fputs(text, stdout) < 0)
        status = err_errno(err, "cannot print it");
    if (status == 0 && output)
        fprintf(stderr, "wrote %s\n", output);
    free(text);
    return status;
}

int rollout_of_text(const struct rollout_form *form, const struct rules_reader *reader,
                    const char *path, const char *text, const char *beside, struct err *err)
{
    char second[PATH_SIZE];
    struct rollout r = { { { reader, path, NULL, text, strlen(text) } }, 1 };
    if (beside) {
        if (fs_path(second, sizeof second, err, "%s%s", path, reader->beside) < 0)
            return -1;
        r.file[r.n++] =
            (struct rollout_file){ reader, second, reader->beside, beside, strlen(beside) };
    }
    return put(form, &r, NULL, err);
}

/* Reads one, and whether it would be loaded. Its text is the caller's, also after an error. */
static int read_file(const char *path, struct rollout_file *out, char **text, struct err *err)
{
    struct rules rules;
    *text = rules_read(path, &out->len, err);
    if (!*text)
        return -1;
    out->text = *text;
    out->reader = tuned_file_reader(*text);
    if (!out->reader)
        return err_set(err,
                       "%s: its head does not say whose rules they are (want a file of `collsel "
                       "rules write` or `collsel rules verify`)",
                       path);
    rules_of_text(out->reader, *text, out->len, &rules);
    const int loaded = rules.loaded;
    rules_close(&rules);
    return loaded ? 0
                  : err_set(err, "%s: %s would not load it (`collsel rules` says why)", path,
                            out->reader->name);
}

/* What goes beside one that was read; its text and its path are the caller's, as there. */
static int read_beside(const char *path, const struct rollout_file *of, struct rollout_file *out,
                       char at[PATH_SIZE], char **text, struct err *err)
{
    char own[PATH_SIZE];
    const char *ending = of->reader->beside;
    *out = (struct rollout_file){ of->reader, at, ending, NULL, 0 };
    if (fs_path(own, sizeof own, err, "%s%s", path, ending) < 0 ||
        fs_path(at, PATH_SIZE, err, "%s%s", of->path, ending) < 0)
        return -1;
    *text = rules_read(own, &out->len, err);
    out->text = *text;
    return *text ? 0 : err_prefix(err, "%s: what goes beside it", path);
}

int rollout_of_files(const struct rollout_form *form, const char *const *path, size_t n,
                     const char *install, const char *output, struct err *err)
{
    char *text[ROLLOUT_FILES] = { NULL }, at[ROLLOUT_FILES][PATH_SIZE];
    struct rollout r = { .n = 0 };
    int status = 0;
    for (size_t i = 0; i < n && status == 0; i++) {
        struct rollout_file *f = &r.file[r.n];
        tuned_file_path(path[i], install, at[r.n]);
        f->path = at[r.n];
        status = read_file(path[i], f, &text[r.n], err);
        r.n++;
        if (status == 0 && f->reader->beside) {
            status = read_beside(path[i], f, &r.file[r.n], at[r.n], &text[r.n], err);
            r.n++;
        }
    }
    if (status == 0)
        status = put(form, &r, output, err);
    for (size_t i = 0; i < r.n; i++)
        free(text[i]);
    return status;
}
