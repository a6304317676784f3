/* SPDX-License-Identifier: BSD-3-Clause */
/* Twins of points in another study: planted times, of which the ratios are known. */
#include "analysis/measure/compare_studies.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/measure/equivalent.h"
#include "analysis/fit/fit.h"
#include "tests/analysis/selection.h"
#include "tests/analysis/dir.h"
#include "tests/analysis/planted.h"
#include "tests/tap.h"

static char here_dir[256], there_dir[256];

static struct point point_of(const char *mpi, enum experiment experiment, const char *algorithm,
                             uint64_t bytes, uint64_t segment, int fanout)
{
    struct point p = planted_point(experiment, algorithm, 16, bytes, segment, fanout,
                                   experiment == EXP_GATHER ? 1024 : 0);
    snprintf(p.cell.mpi, NAME_SIZE, "%s", mpi);
    point_identify(&p);
    return p;
}

static struct measured *add(struct points *points, const struct point *p, double seconds)
{
    struct planted planted = { .samples = 1 };
    return planted_add(points, &planted, p, seconds);
}

static struct measured *add_time(struct points *points, const char *mpi, const char *algorithm,
                                 uint64_t bytes, uint64_t segment, int fanout, double seconds)
{
    struct point p = point_of(mpi, EXP_TIME, algorithm, bytes, segment, fanout);
    return add(points, &p, seconds);
}

static void write_points(const char *dir, const char *backend, const struct points *points)
{
    struct facts facts = { .cluster = "star" };
    struct err err = { 0 };
    snprintf(facts.backend, sizeof facts.backend, "%s", backend);
    if (points_write(dir, &facts, points, &err) < 0)
        diag("%s", err.text);
}

/* The simulation: portable schedules alone. */
static void write_there(void)
{
    struct points p = { .n = 0 };
    add_time(&p, "smpi", "portable:binomial", 8192, 0, 0, 1e-3);
    add_time(&p, "smpi", "portable:chain", 65536, 8192, 4, 2e-3);
    add_time(&p, "smpi", "portable:chain", 65536, 1024, 4, 3e-3);
    add_time(&p, "smpi", "portable:pipeline", 65536, 8192, 0, 5e-3);
    add_time(&p, "smpi", "portable:scatter_allgather_ring", 65536, 0, 0, 4e-3);
    add_time(&p, "smpi", "portable:binary_tree", 65536, 8192, 0, 7e-3)->status = POINT_TIMEOUT;
    struct point ping = point_of("smpi", EXP_PINGPONG, "portable:pingpong", 1024, 0, 0);
    add(&p, &ping, 1e-4);
    write_points(there_dir, "sim", &p);
    points_clear(&p);
}

/* What is expected of a point measured here. */
static const struct expected {
    const char *what, *algorithm;
    uint64_t bytes, segment;
    int fanout;
    double seconds, ratio; /* NaN: none */
    enum point_status status;
    const char *ran;
    enum compare_studies_status wanted;
} cases[] = {
    { "the same schedule", "portable:binomial", 8192, 0, 0, 2e-3, 2, POINT_OK, "",
      COMPARE_STUDIES_OK },
    { "the library's own algorithm, which sends the same messages", "openmpi:binomial", 8192, 0, 0,
      5e-4, 0.5, POINT_OK, "", COMPARE_STUDIES_OK },
    { "the fan-out that the library takes by default", "openmpi:chain", 65536, 8192, 0, 3e-3, 1.5,
      POINT_OK, "", COMPARE_STUDIES_OK },
    { "another segment", "openmpi:chain", 65536, 1024, 4, 3e-3, 1, POINT_OK, "",
      COMPARE_STUDIES_OK },
    { "a segment that was not simulated", "openmpi:chain", 65536, 2048, 4, 3e-3, NAN, POINT_OK, "",
      COMPARE_STUDIES_NO_TWIN },
    { "a size that was not simulated", "openmpi:pipeline", 8192, 8192, 0, 1, NAN, POINT_OK, "",
      COMPARE_STUDIES_NO_TWIN },
    { "the same messages under another name", "mpich:scatter_ring_allgather", 65536, 0, 0, 6e-3,
      1.5, POINT_OK, "", COMPARE_STUDIES_OK },
    { "one child after the other, which is not our binomial tree", "mpich:binomial", 8192, 0, 0,
      2e-3, NAN, POINT_OK, "", COMPARE_STUDIES_NO_TWIN },
    { "a segment that cuts nothing", "openmpi:binomial", 8192, 65536, 0, 2e-3, 2, POINT_OK, "",
      COMPARE_STUDIES_OK },
    { "the library's default", "openmpi:default", 8192, 0, 0, 1, NAN, POINT_OK, "",
      COMPARE_STUDIES_NO_TWIN },
    { "what the simulation did not finish", "openmpi:binary_tree", 65536, 8192, 0, 1, NAN, POINT_OK,
      "", COMPARE_STUDIES_NO_TIME_THERE },
    { "what was not measured here", "portable:pipeline", 65536, 8192, 0, 1, NAN, POINT_FAILED, "",
      COMPARE_STUDIES_NO_TIME },
    { "what ran something else", "openmpi:pipeline", 65536, 8192, 0, 1, NAN, POINT_SUBSTITUTED,
      "openmpi:basic_linear", COMPARE_STUDIES_SUBSTITUTED },
};
enum { N_CASES = sizeof cases / sizeof *cases };

static void take_here(struct points *p)
{
    *p = (struct points){ .backend = "emulated", .cluster = "star" };
    for (size_t i = 0; i < N_CASES; i++) {
        const struct expected *e = &cases[i];
        struct measured *m =
            add_time(p, "openmpi", e->algorithm, e->bytes, e->segment, e->fanout, e->seconds);
        m->status = e->status;
        snprintf(m->ran_algorithm, sizeof m->ran_algorithm, "%s", e->ran);
    }
    struct point ping = point_of("openmpi", EXP_PINGPONG, "portable:pingpong", 1024, 0, 0);
    add(p, &ping, 3e-4);
}

static void compare(const struct compare_studies *a, const struct points *p)
{
    for (size_t i = 0; i < N_CASES; i++) {
        struct comparison c = compare_studies_compare(a, &p->row[i]);
        is_str(compare_studies_status_words[cases[i].wanted],
               compare_studies_status_words[c.status], "%s", cases[i].what);
        if (isnan(cases[i].ratio))
            ok(isnan(c.ratio), "which has no ratio");
        else
            is_near(cases[i].ratio, c.ratio, 1e-12, "and the ratio that was planted");
    }
    struct comparison c = compare_studies_compare(a, &p->row[N_CASES]);
    is_near(3, c.ratio, 1e-12, "other experiments have twins too");
}

/* Here the mean over ranks was measured (2 ms), there the slowest rank's time (4 ms). */
static void statistics(void)
{
    const double unknown = NAN;
    static const struct {
        const char *here, *there, *wanted;
        double here_mean, there_mean; /* ms over ranks; 0: not known */
        double ratio;
    } rows[] = {
        { "max_rank", "max_rank", "max_rank", 0, 0, 0.5 },
        { "mean_rank", "max_rank", "mean_rank", 0, 2.5, 0.8 },
        { "max_rank", "mean_rank", "mean_rank", 1, 0, 0.25 },
        { "mean_rank", "max_rank", "mean_rank", 0, 0, 0 },
        { "max_rank", "mean_rank", "max_rank", 0, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct points here = { .n = 0 }, there = { .n = 0 };
        struct measured *h = add_time(&here, "openmpi", "openmpi:binomial", 8192, 0, 0, 2e-3),
                        *t = add_time(&there, "openmpi", "openmpi:binomial", 8192, 0, 0, 4e-3);
        struct twin twin = { .measured = t };
        struct compare_studies a = { .twin = &twin, .n = 1 };
        snprintf(h->statistic, sizeof h->statistic, "%s", rows[i].here);
        snprintf(t->statistic, sizeof t->statistic, "%s", rows[i].there);
        h->mean_rank_s = rows[i].here_mean > 0 ? rows[i].here_mean * 1e-3 : unknown;
        t->mean_rank_s = rows[i].there_mean > 0 ? rows[i].there_mean * 1e-3 : unknown;
        twin.key = (struct twin_key){ .cell = h->point.cell,
                                      .candidate = equivalent_candidate(&h->point.cell,
                                                                        &h->point.candidate) };
        memset(twin.key.cell.mpi, 0, sizeof twin.key.cell.mpi);
        const struct comparison c = compare_studies_compare(&a, h);
        is_str(rows[i].wanted, c.statistic, "%s here, %s there: which time is told", rows[i].here,
               rows[i].there);
        if (rows[i].ratio > 0) {
            is_near(rows[i].ratio, c.ratio, 1e-12, "both by that");
            is_near(c.ratio, c.here_s / c.there_s, 1e-12, "as the two times say");
        } else {
            ok(isnan(c.ratio) && isnan(c.there_s), "nothing is compared");
            is_str("other_statistic", compare_studies_status_words[c.status], "and why");
        }
        points_clear(&here);
        points_clear(&there);
    }
}

/* comparison.csv: rows and the ratio of the first. */
static void files(const struct compare_studies *a, const struct points *p)
{
    static const char *const columns[] = { "point", "ratio", "status", "against_mpi", NULL };
    char path[PATH_SIZE];
    struct err err = { 0 };
    double ratio = 0;
    int rows = 0;
    fs_path(path, sizeof path, NULL, "%s/comparison.csv", here_dir);
    is_int(0, compare_studies_write(here_dir, p, a, &err), "the comparison is written");
    struct csv *csv = csv_open(path, columns, &err);
    for (; csv && csv_next(csv, &err) == 1; rows++)
        if (rows == 0) {
            csv_f64(csv, csv_column(csv, "ratio"), &ratio, &err);
            is_str("smpi", csv_text(csv, csv_column(csv, "against_mpi")), "the other's library");
        }
    csv_close(csv);
    is_int(N_CASES + 1, rows, "every point is a row");
    is_near(2, ratio, 1e-9, "with its ratio");
    is_int(0, compare_studies_write(here_dir, p, NULL, &err), "without another study");
    ok(!fs_exists(path), "the file of before is gone");
    is_int(0, compare_studies_write(here_dir, p, NULL, &err), "also where there was none");
}

/* The simulation as a model: the twin's time is the prediction. */
static void model(const struct compare_studies *a, const struct points *p)
{
    const struct model *m = model_find("simulated");
    struct parameters with = { .against = a }, without = { .against = NULL };
    struct prediction r =
        model_predict(m, &with, &p->row[1].point.cell, &p->row[1].point.candidate);
    is_near(1e-3, r.seconds, 1e-15, "the model 'simulated' predicts the simulated time");
    r = model_predict(m, &with, &p->row[4].point.cell, &p->row[4].point.candidate);
    is_str("no_fit", predict_status_words[r.status], "and nothing where nothing was simulated");
    ok(m->applies(&with) && !m->applies(&without), "it is there where a simulation is");
}

static const struct selection *row_of(const struct selection_table *t, const char *selector)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->row[i].selector->name, selector) == 0)
            return &t->row[i];
    return NULL;
}

static void selector(void)
{
    struct points p = { .n = 0 }, sim = { .n = 0 };
    struct predictions predictions;
    struct facts facts = { .deterministic = 1, .confidence = 0.95, .tie_pct = 2.5 };
    struct selection_table t;
    struct compare_studies a;
    struct err err = { 0 };
    static const char *const names[] = { "portable:binomial", "openmpi:binomial", "openmpi:chain" };
    static const double seconds[] = { 4e-3, 3e-3, 2e-3 };
    for (int i = 0; i < 3; i++)
        add_time(&p, "openmpi", names[i], 65536, 8192, i == 2 ? 4 : 0, seconds[i]);
    add_time(&sim, "smpi", "portable:binomial", 65536, 8192, 0, 1e-3);
    add_time(&sim, "smpi", "portable:chain", 65536, 8192, 4, 2e-3);
    write_points(there_dir, "sim", &sim);
    is_int(0, compare_studies_open(there_dir, 0, &a, &err),
           "a simulation that prefers another algorithm");
    struct parameters parameters = { .against = &a };
    predictions_make(&p, &parameters, &predictions);
    selection_make(&p, &predictions, &facts, NULL, &t, NULL);
    const struct selection *s = row_of(&t, "simulated");
    is_str("openmpi:binomial", s ? s->chosen.algorithm : "none",
           "of two with the same messages the library's own is chosen");
    is_near(50, s ? s->degradation_pct : NAN, 1e-9, "and loses what was planted");
    selection_clear(&t);
    predictions_clear(&predictions);
    predictions.row = NULL;
    predictions.n = 0;
    selection_make(&p, &predictions, &facts, NULL, &t, NULL);
    ok(row_of(&t, "simulated") == NULL, "without a simulation the selector has no rows");
    selection_clear(&t);
    compare_studies_close(&a);
    points_clear(&p);
    points_clear(&sim);
}

/* Two candidates at 64 KiB among 16: do they send the same messages? */
static void same_messages(void)
{
    static const struct {
        struct candidate a, b;
        int same;
    } rows[] = {
        { { "openmpi:binomial", 8192, 0 }, { "portable:binomial", 8192, 0 }, 1 },
        { { "openmpi:binomial", 8192, 0 }, { "portable:binomial", 1024, 0 }, 0 },
        { { "openmpi:binomial", 0, 0 }, { "portable:binomial", 65536, 0 }, 1 },
        { { "openmpi:chain", 8192, 0 }, { "portable:chain", 8192, 4 }, 1 },
        { { "openmpi:chain", 8192, 4 }, { "portable:chain", 8192, 2 }, 0 },
        { { "mpich:scatter_ring_allgather", 0, 0 },
          { "portable:scatter_allgather_ring", 0, 0 },
          1 },
        { { "portable:split_binary_tree", 65536, 0 }, { "portable:pipeline", 65536, 0 }, 1 },
        { { "mpich:binomial", 0, 0 }, { "portable:binomial", 0, 0 }, 0 },
        { { "openmpi:default", 0, 0 }, { "openmpi:default", 0, 0 }, 1 },
    };
    const struct point p = point_of("openmpi", EXP_TIME, "portable:binomial", 65536, 0, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is_int(rows[i].same, equivalent_same(&p.cell, &rows[i].a, &rows[i].b),
               "%s of %d and %s of %d: %s", rows[i].a.algorithm, (int)rows[i].a.segment_bytes,
               rows[i].b.algorithm, (int)rows[i].b.segment_bytes,
               rows[i].same ? "the same messages" : "others");
}

static void chosen(void)
{
    char buf[PATH_SIZE], path[PATH_SIZE];
    is_str("", compare_studies_choose(NULL, here_dir, "emulated", buf, sizeof buf),
           "no simulation beside");
    fs_path(path, sizeof path, NULL, "%s-sim", here_dir);
    mkdir(path, 0777);
    fs_path(path, sizeof path, NULL, "%s-sim/manifest.json", here_dir);
    fs_write(path, "{}", NULL);
    fs_path(path, sizeof path, NULL, "%s-sim", here_dir);
    is_str(path, compare_studies_choose(NULL, here_dir, "emulated", buf, sizeof buf),
           "the simulation beside an emulated study");
    is_str(path, compare_studies_choose(NULL, here_dir, "slurm", buf, sizeof buf),
           "or a measured one");
    is_str("", compare_studies_choose(NULL, here_dir, "local", buf, sizeof buf),
           "not of this machine's");
    is_str("", compare_studies_choose("none", here_dir, "emulated", buf, sizeof buf),
           "nor unasked");
    is_str("x/y", compare_studies_choose("x/y", here_dir, "local", buf, sizeof buf),
           "what was asked for");
    dir_remove(path);
}

int main(void)
{
    struct compare_studies a;
    struct points p;
    struct err err = { 0 };
    if (!dir_make(here_dir, sizeof here_dir) || !dir_make(there_dir, sizeof there_dir))
        return tap_skip_all("no temporary directory");
    write_there();
    take_here(&p);
    if (is_int(0, compare_studies_open(there_dir, 0, &a, &err), "the other study is read")) {
        compare(&a, &p);
        files(&a, &p);
        model(&a, &p);
        compare_studies_close(&a);
    }
    selector();
    statistics();
    chosen();
    same_messages();
    is_int(-1, compare_studies_open("/nowhere/at/all", 0, &a, &err), "a study that is not there");
    has_str("to compare with: '/nowhere/at/all/manifest.json' does not exist", err.text,
            "is told by name");
    points_clear(&p);
    dir_remove(here_dir);
    dir_remove(there_dir);
    return tap_done();
}
