/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/spending.h"

#include <string.h>

#include "workloads/schedules/collectives.h"

int measured_for(const struct spending *of, const struct measured *m)
{
    const struct point *p = &m->point;
    const int is_timed = p->experiment == EXP_TIME || p->experiment == EXP_GATHER;
    return strcmp(p->cell.mpi, of->mpi) == 0 &&
           (p->channel != CHANNEL_NONE || strcmp(p->cell.mapping, of->mapping) == 0) &&
           (!is_timed || strcmp(p->cell.collective, of->collective) == 0);
}

double spent_on(const struct points *points, const struct spending *of, enum experiment experiment)
{
    double sum = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment == experiment && m->point.channel == CHANNEL_NONE &&
            measured_for(of, m))
            sum += m->core_s;
    }
    return sum;
}

double spent_on_grid(const struct points *points, const struct spending *of)
{
    double sum = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.experiment == EXP_TIME && m->point.purpose == FOR_STUDY && measured_for(of, m))
            sum += m->core_s;
    }
    return sum;
}

double spent_on_channels(const struct points *points, const struct spending *of)
{
    const struct collective *c = collective_find(of->collective);
    const int reduces = !c || c->fan != FAN_SEND;
    double sum = 0;
    for (size_t i = 0; i < points->n; i++) {
        const struct measured *m = &points->row[i];
        if (m->point.channel != CHANNEL_NONE && measured_for(of, m) &&
            (m->point.experiment != EXP_FANIN || reduces))
            sum += m->core_s;
    }
    return sum;
}
