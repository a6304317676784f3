/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/channel/channel_fit.h"

#include <string.h>

#include "analysis/models/channel/channel_lines.h"
#include "analysis/models/channel/channel_many.h"

/* Who times the calls, and how. */
static enum barrier barrier_of(const struct facts *facts, const char *mpi)
{
    const char *version = facts_version(facts, mpi);
    if (strcmp(facts->backend, "sim") == 0)
        return BARRIER_NONE;
    const int is_41 = strncmp(version, "4.1", 3) == 0 && (version[3] == '\0' || version[3] == '.');
    return facts->imported && strcmp(mpi, "openmpi") == 0 && is_41 ? BARRIER_OPENMPI41
                                                                   : BARRIER_DISSEMINATION;
}

static int fit_platform(struct channel_platform *p, const struct facts *facts)
{
    return channel_lines_fit(p, facts->confidence) < 0 ? -1 : channel_many_fit(p, facts);
}

int channel_fit(const struct points *points, const struct facts *facts, struct channel_fits *fits,
                struct err *err)
{
    *fits = (struct channel_fits){ .n = 0 };
    int status = channel_collect(points, fits);
    for (size_t i = 0; i < fits->n && status == 0; i++) {
        fits->platform[i].barrier = barrier_of(facts, fits->platform[i].mpi);
        status = fit_platform(&fits->platform[i], facts);
    }
    if (status == 0)
        return 0;
    channel_fits_clear(fits);
    return err_set(err, "out of memory");
}
