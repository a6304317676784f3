/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/select.h"

#include "harness/base/rng.h"

enum { REPLICATES = 1000, LEAST_RUNS = 3 };

const char *const select_status_words[N_SELECT_STATUS + 1] = {
    [SELECT_OK] = "ok",
    [SELECT_NO_CHOICE] = "no_choice",
    [SELECT_NOT_MEASURED] = "not_measured",
    [SELECT_NO_BEST] = "no_best",
    [SELECT_ALONE] = "alone",
};

/* ---- cells ---- */

/* A timed point with its predictions. */
struct entry {
    const struct measured *measured;
    const struct prediction *prediction[MAX_MODELS];
    size_t order; /* in the plan */
};

static int is_default(const struct measured *m)
{
    return algorithm_is_default(m->point.candidate.algorithm);
}

/* Study and held-out candidates, but not what the default would pick besides. */
static int is_candidate(const struct measured *m)
{
    return m->point.purpose != FOR_DEFAULT && m->point.purpose != FOR_OTHER_DEFAULT &&
           m->point.purpose != FOR_FIT && !is_default(m);
}

static int by_cell(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return by_keys(cell_compare(&x->measured->point.cell, &y->measured->point.cell),
                   ascending(x->order, y->order));
}

/* All timed points, cell after cell, with what was predicted of them. */
static struct entry *make_entries(const struct points *points, const struct predictions *p,
                                  size_t *n)
{
    struct entry *entry = memory_zeros(points->n + 1, sizeof *entry);
    for (size_t i = 0; i < points->n; i++)
        entry[i] = (struct entry){ .measured = &points->row[i], .order = i };
    for (size_t i = 0; i < p->n; i++) {
        const size_t at = (size_t)(p->row[i].of - points->row);
        if (at < points->n)
            entry[at].prediction[model_index(p->row[i].model)] = &p->row[i].prediction;
    }
    *n = 0;
    for (size_t i = 0; i < points->n; i++)
        if (points->row[i].point.experiment == EXP_TIME)
            entry[(*n)++] = entry[i];
    qsort(entry, *n, sizeof *entry, by_cell);
    return entry;
}

/* ---- uncertainty ---- */

/* What is known of a point beyond its time. Where we measured it: the times of its launches by
 * repeat, NaN where there is none. Where others did: replicates of its time. */
struct repetition {
    struct repetition *next;
    const struct measured *of;
    union {
        double at[MOST_REPEATS + 1];
        double replicate[REPLICATES];
    };
};

/* Those of the points of one cell, made when first wanted. */
struct repetitions {
    const struct judge *by;
    const struct facts *facts; /* its */
    struct rng rng;
    struct repetition *first;
    struct err *err; /* why one could not be made */
};

static void repetitions_clear(struct repetitions *r)
{
    while (r->first) {
        struct repetition *next = r->first->next;
        free(r->first);
        r->first = next;
    }
}

/* What the time might have been in as many new runs, by the spread of those that there are:
 * time * exp(c t s / (mean sqrt(n))), with t of Student's distribution of n - 1 degrees of freedom;
 * as an exponential it stays positive. c = sqrt(pi / 2) = 1.25: the time is a median of runs, which
 * scatters up to so many times as much as the mean of normal values. */
static void draw_runs(struct rng *rng, const struct summary *t, double *times)
{
    const double spread = sqrt(M_PI / 2) * t->stddev / t->mean / sqrt((double)t->launches);
    for (size_t k = 0; k < REPLICATES; k++) {
        const double normal = rng_normal(rng);
        double squares = 0;
        for (size_t i = 1; i < t->launches; i++)
            squares += pow(rng_normal(rng), 2);
        times[k] = t->value * exp(spread * normal / sqrt(squares / (double)(t->launches - 1)));
    }
}

/* The repetition of a point; NULL with the error that is remembered. */
static const struct repetition *repetition_of(struct repetitions *r, const struct measured *m)
{
    for (const struct repetition *have = r->first; have; have = have->next)
        if (have->of == m)
            return have;
    struct repetition *new = memory_zeros(1, sizeof *new);
    new->of = m;
    new->next = r->first;
    r->first = new;
    if (r->facts->imported)
        draw_runs(&r->rng, &m->time, new->replicate);
    else if (r->by->took)
        memcpy(new->at, r->by->took[m - r->by->timed], sizeof new->at);
    else if (series_times(r->by->store, &m->point, r->facts->statistic, new->at, r->err) < 0)
        return NULL;
    return new;
}

/* Adds a sentence behind what the reason says already. */
static void say(struct selection *s, const char *text)
{
    const size_t len = strlen(s->reason);
    snprintf(s->reason + len, sizeof s->reason - len, "%s%s", len ? "; " : "", text);
}

/* 1: times of launches, of our own or of a replay. A deterministic study has none. */
static int has_launches(const struct judge *by)
{
    return by->store || by->took;
}

/* ---- of launches: what is compared are the two points' times in the same launches ---- */

/* Adds to sum[] what a point takes in each repeat, NaN where it was not measured. */
static int add_times(struct repetitions *r, const struct measured *m, double *sum)
{
    const struct repetition *of = repetition_of(r, m);
    for (int k = 1; of && k <= MOST_REPEATS; k++)
        sum[k] += of->at[k];
    return of ? 0 : -1;
}

/* The time chosen in each repeat: of its point, or the mean over the pool. */
static int chosen_times(struct repetitions *r, const struct cell_view *view,
                        const struct selected *choice, double *at)
{
    size_t n = 0;
    memset(at, 0, (MOST_REPEATS + 1) * sizeof *at);
    if (!choice->expectation)
        return add_times(r, choice->measured, at);
    for (size_t i = 0; i < view->n; i++) {
        if (!measured_usable(view->pool[i].measured))
            continue;
        if (add_times(r, view->pool[i].measured, at) < 0)
            return -1;
        n++;
    }
    for (int k = 1; n && k <= MOST_REPEATS; k++)
        at[k] /= (double)n;
    return 0;
}

/* Interval and tie over the launches that measured both, by the rule for the time of a point
 * (launch_stats.h). With one there is neither. */
static int weigh_launches(struct repetitions *r, const struct cell_view *view,
                          const struct selected *choice, const struct measured *best,
                          struct selection *s)
{
    double chosen[MOST_REPEATS + 1];
    const struct repetition *least = repetition_of(r, best);
    struct loss_interval loss = { .pct = s->degradation_pct,
                                  .ci_low_pct = NAN,
                                  .ci_high_pct = NAN };
    if (!least || chosen_times(r, view, choice, chosen) < 0)
        return -1;
    const size_t n = loss_over_launches(chosen, least->at, r->facts, &loss);
    s->tied = loss.tied;
    if (n < 2) {
        say(s, n ? "not known whether it matters: one launch measured both"
                 : "not known whether it matters: no launch measured both");
        return 0;
    }
    s->ci_low_pct = loss.ci_low_pct;
    s->ci_high_pct = loss.ci_high_pct;
    return 0;
}

/* ---- of runs that others measured ---- */

/* 1 when others repeated a point often enough for replicates. */
static int was_repeated(const struct measured *m)
{
    return m->time.launches >= LEAST_RUNS && m->time.stddev >= 0;
}

/* Says why there is no interval. */
static void say_no_interval(const struct selected *choice, const struct measured *best,
                            struct selection *s)
{
    char text[REASON_SIZE];
    snprintf(text, sizeof text,
             "no interval: the chosen has %zu run%s, the best %zu (three of each are needed)",
             choice->measured ? choice->measured->time.launches : 0,
             choice->measured && choice->measured->time.launches == 1 ? "" : "s",
             best->time.launches);
    say(s, choice->measured ? text : "no interval: a mean over algorithms");
}

/* Interval and tie by the runs' medians and spreads. */
static int weigh_runs(struct repetitions *r, const struct selected *choice,
                      const struct measured *best, struct selection *s)
{
    double pct[REPLICATES];
    if (choice->expectation || !was_repeated(choice->measured) || !was_repeated(best)) {
        say_no_interval(choice, best, s);
        return 0;
    }
    const struct repetition *chosen = repetition_of(r, choice->measured),
                            *least = chosen ? repetition_of(r, best) : NULL;
    if (!least)
        return -1;
    for (size_t k = 0; k < REPLICATES; k++)
        pct[k] = longer_pct(chosen->replicate[k], least->replicate[k]);
    /* The percentile interval of replicated degradations. */
    stats_sort(pct, REPLICATES);
    s->ci_low_pct = stats_quantile(pct, REPLICATES, 0.5 - r->facts->confidence / 2);
    s->ci_high_pct = stats_quantile(pct, REPLICATES, 0.5 + r->facts->confidence / 2);
    s->tied = s->ci_low_pct <= 0;
    return 0;
}

/* At most so many percent, however the division that made them was rounded. */
static int is_within(double pct, double most)
{
    return pct <= most + 1e-9 * fmax(1, most);
}

/* 1 when it is known that the very same ran at both. */
static int ran_the_same(const struct measured *a, const struct measured *b)
{
    return *a->ran_algorithm && !algorithm_is_default(a->ran_algorithm) &&
           strcmp(a->ran_algorithm, b->ran_algorithm) == 0 &&
           a->ran_segment_bytes == b->ran_segment_bytes && a->ran_fanout == b->ran_fanout;
}

/* What two series of the same code differ by is noise, whatever the launches say. */
static void tie_same(const struct measured *chosen, const struct measured *best,
                     struct selection *s)
{
    if (!chosen || s->tied == 1 || !ran_the_same(chosen, best))
        return;
    s->tied = 1;
    s->ci_low_pct = isnan(s->ci_low_pct) ? NAN : fmin(s->ci_low_pct, 0);
    say(s, "the same ran at both, so the difference is noise");
}

/* Interval and tie of an ok selection. */
static int weigh(struct repetitions *r, const struct cell_view *view, const struct selected *choice,
                 const struct measured *best, struct selection *s)
{
    s->tied = is_within(s->degradation_pct, r->facts->tie_pct);
    if (choice->measured == best) {
        s->tied = 1;
        if (r->facts->imported ? was_repeated(best)
                               : has_launches(r->by) && best->time.launches > 1)
            s->ci_low_pct = s->ci_high_pct = 0;
        else if (r->facts->imported)
            say_no_interval(choice, best, s);
        return 0;
    }
    const int status = r->facts->imported    ? weigh_runs(r, choice, best, s)
                       : has_launches(r->by) ? weigh_launches(r, view, choice, best, s)
                                             : 0;
    tie_same(choice->measured, best, s);
    return status;
}

int judge_loss(const struct judge *judge, const struct measured *chosen,
               const struct measured *best, struct loss_interval *loss, struct err *err)
{
    struct repetitions r = { .by = judge, .facts = judge->facts, .err = err };
    const struct selected choice = { .measured = chosen };
    struct selection s = { .degradation_pct = longer_pct(chosen->time.value, best->time.value),
                           .ci_low_pct = NAN,
                           .ci_high_pct = NAN,
                           .tied = STAT_NA };
    rng_init(&r.rng, judge->facts->seed ^ fs_digest(chosen->point.id, ID_SIZE - 1));
    const int status = weigh(&r, NULL, &choice, best, &s);
    *loss = (struct loss_interval){ s.degradation_pct, s.ci_low_pct, s.ci_high_pct, s.tied };
    repetitions_clear(&r);
    return status;
}

/* ---- by whose times it is judged ---- */

/* A cell as those times tell it. */
struct judged {
    const struct judge *by;
    struct cell_view view;
    const struct measured *best; /* NULL: none, for no_best */
    char no_best[REASON_SIZE];
};

/* The same point there; NULL where it was not measured there. */
static const struct measured *judged_point(const struct judged *judged, const struct measured *m)
{
    const struct judge *by = judged->by;
    if (!by->point || !m)
        return m;
    const struct measured *const *found =
        bsearch(&m, by->point, by->n, sizeof *by->point, measured_by_id);
    return found ? *found : NULL;
}

int judge_open(struct judge *judge, const char *dir, const struct facts *facts,
               const struct points *points, struct err *err)
{
    *judge = (struct judge){ .facts = facts };
    if (!facts->deterministic && !facts->imported) {
        if (store_open(dir, *facts->digest ? facts->digest : NULL, &judge->own, err) < 0)
            return -1;
        judge->store = &judge->own;
    }
    if (!points)
        return 0;
    judge->point = memory_zeros(points->n + 1, sizeof *judge->point);
    for (size_t i = 0; i < points->n; i++)
        if (points->row[i].point.experiment == EXP_TIME)
            judge->point[judge->n++] = &points->row[i];
    qsort(judge->point, judge->n, sizeof *judge->point, measured_by_id);
    return 0;
}

void judge_clear(struct judge *judge)
{
    free(judge->point);
    store_free(&judge->own);
    *judge = (struct judge){ .n = 0 };
}

/* ---- selecting ---- */

static double mean_of_pool(const struct cell_view *view)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        if (!measured_usable(m))
            continue;
        sum += m->time.value;
        n++;
    }
    return sum / (double)n;
}

static void compare(struct selection *s, const struct selected *choice, const struct measured *best)
{
    if (!best) {
        s->status = SELECT_NO_BEST;
        if (!*s->reason)
            snprintf(s->reason, sizeof s->reason, "nothing to compare with was measured");
        return;
    }
    if (isnan(s->chosen_s))
        s->status = SELECT_NOT_MEASURED;
    else
        s->degradation_pct = longer_pct(s->chosen_s, s->best_s);
    if (s->status == SELECT_NOT_MEASURED && !choice->measured)
        say(s, "it has no time there");
    else if (s->status == SELECT_NOT_MEASURED && measured_doubted(choice->measured))
        snprintf(s->reason, sizeof s->reason, "doubted: %s", doubt_title(choice->measured->doubt));
    else if (s->status == SELECT_NOT_MEASURED)
        snprintf(s->reason, sizeof s->reason, "%s%s%.100s",
                 point_status_words[choice->measured->status],
                 *choice->measured->reason ? ": " : "", choice->measured->reason);
}

/* The choice of a selector that sees `view`, at the times of `judged`: the same cell there, or the
 * same view. */
static int select_one(const struct selector *selector, const struct cell_view *view,
                      const struct judged *judged, struct repetitions *r, struct selection *s)
{
    const struct measured *best = judged->best;
    const char *no_best = judged->no_best;
    struct selected choice = { .predicted_s = NAN };
    *s = (struct selection){ .selector = selector,
                             .purpose = view->purpose,
                             .cell = view->cell,
                             .chosen_s = NAN,
                             .best_s = NAN,
                             .degradation_pct = NAN,
                             .ci_low_pct = NAN,
                             .ci_high_pct = NAN,
                             .counted_pct = NAN,
                             .tied = STAT_NA };
    snprintf(s->name, sizeof s->name, "%s", selector->name);
    if (*no_best) {
        s->status = SELECT_NO_BEST;
        snprintf(s->reason, sizeof s->reason, "%s", no_best);
        return 0;
    }
    int chose = selector->choose(selector, view, &choice);
    choice.measured = judged_point(judged, choice.measured);
    memcpy(s->reason, choice.reason, sizeof s->reason);
    s->chosen = choice.candidate;
    s->given = choice.given;
    s->predicted_s = choice.predicted_s;
    s->by_poor_fit = choice.by_poor_fit;
    if (best) {
        s->best = best->point.candidate;
        s->best_s = best->time.value;
        s->substituted = best->status == POINT_SUBSTITUTED;
    }
    if (!chose) {
        s->status = SELECT_NO_CHOICE;
        return 0;
    }
    if (choice.expectation)
        s->chosen_s = mean_of_pool(&judged->view);
    else if (choice.measured && measured_usable(choice.measured))
        s->chosen_s = choice.measured->time.value;
    s->substituted |= choice.measured && choice.measured->status == POINT_SUBSTITUTED;
    if (choice.compared == 1) {
        /* The only candidate that it knows anything of is no choice: what it loses is not counted.
         */
        s->status = SELECT_ALONE;
        say(s, "one candidate, nothing to choose from");
        return 0;
    }
    compare(s, &choice, best);
    if (s->status != SELECT_OK)
        return 0;
    const int status = weigh(r, &judged->view, &choice, best, s);
    s->counted_pct = loss_counted(s->degradation_pct, s->tied, r->facts);
    return status;
}

/* Candidates with a time: of what others measured there may be but one. */
static int measured_here(const struct cell_view *view)
{
    int n = 0;
    for (size_t i = 0; i < view->n; i++)
        n += measured_usable(view->pool[i].measured);
    return n;
}

/* Those whose time does not count, since it is doubted. */
static size_t doubted_here(const struct cell_view *view)
{
    size_t n = 0;
    for (size_t i = 0; i < view->n; i++)
        n += (size_t)measured_doubted(view->pool[i].measured);
    return n;
}

/* Times of the slowest rank are not compared with means over ranks: 0, with the reason, where the
 * candidates tell both. */
static int one_statistic(const struct cell_view *view, char *reason, size_t size)
{
    const struct measured *first = NULL;
    for (size_t i = 0; i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        if (!measured_usable(m))
            continue;
        if (first && strcmp(first->statistic, m->statistic) != 0) {
            snprintf(reason, size, "not comparable: times of %.40s are %s, of %.40s %s",
                     first->point.candidate.algorithm, first->statistic,
                     m->point.candidate.algorithm, m->statistic);
            return 0;
        }
        first = first ? first : m;
    }
    return 1;
}

/* The fastest of the cell, or NULL, with the reason where that is not just that there is none. */
static const struct measured *find_best(const struct cell_view *view, char *reason, size_t size)
{
    struct selected choice = { .predicted_s = NAN };
    const int any = measured_here(view) > view->facts->imported; /* a choice takes two */
    const size_t doubted = any ? 0 : doubted_here(view);
    *reason = '\0';
    if (doubted)
        snprintf(reason, size, "of %zu candidate%s the time is doubted (--doubted takes it)",
                 doubted, plural(doubted));
    return any && one_statistic(view, reason, size) &&
                   selector_best.choose(&selector_best, view, &choice)
               ? choice.measured
               : NULL;
}

/* ---- cells ---- */

static void add_to_pool(struct cell_view *view, struct contender *pool, const struct entry *e)
{
    pool[view->n].measured = e->measured;
    memcpy(pool[view->n++].prediction, e->prediction, sizeof pool->prediction);
}

/* 1 for the point that stands for the library's default: what was measured unforced; in a
 * simulation, where no library runs, its published decision, where that is none of the study's
 * candidates. */
static int stands_for_default(const struct measured *m, const struct facts *facts)
{
    return facts->simulated ? m->point.purpose == FOR_DEFAULT && !is_default(m) : is_default(m);
}

/* The cell of a group of entries. pool has room for them; a cell without a candidate of the study
 * is left with n 0. */
static void view_fill(struct cell_view *view, const struct entry *group, size_t n,
                      struct contender *pool)
{
    const struct entry *by_default = NULL;
    view->cell = group[0].measured->point.cell;
    view->pool = pool;
    view->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (stands_for_default(group[i].measured, view->facts))
            by_default = &group[i];
        if (!is_candidate(group[i].measured))
            continue;
        view->purpose = group[i].measured->point.purpose;
        add_to_pool(view, pool, &group[i]);
    }
    view->by_default = by_default ? by_default->measured : NULL;
    if (view->n && by_default)
        add_to_pool(view, pool, by_default);
}

/* Counts what each candidate of a cell of the study loses there. */
static void count_singles(const struct cell_view *view, struct singles *singles)
{
    char no_best[REASON_SIZE];
    const struct measured *best = NULL;
    if (view->n && view->purpose == FOR_STUDY)
        best = find_best(view, no_best, sizeof no_best);
    if (!best)
        return;
    struct single_context *context = singles_cell(singles, &view->cell);
    for (size_t i = 0; i < view->n; i++) {
        const struct measured *m = view->pool[i].measured;
        if (measured_usable(m))
            single_add(context, &m->point.candidate, longer_pct(m->time.value, best->time.value));
    }
}

/* What selecting works with. */
struct work {
    struct entry *entry; /* cell after cell */
    size_t n;
    struct contender *pool;   /* room for any cell's */
    struct contender *judged; /* the same at the times by which it is judged */
    const struct judge *judge;
    const struct selector **wanted; /* NULL-terminated */
    struct singles singles;
    struct cell_view view;
};

/* The pool of a view, at the times by which it is judged; pool has room for it. */
static void judged_fill(struct judged *judged, const struct cell_view *view, struct contender *pool)
{
    judged->view = *view;
    judged->view.facts = judged->by->facts;
    judged->view.pool = pool;
    judged->view.n = 0;
    for (size_t i = 0; i < view->n; i++) {
        const struct measured *m = judged_point(judged, view->pool[i].measured);
        if (!m)
            continue;
        pool[judged->view.n] = view->pool[i];
        pool[judged->view.n++].measured = m;
    }
    judged->best = find_best(&judged->view, judged->no_best, sizeof judged->no_best);
}

/* All selectors in one cell; id: of its first point, which seeds what is drawn. */
static int select_cell(struct work *w, const char *id, struct selection_table *table,
                       struct err *err)
{
    const struct judge *by = w->judge;
    struct judged judged = { .by = by, .view = w->view };
    struct repetitions r = { .by = by, .facts = by->facts, .err = err };
    rng_init(&r.rng, w->view.facts->seed ^ fs_digest(id, ID_SIZE - 1));
    judged_fill(&judged, &w->view, w->judged);
    int failed = 0;
    for (const struct selector **s = w->wanted; *s && !failed; s++)
        failed = select_one(*s, &w->view, &judged, &r, &table->row[table->n++]) < 0;
    repetitions_clear(&r);
    return failed ? -1 : 0;
}

static int by_selector(const void *a, const void *b)
{
    const struct selection *x = a, *y = b;
    return by_keys(ascending(x->selector, y->selector), ascending(x->purpose, y->purpose),
                   cell_compare(&x->cell, &y->cell));
}

/* 1 when a selector has anything to choose by: any, or a model that has predicted. */
static int has_rows(const struct selector *s, const struct predictions *predictions)
{
    for (size_t i = 0; s->model && i < predictions->n; i++)
        if (predictions->row[i].model == s->model)
            return 1;
    return !s->model;
}

/* The selectors that have anything to choose by, NULL-terminated. */
static void find_selectors(const struct selection_table *table,
                           const struct predictions *predictions, const struct selector **out)
{
    for (size_t i = 0; i < table->n_selectors; i++)
        if (has_rows(&table->selector[i], predictions))
            *out++ = &table->selector[i];
    *out = NULL;
}

/* A table with its selectors and room for every one's choice in n cells. */
static void table_init(struct selection_table *table, const struct selecting *of, size_t n)
{
    *table = (struct selection_table){ .n = 0 };
    table->selector = selectors_all(of->more, of->n_more, &table->n_selectors);
    table->row = memory_zeros(n * table->n_selectors + 1, sizeof *table->row);
}

static void work_init(struct work *w, const struct selecting *of, struct selection_table *table)
{
    *w = (struct work){ .view = { .facts = of->facts }, .judge = of->judge };
    w->entry = make_entries(of->points, of->predictions, &w->n);
    w->pool = memory_zeros(w->n + 1, sizeof *w->pool);
    w->judged = memory_zeros(w->n + 1, sizeof *w->judged);
    table_init(table, of, w->n);
    w->wanted = memory_zeros(table->n_selectors + 1, sizeof *w->wanted);
    find_selectors(table, of->predictions, w->wanted);
}

static void work_clear(struct work *w)
{
    memory_free(w->entry, w->pool, w->judged, w->wanted);
    singles_clear(&w->singles);
}

/* Fills the view of the cell that begins at an entry; returns where the next one begins. */
static size_t take_cell(struct work *w, size_t first)
{
    size_t end = first + 1;
    while (end < w->n && cell_compare(&w->entry[first].measured->point.cell,
                                      &w->entry[end].measured->point.cell) == 0)
        end++;
    view_fill(&w->view, w->entry + first, end - first, w->pool);
    return end;
}

/* What is best everywhere: of all cells of the study there. */
static void count_all_singles(struct work *w, struct singles *singles)
{
    for (size_t first = 0; first < w->n;) {
        first = take_cell(w, first);
        count_singles(&w->view, singles);
    }
}

/* The same of what was trained on, which nothing else is taken from. */
static void count_trained_singles(const struct training_cells *training, struct singles *singles)
{
    const struct predictions none = { .n = 0 };
    for (size_t i = 0; i < training->n; i++) {
        const struct training_set *set = &training->set[i];
        struct work w = { .view = { .facts = &set->facts } };
        w.entry = make_entries(&set->points, &none, &w.n);
        w.pool = memory_zeros(w.n + 1, sizeof *w.pool);
        count_all_singles(&w, singles);
        work_clear(&w);
    }
    singles->source = SINGLE_TRAINED;
}

/* Two rounds: what is best everywhere is known when all cells were looked at. */
static int select_all(struct work *w, const struct training_cells *training,
                      struct selection_table *table, struct err *err)
{
    w->singles.source = w->judge->point ? SINGLE_ELSEWHERE : SINGLE_IN_SAMPLE;
    if (training)
        count_trained_singles(training, &w->singles);
    else
        count_all_singles(w, &w->singles);
    w->view.singles = &w->singles;
    for (size_t first = 0, end; first < w->n; first = end) {
        end = take_cell(w, first);
        if (w->view.n && select_cell(w, w->entry[first].measured->point.id, table, err) < 0)
            return -1;
    }
    return 0;
}

int selection_judged(const struct selecting *of, struct selection_table *table, struct err *err)
{
    struct work w;
    stats_gsl();
    work_init(&w, of, table);
    const int status = select_all(&w, of->training, table, err);
    work_clear(&w);
    if (status < 0) {
        selection_clear(table);
        return -1;
    }
    qsort(table->row, table->n, sizeof *table->row, by_selector);
    return 0;
}

const struct selection *selection_of(const struct selection_table *t, const char *selector,
                                     const struct cell *cell)
{
    return find_below(t->row, i, t->n,
                      cell_equal(&t->row[i].cell, cell) && strcmp(t->row[i].name, selector) == 0);
}

const struct selection *selection_decides(const struct selection_table *t, const struct cell *cell)
{
    const struct selection *best = selection_of(t, "best", cell),
                           *own = selection_of(t, "default", cell);
    if (!best || best->status != SELECT_OK)
        return NULL;
    return own && own->status == SELECT_OK && own->tied == 1 ? own : best;
}

/* ---- selection.csv ---- */

static int has_chosen(const void *row)
{
    return *((const struct selection *)row)->chosen.algorithm != '\0';
}

static int has_best(const void *row)
{
    return *((const struct selection *)row)->best.algorithm != '\0';
}

/* clang-format off */
static const struct schema_column columns[] = {
    COLUMN(selection, NAME, "selector", name, "", "selector; a model chooses among the candidates with a predicted time"),
    COLUMN(selection, WORD, "purpose", purpose, "", "of the cell's points", .words = purpose_words),
    CELL_COLUMNS(selection, cell),
    COLUMN(selection, NAME, "algorithm", chosen.algorithm, "", "what it chooses; empty: nothing, or (`random`) the expectation of a uniform draw"),
    COLUMN(selection, COUNT, "segment_bytes", chosen.segment_bytes, "bytes", "with which segment", .given = has_chosen),
    COLUMN(selection, INT, "fanout", chosen.fanout, "", "with which fan-out", .given = has_chosen),
    COLUMN(selection, REAL, "chosen_s", chosen_s, "s", "its measured time; of an expectation the pool's mean"),
    COLUMN(selection, REAL, "predicted_s", predicted_s, "s", "what the model says of it"),
    COLUMN(selection, NAME, "best_algorithm", best.algorithm, "", "the fastest of the cell's candidates that are `ok` or `substituted`; empty: there is none"),
    COLUMN(selection, COUNT, "best_segment_bytes", best.segment_bytes, "bytes", "with which segment", .given = has_best),
    COLUMN(selection, INT, "best_fanout", best.fanout, "", "with which fan-out", .given = has_best),
    COLUMN(selection, REAL, "best_s", best_s, "s", "its measured time"),
    COLUMN(selection, REAL, "degradation_pct", degradation_pct, "%", "100 (chosen_s - best_s) / best_s"),
    COLUMN(selection, REAL, "ci_low_pct", ci_low_pct, "%", "interval of the loss over the launches that measured both, as that of a point's time (points.csv `interval`); empty in a simulation and where there are fewer than two; where others measured, of Student's t of the runs' spread about their median, and empty (with `reason`) unless both points have three runs"),
    COLUMN(selection, REAL, "ci_high_pct", ci_high_pct, "%", "its other end"),
    COLUMN(selection, INT, "tied", tied, "", "the interval reaches 0 or below, or the same ran at both; in a simulation, within the study's `tie_pct`; empty where there is no degradation, and where one launch cannot tell (with `reason`)", COLUMN_VERDICT),
    COLUMN(selection, INT, "substituted", substituted, "", "at the chosen or at the best point something else ran than its name says", .most = 1),
    COLUMN(selection, WORD, "status", status, "", "`not_measured`: what was chosen has no time; `no_best`: nothing to compare with; `alone`: it knows of one candidate only, and took that", .words = select_status_words),
    COLUMN(selection, REAL, "counted_pct", counted_pct, "%", "what it counts as in all means and counts: the loss; where launches of our own do not tell it from none, no loss (0, or less where it is less); empty where one launch alone says it", .optional = 1),
    COLUMN(selection, NAME, "given", given.algorithm, "", "what a user is given, where that has no time here: `algorithm` is judged in its place; empty: `algorithm` is given", .optional = 1),
    COLUMN(selection, TEXT, "reason", reason, "", "why, or what the choice rests on (the default's evidence)"),
};
/* clang-format on */

SCHEMA(selection_schema, selection, columns, "selection.csv",
       "One row per selector and cell (`analysis/judge/select.h`).", .backend = 1);

CLEARS(selection_clear, selection_table, it->selector, it->row)
