/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_openmpi
/* native_openmpi.c - coll/tuned's forced algorithms: the control variables are read when a
 * communicator is made (ompi #12602), so: write, MPI_Comm_dup, write back. Proof:
 * interpose_openmpi.h. */
#include "workloads/native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/components.h"
#include "workloads/interpose_openmpi.h"
#include "workloads/schedules/schedule.h"
#include "workloads/tool_vars.h"

/* Where a point gives none. */
enum { DEFAULT_CHAIN_FANOUT = 4, DEFAULT_RADIX = 4 };

/* What a point may write, as it was before anything was forced: of a site that has settings of its
 * own they come back (docs/environment.md). */
enum { ALGORITHM, SEGMENT, CHAINS, RADIX, N_WRITTEN, MOST_COLLECTIVES = 16 };
static const char *const suffixes[N_WRITTEN] = { "", "_segmentsize", "_chain_fanout",
                                                 "_knomial_radix" };
static struct {
    int known, value;
} usual[MOST_COLLECTIVES][N_WRITTEN];

/* Before MPI_Init. Where the library's own functions are (interpose_openmpi.h) is looked up now:
 * MPI_Init itself calls some of those that stand in front of them. */
static void set_environment(void)
{
    interpose_open(NULL);
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 0);
    setenv("OMPI_MCA_coll", "^han,hcoll,sm,adapt", 0);
}

static void name_var(const char *collective, int which, char name[128])
{
    snprintf(name, 128, "coll_tuned_%s_algorithm%s", collective, suffixes[which]);
}

/* What a collective lacks has no variable, and is left alone. */
static void learn_usual(void)
{
    char name[128];
    for (int c = 0; c < MOST_COLLECTIVES && collectives[c].name; c++)
        for (int i = 0; i < N_WRITTEN; i++) {
            name_var(collectives[c].name, i, name);
            usual[c][i].known = tool_var_read(name, &usual[c][i].value, NULL) == 0;
        }
}

/* Writes back what was there: `which` of one collective. */
static int put_back(const char *collective, int which, struct err *err)
{
    char name[128];
    int c = 0;
    while (c < MOST_COLLECTIVES && collectives[c].name &&
           strcmp(collectives[c].name, collective) != 0)
        c++;
    if (c == MOST_COLLECTIVES || !collectives[c].name || !usual[c][which].known)
        return 0;
    name_var(collective, which, name);
    return tool_var_write(name, usual[c][which].value, err);
}

static int open_openmpi(MPI_Comm world, struct err *err)
{
    (void)world;
    int dynamic;
    if (interpose_open(err) < 0 || tool_vars_open(err) < 0 ||
        tool_var_read("coll_tuned_use_dynamic_rules", &dynamic, err) < 0)
        return -1;
    if (!dynamic)
        return err_set(err, "coll_tuned_use_dynamic_rules is off, so no algorithm can be forced");
    learn_usual();
    return 0;
}

static int write_var(const char *collective, const char *suffix, int value, struct err *err)
{
    char name[128];
    snprintf(name, sizeof name, "coll_tuned_%s_algorithm%s", collective, suffix);
    return tool_var_write(name, value, err);
}

/* Segment and fan-out, where the algorithm has them; fan-out 0 leaves the library's own. */
static int write_shape(const struct point *point, const char *name, struct err *err)
{
    const char *collective = point->cell.collective;
    const int fanout = point->candidate.fanout;
    if (write_var(collective, "_segmentsize", (int)point->candidate.segment_bytes, err) < 0)
        return -1;
    if (strcmp(name, "chain") == 0)
        return write_var(collective, "_chain_fanout", fanout ? fanout : DEFAULT_CHAIN_FANOUT, err);
    if (strcmp(name, "knomial") == 0)
        return write_var(collective, "_knomial_radix", fanout ? fanout : DEFAULT_RADIX, err);
    return 0;
}

static int write_force(const struct point *point, struct err *err)
{
    const char *name = algorithm_base_name(point->candidate.algorithm);
    char var[128];
    int id;
    snprintf(var, sizeof var, "coll_tuned_%s_algorithm", point->cell.collective);
    if (tool_var_enum(var, name, &id, err) < 0 || write_shape(point, name, err) < 0)
        return -1;
    return write_var(point->cell.collective, "", id, err);
}

static int force(const struct point *point, MPI_Comm parent, MPI_Comm *comm, struct err *err)
{
    const int forced = !algorithm_is_default(point->candidate.algorithm);
    int status = forced ? write_force(point, err) : 0;
    /* the communicator is made even after a failure here, as other ranks wait for it */
    if (MPI_Comm_dup(parent, comm) != MPI_SUCCESS)
        status = err_set(err, "MPI_Comm_dup failed");
    for (int i = 0; forced && i < RADIX; i++)
        if (put_back(point->cell.collective, i, status < 0 ? NULL : err) < 0)
            status = -1;
    return status;
}

static void judge_ran(const struct point *point, int procs, const struct interposed *ran,
                      struct evidence *e)
{
    const struct candidate *asked = &point->candidate;
    const char *name = algorithm_base_name(asked->algorithm);
    const struct algorithm *alg = algorithm_find(point->cell.collective, name);
    struct schedule s;
    const int known = alg && schedule_init(&s, alg, procs, point->cell.root, point->cell.bytes,
                                           asked->segment_bytes, asked->fanout, NULL) == 0;
    e->status = "substituted";
    if (strcmp(ran->name, name) == 0) {
        const int segmented = known && alg->segmented, fanned = known && s.fanout;
        if (segmented && ran->segment_bytes != asked->segment_bytes)
            snprintf(e->reason, sizeof e->reason, "forced segments of %llu bytes, %u seen",
                     (unsigned long long)asked->segment_bytes, ran->segment_bytes);
        else if (fanned && ran->fanout && ran->fanout != s.fanout)
            snprintf(e->reason, sizeof e->reason, "forced fan-out %d, %d seen", s.fanout,
                     ran->fanout);
        else
            e->status = "ok";
    } else if (known && strcmp(ran->name, s.alg->name) == 0) {
        snprintf(e->reason, sizeof e->reason, "%s runs as %s for these arguments", name, ran->name);
    } else {
        snprintf(e->reason, sizeof e->reason, "forced %s, but %s ran: the write had no effect",
                 name, ran->name);
    }
}

static void judge(const struct point *point, MPI_Comm team, struct evidence *e)
{
    int procs;
    MPI_Comm_size(team, &procs);
    const struct interposed *ran = interpose_seen(point->cell.collective);
    *e = (struct evidence){ .status = "ok", .verified = "unverified" };
    char symbol[96];
    const char *foreign = interpose_foreign(symbol, sizeof symbol);
    if (foreign) {
        e->status = "invalid";
        snprintf(e->reason, sizeof e->reason, "%s is that of '%.120s', not of the library", symbol,
                 foreign);
        return;
    }
    if (!ran) {
        if (procs > 1 && !algorithm_is_default(point->candidate.algorithm)) {
            e->status = "invalid";
            snprintf(e->reason, sizeof e->reason, "no function of coll/base was entered");
        }
        return;
    }
    interpose_component(e->ran_component, sizeof e->ran_component);
    e->verified = "interposed";
    snprintf(e->ran_algorithm, sizeof e->ran_algorithm, "openmpi:%s", ran->name);
    e->ran_segment_bytes = ran->segment_bytes;
    e->ran_fanout = ran->fanout;
    if (!algorithm_is_default(point->candidate.algorithm))
        judge_ran(point, procs, ran, e);
}

/* The radix, unlike all else, is read at every call: it must not stay for the library's own choice.
 */
static void release(MPI_Comm *comm)
{
    for (const struct collective *c = collectives; c->name; c++)
        put_back(c->name, RADIX, NULL);
    MPI_Comm_free(comm);
}

const struct native native_library = {
    .library = "openmpi",
    .equivalent = "",
    .set_environment = set_environment,
    .open = open_openmpi,
    .force = force,
    .watch = interpose_watch,
    .judge = judge,
    .clean = components_check,
    .tell = components_print,
    .counts = interpose_counts,
    .release = release,
};
#endif
