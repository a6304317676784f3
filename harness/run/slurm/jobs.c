/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/jobs.h"

#include <unistd.h>

#include "harness/run/environment.h"
#include "harness/study/journal.h"
#include "harness/run/lock.h"
#include "harness/run/provenance_lookup.h"
#include "harness/run/slurm/jobfile.h"
#include "harness/run/libraries/built.h"
#include "harness/run/runnable.h"

struct submission {
    const struct sweep_request *req;
    struct jobs_result *result;
    struct slurm slurm;
    struct plan plan;
    struct provenance provenance;
    struct history history;
    struct store done;  /* finished under these facts and settings */
    struct prior prior; /* of an adaptive plan */
    struct rounds rounds;
    struct ledger ledger;
    int has_ledger;
    struct job_arrays arrays;
    struct jobfile file;
    struct journal journal;
    char cwd[PATH_SIZE], program[PATH_SIZE], jobs[PATH_SIZE];
    char exclude[KEY_TEXT_MAX]; /* nodes that failed too often */
    char waits[4096];           /* "12:13": jobs that come before the collecting one */
    int nodes_left;             /* of the partition, not excluded */
    int lock;
    struct err *err;
};

enum { MOST_EXCLUDED = 4096 };

/* ---- before ---- */

static int find_paths(struct submission *s)
{
    const char *dir = s->req->dir;
    if (!getcwd(s->cwd, sizeof s->cwd))
        return err_errno(s->err, "cannot find the current directory");
    ssize_t n = readlink("/proc/self/exe", s->program, sizeof s->program - 1);
    if (n < 0)
        return err_errno(s->err, "cannot find this program");
    s->program[n] = '\0';
    return fs_path(s->jobs, sizeof s->jobs, s->err, "%s%s%s/jobs", *dir == '/' ? "" : s->cwd,
                   *dir == '/' ? "" : "/", dir);
}

static void describe_files(struct submission *s)
{
    const struct sweep_request *r = s->req;
    const struct cluster *c = r->cluster;
    double most = c->most_time > 0 ? c->most_time : s->slurm.most_time;
    if (c->most_time > 0 && s->slurm.most_time > 0)
        most = fmin(c->most_time, s->slurm.most_time);
    s->file = (struct jobfile){
        .cluster = c,
        .study = r->study,
        .cwd = s->cwd,
        .program = s->program,
        .clusters = r->clusters,
        .results = r->results,
        .build = r->build,
        .jobs = s->jobs,
        .conf = s->slurm.conf,
        .digest = s->provenance.digest,
        .exclude = s->exclude,
        .retries = r->retries,
        .task = r->task,
        .throttle = r->throttle ? r->throttle : c->throttle,
        .mixed_nodes = s->slurm.node_cpus < cluster_node_cores(c),
        .most_s = most,
    };
}

/* The ledger of what went before. A dry run reads what is there; otherwise the plan and the digest
 * are written first, and what Slurm alone knows is written down. */
static int open_ledger(struct submission *s)
{
    const struct sweep_request *r = s->req;
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, s->err, "%s/plan.csv", r->dir) < 0)
        return -1;
    if (!fs_exists(path))
        return 0;
    const struct slurm *slurm = s->slurm.assumed ? NULL : &s->slurm;
    if (ledger_open(r->dir, slurm, r->retries, &s->ledger, s->err) < 0 ||
        (!r->dry_run && slurm && ledger_account(r->dir, &s->slurm, &s->ledger, NULL, s->err) < 0))
        return -1;
    s->has_ledger = 1;
    ledger_excluded(&s->ledger, s->exclude, sizeof s->exclude);
    return 0;
}

static int write_manifest(struct submission *s)
{
    const struct sweep_request *r = s->req;
    struct run_record record = { .command = r->command, .example = "", .status = "submitted" };
    utc_now(record.started, sizeof record.started);
    return manifest_write(r->dir, r->cluster, r->study, backend_label(&backend_slurm, r->cluster),
                          r->why, &s->plan, &s->provenance, &record, s->err);
}

/* Nodes of the partition that are not excluded, by the cluster file or for their failures. */
static int count_nodes(struct submission *s)
{
    char list[2 * KEY_TEXT_MAX];
    size_t n = 0;
    s->nodes_left = s->slurm.nodes;
    jobfile_exclude(&s->file, list, sizeof list);
    if (!*list)
        return 0;
    struct slurm_node *nodes = NULL;
    char(*names)[NODE_SIZE] = memory_zeros(MOST_EXCLUDED, sizeof *names);
    long excluded = slurm_hosts(list, names, MOST_EXCLUDED, s->err);
    if (excluded < 0)
        err_prefix(s->err, "%s: exclude", s->req->cluster->path);
    int status = excluded < 0       ? -1
                 : s->slurm.assumed ? 0
                                    : slurm_nodes(&s->slurm, &nodes, &n, s->err);
    if (status == 0 && s->slurm.assumed)
        s->nodes_left -= (int)excluded;
    for (size_t i = 0; status == 0 && i < n; i++)
        for (long k = 0; k < excluded; k++)
            if (strcmp(nodes[i].name, names[k]) == 0) {
                s->nodes_left--;
                break;
            }
    memory_free(nodes, names);
    return status;
}

/* What sbatch will hand to the jobs. */
static int look_around(struct submission *s)
{
    const struct sweep_request *r = s->req;
    if (provenance_collect(r, &s->plan, PROVENANCE_SUBMIT, &s->provenance, s->err) < 0)
        return -1;
    if (!r->quiet)
        environment_say(&s->provenance.environment, stderr);
    return 0;
}

/* Looks at the Slurm that there is. Who submits nothing goes on without one, unless the cluster
 * file is wrong, or its Slurm is our own. */
static int open_slurm(struct submission *s)
{
    const struct sweep_request *r = s->req;
    if (slurm_open(r->cluster, &s->slurm, s->err) == 0)
        return 0;
    if (!(r->dry_run || r->write_only) || s->err->status == EXIT_USAGE || r->cluster->emulated)
        return -1;
    slurm_assume(r->cluster, &s->slurm);
    s->result->assumed = 1;
    if (!r->quiet)
        fprintf(stderr,
                "Slurm does not answer: %s\n  assumed from %s: partition %s, %d nodes; as Slurm "
                "has it by default: MaxArraySize %d, no MaxTime. What waits or runs is not known\n",
                s->err->text, r->cluster->path, s->slurm.partition, s->slurm.nodes,
                s->slurm.max_array);
    *s->err = (struct err){ 0 };
    return 0;
}

static int prepare(struct submission *s)
{
    const struct sweep_request *r = s->req;
    if (open_slurm(s) < 0 || find_paths(s) < 0)
        return -1;
    if (!r->dry_run &&
        (fs_mkdirs(s->jobs, s->err) < 0 || (s->lock = lock_take(r->dir, s->err)) < 0))
        return -1;
    if (!r->dry_run)
        built_update_all(r->cluster, &r->study->mpi, r->build, r->quiet ? NULL : stderr);
    if (runnable_plan(r->cluster, r->study, &backend_slurm, r->build, r->quiet ? NULL : stderr,
                      &s->plan, s->err) < 0)
        return -1;
    plan_keep(&s->plan, &r->part);
    s->result->skipped = s->plan.n_skipped;
    if (s->plan.n_skipped)
        snprintf(s->result->skipped_why, REASON_SIZE, "%s", s->plan.skipped[0].reason);
    if (runnable_check(&s->plan, r->cluster, r->study, &backend_slurm, 0, s->err) < 0)
        return -1;
    if (look_around(s) < 0)
        return -1;
    struct rounds_rule rule = rounds_rule_of(r->study, r->retries);
    if (rule.adaptive)
        r->prior_compute(r->cluster, r->study, &s->plan, &s->prior);
    rule.prior = &s->prior;
    if (!r->dry_run &&
        (plan_write(&s->plan, r->dir, s->err) < 0 ||
         (rule.adaptive && prior_write(r->dir, &s->prior, s->err) < 0) || write_manifest(s) < 0))
        return -1;
    /* Slurm is asked first: what ends meanwhile is then seen among the samples */
    if (open_ledger(s) < 0 || store_open(r->dir, s->provenance.digest, &s->done, s->err) < 0 ||
        history_open(r->dir, &s->history, s->err) < 0)
        return -1;
    if (rounds_make(&s->plan, r->dir, &s->done, &rule, &s->rounds, s->err) < 0)
        return -1;
    describe_files(s);
    if (jobfile_check(&s->file, s->err) < 0 || count_nodes(s) < 0)
        return -1;
    return arrays_build(&s->plan, s->jobs, s->slurm.max_array, &s->arrays, s->err);
}

/* ---- what is to do ---- */

/* Counts and estimates the points of a launch that a task would measure. Returns how many it would
 * not, since they failed too often. */
static size_t fill_line(struct submission *s, struct task_line *line)
{
    size_t failed = 0;
    const struct sweep_request *r = s->req;
    const struct launch *l = line->launch;
    const size_t wanted = rounds_wanted(&s->rounds, &s->plan, l, NULL);
    for (size_t i = l->first; i < l->first + l->n; i++) {
        const struct point *p = &s->plan.points[i];
        const struct failure *f = store_failure(&s->done, p->id, "", l->repeat);
        if (rounds_need(&s->rounds, p->id, l->repeat) != ROUND_WANTED ||
            store_find(&s->done, p->id, l->repeat))
            continue;
        if (f && f->count > r->retries) {
            failed++;
            continue;
        }
        line->points++;
        estimate_add(&line->estimate, p, r->cluster, r->study, &s->history);
    }
    line->estimate.seconds *=
        rounds_shares(&s->rounds.rule, l, wanted) * (r->times > 1 ? r->times : 1);
    return failed;
}

static void name_launch(struct jobs_result *result, const char *name)
{
    size_t used = strlen(result->names), n = strlen(name);
    if (used + n + 8 < sizeof result->names)
        snprintf(result->names + used, sizeof result->names - used, "%s%s", used ? ", " : "", name);
    else if (used && result->names[used - 1] != '.')
        snprintf(result->names + used, sizeof result->names - used, ", ...");
}

static const struct ledger_launch *in_ledger(const struct submission *s, const char *name)
{
    const struct launch *l = s->has_ledger ? plan_launch(&s->ledger.plan, name) : NULL;
    return l ? &s->ledger.launches[l - s->ledger.plan.launches] : NULL;
}

/* A launch that ran out of time before it finished a point gets twice the time, each time. */
static void stretch(struct task_line *line, const struct ledger_launch *was)
{
    enum { MOST_DOUBLED = 6 };
    if (!was || !was->fruitless || strcmp(was->last, "timeout") != 0)
        return;
    line->estimate.doubled = was->fruitless < MOST_DOUBLED ? was->fruitless : MOST_DOUBLED;
}

static void decide(struct submission *s, struct task_line *line)
{
    struct jobs_result *result = s->result;
    const struct ledger_launch *was = in_ledger(s, line->name);
    const int same = s->has_ledger && strcmp(s->ledger.digest, s->provenance.digest) == 0;
    const int fruitless = was && same ? was->fruitless : 0;
    size_t later, failed = fill_line(s, line);
    result->failed += failed;
    rounds_wanted(&s->rounds, &s->plan, line->launch, &later);
    if (was && ledger_in_flight(was)) {
        result->in_flight++;
    } else if (later) {
        result->later++;
    } else if (line->points == 0 && failed == 0) {
        result->finished++;
    } else if (line->points == 0 || fruitless > s->req->retries) {
        result->given_up++;
        name_launch(result, line->name);
    } else if (line->launch->nodes > s->nodes_left) {
        result->starved++;
        name_launch(result, line->name);
    } else {
        line->todo = 1;
        stretch(line, same ? was : NULL);
    }
}

static void choose(struct submission *s)
{
    for (size_t i = 0; i < s->arrays.n; i++) {
        struct job_array *a = &s->arrays.v[i];
        for (size_t k = 0; k < a->n; k++)
            if (a->lines[k].launch) {
                s->result->launches++;
                decide(s, &a->lines[k]);
            }
        array_sum(a, s->req->cluster->time_limit, s->file.most_s);
        if (!a->tasks)
            continue;
        s->result->arrays++;
        s->result->tasks += a->tasks;
        s->result->points += a->points;
        s->result->core_s += a->seconds * a->nodes * cluster_node_cores(s->req->cluster);
    }
}

/* ---- files ---- */

static int write_script(struct submission *s, const struct job_array *a, char *path, size_t size)
{
    struct whole_file f;
    if (fs_path(path, size, s->err, "%s/%s.sbatch", s->jobs, a ? a->name : "collect") < 0 ||
        fs_begin(&f, path, s->err) < 0)
        return -1;
    if (a)
        jobfile_write_array(f.file, &s->file, a);
    else
        jobfile_write_collect(f.file, &s->file);
    return fs_commit(&f, s->err);
}

static int write_files(struct submission *s)
{
    char path[PATH_SIZE];
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct job_array *a = &s->arrays.v[i];
        if (array_write_tasks(a, s->jobs, s->err) < 0 ||
            (a->tasks && write_script(s, a, path, sizeof path) < 0))
            return -1;
    }
    return s->req->no_collect ? 0 : write_script(s, NULL, path, sizeof path);
}

static void print_array(FILE *out, const struct job_array *a)
{
    char *range = NULL;
    size_t len;
    FILE *f = memory_stream(&range, &len);
    array_print_range(f, a);
    fclose(f);
    fprintf(out, "%-20s %-14s %6zu %8zu %6d  ", a->name, range, a->tasks, a->points, a->nodes);
    jobfile_print_time(out, a->limit_s);
    fprintf(out, " %11.2f\n", a->seconds * a->nodes / 3600);
    free(range);
}

static void print_table(const struct submission *s)
{
    FILE *out = s->req->out ? s->req->out : stdout;
    double node_s = 0;
    fprintf(out, "%-20s %-14s %6s %8s %6s  %7s %11s\n", "array", "tasks", "count", "points",
            "nodes", "limit", "node-hours");
    for (size_t i = 0; i < s->arrays.n; i++)
        if (s->arrays.v[i].tasks) {
            print_array(out, &s->arrays.v[i]);
            node_s += s->arrays.v[i].seconds * s->arrays.v[i].nodes;
        }
    fprintf(out, "%-20s %-14s %6zu %8zu %6s  %7s %11.2f\n", "in all", "", s->result->tasks,
            s->result->points, "", "", node_s / 3600);
}

static void print_scripts(const struct submission *s)
{
    FILE *out = s->req->out ? s->req->out : stdout;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct job_array *a = &s->arrays.v[i];
        if (!a->tasks)
            continue;
        fprintf(out, "\n==> %s/%s.sbatch <==\n", s->jobs, a->name);
        jobfile_write_array(out, &s->file, a);
    }
    if (s->req->no_collect)
        return;
    fprintf(out, "\n==> %s/collect.sbatch <==\n", s->jobs);
    jobfile_write_collect(out, &s->file);
}

static void dry_run(const struct submission *s)
{
    if (!s->result->tasks)
        return;
    print_table(s);
    if (s->req->verbose)
        print_scripts(s);
}

/* ---- into Slurm ---- */

/* "12" of "12_3" to the jobs that are waited for, once. */
static void wait_for(struct submission *s, const char *job)
{
    char number[JOB_SIZE];
    size_t used = strlen(s->waits), n = strcspn(job, "_");
    snprintf(number, sizeof number, "%.*s", (int)n, job);
    for (const char *p = s->waits; n && (p = strstr(p, number)) != NULL; p += n)
        if ((p == s->waits || p[-1] == ':') && (p[n] == ':' || p[n] == '\0'))
            return;
    if (n && used + n + 2 < sizeof s->waits)
        snprintf(s->waits + used, sizeof s->waits - used, "%s%s", used ? ":" : "", number);
}

/* Marks a submission only where Slurm shows the mark: a site's own sbatch may drop it. */
static void check_mark(const struct submission *s, const struct job_array *a, const char *job,
                       char mark[MARK_SIZE])
{
    struct slurm_task *said;
    char task[JOB_SIZE];
    const char *const tasks[] = { task };
    size_t i = 0;
    while (!a->lines[i].todo)
        i++;
    snprintf(task, sizeof task, "%.15s_%u", job, (unsigned)(i + 1));
    const int shown = slurm_tasks(&s->slurm, tasks, 1, &said, NULL) == 0 && said->shown &&
                      strcmp(said->mark, mark) == 0;
    free(said);
    if (!shown)
        mark[0] = '\0';
}

static int tell_submitted(struct submission *s, const struct job_array *a, const char *job,
                          const char *mark)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct task_line *l = &a->lines[i];
        struct event e = { .points = (long)l->points };
        if (!l->todo)
            continue;
        snprintf(e.launch, sizeof e.launch, "%s", l->name);
        snprintf(e.event, sizeof e.event, "submitted");
        snprintf(e.digest, sizeof e.digest, "%s", s->provenance.digest);
        snprintf(e.job, sizeof e.job, "%.15s_%u", job, (unsigned)(i + 1));
        snprintf(e.mark, sizeof e.mark, "%s", mark);
        if (journal_write(&s->journal, &e, s->err) < 0)
            return -1;
    }
    return 0;
}

struct told {
    const char *node;
    int yes;
};

static int on_excluded(const struct event *e, void *user)
{
    struct told *told = user;
    told->yes |= strcmp(e->event, "excluded") == 0 && strcmp(e->node, told->node) == 0;
    return told->yes;
}

/* Says of a node that it is excluded from now on; once. */
static int tell_excluded(struct submission *s, const struct ledger_node *node)
{
    struct told told = { .node = node->name };
    struct event e = { 0 };
    if (journal_read(s->req->dir, on_excluded, &told, s->err) < 0)
        return -1;
    if (told.yes)
        return 0;
    snprintf(e.event, sizeof e.event, "excluded");
    snprintf(e.node, sizeof e.node, "%s", node->name);
    snprintf(e.digest, sizeof e.digest, "%s", s->provenance.digest);
    snprintf(e.reason, sizeof e.reason, "it broke %d attempts", node->strikes);
    if (!s->req->quiet)
        fprintf(stderr, "node %s is excluded: %s\n", node->name, e.reason);
    return journal_write(&s->journal, &e, s->err);
}

static int tell_all_excluded(struct submission *s)
{
    for (size_t i = 0; s->has_ledger && i < s->ledger.n_nodes; i++)
        if (s->ledger.nodes[i].strikes >= NODE_STRIKES && tell_excluded(s, &s->ledger.nodes[i]) < 0)
            return -1;
    return 0;
}

/* Puts before an error what got through and what did not. */
static int name_rest(struct submission *s, size_t from)
{
    char done[200] = "", rest[200] = "";
    for (size_t i = 0; i < s->arrays.n; i++) {
        char *to = i < from ? done : rest;
        size_t used = strlen(to);
        if (s->arrays.v[i].tasks && used + strlen(s->arrays.v[i].name) + 3 < sizeof done)
            snprintf(to + used, sizeof done - used, "%s%s", used ? ", " : "", s->arrays.v[i].name);
    }
    return err_prefix(s->err, "%s%s%snot submitted: %s", *done ? "submitted: " : "", done,
                      *done ? "; " : "", rest);
}

static int submit_array(struct submission *s, const struct job_array *a)
{
    char path[PATH_SIZE], job[JOB_SIZE], mark[MARK_SIZE];
    slurm_make_mark(mark);
    if (fs_path(path, sizeof path, s->err, "%s/%s.sbatch", s->jobs, a->name) < 0 ||
        slurm_submit(&s->slurm, path, mark, NULL, job, s->err) < 0)
        return -1;
    check_mark(s, a, job, mark);
    wait_for(s, job);
    if (!s->req->quiet)
        fprintf(stderr, "%s: job %s, %zu task%s\n", a->name, job, COUNTED(a->tasks));
    return tell_submitted(s, a, job, mark);
}

/* One collecting job of a study at a time: they write the same files. */
static int submit_collect(struct submission *s)
{
    char path[PATH_SIZE], after[sizeof s->waits + 32];
    snprintf(after, sizeof after, "afterany:%s,singleton", s->waits);
    if (fs_path(path, sizeof path, s->err, "%s/collect.sbatch", s->jobs) < 0 ||
        slurm_submit(&s->slurm, path, NULL, after, s->result->collect, s->err) < 0)
        return err_prefix(s->err, "all arrays are submitted, but not the job that collects");
    if (!s->req->quiet)
        fprintf(stderr, "collect: job %s, after them all\n", s->result->collect);
    return 0;
}

static int submit_all(struct submission *s)
{
    for (size_t i = 0; s->has_ledger && i < s->ledger.plan.n_launches; i++)
        if (ledger_in_flight(&s->ledger.launches[i]))
            wait_for(s, s->ledger.launches[i].job);
    for (size_t i = 0; i < s->arrays.n; i++)
        if (s->arrays.v[i].tasks && submit_array(s, &s->arrays.v[i]) < 0)
            return name_rest(s, i);
    return s->req->no_collect ? 0 : submit_collect(s);
}

static int carry_out(struct submission *s)
{
    if (s->req->dry_run) {
        dry_run(s);
        return 0;
    }
    if (journal_open(&s->journal, s->req->dir, s->err) < 0 || tell_all_excluded(s) < 0)
        return -1;
    if (!s->result->tasks)
        return 0;
    if (write_files(s) < 0)
        return -1;
    return s->req->write_only ? 0 : submit_all(s);
}

static void submission_clear(struct submission *s)
{
    if (s->has_ledger)
        ledger_free(&s->ledger);
    arrays_free(&s->arrays);
    history_free(&s->history);
    store_free(&s->done);
    rounds_free(&s->rounds);
    prior_free(&s->prior);
    plan_free(&s->plan);
    provenance_free(&s->provenance);
    journal_close(&s->journal);
    if (s->lock >= 0)
        close(s->lock);
    free(s);
}

int jobs_submit(const struct sweep_request *request, struct jobs_result *result, struct err *err)
{
    struct err own = { 0 };
    struct submission *s = memory_zeros(1, sizeof *s);
    *result = (struct jobs_result){ 0 };
    s->req = request;
    s->result = result;
    s->err = err ? err : &own;
    s->lock = s->journal.fd = -1;
    int status = prepare(s);
    if (status == 0) {
        choose(s);
        if (s->has_ledger && !s->slurm.assumed)
            stuck_find(&s->slurm, &s->ledger, &result->stuck);
        if (result->tasks)
            status = environment_check(request->dir, &s->provenance, s->err);
        if (status == 0)
            status = carry_out(s);
    }
    submission_clear(s);
    return status;
}
