/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/sequence.h"

#include "workloads/schedules/decision.h"

static uint64_t all_bytes(const struct schedule *s)
{
    return s->collective->send.amount == AMOUNT_EACH ? schedule_given_at(s, 0, s->procs)
                                                     : schedule_got_at(s, s->procs, 0);
}

static struct schedule_choice choose(const struct schedule *s, const struct sequence_part *part)
{
    static const char rule[] = "openmpi41";
    struct schedule made = { .alg = NULL };
    struct decision d;
    struct err err = { 0 };
    const char *collective = part->way == WAY_UP ? s->collective->up : s->collective->down;
    const uint64_t bytes = part->of_all ? all_bytes(s) : s->bytes;
    if (!s->ordered || !decide_ordered(rule, collective, s->procs, bytes, &d))
        decide(rule, collective, s->procs, bytes, NULL, &d);
    const struct schedule_arguments a = { .procs = s->procs,
                                          .bytes = bytes,
                                          .segment_bytes = d.segment_bytes,
                                          .fanout = d.fanout,
                                          .element_bytes = part->as_one ? bytes : s->element_bytes,
                                          .ordered = s->ordered };
    schedule_make(&made, algorithm_find(collective, d.algorithm), &a, &err);
    return (struct schedule_choice){ .collective = made.collective,
                                     .asked = made.asked,
                                     .alg = made.alg,
                                     .bytes = made.bytes,
                                     .element_bytes = made.element_bytes,
                                     .segment_bytes = made.segment_bytes,
                                     .segments = made.segments,
                                     .fanout = made.fanout };
}

static const struct sequence *sequence_of(const struct schedule *s)
{
    return s->alg->recipe;
}

void sequence_prepare(struct schedule *s)
{
    const struct sequence *q = sequence_of(s);
    for (int i = 0; q->part[i].way; i++)
        s->choice[i] = choose(s, &q->part[i]);
}

static struct schedule part_of(const struct schedule *s, int i)
{
    const struct schedule_choice *c = &s->choice[i];
    struct schedule part = { .asked = c->asked,
                             .alg = c->alg,
                             .collective = c->collective,
                             .procs = s->procs,
                             .bytes = c->bytes,
                             .element_bytes = c->element_bytes,
                             .segment_bytes = c->segment_bytes,
                             .segments = c->segments,
                             .fanout = c->fanout,
                             .ordered = s->ordered };
    part.blocks = collective_blocks(c->collective, s->procs, c->bytes, c->element_bytes);
    return part;
}

static struct op_places places_of(const struct schedule *s, int i, int rank)
{
    const struct sequence_part *part = &sequence_of(s)->part[i];
    struct op_places w = { .at = { 0 } };
    memcpy(w.buf, part->buf, sizeof w.buf);
    w.at[BUF_TEMP] = part->behind && rank == 0 ? all_bytes(s) : 0;
    return w;
}

uint64_t sequence_rounds(const struct schedule *s, int rank)
{
    uint64_t rounds = 0;
    for (int i = 0; sequence_of(s)->part[i].way; i++) {
        const struct schedule part = part_of(s, i);
        rounds += schedule_rounds(&part, rank);
    }
    return rounds;
}

void sequence_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    struct schedule part = part_of(s, 0);
    int i = 0;
    for (uint64_t rounds; k >= (rounds = schedule_rounds(&part, rank));) {
        k -= rounds;
        part = part_of(s, ++i);
    }
    const size_t first = out->n;
    const struct op_places w = places_of(s, i, rank);
    schedule_add_round(&part, rank, k, out);
    out->phase += SEQUENCE_MOST_PHASES * i;
    round_move(out, first, &w);
}

uint64_t sequence_temp_bytes(const struct schedule *s, int rank)
{
    uint64_t most = 0;
    for (int i = 0; sequence_of(s)->part[i].way; i++) {
        const struct schedule part = part_of(s, i);
        const struct op_places w = places_of(s, i, rank);
        for (enum op_buffer b = 0; b < N_BUFFERS; b++) {
            const uint64_t bytes = schedule_buffer_bytes(&part, b, rank);
            if (bytes && w.buf[b] == BUF_TEMP && w.at[b] + bytes > most)
                most = w.at[b] + bytes;
        }
    }
    return most;
}
