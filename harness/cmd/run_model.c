/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/run_model.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/tuning.h"
#include "harness/base/fs.h"
#include "harness/cmd/tuning_options.h"

/* Up to 1024 ranks and 16 MiB: beyond, the library decides. */
static const uint64_t model_procs[] = { 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024 };
static const uint64_t model_bytes[] = { 1,     4,     16,     64,      256,     1024,    4096,
                                        16384, 65536, 262144, 1048576, 4194304, 16777216 };

int run_model_table(const char *model, const char *path, struct err *err)
{
    static const char *const remarks[] = { "made by collsel run --model", NULL };
    const struct tuning_question question = {
        .reader = rules_reader_find("libcollsel"),
        .procs = model_procs,
        .bytes = model_bytes,
        .n_procs = sizeof model_procs / sizeof *model_procs,
        .n_bytes = sizeof model_bytes / sizeof *model_bytes,
        .likely = ADVICE_LIKELY,
        .margin_pct = 3,
    };
    struct tuning tuning;
    struct rules_made made;
    struct whole_file f;
    if (tuning_of_model(model, &question, &tuning, err) < 0)
        return -1;
    tuning_options_tell_undecided(&tuning);
    char *text = rules_export(question.reader, &tuning.choices, remarks, &made, err);
    int status = text ? fs_begin(&f, path, err) : -1;
    if (status == 0) {
        fputs(text, f.file);
        status = fs_commit(&f, err);
    }
    free(text);
    rules_made_clear(&made);
    tuning_clear(&tuning);
    return status;
}
