/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/try_rules.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/number.h"
#include "harness/base/subprocess.h"
#include "harness/base/text.h"
#include "harness/rules/load_lines.h"
#include "harness/run/libraries/built.h"
#include "harness/run/libraries/launchers.h"
#include "harness/run/libraries/mpi_library.h"
#include "harness/study/manifest.h"

enum { RANKS = 4, PATIENCE_S = 120, SAID = 400 };

/* MPICH's algorithms in a node's memory wait without giving up the core, of which there are fewer
 * than ranks: its others take their place. No file of ours speaks of them. */
static const char *const spinning[] = { "MPIR_CVAR_BARRIER_POSIX_INTRA_ALGORITHM=mpir",
                                        "MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM=mpir",
                                        "MPIR_CVAR_REDUCE_POSIX_INTRA_ALGORITHM=mpir",
                                        "MPIR_CVAR_ALLREDUCE_POSIX_INTRA_ALGORITHM=mpir", NULL };

/* The variables that load a file (path NULL: of none), and the words that start ranks, each of
 * which does what our measuring program does by that option; nothing else is set. */
static int make_command(const struct try_rules *in, const char *path, const char *option,
                        struct argv *args, struct err *err)
{
    static const struct cluster here;
    static const struct launch few = {
        .mapping = "core", .nodes = 1, .ppn = RANKS, .procs = RANKS
    };
    const struct rules_reader *reader = in->reader;
    const struct library *library = library_find(reader->library);
    char program[PATH_SIZE], name[RULES_LOAD_NAME], value[PATH_SIZE];
    struct argv words = { 0 };
    struct installed mpi;
    library_look(in->cluster, in->entry, in->build, &mpi);
    library_program(in->cluster, in->entry, in->build, program, sizeof program);
    const struct launcher *launcher = library_launcher(library, mpi.version, 0, &here, err);
    if (!launcher) {
        installed_free(&mpi);
        return -1;
    }
    struct launcher plain = *launcher;
    plain.settings = plain.env = NULL;
    const struct job job = { .launch = &few,
                             .cluster = &here,
                             .program = program,
                             .build = in->build,
                             .crowded = 1,
                             .launcher = &plain,
                             .mpi = &mpi };
    argv_add(args, "env");
    for (const char *const *quiet = spinning; reader->by_name && *quiet; quiet++)
        argv_add(args, "%s", *quiet);
    for (const struct rules_load *s = reader->load; path && s->name; s++)
        argv_add(args, "%s=%s", rules_load_variable(reader, s, name),
                 rules_load_value(s, path, value));
    launcher_command(&plain, &job, &words, args);
    for (size_t i = 0; i < words.n; i++)
        argv_add(args, "%s", words.v[i]);
    argv_add(args, "%s", option);
    argv_free(&words);
    installed_free(&mpi);
    return 0;
}

/* The first lines of what was printed, in one. */
static void first_words(char *out, char said[SAID])
{
    size_t n = 0;
    char *line, *rest = out;
    said[0] = '\0';
    while ((line = strsep(&rest, "\n")) && n + 1 < SAID)
        if (line[strspn(line, " \t=-")])
            n += (size_t)snprintf(said + n, SAID - n, "%s%s", n ? "; " : "", text_disarm(line));
}

/* Does a launcher start ranks here at all? On login nodes of some sites none does. */
static int starts_ranks(const struct try_rules *in, char *why)
{
    struct argv args = { 0 };
    struct err err = { 0 };
    char out[1 << 14], said[SAID];
    if (make_command(in, NULL, "--library", &args, &err) < 0) {
        snprintf(why, REASON_SIZE, "%.150s", err.text);
        return 0;
    }
    const int status = run_capture_for((const char *const *)args.v, PATIENCE_S, out, sizeof out);
    argv_free(&args);
    if (status == 0 && strstr(out, "library: "))
        return 1;
    first_words(out, said);
    snprintf(why, REASON_SIZE, "%s starts no job of %d ranks here: %.90s", in->entry, RANKS, said);
    return 0;
}

int try_rules_here(const struct try_rules *in, char *version, char *why)
{
    const struct rules_reader *reader = in->reader;
    snprintf(version, VERSION_SIZE, "unknown");
    if (in->cluster)
        built_update(in->cluster, in->entry, in->build, in->chatter);
    if (!library_ready(in->cluster, in->entry, in->build, why))
        return 0;
    library_version(in->cluster, in->entry, in->build, version, VERSION_SIZE);
    if (*version >= '0' && *version <= '9' && version_within(version, reader->from, reader->below))
        return starts_ranks(in, why);
    snprintf(why, REASON_SIZE, "%s %s is installed here, of another release", in->entry, version);
    return 0;
}

int try_rules(const struct try_rules *in, const char *path, int *apart, struct err *err)
{
    struct argv args = { 0 };
    char out[1 << 14], said[SAID];
    if (make_command(in, path, "--try", &args, err) < 0)
        return -1;
    const int status = run_capture_for((const char *const *)args.v, PATIENCE_S, out, sizeof out);
    argv_free(&args);
    *apart = strstr(out, "each rank on a node of its own") != NULL;
    if (status == 0 && strstr(out, "tried "))
        return 0;
    if (status == 128 + SIGALRM)
        return err_set(err, "a program that loads it does not end within %d s", PATIENCE_S);
    first_words(out, said);
    return err_set(err, "a program that loads it fails (status %d): %s", status, said);
}
