/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/hardware.h"

#include <dirent.h>
#include <unistd.h>
#ifdef HAVE_HWLOC
#include <hwloc.h>
#endif

enum { LINE = 128 };

/* Different texts, counted. */
struct kinds {
    char (*text)[LINE];
    size_t n;
};

static void add_kind(struct kinds *k, const char *text)
{
    for (size_t i = 0; i < k->n; i++)
        if (strcmp(k->text[i], text) == 0)
            return;
    char(*at)[LINE] = array_add(&k->text, &k->n);
    snprintf(*at, LINE, "%.*s", LINE - 1, text);
}

/* The first line of the file dir/name; 0 where there is none or it is empty. */
static int line_of(const char *dir, const char *name, char line[LINE])
{
    char path[PATH_SIZE];
    FILE *in = fs_path(path, sizeof path, NULL, "%s/%s", dir, name) == 0 ? fopen(path, "r") : NULL;
    *line = '\0';
    if (!in)
        return 0;
    if (!fgets(line, LINE, in))
        *line = '\0';
    fclose(in);
    line[strcspn(line, "\n")] = '\0';
    return *line != '\0';
}

/* "32K", "96M": as the kernel writes sizes of caches. */
static double cache_size(const char *text)
{
    char *end;
    const double n = strtod(text, &end);
    return n <= 0 ? 0 : *end == 'K' ? n * 1024 : *end == 'M' ? n * 1024 * 1024 : n;
}

struct seen {
    struct kinds sockets, cores, caches, memories;
};

static void see_cache(const char *cpu, struct hardware *out, struct seen *seen)
{
    char dir[PATH_SIZE], line[LINE];
    for (int i = 0; i < 8; i++) {
        if (fs_path(dir, sizeof dir, NULL, "%s/cache/index%d", cpu, i) < 0 ||
            !line_of(dir, "level", line) || strcmp(line, "3") != 0)
            continue;
        if (line_of(dir, "shared_cpu_list", line))
            add_kind(&seen->caches, line);
        if (line_of(dir, "size", line))
            out->cache_bytes = cache_size(line);
    }
}

/* A processor that is online: one that is not has no topology. */
static void see_cpu(const char *cpu, struct hardware *out, struct seen *seen)
{
    char socket[LINE], core[LINE], both[LINE];
    if (!line_of(cpu, "topology/physical_package_id", socket) ||
        !line_of(cpu, "topology/core_id", core))
        return;
    out->threads++;
    add_kind(&seen->sockets, socket);
    snprintf(both, sizeof both, "%.60s %.60s", socket, core);
    add_kind(&seen->cores, both);
    see_cache(cpu, out, seen);
}

static void see_memory(const char *node, struct hardware *out, struct seen *seen)
{
    char line[LINE];
    (void)out;
    if (line_of(node, "cpulist", line))
        add_kind(&seen->memories, node);
}

/* Everything of a directory that is called word and a number. */
static void each_numbered(const char *dir, const char *word,
                          void (*see)(const char *, struct hardware *, struct seen *),
                          struct hardware *out, struct seen *seen)
{
    char path[PATH_SIZE];
    const size_t len = strlen(word);
    DIR *d = opendir(dir);
    for (const struct dirent *e; d && (e = readdir(d));) {
        const char *digits = e->d_name + len;
        if (strncmp(e->d_name, word, len) == 0 && *digits &&
            strspn(digits, "0123456789") == strlen(digits) &&
            fs_path(path, sizeof path, NULL, "%s/%s", dir, e->d_name) == 0)
            see(path, out, seen);
    }
    if (d)
        closedir(d);
}

/* The model's name as /proc/cpuinfo has it: x86, then POWER. */
static void cpu_name(const char *root, char *buf, size_t size)
{
    static const char *const words[] = { "model name", "cpu\t", "Processor" };
    char path[PATH_SIZE], line[256];
    *buf = '\0';
    FILE *in =
        fs_path(path, sizeof path, NULL, "%s/proc/cpuinfo", root) == 0 ? fopen(path, "r") : NULL;
    while (in && !*buf && fgets(line, sizeof line, in))
        for (size_t i = 0; i < sizeof words / sizeof *words && !*buf; i++) {
            const char *colon = strchr(line, ':');
            if (strncmp(line, words[i], strlen(words[i])) == 0 && colon)
                snprintf(buf, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
        }
    if (in)
        fclose(in);
    buf[strcspn(buf, "\n")] = '\0';
    text_disarm(buf);
}

int hardware_from_sys(const char *root, struct hardware *out, struct err *err)
{
    char cpus[PATH_SIZE], nodes[PATH_SIZE];
    struct seen seen;
    memset(&seen, 0, sizeof seen);
    *out = (struct hardware){ .source = "/sys" };
    if (fs_path(cpus, sizeof cpus, err, "%s/sys/devices/system/cpu", root) < 0 ||
        fs_path(nodes, sizeof nodes, err, "%s/sys/devices/system/node", root) < 0)
        return -1;
    each_numbered(cpus, "cpu", see_cpu, out, &seen);
    each_numbered(nodes, "node", see_memory, out, &seen);
    cpu_name(root, out->cpu, sizeof out->cpu);
    out->sockets = (int)seen.sockets.n;
    out->cores = (int)seen.cores.n;
    out->caches = (int)seen.caches.n;
    out->memories = (int)seen.memories.n;
    memory_free(seen.sockets.text, seen.cores.text, seen.caches.text, seen.memories.text);
    return out->threads ? 0 : err_set(err, "'%s' tells of no processor's topology", cpus);
}

#ifdef HAVE_HWLOC

static int count(hwloc_topology_t t, hwloc_obj_type_t type)
{
    const int n = hwloc_get_nbobjs_by_type(t, type);
    return n > 0 ? n : 0;
}

static void take(hwloc_topology_t t, struct hardware *out)
{
    const hwloc_obj_t package = hwloc_get_obj_by_type(t, HWLOC_OBJ_PACKAGE, 0);
    const hwloc_obj_t cache = hwloc_get_obj_by_type(t, HWLOC_OBJ_L3CACHE, 0);
    const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    *out = (struct hardware){ .sockets = count(t, HWLOC_OBJ_PACKAGE),
                              .cores = count(t, HWLOC_OBJ_CORE),
                              .threads = count(t, HWLOC_OBJ_PU),
                              .caches = count(t, HWLOC_OBJ_L3CACHE),
                              .memories = count(t, HWLOC_OBJ_NUMANODE),
                              .source = "hwloc" };
    if (cache && cache->attr)
        out->cache_bytes = (double)cache->attr->cache.size;
    snprintf(out->cpu, sizeof out->cpu, "%s", model ? model : "");
}

int hardware_read(struct hardware *out, struct err *err)
{
    hwloc_topology_t t;
    if (hwloc_topology_init(&t) < 0)
        return err_set(err, "cannot read this machine's topology");
    const int bad = hwloc_topology_load(t) < 0;
    if (!bad)
        take(t, out);
    hwloc_topology_destroy(t);
    return bad ? err_set(err, "cannot read this machine's topology") : 0;
}

#else

/* Where /sys is hidden, as in some containers: one socket of the cores that are online. */
int hardware_read(struct hardware *out, struct err *err)
{
    if (hardware_from_sys("", out, NULL) == 0)
        return 0;
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    out->sockets = 1;
    out->cores = out->threads = (int)n;
    out->source = "the processors that are online";
    return n > 0 ? 0 : err_set(err, "cannot tell how many processors this machine has");
}

#endif
