/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/sweep/same_failure.h"

#include <ctype.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/memory.h"

enum { MOST_ALIKE = 3 };

/* Every run of digits counts as one. */
static int is_same(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        const int digits = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);
        for (; digits && isdigit((unsigned char)a[1]); a++)
            continue;
        for (; digits && isdigit((unsigned char)b[1]); b++)
            continue;
        if (!digits && *a != *b)
            return 0;
    }
    return *a == *b;
}

int same_failure_is_new(struct sweep *s, const char *reason)
{
    for (size_t i = 0; i < s->alike.n_reasons; i++)
        if (is_same(s->alike.reasons[i].text, reason)) {
            s->alike.reasons[i].again++;
            return 0;
        }
    struct alike_reason *r = array_add(&s->alike.reasons, &s->alike.n_reasons);
    snprintf(r->text, sizeof r->text, "%s", reason);
    return 1;
}

/* What is counted of an MPI; NULL: nothing yet. */
static struct alike_mpi *find(const struct sweep *s, const char *mpi)
{
    for (size_t i = 0; i < s->alike.n_mpis; i++)
        if (strcmp(s->alike.mpis[i].launch->mpi, mpi) == 0)
            return &s->alike.mpis[i];
    return NULL;
}

static struct alike_mpi *find_or_add(struct sweep *s, const struct launch *launch)
{
    struct alike_mpi *m = find(s, launch->mpi);
    if (!m) {
        m = array_add(&s->alike.mpis, &s->alike.n_mpis);
        m->launch = launch;
    }
    return m;
}

void same_failure_works(struct sweep *s, const struct launch *launch)
{
    find_or_add(s, launch)->differ = 1;
}

int same_failure_gives_up(struct sweep *s, const struct job_slot *slot, const char *reason)
{
    const struct task *t = slot->task;
    struct alike_mpi *m = find_or_add(s, t->launch);
    if (m->attempts++ == 0)
        snprintf(m->reason, sizeof m->reason, "%s", reason);
    m->differ |= slot->begun || !is_same(m->reason, reason);
    m->launches += t->fruitless == 1;
    m->hopeless |=
        !m->differ && (m->launches >= MOST_ALIKE || (m->attempts >= MOST_ALIKE && slot->refused));
    return m->hopeless;
}

int same_failure_gave_up(const struct sweep *s, const char *mpi)
{
    const struct alike_mpi *m = find(s, mpi);
    return m && m->hopeless;
}

void same_failure_tell(struct sweep *s)
{
    for (size_t i = 0; i < s->alike.n_reasons; i++)
        if (s->alike.reasons[i].again)
            progress_say(&s->progress, "%zu more attempts ended like that: %s",
                         s->alike.reasons[i].again, s->alike.reasons[i].text);
}

void same_failure_free(struct sweep *s)
{
    memory_free(s->alike.reasons, s->alike.mpis);
}
