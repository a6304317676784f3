/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/models/parameters.h"

const void *parameters_of(const struct parameters *p, const struct parameter_set *set)
{
    for (size_t i = 0; i < MAX_SETS && p->held[i].set; i++)
        if (p->held[i].set == set)
            return p->held[i].value;
    return NULL;
}

static void drop(struct held_set *h)
{
    if (h->own) {
        h->set->clear(h->own);
        free(h->own);
    }
    *h = (struct held_set){ .set = h->set };
}

int parameters_fit(struct parameters *p, const struct parameter_set *set,
                   const struct fit_from *from, struct err *err)
{
    const size_t i = first_below(k, MAX_SETS, !(p->held[k].set && p->held[k].set != set));
    if (i == MAX_SETS)
        return err_set(err, "more than %d sets of parameters", MAX_SETS);
    void *value = memory_zeros(1, set->size);
    if (set->fit(from, p, value, err) < 0) {
        free(value);
        return -1;
    }
    drop(&p->held[i]);
    p->held[i] = (struct held_set){ .set = set, .value = value, .own = value };
    return 0;
}

int parameters_fit_all(struct parameters *p, const struct fit_from *from, struct err *err)
{
    for (const struct parameter_set *const *s = parameter_sets; *s; s++)
        if (parameters_fit(p, *s, from, err) < 0)
            return -1;
    return 0;
}

int parameters_write(const struct parameters *p, const char *dir, const struct fit_from *from,
                     struct err *err)
{
    for (size_t i = 0; i < MAX_SETS && p->held[i].set; i++) {
        const struct parameter_set *set = p->held[i].set;
        if (p->held[i].own && set->write && set->write(dir, from, p, p->held[i].own, err) < 0)
            return -1;
    }
    return 0;
}

struct parameters parameters_without_split(const struct parameters *p)
{
    struct parameters q = { .facts = p->facts, .against = p->against };
    size_t n = 0;
    for (size_t i = 0; i < MAX_SETS && p->held[i].set; i++)
        if (!p->held[i].set->by_split)
            q.held[n++] = (struct held_set){ .set = p->held[i].set, .value = p->held[i].value };
    return q;
}

void parameters_clear(struct parameters *p)
{
    for (size_t i = 0; i < MAX_SETS && p->held[i].set; i++)
        drop(&p->held[i]);
    *p = (struct parameters){ .facts = NULL };
}
