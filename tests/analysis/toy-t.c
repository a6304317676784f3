/* SPDX-License-Identifier: BSD-3-Clause */
/* A model is one row, and so is a selector: those that are defined here alone, in tables of our own
 * in the place of analysis/models/model_list.c and analysis/judge/selectors/selectors.c, are
 * predicted, written, read, judged, chosen by and labelled. */
#include "analysis/judge/degrade.h"
#include "analysis/judge/errors.h"
#include "analysis/judge/select.h"
#include "analysis/models/model.h"
#include "analysis/models/parameters.h"

#include "tests/analysis/selection.h"
#include "tests/analysis/dir.h"
#include "tests/analysis/planted.h"
#include "tests/tap.h"

/* The more letters the name of an algorithm has, the longer it takes. */
static enum predict_status predict(const struct question *q, double *seconds)
{
    *seconds = 1e-6 * (double)strlen(q->candidate->algorithm);
    return PREDICT_OK;
}

static double core_s(const struct points *points, const struct spending *of)
{
    (void)of;
    return (double)points->n;
}

static const struct model toy = {
    .name = "toy",
    .help = "letters",
    .label = "toy model",
    .prose = "the length of a name",
    .colour = "#123456",
    .dash = 1,
    .marker = 1,
    .predict = predict,
    .core_s = core_s,
};

const struct model *const models[] = { &toy, NULL };
const struct parameter_set *const parameter_sets[] = { NULL };

/* Takes the last of the pool. */
static int choose_last(const struct selector *self, const struct cell_view *view,
                       struct selected *choice)
{
    (void)self;
    return choose_measured(view->pool[view->n - 1].measured, choice);
}

static const struct selector last = {
    .name = "last", .label = "toy selector", .help = "the last one", .choose = choose_last
};

const struct selector *const selectors[] = { &selector_best, &last, NULL };

static struct points planted(void)
{
    static const char *const names[] = { "portable:binomial", "portable:chain",
                                         "portable:pipeline" };
    struct points points = { .n = 0 };
    struct planted p = { .samples = 1 };
    for (int i = 0; i < 3; i++) {
        struct point point = planted_point(EXP_TIME, names[i], 16, 65536, 8192, 0, 0);
        planted_add(&points, &p, &point, 1e-5 * (i + 1));
    }
    return points;
}

static const struct selection *row_of(const struct selection_table *t, const char *selector)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->row[i].selector->name, selector) == 0)
            return &t->row[i];
    return NULL;
}

static void chosen(const struct points *points, const struct predictions *said,
                   const struct facts *facts)
{
    struct selection_table t;
    struct degradations losses;
    selection_make(points, said, facts, NULL, &t, NULL);
    degradations_make(&t, points, &losses);
    is_int(3, (long long)t.n, "a row of the best, one of the model, one of our own selector");
    is_int(3, (long long)losses.n, "and a loss of each");
    const struct selection *row = row_of(&t, "last");
    if (ok(row != NULL, "our own is there")) {
        is_str("portable:pipeline", row->chosen.algorithm, "chooses as its function says");
        is_near(200, row->degradation_pct, 1e-9, "and loses what was planted");
    }
    row = row_of(&t, "toy");
    if (ok(row != NULL, "a selector was made of the model")) {
        is_str("portable:chain", row->chosen.algorithm, "which takes its least prediction");
        is_near(100, row->degradation_pct, 1e-9, "and loses what was planted");
        is_str("toy model", row->selector->label, "with its label");
        is_near(3, row->selector->core_s(points, &(struct spending){ "", "", "" }), 0,
                "and its cost");
    }
    degradations_clear(&losses);
    selection_clear(&t);
}

static void judged(const struct points *points, const struct predictions *said,
                   const struct parameters *p)
{
    struct point_groups groups;
    struct error_table t;
    size_t rows = 0;
    point_groups_make(points, &groups);
    errors_make(points, &groups, said, p, &t, NULL);
    for (size_t i = 0; i < t.n; i++)
        rows += t.row[i].model == &toy;
    ok(rows > 0 && rows == t.n, "its errors are judged: %zu rows", rows);
    errors_clear(&t);
    point_groups_clear(&groups);
}

int main(void)
{
    char dir[256];
    const struct facts facts = {
        .deterministic = 1, .simulated = 1, .tie_pct = 2.5, .confidence = 0.95
    };
    const struct parameters p = { .facts = &facts };
    struct points points = planted();
    struct predictions said, read;
    struct err err = { .text = "" };
    if (!dir_make(dir, sizeof dir))
        return tap_skip_all("no temporary directory");
    predictions_make(&points, &p, &said);
    is_int(3, (long long)said.n, "each point");
    is_int(0, predictions_write(dir, "unknown", &said, &err), "written: %s", err.text);
    is_int(0, predictions_read(dir, &points, &read, &err), "and read: %s", err.text);
    is_near(14e-6, read.n == 3 ? read.row[1].prediction.seconds : NAN, 1e-9, "with its numbers");
    ok(read.n == 3 && read.row[1].model == &toy, "as what it is");
    chosen(&points, &said, &facts);
    judged(&points, &said, &p);
    predictions_clear(&said);
    predictions_clear(&read);
    points_clear(&points);
    dir_remove(dir);
    return tap_done();
}
