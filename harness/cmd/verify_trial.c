/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/verify_trial.h"

#include <unistd.h>

#include "analysis/verify/verify.h"
#include "harness/cmd/tuned_file.h"
#include "harness/cmd/tuning_options.h"
#include "harness/rules/load_lines.h"
#include "harness/run/lock.h"
#include "harness/run/slurm/slurm_command.h"
#include "harness/run/slurm/follow.h"
#include "harness/run/sweep.h"
#include "harness/study/in_effect_lines.h"
#include "harness/study/manifest.h"

/* ---- which points ---- */

/* The library's default, and nothing else. Variables that select are let in: that is how libraries
 * are told of the file. */
static void narrow(struct verify_trial *t)
{
    struct study *s = &t->study;
    s->mpi.n = s->mappings.n = 1;
    snprintf(s->mpi.v[0], KEY_WORD, "%s", t->tuning.mpi);
    snprintf(s->mappings.v[0], KEY_WORD, "%s", t->tuning.mapping);
    s->portable.n = s->openmpi.n = s->mpich.n = 0;
    s->with_default = 1;
    s->experiments = 0;
    s->held_procs.n = s->held_roots.n = 0;
    s->held_bytes_factor = 0;
    s->roots.n = s->roots.n > 1 ? 1 : s->roots.n;
    s->n_arrivals = s->n_arrivals > 1 ? 1 : s->n_arrivals;
    s->buffers.n = s->buffers.n > 1 ? 1 : s->buffers.n;
    s->repeats = s->repeats_max = t->rounds;
    snprintf(s->plan, KEY_WORD, "full");
    s->core_budget[0] = '\0';
    snprintf(s->environment, KEY_WORD, "site");
}

static int is_wanted(const struct point *point, const void *of)
{
    const struct verify_trial *t = of;
    struct candidate take;
    return point->experiment == EXP_TIME && algorithm_is_default(point->candidate.algorithm) &&
           (t->whole || verify_has_rule(&t->file, &t->tuning, &point->cell, &take));
}

/* What launches without the file are started in, or with it. */
static const char *surround(const struct verify_trial *t, int with)
{
    rules_load_file(t->question.reader, with ? t->rules : NULL, &t->usual);
    return with ? t->with : t->without;
}

static int name_side(int with, struct err *err)
{
    return err_prefix(err, "%s the file", with ? "with" : "without");
}

/* What is measured of one side. */
static struct sweep_request request_of(struct verify_trial *t, int with)
{
    return (struct sweep_request){ .cluster = t->cluster,
                                   .study = &t->study,
                                   .backend = t->backend,
                                   .why = t->why,
                                   .dir = surround(t, with),
                                   .build = t->build,
                                   .command = t->options->command,
                                   .retries = t->retries,
                                   .quiet = t->options->quiet,
                                   .part = { is_wanted, t } };
}

/* A sweep of one side; where it is told a launch, of that alone. */
static int sweep_side(struct verify_trial *t, int with, int anew, const struct allocation *at,
                      struct sweep_result *result, struct err *err)
{
    char digest[16];
    struct sweep_request request = request_of(t, with);
    request.anew = anew;
    if (at) {
        request.only = t->launch;
        request.digest = digest;
        request.job = at->job;
        request.job_restarts = at->restarts;
        request.job_nodes = at->nodes;
        request.job_cores = at->cores;
    }
    if ((at && manifest_digest(request.dir, digest, err) < 0) ||
        sweep_run(&request, result, err) < 0)
        return name_side(with, err);
    return result->interrupted ? err_set(err, "interrupted") : 0;
}

/* ---- on this machine ---- */

static int measure(struct verify_trial *t, int with, int round, struct err *err)
{
    struct sweep_result result;
    t->study.repeats = t->study.repeats_max = round;
    if (sweep_side(t, with, t->anew && round == 1, NULL, &result, err) < 0)
        return -1;
    return result.points ? 0
                         : err_set(err, "nothing was measured: '%s' has no cell of a rule here",
                                   t->study.name);
}

/* Round by round, each time the other one first. */
static int measure_here(struct verify_trial *t, struct err *err)
{
    for (int round = 1; round <= t->rounds; round++)
        for (int k = 0; k < 2; k++)
            if (measure(t, (k + round) % 2 == 0, round, err) < 0)
                return -1;
    return 0;
}

/* ---- through Slurm ---- */

/* What a task runs: this command of one launch, by the same choices. */
static void task_words(const struct verify_trial *t, struct argv *words)
{
    argv_add(words, "rules verify");
    argv_add(words, "--quiet");
    if (t->options->dataset)
        argv_add(words, "--dataset=%s", t->options->dataset);
    if (strcmp(t->options->backend, "auto") != 0)
        argv_add(words, "--backend=%s", t->options->backend);
    tuning_options_words(&t->question, words);
    argv_add(words, "--rounds=%d", t->rounds);
    argv_add(words, "--retries=%d", t->retries);
    if (t->whole)
        argv_add(words, "--whole=%s", strrchr(t->dir, '/') + 1);
}

static int submit_side(struct verify_trial *t, const struct argv *words, int with, int follow,
                       struct err *err)
{
    struct jobs_result submitted;
    struct sweep_result followed = { .failed = 0 };
    struct sweep_request request = request_of(t, with);
    request.clusters = t->options->clusters;
    request.results = t->options->results;
    request.no_collect = 1;
    request.write_only = !follow;
    request.quiet = request.quiet || !follow;
    request.anew = t->anew && !(follow && !with);
    request.task = words;
    request.times = 2;
    const int status = follow ? follow_run(&request, follow_poll_s(t->cluster), &followed, err)
                              : jobs_submit(&request, &submitted, err);
    if (followed.failed && !t->options->quiet)
        fprintf(stderr,
                "%s the file: %zu of %zu point%s failed or timed out (see %s/events.jsonl)\n",
                with ? "with" : "without", followed.failed, COUNTED(followed.points), request.dir);
    return status < 0 ? name_side(with, err) : 0;
}

/* A task of `with` measures its launch in `without`, too, whose plan must be there before. What a
 * task that was killed in between has left out there, tasks of `without` make up for. */
static int measure_queued(struct verify_trial *t, struct err *err)
{
    struct argv words = { 0 };
    if (backend_starts(t->backend, err) < 0)
        return -1;
    task_words(t, &words);
    int status = submit_side(t, &words, 0, 0, err);
    if (status == 0)
        status = submit_side(t, &words, 1, 1, err);
    if (status == 0)
        status = submit_side(t, &words, 0, 1, err);
    argv_free(&words);
    return status;
}

static int measure_task(struct verify_trial *t, const struct allocation *at, int with,
                        struct err *err)
{
    struct sweep_result result;
    const int status = sweep_side(t, with, 0, at, &result, err);
    if (status == 0)
        printf("%s, %s the file: %zu of %zu point%s finished (%zu now), %zu given up\n", t->launch,
               with ? "with" : "without", result.finished, COUNTED(result.points), result.measured,
               result.failed);
    return status;
}

int verify_trial_launch(struct verify_trial *t, struct err *err)
{
    struct allocation at;
    struct launch launch;
    if (allocation_find(&at, err) < 0 || launch_parse(t->launch, &launch, err) < 0)
        return -1;
    snprintf(t->why, sizeof t->why, "in allocation %s", at.job);
    for (int k = 0; k < 2; k++)
        if (measure_task(t, &at, (k + launch.repeat) % 2 == 0, err) < 0)
            return -1;
    return 0;
}

int verify_trial_measure(struct verify_trial *t, struct err *err)
{
    const int status = t->backend->queued ? measure_queued(t, err) : measure_here(t, err);
    rules_load_file(t->question.reader, NULL, &t->usual);
    return status;
}

int verify_trial_told(const struct verify_trial *t, struct err *err)
{
    struct in_effect_count said;
    if (!t->question.reader->by_name)
        return 0;
    if (in_effect_count(t->with, t->tuning.mpi, IN_EFFECT_RULES, t->rules, &said, err) < 0)
        return -1;
    return said.same == said.files ? (int)said.files : 0;
}

/* ---- what is tried ---- */

/* The file with all choices, where the libraries are to find it. */
static int write_rules(struct verify_trial *t, struct err *err)
{
    struct rules_made made;
    struct options quiet = *t->options;
    quiet.quiet = 1;
    const struct tuned_file file = { .options = &quiet,
                                     .question = &t->question,
                                     .from = t->from,
                                     .output = t->rules,
                                     .untried = 1 };
    char *text = tuned_file_make(&file, &t->tuning, &made, err);
    const int status = text ? tuned_file_write(&file, &t->tuning, text, &made, err) : -1;
    free(text);
    rules_made_clear(&made);
    return status;
}

/* The directory of what is chosen now, of an entry that has another name than its library in one of
 * its own; of a task for a whole file, that which it was told. */
static int name_files(struct verify_trial *t, struct err *err)
{
    char dir[PATH_SIZE], choices[16];
    const struct rules_reader *reader = t->question.reader;
    const int own = strcmp(t->tuning.mpi, reader->library) != 0;
    verify_digest(&t->tuning, choices);
    if (fs_path(t->base, sizeof t->base, err, "%s/verify/%s%s%s", t->from, reader->name,
                own ? "/" : "", own ? t->tuning.mpi : "") < 0 ||
        (t->name ? fs_path(dir, sizeof dir, err, "%s/%s", t->base, t->name)
                 : fs_path(dir, sizeof dir, err, "%s/%s%s", t->base, choices,
                           t->whole ? "-whole" : "")) < 0)
        return -1;
    tuned_file_path(dir, NULL, t->dir);
    return fs_path(t->rules, sizeof t->rules, err, "%s/rules", t->dir) < 0 ||
                   fs_path(t->without, sizeof t->without, err, "%s/without", t->dir) < 0 ||
                   fs_path(t->with, sizeof t->with, err, "%s/with", t->dir) < 0
               ? -1
               : 0;
}

/* What the environment has without the file. Tasks are told by a file: theirs is that of the
 * submission, which has loaded the file of rules. */
static int write_usual(struct verify_trial *t, const char *path, struct err *err)
{
    char *text = NULL;
    size_t len;
    FILE *out = memory_stream(&text, &len);
    rules_load_usual(t->question.reader, &t->usual);
    for (size_t i = 0; i < t->usual.n; i++)
        fprintf(out, "%s\n", t->usual.v[i]);
    fclose(out);
    const int status = fs_write(path, text, err);
    free(text);
    return status;
}

static int read_usual(struct verify_trial *t, const char *path, struct err *err)
{
    char *text = fs_read(path, NULL, err), *rest = text, *line;
    while (text && (line = strsep(&rest, "\n")))
        if (*line)
            argv_add(&t->usual, "%s", line);
    free(text);
    return text ? 0 : -1;
}

static int make_files(struct verify_trial *t, const char *usual, struct err *err)
{
    if (fs_mkdirs(t->without, err) < 0 || fs_mkdirs(t->with, err) < 0 ||
        write_usual(t, usual, err) < 0)
        return -1;
    return write_rules(t, err);
}

/* A task finds the file, anybody else makes it. */
static int open_file(struct verify_trial *t, struct err *err)
{
    char usual[PATH_SIZE];
    if (name_files(t, err) < 0 || fs_path(usual, sizeof usual, err, "%s/usual", t->dir) < 0)
        return -1;
    if (t->launch && !fs_exists(t->rules))
        return err_set(err,
                       "'%s' does not exist: the times in '%s' are others than when this was "
                       "submitted (want: collsel rules verify again)",
                       t->rules, t->from);
    if ((t->launch ? read_usual(t, usual, err) : make_files(t, usual, err)) < 0)
        return -1;
    return rules_open(t->question.reader, t->rules, &t->file, err);
}

static int check_backend(struct verify_trial *t, struct err *err)
{
    t->backend = backend_choose("auto", t->cluster, t->why, err);
    if (!t->backend)
        return -1;
    if (t->backend->deterministic)
        return err_usage(err,
                         "%s: what a file gains is measured on this machine or through Slurm, and "
                         "what would measure here is %s (--backend says whose "
                         "times choose)",
                         t->cluster->name, t->backend->name);
    return 0;
}

/* Whose default is measured: the entry that the times are of; of times without a library, and of
 * an entry that only a data set names, what is called as its library is. */
static void name_entry(struct verify_trial *t)
{
    const char *const library = t->question.reader->library;
    if (!mpi_is(t->tuning.mpi, library) || !mpi_entries_find(&t->cluster->mpis, t->tuning.mpi))
        snprintf(t->tuning.mpi, sizeof t->tuning.mpi, "%s", library);
}

int verify_check_release(const struct cluster *cluster, const char *mpi, const char *build,
                         const struct rules_reader *reader, struct err *err)
{
    char version[VERSION_SIZE];
    const struct rules_reader *right;
    library_version(cluster, mpi, build, version, sizeof version);
    if (*version < '0' || *version > '9' || version_within(version, reader->from, reader->below))
        return 0;
    right = rules_reader_of(reader->library, version);
    return err_usage(err, "--library: want %s: %s %s is installed here, which reads no file of %s",
                     right ? right->name : "another machine", mpi, version, reader->name);
}

int verify_trial_open(struct verify_trial *t, const struct study *study, struct err *err)
{
    t->lock = -1;
    t->whole = t->name != NULL;
    t->usual = (struct argv){ 0 };
    t->study = *study;
    if (options_build(t->options, t->build, sizeof t->build, err) < 0 ||
        check_backend(t, err) < 0 || tuning_of_results(t->from, &t->question, &t->tuning, err) < 0)
        return -1;
    name_entry(t);
    int status = t->launch ? 0
                           : verify_check_release(t->cluster, t->tuning.mpi, t->build,
                                                  t->question.reader, err);
    if (status == 0)
        status = verify_drop_same(t->from, &t->tuning, &t->same, err);
    if (status == 0 && !t->launch) {
        t->lock = lock_take(t->from, err);
        status = t->lock < 0 ? -1 : 0;
    }
    if (status == 0 && (t->tuning.chosen || t->launch))
        status = open_file(t, err);
    if (status < 0) {
        verify_trial_close(t);
        return -1;
    }
    narrow(t);
    return t->tuning.chosen || t->launch;
}

int verify_trial_whole(struct verify_trial *t, struct err *err)
{
    rules_close(&t->file);
    t->file = (struct rules){ .reader = NULL };
    t->whole = 1;
    t->study.repeats = t->study.repeats_max = ++t->rounds;
    return open_file(t, err);
}

void verify_trial_close(struct verify_trial *t)
{
    argv_free(&t->usual);
    if (t->file.reader)
        rules_close(&t->file);
    tuning_clear(&t->tuning);
    if (t->lock >= 0)
        close(t->lock);
}
