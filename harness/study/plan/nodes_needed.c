/* SPDX-License-Identifier: BSD-3-Clause */
/* How many nodes a number of processes takes (plan.h). */
#include "harness/study/plan.h"

int plan_node_room(const struct cluster *cluster, const struct study *study)
{
    return seat_room(study->ranks_per, cluster->sockets, cluster->cores);
}

int plan_place(const struct cluster *cluster, const struct study *study, const char *mapping,
               int procs, int *nodes, int *ppn, struct err *err)
{
    const int room = plan_node_room(cluster, study);
    seat_spread(study->spread, mapping, study->nodes, room, procs, nodes, ppn);
    if (*ppn <= room * study->oversubscribe)
        return 0;
    return err_set(
        err, "%d processes do not fit: %s has %d node%s with room for %d each (one per %s%s)",
        procs, cluster->name, study->nodes, plural(study->nodes), room * study->oversubscribe,
        study->ranks_per, study->oversubscribe > 1 ? ", oversubscribed" : "");
}
