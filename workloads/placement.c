/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/placement.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

int placement_node(const char *mapping, int nodes, int ppn, int rank)
{
    return strcmp(mapping, "node") == 0 ? rank % nodes : rank / ppn;
}

/* Ranks r < s agree when they share a host exactly if they were meant to share a node. */
static int check_pair(const char *mapping, int nodes, int ppn, int r, int s,
                      const char *const *hosts, struct err *err)
{
    const int meant =
        placement_node(mapping, nodes, ppn, r) == placement_node(mapping, nodes, ppn, s);
    if (meant == (strcmp(hosts[r], hosts[s]) == 0))
        return 0;
    if (meant)
        return err_set(err, "placement: ranks %d and %d are on '%s' and '%s' (want one node)", r, s,
                       hosts[r], hosts[s]);
    return err_set(err, "placement: ranks %d and %d are both on '%s' (want two nodes)", r, s,
                   hosts[r]);
}

int placement_check(const char *mapping, int nodes, int ppn, int ranks, const char *const *hosts,
                    struct err *err)
{
    if ((long long)ranks > (long long)nodes * ppn)
        return err_set(err, "placement: %d ranks do not fit on %d nodes of %d", ranks, nodes, ppn);
    for (int s = 1; s < ranks; s++)
        for (int r = 0; r < s; r++)
            if (check_pair(mapping, nodes, ppn, r, s, hosts, err) < 0)
                return -1;
    return 0;
}

/* Sockets seen so far on a node, by its ranks in order. */
struct filling {
    int last, changes;
};

static int judge_socket(const char *mapping, int rank, const struct socket_place *p,
                        struct filling *f, struct err *err)
{
    if (p->socket < 0 || p->sockets < 2)
        return 0;
    const int changed = f->last >= 0 && p->socket != f->last;
    if (strcmp(mapping, "socket") == 0 && f->last == p->socket)
        return err_set(err,
                       "placement: rank %d is on socket %d as the rank before it (want another)",
                       rank, p->socket);
    f->changes += changed;
    if (strcmp(mapping, "core") == 0 && f->changes >= p->sockets)
        return err_set(err, "placement: rank %d is back on socket %d (want sockets filled in turn)",
                       rank, p->socket);
    f->last = p->socket;
    return 0;
}

int placement_check_sockets(const char *mapping, int nodes, int ppn, int ranks,
                            const struct socket_place *places, struct err *err)
{
    for (int node = 0; node < nodes; node++) {
        struct filling f = { -1, 0 };
        for (int r = 0; r < ranks; r++)
            if (placement_node(mapping, nodes, ppn, r) == node &&
                judge_socket(mapping, r, &places[r], &f, err) < 0)
                return -1;
    }
    return 0;
}

/* Physical package of a CPU, or -1. */
static int package_of(int cpu)
{
    char path[128];
    int package;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
    FILE *f = fopen(path, "re");
    if (!f)
        return -1;
    if (fscanf(f, "%d", &package) != 1)
        package = -1;
    fclose(f);
    return package;
}

struct socket_place placement_socket(void)
{
    enum { MOST_SOCKETS = 64 };
    struct socket_place place = { -1, 0 };
    char seen[MOST_SOCKETS] = { 0 };
    cpu_set_t set;
    int single = 1;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return place;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        const int package = package_of(cpu);
        if (package < 0 || package >= MOST_SOCKETS)
            continue;
        place.sockets += !seen[package];
        seen[package] = 1;
        if (!CPU_ISSET(cpu, &set))
            continue;
        single = single && (place.socket < 0 || place.socket == package);
        place.socket = package;
    }
    if (!single)
        place.socket = -1;
    return place;
}

void placement_cpus(char *buf, size_t size)
{
    cpu_set_t set;
    size_t used = 0;
    buf[0] = '\0';
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (int first = 0; first < CPU_SETSIZE; first++) {
        int last = first;
        if (!CPU_ISSET(first, &set))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
            last++;
        const char *comma = used ? "," : "";
        const int n = first == last
                          ? snprintf(buf + used, size - used, "%s%d", comma, first)
                          : snprintf(buf + used, size - used, "%s%d-%d", comma, first, last);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
        first = last;
    }
}
