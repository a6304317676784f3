/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/parse.h"

enum { LINE_MOST = 512, FIELDS = 4, KNOWN_MOST = 200, LEAST_MAX_ARRAY = 2, MOST_COUNT = 1 << 24 };

/* Copies the next line, cut at size; the place behind it, or NULL at the end. */
static const char *next_line(const char *text, char *line, size_t size)
{
    size_t n = strcspn(text, "\n");
    if (!*text)
        return NULL;
    snprintf(line, size, "%.*s", (int)(n < size ? n : size - 1), text);
    line[strcspn(line, "\r")] = '\0';
    return text + n + (text[n] == '\n');
}

int slurm_parse_time(const char *text, double *seconds)
{
    unsigned days, a, b, c;
    char junk;
    if (strcasecmp(text, "infinite") == 0 || strcasecmp(text, "unlimited") == 0)
        *seconds = 0;
    else if (sscanf(text, "%u-%u:%u:%u%c", &days, &a, &b, &c, &junk) == 4)
        *seconds = 86400.0 * days + 3600.0 * a + 60.0 * b + c;
    else if (sscanf(text, "%u-%u:%u%c", &days, &a, &b, &junk) == 3)
        *seconds = 86400.0 * days + 3600.0 * a + 60.0 * b;
    else if (sscanf(text, "%u-%u%c", &days, &a, &junk) == 2)
        *seconds = 86400.0 * days + 3600.0 * a;
    else if (sscanf(text, "%u:%u:%u%c", &a, &b, &c, &junk) == 3)
        *seconds = 3600.0 * a + 60.0 * b + c;
    else if (sscanf(text, "%u:%u%c", &a, &b, &junk) == 2)
        *seconds = 60.0 * a + b;
    else if (sscanf(text, "%u%c", &a, &junk) == 1)
        *seconds = 60.0 * a;
    else
        return -1;
    return 0;
}

/* Splits a line at '|' in place: 1 when there are just as many fields as wanted. */
static int split(char *line, char *fields[], int wanted)
{
    int n = 0;
    for (char *p = line; p; n++) {
        char *bar = strchr(p, '|');
        if (n < wanted)
            fields[n] = p;
        if (bar)
            *bar++ = '\0';
        p = bar;
    }
    return n == wanted;
}

/* "36", or "36+" where nodes differ: the least. */
static int parse_count(char *text, int *value)
{
    int64_t v;
    text[strcspn(text, "+")] = '\0';
    if (parse_i64(text, &v, NULL) < 0 || v < 0 || v > MOST_COUNT)
        return -1;
    *value = (int)v;
    return 0;
}

/* ", name" once to the list of the known. */
static void add_known(char *known, size_t size, const char *name)
{
    size_t used = strlen(known), n = strlen(name);
    for (const char *p = known; n && (p = strstr(p, name)) != NULL; p += n)
        if ((p == known || p[-1] == ' ') && (p[n] == ',' || p[n] == '\0'))
            return;
    if (n && used + n + 3 < size)
        snprintf(known + used, size - used, "%s%s", used ? ", " : "", name);
}

static void add_nodes(struct slurm_partition *p, int nodes, int cpus, int wanted)
{
    if (nodes == 0 || p->nodes > MOST_COUNT)
        return;
    p->least_cpus = p->nodes && p->least_cpus < cpus ? p->least_cpus : cpus;
    p->nodes += nodes;
    p->large += cpus >= wanted ? nodes : 0;
}

int slurm_parse_partition(const char *text, const char *name, int cpus, struct slurm_partition *p,
                          struct err *err)
{
    char line[LINE_MOST], known[KNOWN_MOST] = "";
    int found = 0;
    *p = (struct slurm_partition){ 0 };
    while ((text = next_line(text, line, sizeof line)) != NULL) {
        char *f[FIELDS];
        int nodes, of_each;
        double most;
        if (!split(line, f, FIELDS) || parse_count(f[2], &nodes) < 0 ||
            parse_count(f[3], &of_each) < 0 || slurm_parse_time(f[1], &most) < 0)
            continue;
        add_known(known, sizeof known, f[0]);
        if (strcmp(f[0], name) != 0)
            continue;
        found = 1;
        p->most_time = most;
        add_nodes(p, nodes, of_each, cpus);
    }
    if (found)
        return 0;
    return err_usage(err, "'%s' is not a partition here (want %s)", name,
                     *known ? known : "one of none: sinfo lists no partition");
}

/* The value of "Name   = value", or NULL for another name. */
static const char *value_of(const char *line, const char *name)
{
    size_t n = strlen(name);
    if (strncasecmp(line, name, n) != 0)
        return NULL;
    const char *p = line + n + strspn(line + n, " \t");
    return *p == '=' ? p + 1 + strspn(p + 1, " \t") : NULL;
}

int slurm_parse_config(const char *text, struct slurm *slurm, struct err *err)
{
    char line[LINE_MOST];
    slurm->max_array = 0;
    slurm->accounting = 0;
    slurm->version[0] = '\0';
    while ((text = next_line(text, line, sizeof line)) != NULL) {
        const char *v;
        int64_t n;
        if ((v = value_of(line, "MaxArraySize")) != NULL && parse_i64(v, &n, NULL) == 0 &&
            n <= INT_MAX)
            slurm->max_array = (int)n;
        else if ((v = value_of(line, "SLURM_VERSION")) != NULL)
            snprintf(slurm->version, sizeof slurm->version, "%.63s", v);
        else if ((v = value_of(line, "AccountingStorageType")) != NULL)
            slurm->accounting = strstr(v, "slurmdbd") || strstr(v, "mysql");
    }
    if (slurm->max_array < LEAST_MAX_ARRAY)
        return err_set(err, "scontrol show config: no MaxArraySize above 1, so Slurm takes no job "
                            "arrays");
    return *slurm->version ? 0 : err_set(err, "scontrol show config: no SLURM_VERSION");
}

/* "12" or "12;cluster". */
static int is_job(const char *line)
{
    size_t n = strspn(line, "0123456789");
    return n > 0 && n < JOB_SIZE && (line[n] == '\0' || line[n] == ';');
}

int slurm_parse_job(const char *text, char job[JOB_SIZE])
{
    char line[LINE_MOST];
    while ((text = next_line(text, line, sizeof line)) != NULL)
        if (is_job(line)) {
            snprintf(job, JOB_SIZE, "%.*s", (int)strcspn(line, ";"), line);
            return 1;
        }
    return 0;
}

/* Behind "sbatch: error: " and the like. */
static const char *skip_speaker(const char *line)
{
    static const char *const words[] = { "sbatch: ", "scancel: ", "scontrol: ", "sinfo: ",
                                         "sacct: ",  "squeue: ",  "error: ",    "fatal: " };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(line, words[i], strlen(words[i])) == 0)
            line += strlen(words[i]);
    return line;
}

/* A line that says nothing of what is wrong. */
static int says_nothing(const char *line)
{
    return !*line || strncmp(line, "Try \"", 5) == 0 || strncmp(line, "warning: ", 9) == 0 ||
           is_job(line);
}

void slurm_complaint(const char *text, char *buf, size_t size)
{
    char line[LINE_MOST];
    size_t used = 0;
    buf[0] = '\0';
    while ((text = next_line(text, line, sizeof line)) != NULL) {
        const char *said = skip_speaker(line);
        if (says_nothing(said) || (used && used + strlen(said) + 3 > size))
            continue;
        snprintf(buf + used, size - used, "%s%s", used ? "; " : "", said);
        used = strlen(buf);
    }
    if (!used)
        snprintf(buf, size, "nothing");
}
