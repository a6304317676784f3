/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/cluster.h"

#include <dirent.h>

#include "harness/base/install_paths.h"
#include "harness/study/hardware.h"
#include "harness/study/suggest_names.h"

#define AT(field) offsetof(struct cluster, field)

static const struct key keys[] = {
    /* clang-format off */
    { "cluster", "name", KEY_STEM, NULL, NULL, 0, 0, NULL, NULL,
      "the cluster's name, as the file's", AT(name) },
    { "cluster", "title", KEY_TEXT, NULL, "", 0, 0, NULL, NULL,
      "one line about it for reports", AT(title) },
    { "cluster", "nodes", KEY_INT, NULL, NULL, 1, 1000000, NULL, NULL,
      "nodes there are", AT(nodes) },
    { "cluster", "sockets", KEY_INT, "per node", NULL, 1, 64, NULL, "auto",
      "CPUs in a node; auto: as here", AT(sockets) },
    { "cluster", "cores", KEY_INT, "per socket", NULL, 1, 1024, NULL, "auto",
      "cores of a CPU; auto: as here", AT(cores) },
    { "cluster", "cache_cores", KEY_INT, "cores", "all", 1, 1024, NULL, "all",
      "consecutive cores of a CPU that share their last cache", AT(cache_cores) },
    { "cluster", "memory_cores", KEY_INT, "cores", "all", 1, 1024, NULL, "all",
      "consecutive cores of a CPU that share a memory (a NUMA domain)", AT(memory_cores) },
    { "cluster", "threads", KEY_INT, "per core", "1", 1, 8, NULL, "auto",
      "hardware threads of a core; auto: as here", AT(threads) },
    { "cluster", "cpu", KEY_TEXT, NULL, "unknown", 0, 0, NULL, "auto",
      "model of the CPU; auto: as here", AT(cpu) },

    { "cluster", "emulated", KEY_BOOL, NULL, "no", 0, 0, NULL, NULL,
      "network namespaces on one machine, made by collsel testbed", AT(emulated) },

    { "network", "network", KEY_TEXT, NULL, "none", 0, 0, NULL, NULL,
      "what it is, for reports", AT(network) },
    { "network", "topology", KEY_CHOICE, NULL, "star", 0, 0, "star|tree|fat_tree|torus|mesh", NULL,
      "star: one switch; tree: leaf switches, each with a trunk to one above; fat_tree: several switches above; torus, mesh: links between nodes", AT(topology) },
    { "network", "link_rate", KEY_RATE, "bits/s", "10Gbps", 1e3, 1e13, NULL, NULL,
      "rate of a node's link, each way; needed by a simulation", AT(link_rate) },
    { "network", "link_latency", KEY_SECONDS, "s", "10us", 0, 1, NULL, NULL,
      "latency of one link; a message crosses two; needed by a simulation", AT(link_latency) },
    { "network", "switch_latency", KEY_SECONDS, "s", "0", 0, 1, NULL, NULL,
      "latency of the switch", AT(switch_latency) },
    { "network", "backplane_rate", KEY_RATE, "bits/s", "unlimited", 1e3, 1e16, NULL, "unlimited",
      "rate of the switch's inside", AT(backplane_rate) },
    { "network", "switch_ports", KEY_INT, "nodes", "all", 1, 1000000, NULL, "all",
      "tree: nodes on a leaf switch", AT(switch_ports) },
    { "network", "trunk_rate", KEY_RATE, "bits/s", "unlimited", 1e3, 1e16, NULL, "unlimited",
      "tree: rate of a trunk, each way, that all nodes of its leaf share", AT(trunk_rate) },
    { "network", "trunk_latency", KEY_SECONDS, "s", "link", 0, 1, NULL, "link",
      "tree: latency of a trunk, of which a message between leaves crosses two besides its links; link: as link_latency", AT(trunk_latency) },
    { "network", "torus", KEY_EXTENTS, "nodes", "", 1, 100000, NULL, NULL,
      "torus, mesh: nodes in each dimension; nodes are numbered with the first fastest", AT(torus) },
    { "network", "fat_tree_down", KEY_EXTENTS, "switches", "", 1, 100000, NULL, NULL,
      "fat_tree: children of a switch, level by level from the nodes up", AT(fat_tree_down) },
    { "network", "fat_tree_up", KEY_EXTENTS, "switches", "", 1, 100000, NULL, NULL,
      "fat_tree: switches above each node, above each switch of the first level, and so on", AT(fat_tree_up) },
    { "network", "fat_tree_cables", KEY_EXTENTS, "cables", "", 1, 100000, NULL, NULL,
      "fat_tree: cables between a child and each of its parents, level by level", AT(fat_tree_cables) },
    { "network", "order", KEY_TEXT, NULL, "in_order", 0, 0, NULL, NULL,
      "which node of the network the k-th of an allocation is: in_order, random:SEED, or of a torus or mesh dims:2,1,0: dimension 2 walked first, then 1, then 0", AT(order) },
    { "network", "interface", KEY_NAME, NULL, "auto", 0, 0, NULL, "auto",
      "network interface for MPI; auto: the library chooses", AT(interface) },

    { "messages", "send_cost", KEY_COSTS, "s, s/byte", "0:0:0", 0, 1, NULL, NULL,
      "CPU time of a blocking send, from a size on; needed by a simulation", AT(send_cost) },
    { "messages", "isend_cost", KEY_COSTS, "s, s/byte", "0:0:0", 0, 1, NULL, NULL,
      "CPU time of starting a non-blocking send, from a size on; needed by a simulation", AT(isend_cost) },
    { "messages", "recv_cost", KEY_COSTS, "s, s/byte", "0:0:0", 0, 1, NULL, NULL,
      "CPU time of a receive, from a size on; needed by a simulation", AT(recv_cost) },
    { "messages", "eager_bytes", KEY_BYTES, "bytes", "64K", 0, 1e12, NULL, NULL,
      "shorter messages leave before the receive is posted", AT(eager_bytes) },
    { "messages", "rendezvous_bytes", KEY_BYTES, "bytes", "64K", 0, 1e12, NULL, NULL,
      "from here on a send ends only when its receive has begun", AT(rendezvous_bytes) },
    { "messages", "bandwidth_factors", KEY_FACTORS, "of the rate", "0:1", 1e-6, 1e3, NULL, NULL,
      "share of the link's rate that payload gets, from a size on", AT(bandwidth_factors) },
    { "messages", "latency_factors", KEY_FACTORS, "of the latency", "0:1", 0, 1e6, NULL, NULL,
      "factor on the latency, from a size on", AT(latency_factors) },

    { "node", "loopback_rate", KEY_RATE, "bits/s", "40Gbps", 1e3, 1e13, NULL, NULL,
      "rate between ranks of one node"
      "; needed by a simulation unless messages inside a node have separate rates", AT(loopback_rate) },
    { "node", "loopback_latency", KEY_SECONDS, "s", "500ns", 0, 1, NULL, NULL,
      "latency between ranks of one node"
      "; needed by a simulation unless messages inside a node have separate rates", AT(loopback_latency) },
    { "node", "copy_cost", KEY_COSTS, "s, s/byte", "0:0:0", 0, 1, NULL, NULL,
      "CPU time of a copy in memory, from a size on; charged in simulation; needed by a simulation", AT(copy_cost) },

    { "node", "cache_rate", KEY_RATE, "bits/s", "loopback", 1e3, 1e13, NULL, "loopback",
      "rate of one message between cores that share a cache", AT(cache_rate) },
    { "node", "cache_latency", KEY_SECONDS, "s", "loopback", 0, 1, NULL, "loopback",
      "its latency", AT(cache_latency) },
    { "node", "core_rate", KEY_RATE, "bits/s", "loopback", 1e3, 1e13, NULL, "loopback",
      "rate of one message between other cores of a socket", AT(core_rate) },
    { "node", "core_latency", KEY_SECONDS, "s", "loopback", 0, 1, NULL, "loopback",
      "its latency", AT(core_latency) },
    { "node", "socket_rate", KEY_RATE, "bits/s", "loopback", 1e3, 1e13, NULL, "loopback",
      "rate of one message between sockets of a node", AT(socket_rate) },
    { "node", "socket_latency", KEY_SECONDS, "s", "loopback", 0, 1, NULL, "loopback",
      "its latency", AT(socket_latency) },
    { "node", "memory_rate", KEY_RATE, "bits/s", "unlimited", 1e3, 1e14, NULL, "unlimited",
      "rate that all messages from and to the cores of a memory share (memory_cores)", AT(memory_rate) },
    { "node", "bridge_rate", KEY_RATE, "bits/s", "unlimited", 1e3, 1e14, NULL, "unlimited",
      "rate that all messages share which go from one memory to other sockets of its node, or come from there", AT(bridge_rate) },
    { "node", "reduce_cost", KEY_COSTS, "s, s/byte", "0:0:0", 0, 1, NULL, NULL,
      "CPU time of combining two buffers in a reduction, from a size on; needed by a simulation", AT(reduce_cost) },

    { "features", "base_clock", KEY_REAL, "GHz", "unknown", 0.01, 100, NULL, "unknown",
      "clock of a core without turbo; this section is what learners know of the machine, and what is unknown is missing to them; a simulation does not look at it", AT(base_clock) },
    { "features", "max_clock", KEY_REAL, "GHz", "unknown", 0.01, 100, NULL, "unknown",
      "largest clock of a core", AT(max_clock) },
    { "features", "last_cache", KEY_BYTES, "bytes", "unknown", 1024, 1e12, NULL, "unknown",
      "third-level caches of a CPU together (the last level, where there is no third)", AT(last_cache) },
    { "features", "memory_bandwidth", KEY_REAL, "GB/s", "unknown", 0.01, 1e6, NULL, "unknown",
      "rate of a node's memories, read and written, all CPUs together", AT(memory_bandwidth) },
    { "features", "memory_channels", KEY_INT, "per socket", "unknown", 1, 1024, NULL, "unknown",
      "memory channels", AT(memory_channels) },
    { "features", "adapter", KEY_CHOICE, NULL, "unknown", 0, 0, "unknown|ethernet|omni-path|infiniband", NULL,
      "kind of the network's adapter", AT(adapter) },
    { "features", "link_speed", KEY_REAL, "Gb/s", "unknown", 0.001, 1e5, NULL, "unknown",
      "data rate of the adapter's link, all lanes together", AT(link_speed) },
    { "features", "link_lanes", KEY_INT, "lanes", "unknown", 1, 64, NULL, "unknown",
      "lanes of that link", AT(link_lanes) },
    { "features", "rails", KEY_INT, "links", "unknown", 1, 64, NULL, "unknown",
      "links of a node to the network, each as fast as link_rate or link_speed; by them times are bounded, and learners do not look at it", AT(rails) },
    { "features", "pcie_version", KEY_INT, NULL, "unknown", 1, 16, NULL, "unknown",
      "PCI Express of the adapter's slot", AT(pcie_version) },
    { "features", "pcie_lanes", KEY_INT, "lanes", "unknown", 1, 64, NULL, "unknown",
      "lanes of that slot", AT(pcie_lanes) },

    { "slurm", "partition", KEY_NAME, NULL, "none", 0, 0, NULL, "none",
      "Slurm partition to submit to", AT(partition) },
    { "slurm", "account", KEY_NAME, NULL, "none", 0, 0, NULL, "none",
      "account to charge", AT(account) },
    { "slurm", "qos", KEY_NAME, NULL, "none", 0, 0, NULL, "none",
      "quality of service", AT(qos) },
    { "slurm", "reservation", KEY_NAME, NULL, "none", 0, 0, NULL, "none",
      "reservation to run in", AT(reservation) },
    { "slurm", "constraint", KEY_TEXT, NULL, "", 0, 0, NULL, NULL,
      "features that nodes must have, as sbatch --constraint takes them", AT(constraint) },
    { "slurm", "exclude", KEY_TEXT, NULL, "", 0, 0, NULL, NULL,
      "nodes never to use, as sbatch --exclude takes them", AT(exclude) },
    { "slurm", "launcher", KEY_CHOICE, NULL, "auto", 0, 0, "auto|mpirun|srun", NULL,
      "what starts MPI inside an allocation; auto: the first that is known to work for the library", AT(launcher) },
    { "slurm", "time_limit", KEY_SECONDS, "s", "3600s", 60, 1e7, NULL, NULL,
      "time limit of a job whose time cannot be estimated", AT(time_limit) },
    { "slurm", "most_time", KEY_SECONDS, "s", "partition", 60, 1e7, NULL, "partition",
      "longest time limit that a job may ask for; partition: as Slurm says", AT(most_time) },
    { "slurm", "throttle", KEY_INT, "tasks", "unlimited", 1, 100000, NULL, "unlimited",
      "tasks of one job array that run at a time", AT(throttle) },
    { "slurm", "exclusive", KEY_BOOL, NULL, "yes", 0, 0, NULL, NULL,
      "nodes are not shared with other jobs", AT(exclusive) },
    { "slurm", "modules", KEY_TEXT, NULL, "", 0, 0, NULL, NULL,
      "modules to load in a job", AT(modules) },
    { "slurm", "extra", KEY_TEXT, NULL, "", 0, 0, NULL, NULL,
      "more options of sbatch, blanks between them", AT(extra) },
    { "slurm", "setup", KEY_TEXT, NULL, "", 0, 0, NULL, NULL,
      "a line of shell that a job runs before its work", AT(setup) },

    { "testbed", "burst", KEY_BYTES, "bytes", "16K", 1500, 1e9, NULL, NULL,
      "bytes that a shaped link lets through at once", AT(burst_bytes) },
    { "testbed", "queue", KEY_BYTES, "bytes", "300K", 1500, 1e9, NULL, NULL,
      "bytes that wait at a port of a switch before frames are dropped", AT(queue_bytes) },
    /* clang-format on */
};

const struct key_table cluster_keys = {
    .what = "cluster file",
    .notes = "sources",
    .apart = "mpi",
    .keys = keys,
    .n = sizeof keys / sizeof keys[0],
    .target_size = sizeof(struct cluster),
};

static int is_ini(const struct dirent *d)
{
    size_t n = strlen(d->d_name);
    return n > 4 && strcmp(d->d_name, "mpi.ini") != 0 && strcmp(d->d_name + n - 4, ".ini") == 0;
}

/* "gros, grisou, local": the names of the files of a directory. */
static void list_ini(const char *dir, char *buf, size_t size)
{
    struct dirent **found;
    int n = scandir(dir, &found, is_ini, alphasort);
    size_t used = 0;
    buf[0] = '\0';
    for (int i = 0; i < n; i++) {
        int len = (int)strlen(found[i]->d_name) - 4;
        if (used + (size_t)len + 3 < size)
            used += (size_t)snprintf(buf + used, size - used, "%s%.*s", used ? ", " : "", len,
                                     found[i]->d_name);
        free(found[i]);
    }
    if (n >= 0)
        free(found);
}

static int is_path(const char *name)
{
    size_t n = strlen(name);
    return strchr(name, '/') || (n > 4 && strcmp(name + n - 4, ".ini") == 0);
}

int find_ini_named(const char *name, const char *said, struct err *err)
{
    if (is_path(name) || strcmp(name, said) == 0)
        return 0;
    return err_usage(err, "'%s' is not the file's name (want %s)", said, name);
}

/* The shipped directory that stands behind one: of studies and presets that of these, wherever the
 * clusters lie; else that of the same name. */
static int shipped_beside(const char *dir, char *path, size_t size)
{
    static const char *const kinds[] = { "studies", "presets" };
    char name[64];
    const char *slash = strrchr(dir, '/');
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(slash ? slash + 1 : dir, kinds[i]) == 0) {
            snprintf(name, sizeof name, "clusters/%s", kinds[i]);
            return install_path_find(name, path, size);
        }
    return *dir != '/' && install_path_find(dir, path, size);
}

int find_ini_file(const char *dir, const char *name, char *path, size_t size)
{
    char shipped[PATH_SIZE];
    if (fs_path(path, size, NULL, "%s/%s.ini", dir, name) == 0 && fs_exists(path))
        return 1;
    return shipped_beside(dir, shipped, sizeof shipped) &&
           fs_path(path, size, NULL, "%s/%s.ini", shipped, name) == 0 && fs_exists(path);
}

int find_ini(const char *what, const char *dir, const char *name, char *path, size_t size,
             struct err *err)
{
    char known[300], shipped[PATH_SIZE];
    struct suggest m;
    if (is_path(name))
        return fs_path(path, size, err, "%s", name);
    if (!text_is_name(name))
        return err_usage(err, "'%.60s' is not a %s: %s; or a path ending in .ini", name, what,
                         TEXT_WANT_NAME);
    if (find_ini_file(dir, name, path, size))
        return 0;
    const int ships = shipped_beside(dir, shipped, sizeof shipped);
    list_ini(dir, known, sizeof known);
    if (!*known && ships)
        list_ini(shipped, known, sizeof known);
    if (!*known)
        return err_usage(err,
                         "'%s' is not a %s: no file ends in .ini in '%s' (run collsel where it "
                         "is, or give a path ending in .ini)",
                         name, what, dir);
    const int is_cluster = strcmp(what, "cluster") == 0;
    err_usage(err, "'%s' is not a %s (want %s, or a path ending in .ini%s%s%s)", name, what, known,
              is_cluster ? "; `collsel cluster new " : "", is_cluster ? name : "",
              is_cluster ? "` writes the file of a new one" : "");
    suggest_init(&m, name);
    meant_files(&m, dir);
    if (strcmp(what, "study") == 0)
        meant_measured_collectives(&m); /* each is one, by its name */
    if (ships)
        meant_files(&m, shipped);
    return suggest_add(&m, err);
}

int cluster_find(const char *dir, const char *name, struct cluster *cluster, struct err *err)
{
    char path[PATH_SIZE];
    if (!*name || find_ini("cluster", dir, name, path, sizeof path, NULL) < 0 || !fs_exists(path))
        return 0;
    return cluster_load(dir, name, cluster, err) < 0 ? -1 : 1;
}

int cluster_is_here(const struct cluster *c)
{
    return strcmp(c->name, "local") == 0 ||
           (c->cores_here && c->nodes == 1 && !c->emulated && !*c->partition);
}

/* A file that cannot be read is no machine. */
static int is_here(const char *dir, const char *name)
{
    struct cluster c;
    const int here = cluster_load(dir, name, &c, NULL) == 0 ? cluster_is_here(&c) : -1;
    if (here >= 0)
        cluster_free(&c);
    return here > 0;
}

int cluster_default(const char *dir, char *name, size_t size, struct err *err)
{
    struct dirent **found;
    char known[300], stem[PATH_SIZE], here[PATH_SIZE] = "local";
    int is_local = 0, n_here = 0;
    const int n = scandir(dir, &found, is_ini, alphasort);
    if (n < 0 && errno != ENOENT)
        return err_errno(err, "cannot read '%s' (want it readable, or --cluster FILE.ini)", dir);
    for (int i = 0; i < n; i++) {
        snprintf(stem, sizeof stem, "%.*s", (int)strlen(found[i]->d_name) - 4, found[i]->d_name);
        is_local |= strcmp(stem, "local") == 0;
        if (n == 1 || (!is_local && is_here(dir, stem))) {
            snprintf(here, sizeof here, "%s", stem);
            n_here++;
        }
        free(found[i]);
    }
    if (n >= 0)
        free(found);
    snprintf(name, size, "%s", is_local ? "local" : here);
    if (n <= 1 || is_local || n_here == 1)
        return 0;
    list_ini(dir, known, sizeof known);
    return err_usage(err,
                     "want --cluster NAME: none is named, and '%s' has several, of which %s "
                     "this machine (%s)",
                     dir, n_here ? "more than one is" : "none is", known);
}

static int at_least_one(int n)
{
    return n > 0 ? n : 1;
}

/* Fills what the file leaves to this machine. */
static int fill_auto(struct cluster *c, struct err *err)
{
    struct hardware h;
    c->cores_here = !c->sockets || !c->cores;
    if (c->sockets && c->cores && c->threads && *c->cpu)
        return 0;
    if (hardware_read(&h, err) < 0)
        return -1;
    const int sockets = at_least_one(h.sockets), cores = at_least_one(h.cores);
    if (!c->sockets)
        c->sockets = sockets;
    if (!c->cores)
        c->cores = at_least_one(cores / sockets);
    if (!c->threads)
        c->threads = at_least_one(h.threads / cores);
    if (!*c->cpu)
        snprintf(c->cpu, sizeof c->cpu, "%s", *h.cpu ? h.cpu : "unknown");
    return 0;
}

static int key_line(const struct cluster *c, const char *key)
{
    return c->settings.v[keys_find(&cluster_keys, key)].line;
}

/* Lists of costs and factors by size have all sizes. */
static int check_lists(const struct cluster *c, struct err *err)
{
    const struct {
        const char *key;
        uint64_t from;
        size_t n;
    } lists[] = {
#define LIST(name) { #name, c->name.v[0].from_bytes, c->name.n }
        LIST(send_cost),   LIST(isend_cost),        LIST(recv_cost),       LIST(copy_cost),
        LIST(reduce_cost), LIST(bandwidth_factors), LIST(latency_factors),
#undef LIST
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!lists[i].n || lists[i].from != 0)
            return err_usage(err, "%s:%d: %s: the list does not start at 0 bytes", c->path,
                             key_line(c, lists[i].key), lists[i].key);
    return 0;
}

/* Values of sbatch's options are quoted by us. */
static int check_unquoted(const struct cluster *c, const char *key, const char *text,
                          struct err *err)
{
    return strpbrk(text, "\"'")
               ? err_usage(err, "%s:%d: %s: want no quotes in '%s': they would become part of it",
                           c->path, key_line(c, key), key, text)
               : 0;
}

/* Rates and latencies inside a node: those of the loopback where they are not given. Any that is
 * makes the simulation look inside. */
static void fill_inside(struct cluster *c)
{
    const struct {
        const char *key;
        double *value, fallback;
    } rows[] = {
        { "cache_rate", &c->cache_rate, c->loopback_rate },
        { "core_rate", &c->core_rate, c->loopback_rate },
        { "socket_rate", &c->socket_rate, c->loopback_rate },
        { "cache_latency", &c->cache_latency, c->loopback_latency },
        { "core_latency", &c->core_latency, c->loopback_latency },
        { "socket_latency", &c->socket_latency, c->loopback_latency },
    };
    c->inside = c->memory_rate > 0 || c->bridge_rate > 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(settings_text(&c->settings, rows[i].key), "loopback") == 0)
            *rows[i].value = rows[i].fallback;
        else
            c->inside = 1;
    }
}

/* A cache needs cores that share it. */
static int check_cache(const struct cluster *c, const char *key, struct err *err)
{
    const struct setting *s = &c->settings.v[keys_find(&cluster_keys, key)];
    if (s->line == 0 || strcmp(s->text, "loopback") == 0 || c->cache_cores > 0)
        return 0;
    return err_usage(err,
                     "%s:%d: %s: the file does not say which cores share a cache (want "
                     "cache_cores)",
                     c->path, s->line, key);
}

/* What no single key can say. */
static int check(const struct cluster *c, struct err *err)
{
    if (check_lists(c, err) < 0 || check_unquoted(c, "constraint", c->constraint, err) < 0 ||
        check_unquoted(c, "exclude", c->exclude, err) < 0 ||
        check_unquoted(c, "modules", c->modules, err) < 0)
        return -1;
    if (c->rendezvous_bytes < c->eager_bytes)
        return err_usage(err, "%s:%d: rendezvous_bytes: %llu is below eager_bytes (%llu)", c->path,
                         key_line(c, "rendezvous_bytes"), (unsigned long long)c->rendezvous_bytes,
                         (unsigned long long)c->eager_bytes);
    if (check_cache(c, "cache_rate", err) < 0)
        return -1;
    return check_cache(c, "cache_latency", err);
}

int cluster_load(const char *dir, const char *name, struct cluster *cluster, struct err *err)
{
    char path[sizeof cluster->path];
    struct settings settings;
    if (find_ini("cluster", dir, name, path, sizeof path, err) < 0 ||
        keys_load(&cluster_keys, path, NULL, cluster, &settings, err) < 0)
        return -1;
    cluster->settings = settings;
    if (strcmp(settings_text(&settings, "trunk_latency"), "link") == 0)
        cluster->trunk_latency = cluster->link_latency;
    fill_inside(cluster);
    snprintf(cluster->path, sizeof cluster->path, "%s", path);
    int status = find_ini_named(name, cluster->name, err);
    if (status < 0) {
        err_prefix(err, "name");
        cluster_fail(cluster, "name", err);
    } else {
        status = check(cluster, err) < 0 || fill_auto(cluster, err) < 0 ||
                         mpi_entries_read(cluster->path, &cluster->mpis, err) < 0
                     ? -1
                     : 0;
    }
    if (status < 0)
        cluster_free(cluster);
    return status;
}

int cluster_fail(const struct cluster *c, const char *key, struct err *err)
{
    const int at = keys_find(&cluster_keys, key);
    const int line = at >= 0 && c->settings.v ? c->settings.v[at].line : 0;
    return line ? err_prefix(err, "%s:%d", c->path, line) : err_prefix(err, "%s", c->path);
}

void cluster_free(struct cluster *cluster)
{
    mpi_entries_free(&cluster->mpis);
    settings_free(&cluster->settings);
}

int cluster_node_cores(const struct cluster *cluster)
{
    return cluster->sockets * cluster->cores;
}

int cluster_cores(const struct cluster *cluster)
{
    return cluster->nodes * cluster_node_cores(cluster);
}

int cluster_holds(const char *name, int nodes, int node_cores, int procs, int asked_nodes,
                  struct err *err)
{
    const int64_t cores = (int64_t)nodes * node_cores;
    if (nodes > 0 && asked_nodes > nodes)
        return err_usage(err,
                         "want at most %d node%s, or another --cluster: %d nodes are more than the "
                         "%d of cluster '%s'",
                         nodes, plural(nodes), asked_nodes, nodes, name);
    if (cores > 0 && procs > cores)
        return err_usage(err,
                         "want at most %lld processes, or another --cluster: %d processes are more "
                         "than the %lld cores of cluster '%s' (%d node%s of %d)",
                         (long long)cores, procs, (long long)cores, name, nodes, plural(nodes),
                         node_cores);
    return 0;
}
