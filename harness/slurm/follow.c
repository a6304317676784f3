/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/slurm/follow.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "harness/lock.h"
#include "harness/progress.h"
#include "harness/provenance.h"

struct follow {
    const struct jobs_request *req;
    struct follow_result *result;
    struct slurm slurm;
    struct progress progress;
    double poll_s;
    size_t before; /* points finished when we began */
    int started;   /* the progress line */
    int signals;
    struct err *err;
};

/* What one look at Slurm and the files gives. */
struct look {
    size_t points, finished, failed;
    size_t in_flight, running; /* launches */
};

static void count(const struct ledger *ledger, struct look *look)
{
    *look = (struct look){ ledger->points, ledger->finished, ledger->failed, 0, 0 };
    for (size_t i = 0; i < ledger->plan.n_launches; i++) {
        const struct ledger_launch *l = &ledger->launches[i];
        look->in_flight += ledger_in_flight(l) != 0;
        look->running += ledger_in_flight(l) && l->task.state == SLURM_RUNNING;
    }
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
    ledger_free(&ledger);
    return status;
}

static void show(struct follow *f, const struct look *look)
{
    const size_t left = look->points - f->before;
    if (!f->started)
        progress_start(&f->progress, stderr, f->req->quiet, (double)left, left);
    f->started = 1;
    progress_show(&f->progress, (double)(look->finished + look->failed - f->before),
                  look->finished + look->failed - f->before, (int)look->running);
}

/* Waits for the next look. 1 when interrupted. */
static int rest(struct follow *f)
{
    struct pollfd fd = { .fd = f->signals, .events = POLLIN };
    return poll(&fd, 1, (int)(1000 * f->poll_s)) > 0;
}

/* Until nothing of the study is queued or running. */
static int watch(struct follow *f, struct look *look)
{
    for (;;) {
        if (look_once(f, look) < 0)
            return -1;
        show(f, look);
        if (look->in_flight == 0)
            return 0;
        if (rest(f))
            return err_set(f->err,
                           "interrupted with %zu of %zu points finished; %zu launches stay with "
                           "Slurm (collsel status; scancel ends them; run again to watch on)",
                           look->finished, look->points, look->in_flight);
    }
}

static int rounds(struct follow *f)
{
    struct jobs_result submitted;
    struct look look;
    for (;;) {
        if (jobs_submit(f->req, &submitted, f->err) < 0)
            return -1;
        f->result->rounds += submitted.tasks > 0;
        if (f->req->dry_run)
            return 0;
        if (look_once(f, &look) < 0)
            return -1;
        if (f->result->rounds <= 1 && !f->started)
            f->before = look.finished + look.failed;
        if (watch(f, &look) < 0)
            return -1;
        f->result->points = look.points;
        f->result->finished = look.finished;
        f->result->failed = look.failed;
        if (submitted.tasks + submitted.in_flight == 0 ||
            look.finished + look.failed == look.points)
            return 0;
    }
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

int follow_run(const struct jobs_request *request, double poll_s, struct follow_result *result,
               struct err *err)
{
    struct err own = { 0 };
    struct follow f = {
        .req = request, .result = result, .poll_s = poll_s, .signals = -1, .err = err ? err : &own
    };
    sigset_t before;
    const double started = now_s();
    *result = (struct follow_result){ 0 };
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
