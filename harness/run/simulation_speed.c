/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/simulation_speed.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/study/journal.h"
#include "harness/study/manifest.h"
#include "harness/study/plan/bound.h"
#include "harness/study/plan/same.h"

/* Where nothing was run before. */
static struct simulation_speed guess(const char *backend)
{
    return strcmp(backend, "walk") == 0 ? (struct simulation_speed){ 0.02, 1e-6, 0 }
                                        : (struct simulation_speed){ 0.5, 50e-6, 0 };
}

/* What the journals say, as it adds up. */
struct sum {
    const char *backend;
    const struct cluster *cluster;
    const struct plan *plan;
    double start_s;
    int inner;
    double seconds, messages;
    size_t launches;
};

static int on_event(const struct event *e, void *user)
{
    struct sum *sum = user;
    const struct launch *l =
        strcmp(e->event, "done") == 0 ? plan_launch(sum->plan, e->launch) : NULL;
    if (!l || e->points != (long)l->n) /* the rest was done in another attempt */
        return 0;
    size_t *same = same_find(sum->cluster, &sum->plan->points[l->first], l->n, NULL);
    for (size_t i = 0; i < l->n; i++)
        if (same[i] == i)
            sum->messages +=
                bound_messages(&sum->plan->points[l->first + i], sum->cluster, sum->inner);
    free(same);
    sum->seconds += fmax(0, e->elapsed_s - sum->start_s);
    sum->launches++;
    return 0;
}

/* 1 when all files that tell of a study are there, 0 when one is not, -1 with *err when one cannot
 * be read. */
static int is_told(const char *dir, struct err *err)
{
    static const char *const files[] = { "manifest.json", "plan.csv", "events.jsonl" };
    char path[PATH_SIZE];
    int all = 1;
    for (size_t i = 0; i < sizeof files / sizeof *files && all > 0; i++)
        all = fs_path(path, sizeof path, err, "%s/%s", dir, files[i]) < 0 ? -1
                                                                          : fs_readable(path, err);
    return all;
}

/* Nothing of a study whose text is wrong: it may be another than the one that is planned. */
static int add_study(const char *dir, struct sum *sum, struct err *err)
{
    char path[PATH_SIZE], backend[64];
    struct plan plan;
    const int told = is_told(dir, err);
    if (told <= 0)
        return told;
    manifest_backend(dir, backend, sizeof backend, NULL);
    if (strcmp(backend, sum->backend) != 0 ||
        fs_path(path, sizeof path, NULL, "%s/plan.csv", dir) < 0 ||
        plan_read(path, &plan, NULL) < 0)
        return 0;
    sum->plan = &plan;
    journal_read(dir, on_event, sum, NULL);
    sum->plan = NULL;
    plan_free(&plan);
    return 0;
}

int simulation_speed_find(const char *dir, const char *backend, const struct cluster *cluster,
                          const struct study *study, struct simulation_speed *pace, struct err *err)
{
    char beside[PATH_SIZE], path[PATH_SIZE];
    *pace = guess(backend);
    struct sum sum = {
        .backend = backend, .cluster = cluster, .inner = study->inner, .start_s = pace->start_s
    };
    struct dirent **found;
    const char *slash = strrchr(dir, '/');
    if (fs_path(beside, sizeof beside, err, "%.*s", slash ? (int)(slash - dir) : 1,
                slash ? dir : ".") < 0)
        return -1;
    const int n = scandir(beside, &found, NULL, alphasort);
    if (n < 0 && errno != ENOENT)
        return err_errno(err, "cannot read '%s'", beside);
    int status = 0;
    for (int i = 0; i < n; i++) {
        if (status == 0 && found[i]->d_name[0] != '.' &&
            fs_path(path, sizeof path, NULL, "%s/%s", beside, found[i]->d_name) == 0)
            status = add_study(path, &sum, err);
        free(found[i]);
    }
    if (n >= 0)
        free(found);
    if (status == 0 && sum.messages > 0 && sum.seconds > 0)
        *pace =
            (struct simulation_speed){ pace->start_s, sum.seconds / sum.messages, sum.launches };
    return status;
}
