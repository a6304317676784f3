/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel import: other people's measurements as a data set of ours. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_print.h"
#include "harness/base/text.h"
#include "harness/cmd/cmd.h"
#include "harness/import/map.h"
#include "harness/import/file_pattern.h"
#include "harness/import/import_run.h"
#include "harness/cmd/options.h"
#include "harness/run/lock.h"
#include "harness/study/holdout_spec.h"

enum {
    KEY_FORMAT = 0x300,
    KEY_DATASET_NAME,
    KEY_MAP,
    KEY_SET,
    KEY_WHERE,
    KEY_MPI,
    KEY_MPI_VERSION,
    KEY_PATTERN,
    KEY_WHOLE,
    KEY_OVERSUBSCRIBED,
    KEY_HOLDOUT,
    KEY_DRY_RUN,
    KEY_JSON,
    KEY_MACHINE,
    KEY_IMPORT_CLUSTERS,
    KEY_IMPORT_RESULTS
};

struct input {
    struct options options;
    struct import_options import;
    const char *cluster, *machine, *dataset;
    char **paths;
    size_t n_paths;
    int dry_run;
    int json; /* what became of the rows as JSON */
};

static const struct argp_option rows[] = {
    { "format", KEY_FORMAT, "NAME", 0,
      "osu, imb, reprompi, csv, pico, profile, nccl or tallone (default: told from each file)", 0 },
    { "cluster", 'c', "NAME", 0,
      "Cluster of the measurements: clusters/NAME.ini, or a path (default: the format's)", 0 },
    { "machine", KEY_MACHINE, "NODESxSOCKETSxCORES", 0,
      "What the cluster is, where no file says it: 13x2x21; 13x42 of one socket a node", 0 },
    { "name", KEY_DATASET_NAME, "DATASET", 0,
      "Name of the data set (default: after the first path)", 0 },
    { "map", KEY_MAP, "ROLE=COLUMN,...", 0,
      "csv: which column is what, times with their unit: bytes=size,procs=P,max_s=max:us", 0 },
    { "set", KEY_SET, "ROLE=VALUE,...", 0,
      "What the files do not tell: collective=bcast,mapping=core,procs=64,algorithm=chain", 0 },
    { "where", KEY_WHERE, "COLUMN=VALUE", 0,
      "Take the rows of tables that have this value (* and ? match); may come again", 0 },
    { "pattern", KEY_PATTERN, "NAME", 0,
      "What the files' names tell: '{collective}-{algorithm}-{procs}.txt'; {run}: which run; {*}: "
      "no matter",
      0 },
    { "mpi", KEY_MPI, "NAME", 0, "MPI library: openmpi, mpich ...", 0 },
    { "mpi-version", KEY_MPI_VERSION, "VERSION", 0, "Its version", 0 },
    { "whole", KEY_WHOLE, 0, 0,
      "A last line without its end counts (default: it may be cut, and is set aside)", 0 },
    { "oversubscribed", KEY_OVERSUBSCRIBED, 0, 0,
      "A node may have had more ranks than cores (default: such rows are set aside)", 0 },
    { "holdout", KEY_HOLDOUT, "WHAT...", 0,
      "What select and report keep from all that learns, as `collsel select --holdout`; several in "
      "quotes, with blanks between",
      0 },
    { "dry-run", KEY_DRY_RUN, 0, 0, "Read and judge, write nothing", 0 },
    { "json", KEY_JSON, 0, 0, "Print what became of the rows as JSON", 0 },
    { "clusters", KEY_IMPORT_CLUSTERS, "DIR", 0, "Directory of cluster files (default: clusters)",
      1 },
    { "results", KEY_IMPORT_RESULTS, "DIR", 0, "Directory of results (default: results)", 1 },
    { "quiet", 'q', 0, 0, "No chatter", 1 },
    { 0 },
};

static void check(struct argp_state *state, int status, const struct err *err)
{
    if (status < 0)
        argp_error(state, "%s", err->text);
}

static const struct import_format *format_of(struct argp_state *state, const char *name)
{
    const struct import_format *format = import_format_find(name);
    if (!format)
        argp_error(state,
                   "'%s' is not a format (want osu, imb, reprompi, csv, pico, profile, nccl or "
                   "tallone)",
                   name);
    return format;
}

static void take_name(struct argp_state *state, struct input *in, const char *arg)
{
    if (!text_is_name(arg))
        argp_error(state, "--name: '%.60s' is not a name (%s)", arg, TEXT_WANT_NAME);
    in->dataset = arg;
}

static error_t parse_format_options(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    struct holdouts unused;
    struct err err = { 0 };
    switch (key) {
    case KEY_FORMAT:
        in->import.format = format_of(state, arg);
        return 0;
    case KEY_MAP:
        check(state, map_parse(arg, &in->import, &err), &err);
        return 0;
    case KEY_SET:
        check(state, map_set(arg, &in->import, &err), &err);
        return 0;
    case KEY_WHERE:
        check(state, map_where(arg, &in->import, &err), &err);
        return 0;
    case KEY_PATTERN:
        check(state, path_pattern_check(arg, &err), &err);
        in->import.pattern = arg;
        return 0;
    case KEY_MPI:
        in->import.constants.text[ROLE_MPI] = arg;
        return 0;
    case KEY_MPI_VERSION:
        in->import.version = arg;
        return 0;
    case KEY_WHOLE:
        in->import.whole = 1;
        return 0;
    case KEY_HOLDOUT:
        check(state, holdouts_parse(arg, &unused, &err), &err);
        in->import.holdout = arg;
        return 0;
    case KEY_OVERSUBSCRIBED:
        in->import.oversubscribed = 1;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    switch (key) {
    case 'c':
        in->cluster = arg;
        return 0;
    case KEY_DATASET_NAME:
        take_name(state, in, arg);
        return 0;
    case KEY_MACHINE:
        in->machine = arg;
        return 0;
    case KEY_DRY_RUN:
        in->dry_run = 1;
        return 0;
    case KEY_JSON:
        in->json = 1;
        return 0;
    case KEY_IMPORT_CLUSTERS:
        in->options.clusters = arg;
        return 0;
    case KEY_IMPORT_RESULTS:
        in->options.results = arg;
        return 0;
    case 'q':
        in->options.quiet = 1;
        return 0;
    case ARGP_KEY_ARGS:
        in->paths = state->argv + state->next;
        in->n_paths = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no file or directory given");
        return 0;
    default:
        return parse_format_options(key, arg, state);
    }
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

static int import_main(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .args_doc = "FILE|DIR...",
        .doc = "Makes a data set of other people's measurements: RESULTS/CLUSTER/DATASET/, "
               "imported.csv and manifest.json, for `collsel fit --dataset DATASET` and what "
               "follows. Rows that cannot be right are set aside with file, line and reason; rows "
               "that come again count once.",
    };
    struct input in = { 0 };
    return options_main(&argp, argc, argv, &in, run);
}

const struct command cmd_import = { "import", "take other people's measurements as a data set",
                                    import_main };
