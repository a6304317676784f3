/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions: each model with its own parameters, what runs rather than what was asked, and a
 * status where a parameter is missing. */
#include "analysis/models/hockney/hockney.h"
#include "analysis/models/gamma/gamma_fit.h"
#include "analysis/models/predictions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/walk/closed.h"
#include "tests/analysis/dir.h"
#include "tests/analysis/planted.h"
#include "tests/tap.h"

static const double alpha = 2e-5, beta = 1e-9;

static void equivalents(void)
{
    is_str("binomial", equivalent_find("bcast", "portable:binomial")->name, "portable: itself");
    is_str("binary_tree", equivalent_find("bcast", "openmpi:binary_tree")->name,
           "openmpi: the schedule of that name");
    is_str("mpich_binomial", equivalent_find("bcast", "mpich:binomial")->name,
           "mpich: its own where it differs");
    ok(!equivalent_find("bcast", "openmpi:default"), "a default has no schedule");
    ok(!equivalent_find("bcast", "mpich:release_gather"), "nor has an unknown algorithm");
}

static struct prediction predict(const char *model, const struct parameters *p,
                                 const char *algorithm, uint64_t bytes, uint64_t segment)
{
    struct point point = planted_point(EXP_TIME, algorithm, 100, bytes, segment, 0, 0);
    return model_predict(model_find(model), p, &point.cell, &point.candidate);
}

/* All at once, in any order and with what was walked for other points, as one by one. */
static void all_at_once(const struct parameters *p)
{
    static const char *const names[] = { "portable:binomial", "portable:pipeline",
                                         "portable:split_binary_tree" };
    struct measured row[120];
    struct points points = { .row = row };
    struct predictions said;
    int wrong = 0, seconds = 0;
    for (; points.n < 120; points.n++) {
        const size_t i = points.n;
        row[i] =
            (struct measured){ .point = planted_point(EXP_TIME, names[i % 3], 2 + (int)(7 * i % 23),
                                                      UINT64_C(1) << (i / 3 % 5 * 4), 8192, 0, 0) };
        if (i % 2)
            snprintf(row[i].point.cell.mapping, sizeof row[i].point.cell.mapping, "socket");
    }
    predictions_make(&points, p, &said);
    ok(said.n % points.n == 0 && said.n > 120, "%zu rows of 120 points", said.n);
    for (size_t i = 0; i < said.n; i++) {
        const struct point *at = &row[i % points.n].point;
        const struct prediction alone =
            model_predict(said.row[i].model, p, &at->cell, &at->candidate);
        const struct prediction *seen = &said.row[i].prediction;
        wrong += strcmp(said.row[i].of->point.id, at->id) != 0 || seen->status != alone.status ||
                 (prediction_usable(&alone) && seen->seconds != alone.seconds);
        seconds += prediction_usable(&alone);
    }
    ok(wrong == 0 && seconds > 100, "… as if asked one by one (%d have a time)", seconds);
    predictions_clear(&said);
}

/* binomial and pipeline are fitted, at parameters a factor of two apart. */
static void fit_two(struct points *points, struct gamma_models *gammas, struct hockneys *fits)
{
    struct planted p = planted_new(alpha, beta, 0, 1, 1);
    *points = (struct points){ .n = 0 };
    planted_gamma_points(points, &p);
    planted_pingpong_points(points, &p);
    planted_fit_points(points, &p, "portable:binomial", 40, 8192, 0);
    planted_fit_points(points, &p, "portable:split_binary_tree", 40, 8192, 0);
    p.alpha *= 2;
    p.beta *= 2;
    planted_fit_points(points, &p, "portable:pipeline", 40, 8192, 0);
    gamma_fit(points, STATISTIC_MEDIAN, gammas);
    hockney_fit(points, NULL, gammas, 0.95, fits);
}

static void values(const struct parameters *p)
{
    struct planted once = planted_new(alpha, beta, 0, 1, 1),
                   twice = planted_new(2 * alpha, 2 * beta, 0, 1, 1);
    struct point point = planted_point(EXP_TIME, "portable:binomial", 100, 1 << 20, 8192, 0, 0);
    struct prediction r = predict("stage", p, "portable:binomial", 1 << 20, 8192);
    is_near(planted_seconds(&once, &point), r.seconds, 1e-6, "derived: the walk of the schedule");
    is_str("portable:binomial", r.algorithm, "which runs itself");

    point = planted_point(EXP_TIME, "portable:pipeline", 100, 8192, 8192, 0, 0);
    r = predict("stage", p, "portable:split_binary_tree", 8192, 8192);
    is_str("portable:pipeline", r.algorithm, "split binary of one segment runs as a pipeline");
    is_near(planted_seconds(&twice, &point), r.seconds, 1e-6,
            "and is predicted with the pipeline's own alpha and beta");

    struct schedule s;
    point = planted_point(EXP_TIME, "portable:binomial", 100, 1 << 20, 8192, 0, 0);
    equivalent_schedule(NULL, &point.cell, &point.candidate, &s, NULL);
    r = predict("textbook", p, "portable:binomial", 1 << 20, 8192);
    is_near(closed_time(CLOSED_TEXTBOOK, &s, NULL, alpha, beta), r.seconds, 1e-6,
            "traditional: the textbook formula with ping-pong's parameters");
}

/* Open MPI 4.1 runs binomial for 64 KiB among 30. */
static void defaults(void)
{
    struct hockney fit = { .mpi = "openmpi",
                           .mapping = "node",
                           .model = "textbook",
                           .candidate = { .algorithm = "pingpong" },
                           .alpha = alpha,
                           .beta = beta };
    struct hockneys fits = { .fit = &fit, .n = 1 };
    struct gamma_models none = { .n = 0 };
    struct facts facts = { .n_mpis = 1, .mpi = { "openmpi" }, .mpi_version = { "4.1.2" } };
    struct parameters p = {
        .facts = &facts, .held = { { &gamma_set, &none, NULL }, { &hockney_set, &fits, NULL } }
    };
    struct point point = planted_point(EXP_TIME, "openmpi:default", 30, 65536, 0, 0, 0);
    const struct candidate binomial = { .algorithm = "openmpi:binomial" };
    const struct model *textbook = model_find("textbook");
    snprintf(point.cell.mpi, NAME_SIZE, "openmpi");
    struct prediction asked = model_predict(textbook, &p, &point.cell, &point.candidate);
    is_near(model_predict(textbook, &p, &point.cell, &binomial).seconds, asked.seconds, 1e-12,
            "a default is predicted as what it decides");
    is_str("openmpi:binomial", asked.algorithm, "which is told");
    snprintf(facts.mpi_version[0], NAME_SIZE, "5.0.1");
    asked = model_predict(textbook, &p, &point.cell, &point.candidate);
    is_str("no_schedule", predict_status_words[asked.status],
           "but not where nobody knows what this version decides");
}

static void missing(const struct parameters *p)
{
    struct hockneys no_fit = { .n = 0 };
    struct parameters without_gamma = { .held = { { &hockney_set, parameters_of(p, &hockney_set),
                                                    NULL } } },
                      without_fit = { .held = { { &gamma_set, parameters_of(p, &gamma_set), NULL },
                                                { &hockney_set, &no_fit, NULL } } };
    struct prediction r = predict("stage", p, "portable:chain", 1 << 20, 8192);
    is_str("no_fit", predict_status_words[r.status],
           "an algorithm that was not fitted has no number");
    ok(isnan(r.seconds), "none at all");
    r = predict("stage", p, "portable:binomial", 1 << 20, 1024);
    is_str("no_fit", predict_status_words[r.status], "nor has another segment size");
    r = predict("stage", &without_gamma, "portable:binomial", 1 << 20, 8192);
    is_str("no_gamma", predict_status_words[r.status], "without gamma: no_gamma");
    r = predict("textbook", &without_fit, "portable:binomial", 1 << 20, 8192);
    is_str("no_fit", predict_status_words[r.status], "without ping-pong: no_fit");
    r = predict("stage", p, "openmpi:default", 1 << 20, 0);
    is_str("no_schedule", predict_status_words[r.status], "a default: no_schedule");
}

static void not_positive(void)
{
    struct hockney fit = { .mpi = "smpi",
                           .mapping = "node",
                           .model = "textbook",
                           .candidate = { .algorithm = "pingpong" },
                           .alpha = -1e-3,
                           .beta = 1e-9 };
    struct hockneys fits = { .fit = &fit, .n = 1 };
    struct gamma_models none = { .n = 0 };
    struct parameters p = { .held = { { &gamma_set, &none, NULL },
                                      { &hockney_set, &fits, NULL } } };
    struct prediction r = predict("textbook", &p, "portable:binomial", 8192, 8192);
    is_str("not_positive", predict_status_words[r.status], "a negative time is no prediction");
    ok(isnan(r.seconds), "and no number");
}

/* Rows that cannot be are refused, with their line. */
static void damaged(const char *dir, const struct points *points, struct predictions *all)
{
    struct predictions back;
    struct err err = { .text = "" };
    const struct model_said good[2] = { all->row[0], all->row[1] };
    all->row[1].prediction.seconds = -1;
    predictions_write(dir, "unknown", all, &err);
    is_int(-1, predictions_read(dir, points, &back, &err), "-1 s is no prediction that is ok");
    has_str("predictions.csv:3: predicted_s: -1 is no time", err.text, "with file and line");
    all->row[1].prediction.seconds = good[1].prediction.seconds;
    all->row[1].prediction.status = PREDICT_NO_FIT;
    predictions_write(dir, "unknown", all, &err);
    is_int(-1, predictions_read(dir, points, &back, &err), "nor is there one without a fit");
    has_str("predictions.csv:3: predicted_s: ", err.text, "with file and line");
    all->row[1] = good[0];
    predictions_write(dir, "unknown", all, &err);
    is_int(-1, predictions_read(dir, points, &back, &err), "a model says one thing of a point");
    has_str("is there twice of the model ", err.text, "and not two");
    all->row[1] = good[1];
    predictions_write(dir, "unknown", all, &err);
    const struct points others = { .row = points->row + 1, .n = points->n - 1 };
    is_int(-1, predictions_read(dir, &others, &back, &err), "nor of a point that is not there");
    has_str("predictions.csv:2: point ", err.text, "with file and line");
    has_str(" is not in points.csv (want one that is: run `collsel fit`)", err.text,
            "and what helps");
}

static void files(const char *dir, const struct parameters *p)
{
    struct planted once = planted_new(alpha, beta, 0, 1, 1);
    struct points points = { .n = 0 };
    struct predictions all, back;
    struct err err = { .text = "" };
    for (int i = 0; i < 4; i++) {
        struct point point = planted_point(EXP_TIME, i < 3 ? "portable:binomial" : "portable:chain",
                                           100, planted_bytes(i), 8192, 0, 0);
        planted_add(&points, &once, &point, 1e-3);
    }
    points.row[1].status = POINT_FAILED;
    struct point gather = planted_point(EXP_GATHER, "portable:binomial", 100, 8192, 8192, 0, 1024);
    planted_add(&points, &once, &gather, 1e-3);
    predictions_make(&points, p, &all);
    is_int(8, (long long)all.n, "two models, four points that are a collective's alone");
    is_int(0, predictions_write(dir, "unknown", &all, &err), "written: %s", err.text);
    is_int(0, predictions_read(dir, &points, &back, &err), "read back: %s", err.text);
    int same = all.n == back.n;
    for (size_t i = 0; i < all.n && i < back.n; i++) {
        const struct prediction *a = &all.row[i].prediction, *b = &back.row[i].prediction;
        same &=
            all.row[i].model == back.row[i].model && a->status == b->status &&
            strcmp(a->algorithm, b->algorithm) == 0 &&
            (fabs(a->seconds / b->seconds - 1) < 1e-8 || (isnan(a->seconds) && isnan(b->seconds)));
    }
    ok(same, "with the same content");
    damaged(dir, &points, &all);
    ok(back.row[1].of == &points.row[1] && back.row[1].prediction.seconds > 0,
       "what was not measured is predicted all the same");
    predictions_clear(&all);
    predictions_clear(&back);
    points_clear(&points);
}

/* On which data a model's rules were chosen: by backend and cluster, imported by format. */
static void chosen_on(void)
{
    const struct model *walk = model_find("channel_walk"), *queue = model_find("links_queue");
    is_int(1, model_chosen_on(walk, "imported", "tallone"),
           "the walk, on the published ORFEO data");
    is_int(0, model_chosen_on(walk, "imported", "csv"), "not on what else is imported");
    is_int(0, model_chosen_on(walk, "sim", "tallone"), "nor on a simulation");
    is_int(1, model_chosen_on(queue, "sim", "fx10-512"), "the queues, on the tori of every size");
    is_int(0, model_chosen_on(queue, "sim", "fx100"), "not on what begins likewise");
    is_int(1, model_chosen_on(model_find("stage"), "sim", "grisou"), "the second of a list");
    is_int(0, model_chosen_on(model_find("textbook"), "sim", "gros"), "the textbook, on none");
}

int main(void)
{
    chosen_on();
    char dir[256];
    struct points points;
    struct gamma_models gammas;
    struct hockneys fits;
    if (!dir_make(dir, sizeof dir))
        return tap_skip_all("no temporary directory");
    fit_two(&points, &gammas, &fits);
    struct parameters p = { .held = { { &gamma_set, &gammas, NULL },
                                      { &hockney_set, &fits, NULL } } };
    equivalents();
    values(&p);
    all_at_once(&p);
    missing(&p);
    not_positive();
    defaults();
    files(dir, &p);
    gamma_models_clear(&gammas);
    hockneys_clear(&fits);
    points_clear(&points);
    dir_remove(dir);
    return tap_done();
}
