/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/plan_build.h"

#include "harness/base/rng.h"
#include "harness/study/plan/same.h"
#include "harness/study/plan/bound.h"
#include "harness/study/plan/candidates.h"
#include "harness/study/plan/experiments.h"
#include "harness/study/rounds.h"
#include "workloads/schedules/collectives.h"

/* Distributes the points of a plan over MPI jobs: by library, mapping, placement and world, cut
 * into chunks if too many for one job, in shuffled order. */

/* Order by what makes a launch: library, mapping, placement, world. Then by id, so that the shuffle
 * starts from one order. */
static int by_launch(const void *left, const void *right)
{
    const struct wanted_point *a = left, *b = right;
    int c = strcmp(a->point.cell.mpi, b->point.cell.mpi);
    if (!c)
        c = strcmp(a->point.cell.mapping, b->point.cell.mapping);
    if (!c)
        c = ascending(a->point.cell.nodes, b->point.cell.nodes);
    if (!c)
        c = ascending(a->point.cell.ppn, b->point.cell.ppn);
    if (!c)
        c = ascending(a->world, b->world);
    return c;
}

static int by_launch_and_id(const void *left, const void *right)
{
    const struct wanted_point *a = left, *b = right;
    return by_keys(by_launch(left, right), strcmp(a->point.id, b->point.id));
}

/* Those that run the same follow each other. */
static int by_weight(const void *left, const void *right)
{
    const struct wanted_point *a = left, *b = right;
    int c = ascending(b->together, a->together);
    if (!c)
        c = ascending(a->first, b->first);
    return c ? c : strcmp(a->point.id, b->point.id);
}

/* Who runs the same as who in a group that is sorted by id, so that `first` is in that order, too.
 * What is timed with another sends no messages of its own. */
static void find_same(const struct wanted *w, struct wanted_point *group, size_t n)
{
    struct point *points = memory_zeros(n, sizeof *points);
    for (size_t i = 0; i < n; i++)
        points[i] = group[i].point;
    size_t *same = same_find(w->cluster, points, n, NULL);
    for (size_t i = 0; i < n; i++) {
        group[i].first = same[i];
        if (same[i] != i)
            group[i].messages = 0;
        if (same[i] != i && !w->queued)
            group[i].weight = 0;
        group[same[i]].together += group[i].weight;
    }
    for (size_t i = 0; i < n; i++)
        group[i].together = group[same[i]].together;
    memory_free(same, points);
}

/* End of the group of equal launches that starts at i. */
static size_t group_end(const struct wanted *w, size_t i)
{
    size_t end = i + 1;
    while (end < w->n && by_launch(&w->points[i], &w->points[end]) == 0)
        end++;
    return end;
}

/* How many launches a group of points is cut in. Simulated, so that cores share the work; queued,
 * so that each fits into a job: dealt out, none is longer than the mean and its largest point. */
static int chunks_of(const struct wanted *w, const struct wanted_point *group, size_t n)
{
    double weight = 0, most = 0, chunks = 1, items = 0;
    for (size_t i = 0; i < n; i++) {
        items += group[i].first == i;
        weight += group[i].weight;
        most = fmax(most, group[i].together);
    }
    double limit =
        w->queued ? bound_most_launch(w->cluster, w->study) : (double)w->study->launch_messages;
    if (w->simulated)
        chunks = ceil(weight / limit);
    else if (w->queued && weight > limit)
        chunks = limit > most ? ceil(weight / (limit - most)) : items;
    return chunks < 1 ? 1 : chunks > items ? (int)items : (int)chunks;
}

/* Makes room for so many more, counted when they are filled in. */
static void plan_room(struct plan *plan, size_t points, size_t launches)
{
    array_more(&plan->points, &plan->n, points);
    plan->n -= points;
    array_more(&plan->launches, &plan->n_launches, launches);
    plan->n_launches -= launches;
}

static struct launch *add_launch(struct plan *plan, const struct wanted_point *like, int chunk,
                                 int repeat)
{
    const struct cell *c = &like->point.cell;
    struct launch *l = &plan->launches[plan->n_launches++];
    *l = (struct launch){ .nodes = c->nodes,
                          .ppn = c->ppn,
                          .procs = like->world,
                          .chunk = chunk,
                          .repeat = repeat,
                          .first = plan->n };
    memcpy(l->mpi, c->mpi, sizeof l->mpi);
    memcpy(l->mapping, c->mapping, sizeof l->mapping);
    launch_name(l);
    return l;
}

/* Deals a group into chunks of like size, the largest points first, those that run the same into
 * one; chunk[i] is from 0. Sorts the group. */
static void deal(struct wanted_point *group, size_t n, int chunks, int *chunk)
{
    double *load = memory_zeros((size_t)chunks, sizeof *load);
    qsort(group, n, sizeof *group, by_weight);
    for (size_t i = 0; i < n; i++) {
        int least = i && group[i].first == group[i - 1].first ? chunk[i - 1] : 0;
        for (int k = 1; k < chunks && !(i && group[i].first == group[i - 1].first); k++)
            if (load[k] < load[least])
                least = k;
        chunk[i] = least;
        load[least] += group[i].weight;
    }
    free(load);
}

static void fill_launch(struct plan *plan, struct launch *l, const struct wanted_point *group,
                        const int *chunk, size_t n, struct rng *rng)
{
    for (size_t i = 0; i < n; i++) {
        if (chunk[i] + 1 != (l->chunk ? l->chunk : 1))
            continue;
        plan->points[plan->n++] = group[i].point;
        l->messages += group[i].messages;
        l->n++;
    }
    rng_shuffle(rng, &plan->points[l->first], l->n, sizeof *plan->points);
}

static void plan_group(const struct wanted *w, struct plan *plan, struct wanted_point *group,
                       size_t n, struct rng *rng)
{
    find_same(w, group, n);
    int chunks = chunks_of(w, group, n);
    const struct rounds_rule rule = rounds_rule_of(w->study, 0);
    const int repeats = rounds_planned(&rule, w->simulated, plan_is_exact(group->point.cell.mpi));
    int *chunk = memory_zeros(n, sizeof *chunk);
    deal(group, n, chunks, chunk);
    plan_room(plan, n * (size_t)repeats, (size_t)(chunks * repeats));
    for (int r = 1; r <= repeats; r++)
        for (int k = 1; k <= chunks; k++)
            fill_launch(plan, add_launch(plan, group, chunks > 1 ? k : 0, r), group, chunk, n, rng);
    free(chunk);
}

/* Launches start in shuffled order, repeat by repeat; equal seeds give equal orders. */
static void order_launches(struct plan *plan, struct rng *rng)
{
    rng_shuffle(rng, plan->launches, plan->n_launches, sizeof *plan->launches);
    struct launch *ordered = memory_zeros(plan->n_launches + 1, sizeof *ordered);
    for (size_t n = 0, repeat = 1; n < plan->n_launches; repeat++)
        for (size_t i = 0; i < plan->n_launches; i++)
            if (plan->launches[i].repeat == (int)repeat)
                ordered[n++] = plan->launches[i];
    free(plan->launches);
    plan->launches = ordered;
}

/* Fills points and launches of an empty plan from w, which it sorts. Equal points and
 * seeds give equal plans. */
static void launches_deal(struct wanted *w, struct plan *plan)
{
    struct rng rng;
    rng_init(&rng, w->study->seed);
    if (w->n)
        qsort(w->points, w->n, sizeof *w->points, by_launch_and_id);
    for (size_t i = 0; i < w->n;) {
        size_t end = group_end(w, i);
        plan_group(w, plan, w->points + i, end - i, &rng);
        i = end;
    }
    order_launches(plan, &rng);
}

/* The cells of a study: every process count, size and root of its grid, and those held out from the
 * fits, each with all candidates and the library's default. */

static int want_cell(struct wanted *w, struct point point, enum purpose purpose)
{
    struct point by_default = point;
    point.purpose = purpose;
    if (candidates_want(w, &point) < 0)
        return -1;
    candidates_want_default(w, &by_default);
    return 0;
}

/* Why a cell under such conditions cannot be measured; "": it can. */
static void refuse(const struct wanted *w, const struct study_arrival *arrival,
                   const struct cell *cell, char refusal[REASON_SIZE])
{
    *refusal = '\0';
    if (arrival->ranks < cell->procs)
        snprintf(refusal, REASON_SIZE, "the trace of arrivals has %d ranks", arrival->ranks);
    else if (cell_is_rotated(cell) && w->simulated)
        snprintf(refusal, REASON_SIZE, "a simulation has no caches that buffers could be out of");
}

/* A cell of the grid under each pattern of arrival, with each kind of buffers. */
static int want_conditions(struct wanted *w, struct point point)
{
    const struct study *s = w->study;
    char refusal[REASON_SIZE];
    int status = 0;
    for (size_t k = 0; k < s->buffers.n; k++)
        for (size_t i = 0; status == 0 && i < s->n_arrivals; i++) {
            const int rotated = k > 0 && point.cell.bytes > 0;
            memcpy(point.cell.arrival, s->arrivals[i].name, sizeof point.cell.arrival);
            snprintf(point.cell.buffers, BUFFERS_SIZE, "%s", rotated ? CELL_ROTATED : "");
            refuse(w, &s->arrivals[i], &point.cell, refusal);
            w->refusal = *refusal ? refusal : NULL;
            status = want_cell(w, point, FOR_STUDY);
            w->refusal = NULL;
        }
    return status;
}

static int must_be_rank(const struct wanted *w, const char *key, int root, int procs)
{
    if (root < procs)
        return 0;
    err_usage(w->err, "%d is not a rank of %d processes", root, procs);
    return study_in_key(w->study, key, w->err);
}

/* Roots of a list; of a collective without one, rank 0 alone. */
static size_t count_roots(const struct int_list *roots, const struct point *point)
{
    return collective_of(point->cell.collective)->rooted ? roots->n : 1;
}

static int root_at(const struct int_list *roots, const struct point *point, size_t i)
{
    return collective_of(point->cell.collective)->rooted ? roots->v[i] : 0;
}

/* Sizes of the grid; of a collective without data one, which is none. */
static size_t count_sizes(const struct study *s, const struct point *point)
{
    return collective_moves(point->cell.collective) ? s->bytes.n : 1;
}

static uint64_t size_at(const struct study *s, const struct point *point, size_t i)
{
    return collective_moves(point->cell.collective) ? s->bytes.v[i] : 0;
}

static int want_procs(struct wanted *w, struct point point)
{
    const struct study *s = w->study;
    for (size_t r = 0; r < count_roots(&s->roots, &point); r++) {
        point.cell.root = root_at(&s->roots, &point, r);
        if (must_be_rank(w, "roots", point.cell.root, point.cell.procs) < 0)
            return -1;
        for (size_t i = 0; i < count_sizes(s, &point); i++) {
            const uint64_t bytes = size_at(s, &point, i);
            point.cell.bytes = bytes;
            if (want_conditions(w, point) < 0)
                return -1;
            point.cell.bytes = (uint64_t)llround((double)bytes * s->held_bytes_factor);
            if (bytes && s->held_bytes_factor > 0 && want_cell(w, point, FOR_HELD_BYTES) < 0)
                return -1;
        }
    }
    return 0;
}

/* One rank alone has nobody to talk to. */
static int is_shape(const struct study *s, int64_t procs)
{
    return procs > 1 && (!s->shape_procs || procs <= s->shape_procs);
}

/* Every number of nodes with every number of ranks on each. */
static int want_shapes(struct wanted *w, struct point point)
{
    const struct study *s = w->study;
    int status = 0;
    for (size_t i = 0; i < s->shape_nodes.n; i++)
        for (size_t k = 0; k < s->shape_ppn.n && status == 0; k++) {
            const int nodes = s->shape_nodes.v[i], ppn = s->shape_ppn.v[k];
            if (!is_shape(s, (int64_t)nodes * ppn))
                continue;
            w->shape_nodes = nodes;
            w->shape_ppn = ppn;
            point.cell.procs = nodes * ppn;
            status = want_procs(w, point);
        }
    w->shape_nodes = w->shape_ppn = 0;
    return status;
}

/* The grid: every shape, or every process count. */
static int want_grid(struct wanted *w, struct point point)
{
    const struct study *s = w->study;
    if (s->shape_nodes.n)
        return want_shapes(w, point);
    for (size_t p = 0; p < s->procs.n; p++) {
        point.cell.procs = s->procs.v[p];
        if (want_procs(w, point) < 0)
            return -1;
    }
    return 0;
}

/* Held out process counts at the grid's sizes; held out roots at its largest process count. */
static int want_held(struct wanted *w, struct point point)
{
    const struct study *s = w->study;
    for (size_t i = 0; i < count_sizes(s, &point); i++) {
        point.cell.bytes = size_at(s, &point, i);
        point.cell.root = root_at(&s->roots, &point, 0);
        for (size_t p = 0; p < s->held_procs.n; p++) {
            point.cell.procs = s->held_procs.v[p];
            if (must_be_rank(w, "roots", point.cell.root, point.cell.procs) < 0 ||
                want_cell(w, point, FOR_HELD_PROCS) < 0)
                return -1;
        }
        point.cell.procs = int_list_largest(&s->procs);
        for (size_t r = 0; collective_of(point.cell.collective)->rooted && r < s->held_roots.n;
             r++) {
            point.cell.root = s->held_roots.v[r];
            if (must_be_rank(w, "held_roots", point.cell.root, point.cell.procs) < 0 ||
                want_cell(w, point, FOR_HELD_ROOT) < 0)
                return -1;
        }
    }
    return 0;
}

/* Everything of one collective, library and mapping. */
static int want_mapping(struct wanted *w, const char *collective, const char *mpi,
                        const char *mapping)
{
    struct point point = { .experiment = EXP_TIME };
    snprintf(point.cell.collective, NAME_SIZE, "%.63s", collective);
    snprintf(point.cell.mpi, NAME_SIZE, "%.63s", mpi);
    snprintf(point.cell.mapping, NAME_SIZE, "%.63s", mapping);
    if (want_grid(w, point) < 0 || want_held(w, point) < 0)
        return -1;
    return w->study->experiments ? experiments_want_fits(w, &point) : 0;
}

static const char *const stand_ins[][2] = { { "sim", "smpi" },
                                            { "walk", "walk" },
                                            { "null", "null" } };
enum { N_STAND_INS = sizeof stand_ins / sizeof *stand_ins };

const char *plan_stand_in(const char *backend)
{
    for (size_t i = 0; i < N_STAND_INS; i++)
        if (strcmp(stand_ins[i][0], backend) == 0)
            return stand_ins[i][1];
    return NULL;
}

int plan_stands_in(const char *mpi)
{
    return any_below(i, N_STAND_INS, strcmp(stand_ins[i][1], mpi) == 0);
}

int plan_is_exact(const char *mpi)
{
    return plan_stands_in(mpi) && strcmp(mpi, "null") != 0;
}

static int want_all(struct wanted *w, const char *backend)
{
    const struct study *s = w->study;
    for (size_t m = 0; m < (w->simulated ? 1 : s->mpi.n); m++) {
        const char *mpi = w->simulated ? plan_stand_in(backend) : s->mpi.v[m];
        for (size_t c = 0; c < s->collectives.n; c++)
            for (size_t k = 0; k < s->mappings.n; k++)
                if (want_mapping(w, s->collectives.v[c], mpi, s->mappings.v[k]) < 0)
                    return -1;
        if (s->experiments && experiments_want_channels(w, mpi) < 0)
            return -1;
    }
    return 0;
}

int plan_build(const struct cluster *cluster, const struct study *study, const char *backend,
               struct plan *plan, struct err *err)
{
    struct wanted w = { .cluster = cluster,
                        .study = study,
                        .err = err,
                        .simulated = plan_stand_in(backend) != NULL,
                        .queued = strcmp(backend, "slurm") == 0 || strcmp(backend, "kit") == 0 };
    *plan = (struct plan){ 0 };
    int status = want_all(&w, backend);
    if (status == 0 && w.n == 0)
        status = err_usage(err, "%s: nothing of this study can be measured on '%s'%s%s",
                           study->path, cluster->name, w.n_skipped ? ": " : "",
                           w.n_skipped ? w.skipped[0].reason : "");
    if (status == 0)
        launches_deal(&w, plan);
    plan->skipped = w.skipped; /* the plan's from now on */
    plan->n_skipped = w.n_skipped;
    w.skipped = NULL;
    wanted_clear(&w);
    if (status < 0)
        plan_free(plan);
    return status;
}
