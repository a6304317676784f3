/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/heldout/holdout_trial.h"

#include <unistd.h>

#include "analysis/adapt/plan_replay.h"
#include "analysis/measure/fitted_study.h"
#include "analysis/measure/result_file.h"

static size_t count_timed(const struct points *points)
{
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++)
        n += points->row[i].point.experiment == EXP_TIME && measured_usable(&points->row[i]);
    return n;
}

/* Models of one set: their parameters, and what they say. */
struct trained_models {
    struct parameters parameters;
    struct predictions of_trained, of_held;
};

/* Fits all parameters to a set of training cells, and asks the models about the cells held out. */
static int train_models(const struct training_set *set, const struct points *held,
                        struct trained_models *m, struct err *err)
{
    struct point_groups groups;
    const struct fit_from from = { .points = &set->points,
                                   .facts = &set->facts,
                                   .groups = &groups };
    *m = (struct trained_models){ .parameters.facts = &set->facts };
    point_groups_make(&set->points, &groups);
    const int status = parameters_fit_all(&m->parameters, &from, err);
    if (status == 0) {
        predictions_make(&set->points, &m->parameters, &m->of_trained);
        predictions_make(held, &m->parameters, &m->of_held);
    }
    point_groups_clear(&groups);
    return status;
}

/* Everything that a trial holds while it runs. */
struct work {
    const struct holdout_trial *trial;
    struct holdout holdout;
    struct fitted_study own, on; /* on: whose times judge */
    struct points held;
    struct training_cells training;
    struct trained_models models; /* of the first set, whose cells are judged */
    struct problem problem;
    struct selection_table confirmed; /* of the points that a replayed budget has measured */
    struct model_file file;           /* what `collsel train` makes of it */
    struct learnt *learnt;            /* those beside who have no voice in that */
    size_t n_learnt;
    struct selector *selector; /* of these */
    size_t n_selectors;
};

static void work_clear(struct work *w)
{
    points_clear(&w->own.points);
    points_clear(&w->on.points);
    points_clear(&w->held);
    training_clear(&w->training);
    parameters_clear(&w->models.parameters);
    predictions_clear(&w->models.of_trained);
    predictions_clear(&w->models.of_held);
    for (size_t i = 0; i < w->n_learnt; i++)
        learnt_clear(&w->learnt[i]);
    model_file_clear(&w->file);
    problem_clear(&w->problem);
    selection_clear(&w->confirmed);
    memory_free(w->learnt, w->selector);
}

/* Lets all selectors choose, judged by the times of `dir`. */
static int judge_by(struct work *w, const char *dir, const struct points *judging,
                    const struct facts *facts, struct holdout_trial_result *r, struct err *err)
{
    struct judge judge;
    if (judge_open(&judge, dir, facts, judging, err) < 0)
        return -1;
    const struct selecting of = { .points = &w->held,
                                  .predictions = &w->models.of_held,
                                  .facts = &w->own.facts,
                                  .judge = &judge,
                                  .training = w->training.n ? &w->training : NULL,
                                  .more = w->selector,
                                  .n_more = w->n_selectors };
    const int status = selection_judged(&of, &r->table, err);
    judge_clear(&judge);
    return status;
}

static int judge(struct work *w, struct holdout_trial_result *r, struct err *err)
{
    const char *on = w->trial->on;
    if (!on)
        return judge_by(w, w->trial->dir, NULL, &w->own.facts, r, err);
    return fitted_study_read(on, w->trial->rule, w->trial->doubted, &w->on, err) < 0 ||
                   judge_by(w, on, &w->on.points, &w->on.facts, r, err) < 0
               ? -1
               : 0;
}

/* Who learnt times is in the file; others learn beside. NULL: it cannot be taught. */
static const struct learnt *taught(struct work *w, const struct learner *learner, struct err *err)
{
    for (size_t i = 0; i < w->file.n_members; i++)
        if (w->file.member[i].learner == learner)
            return &w->file.member[i];
    struct learnt *of = &w->learnt[w->n_learnt];
    if (learnt_make(learner, &w->problem, w->own.facts.seed, of, err) < 0)
        return NULL;
    w->n_learnt++;
    return of;
}

/* What models say of the training cells of each set, for learners: of the first, whose models were
 * trained already; those of other sets say nothing. `safe` is what `collsel train` makes. */
static int learn(struct work *w, struct err *err)
{
    const struct learner *who[MOST_MEMBERS + 1];
    const struct holdout inner = problem_inner(&w->training, 0);
    struct predictions *said = memory_zeros(w->training.n, sizeof *said);
    size_t n = 0;
    said[0] = w->models.of_trained;
    problem_make(&w->training, said, &inner, &w->problem);
    free(said);
    while (learners[n])
        n++;
    w->learnt = memory_zeros(n + 1, sizeof *w->learnt);
    w->selector = memory_zeros(n + 1, sizeof *w->selector); /* safe, too */
    model_file_voices("safe", who);
    if (model_file_teach(&w->training, who, 0, &w->file, err) < 0)
        return -1;
    w->file.first = model_choice_first(w->trial->first, &w->own.facts);
    for (size_t i = 0; i < n; i++) {
        if (learners[i]->hybrid && !w->problem.has_said)
            continue;
        const struct learnt *of = taught(w, learners[i], err);
        if (!of)
            return -1;
        w->selector[w->n_selectors++] = selector_of_learnt(of);
    }
    w->selector[w->n_selectors++] = selector_of_safe(&w->file);
    return 0;
}

/* Cells held out of the set that is judged are held out of other sets of its cluster, too, though
 * the holdout draws or counts otherwise among the cells that these have. */
static void mark_same(const struct points *held, const struct points *points, unsigned char *mark)
{
    const struct measured **row = memory_zeros(held->n + 1, sizeof *row);
    for (size_t i = 0; i < held->n; i++)
        row[i] = &held->row[i];
    if (held->n)
        qsort(row, held->n, sizeof *row, measured_by_cell);
    for (size_t i = 0; i < points->n && strcmp(held->cluster, points->cluster) == 0; i++) {
        const struct measured *key = &points->row[i];
        const int collective =
            key->point.experiment == EXP_TIME || key->point.experiment == EXP_GATHER;
        if (collective && bsearch(&key, row, held->n, sizeof *row, measured_by_cell))
            mark[i] = 1;
    }
    free(row);
}

/* Adds a set to what is learnt from; its cells that are held out are in `held`, too, where that is
 * not NULL. Returns how many timed points are held out. */
static size_t divide(const struct work *w, const struct fitted_study *set,
                     struct training_cells *training, struct points *held)
{
    unsigned char *mark = memory_zeros(set->points.n + 1, 1);
    const size_t n = holdout_mark(&w->holdout, &set->points, mark);
    mark_same(&w->held, &set->points, mark); /* nothing for the set that is judged */
    training_add(training, &set->points, mark, &set->facts);
    if (held)
        holdout_rest(&set->points, mark, 0, held);
    free(mark);
    return n;
}

/* Further sets to learn from, without what is held out of them. */
static int add_others(struct work *w, struct err *err)
{
    for (const char *const *dir = w->trial->with; dir && *dir; dir++) {
        struct fitted_study other;
        const int status = fitted_study_read(*dir, w->trial->rule, w->trial->doubted, &other, err);
        if (status == 0)
            divide(w, &other, &w->training, NULL);
        points_clear(&other.points);
        if (status < 0)
            return -1;
    }
    return 0;
}

static int prepare(struct work *w, struct holdout_trial_result *r, struct err *err)
{
    const char *what = w->holdout.text;
    if (fitted_study_read(w->trial->dir, w->trial->rule, w->trial->doubted, &w->own, err) < 0)
        return -1;
    w->own.facts.costs = w->trial->first ? w->trial->first->costs : NULL;
    r->facts = w->own.facts;
    w->holdout.seed = w->own.facts.seed;
    if (!count_timed(&w->own.points))
        return err_set(err, "none of %zu point%s has a time (see %s/points.csv)",
                       COUNTED(w->own.points.n), w->trial->dir);
    if (!divide(w, &w->own, &w->training, &w->held))
        return err_set(err, "'%s' holds out none of the cells of '%s' (cluster %s)", what,
                       w->trial->dir, w->own.points.cluster);
    if (add_others(w, err) < 0)
        return -1;
    r->held = count_timed(&w->held);
    for (size_t i = 0; i < w->training.n; i++)
        r->trained += count_timed(&w->training.set[i].points);
    return r->trained
               ? 0
               : err_set(err, "'%s' holds out all cells of '%s': nothing is left to learn from",
                         what, w->trial->dir);
}

/* Where the tables go. */
static int find_place(const struct holdout_trial *t, struct holdout_trial_result *r,
                      struct err *err)
{
    const char *name = t->on && strrchr(t->on, '/') ? strrchr(t->on, '/') + 1 : t->on;
    if (name && !text_is_name(name))
        return err_usage(err, "'%s' does not end in the name of a directory: %s", t->on,
                         TEXT_WANT_NAME);
    return fs_path(r->dir, sizeof r->dir, err, "%s%s%s%s%s/holdout/%s", t->dir,
                   t->rule ? "/default/" : "", t->rule ? t->rule : "", name ? "/on/" : "",
                   name ? name : "", t->holdout.name) < 0 ||
                   fs_mkdirs(r->dir, err) < 0
               ? -1
               : 0;
}

static int write_tables(const struct holdout_trial_result *r, struct err *err)
{
    const char *backend = r->facts.backend;
    if (result_write(r->dir, &selection_schema, backend, r->table.row, r->table.n, err) < 0 ||
        result_write(r->dir, &heldout_schema, backend, r->heldout.row, r->heldout.n, err) < 0 ||
        result_write(r->dir, &importance_schema, backend, r->importances.row, r->importances.n,
                     err) < 0)
        return -1;
    char old[PATH_SIZE]; /* that an earlier trial has left */
    if (r->learning.n)
        return result_write(r->dir, &learning_schema, backend, r->learning.row, r->learning.n, err);
    if (fs_path(old, sizeof old, err, "%s/learning.csv", r->dir) < 0)
        return -1;
    unlink(old);
    return 0;
}

int holdout_trial_run(const struct holdout_trial *trial, struct holdout_trial_result *result,
                      struct err *err)
{
    struct work w = { .trial = trial, .holdout = trial->holdout };
    *result = (struct holdout_trial_result){ .held = 0 };
    int status = -1;
    if (find_place(trial, result, err) == 0 && prepare(&w, result, err) == 0 &&
        train_models(&w.training.set[0], &w.held, &w.models, err) == 0 && learn(&w, err) == 0 &&
        judge(&w, result, err) == 0) {
        heldout_make(&result->table, &w.holdout, result->trained, &result->facts, &result->heldout);
        for (size_t i = 0; i < w.n_selectors; i++)
            if (w.selector[i].learnt)
                importances_add(&result->importances, w.selector[i].learnt);
        status = write_tables(result, err);
    }
    work_clear(&w);
    if (status < 0)
        holdout_trial_clear(result);
    return status;
}

static void keep_own(struct points *points)
{
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        const char *family = mpi_family(p->cell.mpi);
        const size_t library = strcspn(p->candidate.algorithm, ":");
        if (p->experiment == EXP_TIME && library == strlen(family) &&
            strncmp(p->candidate.algorithm, family, library) == 0)
            points->row[n++] = points->row[i];
    }
    points->n = n;
}

/* What the times of a replay decide, by its own launches, as times of a study do. */
static int decide(const struct plan_replay *replay, const struct facts *facts,
                  struct selection_table *table, struct err *err)
{
    const struct predictions none = { .n = 0 };
    struct judge by = { .facts = facts, .timed = replay->measured.row };
    const struct selecting of = {
        .points = &replay->measured, .predictions = &none, .facts = facts, .judge = &by
    };
    if (!facts->deterministic && !facts->imported)
        by.took = (const double(*)[MOST_REPEATS + 1]) replay->took;
    return selection_judged(&of, table, err);
}

/* What is given once so much of a full plan's cost was spent on measuring: what was measured is
 * learnt from and decides, as in results (analysis/advise/advice.h), and the file is its first
 * model. */
static int judge_replay(const struct work *w, double share, const struct plan_replay *replay,
                        struct holdout_trial_result *r, struct err *err)
{
    static const struct holdout none = { .kind = HOLDOUT_PLANNED };
    const struct learner *who[MOST_MEMBERS + 1];
    struct work part = { .trial = w->trial, .own = w->own, .held = w->held, .n_selectors = 1 };
    struct holdout_trial_result of = { .facts = r->facts };
    struct holdout spent = none;
    training_add(&part.training, &replay->measured, NULL, &w->own.facts);
    model_file_voices("safe", who);
    int status = decide(replay, &w->own.facts, &part.confirmed, err) < 0
                     ? -1
                     : model_file_teach(&part.training, who, 0, &part.file, err);
    if (status == 0) {
        part.file.safe.confirmed = &part.confirmed;
        part.file.first = &w->file;
        part.selector = memory_zeros(1, sizeof *part.selector);
        *part.selector = selector_of_safe(&part.file);
        status = judge_by(&part, w->trial->dir, NULL, &w->own.facts, &of, err);
    }
    snprintf(spent.text, sizeof spent.text, "budget=%g%%", 100 * share);
    if (status == 0 && replay->measured.n) {
        struct heldout_table rows;
        heldout_make(&of.table, &spent, replay->measured.n, &r->facts, &rows);
        for (size_t i = 0; i < rows.n; i++)
            *array_add(&r->learning.row, &r->learning.n) = rows.row[i];
        heldout_clear(&rows);
    }
    selection_clear(&of.table);
    part.own.points = part.held = (struct points){ .n = 0 }; /* borrowed */
    work_clear(&part);
    return status;
}

static int judge_replays(const struct work *w, struct holdout_trial_result *r, struct err *err)
{
    const size_t n = w->trial->n_shares;
    struct plan_replay *replay = memory_zeros(n + 1, sizeof *replay);
    int status =
        n ? plan_replay_run(w->trial->dir, &w->held, &w->own.facts, w->trial->share, n, replay, err)
          : 0;
    for (size_t i = 0; i < n && status == 0; i++)
        status = judge_replay(w, w->trial->share[i], &replay[i], r, err);
    for (size_t i = 0; i < n; i++)
        plan_replay_clear(&replay[i]);
    free(replay);
    return status;
}

/* The set, and those beside it of the same machine, as one. */
static int open_sets(const struct holdout_trial *trial, struct work *w, struct err *err)
{
    if (fitted_study_read(trial->dir, NULL, trial->doubted, &w->own, err) < 0)
        return -1;
    for (const char *const *dir = trial->with; dir && *dir; dir++) {
        struct fitted_study other;
        int status = fitted_study_read(*dir, NULL, trial->doubted, &other, err);
        if (status == 0 && strcmp(other.points.cluster, w->own.points.cluster) != 0)
            status = err_usage(err, "'%s' is of cluster '%s' (want '%s', as '%s' is)", *dir,
                               other.points.cluster, w->own.points.cluster, trial->dir);
        for (size_t i = 0; i < other.points.n && status == 0; i++)
            *array_add(&w->own.points.row, &w->own.points.n) = other.points.row[i];
        points_clear(&other.points);
        if (status < 0)
            return -1;
    }
    return 0;
}

/* A file can say nothing of how well it does on the machines that it was learnt from. */
static int check_left_out(const char *model, const struct work *w, struct err *err)
{
    return model_choice_elsewhere(&w->file, &w->own.facts)
               ? 0
               : err_set(err,
                         "%s was learnt from cluster '%s', too (want a file without it: `collsel "
                         "train`)",
                         model, w->own.facts.cluster);
}

int holdout_trial_model(const struct holdout_trial *asked, const char *model,
                        const struct cluster *costs, struct holdout_trial_result *result,
                        struct err *err)
{
    static const struct holdout whole = { .name = "model", .text = "model" };
    struct holdout_trial trial = *asked;
    struct work w = { .trial = &trial, .holdout = whole };
    *result = (struct holdout_trial_result){ .held = 0 };
    trial.holdout = whole;
    if (model_file_read(model, &w.file, err) < 0)
        return -1;
    int status = !w.file.walks
                     ? err_usage(err, "%s: is of learner '%s' (want one of learner walked)", model,
                                 w.file.learner)
                 : find_place(&trial, result, err) < 0 || open_sets(&trial, &w, err) < 0 ? -1
                 : trial.n_shares ? check_left_out(model, &w, err)
                                  : 0;
    if (status == 0) {
        w.own.facts.costs = costs;
        result->facts = w.own.facts;
        keep_own(&w.own.points);
        w.held = w.own.points;
        result->held = count_timed(&w.held);
        result->in_sample = !model_choice_elsewhere(&w.file, &w.own.facts);
        model_file_machines(&w.file, result->sources, sizeof result->sources);
        w.selector = memory_zeros(3, sizeof *w.selector);
        w.selector[w.n_selectors++] = selector_of_safe(&w.file);
        w.selector[w.n_selectors++] = selector_of_walk(&w.file, PROMISES_BOLD);
        w.selector[w.n_selectors++] = selector_of_walk(&w.file, PROMISES_ANY);
        status = judge(&w, result, err);
        if (status == 0)
            status = judge_replays(&w, result, err);
        w.held = (struct points){ .n = 0 }; /* borrowed */
    }
    if (status == 0) {
        heldout_make(&result->table, &w.holdout, 0, &result->facts, &result->heldout);
        status = write_tables(result, err);
    }
    work_clear(&w);
    if (status < 0)
        holdout_trial_clear(result);
    return status;
}

int holdout_trial_training(const char *const *dirs, const char *rule, int doubted,
                           struct training_cells *training, struct err *err)
{
    *training = (struct training_cells){ .n = 0 };
    for (const char *const *dir = dirs; *dir; dir++) {
        struct fitted_study set;
        const int status = fitted_study_read(*dir, rule, doubted, &set, err);
        if (status == 0)
            training_add(training, &set.points, NULL, &set.facts);
        points_clear(&set.points);
        if (status < 0)
            return -1;
    }
    return 0;
}

void holdout_trial_clear(struct holdout_trial_result *result)
{
    selection_clear(&result->table);
    heldout_clear(&result->heldout);
    heldout_clear(&result->learning);
    importances_clear(&result->importances);
}
