/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/run_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/rules/carried.h"

/* Reasons repeat for many cells: so many are printed, the others counted. */
enum { MOST_TOLD = 8 };

static void tell(const char *rules, const struct rules_findings *told)
{
    for (size_t i = 0; i < told->n && i < MOST_TOLD; i++)
        fprintf(stderr, "collsel: %s: left to the library: %s\n", rules, told->v[i].text);
    if (told->n > MOST_TOLD)
        fprintf(stderr, "collsel: %s: and %zu more\n", rules, told->n - MOST_TOLD);
}

static int write_table(const char *rules, const struct rules_reader *reader,
                       const struct rules_choices *choices, const char *path, struct err *err)
{
    char made_of[RULES_TEXT];
    const char *const remarks[] = { made_of, NULL };
    struct rules_made made = { .cells = 0 };
    snprintf(made_of, sizeof made_of, "made by collsel run --rules, of a file for %s",
             reader->name);
    char *text = rules_export(rules_reader_find("libcollsel"), choices, remarks, &made, err);
    const int status = text ? fs_write(path, text, err) : -1;
    if (status == 0)
        tell(rules, &made.told);
    free(text);
    rules_made_clear(&made);
    return status;
}

int run_rules_table(const char *rules, const struct rules_reader *reader, const char *path,
                    struct err *err)
{
    struct rules r;
    struct rules_choices choices;
    size_t length;
    int limited;
    char *text = rules_read(rules, &length, err);
    if (!text)
        return -1;
    rules_of_text(reader, text, length, &r);
    int status = rules_carry(&r, text, length, &choices, &limited, err);
    rules_close(&r);
    free(text);
    if (status < 0)
        return err_prefix(err, "%s", rules);
    if (limited)
        fprintf(stderr, "collsel: %s: limits of requests at a time are left out\n", rules);
    status = write_table(rules, reader, &choices, path, err);
    rules_choices_clear(&choices);
    return status;
}
