/* SPDX-License-Identifier: BSD-3-Clause */
/* What is up: testbed_status. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/estimate.h"
#include "harness/testbed/build.h"
#include "harness/testbed/process.h"
#include "harness/testbed/testbed.h"

enum { SAID = 32768 };

struct look {
    const struct state *state;
    FILE *out;
    int missing; /* things that should be there and are not */
};

static void print_daemon(struct look *look, const char *program)
{
    char age[32];
    double age_s = 0;
    pid_t pid = process_find(look->state, program, NULL, &age_s);
    look->missing += pid == 0;
    if (pid)
        fprintf(look->out, "%-12s pid %-8d up %s\n", program, (int)pid,
                format_duration(age_s, age, sizeof age));
    else
        fprintf(look->out, "%-12s missing\n", program);
}

/* Slurm's word for a host in the answer "host state\n...". */
static void state_of(const char *said, const char *host, char *buf, size_t size)
{
    size_t n = strlen(host);
    snprintf(buf, size, "unknown");
    for (const char *p = said; p && *p; p = strchr(p, '\n'), p += p != NULL)
        if (strncmp(p, host, n) == 0 && p[n] == ' ')
            snprintf(buf, size, "%.*s", (int)strcspn(p + n + 1, "\n"), p + n + 1);
}

/* Whether a node is broken: no namespace, no link, no daemon, or unusable in Slurm's eyes. */
static int is_broken(const char *netns, const char *port, pid_t pid, const char *word)
{
    char path[PATH_SIZE], link[PATH_SIZE];
    snprintf(path, sizeof path, "/run/netns/%s", netns);
    snprintf(link, sizeof link, "/sys/class/net/%s", port);
    return !fs_exists(path) || !fs_exists(link) || !pid || strstr(word, "down") ||
           strchr(word, '*') || strcmp(word, "unknown") == 0;
}

static void print_node(struct look *look, int node, const char *said)
{
    const struct net *net = &look->state->net;
    char host[TESTBED_NETNS], netns[TESTBED_NETNS], address[TESTBED_IFNAME];
    char port[TESTBED_IFNAME], bridge[TESTBED_IFNAME], word[32], age[32] = "-", pid_text[32] = "-";
    double age_s = 0;
    net_host(net, node, host);
    net_netns(net, node, netns);
    net_address(net, node, address);
    net_ifname(net, 'n', node, port);
    net_ifname(net, 's', net_leaf(net, node), bridge);
    pid_t pid = process_find(look->state, "slurmd", host, &age_s);
    if (pid) {
        snprintf(pid_text, sizeof pid_text, "%d", (int)pid);
        format_duration(age_s, age, sizeof age);
    }
    state_of(said, host, word, sizeof word);
    int broken = is_broken(netns, port, pid, word);
    look->missing += broken;
    fprintf(look->out, "%-16s %-14s %-8s %-9s %8s %8s  %s%s\n", host, address, bridge, port,
            pid_text, age, word, broken ? "  <- broken" : "");
}

static void print_links(struct look *look)
{
    const struct net *net = &look->state->net;
    char name[TESTBED_IFNAME];
    fprintf(look->out, "links        %.6g Mb/s each way, burst %llu, queue %llu bytes\n",
            net->link_rate / 1e6, (unsigned long long)net->burst, (unsigned long long)net->queue);
    net_ifname(net, 's', net_switches(net) - 1, name);
    if (net->leaves == 1)
        fprintf(look->out, "switch       %s, control node on it\n", name);
    else if (net->trunk_rate > 0)
        fprintf(look->out,
                "switches     %d of %d nodes, each with %.6g Mb/s each way to %s, "
                "control node on that\n",
                net->leaves, net->ports, net->trunk_rate / 1e6, name);
    else
        fprintf(look->out,
                "switches     %d of %d nodes, each joined to %s (not shaped), control "
                "node on that\n",
                net->leaves, net->ports, name);
}

static int count_missing(const char *ifname, void *arg)
{
    struct look *look = arg;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "/sys/class/net/%s", ifname);
    if (fs_exists(path))
        return 0;
    fprintf(look->out, "%-12s missing\n", ifname);
    look->missing++;
    return 0;
}

static void print_all(struct look *look, const char *said)
{
    const struct net *net = &look->state->net;
    char control[TESTBED_IFNAME];
    net_control(net, control);
    fprintf(look->out, "testbed      %s, control node %s\n", net->name, control);
    fprintf(look->out, "SLURM_CONF   %s/slurm.conf\n", look->state->dir);
    print_links(look);
    print_daemon(look, "munged");
    print_daemon(look, "slurmctld");
    net_each(net, count_missing, look);
    fprintf(look->out, "\n%-16s %-14s %-8s %-9s %8s %8s  %s\n", "node", "address", "switch", "port",
            "slurmd", "up", "Slurm says");
    for (int i = 0; i < net->nodes; i++)
        print_node(look, i, said);
}

int testbed_status(const char *name, FILE *out, struct err *err)
{
    struct state s;
    char conf[PATH_SIZE];
    if (testbed_conf(name, conf, sizeof conf, err) < 0 || state_open(name, 0, &s, err) < 0)
        return -1;
    struct look look = { .state = &s, .out = out };
    char *said = malloc(SAID);
    if (!said)
        return err_set(err, "out of memory");
    if (!process_find(&s, "slurmctld", NULL, NULL) || slurm_ask(&s, said, SAID) != 0)
        said[0] = '\0';
    print_all(&look, said);
    free(said);
    if (look.missing)
        return err_set(err,
                       "%d parts of testbed '%s' are missing or broken ('collsel testbed start %s' "
                       "starts daemons again)",
                       look.missing, name, name);
    return 0;
}

static int is_name(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

void testbed_list(FILE *out)
{
    struct dirent **found;
    int n = scandir(TESTBED_ROOT, &found, is_name, alphasort);
    if (n <= 0)
        fprintf(out, "no testbed is up\n");
    for (int i = 0; i < n; i++) {
        struct state s;
        if (state_open(found[i]->d_name, 0, &s, NULL) > 0)
            fprintf(out, "%-16s %4d nodes  198.18.%d.0/24  %s\n", found[i]->d_name, s.net.nodes,
                    s.net.index, s.has_net && state_is_ready(&s) ? "up" : "half made");
        free(found[i]);
    }
    if (n >= 0)
        free(found);
}
