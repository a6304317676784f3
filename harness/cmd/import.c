/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel import: other people's measurements as a data set of ours. */

#include "harness/base/json_print.h"
#include "harness/import/map.h"
#include "harness/import/file_pattern.h"
#include "harness/import/import_run.h"
#include "harness/cmd/options.h"
#include "harness/run/lock.h"
#include "harness/study/holdout_spec.h"

struct input {
    struct options options;
    struct import_options import;
    const char *cluster, *machine, *dataset;
    char **paths;
    size_t n_paths;
    int dry_run;
    int json; /* what became of the rows as JSON */
};

static void expect(struct argp_state *state, int status, const struct err *err)
{
    if (status < 0)
        argp_error(state, "%s", err->text);
}

static void take_format(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    in->import.format = import_format_find(arg);
    if (!in->import.format)
        argp_error(state,
                   "'%s' is not a format (want osu, imb, reprompi, csv, pico, profile, nccl or "
                   "tallone)",
                   arg);
}

static void check_name(const char *arg, struct argp_state *state)
{
    if (!text_is_name(arg))
        argp_error(state, "--name: '%.60s' is not a name (%s)", arg, TEXT_WANT_NAME);
}

static void print_next(const char *dir)
{
    char next[NEXT_SIZE];
    const char *const words[] = { "collsel", "fit", "--dataset", dir, NULL };
    fprintf(stderr, "wrote %s/imported.csv, manifest.json (%s)\n", dir, options_words(words, next));
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    char build[PATH_SIZE];
    struct import_result result;
    struct import_request request = {
        .options = &in->import,
        .paths = in->paths,
        .n_paths = in->n_paths,
        .cluster = in->cluster,
        .machine = in->machine,
        .clusters = in->options.clusters,
        .results = in->options.results,
        .dataset = in->dataset,
        .build = build,
        .command = in->options.command,
        .dry_run = in->dry_run,
        .lock = lock_analysis,
    };
    if (options_build(&in->options, build, sizeof build, err) < 0 ||
        import_run(&request, &result, err) < 0)
        return -1;
    int status = 0;
    if (in->json)
        status = json_print(import_json(&result), err);
    else
        import_print(stdout, &result);
    if (status == 0 && !result.taken)
        status = err_set(err, "no row could be taken");
    if (status == 0 && !in->dry_run && !in->options.quiet)
        print_next(result.dir);
    import_result_clear(&result);
    return status;
}

static void take_map(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    struct err err = { 0 };
    expect(state, map_parse(arg, &in->import, &err), &err);
}

static void take_set(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    struct err err = { 0 };
    expect(state, map_set(arg, &in->import, &err), &err);
}

static void take_where(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    struct err err = { 0 };
    expect(state, map_where(arg, &in->import, &err), &err);
}

static void take_pattern(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    struct err err = { 0 };
    expect(state, path_pattern_check(arg, &err), &err);
    in->import.pattern = arg;
}

static void take_holdout(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    struct holdouts unused;
    struct err err = { 0 };
    expect(state, holdouts_parse(arg, &unused, &err), &err);
    in->import.holdout = arg;
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (!in->paths)
        argp_error(state, "no file or directory given");
    while (in->paths[in->n_paths])
        in->n_paths++;
}

static const struct option_row rows[] = {
    { "format", 0, "NAME",
      "osu, imb, reprompi, csv, pico, profile, nccl or tallone (default: recognised in each file)",
      .take = take_format },
    { "cluster", 'c', "NAME",
      "Cluster of the measurements: clusters/NAME.ini, or a path (default: the format's)",
      OPTION_TO(cluster) },
    { "machine", 0, "NODESxSOCKETSxCORES",
      "What the cluster is, where no file says it: 13x2x21; 13x42 of one socket a node",
      OPTION_TO(machine) },
    { "name", 0, "DATASET", "Name of the data set (default: after the first path)",
      OPTION_TO(dataset), .check = check_name },
    { "map", 0, "ROLE=COLUMN,...",
      "csv: which column is what, times with their unit: bytes=size,procs=P,max_s=max:us",
      .take = take_map },
    { "set", 0, "ROLE=VALUE,...",
      "What the files do not tell: collective=" COLLECTIVE_EXAMPLE
      ",mapping=core,procs=64,algorithm=chain",
      .take = take_set },
    { "where", 0, "COLUMN=VALUE",
      "Take the rows of tables that have this value (* and ? match); may come again",
      .take = take_where },
    { "pattern", 0, "NAME",
      "What the files' names tell: '{collective}-{algorithm}-{procs}.txt'; {run}: which run; {*}: "
      "no matter",
      .take = take_pattern },
    { "mpi", 0, "NAME", "MPI library: openmpi, mpich ...",
      OPTION_TO(import.constants.text[ROLE_MPI]) },
    { "mpi-version", 0, "VERSION", "Its version", OPTION_TO(import.version) },
    { "whole", 0, NULL,
      "A last line without its end counts (default: it may be cut, and is set aside)",
      OPTION_TO(import.whole) },
    { "oversubscribed", 0, NULL,
      "A node may have had more ranks than cores (default: such rows are set aside)",
      OPTION_TO(import.oversubscribed) },
    { "holdout", 0, "WHAT...",
      "What select and report keep from all that learns, as `collsel select --holdout`; several in "
      "quotes, with blanks between",
      .take = take_holdout },
    { "dry-run", 0, NULL, "Read and judge, write nothing", OPTION_TO(dry_run) },
    { "json", 0, NULL, "Print what became of the rows as JSON", OPTION_TO(json) },
    { "clusters", 0, "DIR", "Directory of cluster files (default: clusters)", .group = 1,
      OPTION_TO(options.clusters) },
    { "results", 0, "DIR", "Directory of results (default: results)", .group = 1,
      OPTION_TO(options.results) },
    { "quiet", 'q', NULL, "No chatter", .group = 1, OPTION_TO(options.quiet) },
    { 0 },
};

const struct command cmd_import = {
    .name = "import",
    .help = "take other people's measurements as a data set",
    .words = "FILE|DIR...",
    .doc = "Makes a data set of other people's measurements: RESULTS/CLUSTER/DATASET/, "
           "imported.csv and manifest.json, for `collsel fit --dataset DATASET` and what "
           "follows. Rows that cannot be right are set aside with file, line and reason; rows "
           "that come again count once.",
    .rows = rows,
    .shared = &options_none,
    .input = &(struct input){},
    .all_words = INPUT_AT(paths),
    .check = check,
    .run = run,
};
