/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/proof/proof.h"

void proof_begin(const struct proof *proof)
{
    const struct proof_source *s = proof->source;
    for (int i = 0; s && i < s->n; i++)
        s->counters[i] = 0;
}

void proof_take(struct proof *proof, int times)
{
    const struct proof_source *s = proof->source;
    for (int i = 0; s && i < s->n; i++)
        proof->unit[i] += (uint64_t)times * s->counters[i];
    proof_begin(proof);
}

/* Sums wrap, and so do both sides. */
int proof_check(const struct proof *proof, struct err *err)
{
    const struct proof_source *s = proof->source;
    char name[128];
    for (int i = 0; s && i < s->n; i++) {
        if (s->counters[i] == proof->calls * proof->unit[i])
            continue;
        s->name(i, name, sizeof name);
        return err_set(err, "%llu timed calls made %llu %s (want %llu, by the call before them)",
                       (unsigned long long)proof->calls, (unsigned long long)s->counters[i], name,
                       (unsigned long long)(proof->calls * proof->unit[i]));
    }
    return 0;
}
