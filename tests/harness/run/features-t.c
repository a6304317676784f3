/* SPDX-License-Identifier: BSD-3-Clause */
/* features-t.c - what a machine has, from copies of /proc and /sys made here; and what learners get
 * of a cluster file. */
#include <string.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/run/features.h"
#include "harness/study/machine_features.h"
#include "tests/analysis/dir.h"
#include "tests/tap.h"

static void put(const char *root, const char *path, const char *text)
{
    char whole[PATH_SIZE];
    struct err err = { 0 };
    snprintf(whole, sizeof whole, "%s%s", root, path);
    if (fs_write(whole, text, &err) < 0)
        diag("%s", err.text);
}

static const char *value(const struct features *f, const char *key)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->row[i].key, key) == 0)
            return f->row[i].value;
    return "no such key";
}

static void find(const char *root, double bandwidth, struct features *f)
{
    struct err err = { 0 };
    ok(features_find(root, bandwidth, f, &err) == 0, "a machine is looked at %s", err.text);
}

/* A machine of which nothing is known is missing all, not zero. */
static void test_nothing(const char *root)
{
    static const char *const keys[] = { "base_clock",   "max_clock",  "memory_bandwidth",
                                        "adapter",      "link_speed", "link_lanes",
                                        "pcie_version", "pcie_lanes", "memory_channels" };
    struct features f;
    find(root, -1, &f);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        is_str("", value(&f, keys[i]), "%s is not known", keys[i]);
}

static void test_ethernet(const char *root)
{
    struct features f;
    put(root, "/proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU @ 2.40GHz\n");
    put(root, "/sys/class/net/lo/speed", "100000\n");
    put(root, "/sys/class/net/eth0/speed", "25000\n");
    put(root, "/sys/class/net/eth0/device/current_link_speed", "8.0 GT/s PCIe\n");
    put(root, "/sys/class/net/eth0/device/current_link_width", "8\n");
    put(root, "/sys/class/net/eth1/speed", "-1\n");
    put(root, "/sys/class/net/eth1/device/current_link_width", "4\n");
    find(root, 102.4, &f);
    is_str("Some CPU @ 2.40GHz", value(&f, "cpu"), "the model");
    is_str("2.4", value(&f, "base_clock"), "and the clock in its name");
    is_str("", value(&f, "max_clock"), "of which the largest is not known");
    is_str("102.4", value(&f, "memory_bandwidth"), "a bandwidth that is given");
    is_str("ethernet", value(&f, "adapter"), "an Ethernet card");
    is_str("25", value(&f, "link_speed"), "that has a device, not the loopback, nor a dead link");
    is_str("", value(&f, "link_lanes"), "whose lanes nobody says");
    is_str("3", value(&f, "pcie_version"), "8 GT/s is PCIe 3");
    is_str("8", value(&f, "pcie_lanes"), "of eight lanes");
}

static void test_infiniband(const char *root)
{
    struct features f;
    put(root, "/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "2700000\n");
    put(root, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "4000000\n");
    put(root, "/sys/class/infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)\n");
    put(root, "/sys/class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n");
    put(root, "/sys/class/infiniband/mlx5_0/device/current_link_speed", "16.0 GT/s PCIe\n");
    put(root, "/sys/class/infiniband/mlx5_0/device/current_link_width", "16\n");
    find(root, -1, &f);
    is_str("2.7", value(&f, "base_clock"), "the driver's clock goes before the name's");
    is_str("4", value(&f, "max_clock"), "the largest clock");
    is_str("infiniband", value(&f, "adapter"), "InfiniBand goes before Ethernet");
    is_str("100", value(&f, "link_speed"), "its speed");
    is_str("4", value(&f, "link_lanes"), "and width");
    is_str("4", value(&f, "pcie_version"), "16 GT/s is PCIe 4");
    put(root, "/sys/class/infiniband/hfi1_0/ports/1/rate", "200 Gb/sec (8X)\n");
    find(root, -1, &f);
    is_str("omni-path", value(&f, "adapter"), "Omni-Path looks like InfiniBand but for its name");
    is_str("", value(&f, "pcie_version"), "whose slot is not known");
}

static void test_cluster(void)
{
    struct cluster c;
    struct err err = { 0 };
    double machine[N_MACHINE];
    ok(cluster_load("clusters", "clusters/pml/mri.ini", &c, &err) == 0, "a cluster file %s",
       err.text);
    machine_of_cluster(&c, machine);
    is_near(8, machine[MACHINE_MEMORIES], 0, "four memories of sixteen cores on each socket");
    is_near(3, machine[MACHINE_ADAPTER], 0, "InfiniBand");
    is_near(200, machine[MACHINE_LINK_SPEED], 0, "of 200 Gb/s");
    is_near(2, machine[MACHINE_THREADS], 0, "two threads a core");
    cluster_free(&c);
    ok(cluster_load("clusters", "local", &c, &err) == 0, "one without features %s", err.text);
    machine_of_cluster(&c, machine);
    is_near(0, machine[MACHINE_LINK_SPEED], 0, "nothing is known of its link");
    cluster_free(&c);
}

int main(void)
{
    char root[PATH_SIZE - 1000];
    if (!dir_make(root, sizeof root))
        return tap_skip_all("no directory can be made");
    test_nothing(root);
    test_ethernet(root);
    test_infiniband(root);
    test_cluster();
    dir_remove(root);
    return tap_done();
}
