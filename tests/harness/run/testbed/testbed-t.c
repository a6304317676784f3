/* SPDX-License-Identifier: BSD-3-Clause */
/* The pure part of the testbed: what is asked of ip, tc and Slurm for a tree of four nodes
 * (tests/harness/testbed/NAME.golden; UPDATE_GOLDEN=1 rewrites), addresses, and what is refused. */
#include <stdlib.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/run/testbed/net.h"
#include "harness/run/testbed/testbed.h"
#include "tests/tap.h"

static const char dir[] = "tests/harness/testbed";

static int load(const char *name, struct cluster *c)
{
    struct err err = { 0 };
    char path[256];
    snprintf(path, sizeof path, "%s/%s.ini", dir, name);
    int status = cluster_load("clusters", path, c, &err);
    if (status < 0)
        diag("%s", err.text);
    return status;
}

/* ---- texts ---- */

static void put_node_2(FILE *out, const struct net *net)
{
    net_ip_node(out, net, 2);
}

static void put_conf(FILE *out, const struct net *net)
{
    net_slurm_conf(out, net, "/run/collsel/twig", "box", 1500);
}

static void compare(const char *name, char *seen)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s.golden", dir, name);
    if (getenv("UPDATE_GOLDEN"))
        fs_write(path, seen, NULL);
    char *wanted = fs_read(path, NULL, NULL);
    is_str(wanted, seen, "%s is as in %s", name, path);
    free(wanted);
    free(seen);
}

static void check_text(const char *name, void (*put)(FILE *out, const struct net *net),
                       const struct net *net)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    put(out, net);
    fclose(out);
    compare(name, text);
}

static void test_texts(const struct net *net)
{
    static const struct {
        const char *name;
        void (*put)(FILE *out, const struct net *net);
    } texts[] = {
        { "switches.ip", net_ip_batch },
        { "switches.tc", net_tc_batch },
        { "node-2.ip", put_node_2 },
        { "node.tc", net_tc_node },
        { "hosts", net_hosts },
        { "slurm.conf", put_conf },
        { "net", net_write },
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_text(texts[i].name, texts[i].put, net);
}

/* ---- names and addresses ---- */

static int join(const char *ifname, void *text)
{
    size_t n = strlen(text);
    snprintf((char *)text + n, 256 - n, "%s ", ifname);
    return 0;
}

static void test_names(const struct net *net)
{
    char text[256] = "", address[TESTBED_IFNAME], host[TESTBED_NETNS];
    is_int(3, net_switches(net), "two leaves and a top are three switches");
    is_int(0, net_leaf(net, 1), "node 1 is on the first leaf");
    is_int(1, net_leaf(net, 2), "node 2 on the second");
    net_each(net, join, text);
    is_str("cs7s0 cs7s1 cs7s2 cs7t0 cs7t1 cs7n0 cs7n1 cs7n2 cs7n3 ", text,
           "every interface is named once, of a pair one end");
    net_address(net, 249, address);
    is_str("198.18.7.250", address, "the last node that fits has address .250");
    net_control(net, address);
    is_str("198.18.7.254", address, "the control node .254");
    net_host(net, 3, host);
    is_str("twig-3", host, "a host is named after the cluster");
    struct net last = *net;
    last.index = TESTBED_COUNT - 1;
    net_ifname(&last, 'n', TESTBED_NODES - 1, address);
    is_str("cs255n249", address, "the longest interface name fits the kernel's 15 characters");
}

static void test_file(const struct net *net)
{
    struct net back;
    struct err err = { 0 };
    is_int(0, net_read("tests/harness/testbed/net.golden", &back, &err), "a net is read back");
    ok(back.index == 7 && back.leaves == 2 && back.ports == 2 && back.burst == net->burst &&
           back.queue == net->queue && back.threads == 2 && back.trunk_rate == net->trunk_rate,
       "with the values that it had");
    is_str("short", back.partition, "and the partition");
    is_int(-1, net_read("tests/harness/testbed/tree.ini", &back, &err), "another file is refused");
    has_str("not what testbed up writes", err.text, "and the message says so");
}

/* ---- what is refused ---- */

static void refuse(const struct cluster *good, void (*spoil)(struct cluster *c), const char *part)
{
    struct cluster c = *good;
    struct net net;
    struct err err = { 0 };
    spoil(&c);
    is_int(-1, net_make(&c, &net, &err), "refused: %s", part);
    has_str(part, err.text, "and the message says why");
    is_int(EXIT_USAGE, err.status, "with status 2");
}

static void real(struct cluster *c)
{
    c->emulated = 0;
}

static void torus(struct cluster *c)
{
    snprintf(c->topology, sizeof c->topology, "torus");
}

static void too_many(struct cluster *c)
{
    c->nodes = TESTBED_NODES + 2;
}

static void ragged(struct cluster *c)
{
    c->nodes = 5;
}

static void long_name(struct cluster *c)
{
    snprintf(c->name, sizeof c->name, "a-name-of-thirty-three-characters");
}

static void dotted(struct cluster *c)
{
    snprintf(c->name, sizeof c->name, "a.b");
}

static void no_partition(struct cluster *c)
{
    c->partition[0] = '\0';
}

static void small_burst(struct cluster *c)
{
    c->burst_bytes = 1500;
}

static void small_queue(struct cluster *c)
{
    c->queue_bytes = 1999;
}

static void many_cores(struct cluster *c)
{
    c->sockets = c->cores = 64;
}

static void test_refusals(const struct cluster *good)
{
    refuse(good, real, "emulated = yes");
    refuse(good, torus, "'torus' cannot be emulated (want star or tree)");
    refuse(good, too_many, "252 nodes are too many for a testbed (want 250 at most)");
    refuse(good, ragged, "5 nodes do not fill switches of 2 nodes each");
    refuse(good, long_name, "is too long a name");
    refuse(good, dotted, "'a.b' cannot begin a host name");
    refuse(good, no_partition, "partition is not given");
    refuse(good, small_burst, "burst of 1500 bytes does not hold a frame");
    refuse(good, small_queue, "queue of 1999 bytes is smaller than burst (2000)");
    refuse(good, many_cores, "64 sockets of 64 cores of 2 threads are too many");
}

static void test_missing(void)
{
    char conf[PATH_SIZE];
    struct err err = { 0 };
    is_int(-1, testbed_conf("no-such-testbed", conf, sizeof conf, &err), "no testbed, no conf");
    has_str("'collsel testbed up no-such-testbed' makes it", err.text, "and how to have one");
    is_int(-1, testbed_conf("../etc", conf, sizeof conf, &err), "a path is not a name");
    is_int(0, testbed_down("no-such-testbed", NULL, &err), "down of nothing is fine");
}

int main(void)
{
    struct cluster tree;
    struct net net;
    struct err err = { 0 };
    if (!ok(load("tree", &tree) == 0 && net_make(&tree, &net, &err) == 0, "a tree is accepted"))
        return tap_done();
    net.index = 7;
    test_texts(&net);
    test_names(&net);
    test_file(&net);
    test_refusals(&tree);
    test_missing();
    cluster_free(&tree);
    return tap_done();
}
