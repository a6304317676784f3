/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/environment.h"

#include <dirent.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "harness/base/subprocess.h"
#include "harness/base/variable.h"
#include "harness/study/store.h"

static int by_text(const void *left, const void *right)
{
    const char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

static void sort_lines(struct argv *lines)
{
    if (lines->n)
        qsort(lines->v, lines->n, sizeof *lines->v, by_text);
}

struct collector {
    const struct provenance *p;
    struct environment_record *s;
    int submitted, here;
    int own;          /* of a launch that somebody's own words start: we set nothing for it */
    struct argv read; /* files; each once */
    struct err *err;
};

/* The strongest rule of a variable among the libraries at hand. */
static const struct variable_rule *rule_of(const struct provenance *p, const char *name)
{
    const struct variable_rule *found = NULL;
    for (size_t i = 0; i < p->n_mpi; i++) {
        const struct variable_rule *r = variable_rule_of(name, mpi_family(p->mpi[i].name));
        if (r && (!found || r->kind > found->kind))
            found = r;
    }
    return found;
}

static void take_variable(const char *name, const char *value, void *to)
{
    struct collector *c = to;
    const struct variable_rule *rule = rule_of(c->p, name);
    if (rule && rule->elsewhere && c->here)
        environment_record_add(&c->s->removed, name, value);
    if (!rule || rule->kind == VARIABLE_HARMLESS || (c->submitted && rule->of_place))
        return;
    if (rule->kind == VARIABLE_SELECTS && (!c->s->site || rule->ours))
        environment_record_add(&c->s->removed, name, value);
    else
        environment_record_add(&c->s->lines, name, value);
}

static char *trim(char *text)
{
    text += strspn(text, " \t");
    for (size_t n = strlen(text); n && strchr(" \t\r\n", text[n - 1]);)
        text[--n] = '\0';
    return text;
}

/* Why a launch may not read this parameter; NULL: it may. What every launch of ours sets itself
 * does no harm there. */
static const char *why_not(const struct collector *c, const struct variable_rule *rule)
{
    if (rule->elsewhere && c->own && c->here)
        return rule->why;
    return rule->kind == VARIABLE_SELECTS && !c->s->site ? rule->why : NULL;
}

/* One "name = value" of a file of Open MPI. */
static void take_parameter(struct collector *c, const char *path, int number, const char *name,
                           const char *value)
{
    const struct variable_rule *rule = variable_rule_of_parameter(name);
    char key[PATH_SIZE];
    if (!rule || (!c->own && rule->ours))
        return;
    snprintf(key, sizeof key, "OMPI_MCA_%.200s", name);
    const char *const why = c->own && variable_value_passes(key, value) ? NULL : why_not(c, rule);
    if (why && !c->s->refused)
        c->s->refused =
            memory_text_of("take the line out, %s%s: %s:%d: every launch would read '%s = %s': %s",
                           c->own ? "or export OMPI_MCA_mca_base_param_files=none"
                                  : "export OMPI_MCA_mca_base_param_files=none",
                           c->own ? "" : " or set environment = site in the study", path, number,
                           name, value, why);
    if (rule->kind == VARIABLE_HARMLESS)
        return;
    snprintf(key, sizeof key, "%s: %s", path, name);
    environment_record_add(&c->s->lines, key, value);
}

/* Lines "name = value"; what is no such line the library passes over, too. */
static int take_file(struct collector *c, const char *path, int is_openmpi)
{
    char *line = NULL, key[PATH_SIZE];
    size_t cap = 0;
    int number = 0;
    FILE *f;
    const int there = fs_open(path, &f, c->err);
    if (there <= 0)
        return there;
    while (getline(&line, &cap, f) > 0) {
        number++;
        char *name = trim(line), *equals = strchr(name, '=');
        if (!equals || *name == '#')
            continue;
        *equals = '\0';
        name = trim(name);
        const char *value = trim(equals + 1);
        if (is_openmpi) {
            take_parameter(c, path, number, name, value);
        } else {
            snprintf(key, sizeof key, "%s: %s", path, name);
            environment_record_add(&c->s->lines, key, value);
        }
    }
    free(line);
    fclose(f);
    return 0;
}

/* Once each: /etc may be named in several ways. */
static int take_file_once(struct collector *c, const char *path, int is_openmpi)
{
    char *real = realpath(path, NULL);
    int status = 0;
    for (size_t i = 0; real && i < c->read.n; i++)
        if (strcmp(c->read.v[i], real) == 0) {
            free(real);
            return 0;
        }
    if (real) {
        argv_add(&c->read, "%s", real);
        status = take_file(c, real, is_openmpi);
    }
    free(real);
    return status;
}

static int take_list(struct collector *c, const char *list)
{
    char path[PATH_SIZE];
    const char *home = getenv("HOME");
    for (const char *p = list; *p; p += *p == ',' || *p == ':') {
        const size_t n = strcspn(p, ",:");
        const int of_home = p[0] == '~' && p[1] == '/' && home;
        snprintf(path, sizeof path, "%s%.*s", of_home ? home : "", (int)(n - (size_t)of_home),
                 p + of_home);
        if (n && take_file_once(c, path, 1) < 0)
            return -1;
        p += n;
    }
    return 0;
}

/* Where Open MPI's files are: below its prefix, where an installation of its own has the first;
 * else, as of Debian's and Red Hat's packages, below /etc. */
static int take_usual(struct collector *c, const char *launcher)
{
    static const char *const names[] = { "openmpi-mca-params.conf",
                                         "openmpi-mca-params-override.conf" };
    char dir[3][PATH_SIZE] = { "", "/etc/openmpi" }, path[4 * PATH_SIZE];
    const char *moved = getenv("OPAL_PREFIX");
    struct utsname machine;
    char *real = realpath(launcher, NULL), *slash = real ? strrchr(real, '/') : NULL;
    if (moved)
        snprintf(dir[0], sizeof dir[0], "%.*s/etc", PATH_SIZE - 8, moved);
    else if (slash && slash - real > 4 && strncmp(slash - 4, "/bin", 4) == 0)
        snprintf(dir[0], sizeof dir[0], "%.*s/etc", (int)(slash - 4 - real), real);
    free(real);
    if (uname(&machine) == 0)
        snprintf(dir[2], sizeof dir[2], "/etc/openmpi-%.60s", machine.machine);
    snprintf(path, sizeof path, "%s/%s", dir[0], names[0]);
    const int n = *dir[0] && fs_exists(path) ? 1 : 3;
    for (int d = 0; d < n; d++)
        for (int i = 0; i < 2 && *dir[d]; i++) {
            snprintf(path, sizeof path, "%s/%s", dir[d], names[i]);
            if (take_file_once(c, path, 1) < 0)
                return -1;
        }
    return 0;
}

static int take_openmpi_files(struct collector *c, const char *launcher)
{
    const char *named = getenv("OMPI_MCA_mca_base_param_files");
    int status = 0;
    if (named && strcmp(named, "none") != 0)
        status = take_list(c, named);
    else if (!named)
        status =
            take_list(c, "~/.openmpi/mca-params.conf") < 0 || take_usual(c, launcher) < 0 ? -1 : 0;
    return status;
}

/* UCX reads ucx.conf of several places. */
static int take_ucx_files(struct collector *c)
{
    const char *const home = getenv("HOME"), *const named = getenv("UCX_CONFIG_DIR");
    const char *const dirs[] = { "/etc/ucx", home ? home : "", named ? named : "", "." };
    char path[PATH_SIZE];
    int status = 0;
    for (int i = 0; i < 4 && status == 0; i++)
        if (*dirs[i] && fs_path(path, sizeof path, NULL, "%s/ucx.conf", dirs[i]) == 0)
            status = take_file_once(c, path, 0);
    return status;
}

/* Which program really starts jobs, and the files that its library reads. */
static int take_library(struct collector *c, const char *name, const char *launcher)
{
    char path[PATH_SIZE];
    if (!*launcher || strcmp(name, "smpi") == 0)
        return 0;
    if (strchr(launcher, '/'))
        snprintf(path, sizeof path, "%s", launcher);
    else if (!run_find(launcher, path, sizeof path))
        return 0;
    char *real = realpath(path, NULL);
    environment_record_add(&c->s->lines, launcher, real ? real : path);
    free(real);
    if (mpi_is(name, "openmpi") && take_openmpi_files(c, path) < 0)
        return -1;
    return take_ucx_files(c);
}

/* Once. */
static void add_line(struct argv *lines, const char *line)
{
    for (size_t i = 0; i < lines->n; i++)
        if (strcmp(lines->v[i], line) == 0)
            return;
    argv_add(lines, "%s", line);
}

/* What a launcher gives to its ranks by itself and tunes: a site's own script may do so. */
static void take_exports(struct collector *c, const char *mpi, const struct installed *found)
{
    char name[256];
    for (size_t i = 0; found && i < found->exports.n; i++) {
        const char *line = found->exports.v[i];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "="), line);
        const struct variable_rule *rule = variable_rule_of(name, mpi_family(mpi));
        if (rule && rule->kind == VARIABLE_TUNES && !rule->of_place)
            add_line(&c->s->lines, line);
    }
}

static int take_libraries(struct collector *c)
{
    for (size_t i = 0; i < c->p->n_mpi; i++) {
        take_exports(c, c->p->mpi[i].name, c->p->mpi[i].installed);
        if (take_library(c, c->p->mpi[i].name, c->p->mpi[i].launcher) < 0)
            return -1;
    }
    return 0;
}

int environment_files(const char *mpi, const char *launcher, int here, struct environment_record *s,
                      struct err *err)
{
    struct collector c = { .s = s, .here = here, .own = 1, .err = err };
    int status = mpi_is(mpi, "openmpi") && launcher ? take_openmpi_files(&c, launcher) : 0;
    if (status == 0)
        status = take_ucx_files(&c);
    argv_free(&c.read);
    sort_lines(&s->lines);
    return status;
}

int environment_collect(const struct study *study, const struct backend *backend, int submitted,
                        const struct provenance *p, struct environment_record *s, struct err *err)
{
    struct collector c = {
        .p = p, .s = s, .submitted = submitted, .here = backend->here, .err = err
    };
    *s = (struct environment_record){ .site = strcmp(study->environment, "site") == 0 };
    variable_each(take_variable, &c);
    const int status = !submitted && !backend->deterministic ? take_libraries(&c) : 0;
    argv_free(&c.read);
    if (status < 0)
        return -1;
    if (backend->here)
        machine_state_add_lines("", &s->lines);
    sort_lines(&s->lines);
    sort_lines(&s->removed);
    for (size_t i = 0; i < s->lines.n; i++)
        argv_add(&s->given, "%s", s->lines.v[i]);
    return 0;
}

void environment_say(const struct environment_record *s, FILE *out)
{
    char name[256];
    for (size_t i = 0; i < s->removed.n; i++) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(s->removed.v[i], "="), s->removed.v[i]);
        const struct variable_rule *rule = NULL;
        static const char *const libraries_of[] = { "openmpi", "mpich", "smpi" };
        for (int k = 0; !rule && k < 3; k++)
            rule = variable_rule_of(name, libraries_of[k]);
        fprintf(out, "environment: %s is kept from the launches: %s%s\n", s->removed.v[i],
                rule ? rule->why : "it selects",
                rule && rule->ours        ? ", and every launch sets it"
                : rule && rule->elsewhere ? ", and launches stay here"
                                          : " (environment = site in the study file lets it in)");
    }
}

int environment_shares(const struct argv *lines)
{
    return any_below(i, lines->n,
                     strstr(lines->v[i], "_backing_directory=") ||
                         strstr(lines->v[i], "POSIX_DIR="));
}

/* 1: there is a samples file of this digest (and library, unless NULL), and its path; 0: there is
 * none; -1 with *err: the directory cannot be read. */
static int find_samples(const char *dir, const char *digest, const char *mpi, char *path,
                        size_t size, struct err *err)
{
    char samples[PATH_SIZE], seen[16];
    struct launch launch;
    struct dirent *e;
    int attempt, found = 0;
    if (fs_path(samples, sizeof samples, err, "%s/samples", dir) < 0)
        return -1;
    DIR *d = opendir(samples);
    if (!d)
        return errno == ENOENT ? 0 : err_errno(err, "cannot read '%s'", samples);
    while (!found && (errno = 0, e = readdir(d)))
        found = store_parse_name(e->d_name, &launch, &attempt, seen) && strcmp(seen, digest) == 0 &&
                (!mpi || strcmp(launch.mpi, mpi) == 0) &&
                fs_path(path, size, NULL, "%s/%s", samples, e->d_name) == 0;
    if (!found && errno)
        found = err_errno(err, "cannot read '%s'", samples);
    closedir(d);
    return found;
}

static int refuse(const char *where, const char *differ, struct err *err)
{
    return err_set(
        err,
        "go back to that environment, or measure anew beside it (--anew): %s was measured "
        "in another environment: %s",
        where, differ);
}

/* Other libraries than before are another study. */
static int same_libraries(const struct argv *before, const struct provenance *p)
{
    int same = before->n == p->n_mpi;
    for (size_t i = 0; same && i < p->n_mpi; i++) {
        int known = 0;
        for (size_t k = 0; k < before->n; k++)
            known |= strcmp(before->v[k], p->mpi[i].name) == 0;
        same = known;
    }
    return same;
}

int environment_settle(const char *dir, const char *backend, struct provenance *p, struct err *err)
{
    char path[PATH_SIZE];
    struct environment_record_before before;
    struct environment_record *s = &p->environment;
    int status = environment_record_before(dir, &before, err);
    if (status > 0 && strcmp(before.mode, environment_record_mode(s)) == 0 &&
        strcmp(before.backend, backend) == 0 && same_libraries(&before.libraries, p))
        status = find_samples(dir, before.digest, NULL, path, sizeof path, err);
    else
        status = status < 0 ? -1 : 0;
    if (status > 0 && (s->differ = environment_record_differ(&before.lines, &s->lines))) {
        const struct argv now = s->lines;
        s->lines = before.lines;
        before.lines = now;
    }
    environment_record_before_free(&before);
    return status < 0 ? -1 : 0;
}

int environment_check(const char *dir, const struct provenance *p, struct err *err)
{
    if (p->environment.refused)
        return err_set(err, "%s", p->environment.refused);
    return p->environment.differ ? refuse(dir, p->environment.differ, err) : 0;
}

/* The lines "# given: ..." of a samples file. 1: its head is whole; 0: it is not; -1 with *err. */
static int read_given(const char *path, struct argv *lines, struct err *err)
{
    static const char mark[] = "# given: ";
    char *line = NULL;
    size_t cap = 0;
    int whole = 0;
    FILE *f;
    if (fs_open_existing(path, &f, err) < 0)
        return -1;
    while (getline(&line, &cap, f) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, mark, strlen(mark)) == 0)
            argv_add(lines, "%s", line + strlen(mark));
        else if (*line != '#') {
            whole = 1;
            break;
        }
    }
    if (!whole && ferror(f))
        whole = err_errno(err, "cannot read '%s'", path);
    free(line);
    fclose(f);
    return whole;
}

int environment_check_heads(const char *dir, const char *digest, const char *mpi,
                            const struct argv *given, struct err *err)
{
    char path[PATH_SIZE];
    struct argv lines = { 0 };
    int status = find_samples(dir, digest, mpi, path, sizeof path, err);
    if (status > 0)
        status = read_given(path, &lines, err);
    if (status > 0) {
        char *differ = environment_record_differ(&lines, given);
        status = 0;
        if (differ)
            status = refuse(path, differ, err);
        free(differ);
    }
    argv_free(&lines);
    return status;
}

static void add_affinity(struct argv *lines)
{
    cpu_set_t set;
    char text[1024] = "";
    size_t used = 0;
    if (sched_getaffinity(0, sizeof set, &set) < 0)
        return;
    for (int i = 0; i < CPU_SETSIZE && used + 32 < sizeof text; i++) {
        int last = i;
        if (!CPU_ISSET(i, &set))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
            last++;
        used += (size_t)snprintf(text + used, sizeof text - used, last > i ? "%s%d-%d" : "%s%d",
                                 used ? "," : "", i, last);
        i = last;
    }
    environment_record_add(lines, "CPUs allowed", text);
}

/* The first line of a file below root, "unknown" without. */
static void read_line(const char *root, const char *name, char *buf, size_t size)
{
    char path[PATH_SIZE];
    FILE *f = fs_path(path, sizeof path, NULL, "%s/%s", root, name) == 0 ? fopen(path, "re") : NULL;
    snprintf(buf, size, "unknown");
    if (f && fgets(buf, (int)size, f))
        buf[strcspn(buf, "\r\n")] = '\0';
    if (f)
        fclose(f);
}

/* Every governor that some CPU has. */
static void add_governors(const char *root, struct argv *lines)
{
    char all[256] = "", one[64], name[96];
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        snprintf(name, sizeof name, "sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
        read_line(root, name, one, sizeof one);
        if (strcmp(one, "unknown") == 0)
            break;
        if (!strstr(all, one) && strlen(all) + strlen(one) + 2 < sizeof all)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *all ? " " : "", one);
    }
    environment_record_add(lines, "governor", *all ? all : "unknown");
}

/* What is told only where it is not as most machines have it. */
static void add_unusual(const char *root, struct argv *lines)
{
    static const char cpu[] = "sys/devices/system/cpu";
    char name[96], text[128], shared[PATH_SIZE];
    snprintf(name, sizeof name, "%s/cpufreq/boost", cpu);
    read_line(root, name, text, sizeof text);
    int off = strcmp(text, "0") == 0;
    snprintf(name, sizeof name, "%s/intel_pstate/no_turbo", cpu);
    read_line(root, name, text, sizeof text);
    off |= strcmp(text, "1") == 0;
    if (off)
        environment_record_add(lines, "frequency boost", "off");
    if (fs_path(shared, sizeof shared, NULL, "%s/dev/shm", root) == 0 && fs_exists(shared) &&
        access(shared, W_OK | X_OK) < 0)
        environment_record_add(lines, "shared memory", "/dev/shm takes no files");
    read_line(root, "sys/kernel/mm/transparent_hugepage/enabled", text, sizeof text);
    const char *chosen = strchr(text, '[');
    if (chosen && strncmp(chosen, "[madvise]", 9) != 0) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(chosen + 1, "]"), chosen + 1);
        environment_record_add(lines, "transparent huge pages", name);
    }
}

/* Libraries that the dynamic linker puts before those of every program. */
static void add_preloaded(const char *root, struct argv *lines)
{
    char path[PATH_SIZE];
    if (fs_path(path, sizeof path, NULL, "%s/etc/ld.so.preload", root) < 0)
        return;
    char *text = fs_exists(path) ? fs_read(path, NULL, NULL) : NULL, *rest = text;
    for (char *word; text && (word = strsep(&rest, " \t:\r\n")) != NULL;)
        if (*word)
            environment_record_add(lines, "preloaded for every program", word);
    free(text);
}

/* CPUs of quota and period; infinity where there is no limit. */
static double cpus_of(const char *quota, const char *period)
{
    const double q = strtod(quota, NULL), p = strtod(period, NULL);
    return q > 0 && p > 0 ? q / p : INFINITY;
}

/* The limit of one group, of either version of control groups. */
static double group_limit(const char *root, const char *mount, const char *group)
{
    char name[PATH_SIZE], quota[64], period[64];
    if (fs_path(name, sizeof name, NULL, "%s%s/cpu.max", mount, group) < 0)
        return INFINITY;
    read_line(root, name, quota, sizeof quota);
    const char *blank = strchr(quota, ' ');
    const double limit = blank ? cpus_of(quota, blank) : INFINITY;
    if (fs_path(name, sizeof name, NULL, "%s%s/cpu.cfs_quota_us", mount, group) < 0)
        return limit;
    read_line(root, name, quota, sizeof quota);
    if (fs_path(name, sizeof name, NULL, "%s%s/cpu.cfs_period_us", mount, group) < 0)
        return limit;
    read_line(root, name, period, sizeof period);
    return fmin(limit, cpus_of(quota, period));
}

/* Of a group and all that it is in; cuts the group's path. */
static double limit_above(const char *root, const char *mount, char *group)
{
    double limit = group_limit(root, mount, "");
    for (char *slash; (slash = strrchr(group, '/')) != NULL; *slash = '\0')
        limit = fmin(limit, group_limit(root, mount, group));
    return limit;
}

/* Is "cpu" one of the controllers, commas between? */
static int has_cpu(const char *controllers, size_t n)
{
    for (const char *p = controllers; p < controllers + n; p += strcspn(p, ",:") + 1)
        if (strcspn(p, ",:") == 3 && strncmp(p, "cpu", 3) == 0)
            return 1;
    return 0;
}

/* Lines "ID:CONTROLLERS:/GROUP"; of version 2 there are no controllers. */
double machine_state_limit(const char *root)
{
    char path[PATH_SIZE], mount[128];
    double limit = INFINITY;
    if (fs_path(path, sizeof path, NULL, "%s/proc/self/cgroup", root) < 0)
        return limit;
    char *text = fs_exists(path) ? fs_read(path, NULL, NULL) : NULL, *rest = text;
    for (char *line; text && (line = strsep(&rest, "\n")) != NULL;) {
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        const size_t n = group ? (size_t)(group - controllers - 1) : 0;
        if (!group)
            continue;
        if (n == 0)
            limit = fmin(limit, limit_above(root, "sys/fs/cgroup", group + 1));
        else if (has_cpu(controllers + 1, n) &&
                 snprintf(mount, sizeof mount, "sys/fs/cgroup/%.*s", (int)n, controllers + 1) <
                     (int)sizeof mount)
            limit = fmin(limit, limit_above(root, mount, group + 1));
    }
    free(text);
    return limit;
}

int machine_state_cpus(void)
{
    cpu_set_t set;
    const int allowed = sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0
                            ? CPU_COUNT(&set)
                            : (int)sysconf(_SC_NPROCESSORS_ONLN);
    const double limit = machine_state_limit("");
    return limit >= allowed ? allowed : limit > 1 ? (int)limit : 1;
}

static void add_scheduling(struct argv *lines)
{
    static const char *const names[] = { "other", "fifo", "rr", "batch", "4", "idle", "deadline" };
    char text[32];
    const int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    const int nice = getpriority(PRIO_PROCESS, 0);
    if (policy > 0) {
        snprintf(text, sizeof text, "%d", policy);
        environment_record_add(lines, "scheduling",
                               policy < (int)(sizeof names / sizeof *names) ? names[policy] : text);
    }
    if (nice) {
        snprintf(text, sizeof text, "%d", nice);
        environment_record_add(lines, "nice", text);
    }
}

/* What numactl has set. */
static void add_memory_policy(struct argv *lines)
{
    static const char *const names[] = { "default",    "preferred", "bind",
                                         "interleave", "local",     "preferred many" };
    char text[32];
    int mode = MPOL_DEFAULT;
    if (syscall(SYS_get_mempolicy, &mode, NULL, 0, NULL, 0) < 0)
        return;
    mode &= 0xff; /* without the flags */
    if (mode == MPOL_DEFAULT || mode == MPOL_LOCAL)
        return;
    snprintf(text, sizeof text, "%d", mode);
    environment_record_add(lines, "memory policy",
                           mode < (int)(sizeof names / sizeof *names) ? names[mode] : text);
}

static void add_limit(const char *root, struct argv *lines)
{
    char text[32];
    const double limit = machine_state_limit(root);
    if (isinf(limit))
        return;
    snprintf(text, sizeof text, "%.3g", limit);
    environment_record_add(lines, "CPU limit", text);
}

void machine_state_add_lines(const char *root, struct argv *lines)
{
    char smt[64];
    add_affinity(lines);
    read_line(root, "sys/devices/system/cpu/smt/control", smt, sizeof smt);
    environment_record_add(lines, "SMT", smt);
    add_governors(root, lines);
    add_unusual(root, lines);
    add_limit(root, lines);
    add_scheduling(lines);
    add_memory_policy(lines);
    add_preloaded(root, lines);
}
