/* SPDX-License-Identifier: BSD-3-Clause */
/* Job arrays: which launch stands in which line of which file, time limits and where they come
 * from, the text of the scripts, launches cut to fit into a job. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/run/slurm/jobfile.h"
#include "harness/study/plan/plan_build.h"
#include "tests/analysis/dir.h"
#include "tests/tap.h"

enum { MOST = 16 };

/* ---- arrays ---- */

/* A plan of these launches, without points. */
static struct plan plan_of(const char *const *names)
{
    struct plan plan = { .launches = calloc(MOST, sizeof(struct launch)) };
    for (; plan.launches && *names; names++)
        launch_parse(*names, &plan.launches[plan.n_launches++], NULL);
    return plan;
}

/* "openmpi-4n: a b; ...": every array with its lines, "-" before one that is not planned. */
static char *text_of(const struct job_arrays *arrays)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    for (size_t i = 0; f && i < arrays->n; i++) {
        fprintf(f, "%s%s:", i ? "; " : "", arrays->v[i].name);
        for (size_t k = 0; k < arrays->v[i].n; k++)
            fprintf(f, " %s%s", arrays->v[i].lines[k].launch ? "" : "-",
                    arrays->v[i].lines[k].name);
    }
    if (f)
        fclose(f);
    return text;
}

/* Builds the arrays of a plan, writes their files, and gives them as text. */
static char *build(const char *const *names, const char *jobs, int max_array)
{
    struct plan plan = plan_of(names);
    struct job_arrays arrays;
    struct err err = { 0 };
    char *text = NULL;
    if (arrays_build(&plan, jobs, max_array, &arrays, &err) == 0) {
        for (size_t i = 0; i < arrays.n; i++)
            array_write_tasks(&arrays.v[i], jobs, &err);
        text = text_of(&arrays);
        arrays_free(&arrays);
    }
    if (*err.text)
        diag("%s", err.text);
    plan_free(&plan);
    return text;
}

static void is_built(const char *wanted, const char *const *names, const char *jobs, int max_array,
                     const char *claim)
{
    char *seen = build(names, jobs, max_array);
    is_str(wanted, seen, "%s", claim);
    free(seen);
}

static void check_arrays(const char *dir)
{
    static const char *const mixed[] = { "o-core-4x1-p4-r1", "m-core-4x1-p4-r1", "o-core-2x1-p2-r1",
                                         "o-core-4x2-p8-r1", NULL };
    static const char *const other[] = { "o-core-4x2-p7-r1", "o-core-4x2-p8-r1", "m-core-4x1-p4-r1",
                                         NULL };
    static const char *const five[] = { "o-core-4x1-p4-r1", "o-core-4x1-p4-r2", "o-core-4x1-p4-r3",
                                        "o-core-4x1-p4-r4", "o-core-4x1-p4-r5", NULL };
    static const char *const six[] = { "o-core-4x1-p4-r6", "o-core-4x1-p4-r5", "o-core-4x1-p4-r1",
                                       NULL };
    char jobs[600];
    snprintf(jobs, sizeof jobs, "%s/mixed", dir);
    is_built("m-4n: m-core-4x1-p4-r1; o-2n: o-core-2x1-p2-r1; "
             "o-4n: o-core-4x1-p4-r1 o-core-4x2-p8-r1",
             mixed, jobs, 1001, "one array per library and number of nodes");
    is_built("m-4n: m-core-4x1-p4-r1; o-4n: -o-core-4x1-p4-r1 o-core-4x2-p8-r1 o-core-4x2-p7-r1",
             other, jobs, 1001, "a grown plan adds lines behind; none moves, none is taken away");
    is_built("m-4n: m-core-4x1-p4-r1; o-4n: -o-core-4x1-p4-r1 o-core-4x2-p8-r1 -o-core-4x2-p7-r1; "
             "o-4n-1: o-core-4x2-p7-r1",
             other, jobs, 3, "a line that Slurm cannot reach any more is written again");
    snprintf(jobs, sizeof jobs, "%s/five", dir);
    is_built("o-4n-1: o-core-4x1-p4-r1 o-core-4x1-p4-r2; o-4n-2: o-core-4x1-p4-r3 "
             "o-core-4x1-p4-r4; o-4n-3: o-core-4x1-p4-r5",
             five, jobs, 3, "split where MaxArraySize 3 leaves room for tasks 1 and 2");
    is_built("o-4n-1: o-core-4x1-p4-r1 -o-core-4x1-p4-r2; o-4n-2: -o-core-4x1-p4-r3 "
             "-o-core-4x1-p4-r4; o-4n-3: o-core-4x1-p4-r5 o-core-4x1-p4-r6",
             six, jobs, 3, "the last part has room for one more");
}

static void check_range(void)
{
    static const char *const rows[][2] = {
        { "1", "1" },     { "0100", "2" },          { "110", "1,2" },
        { "111", "1-3" }, { "1011101", "1,3-5,7" }, { "0000", "" }
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct task_line lines[MOST] = { 0 };
        struct job_array a = { .lines = lines, .n = strlen(rows[i][0]) };
        char *seen = NULL;
        size_t len;
        for (size_t k = 0; k < a.n; k++)
            lines[k].todo = rows[i][0][k] == '1';
        FILE *f = open_memstream(&seen, &len);
        array_print_range(f, &a);
        fclose(f);
        is_str(rows[i][1], seen, "lines %s are tasks '%s'", rows[i][0], rows[i][1]);
        free(seen);
    }
}

/* ---- time ---- */

static void check_limits(void)
{
    static const struct {
        struct estimate e;
        double fallback, most, wanted;
        const char *claim;
    } rows[] = {
        { { .seconds = 0 }, 3600, 0, 300, "no work: the least" },
        { { .seconds = 160, .measured = 1 }, 3600, 0, 300, "1.5 x 160 + 60 is the least itself" },
        { { .seconds = 160.1, .measured = 1 }, 3600, 0, 360, "a little more is a minute more" },
        { { .seconds = 2400, .bounded = 9 }, 600, 0, 3660, "1.5 x 2400 + 60, no fallback needed" },
        { { .seconds = 0, .unknown = 1 }, 3600, 0, 3600, "something unknown: the fallback" },
        { { .seconds = 9000, .unknown = 1 }, 3600, 0, 13560, "but not less than what is known" },
        { { .seconds = 0, .doubled = 2 },
          3600,
          0,
          1200,
          "two times too short: four times as much" },
        { { .seconds = 9000, .measured = 1 }, 3600, 7200, 7200, "no more than a job may have" },
        { { .seconds = 9000, .measured = 1 }, 3600, 100, 60, "in whole minutes, rounded down" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        is_near(rows[i].wanted, estimate_limit(&rows[i].e, rows[i].fallback, rows[i].most), 1e-12,
                "%s", rows[i].claim);
}

static const struct point *find_point(const struct plan *plan, const char *algorithm, int procs,
                                      uint64_t bytes, enum experiment experiment)
{
    for (size_t i = 0; i < plan->n; i++) {
        const struct point *p = &plan->points[i];
        if (strcmp(p->candidate.algorithm, algorithm) == 0 && p->cell.procs == procs &&
            p->cell.bytes == bytes && p->experiment == experiment)
            return p;
    }
    return NULL;
}

/* Plants what a launch of a study has measured: one point, one sample. */
static void plant(const char *dir, const char *launch, const char *point, double max_s,
                  double elapsed_s)
{
    char path[600], text[600];
    snprintf(path, sizeof path, "%s/samples/%s.a1-01234567.csv", dir, launch);
    snprintf(text, sizeof text,
             "point,rep,max_s,mean_s,min_s,root_s,at_s,warmup,valid\n"
             "%s,0,%g,%g,%g,%g,0.5,0,1\n",
             point, max_s, max_s, max_s, max_s);
    fs_write(path, text, NULL);
    snprintf(path, sizeof path, "%s/samples/%s.a1-01234567.outcomes.csv", dir, launch);
    snprintf(text, sizeof text,
             "point,status,reason,verified,ran_algorithm,ran_segment_bytes,ran_fanout,n_rows,n,"
             "converged,checked,elapsed_s,core_s\n%s,ok,,executed,,0,0,1,1,1,0,%g,1\n",
             point, elapsed_s);
    fs_write(path, text, NULL);
}

static struct estimate estimate_one(const struct point *p, const struct cluster *c,
                                    const struct study *s, const struct history *h)
{
    struct estimate e = { 0 };
    estimate_add(&e, p, c, s, h);
    return e;
}

/* What is expected of a launch of this point alone. */
static struct estimate expect_one(const struct point *p, const struct cluster *c,
                                  const struct study *s, const struct history *h)
{
    struct point point = *p;
    const struct plan plan = { .points = &point, .n = 1 };
    const struct launch launch = { .n = 1 };
    struct estimate e = { 0 };
    estimate_expect_launch(&e, &plan, &launch, c, s, h);
    return e;
}

/* Half a second to start, a probe, three to warm up, and calls by budget and counts. */
static void check_expected(const char *dir, const struct point *like, const struct point *simulated,
                           const struct cluster *c, struct study s)
{
    static const struct {
        double call_s, wanted;
        const char *claim;
    } rows[] = {
        { 2.0, 0.5 + 4 * 2.0 + 3 * 2.0, "a long call is made as seldom as the study allows" },
        { 0.001, 0.5 + 4 * 0.001 + 0.02, "a shorter one until the budget is used up" },
        { 1e-5, 0.5 + 4 * 1e-5 + 100 * 1e-5, "a short one as often as the study allows" },
    };
    s.max_reps = 100;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char own[600], twin[640];
        struct plan sim;
        struct history h;
        snprintf(own, sizeof own, "%s/expected%zu", dir, i);
        snprintf(twin, sizeof twin, "%s-sim", own);
        if (plan_build(c, &s, "sim", &sim, NULL) < 0 || plan_write(&sim, twin, NULL) < 0)
            return;
        plant(twin, "smpi-core-8x1-p8-r1", simulated->id, rows[i].call_s, 0.1);
        history_open(own, &h, NULL);
        struct estimate e = expect_one(like, c, &s, &h);
        is_near(rows[i].wanted, e.seconds, 1e-9, "%s", rows[i].claim);
        is_int(1, (int)e.simulated, "as its simulation says");
        history_free(&h);
        plan_free(&sim);
    }
}

/* What leads to itself cannot be read: no history without it. */
static void check_unreadable_history(const char *dir, const char *name)
{
    char path[700], aside[720], own[600];
    struct history h;
    struct err err = { 0 };
    snprintf(path, sizeof path, "%s/%s", dir, name);
    snprintf(aside, sizeof aside, "%s.aside", path);
    snprintf(own, sizeof own, "%.*s", (int)(strlen(dir) - 4 * (strstr(dir, "-sim") != NULL)), dir);
    if (rename(path, aside) < 0 || symlink(path, path) < 0)
        diag("%s", path);
    is_int(-1, history_open(own, &h, &err), "a history whose %s cannot be read is none", name);
    has_str(path, err.text, "and the path is said");
    if (unlink(path) < 0 || rename(aside, path) < 0)
        diag("%s", path);
}

/* tests/cli/tiny.ini has budget 20 ms, 3 calls at least, 3 to warm up. */
static void check_estimates(const char *dir, const struct cluster *c, const struct study *s)
{
    struct plan plan, sim;
    struct history h;
    struct err err = { 0 };
    char own[600], twin[600];
    snprintf(own, sizeof own, "%s/est", dir);
    snprintf(twin, sizeof twin, "%s/est-sim", dir);
    if (!ok(plan_build(c, s, "slurm", &plan, &err) == 0 &&
                plan_build(c, s, "sim", &sim, &err) == 0 && plan_write(&sim, twin, &err) == 0,
            "a study is planned, and its simulation"))
        return;
    const struct point *before = find_point(&plan, "portable:chain", 8, 8192, EXP_TIME),
                       *like = find_point(&plan, "openmpi:binomial", 8, 1 << 20, EXP_TIME),
                       *simulated = find_point(&sim, "portable:binomial", 8, 1 << 20, EXP_TIME),
                       *gamma = find_point(&plan, "portable:basic_linear", 3, 8192, EXP_GAMMA),
                       *new = find_point(&plan, "portable:chain", 8, 1 << 20, EXP_TIME);
    ok(before && like && simulated && gamma && new, "which have the points that are looked at");
    plant(own, "openmpi-core-8x1-p8-r1", before->id, 0.25, 12.5);
    plant(twin, "smpi-core-8x1-p8-r1", simulated->id, 2.0, 0.1);
    is_int(0, history_open(own, &h, &err), "their history is read");
    struct estimate e = estimate_one(before, c, s, &h);
    is_int(1, (int)e.measured, "a point that was measured, if under other facts");
    is_near(12.5, e.seconds, 1e-9, "takes what it took");
    const struct plan one = { .points = (struct point *)before, .n = 1 };
    const struct launch only = { .n = 1 };
    is_near(0.5 + 12.5, estimate_launch(&one, &only, c, s, 1, NULL, &h), 1e-9,
            "where there are no jobs, too, and half a second to start");
    const struct plan unmeasured = { .points = (struct point *)new, .n = 1 };
    is_near(10e-3 + bound_share(s), estimate_launch(&unmeasured, &only, c, s, 1, NULL, &h) - 0.5,
            1e-9, "a point nobody measured: what goes with each, and calls up to the budget");
    is_near(4 * 10e-3 + bound_share(s),
            estimate_launch(&unmeasured, &only, c, s, 4, NULL, &h) - 0.5, 1e-9,
            "four ranks on each core: what goes with a point four times, calls up to the budget");
    e = estimate_one(like, c, s, &h);
    is_int(1, (int)e.simulated, "a library's own algorithm, of which its schedule was simulated");
    is_near((2 + 3) * 2.0 + 3 * 2.0, e.seconds, 1e-9,
            "takes eight calls and three to warm up of two seconds, above its budget");
    e = estimate_one(new, c, s, &h);
    is_int(1, (int)e.bounded, "any other point takes");
    double call_s = 7 * 1048576.0 * 8 / 100e6 + 23e-6 * bound_messages(new, c, s->inner);
    is_near(8 * call_s, e.seconds, 1e-9,
            "as many calls of seven messages of 1 MiB, one after another at 100 Mb/s, and what it "
            "takes to start its messages, 2 x 10 us on the links and 3 us here");
    is_near(bound_point(new, c, s), e.seconds, 1e-12, "the bound");
    ok(bound_point(gamma, c, s) > 8 * s->inner * 2 * 8192 * 8 / 100e6,
       "a loop of %d broadcasts counts as so many", s->inner);
    struct cluster silent = *c;
    silent.settings.v = NULL;
    e = estimate_one(new, &silent, s, &h);
    is_int(1, (int)e.unknown, "where the link's rate is not known, nothing is");
    check_expected(dir, like, simulated, c, *s);
    history_free(&h);
    check_unreadable_history(own, "samples");
    check_unreadable_history(twin, "samples");
    check_unreadable_history(twin, "plan.csv");
    plan_free(&plan);
    plan_free(&sim);
}

/* ---- cutting ---- */

static void check_cut(const struct cluster *c, const struct study *study)
{
    struct study s = *study;
    struct plan whole, cut, again;
    struct err err = { 0 };
    double most = 0;
    s.launch_limit = 20;
    if (!ok(plan_build(c, study, "slurm", &whole, &err) == 0 &&
                plan_build(c, &s, "slurm", &cut, &err) == 0 &&
                plan_build(c, &s, "slurm", &again, &err) == 0,
            "a study is planned for Slurm"))
        return;
    for (size_t i = 0; i < cut.n_launches; i++)
        most = fmax(most, estimate_launch_bound(&cut, &cut.launches[i], c, &s));
    ok(cut.n_launches > whole.n_launches, "with launches of 20 s it has more (%zu, not %zu)",
       cut.n_launches, whole.n_launches);
    ok(most <= 20, "none is longer (%.1f s)", most);
    is_int((long long)whole.n, (long long)cut.n, "all points are there");
    int same = cut.n_launches == again.n_launches && cut.n == again.n;
    for (size_t i = 0; same && i < cut.n_launches; i++)
        same = strcmp(cut.launches[i].name, again.launches[i].name) == 0;
    for (size_t i = 0; same && i < cut.n; i++)
        same = strcmp(cut.points[i].id, again.points[i].id) == 0;
    ok(same, "and every planner cuts alike");
    plan_free(&whole);
    plan_free(&cut);
    plan_free(&again);
    struct cluster quick = *c;
    quick.most_time = 960;
    is_near(600, bound_most_launch(&quick, study), 1e-12,
            "most_time 16 min leaves 10 min for a launch, with what is added on top");
    quick.most_time = 60;
    is_near(10, bound_most_launch(&quick, study), 1e-12, "a minute leaves 10 s");
}

/* ---- scripts ---- */

static void check_golden(const char *name, char *seen)
{
    char path[300];
    snprintf(path, sizeof path, "tests/harness/golden/%s", name);
    if (getenv("UPDATE_GOLDEN"))
        fs_write(path, seen, NULL);
    char *wanted = fs_read(path, NULL, NULL);
    is_str(wanted, seen, "the script is as in %s", path);
    free(wanted);
    free(seen);
}

static char *render(const struct jobfile *f, const struct job_array *a)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (a)
        jobfile_write_array(out, f, a);
    else
        jobfile_write_collect(out, f);
    fclose(out);
    return text;
}

static void check_scripts(const struct cluster *c, const struct study *s)
{
    static const char *const names[] = { "openmpi-core-4x4-p16-r1", "openmpi-core-4x1-p4-r1",
                                         "openmpi-core-4x8-p32-r1", NULL };
    struct plan plan = plan_of(names);
    struct job_arrays arrays;
    struct jobfile f = { .cluster = c,
                         .study = s,
                         .cwd = "/home/a b/it's",
                         .program = "/opt/c l/collsel",
                         .clusters = "tests/harness",
                         .results = "re \"sults\"",
                         .build = "build",
                         .jobs = "/home/a b/it's/re \"sults\"/100%/jobs",
                         .conf = "",
                         .digest = "01234567",
                         .exclude = "h3,h5",
                         .retries = 2,
                         .throttle = 3,
                         .mixed_nodes = 1,
                         .most_s = 7200 };
    if (!ok(arrays_build(&plan, "/nowhere", 1001, &arrays, NULL) == 0 && arrays.n == 1,
            "three launches in an array"))
        return;
    struct job_array *a = &arrays.v[0];
    for (size_t i = 0; i < a->n; i += 2) {
        a->lines[i].todo = 1;
        a->lines[i].points = 100 * (i + 1);
        a->lines[i].estimate =
            (struct estimate){ .seconds = 1000.0 * (double)(i + 1), .measured = 90, .bounded = 10 };
    }
    array_sum(a, c->time_limit, f.most_s);
    is_int(400, (long long)a->points, "points of the lines to submit are summed");
    is_near(4560, a->limit_s, 1e-12, "its limit is the longest task's");
    check_golden("array.sbatch", render(&f, a));
    check_golden("collect.sbatch", render(&f, NULL));
    struct cluster shared = *c;
    shared.exclusive = 0;
    shared.modules[0] = shared.setup[0] = shared.extra[0] = shared.exclude[0] =
        shared.constraint[0] = '\0';
    shared.account[0] = shared.qos[0] = shared.reservation[0] = '\0';
    f = (struct jobfile){ .cluster = &shared,
                          .study = s,
                          .cwd = "/home/me",
                          .program = "/opt/collsel",
                          .clusters = "clusters",
                          .results = "results",
                          .build = "build",
                          .jobs = "/home/me/results/slurm/tiny/jobs",
                          .conf = "/run/x/slurm.conf",
                          .digest = "01234567",
                          .exclude = "" };
    a->tasks = a->points = 0;
    a->ppn = 0;
    a->seconds = a->limit_s = 0;
    a->lines[2].todo = 0;
    a->lines[0].estimate.unknown = 3;
    array_sum(a, c->time_limit, 1200);
    check_golden("array-shared.sbatch", render(&f, a));
    struct study unwritten = *s;
    unwritten.unwritten = 1;
    snprintf(unwritten.name, sizeof unwritten.name, "scan");
    snprintf(unwritten.path, sizeof unwritten.path, "/usr/share/collsel/clusters/studies/any.ini");
    f.study = &unwritten;
    char *text = render(&f, a);
    has_str("--study scan ", text,
            "tasks of a collective's study without a file ask for the collective");
    free(text);
    f.jobs = "/a\\b";
    struct err err = { 0 };
    ok(jobfile_check(&f, &err) < 0 && err.status == EXIT_USAGE,
       "a path with a backslash is refused");
    arrays_free(&arrays);
    plan_free(&plan);
}

int main(void)
{
    char dir[512];
    struct cluster cluster;
    struct study study;
    struct err err = { 0 };
    if (!dir_make(dir, sizeof dir) || cluster_load("tests/harness", "slurm", &cluster, &err) < 0 ||
        study_load("tests/cli", "tiny", &cluster, &study, &err) < 0) {
        diag("%s", err.text);
        return tap_skip_all("no fixtures");
    }
    check_arrays(dir);
    check_range();
    check_limits();
    check_estimates(dir, &cluster, &study);
    check_cut(&cluster, &study);
    check_scripts(&cluster, &study);
    study_free(&study);
    cluster_free(&cluster);
    dir_remove(dir);
    return tap_done();
}
