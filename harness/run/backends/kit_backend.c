/* SPDX-License-Identifier: BSD-3-Clause */
/* kit: the launches run on another machine, from an archive that `collsel measure pack` makes; what
 * was measured comes home as an archive, too (harness/run/sweep/pack.h, harness/run/kit_results.h).
 */
#include "harness/run/backends/backend.h"

const struct backend backend_kit = {
    .name = "kit",
    .help = "another machine, by an archive: collsel measure pack, then collsel measure collect "
            "ARCHIVE",
    .queued = 1,
};
