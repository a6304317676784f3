/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/simulation_costs.h"

/* What must be stated, with a value to begin with and where that was found. */
static const struct cost_key {
    const char *key, *example, *source;
    int loopback; /* only where messages inside a node have no rates of their own */
} wanted[] = {
    { "link_rate", "10Gbps", "the adapter's data sheet", 0 },
    { "link_latency", "4.7us",
      "a half of a short ping-pong's time on 10 Gb/s Ethernet, less the costs", 0 },
    { "send_cost", "0:3.77us:0.121ns", "MPI_Send of Open MPI over TCP, ci/calibrate", 0 },
    { "isend_cost", "0:3.62us:0.0867ns", "MPI_Isend of Open MPI over TCP, ci/calibrate", 0 },
    { "recv_cost", "0:3.54us:0.191ns", "MPI_Recv of Open MPI over TCP, ci/calibrate", 0 },
    { "copy_cost", "0:0:0.14ns", "a copy in memory on a Xeon Gold 6248; 0:0:0: none", 0 },
    { "reduce_cost", "0:0:0.1ns", "10 GB/s, of operands that a cache holds; 0:0:0: none", 0 },
    { "loopback_rate", "39Gbps", "ping-pong within a node, Open MPI, shared memory", 1 },
    { "loopback_latency", "0", "within the costs of the messages", 1 },
};

static const char *const harmless[] = { "switch_latency", "eager_bytes", "rendezvous_bytes",
                                        "bandwidth_factors", "latency_factors" };

static int is_stated(const struct cluster *c, const char *key)
{
    return c->settings.v[keys_find(&cluster_keys, key)].line > 0;
}

static int uses_loopback(const struct cluster *c)
{
    static const char *const channels[] = { "cache_rate",    "core_rate",    "socket_rate",
                                            "cache_latency", "core_latency", "socket_latency" };
    return any_below(i, sizeof channels / sizeof *channels,
                     strcmp(settings_text(&c->settings, channels[i]), "loopback") == 0);
}

static const char *section_of(const char *key)
{
    return cluster_keys.keys[keys_find(&cluster_keys, key)].section;
}

int costs_stated(const struct cluster *cluster, struct err *err)
{
    const struct cost_key *first = NULL;
    char rest[320] = "";
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct cost_key *k = &wanted[i];
        const size_t used = strlen(rest);
        if (is_stated(cluster, k->key) || (k->loopback && !uses_loopback(cluster)))
            continue;
        if (first)
            snprintf(rest + used, sizeof rest - used, "%s[%s] %s",
                     used ? ", " : "; missing, too: ", section_of(k->key), k->key);
        else
            first = k;
    }
    if (!first)
        return 0;
    return err_usage(err,
                     "%s: [%s] %s is not given, and a simulation needs it (want e.g. %s = %s: %s; "
                     "docs/simulation.md)%s",
                     cluster->path, section_of(first->key), first->key, first->key, first->example,
                     first->source, rest);
}

const char *costs_defaulted(const struct cluster *cluster, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless && used < size; i++)
        if (!is_stated(cluster, harmless[i]))
            used += (size_t)snprintf(buf + used, size - used, "%s%s = %s", used ? ", " : "",
                                     harmless[i], settings_text(&cluster->settings, harmless[i]));
    return buf;
}

const char *costs_key(size_t i)
{
    enum { N = sizeof wanted / sizeof *wanted, MORE = sizeof harmless / sizeof *harmless };
    return i < N ? wanted[i].key : i < N + MORE ? harmless[i - N] : NULL;
}
