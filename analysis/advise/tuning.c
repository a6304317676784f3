/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/advise/tuning.h"

#include "analysis/measure/fitted_study.h"
#include "analysis/measure/published_default.h"
#include "analysis/advise/one_order.h"
#include "analysis/advise/smooth.h"
#include "analysis/learn/walked_trust.h"
#include "harness/rules/load_lines.h"
#include "harness/study/in_effect_lines.h"

/* ---- a cell ---- */

/* The least that the default takes longer, of an interval that begins at low_pct; NaN: not known.
 */
static double sure_gain(const struct advice *a, double gain_pct, double low_pct, int deterministic,
                        int unsure)
{
    const int certain = deterministic && a->evidence == EVIDENCE_MEASURED;
    return certain || (unsure && isnan(low_pct)) ? gain_pct : low_pct;
}

/* Of results: what is said of a cell that they lack is expected, by what was learnt of others. */
static enum tuning_verdict judge(const struct advice_table *table, const struct advice *a,
                                 const struct tuning_question *q)
{
    const double gain =
        sure_gain(a, a->longer_pct, a->longer_low_pct, table->deterministic, q->unsure);
    if (isnan(a->longer_pct))
        return TUNING_UNKNOWN;
    if (a->longer_pct == 0 || algorithm_is_default(a->take.algorithm)) /* best: only by times */
        return a->evidence == EVIDENCE_MEASURED ? TUNING_BEST : TUNING_UNKNOWN;
    if (isnan(gain))
        return TUNING_UNKNOWN;
    return gain <= q->margin_pct ? TUNING_MARGIN : TUNING_CHOSEN;
}

/* ---- a row of cells: of so many processes ---- */

/* By how much longer the default takes than what takes so much longer than the fastest. */
static double less(double gain_pct, double longer_pct)
{
    return 100 * ((100 + gain_pct) / (100 + longer_pct) - 1);
}

/* What may be set in a cell: the library's own decision (algorithm ""), or all that is as good as
 * the fastest and gains enough. */
static void list_choices(const struct advice *a, const struct tuning_cell *cell, int deterministic,
                         const struct tuning_question *q, double tie_pct, struct smooth_cell *out)
{
    struct advice_near *near = memory_zeros(a->n_near + 1, sizeof *near);
    out->n = 1;
    if (cell->verdict == TUNING_CHOSEN)
        near[0] = (struct advice_near){ a->take, 0, a->longer_low_pct, a->longer_high_pct };
    for (size_t i = 0; i < a->n_near && cell->verdict == TUNING_CHOSEN; i++) {
        const struct advice_near *other = &a->near[i];
        if (!candidate_equal(&other->candidate, &a->take) && other->longer_pct <= tie_pct &&
            sure_gain(a, less(a->longer_pct, other->longer_pct), other->low_pct, deterministic,
                      q->unsure) > q->margin_pct)
            near[out->n++] = *other;
    }
    out->near = near;
}

static void take_near(const struct advice_near *chosen, struct tuning_cell *cell)
{
    cell->take = chosen->candidate;
    cell->longer_pct = chosen->longer_pct;
    cell->gain_pct = less(cell->gain_pct, chosen->longer_pct);
    cell->low_pct = chosen->low_pct;
    cell->high_pct = chosen->high_pct;
}

static void set_cell(const struct advice_near *chosen, struct tuning_cell *cell, struct tuning *t)
{
    if (cell->verdict != TUNING_CHOSEN)
        return;
    t->kept += !candidate_equal(&cell->take, &chosen->candidate);
    take_near(chosen, cell);
}

static struct tuning_cell *add_cell(const struct advice_table *table, const struct advice *a,
                                    enum tuning_verdict verdict, struct tuning *t)
{
    struct tuning_cell *cell = array_add(&t->cell, &t->cells);
    snprintf(cell->collective, NAME_SIZE, "%s", a->cell.collective);
    cell->procs = a->cell.procs;
    cell->bytes = a->cell.bytes;
    cell->verdict = verdict;
    cell->expected = *table->backend && a->evidence != EVIDENCE_MEASURED;
    cell->take = a->take;
    cell->gain_pct = a->longer_pct;
    cell->low_pct = a->longer_low_pct;
    cell->high_pct = a->longer_high_pct;
    cell->holds_pct = a->longer_holds_pct;
    t->chosen += cell->verdict == TUNING_CHOSEN;
    t->expected += cell->verdict == TUNING_CHOSEN && cell->expected;
    t->best += cell->verdict == TUNING_BEST;
    t->margin += cell->verdict == TUNING_MARGIN;
    t->unknown += cell->verdict == TUNING_UNKNOWN;
    t->ordered += cell->verdict == TUNING_ORDERED;
    return cell;
}

/* Decides n cells of the same processes; above: what the row before takes, or NULL. */
static void decide_row(const struct advice_table *table, size_t first, size_t n,
                       const struct tuning_question *q, const struct candidate *above,
                       struct candidate *take, struct tuning *t)
{
    struct smooth_cell *row = memory_zeros(n + 1, sizeof *row);
    const size_t at = t->cells;
    for (size_t i = 0; i < n; i++) {
        const struct advice *a = &table->row[first + i];
        add_cell(table, a, judge(table, a, q), t);
        list_choices(a, &t->cell[at + i], table->deterministic, q, t->tie_pct, &row[i]);
        row[i].above = above ? &above[i] : NULL;
    }
    smooth_row(row, n);
    for (size_t i = 0; i < n; i++) {
        take[i] = row[i].near[row[i].chosen].candidate;
        set_cell(&row[i].near[row[i].chosen], &t->cell[at + i], t);
        free((void *)row[i].near);
    }
    free(row);
}

/* The same where the order of combining must be one for all sizes. */
static void order_row(const struct advice_table *table, size_t first, size_t p,
                      struct rules_grid *g, struct tuning *t)
{
    const size_t n = g->n_bytes;
    struct advice_near *chosen = memory_zeros(n, sizeof *chosen);
    const int last = (int)(p + 1 < g->n_procs ? g->procs[p + 1] - 1 : g->procs[p]);
    int alone;
    const int found = one_order(&table->row[first], n, last, chosen, &alone) == 0;
    t->disordered += !found;
    g->alone[p] = (unsigned char)alone;
    for (size_t i = 0; i < n; i++) {
        struct tuning_cell *cell =
            add_cell(table, &table->row[first + i], found ? TUNING_ORDERED : TUNING_UNKNOWN, t);
        if (!found)
            continue;
        t->ordered_pct += log1p(chosen[i].longer_pct / 100);
        t->ordered_most_pct = fmax(t->ordered_most_pct, chosen[i].longer_pct);
        take_near(&chosen[i], cell);
        g->take[first + i] = chosen[i].candidate;
    }
    free(chosen);
}

/* ---- a collective ---- */

static void decide_rows(const struct advice_table *table, const struct tuning_question *q,
                        struct rules_grid *g, struct tuning *t)
{
    const size_t n = g->n_bytes;
    g->whole = q->reproducible && collective_of(g->collective)->combines;
    if (g->whole)
        g->alone = memory_zeros(g->n_procs, sizeof *g->alone);
    for (size_t p = 0; p < g->n_procs; p++)
        if (g->whole)
            order_row(table, p * n, p, g, t);
        else
            decide_row(table, p * n, n, q, p ? &g->take[(p - 1) * n] : NULL, &g->take[p * n], t);
}

static void take_table(const struct advice_table *table, const struct advice_question *q,
                       const struct tuning_question *of, struct tuning *t)
{
    struct rules_grid *g = array_add(&t->choices.grid, &t->choices.n);
    snprintf(g->collective, NAME_SIZE, "%s", q->collective);
    g->n_procs = q->n_procs;
    g->n_bytes = q->n_bytes;
    g->procs = memory_zeros(q->n_procs, sizeof *g->procs);
    g->bytes = memory_zeros(q->n_bytes, sizeof *g->bytes);
    memcpy(g->procs, q->procs, q->n_procs * sizeof *g->procs);
    memcpy(g->bytes, q->bytes, q->n_bytes * sizeof *g->bytes);
    g->take = memory_zeros(table->n, sizeof *g->take);
    g->nodes = memory_zeros(q->n_procs, sizeof *g->nodes);
    g->ppn = memory_zeros(q->n_procs, sizeof *g->ppn);
    for (size_t p = 0; p < q->n_procs; p++) {
        g->nodes[p] = t->apart ? (int)q->procs[p] : table->row[p * q->n_bytes].cell.nodes;
        g->ppn[p] = t->apart ? 1 : table->row[p * q->n_bytes].cell.ppn;
    }
    g->n_likely = (size_t)of->likely;
    g->likely = memory_zeros(table->n * g->n_likely + 1, sizeof *g->likely);
    for (size_t i = 0; i < table->n; i++)
        for (size_t k = 0; k < table->row[i].n_likely; k++)
            g->likely[i * g->n_likely + k] = table->row[i].likely[k];
    t->tie_pct = isnan(of->tie_pct) ? table->tie_pct : of->tie_pct;
    decide_rows(table, of, g, t);
    snprintf(t->cluster, NAME_SIZE, "%s", table->cluster);
    snprintf(t->machine, sizeof t->machine, "%s", table->machine);
    snprintf(t->sources, sizeof t->sources, "%s", table->sources);
    snprintf(t->licence, sizeof t->licence, "%s", table->licence);
    t->more = table->more;
    t->simulated = table->simulated;
    if (table->n)
        snprintf(t->mpi, NAME_SIZE, "%s", table->row[0].cell.mpi);
    if (table->n)
        snprintf(t->mapping, NAME_SIZE, "%s", table->row[0].cell.mapping);
}

static struct advice_question question_of(const struct tuning_question *q, const char *collective)
{
    static const uint64_t nothing = 0;
    const int moves = collective_moves(collective);
    return (struct advice_question){ .collective = collective,
                                     .doubted = q->doubted,
                                     .mapping = q->mapping,
                                     .procs = q->procs,
                                     .n_procs = q->n_procs,
                                     .bytes = moves ? q->bytes : &nothing,
                                     .n_bytes = moves ? q->n_bytes : 1,
                                     .mpi = q->mpi,
                                     .likely = q->likely,
                                     .machine = q->machine,
                                     .first = q->first,
                                     .portable = q->reader->schedules,
                                     .numbered = q->reader->schedules ? NULL : q->reader->library,
                                     .components = q->reader->component != NULL,
                                     .near_pct = q->reproducible ? INFINITY : q->tie_pct,
                                     .version = q->reader->version };
}

/* ---- what was measured ---- */

static int is_asked(const struct tuning_question *q, const char *collective)
{
    for (size_t i = 0; q->collectives && q->collectives[i]; i++)
        if (strcmp(q->collectives[i], collective) == 0)
            return 1;
    return q->collectives == NULL;
}

/* 1 when a point's time can be a rule's reason. What is held out to judge models by makes no cells
 * (a rule between two of the study's would end there), nor what the default would take there. */
static int counts(const struct measured *m, const char *mpi, const char *mapping)
{
    const struct cell *c = &m->point.cell;
    return m->point.experiment == EXP_TIME && m->point.purpose == FOR_STUDY && measured_usable(m) &&
           cell_is_plain(c) && c->procs > 1 && strcmp(c->mpi, mpi) == 0 &&
           (!mapping || strcmp(c->mapping, mapping) == 0);
}

static int is_served(const struct rules_reader *reader, const char *collective)
{
    if (reader->component)
        return native_find(reader->library, collective, reader->component) != NULL;
    return reader->schedules ? collective_has_schedules(collective)
                             : rules_collective_id(collective) >= 0;
}

/* Files of components go by times of components: a collective of which none was measured is left.
 */
static int is_choice(const struct rules_reader *reader, const struct point *point)
{
    return !reader->component ||
           native_is_component(point->candidate.algorithm, point->cell.collective);
}

enum { THERE_MPI, THERE_MAPPING, THERE_COLLECTIVE };

static const char *there_of(const struct cell *c, int what)
{
    return what == THERE_MPI ? c->mpi : what == THERE_MAPPING ? c->mapping : c->collective;
}

/* "there is: core, node": the libraries, mappings or collectives with times that count, each once,
 * behind an error. mpi, mapping: of these alone; NULL: no matter. */
static int tell_there(const struct points *points, int what, const char *mpi, const char *mapping,
                      struct err *err)
{
    char text[256] = "", before[sizeof err->text];
    for (size_t i = 0; i < points->n; i++) {
        const struct cell *c = &points->row[i].point.cell;
        const char *name = there_of(c, what);
        const size_t n = strlen(text);
        int seen = !counts(&points->row[i], mpi ? mpi : c->mpi, mapping);
        for (size_t k = 0; k < i && !seen; k++) {
            const struct cell *o = &points->row[k].point.cell;
            seen = counts(&points->row[k], mpi ? mpi : o->mpi, mapping) &&
                   strcmp(there_of(o, what), name) == 0;
        }
        if (!seen && n + strlen(name) + 3 < sizeof text)
            snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", name);
    }
    snprintf(before, sizeof before, "%s", err->text);
    return *text ? err_set(err, "%.300s (there is: %s)", before, text) : -1;
}

/* ---- whose times ---- */

/* Does the reader read files of the release that an entry was measured with? 1 where that is not
 * known: times that somebody else measured may not say it. */
static int reads_release(const struct rules_reader *reader, const struct facts *facts,
                         const char *mpi)
{
    const char *version = facts_version(facts, mpi);
    return *version < '0' || *version > '9' || version_within(version, reader->from, reader->below);
}

/* The entries of the reader's library with times that count, each once; of_release: those of its
 * releases alone. list: their names, "openmpi-a, openmpi-b". How many; *first of them. */
static size_t entries_of(const struct tuning_question *q, const struct facts *facts,
                         const struct points *points, int of_release, const char **first,
                         char *list, size_t size)
{
    size_t n = 0;
    list[0] = '\0';
    for (size_t i = 0; i < points->n; i++) {
        const char *mpi = points->row[i].point.cell.mpi;
        size_t k = 0;
        if (!mpi_is(mpi, q->reader->library) || !counts(&points->row[i], mpi, q->mapping) ||
            (of_release && !reads_release(q->reader, facts, mpi)))
            continue;
        while (k < i && (strcmp(points->row[k].point.cell.mpi, mpi) != 0 ||
                         !counts(&points->row[k], mpi, q->mapping)))
            k++;
        if (k < i)
            continue;
        *first = n++ ? *first : mpi;
        const size_t used = strlen(list);
        snprintf(list + used, size - used, "%s%s", used ? ", " : "", mpi);
    }
    return n;
}

/* The entry that was asked for: of the reader's library, and of a release that reads its files. */
static int check_asked(const struct tuning_question *q, const struct facts *facts, struct err *err)
{
    const struct rules_reader *right =
        rules_reader_of(q->reader->library, facts_version(facts, q->mpi));
    if (!mpi_is(q->mpi, q->reader->library))
        return err_usage(err, "--mpi: '%s' is no entry of %s, whose rules --library wants", q->mpi,
                         q->reader->library);
    if (reads_release(q->reader, facts, q->mpi))
        return 0;
    return err_usage(err, "--library: want %s: '%s' was measured as release %s, not one of %s",
                     right && q->reader->component ? right->twin->name
                     : right                       ? right->name
                                                   : "another",
                     q->mpi, facts_version(facts, q->mpi), q->reader->name);
}

/* The one entry of the reader's library that has times: where there are several, the one of its
 * releases. NULL: there is none, or with *err several. */
static const char *the_entry(const struct tuning_question *q, const struct facts *facts,
                             const struct points *points, struct err *err)
{
    const char *mpi = NULL;
    char list[256];
    size_t n = entries_of(q, facts, points, 1, &mpi, list, sizeof list);
    if (!n)
        n = entries_of(q, facts, points, 0, &mpi, list, sizeof list);
    if (n < 2)
        return mpi;
    err_usage(err, "say whose times count by --mpi: there are those of %s", list);
    return NULL;
}

/* The first entry that has times, of whatever library: of a simulation, or for schedules. */
static const char *first_entry(const struct tuning_question *q, const struct points *points)
{
    for (size_t i = 0; i < points->n; i++) {
        const char *mpi = points->row[i].point.cell.mpi;
        if (counts(&points->row[i], mpi, q->mapping) &&
            (!q->reader->schedules || !q->mpi || strcmp(q->mpi, mpi) == 0))
            return mpi;
    }
    return NULL;
}

/* 1 when the default of simulated times is the library's, in one of its releases. */
static int is_default_of(const struct facts *facts, const char *library)
{
    return facts->simulated && strncmp(facts->sim_default, library, strlen(library)) == 0;
}

/* Nobody's times count: *err says whose there are. */
static int tell_nobody(const struct tuning_question *q, const struct facts *facts,
                       const struct points *points, struct err *err)
{
    const char *library = is_default_of(facts, q->reader->library) ? NULL
                          : q->mpi                                 ? q->mpi
                          : q->reader->schedules                   ? NULL
                                                                   : q->reader->library;
    if (facts->simulated && library && !q->reader->schedules)
        return err_set(err,
                       "the default of these times is that of %s, not of %s (want a study with "
                       "`sim_default = %s` and its algorithms, as tune-mpich is for MPICH)",
                       facts->sim_default, q->reader->name,
                       q->reader->sim ? q->reader->sim : "none");
    if (!library)
        err_set(err, "no times%s%s by which rules could be chosen",
                q->mapping ? " of mapping " : "", q->mapping ? q->mapping : "");
    else
        err_set(err, "no times of %s%s%s, by which rules for it could be chosen", library,
                q->mapping ? " and mapping " : "", q->mapping ? q->mapping : "");
    if (library)
        tell_there(points, THERE_MPI, NULL, NULL, err);
    return !library || q->mapping ? tell_there(points, THERE_MAPPING, NULL, NULL, err) : -1;
}

/* Whose times count: the library's own, or those of a simulation that knows its default. */
static const char *find_mpi(const struct tuning_question *q, const struct facts *facts,
                            const struct points *points, struct err *err)
{
    const char *const library = q->reader->library, *mpi = NULL;
    struct err several = { 0 };
    if (q->reader->schedules || is_default_of(facts, library)) {
        mpi = first_entry(q, points);
        if (mpi && q->mpi && strcmp(mpi, q->mpi) != 0) {
            err_usage(err,
                      "leave out --mpi %s: these times are those of '%s', and no MPI ran for them "
                      "(--library alone says whose rules are wanted)",
                      q->mpi, mpi);
            return NULL;
        }
    } else if (q->mpi && !facts->simulated) {
        if (check_asked(q, facts, err) < 0)
            return NULL;
        for (size_t i = 0; i < points->n && !mpi; i++)
            mpi = counts(&points->row[i], q->mpi, q->mapping) ? q->mpi : NULL;
    } else {
        mpi = the_entry(q, facts, points, &several);
    }
    if (several.text[0]) {
        *err = several;
    } else if (!mpi) {
        tell_nobody(q, facts, points, err);
        points_add_doubted(points, NULL, err);
    }
    return mpi;
}

/* The first mapping of these cells, where none is asked for. */
static const char *find_mapping(const struct tuning_question *q, const struct points *points,
                                const char *mpi)
{
    for (size_t i = 0; i < points->n && !q->mapping; i++)
        if (counts(&points->row[i], mpi, NULL))
            return points->row[i].point.cell.mapping;
    return q->mapping;
}

/* Is it done with, whatever came of it? */
static int has_collective(const struct tuning *t, const char *collective)
{
    for (size_t i = 0; i < t->choices.n; i++)
        if (strcmp(t->choices.grid[i].collective, collective) == 0)
            return 1;
    return any_below(i, t->n_undecided, strcmp(t->undecided[i].collective, collective) == 0);
}

/* What became of a collective; status as of advice_of_results, with *why. One without an answer is
 * an error only to whom asked for it by name. */
static int take_status(int status, const struct tuning_question *q, const char *collective,
                       const struct err *why, struct tuning *t, struct err *err)
{
    if (status == 0)
        return 0;
    if (status > 0 && !q->collectives) {
        struct tuning_undecided *u = array_add(&t->undecided, &t->n_undecided);
        snprintf(u->collective, sizeof u->collective, "%s", collective);
        snprintf(u->why, sizeof u->why, "%.*s", ADVICE_REASON - 1, why->text);
        return 0;
    }
    if (err)
        *err = *why;
    return err_prefix(err, "%s", collective);
}

/* Without any that is decided there is nothing to go by. */
static int check_decided(const struct tuning *t, struct err *err)
{
    if (t->choices.n || !t->n_undecided)
        return 0;
    err_set(err, "%s: %s", t->undecided[0].collective, t->undecided[0].why);
    if (t->n_undecided > 1)
        err_prefix(err, "none of %zu collectives can be decided, the first", t->n_undecided);
    return -1;
}

static int choose(const char *dir, const struct tuning_question *q, const struct points *points,
                  const char *collective, const char *mpi, const char *mapping, struct tuning *t,
                  struct err *err)
{
    struct advice_question a = question_of(q, collective);
    struct advice_table table;
    uint64_t *procs = NULL, *bytes = NULL;
    const int asked = a.n_bytes > 0;
    for (size_t i = 0; i < points->n; i++)
        if (counts(&points->row[i], mpi, mapping) &&
            strcmp(points->row[i].point.cell.collective, collective) == 0) {
            if (!q->n_procs)
                *array_add(&procs, &a.n_procs) = (uint64_t)points->row[i].point.cell.procs;
            if (!asked)
                *array_add(&bytes, &a.n_bytes) = points->row[i].point.cell.bytes;
        }
    if (!q->n_procs)
        a.procs = procs;
    if (!asked)
        a.bytes = bytes;
    if (procs)
        a.n_procs = array_set_u64(procs, a.n_procs);
    if (bytes)
        a.n_bytes = array_set_u64(bytes, a.n_bytes);
    a.mpi = mpi;
    a.mapping = mapping;
    struct err why = { 0 };
    const int status = advice_of_results(dir, &a, &table, &why);
    if (status == 0) {
        take_table(&table, &a, q, t);
        advice_clear(&table);
    }
    memory_free(procs, bytes);
    return take_status(status, q, collective, &why, t, err);
}

/* Whose default was beaten: a simulation's, by its rule's name, or that of the library measured. */
static void tell_default(const struct rules_reader *reader, const char *rule, struct tuning *t)
{
    const char *name = decision_library(rule);
    if (*rule) {
        snprintf(t->default_of, NAME_SIZE, "%s", name ? name : rule);
        t->other_release = !reader->schedules && (!reader->sim || strcmp(reader->sim, rule) != 0);
    } else if (!reader->schedules && *t->version >= '0' && *t->version <= '9') {
        snprintf(t->default_of, NAME_SIZE, "%.20s %.40s", reader->library, t->version);
        t->other_release = !version_within(t->version, reader->from, reader->below);
    }
}

/* Trees go by where ranks are as the library sees it, not as they were placed. */
static int find_apart(const char *dir, const struct tuning_question *q, const char *mpi,
                      struct tuning *t, struct err *err)
{
    struct in_effect_count said;
    if (!q->reader->by_name)
        return 0;
    if (in_effect_count(dir, mpi, IN_EFFECT_BESIDE, "none", &said, err) < 0)
        return -1;
    t->apart = said.same && !said.other;
    return 0;
}

int tuning_probe_dir(const char *dir, const char *mpi, char path[PATH_SIZE], struct err *err)
{
    return fs_path(path, PATH_SIZE, err, "%s/probe/%s", dir, mpi);
}

/* How far rules may speak, by the cells and by what was measured between them. */
static int see(const char *dir, const struct tuning_question *q, const struct facts *facts,
               const struct points *points, const char *mpi, const char *mapping, struct tuning *t,
               struct err *err)
{
    char probe[PATH_SIZE], file[PATH_SIZE];
    struct points between = { .n = 0 };
    t->reach.tie_pct = t->tie_pct;
    snprintf(t->reach.rule, NAME_SIZE, "%s", decided_rule(facts, mpi));
    rule_interval_see(facts, points, mpi, mapping, 0, &t->reach);
    if (tuning_probe_dir(dir, mpi, probe, err) < 0 ||
        fs_path(file, PATH_SIZE, err, "%s/points.csv", probe) < 0)
        return -1;
    if (!fs_exists(file))
        return 0;
    if (points_read(probe, q->doubted, &between, err) < 0)
        return -1;
    rule_interval_see(facts, &between, mpi, mapping, 1, &t->reach);
    points_clear(&between);
    return 0;
}

static int choose_all(const char *dir, const struct tuning_question *q, const struct facts *facts,
                      const struct points *points, struct tuning *t, struct err *err)
{
    const char *mpi = find_mpi(q, facts, points, err);
    if (!mpi)
        return -1;
    const char *mapping = find_mapping(q, points, mpi);
    if (find_apart(dir, q, mpi, t, err) < 0)
        return -1;
    for (size_t i = 0; i < points->n; i++) {
        const char *collective = points->row[i].point.cell.collective;
        if (!counts(&points->row[i], mpi, mapping) || !is_asked(q, collective) ||
            has_collective(t, collective) || !is_served(q->reader, collective) ||
            !is_choice(q->reader, &points->row[i].point))
            continue;
        if (choose(dir, q, points, collective, mpi, mapping, t, err) < 0)
            return -1;
    }
    if (check_decided(t, err) < 0 || see(dir, q, facts, points, mpi, mapping, t, err) < 0)
        return -1;
    for (size_t i = 0; q->collectives && q->collectives[i]; i++)
        if (!has_collective(t, q->collectives[i])) {
            err_set(err, "no times of %s%s", q->collectives[i],
                    q->reader->component ? " by components" : "");
            tell_there(points, THERE_COLLECTIVE, mpi, mapping, err);
            return points_add_doubted(points, q->collectives[i], err);
        }
    if (q->reader->component && !t->choices.n)
        return err_set(err,
                       "no times of components, among which %s chooses (a study measures them "
                       "where its key `openmpi` names han, tuned, basic, adapt)",
                       q->reader->component);
    snprintf(t->version, sizeof t->version, "%s",
             facts->simulated ? "" : facts_version(facts, mpi));
    tell_default(q->reader, facts->simulated ? facts->sim_default : "", t);
    return 0;
}

/* ---- what leaving han out costs ---- */

static int is_of(const struct measured *m, const struct tuning *t, const struct tuning_cell *c)
{
    const struct cell *of = &m->point.cell;
    return m->point.experiment == EXP_TIME && measured_usable(m) && cell_is_plain(of) &&
           of->procs == c->procs && of->bytes == c->bytes && strcmp(of->mpi, t->mpi) == 0 &&
           strcmp(of->mapping, t->mapping) == 0 && strcmp(of->collective, c->collective) == 0;
}

/* The cell's point of that candidate, or NULL. */
static const struct measured *find_named(const struct points *points, const struct tuning *t,
                                         const struct tuning_cell *c, const char *name)
{
    return find_below(
        points->row, i, points->n,
        is_of(&points->row[i], t, c) &&
            strcmp(algorithm_base_name(points->row[i].point.candidate.algorithm), name) == 0);
}

/* Does han serve a default? Where it is not known what ran: where it takes part. */
static int is_hans(const struct measured *own)
{
    const struct cell *c = &own->point.cell;
    const struct native *han = native_find("openmpi", c->collective, "han");
    if (*own->ran_algorithm && !algorithm_is_default(own->ran_algorithm))
        return strcmp(algorithm_base_name(own->ran_algorithm), "han") == 0;
    return han && !native_out_of_reach(han, c->nodes, c->ppn);
}

static void add_left(const struct points *points, const struct tuning_cell *c, struct tuning *t)
{
    const struct measured *own = find_named(points, t, c, "default");
    if (!own || !is_hans(own))
        return;
    const struct measured *tuned = find_named(points, t, c, "tuned");
    t->left.cells++;
    if (!tuned || !(own->time.value > 0))
        return;
    const double longer = longer_pct(tuned->time.value, own->time.value);
    if (!t->left.known || longer > t->left.most_pct) {
        t->left.most_pct = longer;
        t->left.most = own->point.cell;
    }
    t->left.mean_pct += log1p(longer / 100);
    t->left.known++;
}

/* Where a file leaves han out, cells without a rule lose it, too. */
static void find_left(const struct points *points, const struct tuning_question *q,
                      struct tuning *t)
{
    if (!rules_load_excludes(q->reader, "han"))
        return;
    for (size_t i = 0; i < t->cells; i++)
        if (t->cell[i].verdict != TUNING_CHOSEN && t->cell[i].verdict != TUNING_ORDERED)
            add_left(points, &t->cell[i], t);
    t->left.mean_pct = mean_longer_pct(t->left.mean_pct, t->left.known);
}

int tuning_of_results(const char *dir, const struct tuning_question *question, struct tuning *out,
                      struct err *err)
{
    struct fitted_study of;
    *out = (struct tuning){ .cells = 0 };
    if (fitted_study_read(dir, NULL, question->doubted, &of, err) < 0)
        return -1;
    const int status = choose_all(dir, question, &of.facts, &of.points, out, err);
    if (status == 0)
        find_left(&of.points, question, out);
    points_clear(&of.points);
    if (status < 0)
        tuning_clear(out);
    return status;
}

/* Gains over another library's default are none over this one's. */
static int check_default(const struct advice_table *table, const struct rules_reader *reader,
                         const char *path, struct err *err)
{
    const char *of = *table->rule ? table->rule
                     : table->n   ? mpi_family(table->row[0].cell.mpi)
                                  : reader->library;
    if (reader->schedules || strncmp(of, reader->library, strlen(reader->library)) == 0)
        return 0;
    return err_usage(err, "%s: its default is that of %s, not of %s", path, of, reader->library);
}

static int choose_by_model(const char *path, const struct tuning_question *question,
                           const char *collective, struct tuning *out, struct err *err)
{
    const struct advice_question a = question_of(question, collective);
    struct advice_table table;
    struct err why = { 0 };
    const int answered = advice_of_model(path, &a, &table, &why);
    if (answered != 0)
        return take_status(answered, question, collective, &why, out, err);
    const int status = check_default(&table, question->reader, path, err);
    if (status == 0) {
        take_table(&table, &a, question, out);
        tell_default(question->reader, table.rule, out);
        snprintf(out->reach.rule, NAME_SIZE, "%s", table.rule);
    }
    advice_clear(&table);
    return status;
}

/* Every collective that a model knows. */
static int choose_all_by_model(const char *path, const struct tuning_question *question,
                               struct tuning *out, struct err *err)
{
    struct model_file f;
    int status = model_file_read(path, &f, err);
    if (status < 0)
        return -1;
    for (size_t i = 0; i < f.evidence.n && status == 0; i++) {
        const char *collective = f.evidence.subject[i].context.collective;
        if (!has_collective(out, collective) && is_served(question->reader, collective))
            status = choose_by_model(path, question, collective, out, err);
    }
    model_file_clear(&f);
    return status < 0 ? -1 : check_decided(out, err);
}

/* The walk between a model's cells, on the machine that is asked about. */
struct walker {
    const struct tuning_question *question;
    const struct tuning *tuning;
};

static double walk_longer(const void *of, const char *collective, int procs, uint64_t bytes,
                          const struct candidate *candidate)
{
    const struct walker *w = of;
    const struct facts *machine = w->question->machine;
    const struct advice_question anywhere = { .nodes = 0 };
    struct cell cell = { .procs = procs, .bytes = bytes };
    struct decision d;
    snprintf(cell.collective, NAME_SIZE, "%s", collective);
    snprintf(cell.mpi, NAME_SIZE, "%s", w->tuning->mpi);
    snprintf(cell.mapping, NAME_SIZE, "%s", w->tuning->mapping);
    advice_place(machine, &anywhere, &cell, NULL);
    if (!decided_by(w->tuning->reach.rule, &cell, &d))
        return NAN;
    struct candidate own = { .segment_bytes = d.segment_bytes, .fanout = d.fanout };
    snprintf(own.algorithm, NAME_SIZE, "portable:%.50s", d.algorithm);
    return 100 * expm1(walked_on(machine, &cell, candidate) - walked_on(machine, &cell, &own));
}

int tuning_of_model(const char *path, const struct tuning_question *question, struct tuning *out,
                    struct err *err)
{
    *out = (struct tuning){ .cells = 0 };
    int status = question->collectives ? 0 : choose_all_by_model(path, question, out, err);
    for (size_t i = 0; question->collectives && question->collectives[i] && status == 0; i++)
        status = choose_by_model(path, question, question->collectives[i], out, err);
    const struct walker walker = { question, out };
    out->reach.tie_pct = out->tie_pct;
    if (status < 0)
        tuning_clear(out);
    else if (question->machine && walked_can(question->machine) && *out->reach.rule)
        rule_interval_walk(&out->reach, question->reader, &out->choices, walk_longer, &walker);
    return status;
}

void tuning_clear(struct tuning *tuning)
{
    rules_choices_clear(&tuning->choices);
    rule_interval_clear(&tuning->reach);
    memory_free(tuning->cell, tuning->undecided);
}

const struct rules_reader *tuning_reader(const struct facts *facts, const char *mpi)
{
    const char *sim = facts->sim_default;
    if (!facts->simulated)
        return rules_reader_of(mpi_family(mpi), facts_version(facts, mpi));
    for (const struct rules_reader *const *r = rules_readers; *r; r++)
        if ((*r)->sim && strcmp((*r)->sim, sim) == 0)
            return *r;
    return strncmp(sim, "openmpi", strlen("openmpi")) == 0 ? rules_reader_find("openmpi-4.1")
                                                           : NULL;
}
