/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the ranks of each attempt sat, as they told, from DIR/samples. */
#include <dirent.h>

#include "reports/data.h"

enum { MOST_CPUS = 1024, CPU_WORDS = MOST_CPUS / 64 };

/* CPUs by number. */
struct cpus {
    uint64_t word[CPU_WORDS];
};

/* A host with what its ranks told. */
struct sitting {
    char name[HOST_SIZE];
    int ranks;
    struct cpus taken; /* by any of its ranks */
};

/* "0-3,8" as in placement.csv. Returns how many; 0 where it is no such list, or empty. */
static int parse_cpus(const char *text, struct cpus *cpus)
{
    int n = 0;
    *cpus = (struct cpus){ { 0 } };
    while (*text) {
        char *end;
        unsigned long first = strtoul(text, &end, 10), last = first;
        if (end == text)
            return 0;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        if (last < first || last >= MOST_CPUS || (*end && *end != ','))
            return 0;
        for (unsigned long c = first; c <= last; c++)
            cpus->word[c / 64] |= UINT64_C(1) << c % 64;
        n += (int)(last - first) + 1;
        text = *end ? end + 1 : end;
    }
    return n;
}

/* Adds b to a; 1 when they had one in common. */
static int unite(struct cpus *a, const struct cpus *b)
{
    uint64_t common = 0;
    for (size_t i = 0; i < CPU_WORDS; i++) {
        common |= a->word[i] & b->word[i];
        a->word[i] |= b->word[i];
    }
    return common != 0;
}

static struct sitting *host_of(struct sitting **all, size_t *n, const char *name)
{
    for (size_t i = *n; i-- > 0;)
        if (strcmp((*all)[i].name, name) == 0)
            return &(*all)[i];
    struct sitting *s = array_add(all, n);
    if (s)
        snprintf(s->name, sizeof s->name, "%s", name);
    return s;
}

static void take_rank(struct placed *p, struct sitting **all, size_t *n, const char *host,
                      const char *list)
{
    struct cpus cpus;
    int count = parse_cpus(list, &cpus);
    struct sitting *s = host_of(all, n, host);
    s->ranks++;
    p->shared |= unite(&s->taken, &cpus);
    p->fewest_cpus = p->ranks == 0 || count < p->fewest_cpus ? count : p->fewest_cpus;
    p->most_cpus = count > p->most_cpus ? count : p->most_cpus;
    p->ranks++;
}

/* What the hosts come to. */
static void sum_up(struct placed *p, const struct sitting *all, size_t n)
{
    p->host = memory_zeros(n + 1, sizeof *p->host);
    for (size_t i = 0; i < n; i++) {
        memcpy(p->host[i], all[i].name, sizeof p->host[i]);
        p->least = i == 0 || all[i].ranks < p->least ? all[i].ranks : p->least;
        p->most = all[i].ranks > p->most ? all[i].ranks : p->most;
    }
    p->n_hosts = n;
}

/* The provenance line "# KEY: TEXT" of a file; "" where there is none. */
static void read_remark(const char *path, const char *key, char *buf, size_t size)
{
    char *line = NULL;
    size_t room = 0, len = strlen(key);
    FILE *f = fopen(path, "re");
    *buf = '\0';
    while (f && getline(&line, &room, f) > 0 && *line == '#') {
        if (strncmp(line, "# ", 2) != 0 || strncmp(line + 2, key, len) != 0 ||
            strncmp(line + 2 + len, ": ", 2) != 0)
            continue;
        line[strcspn(line, "\r\n")] = '\0';
        snprintf(buf, size, "%s", line + 4 + len);
    }
    free(line);
    if (f)
        fclose(f);
}

static int read_ranks(const char *path, struct placed *p, struct err *err)
{
    struct sitting *all = NULL;
    struct schema_reader in;
    struct placement_row row;
    size_t n = 0;
    int got;
    if (schema_open(&in, &placement_schema, path, err) < 0)
        return -1;
    while ((got = schema_next(&in, &row, err)) == 1)
        take_rank(p, &all, &n, row.host, row.cpus);
    schema_close(&in);
    if (got == 0)
        sum_up(p, all, n);
    free(all);
    return got;
}

/* Counts the points that were found invalid. No file: none was finished. */
static int read_invalid(const char *path, struct placed *p, struct err *err)
{
    struct schema_reader in;
    struct outcome o;
    int got;
    if (!fs_exists(path))
        return 0;
    if (schema_open(&in, &outcome_schema, path, err) < 0)
        return -1;
    while ((got = schema_next(&in, &o, err)) == 1)
        if (strcmp(o.status, "invalid") == 0 && !p->invalid++)
            snprintf(p->reason, sizeof p->reason, "%s", o.reason);
    schema_close(&in);
    return got;
}

/* "LAUNCH.aN-DIGEST.placement.csv": 1 with launch and attempt, when it is of the study's digest. */
static int parse_name(const struct report_data *d, const char *name, struct placed *p)
{
    static const char ending[] = ".placement.csv";
    const char *mine = manifest_text(d, "digest");
    char samples[512], digest[16];
    size_t len = strlen(name);
    if (len <= strlen(ending) || len >= sizeof samples ||
        strcmp(name + len - strlen(ending), ending) != 0)
        return 0;
    snprintf(samples, sizeof samples, "%.*s.csv", (int)(len - strlen(ending)), name);
    return store_parse_name(samples, &p->launch, &p->attempt, digest) &&
           (strcmp(mine, "unknown") == 0 || strcmp(mine, digest) == 0);
}

static int take_file(struct report_data *d, const char *name, struct err *err)
{
    char path[PATH_SIZE], outcomes[PATH_SIZE];
    struct placed p = { .attempt = 0 };
    if (!parse_name(d, name, &p))
        return 0;
    int stem = (int)(strlen(name) - strlen(".placement.csv"));
    if (fs_path(path, sizeof path, err, "%s/samples/%s", d->dir, name) < 0 ||
        fs_path(outcomes, sizeof outcomes, err, "%s/samples/%.*s.outcomes.csv", d->dir, stem,
                name) < 0)
        return -1;
    read_remark(path, "judged", p.judged, sizeof p.judged);
    read_remark(path, "placement", p.verdict, sizeof p.verdict);
    if (read_ranks(path, &p, err) < 0)
        return -1;
    struct placed *added = array_add(&d->placed, &d->n_placed);
    *added = p;
    return read_invalid(outcomes, added, err);
}

static int by_launch(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return by_keys(strcmp(x->launch.mpi, y->launch.mpi),
                   strcmp(x->launch.mapping, y->launch.mapping), x->launch.nodes - y->launch.nodes,
                   x->launch.ppn - y->launch.ppn, strcmp(x->launch.name, y->launch.name),
                   x->attempt - y->attempt);
}

int placement_read(struct report_data *data, struct err *err)
{
    char path[PATH_SIZE];
    struct dirent *e;
    int status = 0;
    if (fs_path(path, sizeof path, err, "%s/samples", data->dir) < 0)
        return -1;
    DIR *dir = opendir(path);
    if (!dir)
        return errno == ENOENT ? 0 : err_errno(err, "%s", path);
    while (status == 0 && (errno = 0, e = readdir(dir)))
        status = take_file(data, e->d_name, err);
    if (status == 0 && errno)
        status = err_errno(err, "%s", path);
    closedir(dir);
    if (data->n_placed)
        qsort(data->placed, data->n_placed, sizeof *data->placed, by_launch);
    return status;
}
