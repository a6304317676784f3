/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/features.h"

#include <dirent.h>
#include <jansson.h>
#include <sys/mman.h>

#include "harness/base/parallel.h"
#include "harness/run/progress.h"
#include "harness/study/hardware.h"

static struct found *add(struct features *f, const char *section, const char *key,
                         const char *source)
{
    struct found *row = &f->row[f->n < MOST_FOUND ? f->n++ : MOST_FOUND - 1];
    *row = (struct found){ .section = section, .key = key };
    snprintf(row->source, sizeof row->source, "%s", source);
    return row;
}

/* A number, or, where it is not above 0, the row without a value. */
static void add_number(struct features *f, const char *section, const char *key, double value,
                       const char *source, const char *why_not)
{
    struct found *row = add(f, section, key, value > 0 ? source : why_not);
    if (value > 0)
        snprintf(row->value, sizeof row->value, "%.4g", value);
}

/* The first line of a file, without its end; "" where there is none. */
static char *read_line(char *buf, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static char *read_line(char *buf, size_t size, const char *fmt, ...)
{
    char path[PATH_SIZE];
    va_list args;
    va_start(args, fmt);
    const int len = vsnprintf(path, sizeof path, fmt, args);
    va_end(args);
    FILE *in = len > 0 && len < (int)sizeof path ? fopen(path, "r") : NULL;
    *buf = '\0';
    if (!in)
        return buf;
    if (!fgets(buf, (int)size, in))
        *buf = '\0';
    fclose(in);
    buf[strcspn(buf, "\n")] = '\0';
    return buf;
}

/* The number that a text begins with; 0: none. */
static double leading(const char *text)
{
    char *end;
    const double v = strtod(text, &end);
    return end != text && v > 0 && v < 1e15 ? v : 0;
}

/* GHz: what the driver of the clock says, else what stands in the model's name ("@ 2.40GHz"). */
static void find_clocks(const char *root, const char *model, struct features *f)
{
    char text[64];
    const char *at = strchr(model, '@'), *from = "the model's name";
    double base =
        leading(read_line(text, sizeof text,
                          "%s/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", root)) /
        1e6;
    const double most =
        leading(read_line(text, sizeof text,
                          "%s/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", root)) /
        1e6;
    if (base > 0)
        from = "/sys/devices/system/cpu/cpu0/cpufreq/base_frequency";
    else if (at && strstr(at, "GHz"))
        base = leading(at + 1);
    add_number(f, "features", "base_clock", base, from,
               "neither base_frequency in /sys nor the model's name says it");
    add_number(f, "features", "max_clock", most,
               "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
               "there is no cpuinfo_max_freq in /sys");
}

/* Where every one of the larger has as many of the smaller. */
static double each(int of, int among)
{
    return among > 0 && of > 0 && of % among == 0 ? (double)of / among : 0;
}

/* Cores that share one of n things of a machine; all of a processor's are one. */
static void add_sharing(struct features *f, const char *key, const struct hardware *h, int n,
                        const char *why_not)
{
    struct found *row;
    if (n > 0 && n == h->sockets) {
        row = add(f, "cluster", key, h->source);
        snprintf(row->value, sizeof row->value, "all");
        return;
    }
    add_number(f, "cluster", key, each(h->cores, n), h->source, why_not);
}

/* The model and what /sys says of clocks are those below root, the rest is this machine's. */
static int find_processors(const char *root, struct features *f, struct err *err)
{
    struct hardware h, below;
    if (hardware_read(&h, err) < 0)
        return -1;
    const double cache = h.cache_bytes * each(h.caches, h.sockets);
    hardware_from_sys(root, &below, NULL);
    add_number(f, "cluster", "sockets", h.sockets, h.source, "no processor is seen");
    add_number(f, "cluster", "cores", each(h.cores, h.sockets), h.source,
               "processors have different numbers of cores");
    add_sharing(f, "cache_cores", &h, h.caches,
                "no third-level cache is seen, or caches of different numbers of cores");
    add_sharing(f, "memory_cores", &h, h.memories, "memories have different numbers of cores");
    add_number(f, "cluster", "threads", each(h.threads, h.cores), h.source,
               "cores have different numbers of threads");
    struct found *cpu =
        add(f, "cluster", "cpu", *below.cpu ? "/proc/cpuinfo" : "not in /proc/cpuinfo");
    snprintf(cpu->value, sizeof cpu->value, "%s", below.cpu);
    find_clocks(root, below.cpu, f);
    struct found *row =
        add(f, "features", "last_cache",
            cache > 0 ? h.source : "no third-level cache is seen, or other ones on each processor");
    if (cache > 0)
        snprintf(row->value, sizeof row->value, "%.0f", cache);
    return 0;
}

enum { BLOCK = 1 << 20 };

struct copying {
    char *from, *to;
};

static void copy_block(size_t i, void *user)
{
    const struct copying *c = user;
    memcpy(c->to + i * BLOCK, c->from + i * BLOCK, BLOCK);
}

static void touch_block(size_t i, void *user)
{
    const struct copying *c = user;
    memset(c->from + i * BLOCK, 1, BLOCK);
    memset(c->to + i * BLOCK, 2, BLOCK);
}

/* In large pages where there are such: what is timed is the memory, and a fault for each small page
 * takes longer than all copies. */
static char *room(size_t blocks)
{
    enum { LARGE_PAGE = 2 << 20 };
    char *const p = aligned_alloc(LARGE_PAGE, blocks * BLOCK);
    if (!p)
        memory_ends();
    madvise(p, blocks * BLOCK, MADV_HUGEPAGE); /* a wish */
    return p;
}

/* GB/s that all processors together read and write while they copy what no cache holds: both sides
 * together are twice as large as all caches. The best of some tries in half a second or a little
 * more. */
static double copy_rate(double caches)
{
    const size_t blocks = ((size_t)(caches / BLOCK) + 128) & ~(size_t)1;
    struct copying c = { room(blocks), room(blocks) };
    double best = 0;
    parallel_for(blocks, touch_block, &c);
    const double start = now_s();
    for (int i = 0; i < 3 || (i < 50 && now_s() - start < 0.5); i++) {
        const double before = now_s();
        parallel_for(blocks, copy_block, &c);
        const double took = now_s() - before, rate = 2.0 * BLOCK * (double)blocks / took / 1e9;
        best = took > 0 && rate > best ? rate : best;
    }
    memory_free(c.from, c.to);
    return best;
}

static double all_caches(const struct features *f)
{
    double sockets = 1;
    uint64_t cache = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (strcmp(f->row[i].key, "sockets") == 0)
            sockets = leading(f->row[i].value);
        if (strcmp(f->row[i].key, "last_cache") == 0 && *f->row[i].value)
            parse_bytes(f->row[i].value, &cache, NULL);
    }
    return sockets * (double)cache;
}

static void find_memory(double bandwidth, struct features *f)
{
    const double rate = bandwidth == 0 ? copy_rate(all_caches(f)) : bandwidth;
    add_number(f, "features", "memory_bandwidth", rate,
               bandwidth > 0 ? "given" : "measured: read and written by a copy on all processors",
               "not requested");
    add_number(f, "features", "memory_channels", 0, "", "no file says it (the data sheet does)");
}

struct adapter {
    char name[64];
    const char *kind;       /* as the key's choices; NULL: none */
    double speed;           /* Gb/s */
    int lanes;              /* 0: not known */
    char device[PATH_SIZE]; /* its directory in /sys */
};

static int is_entry(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

/* "100 Gb/sec (4X EDR)": InfiniBand, and Omni-Path, which looks like it. */
static void take_infiniband(const char *root, const char *name, struct adapter *best)
{
    char text[64], layer[64];
    read_line(text, sizeof text, "%s/sys/class/infiniband/%s/ports/1/rate", root, name);
    read_line(layer, sizeof layer, "%s/sys/class/infiniband/%s/ports/1/link_layer", root, name);
    const double speed = leading(text);
    const char *lanes = strchr(text, '(');
    if (speed <= best->speed)
        return;
    *best = (struct adapter){ .speed = speed, .lanes = lanes ? (int)leading(lanes + 1) : 0 };
    best->kind = strncmp(name, "hfi1", 4) == 0      ? "omni-path"
                 : strcmp(layer, "InfiniBand") == 0 ? "infiniband"
                                                    : "ethernet";
    snprintf(best->name, sizeof best->name, "%.63s", name);
    snprintf(best->device, sizeof best->device, "%s/sys/class/infiniband/%s/device", root, name);
}

/* Mb/s of an Ethernet link that has a device behind it; bridges and tunnels have none. */
static void take_ethernet(const char *root, const char *name, struct adapter *best)
{
    char text[64], device[PATH_SIZE];
    const double speed =
        leading(read_line(text, sizeof text, "%s/sys/class/net/%s/speed", root, name)) / 1e3;
    snprintf(device, sizeof device, "%s/sys/class/net/%.63s/device", root, name);
    if (speed <= best->speed || !fs_exists(device))
        return;
    *best = (struct adapter){ .kind = "ethernet", .speed = speed };
    snprintf(best->name, sizeof best->name, "%.63s", name);
    memcpy(best->device, device, sizeof best->device);
}

static void each_entry(const char *root, const char *dir,
                       void (*take)(const char *root, const char *name, struct adapter *best),
                       struct adapter *best)
{
    char path[PATH_SIZE];
    struct dirent **found;
    snprintf(path, sizeof path, "%s%s", root, dir);
    const int n = scandir(path, &found, is_entry, alphasort);
    for (int i = 0; i < n; i++) {
        take(root, found[i]->d_name, best);
        free(found[i]);
    }
    if (n >= 0)
        free(found);
}

/* Of the speed of a lane: 2.5 GT/s is PCIe 1, 5 is 2, 8 is 3, and so on. */
static int pcie_version(double gt_s)
{
    static const double speed[] = { 2.5, 5, 8, 16, 32, 64 };
    for (size_t i = 0; i < sizeof speed / sizeof *speed; i++)
        if (gt_s > speed[i] * 0.99 && gt_s < speed[i] * 1.01)
            return (int)i + 1;
    return 0;
}

static void find_network(const char *root, struct features *f)
{
    struct adapter a = { .speed = 0 };
    char text[64], from[FOUND_TEXT];
    each_entry(root, "/sys/class/infiniband", take_infiniband, &a);
    const char *class = a.kind ? "infiniband" : "net";
    if (!a.kind)
        each_entry(root, "/sys/class/net", take_ethernet, &a);
    snprintf(from, sizeof from, "/sys/class/%s/%s", class, a.name);
    struct found *kind = add(f, "features", "adapter",
                             a.kind ? from : "/sys knows of no adapter with a device and a speed");
    snprintf(kind->value, sizeof kind->value, "%s", a.kind ? a.kind : "");
    const char *why = a.kind ? "/sys does not say it" : kind->source;
    add_number(f, "features", "link_speed", a.speed, from, why);
    add_number(f, "features", "link_lanes", a.lanes, from, why);
    read_line(text, sizeof text, "%s/current_link_speed", a.device);
    add_number(f, "features", "pcie_version", a.kind ? pcie_version(leading(text)) : 0, from, why);
    read_line(text, sizeof text, "%s/current_link_width", a.device);
    add_number(f, "features", "pcie_lanes", a.kind ? leading(text) : 0, from, why);
}

int features_find(const char *root, double bandwidth, struct features *out, struct err *err)
{
    *out = (struct features){ .n = 0 };
    if (find_processors(root, out, err) < 0)
        return -1;
    find_memory(bandwidth, out);
    find_network(root, out);
    return 0;
}

void features_print(FILE *out, const struct features *f)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct found *r = &f->row[i];
        if (i == 0 || strcmp(r->section, f->row[i - 1].section) != 0)
            fprintf(out, "%s[%s]\n", i ? "\n" : "", r->section);
        if (*r->value)
            fprintf(out, "%s = %s\n", r->key, r->value);
        else
            fprintf(out, "; %s is not known: %s\n", r->key, r->source);
    }
    fprintf(out, "\n[sources]\n");
    for (size_t i = 0; i < f->n; i++)
        if (*f->row[i].value)
            fprintf(out, "%s = %s\n", f->row[i].key, f->row[i].source);
}

void features_print_json(FILE *out, const struct features *f)
{
    json_t *all = json_object();
    for (size_t i = 0; i < f->n; i++) {
        const struct found *r = &f->row[i];
        char *end;
        const double number = strtod(r->value, &end);
        json_object_set_new(all, r->key,
                            !*r->value  ? json_null()
                            : *end == 0 ? json_real(number)
                                        : json_string(r->value));
    }
    json_dumpf(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(all);
}
