/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/sequence.h"

#include <string.h>

#include "workloads/schedules/collectives.h"
#include "workloads/schedules/decision.h"

void sequence_choose(struct schedule *s, int i, const char *collective, uint64_t bytes,
                     uint64_t element_bytes)
{
    static const char rule[] = "openmpi41";
    struct schedule made = { .alg = NULL };
    struct decision d;
    struct err err = { 0 };
    if (!s->ordered || !decide_ordered(rule, collective, s->procs, bytes, &d))
        decide(rule, collective, s->procs, bytes, NULL, &d);
    const struct schedule_arguments a = { .procs = s->procs,
                                          .bytes = bytes,
                                          .segment_bytes = d.segment_bytes,
                                          .fanout = d.fanout,
                                          .element_bytes = element_bytes,
                                          .ordered = s->ordered };
    schedule_make(&made, algorithm_find(collective, d.algorithm), &a, &err);
    s->choice[i] = (struct schedule_choice){ .collective = made.collective,
                                             .asked = made.asked,
                                             .alg = made.alg,
                                             .bytes = made.bytes,
                                             .element_bytes = made.element_bytes,
                                             .segment_bytes = made.segment_bytes,
                                             .segments = made.segments,
                                             .fanout = made.fanout };
}

/* Part i of s as a rank sees it; part: { 0 }, or another one of them. */
static void make_part(const struct schedule *s, const struct sequence *q, int i, int rank,
                      struct sequence_part *part)
{
    const struct schedule_choice *c = &s->choice[i];
    struct schedule *of = &part->s;
    of->asked = c->asked;
    of->alg = c->alg;
    of->collective = c->collective;
    of->procs = s->procs;
    of->bytes = c->bytes;
    of->element_bytes = c->element_bytes;
    of->segment_bytes = c->segment_bytes;
    of->segments = c->segments;
    of->fanout = c->fanout;
    of->ordered = s->ordered;
    of->blocks = collective_blocks(c->collective, s->procs, c->bytes, c->element_bytes);
    memset(part->at, 0, sizeof part->at);
    q->map(s, i, rank, part);
}

uint64_t sequence_rounds(const struct schedule *s, const struct sequence *q, int rank)
{
    struct sequence_part part = { .at = { 0 } };
    uint64_t rounds = 0;
    for (int i = 0; i < q->n; i++) {
        make_part(s, q, i, rank, &part);
        rounds += schedule_rounds(&part.s, rank);
    }
    return rounds;
}

static void move(const struct sequence_part *part, enum op_buffer *buf, uint64_t *offset)
{
    *offset += part->at[*buf];
    *buf = part->buf[*buf];
}

void sequence_round(const struct schedule *s, const struct sequence *q, int rank, uint64_t k,
                    struct round *out)
{
    struct sequence_part part = { .at = { 0 } };
    int i = 0;
    make_part(s, q, 0, rank, &part);
    for (uint64_t rounds; i + 1 < q->n && k >= (rounds = schedule_rounds(&part.s, rank));) {
        k -= rounds;
        make_part(s, q, ++i, rank, &part);
    }
    const size_t first = out->n;
    part.s.alg->round(&part.s, rank, k, out);
    out->phase += SEQUENCE_MOST_PHASES * i;
    for (size_t o = first; o < out->n; o++) {
        struct op *op = &out->ops[o];
        move(&part, &op->buf, &op->offset);
        if (op->kind == OP_COPY || op->kind == OP_REDUCE)
            move(&part, &op->src_buf, &op->src_offset);
    }
}

uint64_t sequence_temp_bytes(const struct schedule *s, const struct sequence *q, int rank)
{
    struct sequence_part part = { .at = { 0 } };
    uint64_t most = 0;
    for (int i = 0; i < q->n; i++) {
        make_part(s, q, i, rank, &part);
        for (enum op_buffer b = 0; b < N_BUFFERS; b++) {
            const uint64_t bytes = schedule_buffer_bytes(&part.s, b, rank);
            if (bytes && part.buf[b] == BUF_TEMP && part.at[b] + bytes > most)
                most = part.at[b] + bytes;
        }
    }
    return most;
}
