/* SPDX-License-Identifier: BSD-3-Clause */
/* hardware-t.c - what a machine has, from copies of /sys and /proc made here; and this machine. */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/study/hardware.h"
#include "tests/analysis/dir.h"
#include "tests/tap.h"

static void put(const char *root, const char *path, int number, const char *name, const char *text)
{
    char whole[PATH_SIZE];
    struct err err = { 0 };
    snprintf(whole, sizeof whole, "%s/sys/devices/system/%s%d/%s", root, path, number, name);
    if (fs_write(whole, text, &err) < 0)
        diag("%s", err.text);
}

/* Two sockets of four cores of two threads; cores are numbered anew in each socket, a cache serves
 * two of them. */
static void build(const char *root)
{
    char text[32];
    for (int cpu = 0; cpu < 16; cpu++) {
        snprintf(text, sizeof text, "%d\n", cpu / 4 % 2);
        put(root, "cpu/cpu", cpu, "topology/physical_package_id", text);
        snprintf(text, sizeof text, "%d\n", cpu % 4);
        put(root, "cpu/cpu", cpu, "topology/core_id", text);
        put(root, "cpu/cpu", cpu, "cache/index0/level", "1\n");
        put(root, "cpu/cpu", cpu, "cache/index0/shared_cpu_list", "0\n");
        put(root, "cpu/cpu", cpu, "cache/index3/level", "3\n");
        put(root, "cpu/cpu", cpu, "cache/index3/size", "1536K\n");
        snprintf(text, sizeof text, "%d-%d,%d-%d\n", cpu % 8 / 2 * 2, cpu % 8 / 2 * 2 + 1,
                 cpu % 8 / 2 * 2 + 8, cpu % 8 / 2 * 2 + 9);
        put(root, "cpu/cpu", cpu, "cache/index3/shared_cpu_list", text);
    }
    put(root, "cpu/cpu", 16, "online", "0\n");
    put(root, "cpu/cpufreq", 0, "topology/core_id", "9\n");
    put(root, "node/node", 0, "cpulist", "0-3,8-11\n");
    put(root, "node/node", 1, "cpulist", "4-7,12-15\n");
    put(root, "node/node", 2, "cpulist", "\n");
}

static void test_copy(const char *root)
{
    struct hardware h;
    struct err err = { 0 };
    is_int(-1, hardware_from_sys(root, &h, &err), "an empty /sys is an error");
    has_str("tells of no processor", err.text, "and says so");
    build(root);
    is_int(0, hardware_from_sys(root, &h, &err), "a machine is read");
    is_int(2, h.sockets, "sockets");
    is_int(8, h.cores, "cores, numbered anew in each socket");
    is_int(16, h.threads, "threads, of those that are online");
    is_int(4, h.caches, "caches of the third level");
    is_near(1536 * 1024, h.cache_bytes, 0, "of this size");
    is_int(2, h.memories, "memories, less one without processors");
    is_str("", h.cpu, "no model is known");
}

/* hwloc, where it is there, sees what /sys tells, unless it was told otherwise. */
static void test_here(void)
{
    struct hardware h, sys;
    struct err err = { 0 };
    is_int(0, hardware_read(&h, &err), "this machine is read %s", err.text);
    ok(h.sockets >= 1 && h.cores >= h.sockets && h.threads >= h.cores,
       "%d sockets, %d cores, %d threads, by %s", h.sockets, h.cores, h.threads, h.source);
    cpu_set_t may;
    sched_getaffinity(0, sizeof may, &may);
    if (hardware_from_sys("", &sys, &err) < 0 || CPU_COUNT(&may) != sys.threads) {
        skip(*err.text ? err.text : "not all processors may be used here", "/sys tells the same");
        return;
    }
    ok(h.sockets == sys.sockets && h.cores == sys.cores && h.threads == sys.threads &&
           (!sys.caches || h.caches == sys.caches), /* virtual machines may tell of none */
       "/sys tells the same: %d sockets, %d cores, %d threads, %d caches", sys.sockets, sys.cores,
       sys.threads, sys.caches);
}

int main(void)
{
    char root[PATH_SIZE - 1000];
    if (!dir_make(root, sizeof root))
        return tap_skip_all("no directory can be made");
    test_copy(root);
    test_here();
    dir_remove(root);
    return tap_done();
}
