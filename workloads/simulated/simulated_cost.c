/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/simulated/simulated_cost.h"

#ifdef MPI_IS_smpi
#include <simgrid/actor.h>
#endif

double simulated_cost_seconds(const struct cost_list *costs, uint64_t bytes)
{
    double seconds = 0;
    for (size_t i = 0; i < costs->n && costs->v[i].from_bytes <= bytes; i++)
        seconds = costs->v[i].seconds + costs->v[i].seconds_per_byte * (double)bytes;
    return seconds;
}

void simulated_cost_wait(double seconds)
{
#ifdef MPI_IS_smpi
    if (seconds > 0)
        sg_actor_sleep_for(seconds);
#else
    (void)seconds;
#endif
}
