/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/call_dispatch.h"

#include "workloads/libcollsel/site.h"

static struct row_key key_of(const struct call_dispatch *t, const struct call_args_size *size)
{
    const struct group *group = t->group;
    const struct call_args *a = t->asked;
    struct row_key key = row_key_of((int)a->which, call_args_op(a));
    key.members = group->members;
    key.procs = group->procs;
    key.bytes = size->bytes;
    key.own = size->own;
    if (t->lib->settings.sites)
        key.site = site_number(a->site);
    if (call_args_is_rooted(a))
        key.root = a->root == 0 ? ROOT_ZERO : ROOT_OTHER;
    return key;
}

/* staged_element; of the type of the last call it is known. */
static uint64_t element_of(struct cell_of_group *cell, const struct call_args *a)
{
    if (!call_args_combines(a))
        return 1;
    if (cell->element_bytes && cell->element_type == a->recv_type)
        return cell->element_bytes;
    const uint64_t bytes = staged_element(a);
    cell->element_bytes = staged_is_named(a->recv_type) ? bytes : 0;
    cell->element_type = a->recv_type;
    return bytes;
}

/* 1 when a schedule could run it, as far as all ranks know alike. */
static int is_movable(struct call_dispatch *t, const struct call_args_size *size)
{
    const struct call_args *a = t->asked;
    const uint64_t ranks = (uint64_t)t->group->procs;
    if (size->own || ranks < 2 || t->group->is_broken ||
        (a->is_large && a->which == CALL_ARGS_ALLGATHERV) ||
        (size->bytes == 0) != (a->which == CALL_ARGS_BARRIER) || size->bytes > INT_MAX ||
        size->bytes * ranks > INT_MAX)
        return 0;
    t->element_bytes = element_of(t->cell, a);
    return t->element_bytes > 0;
}

/* As tables count bytes: where blocks differ, the mean. */
static uint64_t bytes_of_rank(const struct call_dispatch *t)
{
    const enum call_args_which which = t->asked->which;
    const int is_sum = which == CALL_ARGS_ALLGATHERV || which == CALL_ARGS_REDUCE_SCATTER;
    return is_sum ? t->bytes / (uint64_t)t->group->procs : t->bytes;
}

/* What schedules want of the communicator; the first time collective over it. */
static void want_place(struct call_dispatch *t)
{
    if (!t->group->place.procs)
        place_make(&t->group->place, t->asked->comm);
}

/* Where several reasons are, the first one is told. */
static void say_declined(struct call_dispatch *t, const struct err *err, const char *instead)
{
    library_lock(t->lib);
    if (!*t->row->declined)
        snprintf(t->row->declined, sizeof t->row->declined, "%.120s%s", err->text, instead);
    library_unlock(t->lib);
}

/* What a table says of the communicator's calls; of a model the first time collective over it.
 * NULL: there is none, or it could not be asked, which is told. */
static const struct choice_table *table_of(struct call_dispatch *t)
{
    struct group *group = t->group;
    if (!t->lib->settings.model)
        return t->lib->table;
    if (!group->has_asked) {
        const int64_t began_ns = clock_now();
        group->model = models_table(&t->lib->models, &t->lib->settings, t->asked->comm,
                                    &group->shape, &group->own_model, &group->model_err);
        t->asking_ns = clock_now() - began_ns;
        group->has_asked = 1;
    }
    if (!group->model)
        say_declined(t, &group->model_err, "");
    return group->model;
}

/* Kinds of calls that are tuned on the communicator for this collective and operation. */
static int count_tuned(const struct group *group, const struct row_key *key)
{
    int n = 0;
    for (size_t i = 0; i < group->n_cells; i++) {
        const struct cell_of_group *c = group->cells[i];
        n += c->is_tuned > 0 && c->key.which == key->which && strcmp(c->key.op, key->op) == 0;
    }
    return n;
}

/* What a table says is to be tried; where it says nothing, what is tried without one. Returns how
 * many are said. */
static size_t list_candidates(struct call_dispatch *t, const struct collective *c,
                              const struct schedule_arguments *arguments)
{
    enum { MOST = 16 };
    const struct choice *said[MOST];
    struct repository *r = &t->cell->repository;
    const struct choice_table *table = table_of(t);
    const size_t n =
        table ? choice_table_list(table, c->name, &t->group->shape, bytes_of_rank(t), said, MOST)
              : 0;
    repository_of_choices(r, said, n, c, arguments);
    if (r->n)
        return n;
    repository_make(r, t->lib->settings.repository, MPI_NAME, c, arguments);
    return 0;
}

/* One of the first calls of its kind, which are counted: 1. Programs make communicators and free
 * them after a few calls, again and again: for these nothing is made. Ranks count alike, as their
 * cells are alike. */
static int comes_early(struct call_dispatch *t)
{
    struct cell_of_group *cell = t->cell;
    if ((t->group->comm == MPI_COMM_WORLD && t->lib->settings.judge == STAR_FASTEST) ||
        cell->early == CELL_EARLY)
        return 0;
    cell->early++;
    return 1;
}

/* 1 when all ranks of the communicator have the same numbers. */
static int is_alike(const struct call_dispatch *t, const double *v, size_t n)
{
    const uint64_t digest = fs_digest(v, n * sizeof *v), mine[2] = { digest, ~digest };
    uint64_t most[2];
    PMPI_Allreduce(mine, most, 2, MPI_UINT64_T, MPI_MAX, t->group->place.work);
    return most[0] == mine[0] && most[1] == mine[1];
}

/* What an earlier run, or a communicator that went, has learnt of the candidates: where all ranks
 * know the same. They have been in other communicators, and may not. */
static void recall(const struct call_dispatch *t)
{
    enum { N = 9 };
    const int n = t->cell->repository.n;
    struct star_memory_row like;
    struct star_learnt *learnt = memory_zeros((size_t)n, sizeof *learnt);
    double *v = memory_zeros((size_t)n, N * sizeof *v);
    if (!t->lib->settings.learnt)
        goto end;
    library_lock(t->lib);
    for (int i = 0; i < n; i++) {
        process_state_kind(t->group, t->cell, i, &like);
        const struct star_memory_row *known = star_memory_find(&t->lib->learnt, &like);
        if (!known)
            continue;
        const struct star_learnt *l = &known->learnt;
        learnt[i] = *l;
        memcpy(v + N * i,
               (const double[N]){ 1, l->is_choice, l->state, l->looks, l->ever, l->least, l->n,
                                  l->mean, l->squares },
               N * sizeof *v);
    }
    library_unlock(t->lib);
    if (is_alike(t, v, (size_t)n * N))
        for (int i = 0; i < n; i++)
            if (v[N * i] > 0)
                star_learn(t->cell->star, i, &learnt[i]);
end:
    memory_free(learnt, v);
}

/* Lists the candidates; collective where the communicator's place is not known. 0: there are too
 * few. */
static int list(struct call_dispatch *t)
{
    struct cell_of_group *cell = t->cell;
    const struct collective *c = collective_find(call_args_name(t->asked->which));
    want_place(t);
    const struct schedule_arguments arguments = {
        .procs = t->group->procs,
        .bytes = executor_cache_message(t->asked, t->group->procs, t->bytes, t->element_bytes),
        .element_bytes = t->element_bytes,
        .ordered = executor_cache_ordered(t->asked),
        .inexact = executor_cache_inexact(t->asked),
        .seats = t->group->place.seats,
    };
    const size_t said = list_candidates(t, c, &arguments);
    if (cell->repository.n < 2)
        return 0;
    if (t->lib->settings.judge != STAR_SURE)
        return 1;
    struct star_prior *prior = repository_expect(&cell->repository, said > 0, &arguments);
    star_begin(cell->star, cell->repository.n, prior);
    free(prior);
    recall(t);
    return 1;
}

/* The judge that is sure has its candidates later, when what they cost is paid. */
static void begin_star(struct call_dispatch *t)
{
    struct cell_of_group *cell = t->cell;
    const struct libcollsel_settings *s = &t->lib->settings;
    struct star_options options = star_usual;
    cell->is_tuned = -1;
    if (!collective_find(call_args_name(t->asked->which)) ||
        count_tuned(t->group, &cell->key) >= s->sizes || (s->judge != STAR_SURE && !list(t)))
        return;
    options.judge = s->judge;
    options.groups = s->groups;
    options.cost = s->cost * 1e-6;
    cell->star = star_new(&options, cell->repository.n, cell->repository.group);
    cell->is_tuned = 1;
}

/* Candidates that star waits for. */
static void go_on(struct call_dispatch *t)
{
    struct cell_of_group *cell = t->cell;
    if (!star_wants(cell->star) || list(t))
        return;
    star_free(cell->star);
    cell->star = NULL;
    cell->is_tuned = -1;
}

/* Sums among the ranks are whole numbers, and so the same on each. */
static void end_star(struct call_dispatch *t, int64_t ended_ns)
{
    struct cell_of_group *cell = t->cell;
    struct row *row = t->row;
    int64_t *values;
    const int measured = star_stage(cell->star) == STAR_MEASURE;
    star_own(cell->star, t->began_ns - t->entered_ns);
    star_whole(cell->star, t->lib->start_ns, t->all_ns);
    const size_t n = star_record(cell->star, ended_ns - t->began_ns, &values);
    if (n) {
        PMPI_Allreduce(MPI_IN_PLACE, values, (int)n, MPI_INT64_T, MPI_SUM,
                       t->group->place.procs ? t->group->place.work : t->asked->comm);
        star_agreed(cell->star, t->group->procs);
    }
    const int64_t after_ns = clock_now() - ended_ns,
                  own_ns = t->began_ns - t->entered_ns + after_ns;
    star_own(cell->star, after_ns);
    library_lock(t->lib);
    row->measured += (uint64_t)measured;
    row->monitored += (uint64_t)!measured;
    row->measured_ns += measured ? ended_ns - t->began_ns : 0;
    *(measured ? &row->own_measured_ns : &row->own_monitored_ns) += own_ns;
    library_unlock(t->lib);
}

static const struct choice *choose(struct call_dispatch *t)
{
    struct cell_of_group *cell = t->cell;
    const struct call_args *a = t->asked;
    if (t->lib->settings.mode != LIBCOLLSEL_STAR) {
        const struct choice_table *table = cell->is_tuned ? NULL : table_of(t);
        if (table)
            cell->choice = choice_table_find(table, call_args_name(a->which), &t->group->shape,
                                             bytes_of_rank(t));
        cell->is_tuned = -1;
        return cell->choice;
    }
    if (!cell->is_tuned && !comes_early(t))
        begin_star(t);
    if (cell->star)
        go_on(t);
    t->is_tuned = cell->star != NULL;
    return t->is_tuned && cell->repository.n ? &cell->repository.v[star_next(cell->star)] : NULL;
}

static void say_ran(struct row *row, const char *name)
{
    if (strcmp(row->ran, name) != 0)
        snprintf(row->ran, sizeof row->ran, "%s", name);
}

/* By the library's own code, forced: 1; 0: it refuses. */
static int call_forced(struct call_dispatch *t, const struct choice *choice,
                       const struct execute_buffers *buffers)
{
    struct group *group = t->group;
    struct err err; /* of a call of many nothing is cleared */
    int refused = 1;
    struct forced *f =
        forced_ready(&group->forced, &group->place, t->asked, t->bytes, choice, &err);
    t->began_ns = t->is_tuned ? clock_now() : 0; /* what comes before prepares it */
    if (f)
        t->rc = forced_call(f, t->asked, buffers, t->bytes, &refused);
    if (f && refused)
        err_set(&err, "%s: the library refuses it", choice->name);
    if (refused) {
        t->rc = MPI_SUCCESS;
        say_declined(t, &err, ": run by its schedule");
    }
    return !refused;
}

/* By the choice itself, or by its schedule. */
static void carry_out(struct call_dispatch *t, const struct choice *choice,
                      struct executor_cache *p)
{
    struct group *group = t->group;
    struct staged staged;
    const struct call_args *a = t->asked;
    int forced = 0;
    t->rc = staged_begin(&staged, &group->stage, a, group->rank, group->procs);
    if (t->rc == MPI_SUCCESS && t->cell->memo.is_forced)
        forced = call_forced(t, choice, &staged.buffers);
    if (t->rc == MPI_SUCCESS && !forced)
        t->rc = executor_cache_run(p, &group->place, a, &staged.buffers);
    if (t->rc == MPI_SUCCESS)
        t->rc = staged_end(&staged, &group->stage, a, group->rank, group->procs);
    library_lock(t->lib);
    t->row->forced += (uint64_t)forced;
    t->row->scheduled += (uint64_t)!forced;
    say_ran(t->row, forced ? choice->name : executor_cache_name(p));
    t->row->shape = (struct row_shape){ choice->segment_bytes, choice->fanout };
    library_unlock(t->lib);
    if (t->rc == MPI_SUCCESS)
        return;
    group->is_broken = 1;
    PMPI_Comm_call_errhandler(a->comm, t->rc);
}

/* The schedule of the call, by the last one like it where there is one. */
static struct executor_cache *prepare(struct call_dispatch *t, const struct choice *choice)
{
    struct group *group = t->group;
    const struct call_args *a = t->asked;
    struct call_memo *m = &t->cell->memo;
    const int root = call_args_is_rooted(a) ? a->root : 0, combines = call_args_combines(a),
              in_place = a->send == MPI_IN_PLACE ||
                         (a->which == CALL_ARGS_SCATTER && a->recv == MPI_IN_PLACE);
    if (m->choice == choice && (!combines || m->type == a->recv_type) && m->root == root &&
        m->in_place == in_place && m->evicted == group->prepared.evicted) {
        executor_cache_use(&group->prepared, m->prepared);
        return m->prepared;
    }
    struct err err = { 0 };
    struct executor_cache *p = executor_cache_ready(&group->prepared, &group->place, a, choice,
                                                    t->bytes, t->element_bytes, in_place, &err);
    if (!p)
        say_declined(t, &err, "");
    const int keeps = p && a->which != CALL_ARGS_ALLGATHERV &&
                      a->which != CALL_ARGS_REDUCE_SCATTER &&
                      (!combines || staged_is_named(a->recv_type));
    *m = (struct call_memo){ .choice = keeps ? choice : NULL,
                             .type = combines ? a->recv_type : MPI_DATATYPE_NULL,
                             .root = root,
                             .in_place = in_place,
                             .prepared = p,
                             .is_forced = p && t->lib->can_force && forced_is_own(choice) &&
                                          executor_cache_is_itself(p),
                             .evicted = group->prepared.evicted };
    return p;
}

/* Where the choice is one that fits: 1. What its schedule cannot do (an operation that does not
 * commute) the library's own code may do wrongly, so that is asked in either case. */
static int run(struct call_dispatch *t, const struct choice *choice)
{
    want_place(t);
    struct executor_cache *p = prepare(t, choice);
    t->began_ns = t->is_tuned ? clock_now() : 0; /* what comes before prepares it */
    if (p)
        carry_out(t, choice, p);
    return p != NULL;
}

_Static_assert((int)ROW_DECIDED == (int)DECIDED_NAME, "a row takes the whole name");

/* Of the data type; 0: there is none, or it is known to some ranks alone. */
static uint64_t element_bytes(const struct call_dispatch *t)
{
    const struct call_args *a = t->asked;
    const int is_root = call_args_is_rooted(a) && t->group->rank == a->root;
    const int of_all = a->which == CALL_ARGS_ALLGATHERV || a->which == CALL_ARGS_REDUCE_SCATTER;
    int count, bytes;
    MPI_Datatype type = a->recv_type;
    if ((!call_args_block(a, is_root, &count, &type) && !of_all) ||
        PMPI_Type_size(type, &bytes) != MPI_SUCCESS)
        return 0;
    return (uint64_t)bytes;
}

/* Which algorithm the library's own call is: once for each row, and for types of other sizes than
 * it has had; "" where they get several. */
static void tell_decided(struct call_dispatch *t, const struct row_key *key)
{
    const struct call_args *a = t->asked;
    const uint64_t mean = bytes_of_rank(t);
    const struct decided_call call = { .asked = a,
                                       .procs = t->group->procs,
                                       .bytes = mean,
                                       .element_bytes = element_bytes(t),
                                       .uneven = mean * (uint64_t)t->group->procs != t->bytes &&
                                                 mean != t->bytes,
                                       .users = strncmp(key->op, "user", 4) == 0,
                                       .ordered = strcmp(key->op, "user_ordered") == 0 };
    struct row *row = t->row;
    char name[DECIDED_NAME] = "";
    if (key->bytes || a->which == CALL_ARGS_BARRIER)
        decided_name(&t->lib->decided, &call, name);
    if (row->is_decided && strcmp(name, row->decided) != 0)
        *name = '\0';
    memcpy(row->decided, name, sizeof name);
    if (!row->is_decided || call.element_bytes < row->least_bytes)
        row->least_bytes = call.element_bytes;
    if (call.element_bytes > row->element_bytes)
        row->element_bytes = call.element_bytes;
    row->is_decided = 1;
    row->rank_bytes = mean;
}

/* Kinds of which no other rank knows the size have no cell: cells are alike on all ranks. */
static int find_kind(struct call_dispatch *t, struct call_args_size *size)
{
    const struct call_args *a = t->asked;
    if (call_args_size(a, t->group->rank, t->group->procs, size) < 0)
        return -1;
    if (a->is_large && size->bytes >= INT_MAX) { /* on all ranks, where it could be moved */
        t->why = WHY_FORM;
        return -1;
    }
    const struct row_key key = key_of(t, size);
    struct row_key rootless = key;
    rootless.root = ROOT_NONE;
    t->bytes = size->bytes;
    if (!size->own)
        t->cell = group_cell(t->group, &rootless);
    t->row = t->cell ? t->cell->row[key.root] : NULL;
    if (!t->row)
        t->row = t->cell || size->own ? library_row(t->lib, &key) : &t->lib->spare;
    t->row->nodes = t->group->shape.nodes;
    t->row->ppn = t->group->shape.ppn;
    if (t->cell)
        t->cell->row[key.root] = t->row;
    const uint64_t element = element_bytes(t);
    if (!t->row->is_decided || element < t->row->least_bytes || element > t->row->element_bytes)
        tell_decided(t, &key);
    return 0;
}

/* *like: what of the arguments tells the kind. Where the last call of which it may be the same is
 * kept; NULL: they do not tell it. */
static struct call_like *place_of_like(const struct call_dispatch *t, struct call_like *like)
{
    const struct call_args *a = t->asked;
    const int is_root = call_args_is_rooted(a) && t->group->rank == a->root;
    *like = (struct call_like){ .which = a->which,
                                .op = a->op,
                                .site = t->lib->settings.sites ? a->site : NULL };
    if (!call_args_block(a, is_root, &like->count, &like->type))
        return NULL;
    return &t->group->like[((unsigned)a->which * 5 + (unsigned)like->count) % GROUP_LIKE];
}

/* Of a call with the same arguments as one before: 1. */
static int find_like(struct call_dispatch *t, const struct call_like *kept,
                     const struct call_like *like, struct call_args_size *size)
{
    const struct call_args *a = t->asked;
    const int is_rooted = call_args_is_rooted(a);
    if (!kept->cell || kept->which != like->which || kept->count != like->count ||
        kept->type != like->type || kept->op != like->op || kept->site != like->site ||
        (is_rooted && (a->root < 0 || a->root >= t->group->procs)))
        return 0;
    struct row *row = kept->cell->row[!is_rooted ? ROOT_NONE : a->root ? ROOT_OTHER : ROOT_ZERO];
    if (!row)
        return 0;
    t->cell = kept->cell;
    t->row = row;
    t->bytes = size->bytes = kept->cell->key.bytes;
    size->own = 0;
    return 1;
}

/* They will tell it the next time, too. */
static int is_for_good(const struct call_dispatch *t, const struct call_like *like)
{
    return t->cell && strncmp(t->cell->key.op, "user", 4) != 0 && staged_is_named(like->type);
}

static int find_row(struct call_dispatch *t, struct call_args_size *size)
{
    struct call_like like;
    struct call_like *kept = place_of_like(t, &like);
    if (kept && t->asked->is_large && like.count == INT_MAX)
        kept = NULL;
    if (!kept || !find_like(t, kept, &like, size)) {
        if (find_kind(t, size) < 0)
            return -1;
        like.cell = kept && is_for_good(t, &like) ? t->cell : NULL;
        if (like.cell)
            *kept = like;
    }
    t->lib->rows.lost += t->row == &t->lib->spare;
    return 0;
}

static int find_cell(struct call_dispatch *t, struct call_args_size *size)
{
    t->group = library_group(t->lib, t->asked->comm);
    t->why = t->group && t->group->is_inter ? WHY_INTER : WHY_WRONG;
    if (!t->group || t->group->is_inter)
        return -1;
    library_lock(t->lib);
    const int status = find_row(t, size);
    library_unlock(t->lib);
    return status;
}

int call_dispatch_begin(struct call_dispatch *t, const struct call_args *asked)
{
    struct call_args_size size;
    *t = (struct call_dispatch){ .lib = library_get(), .asked = asked };
    t->entered_ns = counted_begin();
    if (!t->lib || find_cell(t, &size) < 0) {
        t->lib = NULL;
        return 0;
    }
    const struct choice *choice = NULL;
    if (t->cell && t->lib->settings.mode != LIBCOLLSEL_TRACE && is_movable(t, &size))
        choice = choose(t);
    t->began_ns = t->is_tuned ? clock_now() : 0;
    if (choice && choice->alg && run(t, choice))
        return 1;
    library_lock(t->lib);
    say_ran(t->row, "default");
    t->row->shape = (struct row_shape){ 0, 0 };
    library_unlock(t->lib);
    return 0;
}

int call_dispatch_end(struct call_dispatch *t, int rc)
{
    if (!t->lib) {
        counted_end(t->why, t->asked->is_large ? FORM_PLAIN_C : FORM_PLAIN,
                    (enum counted_kind)t->asked->which, t->entered_ns, NULL);
        return rc;
    }
    const int64_t ended_ns = clock_now();
    library_lock(t->lib);
    row_record(t->row, t->asked->site, t->entered_ns, ended_ns - t->asking_ns);
    seen_add_event(&t->lib->rows, t->row, t->entered_ns, ended_ns - t->asking_ns);
    t->all_ns = t->lib->in_calls_ns += ended_ns - t->asking_ns - t->entered_ns;
    library_unlock(t->lib);
    if (t->is_tuned && rc == MPI_SUCCESS && !t->group->is_broken)
        end_star(t, ended_ns);
    return rc;
}
