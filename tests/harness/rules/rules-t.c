/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of rules: what each reader makes of texts, which rule decides, and what is found wrong.
 * That Open MPI does the same: rules_live-t.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/rules/export.h"
#include "harness/rules/rules.h"
#include "tests/harness/rules_found.h"
#include "tests/tap.h"

/* Reads a text, asks for a call, and closes. */
static struct rules_answer asked(const struct rules_reader *reader, const char *text,
                                 const char *collective, int procs, uint64_t bytes)
{
    struct rules r;
    struct rules_answer a;
    const struct rules_call call = { collective, procs, 1, procs, bytes, RULES_GLOBAL };
    rules_of_text(reader, text, strlen(text), &r);
    rules_ask(&r, &call, &a);
    rules_close(&r);
    return a;
}

static void answers(const char *wanted, const struct rules_reader *reader, const char *text,
                    const char *collective, int procs, uint64_t bytes)
{
    char seen[256];
    const struct rules_answer a = asked(reader, text, collective, procs, bytes);
    snprintf(seen, sizeof seen, "%s %s line %d", rules_outcome_words[a.outcome],
             a.outcome == RULES_OWN ? "" : a.algorithm, a.line);
    is_str(wanted, seen, "%s: %s P = %d, %llu bytes", reader->name, collective, procs,
           (unsigned long long)bytes);
}

/* ---- classic ---- */

static const char allgather[] = "1  # one collective\n"
                                "0  # allgather\n"
                                "2\n"
                                "4\n"
                                "3\n"
                                "0 2 0 0\n"    /* line 6 */
                                "256 4 0 0\n"  /* from 64 bytes of 4 processes on */
                                "4096 0 0 0\n" /* line 8 */
                                "8\n"
                                "1\n"
                                "0 3 0 0\n"; /* line 11 */

static void test_classic(void)
{
    answers("rule bruck line 6", &rules_openmpi41, allgather, "allgather", 4, 63);
    answers("rule ring line 7", &rules_openmpi41, allgather, "allgather", 4, 64);
    answers("rule ring line 7", &rules_openmpi41, allgather, "allgather", 7, 64);
    answers("own  line 8", &rules_openmpi41, allgather, "allgather", 4, 1024);
    answers("rule bruck line 6", &rules_openmpi41, allgather, "allgather", 2, 64);
    answers("rule recursive_doubling line 11", &rules_openmpi41, allgather, "allgather", 800, 64);
    answers("own  line 0", &rules_openmpi41, allgather, "bcast", 4, 64);
    answers("own  line 0", &rules_openmpi41, allgather, "allgather", 1, 64);
    /* 6.0 takes the first block for what is below its number */
    answers("hangs bruck-k-fanout line 6", &rules_openmpi6, allgather, "allgather", 3, 8);
    answers("rule recursive_doubling line 11", &rules_openmpi6, allgather, "allgather", 4, 8);
    finds(0, "shifted", &rules_openmpi6, allgather, "the classic form means something else");
    finds(-1, "shifted", &rules_openmpi5, allgather, "the classic form means what it says");
    is_str("bruck", asked(&rules_openmpi41, allgather, "allgather", 9, 1).runs,
           "among nine processes something else runs instead");
}

/* The same rules for gather, scatter, allgatherv and scan, whose sizes differ by release. */
static void test_units(void)
{
    static const char *const text[] = { "1 9 1 2 2 0 1 0 0 100 2 0 0",
                                        "1 1 1 2 2 0 2 0 0 100 3 0 0",
                                        "1 14 1 2 2 0 1 0 0 100 2 0 0" };
    answers("rule binomial line 1", &rules_openmpi41, text[0], "gather", 4, 25);
    answers("rule basic_linear line 1", &rules_openmpi41, text[0], "gather", 4, 24);
    answers("rule basic_linear line 1", &rules_openmpi40, text[0], "gather", 4, 25);
    answers("rule binomial line 1", &rules_openmpi40, text[0], "gather", 100, 1);
    answers("rule bruck line 1", &rules_openmpi41, text[1], "allgatherv", 4, 99);
    answers("rule ring line 1", &rules_openmpi41, text[1], "allgatherv", 4, 100);
    answers("rule ring line 1", &rules_openmpi40, text[1], "allgatherv", 4, 25);
    answers("rule linear line 1", &rules_openmpi41, text[2], "scan", 4, 4096);
    answers("rule recursive_doubling line 1", &rules_openmpi41, text[2], "scan", 100, 1);
}

static void test_dropped(void)
{
    loads(1, &rules_openmpi41, "1 7 1 2 1 0 6 0 0", "all on one line");
    loads(1, &rules_openmpi41, "0", "no collectives");
    loads(0, &rules_openmpi41, "", "an empty file");
    loads(0, &rules_openmpi41, "2 7 1 2 1 0 6 0 0", "fewer collectives than announced");
    loads(0, &rules_openmpi41, "1 7 1 2 1 8 6 0 0", "a block that does not begin at size 0");
    loads(0, &rules_openmpi41, "1 22 1 2 1 0 6 0 0", "a collective that does not exist");
    loads(0, &rules_openmpi41, "1 7 1 2 1 0 -6 0 0", "a number below 0");
    loads(0, &rules_openmpi41, "rule-file-version-2\n1 7 1 2 1 0 6 0 0 4\n", "a later version");
    loads(1, &rules_openmpi5, "rule-file-version-2\n1 7 1 2 1 0 6 0 0 4\n", "a later version");
    loads(0, &rules_openmpi41, "1 7 4294967297 2 1 0 6 0 0", "a count of more than 32 bits");
    loads(1, &rules_openmpi40, "1 7 4294967297 2 1 0 6 0 0", "which is cut to 1");
    finds(3, "unread", &rules_openmpi41, "1\n7 1 2 1\n8 6 0 0\n", "the line of the first size");
}

static void test_findings(void)
{
    const struct rules_reader *r = &rules_openmpi41;
    finds(6, "dead", r, "1\n7\n1\n2\n3\n0 6 0 0\n0 5 0 0\n9 1 0 0\n", "the same size twice");
    finds(8, "dead", r, "1\n7\n1\n2\n4\n0 6 0 0\n9 5 0 0\n64 1 0 0\n10 2 0 0\n", "not in order");
    finds(4, "dead", r, "1\n7\n3 2 0\n8\n1\n0 6 0 0\n8\n1\n0 5 0 0\n", "a block that comes twice");
    finds(3, "dead", r, "2\n7\n1 2 1 0 6 0 0\n7\n1 2 1 0 5 0 0\n", "a collective again");
    finds(6, "ignored", r, "1\n7\n2\n8\n1 0 6 0 0\n4\n1 0 1 0 0\n",
          "a block of fewer processes behind one of more: it governs those of the first");
    finds(7, "dead", r, "1\n0\n2 2 0\n64\n3\n0 0 0 0\n8 2 0 0\n64 4 0 0\n",
          "sizes below a byte each");
    finds(4, "fails", r, "1\n0\n1 2 1\n0 6 0 0\n", "two_proc among more than two");
    finds(-1, "fails", r, "1\n0\n2 2 1\n0 6 0 0\n3 1\n0 4 0 0\n", "two_proc among two");
    finds(4, "fails", r, "1\n0\n1 2 1\n0 7 0 0\n", "an algorithm of a later release");
    finds(-1, "fails", &rules_openmpi5, "1\n0\n1 2 1\n0 7 0 0\n", "an algorithm of this release");
    finds(4, "order", r, "1\n2\n1 2 1\n0 4 0 0\n", "a ring where the order matters");
    finds(1, "ignored", r, "all 1\n7 1 2 1 0 6 0 0\n", "a word");
    finds(3, "ignored", r, "1\n7 1 2 1 0 6 0 0\n5\n", "what stands behind the last rule");
    finds(3, "ignored", r, "1\n7 1 2 1\n0 1 0 64\n", "segments of what has none");
    finds(2, "octal", r, "1\n7 1 2 2 0 6 0 0 0100 1 0 0\n", "a number with a 0 before it");
    finds(6, "repeats", r, "1\n7\n1 2 2\n0 6 0 0\n\n64 6 0 0\n", "the same choice again");
    finds(2, "ignored", r, "1\n10 1 2 1 0 1 0 0\n", "a collective that is not served");
    finds(4, "unit", r,
          "1\n0\n3\n2 2 0 1 0 0 4096 4 0 0\n16 2 0 1 0 0 4096 4 0 0\n64 2 0 1 0 0 4096 4 0 0\n",
          "sizes of one process where totals are meant");
    finds(-1, "unit", r,
          "1\n0\n3\n2 2 0 1 0 0 8192 4 0 0\n16 2 0 1 0 0 65536 4 0 0\n64 2 0 1 0 0 262144 4 0 0\n",
          "sizes that grow with the processes");
    finds(-1, "unit", r,
          "1\n12\n3\n2 2 0 1 0 0 4096 4 0 0\n16 2 0 1 0 0 4096 4 0 0\n64 2 0 1 0 0 4096 4 0 0\n",
          "totals, as benchmarks of reduce_scatter print them");
    finds(-1, "unit", r,
          "1\n0\n3\n2 2 0 1 0 0 4096 4 0 0\n16 2 0 1 0 0 32768 4 0 0\n64 1 0 0 0 0\n",
          "a last block that tells no sizes apart");
    finds(-1, "dead", r, "1\n12\n2 2 1 0 0 0 0\n64 2 0 1 0 0 8 4 0 0\n",
          "totals below a byte each, where some blocks may be empty");
    finds(-1, "repeats", &rules_openmpi6,
          "{ \"collectives\": { \"bcast\": [ { \"rules\": [ { \"msg_size_max\": 9, \"alg\": 1 },\n"
          "{ \"msg_size_min\": 20, \"alg\": 1 } ] } ] } }",
          "the same choice behind a gap");
}

/* How many requests are under way at a time: a fifth number from 5.0.7 on, and a key of JSON. */
static void test_requests(void)
{
    static const char numbers[] = "rule-file-version-2\n"
                                  "1 11 1 2 3\n"
                                  "0 4 0 1024 8\n"  /* line 3: binary */
                                  "512 2 4 1024\n"  /* chain, without */
                                  "4096 1 0 0 9\n"; /* line 5: linear takes none */
    static const char text[] =
        "{ \"collectives\": { \"reduce\": [ { \"rules\": [\n"
        " { \"alg\": \"binomial\", \"seg_size\": 64, \"reqs\": 3 } ] } ] } }";
    is_int(8, asked(&rules_openmpi5, numbers, "reduce", 4, 8).requests,
           "the fifth number is heard");
    is_int(0, asked(&rules_openmpi5, numbers, "reduce", 4, 512).requests, "and need not be there");
    answers("rule chain line 4", &rules_openmpi5, numbers, "reduce", 4, 512);
    answers("rule linear line 5", &rules_openmpi5, numbers, "reduce", 4, 4096);
    finds(5, "ignored", &rules_openmpi5, numbers, "requests of what takes none");
    is_int(3, asked(&rules_openmpi6, text, "reduce", 4, 8).requests, "so is that of JSON");
    finds(-1, "repeats", &rules_openmpi5,
          "rule-file-version-2\n1 11 1 2 2\n0 4 0 1024 8\n64 4 0 1024 9\n",
          "rules that differ in requests alone");
    is_str("pipeline", asked(&rules_openmpi41, "1 11 1 2 1 0 2 0 0", "reduce", 4, 8).runs,
           "a chain of no fan-out is a pipeline");
}

/* What a rule's algorithm calls is decided by rules, too. */
static void test_parts(void)
{
    static const char text[] = "2\n0 1 2 1 0 1 0 0\n7 1 2 1 0 77 0 0\n";
    answers("fails linear line 2", &rules_openmpi41, text, "allgather", 4, 8);
    has_str("calls bcast, which line 3", asked(&rules_openmpi41, text, "allgather", 4, 8).why,
            "and says which rule it is");
}

/* ---- JSON ---- */

#define RULES(inside) "{ \"collectives\": {\n" inside "\n} }"

static const char json[] =
    RULES("\"bcast\": [ {\n"
          " \"comm_size_max\": 8, \"rules\": [\n"
          "  { \"msg_size_max\": 99, \"alg\": 6, \"seg_size\": 64 },\n"
          "  { \"msg_size_max\": \"inf\", \"alg\": \"knomial\" } ] },\n"
          " { \"rules\": [ { \"alg\": 77 }, { \"msg_size_min\": 5, \"alg\": 3 } ] } ]");

static void test_json(void)
{
    answers("rule binomial line 4", &rules_openmpi6, json, "bcast", 4, 99);
    answers("rule knomial line 5", &rules_openmpi6, json, "bcast", 4, 100);
    answers("rule pipeline line 6", &rules_openmpi6, json, "bcast", 9, 5);
    answers("own  line 0", &rules_openmpi6, json, "bcast", 9, 4);
    finds(6, "dead", &rules_openmpi6, json, "an algorithm that does not exist is left out");
    loads(0, &rules_openmpi41, json, "JSON is nothing to it");
    finds(3, "dead", &rules_openmpi6,
          RULES("\"bcast\": [ {\n\"comm_size_max\": \"inf\",\n\"rules\": [ { \"alg\": 1 } ] } ]"),
          "\"inf\" processes");
    answers("own  line 0", &rules_openmpi6,
            RULES("\"bcast\": [ { \"comm_size_max\": \"inf\", \"rules\": [ { \"alg\": 1 } ] } ]"),
            "bcast", 4, 8);
    loads(0, &rules_openmpi6, RULES("\"reducescatter\": []"), "a name of the documentation");
    loads(0, &rules_openmpi6, RULES("\"bcast\": [ { \"comm_size_min\": 2.5, \"rules\": [] } ]"),
          "a number with a point");
    loads(0, &rules_openmpi6, "{}", "no collectives");
    finds(2, "ignored", &rules_openmpi6,
          RULES("\"bcast\": [ { \"rules\": [ { \"alg\": 3, \"segsize\": 1 } ] } ]"),
          "a key that the converter writes");
    answers("hangs bruck-k-fanout line 2", &rules_openmpi6,
            RULES("\"allgather\": [ { \"rules\": [ { \"alg\": 2 } ] } ]"), "allgather", 4, 8);
    answers("rule bruck-k-fanout line 2", &rules_openmpi6,
            RULES("\"allgather\": [ { \"rules\": [ { \"alg\": 2, \"faninout\": 2 } ] } ]"),
            "allgather", 4, 8);
    answers("dies recursive_doubling line 2", &rules_openmpi6,
            RULES("\"gatherv\": [ { \"rules\": [ { \"alg\": 1 } ] } ]"), "allgather", 4, 8);
}

/* On several nodes of several ranks another component comes first. */
static void test_han(void)
{
    struct rules r;
    struct rules_answer a;
    struct rules_call call = { "allgather", 8, 2, 4, 8, RULES_GLOBAL };
    rules_of_text(&rules_openmpi5, allgather, sizeof allgather - 1, &r);
    rules_ask(&r, &call, &a);
    is_str("own", rules_outcome_words[a.outcome], "5.0 on two nodes asks no rules");
    has_str("component han", a.why, "and says why");
    call.ppn = 1;
    call.nodes = 8;
    rules_ask(&r, &call, &a);
    is_str("rule", rules_outcome_words[a.outcome], "with one rank a node it does");
    rules_close(&r);
}

/* ---- MPICH ---- */

#define INTRA(tree)   "{ \"collective=bcast\": {\n\"comm_type=intra\": {\n" tree "} } }"
#define RUNS_AS(name) "{ \"algorithm=MPIR_Bcast_intra_" name "\": {} }"
#define RING          "scatter_ring_allgather"

static const char tree[] = INTRA("\"comm_size<4\": " RUNS_AS(
    "binomial") ",\n" /* line 3 */
                "\"comm_size<=8\": { \"avg_msg_size<=1024\": " RUNS_AS(
                    "binomial") ",\n"                         /* 4 */
                                "  \"avg_msg_size=any\": {\n" /* 5 */
                                "    \"comm_size < 6\": " RUNS_AS(
                                    "scatter_recursive_doubling_allgather") ",\n" /* 6 */
                                                                            "    "
                                                                            "\"comm_size=any\":"
                                                                            " " RUNS_AS(
                                                                                RING) " } },\n" /* 7
                                                                                                 */
                                                                                      "\"comm_size="
                                                                                      "any\": { "
                                                                                      "\"comm_"
                                                                                      "hierarchy="
                                                                                      "parent\":"
                                                                                      " " RUNS_AS(
                                                                                          "smp") ","
                                                                                                 "\n" /* 8 */
                                                                                                 " "
                                                                                                 " "
                                                                                                 "\"comm_hierarchy=flat\": " RUNS_AS(
                                                                                                     RING) " }"); /* 9 */

static void test_mpich(void)
{
    const struct rules_reader *r = &rules_mpich40;
    answers("rule binomial line 3", r, tree, "bcast", 3, 1 << 20);
    answers("rule binomial line 4", r, tree, "bcast", 4, 1024);
    answers("rule scatter_recursive_doubling_allgather line 6", r, tree, "bcast", 4, 1025);
    answers("rule scatter_recursive_doubling_allgather line 6", r, tree, "bcast", 6, 1025);
    answers("rule scatter_ring_allgather line 7", r, tree, "bcast", 7, 1025);
    answers("rule smp line 8", r, tree, "bcast", 9, 8);
    answers("dies  line 0", r, tree, "allgather", 9, 8);
    finds(6, "less", r, tree, "less than counts as at most below messages");
    finds(0, "missing", r, tree, "collectives without a tree");
    loads(1, r, tree, "it begins all the same");
    loads(0, r, INTRA("\"comm_size<=4\": " RUNS_AS("binomial")), "a chain without its end");
    loads(0, r, INTRA("\"any\": " RUNS_AS("binomial")), "a bare any");
    loads(0, &rules_mpich41, INTRA("\"any\": " RUNS_AS("binomial")), "a bare any, in 4.1");
    loads(1, &rules_mpich42, INTRA("\"any\": " RUNS_AS("binomial")), "a bare any, from 4.2 on");
    loads(0, r, INTRA("\"algorithm=MPIR_Bcast_intra_tree\": {}"), "a later algorithm");
    loads(1, &rules_mpich41, INTRA("\"algorithm=MPIR_Bcast_intra_tree\": {}"), "which 4.1 has");
    static const char barrier[] =
        "{ \"collective=barrier\": { \"algorithm=MPIR_Barrier_intra_dissemination\": {} } }";
    loads(1, r, barrier, "a barrier of 4.0");
    loads(0, &rules_mpich42, barrier, "which ends every program of 4.2 as it starts");
    loads(0, &rules_mpich50, barrier, "and of 5.0");
    loads(0, r,
          INTRA("\"comm_avg_ppn<4\": " RUNS_AS("binomial") ", \"comm_size=any\": " RUNS_AS(RING)),
          "a later condition");
    loads(0, r, "{", "half a file");
    finds(4, "dead", r,
          INTRA("\"comm_size<=8\": " RUNS_AS("binomial") ",\n\"comm_size<=4\": " RUNS_AS(
              RING) ",\n\"comm_size=any\": " RUNS_AS(RING)),
          "sizes that do not grow");
    static const char gather[] =
        "{ \"collective=allgather\": {\n\"avg_msg_size<=8\":\n{ "
        "\"algorithm=MPIR_Allgather_intra_ring\": {} },\n\"avg_msg_size=any\": { "
        "\"algorithm=MPIR_Allgather_intra_recursive_doubling\": {} } } }";
    finds(3, "undefined", r, gather, "a size that is not defined for the collective");
    static const char doubling[] =
        "{ \"collective=allgather\": {\n\"total_msg_size<=32\": "
        "{ \"algorithm=MPIR_Allgather_intra_ring\": {} },\n"
        "\"total_msg_size=any\": { "
        "\"algorithm=MPIR_Allgather_intra_recursive_doubling\": {} } } }";
    answers("rule ring line 2", r, doubling, "allgather", 4, 8);
    answers("rule recursive_doubling line 3", r, doubling, "allgather", 4, 9);
    answers("dies recursive_doubling line 3", r, doubling, "allgather", 3, 80);
    static const char nine[] =
        "{ \"collective=allgather\": {\n"
        "\"algorithm=MPIR_Allgather_intra_recexch_doubling\": { \"k=9\": {} } } }";
    answers("rule recexch_doubling line 2", &rules_mpich42, nine, "allgather", 8, 80);
    answers("rule recexch_doubling line 2", &rules_mpich42, nine, "allgather", 9, 80);
    answers("dies recexch_doubling line 2", &rules_mpich42, nine, "allgather", 16, 80);
    answers("rule recexch_doubling line 2", &rules_mpich42, nine, "allgather", 81, 80);
    finds(2, "dies", &rules_mpich42, nine,
          "a radix that ends programs among some numbers of ranks");
    loads(1, &rules_mpich42, nine, "though not as it starts");
}

/* ---- one algorithm forced by hand ---- */

/* What the command line says that runs one algorithm. */
static const struct {
    const char *reader, *collective;
    struct candidate take;
    int procs;
    const char *words; /* behind "mpirun "; NULL: there are none */
} settings[] = {
    { "openmpi-4.1",
      "bcast",
      { "openmpi:binomial", 65536, 0 },
      8,
      "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm 6 --mca "
      "coll_tuned_bcast_algorithm_segmentsize 65536" },
    { "openmpi-5",
      "bcast",
      { "portable:basic_linear", 0, 0 },
      8,
      "--mca coll ^han --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm "
      "1" },
    { "openmpi-6",
      "allreduce",
      { "openmpi:rabenseifner", 0, 0 },
      8,
      "--mca coll ^han --mca coll_tuned_use_dynamic_rules 1 --mca "
      "coll_tuned_allreduce_algorithm 6" },
    { "openmpi-4.1",
      "bcast",
      { "openmpi:knomial", 0, 8 },
      8,
      "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm 7 --mca "
      "coll_tuned_bcast_algorithm_knomial_radix 8" },
    { "openmpi-4.1",
      "bcast",
      { "openmpi:chain", 8192, 0 },
      8,
      "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm 2 --mca "
      "coll_tuned_bcast_algorithm_segmentsize 8192 --mca "
      "coll_tuned_bcast_algorithm_chain_fanout 4" },
    { "openmpi-4.1",
      "reduce",
      { "openmpi:chain.8", 1024, 2 },
      8,
      "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_reduce_algorithm 2 --mca "
      "coll_tuned_reduce_algorithm_segmentsize 1024 --mca "
      "coll_tuned_reduce_algorithm_chain_fanout 2 --mca "
      "coll_tuned_reduce_algorithm_max_requests 8" },
    { "openmpi-4.1",
      "alltoall",
      { "openmpi:linear_sync", 0, 3 },
      8,
      "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_alltoall_algorithm 4 --mca "
      "coll_tuned_alltoall_algorithm_max_requests 3" },
    { "openmpi-4.1",
      "allgatherv",
      { "openmpi:gatherv_bcast", 0, 0 },
      8,
      "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allgatherv_algorithm 1" },
    { "mpich-4.0",
      "reduce_scatter",
      { "mpich:pairwise", 0, 0 },
      8,
      "-genv MPIR_CVAR_DEVICE_COLLECTIVES none -genv MPIR_CVAR_COLLECTIVE_FALLBACK print "
      "-genv MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM pairwise" },
    { "openmpi-6",
      "reduce",
      { "openmpi:knomial", 0, 4 },
      8,
      "--mca coll ^han --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_reduce_algorithm "
      "8 --mca coll_tuned_reduce_algorithm_chain_fanout 4" },
    { "openmpi-6",
      "allgather",
      { "openmpi:bruck-k-fanout", 0, 3 },
      8,
      "--mca coll ^han --mca coll_tuned_use_dynamic_rules 1 --mca "
      "coll_tuned_allgather_algorithm 2 --mca coll_tuned_allgather_algorithm_tree_fanout 3" },
    /* of another release, refused there, hanging there, no algorithm, no library's */
    { "openmpi-4.1", "allgather", { "openmpi:sparbit", 0, 0 }, 8, NULL },
    { "mpich-4.0", "allgather", { "mpich:recursive_doubling", 0, 0 }, 6, NULL },
    { "openmpi-6", "reduce", { "openmpi:knomial", 0, 1 }, 8, NULL },
    { "openmpi-4.1", "bcast", { "openmpi:default", 0, 0 }, 8, NULL },
    { "openmpi-4.1", "bcast", { "openmpi:han", 0, 0 }, 8, NULL },
    { "mpich-4.2", "allgather", { "mpich:recexch_halving", 0, 9 }, 16, NULL },
    { "mpich-4.0", "bcast", { "mpich:device", 0, 0 }, 8, NULL },
    { "libcollsel", "bcast", { "portable:binomial", 0, 0 }, 8, NULL },
};

static void test_settings(void)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct cell cell = { .procs = settings[i].procs, .bytes = 65536 };
        char wanted[400];
        snprintf(cell.collective, sizeof cell.collective, "%s", settings[i].collective);
        snprintf(wanted, sizeof wanted, "%s%s", settings[i].words ? "mpirun " : "none",
                 settings[i].words ? settings[i].words : "");
        char *seen = rules_setting(rules_reader_find(settings[i].reader), &cell, &settings[i].take);
        is_str(wanted, seen ? seen : "none", "%s: %s, %s by hand", settings[i].reader,
               settings[i].collective, settings[i].take.algorithm);
        free(seen);
    }
}

static void test_releases(void)
{
    static const struct {
        const char *library, *version, *reader;
    } rows[] = { { "openmpi", "3.1.4", "none" },
                 { "openmpi", "4.0.7", "openmpi-4.0" },
                 { "openmpi", "4.1.4", "openmpi-4.1" },
                 { "openmpi", "5.0.9", "openmpi-5" },
                 { "openmpi", "5.0.0", "openmpi-5.0.0" },
                 { "openmpi", "5.0.7", "openmpi-5" },
                 { "openmpi", "6.0.0rc2", "openmpi-6" },
                 { "openmpi", "6.1", "none" },
                 { "mpich", "4.0.2", "mpich-4.0" },
                 { "mpich", "3.4", "none" },
                 { "mpich", "4.1.2", "mpich-4.1" },
                 { "mpich", "4.2.1", "mpich-4.2" },
                 { "mpich", "4.3.0", "mpich-4.3" },
                 { "mpich", "4.4", "none" },
                 { "mpich", "5.0.2", "mpich-5.0" },
                 { "mpich", "5.1", "none" },
                 { "openmpi", "unknown", "none" },
                 { "mpich", "", "none" },
                 { "walk", "1", "none" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct rules_reader *r = rules_reader_of(rows[i].library, rows[i].version);
        is_str(rows[i].reader, r ? r->name : "none", "who reads rules for %s '%s'", rows[i].library,
               rows[i].version);
    }
}

/* The device's trees: compositions that serve, and some that do not. */
static void test_levels(void)
{
    const struct rules_reader *r = &rules_mpich42;
#define COMPOSES(collective, name)                                                                 \
    "{ \"composition=MPIDI_" collective "_intra_composition_" name "\": {} }"
    static const char gamma[] = "{ \"collective=allreduce\": {\n\"comm_type=intra\":\n" COMPOSES(
        "Allreduce", "gamma") " } }";
    loads(0, r, "{ \"collective=\": { \"avg_msg_size<=8\": " RUNS_AS("binomial") " } }",
          "a collective without a name");
    loads(0, r, "{ \"collective=ialltoallw\": { \"count<9\": " RUNS_AS("binomial") " } }",
          "a condition that no collective has");
    loads(0, r, "{ \"collective=broadcast\": " RUNS_AS("binomial") " }", "one of another name");
    loads(1, r, "{ \"collective=ialltoallw\": " RUNS_AS("binomial") " }",
          "one that does not block");
    finds(3, "serves", r, gamma, "one node's memory for communicators on several");
    static const char guarded[] =
        "{ \"collective=allreduce\": { \"comm_size=node_comm_size\":\n" COMPOSES(
            "Allreduce", "gamma") ",\n\"comm_size=any\": " COMPOSES("Allreduce", "beta") " } }";
    struct rules read;
    rules_of_text(r, guarded, strlen(guarded), &read);
    is_int(1, (long long)read.found.n, "a condition that leaves them out makes it right");
    rules_close(&read);
    answers("rule composition_gamma line 2", r, guarded, "allreduce", 4, 8);
    answers("own  line 0", r, guarded, "bcast", 4, 8);
    loads(0, &rules_mpich42, "{ \"collective=bcast\": " COMPOSES("Bcast", "delta") " }",
          "a later composition");
    loads(1, &rules_mpich43, "{ \"collective=bcast\": " COMPOSES("Bcast", "delta") " }",
          "which 4.3 has");
    loads(0, r,
          "{ \"collective=bcast\": " RUNS_AS("binomial") ", \"collective=gather\": " COMPOSES(
              "Gather", "alpha") " }",
          "leaves of two levels");
    static const char reduces[] =
        "{ \"collective=reduce\": { \"comm_hierarchy=parent\":\n" COMPOSES("Reduce", "beta") " } }";
    finds(2, "order", r, reduces, "what looks at no order of the operation");
    static const char reads[] = "{ \"collective=bcast\":\n{ \"algorithm=MPIDI_POSIX_mpi_bcast_"
                                "ipc_read\": {} } }";
    loads(0, r, reads, "a leaf for accelerators");
    answers("own  line 0", &rules_mpich43, reads, "bcast", 4, 8);
}

/* In MPICH's own tree nothing looks either whether a leaf can serve who asks. */
static void test_served(void)
{
    const struct rules_reader *r = &rules_mpich42;
    static const char alone[] = "{ \"collective=bcast\":\n" RUNS_AS("smp") " }";
    static const char below[] = INTRA("\"comm_hierarchy = parent\": " RUNS_AS(
        "smp") ",\n\"comm_hierarchy=any\": " RUNS_AS("binomial"));
    static const char gathers[] = "{ \"collective=allgather\":\n{ \"algorithm=MPIR_Allgather_intra_"
                                  "recursive_doubling\": {} } }";
    static const char powers[] =
        "{ \"collective=allgather\": { \"comm_size=pow2\": { \"algorithm=MPIR_Allgather_intra_"
        "recursive_doubling\": {} },\n\"comm_size=any\": { "
        "\"algorithm=MPIR_Allgather_intra_ring\": "
        "{} } } }";
    finds(2, "serves", r, alone, "what goes by node, for the ranks of a node, too");
    answers("dies smp line 2", r, alone, "bcast", 4, 8);
    answers("rule smp line 3", r, below, "bcast", 4, 8);
    finds(-1, "serves", r, below, "a condition that leaves them out makes it right");
    finds(2, "serves", r, gathers, "what 2^n ranks can run, for all");
    finds(-1, "serves", r, powers, "below the condition on them it is right");
    answers("rule ring line 2", r, powers, "allgather", 6, 8);
}

/* Which variables name a tree, by what is said of one: from 4.3 on a second one names it, too. */
static void test_second_trees(void)
{
    static const char gathers[] = "{ \"collective=gather\": " COMPOSES("Gather", "alpha") " }";
    static const struct {
        const struct rules_reader *reader;
        int notes, loads;
    } rows[] = { { &rules_mpich42, 0, 2 },
                 { &rules_mpich43, 1, 2 },
                 { &rules_mpich43gpu, 1, 3 },
                 { &rules_mpich50gpu, 1, 3 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rules read;
        int notes = 0, n = 0;
        rules_of_text(rows[i].reader, gathers, strlen(gathers), &read);
        for (size_t k = 0; k < read.found.n; k++)
            notes += strstr(read.found.v[k].text,
                            "; MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE_GPU for ") != NULL;
        for (const struct rules_load *s = rows[i].reader->load; s->name; s++)
            n++;
        is_int(rows[i].notes, notes, "%s: a second variable is told", rows[i].reader->name);
        is_int(rows[i].loads, n, "... and so many variables load a file");
        rules_close(&read);
    }
}

/* What the device's tree says of a call, where one candidate is chosen for eight ranks on so many
 * nodes (0: not known), 64 bytes and more; asked in the other tree, too, it is MPICH's own. */
static void composes(const char *wanted, const struct rules_reader *reader, const char *collective,
                     const char *chosen, int measured_nodes, int nodes)
{
    uint64_t procs[] = { 8 }, bytes[] = { 64, 1024 };
    struct candidate take[2];
    struct rules_grid grid = { .procs = procs,
                               .bytes = bytes,
                               .n_procs = 1,
                               .n_bytes = 2,
                               .nodes = &measured_nodes,
                               .take = take };
    const struct rules_choices choices = { &grid, 1 };
    static const char *const remarks[] = { NULL };
    const struct rules_call call = { collective, 8, nodes, 8 / nodes, 64, RULES_GLOBAL };
    struct rules_made made;
    struct rules_answer a = { 0 };
    struct rules r;
    struct err err = { 0 };
    for (size_t i = 0; i < 2; i++)
        take[i] = (struct candidate){ .fanout = 0 };
    snprintf(grid.collective, sizeof grid.collective, "%s", collective);
    for (size_t i = 0; i < 2; i++)
        snprintf(take[i].algorithm, sizeof take[i].algorithm, "mpich:%s", chosen);
    char *text = rules_export(reader, &choices, remarks, &made, &err);
    if (!text || !made.beside) {
        is_str(wanted, text ? "none" : err.text, "%s: %s of %s", reader->name, chosen, collective);
    } else {
        rules_of_text(reader, made.beside, strlen(made.beside), &r);
        rules_ask(&r, &call, &a);
        is_int(1, (long long)r.found.n, "%s: nothing but its level is said of it", reader->name);
        rules_close(&r);
        is_str(wanted, a.algorithm, "%s: %s of %s for %d nodes, asked on %d", reader->name, chosen,
               collective, measured_nodes, nodes);
        rules_of_text(reader, text, strlen(text), &r);
        rules_ask(&r, &call, &a);
        ok(a.outcome == RULES_RUNS && strncmp(a.algorithm, "composition", 11) != 0,
           "... and the other file has no such thing (%s)", a.algorithm);
        rules_close(&r);
    }
    free(text);
    rules_made_clear(&made);
}

static void test_compositions(void)
{
    static const struct rules_reader *const readers[] = { &rules_mpich41, &rules_mpich42,
                                                          &rules_mpich43, &rules_mpich50 };
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        const struct rules_reader *r = readers[i];
        composes("composition_gamma", r, "bcast", "composition_gamma", 2, 2);
        composes("composition_beta", r, "bcast", "composition_beta", 2, 2);
        composes("composition_alpha", r, "reduce", "composition_alpha", 1, 1);
        composes("composition_beta", r, "barrier", "composition_beta", 4, 4);
        /* each serves the communicators that it can, the device decides for all others */
        composes("composition_gamma", r, "allreduce", "composition_gamma", 1, 1);
        composes("composition_alpha", r, "allreduce", "composition_gamma", 1, 2);
        composes("composition_delta", r, "allreduce", "composition_delta", 2, 2);
        composes("composition_gamma", r, "allreduce", "composition_delta", 2, 1);
        composes("composition_alpha", r, "allreduce", "composition_alpha", 0, 2);
        composes("composition_beta", r, "allreduce", "composition_alpha", 0, 8);
        composes(i < 2 ? "none" : "composition_alpha", r, "alltoall", "composition_alpha", 2, 2);
        composes(i < 2 ? "none" : "composition_delta", r, "bcast", "composition_delta", 2, 4);
    }
    composes("none", &rules_mpich42, "bcast", "device", 2, 2);
    composes("none", &rules_mpich40, "bcast", "composition_epsilon", 2, 2);
    /* written by somebody else: a release that does not look whether blocks fit */
    static const char leads[] = "{ \"collective=allgather\":\n" COMPOSES("Allgather", "alpha") " }";
    finds(2, "serves", &rules_mpich42, leads, "blocks of more than its memory, on several nodes");
    loads(1, &rules_mpich43, leads, "which 4.3 looks at");
    answers("rule composition_alpha line 2", &rules_mpich40, leads, "allgather", 8, 65536);
}

int main(void)
{
    test_classic();
    test_units();
    test_dropped();
    test_findings();
    test_parts();
    test_requests();
    test_json();
    test_han();
    test_mpich();
    test_levels();
    test_served();
    test_second_trees();
    test_compositions();
    test_settings();
    test_releases();
    return tap_done();
}
