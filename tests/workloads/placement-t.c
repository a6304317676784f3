/* SPDX-License-Identifier: BSD-3-Clause */
/* placement-t.c - which placements are the ones asked. */
#include <string.h>

#include "tests/tap.h"
#include "workloads/placement.h"

struct vector {
    const char *mapping;
    int nodes, ppn;
    const char *hosts; /* a letter per rank */
    int wanted;
};

static const struct vector vectors[] = {
    { "core", 1, 4, "aaaa", 0 },     { "core", 2, 2, "aabb", 0 },    { "core", 2, 2, "abab", -1 },
    { "core", 2, 2, "aaaa", -1 },    { "core", 2, 2, "aaab", -1 },   { "core", 2, 2, "aab", 0 },
    { "core", 2, 2, "aabba", -1 },   { "core", 3, 2, "aabbaa", -1 }, { "core", 4, 1, "abcd", 0 },
    { "core", 4, 1, "abca", -1 },    { "core", 4, 1, "dbca", 0 },    { "core", 1, 1, "a", 0 },
    { "core", 1, 1, "aa", -1 },      { "socket", 2, 2, "aabb", 0 },  { "socket", 2, 2, "abab", -1 },
    { "node", 2, 2, "abab", 0 },     { "node", 2, 2, "aabb", -1 },   { "node", 2, 2, "baba", 0 },
    { "node", 3, 2, "abcabc", 0 },   { "node", 3, 2, "abcacb", -1 }, { "node", 3, 2, "abcab", 0 },
    { "node", 1, 8, "aaaaaaaa", 0 }, { "node", 2, 1, "aa", -1 },
};

static int judge(const struct vector *v, struct err *err)
{
    char names[16][2];
    const char *hosts[16];
    const int ranks = (int)strlen(v->hosts);
    for (int r = 0; r < ranks; r++) {
        names[r][0] = v->hosts[r];
        names[r][1] = '\0';
        hosts[r] = names[r];
    }
    return placement_check(v->mapping, v->nodes, v->ppn, ranks, hosts, err);
}

/* hosts: a digit per rank, its socket; '-': not bound. All on one machine of two sockets. */
static const struct vector sockets[] = {
    { "core", 1, 4, "0011", 0 },    { "core", 1, 4, "1100", 0 },   { "core", 1, 4, "0101", -1 },
    { "core", 1, 4, "0110", -1 },   { "core", 1, 4, "0-1-", 0 },   { "core", 1, 4, "0000", 0 },
    { "socket", 1, 4, "0101", 0 },  { "socket", 1, 4, "1010", 0 }, { "socket", 1, 4, "0011", -1 },
    { "socket", 1, 4, "0100", -1 }, { "socket", 1, 4, "----", 0 }, { "socket", 2, 2, "0101", 0 },
    { "socket", 2, 2, "0110", 0 },  { "node", 2, 2, "0011", 0 },   { "socket", 1, 1, "0", 0 },
};

static int judge_sockets(const struct vector *v, int n_sockets, struct err *err)
{
    struct socket_place places[16];
    const int ranks = (int)strlen(v->hosts);
    for (int r = 0; r < ranks; r++)
        places[r] = (struct socket_place){ v->hosts[r] == '-' ? -1 : v->hosts[r] - '0', n_sockets };
    return placement_check_sockets(v->mapping, v->nodes, v->ppn, ranks, places, err);
}

static void test_sockets(void)
{
    for (size_t i = 0; i < sizeof sockets / sizeof *sockets; i++) {
        const struct vector *v = &sockets[i];
        struct err err = { 0 };
        is_int(v->wanted, judge_sockets(v, 2, &err), "%s, %d x %d, sockets %s", v->mapping,
               v->nodes, v->ppn, v->hosts);
        is_int(0, judge_sockets(v, 1, &err), "a machine of one socket cannot tell");
    }
    const struct socket_place here = placement_socket();
    ok(here.sockets >= 0 && here.socket >= -1, "this process: socket %d of %d", here.socket,
       here.sockets);
}

int main(void)
{
    test_sockets();
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const struct vector *v = &vectors[i];
        struct err err = { 0 };
        is_int(v->wanted, judge(v, &err), "%s, %d x %d: %s", v->mapping, v->nodes, v->ppn,
               v->hosts);
        if (v->wanted < 0)
            has_str("placement: ", err.text, "with a reason");
    }
    char cpus[256], tiny[2];
    placement_cpus(cpus, sizeof cpus);
    ok(strlen(cpus) > 0 && strspn(cpus, "0123456789-,") == strlen(cpus), "CPUs are a list: %s",
       cpus);
    placement_cpus(tiny, sizeof tiny);
    ok(strlen(tiny) < sizeof tiny, "that stays in its buffer");
    return tap_done();
}
