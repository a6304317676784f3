/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetry.c - moves are tried from the one with the fewest classes on; most schedules that have no
 * symmetry are found out by their first two ranks. */
#include "analysis/walk/symmetry.h"

struct symmetries {
    const struct platform *platform;
    struct symmetry *v;
    size_t n;
    int procs; /* of those found */
};

struct symmetries *symmetries_new(const struct platform *platform)
{
    struct symmetries *list = memory_zeros(1, sizeof *list);
    list->platform = platform;
    return list;
}

static void drop(struct symmetries *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->v[i].link);
    free(list->v);
    list->v = NULL;
    list->n = 0;
}

void symmetries_free(struct symmetries *list)
{
    if (!list)
        return;
    drop(list);
    free(list);
}

/* ---- of the platform ---- */

static int moved(const struct symmetry *y, int rank, int by)
{
    return y->bits ? rank ^ by : (int)(((int64_t)rank + by) % y->procs);
}

/* The link that stands for a link, and for those on the way to it. */
static int root_of(int *link, int i)
{
    while (link[i] != i)
        i = link[i] = link[link[i]];
    return i;
}

/* Links that go to each other by this move get one that stands for them. */
static int join_links(const struct platform *p, const struct symmetry *y, int by)
{
    const int links = platform_links(p);
    int *to = memory_zeros((size_t)y->procs, sizeof *to);
    int *link = memory_zeros((size_t)links, sizeof *link);
    for (int r = 0; r < y->procs; r++)
        to[r] = moved(y, r, by);
    int is = platform_moves(p, to, y->procs, link);
    for (int i = 0; is && i < links; i++) {
        if (link[i] >= 0)
            y->link[root_of(y->link, link[i])] = root_of(y->link, i);
        is = link[i] != i || platform_link(p, i)->kind == PLATFORM_BOUND;
    }
    memory_free(to, link);
    return is;
}

/* Each message of a class has links of its own: a link stands for as many as a rank does. */
static int links_alone(const struct platform *p, const struct symmetry *y)
{
    const int links = platform_links(p), each = y->procs / y->classes;
    int *n = memory_zeros((size_t)links, sizeof *n), alone = 1;
    for (int i = 0; i < links; i++)
        n[y->link[i] = root_of(y->link, i)]++;
    for (int i = 0; i < links; i++)
        alone = alone && (n[i] <= 0 || n[i] == each || n[i] == 1 ||
                          platform_link(p, i)->kind == PLATFORM_BOUND);
    free(n);
    return alone;
}

static int fits_platform(const struct platform *p, struct symmetry *y)
{
    int is = 1;
    y->link = memory_zeros((size_t)platform_links(p), sizeof *y->link);
    for (int i = 0; i < platform_links(p); i++)
        y->link[i] = i;
    for (int by = y->classes; is && by < y->procs; by = y->bits ? 2 * by : y->procs)
        is = join_links(p, y, by);
    is = is && links_alone(p, y);
    if (!is)
        free(y->link);
    return is;
}

static void try_move(struct symmetries *list, int classes, int bits)
{
    struct symmetry y = { .procs = list->procs, .classes = classes, .bits = bits };
    if (fits_platform(list->platform, &y))
        *array_add(&list->v, &list->n) = y;
}

/* Two halves that change places are the same move either way. */
static void find_all(struct symmetries *list, int procs)
{
    drop(list);
    list->procs = procs;
    for (int classes = 1; classes <= procs / 2; classes++) {
        if (procs % classes)
            continue;
        try_move(list, classes, 0);
        if ((procs & (procs - 1)) == 0 && classes < procs / 2)
            try_move(list, classes, 1);
    }
}

/* ---- of a schedule ---- */

/* The rounds of a class that have operations, one after the other. */
struct trace {
    struct op *op;
    size_t n, room;
    size_t *end; /* of each round */
    size_t *early;
    size_t rounds, room_end, room_early;
};

static void trace_clear(struct trace *t)
{
    memory_free(t->op, t->end, t->early);
}

/* The next round that has operations; 0: there is none. */
static int next_round(const struct schedule *s, int rank, uint64_t *k, uint64_t rounds,
                      struct round *round)
{
    round->n = 0;
    while (*k < rounds && round->n == 0)
        schedule_round(s, rank, (*k)++, round);
    return round->n > 0;
}

static void trace_add(struct trace *t, const struct round *round)
{
    array_room(&t->op, &t->room, t->n + round->n);
    array_room(&t->end, &t->room_end, t->rounds + 1);
    array_room(&t->early, &t->room_early, t->rounds + 1);
    memcpy(t->op + t->n, round->ops, round->n * sizeof *round->ops);
    t->end[t->rounds] = t->n += round->n;
    t->early[t->rounds++] = 0;
}

static void trace_rank(struct trace *t, const struct schedule *s, int rank)
{
    struct round round = { 0 };
    const uint64_t rounds = schedule_rounds(s, rank);
    t->n = t->rounds = 0;
    for (uint64_t k = 0; next_round(s, rank, &k, rounds, &round);)
        trace_add(t, &round);
    for (size_t i = 0, first = 0; i + 1 < t->rounds; first = t->end[i++]) {
        const struct round now = { .ops = t->op + first, .n = t->end[i] - first },
                           next = { .ops = t->op + t->end[i], .n = t->end[i + 1] - t->end[i] };
        t->early[i] = round_early(&now, &next);
    }
    round_free(&round);
}

static int same_operations(const struct symmetry *y, const struct op *of_class,
                           const struct round *round, int by)
{
    for (size_t i = 0; i < round->n; i++) {
        const struct op *a = &of_class[i], *b = &round->ops[i];
        if (a->kind != b->kind || a->bytes != b->bytes)
            return 0;
        if ((a->kind == OP_SEND || a->kind == OP_RECV) && moved(y, a->peer, by) != b->peer)
            return 0;
    }
    return 1;
}

static int same_rank(const struct symmetry *y, const struct trace *t, const struct schedule *s,
                     int rank, int by)
{
    struct round round[2] = { { 0 }, { 0 } };
    const uint64_t rounds = schedule_rounds(s, rank);
    uint64_t k = 0;
    size_t i = 0, first = 0;
    int same = 1, at = 0;
    for (; same && next_round(s, rank, &k, rounds, &round[at]); first = t->end[i++], at = !at)
        same = i < t->rounds && round[at].n == t->end[i] - first &&
               same_operations(y, t->op + first, &round[at], by) &&
               (i == 0 || round_early(&round[!at], &round[at]) == t->early[i - 1]);
    round_free(&round[0]);
    round_free(&round[1]);
    return same && i == t->rounds;
}

static int fits_schedule(const struct symmetry *y, const struct schedule *s)
{
    struct trace t = { 0 };
    int same = 1;
    for (int c = 0; same && c < y->classes; c++) {
        trace_rank(&t, s, c);
        for (int by = y->classes; same && by < y->procs; by += y->classes)
            same = same_rank(y, &t, s, moved(y, c, by), by);
    }
    trace_clear(&t);
    return same;
}

const struct symmetry *symmetries_find(struct symmetries *list, const struct schedule *const *s,
                                       size_t n)
{
    if (list->procs != s[0]->procs)
        find_all(list, s[0]->procs);
    for (size_t i = 0; i < list->n; i++) {
        int fits = 1;
        for (size_t k = 0; fits && k < n; k++)
            fits = fits_schedule(&list->v[i], s[k]);
        if (fits)
            return &list->v[i];
    }
    return NULL;
}
