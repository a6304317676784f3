/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/fit.h"

#include "analysis/models/regression/carried.h"
#include "analysis/measure/imported.h"
#include "harness/base/fs.h"

/* 1 when a point lies on a socket or node that the regressions have not seen. */
static int crosses(const struct fit_result *r)
{
    for (size_t i = 0; i < r->points.n; i++) {
        const struct point *p = &r->points.row[i].point;
        const struct regression_fit *f =
            p->experiment == EXP_TIME
                ? regressions_find(&r->dummies, REGRESSION_HUBER, &p->cell, &p->candidate)
                : NULL;
        if (f && regression_crosses(&r->dummies, f, &p->cell))
            return 1;
    }
    return 0;
}

/* Where there are such points, what the carried regression says of all. */
static int carry_beyond(struct parameters *p, struct fit_result *r, struct err *err)
{
    struct carried carried;
    if (!regressions_usable(&r->dummies) || !crosses(r))
        return 0;
    if (carried_make(&r->points, &r->predictions, &carried, err) < 0)
        return -1;
    p->carried = &carried;
    const int status =
        predictions_add(&r->predictions, model_find("regression_carried"), &r->points, p, err);
    p->carried = NULL;
    carried_clear(&carried);
    return status;
}

/* The models that are fitted to the times themselves, all predictions, and how good they are. */
static int predict_and_judge(const char *dir, const struct point_groups *groups,
                             struct parameters *p, struct fit_result *r, struct err *err)
{
    if (regressions_fit(groups, &r->facts, OVER_OWN, SPLIT_IN_SAMPLE, &r->dummies, err) < 0 ||
        regressions_cover(groups, &r->dummies, err) < 0 ||
        regressions_write(dir, &r->dummies, groups, err) < 0)
        return -1;
    p->dummies = &r->dummies;
    if (predictions_make(&r->points, p, &r->predictions, err) < 0 || carry_beyond(p, r, err) < 0 ||
        predictions_write(dir, &r->predictions, err) < 0)
        return -1;
    if (errors_make(dir, &r->points, groups, &r->predictions, p, &r->errors, err) < 0)
        return -1;
    return errors_write(dir, &r->errors, err);
}

/* All but the points. */
static int fit_and_write(const char *dir, const struct against *against, struct fit_result *r,
                         struct err *err)
{
    struct parameters p = {
        .facts = &r->facts,
        .gammas = &r->gammas,
        .fits = &r->fits,
        .events = &r->events,
        .against = against,
        .channels = &r->channels,
        .contentions = &r->contentions,
    };
    if (against_write(dir, &r->points, against, err) < 0)
        return -1;
    if (costs_build(dir, &r->facts, &r->costs, err) < 0 || costs_write(dir, &r->costs, err) < 0)
        return -1;
    if (gamma_fit(&r->points, &r->gammas, err) < 0 || gamma_models_write(dir, &r->gammas, err) < 0)
        return -1;
    if (hockney_fit(&r->points, &r->gammas, r->facts.confidence, &r->fits, err) < 0 ||
        hockneys_write(dir, &r->fits, err) < 0)
        return -1;
    if (loggp_fit(&r->points, &r->gammas, r->facts.confidence, &r->events, err) < 0 ||
        loggp_fits_write(dir, &r->events, err) < 0)
        return -1;
    if (channel_fit(&r->points, &r->facts, &r->channels, err) < 0 ||
        channel_fits_write(dir, &r->channels, err) < 0)
        return -1;
    if (links_fit(&r->points, &r->facts, &r->contentions, err) < 0 ||
        contentions_write(dir, &r->contentions, err) < 0)
        return -1;
    struct point_groups groups;
    if (point_groups_make(&r->points, &groups, err) < 0)
        return -1;
    const int status = predict_and_judge(dir, &groups, &p, r, err);
    point_groups_clear(&groups);
    return status;
}

/* The same with the study to compare with; asked: somebody named it. */
static int fit_with(const char *dir, const char *other, int asked, struct fit_result *r,
                    struct err *err)
{
    struct against against;
    struct err why = { 0 };
    if (!*other)
        return fit_and_write(dir, NULL, r, err);
    if (against_open(other, &against, &why) < 0) {
        if (asked)
            return err_set(err, "%s", why.text);
        snprintf(r->not_compared, sizeof r->not_compared, "%s", why.text);
        return fit_and_write(dir, NULL, r, err);
    }
    int status = fit_and_write(dir, &against, r, err);
    against_close(&against);
    return status;
}

/* The rows of points.csv: of what was measured here, or by others. */
static int build_points(const char *dir, const struct facts *facts, struct points *points,
                        struct err *err)
{
    return facts->imported ? imported_points(dir, facts, points, err)
                           : points_build(dir, facts, points, err);
}

int fit_study(const char *dir, const char *against, struct fit_result *result, struct err *err)
{
    char other[PATH_SIZE];
    *result = (struct fit_result){ .points.n = 0 };
    if (facts_read(dir, &result->facts, err) < 0)
        return -1;
    against_choose(against, dir, result->facts.backend, other, sizeof other);
    if (build_points(dir, &result->facts, &result->points, err) == 0 &&
        points_write(dir, &result->facts, &result->points, err) == 0 &&
        fit_with(dir, other, against != NULL, result, err) == 0)
        return 0;
    fit_result_clear(result);
    return -1;
}

void fit_result_clear(struct fit_result *result)
{
    points_clear(&result->points);
    costs_clear(&result->costs);
    gamma_models_clear(&result->gammas);
    hockneys_clear(&result->fits);
    loggp_fits_clear(&result->events);
    regressions_clear(&result->dummies);
    channel_fits_clear(&result->channels);
    contentions_clear(&result->contentions);
    predictions_clear(&result->predictions);
    errors_clear(&result->errors);
}

static int must_exist(const char *dir, const char *name, const char *command, struct err *err)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, err, "%s/%s", dir, name) < 0)
        return -1;
    return fs_exists(path)
               ? 0
               : err_set(err, "'%s' does not exist (run `collsel %s` first)", path, command);
}

static int select_and_write(const char *dir, const struct points *points,
                            const struct predictions *predictions, const struct store *store,
                            struct select_result *r, struct err *err)
{
    if (selection_make(points, predictions, &r->facts, store, &r->table, err) < 0 ||
        selection_write(dir, &r->table, err) < 0)
        return -1;
    if (degradations_make(&r->table, points, &r->degradations, err) < 0)
        return -1;
    return degradations_write(dir, &r->degradations, err);
}

/* A simulation has nothing to bootstrap: its samples stay unread; of what others measured there are
 * none. */
static int select_with_store(const char *dir, const struct points *points,
                             const struct predictions *predictions, struct select_result *r,
                             struct err *err)
{
    struct store store;
    if (r->facts.deterministic || r->facts.imported)
        return select_and_write(dir, points, predictions, NULL, r, err);
    if (store_open(dir, *r->facts.digest ? r->facts.digest : NULL, &store, err) < 0)
        return -1;
    int result = select_and_write(dir, points, predictions, &store, r, err);
    store_free(&store);
    return result;
}

int select_study(const char *dir, struct select_result *result, struct err *err)
{
    struct points points = { .n = 0 };
    struct predictions predictions = { .n = 0 };
    *result = (struct select_result){ .table.n = 0 };
    if (facts_read(dir, &result->facts, err) < 0 || must_exist(dir, "points.csv", "fit", err) < 0 ||
        must_exist(dir, "predictions.csv", "fit", err) < 0)
        return -1;
    int status = points_read(dir, &points, err);
    if (status == 0)
        status = predictions_read(dir, &predictions, err);
    if (status == 0)
        status = select_with_store(dir, &points, &predictions, result, err);
    points_clear(&points);
    predictions_clear(&predictions);
    if (status < 0)
        select_result_clear(result);
    return status;
}

void select_result_clear(struct select_result *result)
{
    selection_clear(&result->table);
    degradations_clear(&result->degradations);
}
