/* SPDX-License-Identifier: BSD-3-Clause */
/* link_walk-t.c - the links walker against closed forms derived by hand, for every number of
 * processes where they hold, and its link loads against a count of another kind: random
 * permutations on meshes and tori of every shape up to six dimensions. */
#include "analysis/walk/link_walk.h"
#include "harness/base/rng.h"
#include "tests/analysis/ring.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EXACT = 1e-12;

/* t and t_mem with kinks, so that sizes cannot be mixed up. */
static double message_bytes[] = { 100, 1000, 5000, 100000 }, message_s[] = { 1, 2, 9, 100 };
static double copy_bytes[] = { 100, 3000 }, copied_s[] = { 0.01, 0.5 };
static const struct curve message = { 4, message_bytes, message_s },
                          copy = { 2, copy_bytes, copied_s }, no_copy = { 0 };
static const struct links_costs costs = { &message, &copy, 0, 1, NULL, 0, NULL };

static double t(double bytes)
{
    return curve_value(&message, bytes);
}

static double t_mem(double bytes)
{
    return curve_value(&copy, bytes);
}

static struct links_result walk(struct links_net *net, const char *collective, const char *name,
                                int procs, uint64_t bytes, uint64_t segment)
{
    struct links_result r = { .network_s = NAN };
    struct schedule s;
    struct err err = { 0 };
    if (schedule_init(&s, algorithm_find(collective, name), procs, 0, bytes, segment, 0, &err) <
            0 ||
        links_walk(net, &s, &costs, NULL, &r, &err) < 0)
        diag("%s among %d: %s", name, procs, err.text);
    return r;
}

static int same(const struct links_result *a, const struct links_result *b)
{
    return a->steps == b->steps && a->operations == b->operations &&
           a->collisions == b->collisions && a->hops == b->hops && a->link_bytes == b->link_bytes &&
           a->network_s == b->network_s && a->alone_s == b->alone_s &&
           a->latency_s == b->latency_s && a->copy_s == b->copy_s;
}

/* ---- allgather, by hand ----
 *
 * On one switch nothing collides. Around a ring of P nodes, messages to the rank d places away
 * cross min(d, P - d) links, and as many share each link that they use, since all ranks send. The
 * exchange with rank XOR d of recursive doubling has d messages on the middle link of each block.
 *
 * Besides: every rank copies its own block in the first step; at the end of Bruck rank r copies
 * P - r blocks twice and r blocks once, of which rank 1 has most wherever t_mem grows. */

static double power(int k)
{
    return (double)(1 << k);
}

struct wanted {
    double network, alone, copies;
};

static struct wanted ring(int procs, double m, int around)
{
    (void)around;
    const double all = (procs - 1) * t(m);
    return (struct wanted){ all, all, t_mem(m) };
}

static struct wanted neighbor(int procs, double m, int around)
{
    (void)around;
    const double all = t(m) + (procs / 2 - 1) * t(2 * m);
    return (struct wanted){ all, all, t_mem(m) };
}

static struct wanted doubling(int procs, double m, int around)
{
    struct wanted w = { 0, 0, t_mem(m) };
    for (int k = 0; power(k) < procs; k++) {
        w.alone += t(power(k) * m);
        w.network += t((around ? power(k) : 1) * power(k) * m);
    }
    return w;
}

static struct wanted bruck(int procs, double m, int around)
{
    struct wanted w = { 0, 0, t_mem(m) + t_mem(m) + 2 * t_mem((procs - 1) * m) };
    for (int k = 0; power(k) < procs; k++) {
        const double blocks = fmin(power(k), procs - power(k));
        w.alone += t(blocks * m);
        w.network += t((around ? blocks : 1) * blocks * m);
    }
    return w;
}

static const struct {
    const char *name;
    int even, power_of_two;
    struct wanted (*form)(int procs, double m, int around);
} forms[] = {
    { "ring", 0, 0, ring },
    { "neighbor", 1, 0, neighbor },
    { "recursive_doubling", 0, 1, doubling },
    { "bruck", 0, 0, bruck },
};

static int equal(double wanted, double seen)
{
    return fabs(wanted - seen) <= EXACT * fabs(wanted);
}

static void check_allgather(enum topology_kind kind)
{
    enum { MOST = 130 };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        int wrong = 0, compared = 0;
        for (int procs = 2; procs <= MOST; procs++) {
            struct topology top;
            struct links_net *net = ring_of(kind, procs, &top);
            const uint64_t sizes[] = { 7, 900, 64000 };
            for (int i = 0; i < 3; i++) {
                if ((forms[f].even && procs % 2) || (forms[f].power_of_two && procs & (procs - 1)))
                    continue;
                const struct wanted w =
                    forms[f].form(procs, (double)sizes[i], kind == TOPOLOGY_TORUS);
                const struct links_result r =
                    walk(net, "allgather", forms[f].name, procs, sizes[i], 0);
                compared++;
                if ((!equal(w.network, r.network_s) || !equal(w.alone, r.alone_s) ||
                     !equal(w.copies, r.copy_s)) &&
                    !wrong++)
                    diag("P = %d, %llu bytes: wanted %g, %g, %g, seen %g, %g, %g", procs,
                         (unsigned long long)sizes[i], w.network, w.alone, w.copies, r.network_s,
                         r.alone_s, r.copy_s);
            }
            links_net_free(net);
        }
        ok(wrong == 0 && compared > 0, "%s, %s: %d closed forms", forms[f].name,
           topology_kind_name(kind), compared);
    }
}

/* ---- other schedules, by hand ---- */

static void check_broadcast(void)
{
    struct topology top;
    struct links_net *net = ring_of(TOPOLOGY_STAR, 8, &top);
    struct links_result r = walk(net, "bcast", "basic_linear", 8, 300, 0);
    is_near(t(7 * 300), r.network_s, EXACT, "linear: seven messages on the root's link");
    is_near(t(300), r.alone_s, EXACT, "… one without collisions");
    is_int(7, r.collisions, "… C = 7");
    is_int(1, (long long)r.steps, "… one step");
    r = walk(net, "bcast", "pipeline", 8, 4000, 500);
    is_near((8 + 8 - 2) * t(500), r.network_s, EXACT, "pipeline: P + n - 2 steps");
    is_int(14, (long long)r.steps, "… counted");
    r = walk(net, "bcast", "binomial", 8, 300, 0);
    is_near(t(900) + t(600) + t(300), r.network_s, EXACT,
            "binomial: the root's three sends are one step, then two, then one");
    r = walk(net, "bcast", "scatter_allgather_ring", 8, 8000, 0);
    is_near(t(4000) + t(2000) + t(1000) + 7 * t(1000), r.network_s, EXACT,
            "scatter, then ring: the steps of the phases follow each other");
    links_net_free(net);
}

/* Two leaves of two with a trunk of half the links' rate. */
static void check_trunk(void)
{
    const struct network tree = { .kind = TOPOLOGY_TREE,
                                  .nodes = 4,
                                  .ports = 2,
                                  .link_rate = 1e9,
                                  .trunk_rate = 5e8,
                                  .link_latency = 1e-3,
                                  .trunk_latency = 1e-2 };
    const struct seating seating = { "core", 4, 1, 4, 1, 1, 0, { .group = { 0 } } };
    const struct factor_list factors = { 2, { { 0, 1 }, { 1000, 3 } } };
    const struct links_costs far = { &message, &no_copy, 2e-3, 2, &factors, 0, NULL };
    struct topology top;
    struct schedule s;
    struct links_result r;
    struct err err = { 0 };
    topology_init(&top, &tree, NULL);
    struct links_net *net = links_net_new(&top, "in_order", &seating, NULL);
    schedule_init(&s, algorithm_find("allgather", "recursive_doubling"), 4, 0, 600, 0, 0, NULL);
    ok(links_walk(net, &s, &far, NULL, &r, &err) == 0, "a tree is walked%s", err.text);
    is_near(t(600) + t(2 * 2 * 1200), r.network_s, EXACT,
            "two messages share a trunk of half the rate: as four");
    is_int(2, r.collisions, "… C counts messages");
    is_int(4, r.hops, "… the longest route");
    is_near(3 * 2 * 2e-2, r.latency_s, EXACT,
            "… the trunks' latency beyond the ping-pong's, in the second step, scaled");
    is_near(0, r.copy_s, 0, "… copies that were not measured cost nothing");
    schedule_init(&s, algorithm_find("allgather", "recursive_doubling"), 4, 0, 500, 0, 0, NULL);
    links_walk(net, &s, &far, NULL, &r, NULL);
    is_near(3 * 2 * 2e-2, r.latency_s, EXACT, "… scaled from the factor's own size on");
    schedule_init(&s, algorithm_find("bcast", "basic_linear"), 4, 3, 600, 0, 0, NULL);
    links_walk(net, &s, &far, NULL, &r, NULL);
    is_int(4, r.hops, "a step's hops are the most, not those of its last message");
    is_near(2 * 2e-2, r.latency_s, EXACT, "… and so is its latency");
    links_net_free(net);
}

/* Two ranks on a node exchange without a link. */
static void check_within_node(void)
{
    const struct network star = { .kind = TOPOLOGY_STAR, .nodes = 2, .link_rate = 1e9 };
    const struct seating seating = { "core", 2, 2, 4, 1, 2, 0, { .group = { 0 } } };
    struct topology top;
    struct schedule s;
    struct links_result r;
    topology_init(&top, &star, NULL);
    struct links_net *net = links_net_new(&top, "in_order", &seating, NULL);
    schedule_init(&s, algorithm_find("allgather", "recursive_doubling"), 4, 0, 600, 0, 0, NULL);
    links_walk(net, &s, &costs, NULL, &r, NULL);
    is_near(t(600) + t(2 * 1200), r.network_s, EXACT,
            "within a node t(M), then two ranks share their node's link");
    links_net_free(net);
}

/* Two sockets of two cores a node: what the channels within a node have measured counts there. */
static void check_inside(void)
{
    static double no_bytes[] = { 0, 1e6 }, slow_s[] = { 9, 9 }, fast_s[] = { 1e-7, 1e-7 };
    static struct curve inside[N_CHANNELS];
    struct links_costs own = costs;
    const struct network star = { .kind = TOPOLOGY_STAR, .nodes = 2, .link_rate = 1e9 };
    const struct seating seating = { "core", 2, 4, 8, 2, 2, 0, { .group = { 0 } } };
    struct topology top;
    struct schedule s;
    struct links_result r;
    own.inside = inside;
    inside[CHANNEL_CORE] = (struct curve){ 2, no_bytes, fast_s };
    topology_init(&top, &star, NULL);
    struct links_net *net = links_net_new(&top, "in_order", &seating, NULL);
    is_int(CHANNEL_CORE, links_net_channel(net, 0, 1), "ranks 0 and 1 share a socket");
    is_int(CHANNEL_SOCKET, links_net_channel(net, 0, 2), "0 and 2 a node");
    is_int(CHANNEL_NODE, links_net_channel(net, 0, 4), "0 and 4 nothing");
    schedule_init(&s, algorithm_find("allgather", "recursive_doubling"), 8, 0, 600, 0, 0, NULL);
    links_walk(net, &s, &own, NULL, &r, NULL);
    is_near(1e-7 + t(1200) + t(4 * 2400), r.network_s, EXACT,
            "steps on a socket, within a node without its ping-pong, and between nodes");
    is_int(1, (long long)r.local_steps, "one step's channel is not known");
    inside[CHANNEL_SOCKET] = (struct curve){ 2, no_bytes, slow_s };
    links_walk(net, &s, &own, NULL, &r, NULL);
    is_near(1e-7 + 9 + t(4 * 2400), r.network_s, EXACT, "with that, each its own");
    is_int(0, (long long)r.local_steps, "… and all are");
    schedule_init(&s, algorithm_find("allgather", "ring"), 8, 0, 600, 0, 0, NULL);
    links_walk(net, &s, &own, NULL, &r, NULL);
    is_near(7 * 9, r.alone_s, EXACT,
            "a step lasts as long as its slowest message, here between sockets");
    links_net_free(net);
}

/* ---- random permutations ---- */

enum { MOST_NODES = 110 };

/* One round: rank r sends size_of[r] bytes to_rank[r]. */
static int to_rank[MOST_NODES], from_rank[MOST_NODES];
static uint64_t size_of[MOST_NODES];

static uint64_t one_round(const struct schedule *s, int rank)
{
    (void)s;
    (void)rank;
    return 1;
}

static void permute(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    (void)s;
    (void)k;
    round_recv(out, BUF_RECV, 0, size_of[from_rank[rank]], from_rank[rank]);
    round_send(out, BUF_SEND, 0, size_of[rank], to_rank[rank]);
}

static const struct algorithm permutation = {
    .name = "permutation", .collective = "allgather", .rounds = one_round, .round = permute
};

/* The count of another kind: coordinates, one step at a time, loads by the two nodes of a link. */
struct count {
    uint32_t messages[MOST_NODES][MOST_NODES];
    uint64_t bytes[MOST_NODES][MOST_NODES];
};
static struct count count;

static int id_of(const int *at, const int *extent, int dims)
{
    int id = 0, weight = 1;
    for (int j = 0; j < dims; weight *= extent[j++])
        id += at[j] * weight;
    return id;
}

static void count_message(const struct network *net, int src, int dst, uint64_t bytes)
{
    int at[TOPOLOGY_DIMS], to[TOPOLOGY_DIMS];
    for (int j = 0; j < net->dims; j++) {
        at[j] = src % net->extent[j];
        to[j] = dst % net->extent[j];
        src /= net->extent[j];
        dst /= net->extent[j];
    }
    for (int j = 0; j < net->dims; j++) {
        const int n = net->extent[j], up = ((to[j] - at[j]) % n + n) % n, start = at[j];
        int way = to[j] > at[j] ? 1 : -1;
        if (net->kind == TOPOLOGY_TORUS)
            way = 2 * up < n || (2 * up == n && start != n / 2) ? 1 : -1;
        while (at[j] != to[j]) {
            const int before = id_of(at, net->extent, net->dims);
            at[j] = (at[j] + way + n) % n;
            const int after = id_of(at, net->extent, net->dims);
            count.messages[before][after]++;
            count.bytes[before][after] += bytes;
        }
    }
}

struct seen {
    const struct topology *top;
    int wrong, steps;
    uint32_t collisions;
    double link_bytes;
};

/* Every link's load, and that no other link has one. */
static int compare_step(void *arg, const struct links_step *step, const struct links_load *load,
                        size_t n)
{
    struct seen *seen = arg;
    int from, to;
    if (step->messages == 0)
        return 0;
    seen->steps++;
    seen->collisions = step->collisions;
    seen->link_bytes = step->link_bytes;
    for (size_t i = 0; i < n; i++) {
        if (topology_ends(seen->top, load[i].link, &from, &to) < 0 ||
            count.messages[from][to] != load[i].messages || count.bytes[from][to] != load[i].bytes)
            seen->wrong++;
        else
            count.messages[from][to] = 0;
    }
    for (int a = 0; a < seen->top->net.nodes; a++)
        for (int b = 0; b < seen->top->net.nodes; b++)
            seen->wrong += count.messages[a][b] != 0;
    return 0;
}

/* The largest of the count. */
static uint32_t most_messages(int nodes, uint64_t *bytes)
{
    uint32_t most = 0;
    *bytes = 0;
    for (int a = 0; a < nodes; a++)
        for (int b = 0; b < nodes; b++) {
            most = count.messages[a][b] > most ? count.messages[a][b] : most;
            *bytes = count.bytes[a][b] > *bytes ? count.bytes[a][b] : *bytes;
        }
    return most;
}

/* One permutation on one shape: 1 where both counts agree. */
static int one_permutation(const struct network *shape, struct rng *rng, int equal_sizes)
{
    struct topology top;
    struct links_result r, again;
    struct schedule s;
    uint64_t bytes;
    char order[40];
    topology_init(&top, shape, NULL);
    const int n = top.net.nodes;
    const struct seating seating = { "core", n, 1, n, 1, 1, 0, { .group = { 0 } } };
    snprintf(order, sizeof order, "random:%llu", (unsigned long long)rng_below(rng, 1000));
    struct links_net *net = links_net_new(&top, order, &seating, NULL);
    memset(&count, 0, sizeof count);
    for (int i = 0; i < n; i++) {
        to_rank[i] = i;
        size_of[i] = equal_sizes ? 800 : rng_below(rng, 9000);
    }
    rng_shuffle(rng, to_rank, (size_t)n, sizeof *to_rank);
    for (int i = 0; i < n; i++) {
        from_rank[to_rank[i]] = i;
        count_message(shape, links_net_node(net, i), links_net_node(net, to_rank[i]), size_of[i]);
    }
    const uint32_t most = most_messages(n, &bytes);
    struct seen seen = { .top = &top };
    const struct links_watch watch = { &seen, compare_step };
    schedule_init(&s, &permutation, n, 0, 1, 0, 0, NULL);
    int fine = links_walk(net, &s, &costs, &watch, &r, NULL) == 0 && seen.wrong == 0 &&
               seen.steps == 1 && seen.collisions == most && equal((double)bytes, seen.link_bytes);
    /* unseen, then its step remembered, and then all of it */
    struct schedule other;
    schedule_init(&other, algorithm_find("bcast", "basic_linear"), n, 0, 1, 0, 0, NULL);
    for (int k = 0; k < 3; k++) {
        if (k < 2)
            fine = fine && links_walk(net, &other, &costs, NULL, &again, NULL) == 0;
        fine = fine && links_walk(net, &s, &costs, NULL, &again, NULL) == 0 && same(&r, &again);
    }
    links_net_free(net);
    return fine;
}

static size_t shapes, wrong_shapes;

static void permute_shapes(struct network *net, int done, int nodes, struct rng *rng)
{
    if (done == net->dims) {
        if (nodes == 1)
            return; /* a rank alone sends no messages */
        shapes++;
        net->nodes = nodes;
        for (int k = 0; k < 2; k++)
            wrong_shapes += !one_permutation(net, rng, k);
        net->nodes = 0;
        return;
    }
    const int most = net->dims == 1 ? MOST_NODES : net->dims == 2 ? 11 : net->dims == 3 ? 6 : 4;
    for (int n = 1; n <= most && nodes * n <= MOST_NODES; n++) {
        net->extent[done] = n;
        permute_shapes(net, done + 1, nodes * n, rng);
    }
}

static void check_permutations(void)
{
    struct rng rng;
    rng_init(&rng, 4);
    for (int dims = 1; dims <= TOPOLOGY_DIMS; dims++)
        for (int kind = TOPOLOGY_TORUS; kind <= TOPOLOGY_MESH; kind++) {
            struct network net = { .kind = (enum topology_kind)kind,
                                   .dims = dims,
                                   .link_rate = 1e9 };
            shapes = wrong_shapes = 0;
            permute_shapes(&net, 0, 1, &rng);
            ok(wrong_shapes == 0 && shapes > 0,
               "%s, %d dimensions: loads of random permutations on %zu shapes",
               topology_kind_name(net.kind), dims, shapes);
        }
}

/* ---- what is refused, and what is remembered ---- */

/* One schedule after the other on one net, with these costs and with those, against a net of its
 * own each time. */
static void check_costs(const char *collective, const char *name, int copies)
{
    struct topology top, own_top;
    struct curve dear = { 1, (double[]){ 1 }, (double[]){ 3e-3 } };
    const struct links_costs costly = { &dear, &dear, 0, 1, NULL, 0, NULL };
    const struct links_costs *of[] = { &costs, &costly };
    struct links_net *net = ring_of(TOPOLOGY_TORUS, 12, &top);
    int wrong = 0;
    for (int k = 0; k < 12; k++) {
        struct schedule s;
        struct links_result r, fresh;
        struct links_net *own = ring_of(TOPOLOGY_TORUS, 12, &own_top);
        schedule_init(&s, algorithm_find(collective, name), 12, 0, k < 8 ? 999 : 7000, 0, 0, NULL);
        links_walk(net, &s, of[k % 2], NULL, &r, NULL);
        links_walk(own, &s, of[k % 2], NULL, &fresh, NULL);
        wrong += !same(&r, &fresh) || r.operations != fresh.operations || fresh.steps == 0 ||
                 r.copy_s != fresh.copy_s || (copies && !(r.copy_s > 0));
        links_net_free(own);
    }
    links_net_free(net);
    ok(wrong == 0, "%s %s with other costs, on a net that has seen it", collective, name);
}

static void check_refused(void)
{
    struct topology top;
    struct schedule s;
    struct links_result r;
    struct err err = { 0 };
    const struct seating much = { "core", 9, 1, 9, 1, 1, 0, { .group = { 0 } } };
    struct links_net *net = ring_of(TOPOLOGY_TORUS, 8, &top);
    schedule_init(&s, algorithm_find("allgather", "ring"), 7, 0, 1, 0, 0, NULL);
    ok(links_walk(net, &s, &costs, NULL, &r, &err) < 0, "another number of ranks is refused");
    has_str("7 ranks in a network with 8", err.text, "… and why");
    ok(!links_net_new(&top, "in_order", &much, &err), "more nodes than there are: refused");
    has_str("9 nodes do not fit into a torus of 8", err.text, "… and why");
    links_net_free(net);
}

/* Steps of other sizes and other algorithms on one network, in turn, give what each gives alone. */
static void check_memory(void)
{
    static const char *const names[] = { "ring", "bruck", "recursive_doubling", "neighbor" };
    struct topology top;
    struct links_net *shared = ring_of(TOPOLOGY_TORUS, 16, &top);
    int wrong = 0;
    for (int k = 0; k < 40; k++) {
        struct links_net *own = ring_of(TOPOLOGY_TORUS, 16, &top);
        const uint64_t bytes = (uint64_t)(1 + k % 7) * 333;
        const struct links_result a = walk(shared, "allgather", names[k % 4], 16, bytes, 0);
        const struct links_result b = walk(own, "allgather", names[k % 4], 16, bytes, 0);
        wrong += !same(&a, &b);
        links_net_free(own);
    }
    is_int(0, wrong, "remembered steps are those that they were");
    links_net_free(shared);
}

/* A schedule whose rounds are kept is walked on another network as the first time, step by step. */
static void check_again(void)
{
    static const int procs[] = { 2, 5, 8, 16, 33 };
    struct kept kept = { 0 };
    int wrong = 0, walked = 0;
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        for (size_t i = 0; i < sizeof procs / sizeof *procs; i++) {
            struct schedule s;
            struct links_result r[3];
            if (schedule_init(&s, a, procs[i], 0, 30000, 4096, 0, NULL) < 0)
                continue;
            for (int k = 0; k < 3; k++) {
                struct topology top;
                struct links_net *net = ring_of(TOPOLOGY_TORUS, procs[i], &top);
                if (k == 1)
                    schedule_keep(&s, &kept);
                wrong += links_walk(net, &s, &costs, NULL, &r[k], NULL) < 0;
                links_net_free(net);
            }
            walked += kept.in_steps.walked && kept.in_steps.n > 0;
            wrong += !same(&r[0], &r[1]) || !same(&r[0], &r[2]) || r[2].largest != r[0].largest;
        }
    ok(wrong == 0 && walked > 100, "%d schedules are walked again as the first time", walked);
    kept_clear(&kept);
}

/* More messages in a step than are kept: they are on the links all the same. On one switch each
 * rank's two links have one from, and one to, each of the others. */
static void check_many(void)
{
    enum { PROCS = 600 };
    struct topology top;
    struct links_net *net = ring_of(TOPOLOGY_STAR, PROCS, &top);
    const struct links_result r = walk(net, "alltoall", "linear", PROCS, 300, 0);
    const struct links_result again = walk(net, "alltoall", "linear", PROCS, 300, 0);
    is_int(1, (long long)r.steps, "359,400 messages in one step");
    is_int(PROCS - 1, (long long)r.collisions, "... as many on a link as there are other ranks");
    is_near(300.0 * (PROCS - 1), r.link_bytes, EXACT, "... with their bytes");
    is_near(t(300.0 * (PROCS - 1)), r.network_s, EXACT, "... and that decides");
    ok(same(&r, &again), "... again");
    links_net_free(net);
}

int main(void)
{
    ok(links_add_bytes(3, 4) == 7 && links_add_bytes(UINT64_MAX - 3, 4) == UINT64_MAX &&
           links_add_bytes(UINT64_MAX - 3, 3) == UINT64_MAX,
       "loads do not wrap");
    check_allgather(TOPOLOGY_STAR);
    check_allgather(TOPOLOGY_TORUS);
    check_broadcast();
    check_trunk();
    check_within_node();
    check_inside();
    check_permutations();
    check_costs("bcast", "binomial", 0);
    check_costs("bcast", "scatter_allgather", 0);
    check_costs("allgather", "bruck", 1);
    check_refused();
    check_many();
    check_memory();
    check_again();
    return tap_done();
}
