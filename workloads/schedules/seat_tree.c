/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/seat_tree.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* ---- where nodes and ranks are ---- */

/* Which node of the network each is. */
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
    const int by_node = (x->position > y->position) - (x->position < y->position);
    return by_node ? by_node : (x->local > y->local) - (x->local < y->local);
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
    return x->size != y->size ? y->size - x->size : (x->first > y->first) - (x->first < y->first);
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
