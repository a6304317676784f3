/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/import/names.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/number.h"
#include "harness/import/text.h"
#include "harness/study/point.h"
#include "workloads/schedules/schedule.h"

/* "BasicLinear", "basic-linear", "basic linear" -> "basic_linear". -1: other characters than
 * letters, digits, blanks and _-.+, nothing, or no room. */
static int name_snake(const char *text, char *buf, size_t size)
{
    size_t n = 0;
    for (const char *s = text; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        const int begins = isupper(c) && s > text &&
                           (islower((unsigned char)s[-1]) || isdigit((unsigned char)s[-1]));
        if (n + 2 >= size)
            return -1;
        if (begins)
            buf[n++] = '_';
        if (isalnum(c))
            buf[n++] = (char)tolower(c);
        else if (c == '_' || c == '-' || c == ' ')
            buf[n++] = '_';
        else if (c == '.' || c == '+')
            buf[n++] = (char)c;
        else
            return -1;
    }
    buf[n] = '\0';
    return n ? 0 : -1;
}

const char *name_collective(const char *text)
{
    static const char *const known[][2] = {
        { "bcast", "bcast" },
        { "broadcast", "bcast" },
        { "reduce", "reduce" },
        { "allreduce", "allreduce" },
        { "all_reduce", "allreduce" },
        { "allgather", "allgather" },
        { "all_gather", "allgather" },
        { "allgatherv", "allgatherv" },
        { "alltoall", "alltoall" },
        { "all_to_all", "alltoall" },
        { "alltoallv", "alltoallv" },
        { "gather", "gather" },
        { "gatherv", "gatherv" },
        { "scatter", "scatter" },
        { "scatterv", "scatterv" },
        { "reduce_scatter", "reduce_scatter" },
        { "reduce_scatter_block", "reduce_scatter_block" },
        { "barrier", "barrier" },
        { "scan", "scan" },
        { "exscan", "exscan" },
    };
    char name[NAME_SIZE];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (same_word(known[i][0], text) ||
            (name_snake(text, name, sizeof name) == 0 && strcmp(known[i][0], name) == 0))
            return known[i][1];
    return NULL;
}

int name_library(const char *text, char *buf, size_t size)
{
    static const char *const known[][2] = { { "ompi", "openmpi" },
                                            { "open_mpi", "openmpi" },
                                            { "openmpi", "openmpi" } };
    if (same_word(text, "OpenMPI"))
        text = "openmpi";
    if (name_snake(text, buf, size) < 0)
        return -1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i][0], buf) == 0)
            snprintf(buf, size, "%s", known[i][1]);
    return 0;
}

/* Open MPI 4.1: coll_tuned_<collective>_decision.c, the enumerations of _algorithm. */
static const struct {
    const char *collective;
    const char *name[10];
} ids[] = {
    { "bcast",
      { "default", "basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree",
        "binomial", "knomial", "scatter_allgather", "scatter_allgather_ring" } },
    { "reduce",
      { "default", "linear", "chain", "pipeline", "binary", "binomial", "in-order_binary",
        "rabenseifner" } },
    { "allreduce",
      { "default", "basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring",
        "rabenseifner" } },
    { "allgather",
      { "default", "linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc" } },
    { "barrier",
      { "default", "linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree" } },
};

static const char *by_id(const char *collective, double id)
{
    const size_t most = sizeof ids->name / sizeof *ids->name;
    const size_t k = id >= 0 && id < 100 && id == floor(id) ? (size_t)id : most;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (strcmp(ids[i].collective, collective) == 0)
            return k < most ? ids[i].name[k] : NULL;
    return NULL;
}

/* "binary" of bcast is "binary_tree" in full. */
static int respell_tree(const char *collective, char *name, size_t size)
{
    char longer[NAME_SIZE];
    const int n = snprintf(longer, sizeof longer, "%.50s_tree", name);
    if ((size_t)n >= size || !algorithm_find(collective, longer))
        return 0;
    memcpy(name, longer, (size_t)n + 1);
    return 1;
}

/* Other spellings of Open MPI's algorithms: with the kind of graph behind the name, or without. */
static void respell(const char *collective, char *name, size_t size)
{
    static const char *const as_default[] = { "default", "ignore", "auto" };
    char *tail = strlen(name) > 5 ? name + strlen(name) - 5 : NULL;
    for (size_t i = 0; i < sizeof as_default / sizeof *as_default; i++)
        if (strcmp(name, as_default[i]) == 0) {
            snprintf(name, size, "default");
            return;
        }
    if (algorithm_find(collective, name))
        return;
    if (tail && strcmp(tail, "_tree") == 0) {
        *tail = '\0';
        if (!algorithm_find(collective, name))
            *tail = '_';
    } else if (respell_tree(collective, name, size)) {
        return;
    } else if (strcmp(name, "linear") == 0 && algorithm_find(collective, "basic_linear")) {
        snprintf(name, size, "basic_linear");
    }
}

static int is_name(const char *text)
{
    static const char fine[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:+";
    return *text && !text[strspn(text, fine)];
}

int name_algorithm(const char *collective, const char *library, const char *text, char *buf,
                   size_t size)
{
    char name[NAME_SIZE];
    double id;
    if (strchr(text, ':'))
        return is_name(text) && snprintf(buf, size, "%s", text) < (int)size ? 0 : -1;
    if (parse_f64(text, &id, NULL) == 0) {
        const char *found = strcmp(library, "openmpi") == 0 ? by_id(collective, id) : NULL;
        return found && snprintf(buf, size, "%s:%s", library, found) < (int)size ? 0 : -1;
    }
    if (name_snake(text, name, sizeof name) < 0)
        return -1;
    respell(collective, name, sizeof name);
    return snprintf(buf, size, "%s:%s", library, name) < (int)size ? 0 : -1;
}
