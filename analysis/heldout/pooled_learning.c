/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/heldout/pooled_learning.h"

#include "analysis/measure/result_file.h"
#include "analysis/heldout/holdout_trial.h"

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(joined_row, NAME, "selector", selector, "", "selector: a learner, `safe`, `default`, `best_single`, `random` (the mean over all candidates)"),
    COLUMN(joined_row, NAME, "cluster", cluster, "", "whose cells are judged, or `all`"),
    COLUMN(joined_row, NAME, "collective", collective, "", "the MPI collective, or `all`"),
    COLUMN(joined_row, COUNT, "cells", cells, "", "that were judged"),
    COLUMN(joined_row, REAL, "accuracy_pct", accuracy_pct, "%", "share of them in which the fastest is chosen"),
    COLUMN(joined_row, REAL, "tied_pct", near_pct, "%", "share in which what is chosen loses 2.5 % at most, whatever the interval of that loss"),
    COLUMN(joined_row, REAL, "geomean_pct", geomean_pct, "%", "of the geometric mean of chosen over best: 100 (that - 1)"),
    COLUMN(joined_row, REAL, "mean_pct", mean_pct, "%", "the arithmetic mean of the losses"),
    COLUMN(joined_row, REAL, "p95_pct", p95_pct, "%", "95th percentile"),
    COLUMN(joined_row, REAL, "worst_pct", worst_pct, "%", "the largest"),
    COLUMN(joined_row, TEXT, "holdout", holdout, "", "what was held out, as `collsel select --holdout` takes it"),
};
/* clang-format on */

SCHEMA(joined_schema, joined_row, columns, "joined.csv",
       "In `holdout/NAME/`, of `collsel select --joined`: one row per chooser, cluster and "
       "collective, over cells that were kept from all that learns "
       "(`analysis/heldout/pooled_learning.h`).",
       .backend = 1);

/* What somebody's choice in a cell loses. */
struct lost {
    const char *selector, *cluster; /* of learners and sets */
    char collective[NAME_SIZE];
    double log_ratio; /* chosen over best */
};

struct work {
    const struct joined_trial *trial;
    struct training_cells all; /* as the sets have them */
    struct cluster *costs;     /* of each set; names none: not known */
    struct lost *lost;
    size_t n;
    size_t trained, held;
    struct overheads overheads;
    struct importances importances;
};

static void note(struct work *w, const char *selector, const struct training_set *set,
                 const struct example *example, double log_ratio)
{
    struct lost *l = array_add(&w->lost, &w->n);
    *l = (struct lost){ .selector = selector,
                        .cluster = set->points.cluster,
                        .log_ratio = log_ratio };
    memcpy(l->collective, example->cell.collective, sizeof l->collective);
}

/* The kind that loses least in the mean where it was tried, in half of the cells at least, as a
 * kind of another problem; n_kinds: none. */
static size_t best_single(const struct subject *learnt, const struct subject *asked)
{
    double least = INFINITY;
    size_t best = asked->n_kinds;
    for (size_t k = 0; k < learnt->n_kinds; k++) {
        double sum = 0;
        size_t n = 0;
        for (size_t i = 0; i < learnt->n; i++) {
            const double own = example_log(&learnt->example[i], k);
            n += !isnan(own);
            sum += isnan(own) ? 0 : own - example_least(&learnt->example[i]);
        }
        if (2 * n < learnt->n || sum / (double)n >= least)
            continue;
        least = sum / (double)n;
        best = subject_kind(asked, &learnt->kind[k]);
    }
    return best;
}

/* Default, best single candidate and mean in the cells of a set. */
static void judge_plain(struct work *w, const struct training_set *set, const struct subject *s,
                        const struct subject *learnt)
{
    const size_t single = learnt ? best_single(learnt, s) : s->n_kinds;
    for (size_t i = 0; i < s->n; i++) {
        const struct example *l = &s->example[i];
        const double best = example_least(l), own = example_log(l, l->by_default),
                     one = example_log(l, single);
        double sum = 0;
        for (size_t k = 0; k < l->n; k++)
            sum += expm1(l->offer[k].log_s - best);
        if (!isnan(own))
            note(w, "default", set, l, own - best);
        if (!isnan(one) || !isnan(own))
            note(w, "best_single", set, l, (isnan(one) ? own : one) - best);
        note(w, "random", set, l, log1p(sum / (double)l->n));
    }
}

/* The logarithm of the time of what a learner chooses; NaN: it knows none of the candidates. */
static double chosen_log(const struct learnt *learnt, const struct skill *skill,
                         const struct subject *s, const struct example *l)
{
    double least = INFINITY, chosen = NAN;
    for (size_t i = 0; i < l->n; i++) {
        const double score =
            skill_score(learnt, skill, &s->kind[l->offer[i].kind], l->x, l->offer[i].said);
        if (score < least) {
            least = score;
            chosen = l->offer[i].log_s;
        }
    }
    return chosen;
}

static void judge_learnt(struct work *w, const struct training_set *set, const struct subject *s,
                         const struct learnt *learnt)
{
    const struct skill *skill = learnt_skill(learnt, &s->context);
    double *chosen = memory_zeros(s->n + 1, sizeof *chosen);
    const double began = learn_clock();
    for (size_t i = 0; skill && i < s->n; i++)
        chosen[i] = chosen_log(learnt, skill, s, &s->example[i]);
    if (skill && s->n)
        overhead_add_asked(&w->overheads, set->points.cluster, learnt->learner->name,
                           s->context.collective, s->n, learn_clock() - began);
    for (size_t i = 0; skill && i < s->n; i++)
        if (!isnan(chosen[i]))
            note(w, learnt->learner->name, set, &s->example[i],
                 chosen[i] - example_least(&s->example[i]));
    free(chosen);
}

/* The logarithm of the time of what is given to whoever asks a file; NaN: it was not measured
 * there. learnt NULL: nothing was learnt of this, and the default stays. */
static double model_choice_log(const struct model_file *f, const struct facts *machine,
                               const struct subject *s, const struct subject *learnt,
                               const struct example *l)
{
    const struct model_choice_question q = { .cell = &l->cell, .machine = machine };
    struct model_choice given = { .take = NULL };
    if (learnt)
        model_choice_ask(f, (size_t)(learnt - f->evidence.subject), &q, &given);
    return example_log(l, given.take ? subject_kind(s, given.take) : l->by_default);
}

static void judge_safe(struct work *w, const struct training_set *set, const struct subject *s,
                       const struct subject *learnt, const struct model_file *taught)
{
    const struct facts machine = model_choice_machine(taught, &set->facts);
    const double began = learn_clock();
    struct model_file file = *taught; /* with its first model */
    file.first = model_choice_first(w->trial->first, &machine);
    for (size_t i = 0; i < s->n; i++) {
        const struct example *l = &s->example[i];
        const double chosen = model_choice_log(&file, &machine, s, learnt, l);
        if (!isnan(chosen) && !isnan(example_log(l, l->by_default)))
            note(w, "safe", set, l, chosen - example_least(l));
    }
    if (s->n)
        overhead_add_asked(&w->overheads, set->points.cluster, "safe", s->context.collective, s->n,
                           learn_clock() - began);
}

/* The cells of each set that were held out, each set a problem of its own. */
struct judged {
    const struct training_set *set;
    struct problem problem;
};

static size_t count_examples(const struct problem *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += p->subject[i].n;
    return n;
}

/* Divides all sets in what is learnt from and what is judged by. */
static void divide(struct work *w, const struct holdout *holdout, struct training_cells *training,
                   struct judged *judged)
{
    const struct holdout none = { .kind = HOLDOUT_PLANNED };
    for (size_t i = 0; i < w->all.n; i++) {
        const struct training_set *set = &w->all.set[i];
        struct training_cells rest = { .n = 0 };
        unsigned char *mark = memory_zeros(set->points.n + 1, 1);
        holdout_mark(holdout, &set->points, mark);
        training_add(training, &set->points, mark, &set->facts);
        for (size_t k = 0; k < set->points.n; k++)
            mark[k] = !mark[k];
        training_add(&rest, &set->points, mark, &set->facts);
        problem_make(&rest, NULL, &none, &judged[i].problem);
        judged[i].set = set;
        w->held += count_examples(&judged[i].problem);
        training_clear(&rest);
        free(mark);
    }
}

/* Who learns: as the trial has them, all with their first setting if that is asked. */
struct school {
    struct learner *by;
    const struct learner **who; /* NULL-terminated */
};

static void school_make(const struct work *w, struct school *school)
{
    size_t most = 0, n = 0;
    while (w->trial->learners[most])
        most++;
    *school = (struct school){ .by = memory_zeros(most + 1, sizeof *school->by),
                               .who = memory_zeros(most + 1, sizeof *school->who) };
    for (size_t i = 0; i < most; i++)
        if (!w->trial->learners[i]->hybrid) {
            school->by[n] = *w->trial->learners[i];
            school->by[n].fixed |= w->trial->fixed;
            school->who[n] = &school->by[n];
            n++;
        }
}

/* No file has learners whose settings were not chosen, or none that predicts times. */
static int makes_file(const struct work *w, const struct model_file *file)
{
    return !w->trial->fixed &&
           any_below(m, file->n_members, learner_has_voice(file->member[m].learner));
}

static void try_all(struct work *w, const struct model_file *file, const struct judged *judged)
{
    for (size_t i = 0; i < w->all.n; i++)
        for (size_t k = 0; k < judged[i].problem.n; k++) {
            const struct subject *s = &judged[i].problem.subject[k];
            const struct subject *learnt = problem_subject(&file->evidence, &s->context);
            judge_plain(w, judged[i].set, s, learnt);
            for (size_t m = 0; m < file->n_members; m++)
                judge_learnt(w, judged[i].set, s, &file->member[m]);
            if (makes_file(w, file))
                judge_safe(w, judged[i].set, s, learnt, file);
        }
}

/* 1 when what is left to learn from is of several clusters. */
static int several_clusters(const struct work *w, const struct holdout *holdout)
{
    const char *first = NULL;
    for (size_t i = 0; i < w->all.n; i++) {
        const char *cluster = w->all.set[i].points.cluster;
        if (strcmp(cluster, holdout->cluster) == 0)
            continue;
        if (first && strcmp(cluster, first) != 0)
            return 1;
        first = cluster;
    }
    return 0;
}

/* What learning took; of a single turn the importance of features, too. */
static void note_learnt(struct work *w, const struct holdout *holdout, const struct learnt *learnt)
{
    const int one = holdout->kind == HOLDOUT_CLUSTER;
    overhead_add_learnt(&w->overheads, one ? holdout->cluster : "all", learnt);
    if (strcmp(w->trial->holdout.cluster, "each") != 0)
        importances_add(&w->importances, learnt);
}

static int turn(struct work *w, const struct holdout *holdout, struct err *err)
{
    struct training_cells training = { .n = 0 };
    struct judged *judged = memory_zeros(w->all.n + 1, sizeof *judged);
    struct model_file file = { .n_members = 0 };
    struct school school;
    const size_t held = w->held;
    const int pretrained = holdout->kind == HOLDOUT_CLUSTER && several_clusters(w, holdout);
    divide(w, holdout, &training, judged);
    school_make(w, &school);
    int status = 0;
    if (w->held == held)
        status = err_set(err, "'%s' holds out none of the cells", holdout->text);
    else
        status = model_file_teach(&training, school.who, pretrained, &file, err);
    if (status == 0 && !file.evidence.n)
        status =
            err_set(err, "'%s' holds out all cells: nothing is left to learn from", holdout->text);
    w->trained += count_examples(&file.evidence);
    if (status == 0)
        try_all(w, &file, judged);
    for (size_t i = 0; i < file.n_members && status == 0; i++)
        note_learnt(w, holdout, &file.member[i]);
    for (size_t i = 0; i < w->all.n; i++)
        problem_clear(&judged[i].problem);
    model_file_clear(&file);
    memory_free(school.by, school.who);
    training_clear(&training);
    free(judged);
    return status;
}

static int each_cluster(struct work *w, struct err *err)
{
    int status = 0;
    for (size_t i = 0; i < w->all.n && status == 0; i++) {
        struct holdout one = w->trial->holdout;
        memcpy(one.cluster, w->all.set[i].points.cluster, sizeof one.cluster);
        if (!any_below(k, i,
                       strcmp(w->all.set[k].points.cluster, w->all.set[i].points.cluster) == 0))
            status = turn(w, &one, err);
    }
    return status;
}

static int counts_in(const struct joined_row *r, const struct lost *l)
{
    return strcmp(r->selector, l->selector) == 0 &&
           (strcmp(r->cluster, "all") == 0 || strcmp(r->cluster, l->cluster) == 0) &&
           (strcmp(r->collective, "all") == 0 || strcmp(r->collective, l->collective) == 0);
}

static void sum_up(const struct work *w, struct joined_row *r)
{
    double *pct = memory_zeros(w->n + 1, sizeof *pct);
    double logs = 0, sum = 0, best = 0, near = 0;
    r->worst_pct = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct lost *l = &w->lost[i];
        if (!counts_in(r, l))
            continue;
        const double loss = mean_longer_pct(l->log_ratio, 1);
        pct[r->cells++] = loss;
        logs += l->log_ratio;
        sum += loss;
        best += l->log_ratio <= 0;
        near += loss <= 2.5;
        r->worst_pct = fmax(r->worst_pct, loss);
    }
    const double n = (double)r->cells;
    r->accuracy_pct = 100 * best / n;
    r->near_pct = 100 * near / n;
    r->geomean_pct = mean_longer_pct(logs, r->cells);
    r->mean_pct = sum / n;
    stats_sort(pct, r->cells);
    r->p95_pct = stats_quantile(pct, r->cells, 0.95);
    free(pct);
}

static void want_row(struct joined *out, const char *selector, const char *cluster,
                     const char *collective)
{
    for (size_t i = 0; i < out->n; i++)
        if (strcmp(out->row[i].selector, selector) == 0 &&
            strcmp(out->row[i].cluster, cluster) == 0 &&
            strcmp(out->row[i].collective, collective) == 0)
            return;
    struct joined_row *r = array_add(&out->row, &out->n);
    *r = (struct joined_row){ .cells = 0 };
    snprintf(r->selector, sizeof r->selector, "%s", selector);
    snprintf(r->cluster, sizeof r->cluster, "%s", cluster);
    snprintf(r->collective, sizeof r->collective, "%s", collective);
}

static int by_names(const void *a, const void *b)
{
    const struct joined_row *x = a, *y = b;
    return by_keys(strcmp(x->collective, y->collective), strcmp(x->selector, y->selector),
                   strcmp(x->cluster, y->cluster));
}

static void make_rows(const struct work *w, struct joined *out)
{
    for (size_t i = 0; i < w->n; i++) {
        const struct lost *l = &w->lost[i];
        want_row(out, l->selector, l->cluster, l->collective);
        want_row(out, l->selector, "all", l->collective);
        want_row(out, l->selector, l->cluster, "all");
        want_row(out, l->selector, "all", "all");
    }
    if (out->n)
        qsort(out->row, out->n, sizeof *out->row, by_names);
    for (size_t i = 0; i < out->n; i++) {
        sum_up(w, &out->row[i]);
        memcpy(out->row[i].holdout, w->trial->holdout.text, sizeof out->row[i].holdout);
    }
}

static int add_measured(struct overheads *out, enum overhead_way way, const char *const *dirs,
                        const struct training_cells *sets, struct err *err)
{
    int status = 0;
    for (size_t i = 0; i < sets->n && status == 0; i++)
        status = overhead_add_set(out, way, dirs[i], &sets->set[i], err);
    return status;
}

static int add_parts(struct overheads *out, const char *const *dirs, int doubted, struct err *err)
{
    struct training_cells parts = { .n = 0 };
    int status = holdout_trial_training(dirs, NULL, doubted, &parts, err);
    if (status == 0)
        status = add_measured(out, OVERHEAD_PART, dirs, &parts, err);
    training_clear(&parts);
    return status;
}

/* What the machines' messages cost, where their cluster files are there. */
static int find_costs(struct work *w, struct err *err)
{
    const struct model_first *first = w->trial->first;
    int found = 0;
    w->costs = memory_zeros(w->all.n + 1, sizeof *w->costs);
    for (size_t i = 0; first && i < w->all.n && found >= 0; i++) {
        struct facts *facts = &w->all.set[i].facts;
        const int own = strcmp(facts->cluster, w->all.set[0].facts.cluster) == 0;
        found = own ? 0 : cluster_find(w->trial->clusters, facts->cluster, &w->costs[i], err);
        facts->costs = own ? first->costs : found > 0 ? &w->costs[i] : NULL;
    }
    return found < 0 ? -1 : 0;
}

int joined_run(const struct joined_trial *trial, struct joined *out, struct err *err)
{
    struct work w = { .trial = trial };
    *out = (struct joined){ .n = 0 };
    const int each = strcmp(trial->holdout.cluster, "each") == 0;
    int status = holdout_trial_training(trial->dirs, trial->rule, trial->doubted, &w.all, err);
    if (status == 0)
        status = find_costs(&w, err);
    if (status == 0)
        status = add_measured(&w.overheads, OVERHEAD_MEASURE, trial->dirs, &w.all, err);
    if (status == 0 && trial->parts)
        status = add_parts(&w.overheads, trial->parts, trial->doubted, err);
    if (status == 0)
        status = each ? each_cluster(&w, err) : turn(&w, &trial->holdout, err);
    if (status == 0) {
        make_rows(&w, out);
        memcpy(out->backend, w.all.set[0].facts.backend, sizeof out->backend);
        out->trained = w.trained;
        out->held = w.held;
        out->overheads = w.overheads;
        out->importances = w.importances;
    } else {
        overhead_clear(&w.overheads);
        importances_clear(&w.importances);
    }
    for (size_t i = 0; w.costs && i < w.all.n; i++)
        cluster_free(&w.costs[i]);
    training_clear(&w.all);
    memory_free(w.lost, w.costs);
    return status;
}

/* Beside importance.csv of a trial of one set, which stands in DIR itself. */
static int write_importances(const char *dir, const struct joined *joined, struct err *err)
{
    char path[PATH_SIZE];
    if (!joined->importances.n)
        return 0;
    return fs_path(path, sizeof path, err, "%s/joined", dir) < 0 || fs_mkdirs(path, err) < 0
               ? -1
               : result_write(path, &importance_schema, joined->backend, joined->importances.row,
                              joined->importances.n, err);
}

int joined_write(const char *dir, struct joined *joined, struct err *err)
{
    const char *holdout = joined->n ? joined->row[0].holdout : "";
    if (result_write(dir, &joined_schema, joined->backend, joined->row, joined->n, err) < 0 ||
        overhead_write(dir, joined->backend, holdout, &joined->overheads, err) < 0)
        return -1;
    return write_importances(dir, joined, err);
}

const struct joined_row *joined_worst_cluster(const struct joined_row *row, size_t n,
                                              const struct joined_row *of)
{
    const struct joined_row *worst = of;
    for (size_t i = 0; i < n; i++) {
        const struct joined_row *r = &row[i];
        if (strcmp(r->selector, of->selector) == 0 && strcmp(r->collective, of->collective) == 0 &&
            strcmp(r->cluster, "all") != 0 && (worst == of || r->mean_pct > worst->mean_pct))
            worst = r;
    }
    return worst;
}

void joined_clear(struct joined *joined)
{
    free(joined->row);
    overhead_clear(&joined->overheads);
    importances_clear(&joined->importances);
    *joined = (struct joined){ .n = 0 };
}
