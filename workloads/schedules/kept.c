/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/kept.h"

struct kept_round {
    uint32_t first; /* of the ops */
    uint32_t n;
    uint32_t early; /* one more than kept_early; 0: nobody has asked */
    int phase;
};

void kept_empty(struct kept *kept)
{
    kept->n_ops = kept->n_rounds = kept->n_ranks = 0;
    kept->sends = 0;
    kept->any.walked = kept->in_steps.walked = 0;
}

int kept_begin_rank(struct kept *kept, uint64_t rounds)
{
    if (rounds > KEPT_MOST - kept->n_rounds)
        return -1;
    array_room(&kept->first, &kept->room_first, kept->n_ranks + 2);
    kept->first[kept->n_ranks++] = kept->n_rounds;
    kept->first[kept->n_ranks] = kept->n_rounds + (size_t)rounds;
    return 0;
}

int kept_add(struct kept *kept, const struct round *round)
{
    if (round->n > KEPT_MOST - kept->n_ops)
        return -1;
    array_room(&kept->ops, &kept->room_ops, kept->n_ops + round->n);
    array_room(&kept->rounds, &kept->room_rounds, kept->n_rounds + 1);
    kept->rounds[kept->n_rounds++] = (struct kept_round){ .first = (uint32_t)kept->n_ops,
                                                          .n = (uint32_t)round->n,
                                                          .phase = round->phase };
    for (size_t i = 0; i < round->n; i++) {
        kept->sends += round->ops[i].kind == OP_SEND;
        kept->ops[kept->n_ops++] = round->ops[i];
    }
    return 0;
}

uint64_t kept_rounds(const struct kept *kept, int rank)
{
    return kept->first[rank + 1] - kept->first[rank];
}

size_t kept_place_of(const struct kept *kept, int rank, uint64_t k)
{
    return kept->first[rank] + (size_t)k;
}

void kept_nth_round(const struct kept *kept, size_t nth, struct round *out)
{
    const struct kept_round *round = &kept->rounds[nth];
    round_free(out);
    *out = (struct round){ .ops = round->n ? kept->ops + round->first : NULL,
                           .n = round->n,
                           .phase = round->phase };
}

void kept_round(const struct kept *kept, int rank, uint64_t k, struct round *out)
{
    kept_nth_round(kept, kept_place_of(kept, rank, k), out);
}

void kept_note(struct kept_walk *walk, struct kept_step step)
{
    array_room(&walk->step, &walk->room, walk->n + 1);
    walk->step[walk->n++] = step;
    walk->places = step.place >= walk->places ? step.place + 1 : walk->places;
}

size_t kept_early(const struct kept *kept, int rank, uint64_t k)
{
    struct kept_round *round = &kept->rounds[kept_place_of(kept, rank, k)];
    struct round now = { 0 }, next = { 0 };
    if (!round->early) {
        kept_round(kept, rank, k, &now);
        kept_round(kept, rank, k + 1, &next);
        round->early = (uint32_t)round_early(&now, &next) + 1;
    }
    return round->early - 1;
}

CLEARS(kept_clear, kept, it->ops, it->rounds, it->first, it->any.step, it->in_steps.step)
