/* SPDX-License-Identifier: BSD-3-Clause */
/* account.c - ledger_account: what Slurm alone knows goes into events.jsonl. */
#include "harness/study/journal.h"
#include "harness/base/subprocess.h"
#include "harness/run/slurm/failure_cause.h"
#include "harness/run/slurm/ledger.h"

struct account {
    const struct slurm *slurm;
    struct ledger *ledger;
    struct journal journal;
    struct slurm_node *nodes; /* NULL: not asked yet */
    size_t n_nodes, written;
    struct err *err;
};

/* The next node of an allocation that is not usable, from *i on; NULL: none. */
static const struct slurm_node *next_broken(const struct account *a, const char *allocation,
                                            size_t *i)
{
    while (*i < a->n_nodes) {
        const struct slurm_node *node = &a->nodes[(*i)++];
        char name[NODE_SIZE];
        memcpy(name, node->name, sizeof name);
        if (!node->usable && failure_cause_match(allocation, name))
            return node;
    }
    return NULL;
}

static struct event begin(const struct account *a, const struct ledger_task *t,
                          const struct ledger_attempt *of, const char *what)
{
    struct event e = { .attempt = of ? of->attempt : 0, .points = of ? of->finished : 0 };
    snprintf(e.launch, sizeof e.launch, "%s", a->ledger->launches[t->launch].launch->name);
    snprintf(e.event, sizeof e.event, "%s", what);
    snprintf(e.job, sizeof e.job, "%s", t->job);
    snprintf(e.digest, sizeof e.digest, "%s", a->ledger->digest);
    return e;
}

static int put(struct account *a, struct event *e)
{
    if (journal_write(&a->journal, e, a->err) < 0)
        return -1;
    a->written++;
    return 0;
}

/* One event for each broken node of an attempt's allocation. Gives how many, or -1. */
static int put_broken_nodes(struct account *a, const struct ledger_task *t,
                            const struct ledger_attempt *of, const char *allocation,
                            double elapsed_s)
{
    const struct slurm_node *node;
    int n = 0;
    if (!a->nodes && slurm_nodes(a->slurm, &a->nodes, &a->n_nodes, a->err) < 0)
        return -1;
    for (size_t i = 0; (node = next_broken(a, allocation, &i)) != NULL; n++) {
        struct event e = begin(a, t, of, "node_failed");
        snprintf(e.node, sizeof e.node, "%s", node->name);
        snprintf(e.reason, sizeof e.reason, "node '%.40s' is %.30s%s%.70s", node->name, node->state,
                 *node->reason ? ": " : "", node->reason);
        e.elapsed_s = n ? 0 : elapsed_s;
        e.cores = t->said.cores;
        if (put(a, &e) < 0)
            return -1;
    }
    return n;
}

static int put_requeued(struct account *a, const struct ledger_task *t,
                        const struct ledger_attempt *of)
{
    int n = put_broken_nodes(a, t, of, of->nodes, 0);
    if (n || *of->end)
        return n < 0 ? -1 : 0;
    struct event e = begin(a, t, of, "interrupted");
    snprintf(e.reason, sizeof e.reason, "Slurm put the task back into the queue");
    return put(a, &e);
}

/* 1 when the attempt's task went back into the queue and events.jsonl does not say why. A job may
 * try again within one allocation, but never after an interruption. */
static int was_requeued(const struct ledger *l, size_t i)
{
    const struct ledger_attempt *a = &l->attempts[i];
    const struct ledger_task *t = &l->tasks[a->task];
    size_t later = i + 1;
    if (!*t->job || a->blamed)
        return 0;
    while (later < l->n_attempts && l->attempts[later].task != a->task)
        later++;
    if (later < l->n_attempts)
        return !*a->end;
    if (!t->asked || t->closed)
        return 0;
    if (t->said.state == SLURM_PENDING)
        return !*a->end || strcmp(a->end, "interrupted") == 0;
    return t->said.state == SLURM_RUNNING && strcmp(a->end, "interrupted") == 0;
}

static int account_requeued(struct account *a)
{
    for (size_t i = 0; i < a->ledger->n_attempts; i++) {
        const struct ledger_attempt *of = &a->ledger->attempts[i];
        if (was_requeued(a->ledger, i) && put_requeued(a, &a->ledger->tasks[of->task], of) < 0)
            return -1;
    }
    return 0;
}

/* The event that says how a task ended; NULL: events.jsonl says it already. */
static const char *verdict(const struct ledger *l, const struct ledger_task *t,
                           const struct ledger_attempt *last)
{
    const int begun = strcmp(t->last, "started") == 0;
    const int silent = begun || strcmp(t->last, "submitted") == 0;
    const int idle = l->launches[t->launch].left == 0 && !begun; /* it had nothing to do */
    switch (t->said.state) {
    case SLURM_PENDING:
    case SLURM_RUNNING:
        return NULL;
    case SLURM_COMPLETED:
    case SLURM_FAILED:
    case SLURM_OUT_OF_MEMORY:
        return silent && !idle ? "failed" : NULL;
    case SLURM_TIMEOUT:
        return "timeout";
    case SLURM_CANCELLED:
        return "cancelled";
    case SLURM_NODE_FAIL:
        return (last && last->blamed) || strcmp(t->last, "node_failed") == 0 ? NULL : "node_failed";
    case SLURM_PREEMPTED:
        return silent ? "interrupted" : NULL;
    case SLURM_GONE:
        return silent && !idle ? "lost" : NULL;
    }
    return NULL;
}

/* "Slurm: cancelled by user 0": sacct says by whom; what else stands there is why it had waited. */
static void describe_cancel(const struct slurm_task *said, char *reason, size_t size)
{
    static const char by[] = "CANCELLED by ";
    const int known = strncmp(said->reason, by, sizeof by - 1) == 0;
    snprintf(reason, size, "Slurm: cancelled%s%.20s", known ? " by user " : "",
             known ? said->reason + sizeof by - 1 : "");
}

static void describe(const struct ledger_task *t, char *reason, size_t size)
{
    const struct slurm_task *said = &t->said;
    switch (said->state) {
    case SLURM_GONE:
        snprintf(reason, size, "%s and it left no end",
                 t->foreign ? "Slurm has given its number to another job"
                            : "Slurm does not know the task any more");
        break;
    case SLURM_TIMEOUT:
        snprintf(reason, size, "the task reached its time limit");
        break;
    case SLURM_CANCELLED:
        describe_cancel(said, reason, size);
        break;
    case SLURM_NODE_FAIL:
        snprintf(reason, size, "Slurm: node failure, of a node that is not known any more");
        break;
    case SLURM_COMPLETED:
    case SLURM_FAILED:
        if (run_signal(said->exit))
            snprintf(reason, size, "the task was killed by signal %d (%s)", run_signal(said->exit),
                     strsignal(run_signal(said->exit)));
        else
            snprintf(reason, size, "the task ended without a word, exit status %d", said->exit);
        break;
    default:
        snprintf(reason, size, "Slurm: %s", slurm_state_name(said->state));
    }
}

static const struct ledger_attempt *last_attempt(const struct ledger *l, size_t task)
{
    for (size_t i = l->n_attempts; i-- > 0;)
        if (l->attempts[i].task == task)
            return &l->attempts[i];
    return NULL;
}

static int account_end(struct account *a, size_t task)
{
    const struct ledger_task *t = &a->ledger->tasks[task];
    const struct ledger_attempt *last = last_attempt(a->ledger, task);
    const char *what = verdict(a->ledger, t, last);
    if (!what)
        return 0;
    const int told = last && *last->end; /* its time is in events.jsonl */
    const double elapsed_s = told ? 0 : fmax(0, t->said.elapsed_s - t->elapsed_s);
    if (t->said.state == SLURM_NODE_FAIL) {
        const char *nodes = last && *last->nodes ? last->nodes : t->said.nodes;
        int n = put_broken_nodes(a, t, last, nodes, elapsed_s);
        if (n)
            return n < 0 ? -1 : 0;
    }
    struct event e = begin(a, t, last, what);
    e.elapsed_s = elapsed_s;
    e.cores = t->said.cores;
    describe(t, e.reason, sizeof e.reason);
    return put(a, &e);
}

static int account_all(struct account *a)
{
    if (account_requeued(a) < 0)
        return -1;
    for (size_t i = 0; i < a->ledger->n_tasks; i++) {
        const struct ledger_task *t = &a->ledger->tasks[i];
        if (t->asked && !t->closed && account_end(a, i) < 0)
            return -1;
    }
    return 0;
}

int ledger_account(const char *dir, const struct slurm *slurm, struct ledger *ledger, size_t *n,
                   struct err *err)
{
    struct account a = { .slurm = slurm, .ledger = ledger, .journal = { .fd = -1 }, .err = err };
    const int retries = ledger->retries;
    int status = journal_open(&a.journal, dir, err);
    if (status == 0)
        status = account_all(&a);
    journal_close(&a.journal);
    free(a.nodes);
    if (n)
        *n += a.written;
    if (status == 0 && a.written == 0)
        return 0;
    ledger_free(ledger);
    return status < 0 ? -1 : ledger_open(dir, slurm, retries, ledger, err);
}
