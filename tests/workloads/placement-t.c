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

int main(void)
{
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
