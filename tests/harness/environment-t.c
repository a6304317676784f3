/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables and what they do, lists of surroundings and how they differ, what /sys says of a
 * machine. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/fs.h"
#include "harness/base/variable.h"
#include "harness/run/environment.h"
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
        { "MPIR_CVAR_CH4_NETMOD", "mpich", VARIABLE_TUNES },
        { "MPIR_CVAR_NOLOCAL", "mpich", VARIABLE_TUNES },
        { "MPICH_CC", "mpich", VARIABLE_HARMLESS },
        { "UCX_TLS", "mpich", VARIABLE_TUNES },
        { "UCX_TLS", "openmpi", VARIABLE_TUNES },
        { "UCX_TLS", "smpi", -1 },
        { "UCX_LOG_LEVEL", "mpich", VARIABLE_HARMLESS },
        { "LD_PRELOAD", "smpi", VARIABLE_SELECTS },
        { "SMPI_PRIVATIZATION", "smpi", VARIABLE_SELECTS },
        { "SMPI_PRIVATIZATION", "mpich", -1 },
        { "PATH", "openmpi", -1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct variable_rule *r = variable_rule_of(rows[i].name, rows[i].library);
        is_int(rows[i].kind, r ? (int)r->kind : -1, "%s for %s", rows[i].name, rows[i].library);
    }
    const struct variable_rule *han = variable_rule_of_parameter("coll_han_priority");
    ok(han && han->left_out, "a parameter of a component that is left out has no effect in a file");
    const struct variable_rule *coll = variable_rule_of_parameter("coll");
    ok(coll && coll->ours, "the list of components is one that every launch sets");
}

/* ---- differences ---- */

static void check_difference(void)
{
    struct argv was = { 0 }, is = { 0 };
    argv_add(&was, "UCX_TLS=tcp,self");
    argv_add(&was, "SMT=on");
    argv_add(&is, "SMT=on");
    argv_add(&is, "UCX_TLS=tcp,self");
    ok(surroundings_differ(&was, &is) == NULL, "the same lines in another order are the same");
    argv_add(&was, "governor=powersave");
    argv_add(&is, "governor=performance");
    argv_add(&was, "UCX_NET_DEVICES=eth0");
    argv_add(&is, "UCX_TLS_=x");
    char *text = surroundings_differ(&was, &is);
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
    snprintf(path, sizeof path, "%s/devices/system/cpu/%s", dir, name);
    fs_write(path, text, NULL);
}

static int has_line(const struct argv *lines, const char *line)
{
    for (size_t i = 0; i < lines->n; i++)
        if (strcmp(lines->v[i], line) == 0)
            return 1;
    return 0;
}

static void check_machine(void)
{
    char dir[] = "/tmp/collsel-XXXXXX";
    struct argv lines = { 0 };
    if (!mkdtemp(dir))
        return;
    put_file(dir, "smt/control", "on\n");
    put_file(dir, "cpu0/cpufreq/scaling_governor", "performance\n");
    put_file(dir, "cpu1/cpufreq/scaling_governor", "performance\n");
    put_file(dir, "cpu2/cpufreq/scaling_governor", "powersave\n");
    environment_add_machine(dir, &lines);
    ok(has_line(&lines, "SMT=on"), "whether cores are shared by hardware threads");
    ok(has_line(&lines, "governor=performance powersave"), "every governor, once");
    argv_free(&lines);
    fs_remove_tree(dir, NULL);
    environment_add_machine(dir, &lines);
    ok(has_line(&lines, "SMT=unknown") && has_line(&lines, "governor=unknown"),
       "what /sys does not say is unknown");
    ok(environment_cpus() >= 1, "there is a CPU to run on");
    argv_free(&lines);
}

int main(void)
{
    check_rules();
    check_difference();
    check_machine();
    return tap_done();
}
