/* SPDX-License-Identifier: BSD-3-Clause */
/* Which cells are held out, and that what learns cannot see them. */
#include "analysis/measure/holdout_cells.h"

#include <math.h>

#include "analysis/heldout/heldout.h"
#include "tests/analysis/overprocs.h"
#include "tests/tap.h"

static void words(void)
{
    static const struct {
        const char *text, *name, *wrong; /* wrong: part of the message, NULL: none */
    } cases[] = {
        { "planned", "planned", NULL },
        { "alternate-procs", "alternate-procs", NULL },
        { "beyond-procs=128", "beyond-procs-128", NULL },
        { "nodes", "nodes", NULL },
        { "nodes=3", "nodes-3", NULL },
        { "cluster=gros", "cluster-gros", NULL },
        { "random=30%", "random-30", NULL },
        { "random=0.5%", "random-0.5", NULL },
        { "", "", "is no holdout" },
        { "alternate", "", "is no holdout (want planned," },
        { "beyond-procs", "", "is no holdout" },
        { "beyond-procs=0", "", "out of range" },
        { "beyond-procs=2147483648", "", "out of range" },
        { "beyond-procs=many", "", "holdout 'beyond-procs=many': " },
        { "nodes=", "", "holdout 'nodes='" },
        { "cluster=../x", "", "is no name of a cluster" },
        { "random=30", "", "is no share" },
        { "random=0%", "", "above 0 %" },
        { "random=100%", "", "below 100 %" },
        { "random=-5%", "", "above 0 %" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct holdout h = { .kind = HOLDOUT_PLANNED };
        struct err err = { 0 };
        const int status = holdout_parse(cases[i].text, &h, &err);
        is_int(cases[i].wrong ? -1 : 0, status, "'%s'", cases[i].text);
        is_str(cases[i].name, h.name, "its directory");
        if (cases[i].wrong)
            has_str(cases[i].wrong, err.text, "the message");
        is_int(cases[i].wrong ? EXIT_USAGE : 0, err.status, "which is wrong usage");
    }
}

/* Two candidates at P = 2, 3, 4, 5, 6, 8 with sizes 8 and 64; P = 16 has one candidate only. */
static struct points some_points(const struct facts *facts)
{
    static const int procs[] = { 2, 3, 4, 5, 6, 8, 16 };
    struct points points = { .n = 0 };
    snprintf(points.cluster, sizeof points.cluster, "here");
    for (int i = 0; i < 7; i++)
        for (uint64_t m = 8; m <= 64; m *= 8) {
            over_add(&points, facts, "portable:chain", "core", procs[i], m, 1e-6 * procs[i]);
            if (procs[i] < 16)
                over_add(&points, facts, "portable:binomial", "core", procs[i], m, 2e-6);
        }
    return points;
}

/* The P of the cells held out, in order, those of 64 bytes with a "+"; once each. */
static const char *held_text(const char *what, const struct points *points)
{
    static char text[200];
    struct holdout h;
    unsigned char held[64];
    size_t n = 0;
    *text = '\0';
    if (holdout_parse(what, &h, NULL) < 0)
        return "not parsed";
    h.seed = 7;
    const size_t marked = holdout_mark(&h, points, held);
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        n += held[i];
        if (held[i] && strstr(p->candidate.algorithm, "chain"))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d%s", *text ? " " : "",
                     p->cell.procs, p->cell.bytes == 64 ? "+" : "");
    }
    is_int((long long)n, (long long)marked, "%s: counted", what);
    return text;
}

static void which_rows(void)
{
    const struct facts facts = shape(4, 2, 2);
    struct points points = some_points(&facts);
    is_str("", held_text("planned", &points), "nothing was planned");
    is_str("4 4+ 5 5+ 8 8+", held_text("alternate-procs", &points),
           "every other even and every other odd P at which there is a choice");
    is_str("2+ 3+ 4+ 5+ 6+ 8+ 16+", held_text("alternate-sizes", &points), "every other size");
    is_str("5 5+ 6 6+ 8 8+ 16 16+", held_text("beyond-procs=4", &points), "above four");
    is_str("5 5+ 6 6+ 8 8+ 16 16+", held_text("nodes", &points),
           "from the most nodes with a choice on, which are two");
    is_str("5 5+ 6 6+ 8 8+ 16 16+", held_text("nodes=1", &points), "above one node");
    is_str("", held_text("cluster=there", &points), "another cluster: nothing");
    is_str("2 2+ 3 3+ 4 4+ 5 5+ 6 6+ 8 8+ 16 16+", held_text("cluster=here", &points), "all of it");
    char first[200];
    snprintf(first, sizeof first, "%s", held_text("random=25%", &points));
    is_str(first, held_text("random=25%", &points), "the draw is the seed's");
    size_t cells = *first != '\0';
    for (const char *c = first; *c; c++)
        cells += *c == ' ';
    is_int(3, (long long)cells, "a quarter of twelve cells: %s", first);
    points.row[0].point.purpose = FOR_HELD_BYTES;
    is_str("2", held_text("planned", &points), "what the plan held out is");
    points.row[24].point.experiment = EXP_GATHER;
    points.row[25].point.experiment = EXP_PINGPONG;
    points.row[24].point.cell.procs = points.row[25].point.cell.procs = 5;
    struct holdout h;
    unsigned char held[64];
    holdout_parse("alternate-procs", &h, NULL);
    holdout_mark(&h, &points, held);
    ok(held[24] && !held[25],
       "an experiment is held out as its cell is, one of the machine is not");
    holdout_parse("beyond-procs=3", &h, NULL);
    holdout_mark(&h, &points, held);
    ok(held[24] && held[25], "but where it uses more processes than may be seen");
    points_clear(&points);
}

/* Sum of all times that a trainer can reach. */
static double reachable(const struct training_cells *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; k < t->set[i].points.n; k++)
            sum += t->set[i].points.row[k].time.value;
    return sum;
}

/* Times held out are made ten times longer: who cannot see them says the same. */
static void no_leak(void)
{
    const struct facts facts = shape(4, 2, 2);
    struct points points = some_points(&facts), rest;
    struct training_cells before = { .n = 0 }, after = { .n = 0 }, leak = { .n = 0 };
    struct holdout h;
    unsigned char held[64];
    holdout_parse("alternate-procs", &h, NULL);
    const size_t n = holdout_mark(&h, &points, held);
    training_add(&before, &points, held, &facts);
    training_add(&leak, &points, NULL, &facts);
    const double all = reachable(&leak);
    for (size_t i = 0; i < points.n; i++)
        points.row[i].time.value *= held[i] ? 10 : 1;
    training_add(&after, &points, held, &facts);
    is_near(reachable(&before), reachable(&after), 0, "no time held out is reached");
    training_clear(&leak);
    training_add(&leak, &points, NULL, &facts);
    ok(reachable(&leak) > all, "a leak is seen by this very check");
    is_int((long long)(points.n - n), (long long)before.set[0].points.n, "all others are there");
    holdout_rest(&points, held, 0, &rest);
    is_int((long long)n, (long long)rest.n, "the rest is what was held out");
    points_clear(&rest);
    points_clear(&points);
    training_clear(&before);
    training_clear(&after);
    training_clear(&leak);
}

/* One selector, five cells in two mappings, losses of 0, 10, 20, 100 and 300 %. */
static void sums(void)
{
    static const double pct[] = { 0, 10, 20, 100, 300 };
    struct selector who = { .name = "who" };
    struct selection row[6];
    struct selection_table t = { .selector = &who, .n_selectors = 1, .row = row, .n = 6 };
    struct heldout_table out;
    const struct facts facts = { .confidence = 0.95, .seed = 3 };
    struct holdout h;
    holdout_parse("random=30%", &h, NULL);
    for (int i = 0; i < 6; i++) {
        row[i] = (struct selection){ .selector = &who, .name = "who", .tied = 0 };
        snprintf(row[i].cell.collective, NAME_SIZE, "bcast");
        snprintf(row[i].cell.mpi, NAME_SIZE, "openmpi");
        snprintf(row[i].cell.mapping, NAME_SIZE, i < 3 ? "core" : "node");
        row[i].cell.procs = 2 * i;
        row[i].status = i < 5 ? SELECT_OK : SELECT_NO_CHOICE;
        row[i].degradation_pct = row[i].counted_pct = i < 5 ? pct[i] : NAN;
        row[i].best_s = 1;
        row[i].chosen_s = i < 5 ? 1 + pct[i] / 100 : NAN;
    }
    row[0].tied = 1;
    heldout_make(&t, &h, 17, &facts, &out);
    is_int(3, (long long)out.n, "two mappings, and all");
    const struct heldout_row *r = &out.row[2];
    is_str("all", r->mapping, "the last is of all");
    is_int(5, (long long)r->cells, "five cells");
    is_int(1, (long long)r->undecided, "one without a choice");
    is_near(86, r->mean_pct.value, 1e-9, "the mean");
    is_near(100 * (pow(1.1 * 1.2 * 2 * 4, 0.2) - 1), r->geomean_pct.value, 1e-9,
            "the geometric mean");
    is_near(20, r->median_pct.value, 1e-9, "the median");
    is_near(260, r->p95_pct.value, 1e-9, "the 95th percentile: a fifth of the way from 300 to 100");
    is_near(300, r->worst_pct, 0, "the worst");
    is_int(8, r->worst_procs, "which is at P = 8");
    is_near(20, r->tied_pct.value, 1e-9, "one of five is tied");
    ok(r->geomean_pct.low >= 0 && r->geomean_pct.low < r->geomean_pct.value &&
           r->geomean_pct.high > r->geomean_pct.value && r->geomean_pct.high < 300,
       "the interval is about it: %g to %g", r->geomean_pct.low, r->geomean_pct.high);
    is_near(10, out.row[0].median_pct.value, 1e-9, "by core");
    is_int(17, (long long)r->trained, "what it was learnt from");
    is_str("random=30%", r->holdout, "and what was held out");
    struct heldout_table again;
    heldout_make(&t, &h, 17, &facts, &again);
    is_near(r->p95_pct.high, again.row[2].p95_pct.high, 0, "the same draw every time");
    heldout_clear(&again);
    heldout_clear(&out);
}

int main(void)
{
    words();
    which_rows();
    no_leak();
    sums();
    return tap_done();
}
