/* SPDX-License-Identifier: BSD-3-Clause */
/* decision.c - the decisions of all libraries. */
#include "workloads/schedules/decision.h"

#include "workloads/schedules/collectives.h"

/* What is for two ranks alone stands first in a table, and is not for one. */
static struct decision first_rule(const struct decision_rule *rule, int ranks, uint64_t bytes)
{
    const int procs = ranks == 1 ? 3 : ranks;
    while ((rule->procs && procs >= rule->procs) || (rule->bytes && bytes >= rule->bytes))
        rule++;
    return (struct decision){ .algorithm = rule->algorithm, .fanout = rule->fanout };
}

static const struct decision_row *find(const char *rule, const char *collective)
{
    const struct decision_row *const tables[] = { decisions_openmpi31, decisions_openmpi41,
                                                  decisions_openmpi60, decisions_mpich40,
                                                  decisions_mvapich2 };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct decision_row *row = tables[i]; row->rule; row++)
            if (strcmp(row->rule, rule) == 0 && strcmp(row->collective, collective) == 0)
                return row;
    return NULL;
}

static struct decision by_table(const struct decision_row *row, const struct decision_rule *rules,
                                int procs, uint64_t bytes)
{
    struct decision d = first_rule(rules, procs, row->of_all ? bytes * (uint64_t)procs : bytes);
    if (row->amend)
        row->amend(&d);
    return d;
}

/* Where a library has no choice to make, no table says so, but the algorithm's own row. What Open
 * MPI 4.1 always takes, 6.0 does, too: of scans component basic's linear one, as tuned serves them
 * only where one is forced (coll_tuned_module.c, coll_basic_module.c of branch v6.0.x). */
static const struct algorithm *taken_always(const char *asked, const char *collective)
{
    const char *rule = strcmp(asked, "openmpi60") == 0 ? "openmpi41" : asked;
    const struct collective *c = collective_find(collective);
    for (const struct algorithm *a = NULL; c && (a = collective_algorithm(c, a));)
        if (a->always && strcmp(a->always, rule) == 0)
            return a;
    return NULL;
}

int decide_elements(const char *rule, const char *collective, const struct decision_call *call,
                    struct decision *decision)
{
    const struct decision_row *row = find(rule, collective);
    const struct algorithm *only = row ? NULL : taken_always(rule, collective);
    *decision = (struct decision){ .algorithm = NULL };
    if (!row && !only)
        return 0;
    if (row && row->placed)
        return row->placed(call, decision);
    if (only)
        *decision = (struct decision){ .algorithm = only->name };
    else if (row->rules)
        *decision = by_table(row, row->rules, call->procs, call->bytes);
    else
        *decision = row->decide(call->procs, call->bytes, call->count);
    return 1;
}

int decide_ordered(const char *rule, const char *collective, int procs, uint64_t bytes,
                   struct decision *decision)
{
    const struct decision_row *row = find(rule, collective);
    if (!row || !row->ordered)
        return 0;
    *decision = by_table(row, row->ordered, procs, bytes);
    return 1;
}

int decide(const char *rule, const char *collective, int procs, uint64_t bytes,
           const struct seating *seats, struct decision *decision)
{
    const struct decision_call call = {
        .procs = procs, .bytes = bytes, .count = bytes, .seats = seats
    };
    return decide_elements(rule, collective, &call, decision);
}

const char *decision_library(const char *rule)
{
    static const char *const names[][2] = { { "openmpi31", "Open MPI 3.1" },
                                            { "openmpi41", "Open MPI 4.1" },
                                            { "openmpi60", "Open MPI 6.0" },
                                            { "mpich40", "MPICH 4.0" },
                                            { "mvapich2", "MVAPICH2 as SMPI has it" } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], rule) == 0)
            return names[i][1];
    return NULL;
}

int decision_known(const char *rule, const char *collective)
{
    return find(rule, collective) || taken_always(rule, collective);
}
