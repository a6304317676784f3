/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/study/libraries/natives.h"

#include "harness/study/mpi.h"
#include "harness/study/point.h"
#include "workloads/schedules/collectives.h"
#include "workloads/schedules/mpich_parameters.h"

enum { MOST_COMPARED = 4 };

struct table {
    const char *library, *word;
    const struct native *natives;
    const char *compared[MOST_COMPARED]; /* releases that the schedules were compared with */
};

static const struct table *table_of(const char *library)
{
    static const struct table tables[] = {
        { "openmpi", "Open MPI", natives_openmpi, { "4.1.4", "5.0.7", "6.0.0" } },
        { "mpich", "MPICH", natives_mpich, { "4.0.2", "4.2.1", "5.0.2" } }
    };
    return find_below(tables, i, sizeof tables / sizeof *tables,
                      mpi_is(library, tables[i].library));
}

const struct native *natives_of(const char *library)
{
    const struct table *t = table_of(library);
    return t ? t->natives : NULL;
}

const char *natives_compared(const char *library, size_t i)
{
    const struct table *t = table_of(library);
    return t && i < MOST_COMPARED ? t->compared[i] : NULL;
}

const char *natives_compared_text(const char *library, char buf[NATIVES_COMPARED_TEXT])
{
    const char *release;
    size_t n = 0;
    buf[0] = '\0';
    for (size_t i = 0; (release = natives_compared(library, i)); i++)
        n += (size_t)snprintf(buf + n, NATIVES_COMPARED_TEXT - n, "%s%s", n ? ", " : "", release);
    return buf;
}

int native_compared(const char *library, const struct native *native)
{
    const char *release;
    for (size_t i = 0; (release = natives_compared(library, i)); i++)
        if (version_within(release, native->from, native->below))
            return 1;
    return 0;
}

static int is_named(const struct native *a, const char *name)
{
    const char *limit = a->limits ? algorithm_levels(name) : NULL;
    const size_t length = limit ? (size_t)(limit - name) - 1 : strlen(name);
    return strlen(a->name) == length && memcmp(a->name, name, length) == 0 &&
           (!limit || algorithm_limit(limit));
}

const struct native *native_find(const char *library, const char *collective, const char *name)
{
    for (const struct native *a = natives_of(library); a && a->name; a++)
        if (strcmp(a->collective, collective) == 0 && is_named(a, name))
            return a;
    return NULL;
}

const char *native_refusal(const struct native *native, int procs, uint64_t bytes, long fanout)
{
    if (native && native->radix && fanout == 1)
        return "with a radix of 1 the call never returns";
    return native && native->refusal ? native->refusal(procs, bytes, fanout) : NULL;
}

/* The row of LIBRARY:NAME, and (NULL: not wanted) the table that it stands in; NULL: there is none.
 */
static const struct native *find_whole(const char *collective, const char *algorithm,
                                       const struct table **in)
{
    char library[16];
    const size_t n = strcspn(algorithm, ":");
    snprintf(library, sizeof library, "%.*s", (int)(n < 15 ? n : 15), algorithm);
    if (in)
        *in = table_of(library);
    return algorithm[n] ? native_find(library, collective, algorithm + n + 1) : NULL;
}

const struct native *native_not_compared(const char *collective, const char *algorithm,
                                         const char **library)
{
    const struct table *t;
    const struct native *a = find_whole(collective, algorithm, &t);
    if (!a || native_compared(t->library, a))
        return NULL;
    *library = t->word;
    return a;
}

const struct algorithm *native_schedule(const char *collective, const char *algorithm)
{
    char own[2 * NAME_SIZE];
    const char *name = algorithm_base_name(algorithm);
    const struct native *of = find_whole(collective, algorithm, NULL);
    if (of && of->schedule)
        return algorithm_find(collective, of->schedule);
    snprintf(own, sizeof own, "%.*s_%.60s", (int)strcspn(algorithm, ":"), algorithm, name);
    const struct algorithm *a = name != algorithm ? algorithm_find(collective, own) : NULL;
    return a ? a : algorithm_find(collective, name);
}

/* Open MPI's files have numbers, MPICH's names, and no device. */
/* 1 when a schedule of ours is what the library's algorithm sends. */
static int stands_for(const char *library, const struct native *a, const char *name)
{
    char own[2 * NAME_SIZE];
    snprintf(own, sizeof own, "%s:%s", library, a->name);
    const struct algorithm *schedule = native_schedule(a->collective, own);
    return schedule && schedule == algorithm_find(a->collective, name);
}

const struct native *native_in_rules(const char *library, const char *version,
                                     const char *collective, const char *algorithm)
{
    const char *name = algorithm_base_name(algorithm);
    const int portable = strncmp(algorithm, "portable:", 9) == 0;
    for (const struct native *a = natives_of(library); a && a->name; a++)
        if (strcmp(a->collective, collective) == 0 &&
            (a->id || (strcmp(library, "mpich") == 0 && !a->component)) &&
            version_within(version, a->from, a->below) &&
            (portable ? stands_for(library, a, name) : is_named(a, name)))
            return a;
    return NULL;
}

/* Adds a parameter of the collective's algorithms, where it has a value. */
static size_t add_parameter(const struct native *a, const char *ending, unsigned long long value,
                            struct native_setting *out)
{
    snprintf(out->name, sizeof out->name, "coll_tuned_%.48s_algorithm%s", a->collective, ending);
    snprintf(out->value, sizeof out->value, "%llu", value);
    return value > 0;
}

/* What a fan-out is called: of a chain and of reductions, of an allgather, of a broadcast's tree,
 * or as requests at a time. */
static const char *fanout_ending(const struct native *a)
{
    return a->fanout == FANOUT_UNLIMITED            ? "_max_requests"
           : strcmp(a->name, "bruck-k-fanout") == 0 ? "_tree_fanout"
           : strcmp(a->collective, "reduce") == 0 || strcmp(a->name, "chain") == 0
               ? "_chain_fanout"
               : "_knomial_radix";
}

static size_t add_variable(const char *name, unsigned long long value, struct native_setting *out)
{
    snprintf(out->name, sizeof out->name, "%s", name);
    snprintf(out->value, sizeof out->value, "%llu", value);
    return 1;
}

static size_t mpich_settings(const struct native *a, const struct candidate *c,
                             struct native_setting out[NATIVE_SETTINGS])
{
    const struct mpich_parameters *p = mpich_parameters(a->collective, a->name);
    const int fanout = c->fanout > 0 ? c->fanout : a->fanout;
    size_t n = 1;
    snprintf(out->name, sizeof out->name, "MPIR_CVAR_%.48s_INTRA_ALGORITHM", a->collective);
    for (char *q = out->name; *q; q++)
        *q = (char)toupper((unsigned char)*q);
    snprintf(out->value, sizeof out->value, "%.63s", a->name);
    if (p)
        n += add_variable(p->fanout, (unsigned long long)fanout, &out[n]);
    if (p && p->segment)
        n += add_variable(p->segment, c->segment_bytes, &out[n]);
    return n;
}

size_t native_settings(const struct native *a, const struct candidate *c,
                       struct native_setting out[NATIVE_SETTINGS])
{
    if (a->component)
        return 0;
    if (!a->id)
        return mpich_settings(a, c, out);
    const char *limit = a->limits ? algorithm_levels(c->algorithm) : NULL;
    const int usual = a->fanout == FANOUT_UNLIMITED ? 0 : a->fanout;
    const int fanout = c->fanout > 0 ? c->fanout : usual;
    size_t n = add_parameter(a, "", (unsigned long long)a->id, out);
    n += add_parameter(a, "_segmentsize", a->segmented ? c->segment_bytes : 0, &out[n]);
    n += add_parameter(a, fanout_ending(a), a->fanout ? (unsigned long long)fanout : 0, &out[n]);
    if (limit)
        n += add_parameter(a, "_max_requests", (unsigned long long)algorithm_limit(limit), &out[n]);
    return n;
}

const char *native_by_id(const char *library, const char *version, const char *collective, int id)
{
    for (const struct native *a = natives_of(library); a && a->name; a++) {
        if (!a->id || strcmp(a->collective, collective) != 0)
            continue;
        if (id == 0)
            return "default";
        if (a->id == id && version_within(version, a->from, a->below))
            return a->name;
    }
    return NULL;
}

const struct native_stranger *native_stranger(const struct native_strangers *strangers,
                                              const char *mpi, const char *collective,
                                              const char *name)
{
    for (size_t i = 0; strangers && i < strangers->n; i++)
        if (strcmp(strangers->v[i].mpi, mpi) == 0 &&
            strcmp(strangers->v[i].collective, collective) == 0 &&
            strcmp(strangers->v[i].name, name) == 0)
            return &strangers->v[i];
    return NULL;
}

const char *native_installed(const struct native_strangers *strangers, const char *mpi)
{
    for (size_t i = 0; strangers && i < strangers->n_releases; i++)
        if (strcmp(strangers->releases[i].mpi, mpi) == 0)
            return strangers->releases[i].version;
    return "";
}

CLEARS(native_strangers_free, native_strangers, it->v, it->releases)

const char *native_out_of_reach(const struct native *native, int nodes, int ppn)
{
    if (native->reach == REACH_NODES && (nodes < 2 || ppn < 2))
        return "the component takes part on several nodes with several ranks each only";
    if (native->reach == REACH_ONE_NODE && nodes > 1)
        return "the component takes part on one node only";
    if (native->reach == REACH_PARTS && ppn < 2)
        return "the component takes part where nodes have several ranks only";
    return NULL;
}

int native_is_component(const char *algorithm, const char *collective)
{
    const struct native *a = find_whole(collective, algorithm, NULL);
    return a && a->component;
}
