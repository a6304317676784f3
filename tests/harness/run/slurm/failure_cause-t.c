/* SPDX-License-Identifier: BSD-3-Clause */
/* What launchers print when a node breaks, and what only looks like it. The lines of Slurm, Open
 * MPI and ssh are as those programs print them (Slurm 20.11 to 23.11, Open MPI 4.1 and 5.0). */
#include <string.h>

#include "harness/run/slurm/failure_cause.h"
#include "tests/tap.h"

static const struct {
    const char *line, *node; /* NULL: no node is blamed */
} lines[] = {
    { "srun: error: Node failure on h3", "h3" },
    { "srun: error: Node failure on h[3-4]", "h3" },
    { "salloc: error: Node failure on gros-17", "gros-17" },
    { "srun: error: Task launch for StepId=12.0 failed on node h3: Communication connection "
      "failure",
      "h3" },
    { "srun: error: Task launch for StepId=12.0 failed on node h3: Socket timed out on send/recv "
      "operation",
      "h3" },
    { "srun: error: Task launch for StepId=12.0 failed on node h3: Invalid job credential", NULL },
    { "  Remote daemon: [[37183,0],2] on node h3", "h3" },
    { "Remote daemon: [[17757,0],13] on node node1001.cluster.org", "node1001.cluster.org" },
    { "  Remote daemon: [prterun-h0-1234@0,2] on node h3", "h3" },
    { "  HNP daemon   : [[37183,0],0] on node h0", NULL },
    { "  Remote daemon: [[64112,0],1] on node 10.126.10.10", NULL },
    { "  my node:   h0", NULL },
    { "  target node:  h3", "h3" },
    { "ssh: connect to host h3 port 22: No route to host", "h3" },
    { "ssh: Could not resolve hostname h3: Name or service not known", "h3" },
    { "ORTE has lost communication with a remote daemon.", NULL },
    { "srun: error: h3: task 1: Killed", NULL },
    { "srun: error: h3: task 1: Exited with exit code 1", NULL },
    { "slurmstepd: error: *** STEP 12.0 ON h1 CANCELLED AT 2026-11-21T10:00:00 DUE TO NODE "
      "FAILURE, "
      "SEE SLURMCTLD LOG FOR DETAILS ***",
      NULL },
    { "slurmstepd: error: *** JOB 12 ON h1 CANCELLED AT 2026-11-21T10:00:00 DUE TO TIME LIMIT ***",
      NULL },
    { "mpirun noticed that process rank 1 with PID 0 on node h3 exited on signal 9 (Killed).",
      NULL },
    { "=   RANK 1 PID 4711 RUNNING AT h3", NULL },
    { "measure: cannot write 'samples/x.csv': No space left on device", NULL },
    { "srun: error: Node failure on ", NULL },
    { "srun: error: Node failure on h[3", NULL },
    { "", NULL },
};

static void test_lines(void)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char node[NODE_SIZE] = "before";
        int found = failure_cause_node(lines[i].line, node);
        is_str(lines[i].node ? lines[i].node : "", node, "'%.60s' blames %s", lines[i].line,
               lines[i].node ? lines[i].node : "nobody");
        is_int(lines[i].node != NULL, found, "and says so");
    }
}

static void test_match(void)
{
    static const struct {
        const char *nodes, *name, *slurms;
    } cases[] = {
        { "h[1-4]", "h3", "h3" },
        { "h[1-4]", "h3.cluster.org", "h3" },
        { "h3.a,h4.a", "h3", "h3.a" },
        { "h[1-4]", "h5", NULL },
        { "h[1-4]", "h", NULL },
        { "h[10-14]", "h1", NULL },
        { "", "h3", NULL },
        { "h[1-", "h1", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char node[NODE_SIZE];
        strncpy(node, cases[i].name, sizeof node - 1);
        node[sizeof node - 1] = '\0';
        int found = failure_cause_match(cases[i].nodes, node);
        is_int(cases[i].slurms != NULL, found, "'%s' is %sof '%s'", cases[i].name,
               cases[i].slurms ? "" : "not ", cases[i].nodes);
        if (found)
            is_str(cases[i].slurms, node, "and Slurm's name for it is '%s'", cases[i].slurms);
    }
}

int main(void)
{
    test_lines();
    test_match();
    return tap_done();
}
