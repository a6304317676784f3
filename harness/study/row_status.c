/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/row_status.h"

static const char *const names[N_ROW_STATUS] = {
    [ROW_OK] = "ok",
    [ROW_REPEATED] = "repeated",
    [ROW_SET_ASIDE] = "set_aside",
};

const char *row_status_name(enum row_status status)
{
    return names[status];
}
