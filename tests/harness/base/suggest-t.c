/* SPDX-License-Identifier: BSD-3-Clause */
/* What a word that is no name may stand for. */
#include "harness/base/suggest.h"

#include <string.h>

#include "harness/study/suggest_names.h"
#include "tests/tap.h"

static void distances(void)
{
    static const struct {
        const char *a, *b;
        size_t changes;
    } rows[] = {
        { "", "", 0 },           { "", "abc", 3 },         { "bcast", "bcast", 0 },
        { "bcst", "bcast", 1 },  { "bcasst", "bcast", 1 }, { "bcast", "bcaat", 1 },
        { "bacst", "bcast", 1 }, { "BCAST", "bcast", 0 },  { "all-reduce", "all_reduce", 0 },
        { "ca", "abc", 3 },      { "reduce", "bcast", 6 }
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t there = suggest_changes(rows[i].a, rows[i].b),
                     back = suggest_changes(rows[i].b, rows[i].a);
        ok(there == rows[i].changes && back == there, "'%s' to '%s': %zu changes (%zu, %zu)",
           rows[i].a, rows[i].b, rows[i].changes, there, back);
    }
    char a[200], b[200];
    memset(a, 'a', sizeof a - 1);
    memset(b, 'b', sizeof b - 1);
    a[199] = b[199] = '\0';
    ok(suggest_changes(a, b) == SUGGEST_NAME - 1, "of long words the beginning counts");
}

/* Of collectives. */
static void means(const char *word, const char *wanted)
{
    struct suggest m;
    suggest_init(&m, word);
    meant_collectives(&m);
    const char *seen = suggest_name(&m);
    ok((!wanted && !seen) || (wanted && seen && strcmp(wanted, seen) == 0), "'%s' means %s (%s)",
       word, wanted ? wanted : "nothing", seen ? seen : "nothing");
}

static void algorithm_means(const char *word, const char *wanted)
{
    struct suggest m;
    suggest_init(&m, word);
    meant_algorithms(&m, "bcast");
    const char *seen = suggest_name(&m);
    ok((!wanted && !seen) || (wanted && seen && strcmp(wanted, seen) == 0),
       "'%s' of bcast means %s (%s)", word, wanted ? wanted : "nothing", seen ? seen : "nothing");
}

int main(void)
{
    struct err err = { 0 };
    struct suggest m;
    distances();
    means("bcst", "bcast");
    means("alreduce", "allreduce");
    means("all-reduce", "allreduce");
    means("gahter", "gather");
    means("excsan", "exscan");
    means("barr", "barrier");
    means("frobnicate", NULL);
    means("", NULL);
    means("x", NULL);
    algorithm_means("binomail", "binomial");
    algorithm_means("scatter_allgather_rin", "scatter_allgather_ring");
    algorithm_means("quux", NULL);

    err_usage(&err, "'bcst' is not a collective");
    suggest_init(&m, "bcst");
    meant_collectives(&m);
    ok(suggest_add(&m, &err) == -1 && err.status == EXIT_USAGE &&
           strcmp(err.text, "'bcst' is not a collective; did you mean 'bcast'?") == 0,
       "an error says what may be meant: %s", err.text);
    ok(suggest_add(&m, NULL) == -1, "nobody asks for the text");
    return tap_done();
}
