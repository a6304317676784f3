/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/bounds.h"

#include "workloads/schedules/collectives.h"

const char *const doubt_words[] = {
    [DOUBT_NONE] = "",         [DOUBT_LINKS] = "links",     [DOUBT_TRUNK] = "trunk",
    [DOUBT_MEMORY] = "memory", [DOUBT_LATENCY] = "latency", [DOUBT_MEAN] = "mean",
    [N_DOUBTS] = NULL,
};

const char *doubt_title(enum doubt doubt)
{
    static const char *const titles[N_DOUBTS] = {
        [DOUBT_NONE] = "",
        [DOUBT_LINKS] = "less than the bytes over the links of a node take",
        [DOUBT_TRUNK] = "less than the bytes over the trunk of a switch take",
        [DOUBT_MEMORY] = "less than the bytes into the memories of a node take",
        [DOUBT_LATENCY] = "less than one message between nodes takes",
        [DOUBT_MEAN] = "a mean over ranks, of which most return before the call has ended",
    };
    return titles[doubt];
}

/* A rounded rate, or a sum in another order, breaks no bound. */
static const double slack = 1e-6;

/* Some of the ranks, and the others. */
struct part {
    double inside, outside; /* how many */
    int has_root;
};

/* Bytes of which the ranks outside have what those inside want, whoever sends them. */
static double least_into(const struct collective *c, const struct part *p, double bytes)
{
    if (!(p->inside > 0) || !(p->outside > 0))
        return 0;
    switch (c->source) {
    case FROM_ROOT:
        return p->has_root ? 0 : c->personal ? p->inside * bytes : bytes;
    case FROM_EACH:
        if (c->rooted && !p->has_root)
            return 0;
        return c->personal ? p->inside * p->outside * bytes : p->outside * bytes;
    case FROM_ALL:
        if (c->rooted && !p->has_root)
            return 0;
        return c->personal ? p->inside * bytes : bytes;
    default:
        return 0;
    }
}

static double least_out(const struct collective *c, const struct part *p, double bytes)
{
    const struct part others = { p->outside, p->inside, c->rooted && !p->has_root };
    return least_into(c, &others, bytes);
}

static double least_through(const struct collective *c, const struct part *p, double bytes)
{
    return fmax(least_into(c, p, bytes), least_out(c, p, bytes));
}

/* Bytes of others that end in the buffers of so many ranks. */
static double least_got(const struct collective *c, const struct part *p, double bytes)
{
    const double procs = p->inside + p->outside, takers = c->rooted ? p->has_root : p->inside;
    switch (c->source) {
    case FROM_ROOT:
        return (p->inside - p->has_root) * bytes;
    case FROM_EACH:
        return takers * (procs - 1) * bytes;
    case FROM_ALL:
        return procs > 1 ? takers * bytes : 0;
    default:
        return 0;
    }
}

struct bounding {
    const struct rated *rated;
    const struct collective *collective;
    struct seating seating;
    double bytes;
    int root_node; /* -1: no root */
    int by_mean;   /* over ranks that are alike */
    struct bound bound;
    double weighed; /* by_mean: sum over nodes of their ranks times half of what they take */
};

static void take(struct bounding *b, double seconds, enum doubt by)
{
    if (seconds > b->bound.seconds)
        b->bound = (struct bound){ seconds, by };
}

static double over(double bytes, double rate)
{
    return rate > 0 && bytes > 0 ? bytes / rate : 0;
}

static struct part part_of(const struct bounding *b, int first, int nodes)
{
    struct part p = { .has_root = b->root_node >= first && b->root_node < first + nodes };
    for (int node = first; node < first + nodes && node < b->seating.nodes; node++)
        p.inside += seat_count(&b->seating, node);
    p.outside = b->seating.procs - p.inside;
    return p;
}

/* Its ranks may end one after the other: in the mean half of the time. */
static void bound_node(struct bounding *b, int node)
{
    const struct part p = part_of(b, node, 1);
    const struct rated *r = b->rated;
    const double links = over(least_through(b->collective, &p, b->bytes) - r->burst, r->node_rate),
                 memory = r->caches > 0 ? over(least_got(b->collective, &p, b->bytes) - r->caches,
                                               r->memory_rate)
                                        : 0;
    const double most = fmax(links, memory);
    b->weighed += p.inside * most / 2;
    if (b->by_mean)
        return;
    take(b, links, DOUBT_LINKS);
    take(b, memory, DOUBT_MEMORY);
}

static void bound_trunks(struct bounding *b)
{
    const int nodes = seat_switch_nodes(&b->seating);
    for (int first = 0; nodes > 0 && !b->by_mean && first < b->seating.nodes; first += nodes) {
        const struct part p = part_of(b, first, nodes);
        take(b, over(least_through(b->collective, &p, b->bytes), b->rated->trunk_rate),
             DOUBT_TRUNK);
    }
}

/* Every rank waits for the one that called last; in the mean those of other nodes do. With a root,
 * or in a scan, ranks may have what they want before they call. */
static void bound_latency(struct bounding *b)
{
    const struct collective *c = b->collective;
    const int all_wait = !c->rooted && c->source != FROM_FIRST && c->source != FROM_BEFORE &&
                         (b->bytes > 0 || c->source == FROM_NOBODY);
    if (!all_wait || b->seating.nodes < 2)
        return;
    const double others = b->seating.procs - b->seating.ppn;
    take(b, b->rated->latency * (b->by_mean ? others / b->seating.procs : 1), DOUBT_LATENCY);
}

struct bound bound_of(const struct facts *facts, const struct cell *cell, int by_mean)
{
    struct bounding b = { .rated = &facts->rated,
                          .collective = collective_find(cell->collective),
                          .seating = facts_seating(facts, cell),
                          .bytes = (double)cell->bytes,
                          .root_node = -1 };
    if (!b.collective || *cell->arrival || cell->procs < 2 || seat_check(&b.seating, NULL) < 0)
        return b.bound;
    b.by_mean = by_mean && !b.collective->rooted;
    if (b.collective->rooted)
        b.root_node = seat_node(&b.seating, cell->root);
    for (int node = 0; node < cell->nodes; node++)
        bound_node(&b, node);
    if (b.by_mean)
        take(&b, b.weighed / cell->procs, DOUBT_LINKS);
    bound_trunks(&b);
    bound_latency(&b);
    return b.bound;
}

enum doubt doubt_of(const struct bound *bound, const struct cell *cell, const char *statistic,
                    double seconds)
{
    if (!(seconds > 0))
        return DOUBT_NONE;
    if (seconds < bound->seconds * (1 - slack))
        return bound->by;
    return strcmp(statistic, "mean_rank") == 0 && collective_of(cell->collective)->rooted &&
                   cell->procs > 1
               ? DOUBT_MEAN
               : DOUBT_NONE;
}
