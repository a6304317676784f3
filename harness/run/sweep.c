/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/sweep.h"

#include <unistd.h>

#include "harness/run/environment.h"
#include "harness/run/lock.h"
#include "harness/run/libraries/built.h"
#include "harness/run/runnable.h"
#include "harness/run/sweep/job.h"
#include "harness/run/sweep/loop.h"
#include "harness/run/sweep/tasks.h"

static int write_manifest(struct sweep *s, const char *status)
{
    if (s->req->only)
        return 0;
    s->record.status = status;
    s->record.example = s->example;
    if (strcmp(status, "running") != 0)
        utc_now(s->record.ended, sizeof s->record.ended);
    return manifest_write(s->req->dir, s->req->cluster, s->req->study,
                          backend_label(s->req->backend, s->req->cluster), s->req->why, &s->plan,
                          &s->provenance, &s->record, s->err);
}

/* Ranks that should have a core each must not share those that we were left. */
static int check_cpus(struct sweep *s)
{
    const int node = cluster_node_cores(s->req->cluster);
    const int online = (int)sysconf(_SC_NPROCESSORS_ONLN);
    const int cores = node < online ? node : online;
    if (!s->req->backend->here || s->provenance.environment.site || s->cores >= cores)
        return 0;
    for (size_t i = 0; i < s->plan.n_launches; i++)
        if (s->plan.launches[i].procs > s->cores)
            return err_set(
                s->err,
                "let it have all cores (taskset -p), or set environment = site in the "
                "study: this process may run on %d of %d cores (its affinity, or the CPU "
                "limit of its control group), and launch '%s' has %d ranks; with site "
                "such launches are marked as oversubscribed",
                s->cores, cores, s->plan.launches[i].name, s->plan.launches[i].procs);
    return 0;
}

/* Where something is left to measure, it must be in the environment that the rest was measured in.
 */
static int check_left(struct sweep *s)
{
    double weight;
    if (tasks_left(s, &weight) == 0)
        return 0;
    return check_cpus(s) < 0 ? -1 : environment_check(s->req->dir, &s->provenance, s->err);
}

static int prepare(struct sweep *s)
{
    const struct sweep_request *r = s->req;
    if (fs_mkdirs(r->dir, s->err) < 0)
        return -1;
    if (r->only ? duplicate_task_take_launch(s) < 0 : (s->lock = lock_take(r->dir, s->err)) < 0)
        return -1;
    if (job_check_disk(r->dir, s->err) < 0 || tasks_make(s) < 0 || check_left(s) < 0)
        return -1;
    scratch_dir_clear_away(
        SCRATCH_DIR_SHARED); /* of launches that were killed with their keepers */
    if (!r->backend->queued)
        scratch_dir_take(&s->scratch, scratch_dir_temporary(), (long)getpid());
    if (r->backend->here && !*s->scratch.path)
        progress_say(&s->progress,
                     "no directory can be made in '%s' (TMPDIR, else /tmp): Open MPI may not start "
                     "there",
                     scratch_dir_temporary());
    if (!r->only && (plan_write(&s->plan, r->dir, s->err) < 0 ||
                     (s->rule.adaptive && prior_write(r->dir, &s->prior, s->err) < 0)))
        return -1;
    if (r->backend->prepare && r->backend->prepare(r->cluster, &s->plan, r->dir, s->err) < 0)
        return -1;
    return journal_open(&s->journal, r->dir, s->err);
}

static void dry_run(const struct sweep *s)
{
    size_t left = 0;
    for (size_t i = 0; i < s->n_tasks; i++)
        if (s->tasks[i].left)
            printf("%s: %zu of %zu point%s to do\n", s->tasks[i].launch->name, s->tasks[i].left,
                   COUNTED(s->tasks[i].launch->n));
    for (size_t i = 0; i < s->n_tasks; i++)
        left += s->tasks[i].left;
    if (!left)
        printf("0 of %zu point%s to do\n", COUNTED(s->result->points));
}

/* Where ranks' times are wanted only now: those of launches before are not there. */
static void tell_ranks(struct sweep *s)
{
    char path[PATH_SIZE];
    if (s->req->study->keep_ranks && s->result->finished &&
        fs_path(path, sizeof path, NULL, "%s/ranks", s->req->dir) == 0 && !fs_exists(path))
        progress_say(&s->progress,
                     "keep_ranks: %zu point%s %s finished without it; ranks/ will have those of "
                     "further launches alone",
                     COUNTED(s->result->finished), of_number(s->result->finished, "was", "were"));
}

/* Launches whose last attempt has begun and not ended, by index into the plan. */
struct unended {
    const struct plan *plan;
    char *open;
};

static int on_event(const struct event *e, void *user)
{
    struct unended *u = user;
    const struct launch *l = plan_launch(u->plan, e->launch);
    if (l)
        u->open[l - u->plan->launches] = strcmp(e->event, "started") == 0;
    return 0;
}

/* What became of an earlier sweep that could not say so itself. */
static int tell_unended(struct sweep *s)
{
    struct unended u = { &s->plan, memory_zeros(s->plan.n_launches + 1, 1) };
    size_t n = 0, first = 0;
    const int status = s->req->only ? 0 : journal_read(s->req->dir, on_event, &u, s->err);
    for (size_t i = s->plan.n_launches; i-- > 0;)
        if (u.open[i]) {
            first = i;
            n++;
        }
    if (status == 0 && n)
        progress_say(&s->progress,
                     "an earlier sweep ended without a word (killed, or the machine went down) "
                     "with %s%s at work: what is finished of %s counts, the rest is measured now",
                     s->plan.launches[first].name, n > 1 ? " and others" : "",
                     n > 1 ? "them" : "it");
    free(u.open);
    return status;
}

/* Says how long a simulation or a walk will take, and where a walk is much shorter. *expected_s:
 * seconds, 0 for measurements. */
static int forecast(struct sweep *s, double weight, double *expected_s)
{
    const struct sweep_request *r = s->req;
    const double long_s = 600;
    struct simulation_speed seen, walk;
    char text[32];
    *expected_s = 0;
    if (!r->backend->deterministic || r->only || s->rule.adaptive || weight <= 0)
        return 0;
    if (simulation_speed_find(r->dir, r->backend->name, r->cluster, r->study, &seen, s->err) < 0 ||
        simulation_speed_find(r->dir, "walk", r->cluster, r->study, &walk, s->err) < 0)
        return -1;
    *expected_s = weight * seen.message_s / s->n_slots;
    progress_say(&s->progress, "forecast: %s on %d core%s%s",
                 format_duration(*expected_s, text, sizeof text), s->n_slots,
                 s->n_slots == 1 ? "" : "s",
                 seen.launches ? "" : ", a guess (a sixth to three times that was seen)");
    if (*expected_s > long_s && walk.message_s < seen.message_s / 4)
        progress_say(&s->progress, "forecast: %s with --backend walk",
                     format_duration(weight * walk.message_s / s->n_slots, text, sizeof text));
    return 0;
}

static int run_prepared(struct sweep *s)
{
    double weight, expected_s;
    size_t left = tasks_left(s, &weight);
    int cores = s->req->jobs ? s->req->jobs : s->cores;
    s->n_slots = s->req->backend->parallel ? (cores < MAX_JOBS ? cores : MAX_JOBS) : 1;
    if (isfinite(s->rule.plan.core_budget_s))
        s->n_slots = 1; /* each launch is told what those before it have left */
    progress_say(&s->progress, "%zu point%s planned, %zu finished, %zu to do",
                 COUNTED(s->result->points), s->result->finished, left);
    if (!s->req->quiet && !s->req->only)
        fputs(s->outlook, stderr);
    tell_ranks(s);
    if (tell_unended(s) < 0)
        return -1;
    if (forecast(s, weight, &expected_s) < 0)
        return -1;
    progress_start(&s->progress, stderr, s->req->quiet, weight, left);
    s->progress.expected_s = expected_s;
    if (write_manifest(s, "running") < 0 || loop_catch_signals(s) < 0)
        return -1;
    int status = loop_run(s);
    progress_end(&s->progress);
    same_failure_tell(s);
    struct err first = *s->err;
    if (write_manifest(s, status == 0              ? "done"
                          : s->result->interrupted ? "interrupted"
                                                   : "failed") < 0 &&
        status == 0)
        return -1;
    *s->err = status < 0 ? first : *s->err;
    return status;
}

static void sweep_clear(struct sweep *s)
{
    tasks_free(s);
    prior_free(&s->prior);
    plan_free(&s->plan);
    provenance_free(&s->provenance);
    journal_close(&s->journal);
    if (s->signals >= 0)
        close(s->signals);
    scratch_dir_drop(&s->scratch);
    if (s->lock >= 0)
        close(s->lock);
    free(s);
}

/* Is what was submitted what would be measured now? */
static int check_only(const struct sweep *s)
{
    const struct sweep_request *r = s->req;
    if (r->only && !plan_launch(&s->plan, r->only))
        return err_set(s->err, "'%s' is not a launch of study '%s' on %s", r->only, r->study->name,
                       r->cluster->name);
    if (r->digest && strcmp(r->digest, s->provenance.digest) != 0)
        return err_set(s->err,
                       "submitted as digest %s, but here it is %s: cluster or study file, library "
                       "versions or their options differ (want: collsel measure submit again)",
                       r->digest, s->provenance.digest);
    return 0;
}

/* A launcher that is a script would take a path with a blank for two. */
static int check_path(const struct sweep *s)
{
    const int splits = strpbrk(s->req->dir, " \t\n") != NULL;
    for (size_t i = 0; splits && i < s->plan.n_launches; i++) {
        const struct library *l = library_of(s->req->cluster, s->plan.launches[i].mpi);
        if (l && l->splits_words)
            return err_usage(s->err,
                             "'%s': %s would split it at the blank (want: another --results)",
                             s->req->dir, l->launcher);
    }
    return 0;
}

/* On its node a task may find another environment than earlier tasks of its library did. */
static int check_node(struct sweep *s)
{
    const struct launch *l = plan_launch(&s->plan, s->req->only);
    return l ? environment_check_heads(s->req->dir, s->provenance.digest, l->mpi,
                                       &s->provenance.environment.given, s->err)
             : 0;
}

/* What launches are started in. */
static int look_around(struct sweep *s)
{
    const struct sweep_request *r = s->req;
    if (provenance_collect(r, &s->plan, r->only ? PROVENANCE_TASK : PROVENANCE_HERE, &s->provenance,
                           s->err) < 0)
        return -1;
    if (!r->quiet)
        environment_say(&s->provenance.environment, stderr);
    if (r->only)
        return check_node(s);
    return 0;
}

/* What is not worth measuring is refused; of a dry run, warned of. */
static int check_worth(const struct sweep *s)
{
    const struct sweep_request *r = s->req;
    if (runnable_check(&s->plan, r->cluster, r->study, r->backend, 0, s->err) == 0)
        return 0;
    if (!r->dry_run)
        return -1;
    fprintf(stderr, "%s\n", s->err->text);
    *s->err = (struct err){ 0 };
    return 0;
}

int sweep_run(const struct sweep_request *request, struct sweep_result *result, struct err *err)
{
    struct err own = { 0 };
    struct sweep *s = memory_zeros(1, sizeof *s);
    *result = (struct sweep_result){ 0 };
    s->req = request;
    s->result = result;
    s->err = err ? err : &own;
    s->lock = s->signals = s->journal.fd = s->scratch.lock = -1;
    s->cores = machine_state_cpus();
    s->record.command = request->command;
    utc_now(s->record.started, sizeof s->record.started);
    progress_start(&s->progress, stderr, request->quiet, 0, 0);
    double started = now_s();
    if (!request->dry_run && !request->backend->deterministic)
        built_update_all(request->cluster, &request->study->mpi, request->build,
                         request->quiet ? NULL : stderr);
    int status = runnable_plan(request->cluster, request->study, request->backend, request->build,
                               request->quiet ? NULL : stderr, &s->plan, s->err);
    if (status == 0) {
        plan_keep(&s->plan, &request->part);
        if (request->prior_compute && strcmp(request->study->plan, "adaptive") == 0)
            request->prior_compute(request->cluster, request->study, &s->plan, &s->prior);
        status = check_worth(s);
    }
    if (status == 0)
        status = look_around(s);
    if (status == 0)
        status = check_only(s);
    if (status == 0)
        status = check_path(s);
    if (status == 0)
        status = !request->dry_run ? prepare(s) : tasks_make(s) == 0 ? check_left(s) : -1;
    if (status == 0 && request->dry_run)
        dry_run(s);
    else if (status == 0)
        status = run_prepared(s);
    result->skipped = s->plan.n_skipped;
    result->elapsed_s = now_s() - started;
    sweep_clear(s);
    return status;
}

int sweep_judge(const struct sweep_result *result, const char *dir, struct err *err)
{
    if (*result->stopped)
        return err_set(err,
                       "run again when this is mended: the first launches of %s (see "
                       "%s/events.jsonl)",
                       result->stopped, dir);
    if (result->failed)
        return err_set(
            err, "%zu point%s failed or timed out (see %s/events.jsonl; --retries tries again)",
            COUNTED(result->failed), dir);
    return 0;
}
