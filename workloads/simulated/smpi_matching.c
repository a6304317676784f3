/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/simulated/smpi_matching.h"

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
