/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/status.h"

#include <time.h>

#include "harness/run/estimate.h"
#include "harness/run/lock.h"
#include "harness/study/plan/plan_build.h"

enum { WIDTH = 100, NAME_LEAST = 12, NAME_MOST = 36, FEW_REASONS = 5 };

/* "done", "running", ... */
static const char *status_name(enum status_state state)
{
    static const char *const names[N_STATUS] = {
        [STATUS_DONE] = "done",       [STATUS_RUNNING] = "running",
        [STATUS_PENDING] = "pending", [STATUS_PARTLY] = "partly",
        [STATUS_TODO] = "to do",      [STATUS_INTERRUPTED] = "interrupted",
        [STATUS_FAILED] = "failed",   [STATUS_GIVEN_UP] = "given up",
        [STATUS_ENOUGH] = "enough",   [STATUS_LATER] = "later",
    };
    return names[state];
}

/* One of the queue: pending until Slurm or its own word says that it runs. */
static enum status_state in_queue(const struct ledger_launch *at)
{
    if (at->asked)
        return at->task.state == SLURM_RUNNING ? STATUS_RUNNING : STATUS_PENDING;
    return strcmp(at->last, "started") == 0 ? STATUS_RUNNING : STATUS_PENDING;
}

static int is_mishap(const char *event)
{
    static const char *const mishaps[] = { "failed", "timeout", "cancelled", "node_failed",
                                           "lost" };
    return any_below(i, sizeof mishaps / sizeof *mishaps, strcmp(event, mishaps[i]) == 0);
}

static enum status_state judge(const struct study_status *s, const struct ledger_launch *at)
{
    if (at->wanted && at->finished == at->wanted)
        return at->later ? STATUS_PARTLY : STATUS_DONE;
    if (ledger_in_flight(at))
        return in_queue(at);
    if (at->wanted == 0)
        return at->later ? STATUS_LATER : STATUS_ENOUGH;
    if (at->left == 0)
        return STATUS_GIVEN_UP;
    if (strcmp(at->last, "started") == 0 && !*at->job)
        return s->driver ? STATUS_RUNNING : STATUS_INTERRUPTED;
    if (strcmp(at->last, "started") == 0 || strcmp(at->last, "submitted") == 0)
        return STATUS_FAILED; /* Slurm does not have it any more, and nobody accounted for it yet */
    if (is_mishap(at->last))
        return STATUS_FAILED;
    if (strcmp(at->last, "interrupted") == 0)
        return STATUS_INTERRUPTED;
    return at->finished || at->attempts ? STATUS_PARTLY : STATUS_TODO;
}

static void explain(struct launch_status *l)
{
    const struct ledger_launch *at = l->at;
    const char *why = "";
    if (l->state == STATUS_PENDING)
        why = at->task.reason;
    else if (l->state == STATUS_FAILED || l->state == STATUS_GIVEN_UP)
        why = at->reason;
    else if (l->state == STATUS_INTERRUPTED && strcmp(at->last, "started") == 0)
        why = "its sweep ended without a word (killed, or the machine went down); sweep again to "
              "go on";
    else if (l->state == STATUS_INTERRUPTED)
        why = at->reason;
    if (!*why && at->unusable)
        snprintf(l->reason, sizeof l->reason, "%zu unusable, %.120s", at->unusable,
                 at->unusable_reason);
    else
        snprintf(l->reason, sizeof l->reason, "%.159s", why);
    if (l->state == STATUS_FAILED && at->asked && !at->closed && !is_mishap(at->last))
        snprintf(l->reason, sizeof l->reason, "Slurm: %s (collsel measure collect writes it down)",
                 at->foreign ? "its number is another job's now"
                             : slurm_state_name(at->task.state));
}

/* What the points that are left will take: of each launch at its own pace where it has one, else at
 * that of all, over what runs at a time. */
static double estimate_rest(const struct study_status *s)
{
    double spent = 0, done = 0, rest = 0;
    const size_t n = s->ledger.plan.n_launches, running = s->counts[STATUS_RUNNING];
    for (size_t i = 0; i < n; i++)
        if (s->launches[i].at->finished) {
            spent += s->launches[i].at->elapsed_s;
            done += (double)s->launches[i].at->finished;
        }
    for (size_t i = 0; i < n; i++) {
        const struct ledger_launch *at = s->launches[i].at;
        const double own = (double)at->finished;
        const double pace = own > 0 ? at->elapsed_s / own : done > 0 ? spent / done : NAN;
        if (at->left)
            rest += (double)at->left * pace;
    }
    return rest / (double)(running ? running : 1);
}

static void fill(struct study_status *s)
{
    const struct ledger *l = &s->ledger;
    s->launches = memory_zeros(l->plan.n_launches + 1, sizeof *s->launches);
    for (size_t i = 0; i < l->plan.n_launches; i++) {
        struct launch_status *at = &s->launches[i];
        at->at = &l->launches[i];
        at->state = judge(s, at->at);
        explain(at);
        if (at->state == STATUS_RUNNING && !*at->at->job) /* by this machine's driver */
            ledger_add_running(l, &s->ledger.launches[i]);
        s->counts[at->state]++;
    }
    s->eta_s = estimate_rest(s);
}

/* 1 when Slurm may know more of a task than the files do. */
static int has_open_tasks(const struct ledger *l)
{
    for (size_t i = 0; i < l->n_tasks; i++)
        if (*l->tasks[i].job && !l->tasks[i].closed)
            return 1;
    return any_below(i, l->n_attempts,
                     *l->tasks[l->attempts[i].task].job && !*l->attempts[i].end &&
                         !l->attempts[i].blamed);
}

/* Reads again, with Slurm; when that fails the files' word stays, with the reason beside it. */
static void ask_slurm(struct status_source *source, struct study_status *s)
{
    struct err why = { 0 };
    struct ledger with;
    if (!source->known && slurm_open(source->cluster, &source->slurm, &why) < 0) {
        snprintf(s->mute, sizeof s->mute, "%s", why.text);
        return;
    }
    source->known = 1;
    if (ledger_open(source->dir, &source->slurm, source->retries, &with, &why) < 0) {
        snprintf(s->mute, sizeof s->mute, "%s", why.text);
        return;
    }
    ledger_free(&s->ledger);
    s->ledger = with;
    stuck_find(&source->slurm, &s->ledger, &s->stuck);
}

int status_read(struct status_source *source, struct study_status *status, struct err *err)
{
    *status = (struct study_status){ 0 };
    if (ledger_open(source->dir, NULL, source->retries, &status->ledger, err) < 0)
        return -1;
    const int held = lock_held(source->dir, err);
    status->driver = held > 0;
    if (has_open_tasks(&status->ledger))
        ask_slurm(source, status);
    if (held < 0) {
        status_free(status);
        return -1;
    }
    fill(status);
    return 0;
}

int status_at_rest(const struct study_status *s)
{
    return !s->driver && s->counts[STATUS_RUNNING] == 0 && s->counts[STATUS_PENDING] == 0;
}

void status_free(struct study_status *status)
{
    free(status->launches);
    ledger_free(&status->ledger);
    status->launches = NULL;
}

static int is_failure(const struct launch_status *l)
{
    return l->state == STATUS_FAILED || l->state == STATUS_GIVEN_UP || l->at->broken ||
           l->at->unusable;
}

/* Prints text within so many columns, cut with ".." where it is longer. */
static void put_cut(FILE *out, const char *text, int columns)
{
    const int len = (int)strlen(text);
    if (len <= columns)
        fputs(text, out);
    else if (columns > 2)
        fprintf(out, "%.*s..", columns - 2, text);
}

/* Behind the numbers where it fits, else on a line of its own. used: columns before it. */
static void put_remark(FILE *out, const char *text, int used)
{
    if (!*text)
        return;
    if (used + 2 + (int)strlen(text) <= WIDTH)
        fprintf(out, "  %s", text);
    else {
        fputs("\n    ", out);
        put_cut(out, text, WIDTH - 4);
    }
}

/* 0 for launches of further rounds in which nothing is wanted, or not yet. */
static int is_called_for(const struct launch_status *l)
{
    return l->state != STATUS_ENOUGH && l->state != STATUS_LATER;
}

static int name_width(const struct study_status *s)
{
    int width = NAME_LEAST;
    for (size_t i = 0; i < s->ledger.plan.n_launches; i++) {
        if (!is_called_for(&s->launches[i]))
            continue;
        const int n = (int)strlen(s->launches[i].at->launch->name);
        width = n > width ? n : width;
    }
    return width < NAME_MOST ? width : NAME_MOST;
}

static void print_launch(FILE *out, const struct launch_status *l, int width)
{
    char points[48], text[32], remark[512];
    const struct ledger_launch *at = l->at;
    const char *nodes = l->state != STATUS_RUNNING ? "" : *at->nodes ? at->nodes : at->task.nodes;
    snprintf(points, sizeof points, "%zu/%zu", at->finished, at->wanted);
    int used = fprintf(out, "%-*.*s %-11s %11s %5d %12s %8.2f", width, width, at->launch->name,
                       status_name(l->state), points, at->attempts,
                       format_duration(at->elapsed_s, text, sizeof text), at->core_s / 3600);
    snprintf(remark, sizeof remark, "%s%s%s", nodes, *nodes && *l->reason ? "; " : "", l->reason);
    put_remark(out, remark, used);
    putc('\n', out);
}

static void print_launches(FILE *out, const struct study_status *s, int failures)
{
    const int width = name_width(s);
    fprintf(out, "%-*s %-11s %11s %5s %12s %8s\n", width, "launch", "state", "points", "tries",
            "elapsed", "core-h");
    for (size_t i = 0; i < s->ledger.plan.n_launches; i++)
        if (failures ? is_failure(&s->launches[i]) : is_called_for(&s->launches[i]))
            print_launch(out, &s->launches[i], width);
}

struct group {
    const struct launch *first;
    size_t n, states[N_STATUS], finished, points;
    double elapsed_s, core_s;
};

static int by_array(const void *left, const void *right)
{
    const struct launch *a = ((const struct group *)left)->first;
    const struct launch *b = ((const struct group *)right)->first;
    return by_keys(strcmp(a->mpi, b->mpi), ascending(a->nodes, b->nodes));
}

/* The groups of launches with the same library and nodes; to be freed. */
static struct group *make_groups(const struct study_status *s, size_t *n)
{
    struct group *groups = memory_zeros(s->ledger.plan.n_launches + 1, sizeof *groups);
    *n = 0;
    for (size_t i = 0; i < s->ledger.plan.n_launches; i++) {
        const struct launch_status *l = &s->launches[i];
        const struct launch *launch = l->at->launch;
        size_t k = 0;
        if (!is_called_for(l))
            continue;
        while (k < *n && (strcmp(groups[k].first->mpi, launch->mpi) != 0 ||
                          groups[k].first->nodes != launch->nodes))
            k++;
        struct group *g = &groups[k];
        if (k == *n)
            groups[(*n)++].first = launch;
        g->n++;
        g->states[l->state]++;
        g->finished += l->at->finished;
        g->points += l->at->wanted;
        g->elapsed_s += l->at->elapsed_s;
        g->core_s += l->at->core_s;
    }
    if (*n)
        qsort(groups, *n, sizeof *groups, by_array);
    return groups;
}

static void print_group(FILE *out, const struct group *g)
{
    char name[NAME_SIZE + 32], points[48], text[32];
    const size_t *n = g->states;
    snprintf(name, sizeof name, "%s, %d node%s", g->first->mpi, g->first->nodes,
             plural(g->first->nodes));
    snprintf(points, sizeof points, "%zu/%zu", g->finished, g->points);
    fprintf(out, "%-20s %8zu %5zu %7zu %7zu %6zu %6zu %11s %12s %8.2f\n", name, g->n,
            n[STATUS_DONE], n[STATUS_RUNNING], n[STATUS_PENDING],
            n[STATUS_FAILED] + n[STATUS_GIVEN_UP],
            n[STATUS_TODO] + n[STATUS_PARTLY] + n[STATUS_INTERRUPTED], points,
            format_duration(g->elapsed_s, text, sizeof text), g->core_s / 3600);
}

static void print_few_reasons(FILE *out, const struct study_status *s)
{
    size_t shown = 0, all = 0;
    for (size_t i = 0; i < s->ledger.plan.n_launches; i++) {
        const struct launch_status *l = &s->launches[i];
        char line[LAUNCH_SIZE + REASON_SIZE + 8];
        if (l->state != STATUS_FAILED && l->state != STATUS_GIVEN_UP)
            continue;
        all++;
        if (shown == FEW_REASONS)
            continue;
        shown++;
        snprintf(line, sizeof line, "%s %s: %s", status_name(l->state), l->at->launch->name,
                 *l->reason ? l->reason : "some points failed or hung");
        put_cut(out, line, WIDTH);
        putc('\n', out);
    }
    if (all > shown)
        fprintf(out, "... and %zu more (--failed shows them)\n", all - shown);
}

static void print_arrays(FILE *out, const struct study_status *s)
{
    size_t n;
    struct group *groups = make_groups(s, &n);
    fprintf(out, "%-20s %8s %5s %7s %7s %6s %6s %11s %12s %8s\n", "array", "launches", "done",
            "running", "pending", "failed", "to do", "points", "elapsed", "core-h");
    for (size_t i = 0; i < n; i++)
        print_group(out, &groups[i]);
    free(groups);
    print_few_reasons(out, s);
}

static void print_counts(FILE *out, const struct study_status *s)
{
    static const enum status_state shown[] = { STATUS_DONE,     STATUS_RUNNING,     STATUS_PENDING,
                                               STATUS_PARTLY,   STATUS_INTERRUPTED, STATUS_FAILED,
                                               STATUS_GIVEN_UP, STATUS_TODO,        STATUS_ENOUGH,
                                               STATUS_LATER };
    const size_t n = s->ledger.plan.n_launches;
    fprintf(out, "%zu launch%s:", n, of_number(n, "", "es"));
    const char *comma = " ";
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (s->counts[shown[i]]) {
            fprintf(out, "%s%zu %s", comma, s->counts[shown[i]], status_name(shown[i]));
            comma = ", ";
        }
    fputs(*comma == ' ' ? " none\n" : "\n", out);
}

static size_t count_broken(const struct study_status *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->ledger.plan.n_launches; i++)
        n += s->launches[i].at->broken;
    return n;
}

static double total_core_s(const struct study_status *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->ledger.plan.n_launches; i++)
        sum += s->launches[i].at->core_s;
    return sum;
}

static size_t count_unended(const struct study_status *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->ledger.plan.n_launches; i++)
        n += s->launches[i].at->unended;
    return n;
}

/* Where the sums are lower bounds. */
static void print_unended(FILE *out, const struct study_status *s)
{
    const size_t n = count_unended(s);
    if (n)
        fprintf(out, "core-h is a lower bound: of %zu attempt%s without a known end %s\n",
                COUNTED(n),
                plan_stand_in(s->ledger.backend) ? "nothing counts" : "only finished points count");
}

static void print_points(FILE *out, const struct study_status *s)
{
    const struct ledger *l = &s->ledger;
    const size_t broken = count_broken(s), left = l->points - l->finished - l->failed;
    char text[32];
    fprintf(out, "%zu of %zu point%s finished", l->finished, COUNTED(l->points));
    if (l->unusable)
        fprintf(out, ", %zu of them unusable", l->unusable);
    if (broken)
        fprintf(out, ", %zu failed or timed out", broken);
    if (l->plan.n_skipped)
        fprintf(out, ", %zu skipped", l->plan.n_skipped);
    fprintf(out, ", %.2f core-hours so far", total_core_s(s) / 3600);
    if (left && !isnan(s->eta_s)) {
        const size_t running = s->counts[STATUS_RUNNING];
        format_duration(s->eta_s, text, sizeof text);
        if (!running)
            fprintf(out, ", about %s of launches left", text);
        else if (running > 1)
            fprintf(out, ", ETA %s (%zu at a time)", text, running);
        else
            fprintf(out, ", ETA %s", text);
    }
    fprintf(out, "%s\n", s->driver ? "; a sweep is at work" : "");
}

static void print_nodes(FILE *out, const struct ledger *l)
{
    for (size_t i = 0; i < l->n_nodes; i++)
        fprintf(out, "node %s broke %d attempt%s%s\n", l->nodes[i].name, l->nodes[i].strikes,
                plural(l->nodes[i].strikes),
                l->nodes[i].strikes >= NODE_STRIKES ? ": excluded" : "");
}

static void print_mute(FILE *out, const struct study_status *s)
{
    if (!*s->mute)
        return;
    fputs("Slurm does not answer; the study's files say:\n  ", out);
    put_cut(out, s->mute, WIDTH - 2);
    putc('\n', out);
}

void status_print(FILE *out, const struct study_status *s, enum status_view view)
{
    print_mute(out, s);
    if (view == STATUS_ARRAYS)
        print_arrays(out, s);
    else
        print_launches(out, s, view == STATUS_FAILURES);
    print_counts(out, s);
    print_nodes(out, &s->ledger);
    stuck_print(out, &s->stuck);
    print_points(out, s);
    print_unended(out, s);
}

size_t status_height(const struct study_status *s, enum status_view view)
{
    char *text = NULL;
    size_t len = 0, lines = 0;
    FILE *out = memory_stream(&text, &len);
    status_print(out, s, view);
    fclose(out);
    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n';
    free(text);
    return lines;
}

static json_t *launch_json(const struct launch_status *l)
{
    const struct ledger_launch *at = l->at;
    return json_pack(
        "{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:i, s:s, s:s, s:f, s:f, s:I}",
        "launch", at->launch->name, "state", status_name(l->state), "reason", l->reason, "points",
        (json_int_t)at->wanted, "finished", (json_int_t)at->finished, "unusable",
        (json_int_t)at->unusable, "failed", (json_int_t)at->broken, "given_up",
        (json_int_t)at->failed, "left", (json_int_t)at->left, "submissions", at->submissions,
        "attempts", at->attempts, "job", at->job, "nodes",
        l->state == STATUS_RUNNING ? at->nodes : "", "elapsed_s", at->elapsed_s, "core_s",
        at->core_s, "unended", (json_int_t)at->unended);
}

static json_t *nodes_json(const struct ledger *l)
{
    json_t *all = json_array();
    for (size_t i = 0; i < l->n_nodes; i++)
        json_array_append_new(all, json_pack("{s:s, s:i, s:b}", "node", l->nodes[i].name, "strikes",
                                             l->nodes[i].strikes, "excluded",
                                             l->nodes[i].strikes >= NODE_STRIKES));
    return all;
}

int status_print_json(FILE *out, const struct study_status *s)
{
    const struct ledger *l = &s->ledger;
    json_t *launches = json_array();
    for (size_t i = 0; i < l->plan.n_launches; i++)
        json_array_append_new(launches, launch_json(&s->launches[i]));
    json_t *o =
        json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:f, s:I, s:o?, s:b, s:s, s:o, s:o}",
                  "backend", l->backend, "digest", l->digest, "points", (json_int_t)l->points,
                  "finished", (json_int_t)l->finished, "unusable", (json_int_t)l->unusable,
                  "given_up", (json_int_t)l->failed, "skipped", (json_int_t)l->plan.n_skipped,
                  "core_s", total_core_s(s), "unended", (json_int_t)count_unended(s), "eta_s",
                  isnan(s->eta_s) ? json_null() : json_real(s->eta_s), "driver", s->driver,
                  "slurm_silent", s->mute, "nodes", nodes_json(l), "launches", launches);
    char *text = o ? json_dumps(o, JSON_INDENT(1)) : NULL;
    json_decref(o);
    if (text)
        fprintf(out, "%s\n", text);
    free(text);
    return text ? 0 : -1;
}
