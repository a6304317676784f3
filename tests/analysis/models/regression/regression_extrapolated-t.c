/* SPDX-License-Identifier: BSD-3-Clause */
/* The regression carried beyond the nodes that were fitted: by hand on a planted line and a planted
 * model of half its size that knows what the crossing costs. */
#include "analysis/models/regression/regression_extrapolated.h"

#include <math.h>

#include "harness/base/csv.h"
#include "tests/analysis/dir.h"
#include "tests/analysis/overprocs.h"
#include "tests/tap.h"

static const char chain[] = "openmpi:chain";

static double line_s(int procs)
{
    return 1e-6 * (2 + procs);
}

static double model_s(int procs)
{
    return line_s(procs) / 2 + (procs > 16 ? 1e-6 * (3 + 0.1 * procs) : 0);
}

/* What two bases say of all points, in their order; channel says twice as much as channel_event,
 * which says nothing at P = without. */
static struct predictions say(const struct points *points, int without)
{
    struct predictions p = { .row = calloc(2 * points->n + 1, sizeof *p.row) };
    for (int b = 0; b < 2; b++)
        for (size_t i = 0; i < points->n; i++) {
            struct model_said *r = &p.row[p.n++];
            const int procs = points->row[i].point.cell.procs;
            r->model = model_find(b ? "channel_walk" : "channel_stage");
            r->of = &points->row[i];
            r->prediction.seconds = (b ? 1 : 2) * model_s(procs);
            r->prediction.status = b && procs == without ? PREDICT_NO_FIT : PREDICT_OK;
        }
    return p;
}

/* Two nodes of 16 cores; the points beyond the first have a time that must not matter. */
static struct points planted(const struct facts *facts)
{
    struct points points = { .n = 0 };
    for (int p = 2; p <= 32; p += 2)
        over_add(&points, facts, chain, "core", p, 8, p <= 16 ? line_s(p) : 1);
    return points;
}

static void by_hand(const char *dir)
{
    const struct facts facts = shape(2, 1, 16);
    struct points points = planted(&facts);
    struct predictions said = say(&points, 0);
    struct point_groups groups;
    struct regressions fits;
    struct extrapolated carried;
    struct extrapolated_time t;
    struct err err = { .text = "" };
    point_groups_make(&points, &groups);
    regressions_fit(&groups, &facts, OVER_OWN, SPLIT_EXTRAPOLATED, &fits);
    extrapolated_make(&points, &said, &carried);
    const struct parameters p = { .facts = &facts,
                                  .held = { { &regression_set, &fits, NULL },
                                            { &extrapolated_set, &carried, NULL } } };
    const struct candidate c = points.row[0].point.candidate;
    struct cell cell = packed(&facts, "core", 24, 8);
    is_int(PREDICT_EXTRAPOLATED, extrapolated_predict(&p, &cell, &c, &t), "on the second node");
    is_near(sqrt(2), t.factor, 1e-9, "the model is half of what is measured");
    is_near(26e-6, t.regression_s, 1e-9, "the regression goes on");
    is_near(18.4e-6, t.model_s, 1e-9, "the model knows of 5.4 us more");
    is_near(sqrt(2) * 18.4e-6, t.seconds, 1e-9, "half of which is taken off");
    is_str("channel_walk", t.base->name, "by the first base");
    cell = packed(&facts, "core", 10, 8);
    is_int(PREDICT_OK, extrapolated_predict(&p, &cell, &c, &t), "on the first node");
    is_near(12e-6, t.seconds, 1e-9, "it is the regression itself");
    ok(!t.base, "with no base");
    const struct prediction m =
        model_predict(model_find("regression_carried"), &p, &points.row[11].point.cell, &c);
    is_str("extrapolated", predict_status_name(m.status),
           "as a model it says that it extrapolates");
    is_near(sqrt(2) * 18.4e-6, m.seconds, 1e-9, "with the same time");

    char path[512];
    int rows = 0;
    double last = 0;
    static const char *const columns[] = { "carried_s", "base", NULL };
    is_int(0, extrapolated_write(dir, &groups, &p, &err), "written: %s", err.text);
    snprintf(path, sizeof path, "%s/fit/carried.csv", dir);
    struct csv *csv = csv_open(path, columns, &err);
    for (; csv && csv_next(csv, &err) == 1; rows++)
        csv_f64(csv, csv_column(csv, "carried_s"), &last, &err);
    csv_close(csv);
    is_int(8, rows, "a row per point beyond the first node");
    is_near(sqrt(2) * model_s(32), last, 1e-8, "the last of them at P = 32");
    const struct fit_from from = { .groups = &groups, .points = &points };
    struct extrapolated nothing = { .base = NULL };
    is_int(0, extrapolated_set.write(dir, &from, &p, &nothing, &err), "a fit that carries nothing");
    ok(!fs_exists(path), "leaves no file of an earlier one");
    extrapolated_clear(&carried);
    regressions_clear(&fits);
    point_groups_clear(&groups);
    predictions_clear(&said);
    points_clear(&points);
}

/* What is said at 24 ranks when the times on the second node are these many seconds. */
static double said_of(const struct facts *facts, const char *statistic, double beyond,
                      enum split split)
{
    struct points points = planted(facts);
    struct predictions said = say(&points, 0);
    struct point_groups groups;
    struct regressions fits;
    struct extrapolated carried;
    struct extrapolated_time t;
    for (size_t i = 0; i < points.n; i++) {
        snprintf(points.row[i].statistic, sizeof points.row[i].statistic, "%s", statistic);
        if (points.row[i].point.cell.procs > 16)
            points.row[i].time.value = beyond;
    }
    point_groups_make(&points, &groups);
    regressions_fit(&groups, facts, OVER_OWN, split, &fits);
    extrapolated_make(&points, &said, &carried);
    const struct parameters p = { .facts = facts,
                                  .held = { { &regression_set, &fits, NULL },
                                            { &extrapolated_set, &carried, NULL } } };
    const struct cell cell = packed(facts, "core", 24, 8);
    extrapolated_predict(&p, &cell, &points.row[0].point.candidate, &t);
    extrapolated_clear(&carried);
    regressions_clear(&fits);
    point_groups_clear(&groups);
    predictions_clear(&said);
    points_clear(&points);
    return t.seconds;
}

/* No time above the split may change what is said there. */
static void blind(void)
{
    const struct facts facts = shape(2, 1, 16);
    static const char max[] = "max_rank";
    const double few = said_of(&facts, max, 1e-9, SPLIT_EXTRAPOLATED);
    const double many = said_of(&facts, max, 1e3, SPLIT_EXTRAPOLATED);
    ok(memcmp(&few, &many, sizeof few) == 0, "times beyond the split change no bit: %g", few);
    ok(said_of(&facts, max, 1e-3, SPLIT_IN_SAMPLE) != said_of(&facts, max, 1, SPLIT_IN_SAMPLE),
       "... where they are fitted to they do");
    is_near(2 * 18.4e-6, said_of(&facts, "mean_rank", 1, SPLIT_EXTRAPOLATED), 1e-9,
            "of means over ranks all is taken off");
}

/* A base that is silent at one point is passed over for the whole group. */
static void second_base(void)
{
    const struct facts facts = shape(2, 1, 16);
    struct points points = planted(&facts);
    struct point_groups groups;
    struct regressions fits;
    struct extrapolated carried;
    struct extrapolated_time t;
    point_groups_make(&points, &groups);
    regressions_fit(&groups, &facts, OVER_OWN, SPLIT_EXTRAPOLATED, &fits);
    struct predictions said = say(&points, 30);
    extrapolated_make(&points, &said, &carried);
    struct parameters p = { .facts = &facts,
                            .held = { { &regression_set, &fits, NULL },
                                      { &extrapolated_set, &carried, NULL } } };
    const struct cell cell = packed(&facts, "core", 24, 8);
    extrapolated_predict(&p, &cell, &points.row[0].point.candidate, &t);
    is_str("channel_stage", t.base->name, "the second base");
    is_near(1, t.factor, 1e-9, "has its own factor");
    is_near(36.8e-6, t.seconds, 1e-9, "and says it");
    extrapolated_clear(&carried);
    predictions_clear(&said);

    said = (struct predictions){ .n = 0 };
    extrapolated_make(&points, &said, &carried);
    is_int(PREDICT_NO_FIT, extrapolated_predict(&p, &cell, &points.row[0].point.candidate, &t),
           "nothing is carried");
    extrapolated_clear(&carried);
    regressions_clear(&fits);
    point_groups_clear(&groups);
    points_clear(&points);
}

/* A default of Open MPI 4.1: of 8 bytes a k-nomial tree at 8 <= P < 32, which was not measured by
 * name, other trees below, a binomial one from 32 on; 3 M where it is the k-nomial. */
static void by_default(void)
{
    struct facts facts = shape(2, 1, 16);
    struct points points = planted(&facts);
    struct point_groups groups;
    struct regressions fits;
    struct extrapolated carried;
    struct extrapolated_time t;
    facts.n_mpis = 1;
    snprintf(facts.mpi[0], NAME_SIZE, "openmpi");
    snprintf(facts.mpi_version[0], NAME_SIZE, "4.1.5");
    for (size_t i = 0, n = points.n; i < n; i++) {
        const int procs = points.row[i].point.cell.procs;
        over_add(&points, &facts, "openmpi:default", "core", procs, 8,
                 3 * model_s(procs) + (procs < 8 ? 1e-7 * procs : 0));
    }
    for (size_t i = 0, n = points.n / 2; i < n; i++)
        over_add(&points, &facts, "openmpi:binomial", "core", points.row[i].point.cell.procs, 8,
                 points.row[i].time.value);
    point_groups_make(&points, &groups);
    regressions_fit(&groups, &facts, OVER_OWN, SPLIT_EXTRAPOLATED, &fits);
    struct predictions said = say(&points, 0);
    extrapolated_make(&points, &said, &carried);
    const struct parameters p = { .facts = &facts,
                                  .held = { { &regression_set, &fits, NULL },
                                            { &extrapolated_set, &carried, NULL } } };
    const struct candidate c = { .algorithm = "openmpi:default" };
    struct cell cell = packed(&facts, "core", 24, 8);
    is_int(PREDICT_EXTRAPOLATED, extrapolated_predict(&p, &cell, &c, &t), "a default of several");
    is_str("openmpi:knomial", t.runs, "runs what nobody measured by name");
    is_near(sqrt(3), t.factor, 1e-9, "it took 3 M where it ran within");
    is_near(sqrt(3) * model_s(24), t.seconds, 1e-9, "and so beyond");
    cell = packed(&facts, "core", 32, 8);
    extrapolated_predict(&p, &cell, &c, &t);
    is_str("openmpi:binomial", t.runs, "what was measured by name");
    is_near(sqrt(2) * model_s(32), t.seconds, 1e-8, "is carried as that");
    snprintf(facts.mpi_version[0], NAME_SIZE, "5.0.1");
    extrapolated_predict(&p, &cell, &c, &t);
    is_str("openmpi:default", t.runs, "by an unknown decision function the default is itself");
    extrapolated_clear(&carried);
    regressions_clear(&fits);
    point_groups_clear(&groups);
    predictions_clear(&said);
    points_clear(&points);
}

int main(void)
{
    char dir[256];
    if (!dir_make(dir, sizeof dir))
        return tap_skip_all("no temporary directory");
    by_hand(dir);
    second_base();
    blind();
    by_default();
    dir_remove(dir);
    return tap_done();
}
