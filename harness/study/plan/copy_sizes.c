/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/plan/copy_sizes.h"

#include "workloads/schedules/schedule.h"

struct range {
    uint64_t least, most; /* bytes; most 0: nothing is copied */
};

static void add_round(struct range *range, const struct round *round)
{
    for (size_t i = 0; i < round->n; i++) {
        const struct op *op = &round->ops[i];
        if (op->kind != OP_COPY || op->bytes == 0)
            continue;
        if (range->most == 0 || op->bytes < range->least)
            range->least = op->bytes;
        if (op->bytes > range->most)
            range->most = op->bytes;
    }
}

/* Among more ranks than these, or more rounds of a rank, only every so many is looked at, and the
 * last one: sizes that none of these copies are not found. A ring has as many rounds as ranks, and
 * a round may have as many operations: of very many ranks fewer are looked at. */
enum { MOST_RANKS = 256, LEAST_RANKS = 16, MOST_ROUNDS = 4096, MOST_OPERATIONS = 1 << 24 };

static uint64_t next_of(uint64_t i, uint64_t n, uint64_t looked_at)
{
    const uint64_t next = i + (n + looked_at - 1) / looked_at;
    return next < n || i == n - 1 ? next : n - 1;
}

/* What the ranks of one algorithm copy. */
static int add_algorithm(struct range *range, const struct algorithm *a, int procs, uint64_t bytes,
                         struct err *err)
{
    struct round round = { 0 };
    struct schedule s;
    if (a->unfit && schedule_init(&s, a, procs, 0, bytes, 0, 0, NULL) < 0)
        return 0; /* it is not planned */
    if (schedule_init(&s, a, procs, 0, bytes, 0, 0, err) < 0)
        return -1;
    const uint64_t ranks = (uint64_t)procs, fit = MOST_OPERATIONS / ranks,
                   looked_at = fit > MOST_RANKS    ? MOST_RANKS
                               : fit < LEAST_RANKS ? LEAST_RANKS
                                                   : fit;
    for (uint64_t r = 0; r < ranks; r = next_of(r, ranks, looked_at)) {
        const int rank = (int)r;
        const uint64_t rounds = schedule_rounds(&s, rank);
        for (uint64_t k = 0; k < rounds; k = next_of(k, rounds, MOST_ROUNDS)) {
            schedule_round(&s, rank, k, &round);
            add_round(range, &round);
        }
    }
    round_free(&round);
    return 0;
}

static int add_collective(struct range *range, const char *collective, int procs, uint64_t bytes,
                          struct err *err)
{
    const struct collective *c = collective_find(collective);
    for (const struct algorithm *a = NULL; c && (a = collective_algorithm(c, a));)
        if (add_algorithm(range, a, procs, bytes, err) < 0)
            return -1;
    return 0;
}

int plan_copy_sizes(const struct study *study, const char *collective, struct size_list *sizes,
                    struct err *err)
{
    struct range range = { 0, 0 };
    uint64_t least = UINT64_MAX, most = 0;
    int procs = 1;
    *sizes = study->copy_bytes;
    if (sizes->n)
        return 0;
    for (size_t i = 0; i < study->bytes.n; i++) {
        least = study->bytes.v[i] < least ? study->bytes.v[i] : least;
        most = study->bytes.v[i] > most ? study->bytes.v[i] : most;
    }
    for (size_t i = 0; i < study->procs.n; i++)
        procs = study->procs.v[i] > procs ? study->procs.v[i] : procs;
    if (add_collective(&range, collective, procs, least, err) < 0 ||
        add_collective(&range, collective, procs, most, err) < 0)
        return -1;
    for (uint64_t m = range.least; m < range.most && sizes->n + 1 < KEY_LIST_MAX; m *= 2)
        sizes->v[sizes->n++] = m;
    if (range.most)
        sizes->v[sizes->n++] = range.most;
    return 0;
}
