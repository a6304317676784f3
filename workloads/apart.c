/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/apart.h"

#ifdef MPI_IS_smpi
#include <xbt/config.h>

/* SMPI keeps eager messages in a mailbox of their own, and an eager one that finds a receive of its
 * pair and tag in the other takes it, although its own was posted before (Request::start). */
int apart_bytes(void)
{
    return sg_cfg_get_int("smpi/async-small-thresh");
}
#else
int apart_bytes(void)
{
    return 0;
}
#endif
