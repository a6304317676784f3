/* SPDX-License-Identifier: BSD-3-Clause */
/* A library's file of rules carried into a table of libcollsel: both say the same of any call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/rng.h"
#include "harness/rules/rule_choices.h"
#include "harness/study/libraries/natives.h"
#include "tests/tap.h"
#include "workloads/libcollsel/choice.h"

static const char classic[] = "5  # collectives\n"
                              "0  # allgather, by all bytes\n"
                              "2\n"
                              "4\n"
                              "3\n"
                              "0 2 0 0\n"
                              "256 4 0 0\n"
                              "4096 0 0 0\n"
                              "600\n"
                              "1\n"
                              "0 3 0 0\n"
                              "6  # barrier\n"
                              "1\n"
                              "3\n"
                              "1\n"
                              "0 4 0 0\n"
                              "7  # bcast\n"
                              "1\n"
                              "2\n"
                              "5\n"
                              "0 6 0 0\n"
                              "1000 3 0 128\n"
                              "70001 2 4 8192\n"
                              "300000 2 40 8192\n"  /* 32 is the most */
                              "1000000 4 0 65536\n" /* one segment is a pipeline or a chain */
                              "11  # reduce, of which one block leaves all to the library\n"
                              "3\n"
                              "2\n"
                              "1\n"
                              "0 5 0 0\n"
                              "8\n"
                              "1\n"
                              "0 0 0 0\n"
                              "12\n"
                              "1\n"
                              "0 5 0 0\n"
                              "2  # allreduce\n"
                              "1\n"
                              "5\n"
                              "2\n"
                              "0 3 0 0\n"
                              "99999 4 0 0\n";

/* What runs depends on the element: of scan which rule, of a split tree in segments of 50 bytes
 * whether halves have one, of Rabenseifner's whether each rank has an element. */
static const char by_element[] = "4\n"
                                 "14 1 2 2\n" /* scan */
                                 "0 1 0 0\n"
                                 "64 2 0 0\n"
                                 "8 2 2 2\n" /* exscan */
                                 "0 1 0 0\n"
                                 "64 2 0 0\n"
                                 "100 1\n"
                                 "0 1 0 0\n"
                                 "7 1 2 1\n" /* bcast */
                                 "0 4 0 50\n"
                                 "2 1 2 1\n" /* allreduce */
                                 "0 6 0 0\n";

/* The name that the table must have for what a library answers; "": its own decision. */
static void wanted_name(const struct rules_reader *reader, const struct rules_answer *a, int procs,
                        char name[NAME_SIZE])
{
    *name = '\0';
    if (a->outcome == RULES_RUNS && procs <= CHOICE_TABLE_RULES_PROCS)
        snprintf(name, NAME_SIZE, "%s:%.40s", reader->library, *a->runs ? a->runs : a->algorithm);
    if (a->outcome == RULES_RUNS && strcmp(name, "openmpi:chain") == 0 && a->fanout == 1)
        snprintf(name, NAME_SIZE, "openmpi:pipeline");
}

/* The fan-out that the table must have: only a chain takes one from a rule, 1 to 32. */
static int wanted_fanout(const char *name, const struct rules_answer *a)
{
    if (strcmp(name, "openmpi:chain") != 0)
        return 0;
    return a->fanout > 32 ? 32 : (int)a->fanout;
}

/* What has none is left to the library, and told. */
static int has_schedule(const char *collective, const char *name)
{
    struct choice choice;
    return choice_find(&choice, collective, name, NULL) == 0 && choice.alg;
}

/* 1 when elements of different sizes get something else. */
static int element_decides(const struct rules *from, const struct rules_call *call)
{
    struct rules_answer first, other;
    struct rules of = *from;
    int differ = 0;
    of.element_bytes = 1;
    rules_ask(&of, call, &first);
    for (; of.element_bytes <= 16 && of.element_bytes <= call->bytes; of.element_bytes *= 2) {
        rules_ask(&of, call, &other);
        differ |= other.outcome != first.outcome || strcmp(other.algorithm, first.algorithm) != 0 ||
                  strcmp(other.runs, first.runs) != 0;
    }
    return differ;
}

/* 1 when both say the same of a call, or the table says nothing and may. */
static int alike(const struct rules *from, const struct rules *to, const struct rules_call *call)
{
    struct rules_answer a, b;
    char name[NAME_SIZE], table[NAME_SIZE];
    rules_ask(from, call, &a);
    rules_ask(to, call, &b);
    wanted_name(from->reader, &a, call->procs, name);
    snprintf(table, sizeof table, "%s%.50s", *b.runs ? "openmpi:" : "",
             *b.runs ? b.runs : b.algorithm);
    const struct native *native = native_find(from->reader->library, call->collective, a.algorithm);
    const long segment = *name && native && native->segmented ? a.segment_bytes : 0;
    const int fanout = wanted_fanout(name, &a);
    if (strcmp(name, table) == 0 && b.segment_bytes == segment && b.fanout == fanout)
        return 1;
    if (b.outcome == RULES_OWN &&
        (!has_schedule(call->collective, name) || element_decides(from, call)))
        return 1;
    diag("%s P = %d, %llu bytes in elements of %d: '%s' in segments of %ld, fan-out %d, table "
         "'%s', %ld, %ld",
         call->collective, call->procs, (unsigned long long)call->bytes, (int)from->element_bytes,
         name, segment, fanout, table, b.segment_bytes, (long)b.fanout);
    return 0;
}

static char *carry(const struct rules_reader *reader, const char *text, size_t length,
                   int wanted_limited, struct err *err)
{
    static const char *const remarks[] = { NULL };
    struct rules_conversion of = { .text = NULL };
    struct rules r;
    struct rules_choices choices;
    struct rules_made made = { .cells = 0 };
    char *table = NULL;
    rules_of_text(reader, text, length, &r);
    if (rules_to_choices(&r, text, length, &of, &choices, err) == 0) {
        is_int(wanted_limited, of.limited, "%s: limits of requests are told where there are some",
               reader->name);
        table = rules_export(&rules_libcollsel, &choices, remarks, &made, err);
        if (strcmp(reader->library, "openmpi") == 0)
            is_int(0, (long long)made.told.n, "%s: all of it can be said", reader->name);
        rules_made_clear(&made);
        rules_choices_clear(&choices);
    }
    rules_close(&r);
    return table;
}

static void same_answers(const struct rules_reader *reader, const char *text, size_t length,
                         const char *const *collectives_of_it, size_t n)
{
    const int calls = getenv("COLLSEL_LONG") ? 20000 : 4000;
    struct err err = { 0 };
    struct rules from, to;
    struct rng rng;
    int wrong = 0;
    char *table = carry(reader, text, length, 0, &err);
    ok(table != NULL, "%s: a file becomes a table (%s)", reader->name, err.text);
    if (!table)
        return;
    rng_init(&rng, 14);
    rules_of_text(reader, text, length, &from);
    rules_of_text(&rules_libcollsel, table, strlen(table), &to);
    ok(to.loaded, "%s: which is read", reader->name);
    for (int i = 0; i < calls && wrong < 5; i++) {
        const char *collective = collectives_of_it[rng_below(&rng, n)];
        struct rules_call call = { .collective = collective };
        call.procs = 2 + (int)rng_below(&rng, i % 2 ? 20 : CHOICE_TABLE_RULES_PROCS + 20);
        call.bytes = strcmp(collective, "barrier") == 0
                         ? 0
                         : rng_below(&rng, (uint64_t)1 << (1 + rng_below(&rng, 24)));
        from.element_bytes = 1 << rng_below(&rng, 5);
        if (call.bytes < from.element_bytes)
            from.element_bytes = 1;
        to.element_bytes = from.element_bytes;
        call.bytes -= call.bytes % from.element_bytes;
        wrong += !alike(&from, &to, &call);
    }
    is_int(0, wrong, "%s: both say the same of %d calls", reader->name, calls);
    rules_close(&from);
    rules_close(&to);
    free(table);
}

/* A complete tree, as MPICH wants it, in which broadcasts are ours. */
static char *tree(void)
{
    uint64_t procs[] = { 4, 9 }, bytes[] = { 1, 12345 };
    struct candidate take[] = { { .algorithm = "mpich:binomial" },
                                { .algorithm = "mpich:scatter_ring_allgather" },
                                { .algorithm = "mpich:scatter_ring_allgather" },
                                { .algorithm = "mpich:binomial" } };
    struct rules_grid grid = { .collective = "bcast",
                               .procs = procs,
                               .bytes = bytes,
                               .n_procs = 2,
                               .n_bytes = 2,
                               .take = take };
    const struct rules_choices choices = { &grid, 1 };
    static const char *const remarks[] = { NULL };
    struct rules_made made;
    struct err err = { 0 };
    char *text = rules_export(&rules_mpich40, &choices, remarks, &made, &err);
    ok(text != NULL, "a tree for MPICH (%s)", err.text);
    rules_made_clear(&made);
    return text;
}

/* What a table says of a call; "": nothing. */
static const char *says(const struct rules *table, const char *collective, int procs,
                        uint64_t bytes)
{
    static struct rules_answer a;
    const struct rules_call call = { .collective = collective, .procs = procs, .bytes = bytes };
    rules_ask(table, &call, &a);
    return a.algorithm;
}

/* A table has no sizes of elements: where they decide, it says nothing, and the file says so. */
static void elements(void)
{
    static const char *const some[] = { "scan", "exscan", "bcast", "allreduce" };
    char path[] = "/tmp/collsel-rules-XXXXXX";
    struct rules_conversion c = { .text = NULL };
    struct rules table;
    struct err err = { 0 };
    same_answers(&rules_openmpi41, by_element, sizeof by_element - 1, some, 4);
    const int fd = mkstemp(path);
    const int written = write(fd, by_element, sizeof by_element - 1) > 0;
    close(fd);
    ok(written && rules_convert(path, &rules_openmpi41, "made", &c, &err) == 0,
       "a table of it (%s)", err.text);
    unlink(path);
    is_str("bcast, scan, exscan", c.by_element, "of these the element decides");
    is_int(1, (long long)c.made.told.n, "which is told");
    rules_of_text(&rules_libcollsel, c.text, strlen(c.text), &table);
    is_str("", says(&table, "scan", 8, 8), "8 bytes are eight characters, or one double");
    is_str("openmpi:linear", says(&table, "scan", 8, 7), "7 bytes are no double");
    is_str("openmpi:recursive_doubling", says(&table, "scan", 64, 8),
           "... among 64 both get one rule");
    is_str("openmpi:linear", says(&table, "exscan", 100, 8), "... as where there is one");
    is_str("", says(&table, "bcast", 8, 96),
           "of 96 bytes a chain is what runs, of 6 times 16 halves");
    is_str("openmpi:split_binary_tree", says(&table, "bcast", 8, 104), "... of 104 always these");
    is_str("openmpi:rabenseifner", says(&table, "allreduce", 8, 16),
           "where larger elements are too few the library itself runs another one");
    rules_close(&table);
    rules_conversion_clear(&c);
}

static void refused(const struct rules_reader *reader, const char *text, const char *why)
{
    struct err err = { 0 };
    char *table = carry(reader, text, strlen(text), 0, &err);
    ok(!table && strstr(err.text, why), "%s: refused, as '%s' (%s)", reader->name, why, err.text);
    free(table);
}

/* Of the numbers of a file those that may matter to a call: all others would only be asked for. */
static struct {
    uint64_t v[256];
    size_t n;
} numbers;

static void keep(void *to, uint64_t number)
{
    (void)to;
    if (numbers.n < 256)
        numbers.v[numbers.n++] = number;
}

static int knows(const struct rules *r, const char *collective, int procs, uint64_t number)
{
    size_t i = 0;
    numbers.n = 0;
    is_int(1, rules_table_numbers(r, collective, procs, keep, NULL), "numbers of %s, P = %d",
           collective, procs);
    while (i < numbers.n && numbers.v[i] != number)
        i++;
    return i < numbers.n;
}

static void which_numbers(void)
{
    struct rules r;
    rules_of_text(&rules_openmpi41, classic, strlen(classic), &r);
    ok(knows(&r, "bcast", 8, 70001) && numbers.n == 5 * 7, "are those of its five rules");
    ok(!knows(&r, "bcast", 8, 4096), "... and none of allgather's");
    ok(!knows(&r, "scan", 8, 0) && numbers.n == 0, "... where it has no rule none");
    ok(knows(&r, "allgather", 8, 4096) && !knows(&r, "allgather", 700, 4096),
       "... of the block for so many processes");
    ok(knows(&r, "allreduce", 8, 70001), "... and of what its algorithms call");
    rules_close(&r);
    char *text = tree();
    rules_of_text(&rules_mpich40, text, strlen(text), &r);
    is_int(0, rules_table_numbers(&r, "bcast", 8, keep, NULL), "a tree is no table");
    rules_close(&r);
    free(text);
}

int main(void)
{
    static const char *const four[] = { "allgather", "barrier", "bcast", "allreduce", "reduce" };
    static const char nul[] = "1\n7\n1\n2\n3\n0 6 0 0\n\0\n1000 3 0 128\n1100 6 0 0\n";
    static const char *const some[] = { "bcast", "allgather", "allreduce", "barrier", "scan" };
    char *text = tree();
    which_numbers();
    same_answers(&rules_openmpi41, classic, strlen(classic), four, 5);
    same_answers(&rules_openmpi5, classic, strlen(classic), four, 5);
    same_answers(&rules_openmpi41, nul, sizeof nul - 1, four, 5);
    same_answers(&rules_mpich40, text, strlen(text), some, 5);
    free(text);
    elements();
    struct err err = { 0 };
    static const char limits[] = "rule-file-version-2\n1 11 1 2 1\n0 5 0 1024 8\n";
    free(carry(&rules_openmpi5, limits, sizeof limits - 1, 1, &err));
    refused(&rules_openmpi41, "1\n6\n1\n2\n1\n0 5 0 0\n",
            "barrier of 0 bytes among 3 fails (line 6");
    refused(&rules_openmpi41, "1\n0\n1\n4\n1\n0 77 0 0\n", "line 6");
    refused(&rules_openmpi41, "1\n", "does not take it");
    refused(&rules_han41, "1\n", "component han");
    refused(&rules_mpich40, "{ \"collective=bcast\": {} }", "there is no tree for");
    return tap_done();
}
