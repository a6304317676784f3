/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/testbed/net.h"

static int is_host_name(const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '-')
            return 0;
    return n > 0 && name[0] != '-';
}

static int check_name(const char *name, struct err *err)
{
    if (strlen(name) > TESTBED_NAME)
        return err_usage(err, "'%s' is too long a name for a testbed (want %d characters at most)",
                         name, TESTBED_NAME);
    if (!is_host_name(name))
        return err_usage(err, "'%s' cannot begin a host name (want letters, digits and '-')", name);
    return 0;
}

static int check_nodes(const struct cluster *c, struct err *err)
{
    if (c->nodes > TESTBED_NODES)
        return err_usage(err, "%d nodes are too many for a testbed (want %d at most)", c->nodes,
                         TESTBED_NODES);
    if (strcmp(c->topology, "star") == 0)
        return 0;
    if (strcmp(c->topology, "tree") != 0)
        return err_usage(err, "topology '%s' cannot be emulated (want star or tree)", c->topology);
    if (c->switch_ports && c->nodes % c->switch_ports)
        return err_usage(err,
                         "%d nodes do not fill switches of %d nodes each (switch_ports): the last "
                         "would have %d",
                         c->nodes, c->switch_ports, c->nodes % c->switch_ports);
    return 0;
}

/* Nodes may claim more cores than this machine has, within reason. */
static int check_cores(const struct cluster *c, struct err *err)
{
    if ((long)c->sockets * c->cores * c->threads <= TESTBED_CPUS)
        return 0;
    return err_usage(err,
                     "%d sockets of %d cores of %d threads are too many for an emulated node (want "
                     "%d threads at most)",
                     c->sockets, c->cores, c->threads, TESTBED_CPUS);
}

/* A tbf drops every frame that its burst does not hold; TESTBED_OVERHEAD counts. */
static int check_shape(const struct cluster *c, struct err *err)
{
    if (c->burst_bytes < 1600)
        return err_usage(err, "burst of %llu bytes does not hold a frame (want 1600 at least)",
                         (unsigned long long)c->burst_bytes);
    if (c->queue_bytes < c->burst_bytes)
        return err_usage(err, "queue of %llu bytes is smaller than burst (%llu)",
                         (unsigned long long)c->queue_bytes, (unsigned long long)c->burst_bytes);
    return 0;
}

int net_make(const struct cluster *c, struct net *net, struct err *err)
{
    if (!c->emulated)
        return err_usage(
            err, "'%s' is not an emulated cluster (its file does not say emulated = yes)", c->name);
    if (check_name(c->name, err) < 0 || check_nodes(c, err) < 0 || check_cores(c, err) < 0 ||
        check_shape(c, err) < 0)
        return err_prefix(err, "%s", c->path);
    if (!*c->partition)
        return err_usage(err, "%s: partition is not given, Slurm needs one", c->path);
    int tree = strcmp(c->topology, "tree") == 0 && c->switch_ports && c->switch_ports < c->nodes;
    *net = (struct net){
        .nodes = c->nodes,
        .ports = tree ? c->switch_ports : c->nodes,
        .leaves = tree ? c->nodes / c->switch_ports : 1,
        .link_rate = c->link_rate,
        .trunk_rate = c->trunk_rate,
        .burst = c->burst_bytes,
        .queue = c->queue_bytes,
        .ipv6 = 1,
        .sockets = c->sockets,
        .cores = c->cores,
        .threads = c->threads,
    };
    snprintf(net->name, sizeof net->name, "%s", c->name);
    snprintf(net->partition, sizeof net->partition, "%s", c->partition);
    return 0;
}

int net_switches(const struct net *net)
{
    return net->leaves > 1 ? net->leaves + 1 : 1;
}

int net_leaf(const struct net *net, int node)
{
    return node / net->ports;
}

void net_host(const struct net *net, int node, char buf[TESTBED_NETNS])
{
    snprintf(buf, TESTBED_NETNS, "%.*s-%d", TESTBED_NAME, net->name, node);
}

void net_netns(const struct net *net, int node, char buf[TESTBED_NETNS])
{
    snprintf(buf, TESTBED_NETNS, "collsel-%.*s-%d", TESTBED_NAME, net->name, node);
}

void net_address(const struct net *net, int node, char buf[TESTBED_IFNAME])
{
    snprintf(buf, TESTBED_IFNAME, "198.18.%u.%u", (unsigned)net->index % 256U,
             (unsigned)(node + 1) % 256U);
}

void net_control(const struct net *net, char buf[TESTBED_IFNAME])
{
    net_address(net, 253, buf);
}

void net_ifname(const struct net *net, char kind, int i, char buf[TESTBED_IFNAME])
{
    snprintf(buf, TESTBED_IFNAME, "cs%u%c%u", (unsigned)net->index % 256U, kind,
             (unsigned)i % 1000U);
}

int net_each(const struct net *net, int (*f)(const char *ifname, void *arg), void *arg)
{
    char name[TESTBED_IFNAME];
    int result = 0;
    for (int i = 0; i < net_switches(net) && result == 0; i++) {
        net_ifname(net, 's', i, name);
        result = f(name, arg);
    }
    for (int i = 0; i < net_switches(net) - 1 && result == 0; i++) {
        net_ifname(net, 't', i, name);
        result = f(name, arg);
    }
    for (int i = 0; i < net->nodes && result == 0; i++) {
        net_ifname(net, 'n', i, name);
        result = f(name, arg);
    }
    return result;
}

/* An interface with an IPv6 address would speak of itself. */
static const char *quiet(const struct net *net)
{
    return net->ipv6 ? "addrgenmode none " : "";
}

/* Hardware addresses are fixed, and every node knows all others for good: the kernel has one table
 * of neighbours for all namespaces, by default of 1,024 entries, which 32 nodes that talk to each
 * other overflow. Entries that are permanent do not count. */
#define NODE_MAC   "02:63:73:%02x:01:%02x"
#define SWITCH_MAC "02:63:73:%02x:00:%02x"

static void put_neighbours(FILE *out, const struct net *net, const char *device, int except)
{
    char address[TESTBED_IFNAME];
    for (int i = 0; i < net->nodes; i++) {
        if (i == except)
            continue;
        net_address(net, i, address);
        fprintf(out, "neigh add %s lladdr " NODE_MAC " dev %s nud permanent\n", address,
                (unsigned)net->index, (unsigned)i, device);
    }
}

/* A switch forwards at once, learns addresses, and floods what has no group; no loops to guard
 * against. Its own address is fixed, so that it does not change with every port. */
static void put_switches(FILE *out, const struct net *net)
{
    char name[TESTBED_IFNAME], address[TESTBED_IFNAME];
    int n = net_switches(net);
    for (int i = 0; i < n; i++) {
        net_ifname(net, 's', i, name);
        fprintf(out,
                "link add %s address " SWITCH_MAC " type bridge stp_state 0 "
                "forward_delay 0 mcast_snooping 0\n",
                name, (unsigned)net->index, (unsigned)i);
        fprintf(out, "link set %s %sup\n", name, quiet(net));
    }
    net_ifname(net, 's', n - 1, name);
    net_control(net, address);
    fprintf(out, "addr add %s/24 dev %s\n", address, name);
}

static void put_port(FILE *out, const struct net *net, char kind, int i, int sw)
{
    char port[TESTBED_IFNAME], bridge[TESTBED_IFNAME];
    net_ifname(net, kind, i, port);
    net_ifname(net, 's', sw, bridge);
    fprintf(out, "link set %s %smaster %s up\n", port, quiet(net), bridge);
}

static void put_trunks(FILE *out, const struct net *net)
{
    char lower[TESTBED_IFNAME], upper[TESTBED_IFNAME];
    for (int i = 0; i < net_switches(net) - 1; i++) {
        net_ifname(net, 't', i, lower);
        net_ifname(net, 'u', i, upper);
        fprintf(out, "link add %s type veth peer name %s\n", lower, upper);
        put_port(out, net, 't', i, i);
        put_port(out, net, 'u', i, net->leaves);
    }
}

void net_ip_batch(FILE *out, const struct net *net)
{
    char netns[TESTBED_NETNS], port[TESTBED_IFNAME];
    put_switches(out, net);
    put_trunks(out, net);
    for (int i = 0; i < net->nodes; i++) {
        net_netns(net, i, netns);
        net_ifname(net, 'n', i, port);
        fprintf(out, "netns add %s\n", netns);
        fprintf(out, "link add %s type veth peer name eth0 address " NODE_MAC " netns %s\n", port,
                (unsigned)net->index, (unsigned)i, netns);
        put_port(out, net, 'n', i, net_leaf(net, i));
    }
    net_ifname(net, 's', net_switches(net) - 1, port);
    put_neighbours(out, net, port, -1);
}

void net_ip_node(FILE *out, const struct net *net, int node)
{
    char address[TESTBED_IFNAME];
    net_address(net, node, address);
    fprintf(out,
            "link set lo up\n"
            "link set eth0 %sup\n"
            "addr add %s/24 dev eth0\n",
            quiet(net), address);
    put_neighbours(out, net, "eth0", node);
    net_control(net, address);
    fprintf(out, "neigh add %s lladdr " SWITCH_MAC " dev eth0 nud permanent\n", address,
            (unsigned)net->index, (unsigned)net_switches(net) - 1);
}

static void put_tbf(FILE *out, const struct net *net, const char *device, double rate,
                    unsigned long long queue)
{
    fprintf(out, "qdisc add dev %s root tbf rate %.0fbit burst %llu limit %llu overhead %d\n",
            device, rate, (unsigned long long)net->burst, queue, TESTBED_OVERHEAD);
}

/* A computer does not drop what it wants to send itself: Linux lets 1,000 packets of up to 64 KiB
 * wait for an interface (txqueuelen), and a socket stops before that. A switch's port has little.
 */
void net_tc_node(FILE *out, const struct net *net)
{
    const unsigned long long packets = 1000, largest = 65536;
    put_tbf(out, net, "eth0", net->link_rate, packets * largest);
}

void net_tc_batch(FILE *out, const struct net *net)
{
    char device[TESTBED_IFNAME];
    for (int i = 0; i < net->nodes; i++) {
        net_ifname(net, 'n', i, device);
        put_tbf(out, net, device, net->link_rate, net->queue);
    }
    for (int i = 0; net->trunk_rate > 0 && i < net_switches(net) - 1; i++) {
        net_ifname(net, 't', i, device);
        put_tbf(out, net, device, net->trunk_rate, net->queue);
        net_ifname(net, 'u', i, device);
        put_tbf(out, net, device, net->trunk_rate, net->queue);
    }
}

static void put_nodes(FILE *out, const struct net *net, unsigned long memory_mb)
{
    char first[TESTBED_IFNAME];
    int last = net->nodes - 1;
    net_address(net, 0, first);
    *strrchr(first, '.') = '\0';
    fprintf(out,
            "\nNodeName=%s-[0-%d] NodeAddr=%s.[1-%d] NodeHostname=%s-[0-%d] Sockets=%d "
            "CoresPerSocket=%d ThreadsPerCore=%d RealMemory=%lu State=UNKNOWN\n"
            "PartitionName=%s Nodes=%s-[0-%d] Default=YES MaxTime=INFINITE State=UP\n",
            net->name, last, first, net->nodes, net->name, last, net->sockets, net->cores,
            net->threads, memory_mb, net->partition, net->name, last);
}

void net_slurm_conf(FILE *out, const struct net *net, const char *dir, const char *control,
                    unsigned long memory_mb)
{
    char address[TESTBED_IFNAME];
    net_control(net, address);
    fprintf(out, "# Slurm of the emulated cluster '%s', made by collsel testbed up\n", net->name);
    fprintf(out, "ClusterName=%s\nSlurmctldHost=%s(%s)\n", net->name, control, address);
    fprintf(out, "SlurmctldPort=%d\nSlurmUser=root\nSlurmdUser=root\n", TESTBED_PORT + net->index);
    fputs(
        "# The controller listens on the address above alone, where but this machine reaches it.\n"
        "CommunicationParameters=NoCtldInAddrAny\n",
        out);
    fprintf(
        out,
        "AuthType=auth/munge\nAuthInfo=socket=%s/munge.sock,cred_expire=20\nCredType=cred/munge\n",
        dir);
    fprintf(out,
            "StateSaveLocation=%s/state\nSlurmdSpoolDir=%s/spool/%%n\n"
            "SlurmctldPidFile=%s/slurmctld.pid\nSlurmdPidFile=%s/%%n.pid\n",
            dir, dir, dir, dir);
    fputs("\n# This machine has fewer cores than the nodes claim, and no cgroups to confine them.\n"
          "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
          "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
          "SlurmdParameters=config_overrides\nMpiDefault=none\nTreeWidth=65533\n",
          out);
    fputs("\n# One job at a time where it asks for the machine: sbatch --licenses=machine:1\n"
          "Licenses=machine:1\nMaxArraySize=200\nEnforcePartLimits=ALL\nJobRequeue=1\n"
          "SchedulerParameters=batch_sched_delay=0,sched_interval=5,bf_interval=5\n",
          out);
    fputs("\n# What dies is noticed soon, what ended is remembered long.\n"
          "ReturnToService=2\nSlurmdTimeout=15\nMessageTimeout=10\nKillWait=3\nOverTimeLimit=0\n"
          "MinJobAge=3600\nMailProg=/bin/true\nSlurmctldDebug=info\nSlurmdDebug=info\n",
          out);
    if (net->leaves > 1)
        fputs("\n# SLURM_TOPOLOGY_ADDR gives each rank of a job its switches.\n"
              "TopologyPlugin=topology/tree\n",
              out);
    put_nodes(out, net, memory_mb);
}

void net_slurm_topology(FILE *out, const struct net *net)
{
    char host[TESTBED_NETNS];
    for (int leaf = 0; leaf < net->leaves; leaf++) {
        fprintf(out, "SwitchName=leaf%d Nodes=", leaf);
        for (int i = 0, n = 0; i < net->nodes; i++) {
            net_host(net, i, host);
            if (net_leaf(net, i) == leaf)
                fprintf(out, "%s%s", n++ ? "," : "", host);
        }
        putc('\n', out);
    }
    fprintf(out, "SwitchName=top Switches=leaf[0-%d]\n", net->leaves - 1);
}

void net_hosts(FILE *out, const struct net *net)
{
    char address[TESTBED_IFNAME], host[TESTBED_NETNS];
    fputs("127.0.0.1 localhost\n", out);
    for (int i = 0; i < net->nodes; i++) {
        net_address(net, i, address);
        net_host(net, i, host);
        fprintf(out, "%s %s\n", address, host);
    }
}

void net_write(FILE *out, const struct net *net)
{
    fprintf(out,
            "name %s\nindex %d\nnodes %d\nleaves %d\nports %d\nlink_rate %.17g\ntrunk_rate %.17g\n"
            "burst %llu\nqueue %llu\npartition %s\nsockets %d\ncores %d\nthreads %d\n",
            net->name, net->index, net->nodes, net->leaves, net->ports, net->link_rate,
            net->trunk_rate, (unsigned long long)net->burst, (unsigned long long)net->queue,
            net->partition, net->sockets, net->cores, net->threads);
}

int net_read(const char *path, struct net *net, struct err *err)
{
    unsigned long long burst = 0, queue = 0;
    char *text = fs_read(path, NULL, err);
    if (!text)
        return -1;
    *net = (struct net){ 0 };
    int n = sscanf(text,
                   "name %63s index %d nodes %d leaves %d ports %d link_rate %lf trunk_rate %lf "
                   "burst %llu queue %llu partition %63s sockets %d cores %d threads %d",
                   net->name, &net->index, &net->nodes, &net->leaves, &net->ports, &net->link_rate,
                   &net->trunk_rate, &burst, &queue, net->partition, &net->sockets, &net->cores,
                   &net->threads);
    free(text);
    net->burst = burst;
    net->queue = queue;
    if (n != 13 || net->ports < 1 || net->nodes < 1 || net->nodes > TESTBED_NODES ||
        net->index < 0 || net->index >= TESTBED_COUNT || net->leaves < 1 ||
        net->leaves > TESTBED_NODES)
        return err_set(err, "'%s' is not what testbed up writes", path);
    return 0;
}
