/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/columns.h"

#include "workloads/schedules/collectives.h"

void block_collective(struct block *block, const char *collective)
{
    block->told.text[ROLE_COLLECTIVE] = collective;
    block->told.of_all = collective_find(collective)->told_of_all;
    block->told.element_bytes = sizeof(float);
}

void block_add(struct block *block, enum role role, const char *unit, size_t len)
{
    char name[32];
    if (block->n == MAX_FIELDS)
        return;
    block->role[block->n] = role;
    block->scale[block->n] = 1;
    if (role_is_time(role)) {
        snprintf(name, sizeof name, "%.*s", (int)(unit ? len : 0), unit ? unit : "");
        block->scale[block->n] = unit_seconds(name);
        if (!(block->scale[block->n] > 0))
            snprintf(block->unit, sizeof block->unit, "%s", unit ? name : "none");
    }
    block->n++;
}

/* "Pass", or no defects. */
static int arrived_right(const char *verdict)
{
    double defects;
    if (parse_f64(verdict, &defects, NULL) == 0)
        return defects == 0;
    return same_word(verdict, "Pass");
}

/* "75,83": digits, a comma, digits, but not three of them, which may be thousands. */
static int has_decimal_comma(const char *text)
{
    const size_t whole = strspn(text, "0123456789");
    const size_t rest = text[whole] == ',' ? strspn(text + whole + 1, "0123456789") : 0;
    return whole && rest && rest != 3 && !text[whole + 1 + rest];
}

/* Some locales print times with decimal commas: they become points where all commas of the row are
 * that, and it has no point. */
static void respell_commas(const struct block *block, char **field, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr(field[i], '.') || (strchr(field[i], ',') && !(role_is_time(block->role[i]) &&
                                                                 has_decimal_comma(field[i]))))
            return;
    for (size_t i = 0; i < n; i++)
        if (strchr(field[i], ','))
            *strchr(field[i], ',') = '.';
}

int block_row(struct import *job, const struct block *block)
{
    static const char *const conditions[] = { "datatype", NULL };
    char *field[MAX_FIELDS], copy[64];
    struct source_row told = block->told;
    snprintf(copy, sizeof copy, "%s", job->line.text);
    const size_t n = split_blanks(job->line.text, field, MAX_FIELDS);
    if (!block->n)
        return import_set_aside(job, ASIDE_HEADER, "no header before it: '%s'", copy);
    if (!strchr("+-.0123456789nNiI", field[0][0]))
        return import_set_aside(job, ASIDE_OTHER, "no row of numbers: '%s'", copy);
    if (*block->other)
        return import_set_aside(job, ASIDE_OTHER, "%s", block->other);
    if (!any_below(i, block->n, role_is_time(block->role[i])))
        return import_set_aside(job, ASIDE_OTHER, "the header has no time");
    if (*block->unit)
        return import_set_aside(job, ASIDE_UNIT, "the header's unit is %s", block->unit);
    if (n != block->n)
        return import_set_aside(job, ASIDE_FIELDS, "%zu columns, the header has %zu", n, block->n);
    if (block->verdict && !arrived_right(field[block->verdict]))
        return import_set_aside(job, ASIDE_DATA, "the benchmark's own check says '%.20s'",
                                field[block->verdict]);
    if (*block->type && !import_wanted(job, *conditions, block->type)) {
        job->left_out++;
        return 0;
    }
    respell_commas(block, field, n);
    for (size_t i = 0; i < n; i++) {
        told.text[block->role[i]] = field[i];
        told.scale[block->role[i]] = block->scale[i];
    }
    told.text[ROLE_NONE] = NULL;
    if (import_take(job, &told) < 0)
        return -1;
    if (*block->type)
        import_condition(job, conditions, (const char *const[]){ block->type });
    return 0;
}
