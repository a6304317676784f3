/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/switches.h"

void switches_above(const char *path, uint64_t above[SEAT_LEVELS])
{
    int n = 0;
    for (const char *p = path; (p = strchr(p, '.')); p++)
        n++;
    memset(above, 0, SEAT_LEVELS * sizeof *above);
    for (const char *p = path; (p = strchr(p, '.')); p++)
        if (--n < SEAT_LEVELS)
            above[n] = fs_digest(path, (size_t)(p - path));
}

struct node_below {
    int node;
    const uint64_t *above;
};

/* The highest level of switches, from 1, at which two nodes are apart; 0: they share the lowest. */
static int apart(const struct node_below *a, const struct node_below *b)
{
    int level = SEAT_LEVELS;
    while (level > 0 && a->above[level - 1] == b->above[level - 1])
        level--;
    return level;
}

static int by_switches(const void *x, const void *y)
{
    const struct node_below *a = x, *b = y;
    const int level = apart(a, b);
    if (level == 0)
        return ascending(a->node, b->node);
    return a->above[level - 1] < b->above[level - 1] ? -1 : 1;
}

/* The nodes of the launch by their switches; NULL: not each rank has as many switches above it. */
static struct node_below *sort_nodes(const struct seating *s, const uint64_t *above)
{
    struct node_below *of = memory_zeros((size_t)s->nodes, sizeof *of);
    for (int r = s->procs - 1; r >= 0; r--) {
        const uint64_t *mine = above + (size_t)r * SEAT_LEVELS;
        for (int i = 0; i < SEAT_LEVELS; i++)
            if (!mine[i] != !above[i]) {
                free(of);
                return NULL;
            }
        of[seat_node(s, r)] = (struct node_below){ seat_node(s, r), mine };
    }
    qsort(of, (size_t)s->nodes, sizeof *of, by_switches);
    return of;
}

int *switches_seat(struct seating *s, const uint64_t *above)
{
    int most[SEAT_LEVELS + 1] = { 1 }, levels = 0;
    while (levels < SEAT_LEVELS && above[levels])
        levels++;
    struct node_below *of = levels && s->procs ? sort_nodes(s, above) : NULL;
    if (!of)
        return NULL;
    /* Digit 0: the node below its switch; digit i: the switch of level i below the next one. */
    int(*digit)[SEAT_LEVELS + 1] = memory_zeros((size_t)s->nodes, sizeof *digit);
    for (int k = 1; k < s->nodes; k++) {
        const int at = apart(&of[k - 1], &of[k]);
        for (int i = at; i <= levels; i++)
            digit[k][i] = digit[k - 1][i] + (i == at);
        most[at] = digit[k][at] >= most[at] ? digit[k][at] + 1 : most[at];
    }
    int *listed = memory_zeros((size_t)s->nodes, sizeof *listed);
    long size = 1;
    for (int i = 0; i <= levels && size <= INT_MAX; i++) {
        for (int k = 0; k < s->nodes; k++)
            listed[of[k].node] += digit[k][i] * (int)size;
        size *= most[i] ? most[i] : 1;
        if (i < levels && size <= INT_MAX)
            s->network.group[i] = (int)size;
    }
    memory_free(digit, of);
    if (size > INT_MAX) {
        free(listed);
        s->network = (struct seat_network){ .shuffled = 0 };
        return NULL;
    }
    s->network.listed = listed;
    return listed;
}
