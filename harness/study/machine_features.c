/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/machine_features.h"

const char *const machine_names[N_MACHINE + 1] = {
    [MACHINE_THREADS] = "threads",
    [MACHINE_MEMORIES] = "memories",
    [MACHINE_BASE_CLOCK] = "base_clock_ghz",
    [MACHINE_MAX_CLOCK] = "max_clock_ghz",
    [MACHINE_LAST_CACHE] = "last_cache_mib",
    [MACHINE_MEMORY_BANDWIDTH] = "memory_bandwidth_gb_s",
    [MACHINE_MEMORY_CHANNELS] = "memory_channels",
    [MACHINE_ADAPTER] = "adapter",
    [MACHINE_LINK_SPEED] = "link_speed_gb_s",
    [MACHINE_LINK_LANES] = "link_lanes",
    [MACHINE_PCIE_VERSION] = "pcie_version",
    [MACHINE_PCIE_LANES] = "pcie_lanes",
};

/* 1 when the file, or what it is like, says so itself. */
static int states(const struct cluster *c, const char *key)
{
    return c->settings.v && c->settings.v[keys_find(&cluster_keys, key)].line > 0;
}

static double adapter_number(const char *adapter)
{
    static const char *const kinds[] = { "unknown", "ethernet", "omni-path", "infiniband" };
    for (size_t i = 1; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(adapter, kinds[i]) == 0)
            return (double)i;
    return 0;
}

static double memories(const struct cluster *c)
{
    if (!states(c, "memory_cores") || c->sockets < 1 || c->cores < 1)
        return 0;
    const int each = c->memory_cores > 0 ? c->memory_cores : c->cores;
    const int of_each = (c->cores + each - 1) / each; /* begun ones count */
    return (double)c->sockets * of_each;
}

void machine_of_cluster(const struct cluster *c, double machine[N_MACHINE])
{
    const double found[N_MACHINE] = {
        [MACHINE_THREADS] = states(c, "threads") ? c->threads : 0,
        [MACHINE_MEMORIES] = memories(c),
        [MACHINE_BASE_CLOCK] = c->base_clock,
        [MACHINE_MAX_CLOCK] = c->max_clock,
        [MACHINE_LAST_CACHE] = (double)c->last_cache / (1 << 20),
        [MACHINE_MEMORY_BANDWIDTH] = c->memory_bandwidth,
        [MACHINE_MEMORY_CHANNELS] = c->memory_channels,
        [MACHINE_ADAPTER] = adapter_number(c->adapter),
        [MACHINE_LINK_SPEED] = c->link_speed,
        [MACHINE_LINK_LANES] = c->link_lanes,
        [MACHINE_PCIE_VERSION] = c->pcie_version,
        [MACHINE_PCIE_LANES] = c->pcie_lanes,
    };
    memcpy(machine, found, sizeof found);
}
