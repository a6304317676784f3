/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/verify/verify.h"

#include "harness/rules/load_lines.h"
#include "harness/study/valid_samples.h"

const char *const verify_words[] = { "kept",  "unsure",  "trades", "loses",
                                     "other", "missing", "none",   NULL };
const char *const verify_view_words[] = { "both", "slowest", "mean", NULL };

/* ---- which cells ---- */

static struct candidate *take_of(const struct rules_choices *choices, const struct cell *cell)
{
    for (size_t i = 0; i < choices->n; i++) {
        const struct rules_grid *g = &choices->grid[i];
        for (size_t k = 0; k < g->n_procs * g->n_bytes; k++)
            if (strcmp(g->collective, cell->collective) == 0 &&
                g->procs[k / g->n_bytes] == (uint64_t)cell->procs &&
                g->bytes[k % g->n_bytes] == cell->bytes)
                return &g->take[k];
    }
    return NULL;
}

/* Where the lines that load a file leave han out, it takes no call before the file is asked. A
 * library that took each rank for one on a node of its own asks the file so. */
static struct rules_answer ask(const struct rules *file, const struct tuning *t,
                               const struct cell *cell)
{
    const int alone = rules_load_excludes(file->reader, "han");
    const int nodes = t->apart ? cell->procs : cell->nodes, ppn = t->apart ? 1 : cell->ppn;
    const struct rules_call call = { cell->collective, cell->procs, alone ? 0 : nodes,
                                     alone ? 0 : ppn,  cell->bytes, RULES_GLOBAL };
    struct rules_answer answer;
    rules_ask(file, &call, &answer);
    return answer;
}

int verify_has_rule(const struct rules *file, const struct tuning *tuning, const struct cell *cell,
                    struct candidate *take)
{
    const struct candidate *t = take_of(&tuning->choices, cell);
    if (!t || !*t->algorithm || algorithm_is_default(t->algorithm))
        return 0;
    const struct rules_answer answer = ask(file, tuning, cell);
    const struct native *native = native_in_rules(file->reader->library, file->reader->version,
                                                  cell->collective, t->algorithm);
    *take = *t;
    if (rules_say_beside(file->reader, cell, t->algorithm))
        return 1;
    return native && answer.outcome == RULES_RUNS && strcmp(answer.algorithm, native->name) == 0;
}

void verify_digest(const struct tuning *tuning, char digest[16])
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = memory_stream(&text, &len);
    fprintf(out, "%s\n", tuning->mapping);
    for (size_t i = 0; i < tuning->choices.n; i++) {
        const struct rules_grid *g = &tuning->choices.grid[i];
        for (size_t k = 0; k < g->n_procs * g->n_bytes; k++)
            fprintf(out, "%s %" PRIu64 " %" PRIu64 " %s %" PRIu64 " %d\n", g->collective,
                    g->procs[k / g->n_bytes], g->bytes[k % g->n_bytes], g->take[k].algorithm,
                    g->take[k].segment_bytes, g->take[k].fanout);
    }
    fclose(out);
    const uint64_t h = fs_digest(text, len);
    snprintf(digest, 16, "%08x", (unsigned)(h ^ h >> 32));
    free(text);
}

/* 1 when this is the default's point, and what ran in it is what the cell's choice says. */
static int says_the_same(const struct tuning *t, const struct measured *m)
{
    const struct candidate *take = take_of(&t->choices, &m->point.cell);
    return m->point.experiment == EXP_TIME && algorithm_is_default(m->point.candidate.algorithm) &&
           strcmp(m->point.cell.mapping, t->mapping) == 0 && take && *take->algorithm &&
           strcmp(m->ran_algorithm, take->algorithm) == 0 &&
           m->ran_segment_bytes == (int64_t)take->segment_bytes && m->ran_fanout == take->fanout;
}

int verify_drop_same(const char *dir, struct tuning *tuning, size_t *n, struct err *err)
{
    struct points points = { .n = 0 };
    *n = 0;
    if (points_read(dir, 0, &points, err) < 0)
        return -1;
    for (size_t i = 0; i < points.n; i++)
        if (says_the_same(tuning, &points.row[i])) {
            *take_of(&tuning->choices, &points.row[i].point.cell) =
                (struct candidate){ .fanout = 0 };
            ++*n;
        }
    tuning->chosen -= *n;
    points_clear(&points);
    return 0;
}

/* ---- a launch ---- */

/* A launch's medians: of the slowest rank, and of the mean over ranks. */
struct times {
    struct interval slowest, mean;
};

static struct interval middle(double *x, size_t n, double confidence)
{
    double *scratch = memory_zeros(2 * n + 1, sizeof *scratch);
    const double effective = robust_effective(STATISTIC_MEDIAN, x, n, scratch);
    const struct interval i = robust_interval(STATISTIC_MEDIAN, x, n, effective, confidence);
    free(scratch);
    return i;
}

/* 1; 0: the launch has no time of it; -1 with *err. */
static int read_times(const struct store *store, const char *point, int round, double confidence,
                      struct times *out, struct err *err)
{
    const struct outcome *o = store_find(store, point, round);
    struct sample *row;
    const long n = o && outcome_usable(o) ? valid_sample_rows(store, o, 0, &row, NULL, err) : 0;
    if (n <= 0)
        return (int)n;
    double *slowest = memory_zeros((size_t)n, sizeof *slowest),
           *mean = memory_zeros((size_t)n, sizeof *mean);
    for (long i = 0; i < n; i++) {
        slowest[i] = row[i].max_s;
        mean[i] = row[i].mean_s;
    }
    out->slowest = middle(slowest, (size_t)n, confidence);
    out->mean = middle(mean, (size_t)n, confidence);
    memory_free(slowest, mean, row);
    return 1;
}

/* ---- a cell ---- */

/* Launches of both directories. */
struct twins {
    const struct verify_question *q;
    const struct store *without, *with;
    const struct facts *facts;
};

/* Logarithms of a row's ratios by the view, by the number of the round less one. NaN: the row lacks
 * this round. */
struct course {
    double log_ratio[MOST_REPEATS];
};

/* The name, and where what ran says a limit of requests, that of the rule. */
static int is_meant(const char *ran, const char *meant, long requests)
{
    const char *limit = algorithm_levels(ran);
    const size_t length = limit ? (size_t)(limit - ran) - 1 : strlen(ran);
    return strlen(meant) == length && memcmp(ran, meant, length) == 0 &&
           (!limit || algorithm_limit(limit) == requests);
}

/* What ran in a launch; "": nobody knows. */
static const char *ran_in(const struct store *store, const char *point, int round)
{
    const struct outcome *o = store_find(store, point, round);
    return !o || algorithm_is_default(o->ran_algorithm) ? "" : o->ran_algorithm;
}

/* With a rule: is it what the rule says? Without one: is it what runs without the file? 1 or 0; -1:
 * nobody knows. */
static int prove(const struct twins *p, const char *point, int round, struct verify_row *r)
{
    const struct rules_answer answer = ask(p->q->file, p->q->tuning, &r->cell);
    const char *meant = *answer.runs ? answer.runs : answer.algorithm;
    const char *ran = ran_in(p->with, point, round);
    const char *usual = ran_in(p->without, point, round);
    if (!*ran || (!*r->take.algorithm && !*usual))
        return -1;
    snprintf(r->ran, sizeof r->ran, "%s", ran);
    const int as_it_should = *r->take.algorithm
                                 ? is_meant(algorithm_base_name(ran), meant, answer.requests)
                                 : strcmp(ran, usual) == 0;
    r->proved += as_it_should;
    r->other += !as_it_should;
    return as_it_should;
}

/* Of the logarithms of n rounds' ratios: their middle and its interval, percent. */
static struct verify_gain over_rounds(const double *log_ratio, size_t n, const struct facts *facts)
{
    double x[MOST_REPEATS];
    struct over_launches over;
    for (size_t i = 0; i < n; i++)
        x[i] = exp(log_ratio[i]);
    over_launches(x, n, STATISTIC_MEDIAN, facts->confidence, &over);
    return (struct verify_gain){ longer_pct(over.time, 1), longer_pct(over.low, 1),
                                 longer_pct(over.high, 1) };
}

static int in_most(int launches, const struct verify_row *r)
{
    return 2 * launches > r->rounds;
}

static enum verify_verdict judge(const struct verify_question *q, const struct verify_row *r)
{
    const int trades = q->view == VERIFY_BY_BOTH && in_most(r->suffers, r);
    const int sure = r->sure >= 2 && in_most(r->sure, r) && !r->lost;
    if (r->rounds < 2)
        return VERIFY_MISSING;
    if (*r->take.algorithm && r->other)
        return VERIFY_OTHER;
    if (in_most(r->lost, r))
        return VERIFY_LOSES;
    if (!*r->take.algorithm)
        return VERIFY_NONE;
    if (trades && (sure || q->tried))
        return VERIFY_TRADES;
    return sure ? VERIFY_KEPT : VERIFY_UNSURE;
}

/* A round's gain by one of the views: of its middle, and of both ends of its interval. */
static struct verify_gain gain_of(const struct interval *without, const struct interval *with)
{
    return (struct verify_gain){ longer_pct(without->centre, with->centre),
                                 longer_pct(without->low, with->high),
                                 longer_pct(without->high, with->low) };
}

/* What a round says of a cell. */
static void count(const struct twins *p, const struct verify_gain *by, const struct verify_gain *of,
                  struct verify_row *r)
{
    r->told += !isnan(by->low_pct) && !isnan(by->high_pct);
    r->sure += by->low_pct > p->q->margin_pct;
    r->lost += by->high_pct < 0;
    r->suffers += of->high_pct < -p->q->margin_pct;
}

static int weigh(const struct twins *p, const char *point, struct verify_row *r, struct course *c,
                 struct verify *v, struct err *err)
{
    double slowest[MOST_REPEATS], mean[MOST_REPEATS];
    const double confidence = p->facts->confidence;
    for (int round = 1; round <= MOST_REPEATS; round++) {
        struct times a, b;
        const int first = read_times(p->without, point, round, confidence, &a, err);
        const int second = first > 0 ? read_times(p->with, point, round, confidence, &b, err) : 0;
        if (first < 0 || second < 0)
            return -1;
        c->log_ratio[round - 1] = NAN;
        if (!second)
            continue;
        const struct verify_gain s = gain_of(&a.slowest, &b.slowest), m = gain_of(&a.mean, &b.mean);
        const struct verify_gain *by = p->q->view == VERIFY_BY_MEAN ? &m : &s;
        slowest[r->rounds] = log1p(s.pct / 100);
        mean[r->rounds++] = log1p(m.pct / 100);
        c->log_ratio[round - 1] = log1p(by->pct / 100);
        count(p, by, by == &s ? &m : &s, r);
        if (prove(p, point, round, r) == 1 && !*r->take.algorithm) {
            v->same++;
            v->same_faster += by->low_pct > 0;
            v->same_slower += by->high_pct < 0;
        }
    }
    r->slowest = over_rounds(slowest, (size_t)r->rounds, p->facts);
    r->mean = over_rounds(mean, (size_t)r->rounds, p->facts);
    r->verdict = judge(p->q, r);
    return 0;
}

/* ---- all of them ---- */

static const struct verify_row *row_of(const struct verify *v, const struct cell *cell)
{
    return find_below(v->row, i, v->n,
                      strcmp(v->row[i].cell.collective, cell->collective) == 0 &&
                          v->row[i].cell.procs == cell->procs &&
                          v->row[i].cell.bytes == cell->bytes);
}

static int is_any(const struct verify_question *q, const struct verify_row *r)
{
    (void)q, (void)r;
    return 1;
}

static int is_bare(const struct verify_question *q, const struct verify_row *r)
{
    (void)q;
    return !*r->take.algorithm;
}

static int has_kept(const struct verify_question *q, const struct verify_row *r)
{
    return q->tried ? *r->take.algorithm != '\0' : r->verdict == VERIFY_KEPT;
}

static int is_untied(const struct verify_question *q, const struct verify_row *r)
{
    const struct verify_row *was = row_of(q->tried, &r->cell);
    return was && (was->verdict == VERIFY_KEPT || was->verdict == VERIFY_TRADES);
}

/* The mean over the cells that are wanted, in each round that all of them have; its middle, and
 * what rounds say of it. Of no cells where they have no round in common. */
static struct verify_mean mean_over(const struct verify *v, const struct course *c,
                                    const struct verify_question *q, const struct facts *facts,
                                    int (*wanted)(const struct verify_question *,
                                                  const struct verify_row *))
{
    struct verify_mean out = { .gain = { NAN, NAN, NAN } };
    double sum[MOST_REPEATS] = { 0 }, mean[MOST_REPEATS];
    size_t rounds = 0;
    for (size_t i = 0; i < v->n; i++) {
        if (!v->row[i].rounds || !wanted(q, &v->row[i]))
            continue;
        for (int k = 0; k < MOST_REPEATS; k++)
            sum[k] += c[i].log_ratio[k];
        out.n++;
    }
    for (int k = 0; k < MOST_REPEATS && out.n; k++)
        if (!isnan(sum[k]))
            mean[rounds++] = sum[k] / (double)out.n;
    if (!rounds)
        return (struct verify_mean){ .gain = { NAN, NAN, NAN } };
    out.gain = over_rounds(mean, rounds, facts);
    return out;
}

static void sum_up(const struct twins *p, const struct course *c, struct verify *v)
{
    v->with_rule = mean_over(v, c, p->q, p->facts, has_kept);
    if (!p->q->tried)
        return;
    v->untied = mean_over(v, c, p->q, p->facts, is_untied);
    v->bare = mean_over(v, c, p->q, p->facts, is_bare);
    v->all = mean_over(v, c, p->q, p->facts, is_any);
    for (size_t i = 0; i < v->n; i++) {
        const int worse = v->row[i].rounds > 1 && in_most(v->row[i].lost, &v->row[i]);
        v->worse += worse;
        v->worse_bare += worse && !*v->row[i].take.algorithm;
        v->untested += !in_most(v->row[i].told, &v->row[i]);
    }
}

/* Is the point's cell looked at, and which rule has it? Of a whole file every cell is; where
 * nothing was chosen it has none, though a complete tree (MPICH) says there what the library does.
 */
static int is_row(const struct verify_question *q, const struct point *point,
                  struct candidate *take)
{
    if (point->experiment != EXP_TIME || !algorithm_is_default(point->candidate.algorithm))
        return 0;
    const int has_rule = verify_has_rule(q->file, q->tuning, &point->cell, take);
    if (!has_rule)
        *take = (struct candidate){ .fanout = 0 };
    return has_rule || q->tried;
}

static int weigh_all(const struct twins *p, const struct points *points, struct verify *out,
                     struct err *err)
{
    struct candidate take;
    struct course *course = memory_zeros(points->n + 1, sizeof *course);
    int status = 0;
    for (size_t i = 0; i < points->n && status == 0; i++) {
        const struct point *point = &points->row[i].point;
        if (!is_row(p->q, point, &take))
            continue;
        struct verify_row *r = array_add(&out->row, &out->n);
        r->cell = point->cell;
        r->take = take;
        status = weigh(p, point->id, r, &course[out->n - 1], out, err);
        out->verdicts[r->verdict]++;
    }
    if (status == 0)
        sum_up(p, course, out);
    free(course);
    return status;
}

int verify_make(const struct verify_question *question, struct verify *out, struct err *err)
{
    struct facts facts, facts_with;
    struct points points = { .n = 0 }, same = { .n = 0 };
    struct store a = { .n_files = 0 }, b = { .n_files = 0 };
    *out = (struct verify){ .whole = question->tried != NULL, .view = question->view };
    if (facts_read(question->without, &facts, err) < 0 ||
        facts_read(question->with, &facts_with, err) < 0 ||
        points_build(question->without, &facts, &a, &points, err) < 0)
        return -1;
    int status = points_build(question->with, &facts_with, &b, &same, err);
    if (status == 0) {
        const struct twins p = { question, &a, &b, &facts };
        status = weigh_all(&p, &points, out, err);
        store_free(&b);
    }
    store_free(&a);
    points_clear(&points);
    points_clear(&same);
    if (status < 0)
        verify_clear(out);
    return status;
}

/* ---- what becomes of it ---- */

/* 1 when in a whole file something without a rule is slower, and it is not known that the same ran
 * there: something of the collective's rules reaches it. */
static int reaches(const struct verify *v, const char *collective)
{
    return any_below(i, v->n,
                     v->row[i].verdict == VERIFY_LOSES && !*v->row[i].take.algorithm &&
                         v->row[i].proved < v->row[i].rounds &&
                         strcmp(v->row[i].cell.collective, collective) == 0);
}

int verify_stays(const struct verify *v, const struct verify_row *row)
{
    return v->whole ? (row->verdict == VERIFY_KEPT || row->verdict == VERIFY_UNSURE) &&
                          !reaches(v, row->cell.collective)
                    : row->verdict == VERIFY_KEPT;
}

int verify_is_trade(const struct verify *v, const struct verify_row *row)
{
    return *row->take.algorithm && verify_stays(v, row) && in_most(row->suffers, row);
}

/* 1 when the cell was verified, and its rule stays. */
static int is_kept(const struct verify *v, const struct rules_grid *g, size_t k)
{
    struct cell cell = { .procs = (int)g->procs[k / g->n_bytes],
                         .bytes = g->bytes[k % g->n_bytes] };
    snprintf(cell.collective, sizeof cell.collective, "%s", g->collective);
    const struct verify_row *row = row_of(v, &cell);
    return row && verify_stays(v, row);
}

void verify_drop(const struct verify *verify, struct rules_choices *choices)
{
    static const struct candidate own;
    for (size_t i = 0; i < choices->n; i++)
        for (size_t k = 0; k < choices->grid[i].n_procs * choices->grid[i].n_bytes; k++)
            if (!is_kept(verify, &choices->grid[i], k))
                choices->grid[i].take[k] = own;
}

/* clang-format off */
static const struct schema_column columns[] = {
    CELL_COLUMNS(verify_row, cell),
    CANDIDATE_COLUMNS(verify_row, take),
    COLUMN(verify_row, INT, "rounds", rounds, "", "launches without and with the file that both have a time"),
    COLUMN(verify_row, INT, "told", told, "", "of these those in which both times have an interval"),
    COLUMN(verify_row, INT, "sure", sure, "", "those in which the lower end of the gain is above the margin, by the view that decides"),
    COLUMN(verify_row, INT, "lost", lost, "", "those in which the file makes it slower, at the upper end of the gain"),
    COLUMN(verify_row, INT, "suffers", suffers, "", "those in which by the other view the file makes it slower by more than the margin, at the upper end"),
    COLUMN(verify_row, REAL, "gain_pct", slowest.pct, "%", "by how much longer the default takes without the file, by the slowest rank's time of a call: the median over rounds of ratios of medians"),
    COLUMN(verify_row, REAL, "low_pct", slowest.low_pct, "%", "its 95 % interval over rounds; empty with one"),
    COLUMN(verify_row, REAL, "high_pct", slowest.high_pct, "%", "its other end"),
    COLUMN(verify_row, REAL, "mean_gain_pct", mean.pct, "%", "the same by the mean over ranks of a call"),
    COLUMN(verify_row, REAL, "mean_low_pct", mean.low_pct, "%", "its 95 % interval over rounds"),
    COLUMN(verify_row, REAL, "mean_high_pct", mean.high_pct, "%", "its other end"),
    COLUMN(verify_row, INT, "proved", proved, "", "launches in which that was proved to run with the file which the rule says; without a rule, the same as without the file"),
    COLUMN(verify_row, INT, "other", other, "", "launches with the file in which something else ran"),
    COLUMN(verify_row, NAME, "ran", ran, "", "what ran with the file; empty: not known"),
    COLUMN(verify_row, WORD, "verdict", verdict, "", "`kept`; `unsure`: the gain is not above the margin in two launches and in most, or in one it is a loss (dropped; from a whole file it is not); dropped: `trades` (gains by the slowest rank, loses more than the margin by the mean over ranks), `loses`, `other` (something else ran), `missing` (fewer than two rounds); `none`: there is no rule, and it is not slower", .words = verify_words),
};
/* clang-format on */

SCHEMA(verify_schema, verify_row, columns, "verify.csv",
       "Of `collsel rules verify`, below the study's `verify/LIBRARY/`: one row per cell for which "
       "the file of all choices had a rule.",
       .backend = 1);

SCHEMA(verify_whole_schema, verify_row, columns, "whole.csv",
       "Of `collsel rules verify`, beside `verify.csv`: the file of what was kept there, measured "
       "once more; one row per cell of the study, without a rule the algorithm is empty.",
       .backend = 1);

CLEARS(verify_clear, verify, it->row)
