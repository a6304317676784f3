/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/sequence.h"

#include "workloads/schedules/collectives.h"
#include "workloads/schedules/decision.h"

struct sequence_part sequence_chosen(const struct schedule *s, const char *collective,
                                     uint64_t bytes)
{
    static const char rule[] = "openmpi41";
    struct sequence_part part = { .at = { 0 } };
    struct decision d;
    struct err err = { 0 };
    if (!s->ordered || !decide_ordered(rule, collective, s->procs, bytes, &d))
        decide(rule, collective, s->procs, bytes, &d);
    const struct schedule_arguments a = { .procs = s->procs,
                                          .bytes = bytes,
                                          .segment_bytes = d.segment_bytes,
                                          .fanout = d.fanout,
                                          .element_bytes = s->element_bytes,
                                          .ordered = s->ordered };
    schedule_make(&part.s, algorithm_find(collective, d.algorithm), &a, &err);
    return part;
}

uint64_t sequence_rounds(const struct sequence_part *parts, int n, int rank)
{
    uint64_t rounds = 0;
    for (int i = 0; i < n; i++)
        rounds += schedule_rounds(&parts[i].s, rank);
    return rounds;
}

static void move(const struct sequence_part *part, enum op_buffer *buf, uint64_t *offset)
{
    *offset += part->at[*buf];
    *buf = part->buf[*buf];
}

void sequence_round(const struct sequence_part *parts, int n, int rank, uint64_t k,
                    struct round *out)
{
    int i = 0;
    for (uint64_t rounds; i + 1 < n && k >= (rounds = schedule_rounds(&parts[i].s, rank)); i++)
        k -= rounds;
    const size_t first = out->n;
    parts[i].s.alg->round(&parts[i].s, rank, k, out);
    out->phase += SEQUENCE_MOST_PHASES * i;
    for (size_t o = first; o < out->n; o++) {
        struct op *op = &out->ops[o];
        move(&parts[i], &op->buf, &op->offset);
        if (op->kind == OP_COPY || op->kind == OP_REDUCE)
            move(&parts[i], &op->src_buf, &op->src_offset);
    }
}

uint64_t sequence_temp_bytes(const struct sequence_part *parts, int n, int rank)
{
    uint64_t most = 0;
    for (int i = 0; i < n; i++)
        for (enum op_buffer b = 0; b < N_BUFFERS; b++) {
            const uint64_t bytes = schedule_buffer_bytes(&parts[i].s, b, rank);
            if (bytes && parts[i].buf[b] == BUF_TEMP && parts[i].at[b] + bytes > most)
                most = parts[i].at[b] + bytes;
        }
    return most;
}
