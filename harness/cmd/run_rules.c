/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/run_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/rules/rule_choices.h"
#include "workloads/libcollsel/choice_table.h"

/* Reasons repeat for many cells: so many are printed, the others counted. */
enum { MOST_TOLD = 8 };

static void tell(const char *rules, const struct rules_findings *told)
{
    for (size_t i = 0; i < told->n && i < MOST_TOLD; i++)
        fprintf(stderr, "collsel: %s: left to the library: %s\n", rules, told->v[i].text);
    if (told->n > MOST_TOLD)
        fprintf(stderr, "collsel: %s: and %zu more\n", rules, told->n - MOST_TOLD);
}

/* What a table of ours begins with. */
static const char made_by[] = "made by collsel run --rules";

int run_rules_check(const char *path, struct err *err)
{
    size_t length;
    if (!fs_exists(path))
        return 0;
    char *text = fs_read_within(path, CHOICE_TABLE_MOST_BYTES, &length, NULL);
    const int ours =
        text && strncmp(text, "# ", 2) == 0 && strncmp(text + 2, made_by, sizeof made_by - 1) == 0;
    free(text);
    return ours ? 0
                : err_set(err,
                          "'%s' is there, and collsel run --rules has not made it (want --table "
                          "FILE: where the table goes)",
                          path);
}

static int carry(const struct rules_reader *reader, const struct rules_choices *choices,
                 struct rules_carried *out, struct err *err)
{
    char made_of[RULES_TEXT];
    const char *const remarks[] = { made_of, NULL };
    snprintf(made_of, sizeof made_of, "%s, of a file for %s", made_by, reader->name);
    out->text = rules_export(rules_reader_find("libcollsel"), choices, remarks, &out->made, err);
    return out->text ? 0 : -1;
}

int run_rules_read(const char *rules, const struct rules_reader *reader, struct rules_carried *out,
                   struct err *err)
{
    struct rules r;
    struct rules_choices choices;
    size_t length;
    char *text = rules_read(rules, &length, err);
    if (!text)
        return -1;
    rules_of_text(reader, text, length, &r);
    if (r.loaded)
        fprintf(stderr,
                "collsel: %s: is asked for 2 to %d ranks; communicators of more are left to the "
                "library\n",
                rules, RULE_CHOICES_PROCS);
    int status = rules_to_choices(&r, text, length, &choices, &out->limited, err);
    rules_close(&r);
    free(text);
    if (status < 0)
        return err_prefix(err, "%s", rules);
    status = carry(reader, &choices, out, err);
    rules_choices_clear(&choices);
    return status;
}

int run_rules_write(const char *rules, const struct rules_carried *carried, const char *path,
                    struct err *err)
{
    if (carried->limited)
        fprintf(stderr, "collsel: %s: limits of requests at a time are left out\n", rules);
    if (fs_write(path, carried->text, err) < 0)
        return -1;
    tell(rules, &carried->made.told);
    return 0;
}

void run_rules_clear(struct rules_carried *carried)
{
    free(carried->text);
    rules_made_clear(&carried->made);
    carried->text = NULL;
}
