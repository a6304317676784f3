/* SPDX-License-Identifier: BSD-3-Clause */
/* overprocs.h - planted times over the number of processes on a small cluster, for the tests of the
 * regressions over P and of the table of errors. Everything static; a test includes it once. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/groups.h"

/* nodes x sockets x cores, packed: as many ranks on a node as it has cores. */
static __attribute__((unused)) struct facts shape(int nodes, int sockets, int cores)
{
    return (struct facts){ .backend = "null",
                           .cluster = "planted",
                           .nodes = nodes,
                           .sockets = sockets,
                           .cores = cores,
                           .confidence = 0.95 };
}

static struct cell packed(const struct facts *facts, const char *mapping, int procs, uint64_t bytes)
{
    const int node = facts->sockets * facts->cores;
    struct cell c = { .collective = "bcast", .mpi = "openmpi", .procs = procs, .bytes = bytes };
    snprintf(c.mapping, sizeof c.mapping, "%s", mapping);
    c.nodes = strcmp(mapping, "node") == 0 ? facts->nodes : (procs + node - 1) / node;
    c.ppn = strcmp(mapping, "node") == 0 ? (procs + facts->nodes - 1) / facts->nodes
                                         : (procs < node ? procs : node);
    return c;
}

/* Appends a point of this time; the mean over ranks is half of it. */
static __attribute__((unused)) struct measured *over_add(struct points *points,
                                                         const struct facts *facts,
                                                         const char *algorithm, const char *mapping,
                                                         int procs, uint64_t bytes, double seconds)
{
    points->row = realloc(points->row, (points->n + 1) * sizeof *points->row);
    struct measured *m = &points->row[points->n++];
    memset(m, 0, sizeof *m);
    m->point.experiment = EXP_TIME;
    m->point.purpose = FOR_STUDY;
    m->point.cell = packed(facts, mapping, procs, bytes);
    snprintf(m->point.candidate.algorithm, NAME_SIZE, "%s", algorithm);
    point_identify(&m->point);
    snprintf(m->statistic, sizeof m->statistic, "max_rank");
    m->status = POINT_OK;
    m->time.n = 1;
    m->time.value = m->time.median = seconds;
    m->mean_rank_s = seconds / 2;
    return m;
}
