/* SPDX-License-Identifier: BSD-3-Clause */
/* The audit finds what is planted, where it is planted, and nothing in clean data. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/audit/audit.h"
#include "harness/base/rng.h"
#include "harness/study/imported_rows.h"
#include "tests/tap.h"

enum { N_PROCS = 24, N_SIZES = 18, MOST = 20000 };

static struct facts facts = {
    .backend = "imported", .imported = 1, .nodes = 2, .sockets = 2, .cores = 16, .cache_cores = 4
};

static struct measured rows[MOST];
static struct points points = { .row = rows };
static struct rng rng;

/* A made-up machine: two nodes of 32 cores, ranks 2, 4 ... 48; what each algorithm takes. */
static double time_of(const char *algorithm, const char *mapping, int procs, uint64_t bytes)
{
    const double kind = strcmp(algorithm, "openmpi:chain") == 0    ? 1.7
                        : strcmp(algorithm, "openmpi:linear") == 0 ? 0.5
                                                                   : 1;
    const int far = procs > 32 || strcmp(mapping, "node") == 0;
    return kind * (1e-6 + (far ? 2e-6 : 0) + 0.2e-6 * procs) *
           (1 + (double)bytes / 2048 * (kind > 1 ? 0.7 : 1));
}

static struct measured *add(const char *algorithm, const char *mapping, int procs, uint64_t bytes)
{
    struct measured *m = &rows[points.n++];
    memset(m, 0, sizeof *m);
    m->point.experiment = EXP_TIME;
    m->point.cell = (struct cell){ .nodes = 2, .ppn = 32, .procs = procs, .bytes = bytes };
    snprintf(m->point.cell.collective, NAME_SIZE, "bcast");
    snprintf(m->point.cell.mpi, NAME_SIZE, "openmpi");
    snprintf(m->point.cell.mapping, NAME_SIZE, "%s", mapping);
    snprintf(m->point.candidate.algorithm, NAME_SIZE, "%s", algorithm);
    point_identify(&m->point);
    const double t = time_of(algorithm, mapping, procs, bytes);
    m->time.value = t * (1 + 0.02 * rng_normal(&rng));
    m->mean_rank_s = m->time.value * (0.5 + 0.3 * rng_unit(&rng));
    m->time.launches = 1;
    m->time.min = m->time.max = m->time.value;
    snprintf(m->statistic, sizeof m->statistic, "max_rank");
    m->status = POINT_OK;
    return m;
}

/* Clean measurements of three algorithms under two mappings. */
static void plant_clean(void)
{
    static const char *const algorithms[] = { "openmpi:linear", "openmpi:chain",
                                              "openmpi:binomial" };
    static const char *const mappings[] = { "core", "node" };
    points.n = 0;
    rng_init(&rng, 7);
    for (int a = 0; a < 3; a++)
        for (int m = 0; m < 2; m++)
            for (int p = 1; p <= N_PROCS; p++)
                for (int b = 0; b < N_SIZES; b++)
                    add(algorithms[a], mappings[m], 2 * p, UINT64_C(1) << b);
}

static struct measured *at(const char *algorithm, const char *mapping, int procs, uint64_t bytes)
{
    for (size_t i = 0; i < points.n; i++)
        if (strcmp(rows[i].point.candidate.algorithm, algorithm) == 0 &&
            strcmp(rows[i].point.cell.mapping, mapping) == 0 && rows[i].point.cell.procs == procs &&
            rows[i].point.cell.bytes == bytes)
            return &rows[i];
    return NULL;
}

static struct audit audit;

static void run(void)
{
    struct err err = { 0 };
    audit_clear(&audit);
    if (audit_run(&points, &facts, NULL, &audit, &err) < 0)
        ok(0, "the audit runs: %s", err.text);
}

/* The n-th finding of a check; NULL: none. */
static const struct finding *found(const char *check, size_t n)
{
    for (size_t i = 0; i < audit.n; i++)
        if (strcmp(audit_check_name(audit.finding[i].check), check) == 0 && n-- == 0)
            return &audit.finding[i];
    return NULL;
}

/* Exactly one finding, of this check, severity and number of points, that names these labels. */
static void only(const char *check, enum severity severity, size_t n, const char *subject,
                 const char *evidence)
{
    const struct finding *f = found(check, 0);
    is_int(1, (long long)audit.n, "%s: one finding", check);
    for (size_t i = 0; audit.n != 1 && i < audit.n; i++)
        diag("%s: %s: %s", audit_check_name(audit.finding[i].check), audit.finding[i].subject,
             audit.finding[i].evidence);
    ok(f && f->severity == severity, "%s: %s", check, severity_words[severity]);
    is_int((long long)n, f ? (long long)f->points : -1, "%s: points", check);
    has_str(subject, f ? f->subject : "", "%s: where", check);
    has_str(evidence, f ? f->evidence : "", "%s: what", check);
}

static void test_clean(void)
{
    plant_clean();
    run();
    is_int(0, (long long)audit.n, "nothing is found in clean data");
    for (size_t i = 0; i < audit.n; i++)
        diag("%s: %s: %s", audit_check_name(audit.finding[i].check), audit.finding[i].subject,
             audit.finding[i].evidence);
}

static void test_copied(void)
{
    plant_clean();
    for (int b = 4; b < 11; b++)
        at("openmpi:chain", "core", 20, UINT64_C(1) << b)->time.value =
            at("openmpi:chain", "core", 18, UINT64_C(1) << b)->time.value;
    run();
    only("copied", AUDIT_WRONG, 7, "openmpi:chain", "at P = 18 and P = 20, 16 B to 1 KiB");
    plant_clean();
    for (int b = 4; b < 8; b++)
        at("openmpi:chain", "core", 20, UINT64_C(1) << b)->time.value =
            at("openmpi:chain", "core", 18, UINT64_C(1) << b)->time.value;
    run();
    is_int(0, (long long)audit.n, "four equal numbers in a row are too few to say");
    plant_clean();
    for (int b = 4; b < 11; b++) /* two digits each: may be chance */
        at("openmpi:chain", "core", 20, UINT64_C(1) << b)->time.value =
            at("openmpi:chain", "core", 18, UINT64_C(1) << b)->time.value = 8e-6 + 0.1e-6 * b;
    run();
    ok(!found("copied", 0), "so are numbers of two digits");
    for (int b = 4; b < 11; b++) /* 0.51, 0.51 and 0.52 */
        for (int p = 18; p <= 20; p += 2) {
            struct measured *m = at("openmpi:chain", "core", p, UINT64_C(1) << b);
            m->time.value = (8.1e-6 + 8.1e-6 + 8.2e-6) / 3;
            m->time.launches = 3;
        }
    run();
    ok(!found("copied", 0), "and means of three runs of two digits, which have nine");
    plant_clean();
    for (int b = 0; b < 17; b++) /* 1 to 16 B and 4 to 64 KiB */
        if (b < 5 || b > 11)
            at("openmpi:chain", "core", 20, UINT64_C(1) << b)->time.value =
                at("openmpi:chain", "core", 18, UINT64_C(1) << b)->time.value;
    run();
    is_int(2, (long long)audit.n, "two blocks are two findings");
    const struct finding *f = found("copied", 0), *g = found("copied", 1);
    ok(f && g && f->points == 5 && g->points == 5, "of five each");
    ok(f && g && strstr(f->evidence, "1 B to 16 B") && strstr(g->evidence, "4 KiB to 64 KiB"),
       "with the sizes that are equal");
}

static void test_ratio(void)
{
    plant_clean();
    for (int b = 0; b < N_SIZES; b++)
        at("openmpi:linear", "node", 30, UINT64_C(1) << b)->time.value =
            1.25 * at("openmpi:linear", "node", 26, UINT64_C(1) << b)->time.value;
    run();
    only("constant_ratio", AUDIT_WRONG, N_SIZES, "openmpi:linear",
         "P = 30 are 1.25 times those of P = 26");
    plant_clean();
    for (int b = 0; b < N_SIZES; b++) {
        const uint64_t bytes = UINT64_C(1) << b;
        struct measured *m = at("openmpi:linear", "node", 30, bytes);
        m->time.value = 1.25 * at("openmpi:linear", "node", 26, bytes)->time.value;
        m->status = b < N_SIZES - 7 ? POINT_FAILED : POINT_OK;
    }
    run();
    ok(!found("constant_ratio", 0), "seven sizes are too few to say");
    plant_clean();
    for (int b = 0; b < N_SIZES; b++)
        at("openmpi:chain", "node", 26, UINT64_C(1) << b)->time.value =
            1.25 * at("openmpi:linear", "node", 26, UINT64_C(1) << b)->time.value;
    run();
    const struct finding *f = found("constant_ratio", 0);
    has_str("openmpi by node, openmpi:chain / bcast", f ? f->subject : "", "of two labels");
    has_str("P = 26 (the second) are 0.8 times those of P = 26 (the first)", f ? f->evidence : "",
            "it is said which is which");
}

/* Gives one label the times of another, with noise of its own, where wanted. */
static void disguise(const char *algorithm, const char *as, uint64_t most_bytes)
{
    for (size_t i = 0; i < points.n; i++) {
        const struct point *p = &rows[i].point;
        if (strcmp(p->candidate.algorithm, algorithm) == 0 && p->cell.bytes <= most_bytes)
            rows[i].time.value = time_of(as, p->cell.mapping, p->cell.procs, p->cell.bytes) *
                                 (1 + 0.02 * rng_normal(&rng));
    }
}

static void test_same(void)
{
    plant_clean();
    disguise("openmpi:binomial", "openmpi:linear", UINT64_MAX);
    run();
    is_int(2, (long long)audit.n, "a label that changes nothing, under each mapping");
    const struct finding *f = found("same_times", 0);
    ok(f && f->severity == AUDIT_DOUBTFUL, "is doubtful");
    has_str("openmpi:binomial", f ? f->subject : "", "the one is named");
    has_str("openmpi:linear", f ? f->subject : "", "and the other");
    plant_clean();
    disguise("openmpi:binomial", "openmpi:linear", 64);
    run();
    is_int(2, (long long)audit.n, "the same up to a size alone, under each mapping");
    f = found("same_times", 0);
    ok(f && f->severity == AUDIT_NOTE, "is a note");
    has_str("the same times at 1 B to 64 B", f ? f->evidence : "", "that says up to which");
}

static void test_shape(void)
{
    plant_clean();
    at("openmpi:chain", "core", 20, 256)->time.value *= 50;
    run();
    only("outliers", AUDIT_DOUBTFUL, 1, "by core, openmpi:chain", "P = 20, 256 B");
    only("outliers", AUDIT_DOUBTFUL, 1, "openmpi:chain", " times differs from");
    plant_clean();
    at("openmpi:chain", "core", 20, 256)->time.value *= 2;
    run();
    is_int(0, (long long)audit.n, "twice the neighbours is within what happens");
    plant_clean();
    for (int p = 16; p <= 24; p += 2)
        at("openmpi:chain", "core", p, 256)->time.value *= p == 20 ? 50 : 40;
    run();
    ok(!found("outliers", 0), "so is what is so at the neighbouring process counts");
    plant_clean();
    for (size_t i = 0; i < points.n; i++)
        if (strcmp(rows[i].point.candidate.algorithm, "openmpi:linear") == 0 &&
            strcmp(rows[i].point.cell.mapping, "core") == 0 && rows[i].point.cell.bytes >= 8192)
            rows[i].time.value *= 0.25;
    run();
    only("falling", AUDIT_DOUBTFUL, N_PROCS, "by core, openmpi:linear", "from 4 KiB to 8 KiB");
}

/* Linear broadcasts by core fall from 4 to 8 KiB at P = 2, 4 ... last. */
static void plant_falls(int last)
{
    plant_clean();
    for (size_t i = 0; i < points.n; i++)
        if (strcmp(rows[i].point.candidate.algorithm, "openmpi:linear") == 0 &&
            strcmp(rows[i].point.cell.mapping, "core") == 0 && rows[i].point.cell.bytes >= 8192 &&
            rows[i].point.cell.procs <= last)
            rows[i].time.value *= 0.25;
}

/* At the smallest size and at the largest number of processes there are neighbours on one side. */
static void test_edges(void)
{
    static const int procs[] = { 20, 48, 2, 20 };
    static const uint64_t bytes[] = { 1, 256, 256, 1 << 17 };
    static const char *const where[] = { "P = 20, 1 B", "P = 48, 256 B", "P = 2, 256 B",
                                         "P = 20, 128 KiB" };
    for (int i = 0; i < 4; i++) {
        plant_clean();
        at("openmpi:chain", "core", procs[i], bytes[i])->time.value *= 50;
        run();
        const struct finding *f = found("outliers", 0);
        ok(f && f->points == 1 && strstr(f->evidence, where[i]), "an outlier at %s", where[i]);
    }
    plant_clean(); /* one size far beyond the others */
    for (size_t i = 0; i < points.n; i++)
        if (rows[i].point.cell.bytes < 1 << 17 && rows[i].point.cell.bytes > 1 << 11)
            rows[i].status = POINT_FAILED;
    at("openmpi:chain", "core", 20, 1 << 17)->time.value *= 4;
    run();
    ok(!found("outliers", 0), "times may grow as sizes do, at an edge");
}

static void test_falls(void)
{
    plant_falls(N_PROCS); /* half of them */
    run();
    const struct finding *f = found("falling", 0);
    is_int(N_PROCS / 2, f ? (long long)f->points : -1, "falls at half of the process counts");
    plant_falls(N_PROCS / 4);
    run();
    ok(!found("falling", 0), "an eighth is not enough");
    plant_falls(4);
    for (size_t i = 0; i < points.n; i++)
        if (rows[i].point.cell.procs > 4)
            rows[i].status = POINT_FAILED;
    run();
    ok(!found("falling", 0), "nor are two counts, where there are no more");
}

static void test_runs(void)
{
    plant_clean();
    struct measured *m = at("openmpi:chain", "node", 20, 256);
    m->time.launches = 3;
    m->time.min = m->time.value / 2;
    m->time.max = m->time.value * 4;
    run();
    only("runs", AUDIT_DOUBTFUL, 1, "by node, openmpi:chain", "P = 20, 256 B");
}

static void test_mapping(void)
{
    plant_clean();
    for (size_t i = 0; i < points.n; i++)
        if (strcmp(rows[i].point.cell.mapping, "node") == 0) {
            const struct point *p = &rows[i].point;
            rows[i].time.value = (1 + 0.3 * (p->cell.procs > 32)) * 1.6 *
                                 time_of(p->candidate.algorithm, "node",
                                         p->cell.procs > 32 ? 48 : 20, p->cell.bytes) *
                                 (1 + 0.02 * rng_normal(&rng)) * (1 + 0.001 * p->cell.procs);
        }
    run();
    const struct finding *f = found("mapping", 0);
    ok(f && f->severity == AUDIT_DOUBTFUL, "a jump at the edge of a node, ranks in turns");
    has_str("by node", f ? f->subject : "", "is of the mapping by node");
    has_str("from P = 32 to P = 34", f ? f->evidence : "", "where the edge would be");
    plant_clean();
    for (size_t i = 0; i < points.n; i++)
        if (strcmp(rows[i].point.cell.mapping, "core") == 0) {
            const struct point *p = &rows[i].point;
            rows[i].time.value =
                time_of(p->candidate.algorithm, "node", p->cell.procs, p->cell.bytes) * 0.3 *
                (1 + 0.02 * rng_normal(&rng));
        }
    run();
    f = found("mapping", 0);
    ok(f && strstr(f->evidence, "no jump where the second node begins"), "no jump by core");
    ok(f && f->value > 0.95 && f->value < 1.1, "which a number says: %.3f", f ? f->value : NAN);
    for (size_t i = 0; i < points.n; i++)
        snprintf(rows[i].statistic, sizeof rows[i].statistic, "mean_rank");
    run();
    ok(!found("mapping", 0), "a mean over ranks would not show it, and nothing is said");
    plant_clean();
    for (size_t i = 0; i < points.n; i++)
        if (strcmp(rows[i].point.cell.mapping, "node") == 0 && rows[i].point.cell.procs == 2)
            rows[i].time.value /= 2.6;
    run();
    ok(found("mapping", 2) && strstr(found("mapping", 2)->evidence, "two ranks, one per node"),
       "two ranks on two nodes that are as quick as on one, with each algorithm");
}

static void test_binding(void)
{
    plant_clean();
    for (size_t i = 0; i < points.n; i++)
        if (strcmp(rows[i].point.cell.mapping, "node") == 0 && i % 29 == 0)
            rows[i].time.value *= 40;
    run();
    const struct finding *f = found("binding", 0);
    has_str("mapping by node", f ? f->subject : "", "a mapping full of outliers");
    ok(f && f->value > 0.015 && f->value < 0.04, "a share of %.3f", f ? f->value : NAN);
    plant_clean();
    for (size_t i = 0; i < points.n; i++)
        if (i % 29 == 0)
            rows[i].time.value *= 40;
    run();
    ok(found("outliers", 0) && !found("binding", 0), "as many under either mapping are of neither");
}

static void test_ranks(void)
{
    size_t n = 0;
    plant_clean();
    for (size_t i = 0; i < points.n; i++)
        if (strcmp(rows[i].point.candidate.algorithm, "openmpi:chain") == 0 &&
            strcmp(rows[i].point.cell.mapping, "core") == 0) {
            rows[i].mean_rank_s *= 0.4;
            n += rows[i].point.cell.procs > 2;
        }
    run();
    only("ranks", AUDIT_NOTE, n, "openmpi by core, openmpi:chain", "0.26 of the slowest");
    plant_clean();
    for (size_t i = n = 0; i < points.n; i++)
        if (i % 3 == 0) {
            snprintf(rows[i].statistic, sizeof rows[i].statistic, "mean_rank");
            n += rows[i].point.cell.procs > 2;
        }
    run();
    only("ranks", AUDIT_NOTE, n, "times of collectives", "only the mean over ranks is reported");
}

/* A default at a share of the best of the others, at one of `every` process counts. */
static void plant_default(int every, double share)
{
    plant_clean();
    int k = 0;
    for (int p = 2; p <= 2 * N_PROCS; p += 2, k++)
        for (int b = 0; b < N_SIZES; b++) {
            const double best =
                fmin(fmin(at("openmpi:linear", "core", p, UINT64_C(1) << b)->time.value,
                          at("openmpi:chain", "core", p, UINT64_C(1) << b)->time.value),
                     at("openmpi:binomial", "core", p, UINT64_C(1) << b)->time.value);
            struct measured *m = add("openmpi:default", "core", p, UINT64_C(1) << b);
            m->time.value = best * (k % every ? 1.1 : share) * (1 + 0.02 * rng_unit(&rng));
            m->mean_rank_s = m->time.value * (0.5 + 0.3 * rng_unit(&rng));
        }
}

static void test_default(void)
{
    plant_default(2, 0.8);
    run();
    only("unnamed", AUDIT_NOTE, N_PROCS * N_SIZES / 2, "openmpi by core, openmpi:default",
         "in 216 of 432 cells it is faster than every algorithm");
    plant_default(4, 0.8);
    run();
    ok(!found("unnamed", 0), "a quarter of the cells is not enough");
    plant_default(1, 0.97);
    run();
    ok(!found("unnamed", 0), "nor is 3 %% everywhere");
}

/* ---- noise is no finding ---- */

static void test_noise(void)
{
    static const double noise[] = { 0.1, 0.2, 0.3, 0.5 };
    for (size_t k = 0; k < 4; k++) {
        size_t grave = 0;
        plant_clean();
        for (size_t i = 0; i < points.n; i++) {
            rows[i].time.value *= exp(noise[k] * rng_normal(&rng));
            rows[i].mean_rank_s = rows[i].time.value * (0.5 + 0.3 * rng_unit(&rng));
        }
        run();
        for (size_t i = 0; i < audit.n; i++) {
            grave += audit.finding[i].severity >= AUDIT_DOUBTFUL;
            diag("noise %g: %s: %s", noise[k], audit_check_name(audit.finding[i].check),
                 audit.finding[i].evidence);
        }
        is_int(0, (long long)grave, "noise of %g alone is not doubtful", noise[k]);
    }
    plant_clean(); /* runs that differ by so much everywhere */
    for (size_t i = 0; i < points.n; i++) {
        rows[i].time.launches = 5;
        rows[i].time.min = rows[i].time.value * exp(-0.5 * (1 + 0.2 * rng_unit(&rng)));
        rows[i].time.max = rows[i].time.value * exp(0.5 * (1 + 0.2 * rng_unit(&rng)));
    }
    at("openmpi:chain", "node", 20, 256)->time.max *= 30;
    run();
    only("runs", AUDIT_NOTE, 1, "by node, openmpi:chain", "P = 20, 256 B");
}

/* ---- one fact, one line ---- */

static void test_flood(void)
{
    plant_clean();
    for (int p = 4; p <= 40; p += 4) /* ten process counts have the times of those before */
        for (int b = 0; b < 10; b++)
            at("openmpi:chain", "core", p, UINT64_C(1) << b)->time.value =
                at("openmpi:chain", "core", p - 2, UINT64_C(1) << b)->time.value;
    run();
    only("copied", AUDIT_WRONG, 100, "openmpi:chain",
         "10 times, 100 points; the most: the same 10");
}

/* Computed times are the same where the platform is, and no finding. */
static void test_computed(void)
{
    plant_clean();
    for (int b = 0; b < N_SIZES; b++) {
        const uint64_t bytes = UINT64_C(1) << b;
        at("openmpi:chain", "core", 20, bytes)->time.value =
            at("openmpi:chain", "core", 18, bytes)->time.value;
        for (int p = 2; p <= 2 * N_PROCS; p += 2)
            at("openmpi:linear", "core", p, bytes)->time.value =
                at("openmpi:chain", "core", p, bytes)->time.value;
    }
    run();
    ok(found("copied", 0) && found("same_times", 0), "measured so, they are found");
    facts.deterministic = 1;
    run();
    ok(!found("copied", 0) && !found("same_times", 0) && !found("constant_ratio", 0),
       "computed so, they are none");
    at("openmpi:binomial", "core", 20, 1024)->time.value *= 20;
    run();
    ok(found("outliers", 0) != NULL, "other checks still look at them");
    facts.deterministic = 0;
}

/* ---- rows of imported.csv ---- */

/* A row of "source,line,status,point,experiment,procs,max,mean,min,median,p95": the point is told
 * from others by the last letter of its name. */
static struct imported row_of(char *line)
{
    char *field[11];
    struct imported r = { .p99_s = NAN };
    double *const times[] = { &r.max_s, &r.mean_s, &r.min_s, &r.median_s, &r.p95_s };
    for (size_t i = 0; i < 11; i++)
        field[i] = strsep(&line, ",");
    snprintf(r.source, sizeof r.source, "%s", field[0]);
    r.line = strtoull(field[1], NULL, 10);
    r.status = strcmp(field[2], "ok") == 0 ? ROW_OK : ROW_SET_ASIDE;
    r.point = (struct point){ .cell = { .collective = "bcast",
                                        .mpi = "openmpi",
                                        .mapping = "core",
                                        .nodes = 1,
                                        .ppn = 64,
                                        .bytes = (uint64_t)field[3][strlen(field[3]) - 1] },
                              .candidate = { .algorithm = "openmpi:chain" } };
    r.point.cell.procs = (int)strtol(field[5], NULL, 10);
    if (experiment_parse(field[4], &r.point.experiment, NULL) < 0)
        abort();
    point_identify(&r.point);
    for (size_t i = 0; i < 5; i++)
        *times[i] = *field[6 + i] ? strtod(field[6 + i], NULL) : NAN;
    return r;
}

/* Audits these rows, a line each. */
static void run_rows(const char *text)
{
    char dir[64], path[96], *lines = strdup(text), *rest = lines, *line;
    struct whole_file f;
    struct csvw w;
    struct err err = { 0 };
    snprintf(dir, sizeof dir, "/tmp/collsel-audit.%ld", (long)getpid());
    mkdir(dir, 0700);
    snprintf(path, sizeof path, "%s/imported.csv", dir);
    if (!lines || schema_begin(&imported_schema, path, NULL, &f, &w, &err) < 0)
        abort();
    while ((line = strsep(&rest, "\n")) && *line) {
        const struct imported r = row_of(line);
        schema_row(&w, &imported_schema, &r);
    }
    if (fs_commit(&f, &err) < 0)
        abort();
    free(lines);
    points.n = 0;
    audit_clear(&audit);
    if (audit_run(&points, &facts, dir, &audit, &err) < 0)
        ok(0, "the audit runs: %s", err.text);
    unlink(path);
    rmdir(dir);
}

static void test_means(void)
{
    run_rows("a.csv,2,ok,p1,time,4,4e-06,1.75e-06,1e-06,,\n" /* the least that there can be */
             "a.csv,3,ok,p2,time,4,4e-06,3.25e-06,1e-06,,\n" /* the most */
             "a.csv,4,ok,p3,time,4,4e-06,1.74e-06,1e-06,,\n" /* rounded */
             "a.csv,5,ok,p4,time,4,4e-06,2e-06,,,\n"         /* no minimum */
             "a.csv,6,set_aside,p5,time,4,4e-06,1e-07,1e-08,,\n"
             "a.csv,7,ok,p6,time,1,4e-06,1e-06,1e-06,,\n");
    is_int(1, (long long)audit.n, "means that can be, and a row that does not count");
    ok(found("repeated", 0) != NULL, "is all that is said");
    run_rows("a.csv,2,ok,p1,time,4,4e-06,1.75e-06,1e-06,,\n"
             "a.csv,3,ok,p2,time,4,4e-06,1.25e-06,1e-06,,\n"
             "a.csv,4,ok,p3,time,4,4e-06,3.75e-06,1e-06,,\n"
             "a.csv,5,ok,p4,time,4,8.5e-05,2.05e-06,,,\n");
    only("means", AUDIT_WRONG, 3, "imported rows",
         "in 2 of 4 rows the mean over ranks is below (max + (P - 1) min) / P, in 1 above");
}

static void test_csv(void)
{
    char *text = NULL;
    size_t len = 0;
    plant_clean();
    at("openmpi:chain", "core", 20, 256)->time.value *= 50;
    run();
    FILE *out = open_memstream(&text, &len);
    audit_print_csv(out, &audit);
    fclose(out);
    has_str("check,severity,subject,points,value,evidence,backend\noutliers,doubtful,", text,
            "findings as CSV");
    has_str(",imported\n", text, "with where they come from");
    free(text);
    points.n = 0;
    run();
    is_int(0, (long long)audit.n, "no points, no findings");
}

int main(void)
{
    test_clean();
    test_copied();
    test_computed();
    test_ratio();
    test_same();
    test_shape();
    test_edges();
    test_falls();
    test_runs();
    test_mapping();
    test_binding();
    test_ranks();
    test_default();
    test_noise();
    test_flood();
    test_means();
    test_csv();
    audit_clear(&audit);
    return tap_done();
}
