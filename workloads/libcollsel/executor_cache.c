/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/executor_cache.h"

#include <unistd.h>

struct executor_cache {
    const struct choice *choice;
    enum call_args_which which;
    uint64_t bytes, element_bytes;
    int root, ordered, inexact, in_place;
    uint64_t *borders; /* where blocks differ */
    struct execute_reduce reduce;
    struct executor *executor;
    uint64_t used;          /* when it last was */
    char name[CHOICE_NAME]; /* of what runs */
    int is_itself;          /* the choice runs */
};

int executor_cache_ordered(const struct call_args *a)
{
    int commutes = 1;
    if (call_args_combines(a))
        PMPI_Op_commutative(a->op, &commutes);
    return !commutes;
}

/* Whole numbers, of which a sum is the same in any order. */
static int is_whole(MPI_Datatype type)
{
    const MPI_Datatype whole[] = {
        MPI_INT,           MPI_LONG,           MPI_LONG_LONG_INT, MPI_UNSIGNED,
        MPI_UNSIGNED_LONG, MPI_INT64_T,        MPI_UINT64_T,      MPI_INT32_T,
        MPI_UINT32_T,      MPI_INT16_T,        MPI_UINT16_T,      MPI_INT8_T,
        MPI_UINT8_T,       MPI_SHORT,          MPI_SIGNED_CHAR,   MPI_UNSIGNED_LONG_LONG,
        MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_AINT,          MPI_OFFSET,
        MPI_COUNT,         MPI_INTEGER,
    };
    return any_below(i, sizeof whole / sizeof *whole, type == whole[i]);
}

int executor_cache_inexact(const struct call_args *a)
{
    const MPI_Op exact[] = { MPI_MAX,  MPI_MIN, MPI_LAND, MPI_LOR,    MPI_LXOR,
                             MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC };
    if (!call_args_combines(a))
        return 0;
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (a->op == exact[i])
            return 0;
    return (a->op != MPI_SUM && a->op != MPI_PROD) || !is_whole(a->recv_type);
}

static int names_sizes(const struct call_args *a)
{
    return a->which == CALL_ARGS_ALLGATHERV || a->which == CALL_ARGS_REDUCE_SCATTER;
}

/* Borders of the blocks in elements, to be freed; NULL: all blocks are alike. */
static uint64_t *borders_of(const struct call_args *a, int procs, uint64_t element_bytes,
                            uint64_t *most)
{
    int size = 1, differ = 0;
    if (!names_sizes(a))
        return NULL;
    if (!call_args_combines(a))
        PMPI_Type_size(a->recv_type, &size);
    const enum blocks_by by = call_args_combines(a) ? BLOCKS_OF_TAKER : BLOCKS_OF_GIVER;
    uint64_t *sizes = memory_zeros((size_t)procs, sizeof *sizes);
    uint64_t *borders = memory_zeros(blocks_borders(by, procs), sizeof *borders);
    for (int i = 0; i < procs; i++) {
        sizes[i] = (uint64_t)a->recv_counts[i] * (uint64_t)size;
        differ |= sizes[i] != sizes[0];
    }
    *most = blocks_list(by, procs, sizes, borders);
    free(sizes);
    if (differ)
        return borders;
    free(borders);
    *most = (*most / (uint64_t)procs) * element_bytes;
    return NULL;
}

/* bytes: of a rank; where the call names sizes it is taken from them. */
static int make_schedule(const struct executor_cache_place *place, const struct call_args *a,
                         const struct choice *choice, uint64_t bytes, uint64_t element_bytes,
                         const uint64_t *borders, struct schedule *s, struct err *err)
{
    const struct schedule_arguments arguments = { .procs = place->procs,
                                                  .root = call_args_is_rooted(a) ? a->root : 0,
                                                  .bytes = bytes,
                                                  .segment_bytes = choice->segment_bytes,
                                                  .fanout = choice->fanout,
                                                  .element_bytes = element_bytes,
                                                  .ordered = executor_cache_ordered(a),
                                                  .inexact = executor_cache_inexact(a),
                                                  .sizes = borders ? SIZES_LISTED : SIZES_EQUAL,
                                                  .borders = borders,
                                                  .seats = place->seats,
                                                  .levels = choice_levels(choice) };
    return schedule_make(s, choice->alg, &arguments, err);
}

/* What a schedule takes for the size of a rank's message. */
static uint64_t message_of(const struct call_args *a, int procs, uint64_t bytes,
                           uint64_t element_bytes, uint64_t **borders)
{
    uint64_t most = 0;
    const uint64_t p = (uint64_t)procs;
    *borders = borders_of(a, procs, element_bytes, &most);
    if (*borders)
        return (most / p + (most % p != 0)) * element_bytes;
    if (names_sizes(a))
        return most;
    if (!call_args_combines(a))
        return bytes;
    return (uint64_t)a->recv_count * element_bytes;
}

uint64_t executor_cache_message(const struct call_args *a, int procs, uint64_t bytes,
                                uint64_t element_bytes)
{
    uint64_t *borders;
    const uint64_t message = message_of(a, procs, bytes, element_bytes, &borders);
    free(borders);
    return message;
}

static void free_one(struct executor_cache *p)
{
    executor_free(p->executor);
    memory_free(p->borders, p);
}

static int same_borders(const uint64_t *a, const uint64_t *b, int procs)
{
    return a == b || (a && b && memcmp(a, b, ((size_t)procs + 1) * sizeof *a) == 0);
}

static int is_like(const struct executor_cache *p, const struct executor_cache *q, int procs)
{
    return p->choice == q->choice && p->which == q->which && p->bytes == q->bytes &&
           p->element_bytes == q->element_bytes && p->root == q->root && p->ordered == q->ordered &&
           p->inexact == q->inexact && p->in_place == q->in_place &&
           same_borders(p->borders, q->borders, procs);
}

static struct executor_cache **oldest(struct executor_cache_set *set)
{
    struct executor_cache **found = &set->v[0];
    for (int i = 1; i < set->n; i++)
        if (set->v[i]->used < (*found)->used)
            found = &set->v[i];
    return found;
}

static struct executor_cache *keep(struct executor_cache_set *set,
                                   const struct executor_cache *like)
{
    struct executor_cache **place = set->n < EXECUTOR_CACHE_MOST ? &set->v[set->n] : oldest(set);
    if (set->n == EXECUTOR_CACHE_MOST) {
        free_one(*place);
        set->evicted++;
    } else {
        set->n++;
    }
    *place = memory_zeros(1, sizeof **place);
    **place = *like;
    return *place;
}

static void give_up(const struct executor_cache_place *place, const char *why)
{
    fprintf(stderr, "collsel: rank %d of %d: %s\n", place->rank, place->procs, why);
    PMPI_Abort(place->work, EXIT_FAILED);
    _exit(EXIT_FAILED); /* as in wrappers.c */
}

static void lay_out(struct executor_cache *p, const struct executor_cache_place *place,
                    const struct call_args *a, const struct execute_buffers *buffers)
{
    struct schedule s;
    struct err err = { 0 };
    if (make_schedule(place, a, p->choice, p->bytes, p->element_bytes, p->borders, &s, &err) == 0)
        p->executor = executor_new(&s, place->work, buffers, &p->reduce, &err);
    if (!p->executor)
        give_up(place, err.text);
}

/* Also where the schedule of another algorithm runs, as this one cannot. */
static void name_ran(struct executor_cache *p, const struct schedule *s)
{
    static const char ours[] = "portable:";
    p->is_itself = s->alg == s->asked;
    if (p->is_itself && strncmp(p->choice->name, ours, sizeof ours - 1) == 0)
        snprintf(p->name, sizeof p->name, "%s", p->choice->name);
    else
        snprintf(p->name, sizeof p->name, "%s%.80s", ours, s->alg->name);
}

const char *executor_cache_name(const struct executor_cache *p)
{
    return p->name;
}

int executor_cache_is_itself(const struct executor_cache *p)
{
    return p->is_itself;
}

void executor_cache_use(struct executor_cache_set *set, struct executor_cache *p)
{
    p->used = ++set->clock;
}

struct executor_cache *executor_cache_ready(struct executor_cache_set *set,
                                            const struct executor_cache_place *place,
                                            const struct call_args *a, const struct choice *choice,
                                            uint64_t bytes, uint64_t element_bytes, int in_place,
                                            struct err *err)
{
    struct executor_cache like = { .choice = choice,
                                   .which = a->which,
                                   .element_bytes = element_bytes,
                                   .root = call_args_is_rooted(a) ? a->root : 0,
                                   .ordered = executor_cache_ordered(a),
                                   .inexact = executor_cache_inexact(a),
                                   .in_place = in_place };
    struct schedule s;
    struct executor_cache *p = NULL;
    like.bytes = message_of(a, place->procs, bytes, element_bytes, &like.borders);
    for (int i = 0; i < set->n && !p; i++)
        if (is_like(set->v[i], &like, place->procs))
            p = set->v[i];
    if (!p &&
        make_schedule(place, a, choice, like.bytes, element_bytes, like.borders, &s, err) == 0)
        p = keep(set, &like);
    else
        free(like.borders);
    if (p && !*p->name)
        name_ran(p, &s);
    if (p)
        executor_cache_use(set, p);
    return p;
}

int executor_cache_run(struct executor_cache *p, const struct executor_cache_place *place,
                       const struct call_args *a, const struct execute_buffers *buffers)
{
    p->reduce = (struct execute_reduce){ .type = a->recv_type,
                                         .op = a->op,
                                         .element_bytes = (size_t)p->element_bytes };
    if (p->executor)
        executor_place(p->executor, buffers->at);
    else
        lay_out(p, place, a, buffers);
    return executor_run(p->executor);
}

void executor_cache_clear(struct executor_cache_set *set)
{
    for (int i = 0; i < set->n; i++)
        free_one(set->v[i]);
    *set = (struct executor_cache_set){ .n = 0 };
}
