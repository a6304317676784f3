/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/schedule.h"

static const char *describe(const struct algorithm *alg)
{
    return alg ? alg->name : "(none)";
}

static int check_fanout(const struct algorithm *alg, int fanout, struct err *err)
{
    if (fanout < 0)
        return err_usage(err, "%s: fan-out %d (want 0 for the default, or more)", describe(alg),
                         fanout);
    if (alg->default_fanout && fanout && fanout < alg->min_fanout)
        return err_usage(err, "%s: fan-out %d (want at least %d)", describe(alg), fanout,
                         alg->min_fanout);
    return 0;
}

/* Sizes that can be counted, in whole elements. */
static int check_sizes(const struct algorithm *alg, const struct collective *c,
                       const struct schedule_arguments *a, struct err *err)
{
    const uint64_t element = a->element_bytes ? a->element_bytes : 1;
    if (a->bytes % element)
        return err_usage(err, "%s: %llu bytes are no whole number of elements of %llu",
                         describe(alg), (unsigned long long)a->bytes, (unsigned long long)element);
    if (a->bytes > UINT64_MAX / (uint64_t)a->procs &&
        (c->send.amount == AMOUNT_EACH || c->recv.amount == AMOUNT_EACH))
        return err_usage(err, "%s: %d blocks of %llu bytes are more than can be counted",
                         describe(alg), a->procs, (unsigned long long)a->bytes);
    if (a->sizes != SIZES_EQUAL && !c->uneven)
        return err_usage(err, "%s: the blocks of %s are all of one size", describe(alg), c->call);
    return 0;
}

static int check_arguments(const struct algorithm *alg, const struct collective *c,
                           const struct schedule_arguments *a, struct err *err)
{
    if (!alg)
        return err_usage(err, "no algorithm was given");
    if (!c)
        return err_usage(err, "%s: '%s' is not a collective", alg->name,
                         alg->collective ? alg->collective : "");
    if (a->procs < 1 || a->procs > SCHEDULE_MOST_PROCS)
        return err_usage(err, "%s: %d processes (want 1 to %d)", describe(alg), a->procs,
                         SCHEDULE_MOST_PROCS);
    if (a->root < 0 || a->root >= a->procs)
        return err_usage(err, "%s: root %d is not a rank of %d processes", describe(alg), a->root,
                         a->procs);
    if (a->seats.procs && a->seats.procs != a->procs)
        return err_usage(err, "%s: %d processes, and seats for %d", describe(alg), a->procs,
                         a->seats.procs);
    return check_fanout(alg, a->fanout, err) < 0 ? -1 : check_sizes(alg, c, a, err);
}

/* A segment of whole elements, as Open MPI rounds it; 0 where an element is larger. */
static uint64_t whole_elements(uint64_t segment_bytes, uint64_t element)
{
    const uint64_t count = segment_bytes / element, rest = segment_bytes % element;
    return count ? (count + (rest > element / 2)) * element : 0;
}

/* Whether a fan-out that was meant for `asked` says the same to what runs: a number of children is
 * no limit of requests. */
static int hears_fanout(const struct algorithm *asked, const struct algorithm *alg)
{
    return alg->default_fanout &&
           (alg->default_fanout == FANOUT_UNLIMITED) == (asked->default_fanout == FANOUT_UNLIMITED);
}

/* What of the arguments this algorithm takes; the library ignores the rest, and so do we. */
static void take_arguments(struct schedule *s, const struct algorithm *alg,
                           const struct schedule_arguments *a)
{
    s->alg = alg;
    s->segment_bytes = alg->segmented ? whole_elements(a->segment_bytes, s->element_bytes) : 0;
    s->fanout = hears_fanout(s->asked, alg) && a->fanout ? a->fanout : algorithm_fanout(alg);
    if (s->limit && alg->default_fanout == FANOUT_UNLIMITED)
        s->fanout = s->limit;
    s->segments = 1;
    if (s->segment_bytes && s->segment_bytes < s->bytes)
        s->segments = s->bytes / s->segment_bytes + (s->bytes % s->segment_bytes != 0);
}

/* An algorithm of the same collective; NULL: no name is given. */
static const struct algorithm *other(const struct schedule *s, const char *name)
{
    return name ? algorithm_find(s->collective->name, name) : NULL;
}

/* What runs in place of what shall run, or NULL. */
static const struct algorithm *substitute_of(const struct schedule *s)
{
    if (!procs_suffice(s->alg->needs, s->procs))
        return other(s, s->alg->instead);
    return s->alg->substitute ? other(s, s->alg->substitute(s)) : NULL;
}

/* Whether what was resolved can run. */
static int check_fit(const struct schedule *s, struct err *err)
{
    const char *why = s->alg->unfit ? s->alg->unfit(s) : NULL;
    if (why)
        return err_usage(err, "%s: %s", schedule_called(s).text, why);
    if (s->ordered && s->collective->combines && !s->alg->in_order)
        return err_usage(err,
                         "%s: the operation does not commute, and this algorithm does not "
                         "keep the order of ranks",
                         schedule_called(s).text);
    if (s->inexact && algorithm_ranks_differ(s->alg, schedule_called(s).text))
        return err_usage(err,
                         "%s: each rank combines in another order, so that ranks may end "
                         "with different last bits (a floating-point sum or product, or an "
                         "operation of the user's)",
                         schedule_called(s).text);
    return 0;
}

int schedule_make(struct schedule *s, const struct algorithm *alg,
                  const struct schedule_arguments *a, struct err *err)
{
    const struct collective *c = alg ? algorithm_collective(alg) : NULL;
    if (check_arguments(alg, c, a, err) < 0)
        return -1;
    *s = (struct schedule){ .asked = alg,
                            .collective = c,
                            .procs = a->procs,
                            .root = a->root,
                            .bytes = c->source == FROM_NOBODY ? 0 : a->bytes,
                            .element_bytes = a->element_bytes ? a->element_bytes : 1,
                            .ordered = a->ordered,
                            .users = a->users,
                            .inexact = a->inexact,
                            .seats = a->seats };
    s->blocks = collective_blocks(c, s->procs, s->bytes, s->element_bytes);
    s->blocks.sizes = a->sizes;
    s->blocks.seed = a->seed;
    s->blocks.borders = a->borders;
    s->limit = alg->limits && a->levels ? algorithm_limit(a->levels) : 0;
    if (alg->limits && a->levels && algorithm_takes(alg, a->levels, err) < 0)
        return err_prefix(err, "%s", alg->name);
    take_arguments(s, alg, a);
    if (alg->combine && alg->combine(alg, a->levels ? a->levels : "", &s->combination, err) < 0)
        return err_prefix(err, "%s", alg->name);
    for (const struct algorithm *instead; (instead = substitute_of(s)) != NULL;)
        take_arguments(s, instead, a);
    if (s->alg->needs != ANY_PROCS)
        s->mesh = mesh_of(s->procs);
    if (s->alg->prepare)
        s->alg->prepare(s);
    return check_fit(s, err);
}

int schedule_init(struct schedule *s, const struct algorithm *alg, int procs, int root,
                  uint64_t bytes, uint64_t segment_bytes, int fanout, struct err *err)
{
    const struct schedule_arguments a = { .procs = procs,
                                          .root = root,
                                          .bytes = bytes,
                                          .segment_bytes = segment_bytes,
                                          .fanout = fanout };
    return schedule_make(s, alg, &a, err);
}

const struct algorithm *schedule_in_effect(const struct schedule *s)
{
    const char *name = s->alg->in_effect ? s->alg->in_effect(s) : NULL;
    return name ? other(s, name) : s->alg;
}

static int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static int same_blocks(const struct blocks *a, const struct blocks *b)
{
    return a->sizes == b->sizes && a->seed == b->seed && a->borders == b->borders;
}

int schedule_same(const struct schedule *a, const struct schedule *b)
{
    return a->alg == b->alg && a->procs == b->procs && a->root == b->root && a->bytes == b->bytes &&
           a->element_bytes == b->element_bytes && a->segment_bytes == b->segment_bytes &&
           a->segments == b->segments && a->fanout == b->fanout && a->limit == b->limit &&
           a->ordered == b->ordered && same_blocks(&a->blocks, &b->blocks) &&
           seat_same(&a->seats, &b->seats) && same_text(a->combination.text, b->combination.text);
}

const char *schedule_name(const struct schedule *s, char *buf, size_t size)
{
    const char *levels = s->alg->levels ? s->combination.text : NULL;
    if (s->alg->limits && s->limit)
        snprintf(buf, size, "%s.%d", s->alg->name, s->limit);
    else
        snprintf(buf, size, "%s%s%s", s->alg->name, levels ? "." : "", levels ? levels : "");
    return buf;
}

struct schedule_called schedule_called(const struct schedule *s)
{
    struct schedule_called called = { "" };
    schedule_name(s, called.text, sizeof called.text);
    return called;
}

/* Schedules of no collective (harness/walk.c) are what their algorithm says. */
static int is_alone(const struct schedule *s)
{
    return s->procs == 1 && s->collective;
}

static int is_empty(const struct schedule *s)
{
    return s->bytes == 0 && s->collective && s->collective->source != FROM_NOBODY &&
           !s->alg->sends_empty;
}

/* Of one rank: it has something to copy. */
static int copies_own(const struct schedule *s)
{
    const struct collective *c = s->collective;
    return s->bytes > 0 && c->recv.amount != AMOUNT_NONE && c->source != FROM_BEFORE;
}

uint64_t schedule_rounds(const struct schedule *s, int rank)
{
    if (s->kept)
        return kept_rounds(s->kept, rank);
    if (is_alone(s))
        return (uint64_t)copies_own(s);
    if (is_empty(s))
        return 0;
    return s->alg->walk ? s->alg->walk(s, rank, 0, NULL) : s->alg->rounds(s, rank);
}

void schedule_add_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (is_alone(s))
        round_copy(out, BUF_RECV, 0, BUF_SEND, 0, schedule_block_bytes(s, 0, 0));
    else if (s->alg->walk)
        s->alg->walk(s, rank, k, out);
    else
        s->alg->round(s, rank, k, out);
}

void schedule_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    if (s->kept) {
        kept_round(s->kept, rank, k, out);
        return;
    }
    if (!out->room)
        out->ops = NULL; /* lent before */
    out->n = 0;
    out->phase = 0;
    schedule_add_round(s, rank, k, out);
}

/* -1: they are too many. */
static int keep_rounds(const struct schedule *s, struct kept *kept, struct round *round)
{
    for (int r = 0; r < s->procs; r++) {
        const uint64_t rounds = schedule_rounds(s, r);
        if (kept_begin_rank(kept, rounds) < 0)
            return -1;
        for (uint64_t k = 0; k < rounds; k++) {
            schedule_round(s, r, k, round);
            if (kept_add(kept, round) < 0)
                return -1;
        }
    }
    return 0;
}

void schedule_keep(struct schedule *s, struct kept *kept)
{
    struct round round = { 0 };
    s->kept = NULL;
    kept_empty(kept);
    if (keep_rounds(s, kept, &round) == 0)
        s->kept = kept;
    round_free(&round);
}

uint64_t schedule_temp_bytes(const struct schedule *s, int rank)
{
    return s->alg->temp_bytes && s->procs > 1 ? s->alg->temp_bytes(s, rank) : 0;
}

uint64_t schedule_buffer_bytes(const struct schedule *s, enum op_buffer buf, int rank)
{
    if (buf == BUF_TEMP)
        return schedule_temp_bytes(s, rank);
    const int n = collective_buffer_blocks(s->collective, buf, s->procs, rank == s->root);
    if (n == 0)
        return 0;
    const struct collective_place last = collective_place(&s->blocks, buf, rank, n - 1);
    return last.at + last.bytes;
}

/* The largest divisor whose square is not above n. */
static int divisor_below_square_root(int n)
{
    int d = 1;
    while (d + 1 <= n / (d + 1))
        d++;
    while (n % d)
        d--;
    return d;
}

/* The largest divisor whose cube is not above n and that leaves a number that can be divided; 1
 * where there is none. */
static int divisor_below_cube_root(int n)
{
    int d = 1;
    while (d + 1 <= n / (d + 1) / (d + 1))
        d++;
    while (d > 1 && (n % d || divisor_below_square_root(n / d) == 1))
        d--;
    return d;
}

struct mesh mesh_of(int procs)
{
    const int rows = divisor_below_square_root(procs), planes = divisor_below_cube_root(procs);
    const int of_plane = procs / planes, deep_rows = divisor_below_square_root(of_plane);
    return (struct mesh){ { procs / rows, rows }, { of_plane / deep_rows, deep_rows, planes } };
}
