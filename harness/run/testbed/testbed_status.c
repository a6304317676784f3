/* SPDX-License-Identifier: BSD-3-Clause */
/* What is up: testbed_status. */
#include <dirent.h>

#include "harness/base/json_print.h"
#include "harness/run/estimate.h"
#include "harness/base/subprocess.h"
#include "harness/run/testbed/testbed_build.h"
#include "harness/run/testbed/process.h"
#include "harness/run/testbed/testbed.h"

enum { SAID = 32768 };

struct look {
    struct state state;      /* of the testbed */
    FILE *out;               /* NULL: nothing is printed */
    json_t *nodes, *daemons; /* NULL, or to be filled */
    int missing;             /* things that should be there and are not */
};

static void say(const struct look *look, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void say(const struct look *look, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (look->out)
        vfprintf(look->out, fmt, args);
    va_end(args);
}

static void print_daemon(struct look *look, const char *program)
{
    char age[32];
    double age_s = 0;
    pid_t pid = process_find(&look->state, program, NULL, &age_s);
    look->missing += pid == 0;
    if (look->daemons)
        json_array_append_new(look->daemons, json_pack("{s:s, s:i, s:f}", "program", program, "pid",
                                                       (int)pid, "up_s", age_s));
    if (pid)
        say(look, "%-12s pid %-8d up %s\n", program, (int)pid,
            format_duration(age_s, age, sizeof age));
    else
        say(look, "%-12s missing\n", program);
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

/* "100Mbit": the rate to which a device is shaped, as tc says; "-" when it is not. netns: where the
 * device is; NULL: here. */
static void rate_of(const char *netns, const char *device, char *buf, size_t size)
{
    const char *here[] = { "tc", "qdisc", "show", "dev", device, "root", NULL };
    const char *there[] = { "tc", "-n", netns, "qdisc", "show", "dev", device, "root", NULL };
    char said[512];
    snprintf(buf, size, "-");
    if (run_capture(netns ? there : here, said, sizeof said) != 0)
        return;
    const char *rate = strstr(said, "qdisc tbf ") ? strstr(said, " rate ") : NULL;
    if (rate)
        snprintf(buf, size, "%.*s", (int)strcspn(rate + 6, " \n"), rate + 6);
}

/* What is seen of a node. */
struct seen {
    char host[TESTBED_NETNS], netns[TESTBED_NETNS], address[TESTBED_IFNAME];
    char port[TESTBED_IFNAME], bridge[TESTBED_IFNAME];
    char sends[32], takes[32]; /* rates */
    char word[32];             /* Slurm's */
    pid_t pid;
    double age_s;
};

static void see_node(const struct state *s, int node, const char *said, struct seen *seen)
{
    *seen = (struct seen){ .pid = 0 };
    net_host(&s->net, node, seen->host);
    net_netns(&s->net, node, seen->netns);
    net_address(&s->net, node, seen->address);
    net_ifname(&s->net, 'n', node, seen->port);
    net_ifname(&s->net, 's', net_leaf(&s->net, node), seen->bridge);
    rate_of(seen->netns, "eth0", seen->sends, sizeof seen->sends);
    rate_of(NULL, seen->port, seen->takes, sizeof seen->takes);
    seen->pid = process_find(s, "slurmd", seen->host, &seen->age_s);
    state_of(said, seen->host, seen->word, sizeof seen->word);
}

/* What is wrong with a node, NULL: nothing. */
static const char *complaint(const struct seen *seen)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "/run/netns/%s", seen->netns);
    if (!fs_exists(path))
        return "no namespace";
    if (strcmp(seen->sends, "-") == 0 || strcmp(seen->takes, "-") == 0)
        return "link missing or not shaped";
    if (!seen->pid)
        return "no slurmd";
    if (strstr(seen->word, "down") || strchr(seen->word, '*') || strcmp(seen->word, "unknown") == 0)
        return "not usable";
    return NULL;
}

static void print_node(struct look *look, int node, const char *said)
{
    struct seen seen;
    char pid[32] = "-", age[32] = "-";
    see_node(&look->state, node, said, &seen);
    if (seen.pid) {
        snprintf(pid, sizeof pid, "%d", (int)seen.pid);
        format_duration(seen.age_s, age, sizeof age);
    }
    const char *wrong = complaint(&seen);
    look->missing += wrong != NULL;
    if (look->nodes)
        json_array_append_new(
            look->nodes,
            json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:f, s:s, s:o}", "node", seen.host,
                      "address", seen.address, "switch", seen.bridge, "port", seen.port, "sends",
                      seen.sends, "takes", seen.takes, "slurmd", (int)seen.pid, "up_s", seen.age_s,
                      "slurm_says", seen.word, "wrong", json_word(wrong ? wrong : "")));
    say(look, "%-16s %-14s %-7s %-8s %8s %8s %8s %12s  %s%s%s\n", seen.host, seen.address,
        seen.bridge, seen.port, seen.sends, seen.takes, pid, age, seen.word, wrong ? "  <- " : "",
        wrong ? wrong : "");
}

static void print_trunk(struct look *look, int leaf)
{
    const struct net *net = &look->state.net;
    char lower[TESTBED_IFNAME], upper[TESTBED_IFNAME], top[TESTBED_IFNAME], bridge[TESTBED_IFNAME];
    char up[32], down[32];
    net_ifname(net, 't', leaf, lower);
    net_ifname(net, 'u', leaf, upper);
    net_ifname(net, 's', leaf, bridge);
    net_ifname(net, 's', net->leaves, top);
    rate_of(NULL, lower, up, sizeof up);
    rate_of(NULL, upper, down, sizeof down);
    int wrong = net->trunk_rate > 0 && (strcmp(up, "-") == 0 || strcmp(down, "-") == 0);
    look->missing += wrong;
    say(look, "trunk        %s to %s, %s up, %s down%s\n", bridge, top, up, down,
        wrong ? "  <- missing or not shaped" : "");
}

static void print_links(struct look *look)
{
    const struct net *net = &look->state.net;
    char name[TESTBED_IFNAME];
    say(look, "links        %.6g Mb/s each way, burst %llu; switch ports queue %llu bytes\n",
        net->link_rate / 1e6, (unsigned long long)net->burst, (unsigned long long)net->queue);
    net_ifname(net, 's', net_switches(net) - 1, name);
    if (net->leaves == 1)
        say(look, "switch       %s, control node on it\n", name);
    else if (net->trunk_rate > 0)
        say(look,
            "switches     %d of %d nodes, each with %.6g Mb/s each way to %s, "
            "control node on that\n",
            net->leaves, net->ports, net->trunk_rate / 1e6, name);
    else
        say(look,
            "switches     %d of %d nodes, each joined to %s (not shaped), control node on that\n",
            net->leaves, net->ports, name);
    for (int i = 0; i < net_switches(net) - 1; i++)
        print_trunk(look, i);
}

static int count_missing(const char *ifname, void *arg)
{
    struct look *look = arg;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "/sys/class/net/%s", ifname);
    if (fs_exists(path))
        return 0;
    say(look, "%-12s missing\n", ifname);
    look->missing++;
    return 0;
}

static void print_all(struct look *look, const char *said)
{
    const struct net *net = &look->state.net;
    char control[TESTBED_IFNAME];
    net_control(net, control);
    say(look, "testbed      %s, control node %s\n", net->name, control);
    say(look, "SLURM_CONF   %s/slurm.conf\n", look->state.dir);
    print_links(look);
    print_daemon(look, "munged");
    print_daemon(look, "slurmctld");
    net_each(net, count_missing, look);
    say(look, "\n%-16s %-14s %-7s %-8s %8s %8s %8s %12s  %s\n", "node", "address", "switch", "port",
        "sends", "takes", "slurmd", "up", "Slurm says");
    for (int i = 0; i < net->nodes; i++)
        print_node(look, i, said);
}

/* Looks at all of it. 0, or -1 with *err: it is not up, or something is missing. */
static int look_at(const char *name, struct look *look, struct err *err)
{
    char conf[PATH_SIZE];
    if (testbed_conf(name, conf, sizeof conf, err) < 0 ||
        state_open(name, 0, &look->state, err) < 0)
        return -1;
    char *said = memory_zeros(SAID, 1);
    if (!process_find(&look->state, "slurmctld", NULL, NULL) ||
        slurm_ask(&look->state, said, SAID) != 0)
        said[0] = '\0';
    print_all(look, said);
    free(said);
    if (look->missing)
        return err_set(err,
                       "%d parts of testbed '%s' are missing or broken ('collsel testbed start %s' "
                       "starts daemons again)",
                       look->missing, name, name);
    return 0;
}

int testbed_status(const char *name, FILE *out, struct err *err)
{
    struct look look = { .out = out };
    return look_at(name, &look, err);
}

json_t *testbed_status_json(const char *name, struct err *err)
{
    struct look look = { .nodes = json_array(), .daemons = json_array() };
    const int status = look_at(name, &look, err);
    return json_pack("{s:s, s:b, s:i, s:o, s:o}", "testbed", name, "whole", status == 0, "missing",
                     look.missing, "daemons", look.daemons, "nodes", look.nodes);
}

static int is_name(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

/* Each testbed there is, to out, or as an object to rows. */
static void list_all(FILE *out, json_t *rows)
{
    struct dirent **found;
    int n = scandir(TESTBED_ROOT, &found, is_name, alphasort);
    if (n <= 0 && out)
        fprintf(out, "no testbed is up\n");
    for (int i = 0; i < n; i++) {
        struct state s;
        const int known = state_open(found[i]->d_name, 0, &s, NULL) > 0;
        const int up = known && s.has_net && state_is_ready(&s);
        if (known && out)
            fprintf(out, "%-16s %4d nodes  198.18.%d.0/24  %s\n", found[i]->d_name, s.net.nodes,
                    s.net.index, up ? "up" : "half made");
        if (known && rows)
            json_array_append_new(rows, json_pack("{s:s, s:i, s:b}", "testbed", found[i]->d_name,
                                                  "nodes", s.net.nodes, "up", up));
        free(found[i]);
    }
    if (n >= 0)
        free(found);
}

void testbed_list(FILE *out)
{
    list_all(out, NULL);
}

json_t *testbed_list_json(void)
{
    json_t *rows = json_array();
    list_all(NULL, rows);
    return rows;
}
