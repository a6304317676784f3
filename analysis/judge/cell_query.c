/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/judge/cell_query.h"

#include "analysis/measure/fitted_study.h"
#include "harness/base/suggest.h"
#include "harness/study/libraries/spelling.h"

/* Does a row fit one part of the question? */
static int fits(const struct cell_query *a, const struct cell_query_row *row,
                enum cell_query_part part)
{
    switch (part) {
    case CELL_QUERY_COLLECTIVE:
        return strcmp(row->collective, a->collective) == 0;
    case CELL_QUERY_MPI:
        return !a->mpi || strcmp(row->mpi, a->mpi) == 0;
    case CELL_QUERY_MAPPING:
        return !a->mapping || strcmp(row->mapping, a->mapping) == 0;
    case CELL_QUERY_ALGORITHM:
        return !a->algorithm ||
               spelling_fits(a->collective, row->candidate->algorithm, a->algorithm);
    case CELL_QUERY_SEGMENT:
        return !a->segment_given || row->candidate->segment_bytes == a->segment_bytes;
    default:
        return !a->fanout_given || row->candidate->fanout == a->fanout;
    }
}

/* The first part of the question that a row does not fit; N_ASKED_PARTS: it fits all. */
static enum cell_query_part first_misfit(const struct cell_query *a,
                                         const struct cell_query_row *row)
{
    enum cell_query_part part = CELL_QUERY_COLLECTIVE;
    while (part < N_ASKED_PARTS && fits(a, row, part))
        part++;
    return part;
}

static int fits_all(const struct cell_query *a, const struct cell_query_row *row)
{
    return first_misfit(a, row) == N_ASKED_PARTS;
}

/* The place of a library in the study's list. */
static size_t place_of(const struct facts *facts, const char *mpi)
{
    size_t k = 0;
    while (facts && k < facts->n_mpis && strcmp(facts->mpi[k], mpi) != 0)
        k++;
    return k;
}

size_t cell_query_find(const struct cell_query *a, const struct cell_query_row *rows, size_t n,
                       const struct facts *facts)
{
    size_t found = n;
    for (size_t i = 0; i < n; i++)
        if (fits_all(a, &rows[i]) &&
            (found == n || place_of(facts, rows[i].mpi) < place_of(facts, rows[found].mpi)))
            found = i;
    return found;
}

/* What a row has in a part of the question, for people. */
static const char *text_of(const struct cell_query_row *row, enum cell_query_part part,
                           char buf[NAME_SIZE])
{
    switch (part) {
    case CELL_QUERY_COLLECTIVE:
        return row->collective;
    case CELL_QUERY_MPI:
        return row->mpi;
    case CELL_QUERY_MAPPING:
        return row->mapping;
    case CELL_QUERY_ALGORITHM:
        return row->candidate->algorithm;
    case CELL_QUERY_SEGMENT:
        return row->candidate->segment_bytes
                   ? format_bytes(row->candidate->segment_bytes, buf, NAME_SIZE)
                   : "none";
    default:
        snprintf(buf, NAME_SIZE, "%d", row->candidate->fanout);
        return row->candidate->fanout ? buf : "none";
    }
}

/* Adds a word to a list, unless it is there or there is no room. */
static void add_word(char *list, size_t size, const char *word)
{
    const size_t n = strlen(word), end = strlen(list);
    for (const char *at = list; (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ',' || at[-1] == ' ') && (at[n] == ',' || !at[n]))
            return;
    if (end + n + 3 < size)
        snprintf(list + end, size - end, "%s%s", end ? ", " : "", word);
}

/* A word without a library's name is compared with names without theirs. */
static void try_name(struct suggest *m, const char *name)
{
    suggest_try(m, strchr(m->word, ':') ? name : algorithm_base_name(name));
}

int cell_query_describe(const struct cell_query *a, const char *what,
                        const struct cell_query_row *rows, size_t n, struct err *err)
{
    static const char *const names[] = { "collective", "library", "mapping",
                                         "algorithm",  "segment", "fan-out" };
    struct suggest m;
    char list[512] = "", buf[NAME_SIZE], of[3 * NAME_SIZE] = "";
    const struct candidate wanted = { .segment_bytes = a->segment_bytes, .fanout = a->fanout };
    struct cell_query_row own = { a->collective, a->mpi, a->mapping, &wanted };
    enum cell_query_part part = CELL_QUERY_COLLECTIVE;
    for (size_t i = 0; i < n; i++) {
        const enum cell_query_part misfit = first_misfit(a, &rows[i]);
        part = misfit > part ? misfit : part;
    }
    if (n == 0 || part == N_ASKED_PARTS)
        return err_set(err, "%s", what);
    for (size_t i = 0; i < n; i++)
        if (first_misfit(a, &rows[i]) == part)
            add_word(list, sizeof list, text_of(&rows[i], part, buf));
    if (part > CELL_QUERY_COLLECTIVE)
        snprintf(of, sizeof of, " for %s%s%.60s", a->collective,
                 part > CELL_QUERY_ALGORITHM ? " " : "",
                 part > CELL_QUERY_ALGORITHM && a->algorithm ? a->algorithm : "");
    const char *asked = part == CELL_QUERY_ALGORITHM ? a->algorithm : text_of(&own, part, buf);
    err_set(err, "%s of %s '%s'%s (there is: %s)", what, names[part], asked, of, list);
    suggest_init(&m, asked);
    for (size_t i = 0; i < n && part <= CELL_QUERY_ALGORITHM; i++)
        if (first_misfit(a, &rows[i]) == part)
            try_name(&m, text_of(&rows[i], part, buf));
    return suggest_add(&m, err);
}

static struct cell_query_row row_of(const struct point *p)
{
    return (struct cell_query_row){ p->cell.collective, p->cell.mpi, p->cell.mapping,
                                    &p->candidate };
}

/* In measurements of others: as those of the set's cells of this library and mapping that have so
 * many ranks, or, where it has none, as the mapping fills the nodes that it used. */
static void place_as_seen(const struct points *points, int node_cores, struct cell *cell)
{
    int most = 1;
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        if (p->experiment != EXP_TIME || points->row[i].status == POINT_SKIPPED ||
            strcmp(p->cell.mpi, cell->mpi) != 0 || strcmp(p->cell.mapping, cell->mapping) != 0)
            continue;
        if (p->cell.procs == cell->procs) {
            cell->nodes = p->cell.nodes;
            cell->ppn = p->cell.ppn;
            return;
        }
        most = p->cell.nodes > most ? p->cell.nodes : most;
    }
    if (strcmp(cell->mapping, "node") == 0 || node_cores <= 0)
        cell->nodes = cell->procs < most ? cell->procs : most;
    else
        cell->nodes = (cell->procs + node_cores - 1) / node_cores;
    cell->ppn = (cell->procs + cell->nodes - 1) / cell->nodes;
}

int cell_query_place(const struct cell_query *a, const struct points *points,
                     const struct facts *facts, struct cell *cell, struct err *err)
{
    const int planned = *facts->spread && facts->study_nodes > 0 && facts->study_room > 0;
    if (planned)
        seat_spread(facts->spread, cell->mapping, facts->study_nodes, facts->study_room,
                    cell->procs, &cell->nodes, &cell->ppn);
    else
        place_as_seen(points, facts->sockets * facts->cores, cell);
    if (a->nodes && a->nodes != cell->nodes) {
        cell->nodes = a->nodes;
        cell->ppn = (cell->procs + a->nodes - 1) / a->nodes;
    }
    const int most = facts->study_room * facts->study_share;
    if (!planned || cell->ppn <= most)
        return 0;
    return err_set(err, "%d processes on %d node%s do not fit: the study gives a node of '%s' %d%s",
                   cell->procs, cell->nodes, plural(cell->nodes), facts->cluster, most,
                   most < facts->sockets * facts->cores ? " (--study tune gives each core one)"
                                                        : "");
}

/* The first point that is meant; NULL, with *err. */
static const struct point *find_like(const char *dir, const struct cell_query *a,
                                     const struct points *points, const struct facts *facts,
                                     struct err *err)
{
    char what[PATH_SIZE + 64];
    size_t n = 0, *at = memory_zeros(points->n + 1, sizeof *at);
    struct cell_query_row *rows = memory_zeros(points->n + 1, sizeof *rows);
    const struct point *found = NULL;
    for (size_t i = 0; i < points->n; i++)
        if (points->row[i].point.experiment == EXP_TIME) {
            rows[n] = row_of(&points->row[i].point);
            at[n++] = i;
        }
    const size_t k = cell_query_find(a, rows, n, facts);
    if (k < n)
        found = &points->row[at[k]].point;
    snprintf(what, sizeof what, "%s/points.csv: has no times", dir);
    if (!found)
        cell_query_describe(a, what, rows, n, err);
    memory_free(rows, at);
    return found;
}

int cell_query_holds(const struct facts *facts, const struct points *points, int procs, int nodes,
                     struct err *err)
{
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        if (p->experiment == EXP_TIME && points->row[i].status != POINT_SKIPPED &&
            p->cell.procs >= procs)
            procs = 0;
    }
    return cluster_holds(facts->cluster, facts->nodes, facts->sockets * facts->cores, procs, nodes,
                         err);
}

/* Leaves the times of other collectives, libraries and mappings out: no model of this one's rests
 * on them, and there are many. */
static void keep_like(struct points *points, const struct cell *cell)
{
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct point *p = &points->row[i].point;
        if (p->experiment != EXP_TIME ||
            (strcmp(p->cell.collective, cell->collective) == 0 &&
             strcmp(p->cell.mpi, cell->mpi) == 0 && strcmp(p->cell.mapping, cell->mapping) == 0))
            points->row[n++] = points->row[i];
    }
    points->n = n;
}

/* 1 when two cells differ by their size, ranks and root alone. */
static int is_alike(const struct cell *a, const struct cell *b)
{
    return strcmp(a->collective, b->collective) == 0 && strcmp(a->mpi, b->mpi) == 0 &&
           strcmp(a->mapping, b->mapping) == 0;
}

/* 1 for a candidate of the study, a library's default and what was asked for; what the default
 * would pick somewhere, and what parameters alone rest on, are none. */
static int is_candidate(const struct point *p, const struct candidate *asked)
{
    return (p->purpose != FOR_FIT && p->purpose != FOR_DEFAULT &&
            p->purpose != FOR_OTHER_DEFAULT) ||
           algorithm_is_default(p->candidate.algorithm) || candidate_equal(&p->candidate, asked);
}

/* All candidates that the set has times of, in the cell. */
static void list_candidates(const struct points *points, const struct cell *cell,
                            const struct candidate *asked, struct points *out)
{
    *out = (struct points){ .row = memory_zeros(points->n + 1, sizeof *out->row) };
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment != EXP_TIME || !is_alike(&m->point.cell, cell) ||
            !is_candidate(&m->point, asked))
            continue;
        struct measured *row =
            find_below(out->row, k, out->n,
                       candidate_equal(&out->row[k].point.candidate, &m->point.candidate));
        if (!row) {
            row = &out->row[out->n++];
            *row = (struct measured){
                .point = m->point, .time.value = NAN, .mean_rank_s = NAN, .status = POINT_MISSING
            };
            row->point.cell = *cell;
            point_identify(&row->point);
        }
        if (cell_compare(&m->point.cell, cell) == 0)
            *row = *m;
    }
}

/* The points, and behind them the candidates that are not among them. */
static void add_candidates(struct points *points, const struct points *candidates)
{
    points->row = memory_resize(points->row, points->n + candidates->n + 1, sizeof *points->row);
    for (size_t i = 0; i < candidates->n; i++)
        if (candidates->row[i].status == POINT_MISSING)
            points->row[points->n++] = candidates->row[i];
}

static int ask_models(const struct points *points, const struct facts *facts,
                      const struct compare_studies *against, struct answer *answer, struct err *err)
{
    struct point_groups groups;
    struct parameters p = { .facts = facts, .against = against };
    struct fit_from from = { .points = points, .facts = facts, .groups = &groups };
    point_groups_make(points, &groups);
    const int status = parameters_fit_all(&p, &from, err);
    if (status == 0)
        predictions_make(&answer->candidates, &p, &answer->said);
    parameters_clear(&p);
    point_groups_clear(&groups);
    return status;
}

/* The same with the study's simulation, where there is one. */
static int ask_all(const char *dir, int doubted, const struct points *points,
                   const struct facts *facts, struct answer *answer, struct err *err)
{
    char other[PATH_SIZE];
    struct compare_studies against;
    struct err why = { .text = "" };
    compare_studies_choose(NULL, dir, facts->backend, other, sizeof other);
    if (!*other || compare_studies_open(other, doubted, &against, &why) < 0)
        return ask_models(points, facts, NULL, answer, err);
    const int status = ask_models(points, facts, &against, answer, err);
    compare_studies_close(&against);
    return status;
}

static int answer_cell(const char *dir, const struct cell_query *asked, struct points *points,
                       const struct facts *facts, struct answer *out, struct err *err)
{
    if (cell_query_holds(facts, points, asked->procs, asked->nodes, err) < 0)
        return -1;
    const struct point *like = find_like(dir, asked, points, facts, err);
    if (!like)
        return 1;
    const struct candidate candidate = like->candidate;
    struct cell cell = like->cell;
    cell.procs = asked->procs;
    cell.root = asked->root;
    cell.bytes = asked->bytes;
    if (cell_query_place(asked, points, facts, &cell, err) < 0)
        return -1;
    keep_like(points, &cell);
    list_candidates(points, &cell, &candidate, &out->candidates);
    memcpy(out->candidates.backend, points->backend, sizeof points->backend);
    add_candidates(points, &out->candidates);
    points_sort(points); /* anew: the rows are others now */
    out->asked = out->candidates.n;
    for (size_t i = 0; asked->algorithm && i < out->candidates.n; i++)
        if (candidate_equal(&out->candidates.row[i].point.candidate, &candidate))
            out->asked = i;
    return ask_all(dir, asked->doubted, points, facts, out, err);
}

int cell_query_answer(const char *dir, const struct cell_query *asked, struct answer *out,
                      struct err *err)
{
    struct fitted_study of;
    *out = (struct answer){ .asked = 0 };
    if (fitted_study_read(dir, NULL, asked->doubted, &of, err) < 0)
        return -1;
    const int status = answer_cell(dir, asked, &of.points, &of.facts, out, err);
    points_clear(&of.points);
    if (status)
        answer_clear(out);
    return status;
}

enum standing answer_standing(const struct answer *answer, const struct model *model)
{
    const struct points *all = &answer->candidates;
    const enum standing standing = model_standing(model, all->backend);
    const size_t i = first_below(k, all->n, measured_usable(&all->row[k]));
    return standing == STANDING_IN_SAMPLE && i == all->n ? STANDING_TEST : standing;
}

enum predict_status answer_why_none(const struct answer *answer, const struct model_said *said)
{
    size_t i = 0;
    while (i + 1 < answer->candidates.n &&
           algorithm_is_default(said[i].of->point.candidate.algorithm))
        i++;
    return said[i].prediction.status;
}

void answer_clear(struct answer *answer)
{
    points_clear(&answer->candidates);
    predictions_clear(&answer->said);
}
