/* SPDX-License-Identifier: BSD-3-Clause */
/* What Slurm's commands print: captured outputs of 22.05.8 in every state that a testbed could be
 * brought into, hand-made ones of other versions (tests/fake/slurm/captured), and rubbish. Asking
 * is tried on the fake commands. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/run/slurm/query.h"
#include "tests/tap.h"

typedef int parser(const char *text, struct task_list *list, struct err *err);

/* "12_3 running 6 s 4 cores h[1-2] exit 0 (why) +1" */
static void describe(const struct slurm_task *t, char *buf, size_t size)
{
    char exit_text[24] = "", restarts[24] = "";
    if (t->exit >= 0)
        snprintf(exit_text, sizeof exit_text, " exit %d", t->exit);
    if (t->restarts)
        snprintf(restarts, sizeof restarts, " +%d", t->restarts);
    snprintf(buf, size, "%s %s %g s %d cores %s%s (%s)%s", t->job, slurm_state_name(t->state),
             t->elapsed_s, t->cores, *t->nodes ? t->nodes : "-", exit_text, t->reason, restarts);
}

static char *captured(const char *name)
{
    char path[256];
    struct err err = { 0 };
    snprintf(path, sizeof path, "tests/fake/slurm/captured/%s.txt", name);
    char *text = fs_read(path, NULL, &err);
    if (!text)
        ok(0, "%s", err.text);
    return text;
}

static void check(const char *name, parser *parse, const char *const *wanted)
{
    struct task_list list = { 0 };
    struct err err = { 0 };
    char *text = captured(name), seen[512];
    size_t n = 0;
    if (!text)
        return;
    while (wanted[n])
        n++;
    is_int(0, parse(text, &list, &err), "%s is read %s", name, err.text);
    is_int((long long)n, (long long)list.n, "%s: %zu tasks", name, n);
    for (size_t i = 0; i < n && i < list.n; i++) {
        describe(&list.v[i], seen, sizeof seen);
        is_str(wanted[i], seen, "%s: %s", name, list.v[i].job);
    }
    free(list.v);
    free(text);
}

#define CHECK(name, parse, ...) check(name, parse, (const char *const[]){ __VA_ARGS__, NULL })

/* What stays pending until somebody releases it. */
static void test_held(void)
{
    static const struct {
        const char *line;
        int held;
    } rows[] = { { "1|PENDING|0:00|1||JobHeldUser", 1 },
                 { "1|PENDING|0:00|1||JobHeldAdmin", 1 },
                 { "1|PENDING|0:00|1||launch failed requeued held", 1 },
                 { "1|PENDING|0:00|1||job requeued in held state", 1 },
                 { "1|SPECIAL_EXIT|0:00|1||None", 1 },
                 { "1|PENDING|0:00|1||Priority", 0 },
                 { "1|RUNNING|0:10|1|h1|None", 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct task_list list = { 0 };
        query_squeue(rows[i].line, &list, NULL);
        is_int(rows[i].held, list.n == 1 ? list.v[0].held : -1, "held or not: %s", rows[i].line);
        free(list.v);
    }
}

/* What tells our job from another of the same number. */
static void test_marks(void)
{
    static const struct {
        const char *queue, *remembered; /* of squeue, of scontrol */
        int shown;
        const char *mark;
    } rows[] = {
        { "1|RUNNING|0:10|1|h1|None|/a/b.sbatch collsel-mark-0123abcd",
          "JobId=1 JobState=RUNNING Command=/a/b.sbatch collsel-mark-0123abcd WorkDir=/a", 1,
          "collsel-mark-0123abcd" },
        { "1|RUNNING|0:10|1|h1|None|/a |b/c.sbatch collsel-mark-0123abcd",
          "JobId=1 JobState=RUNNING Command=/a |b/c.sbatch collsel-mark-0123abcd WorkDir=/a", 1,
          "collsel-mark-0123abcd" },
        { "1|RUNNING|0:10|1|h1|None|/a/b.sbatch", "JobId=1 JobState=RUNNING Command=/a/b.sbatch", 1,
          "" },
        { "1|RUNNING|0:10|1|h1|None|(null)", "JobId=1 JobState=RUNNING Command=(null)", 1, "" },
        { "1|RUNNING|0:10|1|h1|None|/collsel-mark-0123abcd/b",
          "JobId=1 JobState=RUNNING Command=/collsel-mark-0123abcd/b", 1, "" },
        { "1|RUNNING|0:10|1|h1|None|b collsel-mark-0123456789abcdef",
          "JobId=1 JobState=RUNNING Command=b collsel-mark-0123456789abcdef", 1, "" },
        { "1|RUNNING|0:10|1|h1|None", "JobId=1 JobState=RUNNING", 0, "" },
    };
    char one[MARK_SIZE], other[MARK_SIZE], row[128];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct task_list list = { 0 };
        query_squeue(rows[i].queue, &list, NULL);
        query_scontrol(rows[i].remembered, &list, NULL);
        if (!ok(list.n == 2, "two rows: %s", rows[i].queue))
            continue;
        for (size_t k = 0; k < 2; k++) {
            is_int(rows[i].shown, list.v[k].shown, "shows a command or not");
            is_str(rows[i].mark, list.v[k].mark, "and its mark");
        }
        free(list.v);
    }
    slurm_make_mark(one);
    slurm_make_mark(other);
    ok(strcmp(one, other) != 0, "no mark is made twice: %s, %s", one, other);
    struct task_list list = { 0 };
    snprintf(row, sizeof row, "1|RUNNING|0:10|1|h1|None|/a/b.sbatch %s", one);
    query_squeue(row, &list, NULL);
    is_str(one, list.n ? list.v[0].mark : "none", "one that is made is read");
    free(list.v);
}

/* A row too long to be held whole shows no command: what is cut off may be the mark. */
static void test_cut(void)
{
    struct task_list list = { 0 };
    char row[3 * PATH_SIZE];
    const int n = snprintf(row, sizeof row, "1|RUNNING|0:10|1|h1|None|/");
    memset(row + n, 'a', sizeof row - (size_t)n);
    row[sizeof row - 1] = '\0';
    query_squeue(row, &list, NULL);
    is_int(0, list.n == 1 ? list.v[0].shown : -1, "a long row shows no command");
    free(list.v);
}

static void test_squeue(void)
{
    CHECK("squeue-queue", query_squeue, "1_3 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_4 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_5 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_6 pending 0 s 0 cores - (JobArrayTaskLimit)", "3 pending 0 s 0 cores - (Dependency)",
          "4_2 pending 0 s 0 cores - (Resources)", "4_5 pending 0 s 0 cores - (Resources)",
          "4_8 pending 0 s 0 cores - (Resources)", "2 pending 0 s 0 cores - (JobHeldUser)",
          "1_1 running 6 s 4 cores capt-[0-1] ()", "1_2 running 6 s 4 cores capt-[2-3] ()");
    CHECK("squeue-collapsed", query_squeue, "1_3 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_4 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_5 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_6 pending 0 s 0 cores - (JobArrayTaskLimit)", "3 pending 0 s 0 cores - (Dependency)",
          "4_2 pending 0 s 0 cores - (Resources)", "4_5 pending 0 s 0 cores - (Resources)",
          "4_8 pending 0 s 0 cores - (Resources)", "2 pending 0 s 0 cores - (JobHeldUser)",
          "1_1 running 6 s 4 cores capt-[0-1] ()", "1_2 running 6 s 4 cores capt-[2-3] ()");
    CHECK("squeue-short-states", query_squeue, "1_3 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_4 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_5 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_6 pending 0 s 0 cores - (JobArrayTaskLimit)", "1_2 running 6 s 4 cores capt-[2-3] ()",
          "1_1 running 6 s 4 cores capt-[0-1] ()");
    CHECK("squeue-completing", query_squeue, "7 running 1 s 1 cores capt-0 ()");
    CHECK("squeue-requeued", query_squeue, "15_4 pending 0 s 0 cores - (BeginTime)");
    check("squeue-unknown", query_squeue, (const char *const[]){ NULL });
    check("squeue-no-controller", query_squeue, (const char *const[]){ NULL });
}

static void test_scontrol(void)
{
    CHECK("scontrol-queue", query_scontrol, "1_3 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_4 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_5 pending 0 s 0 cores - (JobArrayTaskLimit)",
          "1_6 pending 0 s 0 cores - (JobArrayTaskLimit)", "1_2 running 6 s 4 cores capt-[2-3] ()",
          "1_1 running 6 s 4 cores capt-[0-1] ()");
    CHECK("scontrol-failed", query_scontrol,
          "9_1 failed 0 s 1 cores capt-1 exit 3 (NonZeroExitCode)");
    CHECK("scontrol-killed", query_scontrol,
          "10 failed 0 s 1 cores capt-2 exit 137 (JobLaunchFailure)");
    CHECK("scontrol-timeout", query_scontrol,
          "11_7 timeout 72 s 1 cores capt-2 exit 143 (TimeLimit)");
    CHECK("scontrol-node-fail", query_scontrol,
          "14 node failure 30 s 1 cores capt-3 exit 0 (NodeDown)");
    CHECK("scontrol-requeued", query_scontrol, "15_4 pending 0 s 0 cores - (BeginTime) +1");
    CHECK("scontrol-cancelled-pending", query_scontrol,
          "4_2 cancelled 0 s 0 cores - exit 0 (Resources)",
          "4_5 cancelled 0 s 0 cores - exit 0 (Resources)",
          "4_8 cancelled 0 s 0 cores - exit 0 (Resources)");
    CHECK("made-scontrol-23.11", query_scontrol,
          "12_3 failed 93784 s 8 cores h[1-2] exit 137 (RaisedSignal:9(Killed)) +2",
          "12_4 pending 0 s 0 cores - (ReqNodeNotAvail,_UnavailableNodes:h3)",
          "12_6 pending 0 s 0 cores - (ReqNodeNotAvail,_UnavailableNodes:h3)",
          "12_8 pending 0 s 0 cores - (ReqNodeNotAvail,_UnavailableNodes:h3)");
    check("scontrol-unknown", query_scontrol, (const char *const[]){ NULL });
}

static void test_sacct(void)
{
    CHECK("made-sacct-20.11", query_sacct, "12_1 completed 65 s 8 cores h[1-2] exit 0 ()",
          "12_2 failed 1 s 8 cores h[3-4] exit 3 ()",
          "12_3 timeout 86428 s 8 cores h[1-2] exit 0 ()",
          "12_4 cancelled 0 s 0 cores - exit 0 (CANCELLED by 1000)",
          "12_5 node failure 30 s 8 cores h[3-4] exit 0 ()",
          "12_6 out of memory 2 s 8 cores h[1-2] exit 253 ()",
          "12_7 preempted 600 s 8 cores h[1-2] exit 0 ()",
          "12_8 running 3 s 8 cores h[1-2] exit 0 ()", "12_9 pending 0 s 0 cores - exit 0 ()",
          "12_10 pending 0 s 0 cores - exit 0 ()", "12_11 pending 0 s 0 cores - exit 0 ()",
          "13 node failure 0 s 8 cores h1 exit 0 ()", "14 timeout 0 s 0 cores - exit 0 ()",
          "15 pending 7 s 8 cores h1 exit 0 ()");
    check("sacct-disabled", query_sacct, (const char *const[]){ NULL });
}

/* ---- later releases ---- */

/* Without what differs from day to day: seconds, and the name of the cluster before its nodes. */
static void describe_coarsely(struct slurm_task t, char *buf, size_t size)
{
    const char *dash = strchr(t.nodes, '-');
    t.elapsed_s = 0;
    if (dash)
        memmove(t.nodes, dash, strlen(dash) + 1);
    describe(&t, buf, size);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* All tasks of a captured answer, a line each, in order. */
static void tasks_of(const char *name, parser *parse, char out[4096])
{
    char line[64][128];
    struct task_list list = { 0 };
    char *text = captured(name);
    size_t used = 0;
    out[0] = '\0';
    if (text && parse(text, &list, NULL) < 0)
        snprintf(out, 4096, "not read");
    for (size_t i = 0; i < list.n && i < 64; i++)
        describe_coarsely(list.v[i], line[i], sizeof line[i]);
    if (list.n)
        qsort(line, list.n, sizeof line[0], by_text);
    for (size_t i = 0; i < list.n && i < 64; i++)
        used += (size_t)snprintf(out + used, 4096 - used, "%s\n", line[i]);
    free(list.v);
    free(text);
}

/* The same things were done under each release (captured/capture): what is read is the same, but
 * for what stands here. */
static void test_later(void)
{
    static const char *const releases[] = { "24.11.5", "26.05.5" };
    static const struct {
        const char *name;
        parser *parse;
        const char *differs[2];
    } rows[] = {
        { "squeue-queue", query_squeue, { NULL, NULL } },
        { "squeue-collapsed", query_squeue, { NULL, NULL } },
        { "squeue-short-states", query_squeue, { NULL, NULL } },
        { "squeue-completing", query_squeue, { NULL, NULL } },
        { "squeue-requeued", query_squeue, { NULL, NULL } },
        { "squeue-with-an-unknown", query_squeue, { NULL, NULL } },
        { "squeue-unknown", query_squeue, { NULL, NULL } },
        { "squeue-no-controller", query_squeue, { NULL, NULL } },
        { "sacct-disabled", query_sacct, { NULL, NULL } },
        { "scontrol-queue", query_scontrol, { NULL, NULL } },
        { "scontrol-cancelled", query_scontrol, { NULL, NULL } },
        { "scontrol-cancelled-pending", query_scontrol, { NULL, NULL } },
        { "scontrol-completed", query_scontrol, { NULL, NULL } },
        { "scontrol-failed", query_scontrol, { NULL, NULL } },
        { "scontrol-killed",
          query_scontrol,
          { "10 failed 0 s 1 cores -2 exit 137 (RaisedSignal:9(Killed))\n",
            "10 failed 0 s 1 cores -2 exit 137 (RaisedSignal:9(Killed))\n" } },
        { "scontrol-timeout", /* a job more, and one start more, that day */
          query_scontrol,
          { "12_7 timeout 0 s 1 cores -0 exit 143 (TimeLimit) +1\n", NULL } },
        { "scontrol-node-fail", /* ExitCode=0:1 of what no program ended */
          query_scontrol,
          { "14 node failure 0 s 1 cores -3 exit 129 (NodeDown)\n",
            "14 node failure 0 s 1 cores -3 exit 129 (NodeDown)\n" } },
        { "scontrol-requeued", query_scontrol, { NULL, NULL } },
        { "scontrol-unknown", query_scontrol, { NULL, NULL } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < sizeof releases / sizeof *releases; k++) {
            char name[128], old[4096], late[4096];
            snprintf(name, sizeof name, "%s/%s", releases[k], rows[i].name);
            tasks_of(rows[i].name, rows[i].parse, old);
            tasks_of(name, rows[i].parse, late);
            is_str(rows[i].differs[k] ? rows[i].differs[k] : old, late, "%s: as of 22.05%s", name,
                   rows[i].differs[k] ? ", but for what is known to differ" : "");
        }
}

/* ---- nodes ---- */

static void test_nodes(void)
{
    static const struct {
        const char *name, *usable, *broken;
    } cases[] = {
        { "sinfo-idle", "capt-0 capt-1 capt-2 capt-3", "" },
        { "sinfo-allocated", "capt-0 capt-1 capt-2 capt-3", "" },
        { "sinfo-mixed-drained", "capt-0 capt-2 capt-3", "capt-1:bad fan" },
        { "sinfo-draining", "capt-0 capt-3", "capt-1:bad fan capt-2:bad | fan" },
        { "sinfo-down", "capt-0 capt-1 capt-2", "capt-3:Not responding" },
        { "sinfo-down-by-hand", "capt-1 capt-2", "capt-0:pulled the plug capt-3:Not responding" },
        { "sinfo-no-controller", "", "" },
        { "24.11.5/sinfo-idle", "pair-0 pair-1 pair-2 pair-3", "" },
        { "24.11.5/sinfo-allocated", "pair-0 pair-1 pair-2 pair-3", "" },
        { "24.11.5/sinfo-mixed-drained", "pair-0 pair-2 pair-3", "pair-1:bad fan" },
        { "24.11.5/sinfo-draining", "pair-0 pair-3", "pair-1:bad fan pair-2:bad | fan" },
        { "24.11.5/sinfo-down", "pair-0 pair-1 pair-2", "pair-3:Not responding" },
        { "24.11.5/sinfo-down-by-hand", "pair-1 pair-2",
          "pair-0:pulled the plug pair-3:Not responding" },
        { "26.05.5/sinfo-idle", "pair-0 pair-1 pair-2 pair-3", "" },
        { "26.05.5/sinfo-allocated", "pair-0 pair-1 pair-2 pair-3", "" },
        { "26.05.5/sinfo-mixed-drained", "pair-0 pair-2 pair-3", "pair-1:bad fan" },
        { "26.05.5/sinfo-draining", "pair-0 pair-3", "pair-1:bad fan pair-2:bad | fan" },
        { "26.05.5/sinfo-down", "pair-0 pair-1 pair-2", "pair-3:Not responding" },
        { "26.05.5/sinfo-down-by-hand", "pair-1 pair-2",
          "pair-0:pulled the plug pair-3:Not responding" },
        { "24.11.5/sinfo-no-controller", "", "" },
        { "26.05.5/sinfo-no-controller", "", "" },
        { "made-sinfo-23.11", "h1 h2 h3 h4 h5 h6 h14 h15",
          "h7:Not responding h8:Not responding h9:bad fan h10:reboot ASAP h11:disk h12:Low "
          "RealMemory h13: h16: h17: h18:reboot" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = captured(cases[i].name), usable[512] = "", broken[512] = "";
        struct slurm_node *nodes;
        size_t n;
        if (!ok(text != NULL, "%s is read", cases[i].name))
            continue;
        query_nodes(text, &nodes, &n);
        for (size_t k = 0; k < n; k++) {
            char *to = nodes[k].usable ? usable : broken;
            size_t used = strlen(to);
            snprintf(to + used, 512 - used, "%s%s%s%s", used ? " " : "", nodes[k].name,
                     nodes[k].usable ? "" : ":", nodes[k].usable ? "" : nodes[k].reason);
        }
        is_str(cases[i].usable, usable, "%s: the usable nodes", cases[i].name);
        is_str(cases[i].broken, broken, "%s: the others, and why", cases[i].name);
        free(nodes);
        free(text);
    }
}

/* ---- words and rubbish ---- */

static void test_states(void)
{
    static const struct {
        const char *text;
        int state; /* -1: none */
    } cases[] = {
        { "PENDING", SLURM_PENDING },
        { "PD", SLURM_PENDING },
        { "REQUEUED", SLURM_PENDING },
        { "REQUEUE_HOLD", SLURM_PENDING },
        { "RUNNING", SLURM_RUNNING },
        { "R", SLURM_RUNNING },
        { "COMPLETING", SLURM_RUNNING },
        { "CG", SLURM_RUNNING },
        { "CONFIGURING", SLURM_RUNNING },
        { "SUSPENDED", SLURM_RUNNING },
        { "COMPLETED", SLURM_COMPLETED },
        { "CD", SLURM_COMPLETED },
        { "FAILED", SLURM_FAILED },
        { "F", SLURM_FAILED },
        { "LAUNCH_FAILED", SLURM_FAILED },
        { "TIMEOUT", SLURM_TIMEOUT },
        { "TO", SLURM_TIMEOUT },
        { "DEADLINE", SLURM_TIMEOUT },
        { "CANCELLED", SLURM_CANCELLED },
        { "CANCELLED by 0", SLURM_CANCELLED },
        { "CANCELLED+", SLURM_CANCELLED },
        { "CA", SLURM_CANCELLED },
        { "NODE_FAIL", SLURM_NODE_FAIL },
        { "NF", SLURM_NODE_FAIL },
        { "BOOT_FAIL", SLURM_NODE_FAIL },
        { "PREEMPTED", SLURM_PREEMPTED },
        { "OUT_OF_MEMORY", SLURM_OUT_OF_MEMORY },
        { "OOM", SLURM_OUT_OF_MEMORY },
        { "", -1 },
        { "RUN", -1 },
        { "pending", -1 },
        { "PENDINGX", -1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum slurm_state state = SLURM_GONE;
        int known = query_state(cases[i].text, &state);
        is_int(cases[i].state, known ? (int)state : -1, "state '%s'", cases[i].text);
    }
}

static void test_rubbish(void)
{
    static const struct {
        const char *text;
        int ret, n;
        const char *says;
    } cases[] = {
        { "", 0, 0, "" },
        { "squeue: warning: something\n\n|||||\n", 0, 0, "" },
        { "12_1|RUNNING|0:01", 0, 0, "" },
        { "12_1|RUNNING|0:01|x|h1|None", 0, 1, "" },
        { "12_1|WEIRD|0:01|2|h1|None", 0, 1, "" },
        { "12_1|RUNNING|INVALID|2|h1|None", 0, 1, "" },
        { "12x|RUNNING|0:01|2|h1|None", -1, 0, "the job '12x'" },
        { "12_|RUNNING|0:01|2|h1|None", -1, 0, "the job '12_'" },
        { "12_[1-3|RUNNING|0:01|2|h1|None", -1, 3, "the job '12_[1-3'" },
        { "12_[3-1]|RUNNING|0:01|2|h1|None", -1, 0, "the job '12_[3-1]'" },
        { "12_[1-3:0]|PENDING|0:01|2|h1|None", -1, 0, "the job '12_[1-3:0]'" },
        { "12_[1,3,...]|PENDING|0:01|2|h1|None", -1, 2, "the job '12_[1,3,...]'" },
        { "99999999999|PENDING|0:01|2|h1|None", -1, 0, "the job '99999999999'" },
        { "12_[0-999999999]|PENDING|0:01|2|h1|None", -1, MOST_TASKS, "more than 131072 tasks" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct task_list list = { 0 };
        struct err err = { 0 };
        is_int(cases[i].ret, query_squeue(cases[i].text, &list, &err), "'%.40s' is %s",
               cases[i].text, cases[i].ret ? "refused" : "no trouble");
        is_int(cases[i].n, (long long)list.n, "and gives %d tasks", cases[i].n);
        has_str(cases[i].says, err.text, "and the message says so");
        free(list.v);
    }
    struct task_list list = { 0 };
    is_int(0, query_squeue("12_1|WEIRD|1-00:00:01|2|h1|None", &list, NULL), "an unknown state");
    is_int(SLURM_RUNNING, (int)list.v[0].state, "of squeue is one that may still change");
    is_str("state 'WEIRD'", list.v[0].reason, "and is named");
    is_near(86401, list.v[0].elapsed_s, 0, "a day and a second");
    free(list.v);
}

/* ---- asking the fake commands ---- */

static char dir[] = "/tmp/collsel-query-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[PATH_SIZE];
    struct err err = { 0 };
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (fs_write(path, text, &err) < 0)
        diag("%s", err.text);
    chmod(path, 0755);
}

/* squeue knows the tasks of 12, sacct those of 13, scontrol those of 14; nobody knows 15. */
static void make_slurm(void)
{
    char path[PATH_SIZE];
    put("squeue",
        "#!/bin/sh\necho \"squeue $*\" >>\"$0.log\"\n"
        "[ -e \"$0.dead\" ] && { echo 'squeue: error: Unable to contact slurm controller "
        "(connect failure)' >&2; exit 1; }\n"
        "[ \"$SLURM_CONF\" = /some/slurm.conf ] || exit 3\n[ -z \"$SQUEUE_STATES\" ] || "
        "exit 4\necho '12_3|RUNNING|0:01|2|h1|None'\necho '12_2|PENDING|0:00|2||Priority'\n");
    put("sacct",
        "#!/bin/sh\necho \"sacct $*\" >>\"$0.log\"\n"
        "[ -e \"$0.dead\" ] && { echo 'Slurm accounting storage is disabled' >&2; exit 1; }\n"
        "echo '13_1|COMPLETED|00:00:09|4|h2|0:0'\n");
    put("scontrol",
        "#!/bin/sh\necho \"scontrol $*\" >>\"$0.log\"\ncase $4 in 14|13) echo \"JobId=9 "
        "ArrayJobId=$4 ArrayTaskId=1 JobState=TIMEOUT RunTime=00:01:00 NumCPUs=2\" ;;\n"
        "*) echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1 ;; esac\n");
    put("sinfo", "#!/bin/sh\n[ \"$4\" = two ] && echo 'h1|idle|none'\n");
    snprintf(path, sizeof path, "%s:%.4000s", dir, getenv("PATH"));
    setenv("PATH", path, 1);
}

static void check_tasks(const struct slurm *slurm, const char *wanted, const char *what)
{
    static const char *const jobs[] = { "13_1", "12_2", "15_1", "14_1", "12_3", "12_9" };
    char seen[512] = "";
    struct slurm_task *tasks;
    struct err err = { 0 };
    if (!ok(slurm_tasks(slurm, jobs, 6, &tasks, &err) == 0, "%s %s", what, err.text))
        return;
    for (size_t i = 0; i < 6; i++) {
        const size_t used = strlen(seen);
        snprintf(seen + used, sizeof seen - used, "%s%s %s", i ? ", " : "", tasks[i].job,
                 slurm_state_name(tasks[i].state));
    }
    is_str(wanted, seen, "in the order that they were asked for");
    free(tasks);
}

static void check_log(const char *command, const char *wanted)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.log", dir, command);
    char *text = fs_read(path, NULL, NULL);
    is_str(wanted, text ? text : "", "%s was asked", command);
    free(text);
    unlink(path);
}

static void test_asking(void)
{
    struct slurm slurm = { .conf = "/some/slurm.conf", .partition = "two", .accounting = 1 };
    struct slurm_task *tasks;
    struct slurm_node *nodes;
    struct err err = { 0 };
    const char *const one[] = { "12_3" };
    size_t n;
    setenv("SQUEUE_STATES", "PENDING", 1);
    check_tasks(&slurm,
                "13_1 completed, 12_2 pending, 15_1 gone, 14_1 timeout, 12_3 running, 12_9 gone",
                "squeue, then sacct, then scontrol");
    check_log("squeue", "squeue -h -r -a -j 13,12,15,14 -o " SQUEUE_FIELDS "\n");
    check_log("sacct", "sacct -n -P -X -j 13,15,14,12 -o " SACCT_FIELDS "\n");
    check_log("scontrol",
              "scontrol -o show job 15\nscontrol -o show job 14\nscontrol -o show job 12\n");
    put("sacct.dead", "");
    check_tasks(&slurm,
                "13_1 timeout, 12_2 pending, 15_1 gone, 14_1 timeout, 12_3 running, 12_9 gone",
                "accounting that has gone away");
    slurm.accounting = 0;
    check_log("sacct", "sacct -n -P -X -j 13,15,14,12 -o " SACCT_FIELDS "\n");
    check_tasks(&slurm,
                "13_1 timeout, 12_2 pending, 15_1 gone, 14_1 timeout, 12_3 running, 12_9 gone",
                "no accounting");
    check_log("sacct", "");
    is_int(0, slurm_tasks(&slurm, one, 1, &tasks, &err), "a task that squeue knows");
    free(tasks);
    is_int(0, slurm_nodes(&slurm, &nodes, &n, &err), "nodes");
    is_int(1, (long long)n, "of the partition");
    free(nodes);
    put("squeue.dead", "");
    ok(slurm_tasks(&slurm, one, 1, &tasks, &err) < 0, "a controller that does not answer");
    has_str("Unable to contact slurm controller", err.text, "is an error in its words");
}

int main(void)
{
    static const char *const made[] = { "squeue",       "sacct",       "scontrol",
                                        "sinfo",        "squeue.log",  "sacct.log",
                                        "scontrol.log", "squeue.dead", "sacct.dead" };
    char path[PATH_SIZE];
    test_held();
    test_marks();
    test_cut();
    test_squeue();
    test_scontrol();
    test_sacct();
    test_later();
    test_nodes();
    test_states();
    test_rubbish();
    if (!mkdtemp(dir))
        return tap_done();
    make_slurm();
    test_asking();
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, made[i]);
        unlink(path);
    }
    rmdir(dir);
    return tap_done();
}
