/* SPDX-License-Identifier: BSD-3-Clause */
/* decision.c - facts from Open MPI's ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, functions
 * ompi_coll_tuned_<collective>_intra_dec_fixed, of v3.1.6, which are those of v3.1.0 to v3.1.6. The
 * constants are the library's fit to Myrinet MX results (broadcast: sizes up to
 * 36 MB, up to 64 nodes). */
#include "workloads/schedules/decision.h"

#include "workloads/schedules/collectives.h"

enum { SMALL_BYTES = 2048, INTERMEDIATE_BYTES = 370728, FEW_PROCS = 13, KIB = 1024 };
enum { ALLGATHER_SMALL_BYTES = 50000 }; /* of all blocks */

/* A pipeline of this segment size is chosen when procs < slope * bytes + intercept. */
struct border {
    double slope, intercept; /* slope in 1/byte */
    uint64_t segment_bytes;
};

static const struct border border_128k = { 1.6134e-6, 2.1102, 128 * KIB };
static const struct border border_64k = { 2.3679e-6, 1.1787, 64 * KIB };
static const struct border border_16k = { 3.2118e-6, 8.7936, 16 * KIB };

static int is_below(int procs, uint64_t bytes, const struct border *b)
{
    return procs < b->slope * (double)bytes + b->intercept;
}

static struct decision cut(const char *algorithm, uint64_t segment_bytes)
{
    return (struct decision){ .algorithm = algorithm, .segment_bytes = segment_bytes };
}

static struct decision pipeline(uint64_t segment_bytes)
{
    return cut("pipeline", segment_bytes);
}

static struct decision split_binary(uint64_t segment_bytes)
{
    return cut("split_binary_tree", segment_bytes);
}

static struct decision bcast31(int procs, uint64_t bytes, uint64_t count)
{
    if (bytes < SMALL_BYTES || count <= 1)
        return cut("binomial", 0);
    if (bytes < INTERMEDIATE_BYTES)
        return split_binary(1 * KIB);
    if (is_below(procs, bytes, &border_128k))
        return pipeline(border_128k.segment_bytes);
    if (procs < FEW_PROCS)
        return split_binary(8 * KIB);
    if (is_below(procs, bytes, &border_64k))
        return pipeline(border_64k.segment_bytes);
    if (is_below(procs, bytes, &border_16k))
        return pipeline(border_16k.segment_bytes);
    return pipeline(8 * KIB);
}

static struct decision allgather31(int procs, uint64_t bytes, uint64_t count)
{
    (void)count;
    const int is_power = (procs & (procs - 1)) == 0;
    if (procs == 2)
        return cut("recursive_doubling", 0);
    if (bytes < ALLGATHER_SMALL_BYTES && bytes * (uint64_t)procs < ALLGATHER_SMALL_BYTES)
        return cut(is_power ? "recursive_doubling" : "bruck", 0);
    return cut(procs % 2 ? "ring" : "neighbor", 0);
}

enum { LINEAR_BYTES = 512, FEW_BYTES = 20480, FEW = 8 };

/* procs > slope * bytes + intercept, with the slope per KiB as the library writes it. */
static int is_above(int procs, uint64_t bytes, double slope_per_kib, double intercept)
{
    return procs > slope_per_kib / KIB * (double)bytes + intercept;
}

static struct decision reduce31(int procs, uint64_t bytes, uint64_t count)
{
    if (procs < FEW && bytes < LINEAR_BYTES)
        return cut("linear", 0);
    if ((procs < FEW && bytes < FEW_BYTES) || bytes < SMALL_BYTES || count <= 1)
        return cut("binomial", 0);
    if (is_above(procs, bytes, 0.6016, 1.3496))
        return cut("binomial", 1 * KIB);
    if (is_above(procs, bytes, 0.0410, 9.7128))
        return pipeline(1 * KIB);
    if (is_above(procs, bytes, 0.0422, 1.1614))
        return cut("binary", 32 * KIB);
    return pipeline(is_above(procs, bytes, 0.0033, 1.6761) ? 32 * KIB : 64 * KIB);
}

/* What is for two ranks alone stands first in a table, and is not for one. */
static struct decision first_rule(const struct decision_rule *rule, int ranks, uint64_t bytes)
{
    const int procs = ranks == 1 ? 3 : ranks;
    while ((rule->procs && procs >= rule->procs) || (rule->bytes && bytes >= rule->bytes))
        rule++;
    return (struct decision){ .algorithm = rule->algorithm, .fanout = rule->fanout };
}

static const struct decision_row decisions_openmpi31[] = {
    { "openmpi31", "bcast", .decide = bcast31 },
    { "openmpi31", "allgather", .decide = allgather31 },
    { "openmpi31", "reduce", .decide = reduce31 },
    { .rule = NULL },
};

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
