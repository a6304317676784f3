/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/query.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "harness/run/slurm/slurm_command.h"

enum { ANSWER_SIZE = 16 << 20, MOST_FIELDS = 8, IDS_AT_ONCE = 100, FIELD_SIZE = 256 };

/* job_state_codes.html of Slurm 24.11, and squeue(1) for the short names. */
static const struct {
    const char *name, *code; /* code "": squeue has none */
    enum slurm_state state;
} states[] = {
    { "PENDING", "PD", SLURM_PENDING },
    { "REQUEUED", "RQ", SLURM_PENDING },
    { "REQUEUE_HOLD", "RH", SLURM_PENDING },
    { "REQUEUE_FED", "RF", SLURM_PENDING },
    { "SPECIAL_EXIT", "SE", SLURM_PENDING },
    { "RESV_DEL_HOLD", "RD", SLURM_PENDING },
    { "RUNNING", "R", SLURM_RUNNING },
    { "CONFIGURING", "CF", SLURM_RUNNING },
    { "COMPLETING", "CG", SLURM_RUNNING },
    { "SUSPENDED", "S", SLURM_RUNNING },
    { "STOPPED", "ST", SLURM_RUNNING },
    { "SIGNALING", "SI", SLURM_RUNNING },
    { "RESIZING", "RS", SLURM_RUNNING },
    { "STAGE_OUT", "SO", SLURM_RUNNING },
    { "UPDATE_DB", "", SLURM_RUNNING },
    { "EXPEDITING", "", SLURM_RUNNING },
    { "POWER_UP_NODE", "", SLURM_RUNNING },
    { "COMPLETED", "CD", SLURM_COMPLETED },
    { "FAILED", "F", SLURM_FAILED },
    { "LAUNCH_FAILED", "", SLURM_FAILED },
    { "RECONFIG_FAIL", "", SLURM_FAILED },
    { "TIMEOUT", "TO", SLURM_TIMEOUT },
    { "DEADLINE", "DL", SLURM_TIMEOUT },
    { "CANCELLED", "CA", SLURM_CANCELLED },
    { "REVOKED", "RV", SLURM_CANCELLED },
    { "NODE_FAIL", "NF", SLURM_NODE_FAIL },
    { "BOOT_FAIL", "BF", SLURM_NODE_FAIL },
    { "PREEMPTED", "PR", SLURM_PREEMPTED },
    { "OUT_OF_MEMORY", "OOM", SLURM_OUT_OF_MEMORY },
};

const char *slurm_state_name(enum slurm_state state)
{
    static const char *const names[] = {
        [SLURM_PENDING] = "pending",
        [SLURM_RUNNING] = "running",
        [SLURM_COMPLETED] = "completed",
        [SLURM_FAILED] = "failed",
        [SLURM_TIMEOUT] = "timeout",
        [SLURM_CANCELLED] = "cancelled",
        [SLURM_NODE_FAIL] = "node failure",
        [SLURM_PREEMPTED] = "preempted",
        [SLURM_OUT_OF_MEMORY] = "out of memory",
        [SLURM_GONE] = "gone",
    };
    return names[state];
}

int query_state(const char *text, enum slurm_state *state)
{
    const size_t n = strcspn(text, " +,");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        const int whole = strlen(states[i].name) == n && strncmp(states[i].name, text, n) == 0;
        const int code = n && strlen(states[i].code) == n && strncmp(states[i].code, text, n) == 0;
        if (whole || code) {
            *state = states[i].state;
            return 1;
        }
    }
    return 0;
}

/* 1 when a node of this state ("idle", "down*", "mixed~") can run jobs. */
static int query_usable(const char *state)
{
    static const char *const fine[] = { "idle",     "allocated", "alloc",   "mixed", "mix",
                                        "reserved", "resv",      "planned", "plnd",  "completing",
                                        "comp",     "maint",     "npc" };
    const size_t n = strcspn(state, "*~#!%$@^-+");
    if (strchr(state, '*')) /* not responding */
        return 0;
    return any_below(i, sizeof fine / sizeof *fine,
                     strlen(fine[i]) == n && strncasecmp(fine[i], state, n) == 0);
}

/* "5", "1:05", "1:02:03", "2-01:02:03" to seconds; what is no time ("INVALID", "") is 0. */
static double parse_elapsed(const char *text)
{
    double parts[4] = { 0 }, days = 0;
    size_t n = 0;
    char *end;
    for (const char *p = text; n < 4; p = end + 1) {
        if (!isdigit((unsigned char)*p))
            return 0;
        parts[n++] = (double)strtoul(p, &end, 10);
        if (*end == '-' && n == 1) {
            days = parts[0];
            n = 0;
        } else if (*end != ':') {
            break;
        }
    }
    double seconds = 0;
    for (size_t i = 0; i < n; i++)
        seconds = 60 * seconds + parts[i];
    return 86400 * days + seconds;
}

/* "1:0" (status:signal) to 0 .. 255 or 128 + signal. */
static int parse_exit(const char *text)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return -1;
    unsigned long status = strtoul(text, &end, 10), signal = 0;
    if (*end == ':')
        signal = strtoul(end + 1, NULL, 10);
    return (int)(signal ? 128 + signal % 128 : status % 256);
}

static int add_task(struct task_list *list, const struct slurm_task *task, struct err *err)
{
    if (list->n == MOST_TASKS)
        return err_set(err, "Slurm lists more than %d tasks", (int)MOST_TASKS);
    *array_add(&list->v, &list->n) = *task;
    return 0;
}

static int bad_id(const char *id, struct err *err)
{
    return err_set(err, "Slurm lists the job '%.60s', which is no job", id);
}

/* A number of at most ten digits; -1 when there is none. */
static long take_number(const char **p)
{
    const size_t n = strspn(*p, "0123456789");
    const long value = n && n <= 10 ? strtol(*p, NULL, 10) : -1;
    *p += n;
    return value;
}

/* "3-7:2" at *p: adds base_3, base_5, base_7. */
static int add_range(struct task_list *list, const char *id, long base, const char **p,
                     struct slurm_task *task, struct err *err)
{
    long low = take_number(p), high = low, step = 1;
    if (**p == '-') {
        (*p)++;
        high = take_number(p);
    }
    if (**p == ':') {
        (*p)++;
        step = take_number(p);
    }
    if (low < 0 || high < low || step < 1)
        return bad_id(id, err);
    for (long i = low; i <= high; i += step) {
        snprintf(task->job, sizeof task->job, "%u_%u", (unsigned)base, (unsigned)i);
        if (add_task(list, task, err) < 0)
            return -1;
    }
    return 0;
}

/* "12", "12_3", "12_[3-7,9%2]": the tasks that these are. */
static int add_tasks(struct task_list *list, const char *id, struct slurm_task *task,
                     struct err *err)
{
    const char *p = id;
    const long base = take_number(&p);
    if (base < 0)
        return bad_id(id, err);
    if (!*p) {
        snprintf(task->job, sizeof task->job, "%u", (unsigned)base);
        return add_task(list, task, err);
    }
    if (*p++ != '_')
        return bad_id(id, err);
    const int several = *p == '[';
    p += several;
    for (;; p++) {
        if (add_range(list, id, base, &p, task, err) < 0)
            return -1;
        if (*p != ',' || !several)
            break;
    }
    if (*p == '%')
        p += 1 + strspn(p + 1, "0123456789");
    return several && *p == ']' ? 0 : !several && !*p ? 0 : bad_id(id, err);
}

static void set_state(struct slurm_task *task, const char *text, enum slurm_state otherwise)
{
    if (!query_state(text, &task->state)) {
        task->state = otherwise;
        snprintf(task->reason, sizeof task->reason, "state '%.60s'", text);
    } else if (strchr(text, ' ')) { /* "CANCELLED by 0" */
        snprintf(task->reason, sizeof task->reason, "%.100s", text);
    }
}

static void set_nodes(struct slurm_task *task, const char *nodes)
{
    const int none = !*nodes || strcmp(nodes, "(null)") == 0 || strcmp(nodes, "None assigned") == 0;
    snprintf(task->nodes, sizeof task->nodes, "%s", none ? "" : nodes);
}

static void set_reason(struct slurm_task *task, const char *reason)
{
    if (!*task->reason && *reason && strcmp(reason, "None") != 0)
        snprintf(task->reason, sizeof task->reason, "%.150s", reason);
}

/* One that Slurm or somebody put on hold: "launch failed requeued held", "JobHeldAdmin",
 * "JobHeldUser", "job requeued in held state"; also by its state. */
static void set_held(struct slurm_task *task, const char *state)
{
    static const char *const holds[] = { "REQUEUE_HOLD",  "RH", "SPECIAL_EXIT", "SE",
                                         "RESV_DEL_HOLD", "RD" };
    task->held = task->state == SLURM_PENDING && strcasestr(task->reason, "held") != NULL;
    for (size_t i = 0; i < sizeof holds / sizeof *holds; i++)
        task->held |= strcmp(state, holds[i]) == 0;
}

static const char mark_begins[] = "collsel-mark-";

void slurm_make_mark(char mark[MARK_SIZE])
{
    uint32_t word = 0;
    if (getrandom(&word, sizeof word, GRND_NONBLOCK) != (ssize_t)sizeof word)
        word = (uint32_t)time(NULL) ^ (uint32_t)getpid() << 12;
    snprintf(mark, MARK_SIZE, "%s%08" PRIx32, mark_begins, word);
}

/* A word of a command that is whole, "/dir/openmpi-2n.sbatch collsel-mark-0123abcd". */
static void set_mark(struct slurm_task *task, const char *text)
{
    const size_t n = sizeof mark_begins - 1;
    task->shown = 1;
    for (const char *p = text; (p = strstr(p, mark_begins)) != NULL; p += n)
        if (p > text && p[-1] == ' ' && strcspn(p, " ") < MARK_SIZE)
            snprintf(task->mark, MARK_SIZE, "%.*s", (int)strcspn(p, " "), p);
}

/* The next line of *text, without its end, into line; 0 at the end. A longer one is cut. */
static int next_line(const char **text, char *line, size_t size)
{
    if (!**text)
        return 0;
    const size_t n = strcspn(*text, "\n");
    snprintf(line, size, "%.*s", (int)(n < size ? n : size - 1), *text);
    line[strcspn(line, "\r")] = '\0';
    *text += n + ((*text)[n] == '\n');
    return 1;
}

/* Cuts a line at '|' into exactly n fields without blanks around them; the last one may hold '|'.
 */
static int split(char *line, char **fields, size_t n)
{
    char *p = line;
    for (size_t i = 0; i < n; i++) {
        char *bar = i + 1 < n ? strchr(p, '|') : NULL;
        if (i + 1 < n && !bar)
            return 0;
        if (bar)
            *bar = '\0';
        p += strspn(p, " ");
        fields[i] = p;
        for (size_t len = strlen(p); len && p[len - 1] == ' '; len--)
            p[len - 1] = '\0';
        p = bar ? bar + 1 : p;
    }
    return 1;
}

static int bars(const char *line)
{
    int n = 0;
    for (; *line; line++)
        n += *line == '|';
    return n;
}

int query_squeue(const char *text, struct task_list *list, struct err *err)
{
    char line[2 * PATH_SIZE], *f[MOST_FIELDS];
    while (next_line(&text, line, sizeof line)) {
        struct slurm_task task = { .exit = -1 };
        const int cut = strlen(line) + 1 == sizeof line;
        const int shown = bars(line) >= 6 && !cut;
        if (!split(line, f, shown ? 7 : 6) || !isdigit((unsigned char)*f[0]))
            continue;
        set_state(&task, f[1], SLURM_RUNNING);
        task.elapsed_s = parse_elapsed(f[2]);
        task.cores = task.state == SLURM_RUNNING ? (int)strtol(f[3], NULL, 10) : 0;
        set_nodes(&task, f[4]);
        set_reason(&task, f[5]);
        set_held(&task, f[1]);
        if (shown)
            set_mark(&task, f[6]);
        if (add_tasks(list, f[0], &task, err) < 0)
            return err_prefix(err, "squeue");
    }
    return 0;
}

int query_sacct(const char *text, struct task_list *list, struct err *err)
{
    char line[4096], *f[MOST_FIELDS];
    while (next_line(&text, line, sizeof line)) {
        struct slurm_task task = { .exit = -1 };
        if (!split(line, f, 6) || !isdigit((unsigned char)*f[0]) || strchr(f[0], '.'))
            continue;
        set_state(&task, f[1], SLURM_FAILED);
        task.elapsed_s = parse_elapsed(f[2]);
        task.cores = (int)strtol(f[3], NULL, 10);
        set_nodes(&task, f[4]);
        task.exit = parse_exit(f[5]);
        if (add_tasks(list, f[0], &task, err) < 0)
            return err_prefix(err, "sacct");
    }
    return 0;
}

/* The value of " key=" in a line of scontrol -o, up to the next blank; "" when there is none. */
static void value_of(const char *line, const char *key, char *buf, size_t size)
{
    const size_t len = strlen(key);
    buf[0] = '\0';
    for (const char *p = line; (p = strstr(p, key)) != NULL; p += len) {
        if ((p > line && p[-1] != ' ') || p[len] != '=')
            continue;
        snprintf(buf, size, "%.*s", (int)strcspn(p + len + 1, " "), p + len + 1);
        return;
    }
}

/* "12_3" or "12_[3-7%2]" of ArrayJobId and ArrayTaskId, else JobId. */
static void job_name(const char *line, char *buf, size_t size)
{
    char array[FIELD_SIZE], task[FIELD_SIZE], job[FIELD_SIZE];
    value_of(line, "JobId", job, sizeof job);
    value_of(line, "ArrayJobId", array, sizeof array);
    value_of(line, "ArrayTaskId", task, sizeof task);
    if (!*array || !*task)
        snprintf(buf, size, "%s", job);
    else if (task[strspn(task, "0123456789")])
        snprintf(buf, size, "%s_[%s]", array, task);
    else
        snprintf(buf, size, "%s_%s", array, task);
}

int query_scontrol(const char *text, struct task_list *list, struct err *err)
{
    char line[4 * PATH_SIZE], id[3 * FIELD_SIZE], value[FIELD_SIZE];
    while (next_line(&text, line, sizeof line)) {
        struct slurm_task task = { .exit = -1 };
        if (strncmp(line, "JobId=", 6) != 0)
            continue;
        if (strlen(line) + 1 < sizeof line && strstr(line, " Command="))
            set_mark(&task, line);
        value_of(line, "JobState", value, sizeof value);
        set_state(&task, value, SLURM_FAILED);
        value_of(line, "RunTime", value, sizeof value);
        task.elapsed_s = parse_elapsed(value);
        value_of(line, "ExitCode", value, sizeof value);
        task.exit =
            task.state == SLURM_PENDING || task.state == SLURM_RUNNING ? -1 : parse_exit(value);
        value_of(line, "Restarts", value, sizeof value);
        task.restarts = (int)strtol(value, NULL, 10);
        value_of(line, "NodeList", value, sizeof value);
        set_nodes(&task, value);
        value_of(line, "NumCPUs", value, sizeof value); /* asked for, until there are nodes */
        task.cores = *task.nodes ? (int)strtol(value, NULL, 10) : 0;
        value_of(line, "Reason", value, sizeof value);
        set_reason(&task, value);
        job_name(line, id, sizeof id);
        if (add_tasks(list, id, &task, err) < 0)
            return err_prefix(err, "scontrol");
    }
    return 0;
}

static void add_node(struct slurm_node **nodes, size_t *n, char *const *f)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp((*nodes)[i].name, f[0]) == 0)
            return;
    struct slurm_node *node = array_add(nodes, n);
    *node = (struct slurm_node){ .usable = query_usable(f[1]) };
    snprintf(node->name, sizeof node->name, "%.63s", f[0]);
    snprintf(node->state, sizeof node->state, "%.63s", f[1]);
    if (strcmp(f[2], "none") != 0)
        snprintf(node->reason, sizeof node->reason, "%.159s", f[2]);
}

void query_nodes(const char *text, struct slurm_node **nodes, size_t *n)
{
    char line[4096], *f[MOST_FIELDS];
    *nodes = NULL;
    *n = 0;
    while (next_line(&text, line, sizeof line)) {
        if (!split(line, f, 3) || !*f[0] || !*f[1] || strchr(f[0], ' '))
            continue;
        add_node(nodes, n, f);
    }
}

/* Why a command failed, in its own words: its last line. */
static int refused(const char *command, char *out, struct err *err)
{
    for (size_t n = strlen(out); n && (out[n - 1] == '\n' || out[n - 1] == ' '); n--)
        out[n - 1] = '\0';
    const char *last = strrchr(out, '\n');
    last = last ? last + 1 : out;
    return err_set(err, "'%s' failed: %.300s", command, *last ? last : "no word of why");
}

/* Runs a command that must succeed. Its output to be freed; NULL with *err. */
static char *ask(const struct slurm *slurm, const char *const *command, struct err *err)
{
    char *out;
    const int status = slurm_command(slurm, command, ANSWER_S, ANSWER_SIZE, &out, err);
    if (status <= 0)
        return out;
    refused(command[0], out, err);
    free(out);
    return NULL;
}

/* Slurm refuses a list of ids that it does not know (squeue: only when there is but one). */
typedef int parser(const char *text, struct task_list *list, struct err *err);

static int ask_tasks(const struct slurm *slurm, const char *const *command, parser *parse,
                     struct task_list *list, struct err *err)
{
    struct err why = { 0 };
    char *out = ask(slurm, command, &why);
    if (!out && strstr(why.text, "Invalid job id") != NULL)
        return 0;
    if (!out)
        return err_set(err, "%s", why.text);
    int result = parse(out, list, err);
    free(out);
    return result;
}

static int ask_squeue(const struct slurm *slurm, const char *ids, struct task_list *list,
                      struct err *err)
{
    const char *const command[] = {
        "squeue", "-h", "-r", "-a", "-j", ids, "-o", SQUEUE_FIELDS, NULL
    };
    return ask_tasks(slurm, command, query_squeue, list, err);
}

static int ask_sacct(const struct slurm *slurm, const char *ids, struct task_list *list,
                     struct err *err)
{
    const char *const command[] = {
        "sacct", "-n", "-P", "-X", "-j", ids, "-o", SACCT_FIELDS, NULL
    };
    return ask_tasks(slurm, command, query_sacct, list, err);
}

/* scontrol takes one id at a time. */
static int ask_scontrol(const struct slurm *slurm, const char *id, struct task_list *list,
                        struct err *err)
{
    const char *const command[] = { "scontrol", "-o", "show", "job", id, NULL };
    return ask_tasks(slurm, command, query_scontrol, list, err);
}

struct query {
    const struct slurm *slurm;
    struct slurm_task *tasks;
    size_t n;
    char (*ids)[JOB_SIZE]; /* numbers of the arrays that have tasks unanswered */
    size_t n_ids;
    char *answered;
    struct err *err;
};

/* Is the answer about this task? When the last tasks of an array are cancelled before any ran,
 * Slurm 22.05 keeps one record whose task number is "no value" and stands for all of them. */
static int is_about(const char *asked, const char *answer)
{
    static const char no_value[] = "_4294967294";
    const size_t n = strcspn(answer, "_");
    if (strcmp(answer + n, no_value) == 0)
        return strncmp(asked, answer, n + 1) == 0;
    return strcmp(asked, answer) == 0;
}

/* Copies answers to the tasks that have none yet. */
static void take_answers(struct query *q, const struct task_list *list)
{
    for (size_t i = 0; i < q->n; i++)
        for (size_t k = 0; k < list->n && !q->answered[i]; k++)
            if (is_about(q->tasks[i].job, list->v[k].job)) {
                char job[JOB_SIZE];
                memcpy(job, q->tasks[i].job, sizeof job);
                q->tasks[i] = list->v[k];
                memcpy(q->tasks[i].job, job, sizeof job);
                q->answered[i] = 1;
            }
}

static void find_ids(struct query *q)
{
    q->n_ids = 0;
    for (size_t i = 0; i < q->n; i++) {
        char id[JOB_SIZE];
        size_t k = 0;
        if (q->answered[i])
            continue;
        snprintf(id, sizeof id, "%.*s", (int)strcspn(q->tasks[i].job, "_"), q->tasks[i].job);
        while (k < q->n_ids && strcmp(q->ids[k], id) != 0)
            k++;
        if (k == q->n_ids)
            memcpy(q->ids[q->n_ids++], id, sizeof id);
    }
}

typedef int asker(const struct slurm *slurm, const char *ids, struct task_list *list,
                  struct err *err);

/* Asks for the arrays that are left, so many ids at a time. */
static int ask_about(struct query *q, asker *askfor, size_t at_once)
{
    find_ids(q);
    for (size_t first = 0; first < q->n_ids; first += at_once) {
        char ids[IDS_AT_ONCE * JOB_SIZE];
        struct task_list list = { 0 };
        size_t used = 0;
        for (size_t i = first; i < q->n_ids && i < first + at_once; i++)
            used +=
                (size_t)snprintf(ids + used, sizeof ids - used, "%s%s", used ? "," : "", q->ids[i]);
        int status = askfor(q->slurm, ids, &list, q->err);
        if (status == 0)
            take_answers(q, &list);
        free(list.v);
        if (status < 0)
            return -1;
    }
    return 0;
}

static int ask_all(struct query *q)
{
    if (ask_about(q, ask_squeue, IDS_AT_ONCE) < 0)
        return -1;
    if (q->slurm->accounting && ask_about(q, ask_sacct, IDS_AT_ONCE) < 0 && q->err)
        q->err->text[0] = '\0'; /* it may be down for a while; scontrol remembers too */
    return ask_about(q, ask_scontrol, 1);
}

int slurm_tasks(const struct slurm *slurm, const char *const *jobs, size_t n,
                struct slurm_task **tasks, struct err *err)
{
    struct query q = { .slurm = slurm, .n = n, .err = err };
    q.tasks = memory_zeros(n + 1, sizeof *q.tasks);
    q.ids = memory_zeros(n + 1, sizeof *q.ids);
    q.answered = memory_zeros(n + 1, 1);
    for (size_t i = 0; i < n; i++) {
        q.tasks[i] = (struct slurm_task){ .state = SLURM_GONE, .exit = -1 };
        snprintf(q.tasks[i].job, sizeof q.tasks[i].job, "%s", jobs[i]);
    }
    const int status = ask_all(&q);
    memory_free(q.ids, q.answered);
    if (status < 0) {
        free(q.tasks);
        q.tasks = NULL;
    }
    *tasks = q.tasks;
    return status;
}

int slurm_nodes(const struct slurm *slurm, struct slurm_node **nodes, size_t *n, struct err *err)
{
    const char *const command[] = { "sinfo",          "-h", "-N",         "-p",
                                    slurm->partition, "-o", SINFO_FIELDS, NULL };
    *nodes = NULL;
    *n = 0;
    char *out = ask(slurm, command, err);
    if (!out)
        return -1;
    query_nodes(out, nodes, n);
    free(out);
    return 0;
}
