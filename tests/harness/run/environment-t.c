/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables and what they do, lists of surroundings and how they differ, what /sys says of a
 * machine. */
#include <errno.h>
#include <linux/mempolicy.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "harness/base/variable.h"
#include "harness/run/environment.h"
#include "harness/study/environment_record.h"
#include "tests/tap.h"

/* ---- the table ---- */

static void check_rules(void)
{
    static const struct {
        const char *name, *library;
        int kind; /* -1: none */
    } rows[] = {
        { "OMPI_MCA_coll_tuned_bcast_algorithm", "openmpi", VARIABLE_SELECTS },
        { "OMPI_MCA_coll_tuned_bcast_algorithm", "mpich", -1 },
        { "OMPI_MCA_coll", "openmpi", VARIABLE_SELECTS },
        { "OMPI_MCA_coll_han_priority", "openmpi", VARIABLE_SELECTS },
        { "OMPI_MCA_coll_sync_barrier_before", "openmpi", VARIABLE_SELECTS },
        { "OMPI_MCA_pml_monitoring_enable", "openmpi", VARIABLE_SELECTS },
        { "OMPI_MCA_hook_demo_x", "openmpi", VARIABLE_SELECTS },
        { "OMPI_MCA_mca_base_param_files", "openmpi", VARIABLE_TUNES },
        { "OMPI_MCA_mca_base_param_file_path", "openmpi", VARIABLE_SELECTS },
        { "OMPI_MCA_btl", "openmpi", VARIABLE_TUNES },
        { "OMPI_MCA_pml", "openmpi", VARIABLE_TUNES },
        { "OMPI_MCA_orte_tmpdir_base", "openmpi", VARIABLE_HARMLESS },
        { "OMPI_MCA_coll_base_verbose", "openmpi", VARIABLE_HARMLESS },
        { "OMPI_ALLOW_RUN_AS_ROOT", "openmpi", -1 },
        { "MPIR_CVAR_BCAST_INTRA_ALGORITHM", "mpich", VARIABLE_SELECTS },
        { "MPIR_CVAR_BCAST_INTRA_ALGORITHM", "openmpi", -1 },
        { "MPICH_BCAST_INTRA_ALGORITHM", "mpich", VARIABLE_SELECTS },
        { "MPIR_PARAM_BCAST_INTRA_ALGORITHM", "mpich", VARIABLE_SELECTS },
        { "MPIR_CVAR_IALLREDUCE_TREE_KVAL", "mpich", VARIABLE_SELECTS },
        { "MPIR_CVAR_REDUCE_SHORT_MSG_SIZE", "mpich", VARIABLE_SELECTS },
        { "MPIR_CVAR_MAX_SMP_BCAST_MSG_SIZE", "mpich", VARIABLE_SELECTS },
        { "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE", "mpich", VARIABLE_SELECTS },
        { "MPICH_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE_GPU", "mpich", VARIABLE_SELECTS },
        { "MPIR_CVAR_CH4_NETMOD", "mpich", VARIABLE_TUNES },
        { "MPIR_CVAR_NOLOCAL", "mpich", VARIABLE_TUNES },
        { "MPICH_CC", "mpich", VARIABLE_HARMLESS },
        { "UCX_TLS", "mpich", VARIABLE_TUNES },
        { "UCX_TLS", "openmpi", VARIABLE_TUNES },
        { "UCX_TLS", "smpi", -1 },
        { "UCX_LOG_LEVEL", "mpich", VARIABLE_HARMLESS },
        { "UCC_TL_UCP_TUNE", "openmpi", VARIABLE_SELECTS },
        { "UCC_LOG_LEVEL", "openmpi", VARIABLE_HARMLESS },
        { "HCOLL_BCOL_P2P_ALLREDUCE_ALG", "openmpi", VARIABLE_SELECTS },
        { "HCOLL_MAIN_IB", "mpich", VARIABLE_TUNES },
        { "UCC_DIR", "openmpi", VARIABLE_HARMLESS },
        { "HCOLL_HOME", "mpich", VARIABLE_HARMLESS },
        { "PRTE_MCA_rmaps_default_mapping_policy", "openmpi", VARIABLE_TUNES },
        { "PRTE_MCA_plm_rsh_agent", "openmpi", VARIABLE_HARMLESS },
        { "LD_PRELOAD", "smpi", VARIABLE_SELECTS },
        { "SMPI_PRIVATIZATION", "smpi", VARIABLE_SELECTS },
        { "SMPI_PRIVATIZATION", "mpich", -1 },
        { "OMPI_MCA_mca_base_override_param_file", "openmpi", VARIABLE_SELECTS },
        { "OPAL_PREFIX", "openmpi", VARIABLE_TUNES },
        { "HWLOC_SYNTHETIC", "mpich", VARIABLE_TUNES },
        { "LD_PROFILE", "mpich", VARIABLE_TUNES },
        { "LD_AUDIT", "openmpi", VARIABLE_SELECTS },
        { "PMIX_MCA_gds", "openmpi", VARIABLE_HARMLESS },
        { "OMP_NUM_THREADS", "openmpi", -1 },
        { "PATH", "openmpi", -1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct variable_rule *r = variable_rule_of(rows[i].name, rows[i].library);
        is_int(rows[i].kind, r ? (int)r->kind : -1, "%s for %s", rows[i].name, rows[i].library);
    }
    static const char *const places[] = { "SLURM_JOBID", "HYDRA_HOST_FILE", "PE_HOSTFILE",
                                          "HYDRA_LAUNCHER" };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const struct variable_rule *r = variable_rule_of(places[i], "mpich");
        ok(r && r->elsewhere, "%s may start ranks elsewhere", places[i]);
    }
    const struct variable_rule *hosts =
        variable_rule_of("OMPI_MCA_orte_default_hostfile", "openmpi");
    ok(hosts && hosts->elsewhere, "so may Open MPI's own list of hosts");
    const struct variable_rule *placed =
        variable_rule_of("PRTE_MCA_rmaps_default_mapping_policy", "openmpi");
    ok(placed && placed->of_place, "where ranks are placed may differ from node to node");
    const struct variable_rule *han = variable_rule_of_parameter("coll_han_priority");
    ok(han && han->kind == VARIABLE_SELECTS && !han->ours,
       "a parameter that raises a component selects: no launch leaves that out");
    const struct variable_rule *coll = variable_rule_of_parameter("coll");
    ok(coll && coll->kind == VARIABLE_SELECTS && !coll->ours, "so does the list of components");
    const struct variable_rule *dynamic =
        variable_rule_of_parameter("coll_tuned_use_dynamic_rules");
    ok(dynamic && dynamic->ours, "dynamic rules are what every launch sets");
}

static void check_values(void)
{
    static const struct {
        const char *name, *value;
        int passes;
    } rows[] = {
        { "OMPI_MCA_coll", "^hcoll", 1 },
        { "OMPI_MCA_coll", "^ucc,hcoll", 1 },
        { "OMPI_MCA_coll", "^hcoll,tuned", 0 },
        { "OMPI_MCA_coll", "^hcoll,", 0 },
        { "OMPI_MCA_coll", "hcoll", 0 },
        { "OMPI_MCA_coll", "^", 0 },
        { "OMPI_MCA_coll", "", 0 },
        { "OMPI_MCA_coll_hcoll_enable", "0", 1 },
        { "OMPI_MCA_coll_hcoll_enable", "1", 0 },
        { "OMPI_MCA_coll_tuned_use_dynamic_rules", "0", 0 },
        { "HYDRA_BOOTSTRAP", "fork", 1 },
        { "HYDRA_BOOTSTRAP", "ssh", 0 },
        { "HYDRA_BOOTSTRAP_EXEC", "fork", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is_int(rows[i].passes, variable_value_passes(rows[i].name, rows[i].value), "%s=%s",
               rows[i].name, rows[i].value);
}

/* ---- differences ---- */

static void check_difference(void)
{
    struct argv was = { 0 }, is = { 0 };
    argv_add(&was, "UCX_TLS=tcp,self");
    argv_add(&was, "SMT=on");
    argv_add(&is, "SMT=on");
    argv_add(&is, "UCX_TLS=tcp,self");
    ok(environment_record_differ(&was, &is) == NULL,
       "the same lines in another order are the same");
    argv_add(&was, "governor=powersave");
    argv_add(&is, "governor=performance");
    argv_add(&was, "UCX_NET_DEVICES=eth0");
    argv_add(&is, "UCX_TLS_=x");
    char *text = environment_record_differ(&was, &is);
    is_str("governor was 'powersave' and is 'performance'; UCX_NET_DEVICES was 'eth0' and is not "
           "there now; UCX_TLS_ is 'x' and was not there",
           text, "what has changed, gone and come is named");
    free(text);
    argv_free(&was);
    argv_free(&is);
}

/* ---- the machine ---- */

static void put_file(const char *dir, const char *name, const char *text)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    fs_write(path, text, NULL);
}

static int has_line(const struct argv *lines, const char *line)
{
    for (size_t i = 0; i < lines->n; i++)
        if (strcmp(lines->v[i], line) == 0)
            return 1;
    return 0;
}

/* A machine as its files tell it. */
static void put_machine(const char *dir)
{
    put_file(dir, "sys/devices/system/cpu/smt/control", "on\n");
    put_file(dir, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    put_file(dir, "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
    put_file(dir, "sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "powersave\n");
}

/* Root may write everywhere, so another user looks. */
static void check_shared_memory(void)
{
    enum { NOBODY = 65534 };
    char dir[] = "/tmp/collsel-XXXXXX", shared[PATH_SIZE];
    int raw = -1;
    if (!mkdtemp(dir))
        return;
    put_file(dir, "dev/shm/file", "");
    snprintf(shared, sizeof shared, "%s/dev/shm", dir);
    const pid_t pid = chmod(dir, 0755) == 0 ? fork() : -1;
    if (pid == 0) {
        static const char line[] = "shared memory=/dev/shm takes no files";
        struct argv open_lines = { 0 }, closed_lines = { 0 };
        chmod(shared, 0777);
        machine_state_add_lines(dir, &open_lines);
        chmod(shared, 0555);
        if (geteuid() == 0 && setuid(NOBODY) < 0)
            _exit(1);
        machine_state_add_lines(dir, &closed_lines);
        _exit(!has_line(&open_lines, line) && has_line(&closed_lines, line) ? 0 : 2);
    }
    ok(pid > 0 && waitpid(pid, &raw, 0) == pid && raw == 0,
       "shared memory that takes no files of ours is told, and only that");
    chmod(shared, 0755);
    fs_remove_tree(dir, NULL);
}

static void check_machine(void)
{
    char dir[] = "/tmp/collsel-XXXXXX";
    struct argv lines = { 0 };
    if (!mkdtemp(dir))
        return;
    put_machine(dir);
    machine_state_add_lines(dir, &lines);
    ok(has_line(&lines, "SMT=on"), "whether cores are shared by hardware threads");
    ok(has_line(&lines, "governor=performance powersave"), "every governor, once");
    const size_t usual = lines.n;
    argv_free(&lines);
    put_file(dir, "sys/devices/system/cpu/cpufreq/boost", "1\n");
    put_file(dir, "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    machine_state_add_lines(dir, &lines);
    is_int((long long)usual, (long long)lines.n, "what is as usual has no line");
    argv_free(&lines);
    put_file(dir, "sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
    put_file(dir, "sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
    put_file(dir, "etc/ld.so.preload", "/lib/first.so /lib/second.so\n");
    machine_state_add_lines(dir, &lines);
    ok(has_line(&lines, "frequency boost=off"), "frequencies that may not rise");
    ok(has_line(&lines, "transparent huge pages=always"), "huge pages for all");
    ok(has_line(&lines, "preloaded for every program=/lib/first.so") &&
           has_line(&lines, "preloaded for every program=/lib/second.so"),
       "libraries that the system puts before those of every program");
    argv_free(&lines);
    fs_remove_tree(dir, NULL);
    machine_state_add_lines(dir, &lines);
    ok(has_line(&lines, "SMT=unknown") && has_line(&lines, "governor=unknown"),
       "what /sys does not say is unknown");
    ok(machine_state_cpus() >= 1, "there is a CPU to run on");
    argv_free(&lines);
}

/* The limits of control groups, of version 2 and 1. */
static void check_limit(void)
{
    char dir[] = "/tmp/collsel-XXXXXX";
    struct argv lines = { 0 };
    if (!mkdtemp(dir))
        return;
    ok(isinf(machine_state_limit(dir)), "without control groups there is no limit");
    put_file(dir, "proc/self/cgroup", "0::/user/one\n");
    put_file(dir, "sys/fs/cgroup/user/one/cpu.max", "max 100000\n");
    ok(isinf(machine_state_limit(dir)), "\"max\" is none");
    put_file(dir, "sys/fs/cgroup/user/cpu.max", "150000 100000\n");
    is_near(1.5, machine_state_limit(dir), 1e-9, "that of the group around it counts");
    machine_state_add_lines(dir, &lines);
    ok(has_line(&lines, "CPU limit=1.5"), "and is told");
    argv_free(&lines);
    put_file(dir, "proc/self/cgroup", "5:memory:/\n4:cpuacct,cpu:/job\n1:cpuset:/\n");
    put_file(dir, "sys/fs/cgroup/cpuacct,cpu/job/cpu.cfs_quota_us", "50000\n");
    put_file(dir, "sys/fs/cgroup/cpuacct,cpu/job/cpu.cfs_period_us", "100000\n");
    is_near(0.5, machine_state_limit(dir), 1e-9, "so does one of the first version");
    put_file(dir, "sys/fs/cgroup/cpuacct,cpu/job/cpu.cfs_quota_us", "-1\n");
    ok(isinf(machine_state_limit(dir)), "-1 is none");
    fs_remove_tree(dir, NULL);
}

/* In a process of its own, as nice cannot be taken back by everyone. */
static void look_unusual(int to)
{
    struct argv lines = { 0 };
    const struct sched_param none = { 0 };
    errno = 0;
    const int niced = nice(3) != -1 || !errno;
    const int batch = sched_setscheduler(0, SCHED_BATCH, &none) == 0;
    const unsigned long first = 1;
    const int bound = syscall(SYS_set_mempolicy, MPOL_BIND, &first, 8 * sizeof first) == 0;
    machine_state_add_lines("/nowhere", &lines);
    char seen[4] = "-";
    char text[32];
    snprintf(text, sizeof text, "nice=%d", getpriority(PRIO_PROCESS, 0));
    seen[0] = !niced ? '-' : has_line(&lines, text) ? 'y' : 'n';
    seen[1] = !batch ? '-' : has_line(&lines, "scheduling=batch") ? 'y' : 'n';
    seen[2] = !bound ? '-' : has_line(&lines, "memory policy=bind") ? 'y' : 'n';
    _exit(write(to, seen, 3) != 3);
}

static void check_process(void)
{
    static const char *const what[] = { "nice", "batch scheduling", "memory of one node" };
    char seen[3] = { 'n', 'n', 'n' };
    int pair[2];
    if (pipe(pair) < 0)
        return;
    const pid_t pid = fork();
    if (pid == 0)
        look_unusual(pair[1]);
    is_int(3, (int)read(pair[0], seen, 3), "a process that is niced, batch, bound");
    waitpid(pid, NULL, 0);
    for (int i = 0; i < 3; i++)
        if (seen[i] == '-')
            skip("not allowed here", "%s", what[i]);
        else
            ok(seen[i] == 'y', "%s is told", what[i]);
    close(pair[0]);
    close(pair[1]);
}

int main(void)
{
    check_rules();
    check_values();
    check_difference();
    check_machine();
    check_shared_memory();
    check_limit();
    check_process();
    return tap_done();
}
