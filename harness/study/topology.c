/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/topology.h"

static const char *const kinds[N_TOPOLOGIES] = {
    [TOPOLOGY_STAR] = "star",   [TOPOLOGY_TREE] = "tree", [TOPOLOGY_FAT_TREE] = "fat_tree",
    [TOPOLOGY_TORUS] = "torus", [TOPOLOGY_MESH] = "mesh",
};

const char *topology_kind_name(enum topology_kind kind)
{
    return kinds[kind];
}

static int topology_kind_parse(const char *name, enum topology_kind *kind, struct err *err)
{
    for (int i = 0; i < N_TOPOLOGIES; i++) {
        if (strcmp(kinds[i], name) == 0) {
            *kind = (enum topology_kind)i;
            return 0;
        }
    }
    return err_usage(err, "'%s' is not a topology (want star, tree, fat_tree, torus or mesh)",
                     name);
}

static int is_grid(const struct topology *t)
{
    return t->net.kind == TOPOLOGY_TORUS || t->net.kind == TOPOLOGY_MESH;
}

/* ---- checking and counting ---- */

enum { MOST_NODES = 1000000 };

/* The product of n numbers of at least 1, or -1 where it is more than a network may have. */
static int product(const int *v, int n)
{
    long long all = 1;
    for (int i = 0; i < n; i++) {
        if (v[i] < 1 || (all *= v[i]) > MOST_NODES)
            return -1;
    }
    return (int)all;
}

static int check_nodes(struct network *net, int there, struct err *err)
{
    if (there < 0)
        return err_usage(err, "a %s of more than %d nodes, or with a number below 1",
                         kinds[net->kind], MOST_NODES);
    if (net->nodes && net->nodes != there)
        return err_usage(err, "a %s of these extents has %d nodes, not %d", kinds[net->kind], there,
                         net->nodes);
    net->nodes = there;
    return 0;
}

static int init_grid(struct topology *t, struct err *err)
{
    struct network *net = &t->net;
    if (net->dims < 1 || net->dims > TOPOLOGY_DIMS)
        return err_usage(err, "a %s of %d dimensions (want 1 to %d)", kinds[net->kind], net->dims,
                         TOPOLOGY_DIMS);
    if (check_nodes(net, product(net->extent, net->dims), err) < 0)
        return -1;
    t->vertices = net->nodes;
    t->links = net->nodes * net->dims * 2;
    for (int j = 0; j < net->dims; j++)
        t->diameter += net->kind == TOPOLOGY_TORUS ? net->extent[j] / 2 : net->extent[j] - 1;
    return 0;
}

static int init_switches(struct topology *t, struct err *err)
{
    struct network *net = &t->net;
    if (net->nodes < 1 || net->nodes > MOST_NODES || net->ports < 0)
        return err_usage(err, "a %s of %d nodes, %d on a switch", kinds[net->kind], net->nodes,
                         net->ports);
    if (net->ports == 0 || net->ports > net->nodes)
        net->ports = net->nodes;
    const int n = net->kind == TOPOLOGY_TREE ? (net->nodes + net->ports - 1) / net->ports : 1,
              tree = n > 1;
    t->vertices = net->nodes + n + tree;
    t->links = 2 * net->nodes + (tree ? 2 * n : 0);
    t->diameter = tree ? 4 : net->nodes > 1 ? 2 : 0;
    return 0;
}

/* Vertices of a level: the levels below are told apart by parents, those above by children. */
static int level_size(const struct network *net, int level)
{
    const int below = product(net->up, level),
              above = product(net->down + level, net->levels - level);
    return below < 0 || above <= 0 || below > MOST_NODES / above ? -1 : below * above;
}

static int init_fat_tree(struct topology *t, struct err *err)
{
    struct network *net = &t->net;
    long long vertices = 0, links = 0;
    if (net->levels < 1 || net->levels > TOPOLOGY_DIMS)
        return err_usage(err, "a fat tree of %d levels (want 1 to %d)", net->levels, TOPOLOGY_DIMS);
    if (check_nodes(net, product(net->down, net->levels), err) < 0)
        return -1;
    for (int i = 0; i <= net->levels; i++) {
        const int size = level_size(net, i);
        if (size < 0 || (i < net->levels && net->cables[i] < 1))
            return err_usage(err, "level %d of a fat tree has too many switches, or no cables", i);
        t->level_first[i] = (int)vertices;
        t->cable_first[i] = (int)links;
        vertices += size;
        if (i == net->levels)
            break;
        links += 2LL * size * net->up[i] * net->cables[i];
        if (links > INT_MAX / 2)
            return err_usage(err, "a fat tree of more than %d links", INT_MAX / 2);
        if (net->down[i] > 1)
            t->diameter = 2 * (i + 1);
    }
    t->vertices = (int)vertices;
    t->level_first[net->levels + 1] = (int)vertices;
    t->links = (int)links;
    return 0;
}

int topology_init(struct topology *t, const struct network *net, struct err *err)
{
    *t = (struct topology){ .net = *net };
    if (is_grid(t))
        return init_grid(t, err);
    return net->kind == TOPOLOGY_FAT_TREE ? init_fat_tree(t, err) : init_switches(t, err);
}

/* ---- torus and mesh ---- */

static const char axes[] = "xyzuvw";

void topology_coordinates(const struct topology *t, int node, int *coordinates)
{
    for (int j = 0; j < t->net.dims; j++) {
        coordinates[j] = node % t->net.extent[j];
        node /= t->net.extent[j];
    }
}

int topology_node(const struct topology *t, const int *coordinates)
{
    int node = 0;
    for (int j = t->net.dims; j-- > 0;)
        node = node * t->net.extent[j] + coordinates[j];
    return node;
}

/* +1 upwards, -1 downwards, from another coordinate of a ring of nodes (or a row of them). */
static int direction(const struct topology *t, int extent, int from, int to)
{
    if (t->net.kind == TOPOLOGY_MESH)
        return to > from ? 1 : -1;
    const int ahead = (to - from + extent) % extent, behind = extent - ahead;
    if (ahead != behind)
        return ahead < behind ? 1 : -1;
    return from == extent / 2 ? -1 : 1;
}

/* The node one step from this one, stride being that of the dimension; -1 beyond the rim. */
static int neighbour(const struct topology *t, int node, int dim, int stride, int way)
{
    const int extent = t->net.extent[dim], at = node / stride % extent, next = at + way;
    if (next >= 0 && next < extent)
        return node + way * stride;
    if (t->net.kind == TOPOLOGY_MESH || extent == 1)
        return -1;
    return node - way * (extent - 1) * stride;
}

static int grid_route(const struct topology *t, int src, int dst, int *links)
{
    int n = 0, at = src, stride = 1;
    for (int j = 0; j < t->net.dims; stride *= t->net.extent[j++]) {
        const int extent = t->net.extent[j], from = src / stride % extent,
                  to = dst / stride % extent;
        if (from == to)
            continue;
        const int way = direction(t, extent, from, to);
        for (; at / stride % extent != to; at = neighbour(t, at, j, stride, way)) {
            if (links)
                links[n] = ((at * t->net.dims + j) * 2 + (way < 0));
            n++;
        }
    }
    return n;
}

static int grid_ends(const struct topology *t, int link, int *from, int *to)
{
    const int dim = link / 2 % t->net.dims;
    *from = link / 2 / t->net.dims;
    *to = neighbour(t, *from, dim, product(t->net.extent, dim), link % 2 ? -1 : 1);
    return *to < 0 ? -1 : 0;
}

static void grid_name(const struct topology *t, int link, char *buf, size_t size)
{
    int at[TOPOLOGY_DIMS];
    size_t used = 0;
    topology_coordinates(t, link / 2 / t->net.dims, at);
    for (int j = 0; j < t->net.dims && used < size; j++)
        used += (size_t)snprintf(buf + used, size - used, "%s%d", j ? "." : "", at[j]);
    if (used < size)
        snprintf(buf + used, size - used, "%c%c", link % 2 ? '-' : '+',
                 axes[link / 2 % t->net.dims]);
}

/* ---- star and tree ---- */

/* Node k's links are 2k (up) and 2k + 1 (down), trunks follow in the same way. */
static int switch_route(const struct topology *t, int src, int dst, int *links)
{
    const int nodes = t->net.nodes, from = src / t->net.ports, to = dst / t->net.ports;
    const int way[4] = { 2 * src, 2 * nodes + 2 * from, 2 * nodes + 2 * to + 1, 2 * dst + 1 };
    const int far = from != to;
    if (src == dst)
        return 0;
    for (int i = 0, n = 0; links && i < 4; i++)
        if (far || i == 0 || i == 3)
            links[n++] = way[i];
    return far ? 4 : 2;
}

static int is_trunk(const struct topology *t, int link)
{
    return t->net.kind == TOPOLOGY_TREE && link >= 2 * t->net.nodes;
}

static void switch_ends(const struct topology *t, int link, int *from, int *to)
{
    const int nodes = t->net.nodes, trunk = is_trunk(t, link);
    const int i = trunk ? link / 2 - nodes : link / 2;
    const int low = trunk ? nodes + i : i;
    const int high = trunk ? t->vertices - 1 : nodes + i / t->net.ports;
    *from = link % 2 ? high : low;
    *to = link % 2 ? low : high;
}

static void switch_name(const struct topology *t, int link, char *buf, size_t size)
{
    const int trunk = is_trunk(t, link);
    snprintf(buf, size, "%s%d.%s", trunk ? "leaf" : "n", trunk ? link / 2 - t->net.nodes : link / 2,
             link % 2 ? "down" : "up");
}

/* ---- fat tree ---- */

/* A vertex of level l is numbered by digits, the first fastest: digit j has up[j] values below l
 * (which of the parents) and down[j] from l on (which child). */
static int fat_parent(const struct network *net, int level, int at, int port)
{
    const int low = product(net->up, level);
    return at % low +
           low * (port % net->up[level] + net->up[level] * (at / low / net->down[level]));
}

/* Is dst, a node, below this vertex? */
static int fat_ports(const struct network *net, int level)
{
    return net->up[level] * net->cables[level];
}

static int fat_link(const struct topology *t, int level, int at, int port, int down)
{
    return t->cable_first[level] + (at * fat_ports(&t->net, level) + port) * 2 + down;
}

/* The port down to a child: the first one to it from *next on. Where there is none, and at the top
 * (*next < 0), from the cable of the sender's number on. */
static int fat_port_down(const struct network *net, int level, int child, int src, int *next)
{
    const int down = net->down[level], first = src % net->cables[level] * down + child;
    const int from = *next < 0 ? 0 : *next;
    int port = from + ((child - from) % down + down) % down;
    if (*next < 0 || port >= down * net->cables[level])
        port = first;
    *next = port + 1;
    return port;
}

/* Up by the receiver's number, then down to it. */
static int fat_route(const struct topology *t, int src, int dst, int *links)
{
    const struct network *net = &t->net;
    int n = 0, level = 0, at = src, choice = dst, next = -1;
    if (src == dst)
        return 0;
    for (; at / product(net->up, level) != dst / product(net->down, level); level++) {
        const int port = choice % fat_ports(net, level);
        choice /= net->up[level];
        if (links)
            links[n] = fat_link(t, level, at, port, 0);
        n++;
        at = fat_parent(net, level, at, port);
    }
    while (level-- > 0) {
        const int low = product(net->up, level), parent = at / low % net->up[level];
        const int child = dst / product(net->down, level) % net->down[level];
        const int cable = fat_port_down(net, level, child, src, &next) / net->down[level];
        at = at % low + low * (child + net->down[level] * (at / low / net->up[level]));
        if (links)
            links[n] = fat_link(t, level, at, parent + cable * net->up[level], 1);
        n++;
    }
    return n;
}

/* Of which level's vertex, and which of its ports, a link is. */
static int fat_child(const struct topology *t, int link, int *at, int *port)
{
    int level = 0;
    while (level + 1 < t->net.levels && link >= t->cable_first[level + 1])
        level++;
    const int i = (link - t->cable_first[level]) / 2, ports = fat_ports(&t->net, level);
    *at = i / ports;
    *port = i % ports;
    return level;
}

static void fat_ends(const struct topology *t, int link, int *from, int *to)
{
    int at, port;
    const int level = fat_child(t, link, &at, &port);
    const int low = t->level_first[level] + at;
    const int high = t->level_first[level + 1] + fat_parent(&t->net, level, at, port);
    *from = link % 2 ? high : low;
    *to = link % 2 ? low : high;
}

static void fat_name(const struct topology *t, int link, char *buf, size_t size)
{
    int at, port;
    const int level = fat_child(t, link, &at, &port);
    const char *way = link % 2 ? "down" : "up";
    if (level == 0)
        snprintf(buf, size, "n%d.%s%d", at, way, port);
    else
        snprintf(buf, size, "switch%d.%d.%s%d", level, at, way, port);
}

/* ---- any network ---- */

int topology_route(const struct topology *t, int src, int dst, int *links)
{
    if (is_grid(t))
        return grid_route(t, src, dst, links);
    return t->net.kind == TOPOLOGY_FAT_TREE ? fat_route(t, src, dst, links)
                                            : switch_route(t, src, dst, links);
}

int topology_ends(const struct topology *t, int link, int *from, int *to)
{
    if (is_grid(t))
        return grid_ends(t, link, from, to);
    if (t->net.kind == TOPOLOGY_FAT_TREE)
        fat_ends(t, link, from, to);
    else
        switch_ends(t, link, from, to);
    return 0;
}

double topology_rate(const struct topology *t, int link)
{
    if (!is_trunk(t, link))
        return t->net.link_rate;
    return t->net.trunk_rate > 0 ? t->net.trunk_rate : t->net.ports * t->net.link_rate;
}

double topology_latency(const struct topology *t, int link)
{
    const struct network *net = &t->net;
    if (is_trunk(t, link))
        return net->trunk_latency + net->switch_latency;
    return net->link_latency + (is_grid(t) || net->kind == TOPOLOGY_FAT_TREE
                                    ? net->switch_latency
                                    : net->switch_latency / 2);
}

const char *topology_link_name(const struct topology *t, int link, char *buf, size_t size)
{
    if (is_grid(t))
        grid_name(t, link, buf, size);
    else if (t->net.kind == TOPOLOGY_FAT_TREE)
        fat_name(t, link, buf, size);
    else
        switch_name(t, link, buf, size);
    return buf;
}

/* ---- the order of nodes ---- */

/* "2,1,0": each dimension once. */
static int parse_dimensions(const struct topology *t, const char *text, int *dim, struct err *err)
{
    const int dims = t->net.dims;
    unsigned seen = 0;
    int n = 0;
    if (!is_grid(t))
        return err_usage(err, "order 'dims:%s': a %s has no dimensions", text, kinds[t->net.kind]);
    for (const char *p = text; n < dims && *p >= '0' && *p < '0' + dims; p += 2) {
        dim[n++] = *p - '0';
        seen |= 1u << dim[n - 1];
        if (p[1] != ',')
            break;
    }
    if (n == dims && seen == (1u << dims) - 1 && strlen(text) == 2 * (size_t)dims - 1)
        return 0;
    return err_usage(err,
                     "order 'dims:%s': want each of the dimensions 0 to %d once, a comma between",
                     text, dims - 1);
}

static int by_dimensions(const struct topology *t, const char *text, int *position, struct err *err)
{
    int dim[TOPOLOGY_DIMS], at[TOPOLOGY_DIMS];
    if (parse_dimensions(t, text, dim, err) < 0)
        return -1;
    for (int k = 0; k < t->net.nodes; k++) {
        int rest = k;
        for (int i = 0; i < t->net.dims; i++) {
            at[dim[i]] = rest % t->net.extent[dim[i]];
            rest /= t->net.extent[dim[i]];
        }
        position[k] = topology_node(t, at);
    }
    return 0;
}

static int in_order(const char *order)
{
    return !*order || strcmp(order, "in_order") == 0;
}

/* The seed of a shuffle. 1: it is one, 0: not so, -1: one without a seed. */
static int seed_of(const char *order, uint64_t *seed)
{
    if (strncmp(order, "random:", 7) != 0)
        return 0;
    return parse_u64(order + 7, seed, NULL) < 0 ? -1 : 1;
}

int topology_order(const struct topology *t, const char *order, int *position, struct err *err)
{
    uint64_t seed;
    const int shuffled = seed_of(order, &seed);
    for (int k = 0; k < t->net.nodes; k++)
        position[k] = k;
    if (in_order(order))
        return 0;
    if (strncmp(order, "dims:", 5) == 0)
        return by_dimensions(t, order + 5, position, err);
    if (shuffled < 0)
        return err_usage(err, "order '%s': '%s' is not a seed (want a whole number from 0)", order,
                         order + 7);
    if (!shuffled)
        return err_usage(
            err, "'%s' is not an order of nodes (want in_order, random:SEED or dims:...)", order);
    seat_shuffle(seed, t->net.nodes, position);
    return 0;
}

/* ---- clusters ---- */

static int take_list(const struct int_list *list, int *v, const char *key, struct err *err)
{
    if (list->n > TOPOLOGY_DIMS)
        return err_usage(err, "%s: %zu numbers (want at most %d)", key, list->n, TOPOLOGY_DIMS);
    for (size_t i = 0; i < list->n; i++)
        v[i] = list->v[i];
    return 0;
}

int topology_of_cluster(struct topology *t, const struct cluster *c, struct err *err)
{
    struct network net = {
        .nodes = c->nodes,
        .ports = c->switch_ports,
        .dims = (int)c->torus.n,
        .levels = (int)c->fat_tree_down.n,
        .link_rate = c->link_rate / 8,
        .trunk_rate = c->trunk_rate / 8,
        .link_latency = c->link_latency,
        .switch_latency = c->switch_latency,
        .trunk_latency = c->trunk_latency,
    };
    if (topology_kind_parse(c->topology, &net.kind, err) < 0 ||
        take_list(&c->torus, net.extent, "torus", err) < 0 ||
        take_list(&c->fat_tree_down, net.down, "fat_tree_down", err) < 0 ||
        take_list(&c->fat_tree_up, net.up, "fat_tree_up", err) < 0 ||
        take_list(&c->fat_tree_cables, net.cables, "fat_tree_cables", err) < 0)
        return -1;
    if (net.kind == TOPOLOGY_FAT_TREE &&
        (c->fat_tree_up.n != c->fat_tree_down.n || c->fat_tree_cables.n != c->fat_tree_down.n))
        return err_usage(err,
                         "fat_tree_down, fat_tree_up and fat_tree_cables: want as many numbers "
                         "of each");
    return topology_init(t, &net, err);
}

struct seat_network topology_switches(const struct network *net, const char *order)
{
    struct seat_network n = { .shuffled = 0 };
    const int shuffled = seed_of(order, &n.seed);
    if (!in_order(order) && shuffled != 1)
        return n;
    if (net->kind == TOPOLOGY_TREE)
        n.group[0] = net->ports;
    for (int i = 0; net->kind == TOPOLOGY_FAT_TREE && i < net->levels; i++)
        n.group[i] = (i ? n.group[i - 1] : 1) * net->down[i];
    if (n.group[0] && shuffled)
        n.shuffled = net->nodes;
    return n;
}

struct seating topology_seating(const struct cluster *c, const char *mapping, int nodes, int ppn,
                                int procs)
{
    struct topology t = { .links = 0 };
    const int known = topology_of_cluster(&t, c, NULL) == 0;
    return seat_known((struct seating){ .mapping = mapping,
                                        .nodes = nodes,
                                        .ppn = ppn,
                                        .procs = procs,
                                        .sockets = c->sockets,
                                        .cores = c->cores,
                                        .cache_cores = c->cache_cores,
                                        .network = known
                                                       ? topology_switches(&t.net, c->order)
                                                       : (struct seat_network){ .shuffled = 0 } });
}

int topology_load(struct topology *t, const struct cluster *c, struct err *err)
{
    if (topology_of_cluster(t, c, err) == 0)
        return 0;
    return cluster_fail(c,
                        c->torus.n           ? "torus"
                        : c->fat_tree_down.n ? "fat_tree_down"
                                             : "topology",
                        err);
}
