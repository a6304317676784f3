/* SPDX-License-Identifier: BSD-3-Clause */
/* From a study's files to points.csv: every planned point is a row, whatever became of it. */
#include "analysis/measure/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/judge/views.h"
#include "harness/base/fs.h"
#include "harness/study/plan.h"
#include "tests/analysis/dir.h"
#include "tests/analysis/planted.h"
#include "tests/tap.h"

static const char header[] = "point,rep,max_s,mean_s,min_s,root_s,at_s,warmup,valid\n";
static const char outcome_header[] =
    "point,status,reason,verified,ran_algorithm,ran_segment_bytes,ran_fanout,n_rows,n,converged,"
    "checked,elapsed_s,core_s,late,clock_error_s\n";

/* What the test's points are, by index. */
enum { FINE, SUBSTITUTED, HUNG, LYING, UNFINISHED, NEVER, GATHER, CONSTANT, N_POINTS };

/* A study of one launch, repeated three times, below dir. */
struct study_files {
    const char *dir;
    struct point point[N_POINTS];
    struct point skipped;
    struct launch launch[3];
};

static void write_text(const char *dir, const char *name, const char *text)
{
    char path[PATH_SIZE];
    struct err err;
    if (fs_path(path, sizeof path, &err, "%s/%s", dir, name) < 0 || fs_write(path, text, &err) < 0)
        diag("%s", err.text);
}

static void write_manifest(const char *dir, const char *backend)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"format\": 1, \"digest\": \"0123abcd\", \"seed\": 5, \"backend\": {\"name\": "
        "\"%s\"},\n \"cluster\": {\"settings\": {\"cluster\": {\"name\": {\"value\": "
        "\"testland\"}}}},\n \"study\": {\"settings\": {\"compare\": {\"tie_pct\": {\"value\": "
        "\"1.5\"}},\n \"measure\": {\"confidence\": {\"value\": \"0.9\"}, \"keep_ranks\": "
        "{\"value\": "
        "\"yes\"}}}},\n \"mpi\": {\"openmpi\": {\"version\": \"4.1.4\"}}}\n",
        backend);
    write_text(dir, "manifest.json", text);
}

static struct point make_point(enum experiment experiment, uint64_t bytes)
{
    struct point p = planted_point(experiment, "openmpi:binomial", 4, bytes, 0, 0,
                                   experiment == EXP_GATHER ? 1024 : 0);
    snprintf(p.cell.mpi, NAME_SIZE, "openmpi");
    p.cell.nodes = 1;
    p.cell.ppn = 4;
    point_identify(&p);
    return p;
}

static void write_plan(struct study_files *s)
{
    struct point all[3 * N_POINTS];
    struct skipped skipped = { .reason = "512 processes do not fit" };
    struct plan plan = {
        .points = all, .launches = s->launch, .n_launches = 3, .skipped = &skipped, .n_skipped = 1
    };
    struct err err;
    for (int i = 0; i < N_POINTS; i++)
        s->point[i] = make_point(i == GATHER ? EXP_GATHER : EXP_TIME, (uint64_t)8192 << i);
    for (int r = 0; r < 3; r++) {
        char name[64];
        snprintf(name, sizeof name, "openmpi-node-1x4-p4-r%d", r + 1);
        launch_parse(name, &s->launch[r], &err);
        s->launch[r].first = plan.n;
        s->launch[r].n = N_POINTS;
        for (int i = 0; i < N_POINTS; i++)
            all[plan.n++] = s->point[i];
    }
    skipped.point = make_point(EXP_TIME, 1);
    s->skipped = skipped.point;
    plan_write(&plan, s->dir, &err);
}

static void add_rows(FILE *f, const char *id, int n, double seconds, struct rng *rng)
{
    for (int i = 0; i < n; i++) {
        double x = seconds * (1 + 0.02 * rng_normal(rng));
        fprintf(f, "%s,%d,%.9g,%.9g,%.9g,%.9g,%d,%d,1\n", id, i, x, 0.9 * x, 0.8 * x, 2 * x, i,
                i < 2);
    }
}

/* One repeat's samples; slow: the machine is 20 % slower in the second half. */
static void write_samples(const struct study_files *s, int repeat, int slow)
{
    char path[PATH_SIZE];
    struct err err;
    struct rng rng;
    struct whole_file f, o;
    rng_init(&rng, (uint64_t)repeat);
    snprintf(path, sizeof path, "%s/samples/%s.a1-0123abcd.csv", s->dir, s->launch[repeat].name);
    fs_begin(&f, path, &err);
    snprintf(path, sizeof path, "%s/samples/%s.a1-0123abcd.outcomes.csv", s->dir,
             s->launch[repeat].name);
    fs_begin(&o, path, &err);
    fprintf(f.file, "# clock: test\n%s", header);
    fputs(outcome_header, o.file);
    for (int i = 0; i < N_POINTS; i++) {
        const char *status = i == SUBSTITUTED ? "substituted" : i == LYING ? "invalid" : "ok";
        if (i == NEVER || i == HUNG)
            continue;
        for (int k = 0; k < 4; k++)
            fprintf(f.file, "sentinel,%d,%.9g,5e-4,5e-4,5e-4,1,0,1\n", 4 * i + k,
                    (slow && i >= 4 ? 1.2e-3 : 1e-3) * (1 + 0.02 * rng_normal(&rng)));
        if (i == CONSTANT)
            for (int k = 0; k < 12; k++)
                fprintf(f.file, "%s,%d,0.25,0.25,0.25,0.25,1,0,1\n", s->point[i].id, k);
        else
            add_rows(f.file, s->point[i].id, 12, 1e-3 * (i + 1) * (1 + 0.1 * repeat), &rng);
        fprintf(o.file, "%s,%s,%s,interposed,%s,0,0,%d,10,1,1,2,8,%s\n", s->point[i].id, status,
                i == LYING ? "basic_linear ran" : "",
                i == SUBSTITUTED ? "openmpi:pipeline" : "openmpi:binomial",
                i == UNFINISHED ? 40 : 12,
                i == FINE       ? "3,2e-7"
                : i == CONSTANT ? repeat == 1 ? "0,0.1" : "0,1e-6"
                                : ",");
    }
    fs_commit(&f, &err);
    fs_commit(&o, &err);
}

static void write_events(const struct study_files *s)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"t\":\"2026-01-01T00:00:00Z\",\"launch\":\"%s\",\"attempt\":1,\"event\":\"timeout\","
        "\"reason\":\"no sign of life for 10 s\",\"point\":\"%s\",\"digest\":\"0123abcd\","
        "\"points\":1,\"elapsed_s\":10,\"pid\":1}\n",
        s->launch[0].name, s->point[HUNG].id);
    write_text(s->dir, "events.jsonl", text);
}

/* The row of a point; none of its fields is set where there is no such row. */
static const struct measured *row_of(const struct points *p, const char *id)
{
    static const struct measured none;
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->row[i].point.id, id) == 0)
            return &p->row[i];
    return &none;
}

static const struct measured *row(const struct points *p, const struct study_files *s, int i)
{
    return row_of(p, s->point[i].id);
}

static void statuses(const struct points *p, const struct study_files *s)
{
    const struct measured *m = row(p, s, FINE);
    is_str("ok", point_status_words[m->status], "a finished point is ok");
    is_int(3, (long long)m->time.launches, "it was measured in three launches");
    is_int(30, (long long)m->time.n, "warm-ups do not count");
    is_near(1.1e-3, m->time.value, 0.02, "its time is the median over launches, of max_s");
    is_near(1.1e-3, m->time.mean, 0.02, "its mean that of launch means");
    ok(m->time.ci_high - m->time.ci_low > 1e-4, "its interval is that of the launches' times");
    is_str("student", m->interval, "of which three are too few for order statistics");
    is_int(0, m->converged, "it is too wide, whatever each launch says of itself");
    is_near(0.091, m->time.between_rel, 0.1, "as the launches differ by a tenth");
    is_near(0.02, m->time.within_rel, 0.5, "and the calls of each by a fiftieth");
    is_near(24, m->core_s, 1e-12, "core-seconds add up");
    is_str("interposed", m->verified, "the proof is carried on");
    is_str("max_rank", m->statistic, "the statistic is named");
    is_int(9, (long long)m->late, "calls that came late to their windows add up");
    is_near(2e-7, m->clock_error_s, 1e-12, "the clock's error is carried on");
    is_str("", m->reason, "and is small beside the precision");
    m = row(p, s, GATHER);
    is_str("root", m->statistic, "a gather experiment is timed on the root");
    is_near(2 * 7 * 1.1e-3, m->time.value, 0.02, "by the root's clock");
    m = row(p, s, SUBSTITUTED);
    is_str("substituted", point_status_words[m->status], "a substituted point says so");
    is_str("openmpi:pipeline", m->ran_algorithm, "and names what ran");
    ok(measured_usable(m), "its time can be used");
    m = row(p, s, LYING);
    is_str("invalid", point_status_words[m->status], "a caught lie is invalid");
    is_str("basic_linear ran", m->reason, "with the reason");
    ok(!measured_usable(m), "its time cannot be used");
    m = row(p, s, HUNG);
    is_str("timeout", point_status_words[m->status], "a hung point is a time-out");
    is_str("no sign of life for 10 s", m->reason, "with the journal's reason");
    m = row(p, s, UNFINISHED);
    is_str("missing", point_status_words[m->status],
           "fewer samples than the outcome says: missing");
    m = row(p, s, NEVER);
    is_str("missing", point_status_words[m->status], "a point without outcome is missing");
    is_str("not measured yet", m->reason, "and says so");
    ok(isnan(m->time.value) && m->time.n == 0, "without a number");
    m = row(p, s, CONSTANT);
    ok(m->time.stddev == 0 && m->time.rel_ci == 0, "equal samples have an interval of no width");
    is_int(1, m->converged, "which is as narrow as asked");
    is_near(0.1, m->clock_error_s, 1e-12, "of several launches the worst clock counts");
    ok(strncmp(m->reason, "the clock's error, 0.1 s, is more than the precision", 52) == 0,
       "and is told where the time is not known to the precision wanted: %s", m->reason);
    m = row_of(p, s->skipped.id);
    is_str("skipped", point_status_words[m->status], "what cannot be measured is a row");
    is_str("512 processes do not fit", m->reason, "with the plan's reason");
    is_int(N_POINTS + 1, (long long)p->n, "one row per point, however many launches");
}

static int drifted(const struct study_files *s, int slow)
{
    struct facts facts;
    struct points p;
    struct err err;
    int drift = STAT_NA;
    write_samples(s, 0, slow);
    facts_read(s->dir, &facts, &err);
    if (points_build(s->dir, &facts, NULL, &p, &err) == 0) {
        drift = row(&p, s, FINE)->drift;
        points_clear(&p);
    }
    return drift;
}

static void round_trip(const struct study_files *s, const struct facts *facts,
                       const struct points *p)
{
    struct points back;
    struct err err = { .text = "" };
    is_int(0, points_write(s->dir, facts, p, &err), "points.csv is written: %s", err.text);
    is_int(0, points_read(s->dir, 0, &back, &err), "and read: %s", err.text);
    is_int((long long)p->n, (long long)back.n, "with as many rows");
    is_str("testland", back.cluster, "of the cluster");
    int same = 1;
    for (size_t i = 0; i < p->n && i < back.n; i++) {
        const struct measured *a = &p->row[i], *b = &back.row[i];
        same &= strcmp(a->point.id, b->point.id) == 0 && a->status == b->status &&
                strcmp(a->reason, b->reason) == 0 && a->time.n == b->time.n &&
                a->time.launches == b->time.launches && a->drift == b->drift &&
                a->converged == b->converged && strcmp(a->interval, b->interval) == 0 &&
                a->time.normal == b->time.normal &&
                strcmp(a->ran_algorithm, b->ran_algorithm) == 0 && a->ran_fanout == b->ran_fanout &&
                (fabs(a->time.value / b->time.value - 1) < 1e-8 ||
                 (isnan(a->time.value) && isnan(b->time.value)));
    }
    ok(same, "and the same content");
    points_clear(&back);
}

/* The same calls in all views; one point stands for another candidate of another one's cell. */
static void seen(const struct study_files *s, const struct facts *facts, const struct store *store,
                 struct points *p)
{
    struct views v;
    struct err err = { .text = "" };
    struct facts without = *facts;
    struct measured *other = &p->row[row(p, s, SUBSTITUTED) - p->row];
    const struct measured *fine = row(p, s, FINE);
    other->point.cell = fine->point.cell;
    snprintf(other->point.candidate.algorithm, NAME_SIZE, "openmpi:chain");
    without.keeps_ranks = 0;
    is_int(0, views_make(store, p, &without, &v, &err), "ranks' times were not asked for");
    is_int(0, (long long)v.n, "there are no views then");
    is_int(0, views_make(store, p, facts, &v, &err), "where they were: %s", err.text);
    is_int(3, (long long)v.n, "each timed point that has a time is seen");
    const struct view_row *a = v.row, *b = v.row + 1;
    is_str(fine->point.id, a->point.id, "in the order of cells");
    is_near(fine->time.value, a->time_s[VIEW_SLOWEST], 1e-12, "the slowest rank's is its time");
    is_near(0.9 * fine->time.value, a->time_s[VIEW_MEAN], 1e-6, "the mean over ranks is less");
    is_near(2 * fine->time.value, a->time_s[VIEW_ROOT], 1e-6, "the root's is its own");
    is_near(0.8 * fine->time.value, a->time_s[VIEW_FASTEST], 1e-6, "the fastest is the least");
    ok(isnan(a->time_s[VIEW_SPAN]), "the last end minus the first begin is not known here");
    ok(a->loss.pct == 0 && a->loss.tied == 1, "the best of a cell loses nothing");
    is_near(100, b->loss.pct, 0.05, "another one loses what its time says");
    ok(b->loss.ci_low_pct > 90 && b->loss.ci_low_pct <= b->loss.pct && b->loss.ci_high_pct < 110 &&
           b->loss.tied == 0,
       "launch by launch: they differ by a tenth, but both the same way (%g to %g)",
       b->loss.ci_low_pct, b->loss.ci_high_pct);
    views_clear(&v);
}

static void simulated(const struct study_files *s)
{
    struct facts facts;
    struct points p;
    struct err err;
    write_manifest(s->dir, "sim");
    facts_read(s->dir, &facts, &err);
    points_build(s->dir, &facts, NULL, &p, &err);
    const struct measured *m = row(&p, s, FINE);
    is_str("exact", m->interval, "a simulation is exact");
    ok(m->time.value > 0 && isnan(m->time.between_rel), "with a time, and no spread");
    ok(facts.deterministic && isnan(m->time.ci_low) && m->converged == STAT_NA &&
           m->time.independent == STAT_NA && m->time.normal == STAT_NA,
       "in a simulation interval, convergence, independence and normality do not apply");
    points_clear(&p);
}

/* A file of a version that had no column time_s. */
static void earlier_version(const struct study_files *s)
{
    char path[PATH_SIZE], *text;
    struct points p;
    struct err err = { .text = "" };
    fs_path(path, sizeof path, &err, "%s/points.csv", s->dir);
    text = fs_read(path, NULL, &err);
    char *name = text ? strstr(text, "time_s") : NULL;
    if (!name)
        return (void)ok(0, "points.csv has a column time_s");
    memcpy(name, "nobody", 6);
    write_text(s->dir, "points.csv", text);
    free(text);
    is_int(0, points_read(s->dir, 0, &p, &err), "a file without time_s is read: %s", err.text);
    const struct measured *m = row(&p, s, FINE);
    ok(m->time.value == m->time.mean && m->time.mean > 0, "the time is then the mean");
    points_clear(&p);
}

static void errors(const struct study_files *s)
{
    struct facts facts;
    struct points p;
    struct err err;
    write_manifest(s->dir, "local");
    facts_read(s->dir, &facts, &err);
    write_text(s->dir, "plan.csv", "launch,point\nx,y\n");
    is_int(-1, points_build(s->dir, &facts, NULL, &p, &err),
           "a plan without its columns is refused");
    has_str("plan.csv", err.text, "the file is named");
    write_text(s->dir, "points.csv", "cluster,backend\n");
    is_int(-1, points_read(s->dir, 0, &p, &err), "a points file without its columns is refused");
    has_str("points.csv:1: has no column", err.text, "the column is named");
    for (int i = 0; i < 2; i++) {
        static const char *const wrong[] = { "1.5", "abc" };
        char text[300];
        snprintf(text, sizeof text,
                 "{\"backend\": {\"name\": \"sim\"}, "
                 "\"cluster\": {\"settings\": {\"cluster\": {\"name\": {\"value\": \"c\"}}}}, "
                 "\"study\": {\"settings\": {\"measure\": {\"confidence\": {\"value\": "
                 "\"%s\"}}}}}",
                 wrong[i]);
        write_text(s->dir, "manifest.json", text);
        is_int(-1, facts_read(s->dir, &facts, &err), "a confidence of '%s' is refused", wrong[i]);
        has_str("manifest.json:1: study/settings/measure/confidence/value: ", err.text,
                "by its name");
        has_str(wrong[i], err.text, "with what was found");
    }
    write_text(s->dir, "manifest.json", "{\"digest\": ");
    is_int(-1, facts_read(s->dir, &facts, &err), "a manifest cut short is refused");
    has_str("manifest.json:", err.text, "with its line");
    write_text(s->dir, "manifest.json", "[]");
    is_int(-1, facts_read(s->dir, &facts, &err), "so is one that is no object");
    is_int(-1, facts_read("/nowhere", &facts, &err), "no manifest:");
    has_str("collsel measure", err.text, "the command that makes one is named");
}

/* Sorted or not, the same experiments are found, by every part of cell and candidate. */
static void test_has(void)
{
    enum { N = 200 };
    struct points points = { .row = calloc(N, sizeof *points.row), .n = N };
    int same = 1, found = 0;
    for (int i = 0; points.row && i < N; i++) {
        struct point *p = &points.row[i].point;
        p->experiment = i % 3 == 0 ? EXP_TIME : i % 3 == 1 ? EXP_GATHER : EXP_GAMMA;
        p->cell = (struct cell){ .procs = i % 7, .nodes = i % 2, .bytes = (uint64_t)(i % 5) };
        p->candidate.segment_bytes = (uint64_t)(i % 4);
        snprintf(p->candidate.algorithm, NAME_SIZE, "x:%d", i % 3 / 2);
    }
    points_sort(&points);
    struct points plain = { .row = points.row, .n = N };
    for (int i = 0; i < N; i++) {
        const int seen = points_has(&points, EXP_GATHER, &points.row[i].point);
        same &= seen == points_has(&plain, EXP_GATHER, &points.row[i].point);
        found += seen;
    }
    ok(same, "what is found there is what looking at every row finds");
    ok(found >= N / 3 && found < N, "some rows have their experiment, some have none (%d)", found);
    points_clear(&points);
}

int main(void)
{
    char dir[256];
    struct study_files s = { .dir = dir_make(dir, sizeof dir) };
    struct facts facts;
    struct points p;
    struct store store = { .n_files = 0 };
    struct err err = { .text = "" };
    if (!s.dir)
        return tap_skip_all("no temporary directory");
    write_manifest(s.dir, "local");
    write_plan(&s);
    write_events(&s);
    for (int r = 0; r < 3; r++)
        write_samples(&s, r, 0);
    is_int(0, facts_read(s.dir, &facts, &err), "the manifest is read: %s", err.text);
    ok(facts.tie_pct == 1.5 && facts.confidence == 0.9 && facts.seed == 5, "with its settings");
    is_str("4.1.4", facts_version(&facts, "openmpi"), "and versions");
    is_str("unknown", facts_version(&facts, "mpich"), "what it does not say is unknown");
    is_int(0, points_build(s.dir, &facts, &store, &p, &err), "points are built: %s", err.text);
    statuses(&p, &s);
    round_trip(&s, &facts, &p);
    earlier_version(&s);
    seen(&s, &facts, &store, &p);
    store_free(&store);
    points_clear(&p);
    is_int(0, drifted(&s, 0), "a steady machine is not flagged");
    is_int(1, drifted(&s, 1), "one that slows by 20 %% in mid-sweep is");
    simulated(&s);
    errors(&s);
    dir_remove(s.dir);
    test_has();
    return tap_done();
}
