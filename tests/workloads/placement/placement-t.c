/* SPDX-License-Identifier: BSD-3-Clause */
/* placement-t.c - which placements are the ones asked. */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "tests/tap.h"
#include "workloads/placement/placement.h"

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

static int judge(const struct vector *v, const char *order, struct err *err)
{
    struct place places[16];
    const int ranks = (int)strlen(v->hosts);
    const struct placement asked = { .seating = { v->mapping, v->nodes, v->ppn, ranks, 0, 0 },
                                     .hosts = order };
    for (int r = 0; r < ranks; r++) {
        places[r] = (struct place){ .socket = -1, .core = -1 };
        places[r].host[0] = v->hosts[r];
    }
    return placement_check(&asked, places, err);
}

/* With the nodes of the allocation known: a, b, c, d. */
static const struct vector ordered[] = {
    { "core", 4, 1, "abcd", 0 },  { "core", 4, 1, "dbca", -1 },  { "core", 2, 2, "bbaa", -1 },
    { "node", 2, 2, "baba", -1 }, { "node", 3, 2, "abcabc", 0 }, { "node", 2, 2, "acac", -1 },
    { "core", 2, 2, "xxyy", 0 }, /* aliases cannot be judged */
    { "core", 2, 2, "xxaa", -1 },
};

static void test_order(void)
{
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) {
        const struct vector *v = &ordered[i];
        struct err err = { 0 };
        is_int(v->wanted, judge(v, "a,b.cluster.org,c,d", &err), "%s, %d x %d: %s of a,b,c,d",
               v->mapping, v->nodes, v->ppn, v->hosts);
        if (v->wanted < 0)
            has_str("placement: rank ", err.text, "with a reason: %s", err.text);
    }
}

struct core_vector {
    const char *mapping;
    int nodes, ppn;
    const char *places; /* "socket.core" per rank; "-": bound to nothing; ".": not known */
    int bound, sockets, cores;
    const char *wrong; /* a part of the reason; NULL: as asked */
};

static const struct core_vector cores[] = {
    /* sockets alone */
    { "core", 1, 4, "0.0 0.1 1.0 1.1", 0, 0, 0, NULL },
    { "core", 1, 4, "1.0 1.1 0.0 0.1", 0, 0, 0, NULL },
    { "core", 1, 4, "0.0 1.0 0.1 1.1", 0, 0, 0, "rank 2 is back on socket 0" },
    { "core", 1, 4, "0.0 1.0 1.1 0.1", 0, 0, 0, "rank 3 is back on socket 0" },
    { "core", 1, 4, "- - - -", 0, 2, 2, NULL },
    { "core", 1, 4, ". . . .", 1, 2, 2, NULL },
    { "socket", 1, 4, "0.0 1.0 0.1 1.1", 0, 2, 2, NULL },
    { "socket", 1, 4, "1.0 0.0 1.1 0.1", 1, 2, 2, NULL },
    { "socket", 1, 4, "0.0 0.1 1.0 1.1", 0, 0, 0, "rank 1 is on socket 0 as rank 0 before it" },
    { "socket", 1, 4, "0.0 1.0 0.1 0.2", 0, 0, 0, "rank 3 is on socket 0 as rank 2" },
    { "socket", 2, 2, "0.0 1.0 0.0 1.0", 1, 2, 8, NULL },
    { "socket", 2, 2, "0.0 1.0 1.0 0.0", 1, 2, 8, NULL },
    { "socket", 1, 1, "0.0", 1, 2, 8, NULL },
    { "node", 2, 2, "0.0 0.0 0.1 0.1", 1, 2, 8, NULL },
    /* a socket is left before it is full */
    { "core", 1, 4, "0.0 0.1 0.2 0.3", 1, 2, 4, NULL },
    { "core", 1, 4, "0.0 0.1 1.0 1.1", 1, 2, 4,
      "rank 2 is on socket 1, rank 1 on 0, which is not" },
    { "node", 2, 2, "0.0 0.0 1.0 1.0", 1, 2, 4, "rank 2 is on socket 1" },
    /* cores */
    { "core", 1, 2, "- -", 1, 1, 2, "rank 0 is not bound: it may run on CPUs 0-7" },
    { "core", 1, 3, "0.0 0.1 -", 1, 1, 4, "rank 2 is not bound" },
    { "core", 1, 2, "0.1 0.1", 1, 1, 2, "ranks 0 and 1 are both on core 1 of socket 0" },
    { "core", 1, 2, "0.1 0.1", 0, 1, 2, NULL },
    { "core", 2, 1, "0.1 0.1", 1, 1, 2, NULL },
    { "node", 2, 2, "0.0 0.0 0.1 0.0", 1, 1, 2, "ranks 1 and 3 are both on core 0" },
};

/* Fills the places of the ranks by seat of the mapping's node; gives their number. */
static int read_places(const struct core_vector *v, struct place *places)
{
    int ranks = 0;
    for (const char *p = v->places; *p; p += strcspn(p, " "), p += *p == ' ')
        ranks++;
    const struct seating s = { v->mapping, v->nodes, v->ppn, ranks, 0, 0, 0, { .group = { 0 } } };
    const char *p = v->places;
    for (int r = 0; r < ranks; r++, p += strcspn(p, " "), p += *p == ' ') {
        places[r] = (struct place){ .socket = -1, .core = -1, .sockets = 2 };
        snprintf(places[r].host, sizeof places[r].host, "host%d", seat_node(&s, r));
        if (*p == '.')
            places[r].sockets = 0;
        else if (*p == '-') {
            places[r].n_cores = 8;
            snprintf(places[r].cpus, sizeof places[r].cpus, "0-7");
        } else {
            places[r].n_cores = 1;
            places[r].socket = p[0] - '0';
            places[r].core = p[2] - '0';
        }
    }
    return ranks;
}

static void test_cores(void)
{
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        const struct core_vector *v = &cores[i];
        struct place places[16];
        struct err err = { 0 };
        const int ranks = read_places(v, places);
        const struct placement asked = { .seating = { v->mapping, v->nodes, v->ppn, ranks,
                                                      v->sockets, v->cores },
                                         .bound = v->bound };
        is_int(v->wrong ? -1 : 0, placement_check(&asked, places, &err), "%s, %d x %d, %s: %s",
               v->mapping, v->nodes, v->ppn, v->bound ? "bound" : "not bound", v->places);
        if (v->wrong)
            has_str(v->wrong, err.text, "says what is wrong");
        for (int r = 0; r < ranks; r++)
            places[r].sockets = places[r].sockets ? 1 : 0;
        if (!v->bound)
            is_int(0, placement_check(&asked, places, NULL), "a machine of one socket cannot tell");
    }
}

/* This process, as it is and on one CPU. */
static void test_here(void)
{
    struct place here;
    cpu_set_t set, one;
    placement_here(&here);
    ok(strlen(here.cpus) > 0 && strspn(here.cpus, "0123456789-,") == strlen(here.cpus),
       "CPUs are a list: %s", here.cpus);
    ok(here.n_cores >= 0 && here.sockets >= 0, "on %d cores of a machine of %d sockets",
       here.n_cores, here.sockets);
    if (here.n_cores == 0 || sched_getaffinity(0, sizeof set, &set) < 0) {
        skip("the system says nothing of cores", "one CPU");
        return;
    }
    for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE && seen < 4; cpu++) {
        if (!CPU_ISSET(cpu, &set))
            continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        if (sched_setaffinity(0, sizeof one, &one) < 0)
            continue;
        placement_here(&here);
        is_int(1, here.n_cores, "on CPU %d alone: one core", cpu);
        ok(here.socket >= 0 && here.socket < here.sockets && here.core >= 0, "core %d of socket %d",
           here.core, here.socket);
        seen++;
    }
    sched_setaffinity(0, sizeof set, &set);
}

/* Ranks that bind themselves are where the mapping wants them, from whatever affinity. */
static void test_bind(void)
{
    enum { MOST = 8 };
    struct place usual;
    struct place places[MOST] = { 0 };
    cpu_set_t set;
    struct err err = { 0 };
    placement_here(&usual);
    if (usual.n_cores < 2 || sched_getaffinity(0, sizeof set, &set) < 0) {
        skip("fewer than two cores", "ranks that bind themselves");
        return;
    }
    const int n = usual.n_cores < MOST ? usual.n_cores : MOST;
    for (int k = 0; k < 2; k++) {
        const struct placement asked = {
            .seating = { .mapping = k ? "socket" : "core", .nodes = 1, .ppn = n, .procs = n },
            .bound = 1
        };
        for (int r = 0; r < n; r++) {
            snprintf(places[r].host, sizeof places[r].host, "here");
            placement_bind(&asked.seating, r, &set);
            placement_here(&places[r]);
        }
        is_int(0, placement_check(&asked, places, &err), "mapping %s: %d ranks are on cores %s",
               asked.seating.mapping, n, err.text);
    }
    const struct seating crowd = { .mapping = "core", .nodes = 1, .ppn = 4096, .procs = 4096 };
    sched_setaffinity(0, sizeof set, &set);
    placement_bind(&crowd, 4095, &set);
    placement_here(&places[0]);
    is_str(usual.cpus, places[0].cpus, "a rank for which there is no core stays as it is");
    sched_setaffinity(0, sizeof set, &set);
}

static void test_words(void)
{
    struct place place = { .n_cores = 1 };
    struct placement asked = { .bound = 1 };
    is_str("hosts and cores", placement_judged(&asked, &place), "bound, and the system tells");
    place.n_cores = 0;
    has_str("hosts (the system", placement_judged(&asked, &place), "bound, and it does not");
    asked.bound = 0;
    has_str("hosts (ranks are not bound)", placement_judged(&asked, &place), "not bound");
}

int main(void)
{
    test_cores();
    test_order();
    test_here();
    test_bind();
    test_words();
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const struct vector *v = &vectors[i];
        struct err err = { 0 };
        is_int(v->wanted, judge(v, NULL, &err), "%s, %d x %d: %s", v->mapping, v->nodes, v->ppn,
               v->hosts);
        if (v->wanted < 0)
            has_str("placement: ", err.text, "with a reason");
    }
    return tap_done();
}
