/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/schedule_call.h"

#include "harness/base/suggest.h"

/* What operations are for (MPI 4.0, section 6.9.2); a type is of one of these, a byte of BITS.
 * USUAL beside it: the Fortran compiler says how many bytes, and these are what all have unless
 * told. */
enum { INTEGER = 1, FLOATING = 2, LOGICAL = 4, COMPLEX = 8, BITS = 16, PAIR = 32, COUNTS = 64 };
enum { USUAL = 128 };

struct data_type {
    const char *name;
    int bytes; /* that are sent of an element */
    int kind;  /* 0: of no operation of MPI's */
};

/* MPI's names without MPI_, and their sizes where C's long has 8 bytes. Fortran's integers are not
 * for logical operations, as counts are not. */
static const struct data_type types[] = {
    { "byte", 1, BITS },
    { "packed", 1, 0 },
    { "char", 1, 0 },
    { "wchar", sizeof(int), 0 },
    { "signed_char", 1, INTEGER },
    { "unsigned_char", 1, INTEGER },
    { "short", sizeof(short), INTEGER },
    { "unsigned_short", sizeof(short), INTEGER },
    { "int", sizeof(int), INTEGER },
    { "unsigned", sizeof(int), INTEGER },
    { "long", sizeof(long), INTEGER },
    { "unsigned_long", sizeof(long), INTEGER },
    { "long_long", sizeof(long long), INTEGER },
    { "long_long_int", sizeof(long long), INTEGER },
    { "unsigned_long_long", sizeof(long long), INTEGER },
    { "int8_t", 1, INTEGER },
    { "int16_t", 2, INTEGER },
    { "int32_t", 4, INTEGER },
    { "int64_t", 8, INTEGER },
    { "uint8_t", 1, INTEGER },
    { "uint16_t", 2, INTEGER },
    { "uint32_t", 4, INTEGER },
    { "uint64_t", 8, INTEGER },
    { "aint", sizeof(long), COUNTS },
    { "offset", sizeof(long long), COUNTS },
    { "count", sizeof(long long), COUNTS },
    { "float", sizeof(float), FLOATING },
    { "double", sizeof(double), FLOATING },
    { "long_double", sizeof(long double), FLOATING },
    { "c_bool", 1, LOGICAL },
    { "c_complex", 2 * sizeof(float), COMPLEX },
    { "c_float_complex", 2 * sizeof(float), COMPLEX },
    { "c_double_complex", 2 * sizeof(double), COMPLEX },
    { "c_long_double_complex", 2 * sizeof(long double), COMPLEX },
    { "cxx_bool", 1, LOGICAL },
    { "cxx_float_complex", 2 * sizeof(float), COMPLEX },
    { "cxx_double_complex", 2 * sizeof(double), COMPLEX },
    { "cxx_long_double_complex", 2 * sizeof(long double), COMPLEX },
    { "character", 1, 0 },
    { "integer", 4, COUNTS | USUAL },
    { "integer1", 1, COUNTS },
    { "integer2", 2, COUNTS },
    { "integer4", 4, COUNTS },
    { "integer8", 8, COUNTS },
    { "integer16", 16, COUNTS },
    { "logical", 4, LOGICAL | USUAL },
    { "real", 4, FLOATING | USUAL },
    { "real2", 2, FLOATING },
    { "real4", 4, FLOATING },
    { "real8", 8, FLOATING },
    { "real16", 16, FLOATING },
    { "double_precision", 8, FLOATING | USUAL },
    { "complex", 8, COMPLEX | USUAL },
    { "complex4", 4, COMPLEX },
    { "complex8", 8, COMPLEX },
    { "complex16", 16, COMPLEX },
    { "complex32", 32, COMPLEX },
    { "double_complex", 16, COMPLEX | USUAL },
    { "2integer", 8, PAIR | USUAL },
    { "2real", 8, PAIR | USUAL },
    { "2double_precision", 16, PAIR | USUAL },
    { "float_int", sizeof(float) + sizeof(int), PAIR },
    { "double_int", sizeof(double) + sizeof(int), PAIR },
    { "long_int", sizeof(long) + sizeof(int), PAIR },
    { "2int", 2 * sizeof(int), PAIR },
    { "short_int", sizeof(short) + sizeof(int), PAIR },
    { "long_double_int", sizeof(long double) + sizeof(int), PAIR },
};

static const struct {
    const char *name;
    int kinds;   /* of the types that it is for; 0: of any, as the user's own are */
    int ordered; /* it does not commute */
    int rounds;  /* of floating-point numbers it is rounded */
} operations[] = {
    { "max", INTEGER | FLOATING | COUNTS, 0, 0 },
    { "min", INTEGER | FLOATING | COUNTS, 0, 0 },
    { "sum", INTEGER | FLOATING | COUNTS | COMPLEX, 0, 1 },
    { "prod", INTEGER | FLOATING | COUNTS | COMPLEX, 0, 1 },
    { "land", INTEGER | LOGICAL, 0, 0 },
    { "lor", INTEGER | LOGICAL, 0, 0 },
    { "lxor", INTEGER | LOGICAL, 0, 0 },
    { "band", INTEGER | BITS | COUNTS, 0, 0 },
    { "bor", INTEGER | BITS | COUNTS, 0, 0 },
    { "bxor", INTEGER | BITS | COUNTS, 0, 0 },
    { "maxloc", PAIR, 0, 0 },
    { "minloc", PAIR, 0, 0 },
    { "user", 0, 0, 0 },
    { "user_ordered", 0, 1, 0 },
};

static const struct data_type *find_type(const char *name)
{
    return find_below(types, i, sizeof types / sizeof *types, strcmp(types[i].name, name) == 0);
}

static int take_operation(const struct call_words *words, const struct data_type *type,
                          const struct collective *c, struct schedule_arguments *a, struct err *err)
{
    if (!words->op)
        return 0;
    if (!c->combines)
        return err_usage(err, "--op: '%s' combines nothing", c->name);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(operations[i].name, words->op) != 0)
            continue;
        if (operations[i].kinds && !(operations[i].kinds & type->kind))
            return err_usage(err, "--op: MPI has no '%s' of '%s'%s", words->op, type->name,
                             words->type ? "" : " (--type says of what)");
        a->ordered = operations[i].ordered;
        a->users = operations[i].kinds == 0;
        a->inexact = a->users || (operations[i].rounds && (type->kind & (FLOATING | COMPLEX)) != 0);
        return 0;
    }
    return err_usage(err,
                     "--op: '%s' is not an operation (want MPI's name in lower case without MPI_, "
                     "as sum; user, or user_ordered: one of your own that does not commute)",
                     words->op);
}

static int refuse_type(const char *name, struct err *err)
{
    struct suggest m;
    err_usage(err,
              "--type: '%s' is not a data type (want MPI's name in lower case without MPI_, as "
              "double)",
              name);
    suggest_init(&m, name);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        suggest_try(&m, types[i].name);
    return suggest_add(&m, err);
}

static int take_type(const struct call_words *words, const struct data_type **type,
                     struct schedule_arguments *a, struct err *err)
{
    *type = find_type(words->type ? words->type : "byte");
    if (!*type)
        return refuse_type(words->type, err);
    a->element_bytes = (uint64_t)(*type)->bytes;
    return 0;
}

/* Reads "8,0,16K" into n sizes in elements. */
static int read_sizes(const char *text, uint64_t element, uint64_t *sizes, size_t n,
                      struct err *err)
{
    const uint64_t most = UINT64_C(1) << 40;
    size_t i = 0;
    for (const char *at = text; at; i++) {
        const size_t len = strcspn(at, ",");
        char word[32];
        uint64_t bytes;
        snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1), at);
        if (parse_bytes(word, &bytes, NULL) < 0)
            return err_usage(
                err, "--sizes: '%s' is not a size (want digits, then nothing, K, M, G or T)", word);
        if (bytes % element || bytes > most)
            return err_usage(err,
                             "--sizes: '%s' (want whole elements of %llu bytes, 1 TiB at most)",
                             word, (unsigned long long)element);
        if (i < n)
            sizes[i] = bytes / element;
        at = at[len] ? at + len + 1 : NULL;
    }
    return i == n ? 0 : err_usage(err, "--sizes: %zu sizes (want %zu)", i, n);
}

static int list_sizes(const char *text, const struct collective *c, struct schedule_arguments *a,
                      struct err *err)
{
    const enum blocks_by by = collective_blocks(c, a->procs, 0, 1).by;
    const size_t n = blocks_listed(by, a->procs);
    if (n > strlen(text)) /* a size has a digit at least: no memory for more than are there */
        return err_usage(err, "--sizes: fewer sizes than there are blocks (want %zu)", n);
    uint64_t *sizes = memory_zeros(n, sizeof *sizes);
    uint64_t *borders = memory_zeros(blocks_borders(by, a->procs), sizeof *borders);
    if (read_sizes(text, a->element_bytes, sizes, n, err) < 0) {
        memory_free(sizes, borders);
        return -1;
    }
    const uint64_t most = blocks_list(by, a->procs, sizes, borders), procs = (uint64_t)a->procs;
    a->bytes = (most / procs + (most % procs != 0)) * a->element_bytes;
    a->sizes = SIZES_LISTED;
    a->borders = borders;
    free(sizes);
    return 0;
}

/* One of the ways in which a launch checks them, or a list. */
static int take_sizes(const struct call_words *words, const struct collective *c,
                      struct schedule_arguments *a, struct err *err)
{
    if (!words->sizes)
        return 0;
    if (!c->uneven)
        return err_usage(err, "--sizes: the blocks of '%s' are all of one size", c->name);
    for (int i = 0; i < N_SIZES; i++)
        if (strcmp(block_sizes_words[i], words->sizes) == 0) {
            if (a->bytes == 0)
                return err_usage(err, "--sizes: '%s' wants --bytes, their mean", words->sizes);
            a->sizes = (enum block_sizes)i;
            a->seed = 1;
            return 0;
        }
    if (strspn(words->sizes, "abcdefghijklmnopqrstuvwxyz_") == strlen(words->sizes))
        return err_usage(err,
                         "--sizes: '%s' is no list of sizes (want equal, random, zeros, one_large, "
                         "or sizes)",
                         words->sizes);
    if (a->bytes)
        return err_usage(err, "--sizes and --bytes together: the sizes say it all");
    return list_sizes(words->sizes, c, a, err);
}

void schedule_call_say(const struct call_words *words)
{
    const struct data_type *type = words->type ? find_type(words->type) : NULL;
    if (type && type->kind & USUAL)
        fprintf(stderr, "--type: %s has %d bytes, the default of Fortran compilers\n", type->name,
                type->bytes);
}

int schedule_call_take(const struct call_words *words, const struct collective *c,
                       struct schedule_arguments *a, struct err *err)
{
    const struct data_type *type;
    if (take_type(words, &type, a, err) < 0 || take_operation(words, type, c, a, err) < 0)
        return -1;
    return take_sizes(words, c, a, err);
}
