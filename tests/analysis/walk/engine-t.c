/* SPDX-License-Identifier: BSD-3-Clause */
/* engine-t.c - what the walks in the order of time have in common: events come by time, messages of
 * a pair in the order in which they were kept. */
#include "analysis/walk/engine.h"
#include "analysis/walk/stage_walk.h"
#include "harness/base/rng.h"
#include "tests/tap.h"
#include "workloads/schedules/kept.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct schedule chain(int procs)
{
    struct schedule s;
    schedule_init(&s, algorithm_find("bcast", "pipeline"), procs, 0, 100000, 1000, 0, NULL);
    return s;
}

/* ---- time ---- */

static void in_order(void)
{
    const struct schedule s = chain(2);
    struct engine e;
    struct rng rng;
    int wrong = 0;
    engine_begin(&e, &s);
    rng_init(&rng, 1);
    ok(isinf(engine_next(&e)), "nothing happens at first");
    for (int i = 0; i < 1000; i++)
        engine_add_event(&e, (double)rng_below(&rng, 50), i, 0);
    struct engine_event last = { -1, 0, 0, 0 };
    for (int i = 0; i < 1000; i++) {
        const struct engine_event now = engine_take(&e);
        wrong += now.at < last.at || (now.at == last.at && now.rank < last.rank);
        last = now;
    }
    is_int(0, wrong, "a thousand events come by time, those of one time as they were put in");
    ok(isinf(engine_next(&e)), "and no more");
    engine_clear(&e);
}

/* Several that send at their own pace, one of them far ahead, and some at any time: events come as
 * they would if all were sorted. */
static void from_several(void)
{
    const struct schedule s = chain(2);
    struct engine e;
    struct rng rng;
    struct engine_event seen;
    double last = 0;
    int wrong = 0, put = 0, taken = 0;
    engine_begin(&e, &s);
    rng_init(&rng, 7);
    for (int k = 0; k < 2000; k++)
        engine_add_event(&e, 10 * k, -1, ++put);
    while (engine_take_by(&e, 15000, &seen)) {
        wrong += seen.at < last;
        last = seen.at;
        taken++;
        for (int i = 0; i < 7 && put < 20000; i++)
            engine_add_event(&e, last + 3 * i * i + (i == 6 ? (double)rng_below(&rng, 100) : 0), i,
                             ++put);
        wrong += engine_next(&e) < last;
    }
    ok(wrong == 0 && taken > 10000, "events of several that send are put in order, %d of them",
       taken);
    ok(engine_next(&e) > 15000, "and none before the time that was asked for is left");
    engine_drop_events(&e);
    ok(isinf(engine_next(&e)) && !engine_take_by(&e, INFINITY, &seen), "what is forgotten is gone");
    engine_clear(&e);
}

/* ---- messages ---- */

enum { PAIRS = 300, EACH = 7 };

static void first_in_first_out(void)
{
    struct post post = { 0 };
    int wrong = 0;
    for (int k = 0; k < EACH; k++)
        for (int i = 0; i < PAIRS; i++) {
            const struct walk_message m = { .src = i, .dst = i / 2, .bytes = (uint64_t)k };
            post_keep(&post, post_new(&post, &m));
        }
    is_int(PAIRS * EACH, (long long)post.kept, "all wait");
    for (int i = PAIRS; i-- > 0;)
        for (uint64_t k = 0; k < EACH; k++) {
            const int message = post_take(&post, i, i / 2);
            wrong += !message || post_message(&post, message)->bytes != k;
            post_drop(&post, message);
        }
    is_int(0, wrong, "messages of each pair come as they were kept, through every growth");
    is_int(0, post_take(&post, 0, 0), "none is left");
    const int used = post.used;
    const struct walk_message m = { .src = 1, .dst = 2 };
    const int message = post_new(&post, &m);
    ok(post.used == used, "a number comes again");
    is_int(0, post_take(&post, 1, 2), "a message under way does not wait");
    post_keep(&post, message);
    is_int(message, post_take(&post, 1, 2), "one that is kept does");
    post_clear(&post);
}

/* ---- rounds ---- */

static void rounds(void)
{
    const struct schedule s = chain(3);
    struct engine e;
    struct err err;
    engine_begin(&e, &s);
    ok(engine_ended(&e, &err) < 0, "nobody has begun");
    has_str("rank 0 waits in round 0", err.text, "which is told");
    engine_round(&e, 1);
    is_int(1, (long long)e.ranks[1].receives, "rank 1 first receives");
    ok(!engine_find_receive(&e, 1, 2), "not from rank 2");
    ok(engine_look_ahead(&e, 1) == 1, "and may receive the next segment meanwhile");
    struct op *op = engine_find_receive(&e, 1, 0);
    ok(op && op->peer == 0, "from rank 0");
    engine_strike(&e, 1, op);
    ok(!engine_find_receive(&e, 1, 0) && e.ranks[1].receives == 0, "which is struck out");
    e.ranks[1].round++;
    engine_round(&e, 1);
    ok(engine_find_receive(&e, 1, 0) != NULL, "the round that was looked at comes whole");
    engine_clear(&e);
}

/* Rounds that are kept are lent to a walk, which strikes operations out: they come back whole. */
static void check_lent(void)
{
    struct schedule s;
    struct kept kept = { 0 };
    struct engine e;
    struct round round = { 0 };
    schedule_init(&s, algorithm_find("bcast", "binomial"), 4, 0, 8, 0, 0, NULL);
    schedule_keep(&s, &kept);
    engine_begin(&e, &s);
    engine_round(&e, 1);
    struct op *op = engine_find_receive(&e, 1, 0);
    ok(op && e.ranks[1].ops.room == 0, "a round that is kept is lent");
    if (op) {
        engine_strike(&e, 1, op);
        ok(engine_is_struck(op) && !engine_find_receive(&e, 1, 0),
           "what is struck out is not wanted");
    }
    engine_clear(&e);
    schedule_round(&s, 1, 0, &round);
    ok(round.n > 0 && round.ops[0].peer == 0, "and is there again for who comes next");
    round_free(&round);
    kept_clear(&kept);
}

/* Rounds that are kept note the first walk, and the next one goes by that. */
static void check_again(void)
{
    static const int procs[] = { 2, 5, 8, 13 };
    static const struct gamma gamma = { .intercept = 0.9, .slope = 0.1 };
    struct kept kept = { 0 };
    int wrong = 0, noted = 0;
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        for (size_t i = 0; i < sizeof procs / sizeof *procs; i++) {
            struct schedule_arguments arguments = { .procs = procs[i],
                                                    .bytes = 30000,
                                                    .segment_bytes = 4096 };
            struct schedule s;
            double seconds[3];
            uint64_t operations[3];
            arguments.seats =
                (struct seating){ "core", procs[i], 1, procs[i], 2, 4, 0, { .group = { 0 } } };
            if (schedule_make(&s, a, &arguments, NULL) < 0)
                continue;
            for (int k = 0; k < 3; k++) {
                if (k == 1)
                    schedule_keep(&s, &kept);
                struct stage_profile profile;
                wrong += stage_walk(&s, &profile, NULL) < 0;
                seconds[k] = stage_time(&profile, &gamma, 1e-6, 1e-9);
                operations[k] = profile.operations;
                stage_profile_clear(&profile);
            }
            noted += kept.any.walked && kept.any.n > 0;
            for (int k = 1; k < 3; k++)
                wrong += seconds[k] != seconds[0] || operations[k] != operations[0];
        }
    ok(wrong == 0 && noted > 100, "%d schedules are walked again as the first time", noted);
    kept_clear(&kept);
}

int main(void)
{
    check_lent();
    check_again();
    in_order();
    from_several();
    first_in_first_out();
    rounds();
    return tap_done();
}
