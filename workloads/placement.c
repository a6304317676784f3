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
