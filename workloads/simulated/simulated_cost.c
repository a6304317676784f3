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

#ifdef MPI_IS_smpi
#include <xbt/config.h>

/* SMPI keeps eager messages in a mailbox of their own, and an eager one that finds a receive of its
 * pair and tag in the other takes it, although its own was posted before (Request::start). */
int smpi_matching_bytes(void)
{
    return sg_cfg_get_int("smpi/async-small-thresh");
}

/* SimGrid 3.32 charges a message of no bytes as the first range of smpi/os, ois and or says. From
 * 4.0 on a range begins above its first number (FactorSet::operator()), so such a message is below
 * every range and costs nothing. */
int smpi_matching_empty_bytes(void)
{
    return 1;
}
#else
int smpi_matching_bytes(void)
{
    return 0;
}

int smpi_matching_empty_bytes(void)
{
    return 0;
}
#endif
