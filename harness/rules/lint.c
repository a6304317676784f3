/* SPDX-License-Identifier: BSD-3-Clause */
/* lint.c - what is wrong with a table of rules that was loaded. */
#include "harness/rules/tuned_table.h"
#include "harness/rules/rule_units.h"
#include "harness/study/libraries/natives.h"
#include "workloads/schedules/collectives.h"

static const struct native *native_of(const struct rules *r, const char *collective, long id)
{
    const char *name =
        id > 0 && id <= INT_MAX
            ? native_by_id(r->reader->library, r->reader->version, collective, (int)id)
            : NULL;
    for (const struct native *a = natives_of(r->reader->library); name && a->name; a++)
        if (a->id == id && strcmp(a->collective, collective) == 0 && strcmp(a->name, name) == 0)
            return a;
    return NULL;
}

/* The least size at or above `least` that so many processes, from b->least on, can have with at
 * least a byte each; UINT64_MAX: none up to b->most. */
static uint64_t first_size(const struct rules_block *b, enum rules_unit unit, uint64_t least)
{
    uint64_t best = UINT64_MAX;
    const int64_t from = b->least < 2 ? 2 : b->least;
    const struct collective *c = collective_find(b->collective);
    if (unit != UNIT_TOTAL || (c && c->uneven)) /* blocks of no bytes may be among them */
        return least;
    for (int64_t p = from; p <= b->most && p - from <= 4096; p++) {
        const uint64_t each = least ? (least + (uint64_t)p - 1) / (uint64_t)p : 1;
        if (each * (uint64_t)p < best)
            best = each * (uint64_t)p;
    }
    return best;
}

/* A rule before this one has all its sizes, where the first that fits counts. highest: the largest
 * size that any before it has, so that files in ascending order are not searched. */
static const struct rules_row *row_before(const struct rules_block *b, const struct rules_row *row,
                                          uint64_t highest)
{
    uint64_t least = row->least;
    const struct rules_row *by = NULL;
    for (int again = row->most <= highest; again && least <= row->most;) {
        again = 0;
        for (const struct rules_row *a = b->row; a < row; a++)
            if (!a->off && a->least <= least && a->most >= least) {
                by = a;
                if (a->most >= row->most)
                    return a;
                least = a->most + 1;
                again = 1;
            }
    }
    return least > row->most ? by : NULL;
}

static void lint_dead_row(struct rules *r, const struct rules_block *b, const struct rules_row *row,
                          enum rules_unit unit, uint64_t highest)
{
    const struct rules_row *before = row_before(b, row, highest);
    const int last = row == &b->row[b->n - 1];
    if (row->least > row->most && !last && row[1].written <= row->written)
        rules_find(&r->found, RULES_WARNING, "dead", row->line,
                   "never decides: the next size, %" PRIu64
                   " on line %d, is not larger than %" PRIu64 " (%s)",
                   row[1].written, row[1].line, row->written,
                   row[1].written == row->written ? "the same size twice"
                                                  : "not in ascending order");
    else if (row->least > row->most)
        rules_find(&r->found, RULES_WARNING, "dead", row->line,
                   "never decides: sizes are not in ascending order");
    else if (before)
        rules_find(&r->found, RULES_WARNING, "dead", row->line,
                   "never decides: the rule of line %d has all its sizes", before->line);
    else if (unit == UNIT_NONE && row->least > 0)
        rules_find(&r->found, RULES_WARNING, "dead", row->line,
                   "never decides: the size of %s counts as 0 always", b->collective);
    else if (unit == UNIT_TOTAL && (row > b->row || row->id) &&
             first_size(b, unit, row->least) > row->most)
        rules_find(&r->found, RULES_WARNING, "dead", row->line,
                   "never decides: sizes are bytes x processes, of which %" PRIu64 " to %" PRIu64
                   " has none from %" PRId64 " processes on",
                   row->least, row->most, b->least < 2 ? 2 : b->least);
}

/* A block before this one has all its processes; highest: the most that any before it has. */
static const struct rules_block *block_before(const struct rules_table *t,
                                              const struct rules_block *b, int64_t highest)
{
    if (b->most > highest)
        return NULL;
    for (const struct rules_block *a = t->block; a < b; a++)
        if (!a->replaced && strcmp(a->collective, b->collective) == 0 && a->least <= b->least &&
            a->most >= b->most && (a->where == WHERE_ANY || a->where == b->where))
            return a;
    return NULL;
}

/* 1 when the block never decides. */
static int lint_dead_block(struct rules *r, const struct rules_table *t,
                           const struct rules_block *b, int64_t highest)
{
    const struct rules_block *before = block_before(t, b, highest);
    if (b->replaced)
        rules_find(&r->found, RULES_WARNING, "dead", b->line,
                   "never decides: %s comes again on line %d, which takes the place of this",
                   b->collective, b->replaced);
    else if (b->most < 0)
        return 1; /* the reader has said so */
    else if (b->least > b->most || b->most < 2)
        rules_find(&r->found, RULES_WARNING, "dead", b->line,
                   "the block of %" PRId64 " processes never decides: %s", b->written,
                   b->most < 2 && b->least <= b->most ? "a communicator of one asks no rules"
                                                      : "sizes are not in ascending order");
    else if (b->where == WHERE_ONE_PER_NODE)
        rules_find(&r->found, RULES_WARNING, "dead", b->line,
                   "\"one-per-node\" fits communicators that were split off only, never "
                   "MPI_COMM_WORLD");
    else if (before)
        rules_find(&r->found, RULES_WARNING, "dead", b->line,
                   "never decides: the block of line %d has all its processes", before->line);
    else
        return 0;
    return 1;
}

static void lint_harm(struct rules *r, const struct rules_block *b, const struct rules_row *row,
                      const struct native *native)
{
    const int fewer = b->least < 2 ? 2 : (int)b->least;
    if (!native)
        rules_find(&r->found, RULES_ERROR, "fails", row->line,
                   "%s has no algorithm %ld in this release: the call returns an error",
                   b->collective, row->id);
    else if (strcmp(native->name, "two_proc") == 0 && (fewer != 2 || b->most != 2))
        rules_find(&r->found, RULES_ERROR, "fails", row->line,
                   "two_proc is for two processes, and this block holds others: the call returns "
                   "an error there");
    else if (native->radix && row->fanout < 2)
        rules_find(&r->found, RULES_ERROR, "hangs", row->line,
                   "%s with a radix (fan-out) of %ld never returns: it wants at least 2",
                   native->name, row->fanout);
    if (native && native->commuting)
        rules_find(&r->found, RULES_NOTE, "order", row->line,
                   "%s computes wrongly, silently, where the operation does not commute",
                   native->name);
}

/* Of those that a rule names. */
static int hears_requests(const struct native *native)
{
    if (strcmp(native->collective, "alltoall") == 0)
        return strcmp(native->name, "linear_sync") == 0;
    return strcmp(native->collective, "reduce") == 0 && native->segmented;
}

static void lint_parameters(struct rules *r, const struct rules_row *row,
                            const struct native *native)
{
    const int chains = strcmp(native->name, "chain") == 0;
    const int requests =
        strcmp(native->name, "linear_sync") == 0 && strcmp(native->collective, "alltoall") == 0;
    if (row->segment_bytes && !native->segmented)
        rules_find(&r->found, RULES_NOTE, "ignored", row->line,
                   "%s takes no segment size: %ld is ignored", native->name, row->segment_bytes);
    if (row->fanout && !chains && !native->radix && !requests)
        rules_find(&r->found, RULES_NOTE, "ignored", row->line,
                   "%s takes no fan-out from a rule: %ld is ignored%s", native->name, row->fanout,
                   strcmp(native->name, "knomial") == 0
                       ? " (its radix is set by a separate variable)"
                       : "");
    if (row->requests && !hears_requests(native))
        rules_find(&r->found, RULES_NOTE, "ignored", row->line,
                   "%s takes no number of requests: %ld is ignored", native->name, row->requests);
    if (chains && row->fanout <= 1)
        rules_find(&r->found, RULES_NOTE, "instead", row->line,
                   "a chain with a fan-out of %ld is a pipeline", row->fanout);
    if (strcmp(native->name, "segmented_ring") == 0 && !row->segment_bytes)
        rules_find(&r->found, RULES_NOTE, "instead", row->line,
                   "segmented_ring without a segment size is ring");
}

static int same_choice(const struct rules_row *a, const struct rules_row *b)
{
    return a->id == b->id && a->fanout == b->fanout && a->segment_bytes == b->segment_bytes &&
           a->requests == b->requests;
}

static void lint_row(struct rules *r, const struct rules_block *b, const struct rules_row *row,
                     enum rules_unit unit, uint64_t highest)
{
    const struct native *native = native_of(r, b->collective, row->id);
    lint_dead_row(r, b, row, unit, highest);
    if (row > b->row && same_choice(row, row - 1) && row->least == row[-1].most + 1)
        rules_find(&r->found, RULES_NOTE, "repeats", row->line,
                   "the same choice as on line %d: it changes nothing", row[-1].line);
    if (!row->id || row->off)
        return;
    lint_harm(r, b, row, native);
    if (native)
        lint_parameters(r, row, native);
}

/* The largest size that a block tells apart. */
static uint64_t largest(const struct rules_block *b)
{
    uint64_t most = 0;
    for (size_t i = 0; i < b->n; i++)
        most = b->row[i].written > most && b->row[i].written < UINT64_MAX / 2 ? b->row[i].written
                                                                              : most;
    return most;
}

/* Sizes are totals: where they do not grow with the processes, those of one process were written.
 * Wants three blocks, over eight times as many processes, and a collective of which benchmarks tell
 * sizes of one process. */
static void lint_unit(struct rules *r, const struct rules_table *t, const char *collective)
{
    const struct rules_block *first = NULL, *last = NULL;
    const struct collective *c = collective_find(collective);
    uint64_t most = 0;
    int n = 0;
    if (!c || c->told_of_all)
        return;
    for (size_t i = 0; i < t->n; i++) {
        const struct rules_block *b = &t->block[i];
        if (b->replaced || strcmp(b->collective, collective) != 0 || b->written < 2 || !largest(b))
            continue;
        first = first && first->written <= b->written ? first : b;
        last = last && last->written >= b->written ? last : b;
        most = largest(b) > most ? largest(b) : most;
        n++;
    }
    if (n < 3 || last->written < 8 * first->written || !most ||
        most / (uint64_t)last->written * 8 > largest(first) / (uint64_t)first->written)
        return;
    rules_find(&r->found, RULES_WARNING, "unit", first->line,
               "sizes of %s are bytes x processes: with %" PRId64
               " processes no block distinguishes more than %" PRIu64
               " bytes a process apart, with %" PRId64 " %" PRIu64
               ". Sizes of one process have to be multiplied",
               collective, last->written, most / (uint64_t)last->written, first->written,
               largest(first) / (uint64_t)first->written);
}

static void lint_rows(struct rules *r, const struct rules_block *b, enum rules_unit unit)
{
    uint64_t highest = 0;
    for (const struct rules_row *row = b->row; row < b->row + b->n; row++) {
        lint_row(r, b, row, unit, highest);
        if (!row->off && row->least <= row->most && row->most > highest)
            highest = row->most;
    }
}

static void lint_collective(struct rules *r, const struct rules_table *t, const char *collective)
{
    const int tuned = native_by_id(r->reader->library, r->reader->version, collective, 0) != NULL;
    const enum rules_unit unit = rules_unit(r->reader, collective);
    int any = 0;
    int64_t highest = INT64_MIN, before;
    for (size_t i = 0; i < t->n; i++) {
        const struct rules_block *b = &t->block[i];
        if (strcmp(b->collective, collective) != 0)
            continue;
        before = highest;
        highest = !b->replaced && b->most > highest ? b->most : highest;
        if (!tuned && !any++)
            rules_find(&r->found, RULES_WARNING, "ignored", b->line,
                       "the component does not serve %s: its rules are never used", collective);
        if (!tuned || lint_dead_block(r, t, b, before))
            continue;
        if (!t->shifted && b->written >= 0 && b->least > b->written)
            rules_find(&r->found, RULES_WARNING, "ignored", b->line,
                       "the block of %" PRId64 " processes governs from %" PRId64
                       " on: numbers of processes are not in ascending order",
                       b->written, b->least);
        if (!b->n)
            rules_find(&r->found, RULES_NOTE, "empty", b->line,
                       "a block without rules: the library's own decision");
        lint_rows(r, b, unit);
    }
    if (unit == UNIT_TOTAL)
        lint_unit(r, t, collective);
}

void rules_table_lint(struct rules *r)
{
    const struct rules_table *t = r->read;
    for (long id = 0; id < OPENMPI_COLLECTIVES; id++)
        lint_collective(r, t, rules_collective_name(id));
    if (!t->n)
        rules_find(&r->found, RULES_NOTE, "empty", 0, "the file has no rules");
    if (t->shifted && t->n)
        rules_find(&r->found, RULES_WARNING, "shifted", 0,
                   "6.0 reads the numbers of processes of this form another way than 4.0 to 5.0: a "
                   "block governs the processes below its number, down to the number before. "
                   "Write JSON for it");
    if (version_within(r->reader->version, "5", NULL) && t->n)
        rules_find(&r->found, RULES_NOTE, "han", 0,
                   "on several nodes of several ranks component han takes most collectives before "
                   "any rule applies: leave it out (--mca coll ^han)");
}
