/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/fs.h"
#include "harness/journal.h"
#include "harness/lock.h"
#include "harness/provenance.h"
#include "harness/store.h"

static double seconds_since(const char *utc)
{
    struct tm tm = { 0 };
    if (!strptime(utc, "%Y-%m-%dT%H:%M:%SZ", &tm))
        return 0;
    return difftime(time(NULL), timegm(&tm));
}

static int on_event(const struct event *e, void *user)
{
    struct study_status *s = user;
    const struct launch *l = plan_launch(&s->plan, e->launch);
    if (!l)
        return 0;
    struct launch_status *at = &s->launches[l - s->plan.launches];
    if (strcmp(e->event, "started") == 0) {
        at->state = "started";
        at->attempts++;
        if (s->driver)
            at->elapsed_s += fmax(0, seconds_since(e->t));
        snprintf(at->reason, sizeof at->reason, "%s", e->t);
        return 0;
    }
    if (strcmp(at->state, "started") == 0 && s->driver)
        at->elapsed_s -= fmin(at->elapsed_s, fmax(0, seconds_since(at->reason)));
    at->elapsed_s += e->elapsed_s;
    at->state = "ended";
    snprintf(at->reason, sizeof at->reason, "%s", e->reason);
    return 0;
}

static void count_points(const struct store *store, struct study_status *s,
                         struct launch_status *at)
{
    const struct launch *l = at->launch;
    for (size_t i = l->first; i < l->first + l->n; i++) {
        const char *id = s->plan.points[i].id;
        if (store_find(store, id, l->repeat))
            at->finished++;
        else if (store_failure(store, id, "", l->repeat))
            at->failed++;
    }
    s->points += l->n;
    s->finished += at->finished;
    s->failed += at->failed;
}

static const char *state_of(const struct study_status *s, const struct launch_status *at)
{
    if (at->finished == at->launch->n)
        return "done";
    if (strcmp(at->state, "started") == 0)
        return s->driver ? "running" : "interrupted";
    if (at->failed)
        return "failed";
    if (at->attempts == 0 && at->finished == 0)
        return "pending";
    return at->attempts && *at->reason ? "failed" : "partly";
}

/* From the messages of launches that are done or begun and what they took. */
static double estimate_rest(const struct study_status *s)
{
    double spent = 0, done = 0, left = 0;
    for (size_t i = 0; i < s->plan.n_launches; i++) {
        const struct launch_status *at = &s->launches[i];
        spent += at->elapsed_s;
        done += (double)at->finished;
        left += (double)(at->launch->n - at->finished - at->failed);
    }
    return left == 0 ? 0 : done > 0 ? spent / done * left : NAN;
}

int status_read(const char *dir, struct study_status *status, struct err *err)
{
    char path[PATH_SIZE], digest[16];
    struct store store;
    *status = (struct study_status){ 0 };
    if (fs_path(path, sizeof path, err, "%s/plan.csv", dir) < 0)
        return -1;
    if (!fs_exists(path))
        return err_set(err, "'%s' does not exist (want: collsel plan or collsel sweep first)",
                       path);
    int known = manifest_digest(dir, digest, NULL) == 0;
    if (plan_read(path, &status->plan, err) < 0)
        return -1;
    if (store_open(dir, known ? digest : NULL, &store, err) < 0) {
        plan_free(&status->plan);
        return -1;
    }
    status->driver = lock_held(dir);
    status->launches = calloc(status->plan.n_launches + 1, sizeof *status->launches);
    int result = status->launches ? 0 : err_set(err, "out of memory");
    for (size_t i = 0; result == 0 && i < status->plan.n_launches; i++) {
        status->launches[i].launch = &status->plan.launches[i];
        status->launches[i].state = "";
        count_points(&store, status, &status->launches[i]);
    }
    if (result == 0)
        result = journal_read(dir, on_event, status, err);
    for (size_t i = 0; result == 0 && i < status->plan.n_launches; i++) {
        struct launch_status *at = &status->launches[i];
        at->state = state_of(status, at);
        if (strcmp(at->state, "failed") != 0)
            at->reason[0] = '\0';
    }
    status->eta_s = result == 0 ? estimate_rest(status) : NAN;
    store_free(&store);
    if (result < 0)
        status_free(status);
    return result;
}

void status_free(struct study_status *status)
{
    plan_free(&status->plan);
    free(status->launches);
    status->launches = NULL;
}
