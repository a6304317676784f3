/* SPDX-License-Identifier: BSD-3-Clause */
/* forced_setting.c - one algorithm forced on a command line, as a reader's library reads it. */
#include "harness/rules/export.h"
#include "harness/study/libraries/natives.h"

char *rules_setting(const struct rules_reader *reader, const struct cell *cell,
                    const struct candidate *choice)
{
    struct native_setting set[NATIVE_SETTINGS];
    char *text = NULL;
    size_t size;
    const struct candidate take = rules_plain_choice(choice);
    const struct native *native =
        native_in_rules(reader->library, reader->version, cell->collective, take.algorithm);
    if (!reader->forcing || !native ||
        native_refusal(native, cell->procs, cell->bytes, take.fanout))
        return NULL;
    FILE *out = memory_stream(&text, &size);
    fputs(reader->forcing, out);
    const size_t n = native_settings(native, &take, set);
    for (size_t i = 0; i < n; i++)
        fprintf(out, " %s %s %s", reader->option, set[i].name, set[i].value);
    fclose(out);
    return text;
}
