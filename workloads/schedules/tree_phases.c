/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_phases.c - all-to-all in phases in which no two messages meet on a link, after Faraj & Yuan
 * (Message scheduling for all-to-all personalized communication on Ethernet switched clusters,
 * IPDPS 2005).
 *
 * What is assumed: every link carries one message in either direction at a time. The root of the
 * tree is a vertex of which no subtree has more than half of the ranks (tree_phases.h), so that its
 * busiest link is the busiest of all. Where nothing is known of the tree each rank has a link of
 * its own to one switch.
 *
 * Subtrees are numbered by size, the largest first: sizes M_0 >= M_1 >= ..., P ranks in all. There
 * are N = M_0 (P - M_0) phases, as many as the busiest link has messages. The messages from subtree
 * i to j take M_i M_j consecutive phases, as in the paper's extended ring: from
 * M_i (M_{i+1} + ... + M_{j-1}) on where i < j, else from N - (M_{j+1} + ... + M_i) M_j on, so that
 * at any time a subtree sends to one other and receives from one other.
 *
 * Which rank sends and which receives is ours. In subtree 0 the sender of phase p is p mod M_0, the
 * receiver (p + floor(p / M_0)) mod M_0. In others the receiver is p mod M_j, of messages from
 * subtree 0 (p mod M_0 + floor(q / M_0)) mod M_j, q phases after the first of these; the sender of
 * messages to subtree j is the same for M_j phases and then the next one. So each sender meets each
 * receiver, and within each subtree each rank receives, in some phase, while each other one sends.
 * In that phase it sends the other one its block. Below the vertex where both ways part it goes
 * against both messages, and it does not go beyond that one. */
#include "workloads/schedules/tree_phases.h"

#include <pthread.h>

#include "workloads/schedules/algorithm_rows.h"

/* ---- where nodes and ranks are ---- */

static int *node_positions(const struct seating *s)
{
    const struct seat_network *net = &s->network;
    const int nodes = net->shuffled > s->nodes ? net->shuffled : s->nodes;
    int *position = memory_zeros((size_t)nodes, sizeof *position);
    for (int k = 0; k < nodes; k++)
        position[k] = net->listed && k < s->nodes ? net->listed[k] : k;
    if (!net->listed && net->shuffled >= s->nodes)
        seat_shuffle(net->seed, net->shuffled, position);
    return position;
}

struct leaf {
    int position, local, rank;
};

static int by_place(const void *a, const void *b)
{
    const struct leaf *x = a, *y = b;
    return by_keys(ascending(x->position, y->position), ascending(x->local, y->local));
}

/* The leaves in depth-first order. */
static struct leaf *leaves_of(const struct seating *s)
{
    int *position = node_positions(s);
    struct leaf *leaf = memory_zeros((size_t)s->procs, sizeof *leaf);
    for (int r = 0; r < s->procs; r++)
        leaf[r] = (struct leaf){ position[seat_node(s, r)], seat_local(s, r), r };
    qsort(leaf, (size_t)s->procs, sizeof *leaf, by_place);
    free(position);
    return leaf;
}

/* ---- the root ---- */

/* Levels of vertices from the ranks up. */
enum { RANKS, NODES, LOWEST_SWITCHES };

static int levels_of(const struct seating *s)
{
    int n = LOWEST_SWITCHES;
    while (n < LOWEST_SWITCHES + SEAT_LEVELS && s->network.group[n - LOWEST_SWITCHES])
        n++;
    return n;
}

/* Where the vertex of a level ends that has this place. */
static int end_of(const struct seating *s, const struct leaf *leaf, int level, int place)
{
    const int below = level > NODES ? s->network.group[level - LOWEST_SWITCHES] : 1;
    int end = place + 1;
    while (level > RANKS && end < s->procs &&
           leaf[end].position / below == leaf[place].position / below)
        end++;
    return end;
}

/* Places first, first + 1 ... of a vertex; its children are of this level. */
struct vertex {
    int first, end, level;
};

/* A child of more than half of the ranks. 0: there is none. */
static int find_large(const struct seating *s, const struct leaf *leaf, struct vertex *v)
{
    for (int at = v->first, end; at < v->end; at = end) {
        end = end_of(s, leaf, v->level, at);
        if (end - at > s->procs / 2) {
            *v = (struct vertex){ at, end, v->level - 1 };
            return 1;
        }
    }
    return 0;
}

static struct vertex find_root(const struct seating *s, const struct leaf *leaf)
{
    struct vertex v = { 0, s->procs, levels_of(s) - 1 };
    while (find_large(s, leaf, &v))
        ;
    return v;
}

/* ---- its subtrees ---- */

struct subtree {
    int first, size;
};

static int larger_first(const void *a, const void *b)
{
    const struct subtree *x = a, *y = b;
    return x->size != y->size ? y->size - x->size : ascending(x->first, y->first);
}

/* The children of the root, and all that is above it. Returns how many there are. */
static int find_subtrees(const struct seating *s, const struct leaf *leaf, struct subtree *of)
{
    const struct vertex v = find_root(s, leaf);
    const int rest = s->procs - (v.end - v.first);
    int n = 0;
    for (int at = v.first, end; at < v.end; at = end) {
        end = end_of(s, leaf, v.level, at);
        of[n++] = (struct subtree){ at, end - at };
    }
    if (rest)
        of[n++] = (struct subtree){ v.end % s->procs, rest };
    qsort(of, (size_t)n, sizeof *of, larger_first);
    return n;
}

static int *ints(int n)
{
    return memory_zeros((size_t)n, sizeof(int));
}

static void take_subtrees(struct seat_tree *t, const struct subtree *of, int n)
{
    t->subtrees = n;
    t->subtree = ints(t->procs);
    t->first = ints(n);
    t->before = ints(n + 1);
    for (int i = 0; i < n; i++) {
        t->first[i] = of[i].first;
        t->before[i + 1] = t->before[i] + of[i].size;
        for (int k = 0; k < of[i].size; k++)
            t->subtree[(of[i].first + k) % t->procs] = i;
    }
}

static void make_tree(struct seat_tree *t, const struct seating *s)
{
    struct leaf *leaf = leaves_of(s);
    struct subtree *of = memory_zeros((size_t)s->procs + 1, sizeof *of);
    *t = (struct seat_tree){ .procs = s->procs, .rank = ints(s->procs), .place = ints(s->procs) };
    for (int i = 0; i < s->procs; i++) {
        t->rank[i] = leaf[i].rank;
        t->place[leaf[i].rank] = i;
    }
    take_subtrees(t, of, find_subtrees(s, leaf, of));
    memory_free(of, leaf);
}

/* ---- those that were made ---- */

struct kept_tree {
    struct seating seats; /* with a list of its own */
    struct seat_tree tree;
    struct kept_tree *next;
};

static int same_seats(const struct seating *kept, const struct seating *seats)
{
    struct seating alike = *seats;
    const size_t list = (size_t)seats->nodes * sizeof *seats->network.listed;
    if (kept->network.listed && seats->network.listed && kept->nodes == seats->nodes &&
        memcmp(kept->network.listed, seats->network.listed, list) == 0)
        alike.network.listed = kept->network.listed;
    return seat_same(kept, &alike);
}

static struct kept_tree *new_tree(const struct seating *seats)
{
    struct kept_tree *k = memory_zeros(1, sizeof *k);
    make_tree(&k->tree, seats);
    k->seats = *seats;
    k->seats.mapping = strcmp(seats->mapping, "node") == 0     ? "node"
                       : strcmp(seats->mapping, "socket") == 0 ? "socket"
                                                               : "core";
    if (seats->network.listed) {
        int *list = ints(seats->nodes);
        memcpy(list, seats->network.listed, (size_t)seats->nodes * sizeof *list);
        k->seats.network.listed = list;
    }
    return k;
}

const struct seat_tree *seat_tree_of(const struct seating *seats)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    static struct kept_tree *made;
    if (seats->procs < 2 || (seats->ppn == 1 && !seats->network.group[0]))
        return NULL;
    pthread_mutex_lock(&one_at_a_time);
    struct kept_tree *k = made;
    while (k && !same_seats(&k->seats, seats))
        k = k->next;
    if (!k) {
        k = new_tree(seats);
        k->next = made;
        made = k;
    }
    pthread_mutex_unlock(&one_at_a_time);
    return &k->tree;
}

/* ---- subtrees ---- */

struct switch_tree {
    const struct seat_tree *tree; /* NULL: subtree i is rank i */
    int n, procs;
    uint64_t phases;
};

/* Ranks in the subtrees before one. */
static int before(const struct switch_tree *t, int i)
{
    return t->tree ? t->tree->before[i] : i;
}

static int size_of(const struct switch_tree *t, int i)
{
    return before(t, i + 1) - before(t, i);
}

static struct switch_tree tree_of(const struct schedule *s)
{
    struct switch_tree t = { .tree = s->tree,
                             .n = s->tree ? s->tree->subtrees : s->procs,
                             .procs = s->procs };
    t.phases = (uint64_t)size_of(&t, 0) * (uint64_t)(t.procs - size_of(&t, 0));
    return t;
}

static int is_of_ranks_alone(const struct switch_tree *t)
{
    return t->n == t->procs;
}

/* Where a rank is: which one of which subtree; and back. */
static int subtree_of(const struct switch_tree *t, int rank)
{
    return t->tree ? t->tree->subtree[t->tree->place[rank]] : rank;
}

static int rank_of(const struct switch_tree *t, int subtree, int member)
{
    if (!t->tree)
        return subtree;
    const int place = t->tree->first[subtree] + member;
    return t->tree->rank[place < t->procs ? place : place - t->procs];
}

void topology_prepare(struct schedule *s)
{
    s->tree = seat_tree_of(&s->seats);
}

/* ---- ring in depth-first order ---- */

static int ring_steps(const struct team *t)
{
    return t->procs - 1;
}

static int places_on(const struct team *t, int v, int distance)
{
    const struct seat_tree *tree = t->s->tree;
    const int place = team_around(t, tree ? tree->place[v] : v, distance);
    return tree ? tree->rank[place] : place;
}

static int ring_peer(const struct team *t, int v, int step, int i, int way)
{
    (void)step;
    return i ? PEER_END : places_on(t, v, way);
}

static struct run ring_sent(const struct team *t, int v, int step, int i)
{
    (void)i;
    return (struct run){ places_on(t, v, -step), 1, 1 };
}

const struct pattern pattern_topology_ring = { .steps = ring_steps,
                                               .peer = ring_peer,
                                               .sent = ring_sent };

/* ---- phases ---- */

/* The first phase of the messages from subtree i to j. */
static uint64_t start_of(const struct switch_tree *t, int i, int j)
{
    if (i < j)
        return (uint64_t)size_of(t, i) * (uint64_t)(before(t, j) - before(t, i + 1));
    return t->phases - (uint64_t)(before(t, i + 1) - before(t, j + 1)) * (uint64_t)size_of(t, j);
}

static int is_on(const struct switch_tree *t, int i, int j, uint64_t phase)
{
    const uint64_t start = start_of(t, i, j);
    return phase >= start && phase - start < (uint64_t)size_of(t, i) * (uint64_t)size_of(t, j);
}

/* To which subtree one sends, and from which it receives, or -1. Where all are of one rank, the
 * ring. */
static int target_of(const struct switch_tree *t, int i, uint64_t phase)
{
    if (is_of_ranks_alone(t))
        return (int)(((uint64_t)i + phase + 1) % (uint64_t)t->n);
    for (int j = 0; j < t->n; j++)
        if (j != i && is_on(t, i, j, phase))
            return j;
    return -1;
}

static int source_of(const struct switch_tree *t, int j, uint64_t phase)
{
    const uint64_t n = (uint64_t)t->n;
    if (is_of_ranks_alone(t))
        return (int)(((uint64_t)j + n - (phase + 1) % n) % n);
    for (int i = 0; i < t->n; i++)
        if (i != j && is_on(t, i, j, phase))
            return i;
    return -1;
}

/* Who sends for a subtree, and who receives; also in phases in which it sends or receives nothing:
 * it then passes on that the links are free. */
static int sender_of(const struct switch_tree *t, int i, uint64_t phase)
{
    const uint64_t largest = (uint64_t)size_of(t, 0);
    const int j = target_of(t, i, phase);
    if (i == 0)
        return (int)(phase % largest);
    return j < 0 ? 0 : (int)((phase - start_of(t, i, j)) / (uint64_t)size_of(t, j));
}

static int receiver_of(const struct switch_tree *t, int j, uint64_t phase)
{
    const uint64_t largest = (uint64_t)size_of(t, 0), size = (uint64_t)size_of(t, j);
    if (j == 0)
        return (int)((phase + phase / largest) % largest);
    if (source_of(t, j, phase) != 0)
        return (int)(phase % size);
    return (int)((phase % largest + (phase - start_of(t, 0, j)) / largest) % size);
}

/* Whether the receiver of a subtree sends the sender its block. */
static int is_local(const struct switch_tree *t, int i, uint64_t phase)
{
    const uint64_t largest = (uint64_t)size_of(t, 0);
    if (i == 0)
        return phase / largest >= 1 && phase / largest < largest;
    return target_of(t, i, phase) == 0 &&
           (phase - start_of(t, i, 0)) % largest < (uint64_t)size_of(t, i) &&
           sender_of(t, i, phase) != receiver_of(t, i, phase);
}

/* Those of a subtree in a phase, as ranks: who sends for it, who receives, and from whom (-1:
 * nobody). */
struct users {
    int sender, receiver, source;
};

static struct users users_of(const struct switch_tree *t, int i, uint64_t phase)
{
    const int from = source_of(t, i, phase);
    if (is_of_ranks_alone(t))
        return (struct users){ rank_of(t, i, 0), rank_of(t, i, 0), rank_of(t, from, 0) };
    return (struct users){ rank_of(t, i, sender_of(t, i, phase)),
                           rank_of(t, i, receiver_of(t, i, phase)),
                           from < 0 ? -1 : rank_of(t, from, sender_of(t, from, phase)) };
}

struct topology_phase topology_phase(const struct schedule *s, int rank, uint64_t phase)
{
    const struct switch_tree t = tree_of(s);
    const int i = subtree_of(&t, rank), j = target_of(&t, i, phase);
    const struct users u = users_of(&t, i, phase);
    const int local = is_local(&t, i, phase);
    struct topology_phase f = { -1, -1, -1, -1 };
    if (rank == u.sender) {
        f.dst = j < 0 ? -1 : rank_of(&t, j, receiver_of(&t, j, phase));
        f.local_src = local ? u.receiver : -1;
    }
    if (rank == u.receiver) {
        f.src = u.source;
        f.local_dst = local ? u.sender : -1;
    }
    return f;
}

uint64_t topology_phases(const struct schedule *s)
{
    return tree_of(s).phases;
}

/* ---- who tells whom that a link is free: the sender for a subtree, the next one, and its
 * receiver, who will be the next to send to it, or where nobody will, the next receiver. Where that
 * one sends within the subtree, both tell it ---- */

/* Ranks, each once, without the one itself. */
struct few {
    int rank, v[3], n;
};

static void add(struct few *f, int rank)
{
    int i = 0;
    while (i < f->n && f->v[i] != rank)
        i++;
    if (i == f->n && rank != f->rank)
        f->v[f->n++] = rank;
}

static struct few told_by(const struct switch_tree *t, int rank, uint64_t next)
{
    struct few f = { .rank = rank };
    const int i = subtree_of(t, rank);
    const struct users now = users_of(t, i, next - 1), then = users_of(t, i, next);
    const int within = is_local(t, i, next);
    if (rank == now.sender)
        add(&f, then.sender);
    if (rank == now.receiver)
        add(&f, then.source >= 0 ? then.source : then.receiver);
    if (within && (rank == now.sender || rank == now.receiver))
        add(&f, then.receiver);
    return f;
}

static struct few tellers_of(const struct switch_tree *t, int rank, uint64_t next)
{
    struct few f = { .rank = rank };
    const int i = subtree_of(t, rank), j = target_of(t, i, next);
    const struct users now = users_of(t, i, next - 1), then = users_of(t, i, next);
    const int within = is_local(t, i, next);
    if (rank == then.sender)
        add(&f, now.sender);
    if (rank == then.sender && j >= 0)
        add(&f, users_of(t, j, next - 1).receiver);
    if (rank == then.receiver && (then.source < 0 || within))
        add(&f, now.receiver);
    if (rank == then.receiver && within)
        add(&f, now.sender);
    return f;
}

/* ---- rounds ---- */

static int barrier_rounds(const struct schedule *s)
{
    const struct team all = team_all(s, 0, NULL);
    return pace_rounds(&all, PACE_BARRIER);
}

static uint64_t rounds_between(const struct schedule *s, int barrier)
{
    return barrier ? (uint64_t)barrier_rounds(s) : 1;
}

static uint64_t topology_rounds(const struct schedule *s, int barrier)
{
    const uint64_t phases = topology_phases(s);
    return phases + (phases - 1) * rounds_between(s, barrier);
}

static void tell(const struct schedule *s, int rank, uint64_t next, struct round *out)
{
    const struct switch_tree t = tree_of(s);
    const struct few from = tellers_of(&t, rank, next), to = told_by(&t, rank, next);
    for (int i = 0; i < from.n; i++)
        round_recv(out, BUF_RECV, 0, 0, from.v[i]);
    for (int i = 0; i < to.n; i++)
        round_send(out, BUF_RECV, 0, 0, to.v[i]);
}

/* Of -1: nobody. */
static void take(const struct schedule *s, int rank, int src, struct round *out)
{
    if (src >= 0)
        recv_block(s, rank, src, out);
}

static void give(const struct schedule *s, int rank, int dst, struct round *out)
{
    if (dst >= 0)
        send_block(s, rank, dst, out);
}

static void topology_round(const struct schedule *s, int barrier, int rank, uint64_t k,
                           struct round *out)
{
    const uint64_t pause = rounds_between(s, barrier), phase = k / (1 + pause);
    const uint64_t within = k % (1 + pause);
    const struct team all = team_all(s, 0, NULL);
    if (within && barrier) {
        barrier_round(&all, rank, (int)within - 1, out);
        return;
    }
    if (within) {
        tell(s, rank, phase + 1, out);
        return;
    }
    const struct topology_phase f = topology_phase(s, rank, phase);
    take(s, rank, f.src, out);
    take(s, rank, f.local_src, out);
    give(s, rank, f.dst, out);
    give(s, rank, f.local_dst, out);
    if (phase == 0)
        keep_block(s, rank, out);
}

#define TOPOLOGY_FUNCTIONS(id, barrier)                                                            \
    static uint64_t id##_rounds(const struct schedule *s, int rank)                                \
    {                                                                                              \
        (void)rank;                                                                                \
        return topology_rounds(s, barrier);                                                        \
    }                                                                                              \
    static void id##_round(const struct schedule *s, int rank, uint64_t k, struct round *out)      \
    {                                                                                              \
        topology_round(s, barrier, rank, k, out);                                                  \
    }

TOPOLOGY_FUNCTIONS(light_barrier, 0)
TOPOLOGY_FUNCTIONS(mpi_barrier, 1)

/* Of equal blocks, and of different sizes. */
/* clang-format off */
#define TOPOLOGY_ROWS                                                                              \
    { { .name = "topology_light_barrier", .group = "links", .prepare = topology_prepare,           \
        .rounds = light_barrier_rounds, .round = light_barrier_round,                              \
        .help = "no link carries two messages of a step at a time; its user signals the next one" },\
      { .name = "topology_mpi_barrier", .group = "links", .prepare = topology_prepare,             \
        .rounds = mpi_barrier_rounds, .round = mpi_barrier_round,                                  \
        .help = "no link has two messages of a step, with a barrier after each" },                 \
      { .name = NULL } }
/* clang-format on */

const struct algorithm alltoall_topology[] = TOPOLOGY_ROWS;
const struct algorithm alltoallv_topology[] = TOPOLOGY_ROWS;
