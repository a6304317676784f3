/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/audit/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/number.h"
#include "harness/base/array.h"

const char *const severity_words[N_SEVERITY + 1] = {
    [AUDIT_NOTE] = "note",
    [AUDIT_DOUBTFUL] = "doubtful",
    [AUDIT_WRONG] = "wrong",
};

const char *audit_check_name(const struct audit_check *check)
{
    return check->name;
}

struct finding *finding_new(struct audit *audit, const struct audit_check *check)
{
    struct finding *f = array_add(&audit->finding, &audit->n);
    f->check = check;
    return f;
}

/* The gravest first, then check by check, what concerns most first. */
static int by_gravity(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    if (a->severity != b->severity)
        return a->severity > b->severity ? -1 : 1;
    const int c = strcmp(a->check->name, b->check->name);
    if (c)
        return c;
    if (a->points != b->points)
        return a->points > b->points ? -1 : 1;
    const int d = strcmp(a->subject, b->subject);
    return d ? d : strcmp(a->evidence, b->evidence);
}

/* From how many on findings about the same labels are one fact. */
enum { MANY = 4 };

static int same_fact(const struct finding *a, const struct finding *b)
{
    return a->check == b->check && a->severity == b->severity &&
           strcmp(a->subject, b->subject) == 0;
}

static int by_fact(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int c = strcmp(a->check->name, b->check->name);
    c = c ? c : (int)a->severity - (int)b->severity;
    c = c ? c : strcmp(a->subject, b->subject);
    c = c ? c : (a->points < b->points) - (a->points > b->points);
    return c ? c : strcmp(a->evidence, b->evidence);
}

/* The first of n findings tells all. */
static void tell_all(struct finding *f, size_t n)
{
    char one[sizeof f->evidence];
    size_t points = 0;
    for (size_t i = 0; i < n; i++)
        points += f[i].points;
    snprintf(one, sizeof one, "%s", f->evidence);
    f->points = points;
    snprintf(f->evidence, sizeof f->evidence, "%zu time%s, %zu point%s; the most: %.300s",
             COUNTED(n), COUNTED(points), one);
}

void findings_settle(struct audit *audit)
{
    size_t kept = 0;
    if (!audit->n)
        return;
    qsort(audit->finding, audit->n, sizeof *audit->finding, by_fact);
    for (size_t i = 0, end; i < audit->n; i = end) {
        for (end = i + 1; end < audit->n && same_fact(&audit->finding[i], &audit->finding[end]);)
            end++;
        const size_t n = end - i >= MANY ? 1 : end - i;
        if (end - i >= MANY)
            tell_all(&audit->finding[i], end - i);
        for (size_t k = 0; k < n; k++)
            audit->finding[kept++] = audit->finding[i + k];
    }
    audit->n = kept;
    qsort(audit->finding, audit->n, sizeof *audit->finding, by_gravity);
}

void audit_clear(struct audit *audit)
{
    free(audit->finding);
    *audit = (struct audit){ .n = 0 };
}
