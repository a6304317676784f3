/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/adapt/confirm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learn/model_choice.h"
#include "harness/base/array.h"
#include "harness/base/memory.h"
#include "harness/study/rounds.h"

static const char *const role_words[] = { "default", "candidate", NULL };

/* clang-format off */
static const struct schema_column columns[] = {
    POINT_COLUMNS(confirm_row, point),
    COLUMN(confirm_row, WORD, "role", role, "", "what the point is in its cell", .words = role_words),
    COLUMN(confirm_row, INT, "overrides", overrides, "", "1: `safe` takes the candidate before it is measured, 0: the default", .most = 1),
    COLUMN(confirm_row, REAL, "gain_pct", gain_pct, "%", "by how much longer the default is expected to take"),
    COLUMN(confirm_row, REAL, "chance", chance, "", "that `safe` is wrong"),
    COLUMN(confirm_row, REAL, "worth_pct", worth_pct, "%", "what it is expected to lose by that"),
    COLUMN(confirm_row, REAL, "cost_core_s", cost_core_s, "s", "core-seconds of measuring both points of the cell, as expected"),
};
/* clang-format on */

SCHEMA(confirm_schema, confirm_row, columns, "confirm.csv",
       "Of `collsel measure plan --confirm`: the points that `collsel measure --confirm` measures "
       "before `safe` decides (`analysis/adapt/confirm.h`). The numbers are of the cell.",
       .check = point_check_row, .backend = 1);

/* ---- what is expected ---- */

/* Below this a decision is as good as known. */
static const double least_worth = 0.001;

/* Where nobody tells how far off the learners were: a tenth. */
static const double unknown_error = 0.1;

struct normal {
    double mean, sd;
};

/* E[max(x, 0)]. */
static double expected_above(struct normal x)
{
    const double z = x.mean / x.sd;
    return x.sd * exp(-z * z / 2) / sqrt(2 * M_PI) + x.mean * erfc(-z / sqrt(2)) / 2;
}

static double chance_above(struct normal x)
{
    return erfc(-x.mean / x.sd / sqrt(2)) / 2;
}

static struct normal negative(struct normal x)
{
    return (struct normal){ -x.mean, x.sd };
}

/* All that is asked while one looks at cells. */
struct work {
    const struct confirm_question *q;
    const struct model_file *file;
    struct facts machine;               /* model_choice_machine */
    const struct measured *const *have; /* timed points of the study, by id */
    size_t n_have;
    struct point *point; /* of the plan, by cell */
    size_t n;
};

/* Doublings from what was seen to the cell, of processes and of bytes. */
static double beyond(const struct subject *s, const struct cell *cell)
{
    double least_p = INFINITY, most_p = 1, least_b = INFINITY, most_b = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct cell *c = &s->example[i].cell;
        least_p = fmin(least_p, c->procs);
        most_p = fmax(most_p, c->procs);
        least_b = fmin(least_b, (double)c->bytes);
        most_b = fmax(most_b, (double)c->bytes);
    }
    const double p = cell->procs, b = (double)cell->bytes;
    return fabs(log2(p / fmin(fmax(p, least_p), most_p))) +
           fabs(log2(fmax(b, 0.5) / fmax(fmin(fmax(b, least_b), most_b), 0.5)));
}

/* What the default is expected to take longer than what runs, as a logarithm. 0, or -1: nobody
 * knows. */
static int expect(const struct model_file *f, size_t at, const float *x,
                  const struct candidate *by_default, const struct candidate *runs, double far,
                  struct normal *out)
{
    double sum = 0, squares = 0, error = 0;
    size_t n = 0, errors = 0;
    for (size_t i = 0; i < f->n_members; i++) {
        const struct learnt *m = &f->member[i];
        const struct skill *s = &m->skill[at];
        const double gain = m->learner->classifies ? NAN
                                                   : skill_score(m, s, by_default, x, NULL) -
                                                         skill_score(m, s, runs, x, NULL);
        if (isnan(gain))
            continue;
        sum += gain;
        squares += gain * gain;
        n++;
        const struct learner_interval *own = f->pretrained ? &s->elsewhere : &s->between;
        if (isfinite(own->high - own->low)) {
            const double sd = (own->high - own->low) / 3.92; /* 95 % of a normal one */
            error += sd * sd;
            errors++;
        }
    }
    if (!n)
        return -1;
    out->mean = sum / (double)n;
    const double spread = fmax(squares / (double)n - out->mean * out->mean, 0),
                 unseen = errors ? error / (double)errors : unknown_error * unknown_error;
    out->sd = sqrt(spread + unseen) * (1 + far);
    return 0;
}

/* ---- one cell ---- */

/* The points of a cell, and what `safe` does there. */
struct decided_cell {
    const struct point *by_default, *candidate;
    struct candidate default_runs;
    struct normal gain; /* of the candidate */
    int overrides;
    double worth;
};

static int is_measured(const struct work *w, const struct point *p)
{
    size_t low = 0, high = w->n_have;
    while (low < high) {
        const size_t i = low + (high - low) / 2;
        const int order = strcmp(w->have[i]->point.id, p->id);
        if (order == 0)
            return 1;
        if (order < 0)
            low = i + 1;
        else
            high = i;
    }
    return 0;
}

/* The point that is the library's default, and what that runs. NULL: none. */
static const struct point *find_default(const struct work *w, const struct subject *s,
                                        const struct point *point, size_t n, struct candidate *runs)
{
    const size_t kind = subject_default(s, &point->cell, &w->machine);
    for (size_t i = 0; i < n && kind < s->n_kinds; i++) {
        *runs = problem_runs(&w->machine, &point->cell, &point[i].candidate);
        if (candidate_equal(runs, &s->kind[kind]))
            return &point[i];
    }
    return NULL;
}

/* A candidate beside the default: kept where it is the one that is given, or, if none is, where not
 * to take it is expected to lose most. */
static void weigh(const struct work *w, const struct subject *s, const struct point *p,
                  const struct model_choice *given, struct decided_cell *c)
{
    const size_t at = (size_t)(s - w->file->evidence.subject);
    const struct candidate runs = problem_runs(&w->machine, &p->cell, &p->candidate);
    struct normal gain;
    if (candidate_equal(&runs, &c->default_runs) ||
        expect(w->file, at, given->x, &c->default_runs, &runs, beyond(s, &p->cell), &gain) < 0)
        return;
    const int takes = given->take && candidate_equal(&runs, given->take);
    const double worth = expected_above(takes ? negative(gain) : gain);
    if (!takes && (c->overrides || !(worth > c->worth)))
        return;
    c->candidate = p;
    c->gain = gain;
    c->overrides = takes;
    c->worth = worth;
}

/* 1 where the default and something else were measured: `safe` takes the faster. */
static int is_decided(const struct work *w, const struct decided_cell *c, const struct point *point,
                      size_t n)
{
    size_t others = 0;
    for (size_t i = 0; i < n; i++)
        others += &point[i] != c->by_default && is_measured(w, &point[i]);
    return others > 0 && is_measured(w, c->by_default);
}

/* 1 when the cell's points can be weighed and are not measured yet. */
static int choose_cell(struct work *w, const struct point *point, size_t n, struct decided_cell *c,
                       struct confirmations *out)
{
    const struct subject *s = problem_subject(&w->file->evidence, &point->cell);
    const struct model_choice_question q = { .cell = &point->cell, .machine = &w->machine };
    struct model_choice given;
    *c = (struct decided_cell){ .worth = 0 };
    c->by_default = s ? find_default(w, s, point, n, &c->default_runs) : NULL;
    if (c->by_default && is_decided(w, c, point, n))
        return 0;
    if (c->by_default)
        model_choice_ask(w->file, (size_t)(s - w->file->evidence.subject), &q, &given);
    for (size_t i = 0; i < n && c->by_default; i++)
        weigh(w, s, &point[i], &given, c);
    out->undecidable += !c->candidate;
    return c->candidate != NULL;
}

/* ---- its price ---- */

/* Seconds of a call, as in the nearest measured cell that has the kind. */
static double call_s(const struct subject *s, const struct cell *cell, const struct candidate *runs)
{
    const size_t kind = subject_kind(s, runs);
    double least = INFINITY, seconds = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct cell *c = &s->example[i].cell;
        const double took = example_log(&s->example[i], kind),
                     far =
                         hypot(log2((double)c->procs / cell->procs),
                               log2(fmax((double)c->bytes, 0.5) / fmax((double)cell->bytes, 0.5)));
        if (!isnan(took) && far < least) {
            least = far;
            seconds = exp(took);
        }
    }
    return seconds;
}

static double price_of(const struct work *w, const struct point *p)
{
    const struct study *study = w->q->study;
    const struct rounds_rule rule = rounds_rule_of(study, 0);
    const struct subject *s = problem_subject(&w->file->evidence, &p->cell);
    const struct candidate runs = problem_runs(&w->machine, &p->cell, &p->candidate);
    const double call = fmax(call_s(s, &p->cell, &runs), 1e-6);
    const double launches = rule.repeats;
    const double calls = w->q->machine->deterministic ? 1 : study->warmup + study->min_reps;
    return p->cell.procs * fmin(launches * calls * call, fmax(study->budget, launches * call));
}

/* ---- all cells ---- */

static void add_row(struct confirmations *out, const struct decided_cell *c, const struct point *p,
                    double price)
{
    struct confirm_row *r = array_add(&out->row, &out->n);
    *r = (struct confirm_row){ .point = *p,
                               .role = p == c->by_default ? CONFIRM_DEFAULT : CONFIRM_CANDIDATE,
                               .overrides = c->overrides,
                               .gain_pct = 100 * expm1(c->gain.mean),
                               .chance = chance_above(c->overrides ? negative(c->gain) : c->gain),
                               .worth_pct = 100 * c->worth,
                               .cost_core_s = price };
}

static int by_cell(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    const int order = cell_compare(&x->cell, &y->cell);
    return order ? order : candidate_compare(&x->candidate, &y->candidate);
}

/* The points of the study's cells, each once. */
static void list_points(struct work *w)
{
    const struct plan *plan = w->q->plan;
    size_t n = 0;
    w->point = memory_zeros(plan->n + 1, sizeof *w->point);
    for (size_t i = 0; i < plan->n; i++) {
        const struct point *p = &plan->points[i];
        if (p->experiment == EXP_TIME && cell_is_plain(&p->cell) &&
            (p->purpose == FOR_STUDY || p->purpose == FOR_DEFAULT))
            w->point[n++] = *p;
    }
    if (n)
        qsort(w->point, n, sizeof *w->point, by_cell);
    for (size_t i = 0; i < n; i++)
        if (!w->n || by_cell(&w->point[w->n - 1], &w->point[i]) != 0)
            w->point[w->n++] = w->point[i];
}

/* Two rows of each cell that is not measured. */
static void weigh_all(struct work *w, struct confirmations *out)
{
    for (size_t first = 0, end; first < w->n; first = end) {
        struct decided_cell c;
        for (end = first + 1;
             end < w->n && cell_compare(&w->point[first].cell, &w->point[end].cell) == 0; end++) {
        }
        if (!choose_cell(w, w->point + first, end - first, &c, out))
            continue;
        const double price = price_of(w, c.by_default) + price_of(w, c.candidate);
        add_row(out, &c, c.by_default, price);
        add_row(out, &c, c.candidate, price);
        out->asked++;
        out->before_pct += 100 * c.worth;
    }
}

/* What is worth most for its price first; the two of a cell together. */
static int by_worth(const void *a, const void *b)
{
    const struct confirm_row *x = a, *y = b;
    const double more = y->worth_pct / y->cost_core_s - x->worth_pct / x->cost_core_s;
    const int order = cell_compare(&x->point.cell, &y->point.cell);
    return more > 0 ? 1 : more < 0 ? -1 : order ? order : (int)x->role - (int)y->role;
}

/* Keeps what is bought. */
static void buy(const struct confirm_question *q, struct confirmations *out)
{
    size_t kept = 0;
    if (out->n)
        qsort(out->row, out->n, sizeof *out->row, by_worth);
    out->after_pct = out->before_pct;
    for (size_t i = 0; i + 1 < out->n && kept < 2 * q->most; i += 2) {
        const struct confirm_row *r = &out->row[i];
        if (r->worth_pct < 100 * least_worth || out->core_s + r->cost_core_s > q->most_core_s)
            continue;
        out->core_s += r->cost_core_s;
        out->after_pct -= r->worth_pct;
        out->row[kept] = r[0];
        out->row[kept + 1] = r[1];
        kept += 2;
    }
    out->n = kept;
    out->before_pct /= out->asked ? (double)out->asked : 1;
    out->after_pct = fmax(out->after_pct, 0) / (out->asked ? (double)out->asked : 1);
}

/* ---- evidence ---- */

/* Adds what was measured of this machine. */
static void add_measured(const struct confirm_question *q, const struct points *from,
                         struct points *all)
{
    for (size_t i = 0; i < from->n; i++)
        if (measured_usable(&from->row[i]) && strcmp(from->cluster, q->machine->cluster) == 0)
            *array_add(&all->row, &all->n) = from->row[i];
}

/* What needs no confirmation: it was measured here. */
static void find_measured(struct work *w, struct points *all, const struct measured ***have)
{
    const struct training_cells *t = w->q->training;
    *all = (struct points){ .n = 0 };
    for (size_t i = 0; i < t->n; i++)
        add_measured(w->q, &t->set[i].points, all);
    *have = memory_zeros(all->n + 1, sizeof **have);
    for (size_t i = 0; i < all->n; i++)
        (*have)[w->n_have++] = &all->row[i];
    if (w->n_have)
        qsort(*have, w->n_have, sizeof **have, measured_by_id);
    w->have = *have;
}

int confirm_choose(const struct confirm_question *question, struct confirmations *out,
                   struct err *err)
{
    struct model_file file;
    struct points own;
    const struct measured **have;
    struct work w = { .q = question, .file = &file };
    *out = (struct confirmations){ .n = 0 };
    if ((question->model
             ? model_file_read(question->model, &file, err)
             : model_file_train(question->training, "safe", "unknown", 0, &file, err)) < 0)
        return -1;
    w.machine = model_choice_machine(&file, question->machine);
    find_measured(&w, &own, &have);
    list_points(&w);
    weigh_all(&w, out);
    buy(question, out);
    memory_free(w.point, have);
    points_clear(&own);
    model_file_clear(&file);
    return 0;
}

/* ---- the file ---- */

int confirm_read(const char *dir, struct confirmations *out, struct err *err)
{
    char path[PATH_SIZE];
    *out = (struct confirmations){ .n = 0 };
    if (fs_path(path, sizeof path, err, "%s/confirm.csv", dir) < 0)
        return -1;
    if (!fs_exists(path))
        return 0;
    out->row = schema_read_any(&confirm_schema, dir, &out->n, err);
    return out->row ? 0 : -1;
}

int confirm_has(const struct confirmations *c, const char *id)
{
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->row[i].point.id, id) == 0)
            return 1;
    return 0;
}

void confirm_clear(struct confirmations *c)
{
    free(c->row);
    *c = (struct confirmations){ .n = 0 };
}
