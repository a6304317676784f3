/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger: what is concluded from each sequence of events and each word of Slurm's, and what
 * accounting writes into events.jsonl, once. Slurm is three scripts that print a file. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/study/journal.h"
#include "harness/run/slurm/ledger.h"
#include "tests/tap.h"

#define LAUNCH "openmpi-core-2x1-p2-r1"
enum { POINTS = 3, RETRIES = 1, TEXT = 2048 };

static int left = -1; /* allocations that succeed; below 0: all */

static int refused(void)
{
    if (left > 0)
        return left--, 0;
    return left == 0;
}

/* These two stand in for libc's. */
void *calloc(size_t n, size_t size)
{
    void *p = refused() ? NULL : realloc(NULL, n * size + 1);
    return p ? memset(p, 0, n * size) : NULL;
}

void *reallocarray(void *old, size_t n, size_t size)
{
    return refused() ? NULL : realloc(old, n * size);
}

/* Events, a word a field: "submitted 12_1", "started 12_1 a1 h[1-2]", "timeout 12_1 a1 point" (of
 * point 0), "node_failed 12_1 a1 h2", "measured a1 2" (points 0 and 1 are finished by attempt 1).
 * Slurm: rows of squeue ("state|elapsed|cores|nodes|reason|command" of 12_1), the state that
 * scontrol remembers, and the command, and which nodes of h1 to h4 are down. */
struct scene {
    const char *what, *events;
    const char *queue, *remembered, *down;
    const char *seen;    /* what the ledger says */
    const char *written; /* events that accounting adds: "event:attempt:node", blanks between */
    const char *after;   /* what the ledger says then; NULL: the same */
};

static const struct scene scenes[] = {
    { "nothing happened", "", "", "", "", "0 done 0 given up 3 left, 0/0, fruitless 0, never", "",
      NULL },
    { "submitted and in the queue", "submitted 12_1", "PENDING|0:00|1||Priority", "", "",
      "0 done 0 given up 3 left, 1/0, fruitless 0, 12_1 in flight", "", NULL },
    { "running", "submitted 12_1;started 12_1 a1 h[1-2];measured a1 1",
      "RUNNING|0:09|2|h[1-2]|None", "", "",
      "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 in flight", "", NULL },
    { "measured as planned", "submitted 12_1;started 12_1 a1 h[1-2];measured a1 3;done 12_1 a1", "",
      "", "", "3 done 0 given up 0 left, 1/1, fruitless 0, 12_1 closed", "", NULL },
    { "done, and Slurm still cleans up after it",
      "submitted 12_1;started 12_1 a1 h[1-2];measured a1 3;done 12_1 a1",
      "COMPLETING|0:09|2|h[1-2]|None", "", "",
      "3 done 0 given up 0 left, 1/1, fruitless 0, 12_1 closed", "", NULL },
    { "it failed before submit could write down that it was submitted",
      "started 12_1 a1 h[1-2];failed 12_1 a1 point;submitted 12_1", "", "FAILED 1:0", "",
      "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed", "", NULL },
    { "a line is cut short by another task's death, and ours are behind it",
      "submitted 12_1;cut;started 12_1 a1 h[1-2];measured a1 3;done 12_1 a1", "", "", "",
      "3 done 0 given up 0 left, 1/1, fruitless 0, 12_1 closed", "", NULL },
    { "an orphan says that it was cut off, after the task was started anew",
      "submitted 12_1;started 12_1 a1 h[1-2];measured a1 1;node_failed 12_1 a1 h1;"
      "interrupted 12_1 a1;started 12_1 a2 h[3-4];measured a2 3;done 12_1 a2",
      "", "", "", "3 done 0 given up 0 left, 1/2, fruitless 0, 12_1 closed, h1 1", "", NULL },
    { "there was nothing left to do when it started", "measured a1 3;submitted 12_1", "",
      "COMPLETED", "", "3 done 0 given up 0 left, 1/0, fruitless 1, 12_1 over", "", NULL },

    { "the same, and Slurm has forgotten it", "measured a1 3;submitted 12_1", "", "", "",
      "3 done 0 given up 0 left, 1/0, fruitless 1, 12_1 over", "", NULL },
    { "the number is given again, to what was lost", "submitted 12_1;lost 12_1;submitted 12_1",
      "PENDING|0:00|1||Priority", "", "",
      "0 done 0 given up 3 left, 2/0, fruitless 1, 12_1 in flight", "", NULL },
    { "the number is given again, to what was at work when the controller forgot it",
      "submitted 12_1;started 12_1 a1 h[1-2];measured a1 1;submitted 12_1",
      "PENDING|0:00|1||Priority", "", "",
      "1 done 0 given up 2 left, 2/1, fruitless 0, 12_1 in flight", "", NULL },
    { "the number is given again, and that one is done",
      "submitted 12_1;started 12_1 a1 h[1-2];submitted 12_1;started 12_1 a2 h[1-2];"
      "measured a2 3;done 12_1 a2",
      "", "", "", "3 done 0 given up 0 left, 2/2, fruitless 0, 12_1 closed", "", NULL },
    { "the number is another job's now", "submitted 12_1 mark=collsel-mark-0123abcd",
      "RUNNING|0:09|2|h[1-2]|None|/some/other.sh", "", "",
      "0 done 0 given up 3 left, 1/0, fruitless 1, 12_1 over",
      "lost:0:", "0 done 0 given up 3 left, 1/0, fruitless 1, 12_1 closed" },
    { "the number is that of another submission now",
      "submitted 12_1 mark=collsel-mark-0123abcd;started 12_1 a1 h[1-2];measured a1 1",
      "PENDING|0:00|1||Priority|/a/b.sbatch collsel-mark-dcba3210", "", "",
      "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 over",
      "lost:1:", "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 closed" },
    { "the number is still ours", "submitted 12_1 mark=collsel-mark-0123abcd",
      "PENDING|0:00|1||Priority|/a/b.sbatch collsel-mark-0123abcd", "", "",
      "0 done 0 given up 3 left, 1/0, fruitless 0, 12_1 in flight", "", NULL },
    { "nobody knows whose it is: Slurm shows no command",
      "submitted 12_1 mark=collsel-mark-0123abcd", "PENDING|0:00|1||Priority", "", "",
      "0 done 0 given up 3 left, 1/0, fruitless 0, 12_1 in flight", "", NULL },
    { "nobody knows whose it is: it had no mark", "submitted 12_1",
      "PENDING|0:00|1||Priority|/some/other.sh", "", "",
      "0 done 0 given up 3 left, 1/0, fruitless 0, 12_1 in flight", "", NULL },
    { "another job of our number has ended, which says nothing of ours",
      "submitted 12_1 mark=collsel-mark-0123abcd", "", "CANCELLED Command=/some/other.sh", "",
      "0 done 0 given up 3 left, 1/0, fruitless 1, 12_1 over",
      "lost:0:", "0 done 0 given up 3 left, 1/0, fruitless 1, 12_1 closed" },
    { "thought to be lost, but it starts",
      "submitted 12_1;lost 12_1;started 12_1 a1 h[1-2];measured a1 1", "RUNNING|0:09|2|h[1-2]|None",
      "", "", "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 in flight", "", NULL },

    { "cancelled in the queue", "submitted 12_1", "", "CANCELLED", "",
      "0 done 0 given up 3 left, 1/0, fruitless 1, 12_1 over",
      "cancelled:0:", "0 done 0 given up 3 left, 1/0, fruitless 0, 12_1 closed" },
    { "cancelled at work, which the task did not live to say",
      "submitted 12_1;started 12_1 a1 h[1-2];measured a1 1", "", "CANCELLED", "",
      "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 over",
      "cancelled:1:", "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 closed" },
    { "cancelled at work, of which the task only felt the signal",
      "submitted 12_1;started 12_1 a1 h[1-2];interrupted 12_1 a1", "", "CANCELLED", "",
      "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed",
      "cancelled:1:", "0 done 0 given up 3 left, 1/1, fruitless 0, 12_1 closed" },
    { "cancelled again and again is not given up",
      "submitted 12_1;cancelled 12_1;submitted 13_1;cancelled 13_1;submitted 14_1;cancelled 14_1",
      "", "", "", "0 done 0 given up 3 left, 3/0, fruitless 0, 14_1 closed", "", NULL },

    { "out of time, and the task said so",
      "submitted 12_1;started 12_1 a1 h[1-2];measured a1 1;timeout 12_1 a1", "", "TIMEOUT", "",
      "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 closed", "", NULL },
    { "out of time, and it did not", "submitted 12_1;started 12_1 a1 h[1-2];measured a1 2", "",
      "TIMEOUT", "", "2 done 0 given up 1 left, 1/1, fruitless 0, 12_1 over",
      "timeout:1:", "2 done 0 given up 1 left, 1/1, fruitless 0, 12_1 closed" },
    { "out of time without a point, once: tried again",
      "submitted 12_1;started 12_1 a1 h[1-2];timeout 12_1 a1", "", "", "",
      "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed", "", NULL },
    { "out of time without a point, twice: given up",
      "submitted 12_1;started 12_1 a1 h[1-2];timeout 12_1 a1;"
      "submitted 13_1;started 13_1 a2 h[1-2];timeout 13_1 a2",
      "", "", "", "0 done 3 given up 0 left, 2/2, fruitless 2, 13_1 closed", "", NULL },
    { "out of time twice, but it gets on",
      "submitted 12_1;started 12_1 a1 h[1-2];measured a1 1;timeout 12_1 a1;"
      "submitted 13_1;started 13_1 a2 h[1-2];measured a2 2;timeout 13_1 a2",
      "", "", "", "2 done 0 given up 1 left, 2/2, fruitless 0, 13_1 closed", "", NULL },
    { "a point hung twice: it is given up, the rest is not",
      "submitted 12_1;started 12_1 a1 h[1-2];timeout 12_1 a1 point;started 12_1 a2 h[1-2];"
      "measured a2 0;timeout 12_1 a2 point",
      "", "FAILED", "", "0 done 1 given up 2 left, 1/2, fruitless 1, 12_1 closed", "", NULL },
    { "between two attempts of one task",
      "submitted 12_1;started 12_1 a1 h[1-2];failed 12_1 a1 point", "RUNNING|0:09|2|h[1-2]|None",
      "", "", "0 done 0 given up 3 left, 1/1, fruitless 0, 12_1 in flight", "", NULL },

    { "killed at once, without a word", "submitted 12_1", "", "FAILED 0:9", "",
      "0 done 0 given up 3 left, 1/0, fruitless 1, 12_1 over",
      "failed:0:", "0 done 0 given up 3 left, 1/0, fruitless 1, 12_1 closed" },
    { "killed at work", "submitted 12_1;started 12_1 a1 h[1-2];measured a1 2", "", "FAILED 0:9", "",
      "2 done 0 given up 1 left, 1/1, fruitless 0, 12_1 over",
      "failed:1:", "2 done 0 given up 1 left, 1/1, fruitless 0, 12_1 closed" },
    { "out of memory", "submitted 12_1;started 12_1 a1 h[1-2]", "", "OUT_OF_MEMORY 0:125", "",
      "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 over",
      "failed:1:", "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed" },
    { "failed by its own word, which is enough",
      "submitted 12_1;started 12_1 a1 h[1-2];failed 12_1 a1 point", "", "FAILED 1:0", "",
      "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed", "", NULL },
    { "preempted", "submitted 12_1;started 12_1 a1 h[1-2];measured a1 1", "", "PREEMPTED", "",
      "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 over",
      "interrupted:1:", "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 closed" },
    { "lost at work", "submitted 12_1;started 12_1 a1 h[1-2]", "", "", "",
      "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 over",
      "lost:1:", "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed" },
    { "lost in the queue", "submitted 12_1", "", "", "",
      "0 done 0 given up 3 left, 1/0, fruitless 1, 12_1 over",
      "lost:0:", "0 done 0 given up 3 left, 1/0, fruitless 1, 12_1 closed" },

    { "lost in the queue while another one began: the queue was lost, not the launch",
      "submitted 12_1;submitted 13_1;started 13_1 a1 h[1-2];cancelled 13_1 a1;lost 12_1", "", "",
      "", "0 done 0 given up 3 left, 2/1, fruitless 0, 13_1 closed", "", NULL },
    { "the same, before it was written down",
      "submitted 12_1;submitted 13_1;started 13_1 a1 h[1-2];cancelled 13_1 a1", "", "", "",
      "0 done 0 given up 3 left, 2/1, fruitless 0, 13_1 closed", "lost:0:", NULL },
    { "lost in the queue again and again while others began is not given up",
      "submitted 12_1;submitted 13_1;started 13_1 a1 h[1-2];cancelled 13_1 a1;lost 12_1;"
      "submitted 14_1;submitted 15_1;started 15_1 a2 h[1-2];cancelled 15_1 a2;lost 14_1",
      "", "", "", "0 done 0 given up 3 left, 4/2, fruitless 0, 15_1 closed", "", NULL },
    { "lost again after all others had begun: Slurm may forget at once what cannot start",
      "submitted 13_1;started 13_1 a1 h[1-2];cancelled 13_1 a1;submitted 12_1;lost 12_1;"
      "submitted 14_1;lost 14_1",
      "", "", "", "0 done 3 given up 0 left, 3/1, fruitless 2, 14_1 closed", "", NULL },
    { "lost at work while another one began counts: it had begun",
      "submitted 12_1;started 12_1 a1 h[1-2];submitted 13_1;started 13_1 a2 h[1-2];"
      "cancelled 13_1 a2;lost 12_1 a1",
      "", "", "", "0 done 0 given up 3 left, 2/2, fruitless 1, 13_1 closed", "", NULL },

    { "its node failed, and it is not put back",
      "submitted 12_1;started 12_1 a1 h[1-2];measured a1 1", "", "NODE_FAIL", "h2 h4",
      "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 over", "node_failed:1:h2",
      "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 closed, h2 1" },
    { "two of its nodes failed", "submitted 12_1;started 12_1 a1 h[1-2]", "", "NODE_FAIL", "h1 h2",
      "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 over", "node_failed:1:h1 node_failed:1:h2",
      "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed, h1 1, h2 1" },
    { "its node failed and is back already", "submitted 12_1;started 12_1 a1 h[1-2]", "",
      "NODE_FAIL", "", "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 over",
      "node_failed:1:", "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed" },
    { "its node failed before it said anything", "submitted 12_1", "", "NODE_FAIL", "h1",
      "0 done 0 given up 3 left, 1/0, fruitless 1, 12_1 over", "node_failed:0:h1",
      "0 done 0 given up 3 left, 1/0, fruitless 1, 12_1 closed, h1 1" },
    { "its node failed, and the launcher said so",
      "submitted 12_1;started 12_1 a1 h[1-2];node_failed 12_1 a1 h2", "", "NODE_FAIL", "h2",
      "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed, h2 1", "", NULL },
    { "the launcher blames a node because its daemons are killed at the time limit",
      "submitted 12_1;started 12_1 a1 h[1-2];node_failed 12_1 a1 h2", "", "TIMEOUT", "",
      "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed, h2 1",
      "timeout:1:", "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed" },
    { "or because somebody cancels it",
      "submitted 12_1;started 12_1 a1 h[1-2];node_failed 12_1 a1 h2", "", "CANCELLED", "",
      "0 done 0 given up 3 left, 1/1, fruitless 1, 12_1 closed, h2 1",
      "cancelled:1:", "0 done 0 given up 3 left, 1/1, fruitless 0, 12_1 closed" },

    { "its node failed, and it waits again", "submitted 12_1;started 12_1 a1 h[1-2];measured a1 1",
      "PENDING|0:00|1||BeginTime", "", "h2",
      "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 in flight", "node_failed:1:h2",
      "1 done 0 given up 2 left, 1/1, fruitless 0, 12_1 in flight, h2 1" },
    { "its node failed, it felt the signal, and it waits again",
      "submitted 12_1;started 12_1 a1 h[1-2];interrupted 12_1 a1", "PENDING|0:00|1||BeginTime", "",
      "h2", "0 done 0 given up 3 left, 1/1, fruitless 0, 12_1 in flight", "node_failed:1:h2",
      "0 done 0 given up 3 left, 1/1, fruitless 0, 12_1 in flight, h2 1" },
    { "put back by hand", "submitted 12_1;started 12_1 a1 h[1-2]", "PENDING|0:00|1||BeginTime", "",
      "", "0 done 0 given up 3 left, 1/1, fruitless 0, 12_1 in flight", "interrupted:1:", NULL },
    { "put back, and at work again elsewhere",
      "submitted 12_1;started 12_1 a1 h[1-2];started 12_1 a2 h[3-4]", "RUNNING|0:09|2|h[3-4]|None",
      "", "h2", "0 done 0 given up 3 left, 1/2, fruitless 0, 12_1 in flight", "node_failed:1:h2",
      "0 done 0 given up 3 left, 1/2, fruitless 0, 12_1 in flight, h2 1" },
    { "put back, and done before anybody looked",
      "submitted 12_1;started 12_1 a1 h[1-2];started 12_1 a2 h[3-4];measured a2 3;done 12_1 a2", "",
      "", "h2", "3 done 0 given up 0 left, 1/2, fruitless 0, 12_1 closed", "node_failed:1:h2",
      "3 done 0 given up 0 left, 1/2, fruitless 0, 12_1 closed, h2 1" },
    { "a node that breaks two attempts is excluded; one that breaks an attempt twice is not",
      "submitted 12_1;started 12_1 a1 h[1-2];node_failed 12_1 a1 h2;node_failed 12_1 a1 h2;"
      "node_failed 12_1 a1 h1;submitted 13_1;started 13_1 a2 h[1-2];measured a2 3;"
      "node_failed 13_1 a2 h1;done 13_1 a2",
      "", "FAILED", "", "3 done 0 given up 0 left, 2/2, fruitless 0, 13_1 closed, h1 2!, h2 1", "",
      NULL },

    { "submitted by hand: a task that nobody announced",
      "submitted 12_1;started 12_1 a1 h[1-2];cancelled 12_1 a1;started 13_1 a2 h[1-2];"
      "measured a2 3;done 13_1 a2",
      "", "", "", "3 done 0 given up 0 left, 1/2, fruitless 0, 13_1 closed", "", NULL },
    { "measured without Slurm, and its driver died", "started - a1", "", "", "",
      "0 done 0 given up 3 left, 0/1, fruitless 0, never", "", NULL },
    { "events of other facts count for nothing",
      "submitted 12_1;timeout 12_1;submitted 13_1 other;timeout 13_1 other;submitted 14_1 other;"
      "timeout 14_1 other",
      "", "", "", "0 done 0 given up 3 left, 1/0, fruitless 1, 14_1 closed", "", NULL },
    { "an event of a launch that is not planned, and a line cut short",
      "submitted 12_1;stranger;cut", "PENDING|0:00|1||Priority", "", "",
      "0 done 0 given up 3 left, 1/0, fruitless 0, 12_1 in flight", "", NULL },
};

/* ---- the directory ---- */

static char dir[] = "/tmp/collsel-ledger-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[PATH_SIZE];
    struct err err = { 0 };
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (fs_write(path, text, &err) < 0)
        diag("%s", err.text);
}

static struct point points[POINTS];

static void make_plan(void)
{
    static struct launch launch;
    struct err err = { 0 };
    launch_parse(LAUNCH, &launch, &err);
    launch.n = POINTS;
    for (int i = 0; i < POINTS; i++) {
        struct point *p = &points[i];
        *p = (struct point){ .experiment = EXP_TIME };
        p->cell = (struct cell){ .collective = "bcast", .mpi = "openmpi", .mapping = "core" };
        p->cell.nodes = 2;
        p->cell.ppn = 1;
        p->cell.procs = 2;
        p->cell.bytes = 8192u << i;
        snprintf(p->candidate.algorithm, NAME_SIZE, "portable:chain");
        point_identify(p);
    }
    struct plan plan = { .points = points, .n = POINTS, .launches = &launch, .n_launches = 1 };
    ok(plan_write(&plan, dir, &err) == 0, "a plan of three points is written %s", err.text);
    put("manifest.json", "{\"digest\":\"0123abcd\",\"backend\":{\"name\":\"slurm\"}}");
}

/* The scripts that stand for Slurm. */
static void make_slurm(void)
{
    static const char *const commands[] = { "squeue", "scontrol", "sinfo" };
    char path[PATH_SIZE], text[PATH_SIZE];
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "bin/%s", commands[i]);
        snprintf(text, sizeof text,
                 "#!/bin/sh\n[ -s '%s/%s' ] || { echo 'slurm_load_jobs error: Invalid job id "
                 "specified' >&2; exit 1; }\ncat '%s/%s'\n",
                 dir, commands[i], dir, commands[i]);
        put(path, text);
        snprintf(path, sizeof path, "%s/bin/%s", dir, commands[i]);
        chmod(path, 0755);
    }
    snprintf(path, sizeof path, "%s/bin:%.4000s", dir, getenv("PATH"));
    setenv("PATH", path, 1);
}

static void clear(void)
{
    static const char *const names[] = { "events.jsonl", "samples/" LAUNCH ".a1-0123abcd.csv",
                                         "samples/" LAUNCH ".a1-0123abcd.outcomes.csv",
                                         "samples/" LAUNCH ".a2-0123abcd.csv",
                                         "samples/" LAUNCH ".a2-0123abcd.outcomes.csv" };
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        unlink(path);
    }
}

/* ---- a scene ---- */

/* Points from first on of attempt, n of them; the attempt's files have those alone. */
static void measure(int attempt, int first, int n)
{
    char name[128], samples[TEXT], outcomes[TEXT];
    int a = snprintf(samples, sizeof samples,
                     "point,rep,max_s,mean_s,min_s,root_s,at_s,warmup,valid\n");
    int b = snprintf(outcomes, sizeof outcomes,
                     "point,status,reason,verified,ran_algorithm,ran_segment_bytes,ran_fanout,"
                     "n_rows,n,converged,checked,elapsed_s,core_s\n");
    for (int i = first; i < n; i++) {
        a += snprintf(samples + a, sizeof samples - (size_t)a, "%s,0,2e-3,1e-3,1e-3,1e-3,0.5,0,1\n",
                      points[i].id);
        b += snprintf(outcomes + b, sizeof outcomes - (size_t)b,
                      "%s,ok,,planted,portable:chain,0,0,1,1,1,0,0.1,0.2\n", points[i].id);
    }
    snprintf(name, sizeof name, "samples/" LAUNCH ".a%d-0123abcd.csv", attempt);
    put(name, samples);
    snprintf(name, sizeof name, "samples/" LAUNCH ".a%d-0123abcd.outcomes.csv", attempt);
    put(name, outcomes);
}

/* One event of a scene, by its words. */
static void happen(struct journal *journal, char *words)
{
    struct event e = { .elapsed_s = 10, .cores = 2 };
    struct err err = { 0 };
    const char *name = strsep(&words, " "), *job = words ? strsep(&words, " ") : "";
    const char *other = words ? strstr(words, "other") : NULL;
    snprintf(e.event, sizeof e.event, "%s", name);
    snprintf(e.launch, sizeof e.launch, "%s",
             strcmp(name, "stranger") == 0 ? "openmpi-core-9x9-p81-r1" : LAUNCH);
    snprintf(e.job, sizeof e.job, "%s", strcmp(job, "-") == 0 ? "" : job);
    snprintf(e.digest, sizeof e.digest, "%s", other ? "ffffffff" : "0123abcd");
    for (char *word; words && (word = strsep(&words, " "));) {
        if (*word == 'a')
            e.attempt = (int)strtol(word + 1, NULL, 10);
        else if (*word == 'h' && strcmp(name, "started") == 0)
            snprintf(e.nodes, sizeof e.nodes, "%s", word);
        else if (*word == 'h')
            snprintf(e.node, sizeof e.node, "%s", word);
        else if (strcmp(word, "untold") == 0)
            e.elapsed_s = 0;
        else if (strncmp(word, "mark=", 5) == 0)
            snprintf(e.mark, sizeof e.mark, "%s", word + 5);
        else if (strcmp(word, "point") == 0)
            memcpy(e.point, points[0].id, sizeof e.point);
    }
    if (journal_write(journal, &e, &err) < 0)
        diag("%s", err.text);
}

static void happen_all(const char *events)
{
    struct journal journal;
    struct err err = { 0 };
    char text[TEXT], *rest = text;
    int done = 0;
    snprintf(text, sizeof text, "%s", events);
    if (journal_open(&journal, dir, &err) < 0)
        diag("%s", err.text);
    for (char *one; (one = strsep(&rest, ";"));) {
        int attempt, n;
        if (sscanf(one, "measured a%d %d", &attempt, &n) == 2) {
            measure(attempt, done, n);
            done = n;
        } else if (strcmp(one, "cut") == 0) {
            if (write(journal.fd, "{\"t\":\"20", 8) != 8)
                diag("cannot write");
        } else if (*one) {
            happen(&journal, one);
        }
    }
    journal_close(&journal);
}

static void answer(const struct scene *s)
{
    char text[TEXT];
    snprintf(text, sizeof text, "12_1|%s\n", s->queue);
    put("squeue", *s->queue ? text : "");
    char state[32] = "", code[16] = "0:0";
    const char *command = strstr(s->remembered, " Command=");
    sscanf(s->remembered, command ? "%31s" : "%31s %15s", state, code);
    snprintf(text, sizeof text,
             "JobId=12 ArrayJobId=12 ArrayTaskId=1 JobName=x JobState=%s Reason=None Restarts=0 "
             "ExitCode=%s RunTime=00:00:30 NodeList=h[1-2] NumCPUs=2%s\n",
             state, code, command ? command : "");
    put("scontrol", *s->remembered ? text : "");
    size_t used = 0;
    for (int i = 1; i <= 4; i++) {
        char name[8];
        snprintf(name, sizeof name, "h%d", i);
        int down = strstr(s->down, name) != NULL;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s|%s|%s\n", name,
                                 down ? "down*" : "idle", down ? "Not responding" : "none");
    }
    put("sinfo", text);
}

/* ---- what is seen ---- */

static void describe(const struct ledger *l, char *buf, size_t size)
{
    const struct ledger_launch *at = &l->launches[0];
    const char *how = ledger_in_flight(at) ? " in flight" : at->closed ? " closed" : " over";
    char excluded[64];
    ledger_excluded(l, excluded, sizeof excluded);
    int n = snprintf(buf, size, "%zu done %zu given up %zu left, %d/%d, fruitless %d, %s%s",
                     at->finished, at->failed, at->left, at->submissions, at->attempts,
                     at->fruitless, *at->job ? at->job : "never", *at->job ? how : "");
    for (size_t i = 0; i < l->n_nodes; i++)
        n += snprintf(buf + n, size - (size_t)n, ", %s %d%s", l->nodes[i].name, l->nodes[i].strikes,
                      strstr(excluded, l->nodes[i].name) ? "!" : "");
}

struct tail {
    size_t skip;
    char text[TEXT];
};

static int on_event(const struct event *e, void *user)
{
    struct tail *t = user;
    const size_t used = strlen(t->text);
    if (t->skip) {
        t->skip--;
        return 0;
    }
    snprintf(t->text + used, sizeof t->text - used, "%s%s:%d:%s", used ? " " : "", e->event,
             e->attempt, e->node);
    ok(*e->reason && strcmp(e->job, "12_1") == 0 && strcmp(e->digest, "0123abcd") == 0,
       "  with reason, job and digest (%s)", e->reason);
    return 0;
}

static int count(const struct event *e, void *user)
{
    (void)e;
    ++*(size_t *)user;
    return 0;
}

static void play(const struct scene *s)
{
    const struct slurm slurm = { .partition = "two" };
    struct ledger ledger;
    struct err err = { 0 };
    struct tail tail = { 0 };
    char seen[TEXT] = "";
    size_t n = 0, again = 0;
    clear();
    happen_all(s->events);
    answer(s);
    journal_read(dir, count, &tail.skip, &err);
    if (!ok(ledger_open(dir, &slurm, RETRIES, &ledger, &err) == 0, "%s %s", s->what, err.text))
        return;
    describe(&ledger, seen, sizeof seen);
    is_str(s->seen, seen, "  the ledger");
    if (!ok(ledger_account(dir, &slurm, &ledger, &n, &err) == 0, "  is accounted for %s", err.text))
        return;
    journal_read(dir, on_event, &tail, &err);
    is_str(s->written, tail.text, "  what accounting writes");
    describe(&ledger, seen, sizeof seen);
    is_str(s->after ? s->after : s->seen, seen, "  and the ledger after that");
    is_int(0, ledger_account(dir, &slurm, &ledger, &again, &err), "  accounting again");
    is_int(0, (long long)again, "  writes nothing again");
    ledger_free(&ledger);
}

/* ---- costs, and no Slurm ---- */

static void test_cost(void)
{
    struct ledger ledger;
    struct err err = { 0 };
    clear();
    happen_all("submitted 12_1;started 12_1 a1 h[1-2];failed 12_1 a1 point;started 12_1 a2 h[1-2];"
               "measured a2 3;done 12_1 a2");
    if (!ok(ledger_open(dir, NULL, RETRIES, &ledger, &err) == 0, "files alone"))
        return;
    is_near(20, ledger.launches[0].elapsed_s, 0, "two attempts of ten seconds");
    is_near(40, ledger.core_s, 0, "on two cores");
    is_int(3, ledger.attempts[1].finished, "the second attempt has the points");
    ledger_free(&ledger);
}

/* What a launch cost in seconds and core-seconds, and of how many attempts that is a lower bound.
 */
static void test_cut(const char *what, const char *events, double elapsed_s, double core_s,
                     size_t unended)
{
    struct ledger ledger;
    struct err err = { 0 };
    clear();
    happen_all(events);
    if (!ok(ledger_open(dir, NULL, RETRIES, &ledger, &err) == 0, "%s: %s", what, err.text))
        return;
    is_near(elapsed_s, ledger.launches[0].elapsed_s, 1e-9, "  seconds");
    is_near(core_s, ledger.core_s, 1e-9, "  core-seconds");
    is_int((int)unended, (int)ledger.launches[0].unended, "  attempts without a known end");
    ledger_free(&ledger);
}

/* A point takes 0.1 s on two cores, an attempt that tells its end ten. */
static void test_cuts(void)
{
    test_cut("a driver and its ranks were killed: what they finished counts, once",
             "started - a1;measured a1 2;started - a2;measured a2 3;done - a2", 10.2, 20.4, 1);
    test_cut("killed, and nobody went on", "started - a1;measured a1 2", 0.2, 0.4, 1);
    test_cut("killed before anything was finished",
             "started - a1;started - a2;measured a2 3;done - a2", 10, 20, 1);
    test_cut("two tell of one end",
             "submitted 12_1;started 12_1 a1 h[1-2];measured a1 1;node_failed 12_1 a1 h1;"
             "interrupted 12_1 a1;started 12_1 a2 h[3-4];measured a2 3;done 12_1 a2",
             20, 40, 0);
    test_cut("a node took it along, and Slurm began anew: nobody tells how long it was at work",
             "submitted 12_1;started 12_1 a1 h[1-2];measured a1 2;node_failed 12_1 a1 h1 untold;"
             "started 12_1 a2 h[3-4];measured a2 3;done 12_1 a2",
             10.2, 20.4, 1);
}

static void test_without_slurm(void)
{
    struct ledger ledger;
    struct err err = { 0 };
    clear();
    happen_all("submitted 12_1");
    if (ok(ledger_open(dir, NULL, RETRIES, &ledger, &err) == 0, "Slurm is not asked")) {
        ok(ledger_in_flight(&ledger.launches[0]), "what was submitted may be in flight");
        ledger_free(&ledger);
    }
    const struct slurm slurm = { .partition = "two" };
    put("bin/squeue", "#!/bin/sh\necho 'slurm_load_jobs error: Unable to contact slurm controller "
                      "(connect failure)' >&2\nexit 1\n");
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/bin/squeue", dir);
    chmod(path, 0755);
    ok(ledger_open(dir, &slurm, RETRIES, &ledger, &err) < 0, "Slurm that does not answer");
    has_str("Unable to contact slurm controller", err.text, "is an error in its words");
}

/* In a child that has memory for so many allocations: 0 read, 1 said what is the matter (or ended,
 * memory.h), else 2. */
static int read_with(int allocations)
{
    int status = 2;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        struct ledger ledger;
        struct err err = { 0 };
        fclose(stderr);
        left = allocations;
        const int opened = ledger_open(dir, NULL, RETRIES, &ledger, &err);
        _exit(opened == 0 ? 0 : *err.text ? 1 : 2);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/* Whatever memory is lacking for, the ledger is read or says what is the matter. */
static void test_no_memory(void)
{
    int allocations = 0, silent = 0, got;
    clear();
    happen_all("submitted 12_1;started 12_1 a1 h[1-2];measured a1 1;node_failed 12_1 a1 h1;"
               "interrupted 12_1 a1;started 12_1 a2 h[3-4]");
    for (; (got = read_with(allocations)) != 0 && allocations < 1000; allocations++)
        silent += got != 1;
    ok(allocations > 5 && allocations < 1000, "a ledger allocates %d times", allocations);
    is_int(0, silent, "and says so where one of them fails");
}

int main(void)
{
    char path[PATH_SIZE];
    if (!mkdtemp(dir))
        return tap_skip_all("no temporary directory");
    make_plan();
    make_slurm();
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        play(&scenes[i]);
    test_cost();
    test_cuts();
    test_without_slurm();
    test_no_memory();
    clear();
    static const char *const made[] = { "plan.csv",  "skipped.csv", "manifest.json", "squeue",
                                        "scontrol",  "sinfo",       "bin/squeue",    "bin/scontrol",
                                        "bin/sinfo", "bin",         "samples" };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, made[i]);
        remove(path);
    }
    ok(rmdir(dir) == 0, "nothing else was made");
    return tap_done();
}
