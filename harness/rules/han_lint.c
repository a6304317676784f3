/* SPDX-License-Identifier: BSD-3-Clause */
/* han_lint.c - what is wrong with a file of han's that was loaded. */
#include "harness/rules/han.h"
#include "harness/rules/tuned_table.h"

#define WARN(r, kind, line, ...) rules_find(&(r)->found, RULES_WARNING, kind, line, __VA_ARGS__)
#define NOTE(r, kind, line, ...) rules_find(&(r)->found, RULES_NOTE, kind, line, __VA_ARGS__)

/* What a rule belongs to. */
struct where {
    const struct han_release *release;
    const char *collective;
    int level;
};

/* by[i]: the first number behind number i that is not larger; n: there is none. From the end on:
 * what is larger than number i is stepped over once, and then lies behind by[i] of those before. */
static void find_later(const uint64_t *number, size_t n, size_t *by)
{
    for (size_t i = n; i-- > 0;)
        for (by[i] = i + 1; by[i] < n && number[by[i]] > number[i];)
            by[i] = by[by[i]];
}

static void lint_dead_row(struct rules *r, const struct han_row *row, const struct han_row *by)
{
    WARN(r, "dead", row->line, "never decides: size %" PRIu64 " on line %d comes later and is %s",
         by->least, by->line,
         by->least == row->least ? "the same" : "smaller: not in ascending order");
}

/* 1 when the block never decides; by: as find_later has it. */
static int lint_dead_block(struct rules *r, const struct han_level *l, size_t at, size_t by)
{
    const struct han_block *b = &l->block[at], *later = &l->block[by];
    if (by < l->n) {
        WARN(r, "dead", b->line,
             "the block of %d ranks never decides: %d on line %d comes later and is %s", b->least,
             later->least, later->line,
             later->least == b->least ? "the same" : "smaller: not in ascending order");
        return 1;
    }
    if (at + 1 < l->n && l->block[at + 1].least <= 2 && b->least < 2) {
        if (b->n > 1) /* it must be there, and says one thing at least */
            NOTE(r, "dead", b->line,
                 "the block of one rank never decides: han takes no part there");
        return 1;
    }
    return 0;
}

static void lint_component(struct rules *r, const struct where *w, const struct han_row *row)
{
    const char *name = han_components[row->component];
    if (row->component == HAN_HAN && w->level != HAN_GLOBAL)
        WARN(
            r, "loop", row->line,
            "han cannot serve the communicators that it makes itself: the next component does, and "
            "each call is counted as an error");
    else if (!han_component_there(row->component, w->level))
        WARN(r, "instead", row->line,
             "%s takes no part in communicators of level %s: the next component serves them, and "
             "each call is counted as an error",
             name, han_levels[w->level]);
    else if (!han_component_serves(row->component, w->collective))
        NOTE(r, "instead", row->line, "%s has no %s: the next component serves it", name,
             w->collective);
    else if (row->component != HAN_HAN && w->level == HAN_GLOBAL && w->release->breaks &&
             strcmp(w->collective, "allreduce") == 0)
        rules_find(
            &r->found, RULES_ERROR, "dies", row->line,
            "in this release han takes another component's allreduce for its own: the program "
            "ends (libnbc, which has none, leaves it to the next component)");
    else if (row->component == HAN_ADAPT)
        NOTE(r, "instead", row->line,
             "adapt is there only where coll_adapt_priority is above that of libnbc (10); by "
             "default it is 0, and the next component serves the call");
}

static void lint_row(struct rules *r, const struct where *w, const struct han_block *b, size_t at)
{
    const struct han_row *row = &b->row[at], *before = at ? row - 1 : NULL;
    lint_component(r, w, row);
    if (!before && row->least == 1)
        NOTE(r, "empty", row->line,
             "the first size is 1: messages of no bytes, and barriers, go by han's own choice");
    if (before && before->least < row->least && before->component == row->component &&
        before->algorithm == row->algorithm)
        NOTE(r, "repeats", row->line, "the same component as on line %d: it changes nothing",
             before->line);
    if (row->least > INT64_MAX)
        WARN(r, "dead", row->line, "the size is below 0, and read as %" PRIu64, row->least);
    if (at && (strcmp(w->collective, "barrier") == 0 || strcmp(w->collective, "alltoallv") == 0 ||
               strcmp(w->collective, "gatherv") == 0 || strcmp(w->collective, "scatterv") == 0))
        WARN(r, "dead", row->line, "never decides: the size of %s counts as 0 always",
             w->collective);
}

static void lint_block(struct rules *r, const struct where *w, const struct han_block *b)
{
    uint64_t *least = memory_zeros(b->n + 1, sizeof *least);
    size_t *by = memory_zeros(b->n + 1, sizeof *by);
    if (!b->n)
        NOTE(r, "empty", b->line, "a block without rules: han's own choice");
    for (size_t i = 0; i < b->n; i++)
        least[i] = b->row[i].least;
    find_later(least, b->n, by);
    for (size_t i = 0; i < b->n; i++) {
        if (by[i] < b->n)
            lint_dead_row(r, &b->row[i], &b->row[by[i]]);
        lint_row(r, w, b, i);
    }
    memory_free(least, by);
}

static void lint_level(struct rules *r, const struct where *w, const struct han_level *l)
{
    uint64_t *least = memory_zeros(l->n + 1, sizeof *least);
    size_t *by = memory_zeros(l->n + 1, sizeof *by);
    if (!l->n)
        NOTE(r, "empty", l->line, "a level without blocks: han's own choice");
    for (size_t i = 0; i < l->n; i++)
        least[i] = (uint64_t)l->block[i].least;
    find_later(least, l->n, by);
    for (size_t i = 0; i < l->n; i++)
        if (!lint_dead_block(r, l, i, by[i]))
            lint_block(r, w, &l->block[i]);
    memory_free(least, by);
}

static void lint_levels(struct rules *r, const struct han_collective *c)
{
    struct where w = { r->reader->han, rules_collective_name(c->id), 0 };
    for (size_t i = 0; i < c->n; i++) {
        const struct han_level *l = &c->level[i], *later = NULL;
        for (size_t k = i + 1; k < c->n && !later; k++)
            later = c->level[k].level == l->level ? &c->level[k] : NULL;
        w.level = l->level;
        if (later)
            WARN(r, "dead", l->line, "never decides: level %s comes again on line %d, which counts",
                 han_levels[l->level], later->line);
        else if (l->level != HAN_GLOBAL && !w.release->below)
            WARN(r, "dead", l->line,
                 "never decides: in this release the communicators that han makes leave han "
                 "out, and ask no rules of level %s",
                 han_levels[l->level]);
        else if (!han_serves(w.release, w.collective, l->level))
            WARN(r, "ignored", l->line,
                 "han does not serve %s on level %s: its rules are never used", w.collective,
                 han_levels[l->level]);
        else
            lint_level(r, &w, l);
    }
}

void han_lint(struct rules *r)
{
    const struct han_file *file = r->read;
    for (size_t i = 0; i < file->n; i++) {
        const struct han_collective *c = &file->collective[i], *later = NULL;
        for (size_t k = i + 1; k < file->n && !later; k++)
            later = file->collective[k].id == c->id ? &file->collective[k] : NULL;
        if (later)
            WARN(r, "dead", c->line, "never decides: %s comes again on line %d, which counts",
                 rules_collective_name(c->id), later->line);
        else if (!c->n)
            NOTE(r, "empty", c->line, "%s without levels: han's own choice",
                 rules_collective_name(c->id));
        else
            lint_levels(r, c);
    }
    if (!r->reader->han->priority)
        NOTE(r, "han", 0,
             "in this release han serves nothing unless coll_han_priority is raised, above the "
             "30 of tuned; it then takes these, also where the file has no rule of them:%.*s",
             (int)strlen(r->reader->han->served) - 1, r->reader->han->served);
}
