/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of rules of component han: what the reader of each release makes of texts, who serves a
 * call, and what is found wrong. That Open MPI does the same: han_live-t.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/memory.h"
#include "harness/rules/han.h"
#include "tests/harness/rules_found.h"
#include "tests/tap.h"

/* Who serves a call, and by which line: "tuned line 7"; "han, then tuned line 9" where han hands
 * it on. */
static void serves(const char *wanted, const struct rules_reader *reader, const char *text,
                   struct rules_call call)
{
    struct rules r;
    struct rules_answer a;
    char seen[256];
    rules_of_text(reader, text, strlen(text), &r);
    rules_ask(&r, &call, &a);
    rules_close(&r);
    snprintf(seen, sizeof seen, "%s%s%s%s line %d", a.outcome == RULES_DIES ? "dies: " : "",
             a.algorithm, *a.runs ? ", then " : "", a.runs, a.line);
    is_str(wanted, seen, "%s: %s, %d ranks on %d nodes, %llu bytes", reader->name, call.collective,
           call.procs, call.nodes, (unsigned long long)call.bytes);
}

static struct rules_call call_of(const char *collective, int nodes, int ppn, uint64_t bytes)
{
    return (struct rules_call){ collective, nodes * ppn, nodes, ppn, bytes, RULES_GLOBAL };
}

static const char some[] = "2  # collectives\n"
                           "bcast\n"
                           "1\n"
                           "2\n"
                           "2\n"
                           "1 1 0 tuned\n" /* line 6 */
                           "8 3\n"
                           "0 basic\n"   /* line 8 */
                           "100 han\n"   /* 9 */
                           "5000 self\n" /* 10 */
                           "0\n"         /* allgather, by its number */
                           "1 2 1 1 1\n" /* line 12 */
                           "0 libnbc\n";

static void test_choices(void)
{
    const struct rules_reader *r = &rules_han41;
    serves("tuned line 6", r, some, call_of("bcast", 2, 3, 5000));
    serves("basic line 8", r, some, call_of("bcast", 2, 4, 99));
    serves("han line 9", r, some, call_of("bcast", 2, 4, 100));
    serves("han line 9", r, some, call_of("bcast", 2, 100, 4999));
    serves("self, then tuned line 10", r, some, call_of("bcast", 2, 4, 5000));
    serves("libnbc, then tuned line 13", r, some, call_of("allgather", 2, 4, 8));
    serves("han line 0", r, some, call_of("reduce", 2, 4, 8));
    serves("tuned line 0", r, some, call_of("alltoall", 2, 4, 8));
    serves("tuned line 0", r, some, call_of("bcast", 1, 8, 8));
    serves("han, then tuned line 9", r, some, call_of("bcast", 8, 1, 100));
    serves("basic line 8", r, some, call_of("bcast", 8, 1, 99));
    serves("han, then tuned line 9", r, some,
           (struct rules_call){ "bcast", 9, 2, 5, 100, RULES_GLOBAL });
    serves("han line 0", r, some, (struct rules_call){ "allreduce", 9, 2, 5, 100, RULES_GLOBAL });
    serves("han line 0", &rules_han6, some, call_of("alltoall", 2, 4, 8));
    serves("tuned line 0", &rules_han5, some, call_of("alltoall", 2, 4, 8));
    serves("han line 0", r, "1 bcast 1 2 2 1 1 0 tuned 4 0", call_of("bcast", 2, 4, 8));
    finds(1, "empty", r, "1 bcast 1 2 2 1 1 0 tuned 4 0", "a block without rules");
    serves("han line 0", r, "1 bcast 1 2 1 1 1 1 tuned", call_of("bcast", 2, 4, 0));
    serves("tuned line 1", r, "1 bcast 1 2 1 1 1 1 tuned", call_of("bcast", 2, 4, 1));
}

/* The communicators that han makes. */
static void test_levels(void)
{
    static const char text[] = "1 gather 2\n0 2 1 1 0 basic\n4 1 0 tuned\n1 1 1 1 0 sm";
    struct rules_call call = { "gather", 12, 3, 4, 8, RULES_INTRA };
    serves("tuned line 3", &rules_han5, text, call);
    call.ppn = 2;
    serves("basic line 2", &rules_han5, text, call);
    serves("tuned line 0", &rules_han41, text, call);
    finds(2, "dead", &rules_han41, text, "a level that nobody asks");
    finds(4, "instead", &rules_han5, text, "a component of one node between nodes");
    call.level = RULES_INTER;
    serves("sm, then tuned line 4", &rules_han5, text, call);
    serves("basic line 0", &rules_han41, text, call);
    finds(1, "loop", &rules_han6, "1 gather 1 intra_node 1 1 1 0 han", "han inside han");
    loads(1, &rules_han5, "1 gather 1 inter_node 1 1 1 0 tuned", "levels by name");
    finds(1, "ignored", &rules_han41, "1 gather 1 inter_node 1 1 1 0 tuned",
          "a level's name before 5.0 is stepped over");
}

static void test_dropped(void)
{
    const struct rules_reader *r = &rules_han41;
    loads(1, r, "1 7 1 2 1 1 1 0 tuned", "a collective by its number");
    loads(0, r, "1 7 1 2 1 1 1 0 3", "a component by its number");
    loads(0, r, "1 7 1 2 1 2 1 0 tuned", "a first block that is not of one rank");
    loads(0, r, "1 7 1 2 1 1 1 2 tuned", "a first size above one");
    loads(0, r, "1 7 1 3 1 1 1 0 tuned", "a fourth level");
    loads(0, r, "1 07x 1 2 1 1 1 0 tuned", "half a number");
    loads(1, r, "1 bcast # of all\n1 2 1 1 1 0 tuned # x\n", "comments");
    loads(0, r, "1 bcast# of all\n1 2 1 1 1 0 tuned", "a comment that touches a word");
    loads(0, r, "2 bcast 1 2 1 1 1 0 tuned", "fewer collectives than announced");
    loads(0, r, "0", "no collectives");
    loads(0, r, "", "an empty file");
    loads(1, r, "1 bcast 0", "a collective without levels");
    loads(1, r, "1 bcast 1 2 1 1 2 0 tuned [8 16] 9 han", "lengths of segments");
    loads(0, r, "1 bcast 1 2 1 1 2 0 tuned [8 16 9 han", "lengths without their end");
    loads(0, r, "1 bcast 1 2 1 1 1 0 xhc", "a component of another release");
    loads(1, &rules_han6, "1 bcast 1 2 1 1 1 0 xhc", "a component of this release");
    loads(1, &rules_han5, "1 bcast 1 2 1 1 1 0 han @simple", "an algorithm of han");
    loads(1, &rules_han5, "1 bcast 1 2 1 1 1 0 han @2", "by its number");
    loads(0, &rules_han5, "1 bcast 1 2 1 1 1 0 han @3", "one that it does not have");
    loads(0, &rules_han5, "1 bcast 1 2 1 1 1 0 han@simple", "one that touches the word before");
    finds(1, "ignored", r, "1 bcast 1 2 1 1 2 0 han @simple 100 tuned",
          "an algorithm before 5.0 is stepped over");
    finds(2, "unread", r, "1 bcast 1 2 1 1 1\n0 tune", "an unknown component");
    finds(1, "dies", &rules_han5, "1 allgatherv 1 0 1 1 1 0 han @intra",
          "an algorithm where there is no list of them");
}

static void test_findings(void)
{
    const struct rules_reader *r = &rules_han41;
    finds(1, "dies", r, "1 allreduce 1 2 1 1 1 0 tuned", "another component's allreduce");
    serves("dies: tuned line 1", r, "1 allreduce 1 2 1 1 1 0 tuned", call_of("allreduce", 2, 2, 8));
    finds(-1, "dies", &rules_han5, "1 allreduce 1 2 1 1 1 0 tuned",
          "another component's allreduce");
    finds(-1, "dies", r, "1 allreduce 1 2 1 1 1 0 libnbc", "one that has none");
    finds(2, "dead", r, "1 bcast 1 2 1 1 3 0 tuned\n100 han\n50 basic\n", "sizes not in order");
    serves("basic line 3", r, "1 bcast 1 2 1 1 3 0 tuned\n100 han\n50 basic\n",
           call_of("bcast", 2, 2, 200));
    finds(2, "dead", r, "1 bcast 1 2 3 1 1 0 tuned\n16 1 0 han\n8 1 0 basic\n",
          "ranks not in order");
    finds(1, "dead", r, "2 bcast 1 2 1 1 1 0 tuned\nbcast 1 2 1 1 1 0 han\n",
          "a collective that comes again");
    serves("han line 2", r, "2 bcast 1 2 1 1 1 0 tuned\nbcast 1 2 1 1 1 0 han\n",
           call_of("bcast", 2, 2, 8));
    finds(1, "dead", r, "1 bcast 2 2 1 1 1 0 tuned\n2 1 1 1 0 han\n", "a level that comes again");
    finds(2, "repeats", r, "1 bcast 1 2 1 1 2 0 tuned\n8 tuned\n", "the same component again");
    finds(1, "ignored", r, "1 alltoall 1 2 1 1 1 0 tuned", "a collective that han does not serve");
    finds(-1, "ignored", &rules_han6, "1 alltoall 1 2 1 1 1 0 tuned", "one that it serves");
    finds(1, "instead", r, "1 bcast 1 2 1 1 1 0 adapt", "adapt is not there by default");
    finds(2, "dead", r, "1 barrier 1 2 1 1 2 0 tuned\n8 han", "sizes of a barrier");
    finds(2, "ignored", r, "1 bcast 1 2 1 1 1 0 tuned\n100 han",
          "what stands behind the last rule");
    finds(0, "han", r, "1 bcast 1 2 1 1 1 0 tuned", "han serves nothing by default");
    finds(-1, "han", &rules_han5, "1 bcast 1 2 1 1 1 0 tuned", "han serves by default");
}

/* A block of n rules with these sizes, from line 2 on. To be freed. */
static char *rules_of(const unsigned *size, size_t n)
{
    char *text;
    size_t len;
    FILE *out = memory_stream(&text, &len);
    fprintf(out, "1 bcast 1 2 1 1 %zu\n", n);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%u %s\n", size[i], i % 2 ? "tuned" : "basic");
    fclose(out);
    return text;
}

/* The line that says of a rule's that it never decides, and by which other one; 0: nothing does. */
static int told_by(const struct rules *r, int line)
{
    int by = 0;
    for (size_t i = 0; i < r->found.n; i++)
        if (r->found.v[i].line == line && strcmp(r->found.v[i].kind, "dead") == 0)
            sscanf(r->found.v[i].text, "never decides: size %*u on line %d", &by);
    return by;
}

/* Which rule behind another takes its place; in as many as a file may have. */
static void test_many(void)
{
    enum { SOME = 400, MANY = 200000 };
    static unsigned size[MANY];
    struct rules r;
    int wrong = 0, dead = 0;
    for (unsigned i = 1; i < SOME; i++)
        size[i] = i + (i * 7919u + i * i * 31u) % 97u;
    char *text = rules_of(size, SOME);
    rules_of_text(&rules_han5, text, strlen(text), &r);
    for (size_t i = 0; i < SOME; i++) {
        size_t by = i + 1;
        while (by < SOME && size[by] > size[i])
            by++;
        dead += by < SOME;
        wrong += told_by(&r, (int)i + 2) != (by < SOME ? (int)by + 2 : 0);
    }
    rules_close(&r);
    free(text);
    ok(dead > SOME / 4 && dead < SOME, "sizes in disorder: %d of %d rules never decide", dead,
       SOME);
    is_int(0, wrong, "each is told, with the first that takes its place");

    for (unsigned i = 0; i < MANY; i++)
        size[i] = i;
    text = rules_of(size, MANY);
    const clock_t begin = clock();
    loads(1, &rules_han5, text, "200,000 rules");
    const double took_s = (double)(clock() - begin) / CLOCKS_PER_SEC;
    ok(took_s < 6, "are looked through in %.1f s (each beside each other one would take 17)",
       took_s);
    free(text);
}

/* Files of the one component are told from those of the other. */
static void test_twins(void)
{
    finds(0, "other", &rules_openmpi41, some, "a file of han's");
    finds(0, "other", &rules_han41, "1 7 1 2 1 0 6 0 0", "a file of tuned's");
    finds(-1, "other", &rules_han41, some, "its own file");
    finds(-1, "other", &rules_openmpi41, "1 7 1 2 1 0 6 0 0", "its own file");
    is_str("openmpi-4.1", rules_reader_of("openmpi", "4.1.6")->name,
           "a release's reader is that of tuned");
}

int main(void)
{
    test_choices();
    test_levels();
    test_dropped();
    test_findings();
    test_many();
    test_twins();
    return tap_done();
}
