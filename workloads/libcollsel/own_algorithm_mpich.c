/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef MPI_IS_mpich
/* own_algorithm_mpich.c - MPICH 4.0 to 5.0 with its device ch4: which calls the device leaves
 * whole, and what the selection behind it takes for these.
 *
 * By the trees that the release carries in itself (maint/tuning/coll/ch4/generic.json and
 * mpir/generic.json of 4.0.2; those of 4.2.1 and 5.0 differ in the name of the barrier, and call
 * the composition that leaves an allgather or an alltoall whole beta) and by the code around them
 * (src/mpid/ch4/src/ch4_coll.h, ch4_coll_impl.h). A communicator of which no two ranks share a node
 * is whole in all. On others the device splits barriers, and broadcasts, reductions and
 * all-reductions that are short or commute, by node, and runs parts of them in a node's shared
 * memory once there were some calls: of these nobody knows here what they are. */

#include "workloads/libcollsel/own_algorithm.h"
#include "workloads/libcollsel/choice_table.h"
#include "workloads/libcollsel/comm_place.h"
#include "workloads/proof/mpich_vars.h"
#include "workloads/schedules/decision.h"
#include "workloads/schedules/parts.h"
#include "workloads/schedules/schedule.h"
#include "workloads/proof/tool_vars.h"

enum { KIB = 1024 };

/* ---- what holds for a run ---- */

/* Does the device decide before the selection? What cannot be read is the default. */
static int reads_device(const char *collective, int all)
{
    char var[MPICH_VAR];
    int one = 1;
    mpich_var_device(collective, var);
    if (all == MPICH_DEVICE_PERCOLL)
        tool_var_read(var, &one, NULL);
    return all != MPICH_DEVICE_NONE && one;
}

/* Does a variable name one of the device's ways to split the calls (4.1 and later)? It goes before
 * all files. */
static int is_composed(const char *collective)
{
    char var[MPICH_VAR];
    int value = 0;
    mpich_var_composition(collective, var);
    return tool_var_read(var, &value, NULL) == 0 && value != 0;
}

static void read_forced(const char *collective, char forced[DECIDED_WORD])
{
    char var[MPICH_VAR];
    struct mpich_values all;
    int value = 0;
    mpich_var_name(collective, var);
    if (tool_var_read(var, &value, NULL) < 0 || value == 0)
        return;
    if (mpich_var_values(collective, &all, NULL) == 0 && value < all.n)
        snprintf(forced, DECIDED_WORD, "%.40s", all.name[value]);
    else
        snprintf(forced, DECIDED_WORD, "%d", value);
}

/* Files of rules: of the selection, of the device, and what those above leave to others. */
static const char *const files[] = { "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE",
                                     "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE",
                                     "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE",
                                     "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE_GPU",
                                     "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE_GPU" };

/* MPI_T of 4.0.2 reads all texts as empty. MPICH itself takes a variable by three beginnings. */
static const char *path_of(const char *variable)
{
    static const char *const beginnings[] = { "MPIR_CVAR_", "MPIR_PARAM_", "MPICH_" };
    char name[MPICH_VAR];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", beginnings[i], variable + strlen(beginnings[0]));
        const char *path = getenv(name);
        if (path && *path)
            return path;
    }
    return NULL;
}

/* A tree may ask whether there are several threads: then no path is kept. */
static void read_files(struct decided *d)
{
    struct decided_file *const kept[] = { &d->rules, &d->device_rules };
    int threads = MPI_THREAD_MULTIPLE;
    PMPI_Query_thread(&threads);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = path_of(files[i]);
        if (path && !d->file)
            d->file = files[i];
        if (path && i < 2 && threads != MPI_THREAD_MULTIPLE &&
            strlen(path) < sizeof d->rules.path && stat(path, &kept[i]->seen) == 0)
            snprintf(kept[i]->path, sizeof kept[i]->path, "%s", path);
    }
}

/* Its own view of nodes, which variables change, too (MPIR_CVAR_NOLOCAL). Collective. */
static uint64_t *learn_nodes(MPI_Comm comm)
{
    MPI_Comm node;
    int rank, procs, first;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &procs);
    PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    first = rank;
    PMPI_Bcast(&first, 1, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    const uint64_t mine = (uint64_t)first;
    uint64_t *all = memory_zeros((size_t)procs, sizeof *all);
    PMPI_Allgather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, comm);
    return all;
}

/* The releases whose trees were read: "4.2" of 4.2.1. 1 where it is one of them, and is told. */
static int is_known(char release[DECIDED_RELEASE])
{
    static const char *const known[] = { "4.0", "4.1", "4.2", "4.3", "5.0" };
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS)
        return 0;
    const char *number = version + strcspn(version, "0123456789");
    if (strncmp(version, "MPICH Version:", 14) != 0 || !strstr(version, "ch4:") ||
        strstr(version, "hcoll"))
        return 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(number, known[i], 3) == 0 && (number[3] < '0' || number[3] > '9'))
            return snprintf(release, DECIDED_RELEASE, "%s", known[i]) > 0;
    return 0;
}

void decided_open(struct decided *d, MPI_Comm comm)
{
    int all = MPICH_DEVICE_PERCOLL, ucc = 0;
    d->node = learn_nodes(comm);
    d->is_open = tool_vars_open(NULL) == 0;
    if (!d->is_open)
        return;
    /* of 5.0, where it is built with UCC, which decides before all */
    tool_var_read("MPIR_CVAR_CH4_UCX_ENABLE_UCC", &ucc, NULL);
    d->rule = !ucc && is_known(d->release) ? "mpich40" : NULL;
    snprintf(d->library, sizeof d->library, "mpich-%s", d->release);
    read_files(d);
    tool_var_read(MPICH_DEVICE, &all, NULL);
    for (int i = 0; i < N_ASKED; i++) {
        const char *collective = call_args_name((enum call_args_which)i);
        d->device[i] = reads_device(collective, all);
        d->is_composed[i] = d->device[i] && is_composed(collective);
        read_forced(collective, d->forced[i]);
    }
}

int decided_by_file(const struct decided *d, const char *name, struct decided_place *place)
{
    place->device = strstr(name, files[1]) != NULL;
    return d->file && sscanf(name, "by %*s on %d", &place->nodes) == 1;
}

void decided_from_table(const struct decided *d, const struct choice_table *table,
                        const struct decided_cell *cell, char name[DECIDED_NAME])
{
    (void)d;
    char *on = strstr(name, " on ");
    const struct comm_shape shape = { .procs = cell->procs };
    const struct choice *choice =
        table && cell->procs <= CHOICE_TABLE_RULES_PROCS
            ? choice_table_find(table, cell->collective, &shape, cell->bytes)
            : NULL;
    if (choice && strncmp(choice->name, "mpich:", 6) == 0)
        snprintf(name, DECIDED_NAME, "%.48s by %s", choice->name, files[0]);
    else if (on)
        *on = '\0';
}

/* 4.0.2 forgets its variables for good in the MPI_T_finalize that closes the last MPI_T_init. */
void decided_close(struct decided *d)
{
    if (d->is_open)
        MPI_T_finalize();
    free(d->node);
    *d = (struct decided){ .node = NULL };
}

/* ---- a communicator ---- */

enum seats { SEATS_UNKNOWN, SEATS_APART, SEATS_IN_ROWS, SEATS_MIXED };

static int some_share(const uint64_t *node, int procs)
{
    uint64_t *sorted = memory_zeros((size_t)procs, sizeof *sorted);
    int shared = 0;
    memcpy(sorted, node, (size_t)procs * sizeof *sorted);
    qsort(sorted, (size_t)procs, sizeof *sorted, array_by_u64);
    for (int i = 1; i < procs; i++)
        shared |= sorted[i] == sorted[i - 1];
    free(sorted);
    return shared;
}

/* How often the next rank is on another node, and on how many they are: alike where the ranks of
 * each node stand in a row. */
static int in_rows(uint64_t *node, int procs, int *nodes)
{
    int turns = 1;
    *nodes = 1;
    for (int i = 1; i < procs; i++)
        turns += node[i] != node[i - 1];
    qsort(node, (size_t)procs, sizeof *node, array_by_u64);
    for (int i = 1; i < procs; i++)
        *nodes += node[i] != node[i - 1];
    return turns == *nodes;
}

/* No two ranks on a node; those of a node one behind the other; or else. */
static enum seats seats_of(const struct decided *d, MPI_Comm comm, int procs, int *nodes)
{
    enum seats seats = SEATS_UNKNOWN;
    uint64_t *node = memory_zeros((size_t)procs, sizeof *node);
    *nodes = procs;
    if (d->node && place_nodes(comm, d->node, node) == 0)
        seats = !some_share(node, procs)      ? SEATS_APART
                : in_rows(node, procs, nodes) ? SEATS_IN_ROWS
                                              : SEATS_MIXED;
    free(node);
    return seats;
}

/* ---- a call ---- */

/* 1: the selection decides it for the communicator as it is; 0: the device splits it. */
static int is_whole(const struct decided *d, const struct decided_call *call, enum seats seats)
{
    if (!d->device[call->asked->which] || seats == SEATS_APART)
        return 1;
    switch (call->asked->which) {
    case CALL_ARGS_BARRIER:
        return 0;
    case CALL_ARGS_BCAST:
        return call->procs >= 8 &&
               call->bytes >= (uint64_t)(is_power_of_two(call->procs) ? 512 : 12) * KIB;
    case CALL_ARGS_REDUCE:
    case CALL_ARGS_ALLREDUCE:
        return call->ordered;
    case CALL_ARGS_SCAN:
        return seats != SEATS_IN_ROWS;
    default:
        return 1;
    }
}

/* From 5.0 on a communicator on one node is no parent of others. What becomes of what the device
 * splits was seen with no such library yet, and is not told. */
static int is_told(const struct decided *d, const struct decided_call *call, enum seats seats)
{
    if (seats == SEATS_APART || strcmp(d->release, "5.0") < 0)
        return 1;
    switch (call->asked->which) {
    case CALL_ARGS_BARRIER:
    case CALL_ARGS_BCAST:
    case CALL_ARGS_REDUCE:
    case CALL_ARGS_ALLREDUCE:
    case CALL_ARGS_SCAN:
        return 0;
    default:
        return 1;
    }
}

/* An operation of the user's, or one that does not commute; NULL: as any. */
static const char *name_by_operation(const struct decided_call *call)
{
    switch (call->asked->which) {
    case CALL_ARGS_ALLREDUCE:
        return call->users ? "recursive_doubling" : NULL;
    case CALL_ARGS_REDUCE:
        return call->users ? "binomial" : NULL;
    case CALL_ARGS_REDUCE_SCATTER:
        return !call->ordered ? NULL : "";
    case CALL_ARGS_REDUCE_SCATTER_BLOCK:
        return !call->ordered                 ? NULL
               : is_power_of_two(call->procs) ? "noncommutative"
                                              : "recursive_doubling";
    default:
        return NULL;
    }
}

/* What goes by nodes, or by how the buffers are given; NULL: as any. */
static const char *name_by_call(const struct decided *d, const struct decided_call *call,
                                enum seats seats)
{
    switch (call->asked->which) {
    case CALL_ARGS_BARRIER:
        return seats != SEATS_APART             ? "smp"
               : strcmp(d->release, "4.0") == 0 ? "dissemination"
                                                : "k_dissemination";
    case CALL_ARGS_SCAN:
        return seats == SEATS_IN_ROWS ? "smp" : "recursive_doubling";
    case CALL_ARGS_ALLTOALL:
        return call->asked->send == MPI_IN_PLACE ? "pairwise_sendrecv_replace" : NULL;
    default:
        return name_by_operation(call);
    }
}

static const char *plain(const char *algorithm)
{
    static const char prefix[] = "mpich_";
    return strncmp(algorithm, prefix, sizeof prefix - 1) == 0 ? algorithm + sizeof prefix - 1
                                                              : algorithm;
}

/* By the selection: where the mean of uneven blocks stands for two sums, both must say the same. */
static void name_auto(const struct decided *d, const struct decided_call *call, enum seats seats,
                      char name[DECIDED_NAME])
{
    struct decision one, other;
    const char *collective = call_args_name(call->asked->which),
               *at_once = name_by_call(d, call, seats);
    const uint64_t count = (uint64_t)call->asked->recv_count;
    struct decision_call made = { .procs = call->procs, .bytes = call->bytes, .count = count };
    if (at_once) {
        snprintf(name, DECIDED_NAME, "%s%s", *at_once ? "mpich:" : "", at_once);
        return;
    }
    const int known = decide_elements(d->rule, collective, &made, &one);
    made.bytes += (uint64_t)call->uneven;
    if (known && decide_elements(d->rule, collective, &made, &other) &&
        strcmp(one.algorithm, other.algorithm) == 0)
        snprintf(name, DECIDED_NAME, "mpich:%s", plain(one.algorithm));
}

/* Can it run here? It is left alone silently where not. */
static int can_run(const char *forced, const struct decided_call *call)
{
    char ours[DECIDED_WORD + 8];
    struct schedule s;
    const char *collective = call_args_name(call->asked->which);
    const struct schedule_arguments arguments = { .procs = call->procs,
                                                  .bytes = call->bytes,
                                                  .ordered = call->ordered };
    snprintf(ours, sizeof ours, "mpich_%s", forced);
    const struct algorithm *alg = algorithm_find(collective, ours);
    return alg && call->asked->send != MPI_IN_PLACE && !call->users &&
           schedule_make(&s, alg, &arguments, NULL) == 0 && s.alg == s.asked;
}

static void name_forced(const char *forced, const struct decided_call *call,
                        char name[DECIDED_NAME])
{
    char var[MPICH_VAR];
    mpich_var_name(call_args_name(call->asked->which), var);
    if (can_run(forced, call))
        snprintf(name, DECIDED_NAME, "mpich:%.40s by %.60s", forced, var);
    else
        snprintf(name, DECIDED_NAME, "%.40s, if it can, by %.50s", forced, var);
}

/* What the readers of the files answer for sure: a call as they know it, among ranks of which they
 * know the places (from 5.0 on only of those apart). */
static int is_plain(const struct decided *d, const struct decided_call *call, enum seats seats)
{
    const enum call_args_which which = call->asked->which;
    if (!*d->rules.path || *d->forced[which] || call->users || call->ordered || call->uneven)
        return 0;
    if (call->asked->send == MPI_IN_PLACE &&
        (which == CALL_ARGS_ALLTOALL || which == CALL_ARGS_ALLTOALLV))
        return 0;
    return (call->element_bytes || which == CALL_ARGS_BARRIER) &&
           (seats == SEATS_APART || (seats == SEATS_IN_ROWS && strcmp(d->release, "5.0") < 0));
}

/* With the number of nodes where the algorithm can be found. */
static void name_by_file(const struct decided *d, const struct decided_call *call, enum seats seats,
                         int nodes, char name[DECIDED_NAME])
{
    const int by_device = d->device[call->asked->which] && *d->device_rules.path;
    if (is_plain(d, call, seats) && (by_device || is_whole(d, call, seats)))
        snprintf(name, DECIDED_NAME, "by %s on %d node%s", files[by_device], nodes,
                 nodes == 1 ? "" : "s");
    else
        snprintf(name, DECIDED_NAME, "by %s", d->file);
}

void decided_name(const struct decided *d, const struct decided_call *call, char name[DECIDED_NAME])
{
    int nodes;
    const char *forced = d->forced[call->asked->which];
    *name = '\0';
    if (!d->rule || call->procs < 2 || d->is_composed[call->asked->which])
        return;
    const enum seats seats = seats_of(d, call->asked->comm, call->procs, &nodes);
    if (d->file)
        name_by_file(d, call, seats, nodes, name);
    else if (seats == SEATS_UNKNOWN || !is_told(d, call, seats))
        return;
    else if (!is_whole(d, call, seats))
        snprintf(name, DECIDED_NAME, "device%s%.40s", *forced ? ", in its parts " : "", forced);
    else if (*forced)
        name_forced(forced, call, name);
    else
        name_auto(d, call, seats, name);
}
#endif
