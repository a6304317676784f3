/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel crosscheck: our times beside those of other benchmarks. */
#include <stdlib.h>
#include <string.h>

#include "analysis/verify/crosscheck_ratios.h"
#include "harness/base/json_print.h"
#include "harness/base/number.h"
#include "harness/base/text.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/options.h"
#include "workloads/schedules/collectives.h"

enum {
    OPT_TOOL = 0x300, /* and one for each tool behind it */
    OPT_MPI = OPT_TOOL + CROSS_TOOLS,
    OPT_COLLECTIVES,
    OPT_ALGORITHMS,
    OPT_BYTES,
    OPT_ROUNDS,
    OPT_ITERATIONS,
    OPT_WARMUPS,
    OPT_LIMIT,
    OPT_NAME,
    OPT_FRESH,
    OPT_CLUSTERS,
    OPT_RESULTS,
    OPT_SEED,
    OPT_JSON
};

struct input {
    struct options options;
    struct cross_request request;
    const char *name;
    int json;
};

static const double confidence = 0.95;

static const struct argp_option rows[] = {
    { "osu", OPT_TOOL, "DIR", 0,
      "Where OSU's programs are: osu_bcast and the others. They double the size from the least of "
      "--bytes on; other sizes have no row",
      0 },
    { "imb", OPT_TOOL + 1, "DIR", 0, "Where Intel's IMB-MPI1 is", 0 },
    { "reprompi", OPT_TOOL + 2, "DIR", 0, "Where ReproMPI's mpibenchmark is", 0 },
    { "mpi", OPT_MPI, "NAME", 0,
      "openmpi, mpich, or an entry of the cluster file: which the tools are built with (openmpi)",
      0 },
    { "procs", 'p', "P", 0, "Ranks (2)", 0 },
    { "collectives", OPT_COLLECTIVES, "A,B", 0, "What to time (bcast,reduce,allgather)", 0 },
    { "algorithms", OPT_ALGORITHMS, "A,B", 0,
      "The library's algorithms, forced; `default` is its own choice (default). With two or more "
      "it is also said whether the tools find the same one quickest",
      0 },
    { "bytes", OPT_BYTES, "A,B", 0, "Sizes, ascending, as 8,1K,1M (8,64,512,4K,32K,256K,1M)", 0 },
    { "rounds", OPT_ROUNDS, "N", 0, "Launches of each tool and cell, interleaved (10)", 0 },
    { "iterations", OPT_ITERATIONS, "N", 0, "Timed calls in each (200)", 0 },
    { "warmups", OPT_WARMUPS, "N", 0, "Calls before them, where a tool takes that (100)", 0 },
    { "limit", OPT_LIMIT, "S", 0, "Seconds after which a launch is killed (120)", 0 },
    { "name", OPT_NAME, "NAME", 0, "Directory below the cluster's results (crosscheck-MPI-pP)", 0 },
    { "fresh", OPT_FRESH, 0, 0, "Remove what an earlier check left there", 0 },
    { "seed", OPT_SEED, "N", 0, "Of the order within each round (1)", 0 },
    { "json", OPT_JSON, 0, 0, "Print the table and who finds what quickest as JSON", 0 },
    { "cluster", 'c', "NAME", 0,
      "Cluster file that describes this machine (the only one of clusters, or local)", 1 },
    { "clusters", OPT_CLUSTERS, "DIR", 0, "Directory of cluster files (clusters)", 1 },
    { "results", OPT_RESULTS, "DIR", 0, "Directory of results (results)", 1 },
    { "dry-run", 'n', 0, 0, "Print the command lines of one round; run nothing", 1 },
    { "quiet", 'q', 0, 0, "No chatter", 1 },
    { 0 },
};

/* ---- lists ---- */

/* Splits at commas, in place; the words are borrowed. */
static size_t split_list(struct argp_state *state, const char *option, char *arg,
                         const char *word[CROSS_MOST])
{
    size_t n = 0;
    char *rest = NULL;
    for (char *w = strtok_r(arg, ",", &rest); w; w = strtok_r(NULL, ",", &rest)) {
        if (n == CROSS_MOST)
            argp_error(state, "--%s: more than %d", option, CROSS_MOST);
        word[n++] = w;
    }
    if (!n)
        argp_error(state, "--%s: nothing given", option);
    return n;
}

static void take_collectives(struct argp_state *state, struct cross_request *r, char *arg)
{
    char names[COLLECTIVES_TEXT];
    r->n_collectives = split_list(state, "collectives", arg, r->collective);
    for (size_t i = 0; i < r->n_collectives; i++)
        if (!collective_has_schedules(r->collective[i]))
            argp_error(state, "--collectives: '%s' is not measured (want %s)", r->collective[i],
                       collectives_measured(names));
}

static void take_bytes(struct argp_state *state, struct cross_request *r, char *arg)
{
    const char *word[CROSS_MOST];
    struct err err = { 0 };
    r->n_bytes = split_list(state, "bytes", arg, word);
    for (size_t i = 0; i < r->n_bytes; i++) {
        if (parse_bytes(word[i], &r->bytes[i], &err) < 0)
            argp_error(state, "--bytes: %s", err.text);
        if (i && r->bytes[i] <= r->bytes[i - 1])
            argp_error(state, "--bytes: %s does not ascend", word[i]);
    }
}

static void take_default(struct argp_state *state, struct cross_request *r)
{
    static char three[] = "bcast,reduce,allgather", bytes[] = "8,64,512,4K,32K,256K,1M";
    if (!r->n_collectives)
        take_collectives(state, r, three);
    if (!r->n_bytes)
        take_bytes(state, r, bytes);
    if (!r->n_algorithms)
        r->algorithm[r->n_algorithms++] = "default";
    for (int t = 0; t < CROSS_TOOLS; t++)
        if (r->tool_dir[t])
            return;
    argp_error(state, "no tool given (want --osu, --imb or --reprompi)");
}

/* ---- parsing ---- */

static error_t parse_place(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    switch (key) {
    case 'c':
        in->options.cluster = arg;
        return 0;
    case OPT_CLUSTERS:
        in->options.clusters = arg;
        return 0;
    case OPT_RESULTS:
        in->options.results = arg;
        return 0;
    case OPT_NAME:
        if (!text_is_name(arg))
            argp_error(state, "--name: '%s' is not a name (" TEXT_WANT_NAME ")", arg);
        in->name = arg;
        return 0;
    case OPT_JSON:
        in->json = 1;
        return 0;
    case OPT_FRESH:
        in->request.fresh = 1;
        return 0;
    case 'n':
        in->request.dry_run = 1;
        return 0;
    case 'q':
        in->request.quiet = 1;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is not an option", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    struct cross_request *r = &in->request;
    if (key >= OPT_TOOL && key < OPT_TOOL + CROSS_TOOLS) {
        r->tool_dir[key - OPT_TOOL] = arg;
        return 0;
    }
    switch (key) {
    case OPT_MPI:
        r->mpi = arg;
        return 0;
    case 'p':
        r->procs = options_take_int(state, "procs", arg, 1, 65536);
        return 0;
    case OPT_COLLECTIVES:
        take_collectives(state, r, arg);
        return 0;
    case OPT_ALGORITHMS:
        r->n_algorithms = split_list(state, "algorithms", arg, r->algorithm);
        return 0;
    case OPT_BYTES:
        take_bytes(state, r, arg);
        return 0;
    case OPT_ROUNDS:
        r->rounds = options_take_int(state, "rounds", arg, 1, 1000);
        return 0;
    case OPT_ITERATIONS:
        r->iterations = options_take_int(state, "iterations", arg, 2, 1000000);
        return 0;
    case OPT_WARMUPS:
        r->warmups = options_take_int(state, "warmups", arg, 0, 10000);
        return 0;
    case OPT_LIMIT:
        r->limit_s = options_take_int(state, "limit", arg, 1, 86400);
        return 0;
    case OPT_SEED:
        r->seed = (uint64_t)options_take_int(state, "seed", arg, 0, 2147483647);
        return 0;
    case ARGP_KEY_END:
        take_default(state, r);
        return 0;
    default:
        return parse_place(key, arg, state);
    }
}

/* ---- the work ---- */

static int print_json(const struct cross_table *t, struct err *err)
{
    json_t *winners = json_array();
    for (size_t i = 0; i < t->n_winners; i++) {
        const struct cross_winner *w = &t->winner[i];
        json_array_append_new(winners,
                              json_pack("{s:s, s:s, s:I, s:s, s:s, s:b}", "tool", w->tool,
                                        "collective", w->collective, "bytes", (json_int_t)w->bytes,
                                        "ours", w->ours, "theirs", w->theirs, "agree", w->agree));
    }
    return json_print(json_pack("{s:o, s:o}", "rows", json_rows(&cross_schema, t->row, t->n),
                                "quickest", winners),
                      err);
}

static int judge(const struct input *in, const struct cross_values *values, struct err *err)
{
    char path[PATH_SIZE];
    struct cross_table table;
    if (fs_path(path, sizeof path, err, "%s/crosscheck.csv", in->request.results) < 0)
        return -1;
    cross_judge(values, confidence, &table);
    int status = table.n ? cross_write(path, &table, err)
                         : err_set(err, "there is no cell of which a tool and we have a time");
    if (status == 0 && in->json)
        status = print_json(&table, err);
    else if (status == 0)
        cross_print(stdout, &table);
    if (status == 0 && !in->request.quiet)
        fprintf(stderr, "wrote %s\n", path);
    cross_table_clear(&table);
    if (status == 0 && values->failed)
        return err_set(err, "%zu launches failed; run it again to repeat these", values->failed);
    return status;
}

static int run(struct input *in, struct err *err)
{
    char build[PATH_SIZE], results[PATH_SIZE];
    struct cross_request *r = &in->request;
    struct cross_values values;
    struct cluster cluster;
    if (options_build(&in->options, build, sizeof build, err) < 0 ||
        options_cluster(&in->options, &cluster, err) < 0)
        return -1;
    r->cluster = &cluster;
    r->build = build;
    r->results = results;
    int status =
        cluster_holds(cluster.name, cluster.nodes, cluster_node_cores(&cluster), r->procs, 0, err);
    if (status == 0)
        status = in->name ? fs_path(results, sizeof results, err, "%s/%s/%s", in->options.results,
                                    cluster.name, in->name)
                          : fs_path(results, sizeof results, err, "%s/%s/crosscheck-%s-p%d",
                                    in->options.results, cluster.name, r->mpi, r->procs);
    if (status == 0)
        status = cross_run(r, &values, err);
    if (status == 0) {
        status = r->dry_run ? 0 : judge(in, &values, err);
        cross_clear(&values);
    }
    cluster_free(&cluster);
    return status;
}

static int crosscheck_main(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .doc = "Runs other benchmarks and ours on the same cells of this machine, interleaved "
               "round by round, and prints the ratios of their times with intervals, and whether "
               "they find the same algorithms quickest. Interrupt it at will; run again, it goes "
               "on. The texts of all launches are kept.",
    };
    struct input in = { .request = { .mpi = "openmpi",
                                     .procs = 2,
                                     .rounds = 10,
                                     .iterations = 200,
                                     .warmups = 100,
                                     .limit_s = 120,
                                     .seed = 1 } };
    struct err err = { 0 };
    options_init(&in.options);
    const int usage = options_parse(&argp, argc, argv, &in);
    options_choose(&in.options);
    if (usage)
        return usage - 1;
    return run(&in, &err) < 0 ? options_fail("crosscheck", &err) : EXIT_DONE;
}

const struct command cmd_crosscheck = { "crosscheck",
                                        "compare with OSU's, Intel's, ReproMPI's times",
                                        crosscheck_main };
