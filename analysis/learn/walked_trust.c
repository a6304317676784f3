/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/walked_trust.h"

#include "analysis/measure/equivalent.h"
#include "analysis/walk/replay.h"
#include "harness/study/simulation_costs.h"

/* The time of an algorithm on a machine that nobody measured: its schedule, replayed
 * (analysis/walk/replay.h) with the costs of the machine's cluster file, as `collsel cluster new`
 * writes it from presets.  A call of many ranks or segments takes long to replay, so that it is
 * extrapolated: from two numbers of nodes (of ranks, on one node), a half and all of what
 * WALKED_PROCS ranks fill, along the logarithms; from two sizes, along the line through both, where
 * there are more than WALKED_SEGMENTS segments. */

enum { WALKED_PROCS = 64, WALKED_SEGMENTS = 32 };

/* Where the ranks of a cell sit on the cluster. */
static struct seating seating_on(const struct cluster *cluster, const struct cell *cell)
{
    struct seating seats = cell_seating(cell);
    seats.sockets = cluster->sockets;
    seats.cores = cluster->cores;
    seats.cache_cores = cluster->cache_cores;
    return seats;
}

static int make_schedule(const struct cell *cell, const struct candidate *candidate,
                         const struct seating *seats, struct schedule *s)
{
    if (equivalent_schedule(NULL, cell, candidate, s, NULL) < 0)
        return -1;
    s->seats = *seats;
    return 0;
}

/* Replays a call as it is: seconds, or NaN. */
static double replayed(const struct cluster *cluster, const struct cell *cell,
                       const struct candidate *candidate)
{
    const struct seating seats = seating_on(cluster, cell);
    struct platform *platform = platform_new(cluster, &seats, NULL);
    struct replay *replay = platform ? replay_new(platform) : NULL;
    double *end_s = memory_zeros((size_t)cell->procs, sizeof *end_s), most = NAN;
    struct schedule s;
    const struct replay_part part = { &s, 0 };
    const struct replay_call call = { .part = &part, .parts = 1, .times = 1 };
    if (replay && make_schedule(cell, candidate, &seats, &s) == 0 &&
        replay_walk(replay, &call, end_s, NULL, NULL) == 0)
        for (int r = 0; r < cell->procs; r++)
            most = r ? fmax(most, end_s[r]) : end_s[r];
    free(end_s);
    if (replay)
        replay_free(replay);
    if (platform)
        platform_free(platform);
    return most;
}

/* With at most so many segments: the slope of the time beyond them is that of the last half. */
static double replayed_bytes(const struct cluster *cluster, const struct cell *cell,
                             const struct candidate *candidate)
{
    const struct seating seats = seating_on(cluster, cell);
    struct schedule s;
    if (make_schedule(cell, candidate, &seats, &s) < 0)
        return NAN;
    if (s.segments <= WALKED_SEGMENTS)
        return replayed(cluster, cell, candidate);
    struct cell less = *cell, least = *cell;
    less.bytes = cell->bytes / s.segments * WALKED_SEGMENTS;
    least.bytes = less.bytes / 2;
    const double t = replayed(cluster, &less, candidate),
                 slope = (t - replayed(cluster, &least, candidate)) /
                         (double)(less.bytes - least.bytes);
    return t + slope * (double)(cell->bytes - less.bytes);
}

/* The cell with so many of its nodes, or, of one node, ranks. */
static struct cell part_of(const struct cell *cell, int n)
{
    struct cell c = *cell;
    if (cell->nodes == 1) {
        c.procs = c.ppn = n;
    } else {
        c.nodes = n;
        c.procs = (int)((int64_t)cell->procs * n / cell->nodes);
        c.ppn = (c.procs + n - 1) / n;
    }
    return c;
}

static double walk(const struct cluster *cluster, const struct cell *cell,
                   const struct candidate *candidate)
{
    const int all = cell->nodes == 1 ? cell->procs : cell->nodes;
    int most = all;
    while ((int64_t)cell->procs * most / all > WALKED_PROCS && most > (cell->nodes == 1 ? 2 : 4))
        most = (most + 1) / 2;
    if (most == all)
        return log(replayed_bytes(cluster, cell, candidate));
    const int half = (most + 1) / 2;
    const struct cell some = part_of(cell, most), few = part_of(cell, half);
    const double t = log(replayed_bytes(cluster, &some, candidate)),
                 slope = (t - log(replayed_bytes(cluster, &few, candidate))) /
                         log((double)some.procs / few.procs);
    return t + slope * log((double)cell->procs / some.procs);
}

/* Walks of cells, which are asked about more than once: one in each place. */
enum { KEPT_WALKS = 65536 };

struct walk_kept {
    const struct cluster *cluster;
    char point[ID_SIZE];
    double log_s;
};

/* The logarithm of the seconds that the slowest rank takes, from the call of all ranks together;
 * NaN: the algorithm has no schedule, or the cluster file no costs of messages. */
static double walked_log(const struct cluster *cluster, const struct cell *cell,
                         const struct candidate *candidate)
{
    static _Thread_local struct walk_kept kept[KEPT_WALKS];
    struct point p = { .cell = *cell, .candidate = *candidate };
    point_identify(&p);
    struct walk_kept *k = &kept[strtoull(p.id, NULL, 16) % KEPT_WALKS];
    if (k->cluster != cluster || strcmp(k->point, p.id) != 0) {
        *k = (struct walk_kept){ .cluster = cluster, .log_s = walk(cluster, cell, candidate) };
        memcpy(k->point, p.id, sizeof k->point);
    }
    return k->log_s;
}

/* What a walk may have to promise: 2, 5, 11, 22, 49, 101 and 232 % over the default. */
static const double thresholds[] = { 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.2 };
enum { N_THRESHOLDS = sizeof thresholds / sizeof *thresholds };

/* Fewer cells than this teach nothing. */
enum { LEAST_CELLS = 8 };

/* So much may be lost in the mean, as a logarithm, where nothing was harmed: less than a tie. */
static const double no_harm = -0.005;

/* Where the ranks of a cell sit: a place of walked_trust.safe. */
static int place_of(const struct cell *cell)
{
    return cell->nodes == 1 ? 0 : cell->ppn == 1 ? 1 : 2;
}

/* Names of algorithms by family, with blanks about each. */
static const char *const families[WALKED_FAMILIES] = {
    " linear basic_linear linear_sync linear_nb ",
    " tree binomial knomial binary binary_tree split_binary_tree in_order_binary ",
    " recursive_doubling recursive_halving bruck modified_bruck butterfly two_procs ",
    " ring double_ring segmented_ring neighbor pairwise chain pipeline ",
    " rabenseifner scatter_allgather scatter_allgather_ring gatherv_bcast nonoverlapping ",
};

/* WALKED_FAMILIES: none. */
static int family_of(const struct candidate *c)
{
    char name[NAME_SIZE + 2];
    int f = 0;
    snprintf(name, sizeof name, " %s ", algorithm_base_name(c->algorithm));
    while (f < WALKED_FAMILIES && !strstr(families[f], name))
        f++;
    return f;
}

double walked_least(const struct walked_trust *trust, const struct cell *cell,
                    const struct candidate *default_runs, const struct candidate *takes)
{
    const int from = family_of(default_runs), to = family_of(takes);
    const double safe = trust->safe[place_of(cell)];
    return from < WALKED_FAMILIES && to < WALKED_FAMILIES
               ? fmin(safe, trust->pair[from * WALKED_FAMILIES + to])
               : safe;
}

int walked_can(const struct facts *machine)
{
    return machine->costs && costs_stated(machine->costs, NULL) == 0;
}

double walked_on(const struct facts *machine, const struct cell *cell,
                 const struct candidate *candidate)
{
    return walked_can(machine) ? walked_log(machine->costs, cell, candidate) : NAN;
}

/* What the walk promised in a cell, and what it gained. */
struct promise {
    const struct collective *of;
    size_t machine, row; /* row: of a collective, machine and mapping, counted through all */
    int place, from, to; /* families: of what the default runs, of what overrides it */
    double promised, gain;
};

struct promises {
    struct promise *v;
    size_t n, rows;
};

/* 1: the candidate is one of the library's own, by name. */
static int is_own(const struct cell *cell, const struct candidate *kind)
{
    const char *family = mpi_family(cell->mpi);
    const size_t n = strlen(family);
    return strncmp(kind->algorithm, family, n) == 0 && kind->algorithm[n] == ':' &&
           !algorithm_is_default(kind->algorithm);
}

/* The candidate of an example with the least walk. NULL: fewer than two were walked. */
static const struct offer *find_least(const struct subject *s, const struct example *l,
                                      const struct facts *machine, double *least)
{
    const struct offer *best = NULL;
    size_t n = 0;
    *least = INFINITY;
    for (size_t i = 0; i < l->n; i++) {
        const struct candidate *kind = &s->kind[l->offer[i].kind];
        const double t = is_own(&l->cell, kind) ? walked_on(machine, &l->cell, kind) : NAN;
        n += !isnan(t);
        if (t < *least) {
            *least = t;
            best = &l->offer[i];
        }
    }
    return n > 1 ? best : NULL;
}

/* What is promised in an example. 0: the default is not published or was not measured, or the
 * machine cannot be walked. */
static int promise_of(const struct subject *s, const struct example *l, const struct facts *machine,
                      struct promise *out)
{
    double least;
    const double own_s = example_log(l, l->by_default);
    const struct offer *best =
        *l->default_runs.algorithm && !isnan(own_s) ? find_least(s, l, machine, &least) : NULL;
    const double own = best ? walked_on(machine, &l->cell, &l->default_runs) : NAN;
    if (isnan(own))
        return 0;
    out->machine = l->machine;
    out->place = place_of(&l->cell);
    out->from = family_of(&l->default_runs);
    out->to = family_of(&s->kind[best->kind]);
    out->promised = own - least;
    out->gain = own_s - best->log_s;
    return 1;
}

/* The promises of one collective; alike 1: of all collectives whose blocks have one size, or
 * different ones, as its own do. To be freed: v. */
static struct promises pick(const struct promises *all, const struct collective *of, int alike)
{
    struct promises out = { .rows = all->rows };
    for (size_t i = 0; i < all->n; i++)
        if (all->v[i].of == of || (alike && all->v[i].of->uneven == of->uneven))
            *array_add(&out.v, &out.n) = all->v[i];
    return out;
}

/* The mean gain of one row at a threshold; NaN: it has no cell at such a place (-1: any). */
static double gained(const struct promises *p, size_t row, int place, double threshold)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].row == row && (place < 0 || p->v[i].place == place)) {
            sum += p->v[i].promised > threshold ? p->v[i].gain : 0;
            n++;
        }
    return n ? sum / (double)n : NAN;
}

static size_t machine_of(const struct promises *p, size_t row)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].row == row)
            return p->v[i].machine;
    return SIZE_MAX;
}

/* The mean over machines of the means over their rows; *of: how many machines these are. */
static double gained_by_machines(const struct promises *p, size_t machines, double threshold,
                                 size_t *of)
{
    double sum = 0;
    *of = 0;
    for (size_t m = 0; m < machines; m++) {
        double own = 0;
        size_t rows = 0;
        for (size_t r = 0; r < p->rows; r++)
            if (machine_of(p, r) == m) {
                own += gained(p, r, -1, threshold);
                rows++;
            }
        sum += rows ? own / (double)rows : 0;
        *of += rows > 0;
    }
    return *of ? sum / (double)*of : 0;
}

/* The least threshold that gains, by a collective's own promises if they are of several machines,
 * else by all that are alike. */
static double choose_bold(const struct promises *own, const struct promises *alike, size_t machines)
{
    size_t of;
    gained_by_machines(own, machines, 0, &of);
    const struct promises *p = of > 1 && own->n >= LEAST_CELLS ? own : alike;
    for (size_t k = 0; k < N_THRESHOLDS && p->n >= LEAST_CELLS; k++)
        if (gained_by_machines(p, machines, thresholds[k], &of) > 0)
            return thresholds[k];
    return INFINITY;
}

static int harms(const struct promises *p, int place, double threshold)
{
    return any_below(r, p->rows, gained(p, r, place, threshold) < no_harm);
}

static int was_seen(const struct promises *p, int place)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += place < 0 || p->v[i].place == place;
    return n >= LEAST_CELLS;
}

static double choose_safe(const struct promises *p, int place)
{
    double least = INFINITY;
    for (size_t k = N_THRESHOLDS; k-- > 0 && was_seen(p, place) && !harms(p, place, thresholds[k]);)
        least = thresholds[k];
    return least;
}

/* The promises of those collectives alone whose blocks differ in size, as its own do, or do not
 * (a reduce-scatter was measured with equal ones). To be freed: v. */
static struct promises pick_blocks(const struct promises *all, const struct collective *of)
{
    struct promises out = { .rows = all->rows };
    for (size_t i = 0; i < all->n; i++) {
        const struct collective *c = all->v[i].of;
        if (all->v[i].promised > 0 && (c->uneven && !c->combines) == (of->uneven && !of->combines))
            *array_add(&out.v, &out.n) = all->v[i];
    }
    return out;
}

/* The most that a promise of a family fell short by; INFINITY: fewer than two machines made any. */
static double most_short(const struct promises *p, int to)
{
    double most = thresholds[0];
    size_t first = SIZE_MAX, others = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct promise *v = &p->v[i];
        if (v->to != to || v->promised <= thresholds[0])
            continue;
        most = fmax(most, v->promised - v->gain);
        first = first == SIZE_MAX ? v->machine : first;
        others += v->machine != first;
    }
    return others ? most : INFINITY;
}

static double choose_pair(const struct promises *p, int from, int to)
{
    struct promises pair = { .rows = p->rows };
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].from == from && p->v[i].to == to)
            *array_add(&pair.v, &pair.n) = p->v[i];
    const double least = fmin(choose_safe(&pair, -1), most_short(p, to));
    free(pair.v);
    return least;
}

/* Adds the subject of a collective: Open MPI's own algorithms of it. NULL: it has none. */
static struct subject *add_subject(struct problem *evidence, const struct collective *of)
{
    struct subject s = { .n = 0 };
    snprintf(s.context.collective, NAME_SIZE, "%s", of->name);
    snprintf(s.context.mpi, NAME_SIZE, "openmpi");
    snprintf(s.context.mapping, NAME_SIZE, "core");
    for (const struct native *a = natives_of("openmpi"); a->name; a++) {
        struct candidate kind = { .fanout = a->fanout > 0 ? a->fanout : 0 };
        snprintf(kind.algorithm, NAME_SIZE, "openmpi:%s", a->name);
        if (strcmp(a->collective, of->name) == 0 && !a->component && !a->limits &&
            version_within("4.1", a->from, a->below) && equivalent_find(of->name, kind.algorithm))
            *array_add(&s.kind, &s.n_kinds) = kind;
    }
    if (!s.n_kinds)
        return NULL;
    struct subject *out = array_add(&evidence->subject, &evidence->n);
    *out = s;
    return out;
}

static void keep(const struct example *l, struct subject *to)
{
    struct example *kept = array_add(&to->example, &to->n);
    kept->cell = l->cell;
    memcpy(kept->cell.mpi, to->context.mpi, NAME_SIZE);
    memcpy(kept->cell.mapping, to->context.mapping, NAME_SIZE);
    kept->by_default = SIZE_MAX;
}

/* Machines with their cluster files, in the order of the problem's machines. */
static const struct facts **list_machines(const struct training_cells *t, size_t *n)
{
    const struct facts **of = memory_zeros(t->n + 1, sizeof *of);
    *n = 0;
    for (size_t i = 0; i < t->n; i++) {
        const size_t k =
            first_below(j, i, strcmp(t->set[j].points.cluster, t->set[i].points.cluster) == 0);
        if (k == i)
            of[(*n)++] = &t->set[i].facts;
    }
    return of;
}

/* Takes the promises of a subject of the measured cells. */
static void take(const struct subject *s, const struct facts *const *machine,
                 const struct collective *of, struct subject *to, struct promises *p,
                 size_t machines)
{
    for (size_t m = 0; m < machines; m++) {
        size_t n = 0;
        for (size_t i = 0; i < s->n; i++) {
            struct promise one = { .of = of, .row = p->rows };
            if (s->example[i].machine != m || !promise_of(s, &s->example[i], machine[m], &one))
                continue;
            *array_add(&p->v, &p->n) = one;
            keep(&s->example[i], to);
            n++;
        }
        p->rows += n > 0;
    }
}

static struct skill skill_of(const struct subject *s, const struct promises *all, size_t machines)
{
    const struct collective *of = collective_find(s->context.collective);
    const struct promises own = pick(all, of, 0), alike = pick(all, of, 1),
                          blocks = pick_blocks(all, of);
    const struct learner_interval unknown = { NAN, NAN, NAN, 0 };
    struct skill out = { .context = s->context,
                         .n_kinds = s->n_kinds,
                         .loss = NAN,
                         .auc = NAN,
                         .between = unknown,
                         .elsewhere = unknown,
                         .examples = s->n };
    for (size_t d = 0; d < LEARNER_DOUBLINGS; d++)
        out.beyond[d] = unknown;
    for (size_t i = 0; i < MOST_FEATURES; i++)
        out.importance[i] = NAN;
    out.kind = memory_zeros(s->n_kinds + 1, sizeof *out.kind);
    out.fit = memory_zeros(s->n_kinds + 1, sizeof *out.fit);
    memcpy(out.kind, s->kind, s->n_kinds * sizeof *out.kind);
    out.trust.bold = choose_bold(&own, &alike, machines);
    for (int i = 0; i < WALKED_PLACES; i++)
        out.trust.safe[i] = choose_safe(&own, i);
    for (int i = 0; i < WALKED_FAMILIES * WALKED_FAMILIES; i++)
        out.trust.pair[i] = choose_pair(&blocks, i / WALKED_FAMILIES, i % WALKED_FAMILIES);
    memory_free(own.v, alike.v, blocks.v);
    return out;
}

void walked_trust_learn(const struct training_cells *training, struct problem *evidence,
                        struct learnt *member)
{
    static const struct holdout none = { .kind = HOLDOUT_PLANNED };
    struct problem measured;
    size_t machines;
    const struct facts **machine = list_machines(training, &machines);
    struct promises all = { .n = 0 };
    problem_make(training, NULL, &none, &measured);
    for (const struct collective *of = collectives; of->name; of++) {
        struct subject *kept = add_subject(evidence, of);
        for (size_t i = 0; kept && i < measured.n; i++)
            if (strcmp(measured.subject[i].context.collective, of->name) == 0 &&
                mpi_is(measured.subject[i].context.mpi, "openmpi"))
                take(&measured.subject[i], machine, of, kept, &all, machines);
        if (kept)
            subject_sort(kept);
    }
    for (size_t i = 0; i < evidence->n && all.n; i++)
        *(struct skill *)array_add(&member->skill, &member->n) =
            skill_of(&evidence->subject[i], &all, machines);
    problem_clear(&measured);
    memory_free(machine, all.v);
}
