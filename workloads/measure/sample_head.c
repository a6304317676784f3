/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/measure/sample_head.h"

#include <sys/utsname.h>

#include "workloads/clocks/clock.h"
#include "workloads/measure/rotate.h"
#include "workloads/proof/in_effect.h"

extern char **environ;

/* A value stays on its line. */
static void line(FILE *out, const char *key, const char *value)
{
    fprintf(out, "# %s: ", key);
    for (; *value; value++)
        putc(*value == '\n' || *value == '\r' ? ' ' : *value, out);
    putc('\n', out);
}

static void given(FILE *out, const struct measure_options *o)
{
    for (int i = 0; i < o->n_provenance; i++) {
        const char *equals = strchr(o->provenance[i], '=');
        char key[128];
        snprintf(key, sizeof key, "%.*s", (int)(equals - o->provenance[i]), o->provenance[i]);
        line(out, key, equals[1] ? equals + 1 : "unknown");
    }
}

static void library(FILE *out)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "unknown";
    int len;
    MPI_Get_library_version(text, &len);
    line(out, "mpi_library", text);
    line(out, "compiler", __VERSION__);
}

static void machine(FILE *out)
{
    struct utsname u;
    char text[512] = "unknown", date[64] = "unknown";
    if (uname(&u) == 0)
        snprintf(text, sizeof text, "%.100s %.100s %.100s", u.sysname, u.release, u.machine);
    line(out, "kernel", text);
    struct tm utc;
    const time_t now = time(NULL);
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    line(out, "date_utc", date);
}

static int starts_with_one_of(const char *text, const char *const *prefixes)
{
    for (; *prefixes; prefixes++)
        if (strncmp(text, *prefixes, strlen(*prefixes)) == 0)
            return 1;
    return 0;
}

/* The variables that change what the library does, without what the launcher tells its children. */
static void environment(FILE *out)
{
    static const char *const ours[] = { "OMPI_MCA_", "MPIR_CVAR_", "UCX_", "LD_PRELOAD=", NULL };
    static const char *const launcher[] = { "OMPI_MCA_orte_",    "OMPI_MCA_ess",
                                            "OMPI_MCA_pmix",     "OMPI_MCA_shmem_RUNTIME",
                                            "OMPI_MCA_initial_", NULL };
    for (char **e = environ; e && *e; e++)
        if (starts_with_one_of(*e, ours) && !starts_with_one_of(*e, launcher))
            line(out, "environment", *e);
    const char *preload = getenv("LD_PRELOAD");
    line(out, "yield_wrapper",
         !preload                       ? "none"
         : strstr(preload, "/nap.so")   ? "nap"
         : strstr(preload, "/yield.so") ? "yield"
                                        : "none");
}

static void rule(FILE *out, const struct measure_options *o, int ranks, const char *clock_error,
                 size_t ring_bytes)
{
    fprintf(out, "# digest: %s\n# ranks: %d\n# mapping: %s\n# nodes: %d\n# ppn: %d\n", o->digest,
            ranks, o->mapping, o->nodes, o->ppn);
    fprintf(out, "# clock: %s\n# clock_resolution_s: %g\n# synchronisation: %s\n", CLOCK_NAME,
            clock_resolution_s(),
#ifdef MPI_IS_smpi
            "barrier of the simulator"
#else
            measure_options_windows(o) ? "windows of a global clock" : "dissemination barrier"
#endif
    );
    if (*clock_error)
        fprintf(out, "# clock_error: %s\n", clock_error);
    if (ring_bytes)
        fprintf(out, "# rotated_buffers: within %zu bytes of rank 0; the last cache has %zu\n",
                ring_bytes, cache_last());
    fprintf(out,
            "# statistic: %s\n# precision: %g\n# confidence: %g\n# min_reps: %d\n# max_reps: %d\n# "
            "budget_s: %g\n",
            o->statistic, o->precision, o->confidence, o->min_reps, o->max_reps, o->budget_s);
    fprintf(out, "# warmup: %d\n# inner: %d\n# seed: %llu\n# deterministic: %d\n", o->warmup,
            o->inner, (unsigned long long)o->seed, o->deterministic);
}

char *provenance_text(const struct measure_options *o, int ranks, const char *clock_error,
                      size_t ring_bytes)
{
    char *text;
    size_t len;
    FILE *out = memory_stream(&text, &len);
    given(out, o);
    rule(out, o, ranks, clock_error, ring_bytes);
    library(out);
    machine(out);
    environment(out);
    in_effect_print(out);
    fclose(out);
    return text;
}
