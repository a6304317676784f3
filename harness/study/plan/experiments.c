/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/experiments.h"

#include "harness/study/plan/candidates.h"
#include "harness/study/topology.h"
#include "workloads/schedules/schedule.h"

/* Where a world would be placed; 0 ranks: nowhere. */
static struct seating seat_world(const struct cluster *c, const struct study *s,
                                 const char *mapping, int world)
{
    struct seating seating = { .mapping = mapping,
                               .procs = world,
                               .sockets = c->sockets,
                               .cores = c->cores,
                               .cache_cores = c->cache_cores };
    if (plan_place(c, s, mapping, world, &seating.nodes, &seating.ppn, NULL) < 0)
        seating.procs = 0;
    return seating;
}

static int holds(const struct cluster *c, const struct study *s, enum channel channel, int procs,
                 const char *mapping, int world, struct team_place *place)
{
    const struct seating seating = seat_world(c, s, mapping, world);
    if (seat_team(&seating, channel, procs, NULL) < procs)
        return 0;
    *place = (struct team_place){ mapping, world, seating.nodes, seating.ppn };
    return 1;
}

/* The i-th world that the study launches, 0 after the last. */
static int world_at(const struct study *s, size_t i)
{
    const struct int_list *lists[] = { &s->procs, &s->fit_procs, &s->held_procs };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        if (i < lists[k]->n)
            return lists[k]->v[i];
        i -= lists[k]->n;
    }
    return 0;
}

/* The smallest of the study's worlds under a mapping that holds the team. */
static int place_in_study(const struct cluster *c, const struct study *s, enum channel channel,
                          int procs, const char *mapping, struct team_place *place)
{
    struct team_place at;
    int world, least = 0;
    for (size_t i = 0; (world = world_at(s, i)) > 0; i++)
        if (world >= procs && (!least || world < least) &&
            holds(c, s, channel, procs, mapping, world, &at)) {
            least = world;
            *place = at;
        }
    return least > 0;
}

/* The first world that holds it, from the study's largest by twos up to the whole cluster. */
static int place_beyond(const struct cluster *c, const struct study *s, enum channel channel,
                        int procs, const char *mapping, struct team_place *place)
{
    const int most = plan_node_room(c, s) * s->nodes;
    int world, largest = procs;
    for (size_t i = 0; (world = world_at(s, i)) > 0; i++)
        largest = world > largest ? world : largest;
    for (world = largest; world < most; world *= 2)
        if (holds(c, s, channel, procs, mapping, world, place))
            return 1;
    return holds(c, s, channel, procs, mapping, most, place);
}

int plan_team_place(const struct cluster *c, const struct study *s, enum channel channel, int procs,
                    struct team_place *place, struct err *err)
{
    for (size_t i = 0; i < s->mappings.n; i++)
        if (place_in_study(c, s, channel, procs, s->mappings.v[i], place))
            return 0;
    for (size_t i = 0; i < s->mappings.n; i++)
        if (place_beyond(c, s, channel, procs, s->mappings.v[i], place))
            return 0;
    return err_set(err, "no placement on %s has %d processes on channel '%s'", c->name, procs,
                   channel_words[channel]);
}

int plan_team_most(const struct cluster *c, const struct study *s, enum channel channel)
{
    int world, most = 1;
    for (size_t k = 0; k < s->mappings.n; k++)
        for (size_t i = 0; (world = world_at(s, i)) > 0; i++) {
            const struct seating seating = seat_world(c, s, s->mappings.v[k], world);
            const int team = seat_team(&seating, channel, seating.procs, NULL);
            most = team > most ? team : most;
        }
    return most;
}

/* The rank of a world of one rank per node that is most links away from rank 0, the first of
 * several; 0: none is further than rank 1, or the network is no torus or mesh. */
static int plan_farthest(const struct cluster *c, int world, int nodes, int ppn)
{
    struct topology t;
    int farthest = 0;
    if (topology_of_cluster(&t, c, NULL) < 0 || ppn != 1 || nodes > t.net.nodes ||
        (t.net.kind != TOPOLOGY_TORUS && t.net.kind != TOPOLOGY_MESH))
        return 0;
    int *position = memory_zeros((size_t)t.net.nodes, sizeof *position);
    if (topology_order(&t, c->order, position, NULL) == 0) {
        int most = topology_route(&t, position[0], position[world > 1], NULL);
        for (int r = 2; r < world; r++) {
            const int hops = topology_route(&t, position[0], position[r], NULL);
            farthest = hops > most ? r : farthest;
            most = hops > most ? hops : most;
        }
    }
    free(position);
    return farthest;
}

struct range {
    uint64_t least, most; /* bytes; most 0: nothing is copied */
};

static void add_round(struct range *range, const struct round *round)
{
    for (size_t i = 0; i < round->n; i++) {
        const struct op *op = &round->ops[i];
        if (op->kind != OP_COPY || op->bytes == 0)
            continue;
        if (range->most == 0 || op->bytes < range->least)
            range->least = op->bytes;
        if (op->bytes > range->most)
            range->most = op->bytes;
    }
}

/* Among more ranks than these, or more rounds of a rank, only every so many is looked at, and the
 * last one: sizes that none of these copies are not found. A ring has as many rounds as ranks, and
 * a round may have as many operations: of very many ranks fewer are looked at. */
enum { MOST_RANKS = 256, LEAST_RANKS = 16, MOST_ROUNDS = 4096, MOST_OPERATIONS = 1 << 24 };

static uint64_t next_of(uint64_t i, uint64_t n, uint64_t looked_at)
{
    const uint64_t next = i + (n + looked_at - 1) / looked_at;
    return next < n || i == n - 1 ? next : n - 1;
}

/* What the ranks of one algorithm copy. */
static int add_algorithm(struct range *range, const struct algorithm *a, int procs, uint64_t bytes,
                         struct err *err)
{
    struct round round = { 0 };
    struct schedule s;
    if (a->unfit && schedule_init(&s, a, procs, 0, bytes, 0, 0, NULL) < 0)
        return 0; /* it is not planned */
    if (schedule_init(&s, a, procs, 0, bytes, 0, 0, err) < 0)
        return -1;
    const uint64_t ranks = (uint64_t)procs, fit = MOST_OPERATIONS / ranks,
                   looked_at = fit > MOST_RANKS    ? MOST_RANKS
                               : fit < LEAST_RANKS ? LEAST_RANKS
                                                   : fit;
    for (uint64_t r = 0; r < ranks; r = next_of(r, ranks, looked_at)) {
        const int rank = (int)r;
        const uint64_t rounds = schedule_rounds(&s, rank);
        for (uint64_t k = 0; k < rounds; k = next_of(k, rounds, MOST_ROUNDS)) {
            schedule_round(&s, rank, k, &round);
            add_round(range, &round);
        }
    }
    round_free(&round);
    return 0;
}

static int add_collective(struct range *range, const char *collective, int procs, uint64_t bytes,
                          struct err *err)
{
    const struct collective *c = collective_find(collective);
    for (const struct algorithm *a = NULL; c && (a = collective_algorithm(c, a));)
        if (add_algorithm(range, a, procs, bytes, err) < 0)
            return -1;
    return 0;
}

int plan_copy_sizes(const struct study *study, const char *collective, struct size_list *sizes,
                    struct err *err)
{
    struct range range = { 0, 0 };
    uint64_t least = UINT64_MAX, most = 0;
    int procs = 1;
    *sizes = study->copy_bytes;
    if (sizes->n)
        return 0;
    for (size_t i = 0; i < study->bytes.n; i++) {
        least = study->bytes.v[i] < least ? study->bytes.v[i] : least;
        most = study->bytes.v[i] > most ? study->bytes.v[i] : most;
    }
    for (size_t i = 0; i < study->procs.n; i++)
        procs = study->procs.v[i] > procs ? study->procs.v[i] : procs;
    if (add_collective(&range, collective, procs, least, err) < 0 ||
        add_collective(&range, collective, procs, most, err) < 0)
        return -1;
    for (uint64_t m = range.least; m < range.most && sizes->n + 1 < KEY_LIST_MAX; m *= 2)
        sizes->v[sizes->n++] = m;
    if (range.most)
        sizes->v[sizes->n++] = range.most;
    return 0;
}

/* Nuriyev section 4.2: each algorithm, each size, closed by a gather of m_g in turn. */
static int want_hockney(struct wanted *w, struct point point)
{
    const struct study *s = w->study;
    const char *collective = point.cell.collective;
    const int moves = collective_moves(collective); /* a barrier: the gather alone has a size */
    const int root = collective_of(collective)->rooted ? s->roots.v[0] : 0;
    point.purpose = FOR_FIT;
    for (size_t p = 0; p < s->fit_procs.n; p++) {
        point.cell.procs = s->fit_procs.v[p];
        for (size_t i = 0; i < (moves ? s->bytes.n : s->gather_bytes.n); i++) {
            point.experiment = EXP_GATHER;
            point.cell.root = collective_closing_root(collective, point.cell.procs, root);
            point.cell.bytes = moves ? s->bytes.v[i] : 0;
            point.gather_bytes = s->gather_bytes.v[i % s->gather_bytes.n];
            if (candidates_want(w, &point) < 0)
                return -1;
        }
    }
    return 0;
}

/* The world in which the first q ranks are placed as q ranks alone would be: the largest of the
 * study with as many ranks per node; on one node q itself. */
static int world_for(const struct wanted *w, const char *mapping, int q, int *nodes, int *ppn)
{
    const struct int_list *lists[2] = { &w->study->procs, &w->study->fit_procs };
    int q_nodes, q_ppn, world = q;
    if (plan_place(w->cluster, w->study, mapping, q, &q_nodes, &q_ppn, NULL) < 0)
        return -1;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->n; i++) {
            int p = lists[k]->v[i], p_nodes, p_ppn;
            if (w->study->nodes > 1 && p > world &&
                plan_place(w->cluster, w->study, mapping, p, &p_nodes, &p_ppn, NULL) == 0 &&
                p_ppn == q_ppn)
                world = p;
        }
    if (plan_place(w->cluster, w->study, mapping, world, nodes, ppn, NULL) < 0)
        return -1;
    return world;
}

/* A point on the first q ranks of a larger world; skipped where not even q ranks fit. */
static void want_first(struct wanted *w, struct point *point, int q)
{
    int world = world_for(w, point->cell.mapping, q, &point->cell.nodes, &point->cell.ppn);
    point->cell.procs = q;
    if (world < 0)
        wanted_add_placed(w, point);
    else
        wanted_add(w, point, world);
}

/* The study's first segment size; the first size of its grid where nothing is segmented. */
static uint64_t first_segment(const struct study *s)
{
    for (size_t i = 0; i < s->segment_bytes.n; i++)
        if (s->segment_bytes.v[i])
            return s->segment_bytes.v[i];
    return s->bytes.v[0];
}

static void take_linear(struct point *point, enum collective_fan fan)
{
    const struct algorithm *alg = collective_linear(fan);
    snprintf(point->cell.collective, NAME_SIZE, "%s", collective_of_fan(fan)->name);
    snprintf(point->candidate.algorithm, NAME_SIZE, "portable:%.50s", alg->name);
}

/* A linear collective of one segment between synchronised ranks, which gives a gamma; and the
 * paper's loop of it. */
static void want_linear(struct wanted *w, struct point point, enum collective_fan fan, int q)
{
    point.cell.bytes = first_segment(w->study);
    take_linear(&point, fan);
    struct point loop = point;
    point.experiment = EXP_TIME;
    loop.experiment = EXP_GAMMA;
    want_first(w, &point, q);
    want_first(w, &loop, q);
}

/* Gamma is the platform's, and of a broadcast whatever is studied; where reductions are, of fan-ins
 * too, without combining and with it (analysis/models/gamma/gamma_fit.h). Beside the loops their
 * barrier, for the report. */
static void want_gamma_at(struct wanted *w, const struct point *like, int q)
{
    const int reduces = collective_of(like->cell.collective)->combines;
    struct point barrier = *like;
    want_linear(w, *like, FAN_SEND, q);
    if (reduces) {
        want_linear(w, *like, FAN_RECEIVE, q);
        want_linear(w, *like, FAN_REDUCE, q);
    }
    barrier.experiment = EXP_BARRIER;
    snprintf(barrier.candidate.algorithm, NAME_SIZE, "portable:central");
    want_first(w, &barrier, q);
}

/* Nuriyev section 4.1: 2 to 8, then powers of two, and the largest; or as the study lists them. */
static void want_gamma(struct wanted *w, const struct point *like)
{
    const struct int_list *asked = &w->study->gamma_procs;
    int most = int_list_largest(&w->study->procs);
    for (size_t i = 0; i < asked->n; i++)
        want_gamma_at(w, like, asked->v[i]);
    if (asked->n)
        return;
    for (int q = 2; q < most; q = q < 8 ? q + 1 : 2 * q)
        want_gamma_at(w, like, q);
    if (most >= 2)
        want_gamma_at(w, like, most);
}

/* The blocks of a scatter: halves of the least size, down to one rank's share of it. */
static void want_small_pingpong(struct wanted *w, struct point *point)
{
    const struct size_list *sizes = &w->study->bytes;
    uint64_t least = sizes->n ? sizes->v[0] : 0,
             procs = (uint64_t)int_list_largest(&w->study->procs);
    for (size_t i = 1; i < sizes->n; i++)
        least = sizes->v[i] < least ? sizes->v[i] : least;
    for (uint64_t m = least / 2; m > 0 && m * procs >= least; m /= 2) {
        point->cell.bytes = m;
        want_first(w, point, 2);
    }
}

/* Where messages cross several links: between rank 0 and the one most links away, so that two
 * distances give the latency of a link (analysis/models/links/links_fit.h). */
static void want_far_pingpong(struct wanted *w, struct point point)
{
    const struct size_list *sizes = &w->study->pingpong_bytes;
    const int world = world_for(w, point.cell.mapping, 2, &point.cell.nodes, &point.cell.ppn);
    const int far =
        world > 0 ? plan_farthest(w->cluster, world, point.cell.nodes, point.cell.ppn) : 0;
    if (!sizes->n)
        sizes = &w->study->bytes;
    point.channel = CHANNEL_NODE;
    point.cell.procs = far + 1;
    for (size_t i = 0; far && i < sizes->n; i++) {
        point.cell.bytes = sizes->v[i];
        wanted_add(w, &point, world);
    }
}

static void want_pingpong(struct wanted *w, struct point point)
{
    const struct size_list *asked = &w->study->pingpong_bytes;
    const struct size_list *sizes = asked->n ? asked : &w->study->bytes;
    point.experiment = EXP_PINGPONG;
    snprintf(point.candidate.algorithm, NAME_SIZE, "portable:pingpong");
    for (size_t i = 0; i < sizes->n; i++) {
        point.cell.bytes = sizes->v[i];
        want_first(w, &point, 2);
    }
    if (!asked->n)
        want_small_pingpong(w, &point);
    want_far_pingpong(w, point);
}

/* Copies in memory, by one rank. */
static int want_copies(struct wanted *w, struct point point)
{
    struct size_list sizes;
    if (plan_copy_sizes(w->study, point.cell.collective, &sizes, w->err) < 0)
        return -1;
    point.experiment = EXP_COPY;
    snprintf(point.candidate.algorithm, NAME_SIZE, "portable:memcpy");
    for (size_t i = 0; i < sizes.n; i++) {
        point.cell.bytes = sizes.v[i];
        want_first(w, &point, 1);
    }
    return 0;
}

int experiments_want_fits(struct wanted *w, const struct point *like)
{
    struct point point = *like;
    point.purpose = FOR_FIT;
    if (want_hockney(w, point) < 0)
        return -1;
    want_gamma(w, &point);
    want_pingpong(w, point);
    return want_copies(w, point);
}

/* An experiment among procs ranks on a channel at every size, or the reason why there is no such
 * team. */
static void want_team(struct wanted *w, struct point point, int procs)
{
    const struct size_list *sizes = &w->study->channel_bytes;
    struct team_place place = { .mapping = w->study->mappings.v[0], .nodes = 1, .ppn = procs };
    struct err why = { 0 };
    const int held = plan_team_place(w->cluster, w->study, point.channel, procs, &place, &why) == 0;
    snprintf(point.cell.mapping, NAME_SIZE, "%.63s", place.mapping);
    point.cell.nodes = place.nodes;
    point.cell.ppn = place.ppn;
    point.cell.procs = procs;
    for (size_t i = 0; i < sizes->n; i++) {
        point.cell.bytes = sizes->v[i];
        if (held)
            wanted_add(w, &point, place.world);
        else
            wanted_skip(w, &point, why.text);
    }
}

/* A linear broadcast among so many and, where reductions are studied, a linear reduction; in one
 * segment. */
static void want_fan(struct wanted *w, struct point point, int procs)
{
    point.experiment = EXP_FANOUT;
    take_linear(&point, FAN_SEND);
    want_team(w, point, procs);
    point.experiment = EXP_FANIN;
    take_linear(&point, FAN_REDUCE);
    if (any_below(i, w->study->collectives.n, collective_of(w->study->collectives.v[i])->combines))
        want_team(w, point, procs);
}

static void want_fans(struct wanted *w, const struct point *point)
{
    const struct int_list *asked = &w->study->fanout_procs;
    const int most = plan_team_most(w->cluster, w->study, point->channel);
    for (size_t i = 0; i < asked->n; i++)
        want_fan(w, *point, asked->v[i]);
    if (asked->n)
        return;
    for (int q = 2; q < most; q = q < 8 ? q + 1 : 2 * q)
        want_fan(w, *point, q);
    want_fan(w, *point, most > 2 ? most : 2);
}

int experiments_want_channels(struct wanted *w, const char *mpi)
{
    const struct study *s = w->study;
    struct point point = { .purpose = FOR_FIT };
    snprintf(point.cell.mpi, NAME_SIZE, "%.63s", mpi);
    for (size_t c = 0; c < s->channels_asked.n; c++) {
        if (channel_parse(s->channels_asked.v[c], &point.channel, w->err) < 0)
            return -1;
        struct point pingpong = point;
        pingpong.experiment = EXP_PINGPONG;
        snprintf(pingpong.cell.collective, NAME_SIZE, "%.63s", s->collectives.v[0]);
        snprintf(pingpong.candidate.algorithm, NAME_SIZE, "portable:pingpong");
        want_team(w, pingpong, 2);
        want_fans(w, &point);
    }
    return 0;
}
