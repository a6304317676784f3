/* SPDX-License-Identifier: BSD-3-Clause */
/* Degradation: its arithmetic on a published pair of files, its interval and ties on real samples.
 */
#include "analysis/judge/degrade.h"

#include <math.h>

#include "tests/analysis/planted.h"
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
    is_near(0, degradation_pct(3, 3), 0, "nothing lost");
    is_near(549, degradation_pct(6.49, 1), 1e-12, "the paper's worst small message on gros");
    is_near(-50, degradation_pct(1, 2), 1e-12, "better than the best candidate is negative");
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
    degradations_make(&t, &points, &d, NULL);
    for (size_t i = 0; i < d.n; i++)
        if (strcmp(d.row[i].selector->name, "default") == 0) {
            is_near(150, d.row[i].mean_pct, 1e-9, "the arithmetic mean of 300 and 0 %%");
            is_near(100, d.row[i].geomean_pct, 1e-9, "the geometric one of factors 4 and 1 is 2");
        }
    degradations_clear(&d);
    selection_clear(&t);
    points_clear(&points);
}

/* A store in memory: one file, samples by point. */
struct heap {
    struct store store;
    struct sample_file file;
    struct points points;
};

static int by_id(const void *a, const void *b)
{
    const struct measured *x = a, *y = b;
    return strcmp(x->point.id, y->point.id);
}

/* Two candidates with n samples each about these means. */
static void two_candidates(struct heap *h, double first, double second, double noise, int n,
                           uint64_t seed)
{
    struct planted p = planted_new(0, 0, noise, n, seed);
    const char *names[] = { "openmpi:binomial", "openmpi:chain" };
    const double mean[] = { first, second };
    *h = (struct heap){ .store = { .n_files = 1, .n_outcomes = 2 } };
    h->store.files = &h->file;
    h->store.outcomes = calloc(2, sizeof *h->store.outcomes);
    h->file.ids = calloc(2 * (size_t)n, sizeof *h->file.ids);
    h->file.samples = calloc(2 * (size_t)n, sizeof *h->file.samples);
    h->file.n = 2 * (size_t)n;
    for (int k = 0; k < 2; k++) {
        struct point point = planted_point(EXP_TIME, names[k], 4, 8192, 0, 0, 0);
        snprintf(point.cell.mpi, NAME_SIZE, "openmpi");
        point_identify(&point);
        planted_add(&h->points, &p, &point, mean[k]);
    }
    qsort(h->points.row, 2, sizeof *h->points.row, by_id);
    for (int k = 0; k < 2; k++) {
        struct measured *m = &h->points.row[k];
        double about = strcmp(m->point.candidate.algorithm, names[0]) == 0 ? first : second,
               sum = 0;
        struct outcome *o = &h->store.outcomes[k];
        *o = (struct outcome){
            .status = "ok", .n_rows = (uint64_t)n, .n = (uint64_t)n, .repeat = 1
        };
        memcpy(o->point, m->point.id, ID_SIZE);
        for (int i = 0; i < n; i++) {
            size_t at = (size_t)(k * n + i);
            h->file.ids[at] = strtoull(m->point.id, NULL, 16);
            double x = about * (1 + noise * rng_normal(&p.rng));
            h->file.samples[at] = (struct sample){ .max_s = x, .root_s = x, .valid = 1 };
            sum += x;
        }
        m->time.mean = sum / n;
    }
}

static void heap_clear(struct heap *h)
{
    free(h->store.outcomes);
    free(h->file.ids);
    free(h->file.samples);
    points_clear(&h->points);
}

/* The random selector's row: its degradation is half the difference of the two. */
static struct selection random_row(struct heap *h)
{
    struct predictions none = { .n = 0 };
    struct facts facts = { .tie_pct = 2.5, .confidence = 0.95, .seed = 5 };
    struct selection_table t;
    struct selection row = { .degradation_pct = NAN };
    selection_make(&h->points, &none, &facts, &h->store, &t, NULL);
    for (size_t i = 0; i < t.n; i++)
        if (strcmp(t.row[i].selector->name, "random") == 0)
            row = t.row[i];
    selection_clear(&t);
    return row;
}

static void intervals(void)
{
    int inside = 0, ties_far = 0, ties_equal = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct heap h;
        two_candidates(&h, 1e-3, 1.2e-3, 0.1, 60, seed);
        struct selection r = random_row(&h);
        inside += r.ci_low_pct <= 10 && 10 <= r.ci_high_pct;
        ties_far += r.tied == 1;
        heap_clear(&h);
        two_candidates(&h, 1e-3, 1e-3, 0.1, 60, seed + 1000);
        ties_equal += random_row(&h).tied == 1;
        heap_clear(&h);
    }
    ok(inside > 180 && inside < 200, "95 %% intervals hold the true degradation: %.3f",
       inside / 200.);
    is_int(0, ties_far, "20 %% apart with 60 samples is no tie");
    ok(ties_equal > 180, "equal candidates are tied: %.3f", ties_equal / 200.);
}

static void same_seed(void)
{
    struct heap h;
    two_candidates(&h, 1e-3, 1.1e-3, 0.1, 40, 9);
    struct selection a = random_row(&h), b = random_row(&h);
    ok(a.ci_low_pct == b.ci_low_pct && a.ci_high_pct == b.ci_high_pct,
       "the same seed gives the same interval");
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
    is_near(1, selector_best.core_s(&points, &bcast), 0, "best: the times of its collective");
    is_near(8, selector_best.core_s(&points, &reduce), 0, "and mapping");
    is_near(16, model_find("textbook")->core_s(&points, &bcast), 0, "a ping-pong is of a mapping");
    is_near(32, model_find("textbook")->core_s(&points, &reduce), 0, "and serves each collective");
    is_near(192, model_find("channel_stage")->core_s(&points, &bcast), 0, "channels serve");
    is_near(192, model_find("channel_stage")->core_s(&points, &reduce), 0,
            "collectives and mappings alike");
    points_clear(&points);
}

int main(void)
{
    costs();
    arithmetic();
    means();
    golden_pair();
    intervals();
    same_seed();
    return tap_done();
}
