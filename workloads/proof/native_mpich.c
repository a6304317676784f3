/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_mpich
/* native_mpich.c - MPICH's forced algorithms: MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM takes effect
 * at once.
 *
 * MPICH exports none of its algorithms, so proof is indirect. First a canary: on the very
 * communicator, an algorithm that cannot run there (`smp`, which is for the whole node hierarchy
 * and then calls itself on a part, or one for calls in place) is forced, and with
 * MPIR_CVAR_COLLECTIVE_FALLBACK=error the call must fail; so writes do take effect, and nothing
 * falls back silently. Then the wanted algorithm is written and read back. Last, the messages of a
 * call are counted (interpose_mpich.h) and held against the equivalent schedule. */
#include "workloads/proof/native.h"

#include "workloads/measure/call.h"
#include "workloads/proof/interpose_mpich.h"
#include "workloads/proof/mpich_vars.h"
#include "workloads/schedules/mpich_parameters.h"
#include "workloads/schedules/parts.h"
#include "workloads/schedules/schedule.h"
#include "workloads/measure/team.h"
#include "workloads/proof/tool_vars.h"

enum { MOST_COLLECTIVES = 24 };

/* "alpha" of "mpich:composition_alpha", one way of the device's to split a call; NULL: the point is
 * of none. */
static const char *composition_of(const struct point *point)
{
    static const char before[] = "composition_";
    const char *name = algorithm_base_name(point->candidate.algorithm);
    return strncmp(name, before, sizeof before - 1) == 0 ? name + sizeof before - 1 : NULL;
}

/* Who chooses where no algorithm is forced: the device's own compositions, to which the calls of
 * each collective go first, or the code above it alone. -1: the point is of none of these. */
static int device_of(const struct point *point)
{
    const char *name = algorithm_base_name(point->candidate.algorithm);
    return strcmp(name, "device") == 0 || composition_of(point) ? MPICH_DEVICE_PERCOLL
           : strcmp(name, "mpir") == 0                          ? MPICH_DEVICE_NONE
                                                                : -1;
}

/* The number of "alpha", "beta", "gamma" or "delta" in the collective's variable; 0: it has no such
 * composition in this release, or no variable for them. A number that a release does not have
 * leaves the choice to the library, silently. */
static int composition_value(const char *collective, const char *name)
{
    static const char *const names[] = { "alpha", "beta", "gamma", "delta" };
    char text[MPI_MAX_LIBRARY_VERSION_STRING], var[MPICH_VAR];
    int length, value;
    mpich_var_composition(collective, var);
    if (tool_var_read(var, &value, NULL) < 0 || MPI_Get_library_version(text, &length))
        return 0;
    text[strcspn(text, "\r\n")] = '\0';
    const char *release = text + strcspn(text, "0123456789");
    const int n = mpich_compositions(collective, release);
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i + 1;
    return 0;
}

/* Nothing need be set: all that is wanted is written for the point that wants it. */
static void set_environment(void)
{
}

static void share_in(const char *dir)
{
    interpose_share_in(dir);
    setenv("UCX_POSIX_DIR", dir, 0);
}

/* The variables of the collectives, in the order of their table, as they were before anything was
 * forced: a site may have settings of its own (docs/environment.md). */
static struct {
    int known, value;
} usual[MOST_COLLECTIVES];
static int usual_fallback, usual_device;

/* Those that this program calls. */
static int is_forced(const struct collective *c)
{
    return c - collectives < MOST_COLLECTIVES && call_native(c);
}

static void learn_usual(void)
{
    char var[MPICH_VAR];
    for (const struct collective *c = collectives; c->name; c++) {
        if (!is_forced(c))
            continue;
        mpich_var_name(c->name, var);
        usual[c - collectives].known = tool_var_read(var, &usual[c - collectives].value, NULL) == 0;
    }
}

static int usual_of(const char *collective)
{
    const struct collective *c = collective_find(collective);
    return c && is_forced(c) ? usual[c - collectives].value : 0;
}

/* Can messages be counted here? Learnt once, in open(). */
static int can_count;

static int open_mpich(MPI_Comm world, struct err *err)
{
    char where[256];
    can_count = interpose_learn(world);
    if (can_count && !interpose_is_ours(where, sizeof where))
        return err_set(err, "ucp_tag_send_nbx is that of '%s', not of UCX", where);
    if (tool_vars_open(err) < 0 || tool_var_read(MPICH_FALLBACK, &usual_fallback, err) < 0 ||
        tool_var_read(MPICH_DEVICE, &usual_device, err) < 0)
        return -1;
    learn_usual();
    return 0;
}

static int list(FILE *out, struct err *err)
{
    struct mpich_values all;
    if (tool_vars_open(err) < 0)
        return -1;
    for (const struct collective *c = collectives; c->name; c++) {
        if (!is_forced(c))
            continue;
        if (mpich_var_values(c->name, &all, err) < 0)
            return -1;
        for (int i = 0; i < all.n; i++)
            if (strcmp(all.name[i], "auto") != 0)
                fprintf(out, "%s %s\n", c->name, all.name[i]);
    }
    return fflush(out) == 0 ? 0 : err_errno(err, "the list");
}

/* What a call of so few bytes returns: the same on every rank. */
static int call_canary(const char *collective, MPI_Comm comm, int procs, uint64_t bytes)
{
    const size_t each = (size_t)bytes * (size_t)procs;
    char *all = memory_zeros(each, 3); /* if it is not refused, there is room */
    const struct collective *c = collective_find(collective);
    struct call_args call = {
        .buffers.at = { [BUF_DATA] = all, [BUF_SEND] = all + each, [BUF_RECV] = all + 2 * each },
        .bytes = bytes,
        .procs = procs,
        .comm = comm,
    };
    call_counts_init(&call, c);
    const int rc = call_native(c)(&call);
    call_counts_clear(&call);
    free(all);
    return rc;
}

/* Forces the canary and makes a call that must be refused on every rank. */
static int try_canary(const char *collective, const char *var, MPI_Comm comm, struct err *err)
{
    int value, procs;
    MPI_Comm_size(comm, &procs);
    const char *canary = mpich_canary(collective, procs);
    if (procs < 2 || !canary)
        return 0; /* nothing is sent, or nothing refused */
    if (mpich_var_value(collective, canary, &value, err) < 0 || tool_var_write(var, value, err) < 0)
        return -1;
    if (call_canary(collective, comm, procs, 1) == MPI_SUCCESS)
        return err_set(err, "writing '%s' has no effect: forced '%s' was not refused", var, canary);
    return 0;
}

/* Variables of parameters and of the device that force() has written, as they were before. */
enum { MOST_PARAMETERS = 2 };
static struct {
    int n;
    char var[MOST_PARAMETERS][MPICH_VAR];
    int before[MOST_PARAMETERS];
} changed;

static int write_parameter(const char *var, uint64_t value, struct err *err)
{
    if (tool_var_read(var, &changed.before[changed.n], err) < 0)
        return -1;
    snprintf(changed.var[changed.n++], MPICH_VAR, "%s", var);
    return value > INT_MAX ? err_set(err, "'%s' holds no %llu", var, (unsigned long long)value)
                           : tool_var_write(var, (int)value, err);
}

/* A fan-out of 0 is left to the library; a segment of 0 is told to it, and cuts nothing. */
static int write_parameters(const struct point *point, struct err *err)
{
    const struct candidate *c = &point->candidate;
    const struct mpich_parameters *p =
        mpich_parameters(point->cell.collective, algorithm_base_name(c->algorithm));
    changed.n = 0;
    if (p && c->fanout && write_parameter(p->fanout, (uint64_t)c->fanout, err) < 0)
        return -1;
    return p && p->segment ? write_parameter(p->segment, c->segment_bytes, err) : 0;
}

static int force_value(const struct point *point, MPI_Comm comm, struct err *err)
{
    char var[MPICH_VAR];
    int value;
    const char *collective = point->cell.collective;
    const char *name = algorithm_base_name(point->candidate.algorithm);
    mpich_var_name(collective, var);
    if (mpich_var_value(collective, name, &value, err) < 0 ||
        tool_var_write(MPICH_DEVICE, MPICH_DEVICE_NONE, err) < 0 ||
        tool_var_write(MPICH_FALLBACK, MPICH_FALLBACK_ERROR, err) < 0 ||
        try_canary(collective, var, comm, err) < 0 || write_parameters(point, err) < 0)
        return -1;
    return tool_var_write(var, value, err);
}

/* 1 when one of the collective's compositions cannot serve this communicator, and a call with it is
 * refused: so the variable has an effect. Set by force(). */
static int refuses_another;

static int try_compositions(const char *collective, const char *var, MPI_Comm comm, int procs,
                            struct err *err)
{
    static const char *const names[] = { "alpha", "beta", "gamma", "delta" };
    refuses_another = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !refuses_another; i++) {
        const int value = composition_value(collective, names[i]);
        if (value && tool_var_write(var, value, err) < 0)
            return -1;
        refuses_another = value && call_canary(collective, comm, procs, 1) != MPI_SUCCESS;
    }
    return 0;
}

/* The device first, for this collective too, and one composition; what cannot serve the
 * communicator is refused by the library, on every rank. */
static int force_composition(const struct point *point, MPI_Comm comm, struct err *err)
{
    enum { FEW = 64 };
    const struct cell *c = &point->cell;
    const char *name = composition_of(point);
    const int value = composition_value(c->collective, name);
    char var[MPICH_VAR], device[MPICH_VAR];
    if (!value)
        return err_set(err, "this MPICH has no variable for composition %s of %s", name,
                       c->collective);
    mpich_var_composition(c->collective, var);
    mpich_var_device(c->collective, device);
    changed.n = 0;
    if (tool_var_write(MPICH_DEVICE, MPICH_DEVICE_PERCOLL, err) < 0 ||
        tool_var_write(MPICH_FALLBACK, MPICH_FALLBACK_ERROR, err) < 0 ||
        write_parameter(device, 1, err) < 0 || write_parameter(var, (uint64_t)value, err) < 0)
        return -1;
    if (c->procs < 2)
        return 0; /* nothing is sent */
    if (try_compositions(c->collective, var, comm, c->procs, err) < 0 ||
        tool_var_write(var, value, err) < 0)
        return -1;
    if (call_canary(c->collective, comm, c->procs, c->bytes < FEW ? c->bytes : FEW) != MPI_SUCCESS)
        return err_set(err, "MPICH refuses composition %s for these ranks, as it sees their nodes",
                       name);
    return 0;
}

static int force(const struct point *point, MPI_Comm parent, MPI_Comm *comm, struct err *err)
{
    if (MPI_Comm_dup(parent, comm) != MPI_SUCCESS)
        return err_set(err, "MPI_Comm_dup failed");
    MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
    const int device = device_of(point);
    if (composition_of(point))
        return force_composition(point, *comm, err);
    if (device >= 0)
        return tool_var_write(MPICH_DEVICE, device, err);
    return algorithm_is_default(point->candidate.algorithm) ? 0 : force_value(point, *comm, err);
}

enum { MOST_PEERS = 256 };

/* This rank's messages of a schedule are those that were counted. */
static int same_messages(const struct schedule *s, int rank)
{
    uint64_t messages[MOST_PEERS] = { 0 }, bytes[MOST_PEERS] = { 0 };
    struct round round = { 0 };
    for (uint64_t k = 0; k < schedule_rounds(s, rank); k++) {
        schedule_round(s, rank, k, &round);
        for (size_t i = 0; i < round.n; i++)
            if (round.ops[i].kind == OP_SEND) {
                messages[round.ops[i].peer]++;
                bytes[round.ops[i].peer] += round.ops[i].bytes;
            }
    }
    round_free(&round);
    for (int r = 0; r < s->procs; r++) {
        uint64_t seen_messages, seen_bytes;
        interpose_sent(r, &seen_messages, &seen_bytes);
        if (seen_messages != messages[r] || (seen_bytes != UINT64_MAX && seen_bytes != bytes[r]))
            return 0;
    }
    return 1;
}

enum { MOST_SCHEDULES = 64 }; /* of MPICH's, of a collective */

/* The i-th schedule of an algorithm of MPICH's, or NULL. */
static const struct algorithm *schedule_at(const struct point *point, int i)
{
    const struct collective *c = collective_find(point->cell.collective);
    const struct algorithm *of = collective_algorithm(c, NULL);
    while (of && (strncmp(of->name, "mpich_", 6) != 0 || i-- > 0))
        of = collective_algorithm(c, of);
    return i < MOST_SCHEDULES ? of : NULL;
}

/* The arguments of the i-th schedule: the candidate's, or what it has unless told. */
static int make_schedule(const struct point *point, const struct algorithm *of, struct schedule *s)
{
    const struct cell *c = &point->cell;
    const struct candidate *asked = &point->candidate;
    const int wanted = strcmp(of->name + 6, algorithm_base_name(asked->algorithm)) == 0;
    return schedule_init(s, of, c->procs, c->root, c->bytes, wanted ? asked->segment_bytes : 0,
                         wanted ? (int)asked->fanout : 0, NULL);
}

/* Collective: bit i is set when on every rank the messages were those of the i-th schedule, of
 * those that this release has. */
static uint64_t matching(const struct point *point, MPI_Comm team)
{
    const struct algorithm *of;
    int rank;
    uint64_t mine = 0;
    MPI_Comm_rank(team, &rank);
    for (int i = 0; (of = schedule_at(point, i)); i++) {
        struct schedule s;
        int value;
        if (mpich_var_value(point->cell.collective, of->name + 6, &value, NULL) == 0 &&
            make_schedule(point, of, &s) == 0 && s.alg == s.asked && same_messages(&s, rank))
            mine |= UINT64_C(1) << i;
    }
    team_combine(team, &mine, 1, MPI_UINT64_T, MPI_BAND);
    return mine;
}

/* Of several that send the same messages, without those that have a radix: these do what the others
 * do where it is 2, and nothing takes them unless told. 0: there are still several. */
static uint64_t only_one(const struct point *point, uint64_t match)
{
    uint64_t plain = 0;
    const struct algorithm *of;
    for (int i = 0; (of = schedule_at(point, i)); i++)
        if (!mpich_parameters(point->cell.collective, of->name + 6))
            plain |= match & UINT64_C(1) << i;
    const uint64_t left = plain ? plain : match;
    return left & (left - 1) ? 0 : left;
}

/* Index of the schedule of an algorithm of MPICH, or -1. */
static int schedule_of(const struct point *point)
{
    const char *name = algorithm_base_name(point->candidate.algorithm);
    const struct algorithm *of;
    for (int i = 0; (of = schedule_at(point, i)); i++)
        if (strcmp(of->name + 6, name) == 0)
            return i;
    return -1;
}

/* The one schedule of the set names what ran. */
static void name_ran(const struct point *point, uint64_t match, struct evidence *e)
{
    e->verified = "counted";
    snprintf(e->ran_algorithm, sizeof e->ran_algorithm, "mpich:%.48s",
             schedule_at(point, __builtin_ctzll(match))->name + 6);
}

static void judge_forced(const struct point *point, uint64_t match, struct evidence *e)
{
    const uint64_t single = only_one(point, match);
    const char *name = algorithm_base_name(point->candidate.algorithm);
    const int wanted = schedule_of(point);
    if (wanted < 0)
        return; /* no schedule is known: the canary and the read-back must do */
    if (match >> wanted & 1) {
        e->verified = "counted";
        return;
    }
    e->ran_algorithm[0] = '\0';
    e->status = single ? "substituted" : "invalid";
    if (single)
        name_ran(point, single, e);
    snprintf(e->reason, sizeof e->reason, "forced %s, but the messages are those of %s", name,
             single ? e->ran_algorithm : "no algorithm known");
}

/* 1 when the calls of a collective go to the device first, by its variables. */
static int goes_to_device(const char *collective)
{
    char var[MPICH_VAR];
    int device = MPICH_DEVICE_NONE, own = 1;
    mpich_var_device(collective, var);
    tool_var_read(MPICH_DEVICE, &device, NULL);
    tool_var_read(var, &own, NULL);
    return device == MPICH_DEVICE_ALL || (device == MPICH_DEVICE_PERCOLL && own);
}

static void judge(const struct point *point, MPI_Comm team, MPI_Comm comm, struct evidence *e)
{
    (void)comm;
    const int procs = point->cell.procs;
    interpose_stop();
    *e = (struct evidence){ .status = "ok", .verified = "unforced" };
    if (algorithm_is_default(point->candidate.algorithm))
        snprintf(e->ran_component, sizeof e->ran_component, "%s",
                 goes_to_device(point->cell.collective) ? "device" : "mpir");
    if (!algorithm_is_default(point->candidate.algorithm)) {
        const int refuses = composition_of(point)   ? refuses_another
                            : device_of(point) >= 0 ? 0
                                                    : !!mpich_canary(point->cell.collective, procs);
        e->verified = procs < 2 ? "unverified" : refuses ? "canary+readback" : "readback";
        snprintf(e->ran_algorithm, sizeof e->ran_algorithm, "%s", point->candidate.algorithm);
        e->ran_segment_bytes = point->candidate.segment_bytes;
        e->ran_fanout = (int)point->candidate.fanout;
    }
    if (!can_count || procs < 2 || procs > MOST_PEERS)
        return;
    const uint64_t match = matching(point, team), single = only_one(point, match);
    if (!algorithm_is_default(point->candidate.algorithm) && device_of(point) < 0)
        judge_forced(point, match, e);
    else if (single)
        name_ran(point, single, e);
}

/* Back to what was there: control traffic must not run the forced algorithm. */
static void release(MPI_Comm *comm)
{
    for (const struct collective *c = collectives; c->name; c++) {
        char var[MPICH_VAR];
        if (!is_forced(c) || !usual[c - collectives].known)
            continue;
        mpich_var_name(c->name, var);
        tool_var_write(var, usual[c - collectives].value, NULL);
    }
    for (int i = 0; i < changed.n; i++)
        tool_var_write(changed.var[i], changed.before[i], NULL);
    changed.n = 0;
    tool_var_write(MPICH_DEVICE, usual_device, NULL);
    tool_var_write(MPICH_FALLBACK, usual_fallback, NULL);
    MPI_Comm_free(comm);
}

static int holds(const struct point *point, MPI_Comm comm, const struct evidence *seen_before,
                 struct err *err)
{
    (void)comm, (void)seen_before;
    char var[MPICH_VAR];
    const char *collective = point->cell.collective;
    int value = usual_of(collective), seen;
    mpich_var_name(collective, var);
    if (composition_of(point)) {
        mpich_var_composition(collective, var);
        value = composition_value(collective, composition_of(point));
    } else if (device_of(point) >= 0) {
        snprintf(var, sizeof var, "%s", MPICH_DEVICE);
        value = device_of(point);
    } else if (!algorithm_is_default(point->candidate.algorithm) &&
               mpich_var_value(collective, algorithm_base_name(point->candidate.algorithm), &value,
                               err) < 0)
        return -1;
    if (tool_var_read(var, &seen, err) < 0)
        return -1;
    return seen == value
               ? 0
               : err_set(err, "'%s' reads %d after the timed calls, not %d", var, seen, value);
}

/* Every algorithm is the library's to choose, and no file chooses for it. */
static int check_control(int index, struct err *err)
{
    static const char *const ends[] = { "_INTRA_ALGORITHM", "_INTER_ALGORITHM", "_COMPOSITION" };
    char name[256], text[4096];
    int name_len = sizeof name, text_len = sizeof text, verbosity, bind, scope, value;
    MPI_Datatype type;
    MPI_T_enum words;
    if (MPI_T_cvar_get_info(index, name, &name_len, &verbosity, &type, &words, text, &text_len,
                            &bind, &scope) != MPI_SUCCESS)
        return 0;
    const size_t len = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t n = strlen(ends[i]);
        if (len > n && strcmp(name + len - n, ends[i]) == 0 &&
            tool_var_read(name, &value, NULL) == 0 && !mpich_var_is_own(name, value))
            return err_set(err, "%s = %d is in effect: it selects algorithms", name, value);
    }
    return 0;
}

static int clean(const struct launch_facts *facts, struct err *err)
{
    (void)facts;
    int n = 0, status = 0;
    if (tool_vars_open(err) < 0)
        return -1;
    MPI_T_cvar_get_num(&n);
    for (int i = 0; i < n && status == 0; i++)
        status = check_control(i, err);
    return status;
}

/* Ranks on this one's node, as the library sees them: trees and the device go by that. A library
 * that was built without shared memory sees one. */
static int seen_on_node;

static void look(MPI_Comm world)
{
    MPI_Comm node;
    interpose_learn(world);
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &seen_on_node);
    MPI_Comm_free(&node);
}

/* The file of rules that the library was told of: it has such a variable, and ends a program whose
 * file it cannot read. MPI_T itself shows of a text the default, whatever is set. */
static void tell_rules(FILE *out)
{
    static const char name[] = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE";
    char text[4096];
    const char *set = getenv(name);
    if (set && *set && tool_var_text(name, text, sizeof text, NULL) == 0)
        fprintf(out, "# in_effect: file of rules=%.*s\n", (int)strcspn(set, "\r\n"), set);
}

/* Lines that harness/study/in_effect_lines.h counts. */
static void tell(FILE *out)
{
    fprintf(out, "# in_effect: other ranks that rank 0 sees on its node=%s\n",
            seen_on_node > 1 ? "some" : "none");
    tell_rules(out);
    interpose_print_lanes(out);
}

static const struct proof_source *counts(void)
{
    return can_count ? interpose_counts() : NULL;
}

const struct native native_library = {
    .library = "mpich",
    .equivalent = "mpich_",
    .set_environment = set_environment,
    .share_in = share_in,
    .open = open_mpich,
    .force = force,
    .watch = interpose_watch,
    .judge = judge,
    .list = list,
    .holds = holds,
    .clean = clean,
    .look = look,
    .tell = tell,
    .counts = counts,
    .release = release,
};
#endif
