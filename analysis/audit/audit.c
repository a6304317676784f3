/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/audit/audit.h"

#include "analysis/audit/series.h"
#include "analysis/measure/result_file.h"

/* Outliers first: the others leave them out. */
static const struct audit_check *const checks[] = {
    &check_outliers, &check_copied, &check_ratio, &check_columns, &check_same,
    &check_falls,    &check_parity, &check_nodes, &check_binding, &check_runs,
    &check_repeated, &check_tails,  &check_means, &check_pairs,   &check_ranks,
    &check_unnamed,  NULL,
};

int audit_run(const struct points *points, const struct facts *facts, const char *dir,
              struct audit *audit, struct err *err)
{
    struct audit_data d = { .facts = facts, .dir = dir, .audit = audit };
    *audit = (struct audit){ .facts = facts };
    d.failed = series_find(&d, points) < 0;
    for (const struct audit_check *const *c = checks; *c && !d.failed; c++) {
        d.now = *c;
        (*c)->run(&d);
    }
    series_free(&d);
    if (d.failed) {
        audit_clear(audit);
        return *d.err.text ? err_set(err, "%s", d.err.text) : err_set(err, "out of memory");
    }
    findings_settle(audit);
    return 0;
}

/* ---- audit.csv ---- */

static const char *const columns[] = { "check", "severity", "subject", "points",
                                       "value", "evidence", NULL };

static void write_rows(struct csvw *w, const struct audit *audit)
{
    for (size_t i = 0; i < audit->n; i++) {
        const struct finding *f = &audit->finding[i];
        csvw_text(w, f->check->name);
        csvw_text(w, severity_name(f->severity));
        csvw_text(w, f->subject);
        csvw_u64(w, f->points);
        csvw_f64(w, f->value);
        csvw_text(w, f->evidence);
        csvw_end(w);
    }
}

void audit_print_csv(FILE *out, const struct audit *audit)
{
    struct csvw w = { .file = out, .last_name = "backend" };
    snprintf(w.last_value, sizeof w.last_value, "%.31s", audit->facts->backend);
    csvw_header(&w, columns);
    write_rows(&w, audit);
}

int audit_write(const char *dir, const struct audit *audit, struct err *err)
{
    struct whole_file f;
    struct csvw w;
    if (result_begin(dir, "audit.csv", columns, &f, &w, err) < 0)
        return -1;
    write_rows(&w, audit);
    return fs_commit(&f, err);
}
