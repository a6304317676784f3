/* SPDX-License-Identifier: BSD-3-Clause */
/* How many launches a point gets: planted times of launches, and what is decided of each round. */
#include "harness/study/rounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/study/journal.h"
#include "tests/analysis/dir.h"
#include "tests/stored.h"
#include "tests/tap.h"

enum { LEAST = 6, MOST = 9, MOST_POINTS = 4 };

/* A plan of one launch with its rounds, and a directory with what was measured. */
struct world {
    struct plan plan;
    struct point points[MOST * MOST_POINTS];
    struct launch launches[MOST];
    char dir[256];
};

static struct point make_point(enum experiment experiment, const char *algorithm, uint64_t bytes)
{
    struct point p = { .experiment = experiment, .purpose = FOR_STUDY };
    snprintf(p.cell.collective, NAME_SIZE, "bcast");
    snprintf(p.cell.mpi, NAME_SIZE, "openmpi");
    snprintf(p.cell.mapping, NAME_SIZE, "core");
    p.cell.nodes = 1;
    p.cell.ppn = p.cell.procs = 4;
    p.cell.bytes = bytes;
    snprintf(p.candidate.algorithm, NAME_SIZE, "%s", algorithm);
    point_identify(&p);
    return p;
}

static void world_make(struct world *w, const struct point *points, size_t n)
{
    *w = (struct world){ .plan = { .points = w->points, .launches = w->launches } };
    if (!dir_make(w->dir, sizeof w->dir))
        diag("no directory");
    for (int r = 0; r < MOST; r++) {
        struct launch *l = &w->launches[r];
        *l = (struct launch){ .repeat = r + 1, .first = w->plan.n, .n = n };
        for (size_t i = 0; i < n; i++)
            w->points[w->plan.n++] = points[i];
        w->plan.n_launches++;
    }
}

static void world_clear(const struct world *w)
{
    dir_remove(w->dir);
}

/* Point i took so long in a round. */
static void took(const struct world *w, size_t i, int round, double seconds)
{
    stored_add(w->dir, round, w->points[i].id, &seconds, 1);
}

/* The first rounds: seconds, alternately this share faster and slower. */
static void first_rounds(const struct world *w, size_t i, double seconds, double share)
{
    for (int r = 1; r <= LEAST; r++)
        took(w, i, r, seconds * (1 + (r % 2 ? share : -share)));
}

static const struct rounds_rule rule = { .repeats = LEAST,
                                         .most = MOST,
                                         .precision = 0.025,
                                         .confidence = 0.95,
                                         .tie_pct = 2.5,
                                         .statistic = STATISTIC_MEDIAN,
                                         .retries = 1 };

/* What the rule makes of what was measured. */
static void decide(const struct world *w, const struct rounds_rule *by, struct rounds *r)
{
    struct store store;
    struct err err = { 0 };
    *r = (struct rounds){ .n = 0 };
    if (store_open(w->dir, NULL, &store, &err) < 0) {
        diag("%s", err.text);
        return;
    }
    if (rounds_make(&w->plan, w->dir, &store, by, r, &err) < 0)
        diag("%s", err.text);
    store_free(&store);
}

static enum round_need need(const struct world *w, size_t i, int round)
{
    struct rounds r;
    decide(w, &rule, &r);
    const enum round_need n = rounds_need(&r, w->points[i].id, round);
    rounds_free(&r);
    return n;
}

static void rules(void)
{
    struct study *s = calloc(1, sizeof *s);
    struct rounds_rule r = rounds_rule_of(s, 3);
    ok(r.repeats == 6 && r.most == 12, "auto: six launches, at most twelve");
    is_int(3, r.retries, "retries are those of who asks");
    s->repeats = 3;
    r = rounds_rule_of(s, 0);
    ok(r.repeats == 3 && r.most == 3, "a number alone is the number");
    s->repeats_max = 5;
    r = rounds_rule_of(s, 0);
    ok(r.repeats == 3 && r.most == 5, "unless the most is given");
    s->repeats = 0;
    r = rounds_rule_of(s, 0);
    ok(r.repeats == 6 && r.most == 6, "a most below the automatic least is raised");
    free(s);
}

static void precision(void)
{
    struct point p[] = { make_point(EXP_GATHER, "openmpi:chain", 1),
                         make_point(EXP_GATHER, "openmpi:chain", 2) };
    struct world w;
    world_make(&w, p, 2);
    is_int(ROUND_WANTED, need(&w, 0, LEAST), "the first rounds measure everything");
    is_int(ROUND_LATER, need(&w, 0, LEAST + 1), "what comes after them is not decided before");
    first_rounds(&w, 0, 1e-3, 0.001);
    first_rounds(&w, 1, 1e-3, 0.1);
    is_int(ROUND_ENOUGH, need(&w, 0, LEAST + 1), "launches alike are enough");
    is_int(ROUND_ENOUGH, need(&w, 0, MOST), "for good");
    is_int(ROUND_WANTED, need(&w, 1, LEAST + 1), "launches 10 %% apart are not");
    is_int(ROUND_LATER, need(&w, 1, LEAST + 2), "one at a time");
    for (int r = LEAST + 1; r <= MOST; r++) {
        took(&w, 1, r, 1e-3);
        is_int(ROUND_WANTED, need(&w, 1, r), "what was decided of round %d stays", r);
    }
    is_int(ROUND_ENOUGH, need(&w, 1, MOST + 1), "there are no more than the most");
    size_t later;
    struct rounds r;
    decide(&w, &rule, &r);
    is_int(1, (long long)rounds_wanted(&r, &w.plan, &w.launches[LEAST], &later),
           "one of two points is wanted in the seventh launch");
    is_int(0, (long long)later, "and nothing is open");
    rounds_free(&r);
    world_clear(&w);
}

/* Nothing but the rounds before it decides a round: what it measures does not take itself back. */
static void settled(void)
{
    struct point p[] = { make_point(EXP_GATHER, "openmpi:chain", 1) };
    struct world w;
    world_make(&w, p, 1);
    for (int r = 1; r <= LEAST; r++)
        took(&w, 0, r, r == 1 ? 2e-3 : r == 2 ? 1.02e-3 : 1e-3);
    is_int(ROUND_WANTED, need(&w, 0, 7), "one launch of six took twice as long: a seventh");
    for (int r = 7; r <= 9; r++)
        took(&w, 0, r, 1e-3);
    is_int(ROUND_WANTED, need(&w, 0, 7), "it was called for when it was decided");
    is_int(ROUND_WANTED, need(&w, 0, 8), "so was the eighth: of eight the largest still counts");
    world_clear(&w);
}

static void contenders(void)
{
    struct point p[] = { make_point(EXP_TIME, "openmpi:chain", 8),
                         make_point(EXP_TIME, "openmpi:linear", 8),
                         make_point(EXP_TIME, "openmpi:binomial", 8),
                         make_point(EXP_TIME, "openmpi:linear", 16) };
    struct world w;
    world_make(&w, p, 4);
    first_rounds(&w, 0, 1e-3, 0.05);
    first_rounds(&w, 1, 3e-3, 0.2);
    is_int(ROUND_LATER, need(&w, 0, LEAST + 1), "a cell is decided when all of it was measured");
    first_rounds(&w, 2, 1.12e-3, 0.05);
    is_int(ROUND_WANTED, need(&w, 0, LEAST + 1), "the best is uncertain");
    is_int(ROUND_WANTED, need(&w, 2, LEAST + 1), "so is one that may still be the best");
    is_int(ROUND_ENOUGH, need(&w, 1, LEAST + 1), "one that cannot needs no more precision");
    is_int(ROUND_LATER, need(&w, 3, LEAST + 1), "another cell has its own say");
    first_rounds(&w, 3, 3e-3, 0.2);
    is_int(ROUND_WANTED, need(&w, 3, LEAST + 1), "where it is the best of");
    world_clear(&w);
}

static void given_up(void)
{
    struct point p[] = { make_point(EXP_GATHER, "openmpi:chain", 1) };
    struct world w;
    world_make(&w, p, 1);
    for (int r = 2; r <= LEAST; r++)
        took(&w, 0, r, r % 2 ? 1e-3 : 1.2e-3);
    is_int(ROUND_LATER, need(&w, 0, LEAST + 1), "a launch that is missing is waited for");
    struct journal journal;
    struct event e = { .launch = "null-core-1x4-p4-r1", .attempt = 1, .event = "failed" };
    memcpy(e.point, p[0].id, sizeof e.point);
    if (journal_open(&journal, w.dir, NULL) == 0 && journal_write(&journal, &e, NULL) == 0)
        journal_write(&journal, &e, NULL);
    journal_close(&journal);
    is_int(ROUND_WANTED, need(&w, 0, LEAST + 1), "but not one that was given up");
    world_clear(&w);
    world_make(&w, p, 1);
    struct rounds_rule last = rule;
    struct rounds r;
    last.retries = -1;
    decide(&w, &last, &r);
    is_int(ROUND_ENOUGH, rounds_need(&r, p[0].id, LEAST + 1),
           "a point without any time has no further launches");
    rounds_free(&r);
    world_clear(&w);
}

static void budgets(void)
{
    struct point p[] = { make_point(EXP_GATHER, "openmpi:chain", 1),
                         make_point(EXP_GATHER, "openmpi:chain", 2),
                         make_point(EXP_GATHER, "openmpi:chain", 4) };
    struct world w;
    world_make(&w, p, 3);
    is_near(0.5, rounds_budget(&rule, 3, &w.plan, &w.launches[0], 3), 1e-12,
            "six launches share the budget");
    is_near(0.75, rounds_budget(&rule, 3, &w.plan, &w.launches[LEAST], 2), 1e-12,
            "in a further one two points have what three had");
    is_near(1.5, rounds_budget(&rule, 3, &w.plan, &w.launches[LEAST], 1), 1e-12, "one all of it");
    w.launches[LEAST].n = 30;
    is_near(2, rounds_budget(&rule, 3, &w.plan, &w.launches[LEAST], 1), 1e-12,
            "but no more than four shares");
    w.plan.n_launches = 1;
    is_near(3, rounds_budget(&rule, 3, &w.plan, &w.launches[0], 3), 1e-12,
            "a plan of one launch each has all for it");
    world_clear(&w);
}

int main(void)
{
    rules();
    precision();
    settled();
    contenders();
    given_up();
    budgets();
    return tap_done();
}
