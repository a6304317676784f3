/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/study_facts.h"

#include "harness/base/json_print.h"
#include "harness/study/manifest.h"

/* Defaults of the study file, for a manifest that does not say. */
static const double default_tie_pct = 2.5, default_confidence = 0.95, default_precision = 0.025;

/* The value of a key of a resolved file: root.<file>.settings.<section>.<key>.value. */
static const char *setting(const json_t *root, const char *file, const char *section,
                           const char *key)
{
    const json_t *o = json_object_get(json_object_get(root, file), "settings");
    return json_string_value(
        json_object_get(json_object_get(json_object_get(o, section), key), "value"));
}

static void copy(const char *text, const char *otherwise, char *buf, size_t size)
{
    snprintf(buf, size, "%s", text ? text : otherwise);
}

static double number(const char *text, double otherwise)
{
    double v = otherwise;
    if (text)
        parse_f64(text, &v, NULL);
    return v;
}

/* A setting of the study, judged as in a study file; `otherwise` in a manifest without it. */
static int study_number(const json_t *root, const char *section, const char *key, double otherwise,
                        double *value, const char *path, struct err *err)
{

    const char *text = setting(root, "study", section, key);
    const int at = keys_find(&study_keys, key);
    *value = otherwise;
    if (!text || at < 0 || key_parse(&study_keys.keys[at], text, value, err) == 0)
        return 0;
    err_prefix(err, "study/settings/%s/%s/value", section, key);
    return json_file_fail(path, err);
}

static int take_measure(const json_t *root, struct facts *facts, const char *path, struct err *err)
{
    if (study_number(root, "compare", "tie_pct", default_tie_pct, &facts->tie_pct, path, err) < 0 ||
        study_number(root, "measure", "confidence", default_confidence, &facts->confidence, path,
                     err) < 0)
        return -1;
    return study_number(root, "measure", "precision", default_precision, &facts->precision, path,
                        err);
}

/* Judged as in a study file. */
static int take_holdouts(const json_t *root, struct facts *facts, const char *path, struct err *err)
{
    const char *of_study = setting(root, "study", "compare", "holdout");
    const char *text =
        of_study ? of_study
                 : json_string_value(json_object_get(json_object_get(root, "import"), "holdout"));
    if (!text || holdouts_parse(text, &facts->holdouts, err) == 0)
        return 0;
    err_prefix(err, of_study ? "study/settings/compare/holdout/value" : "import/holdout");
    return json_file_fail(path, err);
}

/* The seconds per byte of the largest messages. */
static double combining(const char *text)
{
    struct cost_list costs = { .n = 0 };
    const int key = keys_find(&cluster_keys, "reduce_cost");
    if (!text || key < 0 || key_parse(&cluster_keys.keys[key], text, &costs, NULL) < 0 || !costs.n)
        return 0;
    return costs.v[costs.n - 1].seconds_per_byte;
}

/* Unless it is there. */
static void add_version(const json_t *entry, const char *mpi, struct facts *facts)
{
    for (size_t i = 0; i < facts->n_mpis; i++)
        if (strcmp(facts->mpi[i], mpi) == 0)
            return;
    if (!entry || facts->n_mpis == MAX_MPIS)
        return;
    copy(mpi, "", facts->mpi[facts->n_mpis], NAME_SIZE);
    copy(json_string_value(json_object_get(entry, "version")), "unknown",
         facts->mpi_version[facts->n_mpis++], NAME_SIZE);
}

/* In the order in which the study names them, then the others. */
static void versions_of(const json_t *root, struct facts *facts)
{
    const char *mpi, *named = setting(root, "study", "study", "mpi");
    json_t *entry, *all = json_object_get(root, "mpi");
    char list[512], *rest = list;
    snprintf(list, sizeof list, "%s", named ? named : "");
    while ((mpi = strsep(&rest, " ")))
        add_version(json_object_get(all, mpi), mpi, facts);
    json_object_foreach(all, mpi, entry)
    {
        add_version(entry, mpi, facts);
    }
}

/* The keys of network and messages, as the cluster file or its defaults have them, into *c. -1: not
 * known. */
static int network_of(const json_t *root, struct cluster *c)
{
    *c = (struct cluster){ .nodes = 0 };
    if (!setting(root, "cluster", "network", "topology"))
        return -1;
    for (size_t i = 0; i < cluster_keys.n; i++) {
        const struct key *key = &cluster_keys.keys[i];
        const char *text = setting(root, "cluster", key->section, key->name);
        if ((strcmp(key->section, "network") == 0 || strcmp(key->section, "messages") == 0) &&
            key_parse(key, text ? text : key->fallback, (char *)c + key->offset, NULL) < 0)
            return -1;
    }
    const char *trunk = setting(root, "cluster", "network", "trunk_latency");
    if (!trunk || strcmp(trunk, "link") == 0)
        c->trunk_latency = c->link_latency;
    return 0;
}

/* A number of the cluster file, of [section] key, as the key is judged there; 0: it is not known,
 * or the file does not say it. */
static double said(const json_t *root, const char *section, const char *name, int or_default)
{
    const json_t *o = json_object_get(json_object_get(root, "cluster"), "settings");
    o = json_object_get(json_object_get(o, section), name);
    const char *text = json_string_value(json_object_get(o, "value"));
    const int at = keys_find(&cluster_keys, name);
    union {
        double real;
        uint64_t bytes;
        int whole;
    } v = { 0 };
    if (!text || at < 0 || (!or_default && json_is_true(json_object_get(o, "default"))) ||
        key_parse(&cluster_keys.keys[at], text, &v, NULL) < 0)
        return 0;
    const enum key_type type = cluster_keys.keys[at].type;
    return type == KEY_BYTES                     ? (double)v.bytes
           : type == KEY_INT || type == KEY_BOOL ? v.whole
                                                 : v.real;
}

/* Links of a node, each as the file rates it. */
static double links_of(const struct network *net)
{
    switch (net->kind) {
    case TOPOLOGY_TORUS:
    case TOPOLOGY_MESH:
        return 2.0 * net->dims;
    case TOPOLOGY_FAT_TREE:
        return net->levels ? (double)net->up[0] * net->cables[0] : 1;
    default:
        return 1;
    }
}

/* The latency of one link, and where there are switches of a second one and of a switch. */
static double latency_of(const json_t *root, const struct cluster *c, const struct network *net)
{
    const double link = said(root, "network", "link_latency", 0);
    const int direct = net->kind == TOPOLOGY_TORUS || net->kind == TOPOLOGY_MESH;
    double least = 1;
    for (size_t i = 0; i < c->latency_factors.n; i++)
        least = fmin(least, c->latency_factors.v[i].factor);
    return least * (direct ? link : 2 * link + said(root, "network", "switch_latency", 0));
}

/* A memory may be shared by fewer cores than memory_cores says at the end of a socket. */
static double memories_of(const struct facts *facts)
{
    const int shared = facts->memory_cores;
    return facts->sockets * (shared > 0 ? (facts->cores + shared - 1) / shared : 1);
}

static void take_rated(const json_t *root, const struct cluster *c, struct facts *facts)
{
    struct rated *r = &facts->rated;
    const struct network *net = &facts->topology.net;
    double factor = 1;
    for (size_t i = 0; i < c->bandwidth_factors.n; i++)
        factor = fmax(factor, c->bandwidth_factors.v[i].factor);
    const double link = said(root, "network", "link_rate", 0) / 8 * factor * links_of(net);
    r->node_rate = fmax(said(root, "features", "rails", 0), 1) *
                   fmax(link, said(root, "features", "link_speed", 0) * 1e9 / 8);
    r->trunk_rate = said(root, "network", "trunk_rate", 0) / 8 * factor;
    r->latency = latency_of(root, c, net);
    r->memory_rate = fmax(said(root, "features", "memory_bandwidth", 0) * 1e9,
                          said(root, "node", "memory_rate", 0) / 8 * memories_of(facts));
    r->caches = said(root, "features", "last_cache", 0) * facts->sockets;
    if (said(root, "cluster", "emulated", 1) > 0)
        r->burst = 2 * said(root, "testbed", "burst", 1);
}

static void take_network(const json_t *root, struct facts *facts)
{
    struct cluster *c = memory_zeros(1, sizeof *c);
    if (network_of(root, c) == 0) {
        /* older manifests have them among the settings alone */
        c->nodes = facts->nodes ? facts->nodes
                                : (int)number(setting(root, "cluster", "cluster", "nodes"), 0);
        facts->has_topology = topology_of_cluster(&facts->topology, c, NULL) == 0;
        copy(c->order, "", facts->order, sizeof facts->order);
        facts->latency_factors = c->latency_factors;
        facts->rendezvous_bytes = c->rendezvous_bytes;
        take_rated(root, c, facts);
    }
    free(c);
}

/* How the study's plan places ranks on nodes (harness/study/plan.h). */
static void take_placing(const json_t *root, struct facts *facts)
{
    const char *spread = setting(root, "study", "grid", "spread");
    const char *occupied = setting(root, "study", "grid", "ranks_per");
    copy(spread, "", facts->spread, NAME_SIZE);
    facts->study_nodes = (int)number(setting(root, "study", "grid", "nodes"), facts->nodes);
    facts->study_room = seat_room(occupied ? occupied : "core", facts->sockets, facts->cores);
    facts->study_share = (int)number(setting(root, "study", "grid", "oversubscribe"), 1);
}

/* What a manifest keeps of the machine's features; older ones keep none. */
static void take_machine(const json_t *root, struct facts *facts)
{
    const json_t *machine = json_object_get(json_object_get(root, "cluster"), "machine");
    for (size_t i = 0; i < N_MACHINE; i++) {
        const double value = json_number_value(json_object_get(machine, machine_names[i]));
        facts->machine[i] = value > 0 ? value : 0;
    }
}

static void take(const json_t *root, struct facts *facts)
{
    const json_t *backend = json_object_get(root, "backend");
    copy(setting(root, "cluster", "cluster", "name"), "unknown", facts->cluster, NAME_SIZE);
    copy(setting(root, "study", "candidates", "sim_default"), "", facts->sim_default, NAME_SIZE);
    copy(json_string_value(json_object_get(backend, "name")), "unknown", facts->backend, NAME_SIZE);
    copy(json_string_value(json_object_get(root, "digest")), "", facts->digest,
         sizeof facts->digest);
    facts->combine_s_per_byte = combining(setting(root, "cluster", "node", "reduce_cost"));
    const char *statistic = setting(root, "study", "measure", "statistic");
    if (statistic && statistic_find(statistic) >= 0)
        facts->statistic = (enum statistic)statistic_find(statistic);
    const char *ranks = setting(root, "study", "measure", "keep_ranks");
    facts->keeps_ranks = ranks && strcmp(ranks, "yes") == 0;
    facts->seed = (uint64_t)json_integer_value(json_object_get(root, "seed"));
    const json_t *resolved = json_object_get(json_object_get(root, "cluster"), "resolved");
    facts->nodes = (int)json_integer_value(json_object_get(resolved, "nodes"));
    facts->sockets = (int)json_integer_value(json_object_get(resolved, "sockets"));
    facts->cores = (int)json_integer_value(json_object_get(resolved, "cores"));
    facts->cache_cores = (int)json_integer_value(json_object_get(resolved, "cache_cores"));
    facts->memory_cores = (int)json_integer_value(json_object_get(resolved, "memory_cores"));
    facts->shared_cores = (int)json_integer_value(json_object_get(resolved, "shared_cores"));
    take_machine(root, facts);
    take_placing(root, facts);
    take_network(root, facts);
    facts->deterministic = backend_simulates(facts->backend);
    facts->simulated = facts->deterministic || strcmp(facts->backend, "null") == 0;
    facts->imported = strcmp(facts->backend, "imported") == 0;
    versions_of(root, facts);
}

/* Without these nobody knows what the times are of. */
static int check_whole(const json_t *root, const char *path, struct err *err)
{
    const json_t *backend = json_object_get(root, "backend");
    const char *lacks = !json_string_value(json_object_get(backend, "name")) ? "backend/name"
                        : !setting(root, "cluster", "cluster", "name")
                            ? "cluster/settings/cluster/name"
                            : NULL;
    return lacks ? err_set(err, "%s:1: has no %s (want the manifest of a study or data set)", path,
                           lacks)
                 : 0;
}

int backend_simulates(const char *backend)
{
    return strcmp(backend, "sim") == 0 || strcmp(backend, "walk") == 0;
}

int facts_read(const char *dir, struct facts *facts, struct err *err)
{
    char path[PATH_SIZE];
    json_t *root;
    *facts = (struct facts){ .n_mpis = 0 };
    if (fs_path(path, sizeof path, err, "%s/manifest.json", dir) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(err, "'%s' does not exist: nothing was measured yet (run `collsel measure`)",
                       path);
    if (manifest_known(dir, err) < 0)
        return -1;
    if (json_file_read(path, &root, err) < 0)
        return -1;
    json_disarm(root);
    int status = check_whole(root, path, err);
    take(root, facts);
    if (status == 0)
        status = take_measure(root, facts, path, err);
    if (status == 0)
        status = take_holdouts(root, facts, path, err);
    json_decref(root);
    return status;
}

void facts_of_cluster(const struct cluster *cluster, struct facts *facts)
{
    *facts = (struct facts){ .nodes = cluster->nodes,
                             .sockets = cluster->sockets,
                             .cores = cluster->cores,
                             .cache_cores = cluster->cache_cores };
    machine_of_cluster(cluster, facts->machine);
    copy(cluster->name, "", facts->cluster, sizeof facts->cluster);
}

struct seating facts_seating(const struct facts *facts, const struct cell *cell)
{
    struct seating seating = cell_seating(cell);
    if (!facts)
        return seating;
    seating.sockets = facts->sockets;
    seating.cores = facts->cores;
    seating.cache_cores = facts->cache_cores;
    if (facts->has_topology)
        seating.network = topology_switches(&facts->topology.net, facts->order);
    return seating;
}

int facts_cores(const struct facts *facts)
{
    return facts->shared_cores ? facts->shared_cores : facts->sockets * facts->cores;
}

int facts_crowded(const struct facts *facts, const struct cell *cell)
{
    const int cores = facts_cores(facts);
    return !facts->simulated && cores > 0 &&
           (facts->shared_cores ? cell->procs : cell->ppn) > cores;
}

const char *facts_version(const struct facts *facts, const char *mpi)
{
    for (size_t i = 0; i < facts->n_mpis; i++)
        if (strcmp(facts->mpi[i], mpi) == 0)
            return facts->mpi_version[i];
    return "unknown";
}
