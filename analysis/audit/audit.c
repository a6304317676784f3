/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/audit/audit.h"

extern const struct audit_check check_copied, check_ratio, check_same, check_outliers, check_falls,
    check_nodes, check_binding, check_runs, check_repeated, check_tails, check_means, check_ranks,
    check_unnamed;

/* Outliers first: the others leave them out. */
static const struct audit_check *const checks[] = {
    &check_outliers, &check_copied, &check_ratio,    &check_same,  &check_falls, &check_nodes,
    &check_binding,  &check_runs,   &check_repeated, &check_tails, &check_means, &check_ranks,
    &check_unnamed,  NULL,
};

int audit_run(const struct points *points, const struct facts *facts, const char *dir,
              struct audit *audit, struct err *err)
{
    struct audit_data d = { .facts = facts, .dir = dir, .audit = audit };
    *audit = (struct audit){ .facts = facts };
    series_find(&d, points);
    for (const struct audit_check *const *c = checks; *c && !d.failed; c++) {
        d.now = *c;
        if (!(*c)->of_measured || !facts->deterministic)
            (*c)->run(&d);
    }
    series_free(&d);
    if (d.failed) {
        audit_clear(audit);
        return err_set(err, "%s", d.err.text);
    }
    findings_settle(audit);
    return 0;
}

static const char *check_text(const void *member)
{
    const struct audit_check *check;
    memcpy(&check, member, sizeof check);
    return check->name;
}

static int check_parse(const char *text, void *member)
{
    for (const struct audit_check *const *c = checks; *c; c++)
        if (strcmp((*c)->name, text) == 0) {
            memcpy(member, c, sizeof *c);
            return 0;
        }
    return -1;
}

static const struct schema_code check_code = { check_text, check_parse, "outliers" };

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(finding, CODED, "check", check, "", "which check found it ([import.md](import.md#what-looks-wrong))", .code = &check_code),
    COLUMN(finding, WORD, "severity", severity, "", "`wrong`: the numbers cannot be what they are said to be; `doubtful`: they may mean something else than their label", .words = severity_words),
    COLUMN(finding, TEXT, "subject", subject, "", "the labels concerned, two of them separated by ` / `"),
    COLUMN(finding, COUNT, "points", points, "", "concerned"),
    COLUMN(finding, REAL, "value", value, "", "the number that the finding rests on (below)"),
    COLUMN(finding, TEXT, "evidence", evidence, "", "which points, which numbers"),
};
/* clang-format on */

SCHEMA(audit_schema, finding, columns, "audit.csv",
       "What looks wrong, the gravest first. Four or more findings of one check about the same "
       "labels are one row.",
       .backend = 1);

void audit_print_csv(FILE *out, const struct audit *audit)
{
    struct csvw w = { .file = out, .last_name = "backend" };
    snprintf(w.last_value, sizeof w.last_value, "%.31s", audit->facts->backend);
    schema_header(&w, &audit_schema);
    for (size_t i = 0; i < audit->n; i++)
        schema_row(&w, &audit_schema, &audit->finding[i]);
}
