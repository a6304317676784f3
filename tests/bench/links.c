/* SPDX-License-Identifier: BSD-3-Clause */
/* links.c - processor time of the links walker: the four allgather algorithms among 4,096
 * ranks on a torus of 16x16x16, ten sizes each, ranks in order and at random. Prints CSV on stdout;
 * the aim is a minute for all of an order. */
#include "analysis/walk/link_walk.h"

#include <time.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { PROCS = 4096, SIZES = 10 };

static int walk_all(const struct topology *torus, const char *order, const char *name,
                    struct err *err)
{
    static double bytes[] = { 1024, 1048576 }, message_s[] = { 1e-6, 2e-4 };
    static const struct curve curve = { 2, bytes, message_s }, no_copy = { 0 };
    static const struct links_costs costs = { .message = &curve, .copy = &no_copy };
    const struct seating seating = {
        .mapping = "core", .nodes = PROCS, .ppn = 1, .procs = PROCS, .sockets = 1, .cores = 1
    };
    struct links_net *net = links_net_new(torus, order, &seating, err);
    struct links_result r = { .steps = 0 };
    struct schedule s;
    const double start = seconds();
    int status = net ? 0 : -1;
    for (int i = 0; i < SIZES && status == 0; i++)
        if (schedule_init(&s, algorithm_find("allgather", name), PROCS, 0, UINT64_C(1024) << i, 0,
                          0, err) < 0 ||
            links_walk(net, &s, &costs, NULL, &r, err) < 0)
            status = -1;
    links_net_free(net);
    if (status == 0)
        printf("%s,%s,%d,%d,%llu,%llu,%d,%.2f\n", order, name, PROCS, SIZES,
               (unsigned long long)r.steps, (unsigned long long)r.collisions, r.hops,
               seconds() - start);
    return status;
}

int main(void)
{
    static const char *const names[] = { "ring", "neighbor", "recursive_doubling", "bruck" };
    static const char *const orders[] = { "in_order", "random:1" };
    const struct network net = { .kind = TOPOLOGY_TORUS,
                                 .dims = 3,
                                 .extent = { 16, 16, 16 },
                                 .link_rate = 5e9,
                                 .link_latency = 1e-7 };
    struct topology torus;
    struct err err = { 0 };
    if (topology_init(&torus, &net, &err) < 0) {
        fprintf(stderr, "links: %s\n", err.text);
        return 1;
    }
    printf("order,algorithm,procs,sizes,steps,collisions,hops,core_s\n");
    for (int o = 0; o < 2; o++)
        for (int a = 0; a < 4; a++)
            if (walk_all(&torus, orders[o], names[a], &err) < 0) {
                fprintf(stderr, "links: %s\n", err.text);
                return 1;
            }
    return 0;
}
