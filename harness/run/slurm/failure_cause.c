/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/failure_cause.h"

#include "harness/run/estimate.h"

/* A line that holds `first`, then `mark`, after which the node's name stands, and behind the name
 * one of `whys` (NULL: whatever). */
struct pattern {
    const char *first, *mark;
    const char *const *whys;
};

/* Of "Task launch ... failed on node": those that are not the job's own fault (slurm_errno.c). */
static const char *const unreachable[] = {
    "Communication connection failure",
    "Communication shutdown failure",
    "Message receive failure",
    "Socket timed out on send/recv operation",
    "Zero Bytes were transmitted or received",
    "Connection refused",
    "Connection timed out",
    "Connection reset by peer",
    "No route to host",
    "Network is unreachable",
    NULL,
};

static const struct pattern patterns[] = {
    /* Slurm, srun and salloc (launch/slurm, allocate_msg.c); a host list may follow */
    { "error: ", "Node failure on ", NULL },
    { "error: Task launch for ", "failed on node ", unreachable },
    /* Open MPI 4 (help-errmgr-base.txt: node-died, no-path, no-connect) and PRRTE of Open MPI 5 */
    { "Remote daemon:", "on node ", NULL },
    { "target node:", "", NULL },
    /* rsh launchers of Open MPI and hydra, as ssh says it */
    { "ssh: connect to host ", "", NULL },
    { "ssh: Could not resolve hostname ", "", NULL },
};

static int has_why(const struct pattern *p, const char *rest)
{
    if (!p->whys)
        return 1;
    for (const char *const *why = p->whys; *why; why++)
        if (strstr(rest, *why))
            return 1;
    return 0;
}

/* An address is no name that Slurm takes. */
/* The first host of the list that text begins with. */
static int take_name(const char *text, char node[NODE_SIZE])
{
    char word[256];
    char(*names)[NODE_SIZE] = NULL;
    enum { MOST = 4096 };
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-[],");
    while (n && strchr(".,-", text[n - 1]))
        n--;
    if (n == 0 || n >= sizeof word)
        return 0;
    memcpy(word, text, n);
    word[n] = '\0';
    names = memory_zeros(MOST, sizeof *names);
    int found = slurm_hosts(word, names, MOST, NULL) > 0 &&
                names[0][strspn(names[0], "0123456789.")] != '\0';
    if (found)
        memcpy(node, names[0], NODE_SIZE);
    free(names);
    return found;
}

static int try_pattern(const struct pattern *p, const char *line, char node[NODE_SIZE])
{
    const char *at = strstr(line, p->first);
    if (at)
        at = strstr(at + strlen(p->first), p->mark);
    if (!at)
        return 0;
    at += strlen(p->mark);
    at += strspn(at, " \t'\"");
    return has_why(p, at) && take_name(at, node);
}

int failure_cause_node(const char *line, char node[NODE_SIZE])
{
    node[0] = '\0';
    return any_below(i, sizeof patterns / sizeof *patterns, try_pattern(&patterns[i], line, node));
}

/* Equal but for the domain of either. */
static int same_host(const char *a, const char *b)
{
    size_t n = strcspn(a, ".");
    return strcmp(a, b) == 0 || (n == strcspn(b, ".") && strncmp(a, b, n) == 0);
}

int failure_cause_match(const char *nodes, char node[NODE_SIZE])
{
    enum { MOST = 65536 };
    char(*names)[NODE_SIZE] = memory_zeros(MOST, sizeof *names);
    long n = slurm_hosts(nodes, names, MOST, NULL);
    int found = 0;
    for (long i = 0; i < n && !found; i++)
        if (same_host(names[i], node)) {
            memcpy(node, names[i], NODE_SIZE);
            found = 1;
        }
    free(names);
    return found;
}

int retry_policy_failed(struct retry_policy *patience, struct progress *chatter, struct err *err)
{
    char text[32];
    const double now = now_s();
    if (patience->since_s == 0) {
        patience->since_s = now;
        progress_say(chatter, "%s (tasks go on meanwhile; asking again, for %s at most)", err->text,
                     format_duration(RETRY_POLICY_S, text, sizeof text));
    }
    if (now - patience->since_s <= RETRY_POLICY_S)
        return 0;
    return err_prefix(err, "no answer for %s",
                      format_duration(now - patience->since_s, text, sizeof text));
}

void retry_policy_succeeded(struct retry_policy *patience, struct progress *chatter)
{
    char text[32];
    if (patience->since_s > 0)
        progress_say(chatter, "an answer again, after %s",
                     format_duration(now_s() - patience->since_s, text, sizeof text));
    patience->since_s = 0;
}
