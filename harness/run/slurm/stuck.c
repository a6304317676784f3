/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/stuck.h"

/* ",name" to a list of commas, where there is room for it. */
static void add_name(char *list, size_t size, const char *name)
{
    const size_t used = strlen(list);
    if (used + strlen(name) + 2 < size)
        snprintf(list + used, size - used, "%s%s", used ? "," : "", name);
}

/* Gives the most nodes that a launch which waits wants. */
static int look_at_tasks(const struct ledger *ledger, struct stuck *stuck)
{
    int most = 0;
    for (size_t i = 0; i < ledger->plan.n_launches; i++) {
        const struct ledger_launch *l = &ledger->launches[i];
        if (!ledger_in_flight(l) || !l->asked || l->task.state != SLURM_PENDING)
            continue;
        stuck->waiting++;
        most = l->launch->nodes > most ? l->launch->nodes : most;
        if (!l->task.held)
            continue;
        if (stuck->held++ == 0)
            memcpy(stuck->reason, l->task.reason, sizeof stuck->reason);
        add_name(stuck->tasks, sizeof stuck->tasks, l->job);
    }
    return most;
}

static void look_at_nodes(const struct slurm_node *nodes, size_t n, struct stuck *stuck)
{
    stuck->nodes = n;
    for (size_t i = 0; i < n; i++) {
        if (nodes[i].usable)
            continue;
        if (stuck->closed++ == 0)
            snprintf(stuck->why, sizeof stuck->why, "%.40s%s%.100s", nodes[i].state,
                     *nodes[i].reason ? ": " : "", nodes[i].reason);
        add_name(stuck->closed_nodes, sizeof stuck->closed_nodes, nodes[i].name);
    }
}

void stuck_find(const struct slurm *slurm, const struct ledger *ledger, struct stuck *stuck)
{
    struct slurm_node *nodes;
    size_t n;
    *stuck = (struct stuck){ 0 };
    const int most = look_at_tasks(ledger, stuck);
    memcpy(stuck->conf, slurm->conf, sizeof stuck->conf);
    if (!stuck->waiting || slurm_nodes(slurm, &nodes, &n, NULL) < 0)
        return;
    look_at_nodes(nodes, n, stuck);
    free(nodes);
    if (!stuck->held && stuck->nodes - stuck->closed >= (size_t)most)
        stuck->closed = 0;
}

static void print_command(FILE *out, const struct stuck *stuck, const char *what, const char *names,
                          const char *end)
{
    if (*stuck->conf)
        fprintf(out, "SLURM_CONF=%s ", stuck->conf);
    fprintf(out, "scontrol %s%s%s\n", what, names, end);
}

void stuck_print(FILE *out, const struct stuck *stuck)
{
    if (stuck->held) {
        fprintf(out, "%zu task%s held by Slurm (%s) until somebody says: ", stuck->held,
                of_number(stuck->held, " is", "s are"), stuck->reason);
        print_command(out, stuck, "release ", stuck->tasks, "");
    }
    if (stuck->closed) {
        fprintf(out, "%zu of %zu nodes take no jobs (%s); when they are well: ", stuck->closed,
                stuck->nodes, stuck->why);
        print_command(out, stuck, "update NodeName=", stuck->closed_nodes, " State=RESUME");
    }
}

int stuck_for_good(const struct stuck *stuck, size_t in_flight)
{
    return stuck->held && stuck->held == in_flight;
}
