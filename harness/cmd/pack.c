/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel pack: one archive that measures a study where nothing can be installed. */
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/cmd/cmd.h"
#include "harness/cmd/options.h"
#include "harness/run/sweep/pack.h"

enum { KEY_RELEASE = 0x200, KEY_RETRIES, MOST_RETRIES = 1000 };

struct input {
    struct options options;
    const char *output, *release;
    int retries;
};

static const struct argp_option rows[] = {
    { "output", 'o', "FILE", 0, "The archive (default: collsel-kit-CLUSTER-STUDY.tar.gz)", 0 },
    { "release", KEY_RELEASE, "VERSION", 0,
      "Release of the MPI library there, as 5.0.7: the kit measures no other (default: any, and "
      "what "
      "a release does not have is told there)",
      0 },
    { "retries", KEY_RETRIES, "N", 0, "Try a failed or hung point N more times (default: 1)", 0 },
    { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    switch (key) {
    case 'o':
        in->output = arg;
        return 0;
    case KEY_RELEASE:
        if (!*arg || arg[strspn(arg, "0123456789.abcr")])
            argp_error(state, "--release: '%s' is no release (want one like 5.0.7)", arg);
        in->release = arg;
        return 0;
    case KEY_RETRIES:
        in->retries = options_take_int(state, "retries", arg, 0, MOST_RETRIES);
        return 0;
    case ARGP_KEY_END:
        if (strcmp(in->options.backend, "auto") != 0 && strcmp(in->options.backend, "kit") != 0)
            argp_error(state, "--backend: '%s' needs no kit (want collsel sweep)",
                       in->options.backend);
        return 0;
    default:
        return options_common(key, arg, state);
    }
}

static int run(const void *input, const struct cluster *cluster, const struct study *study,
               struct err *err)
{
    const struct input *in = input;
    char dir[PATH_SIZE], build[PATH_SIZE], archive[PATH_SIZE];
    struct pack_request request = { .cluster = cluster,
                                    .study = study,
                                    .dir = dir,
                                    .archive = in->output ? in->output : archive,
                                    .build = build,
                                    .command = in->options.command,
                                    .release = in->release,
                                    .retries = in->retries };
    struct pack_result result;
    if (options_dir(&in->options, cluster, study, dir, sizeof dir, err) < 0 ||
        options_build(&in->options, build, sizeof build, err) < 0 ||
        fs_path(archive, sizeof archive, err, "collsel-kit-%s-%s.tar.gz", cluster->name,
                study->name) < 0 ||
        pack_write(&request, &result, err) < 0)
        return -1;
    printf("%s\n", request.archive);
    if (!in->options.quiet)
        fprintf(
            stderr,
            "%zu points in %zu of %zu launches, digest %s. On the cluster:\n"
            "  tar xzf %s && cd collsel-kit-%s-%s && make MPICC=mpicc && sbatch jobs/*.sbatch   "
            "(or the lines of launches.txt), then make results\n"
            "home again: collsel collect ARCHIVE\n",
            result.points, result.launches, result.planned, result.digest, request.archive,
            cluster->name, study->name);
    return EXIT_DONE;
}

static int pack_main(int argc, char **argv)
{
    static const struct argp argp = {
        .options = rows,
        .parser = parse,
        .children = options_of_study,
        .doc =
            "Writes an archive that measures what a study lacks on a machine with an MPI, a C "
            "compiler and make, and nothing else: sources, plan, job scripts (docs/kit.md). What "
            "was measured there comes home by `collsel collect ARCHIVE`; packed again, the kit "
            "holds what is still missing.",
    };
    struct input in = { .retries = 1, .release = "unknown" };
    return options_main_study(&argp, argc, argv, &in, run);
}

const struct command cmd_pack = { "pack",
                                  "one archive that measures where nothing can be installed",
                                  pack_main };
