/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel crosscheck: our times beside those of other benchmarks. */
#include "analysis/verify/crosscheck_ratios.h"
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"

struct input {
    struct options options;
    struct cross_request request;
    const char *name;
    int json;
};

static const double confidence = 0.95;

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

static void take_collectives(void *input, char *arg, struct argp_state *state)
{
    struct cross_request *r = &((struct input *)input)->request;
    char names[COLLECTIVES_TEXT];
    r->n_collectives = split_list(state, "collectives", arg, r->collective);
    for (size_t i = 0; i < r->n_collectives; i++)
        if (!collective_has_schedules(r->collective[i]))
            argp_error(state, "--collectives: '%s' is not measured (want %s)", r->collective[i],
                       collectives_measured(names));
}

static void take_bytes(void *input, char *arg, struct argp_state *state)
{
    struct cross_request *r = &((struct input *)input)->request;
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

static void take_algorithms(void *input, char *arg, struct argp_state *state)
{
    struct cross_request *r = &((struct input *)input)->request;
    r->n_algorithms = split_list(state, "algorithms", arg, r->algorithm);
}

static void check(void *input, struct argp_state *state)
{
    struct cross_request *r = &((struct input *)input)->request;
    static char three[] = COLLECTIVE_EXAMPLES, bytes[] = "8,64,512,4K,32K,256K,1M";
    if (!r->n_collectives)
        take_collectives(input, three, state);
    if (!r->n_bytes)
        take_bytes(input, bytes, state);
    if (!r->n_algorithms)
        r->algorithm[r->n_algorithms++] = "default";
    for (int t = 0; t < CROSS_TOOLS; t++)
        if (r->tool_dir[t])
            return;
    argp_error(state, "no tool given (want --osu, --imb or --reprompi)");
}

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
        return err_set(err, "%zu launch%s failed; run it again to repeat these", values->failed,
                       of_number(values->failed, "", "es"));
    return status;
}

static int run(const void *input, struct err *err)
{
    struct input own = *(const struct input *)input, *in = &own;
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

static void take_name(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    if (!text_is_name(arg))
        argp_error(state, "--name: '%s' is not a name (" TEXT_WANT_NAME ")", arg);
    in->name = arg;
}

static void refuse_word(void *input, char *arg, struct argp_state *state)
{
    (void)input;
    argp_error(state, "'%s' is not an option", arg);
}

static const struct option_row rows[] = {
    { "osu", 0, "DIR",
      "Where OSU's programs are: osu_bcast and the others. They double the size from the least of "
      "--bytes on; other sizes have no row",
      OPTION_TO(request.tool_dir[0]) },
    { "imb", 0, "DIR", "Where Intel's IMB-MPI1 is", OPTION_TO(request.tool_dir[1]) },
    { "reprompi", 0, "DIR", "Where ReproMPI's mpibenchmark is", OPTION_TO(request.tool_dir[2]) },
    { "mpi", 0, "NAME",
      "openmpi, mpich, or an entry of the cluster file: which the tools are built with (openmpi)",
      OPTION_TO(request.mpi) },
    { "procs", 'p', "P", "Ranks (2)", OPTION_RANGE(request.procs, 1, 65536) },
    { "collectives", 0, "A,B", "What to time (" COLLECTIVE_EXAMPLES ")", .take = take_collectives },
    { "algorithms", 0, "A,B",
      "The library's algorithms, forced; `default` is its own choice (default). With two or more "
      "it is also said whether the tools find the same one quickest",
      .take = take_algorithms },
    { "bytes", 0, "A,B", "Sizes, ascending, as 8,1K,1M (8,64,512,4K,32K,256K,1M)",
      .take = take_bytes },
    { "rounds", 0, "N", "Launches of each tool and cell, interleaved (10)",
      OPTION_RANGE(request.rounds, 1, 1000) },
    { "iterations", 0, "N", "Timed calls in each (200)",
      OPTION_RANGE(request.iterations, 2, 1000000) },
    { "warmups", 0, "N", "Calls before them, where a tool takes that (100)",
      OPTION_RANGE(request.warmups, 0, 10000) },
    { "limit", 0, "S", "Seconds after which a launch is killed (120)",
      OPTION_RANGE(request.limit_s, 1, 86400) },
    { "name", 0, "NAME", "Directory below the cluster's results (crosscheck-MPI-pP)",
      .take = take_name },
    { "fresh", 0, NULL, "Remove what an earlier check left there", OPTION_TO(request.fresh) },
    { "seed", 0, "N", "Of the order within each round (1)",
      OPTION_RANGE(request.seed, 0, 2147483647) },
    { "json", 0, NULL, "Print the table, and what each benchmark finds quickest, as JSON",
      OPTION_TO(json) },
    { "cluster", 'c', "NAME",
      "Cluster file that describes this machine (the only one of clusters, or the one that is this "
      "machine)",
      .group = 1, OPTION_TO(options.cluster) },
    { "clusters", 0, "DIR", "Directory of cluster files (clusters)", .group = 1,
      OPTION_TO(options.clusters) },
    { "results", 0, "DIR", "Directory of results (results)", .group = 1,
      OPTION_TO(options.results) },
    { "dry-run", 'n', NULL, "Print the command lines of one round; run nothing", .group = 1,
      OPTION_TO(request.dry_run) },
    { "quiet", 'q', NULL, "No chatter", .group = 1, OPTION_TO(request.quiet) },
    { 0 },
};

static struct input asked = { .request = { .mpi = "openmpi",
                                           .procs = 2,
                                           .rounds = 10,
                                           .iterations = 200,
                                           .warmups = 100,
                                           .limit_s = 120,
                                           .seed = 1 } };

const struct command cmd_crosscheck = {
    .name = "crosscheck",
    .help = "compare with OSU's, Intel's, ReproMPI's times",
    .doc = "Runs other benchmarks and ours on the same cells of this machine, interleaved "
           "round by round, and prints the ratios of their times with intervals, and whether "
           "they find the same algorithms quickest. Interrupt it at will; run again, it goes "
           "on. The texts of all launches are kept.",
    .shared = &options_none,
    .take_word = refuse_word,
    .rows = rows,
    .input = &asked,
    .check = check,
    .run = run,
};
