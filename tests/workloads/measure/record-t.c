/* SPDX-License-Identifier: BSD-3-Clause */
/* record-t.c - samples and outcomes as written are read back; a full disk and an old file are
 * errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/csv.h"
#include "harness/base/fs.h"
#include "tests/tap.h"
#include "workloads/measure/record.h"

static void reads_samples(const char *path)
{
    static const char *const columns[] = { "point", "rep",       "max_s", "warmup",
                                           "valid", "disturbed", NULL };
    struct err err = { 0 };
    double max_s;
    int rep;
    struct csv *csv = csv_open(path, columns, &err);
    if (!ok(csv != NULL, "the samples file is read: %s", err.text))
        return;
    is_int(1, csv_next(csv, &err), "first row");
    is_str("sentinel", csv_text(csv, csv_column(csv, "point")), "of the point given");
    csv_int(csv, csv_column(csv, "rep"), &rep, &err);
    is_int(5, rep, "numbered from the repetition given");
    csv_f64(csv, csv_column(csv, "max_s"), &max_s, &err);
    is_near(1.23456789e-6, max_s, 1e-9, "with nine digits");
    is_str("1", csv_text(csv, csv_column(csv, "warmup")), "a warm-up");
    is_str("1", csv_text(csv, csv_column(csv, "disturbed")), "that was disturbed");
    is_int(1, csv_next(csv, &err), "second row");
    csv_int(csv, csv_column(csv, "rep"), &rep, &err);
    is_int(6, rep, "numbered on");
    is_int(0, csv_next(csv, &err), "and no more");
    csv_close(csv);
}

static void reads_outcome(const char *path)
{
    static const char *const columns[] = { "status", "reason", "ran_algorithm", "converged", NULL };
    struct err err = { 0 };
    struct csv *csv = csv_open(path, columns, &err);
    if (!ok(csv != NULL && csv_next(csv, &err) == 1, "the outcome is read: %s", err.text))
        return;
    is_str("failed", csv_text(csv, csv_column(csv, "status")), "status");
    is_str("it said \"no\", twice", csv_text(csv, csv_column(csv, "reason")),
           "a reason with quotes");
    is_str("", csv_text(csv, csv_column(csv, "ran_segment_bytes")), "unknown is empty, not 0");
    is_str("", csv_text(csv, csv_column(csv, "converged")), "not applicable is empty");
    csv_close(csv);
}

static void full_disk(const char *outcomes)
{
    struct err err = { 0 };
    struct record r = {
        .samples = -1, .outcomes = -1, .samples_path = "/dev/full", .outcomes_path = outcomes
    };
    const struct sample s = { 0 };
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        skip("no /dev/full here", "a full disk");
        return;
    }
    r.samples = dup(fileno(full));
    fclose(full);
    is_int(-1, record_samples(&r, "p", 0, &s, 1, &err), "a full disk is an error");
    has_str("cannot append to '/dev/full'", err.text, "that names the file");
    record_close(&r, NULL);
}

int main(void)
{
    char dir[] = "/tmp/record-XXXXXX", samples[64], outcomes[64];
    struct err err = { 0 };
    struct record r;
    if (!mkdtemp(dir))
        return 1;
    snprintf(samples, sizeof samples, "%s/samples.csv", dir);
    snprintf(outcomes, sizeof outcomes, "%s/outcomes.csv", dir);
    const struct sample two[] = { { .max_s = 1.23456789e-6,
                                    .mean_s = 1e-6,
                                    .min_s = 1e-7,
                                    .root_s = 1e-6,
                                    .at_s = 0.5,
                                    .warmup = 1,
                                    .valid = 1,
                                    .disturbed = 1 },
                                  { .at_s = 0.6, .span_s = 1.5e-6 } };
    struct outcome out = { .status = "failed", .verified = "unverified", .converged = -1 };
    snprintf(out.reason, sizeof out.reason, "it said \"no\", twice");
    is_int(0, record_open(&r, samples, outcomes, "# key: value\n", 0, &err), "files are made");
    is_int(0, record_samples(&r, "sentinel", 5, two, 2, &err), "samples are appended");
    is_int(0, record_outcome(&r, "p", &out, &err), "an outcome is appended");
    is_int(0, record_close(&r, &err), "files are closed");
    is_int(0, record_close(&r, &err), "twice is fine");
    reads_samples(samples);
    reads_outcome(outcomes);
    char *text = fs_read(samples, NULL, &err);
    ok(text && strncmp(text, "# key: value\npoint,rep,", 23) == 0, "provenance opens the file");
    free(text);
    is_int(-1, record_open(&r, samples, outcomes, "", 0, &err), "files that exist are refused");
    has_str(samples, err.text, "by name");
    full_disk(outcomes);
    unlink(samples);
    unlink(outcomes);
    rmdir(dir);
    return tap_done();
}
