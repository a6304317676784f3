/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/links/links_fit.h"

#include "analysis/measure/equivalent.h"
#include "analysis/models/model.h"
#include "analysis/walk/queue.h"
#include "harness/base/parallel.h"

/* The other rank of rank 0's ping-pong: the last of its team. -1: there is none. */
static int other_rank(const struct seating *seating, const struct point *p)
{
    char *member = memory_zeros((size_t)seating->procs, 1);
    int last = -1;
    if (seat_team(seating, p->channel, p->cell.procs, member) == p->cell.procs)
        for (int r = 1; r < seating->procs; r++)
            last = member[r] ? r : last;
    free(member);
    return last;
}

/* The links between the two nodes of a ping-pong, and their latency; 0: one node, or not known. */
static int distance_of(const struct facts *facts, const int *position, const struct point *p,
                       double *latency)
{
    const struct topology *t = &facts->topology;
    struct seating seating = facts_seating(facts, &p->cell);
    seating.procs = p->cell.nodes * p->cell.ppn;
    *latency = 0;
    if (seat_check(&seating, NULL) < 0 || seating.nodes > t->net.nodes)
        return 0;
    const int other = other_rank(&seating, p);
    if (other < 0)
        return 0;
    int *link = memory_zeros((size_t)t->diameter + 1, sizeof *link);
    const int hops = topology_route(t, position[seat_node(&seating, 0)],
                                    position[seat_node(&seating, other)], link);
    for (int i = 0; i < hops; i++)
        *latency += topology_latency(t, link[i]);
    free(link);
    return hops;
}

/* A ping-pong between nodes. */
struct pingpong {
    const struct measured *measured;
    int hops;
    double latency;
};

struct pingpongs {
    struct pingpong *v;
    size_t n;
};

/* A channel is the machine's, whatever the mapping under which it was measured. */
static int is_of(const struct measured *m, enum experiment experiment,
                 const struct links_platform *p)
{
    return m->point.experiment == experiment && strcmp(m->point.cell.mpi, p->mpi) == 0 &&
           (strcmp(m->point.cell.mapping, p->mapping) == 0 || m->point.channel != CHANNEL_NONE) &&
           measured_usable(m);
}

static int by_latency(const void *a, const void *b)
{
    const struct pingpong *x = a, *y = b;
    return ascending(x->latency, y->latency);
}

/* Those of a platform, the nearest first. */
static void find_pingpongs(const struct points *points, const struct facts *facts,
                           const int *position, const struct links_platform *p,
                           struct pingpongs *all)
{
    *all = (struct pingpongs){ .v = memory_zeros(points->n + 1, sizeof *all->v) };
    for (size_t i = 0; i < points->n; i++) {
        struct pingpong one = { .measured = &points->row[i] };
        if (!is_of(one.measured, EXP_PINGPONG, p))
            continue;
        one.hops = distance_of(facts, position, &one.measured->point, &one.latency);
        if (one.hops > 0)
            all->v[all->n++] = one;
    }
    if (all->n)
        qsort(all->v, all->n, sizeof *all->v, by_latency);
}

/* The channel between the two ranks of a ping-pong; none: they have no seats. */
static enum channel channel_of(const struct facts *facts, const struct point *p)
{
    struct seating seating = facts_seating(facts, &p->cell);
    seating.procs = p->cell.nodes * p->cell.ppn;
    const int other = seat_check(&seating, NULL) < 0 ? -1 : other_rank(&seating, p);
    return other < 0 ? CHANNEL_NONE : seat_channel(&seating, 0, other);
}

/* Those within a node. */
static void fit_inside(const struct points *points, const struct facts *facts,
                       struct links_platform *p)
{
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        const enum channel channel =
            is_of(m, EXP_PINGPONG, p) ? channel_of(facts, &m->point) : CHANNEL_NONE;
        if (channel != CHANNEL_NONE && channel != CHANNEL_NODE)
            curve_add(&p->inside[channel], (double)m->point.cell.bytes, m->time.value);
    }
}

/* Farther ping-pongs against the curve of the nearest, at its sizes. */
static void fit_scale(const struct facts *facts, struct links_platform *p,
                      const struct pingpongs *all)
{
    double *ratio = memory_zeros(all->n + 1, sizeof *ratio);
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct pingpong *far = &all->v[i];
        const uint64_t bytes = far->measured->point.cell.bytes;
        const double longer =
            (far->latency - p->latency) * links_latency_factor(&facts->latency_factors, bytes);
        if (!(longer > 0))
            continue;
        for (size_t k = 0; k < p->message.n; k++)
            if (p->message.bytes[k] == (double)bytes)
                ratio[n++] = (far->measured->time.value - p->message.seconds[k]) / longer;
    }
    if (n) {
        p->latency_scale = stats_median(ratio, n);
        p->scale_points = n;
    }
    free(ratio);
}

static void fit_platform(const struct points *points, const struct facts *facts,
                         const int *position, struct links_platform *p)
{
    struct pingpongs all;
    find_pingpongs(points, facts, position, p, &all);
    p->latency_scale = 1;
    for (size_t i = 0; i < all.n; i++) {
        if (i == 0) {
            p->hops = all.v[0].hops;
            p->latency = all.v[0].latency;
        }
        if (all.v[i].latency <= p->latency)
            curve_add(&p->message, (double)all.v[i].measured->point.cell.bytes,
                      all.v[i].measured->time.value);
    }
    fit_scale(facts, p, &all);
    fit_inside(points, facts, p);
    for (size_t i = 0; i < points->n; i++)
        if (is_of(&points->row[i], EXP_COPY, p))
            curve_add(&p->copy, (double)points->row[i].point.cell.bytes, points->row[i].time.value);
    free(all.v);
}

/* The platform of a library and mapping, or NULL. */
static const struct links_platform *links_platform_find(const struct links_fits *c, const char *mpi,
                                                        const char *mapping)
{
    return find_below(c->platform, i, c->n_platforms,
                      strcmp(c->platform[i].mpi, mpi) == 0 &&
                          strcmp(c->platform[i].mapping, mapping) == 0);
}

static void platform_clear(struct links_platform *p)
{
    curve_clear(&p->message);
    curve_clear(&p->copy);
    for (int i = 0; i < N_CHANNELS; i++)
        curve_clear(&p->inside[i]);
}

/* Keeps the platforms with a ping-pong. */
static void drop_empty(struct links_fits *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->n_platforms; i++) {
        if (c->platform[i].message.n)
            c->platform[kept++] = c->platform[i];
        else
            platform_clear(&c->platform[i]);
    }
    c->n_platforms = kept;
}

/* Every library and mapping of a timed point or a ping-pong, where one is between nodes: a
 * channel's counts for mappings under which none was measured. */
static void fit_platforms(const struct points *points, const struct facts *facts,
                          const int *position, struct links_fits *c)
{
    for (size_t i = 0; i < points->n; i++) {
        const struct point *point = &points->row[i].point;
        struct links_platform p = { .hops = 0 };
        if ((point->experiment != EXP_PINGPONG && point->experiment != EXP_TIME) ||
            links_platform_find(c, point->cell.mpi, point->cell.mapping))
            continue;
        memcpy(p.mpi, point->cell.mpi, sizeof p.mpi);
        memcpy(p.mapping, point->cell.mapping, sizeof p.mapping);
        struct links_platform *added = array_add(&c->platform, &c->n_platforms);
        *added = p;
        fit_platform(points, facts, position, added);
    }
    drop_empty(c);
}

/* Networks with the ranks of a launch in them, each made once. Start from { 0 }. */
struct nets {
    struct {
        struct seating seating; /* borrows from a cell of the points */
        struct links_net *net;
    } * v;
    size_t n;
};

/* The network of a cell. NULL with *err: ranks that do not fit. */
static struct links_net *net_for(struct nets *nets, const struct facts *facts,
                                 const struct cell *cell, struct err *err)
{
    const struct seating seating = facts_seating(facts, cell);
    for (size_t i = 0; i < nets->n; i++)
        if (seat_same(&nets->v[i].seating, &seating))
            return nets->v[i].net;
    struct links_net *net = links_net_new(&facts->topology, facts->order, &seating, err);
    if (!net)
        return NULL;
    array_add(&nets->v, &nets->n);
    nets->v[nets->n - 1].seating = seating;
    nets->v[nets->n - 1].net = net;
    return net;
}

static void nets_clear(struct nets *nets)
{
    for (size_t i = 0; i < nets->n; i++)
        links_net_free(nets->v[i].net);
    free(nets->v);
}

static int walk_all(const struct links_fits *c, struct links_net *net,
                    const struct links_platform *p, const struct schedule *s,
                    struct links_result *result, struct err *err)
{
    const struct links_costs costs = (struct links_costs){ &p->message,
                                                           &p->copy,
                                                           p->latency,
                                                           p->latency_scale,
                                                           &c->facts.latency_factors,
                                                           c->facts.rendezvous_bytes,
                                                           p->inside };
    *result = (struct links_result){ .link_bytes = NAN,
                                     .network_s = NAN,
                                     .alone_s = NAN,
                                     .latency_s = NAN,
                                     .copy_s = NAN,
                                     .queue_s = NAN };
    if (model_too_many(s, LINKS_MOST_ROUNDS))
        return 0;
    if (links_walk(net, s, &costs, NULL, result, err) < 0)
        return -1;
    return queue_walk(net, s, &costs, &result->queue_s, err);
}

/* 0: nothing to walk, for want of a platform, a schedule or a place for all ranks. */
static int can_walk(const struct links_fits *c, const struct point *point)
{
    const struct seating seating = facts_seating(&c->facts, &point->cell);
    struct schedule s;
    return point->experiment == EXP_TIME &&
           links_platform_find(c, point->cell.mpi, point->cell.mapping) &&
           seat_check(&seating, NULL) == 0 && seating.nodes <= c->facts.topology.net.nodes &&
           equivalent_schedule(&c->facts, &point->cell, &point->candidate, &s, NULL) == 0;
}

/* What is to be walked. The schedules of an algorithm and a number of processes are a lot, which
 * one thread walks, with networks of its own: these remember steps, whatever their size. */
struct walking {
    struct links_fits *c;
    struct links_row **row; /* lot by lot, those of one schedule side by side, the longest first */
    size_t *first;          /* where each lot begins; the last is their end */
    struct err *err;        /* of every lot */
    char *failed;
};

/* s: the schedule of the row before, which is kept. */
static int walk_row(const struct links_fits *c, struct nets *nets, struct links_row *row,
                    struct schedule *s, struct kept *kept, struct err *err)
{
    const struct point *p = &row->point;
    struct links_net *net = net_for(nets, &c->facts, &p->cell, err);
    struct schedule next;
    if (!net || equivalent_schedule(&c->facts, &p->cell, &p->candidate, &next, err) < 0)
        return -1;
    if (!s->alg || !schedule_same(s, &next)) {
        *s = next;
        if (!model_too_many(s, LINKS_MOST_ROUNDS))
            schedule_keep(s, kept);
    }
    return walk_all(c, net, links_platform_find(c, p->cell.mpi, p->cell.mapping), s, &row->result,
                    err);
}

static void walk_lot(size_t i, void *user)
{
    const struct walking *w = user;
    struct nets nets = { 0 };
    struct schedule s = { .alg = NULL };
    struct kept kept = { 0 };
    for (size_t k = w->first[i]; k < w->first[i + 1] && !w->failed[i]; k++)
        w->failed[i] = walk_row(w->c, &nets, w->row[k], &s, &kept, &w->err[i]) < 0;
    kept_clear(&kept);
    nets_clear(&nets);
}

static int by_lot(const struct point *x, const struct point *y)
{
    return by_keys(ascending(y->cell.procs, x->cell.procs),
                   strcmp(x->cell.collective, y->cell.collective),
                   strcmp(x->candidate.algorithm, y->candidate.algorithm));
}

static int by_schedule(const void *a, const void *b)
{
    const struct links_row *x = *(struct links_row *const *)a, *y = *(struct links_row *const *)b;
    return by_keys(
        by_lot(&x->point, &y->point),
        equivalent_order(&x->point.cell, &x->point.candidate, &y->point.cell, &y->point.candidate),
        ascending(x, y));
}

static int walk_rows(struct links_fits *c, struct err *err)
{
    struct walking w = { c, memory_zeros(c->n + 1, sizeof *w.row),
                         memory_zeros(c->n + 1, sizeof *w.first), NULL, NULL };
    int status = 0;
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        w.row[i] = &c->row[i];
    qsort(w.row, c->n, sizeof *w.row, by_schedule);
    for (size_t i = 0; i < c->n; i++)
        if (i == 0 || by_lot(&w.row[i - 1]->point, &w.row[i]->point) != 0)
            w.first[n++] = i;
    w.first[n] = c->n;
    w.err = memory_zeros(n + 1, sizeof *w.err);
    w.failed = memory_zeros(n + 1, 1);
    parallel_for(n, walk_lot, &w);
    for (size_t i = 0; i < n && status == 0; i++)
        if (w.failed[i])
            status = err_set(err, "%s", w.err[i].text);
    memory_free(w.row, w.first, w.err, w.failed);
    return status;
}

static int by_id(const void *a, const void *b)
{
    const struct links_row *x = a, *y = b;
    return strcmp(x->point.id, y->point.id);
}

static int walk_points(const struct points *points, struct links_fits *c, struct err *err)
{
    c->row = memory_zeros(points->n + 1, sizeof *c->row);
    for (size_t i = 0; i < points->n; i++)
        if (can_walk(c, &points->row[i].point))
            c->row[c->n++].point = points->row[i].point;
    const int status = walk_rows(c, err);
    qsort(c->row, c->n, sizeof *c->row, by_id);
    return status;
}

int links_fit(const struct points *points, const struct facts *facts, struct links_fits *c,
              struct err *err)
{
    *c = (struct links_fits){ .facts = *facts };
    if (!facts->has_topology)
        return 0;
    int *position = memory_zeros((size_t)facts->topology.net.nodes, sizeof *position);
    int status = topology_order(&facts->topology, facts->order, position, err);
    if (status == 0)
        fit_platforms(points, facts, position, c);
    if (status == 0 && c->n_platforms)
        status = walk_points(points, c, err);
    free(position);
    if (status < 0)
        links_fits_clear(c);
    return status;
}

int links_of(const struct links_fits *c, const struct cell *cell, const struct candidate *candidate,
             const struct schedule *s, struct links_result *result)
{
    struct links_row key = { .point = { .experiment = EXP_TIME } };
    const struct links_platform *p = links_platform_find(c, cell->mpi, cell->mapping);
    if (!p)
        return -1;
    key.point.cell = *cell;
    key.point.candidate = *candidate;
    point_identify(&key.point);
    const struct links_row *row = c->n ? bsearch(&key, c->row, c->n, sizeof key, by_id) : NULL;
    if (row) {
        *result = row->result;
        return 0;
    }
    const struct seating seating = facts_seating(&c->facts, cell);
    struct links_net *net = links_net_new(&c->facts.topology, c->facts.order, &seating, NULL);
    int status = net ? walk_all(c, net, p, s, result, NULL) : -1;
    links_net_free(net);
    return status;
}

double links_measured_bytes(const struct links_fits *c, const struct cell *cell)
{
    const struct links_platform *p = links_platform_find(c, cell->mpi, cell->mapping);
    return p ? p->message.bytes[p->message.n - 1] : 0;
}

double links_seconds(const struct links_result *r)
{
    return r->network_s + r->copy_s;
}

double links_alone_seconds(const struct links_result *r)
{
    return r->alone_s + r->copy_s;
}

double links_step_hops_seconds(const struct links_result *r)
{
    return r->network_s + r->latency_s + r->copy_s;
}

double links_queue_seconds(const struct links_result *r)
{
    return r->queue_s;
}

void links_fits_clear(struct links_fits *c)
{
    for (size_t i = 0; i < c->n_platforms; i++)
        platform_clear(&c->platform[i]);
    memory_free(c->platform, c->row);
    *c = (struct links_fits){ .n = 0 };
}
