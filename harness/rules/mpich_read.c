/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich_read.c - MPICH's trees of conditions as JSON, of any of its levels (mpich_levels.h;
 * src/mpi/coll/src/csel.c). A tree is a chain of conditions, the first that holds counts, and there
 * is no way back from it; at its end stands an algorithm. The library checks next to nothing: what
 * it does not know ends the program, and an algorithm that cannot run is run all the same. */

#include "harness/rules/export.h"
#include "harness/rules/mpich_tree.h"
#include "workloads/schedules/collectives.h"

enum { PAGE = 4096 };

/* What an unpruned or pruned search knows of a call. */
struct walk {
    const struct rules *r;
    const struct rules_call *call;
    int pruned; /* 1: only conditions of the communicator so far */
    char at[PLACE];
};

/* ---- conditions ---- */

void mpich_squeeze(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (; *text && n + 1 < size; text++)
        if (!isspace((unsigned char)*text))
            out[n++] = *text;
    out[n] = '\0';
}

int mpich_is_below(const char *at, const char *condition)
{
    char place[PLACE];
    mpich_squeeze(at, place, sizeof place);
    return strstr(place, condition) != NULL;
}

int mpich_begins(const char *key, const char *with)
{
    return strncmp(key, with, strlen(with)) == 0;
}

/* As atoi reads what follows a sign. */
long mpich_number_of(const char *key)
{
    const char *at = strpbrk(key, "<");
    at += 1 + (at[1] == '=');
    return (int)strtol(at, NULL, 10);
}

/* Has a release this? csel.c changed with 4.2 (any condition may end in =any, and a bare any) and
 * with 5.0 (what a communicator knows of nodes). */
static int is_since(const struct rules *r, const char *release)
{
    return version_within(r->reader->version, release, NULL);
}

/* A word of a list with blanks between. */
static int is_one_of(const char *word, const char *list)
{
    const size_t n = strlen(word);
    for (const char *at = list; n && (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return 1;
    return 0;
}

/* Chains of numbers end with one of these. */
int mpich_is_any(const struct rules *r, const char *key)
{
    const size_t n = strlen(key);
    return is_since(r, "4.2")
               ? strcmp(key, "any") == 0 || (n >= 4 && strcmp(key + n - 4, "=any") == 0)
               : is_one_of(key, "comm_size=any count=any avg_msg_size=any total_msg_size=any");
}

/* Of 5.0 a communicator has parts or none, which `parent` tells from the other three. */
static enum mpich_holds holds_hierarchy(const struct rules *r, const char *value, int parted)
{
    if (strcmp(value, "parent") == 0)
        return parted ? YES : NO;
    if (strcmp(value, "flat") == 0)
        return parted ? NO : YES;
    if (strcmp(value, "node") == 0 || strcmp(value, "node_roots") == 0)
        return is_since(r, "5.0") && !parted ? YES : NO;
    return strcmp(value, "any") == 0 ? YES : UNKNOWN;
}

/* Of ranks that follow each other node by node: one that has no parts is not asked, nor is, from
 * 5.0 on, one node. */
static int holds_consecutive(const struct rules *r, int nodes, int parted)
{
    return parted && (nodes > 1 || !is_since(r, "5.0"));
}

/* Conditions of the communicator: the tree is cut by them when it is made. */
static enum mpich_holds holds_comm(const struct rules *r, const char *key,
                                   const struct rules_call *c, int pruned)
{
    const int nodes = c->nodes < 1 ? 1 : c->nodes;
    const int parted = nodes != c->procs; /* several ranks on a node */
    if (mpich_begins(key, "comm_type="))
        return strcmp(key, "comm_type=intra") == 0   ? YES
               : strcmp(key, "comm_type=inter") == 0 ? NO
                                                     : UNKNOWN;
    if (mpich_begins(key, "comm_size<="))
        return c->procs <= mpich_number_of(key);
    if (mpich_begins(key, "comm_size<"))
        return pruned ? c->procs < mpich_number_of(key) : c->procs <= mpich_number_of(key);
    if (strcmp(key, "comm_size=pow2") == 0)
        return (c->procs & (c->procs - 1)) == 0;
    if (strcmp(key, "comm_size=node_comm_size") == 0)
        return nodes == 1;
    if (mpich_begins(key, "comm_hierarchy="))
        return holds_hierarchy(r, key + strlen("comm_hierarchy="), parted);
    if (strcmp(key, "is_node_consecutive=yes") == 0)
        return holds_consecutive(r, nodes, parted);
    if (strcmp(key, "is_node_consecutive=no") == 0)
        return !holds_consecutive(r, nodes, parted);
    if (mpich_begins(key, "comm_avg_ppn<="))
        return c->procs <= mpich_number_of(key) * nodes;
    if (mpich_begins(key, "comm_avg_ppn<") && is_since(r, "4.2"))
        return c->procs < mpich_number_of(key) * nodes;
    return UNKNOWN;
}

/* The size that a condition compares; -1: none is defined for the collective. */
static double size_of(const struct rules *r, const char *key, const struct rules_call *c)
{
    const struct collective *of = collective_of(c->collective);
    const double bytes = (double)c->bytes, all = bytes * c->procs;
    const double count = (double)(c->bytes / r->element_bytes);
    const int is_scan = of->source == FROM_FIRST || of->source == FROM_BEFORE;
    if (mpich_begins(key, "avg_msg_size"))
        return of->unit.mpich == UNIT_MESSAGE ? bytes : -1;
    if (mpich_begins(key, "total_msg_size"))
        return of->rows[0] && of->source != FROM_NOBODY && !is_scan ? all : -1;
    return of->mpich_count == UNIT_MESSAGE ? count
           : of->mpich_count == UNIT_TOTAL ? count * c->procs
                                           : -1;
}

static enum mpich_holds holds_size(const struct rules *r, const char *key,
                                   const struct rules_call *c)
{
    uint64_t power = 1;
    const double size = size_of(r, key, c);
    const char *sign = strpbrk(key, "<=");
    while (2 * power <= (uint64_t)c->procs)
        power *= 2;
    const int is_pow2 = strcmp(key, "count<pow2") == 0;
    if (!is_pow2 && (!sign || *sign != '<' || (mpich_begins(key, "count<") && sign[1] != '=')))
        return UNKNOWN;
    if (size < 0)
        return UNDEFINED;
    if (is_pow2)
        return size < (double)power;
    return sign[1] == '=' ? size <= (double)mpich_number_of(key)
                          : size < (double)mpich_number_of(key);
}

/* Conditions of the arguments: of a plain call. */
static enum mpich_holds holds_arguments(const char *key, const struct rules_call *c)
{
    const struct collective *of = collective_of(c->collective);
    const int combines = of->source == FROM_ALL,
              swaps = (of->source == FROM_EACH && of->personal) ||
                      strcmp(c->collective, "alltoallw") == 0;
    const struct {
        const char *key;
        enum mpich_holds plain;
        int applies; /* to the collective */
    } all[] = {
        { "is_commutative=", YES, combines },
        { "is_op_built_in=", YES, combines && !of->personal },
        { "is_sendbuf_inplace=", NO, swaps },
        { "is_block_regular=", YES, combines && of->uneven },
    };
    if (strcmp(key, "is_multi_threaded=yes") == 0 || strcmp(key, "is_multi_threaded=no") == 0)
        return strcmp(key, "is_multi_threaded=no") == 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *value = key + strlen(all[i].key);
        if (!mpich_begins(key, all[i].key))
            continue;
        if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
            return UNKNOWN;
        if (!all[i].applies)
            return UNDEFINED;
        return (strcmp(value, "yes") == 0) == all[i].plain;
    }
    return UNKNOWN;
}

int mpich_is_comm_key(const char *key)
{
    return mpich_begins(key, "comm_") || mpich_begins(key, "is_node_consecutive");
}

static int is_size_key(const char *key)
{
    return mpich_begins(key, "avg_msg_size") || mpich_begins(key, "total_msg_size") ||
           mpich_begins(key, "count");
}

enum mpich_holds mpich_holds(const struct rules *r, const char *key, const struct rules_call *c,
                             int pruned)
{
    if (mpich_is_any(r, key))
        return YES;
    return mpich_is_comm_key(key) ? holds_comm(r, key, c, pruned)
           : is_size_key(key)     ? holds_size(r, key, c)
                                  : holds_arguments(key, c);
}

/* ---- leaves ---- */

int mpich_is_leaf(const char *key)
{
    return mpich_begins(key, "algorithm=") || mpich_begins(key, "composition=");
}

/* "algorithm=MPIR_Bcast_intra_binomial" of a broadcast: "binomial"; "": of another collective,
 * between communicators, or a composition. */
void mpich_name_of(const char *key, const char *collective, char name[NAME_SIZE])
{
    char start[KEY];
    name[0] = '\0';
    snprintf(start, sizeof start, "algorithm=MPIR_%c%.40s_", toupper((unsigned char)*collective),
             collective + 1);
    if (!mpich_begins(key, start))
        return;
    key += strlen(start);
    if (mpich_begins(key, "intra_"))
        snprintf(name, NAME_SIZE, "%.50s", key + 6);
    else if (mpich_begins(key, "allcomm_"))
        snprintf(name, NAME_SIZE, "%.50s", key + 8);
}

const struct native *mpich_native_of(const struct rules *r, const char *collective,
                                     const char *name)
{
    const struct native *n = native_find("mpich", collective, name);
    return n && version_within(r->reader->version, n->from, n->below) ? n : NULL;
}

int mpich_line_of(const struct rules *r, const char *at)
{
    const struct mpich_tree *t = r->read;
    const json_t *line = json_object_get(t->lines, at);
    return line ? (int)json_integer_value(line) : json_line_of(t->text, at);
}

static void end_at(const struct rules *r, const char *at, struct rules_answer *out, const char *why)
{
    out->outcome = RULES_DIES;
    out->line = mpich_line_of(r, at);
    snprintf(out->why, sizeof out->why, "line %d: %s", out->line, why);
}

void mpich_take_parameters(json_t *said, const struct native *native, struct rules_answer *out)
{
    const char *raw;
    json_t *value;
    char key[KEY];
    json_object_foreach(said, raw, value)
    {
        mpich_squeeze(raw, key, sizeof key);
        if (native->fanout && mpich_begins(key, "k="))
            out->fanout = strtol(key + strlen("k="), NULL, 10);
        if (native->segmented && mpich_begins(key, "chunk_size="))
            out->segment_bytes = strtol(key + strlen("chunk_size="), NULL, 10);
    }
}

/* No leaf: MPICH's algorithms have one for all. */
static void take_none(struct walk *w, struct rules_answer *out, const char *why)
{
    const struct mpich_tree *t = w->r->read;
    if ((!t->level || t->level->whole) && *w->at) {
        end_at(w->r, w->at, out, why);
        return;
    }
    if (!t->level || t->level->whole) {
        out->outcome = RULES_DIES;
        snprintf(out->why, sizeof out->why, "%s: a call ends the program", why);
        return;
    }
    out->line = 0;
    snprintf(out->why, sizeof out->why, "%s: the next level decides (MPICH's algorithms, %s)", why,
             MPICH_FILE);
}

/* What goes by node calls its collective on the ranks of a node, where the tree is asked again:
 * there a barrier or broadcast asserts, and what combines leaves parts out. */
static const char *smp_refusal(const struct walk *w)
{
    if (mpich_is_below(w->at, "comm_hierarchy=parent") ||
        mpich_is_below(w->at, "is_node_consecutive=yes") ||
        (!w->call->bytes && strcmp(w->call->collective, "barrier") != 0))
        return NULL;
    return "it calls itself on the ranks of a node unless comm_hierarchy=parent is above it: the "
           "program ends, or what comes out is wrong";
}

static void take_leaf(struct walk *w, const char *key, json_t *said, struct rules_answer *out)
{
    char name[NAME_SIZE];
    mpich_name_of(key, w->call->collective, name);
    const struct native *native = mpich_native_of(w->r, w->call->collective, name);
    const struct mpich_leaf *part = mpich_leaf_find(w->r->reader->version, key);
    if (part && part->gpu) {
        take_none(w, out, "it is for an accelerator's memory");
        return;
    }
    out->outcome = RULES_RUNS;
    out->line = mpich_line_of(w->r, w->at);
    snprintf(out->algorithm, NAME_SIZE, "%s", part ? part->name : name);
    snprintf(out->why, sizeof out->why, "line %d", out->line);
    if (native)
        mpich_take_parameters(said, native, out);
    const char *refusal = part ? mpich_leaf_refusal(part, w->r->reader->version, w->call)
                          : strcmp(name, "smp") == 0 ? smp_refusal(w)
                          : !native && strcmp(name, "linear") != 0
                              ? "this is no algorithm of the collective in this release"
                              : native_refusal(native, w->call->procs, w->call->bytes, out->fanout);
    if (refusal)
        end_at(w->r, w->at, out, refusal);
}

/* Goes down from an object of conditions. */
static void walk_down(struct walk *w, json_t *o, struct rules_answer *out)
{
    const char *raw;
    json_t *value;
    char key[KEY];
    const size_t used = strlen(w->at);
    json_object_foreach(o, raw, value)
    {
        mpich_squeeze(raw, key, sizeof key);
        snprintf(w->at + used, PLACE - used, "/%.80s", raw);
        if (mpich_is_leaf(key)) {
            take_leaf(w, key, value, out);
            return;
        }
        const enum mpich_holds h = mpich_holds(w->r, key, w->call, w->pruned);
        if (!mpich_is_comm_key(key))
            w->pruned = 0;
        out->by_element |= mpich_begins(key, "count");
        if (h == UNKNOWN || h == UNDEFINED) {
            end_at(w->r, w->at, out,
                   h == UNKNOWN ? "the reader does not know the condition"
                                : "the condition is not defined for this collective");
            return;
        }
        if (h == YES) {
            walk_down(w, value, out);
            return;
        }
    }
    w->at[used] = '\0';
    take_none(w, out, "no condition holds, and nothing follows");
}

static void ask(const struct rules *r, const struct rules_call *call, struct rules_answer *out)
{
    const struct mpich_tree *t = r->read;
    struct walk w = { .r = r, .call = call, .pruned = 1 };
    char wanted[KEY], key[KEY];
    const char *raw;
    json_t *value;
    out->size = call->bytes;
    if (t->dies || !t->root) {
        out->outcome = RULES_DIES;
        rules_tell_unused(r, out);
        return;
    }
    snprintf(wanted, sizeof wanted, "collective=%.60s", call->collective);
    json_object_foreach(t->root, raw, value)
    {
        mpich_squeeze(raw, key, sizeof key);
        if (strcmp(key, wanted) != 0)
            continue;
        snprintf(w.at, sizeof w.at, "%.80s", raw);
        walk_down(&w, value, out);
        return;
    }
    take_none(&w, out, "the file has no tree for the collective");
}

/* ---- reading ---- */

static void read_mpich(struct rules *r, char *text, size_t len)
{
    json_error_t why;
    struct mpich_tree *t = memory_zeros(1, sizeof *t);
    r->read = t;
    t->text = memory_text(text);
    t->root = json_loadb(text, len, 0, &why);
    if (len % PAGE == 0)
        rules_find(&r->found, RULES_ERROR, "size", 0,
                   "a file of %zu bytes, none or a multiple of 4096, is read beyond its end: add a "
                   "blank",
                   len);
    if (!json_is_object(t->root)) {
        t->dies = 1;
        rules_find(&r->found, RULES_ERROR, "dies", t->root || why.line < 1 ? 1 : why.line,
                   "no JSON object%s%.120s: the program ends when it starts", t->root ? "" : ": ",
                   t->root ? "" : why.text);
        return;
    }
    t->lines = json_lines(t->text);
    mpich_lint(r);
    r->loaded = !t->dies;
}

static void clear(struct rules *r)
{
    struct mpich_tree *t = r->read;
    if (!t)
        return;
    json_decref(t->root);
    json_decref(t->lines);
    memory_free(t->text, t);
}

/* The device comes before an algorithm that is forced, and what cannot run falls back: told, here.
 */
static const char forcing[] = "mpirun -genv MPIR_CVAR_DEVICE_COLLECTIVES none -genv "
                              "MPIR_CVAR_COLLECTIVE_FALLBACK print";

#define DEVICE_ENDING ".ch4"

static const struct rules_load load[] = {
    { .name = MPICH_FILE },
    { .name = MPICH_DEVICE_FILE, .ending = DEVICE_ENDING },
    { .name = NULL },
};

/* The device's tree for buffers in an accelerator's memory, too. */
static const struct rules_load load_both[] = {
    { .name = MPICH_FILE },
    { .name = MPICH_DEVICE_FILE, .ending = DEVICE_ENDING },
    { .name = MPICH_DEVICE_FILE "_GPU", .ending = DEVICE_ENDING },
    { .name = NULL },
};

/* What all releases share. */
#define TREES(name_, version_, from_, below_, load_, also_)                                        \
    {                                                                                              \
        .name = "mpich-" name_, .help = "MPICH " from_ ": trees of conditions (JSON)" also_,       \
        .library = "mpich", .sim = "mpich40", .version = (version_), .from = (from_),              \
        .below = (below_), .read = read_mpich, .ask = ask, .clear = clear, .load = (load_),        \
        .environment = "", .write = rules_write_mpich, .beside = DEVICE_ENDING,                    \
        .write_beside = rules_write_mpich_device, .forcing = forcing, .option = "-genv",           \
        .by_name = 1                                                                               \
    }
#define AND_GPU ", for an accelerator's memory, too"

const struct rules_reader rules_mpich40 = TREES("4.0", "4.0.2", "4.0", "4.1", load, "");
const struct rules_reader rules_mpich41 = TREES("4.1", "4.1.2", "4.1", "4.2", load, "");
const struct rules_reader rules_mpich42 = TREES("4.2", "4.2.1", "4.2", "4.3", load, "");
const struct rules_reader rules_mpich43 = TREES("4.3", "4.3.2", "4.3", "4.4", load, "");
const struct rules_reader rules_mpich50 = TREES("5.0", "5.0.2", "5.0", "5.1", load, "");
const struct rules_reader rules_mpich43gpu =
    TREES("4.3-gpu", "4.3.2", "4.3", "4.4", load_both, AND_GPU);
const struct rules_reader rules_mpich50gpu =
    TREES("5.0-gpu", "5.0.2", "5.0", "5.1", load_both, AND_GPU);
