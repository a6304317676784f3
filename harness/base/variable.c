/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/base/variable.h"

#include <fnmatch.h>
#include <unistd.h>

#define HARMLESS(pattern, of, why)                                                                 \
    {                                                                                              \
        pattern, VARIABLE_HARMLESS, of, why, 0, 0, 0                                               \
    }
#define ELSEWHERE(pattern, of)                                                                     \
    {                                                                                              \
        pattern, VARIABLE_HARMLESS, of, "it names other machines", 0, 0, 1                         \
    }
#define TUNES(pattern, of, why)                                                                    \
    {                                                                                              \
        pattern, VARIABLE_TUNES, of, why, 0, 0, 0                                                  \
    }
#define PLACE(pattern, of, why)                                                                    \
    {                                                                                              \
        pattern, VARIABLE_TUNES, of, why, 0, 1, 0                                                  \
    }
#define SELECTS(pattern, of, why)                                                                  \
    {                                                                                              \
        pattern, VARIABLE_SELECTS, of, why, 0, 0, 0                                                \
    }
#define OURS(pattern, of, why)                                                                     \
    {                                                                                              \
        pattern, VARIABLE_SELECTS, of, why, 1, 0, 0                                                \
    }
/* MPICH's variables of a collective, blocking and not. */
#define COLLECTIVE(name)                                                                           \
    SELECTS("MPIR_CVAR_" name "_*", "mpich", "it selects algorithms"),                             \
        SELECTS("MPIR_CVAR_I" name "_*", "mpich", "it selects algorithms")
/* Where a library's files are: modules of sites say so, and nothing reads it when calls are made.
 */
#define INSTALLED(name, of)                                                                        \
    HARMLESS(name "_DIR", of, "it says where files are"),                                          \
        HARMLESS(name "_ROOT", of, "it says where files are"),                                     \
        HARMLESS(name "_HOME", of, "it says where files are"),                                     \
        HARMLESS(name "_PATH", of, "it says where files are")

static const char any[] = "openmpi mpich smpi", both[] = "openmpi mpich";
static const char ompi[] = "openmpi", mpich[] = "mpich", starts[] = "it starts jobs",
                  compiles[] = "it compiles programs";

/* First match wins; ends with a NULL pattern. */
static const struct variable_rule variable_rules[] = {
    SELECTS("LD_PRELOAD", any, "it puts functions before the library's"),
    SELECTS("LD_AUDIT", any, "it puts functions before the library's"),
    PLACE("LD_LIBRARY_PATH", both, "it says where libraries are"),
    PLACE("LD_*", both, "it changes how functions are found and called"),
    PLACE("GLIBC_TUNABLES", both, "it changes memory and threads"),
    PLACE("MALLOC_*", both, "it changes how memory is taken"),
    PLACE("LOADEDMODULES", both, "it names the modules that are loaded"),
    PLACE("HWLOC_*", both, "it changes what machine the library sees"),
    PLACE("OPAL_*", ompi, "it says where Open MPI's files are"),

    /* batch systems that a launcher asks where to start ranks */
    ELSEWHERE("SLURM_JOBID", both),
    ELSEWHERE("SLURM_JOB_ID", both),
    ELSEWHERE("SLURM_NODELIST", both),
    ELSEWHERE("SLURM_JOB_NODELIST", both),
    ELSEWHERE("PBS_JOBID", both),
    ELSEWHERE("PBS_NODEFILE", both),
    ELSEWHERE("LSB_JOBID", both),
    ELSEWHERE("LSB_HOSTS", both),
    ELSEWHERE("PE_HOSTFILE", both),

    /* Open MPI: what a launcher tells its ranks, and what starts jobs */
    ELSEWHERE("OMPI_MCA_orte_default_*", ompi),
    ELSEWHERE("OMPI_MCA_orte_rankfile", ompi),
    ELSEWHERE("PRTE_MCA_prte_default_*", ompi),
    HARMLESS("OMPI_MCA_orte*", ompi, starts),
    HARMLESS("OMPI_MCA_ess*", ompi, starts),
    HARMLESS("OMPI_MCA_pmix*", ompi, starts),
    HARMLESS("OMPI_MCA_initial_*", ompi, starts),
    HARMLESS("OMPI_MCA_shmem_RUNTIME*", ompi, starts),
    HARMLESS("OMPI_MCA_mpi_oversubscribe", ompi, starts),
    HARMLESS("OMPI_MCA_num_procs", ompi, starts), /* these three: from 5.0 on */
    HARMLESS("OMPI_MCA_cpu_type", ompi, starts),
    HARMLESS("OMPI_MCA_PREFIXES", ompi, starts),
    HARMLESS("OMPI_MCA_plm*", ompi, starts),
    HARMLESS("OMPI_MCA_oob*", ompi, starts),
    HARMLESS("OMPI_MCA_*_verbose", ompi, "it prints"),
    /* Open MPI: what selects */
    SELECTS("OMPI_MCA_coll", ompi, "it selects components"),
    OURS("OMPI_MCA_coll_tuned_use_dynamic_rules", ompi, "it selects algorithms"),
    SELECTS("OMPI_MCA_coll_sync_*", ompi, "it adds barriers to calls"),
    SELECTS("OMPI_MCA_coll_*", ompi, "it selects algorithms or components"),
    SELECTS("OMPI_MCA_*monitoring*", ompi, "it counts messages in the timed calls"),
    SELECTS("OMPI_MCA_hook*", ompi, "it runs other code in the library"),
    SELECTS("OMPI_MCA_mca_component_path", ompi, "it loads components from elsewhere"),
    SELECTS("OMPI_MCA_mca_base_component_path", ompi, "it loads components from elsewhere"),
    SELECTS("OMPI_MCA_mca_base_env_list*", ompi, "it brings settings that are not seen here"),
    SELECTS("OMPI_MCA_mca_base_envar_file*", ompi, "it brings settings that are not seen here"),
    SELECTS("OMPI_MCA_mca_base_override_param_file", ompi,
            "it brings settings that are not seen here"),
    SELECTS("OMPI_MCA_mca_base_param_file_p*", ompi, "it brings settings that are not seen here"),
    PLACE("OMPI_MCA_rmaps*", ompi, "it places ranks"), /* mpirun tells its ranks, too */
    PLACE("OMPI_MCA_hwloc*", ompi, "it places ranks"),
    PLACE("OMPI_MCA_btl_*_backing_directory", ompi, "it says where shared memory is"),
    TUNES("OMPI_MCA_*", ompi, "it changes how messages travel or ranks wait"),
    HARMLESS("PMIX_MCA_*", ompi, starts),
    PLACE("PRTE_MCA_rmaps*", ompi, "it places ranks"), /* of Open MPI 5 */
    HARMLESS("PRTE_MCA_*", ompi, starts),

    /* MPICH; first what compiles programs */
    HARMLESS("MPIR_CVAR_CC", mpich, compiles),
    HARMLESS("MPIR_CVAR_CXX", mpich, compiles),
    HARMLESS("MPIR_CVAR_F*", mpich, compiles),
    HARMLESS("MPIR_CVAR_*FLAGS", mpich, compiles),
    HARMLESS("MPIR_CVAR_CH3_INTERFACE_HOSTNAME", mpich, starts), /* hydra tells it to its ranks */
    SELECTS("MPIR_CVAR_DEVICE_COLLECTIVES", mpich, "it says whether the device's come first"),
    SELECTS("MPIR_CVAR_COLLECTIVE_FALLBACK", mpich, "it hides algorithms that do not apply"),
    SELECTS("MPIR_CVAR_CH4_OFI_COLL_*", mpich, "no release up to 5.0 reads it"),
    SELECTS("MPIR_CVAR_*TUNING_JSON_FILE*", mpich, "it names a file that selects algorithms"),
    SELECTS("MPIR_CVAR_*_ALGORITHM", mpich, "it selects algorithms"),
    SELECTS("MPIR_CVAR_*_DEVICE_COLLECTIVE", mpich, "it lets the device replace algorithms"),
    SELECTS("MPIR_CVAR_*SMP_*", mpich, "it selects algorithms"),
    SELECTS("MPIR_CVAR_*HCOLL*", mpich, "it selects a component"),
    SELECTS("MPIR_CVAR_COLL_*", mpich, "it selects algorithms"),
    SELECTS("MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD", mpich, "it selects algorithms"),
    SELECTS("MPIR_CVAR_ENABLE_INTRANODE_TOPOLOGY_AWARE_TREES", mpich, "it selects algorithms"),
    SELECTS("MPIR_CVAR_QMPI_TOOL_LIST", mpich, "it puts functions before the library's"),
    COLLECTIVE("BARRIER"),
    COLLECTIVE("BCAST"),
    COLLECTIVE("GATHER"),
    COLLECTIVE("GATHERV"),
    COLLECTIVE("SCATTER"),
    COLLECTIVE("SCATTERV"),
    COLLECTIVE("ALLGATHER"),
    COLLECTIVE("ALLGATHERV"),
    COLLECTIVE("ALLTOALL"),
    COLLECTIVE("ALLTOALLV"),
    COLLECTIVE("ALLTOALLW"),
    COLLECTIVE("REDUCE"),
    COLLECTIVE("ALLREDUCE"),
    COLLECTIVE("SCAN"),
    COLLECTIVE("EXSCAN"),
    COLLECTIVE("NEIGHBOR"),
    TUNES("MPIR_CVAR_*", mpich, "it changes how messages travel or ranks wait"),
    ELSEWHERE("HYDRA_HOST*", mpich),
    ELSEWHERE("HYDRA_LAUNCHER*", mpich),
    ELSEWHERE("HYDRA_BOOTSTRAP*", mpich),
    ELSEWHERE("HYDRA_RMK", mpich),
    HARMLESS("HYDRA_*", mpich, starts),

    /* below both */
    HARMLESS("UCX_LOG_*", both, "it prints"),
    HARMLESS("FI_LOG_*", both, "it prints"),
    HARMLESS("UCC_LOG_*", both, "it prints"),
    INSTALLED("UCC", both),
    INSTALLED("HCOLL", both),
    TUNES("HCOLL_MAIN_IB", both, "it changes how messages travel"),
    SELECTS("UCC_*", both, "it selects algorithms of component ucc"),
    SELECTS("HCOLL_*", both, "it selects algorithms of component hcoll"),
    PLACE("UCX_POSIX_DIR", both, "it says where shared memory is"),
    TUNES("UCX_*", both, "it changes how messages travel"),
    TUNES("FI_*", both, "it changes how messages travel"),
    TUNES("PSM[23]_*", both, "it changes how messages travel"),
    TUNES("MLX[45]_*", both, "it changes how messages travel"),

    SELECTS("SMPI_*", "smpi", "a simulation takes what its command line says alone"),
    SELECTS("SIMGRID_*", "smpi", "a simulation takes what its command line says alone"),
    { .pattern = NULL },
};

static int bears_on(const struct variable_rule *rule, const char *library)
{
    const char *at = strstr(rule->of, library);
    return at && (at[strlen(library)] == ' ' || at[strlen(library)] == '\0');
}

static const struct variable_rule *find(const char *name, const char *library)
{
    for (const struct variable_rule *r = variable_rules; r->pattern; r++)
        if (bears_on(r, library) && fnmatch(r->pattern, name, 0) == 0)
            return r;
    return NULL;
}

const struct variable_rule *variable_rule_of(const char *name, const char *library)
{
    static const char *const also[] = { "MPIR_PARAM_", "MPICH_" };
    char usual[256];
    for (size_t i = 0; i < sizeof also / sizeof *also; i++)
        if (strncmp(name, also[i], strlen(also[i])) == 0) {
            snprintf(usual, sizeof usual, "MPIR_CVAR_%.200s", name + strlen(also[i]));
            return find(usual, library);
        }
    return find(name, library);
}

/* "^A,B" of components that a user's own words may leave out: they are of some installations
 * only, and what tunes. */
static int leaves_out(const char *list)
{
    static const char *const usual[] = { "hcoll", "ucc" };
    int all = *list == '^' && list[1] != '\0';
    for (const char *at = list + 1; all && at;) {
        const size_t n = strcspn(at, ",");
        int known = 0;
        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
            known |= strlen(usual[i]) == n && strncmp(at, usual[i], n) == 0;
        all = known;
        at = at[n] == ',' ? at + n + 1 : NULL;
    }
    return all;
}

int variable_value_passes(const char *name, const char *value)
{
    static const struct {
        const char *name, *value;
    } rows[] = {
        { "OMPI_MCA_coll_hcoll_enable", "0" },
        { "OMPI_MCA_coll_ucc_enable", "0" },
        { "HYDRA_BOOTSTRAP", "fork" },
        { "HYDRA_LAUNCHER", "fork" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return strcmp(rows[i].value, value) == 0;
    return strcmp(name, "OMPI_MCA_coll") == 0 && leaves_out(value);
}

const struct variable_rule *variable_rule_of_parameter(const char *name)
{
    char usual[256];
    snprintf(usual, sizeof usual, "OMPI_MCA_%.200s", name);
    return find(usual, "openmpi");
}

void variable_each(variable_visit *visit, void *to)
{
    char name[256];
    for (char **e = environ; e && *e; e++) {
        const size_t n = strcspn(*e, "=");
        if (n >= sizeof name || (*e)[n] != '=')
            continue;
        memcpy(name, *e, n);
        name[n] = '\0';
        visit(name, *e + n + 1, to);
    }
}
