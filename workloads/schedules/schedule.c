/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/schedules/schedule.h"

static const char *describe(const struct algorithm *alg)
{
    return alg ? alg->name : "(none)";
}

static int check_arguments(const struct algorithm *alg, int procs, int root, int fanout,
                           struct err *err)
{
    if (!alg)
        return err_usage(err, "no algorithm was given");
    if (!collective_find(alg->collective))
        return err_usage(err, "%s: '%s' is not a collective", alg->name, alg->collective);
    if (procs < 1)
        return err_usage(err, "%s: %d processes (want at least 1)", describe(alg), procs);
    if (root < 0 || root >= procs)
        return err_usage(err, "%s: root %d is not a rank of %d processes", describe(alg), root,
                         procs);
    if (fanout < 0)
        return err_usage(err, "%s: fan-out %d (want 0 for the default, or more)", describe(alg),
                         fanout);
    if (alg->default_fanout && fanout && fanout < alg->min_fanout)
        return err_usage(err, "%s: fan-out %d (want at least %d)", describe(alg), fanout,
                         alg->min_fanout);
    return 0;
}

/* What of the arguments this algorithm takes; the library ignores the rest, and so do we. */
static void take_arguments(struct schedule *s, const struct algorithm *alg, uint64_t segment_bytes,
                           int fanout)
{
    s->alg = alg;
    s->segment_bytes = alg->segmented ? segment_bytes : 0;
    s->fanout = !alg->default_fanout ? 0 : fanout ? fanout : alg->default_fanout;
    s->segments = 1;
    if (s->segment_bytes && s->segment_bytes < s->bytes)
        s->segments = s->bytes / s->segment_bytes + (s->bytes % s->segment_bytes != 0);
}

static int has_many_blocks(const struct collective *c)
{
    return c->send.amount == AMOUNT_EACH || c->recv.amount == AMOUNT_EACH;
}

int schedule_init(struct schedule *s, const struct algorithm *alg, int procs, int root,
                  uint64_t bytes, uint64_t segment_bytes, int fanout, struct err *err)
{
    if (check_arguments(alg, procs, root, fanout, err) < 0)
        return -1;
    if (bytes > UINT64_MAX / (uint64_t)procs && has_many_blocks(collective_find(alg->collective)))
        return err_usage(err, "%s: %d blocks of %llu bytes are more than can be counted",
                         describe(alg), procs, (unsigned long long)bytes);
    *s = (struct schedule){ .asked = alg, .procs = procs, .root = root, .bytes = bytes };
    take_arguments(s, alg, segment_bytes, fanout);
    const struct algorithm *instead = alg->substitute ? alg->substitute(s) : NULL;
    if (instead)
        take_arguments(s, instead, segment_bytes, fanout);
    return 0;
}

uint64_t schedule_rounds(const struct schedule *s, int rank)
{
    return s->alg->rounds(s, rank);
}

int schedule_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    out->n = 0;
    out->phase = 0;
    out->failed = 0;
    s->alg->round(s, rank, k, out);
    return out->failed ? -1 : 0;
}

uint64_t schedule_temp_bytes(const struct schedule *s, int rank)
{
    return s->alg->temp_bytes ? s->alg->temp_bytes(s, rank) : 0;
}

uint64_t schedule_buffer_bytes(const struct schedule *s, enum op_buffer buf, int rank)
{
    if (buf == BUF_TEMP)
        return schedule_temp_bytes(s, rank);
    return collective_buffer_bytes(collective_find(s->alg->collective), buf, s->procs, s->bytes,
                                   rank == s->root);
}
