/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/advise/rule_interval.h"

#include "analysis/measure/published_default.h"
#include "harness/rules/rule_units.h"
#include "workloads/schedules/collectives.h"

enum { LARGE_ELEMENT = 16 };

/* ---- what was seen ---- */

static int compare_seen(const void *left, const void *right)
{
    const struct rule_interval_seen *a = left, *b = right;
    return by_keys(strcmp(a->collective, b->collective), a->procs - b->procs,
                   ascending(a->bytes, b->bytes), candidate_compare(&a->candidate, &b->candidate));
}

static int is_seen(const struct facts *facts, const struct measured *m, const char *mpi,
                   const char *mapping)
{
    const struct cell *c = &m->point.cell;
    return m->point.experiment == EXP_TIME && measured_usable(m) && cell_is_plain(c) &&
           (m->point.purpose == FOR_STUDY ||
            (m->point.purpose == FOR_DEFAULT && point_is_default(facts, &m->point))) &&
           strcmp(c->mpi, mpi) == 0 && strcmp(c->mapping, mapping) == 0;
}

/* A measurement on its way to be compared: the default's are marked. */
struct timed {
    const struct measured *m;
    int is_default;
};

static int compare_timed(const void *left, const void *right)
{
    const struct timed *a = left, *b = right;
    return by_keys(cell_compare(&a->m->point.cell, &b->m->point.cell),
                   b->is_default - a->is_default);
}

static void see_one(const struct measured *m, const struct measured *own, int probe,
                    struct rule_interval *reach)
{
    const struct cell *c = &m->point.cell;
    struct rule_interval_seen *s = array_add(&reach->seen, &reach->n);
    *s = (struct rule_interval_seen){ .procs = c->procs,
                                      .bytes = c->bytes,
                                      .candidate = m->point.candidate,
                                      .longer_pct = longer_pct(m->time.value, own->time.value),
                                      .core_s = m->core_s + own->core_s,
                                      .probe = probe };
    snprintf(s->collective, NAME_SIZE, "%s", c->collective);
}

void rule_interval_see(const struct facts *facts, const struct points *points, const char *mpi,
                       const char *mapping, int probe, struct rule_interval *reach)
{
    struct timed *all = NULL;
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++)
        if (is_seen(facts, &points->row[i], mpi, mapping)) {
            const struct measured *m = &points->row[i];
            *array_add(&all, &n) = (struct timed){ m, point_is_default(facts, &m->point) };
            *(probe ? &reach->probed_core_s : &reach->spent_core_s) +=
                isfinite(m->core_s) ? m->core_s : 0;
        }
    if (n)
        qsort(all, n, sizeof *all, compare_timed);
    const struct measured *own = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct measured *m = all[i].m;
        if (all[i].is_default)
            own = m;
        if (own && own->time.value > 0 && cell_equal(&own->point.cell, &m->point.cell))
            see_one(m, own, probe, reach);
    }
    free(all);
    if (reach->n)
        qsort(reach->seen, reach->n, sizeof *reach->seen, compare_seen);
}

CLEARS(rule_interval_clear, rule_interval, it->seen)

/* What was seen of a candidate among so many processes: [*first, *end) of all candidates. */
static void find_procs(const struct rule_interval *r, const char *collective, int procs,
                       size_t *first, size_t *end)
{
    *first = *end = sorted_below(
        i, r->n, by_keys(strcmp(r->seen[i].collective, collective), r->seen[i].procs - procs) >= 0);
    while (*end < r->n && r->seen[*end].procs == procs &&
           strcmp(r->seen[*end].collective, collective) == 0)
        ++*end;
}

/* ---- one interval ---- */

/* A grid as it is asked about. */
struct work {
    const struct rule_interval *reach;
    const struct rules_reader *reader;
    const struct rules_grid *g;
    enum rules_unit unit;
};

/* How far the rule of a cell speaks. Ratios are logarithms of the choice's time over the default's.
 */
struct speaks {
    const struct candidate *take; /* NULL: there is none */
    uint64_t end, fails;          /* the first size that it does not govern, and the first that was
                                     seen to fail; 0: none was */
    int last, fails_procs;        /* the last processes that it governs; the same */
    uint64_t border[2];           /* the first size, the first processes, that constraints part from
                                     the cell; none: those of the next cell */
    double ratio;                 /* at its ends, the larger */
    int probed[2];                /* a probe lies inside, of sizes, of processes */
    double excess[2]; /* by how much a probe is above the line between the ends, at most */
    int cut[2];       /* why it ends before the next cell: CUT_...; 0: it does not */
};

enum { OF_BYTES, OF_PROCS };
enum { CUT_TIMES = 1, CUT_CONSTRAINTS, CUT_UNPROBED };

static double ratio_of(const struct rule_interval_seen *seen)
{
    return seen ? log1p(seen->longer_pct / 100) : NAN;
}

/* No slower than the default. Of what is not known nothing is said. */
static int holds(const struct work *w, double ratio)
{
    return !(ratio > log1p(w->reach->tie_pct / 100));
}

static const struct rule_interval_seen *find_seen(const struct work *w, int procs, uint64_t bytes,
                                                  const struct candidate *take)
{
    size_t i, end;
    find_procs(w->reach, w->g->collective, procs, &i, &end);
    for (; i < end; i++)
        if (w->reach->seen[i].bytes == bytes && candidate_equal(&w->reach->seen[i].candidate, take))
            return &w->reach->seen[i];
    return NULL;
}

/* Does the candidate run as itself, of elements small and large? */
static int runs(const struct work *w, const struct candidate *take, int procs, uint64_t bytes)
{
    const struct candidate plain = rules_plain_choice(take);
    const struct algorithm *alg =
        w->reader->by_name ? NULL
                           : algorithm_find(w->g->collective, algorithm_base_name(plain.algorithm));
    return !alg || (rules_runs_as_itself(alg, procs, bytes, 1, plain.segment_bytes, plain.fanout) &&
                    rules_runs_as_itself(alg, procs, bytes, LARGE_ELEMENT, plain.segment_bytes,
                                         plain.fanout));
}

static int same_decision(const struct decision *a, const struct decision *b)
{
    return strcmp(a->algorithm, b->algorithm) == 0 && a->segment_bytes == b->segment_bytes &&
           a->fanout == b->fanout;
}

/* Was anything measured between the cells? Then what was not counts for nothing there. */
static int is_probed(const struct work *w)
{
    return w->reach->probed_core_s > 0;
}

/* ---- constraints ---- */

/* An interval of sizes, or of processes, from a cell of the grid on. */
struct asked {
    const struct work *w;
    const struct candidate *take;
    int of; /* OF_BYTES, OF_PROCS */
    int procs;
    uint64_t bytes;
    int runs, decided; /* 1: as itself in the cell; what the default takes at both ends is known */
    struct decision at[2];
};

static int procs_at(const struct asked *a, uint64_t x)
{
    return a->of == OF_PROCS ? (int)x : a->procs;
}

/* Among other processes a rule's size is what the library makes of it. */
static uint64_t bytes_at(const struct asked *a, uint64_t x)
{
    if (a->of == OF_BYTES)
        return x;
    return a->w->unit == UNIT_TOTAL ? a->bytes * (uint64_t)a->procs / x : a->bytes;
}

static int decides(const struct asked *a, uint64_t x, struct decision *d)
{
    struct cell cell = { .procs = procs_at(a, x), .bytes = bytes_at(a, x), .ppn = 1 };
    cell.nodes = cell.procs;
    snprintf(cell.collective, NAME_SIZE, "%s", a->w->g->collective);
    return *a->w->reach->rule && decided_by(a->w->reach->rule, &cell, d);
}

/* The candidate runs, and the default takes what it takes at one of the ends. */
static int is_alike(const struct asked *a, uint64_t x)
{
    struct decision d;
    if (a->runs && !runs(a->w, a->take, procs_at(a, x), bytes_at(a, x)))
        return 0;
    return !a->decided ||
           (decides(a, x, &d) && (same_decision(&d, &a->at[0]) || same_decision(&d, &a->at[1])));
}

/* The first that is not alike, where `good` is and `bad` is not. */
static uint64_t bisect(const struct asked *a, uint64_t good, uint64_t bad)
{
    while (bad - good > 1) {
        const uint64_t middle = good + (bad - good) / 2;
        if (is_alike(a, middle))
            good = middle;
        else
            bad = middle;
    }
    return bad;
}

/* Behind x: one more than a power of two, the middle between two, one less, or the power. */
static uint64_t look_next(uint64_t x)
{
    uint64_t power = 4;
    while (power <= x)
        power *= 2;
    return (x & (x - 1)) == 0  ? x + 1
           : x < power / 4 * 3 ? power / 4 * 3
           : x < power - 1     ? power - 1
                               : power;
}

/* The first that constraints part from the cell in [from, next): just inside its ends, at 2^k and
 * beside it, and in the middle they are asked; next: none. */
static uint64_t find_border(struct asked *a, uint64_t from, uint64_t next)
{
    a->runs = runs(a->w, a->take, a->procs, a->bytes);
    a->decided = decides(a, from, &a->at[0]) && decides(a, next, &a->at[1]);
    for (uint64_t good = from, x = from + 1; x < next;) {
        if (!is_alike(a, x))
            return bisect(a, good, x);
        good = x;
        x = x + 1 < next && look_next(x) >= next ? next - 1 : look_next(x);
    }
    return next;
}

/* Of a cell, towards the next size or the next processes. */
static uint64_t border_of(const struct work *w, size_t p, size_t m, const struct candidate *take,
                          int of)
{
    const struct rules_grid *g = w->g;
    struct asked a = { w, take, of, (int)g->procs[p], g->bytes[m], 0, 0, { { .fanout = 0 } } };
    return of == OF_BYTES ? find_border(&a, g->bytes[m], g->bytes[m + 1])
                          : find_border(&a, g->procs[p], g->procs[p + 1]);
}

/* The last of v that is not above x. */
static size_t find_last(const uint64_t *v, size_t n, uint64_t x)
{
    size_t i = 0;
    while (i + 1 < n && v[i + 1] <= x)
        i++;
    return i;
}

/* By how much a probe at x is above what lies between two ends, in a straight line over log x. Of
 * an end that is not known it is the other. */
static double excess_of(double ratio, double x, double from, double at_from, double next,
                        double at_next)
{
    const double low = fmax(from, 0.5), share = log(x / low) / log(next / low);
    return ratio - (isnan(at_next)   ? at_from
                    : isnan(at_from) ? at_next
                                     : at_from + share * (at_next - at_from));
}

/* ---- times: of sizes ---- */

/* Probes between a cell and the next size, as far as constraints do not part them from it. */
static void see_bytes(const struct work *w, size_t p, size_t m, struct speaks *s)
{
    const struct rules_grid *g = w->g;
    const int procs = (int)g->procs[p];
    const uint64_t from = g->bytes[m], next = g->bytes[m + 1];
    size_t i, end;
    const double at_from = ratio_of(find_seen(w, procs, from, s->take)),
                 at_next = ratio_of(find_seen(w, procs, next, s->take));
    s->border[OF_BYTES] = border_of(w, p, m, s->take, OF_BYTES);
    s->ratio = fmax(at_from, at_next);
    find_procs(w->reach, g->collective, procs, &i, &end);
    for (; i < end; i++) {
        const struct rule_interval_seen *seen = &w->reach->seen[i];
        if (seen->bytes > from && seen->bytes < s->border[OF_BYTES] &&
            candidate_equal(&seen->candidate, s->take)) {
            s->probed[OF_BYTES] = 1;
            s->excess[OF_BYTES] =
                fmax(s->excess[OF_BYTES], excess_of(ratio_of(seen), (double)seen->bytes,
                                                    (double)from, at_from, (double)next, at_next));
        }
    }
}

/* The last size on the way to the next cell up to which the choice was seen to hold, and where it
 * was not: its own where nothing is known of the next cell. At the measured sizes it may be faster
 * than between them. */
static uint64_t walk_bytes(const struct work *w, size_t p, size_t m, struct speaks *s)
{
    const struct rules_grid *g = w->g;
    const int procs = (int)g->procs[p];
    const uint64_t from = g->bytes[m], next = g->bytes[m + 1];
    uint64_t good = w->reach->n ? from : next; /* of no time at all constraints alone tell */
    size_t i, end;
    if (!holds(w, ratio_of(find_seen(w, procs, from, s->take)) + s->excess[OF_BYTES]))
        return from;
    find_procs(w->reach, g->collective, procs, &i, &end);
    for (; i < end && !s->fails; i++) {
        const struct rule_interval_seen *seen = &w->reach->seen[i];
        if (seen->bytes <= from || seen->bytes > next ||
            !candidate_equal(&seen->candidate, s->take))
            continue;
        if (!holds(w, ratio_of(seen) + (seen->bytes == next ? s->excess[OF_BYTES] : 0)))
            s->fails = seen->bytes;
        else
            good = seen->bytes;
    }
    return good;
}

static void end_bytes(const struct work *w, size_t p, size_t m, struct speaks *s)
{
    const struct rules_grid *g = w->g;
    const uint64_t from = g->bytes[m], next = g->bytes[m + 1], good = walk_bytes(w, p, m, s);
    const int unprobed = is_probed(w) && !s->probed[OF_BYTES];
    s->end = unprobed ? from + 1 : good < next ? good + 1 : next;
    s->cut[OF_BYTES] = good < next ? CUT_TIMES : unprobed ? CUT_UNPROBED : 0;
    if (s->border[OF_BYTES] < s->end) {
        s->end = s->border[OF_BYTES];
        s->cut[OF_BYTES] = CUT_CONSTRAINTS;
    }
}

/* ---- times: of processes ---- */

/* Sizes that were seen among so many processes, from the largest that is not above a rule's least
 * to the smallest that is not below its most: the largest ratio; NaN: none was seen. */
static double ratio_among(const struct work *w, const struct candidate *take, int procs,
                          uint64_t least, uint64_t most)
{
    const struct rule_interval_seen *seen = w->reach->seen;
    size_t first, end;
    double all = NAN, before = NAN;
    find_procs(w->reach, w->g->collective, procs, &first, &end);
    for (size_t i = first; i < end; i++) {
        if (!candidate_equal(&seen[i].candidate, take))
            continue;
        if (seen[i].bytes <= least)
            before = ratio_of(&seen[i]);
        else
            all = fmax(all, ratio_of(&seen[i]));
        if (seen[i].bytes >= most)
            break;
    }
    return fmax(all, before);
}

/* The next number of processes of which the collective has something that was seen; 0: none. */
static int next_procs(const struct work *w, int procs)
{
    size_t first, end;
    find_procs(w->reach, w->g->collective, procs + 1, &first, &end);
    return first < w->reach->n && strcmp(w->reach->seen[first].collective, w->g->collective) == 0
               ? w->reach->seen[first].procs
               : 0;
}

/* A rule's sizes as they are called among other processes, from its cell's to the next cell's. */
static void sizes_at(const struct work *w, size_t p, size_t m, int procs, uint64_t size[2])
{
    const struct rules_grid *g = w->g;
    struct asked a = { .w = w, .of = OF_PROCS, .procs = (int)g->procs[p], .bytes = g->bytes[m] };
    size[0] = bytes_at(&a, (uint64_t)procs);
    a.bytes = g->bytes[m + 1 < g->n_bytes ? m + 1 : m];
    size[1] = bytes_at(&a, (uint64_t)procs);
}

/* What a rule's sizes, where they end by now, took among other processes. */
static double ratio_at(const struct work *w, size_t p, size_t m, const struct speaks *s, int procs)
{
    struct asked most = {
        .w = w, .of = OF_PROCS, .procs = (int)w->g->procs[p], .bytes = s->end - 1
    };
    uint64_t size[2];
    sizes_at(w, p, m, procs, size);
    return ratio_among(w, s->take, procs, size[0], bytes_at(&most, (uint64_t)procs));
}

/* Was one of its sizes seen there? */
static int is_own(const struct work *w, size_t p, size_t m, const struct speaks *s, int procs)
{
    const struct rule_interval_seen *seen = w->reach->seen;
    uint64_t size[2];
    size_t i, end;
    sizes_at(w, p, m, procs, size);
    find_procs(w->reach, w->g->collective, procs, &i, &end);
    for (; i < end; i++)
        if (seen[i].bytes >= size[0] && seen[i].bytes <= size[1] &&
            candidate_equal(&seen[i].candidate, s->take))
            return 1;
    return 0;
}

/* What is expected of a size among so many processes of the grid: in a straight line between its
 * measured neighbours. */
static double line_bytes(const struct work *w, const struct candidate *take, int procs,
                         uint64_t bytes)
{
    const struct rules_grid *g = w->g;
    const size_t m = find_last(g->bytes, g->n_bytes, bytes);
    const double at = ratio_of(find_seen(w, procs, g->bytes[m], take));
    if (m + 1 == g->n_bytes || bytes <= g->bytes[m])
        return at;
    return -excess_of(0, (double)bytes, (double)g->bytes[m], at, (double)g->bytes[m + 1],
                      ratio_of(find_seen(w, procs, g->bytes[m + 1], take)));
}

static void see_procs(const struct work *w, size_t p, size_t m, struct speaks *s)
{
    const struct rule_interval_seen *seen = w->reach->seen;
    const int from = (int)w->g->procs[p], next = (int)w->g->procs[p + 1];
    s->border[OF_PROCS] = border_of(w, p, m, s->take, OF_PROCS);
    for (int at = next_procs(w, from); at && at < (int)s->border[OF_PROCS];
         at = next_procs(w, at)) {
        size_t i, end;
        find_procs(w->reach, w->g->collective, at, &i, &end);
        s->probed[OF_PROCS] |= !isnan(ratio_at(w, p, m, s, at));
        for (; i < end && s->probed[OF_PROCS]; i++)
            if (candidate_equal(&seen[i].candidate, s->take))
                s->excess[OF_PROCS] =
                    fmax(s->excess[OF_PROCS],
                         excess_of(ratio_of(&seen[i]), at, from,
                                   line_bytes(w, s->take, from, seen[i].bytes), next,
                                   line_bytes(w, s->take, next, seen[i].bytes)));
    }
}

/* As walk_bytes. */
static int walk_procs(const struct work *w, size_t p, size_t m, struct speaks *s)
{
    const struct rules_grid *g = w->g;
    const int from = (int)g->procs[p], next = (int)g->procs[p + 1];
    int good = from;
    if (!holds(w, ratio_at(w, p, m, s, from) + s->excess[OF_PROCS]))
        return from;
    for (int at = next_procs(w, from); at && at <= next && !s->fails_procs;
         at = next_procs(w, at)) {
        const double ratio = ratio_at(w, p, m, s, at);
        if (!holds(w, ratio + (at == next ? s->excess[OF_PROCS] : 0)))
            s->fails_procs = at;
        else if (is_own(w, p, m, s, at))
            good = at;
    }
    return s->fails_procs || (w->reach->n && isnan(ratio_at(w, p, m, s, next))) ? good : next;
}

static void end_procs(const struct work *w, size_t p, size_t m, struct speaks *s)
{
    const struct rules_grid *g = w->g;
    const int from = (int)g->procs[p], next = (int)g->procs[p + 1];
    const int border = (int)s->border[OF_PROCS], good = walk_procs(w, p, m, s),
              unprobed = is_probed(w) && !s->probed[OF_PROCS];
    if (next == from + 1)
        return;
    s->last = unprobed ? from : good < next ? good : next - 1;
    s->cut[OF_PROCS] = s->last == next - 1 ? 0 : good < next ? CUT_TIMES : CUT_UNPROBED;
    if (border <= s->last) {
        s->last = border - 1;
        s->cut[OF_PROCS] = CUT_CONSTRAINTS;
    }
}

/* ---- a grid ---- */

/* Are there processes between a row and the next that its rules govern by choice? Han's file is for
 * the nodes that were measured. */
static int has_next_procs(const struct work *w, size_t p)
{
    return p + 1 < w->g->n_procs && !w->reader->component;
}

/* The end of the run of equal choices of neighbouring sizes that begins here. */
static size_t run_end(const struct rules_grid *g, const struct speaks *row, size_t first)
{
    size_t end = first + 1;
    while (end < g->n_bytes && row[first].take && row[end].take &&
           candidate_equal(row[first].take, row[end].take))
        end++;
    return end;
}

/* Of a run what one probe saw counts for all. */
static void share_runs(const struct rules_grid *g, struct speaks *row, int of)
{
    for (size_t first = 0, end; first < g->n_bytes; first = end) {
        end = run_end(g, row, first);
        for (size_t m = first + 1; m < end; m++) {
            row[first].probed[of] |= row[m].probed[of];
            row[first].excess[of] = fmax(row[first].excess[of], row[m].excess[of]);
        }
        for (size_t m = first + 1; m < end; m++) {
            row[m].probed[of] = row[first].probed[of];
            row[m].excess[of] = row[first].excess[of];
        }
    }
}

static void rule_interval_row(const struct work *w, size_t p, struct speaks *row)
{
    const struct rules_grid *g = w->g;
    const int more = has_next_procs(w, p);
    for (size_t m = 0; m + 1 < g->n_bytes; m++)
        if (row[m].take)
            see_bytes(w, p, m, &row[m]);
    share_runs(g, row, OF_BYTES);
    for (size_t m = 0; m + 1 < g->n_bytes; m++)
        if (row[m].take)
            end_bytes(w, p, m, &row[m]);
    for (size_t m = 0; more && m < g->n_bytes; m++)
        if (row[m].take)
            see_procs(w, p, m, &row[m]);
    share_runs(g, row, OF_PROCS);
    for (size_t m = 0; more && m < g->n_bytes; m++)
        if (row[m].take)
            end_procs(w, p, m, &row[m]);
}

/* Where the library sees no size of several, and of one order, a grid is left as it is. */
static int may_refine(const struct work *w)
{
    return !w->g->whole && (w->g->n_bytes == 1 || w->unit == UNIT_MESSAGE || w->unit == UNIT_TOTAL);
}

/* How far the rules of a grid speak, by cells; to be freed. */
static struct speaks *rule_interval_grid(const struct work *w)
{
    const struct rules_grid *g = w->g;
    struct speaks *all = memory_zeros(g->n_procs * g->n_bytes + 1, sizeof *all);
    for (size_t p = 0; p < g->n_procs; p++) {
        struct speaks *row = all + p * g->n_bytes;
        for (size_t m = 0; m < g->n_bytes; m++) {
            const struct candidate *take = &g->take[p * g->n_bytes + m];
            row[m].take = *take->algorithm && !algorithm_is_default(take->algorithm) ? take : NULL;
            row[m].end = m + 1 < g->n_bytes ? g->bytes[m + 1] : g->bytes[m] + 1;
            row[m].last = p + 1 < g->n_procs ? (int)g->procs[p + 1] - 1 : (int)g->procs[p];
        }
        if (may_refine(w))
            rule_interval_row(w, p, row);
    }
    return all;
}

/* ---- a finer grid ---- */

static void copy_grid(const struct rules_grid *g, const struct speaks *all, struct rules_grid *out)
{
    out->take = memory_zeros(out->n_procs * out->n_bytes + 1, sizeof *out->take);
    out->between = memory_zeros(out->n_procs * out->n_bytes + 1, 1);
    out->likely = memory_zeros(out->n_procs * out->n_bytes * g->n_likely + 1, sizeof *out->likely);
    out->nodes = g->nodes ? memory_zeros(out->n_procs, sizeof *out->nodes) : NULL;
    out->ppn = g->ppn ? memory_zeros(out->n_procs, sizeof *out->ppn) : NULL;
    for (size_t i = 0; i < out->n_procs * out->n_bytes; i++) {
        const uint64_t procs = out->procs[i / out->n_bytes], bytes = out->bytes[i % out->n_bytes];
        const size_t p = find_last(g->procs, g->n_procs, procs),
                     m = find_last(g->bytes, g->n_bytes, bytes), at = p * g->n_bytes + m;
        const int alone = g->nodes && (uint64_t)g->nodes[p] >= g->procs[p];
        if (!all[at].take || (bytes < all[at].end && procs <= (uint64_t)all[at].last))
            out->take[i] = g->take[at];
        out->between[i] = procs != g->procs[p] || bytes != g->bytes[m];
        if (g->n_likely)
            memcpy(out->likely + i * g->n_likely, g->likely + at * g->n_likely,
                   g->n_likely * sizeof *g->likely);
        if (g->nodes)
            out->nodes[i / out->n_bytes] = alone ? (int)procs : g->nodes[p];
        if (g->ppn)
            out->ppn[i / out->n_bytes] = g->ppn[p];
    }
}

static void refine_grid(const struct rules_grid *g, const struct speaks *all,
                        struct rules_grid *out)
{
    *out = (struct rules_grid){ .n_likely = g->n_likely, .whole = g->whole };
    snprintf(out->collective, NAME_SIZE, "%s", g->collective);
    for (size_t p = 0; p < g->n_procs; p++)
        *array_add(&out->procs, &out->n_procs) = g->procs[p];
    for (size_t m = 0; m < g->n_bytes; m++)
        *array_add(&out->bytes, &out->n_bytes) = g->bytes[m];
    for (size_t i = 0; i < g->n_procs * g->n_bytes; i++) {
        if (!all[i].take)
            continue;
        if (i % g->n_bytes + 1 < g->n_bytes)
            *array_add(&out->bytes, &out->n_bytes) = all[i].end;
        if (i / g->n_bytes + 1 < g->n_procs)
            *array_add(&out->procs, &out->n_procs) = (uint64_t)all[i].last + 1;
    }
    out->n_procs = array_set_u64(out->procs, out->n_procs);
    out->n_bytes = array_set_u64(out->bytes, out->n_bytes);
    copy_grid(g, all, out);
    if (g->alone) {
        out->alone = memory_zeros(out->n_procs, 1);
        memcpy(out->alone, g->alone, g->n_procs);
    }
}

static void tell_grid(const struct work *w, const struct speaks *all,
                      struct rule_interval_counts *told)
{
    const struct rules_grid *g = w->g;
    for (size_t i = 0; told && i < g->n_procs * g->n_bytes; i++)
        for (int of = OF_BYTES; all[i].take && of <= OF_PROCS; of++) {
            if (of == OF_BYTES ? i % g->n_bytes + 1 == g->n_bytes
                               : !has_next_procs(w, i / g->n_bytes) ||
                                     g->procs[i / g->n_bytes] + 1 == g->procs[i / g->n_bytes + 1])
                continue;
            told->intervals++;
            told->probed += all[i].probed[of];
            told->cut += all[i].cut[of] == CUT_TIMES;
            told->constrained += all[i].cut[of] == CUT_CONSTRAINTS;
            told->unprobed += all[i].cut[of] == CUT_UNPROBED;
        }
}

static struct work work_of(const struct rule_interval *reach, const struct rules_reader *reader,
                           const struct rules_grid *g)
{
    const enum rules_unit unit = rules_unit(reader, g->collective);
    const int each = reader->schedules || (reader->component && unit != UNIT_NONE);
    return (struct work){ reach, reader, g, each ? UNIT_MESSAGE : unit };
}

void rule_interval_refine(const struct rule_interval *reach, const struct rules_reader *reader,
                          const struct rules_choices *choices, struct rules_choices *out,
                          struct rule_interval_counts *told)
{
    *out = (struct rules_choices){ .n = 0 };
    for (size_t i = 0; i < choices->n; i++) {
        const struct rules_grid *g = &choices->grid[i];
        const struct work w = work_of(reach, reader, g);
        struct speaks *all = rule_interval_grid(&w);
        if (told && may_refine(&w))
            tell_grid(&w, all, told);
        struct rules_grid *fine = array_add(&out->grid, &out->n);
        refine_grid(g, all, fine);
        free(all);
    }
}

/* ---- probes ---- */

/* What is worth more comes first. */
enum { WISH_INSIDE, WISH_BESIDE, WISH_BISECT, WISH_REST };

struct wishes {
    const struct work *w;
    const struct speaks *row; /* of so many processes, and their place: */
    size_t p;
    double price; /* of what a cell of the study took */
    struct rule_interval_wish *v;
    size_t n;
};

/* A size between two, about their geometric mean, that is no power of two; 0: there is none. */
static uint64_t middle_of(uint64_t good, uint64_t bad)
{
    uint64_t x = (uint64_t)(sqrt((double)good * (double)bad) / RULE_INTERVAL_ELEMENT) *
                 RULE_INTERVAL_ELEMENT;
    x += (x & (x - 1)) == 0 || x <= good ? RULE_INTERVAL_ELEMENT : 0;
    return x > good && x < bad ? x : 0;
}

/* A probe beside cell m, unless it was measured. */
static void wish(struct wishes *to, size_t m, int order, int procs, uint64_t bytes)
{
    const struct rules_grid *g = to->w->g;
    const struct candidate *take = to->row[m].take;
    const int from = (int)g->procs[to->p];
    const struct rule_interval_seen *near =
        find_seen(to->w, from, g->bytes[m + 1 < g->n_bytes ? m + 1 : m], take);
    if (procs > from && to->w->unit == UNIT_TOTAL)
        bytes = (bytes * (uint64_t)from / (uint64_t)procs + RULE_INTERVAL_ELEMENT - 1) /
                RULE_INTERVAL_ELEMENT * RULE_INTERVAL_ELEMENT;
    if ((!bytes && collective_moves(g->collective)) || !procs ||
        find_seen(to->w, procs, bytes, take))
        return;
    struct rule_interval_wish *v = array_add(&to->v, &to->n);
    *v = (struct rule_interval_wish){
        .procs = procs, .bytes = bytes, .candidate = *take, .order = order
    };
    snprintf(v->collective, NAME_SIZE, "%s", g->collective);
    v->core_s = near && isfinite(near->core_s) ? to->price * near->core_s * procs / from : 0;
}

/* Between a cell and the next size, or where constraints end its rule: just inside, and in the
 * middle. */
static void wish_bytes(struct wishes *to, size_t m, int first)
{
    const struct speaks *s = &to->row[m];
    const uint64_t from = to->w->g->bytes[m], next = s->border[OF_BYTES],
                   last = (next - 1) / RULE_INTERVAL_ELEMENT * RULE_INTERVAL_ELEMENT;
    const int procs = (int)to->w->g->procs[to->p];
    if (s->cut[OF_BYTES] == CUT_TIMES || next <= from + RULE_INTERVAL_ELEMENT)
        return;
    wish(to, m, first ? WISH_INSIDE : WISH_REST, procs, middle_of(from, next));
    wish(to, m, first ? WISH_INSIDE : WISH_REST, procs, from + RULE_INTERVAL_ELEMENT);
    wish(to, m, first ? WISH_BESIDE : WISH_REST, procs, last > from ? last : 0);
}

/* Between two numbers of processes, odd where the first is even and the other way round: what is
 * measured is often all even. 0: there is none. */
static int procs_between(int good, int bad)
{
    const int x = good + (bad - good) / 2, odd = x + ((x - good) % 2 == 0);
    return odd < bad ? odd : x > good ? x : 0;
}

/* The same between a cell and the next processes. */
static void wish_procs(struct wishes *to, size_t m, int first)
{
    const struct rules_grid *g = to->w->g;
    const struct speaks *s = &to->row[m];
    const int from = (int)g->procs[to->p], next = (int)s->border[OF_PROCS];
    if (s->cut[OF_PROCS] == CUT_TIMES || next == from + 1)
        return;
    const int middle = procs_between(from, next);
    wish(to, m, first ? WISH_INSIDE : WISH_REST, from + 1, g->bytes[m]);
    wish(to, m, first ? WISH_INSIDE : WISH_REST, middle, g->bytes[m]);
    wish(to, m, first ? WISH_BESIDE : WISH_REST, next - 1, g->bytes[m]);
    if (!first || middle <= from + 1)
        return;
    wish(to, m, WISH_BESIDE, procs_between(from, middle), g->bytes[m]);
    wish(to, m, WISH_BESIDE, procs_between(middle, next), g->bytes[m]);
}

/* Where a rule ends, and where it was seen to fail, are halved. */
static void wish_between(struct wishes *to, size_t m)
{
    const struct speaks *s = &to->row[m];
    const int procs = (int)to->w->g->procs[to->p];
    if (s->fails && 5 * s->end < 4 * s->fails)
        wish(to, m, WISH_BISECT, procs, middle_of(s->end - 1, s->fails));
    if (s->fails_procs > s->last + 1)
        wish(to, m, WISH_BISECT, procs_between(s->last, s->fails_procs), to->w->g->bytes[m]);
}

/* Of each run of equal choices that cell is probed whose choice gains least at its ends. */
static void wish_row(struct wishes *to)
{
    const struct rules_grid *g = to->w->g;
    for (size_t first = 0, end; first < g->n_bytes; first = end) {
        size_t least = first;
        end = run_end(g, to->row, first);
        for (size_t m = first; m < end && to->row[m].take; m++) {
            if (m + 1 < g->n_bytes && to->row[m].ratio > to->row[least].ratio)
                least = m;
            wish_between(to, m);
        }
        for (size_t m = first; m < end && to->row[m].take; m++) {
            if (m + 1 < g->n_bytes)
                wish_bytes(to, m, m == least);
            if (has_next_procs(to->w, to->p))
                wish_procs(to, m, m == least);
        }
    }
}

static int compare_wishes(const void *left, const void *right)
{
    const struct rule_interval_wish *a = left, *b = right;
    if (a->order != b->order)
        return a->order - b->order;
    if (a->core_s != b->core_s)
        return a->core_s < b->core_s ? -1 : 1;
    const int order = strcmp(a->collective, b->collective);
    return order                  ? order
           : a->procs != b->procs ? a->procs - b->procs
                                  : ascending(a->bytes, b->bytes);
}

/* What a probe was expected to take at a price of 1: what the study's nearest cell of the choice
 * took, by processes. 0: the study has none. */
static double expected_s(const struct rule_interval *r, const struct rule_interval_seen *probe)
{
    double least = INFINITY, s = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct rule_interval_seen *x = &r->seen[i];
        const double far = fabs(log((double)x->procs / probe->procs)) +
                           fabs(log((double)(x->bytes + 1) / (double)(probe->bytes + 1)));
        if (x->probe || far >= least || !candidate_equal(&x->candidate, &probe->candidate) ||
            strcmp(x->collective, probe->collective) != 0)
            continue;
        least = far;
        s = x->core_s * probe->procs / x->procs;
    }
    return s;
}

/* The price by what probes took so far, where that is more than was expected. */
static double price_seen(const struct rule_interval *r, double price)
{
    double took = 0, expected = 0;
    for (size_t i = 0; i < r->n; i++) {
        const double s = r->seen[i].probe && isfinite(r->seen[i].core_s) && r->seen[i].core_s > 0
                             ? expected_s(r, &r->seen[i])
                             : 0;
        if (s > 0) {
            took += r->seen[i].core_s;
            expected += s;
        }
    }
    return expected > 0 ? fmax(price, took / expected) : price;
}

struct rule_interval_wish *rule_interval_wishes(const struct rule_interval *reach,
                                                const struct rules_reader *reader,
                                                const struct rules_choices *choices,
                                                double share_pct, double price, size_t *n)
{
    struct wishes to = { .price = price_seen(reach, price) };
    double left_s = share_pct / 100 * reach->spent_core_s - reach->probed_core_s;
    left_s /= reach->probed_core_s > 0 ? 2 : 3; /* a probe may meet what is slow between cells */
    for (size_t i = 0; i < choices->n; i++) {
        const struct rules_grid *g = &choices->grid[i];
        const struct work w = work_of(reach, reader, g);
        struct speaks *all = rule_interval_grid(&w);
        to.w = &w;
        for (to.p = 0; may_refine(&w) && to.p < g->n_procs; to.p++) {
            to.row = all + to.p * g->n_bytes;
            wish_row(&to);
        }
        free(all);
    }
    if (to.n)
        qsort(to.v, to.n, sizeof *to.v, compare_wishes);
    *n = 0;
    for (size_t i = 0; i < to.n; i++)
        if (to.v[i].order == to.v[0].order && to.v[i].core_s <= left_s) {
            left_s -= to.v[i].core_s;
            to.v[(*n)++] = to.v[i];
        }
    return to.v;
}

/* ---- a walk in the place of measurements ---- */

enum { WALK_ROUNDS = 12 };

/* Every choice of a grid, in all its cells, as a study would have timed them. */
static struct rule_interval_wish *walk_cells(const struct rules_choices *choices, size_t *n)
{
    struct rule_interval_wish *v = NULL;
    *n = 0;
    for (size_t i = 0; i < choices->n; i++) {
        const struct rules_grid *g = &choices->grid[i];
        const size_t cells = g->n_procs * g->n_bytes;
        for (size_t k = 0; k < cells; k++) {
            const size_t before = first_below(b, k, candidate_equal(&g->take[b], &g->take[k]));
            if (before < k || !*g->take[k].algorithm || algorithm_is_default(g->take[k].algorithm))
                continue;
            for (size_t c = 0; c < cells; c++) {
                struct rule_interval_wish *wish = array_add(&v, n);
                *wish = (struct rule_interval_wish){ .procs = (int)g->procs[c / g->n_bytes],
                                                     .bytes = g->bytes[c % g->n_bytes],
                                                     .candidate = g->take[k] };
                snprintf(wish->collective, NAME_SIZE, "%s", g->collective);
            }
        }
    }
    return v;
}

static void walk_one(struct rule_interval *reach, const struct rule_interval_wish *w, double longer,
                     int probe)
{
    struct rule_interval_seen *s = array_add(&reach->seen, &reach->n);
    *s = (struct rule_interval_seen){ .procs = w->procs,
                                      .bytes = w->bytes,
                                      .candidate = w->candidate,
                                      .longer_pct = isnan(longer) ? INFINITY : longer,
                                      .probe = probe };
    memcpy(s->collective, w->collective, NAME_SIZE);
}

void rule_interval_walk(struct rule_interval *reach, const struct rules_reader *reader,
                        const struct rules_choices *choices, rule_interval_longer *longer,
                        const void *of)
{
    size_t n;
    struct rule_interval_wish *w = walk_cells(choices, &n);
    reach->walked = n > 0;
    for (int round = 0; n && round <= WALK_ROUNDS; round++) {
        for (size_t i = 0; i < n; i++)
            walk_one(reach, &w[i],
                     longer(of, w[i].collective, w[i].procs, w[i].bytes, &w[i].candidate),
                     round > 0);
        qsort(reach->seen, reach->n, sizeof *reach->seen, compare_seen);
        free(w);
        reach->spent_core_s = 1; /* a walk costs nothing; above 0 for is_probed */
        reach->probed_core_s = round > 0;
        w = rule_interval_wishes(reach, reader, choices, INFINITY, 0, &n);
    }
    free(w);
}
