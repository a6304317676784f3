/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/follow.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "harness/run/lock.h"
#include "harness/study/manifest.h"
#include "harness/run/slurm/failure_cause.h"

enum { MOST_REFUSALS = 3 }; /* submissions in a row that fail while nothing is in flight */

enum { EARLY_LOOKS = 15 }; /* a second apart at most */

struct follow {
    const struct sweep_request *req;
    struct sweep_result *result;
    struct slurm slurm;
    struct progress progress;
    struct retry_policy patience;
    double poll_s;
    int looks;     /* so far */
    size_t before; /* points finished when we began */
    int started;   /* the progress line */
    int rounds;    /* submissions */
    int refusals;
    char waits_for[SLURM_REASON]; /* what was last said of why nothing runs */
    int signals;
    struct err *err;
};

/* What one look at Slurm and the files gives. */
struct look {
    size_t points, finished, failed;
    size_t unusable;              /* of the finished */
    char reason[REASON_SIZE];     /* of the first of them */
    size_t in_flight, running;    /* launches */
    size_t cancelled;             /* that somebody cancelled and that are not finished */
    char waits_for[SLURM_REASON]; /* why one is pending */
    struct stuck stuck;
};

static void count_launch(const struct ledger_launch *l, struct look *look)
{
    if (!ledger_in_flight(l)) {
        look->cancelled += l->left && strcmp(l->last, "cancelled") == 0;
        return;
    }
    look->in_flight++;
    if (l->task.state == SLURM_RUNNING)
        look->running++;
    else if (!*look->waits_for)
        memcpy(look->waits_for, l->task.reason, sizeof look->waits_for);
}

static void count(const struct ledger *ledger, struct look *look)
{
    *look = (struct look){ .points = ledger->points,
                           .finished = ledger->finished,
                           .failed = ledger->failed,
                           .unusable = ledger->unusable };
    memcpy(look->reason, ledger->unusable_reason, sizeof look->reason);
    for (size_t i = 0; i < ledger->plan.n_launches; i++)
        count_launch(&ledger->launches[i], look);
}

/* Accounts for what ended without a word, unless somebody else is at it. */
static int account(const struct follow *f, struct ledger *ledger)
{
    int lock = lock_take(f->req->dir, NULL);
    if (lock < 0)
        return 0;
    int status = ledger_account(f->req->dir, &f->slurm, ledger, NULL, f->err);
    close(lock);
    return status;
}

static int look_once(const struct follow *f, struct look *look)
{
    struct ledger ledger;
    if (ledger_open(f->req->dir, &f->slurm, f->req->retries, &ledger, f->err) < 0)
        return -1;
    int status = account(f, &ledger);
    count(&ledger, look);
    stuck_find(&f->slurm, &ledger, &look->stuck);
    ledger_free(&ledger);
    return status;
}

/* Says why nothing runs, where that is more than that others come first. */
static void tell_wait(struct follow *f, const struct look *look)
{
    static const char *const usual[] = {
        "",         "None",      "Priority",   "Resources",
        "Licenses", "BeginTime", "Dependency", "JobArrayTaskLimit"
    };
    if (look->running || strcmp(look->waits_for, f->waits_for) == 0)
        return;
    memcpy(f->waits_for, look->waits_for, sizeof f->waits_for);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(look->waits_for, usual[i]) == 0)
            return;
    progress_say(&f->progress, "nothing runs, %zu launch%s wait: %s", look->in_flight,
                 of_number(look->in_flight, "", "es"), look->waits_for);
}

static void show(struct follow *f, const struct look *look)
{
    if (!f->started) {
        f->started = 1;
        f->before = look->finished;
        progress_start(&f->progress, stderr, f->req->quiet, 0, 0);
    }
    /* Rounds add launches of points that are not sure yet. */
    f->progress.points = look->points > f->before ? look->points - f->before : 0;
    f->progress.weight = (double)f->progress.points;
    f->progress.failed = look->failed;
    const size_t now = look->finished > f->before ? look->finished - f->before : 0;
    tell_wait(f, look);
    progress_show(&f->progress, (double)(now + look->failed), now, (int)look->running);
}

/* Waits for the next look, at first shortly: short jobs are over soon. 0, or -1 with *err
 * when interrupted. */
static int rest(struct follow *f, const struct look *look)
{
    struct pollfd fd = { .fd = f->signals, .events = POLLIN };
    const double s = f->looks++ < EARLY_LOOKS ? fmin(1, f->poll_s) : f->poll_s;
    if (poll(&fd, 1, (int)(1000 * s)) <= 0)
        return 0;
    return err_set(f->err,
                   "interrupted with %zu of %zu point%s finished; %zu launch%s stay with Slurm "
                   "(collsel measure status; scancel ends them; run again to watch on)",
                   look->finished, COUNTED(look->points), look->in_flight,
                   of_number(look->in_flight, "", "es"));
}

/* Looks, however often it takes until Slurm answers. */
static int look_patiently(struct follow *f, struct look *look)
{
    while (look_once(f, look) < 0) {
        struct ledger ledger;
        struct err why = *f->err;
        if (ledger_open(f->req->dir, NULL, f->req->retries, &ledger, f->err) < 0)
            return -1; /* the files are what is wrong */
        count(&ledger, look);
        ledger_free(&ledger);
        *f->err = why;
        if (retry_policy_failed(&f->patience, &f->progress, f->err) < 0 || rest(f, look) < 0)
            return -1;
    }
    if (look->in_flight) /* so Slurm was asked */
        retry_policy_succeeded(&f->patience, &f->progress);
    return 0;
}

/* Waiting is no use. */
static int give_up_held(struct follow *f, const struct look *look)
{
    stuck_print(stderr, &look->stuck);
    return err_set(f->err,
                   "all %zu launch%s in the queue are held by Slurm, with %zu of %zu point%s "
                   "finished (free them as said above, and run again to go on)",
                   look->in_flight, of_number(look->in_flight, "", "es"), look->finished,
                   COUNTED(look->points));
}

/* Until nothing of the study is queued or running. */
static int watch(struct follow *f, struct look *look)
{
    for (;;) {
        if (look_patiently(f, look) < 0)
            return -1;
        show(f, look);
        if (look->in_flight == 0)
            return 0;
        if (stuck_for_good(&look->stuck, look->in_flight))
            return give_up_held(f, look);
        if (rest(f, look) < 0)
            return -1;
    }
}

/* A submission failed and nothing is in flight: 0 to try again, -1 with *err when that is no use.
 */
static int retry(struct follow *f, const struct look *look)
{
    struct slurm slurm;
    const struct err why = *f->err;
    const int silent =
        slurm_open(f->req->cluster, &slurm, f->err) < 0 || lock_held(f->req->dir, NULL) > 0;
    *f->err = why;
    if (!silent && ++f->refusals >= MOST_REFUSALS)
        return -1;
    if (silent && retry_policy_failed(&f->patience, &f->progress, f->err) < 0)
        return -1;
    return rest(f, look);
}

/* After a submission that failed: 1 to watch what is in flight before the next (sbatch refuses what
 * is above a limit of jobs per user, say), 0 to try again, -1 with *err: no use. */
static int after_refusal(struct follow *f, struct look *look)
{
    const struct err why = *f->err;
    const int first = f->rounds == 0;
    if (why.status == EXIT_USAGE)
        return -1;
    if (first ? look_once(f, look) < 0 : look_patiently(f, look) < 0) {
        *f->err = first ? why : *f->err;
        return -1;
    }
    *f->err = why;
    if (look->in_flight == 0)
        return first ? -1 : retry(f, look);
    progress_say(&f->progress, "%s (tried again when what is in the queue has ended)", why.text);
    return 1;
}

/* Submits what is missing and watches until nothing is in flight. 1: go on with another round; 0:
 * nothing is left to do; -1 with *err. */
static int one_round(struct follow *f, struct look *look)
{
    struct jobs_result submitted;
    const int refused = jobs_submit(f->req, &submitted, f->err) < 0;
    if (f->req->dry_run)
        return refused ? -1 : 0;
    if (refused) {
        const int in_flight = after_refusal(f, look);
        if (in_flight <= 0)
            return in_flight < 0 ? -1 : 1;
    } else {
        f->rounds += submitted.tasks > 0;
        f->refusals = 0;
        retry_policy_succeeded(&f->patience, &f->progress);
    }
    if (watch(f, look) < 0)
        return -1;
    if (look->cancelled)
        return err_set(f->err,
                       "%zu launch%s cancelled, and not submitted again, with %zu of %zu point%s "
                       "finished (run again to go on)",
                       look->cancelled, of_number(look->cancelled, " was", "es were"),
                       look->finished, COUNTED(look->points));
    return refused || (submitted.tasks + submitted.in_flight > 0 &&
                       look->finished + look->failed < look->points);
}

static int rounds(struct follow *f)
{
    struct look look = { 0 };
    int more;
    while ((more = one_round(f, &look)) > 0)
        continue;
    f->result->points = look.points;
    f->result->finished = look.finished;
    f->result->failed = look.failed;
    f->result->unusable = look.unusable;
    memcpy(f->result->reason, look.reason, sizeof look.reason);
    return more;
}

static int catch_signals(struct follow *f, sigset_t *before)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGINT);
    sigaddset(&mask, SIGTERM);
    sigaddset(&mask, SIGHUP);
    sigprocmask(SIG_BLOCK, &mask, before);
    f->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    return f->signals >= 0 ? 0 : err_errno(f->err, "cannot catch signals");
}

double follow_poll_s(const struct cluster *cluster)
{
    return cluster->emulated ? 1 : 5;
}

int follow_run(const struct sweep_request *request, double poll_s, struct sweep_result *result,
               struct err *err)
{
    struct err own = { 0 };
    struct follow f = {
        .req = request, .result = result, .poll_s = poll_s, .signals = -1, .err = err ? err : &own
    };
    sigset_t before;
    const double started = now_s();
    *result = (struct sweep_result){ 0 };
    progress_start(&f.progress, stderr, request->quiet, 0, 0);
    if (slurm_open(request->cluster, &f.slurm, f.err) < 0 || catch_signals(&f, &before) < 0)
        return -1;
    int status = rounds(&f);
    if (f.started)
        progress_end(&f.progress);
    close(f.signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (status == 0 && !request->dry_run)
        status = manifest_close(request->dir, "done", f.err);
    result->measured = result->finished > f.before ? result->finished - f.before : 0;
    result->elapsed_s = now_s() - started;
    return status;
}
