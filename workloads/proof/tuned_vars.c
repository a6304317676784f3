/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_openmpi
#include "workloads/proof/tuned_vars.h"

#include <dlfcn.h>
#include <mpi.h>

#include "workloads/schedules/collectives.h"
#include "workloads/proof/tool_vars.h"

/* Where a candidate gives none. */
enum { DEFAULT_CHAIN_FANOUT = 4, DEFAULT_RADIX = 4 };

static const char *const suffixes[N_TUNED_PARAMETERS] = {
    "", "_segmentsize", "_chain_fanout", "_tree_fanout", "_max_requests", "_knomial_radix"
};

/* What the fan-out of an algorithm is called, and its default. Of 6.0's k-nomial reduction and
 * Bruck's allgather it is the radix. */
static const struct {
    const char *algorithm;
    enum tuned_parameter which;
    int usual;
    const char *collective; /* NULL: of any */
    int least;
} fanouts[] = { { "chain", TUNED_CHAINS, DEFAULT_CHAIN_FANOUT, NULL, 0 },
                { "knomial", TUNED_CHAINS, DEFAULT_RADIX, "reduce", 2 },
                { "knomial", TUNED_RADIX, DEFAULT_RADIX, NULL, 2 },
                { "bruck-k-fanout", TUNED_TREE, DEFAULT_RADIX, NULL, 2 },
                { "linear_sync", TUNED_REQUESTS, 0, NULL, 0 },
                { "linear_nb", TUNED_REQUESTS, 0, NULL, 0 },
                { "pipeline", TUNED_REQUESTS, 0, "reduce", 0 },
                { "binary", TUNED_REQUESTS, 0, "reduce", 0 },
                { "binomial", TUNED_REQUESTS, 0, "reduce", 0 },
                { "in-order_binary", TUNED_REQUESTS, 0, "reduce", 0 } };

enum { N_FANOUTS = sizeof fanouts / sizeof *fanouts };

/* Its name without the limit of requests that may stand behind it ("chain.8"), in buf. */
static const char *own_name(const char *algorithm, char buf[TUNED_NAME])
{
    snprintf(buf, TUNED_NAME, "%.*s", (int)strcspn(algorithm, "."), algorithm);
    return buf;
}

/* The limit; 0: none is named. */
static int limit_of(const char *algorithm)
{
    const char *limit = algorithm_levels(algorithm);
    return limit ? algorithm_limit(limit) : 0;
}

/* The row of an algorithm; N_FANOUTS: it takes no fan-out. */
static size_t fanout_of(const char *collective, const char *algorithm)
{
    char own[TUNED_NAME];
    size_t i = 0;
    own_name(algorithm, own);
    while (i < N_FANOUTS &&
           (strcmp(own, fanouts[i].algorithm) != 0 ||
            (fanouts[i].collective && strcmp(collective, fanouts[i].collective) != 0)))
        i++;
    return i;
}

void tuned_name(const char *collective, enum tuned_parameter which, char name[TUNED_NAME])
{
    snprintf(name, TUNED_NAME, "coll_tuned_%.64s_algorithm%s", collective, suffixes[which]);
}

void tuned_learn(const char *collective, struct tuned_usual *usual)
{
    char name[TUNED_NAME];
    for (int i = 0; i < N_TUNED_PARAMETERS; i++) {
        tuned_name(collective, (enum tuned_parameter)i, name);
        usual->known[i] = tool_var_read(name, &usual->value[i], NULL) == 0;
    }
}

/* Open MPI 4.1.4 calls allgatherv's variables read-only, but reads them like the others when a
 * communicator is made: they are written where the library keeps them, and read back. */
static int write_kept(const char *name, int value, struct err *err)
{
    int (*where)(int index, const void *at, int *source, const char **file) = NULL;
    void *found = dlsym(RTLD_DEFAULT, "mca_base_var_get_value");
    int *at = NULL, index, seen;
    memcpy(&where, &found, sizeof where);
    if (!where || MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        where(index, &at, NULL, NULL) != 0 || !at)
        return err_set(err, "control variable '%s' cannot be written", name);
    *at = value;
    if (tool_var_read(name, &seen, err) < 0)
        return -1;
    return seen == value ? 0 : err_set(err, "control variable '%s' cannot be written", name);
}

int tuned_write(const char *name, int value, struct err *err)
{
    return tool_var_write(name, value, NULL) == 0 ? 0 : write_kept(name, value, err);
}

/* One that is not there, or cannot be written, need not be where it reads so already. */
/* Writes a parameter, where it does not read so already. */
static int tuned_write_parameter(const char *collective, enum tuned_parameter which, int value,
                                 struct err *err)
{
    char name[TUNED_NAME];
    int seen = 0;
    tuned_name(collective, which, name);
    tool_var_read(name, &seen, NULL);
    return seen == value ? 0 : tuned_write(name, value, err);
}

enum tuned_parameter tuned_fanout(const char *collective, const char *algorithm)
{
    const size_t i = fanout_of(collective, algorithm);
    return i < N_FANOUTS ? fanouts[i].which : N_TUNED_PARAMETERS;
}

/* Segment, fan-out and limit, where the collective has them; fan-out 0 leaves the library's own. */
static int write_shape(const char *collective, const char *algorithm, uint64_t segment_bytes,
                       int fanout, struct err *err)
{
    if (tuned_write_parameter(collective, TUNED_SEGMENT, (int)segment_bytes, err) < 0)
        return -1;
    const size_t i = fanout_of(collective, algorithm);
    if (i == N_FANOUTS)
        return 0;
    if (fanouts[i].which == TUNED_CHAINS &&
        tuned_write_parameter(collective, TUNED_REQUESTS, limit_of(algorithm), err) < 0)
        return -1;
    if (fanout && fanout < fanouts[i].least)
        return err_set(err, "%s: a fan-out of %d (want at least %d)", algorithm, fanout,
                       fanouts[i].least);
    return tuned_write_parameter(collective, fanouts[i].which, fanout ? fanout : fanouts[i].usual,
                                 err);
}

/* The library's word for an algorithm: "default" is what we call its own choice. */
static const char *word_of(const char *name)
{
    return strcmp(name, "gatherv_bcast") == 0 ? "default" : name;
}

int tuned_force(const char *collective, const char *algorithm, uint64_t segment_bytes, int fanout,
                struct err *err)
{
    char name[TUNED_NAME], own[TUNED_NAME];
    int id;
    tuned_name(collective, TUNED_ALGORITHM, name);
    if (tool_var_enum(name, word_of(own_name(algorithm, own)), &id, err) < 0 ||
        write_shape(collective, algorithm, segment_bytes, fanout, err) < 0)
        return -1;
    return tuned_write(name, id, err);
}

int tuned_put_back(const char *collective, enum tuned_parameter which,
                   const struct tuned_usual *usual, struct err *err)
{
    return usual->known[which] ? tuned_write_parameter(collective, which, usual->value[which], err)
                               : 0;
}
#endif
