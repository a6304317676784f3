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
                    const char *path, const char *text, struct err *err)
{
    const struct rollout r = { { { reader, path, text, strlen(text) } }, 1 };
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
                       "export` or `collsel verify`)",
                       path);
    rules_of_text(out->reader, *text, out->len, &rules);
    const int loaded = rules.loaded;
    rules_close(&rules);
    return loaded ? 0
                  : err_set(err, "%s: %s would not load it (`collsel rules` says why)", path,
                            out->reader->name);
}

int rollout_of_files(const struct rollout_form *form, const char *const *path, size_t n,
                     const char *install, const char *output, struct err *err)
{
    char *text[ROLLOUT_FILES] = { NULL }, at[ROLLOUT_FILES][PATH_SIZE];
    struct rollout r = { .n = n };
    int status = 0;
    for (size_t i = 0; i < n && status == 0; i++) {
        tuned_file_path(path[i], install, at[i]);
        r.file[i].path = at[i];
        status = read_file(path[i], &r.file[i], &text[i], err);
    }
    if (status == 0)
        status = put(form, &r, output, err);
    for (size_t i = 0; i < n; i++)
        free(text[i]);
    return status;
}
