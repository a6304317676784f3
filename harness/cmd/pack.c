/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel measure pack: one archive that measures a study where nothing can be installed. */
#include "harness/base/json_print.h"
#include "harness/cmd/options.h"
#include "harness/run/sweep/pack.h"

enum { MOST_RETRIES = 1000 };

struct input {
    struct options options;
    const char *output, *release;
    int retries, json;
};

static int run(const void *input, const struct cluster *cluster, const struct study *study,
               struct err *err)
{
    const struct input *in = input;
    char dir[PATH_SIZE], build[PATH_SIZE], archive[PATH_SIZE];
    struct sweep_request request = { .cluster = cluster,
                                     .study = study,
                                     .dir = dir,
                                     .build = build,
                                     .command = in->options.command,
                                     .release = in->release,
                                     .retries = in->retries };
    const char *to = in->output ? in->output : archive;
    struct pack_result result;
    if (options_dir(&in->options, cluster, study, dir, sizeof dir, err) < 0 ||
        options_build(&in->options, build, sizeof build, err) < 0 ||
        fs_path(archive, sizeof archive, err, "collsel-kit-%s-%s.tar.gz", cluster->name,
                study->name) < 0 ||
        pack_write(&request, to, &result, err) < 0)
        return -1;
    if (in->json)
        return json_print(json_pack("{s:s, s:I, s:I, s:I, s:s}", "archive", to, "points",
                                    (json_int_t)result.points, "launches",
                                    (json_int_t)result.launches, "planned",
                                    (json_int_t)result.planned, "digest", result.digest),
                          err);
    printf("%s\n", to);
    const char *slash = strrchr(to, '/');
    struct argv there = { 0 };
    argv_add(&there, "%s", slash ? slash + 1 : to);
    char *text = argv_text(&there);
    if (!in->options.quiet)
        fprintf(
            stderr,
            "%zu point%s in %zu of %zu launch%s, digest %s. On the cluster:\n"
            "  tar xzf %s && cd collsel-kit-%s-%s && make MPICC=mpicc && sbatch jobs/*.sbatch   "
            "(or the lines of launches.txt), then make results\n"
            "home again: collsel measure collect ARCHIVE\n",
            COUNTED(result.points), result.launches, result.planned,
            of_number(result.planned, "", "es"), result.digest, text, cluster->name, study->name);
    argv_free(&there);
    free(text);
    return EXIT_DONE;
}

static void check_release(const char *arg, struct argp_state *state)
{
    if (!*arg || arg[strspn(arg, "0123456789.abcr")])
        argp_error(state, "--release: '%s' is no release (want one like 5.0.7)", arg);
}

static void check(void *input, struct argp_state *state)
{
    struct input *in = input;
    if (strcmp(in->options.backend, "auto") != 0 && strcmp(in->options.backend, "kit") != 0)
        argp_error(state, "--backend: '%s' needs no kit (want collsel measure)",
                   in->options.backend);
}

static const struct option_row rows[] = {
    { "output", 'o', "FILE", "The archive (default: collsel-kit-CLUSTER-STUDY.tar.gz)",
      OPTION_TO(output) },
    { "release", 0, "VERSION",
      "Release of the MPI library there, as 5.0.7: the kit measures no other (default: any; the "
      "kit reports what the release lacks)",
      OPTION_TO(release), .check = check_release },
    { "retries", 0, "N", "Try a failed or hung point N more times (default: 1)",
      OPTION_RANGE(retries, 0, MOST_RETRIES) },
    { "json", 0, NULL, "Print what was packed as JSON", OPTION_TO(json) },
    { 0 },
};

const struct command cmd_pack = {
    .name = "pack",
    .help = "one archive that measures where nothing can be installed",
    .doc =
        "Writes an archive that measures what a study lacks on a machine with an MPI, a C "
        "compiler and make, and nothing else: sources, plan, job scripts (docs/kit.md). What "
        "was measured there comes home by `collsel measure collect ARCHIVE`; packed again, the kit "
        "holds what is still missing.",
    .rows = rows,
    .shared = &options_of_study,
    .input = &(struct input){ .retries = 1, .release = "unknown" },
    .check = check,
    .run_study = run,
};
