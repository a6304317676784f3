/* SPDX-License-Identifier: BSD-3-Clause */
/* Degradation: its arithmetic on a published pair of files, its interval and ties over launches.
 */
#include "analysis/judge/degrade.h"

#include <math.h>

#include "tests/analysis/selection.h"
#include "tests/analysis/dir.h"
#include "tests/analysis/planted.h"
#include "tests/stored.h"
#include "tests/tap.h"

/* open-mpi/ompi-collectives-tuning, example/: times of gather by algorithm, and the winner and
 * speed-up over the library's default ("tuned") that its own script found. */
static const char detail_path[] = "../shared/data/ompi-collectives-tuning-example/detail.out";
static const char best_path[] = "../shared/data/ompi-collectives-tuning-example/best.out";

static void add(struct points *points, const char *algorithm, int nodes, uint64_t bytes, double us)
{
    struct planted p = { .samples = 1 };
    struct point point = planted_point(EXP_TIME, algorithm, nodes, bytes, 0, 0, 0);
    snprintf(point.cell.collective, NAME_SIZE, "gather");
    snprintf(point.cell.mpi, NAME_SIZE, "openmpi");
    point.cell.nodes = nodes;
    if (strcmp(algorithm, "openmpi:default") == 0)
        point.purpose = FOR_DEFAULT;
    point_identify(&point);
    planted_add(points, &p, &point, us * 1e-6);
}

static int read_detail(struct points *points)
{
    char line[512];
    int rows = 0, nodes, at;
    unsigned long long bytes;
    double t[4];
    FILE *f = fopen(detail_path, "re");
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%d %llu %lf(%*f) %lf(%*f) %lf(%*f) %lf(%n", &nodes, &bytes, &t[0], &t[1],
                   &t[2], &t[3], &at) != 6)
            continue;
        add(points, "openmpi:basic_linear", nodes, bytes, t[0]);
        add(points, "openmpi:binomial", nodes, bytes, t[1]);
        add(points, "openmpi:linear_sync", nodes, bytes, t[2]);
        add(points, "openmpi:default", nodes, bytes, t[3]);
        rows++;
    }
    if (f)
        fclose(f);
    return rows;
}

static const struct selection *row_of(const struct selection_table *t, const char *selector,
                                      int nodes, uint64_t bytes)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->row[i].selector->name, selector) == 0 && t->row[i].cell.nodes == nodes &&
            t->row[i].cell.bytes == bytes)
            return &t->row[i];
    return NULL;
}

static void golden_pair(void)
{
    struct points points = { .n = 0 };
    struct predictions none = { .n = 0 };
    struct facts facts = { .tie_pct = 2.5, .confidence = 0.95 };
    struct selection_table t;
    int rows = read_detail(&points), checked = 0, winners = 0, speedups = 0, nodes;
    FILE *f = fopen(best_path, "re");
    if (!rows || !f) {
        skip("../shared/data/ompi-collectives-tuning-example is not there", "golden pair");
        return;
    }
    selection_make(&points, &none, &facts, NULL, &t, NULL);
    char line[512], winner[64];
    unsigned long long bytes;
    double speedup;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%d %llu %63s %*s tuned %*s %lf", &nodes, &bytes, winner, &speedup) != 4)
            continue;
        const struct selection *d = row_of(&t, "default", nodes, bytes);
        checked++;
        winners += strcmp(algorithm_base_name(d->best.algorithm), winner) == 0;
        speedups += fabs(1 + d->degradation_pct / 100 - speedup) < 0.02;
    }
    fclose(f);
    is_int(42, checked, "42 cells of the published example");
    is_int(checked, winners, "the winner is the published one in all of them");
    is_int(checked, speedups, "the default's degradation is the published speed-up in all of them");
    selection_clear(&t);
    points_clear(&points);
}

static void arithmetic(void)
{
    is_near(0, longer_pct(3, 3), 0, "nothing lost");
    is_near(549, longer_pct(6.49, 1), 1e-12, "the paper's worst small message on gros");
    is_near(-50, longer_pct(1, 2), 1e-12, "better than the best candidate is negative");
}

/* Two cells: the default takes 4 and 1 times the best. */
static void means(void)
{
    static const double us[][2] = { { 10, 40 }, { 20, 20 } };
    struct points points = { .n = 0 };
    struct predictions none = { .n = 0 };
    struct facts facts = { .tie_pct = 2.5, .confidence = 0.95 };
    struct selection_table t;
    struct degradations d;
    for (int i = 0; i < 2; i++) {
        add(&points, "openmpi:binomial", 4, (uint64_t)i + 1, us[i][0]);
        add(&points, "openmpi:default", 4, (uint64_t)i + 1, us[i][1]);
    }
    selection_make(&points, &none, &facts, NULL, &t, NULL);
    degradations_make(&t, &points, &d);
    for (size_t i = 0; i < d.n; i++)
        if (strcmp(d.row[i].selector->name, "default") == 0) {
            is_near(150, d.row[i].mean_pct, 1e-9, "the arithmetic mean of 300 and 0 %%");
            is_near(100, d.row[i].geomean_pct, 1e-9, "the geometric one of factors 4 and 1 is 2");
        }
    degradations_clear(&d);
    selection_clear(&t);
    points_clear(&points);
}

/* A store of a file for each launch. */
struct heap {
    struct store store;
    struct points points;
    char dir[256];
};

static int by_id(const void *a, const void *b)
{
    const struct measured *x = a, *y = b;
    return strcmp(x->point.id, y->point.id);
}

/* What is planted: two candidates with these times, a spread of calls and of launches, and a launch
 * (from 1; 0: none) in which the second takes so many times as long, as beside a burst of other
 * load. Launch by launch n samples. */
struct two {
    double first, second, noise, between, factor;
    int launches, n, burst;
    double steps; /* each launch takes so many times as long as the first more */
};

static void add_launch(const struct heap *h, const struct two *p, int r, struct rng *rng)
{
    enum { MOST_CALLS = 100 };
    const double level = (1 + p->between * rng_normal(rng)) * (1 + p->steps * r);
    for (int k = 0; k < 2; k++) {
        double x[MOST_CALLS];
        const struct measured *m = &h->points.row[k];
        const int first = strcmp(m->point.candidate.algorithm, "openmpi:binomial") == 0;
        const double own = 1 + p->between * rng_normal(rng);
        const double about = level * own * (first ? p->first : p->second) *
                             (!first && p->burst == r + 1 ? p->factor : 1);
        for (int i = 0; i < p->n && i < MOST_CALLS; i++)
            x[i] = about * (1 + p->noise * rng_normal(rng));
        stored_add(h->dir, r + 1, m->point.id, x, p->n);
    }
}

static void heap_make(struct heap *h, const struct two *pair, uint64_t seed)
{
    struct planted p = planted_new(0, 0, 0, 1, seed);
    static const char *const names[] = { "openmpi:binomial", "openmpi:chain" };
    struct err err = { 0 };
    *h = (struct heap){ .points.n = 0 };
    dir_make(h->dir, sizeof h->dir);
    for (int k = 0; k < 2; k++) {
        struct point point = planted_point(EXP_TIME, names[k], 4, 8192, 0, 0, 0);
        snprintf(point.cell.mpi, NAME_SIZE, "openmpi");
        point_identify(&point);
        planted_add(&h->points, &p, &point, 1);
    }
    qsort(h->points.row, 2, sizeof *h->points.row, by_id);
    for (int r = 0; r < pair->launches; r++)
        add_launch(h, pair, r, &p.rng);
    if (store_open(h->dir, NULL, &h->store, &err) < 0)
        diag("%s", err.text);
    for (int k = 0; k < 2; k++) {
        struct measured *m = &h->points.row[k];
        struct sample_series series;
        series_collect(&h->store, &m->point, &series, NULL);
        const struct sample_set set = series_set(&series);
        stats_summarize(&set, STATISTIC_MEDIAN, 0.95, 0, &m->time);
        series_clear(&series);
    }
}

static void heap_clear(struct heap *h)
{
    dir_remove(h->dir);
    store_free(&h->store);
    points_clear(&h->points);
}

/* A selector's row. */
static struct selection row_in(struct heap *h, const char *selector)
{
    struct predictions none = { .n = 0 };
    struct facts facts = { .tie_pct = 2.5, .confidence = 0.95, .seed = 5 };
    struct selection_table t;
    struct selection row = { .degradation_pct = NAN };
    selection_make(&h->points, &none, &facts, &h->store, &t, NULL);
    for (size_t i = 0; i < t.n; i++)
        if (strcmp(t.row[i].selector->name, selector) == 0)
            row = t.row[i];
    selection_clear(&t);
    return row;
}

/* The random selector's degradation is half the difference of the two. */
static void intervals(void)
{
    const struct two far = { 1e-3, 1.2e-3, 0.05, 0.03, 1, 6, 20, 0, 0 };
    const struct two equal = { 1e-3, 1e-3, 0.05, 0.03, 1, 6, 20, 0, 0 };
    int inside = 0, ties_far = 0, ties_equal = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct heap h;
        heap_make(&h, &far, seed);
        struct selection r = row_in(&h, "random");
        inside += r.ci_low_pct <= 10 && 10 <= r.ci_high_pct;
        ties_far += r.tied == 1;
        heap_clear(&h);
        heap_make(&h, &equal, seed + 1000);
        ties_equal += row_in(&h, "random").tied == 1;
        heap_clear(&h);
    }
    ok(inside > 372 && inside < 400, "95 %% intervals hold the true degradation: %.3f",
       inside / 400.);
    ok(ties_far < 4, "20 %% apart over launches of 3 %% is hardly ever a tie: %.3f",
       ties_far / 400.);
    ok(ties_equal > 372, "equal candidates are tied: %.3f", ties_equal / 400.);
}

/* A burst of other load multiplies one candidate's calls by 33 in one launch of six. */
static void burst(void)
{
    const struct two quiet = { 1e-3, 1e-3, 0.02, 0.01, 33, 6, 20, 3, 0 };
    struct two alone = { 1e-3, 1e-3, 0.02, 0.01, 33, 1, 20, 1, 0 };
    struct heap h;
    heap_make(&h, &quiet, 4);
    struct selection r = row_in(&h, "random");
    ok(r.degradation_pct < 5, "a burst in one launch of six moves no median: %.1f %%",
       r.degradation_pct);
    is_int(1, r.tied, "and makes no significant loss");
    heap_clear(&h);
    heap_make(&h, &alone, 4);
    r = row_in(&h, "random");
    ok(r.degradation_pct > 1000, "in the only launch it is all that is known: %.0f %%",
       r.degradation_pct);
    is_int(STAT_NA, r.tied, "but not known to be a loss");
    ok(isnan(r.ci_low_pct), "as there is no interval");
    has_str("not known whether it matters: one launch measured both", r.reason, "which is said");
    is_int(1, row_in(&h, "best").tied, "the best is the best still");
    heap_clear(&h);
    alone.burst = 0;
    heap_make(&h, &alone, 4);
    is_int(STAT_NA, row_in(&h, "random").tied, "nor is a small one");
    heap_clear(&h);
}

/* Both candidates share what a launch makes of them: their difference is known all the same. */
static void shared_level(void)
{
    struct two p = { 1e-3, 1.1e-3, 0.01, 0, 1, 6, 20, 0, 1 };
    struct heap h;
    heap_make(&h, &p, 5);
    const struct selection s = row_in(&h, "random");
    is_int(0, s.tied, "10 %% in every launch is a loss, though launches differ sixfold");
    is_near(5, s.ci_low_pct, 0.3, "the interval is of the losses in each");
    heap_clear(&h);
}

/* The same as far apart in every launch, of two points at which the same code ran. */
static void same_code(void)
{
    const struct two p = { 1e-3, 1.1e-3, 0.01, 0, 1, 6, 20, 0, 1 };
    const struct facts facts = { .tie_pct = 2.5, .confidence = 0.95, .seed = 5 };
    struct heap h;
    struct loss_interval loss;
    heap_make(&h, &p, 5);
    const struct judge judge = { .facts = &facts, .store = &h.store };
    struct measured *a = &h.points.row[0], *b = &h.points.row[1];
    struct measured *slow = a->time.value > b->time.value ? a : b, *fast = slow == a ? b : a;
    snprintf(slow->ran_algorithm, NAME_SIZE, "openmpi:binomial");
    snprintf(fast->ran_algorithm, NAME_SIZE, "openmpi:binomial");
    slow->ran_segment_bytes = 8192;
    is_int(0, judge_loss(&judge, slow, fast, &loss, NULL), "two series of one algorithm");
    is_int(0, loss.tied, "are told apart where one has other segments");
    fast->ran_segment_bytes = 8192;
    judge_loss(&judge, slow, fast, &loss, NULL);
    is_int(1, loss.tied, "where the same ran their difference is noise");
    ok(loss.ci_low_pct <= 0 && loss.ci_high_pct >= loss.pct, "and the interval says so");
    heap_clear(&h);
}

static void spend(struct points *points, enum experiment experiment, const char *collective,
                  const char *mapping, enum channel channel, double core_s)
{
    struct planted p = { .samples = 1 };
    struct point point = planted_point(experiment, "portable:chain", 4, 1024 + points->n, 0, 0, 0);
    snprintf(point.cell.collective, NAME_SIZE, "%s", collective);
    snprintf(point.cell.mpi, NAME_SIZE, "openmpi");
    snprintf(point.cell.mapping, NAME_SIZE, "%s", mapping);
    point.channel = channel;
    point_identify(&point);
    planted_add(points, &p, &point, 1e-3);
    points->row[points->n - 1].core_s = core_s;
}

/* Powers of two: a sum says which of them are in it. */
static void costs(void)
{
    struct points points = { .n = 0 };
    static const struct spending bcast = { "bcast", "openmpi", "core" },
                                 reduce = { "reduce", "openmpi", "node" };
    spend(&points, EXP_TIME, "bcast", "core", CHANNEL_NONE, 1);
    spend(&points, EXP_TIME, "bcast", "node", CHANNEL_NONE, 2);
    spend(&points, EXP_TIME, "reduce", "core", CHANNEL_NONE, 4);
    spend(&points, EXP_TIME, "reduce", "node", CHANNEL_NONE, 8);
    spend(&points, EXP_PINGPONG, "bcast", "core", CHANNEL_NONE, 16);
    spend(&points, EXP_PINGPONG, "bcast", "node", CHANNEL_NONE, 32);
    spend(&points, EXP_FANOUT, "bcast", "core", CHANNEL_SOCKET, 64);
    spend(&points, EXP_PINGPONG, "bcast", "core", CHANNEL_NODE, 128);
    spend(&points, EXP_FANIN, "bcast", "core", CHANNEL_NODE, 256);
    is_near(1, selector_best.core_s(&points, &bcast), 0, "best: the times of its collective");
    is_near(8, selector_best.core_s(&points, &reduce), 0, "and mapping");
    is_near(16, model_find("textbook")->core_s(&points, &bcast), 0, "a ping-pong is of a mapping");
    is_near(32, model_find("textbook")->core_s(&points, &reduce), 0, "and serves each collective");
    is_near(192, model_find("channel_stage")->core_s(&points, &bcast), 0,
            "channels serve, without fan-ins, which a broadcast has none of");
    is_near(448, model_find("channel_stage")->core_s(&points, &reduce), 0,
            "collectives and mappings alike: a reduction fans in");
    points_clear(&points);
}

int main(void)
{
    costs();
    arithmetic();
    means();
    golden_pair();
    intervals();
    burst();
    shared_level();
    same_code();
    return tap_done();
}
