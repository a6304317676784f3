/* SPDX-License-Identifier: BSD-3-Clause */
/* What happened to the launches, from events.jsonl: mishaps, what became of each, and nodes that
 * are not used any more. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/array.h"
#include "reports/data.h"

/* One line, as far as fates depend on it. */
struct happening {
    char launch[LAUNCH_SIZE], event[16], job[32];
    int attempt;
};

struct history {
    struct report_data *data;
    struct happening *all;
    size_t n;
    size_t *at; /* of each mishap, its place in all */
};

static void take_text(json_t *o, const char *key, char *buf, size_t size)
{
    const char *text = json_string_value(json_object_get(o, key));
    snprintf(buf, size, "%s", text ? text : "");
}

static int is_mishap(const char *event)
{
    static const char *const bad[] = { "failed",    "timeout",     "interrupted",
                                       "cancelled", "node_failed", "lost" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (strcmp(bad[i], event) == 0)
            return 1;
    return 0;
}

/* ---- reading ---- */

static int take_mishap(struct history *h, json_t *o, struct err *err)
{
    struct report_data *d = h->data;
    struct mishap m = { 0 };
    size_t n = d->mishaps;
    size_t *at = array_add(&h->at, &n);
    struct mishap *added = at ? array_add(&d->mishap, &d->mishaps) : NULL;
    if (!added)
        return err_set(err, "events: out of memory");
    take_text(o, "event", m.event, sizeof m.event);
    take_text(o, "t", m.t, sizeof m.t);
    take_text(o, "launch", m.launch, sizeof m.launch);
    take_text(o, "job", m.job, sizeof m.job);
    take_text(o, "node", m.node, sizeof m.node);
    take_text(o, "point", m.point, sizeof m.point);
    take_text(o, "reason", m.reason, sizeof m.reason);
    m.attempt = (int)json_integer_value(json_object_get(o, "attempt"));
    *at = h->n;
    *added = m;
    return 0;
}

static int take_excluded(struct report_data *d, json_t *o, struct err *err)
{
    struct excluded x = { 0 };
    take_text(o, "t", x.t, sizeof x.t);
    take_text(o, "node", x.node, sizeof x.node);
    take_text(o, "reason", x.reason, sizeof x.reason);
    for (size_t i = 0; i < d->n_excluded; i++)
        if (strcmp(d->excluded[i].node, x.node) == 0)
            return 0;
    struct excluded *added = array_add(&d->excluded, &d->n_excluded);
    if (!added)
        return err_set(err, "events: out of memory");
    *added = x;
    return 0;
}

static int take_event(struct history *h, json_t *o, struct err *err)
{
    struct happening e = { 0 };
    int status = 0;
    take_text(o, "event", e.event, sizeof e.event);
    take_text(o, "launch", e.launch, sizeof e.launch);
    take_text(o, "job", e.job, sizeof e.job);
    e.attempt = (int)json_integer_value(json_object_get(o, "attempt"));
    if (is_mishap(e.event))
        status = take_mishap(h, o, err);
    else if (strcmp(e.event, "excluded") == 0)
        status = take_excluded(h->data, o, err);
    struct happening *added = array_add(&h->all, &h->n);
    if (!added)
        return err_set(err, "events: out of memory");
    *added = e;
    h->data->events++;
    return status;
}

/* A line that was cut short by a crash is passed over, as in journal.h; whoever wrote the next one
 * has ended it. */
static int take_lines(struct history *h, FILE *f, struct err *err)
{
    char *line = NULL;
    size_t room = 0;
    int status = 0;
    while (status == 0 && getline(&line, &room, f) > 0) {
        json_t *o = json_loads(line, 0, NULL);
        if (json_is_object(o))
            status = take_event(h, o, err);
        json_decref(o);
    }
    free(line);
    return status;
}

/* ---- what became of it ---- */

static const char *status_of(const struct report_data *d, const char *point)
{
    for (size_t i = 0; *point && i < d->results; i++)
        if (strcmp(d->result[i].point.id, point) == 0)
            return point_status_name(d->result[i].status);
    return "";
}

/* The launch's way after the mishap: the event that says most of where it stands now. */
static const struct happening *later(const struct history *h, size_t at, const char *launch)
{
    const struct happening *last = NULL;
    for (size_t i = at + 1; i < h->n; i++) {
        const struct happening *e = &h->all[i];
        if (strcmp(e->launch, launch) != 0)
            continue;
        last = e;
        if (strcmp(e->event, "done") == 0)
            return e;
    }
    return last;
}

/* "finished by attempt 2", ... */
static void tell_launch(struct mishap *m, const struct happening *e)
{
    const size_t size = sizeof m->became;
    m->mended = e && strcmp(e->event, "done") == 0;
    if (!e)
        snprintf(m->became, size, "not tried again yet");
    else if (m->mended)
        snprintf(m->became, size, "finished by attempt %d", e->attempt);
    else if (strcmp(e->event, "started") == 0)
        snprintf(m->became, size, "attempt %d has begun", e->attempt);
    else if (strcmp(e->event, "submitted") == 0)
        snprintf(m->became, size, "submitted again%s%s", *e->job ? " as " : "", e->job);
    else
        snprintf(m->became, size, "tried again, in vain");
}

/* 1 when a later word on the same attempt says why it was interrupted, or that a node was to blame
 * for its failure: that word is the mishap. */
static int is_explained(const struct history *h, size_t at)
{
    const struct happening *e = &h->all[at];
    const int failed = strcmp(e->event, "failed") == 0;
    if ((!failed && strcmp(e->event, "interrupted") != 0) || !*e->job)
        return 0;
    for (size_t i = at + 1; i < h->n; i++) {
        const struct happening *o = &h->all[i];
        if (strcmp(o->launch, e->launch) != 0)
            continue;
        return strcmp(o->job, e->job) == 0 && o->attempt == e->attempt &&
               (failed ? strcmp(o->event, "node_failed") == 0
                       : strcmp(o->event, "interrupted") != 0 && is_mishap(o->event));
    }
    return 0;
}

static void drop_explained(struct history *h)
{
    struct report_data *d = h->data;
    size_t kept = 0;
    for (size_t i = 0; i < d->mishaps; i++) {
        if (is_explained(h, h->at[i]))
            continue;
        d->mishap[kept] = d->mishap[i];
        h->at[kept++] = h->at[i];
    }
    d->mishaps = kept;
}

static void tell_fate(const struct history *h, struct mishap *m, size_t at)
{
    const char *status = status_of(h->data, m->point);
    tell_launch(m, later(h, at, m->launch));
    if (strcmp(status, "failed") == 0 || strcmp(status, "timeout") == 0) {
        m->mended = 0;
        snprintf(m->became, sizeof m->became, "the point in flight has no time%s",
                 strncmp(m->became, "finished", 8) == 0 ? ": given up" : " yet");
    } else if (*status && strcmp(status, "missing") != 0) {
        m->mended = 1;
        if (strncmp(m->became, "finished", 8) != 0)
            snprintf(m->became, sizeof m->became, "the point in flight was measured later");
    }
}

int history_read(struct report_data *data, struct err *err)
{
    char path[PATH_SIZE];
    struct history h = { .data = data };
    if (fs_path(path, sizeof path, err, "%s/events.jsonl", data->dir) < 0)
        return -1;
    if (!fs_exists(path))
        return 0;
    FILE *f = fopen(path, "re");
    if (!f)
        return err_errno(err, "%s", path);
    int status = take_lines(&h, f, err);
    fclose(f);
    drop_explained(&h);
    for (size_t i = 0; i < data->mishaps; i++)
        tell_fate(&h, &data->mishap[i], h.at[i]);
    for (size_t i = 0; i < data->n_excluded; i++)
        for (size_t k = 0; k < data->mishaps; k++)
            data->excluded[i].mishaps += strcmp(data->excluded[i].node, data->mishap[k].node) == 0;
    free(h.all);
    free(h.at);
    return status;
}
