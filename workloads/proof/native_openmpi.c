/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_openmpi
/* native_openmpi.c - coll/tuned's forced algorithms (tuned_vars.h). Proof: interpose_openmpi.h. */
#include "harness/base/base.h"
#include "workloads/proof/native.h"

#include "workloads/proof/components.h"
#include "workloads/proof/interpose_openmpi.h"
#include "workloads/proof/coll_component.h"
#include "workloads/schedules/schedule.h"
#include "workloads/proof/tool_vars.h"
#include "workloads/proof/tuned_vars.h"

/* What a point may write, as it was before anything was forced: of a site that has settings of its
 * own they come back (docs/environment.md). */
enum { MOST_COLLECTIVES = 24 };
static struct tuned_usual usual[MOST_COLLECTIVES];

/* Before MPI_Init. Where the library's own functions are (interpose_openmpi.h) is looked up now:
 * MPI_Init itself calls some of those that stand in front of them. */
static void set_environment(void)
{
    interpose_open(NULL);
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 0);
}

/* The component for messages within a node is vader up to 4, sm from 5 on. */
static void share_in(const char *dir)
{
    setenv("OMPI_MCA_btl_vader_backing_directory", dir, 0);
    setenv("OMPI_MCA_btl_sm_backing_directory", dir, 0);
    setenv("UCX_POSIX_DIR", dir, 0);
}

/* Writes back what was there: `which` of one collective. */
static int put_back(const char *collective, enum tuned_parameter which, struct err *err)
{
    for (int c = 0; c < MOST_COLLECTIVES && collectives[c].name; c++)
        if (strcmp(collectives[c].name, collective) == 0)
            return tuned_put_back(collective, which, &usual[c], err);
    return 0;
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
    for (int c = 0; c < MOST_COLLECTIVES && collectives[c].name; c++)
        tuned_learn(collectives[c].name, &usual[c]);
    return 0;
}

/* 1 when the name is that of a component that is there: it has a priority. */
static int is_component(const char *name)
{
    char var[128];
    int priority;
    snprintf(var, sizeof var, "coll_%.64s_priority", name);
    return tool_var_read(var, &priority, NULL) == 0;
}

static int write_force(const struct point *point, struct err *err)
{
    const struct candidate *c = &point->candidate;
    return tuned_force(point->cell.collective, algorithm_base_name(c->algorithm), c->segment_bytes,
                       c->fanout, err);
}

/* Where `tuned` comes first whatever its priority, and `basic` serves what it has not: others, also
 * ones that nobody here knows, come after these two. The known ones need not make anything for the
 * communicator; that which counts messages (monitoring, 4.1.4) has no place behind these and ends
 * the program when the communicator is freed. */
static const char tuned_alone[] =
    "tuned,basic,^han,adapt,sm,hcoll,ucc,cuda,accelerator,xhc,acoll,monitoring";

/* A communicator with an order of components (from 4.1 on); NULL: with the library's own, whatever
 * parent has. Where a component does not serve a collective, the next one does. */
static int make_comm(const char *order, MPI_Comm parent, MPI_Comm *comm, struct err *err)
{
    static const char key[] = "ompi_comm_coll_preference";
    MPI_Info info = MPI_INFO_NULL;
    if (order) {
        MPI_Info_create(&info);
        MPI_Info_set(info, key, order);
    }
    const int rc = MPI_Comm_dup_with_info(parent, info, comm);
    if (order)
        MPI_Info_free(&info);
    return rc == MPI_SUCCESS ? 0 : err_set(err, "MPI_Comm_dup_with_info failed");
}

/* The default's communicator is as the library makes it, with nothing written. */
static int force(const struct point *point, MPI_Comm parent, MPI_Comm *comm, struct err *err)
{
    const char *name = algorithm_base_name(point->candidate.algorithm);
    if (algorithm_is_default(point->candidate.algorithm))
        return make_comm(NULL, parent, comm, err);
    if (is_component(name))
        return make_comm(strcmp(name, "tuned") == 0 ? tuned_alone : name, parent, comm, err);
    int status = write_force(point, err);
    /* the communicator is made even after a failure here, as other ranks wait for it */
    if (make_comm(tuned_alone, parent, comm, err) < 0)
        status = -1;
    for (int i = 0; i < TUNED_REQUESTS; i++)
        if (put_back(point->cell.collective, (enum tuned_parameter)i, status < 0 ? NULL : err) < 0)
            status = -1;
    return status;
}

/* What is wrong with the parameters that the forced algorithm ran with goes to reason; s: its
 * schedule, or NULL. */
static int same_shape(const struct candidate *asked, const struct schedule *s,
                      const struct interposed *ran, struct evidence *e)
{
    const uint64_t segment = asked->segment_bytes;
    const int fanout = s ? s->fanout : asked->fanout;
    if ((s ? s->alg->segmented : segment > 0) && ran->segment_bytes != segment)
        snprintf(e->reason, sizeof e->reason, "forced segments of %llu bytes, %u seen",
                 (unsigned long long)segment, ran->segment_bytes);
    else if (ran->fanout != fanout)
        snprintf(e->reason, sizeof e->reason, "forced fan-out %d, %d seen", fanout, ran->fanout);
    else
        return 1;
    return 0;
}

/* What ran, with the limit of requests that it had where one is named: "chain.8". */
static const char *name_seen(const struct interposed *ran, char buf[NAME_SIZE])
{
    if (ran->limit > 0)
        snprintf(buf, NAME_SIZE, "%s.%d", ran->name, ran->limit);
    else
        snprintf(buf, NAME_SIZE, "%s", ran->name);
    return buf;
}

static void judge_ran(const struct point *point, int procs, const struct interposed *ran,
                      struct evidence *e)
{
    const struct candidate *asked = &point->candidate;
    const char *collective = point->cell.collective, *name = algorithm_base_name(asked->algorithm);
    const struct algorithm *alg = algorithm_find(collective, name);
    struct schedule s;
    const struct schedule_arguments arguments = { .procs = procs,
                                                  .root = point->cell.root,
                                                  .bytes = point->cell.bytes,
                                                  .segment_bytes = asked->segment_bytes,
                                                  .fanout = asked->fanout,
                                                  .levels = algorithm_levels(name) };
    const int known = alg && schedule_make(&s, alg, &arguments, NULL) == 0;
    char seen[NAME_SIZE];
    e->status = "substituted";
    if (strcmp(name_seen(ran, seen), name) == 0)
        e->status = same_shape(asked, known ? &s : NULL, ran, e) ? "ok" : "substituted";
    else if ((known && strcmp(ran->name, s.alg->name) == 0) || interpose_entered(collective, name))
        snprintf(e->reason, sizeof e->reason, "%s runs as %s for these arguments", name, seen);
    else
        snprintf(e->reason, sizeof e->reason, "forced %s, but %s ran: the write had no effect",
                 name, seen);
}

/* Those that run one function of coll/base in a call, the same each time. */
static int is_simple(const char *component)
{
    return strcmp(component, "tuned") == 0 || strcmp(component, "basic") == 0;
}

/* A component was asked for: it serves the collective on the communicator, or another one does.
 * What it ran is its own affair. */
static void judge_component(const struct point *point, MPI_Comm comm, struct evidence *e)
{
    const char *name = algorithm_base_name(point->candidate.algorithm);
    const char *collective = point->cell.collective;
    coll_component_of(comm, collective, e->ran_component, sizeof e->ran_component);
    e->verified = *e->ran_component ? "served" : "unverified";
    e->may_vary = !is_simple(e->ran_component);
    if (strcmp(e->ran_component, name) == 0) {
        snprintf(e->ran_algorithm, sizeof e->ran_algorithm, "openmpi:%.48s", name);
        return;
    }
    e->status = *e->ran_component ? "substituted" : "invalid";
    if (*e->ran_component)
        snprintf(e->ran_algorithm, sizeof e->ran_algorithm, "openmpi:%s", e->ran_component);
    snprintf(e->reason, sizeof e->reason, "component %s was requested, but %s serves %s here", name,
             *e->ran_component ? e->ran_component : "an unknown one", collective);
}

/* The default is served by a component that runs no function of coll/base by itself, or only among
 * parts of the ranks: that one is told, and what it ran is its own affair. */
static int judge_own(const struct point *point, MPI_Comm comm, struct evidence *e)
{
    if (!algorithm_is_default(point->candidate.algorithm))
        return 0;
    const char *owner =
        coll_component_of(comm, point->cell.collective, e->ran_component, sizeof e->ran_component);
    if (!*owner || is_simple(owner))
        return 0;
    e->verified = "served";
    e->may_vary = 1;
    snprintf(e->ran_algorithm, sizeof e->ran_algorithm, "openmpi:%.48s", owner);
    return 1;
}

/* An algorithm that nobody here knows: it was written, and none that is known was entered. */
static int judge_stranger(const struct point *point, struct evidence *e)
{
    const char *name = algorithm_base_name(point->candidate.algorithm);
    if (algorithm_is_default(point->candidate.algorithm) ||
        algorithm_find(point->cell.collective, name))
        return 0;
    e->verified = "readback";
    snprintf(e->ran_algorithm, sizeof e->ran_algorithm, "openmpi:%.48s", name);
    return 1;
}

static void judge(const struct point *point, MPI_Comm team, MPI_Comm comm, struct evidence *e)
{
    int procs;
    MPI_Comm_size(team, &procs);
    const struct interposed *ran = interpose_seen(point->cell.collective);
    *e = (struct evidence){ .status = "ok", .verified = "unverified" };
    char symbol[96], seen[NAME_SIZE];
    const char *foreign = interpose_foreign(symbol, sizeof symbol);
    if (foreign) {
        e->status = "invalid";
        snprintf(e->reason, sizeof e->reason, "%s is that of '%.120s', not of the library", symbol,
                 foreign);
        return;
    }
    if (is_component(algorithm_base_name(point->candidate.algorithm))) {
        judge_component(point, comm, e);
        return;
    }
    if (judge_own(point, comm, e))
        return;
    if (!ran) {
        if (judge_stranger(point, e))
            return;
        if (procs > 1 && !algorithm_is_default(point->candidate.algorithm)) {
            e->status = "invalid";
            snprintf(e->reason, sizeof e->reason, "no function of coll/base was entered");
        }
        return;
    }
    if (!*e->ran_component)
        interpose_component(e->ran_component, sizeof e->ran_component);
    if (!*e->ran_component) /* where components are part of the library */
        coll_component_of(comm, point->cell.collective, e->ran_component, sizeof e->ran_component);
    e->verified = "interposed";
    snprintf(e->ran_algorithm, sizeof e->ran_algorithm, "openmpi:%.54s", name_seen(ran, seen));
    e->ran_segment_bytes = ran->segment_bytes;
    e->ran_fanout = ran->fanout;
    if (!algorithm_is_default(point->candidate.algorithm))
        judge_ran(point, procs, ran, e);
}

/* All else was settled with the communicator; a component may hand a collective back when it is
 * called. */
static int holds(const struct point *point, MPI_Comm comm, const struct evidence *seen,
                 struct err *err)
{
    char owner[32];
    if (strcmp(seen->verified, "served") != 0 ||
        strcmp(coll_component_of(comm, point->cell.collective, owner, sizeof owner),
               seen->ran_component) == 0)
        return 0;
    return err_set(err, "component %s served the first call, and %s the timed ones",
                   seen->ran_component, *owner ? owner : "an unknown one");
}

/* ---- what the library lists of itself ---- */

struct listing {
    const char *collective;
    FILE *out;
};

/* Its own choice is no algorithm; that of allgatherv which it calls so has a name of ours. */
static void list_word(const char *word, void *user)
{
    const struct listing *to = user;
    if (strcmp(word, "ignore") != 0 && strcmp(word, "default") != 0)
        fprintf(to->out, "%s %s\n", to->collective, word);
}

static int list(FILE *out, struct err *err)
{
    char var[TUNED_NAME];
    if (tool_vars_open(err) < 0)
        return -1;
    for (const struct collective *c = collectives; c->name; c++) {
        struct listing to = { c->name, out };
        tuned_name(c->name, TUNED_ALGORITHM, var);
        tool_var_words(var, list_word, &to);
    }
    return fflush(out) == 0 ? 0 : err_errno(err, "the list");
}

/* The radix and scatter's number of requests, unlike all else, are read at every call: they must
 * not stay for the library's own choice. */
static void release(MPI_Comm *comm)
{
    for (const struct collective *c = collectives; c->name; c++)
        for (int i = TUNED_REQUESTS; i < N_TUNED_PARAMETERS; i++)
            put_back(c->name, (enum tuned_parameter)i, NULL);
    MPI_Comm_free(comm);
}

const struct native native_library = {
    .library = "openmpi",
    .equivalent = "",
    .set_environment = set_environment,
    .share_in = share_in,
    .open = open_openmpi,
    .force = force,
    .watch = interpose_watch,
    .judge = judge,
    .holds = holds,
    .list = list,
    .clean = components_check,
    .tell = components_print,
    .counts = interpose_counts,
    .release = release,
};
#endif
