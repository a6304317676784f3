/* SPDX-License-Identifier: BSD-3-Clause */
/* draw-t.c - pictures of every algorithm: well-formed and complete; and the trace that they are
 * drawn from agrees with the stage walker and with the traffic. */
#include "analysis/walk/stage_walk.h"
#include "tests/tap.h"
#include "workloads/schedules/draw.h"
#include "workloads/schedules/trace.h"

/* ---- the picture as text ---- */

static char *picture(const struct schedule *s, struct err *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int status = draw_dot(s, out, err);
    fclose(out);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

/* 1 when quotes are paired and every brace and bracket outside them is closed. */
static int is_well_formed(const char *text)
{
    int depth = 0, quoted = 0;
    for (; *text && depth >= 0; text++) {
        quoted ^= *text == '"';
        depth += !quoted && strchr("{[", *text);
        depth -= !quoted && strchr("}]", *text);
    }
    return depth == 0 && !quoted;
}

static void check_picture(const struct algorithm *alg, int procs, int root)
{
    struct schedule s;
    struct err err = { 0 };
    schedule_init(&s, alg, procs, root, 65536, 8192, 0, &err);
    char *text = picture(&s, &err);
    int ranks = text ? count(text, "class=\"rank\"") : 0;
    ok(text && is_well_formed(text) && (procs == 1 ? ranks == 0 : ranks >= procs) &&
           ranks % procs == 0,
       "%s %s, P = %d: well-formed, %d ranks", algorithm_collective(alg)->name, alg->name, procs,
       ranks);
    free(text);
}

static void check_content(void)
{
    struct schedule s;
    struct err err = { 0 };
    schedule_init(&s, algorithm_find("bcast", "binomial"), 16, 3, 65536, 8192, 0, &err);
    char *text = picture(&s, &err);
    is_int(15, count(text, "class=\"edge\""), "a tree of 16 has 15 edges");
    has_str("16 processes, root 3, 64 KiB in 8 segments of 8 KiB", text, "arguments are shown");
    has_str("120 messages, 960 KiB in all, 11 stages", text, "totals are shown");
    free(text);

    schedule_init(&s, algorithm_find("allgather", "ring"), 5, 0, 100, 0, 0, &err);
    text = picture(&s, &err);
    has_str("5 processes, 100 B\\l", text, "an allgather's arguments");
    is_int(0, count(text, "root"), "it has no root");
    free(text);

    schedule_init(&s, algorithm_find("bcast", "split_binary_tree"), 8, 0, 100, 60, 0, &err);
    text = picture(&s, &err);
    has_str("bcast · pipeline", text, "what runs is drawn");
    has_str("runs in place of split_binary_tree", text, "… and what was asked is said");
    free(text);

    schedule_init(&s, algorithm_find("bcast", "split_binary_tree"), 9, 0, 64, 8, 0, &err);
    text = picture(&s, &err);
    is_int(8, count(text, "class=\"edge\""), "the split tree's tree");
    is_int(8, count(text, "class=\"message\""), "… and its exchange, step by step");
    free(text);

    schedule_init(&s, algorithm_find("bcast", "binomial"), 129, 0, 64, 8, 0, &err);
    ok(picture(&s, &err) == NULL, "129 ranks are not drawn");
    is_int(EXIT_USAGE, err.status, "… as wrong usage");
}

/* ---- the trace ---- */

static void add_pair(const struct traffic *pair, void *arg)
{
    struct traffic *sum = arg;
    sum->messages += pair->messages;
    sum->bytes += pair->bytes;
}

static void check_trace(const struct algorithm *alg)
{
    int wrong = 0, n = 0;
    for (int procs = 1; procs <= 70; procs += procs < 18 ? 1 : 13)
        for (uint64_t bytes = 1; bytes < 3000; bytes = bytes * 3 + 1, n++) {
            struct schedule s;
            struct trace t;
            struct stage_profile profile;
            struct traffic sum = { 0 };
            struct err err = { 0 };
            uint64_t total = 0;
            schedule_init(&s, alg, procs, procs / 2, bytes, 100, 0, &err);
            if (trace(&s, &t, &err) < 0 || stage_walk(&s, &profile, &err) < 0) {
                if (wrong++ < 5)
                    diag("P = %d: %s", procs, err.text);
                continue;
            }
            traffic_each(&s, add_pair, &sum);
            for (size_t i = 0; i < t.n; i++)
                total += t.v[i].bytes;
            wrong += (t.phases ? t.last_stage[t.phases - 1] : 0) != profile.stages ||
                     sum.messages != t.n || sum.bytes != total;
            trace_clear(&t);
            stage_profile_clear(&profile);
        }
    ok(wrong == 0,
       "%s %s: trace, walker and traffic agree on stages, messages and bytes (%d cases)",
       algorithm_collective(alg)->name, alg->name, n);
}

int main(void)
{
    /* among many ranks where the root's tree is drawn; P^2 arrows show nothing, and take long */
    static const int procs[] = { 1, 2, 3, 8, 16, 67, 128 }, few = 16;
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a)) {
        if (a->levels)
            continue; /* nothing without the names of what is combined */
        for (size_t i = 0; i < sizeof procs / sizeof *procs; i++)
            if (procs[i] <= few || algorithm_collective(a)->rooted)
                check_picture(a, procs[i], procs[i] / 2);
        check_trace(a);
    }
    check_content();
    return tap_done();
}
