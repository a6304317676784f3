/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/rules/tuned_table.h"

#include "harness/rules/rule_units.h"
#include "harness/study/libraries/natives.h"
#include "workloads/schedules/decision.h"
#include "workloads/schedules/schedule.h"

int rules_collective_id(const char *name)
{
    for (int i = 0; i < OPENMPI_COLLECTIVES; i++)
        if (strcmp(openmpi_collectives[i], name) == 0)
            return i;
    return -1;
}

const char *rules_collective_name(long id)
{
    return id >= 0 && id < OPENMPI_COLLECTIVES ? openmpi_collectives[id] : NULL;
}

void rules_tell_absent(const char *collective, const unsigned char has[OPENMPI_COLLECTIVES],
                       struct rules_answer *out)
{
    size_t used =
        (size_t)snprintf(out->why, sizeof out->why, "the file has no rules of %s", collective);
    const char *before = ", only of ";
    for (int i = 0; i < OPENMPI_COLLECTIVES && used < sizeof out->why; i++)
        if (has[i]) {
            used += (size_t)snprintf(out->why + used, sizeof out->why - used, "%s%s", before,
                                     openmpi_collectives[i]);
            before = ", ";
        }
}

static const char *name_of(const struct rules *r, const char *collective, long id)
{
    return id >= 0 && id <= INT_MAX
               ? native_by_id(r->reader->library, r->reader->version, collective, (int)id)
               : NULL;
}

/* ---- what a call gets ---- */

/* A component of higher rank takes the call before `tuned` sees it (6.0, 5.0: han). */
static const char *taken_by(const struct rules *r, const struct rules_call *call)
{
    const struct native *han = native_find(r->reader->library, call->collective, "han");
    if (!version_within(r->reader->version, "5", NULL) || !han ||
        !version_within(r->reader->version, han->from, han->below) || call->nodes < 2 ||
        native_out_of_reach(han, call->nodes, call->ppn))
        return NULL;
    return "han";
}

static int block_fits(const struct rules_block *b, const struct rules_call *call)
{
    return !b->replaced && strcmp(b->collective, call->collective) == 0 &&
           call->procs >= b->least && call->procs <= b->most && b->where != WHERE_ONE_PER_NODE &&
           (b->where != WHERE_ONE_NODE || call->nodes <= 1);
}

static const struct rules_row *row_of(const struct rules_block *b, uint64_t size)
{
    return find_below(b->row, i, b->n,
                      !b->row[i].off && size >= b->row[i].least && size <= b->row[i].most);
}

/* The library's own decision, where it is known what that is. */
static void own(const struct rules *r, const struct rules_call *call, struct rules_answer *out)
{
    struct decision d;
    out->outcome = RULES_OWN;
    out->algorithm[0] = '\0';
    if (!r->reader->sim || call->procs < 2 ||
        !decide(r->reader->sim, call->collective, call->procs, call->bytes, NULL, &d))
        return;
    snprintf(out->algorithm, sizeof out->algorithm, "%s", d.named ? d.named : d.algorithm);
    out->segment_bytes = (long)d.segment_bytes;
    out->fanout = d.fanout;
}

/* The fan-out with which the library calls an algorithm of ours for that of a rule: its k-nomial
 * tree has the radix from elsewhere, and no chain is one. */
static int fanout_of(const struct rules_row *row, const char *name)
{
    if (strcmp(name, "chain") != 0)
        return 0;
    return row->fanout < 1 ? 1 : row->fanout > 32 ? 32 : (int)row->fanout;
}

enum { BRUCK = 2 }; /* the number of it */

/* What runs instead of the algorithm, as far as its schedule knows. */
static void find_instead(const struct rules *r, const struct rules_row *row,
                         const struct rules_call *call, struct rules_answer *out)
{
    struct schedule s;
    const struct algorithm *alg = algorithm_find(call->collective, out->algorithm);
    const struct schedule_arguments arguments = {
        .procs = call->procs,
        .bytes = call->bytes / r->element_bytes * r->element_bytes,
        .segment_bytes = (uint64_t)row->segment_bytes,
        .fanout = fanout_of(row, out->algorithm),
        .element_bytes = r->element_bytes,
    };
    /* From 6.0 on it takes any number of elements. */
    const int always = strcmp(call->collective, "allreduce") == 0 &&
                       strcmp(out->algorithm, "rabenseifner") == 0 &&
                       version_within(r->reader->from, "6", NULL);
    out->by_element |= alg && alg->substitute;
    if (alg && !always && row->segment_bytes >= 0 &&
        schedule_make(&s, alg, &arguments, NULL) == 0 && s.alg != s.asked) {
        /* 6.0 has Bruck's allgather with a radix alone, under the same number. */
        const char *bruck =
            strcmp(call->collective, "allgather") == 0 && strcmp(s.alg->name, "bruck") == 0
                ? name_of(r, call->collective, BRUCK)
                : NULL;
        snprintf(out->runs, sizeof out->runs, "%s", bruck ? bruck : s.alg->name);
    }
}

/* Without a radix of at least two they never end (6.0). */
static int wants_radix(const char *collective, const char *name)
{
    return (strcmp(collective, "allgather") == 0 && strcmp(name, "bruck-k-fanout") == 0) ||
           (strcmp(collective, "reduce") == 0 && strcmp(name, "knomial") == 0);
}

static void judge_row(const struct rules *r, const struct rules_row *row,
                      const struct rules_call *call, struct rules_answer *out)
{
    const char *name = name_of(r, call->collective, row->id);
    const size_t used = strlen(out->why);
    char *why = out->why + used;
    const size_t room = sizeof out->why - used;
    out->line = row->line;
    out->id = row->id;
    if (!row->id) {
        own(r, call, out);
        snprintf(why, room, "; 0 is the library's own decision");
        return;
    }
    out->segment_bytes = row->segment_bytes;
    out->fanout = row->fanout;
    out->requests = row->requests;
    out->outcome = RULES_RUNS;
    if (!name) {
        out->outcome = RULES_FAILS;
        snprintf(why, room, "; there is no algorithm %ld in %s: the call returns an error", row->id,
                 r->reader->version);
        return;
    }
    snprintf(out->algorithm, sizeof out->algorithm, "%s", name);
    if (strcmp(name, "two_proc") == 0 && call->procs != 2) {
        out->outcome = RULES_FAILS;
        snprintf(why, room, "; it is for two processes: the call returns an error");
    } else if (wants_radix(call->collective, name) && row->fanout < 2) {
        out->outcome = RULES_HANGS;
        snprintf(why, room, "; with a radix (fan-out) of %ld it never returns", row->fanout);
    } else {
        find_instead(r, row, call, out);
    }
}

/* "line 13, for 262144 and more (bytes x processes), of the block of line 10, for 8 to 15
 * processes". */
static void tell_row(const struct rules *r, const struct rules_block *b,
                     const struct rules_row *row, const struct rules_call *call,
                     struct rules_answer *out)
{
    char most[32] = "and more", procs[32] = "and more";
    const enum rules_unit unit = rules_unit(r->reader, call->collective);
    if (row->most != UINT64_MAX)
        snprintf(most, sizeof most, "to %" PRIu64, row->most);
    if (b->most < INT_MAX)
        snprintf(procs, sizeof procs, "to %" PRId64, b->most);
    snprintf(out->why, sizeof out->why,
             "line %d, for %" PRIu64 " %s (%s), of the block of line %d, for %" PRId64
             " %s processes",
             row->line, row->least, most, rules_unit_words(unit), b->line, b->least, procs);
}

/* Why no block of a table is for a call. */
static void tell_no_block(const struct rules_table *t, const struct rules_call *call,
                          struct rules_answer *out)
{
    unsigned char has[OPENMPI_COLLECTIVES] = { 0 };
    const struct rules_block *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct rules_block *b = &t->block[i];
        has[rules_collective_id(b->collective)] = 1;
        if (strcmp(b->collective, call->collective) != 0 || b->replaced)
            continue;
        first = first ? first : b;
        n++;
    }
    char which[64];
    snprintf(which, sizeof which, n == 1 ? "the block" : "none of the %zu blocks", n);
    if (first)
        snprintf(out->why, sizeof out->why, "%s of %s, from line %d on, is%s for %d processes%s",
                 which, call->collective, first->line, n == 1 ? " not" : "", call->procs,
                 call->nodes > 1 ? " on several nodes" : "");
    else
        rules_tell_absent(call->collective, has, out);
}

/* Why no rule of a block is for a size. */
static void tell_no_row(const struct rules_block *b, struct rules_answer *out)
{
    snprintf(out->why, sizeof out->why, "the block of line %d has no rule that fits", b->line);
    for (size_t i = 0; i < b->n; i++)
        if (b->row[i].off && out->size >= b->row[i].least && out->size <= b->row[i].most) {
            snprintf(out->why, sizeof out->why,
                     "the rule that fits, on line %d, names an algorithm that this release "
                     "does not have: the reader leaves it out, silently",
                     b->row[i].line);
            return;
        }
}

/* ---- algorithms that call other collectives, which rules decide, too ---- */

struct part {
    enum { PART_NONE, PART_UP, PART_DOWN } way; /* the collective's .up or .down */
    int total;                                  /* 1: of all blocks together */
    int ignored; /* 1: an error that it returns is ignored; the ranks lack the data (4.0 to 6.0) */
};

static const struct {
    const char *collective, *algorithm;
    struct part part[2];
} composites[] = {
    { "allgather", "linear", { { PART_UP, 0, 0 }, { PART_DOWN, 1, 0 } } },
    { "allgatherv", "gatherv_bcast", { { PART_DOWN, 1, 1 } } },
    { "allreduce", "nonoverlapping", { { PART_UP, 0, 0 }, { PART_DOWN, 0, 0 } } },
    { "reduce_scatter", "non-overlapping", { { PART_UP, 1, 0 } } },
    { "reduce_scatter_block", "basic_linear", { { PART_UP, 1, 0 }, { PART_DOWN, 0, 0 } } },
};

static const char *part_collective(const struct part *part, const char *whole)
{
    const struct collective *c = collective_of(whole);
    return part->way == PART_UP ? c->up : part->way == PART_DOWN ? c->down : NULL;
}

static void ask_part(const struct rules *r, const struct rules_call *call, const struct part *part,
                     struct rules_answer *out)
{
    struct rules_answer answer = { .outcome = RULES_OWN };
    struct rules_call of = *call;
    of.collective = part_collective(part, call->collective);
    if (!of.collective || out->outcome > RULES_RUNS)
        return;
    of.bytes = rules_size(part->total ? UNIT_TOTAL : UNIT_MESSAGE, call->procs, call->bytes, 1);
    rules_table_ask(r, &of, &answer);
    if (answer.outcome <= RULES_RUNS)
        return;
    const size_t used = strlen(out->why);
    const int ignored = part->ignored && answer.outcome == RULES_FAILS;
    if (!ignored)
        out->outcome = answer.outcome;
    snprintf(out->why + used, sizeof out->why - used, "; it calls %s, which line %d makes %s%s",
             of.collective, answer.line, answer.outcome == RULES_FAILS ? "return an error" : "hang",
             ignored ? ", which is ignored: ranks other than 0 lack the data" : "");
}

static void ask_parts(const struct rules *r, const struct rules_call *call,
                      struct rules_answer *out)
{
    const char *runs = *out->runs ? out->runs : out->algorithm;
    for (size_t i = 0; i < sizeof composites / sizeof *composites; i++)
        if (strcmp(composites[i].collective, call->collective) == 0 &&
            strcmp(composites[i].algorithm, runs) == 0)
            for (int k = 0; k < 2; k++)
                ask_part(r, call, &composites[i].part[k], out);
}

void rules_table_ask(const struct rules *r, const struct rules_call *call, struct rules_answer *out)
{
    const struct rules_table *t = r->read;
    const char *taker = taken_by(r, call);
    const struct rules_block *b = t->block, *end = t->block + t->n;
    const enum rules_unit unit = rules_unit(r->reader, call->collective);
    out->by_element = unit == UNIT_EACH;
    out->size = rules_size(unit, call->procs, call->bytes, r->element_bytes);
    own(r, call, out);
    while (b < end && !block_fits(b, call))
        b++;
    const struct rules_row *row = r->loaded && b < end ? row_of(b, out->size) : NULL;
    if (r->dies) {
        out->outcome = RULES_DIES;
        out->line = r->dies;
        rules_tell_unused(r, out);
    } else if (call->procs < 2)
        snprintf(out->why, sizeof out->why, "one process: component `self` alone serves it");
    else if (taker)
        snprintf(out->why, sizeof out->why,
                 "component %s takes the call on several nodes of several ranks, whatever the "
                 "rules say (--mca coll ^%s leaves it to them)",
                 taker, taker);
    else if (!r->loaded)
        rules_tell_unused(r, out);
    else if (!native_by_id(r->reader->library, r->reader->version, call->collective, 0))
        snprintf(out->why, sizeof out->why, "the component does not serve %s", call->collective);
    else if (b == end)
        tell_no_block(t, call, out);
    else if (!row)
        tell_no_row(b, out);
    else {
        tell_row(r, b, row, call, out);
        judge_row(r, row, call, out);
    }
    if (taker)
        out->algorithm[0] = '\0';
    else
        ask_parts(r, call, out);
}

static int decides(const char *of, const char *collective)
{
    if (strcmp(of, collective) == 0)
        return 1;
    for (size_t i = 0; i < sizeof composites / sizeof *composites; i++)
        for (int k = 0; k < 2 && strcmp(composites[i].collective, collective) == 0; k++)
            if (composites[i].part[k].way &&
                strcmp(part_collective(&composites[i].part[k], collective), of) == 0)
                return 1;
    return 0;
}

int rules_table_numbers(const struct rules *r, const char *collective, int procs,
                        void (*take)(void *to, uint64_t number), void *to)
{
    const struct rules_table *t = r->read;
    if (r->reader->ask != rules_table_ask)
        return 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct rules_block *b = &t->block[i];
        if (procs < b->least || procs > b->most || !decides(b->collective, collective))
            continue;
        for (size_t k = 0; k < b->n; k++) {
            const struct rules_row *row = &b->row[k];
            const uint64_t number[] = { row->least,
                                        row->most,
                                        row->written,
                                        (uint64_t)row->segment_bytes,
                                        (uint64_t)row->id,
                                        (uint64_t)row->fanout,
                                        (uint64_t)row->requests };
            for (size_t m = 0; m < sizeof number / sizeof *number; m++)
                take(to, number[m]);
        }
    }
    return 1;
}

void rules_table_clear(struct rules *r)
{
    struct rules_table *t = r->read;
    for (size_t i = 0; t && i < t->n; i++)
        free(t->block[i].row);
    if (t)
        free(t->block);
    free(t);
}
