/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier_rounds-t.c - barriers by their steps: both ends agree, and nobody leaves who has not
 * heard, by whomever, of every rank. And what two and six ranks do, by hand. */
#include "analysis/walk/seat_walk_time.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

/* Rows of procs flags: whose coming a rank has heard of. */
struct heard {
    unsigned char *now, *before;
    size_t procs;
};

static int disagree(enum barrier kind, int procs, int round)
{
    int wrong = 0;
    for (int i = 0; i < procs; i++) {
        const struct barrier_step s = barrier_step(kind, procs, i, round);
        wrong += s.to >= 0 && barrier_step(kind, procs, s.to, round).from != i;
        wrong += s.from >= 0 && barrier_step(kind, procs, s.from, round).to != i;
    }
    return wrong;
}

static void tell_all(struct heard *h, enum barrier kind, int round)
{
    memcpy(h->before, h->now, h->procs * h->procs);
    for (size_t i = 0; i < h->procs; i++) {
        const int from = barrier_step(kind, (int)h->procs, (int)i, round).from;
        for (size_t k = 0; from >= 0 && k < h->procs; k++)
            h->now[i * h->procs + k] |= h->before[(size_t)from * h->procs + k];
    }
}

static void complete(enum barrier kind, int procs)
{
    struct heard h = { .procs = (size_t)procs };
    h.now = calloc(2 * h.procs * h.procs, 1);
    h.before = h.now + h.procs * h.procs;
    int wrong = 0;
    size_t missing = h.procs * h.procs;
    for (size_t i = 0; i < h.procs; i++)
        h.now[i * h.procs + i] = 1;
    for (int round = 0; round < barrier_rounds(kind, procs); round++) {
        wrong += disagree(kind, procs, round);
        tell_all(&h, kind, round);
    }
    for (size_t i = 0; i < h.procs * h.procs; i++)
        missing -= h.now[i];
    is_int(0, wrong, "kind %d among %d: both ends of each message agree", (int)kind, procs);
    is_int(0, (long)missing, "... and all hear of all");
    free(h.now);
}

static void by_hand(void)
{
    is_int(0, barrier_rounds(BARRIER_NONE, 8), "no barrier: no rounds");
    is_int(0, barrier_rounds(BARRIER_OPENMPI41, 1), "nor for one rank");
    is_int(1, barrier_rounds(BARRIER_OPENMPI41, 2), "two ranks exchange");
    is_int(10, barrier_rounds(BARRIER_OPENMPI41, 6), "six: five to rank 0, five back");
    is_int(5, barrier_step(BARRIER_OPENMPI41, 6, 0, 4).from, "... the last one comes from 5");
    is_int(1, barrier_step(BARRIER_OPENMPI41, 6, 0, 5).to, "... then 1 is told first");
    /* Ten ranks, eight of them double; 8 and 9 tell 0 and 1 first, hear last, and acknowledge. */
    is_int(6, barrier_rounds(BARRIER_OPENMPI41, 10), "ten: one, three, one and one");
    is_int(8, barrier_step(BARRIER_OPENMPI41, 10, 0, 0).from, "rank 0 hears from 8 first");
    is_int(4, barrier_step(BARRIER_OPENMPI41, 10, 0, 3).to, "... exchanges with 4 last");
    is_int(8, barrier_step(BARRIER_OPENMPI41, 10, 0, 4).to, "... then tells 8");
    is_int(8, barrier_step(BARRIER_OPENMPI41, 10, 0, 5).from, "... and hears that 8 has heard");
    is_int(-1, barrier_step(BARRIER_OPENMPI41, 10, 5, 4).to, "rank 5 is done before");
}

int main(void)
{
    static const int procs[] = {
        2, 3, 4, 5, 7, 8, 13, 16, 31, 63, 64, 100, 255, 256, 257, 511, 512
    };
    for (size_t i = 0; i < sizeof procs / sizeof *procs; i++) {
        complete(BARRIER_DISSEMINATION, procs[i]);
        complete(BARRIER_OPENMPI41, procs[i]);
    }
    by_hand();
    return tap_done();
}
