/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/channel/channel_fit.h"

#include <string.h>

#include "analysis/models/channel/channel_lines.h"
#include "analysis/models/channel/channel_many.h"
#include "harness/study/mpi.h"

/* Who times the calls, and how. */
static enum barrier barrier_of(const struct facts *facts, const char *mpi)
{
    const char *version = facts_version(facts, mpi);
    if (facts->deterministic)
        return BARRIER_NONE;
    const int is_41 = strncmp(version, "4.1", 3) == 0 && (version[3] == '\0' || version[3] == '.');
    return facts->imported && mpi_is(mpi, "openmpi") && is_41 ? BARRIER_OPENMPI41
                                                              : BARRIER_DISSEMINATION;
}

int channel_fit(const struct points *points, const struct facts *facts, struct channel_fits *fits,
                struct err *err)
{
    *fits = (struct channel_fits){ .n = 0 };
    int status = 0;
    channel_collect(points, fits);
    for (size_t i = 0; i < fits->n && status == 0; i++) {
        fits->platform[i].barrier = barrier_of(facts, fits->platform[i].mpi);
        channel_lines_fit(&fits->platform[i], facts->confidence);
        status = channel_many_fit(&fits->platform[i], facts, err);
    }
    if (status < 0)
        channel_fits_clear(fits);
    return status;
}
