/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/row_status.h"

const char *const row_status_words[N_ROW_STATUS + 1] = {
    [ROW_OK] = "ok",
    [ROW_REPEATED] = "repeated",
    [ROW_SET_ASIDE] = "set_aside",
};
