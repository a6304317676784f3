/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/process_state.h"

#include "workloads/proof/tool_vars.h"

/* A process has one library, as it has one MPI. */
static struct library *running;

struct library *library_get(void)
{
    return running;
}

/* FNV-1a over the ranks. */
static uint64_t number_of(const int *ranks, int n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < n; i++) {
        h ^= (uint64_t)(uint32_t)ranks[i];
        h *= UINT64_C(0x100000001b3);
    }
    return h;
}

static uint64_t members_of(MPI_Comm comm, int procs)
{
    int *theirs = place_in_world(comm, procs);
    const uint64_t number = number_of(theirs, procs);
    free(theirs);
    return number;
}

void process_state_kind(const struct group *group, const struct cell_of_group *cell, int candidate,
                        struct star_memory_row *row)
{
    const struct choice *c = &cell->repository.v[candidate];
    memset(row, 0, sizeof *row);
    snprintf(row->collective, sizeof row->collective, "%s",
             call_args_name((enum call_args_which)cell->key.which));
    snprintf(row->op, sizeof row->op, "%s", *cell->key.op ? cell->key.op : "-");
    snprintf(row->algorithm, sizeof row->algorithm, "%s", c->name);
    row->procs = group->procs;
    row->nodes = group->shape.nodes;
    row->bytes = cell->key.bytes;
    row->segment_bytes = c->segment_bytes;
    row->fanout = c->fanout;
}

static void tell_tried(const struct cell_of_group *cell, struct row *row)
{
    row->n_tried = 0;
    for (int i = 0; i < cell->repository.n; i++) {
        const struct choice *c = &cell->repository.v[i];
        struct row_tried tried = { .segment_bytes = c->segment_bytes, .fanout = c->fanout };
        tried.seconds = star_seconds(cell->star, i, &tried.calls);
        snprintf(tried.name, sizeof tried.name, "%s", c->name);
        if (tried.seconds > 0)
            row_try(row, &tried);
    }
}

/* What was saved is shared among the rows of a cell by their calls. */
static void tell_row(const struct cell_of_group *cell, struct row *row, double share)
{
    struct star_saving saving;
    const int choice = star_choice(cell->star),
              has_own = cell->repository.n && !cell->repository.v[0].alg;
    const double own_s = has_own ? star_seconds(cell->star, 0, NULL) : -1;
    const enum star_word word = star_saving(cell->star, &saving);
    const struct choice *chosen =
        choice >= 0 && cell->repository.n ? &cell->repository.v[choice] : NULL;
    const int before = row->is_tuned ? row->saved_known : 1;
    if (chosen)
        row->chosen_shape = (struct row_shape){ chosen->segment_bytes, chosen->fanout };
    row->is_tuned = 1;
    row->agreements += star_agreements(cell->star);
    row->changes += star_changes(cell->star);
    row->default_s = own_s > 0 ? own_s : 0;
    row->best_s = choice < 0 ? 0 : star_seconds(cell->star, choice, NULL);
    snprintf(row->chosen, sizeof row->chosen, "%s",
             choice < 0           ? ""
             : cell->repository.n ? cell->repository.v[choice].name
                                  : "default");
    row->saved_known = before && saving.is_known && (choice >= 0 || word != STAR_NOT_SETTLED);
    row->saved_s += share * saving.saved_s;
    row->saved_half_s += share * saving.half_s;
    row->spent_s += share * saving.spent_s;
    tell_tried(cell, row);
}

static void tell_star(struct library *lib, const struct group *group,
                      const struct cell_of_group *cell)
{
    uint64_t calls = 0;
    for (int i = 0; i < N_ROOTS; i++)
        calls += cell->row[i] ? cell->row[i]->measured + cell->row[i]->monitored : 0;
    for (int i = 0; i < N_ROOTS; i++) {
        struct row *row = cell->row[i];
        if (row && calls)
            tell_row(cell, row, (double)(row->measured + row->monitored) / (double)calls);
    }
    for (int i = 0; lib->settings.learnt && i < cell->repository.n; i++) {
        struct star_memory_row row;
        process_state_kind(group, cell, i, &row);
        star_tell(cell->star, i, &row.learnt);
        star_memory_put(&lib->learnt, &row);
    }
}

static void free_cell(struct cell_of_group *cell)
{
    star_free(cell->star);
    repository_clear(&cell->repository);
    free(cell);
}

static void forget(struct library *lib, struct group *group)
{
    library_lock(lib);
    if (group->before)
        group->before->after = group->after;
    else
        lib->groups = group->after;
    if (group->after)
        group->after->before = group->before;
    if (lib->last == group)
        lib->last = NULL;
    for (size_t i = 0; i < group->n_cells; i++)
        if (group->cells[i]->star)
            tell_star(lib, group, group->cells[i]);
    library_unlock(lib);
    for (size_t i = 0; i < group->n_cells; i++)
        free_cell(group->cells[i]);
    memory_free(group->cells, group->slot);
    executor_cache_clear(&group->prepared);
    forced_clear(&group->forced);
    stage_clear(&group->stage);
    place_clear(&group->place);
    choice_table_free(group->own_model);
    free(group);
}

/* MPI calls it when a communicator goes. */
static int gone(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    if (running)
        forget(running, value);
    return MPI_SUCCESS;
}

static struct group *new_group(struct library *lib, MPI_Comm comm)
{
    struct group *group = memory_zeros(1, sizeof *group);
    group->comm = comm;
    PMPI_Comm_rank(comm, &group->rank);
    PMPI_Comm_size(comm, &group->procs);
    PMPI_Comm_test_inter(comm, &group->is_inter);
    if (!group->is_inter) {
        group->members = members_of(comm, group->procs);
        group->shape = place_shape(comm, group->procs, lib->node);
    }
    library_lock(lib);
    group->after = lib->groups;
    if (group->after)
        group->after->before = group;
    lib->groups = group;
    library_unlock(lib);
    PMPI_Comm_set_attr(comm, lib->keyval, group);
    return group;
}

struct group *library_group(struct library *lib, MPI_Comm comm)
{
    void *value = NULL;
    int found = 0;
    if (lib->last && lib->last->comm == comm)
        return lib->last;
    if (comm == MPI_COMM_NULL)
        return NULL;
    PMPI_Comm_get_attr(comm, lib->keyval, &value, &found);
    struct group *group = found ? value : new_group(lib, comm);
    lib->last = lib->threads ? NULL : group;
    return group;
}

static int is_cell(const struct cell_of_group *cell, const struct row_key *key)
{
    return memcmp(&cell->key, key, sizeof *key) == 0;
}

static size_t hash_of(const struct row_key *key)
{
    uint64_t op, h = key->bytes * UINT64_C(0x9e3779b97f4a7c15);
    memcpy(&op, key->op, sizeof op);
    h ^= ((uint64_t)key->which + 31 * op + 131 * key->site) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (size_t)(h ^ h >> 29);
}

/* Where a cell is, or has its place. */
static struct cell_of_group **slot_of(const struct group *group, const struct row_key *key)
{
    size_t i = hash_of(key) & (group->n_slots - 1);
    while (group->slot[i] && !is_cell(group->slot[i], key))
        i = (i + 1) & (group->n_slots - 1);
    return &group->slot[i];
}

static void widen(struct group *group)
{
    free(group->slot);
    group->n_slots = group->n_slots ? 2 * group->n_slots : 16;
    group->slot = memory_zeros(group->n_slots, sizeof *group->slot);
    for (size_t i = 0; i < group->n_cells; i++)
        *slot_of(group, &group->cells[i]->key) = group->cells[i];
}

static struct cell_of_group *new_cell(struct group *group, const struct row_key *key)
{
    if (group->n_cells == GROUP_CELLS)
        return NULL;
    struct cell_of_group *cell = memory_zeros(1, sizeof *cell);
    cell->key = *key;
    array_room(&group->cells, &group->room, group->n_cells + 1);
    group->cells[group->n_cells++] = cell;
    if (2 * group->n_cells >= group->n_slots)
        widen(group);
    else
        *slot_of(group, key) = cell;
    return cell;
}

struct row *library_row(struct library *lib, const struct row_key *key)
{
    struct row *row = seen_find(&lib->rows, key);
    return row ? row : &lib->spare;
}

struct cell_of_group *group_cell(struct group *group, const struct row_key *key)
{
    if (group->last && is_cell(group->last, key))
        return group->last;
    struct cell_of_group *cell = group->n_slots ? *slot_of(group, key) : NULL;
    if (!cell)
        cell = new_cell(group, key);
    if (cell)
        group->last = cell;
    return cell;
}

/* Of all ranks together, at least so many of each, from so many ranks on. */
enum { ALL_EVENTS = 1 << 20, LEAST_EVENTS = 1 << 12, FEW_PROCS = ALL_EVENTS / LEAST_EVENTS };

struct library *library_new(const struct libcollsel_settings *settings, int threads)
{
    struct library *lib = memory_zeros(1, sizeof *lib);
    lib->settings = *settings;
    lib->began_ns = clock_now();
    lib->threads = lib->models.is_closed = threads;
    pthread_mutex_init(&lib->mutex, NULL);
    lib->spare.every = 1;
    int procs;
    PMPI_Comm_size(MPI_COMM_WORLD, &procs);
    lib->rows.most_events = !settings->timeline ? 0
                            : procs < FEW_PROCS ? ALL_EVENTS / (size_t)procs
                                                : LEAST_EVENTS;
    PMPI_Comm_dup(MPI_COMM_WORLD, &lib->own);
    const uint64_t node = place_node();
    lib->node = memory_zeros((size_t)procs, sizeof *lib->node);
    PMPI_Allgather(&node, 1, MPI_UINT64_T, lib->node, 1, MPI_UINT64_T, lib->own);
    decided_open(&lib->decided, lib->own); /* before anything is forced */
    lib->can_force = !threads && settings->mode != LIBCOLLSEL_TRACE && tool_vars_open(NULL) == 0;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, gone, &lib->keyval, NULL);
    return lib;
}

void library_enter(struct library *lib)
{
    lib->world_members = library_group(lib, MPI_COMM_WORLD)->members;
    running = lib;
}

void library_leave(struct library *lib)
{
    while (lib->groups)
        PMPI_Comm_delete_attr(lib->groups->comm, lib->keyval);
    PMPI_Comm_free_keyval(&lib->keyval);
    running = NULL;
}

void library_free(struct library *lib)
{
    PMPI_Comm_free(&lib->own);
    if (lib->can_force)
        MPI_T_finalize();
    seen_clear(&lib->rows);
    choice_table_free(lib->table);
    models_clear(&lib->models);
    decided_close(&lib->decided);
    pthread_mutex_destroy(&lib->mutex);
    star_memory_clear(&lib->learnt);
    memory_free(lib->node, lib);
}
