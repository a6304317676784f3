/* SPDX-License-Identifier: BSD-3-Clause */
/* An algorithm is one row: one that is defined for this test alone, in a table of our own, is
 * proved, taken by studies, fitted and predicted. */
#include <unistd.h>

#include "analysis/models/gamma/gamma_fit.h"
#include "analysis/models/hockney/hockney.h"
#include "analysis/models/predictions.h"
#include "harness/study/study.h"
#include "workloads/schedules/prove.h"

#include "tests/analysis/planted.h"
#include "tests/tap.h"
#include "tests/workloads/two_hops.h"

static void proved(void)
{
    const struct algorithm *found = algorithm_find("bcast", "two_hops");
    size_t n = 0;
    struct err err = { 0 };
    if (!ok(found == bcast_bine, "found by its name"))
        return;
    for (int procs = 1; procs <= 20; procs++)
        for (int root = 0; root < procs; root++) {
            struct schedule s;
            struct proof proof;
            n += schedule_init(&s, found, procs, root, 40, 0, 0, &err) == 0 &&
                 prove(&s, &proof, &err) == 0 && proof.messages == (uint64_t)procs - 1;
        }
    is_int(210, (long long)n, "proved for every root among up to 20 processes %s", err.text);
}

static void planned(void)
{
    char path[] = "/tmp/collsel-algorithm-XXXXXX.ini";
    struct cluster cluster;
    struct study study;
    struct err err = { 0 };
    const int fd = mkstemps(path, 4);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        return;
    fputs("[study]\nname = toys\ncollectives = bcast\n[grid]\nprocs = 8\n"
          "[candidates]\nportable = two_hops\n",
          f);
    fclose(f);
    if (ok(cluster_load("clusters", "gros", &cluster, &err) == 0, "a cluster %s", err.text)) {
        if (ok(study_load("clusters/studies", path, &cluster, &study, &err) == 0,
               "a study may ask for it %s", err.text))
            study_free(&study);
        cluster_free(&cluster);
    }
    unlink(path);
}

static void predicted(void)
{
    struct points points = { .n = 0 };
    struct gamma_models gammas;
    struct hockneys fits;
    struct planted p = planted_new(2e-5, 1e-9, 0, 1, 1);
    planted_gamma_points(&points, &p);
    planted_fit_points(&points, &p, "portable:two_hops", 40, 0, 0);
    gamma_fit(&points, STATISTIC_MEDIAN, &gammas);
    hockney_fit(&points, NULL, &gammas, 0.95, &fits);
    const struct parameters with = { .held = { { &gamma_set, &gammas, NULL },
                                               { &hockney_set, &fits, NULL } } };
    const struct point point = planted_point(EXP_TIME, "portable:two_hops", 100, 1 << 20, 0, 0, 0);
    const struct prediction said = model_predict(models[0], &with, &point.cell, &point.candidate);
    is_near(planted_seconds(&p, &point), said.seconds, 1e-6, "fitted and predicted by its walk");
    is_near((1 + 12.64) * (2e-5 + 1e-9 * (1 << 20)), said.seconds, 1e-6,
            "a message to one, then to 98: gamma(2) and gamma(99)");
    hockneys_clear(&fits);
    gamma_models_clear(&gammas);
    points_clear(&points);
}

int main(void)
{
    proved();
    planned();
    predicted();
    return tap_done();
}
