/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/learn/training_set.h"

#include "analysis/measure/equivalent.h"
#include "analysis/measure/published_default.h"

static const char *const names[FEATURE_MACHINE] = {
    [FEATURE_PROCS] = "log2_procs",
    [FEATURE_NODES] = "log2_nodes",
    [FEATURE_PPN] = "log2_ppn",
    [FEATURE_BYTES] = "log2_bytes",
    [FEATURE_BYTES_PER_PROC] = "log2_bytes_per_proc",
    [FEATURE_SOCKETS] = "sockets",
    [FEATURE_CORES] = "cores",
    [FEATURE_CACHE_CORES] = "cache_cores",
};

const char *feature_name(size_t feature)
{
    return feature < FEATURE_MACHINE ? names[feature] : machine_names[feature - FEATURE_MACHINE];
}

/* What is not known is missing, not zero. */
static float known(double value)
{
    return value > 0 ? (float)value : NAN;
}

void problem_features(const struct cell *cell, const struct facts *facts, float *x)
{
    const double bytes = cell->bytes ? (double)cell->bytes : 0.5;
    x[FEATURE_PROCS] = (float)log2(cell->procs);
    x[FEATURE_NODES] = (float)log2(cell->nodes);
    x[FEATURE_PPN] = (float)log2(cell->ppn);
    x[FEATURE_BYTES] = (float)log2(bytes);
    x[FEATURE_BYTES_PER_PROC] = (float)log2(bytes / cell->procs);
    x[FEATURE_SOCKETS] = known(facts->sockets);
    x[FEATURE_CORES] = known(facts->cores);
    x[FEATURE_CACHE_CORES] = known(facts->cache_cores);
    for (size_t i = 0; i < N_MACHINE; i++)
        x[FEATURE_MACHINE + i] = known(facts->machine[i]);
}

struct candidate problem_runs(const struct facts *facts, const struct cell *cell,
                              const struct candidate *candidate)
{
    struct schedule s;
    if (algorithm_is_default(candidate->algorithm) ||
        equivalent_schedule(facts, cell, candidate, &s, NULL) < 0)
        return *candidate;
    return model_runs(candidate, &s);
}

int problem_can_run(const struct facts *facts, const struct cell *cell,
                    const struct candidate *candidate)
{
    struct schedule s;
    const char *base = algorithm_base_name(candidate->algorithm);
    char library[NAME_SIZE];
    snprintf(library, sizeof library, "%.*s", (int)strcspn(candidate->algorithm, ":"),
             candidate->algorithm);
    const struct native *native = native_find(library, cell->collective, base);
    if (native)
        return !native_refusal(native, cell->procs, cell->bytes, candidate->fanout);
    if (algorithm_is_default(candidate->algorithm) ||
        !equivalent_find(cell->collective, candidate->algorithm))
        return 1;
    return equivalent_schedule(facts, cell, candidate, &s, NULL) == 0;
}

size_t subject_kind(const struct subject *subject, const struct candidate *runs)
{
    const size_t i = first_below(k, subject->n_kinds, candidate_equal(&subject->kind[k], runs));
    return i;
}

int subject_end(const struct subject *subject, int most)
{
    int end = 0;
    for (size_t i = 0; i < subject->n; i++)
        if (subject->example[i].cell.procs <= most && subject->example[i].cell.procs > end)
            end = subject->example[i].cell.procs;
    return end;
}

const struct subject *problem_subject(const struct problem *problem, const struct cell *cell)
{
    return find_below(problem->subject, i, problem->n,
                      cell_compare_context(&problem->subject[i].context, cell) == 0);
}

static struct subject *subject_of(struct problem *problem, const struct cell *cell)
{
    struct subject *s = (struct subject *)problem_subject(problem, cell);
    if (s)
        return s;
    s = array_add(&problem->subject, &problem->n);
    s->context = *cell;
    return s;
}

double example_log(const struct example *example, size_t kind)
{
    for (size_t i = 0; i < example->n; i++)
        if (example->offer[i].kind == kind)
            return example->offer[i].log_s;
    return NAN;
}

double example_least(const struct example *example)
{
    double least = INFINITY;
    for (size_t i = 0; i < example->n; i++)
        least = fmin(least, example->offer[i].log_s);
    return least;
}

/* A timed point to learn from, with its place in the set. */
struct entry {
    const struct measured *measured;
    size_t at;
};

static int by_cell(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return by_keys(cell_compare(&x->measured->point.cell, &y->measured->point.cell),
                   ascending(x->at, y->at));
}

/* 1 for a usable time of the study's own cells or of the library's default. Held-out cells and
 * parameter experiments teach nothing. */
static int teaches(const struct measured *m)
{
    return m->point.experiment == EXP_TIME && measured_usable(m) && m->time.value > 0 &&
           (m->point.purpose == FOR_STUDY || m->point.purpose == FOR_DEFAULT);
}

static int by_id(const void *a, const void *b)
{
    const struct model_said *const *x = a, *const *y = b;
    return strcmp((*x)->of->point.id, (*y)->of->point.id);
}

/* What models say, by point. Models that were fitted to these very times are left out: they would
 * give the answers away. */
struct said {
    const struct model_said **row;
    size_t n;
};

static struct said said_make(const struct predictions *p)
{
    struct said s = { .row = memory_zeros((p ? p->n : 0) + 1, sizeof *s.row) };
    for (size_t i = 0; p && i < p->n; i++)
        if (!p->row[i].model->fitted && prediction_usable(&p->row[i].prediction))
            s.row[s.n++] = &p->row[i];
    if (s.n)
        qsort(s.row, s.n, sizeof *s.row, by_id);
    return s;
}

/* What models say of a point: the logarithm of a time for each model, NaN where it says nothing. */
static void listen(const struct said *said, const struct measured *of, float *out)
{
    const struct model_said wanted = { .of = of }, *key = &wanted;
    for (size_t k = 0; k < MAX_MODELS; k++)
        out[k] = NAN;
    const struct model_said *const *hit =
        said->n ? bsearch(&key, said->row, said->n, sizeof *said->row, by_id) : NULL;
    if (!hit)
        return;
    while (hit > said->row && by_id(&hit[-1], &key) == 0)
        hit--;
    for (; hit < said->row + said->n && by_id(hit, &key) == 0; hit++)
        out[model_index((*hit)->model)] = (float)log((*hit)->prediction.seconds);
}

static void add_offer(struct subject *subject, struct example *example, const struct measured *m,
                      const struct facts *facts, const struct said *said)
{
    const struct candidate runs = problem_runs(facts, &m->point.cell, &m->point.candidate);
    const size_t kind = subject_kind(subject, &runs);
    if (kind == subject->n_kinds)
        *array_add(&subject->kind, &subject->n_kinds) = runs;
    struct offer *o = array_add(&example->offer, &example->n);
    o->kind = kind;
    o->log_s = log(m->time.value);
    listen(said, m, o->said);
}

struct candidate problem_default_runs(const struct facts *facts, const struct cell *cell)
{
    struct decision d;
    struct candidate own = { .fanout = 0 }, runs = { .fanout = 0 };
    if (!facts->simulated) {
        snprintf(own.algorithm, NAME_SIZE, "%s:default", mpi_family(cell->mpi));
        return decided_candidate(facts, cell, &own, &runs) ? problem_runs(facts, cell, &runs)
                                                           : runs;
    }
    if (!decided_by(facts->sim_default, cell, &d))
        return runs;
    snprintf(runs.algorithm, NAME_SIZE, "portable:%.50s", d.algorithm);
    runs.segment_bytes = d.segment_bytes;
    runs.fanout = d.fanout;
    return problem_runs(facts, cell, &runs);
}

size_t subject_default(const struct subject *s, const struct cell *cell, const struct facts *facts)
{
    size_t kind = 0;
    if (facts->simulated) {
        const struct candidate published = problem_default_runs(facts, cell);
        kind = subject_kind(s, &published);
    } else {
        while (kind < s->n_kinds && !algorithm_is_default(s->kind[kind].algorithm))
            kind++;
    }
    return kind < s->n_kinds ? kind : SIZE_MAX;
}

/* The points of one cell. */
static void add_example(struct problem *problem, const struct entry *entry, size_t n,
                        const struct facts *facts, const struct said *said, size_t machine,
                        const unsigned char *apart)
{
    const struct cell *cell = &entry[0].measured->point.cell;
    if (n < 2)
        return;
    struct subject *subject = subject_of(problem, cell);
    struct example *example = array_add(&subject->example, &subject->n);
    example->cell = *cell;
    example->machine = machine;
    problem_features(cell, facts, example->x);
    for (size_t i = 0; i < n; i++) {
        add_offer(subject, example, entry[i].measured, facts, said);
        example->apart |= apart[entry[i].at];
    }
    example->by_default = subject_default(subject, cell, facts);
    example->default_runs = problem_default_runs(facts, cell);
}

static void add_set(struct problem *problem, const struct training_set *set,
                    const struct predictions *said, size_t machine, const struct holdout *inner)
{
    struct entry *entry = memory_zeros(set->points.n + 1, sizeof *entry);
    unsigned char *apart = memory_zeros(set->points.n + 1, 1);
    struct said of = said_make(said);
    size_t n = 0;
    problem->has_said |= of.n > 0;
    holdout_mark(inner, &set->points, apart);
    for (size_t i = 0; i < set->points.n; i++)
        if (teaches(&set->points.row[i]))
            entry[n++] = (struct entry){ &set->points.row[i], i };
    if (n)
        qsort(entry, n, sizeof *entry, by_cell);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && cell_compare(&entry[first].measured->point.cell,
                                                      &entry[end].measured->point.cell) == 0;
             end++) {
        }
        add_example(problem, entry + first, end - first, &set->facts, &of, machine, apart);
    }
    memory_free(of.row, apart, entry);
}

void problem_make(const struct training_cells *training, const struct predictions *said,
                  const struct holdout *inner, struct problem *out)
{
    size_t *machine = memory_zeros(training->n + 1, sizeof *machine);
    *out = (struct problem){ .n = 0 };
    for (size_t i = 0; i < training->n; i++) {
        size_t first = 0;
        while (strcmp(training->set[first].points.cluster, training->set[i].points.cluster) != 0)
            first++;
        machine[i] = first == i ? out->machines++ : machine[first];
        add_set(out, &training->set[i], said ? &said[i] : NULL, machine[i], inner);
    }
    free(machine);
    for (size_t i = 0; i < out->n; i++)
        subject_sort(&out->subject[i]);
}

struct placed {
    uint64_t bytes;
    int procs;
    size_t at;
};

static int by_size(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return by_keys(ascending(x->bytes, y->bytes), ascending(x->procs, y->procs),
                   ascending(x->at, y->at));
}

void subject_sort(struct subject *s)
{
    struct placed *placed = memory_zeros(s->n + 1, sizeof *placed);
    free(s->order);
    s->order = memory_zeros(s->n + 1, sizeof *s->order);
    for (size_t i = 0; i < s->n; i++)
        placed[i] = (struct placed){ s->example[i].cell.bytes, s->example[i].cell.procs, i };
    if (s->n)
        qsort(placed, s->n, sizeof *placed, by_size);
    for (size_t i = 0; i < s->n; i++)
        s->order[i] = placed[i].at;
    free(placed);
}

struct holdout problem_inner(const struct training_cells *training, int elsewhere)
{
    struct holdout h = { .kind = HOLDOUT_ALTERNATE };
    size_t most = 0;
    for (size_t i = 0; i < training->n && elsewhere; i++)
        if (training->set[i].points.n > most) {
            most = training->set[i].points.n;
            memcpy(h.cluster, training->set[i].points.cluster, sizeof h.cluster);
            h.kind = HOLDOUT_CLUSTER;
        }
    return h;
}

void problem_clear(struct problem *problem)
{
    for (size_t i = 0; i < problem->n; i++) {
        struct subject *s = &problem->subject[i];
        for (size_t k = 0; k < s->n; k++)
            free(s->example[k].offer);
        free(s->example);
        free(s->kind);
        free(s->order);
    }
    free(problem->subject);
    *problem = (struct problem){ .n = 0 };
}

static const struct example *example_in(const struct subject *s, size_t i)
{
    return &s->example[s->order[i]];
}

/* The first example in order that has more bytes, or as many and more processes; at_least: or as
 * many of these, too. */
static size_t first_after(const struct subject *s, double bytes, double procs, int at_least)
{
    size_t low = 0, high = s->n;
    while (low < high) {
        const size_t i = low + (high - low) / 2;
        const struct cell *c = &example_in(s, i)->cell;
        const double b = (double)c->bytes, p = c->procs;
        if (b > bytes || (b == bytes && (at_least ? p >= procs : p > procs)))
            high = i;
        else
            low = i + 1;
    }
    return low;
}

/* The example in a place, and the one before it, where it has so many bytes; any number of bytes
 * where that is NaN. NULL: there is none. */
static const struct example *example_with(const struct subject *s, size_t i, double bytes)
{
    const struct example *l = i < s->n ? example_in(s, i) : NULL;
    return l && (isnan(bytes) || (double)l->cell.bytes == bytes) ? l : NULL;
}

static const struct example *before(const struct subject *s, size_t end, double bytes)
{
    return end ? example_with(s, end - 1, bytes) : NULL;
}

struct sizes_about neighbour_gains_bytes(const struct subject *subject, double bytes)
{
    const struct example *low = before(subject, first_after(subject, bytes, INFINITY, 0), NAN),
                         *high = example_with(subject, first_after(subject, bytes, 0, 1), NAN);
    return (struct sizes_about){ low ? (double)low->cell.bytes : NAN,
                                 high ? (double)high->cell.bytes : NAN };
}

struct procs_about neighbour_gains_procs(const struct subject *subject, double procs, double bytes)
{
    struct procs_about a = { { NAN, NAN, NAN }, NAN };
    const struct example *l = example_with(subject, first_after(subject, bytes, procs, 1), bytes);
    double most = procs;
    a.high = l ? l->cell.procs : NAN;
    for (int i = 0; i < 3; i++, most = floor(a.low[i - 1] / 2)) {
        l = before(subject, first_after(subject, bytes, most, 0), bytes);
        if (!l)
            break;
        a.low[i] = l->cell.procs;
    }
    return a;
}

/* 1 when two defaults run the same, or one of them is not known. here may be NULL. */
static int same_default(const struct candidate *there, const struct candidate *here)
{
    return !here || !*here->algorithm || !*there->algorithm ||
           (strcmp(there->algorithm, here->algorithm) == 0 && there->fanout == here->fanout);
}

int neighbour_gains_same_default(const struct subject *subject, const struct cell *cell,
                                 const struct candidate *default_runs)
{
    const struct sizes_about bytes = neighbour_gains_bytes(subject, (double)cell->bytes);
    const double at[] = { bytes.low, bytes.high };
    for (size_t i = 0; i < 2; i++) {
        const struct example *l =
            before(subject, first_after(subject, at[i], cell->procs, 0), at[i]);
        if (!isnan(at[i]) && l && !same_default(&l->default_runs, default_runs))
            return 0;
    }
    return 1;
}

/* What the default of the cell asked about takes in an example; NaN: not known. */
static double default_log(const struct neighbour_gains_of *of, const struct example *l)
{
    return same_default(&l->default_runs, of->default_runs)
               ? example_log(l, l->by_default)
               : example_log(l, subject_kind(of->subject, of->default_runs));
}

/* Of the examples from one place on to another: the least gain on the number of nodes that is
 * nearest to the cell's; those that lack the kind say nothing. */
static double least_of(const struct neighbour_gains_of *of, size_t i, size_t end)
{
    int nearest = INT_MAX;
    double least = NAN;
    for (; i < end; i++) {
        const struct example *l = example_in(of->subject, i);
        const int off = abs(l->cell.nodes - of->cell->nodes);
        if (off > nearest)
            continue;
        const double gain = default_log(of, l) - example_log(l, of->kind);
        least = off < nearest ? gain : fmin(least, gain);
        nearest = off;
    }
    return least;
}

double neighbour_gains_at(const struct neighbour_gains_of *of, double procs, double bytes)
{
    if (isnan(procs) || isnan(bytes))
        return NAN;
    return least_of(of, first_after(of->subject, bytes, procs, 1),
                    first_after(of->subject, bytes, procs, 0));
}

double neighbour_gains_least(const struct neighbour_gains_of *of, const struct procs_about *procs,
                             double bytes)
{
    const double first = isnan(procs->low[2]) ? procs->low[1] : procs->low[2];
    double least = INFINITY;
    for (double p = first; p <= procs->low[0];) {
        const double gain = neighbour_gains_at(of, p, bytes);
        const struct example *next =
            example_with(of->subject, first_after(of->subject, bytes, p, 0), bytes);
        least = isnan(gain) ? least : fmin(least, gain);
        p = next ? next->cell.procs : INFINITY;
    }
    return least;
}

int neighbour_gains_cross_network(const struct subject *subject, const struct cell *cell)
{
    int most = 0;
    for (size_t i = 0; i < subject->n; i++)
        if (subject->example[i].cell.nodes > most)
            most = subject->example[i].cell.nodes;
    return most <= 1 && cell->nodes > 1;
}

double neighbour_gains_far(double gain, double at, double last)
{
    /* a size of 0 is as far from 1 byte as that from 2 */
    return gain > 0 ? gain / (1 + fabs(log2(fmax(at, 0.5) / fmax(last, 0.5)))) : gain;
}

double neighbour_gains_fall(double last, double before, const struct procs_about *procs, double at)
{
    if (!(last < before))
        return 0;
    return (before - last) * log(at / procs->low[0]) / log(procs->low[0] / procs->low[1]);
}
