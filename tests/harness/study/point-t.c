/* SPDX-License-Identifier: BSD-3-Clause */
/* point: identity is by content, names and ranges are checked with file and line, rows round-trip.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/study/point.h"
#include "tests/tap.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static char path[64];

static struct point sample(void)
{
    struct point p = {
        .experiment = EXP_GATHER,
        .purpose = FOR_FIT,
        .cell = { .collective = "bcast",
                  .mpi = "smpi",
                  .mapping = "core",
                  .nodes = 40,
                  .ppn = 2,
                  .procs = 80,
                  .root = 79,
                  .bytes = UINT64_MAX },
        .candidate = { .algorithm = "portable:chain", .segment_bytes = 8192, .fanout = 4 },
        .gather_bytes = 1024,
    };
    point_identify(&p);
    return p;
}

static void differs(const char *what, struct point p, const struct point *from, int wanted)
{
    point_identify(&p);
    is_int(wanted, strcmp(p.id, from->id) != 0, "another %s is %s point", what,
           wanted ? "another" : "the same");
}

static void test_text(void)
{
    char text[CANDIDATE_TEXT];
    struct candidate c = sample().candidate;
    is_str("portable:chain 8 KiB fan-out 4", candidate_text(&c, text, sizeof text),
           "a candidate for a terminal");
    c.segment_bytes = 0;
    c.fanout = 0;
    is_str("portable:chain", candidate_text(&c, text, sizeof text), "without what is 0");
}

static void test_identity(void)
{
    const struct point base = sample();
    struct point p = base;
    is_int(16, (long long)strlen(base.id), "an id has 16 characters");
    is_int(16, (long long)strspn(base.id, "0123456789abcdef"), "all of them hex");
    p.purpose = FOR_STUDY;
    differs("purpose", p, &base, 0);
    p = base, p.experiment = EXP_TIME;
    differs("experiment", p, &base, 1);
    p = base, p.cell.mpi[0] = 'x';
    differs("library", p, &base, 1);
    p = base, p.cell.mapping[0] = 'x';
    differs("mapping", p, &base, 1);
    p = base, p.cell.collective[0] = 'x';
    differs("collective", p, &base, 1);
    p = base, p.cell.nodes++;
    differs("node count", p, &base, 1);
    p = base, p.cell.ppn++;
    differs("ppn", p, &base, 1);
    p = base, p.cell.procs--;
    differs("process count", p, &base, 1);
    p = base, p.cell.root--;
    differs("root", p, &base, 1);
    p = base, p.cell.bytes--;
    differs("size", p, &base, 1);
    p = base, p.candidate.algorithm[0] = 'x';
    differs("algorithm", p, &base, 1);
    p = base, p.candidate.segment_bytes++;
    differs("segment", p, &base, 1);
    p = base, p.candidate.fanout++;
    differs("fan-out", p, &base, 1);
    p = base, p.gather_bytes++;
    differs("gather size", p, &base, 1);
    /* Longest names and numbers: the key must not be cut before its last field. */
    p = base;
    memset(p.cell.collective, 'c', NAME_SIZE - 1);
    memset(p.cell.mpi, 'm', NAME_SIZE - 1);
    memset(p.cell.mapping, 'p', NAME_SIZE - 1);
    memset(p.candidate.algorithm, 'a', NAME_SIZE - 1);
    p.cell.nodes = p.cell.ppn = p.cell.procs = p.candidate.fanout = INT_MAX;
    p.cell.root = INT_MAX - 1;
    p.candidate.segment_bytes = p.gather_bytes = UINT64_MAX;
    point_identify(&p);
    struct point q = p;
    q.gather_bytes--;
    differs("gather size, everything else at its largest,", q, &p, 1);
}

static void test_names(void)
{
    struct err err = { 0 };
    for (int i = 0; i < N_EXPERIMENTS; i++) {
        enum experiment back = N_EXPERIMENTS;
        ok(experiment_parse(experiment_words[(enum experiment)i], &back, &err) == 0 &&
               (int)back == i,
           "experiment '%s' reads back", experiment_words[(enum experiment)i]);
    }
    for (int i = 0; i < N_PURPOSES; i++)
        is_str(purpose_words[i], purpose_words[(enum purpose)i], "a purpose has its word");
    static const char *const wrong[] = { "", "Time", "time ", "timer", "stud" };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        enum experiment e;
        is_int(-1, experiment_parse(wrong[i], &e, &err), "'%s' is no experiment", wrong[i]);
    }
    is_str("binomial", algorithm_base_name("portable:binomial"), "the name behind the library");
    is_str("binomial", algorithm_base_name("binomial"), "or alone");
    is_str("", algorithm_base_name("portable:"), "or empty");
    is_str("b:c", algorithm_base_name("a:b:c"), "from the first colon on");
}

static void test_order(void)
{
    struct cell a = sample().cell, b = a;
    is_int(0, cell_compare(&a, &b), "a cell equals itself");
    b.bytes = 0;
    ok(cell_compare(&a, &b) > 0 && cell_compare(&b, &a) < 0, "2^64-1 bytes come after none");
    b.procs++;
    ok(cell_compare(&a, &b) < 0 && cell_compare(&b, &a) > 0, "processes count before bytes");
    b.mpi[0] = 'a';
    ok(cell_compare(&a, &b) > 0 && cell_compare(&b, &a) < 0, "and the library before processes");
    struct candidate x = sample().candidate, y = x;
    ok(candidate_equal(&x, &y), "a candidate equals itself");
    y.fanout++;
    ok(!candidate_equal(&x, &y), "not with another fan-out");
    ok(candidate_compare(&x, &y) < 0 && candidate_compare(&y, &x) > 0, "which comes later");
    y.segment_bytes = 0;
    ok(candidate_compare(&x, &y) > 0 && candidate_compare(&y, &x) < 0, "segments before fan-outs");
    y.algorithm[0] = 'q';
    ok(candidate_compare(&x, &y) < 0 && candidate_compare(&y, &x) > 0, "algorithms before both");
    b = a;
    b.bytes = 0;
    b.procs++;
    is_int(0, cell_compare_context(&a, &b), "sizes and processes are no part of a context");
    b.mapping[0]++;
    ok(cell_compare_context(&a, &b) < 0, "the mapping is");
}

/* Writes one point, then reads it, with one field of the row replaced where column >= 0. */
static int pass(const struct point *p, int column, const char *value, struct point *back,
                struct err *err)
{
    char *row = NULL, *rest;
    size_t size;
    struct schema_reader in;
    struct csvw w = { .file = open_memstream(&row, &size) };
    schema_row(&w, &point_schema, p);
    fclose(w.file);
    row[strcspn(row, "\n")] = '\0';
    w = (struct csvw){ .file = fopen(path, "we") };
    schema_header(&w, &point_schema);
    rest = row;
    for (int i = 0; rest; i++) {
        const char *field = strsep(&rest, ",");
        csvw_text(&w, i == column ? value : field);
    }
    csvw_end(&w);
    fclose(w.file);
    free(row);
    if (schema_open(&in, &point_schema, path, err) < 0)
        return -2;
    const int got = schema_next(&in, back, err);
    schema_close(&in);
    return got == 1 ? 0 : -1;
}

static int column_of(const char *name)
{
    for (size_t i = 0; i < point_schema.n_columns; i++)
        if (strcmp(point_schema.columns[i].name, name) == 0)
            return (int)i;
    return -1;
}

static void test_round_trip(void)
{
    for (int e = 0; e < N_EXPERIMENTS; e++) {
        struct point p = sample(), back;
        struct err err = { 0 };
        p.experiment = (enum experiment)e;
        p.purpose = (enum purpose)(e % N_PURPOSES);
        point_identify(&p);
        is_int(0, pass(&p, -1, NULL, &back, &err), "a %s point reads back",
               experiment_words[p.experiment]);
        is_str("", err.text, "without an error");
        ok(memcmp(&p, &back, sizeof p) == 0, "with every field");
    }
}

static void test_refused(void)
{
    static const struct {
        const char *column, *value, *message;
    } rows[] = {
        { "point", "0000000000000000",
          ":2: point: id '0000000000000000' does not belong to this row" },
        { "point", "", ":2: point: id '' does not belong" },
        { "experiment", "jump", ":2: experiment: 'jump' is not known (want time, gather, " },
        { "purpose", "", ":2: purpose: '' is not known (want study, default, " },
        { "collective", "reduce", ":2: point: id" },
        { "collective", "0123456789012345678901234567890123456789012345678901234567890123",
          ":2: collective: '0123456789012345678901234567890123456789...' is too long" },
        { "nodes", "0", ":2: nodes: 0 is too small (want at least 1)" },
        { "nodes", "-1", ":2: nodes: -1 is too small" },
        { "nodes", "2147483648", ":2: nodes: '2147483648' is out of range" },
        { "nodes", "", ":2: nodes: '' is not a whole number" },
        { "ppn", "0", ":2: ppn: 0 is too small" },
        { "ppn", "1", ":2: procs: 80 do not fit on 40 nodes of 1" },
        { "procs", "81", ":2: procs: 81 do not fit on 40 nodes of 2" },
        { "procs", "79", ":2: root: 79 is not a rank of 79 processes" },
        { "root", "-1", ":2: root: -1 is too small" },
        { "bytes", "-1", ":2: bytes: '-1' is not a whole number" },
        { "bytes", "18446744073709551616", ":2: bytes: " },
        { "bytes", "8K", ":2: bytes: '8K' is not a whole number" },
        { "segment_bytes", "", ":2: segment_bytes: '' is not" },
        { "fanout", "-1", ":2: fanout: -1 is too small" },
        { "gather_bytes", "1.5", ":2: gather_bytes: '1.5' is not" },
        { "gather_bytes", "1025", ":2: point: id" },
    };
    const struct point p = sample();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct point back;
        struct err err = { 0 };
        is_int(-1, pass(&p, column_of(rows[i].column), rows[i].value, &back, &err),
               "%s '%s' is refused", rows[i].column, rows[i].value);
        has_str(rows[i].message, err.text, "and the message says where and why");
    }
}

static void defaults(void)
{
    ok(algorithm_is_default("openmpi:default"), "a library's own choice");
    ok(algorithm_is_default("default"), "also without the library's name");
    ok(!algorithm_is_default("openmpi:default_tree"), "but not what begins like it");
    ok(!algorithm_is_default("default:chain"), "nor a library of that name");
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/collsel-point-t.%ld", (long)getpid());
    test_identity();
    test_text();
    test_names();
    test_order();
    test_round_trip();
    test_refused();
    unlink(path);
    defaults();
    return tap_done();
}
