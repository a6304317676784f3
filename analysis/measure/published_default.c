/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/measure/published_default.h"

int decided_by(const char *rule, const struct cell *cell, struct decision *decision)
{
    const struct seating seats = cell_seating(cell);
    return decide(rule, cell->collective, cell->procs, cell->bytes, &seats, decision);
}

const char *decided_rule(const struct facts *facts, const char *mpi)
{
    static const char *const known[][2] = { { "3.1", "openmpi31" }, { "4.1", "openmpi41" } };
    const char *version = facts_version(facts, mpi);
    if (facts->simulated)
        return facts->sim_default;
    for (size_t i = 0; i < sizeof known / sizeof *known && mpi_is(mpi, "openmpi"); i++) {
        const size_t n = strlen(known[i][0]);
        if (strncmp(version, known[i][0], n) == 0 && (version[n] == '\0' || version[n] == '.'))
            return known[i][1];
    }
    return "";
}

int decided(const struct facts *facts, const struct cell *cell, const struct candidate *candidate,
            struct decision *decision)
{
    const char *rule = algorithm_is_default(candidate->algorithm) && mpi_is(cell->mpi, "openmpi")
                           ? decided_rule(facts, cell->mpi)
                           : "";
    return *rule && decided_by(rule, cell, decision);
}

int decided_candidate(const struct facts *facts, const struct cell *cell,
                      const struct candidate *candidate, struct candidate *runs)
{
    struct decision d;
    if (!decided(facts, cell, candidate, &d))
        return 0;
    *runs = (struct candidate){ .segment_bytes = d.segment_bytes, .fanout = d.fanout };
    snprintf(runs->algorithm, NAME_SIZE, "%s:%.50s", mpi_family(cell->mpi), d.algorithm);
    return 1;
}

int point_is_default(const struct facts *facts, const struct point *p)
{
    struct decision d;
    const struct candidate *k = &p->candidate;
    if (!facts->simulated)
        return algorithm_is_default(k->algorithm);
    return decided_by(facts->sim_default, &p->cell, &d) &&
           strcmp(algorithm_base_name(k->algorithm), d.algorithm) == 0 &&
           k->segment_bytes == d.segment_bytes && (!d.fanout || k->fanout == d.fanout);
}

int default_take_rule(const char *rule, struct facts *facts, struct points *points, struct err *err)
{
    if (!facts->simulated)
        return err_usage(err,
                         "a library ran in '%s' and its default was measured (want a simulated or "
                         "walked study for the default of %s)",
                         facts->cluster, decision_library(rule));
    snprintf(facts->sim_default, NAME_SIZE, "%s", rule);
    for (size_t i = 0; i < points->n; i++) {
        struct point *p = &points->row[i].point;
        if (p->purpose == FOR_DEFAULT || p->purpose == FOR_OTHER_DEFAULT)
            p->purpose = point_is_default(facts, p) ? FOR_DEFAULT : FOR_OTHER_DEFAULT;
    }
    return 0;
}
