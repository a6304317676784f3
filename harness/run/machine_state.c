/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/machine_state.h"

#include <linux/mempolicy.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/study/environment_record.h"

/* ---- CPUs ---- */

static int allowed_cpus(cpu_set_t *set)
{
    return sched_getaffinity(0, sizeof *set, set) == 0 && CPU_COUNT(set) > 0
               ? CPU_COUNT(set)
               : (int)sysconf(_SC_NPROCESSORS_ONLN);
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

/* ---- files of the system ---- */

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

/* ---- control groups ---- */

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
    const int allowed = allowed_cpus(&set);
    const double limit = machine_state_limit("");
    return limit >= allowed ? allowed : limit > 1 ? (int)limit : 1;
}

/* ---- this process, as what it starts will be ---- */

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
