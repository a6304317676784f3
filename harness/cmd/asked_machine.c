/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/asked_machine.h"

#include <string.h>

void asked_machine_check(struct argp_state *state, const struct options *o, const char *model,
                         const char **machine)
{
    if (o->dataset && (o->study_given || o->backend_given))
        argp_error(state, "--dataset names the times (want it without --study and --backend)");
    if (!model)
        return;
    if (o->dataset)
        argp_error(state, "--model and --dataset are one or the other");
    if (o->study_given || o->backend_given)
        argp_error(state, "--model answers from the times that it was learnt from (want it without "
                          "--study and --backend, which name results)");
    if (o->cluster_given && *machine && strcmp(*machine, o->cluster) != 0)
        argp_error(state,
                   "--cluster %s and --for %s: beside --model both name the machine that is asked "
                   "about (want one)",
                   o->cluster, *machine);
    if (o->cluster_given)
        *machine = o->cluster;
}

int asked_machine(const struct options *options, const char *name, struct facts *facts,
                  struct err *err)
{
    static struct cluster asked; /* what facts->costs points to: one machine for each command */
    cluster_free(&asked);
    if (cluster_load(options->clusters, name, &asked, err) < 0)
        return -1;
    facts_of_cluster(&asked, facts);
    facts->costs = &asked;
    return 0;
}
