/* SPDX-License-Identifier: BSD-3-Clause */
/* alpha and beta: planted parameters come back within their stated errors, an outlier in ten does
 * not matter, and what cannot be told apart is said to be so. */
#include "analysis/models/hockney/hockney.h"

#include "tests/analysis/dir.h"
#include "tests/analysis/planted.h"
#include "tests/tap.h"

static const double alpha = 2e-5, beta = 1e-9;

static const struct {
    const char *algorithm;
    uint64_t segment;
    int fanout;
} algorithms_planted[] = {
    { "portable:basic_linear", 0, 0 },         { "portable:chain", 8192, 4 },
    { "portable:pipeline", 8192, 0 },          { "portable:binary_tree", 8192, 0 },
    { "portable:binomial", 8192, 0 },          { "portable:knomial", 8192, 4 },
    { "portable:scatter_allgather", 0, 0 },    { "portable:scatter_allgather_ring", 0, 0 },
    { "portable:split_binary_tree", 8192, 0 },
};
enum { N_ALGORITHMS = sizeof algorithms_planted / sizeof *algorithms_planted };

/* One algorithm's experiments with gamma's; the fits are returned. */
static struct hockneys fitted(struct planted *p, int which, int procs, struct points *points)
{
    struct gamma_models gammas;
    struct hockneys fits;
    struct planted exact = *p;
    *points = (struct points){ .n = 0 };
    exact.noise = 0;
    planted_gamma_points(points, &exact);
    planted_fit_points(points, p, algorithms_planted[which].algorithm, procs,
                       algorithms_planted[which].segment, algorithms_planted[which].fanout);
    gamma_fit(points, STATISTIC_MEDIAN, &gammas);
    hockney_fit(points, NULL, &gammas, 0.95, &fits);
    gamma_models_clear(&gammas);
    return fits;
}

static void exact(void)
{
    for (int k = 0; k < N_ALGORITHMS; k++) {
        struct planted p = planted_new(alpha, beta, 0, 1, 1);
        struct points points;
        struct hockneys fits = fitted(&p, k, 40, &points);
        const struct hockney *f = &fits.fit[0];
        const char *name = algorithms_planted[k].algorithm;
        ok(fits.n == 1 && f->status == FIT_OK, "%s is fitted: %s", name,
           fit_status_words[f->status]);
        is_near(alpha, f->alpha, 1e-6, "%s: alpha comes back", name);
        is_near(beta, f->beta, 1e-6, "%s: beta comes back", name);
        is_near(alpha, f->ls_alpha, 1e-6, "%s: by least squares too", name);
        hockneys_clear(&fits);
        points_clear(&points);
    }
}

/* Coverage of the stated intervals over seeds, 2 % noise in the mean of every point. */
static void coverage(int k, int procs)
{
    int seeds = 300, holds_alpha = 0, holds_beta = 0;
    double widest = 0;
    for (int seed = 0; seed < seeds; seed++) {
        struct planted p = planted_new(alpha, beta, 0.05, 25, (uint64_t)seed);
        struct points points;
        struct hockneys fits = fitted(&p, k, procs, &points);
        const struct hockney *f = &fits.fit[0];
        holds_alpha += f->alpha_low <= alpha && alpha <= f->alpha_high;
        holds_beta += f->beta_low <= beta && beta <= f->beta_high;
        widest = fmax(widest, fabs(f->beta / beta - 1));
        hockneys_clear(&fits);
        points_clear(&points);
    }
    const char *name = algorithms_planted[k].algorithm;
    ok(holds_alpha > 0.9 * seeds, "%s, P = %d: intervals hold alpha: %.3f", name, procs,
       (double)holds_alpha / seeds);
    ok(holds_beta > 0.9 * seeds, "%s, P = %d: intervals hold beta: %.3f", name, procs,
       (double)holds_beta / seeds);
    diag("%s: beta is at most %.1f %% off", name, 100 * widest);
}

/* One of the ten experiments takes three times as long, whichever it is. */
static void outliers(int k)
{
    double worst = 0;
    const char *name = algorithms_planted[k].algorithm;
    for (int bad = 0; bad < 10; bad++) {
        struct planted p = planted_new(alpha, beta, 0.005, 25, 77);
        struct points points = { .n = 0 };
        struct gamma_models gammas;
        struct hockneys fits;
        planted_gamma_points(&points, &p);
        size_t first = points.n;
        planted_fit_points(&points, &p, name, 40, algorithms_planted[k].segment,
                           algorithms_planted[k].fanout);
        points.row[first + (size_t)bad].time.value *= 3;
        gamma_fit(&points, STATISTIC_MEDIAN, &gammas);
        hockney_fit(&points, NULL, &gammas, 0.95, &fits);
        worst = fmax(worst, fabs(fits.fit[0].alpha / alpha - 1));
        worst = fmax(worst, fabs(fits.fit[0].beta / beta - 1));
        gamma_models_clear(&gammas);
        hockneys_clear(&fits);
        points_clear(&points);
    }
    ok(worst < 0.05, "%s: an outlier in ten leaves alpha and beta within 5 %%: %.2f %%", name,
       100 * worst);
}

static const struct equation *equation_of(const struct hockneys *fits, uint64_t bytes)
{
    for (size_t i = 0; i < fits->n_equations; i++)
        if (fits->equation[i].point.cell.bytes == bytes)
            return &fits->equation[i];
    return NULL;
}

static void excluded(void)
{
    struct planted p = planted_new(alpha, beta, 0, 1, 1);
    struct points points;
    struct hockneys fits = fitted(&p, N_ALGORITHMS - 1, 40, &points); /* split binary */
    is_int(9, (long long)fits.fit[0].n, "split binary of one segment is no equation");
    is_int(1, (long long)fits.fit[0].excluded, "it is counted as excluded");
    const struct equation *e = equation_of(&fits, 8192);
    ok(!e->used && isnan(e->x), "and has neither coefficients");
    has_str("substituted", e->reason, "nor silence about why");
    has_str("pipeline", e->reason, "what ran is named");
    hockneys_clear(&fits);

    struct gamma_models gammas;
    points.row[points.n - 1].status = POINT_SUBSTITUTED;
    snprintf(points.row[points.n - 1].ran_algorithm, NAME_SIZE, "openmpi:chain");
    points.row[points.n - 2].status = POINT_TIMEOUT;
    gamma_fit(&points, STATISTIC_MEDIAN, &gammas);
    hockney_fit(&points, NULL, &gammas, 0.95, &fits);
    is_int(7, (long long)fits.fit[0].n, "what the library substituted and what hung is left out");
    has_str("openmpi:chain", equation_of(&fits, 4194304)->reason, "with the library's reason");
    is_near(alpha, fits.fit[0].alpha, 1e-6, "the rest still tells alpha");
    gamma_models_clear(&gammas);
    hockneys_clear(&fits);
    points_clear(&points);
}

static void unidentified(void)
{
    struct planted p = planted_new(0, beta, 0.05, 25, 3);
    struct points points;
    struct hockneys fits = fitted(&p, 4, 40, &points);
    is_str("alpha_unidentified", fit_status_words[fits.fit[0].status],
           "no latency, no alpha: its interval spans 0");
    ok(hockney_usable(&fits.fit[0]), "such a fit still predicts");
    hockneys_clear(&fits);
    points_clear(&points);

    /* m_g = m_s and whole segments: every x is 8192, whatever the times. */
    struct gamma_models gammas;
    points = (struct points){ .n = 0 };
    p = planted_new(alpha, beta, 0.01, 25, 3);
    planted_gamma_points(&points, &p);
    for (int i = 0; i < 10; i++) {
        struct point point =
            planted_point(EXP_GATHER, "portable:pipeline", 40, planted_bytes(i), 8192, 0, 8192);
        planted_add(&points, &p, &point, planted_seconds(&p, &point));
    }
    gamma_fit(&points, STATISTIC_MEDIAN, &gammas);
    hockney_fit(&points, NULL, &gammas, 0.95, &fits);
    is_str("rank_deficient", fit_status_words[fits.fit[0].status],
           "gathering segments of the segment's size tells nothing (m_g must differ from m_s)");
    ok(!hockney_usable(&fits.fit[0]) && isnan(fits.fit[0].alpha), "and no numbers are made up");
    gamma_models_clear(&gammas);
    hockneys_clear(&fits);
    points_clear(&points);
}

/* Ping-pongs whose times do not grow with the bytes (each is its neighbours' mean, but for a
 * twentieth up or down), or fall by a tenth from size to size. */
static void meaningless_beta(double factor, double wobble, const char *status, int usable)
{
    struct planted p = planted_new(alpha, beta, 0, 1, 3);
    struct points points = { .n = 0 };
    const struct gamma_models none = { .n = 0 };
    struct hockneys fits;
    planted_pingpong_points(&points, &p);
    double t = alpha;
    for (size_t i = 0; i < points.n; i++, t *= factor)
        points.row[i].time.value = t * (1 + (i % 2 ? wobble : -wobble));
    hockney_fit(&points, NULL, &none, 0.95, &fits);
    const struct hockney *f = hockney_pingpong(&fits, "smpi", "node");
    is_str(status, fit_status_words[f->status], "beta = %.2g, %.2g to %.2g", f->beta, f->beta_low,
           f->beta_high);
    is_int(usable, hockney_usable(f), usable ? "predicts within its range" : "is not used");
    has_str("beta", f->reason, "says why");
    hockneys_clear(&fits);
    points_clear(&points);
}

static void degenerate(void)
{
    struct planted p = planted_new(alpha, beta, 0, 1, 3);
    struct points points = { .n = 0 };
    struct gamma_models gammas = { .n = 0 };
    struct hockneys fits;
    hockney_fit(&points, NULL, &gammas, 0.95, &fits);
    is_int(0, (long long)fits.n, "and no fit");
    hockneys_clear(&fits);
    planted_fit_points(&points, &p, "portable:binomial", 40, 8192, 0);
    hockney_fit(&points, NULL, &gammas, 0.95, &fits);
    is_str("too_few_points", fit_status_words[fits.fit[0].status], "without gamma there is no fit");
    has_str("gamma", fits.fit[0].reason, "and the reason is gamma");
    hockneys_clear(&fits);
    planted_gamma_points(&points, &p);
    gamma_fit(&points, STATISTIC_MEDIAN, &gammas);
    for (int i = 2; i < 10; i++)
        points.row[i].status = POINT_FAILED;
    hockney_fit(&points, NULL, &gammas, 0.95, &fits);
    is_str("too_few_points", fit_status_words[fits.fit[0].status], "two points are too few");
    is_int(8, (long long)fits.fit[0].excluded, "the failed ones are counted");
    gamma_models_clear(&gammas);
    hockneys_clear(&fits);
    points_clear(&points);
}

static void traditional_and_files(const char *dir)
{
    struct planted p = planted_new(alpha, beta, 0.02, 25, 3);
    struct points points;
    struct hockneys fits = fitted(&p, 1, 40, &points), back = { .n = 0 };
    struct gamma_models gammas;
    struct err err = { .text = "" };
    hockneys_clear(&fits);
    planted_pingpong_points(&points, &p);
    gamma_fit(&points, STATISTIC_MEDIAN, &gammas);
    hockney_fit(&points, NULL, &gammas, 0.95, &fits);
    const struct hockney *old = hockney_pingpong(&fits, "smpi", "node");
    is_near(alpha, old ? old->alpha : NAN, 0.05, "ping-pong gives alpha");
    is_near(beta, old ? old->beta : NAN, 0.05, "ping-pong gives beta");
    is_int(0, hockneys_write(dir, "unknown", &fits, &err), "written: %s", err.text);
    back.fit = schema_read(&hockney_schema, dir, &back.n, &err);
    ok(back.fit != NULL, "read back: %s", err.text);
    is_int((long long)fits.n, (long long)back.n, "as many fits");
    const struct candidate chain = { .algorithm = "portable:chain",
                                     .segment_bytes = 8192,
                                     .fanout = 4 };
    const struct hockney *a = hockney_find(&fits, "bcast", "smpi", "node", &chain);
    const struct hockney *b = hockney_find(&back, "bcast", "smpi", "node", &chain);
    is_near(a->alpha, b->alpha, 1e-8, "alpha survives the file");
    is_near(a->beta_high, b->beta_high, 1e-8, "so does beta's interval");
    is_near(a->condition, b->condition, 1e-8, "and the condition number");
    gamma_models_clear(&gammas);
    hockneys_clear(&fits);
    hockneys_clear(&back);
    points_clear(&points);
}

/* Messages that are no multiple of the segment: A and B depend on alpha and beta. */
static void unequal(void)
{
    struct planted p = planted_new(alpha, beta, 0, 1, 1);
    struct points points = { .n = 0 };
    struct gamma_models gammas;
    struct hockneys fits;
    planted_gamma_points(&points, &p);
    for (int i = 0; i < 10; i++) {
        struct point point =
            planted_point(EXP_GATHER, "portable:binomial", 40, planted_bytes(i) * 7 / 5, 8192, 0,
                          planted_gather[i % 4]);
        planted_add(&points, &p, &point, planted_seconds(&p, &point));
    }
    gamma_fit(&points, STATISTIC_MEDIAN, &gammas);
    hockney_fit(&points, NULL, &gammas, 0.95, &fits);
    is_str("ok", fit_status_words[fits.fit[0].status], "a short last segment: a fixed point");
    is_near(alpha, fits.fit[0].alpha, 1e-6, "alpha comes back");
    is_near(beta, fits.fit[0].beta, 1e-6, "beta comes back");
    gamma_models_clear(&gammas);
    hockneys_clear(&fits);
    points_clear(&points);
}

/* The experiments of an algorithm of a reduction, which ends at the root; it then calls for the
 * gather: gamma(P) alpha more. */
static void add_reductions(struct points *points, struct planted *p, const char *algorithm,
                           uint64_t segment, int fanout)
{
    for (int i = 0; i < 10; i++) {
        struct point point = planted_point(EXP_GATHER, algorithm, 40, planted_bytes(i), segment,
                                           fanout, planted_gather[i % 4]);
        snprintf(point.cell.collective, NAME_SIZE, "reduce");
        point_identify(&point);
        planted_add(points, p, &point,
                    planted_seconds(p, &point) + gamma_value(&p->gamma, 40) * p->alpha);
    }
}

/* Receives of a stage one after the other, and overlapping as measured. */
static void reductions(int overlap)
{
    static const struct {
        const char *algorithm;
        uint64_t segment;
        int fanout;
    } rows[] = { { "portable:linear", 0, 0 },      { "portable:chain", 8192, 4 },
                 { "portable:pipeline", 8192, 0 }, { "portable:binary", 8192, 0 },
                 { "portable:binomial", 8192, 0 }, { "portable:in-order_binary", 8192, 0 },
                 { "portable:rabenseifner", 0, 0 } };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct planted p = planted_new(alpha, beta, 0, 1, 1);
        struct points points = { .n = 0 };
        struct gamma_models gammas;
        struct hockneys fits;
        planted_gamma_points(&points, &p);
        if (overlap) {
            planted_overlap(&p);
            planted_fan_in_points(&points, &p, 0);
        }
        add_reductions(&points, &p, rows[k].algorithm, rows[k].segment, rows[k].fanout);
        gamma_fit(&points, STATISTIC_MEDIAN, &gammas);
        hockney_fit(&points, NULL, &gammas, 0.95, &fits);
        is_near(alpha, fits.fit[0].alpha, 1e-6, "reduce %s%s: alpha comes back", rows[k].algorithm,
                overlap ? ", receives measured" : "");
        is_near(beta, fits.fit[0].beta, 1e-6, "… beta comes back");
        gamma_models_clear(&gammas);
        hockneys_clear(&fits);
        points_clear(&points);
    }
}

/* A gather among many that is quicker than among two cannot be: what rests on it has no fit. */
static void implausible_gather(void)
{
    struct planted p = planted_new(alpha, beta, 0, 1, 1);
    struct points points = { .n = 0 };
    struct gamma_models gammas;
    struct hockneys fits;
    planted_gamma_points(&points, &p);
    planted_overlap(&p);
    planted_fan_in_points(&points, &p, 0);
    for (size_t i = 0; i < points.n; i++)
        if (points.row[i].point.experiment == EXP_TIME &&
            strcmp(points.row[i].point.cell.collective, "gather") == 0 &&
            points.row[i].point.cell.procs > 8)
            points.row[i].time.value *= 1e-3;
    planted_fit_points(&points, &p, "portable:binomial", 40, 8192, 0);
    add_reductions(&points, &p, "portable:binomial", 8192, 0);
    gamma_fit(&points, STATISTIC_MEDIAN, &gammas);
    hockney_fit(&points, NULL, &gammas, 0.95, &fits);
    for (size_t i = 0; i < fits.n; i++)
        is_int(strcmp(fits.fit[i].collective, "bcast") == 0, hockney_usable(&fits.fit[i]),
               "a gather that cannot be: %s", fits.fit[i].collective);
    has_str("gamma is not known", fits.fit[1].reason, "and the reason is given");
    gamma_models_clear(&gammas);
    hockneys_clear(&fits);
    points_clear(&points);
}

/* Two collectives with an algorithm of one name: two fits, each with its own parameters. */
static void two_collectives(const char *dir)
{
    static const struct candidate binomial = { .algorithm = "portable:binomial",
                                               .segment_bytes = 8192 };
    struct planted b = planted_new(alpha, beta, 0, 1, 1), r = planted_new(3e-5, 4e-9, 0, 1, 1);
    struct points points = { .n = 0 };
    struct gamma_models gammas;
    struct hockneys fits, back = { .n = 0 };
    struct err err = { .text = "" };
    planted_gamma_points(&points, &b);
    planted_fit_points(&points, &b, "portable:binomial", 40, 8192, 0);
    add_reductions(&points, &r, "portable:binomial", 8192, 0);
    gamma_fit(&points, STATISTIC_MEDIAN, &gammas);
    hockney_fit(&points, NULL, &gammas, 0.95, &fits);
    is_int(2, (long long)fits.n, "broadcast and reduction by binomial are two fits");
    is_int(0, hockneys_write(dir, "unknown", &fits, &err), "written %s", err.text);
    back.fit = schema_read(&hockney_schema, dir, &back.n, &err);
    ok(back.fit != NULL, "and read back %s", err.text);
    const struct hockney *f = hockney_find(&back, "bcast", "smpi", "node", &binomial);
    is_near(alpha, f ? f->alpha : NAN, 1e-6, "the broadcast's alpha");
    is_near(beta, f ? f->beta : NAN, 1e-6, "… and beta");
    f = hockney_find(&back, "reduce", "smpi", "node", &binomial);
    is_near(3e-5, f ? f->alpha : NAN, 1e-6, "the reduction's alpha");
    is_near(4e-9, f ? f->beta : NAN, 1e-6, "… and beta");
    ok(!hockney_find(&back, "allgather", "smpi", "node", &binomial), "a third has none");
    hockneys_clear(&fits);
    hockneys_clear(&back);
    gamma_models_clear(&gammas);
    points_clear(&points);
}

/* What the signs of both intervals and r2 say: zero itself counts as not told apart from zero. */
static void signs(void)
{
    static const struct {
        double alpha[2], beta[2], r2;
        enum fit_status status;
    } cases[] = {
        { { 1, 2 }, { 1, 2 }, 1, FIT_OK },
        { { 1, 2 }, { 1, 2 }, 0.75, FIT_OK },
        { { 1, 2 }, { 1, 2 }, 0.749, FIT_POOR },
        { { 1, 2 }, { 1, 2 }, 0.44, FIT_POOR },
        { { 1, 2 }, { 1, 2 }, NAN, FIT_OK },
        { { 0, 2 }, { 1, 2 }, 0.44, FIT_ALPHA_UNIDENTIFIED },
        { { -2, -1 }, { 1, 2 }, 1, FIT_ALPHA_UNIDENTIFIED },
        { { 1, 2 }, { 0, 2 }, 0.44, FIT_BETA_UNIDENTIFIED },
        { { 1, 2 }, { -2, 0 }, 1, FIT_BETA_UNIDENTIFIED },
        { { -1, 2 }, { -1, 2 }, 1, FIT_BETA_UNIDENTIFIED },
        { { 1, 2 }, { -2, -1e-12 }, 1, FIT_BETA_NEGATIVE },
        { { -2, -1 }, { -2, -1 }, 0.44, FIT_BETA_NEGATIVE },
    };
    char reason[REASON_SIZE];
    int wrong = 0, silent = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double *a = cases[i].alpha, *b = cases[i].beta;
        const enum fit_status got =
            fit_sign(a[0], a[1], b[0], b[1], cases[i].r2, reason, sizeof reason);
        wrong += got != cases[i].status;
        silent += (got == FIT_OK) != (*reason == '\0');
    }
    is_int(0, wrong,
           "an interval that touches zero is not identified, one below it is negative; r2 below "
           "0.75 is poor");
    is_int(0, silent, "all but an ok fit say why");
}

int main(void)
{
    char dir[256];
    if (!dir_make(dir, sizeof dir))
        return tap_skip_all("no temporary directory");
    exact();
    coverage(0, 8);
    coverage(1, 40);
    coverage(6, 24);
    outliers(0);
    outliers(3);
    outliers(6);
    excluded();
    unidentified();
    meaningless_beta(1, 0.05, "beta_unidentified", 1);
    meaningless_beta(0.9, 0, "beta_negative", 0);
    signs();
    degenerate();
    unequal();
    reductions(0);
    reductions(1);
    implausible_gather();
    two_collectives(dir);
    traditional_and_files(dir);
    dir_remove(dir);
    return tap_done();
}
