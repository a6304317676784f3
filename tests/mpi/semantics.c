/* SPDX-License-Identifier: BSD-3-Clause */
/* semantics.c - every algorithm of the table against the library's own result: predefined types
 * with the operations that the library takes for them, users' operations that commute and that do
 * not, in place and not, blocks that differ, counts of 0, 1 and fewer than ranks, on the whole
 * team, on a part of it and in reverse order. What is not handled has to be declined with a reason;
 * the reasons are counted.
 *
 * Ranks sit as one of several machines would have them, whatever the real one: that is for
 * combinations and for algorithms that know the topology. A combination of which no case ran fails,
 * where groups of its levels can be had.
 *
 * Values are such that every order of combining gives the same bits. TAP on rank 0. Arguments are
 * process counts; "all": every algorithm tries every type and operation, else a spread; any other
 * word: algorithms alone that have it in their names. */
#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "harness/base/number.h"
#include "tests/tap.h"
#include "workloads/measure/call.h"
#include "workloads/execute/execute.h"
#include "workloads/measure/team.h"

enum { MOST_RANKS = 16, MOST_COUNT = 40, MOST_ELEMENT = 32, MOST_TYPES = 72, SPREAD = 17 };
enum { MOST_OPERATIONS = 12, MOST_REASONS = 24, MOST_WORDS = 4 };
enum { ROOM = 2 * MOST_RANKS * MOST_COUNT * MOST_ELEMENT };

/* ---- types ---- */

struct kind {
    const char *name;
    MPI_Datatype type;
    size_t bytes; /* from one element to the next */
    void (*put)(void *at, int value, int i);
    char of; /* its kind in the standard's table of operations: integer I (of Fortran N), F, C,
                   L, B, pair P; 0: none */
};

#define PLAIN(id, ctype)                                                                           \
    static void put_##id(void *at, int value, int i)                                               \
    {                                                                                              \
        ctype x = (ctype)value;                                                                    \
        (void)i;                                                                                   \
        memcpy(at, &x, sizeof x);                                                                  \
    }
#define PAIR(id, ctype, itype)                                                                     \
    struct pair_##id {                                                                             \
        ctype value;                                                                               \
        itype at;                                                                                  \
    };                                                                                             \
    static void put_##id(void *at, int value, int i)                                               \
    {                                                                                              \
        struct pair_##id *x = at;                                                                  \
        x->value = (ctype)value;                                                                   \
        x->at = (itype)i;                                                                          \
    }

PLAIN(schar, signed char)
PLAIN(short, short)
PLAIN(int, int)
PLAIN(long, long)
PLAIN(float, float)
PLAIN(double, double)
PLAIN(ldouble, long double)
PLAIN(bool, bool)
PLAIN(wchar, wchar_t)
PLAIN(cfloat, float complex)
PLAIN(cdouble, double complex)
PLAIN(cldouble, long double complex)
PAIR(floatint, float, int)
PAIR(doubleint, double, int)
PAIR(longint, long, int)
PAIR(intint, int, int)
PAIR(shortint, short, int)
PAIR(ldoubleint, long double, int)
PAIR(floatfloat, float, float)
PAIR(doubledouble, double, double)

/* Whether the library has a type: one that it was built without has no bytes. */
static int is_here(const struct kind *kind)
{
    int size = 0;
    return kind->type != MPI_DATATYPE_NULL && MPI_Type_size(kind->type, &size) == MPI_SUCCESS &&
           size > 0;
}

/* Of a real and a complex number of 16 and 32 bytes the library may have another idea than long
 * double's: what is given is then a very small number, of which sums, products and the larger are
 * exact, too. */
static size_t kinds_of(struct kind kinds[MOST_TYPES], int tells)
{
    const struct kind all[] = {
        { "byte", MPI_BYTE, 1, put_schar, 'B' },
        { "char", MPI_CHAR, 1, put_schar, 0 },
        { "signed_char", MPI_SIGNED_CHAR, 1, put_schar, 'I' },
        { "unsigned_char", MPI_UNSIGNED_CHAR, 1, put_schar, 'I' },
        { "short", MPI_SHORT, sizeof(short), put_short, 'I' },
        { "unsigned_short", MPI_UNSIGNED_SHORT, sizeof(short), put_short, 'I' },
        { "int", MPI_INT, sizeof(int), put_int, 'I' },
        { "unsigned", MPI_UNSIGNED, sizeof(int), put_int, 'I' },
        { "long", MPI_LONG, sizeof(long), put_long, 'I' },
        { "unsigned_long", MPI_UNSIGNED_LONG, sizeof(long), put_long, 'I' },
        { "long_long", MPI_LONG_LONG, sizeof(long), put_long, 'I' },
        { "unsigned_long_long", MPI_UNSIGNED_LONG_LONG, sizeof(long), put_long, 'I' },
        { "int8_t", MPI_INT8_T, 1, put_schar, 'I' },
        { "int16_t", MPI_INT16_T, 2, put_short, 'I' },
        { "int32_t", MPI_INT32_T, 4, put_int, 'I' },
        { "int64_t", MPI_INT64_T, 8, put_long, 'I' },
        { "uint8_t", MPI_UINT8_T, 1, put_schar, 'I' },
        { "uint16_t", MPI_UINT16_T, 2, put_short, 'I' },
        { "uint32_t", MPI_UINT32_T, 4, put_int, 'I' },
        { "uint64_t", MPI_UINT64_T, 8, put_long, 'I' },
        { "aint", MPI_AINT, sizeof(MPI_Aint), put_long, 'N' },
        { "offset", MPI_OFFSET, sizeof(MPI_Offset), put_long, 'N' },
        { "count", MPI_COUNT, sizeof(MPI_Count), put_long, 'N' },
        { "c_bool", MPI_C_BOOL, sizeof(bool), put_bool, 'L' },
        { "float", MPI_FLOAT, sizeof(float), put_float, 'F' },
        { "double", MPI_DOUBLE, sizeof(double), put_double, 'F' },
        { "long_double", MPI_LONG_DOUBLE, sizeof(long double), put_ldouble, 'F' },
        { "c_float_complex", MPI_C_FLOAT_COMPLEX, sizeof(float complex), put_cfloat, 'C' },
        { "c_double_complex", MPI_C_DOUBLE_COMPLEX, sizeof(double complex), put_cdouble, 'C' },
        { "c_long_double_complex", MPI_C_LONG_DOUBLE_COMPLEX, sizeof(long double complex),
          put_cldouble, 'C' },
        { "float_int", MPI_FLOAT_INT, sizeof(struct pair_floatint), put_floatint, 'P' },
        { "double_int", MPI_DOUBLE_INT, sizeof(struct pair_doubleint), put_doubleint, 'P' },
        { "long_int", MPI_LONG_INT, sizeof(struct pair_longint), put_longint, 'P' },
        { "2int", MPI_2INT, sizeof(struct pair_intint), put_intint, 'P' },
        { "short_int", MPI_SHORT_INT, sizeof(struct pair_shortint), put_shortint, 'P' },
        { "long_double_int", MPI_LONG_DOUBLE_INT, sizeof(struct pair_ldoubleint), put_ldoubleint,
          'P' },
        { "integer", MPI_INTEGER, sizeof(int), put_int, 'N' },
        { "logical", MPI_LOGICAL, sizeof(int), put_int, 'L' },
        { "real", MPI_REAL, sizeof(float), put_float, 'F' },
        { "double_precision", MPI_DOUBLE_PRECISION, sizeof(double), put_double, 'F' },
        { "complex", MPI_COMPLEX, sizeof(float complex), put_cfloat, 'C' },
        { "2integer", MPI_2INTEGER, sizeof(struct pair_intint), put_intint, 'P' },
        { "2real", MPI_2REAL, sizeof(struct pair_floatfloat), put_floatfloat, 'P' },
        { "2double_precision", MPI_2DOUBLE_PRECISION, sizeof(struct pair_doubledouble),
          put_doubledouble, 'P' },
        { "wchar", MPI_WCHAR, sizeof(wchar_t), put_wchar, 0 },
        { "packed", MPI_PACKED, 1, put_schar, 0 },
        { "character", MPI_CHARACTER, 1, put_schar, 0 },
        { "double_complex", MPI_DOUBLE_COMPLEX, sizeof(double complex), put_cdouble, 'C' },
        { "cxx_bool", MPI_CXX_BOOL, sizeof(bool), put_bool, 'L' },
        { "cxx_float_complex", MPI_CXX_FLOAT_COMPLEX, sizeof(float complex), put_cfloat, 'C' },
        { "cxx_double_complex", MPI_CXX_DOUBLE_COMPLEX, sizeof(double complex), put_cdouble, 'C' },
        { "cxx_long_double_complex", MPI_CXX_LONG_DOUBLE_COMPLEX, sizeof(long double complex),
          put_cldouble, 'C' },
#ifdef MPI_INTEGER8 /* a library may be built without Fortran */
        { "integer1", MPI_INTEGER1, 1, put_schar, 'N' },
        { "integer2", MPI_INTEGER2, 2, put_short, 'N' },
        { "integer4", MPI_INTEGER4, 4, put_int, 'N' },
        { "integer8", MPI_INTEGER8, 8, put_long, 'N' },
        { "real4", MPI_REAL4, 4, put_float, 'F' },
        { "real8", MPI_REAL8, 8, put_double, 'F' },
        { "complex8", MPI_COMPLEX8, 8, put_cfloat, 'C' },
        { "complex16", MPI_COMPLEX16, 16, put_cdouble, 'C' },
#endif
#ifdef MPI_REAL16
        { "real16", MPI_REAL16, sizeof(long double), put_ldouble, 'F' },
        { "complex32", MPI_COMPLEX32, sizeof(long double complex), put_cldouble, 'C' },
#endif
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (is_here(&all[i]))
            kinds[n++] = all[i];
        else if (tells)
            diag("%s is not tried: the library has no such type", all[i].name);
    return n;
}

/* ---- operations ---- */

struct operation {
    const char *name;
    MPI_Op op;
    int ordered;       /* it does not commute */
    const char *kinds; /* of types that it takes */
};

/* Users' own, on two unsigned: the larger ones; and one map x -> m x + c after another. */
static void larger(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const unsigned *a = in;
    unsigned *b = inout;
    (void)type;
    for (int i = 0; i < 2 * *n; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void composed(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const unsigned *a = in;
    unsigned *b = inout;
    (void)type;
    for (int i = 0; i < 2 * *n; i += 2) {
        b[i + 1] = a[i] * b[i + 1] + a[i + 1];
        b[i] = a[i] * b[i];
    }
}

static void put_map(void *at, int value, int i)
{
    unsigned x[2] = { 2 * (unsigned)value + 3, (unsigned)(7 * i + value) };
    memcpy(at, x, sizeof x);
}

/* ---- where ranks sit ---- */

/* Nodes of one to four ranks, some of two sockets; which nodes fill up is the mapping's. Eleven:
 * with none of the cycles of a case (try_case) has that a number in common. */
static const struct seating machines[] = {
    { .mapping = "core", .ppn = 2, .sockets = 2, .cores = 1, .network = { .group = { 2 } } },
    { .mapping = "node", .ppn = 2, .sockets = 2, .cores = 1, .network = { .group = { 2 } } },
    { .mapping = "socket", .ppn = 2, .sockets = 1, .cores = 2, .network = { .group = { 2 } } },
    { .mapping = "core", .ppn = 3, .sockets = 2, .cores = 2, .network = { .group = { 2 } } },
    { .mapping = "node", .ppn = 3, .sockets = 2, .cores = 2, .network = { .group = { 2 } } },
    { .mapping = "socket", .ppn = 3, .sockets = 2, .cores = 2, .network = { .group = { 2 } } },
    { .mapping = "core", .ppn = 4, .sockets = 2, .cores = 2, .network = { .group = { 2 } } },
    { .mapping = "node", .ppn = 4, .sockets = 2, .cores = 2, .network = { .group = { 2 } } },
    { .mapping = "socket", .ppn = 4, .sockets = 2, .cores = 2, .network = { .group = { 2 } } },
    { .mapping = "core", .ppn = 4, .sockets = 1, .cores = 4, .cache_cores = 2 },
    { .mapping = "core", .ppn = 1, .sockets = 1, .cores = 1 },
};
enum { N_MACHINES = sizeof machines / sizeof *machines };

static struct seating seats_of(const struct seating *machine, int procs)
{
    struct seating s = *machine;
    s.procs = procs;
    s.nodes = (procs + s.ppn - 1) / s.ppn;
    return s;
}

/* Combinations beside those that one tries first. */
static const char *const others[][2] = {
    { "bcast", "two_level.socket.knomial-k3.scatter_allgather" },
    { "bcast", "three_level.node.switch.basic_linear.binomial.bine" },
    { "reduce", "two_level.cache.knomial-k2.rabenseifner" },
    { "reduce", "three_level.chain.binomial.linear" },
    { "allreduce", "two_level.switch.chain.rabenseifner" },
    { "allreduce", "three_level.cache.socket.ring.binomial.circulant" },
    { "barrier", "three_level.cache.switch.tree.bruck.recursive_doubling" },
    { "allgather", "two_level.chain-k2.bruck" },
    { "gather", "two_level.basic_linear.knomial" },
    { "scatter", "two_level.bine.binomial" },
    { "reduce_scatter", "two_level.chain.butterfly" },
};

/* Whether some machine has the groups that a combination of procs ranks wants: blocks are moved by
 * groups of one size, and more than one member, on each level. */
static int has_groups(const struct algorithm *alg, int procs)
{
    const struct collective *c = algorithm_collective(alg);
    const int moves = c->send.amount == AMOUNT_EACH || c->recv.amount == AMOUNT_EACH;
    return !moves || procs_suffice(alg->levels == 2 ? TWO_FACTORS : THREE_FACTORS, procs);
}

/* ---- a case ---- */

struct work {
    const struct kind *kind;
    const struct operation *op; /* NULL: nothing is combined */
    const struct algorithm *alg;
    const char *levels; /* of a combination; NULL: of none */
    const struct seating *machine;
    int root, in_place, count, segment;
    enum block_sizes sizes;
};

struct memory {
    char *given, *native[N_BUFFERS], *ours[N_BUFFERS];
};

/* What rank `rank` gives at position i: products of sixteen ranks' values fit into a byte. */
static void fill(const struct work *w, int rank, char *at, size_t n)
{
    memset(at, 0, ROOM);
    for (size_t i = 0; i < n; i++) {
        const int draw =
            (int)(((unsigned)(rank + 1) * 2654435761u + (unsigned)i * 40503u) >> 13) & 7;
        const int is_product = w->op && strcmp(w->op->name, "prod") == 0;
        const int value = is_product ? 1 + (draw == 0 && rank % 3 == 0) : draw % 3;
        w->kind->put(at + i * w->kind->bytes, value, rank);
    }
}

/* MPI_IN_PLACE: who says it, and where what it gives is then. */
static int says_in_place(const struct work *w, const struct collective *c, int rank)
{
    return w->in_place && c->source != FROM_NOBODY && c->data.amount == AMOUNT_NONE &&
           (!c->rooted || rank == w->root);
}

/* Puts a rank's input where the call reads it, and wrong values into the result. */
static void lay_out(const struct work *w, const struct schedule *s, int rank, const char *given,
                    char *const at[N_BUFFERS])
{
    const struct collective *c = s->collective;
    const uint64_t send = schedule_buffer_bytes(s, BUF_SEND, rank);
    const int own = c->recv.amount == AMOUNT_EACH && c->send.amount == AMOUNT_ONE;
    memset(at[BUF_RECV], 0, ROOM); /* what is between the members of a pair is 0 everywhere */
    for (size_t i = 0; i < ROOM / w->kind->bytes; i++)
        w->kind->put(at[BUF_RECV] + i * w->kind->bytes, 5, 99);
    memcpy(at[BUF_SEND], given, ROOM);
    memcpy(at[BUF_DATA], given, ROOM);
    if (says_in_place(w, c, rank) && c->source != FROM_ROOT)
        memcpy(at[BUF_RECV] + (own ? schedule_got_at(s, rank, rank) : 0), given, send);
}

static int run_native(const struct work *w, const struct schedule *s, MPI_Comm comm, int rank,
                      char *const at[N_BUFFERS])
{
    const struct call_type type = { w->kind->type, w->op ? w->op->op : MPI_OP_NULL,
                                    w->kind->bytes };
    struct call_args args = { .buffers.at = { at[BUF_DATA], at[BUF_SEND], at[BUF_RECV] },
                              .bytes = s->bytes,
                              .blocks = &s->blocks,
                              .root = w->root,
                              .rank = rank,
                              .procs = s->procs,
                              .comm = comm,
                              .type = &type,
                              .in_place = says_in_place(w, s->collective, rank) };
    call_counts_init(&args, s->collective);
    const int rc = call_native(s->collective)(&args);
    call_counts_clear(&args);
    return rc;
}

static int run_ours(const struct work *w, const struct schedule *s, MPI_Comm comm, int rank,
                    char *const at[N_BUFFERS], struct err *err)
{
    const struct execute_buffers buffers = {
        .at = { at[BUF_DATA], at[BUF_SEND], at[BUF_RECV] },
        .in_place = says_in_place(w, s->collective, rank),
    };
    const struct execute_reduce reduce = { .type = w->kind->type,
                                           .op = w->op ? w->op->op : MPI_OP_NULL,
                                           .element_bytes = w->kind->bytes };
    struct executor *ex = executor_new(s, comm, &buffers, &reduce, err);
    const int rc = ex ? executor_run(ex) : MPI_ERR_OTHER;
    executor_free(ex);
    return rc;
}

/* What the call leaves; what is given has to be as it was. */
static int compare(const struct work *w, const struct schedule *s, int rank,
                   const struct memory *mem, struct err *err)
{
    const int scattered =
        says_in_place(w, s->collective, rank) && s->collective->source == FROM_ROOT;
    const uint64_t data = schedule_buffer_bytes(s, BUF_DATA, rank);
    uint64_t recv = scattered ? 0 : schedule_buffer_bytes(s, BUF_RECV, rank);
    if (s->collective->source == FROM_BEFORE && rank == 0)
        recv = 0; /* MPI promises nothing */
    if (memcmp(mem->native[BUF_DATA], mem->ours[BUF_DATA], data) != 0 ||
        memcmp(mem->native[BUF_RECV], mem->ours[BUF_RECV], recv) != 0)
        return err_set(err, "rank %d has another result than the library's", rank);
    if (memcmp(mem->native[BUF_SEND], mem->ours[BUF_SEND],
               schedule_buffer_bytes(s, BUF_SEND, rank)) != 0)
        return err_set(err, "rank %d has another input than before", rank);
    return 0;
}

/* Of sixteen bytes of a long double ten count. */
static void clear_padding(const struct work *w, char *const at[N_BUFFERS])
{
    enum { HELD = 10, SIZE = sizeof(long double) };
    if (w->kind->put == put_ldouble || w->kind->put == put_cldouble)
        for (int buf = 0; buf < BUF_TEMP; buf++)
            for (size_t i = 0; i < ROOM / SIZE; i++)
                memset(at[buf] + i * SIZE + HELD, 0, SIZE - HELD);
}

/* 1: the case was declined. */
static int run_case(const struct work *w, MPI_Comm comm, const struct memory *mem, struct err *err)
{
    int rank, procs;
    struct schedule s;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &procs);
    const struct schedule_arguments a = { .procs = procs,
                                          .root = w->root,
                                          .bytes = (uint64_t)w->count * w->kind->bytes,
                                          .segment_bytes = (uint64_t)w->segment,
                                          .element_bytes = w->kind->bytes,
                                          .ordered = w->op && w->op->ordered,
                                          .sizes = w->sizes,
                                          .seed = (uint64_t)w->count,
                                          .seats = seats_of(w->machine, procs),
                                          .levels = w->levels };
    if (schedule_make(&s, w->alg, &a, err) < 0)
        return w->alg->unfit || (a.ordered && !w->alg->in_order) ? 1 : -1;
    fill(w, rank, mem->given,
         schedule_buffer_bytes(&s, BUF_SEND, rank) / w->kind->bytes +
             (s.collective->data.amount ? (size_t)w->count : 0));
    lay_out(w, &s, rank, mem->given, mem->native);
    lay_out(w, &s, rank, mem->given, mem->ours);
    if (run_native(w, &s, comm, rank, mem->native) != MPI_SUCCESS)
        return err_set(err, "rank %d: the library's call fails", rank);
    if (run_ours(w, &s, comm, rank, mem->ours, err) != MPI_SUCCESS)
        return err_set(err, "rank %d: the schedule fails", rank);
    clear_padding(w, mem->native);
    clear_padding(w, mem->ours);
    return compare(w, &s, rank, mem, err);
}

/* ---- all cases ---- */

struct reason {
    char why[128];
    long times;
};

struct suite {
    struct kind kinds[MOST_TYPES], map;
    size_t n_kinds;
    struct operation ops[MOST_OPERATIONS], own[2];
    int taken[MOST_TYPES][MOST_OPERATIONS]; /* the standard has it, and so has the library */
    struct reason reasons[MOST_REASONS];    /* for which cases were declined */
    int all, tried;
    const char *words[MOST_WORDS + 1]; /* of algorithms' names; ends with NULL */
    MPI_Comm comms[3];                 /* of the team: all, every other one, all in reverse order */
    const struct team *team;
    struct memory mem;
};

struct tally {
    int cases, declined;
};

/* What the error says behind the algorithm's name. */
static void note_declined(struct suite *t, const struct err *err)
{
    const char *colon = strstr(err->text, ": "), *why = colon ? colon + 2 : err->text;
    int i = 0;
    while (i + 1 < MOST_REASONS && t->reasons[i].times && strcmp(t->reasons[i].why, why) != 0)
        i++;
    snprintf(t->reasons[i].why, sizeof t->reasons[i].why, "%.120s", why);
    t->reasons[i].times++;
}

static void tell_declined(const struct suite *t)
{
    for (int i = 0; i < MOST_REASONS && t->reasons[i].times; i++)
        diag("declined %ld times: %s", t->reasons[i].times, t->reasons[i].why);
}

/* The i-th case; every rank of the team has the same outcome. */
static int try_case(struct suite *t, struct work w, int i, struct tally *tally, struct err *err)
{
    static const int counts[] = { 5, 1, 0, 40, 17 };
    const MPI_Comm comm = t->comms[i % 3];
    int procs = 1, status = 0;
    w.machine = &machines[i % N_MACHINES];
    w.count = counts[i % 5];
    w.in_place = i / 5 % 2;
    w.segment = i % 2 ? (int)w.kind->bytes * 4 : 0;
    if (w.in_place && w.sizes != SIZES_EQUAL && algorithm_collective(w.alg)->name[0] == 'a')
        w.in_place = strcmp(algorithm_collective(w.alg)->name, "alltoallv") !=
                     0; /* sizes to and fro differ */
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_size(comm, &procs);
        w.root = i % procs;
        status = run_case(&w, comm, &t->mem, err);
    }
    tally->cases++;
    tally->declined += status > 0;
    if (status > 0)
        note_declined(t, err);
    if (team_agree(t->team, status < 0 ? -1 : 0, err) == 0)
        return 0;
    return err_prefix(err, "%s%s%s, count %d, %s, %s blocks, root %d of %d, nodes of %d by %s",
                      w.kind->name, w.op ? " " : "", w.op ? w.op->name : "", w.count,
                      w.in_place ? "in place" : "not in place", block_sizes_words[w.sizes], w.root,
                      procs, w.machine->ppn, w.machine->mapping);
}

static int try_operations(struct suite *t, struct work w, int offset, struct tally *tally,
                          struct err *err)
{
    int i = offset;
    for (size_t k = 0; k < t->n_kinds; k++)
        for (size_t o = 0; o < MOST_OPERATIONS; o++) {
            w.kind = &t->kinds[k];
            w.op = &t->ops[o];
            if ((t->all || i % SPREAD == 0) && t->taken[k][o] &&
                try_case(t, w, i / (t->all ? 1 : SPREAD), tally, err) < 0)
                return -1;
            i++;
        }
    for (int k = 0; k < 20; k++) {
        w.kind = &t->map;
        w.op = &t->own[k / 10];
        if (try_case(t, w, k, tally, err) < 0)
            return -1;
    }
    return 0;
}

static int try_types(struct suite *t, struct work w, int offset, struct tally *tally,
                     struct err *err)
{
    for (size_t k = 0; k < t->n_kinds; k++)
        for (int i = 0; i < (t->all ? 10 : 1); i++) {
            w.kind = &t->kinds[k];
            if (try_case(t, w, (int)k + i + offset, tally, err) < 0)
                return -1;
        }
    return 0;
}

static int try_algorithm(struct suite *t, const struct algorithm *alg, const char *levels,
                         struct tally *tally, struct err *err)
{
    const struct collective *c = algorithm_collective(alg);
    const int offset = t->tried++ + t->team->procs;
    struct work w = { .alg = alg, .levels = levels };
    for (w.sizes = SIZES_EQUAL; w.sizes < (c->uneven ? N_SIZES : 1); w.sizes++)
        if ((c->combines ? try_operations(t, w, offset, tally, err)
                         : try_types(t, w, offset, tally, err)) < 0)
            return -1;
    return 0;
}

static void claim(struct suite *t, const struct algorithm *alg, const char *levels)
{
    struct err err = { 0 };
    struct tally tally = { 0 };
    const int procs = t->team->procs, status = try_algorithm(t, alg, levels, &tally, &err);
    const int ran = tally.cases - tally.declined;
    if (t->team->rank == 0 &&
        !ok(status == 0 && (ran || !levels || !has_groups(alg, procs)),
            "%s %s%s%s, P = %d: the library's result in %d cases, %d declined",
            algorithm_collective(alg)->name, alg->name, levels ? "." : "", levels ? levels : "",
            procs, ran, tally.declined))
        diag("%s", status == 0 ? "no case ran" : err.text);
}

/* A row of the table: itself, or what it combines. */
static void claim_row(struct suite *t, const struct algorithm *alg)
{
    if (!alg->combine)
        claim(t, alg, NULL);
    for (size_t k = 0; alg->usual && alg->usual[k]; k++)
        claim(t, alg, alg->usual[k]);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (algorithm_find(others[k][0], others[k][1]) == alg)
            claim(t, alg, algorithm_levels(others[k][1]));
}

static int is_asked(const struct suite *t, const struct algorithm *alg)
{
    for (const char *const *word = t->words; *word; word++)
        if (strstr(alg->name, *word))
            return 1;
    return !*t->words;
}

static void make_operations(struct suite *t)
{
    const struct operation ops[MOST_OPERATIONS] = {
        { "max", MPI_MAX, 0, "IFN" },     { "min", MPI_MIN, 0, "IFN" },
        { "sum", MPI_SUM, 0, "IFCN" },    { "prod", MPI_PROD, 0, "IFCN" },
        { "land", MPI_LAND, 0, "IL" },    { "lor", MPI_LOR, 0, "IL" },
        { "lxor", MPI_LXOR, 0, "IL" },    { "band", MPI_BAND, 0, "IBN" },
        { "bor", MPI_BOR, 0, "IBN" },     { "bxor", MPI_BXOR, 0, "IBN" },
        { "maxloc", MPI_MAXLOC, 0, "P" }, { "minloc", MPI_MINLOC, 0, "P" },
    };
    memcpy(t->ops, ops, sizeof ops);
    t->own[0] = (struct operation){ "a user's", MPI_OP_NULL, 0, "" };
    t->own[1] = (struct operation){ "a user's that does not commute", MPI_OP_NULL, 1, "" };
    MPI_Op_create(larger, 1, &t->own[0].op);
    MPI_Op_create(composed, 0, &t->own[1].op);
    t->map = (struct kind){ "two unsigned", MPI_DATATYPE_NULL, 2 * sizeof(unsigned), put_map, 0 };
    MPI_Type_contiguous(2, MPI_UNSIGNED, &t->map.type);
    MPI_Type_commit(&t->map.type);
}

/* Which operations the library takes of those that the standard has for a type. */
static void learn_operations(struct suite *t, int tells)
{
    for (size_t k = 0; k < t->n_kinds; k++)
        for (size_t o = 0; o < MOST_OPERATIONS; o++) {
            const struct kind *kind = &t->kinds[k];
            char in[MOST_ELEMENT] = { 0 }, inout[MOST_ELEMENT] = { 0 };
            kind->put(in, 1, 0);
            kind->put(inout, 1, 0);
            if (!kind->of || !strchr(t->ops[o].kinds, kind->of))
                continue;
            t->taken[k][o] =
                MPI_Reduce_local(in, inout, 1, kind->type, t->ops[o].op) == MPI_SUCCESS;
            if (!t->taken[k][o] && tells)
                diag("%s of %s is not tried: the library refuses it", t->ops[o].name, kind->name);
        }
}

/* The types and operations that are here; asking for others must not end the program. */
static void learn_types(struct suite *t, int tells)
{
    const MPI_Comm comms[] = { MPI_COMM_WORLD, MPI_COMM_SELF };
    for (int i = 0; i < 2; i++)
        MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
    t->n_kinds = kinds_of(t->kinds, tells);
    make_operations(t);
    learn_operations(t, tells);
    for (int i = 0; i < 2; i++)
        MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_ARE_FATAL);
    if (tells)
        diag("%d types", (int)t->n_kinds);
}

static void run_team(struct suite *t, const struct team *team)
{
    t->team = team;
    t->tried = 0;
    t->comms[0] = team->work;
    MPI_Comm_split(team->work, team->rank % 2 ? MPI_UNDEFINED : 0, 0, &t->comms[1]);
    MPI_Comm_split(team->work, 0, -team->rank, &t->comms[2]);
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        if (is_asked(t, a))
            claim_row(t, a);
    if (team->rank == 0 && t->tried == 0)
        ok(0, "an algorithm has such a name");
    for (int i = 1; i < 3; i++)
        if (t->comms[i] != MPI_COMM_NULL)
            MPI_Comm_free(&t->comms[i]);
}

static void run_procs(struct suite *t, int procs)
{
    struct team team;
    struct err err = { 0 };
    if (team_init(&team, MPI_COMM_WORLD, procs, &err) < 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (team.rank >= 0)
        run_team(t, &team);
    team_clear(&team);
}

int main(int argc, char **argv)
{
    static struct suite t;
    int rank, ranks, words = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    learn_types(&t, rank == 0);
    t.mem.given = malloc(ROOM);
    for (int b = 0; b < BUF_TEMP; b++) {
        t.mem.native[b] = malloc(ROOM);
        t.mem.ours[b] = malloc(ROOM);
    }
    for (int i = 1; i < argc; i++) {
        int64_t procs = 0;
        if (strcmp(argv[i], "all") == 0)
            t.all = 1;
        else if (parse_i64(argv[i], &procs, NULL) < 0 && words < MOST_WORDS)
            t.words[words++] = argv[i];
        else if (procs >= 1 && procs <= ranks && procs <= MOST_RANKS)
            run_procs(&t, (int)procs);
        else
            MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (rank == 0)
        tell_declined(&t);
    const int status = rank == 0 ? tap_done() : 0;
    MPI_Op_free(&t.own[0].op);
    MPI_Op_free(&t.own[1].op);
    MPI_Type_free(&t.map.type);
    MPI_Finalize();
    return status;
}
