/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/rng.h"
#include "harness/base/seat.h"
#include "harness/estimate.h"
#include "harness/libraries/library.h"
#include "harness/plan_copy.h"
#include "harness/plan_team.h"
#include "workloads/schedules/decision.h"
#include "workloads/schedules/schedule.h"

/* ---- collecting points ---- */

/* A point and the job it will be in: the placement of its whole world. */
struct wanted {
    struct point point;
    int world; /* ranks of the launch */
    double messages;
    double weight; /* by which launches are cut: messages, queued: seconds */
};

struct builder {
    const struct cluster *cluster;
    const struct study *study;
    int simulated; /* portable algorithms only, one launch of each, decision functions as default */
    int queued;    /* a launch must fit into the time limit of a job */
    struct wanted *wanted;
    size_t n, cap;
    struct skipped *skipped;
    size_t n_skipped, cap_skipped;
    size_t *slots; /* open-addressed index of wanted by id; value index + 1 */
    size_t n_slots;
    struct err *err;
};

static void *grow(void *v, size_t *cap, size_t size)
{
    size_t more = *cap ? 2 * *cap : 256;
    void *bigger = realloc(v, more * size);
    if (bigger)
        *cap = more;
    return bigger;
}

static size_t slot_of(const struct builder *b, const char *id)
{
    size_t i = strtoull(id, NULL, 16) % b->n_slots;
    while (b->slots[i] && strcmp(b->wanted[b->slots[i] - 1].point.id, id) != 0)
        i = (i + 1) % b->n_slots;
    return i;
}

static int index_grow(struct builder *b)
{
    if (2 * (b->n + 1) <= b->n_slots)
        return 0;
    size_t n = b->n_slots ? 2 * b->n_slots : 1024;
    size_t *slots = calloc(n, sizeof *slots);
    if (!slots)
        return err_set(b->err, "out of memory");
    free(b->slots);
    b->slots = slots;
    b->n_slots = n;
    for (size_t i = 0; i < b->n; i++)
        b->slots[slot_of(b, b->wanted[i].point.id)] = i + 1;
    return 0;
}

/* Adds a point; the same measurement wanted twice is taken once, for its first purpose. */
static int want(struct builder *b, struct point *point, int world)
{
    point_identify(point);
    if (index_grow(b) < 0)
        return -1;
    size_t slot = slot_of(b, point->id);
    if (b->slots[slot])
        return 0;
    if (b->n == b->cap) {
        struct wanted *v = grow(b->wanted, &b->cap, sizeof *v);
        if (!v)
            return err_set(b->err, "out of memory");
        b->wanted = v;
    }
    double messages = point_messages(point, b->study->inner);
    double weight = b->queued ? estimate_point_bound(point, b->cluster, b->study) : messages;
    b->wanted[b->n++] =
        (struct wanted){ .point = *point, .world = world, .messages = messages, .weight = weight };
    b->slots[slot] = b->n;
    return 0;
}

static int skip_point(struct builder *b, struct point *point, const char *reason)
{
    if (b->n_skipped == b->cap_skipped) {
        struct skipped *v = grow(b->skipped, &b->cap_skipped, sizeof *v);
        if (!v)
            return err_set(b->err, "out of memory");
        b->skipped = v;
    }
    struct skipped *s = &b->skipped[b->n_skipped++];
    point_identify(point);
    s->point = *point;
    snprintf(s->reason, sizeof s->reason, "%.159s", reason);
    return 0;
}

int plan_node_room(const struct cluster *cluster, const struct study *study)
{
    return strcmp(study->ranks_per, "node") == 0     ? 1
           : strcmp(study->ranks_per, "socket") == 0 ? cluster->sockets
                                                     : cluster_node_cores(cluster);
}

int plan_place(const struct cluster *cluster, const struct study *study, const char *mapping,
               int procs, int *nodes, int *ppn, struct err *err)
{
    const int room = plan_node_room(cluster, study);
    if (strcmp(study->spread, "packed") == 0)
        seat_pack(mapping, study->nodes, room, procs, nodes, ppn);
    else
        seat_shape(study->nodes, procs, nodes, ppn);
    if (*ppn <= room * study->oversubscribe)
        return 0;
    return err_set(err,
                   "%d processes do not fit: %s has %d nodes with room for %d each (one per %s%s)",
                   procs, cluster->name, study->nodes, room * study->oversubscribe,
                   study->ranks_per, study->oversubscribe > 1 ? ", oversubscribed" : "");
}

/* Adds a point of a cell whose placement follows from its processes, or the reason why not. */
static int want_placed(struct builder *b, struct point *point)
{
    struct err why = { 0 };
    struct cell *c = &point->cell;
    if (plan_place(b->cluster, b->study, c->mapping, c->procs, &c->nodes, &c->ppn, &why) < 0)
        return skip_point(b, point, why.text);
    return want(b, point, c->procs);
}

/* ---- candidates ---- */

static int want_segments(struct builder *b, struct point *point, int segmented,
                         int (*take)(struct builder *, struct point *))
{
    const struct size_list *segments = &b->study->segment_bytes;
    for (size_t i = 0; i < (segmented ? segments->n : 1); i++) {
        point->candidate.segment_bytes = segmented ? segments->v[i] : 0;
        if (take(b, point) < 0)
            return -1;
    }
    return 0;
}

/* Every fan-out and segment size of one algorithm; fanout 0: it takes none. */
static int want_algorithm(struct builder *b, struct point *point, const char *name, int segmented,
                          int fanout, int (*take)(struct builder *, struct point *))
{
    const struct pair_list *fanouts = &b->study->fanouts;
    int tried = 0;
    for (size_t i = 0; fanout && i < fanouts->n; i++) {
        if (strcmp(fanouts->v[i].name, name) != 0)
            continue;
        tried = 1;
        point->candidate.fanout = fanouts->v[i].value;
        if (want_segments(b, point, segmented, take) < 0)
            return -1;
    }
    point->candidate.fanout = fanout;
    return tried ? 0 : want_segments(b, point, segmented, take);
}

static int want_portable(struct builder *b, struct point *point,
                         int (*take)(struct builder *, struct point *))
{
    const struct name_list *names = &b->study->portable;
    for (size_t i = 0; i < names->n; i++) {
        const struct algorithm *a = algorithm_find(point->cell.collective, names->v[i]);
        if (!a)
            return err_usage(b->err, "%s: portable: '%s' is not an algorithm of %s", b->study->path,
                             names->v[i], point->cell.collective);
        snprintf(point->candidate.algorithm, NAME_SIZE, "portable:%.50s", names->v[i]);
        if (want_algorithm(b, point, names->v[i], a->segmented, a->default_fanout, take) < 0)
            return -1;
    }
    return 0;
}

/* What the library refuses to run among so many processes. */
static int want_refused(struct builder *b, struct point *point)
{
    point->candidate.segment_bytes = 0;
    point->candidate.fanout = 0;
    struct err why = { 0 };
    struct cell *c = &point->cell;
    if (plan_place(b->cluster, b->study, c->mapping, c->procs, &c->nodes, &c->ppn, &why) == 0)
        err_set(&why, "the library runs it among 2^n processes only");
    return skip_point(b, point, why.text);
}

static int want_natives(struct builder *b, struct point *point, const struct library *library,
                        const struct name_list *names,
                        int (*take)(struct builder *, struct point *))
{
    for (size_t i = 0; i < names->n; i++) {
        const struct native *a = library_native(library, point->cell.collective, names->v[i]);
        if (!a)
            return err_usage(b->err, "%s: %s: '%s' is not an algorithm of its %s", b->study->path,
                             library->name, names->v[i], point->cell.collective);
        snprintf(point->candidate.algorithm, NAME_SIZE, "%s:%.50s", library->name, names->v[i]);
        if (a->powers && (point->cell.procs & (point->cell.procs - 1)) != 0) {
            if (want_refused(b, point) < 0)
                return -1;
            continue;
        }
        if (want_algorithm(b, point, names->v[i], a->segmented, a->fanout, take) < 0)
            return -1;
    }
    return 0;
}

/* Every candidate of the study for the point's cell. */
static int want_candidates(struct builder *b, struct point *point,
                           int (*take)(struct builder *, struct point *))
{
    const struct library *library = library_find(point->cell.mpi);
    if (want_portable(b, point, take) < 0)
        return -1;
    if (b->simulated || !library)
        return 0;
    if (strcmp(library->name, "openmpi") == 0)
        return want_natives(b, point, library, &b->study->openmpi, take);
    if (strcmp(library->name, "mpich") == 0)
        return want_natives(b, point, library, &b->study->mpich, take);
    return 0;
}

/* What the library would choose: measured unforced, or the published decision where it does not
 * run. */
static int want_default(struct builder *b, struct point *point)
{
    const struct study *s = b->study;
    if (!s->with_default)
        return 0;
    point->purpose = FOR_DEFAULT;
    if (!b->simulated) {
        snprintf(point->candidate.algorithm, NAME_SIZE, "%.50s:default", point->cell.mpi);
        point->candidate.segment_bytes = 0;
        point->candidate.fanout = 0;
        return want_placed(b, point);
    }
    struct decision d;
    if (!decide(s->sim_default, point->cell.collective, point->cell.procs, point->cell.bytes, &d))
        return 0;
    snprintf(point->candidate.algorithm, NAME_SIZE, "portable:%.50s", d.algorithm);
    point->candidate.segment_bytes = d.segment_bytes;
    point->candidate.fanout = d.fanout;
    return want_placed(b, point);
}

/* ---- the sets of points ---- */

static int want_cell(struct builder *b, struct point point, enum purpose purpose)
{
    struct point by_default = point;
    point.purpose = purpose;
    if (want_candidates(b, &point, want_placed) < 0)
        return -1;
    return want_default(b, &by_default);
}

static uint64_t held_size(const struct study *s, uint64_t bytes)
{
    return (uint64_t)llround((double)bytes * s->held_bytes_factor);
}

static int largest(const struct int_list *list)
{
    int most = 0;
    for (size_t i = 0; i < list->n; i++)
        most = list->v[i] > most ? list->v[i] : most;
    return most;
}

static int must_be_rank(const struct builder *b, const char *key, int root, int procs)
{
    if (root < procs)
        return 0;
    return err_usage(b->err, "%s: %s: %d is not a rank of %d processes", b->study->path, key, root,
                     procs);
}

/* Roots of a list; of a collective without one, rank 0 alone. */
static size_t count_roots(const struct int_list *roots, const struct point *point)
{
    return collective_is_rooted(point->cell.collective) ? roots->n : 1;
}

static int root_at(const struct int_list *roots, const struct point *point, size_t i)
{
    return collective_is_rooted(point->cell.collective) ? roots->v[i] : 0;
}

/* The grid: every process count, size and root. */
static int want_grid(struct builder *b, struct point point)
{
    const struct study *s = b->study;
    for (size_t p = 0; p < s->procs.n; p++) {
        point.cell.procs = s->procs.v[p];
        for (size_t r = 0; r < count_roots(&s->roots, &point); r++) {
            point.cell.root = root_at(&s->roots, &point, r);
            if (must_be_rank(b, "roots", point.cell.root, point.cell.procs) < 0)
                return -1;
            for (size_t i = 0; i < s->bytes.n; i++) {
                point.cell.bytes = s->bytes.v[i];
                if (want_cell(b, point, FOR_STUDY) < 0)
                    return -1;
                point.cell.bytes = held_size(s, s->bytes.v[i]);
                if (s->held_bytes_factor > 0 && want_cell(b, point, FOR_HELD_BYTES) < 0)
                    return -1;
            }
        }
    }
    return 0;
}

/* Held out process counts at the grid's sizes; held out roots at its largest process count. */
static int want_held(struct builder *b, struct point point)
{
    const struct study *s = b->study;
    for (size_t i = 0; i < s->bytes.n; i++) {
        point.cell.bytes = s->bytes.v[i];
        point.cell.root = root_at(&s->roots, &point, 0);
        for (size_t p = 0; p < s->held_procs.n; p++) {
            point.cell.procs = s->held_procs.v[p];
            if (must_be_rank(b, "roots", point.cell.root, point.cell.procs) < 0 ||
                want_cell(b, point, FOR_HELD_PROCS) < 0)
                return -1;
        }
        point.cell.procs = largest(&s->procs);
        for (size_t r = 0; collective_is_rooted(point.cell.collective) && r < s->held_roots.n;
             r++) {
            point.cell.root = s->held_roots.v[r];
            if (must_be_rank(b, "held_roots", point.cell.root, point.cell.procs) < 0 ||
                want_cell(b, point, FOR_HELD_ROOT) < 0)
                return -1;
        }
    }
    return 0;
}

/* Nuriyev section 4.2: each algorithm, each size, closed by a gather of m_g in turn; and alone, for
 * the event model (analysis/event_fit.h), where the grid has it not. */
static int want_hockney(struct builder *b, struct point point)
{
    const struct study *s = b->study;
    point.experiment = EXP_GATHER;
    point.purpose = FOR_FIT;
    point.cell.root = root_at(&s->roots, &point, 0);
    for (size_t p = 0; p < s->fit_procs.n; p++) {
        point.cell.procs = s->fit_procs.v[p];
        for (size_t i = 0; i < s->bytes.n; i++) {
            point.cell.bytes = s->bytes.v[i];
            point.gather_bytes = s->gather_bytes.v[i % s->gather_bytes.n];
            if (want_candidates(b, &point, want_placed) < 0)
                return -1;
            struct point alone = point;
            alone.experiment = EXP_TIME;
            alone.gather_bytes = 0;
            if (want_candidates(b, &alone, want_placed) < 0)
                return -1;
        }
    }
    return 0;
}

/* The world in which the first q ranks are placed as q ranks alone would be: the largest of the
 * study with as many ranks per node; on one node q itself. */
static int world_for(const struct builder *b, const char *mapping, int q, int *nodes, int *ppn)
{
    const struct int_list *lists[2] = { &b->study->procs, &b->study->fit_procs };
    int q_nodes, q_ppn, world = q;
    if (plan_place(b->cluster, b->study, mapping, q, &q_nodes, &q_ppn, NULL) < 0)
        return -1;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->n; i++) {
            int p = lists[k]->v[i], p_nodes, p_ppn;
            if (b->study->nodes > 1 && p > world &&
                plan_place(b->cluster, b->study, mapping, p, &p_nodes, &p_ppn, NULL) == 0 &&
                p_ppn == q_ppn)
                world = p;
        }
    if (plan_place(b->cluster, b->study, mapping, world, nodes, ppn, NULL) < 0)
        return -1;
    return world;
}

/* A point on the first q ranks of a larger world. */
static int want_first(struct builder *b, struct point *point, int q)
{
    int world = world_for(b, point->cell.mapping, q, &point->cell.nodes, &point->cell.ppn);
    point->cell.procs = q;
    return world < 0 ? 0 : want(b, point, world);
}

static int first_segment(const struct study *s, uint64_t *bytes)
{
    for (size_t i = 0; i < s->segment_bytes.n; i++)
        if (s->segment_bytes.v[i]) {
            *bytes = s->segment_bytes.v[i];
            return 1;
        }
    *bytes = s->bytes.v[0];
    return 0;
}

/* The broadcast between synchronised ranks, which gives gamma; and the paper's loop with its
 * barrier, for the report. Gamma is the platform's, and of a broadcast whatever is studied. */
static int want_gamma_at(struct builder *b, const struct point *like, int q)
{
    struct point alone = *like, loop, barrier = *like;
    first_segment(b->study, &alone.cell.bytes);
    snprintf(alone.cell.collective, NAME_SIZE, "bcast");
    snprintf(alone.candidate.algorithm, NAME_SIZE, "portable:basic_linear");
    loop = alone;
    alone.experiment = EXP_TIME;
    loop.experiment = EXP_GAMMA;
    barrier.experiment = EXP_BARRIER;
    snprintf(barrier.candidate.algorithm, NAME_SIZE, "portable:central");
    if (want_first(b, &alone, q) < 0 || want_first(b, &loop, q) < 0)
        return -1;
    return want_first(b, &barrier, q);
}

/* Nuriyev section 4.1: 2 to 8, then powers of two, and the largest; or as the study lists them. */
static int want_gamma(struct builder *b, const struct point *like)
{
    const struct int_list *asked = &b->study->gamma_procs;
    int most = largest(&b->study->procs);
    for (size_t i = 0; i < asked->n; i++)
        if (want_gamma_at(b, like, asked->v[i]) < 0)
            return -1;
    if (asked->n)
        return 0;
    for (int q = 2; q < most; q = q < 8 ? q + 1 : 2 * q)
        if (want_gamma_at(b, like, q) < 0)
            return -1;
    return most >= 2 ? want_gamma_at(b, like, most) : 0;
}

/* The blocks of a scatter: halves of the least size, down to one rank's share of it. */
static int want_small_pingpong(struct builder *b, struct point *point)
{
    const struct size_list *sizes = &b->study->bytes;
    uint64_t least = sizes->n ? sizes->v[0] : 0, procs = (uint64_t)largest(&b->study->procs);
    for (size_t i = 1; i < sizes->n; i++)
        least = sizes->v[i] < least ? sizes->v[i] : least;
    for (uint64_t m = least / 2; m > 0 && m * procs >= least; m /= 2) {
        point->cell.bytes = m;
        if (want_first(b, point, 2) < 0)
            return -1;
    }
    return 0;
}

/* Where messages cross several links: between rank 0 and the one most links away, so that two
 * distances give the latency of a link (analysis/contention_fit.h). */
static int want_far_pingpong(struct builder *b, struct point point)
{
    const struct size_list *sizes = &b->study->pingpong_bytes;
    const int world = world_for(b, point.cell.mapping, 2, &point.cell.nodes, &point.cell.ppn);
    const int far =
        world > 0 ? plan_farthest(b->cluster, world, point.cell.nodes, point.cell.ppn) : 0;
    if (!sizes->n)
        sizes = &b->study->bytes;
    point.channel = CHANNEL_NODE;
    point.cell.procs = far + 1;
    for (size_t i = 0; far && i < sizes->n; i++) {
        point.cell.bytes = sizes->v[i];
        if (want(b, &point, world) < 0)
            return -1;
    }
    return 0;
}

static int want_pingpong(struct builder *b, struct point point)
{
    const struct size_list *asked = &b->study->pingpong_bytes;
    const struct size_list *sizes = asked->n ? asked : &b->study->bytes;
    point.experiment = EXP_PINGPONG;
    snprintf(point.candidate.algorithm, NAME_SIZE, "portable:pingpong");
    for (size_t i = 0; i < sizes->n; i++) {
        point.cell.bytes = sizes->v[i];
        if (want_first(b, &point, 2) < 0)
            return -1;
    }
    if (!asked->n && want_small_pingpong(b, &point) < 0)
        return -1;
    return want_far_pingpong(b, point);
}

/* ---- channels ---- */

/* An experiment among procs ranks on a channel at every size, or the reason why there is no such
 * team. */
static int want_team(struct builder *b, struct point point, int procs)
{
    const struct size_list *sizes = &b->study->channel_bytes;
    struct team_place place = { .mapping = b->study->mappings.v[0], .nodes = 1, .ppn = procs };
    struct err why = { 0 };
    int status = plan_team_place(b->cluster, b->study, point.channel, procs, &place, &why);
    const int held = status == 0;
    snprintf(point.cell.mapping, NAME_SIZE, "%.63s", place.mapping);
    point.cell.nodes = place.nodes;
    point.cell.ppn = place.ppn;
    point.cell.procs = procs;
    status = 0;
    for (size_t i = 0; i < sizes->n && status == 0; i++) {
        point.cell.bytes = sizes->v[i];
        status = held ? want(b, &point, place.world) : skip_point(b, &point, why.text);
    }
    return status;
}

static int studies(const struct builder *b, const char *collective)
{
    for (size_t i = 0; i < b->study->collectives.n; i++)
        if (strcmp(b->study->collectives.v[i], collective) == 0)
            return 1;
    return 0;
}

/* A linear broadcast among so many and, where reductions are studied, a linear reduction; in one
 * segment. */
static int want_fan(struct builder *b, struct point point, int procs)
{
    point.experiment = EXP_FANOUT;
    snprintf(point.cell.collective, NAME_SIZE, "bcast");
    snprintf(point.candidate.algorithm, NAME_SIZE, "portable:basic_linear");
    if (want_team(b, point, procs) < 0)
        return -1;
    point.experiment = EXP_FANIN;
    snprintf(point.cell.collective, NAME_SIZE, "reduce");
    snprintf(point.candidate.algorithm, NAME_SIZE, "portable:linear");
    return studies(b, "reduce") ? want_team(b, point, procs) : 0;
}

static int want_fans(struct builder *b, const struct point *point)
{
    const struct int_list *asked = &b->study->fanout_procs;
    const int most = plan_team_most(b->cluster, b->study, point->channel);
    for (size_t i = 0; i < asked->n; i++)
        if (want_fan(b, *point, asked->v[i]) < 0)
            return -1;
    if (asked->n)
        return 0;
    for (int q = 2; q < most; q = q < 8 ? q + 1 : 2 * q)
        if (want_fan(b, *point, q) < 0)
            return -1;
    return want_fan(b, *point, most > 2 ? most : 2);
}

/* Ping-pong, fan-out and fan-in of every channel that the study names (Nuriyev, Rico-Gallego &
 * Lastovetsky 2022), once for all mappings and collectives. */
static int want_channels(struct builder *b, const char *mpi)
{
    const struct study *s = b->study;
    struct point point = { .purpose = FOR_FIT };
    snprintf(point.cell.mpi, NAME_SIZE, "%.63s", mpi);
    for (size_t c = 0; c < s->channels_asked.n; c++) {
        if (channel_parse(s->channels_asked.v[c], &point.channel, b->err) < 0)
            return -1;
        struct point pingpong = point;
        pingpong.experiment = EXP_PINGPONG;
        snprintf(pingpong.cell.collective, NAME_SIZE, "%.63s", s->collectives.v[0]);
        snprintf(pingpong.candidate.algorithm, NAME_SIZE, "portable:pingpong");
        if (want_team(b, pingpong, 2) < 0 || want_fans(b, &point) < 0)
            return -1;
    }
    return 0;
}

/* Copies in memory, by one rank. */
static int want_copies(struct builder *b, struct point point)
{
    struct size_list sizes;
    if (plan_copy_sizes(b->study, point.cell.collective, &sizes, b->err) < 0)
        return -1;
    point.experiment = EXP_COPY;
    snprintf(point.candidate.algorithm, NAME_SIZE, "portable:memcpy");
    for (size_t i = 0; i < sizes.n; i++) {
        point.cell.bytes = sizes.v[i];
        if (want_first(b, &point, 1) < 0)
            return -1;
    }
    return 0;
}

static int want_fits(struct builder *b, struct point point)
{
    point.purpose = FOR_FIT;
    if (want_hockney(b, point) < 0 || want_gamma(b, &point) < 0)
        return -1;
    return want_pingpong(b, point) < 0 ? -1 : want_copies(b, point);
}

static int want_mapping(struct builder *b, const char *collective, const char *mpi,
                        const char *mapping)
{
    struct point point = { .experiment = EXP_TIME };
    snprintf(point.cell.collective, NAME_SIZE, "%.63s", collective);
    snprintf(point.cell.mpi, NAME_SIZE, "%.63s", mpi);
    snprintf(point.cell.mapping, NAME_SIZE, "%.63s", mapping);
    if (want_grid(b, point) < 0 || want_held(b, point) < 0)
        return -1;
    return want_fits(b, point);
}

static int want_all(struct builder *b, const char *backend)
{
    const struct study *s = b->study;
    for (size_t m = 0; m < (b->simulated ? 1 : s->mpi.n); m++) {
        const char *mpi = strcmp(backend, "sim") == 0 ? "smpi"
                          : b->simulated              ? "null"
                                                      : s->mpi.v[m];
        for (size_t c = 0; c < s->collectives.n; c++)
            for (size_t k = 0; k < s->mappings.n; k++)
                if (want_mapping(b, s->collectives.v[c], mpi, s->mappings.v[k]) < 0)
                    return -1;
        if (want_channels(b, mpi) < 0)
            return -1;
    }
    return 0;
}

/* ---- launches ---- */

/* Order by what makes a launch: library, mapping, placement, world. Then by id, so that the shuffle
 * starts from one order. */
static int by_launch(const void *left, const void *right)
{
    const struct wanted *a = left, *b = right;
    int c = strcmp(a->point.cell.mpi, b->point.cell.mpi);
    if (!c)
        c = strcmp(a->point.cell.mapping, b->point.cell.mapping);
    if (!c)
        c = (a->point.cell.nodes > b->point.cell.nodes) -
            (a->point.cell.nodes < b->point.cell.nodes);
    if (!c)
        c = (a->point.cell.ppn > b->point.cell.ppn) - (a->point.cell.ppn < b->point.cell.ppn);
    if (!c)
        c = (a->world > b->world) - (a->world < b->world);
    return c;
}

static int by_launch_and_id(const void *left, const void *right)
{
    const struct wanted *a = left, *b = right;
    int c = by_launch(left, right);
    return c ? c : strcmp(a->point.id, b->point.id);
}

static int by_weight(const void *left, const void *right)
{
    const struct wanted *a = left, *b = right;
    int c = (a->weight < b->weight) - (a->weight > b->weight);
    return c ? c : strcmp(a->point.id, b->point.id);
}

/* End of the group of equal launches that starts at i. */
static size_t group_end(const struct builder *b, size_t i)
{
    size_t end = i + 1;
    while (end < b->n && by_launch(&b->wanted[i], &b->wanted[end]) == 0)
        end++;
    return end;
}

/* How many launches a group of points is cut in. Simulated, so that cores share the work; queued,
 * so that each fits into a job: dealt out, none is longer than the mean and its largest point. */
static int chunks_of(const struct builder *b, const struct wanted *group, size_t n)
{
    double weight = 0, most = 0, chunks = 1;
    for (size_t i = 0; i < n; i++) {
        weight += group[i].weight;
        most = fmax(most, group[i].weight);
    }
    double limit =
        b->queued ? estimate_most_launch(b->cluster, b->study) : (double)b->study->launch_messages;
    if (b->simulated)
        chunks = ceil(weight / limit);
    else if (b->queued && weight > limit)
        chunks = limit > most ? ceil(weight / (limit - most)) : (double)n;
    return chunks < 1 ? 1 : chunks > (double)n ? (int)n : (int)chunks;
}

static void name_launch(struct launch *l)
{
    char chunk[16] = "";
    if (l->chunk)
        snprintf(chunk, sizeof chunk, "-c%d", l->chunk);
    snprintf(l->name, sizeof l->name, "%.20s-%.20s-%dx%d-p%d%s-r%d", l->mpi, l->mapping, l->nodes,
             l->ppn, l->procs, chunk, l->repeat);
}

static int plan_room(struct plan *plan, size_t points, size_t launches, struct err *err)
{
    struct point *p = realloc(plan->points, (plan->n + points) * sizeof *p);
    if (p)
        plan->points = p;
    struct launch *l = realloc(plan->launches, (plan->n_launches + launches) * sizeof *l);
    if (l)
        plan->launches = l;
    return p && l ? 0 : err_set(err, "out of memory");
}

static struct launch *add_launch(struct plan *plan, const struct wanted *like, int chunk,
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
    name_launch(l);
    return l;
}

/* Deals a group into chunks of like size, the largest points first; chunk[i] is from 0. Sorts the
 * group. */
static int deal(struct wanted *group, size_t n, int chunks, int *chunk, struct err *err)
{
    double *load = calloc((size_t)chunks, sizeof *load);
    if (!load)
        return err_set(err, "out of memory");
    qsort(group, n, sizeof *group, by_weight);
    for (size_t i = 0; i < n; i++) {
        int least = 0;
        for (int k = 1; k < chunks; k++)
            if (load[k] < load[least])
                least = k;
        chunk[i] = least;
        load[least] += group[i].weight;
    }
    free(load);
    return 0;
}

static void fill_launch(struct plan *plan, struct launch *l, const struct wanted *group,
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

static int plan_group(const struct builder *b, struct plan *plan, struct wanted *group, size_t n,
                      struct rng *rng)
{
    int chunks = chunks_of(b, group, n), repeats = b->simulated ? 1 : b->study->repeats;
    int *chunk = calloc(n, sizeof *chunk);
    int status = chunk ? deal(group, n, chunks, chunk, b->err) : err_set(b->err, "out of memory");
    if (status == 0)
        status = plan_room(plan, n * (size_t)repeats, (size_t)(chunks * repeats), b->err);
    for (int r = 1; status == 0 && r <= repeats; r++)
        for (int k = 1; k <= chunks; k++)
            fill_launch(plan, add_launch(plan, group, chunks > 1 ? k : 0, r), group, chunk, n, rng);
    free(chunk);
    return status;
}

/* Launches start in shuffled order, repeat by repeat; equal seeds give equal orders. */
static void order_launches(struct plan *plan, struct rng *rng)
{
    rng_shuffle(rng, plan->launches, plan->n_launches, sizeof *plan->launches);
    for (size_t i = 1; i < plan->n_launches; i++) { /* stable insertion by repeat */
        struct launch l = plan->launches[i];
        size_t k = i;
        for (; k > 0 && plan->launches[k - 1].repeat > l.repeat; k--)
            plan->launches[k] = plan->launches[k - 1];
        plan->launches[k] = l;
    }
}

static int plan_launches(struct builder *b, struct plan *plan)
{
    struct rng rng;
    rng_init(&rng, b->study->seed);
    if (b->n)
        qsort(b->wanted, b->n, sizeof *b->wanted, by_launch_and_id);
    for (size_t i = 0; i < b->n;) {
        size_t end = group_end(b, i);
        if (plan_group(b, plan, b->wanted + i, end - i, &rng) < 0)
            return -1;
        i = end;
    }
    order_launches(plan, &rng);
    return 0;
}

int plan_build(const struct cluster *cluster, const struct study *study, const char *backend,
               struct plan *plan, struct err *err)
{
    struct builder b = { .cluster = cluster,
                         .study = study,
                         .err = err,
                         .simulated = strcmp(backend, "sim") == 0 || strcmp(backend, "null") == 0,
                         .queued = strcmp(backend, "slurm") == 0 };
    *plan = (struct plan){ 0 };
    int status = want_all(&b, backend);
    if (status == 0 && b.n == 0)
        status = err_usage(err, "%s: nothing of this study can be measured on '%s'%s%s",
                           study->path, cluster->name, b.n_skipped ? ": " : "",
                           b.n_skipped ? b.skipped[0].reason : "");
    if (status == 0)
        status = plan_launches(&b, plan);
    plan->skipped = b.skipped;
    plan->n_skipped = b.n_skipped;
    free(b.wanted);
    free(b.slots);
    if (status < 0)
        plan_free(plan);
    return status;
}

static int is_skipped(const struct plan *plan, size_t first, const char *id)
{
    for (size_t i = first; i < plan->n_skipped; i++)
        if (strcmp(plan->skipped[i].point.id, id) == 0)
            return 1;
    return 0;
}

/* Adds a launch's points to the skipped ones; room is there. */
static void skip_launch(struct plan *plan, const struct point *points, const struct launch *l,
                        size_t first, const char *reason)
{
    for (size_t i = l->first; i < l->first + l->n; i++) {
        struct skipped *s = &plan->skipped[plan->n_skipped];
        if (is_skipped(plan, first, points[i].id)) /* of another repeat */
            continue;
        s->point = points[i];
        snprintf(s->reason, sizeof s->reason, "%s", reason);
        plan->n_skipped++;
    }
}

int plan_leave_out(struct plan *plan, const char *mpi, const char *reason, struct err *err)
{
    const size_t first = plan->n_skipped, launches = plan->n_launches;
    struct point *old = plan->points, *points = malloc((plan->n + 1) * sizeof *points);
    struct skipped *more = realloc(plan->skipped, (first + plan->n + 1) * sizeof *more);
    if (more)
        plan->skipped = more;
    if (!points || !more) {
        free(points);
        return err_set(err, "out of memory");
    }
    plan->n = plan->n_launches = 0;
    for (size_t k = 0; k < launches; k++) {
        struct launch l = plan->launches[k];
        if (strcmp(l.mpi, mpi) == 0) {
            skip_launch(plan, old, &l, first, reason);
            continue;
        }
        memcpy(points + plan->n, old + l.first, l.n * sizeof *points);
        l.first = plan->n;
        plan->n += l.n;
        plan->launches[plan->n_launches++] = l;
    }
    plan->points = points;
    free(old);
    return 0;
}

void plan_free(struct plan *plan)
{
    free(plan->points);
    free(plan->launches);
    free(plan->skipped);
    *plan = (struct plan){ 0 };
}

/* ---- estimates ---- */

static double log2_up(int n)
{
    return n > 1 ? ceil(log2(n)) : 0;
}

/* Messages of the collective itself: at least one a round, and one to each other rank. Algorithms
 * without a schedule of ours count as a tree. */
static double collective_messages(const struct point *p)
{
    const struct cell *c = &p->cell;
    const struct algorithm *a =
        algorithm_find(c->collective, algorithm_base_name(p->candidate.algorithm));
    struct schedule s;
    double rounds = 0;
    if (a && schedule_init(&s, a, c->procs, c->root, c->bytes, p->candidate.segment_bytes,
                           p->candidate.fanout, NULL) == 0)
        for (int r = 0; r < c->procs; r++)
            rounds += (double)schedule_rounds(&s, r);
    return fmax(rounds, c->procs - 1);
}

double point_messages(const struct point *p, int inner)
{
    double barrier = p->cell.procs * log2_up(p->cell.procs);
    switch (p->experiment) {
    case EXP_BARRIER:
        return inner * barrier;
    case EXP_GAMMA:
        return inner * (barrier + p->cell.procs - 1);
    case EXP_PINGPONG:
        return 2;
    case EXP_COPY:
        return 1;
    case EXP_GATHER:
        return collective_messages(p) + p->cell.procs - 1 + barrier;
    default:
        return collective_messages(p) + barrier;
    }
}

/* ---- files ---- */

static void write_header(struct csvw *w)
{
    csvw_text(w, "launch");
    csvw_header(w, point_columns);
}

static void write_row(struct csvw *w, const char *launch, const struct point *point)
{
    csvw_text(w, launch);
    point_write(w, point);
    csvw_end(w);
}

int plan_write_launch(const struct plan *plan, const struct launch *launch, const char *todo,
                      const char *path, struct err *err)
{
    struct whole_file f;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    struct csvw w = { .file = f.file };
    write_header(&w);
    for (size_t i = launch->first; i < launch->first + launch->n; i++)
        if (!todo || todo[i])
            write_row(&w, launch->name, &plan->points[i]);
    return fs_commit(&f, err);
}

static int write_skipped(const struct plan *plan, const char *path, struct err *err)
{
    struct whole_file f;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    struct csvw w = { .file = f.file };
    for (const char *const *c = point_columns; *c; c++)
        csvw_text(&w, *c);
    csvw_text(&w, "reason");
    csvw_end(&w);
    for (size_t i = 0; i < plan->n_skipped; i++) {
        point_write(&w, &plan->skipped[i].point);
        csvw_text(&w, plan->skipped[i].reason);
        csvw_end(&w);
    }
    return fs_commit(&f, err);
}

int plan_write(const struct plan *plan, const char *dir, struct err *err)
{
    char path[PATH_SIZE];
    struct whole_file f;
    if (fs_path(path, sizeof path, err, "%s/plan.csv", dir) < 0 || fs_begin(&f, path, err) < 0)
        return -1;
    struct csvw w = { .file = f.file };
    write_header(&w);
    for (size_t k = 0; k < plan->n_launches; k++) {
        const struct launch *l = &plan->launches[k];
        for (size_t i = l->first; i < l->first + l->n; i++)
            write_row(&w, l->name, &plan->points[i]);
    }
    for (size_t i = 0; i < plan->n_skipped; i++)
        write_row(&w, "", &plan->skipped[i].point);
    if (fs_commit(&f, err) < 0 || fs_path(path, sizeof path, err, "%s/skipped.csv", dir) < 0)
        return -1;
    return write_skipped(plan, path, err);
}

/* Reads "-x12" style pieces: the letter, then a number from 1. */
static int take_number(const char **p, const char *before, int *value)
{
    size_t n = strlen(before);
    char *end;
    if (strncmp(*p, before, n) != 0 || (*p)[n] < '1' || (*p)[n] > '9')
        return 0;
    long v = strtol(*p + n, &end, 10);
    if (v > 100000000)
        return 0;
    *value = (int)v;
    *p = end;
    return 1;
}

static int take_word(const char **p, char *word, size_t size)
{
    static const char legal[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t n = strspn(*p, legal);
    if (n == 0 || n >= size || (*p)[n] != '-')
        return 0;
    memcpy(word, *p, n);
    word[n] = '\0';
    *p += n + 1;
    return 1;
}

int launch_parse(const char *name, struct launch *launch, struct err *err)
{
    struct launch l = { 0 };
    const char *p = name;
    int fine = strlen(name) < LAUNCH_SIZE && take_word(&p, l.mpi, sizeof l.mpi) &&
               take_word(&p, l.mapping, sizeof l.mapping) && take_number(&p, "", &l.nodes) &&
               take_number(&p, "x", &l.ppn) && take_number(&p, "-p", &l.procs);
    if (fine)
        take_number(&p, "-c", &l.chunk);
    if (!fine || !take_number(&p, "-r", &l.repeat) || *p)
        return err_set(err, "'%.80s' is not a launch (want mpi-mapping-NxP-pP[-cC]-rR)", name);
    snprintf(l.name, sizeof l.name, "%.127s", name);
    *launch = l;
    return 0;
}

/* A point belongs to its launch's library, mapping and world. */
static int check_member(const struct csv *csv, const struct launch *l, const struct point *p,
                        struct err *err)
{
    if (strcmp(l->mpi, p->cell.mpi) != 0)
        return csv_fail(csv, err, "mpi: '%s' is not the launch's ('%s')", p->cell.mpi, l->mpi);
    if (strcmp(l->mapping, p->cell.mapping) != 0)
        return csv_fail(csv, err, "mapping: '%s' is not the launch's ('%s')", p->cell.mapping,
                        l->mapping);
    if (l->nodes != p->cell.nodes || l->ppn != p->cell.ppn)
        return csv_fail(csv, err, "nodes: %d of %d ranks are not the launch's (%d of %d)",
                        p->cell.nodes, p->cell.ppn, l->nodes, l->ppn);
    if (p->cell.procs > l->procs)
        return csv_fail(csv, err, "procs: %d are more than the launch has (%d)", p->cell.procs,
                        l->procs);
    return 0;
}

struct plan_reader {
    struct csv *csv;
    struct plan *plan;
    size_t cap, cap_launches, cap_skipped;
    int launch_column;
    struct err *err;
};

static int reader_room(struct plan_reader *r)
{
    struct plan *p = r->plan;
    void *v;
    if (p->n == r->cap) {
        if (!(v = grow(p->points, &r->cap, sizeof *p->points)))
            return err_set(r->err, "out of memory");
        p->points = v;
    }
    if (p->n_launches == r->cap_launches) {
        if (!(v = grow(p->launches, &r->cap_launches, sizeof *p->launches)))
            return err_set(r->err, "out of memory");
        p->launches = v;
    }
    if (p->n_skipped == r->cap_skipped) {
        if (!(v = grow(p->skipped, &r->cap_skipped, sizeof *p->skipped)))
            return err_set(r->err, "out of memory");
        p->skipped = v;
    }
    return 0;
}

static int new_launch(struct plan_reader *r, const char *name)
{
    struct plan *p = r->plan;
    if (plan_launch(p, name))
        return csv_fail(r->csv, r->err, "launch: rows of '%s' do not stand together", name);
    struct launch *l = &p->launches[p->n_launches];
    if (launch_parse(name, l, r->err) < 0)
        return err_prefix(r->err, "%s:%zu: launch", csv_path(r->csv), csv_line(r->csv));
    l->first = p->n;
    p->n_launches++;
    return 0;
}

static int doubled(const struct plan *plan, const struct launch *l, const char *id)
{
    for (size_t i = l->first; i < l->first + l->n; i++)
        if (strcmp(plan->points[i].id, id) == 0)
            return 1;
    return 0;
}

static int read_row(struct plan_reader *r)
{
    struct plan *p = r->plan;
    struct point point;
    const char *name = csv_text(r->csv, r->launch_column);
    if (reader_room(r) < 0 || point_read(r->csv, &point, r->err) < 0)
        return -1;
    if (!*name) {
        p->skipped[p->n_skipped++] = (struct skipped){ .point = point };
        return 0;
    }
    if ((p->n_launches == 0 || strcmp(p->launches[p->n_launches - 1].name, name) != 0) &&
        new_launch(r, name) < 0)
        return -1;
    struct launch *l = &p->launches[p->n_launches - 1];
    if (check_member(r->csv, l, &point, r->err) < 0)
        return -1;
    if (doubled(p, l, point.id))
        return csv_fail(r->csv, r->err, "point: '%s' stands twice in launch '%s'", point.id, name);
    p->points[p->n++] = point;
    l->n++;
    return 0;
}

int plan_read(const char *path, struct plan *plan, struct err *err)
{
    *plan = (struct plan){ 0 };
    struct csv *csv = csv_open(path, point_required, err);
    if (!csv)
        return -1;
    struct plan_reader r = {
        .csv = csv, .plan = plan, .err = err, .launch_column = csv_column(csv, "launch")
    };
    int more = r.launch_column < 0 ? err_set(err, "%s: column 'launch' is missing", path) : 1;
    while (more > 0 && (more = csv_next(csv, err)) > 0)
        if (read_row(&r) < 0)
            more = -1;
    if (more == 0 && csv_truncated(csv))
        more = err_set(err, "%s: the last line is cut short", path);
    csv_close(csv);
    if (more < 0)
        plan_free(plan);
    return more;
}

const struct launch *plan_launch(const struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_launches; i++)
        if (strcmp(plan->launches[i].name, name) == 0)
            return &plan->launches[i];
    return NULL;
}
