/* SPDX-License-Identifier: BSD-3-Clause */
/* collsel measure collect: accounts for the tasks that Slurm ended, and says what is missing. */
#include <unistd.h>

#include "harness/run/kit_results.h"
#include "harness/run/lock.h"
#include "harness/cmd/options.h"
#include "harness/study/manifest.h"
#include "harness/run/slurm/failure_cause.h"
#include "harness/run/status.h"

enum { EVERY_S = 10, MOST_SECONDS = 86400, MOST_RETRIES = 1000 };

static const double lock_s = 30; /* that a submission may hold the lock */

struct input {
    struct options options;
    const char *archive; /* of a kit; NULL: tasks of Slurm are accounted for */
    int wait;            /* seconds between looks; 0: look once */
    int retries, json;
};

/* Under the study's lock: what Slurm knows goes into events.jsonl, and the run's end into the
 * manifest when nothing is in flight. Gives the status after that. */
static int account(struct status_source *source, struct study_status *status, size_t *events,
                   struct err *err)
{
    struct ledger ledger;
    int lock = lock_wait(source->dir, lock_s, err);
    if (lock < 0)
        return -1;
    int result = status_read(source, status, err);
    if (result == 0 && *status->mute) {
        result = err_set(err, "%s", status->mute);
        status_free(status);
    }
    if (result == 0 && source->known) {
        status_free(status);
        result = ledger_open(source->dir, &source->slurm, source->retries, &ledger, err);
        if (result == 0)
            result = ledger_account(source->dir, &source->slurm, &ledger, events, err);
        if (result == 0)
            ledger_free(&ledger);
        if (result == 0)
            result = status_read(source, status, err);
    }
    close(lock);
    if (result == 0)
        status->driver = 0; /* it was us */
    return result;
}

static int close_manifest(const struct status_source *source, const struct study_status *s,
                          struct err *err)
{
    const struct ledger *l = &s->ledger;
    const size_t i = first_below(k, l->n_tasks, *l->tasks[k].job);
    if (i == l->n_tasks || !*l->digest || !status_at_rest(s)) /* a sweep closes its run itself */
        return 0;
    return manifest_close(source->dir,
                          l->finished == l->points               ? "done"
                          : l->finished + l->failed == l->points ? "failed"
                                                                 : "incomplete",
                          err);
}

static int files_are_fine(const struct status_source *source)
{
    struct ledger ledger;
    if (ledger_open(source->dir, NULL, source->retries, &ledger, NULL) < 0)
        return 0;
    ledger_free(&ledger);
    return 1;
}

/* Looks once; who waits bears it that Slurm does not answer for a while. 1: to look again. */
static int look(const struct input *in, struct status_source *source, struct study_status *status,
                size_t *events, struct progress *progress, struct retry_policy *patience,
                struct err *err)
{
    if (account(source, status, events, err) < 0)
        return in->wait && files_are_fine(source) &&
                       retry_policy_failed(patience, progress, err) == 0
                   ? 1
                   : -1;
    const struct ledger *l = &status->ledger;
    retry_policy_succeeded(patience, progress);
    if (!in->wait || status_at_rest(status) ||
        stuck_for_good(&status->stuck,
                       status->counts[STATUS_RUNNING] + status->counts[STATUS_PENDING]))
        return 0;
    progress->points = l->points;
    progress->failed = l->failed;
    progress->weight = (double)l->points;
    progress_show(progress, (double)(l->finished + l->failed), l->finished,
                  (int)status->counts[STATUS_RUNNING]);
    status_free(status);
    return 1;
}

/* Looks until nothing is in flight (once without --wait). */
static int collect(const struct input *in, struct status_source *source,
                   struct study_status *status, size_t *events, struct err *err)
{
    struct progress progress;
    struct retry_policy patience = { 0 };
    int result;
    progress_start(&progress, stderr, in->options.quiet || !in->wait, 1, 0);
    while ((result = look(in, source, status, events, &progress, &patience, err)) > 0)
        sleep((unsigned)in->wait);
    progress_end(&progress);
    if (result == 0)
        result = close_manifest(source, status, err);
    return result;
}

static void report(const struct study_status *s, size_t events, const struct options *options)
{
    const struct ledger *l = &s->ledger;
    const size_t missing = l->points - l->finished - l->failed;
    const size_t flying = s->counts[STATUS_RUNNING] + s->counts[STATUS_PENDING];
    char next[NEXT_SIZE];
    if (options->quiet)
        return;
    status_print(stdout, s, STATUS_ARRAYS);
    if (events)
        printf("%zu mishap%s that Slurm alone knew of went into events.jsonl\n", events,
               plural(events));
    if (flying)
        printf("%zu launch%s still in flight\n", flying, of_number(flying, " is", "es are"));
    if (missing && !flying)
        printf("%zu point%s %s missing: `%s` goes on with them\n", COUNTED(missing),
               of_number(missing, "is", "are"), options_next(options, "submit", NULL, next));
    if (l->failed)
        printf("%zu point%s %s given up: more --retries try them again\n", COUNTED(l->failed),
               of_number(l->failed, "was", "were"));
}

static int account_study(const void *input, const struct cluster *cluster,
                         const struct study *study, struct err *err)
{
    const struct input *in = input;
    char dir[PATH_SIZE];
    struct status_source source = { .dir = dir, .cluster = cluster, .retries = in->retries };
    struct study_status status;
    size_t events = 0;
    if (options_dir(&in->options, cluster, study, dir, sizeof dir, err) < 0)
        return -1;
    if (!fs_exists(dir))
        return err_set(err, "'%s' does not exist (want: collsel measure first)", dir);
    if (manifest_known(dir, err) < 0 || collect(in, &source, &status, &events, err) < 0)
        return -1;
    if (!in->json)
        report(&status, events, &in->options);
    const int printed = in->json ? status_print_json(stdout, &status) : 0;
    int complete = status.ledger.finished == status.ledger.points;
    status_free(&status);
    if (printed < 0)
        return err_set(err, "no JSON of this: a text in it is not UTF-8");
    return complete ? EXIT_DONE : EXIT_FAILED;
}

/* Where it belongs: as it says itself, where the command line says nothing else. */
static int find_dir(const struct input *in, char *dir, struct err *err)
{
    struct kit_results_conf conf;
    if (kit_results_look(in->archive, &conf, err) < 0)
        return -1;
    if (!in->options.cluster_given && !in->options.study_given)
        return fs_path(dir, PATH_SIZE, err, "%s/%s/%s", in->options.results, conf.cluster,
                       conf.study);
    return options_results(&in->options, dir, PATH_SIZE, err);
}

static int collect_results(const struct input *in, struct err *err)
{
    char dir[PATH_SIZE];
    struct kit_results_result r;
    struct ledger ledger;
    if (find_dir(in, dir, err) < 0 || kit_results_import(in->archive, dir, &r, err) < 0 ||
        ledger_open(dir, NULL, in->retries, &ledger, err) < 0)
        return -1;
    const size_t points = ledger.points, finished = ledger.finished, failed = ledger.failed;
    ledger_free(&ledger);
    if (manifest_close(dir, finished == points ? "done" : "incomplete", err) < 0)
        return -1;
    if (!in->options.quiet) {
        printf("%s: %zu point%s in it (%s), %zu file%s and %zu event%s %s new\n", in->archive,
               COUNTED(r.finished), r.versions, COUNTED(r.files), COUNTED(r.events),
               of_number(r.events, "is", "are"));
        printf("%zu of %zu point%s %s finished%s: %s\n", finished, COUNTED(points),
               of_number(points, "is", "are"),
               finished == points ? "" : "; collsel measure pack makes a kit of the others", dir);
        if (failed)
            printf("%zu point%s %s given up there\n", COUNTED(failed),
                   of_number(failed, "was", "were"));
    }
    return finished == points ? EXIT_DONE : EXIT_FAILED;
}

static void take_archive(void *input, char *arg, struct argp_state *state)
{
    struct input *in = input;
    if (in->archive)
        argp_error(state, "'%s': one archive at a time", arg);
    in->archive = arg;
}

static int run(const void *input, struct err *err)
{
    const struct input *in = input;
    return in->archive ? collect_results(in, err) : options_run_study(input, account_study, err);
}

static const struct option_row rows[] = {
    { "retries", 0, "N", "As given to submit (default: 1)",
      OPTION_RANGE(retries, 0, MOST_RETRIES) },
    { "wait", 0, "SECONDS",
      "Wait until no task is queued or running, looking every so many seconds (default: 10)",
      OPTION_RANGE(wait, 1, MOST_SECONDS), .without = EVERY_S },
    { "json", 0, NULL, "Print what `collsel measure status --json` prints", OPTION_TO(json) },
    { 0 },
};

const struct command cmd_collect = {
    .name = "collect",
    .help = "account for tasks that ended, or take in a kit's archive; say what is missing",
    .words = "[ARCHIVE]",
    .doc = "Accounts for the tasks of a study that Slurm ended without a word of theirs "
           "(cancelled, out of time, killed with their node, lost), and says what was measured "
           "and what is missing. With an ARCHIVE, that `make results` of a kit wrote (collsel "
           "measure pack), takes in what it holds. Exit status 0: every point is finished.",
    .rows = rows,
    .shared = &options_of_study,
    .input = &(struct input){ .retries = 1 },
    .take_word = take_archive,
    .run = run,
};
