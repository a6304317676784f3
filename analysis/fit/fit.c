/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/fit/fit.h"

#include "analysis/judge/selectors/external.h"
#include "analysis/measure/fitted_study.h"
#include "analysis/measure/imported_points.h"
#include "analysis/measure/result_file.h"

#include <unistd.h>

/* What earlier releases wrote and nobody updates any more would be taken for results. */
static int remove_old(const char *dir, struct err *err)
{
    /* clang-format off */
    static const char *const names[] = {
        "carried", "channel_calibration", "channel_costs", "channel_fanout", "contention", "contention_links", "contention_platform",
        "dummy", "dummy_residuals", "dummy_terms", "event", "event_platform", "links_links", "loggp",
        "loggp_platform" };
    /* clang-format on */
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (fs_path(path, sizeof path, err, "%s/fit/%s.csv", dir, names[i]) < 0)
            return -1;
        if (unlink(path) < 0 && errno != ENOENT && errno != ENOTDIR)
            return err_errno(err, "cannot remove '%s'", path);
    }
    return 0;
}

/* All parameters, all predictions, and how good they are. */
static int fit_and_judge(const char *dir, struct fit_from *from, struct fit_result *r,
                         struct err *err)
{
    const struct parameters *p = &r->parameters;
    if (parameters_fit_all(&r->parameters, from, err) < 0 || remove_old(dir, err) < 0 ||
        parameters_write(p, dir, from, err) < 0)
        return -1;
    predictions_make(&r->points, p, &r->predictions);
    if (predictions_write(dir, r->facts.backend, &r->predictions, err) < 0)
        return -1;
    if (errors_make(&r->points, from->groups, &r->predictions, p, &r->errors, err) < 0)
        return -1;
    return result_write(dir, &errors_schema, r->facts.backend, r->errors.row, r->errors.n, err);
}

/* All but points and costs. */
static int fit_and_write(const char *dir, const struct compare_studies *against,
                         struct fit_result *r, struct err *err)
{
    struct point_groups groups;
    struct fit_from from = { .points = &r->points, .facts = &r->facts, .groups = &groups };
    r->parameters = (struct parameters){ .facts = &r->facts, .against = against };
    if (compare_studies_write(dir, &r->points, against, err) < 0 ||
        result_write(dir, &cost_schema, r->facts.backend, r->costs.row, r->costs.n, err) < 0)
        return -1;
    point_groups_make(&r->points, &groups);
    const int status = fit_and_judge(dir, &from, r, err);
    r->parameters.against = NULL; /* the caller's, and closed before r is used */
    point_groups_clear(&groups);
    return status;
}

/* The same with the study to compare with; asked: somebody named it. */
static int fit_with(const char *dir, const char *other, int asked, int doubted,
                    struct fit_result *r, struct err *err)
{
    struct compare_studies against;
    struct err why = { 0 };
    if (!*other)
        return fit_and_write(dir, NULL, r, err);
    if (compare_studies_open(other, doubted, &against, &why) < 0) {
        if (asked)
            return err_set(err, "%s", why.text);
        snprintf(r->not_compared, sizeof r->not_compared, "%s", why.text);
        return fit_and_write(dir, NULL, r, err);
    }
    agreements_make(&r->points, &against, &r->agreements);
    snprintf(r->against_dir, sizeof r->against_dir, "%s", other);
    memcpy(r->against_backend, against.points.backend, sizeof r->against_backend);
    int status = fit_and_write(dir, &against, r, err);
    compare_studies_close(&against);
    return status;
}

/* The rows of points.csv: of what was measured here, or by others. *store: what they are of. */
static int build_points(const char *dir, const struct facts *facts, struct store *store,
                        struct points *points, struct err *err)
{
    if (!facts->imported)
        return points_build(dir, facts, store, points, err);
    return imported_points(dir, facts, points, err) < 0
               ? -1
               : store_open(dir, *facts->digest ? facts->digest : NULL, store, err);
}

static int write_views(const char *dir, const struct store *store, struct fit_result *result,
                       struct err *err)
{
    struct views views;
    if (views_make(store, &result->points, &result->facts, &views, err) < 0)
        return -1;
    const int status =
        result_write_some(dir, &views_schema, result->facts.backend, views.row, views.n, err);
    result->views = views.n;
    views_clear(&views);
    return status;
}

/* Writes points.csv and views.csv; what is fitted are plain cells, as models know ranks that arrive
 * together. */
static int write_points(const char *dir, const struct store *store, struct fit_result *result,
                        struct err *err)
{
    const size_t all = result->points.n;
    if (points_write(dir, &result->facts, &result->points, err) < 0 ||
        write_views(dir, store, result, err) < 0)
        return -1;
    points_keep_plain(&result->points);
    result->others = all - result->points.n;
    return 0;
}

/* All that samples say: points and costs. They are read once, and not kept while models are fitted.
 */
static int take_samples(const char *dir, int doubted, struct fit_result *result, struct err *err)
{
    struct store store = { .n_files = 0 };
    int status = build_points(dir, &result->facts, &store, &result->points, err);
    points_take_doubted(&result->points, doubted);
    if (status == 0)
        status = write_points(dir, &store, result, err);
    if (status == 0)
        status = costs_build(dir, &result->facts, &store, &result->costs, err);
    store_free(&store);
    return status;
}

int fit_study(const char *dir, const char *against, int doubted, struct fit_result *result,
              struct err *err)
{
    char other[PATH_SIZE];
    *result = (struct fit_result){ .points.n = 0 };
    if (facts_read(dir, &result->facts, err) < 0)
        return -1;
    compare_studies_choose(against, dir, result->facts.backend, other, sizeof other);
    if (take_samples(dir, doubted, result, err) == 0 &&
        fit_with(dir, other, against != NULL, doubted, result, err) == 0)
        return 0;
    fit_result_clear(result);
    return -1;
}

static size_t count_timed(const struct points *points)
{
    size_t timed = 0;
    for (size_t i = 0; i < points->n; i++)
        timed += (size_t)measured_usable(&points->row[i]);
    return timed;
}

/* What there is where no point has a time: "3 failed, 9 missing". */
static int fail_without_time(const struct points *points, const char *dir, struct err *err)
{
    size_t count[N_POINT_STATUS] = { 0 };
    char text[200] = "";
    if (any_below(i, points->n, measured_doubted(&points->row[i]))) {
        err_set(err, "none of %zu point%s has a time that counts", COUNTED(points->n));
        return points_add_doubted(points, NULL, err);
    }
    for (size_t i = 0; i < points->n; i++)
        count[points->row[i].status]++;
    for (int s = 0; s < N_POINT_STATUS; s++) {
        const size_t len = strlen(text);
        if (count[s] && count[s] < points->n)
            snprintf(text + len, sizeof text - len, "%s%zu %s", len ? ", " : "", count[s],
                     point_status_words[(enum point_status)s]);
        else if (count[s])
            snprintf(text, sizeof text, "all %s", point_status_words[(enum point_status)s]);
    }
    size_t first = 0;
    while (first < points->n &&
           (points->row[first].status == POINT_SKIPPED || !*points->row[first].reason))
        first++;
    return err_set(err,
                   "none of %zu point%s has a time: %s%s%.100s (see %s/events.jsonl and "
                   "samples/*.outcomes.csv)",
                   COUNTED(points->n), *text ? text : "nothing was planned",
                   first < points->n ? "; the first: " : "",
                   first < points->n ? points->row[first].reason : "", dir);
}

int fit_judge(const struct fit_result *result, const char *dir, struct err *err)
{
    const struct points *points = &result->points;
    const size_t timed = count_timed(points);
    size_t asked = 0, predicted = 0;
    for (size_t i = 0; i < result->predictions.n; i++)
        predicted += (size_t)prediction_usable(&result->predictions.row[i].prediction);
    for (size_t i = 0; i < points->n; i++)
        asked +=
            points->row[i].point.experiment != EXP_TIME && points->row[i].status != POINT_SKIPPED;
    if (!timed)
        return fail_without_time(points, dir, err);
    if (asked && !result->facts.imported && !predicted)
        return err_set(err, "no model could be fitted to %zu point%s (see %s/fit/)", COUNTED(timed),
                       dir);
    return 0;
}

void fit_result_clear(struct fit_result *result)
{
    points_clear(&result->points);
    costs_clear(&result->costs);
    parameters_clear(&result->parameters);
    predictions_clear(&result->predictions);
    errors_clear(&result->errors);
    agreements_clear(&result->agreements);
}

static int select_and_write(const struct points *points, const struct predictions *predictions,
                            const struct judge *judge, struct select_result *r, struct err *err)
{
    const struct selecting of = {
        .points = points,
        .predictions = predictions,
        .facts = &r->facts,
        .judge = judge,
        .more = r->more,
        .n_more = r->n_more,
    };
    if (selection_judged(&of, &r->table, err) < 0 ||
        result_write(r->dir, &selection_schema, r->backend, r->table.row, r->table.n, err) < 0)
        return -1;
    degradations_make(&r->table, points, &r->degradations);
    return result_write(r->dir, &degradation_schema, r->backend, r->degradations.row,
                        r->degradations.n, err);
}

/* What the choices lose under other conditions than the plain ones. */
static int compare_conditions(const char *dir, const struct judge *judge, struct select_result *r,
                              struct err *err)
{
    struct points all;
    if (points_read_all(dir, r->doubted, &all, err) < 0)
        return -1;
    int status = condition_losses_make(&all, judge, &r->conditions, err);
    if (status == 0)
        status = result_write_some(dir, &conditions_schema, r->facts.backend, r->conditions.row,
                                   r->conditions.n, err);
    points_clear(&all);
    return status;
}

/* by: whose times judge `own`, which may be itself. */
static int select_judged_by(const struct fitted_study *by, const struct fitted_study *own,
                            const struct predictions *predictions, struct select_result *r,
                            struct err *err)
{
    struct judge judge;
    r->points = by->points.n;
    r->timed = count_timed(&by->points);
    if (judge_open(&judge, by->dir, &by->facts, by == own ? NULL : &by->points, err) < 0)
        return -1;
    int status = select_and_write(&own->points, predictions, &judge, r, err);
    if (status == 0 && by == own)
        status = compare_conditions(by->dir, &judge, r, err);
    judge_clear(&judge);
    return status;
}

/* By the times of the directory `on`; the tables go to on/NAME below. */
static int select_on(const char *on, const char *rule, const struct fitted_study *own,
                     const struct predictions *predictions, struct select_result *r,
                     struct err *err)
{
    struct fitted_study by;
    const char *name = strrchr(on, '/') ? strrchr(on, '/') + 1 : on;
    if (!text_is_name(name))
        return err_usage(err, "'%s' does not end in the name of a directory: %s", on,
                         TEXT_WANT_NAME);
    char dir[PATH_SIZE];
    memcpy(dir, r->dir, sizeof dir);
    if (fs_path(r->dir, sizeof r->dir, err, "%s/on/%s", dir, name) < 0 ||
        fitted_study_read(on, rule, r->doubted, &by, err) < 0)
        return -1;
    const int status =
        fs_mkdirs(r->dir, err) < 0 ? -1 : select_judged_by(&by, own, predictions, r, err);
    points_clear(&by.points);
    size_t judged = 0;
    for (size_t i = 0; i < r->table.n; i++)
        judged += r->table.row[i].status == SELECT_OK;
    if (status == 0 && !judged)
        return err_set(err, "'%s' has no time of what is chosen in '%s' (see %s/selection.csv)", on,
                       dir, r->dir);
    return status;
}

/* The selectors of the files of programs that are not ours. */
static int take_external(const struct external *more, size_t n, const struct points *points,
                         struct select_result *r, struct err *err)
{
    r->more = memory_zeros(n + 1, sizeof *r->more);
    for (; r->n_more < n; r->n_more++) {
        if (external_check(&more[r->n_more], points, err) < 0)
            return -1;
        r->more[r->n_more] = selector_of_external(&more[r->n_more]);
    }
    return 0;
}

int select_study(const char *dir, const char *on, const char *rule, int doubted,
                 const struct external *more, size_t n, struct select_result *result,
                 struct err *err)
{
    struct fitted_study own;
    struct predictions predictions = { .n = 0 };
    *result = (struct select_result){ .doubted = doubted };
    if (fitted_study_has(dir, predictions_schema.path, err) < 0 ||
        fs_path(result->dir, sizeof result->dir, err, "%s%s%s", dir, rule ? "/default/" : "",
                rule ? rule : "") < 0 ||
        fitted_study_read(dir, rule, doubted, &own, err) < 0)
        return -1;
    result->facts = own.facts;
    snprintf(result->backend, NAME_SIZE, "%s", on || rule ? "unknown" : own.facts.backend);
    int status = predictions_read(dir, &own.points, &predictions, err);
    if (status == 0)
        status = take_external(more, n, &own.points, result, err);
    if (status == 0 && rule)
        status = fs_mkdirs(result->dir, err);
    if (status == 0)
        status = on ? select_on(on, rule, &own, &predictions, result, err)
                    : select_judged_by(&own, &own, &predictions, result, err);
    points_clear(&own.points);
    predictions_clear(&predictions);
    if (status < 0)
        select_result_clear(result);
    return status;
}

int select_judge(const struct select_result *result, const char *dir, struct err *err)
{
    return result->timed ? 0
                         : err_set(err, "none of %zu point%s has a time (see %s/points.csv)",
                                   COUNTED(result->points), dir);
}

void select_result_clear(struct select_result *result)
{
    selection_clear(&result->table);
    degradations_clear(&result->degradations);
    condition_losses_clear(&result->conditions);
    free(result->more);
    result->more = NULL;
}
