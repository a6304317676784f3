/* SPDX-License-Identifier: BSD-3-Clause */
/* What happened to the launches, from events.jsonl: mishaps, what became of each, and nodes that
 * are not used any more. */
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

static int is_mishap(const char *event)
{
    static const char *const bad[] = { "failed",    "timeout",     "interrupted",
                                       "cancelled", "node_failed", "lost" };
    return any_below(i, sizeof bad / sizeof *bad, strcmp(bad[i], event) == 0);
}

static void take_mishap(struct history *h, const struct event *e)
{
    struct report_data *d = h->data;
    size_t n = d->mishaps;
    size_t *at = array_add(&h->at, &n);
    struct mishap *added = array_add(&d->mishap, &d->mishaps);
    *at = h->n;
    *added = (struct mishap){ .of = *e };
}

static void take_excluded(struct report_data *d, const struct event *e)
{
    for (size_t i = 0; i < d->n_excluded; i++)
        if (strcmp(d->excluded[i].of.node, e->node) == 0)
            return;
    struct excluded *added = array_add(&d->excluded, &d->n_excluded);
    *added = (struct excluded){ .of = *e };
}

static int take_event(const struct event *e, void *user)
{
    struct history *h = user;
    if (is_mishap(e->event))
        take_mishap(h, e);
    else if (strcmp(e->event, "excluded") == 0)
        take_excluded(h->data, e);
    struct happening *added = array_add(&h->all, &h->n);
    *added = (struct happening){ .attempt = e->attempt };
    memcpy(added->launch, e->launch, sizeof added->launch);
    memcpy(added->event, e->event, sizeof added->event);
    memcpy(added->job, e->job, sizeof added->job);
    h->data->events++;
    return 0;
}

static const char *status_of(const struct report_data *d, const char *point)
{
    for (size_t i = 0; *point && i < d->results; i++)
        if (strcmp(d->result[i].point.id, point) == 0)
            return point_status_words[d->result[i].status];
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
    const char *status = status_of(h->data, m->of.point);
    tell_launch(m, later(h, at, m->of.launch));
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
    struct history h = { .data = data };
    int status = journal_read(data->dir, take_event, &h, err);
    drop_explained(&h);
    for (size_t i = 0; i < data->mishaps; i++)
        tell_fate(&h, &data->mishap[i], h.at[i]);
    for (size_t i = 0; i < data->n_excluded; i++)
        for (size_t k = 0; k < data->mishaps; k++)
            data->excluded[i].mishaps +=
                strcmp(data->excluded[i].of.node, data->mishap[k].of.node) == 0;
    memory_free(h.all, h.at);
    return status;
}
